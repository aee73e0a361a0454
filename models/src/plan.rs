//! What is to be simulated, with no option left open and no default left to look up.
//!
//! A scenario file becomes a [`Machine`] (what there is) and a [`Backup`], a [`Verify`] or a
//! [`Restore`] (what is done on it). Only these reach the simulation.

use crate::device::{Capped, Device, OtherLoad};
use crate::quantity::{ByteRate, Bytes, Factor, Fraction, Period, Ratio};

/// Devices, links and processors, in the order a scenario names them.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// Devices and links; places refer to them by index.
    pub devices: Vec<NamedDevice>,
    /// Processors that compression may use.
    pub processor: Processor,
}

impl Machine {
    /// The machine as a job leaves it to the next one: devices with burst credit begin with the
    /// share of it, from 0 to 1, that is left of it, in the order of the devices.
    #[must_use]
    pub fn left_with(&self, credits: impl IntoIterator<Item = Option<f64>>) -> Machine {
        let mut machine = self.clone();
        for (device, left) in machine.devices.iter_mut().zip(credits) {
            if let (Device::Capped(Capped { burst: Some(burst), .. }), Some(left)) =
                (&mut device.law, left)
            {
                burst.begin_with(left);
            }
        }
        machine
    }
}

/// One device or link.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedDevice {
    /// As the scenario calls it.
    pub name: String,
    /// How long it holds a transfer.
    pub law: Device,
    /// Standard deviation of its speed from one run to the next, as a share of it.
    pub run_to_run: Fraction,
    /// What others ask of it meanwhile; absent: nothing.
    pub others: Option<OtherLoad>,
}

impl NamedDevice {
    /// Share of it that others leave, from 0 to 1.
    #[must_use]
    pub fn left(&self) -> f64 {
        1.0 - self.others.map_or(0.0, OtherLoad::share)
    }
}

/// The processors of the host.
///
/// Two logical processors of one core share what it can do. With `n` of them at work on `c` cores
///
/// ```text
/// work done = n                                   n <= c: each has a core to itself
///           = c + second_thread x (n - c)         n >  c: some cores have two
/// ```
///
/// in units of what one does that has its core to itself. The operating system puts work on idle
/// cores first.
///
/// Others that keep a share u of the logical processors busy share cores as well: beside n at work
/// for backups, u x (count - n) of the remaining ones are at work for others, in the mean. What
/// they take of the very processor that a worker runs on is not in this: it comes on top.
#[derive(Debug, Clone, PartialEq)]
pub struct Processor {
    /// Logical processors that backup may use, at least 1.
    pub count: u32,
    /// Logical processors of each core, at least 1.
    pub threads_per_core: u32,
    /// What a second thread adds to the work of a core, as a share of what one does alone.
    pub second_thread: Fraction,
    /// Standard deviation of their speed from one run to the next, as a share of it.
    pub run_to_run: Fraction,
    /// What others ask of each of them meanwhile; absent: nothing.
    pub others: Option<OtherLoad>,
}

impl Processor {
    /// So many with a core each, always as fast.
    #[must_use]
    pub const fn alone(count: u32) -> Self {
        Processor {
            count,
            threads_per_core: 1,
            second_thread: Fraction::ZERO,
            run_to_run: Fraction::ZERO,
            others: None,
        }
    }

    /// Cores; logical processors that are no whole number of cores have the last one half.
    #[must_use]
    pub fn cores(&self) -> u32 {
        self.count.div_ceil(self.threads_per_core.max(1)).max(1)
    }

    /// What `busy` logical processors do together, in units of what one does that has its core to
    /// itself: at most `busy`.
    #[must_use]
    pub fn work_done(&self, busy: f64) -> f64 {
        let sharing = (busy - f64::from(self.cores())).max(0.0);
        busy - sharing + sharing * self.second_thread.get()
    }

    /// How many times longer each of `busy` logical processors takes than one alone, for none to
    /// all of them, while others keep theirs; empty if none share a core.
    #[must_use]
    pub fn crowding(&self) -> Vec<f64> {
        if self.cores() >= self.count {
            return Vec::new();
        }
        let others = self.others.map_or(0.0, OtherLoad::share);
        let crowded = |busy: u32| {
            let busy = f64::from(busy.max(1));
            let at_work = busy + others * (f64::from(self.count) - busy).max(0.0);
            at_work / self.work_done(at_work).max(1.0)
        };
        (0..=self.count).map(crowded).collect()
    }
}

/// Where a volume or a backup file is.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Index of the device in [`Machine::devices`].
    pub device: usize,
    /// Indices of links and caps between host and device, from the host outwards.
    pub via: Vec<usize>,
    /// Where on the device the data begin: 0 = outer edge, 100 % = innermost.
    pub position: Fraction,
}

impl Place {
    /// Whether the way here leads over the device.
    #[must_use]
    pub fn leads_over(&self, device: usize) -> bool {
        self.device == device || self.via.contains(&device)
    }
}

/// One volume of the database: read by one reader, and restored by one writer.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// As the scenario calls it.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// Bytes of the database on it.
    pub bytes: Bytes,
}

/// Processor work and saving of compression; belongs to data, algorithm and level.
#[derive(Debug, Clone, PartialEq)]
pub struct Compression {
    /// Bytes in per byte out.
    pub ratio: Ratio,
    /// Input bytes per second of one processor, compressing.
    pub rate: ByteRate,
    /// Output bytes per second of one processor, decompressing.
    pub decompression_rate: ByteRate,
    /// Coefficient of variation of the processor time from buffer to buffer.
    pub variability: Factor,
}

