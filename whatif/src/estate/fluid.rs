//! Who gets how much of what many jobs share: rates at one moment of a night.
//!
//! Job i moves x_i bytes a second, no more than alone_i, and takes D_ij seconds of station j for
//! each of them. Stations have c_j seconds a second to give: sum_i x_i D_ij <= c_j. The rates are
//! those of weighted max-min fairness by progressive filling: all grow in proportion to their
//! weights until the job is as fast as alone, or a station it needs is full; then the others go on.
//! No job can have more without one getting less that has, by weight, no more than it.
//!
//! A weight belongs to job and station: a queue serves requests in the order in which they come, so
//! a job gets of it in proportion to those it keeps outstanding; a link serves its connections
//! alike, processors the jobs. With weights that differ from station to station there may be no
//! fair point in the strict sense; then each job is held to the least of its shares, and what that
//! leaves over is shared out in further passes.
//!
//! A disk loses time between streams. What a job takes of it grows with the number of streams it
//! meets there, by a [`Curve`] that the pipeline itself was measured for; as that number depends on
//! the rates, both are found in turn.

/// What a job wants of the stations.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// Bytes a second that it moves alone.
    pub alone: f64,
    /// The stations it needs.
    pub uses: Vec<Use>,
}

/// What a job takes of a station.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// Which station.
    pub station: usize,
    /// Seconds of it for each byte of the job, where the job is alone on it.
    pub demand: f64,
    /// What its share of a full station is in proportion to.
    pub weight: f64,
    /// Transfers on the station for each byte of the job.
    pub transfers: f64,
    /// Streams on the station.
    pub streams: f64,
    /// Whether it only reads there.
    pub reads: bool,
    /// How the demand grows where others are; `None`: not at all.
    pub curve: Option<Curve>,
}

/// How many times longer a station is held per byte where several jobs meet on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// What counts as the number of jobs.
    pub by: Meeting,
    /// With two alike.
    pub two: f64,
    /// With three alike.
    pub three: f64,
    /// With four alike.
    pub four: f64,
    /// With one that reads where it writes, or writes where it reads.
    pub mixed: f64,
}

/// What counts as the number of jobs that meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// Transfers of all for each of its own: what makes a disk turn.
    Transfers,
    /// Streams of all for each of its own, however fast.
    Streams,
}

impl Curve {
    /// How many times longer, with `count` alike.
    #[must_use]
    pub fn at(&self, count: f64) -> f64 {
        let Curve { by, two, three, four, mixed: _ } = *self;
        if count <= 1.0 {
            1.0
        } else if count <= 2.0 {
            1.0 + (two - 1.0) * (count - 1.0)
        } else if count <= 3.0 {
            two + (three - two) * (count - 2.0)
        } else if count <= 4.0 || by == Meeting::Streams {
            three + (four - three) * (count - 3.0)
        } else {
            four
        }
    }

    /// The same, where a share of the others does the other thing.
    #[must_use]
    pub fn among(&self, count: f64, unlike: f64) -> f64 {
        let alike = self.at(count);
        let mixed = 1.0 + (self.mixed - 1.0) * (count - 1.0).clamp(0.0, 1.0);
        alike + (mixed.max(if count > 2.0 { alike } else { 1.0 }) - alike) * unlike
    }
}

/// Times that rates and demands are found from one another.
const TURNS: usize = 4;
/// Most passes that share out what is left.
const PASSES: usize = 4;
/// Share of a capacity or of a rate that counts as nothing.
const NOTHING: f64 = 1e-9;

/// The rates of all flows, and the factor on the demand of each of their uses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rates {
    /// Bytes a second.
    pub rates: Vec<f64>,
    /// For each use of each flow, how many times its demand alone it takes.
    pub factors: Vec<Vec<f64>>,
}

/// The rates at which flows share stations with these capacities.
#[must_use]
pub fn rates(flows: &[&Flow], capacities: &[f64]) -> Rates {
    let ones = |flow: &&Flow| vec![1.0; flow.uses.len()];
    let mut found = Rates { rates: Vec::new(), factors: flows.iter().map(ones).collect() };
    let has_curve = flows.iter().any(|flow| flow.uses.iter().any(|u| u.curve.is_some()));
    if !has_curve || flows.len() < 2 {
        found.rates = filled(flows, &found.factors, capacities);
        return found;
    }
    // To begin with, all as fast as alone.
    let mut intensity: Vec<f64> = flows.iter().map(|flow| flow.alone).collect();
    for _ in 0..TURNS {
        found.factors = factors(flows, &intensity, capacities.len());
        found.rates = filled(flows, &found.factors, capacities);
        for (mean, rate) in intensity.iter_mut().zip(&found.rates) {
            *mean = 0.5 * (*mean + rate);
        }
    }
    found
}

