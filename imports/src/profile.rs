//! A device for a scenario, out of the rates that benchmarks measured.
//!
//! - *Rates*: of each direction the largest among the best kind of runs. Sequential ones only;
//!   alone is better than mixed, past the caches better than through them, 5 s better than less.
//! - *Latency* of a solid state drive, by Little's law with one request under way: a request takes
//!   block / rate(Q1), of which block / rate(full) is the data itself, so
//!   latency = block / rate(Q1) - block / rate(full). Without a run at one request it is left out.
//! - *Law*: that of `like`. Without it a rotating disk is taken where no sequential rate is above
//!   300 MB/s and requests at once gain less than a tenth, or random requests stay below 1000 a
//!   second; else a solid state drive.
//!
//! What a benchmark cannot tell (stalls, a fast cache, zones) is left to `like` and the defaults.

use std::fmt::Write as _;

use bakcast_scenarios::{LibraryKind, library_entry};

use crate::figure::{rate_text, shown, size_text};
use crate::finding::{Direction, Import, Pattern, Rate};

/// Above this in bytes a second nothing rotates.
const FASTEST_SPINDLE: f64 = 300e6;
/// Random accesses a second that no spindle reaches.
const SPINDLE_IOPS: f64 = 1000.0;
/// More latency than this is not that of a drive.
const LONGEST_LATENCY_S: f64 = 1.0;
/// Slowest rate that a scenario takes.
const SLOWEST: f64 = 1.0;
/// Longest name.
const LONGEST_NAME: usize = 64;

/// A device for a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceProfile {
    /// The table `[device.NAME]`, to be put into a scenario.
    pub toml: String,
    /// Its values, with where each comes from.
    pub values: Vec<ProfileValue>,
    /// What to beware of.
    pub cautions: Vec<String>,
}

/// One value of a profile.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileValue {
    /// The knob: `device.data.solid_state.read_rate`.
    pub path: String,
    /// The value in [`Self::unit`].
    pub value: f64,
    /// `B/s` or `s`.
    pub unit: &'static str,
    /// File and test that it comes from, or the reason for an assumption.
    pub source: String,
}

/// Why there is no profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The name cannot be that of a device.
    #[error("`{0}` cannot be the name of a device: use letters, digits, `-` and `_`")]
    BadName(String),
    /// The library has no such device.
    #[error("the library has no device `{0}`: `bakcast devices` lists them")]
    UnknownLike(String),
    /// The library's device has a law that a benchmark of a drive says nothing about.
    #[error("`{0}` is not a drive ({1}): give a solid state drive or a rotating disk")]
    NoDrive(String, &'static str),
    /// No rate can be used.
    #[error("no sequential rate of a drive in {files}{}", refusals(.refused))]
    NoRate {
        /// The files.
        files: String,
        /// What was refused, and why.
        refused: Vec<String>,
    },
}

fn refusals(refused: &[String]) -> String {
    if refused.is_empty() { String::new() } else { format!(" (refused: {})", refused.join("; ")) }
}

/// A rate with the file that it comes from.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    import: &'a Import,
    rate: &'a Rate,
}

impl Candidate<'_> {
    /// How far it can be relied on: the larger the better.
    fn merit(&self) -> (bool, bool, bool, bool) {
        let rate = self.rate;
        (
            rate.pattern == Pattern::Sequential,
            !rate.mixed,
            rate.direct != Some(false),
            rate.seconds.is_none_or(|seconds| seconds >= 5.0),
        )
    }

    /// Requests under way at once.
    fn at_once(&self) -> u64 {
        u64::from(self.rate.depth.unwrap_or(1)) * u64::from(self.rate.jobs.max(1))
    }

    fn source(&self) -> String {
        let rate = self.rate;
        let mut text = shown(&self.import.file);
        if let Some(version) = &self.import.version {
            let _ = write!(text, ", {}", shown(version));
        }
        let _ = write!(text, ", {}", shown(&rate.label));
        if let Some(block) = rate.block_bytes {
            let _ = write!(text, ", {}", size_text(block));
        }
        if let Some(depth) = rate.depth {
            let _ = write!(text, ", depth {depth} x {}", rate.jobs);
        }
        text
    }
}

