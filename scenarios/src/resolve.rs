//! From a scenario as written to what the simulation takes: no option left open.
//!
//! Structs are taken apart field by field, so that a knob nobody uses does not compile.

mod caution;
mod members;
mod night;
mod others;
mod part;
mod restore;

use std::collections::BTreeMap;
use std::sync::Arc;

use bakcast_models::device;
use bakcast_models::plan::{self, Buffers, Coordinator, EngineRules, Machine, NamedDevice, Place};
use bakcast_models::quantity::{Bytes, Fraction};
use bakcast_models::sql_server;
use thiserror::Error;

pub use members::Members;
pub(crate) use members::ParameterSets;
pub use night::{Night, NightJob, NightServer};

use crate::schema::{self, Scenario};
use crate::warning::Warning;

pub use restore::Restoration;

/// A scenario with every default looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// Name and variant, as in `nvme-knob-matrix:6`.
    pub name: String,
    /// What the scenario is, in one line.
    pub title: String,
    /// Where its figures come from.
    pub source: Option<String>,
    /// Name of the database.
    pub database_name: String,
    /// Devices, links and processors; devices in the order of their names.
    pub machine: Machine,
    /// The backup.
    pub backup: plan::Backup,
    /// The BLOCKSIZE of the backup files.
    pub block_size: Bytes,
    /// How the backup is verified; absent: not at all.
    pub verification: Option<Verification>,
    /// How the backup is restored; absent: not at all.
    pub restoration: Option<Restoration>,
    /// The jobs of a night, of which the backup is the largest; absent: it is the only one.
    pub night: Option<Arc<Night>>,
    /// What to look at twice.
    pub warnings: Vec<Warning>,
    /// The parameter sets of the ensemble; absent: none, every night has the values above.
    pub members: Option<Members>,
}

/// How a backup is verified, as far as it is known before the backup.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// Bytes of one read.
    pub transfer_size: Bytes,
    /// Buffers for reading.
    pub buffer_count: u32,
    /// Reads a reader keeps outstanding.
    pub read_depth: u32,
}

/// Why a scenario that was put together by hand cannot be resolved. One that was loaded can.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResolveError {
    /// A device that is named but not described.
    #[error("{user} names the device `{device}`, which is not described")]
    UnknownDevice {
        /// Who names it.
        user: String,
        /// The name.
        device: String,
    },
    /// A device with no law, or with several.
    #[error("device `{device}` has {laws} laws instead of one")]
    LawsOfDevice {
        /// The device.
        device: String,
        /// How many laws it has.
        laws: usize,
    },
    /// Compression is on, but not described.
    #[error("the backup is compressed, but `[compression]` is missing")]
    NoCompression,
    /// A verification is asked for where a stripe goes to NUL.
    #[error("a backup written to NUL cannot be verified")]
    NotVerifiable,
    /// A knob that cannot take a value of the ensemble.
    #[error("the ensemble cannot set `{path}`: {reason}")]
    NotAMember {
        /// The knob.
        path: String,
        /// Why not.
        reason: String,
    },
    /// A restore is asked for where a stripe goes to NUL.
    #[error("a backup written to NUL cannot be restored")]
    NotRestorable,
    /// A job of a night that does not fit the rest.
    #[error("{reason}")]
    UnfitJob {
        /// What does not fit.
        reason: String,
    },
}

impl Scenario {
    /// The scenario with every default looked up; variants do not count.
    ///
    /// # Errors
    ///
    /// [`ResolveError`] for a scenario that was put together by hand; one that was loaded has
    /// been checked.
    pub fn resolve(&self, name: &str) -> Result<Resolved, ResolveError> {
        let resolved = self.resolve_loaded(name, None)?;
        resolved.members.iter().try_for_each(Members::check)?;
        Ok(resolved)
    }

