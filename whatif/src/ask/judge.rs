//! How an answer is read off the ratios.
//!
//! Of one operation: **no** if the typical ratio is not below 1 by more than the threshold: there
//! is nothing to gain that is worth it; **yes** if it is, and its interval ends below 1. It depends
//! on what the nights or the fit leave open if the interval does not, or if the ratio is not worth
//! it but the interval reaches to [`FAR`] times the threshold.
//! Backup and verification can answer differently. What is clear of both together decides then, and
//! where one gains what the other does not, it depends on which of them counts.

use super::{Answer, AskOptions, Fit, KindAnswer, OperationAnswer, Plan, Rule, Tried};
use crate::paired::Paired;
use crate::runner::{Operation, Ran};

/// An answer with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judged {
    pub(super) answer: Answer,
    /// On what it depends.
    pub(super) on: Option<String>,
    /// The alternative that is told of.
    pub(super) best: usize,
    /// That against the configuration before.
    pub(super) paired: Paired,
    pub(super) operation: Operation,
    pub(super) operations: Vec<OperationAnswer>,
    pub(super) fit: Option<Fit>,
    pub(super) tries_after: bool,
}

/// Alternatives that are told of only if there are no others.
pub(super) const OTHER_SORT: &str = "other-sort";
/// Less than there is: it shows where the knee is, and no more is asked of it.
pub(super) const FEWER: &str = "less";

/// Whether it can be told of.
fn is_asked(tried: &Tried) -> bool {
    ![OTHER_SORT, FEWER].contains(&tried.alternative.kind)
}

/// Without an interval a ratio is taken as it is.
pub(super) fn of_ratio(paired: &Paired, threshold: f64) -> Answer {
    let (low, high) = paired.ratio_interval.unwrap_or((paired.ratio, paired.ratio));
    match paired.ratio < 1.0 - threshold {
        true if high < 1.0 => Answer::Yes,
        false if low >= 1.0 - FAR * threshold => Answer::No,
        _ => Answer::Depends,
    }
}

/// A gain of so many thresholds that is possible makes a no a perhaps.
const FAR: f64 = 4.0;

/// The answer of a plan that was run; `None`: no alternative could be.
pub(super) fn judge(
    plan: &Plan,
    before: &Ran,
    tried: &[Tried],
    options: &AskOptions,
    level: f64,
) -> Option<Judged> {
    let threshold = plan.threshold;
    let best = match plan.rule {
        Rule::Memory => least_memory(tried, threshold)?,
        Rule::Fits(window) => first_that_fits(plan, tried, window, level)
            .or_else(|| shortest(tried, |_| true, threshold))?,
        Rule::Jointly => {
            let alone = |tried: &Tried| tried.alternative.kind == "alone";
            shortest(tried, alone, threshold)
                .or_else(|| shortest(tried, |one| one.alternative.kind == FEWER, threshold))?
        }
        Rule::Gain | Rule::Verify => {
            shortest(tried, is_asked, threshold).or_else(|| shortest(tried, |_| true, threshold))?
        }
    };
    let paired = tried.get(best)?.paired?;
    let operations = operations(before, tried.get(best)?, threshold, level);
    let mut judged = Judged {
        answer: of_ratio(&paired, threshold),
        on: None,
        best,
        paired,
        operation: plan.operation,
        operations,
        fit: None,
        tries_after: true,
    };
    match plan.rule {
        Rule::Gain => {
            if plan.operation == Operation::Total && options.operation.is_none() {
                both(&mut judged);
            }
            judged.tries_after = judged.answer != Answer::No;
        }
        Rule::Jointly => {
            jointly(&mut judged, tried, threshold, level);
            judged.operations = self::operations(before, tried.get(judged.best)?, threshold, level);
        }
        Rule::Fits(window) => fits(&mut judged, plan.operation, (before, tried), window, level),
        Rule::Verify => verify(&mut judged, before, options.window_seconds, level),
        Rule::Memory => memory(&mut judged, threshold),
    }
    if judged.answer == Answer::Depends && judged.on.is_none() {
        judged.on = Some(left_open(&judged.paired));
    }
    Some(judged)
}

/// The answer for each sort of alternatives, where there are several.
pub(super) fn kinds(tried: &[Tried], threshold: f64) -> Vec<KindAnswer> {
    let mut kinds: Vec<&'static str> = Vec::new();
    for one in tried {
        if one.alternative.kind != FEWER && !kinds.contains(&one.alternative.kind) {
            kinds.push(one.alternative.kind);
        }
    }
    if kinds.len() < 2 {
        return Vec::new();
    }
    let of = |kind: &'static str| {
        let best = shortest(tried, |one| one.alternative.kind == kind, threshold)?;
        let paired = tried[best].paired?;
        let label = tried[best].alternative.label.clone();
        Some(KindAnswer { kind, label, answer: of_ratio(&paired, threshold), paired })
    };
    kinds.into_iter().filter_map(of).collect()
}

