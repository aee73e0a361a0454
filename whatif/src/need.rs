//! What rates a window demands: the inverse of a prediction.
//!
//! Found on the simulation, not on the bounds, which only say where to begin: the least rates at
//! which the upper end of the range fits the window. One stage at a time, the others as they are;
//! and all of them at once, each as busy as the others would be if nothing ever waited.

use std::sync::Arc;

use bakcast_models::quantity::ByteRate;
use bakcast_scenarios::predict::{Asked, PredictOptions, Range};
use bakcast_scenarios::{Document, LibraryEntry, LibraryKind, Set, library};

use crate::design::Configuration;
use crate::levers::{Lever, LeverSide, LeverUnit, LeverValue, levers};
use crate::runner::{GoOn, Operation, Ran, Runner};

use crate::ask::AskError as NeedError;

/// Part of the pipeline that could be faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What is read.
    Source,
    /// Links and caps on the way.
    Path,
    /// What is written, and read again to verify.
    Target,
    /// How fast each processor is.
    ProcessorRate,
    /// How many processors there are.
    ProcessorCount,
}

impl Part {
    const ALL: [Part; 5] =
        [Part::Source, Part::Path, Part::Target, Part::ProcessorRate, Part::ProcessorCount];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::Source => "source",
            Part::Path => "path",
            Part::Target => "target",
            Part::ProcessorRate => "processor rate",
            Part::ProcessorCount => "processors",
        }
    }

    fn has(self, lever: &Lever) -> bool {
        let is_rate = lever.unit == LeverUnit::Rate
            || lever.paths.iter().any(|path| path.ends_with("per_second"));
        match self {
            Part::Source => lever.side == LeverSide::Source && is_rate,
            Part::Path => lever.side == LeverSide::Path && is_rate,
            Part::Target => lever.side == LeverSide::Target && is_rate,
            Part::ProcessorRate => lever.side == LeverSide::Processor && is_rate,
            Part::ProcessorCount => {
                lever.paths.iter().any(|path| path == "processor.logical_processors")
            }
        }
    }
}

/// One number that a window demands.
#[derive(Debug, Clone, PartialEq)]
pub struct Demanded {
    /// What it is.
    pub lever: Lever,
    /// What it has to be.
    pub value: LeverValue,
}

/// What a part has to be for the window.
#[derive(Debug, Clone)]
pub struct PartNeed {
    /// Which part.
    pub part: Part,
    /// By how much its rates are multiplied; absent: it does not reach by this alone.
    pub factor: Option<f64>,
    /// Its rates then.
    pub rates: Vec<Demanded>,
    /// The upper end of the range with them.
    pub high_seconds: Option<f64>,
    /// The upper end of the range with the part at [`MOST`] times its rates: what it could do.
    pub best_seconds: f64,
    /// The slowest device of the library that would do.
    pub device: Option<&'static LibraryEntry>,
}

/// What a window demands.
#[derive(Debug, Clone)]
pub struct Needed {
    /// What has to fit.
    pub operation: Operation,
    /// The window.
    pub window_seconds: f64,
    /// The scenario as it is.
    pub ran: Arc<Ran>,
    /// Its range.
    pub range: Range,
    /// Whether it fits as it is.
    pub fits: bool,
    /// One part at a time.
    pub alone: Vec<PartNeed>,
    /// All at once, each as busy as the others; absent: no rates do.
    pub balanced: Option<PartNeed>,
    /// The rates of `balanced`, by part.
    pub balanced_parts: Vec<Part>,
    /// Configurations that were run.
    pub evaluated: usize,
}

/// Rates are multiplied or divided by no more than this.
pub const MOST: f64 = 64.0;
/// Halvings of the logarithm of that, to well below 1 %.
const HALVINGS: u32 = 11;

struct Search<'a> {
    runner: Runner<'a>,
    operation: Operation,
    window: f64,
    go_on: GoOn<'a>,
}

