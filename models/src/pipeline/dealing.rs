//! How a restore deals what it has read to the volumes.
//!
//! In a backup any file takes any buffer; in a restore each byte has a volume to go to. A backup
//! reads its volumes side by side, so their data lie mixed in its files, and each comes to its end
//! about when the others do (assumption: mixed in proportion to their sizes). So a buffer belongs
//! to the volume of which most is still to come:
//!
//! ```text
//! volume = argmax left / total
//! ```
//!
//! and waits at the head of the line for the writer of that volume. A buffer that holds the end of
//! one volume holds the beginning of another as well: from then on it counts as two. That happens
//! once a volume, at the very end.

use super::job::Job;
use crate::wait::in_proportion;

impl Job {
    /// The first turn, if bytes are dealt.
    pub(super) fn begin_dealing(&mut self) {
        if self.writing.dealt {
            self.writing.turns = Some(self.most_behind());
        }
    }

    /// A buffer of `bytes` goes to a writer; returns how many of them belong to its volume. The
    /// others wait for the next writer.
    pub(super) fn deal(&mut self, index: usize, bytes: u64) -> u64 {
        let writer = &mut self.writers[index];
        let taken = bytes.min(writer.left);
        writer.left -= taken;
        if taken < bytes {
            self.chunks.push(bytes - taken);
            let pool = if self.is_direct { &mut self.raw } else { &mut self.encoded };
            pool.count += 1;
        }
        self.writing.turns = Some(self.most_behind());
        taken
    }

    /// The writer of whose volume most is still to come, as a share of it; the first of several.
    fn most_behind(&self) -> u16 {
        let mut first = 0;
        // left / total > left / total of the first, without dividing.
        let product = |left: u64, total: u64| u128::from(left) * u128::from(total.max(1));
        for (index, writer) in self.writers.iter().enumerate().skip(1) {
            let before = &self.writers[first];
            if product(writer.left, before.total) > product(before.left, writer.total) {
                first = index;
            }
        }
        first as u16
    }

    /// Counts `bytes` as dealt that were carried forward; returns those of each writer.
    pub(super) fn skip_dealing(&mut self, bytes: u64) -> Vec<u64> {
        let left: Vec<u64> = self.writers.iter().map(|writer| writer.left).collect();
        let shares = in_proportion(&left, bytes);
        for (writer, share) in self.writers.iter_mut().zip(&shares) {
            writer.left -= share;
        }
        shares
    }
}
