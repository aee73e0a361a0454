//! The search among the settings of a lattice.

use std::collections::BTreeMap;
use std::sync::Arc;

use bakcast_scenarios::predict::{Asked, PredictOptions};

use super::lattice::{Lattice, Settings, usual_devices};
use super::limit::{Limit, Measure, memory_of};
use super::{Advice, Evaluated, Recommendation, Subject, Wanted, as_it_is, race};
use crate::compare::CompareError;
use crate::paired::Paired;
use crate::runner::{Cancelled, FEW_NIGHTS, GoOn, Ran, Runner, few_nights};

/// Settings that are all tried, where there are no more.
const EVERY: usize = 160;
/// Ways to compress and to place files of which all buffer counts and transfer sizes are tried.
const KEPT: usize = 6;
/// How far from the best such a way may be in the first round, as a logarithm: 12 %.
const PROMISING: f64 = 0.113;
/// Memory that nobody misses: of less, the least is not sought.
const LITTLE_MEMORY: u64 = 64 << 20;
/// Finalists: the shortest, and the smallest of those that may turn out to be near the best.
const SHORTEST: usize = 8;
const SMALLEST: usize = 10;
/// How far from the best a small finalist may be: the threshold and what a few nights may err.
const ERROR: f64 = 0.02;

/// Settings that were run.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) settings: Settings,
    pub(super) ran: Arc<Ran>,
    /// Mean of the logarithm of the ratio to the present settings.
    pub(super) score: f64,
}

impl Candidate {
    /// What is small: memory, files, buffers, options. Of little memory, buffers do not count.
    pub(super) fn size(&self) -> (u64, usize, u32, usize) {
        let memory = memory_of(&self.ran);
        let count = self.ran.loaded.resolved.backup.buffers.count;
        let count = if memory > LITTLE_MEMORY { count } else { 0 };
        let (files, options) = (self.settings.stripes.len(), self.settings.options());
        (memory.max(LITTLE_MEMORY), files, count, options)
    }
}

/// A way to compress and to place files, with what its buffers take.
#[derive(Debug, Clone)]
struct Way {
    compression: bool,
    stripes: Vec<String>,
    /// Sets of buffers, the count and the size the engine takes, and memory of other jobs.
    sets: u64,
    count: u64,
    transfer: u64,
    others: u64,
}

impl Way {
    fn settings(&self, (buffer_count, transfer_bytes): (Option<u32>, Option<u64>)) -> Settings {
        let (compression, stripes) = (self.compression, self.stripes.clone());
        Settings { compression, stripes, buffer_count, transfer_bytes }
    }

    fn memory(&self, (count, transfer): (Option<u32>, Option<u64>)) -> u64 {
        let count = count.map_or(self.count, u64::from);
        let transfer = transfer.unwrap_or(self.transfer);
        let own = self.sets.saturating_mul(count).saturating_mul(transfer);
        self.others.saturating_add(own)
    }
}

/// What is known so far.
pub(super) struct Search<'a> {
    pub(super) wanted: Wanted,
    pub(super) present: Candidate,
    own_memory_limit: bool,
    devices: Vec<String>,
    pub(super) lattice: Lattice,
    few: Runner<'a>,
    pub(super) all: Runner<'a>,
    /// Whether nights take long.
    is_long: bool,
    base_few: Arc<Ran>,
    tried: BTreeMap<Settings, Candidate>,
    budget: usize,
}

