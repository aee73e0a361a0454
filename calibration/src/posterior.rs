//! All points consistent with what was measured: importance sampling around the best one.
//!
//! 1. Points are drawn from a multivariate t distribution at the best point, as wide as the
//!    curvature there says (the Laplace approximation: covariance = (J'J + P)^-1, with J the
//!    derivatives of the weighted residuals and P the precisions of the priors), and simulated.
//! 2. A response surface ([`Emulator`]) is fitted to all that was simulated. Thousands of points
//!    are drawn and weighed by it, and a few resampled: draws from what the surface takes for the
//!    posterior. They are simulated; the surface is fitted anew; another lot is drawn and
//!    simulated.
//! 3. Each draw weighs posterior as simulated / density with which it was drawn.
//!
//! Without a few of the measurements, the draws that were made for all of them count as well: each
//! draw then weighs posterior / density of all lots together ([`sample_again`]).
//!
//! So the result is right whatever the surface is worth: it decides only how many draws count,
//! which is told as the effective number, 1 / (sum of squared weights).
//!
//! Why not others: an ensemble Kalman inversion takes the model for linear, which stalls, depths
//! and ceilings are not; a parametric bootstrap needs a whole fit for each member; without a
//! surface, a t distribution alone left one draw in thirty that counted.

mod sampler;

use bakcast_sim::Streams;

use self::sampler::{Proposal, Sampler, draw_by_surface};
use crate::emulator::Emulator;
use crate::matrix::{Matrix, cholesky, inverse};
use crate::search::STEP;
use crate::target::Target;

/// Lots for measurements that differ a little: the surface of what is known may mislead the first.
const LOTS_AGAIN: usize = 3;
/// Draws of equal weight that are enough for measurements that differ a little, as a share of the
/// most that are made.
const ENOUGH: f64 = 0.75;

/// Weighted draws.
#[derive(Debug, Clone)]
pub(crate) struct Posterior {
    /// Points, and the figures there.
    pub(crate) draws: Vec<Draw>,
    /// Logarithm of the mass of the posterior that the draws found, on a scale of its own.
    log_mass: f64,
}

/// One of them.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    pub(crate) point: Vec<f64>,
    pub(crate) figures: Vec<f64>,
    /// How far durations scatter about these figures.
    pub(crate) scatter: f64,
    /// All weights sum to 1.
    pub(crate) weight: f64,
}

/// Derivatives of the weighted residuals at a point, a row for each, by differences to both sides.
fn derivatives(target: &Target<'_>, point: &[f64]) -> Option<Matrix> {
    let axes = target.axes();
    let sides = axes.iter().enumerate().flat_map(|(index, axis)| {
        [-STEP, STEP].map(|step| {
            let mut there = point.to_vec();
            there[index] = (there[index] + step).clamp(axis.low, axis.high);
            there
        })
    });
    let sides: Vec<Vec<f64>> = sides.collect();
    let figures: Vec<Vec<f64>> = target.figures_at(&sides).into_iter().collect::<Option<_>>()?;
    let residuals: Vec<Vec<f64>> = figures.iter().map(|f| target.residuals(f)).collect();
    let slope = |row: usize, index: usize| {
        let (low, high) = (2 * index, 2 * index + 1);
        let width = sides[high][index] - sides[low][index];
        if width > 0.0 { (residuals[high][row] - residuals[low][row]) / width } else { 0.0 }
    };
    let rows = 0..target.observed_count();
    Some(rows.map(|row| (0..axes.len()).map(|index| slope(row, index)).collect()).collect())
}

/// Covariance of the posterior if it were normal, from the curvature at a point.
pub(crate) fn curvature(target: &Target<'_>, point: &[f64]) -> Option<Matrix> {
    let j = derivatives(target, point)?;
    let axes = target.axes();
    let entry = |a: usize, b: usize| {
        let data: f64 = j.iter().map(|row| row[a] * row[b]).sum();
        let prior = if a == b { 1.0 / (axes[a].prior_sd * axes[a].prior_sd) } else { 0.0 };
        data + prior
    };
    let n = axes.len();
    let information: Matrix = (0..n).map(|a| (0..n).map(|b| entry(a, b)).collect()).collect();
    Some(inverse(&cholesky(&information)?))
}

