//! Distributions of service times, sizes and the like, by mean and coefficient of variation.
//!
//! A measurement usually tells a mean and how far values scatter about it; the coefficient of
//! variation cv = standard deviation / mean says the latter without a unit. Values are in whatever
//! unit the mean is in, seconds where a [`Span`] is wanted.
//!
//! Variates are made from a [`Stream`]'s uniform, exponential and normal ones through `libm`, never
//! through the platform's mathematics library, so a seed gives the same values everywhere.

use thiserror::Error;

use crate::stream::Stream;
use crate::time::Span;

/// A distribution of values that are never negative.
///
/// ```
/// use bakcast_sim::{Distribution, Streams};
///
/// # fn main() -> Result<(), bakcast_sim::DistributionError> {
/// let service = Distribution::gamma(0.004, 0.5)?;
/// let mut stream = Streams::new(1, 0).named("disk");
/// assert!(service.sample(&mut stream) > 0.0);
/// assert_eq!((service.mean(), service.cv()), (0.004, 0.5));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    law: Law,
    mean: f64,
    cv: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum Law {
    Deterministic,
    Exponential,
    /// exp(location + scale × normal).
    LogNormal {
        location: f64,
        scale: f64,
    },
    Gamma(Gamma),
    /// An exponential with mean `rare_mean` if a uniform is below `rare`, else `common_mean`.
    Hyperexponential {
        rare: f64,
        rare_mean: f64,
        common_mean: f64,
    },
    Empirical(Box<[f64]>),
}

/// Why a distribution cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum DistributionError {
    /// Means are finite and not negative.
    #[error("a mean must be finite and not negative, but is {0}")]
    Mean(f64),
    /// Coefficients of variation are finite and not negative.
    #[error("a coefficient of variation must be finite and not negative, but is {0}")]
    CoefficientOfVariation(f64),
    /// A hyperexponential scatters at least as much as an exponential.
    #[error("a hyperexponential has a coefficient of variation of at least 1, not {0}")]
    Hyperexponential(f64),
    /// Scatter this wide cannot be computed with.
    #[error("a coefficient of variation of {0} is too large to compute with")]
    TooWide(f64),
    /// An empirical distribution needs at least one value.
    #[error("an empirical distribution needs at least one value")]
    Empty,
    /// Observed values are finite and not negative.
    #[error("value {index} of an empirical distribution is {value}, not finite and >= 0")]
    Value {
        /// Its place in the list, counted from 0.
        index: usize,
        /// What stands there.
        value: f64,
    },
}

impl Distribution {
    /// Always `mean`.
    ///
    /// # Errors
    ///
    /// If the mean is negative or not finite.
    pub fn deterministic(mean: f64) -> Result<Self, DistributionError> {
        check(mean, 0.0)?;
        Ok(Distribution { law: Law::Deterministic, mean, cv: 0.0 })
    }

    /// Memoryless, cv = 1.
    ///
    /// # Errors
    ///
    /// If the mean is negative or not finite.
    pub fn exponential(mean: f64) -> Result<Self, DistributionError> {
        check(mean, 1.0)?;
        Ok(Distribution { law: Law::Exponential, mean, cv: 1.0 })
    }

    /// exp(m + s Z) with s² = ln(1 + cv²), m = ln(mean) - s² / 2 and Z normal; deterministic if
    /// the mean or `cv` is 0.
    ///
    /// # Errors
    ///
    /// If the mean or `cv` is negative or not finite, or `cv`² overflows.
    pub fn log_normal(mean: f64, cv: f64) -> Result<Self, DistributionError> {
        check(mean, cv)?;
        if mean == 0.0 || cv == 0.0 {
            return Self::deterministic(mean);
        }
        let variance = libm::log1p(cv * cv);
        if !variance.is_finite() {
            return Err(DistributionError::TooWide(cv));
        }
        let location = libm::log(mean) - variance / 2.0;
        Ok(Distribution { law: Law::LogNormal { location, scale: variance.sqrt() }, mean, cv })
    }

