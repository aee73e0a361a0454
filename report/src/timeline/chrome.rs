//! The trace event format: records in the order in which they become known.
//!
//! A process for each job with a track for each of its threads, one for the processors with a track
//! for each worker, one for the devices. A device that serves one transfer after the other has one
//! track; a link has one for each connection. A state is a slice: a record for its begin (`B`) and
//! one for its end (`E`), written when it has ended, so that the times of a track never go back.
//! Starved is what is left: a worker or a device with no slice. Times are microseconds with three
//! decimals, that is nanoseconds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;

use bakcast_models::outcome::Outcome;
use bakcast_models::pipeline::watch::{
    Activity, BuffersByPlace, BytesSoFar, Cast, Happened, Moment, Service, Watcher, WorkerState,
};
use bakcast_models::wait::{Side, ThreadState, wait_type};
use serde::Serialize;

use super::track::{Sink, Slice, Track};
use super::{push_micros, quoted};
use crate::document::{Tool, Warning};

/// What stands before the records. The format leaves room for keys of one's own; readers that do
/// not know them pass them over.
#[derive(Debug, Clone, Serialize)]
pub struct ChromeHead<'a> {
    /// The unit that a viewer shows times in.
    #[serde(rename = "displayTimeUnit")]
    pub display_time_unit: &'static str,
    /// As of every document.
    pub schema_version: u32,
    /// Which program wrote it.
    pub tool: Tool,
    /// The command that was given.
    pub command: &'static str,
    /// Seed of all random streams.
    pub seed: u64,
    /// Runs simulated.
    pub replications: u32,
    /// The resolved scenario.
    pub inputs: &'a serde_json::Value,
    /// What to look at twice.
    pub warnings: &'a [Warning],
}

/// What has been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written {
    /// States and services.
    pub slices: u64,
    /// Records of counters.
    pub counters: u64,
    /// Tracks of slices.
    pub tracks: u64,
    /// Slices that were too short to be shown.
    pub merged: u64,
    /// What those became.
    pub merged_into: u64,
}

/// Writes a trace.
pub struct ChromeTrace<W: Write> {
    out: W,
    sink: Sink,
    written: Written,
    error: Option<io::Error>,
    next_pid: u64,
    scenario: String,
    operation: &'static str,
    offset_ns: u64,
    window_ns: u64,
    stage: Option<Stage>,
}

/// The tracks of an operation.
struct Stage {
    jobs: Vec<JobTracks>,
    workers: Vec<(Track, Option<u64>)>,
    /// A device's track, and since when it is blocked.
    devices: Vec<(Track, Option<u64>)>,
    /// Connections of a link, by link, job and thread.
    connections: BTreeMap<(usize, usize, usize), Track>,
    /// Process of the devices, and the next free track in it.
    devices_pid: u64,
    next_tid: u64,
}

/// The tracks of a job.
struct JobTracks {
    pid: u64,
    /// The coordinator, then readers, then writers.
    threads: Vec<(Track, Option<(ThreadState, u64)>)>,
    /// What a transfer of each reader and writer is called.
    labels: Vec<Label>,
    /// What a worker does for it.
    work: String,
    shown: Option<BuffersByPlace>,
    shown_at: u64,
    /// Bytes at the beginning of the window of throughput, and when that began.
    before: BytesSoFar,
    window: u64,
    bytes: BytesSoFar,
}

/// A name, and the same as JSON has it.
struct Label {
    plain: String,
    quoted: String,
}

const NO_CATEGORY: &str = "";

