//! `plot`: pictures of a scenario, and the numbers behind them.

mod files;
mod measured;
mod time;
mod varied;

use std::sync::Mutex;

use bakcast_report::document::PlanResult;
use bakcast_report::plot::{
    Chart, DistributionChart, GrowthChart, Look, Origin, PlotResult, StagesChart,
};
use bakcast_report::{Document, Warning};
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_whatif::{Ahead, Configuration, Growth, Operation, Ran, Runner, Subject, plan};

use super::opened::Opened;
use super::{as_run, given, run_of, run_warnings};
use crate::args::{GlobalOptions, Plot, PlotKind};
use crate::exit::Failure;
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;

/// Nights that a picture takes, if nothing else was asked for: as many as it shows of them.
fn nights(kind: PlotKind, usual: u32) -> u32 {
    match kind {
        PlotKind::Heat | PlotKind::Pareto => 8,
        PlotKind::Bottleneck => 4,
        PlotKind::Distribution => 200,
        PlotKind::Growth => 21,
        PlotKind::Time => 1,
        _ => usual,
    }
}

pub(super) fn run(
    arguments: &Plot,
    global: &GlobalOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats_or_pictures()?;
    let mut options = global.options()?;
    if global.replications.is_none() && global.precision.is_none() {
        // All tables at once are many rows.
        let many = arguments.kind == PlotKind::Measured && arguments.choice.scenario.is_none();
        let usual = if many { 8 } else { options.replications };
        options.replications = nights(arguments.kind, usual);
    }
    let look = Look {
        size: arguments.size,
        theme: arguments.theme.into(),
        title: arguments.title.clone(),
    };
    files::checked(arguments, outputs)?;
    let document = match arguments.kind {
        PlotKind::Measured => measured::document(arguments, &options)?,
        _ => of_scenario(arguments, &options, outputs)?,
    };
    files::reply(arguments, outputs, &document, &look)
}

/// As the command is written, for messages.
const fn command(kind: PlotKind) -> &'static str {
    match kind {
        PlotKind::Knob => "plot knob",
        PlotKind::Heat => "plot heat",
        PlotKind::Stages => "plot stages",
        PlotKind::Time => "plot time",
        PlotKind::Distribution => "plot distribution",
        PlotKind::Measured => "plot measured",
        PlotKind::Bottleneck => "plot bottleneck",
        PlotKind::Pareto => "plot pareto",
        PlotKind::Growth => "plot growth",
    }
}

/// What is drawn, the nights it took, and the scenario.
struct Drawn {
    chart: Chart,
    nights: u32,
    loaded: Loaded,
}

/// A picture of a scenario.
struct Task<'a> {
    arguments: &'a Plot,
    options: &'a PredictOptions,
    opened: &'a Opened,
    operation: Operation,
    watched: bool,
}

impl Task<'_> {
    fn runner(&self, asked: Asked) -> Runner<'_> {
        let (document, variant, sets) = self.opened.parts();
        Runner::new(document, variant, sets, *self.options, asked)
    }

    /// Runs configurations, with a bar for whoever watches.
    fn run(
        &self,
        runner: &Runner<'_>,
        all: &[Configuration],
    ) -> Result<Vec<bakcast_whatif::Outcome>, Failure> {
        let interrupt = Interrupt::listen();
        let bar = Mutex::new(Bar::with_time_left(self.watched));
        let go_on = |done, of| {
            if let Ok(bar) = bar.lock() {
                bar.done("drawing", (0, done, of));
            }
            !interrupt.is_asked()
        };
        runner
            .run(all, &go_on)
            .map_err(|stopped| bakcast_whatif::CompareError::from(stopped).into())
    }

    /// The scenario as it is.
    fn present(&self, asked: Asked) -> Result<std::sync::Arc<Ran>, Failure> {
        let runner = self.runner(asked);
        let mut outcomes = self.run(&runner, &[Configuration::default()])?;
        let outcome = outcomes.pop().unwrap_or_else(|| unreachable!("it was just run"));
        let ran = outcome.map_err(bakcast_whatif::CompareError::Reference)?;
        if ran.nights(self.operation).is_none() {
            return Err(bakcast_whatif::CompareError::NoOperation(self.operation).into());
        }
        Ok(ran)
    }
}

