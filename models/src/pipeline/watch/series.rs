//! A watched run over time: throughput, buffers and stations in equal intervals.

use std::ops::ControlFlow;

use bakcast_sim::{SimTime, Span};
use serde::Serialize;

use super::grid::Grid;
use super::{Activity, BuffersByPlace, BytesSoFar, Cast, Moment, Watcher};
use crate::outcome::Outcome;

/// Places of buffers that are told apart, in the order of [`levels`].
const PLACES: usize = 12;

/// Adds up a run in equal intervals. Its memory is bounded: see [`Series::new`].
#[derive(Debug, Clone)]
pub struct Series {
    grid: Grid<Cell>,
    stations: Vec<String>,
    /// Devices that are shown, by index in the cast.
    devices: Vec<usize>,
    workers: u64,
    before: BytesSoFar,
    end: SimTime,
}

/// Sums of one interval.
#[derive(Debug, Clone, Default)]
struct Cell {
    bytes: BytesSoFar,
    /// Nanoseconds x buffers.
    buffers: [u128; PLACES],
    /// Nanoseconds x servers by activity: of each station.
    stations: Vec<[u64; 3]>,
}

/// A run in equal intervals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeriesOfRun {
    /// Length of an interval; the last one may be shorter.
    pub interval_seconds: f64,
    /// Length of the run.
    pub elapsed_seconds: f64,
    /// Devices and links in use, in the order of the machine, then the processors if they work.
    pub stations: Vec<String>,
    /// The intervals, first to last.
    pub intervals: Vec<Interval>,
}

/// One interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interval {
    /// Its beginning.
    pub begin_seconds: f64,
    /// Its end.
    pub end_seconds: f64,
    /// Bytes of the watched job in it: each counts where its transfer or its work ended.
    #[serde(flatten)]
    pub bytes: BytesSoFar,
    /// Bytes read a second.
    pub read_bytes_per_second: f64,
    /// Bytes written a second.
    pub written_bytes_per_second: f64,
    /// Buffers of the watched job, in the mean.
    pub raw_buffers: MeanBuffers,
    /// The same of encoded buffers; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoded_buffers: Option<MeanBuffers>,
    /// The same of media buffers; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_buffers: Option<MeanBuffers>,
    /// Shares of server time, in the order of [`SeriesOfRun::stations`].
    pub stations: Vec<Shares>,
}

/// Buffers of one kind by place, in the mean over an interval.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct MeanBuffers {
    /// Free.
    pub free: f64,
    /// Being filled: by a read, by a worker or by a writer.
    pub being_filled: f64,
    /// Filled, waiting for whoever comes next.
    pub filled: f64,
    /// Being emptied: by a worker or by a write.
    pub being_emptied: f64,
}

/// Shares of server time; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Shares {
    /// Serving.
    pub working: f64,
    /// Idle for want of work.
    pub starved: f64,
    /// Idle although there is work.
    pub blocked: f64,
}

impl Series {
    /// A run of any length in at most `most` intervals, and in no fewer than about half as many.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self::of_width(most, 1)
    }

    /// A run of which is known how long it takes, in `count` equal intervals.
    #[must_use]
    pub fn over(elapsed: Span, count: usize) -> Self {
        let count = count.max(1);
        Self::of_width(count, elapsed.as_nanos().div_ceil(count as u64))
    }

    fn of_width(most: usize, width_ns: u64) -> Self {
        Series {
            grid: Grid::new(most, width_ns),
            stations: Vec::new(),
            devices: Vec::new(),
            workers: 0,
            before: BytesSoFar::default(),
            end: SimTime::ZERO,
        }
    }

    /// What has been seen so far.
    #[must_use]
    pub fn of_run(&self) -> SeriesOfRun {
        let seconds = |nanos: u64| SimTime::from_nanos(nanos).as_seconds();
        let width = self.grid.width_ns();
        let cells = self.grid.cells.iter().enumerate();
        let intervals = cells.map(|(index, cell)| {
            let begin = index as u64 * width;
            let end = (begin + width).min(self.end.as_nanos());
            cell.interval(begin, end)
        });
        SeriesOfRun {
            interval_seconds: seconds(width),
            elapsed_seconds: self.end.as_seconds(),
            stations: self.stations.clone(),
            intervals: intervals.collect(),
        }
    }

    fn count_stations(&mut self, moment: &Moment<'_>) {
        let (begin, end) = (moment.begin().as_nanos(), moment.end().as_nanos());
        let all: Vec<_> = moment.devices().collect();
        for (index, device) in self.devices.iter().map(|device| all[*device]).enumerate() {
            let idle = match device.activity() {
                Activity::Blocked => Activity::Blocked,
                _ => Activity::Starved,
            };
            let works_from = end - device.working().as_nanos();
            let add = |activity: Activity| {
                move |cell: &mut Cell, nanos: u64| {
                    cell.station(index)[activity as usize] += nanos;
                }
            };
            self.grid.spread(begin, works_from, add(idle));
            self.grid.spread(works_from, end, add(Activity::Working));
        }
        if self.workers == 0 {
            return;
        }
        let mut workers = [0_u64; 3];
        moment.workers().for_each(|worker| workers[worker.activity() as usize] += 1);
        let index = self.devices.len();
        self.grid.spread(begin, end, |cell, nanos| {
            for (sum, count) in cell.station(index).iter_mut().zip(workers) {
                *sum += count * nanos;
            }
        });
    }
}