impl<W: Write> ChromeTrace<W> {
    /// A trace of a scenario, in which slices shorter than `thin_ns` are merged.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(
        mut out: W,
        head: &ChromeHead<'_>,
        scenario: &str,
        thin_ns: u64,
    ) -> io::Result<Self> {
        let head = serde_json::to_string(head)?;
        let head = head.strip_suffix('}').unwrap_or(&head);
        // A first record that says nothing, so that each of the others begins with a comma.
        write!(out, "{head},\"traceEvents\":[\n{{\"ph\":\"M\",\"pid\":0,\"name\":\"trace_begin\"")?;
        write!(out, ",\"args\":{{}}}}")?;
        Ok(ChromeTrace {
            out,
            sink: Sink { thin_ns, ..Sink::default() },
            written: Written::default(),
            error: None,
            next_pid: 1,
            scenario: scenario.to_string(),
            operation: "",
            offset_ns: 0,
            window_ns: 1,
            stage: None,
        })
    }

    /// What follows is this operation, so many nanoseconds after the first one began; throughput is
    /// given for windows of `window_ns`.
    pub fn begin_operation(&mut self, operation: &'static str, offset_ns: u64, window_ns: u64) {
        (self.operation, self.offset_ns) = (operation, offset_ns);
        self.window_ns = window_ns.max(1);
    }

    /// What has been written so far.
    #[must_use]
    pub fn written(&self) -> Written {
        let Sink { slices, merged, merged_into, .. } = self.sink;
        Written { slices, merged, merged_into, ..self.written }
    }

    /// Ends the trace with what is said of it.
    ///
    /// # Errors
    /// If anything could not be written.
    pub fn finish(mut self, result: &impl Serialize) -> io::Result<()> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.out.write_all(b"\n],\"result\":")?;
        serde_json::to_writer(&mut self.out, result)?;
        self.out.write_all(b"}\n")?;
        self.out.flush()
    }

    /// Hands on what is ready.
    fn pass_on(&mut self) -> ControlFlow<()> {
        let done = self.out.write_all(self.sink.text.as_bytes());
        self.sink.text.clear();
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn name_process(&mut self, name: &str) -> u64 {
        let pid = self.next_pid;
        self.next_pid += 1;
        self.metadata("process_name", (pid, None), &format!("\"name\":{}", quoted(name)));
        self.metadata("process_sort_index", (pid, None), &format!("\"sort_index\":{pid}"));
        pid
    }

    fn track(&mut self, pid: u64, tid: u64, name: &str) -> Track {
        self.written.tracks += 1;
        self.metadata("thread_name", (pid, Some(tid)), &format!("\"name\":{}", quoted(name)));
        self.metadata("thread_sort_index", (pid, Some(tid)), &format!("\"sort_index\":{tid}"));
        Track::new(pid, tid)
    }

    fn metadata(&mut self, what: &str, (pid, tid): (u64, Option<u64>), arguments: &str) {
        self.sink.begin_record();
        let out = &mut self.sink.text;
        let _ = write!(out, "{{\"ph\":\"M\",\"pid\":{pid}");
        if let Some(tid) = tid {
            let _ = write!(out, ",\"tid\":{tid}");
        }
        let _ = write!(out, ",\"name\":\"{what}\",\"args\":{{{arguments}}}}}");
    }

    fn job_tracks(&mut self, index: usize, cast: &Cast) -> JobTracks {
        let job = &cast.jobs[index];
        let title = match index {
            0 => format!("{} {}", self.operation, self.scenario),
            _ => format!("beside: {}", job.name),
        };
        let pid = self.name_process(&title);
        let mut threads = vec![(self.track(pid, 1, "coordinator"), None)];
        let mut labels = Vec::new();
        let of_other = if index == 0 { String::new() } else { format!(" of {}", job.name) };
        for (tid, thread) in (2..).zip(&job.threads) {
            let (who, does) = match thread.side {
                Side::Target => ("writer", "write"),
                _ => ("reader", "read"),
            };
            let name = format!("{who} {}", thread.name);
            threads.push((self.track(pid, tid, &name), None));
            let plain = format!("{does} {}{of_other}", thread.name);
            labels.push(Label { quoted: quoted(&plain), plain });
        }
        JobTracks {
            pid,
            threads,
            labels,
            work: quoted(&format!("work{of_other}")),
            shown: None,
            shown_at: 0,
            before: BytesSoFar::default(),
            window: 0,
            bytes: BytesSoFar::default(),
        }
    }

    fn stage(&mut self, cast: &Cast) -> Stage {
        let jobs = (0..cast.jobs.len()).map(|index| self.job_tracks(index, cast)).collect();
        let mut workers = Vec::new();
        if cast.workers > 0 {
            let pid = self.name_process(&format!("{} processors", self.operation));
            let worker = |n: usize| (self.track(pid, n as u64, &format!("worker {n}")), None);
            workers = (1..=cast.workers).map(worker).collect();
        }
        let devices_pid = self.name_process(&format!("{} devices", self.operation));
        let mut next_tid = 1;
        let mut devices = Vec::new();
        for device in &cast.devices {
            let track = if device.is_used && !device.is_null {
                self.track(devices_pid, next_tid, &device.name)
            } else {
                Track::new(devices_pid, next_tid)
            };
            devices.push((track, None));
            next_tid += 1;
        }
        Stage { jobs, workers, devices, connections: BTreeMap::new(), devices_pid, next_tid }
    }

    /// What a device has served.
    fn service(&mut self, service: &Service, cast: &Cast, stage: &mut Stage) {
        let offset = self.offset_ns;
        let label = &stage.jobs[service.job].labels[service.thread];
        let slice = Slice {
            name: &label.quoted,
            category: if service.is_zeroing { "zeroing" } else { NO_CATEGORY },
            begin_ns: offset + service.begin.as_nanos(),
            end_ns: offset + service.end.as_nanos(),
            bytes: service.bytes,
        };
        if !cast.devices[service.device].is_link {
            stage.devices[service.device].0.push(slice, &mut self.sink);
            return;
        }
        let key = (service.device, service.job, service.thread);
        if !stage.connections.contains_key(&key) {
            let name = format!("{}: {}", cast.devices[service.device].name, label.plain);
            let track = self.track(stage.devices_pid, stage.next_tid, &name);
            stage.next_tid += 1;
            stage.connections.insert(key, track);
        }
        if let Some(track) = stage.connections.get_mut(&key) {
            track.push(slice, &mut self.sink);
        }
    }

    /// States that last from a moment on.
    fn states(&mut self, moment: &Moment<'_>, stage: &mut Stage) {
        let now = self.offset_ns + moment.begin().as_nanos();
        for (index, tracks) in stage.jobs.iter_mut().enumerate() {
            let job = moment.job(index);
            let states = [job.coordinator()].into_iter().chain(job.threads().map(|t| t.state));
            for ((track, open), state) in tracks.threads.iter_mut().zip(states) {
                match *open {
                    Some((same, _)) if same == state => continue,
                    Some((before, since)) => {
                        thread_slice(track, before, (since, now), &mut self.sink);
                    }
                    None => {}
                }
                *open = Some((state, now));
            }
        }
        for ((track, since), worker) in stage.workers.iter_mut().zip(moment.workers()) {
            let is_blocked = matches!(worker, WorkerState::Blocked);
            blocked(track, since, is_blocked, now, &mut self.sink);
        }
        for ((track, since), device) in stage.devices.iter_mut().zip(moment.devices()) {
            let is_blocked = device.activity() == Activity::Blocked;
            blocked(track, since, is_blocked, now, &mut self.sink);
        }
    }

    fn count(&mut self, moment: &Moment<'_>, stage: &mut Stage) {
        let (begin, now) = (moment.begin().as_nanos(), self.offset_ns + moment.begin().as_nanos());
        for (index, tracks) in stage.jobs.iter_mut().enumerate() {
            self.throughput(tracks, moment.job(index).bytes(), begin / self.window_ns);
            // What lasts no time is not to be seen.
            if begin == moment.end().as_nanos() {
                continue;
            }
            let buffers = moment.job(index).buffers();
            let is_due = tracks.shown.is_none() || now - tracks.shown_at >= self.sink.thin_ns;
            if is_due && tracks.shown != Some(buffers) {
                self.buffers(tracks, &buffers, now);
            }
        }
    }

    /// The window that has passed, if another one has come.
    fn throughput(&mut self, tracks: &mut JobTracks, bytes: BytesSoFar, window: u64) {
        if window > tracks.window {
            let seconds = self.window_ns as f64 * 1e-9;
            let at = |window: u64| self.offset_ns + window * self.window_ns;
            let rate = |to: u64, from: u64| (to - from) as f64 / seconds;
            let (now, before) = (tracks.bytes, tracks.before);
            let read = rate(now.read_bytes, before.read_bytes);
            let written = rate(now.written_bytes, before.written_bytes);
            let values = |read: f64, written: f64| {
                format!(
                    "\"read_bytes_per_second\":{read:.0},\"written_bytes_per_second\":{written:.0}"
                )
            };
            let (begin, end) = (at(tracks.window), at(tracks.window + 1));
            self.counter(tracks.pid, "throughput", begin, &values(read, written));
            if window > tracks.window + 1 {
                self.counter(tracks.pid, "throughput", end, &values(0.0, 0.0));
            }
            (tracks.window, tracks.before) = (window, tracks.bytes);
        }
        tracks.bytes = bytes;
    }

    fn buffers(&mut self, tracks: &mut JobTracks, buffers: &BuffersByPlace, now: u64) {
        let BuffersByPlace { raw, encoded, media } = buffers;
        let shown = tracks.shown;
        let pid = tracks.pid;
        if shown.is_none_or(|shown| shown.raw != *raw) && raw.count > 0 {
            let values = format!(
                "\"free\":{},\"being_read\":{},\"filled\":{},\"worked_on\":{},\"being_written\":{}",
                raw.free, raw.being_read, raw.filled, raw.worked_on, raw.being_written
            );
            self.counter(pid, "raw buffers", now, &values);
        }
        if shown.is_none_or(|shown| shown.encoded != *encoded) && encoded.count > 0 {
            let values = format!(
                "\"free\":{},\"being_filled\":{},\"filled\":{},\"taken\":{},\"being_written\":{}",
                encoded.free,
                encoded.being_filled,
                encoded.filled,
                encoded.taken,
                encoded.being_written
            );
            self.counter(pid, "encoded buffers", now, &values);
        }
        if shown.is_none_or(|shown| shown.media != *media) && media.count > 0 {
            let values = format!(
                "\"free\":{},\"being_filled\":{},\"being_written\":{}",
                media.free, media.being_filled, media.being_written
            );
            self.counter(pid, "media buffers", now, &values);
        }
        (tracks.shown, tracks.shown_at) = (Some(*buffers), now);
    }

    fn counter(&mut self, pid: u64, name: &str, at_ns: u64, values: &str) {
        self.written.counters += 1;
        self.sink.begin_record();
        let out = &mut self.sink.text;
        let _ = write!(out, "{{\"ph\":\"C\",\"pid\":{pid},\"ts\":");
        push_micros(out, at_ns);
        let _ = write!(out, ",\"name\":\"{name}\",\"args\":{{{values}}}}}");
    }

    /// Everything that is still open ends.
    fn close(&mut self, mut stage: Stage, end_ns: u64) {
        for tracks in &mut stage.jobs {
            for (track, open) in &mut tracks.threads {
                if let Some((state, since)) = open.take() {
                    thread_slice(track, state, (since, end_ns), &mut self.sink);
                }
                track.flush(&mut self.sink);
            }
            let next = tracks.window + 1;
            self.throughput(tracks, tracks.bytes, next);
        }
        for (track, since) in stage.workers.iter_mut().chain(&mut stage.devices) {
            blocked(track, since, false, end_ns, &mut self.sink);
            track.flush(&mut self.sink);
        }
        stage.connections.values_mut().for_each(|track| track.flush(&mut self.sink));
    }
}

