//! A line for each transfer on each device.

use std::io::{self, Write};
use std::ops::ControlFlow;

use bakcast_models::device::Direction;
use bakcast_models::pipeline::watch::{Cast, Moment, Service, Watcher};

use super::push_seconds;

const HEADINGS: [&str; 13] = [
    "operation",
    "job",
    "side",
    "thread",
    "device",
    "direction",
    "bytes",
    "offset_bytes",
    "queued_seconds",
    "begin_seconds",
    "end_seconds",
    "is_last",
    "is_zeroing",
];

/// Writes a table of transfers. A transfer over a link and a device has a line for each of them;
/// the last one on its way has `is_last`.
pub struct Transfers<W: Write> {
    out: csv::Writer<W>,
    operation: &'static str,
    /// When the operation begins.
    offset_ns: u64,
    rows: u64,
    error: Option<csv::Error>,
    times: [String; 3],
}

impl<W: Write> Transfers<W> {
    /// A table with its headings.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(out: W) -> io::Result<Self> {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(HEADINGS)?;
        let times = [String::new(), String::new(), String::new()];
        Ok(Transfers { out, operation: "", offset_ns: 0, rows: 0, error: None, times })
    }

    /// What follows is this operation, so many nanoseconds after the first one began.
    pub fn begin_operation(&mut self, operation: &'static str, offset_ns: u64) {
        (self.operation, self.offset_ns) = (operation, offset_ns);
    }

    /// Ends the table; returns how many lines it has beside the headings.
    ///
    /// # Errors
    /// If anything could not be written.
    pub fn finish(mut self) -> io::Result<u64> {
        if let Some(error) = self.error {
            return Err(match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => io::Error::other(format!("{other:?}")),
            });
        }
        self.out.flush()?;
        Ok(self.rows)
    }

    fn row(&mut self, service: &Service, cast: &Cast) -> Result<(), csv::Error> {
        let times = [service.queued, service.begin, service.end];
        for (text, time) in self.times.iter_mut().zip(times) {
            text.clear();
            push_seconds(text, self.offset_ns + time.as_nanos());
        }
        let job = &cast.jobs[service.job];
        let thread = &job.threads[service.thread];
        let direction = match service.direction {
            Direction::Read => "read",
            Direction::Write => "write",
        };
        let truth = |is: bool| if is { "true" } else { "false" };
        let [queued, begin, end] = &self.times;
        self.rows += 1;
        self.out.write_record([
            self.operation,
            &job.name,
            thread.side.name(),
            &thread.name,
            &cast.devices[service.device].name,
            direction,
            &service.bytes.to_string(),
            &service.offset_bytes.to_string(),
            queued,
            begin,
            end,
            truth(service.is_last),
            truth(service.is_zeroing),
        ])
    }
}

impl<W: Write> Watcher for Transfers<W> {
    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        for service in moment.served().into_iter().chain(moment.passed()) {
            if let Err(error) = self.row(service, moment.cast()) {
                self.error = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