    /// The same for a scenario whose ensemble has been checked; `sets` are those of its ensemble,
    /// if they are known.
    pub(crate) fn resolve_loaded(
        &self,
        name: &str,
        sets: Option<Arc<ParameterSets>>,
    ) -> Result<Resolved, ResolveError> {
        let mut resolved = self.decide(name)?;
        resolved.warnings = caution::warnings(&resolved, self.verify.enabled);
        resolved.warnings.extend(resolved.one_job_of_a_night());
        let ensemble = self.ensemble.as_ref().filter(|ensemble| ensemble.members() > 0);
        let sets = sets.or_else(|| ensemble.map(|e| Arc::new(ParameterSets::new(e))));
        resolved.members = sets.map(|sets| Members::new(self, sets, &resolved)).transpose()?;
        Ok(resolved)
    }

    /// The values of the scenario itself with every default looked up.
    fn decide(&self, name: &str) -> Result<Resolved, ResolveError> {
        let Scenario {
            title,
            source,
            database: schema::Database { name: database_name },
            volume,
            device,
            processor,
            compression,
            backup,
            paths: _,
            beside,
            server,
            job,
            jobs: _,
            verify,
            restore,
            engine,
            ensemble: _,
            variant: _,
        } = self;
        let devices = Devices(device);
        let machine = devices.machine(processor)?;
        if !job.is_empty() {
            return self.decide_night(name, machine, server, job);
        }
        let block_size = block_size(backup);
        let main = Written { before: "", volume, data: compression.as_ref(), options: backup };
        let mut backup = devices.backup(&main, engine)?;
        let others = beside
            .iter()
            .map(|(name, other)| devices.beside(name, other, compression.as_ref(), engine));
        backup.beside = others.collect::<Result<_, _>>()?;
        let verification = verification(verify, engine, &machine, &backup)?;
        let restoration = restore::restoration(restore, engine, &machine, &backup)?;
        Ok(Resolved {
            name: name.to_string(),
            title: title.clone(),
            source: source.clone(),
            database_name: database_name.clone(),
            machine,
            backup,
            block_size,
            verification,
            restoration,
            night: None,
            warnings: Vec::new(),
            members: None,
        })
    }
}

impl Resolved {
    /// The verification of a backup whose files hold `stripe_bytes`; absent: none.
    ///
    /// # Panics
    ///
    /// If there is not one size for each backup file.
    #[must_use]
    pub fn verify(&self, stripe_bytes: &[Bytes]) -> Option<plan::Verify> {
        let backup = &self.backup;
        assert_eq!(stripe_bytes.len(), backup.stripes.len(), "one size for each backup file");
        let Verification { transfer_size, buffer_count, read_depth } = self.verification.clone()?;
        let sizes = stripe_bytes.iter().copied();
        Some(plan::Verify {
            stripes: backup.stripes.iter().cloned().zip(sizes).collect(),
            database_bytes: self.database_bytes(),
            compression: backup.compression.clone(),
            transfer_size,
            buffer_count,
            read_depth,
            coordinator: backup.coordinator,
        })
    }

    /// Bytes of the database on all volumes.
    #[must_use]
    pub fn database_bytes(&self) -> Bytes {
        self.backup.database_bytes()
    }

    /// The same without other jobs at the same time; nothing if there are none.
    #[must_use]
    pub fn alone(&self) -> Option<Resolved> {
        if self.backup.beside.is_empty() {
            return None;
        }
        let mut alone = self.clone();
        alone.backup.beside.clear();
        Some(alone)
    }
}

/// A backup as it is written, be it the one that is asked about or one beside it.
struct Written<'a> {
    /// What its paths begin with.
    before: &'a str,
    volume: &'a BTreeMap<String, schema::Volume>,
    data: Option<&'a schema::Compression>,
    options: &'a schema::Backup,
}

/// The processors of a host.
fn processor(written: &schema::Processor) -> plan::Processor {
    let schema::Processor {
        logical_processors,
        threads_per_core,
        second_thread,
        run_to_run,
        other_load,
        other_request,
    } = written;
    plan::Processor {
        count: *logical_processors,
        threads_per_core: *threads_per_core,
        second_thread: *second_thread,
        run_to_run: *run_to_run,
        others: others::on_processor(*other_load, *other_request),
    }
}

