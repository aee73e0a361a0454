//! What would change the answer: the nearest number at which it is another.
//!
//! Every lever is moved alone, by up to a factor of [`FACTOR`] either way, with the same nights.
//! Where the answer at the end is another, the place between is found by halving, in the logarithm,
//! with a few nights and the alternative that is told of. The nearest places are then asked in
//! full, as `ask` with `--set` would: only a value at which the answer is another, beside one
//! nearby at which it is still the same, is reported. An answer that changes and changes back in
//! between is not found.

use super::judge::{Judged, judge};
use super::{Answer, AskError, Asker, Plan};
use crate::design::Configuration;
use crate::levers::{Lever, LeverValue};

/// A number at which the answer is another.
#[derive(Debug, Clone, PartialEq)]
pub struct Flip {
    /// What would have to be another.
    pub lever: Lever,
    /// A value at which the answer is another.
    pub value: LeverValue,
    /// A value between it and the present one at which the answer is still the same.
    pub still: LeverValue,
    /// The answer there.
    pub answer: Answer,
}

impl Flip {
    /// How far the value is from what it is, as a factor.
    #[must_use]
    pub fn factor(&self) -> f64 {
        self.value.number / self.lever.now
    }
}

/// How far a lever is moved.
pub const FACTOR: f64 = 8.0;
/// Halvings of that: to 1/32 of the logarithm, some 7 %.
const HALVINGS: u32 = 5;
/// Flips that are told.
const MOST: usize = 3;
/// Flips that are asked in full.
const ASKED: usize = 3; // one where a night takes long
/// Steps away from a place that turns out to be none.
const STEPS: u32 = 3;

/// A lever on its way: the answer is the same at `same` and another at `other`, both as factors.
#[derive(Debug, Clone, Copy)]
struct Between {
    lever: usize,
    same: f64,
    other: f64,
}

impl Between {
    fn middle(self) -> f64 {
        (self.same * self.other).sqrt()
    }

    fn distance(self) -> f64 {
        libm::fabs(libm::log(self.other))
    }
}