fn of_scenario(
    arguments: &Plot,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Document<PlotResult>, Failure> {
    varied::check(arguments)?;
    let opened = Opened::new(command(arguments.kind), &arguments.choice)?;
    let loaded = opened.load()?;
    let usual = match arguments.kind {
        PlotKind::Growth if loaded.resolved.verification.is_some() => Operation::Total,
        _ => Operation::Backup,
    };
    let operation = arguments.operation.map_or(usual, Operation::from);
    let watched = outputs.watched();
    let task = Task { arguments, options, opened: &opened, operation, watched };
    let drawn = match arguments.kind {
        PlotKind::Knob => varied::knob(&task)?,
        PlotKind::Heat | PlotKind::Bottleneck => varied::grid(&task)?,
        PlotKind::Pareto => varied::pareto(&task)?,
        PlotKind::Stages => stages(&task)?,
        PlotKind::Time => time::time(&task)?,
        PlotKind::Distribution => distribution(&task)?,
        PlotKind::Growth => growth(&task)?,
        PlotKind::Measured => unreachable!("it is of no scenario"),
    };
    let options = as_run(options, drawn.nights);
    let origin = origin(&loaded, &task, &options);
    let run = run_of("plot", &options, &drawn.loaded);
    let mut warnings: Vec<Warning> = loaded.resolved.warnings.iter().map(Warning::from).collect();
    if matches!(arguments.kind, PlotKind::Knob | PlotKind::Growth | PlotKind::Distribution) {
        warnings.extend(run_warnings(&options, None));
    }
    Ok(Document::new(run, warnings, PlotResult::new(origin, drawn.chart)))
}

fn origin(loaded: &Loaded, task: &Task<'_>, options: &PredictOptions) -> Origin {
    Origin {
        scenario: loaded.name.clone(),
        title: loaded.resolved.title.clone(),
        set: given(&task.arguments.choice),
        operation: task.operation.name(),
        level: options.level,
        nights: options.replications,
        seed: options.seed,
        version: env!("CARGO_PKG_VERSION"),
    }
}

fn drawn(chart: impl Into<Chart>, ran: &Ran) -> Drawn {
    let nights = ran.prediction.replications();
    Drawn { chart: chart.into(), nights, loaded: ran.loaded.clone() }
}

fn stages(task: &Task<'_>) -> Result<Drawn, Failure> {
    let ran = task.present(Asked::Limits)?;
    Ok(drawn(StagesChart::new(&ran.prediction), &ran))
}

fn distribution(task: &Task<'_>) -> Result<Drawn, Failure> {
    let ran = task.present(Asked::Durations)?;
    let chart = DistributionChart::new(&ran, task.operation);
    let missing = bakcast_whatif::CompareError::NoOperation(task.operation);
    Ok(drawn(chart.ok_or(missing)?, &ran))
}

/// The window is twice what it takes now, in round figures, if none was given.
fn growth(task: &Task<'_>) -> Result<Drawn, Failure> {
    let ran = task.present(Asked::Durations)?;
    let now = ran.nights(task.operation).unwrap_or_default();
    let mean = now.iter().sum::<f64>() / (now.len() as f64).max(1.0);
    let (low, high) = task.arguments.growth.bounds;
    let per_month = task.arguments.growth.middle();
    let (document, variant, sets) = task.opened.parts();
    let subject = Subject { document, variant, sets, options: *task.options };
    let ahead = Ahead {
        window_seconds: task.arguments.window.unwrap_or_else(|| rounded(2.0 * mean)),
        operation: task.operation,
        growth: Growth { per_month, low, high },
        months: task.arguments.months,
        probability: 0.5 + 0.5 * task.options.level,
        changes: false,
        routine: None,
    };
    let interrupt = Interrupt::listen();
    let found = plan(&subject, &ahead, &|_, _| !interrupt.is_asked())?;
    let result = PlanResult::new(&found, task.options.level, None);
    Ok(drawn(GrowthChart::from(&result), &ran))
}

/// Two digits of the largest unit that people would say it in.
fn rounded(seconds: f64) -> f64 {
    let units = [86_400.0, 3600.0, 60.0, 1.0, 0.01];
    let unit = units.into_iter().find(|unit| seconds >= *unit).unwrap_or(0.001);
    let half = unit / 2.0;
    (seconds / half).round().max(1.0) * half
}
