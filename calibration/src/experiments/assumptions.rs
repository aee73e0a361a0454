//! The open assumptions of the model, each held against its alternatives on what a fit has not
//! seen.

use bakcast_scenarios::Set;

use crate::article::Article;
use crate::article_fit::fit_problem;
use crate::error::CalibrationError;
use crate::fit::FitOptions;
use crate::problem::Problem;
use crate::record::{LeftOutRecord, RowRecord};

/// A choice that the evidence leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// What is assumed.
    pub name: &'static str,
    /// The alternatives, the model's own first.
    pub alternatives: Vec<Alternative>,
}

/// One way to see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// In a few words.
    pub name: &'static str,
    /// Values that make it so, by path; `*` in a path stands for every device that has the knob.
    pub sets: Vec<(&'static str, &'static str)>,
    /// Ends of paths of knobs that are then not free.
    pub without: Vec<&'static str>,
}

/// What an alternative came to on one table.
#[derive(Debug, Clone, PartialEq)]
pub struct AssumptionResult {
    /// Mean |relative error| of rows that were fitted.
    pub in_sample: f64,
    /// |Relative error| of each figure when its row was left out; `None` if the row alone
    /// identifies a knob. In the order of the table.
    pub left_out: Vec<Option<f64>>,
    /// Share of these that lie in their 90 % range.
    pub coverage: f64,
    /// Scatter about the fit.
    pub error_percent: f64,
    /// Sum of squared residuals, priors included.
    pub objective: f64,
    /// Free knobs.
    pub knobs: usize,
}

