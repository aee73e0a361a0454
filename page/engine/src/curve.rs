//! `curve`: durations over the values of one knob, for a graph.
//!
//! All values meet the same nights, and the same as `predict` with this seed and number of
//! replications: the point of the present value is its prediction.

use bakcast_report::document::DurationResult;
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{Asked, Prediction, Refused};
use bakcast_whatif::{Configuration, Runner};
use serde::Serialize;

use crate::choice::Choice;
use crate::compare::design;
use crate::envelope::{of_run, of_scenario, run_of, written};
use crate::failure::Failure;
use crate::predict::given;
use crate::request::Request;
use crate::work;

/// Most points of a graph.
const MOST: u64 = 200;

/// Durations over a knob.
#[derive(Debug, Serialize)]
struct CurveResult {
    scenario: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set: Vec<String>,
    level: f64,
    /// The knobs, as `bakcast knobs` calls them.
    paths: Vec<String>,
    points: Vec<CurvePoint>,
}

/// One value.
#[derive(Debug, Serialize)]
struct CurvePoint {
    /// The values as they are shown, in the order of the knobs.
    values: Vec<String>,
    /// Why there is no duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    figures: Option<Figures>,
}

/// What a value comes to.
#[derive(Debug, Serialize)]
struct Figures {
    backup: DurationResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    verify: Option<DurationResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restore: Option<DurationResult>,
    total: DurationResult,
    read_bytes: u64,
    written_bytes: u64,
    buffer_memory_bytes: u64,
    buffer_count: u32,
    max_transfer_size_bytes: u64,
    processor_cores_mean: f64,
}

impl Figures {
    fn new(loaded: &Loaded, prediction: &Prediction) -> Self {
        let buffers = loaded.resolved.backup.buffers;
        let backup = &prediction.backup;
        Figures {
            backup: backup.seconds.into(),
            verify: prediction.verify.as_ref().map(|verify| verify.seconds.into()),
            restore: prediction.restore.as_ref().map(|restore| restore.seconds.into()),
            total: prediction.total_seconds.into(),
            read_bytes: backup.read_bytes,
            written_bytes: backup.written_bytes,
            buffer_memory_bytes: buffers.memory().get(),
            buffer_count: buffers.count,
            max_transfer_size_bytes: buffers.transfer_size.get(),
            processor_cores_mean: backup.processor_cores_mean,
        }
    }
}

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let design = design(&request.vary, MOST)?;
    let choice = Choice::new(request)?;
    let loaded = choice.load()?;
    let (document, variant, sets) = choice.parts();
    let runner = Runner::new(document, variant, sets, options, Asked::Durations);
    // Each configuration by itself: one with small transfers may be far more work than another.
    for index in 0..design.count() {
        if let Ok(one) = runner.load(&design.configuration(index)) {
            work::check(&one.resolved, &options, design.count())?;
        }
    }
    let mut points = Vec::new();
    let make = |index| -> Configuration { design.configuration(index) };
    runner.each((0, design.count()), make, |index, ended| {
        let values = design.labels(index).into_iter().map(str::to_string).collect();
        let (figures, error) = match ended {
            Ok((loaded, prediction)) => (Some(Figures::new(loaded, &prediction)), None),
            Err(refused) => (None, Some(said(&refused))),
        };
        points.push(CurvePoint { values, error, figures });
        Ok::<(), Failure>(())
    })?;
    let result = CurveResult {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        set: given(request)?,
        level: options.level,
        paths: design.paths().map(str::to_string).collect(),
        points,
    };
    let warnings = of_scenario(&loaded).chain(of_run(&options, None)).collect();
    written(run_of("curve", &options, &loaded), warnings, result)
}

/// On one line.
fn said(refused: &Refused) -> String {
    refused.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