    /// Gamma with shape 1 / cv² and scale mean × cv²; exactly exponential if `cv` is 1 and
    /// deterministic if the mean or `cv` is 0.
    ///
    /// # Errors
    ///
    /// If the mean or `cv` is negative or not finite, or `cv` is outside 1e-150 to 1e150, where the
    /// shape over- or underflows.
    pub fn gamma(mean: f64, cv: f64) -> Result<Self, DistributionError> {
        check(mean, cv)?;
        if mean == 0.0 || cv == 0.0 {
            return Self::deterministic(mean);
        }
        if is_one(cv) {
            return Self::exponential(mean);
        }
        if !(1e-150..=1e150).contains(&cv) {
            return Err(DistributionError::TooWide(cv));
        }
        let shape = 1.0 / (cv * cv);
        Ok(Distribution { law: Law::Gamma(Gamma::new(shape, mean * cv * cv)), mean, cv })
    }

    /// Two exponentials, the choice between them random, with balanced means: each contributes
    /// half of the mean. With r = sqrt((cv² - 1) / (cv² + 1)) the probabilities are (1 ± r) / 2
    /// and the means mean / (1 ± r) (Tijms, A First Course in Stochastic Models, 2003, appendix
    /// B). Exactly exponential if `cv` is 1.
    ///
    /// # Errors
    ///
    /// If the mean or `cv` is negative or not finite, `cv` is below 1, or so large that the rarer
    /// choice has no chance left (above about 1e8).
    pub fn hyperexponential(mean: f64, cv: f64) -> Result<Self, DistributionError> {
        check(mean, cv)?;
        if cv < 1.0 {
            return Err(DistributionError::Hyperexponential(cv));
        }
        if is_one(cv) {
            return Self::exponential(mean);
        }
        let square = cv * cv;
        let r = ((square - 1.0) / (square + 1.0)).sqrt();
        // 1 - r without cancellation, from r² = 1 - 2 / (square + 1).
        let one_minus_r = 2.0 / (square + 1.0) / (1.0 + r);
        let rare = one_minus_r / 2.0;
        if rare < 1e-16 {
            return Err(DistributionError::TooWide(cv));
        }
        let (rare_mean, common_mean) = (mean / one_minus_r, mean / (1.0 + r));
        Ok(Distribution { law: Law::Hyperexponential { rare, rare_mean, common_mean }, mean, cv })
    }

    /// Resamples observed values: each of them equally likely, nothing in between. Mean and
    /// coefficient of variation are those of the values exactly, which interpolation would change.
    ///
    /// # Errors
    ///
    /// If there are no values or one of them is negative or not finite.
    pub fn empirical(values: Vec<f64>) -> Result<Self, DistributionError> {
        if values.is_empty() {
            return Err(DistributionError::Empty);
        }
        if let Some(index) = values.iter().position(|value| !is_valid(*value)) {
            return Err(DistributionError::Value { index, value: values[index] });
        }
        let count = values.len() as f64;
        // Dividing first keeps the sum of huge values finite.
        let mean = values.iter().map(|value| value / count).sum::<f64>();
        let variance = values.iter().map(|value| (value - mean) * (value - mean) / count).sum();
        let cv = if mean == 0.0 { 0.0 } else { f64::sqrt(variance) / mean };
        check(mean, cv)?;
        Ok(Distribution { law: Law::Empirical(values.into_boxed_slice()), mean, cv })
    }

    /// A value, in the unit of the mean.
    #[inline(always)]
    pub fn sample(&self, stream: &mut Stream) -> f64 {
        // The usual law of service times stands apart, so that only its code is inlined.
        match &self.law {
            Law::Gamma(gamma) => gamma.sample(stream),
            _ => self.sample_other(stream),
        }
    }

