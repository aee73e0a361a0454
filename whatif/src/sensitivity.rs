//! What a duration depends on: how much it changes when one number is a tenth larger.
//!
//! Every lever of the scenario is moved alone, on the same nights. The answer is an elasticity: the
//! change of the logarithm of the duration for that of the number, said as the change for a tenth.
//! Both values are stated, so that what an ensemble says of the number is left out of both.
//! What can only be counted is moved by one at the least, and what goes by doubling is doubled.

use std::sync::Arc;

use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_scenarios::{Document, Set};

use crate::ask::AskError;
use crate::design::Configuration;
use crate::levers::{Lever, LeverSide, LeverUnit, LeverValue, levers};
use crate::paired::Paired;
use crate::runner::{GoOn, Operation, Ran, Runner};

/// What a number does.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// The number.
    pub lever: Lever,
    /// What it was moved to.
    pub moved: LeverValue,
    /// The change of each operation if it were a tenth larger, as a share: -0.05 is 5 % shorter.
    pub per_tenth: Vec<(Operation, f64)>,
}

impl Sensitivity {
    /// That of one operation.
    #[must_use]
    pub fn of(&self, operation: Operation) -> Option<f64> {
        self.per_tenth.iter().find(|(one, _)| *one == operation).map(|(_, share)| *share)
    }

    /// The largest of them, whatever its sign.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.per_tenth.iter().map(|(_, share)| libm::fabs(*share)).fold(0.0, f64::max)
    }
}

/// A tenth more.
const TENTH: f64 = 1.1;
/// Nights: differences on the same random numbers settle fast.
const NIGHTS: u32 = 8;
/// What is doubled instead, and the largest it can be.
const TRANSFER: (&str, f64) = ("backup.transfer_size", 4_194_304.0);

/// What each number of a scenario does, the largest effect first.
///
/// # Errors
/// [`AskError`]
pub fn sensitivity(
    (document, variant, sets): (&Document, Option<&str>, &[Set]),
    options: &PredictOptions,
    go_on: GoOn<'_>,
) -> Result<Vec<Sensitivity>, AskError> {
    let options = PredictOptions {
        replications: options.replications.min(NIGHTS),
        precision: None,
        ..*options
    };
    let runner = Runner::new(document, variant, sets, options, Asked::Durations);
    let loaded = runner.load(&Configuration::default());
    let loaded = loaded.map_err(|error| AskError::Refused(Arc::new(error.into())))?;
    let mut levers = levers(&[&loaded]);
    levers.push(Lever::transfer_size(loaded.resolved.backup.buffers.transfer_size.as_f64()));
    let moved: Vec<(Lever, LeverValue)> = levers.into_iter().filter_map(moved).collect();
    let both = |(lever, value): &(Lever, LeverValue)| [lever.at(lever.now), value.clone()];
    let all = moved.iter().flat_map(both);
    let all = all.map(|value| Configuration { sets: value.sets, ..Configuration::default() });
    let outcomes = runner.run(&all.collect::<Vec<_>>(), go_on)?;
    let found = moved.into_iter().zip(outcomes.chunks(2)).filter_map(|((lever, value), pair)| {
        let [Ok(base), Ok(ran)] = pair else { return None };
        let by = libm::log(value.number / lever.at(lever.now).number);
        let per_tenth = effects(base, ran, by, options.level);
        Some(Sensitivity { lever, moved: value, per_tenth })
    });
    let mut found: Vec<Sensitivity> = found.collect();
    found.sort_by(|a, b| b.size().total_cmp(&a.size()));
    Ok(found)
}

/// A lever moved by about a tenth; nothing if it cannot be.
fn moved(lever: Lever) -> Option<(Lever, LeverValue)> {
    let is_transfer = lever.paths.iter().any(|path| path == TRANSFER.0);
    let wanted = match lever.unit {
        _ if is_transfer => lever.now * 2.0,
        LeverUnit::Count => (lever.now * TENTH).max(lever.now + 1.0),
        _ => lever.now * TENTH,
    };
    let mut value = lever.at(wanted);
    if value.number <= lever.now {
        value = lever.at(lever.now / if is_transfer { 2.0 } else { TENTH });
    }
    let differs = libm::fabs(value.number / lever.now - 1.0) > 1e-3;
    differs.then_some((lever, value))
}

fn effects(base: &Ran, ran: &Ran, by: f64, level: f64) -> Vec<(Operation, f64)> {
    let effect = |operation| {
        let nights = (base.nights(operation)?, ran.nights(operation)?);
        let paired = Paired::new(nights.0, nights.1, 1, level)?;
        let elasticity = libm::log(paired.ratio) / by;
        let share = libm::expm1(elasticity * libm::log(TENTH));
        share.is_finite().then_some((operation, share))
    };
    let all = [Operation::Backup, Operation::Verify, Operation::Restore, Operation::Total];
    all.into_iter().filter_map(effect).collect()
}

impl Lever {
    /// The transfer size, stated or not.
    fn transfer_size(now: f64) -> Self {
        let name = "transfer size".to_string();
        let paths = vec![TRANSFER.0.to_string()];
        Lever::new((name, paths), now, (LeverUnit::Bytes, LeverSide::Option), (65536.0, TRANSFER.1))
    }
}
