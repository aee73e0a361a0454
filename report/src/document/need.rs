//! What `need` finds.

use bakcast_whatif::{Demanded, LeverUnit, Needed, Part, PartNeed};
use serde::Serialize;

use super::{DurationResult, RequirementResult, UncertaintyResult};

/// What rates a window demands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NeedResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The window.
    pub window_seconds: f64,
    /// What has to fit: backup, verify or total.
    pub operation: &'static str,
    /// Share of nights that the range covers, whose upper end is held against the window.
    pub level: f64,
    /// How long it takes as it is.
    pub now: DurationResult,
    /// Whether it fits as it is.
    pub fits: bool,
    /// One part at a time, the others as they are.
    pub one_at_a_time: Vec<PartResult>,
    /// All at once, each as busy as the others; absent: no rates do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balanced: Option<BalancedResult>,
    /// Rates are multiplied or divided by no more than this.
    pub searched_factor: f64,
    /// Requirements on the scenario as it stands, each met or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
    /// The parameter sets that the nights go over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<UncertaintyResult>,
    /// Configurations that were run.
    pub evaluated: usize,
}

/// What one part has to be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartResult {
    /// source, path, target, processor rate or processors.
    pub part: &'static str,
    /// Whether the window can be met by this part alone.
    pub can_be_met: bool,
    /// What its rates are multiplied by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// Its rates then.
    pub rates: Vec<RateResult>,
    /// Upper end of the range with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_seconds: Option<f64>,
    /// Upper end of the range with the part as fast as was tried.
    pub high_seconds_at_best: f64,
    /// The slowest device of the library that would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<NearestDevice>,
    /// What changes, in words.
    pub change: String,
}

/// A device of the library.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NearestDevice {
    /// What `like` calls it.
    pub name: String,
    /// What it is.
    pub title: String,
}

/// All at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BalancedResult {
    /// The rates.
    pub rates: Vec<RateResult>,
    /// Upper end of the range with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_seconds: Option<f64>,
}

/// One number that the window demands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RateResult {
    /// Which part it belongs to.
    pub part: &'static str,
    /// What it is.
    pub parameter: String,
    /// The knobs that move as one.
    pub paths: Vec<String>,
    /// Its value now.
    pub now: String,
    /// What it has to be, as `--set` takes it.
    pub value: String,
    /// The same in bytes a second; absent: it is no rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
}

impl NeedResult {
    /// The result of a search.
    #[must_use]
    pub fn new(needed: &Needed, level: f64) -> Self {
        let loaded = &needed.ran.loaded;
        let balanced = needed.balanced.as_ref().map(|found| BalancedResult {
            rates: found
                .rates
                .iter()
                .zip(&needed.balanced_parts)
                .map(|(one, part)| rate(one, *part))
                .collect(),
            high_seconds: found.high_seconds,
        });
        NeedResult {
            scenario: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            set: Vec::new(),
            window_seconds: needed.window_seconds,
            operation: needed.operation.name(),
            level,
            now: needed.range.into(),
            fits: needed.fits,
            one_at_a_time: needed.alone.iter().map(part).collect(),
            balanced,
            searched_factor: bakcast_whatif::NEED_FACTOR,
            requirements: Vec::new(),
            uncertainty: UncertaintyResult::of(loaded),
            evaluated: needed.evaluated,
        }
    }
}

fn part(need: &PartNeed) -> PartResult {
    PartResult {
        part: need.part.name(),
        can_be_met: need.factor.is_some(),
        factor: need.factor,
        rates: need.rates.iter().map(|one| rate(one, need.part)).collect(),
        high_seconds: need.high_seconds,
        high_seconds_at_best: need.best_seconds,
        device: need
            .device
            .map(|entry| NearestDevice { name: entry.name.clone(), title: entry.title.clone() }),
        change: change(need),
    }
}

fn rate(one: &Demanded, part: Part) -> RateResult {
    let is_rate = one.lever.unit == LeverUnit::Rate;
    RateResult {
        part: part.name(),
        parameter: one.lever.name.clone(),
        paths: one.lever.paths.clone(),
        now: one.lever.now_text(),
        value: one.value.text.clone(),
        bytes_per_second: is_rate.then_some(one.value.number),
    }
}

/// What has to be changed, in words.
fn change(need: &PartNeed) -> String {
    let Some(factor) = need.factor else {
        return "cannot be met by this alone".to_string();
    };
    if factor <= 1.0 {
        return format!("nothing: {:.0} % of what it is would do", (factor * 100.0).ceil());
    }
    let times = format!("{factor:.1} times as fast");
    match (need.part, need.device) {
        (Part::ProcessorCount, _) => "more processors, or licences for them".to_string(),
        (Part::ProcessorRate, _) => {
            format!("{times}: faster processors, or a lighter algorithm")
        }
        (_, Some(device)) => format!("{times}: such as {} ({})", device.name, device.title),
        (Part::Path, None) => format!("{times}: more links, or files over more of them"),
        (Part::Source, None) => {
            format!("{times}: the data on more volumes; no device of the library does it alone")
        }
        (_, None) => {
            format!("{times}: files on more devices; no device of the library does it alone")
        }
    }
}
