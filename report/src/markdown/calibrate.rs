//! `calibrate` as Markdown: parameters and runs as tables, proposed runs as a list.

use bakcast_calibration::{BACKUP_HISTORY_REMARK, Parameter};

use super::{escaped, table, warnings};
use crate::document::{CalibrateResult, DesignResult, Document, FigureResult, FitResult};
use crate::number::{duration, percent, signed_percent};
use crate::text::calibrate as calibrated;

pub(crate) fn calibrate(document: &Document<CalibrateResult>) -> String {
    let result = &document.result;
    let mut out = format!("**{}** ({})\n", escaped(&result.scenario), escaped(&result.title));
    if let Some(fit) = &result.fit {
        out.push_str(&fitted(fit));
    }
    if let Some(design) = &result.design {
        out.push_str(&proposed(design));
    }
    if let Some(query) = result.query {
        out.push_str(&format!("\nTheir times afterwards:\n\n```sql\n{query}\n```\n"));
        out.push_str(&format!("\n{BACKUP_HISTORY_REMARK}\n"));
    }
    out + &warnings(&document.warnings)
}

fn fitted(fit: &FitResult) -> String {
    let parameter = |p: &Parameter| {
        vec![
            calibrated::paths_of(p).join(", "),
            calibrated::value_of(p),
            calibrated::interval_of(p),
            calibrated::expected_of(p),
            calibrated::known(p).to_string(),
            p.prior_reason.clone(),
        ]
    };
    let headings =
        ["parameter", "value", "90 % interval", "expected", "", "where the expectation is from"];
    let parameters: Vec<_> = fit.parameters.iter().map(parameter).collect();
    let figure = |f: &FigureResult| {
        vec![
            f.row.run.clone(),
            f.row.quantity.name().to_string(),
            calibrated::value(f, f.row.measured),
            calibrated::value(f, f.row.predicted),
            signed_percent(f.row.relative_error),
            f.row.left_out.map_or_else(String::new, |(_, low, high)| {
                format!("{} to {}", calibrated::value(f, low), calibrated::value(f, high))
            }),
            calibrated::left_out(f),
        ]
    };
    let figures: Vec<_> = fit.rows.iter().map(figure).collect();
    let of_rows =
        ["run", "figure", "measured", "predicted", "error", "90 % range left out", "left out"];
    let mut out = format!(
        "\nFitted to {}. Error {}. Scatter: {}.\n\n{}",
        fit.fitted_to(),
        fit.errors(),
        fit.scatter(),
        // The reason is a text, the figures before it are numbers.
        table(&headings, headings.len(), &parameters)
    );
    let ties = fit.ties().into_iter();
    let telling = fit.telling().into_iter();
    let telling =
        telling.map(|(run, about)| format!("{} would be told by: {run}", about.join(", ")));
    let remarks: String =
        ties.chain(fit.unknown()).chain(telling).map(|r| format!("- {}.\n", escaped(&r))).collect();
    if !remarks.is_empty() {
        out.push_str(&format!("\n{remarks}"));
    }
    out.push_str(&format!("\n{}", table(&of_rows, 2, &figures)));
    out
}

fn proposed(design: &DesignResult) -> String {
    let mut out = format!(
        "\n{} runs that would tell most about {}, of {} considered. Doubt now: {}.\n",
        design.runs.len(),
        design.of_what(),
        design.considered,
        percent(design.doubt_before)
    );
    for (index, run) in design.runs.iter().enumerate() {
        out.push_str(&format!(
            "\n{}. {}: about {}, doubt then {}\n\n   ```sql\n",
            index + 1,
            escaped(&run.name),
            duration(run.expected_seconds),
            percent(run.doubt_after)
        ));
        run.statement.lines().for_each(|line| out.push_str(&format!("   {line}\n")));
        out.push_str("   ```\n");
    }
    out
}
