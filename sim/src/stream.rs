//! Named streams of random numbers.
//!
//! Every source of randomness in a model draws from a stream of its own, derived from (seed,
//! replication, name). One more draw in one part then leaves every other part's draws as they
//! were, and two variants of a model that share a seed share their luck (common random numbers).
//!
//! This module alone touches the random crates. The generator is xoshiro256++
//! (Blackman and Vigna, Scrambled linear pseudorandom number generators, 2021); exponential and
//! normal variates are `rand_distr`'s ziggurats, everything else is made from these elsewhere.
//!
//! # How a stream is derived
//!
//! `mix` is the finalizer of splitmix64 (Steele, Lea and Flood, 2014), a bijection on 64 bits;
//! `name` stands for the FNV-1a hash of the name's bytes, 64 bits. Word i of the generator's state,
//! i = 0 to 3, is
//!
//! ```text
//!   mix(mix(mix(seed + (i + 1) * 0x9e3779b97f4a7c15) ^ replication) ^ name)
//! ```
//!
//! As `mix` is a bijection, two streams that differ in exactly one of seed, replication and hashed
//! name differ in all four words. All of it is integer arithmetic, the same on every machine.

mod ziggurat;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::distribution::Distribution;
use crate::variates::{Tapes, Variates};

/// The odd integer nearest to 2^64 divided by the golden ratio, splitmix64's increment.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The streams of one replication.
#[derive(Clone, Copy, Debug)]
pub struct Streams<'t> {
    seed: u64,
    replication: u64,
    tapes: Option<&'t Tapes>,
}

impl Streams<'static> {
    /// The streams of replication `replication` under `seed`; any numbers will do, neighbours
    /// included.
    pub fn new(seed: u64, replication: u64) -> Self {
        Streams { seed, replication, tapes: None }
    }
}

impl Streams<'_> {
    /// The same streams, whose [variates](Streams::variates) are kept on tapes: for runs that draw
    /// the same values again.
    #[must_use]
    pub fn with_tapes(self, tapes: &Tapes) -> Streams<'_> {
        Streams { seed: self.seed, replication: self.replication, tapes: Some(tapes) }
    }

    /// Values of `distribution` from the stream called `name`, which nobody else draws from.
    #[must_use]
    pub fn variates(&self, name: &str, distribution: &Distribution) -> Variates {
        match (self.tapes, distribution.fingerprint()) {
            (Some(tapes), Some(law)) => {
                let key = ([self.seed, self.replication, fnv1a(name.as_bytes())], law);
                tapes.variates(key, distribution, || self.named(name))
            }
            _ => Variates::drawn(distribution, self.named(name)),
        }
    }

    /// The stream called `name`. Asking twice gives two copies that start alike.
    ///
    /// ```
    /// use bakcast_sim::Streams;
    ///
    /// let streams = Streams::new(1, 0);
    /// let mut disk = streams.named("disk/service");
    /// let again = streams.named("disk/service").uniform();
    /// assert_eq!(disk.uniform(), again);
    /// ```
    pub fn named(&self, name: &str) -> Stream {
        let name = fnv1a(name.as_bytes());
        let mut state = [0; 32];
        let mut start = self.seed;
        for bytes in state.chunks_exact_mut(8) {
            start = start.wrapping_add(GOLDEN);
            let word = mix(mix(mix(start) ^ self.replication) ^ name);
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Stream { generator: Xoshiro256PlusPlus::from_seed(state) }
    }

    /// The seed these streams derive from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The replication these streams belong to.
    pub fn replication(&self) -> u64 {
        self.replication
    }
}

