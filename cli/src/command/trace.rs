//! `trace`: one run, event by event.

mod sink;

use bakcast_models::outcome::Outcome;
use bakcast_models::pipeline::watch::Watcher;
use bakcast_report::document::{SCHEMA_VERSION, TraceResult, TracedOperation};
use bakcast_report::number::{bytes, duration};
use bakcast_report::timeline::ChromeHead;
use bakcast_report::{Document, Format, Tool, Warning};
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{OneNight, PredictOptions};
use bakcast_whatif::Operation;

use self::sink::{Estimate, Form, Job};
use super::opened::Opened;
use super::{given, run_of};
use crate::args::Trace;
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};

/// What a viewer in a browser can be expected to open.
const LARGE_BYTES: u64 = 1 << 30;
/// What nobody can mean.
const MOST_BYTES: u64 = 16 << 30;

/// One of the operations that are traced: unwatched, to know what is to come.
struct Step {
    operation: Operation,
    outcome: Outcome,
}

/// What is to be traced.
struct Plan<'a> {
    night: OneNight<'a>,
    backup: Outcome,
    steps: Vec<Step>,
    thin_ns: u64,
    scenario: String,
}

pub(super) fn run(
    arguments: &Trace,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    let formats = outputs.formats()?;
    let form = |format: &Format| Form::of(*format);
    let takes: Vec<Option<Form>> = formats.iter().map(form).collect();
    let is_taken = takes.iter().any(Option::is_some);
    let printed = if is_taken { None } else { Form::of(outputs.format()) };
    let forms = || takes.iter().copied().chain([printed]).flatten();
    if arguments.thin.is_some() && is_taken && forms().all(|form| form == Form::Transfers) {
        return Err(Failure::usage(
            "--thin is for a trace (-o FILE.json): a table has every transfer; leave --thin out",
        ));
    }
    let opened = Opened::new("trace", &arguments.choice)?;
    let loaded = opened.load()?;
    let plan = plan(arguments, options, &loaded)?;
    let options = PredictOptions { replications: 1, ..*options };
    let inputs = loaded.resolved_inputs();
    let mut warnings: Vec<Warning> = loaded.resolved.warnings.iter().map(Warning::from).collect();
    let estimate = Estimate::new(&plan, &head(&options, &inputs, &warnings))?;
    let has_trace = forms().any(|form| form == Form::Trace);
    warnings.extend(judge(&estimate, has_trace, arguments.thin)?);
    let mut result = TraceResult {
        scenario: plan.scenario.clone(),
        title: loaded.resolved.title.clone(),
        set: given(&arguments.choice),
        sql: arguments.choice.sql.clone(),
        operation: Operation::from(arguments.operation).name(),
        night: u64::from(arguments.night),
        operations: plan.steps.iter().map(Step::traced).collect(),
        thin_seconds: arguments.thin,
        estimated_trace_bytes: estimate.trace_bytes,
        estimated_table_bytes: estimate.table_bytes,
        files: Vec::new(),
    };
    let job = Job::new(&plan, head(&options, &inputs, &warnings), outputs.watched());
    if let Some(form) = printed {
        return printed_reply(&job, form, &result, outputs, &warnings);
    }
    for (path, form) in outputs.files().iter().zip(&takes) {
        if let Some(form) = form {
            let file = job.write(path, *form, &result)?;
            result.files.push(file);
        }
    }
    let run = run_of("trace", &options, &loaded);
    let written = |index: usize| takes[index].is_some();
    let mut reply = outputs.reply_beside(&Document::new(run, warnings, result), &written)?;
    reply.messages.extend(opened.messages());
    Ok(reply)
}

fn head<'a>(
    options: &PredictOptions,
    inputs: &'a serde_json::Value,
    warnings: &'a [Warning],
) -> ChromeHead<'a> {
    ChromeHead {
        display_time_unit: "ms",
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "bakcast", version: env!("CARGO_PKG_VERSION") },
        command: "trace",
        seed: options.seed,
        replications: options.replications,
        inputs,
        warnings,
    }
}

