//! The kinds of backup at every size, and when each stops fitting.

use bakcast_scenarios::{Loaded, Set};

use super::curve::Curve;
use super::mixture::Mixture;
use super::routine::{BackupKind, Routine};
use super::{Ahead, PlanError, Stop, factor, normal_quantile};
use crate::design::Configuration;
use crate::runner::{GoOn, Operation, Runner};

/// Sizes are added this often at most.
const ROUNDS: usize = 6;

/// One kind of backup, to be run with other settings and at other sizes.
#[derive(Clone)]
pub(super) struct Sized<'r, 'a> {
    pub(super) runner: &'r Runner<'a>,
    pub(super) operation: Operation,
    kind: BackupKind,
    /// Time there is for one of them.
    limit_seconds: f64,
    /// The knob and the bytes of each volume.
    volumes: Vec<(String, f64)>,
    /// The share of them that is read.
    share: f64,
    changed: Vec<Set>,
}

impl<'r, 'a> Sized<'r, 'a> {
    /// The kinds of a plan, the full backup first.
    pub(super) fn all(
        runner: &'r Runner<'a>,
        ahead: &Ahead,
        loaded: &Loaded,
    ) -> Result<Vec<Self>, PlanError> {
        let kinds = ahead.routine.as_ref().map_or(vec![BackupKind::Full], Routine::kinds);
        kinds.into_iter().map(|kind| Sized::of(kind, runner, ahead, loaded)).collect()
    }

    fn of(
        kind: BackupKind,
        runner: &'r Runner<'a>,
        ahead: &Ahead,
        loaded: &Loaded,
    ) -> Result<Self, PlanError> {
        let routine = ahead.routine.as_ref();
        let every = routine.map_or(f64::INFINITY, |own| own.every_seconds(kind));
        let limit = if kind == BackupKind::Log { every } else { every.min(ahead.window_seconds) };
        let mut sized = Sized {
            runner,
            operation: ahead.operation,
            kind,
            limit_seconds: limit,
            volumes: volumes(loaded),
            share: routine.map_or(1.0, |own| own.largest_share(kind)),
            changed: Vec::new(),
        };
        if let (BackupKind::Log, Some(log)) = (kind, routine.and_then(|own| own.log.as_ref())) {
            let devices = &loaded.scenario.device;
            let first = || loaded.scenario.volume.values().next().map(|v| v.device.clone());
            let device = log.device.clone().or_else(first).unwrap_or_default();
            if !devices.contains_key(&device) {
                let names: Vec<&str> = devices.keys().map(String::as_str).collect();
                return Err(PlanError::NoDevice { name: device, accepted: names.join(", ") });
            }
            let device = toml::Value::String(device);
            let volume = format!("{{log={{device={device},size=\"{:.0} B\"}}}}", log.bytes);
            sized.changed.push(Set::new("volume", volume));
            sized.volumes = vec![("volume.log.size".to_string(), log.bytes)];
        }
        Ok(sized)
    }

    /// The same with other settings.
    pub(super) fn with(&self, sets: &[Set]) -> Self {
        let changed = sets.iter().chain(&self.changed).cloned().collect();
        Sized { changed, ..self.clone() }
    }

    /// The assignments that make the data so many times as large.
    pub(super) fn sets(&self, factor: f64) -> Vec<Set> {
        let factor = factor * self.share;
        let size = |bytes: f64| format!("{:.0} B", (bytes * factor).round().max(1.0));
        let volumes = self.volumes.iter().filter(|_| (factor - 1.0).abs() > 0.0);
        let sizes = volumes.map(|(path, bytes)| Set::new(path.clone(), size(*bytes)));
        self.changed.iter().cloned().chain(sizes).collect()
    }

    pub(super) fn configuration(&self, factor: f64) -> Configuration {
        Configuration { sets: self.sets(factor), ..Configuration::default() }
    }
}

fn volumes(loaded: &Loaded) -> Vec<(String, f64)> {
    let volumes = loaded.scenario.volume.iter();
    volumes.map(|(name, v)| (format!("volume.{name}.size"), v.size.bytes().as_f64())).collect()
}

/// How long one kind takes with so much data: by itself, and as log backups hold it up.
#[derive(Clone, Copy)]
pub(super) struct Course<'c> {
    curve: &'c Curve,
    /// Those of the log, and the time from one to the next.
    logs: Option<(&'c Curve, f64)>,
}

impl Course<'_> {
    /// The durations of all nights with so much data; none where it cannot be done.
    pub(super) fn at(&self, factor: f64) -> Vec<f64> {
        let alone = self.curve.at(factor);
        let Some((logs, every)) = self.logs else { return alone.collect() };
        let held_up = |(seconds, log): (f64, f64)| {
            if log < every { seconds / (1.0 - log / every) } else { f64::INFINITY }
        };
        alone.zip(logs.at(factor)).map(held_up).collect()
    }

    fn median(&self, factor: f64) -> f64 {
        Mixture::new(self.at(factor)).quantile(0.5)
    }

    /// The first month in which too few keep the limit.
    fn stop(&self, limit_seconds: f64, ahead: &Ahead, rates: &[f64]) -> Option<u32> {
        (0..=ahead.months).find(|month| {
            let mixture = Mixture::of(*self, rates, *month);
            mixture.share_within(limit_seconds) < ahead.probability
        })
    }
}

