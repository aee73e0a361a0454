//! `calibrate`: a scenario fitted to a user's own runs, and runs that would tell more.

use bakcast_calibration::{
    CalibrateOptions, Calibration, Design, FitOptions, FreeKnob, MeasuredRun, Question, RunsError,
    calibrate, design, read_runs,
};
use bakcast_report::document::{CalibrateResult, DesignResult, FitResult};
use bakcast_report::text::quoted;
use bakcast_report::{Document, Warning};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{self as scenario, Loaded, Reference};

use super::{run_of, usage};
use crate::args::{Calibrate, FreeArgument, GlobalOptions};
use crate::exit::Failure;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;

/// Draws below which intervals rest on few points.
const FEW_DRAWS: f64 = 20.0;
/// A scatter so many times that expected is worth a remark.
const MUCH: f64 = 2.0;

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
    refuse_what_has_no_meaning(global)?;
    let Reference { origin, variant } = Reference::parse(name);
    let document = scenario::Document::open(&origin)?;
    let loaded = document.load(variant.as_deref(), &arguments.set)?;
    let options = options(arguments, global, &loaded)?;
    let runs = runs(arguments)?;
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
    let result =
        CalibrateResult { next: next(arguments, name, writes_scenario.as_deref()), ..result };
    let warnings = warnings(&loaded, found.as_ref(), &options);
    let run = run_of("calibrate", &options.predict, &loaded);
    let fitted = found.as_ref().map(|found| found.fitted_scenario.as_str());
    outputs.reply_with_scenario(&Document::new(run, warnings, result), fitted)
}

/// Options of predictions that a fit does not have.
fn refuse_what_has_no_meaning(global: &GlobalOptions) -> Result<(), Failure> {
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
    Ok(())
}

fn options(
    arguments: &Calibrate,
    global: &GlobalOptions,
    loaded: &Loaded,
) -> Result<CalibrateOptions, Failure> {
    let nights = global.replications.unwrap_or(CalibrateOptions::REPLICATIONS);
    let predict = PredictOptions { replications: nights, ..global.options()? };
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

/// A misspelt knob would be passed over in silence.
fn known(path: &str, option: &str) -> Result<(), Failure> {
    if scenario::find_knob(path).is_some() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{option}: there is no knob `{}`; `bakcast knobs` lists all",
        scenario::shown_word(path)
    )))
}

/// All runs of all files, or all that is wrong with them.
fn runs(arguments: &Calibrate) -> Result<Vec<MeasuredRun>, Failure> {
    let (mut runs, mut problems) = (Vec::new(), Vec::new());
    for path in &arguments.runs {
        match read_runs(path) {
            Ok(more) => runs.extend(more),
            Err(RunsError::Problems(more)) => problems.extend(more),
            Err(error) => problems.push(error.to_string()),
        }
    }
    if problems.is_empty() {
        return Ok(runs);
    }
    Err(bakcast_calibration::CalibrationError::from(RunsError::Problems(problems)).into())
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

/// What to type next: write the fitted scenario if that was not done, then predict with it.
fn next(arguments: &Calibrate, name: &str, written: Option<&str>) -> Vec<Vec<String>> {
    let Reference { variant, .. } = Reference::parse(name);
    let of_variant = |file: &str| match &variant {
        Some(variant) => format!("{file}:{variant}"),
        None => file.to_string(),
    };
    let calibrate = |more: &[String]| {
        let mut words = vec![format!("bakcast calibrate --scenario {}", quoted(name))];
        words.extend(arguments.set.iter().map(|set| format!("--set {}", quoted(&set.to_string()))));
        words.extend(more.iter().cloned());
        words
    };
    let predict = |file: &str| vec![format!("bakcast predict {}", quoted(&of_variant(file)))];
    if arguments.runs.is_empty() {
        let count = arguments.design.unwrap_or(1);
        let question = Question::from(arguments.question).name();
        return vec![
            calibrate(&[
                format!("--design {count}"),
                format!("--question {question}"),
                "-o runs.csv".to_string(),
            ]),
            calibrate(&["--runs runs.csv".to_string(), "-o fitted.toml".to_string()]),
        ];
    }
    if let Some(file) = written {
        return vec![predict(file)];
    }
    let files = arguments.runs.iter().map(|path| quoted(&path.display().to_string()));
    let mut more: Vec<String> = files.map(|file| format!("--runs {file}")).collect();
    more.push("-o fitted.toml".to_string());
    vec![calibrate(&more), predict("fitted.toml")]
}

/// Warnings about the scenario, then about the fit.
fn warnings(
    loaded: &Loaded,
    found: Option<&Calibration>,
    options: &CalibrateOptions,
) -> Vec<Warning> {
    let mut all: Vec<Warning> = loaded.resolved.warnings.iter().map(Warning::from).collect();
    let Some(found) = found else { return all };
    let mut add = |code: &'static str, text: String, hint: &str| {
        all.push(Warning { code, text, hint: hint.to_string() });
    };
    if found.configurations == 1 {
        let text = "all runs are of one configuration: they scale the prediction of it, and say \
                    little about any other"
            .to_string();
        add("one-configuration", text, "--design 4 says which runs would tell more");
    }
    if found.effective_draws < FEW_DRAWS {
        let text = format!("the intervals rest on {:.0} draws that count", found.effective_draws);
        add("few-draws", text, "fix what is known (--fix), or expect it closer (--free)");
    }
    if found.error > MUCH * options.error {
        let text = format!(
            "durations differ by {:.0} % from the fit, {:.0} % was expected",
            100.0 * found.error,
            100.0 * options.error
        );
        add("scatter", text, "look at the worst rows: is a setting of theirs missing?");
    }
    if found.stopped == bakcast_calibration::Stopped::Budget {
        let text = "the search ended before it had settled".to_string();
        add("budget-spent", text, "fix what is known (--fix), or try another --seed");
    }
    all
}
