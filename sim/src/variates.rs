//! The variates of one distribution from one stream, drawn ahead in blocks, and tapes of them.
//!
//! A loop that does nothing but draw keeps the processor busy, where single draws in the middle of
//! a simulation wait for each other: the values are the same and in the same order.
//!
//! Runs of many configurations on common random numbers draw the same values again and again. A
//! tape keeps what has been drawn once: values for seconds of computing, not for hours, so it has
//! a length and all tapes together have one. Whether a value comes from a tape or is drawn makes
//! no difference but in time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

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
/// use bakcast_sim::{Distribution, Streams};
///
/// # fn main() -> Result<(), bakcast_sim::DistributionError> {
/// let (service, streams) = (Distribution::gamma(0.004, 0.5)?, Streams::new(1, 0));
/// let mut one_by_one = streams.named("disk");
/// let mut ahead = streams.variates("disk", &service);
/// assert_eq!(ahead.next(), service.sample(&mut one_by_one));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Variates {
    block: Vec<f64>,
    /// Values of the block that have been handed out.
    taken: usize,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Drawn(Box<Generator>),
    /// A tape, and how much of it has been read.
    Tape(Rc<Tape>, usize),
}

#[derive(Clone, Debug)]
struct Generator {
    distribution: Distribution,
    stream: Stream,
}

impl Generator {
    fn extend(&mut self, values: &mut Vec<f64>, count: usize) {
        values.extend((0..count).map(|_| self.distribution.sample(&mut self.stream)));
    }
}

impl Variates {
    /// Values of `distribution` from `stream`.
    pub(crate) fn drawn(distribution: &Distribution, stream: Stream) -> Self {
        let generator = Generator { distribution: distribution.clone(), stream };
        Variates { block: Vec::new(), taken: 0, source: Source::Drawn(Box::new(generator)) }
    }

    /// The next value, in the unit of the distribution's mean.
    #[inline(always)]
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> f64 {
        if self.taken == self.block.len() {
            self.next_block();
        }
        let value = self.block[self.taken];
        self.taken += 1;
        value
    }

    /// The values that come next, one at the least; they are handed out by [`Variates::skip`].
    ///
    /// ```
    /// use bakcast_sim::{Distribution, Streams};
    ///
    /// # fn main() -> Result<(), bakcast_sim::DistributionError> {
    /// let (service, streams) = (Distribution::gamma(0.004, 0.5)?, Streams::new(1, 0));
    /// let mut variates = streams.variates("disk", &service);
    /// let ahead = variates.ahead().to_vec();
    /// variates.skip(1);
    /// assert_eq!(variates.next(), ahead[1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn ahead(&mut self) -> &[f64] {
        if self.taken == self.block.len() {
            self.next_block();
        }
        &self.block[self.taken..]
    }

    /// Hands out the next `count` values, no more of them than [`Variates::ahead`] has shown.
    ///
    /// # Panics
    ///
    /// If they are more.
    pub fn skip(&mut self, count: usize) {
        assert!(count <= self.block.len() - self.taken, "values nobody has seen");
        self.taken += count;
    }

    #[cold]
    #[inline(never)]
    fn next_block(&mut self) {
        let length = (2 * self.block.len()).clamp(FIRST_BLOCK, LONGEST_BLOCK);
        self.block.clear();
        self.taken = 0;
        let mut wound_off = None;
        match &mut self.source {
            Source::Drawn(generator) => generator.extend(&mut self.block, length),
            Source::Tape(tape, read) => {
                wound_off = tape.read(*read, length, &mut self.block);
                *read += length;
            }
        }
        if let Some(generator) = wound_off {
            self.source = Source::Drawn(Box::new(generator));
        }
    }
}

/// The beginning of a sequence of values.
struct Tape {
    recorded: RefCell<Recorded>,
}

struct Recorded {
    values: Vec<f64>,
    /// What the sequence goes on with.
    generator: Generator,
}

