//! Workloads of a fixed size, and what each of them must have done at its end.
//!
//! A workload is prepared once and run any number of times. Every run says how many events it
//! handled, how many bytes it moved and how much time it simulated, and [`Workload::check`]
//! compares that with `bench/work.csv`: whoever is faster because less is done is found out.
//!
//! | kind | workloads |
//! |---|---|
//! | kernel | the calendar as a row and as a tree, a station alone |
//! | reference network | on the bare kernel, and through `ClosedNetwork` |
//! | pipeline | one backup, every transfer simulated |
//! | questions | loading a scenario, a whole prediction, small and large batches |

mod kernel;
mod pipeline;
mod process;
mod question;
mod tandem;

pub use process::{cpu_seconds, peak_bytes};

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

/// What a run of a workload did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Done {
    /// Events handled.
    pub events: u64,
    /// Bytes read; 0 where there are none.
    pub bytes: u64,
    /// Simulated time, the sum over all runs.
    pub nanoseconds: u64,
}

/// A workload that is ready to run.
pub type Prepared = Box<dyn Fn() -> Result<Done>>;

/// A piece of work that is the same every time.
#[derive(Debug, Clone, Copy)]
pub struct Workload {
    /// Its name, on the command line and in all records.
    pub name: &'static str,
    /// The group it is shown in.
    pub group: &'static str,
    prepare: fn() -> Result<Prepared>,
}

/// Every workload, in the order of the groups.
pub const WORKLOADS: [Workload; 12] = [
    Workload { name: "calendar-row", group: "kernel", prepare: kernel::row },
    Workload { name: "calendar-tree", group: "kernel", prepare: kernel::tree },
    Workload { name: "station", group: "kernel", prepare: kernel::station },
    Workload { name: "reference-network-8", group: "network", prepare: || tandem::bare(8) },
    Workload { name: "reference-network", group: "network", prepare: || tandem::bare(64) },
    Workload { name: "closed-network-8", group: "network", prepare: || tandem::network(8) },
    Workload { name: "closed-network-64", group: "network", prepare: || tandem::network(64) },
    Workload { name: "nvme-row-2", group: "pipeline", prepare: pipeline::nvme_row_2 },
    Workload { name: "usb-row-2.4", group: "pipeline", prepare: pipeline::usb_row_2_4 },
    Workload { name: "scenario-load", group: "question", prepare: question::scenario_load },
    Workload { name: "predict-nvme-row-2", group: "question", prepare: question::predict },
    Workload { name: "batch-nvme-matrix", group: "question", prepare: question::batch },
];

/// Workloads of full size: not among those that everybody runs, but recorded and checked as well.
pub const FULL_WORKLOADS: [Workload; 1] = [Workload {
    name: "batch-nvme-matrix-10000",
    group: "question",
    prepare: question::batch_10000,
}];

/// The workload of this name.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<Workload> {
    let all = || WORKLOADS.into_iter().chain(FULL_WORKLOADS);
    all().find(|workload| workload.name == name).with_context(|| {
        let names: Vec<&str> = all().map(|workload| workload.name).collect();
        format!("no workload is called `{name}`; there are {}", names.join(", "))
    })
}

impl Workload {
    /// Does what comes before the work that is measured.
    ///
    /// # Errors
    /// If the workload cannot be set up.
    pub fn prepare(&self) -> Result<Prepared> {
        (self.prepare)().with_context(|| format!("{} cannot be prepared", self.name))
    }

    /// Fails if a run did anything but what is recorded.
    ///
    /// # Errors
    /// If nothing is recorded, or something else.
    pub fn check(&self, done: Done) -> Result<()> {
        let expected = expected(self.name)?;
        ensure!(
            done == expected,
            "{} did {done:?} where {expected:?} is recorded; if that is meant, `cargo run \
             --release -p bakcast-bench -- --record` records it",
            self.name
        );
        Ok(())
    }
}

/// Runs a prepared workload once. Callgrind counts between the beginning and the end of this very
/// function, which it finds by its name.
///
/// # Errors
/// If the run fails.
#[inline(never)]
pub fn measured_workload(work: &Prepared) -> Result<Done> {
    black_box(black_box(work)())
}

/// Where the work of each workload is recorded.
fn record() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/work.csv"))
}

const HEADER: &str = "workload,events,bytes,nanoseconds";

fn expected(name: &str) -> Result<Done> {
    let text = fs::read_to_string(record()).context("bench/work.csv")?;
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let Some(row) = rows.find(|row| row.first() == Some(&name)) else {
        bail!("bench/work.csv has no row for {name}");
    };
    let [_, events, bytes, nanoseconds] = row[..] else { bail!("bench/work.csv: {row:?}") };
    Ok(Done { events: events.parse()?, bytes: bytes.parse()?, nanoseconds: nanoseconds.parse()? })
}

/// Records what every workload does now.
///
/// # Errors
/// If a workload fails or the record cannot be written.
pub fn record_work() -> Result<()> {
    let mut text = format!("{HEADER}\n");
    for workload in WORKLOADS.into_iter().chain(FULL_WORKLOADS) {
        let Done { events, bytes, nanoseconds } = workload.prepare()?()?;
        text.push_str(&format!("{},{events},{bytes},{nanoseconds}\n", workload.name));
    }
    fs::write(record(), text).context("bench/work.csv")
}
