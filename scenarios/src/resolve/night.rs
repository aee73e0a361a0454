//! The jobs of a night, with every default looked up.
//!
//! A scenario with jobs has no backup of its own. Where one is asked for, it is that of the job
//! that reads most, alone on its server.

use std::collections::BTreeMap;
use std::sync::Arc;

use bakcast_models::plan::{self, Machine};
use bakcast_models::quantity::{Bytes, Fraction, Period};

use super::{
    Devices, ResolveError, Resolved, Verification, Written, block_size, restore, verification,
};
use crate::schema::{self, Scenario};
use crate::warning::{Warning, WarningCode};
use crate::words;

/// The backups of a night.
#[derive(Debug, Clone, PartialEq)]
pub struct Night {
    /// The servers that have jobs, in the order of their names.
    pub servers: Vec<NightServer>,
    /// The jobs, in the order of their names.
    pub jobs: Vec<NightJob>,
}

/// A server.
#[derive(Debug, Clone, PartialEq)]
pub struct NightServer {
    /// As the scenario calls it; empty: the machine of jobs that name no server.
    pub name: String,
    /// Its processors.
    pub processor: plan::Processor,
    /// Most of its jobs at once.
    pub at_once: Option<u32>,
}

/// A backup of the night.
#[derive(Debug, Clone, PartialEq)]
pub struct NightJob {
    /// As the scenario calls it.
    pub name: String,
    /// Name of its database.
    pub database: String,
    /// Index of its server.
    pub server: usize,
    /// From the beginning of the night, the earliest begin.
    pub starts: Period,
    /// Indices of the jobs that must have ended before.
    pub after: Vec<usize>,
    /// Whether its start is not to be changed.
    pub fixed: bool,
    /// What it does.
    pub backup: plan::Backup,
    /// The BLOCKSIZE of its backup files.
    pub block_size: Bytes,
    /// How it is verified; absent: not at all.
    pub verification: Option<Verification>,
}

impl Resolved {
    /// That the backup is one of many.
    pub(super) fn one_job_of_a_night(&self) -> Option<Warning> {
        let night = self.night.as_ref()?;
        Some(Warning {
            code: WarningCode::OneJobOfANight,
            text: format!(
                "this is the largest of {} jobs, the backup of `{}`, alone",
                night.jobs.len(),
                words::shown(&self.database_name)
            ),
            hint: "`bakcast predict` shows the night".to_string(),
        })
    }

    /// One job of the night as a scenario of its own, without the others.
    ///
    /// # Panics
    ///
    /// If there is no such job.
    #[must_use]
    pub fn of_job(&self, night: &Night, index: usize) -> Resolved {
        let job = &night.jobs[index];
        let processor = night.servers[job.server].processor.clone();
        Resolved {
            name: format!("{}: {}", self.name, job.name),
            title: self.title.clone(),
            source: self.source.clone(),
            database_name: job.database.clone(),
            machine: Machine { devices: self.machine.devices.clone(), processor },
            backup: job.backup.clone(),
            block_size: job.block_size,
            verification: job.verification.clone(),
            restoration: None,
            night: None,
            warnings: Vec::new(),
            members: None,
        }
    }
}

impl Scenario {
    /// A scenario with jobs.
    pub(super) fn decide_night(
        &self,
        name: &str,
        machine: Machine,
        servers: &BTreeMap<String, schema::Server>,
        jobs: &BTreeMap<String, schema::Job>,
    ) -> Result<Resolved, ResolveError> {
        let night = Builder { scenario: self, machine: &machine, servers }.night(jobs)?;
        let bytes = |job: &NightJob| job.backup.database_bytes();
        // The first of the largest.
        let largest = night.jobs.iter().enumerate().rev().max_by_key(|(_, job)| bytes(job));
        let largest = largest.map_or(0, |(index, _)| index);
        let backup = &night.jobs[largest].backup;
        let restoration = restore::restoration(&self.restore, &self.engine, &machine, backup)?;
        let common = Resolved {
            name: name.to_string(),
            title: self.title.clone(),
            source: self.source.clone(),
            database_name: String::new(),
            machine,
            backup: backup.clone(),
            block_size: Bytes::ZERO,
            verification: None,
            restoration: None,
            night: None,
            warnings: Vec::new(),
            members: None,
        };
        let one = common.of_job(&night, largest);
        Ok(Resolved { name: common.name, restoration, night: Some(Arc::new(night)), ..one })
    }
}

