//! What `compare` finds.

use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::{Compared, Comparison, Paired, Verdict};
use serde::{Serialize, Serializer};

use super::{DurationResult, PredictResult, RequirementResult};

/// Values of what is varied, by path, in the order in which they were given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings(pub Vec<(String, String)>);

impl Settings {
    /// The values of these paths; one that is left as it is has none.
    pub fn of<'a>(
        paths: impl Iterator<Item = &'a str>,
        labels: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        let pairs = paths.zip(labels).filter(|(_, label)| !label.as_ref().is_empty());
        Settings(
            pairs.map(|(path, label)| (path.to_string(), label.as_ref().to_string())).collect(),
        )
    }

    /// The value of a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == path).map(|(_, value)| value.as_str())
    }

    /// The values alone, as one text.
    #[must_use]
    pub fn label(&self) -> String {
        let values: Vec<&str> = self.0.iter().map(|(_, value)| value.as_str()).collect();
        values.join(", ")
    }

    /// Values with the short names of their knobs: `buffer_count 64, compression on`.
    #[must_use]
    pub fn words(&self) -> String {
        let pairs = self.0.iter().map(|(path, value)| format!("{} {value}", short_path(path)));
        pairs.collect::<Vec<_>>().join(", ")
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, value)| (path, value)))
    }
}

/// As much of a path as tells what is meant: `buffer_count`, `d1.like`.
#[must_use]
pub fn short_path(path: &str) -> String {
    let keys: Vec<&str> = path.split('.').collect();
    match keys.as_slice() {
        ["backup", key] => (*key).to_string(),
        ["device" | "volume", name, .., key] => format!("{name}.{key}"),
        _ => path.to_string(),
    }
}

/// Configurations beside a reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// backup, verify, restore or total: what ratios are of.
    pub operation: &'static str,
    /// Confidence of the intervals of ratios, and share of runs that ranges of durations cover.
    pub level: f64,
    /// A ratio no further from 1 is not worth a change.
    pub threshold: f64,
    /// Assignments that make the reference; empty: the scenario as it stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reference: Vec<String>,
    /// What is varied.
    pub paths: Vec<String>,
    /// The reference, then every configuration in its order.
    pub rows: Vec<CompareRow>,
    /// Which is best; absent where nothing can be compared, or nothing meets the requirements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BestResult>,
    /// The answer in a sentence or two.
    pub answer: String,
    /// Nights that were paired.
    pub paired_nights: usize,
    /// Parameter sets among them, if the scenario has an ensemble.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter_sets: Option<usize>,
}

/// One configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareRow {
    /// What was varied; empty for the reference.
    pub settings: Settings,
    /// Whether it is the reference.
    pub is_reference: bool,
    /// Why it has no prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Typical ratio of a night to the reference; below 1: shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Lower end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// Mean difference of a night; negative: shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_seconds: Option<f64>,
    /// Whether the interval excludes 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real: Option<bool>,
    /// Whether the ratio is further from 1 than the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<bool>,
    /// As `predict` has it.
    #[serde(flatten)]
    pub predict: Option<PredictResult>,
}

/// Which is best.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestResult {
    /// Its place in `rows`, from 0.
    pub row: usize,
    /// Its settings.
    pub settings: Settings,
    /// Whether it differs from the reference beyond chance; absent: nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real: Option<bool>,
    /// Whether it is worth a change.
    pub worth: bool,
    /// Places of those that are as good.
    pub ties: Vec<usize>,
    /// The place of the one of them that takes the least buffer memory.
    pub least_memory_row: usize,
}

impl CompareRow {
    fn new(compared: &Compared, paths: &[String], threshold: f64, o: &PredictOptions) -> Self {
        let paired = compared.paired;
        let ends = paired.and_then(|paired: Paired| paired.ratio_interval);
        let settings = Settings::of(paths.iter().map(String::as_str), &compared.labels);
        CompareRow {
            is_reference: false,
            settings,
            error: None,
            ratio: paired.map(|paired| paired.ratio),
            ratio_low: ends.map(|(low, _)| low),
            ratio_high: ends.map(|(_, high)| high),
            difference_seconds: paired.map(|paired| paired.difference_seconds),
            real: paired.and_then(|paired| paired.is_real()),
            worth: paired.map(|paired| paired.is_worth(threshold)),
            predict: Some(PredictResult::new(&compared.ran.loaded, &compared.ran.prediction, o)),
        }
    }

    fn failed(settings: Settings, error: String) -> Self {
        CompareRow {
            settings,
            is_reference: false,
            error: Some(error),
            ratio: None,
            ratio_low: None,
            ratio_high: None,
            difference_seconds: None,
            real: None,
            worth: None,
            predict: None,
        }
    }