/// The device `name`, like the device `like` of the library, out of what benchmarks measured.
///
/// # Errors
/// [`ProfileError`].
pub fn device_profile(
    name: &str,
    imports: &[Import],
    like: Option<&str>,
) -> Result<DeviceProfile, ProfileError> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(good) {
        return Err(ProfileError::BadName(shown(name)));
    }
    let all: Vec<Candidate<'_>> = imports
        .iter()
        .filter(|import| import.refused.is_none())
        .flat_map(|import| import.rates.iter().map(move |rate| Candidate { import, rate }))
        .filter(|candidate| candidate.rate.bytes_per_second >= SLOWEST)
        .collect();
    let sequential: Vec<Candidate<'_>> =
        all.iter().copied().filter(|one| one.rate.pattern != Pattern::Random).collect();
    let best = [Direction::Read, Direction::Write].map(|way| best_of(&sequential, way));
    if best.iter().all(Option::is_none) {
        return Err(no_rate(imports));
    }
    let law = match like {
        Some(like) => law_of(like)?,
        None if rotates(&all, &sequential) => "spindle",
        None => "solid_state",
    };
    let mut profile = Builder { name, law, values: Vec::new(), cautions: Vec::new() };
    if like.is_none() {
        let kind = if law == "spindle" { "a rotating disk" } else { "a solid state drive" };
        profile.cautions.push(format!("the rates look like {kind}; say so with `like` if not"));
    }
    profile.take_rates(&best, like.is_some());
    if law == "solid_state" {
        profile.take_latency(&sequential, best[0]);
    }
    profile.take_cautions(&best, &sequential);
    Ok(profile.finish(like, imports))
}

fn no_rate(imports: &[Import]) -> ProfileError {
    let files: Vec<String> =
        imports.iter().map(|import| format!("`{}`", shown(&import.file))).collect();
    let refused = imports.iter().filter_map(|import| import.refused.as_deref().map(shown));
    let files = if files.is_empty() { "no file".to_string() } else { files.join(", ") };
    ProfileError::NoRate { files, refused: refused.collect() }
}

fn law_of(like: &str) -> Result<&'static str, ProfileError> {
    let entry = library_entry(LibraryKind::Device, like)
        .ok_or_else(|| ProfileError::UnknownLike(shown(like)))?;
    match entry.law {
        Some(law @ ("spindle" | "solid_state")) => Ok(law),
        other => Err(ProfileError::NoDrive(shown(like), other.unwrap_or("no law"))),
    }
}

fn best_of<'a>(all: &[Candidate<'a>], direction: Direction) -> Option<Candidate<'a>> {
    let of_direction = all.iter().copied().filter(|one| one.rate.direction == direction);
    of_direction.max_by(|one, other| {
        let rates = one.rate.bytes_per_second.total_cmp(&other.rate.bytes_per_second);
        one.merit().cmp(&other.merit()).then(rates)
    })
}

/// The run with one request under way that belongs to `best`.
fn lone<'a>(all: &[Candidate<'a>], best: Candidate<'a>) -> Option<Candidate<'a>> {
    let same = |one: &Candidate<'_>| {
        one.rate.depth.is_some()
            && one.at_once() == 1
            && one.rate.direction == best.rate.direction
            && one.merit() >= best.merit()
            && (one.rate.target == best.rate.target
                || one.rate.target.is_none()
                || best.rate.target.is_none())
    };
    let block = |one: &Candidate<'_>| one.rate.block_bytes.unwrap_or(0);
    all.iter().copied().filter(same).max_by_key(block)
}

fn rotates(all: &[Candidate<'_>], sequential: &[Candidate<'_>]) -> bool {
    if sequential.iter().any(|one| one.rate.bytes_per_second > FASTEST_SPINDLE) {
        return false;
    }
    let random = all.iter().filter(|one| one.rate.pattern == Pattern::Random);
    let iops = random.filter_map(|one| {
        one.rate.block_bytes.map(|block| one.rate.bytes_per_second / block.max(1) as f64)
    });
    if let Some(most) = iops.reduce(f64::max) {
        return most < SPINDLE_IOPS;
    }
    let fastest = |direction, alone: bool| {
        let chosen = sequential.iter().filter(|one| one.rate.direction == direction);
        let chosen = chosen.filter(|one| one.rate.depth.is_some() && (one.at_once() == 1) == alone);
        chosen.map(|one| one.rate.bytes_per_second).reduce(f64::max)
    };
    let gains = [Direction::Read, Direction::Write]
        .map(|way| Some(fastest(way, false)? / fastest(way, true)?));
    // Reading says more: writes go to a cache first.
    let gain = gains[0].or(gains[1]);
    gain.is_some_and(|gain| gain < 1.1)
}