/// splitmix64's finalizer.
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// One source of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Stream {
    /// A number from [0, 1), all multiples of 2^-53 equally likely.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
        (self.generator.next_u64() >> 11) as f64 * UNIT
    }

    /// An exponential variate with mean 1.
    #[inline(always)]
    pub fn exponential(&mut self) -> f64 {
        ziggurat::exponential(&mut self.generator)
    }

    /// As many exponential variates with mean 1 as there is room for, one after the other. The copy
    /// of the generator lives in registers all the while, which makes them cheaper than one by one.
    #[inline(never)]
    pub fn fill_exponential(&mut self, values: &mut [f64]) {
        let mut generator = self.generator.clone();
        for value in values {
            *value = ziggurat::exponential(&mut generator);
        }
        self.generator = generator;
    }

    /// A normal variate with mean 0 and standard deviation 1.
    #[inline(always)]
    pub fn normal(&mut self) -> f64 {
        ziggurat::normal(&mut self.generator)
    }

    /// A stream of its own, begun by the next four draws of this one: whoever takes it may draw as
    /// often as it likes, and the draws of this one that follow stay what they were.
    #[inline]
    #[must_use]
    pub fn split(&mut self) -> Stream {
        let mut state = [0; 32];
        self.generator.fill_bytes(&mut state);
        Stream { generator: Xoshiro256PlusPlus::from_seed(state) }
    }

    /// A whole number from 0 to `n - 1`, all exactly equally likely (Lemire, Fast random integer
    /// generation in an interval, 2019).
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "there is no number below 0");
        let range = n as u64;
        let mut product = u128::from(self.generator.next_u64()) * u128::from(range);
        if (product as u64) < range {
            // Rejecting the lowest 2^64 mod n products leaves each result as many as any other.
            let threshold = range.wrapping_neg() % range;
            while (product as u64) < threshold {
                product = u128::from(self.generator.next_u64()) * u128::from(range);
            }
        }
        (product >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_and_the_mixer_are_the_published_ones() {
        // FNV-1a of "a" and "foobar" from the authors' test vectors.
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
        // First output of splitmix64 seeded with 0.
        assert_eq!(mix(GOLDEN), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn seed_replication_and_name_all_matter() {
        let first = |seed, replication, name| {
            Streams::new(seed, replication).named(name).uniform().to_bits()
        };
        let base = first(1, 2, "disk");
        assert_eq!(base, first(1, 2, "disk"));
        for other in [first(2, 2, "disk"), first(1, 3, "disk"), first(1, 2, "disc")] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn copies_of_a_stream_go_on_alike() {
        let mut stream = Streams::new(7, 0).named("x");
        stream.normal();
        let mut copy = stream.clone();
        for _ in 0..100 {
            assert_eq!(stream.exponential().to_bits(), copy.exponential().to_bits());
        }
    }

    #[test]
    fn a_stream_that_was_split_off_leaves_the_draws_that_follow() {
        let mut stream = Streams::new(7, 0).named("x");
        let mut copy = stream.clone();
        let (mut one, mut two) = (stream.split(), copy.split());
        two.normal();
        assert_eq!(stream, copy);
        assert_ne!(one.uniform().to_bits(), two.uniform().to_bits());
        let firsts: Vec<_> = (0..1000).map(|_| stream.split().uniform()).collect();
        let mean = firsts.iter().sum::<f64>() / 1000.0;
        // 99 % of the means of a thousand uniform numbers.
        assert!((mean - 0.5).abs() < 2.6 * (1.0 / 12_000_f64).sqrt(), "{mean}");
    }

    #[test]
    fn filling_draws_what_single_draws_would() {
        let mut stream = Streams::new(3, 0).named("x");
        let mut values = [0.0; 5000];
        let mut copy = stream.clone();
        copy.fill_exponential(&mut values);
        assert!(values.iter().all(|value| value.to_bits() == stream.exponential().to_bits()));
        assert_eq!(copy, stream);
    }

    #[test]
    fn uniform_stays_in_its_interval() {
        let mut stream = Streams::new(1, 1).named("u");
        assert!((0..10_000).map(|_| stream.uniform()).all(|u| (0.0..1.0).contains(&u)));
    }

    #[test]
    fn below_reaches_every_number_about_equally_often() {
        let mut stream = Streams::new(1, 1).named("below");
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7)] += 1;
        }
        // Chi square with 6 degrees of freedom exceeds 22.5 once in a thousand times.
        let chi_square: f64 =
            counts.iter().map(|&count| (f64::from(count) - 1e4) * (f64::from(count) - 1e4)).sum();
        assert!(chi_square / 1e4 < 22.5, "{counts:?}");
        assert_eq!(stream.below(1), 0);
    }

    #[test]
    #[should_panic(expected = "no number below 0")]
    fn below_zero_is_refused() {
        Streams::new(1, 1).named("x").below(0);
    }
}