impl Tape {
    /// Copies `length` values from place `begin` on. Returns what draws the values after them if
    /// the tape ends there.
    fn read(&self, begin: usize, length: usize, into: &mut Vec<f64>) -> Option<Generator> {
        let mut recorded = self.recorded.borrow_mut();
        let Recorded { values, generator } = &mut *recorded;
        let end = begin + length;
        if values.len() < end {
            let missing = end - values.len();
            generator.extend(values, missing);
        }
        into.extend_from_slice(&values[begin..end]);
        (end >= Tapes::LENGTH && end == values.len()).then(|| generator.clone())
    }
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape").finish_non_exhaustive()
    }
}

/// What tells sequences apart: seed, replication, hash of the stream's name, distribution.
pub(crate) type TapeKey = ([u64; 3], [u64; 3]);

/// Tapes of the streams that one thread has drawn from; see [`Streams::with_tapes`].
///
/// [`Streams::with_tapes`]: crate::Streams::with_tapes
#[derive(Debug, Default)]
pub struct Tapes {
    tapes: RefCell<BTreeMap<TapeKey, Rc<Tape>>>,
}

impl Tapes {
    /// Values of one tape, but for the rest of a block; what comes after is drawn every time.
    const LENGTH: usize = 1 << 14;
    /// Tapes kept at a time: 64 MiB if all of them are full.
    const COUNT: usize = 512;

    /// No tapes yet.
    #[must_use]
    pub fn new() -> Self {
        Tapes::default()
    }

    /// The variates of this key, from its tape.
    pub(crate) fn variates(
        &self,
        key: TapeKey,
        distribution: &Distribution,
        stream: impl FnOnce() -> Stream,
    ) -> Variates {
        let mut tapes = self.tapes.borrow_mut();
        if tapes.len() >= Self::COUNT && !tapes.contains_key(&key) {
            tapes.clear();
        }
        let tape = tapes.entry(key).or_insert_with(|| {
            let generator = Generator { distribution: distribution.clone(), stream: stream() };
            let recorded = RefCell::new(Recorded { values: Vec::new(), generator });
            Rc::new(Tape { recorded })
        });
        Variates { block: Vec::new(), taken: 0, source: Source::Tape(Rc::clone(tape), 0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Streams;

    fn gamma(cv: f64) -> Distribution {
        Distribution::gamma(1.0, cv).unwrap()
    }

    #[test]
    fn blocks_hold_what_single_draws_give() {
        let streams = Streams::new(5, 3);
        for cv in [0.0, 0.5, 1.0, 1.5] {
            let mut single = streams.named("x");
            let mut blocks = streams.variates("x", &gamma(cv));
            for _ in 0..2000 {
                assert_eq!(blocks.next().to_bits(), gamma(cv).sample(&mut single).to_bits());
            }
        }
    }

    #[test]
    fn a_tape_gives_everybody_the_same_values_however_far_they_read() {
        let tapes = Tapes::new();
        let (bare, taped) = (Streams::new(5, 3), Streams::new(5, 3).with_tapes(&tapes));
        // The second reads what is there, the third past the end of the tape.
        for count in [5000, 3000, 3 * Tapes::LENGTH, 2 * Tapes::LENGTH] {
            let mut drawn = bare.variates("x", &gamma(0.5));
            let mut read = taped.variates("x", &gamma(0.5));
            for _ in 0..count {
                assert_eq!(read.next().to_bits(), drawn.next().to_bits());
            }
        }
    }

    #[test]
    fn distributions_names_and_replications_have_tapes_of_their_own() {
        let tapes = Tapes::new();
        let streams = |replication| Streams::new(5, replication).with_tapes(&tapes);
        let first = |replication, name, cv| {
            streams(replication).variates(name, &gamma(cv)).next().to_bits()
        };
        let base = first(1, "x", 0.5);
        assert_eq!(base, first(1, "x", 0.5));
        for other in [first(2, "x", 0.5), first(1, "y", 0.5), first(1, "x", 0.6)] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn old_tapes_make_room_for_new_ones() {
        let tapes = Tapes::new();
        for replication in 0..3 * Tapes::COUNT as u64 {
            let streams = Streams::new(1, replication);
            let taped = streams.with_tapes(&tapes).variates("x", &gamma(0.5)).next();
            assert_eq!(taped.to_bits(), streams.variates("x", &gamma(0.5)).next().to_bits());
            assert!(tapes.tapes.borrow().len() <= Tapes::COUNT);
        }
    }
}
