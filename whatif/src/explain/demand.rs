//! Service demands, and the bounds that follow from them by operational laws alone.
//!
//! A cycle is one buffer going round once: it carries one transfer from the source. The demand of
//! a station is the server time it gives to a job, or to a cycle. Three bounds hold whatever the
//! distributions are:
//!
//! - throughput <= 1 / max(demand per cycle / servers): no station does more than all its time;
//! - throughput <= N / (sum of demands + Z): N buffers can not be in more places than N. Z is the
//!   time a cycle spends in latency, which holds no server of a device;
//! - elapsed >= max(demand of the job / servers) + fixed cost.
//!
//! They hold for the means over runs, as the demands are means over runs; here all demands are
//! those of a run of median duration: the means, times median duration / mean duration. The second
//! bound counts only the stations that hold a *raw* buffer: with compression that is reading and
//! compressing, since the encoded bytes travel on in buffers of another set.

use bakcast_models::device::{Device, Link};
use bakcast_models::outcome::StationRole;
use bakcast_models::plan::{Machine, Place};
use bakcast_scenarios::Resolved;
use bakcast_scenarios::predict::{OperationPrediction, StationSummary};

/// What one station is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// As the scenario calls it.
    pub station: String,
    /// What it is.
    pub role: StationRole,
    /// Identical servers.
    pub servers: u32,
    /// Server seconds it gives to the whole job, in a run of median duration.
    pub job_seconds: f64,
    /// Server seconds it gives to one cycle; for the fixed cost, its share of one.
    pub cycle_seconds: f64,
    /// Seconds the job would take if this station alone counted.
    pub alone_seconds: f64,
    /// Server seconds per cycle while a raw buffer is held.
    held_seconds: f64,
}

/// What no run can beat.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounds {
    /// The station that sets the first bound.
    pub busiest: String,
    /// Bytes read per second that the busiest station allows; absent if it asks for no time.
    pub station_bytes_per_second: Option<f64>,
    /// Bytes read per second that the number of buffers allows; absent if a cycle takes no time.
    pub buffers_bytes_per_second: Option<f64>,
    /// Seconds a run of median duration takes at least.
    pub elapsed_seconds: f64,
    /// Seconds of one cycle in which nothing waits: all demands and latencies in a row.
    pub cycle_seconds: f64,
    /// Buffers that would do if nothing varied: the cycle, divided by the largest demand.
    pub buffers_needed: f64,
}

/// The way of a buffer through an operation.
pub(super) struct Loop {
    pub(super) cycles: f64,
    pub(super) demands: Vec<Demand>,
    /// Seconds of latency in one cycle: what holds no server that others wait for.
    pub(super) latency_seconds: f64,
    /// Seconds of it while a raw buffer is held.
    held_latency_seconds: f64,
    pub(super) fixed_seconds: f64,
    pub(super) read_bytes: f64,
}

impl Loop {
    /// The way of a raw buffer of a backup.
    pub(super) fn of_backup(resolved: &Resolved, backup: &OperationPrediction) -> Self {
        let plan = &resolved.backup;
        let held_to_the_end = plan.compression.is_none();
        let transfer = plan.buffers.transfer_size.as_f64();
        let cycles = plan.volumes.iter().map(|v| (v.bytes.as_f64() / transfer).ceil()).sum();
        let read_from = |name: &str| {
            let at = |index: &usize| resolved.machine.devices.get(*index).map(|d| d.name.as_str());
            let on = plan.volumes.iter().filter(|volume| {
                let path = volume.place.via.iter().chain([&volume.place.device]);
                path.filter_map(at).any(|device| device == name)
            });
            on.map(|volume| volume.bytes.as_f64()).sum::<f64>()
        };
        let readers = plan.volumes.iter().map(|volume| &volume.place);
        let places: Vec<&Place> = readers.chain(&plan.stripes).collect();
        let new = |held: &dyn Fn(&StationSummary) -> f64| {
            Loop::new(&resolved.machine, &places, backup, cycles, held)
        };
        new(&|station| match station.role {
            StationRole::Source | StationRole::Processor => 1.0,
            StationRole::Target | StationRole::SourceAndTarget if held_to_the_end => 1.0,
            StationRole::SourceAndTarget => read_from(&station.name) / station.bytes.max(1.0),
            StationRole::Target | StationRole::FixedCost => 0.0,
        })
    }

    /// The way of a buffer of a verification.
    pub(super) fn of_verify(
        resolved: &Resolved,
        verify: &OperationPrediction,
        transfer: f64,
    ) -> Self {
        let cycles = verify.read_bytes as f64 / transfer.max(1.0);
        let places: Vec<&Place> = resolved.backup.stripes.iter().collect();
        Loop::new(&resolved.machine, &places, verify, cycles.ceil(), &|station| {
            if station.role == StationRole::FixedCost { 0.0 } else { 1.0 }
        })
    }

