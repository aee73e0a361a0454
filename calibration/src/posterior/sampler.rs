//! How points are drawn, and with which density.

use std::sync::Arc;

use bakcast_sim::{Stream, Streams};

use super::{log_sum, resampled};
use crate::emulator::Emulator;
use crate::matrix::{Matrix, cholesky, forward, times};
use crate::target::{Evidence, Target, sum_of_squares};

/// Degrees of freedom of the proposals: tails that are heavier than those of any posterior here.
const FREEDOM: u32 = 5;
/// The curvature is that of one point; the proposal is this much wider.
const WIDER: f64 = 1.3;
/// Points weighed by the surface for each lot of draws.
const WEIGHED: usize = 6000;
/// The same as a number.
const WEIGHED_COUNT: f64 = WEIGHED as f64;
/// One in so many draws of a lot is not the surface's but the proposal's own.
const DEFENSIVE: usize = 4;
/// Draws out of bounds that are tried again, for each that is kept.
const TRIES: usize = 50;
/// Draws by which the share of a proposal within the bounds is known.
const PROBED: usize = 2000;
/// The same as a number.
const PROBED_COUNT: f64 = PROBED as f64;

/// A multivariate t distribution, within the bounds.
#[derive(Debug, Clone)]
pub(super) struct Proposal {
    centre: Vec<f64>,
    /// Lower triangle of its scale.
    pub(super) scale: Matrix,
    /// Logarithm of the share of it that lies within the bounds.
    log_within: f64,
}

impl Proposal {
    pub(super) fn new(target: &Target<'_>, centre: &[f64], covariance: &Matrix) -> Option<Self> {
        let wide = |row: &Vec<f64>| row.iter().map(|c| c * WIDER * WIDER).collect();
        let scale = cholesky(&covariance.iter().map(wide).collect())?;
        let all = Proposal { centre: centre.to_vec(), scale, log_within: 0.0 };
        let mut random = Streams::new(0, 0).named("calibration/within bounds");
        let within = (0..PROBED).filter(|_| target.within(&all.draw(&mut random))).count();
        let log_within = libm::log(within.max(1) as f64 / PROBED_COUNT);
        Some(Proposal { log_within, ..all })
    }

    fn draw(&self, random: &mut Stream) -> Vec<f64> {
        let normals: Vec<f64> = self.centre.iter().map(|_| random.normal()).collect();
        let chi: f64 = (0..FREEDOM).map(|_| random.normal()).map(|z| z * z).sum();
        let stretch = libm::sqrt(f64::from(FREEDOM) / chi.max(1e-9));
        let offsets = times(&self.scale, &normals);
        self.centre.iter().zip(offsets).map(|(c, o)| c + stretch * o).collect()
    }

    /// A draw within the bounds; after many tries the last one, moved to them.
    pub(super) fn draw_within(&self, target: &Target<'_>, random: &mut Stream) -> Vec<f64> {
        let mut point = self.draw(random);
        for _ in 0..TRIES {
            if target.within(&point) {
                return point;
            }
            point = self.draw(random);
        }
        let axes = target.axes().iter();
        point.iter().zip(axes).map(|(x, axis)| x.clamp(axis.low, axis.high)).collect()
    }

    /// Logarithm of its density, but for a constant that depends on the dimension alone.
    pub(super) fn log_density(&self, point: &[f64]) -> f64 {
        let offset: Vec<f64> = point.iter().zip(&self.centre).map(|(x, c)| x - c).collect();
        let square = sum_of_squares(&forward(&self.scale, &offset));
        let volume: f64 = (0..self.scale.len()).map(|i| libm::log(self.scale[i][i])).sum();
        let (nu, n) = (f64::from(FREEDOM), point.len() as f64);
        -volume - 0.5 * (nu + n) * libm::log1p(square / nu) - self.log_within
    }
}

/// How a lot was drawn: from a proposal, and from what a surface takes for the posterior.
#[derive(Debug, Clone)]
pub(super) struct Sampler {
    proposal: Proposal,
    surface: Option<BySurface>,
}

/// What a surface takes for a posterior.
#[derive(Debug, Clone)]
struct BySurface {
    /// Of which posterior.
    evidence: Arc<Evidence>,
    emulator: Emulator,
    /// Logarithm of the mass of that.
    log_mass: f64,
    /// The share of the draws that are the proposal's own.
    own: f64,
}

impl Sampler {
    /// That draws from a proposal alone.
    pub(super) fn of(proposal: Proposal) -> Self {
        Sampler { proposal, surface: None }
    }

    /// Logarithm of its density, but for a constant that depends on the dimension alone.
    pub(super) fn log_density(&self, point: &[f64]) -> f64 {
        let proposed = self.proposal.log_density(point);
        let Some(surface) = &self.surface else { return proposed };
        let said = surface.evidence.log_posterior(point, &surface.emulator.figures(point));
        let by_surface = libm::log(1.0 - surface.own) + said - surface.log_mass;
        if surface.own > 0.0 {
            log_sum(&[by_surface, libm::log(surface.own) + proposed])
        } else {
            by_surface
        }
    }
}

/// Draws from what the surface takes for the posterior: many from the proposal, weighed, and a few
/// of them resampled. A part of the draws is the proposal's own, so that no region is left out
/// because the surface is wrong there (defensive sampling); densities are those of the mixture.
pub(super) fn draw_by_surface(
    target: &Target<'_>,
    emulator: &Emulator,
    proposal: &Proposal,
    draws: usize,
    random: &mut Stream,
) -> Option<(Vec<Vec<f64>>, Sampler)> {
    let points: Vec<Vec<f64>> =
        (0..WEIGHED).map(|_| proposal.draw_within(target, random)).collect();
    let said = |x: &[f64]| target.log_posterior(x, &emulator.figures(x));
    let logs: Vec<f64> = points.iter().map(|x| said(x) - proposal.log_density(x)).collect();
    let all = log_sum(&logs);
    if !all.is_finite() {
        return None;
    }
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - all)).collect();
    let own = draws / DEFENSIVE;
    let mut chosen = resampled(&points, &weights, draws - own);
    chosen.extend_from_slice(&points[..own]);
    let surface = BySurface {
        evidence: Arc::clone(target.evidence()),
        emulator: emulator.clone(),
        log_mass: all - libm::log(WEIGHED_COUNT),
        own: own as f64 / draws as f64,
    };
    Some((chosen, Sampler { proposal: proposal.clone(), surface: Some(surface) }))
}
