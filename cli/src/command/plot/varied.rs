//! Pictures over values of knobs.

use bakcast_calibration::{Article, Quantity, articles};
use bakcast_report::plot::{GridChart, KnobChart, MeasuredPoint, ParetoChart, Shows, value_of};
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::Asked;
use bakcast_whatif::{
    Configuration, Design, DesignError, MOST_COMPARED, Operation, Runner, Vary, VaryError,
};

use super::{Drawn, Task, drawn};
use crate::args::{Plot, PlotKind};
use crate::exit::Failure;

/// What is varied if nothing was given.
fn usual(kind: PlotKind) -> &'static [&'static str] {
    match kind {
        PlotKind::Knob => &["backup.buffer_count=4..512*2"],
        PlotKind::Heat => &["backup.buffer_count=4..256*2", "backup.transfer_size=256KiB..4MiB*2"],
        PlotKind::Bottleneck => {
            &["backup.buffer_count=4..64*2", "processor.logical_processors=1..16*2"]
        }
        PlotKind::Pareto => {
            &["backup.buffer_count=4..128*2", "backup.transfer_size=256KiB..4MiB*2"]
        }
        _ => &[],
    }
}

/// As many knobs as the picture has directions.
pub(super) fn check(arguments: &Plot) -> Result<(), Failure> {
    let (least, most, words) = match arguments.kind {
        PlotKind::Knob => (1, 1, "one knob"),
        PlotKind::Heat | PlotKind::Bottleneck => (2, 2, "two knobs"),
        PlotKind::Pareto => (1, 4, "one to four knobs"),
        _ => (0, 0, "no knob"),
    };
    let count = arguments.vary.len();
    if count == 0 || (least..=most).contains(&count) {
        return Ok(());
    }
    Err(Failure::usage(format!("this picture is over {words}, not {count}: see --vary")))
}

fn axes(arguments: &Plot) -> Result<Vec<Vary>, Failure> {
    let own: Vec<&str> = arguments.vary.iter().map(String::as_str).collect();
    let specs = if own.is_empty() { usual(arguments.kind).to_vec() } else { own };
    let axes: Result<Vec<Vary>, VaryError> = specs.into_iter().map(Vary::parse).collect();
    Ok(axes?)
}

fn design(axes: &[Vary]) -> Result<Design, Failure> {
    Design::grid(axes.to_vec(), MOST_COMPARED).map_err(|error| match error {
        DesignError::TooMany { count, most } => Failure::usage(format!(
            "{count} settings are more than {most}, which is all that is drawn"
        )),
        other => other.into(),
    })
}

fn configurations(design: &Design) -> Vec<Configuration> {
    (0..design.count()).map(|index| design.configuration(index)).collect()
}

pub(super) fn knob(task: &Task<'_>) -> Result<Drawn, Failure> {
    let axes = axes(task.arguments)?;
    let design = design(&axes)?;
    let present = task.present(Asked::Durations)?;
    let runner = task.runner(Asked::Durations);
    let outcomes = task.run(&runner, &configurations(&design))?;
    let measured = measured(task, &runner, &axes[0], &present.loaded.resolved);
    let chart = KnobChart::new(&axes[0], &outcomes, &present, task.operation, measured);
    Ok(drawn(chart, &present))
}

pub(super) fn grid(task: &Task<'_>) -> Result<Drawn, Failure> {
    let axes = axes(task.arguments)?;
    let design = design(&axes)?;
    let (shows, asked) = match task.arguments.kind {
        PlotKind::Bottleneck => (Shows::Bottleneck, Asked::Limits),
        _ => (Shows::Duration, Asked::Durations),
    };
    let present = task.present(Asked::Durations)?;
    let runner = task.runner(asked);
    let outcomes = task.run(&runner, &configurations(&design))?;
    let pair = (&axes[0], &axes[1]);
    let chart = GridChart::new(shows, pair, &outcomes, &present.loaded, task.operation);
    Ok(drawn(chart, &present))
}

pub(super) fn pareto(task: &Task<'_>) -> Result<Drawn, Failure> {
    let axes = axes(task.arguments)?;
    let design = design(&axes)?;
    let present = task.present(Asked::Durations)?;
    let runner = task.runner(Asked::Durations);
    let all = configurations(&design);
    let outcomes = task.run(&runner, &all)?;
    let labels = all.into_iter().map(|configuration| configuration.labels);
    let rows: Vec<_> = labels.zip(outcomes).collect();
    let paths = design.paths().map(str::to_string).collect();
    Ok(drawn(ParetoChart::new(paths, &rows, &present, task.operation), &present))
}

/// What the shipped tables have measured of the scenario with other values of one knob: rows whose
/// settings, but for that knob, are those of the scenario.
fn measured(
    task: &Task<'_>,
    runner: &Runner<'_>,
    vary: &Vary,
    present: &Resolved,
) -> Vec<MeasuredPoint> {
    let choice = &task.arguments.choice;
    let name = choice.scenario.as_deref().unwrap_or_default();
    let name = name.split(':').next().unwrap_or_default();
    let quantity = match task.operation {
        Operation::Backup => Quantity::Backup,
        Operation::Verify => Quantity::Verify,
        Operation::Restore => Quantity::Restore,
        Operation::Total => Quantity::Total,
    };
    let is_shipped = choice.set.is_empty() && choice.sql.is_none();
    let own = |article: &&Article| article.scenario == name && article.embedded.is_none();
    let Some(article) = articles().iter().filter(|_| is_shipped).find(own) else {
        return Vec::new();
    };
    let rows = article.measurements.iter().filter(|row| row.quantity == quantity);
    rows.filter_map(|row| {
        let variant = Some(row.row.clone());
        let variant = runner.load(&Configuration { variant, ..Configuration::default() }).ok()?;
        let (words, number, _) = value_of(&variant, &vary.path)?;
        let one = Vary::parse(&format!("{}={words}", vary.path)).ok()?;
        let one = Design::grid(vec![one], 1).ok()?.configuration(0);
        let with_its_value = runner.load(&one).ok()?;
        let own = value_of(&with_its_value, &vary.path)?;
        let is_same = like(&with_its_value.resolved) == like(&variant.resolved);
        let is_present = like(present) == like(&variant.resolved);
        (is_same || is_present).then(|| MeasuredPoint {
            setting: vary
                .settings
                .iter()
                .find(|setting| setting.label == own.0)
                .map_or(words, |setting| setting.label.clone()),
            number,
            measured_seconds: row.value,
            row: row.row.clone(),
        })
    })
    .collect()
}

/// A scenario without what does not change how it runs.
fn like(resolved: &Resolved) -> Resolved {
    let mut like = resolved.clone();
    like.name = String::new();
    like.title = String::new();
    like.source = None;
    like.warnings = Vec::new();
    // Each of them has the name of its scenario; those of one file agree as the scenarios do.
    like.members = None;
    like
}