/// What was simulated: points with the figures there, and how they were drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    points: Vec<(Vec<f64>, Vec<f64>)>,
    /// Each way to draw, and how many were drawn so.
    lots: Vec<(Sampler, usize)>,
}

impl Known {
    /// A surface around a point. Points count the less the worse they agree with what was measured.
    fn surface(&self, target: &Target<'_>, centre: &[f64], scale: &Matrix) -> Option<Emulator> {
        let costs: Vec<f64> =
            self.points.iter().map(|(x, figures)| target.cost(x, figures)).collect();
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let width = 4.0 * centre.len() as f64;
        let weight = |cost: &f64| 1.0 / (1.0 + (cost - least) / width);
        let points = self.points.iter().zip(&costs);
        let points = points.map(|((x, figures), cost)| (&x[..], &figures[..], weight(cost)));
        Emulator::fit(centre, scale, points)
    }

    /// All of it as draws from a posterior, for whichever they were drawn. Each is weighed by the
    /// density of all lots together (the balance heuristic of Veach and Guibas): a lot that was
    /// drawn for other measurements helps where it lies near, and does no harm elsewhere.
    fn weighed(&self, target: &Target<'_>) -> Option<Posterior> {
        let count: usize = self.lots.iter().map(|(_, drawn)| drawn).sum();
        let log_share = |drawn: usize| libm::log(drawn as f64 / count.max(1) as f64);
        let density = |point: &[f64]| {
            let lots = self.lots.iter();
            let lots = lots.map(|(lot, drawn)| log_share(*drawn) + lot.log_density(point));
            log_sum(&lots.collect::<Vec<f64>>())
        };
        let log = |(point, figures): &(Vec<f64>, Vec<f64>)| {
            target.log_posterior(point, figures) - density(point)
        };
        let logs: Vec<f64> = self.points.iter().map(log).collect();
        let all = log_sum(&logs);
        let draw = |((point, figures), log): (&(Vec<f64>, Vec<f64>), f64)| Draw {
            point: point.clone(),
            figures: figures.clone(),
            scatter: target.scatter(figures),
            weight: libm::exp(log - all),
        };
        let draws = self.points.iter().zip(logs).map(draw).collect();
        let log_mass = all - libm::log(count.max(1) as f64);
        all.is_finite().then_some(Posterior { draws, log_mass })
    }
}

/// Draws from the posterior around its best point, and all that was simulated for it; nothing if
/// the curvature there cannot be computed. Half as many points again are simulated as are drawn.
pub(crate) fn sample(
    target: &Target<'_>,
    best: &[f64],
    draws: usize,
    seed: u64,
) -> Option<(Posterior, Known)> {
    let mut random = Streams::new(seed, 0).named("calibration/posterior");
    let covariance = curvature(target, best)?;
    let proposal = Proposal::new(target, best, &covariance)?;
    let mut known = Known::default();
    let first = (0..draws.div_ceil(2)).map(|_| proposal.draw_within(target, &mut random));
    let first = first.collect();
    let alone = Sampler::of(proposal.clone());
    let mut lots = vec![weighed(target, &mut known, first, alone)];
    for _ in 0..2 {
        let surface = known.surface(target, best, &proposal.scale)?;
        let (lot, sampler) = draw_by_surface(target, &surface, &proposal, draws / 2, &mut random)?;
        lots.push(weighed(target, &mut known, lot, sampler));
    }
    Some((together(lots)?, known))
}