impl Asker<'_> {
    /// What would change the answer, the nearest first.
    pub(super) fn flips(
        &self,
        plan: &Plan,
        judged: &Judged,
        levers: &[Lever],
    ) -> Result<Vec<Flip>, AskError> {
        let ends = (0..levers.len()).flat_map(|lever| {
            let one = move |other| Between { lever, same: 1.0, other };
            [one(FACTOR), one(1.0 / FACTOR)]
        });
        let ends: Vec<Between> = ends
            .map(|end| reach(&levers[end.lever], end))
            .filter(|end| libm::fabs(end.other - 1.0) > 1e-6)
            .collect();
        let at = |all: &[Between], place: &dyn Fn(&Between) -> f64| {
            let places: Vec<(usize, f64)> = all.iter().map(|one| (one.lever, place(one))).collect();
            self.answers(plan, judged, levers, &places)
        };
        let answers = at(&ends, &|end| end.other)?;
        let turned = ends.into_iter().zip(answers);
        let turned = turned.filter(|(_, answer)| answer.is_some_and(|a| a != judged.answer));
        let mut open: Vec<Between> = turned.map(|(end, _)| end).collect();
        for _ in 0..HALVINGS {
            let answers = at(&open, &|one| one.middle())?;
            for (one, answer) in open.iter_mut().zip(answers) {
                match answer {
                    Some(answer) if answer != judged.answer => one.other = one.middle(),
                    _ => one.same = one.middle(),
                }
            }
        }
        open.sort_by(|a, b| a.distance().total_cmp(&b.distance()));
        let mut flips: Vec<Flip> = Vec::new();
        let asked = if self.is_long { 1 } else { ASKED };
        for one in open.iter().take(asked) {
            if flips.len() < MOST
                && let Some(flip) = self.asked_in_full(judged.answer, &levers[one.lever], *one)?
            {
                flips.push(flip);
            }
        }
        let distance = |flip: &Flip| libm::fabs(libm::log(flip.factor()));
        flips.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        Ok(flips)
    }

    /// The answers at places of levers, by the alternative that is told of; `None`: it cannot be.
    fn answers(
        &self,
        plan: &Plan,
        judged: &Judged,
        levers: &[Lever],
        places: &[(usize, f64)],
    ) -> Result<Vec<Option<Answer>>, AskError> {
        let chosen = |alternative: &&super::Alternative| {
            let best = &plan.alternatives[judged.best];
            *alternative == best || alternative.kind == "buffers" && best.kind == "joint"
        };
        let narrow = Plan {
            alternatives: plan.alternatives.iter().filter(chosen).cloned().collect(),
            ..plan.clone()
        };
        let mut all: Vec<Configuration> = Vec::new();
        for (lever, factor) in places {
            let lever = &levers[*lever];
            let value = lever.at(lever.now * factor);
            let each = std::iter::once(&narrow.before).chain(&narrow.alternatives);
            all.extend(each.map(|one| super::configuration(&value.sets, &one.sets)));
        }
        // All at once, so that every thread has something to do.
        let outcomes = self.quick.run(&all, self.go_on)?;
        let answer = |outcomes: &[crate::runner::Outcome]| {
            let (before, tried) = self.tried(&narrow, outcomes).ok()?;
            judge(&narrow, &before, &tried, self.options, self.level()).map(|j| j.answer)
        };
        Ok(outcomes.chunks(1 + narrow.alternatives.len()).map(answer).collect())
    }

    /// The answer as `ask` with these assignments gives it.
    fn full(&self, value: &LeverValue) -> Result<Option<Answer>, AskError> {
        let answer = || {
            let plan = self.plan(&self.load(&value.sets)?)?;
            let (before, tried) = self.run(&self.whole, &plan, &value.sets)?;
            Ok(judge(&plan, &before, &tried, self.options, self.level()).map(|j| j.answer))
        };
        match answer() {
            Err(AskError::Cancelled(cancelled)) => Err(cancelled.into()),
            Err(_) => Ok(None),
            Ok(answer) => Ok(answer),
        }
    }

    /// The place as it is with all nights and all alternatives: moved a little if it is not there.
    fn asked_in_full(
        &self,
        now: Answer,
        lever: &Lever,
        found: Between,
    ) -> Result<Option<Flip>, AskError> {
        let whole = lever.unit == crate::levers::LeverUnit::Count;
        // A step is what is left between the two, or one of what can be counted.
        let outwards = if found.other > 1.0 { 1.07 } else { 1.0 / 1.07 };
        let step = |factor: f64, by: f64| {
            let moved = lever.at(lever.now * factor * by);
            if !whole || libm::fabs(moved.number - lever.now * factor) >= 0.5 {
                return moved;
            }
            lever.at(lever.now * factor + if by > 1.0 { 1.0 } else { -1.0 })
        };
        let mut value = lever.at(lever.now * found.other);
        let mut still = lever.at(lever.now * found.same);
        let mut answer = None;
        for _ in 0..=STEPS {
            match self.full(&value)? {
                Some(there) if there != now => {
                    answer = Some(there);
                    break;
                }
                _ => {
                    still = value.clone();
                    value = step(value.number / lever.now, outwards);
                }
            }
        }
        let Some(answer) = answer else { return Ok(None) };
        let mut same = false;
        for _ in 0..=STEPS {
            let is_between = (still.number - lever.now) * (value.number - still.number) >= 0.0;
            if !is_between {
                still = lever.at(lever.now);
            }
            match self.full(&still)? {
                Some(there) if there == now => {
                    same = true;
                    break;
                }
                Some(_) if is_between => {
                    value = still.clone();
                    still = step(still.number / lever.now, 1.0 / outwards);
                }
                _ => break,
            }
        }
        let answer = self.full(&value)?.unwrap_or(answer);
        Ok((same && still != value).then(|| Flip { lever: lever.clone(), value, still, answer }))
    }
}

/// How far a lever can be moved at all.
fn reach(lever: &Lever, end: Between) -> Between {
    let other = lever.at(lever.now * end.other).number / lever.now;
    Between { other, ..end }
}
