//! Which settings there are to choose among.
//!
//! | knob | values |
//! |---|---|
//! | compression | off; on where the scenario has a `[compression]` |
//! | stripes | 1, 2, 4, ... files on each device of a set of devices |
//! | buffer count | what the engine takes, 16, 32, ... 512 |
//! | transfer size | what the engine takes, 512 KiB, 2 MiB, 4 MiB |
//!
//! and the scenario's own values. The block size stays as it is. Sets of devices: every one of up
//! to four devices, of more each device alone and the first 2, 3, ... of them; of sets whose
//! devices are alike one is taken.

use std::collections::BTreeSet;

use bakcast_models::quantity::Bytes;
use bakcast_scenarios::schema::{Backup, TransferSize};
use bakcast_scenarios::{Scenario, Set};

use crate::design::Configuration;

/// Buffers of one set; 0: what the engine takes.
const BUFFER_COUNTS: [u32; 7] = [0, 16, 32, 64, 128, 256, 512];
/// Transfer sizes in KiB; 0: what the engine takes.
const TRANSFER_KIB: [u64; 4] = [0, 512, 2048, 4096];
/// Devices of which every set is tried.
const EVERY_SET: usize = 4;

/// The settings that are chosen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// COMPRESSION.
    pub compression: bool,
    /// The device of each file.
    pub stripes: Vec<String>,
    /// BUFFERCOUNT; absent: the engine's rule.
    pub buffer_count: Option<u32>,
    /// MAXTRANSFERSIZE in bytes; absent: the engine's default.
    pub transfer_bytes: Option<u64>,
}

impl Settings {
    /// Those of a scenario.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let Backup { compression, stripes, buffer_count, transfer_size, .. } = &scenario.backup;
        Settings {
            compression: *compression,
            stripes: stripes.clone(),
            buffer_count: *buffer_count,
            transfer_bytes: transfer_size.map(|size| size.bytes().get()),
        }
    }

    /// Options of the statement that are written.
    #[must_use]
    pub fn options(&self) -> usize {
        usize::from(self.compression)
            + usize::from(self.buffer_count.is_some())
            + usize::from(self.transfer_bytes.is_some())
    }

    /// The assignments that make these settings out of `present`.
    #[must_use]
    pub fn sets(&self, present: &Settings) -> Vec<Set> {
        let mut sets = Vec::new();
        if self.compression != present.compression {
            sets.push(Set::new("backup.compression", self.compression.to_string()));
        }
        if self.stripes != present.stripes {
            let names = self.stripes.iter().map(|name| toml::Value::String(name.clone()));
            let list = toml::Value::Array(names.collect());
            sets.push(Set::new("backup.stripes", list.to_string()));
        }
        let default = || "default".to_string();
        if self.buffer_count != present.buffer_count {
            let value = self.buffer_count.map_or_else(default, |count| count.to_string());
            sets.push(Set::new("backup.buffer_count", value));
        }
        if self.transfer_bytes != present.transfer_bytes {
            let value = self.transfer_bytes.map_or_else(default, |bytes| format!("{bytes} B"));
            sets.push(Set::new("backup.transfer_size", value));
        }
        sets
    }

    /// The configuration of a runner whose scenario has the settings `present`.
    #[must_use]
    pub fn configuration(&self, present: &Settings) -> Configuration {
        Configuration { sets: self.sets(present), ..Configuration::default() }
    }
}

/// The settings there are to choose among.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lattice {
    /// Compression off, on.
    pub compression: Vec<bool>,
    /// The device of each file.
    pub stripes: Vec<Vec<String>>,
    /// Buffers of one set.
    pub buffer_counts: Vec<Option<u32>>,
    /// Bytes of one transfer.
    pub transfer_bytes: Vec<Option<u64>>,
}

