//! Zeroing of files before a restore copies anything to them.
//!
//! The log is always zeroed, data files are unless instant file initialization is allowed. Each
//! writer writes its volume's share in transfers of the usual size, as many at a time as it may
//! have under way, and the first read waits for the last of these writes. (Assumption, on the safe
//! side: the engine's trace shows data files zeroed before data are transferred, but the log at the
//! same time.) Zeroes are in no buffer, and count as no bytes written.

use super::job::Job;
use super::stations::{Scene, Stations};
use crate::device::{Direction, Transfer};
use crate::wait::ThreadState;

impl Job {
    /// Everything begins: zeroing if there is any, or else the copy.
    pub(super) fn begin<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
        for index in 0..self.writers.len() {
            if self.writers[index].to_zero > 0 {
                self.writers[index].clock.enter(scene.now, ThreadState::Zeroing);
                self.zero(index, scene);
            }
        }
        if self.zeroing == 0 {
            self.begin_copying(scene);
        }
    }

    fn begin_copying<S: Stations>(&mut self, scene: &mut Scene<'_, S>) {
        self.begin_writing(scene);
        self.begin_reading(scene);
    }

    /// The next writes of zeroes, as many as the writer may have under way.
    fn zero<S: Stations>(&mut self, index: usize, scene: &mut Scene<'_, S>) {
        let thread = (self.readers.len() + index) as u16;
        loop {
            let writer = &mut self.writers[index];
            if writer.to_zero == 0 || writer.outstanding >= self.writing.depth {
                break;
            }
            let bytes = writer.to_zero.min(self.writing.transfer_size);
            let (direction, offset) = (Direction::Write, writer.offset);
            writer.to_zero -= bytes;
            writer.offset += bytes;
            writer.outstanding += 1;
            let transfer = Transfer { bytes, thread, direction, offset };
            let done = scene.stations.begin(scene.now, transfer, scene.devices);
            assert!(done.is_none(), "a volume without a device");
        }
    }

    /// A write of zeroes has ended.
    #[cold]
    #[inline(never)]
    pub(super) fn end_zeroing<S: Stations>(&mut self, thread: u16, scene: &mut Scene<'_, S>) {
        let index = usize::from(thread) - self.readers.len();
        self.writers[index].outstanding -= 1;
        self.zero(index, scene);
        let writer = &mut self.writers[index];
        if writer.outstanding > 0 {
            return;
        }
        // The data come to where the zeroes are.
        writer.offset = 0;
        writer.clock.enter(scene.now, ThreadState::Starting);
        self.zeroing -= 1;
        if self.zeroing == 0 {
            self.begin_copying(scene);
        }
    }
}
