//! Which one measurement would make the answer surer.
//!
//! With an ensemble: the parameter whose values go best with the ratio over the nights, by rank
//! correlation. Without one the values are those of data sheets: the lever that moves the ratio
//! most within what is known of it, that is by its sensitivity times the width of what the library
//! says, or its kind.

use std::sync::Arc;

use bakcast_scenarios::{prior_for, prior_of};

use super::{AskError, Asker, Plan, Rule, Tried};
use crate::levers::{Lever, LeverUnit};
use crate::runner::Ran;

/// A measurement, and why that one.
#[derive(Debug, Clone, PartialEq)]
pub struct Surer {
    /// What is to be measured.
    pub what: String,
    /// The knobs that it is.
    pub paths: Vec<String>,
    /// The run or the benchmark that measures it.
    pub run: String,
    /// Share of the variation of the ratio that goes with it; absent without an ensemble.
    pub share: Option<f64>,
    /// How far the ratio moves with it, as a share, within what is known of it; absent with an
    /// ensemble.
    pub moves: Option<f64>,
}

/// A correlation that explains less is none.
const WORTH_NAMING: f64 = 0.1;
/// A lever that moves the ratio by less makes nothing surer.
const WORTH_MEASURING: f64 = 0.01;
/// How sure what can be counted is.
const COUNTED: f64 = 1.1;
/// By how much a lever is moved to see what it does.
const STEP: f64 = 1.1;

impl Asker<'_> {
    /// The measurement that would tell most; `None`: none would tell much.
    pub(super) fn surer(
        &self,
        pair: &Plan,
        (before, after): (&Arc<Ran>, &Tried),
        levers: &[Lever],
    ) -> Result<Option<Surer>, AskError> {
        let counts = |lever: &&Lever| !lever.paths.iter().any(|path| path.starts_with("backup."));
        let levers: Vec<Lever> = levers.iter().filter(counts).cloned().collect();
        match (&before.loaded.scenario.ensemble, &after.ran) {
            (Some(_), Some(after)) => Ok(of_ensemble(pair, before, after)),
            _ => self.of_data_sheets(pair, before, &levers),
        }
    }

    fn of_data_sheets(
        &self,
        pair: &Plan,
        before: &Ran,
        levers: &[Lever],
    ) -> Result<Option<Surer>, AskError> {
        let mut best: Option<(f64, &Lever)> = None;
        let base = self.logarithms(pair, &[])?;
        for lever in levers {
            let value = lever.at(lever.now * STEP);
            let value = if (value.number - lever.now).abs() < 1e-9 {
                lever.at(lever.now + 1.0)
            } else {
                value
            };
            let moved = libm::log(value.number / lever.now);
            let (Some(base), Some(other)) = (base, self.logarithms(pair, &value.sets)?) else {
                continue;
            };
            let known = width(before, lever);
            let by = libm::fabs((other - base) / moved) * libm::log(known);
            if by.is_finite() && best.is_none_or(|(most, _)| by > most) {
                best = Some((by, lever));
            }
        }
        let Some((by, lever)) = best.filter(|(by, _)| *by >= WORTH_MEASURING) else {
            return Ok(None);
        };
        Ok(Some(Surer {
            what: lever.name.clone(),
            paths: lever.paths.clone(),
            run: run_for(lever.key()).to_string(),
            share: None,
            moves: Some(libm::expm1(by)),
        }))
    }

    /// The logarithm of what the answer rests on, mean over a few nights.
    fn logarithms(
        &self,
        pair: &Plan,
        sets: &[bakcast_scenarios::Set],
    ) -> Result<Option<f64>, AskError> {
        match self.run(&self.quick, pair, sets) {
            Ok((before, tried)) => {
                let after = tried.first().and_then(|tried| tried.ran.as_ref());
                let Some(after) = after else { return Ok(None) };
                let logs = rests_on(pair, &before, after);
                Ok(Some(logs.iter().sum::<f64>() / (logs.len() as f64).max(1.0)))
            }
            Err(AskError::Cancelled(cancelled)) => Err(cancelled.into()),
            Err(_) => Ok(None),
        }
    }
}

/// What the answer rests on, night by night: the ratio, or the duration where a limit counts.
fn rests_on(pair: &Plan, before: &Ran, after: &Ran) -> Vec<f64> {
    let nights = |ran: &Ran| ran.nights(pair.operation).unwrap_or_default().to_vec();
    let (first, second) = (nights(before), nights(after));
    match pair.rule {
        Rule::Fits(_) | Rule::Verify => first.iter().map(|seconds| libm::log(*seconds)).collect(),
        _ => first.iter().zip(&second).map(|(a, b)| libm::log(*b) - libm::log(*a)).collect(),
    }
}

