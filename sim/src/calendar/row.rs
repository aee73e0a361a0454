//! Up to eight, or sixteen, pending ends in a row; the earliest is found when it is asked for.
//!
//! Writing is two stores, and the comparisons of a look-up, one fewer than there are slots, hardly
//! wait for one another, as the levels of a tree do. To need only one word a comparison, a key
//! counts time and sequence from a moving base:
//!
//! ```text
//!   63                       16 15                           0
//!   [ ns since the base time   | rank since the base  |  slot  ]
//! ```
//!
//! with 3 or 4 bits for the slot. When the 8192 or 4096 ranks are used up or a time does not fit,
//! the base moves: the pending ends keep their order and get the lowest ranks. Ends further apart
//! than 2^48 ns (78 hours) have no common base; a row that meets them says so, and the calendar
//! goes on with a tree.

use std::hint::select_unpredictable;

const TIME_BITS: u32 = 48;
const TIME_SHIFT: u32 = 16;
/// The key of a slot without a pending end. No real key equals it, because the last rank is never
/// given out.
const IDLE: u64 = u64::MAX;

#[derive(Clone, Debug)]
pub(super) struct Row<const SLOTS: usize> {
    keys: [u64; SLOTS],
    sequences: [u64; SLOTS],
    base_nanos: u64,
    base_sequence: u64,
}

impl<const SLOTS: usize> Row<SLOTS> {
    const SLOT_BITS: u32 = {
        assert!(SLOTS.is_power_of_two() && SLOTS <= 256, "a slot has a few whole bits");
        SLOTS.trailing_zeros()
    };
    const RANK_BITS: u32 = TIME_SHIFT - Self::SLOT_BITS;

    pub(super) fn new() -> Self {
        Row { keys: [IDLE; SLOTS], sequences: [0; SLOTS], base_nanos: 0, base_sequence: 0 }
    }

    /// Arms slot `index` at `nanos`; false if that has no common base with the others.
    #[inline]
    pub(super) fn schedule(&mut self, index: usize, nanos: u64, sequence: u64) -> bool {
        if !self.fits(nanos, sequence) {
            return self.schedule_with_new_base(index, nanos, sequence);
        }
        self.set(index, nanos, sequence);
        true
    }

    #[inline]
    fn fits(&self, nanos: u64, sequence: u64) -> bool {
        // Below the base the difference wraps around to something too large.
        let time = nanos.wrapping_sub(self.base_nanos);
        // One more than the rank, so that the last rank is refused.
        let rank = sequence.wrapping_sub(self.base_sequence).wrapping_add(1);
        (time >> TIME_BITS) | (rank >> Self::RANK_BITS) == 0
    }

    #[inline]
    fn set(&mut self, index: usize, nanos: u64, sequence: u64) {
        let time = nanos.wrapping_sub(self.base_nanos) << TIME_SHIFT;
        let rank = sequence.wrapping_sub(self.base_sequence) << Self::SLOT_BITS;
        self.keys[index % SLOTS] = time | rank | index as u64;
        self.sequences[index % SLOTS] = sequence;
    }

    #[cold]
    #[inline(never)]
    fn schedule_with_new_base(&mut self, index: usize, nanos: u64, sequence: u64) -> bool {
        self.cancel(index);
        let mut keys = self.keys;
        keys.sort_unstable();
        let pending = keys.map(|key| self.time_and_slot(key));
        let mut pending = pending.iter().flatten().copied().peekable();
        let base = pending.peek().map_or(nanos, |&(first, _)| first.min(nanos));
        let latest = pending.clone().last().map_or(nanos, |(last, _)| last.max(nanos));
        if (latest - base) >> TIME_BITS != 0 {
            return false;
        }
        let count = pending.clone().count() as u64;
        (self.base_nanos, self.base_sequence) = (base, sequence.wrapping_sub(count));
        for (rank, (nanos, slot)) in (0..).zip(pending) {
            let true_sequence = self.sequences[slot];
            self.set(slot, nanos, self.base_sequence.wrapping_add(rank));
            self.sequences[slot] = true_sequence;
        }
        self.set(index, nanos, sequence);
        true
    }

    #[inline]
    pub(super) fn cancel(&mut self, index: usize) {
        self.keys[index % SLOTS] = IDLE;
    }

    /// Time and sequence number of a slot.
    pub(super) fn get(&self, index: usize) -> Option<(u64, u64)> {
        let (nanos, _) = self.time_and_slot(self.keys[index])?;
        Some((nanos, self.sequences[index]))
    }

    /// Time and slot of the earliest end.
    #[inline]
    pub(super) fn next(&self) -> Option<(u64, usize)> {
        // A tournament: every round halves the row. The loops have fixed bounds and unroll.
        let mut keys = self.keys;
        let mut half = SLOTS / 2;
        while half > 0 {
            for slot in 0..half {
                keys[slot] = earlier(keys[slot], keys[slot + half]);
            }
            half /= 2;
        }
        self.time_and_slot(keys[0])
    }

    #[inline]
    fn time_and_slot(&self, key: u64) -> Option<(u64, usize)> {
        let nanos = self.base_nanos.wrapping_add(key >> TIME_SHIFT);
        (key != IDLE).then_some((nanos, key as usize % SLOTS))
    }
}

/// The smaller key, by selection instead of a jump.
#[inline]
fn earlier(a: u64, b: u64) -> u64 {
    select_unpredictable(b < a, b, a)
}