/// Finds the best point of a target from a start, and may change the scatter that it is told.
type Settle<'a> = &'a dyn Fn(&mut Target<'_>, &[f64]) -> Option<Vec<f64>>;

/// The same where much is known already: for measurements that differ a little from those for
/// which it was simulated. What is known counts as draws as well; lots are added until all
/// together are worth enough, up to so many draws.
pub(crate) fn sample_again(
    target: &mut Target<'_>,
    start: &[f64],
    mut known: Known,
    draws: usize,
    seed: u64,
    settle: Settle<'_>,
) -> Option<(Posterior, Vec<f64>)> {
    let mut random = Streams::new(seed, 0).named("calibration/left out");
    let mut best = start.to_vec();
    let mut scale = cholesky(&curvature_by_surface(target, &best, &known)?)?;
    let enough = ENOUGH * draws as f64;
    let mut posterior = None;
    for _ in 0..LOTS_AGAIN {
        let surface = known.surface(target, &best, &scale)?;
        let mut emulated = target.emulated(&surface);
        best = settle(&mut emulated, &best)?;
        target.sd = emulated.sd;
        let covariance = curvature(&emulated, &best)?;
        scale = cholesky(&covariance)?;
        let proposal = Proposal::new(target, &best, &covariance)?;
        let lot = draws / LOTS_AGAIN;
        let (lot, sampler) = draw_by_surface(target, &surface, &proposal, lot, &mut random)?;
        weighed(target, &mut known, lot, sampler);
        let found = known.weighed(target)?;
        let is_enough = found.effective() >= enough;
        posterior = Some(found);
        if is_enough {
            break;
        }
    }
    Some((posterior?, best))
}

/// Covariance at a point by a surface over all that is known, on the scale of the priors.
fn curvature_by_surface(target: &Target<'_>, point: &[f64], known: &Known) -> Option<Matrix> {
    let n = point.len();
    let prior = |a: usize, b: usize| if a == b { target.axes()[a].prior_sd } else { 0.0 };
    let scale: Matrix = (0..n).map(|a| (0..n).map(|b| prior(a, b)).collect()).collect();
    let surface = known.surface(target, point, &scale)?;
    curvature(&target.emulated(&surface), point)
}

/// Simulates a lot and weighs it: posterior / density with which it was drawn.
fn weighed(
    target: &Target<'_>,
    known: &mut Known,
    lot: Vec<Vec<f64>>,
    sampler: Sampler,
) -> Vec<(Draw, f64)> {
    let figures = target.figures_at(&lot);
    let mut draws = Vec::new();
    let drawn = lot.len();
    for (point, figures) in lot.into_iter().zip(figures) {
        let Some(figures) = figures else { continue };
        let log = target.log_posterior(&point, &figures) - sampler.log_density(&point);
        known.points.push((point.clone(), figures.clone()));
        let scatter = target.scatter(&figures);
        draws.push((Draw { point, figures, scatter, weight: 0.0 }, log));
    }
    known.lots.push((sampler, drawn));
    draws
}

/// Lots together: each counts by the effective number of its draws.
fn together(lots: Vec<Vec<(Draw, f64)>>) -> Option<Posterior> {
    let (mut draws, mut masses) = (Vec::new(), Vec::new());
    for lot in lots {
        let logs: Vec<f64> = lot.iter().map(|(_, log)| *log).collect();
        let all = log_sum(&logs);
        if lot.is_empty() || !all.is_finite() {
            continue;
        }
        let shares: Vec<f64> = logs.iter().map(|log| libm::exp(log - all)).collect();
        let effective = 1.0 / shares.iter().map(|share| share * share).sum::<f64>();
        masses.push(libm::log(effective) + all - libm::log(shares.len() as f64));
        let weights = shares.iter().map(|share| share * effective);
        draws.extend(lot.into_iter().zip(weights).map(|((d, _), weight)| Draw { weight, ..d }));
    }
    let all: f64 = draws.iter().map(|d: &Draw| d.weight).sum();
    draws.iter_mut().for_each(|d| d.weight /= all);
    let log_mass = log_sum(&masses) - libm::log(all);
    (!draws.is_empty()).then_some(Posterior { draws, log_mass })
}

/// Posteriors of several regions as one: each counts by the mass that it found.
pub(crate) fn merged(parts: Vec<Posterior>) -> Option<Posterior> {
    let masses: Vec<f64> = parts.iter().map(|part| part.log_mass).collect();
    let log_mass = log_sum(&masses);
    let share = |d: Draw, mass: f64| Draw { weight: d.weight * libm::exp(mass - log_mass), ..d };
    let draws: Vec<Draw> = parts
        .into_iter()
        .flat_map(|part| part.draws.into_iter().map(move |d| (d, part.log_mass)))
        .map(|(d, mass)| share(d, mass))
        .collect();
    (!draws.is_empty()).then_some(Posterior { draws, log_mass })
}

/// `count` points of equal weight in their stead: systematic resampling.
fn resampled(points: &[Vec<f64>], weights: &[f64], count: usize) -> Vec<Vec<f64>> {
    let mut chosen = Vec::with_capacity(count);
    let mut sum = 0.0;
    for (point, weight) in points.iter().zip(weights) {
        sum += weight;
        while chosen.len() < count && (chosen.len() as f64 + 0.5) / count as f64 <= sum {
            chosen.push(point.clone());
        }
    }
    while let (true, Some(last)) = (chosen.len() < count, chosen.last().cloned()) {
        chosen.push(last);
    }
    chosen
}

/// Logarithm of the sum of exponentials.
fn log_sum(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + libm::log(logs.iter().map(|log| libm::exp(log - most)).sum())
}

impl Posterior {
    /// How many equally weighted draws these are worth.
    pub(crate) fn effective(&self) -> f64 {
        1.0 / self.draws.iter().map(|d| d.weight * d.weight).sum::<f64>()
    }

    /// How far durations scatter, root of the mean square over all draws.
    pub(crate) fn scatter(&self) -> f64 {
        libm::sqrt(self.draws.iter().map(|d| d.weight * d.scatter * d.scatter).sum())
    }

    pub(crate) fn mean(&self) -> Vec<f64> {
        let n = self.draws.first().map_or(0, |d| d.point.len());
        (0..n).map(|i| self.draws.iter().map(|d| d.weight * d.point[i]).sum()).collect()
    }

    pub(crate) fn covariance(&self) -> Matrix {
        let mean = self.mean();
        let entry = |a: usize, b: usize| {
            let product = |d: &Draw| d.weight * (d.point[a] - mean[a]) * (d.point[b] - mean[b]);
            // A little more on the diagonal, lest few draws make it singular.
            let ridge = if a == b { 1e-10 } else { 0.0 };
            self.draws.iter().map(product).sum::<f64>() + ridge
        };
        let n = mean.len();
        (0..n).map(|a| (0..n).map(|b| entry(a, b)).collect()).collect()
    }

    /// The value below which the share `p` of the weight lies; `of` picks a value of a draw.
    pub(crate) fn quantile(&self, p: f64, of: impl Fn(&Draw) -> f64) -> f64 {
        let mut values: Vec<(f64, f64)> = self.draws.iter().map(|d| (of(d), d.weight)).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut below = 0.0;
        // Each value stands in the middle of its weight; between two, a straight line.
        let mut last: Option<(f64, f64)> = None;
        for (value, weight) in values {
            let at = below + 0.5 * weight;
            if at >= p {
                let Some((before, value_before)) = last else { return value };
                let share = (p - before) / (at - before).max(1e-300);
                return value_before + share * (value - value_before);
            }
            below += weight;
            last = Some((at, value));
        }
        last.map_or(f64::NAN, |(_, value)| value)
    }

    /// `count` members of equal weight: systematic resampling, then put into an order in which the
    /// first few stand for all (a stride that shares no divisor with the count).
    pub(crate) fn members(&self, count: usize) -> Vec<Vec<f64>> {
        let mut order: Vec<&Draw> = self.draws.iter().collect();
        // Along the first principal direction by and large, so that the draws that are skipped
        // have neighbours that are not.
        order.sort_by(|a, b| a.point[0].total_cmp(&b.point[0]));
        let points: Vec<Vec<f64>> = order.iter().map(|d| d.point.clone()).collect();
        let weights: Vec<f64> = order.iter().map(|d| d.weight).collect();
        let chosen = resampled(&points, &weights, count);
        let stride = (count * 21 / 34..).find(|s| gcd(*s, count) == 1).unwrap_or(1);
        (0..count).map(|k| chosen[k * stride % count].clone()).collect()
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Axis, Observation, Quantity};

    /// Two knobs of which only the product is measured: a posterior that is known exactly.
    fn product<'a>() -> Target<'a> {
        let axis = Axis { low: -3.0, high: 3.0, prior: 0.0, prior_sd: 0.3 };
        let seen = Observation {
            case: 0,
            quantity: Quantity::Backup,
            value: 2.0,
            rounding: 0.0,
            relative_sd: Some(0.05),
        };
        Target::new(vec![axis; 2], vec![(0, seen)], 0.05, |p| Some(vec![libm::exp10(p[0] + p[1])]))
    }

    #[test]
    fn draws_have_the_mean_and_covariance_of_a_posterior_that_is_known() {
        let target = product();
        let sum = libm::log10(2.0);
        // Normal: the sum is known to sd/ln 10, the difference not at all.
        let data = 0.05 / std::f64::consts::LN_10;
        let prior = 2.0 * 0.3 * 0.3;
        let shrink = prior / (prior + data * data);
        let (posterior, _) = sample(&target, &[sum / 2.0; 2], 2000, 7).expect("draws");
        assert!(posterior.effective() > 1500.0, "{}", posterior.effective());
        let mean = posterior.mean();
        assert!((mean[0] + mean[1] - shrink * sum).abs() < 0.003, "{mean:?}");
        let c = posterior.covariance();
        let of_sum = c[0][0] + c[1][1] + 2.0 * c[0][1];
        assert!((libm::sqrt(of_sum) / (data * libm::sqrt(shrink)) - 1.0).abs() < 0.1, "{c:?}");
        let of_difference = c[0][0] + c[1][1] - 2.0 * c[0][1];
        assert!((libm::sqrt(of_difference) / libm::sqrt(prior) - 1.0).abs() < 0.1, "{c:?}");
        let median = posterior.quantile(0.5, |d| d.figures[0]);
        assert!((median / 2.0 - 1.0).abs() < 0.02, "{median}");
    }

    /// Draws for one set of measurements, and what they are worth for another: the mean and
    /// covariance of its posterior, with fewer new points the more the two agree.
    #[test]
    fn draws_for_other_measurements_count_where_they_agree() {
        let axis = Axis { low: -3.0, high: 3.0, prior: 0.0, prior_sd: 0.3 };
        let of = |sd| Observation {
            case: 0,
            quantity: Quantity::Backup,
            value: 2.0,
            rounding: 0.0,
            relative_sd: Some(sd),
        };
        let target = |observed: Vec<(usize, Observation)>| {
            let figures = |p: &[f64]| Some(vec![libm::exp10(p[0]), libm::exp10(p[1])]);
            Target::new(vec![axis; 2], observed, 0.05, figures)
        };
        let all = target(vec![(0, of(0.05)), (1, of(0.3))]);
        let (_, known) = sample(&all, &[0.29, 0.2], 400, 7).expect("draws");
        let settle = |target: &mut Target<'_>, start: &[f64]| {
            Some(crate::search::descend(target, start)?.point)
        };
        let without = |observed, known: Known| {
            let mut target = target(observed);
            let (posterior, _) =
                sample_again(&mut target, &[0.29, 0.2], known, 150, 7, &settle).expect("draws");
            (posterior, target.evaluations())
        };
        let sd = |of: f64| {
            let data = of / std::f64::consts::LN_10;
            libm::sqrt(1.0 / (1.0 / (data * data) + 1.0 / 0.09))
        };
        let check = |posterior: &Posterior, sds: [f64; 2]| {
            let covariance = posterior.covariance();
            for (index, sd) in sds.into_iter().enumerate() {
                let found = libm::sqrt(covariance[index][index]);
                assert!((found / sd - 1.0).abs() < 0.2, "{index}: {found} {sd}");
            }
        };
        // A measurement that says little is left out: one lot is enough. One that says all: more.
        let (little, few) = without(vec![(0, of(0.05))], known.clone());
        check(&little, [sd(0.05), 0.3]);
        let (much, more) = without(vec![(1, of(0.3))], known);
        check(&much, [0.3, sd(0.3)]);
        assert_eq!(few, 50);
        assert!((100..=150).contains(&more), "{more}");
    }

    #[test]
    fn members_stand_for_the_draws_and_so_do_the_first_half_of_them() {
        let (posterior, _) = sample(&product(), &[0.15; 2], 800, 3).expect("draws");
        let members = posterior.members(64);
        assert_eq!(members.len(), 64);
        let spread = |members: &[Vec<f64>]| {
            let mean = members.iter().map(|m| m[0]).sum::<f64>() / members.len() as f64;
            let square = members.iter().map(|m| (m[0] - mean) * (m[0] - mean)).sum::<f64>();
            (mean, libm::sqrt(square / members.len() as f64))
        };
        let ((all, sd), (half, half_sd)) = (spread(&members), spread(&members[..32]));
        assert!((all - half).abs() < 0.3 * sd, "{all} {half}");
        assert!((half_sd / sd - 1.0).abs() < 0.35, "{sd} {half_sd}");
    }
}
