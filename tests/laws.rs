//! What must hold in every run of every shipped scenario, exactly.

use bakcast_models::outcome::{Outcome, StationRole};
use bakcast_models::pipeline::{Terms, simulate_backup, simulate_restore, simulate_verify};
use bakcast_models::quantity::Bytes;
use bakcast_models::wait::Side;
use bakcast_scenarios::Resolved;
use bakcast_sim::Streams;
use bakcast_tests::{every_scenario, load};

/// One night of a scenario: the backup, and its verification and restore where it is kept.
struct Night {
    name: String,
    resolved: Resolved,
    backup: Outcome,
    verify: Option<Outcome>,
    restore: Option<Outcome>,
}

impl Night {
    fn of(name: &str, terms: &Terms) -> Self {
        // What goes to NUL cannot be restored.
        let is_kept = load(name, &[]).resolved.verification.is_some();
        let sets = ["restore.enabled=true", "restore.zeroed=100 MiB"];
        let resolved = load(name, if is_kept { &sets } else { &[] }).resolved;
        let streams = Streams::new(7, 0);
        let machine = &resolved.machine;
        let backup = simulate_backup(machine, &resolved.backup, &streams, terms).unwrap();
        let verify = resolved
            .verify(&backup.stripe_bytes)
            .map(|plan| simulate_verify(machine, &plan, &streams, terms).unwrap());
        let restore = resolved
            .restore(&backup.stripe_bytes)
            .map(|plan| simulate_restore(machine, &plan, &streams, terms).unwrap());
        assert_eq!(restore.is_some(), is_kept, "{name}");
        let name = if terms.exact { format!("{name} in full") } else { name.to_string() };
        Night { name, resolved, backup, verify, restore }
    }

    /// Stations serve other jobs as well.
    fn is_shared(&self) -> bool {
        !self.resolved.backup.beside.is_empty()
    }

    fn operations(&self) -> impl Iterator<Item = (&Outcome, String)> {
        let verify = self.verify.iter().map(|verify| (verify, format!("{} verify", self.name)));
        let restore = self.restore.iter().map(|r| (r, format!("{} restore", self.name)));
        let backup = (&self.backup, format!("{} backup", self.name));
        [backup].into_iter().chain(verify).chain(restore)
    }
}

#[test]
fn every_shipped_scenario_keeps_the_laws() {
    keep_the_laws(&Terms::USUAL);
}

/// Long runs are carried forward as a rule; what is simulated in full keeps the same laws.
#[test]
fn every_shipped_scenario_that_is_simulated_in_full_keeps_the_laws() {
    keep_the_laws(&Terms::EXACT);
}

fn keep_the_laws(terms: &Terms) {
    let names = every_scenario();
    assert!(names.len() >= 24, "{names:?}");
    for name in names {
        let night = Night::of(&name, terms);
        bytes_are_conserved(&night);
        for (outcome, what) in night.operations() {
            threads_account_for_all_their_time(outcome, &what);
            stations_account_for_all_their_time(outcome, &what);
        }
        restored_bytes_come_back_to_their_volumes(&night);
        jobs_beside_conserve_bytes(&night);
        if !night.is_shared() {
            throughput_stays_below_the_bounds(&night);
        }
    }
}

/// To the byte: read = database, written = read / ratio, files = written, verified = files.
fn bytes_are_conserved(night: &Night) {
    let Night { name, resolved, backup, verify, .. } = night;
    let database = resolved.database_bytes().get();
    assert_eq!(backup.read_bytes.get(), database, "{name}: bytes read");
    let ratio = resolved.backup.compression.as_ref().map_or(1.0, |c| c.ratio.get());
    let expected = (database as f64 / ratio).round() as u64;
    assert_eq!(backup.written_bytes.get(), expected, "{name}: bytes written");
    let files: u64 = backup.stripe_bytes.iter().map(|bytes| bytes.get()).sum();
    assert_eq!(files, backup.written_bytes.get(), "{name}: bytes in the files");
    assert_eq!(backup.stripe_bytes.len(), resolved.backup.stripes.len(), "{name}: files");
    if let Some(verify) = verify {
        assert_eq!(verify.read_bytes, backup.written_bytes, "{name}: bytes verified");
    }
    let processed = backup.stations.iter().find(|s| s.role == StationRole::Processor);
    assert_eq!(processed.is_some(), resolved.backup.compression.is_some(), "{name}");
    if let Some(processor) = processed {
        let others = backup.beside.iter().map(|job| job.read_bytes.get()).sum::<u64>();
        let compressed = database..=database + others;
        assert!(compressed.contains(&processor.bytes.get()), "{name}: bytes compressed");
    }
    devices_carry_what_is_read_and_written(night);
}