impl Watcher for Series {
    fn begin(&mut self, cast: &Cast) {
        let shown = cast.devices.iter().enumerate();
        let shown = shown.filter(|(_, device)| device.is_used && !device.is_null);
        self.devices = shown.map(|(index, _)| index).collect();
        self.stations = self.devices.iter().map(|d| cast.devices[*d].name.clone()).collect();
        self.workers = cast.workers as u64;
        if cast.workers > 0 {
            self.stations.push("processor".to_string());
        }
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let (begin, end) = (moment.begin().as_nanos(), moment.end().as_nanos());
        self.grid.reach(end.max(1), Cell::merge);
        self.end = moment.end();
        let bytes = moment.main().bytes();
        if bytes != self.before {
            let more = difference(&bytes, &self.before);
            self.before = bytes;
            if let Some(cell) = self.grid.at(begin) {
                add(&mut cell.bytes, &more);
            }
        }
        if begin == end {
            return ControlFlow::Continue(());
        }
        let levels = levels(&moment.main().buffers());
        self.grid.spread(begin, end, |cell, nanos| {
            for (sum, level) in cell.buffers.iter_mut().zip(levels) {
                *sum += u128::from(level) * u128::from(nanos);
            }
        });
        self.count_stations(moment);
        ControlFlow::Continue(())
    }

    fn end(&mut self, outcome: &Outcome) {
        self.end = SimTime::ZERO + outcome.elapsed;
    }
}

/// Buffers by place: raw, encoded and media ones, each free, being filled, filled, being emptied.
fn levels(buffers: &BuffersByPlace) -> [u32; PLACES] {
    let BuffersByPlace { raw, encoded, media } = buffers;
    [
        raw.free,
        raw.being_read,
        raw.filled,
        raw.worked_on + raw.being_written,
        encoded.free,
        encoded.being_filled,
        encoded.filled,
        encoded.taken + encoded.being_written,
        media.free,
        media.being_filled,
        0,
        media.being_written,
    ]
}

fn difference(to: &BytesSoFar, from: &BytesSoFar) -> BytesSoFar {
    BytesSoFar {
        read_bytes: to.read_bytes - from.read_bytes,
        worked_bytes: to.worked_bytes - from.worked_bytes,
        encoded_bytes: to.encoded_bytes - from.encoded_bytes,
        written_bytes: to.written_bytes - from.written_bytes,
    }
}

fn add(sum: &mut BytesSoFar, more: &BytesSoFar) {
    sum.read_bytes += more.read_bytes;
    sum.worked_bytes += more.worked_bytes;
    sum.encoded_bytes += more.encoded_bytes;
    sum.written_bytes += more.written_bytes;
}

impl Cell {
    fn merge(&mut self, more: &Cell) {
        add(&mut self.bytes, &more.bytes);
        self.buffers.iter_mut().zip(more.buffers).for_each(|(sum, more)| *sum += more);
        for (index, more) in more.stations.iter().enumerate() {
            self.station(index).iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }

    fn station(&mut self, index: usize) -> &mut [u64; 3] {
        if self.stations.len() <= index {
            self.stations.resize(index + 1, [0; 3]);
        }
        &mut self.stations[index]
    }

    fn interval(&self, begin_ns: u64, end_ns: u64) -> Interval {
        let nanos = end_ns.saturating_sub(begin_ns);
        let seconds = SimTime::from_nanos(nanos).as_seconds();
        let mean = |sum: u128| if nanos == 0 { 0.0 } else { sum as f64 / nanos as f64 };
        let rate = |bytes: u64| if nanos == 0 { 0.0 } else { bytes as f64 / seconds };
        let buffers = |kind: usize| {
            let [free, being_filled, filled, being_emptied] =
                [0, 1, 2, 3].map(|place| mean(self.buffers[4 * kind + place]));
            MeanBuffers { free, being_filled, filled, being_emptied }
        };
        let any = |kind: usize| self.buffers[4 * kind..4 * kind + 4].iter().any(|sum| *sum > 0);
        let shares = self.stations.iter().map(|times| {
            let all = times.iter().sum::<u64>().max(1) as f64;
            let [working, starved, blocked] = times.map(|nanos| nanos as f64 / all);
            Shares { working, starved, blocked }
        });
        Interval {
            begin_seconds: SimTime::from_nanos(begin_ns).as_seconds(),
            end_seconds: SimTime::from_nanos(end_ns).as_seconds(),
            bytes: self.bytes,
            read_bytes_per_second: rate(self.bytes.read_bytes),
            written_bytes_per_second: rate(self.bytes.written_bytes),
            raw_buffers: buffers(0),
            encoded_buffers: any(1).then(|| buffers(1)),
            media_buffers: any(2).then(|| buffers(2)),
            stations: shares.collect(),
        }
    }
}
