//! A winner tree: each inner node holds the smaller key of its two children, the root the smallest
//! of all.
//!
//! Time, sequence number and slot are packed into one 128-bit key, so one comparison decides all:
//!
//! ```text
//!   127            64 63             16 15        0
//!   [ time, ns       | sequence number |   slot   ]
//! ```
//!
//! Keys are kept in the nodes, so a change replays one path of log2(n) selections upwards and
//! never looks at another leaf (Knuth, The Art of Computer Programming, volume 3, section 5.4.1,
//! has the tree; storing keys instead of leaf numbers saves the indirection).

use std::hint::select_unpredictable;

const SLOT_BITS: u32 = 16;
const SEQUENCE_BITS: u32 = 48;
/// The key of a slot without a pending end. No real key equals it, because the last sequence
/// number is never given out.
const IDLE: u128 = u128::MAX;

/// A complete binary tree in an array: node 1 is the root, the children of `i` are `2i` and
/// `2i + 1`, slot `s` is the leaf `leaves + s`.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Box<[u128]>,
    leaves: usize,
}

impl Tree {
    pub(super) const SLOTS: usize = 1 << SLOT_BITS;
    pub(super) const SEQUENCES: u64 = (1 << SEQUENCE_BITS) - 1;

    pub(super) fn new(slots: usize) -> Self {
        let leaves = slots.next_power_of_two();
        Tree { nodes: vec![IDLE; 2 * leaves].into_boxed_slice(), leaves }
    }

    /// Arms slot `index` at `nanos`; always true, because there is room for every time.
    pub(super) fn schedule(&mut self, index: usize, nanos: u64, sequence: u64) -> bool {
        assert!(sequence < Self::SEQUENCES, "the calendar's sequence numbers are used up");
        let low = (sequence << SLOT_BITS) | index as u64;
        self.set(index, (u128::from(nanos) << 64) | u128::from(low));
        true
    }

    pub(super) fn cancel(&mut self, index: usize) {
        self.set(index, IDLE);
    }

    // A call of its own, so that the code of the row stays small where both are inlined.
    #[inline(never)]
    fn set(&mut self, index: usize, key: u128) {
        let mut node = self.leaves + index;
        let mut winner = key;
        self.nodes[node] = key;
        while node > 1 {
            let other = self.nodes[node ^ 1];
            winner = select_unpredictable(other < winner, other, winner);
            node /= 2;
            self.nodes[node] = winner;
        }
    }

    /// Time and sequence number of a slot.
    pub(super) fn get(&self, index: usize) -> Option<(u64, u64)> {
        let key = self.nodes[self.leaves + index];
        (key != IDLE).then_some(((key >> 64) as u64, key as u64 >> SLOT_BITS))
    }

    /// Time and slot of the earliest end.
    #[inline]
    pub(super) fn next(&self) -> Option<(u64, usize)> {
        let key = self.nodes[1];
        (key != IDLE).then_some(((key >> 64) as u64, key as usize & (Self::SLOTS - 1)))
    }
}