impl Lattice {
    /// Around a scenario, on these devices, with so many files at most.
    #[must_use]
    pub fn around(scenario: &Scenario, devices: &[String], most_files: usize) -> Self {
        let present = Settings::of(scenario);
        let mut compression = vec![false];
        if scenario.compression.is_some() {
            compression.push(true);
        }
        let mut stripes = stripes(scenario, devices, most_files);
        let allowed = present.stripes.iter().all(|device| devices.contains(device));
        if allowed && present.stripes.len() <= most_files && !stripes.contains(&present.stripes) {
            stripes.push(present.stripes.clone());
        }
        let count = |count: u32| (count > 0).then_some(count);
        let mut buffer_counts: Vec<Option<u32>> = BUFFER_COUNTS.map(count).to_vec();
        let is_size = |kib: u64| TransferSize::new(Bytes::new(kib << 10)).is_some();
        let size = |kib: u64| (kib > 0 && is_size(kib)).then_some(kib << 10);
        let mut transfer_bytes: Vec<Option<u64>> = TRANSFER_KIB.map(size).to_vec();
        if !buffer_counts.contains(&present.buffer_count) {
            buffer_counts.push(present.buffer_count);
        }
        if !transfer_bytes.contains(&present.transfer_bytes) {
            transfer_bytes.push(present.transfer_bytes);
        }
        buffer_counts.sort_unstable();
        transfer_bytes.sort_unstable();
        Lattice { compression, stripes, buffer_counts, transfer_bytes }
    }

    /// How many settings there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.compression.len()
            * self.stripes.len()
            * self.buffer_counts.len()
            * self.transfer_bytes.len()
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> Vec<Settings> {
        let mut all = Vec::with_capacity(self.count());
        for compression in &self.compression {
            for stripes in &self.stripes {
                for buffer_count in &self.buffer_counts {
                    for transfer_bytes in &self.transfer_bytes {
                        all.push(Settings {
                            compression: *compression,
                            stripes: stripes.clone(),
                            buffer_count: *buffer_count,
                            transfer_bytes: *transfer_bytes,
                        });
                    }
                }
            }
        }
        all
    }
}

/// The devices that a backup of the scenario may go to if nobody says which: those it goes to, and
/// those that hold no volume, are no link or cap of another, and are not NUL.
#[must_use]
pub fn usual_devices(scenario: &Scenario) -> Vec<String> {
    let mut devices: Vec<String> = Vec::new();
    for device in &scenario.backup.stripes {
        if !devices.contains(device) {
            devices.push(device.clone());
        }
    }
    let is_way = |name: &String| scenario.device.values().any(|other| other.via.contains(name));
    let others = scenario.device.iter().filter(|(name, device)| {
        device.null.is_none() && device.link.is_none() && !is_way(name) && !is_read(scenario, name)
    });
    let others: Vec<String> = others.map(|(name, _)| name.clone()).collect();
    for device in others {
        if !devices.contains(&device) {
            devices.push(device);
        }
    }
    devices
}

/// Whether data of this or another job lie on a device.
pub(crate) fn is_read(scenario: &Scenario, device: &str) -> bool {
    let beside = scenario.beside.values().flat_map(|job| job.volume.values());
    let jobs = scenario.job.values().flat_map(|job| job.volume.values());
    let mut volumes = scenario.volume.values().chain(beside).chain(jobs);
    let mut own = scenario.job.values().filter_map(|job| job.device.as_deref());
    let mut servers = scenario.server.values().filter_map(|server| server.device.as_deref());
    volumes.any(|volume| volume.device == device)
        || own.any(|name| name == device)
        || servers.any(|name| name == device)
}

fn stripes(scenario: &Scenario, devices: &[String], most_files: usize) -> Vec<Vec<String>> {
    let sets: Vec<Vec<&String>> = if devices.len() <= EVERY_SET {
        (1..1_usize << devices.len())
            .map(|mask| {
                let taken = |(at, device)| (mask >> at & 1 == 1).then_some(device);
                devices.iter().enumerate().filter_map(taken).collect()
            })
            .collect()
    } else {
        let alone = devices.iter().map(|device| vec![device]);
        let first = (2..=devices.len()).map(|count| devices.iter().take(count).collect());
        alone.chain(first).collect()
    };
    let mut known = BTreeSet::new();
    let mut stripes = Vec::new();
    for set in sets {
        let mut kinds: Vec<String> = set.iter().map(|device| kind(scenario, device)).collect();
        kinds.sort_unstable();
        if !known.insert(kinds) {
            continue;
        }
        let mut each = 1;
        while each * set.len() <= most_files {
            let files = set.iter().flat_map(|name| std::iter::repeat_n((*name).clone(), each));
            stripes.push(files.collect());
            each *= 2;
        }
    }
    stripes
}

/// The same of devices that are alike: what they are, and what else happens on them.
fn kind(scenario: &Scenario, device: &str) -> String {
    let beside = scenario.beside.values().flat_map(|job| &job.backup.stripes);
    let written = beside.filter(|other| *other == device).count();
    format!("{:?} {} {written}", scenario.device.get(device), is_read(scenario, device))
}