/// The devices of a scenario, by name.
struct Devices<'a>(&'a BTreeMap<String, schema::Device>);

impl Devices<'_> {
    fn machine(&self, processor: &schema::Processor) -> Result<Machine, ResolveError> {
        let devices = self.0.iter().map(|(name, device)| {
            let law = law(name, device)?;
            let others = others::on_device(&law, device.other_load, device.other_request);
            Ok(NamedDevice { name: name.clone(), law, run_to_run: device.run_to_run, others })
        });
        Ok(Machine {
            devices: devices.collect::<Result<_, _>>()?,
            processor: self::processor(processor),
        })
    }

    /// Index of a device in the machine.
    fn index(&self, name: &str, user: &str) -> Result<usize, ResolveError> {
        self.0.keys().position(|known| known == name).ok_or_else(|| ResolveError::UnknownDevice {
            user: user.to_string(),
            device: name.to_string(),
        })
    }

    fn place(&self, name: &str, position: Fraction, user: &str) -> Result<Place, ResolveError> {
        let device = self.index(name, user)?;
        let via = self.0.get(name).map_or(&[][..], |device| &device.via);
        let via = via.iter().map(|link| self.index(link, &format!("`device.{name}.via`")));
        Ok(Place { device, via: via.collect::<Result<_, _>>()?, position })
    }

    fn volumes(&self, written: &Written<'_>) -> Result<Vec<plan::Volume>, ResolveError> {
        let volume = |(name, volume): (&String, &schema::Volume)| {
            let schema::Volume { device, size, position } = volume;
            let user = format!("`{}volume.{name}`", written.before);
            let place = self.place(device, *position, &user)?;
            Ok(plan::Volume { name: name.clone(), place, bytes: size.bytes() })
        };
        written.volume.iter().map(volume).collect()
    }

    /// A backup beside another one; `data` are the scenario's own.
    fn beside(
        &self,
        name: &str,
        written: &schema::Beside,
        data: Option<&schema::Compression>,
        engine: &schema::Engine,
    ) -> Result<plan::Beside, ResolveError> {
        let schema::Beside { starts, volume, backup: options, compression } = written;
        let before = format!("beside.{name}.");
        let data = compression.as_ref().or(data);
        let backup = self.backup(&Written { before: &before, volume, data, options }, engine)?;
        Ok(plan::Beside { name: name.to_string(), starts: *starts, backup })
    }

    /// A backup that has the machine to itself.
    fn backup(
        &self,
        written: &Written<'_>,
        engine: &schema::Engine,
    ) -> Result<plan::Backup, ResolveError> {
        let schema::Backup {
            stripes,
            stripe_position,
            compression: compressed,
            buffer_count,
            transfer_size,
            block_size: _,
        } = written.options;
        let volumes = self.volumes(written)?;
        let user = format!("`{}backup.stripes`", written.before);
        let stripe = |name: &String| self.place(name, *stripe_position, &user);
        let stripes: Vec<_> = stripes.iter().map(stripe).collect::<Result<_, _>>()?;
        let count = buffer_count.unwrap_or_else(|| engine_count(engine, &stripes, &volumes));
        let in_place = engine.encoded_writes == schema::EncodedWrites::InPlace;
        let sets = match (*compressed, in_place) {
            (false, _) => sql_server::SETS_UNCOMPRESSED,
            (true, false) => sql_server::SETS_COMPRESSED,
            (true, true) => sql_server::SETS_COMPRESSED - 1,
        };
        let transfer_size = transfer_size.unwrap_or_default().bytes();
        let (rules, coordinator) = rules(engine);
        Ok(plan::Backup {
            compression: compressed.then(|| compression(written.data)).transpose()?,
            buffers: Buffers { count, transfer_size, sets },
            large_block: block_size(written.options) == LARGE_BLOCK,
            volumes,
            stripes,
            rules,
            coordinator,
            beside: Vec::new(),
        })
    }
}

