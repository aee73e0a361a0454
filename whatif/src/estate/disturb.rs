//! How jobs disturb one another on a device, measured with the pipeline itself.
//!
//! Where a disk turns between streams, or a drive writes more for several, a job of each sort is
//! simulated beside one, two and three others that the night has on that device: what they take of
//! it per transfer, beyond what each would take alone, is the [`Curve`] of the sort. How often a
//! disk turns depends on who takes turns, and little things decide it: so they are others of this
//! night and not copies, and where some read and some write, one of each is tried as well. A
//! verification cannot run beside others in the pipeline; its curve is that of a backup that reads
//! the same files and keeps nothing.

use std::collections::BTreeMap;

use bakcast_models::device::{Device, Null};
use bakcast_models::pipeline::{BackupError, simulate_backup};
use bakcast_models::plan::{Backup, Beside, Machine, NamedDevice, Place, Volume};
use bakcast_models::quantity::{Bytes, Period};
use bakcast_scenarios::predict::{PredictOptions, with_streams};
use bakcast_scenarios::{Night, Resolved};
use bakcast_sim::{Streams, try_replicate};

use super::fluid::{Curve, Meeting};
use super::measure::{devices_of, sized, terms};

/// What each job reads.
const BESIDE: u64 = 1 << 30;
/// Between the begins of jobs beside one another: in a night they seldom begin in the same instant,
/// and if they do, their requests may fall into step and stay so.
const STAGGER_NS: u64 = 150_000_000;
/// Nights that are looked at.
const NIGHTS: u64 = 2;

/// How the demands of backup and verification on each device grow.
pub(super) type Curves = [BTreeMap<usize, Curve>; 2];

/// A device on which jobs disturb one another, and by what.
type Disturbed = (usize, Meeting);

/// How each sort, given by one of its jobs, disturbs its like and others.
pub(super) fn curves(
    resolved: &Resolved,
    night: &Night,
    examples: &[usize],
    options: &PredictOptions,
) -> Result<Vec<Curves>, BackupError> {
    let mut users = vec![0_u32; resolved.machine.devices.len()];
    for job in &night.jobs {
        devices_of(&job.backup).into_iter().for_each(|device| users[device] += 1);
    }
    let disturbed = |backup: &Backup| -> Vec<Disturbed> {
        let devices = devices_of(backup).into_iter().filter(|device| users[*device] > 1);
        let of_law = |device: usize| match &resolved.machine.devices[device].law {
            Device::Spindle(disk) if disk.positioning > Period::ZERO => Some(Meeting::Transfers),
            Device::SolidState(drive) if drive.stream_amplification.get() > 0.0 => {
                Some(Meeting::Streams)
            }
            _ => None,
        };
        devices.filter_map(|device| Some((device, of_law(device)?))).collect()
    };
    try_replicate(examples.len() as u64, |at| {
        let job = resolved.of_job(night, examples[at as usize]);
        let devices = disturbed(&job.backup);
        let mut found = Curves::default();
        if devices.is_empty() {
            return Ok(found);
        }
        let others: Vec<&Backup> =
            examples.iter().map(|example| &night.jobs[*example].backup).collect();
        let number = at as usize;
        let probe = Probe { machine: &job.machine, devices: &devices, others, number, options };
        found[0] = probe.curves(&sized(&job.backup, BESIDE))?;
        if job.verification.is_some() {
            let (machine, reading) = reading(&job);
            found[1] = Probe { machine: &machine, ..probe }.curves(&reading)?;
        }
        Ok(found)
    })
}

/// A backup that reads the files of a backup, and keeps nothing.
fn reading(job: &Resolved) -> (Machine, Backup) {
    let mut machine = job.machine.clone();
    let nul = machine.devices.len();
    let run_to_run = machine.processor.run_to_run;
    let law = Device::Null(Null {});
    let name = "nothing".to_string();
    machine.devices.push(NamedDevice { name, law, run_to_run, others: None });
    let stripes = &job.backup.stripes;
    let each = Bytes::new(BESIDE / stripes.len().max(1) as u64);
    let volumes = stripes.iter().enumerate().map(|(index, place)| Volume {
        name: format!("file-{index}"),
        place: place.clone(),
        bytes: each,
    });
    let to_nothing = Place { device: nul, via: Vec::new(), position: Default::default() };
    let mut backup = Backup {
        volumes: volumes.collect(),
        stripes: vec![to_nothing],
        compression: None,
        ..job.backup.clone()
    };
    if let Some(verification) = &job.verification {
        backup.buffers.transfer_size = verification.transfer_size;
        backup.buffers.count = verification.buffer_count;
        backup.rules.read_depth = verification.read_depth;
    }
    (machine, backup)
}

/// Jobs beside one another, to see what they take.
struct Probe<'a> {
    machine: &'a Machine,
    devices: &'a [Disturbed],
    /// One backup of each sort.
    others: Vec<&'a Backup>,
    /// Which of them this one is.
    number: usize,
    options: &'a PredictOptions,
}

