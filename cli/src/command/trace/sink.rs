//! Where a trace goes: a file, standard output, or nowhere, to see how large it would be.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::Path;

use bakcast_models::pipeline::watch::{Moment, Watcher};
use bakcast_report::Format;
use bakcast_report::document::{TraceResult, TracedFile};
use bakcast_report::timeline::{ChromeHead, ChromeTrace, Transfers, Written};

use super::Plan;
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{unwritable, write_aside};
use crate::progress::Bar;

/// Events on which the size of the rest is judged.
const SAMPLE: u64 = 20_000;
/// Events between two looks at the clock of whoever waits.
const PACE: u64 = 1 << 16;
/// Bytes written at once.
const BUFFER: usize = 1 << 18;
/// Windows of throughput in an operation.
const WINDOWS: u64 = 1000;

/// What is written of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A trace, for a timeline viewer.
    Trace,
    /// A table of transfers.
    Transfers,
}

impl Form {
    /// What a format stands for; absent: a summary.
    pub(super) fn of(format: Format) -> Option<Self> {
        match format {
            Format::Json => Some(Form::Trace),
            Format::Csv => Some(Form::Transfers),
            Format::Text | Format::Markdown => None,
        }
    }
}

/// How large a trace and a table would be.
pub(super) struct Estimate {
    pub(super) trace_bytes: u64,
    pub(super) table_bytes: u64,
}

impl Estimate {
    /// From the beginning of each operation.
    pub(super) fn new(plan: &Plan<'_>, head: &ChromeHead<'_>) -> Result<Self, Failure> {
        let internal = |error: io::Error| Failure::new(Exit::Internal, error);
        let (mut trace_bytes, mut table_bytes) = (0, 0);
        for step in &plan.steps {
            let (mut trace, mut table): (Count, Count) = Default::default();
            let mut sample = Sample { left: SAMPLE };
            {
                let shown = ChromeTrace::new(&mut trace, head, &plan.scenario, plan.thin_ns);
                let mut shown = shown.map_err(internal)?;
                let mut rows = Transfers::new(&mut table).map_err(internal)?;
                let elapsed = step.outcome.elapsed.as_nanos();
                shown.begin_operation(step.operation.name(), 0, elapsed / WINDOWS);
                plan.show(step.operation, &mut ((&mut shown, &mut rows), &mut sample))?;
                // What an operation that was given up had still open is too little to matter.
                shown.finish(&()).map_err(internal)?;
                rows.finish().map_err(internal)?;
            }
            let seen = SAMPLE - sample.left;
            let scaled = |bytes: u64| scaled(bytes, step.outcome.events, seen);
            trace_bytes += scaled(trace.bytes);
            table_bytes += scaled(table.bytes);
        }
        Ok(Estimate { trace_bytes, table_bytes })
    }
}

/// `bytes` of `seen` events, for all of them.
fn scaled(bytes: u64, events: u64, seen: u64) -> u64 {
    let all = u128::from(bytes) * u128::from(events.max(seen)) / u128::from(seen.max(1));
    u64::try_from(all).unwrap_or(u64::MAX)
}

/// Counts bytes and passes them on.
#[derive(Debug, Default)]
struct Count<W = io::Sink> {
    to: W,
    bytes: u64,
}

impl<W: Write> Write for Count<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Gives up when it has seen enough.
struct Sample {
    left: u64,
}

impl Watcher for Sample {
    fn see(&mut self, _moment: &Moment<'_>) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Tells how far it is, and hears when somebody asks for an end.
struct Patience<'a> {
    job: &'a Job<'a>,
    before: u64,
    seen: u64,
}

impl Watcher for Patience<'_> {
    fn see(&mut self, _moment: &Moment<'_>) -> ControlFlow<()> {
        self.seen += 1;
        if !self.seen.is_multiple_of(PACE) {
            return ControlFlow::Continue(());
        }
        if self.job.interrupt.is_asked() {
            return ControlFlow::Break(());
        }
        self.job.bar.done("events", (0, self.before + self.seen, self.job.plan.events()));
        ControlFlow::Continue(())
    }
}

/// What is to be written.
pub(super) struct Job<'a> {
    plan: &'a Plan<'a>,
    head: ChromeHead<'a>,
    bar: Bar,
    interrupt: Interrupt,
}

/// What was written.
enum Done {
    Trace(Written),
    Transfers(u64),
}

