//! What wins months, the cheapest first: settings, then the next device of the library.

use bakcast_models::device::Device;
use bakcast_models::quantity::ByteRate;
use bakcast_scenarios::predict::{Asked, PredictOptions};
use bakcast_scenarios::{LibraryEntry, LibraryKind, Scenario, Set, library};

use super::look::{Looked, Sized};
use super::{Ahead, PlanError, Stop};
use crate::recommend::{Settings, Subject, Wanted, memory_of, processor_share, recommend};
use crate::runner::{GoOn, Ran};

/// Memory that nobody misses.
const LITTLE_MEMORY: u64 = 64 << 20;
/// A share of the processors that nobody misses.
const LITTLE_PROCESSOR: f64 = 0.05;
/// A device is the next one if it is so much faster.
const FASTER: f64 = 1.1;
/// Most processors of a scenario.
const MOST_PROCESSORS: u32 = 1024;

/// What a change costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CostClass {
    /// Nothing but an option of the statement.
    Free,
    /// Memory.
    Memory,
    /// Processors while it runs.
    Processor,
    /// Something to buy.
    Hardware,
}

impl CostClass {
    /// As it is shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CostClass::Free => "free",
            CostClass::Memory => "memory",
            CostClass::Processor => "processor",
            CostClass::Hardware => "hardware",
        }
    }
}

/// A change, and the months it wins.
#[derive(Debug, Clone)]
pub struct PlanChange {
    /// What it costs.
    pub class: CostClass,
    /// The assignments that make it.
    pub sets: Vec<Set>,
    /// What it is, where it is hardware.
    pub what: Option<String>,
    /// The settings then, where it is settings.
    pub settings: Option<Settings>,
    /// When it stops fitting then.
    pub stop: Stop,
    /// Months won; those to the end of the plan where it does not stop.
    pub months_won: u32,
    /// Memory of the buffers of all jobs.
    pub memory_bytes: u64,
    /// Share of the processors that is busy.
    pub processor_share: f64,
}

/// A change that is tried: settings, or what is bought.
struct Idea {
    bought: Option<String>,
    settings: Option<Settings>,
    sets: Vec<Set>,
}

/// Changes that win a month or more of all kinds of backup, of which one is the first to stop
/// fitting.
pub(super) fn seek(
    subject: &Subject<'_>,
    (all, first): (&[Sized<'_, '_>], usize),
    ahead: &Ahead,
    stops: u32,
    go_on: GoOn<'_>,
) -> Result<Vec<PlanChange>, PlanError> {
    let grown = all[first].sets(ahead.growth.factor(stops));
    let sets: Vec<Set> = subject.sets.iter().cloned().chain(grown).collect();
    let then = Subject { sets: &sets, ..*subject };
    let found = recommend(&then, &Wanted::shortest(ahead.operation), go_on)?;
    let present = &found.present.settings;
    let before = &found.present.ran;
    let settings = found.ladder.iter().map(|rung| Idea {
        bought: None,
        sets: rung.settings.sets(present),
        settings: Some(rung.settings.clone()),
    });
    let bought = hardware(&before.loaded.scenario, before);
    let bought =
        bought.into_iter().map(|(what, sets)| Idea { bought: Some(what), settings: None, sets });
    let few = PredictOptions { precision: None, ..subject.options };
    let now = subject.runner(few, Asked::Durations);
    let mut changes = Vec::new();
    for idea in settings.chain(bought) {
        let changed: Vec<_> = all.iter().map(|sized| sized.with(&idea.sets)).collect();
        let outcomes = now.run(&[changed[0].configuration(1.0)], go_on)?;
        let Some(ran) = outcomes.into_iter().next().and_then(Result::ok) else { continue };
        let stop = match Looked::at(&changed, ahead, go_on) {
            Ok(looked) => looked.stop(),
            Err(PlanError::Refused(_) | PlanError::NoOperation(_)) => continue,
            Err(error) => return Err(error),
        };
        let months_won = stop.month.unwrap_or(ahead.months + 1).saturating_sub(stops);
        if months_won > 0 {
            changes.push(change(idea, (stop, months_won), before, &ran));
        }
    }
    changes.sort_by(|a, b| a.class.cmp(&b.class).then(b.months_won.cmp(&a.months_won)));
    Ok(changes)
}

fn change(idea: Idea, (stop, months_won): (Stop, u32), before: &Ran, ran: &Ran) -> PlanChange {
    let is_bought = idea.bought.is_some();
    PlanChange {
        class: if is_bought { CostClass::Hardware } else { class_of(before, ran) },
        sets: idea.sets,
        what: idea.bought,
        settings: idea.settings,
        stop,
        months_won,
        memory_bytes: memory_of(ran),
        processor_share: processor_share(&ran.loaded, &ran.prediction),
    }
}