/// What a ratio leaves open.
fn left_open(paired: &Paired) -> String {
    if paired.members > 1 {
        "what the measurements leave open of this machine".to_string()
    } else {
        "the night: nights differ by more than the gain".to_string()
    }
}

/// The cheapest of those that are as short as the shortest.
fn shortest(tried: &[Tried], of: impl Fn(&Tried) -> bool, threshold: f64) -> Option<usize> {
    let ratios = tried.iter().enumerate().filter(|(_, tried)| of(tried));
    let ratios = ratios.filter_map(|(index, tried)| Some((index, tried.paired?.ratio)));
    let ratios: Vec<(usize, f64)> = ratios.collect();
    let least = ratios.iter().map(|(_, ratio)| *ratio).fold(f64::INFINITY, f64::min);
    ratios.iter().find(|(_, ratio)| *ratio <= least * (1.0 + threshold)).map(|(index, _)| *index)
}

fn operations(before: &Ran, after: &Tried, threshold: f64, level: f64) -> Vec<OperationAnswer> {
    let Some(ran) = &after.ran else { return Vec::new() };
    let all = [Operation::Backup, Operation::Verify, Operation::Restore, Operation::Total];
    let all = all.into_iter().filter(|operation| {
        *operation != Operation::Total || before.nights(Operation::Verify).is_some()
    });
    let one = |operation| {
        let paired = ran.against(before, operation, level)?;
        Some(OperationAnswer { operation, answer: of_ratio(&paired, threshold), paired })
    };
    all.filter_map(one).collect()
}

/// Backup and verification together, where they answer differently.
fn both(judged: &mut Judged) {
    let answer = |operation| {
        let found = judged.operations.iter().find(|answer| answer.operation == operation);
        found.map(|answer| answer.answer)
    };
    let (Some(backup), Some(verify)) = (answer(Operation::Backup), answer(Operation::Verify))
    else {
        return;
    };
    if judged.answer != Answer::Yes {
        return;
    }
    let on = match (backup, verify) {
        (Answer::Yes, _) => return,
        (Answer::No, Answer::Yes) => {
            "whether the backup is verified: no for the backup, yes for the verification"
        }
        _ => "whether the backup is verified: for the backup alone it is not sure",
    };
    judged.answer = Answer::Depends;
    judged.on = Some(on.to_string());
}

/// Larger transfers alone, and beside more buffers.
fn jointly(judged: &mut Judged, tried: &[Tried], threshold: f64, level: f64) {
    judged.tries_after = judged.answer == Answer::Yes;
    if judged.answer == Answer::Yes {
        return;
    }
    let operation = judged.operation;
    let buffers = tried.iter().find(|tried| tried.alternative.kind == "buffers");
    let Some(buffers) = buffers.and_then(|tried| tried.ran.as_ref()) else { return };
    let is_joint = |tried: &Tried| tried.alternative.kind == "joint";
    let Some(best) = shortest(tried, is_joint, threshold) else { return };
    let beyond = tried[best].ran.as_ref().and_then(|r| r.against(buffers, operation, level));
    let (Some(beyond), Some(paired)) = (beyond, tried[best].paired) else { return };
    if of_ratio(&beyond, threshold) == Answer::Yes && of_ratio(&paired, threshold) == Answer::Yes {
        judged.answer = Answer::Depends;
        judged.on = Some("the number of buffers: not alone, but beside more of them".to_string());
        judged.best = best;
        judged.paired = paired;
        judged.tries_after = true;
    }
}

/// Share of nights that end within the window.
pub(super) fn probability(ran: &Ran, operation: Operation, window: f64) -> f64 {
    let nights = ran.nights(operation).unwrap_or_default();
    let fit = nights.iter().filter(|seconds| **seconds <= window).count();
    fit as f64 / (nights.len() as f64).max(1.0)
}

/// The ends of the range of nights.
pub(super) fn range(ran: &Ran, operation: Operation, level: f64) -> (f64, f64) {
    let range = bakcast_scenarios::predict::Range::of(ran.nights(operation).unwrap_or(&[]), level);
    (range.low, range.high)
}

fn first_that_fits(plan: &Plan, tried: &[Tried], window: f64, level: f64) -> Option<usize> {
    let fits = |tried: &Tried| {
        let ran = tried.ran.as_ref();
        ran.is_some_and(|ran| range(ran, plan.operation, level).1 <= window)
    };
    tried.iter().position(|tried| tried.paired.is_some() && fits(tried))
}

fn within(ran: &Ran, operation: Operation, window: f64, level: f64) -> Answer {
    match range(ran, operation, level) {
        (_, high) if high <= window => Answer::Yes,
        (low, _) if low > window => Answer::No,
        _ => Answer::Depends,
    }
}

