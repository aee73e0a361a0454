//! One night, watched.

use std::ops::ControlFlow;

use bakcast_models::pipeline::watch::{Moment, Series, Watcher};
use bakcast_report::plot::{TimeChart, TimeInterval};
use bakcast_scenarios::predict::OneNight;
use bakcast_whatif::{CompareError, Operation};

use super::{Drawn, Task};
use crate::exit::Failure;

/// Intervals of a picture, at most.
const INTERVALS: usize = 240;
/// Events that are watched; of a longer run only its beginning is shown.
const EVENTS: u64 = 1_000_000;

/// Gives up after so many events.
struct Limit(u64);

impl Watcher for Limit {
    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        if moment.events() < self.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

pub(super) fn time(task: &Task<'_>) -> Result<Drawn, Failure> {
    let loaded = task.opened.load()?;
    let night = OneNight::new(&loaded.resolved, task.options, 0);
    let mut watcher = (Series::new(INTERVALS), Limit(EVENTS));
    let resolved = &loaded.resolved;
    let missing = || Failure::from(CompareError::NoOperation(task.operation));
    let (count, ended) = match task.operation {
        Operation::Backup => (resolved.backup.buffers.count, night.watch_backup(&mut watcher)?),
        Operation::Verify => {
            let plan = resolved.verification.as_ref().ok_or_else(missing)?;
            (plan.buffer_count, night.watch_verify(&night.backup()?, &mut watcher)?)
        }
        Operation::Restore => {
            let plan = resolved.restoration.as_ref().ok_or_else(missing)?;
            (plan.buffer_count, night.watch_restore(&night.backup()?, &mut watcher)?)
        }
        Operation::Total => {
            return Err(Failure::usage(
                "the total is two runs, one after the other: --operation backup or verify",
            ));
        }
    };
    let series = watcher.0.of_run();
    let intervals = series.intervals.iter().filter(|own| own.end_seconds > own.begin_seconds);
    let chart = TimeChart {
        buffer_count: count,
        is_cut: ended.is_none(),
        intervals: intervals
            .map(|own| TimeInterval {
                begin_seconds: own.begin_seconds,
                end_seconds: own.end_seconds,
                read_bytes_per_second: own.read_bytes_per_second,
                written_bytes_per_second: own.written_bytes_per_second,
                free_buffers: own.raw_buffers.free,
                being_filled_buffers: own.raw_buffers.being_filled,
                filled_buffers: own.raw_buffers.filled,
                being_emptied_buffers: own.raw_buffers.being_emptied,
            })
            .collect(),
    };
    Ok(Drawn { chart: chart.into(), nights: 1, loaded })
}
