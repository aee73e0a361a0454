//! The answer of `recommend` in a sentence or two.

use super::{RecommendResult, RequirementResult, StepResult};
use crate::number::{at_most, bytes, digits, duration, percent};

pub(super) fn of(result: &RecommendResult, is_present: bool) -> String {
    match (&result.choice, is_present) {
        (None, _) => refused(result, is_present),
        (Some(_), true) => stays(result),
        (Some(_), false) => taken(result),
    }
}

fn stays(result: &RecommendResult) -> String {
    let operation = result.operation;
    let limits = if result.requirements.is_empty() { "" } else { " that keeps the limits" };
    format!(
        "Leave it as it is: nothing{limits} makes the {operation} more than {} shorter.",
        at_most(result.threshold)
    )
}

fn taken(result: &RecommendResult) -> String {
    let Some(choice) = &result.choice else { return String::new() };
    let operation = result.operation;
    let last = result.ladder.last().unwrap_or(&result.present);
    let before = duration(result.present.seconds);
    let times = format!("{operation} {} instead of {before}", duration(last.seconds));
    let ratio = choice.ratio.unwrap_or(1.0);
    let change = digits((1.0 - ratio).abs() * 100.0, 2);
    let less = if ratio <= 1.0 { "less" } else { "more" };
    let because = if ratio > 1.0 { "; the settings as they are break a limit" } else { "" };
    let real = match (choice.ratio_low, choice.ratio_high) {
        (Some(low), Some(high)) if low > 1.0 || high < 1.0 => "",
        (Some(_), Some(_)) => "; that is not certain, for the interval holds no change",
        _ => "; how certain that is, one night does not tell",
    };
    format!("Take {}: {times}, {change} % {less}{because}{real}.", result.change())
}

fn refused(result: &RecommendResult, is_present: bool) -> String {
    let missed: Vec<String> =
        result.requirements.iter().filter(|r| !r.met).map(by_how_much).collect();
    let nearest = result.nearest.as_ref().map_or("", |step| step.change.as_str());
    let nearest = if is_present { "the settings as they are" } else { nearest };
    let mut text = format!("Nothing keeps the limits. Nearest: {nearest}");
    if !missed.is_empty() {
        text.push_str(&format!(", beyond {}", missed.join(" and ")));
    }
    text.push('.');
    match (&result.without_limit, &result.without) {
        (Some(limit), Some(step)) => {
            text.push_str(&format!(" What binds is {limit}: without it, {}", costs(step)));
        }
        _ => {
            let missed = result.requirements.iter().find(|r| !r.met);
            if let Some(limit) = missed.filter(|r| r.limit_seconds.is_some()) {
                let hint = "; no setting reaches it, faster devices may: see bakcast explain";
                text.push_str(&format!(" What binds is {}{hint}.", limit.requirement));
            } else if let Some(limit) = missed {
                text.push_str(&format!(" What binds is {}.", limit.requirement));
            }
        }
    }
    text
}

fn costs(step: &StepResult) -> String {
    format!(
        "{} keeps the others with {} of buffers and {} of the processors.",
        step.change,
        bytes(step.buffer_memory_bytes as f64),
        percent(step.processor_share)
    )
}

/// `total<=2h by 12 min`.
fn by_how_much(requirement: &RequirementResult) -> String {
    let text = &requirement.requirement;
    requirement.margin().map_or_else(|| text.clone(), |by| format!("{text} by {by}"))
}
