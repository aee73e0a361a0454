//! JSON and `json+` of fio, 2.x to 3.x.
//!
//! - Rate: `bw_bytes` (since 3.2); before that `bw` in KiB/s, or `io_bytes` / `runtime` where that
//!   is cut too much. Builds around 2.19 wrote KiB into `io_bytes`: it is held against `bw`.
//! - Sections without any access are passed over. `bw_mean` is never used: it is that of one job.
//! - Jobs of one group are added up for each direction and order of accesses, as fio does itself.
//! - Latency: `lat_ns`, before 3.0 `lat` in microseconds.

mod document;
mod options;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::caveats::judge;
use crate::error::ImportError;
use crate::figure::{KIB, alike, counted, malformed, rate_text, shown, whole};
use crate::finding::{CautionCode, Direction, Import, Pattern, Rate};
use crate::format::Format;
use crate::recognise::{ImportOptions, Importer};
use crate::source::Source;
use options::Options;

pub(crate) const IMPORTER: Importer = Importer { format: Format::Fio, looks, read };

/// Figures that should be equal may differ by this share.
const TOLERANCE: f64 = 0.01;
/// From this rate in KiB/s on, whole numbers of KiB/s are as good as bytes.
const FINE_KIB: f64 = 10_000.0;

fn looks(head: &str) -> bool {
    head.contains("\"fio version\"")
        || (head.contains("\"jobname\"") && head.contains("\"jobs\""))
        || is_text(head)
}

/// Whether it is the output for people or the terse one.
fn is_text(head: &str) -> bool {
    head.lines().any(|line| {
        let group = line.contains(": (g=") && line.contains("rw=");
        let summary = line.contains(": (groupid=") && line.contains("jobs=");
        let terse = line.get(1..6) == Some(";fio-");
        group || summary || terse
    })
}

fn read(
    source: Source<'_>,
    _options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let text = crate::figure::document(source, import)?;
    let found = document::documents(&text);
    let Some(report) = found.last else {
        return Err(malformed(import, found.broken.unwrap_or_else(no_json)));
    };
    if let Some(reason) = found.broken.filter(|_| found.cut) {
        let text = format!("after the last complete report: {reason}; the complete one is used");
        import.caution(CautionCode::Damaged, text);
    }
    for _ in 0..found.earlier {
        import.ignore("earlier report of --status-interval");
    }
    import.version = report.get("fio version").and_then(Value::as_str).map(shown);
    let mut jobs = jobs_of(&report);
    let all = jobs.len();
    jobs.retain(|job| job.get("jobname").and_then(Value::as_str) != Some("All clients"));
    if jobs.len() < all {
        import.ignore("sum of all clients");
    }
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        take_job(import, &report, index, job, &mut groups);
    }
    let (entries, reports) = (jobs.len() as u64, found.earlier as u64 + 1);
    import.shape = format!("{}, {}", counted(entries, "job entry"), counted(reports, "report"));
    finish(import, groups);
    if import.rates.is_empty() && import.refused.is_none() {
        import.refused = Some("no job of this report has read or written anything".to_string());
    }
    Ok(())
}

fn no_json() -> String {
    "no JSON report is in it: run fio with `--output-format=json`, \
     and `--output=FILE` keeps messages out"
        .to_string()
}

fn jobs_of(report: &Value) -> Vec<&Value> {
    let lists = ["jobs", "client_stats"].iter().filter_map(|key| report.get(*key)?.as_array());
    lists.flatten().filter(|job| job.is_object()).collect()
}

/// What is added up: group, order (1 for random), direction.
type Key = (u64, u8, Direction);

/// Jobs that are added up.
struct Group {
    rate: Rate,
    entries: u32,
    shortest: f64,
    accesses: f64,
    latency_sum: f64,
}

fn number(section: &Value, key: &str) -> Option<f64> {
    section.get(key)?.as_f64().filter(|number| number.is_finite() && *number >= 0.0)
}

fn take_job(
    import: &mut Import,
    report: &Value,
    index: usize,
    job: &Value,
    groups: &mut BTreeMap<Key, Group>,
) {
    let options = Options::new(job, report);
    let name = job.get("jobname").and_then(Value::as_str).map_or_else(String::new, shown);
    let error = job.get("error").and_then(Value::as_i64).unwrap_or(0);
    if error != 0 && import.refused.is_none() {
        import.refused = Some(format!("fio reports error={error} in job `{name}`"));
    }
    if job.get("steadystate").and_then(|state| state.get("attained")?.as_i64()) == Some(0) {
        let text = format!("job `{name}` did not reach the steady state that it waited for");
        import.caution(CautionCode::TooShort, text);
    }
    let sections = [("read", Some(Direction::Read)), ("write", Some(Direction::Write))];
    for (key, direction) in sections.into_iter().chain([("trim", None), ("mixed", None)]) {
        let Some(section) = job.get(key) else { continue };
        let idle = match (number(section, "total_ios"), number(section, "io_bytes")) {
            (Some(accesses), _) => accesses <= 0.0,
            (None, bytes) => bytes.is_none_or(|bytes| bytes <= 0.0),
        };
        if idle {
            continue;
        }
        let Some(direction) = direction else {
            import.ignore(if key == "trim" {
                "trim: no data is moved"
            } else {
                "reads and writes in one figure: run without unified_rw_reporting"
            });
            continue;
        };
        let entry = Entry { index, key, section, name: &name, options };
        take_section(import, job, &entry, direction, groups);
    }
}