/// The rates that a window demands.
///
/// # Errors
/// [`crate::AskError`]
pub fn need(
    (document, variant, sets): (&Document, Option<&str>, &[Set]),
    (operation, window): (Option<Operation>, f64),
    options: &PredictOptions,
    go_on: GoOn<'_>,
) -> Result<Needed, NeedError> {
    let limits = Runner::new(document, variant, sets, *options, Asked::Limits);
    let as_is = Configuration::default();
    let outcome = limits.run(std::slice::from_ref(&as_is), go_on)?;
    let ran = outcome.into_iter().next().unwrap_or_else(|| unreachable!("one was asked for"));
    let ran = ran.map_err(NeedError::Refused)?;
    let operation = operation.unwrap_or(match ran.nights(Operation::Verify) {
        Some(_) => Operation::Total,
        None => Operation::Backup,
    });
    let Some(nights) = ran.nights(operation) else {
        return Err(NeedError::NotAsked(format!("the scenario has no {}", operation.name())));
    };
    let range = Range::of(nights, options.level);
    let runner = limits.another(*options, Asked::Durations);
    let search = Search { runner, operation, window, go_on };
    let levers = levers(&[&ran.loaded]);
    let mut alone = Vec::new();
    for part in Part::ALL {
        let own: Vec<(&Lever, f64)> =
            levers.iter().filter(|lever| part.has(lever)).map(|lever| (lever, 1.0)).collect();
        if !own.is_empty() {
            let mut found = search.least(part, &own)?;
            found.device = found.factor.and_then(|_| device_for(part, &found.rates));
            alone.push(found);
        }
    }
    let parts = [Part::Source, Part::Path, Part::Target, Part::ProcessorRate];
    let weights = weights(&ran, operation, window);
    let all: Vec<(&Lever, f64)> = levers
        .iter()
        .filter(|lever| parts.iter().any(|part| part.has(lever)))
        .map(|lever| (lever, weights(lever)))
        .collect();
    let found = search.least(Part::Source, &all)?;
    let part_of = |rate: &Demanded| {
        parts.into_iter().find(|part| part.has(&rate.lever)).unwrap_or(Part::Source)
    };
    let balanced_parts = found.rates.iter().map(part_of).collect();
    Ok(Needed {
        operation,
        window_seconds: window,
        fits: range.high <= window,
        ran,
        range,
        alone,
        balanced: found.factor.is_some().then_some(found),
        balanced_parts,
        evaluated: search.runner.evaluated() + 1,
    })
}

/// By how much each rate has to grow for its stations to be busy all the time of the window: how
/// long they work, as a share of it.
fn weights(ran: &Ran, operation: Operation, window: f64) -> impl Fn(&Lever) -> f64 + use<> {
    let mut busy: std::collections::BTreeMap<String, f64> = std::collections::BTreeMap::new();
    let backup = Some(&ran.prediction.backup).filter(|_| operation != Operation::Verify);
    let verify = ran.prediction.verify.as_ref().filter(|_| operation != Operation::Backup);
    for one in backup.into_iter().chain(verify) {
        for station in &one.stations {
            let seconds = station.busy_seconds / f64::from(station.servers.max(1));
            *busy.entry(station.name.clone()).or_default() += seconds;
        }
    }
    move |lever: &Lever| {
        let of = |path: &String| {
            let device = path.strip_prefix("device.").and_then(|rest| rest.split('.').next());
            let seconds = match device {
                Some(device) => busy.get(device).copied(),
                None => busy.get("processor").copied(),
            };
            seconds.unwrap_or(0.0)
        };
        let seconds = lever.paths.iter().map(of).fold(0.0, f64::max);
        (seconds / window).clamp(1.0 / MOST, MOST)
    }
}