struct Builder<'a> {
    scenario: &'a Scenario,
    machine: &'a Machine,
    servers: &'a BTreeMap<String, schema::Server>,
}

impl Builder<'_> {
    fn night(&self, jobs: &BTreeMap<String, schema::Job>) -> Result<Night, ResolveError> {
        let name_of = |job: &schema::Job| job.server.clone().unwrap_or_default();
        let mut names: Vec<String> = jobs.values().map(name_of).collect();
        names.sort_unstable();
        names.dedup();
        let servers = names.iter().map(|name| self.server(name));
        let servers = servers.collect::<Result<Vec<_>, _>>()?;
        let indices: BTreeMap<&str, usize> =
            jobs.keys().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
        let jobs = jobs.iter().map(|(name, job)| {
            let server = names.binary_search(&name_of(job)).unwrap_or(0);
            self.job(name, job, server, &indices)
        });
        Ok(Night { servers, jobs: jobs.collect::<Result<_, _>>()? })
    }

    fn server(&self, name: &str) -> Result<NightServer, ResolveError> {
        let written = self.servers.get(name);
        if written.is_none() && !name.is_empty() {
            return Err(ResolveError::UnfitJob { reason: format!("there is no server `{name}`") });
        }
        let usual = super::processor(&self.scenario.processor);
        let own = written.and_then(|server| server.logical_processors);
        Ok(NightServer {
            name: name.to_string(),
            processor: plan::Processor { count: own.unwrap_or(usual.count), ..usual },
            at_once: written.and_then(|server| server.at_once),
        })
    }

    fn job(
        &self,
        name: &str,
        written: &schema::Job,
        server: usize,
        indices: &BTreeMap<&str, usize>,
    ) -> Result<NightJob, ResolveError> {
        let schema::Job {
            server: server_name,
            database,
            starts,
            after,
            fixed,
            size: _,
            device: _,
            volume: _,
            sql: _,
            backup: _,
            compression,
            verify,
        } = written;
        let scenario = self.scenario;
        let on = server_name.as_ref().and_then(|name| self.servers.get(name));
        let own = volumes(name, written, on)?;
        let all_data = scenario.compression.as_ref();
        let data = match compression {
            Some(own) => own.over(all_data),
            None => all_data.cloned(),
        };
        let options = written.options(&scenario.backup);
        let before = format!("job.{name}.");
        let all = Written { before: &before, volume: &own, data: data.as_ref(), options: &options };
        let devices = Devices(&scenario.device);
        let mut backup = devices.backup(&all, &scenario.engine)?;
        let links = on.map_or(&[][..], |server| &server.via);
        let links = links.iter().map(|link| devices.index(link, &format!("job `{name}`")));
        let links = links.collect::<Result<Vec<_>, _>>()?;
        for stripe in &mut backup.stripes {
            stripe.via = links.iter().chain(&stripe.via).copied().collect();
        }
        let after = after.iter().map(|other| {
            indices.get(other.as_str()).copied().ok_or_else(|| ResolveError::UnfitJob {
                reason: format!("`{name}` comes after `{other}`, which is no job"),
            })
        });
        let asked = schema::Verify {
            enabled: verify.or(scenario.verify.enabled),
            ..scenario.verify.clone()
        };
        Ok(NightJob {
            name: name.to_string(),
            database: database.clone().unwrap_or_else(|| name.to_string()),
            server,
            starts: starts.unwrap_or_default(),
            after: after.collect::<Result<_, _>>()?,
            fixed: *fixed,
            block_size: block_size(&options),
            verification: verification(&asked, &scenario.engine, self.machine, &backup)?,
            backup,
        })
    }
}

/// The volumes of a job: as written, or the one of its size.
fn volumes(
    name: &str,
    job: &schema::Job,
    server: Option<&schema::Server>,
) -> Result<BTreeMap<String, schema::Volume>, ResolveError> {
    let Some(size) = job.size else { return Ok(job.volume.clone()) };
    let device = job.device.as_ref().or(server.and_then(|server| server.device.as_ref()));
    let device = device.ok_or_else(|| ResolveError::UnfitJob {
        reason: format!("no device holds the database of job `{name}`"),
    })?;
    let volume = schema::Volume { device: device.clone(), size, position: Fraction::default() };
    Ok(BTreeMap::from([("data".to_string(), volume)]))
}