impl<'a> Search<'a> {
    /// Runs the present settings.
    pub(super) fn begin(
        subject: &Subject<'a>,
        wanted: &Wanted,
        go_on: GoOn<'_>,
    ) -> Result<Self, CompareError> {
        let all = subject.runner(subject.options, Asked::Durations);
        let one = |runner: &Runner<'a>| -> Result<Arc<Ran>, CompareError> {
            let outcome = runner.run(&[as_it_is()], go_on)?.into_iter().next();
            match outcome {
                Some(Ok(ran)) => Ok(ran),
                Some(Err(refused)) => Err(CompareError::Reference(refused)),
                None => unreachable!("one configuration has one outcome"),
            }
        };
        let base = one(&all)?;
        // Finalists are run over all nights. Where those take long, so many more of them are
        // carried forward sooner than are simulated otherwise.
        let is_long = few_nights(&base.loaded) < FEW_NIGHTS;
        let replications = subject.options.replications.min(FEW_NIGHTS);
        let rough = subject.options.rough || (is_long && !subject.options.exact);
        let few = PredictOptions { replications, rough, precision: None, ..subject.options };
        let few = all.another(few, Asked::Durations);
        let base_few = one(&few)?;
        if base.nights(wanted.operation).is_none() {
            return Err(CompareError::NoOperation(wanted.operation));
        }
        let scenario = &base.loaded.scenario;
        let devices = wanted.devices.clone().unwrap_or_else(|| usual_devices(scenario));
        let mut wanted = wanted.clone();
        for limit in wanted.limits.iter().filter(|limit| limit.measure == Measure::Files) {
            let most = limit.most - if limit.strictly { f64::EPSILON } else { 0.0 };
            wanted.most_files = wanted.most_files.min(most.max(1.0) as usize);
        }
        let own_memory_limit = wanted.limits.iter().all(|l| l.measure != Measure::Memory);
        if own_memory_limit {
            let most = Wanted::MEMORY.max(memory_of(&base)) as f64;
            let text = "memory as is usual".to_string();
            wanted.limits.push(Limit { text, measure: Measure::Memory, most, strictly: false });
        }
        let lattice = Lattice::around(scenario, &devices, wanted.most_files);
        let settings = Settings::of(scenario);
        let present = Candidate { settings, ran: base, score: 0.0 };
        let budget = wanted.budget;
        let tried = BTreeMap::new();
        let mut search = Search {
            wanted,
            present,
            own_memory_limit,
            devices,
            lattice,
            few,
            all,
            is_long,
            base_few,
            tried,
            budget,
        };
        let present = Candidate { ran: Arc::clone(&search.base_few), ..search.present.clone() };
        if search.is_allowed(&present.settings) {
            search.tried.insert(present.settings.clone(), present);
        }
        Ok(search)
    }

    /// Whether files lie on devices that are allowed, and are no more than may be.
    fn is_allowed(&self, settings: &Settings) -> bool {
        settings.stripes.len() <= self.wanted.most_files
            && settings.stripes.iter().all(|device| self.devices.contains(device))
    }

    /// Whether a configuration keeps all limits.
    pub(super) fn keeps(&self, ran: &Ran) -> bool {
        self.wanted.limits.iter().all(|limit| limit.is_kept(ran))
    }

    fn memory_fits(&self, bytes: u64) -> bool {
        let mut limits = self.wanted.limits.iter().filter(|l| l.measure == Measure::Memory);
        limits.all(|limit| limit.allows(bytes as f64))
    }

    /// Ways to compress and to place files that can be run at all.
    fn ways(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        for compression in &self.lattice.compression {
            for stripes in &self.lattice.stripes {
                let plain = Settings {
                    compression: *compression,
                    stripes: stripes.clone(),
                    buffer_count: None,
                    transfer_bytes: None,
                };
                let configuration = plain.configuration(&self.present.settings);
                let Ok(loaded) = self.few.load(&configuration) else { continue };
                let buffers = loaded.resolved.backup.buffers;
                let all = loaded.resolved.backup.memory_of_all_jobs().get();
                ways.push(Way {
                    compression: *compression,
                    stripes: plain.stripes,
                    sets: u64::from(buffers.sets),
                    count: u64::from(buffers.count),
                    transfer: buffers.transfer_size.get(),
                    others: all.saturating_sub(buffers.memory().get()),
                });
            }
        }
        ways
    }

    /// Buffer counts and transfer sizes of a way that memory allows, the least memory first.
    fn pairs(&self, way: &Way) -> Vec<(Option<u32>, Option<u64>)> {
        let counts = self.lattice.buffer_counts.iter();
        let sizes = &self.lattice.transfer_bytes;
        let all = counts.flat_map(|count| sizes.iter().map(move |size| (*count, *size)));
        let mut pairs: Vec<_> = all.filter(|pair| self.memory_fits(way.memory(*pair))).collect();
        pairs.sort_by_key(|pair| (way.memory(*pair), *pair));
        pairs
    }

    /// Runs a few nights of what was not run yet, as far as the budget goes.
    fn attempt(&mut self, all: Vec<Settings>, go_on: GoOn<'_>) -> Result<(), Cancelled> {
        let mut new: Vec<Settings> =
            all.into_iter().filter(|settings| !self.tried.contains_key(settings)).collect();
        new.sort_unstable();
        new.dedup();
        new.truncate(self.budget.saturating_sub(self.tried.len()));
        let present = &self.present.settings;
        let configurations: Vec<_> = new.iter().map(|s| s.configuration(present)).collect();
        let outcomes = self.few.run(&configurations, go_on)?;
        for (settings, outcome) in new.into_iter().zip(outcomes) {
            let Ok(ran) = outcome else { continue };
            if let Some(score) = self.score(&ran, &self.base_few) {
                self.tried.insert(settings.clone(), Candidate { settings, ran, score });
            }
        }
        Ok(())
    }

    fn score(&self, ran: &Ran, base: &Ran) -> Option<f64> {
        let level = self.few.options().level;
        let paired = ran.against(base, self.wanted.operation, level)?;
        Some(libm::log(paired.ratio))
    }

    /// Tries what is promising.
    pub(super) fn explore(&mut self, go_on: GoOn<'_>) -> Result<(), Cancelled> {
        let ways = self.ways();
        let pairs: Vec<_> = ways.iter().map(|way| self.pairs(way)).collect();
        let count: usize = pairs.iter().map(Vec::len).sum();
        let of = |way: usize| -> Vec<Settings> {
            pairs[way].iter().map(|pair| ways[way].settings(*pair)).collect()
        };
        if count <= EVERY {
            return self.attempt((0..ways.len()).flat_map(of).collect(), go_on);
        }
        let probes = |way: usize| {
            let own = &pairs[way];
            let places = [0, own.len() / 2, own.len().saturating_sub(1)];
            let taken = places.into_iter().filter_map(|place| own.get(place));
            taken.map(|pair| ways[way].settings(*pair)).collect::<Vec<_>>()
        };
        self.attempt((0..ways.len()).flat_map(probes).collect(), go_on)?;
        let mut scored: Vec<(f64, usize)> = Vec::new();
        for (way, own) in ways.iter().enumerate() {
            let is_own = |candidate: &&Candidate| {
                candidate.settings.compression == own.compression
                    && candidate.settings.stripes == own.stripes
            };
            let of_way = self.tried.values().filter(is_own);
            // One beyond a limit may keep it with other buffers; it comes after those that do.
            let rank = |c: &Candidate| c.score + if self.keeps(&c.ran) { 0.0 } else { 1e3 };
            if let Some(best) = of_way.map(rank).min_by(f64::total_cmp) {
                scored.push((best, way));
            }
        }
        scored.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let best = scored.first().map_or(0.0, |(score, _)| *score);
        let near = scored.iter().filter(|(score, _)| *score <= best + PROMISING);
        let kept: Vec<usize> = near.take(KEPT).map(|(_, way)| *way).collect();
        for way in kept {
            self.attempt(of(way), go_on)?;
        }
        Ok(())
    }

    /// The candidates that may be chosen, run over all nights.
    pub(super) fn finalists(&mut self, go_on: GoOn<'_>) -> Result<Vec<Candidate>, Cancelled> {
        let all: Vec<Candidate> = self.tried.values().cloned().collect();
        if self.few.options() == self.all.options() {
            return Ok(all);
        }
        let mut order: Vec<&Candidate> = all.iter().filter(|c| self.keeps(&c.ran)).collect();
        if order.is_empty() {
            order = all.iter().collect();
        }
        order.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.size().cmp(&b.size())));
        let best = order.first().map_or(0.0, |candidate| candidate.score);
        let within = best + libm::log1p(self.wanted.threshold) + ERROR;
        let (short, rest) = order.split_at(order.len().min(SHORTEST));
        let mut small: Vec<&&Candidate> = rest.iter().filter(|c| c.score <= within).collect();
        small.sort_by_key(|candidate| candidate.size());
        let chosen = short.iter().chain(small.into_iter().take(SMALLEST));
        let mut settings: Vec<Settings> = chosen.map(|c| c.settings.clone()).collect();
        if self.tried.contains_key(&self.present.settings) {
            settings.push(self.present.settings.clone());
        }
        settings.sort_unstable();
        settings.dedup();
        race::race(self, settings, go_on)
    }

    /// How all nights are run.
    pub(super) fn options(&self) -> &PredictOptions {
        self.all.options()
    }

    /// Settings run over all nights; those that are refused are left out.
    pub(super) fn in_full(
        &self,
        settings: &[Settings],
        go_on: GoOn<'_>,
    ) -> Result<Vec<Candidate>, Cancelled> {
        self.run((&self.all, &self.present.ran), settings, go_on)
    }

    /// The one that gains most, run over all nights. Where those take long, a few decide which.
    pub(super) fn best_in_full(
        &self,
        settings: &[Settings],
        go_on: GoOn<'_>,
    ) -> Result<Option<Candidate>, Cancelled> {
        let least =
            |all: Vec<Candidate>| all.into_iter().min_by(|a, b| a.score.total_cmp(&b.score));
        if !self.is_long || settings.len() < 2 {
            return Ok(least(self.in_full(settings, go_on)?));
        }
        let found = self.run((&self.few, &self.base_few), settings, go_on)?;
        let Some(best) = least(found) else { return Ok(None) };
        Ok(least(self.in_full(&[best.settings], go_on)?))
    }

    /// Settings run by one of the runners, against the present ones of the same; those that are
    /// refused are left out.
    pub(super) fn run(
        &self,
        (runner, base): (&Runner<'_>, &Ran),
        settings: &[Settings],
        go_on: GoOn<'_>,
    ) -> Result<Vec<Candidate>, Cancelled> {
        let present = &self.present.settings;
        let configurations: Vec<_> = settings.iter().map(|s| s.configuration(present)).collect();
        let outcomes = runner.run(&configurations, go_on)?;
        let one = |(settings, outcome): (&Settings, _)| {
            let ran: Arc<Ran> = Result::ok(outcome)?;
            let score = self.score(&ran, base)?;
            Some(Candidate { settings: settings.clone(), ran, score })
        };
        Ok(settings.iter().zip(outcomes).filter_map(one).collect())
    }

    /// How one candidate compares with another.
    pub(super) fn against(&self, candidate: &Candidate, base: &Candidate) -> Option<Paired> {
        let level = self.all.options().level;
        candidate.ran.against(&base.ran, self.wanted.operation, level)
    }

    /// A candidate beside the present settings.
    pub(super) fn tried(&self, candidate: &Candidate) -> Evaluated {
        Evaluated {
            settings: candidate.settings.clone(),
            ran: Arc::clone(&candidate.ran),
            paired: self.against(candidate, &self.present),
        }
    }

    /// The same, and what limits it.
    pub(super) fn tried_in_full(
        &self,
        candidate: &Candidate,
        go_on: GoOn<'_>,
    ) -> Result<Evaluated, Cancelled> {
        let runner = self.all.another(*self.all.options(), Asked::Limits);
        let configuration = candidate.settings.configuration(&self.present.settings);
        let outcome = runner.run(&[configuration], go_on)?.into_iter().next();
        let ran = outcome.and_then(Result::ok).unwrap_or_else(|| Arc::clone(&candidate.ran));
        Ok(Evaluated { ran, ..self.tried(candidate) })
    }

    /// What comes nearest to the limits.
    pub(super) fn nearest(
        &self,
        finalists: &[Candidate],
        go_on: GoOn<'_>,
    ) -> Result<Candidate, Cancelled> {
        let excess = |candidate: &Candidate| {
            self.wanted.limits.iter().map(|l| l.excess(&candidate.ran)).fold(0.0, f64::max)
        };
        let by = |a: &&Candidate, b: &&Candidate| {
            excess(a).total_cmp(&excess(b)).then(a.score.total_cmp(&b.score))
        };
        if let Some(nearest) = finalists.iter().min_by(by) {
            return Ok(nearest.clone());
        }
        // Memory alone rules everything out: the least of it.
        let every = |way: Way| {
            let sizes = &self.lattice.transfer_bytes;
            let counts = self.lattice.buffer_counts.iter();
            let all = counts.flat_map(|count| sizes.iter().map(move |size| (*count, *size)));
            all.map(|pair| (way.memory(pair), way.settings(pair))).collect::<Vec<_>>()
        };
        let least = self.ways().into_iter().flat_map(every).min();
        let least = least.map_or_else(|| self.present.settings.clone(), |(_, settings)| settings);
        let found = self.in_full(&[least], go_on)?.into_iter().next();
        Ok(found.unwrap_or_else(|| self.present.clone()))
    }

    /// The limit that alone keeps the others from being kept.
    pub(super) fn without(
        &mut self,
        go_on: GoOn<'_>,
    ) -> Result<Option<(Limit, Evaluated)>, Cancelled> {
        let limits = self.wanted.limits.clone();
        for (place, limit) in limits.iter().enumerate().filter(|_| limits.len() > 1) {
            if matches!(limit.measure, Measure::Seconds(_)) {
                continue;
            }
            self.wanted.limits.remove(place);
            self.budget = self.tried.len() + self.wanted.budget / 2;
            self.explore(go_on)?;
            let fits = self.tried.values().filter(|c| self.keeps(&c.ran));
            let found = fits.min_by_key(|candidate| candidate.size()).map(|c| c.settings.clone());
            let found = found.map(|settings| self.in_full(&[settings], go_on)).transpose()?;
            let found = found.and_then(|all| all.into_iter().next());
            self.wanted.limits.clone_from(&limits);
            if let Some(candidate) = found {
                return Ok(Some((limit.clone(), self.tried(&candidate))));
            }
        }
        Ok(None)
    }

    /// The answer without what only a choice has.
    pub(super) fn answer(&self, advice: Advice) -> Recommendation {
        Recommendation {
            operation: self.wanted.operation,
            limits: self.wanted.limits.clone(),
            own_memory_limit: self.own_memory_limit,
            devices: self.devices.clone(),
            present: self.tried(&self.present),
            advice,
            best: None,
            ladder: Vec::new(),
            beyond: None,
            alternatives: Vec::new(),
            without: None,
            evaluated: self.few.evaluated(),
            candidates: self.lattice.count(),
        }
    }
}
