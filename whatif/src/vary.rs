//! What is varied: `--vary PATH=V1,V2,...`.
//!
//! | written | meaning |
//! |---|---|
//! | `backup.buffer_count=8,16,64` | three values of a knob |
//! | `buffer_count=8..256*2` | 8, 16, 32, ... 256; `+8` for a step instead of a factor |
//! | `transfer_size=64KiB..4MiB*2` | sizes with their unit; a unit that is said once is enough |
//! | `buffer_count=0,64` | 0 of a buffer count or a size is what the engine would take |
//! | `stripes=d1\|d1,d2` | where `\|` or `;` stands, commas belong to a value |
//! | `stripes=d1,d1+d2` | the same without quotes for a shell |
//! | `device.d1.like=sata-ssd,nvme-enterprise` | other devices in the place of `d1` |
//! | `algorithm=MS_XPRESS,ZSTD-LOW` | other algorithms, with the rates of the library |
//! | `backup={buffer_count=64, compression=true};{}` | several knobs of `[backup]` at once |
//! | `variant=2,5,8` | variants of the scenario |
//! | `default` as a value | the knob not written |
//!
//! Every value is checked by its knob before anything is run.

mod range;
mod split;

use bakcast_scenarios::{LibraryKind, Set, find_knob, library_entry, short_knob, shown_word};
use thiserror::Error;

/// Most values of one knob.
pub const MOST_VALUES: usize = 1_000;

/// Knobs of which 0 means what the engine would take.
const ZERO_IS_DEFAULT: [&str; 3] =
    ["backup.buffer_count", "backup.transfer_size", "backup.block_size"];

/// What a value does to a scenario.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing: a cell of a list that is empty.
    Nothing,
    /// Another variant of the file.
    Variant(String),
    /// Assignments, in their order.
    Sets(Vec<Set>),
}

/// One value of what is varied.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// As it is shown, and told apart from the others.
    pub label: String,
    /// What it does.
    pub change: Change,
}

/// A knob, or something else that is varied, with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vary {
    /// The path of the knob; `variant`, or what else stands for assignments.
    pub path: String,
    /// Its values, in the order in which they were given.
    pub settings: Vec<Setting>,
}

/// Why a specification cannot be meant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("--vary `{spec}`: {message}{}{}", takes(.accepted), meant(.suggestion.as_deref()))]
pub struct VaryError {
    /// The specification as found, shortened.
    pub spec: String,
    /// What is wrong.
    pub message: String,
    /// What is accepted; empty if the message says it.
    pub accepted: String,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

fn takes(accepted: &str) -> String {
    if accepted.is_empty() { String::new() } else { format!("; accepted: {accepted}") }
}

fn meant(suggestion: Option<&str>) -> String {
    suggestion.map(|text| format!("; did you mean {text}?")).unwrap_or_default()
}

/// What is wrong, before it is known with which specification.
pub(crate) struct Fault {
    message: String,
    accepted: String,
    suggestion: Option<String>,
}

impl Fault {
    fn new(message: impl Into<String>, accepted: impl Into<String>) -> Self {
        Fault { message: message.into(), accepted: accepted.into(), suggestion: None }
    }

    /// The error of a specification, or of another place that settings stand in.
    pub(crate) fn of(self, spec: &str) -> VaryError {
        let Fault { message, accepted, suggestion } = self;
        VaryError { spec: shown_word(spec), message, accepted, suggestion }
    }
}

impl Vary {
    /// Reads `PATH=V1,V2,...`.
    ///
    /// # Errors
    /// [`VaryError`] with what was found, what is accepted, and what was probably meant.
    pub fn parse(spec: &str) -> Result<Self, VaryError> {
        read(spec).map_err(|fault| fault.of(spec))
    }

    /// An assignment as one value of what is varied: short names are known, and what is like
    /// another is another.
    ///
    /// # Errors
    /// [`VaryError`] if there is no such knob, or it does not take the value.
    pub fn assignments(set: &Set) -> Result<Vec<Set>, VaryError> {
        let one = known_path(set.path.trim()).and_then(|path| setting(&path, &set.value));
        match one.map_err(|fault| fault.of(&set.to_string()))?.change {
            Change::Sets(sets) => Ok(sets),
            Change::Nothing | Change::Variant(_) => Ok(vec![set.clone()]),
        }
    }

    /// What is varied by settings made elsewhere, such as statements in a file.
    ///
    /// # Errors
    /// [`VaryError`] if there is none, too many, or one twice.
    pub fn new(path: impl Into<String>, settings: Vec<Setting>) -> Result<Self, VaryError> {
        let path = path.into();
        checked(path.clone(), settings).map_err(|fault| fault.of(&path))
    }
}

fn read(spec: &str) -> Result<Vary, Fault> {
    const FORM: &str = "PATH=V1,V2,..., e.g. `backup.buffer_count=8,16,64`";
    let Some((path, text)) = spec.split_once('=').filter(|(path, _)| !path.trim().is_empty())
    else {
        return Err(Fault::new("it names no values", FORM));
    };
    let path = known_path(path.trim())?;
    let Some(parts) = split::alternatives(text) else {
        return Err(Fault::new(
            "a bracket or a quote is left open",
            "balanced brackets and quotes",
        ));
    };
    let mut settings = Vec::new();
    for part in parts {
        if part.is_empty() {
            let accepted = format!("{FORM}; `default` for a knob that is not written");
            return Err(Fault::new("a value is empty", accepted));
        }
        for value in spelled_out(&path, part)? {
            settings.push(setting(&path, &value)?);
            if settings.len() > MOST_VALUES {
                return Err(too_many());
            }
        }
    }
    checked(path, settings)
}

fn too_many() -> Fault {
    Fault::new(format!("it has more than {MOST_VALUES} values"), "fewer, or a larger step")
}

fn checked(path: String, settings: Vec<Setting>) -> Result<Vary, Fault> {
    if settings.is_empty() {
        return Err(Fault::new("it names no values", "one at least"));
    }
    if settings.len() > MOST_VALUES {
        return Err(too_many());
    }
    let mut labels: Vec<&str> = settings.iter().map(|setting| setting.label.as_str()).collect();
    labels.sort_unstable();
    if let Some(twice) = labels.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("the value `{}` stands twice", shown_word(twice[0]));
        return Err(Fault::new(message, "each value once"));
    }
    Ok(Vary { path, settings })
}

