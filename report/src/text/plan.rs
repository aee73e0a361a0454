//! `plan` for a terminal: when it stops fitting, a few months, what wins more.

use super::columns::{Column, lines};
use super::predict::{heading, judged};
use super::{LINES, Paint, caution, entry, warnings};
use crate::document::{Document, MonthResult, PlanChangeResult, PlanResult, PlanSchedule};
use crate::number::{bytes, digits, duration, duration_range, level, percent};

/// Months that are shown.
const MOST_MONTHS: usize = 7;
/// Changes that are shown.
const MOST_CHANGES: usize = 6;
/// Of either, beside a schedule.
const MOST_BESIDE: usize = 4;

pub(crate) fn plan(document: &Document<PlanResult>, paint: Paint) -> String {
    let result = &document.result;
    let mut out = heading(&result.scenario, &result.title, paint);
    let answer = entry("Answer", &result.answer);
    out.push_str(&answer.replacen("Answer", &paint.strong("Answer"), 1));
    out.push_str(&entry("Growth", &growth(result)));
    if let Some(schedule) = &result.schedule {
        out.push_str(&kinds(result, schedule));
    }
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
    let most = if result.schedule.is_some() { MOST_BESIDE } else { MOST_MONTHS };
    let mut stride = 3;
    while !whole && until / stride + 2 > most {
        stride *= 2;
    }
    let until = if whole { last } else { until };
    let is_shown = |at: usize| at.is_multiple_of(stride) || Some(at) == stop;
    (0..=until).filter(|at| is_shown(*at)).filter_map(|at| result.months.get(at)).collect()
}

/// `month 12`, `not in 60`.
pub(crate) fn stop_of(stop: Option<u32>, last: u32) -> String {
    match stop {
        Some(0) => "today".to_string(),
        Some(month) => format!("month {month}"),
        None => format!("not in {last} months"),
    }
}

/// The kinds of backup, and what they write.
fn kinds(result: &PlanResult, schedule: &PlanSchedule) -> String {
    let last = result.months.last().map_or(0, |month| month.month);
    let headings = ["schedule", "reads", result.operation, "limit", "stops fitting"];
    let mut cells = vec![headings.map(str::to_string).to_vec()];
    for own in &schedule.kinds {
        let now = own.months.first().and_then(|month| month.median_seconds);
        cells.push(vec![
            format!("{} {}", own.kind, own.how_often),
            bytes(own.read_bytes as f64),
            now.map_or_else(|| "too long".to_string(), duration),
            duration(own.limit_seconds),
            stop_of(own.stops_fitting.month, last),
        ]);
    }
    let columns = [Column::Left, Column::Right, Column::Right, Column::Right, Column::Left];
    let table = lines(&columns, &cells, None).join("\n") + "\n";
    table + &entry("Written", &written(schedule))
}

/// What a cycle writes.
pub(crate) fn written(schedule: &PlanSchedule) -> String {
    let (all, cycle) = (bytes(schedule.written_bytes_per_cycle), duration(schedule.cycle_seconds));
    let count = |own: &crate::document::ScheduledKind| format!("{} {}", own.count, own.kind);
    let counts: Vec<String> = schedule.kinds.iter().map(count).collect();
    format!("{all} from one full backup to the next, {cycle}: {}", counts.join(", "))
}

fn months(result: &PlanResult, paint: Paint) -> String {
    let of = |schedule: &PlanSchedule| format!("{} {}", schedule.first, result.operation);
    let timed = result.schedule.as_ref().map_or_else(|| result.operation.to_string(), of);
    let headings = ["month", "size", &timed, &format!("{} range", level(result.level)), "fits"];
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
    let most = if result.schedule.is_some() { MOST_BESIDE } else { MOST_CHANGES };
    let most = if paint.whole { usize::MAX } else { most };
    for change in result.changes.iter().take(most) {
        cells.push(vec![change.cost.to_string(), won(change), change.what.clone()]);
    }
    let columns = [Column::Left, Column::Left, Column::Yielding(20)];
    lines(&columns, &cells, None).join("\n") + "\n"
}