/// Backup buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffers {
    /// Buffers of one set.
    pub count: u32,
    /// Bytes of one buffer: the most one transfer moves.
    pub transfer_size: Bytes,
    /// Sets of buffers: 1 without compression (raw), 3 with it (raw, encoded, media), 2 if encoded
    /// buffers are written in place.
    pub sets: u32,
}

impl Buffers {
    /// Memory they take outside the page cache: count x transfer size x sets.
    #[must_use]
    pub fn memory(self) -> Bytes {
        Bytes::new(u64::from(self.count) * self.transfer_size.get() * u64::from(self.sets))
    }
}

/// How filled buffers are dealt to the writers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriterQueue {
    /// All writers take from one queue, so a faster file takes more.
    Shared,
    /// Each writer in its turn.
    Turns,
}

/// What becomes of encoded bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodedWrites {
    /// Collected into writes of up to the transfer size.
    Collected,
    /// Copied into a media buffer and written, one write for each raw buffer.
    PerBuffer,
    /// Written straight from the encoded buffer, one write for each raw buffer: no media buffers.
    InPlace,
}

/// What bounds the number of compression workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workers {
    /// Processors, and encoded buffers in flight.
    ProcessorsAndBuffers,
    /// Processors alone.
    Processors,
}

/// The rules of the engine that the evidence leaves open, each switchable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineRules {
    /// How filled buffers are dealt to the writers.
    pub writer_queue: WriterQueue,
    /// What becomes of encoded bytes.
    pub encoded_writes: EncodedWrites,
    /// What bounds the workers.
    pub workers: Workers,
    /// Reads a reader keeps outstanding.
    pub read_depth: u32,
    /// Writes a writer keeps outstanding.
    pub write_depth: u32,
}

/// Fixed cost of a job: before the first read and after the last write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coordinator {
    /// From the statement to the first read.
    pub start: Period,
    /// From the last write to the end.
    pub finish: Period,
}

/// A backup, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    /// Source volumes, one reader each.
    pub volumes: Vec<Volume>,
    /// Backup files, one writer each.
    pub stripes: Vec<Place>,
    /// Absent: not compressed.
    pub compression: Option<Compression>,
    /// Buffers of the backup.
    pub buffers: Buffers,
    /// Whether BLOCKSIZE is 64 KiB. What that costs a solid state drive follows the backup that is
    /// asked about; with several at once, the others' is not looked at.
    pub large_block: bool,
    /// Rules of the engine.
    pub rules: EngineRules,
    /// Fixed costs.
    pub coordinator: Coordinator,
    /// Other backups on the same machine at the same time; theirs are not looked at.
    pub beside: Vec<Beside>,
}

impl Backup {
    /// Bytes of the database on all volumes.
    #[must_use]
    pub fn database_bytes(&self) -> Bytes {
        self.volumes.iter().map(|volume| volume.bytes).sum()
    }

    /// The backup and those beside it.
    pub fn jobs(&self) -> impl Iterator<Item = &Backup> {
        [self].into_iter().chain(self.beside.iter().map(|beside| &beside.backup))
    }

    /// Memory that the buffers of all jobs take outside the page cache, if all run at once.
    #[must_use]
    pub fn memory_of_all_jobs(&self) -> Bytes {
        self.jobs().map(|job| job.buffers.memory()).sum()
    }
}

/// A backup that runs beside another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// As the scenario calls it.
    pub name: String,
    /// From the beginning of the backup that is asked about to its own.
    pub starts: Period,
    /// What it does.
    pub backup: Backup,
}

/// A verification of a backup, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Verify {
    /// Backup files with the bytes each holds, one reader each.
    pub stripes: Vec<(Place, Bytes)>,
    /// Bytes of the database, as they were before compression.
    pub database_bytes: Bytes,
    /// Absent: not compressed.
    pub compression: Option<Compression>,
    /// Bytes of one read.
    pub transfer_size: Bytes,
    /// Buffers for reading.
    pub buffer_count: u32,
    /// Reads a reader keeps outstanding.
    pub read_depth: u32,
    /// Fixed costs.
    pub coordinator: Coordinator,
}

/// A restore of a backup, ready to run: the way back.
#[derive(Debug, Clone, PartialEq)]
pub struct Restore {
    /// Backup files with the bytes each holds, one reader each.
    pub stripes: Vec<(Place, Bytes)>,
    /// Volumes that the data go back to, one writer each.
    pub volumes: Vec<Volume>,
    /// Bytes zeroed on all volumes before the first read, on each in proportion to its data.
    pub zeroed: Bytes,
    /// Absent: not compressed.
    pub compression: Option<Compression>,
    /// Bytes of one read, and the most bytes of one write.
    pub transfer_size: Bytes,
    /// Buffers of one set.
    pub buffer_count: u32,
    /// Reads a reader keeps outstanding.
    pub read_depth: u32,
    /// Writes a writer keeps outstanding.
    pub write_depth: u32,
    /// Fixed costs.
    pub coordinator: Coordinator,
}

impl Restore {
    /// Bytes of the database on all volumes.
    #[must_use]
    pub fn database_bytes(&self) -> Bytes {
        self.volumes.iter().map(|volume| volume.bytes).sum()
    }
}