    /// The duration of an operation.
    #[must_use]
    pub fn duration(&self, operation: &str) -> Option<DurationResult> {
        let predict = self.predict.as_ref()?;
        match operation {
            "backup" => Some(predict.backup),
            "verify" => predict.verify.as_ref().map(super::VerifyResult::duration),
            "restore" => predict.restore.as_ref().map(super::RestoreResult::duration),
            _ => Some(predict.total),
        }
    }

    /// What limits an operation; of a total, the longer of its two.
    #[must_use]
    pub fn bottleneck(&self, operation: &str) -> Option<&str> {
        let predict = self.predict.as_ref()?;
        let verify = || predict.verify.as_ref().and_then(|verify| verify.bottleneck.as_deref());
        let longer = |verify: &super::VerifyResult| verify.seconds > predict.backup.seconds;
        match operation {
            "verify" => verify(),
            "restore" => predict.restore.as_ref().and_then(|restore| restore.bottleneck.as_deref()),
            "total" if predict.verify.as_ref().is_some_and(longer) => verify(),
            _ => predict.bottleneck.as_deref(),
        }
    }

    /// Whether it meets every requirement.
    #[must_use]
    pub fn fits(&self) -> bool {
        let fits = |requirement: &RequirementResult| requirement.met;
        self.predict.as_ref().is_some_and(|predict| predict.requirements.iter().all(fits))
    }
}

impl CompareResult {
    /// The result of a comparison; `judge` holds requirements against a prediction.
    #[must_use]
    pub fn new(
        comparison: &Comparison,
        paths: Vec<String>,
        options: &PredictOptions,
        judge: impl Fn(&PredictResult) -> Vec<RequirementResult>,
    ) -> Self {
        let threshold = comparison.threshold;
        let row = |compared: &Compared| {
            let mut row = CompareRow::new(compared, &paths, threshold, options);
            if let Some(predict) = &mut row.predict {
                predict.requirements = judge(predict);
            }
            row
        };
        let mut reference = row(&comparison.reference);
        reference.is_reference = true;
        let mut rows = vec![reference];
        // Where in `rows` each of those stands that could be run.
        let mut places = vec![0];
        for (_, found) in &comparison.rows {
            match found {
                Ok(compared) => {
                    places.push(rows.len());
                    rows.push(row(compared));
                }
                Err(failed) => {
                    let settings = Settings::of(paths.iter().map(String::as_str), &failed.labels);
                    rows.push(CompareRow::failed(settings, on_a_line(&failed.refused.to_string())));
                }
            }
        }
        let fits = |place: usize| rows[places[place]].fits();
        let verdict = fitting(comparison, fits, options.level);
        let at = |place: &usize| places.get(*place).copied().unwrap_or(0);
        let best = verdict.map(|verdict| BestResult {
            row: at(&verdict.best),
            settings: rows[at(&verdict.best)].settings.clone(),
            real: rows[at(&verdict.best)].real,
            worth: rows[at(&verdict.best)].worth == Some(true),
            ties: verdict.ties.iter().map(at).collect(),
            least_memory_row: at(&verdict.smallest),
        });
        let predict = &comparison.reference.ran;
        let paired = comparison.reference.paired;
        let mut result = CompareResult {
            scenario: predict.loaded.name.clone(),
            title: predict.loaded.resolved.title.clone(),
            set: Vec::new(),
            operation: comparison.operation.name(),
            level: options.level,
            threshold,
            reference: Vec::new(),
            paths,
            rows,
            best,
            answer: String::new(),
            paired_nights: paired.map_or(0, |paired| paired.nights),
            parameter_sets: paired.map(|paired| paired.members).filter(|members| *members > 1),
        };
        result.say();
        result
    }

    /// Says the answer anew, as the fields are now.
    pub fn say(&mut self) {
        self.answer = super::answer::of(self);
    }

    /// The requirements of the first configuration that meets them all; those of the best of the
    /// others if none does.
    #[must_use]
    pub fn requirements(&self) -> &[RequirementResult] {
        let able = || self.rows.iter().filter_map(|row| row.predict.as_ref());
        let all_met = able().find(|predict| predict.requirements.iter().all(|r| r.met));
        let nearest = || {
            let missed = |p: &PredictResult| p.requirements.iter().filter(|r| !r.met).count();
            able().min_by(|a, b| {
                missed(a).cmp(&missed(b)).then(a.total.seconds.total_cmp(&b.total.seconds))
            })
        };
        all_met.or_else(nearest).map_or(&[], |predict| &predict.requirements)
    }
}

/// The verdict among those that meet the requirements, counted as [`Comparison::done`] counts.
fn fitting(comparison: &Comparison, fits: impl Fn(usize) -> bool, level: f64) -> Option<Verdict> {
    let done: Vec<&Compared> = comparison.done().collect();
    let place = |row: &Compared| done.iter().position(|own| std::ptr::eq(*own, row));
    comparison.judge_among(|row| place(row).is_some_and(&fits), level)
}

/// An error on one line, for a table.
pub(crate) fn on_a_line(text: &str) -> String {
    let hidden = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(hidden).collect::<String>().trim().to_string()
}
