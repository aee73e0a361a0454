//! A scenario to start with, out of a history: sizes, files, options and the compression ratio as
//! they were, rates that are guesses until `calibrate` has fitted them.
//!
//! What a history does not tell is assumed, and each assumption is a comment of the scenario:
//! a source gives at least the fastest rate at which it was read, a target takes at least the
//! fastest rate at which it was written. Half as much again is written down for both, since a
//! device is seldom the bottleneck of its own record; `calibrate` gives such a rate a factor of 2
//! either way.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bakcast_models::quantity::Bytes;

use crate::finding::{Backup, CautionCode, Direction, Import, Rate};
use crate::place::{Place, place_of};

/// Share of the fastest observed rate that a device is supposed to have.
const HEADROOM: f64 = 1.5;
/// A rate where nothing at all was observed, in bytes a second: a disk.
const UNKNOWN_RATE: f64 = 150e6;
/// Processors where nobody says how many: an example.
const PROCESSORS: u32 = 8;
/// Compression ratio where no backup was compressed; near published ones.
const RATIO: f64 = 3.0;

/// Bytes of a GiB.
const GIB: f64 = 1_073_741_824.0;

/// The device that holds the data.
const SOURCE: &str = "source";

/// What a user knows that no history has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StarterOptions {
    /// Size of the database where no file tells it.
    pub size_bytes: Option<u64>,
    /// Logical processors of the server.
    pub processors: Option<u32>,
    /// Whether backups were compressed where no file tells.
    pub compression: Option<bool>,
    /// The device that the benchmark files describe, where their paths do not say.
    pub device: Option<String>,
}

/// A scenario to start with.
#[derive(Debug, Clone, PartialEq)]
pub struct Starter {
    /// The scenario file.
    pub toml: String,
    /// What was assumed, in sentences.
    pub assumptions: Vec<String>,
}

/// Why there is no scenario.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StarterError {
    /// No backup can be used.
    #[error("no full backup in these files can be used, so there is nothing to make a scenario of")]
    NoBackup,
    /// Several databases, and none was chosen.
    #[error("these files have backups of {count} databases ({names}): choose one with --database")]
    SeveralDatabases {
        /// How many.
        count: usize,
        /// The first of them.
        names: String,
    },
    /// No file has a size.
    #[error(
        "no file tells how large the database is: add its history (`bakcast import --queries`) or \
         say --size 500GiB"
    )]
    NoSize,
    /// A device that no backup went to.
    #[error("no backup went to a device `{name}`; there are: {known}")]
    UnknownDevice {
        /// As given.
        name: String,
        /// What there is.
        known: String,
    },
}

/// A device and what is known of it.
#[derive(Debug, Default)]
struct Device {
    place: Option<Place>,
    /// Fastest rate at which a backup wrote to it, all its files together.
    written: f64,
    /// Measured by a benchmark: reading, writing.
    measured: [Option<(f64, String)>; 2],
}

/// A scenario out of joined backups, rates of their targets out of benchmark files.
///
/// # Errors
/// [`StarterError`]: what is missing, and how to give it.
pub fn starter(
    backups: &[Backup],
    benchmarks: &[Import],
    options: &StarterOptions,
) -> Result<Starter, StarterError> {
    let usable: Vec<&Backup> = backups
        .iter()
        .filter(|backup| backup.unusable.is_none() && backup.length.is_some())
        .collect();
    // The last one of which it is known where it went.
    let told = usable.iter().rev().find(|backup| !backup.paths.is_empty());
    let last = told.or(usable.last()).ok_or(StarterError::NoBackup)?;
    one_database(&usable)?;
    let size = usable.iter().rev().find_map(|backup| backup.read_bytes).or(options.size_bytes);
    let size = size.ok_or(StarterError::NoSize)?;
    let mut writer = Writer {
        size,
        options,
        assumptions: Vec::new(),
        devices: BTreeMap::new(),
        source: Device::default(),
    };
    for backup in &usable {
        writer.observe(backup);
    }
    writer.measure(benchmarks)?;
    writer.assume(
        "a transfer costs nothing beside its bytes: what MAXTRANSFERSIZE does cannot be told"
            .into(),
    );
    if usable.iter().any(|b| b.paths.iter().any(|path| place_of(path).root.is_none())) {
        writer.assume("paths that are no drive, share, host or folder lead to one device".into());
    }
    let toml = writer.scenario(last, &usable);
    Ok(Starter { toml, assumptions: writer.assumptions })
}

