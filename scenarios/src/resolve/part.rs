//! A table of a scenario as a value: what is read anew for a member of an ensemble.

use serde::Deserialize;
use serde_json::Value as Json;

use crate::schema::{
    Backup, Beside, Compression, Device, Engine, Processor, Restore, Scenario, Verify, Volume,
};

/// One table of a scenario, or all of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Device(Box<Device>),
    Volume(Volume),
    Beside(Box<Beside>),
    Processor(Processor),
    Compression(Option<Compression>),
    Backup(Backup),
    Verify(Verify),
    Restore(Restore),
    Engine(Engine),
    Whole(Box<Scenario>),
}

impl Part {
    /// How many keys of a path name the table that is read anew: small tables are read fast.
    /// A table that is not named here is part of the whole.
    pub(super) fn depth(keys: &[String]) -> usize {
        match keys.first().map(String::as_str) {
            Some("device" | "volume" | "beside") => 2,
            Some("processor" | "compression" | "backup" | "verify" | "restore" | "engine") => 1,
            _ => 0,
        }
    }

    /// The table at these keys; nothing if there is no such name.
    pub(super) fn of(scenario: &Scenario, keys: &[String]) -> Option<Part> {
        let part = match (keys.first().map(String::as_str), keys.get(1)) {
            (Some("device"), Some(name)) => {
                Part::Device(Box::new(scenario.device.get(name)?.clone()))
            }
            (Some("volume"), Some(name)) => Part::Volume(scenario.volume.get(name)?.clone()),
            (Some("beside"), Some(name)) => {
                Part::Beside(Box::new(scenario.beside.get(name)?.clone()))
            }
            (Some("processor"), None) => Part::Processor(scenario.processor.clone()),
            (Some("compression"), None) => Part::Compression(scenario.compression.clone()),
            (Some("backup"), None) => Part::Backup(scenario.backup.clone()),
            (Some("verify"), None) => Part::Verify(scenario.verify.clone()),
            (Some("restore"), None) => Part::Restore(scenario.restore.clone()),
            (Some("engine"), None) => Part::Engine(scenario.engine.clone()),
            _ => Part::Whole(Box::new(scenario.clone())),
        };
        Some(part)
    }

    /// Whether the scenario has the same at these keys.
    pub(super) fn is_in(&self, scenario: &Scenario, keys: &[String]) -> bool {
        let name = keys.get(1).map_or("", String::as_str);
        match self {
            Part::Device(device) => scenario.device.get(name) == Some(&**device),
            Part::Volume(volume) => scenario.volume.get(name) == Some(volume),
            Part::Beside(beside) => scenario.beside.get(name) == Some(&**beside),
            Part::Processor(processor) => scenario.processor == *processor,
            Part::Compression(compression) => scenario.compression == *compression,
            Part::Backup(backup) => scenario.backup == *backup,
            Part::Verify(verify) => scenario.verify == *verify,
            Part::Restore(restore) => scenario.restore == *restore,
            Part::Engine(engine) => scenario.engine == *engine,
            Part::Whole(whole) => scenario == &**whole,
        }
    }

    /// It as it is written.
    pub(super) fn json(&self) -> Result<Json, String> {
        let json = match self {
            Part::Device(device) => serde_json::to_value(device),
            Part::Volume(volume) => serde_json::to_value(volume),
            Part::Beside(beside) => serde_json::to_value(beside),
            Part::Processor(processor) => serde_json::to_value(processor),
            Part::Compression(compression) => serde_json::to_value(compression),
            Part::Backup(backup) => serde_json::to_value(backup),
            Part::Verify(verify) => serde_json::to_value(verify),
            Part::Restore(restore) => serde_json::to_value(restore),
            Part::Engine(engine) => serde_json::to_value(engine),
            Part::Whole(whole) => serde_json::to_value(whole),
        };
        json.map_err(|error| error.to_string())
    }

    /// A table of the same sort.
    pub(super) fn read(&self, json: Json) -> Result<Part, String> {
        let part = match self {
            Part::Device(_) => Device::deserialize(json).map(|device| Part::Device(device.into())),
            Part::Volume(_) => Volume::deserialize(json).map(Part::Volume),
            Part::Beside(_) => Beside::deserialize(json).map(|beside| Part::Beside(beside.into())),
            Part::Processor(_) => Processor::deserialize(json).map(Part::Processor),
            Part::Compression(_) => {
                Compression::deserialize(json).map(|table| Part::Compression(Some(table)))
            }
            Part::Backup(_) => Backup::deserialize(json).map(Part::Backup),
            Part::Verify(_) => Verify::deserialize(json).map(Part::Verify),
            Part::Restore(_) => Restore::deserialize(json).map(Part::Restore),
            Part::Engine(_) => Engine::deserialize(json).map(Part::Engine),
            Part::Whole(_) => Scenario::deserialize(json).map(|whole| Part::Whole(whole.into())),
        };
        part.map_err(|error| error.to_string())
    }

    /// Puts it at these keys.
    pub(super) fn put(self, scenario: &mut Scenario, keys: &[String]) {
        fn replace<T>(place: Option<&mut T>, value: T) {
            if let Some(place) = place {
                *place = value;
            }
        }
        let name = keys.get(1).map_or("", String::as_str);
        match self {
            Part::Device(device) => replace(scenario.device.get_mut(name), *device),
            Part::Volume(volume) => replace(scenario.volume.get_mut(name), volume),
            Part::Beside(beside) => replace(scenario.beside.get_mut(name), *beside),
            Part::Processor(processor) => scenario.processor = processor,
            Part::Compression(compression) => scenario.compression = compression,
            Part::Backup(backup) => scenario.backup = backup,
            Part::Verify(verify) => scenario.verify = verify,
            Part::Restore(restore) => scenario.restore = restore,
            Part::Engine(engine) => scenario.engine = engine,
            Part::Whole(whole) => *scenario = *whole,
        }
    }
}
