//! `devices`: the library of devices and compression algorithms.

use bakcast_report::Document;
use bakcast_report::document::{DeviceEntry, DevicesResult};
use bakcast_report::text::{WIDTH, wrapped};
use bakcast_scenarios::predict::PredictOptions;
use bakcast_scenarios::{LibraryEntry, library, nearest_word, shown_word};

use super::run_without_scenario;
use crate::args::Devices;
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};

pub(super) fn run(
    arguments: &Devices,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let devices = match &arguments.show {
        Some(name) => vec![shown(name)?],
        None => library().iter().map(DeviceEntry::from).collect(),
    };
    let run = run_without_scenario("devices", options);
    outputs.reply(&Document::new(run, Vec::new(), DevicesResult { devices }))
}

/// One entry with its tables.
fn shown(name: &str) -> Result<DeviceEntry, Failure> {
    let entry = library().iter().find(|entry| entry.name == name).ok_or_else(|| unknown(name))?;
    Ok(DeviceEntry { toml: Some(entry.to_toml()), ..DeviceEntry::from(entry) })
}

fn unknown(name: &str) -> Failure {
    let names = || library().iter().map(|entry: &LibraryEntry| entry.name.as_str());
    let meant = nearest_word(name, names());
    let meant = meant.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let name = shown_word(name);
    let known = names().collect::<Vec<_>>().join(", ");
    let known = wrapped(&format!("it has: {known}"), WIDTH).join("\n");
    Failure::new(Exit::Input, format!("the library has no `{name}`{meant}\n{known}"))
}
