//! `knobs`: every setting of a scenario.

use bakcast_report::Document;
use bakcast_report::document::{KnobEntry, KnobsResult};
use bakcast_scenarios::knobs;
use bakcast_scenarios::predict::PredictOptions;

use super::run_without_scenario;
use crate::args::Knobs;
use crate::exit::Failure;
use crate::output::{Outputs, Reply};

pub(super) fn run(
    arguments: &Knobs,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let word = arguments.word.as_deref().unwrap_or_default().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&word);
    let chosen = knobs().iter().filter(|knob| has(&knob.path) || has(&knob.comment));
    let knobs: Vec<_> = chosen.map(KnobEntry::from).collect();
    if knobs.is_empty() {
        return Err(Failure::usage(format!(
            "no knob speaks of `{word}`; `bakcast knobs` lists all"
        )));
    }
    let result = KnobsResult { filter: arguments.word.clone(), knobs };
    outputs.reply(&Document::new(run_without_scenario("knobs", options), Vec::new(), result))
}