fn of_ensemble(pair: &Plan, before: &Ran, after: &Ran) -> Option<Surer> {
    let ensemble = before.loaded.scenario.ensemble.as_ref()?;
    let logs = rests_on(pair, before, after);
    // One value a member, so that each counts once.
    let members = ensemble.members().min(logs.len());
    let logs = means_by_member(&logs, members);
    let share = |values: &[f64]| {
        let together = correlation(&ranks(&logs), &ranks(values.get(..members)?))?;
        Some(together * together)
    };
    let parameters = ensemble.parameter.values();
    let shares = parameters.filter_map(|one| Some((share(&one.values)?, one)));
    let (share, parameter) = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
    if share < WORTH_NAMING {
        return None;
    }
    let levers = crate::levers::levers(&[&before.loaded, &after.loaded]);
    let known = crate::levers::by_path(&levers);
    let lever = parameter.paths.iter().find_map(|path| known.get(path.as_str()));
    let path = parameter.paths.first()?;
    let (what, key) = match lever {
        Some(lever) => (lever.name.clone(), lever.key().to_string()),
        None => (plainly(path), path.clone()),
    };
    Some(Surer {
        what,
        paths: parameter.paths.clone(),
        run: run_for(&key).to_string(),
        share: Some(share),
        moves: None,
    })
}

/// A knob that is no lever, in words.
fn plainly(path: &str) -> String {
    match path {
        "engine.start" | "engine.finish" => "fixed cost of a backup".to_string(),
        _ if path.ends_with(".position") => "place of the data on the disk".to_string(),
        _ => format!("`{path}`"),
    }
}

/// Night r is that of member r mod k.
fn means_by_member(nights: &[f64], members: usize) -> Vec<f64> {
    let mean = |member: usize| {
        let own = nights.iter().skip(member).step_by(members.max(1));
        let (count, sum) = own.fold((0.0, 0.0), |(count, sum), x| (count + 1.0, sum + x));
        sum / f64::max(count, 1.0)
    };
    (0..members).map(mean).collect()
}

/// Ranks from 0, ties in their order.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank as f64;
    }
    ranks
}

fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let count = a.len().min(b.len()) as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count.max(1.0);
    let (of_a, of_b) = (mean(a), mean(b));
    let product = |x: &[f64], mx: f64, y: &[f64], my: f64| {
        x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
    };
    let spread = (product(a, of_a, a, of_a) * product(b, of_b, b, of_b)).sqrt();
    Some(product(a, of_a, b, of_b) / spread).filter(|found| count > 3.0 && found.is_finite())
}

/// How sure a value is, as a factor: by the library, or by its kind. What can be counted is known.
fn width(ran: &Ran, lever: &Lever) -> f64 {
    let path = lever.paths.first().map_or("", String::as_str);
    if let Some(prior) = prior_for(&ran.loaded.scenario, path) {
        return prior.factor;
    }
    match lever.unit {
        LeverUnit::Count => COUNTED,
        _ => prior_of(path).factor,
    }
}

/// The run or the benchmark that measures a knob.
fn run_for(key: &str) -> &'static str {
    match key {
        "spindle.read_rate" | "solid_state.read_rate" | "fixed_rate.rate" => {
            "an uncompressed BACKUP to NUL, or diskspd: sequential reads of 1 MiB"
        }
        "spindle.write_rate" | "solid_state.write_rate" => {
            "diskspd or fio: sequential writes of 1 MiB, longer than any cache"
        }
        "spindle.positioning" => "diskspd: one sequential reader and one writer at once",
        "solid_state.stream_amplification" => "diskspd: writes to four files at once, then to one",
        "solid_state.stall.mean" | "solid_state.stall.every" => {
            "diskspd: writes of 1 MiB for some minutes, with percentiles of latency"
        }
        "solid_state.latency" | "solid_state.command_time" => "diskspd: reads of 64 KiB at depth 1",
        "link.rate" => "several copies to the share at once",
        "link.per_connection" => "one copy to the share, then two at once",
        "capped.rate" | "capped.operations.per_second" => {
            "the provider's limits, and diskspd until the burst is used up"
        }
        "compression.rate" => "a compressed BACKUP to NUL, with the processors' use",
        "compression.ratio" => "backup_size / compressed_backup_size in msdb.dbo.backupset",
        "compression.decompression_rate" => {
            "RESTORE VERIFYONLY of a compressed file on a fast device"
        }
        "processor.logical_processors" => "cpu_count in sys.dm_os_sys_info",
        "processor.threads_per_core" => {
            "cpu_count over socket_count x cores_per_socket in sys.dm_os_sys_info"
        }
        "engine.start" | "engine.finish" => "a BACKUP of a nearly empty database",
        key if key.ends_with(".position") => "sequential reads where the database lies on the disk",
        _ => "`bakcast calibrate --design`: it proposes the runs that tell most",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_go_together_correlate() {
        let rising = ranks(&[1.0, 5.0, 2.0, 9.0, 7.0]);
        assert_eq!(rising, [0.0, 2.0, 1.0, 4.0, 3.0]);
        let falling: Vec<f64> = rising.iter().map(|rank| -rank).collect();
        assert!((correlation(&rising, &falling).unwrap() + 1.0).abs() < 1e-12);
        assert_eq!(correlation(&[1.0; 5], &rising), None);
        assert_eq!(means_by_member(&[1.0, 2.0, 3.0, 4.0], 2), [2.0, 3.0]);
    }
}