    #[inline(never)]
    fn sample_other(&self, stream: &mut Stream) -> f64 {
        match &self.law {
            Law::Deterministic => self.mean,
            Law::Exponential => self.mean * stream.exponential(),
            Law::LogNormal { location, scale } => libm::exp(location + scale * stream.normal()),
            Law::Gamma(gamma) => gamma.sample(stream),
            Law::Hyperexponential { rare, rare_mean, common_mean } => {
                let mean = if stream.uniform() < *rare { rare_mean } else { common_mean };
                mean * stream.exponential()
            }
            Law::Empirical(values) => values[stream.below(values.len())],
        }
    }

    /// A value in seconds, rounded to the nearest nanosecond.
    #[inline]
    pub fn sample_span(&self, stream: &mut Stream) -> Span {
        Span::from_seconds(self.sample(stream))
    }

    /// Three words that no other distribution has; `None` if three do not suffice.
    pub(crate) fn fingerprint(&self) -> Option<[u64; 3]> {
        let law = match self.law {
            Law::Deterministic => 0,
            Law::Exponential => 1,
            Law::LogNormal { .. } => 2,
            Law::Gamma(_) => 3,
            Law::Hyperexponential { .. } => 4,
            Law::Empirical(_) => return None,
        };
        Some([law, self.mean.to_bits(), self.cv.to_bits()])
    }

    /// The mean, in the unit it was given in.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The coefficient of variation, standard deviation / mean.
    #[inline]
    pub fn cv(&self) -> f64 {
        self.cv
    }
}

fn is_valid(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

/// Exactly 1: only then is the special case free of any approximation.
#[allow(clippy::float_cmp, reason = "the shortcut is for the exact value only")]
fn is_one(cv: f64) -> bool {
    cv == 1.0
}

fn check(mean: f64, cv: f64) -> Result<(), DistributionError> {
    if !is_valid(mean) {
        return Err(DistributionError::Mean(mean));
    }
    if !is_valid(cv) {
        return Err(DistributionError::CoefficientOfVariation(cv));
    }
    Ok(())
}

/// The gamma distribution by the method of Marsaglia and Tsang (A simple method for generating
/// gamma variables, 2000), squeeze included.
///
/// A shape k below 1 is drawn with k + 1 and multiplied by U^(1/k), as they suggest.
#[derive(Clone, Debug, PartialEq)]
struct Gamma {
    /// k - 1/3, with k the shape that is drawn.
    d: f64,
    /// 1 / sqrt(9 d).
    c: f64,
    scale: f64,
    /// 1 / shape if the shape is below 1.
    boost: Option<f64>,
}

impl Gamma {
    fn new(shape: f64, scale: f64) -> Self {
        let boost = (shape < 1.0).then(|| 1.0 / shape);
        let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
        Gamma { d, c: 1.0 / (9.0 * d).sqrt(), scale, boost }
    }

    #[inline(always)]
    fn sample(&self, stream: &mut Stream) -> f64 {
        let value = self.scale * self.sample_standard(stream);
        match self.boost {
            // E / k with E exponential is -ln(U^(1/k)), and spares a logarithm of zero.
            Some(inverse) => value * power(stream, inverse),
            None => value,
        }
    }

    #[inline(always)]
    fn sample_standard(&self, stream: &mut Stream) -> f64 {
        loop {
            let x = stream.normal();
            let root = 1.0 + self.c * x;
            if root <= 0.0 {
                continue;
            }
            let v = root * root * root;
            let u = 1.0 - stream.uniform();
            let x2 = x * x;
            if u < 1.0 - 0.0331 * x2 * x2 || self.accepts(u, x2, v) {
                return self.d * v;
            }
        }
    }

    /// The exact test, for the one draw in twelve that the squeeze does not let pass.
    #[cold]
    #[inline(never)]
    fn accepts(&self, u: f64, x2: f64, v: f64) -> bool {
        libm::log(u) < 0.5 * x2 + self.d * (1.0 - v + libm::log(v))
    }
}

/// U^inverse for a uniform U.
#[inline(never)]
fn power(stream: &mut Stream, inverse: f64) -> f64 {
    libm::exp(-stream.exponential() * inverse)
}

#[cfg(test)]
mod tests;