fn class_of(before: &Ran, after: &Ran) -> CostClass {
    let share = |ran: &Ran| processor_share(&ran.loaded, &ran.prediction);
    if share(after) > share(before) + LITTLE_PROCESSOR {
        CostClass::Processor
    } else if memory_of(after) > memory_of(before).max(LITTLE_MEMORY) {
        CostClass::Memory
    } else {
        CostClass::Free
    }
}

/// The next devices of the library, and twice the processors.
fn hardware(scenario: &Scenario, ran: &Ran) -> Vec<(String, Vec<Set>)> {
    let mut all = Vec::new();
    let mut targets: Vec<&str> = scenario.backup.stripes.iter().map(String::as_str).collect();
    let mut sources: Vec<&str> = scenario.volume.values().map(|v| v.device.as_str()).collect();
    for names in [&mut targets, &mut sources] {
        names.sort_unstable();
        names.dedup();
    }
    let ways = |names: &[&str]| {
        let of = |name: &&str| scenario.device.get(*name).map(|device| device.via.clone());
        let mut ways: Vec<String> = names.iter().filter_map(of).flatten().collect();
        ways.sort_unstable();
        ways.dedup();
        ways
    };
    let (to, from) = (ways(&targets), ways(&sources));
    let as_names = |ways: &[String]| -> Vec<String> { ways.to_vec() };
    let groups = [
        ("target", targets.iter().map(|n| (*n).to_string()).collect(), true),
        ("source", sources.iter().map(|n| (*n).to_string()).collect(), false),
        ("way to the target", as_names(&to), true),
        ("way to the source", as_names(&from), false),
    ];
    let mut known: Vec<Vec<String>> = Vec::new();
    for (role, names, writes) in groups {
        if names.is_empty() || known.contains(&names) {
            continue;
        }
        if let Some(change) = next_device(scenario, ran, (role, &names), writes) {
            all.push(change);
        }
        known.push(names);
    }
    let processors = scenario.processor.logical_processors;
    if scenario.backup.compression && processors < MOST_PROCESSORS {
        let twice = (processors * 2).min(MOST_PROCESSORS);
        let set = Set::new("processor.logical_processors", twice.to_string());
        all.push((format!("{twice} logical processors instead of {processors}"), vec![set]));
    }
    all
}

/// The slowest device of the library of the same kind that is faster than all of these.
fn next_device(
    scenario: &Scenario,
    ran: &Ran,
    (role, names): (&str, &[String]),
    writes: bool,
) -> Option<(String, Vec<Set>)> {
    let machine = &ran.loaded.resolved.machine.devices;
    let law = |name: &String| machine.iter().find(|d| d.name == *name).map(|d| &d.law);
    let laws: Option<Vec<&Device>> = names.iter().map(law).collect();
    let laws = laws?;
    let first = laws.first()?.law();
    if laws.iter().any(|law| law.law() != first) {
        return None;
    }
    let fastest = laws.iter().filter_map(|law| rate_of(law, writes)).fold(0.0, f64::max);
    let entries = library()
        .iter()
        .filter(|entry| entry.kind == LibraryKind::Device && entry.law == Some(first));
    let rated = entries.filter_map(|entry| Some((written_rate(entry, writes)?, entry)));
    let faster = rated.filter(|(rate, _)| *rate > fastest * FASTER);
    let (_, next) = faster.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut sets = Vec::new();
    for name in names {
        let via = scenario.device.get(name).map(|device| device.via.clone()).unwrap_or_default();
        let via = via.into_iter().map(toml::Value::String).collect();
        let mut table = toml::Table::new();
        table.insert("like".to_string(), toml::Value::String(next.name.clone()));
        table.insert("via".to_string(), toml::Value::Array(via));
        sets.push(Set::new(format!("device.{name}"), toml::Value::Table(table).to_string()));
    }
    Some((format!("{role} {}: {}", names.join(", "), next.title), sets))
}

fn rate_of(law: &Device, writes: bool) -> Option<f64> {
    let either = |read: ByteRate, write: ByteRate| if writes { write } else { read };
    let rate = match law {
        Device::Spindle(disk) => either(disk.read_rate, disk.write_rate),
        Device::SolidState(drive) => either(drive.read_rate, drive.write_rate),
        Device::Link(link) => link.rate,
        Device::FixedRate(device) => device.rate,
        Device::Capped(volume) => volume.rate,
        Device::Null(_) => return None,
    };
    Some(rate.get())
}

/// The rate that an entry writes.
fn written_rate(entry: &LibraryEntry, writes: bool) -> Option<f64> {
    let law = entry.law?;
    let keys = match (law, writes) {
        ("spindle" | "solid_state", true) => format!("{law}.write_rate"),
        ("spindle" | "solid_state", false) => format!("{law}.read_rate"),
        _ => format!("{law}.rate"),
    };
    let value = entry.values.iter().find(|value| value.key == keys)?;
    value.value.trim_matches('"').parse::<ByteRate>().ok().map(ByteRate::get)
}