fn one_database(usable: &[&Backup]) -> Result<(), StarterError> {
    let mut names: Vec<&str> = usable.iter().map(|backup| &*backup.database).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() <= 1 {
        return Ok(());
    }
    let count = names.len();
    let shown: Vec<String> =
        names.iter().take(5).map(|name| bakcast_scenarios::shown_word(name)).collect();
    Err(StarterError::SeveralDatabases { count, names: shown.join(", ") })
}

struct Writer<'a> {
    size: u64,
    options: &'a StarterOptions,
    assumptions: Vec<String>,
    devices: BTreeMap<String, Device>,
    source: Device,
}

impl Writer<'_> {
    /// The devices of a backup's files, and how fast they took them.
    fn observe(&mut self, backup: &Backup) {
        let places = places(backup);
        let Some(length) = backup.length.filter(|length| length.seconds > 0.0) else { return };
        let read = backup.read_bytes.unwrap_or(self.size);
        let written = backup.written_bytes.unwrap_or(read) as f64 / length.seconds;
        let each = written / places.len().max(1) as f64;
        let mut rates: BTreeMap<&str, f64> = BTreeMap::new();
        for place in &places {
            *rates.entry(&place.name).or_default() += each;
        }
        for place in &places {
            let device = self.devices.entry(place.name.clone()).or_default();
            device.written = device.written.max(rates[place.name.as_str()]);
            device.place = Some(place.clone());
        }
    }

    /// Puts each benchmark to the device that it describes.
    fn measure(&mut self, benchmarks: &[Import]) -> Result<(), StarterError> {
        if let Some(name) = &self.options.device
            && !self.devices.contains_key(name)
            && name != SOURCE
        {
            let known = self.devices.keys().map(String::as_str).chain([SOURCE]);
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(StarterError::UnknownDevice { name: name.clone(), known });
        }
        for import in benchmarks.iter().filter(|import| import.refused.is_none()) {
            for rate in import.rates.iter().filter(|rate| rate.is_usable() && !rate.mixed) {
                self.measure_one(import, rate);
            }
        }
        Ok(())
    }

    fn measure_one(&mut self, import: &Import, rate: &Rate) {
        let file = bakcast_scenarios::shown_word(&import.file);
        let place = rate.target.as_deref().map(place_of).filter(|place| place.root.is_some());
        let by_path = place.as_ref().filter(|place| self.devices.contains_key(&place.name));
        let only = || self.devices.keys().next().filter(|_| self.devices.len() == 1).cloned();
        let chosen = match (&self.options.device, by_path, &place) {
            (Some(name), ..) => name.clone(),
            (None, Some(place), _) => place.name.clone(),
            (None, None, Some(place)) => {
                let root = place.root.as_deref().unwrap_or_default();
                self.assume(format!(
                    "`{file}` is not used: it measured {root}, to which no backup went; --device \
                     source says that the data lie there"
                ));
                return;
            }
            (None, None, None) => {
                let Some(name) = only() else {
                    self.assume(format!(
                        "`{file}` is not used: it does not say what it measured; --device NAME does"
                    ));
                    return;
                };
                self.assume(format!("`{file}` does not say what it measured: `{name}`"));
                name
            }
        };
        let device =
            if chosen == SOURCE { Some(&mut self.source) } else { self.devices.get_mut(&chosen) };
        let Some(device) = device else { return };
        let slot = &mut device.measured[usize::from(rate.direction == Direction::Write)];
        if slot.as_ref().is_none_or(|(known, _)| rate.bytes_per_second > *known) {
            *slot = Some((rate.bytes_per_second, measured_by(import)));
        }
    }

    /// Notes an assumption, once.
    fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    fn scenario(&mut self, last: &Backup, usable: &[&Backup]) -> String {
        let mut out = String::new();
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        line("# Made by `bakcast import` from a history. Rates are guesses until `bakcast".into());
        line("# calibrate` has fitted them to the runs; what was assumed stands beside.".into());
        line(String::new());
        line(format!("title = {}", quoted(&title(last))));
        line(format!("source = {}", quoted(&self.source(usable))));
        line(String::new());
        line("[database]".into());
        line(format!("name = {}", quoted(&last.database)));
        line(String::new());
        line("[volume.data]".into());
        line("device = \"source\" # assumed: all data on one volume".into());
        let gib = self.size as f64 / GIB;
        line(format!("size = \"{} B\" # {gib:.1} GiB, of the last backup", self.size));
        self.assumptions.push("all data lie on one volume of one device".into());
        out.push_str(&self.device_tables(usable));
        out.push_str(&self.processor_and_compression(usable));
        out.push_str(&self.backup_tables(last));
        out
    }

    fn source(&self, usable: &[&Backup]) -> String {
        let date = |backup: &Backup| backup.started.map(|started| started.date().to_string());
        let first = usable.first().and_then(|backup| date(backup));
        let last = usable.last().and_then(|backup| date(backup));
        match (first, last) {
            (Some(first), Some(last)) => {
                format!("{} from {first} to {last}", full(usable.len()))
            }
            _ => full(usable.len()),
        }
    }

    fn device_tables(&mut self, usable: &[&Backup]) -> String {
        let mut out = String::new();
        let read = |backup: &&Backup| {
            let length = backup.length.filter(|length| length.seconds > 0.0)?;
            Some(backup.read_bytes.unwrap_or(self.size) as f64 / length.seconds)
        };
        let fastest = usable.iter().filter_map(read).fold(0.0_f64, f64::max);
        let guess = |rate: f64| if rate > 0.0 { HEADROOM * rate } else { UNKNOWN_RATE };
        let rate_line = |key: &str, rate: f64, why: &str| {
            format!("{key} = \"{:.0} MB/s\" # {why}\n", (rate / 1e6).max(1.0))
        };
        match &self.source.measured[0] {
            Some((rate, by)) => {
                out.push_str("\n[device.source.solid_state]\n");
                out.push_str(&rate_line("read_rate", *rate, by));
                let why = "assumed: as it reads";
                out.push_str(&rate_line("write_rate", *rate, why));
            }
            None => {
                out.push_str("\n[device.source.fixed_rate]\n");
                let why = "assumed: half as much again as the fastest backup read";
                out.push_str(&rate_line("rate", guess(fastest), why));
                let text = "the source can give half as much again as was ever read";
                self.assumptions.push(text.into());
            }
        }
        for (name, device) in &self.devices {
            let [read, write] = &device.measured;
            if matches!(device.place, Some(Place { null: true, .. })) {
                let _ = write!(out, "\n[device.{name}.null]\n");
                continue;
            }
            if read.is_none() && write.is_none() {
                let _ = write!(out, "\n[device.{name}.fixed_rate]\n");
                let why = "assumed: half as much again as the fastest backup wrote";
                out.push_str(&rate_line("rate", guess(device.written), why));
                continue;
            }
            let _ = write!(out, "\n[device.{name}.solid_state]\n");
            for (key, other, measured) in [("read_rate", write, read), ("write_rate", read, write)]
            {
                match (measured, other) {
                    (Some((rate, by)), _) => out.push_str(&rate_line(key, *rate, by)),
                    (None, Some((rate, _))) => {
                        out.push_str(&rate_line(key, *rate, "assumed: as the other way"));
                    }
                    (None, None) => {}
                }
            }
        }
        out
    }

    fn processor_and_compression(&mut self, usable: &[&Backup]) -> String {
        let mut out = "\n[processor]\n".to_string();
        match self.options.processors {
            Some(count) => {
                let _ = writeln!(out, "logical_processors = {count}");
            }
            None => {
                let _ = writeln!(out, "logical_processors = {PROCESSORS} # assumed: say yours");
                self.assumptions.push(format!(
                    "the server has {PROCESSORS} logical processors: --processors N says how many"
                ));
            }
        }
        let ratio = usable.iter().rev().find_map(|backup| {
            let (read, written) = backup.read_bytes.zip(backup.written_bytes)?;
            (backup.compression == Some(true) && written > 0 && read > 0)
                .then(|| read as f64 / written as f64)
        });
        out.push_str("\n[compression]\nlike = \"MS_XPRESS\"\n");
        match ratio {
            Some(ratio) => {
                let _ = writeln!(
                    out,
                    "ratio = {:.3} # of the last compressed backup",
                    ratio.clamp(0.5, 1000.0)
                );
            }
            None => {
                let _ = writeln!(out, "ratio = {RATIO:.1} # assumed: no file tells both sizes");
                self.assumptions.push(format!("data shrink to one part in {RATIO}"));
            }
        }
        out
    }

    fn backup_tables(&mut self, last: &Backup) -> String {
        let mut out = "\n[backup]\n".to_string();
        let stripes: Vec<String> =
            places(last).iter().map(|place| format!("\"{}\"", place.name)).collect();
        let _ = writeln!(out, "stripes = [{}]", stripes.join(", "));
        match last.compression.or(self.options.compression) {
            Some(compression) => {
                let _ = writeln!(out, "compression = {compression}");
            }
            None => {
                out.push_str("compression = false # assumed: no file says\n");
                self.assumptions.push(
                    "backups were not compressed, since no file says so: --compression on if they \
                     were"
                        .to_string(),
                );
            }
        }
        if !last.options_known && last.buffer_count.is_none() {
            out.push_str(
                "# assumed: BUFFERCOUNT and MAXTRANSFERSIZE of the engine; no file says\n",
            );
            self.assume("BUFFERCOUNT and MAXTRANSFERSIZE are the engine's: no file says".into());
        }
        if let Some(count) = last.buffer_count {
            let _ = writeln!(out, "buffer_count = {count}");
        }
        for (key, value) in
            [("transfer_size", last.transfer_bytes), ("block_size", last.block_bytes)]
        {
            if let Some(bytes) = value {
                let _ = writeln!(out, "{key} = \"{}\"", Bytes::new(bytes));
            }
        }
        let roots = self.devices.iter().filter_map(|(name, device)| {
            let root = device.place.as_ref()?.root.as_ref()?;
            Some(format!("{} = \"{name}\"\n", quoted(root)))
        });
        let roots: String = roots.collect();
        if !roots.is_empty() {
            let _ = write!(out, "\n[paths]\n{roots}");
        }
        out
    }
}

