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
//! They hold for the means over runs, as the demands are means. The second counts only the
//! stations that hold a *raw* buffer: with compression that is reading and compressing, since the
//! encoded bytes travel on in buffers of another set.

use bakcast_models::device::Device;
use bakcast_models::outcome::StationRole;
use bakcast_models::plan::Machine;
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
    /// Server seconds it gives to the whole job.
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
    /// Bytes read per second that the busiest station allows.
    pub station_bytes_per_second: f64,
    /// Bytes read per second that the number of buffers allows.
    pub buffers_bytes_per_second: f64,
    /// Seconds the job takes at least, on the mean over runs.
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
    /// Seconds of latency in one cycle.
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
        Loop::new(&resolved.machine, backup, cycles, |station| match station.role {
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
        Loop::new(&resolved.machine, verify, cycles.ceil(), |station| {
            if station.role == StationRole::FixedCost { 0.0 } else { 1.0 }
        })
    }

    /// `held` is the share of a station's bytes that it serves while a raw buffer is held.
    fn new(
        machine: &Machine,
        operation: &OperationPrediction,
        cycles: f64,
        held: impl Fn(&StationSummary) -> f64,
    ) -> Self {
        let cycles = f64::max(cycles, 1.0);
        let mut demands = Vec::new();
        let (mut latency_seconds, mut held_latency_seconds, mut fixed_seconds) = (0.0, 0.0, 0.0);
        for station in &operation.stations {
            let law = machine.devices.iter().find(|d| d.name == station.name).map(|d| &d.law);
            let law = law.filter(|_| station.role != StationRole::Processor);
            let job_seconds = service_seconds(law, station);
            let held = held(station);
            let waited = latency(law) * station.completions / cycles;
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
    pub(super) fn bounds(&self, operation: &OperationPrediction, buffer_count: u32) -> Bounds {
        let cycle_bytes = self.read_bytes / self.cycles;
        let in_loop = || self.demands.iter().filter(|d| d.role != StationRole::FixedCost);
        let busiest = in_loop().max_by(|a, b| a.alone_seconds.total_cmp(&b.alone_seconds));
        let alone = busiest.map_or(0.0, |d| d.alone_seconds);
        let held = in_loop().map(|d| d.held_seconds).sum::<f64>() + self.held_latency_seconds;
        let cycle_seconds = in_loop().map(|d| d.cycle_seconds).sum::<f64>() + self.latency_seconds;
        // A pipeline that costs nothing has no limit; the rate it came to stands in for one.
        let reached = self.read_bytes / operation.seconds.median.max(f64::MIN_POSITIVE);
        let rate = |bytes: f64, seconds: f64| if seconds > 0.0 { bytes / seconds } else { reached };
        Bounds {
            busiest: busiest.map_or_else(String::new, |d| d.station.clone()),
            station_bytes_per_second: rate(self.read_bytes, alone),
            buffers_bytes_per_second: rate(cycle_bytes * f64::from(buffer_count), held),
            elapsed_seconds: alone + self.fixed_seconds,
            cycle_seconds,
            buffers_needed: if alone > 0.0 { cycle_seconds * self.cycles / alone } else { 1.0 },
        }
    }
}

/// Server seconds of one job. A link is busy whenever a transfer is on it, but what it is asked for
/// is only its bytes at its full rate.
fn service_seconds(law: Option<&Device>, station: &StationSummary) -> f64 {
    match law {
        Some(Device::Link(link)) => station.bytes / link.rate.get(),
        _ => station.busy_seconds,
    }
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
        Some(Device::Link(link)) => link.round_trip.as_seconds(),
        _ => 0.0,
    }
}
