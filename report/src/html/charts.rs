//! The charts of a page, each in light and in dark: a style sheet shows the one that fits.

use super::markup::{Markup, table, tag};
use super::{ArticleEvidence, PageResult};
use crate::Document;
use crate::document::{ExplainedOperation, PlanResult};
use crate::number::{duration, duration_range, level};
use crate::plot::{
    DistributionChart, GrowthChart, KnobChart, KnobPoint, Look, MeasuredChart, MeasuredRow, Origin,
    PlotResult, Size, Theme, svg,
};

/// Pixels of a chart: a third of a page of A4.
const SIZE: Size = Size { width: 720, height: 360 };
/// A number of buffers is enough if its duration is so near the best.
const KNEE: f64 = 0.02;

/// Nights of a line of a table.
const A_LINE: usize = 8;

/// Where the charts of a page come from.
pub(super) fn origin(document: &Document<PageResult>) -> Origin {
    let result = &document.result;
    Origin {
        scenario: crate::text::cut(&result.scenario, super::NAME),
        // The heading of the page says it, and assignments stand in the command.
        title: String::new(),
        set: Vec::new(),
        operation: "backup",
        level: result.prediction.level,
        nights: document.replications,
        seed: document.seed,
        version: document.tool.version,
    }
}

/// The durations of all nights.
pub(super) fn distribution(origin: &Origin, result: &PageResult) -> Markup {
    let nights = &result.nights.backup_seconds;
    if nights.len() < 2 {
        return Markup::new();
    }
    let backup = result.prediction.backup;
    let chart = DistributionChart {
        nights_seconds: nights.clone(),
        seconds: backup.seconds,
        low_seconds: backup.low_seconds,
        high_seconds: backup.high_seconds,
    };
    let range = duration_range(backup.low_seconds, backup.high_seconds);
    let caption = format!(
        "Durations of the backup over {}; {} of them take {range}",
        super::nights(u32::try_from(nights.len()).unwrap_or(u32::MAX)),
        level(result.prediction.level)
    );
    let result = PlotResult::new(origin.clone(), chart);
    super::figure::figure(&caption, drawn(&result), night_by_night(nights))
}

/// The duration of every night, a few nights a line.
fn night_by_night(nights: &[f64]) -> Markup {
    let line = |(index, some): (usize, &[f64])| {
        let first = index * A_LINE + 1;
        let mut cells = vec![format!("{first} to {}", first + some.len() - 1)];
        cells.extend(some.iter().map(|seconds| duration(*seconds)));
        cells.resize(A_LINE + 1, String::new());
        cells
    };
    let rows: Vec<Vec<String>> = nights.chunks(A_LINE).enumerate().map(line).collect();
    let mut headings = vec!["nights"];
    headings.resize(A_LINE + 1, "");
    table(&headings, 1, &rows)
}

/// The duration by number of buffers.
pub(super) fn knee(origin: &Origin, backup: &ExplainedOperation) -> Markup {
    let point = |point: &crate::document::KneePointResult| KnobPoint {
        setting: point.buffer_count.to_string(),
        number: Some(f64::from(point.buffer_count)),
        seconds: Some(point.seconds),
        low_seconds: None,
        high_seconds: None,
        buffer_memory_bytes: Some(point.buffer_memory_bytes),
        error: None,
    };
    if backup.knee.points.len() < 2 {
        return Markup::new();
    }
    let chart = KnobChart {
        path: "backup.buffer_count".to_string(),
        present: Some(backup.buffer_count.to_string()),
        knee: Some(backup.knee.buffer_count.to_string()),
        knee_threshold: KNEE,
        is_size: false,
        points: backup.knee.points.iter().map(point).collect(),
        measured: Vec::new(),
    };
    drawn(&PlotResult::new(origin.clone(), chart))
}

/// Measured against fitted.
pub(super) fn measured(origin: &Origin, article: Option<&ArticleEvidence>) -> Markup {
    let Some(article) = article else { return Markup::new() };
    let row = |row: &super::EvidenceRow| MeasuredRow {
        set: article.id.clone(),
        row: row.row.clone(),
        operation: row.operation.to_string(),
        measured_seconds: row.measured_seconds,
        predicted_seconds: row.fitted_seconds,
        low_seconds: row.fitted_seconds,
        high_seconds: row.fitted_seconds,
    };
    let chart = MeasuredChart { rows: article.rows.iter().map(row).collect() };
    let origin = Origin { scenario: article.id.clone(), ..origin.clone() };
    drawn(&PlotResult::new(origin, chart))
}

/// Growth against the window.
pub(super) fn growth(origin: &Origin, plan: &PlanResult) -> Markup {
    let origin = Origin { operation: plan.operation, ..origin.clone() };
    drawn(&PlotResult::new(origin, GrowthChart::from(plan)))
}

/// A chart in both themes; nothing where it cannot be drawn.
fn drawn(result: &PlotResult) -> Markup {
    let themed = |theme: Theme, class: &str| {
        let look = Look { size: SIZE, theme, title: None };
        let text = svg(result, &look).ok()?;
        Some(tag("div", &[("class", class)], Markup::new().raw(&text)))
    };
    let both = themed(Theme::Light, "chart light").zip(themed(Theme::Dark, "chart dark"));
    both.map_or_else(Markup::new, |(light, dark)| light.line().and(dark))
}