/// A thread was in this state.
fn thread_slice(track: &mut Track, state: ThreadState, (begin, end): (u64, u64), sink: &mut Sink) {
    let name = match state {
        ThreadState::Starting => "\"starting\"",
        ThreadState::AwaitingBuffer => "\"awaiting a free buffer\"",
        ThreadState::AwaitingRead => "\"awaiting its reads\"",
        ThreadState::Working => "\"working\"",
        ThreadState::Idle => "\"awaiting a raw buffer\"",
        ThreadState::AwaitingEncodedBuffer => "\"awaiting an encoded buffer\"",
        ThreadState::AwaitingFilledBuffer => "\"awaiting a filled buffer\"",
        ThreadState::AwaitingWrite => "\"awaiting its writes\"",
        ThreadState::Coordinating => "\"awaiting readers and writers\"",
        ThreadState::Finished => "\"finished\"",
        ThreadState::Zeroing => "\"zeroing files\"",
    };
    let category = wait_type(state).unwrap_or(NO_CATEGORY);
    track.push(Slice { name, category, begin_ns: begin, end_ns: end, bytes: 0 }, sink);
}

/// A station is blocked from now on, or is not.
fn blocked(track: &mut Track, since: &mut Option<u64>, is: bool, now: u64, sink: &mut Sink) {
    match (*since, is) {
        (None, true) => *since = Some(now),
        (Some(begin_ns), false) => {
            *since = None;
            let (name, category) = ("\"blocked\"", NO_CATEGORY);
            track.push(Slice { name, category, begin_ns, end_ns: now, bytes: 0 }, sink);
        }
        _ => {}
    }
}

