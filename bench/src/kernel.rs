//! Parts of the kernel alone.

use anyhow::{Context, Result};
use bakcast_sim::{Calendar, SimTime, Slot, Span, Station, Streams};

use crate::{Done, Prepared};

/// Holds of the calendar, and cycles of the station, in one run.
const STEPS: u64 = 100_000;
/// The reference network's slots, which a row holds.
const ROW_SLOTS: usize = 6;
/// Too many for a row: about what a dozen stripes with their devices take.
const TREE_SLOTS: usize = 64;

pub(crate) fn row() -> Result<Prepared> {
    Ok(hold(ROW_SLOTS))
}

pub(crate) fn tree() -> Result<Prepared> {
    Ok(hold(TREE_SLOTS))
}

/// The hold model (Jones, An empirical comparison of priority-queue and event-set implementations,
/// 1986): the earliest end is taken and scheduled again an exponential time later. The times are
/// drawn beforehand, so that the calendar alone is measured.
fn hold(slots: usize) -> Prepared {
    let spans = spans();
    Box::new(move || {
        let mut calendar = Calendar::new(slots);
        for (index, span) in (0..slots).zip(spans.iter().cycle()) {
            calendar.schedule(Slot::new(index), SimTime::ZERO + *span);
        }
        let mut last = SimTime::ZERO;
        for (_, span) in (0..STEPS).zip(spans.iter().cycle()) {
            let (now, slot) = calendar.next().context("a slot is always armed")?;
            calendar.schedule(slot, now + *span);
            last = now;
        }
        let events = calendar.slots() as u64 + STEPS;
        Ok(Done { events, bytes: 0, nanoseconds: last.as_nanos() })
    })
}

/// Exponential times with a mean of 1 ms; a prime number of them, so that no slot sees a pattern.
fn spans() -> Vec<Span> {
    let mut stream = Streams::new(1, 0).named("hold");
    (0..1021).map(|_| Span::from_seconds(1e-3 * stream.exponential())).collect()
}

/// Eight jobs at a station of four servers: one server after the other finishes, and the job comes
/// back at once. The time is that of all the stays.
pub(crate) fn station() -> Result<Prepared> {
    Ok(Box::new(|| {
        let mut station = Station::new(4);
        for job in 0..8_u32 {
            station.arrive(SimTime::ZERO, job);
        }
        let mut now = SimTime::ZERO;
        for step in 0..STEPS {
            now += Span::from_nanos(1000);
            let (job, _) = station.depart(now, (step % 4) as usize);
            station.arrive(now, job);
        }
        let counted = station.statistics(now);
        let stays = u64::try_from(counted.busy + counted.waiting)?;
        Ok(Done { events: counted.completions, bytes: 0, nanoseconds: stays })
    }))
}
