//! Who takes part in a watched run: what does not change while it goes on.

use serde::Serialize;

use super::super::crew::Crew;
use super::super::devices::DeviceInUse;
use crate::wait::Side;

/// Who takes part in a run. Threads, devices, jobs and workers are told of by their index here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cast {
    /// The job that is watched, then those beside it.
    pub jobs: Vec<CastJob>,
    /// Workers that may be at work at once, for all jobs; 0 if nothing is worked on.
    pub workers: usize,
    /// Devices and links, in the order of the machine, those that nobody uses as well.
    pub devices: Vec<CastDevice>,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CastJob {
    /// As the scenario calls it; empty: the job that is watched.
    pub name: String,
    /// Readers, then writers.
    pub threads: Vec<CastThread>,
    /// How many of them are readers.
    pub readers: usize,
    /// Raw buffers.
    pub raw_buffers: u32,
    /// Encoded buffers; 0 if nothing is encoded and kept.
    pub encoded_buffers: u32,
    /// Media buffers; 0 if there are none.
    pub media_buffers: u32,
    /// Most bytes of a read.
    pub read_size_bytes: u64,
    /// Most bytes of a write.
    pub write_size_bytes: u64,
    /// Bytes of all sources together, before any decompression.
    pub source_bytes: u64,
    /// Workers compress or decompress.
    pub works: bool,
}

/// A reader or a writer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CastThread {
    /// Source: a reader. Target: a writer.
    #[serde(serialize_with = "side_name")]
    pub side: Side,
    /// The volume, or the number of the stripe.
    pub name: String,
    /// Devices and links on its path, from the host outwards.
    pub devices: Vec<usize>,
}

/// A device or a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CastDevice {
    /// As the scenario calls it.
    pub name: String,
    /// The watched job reads from it.
    pub reads: bool,
    /// The watched job writes to it.
    pub writes: bool,
    /// Transfers pass it without taking any time: NUL.
    pub is_null: bool,
    /// Any of the jobs uses it.
    pub is_used: bool,
}

fn side_name<S: serde::Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side.name())
}

impl Cast {
    /// Of these jobs, each with its name, before the run begins.
    pub(in super::super) fn new<'a>(
        jobs: impl Iterator<Item = (&'a str, &'a Crew)>,
        devices: &[DeviceInUse],
        names: &[String],
        workers: usize,
    ) -> Self {
        let jobs: Vec<CastJob> = jobs.map(|(name, crew)| of_job(name, crew)).collect();
        let works = jobs.iter().any(|job| job.works);
        let devices = devices.iter().zip(names).map(|(device, name)| CastDevice {
            name: name.clone(),
            reads: device.reads,
            writes: device.writes,
            is_null: device.is_null,
            is_used: device.requests > 0,
        });
        Cast { jobs, workers: if works { workers } else { 0 }, devices: devices.collect() }
    }

    /// The job that is watched.
    ///
    /// # Panics
    /// If there is none: our bug.
    #[must_use]
    pub fn main(&self) -> &CastJob {
        &self.jobs[0]
    }

    /// The job and its own thread of a thread that is counted over all jobs.
    pub(super) fn locate(&self, thread: u16) -> (usize, usize) {
        let mut thread = usize::from(thread);
        for (index, job) in self.jobs.iter().enumerate() {
            if thread < job.threads.len() {
                return (index, thread);
            }
            thread -= job.threads.len();
        }
        unreachable!("a thread of no job")
    }
}

fn of_job(name: &str, crew: &Crew) -> CastJob {
    let job = &crew.job;
    let thread = |side, name: &str, devices: &[usize]| CastThread {
        side,
        name: name.to_string(),
        devices: devices.to_vec(),
    };
    let readers = job.readers.iter().map(|r| thread(Side::Source, &r.name, &r.devices));
    let writers = job.writers.iter().map(|w| thread(Side::Target, &w.name, &w.devices));
    CastJob {
        name: name.to_string(),
        threads: readers.chain(writers).collect(),
        readers: job.readers.len(),
        raw_buffers: job.raw.count,
        encoded_buffers: if job.encodes { job.encoded.count } else { 0 },
        media_buffers: if job.encodes { job.media.count } else { 0 },
        read_size_bytes: job.read_size,
        write_size_bytes: job.writing.transfer_size,
        source_bytes: job.readers.iter().map(|reader| reader.left).sum(),
        works: job.work.is_some(),
    }
}