/// The path that a name stands for, if there is a knob or a table.
pub(crate) fn known_path(name: &str) -> Result<String, Fault> {
    let lower = name.to_lowercase();
    if lower == "variant" {
        return Ok(lower);
    }
    if let Some(path) = short_knob(name) {
        return Ok(path.to_string());
    }
    // Whether the path leads anywhere does not depend on the value; `default` fits every knob.
    checked_set(&Set::new(name, "default"))?;
    Ok(name.to_string())
}

fn checked_set(set: &Set) -> Result<(), Fault> {
    set.check().map_err(|problem| {
        let problem = *problem;
        let (message, accepted) = (problem.message, problem.accepted);
        Fault { message, accepted, suggestion: problem.suggestion }
    })
}

/// The values that a range stands for, or the one value.
fn spelled_out(path: &str, part: &str) -> Result<Vec<String>, Fault> {
    let knob = find_knob(path).filter(|knob| knob.is_number());
    match knob.and_then(|knob| range::values(knob, part)) {
        Some(Ok(values)) => Ok(values),
        Some(Err(message)) => {
            let message = format!("range `{}`: {message}", shown_word(part));
            let accepted = String::new();
            Err(Fault { message, accepted, suggestion: None })
        }
        None => Ok(vec![part.to_string()]),
    }
}

/// One value of a knob, checked.
pub(crate) fn setting(path: &str, value: &str) -> Result<Setting, Fault> {
    if value.chars().any(char::is_control) {
        return Err(Fault::new("a value holds a control character", "values on one line"));
    }
    let label = value.to_string();
    if path == "variant" {
        let change = Change::Variant(label.clone());
        return Ok(Setting { label, change });
    }
    let sets = if path == "backup" && value.starts_with('{') {
        inside_braces(path, value)?
    } else if path == "compression.like" {
        algorithm(value)
    } else {
        vec![assignment(path, value)]
    };
    // A device is replaced as a table, which does not check what it is to be like.
    if path.starts_with("device.") && path.ends_with(".like") {
        checked_set(&Set::new(path, value))?;
    }
    sets.iter().try_for_each(checked_set)?;
    Ok(Setting { label, change: Change::Sets(sets) })
}

/// Another algorithm: the rates that the library has of it stand in the place of those written. The
/// ratio stays, for it belongs to the data.
fn algorithm(value: &str) -> Vec<Set> {
    let name = value.trim_matches(['"', '\'']);
    let entry = library_entry(LibraryKind::Algorithm, name);
    let keys = entry.iter().flat_map(|entry| &entry.values).map(|value| value.key.as_str());
    let rates = keys.map(|key| Set::new(format!("compression.{key}"), "default"));
    rates.chain([Set::new("compression.like", name)]).collect()
}

/// The assignment that a value stands for.
fn assignment(path: &str, value: &str) -> Set {
    let knob = find_knob(path);
    let is_whole = !value.is_empty() && value.chars().all(|c| c.is_ascii_digit());
    if ZERO_IS_DEFAULT.contains(&path) && value == "0" {
        return Set::new(path, "default");
    }
    if is_whole && knob.is_some_and(|knob| knob.units().contains(&"B")) {
        return Set::new(path, format!("{value} B"));
    }
    // A device that is like another is another device: what is written of it does not stay.
    if let ["device", name, "like"] = path.split('.').collect::<Vec<_>>()[..]
        && value != "default"
    {
        let like = value.trim_matches(['"', '\'']);
        return Set::new(format!("device.{name}"), format!("{{like = {}}}", quoted(like)));
    }
    if knob.is_some_and(bakcast_scenarios::Knob::is_list) && !value.starts_with('[') {
        return Set::new(path, value.replace('+', ","));
    }
    Set::new(path, value)
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_string()).to_string()
}

/// `{buffer_count=64, compression=true}` as assignments; what is not named stays as it is.
fn inside_braces(path: &str, value: &str) -> Result<Vec<Set>, Fault> {
    let table: toml::Table = toml::from_str(&format!("it = {value}")).map_err(|error| {
        let message = format!("not TOML: {}", error.message());
        Fault::new(message, "`{buffer_count=64, compression=true}`")
    })?;
    let mut sets = Vec::new();
    if let Some(toml::Value::Table(inner)) = table.get("it") {
        for (key, value) in inner {
            let key = key.as_str();
            let path = short_knob(key).map_or_else(|| format!("{path}.{key}"), str::to_string);
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            sets.push(assignment(&path, &text));
        }
    }
    Ok(sets)
}

#[cfg(test)]
mod tests;