/// Standard output has it all; files have what would be printed otherwise.
fn printed_reply(
    job: &Job<'_>,
    form: Form,
    result: &TraceResult,
    outputs: &Outputs,
    warnings: &[Warning],
) -> Result<Reply, Failure> {
    if let Some(path) = outputs.files().first() {
        return Err(Failure::usage(format!(
            "`{}` would hold a summary while standard output has the run itself: give one of them",
            path.display()
        )));
    }
    job.print(form, result)?;
    // Beside a table warnings would go unseen; a trace has them.
    let messages = match form {
        Form::Trace => Vec::new(),
        Form::Transfers => {
            warnings.iter().map(|w| format!("warning: {}; {}", w.text, w.hint)).collect()
        }
    };
    let stdout = String::new();
    Ok(Reply { stdout, files: Vec::new(), messages, unmet: None, exit: Exit::Done, opens: None })
}

fn plan<'a>(
    arguments: &Trace,
    options: &PredictOptions,
    loaded: &'a Loaded,
) -> Result<Plan<'a>, Failure> {
    let resolved = &loaded.resolved;
    if resolved.night.is_some() {
        return Err(Failure::new(
            Exit::Input,
            "a night of many jobs is not simulated transfer by transfer, so that there is nothing \
             to trace; accepted: a scenario of one backup, with others `beside` it or not",
        ));
    }
    let night = OneNight::new(resolved, options, u64::from(arguments.night) - 1);
    let night = night.main_alone();
    let backup = night.backup()?;
    let missing = |what: &str, how: &str| {
        Failure::new(Exit::Input, format!("this scenario has no {what} to trace; {how}"))
    };
    let verify = || {
        let verify = night.verify(&backup)?;
        verify.ok_or_else(|| missing("verification", "use --operation backup"))
    };
    let of = |operation, outcome| Step { operation, outcome };
    let steps = match arguments.operation.into() {
        Operation::Backup => vec![of(Operation::Backup, backup.clone())],
        Operation::Verify => vec![of(Operation::Verify, verify()?)],
        Operation::Total => {
            vec![of(Operation::Backup, backup.clone()), of(Operation::Verify, verify()?)]
        }
        Operation::Restore => {
            let restore = night.restore(&backup)?;
            let how = "simulate one with --set restore.enabled=true";
            vec![of(Operation::Restore, restore.ok_or_else(|| missing("restore", how))?)]
        }
    };
    let thin_ns = (arguments.thin.unwrap_or(0.0) * 1e9).round() as u64;
    let scenario = loaded.resolved.name.clone();
    Ok(Plan { night, backup, steps, thin_ns, scenario })
}

/// Refuses a trace that nobody can mean, and warns of one that is hard to open.
fn judge(
    estimate: &Estimate,
    has_trace: bool,
    thin: Option<f64>,
) -> Result<Option<Warning>, Failure> {
    let size = estimate.trace_bytes;
    if !has_trace || size <= LARGE_BYTES {
        return Ok(None);
    }
    let more = duration(thin.unwrap_or(0.001) * 10.0).replace(' ', "");
    let hint = format!("use --thin {more}, or a smaller database: `--set volume.data.size=10GiB`");
    let about = bytes(size as f64);
    if size > MOST_BYTES {
        let most = bytes(MOST_BYTES as f64);
        return Err(Failure::new(
            Exit::Input,
            format!("the trace would be about {about}, more than {most}; {hint}"),
        ));
    }
    let text = format!("the trace is about {about}, more than a browser opens with ease");
    Ok(Some(Warning { code: "large-trace", text, hint }))
}

impl Step {
    fn traced(&self) -> TracedOperation {
        let Outcome { elapsed, read_bytes, written_bytes, stations, events, .. } = &self.outcome;
        let is_device = |name: &str| name != "processor" && name != "fixed cost";
        let devices = stations.iter().filter(|station| is_device(&station.name));
        TracedOperation {
            operation: self.operation.name(),
            elapsed_seconds: elapsed.as_seconds(),
            read_bytes: read_bytes.get(),
            written_bytes: written_bytes.get(),
            transfers: devices.map(|station| station.completions).sum(),
            events: *events,
        }
    }
}

impl Plan<'_> {
    /// Events to come.
    fn events(&self) -> u64 {
        self.steps.iter().map(|step| step.outcome.events).sum()
    }

    /// Runs an operation again and shows it; false if the watcher has given it up.
    fn show(&self, operation: Operation, watcher: &mut impl Watcher) -> Result<bool, Failure> {
        let outcome = match operation {
            Operation::Backup | Operation::Total => self.night.watch_backup(watcher)?,
            Operation::Verify => self.night.watch_verify(&self.backup, watcher)?,
            Operation::Restore => self.night.watch_restore(&self.backup, watcher)?,
        };
        Ok(outcome.is_some())
    }
}
