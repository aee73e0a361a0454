//! `need` for a terminal.

use super::{LINES, Paint, entry, together, uncertainty, warnings};
use crate::document::{Document, NeedResult, PartResult, RateResult};
use crate::number::{duration, duration_range, level};

pub(crate) fn need(document: &Document<NeedResult>, paint: Paint) -> String {
    let fits = |text: &String| paint.whole || text.lines().count() <= LINES;
    let full = composed(document, paint, true);
    if fits(&full) { full } else { composed(document, paint, false) }
}

fn composed(document: &Document<NeedResult>, paint: Paint, whole: bool) -> String {
    let result = &document.result;
    let window = duration(result.window_seconds);
    let mut out = format!("{}: what a window of {window} demands\n", result.scenario);
    let now = format!(
        "{}: the {} takes {} ({}, {} of nights)",
        if result.fits { "it fits as it is" } else { "it does not fit as it is" },
        result.operation,
        duration(result.now.seconds),
        together(&duration_range(result.now.low_seconds, result.now.high_seconds)),
        level(result.level)
    );
    out.push_str(&entry("Now", &now).replacen("Now", &paint.strong("Now"), 1));
    out.push_str("One at a time, the others as they are:\n");
    for part in &result.one_at_a_time {
        out.push_str(&entry(&format!("  {}", short(part.part)), &one(part, whole)));
    }
    match &result.balanced {
        Some(balanced) => {
            let rates: Vec<String> = balanced.rates.iter().map(rate).collect();
            out.push_str(&entry("Balanced", &rates.join(", ")));
        }
        None => out.push_str(&entry("Balanced", "no rates are enough: time is lost elsewhere")),
    }
    if whole {
        out.push_str(&uncertainty("Ranges", result.uncertainty.as_ref()));
    }
    let room = LINES.saturating_sub(out.lines().count());
    out.push_str(&warnings(&document.warnings, room, paint));
    out
}

/// A part, in a label's width.
fn short(part: &'static str) -> &'static str {
    match part {
        "processor rate" => "core rate",
        "processors" => "cores",
        other => other,
    }
}

fn one(part: &PartResult, whole: bool) -> String {
    if !part.can_be_met {
        let best = part.high_seconds_at_best;
        return format!("cannot be met by this alone: a slow night takes {} then", duration(best));
    }
    let rates: Vec<String> = part.rates.iter().map(rate).collect();
    let rates = rates.join(", ");
    if whole { format!("{rates}; {}", part.change) } else { rates }
}

fn rate(rate: &RateResult) -> String {
    format!("{} {} (now {})", rate.parameter, together(&rate.value), together(&rate.now))
}