struct Builder<'a> {
    name: &'a str,
    law: &'static str,
    values: Vec<ProfileValue>,
    cautions: Vec<String>,
}

impl Builder<'_> {
    fn push(&mut self, key: &str, value: f64, unit: &'static str, source: String) {
        let path = format!("device.{}.{}.{key}", self.name, self.law);
        self.values.push(ProfileValue { path, value, unit, source });
    }

    fn take_rates(&mut self, best: &[Option<Candidate<'_>>; 2], has_like: bool) {
        let words = [("read_rate", "read"), ("write_rate", "written")];
        for (index, (key, word)) in words.into_iter().enumerate() {
            if let Some(one) = best[index] {
                self.push(key, one.rate.bytes_per_second, "B/s", one.source());
            } else if let Some(other) = best[1 - index].filter(|_| !has_like) {
                let text = format!("no run has {word}: the other direction's rate is assumed");
                self.push(key, other.rate.bytes_per_second, "B/s", text.clone());
                self.cautions.push(text);
            }
        }
    }

    fn take_latency(&mut self, sequential: &[Candidate<'_>], best: Option<Candidate<'_>>) {
        let Some(full) = best.filter(|best| best.at_once() > 1) else { return };
        let Some(lone) = lone(sequential, full) else { return };
        let Some(block) = lone.rate.block_bytes else { return };
        let seconds = |one: &Candidate<'_>| block as f64 / one.rate.bytes_per_second;
        let latency = seconds(&lone) - seconds(&full);
        // Less than a microsecond is below what the rates can tell.
        if (1e-6..LONGEST_LATENCY_S).contains(&latency) {
            let source = format!(
                "{}: {} at one request, {} at {}",
                shown(&lone.import.file),
                rate_text(lone.rate.bytes_per_second),
                rate_text(full.rate.bytes_per_second),
                full.at_once()
            );
            self.push("latency", latency, "s", source);
        }
    }

    fn take_cautions(&mut self, best: &[Option<Candidate<'_>>; 2], all: &[Candidate<'_>]) {
        for one in best.iter().flatten() {
            let (sequential, alone, direct, long) = one.merit();
            let doubts = [
                (!sequential, "does not say whether it is sequential"),
                (!alone, "was measured while the other direction ran"),
                (!direct, "went through the cache of the system"),
                (!long, "ran for less than 5 s"),
            ];
            for (_, doubt) in doubts.iter().filter(|(doubtful, _)| *doubtful) {
                self.cautions.push(format!("{}: it {doubt}", one.source()));
            }
        }
        let mut targets: Vec<&str> =
            all.iter().filter_map(|one| one.rate.target.as_deref()).collect();
        targets.sort_unstable();
        targets.dedup();
        if targets.len() > 1 {
            let names: Vec<String> = targets.iter().take(4).map(|name| shown(name)).collect();
            let names = names.join(", ");
            self.cautions.push(format!("several targets ({names}): the fastest is used"));
        }
        let mut seen: Vec<&Import> = Vec::new();
        for one in best.iter().flatten() {
            if !seen.iter().any(|other| std::ptr::eq(*other, one.import)) {
                seen.push(one.import);
                let of_file = one.import.cautions.iter();
                let file = shown(&one.import.file);
                let texts = of_file.map(|caution| format!("{file}: {}", caution.text));
                self.cautions.extend(texts.take(8));
            }
        }
    }

    fn finish(self, like: Option<&str>, imports: &[Import]) -> DeviceProfile {
        let Self { name, law, values, cautions } = self;
        let mut toml = String::new();
        let files: Vec<String> = imports.iter().map(|import| shown(&import.file)).collect();
        let comment = |text: &str, toml: &mut String| {
            let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _ = writeln!(toml, "# {line}");
        };
        comment(&format!("Measured: {}", files.join(", ")), &mut toml);
        for caution in &cautions {
            comment(&format!("Beware: {caution}"), &mut toml);
        }
        let rest = match like {
            Some(like) => format!("as those of `{like}` in the library"),
            None => "the defaults".to_string(),
        };
        comment(&format!("Not measured: all other values; they are {rest}"), &mut toml);
        if let Some(like) = like {
            let _ = writeln!(toml, "[device.{name}]\nlike = \"{like}\"\n");
        }
        let _ = writeln!(toml, "[device.{name}.{law}]");
        for value in &values {
            let key = value.path.rsplit('.').next().unwrap_or_default();
            let written = if value.unit == "s" {
                format!("{:.1} us", value.value * 1e6)
            } else {
                comment(&format!("{}: {}", value.source, rate_text(value.value)), &mut toml);
                format!("{:.0} B/s", value.value)
            };
            if value.unit == "s" {
                comment(&value.source, &mut toml);
            }
            let _ = writeln!(toml, "{key} = \"{written}\"");
        }
        DeviceProfile { toml, values, cautions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ImportOptions, import_from};
    use bakcast_scenarios::schema::Device;

    const TEXT: &str = "CrystalDiskMark 8.0.4 x64\n[Read]\n\
        SEQ    1MiB (Q=  8, T= 1):  3000.000 MB/s\nSEQ    1MiB (Q=  1, T= 1):  2000.000 MB/s\n\
        [Write]\nSEQ    1MiB (Q=  8, T= 1):  1000.000 MB/s\nTest: 16 GiB (x5) [D: 1%]\n";

    fn imports(text: &str) -> Vec<Import> {
        let import = import_from("x.txt", text.as_bytes(), &ImportOptions::default());
        vec![import.expect("an import")]
    }

    /// A scenario with the device.
    fn loaded(profile: &DeviceProfile) -> Device {
        let text = format!(
            "title = \"t\"\nsource = \"s\"\n[volume.data]\ndevice = \"mine\"\n\
             size = \"10 GiB\"\n\
             [device.target.null]\n[processor]\nlogical_processors = 8\n\
             [compression]\nratio = 3.0\n\
             [backup]\nstripes = [\"target\"]\n\n{}",
            profile.toml
        );
        let document = bakcast_scenarios::Document::from_bytes("x", text.into_bytes());
        let loaded = document.expect("a document").load(None, &[]);
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}\n{}", profile.toml));
        loaded.scenario.device["mine"].clone()
    }

    #[test]
    fn a_solid_state_drive_has_its_latency_from_two_depths() {
        let profile = device_profile("mine", &imports(TEXT), None).expect("a profile");
        let drive = loaded(&profile).solid_state.expect("a solid state drive");
        assert_eq!((drive.read_rate.get(), drive.write_rate.get()), (3e9, 1e9));
        // 1 MiB / 2 GB/s - 1 MiB / 3 GB/s.
        assert!((drive.latency.as_seconds() - 1_048_576.0 / 6e9).abs() < 1e-6);
    }

    #[test]
    fn slow_and_even_rates_are_those_of_a_spindle() {
        // One request at a time may even be faster.
        for alone in ["175.000", "185.000"] {
            let text = TEXT.replace("3000.000", "180.000").replace("2000.000", alone);
            let text = text.replace("1000.000", "170.000");
            let profile = device_profile("mine", &imports(&text), None).expect("a profile");
            assert!(loaded(&profile).spindle.is_some(), "{alone}");
        }
    }

    #[test]
    fn the_library_fills_what_is_not_measured() {
        let text = TEXT.split("[Write]").next().expect("reads");
        let profile = device_profile("mine", &imports(text), Some("sata-ssd")).expect("a profile");
        let drive = loaded(&profile).solid_state.expect("a solid state drive");
        assert_eq!(Some(drive.write_rate.get()), Some(520e6));
        let alone = device_profile("mine", &imports(text), None).expect("a profile");
        let drive = loaded(&alone).solid_state.expect("a solid state drive");
        assert_eq!(Some(drive.write_rate.get()), Some(3e9));
        assert!(alone.cautions.iter().any(|text| text.contains("assumed")));
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let all = imports(TEXT);
        let bad = device_profile("a b\n", &all, None).expect_err("a bad name");
        assert!(matches!(bad, ProfileError::BadName(_)));
        let bad = device_profile("a", &all, Some("floppy")).expect_err("no such device");
        assert_eq!(bad, ProfileError::UnknownLike("floppy".to_string()));
        let mut refused = all;
        refused[0].refused = Some("error=42".to_string());
        let bad = device_profile("a", &refused, None).expect_err("refused").to_string();
        assert_eq!(bad, "no sequential rate of a drive in `x.txt` (refused: error=42)");
    }
}
