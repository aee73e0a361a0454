//! `plan` for a terminal: when it stops fitting, a few months, what wins more.

use super::columns::{Column, lines};
use super::predict::{heading, judged};
use super::{LINES, Paint, caution, entry, warnings};
use crate::document::{Document, MonthResult, PlanChangeResult, PlanResult};
use crate::number::{bytes, digits, duration, duration_range, level, percent};

/// Months that are shown.
const MOST_MONTHS: usize = 7;
/// Changes that are shown.
const MOST_CHANGES: usize = 6;

pub(crate) fn plan(document: &Document<PlanResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    let answer = entry("Answer", &result.answer);
    out.push_str(&answer.replacen("Answer", &paint.strong("Answer"), 1));
    out.push_str(&entry("Growth", &growth(result)));
    out.push_str(&months(result, paint));
    out.push_str(&changes(result, paint));
    if let Some(full) = &result.disk_full {
        out.push_str(&caution(paint, "Disk", &format!("month {}: {}", full.month, full.what)));
    }
    for requirement in &result.requirements {
        out.push_str(&judged(requirement, paint));
    }
    out.push_str(&entry("Certainty", &result.rests_on(document.replications, document.seed)));
    let room = LINES.saturating_sub(out.lines().count());
    if room > 0 || paint.whole {
        out.push_str(&warnings(&document.warnings, room, paint));
    }
    out
}

pub(crate) fn growth(result: &PlanResult) -> String {
    let growth = &result.growth;
    let share = |share: f64| digits(share * 100.0, 3);
    let mut text = format!("{} % a month", share(growth.per_month));
    if growth.high_per_month > growth.low_per_month {
        let (low, high) = (share(growth.low_per_month), share(growth.high_per_month));
        text.push_str(&format!(", {low} to {high} % in nine cases of ten"));
    }
    if let Some(source) = &growth.source {
        text.push_str(&format!(" ({source})"));
    }
    text
}

/// Every third month, or fewer; the one in which it stops in any case.
fn shown(result: &PlanResult, whole: bool) -> Vec<&MonthResult> {
    let last = result.months.len().saturating_sub(1);
    let stop = result.stops_fitting.month.map(|month| month as usize);
    let until = stop.map_or(last, |stop| (stop + 3).min(last));
    let mut stride = 3;
    while !whole && until / stride + 2 > MOST_MONTHS {
        stride *= 2;
    }
    let until = if whole { last } else { until };
    let is_shown = |at: usize| at.is_multiple_of(stride) || Some(at) == stop;
    (0..=until).filter(|at| is_shown(*at)).filter_map(|at| result.months.get(at)).collect()
}

fn months(result: &PlanResult, paint: Paint) -> String {
    let headings =
        ["month", "size", result.operation, &format!("{} range", level(result.level)), "fits"];
    let mut cells = vec![headings.map(str::to_string).to_vec()];
    for month in shown(result, paint.whole) {
        let range = month.low_seconds.zip(month.high_seconds);
        cells.push(vec![
            month.month.to_string(),
            bytes(month.size_bytes),
            month.median_seconds.map_or_else(|| "too large".to_string(), duration),
            range.map_or_else(String::new, |(low, high)| duration_range(low, high)),
            percent(month.probability_fits),
        ]);
    }
    let columns = [Column::Right; 5];
    let mut lines = lines(&columns, &cells, None);
    let stop = result.stops_fitting.month;
    for (line, month) in lines.iter_mut().skip(1).zip(shown(result, paint.whole)) {
        if Some(month.month) == stop {
            line.push_str("  <- stops fitting");
        }
    }
    lines.join("\n") + "\n"
}

/// `+12`, `+44 or more`.
pub(crate) fn won(change: &PlanChangeResult) -> String {
    let more = if change.stops_fitting.month.is_none() { " or more" } else { "" };
    format!("+{}{more}", change.months_won)
}

fn changes(result: &PlanResult, paint: Paint) -> String {
    if result.changes.is_empty() {
        let none = "none that is tried here wins a month";
        return match result.stops_fitting.month {
            Some(_) => entry("Changes", none),
            None => String::new(),
        };
    }
    let mut cells = vec![["costs", "months", "change"].map(str::to_string).to_vec()];
    let most = if paint.whole { usize::MAX } else { MOST_CHANGES };
    for change in result.changes.iter().take(most) {
        cells.push(vec![change.cost.to_string(), won(change), change.what.clone()]);
    }
    let columns = [Column::Left, Column::Left, Column::Yielding(20)];
    lines(&columns, &cells, None).join("\n") + "\n"
}