/// A section of a job.
struct Entry<'a> {
    index: usize,
    key: &'a str,
    section: &'a Value,
    name: &'a str,
    options: Options<'a>,
}

fn take_section(
    import: &mut Import,
    job: &Value,
    entry: &Entry<'_>,
    direction: Direction,
    groups: &mut BTreeMap<Key, Group>,
) {
    let Some(bytes_per_second) = rate_of(import, entry, direction) else {
        import.ignore("section without a rate");
        return;
    };
    let (options, section) = (&entry.options, entry.section);
    let seconds = number(section, "runtime").map(|milliseconds| milliseconds / 1000.0);
    let accesses = number(section, "total_ios").unwrap_or(0.0);
    let bytes = number(section, "io_bytes").unwrap_or(0.0);
    let (depth, ignored) = options.depth();
    if ignored {
        let text = format!("the engine of `{}` keeps one access under way", entry.name);
        import.caution(CautionCode::Inconsistent, format!("{text}; its iodepth has no effect"));
    }
    if let Some(limit) = options.limit() {
        let text = format!("`{}` was held down by {limit}: not what the device can do", entry.name);
        import.caution(CautionCode::Limited, text);
    }
    for key in ["short_ios", "drop_ios"] {
        if number(section, key).is_some_and(|count| count > 0.0) {
            let text = format!("`{}` has {key}: accesses that failed in part", entry.name);
            import.caution(CautionCode::Errors, text);
        }
    }
    explain_options(import, entry);
    let mean = (accesses > 0.0).then(|| whole(bytes / accesses)).flatten();
    let pattern = options.pattern();
    let rate = Rate {
        label: entry.name.to_string(),
        target: options.target(),
        direction,
        pattern,
        bytes_per_second,
        block_bytes: options.block(direction).or(mean.filter(|bytes| *bytes >= 512)),
        depth,
        jobs: options.jobs(),
        seconds,
        direct: options.direct(),
        file_bytes: options.file_bytes(),
        latency_seconds: latency(section),
        mixed: false,
    };
    let group = job.get("groupid").and_then(Value::as_u64).unwrap_or(0);
    let key = (group, u8::from(pattern == Pattern::Random), direction);
    match groups.get_mut(&key) {
        Some(group) => group.add(&rate, accesses),
        None => {
            groups.insert(key, Group::new(rate, accesses));
        }
    }
}

/// Notes the options that say what was measured.
fn explain_options(import: &mut Import, entry: &Entry<'_>) {
    for (names, meaning) in [
        (["rw", "readwrite"], "order and direction"),
        (["bs", "blocksize"], "bytes of an access"),
        (["iodepth", "iodepth"], "accesses under way at once"),
        (["direct", "buffered"], "whether the cache of the system was passed by"),
        (["size", "filesize"], "bytes of the file"),
    ] {
        if let Some((section, text)) = entry.options.find(&names) {
            let owner = if section == "job options" {
                format!("jobs[{}].", entry.index)
            } else {
                String::new()
            };
            import.field(format!("{owner}{section}.{}", names[0]), shown(&text), meaning);
        }
    }
}

/// Mean time of an access in seconds.
fn latency(section: &Value) -> Option<f64> {
    let means = [("lat_ns", 1e9), ("clat_ns", 1e9), ("lat", 1e6), ("clat", 1e6)];
    means.iter().find_map(|(key, unit)| {
        let mean = number(section.get(*key)?, "mean")?;
        (mean > 0.0).then_some(mean / unit)
    })
}