/// How many times longer each use takes with the others there.
fn factors(flows: &[&Flow], intensity: &[f64], stations: usize) -> Vec<Vec<f64>> {
    let mut transfers = vec![0.0; stations];
    let mut read = vec![0.0; stations];
    let mut streams = vec![0.0; stations];
    for (flow, rate) in flows.iter().zip(intensity) {
        for u in &flow.uses {
            transfers[u.station] += rate * u.transfers;
            read[u.station] += if u.reads { rate * u.transfers } else { 0.0 };
            streams[u.station] += u.streams;
        }
    }
    let factor = |u: &Use, rate: f64| {
        let Some(curve) = u.curve else { return 1.0 };
        let (all, own) = match curve.by {
            Meeting::Transfers => (transfers[u.station], rate * u.transfers),
            Meeting::Streams => (streams[u.station], u.streams),
        };
        let moved = rate * u.transfers;
        let others = transfers[u.station] - moved;
        let alike = if u.reads { read[u.station] } else { transfers[u.station] - read[u.station] };
        let unlike = if others > 0.0 { 1.0 - (alike - moved) / others } else { 0.0 };
        if own > 0.0 { curve.among(all / own, unlike.clamp(0.0, 1.0)) } else { 1.0 }
    };
    let of = |(flow, rate): (&&Flow, &f64)| flow.uses.iter().map(|u| factor(u, *rate)).collect();
    flows.iter().zip(intensity).map(of).collect()
}

/// Progressive filling, with what is left shared out again.
fn filled(flows: &[&Flow], factors: &[Vec<f64>], capacities: &[f64]) -> Vec<f64> {
    let mut rates = vec![0.0; flows.len()];
    let mut left = capacities.to_vec();
    for _ in 0..PASSES {
        let is_full = |station: usize| left[station] <= NOTHING * capacities[station];
        let is_open = |(flow, rate): (&&Flow, &f64)| {
            *rate < flow.alone * (1.0 - NOTHING)
                && flow.uses.iter().all(|u| u.demand <= 0.0 || !is_full(u.station))
        };
        let open: Vec<bool> = flows.iter().zip(&rates).map(is_open).collect();
        if !open.contains(&true) {
            break;
        }
        fill(flows, factors, &mut left, open, &mut rates);
    }
    take_the_rest(flows, factors, &mut left, &mut rates);
    rates
}

/// What the passes have left over, which is next to nothing, to the first that can use it.
fn take_the_rest(flows: &[&Flow], factors: &[Vec<f64>], left: &mut [f64], rates: &mut [f64]) {
    for ((flow, factors), rate) in flows.iter().zip(factors).zip(rates) {
        let uses = || flow.uses.iter().zip(factors).map(|(u, factor)| (u, u.demand * factor));
        let on = uses().filter(|(_, demand)| *demand > 0.0);
        let room = on.map(|(u, demand)| left[u.station].max(0.0) / demand);
        let more = room.fold(flow.alone - *rate, f64::min).max(0.0);
        *rate += more;
        uses().for_each(|(u, demand)| left[u.station] -= more * demand);
    }
}