/// What was found of one kind.
pub(super) struct KindLooked {
    pub(super) kind: BackupKind,
    pub(super) limit_seconds: f64,
    pub(super) curve: Curve,
    pub(super) stop: Stop,
    /// How far the curve was off between two sizes.
    error: Option<f64>,
}

/// What was found of all kinds.
pub(super) struct Looked {
    /// In the order of the plan.
    pub(super) kinds: Vec<KindLooked>,
    /// From one log backup to the next.
    log_every: f64,
}

impl Looked {
    /// Looks at every kind.
    pub(super) fn at(
        all: &[Sized<'_, '_>],
        ahead: &Ahead,
        go_on: GoOn<'_>,
    ) -> Result<Self, PlanError> {
        let every = ahead.routine.as_ref().map(|own| own.every_seconds(BackupKind::Log));
        let log_every = every.unwrap_or(f64::INFINITY);
        let log = all.iter().find(|sized| sized.kind == BackupKind::Log);
        let log = log.map(|sized| look(sized, None, ahead, go_on)).transpose()?;
        let mut kinds = Vec::new();
        for sized in all.iter().filter(|sized| sized.kind != BackupKind::Log) {
            let logs = log.as_ref().map(|log| (&log.curve, log_every));
            kinds.push(look(sized, logs, ahead, go_on)?);
        }
        kinds.extend(log);
        Ok(Looked { kinds, log_every })
    }

    /// How long a kind takes.
    pub(super) fn course(&self, index: usize) -> Course<'_> {
        let own = &self.kinds[index];
        let log = self.kinds.iter().find(|other| other.kind == BackupKind::Log);
        let log = log.filter(|log| log.kind != own.kind);
        Course { curve: &own.curve, logs: log.map(|log| (&log.curve, self.log_every)) }
    }

    /// The kind that is the first to stop fitting; if none does, the first kind. Log backups that
    /// do not fit leave no time for the others, so that of the same month they are the cause.
    pub(super) fn first_to_stop(&self) -> usize {
        let month = |index: &usize| {
            let own = &self.kinds[*index];
            let month = own.stop.month.unwrap_or(u32::MAX);
            (month, own.stop.month.is_none() || own.kind != BackupKind::Log)
        };
        (0..self.kinds.len()).min_by_key(month).unwrap_or(0)
    }

    /// When the first of them stops fitting.
    pub(super) fn stop(&self) -> Stop {
        let first =
            |of: fn(&Stop) -> Option<u32>| self.kinds.iter().filter_map(|own| of(&own.stop)).min();
        Stop { month: first(|s| s.month), low: first(|s| s.low), high: first(|s| s.high) }
    }

    /// The largest relative error between sizes.
    pub(super) fn error(&self) -> Option<f64> {
        self.kinds.iter().filter_map(|own| own.error).max_by(f64::total_cmp)
    }
}

/// One kind: its curve, and when it stops fitting.
fn look(
    sized: &Sized<'_, '_>,
    logs: Option<(&Curve, f64)>,
    ahead: &Ahead,
    go_on: GoOn<'_>,
) -> Result<KindLooked, PlanError> {
    let limit = sized.limit_seconds;
    let rates = ahead.growth.rates();
    let end = |rate: &f64| factor(*rate, ahead.months);
    let largest = rates.iter().map(end).fold(1.0, f64::max);
    let smallest = rates.iter().map(end).fold(1.0, f64::min);
    let mut curve = Curve::simulate(sized, (smallest, largest), limit, go_on)?;
    let mut error: Option<f64> = None;
    let middle = ahead.growth.at(0.0);
    for _ in 0..ROUNDS {
        let course = Course { curve: &curve, logs };
        let around = match course.stop(limit, ahead, &rates) {
            Some(month) => vec![month.saturating_sub(1), month],
            None => vec![ahead.months / 2],
        };
        let factors: Vec<f64> = around.iter().map(|month| factor(middle, *month)).collect();
        let new = factors.iter().copied().filter(|factor| !curve.factors().contains(factor));
        let new: Vec<f64> = new.filter(|factor| *factor <= largest).collect();
        if new.is_empty() {
            break;
        }
        let alone = |curve: &Curve, factor: f64| Course { curve, logs: None }.median(factor);
        let guessed: Vec<f64> = new.iter().map(|factor| alone(&curve, *factor)).collect();
        curve.try_factors(sized, &new, go_on)?;
        for (factor, guess) in new.iter().zip(guessed) {
            let found = alone(&curve, *factor);
            if found.is_finite() && guess.is_finite() {
                error = Some(error.unwrap_or(0.0).max((guess / found - 1.0).abs()));
            }
        }
    }
    let course = Course { curve: &curve, logs };
    let stop_with = |rates: &[f64]| course.stop(limit, ahead, rates);
    let stop = Stop {
        month: stop_with(&rates),
        low: stop_with(&[ahead.growth.at(normal_quantile(0.95))]),
        high: stop_with(&[ahead.growth.at(normal_quantile(0.05))]),
    };
    Ok(KindLooked { kind: sized.kind, limit_seconds: limit, curve, stop, error })
}
