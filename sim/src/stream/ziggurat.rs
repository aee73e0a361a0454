//! The first step of `rand_distr`'s ziggurats for exponential and normal variates (Marsaglia and
//! Tsang, The ziggurat method for generating random variables, 2000; Doornik, An improved ziggurat
//! method to generate normal random samples, 2005), with the same draws and the same results.
//!
//! Ninety-seven of a hundred variates are done after one word from the generator, two products and
//! one comparison. Only that much stands here, to be inlined where a variate is needed; the rest,
//! with its exponentials and logarithms, is `rand_distr`'s own code behind a call, which otherwise
//! takes the registers from everything around it. The generator is passed by value there: one that
//! had an address would have to stay in memory all the time.

use std::convert::Infallible;

use rand::distr::Distribution;
use rand::{Rng, TryRng};
use rand_distr::{Exp1, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

mod ends;

use ends::{EXPONENTIAL, NORMAL};

const FRACTION_SHIFT: u32 = 12;

/// An exponential variate with mean 1.
#[inline(always)]
pub(super) fn exponential(generator: &mut Xoshiro256PlusPlus) -> f64 {
    let word = generator.next_u64();
    let strip = strip(word);
    // From (0, 1): odd multiples of 2^-53.
    let unit = f64::from_bits(word >> FRACTION_SHIFT | 1f64.to_bits());
    let x = (unit - (1.0 - f64::EPSILON / 2.0)) * EXPONENTIAL[strip];
    if x < EXPONENTIAL[strip + 1] { x } else { go_on(Exp1, word, generator) }
}

/// A normal variate with mean 0 and standard deviation 1.
#[inline(always)]
pub(super) fn normal(generator: &mut Xoshiro256PlusPlus) -> f64 {
    let word = generator.next_u64();
    let strip = strip(word);
    // From [-1, 1): multiples of 2^-51.
    let unit = f64::from_bits(word >> FRACTION_SHIFT | 2f64.to_bits());
    let x = (unit - 3.0) * NORMAL[strip];
    if x.abs() < NORMAL[strip + 1] { x } else { go_on(StandardNormal, word, generator) }
}

/// The lowest bits, which the fraction does not use.
#[inline(always)]
fn strip(word: u64) -> usize {
    word as usize & 0xff
}

/// The variate of `law` that begins with `word`. A copy of the generator makes the way there and
/// back, because one that had an address would have to stay in memory all the time.
#[inline(always)]
fn go_on(law: impl Distribution<f64>, word: u64, generator: &mut Xoshiro256PlusPlus) -> f64 {
    let mut copy = generator.clone();
    let variate = with_first_word(law, word, &mut copy);
    *generator = copy;
    variate
}

#[cold]
#[inline(never)]
fn with_first_word<R: Rng>(law: impl Distribution<f64>, word: u64, others: &mut R) -> f64 {
    law.sample(&mut Words { first: Some(word), others })
}

/// A generator, the first word of which is known already.
struct Words<'a, R> {
    first: Option<u64>,
    others: &'a mut R,
}

impl<R: Rng> TryRng for Words<'_, R> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.others.next_u32())
    }

    #[inline(always)]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.first.take().unwrap_or_else(|| self.others.next_u64()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.others.fill_bytes(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn variates_and_draws_are_those_of_rand_distr() {
        let mut ours = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut theirs = ours.clone();
        for _ in 0..200_000 {
            let expected: f64 = Exp1.sample(&mut theirs);
            assert_eq!(exponential(&mut ours).to_bits(), expected.to_bits());
            let expected: f64 = StandardNormal.sample(&mut theirs);
            assert_eq!(normal(&mut ours).to_bits(), expected.to_bits());
        }
        assert_eq!(ours, theirs);
    }

    /// A word with the smallest u, a power of two, gives the end of its strip without rounding.
    #[test]
    fn every_strip_ends_where_it_does_in_rand_distr() {
        let smallest = ((1 << 51) + 1) << FRACTION_SHIFT;
        for strip in 0..256 {
            let x = with_first_word(Exp1, strip, &mut Half) * (1_u64 << 53) as f64;
            assert_eq!(x.to_bits(), EXPONENTIAL[strip as usize].to_bits());
            let x =
                with_first_word(StandardNormal, smallest | strip, &mut Half) * (1_u64 << 51) as f64;
            assert_eq!(x.to_bits(), NORMAL[strip as usize].to_bits());
        }
        assert_eq!((EXPONENTIAL[256].to_bits(), NORMAL[256].to_bits()), (0, 0));
    }

    /// Words that accept what the top strip leaves open.
    struct Half;

    impl TryRng for Half {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(1 << 31)
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(1 << 63)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            bytes.fill(0x80);
            Ok(())
        }
    }
}