    /// `held` is the share of a station's bytes that it serves while a raw buffer is held.
    fn new(
        machine: &Machine,
        places: &[&Place],
        operation: &OperationPrediction,
        cycles: f64,
        held: &dyn Fn(&StationSummary) -> f64,
    ) -> Self {
        let cycles = f64::max(cycles, 1.0);
        let scale = median_of_mean(operation);
        let mut demands = Vec::new();
        let (mut latency_seconds, mut held_latency_seconds, mut fixed_seconds) = (0.0, 0.0, 0.0);
        for station in &operation.stations {
            let device = machine.devices.iter().position(|d| d.name == station.name);
            let device = device.filter(|_| station.role != StationRole::Processor);
            let law = device.map(|index| &machine.devices[index].law);
            let left = device.map_or(1.0, |index| machine.devices[index].left());
            let connections = places.iter().filter(|place| {
                device.is_some_and(|at| place.device == at || place.via.contains(&at))
            });
            let connections = connections.count();
            let job_seconds = scale * service_seconds(law, station, (connections, left));
            let held = held(station);
            let latency = latency(law) * station.completions;
            let limited = ceiling_seconds(law, station, (connections, left));
            let waited = scale * (latency + limited) / cycles;
            latency_seconds += waited;
            held_latency_seconds += waited * held;
            if station.role == StationRole::FixedCost {
                fixed_seconds += job_seconds;
            }
            demands.push(Demand {
                station: station.name.clone(),
                role: station.role,
                servers: station.servers,
                job_seconds,
                cycle_seconds: job_seconds / cycles,
                alone_seconds: job_seconds / f64::from(station.servers.max(1)),
                held_seconds: held_seconds(law, station, job_seconds, held) / cycles,
            });
        }
        let read_bytes = operation.read_bytes as f64;
        Loop { cycles, demands, latency_seconds, held_latency_seconds, fixed_seconds, read_bytes }
    }

    /// The bounds for so many buffers.
    pub(super) fn bounds(&self, buffer_count: u32) -> Bounds {
        let cycle_bytes = self.read_bytes / self.cycles;
        let in_loop = || self.demands.iter().filter(|d| d.role != StationRole::FixedCost);
        let busiest = in_loop().max_by(|a, b| a.alone_seconds.total_cmp(&b.alone_seconds));
        let alone = busiest.map_or(0.0, |d| d.alone_seconds);
        let held = in_loop().map(|d| d.held_seconds).sum::<f64>() + self.held_latency_seconds;
        let cycle_seconds = in_loop().map(|d| d.cycle_seconds).sum::<f64>() + self.latency_seconds;
        // A pipeline that costs nothing has no limit.
        let rate = |bytes: f64, seconds: f64| {
            Some(bytes / seconds).filter(|rate| seconds > 0.0 && rate.is_finite())
        };
        let needed = cycle_seconds * self.cycles / alone;
        Bounds {
            busiest: busiest.map_or_else(String::new, |d| d.station.clone()),
            station_bytes_per_second: rate(self.read_bytes, alone),
            buffers_bytes_per_second: rate(cycle_bytes * f64::from(buffer_count), held),
            elapsed_seconds: alone + self.fixed_seconds,
            cycle_seconds,
            buffers_needed: if needed.is_finite() { needed } else { 1.0 },
        }
    }
}

/// What makes means over runs those of a run of median duration.
fn median_of_mean(operation: &OperationPrediction) -> f64 {
    let runs = (operation.elapsed_seconds.len() as f64).max(1.0);
    let scale = operation.seconds.median * runs / operation.elapsed_seconds.iter().sum::<f64>();
    if scale.is_finite() { scale } else { 1.0 }
}

/// Connections of a link, and the share of its rate that others leave.
type OnLink = (usize, f64);

/// Server seconds of one job. A link is busy whenever a transfer is on it, but what it is asked for
/// is only its bytes at the rate that all its connections reach together.
fn service_seconds(law: Option<&Device>, station: &StationSummary, on: OnLink) -> f64 {
    match law {
        Some(Device::Link(link)) => station.bytes / link_rate(link, on),
        _ => station.busy_seconds,
    }
}

/// Seconds of one job that transfers take longer on a link than its full rate would: one connection
/// alone gets no more than its ceiling, which keeps no other from the rest of the rate.
fn ceiling_seconds(law: Option<&Device>, station: &StationSummary, on: OnLink) -> f64 {
    match law {
        Some(Device::Link(link)) => {
            station.bytes / link_rate(link, (1, on.1)) - station.bytes / link_rate(link, on)
        }
        _ => 0.0,
    }
}

/// Bytes a second of so many connections together.
fn link_rate(link: &Link, (connections, left): OnLink) -> f64 {
    let all = link.per_connection.map(|one| one.get() * connections.max(1) as f64);
    let rate = link.rate.get() * left;
    all.map_or(rate, |all| all.min(rate))
}

/// Server seconds of one job while a raw buffer is held: the reads of a device that is written to
/// as well are counted at its read rate, which leaves out positioning and is a lower bound.
fn held_seconds(law: Option<&Device>, station: &StationSummary, job: f64, held: f64) -> f64 {
    let read = station.bytes * held;
    match law {
        Some(Device::Spindle(disk)) if 0.0 < held && held < 1.0 => read / disk.read_rate.get(),
        Some(Device::SolidState(drive)) if 0.0 < held && held < 1.0 => read / drive.read_rate.get(),
        _ => job * held,
    }
}

/// Time of one transfer that holds no server.
fn latency(law: Option<&Device>) -> f64 {
    match law {
        Some(Device::SolidState(drive)) => drive.latency.as_seconds(),
        Some(Device::Capped(volume)) => volume.latency.as_seconds(),
        Some(Device::Link(link)) => link.round_trip.as_seconds(),
        _ => 0.0,
    }
}