impl<'a> Job<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, head: ChromeHead<'a>, watched: bool) -> Self {
        let bar = Bar::with_time_left(watched && plan.events() > 10 * PACE);
        Job { plan, head, bar, interrupt: Interrupt::listen() }
    }

    /// Writes a file aside and renames it.
    pub(super) fn write(
        &self,
        path: &Path,
        form: Form,
        result: &TraceResult,
    ) -> Result<TracedFile, Failure> {
        let mut failure = None;
        let mut written = None;
        let done = write_aside(path, |file| {
            match self.put(form, result, file) {
                Ok(done) => written = Some(done),
                Err(Stop::Unwritable(error)) => return Err(error),
                Err(Stop::Failed(other)) => {
                    failure = Some(other);
                    return Err(ErrorKind::Interrupted.into());
                }
            }
            Ok(())
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        done.map_err(|error| unwritable(path, &error))?;
        let (done, bytes) = written.expect("it has been written");
        Ok(traced(path, bytes, &done))
    }

    /// Writes to standard output.
    pub(super) fn print(&self, form: Form, result: &TraceResult) -> Result<(), Failure> {
        match self.put(form, result, &mut io::stdout().lock()) {
            Ok(_) => Ok(()),
            // Whoever reads has seen enough.
            Err(Stop::Unwritable(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(Stop::Unwritable(error)) => Err(Failure::new(
                Exit::Internal,
                format!("cannot write to standard output: {error}"),
            )),
            Err(Stop::Failed(failure)) => Err(failure),
        }
    }

    fn put(
        &self,
        form: Form,
        result: &TraceResult,
        out: &mut impl Write,
    ) -> Result<(Done, u64), Stop> {
        let mut count = Count { to: BufWriter::with_capacity(BUFFER, out), bytes: 0 };
        let done = match form {
            Form::Trace => {
                let Plan { scenario, thin_ns, .. } = self.plan;
                let mut trace = ChromeTrace::new(&mut count, &self.head, scenario, *thin_ns)?;
                let is_whole = self.show_all(&mut trace, |trace, operation, offset, window| {
                    trace.begin_operation(operation, offset, window);
                })?;
                let written = trace.written();
                trace.finish(result)?;
                self.check(is_whole)?;
                Done::Trace(written)
            }
            Form::Transfers => {
                let mut table = Transfers::new(&mut count)?;
                let is_whole = self.show_all(&mut table, |table, operation, offset, _| {
                    table.begin_operation(operation, offset);
                })?;
                let rows = table.finish()?;
                self.check(is_whole)?;
                Done::Transfers(rows)
            }
        };
        count.flush()?;
        Ok((done, count.bytes))
    }

    /// Runs the operations one after the other; false if somebody has given up.
    fn show_all<W: Watcher>(
        &self,
        watcher: &mut W,
        begin: impl Fn(&mut W, &'static str, u64, u64),
    ) -> Result<bool, Stop> {
        let (mut offset, mut events) = (0, 0);
        for step in &self.plan.steps {
            let elapsed = step.outcome.elapsed.as_nanos();
            begin(watcher, step.operation.name(), offset, elapsed / WINDOWS);
            let mut patience = Patience { job: self, before: events, seen: 0 };
            let shown = self.plan.show(step.operation, &mut (&mut *watcher, &mut patience));
            if !shown.map_err(Stop::Failed)? {
                return Ok(false);
            }
            offset += elapsed;
            events += step.outcome.events;
        }
        Ok(true)
    }

    /// What was not shown to its end was interrupted, or its error has been told.
    fn check(&self, is_whole: bool) -> Result<(), Stop> {
        if is_whole {
            return Ok(());
        }
        Err(Stop::Failed(Failure::new(Exit::Interrupted, "interrupted: nothing was written")))
    }
}

/// Why it ended too soon.
enum Stop {
    Unwritable(io::Error),
    Failed(Failure),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Unwritable(error)
    }
}

fn traced(path: &Path, bytes: u64, done: &Done) -> TracedFile {
    let blank = TracedFile {
        path: path.display().to_string(),
        form: "transfers",
        bytes,
        slices: None,
        tracks: None,
        counter_values: None,
        merged_slices: None,
        merged_into: None,
        rows: None,
    };
    match *done {
        Done::Transfers(rows) => TracedFile { rows: Some(rows), ..blank },
        Done::Trace(Written { slices, counters, tracks, merged, merged_into }) => TracedFile {
            form: "trace",
            slices: Some(slices),
            tracks: Some(tracks),
            counter_values: Some(counters),
            merged_slices: (merged > 0).then_some(merged),
            merged_into: (merged > 0).then_some(merged_into),
            ..blank
        },
    }
}