fn fits(
    judged: &mut Judged,
    operation: Operation,
    (before, tried): (&Ran, &[Tried]),
    window: f64,
    level: f64,
) {
    judged.answer = within(before, operation, window, level);
    judged.on = (judged.answer == Answer::Depends)
        .then(|| "the night: a quick one fits, a slow one does not".to_string());
    judged.tries_after = judged.answer != Answer::Yes;
    let after = tried.get(judged.best).and_then(|tried| tried.ran.as_ref());
    judged.fit = Some(Fit {
        window_seconds: window,
        probability: probability(before, operation, window),
        probability_after: after.map_or(0.0, |ran| probability(ran, operation, window)),
    });
}

/// A verification that takes no more than half the backup is cheap; more than the backup is much.
const CHEAP: f64 = 0.5;

fn verify(judged: &mut Judged, before: &Ran, window: Option<f64>, level: f64) {
    judged.tries_after = judged.answer == Answer::Yes;
    if let Some(window) = window {
        judged.answer = within(before, Operation::Total, window, level);
        judged.on = (judged.answer == Answer::Depends)
            .then(|| "the night: a quick one fits, a slow one does not".to_string());
        judged.fit = Some(Fit {
            window_seconds: window,
            probability: probability(before, Operation::Total, window),
            probability_after: probability(before, Operation::Backup, window),
        });
        return;
    }
    let share = share_of_backup(before);
    judged.answer = match share {
        share if share <= CHEAP => Answer::Yes,
        share if share > 1.0 => Answer::No,
        _ => Answer::Depends,
    };
    judged.on = (judged.answer == Answer::Depends)
        .then(|| "the time there is: say so with --window".to_string());
}

/// How long the verification takes, as a share of the backup.
pub(super) fn share_of_backup(ran: &Ran) -> f64 {
    let verify = ran.prediction.verify.as_ref().map_or(0.0, |verify| verify.seconds.median);
    verify / ran.prediction.backup.seconds.median.max(f64::MIN_POSITIVE)
}

/// The least memory that is as good as what there is, or the next less if none is.
fn least_memory(tried: &[Tried], threshold: f64) -> Option<usize> {
    let as_good = |tried: &Tried| tried.paired.is_some_and(|p| p.ratio <= 1.0 + threshold);
    let last = tried.iter().rposition(as_good);
    last.or_else(|| tried.iter().position(|tried| tried.paired.is_some()))
}

/// Whether less memory is slower.
fn memory(judged: &mut Judged, threshold: f64) {
    let paired = &judged.paired;
    let (low, high) = paired.ratio_interval.unwrap_or((paired.ratio, paired.ratio));
    judged.answer = if low > 1.0 + threshold / 2.0 && paired.ratio > 1.0 + threshold {
        Answer::Yes
    } else if high <= 1.0 + 2.0 * threshold {
        Answer::No
    } else {
        Answer::Depends
    };
    judged.tries_after = judged.answer == Answer::No;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(ratio: f64, low: f64, high: f64) -> Paired {
        Paired {
            ratio,
            ratio_interval: Some((low, high)),
            difference_seconds: 0.0,
            difference_interval: None,
            nights: 9,
            members: 1,
        }
    }

    #[test]
    fn a_gain_has_to_be_worth_it_and_real() {
        for (ratio, low, high, answer) in [
            (0.5, 0.4, 0.6, Answer::Yes),
            (0.97, 0.96, 0.99, Answer::Yes),
            (0.97, 0.93, 1.01, Answer::Depends),
            (0.985, 0.98, 0.99, Answer::No),
            (1.0, 0.95, 1.05, Answer::No),
            (1.0, 0.8, 1.2, Answer::Depends),
            (2.0, 1.9, 2.1, Answer::No),
        ] {
            assert_eq!(of_ratio(&paired(ratio, low, high), 0.02), answer, "{ratio}");
        }
        let alone = Paired { ratio_interval: None, ..paired(0.9, 0.0, 0.0) };
        assert_eq!(of_ratio(&alone, 0.02), Answer::Yes);
    }

    #[test]
    fn what_only_the_verification_gains_depends_on_whether_there_is_one() {
        let judged = |backup, verify| {
            let of = |operation, answer| OperationAnswer {
                operation,
                answer,
                paired: paired(0.5, 0.4, 0.6),
            };
            let mut judged = Judged {
                answer: Answer::Yes,
                on: None,
                best: 0,
                paired: paired(0.5, 0.4, 0.6),
                operation: Operation::Total,
                operations: vec![of(Operation::Backup, backup), of(Operation::Verify, verify)],
                fit: None,
                tries_after: true,
            };
            both(&mut judged);
            (judged.answer, judged.on.is_some())
        };
        assert_eq!(judged(Answer::No, Answer::Yes), (Answer::Depends, true));
        assert_eq!(judged(Answer::Yes, Answer::No), (Answer::Yes, false));
        assert_eq!(judged(Answer::Depends, Answer::Yes), (Answer::Depends, true));
    }
}