impl<W: Write> Watcher for ChromeTrace<W> {
    fn begin(&mut self, cast: &Cast) {
        let stage = self.stage(cast);
        self.stage = Some(stage);
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let Some(mut stage) = self.stage.take() else { return ControlFlow::Break(()) };
        match moment.happened() {
            Happened::Served(service) => self.service(&service, moment.cast(), &mut stage),
            Happened::Worked(work) => {
                let slice = Slice {
                    name: &stage.jobs[work.job].work,
                    category: NO_CATEGORY,
                    begin_ns: self.offset_ns + work.begin.as_nanos(),
                    end_ns: self.offset_ns + work.end.as_nanos(),
                    bytes: work.bytes,
                };
                stage.workers[work.worker].0.push(slice, &mut self.sink);
            }
            Happened::SetUp | Happened::Begins { .. } | Happened::OnItsWay => {}
        }
        if moment.begin() < moment.end() {
            self.states(moment, &mut stage);
        }
        self.count(moment, &mut stage);
        self.stage = Some(stage);
        self.pass_on()
    }

    fn end(&mut self, outcome: &Outcome) {
        let end_ns = self.offset_ns + outcome.elapsed.as_nanos();
        if let Some(stage) = self.stage.take() {
            self.close(stage, end_ns);
        }
        // An error is kept, and told at the end.
        let _ = self.pass_on();
    }
}