impl AssumptionResult {
    /// Rows that were left out.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.left_out.iter().flatten().count()
    }

    /// Mean |relative error| of rows that were left out; `None` if there are none.
    #[must_use]
    pub fn left_out_mean(&self) -> Option<f64> {
        let errors: Vec<f64> = self.left_out.iter().flatten().copied().collect();
        (!errors.is_empty()).then(|| mean(&errors))
    }

    /// Means of the rows that were left out both here and in `other`, here and there, and how many
    /// these are: which row alone identifies a knob differs from one alternative to the next.
    #[must_use]
    pub fn beside(&self, other: &AssumptionResult) -> Option<(f64, f64, usize)> {
        let pairs = self.left_out.iter().zip(&other.left_out);
        let (here, there): (Vec<f64>, Vec<f64>) =
            pairs.filter_map(|(here, there)| Some(((*here)?, (*there)?))).unzip();
        (!here.is_empty()).then(|| (mean(&here), mean(&there), here.len()))
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Every open assumption.
#[must_use]
pub fn assumptions() -> Vec<Assumption> {
    let own = |name| Alternative { name, sets: Vec::new(), without: Vec::new() };
    let by =
        |name, path, value| Alternative { name, sets: vec![(path, value)], without: Vec::new() };
    vec![
        Assumption {
            name: "filled buffers are dealt to writers",
            alternatives: vec![
                own("from one queue"),
                by("in turns", "engine.writer_queue", "turns"),
            ],
        },
        Assumption {
            name: "encoded bytes are",
            alternatives: vec![
                own("collected into full writes"),
                by("written buffer by buffer", "engine.encoded_writes", "per-buffer"),
                by("written in place", "engine.encoded_writes", "in-place"),
            ],
        },
        Assumption {
            name: "workers are bound by",
            alternatives: vec![
                own("processors and buffers"),
                by("processors alone", "engine.workers", "processors"),
            ],
        },
        Assumption {
            name: "two threads of a core",
            alternatives: vec![
                own("share what it can do"),
                by("do what two cores do", "processor.threads_per_core", "1"),
            ],
        },
        Assumption {
            name: "a solid state drive",
            alternatives: vec![
                own("pauses"),
                Alternative {
                    name: "never pauses",
                    sets: vec![("device.*.solid_state.stall", "default")],
                    without: vec!["stall.mean", "stall.every"],
                },
            ],
        },
        Assumption {
            name: "a disk is",
            alternatives: vec![
                own("slower inwards"),
                Alternative {
                    name: "as fast everywhere",
                    sets: vec![("device.*.spindle.inner_rate", "100 %")],
                    without: vec!["position"],
                },
            ],
        },
        Assumption {
            name: "streams on one drive",
            alternatives: vec![
                own("disturb each other"),
                Alternative {
                    name: "do not",
                    sets: vec![
                        ("device.*.solid_state.stream_amplification", "0"),
                        ("device.*.spindle.positioning", "0 ms"),
                    ],
                    without: vec!["stream_amplification", "positioning"],
                },
            ],
        },
    ]
}

/// Fits an article under an alternative and leaves out its rows. Nothing if the alternative makes
/// no difference to it.
///
/// # Errors
/// As for a fit.
pub fn try_assumption(
    article: &Article,
    alternative: &Alternative,
    options: &FitOptions,
) -> Result<Option<AssumptionResult>, CalibrationError> {
    let mut problem = article.problem(options.seed)?;
    let changed = apply(&mut problem, alternative)?;
    if !changed && !alternative.sets.is_empty() {
        return Ok(None);
    }
    let (record, _) = fit_problem(&article.id, &problem, &[], options, &|_| ())?;
    let errors: Vec<f64> = record.row.iter().map(|row| row.relative_error.abs()).collect();
    let unseen: Vec<(&RowRecord, &LeftOutRecord)> =
        record.row.iter().filter_map(|row| Some((row, row.left_out.as_ref()?))).collect();
    let inside =
        unseen.iter().filter(|(row, left)| (left.low..=left.high).contains(&row.measured)).count();
    Ok(Some(AssumptionResult {
        in_sample: mean(&errors),
        left_out: record
            .row
            .iter()
            .map(|row| row.left_out.as_ref().map(|left| left.relative_error.abs()))
            .collect(),
        coverage: inside as f64 / unseen.len().max(1) as f64,
        error_percent: record.error_percent,
        objective: record.objective,
        knobs: problem.free.len(),
    }))
}

/// Makes it so; says whether any configuration is another one for it.
fn apply(problem: &mut Problem, alternative: &Alternative) -> Result<bool, CalibrationError> {
    let sets = alternative_sets(problem, alternative)?;
    let mut changed = false;
    for case in &problem.cases {
        let variant = case.variant.as_deref();
        let before = problem.document.load(variant, &case.sets)?;
        let all: Vec<Set> = sets.iter().chain(&case.sets).cloned().collect();
        let after = problem.document.load(variant, &all)?;
        changed |= before.resolved != after.resolved;
    }
    problem.still.extend(sets);
    let kept = |path: &String| !alternative.without.iter().any(|end| path.ends_with(end));
    problem.free.retain(|free| free.paths.iter().all(kept));
    Ok(changed)
}

/// The values of an alternative, `*` written out for every device that has the knob's law.
fn alternative_sets(
    problem: &Problem,
    alternative: &Alternative,
) -> Result<Vec<Set>, CalibrationError> {
    let variant = problem.cases.first().and_then(|case| case.variant.as_deref());
    let loaded = problem.document.load(variant, &[])?;
    let written = serde_json::to_value(&loaded.scenario).unwrap_or_default();
    let mut sets = Vec::new();
    for (path, value) in &alternative.sets {
        let Some((_, rest)) = path.split_once(".*.") else {
            sets.push(Set::new(*path, *value));
            continue;
        };
        let key = rest.split('.').collect::<Vec<_>>();
        for name in loaded.scenario.device.keys() {
            let device = &written["device"][name];
            if key.iter().try_fold(device, |value, key| value.get(key)).is_some() {
                sets.push(Set::new(format!("device.{name}.{rest}"), *value));
            }
        }
    }
    Ok(sets)
}
