//! A fast stand-in for the simulation near a point.
//!
//! The logarithm of each figure as a quadratic polynomial of the standardized coordinates, by
//! least squares over points that were simulated (Box and Wilson's response surface). It only
//! chooses which points are worth simulating: what is drawn with its help is simulated after all,
//! and weighed by what the simulation says, so its errors cost draws and not truth.

use crate::matrix::{Matrix, backward, cholesky, forward};

/// Weight of the expectation that a coefficient is nothing: enough to keep the equations solvable
/// where points are few.
const RIDGE: f64 = 0.02;

/// A quadratic response surface of every figure.
#[derive(Debug, Clone)]
pub(crate) struct Emulator {
    centre: Vec<f64>,
    /// Lower triangle of the covariance that makes coordinates standard.
    scale: Matrix,
    /// Coefficients of each figure.
    coefficients: Vec<Vec<f64>>,
}

impl Emulator {
    /// Fits points, the figures there and how much each counts; nothing if there is none.
    pub(crate) fn fit<'p>(
        centre: &[f64],
        scale: &Matrix,
        points: impl Iterator<Item = (&'p [f64], &'p [f64], f64)>,
    ) -> Option<Self> {
        let mut emulator =
            Emulator { centre: centre.to_vec(), scale: scale.clone(), coefficients: Vec::new() };
        let (terms, logs): (Vec<Vec<f64>>, Vec<Vec<f64>>) = points
            .map(|(point, figures, weight)| {
                let root = libm::sqrt(weight);
                let logs = figures.iter().map(|f| root * libm::log(*f)).collect();
                (emulator.terms(point).iter().map(|t| root * t).collect(), logs)
            })
            .unzip();
        let n = terms.first()?.len();
        let product = |a: usize, b: usize| -> f64 { terms.iter().map(|row| row[a] * row[b]).sum() };
        let ridge = |a: usize| if a == 0 { 1e-9 } else { RIDGE };
        let entry = |a: usize, b: usize| product(a, b) + if a == b { ridge(a) } else { 0.0 };
        let normal: Matrix = (0..n)
            .map(|a| (0..n).map(|b| if b <= a { entry(a, b) } else { 0.0 }).collect())
            .collect();
        let lower = cholesky(&normal)?;
        for figure in 0..logs.first()?.len() {
            let side = |a: usize| -> f64 {
                terms.iter().zip(&logs).map(|(row, logs)| row[a] * logs[figure]).sum()
            };
            let sides: Vec<f64> = (0..n).map(side).collect();
            emulator.coefficients.push(backward(&lower, &forward(&lower, &sides)));
        }
        Some(emulator)
    }

    /// 1, the standardized coordinates, and their products.
    fn terms(&self, point: &[f64]) -> Vec<f64> {
        let offset: Vec<f64> = point.iter().zip(&self.centre).map(|(x, c)| x - c).collect();
        let z = forward(&self.scale, &offset);
        let mut terms = Vec::with_capacity(1 + z.len() * (z.len() + 3) / 2);
        terms.push(1.0);
        terms.extend(&z);
        for (i, a) in z.iter().enumerate() {
            terms.extend(z[..=i].iter().map(|b| a * b));
        }
        terms
    }

    /// Figures at a point.
    pub(crate) fn figures(&self, point: &[f64]) -> Vec<f64> {
        let terms = self.terms(point);
        let dot = |c: &Vec<f64>| c.iter().zip(&terms).map(|(c, t)| c * t).sum::<f64>();
        // Nothing takes less than a nanosecond or more than the age of the universe.
        self.coefficients.iter().map(|c| libm::exp(dot(c).clamp(-20.0, 40.0))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quadratic_is_found_again() {
        let scale = vec![vec![0.1, 0.0], vec![0.05, 0.2]];
        let truth = |p: &[f64]| {
            vec![libm::exp(1.0 + 2.0 * p[0] - p[1] + 3.0 * p[0] * p[1] - 4.0 * p[0] * p[0]), 7.0]
        };
        let points: Vec<Vec<f64>> = (0..40)
            .map(|k| vec![0.3 * libm::sin(f64::from(k)), 0.4 * libm::cos(2.3 * f64::from(k))])
            .collect();
        let figures: Vec<Vec<f64>> = points.iter().map(|p| truth(p)).collect();
        let pairs = points.iter().zip(&figures).map(|(p, f)| (&p[..], &f[..], 1.0));
        let emulator = Emulator::fit(&[0.0, 0.0], &scale, pairs).expect("a surface");
        let (here, there) = (emulator.figures(&[0.12, -0.2]), truth(&[0.12, -0.2]));
        assert!((here[0] / there[0] - 1.0).abs() < 0.01, "{here:?} {there:?}");
        assert!((here[1] - 7.0).abs() < 0.05, "{here:?}");
    }
}
