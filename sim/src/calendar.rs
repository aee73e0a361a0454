//! The calendar: which pending end comes first.
//!
//! A simulation here has a fixed number of slots, one for each thing that can end: a server's
//! service, a pause, the next completion of a shared device. A slot holds at most one pending end,
//! so a change of plan is written in place and nothing is ever searched or allocated.
//!
//! Ends are taken earliest first and, among equal times, in the order in which they were
//! scheduled, which a running number keeps.
//!
//! Up to 16 slots live in a row whose minimum is looked up by a tournament of selections (`row`);
//! more live in a winner tree (`tree`). Neither branches on the data, which is what costs most in
//! small simulations: a mispredicted branch is worth dozens of simple instructions.

mod row;
mod tree;

use row::Row;
use tree::Tree;

use crate::time::SimTime;

/// Names one entry of a [`Calendar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

impl Slot {
    /// The slot with this index.
    ///
    /// # Panics
    ///
    /// If the index does not fit in 32 bits.
    #[inline]
    pub const fn new(index: usize) -> Slot {
        assert!(index <= u32::MAX as usize, "a slot's index has 32 bits");
        Slot(index as u32)
    }

    /// The slot's index, counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The pending ends of a simulation, earliest first, first scheduled first among equal times.
///
/// ```
/// use bakcast_sim::{Calendar, SimTime, Slot};
///
/// let mut calendar = Calendar::new(2);
/// let noon = SimTime::from_nanos(12);
/// calendar.schedule(Slot::new(1), noon);
/// calendar.schedule(Slot::new(0), noon);
/// assert_eq!(calendar.next(), Some((noon, Slot::new(1))));
/// calendar.cancel(Slot::new(1));
/// assert_eq!(calendar.next(), Some((noon, Slot::new(0))));
/// ```
#[derive(Clone, Debug)]
pub struct Calendar {
    entries: Entries,
    slots: usize,
    sequence: u64,
}

#[derive(Clone, Debug)]
enum Entries {
    Row8(Row<8>),
    Row16(Row<16>),
    Tree(Tree),
}

impl Calendar {
    /// The most slots a calendar can have.
    pub const SLOTS_MAX: usize = Tree::SLOTS;
    /// How many times [`Calendar::schedule`] may be called: 2.8e14, half a year of computing at
    /// 16 million calls a second.
    pub const SCHEDULES_MAX: u64 = Tree::SEQUENCES;

    /// A calendar of `slots` slots, none of them armed.
    ///
    /// # Panics
    ///
    /// If `slots` is above [`Calendar::SLOTS_MAX`].
    pub fn new(slots: usize) -> Self {
        assert!(slots <= Self::SLOTS_MAX, "{slots} slots are more than a calendar can hold");
        let entries = match slots {
            0..=8 => Entries::Row8(Row::new()),
            9..=16 => Entries::Row16(Row::new()),
            _ => Entries::Tree(Tree::new(slots)),
        };
        Calendar { entries, slots, sequence: 0 }
    }

    // The three calls of the inner loop are always inlined: as calls they cost as much again.

    /// Arms `slot` to end at `at`, in place of what it held before. Among equal times it comes
    /// after everything scheduled so far.
    ///
    /// # Panics
    ///
    /// If there is no such slot, or after [`Calendar::SCHEDULES_MAX`] calls.
    #[inline(always)]
    pub fn schedule(&mut self, slot: Slot, at: SimTime) {
        self.assert_slot(slot);
        let (index, nanos) = (slot.index(), at.as_nanos());
        let done = match &mut self.entries {
            Entries::Row8(row) => row.schedule(index, nanos, self.sequence),
            Entries::Row16(row) => row.schedule(index, nanos, self.sequence),
            Entries::Tree(tree) => tree.schedule(index, nanos, self.sequence),
        };
        if !done {
            self.replace_row(index, nanos);
        }
        // Never near the end: see `SCHEDULES_MAX`.
        self.sequence = self.sequence.wrapping_add(1);
    }

    /// Goes on with a tree where the pending ends are too far apart for a row.
    #[cold]
    #[inline(never)]
    fn replace_row(&mut self, index: usize, nanos: u64) {
        let mut tree = Tree::new(self.slots);
        for other in (0..self.slots).filter(|&other| other != index) {
            if let Some((nanos, sequence)) = self.get(Slot(other as u32)) {
                tree.schedule(other, nanos, sequence);
            }
        }
        tree.schedule(index, nanos, self.sequence);
        self.entries = Entries::Tree(tree);
    }

    /// Disarms `slot`; nothing happens if it is not armed.
    ///
    /// # Panics
    ///
    /// If there is no such slot.
    #[inline(always)]
    pub fn cancel(&mut self, slot: Slot) {
        self.assert_slot(slot);
        match &mut self.entries {
            Entries::Row8(row) => row.cancel(slot.index()),
            Entries::Row16(row) => row.cancel(slot.index()),
            Entries::Tree(tree) => tree.cancel(slot.index()),
        }
    }

    /// The earliest pending end, or `None` if no slot is armed. The slot stays armed until it is
    /// scheduled again or cancelled.
    #[inline(always)]
    pub fn next(&self) -> Option<(SimTime, Slot)> {
        let next = match &self.entries {
            Entries::Row8(row) => row.next(),
            Entries::Row16(row) => row.next(),
            Entries::Tree(tree) => tree.next(),
        };
        next.map(|(nanos, index)| (SimTime::from_nanos(nanos), Slot(index as u32)))
    }

    /// When `slot` is due, or `None` if it is not armed.
    ///
    /// # Panics
    ///
    /// If there is no such slot.
    pub fn time_of(&self, slot: Slot) -> Option<SimTime> {
        self.get(slot).map(|(nanos, _)| SimTime::from_nanos(nanos))
    }

    /// How many slots are armed. Counts them one by one: for messages, not for inner loops.
    pub fn pending(&self) -> usize {
        (0..self.slots).filter(|&index| self.get(Slot(index as u32)).is_some()).count()
    }

    /// How many slots there are, armed or not.
    #[inline]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// How many ends have been scheduled so far: everything numbered from here on is still to come.
    #[inline]
    pub(crate) fn scheduled(&self) -> u64 {
        self.sequence
    }

    /// The running number under which `slot` was armed.
    pub(crate) fn sequence_of(&self, slot: Slot) -> Option<u64> {
        self.get(slot).map(|(_, sequence)| sequence)
    }

    /// Time and running number of a slot.
    fn get(&self, slot: Slot) -> Option<(u64, u64)> {
        self.assert_slot(slot);
        match &self.entries {
            Entries::Row8(row) => row.get(slot.index()),
            Entries::Row16(row) => row.get(slot.index()),
            Entries::Tree(tree) => tree.get(slot.index()),
        }
    }

    #[inline]
    fn assert_slot(&self, slot: Slot) {
        if slot.index() >= self.slots {
            refuse_slot(slot, self.slots);
        }
    }
}

/// A panic with a message, in place, would keep its caller from being inlined.
#[cold]
#[inline(never)]
fn refuse_slot(slot: Slot, slots: usize) -> ! {
    panic!("slot {} of {slots}", slot.index())
}

#[cfg(test)]
mod tests;