/// To the byte: read = files, written = database, on each volume what came from it, and on each
/// device what lies on it and what is zeroed.
fn restored_bytes_come_back_to_their_volumes(night: &Night) {
    let Night { name, resolved, backup, restore, .. } = night;
    let Some(restore) = restore else { return };
    assert_eq!(restore.read_bytes, backup.written_bytes, "{name}: bytes restored from");
    assert_eq!(restore.written_bytes, resolved.database_bytes(), "{name}: bytes restored");
    let plan = &resolved.backup;
    let volumes: Vec<Bytes> = plan.volumes.iter().map(|volume| volume.bytes).collect();
    assert_eq!(restore.stripe_bytes, volumes, "{name}: bytes on the volumes");
    for (index, device) in resolved.machine.devices.iter().enumerate() {
        let files = plan.stripes.iter().zip(&backup.stripe_bytes);
        let read = files.filter(|(place, _)| place.leads_over(index)).map(|(_, bytes)| bytes.get());
        let written = plan.volumes.iter().filter(|v| v.place.leads_over(index));
        let written: Vec<u64> = written.map(|volume| volume.bytes.get()).collect();
        let zeroed = if written.is_empty() { 0 } else { 100 << 20 };
        let least = read.sum::<u64>() + written.iter().sum::<u64>();
        let carried = restore.stations.iter().find(|s| s.name == device.name);
        let carried = carried.map_or(0, |station| station.bytes.get());
        assert!((least..=least + zeroed).contains(&carried), "{name}: {}", device.name);
    }
}

/// To the byte, as for the backup itself.
fn jobs_beside_conserve_bytes(night: &Night) {
    let Night { name, resolved, backup, .. } = night;
    assert_eq!(backup.beside.len(), resolved.backup.beside.len(), "{name}");
    for (job, plan) in backup.beside.iter().zip(&resolved.backup.beside) {
        let database = plan.backup.database_bytes();
        assert_eq!(job.read_bytes, database, "{name}: bytes read by {}", job.name);
        let ratio = plan.backup.compression.as_ref().map_or(1.0, |c| c.ratio.get());
        let expected = (database.as_f64() / ratio).round() as u64;
        assert_eq!(job.written_bytes.get(), expected, "{name}: bytes written by {}", job.name);
        assert_eq!(job.starts, plan.starts.span(), "{name}: {}", job.name);
        assert!(job.elapsed.as_nanos() > 0, "{name}: {}", job.name);
    }
}

/// Each device and link carries exactly the bytes of the streams whose path leads over it; where
/// other jobs use it too, theirs until the backup ends come on top.
fn devices_carry_what_is_read_and_written(night: &Night) {
    let Night { name, resolved, backup, .. } = night;
    let plan = &resolved.backup;
    for (index, device) in resolved.machine.devices.iter().enumerate() {
        let over = |place: &bakcast_models::plan::Place| {
            place.device == index || place.via.contains(&index)
        };
        let read = plan.volumes.iter().filter(|v| over(&v.place)).map(|v| v.bytes.get());
        let files = plan.stripes.iter().zip(&backup.stripe_bytes);
        let written = files.filter(|(place, _)| over(place)).map(|(_, bytes)| bytes.get());
        let expected = read.sum::<u64>() + written.sum::<u64>();
        let carried = backup.stations.iter().find(|s| s.name == device.name);
        // NUL holds no transfer, so it counts none.
        if device.law.law() != "null" {
            let carried = carried.map_or(0, |s| s.bytes.get());
            let others = backup.beside.iter().map(|job| job.read_bytes + job.written_bytes);
            let most = expected + others.map(Bytes::get).sum::<u64>();
            let is_in = (expected..=most).contains(&carried);
            assert!(is_in, "{name}: {} carried {carried} of {expected}", device.name);
        }
    }
}

