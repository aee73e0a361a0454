//! A fixed set of tokens, handed out first come first served.
//!
//! Buffers, permits, connections: whoever needs one takes it or waits for one to come back. Tokens
//! are neither made nor lost, which is asserted at every step.

use crate::ring::Ring;
use crate::stats::Area;
use crate::time::{SimTime, Span};

/// Identical tokens with a FIFO queue of takers of a small type such as an index.
///
/// ```
/// use bakcast_sim::{SimTime, TokenPool};
///
/// let at = SimTime::from_nanos;
/// let mut permits = TokenPool::new(1);
/// assert!(permits.take(at(0), "Ada"));
/// assert!(!permits.take(at(3), "Bob")); // he waits
/// assert_eq!(permits.give(at(8)), Some("Bob")); // and gets Ada's
/// assert_eq!(permits.give(at(9)), None);
/// assert_eq!(permits.statistics(at(10)).waiting, 5);
/// ```
#[derive(Clone, Debug)]
pub struct TokenPool<T: Copy> {
    tokens: u64,
    free: u64,
    takers: Ring<T>,
    taken: u64,
    given: u64,
    free_area: Area,
    waiting_area: Area,
    changed: SimTime,
}

impl<T: Copy> TokenPool<T> {
    /// A pool of `tokens` free tokens.
    ///
    /// # Panics
    ///
    /// If there are none: every taker would wait for ever.
    pub fn new(tokens: usize) -> Self {
        assert!(tokens > 0, "a pool needs a token");
        let tokens = tokens as u64;
        TokenPool {
            tokens,
            free: tokens,
            takers: Ring::new(),
            taken: 0,
            given: 0,
            free_area: Area::default(),
            waiting_area: Area::default(),
            changed: SimTime::ZERO,
        }
    }

    /// `taker` asks for a token. True if it has one at once, false if it waits. Calls on one pool
    /// must come in order of time.
    #[inline]
    pub fn take(&mut self, now: SimTime, taker: T) -> bool {
        self.pass_time(now);
        let at_once = self.free > 0;
        if at_once {
            self.free -= 1;
            self.taken += 1;
            self.free_area.fall(now);
        } else {
            self.takers.push(taker);
            self.waiting_area.rise(now);
        }
        self.assert_invariants();
        at_once
    }

    /// A token comes back. Returns the taker who has waited longest and has it now, if there is
    /// one; otherwise the token is free.
    ///
    /// # Panics
    ///
    /// If no token is out.
    #[inline]
    pub fn give(&mut self, now: SimTime) -> Option<T> {
        self.pass_time(now);
        assert!(self.free < self.tokens, "no token is out that could come back");
        self.given += 1;
        let taker = self.takers.pop();
        if taker.is_some() {
            self.taken += 1;
            self.waiting_area.fall(now);
        } else {
            self.free += 1;
            self.free_area.rise(now);
        }
        self.assert_invariants();
        taker
    }

    /// Tokens altogether.
    #[inline]
    pub fn tokens(&self) -> usize {
        self.tokens as usize
    }

    /// Tokens that anyone may take.
    #[inline]
    pub fn free(&self) -> usize {
        self.free as usize
    }

    /// Tokens that are out.
    #[inline]
    pub fn held(&self) -> usize {
        (self.tokens - self.free) as usize
    }

    /// Takers that wait.
    #[inline]
    pub fn waiting(&self) -> usize {
        self.takers.len()
    }

    /// What has been counted from the start of the run to `now`.
    ///
    /// # Panics
    ///
    /// If `now` is before the last step.
    pub fn statistics(&self, now: SimTime) -> TokenStatistics {
        assert!(self.changed <= now, "{now} is before the last step at {}", self.changed);
        // All tokens were free at time zero, so their area starts with them.
        let free = self.free_area.until(now, self.free);
        let waiting = self.waiting_area.until(now, self.takers.len() as u64);
        let per_nanosecond = match now.as_nanos() {
            0 => 0.0,
            nanos => 1.0 / nanos as f64,
        };
        TokenStatistics {
            elapsed: now.since(SimTime::ZERO),
            taken: self.taken,
            given: self.given,
            free,
            waiting,
            mean_free: free as f64 * per_nanosecond,
            mean_waiting: waiting as f64 * per_nanosecond,
            mean_wait: (self.taken > 0).then(|| waiting as f64 / self.taken as f64 / 1e9),
        }
    }

    #[inline]
    fn pass_time(&mut self, now: SimTime) {
        debug_assert!(self.changed <= now, "{now} is before the last step at {}", self.changed);
        self.changed = now;
    }

    /// Tokens out are those taken and not given back, and nobody waits beside a free token.
    #[inline]
    fn assert_invariants(&self) {
        assert!(self.taken - self.given == self.tokens - self.free, "a token was made or lost");
        assert!(self.free == 0 || self.takers.is_empty(), "a taker waits beside a free token");
    }
}

/// What a pool of tokens counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenStatistics {
    /// From the start of the run.
    pub elapsed: Span,
    /// Tokens handed out.
    pub taken: u64,
    /// Tokens that came back.
    pub given: u64,
    /// Time tokens spent free, in token-nanoseconds.
    pub free: u128,
    /// Time takers spent waiting, in taker-nanoseconds.
    pub waiting: u128,
    /// Time average of free tokens; 0 if no time has passed.
    pub mean_free: f64,
    /// Time average of waiting takers; 0 if no time has passed.
    pub mean_waiting: f64,
    /// Mean wait in seconds of a token handed out, those who did not wait included; waits that go
    /// on count with the time so far. `None` before the first.
    pub mean_wait: Option<f64>,
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    fn at(nanos: u64) -> SimTime {
        SimTime::from_nanos(nanos)
    }

    #[test]
    fn all_tokens_are_free_at_first() {
        let pool = TokenPool::<u8>::new(3);
        assert_eq!((pool.tokens(), pool.free(), pool.held(), pool.waiting()), (3, 3, 0, 0));
        let statistics = pool.statistics(at(10));
        assert_eq!((statistics.free, statistics.mean_wait), (30, None));
    }

    #[test]
    #[should_panic(expected = "no token is out")]
    fn tokens_are_not_made() {
        TokenPool::<u8>::new(3).give(at(0));
    }

    proptest! {
        #[test]
        fn takers_are_served_in_order_and_time_is_accounted_for(
            tokens in 1..4usize,
            steps in prop::collection::vec((0..9u64, any::<bool>()), 1..150),
        ) {
            let mut pool = TokenPool::new(tokens);
            let (mut free, mut queue) = (tokens, VecDeque::new());
            let (mut now, mut free_area, mut waiting_area) = (0, 0, 0);
            for (taker, (gap, take)) in steps.into_iter().enumerate() {
                now += gap;
                free_area += u128::from(gap) * free as u128;
                waiting_area += u128::from(gap) * queue.len() as u128;
                if take {
                    prop_assert_eq!(pool.take(at(now), taker), free > 0);
                    if free > 0 { free -= 1 } else { queue.push_back(taker) }
                } else if pool.held() > 0 {
                    let next = queue.pop_front();
                    prop_assert_eq!(pool.give(at(now)), next);
                    free += usize::from(next.is_none());
                }
            }
            let statistics = pool.statistics(at(now));
            prop_assert_eq!((statistics.free, statistics.waiting), (free_area, waiting_area));
            prop_assert_eq!((pool.free(), pool.waiting()), (free, queue.len()));
        }
    }
}