fn title(last: &Backup) -> String {
    match &last.server {
        Some(server) => format!("{} on {server}, from its history", last.database),
        None => format!("{}, from its history", last.database),
    }
}

/// `6 full backups`.
fn full(count: usize) -> String {
    crate::finding::counted(count as u64, "full backups")
}

/// `measured: fio.json`, and whether to believe it.
fn measured_by(import: &Import) -> String {
    let doubt = import.cautions.iter().find_map(|caution| match caution.code {
        CautionCode::Cached => Some(", perhaps by a cache"),
        CautionCode::TooShort => Some(", for a short time only"),
        CautionCode::Limited => Some(", held down by an option"),
        _ => None,
    });
    let file = bakcast_scenarios::shown_word(&import.file);
    format!("measured{}: {file}", doubt.unwrap_or_default())
}

/// Where the files of a backup went, one entry a file.
fn places(backup: &Backup) -> Vec<Place> {
    let count = backup.stripes.map_or(backup.paths.len().max(1), |stripes| stripes as usize);
    let mut places: Vec<Place> = backup.paths.iter().map(|path| place_of(path)).collect();
    let filler = places.last().cloned().unwrap_or_else(Place::unknown);
    places.resize(count.clamp(1, 64), filler);
    places
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    // A string of JSON is one of TOML as well, but for control characters that TOML writes alike.
    serde_json::to_string(text).unwrap_or_default()
}