/// BLOCKSIZE, or what it is when none is written.
fn block_size(options: &schema::Backup) -> Bytes {
    options.block_size.unwrap_or_default().bytes()
}

/// The block size that one measured machine is slow with.
const LARGE_BLOCK: Bytes = Bytes::kibibytes(64);

/// The one law of a device.
fn law(name: &str, device: &schema::Device) -> Result<device::Device, ResolveError> {
    let schema::Device {
        like: _,
        via: _,
        run_to_run: _,
        other_load: _,
        other_request: _,
        spindle,
        solid_state,
        link,
        fixed_rate,
        capped,
        null,
    } = device;
    let laws = [
        spindle.clone().map(device::Device::Spindle),
        solid_state.clone().map(device::Device::SolidState),
        link.clone().map(device::Device::Link),
        fixed_rate.clone().map(device::Device::FixedRate),
        capped.clone().map(device::Device::Capped),
        null.clone().map(device::Device::Null),
    ];
    let mut laws: Vec<_> = laws.into_iter().flatten().collect();
    match (laws.pop(), laws.len()) {
        (Some(law), 0) => Ok(law),
        (last, others) => Err(ResolveError::LawsOfDevice {
            device: name.to_string(),
            laws: others + usize::from(last.is_some()),
        }),
    }
}

fn compression(data: Option<&schema::Compression>) -> Result<plan::Compression, ResolveError> {
    let schema::Compression { like: _, ratio, rate, decompression_rate, variability } =
        data.ok_or(ResolveError::NoCompression)?;
    Ok(plan::Compression {
        ratio: *ratio,
        rate: *rate,
        decompression_rate: *decompression_rate,
        variability: *variability,
    })
}

/// BUFFERCOUNT when none is written.
fn engine_count(engine: &schema::Engine, stripes: &[Place], volumes: &[plan::Volume]) -> u32 {
    let count = |items: usize| u32::try_from(items).unwrap_or(u32::MAX / 64);
    let (stripes, volumes) = (count(stripes.len()), count(volumes.len()));
    sql_server::default_buffer_count(engine.buffer_rule.into(), stripes, volumes)
}

fn rules(engine: &schema::Engine) -> (EngineRules, Coordinator) {
    let schema::Engine {
        start,
        finish,
        buffer_rule: _,
        writer_queue,
        encoded_writes,
        workers,
        read_depth,
        write_depth,
    } = engine;
    let rules = EngineRules {
        writer_queue: (*writer_queue).into(),
        encoded_writes: (*encoded_writes).into(),
        workers: (*workers).into(),
        read_depth: *read_depth,
        write_depth: *write_depth,
    };
    (rules, Coordinator { start: *start, finish: *finish })
}

fn verification(
    verify: &schema::Verify,
    engine: &schema::Engine,
    machine: &Machine,
    backup: &plan::Backup,
) -> Result<Option<Verification>, ResolveError> {
    let schema::Verify { enabled, transfer_size, buffer_count, read_depth } = verify;
    let to_nul = writes_to_nul(machine, backup);
    match enabled {
        Some(true) if to_nul => return Err(ResolveError::NotVerifiable),
        Some(false) => return Ok(None),
        None if to_nul => return Ok(None),
        Some(true) | None => {}
    }
    Ok(Some(Verification {
        transfer_size: transfer_size.bytes(),
        buffer_count: buffer_count
            .unwrap_or_else(|| engine_count(engine, &backup.stripes, &backup.volumes)),
        read_depth: *read_depth,
    }))
}

/// Whether a backup file goes to NUL.
fn writes_to_nul(machine: &Machine, backup: &plan::Backup) -> bool {
    let is_nul = |place: &Place| {
        let device = machine.devices.get(place.device);
        device.is_some_and(|device| matches!(device.law, device::Device::Null(_)))
    };
    backup.stripes.iter().any(is_nul)
}
