//! The answer in words: what is gained, which station works, is starved or blocked, before and
//! after.

use bakcast_models::outcome::StationRole;
use bakcast_scenarios::predict::{OperationPrediction, StationSummary};

use super::judge::{Judged, probability, share_of_backup};
use super::{Answer, AskOptions, Plan, Question, Rule, Tried};
use crate::paired::Paired;
use crate::runner::{Operation, Ran};

/// More memory for buffers than this is worth a warning, as others warn of it.
const MUCH_MEMORY: u64 = 1 << 30;

/// The answer in one line, without the yes or no.
pub(super) fn headline(plan: &Plan, judged: &Judged, before: &Ran, after: &Tried) -> String {
    let label = after.alternative.label.trim();
    let operation = judged.operation.name();
    match plan.rule {
        Rule::Fits(_) => {
            let share = judged.fit.map_or(0.0, |fit| fit.probability);
            format!("{} of nights fit", percent(share))
        }
        Rule::Verify => {
            let share = share_of_backup(before);
            format!("the verification takes {} of the time of the backup", percent(share))
        }
        Rule::Memory => match judged.answer {
            Answer::No if libm::fabs(judged.paired.ratio - 1.0) <= 0.005 => {
                format!("{label} would be as fast")
            }
            Answer::No => format!("{label} would be as fast ({})", effect(&judged.paired)),
            _ => format!("with {label} the {operation} is {}", effect(&judged.paired)),
        },
        Rule::Gain | Rule::Jointly if is_none(judged, plan.threshold) => {
            format!("with {label} the {operation} takes as long; no difference to speak of")
        }
        Rule::Gain | Rule::Jointly => {
            format!("with {label} the {operation} is {}", effect(&judged.paired))
        }
    }
}

/// Whether the answer is that there is no difference: less than is worth it, not told from none.
fn is_none(judged: &Judged, threshold: f64) -> bool {
    let paired = &judged.paired;
    let holds_one = paired.ratio_interval.is_none_or(|(low, high)| low <= 1.0 && 1.0 <= high);
    judged.answer == Answer::No && holds_one && libm::fabs(paired.ratio - 1.0) < threshold
}

/// A ratio in words.
pub(super) fn effect(paired: &Paired) -> String {
    let ratio = paired.ratio;
    if ratio < 0.67 {
        format!("{} times as fast", digits(1.0 / ratio))
    } else if ratio < 0.995 {
        format!("{} shorter", percent(1.0 - ratio))
    } else if ratio > 1.5 {
        format!("{} times as long", digits(ratio))
    } else if ratio > 1.005 {
        format!("{} longer", percent(ratio - 1.0))
    } else {
        "as long".to_string()
    }
}

fn digits(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 9.95 && percent.fract().abs() > 0.05 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

/// Why, in terms of stations: before, then after.
pub(super) fn why(plan: &Plan, judged: &Judged, before: &Ran, after: &Ran) -> String {
    let of_verify = judged.operation == Operation::Verify || plan.rule == Rule::Verify;
    let of = |ran: &Ran| {
        let verify = ran.prediction.verify.clone().filter(|_| of_verify);
        story(&verify.unwrap_or_else(|| ran.prediction.backup.clone()))
    };
    let (first, then) = (of(before), of(after));
    let mut why = if first == then {
        format!("{first}, and so it stays")
    } else {
        format!("before, {first}; after, {then}")
    };
    let verify = |ran: &Ran| ran.prediction.verify.as_ref().map(story);
    if !of_verify
        && judged.operation == Operation::Total
        && judged.operations.iter().any(|o| {
            o.operation == Operation::Verify && (o.answer == Answer::Yes || o.paired.ratio > 1.02)
        })
        && let (Some(first), Some(then)) = (verify(before), verify(after))
    {
        why.push_str(&format!(". Verification: before, {first}; after, {then}"));
    }
    why
}

/// Which station limits an operation, and how the others spend their time.
fn story(operation: &OperationPrediction) -> String {
    let limit = operation.bottleneck.as_ref().map_or_else(String::new, |limit| {
        match limit.name().as_str() {
            "balanced" => "nothing alone limits it: ".to_string(),
            "buffers" => "too few buffers limit it: ".to_string(),
            name => format!("{name} limits it: "),
        }
    });
    let roles = [
        StationRole::Source,
        StationRole::SourceAndTarget,
        StationRole::Processor,
        StationRole::Target,
    ];
    let of_role = roles.iter().filter_map(|role| {
        let own = operation.stations.iter().filter(|station| station.role == *role);
        own.max_by(|a, b| a.working.total_cmp(&b.working))
    });
    let states: Vec<String> = of_role.map(state).collect();
    limit + &states.join(", ")
}

fn state(station: &StationSummary) -> String {
    let mut text = format!("{} works {}", station.name, percent_whole(station.working));
    if station.blocked >= 0.1 && station.blocked >= station.starved {
        text.push_str(&format!(" (blocked {})", percent_whole(station.blocked)));
    } else if station.starved >= 0.1 {
        text.push_str(&format!(" (starved {})", percent_whole(station.starved)));
    }
    text
}

fn percent_whole(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// What else is worth a word.
pub(super) fn notes(
    question: Question,
    plan: &Plan,
    tried: &[Tried],
    options: &AskOptions,
) -> Vec<String> {
    let mut notes = Vec::new();
    let refused = tried.iter().filter(|tried| tried.ran.is_none()).count();
    if refused > 0 {
        notes.push(format!("{refused} of {} alternatives cannot be run", tried.len()));
    }
    let limit = options.memory_bytes.unwrap_or(MUCH_MEMORY);
    let much = tried.iter().filter_map(|tried| {
        let ran = tried.ran.as_ref()?;
        let bytes = ran.loaded.resolved.backup.memory_of_all_jobs().get();
        (bytes > limit).then_some(tried.alternative.label.trim())
    });
    let much: Vec<&str> = much.collect();
    let of_memory = [Question::Buffers, Question::TransferSize, Question::Memory];
    if let (true, Some(first)) = (of_memory.contains(&question), much.first()) {
        let gibibytes = limit as f64 / MUCH_MEMORY as f64;
        notes.push(format!(
            "from {first} on, the sets of buffers of all jobs take more than {} GiB",
            digits(gibibytes)
        ));
    }
    if let Rule::Fits(window) = plan.rule {
        let fits = tried.iter().filter_map(|tried| {
            let ran = tried.ran.as_ref()?;
            let share = probability(ran, plan.operation, window);
            Some(format!("{}: {} of nights fit", tried.alternative.label.trim(), percent(share)))
        });
        notes.extend(fits);
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_said_as_people_say_them() {
        let of = |ratio: f64| {
            let paired = Paired::new(&[1.0, 1.0, 1.0], &[ratio; 3], 1, 0.9).unwrap();
            effect(&paired)
        };
        assert_eq!(of(0.5), "2.0 times as fast");
        assert_eq!(of(0.8), "20 % shorter");
        assert_eq!(of(0.98), "2 % shorter");
        assert_eq!(of(1.0), "as long");
        assert_eq!(of(1.1), "10 % longer");
        assert_eq!(of(2.0), "2.0 times as long");
    }
}