/// The rate of a section in bytes a second, with its checks.
fn rate_of(import: &mut Import, entry: &Entry<'_>, direction: Direction) -> Option<f64> {
    let (section, place) = (entry.section, format!("jobs[{}].{}", entry.index, entry.key));
    let seconds = number(section, "runtime").filter(|ms| *ms > 0.0).map(|ms| ms / 1000.0);
    let kib = number(section, "bw").filter(|kib| *kib > 0.0).map(|kib| kib * KIB);
    let exact = number(section, "bw_bytes").filter(|bytes| *bytes > 0.0);
    let mut bytes = number(section, "io_bytes").filter(|bytes| *bytes > 0.0);
    if let (Some(moved), Some(seconds), Some(rate)) = (bytes, seconds, exact.or(kib))
        && alike(moved * KIB / seconds, rate, 0.05)
    {
        let text = "io_bytes holds KiB, as builds around fio 2.19 wrote it";
        import.caution(CautionCode::Unit, text);
        bytes = Some(moved * KIB);
    }
    let measured = bytes.zip(seconds).map(|(bytes, seconds)| bytes / seconds);
    let kib_is_fine = kib.is_some_and(|rate| rate >= FINE_KIB * KIB);
    let (rate, key, meaning) = match (exact, measured, kib) {
        (Some(exact), ..) => (exact, "bw_bytes", "bytes a second"),
        (None, _, Some(kib)) if kib_is_fine => (kib, "bw", "KiB a second"),
        (None, Some(measured), kib) if kib.is_none_or(|kib| alike(measured, kib, 0.5)) => {
            (measured, "io_bytes / runtime", "bytes by milliseconds")
        }
        (None, _, Some(kib)) => (kib, "bw", "KiB a second"),
        (None, Some(measured), None) => (measured, "io_bytes / runtime", "bytes by milliseconds"),
        (None, None, None) => return None,
    };
    let found = match section.get(key) {
        Some(value) => value.to_string(),
        None => format!(
            "{} / {}",
            number(section, "io_bytes").unwrap_or(0.0),
            number(section, "runtime").unwrap_or(0.0)
        ),
    };
    import.field(format!("{place}.{key}"), found, &format!("{meaning}: {}", rate_text(rate)));
    let accesses = number(section, "iops").zip(entry.options.block(direction));
    let checks = [
        ("io_bytes / runtime", measured),
        ("bw in KiB/s", kib),
        ("iops x bs", accesses.map(|(iops, block)| iops * block as f64)),
    ];
    for (what, other) in checks {
        // Whole KiB/s are coarse for a slow device.
        let Some(other) = other else { continue };
        if !alike(rate, other, TOLERANCE) && (rate - other).abs() > KIB {
            let text = format!(
                "{place}: {key} gives {}, but {what} gives {}",
                rate_text(rate),
                rate_text(other)
            );
            import.caution(CautionCode::Inconsistent, text);
        }
    }
    Some(rate)
}

impl Group {
    fn new(rate: Rate, accesses: f64) -> Self {
        let shortest = rate.seconds.unwrap_or(0.0);
        let latency_sum = rate.latency_seconds.unwrap_or(0.0) * accesses;
        Self { rate, entries: 1, shortest, accesses, latency_sum }
    }

    fn add(&mut self, other: &Rate, accesses: f64) {
        let rate = &mut self.rate;
        rate.bytes_per_second += other.bytes_per_second;
        self.entries += 1;
        self.shortest = self.shortest.min(other.seconds.unwrap_or(0.0));
        rate.seconds = rate.seconds.zip(other.seconds).map(|(one, other)| one.max(other));
        self.accesses += accesses;
        self.latency_sum += other.latency_seconds.unwrap_or(0.0) * accesses;
        rate.latency_seconds = (self.latency_sum > 0.0).then(|| self.latency_sum / self.accesses);
        rate.direct = match (rate.direct, other.direct) {
            (Some(one), Some(other)) => Some(one && other),
            (one, other) => one.or(other).filter(|direct| !direct),
        };
        if rate.block_bytes != other.block_bytes {
            rate.block_bytes = None;
        }
        if rate.depth != other.depth {
            rate.depth = None;
        }
        if rate.pattern != other.pattern {
            rate.pattern = Pattern::Unknown;
        }
        if rate.target != other.target {
            rate.target = None;
        }
        if rate.label != other.label && self.entries <= 4 {
            let more = if self.entries == 4 { "..." } else { &other.label };
            rate.label = format!("{}, {more}", rate.label);
        }
    }
}

fn finish(import: &mut Import, mut groups: BTreeMap<Key, Group>) {
    let both: Vec<u64> = groups
        .keys()
        .filter(|(group, _, direction)| {
            let with = |kind| groups.contains_key(&(*group, kind, Direction::Write));
            *direction == Direction::Read && (with(0) || with(1))
        })
        .map(|(group, ..)| *group)
        .collect();
    for ((group, ..), sum) in &mut groups {
        let rate = &mut sum.rate;
        rate.mixed = both.contains(group);
        if sum.entries > 1 {
            rate.jobs = sum.entries;
            let longest = rate.seconds.unwrap_or(0.0);
            if !alike(sum.shortest, longest, 0.1) {
                let text = format!(
                    "jobs of one group ran {:.2} to {longest:.2} s: their sum is too high",
                    sum.shortest
                );
                import.caution(CautionCode::Inconsistent, text);
            }
        }
        if rate.pattern == Pattern::Unknown {
            let text = format!(
                "`{}` does not say whether it was sequential: is its `rw` option in the file?",
                rate.label
            );
            import.caution(CautionCode::Ambiguous, text);
        }
        judge(import, rate, "direct=1");
    }
    import.rates.extend(groups.into_values().map(|group| group.rate));
}

#[cfg(test)]
mod tests;
