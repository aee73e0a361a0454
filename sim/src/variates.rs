//! The variates of one distribution from one stream, drawn ahead in blocks.
//!
//! A loop that does nothing but draw keeps the processor busy, where single draws in the middle of
//! a simulation wait for each other: the values are the same and in the same order.

use crate::distribution::Distribution;
use crate::stream::Stream;

/// Values in the first block; each is twice as long as the one before.
const FIRST_BLOCK: usize = 16;
/// Values in the longest block.
const LONGEST_BLOCK: usize = 256;

/// Values of a distribution, one after the other.
///
/// The stream belongs to it alone, so nobody can tell that it draws ahead.
///
/// ```
/// use bakcast_sim::{Distribution, Streams, Variates};
///
/// # fn main() -> Result<(), bakcast_sim::DistributionError> {
/// let (service, streams) = (Distribution::gamma(0.004, 0.5)?, Streams::new(1, 0));
/// let mut one_by_one = streams.named("disk");
/// let mut ahead = Variates::new(service.clone(), streams.named("disk"));
/// assert_eq!(ahead.next(), service.sample(&mut one_by_one));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Variates {
    distribution: Distribution,
    stream: Stream,
    block: Vec<f64>,
    /// Values of the block that have been handed out.
    taken: usize,
}

impl Variates {
    /// Values of `distribution` from `stream`.
    #[must_use]
    pub fn new(distribution: Distribution, stream: Stream) -> Self {
        Variates { distribution, stream, block: Vec::new(), taken: 0 }
    }

    /// The next value, in the unit of the distribution's mean.
    #[inline(always)]
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> f64 {
        if self.taken == self.block.len() {
            self.draw_block();
        }
        let value = self.block[self.taken];
        self.taken += 1;
        value
    }

    #[cold]
    #[inline(never)]
    fn draw_block(&mut self) {
        let length = (2 * self.block.len()).clamp(FIRST_BLOCK, LONGEST_BLOCK);
        let Variates { distribution, stream, block, taken } = self;
        block.clear();
        block.extend((0..length).map(|_| distribution.sample(stream)));
        *taken = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Streams;

    #[test]
    fn blocks_hold_what_single_draws_give() {
        let streams = Streams::new(5, 3);
        for cv in [0.0, 0.5, 1.0, 1.5] {
            let distribution = Distribution::gamma(1.0, cv).unwrap();
            let mut single = streams.named("x");
            let mut blocks = Variates::new(distribution.clone(), streams.named("x"));
            for _ in 0..2000 {
                assert_eq!(blocks.next().to_bits(), distribution.sample(&mut single).to_bits());
            }
        }
    }
}
