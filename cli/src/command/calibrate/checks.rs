//! What `calibrate` refuses before any work is done.

use std::fs;
use std::path::{Path, PathBuf};

use bakcast_calibration::MeasuredRun;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{self as scenario, Loaded, ScenarioOrigin};

use crate::args::{Calibrate, GlobalOptions, QuestionChoice};
use crate::exit::{Exit, Failure};
use crate::output::Outputs;

/// Options of predictions that a fit does not have, and those that exclude each other.
pub(super) fn refuse_what_has_no_meaning(
    arguments: &Calibrate,
    global: &GlobalOptions,
) -> Result<(), Failure> {
    if (global.level - PredictOptions::default().level).abs() > 1e-9 {
        let text = "the intervals of calibrate hold 90 % always: leave --level out, and give it to \
                    predict with the fitted scenario";
        return Err(Failure::usage(text));
    }
    if global.precision.is_some() || global.replications_max.is_some() {
        let text = "calibrate simulates the same nights at every point: leave --precision out, and \
                    give --replications N for more of them";
        return Err(Failure::usage(text));
    }
    let both = arguments.free.iter().find(|free| arguments.fix.contains(&free.path));
    match both {
        Some(free) => Err(Failure::usage(format!(
            "`{}` is given to --free and to --fix: leave one of them out",
            scenario::shown_word(&free.path)
        ))),
        None => Ok(()),
    }
}

/// A file that is read, or a table with measurements in it, is never written over.
pub(super) fn refuse_to_overwrite(
    arguments: &Calibrate,
    origin: &ScenarioOrigin,
    outputs: &Outputs,
) -> Result<(), Failure> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let runs = arguments.runs.iter().map(|path| (path, "a table of --runs"));
    let scenario = match origin {
        ScenarioOrigin::File(path) => Some((path, "the scenario")),
        ScenarioOrigin::Shipped(_) => None,
    };
    let inputs: Vec<(PathBuf, &str)> = runs
        .chain(scenario)
        .filter_map(|(path, what)| real(path).map(|path| (path, what)))
        .collect();
    for file in outputs.files() {
        let Some(target) = real(file) else { continue };
        let what = match inputs.iter().find(|(input, _)| *input == target) {
            Some((_, what)) => what,
            None if target.is_file() && MeasuredRun::any_in(&target) => {
                "a table with results filled in"
            }
            None => continue,
        };
        return Err(Failure::usage(format!(
            "-o would overwrite `{}`, which is {what}: write to another file",
            file.display()
        )));
    }
    Ok(())
}

/// A question about what the scenario does not do.
pub(super) fn refuse_no_verification(
    arguments: &Calibrate,
    loaded: &Loaded,
) -> Result<(), Failure> {
    let asked = arguments.design.is_some() && arguments.question == QuestionChoice::Verify;
    if !asked || loaded.resolved.verification.is_some() {
        return Ok(());
    }
    let written = serde_json::to_value(&loaded.scenario).unwrap_or_default();
    let off = written.pointer("/verify/enabled") == Some(&serde_json::Value::Bool(false));
    let why = if off {
        "its verification is off; switch it on with --set verify.enabled=true"
    } else {
        "a stripe of it goes to NUL, which cannot be verified; ask --question backup"
    };
    let text = format!("--question verify: the scenario has no verification: {why}");
    Err(Failure::new(Exit::Input, text))
}

/// A misspelt knob would be passed over in silence.
pub(super) fn known(path: &str, option: &str) -> Result<(), Failure> {
    if scenario::find_knob(path).is_some() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{option}: there is no knob `{}`; `bakcast knobs` lists all",
        scenario::shown_word(path)
    )))
}