/// What was taken of one device.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    seconds: f64,
    bytes: f64,
    transfers: f64,
}

impl Taken {
    fn per_byte(&self) -> f64 {
        if self.bytes > 0.0 { self.seconds / self.bytes } else { 0.0 }
    }
}

impl Probe<'_> {
    /// The curve of a backup on each device.
    fn curves(&self, backup: &Backup) -> Result<BTreeMap<usize, Curve>, BackupError> {
        let mut curves = BTreeMap::new();
        let alone = self.taken(backup, &[])?;
        for (at, (device, by)) in self.devices.iter().enumerate() {
            let own = alone[at];
            if own.seconds <= 0.0 {
                continue;
            }
            let (alike, unlike) = self.others_on(backup, *device);
            let times = |others: &[&Backup]| self.times(backup, others, at, &own);
            let met = |count: usize| -> Vec<&Backup> {
                let like = if alike.is_empty() { vec![backup] } else { alike.clone() };
                like.into_iter().cycle().take(count).collect()
            };
            let (two, three, four) = (times(&met(1))?, times(&met(2))?, times(&met(3))?);
            let mixed = match unlike.first() {
                Some(other) if *by == Meeting::Transfers => times(&[other])?,
                _ => two,
            };
            curves.insert(*device, Curve { by: *by, two, three, four, mixed });
        }
        Ok(curves)
    }

    /// The other backups on a device: those that do there what this one does, and those that only
    /// read where it only writes, or the other way round. Those that come after it in the night
    /// stand first, so that not all are held against the same one.
    fn others_on(&self, backup: &Backup, device: usize) -> (Vec<&Backup>, Vec<&Backup>) {
        let does = |b: &Backup| {
            let reads = b.volumes.iter().any(|v| v.place.leads_over(device));
            (reads, b.stripes.iter().any(|place| place.leads_over(device)))
        };
        let own = does(backup);
        let unlike = (own.1, own.0);
        let mut all = self.others.clone();
        let first = (self.number + 1) % all.len().max(1);
        all.rotate_left(first);
        // Itself comes last: jobs of one sort are on one server and follow one another.
        let of = |doing| all.iter().copied().filter(|other| does(other) == doing).collect();
        (of(own), if own == unlike { Vec::new() } else { of(unlike) })
    }

    /// How many times longer a backup holds a device per byte beside others.
    fn times(
        &self,
        backup: &Backup,
        others: &[&Backup],
        at: usize,
        own: &Taken,
    ) -> Result<f64, BackupError> {
        let longer: Vec<Backup> = others.iter().map(|other| sized(other, 4 * BESIDE)).collect();
        let both = self.taken(backup, &longer)?[at];
        let mut per_byte = 0.0;
        for other in others {
            let alone = self.taken(&sized(other, BESIDE), &[])?[at];
            per_byte += alone.per_byte() / others.len() as f64;
        }
        let alone = own.seconds + (both.bytes - own.bytes).max(0.0) * per_byte;
        let lost = (both.seconds - alone).max(0.0) / both.transfers.max(1.0);
        // Of two, the one with fewer transfers always finds the other between two of its own, the
        // other only as often as there is one: see `Curve::at`.
        let share = own.transfers / both.transfers.max(1.0);
        let found = if others.len() == 1 { 2.0 * share.min(1.0 - share) } else { 1.0 };
        let lost = lost / found.clamp(0.4, 1.0);
        let transfer = own.seconds / own.transfers.max(1.0);
        Ok(1.0 + lost / transfer.max(1e-12))
    }

    /// What a backup and those beside it take of each device until it ends; there are processors
    /// for each, for the others may be on servers of their own.
    fn taken(&self, backup: &Backup, others: &[Backup]) -> Result<Vec<Taken>, BackupError> {
        let mut machine = self.machine.clone();
        machine.processor.count *= 1 + others.len() as u32;
        let mut several = backup.clone();
        let beside = others.iter().enumerate().map(|(number, other)| Beside {
            name: format!("other-{number}"),
            starts: Period::from_nanos(STAGGER_NS * (1 + number as u64)),
            backup: other.clone(),
        });
        several.beside = beside.collect();
        let mut sums = vec![Taken::default(); self.devices.len()];
        for r in 0..NIGHTS {
            let run = |streams: &Streams<'_>| {
                simulate_backup(&machine, &several, streams, &terms(self.options))
            };
            let outcome = with_streams(self.options.seed, r, run)?;
            for (sum, (device, _)) in sums.iter_mut().zip(self.devices) {
                let name = &machine.devices[*device].name;
                let Some(station) = outcome.stations.iter().find(|s| s.name == *name) else {
                    continue;
                };
                sum.seconds += station.busy.as_seconds();
                sum.bytes += station.bytes.as_f64();
                sum.transfers += station.completions as f64;
            }
        }
        Ok(sums)
    }
}
