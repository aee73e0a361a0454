//! `calibrate`: a scenario fitted to a user's own runs, and runs that would tell more.

mod checks;
mod next;
mod remarks;
mod runs;

use bakcast_calibration::{
    CalibrateOptions, Calibration, Design, FitOptions, FreeKnob, calibrate, design,
};
use bakcast_report::Document;
use bakcast_report::document::{CalibrateResult, DesignResult, FitResult};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{self as scenario, Loaded, Reference};

use super::{run_of, usage};
use crate::args::{Calibrate, FreeArgument, GlobalOptions};
use crate::exit::Failure;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;
use checks::known;

pub(super) fn run(
    arguments: &Calibrate,
    global: &GlobalOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    let fits = !arguments.runs.is_empty();
    let Some(name) = arguments.scenario.as_deref().filter(|_| fits || arguments.design.is_some())
    else {
        return Err(usage::runs_missing());
    };
    let writes_scenario = outputs.formats_or_scenario(fits)?;
    checks::refuse_what_has_no_meaning(arguments, global)?;
    let Reference { origin, variant } = Reference::parse(name);
    checks::refuse_to_overwrite(arguments, &origin, outputs)?;
    let document = scenario::Document::open(&origin)?;
    let loaded = document.load(variant.as_deref(), &arguments.set)?;
    checks::refuse_no_verification(arguments, &loaded)?;
    let options = options(arguments, global, &loaded)?;
    let (runs, notes) = runs::runs(arguments, &loaded)?;
    let bar = Bar::new(outputs.watched());
    let (found, proposed) = if fits {
        let tell = |progress| bar.tell(&progress);
        let found =
            calibrate(&document, variant.as_deref(), &arguments.set, &runs, &options, &tell)?;
        let proposed = found.design.clone();
        (Some(found), proposed)
    } else {
        let (count, question) = options.design.unwrap_or_default();
        let sets = &arguments.set;
        let proposed = design(&document, variant.as_deref(), sets, &options, count, question)?;
        (None, Some(proposed))
    };
    drop(bar);
    let result = result(arguments, &loaded, found.as_ref(), proposed.as_ref(), &options);
    let next = next::commands(arguments, global, name, writes_scenario.as_deref());
    let result = CalibrateResult { next, ..result };
    let mut warnings = remarks::warnings(&loaded, found.as_ref(), &options);
    warnings.extend(notes);
    let run = run_of("calibrate", &options.predict, &loaded);
    let fitted = found.as_ref().map(|found| found.fitted_scenario.as_str());
    outputs.reply_with_scenario(&Document::new(run, warnings, result), fitted)
}

fn options(
    arguments: &Calibrate,
    global: &GlobalOptions,
    loaded: &Loaded,
) -> Result<CalibrateOptions, Failure> {
    let nights = global.replications.unwrap_or(CalibrateOptions::REPLICATIONS);
    let predict = PredictOptions { replications: nights, rough: true, ..global.options()? };
    // Two readings of a clock, each off by up to half of what it counts in.
    let clock = |tick: f64| tick / 6.0_f64.sqrt();
    let written = serde_json::to_value(&loaded.scenario).unwrap_or_default();
    let free = arguments.free.iter().map(|free| free_knob(free, &written));
    Ok(CalibrateOptions {
        fit: FitOptions { seed: global.seed, ..FitOptions::OWN_RUNS },
        predict,
        error: arguments.error,
        clock_seconds: arguments.clock.map(clock),
        free: free.collect::<Result<_, _>>()?,
        fixed: fixed(arguments)?,
        design: arguments.design.map(|count| (count as usize, arguments.question.into())),
    })
}

/// A `--free` whose units, if it has any, are those of the scenario.
fn free_knob(free: &FreeArgument, written: &serde_json::Value) -> Result<FreeKnob, Failure> {
    known(&free.path, "--free")?;
    let mut value = Some(written);
    for key in free.path.split('.') {
        value = value.and_then(|value| value.get(key));
    }
    let text = value.and_then(serde_json::Value::as_str).unwrap_or_default();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.eE ".contains(c)).trim();
    let bounds = free.bounds.iter().flat_map(|(low, high)| [low, high]);
    for (_, given) in free.value.iter().chain(bounds) {
        if !given.is_empty() && given != unit {
            let wanted = if unit.is_empty() { "no unit" } else { unit };
            return Err(Failure::usage(format!(
                "--free {}: the scenario has it in {wanted}, found `{given}`; write the number in \
                 the scenario's unit",
                free.path
            )));
        }
    }
    Ok(FreeKnob {
        path: free.path.clone(),
        value: free.value.as_ref().map(|(number, _)| *number),
        factor: free.factor,
        bounds: free.bounds.as_ref().map(|((low, _), (high, _))| (*low, *high)),
    })
}

fn fixed(arguments: &Calibrate) -> Result<Vec<String>, Failure> {
    arguments.fix.iter().map(|path| known(path, "--fix").map(|()| path.clone())).collect()
}

fn result(
    arguments: &Calibrate,
    loaded: &Loaded,
    found: Option<&Calibration>,
    proposed: Option<&Design>,
    options: &CalibrateOptions,
) -> CalibrateResult {
    CalibrateResult {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        set: arguments.set.iter().map(ToString::to_string).collect(),
        fit: found.map(|found| FitResult::new(found, options.error)),
        design: proposed.map(DesignResult::from),
        query: proposed.map(|_| DesignResult::QUERY),
        next: Vec::new(),
    }
}