/// Each thread's time by state sums to the elapsed time, in whole nanoseconds.
fn threads_account_for_all_their_time(outcome: &Outcome, what: &str) {
    let elapsed = outcome.elapsed.as_nanos();
    assert!(elapsed > 0, "{what}");
    for thread in outcome.threads.iter().filter(|thread| thread.side != Side::Processor) {
        let spent: u64 = thread.spent.iter().map(|(_, span)| span.as_nanos()).sum();
        assert_eq!(spent, elapsed, "{what}: {}", thread.name);
    }
    // The workers are one entry that stands for as many threads as there are servers.
    let workers = outcome.threads.iter().find(|thread| thread.side == Side::Processor);
    let processor = outcome.stations.iter().find(|s| s.role == StationRole::Processor);
    assert_eq!(workers.is_some(), processor.is_some(), "{what}");
    if let (Some(workers), Some(processor)) = (workers, processor) {
        let spent: u64 = workers.spent.iter().map(|(_, span)| span.as_nanos()).sum();
        let total = elapsed * u64::from(processor.servers);
        // Where several jobs share the processors, each has fewer workers than there are.
        let is_all = spent.abs_diff(total) <= 3 || (!outcome.beside.is_empty() && spent < total);
        assert!(is_all, "{what}: workers spent {spent} of {total} ns");
    }
}

/// Shares sum to one, and the utilization law holds: utilization = completions x mean service
/// time / (servers x elapsed), which is busy time / (servers x elapsed).
fn stations_account_for_all_their_time(outcome: &Outcome, what: &str) {
    for station in &outcome.stations {
        let shares = station.shares;
        let sum = shares.working + shares.starved + shares.blocked;
        assert!((sum - 1.0).abs() < 1e-12, "{what}: {} has shares of {sum}", station.name);
        let total = outcome.elapsed.as_nanos() * u64::from(station.servers);
        let busy = station.busy.as_nanos();
        assert!(busy <= total, "{what}: {} was busy for {busy} of {total} ns", station.name);
        let utilization = busy as f64 / total as f64;
        assert!((shares.working - utilization).abs() < 1e-12, "{what}: {}", station.name);
        assert!(station.completions > 0 || station.bytes.get() == 0, "{what}: {}", station.name);
    }
}

/// Buffers per second: X <= c / D at each station, and X <= N / (sum of D), with the demands D
/// that occurred. With compression a read buffer is given back when it has been worked on, so its
/// cycle is source and processor; without, it is source and target.
fn throughput_stays_below_the_bounds(night: &Night) {
    let Night { name, resolved, backup, .. } = night;
    let fixed = backup.stations.iter().find(|s| s.role == StationRole::FixedCost).unwrap();
    let copying = (backup.elapsed.as_nanos() - fixed.busy.as_nanos()) as f64;
    let buffers = resolved.backup.buffers;
    let reads = backup.read_bytes.as_f64() / buffers.transfer_size.as_f64();
    let throughput = reads / copying;
    let mut cycle = 0.0;
    for station in backup.stations.iter().filter(|s| s.role != StationRole::FixedCost) {
        let demand = station.busy.as_nanos() as f64 / reads;
        let bound = f64::from(station.servers) / demand;
        assert!(throughput <= bound * (1.0 + 1e-9), "{name}: {} is passed too fast", station.name);
        // A link serves several transfers in the same busy second, so its busy time says
        // nothing of the time one buffer spends there.
        let law = resolved.machine.devices.iter().find(|d| d.name == station.name);
        let is_shared = law.is_some_and(|device| device.law.law() == "link");
        let is_held = match resolved.backup.compression {
            Some(_) => matches!(station.role, StationRole::Source | StationRole::Processor),
            None => true,
        };
        if is_held && !is_shared {
            cycle += demand;
        }
    }
    let bound = f64::from(buffers.count) / cycle;
    assert!(throughput <= bound * (1.0 + 1e-9), "{name}: {throughput} above {bound}");
}