/// One pass: raises the rates of those that are open.
fn fill(
    flows: &[&Flow],
    factors: &[Vec<f64>],
    left: &mut [f64],
    mut open: Vec<bool>,
    rates: &mut [f64],
) {
    let mut load = vec![0.0; left.len()];
    let demand = |i: usize, k: usize| flows[i].uses[k].demand * factors[i][k];
    for i in (0..flows.len()).filter(|i| open[*i]) {
        for (k, u) in flows[i].uses.iter().enumerate() {
            load[u.station] += u.weight * demand(i, k);
        }
    }
    loop {
        // The rate each may be raised by, and how much that is for its weight.
        let raise = |i: usize| {
            let mut share = f64::INFINITY;
            let mut level = f64::INFINITY;
            for u in flows[i].uses.iter().filter(|u| u.demand > 0.0) {
                let of_weight = left[u.station].max(0.0) / load[u.station];
                share = share.min(of_weight * u.weight);
                level = level.min(of_weight);
            }
            (share, level)
        };
        let open_now: Vec<usize> = (0..flows.len()).filter(|i| open[*i]).collect();
        if open_now.is_empty() {
            return;
        }
        let raises: Vec<(f64, f64)> = open_now.iter().map(|i| raise(*i)).collect();
        let wanted = |i: usize| flows[i].alone - rates[i];
        let pairs = || open_now.iter().copied().zip(raises.iter().copied());
        // Those that want no more than their share leave more to the others.
        let mut fixed: Vec<(usize, f64)> = pairs()
            .filter(|(i, (share, _))| wanted(*i) <= *share)
            .map(|(i, _)| (i, wanted(i)))
            .collect();
        if fixed.is_empty() {
            let least = raises.iter().map(|(_, level)| *level).fold(f64::INFINITY, f64::min);
            let at_least = pairs().filter(|(_, (_, level))| *level <= least * (1.0 + 1e-12));
            fixed = at_least.map(|(i, (share, _))| (i, share)).collect();
        }
        for (i, by) in fixed {
            rates[i] += by;
            open[i] = false;
            for (k, u) in flows[i].uses.iter().enumerate() {
                left[u.station] -= by * demand(i, k);
                load[u.station] -= u.weight * demand(i, k);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(station: usize, demand: f64, weight: f64) -> Use {
        Use { station, demand, weight, transfers: demand, streams: 1.0, reads: true, curve: None }
    }

    fn flow(alone: f64, uses: &[Use]) -> Flow {
        Flow { alone, uses: uses.to_vec() }
    }

    fn shared(flows: &[Flow], capacities: &[f64]) -> Vec<f64> {
        rates(&flows.iter().collect::<Vec<_>>(), capacities).rates
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{found} {expected}");
        }
    }

    #[test]
    fn alone_a_job_is_as_fast_as_alone() {
        close(&shared(&[flow(3.0, &[on(0, 0.2, 1.0)])], &[1.0]), &[3.0]);
    }

    /// The textbook case: two links in a row, one flow over both, one over each.
    #[test]
    fn shares_are_those_of_max_min_fairness() {
        let flows = [
            flow(100.0, &[on(0, 1.0, 1.0), on(1, 1.0, 1.0)]),
            flow(100.0, &[on(0, 1.0, 1.0)]),
            flow(100.0, &[on(1, 1.0, 1.0)]),
        ];
        close(&shared(&flows, &[1.0, 2.0]), &[0.5, 0.5, 1.5]);
        // The first wants little: the others have the rest.
        let mut flows = flows;
        flows[0].alone = 0.1;
        close(&shared(&flows, &[1.0, 2.0]), &[0.1, 0.9, 1.9]);
    }

    #[test]
    fn a_job_with_more_outstanding_gets_more_of_a_full_station() {
        let flows = [flow(100.0, &[on(0, 1.0, 4.0)]), flow(100.0, &[on(0, 1.0, 1.0)])];
        close(&shared(&flows, &[1.0]), &[0.8, 0.2]);
    }

    #[test]
    fn demands_per_byte_count_and_not_bytes() {
        let flows = [flow(100.0, &[on(0, 1.0, 1.0)]), flow(100.0, &[on(0, 3.0, 1.0)])];
        close(&shared(&flows, &[1.0]), &[0.25, 0.25]);
    }

    /// Weights that differ from station to station: nothing is left over that somebody could use.
    #[test]
    fn what_somebody_could_use_is_not_left() {
        let flows = [
            flow(9.0, &[on(0, 1.0, 5.0), on(1, 1.0, 1.0)]),
            flow(9.0, &[on(0, 1.0, 1.0)]),
            flow(9.0, &[on(1, 1.0, 9.0)]),
        ];
        let found = shared(&flows, &[1.0, 1.0]);
        let on_first = found[0] + found[1];
        let on_second = found[0] + found[2];
        assert!((on_first - 1.0).abs() < 1e-6 && (on_second - 1.0).abs() < 1e-6, "{found:?}");
    }

    /// Over many random cases: no station gives more than it has, nobody is faster than alone, and
    /// who is slower waits for a station that is full.
    #[test]
    fn rates_are_feasible_and_conserve_work() {
        for seed in 0..300 {
            let mut stream = bakcast_sim::Streams::new(seed, 0).named("flows");
            let stations = 1 + stream.below(5);
            let flows: Vec<Flow> = (0..1 + stream.below(12))
                .map(|_| {
                    let mut uses = Vec::new();
                    for station in 0..stations {
                        if stream.uniform() < 0.6 {
                            let weight = 0.5 + 4.0 * stream.uniform();
                            uses.push(on(station, 0.1 + stream.uniform(), weight));
                        }
                    }
                    flow(0.2 + stream.uniform(), &uses)
                })
                .collect();
            let capacities: Vec<f64> = (0..stations).map(|_| 0.2 + stream.uniform()).collect();
            let found = shared(&flows, &capacities);
            let mut used = vec![0.0; stations];
            for (flow, rate) in flows.iter().zip(&found) {
                assert!(*rate <= flow.alone * (1.0 + 1e-9));
                flow.uses.iter().for_each(|u| used[u.station] += rate * u.demand);
            }
            for (used, capacity) in used.iter().zip(&capacities) {
                assert!(*used <= capacity * (1.0 + 1e-9), "seed {seed}");
            }
            for (flow, rate) in flows.iter().zip(&found) {
                let full = |u: &Use| used[u.station] >= capacities[u.station] * (1.0 - 1e-2);
                let waits = *rate < flow.alone * (1.0 - 1e-6);
                assert!(!waits || flow.uses.iter().any(full), "seed {seed}");
            }
        }
    }

    #[test]
    fn a_disk_gives_less_to_two_and_a_slow_one_costs_little() {
        let curve =
            Some(Curve { by: Meeting::Transfers, two: 2.0, three: 2.1, four: 2.2, mixed: 2.0 });
        let of = |alone: f64| flow(alone, &[Use { curve, ..on(0, 1.0, 1.0) }]);
        close(&shared(&[of(9.0), of(9.0)], &[1.0]), &[0.25, 0.25]);
        let found = shared(&[of(9.0), of(0.01)], &[1.0]);
        assert!(found[0] > 0.9, "{found:?}");
    }
}