impl Search<'_> {
    /// The upper end of the range with these rates; `None`: it cannot be.
    fn high(&self, values: &[LeverValue]) -> Result<Option<f64>, NeedError> {
        let sets = values.iter().flat_map(|value| value.sets.clone()).collect();
        let configuration = Configuration { sets, ..Configuration::default() };
        let outcome = self.runner.run(&[configuration], self.go_on)?.pop();
        let nights = |ran: &Arc<Ran>| {
            let range = Range::of(ran.nights(self.operation)?, self.runner.options().level);
            Some(range.high)
        };
        Ok(outcome.and_then(Result::ok).and_then(|ran| nights(&ran)))
    }

    /// The least factor on these levers, each with a weight of its own, that fits the window.
    fn least(&self, part: Part, levers: &[(&Lever, f64)]) -> Result<PartNeed, NeedError> {
        let at = |factor: f64| -> Vec<LeverValue> {
            levers.iter().map(|(lever, weight)| lever.at(lever.now * weight * factor)).collect()
        };
        let fits = |high: Option<f64>| high.is_some_and(|high| high <= self.window);
        let best = self.high(&at(MOST))?;
        let none = PartNeed {
            part,
            factor: None,
            rates: Vec::new(),
            high_seconds: None,
            best_seconds: best.unwrap_or(f64::INFINITY),
            device: None,
        };
        if !fits(best) {
            return Ok(none);
        }
        let (mut does, mut does_not) = (MOST, 1.0 / MOST);
        let mut high = best;
        // From where it stands: most answers are near.
        for start in [1.0, 4.0, 0.25] {
            if does_not < start && start < does {
                let there = self.high(&at(start))?;
                if fits(there) {
                    (does, high) = (start, there);
                } else {
                    does_not = start;
                }
            }
        }
        let counts = levers.iter().all(|(lever, _)| lever.unit == LeverUnit::Count);
        for _ in 0..HALVINGS {
            let middle = (does * does_not).sqrt();
            let values = at(middle);
            if does / does_not < 1.004 || values == at(does) || values == at(does_not) && !counts {
                break;
            }
            let there = self.high(&values)?;
            if fits(there) {
                (does, high) = (middle, there);
            } else {
                does_not = middle;
            }
        }
        let rates = levers.iter().zip(at(does));
        let rates = rates.map(|((lever, _), value)| Demanded { lever: (*lever).clone(), value });
        Ok(PartNeed {
            factor: Some(does),
            rates: rates.collect(),
            high_seconds: high,
            best_seconds: best.unwrap_or(f64::INFINITY),
            ..none
        })
    }
}

/// The slowest device of the library with rates that do, of a law that can stand there.
fn device_for(part: Part, rates: &[Demanded]) -> Option<&'static LibraryEntry> {
    if !matches!(part, Part::Source | Part::Target | Part::Path) {
        return None;
    }
    let wanted = |word: &str| {
        let own = rates.iter().filter(|rate| rate.lever.unit == LeverUnit::Rate);
        let own = own.filter(|rate| {
            let key = rate.lever.key();
            key.ends_with(word) || key == "fixed_rate.rate" || key == "capped.rate"
        });
        own.map(|rate| rate.value.number).fold(0.0, f64::max)
    };
    let (read, write) = (wanted("read_rate"), wanted("write_rate"));
    let link = wanted("link.rate");
    let capped = rates.iter().any(|rate| rate.lever.key().starts_with("capped"));
    let devices = library().iter().filter(|entry| entry.kind == LibraryKind::Device);
    let fit = devices.filter_map(|entry| {
        let at = |name: &str| {
            let value = entry.values.iter().find(|value| value.key.ends_with(name))?;
            value.value.parse::<ByteRate>().ok().map(ByteRate::get)
        };
        let is_link = entry.law == Some("link");
        // Who has a provider's limits buys others; nobody puts a provider's volume in a laptop.
        if !is_link && (entry.law == Some("capped")) != capped {
            return None;
        }
        let has = match part {
            Part::Path => at("link.rate").filter(|rate| is_link && *rate >= link)?,
            _ if is_link => return None,
            _ => {
                let rate = at("capped.rate");
                let (reads, writes) = (at("read_rate").or(rate)?, at("write_rate").or(rate)?);
                // What is written to a small cache first is not what it keeps up.
                let writes = at("write_rate_after").map_or(writes, |after| after.min(writes));
                if reads < read || writes < write {
                    return None;
                }
                reads.max(writes)
            }
        };
        Some((has, entry))
    });
    fit.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, entry)| entry)
}
