//! The answer of a comparison in a sentence or two: the best, by how much, real or not, worth it or
//! not; ties said as ties.

use super::{CompareResult, CompareRow};
use crate::number::{bytes, level};

/// Ties that are named one by one.
const NAMED: usize = 3;

pub(super) fn of(result: &CompareResult) -> String {
    let Some(best) = &result.best else {
        let able = result.rows.iter().any(|row| row.ratio.is_some());
        return match able {
            true => "No configuration meets the requirements.".to_string(),
            false => "Nothing can be compared: no configuration has this operation.".to_string(),
        };
    };
    let row = &result.rows[best.row];
    let mut out = if row.is_reference {
        format!("Nothing is better than {}.", name(result, row))
    } else {
        against(result, row)
    };
    let others: Vec<usize> =
        best.ties.iter().copied().filter(|tie| !result.rows[*tie].is_reference).collect();
    if !others.is_empty() {
        let named: Vec<String> =
            others.iter().take(NAMED).map(|tie| name(result, &result.rows[*tie])).collect();
        let more = others.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out.push_str(&format!(" As good as that: {}{more}.", named.join("; ")));
    }
    if best.least_memory_row != best.row {
        let least = &result.rows[best.least_memory_row];
        let memory = least.predict.as_ref().map_or(0, |predict| predict.buffer_memory_bytes);
        out.push_str(&format!(
            " The least buffer memory of these has {}: {}.",
            name(result, least),
            bytes(memory as f64)
        ));
    }
    out
}

/// What the best gains against the reference.
fn against(result: &CompareResult, row: &CompareRow) -> String {
    let ratio = row.ratio.unwrap_or(1.0);
    let reference = name(result, &result.rows[0]);
    // The best of those that keep limits, where the reference does not, may well be longer.
    if ratio > 1.0 && !result.rows[0].fits() {
        return format!(
            "Best for the {} of those that keep the limits: {}: {:.1} % more time than \
             {reference}, which does not keep them.",
            result.operation,
            name(result, row),
            (ratio - 1.0) * 100.0
        );
    }
    let less = (1.0 - ratio) * 100.0;
    let gain = if less < 0.05 {
        "no less time".to_string()
    } else {
        let times =
            if ratio < 0.8 { format!(", {:.2} times as fast", 1.0 / ratio) } else { String::new() };
        format!("{less:.1} % less time{times}")
    };
    let ends = row.ratio_low.zip(row.ratio_high);
    let ends = ends.map(|(low, high)| format!("ratio {ratio:.3}, {low:.3} to {high:.3}"));
    let threshold = level(result.threshold);
    let verdict = match (row.real, row.worth == Some(true)) {
        (Some(true), true) => {
            format!(
                "The difference is real (the interval excludes 1) and worth it (above {threshold})."
            )
        }
        (Some(true), false) => {
            format!("The difference is real, but not worth a change (below {threshold}).")
        }
        (Some(false), true) => {
            "It may be none: the interval holds 1, which is no difference.".to_string()
        }
        (Some(false), false) => {
            format!("It may be none (the interval holds 1), and is below {threshold}: stay.")
        }
        (None, _) => "One night cannot tell whether that is chance: --replications 32.".to_string(),
    };
    let operation = result.operation;
    let ends = ends.map_or_else(String::new, |ends| format!(" ({ends})"));
    format!(
        "Best for the {operation}: {}: {gain} than {reference}{ends}. {verdict}",
        name(result, row)
    )
}

fn name(result: &CompareResult, row: &CompareRow) -> String {
    match (row.is_reference, result.reference.is_empty()) {
        (true, true) => "the scenario as it is".to_string(),
        (true, false) => format!("the reference ({})", result.reference.join(", ")),
        (false, _) => row.settings.words(),
    }
}
