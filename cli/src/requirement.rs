//! `--require 'backup<=2h'`, `'memory<=1GiB'`, `'cpu<=60%'`, `'files<=4'`: a limit that a
//! prediction must keep.
//!
//! A length of time is held against the upper end of the range: a night that is slower than usual
//! has to fit as well. `--level` moves that end. Memory is that of the buffers of all jobs, cpu
//! the share of all processors that is busy, mean over the backup or the verification, whichever
//! has more.

use std::fmt;
use std::str::FromStr;

use bakcast_models::quantity::{Bytes, Period};
use bakcast_report::document::{
    DurationResult, PredictResult, RequirementResult, RestoreResult, VerifyResult,
};
use bakcast_report::number::{bytes, duration, percent};
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::Prediction;
use bakcast_whatif::estate::NightPrediction;
use bakcast_whatif::{Measure, processor_share};

/// A limit on one duration, on memory, processors or files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Requirement {
    text: String,
    limit: Limit,
    /// `<` and not `<=`.
    strictly: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    Seconds(Operation, f64),
    Memory(u64),
    Share(f64),
    Files(u64),
}

/// What limits are held against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figures {
    /// Upper ends of ranges.
    backup: Option<f64>,
    verify: Option<f64>,
    restore: Option<f64>,
    total: f64,
    /// The end of a night of many jobs.
    night: Option<f64>,
    memory_bytes: u64,
    /// Of a night that of the busiest server.
    processor_share: Option<f64>,
    files: Option<u64>,
}

impl From<&PredictResult> for Figures {
    fn from(result: &PredictResult) -> Self {
        let high = |duration: DurationResult| duration.high_seconds;
        let own = result.buffer_memory_bytes;
        Figures {
            backup: Some(result.backup.high_seconds),
            verify: result.verify.as_ref().map(VerifyResult::duration).map(high),
            restore: result.restore.as_ref().map(RestoreResult::duration).map(high),
            total: result.total.high_seconds,
            night: None,
            memory_bytes: result.all_jobs_buffer_memory_bytes.unwrap_or(own),
            processor_share: Some(result.processor_share),
            files: Some(result.stripe_bytes.len() as u64),
        }
    }
}

impl Figures {
    /// Those of a night of many jobs, which is its total as well: no one of the others is meant.
    pub(crate) fn of_night(prediction: &NightPrediction) -> Self {
        let high_seconds = prediction.seconds.high;
        let busiest = prediction.busiest_processors.as_ref();
        Figures {
            backup: None,
            verify: None,
            restore: None,
            total: high_seconds,
            night: Some(high_seconds),
            memory_bytes: prediction.memory_bytes,
            processor_share: busiest.map(|(_, busy, of)| busy / f64::from(*of)),
            files: None,
        }
    }

    /// Those of a prediction.
    pub(crate) fn of(loaded: &Loaded, prediction: &Prediction) -> Self {
        Figures {
            backup: Some(prediction.backup.seconds.high),
            verify: prediction.verify.as_ref().map(|verify| verify.seconds.high),
            restore: prediction.restore.as_ref().map(|restore| restore.seconds.high),
            total: prediction.total_seconds.high,
            night: None,
            memory_bytes: loaded.resolved.backup.memory_of_all_jobs().get(),
            processor_share: Some(processor_share(loaded, prediction)),
            files: Some(loaded.resolved.backup.stripes.len() as u64),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Backup,
    Verify,
    Restore,
    Total,
    Night,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Operation::Backup => "backup",
            Operation::Verify => "verify",
            Operation::Restore => "restore",
            Operation::Total => "total",
            Operation::Night => "night",
        }
    }
}

impl From<Operation> for bakcast_whatif::Operation {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Backup => bakcast_whatif::Operation::Backup,
            Operation::Verify => bakcast_whatif::Operation::Verify,
            Operation::Restore => bakcast_whatif::Operation::Restore,
            // A night of one backup is that backup.
            Operation::Total | Operation::Night => bakcast_whatif::Operation::Total,
        }
    }
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let at = text.find(['<', '\u{2264}']).ok_or_else(|| {
            "write OPERATION<=TIME, e.g. `backup<=2h`, or `memory<=1GiB`, in quotes because of \
             the `<`"
                .to_string()
        })?;
        let (operation, rest) = text.split_at(at);
        let or_equal = ["<=", "\u{2264}"].iter().find_map(|sign| rest.strip_prefix(sign));
        let strictly = or_equal.is_none();
        let most = or_equal.or_else(|| rest.strip_prefix('<')).unwrap_or(rest).trim();
        let time = |operation| Ok(Limit::Seconds(operation, length_of_time(most)?));
        let limit: Result<Limit, String> = match operation.trim() {
            "backup" => time(Operation::Backup),
            "verify" => time(Operation::Verify),
            "restore" => time(Operation::Restore),
            "total" => time(Operation::Total),
            "night" => time(Operation::Night),
            "memory" => {
                let memory: Result<Bytes, _> = most.parse();
                memory.map(|memory| Limit::Memory(memory.get())).map_err(|e| format!("{e}"))
            }
            "cpu" => share(most).map(Limit::Share),
            "files" => most
                .parse()
                .map(Limit::Files)
                .map_err(|_| "a number of files is a whole number, e.g. `files<=4`".to_string()),
            other => Err(format!(
                "`{other}` is none of backup, verify, restore, total, night, memory, cpu, files"
            )),
        };
        let limit = limit?;
        Ok(Requirement { text: text.trim().to_string(), limit, strictly })
    }
}

/// `60%` or `0.6`, of the processors.
fn share(text: &str) -> Result<f64, String> {
    const ACCEPTED: &str = "a share of the processors such as 60%, up to 100%";
    let share: Option<f64> = match text.strip_suffix('%') {
        Some(number) => number.trim().parse().ok().map(|percent: f64| percent / 100.0),
        None => match text.parse() {
            Ok(number) if number > 1.0 && number <= 100.0 => {
                return Err(format!("did you mean {number}%? accepted: {ACCEPTED}"));
            }
            other => other.ok(),
        },
    };
    let fits = |share: &f64| *share >= 0.0 && *share <= 1.0;
    share.filter(fits).ok_or_else(|| format!("accepted: {ACCEPTED}"))
}

/// `2h`, `90 min`, `1 h 30 min`, `2h30m`: parts in falling order are not asked for.
pub(crate) fn length_of_time(text: &str) -> Result<f64, String> {
    if text.is_empty() {
        return Err("a length of time is missing, e.g. `2h` or `1h 30min`".to_string());
    }
    let mut seconds = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let number_ends = rest.find(|c: char| c.is_alphabetic()).unwrap_or(rest.len());
        let after = &rest[number_ends..];
        let unit_ends = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let unit = match &after[..unit_ends] {
            "m" | "mins" | "minute" | "minutes" => "min",
            "hr" | "hrs" | "hour" | "hours" => "h",
            "sec" | "secs" | "second" | "seconds" => "s",
            "day" | "days" => "d",
            unit => unit,
        };
        let part = format!("{} {unit}", rest[..number_ends].trim());
        let period: Period = part.trim().parse().map_err(|error| format!("{error}"))?;
        seconds += period.as_seconds();
        rest = after[unit_ends..].trim_start();
    }
    Ok(seconds)
}

/// A window: a length of time above 0.
pub(crate) fn window(text: &str) -> Result<f64, String> {
    let seconds = length_of_time(text.trim())?;
    if seconds > 0.0 { Ok(seconds) } else { Err("a window is longer than nothing".to_string()) }
}

impl Requirement {
    /// A limit on the night, as `--window` states it.
    pub(crate) fn of_window(text: &str) -> Result<Self, String> {
        let seconds = length_of_time(text.trim())?;
        let text = format!("night<={}", text.trim());
        Ok(Requirement { text, limit: Limit::Seconds(Operation::Night, seconds), strictly: false })
    }

    /// As a search takes it.
    pub(crate) fn limit(&self) -> bakcast_whatif::Limit {
        let (measure, most) = match self.limit {
            Limit::Seconds(operation, seconds) => (Measure::Seconds(operation.into()), seconds),
            Limit::Memory(bytes) => (Measure::Memory, bytes as f64),
            Limit::Share(share) => (Measure::Processors, share),
            Limit::Files(files) => (Measure::Files, files as f64),
        };
        let (text, strictly) = (self.text.clone(), self.strictly);
        bakcast_whatif::Limit { text, measure, most, strictly }
    }

    /// Holds the limit against a prediction.
    pub(crate) fn judge(&self, figures: &Figures) -> RequirementResult {
        let keeps = |ordering: std::cmp::Ordering| match self.strictly {
            true => ordering.is_lt(),
            false => ordering.is_le(),
        };
        let blank = RequirementResult {
            requirement: self.text.clone(),
            operation: "memory",
            limit_seconds: None,
            judged_seconds: None,
            limit_bytes: None,
            judged_bytes: None,
            limit_share: None,
            judged_share: None,
            limit_files: None,
            judged_files: None,
            met: false,
        };
        match self.limit {
            Limit::Memory(limit) => RequirementResult {
                limit_bytes: Some(limit),
                judged_bytes: Some(figures.memory_bytes),
                met: keeps(figures.memory_bytes.cmp(&limit)),
                ..blank
            },
            Limit::Share(limit) => RequirementResult {
                operation: "cpu",
                limit_share: Some(limit),
                judged_share: figures.processor_share,
                met: figures.processor_share.is_some_and(|share| keeps(share.total_cmp(&limit))),
                ..blank
            },
            Limit::Files(limit) => RequirementResult {
                operation: "files",
                limit_files: Some(limit),
                judged_files: figures.files,
                met: figures.files.is_some_and(|files| keeps(files.cmp(&limit))),
                ..blank
            },
            Limit::Seconds(operation, limit) => {
                let judged_seconds = match operation {
                    Operation::Backup => figures.backup,
                    Operation::Verify => figures.verify,
                    Operation::Restore => figures.restore,
                    Operation::Total => Some(figures.total),
                    Operation::Night => figures.night,
                };
                RequirementResult {
                    operation: operation.name(),
                    limit_seconds: Some(limit),
                    judged_seconds,
                    met: judged_seconds.is_some_and(|seconds| keeps(seconds.total_cmp(&limit))),
                    ..blank
                }
            }
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is not met and by how much, one line each; nothing if all is met.
pub(crate) fn unmet(requirements: &[RequirementResult], level: f64) -> Option<String> {
    let line = |requirement: &RequirementResult| {
        let RequirementResult { requirement: text, operation, .. } = requirement;
        if let (Some(limit), Some(judged)) = (requirement.limit_bytes, requirement.judged_bytes) {
            let (judged, more) = (bytes(judged as f64), bytes(judged.saturating_sub(limit) as f64));
            return format!("not met: {text}: buffers take {judged}, {more} too much");
        }
        if let (Some(judged), Some(more)) = (requirement.judged_share, requirement.margin()) {
            let judged = percent(judged);
            return format!(
                "not met: {text}: {judged} of the processors are busy, {more} too much"
            );
        }
        if let (Some(judged), Some(more)) = (requirement.judged_files, requirement.margin()) {
            return format!("not met: {text}: there are {judged}, {more} too many");
        }
        let (Some(limit), Some(judged)) = (requirement.limit_seconds, requirement.judged_seconds)
        else {
            let hint = match *operation {
                "restore" => "; simulate one with --set restore.enabled=true",
                _ => "",
            };
            return format!("not met: {text}: this scenario has no {operation}{hint}");
        };
        format!(
            "not met: {text}: {operation} may take {} ({}), {} too long",
            duration(judged),
            format_args!("slow end of the {} range", bakcast_report::number::level(level)),
            duration((judged - limit).max(0.0))
        )
    };
    let lines: Vec<_> = requirements.iter().filter(|r| !r.met).map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Result<(&'static str, bool, f64), String> {
        let requirement: Requirement = text.parse()?;
        let Limit::Seconds(operation, seconds) = requirement.limit else {
            return Err("a limit of memory".to_string());
        };
        Ok((operation.name(), requirement.strictly, seconds))
    }

    #[test]
    fn limits_are_read_as_people_write_them() {
        assert_eq!(limit("backup<=2h").unwrap(), ("backup", false, 7200.0));
        assert_eq!(limit("verify < 90 min").unwrap(), ("verify", true, 5400.0));
        assert_eq!(limit("total<=1h30m").unwrap(), ("total", false, 5400.0));
        assert_eq!(limit("total <= 1 h 30 min 5 s").unwrap(), ("total", false, 5405.0));
        assert_eq!(limit("total\u{2264}8.5s").unwrap(), ("total", false, 8.5));
        assert_eq!(limit("backup<=2hours").unwrap(), ("backup", false, 7200.0));
        assert_eq!(limit("restore<=4h").unwrap(), ("restore", false, 14400.0));
    }

    #[test]
    fn memory_has_a_limit_as_durations_have() {
        let figures = Figures {
            backup: Some(10.0),
            night: None,
            verify: None,
            restore: None,
            total: 10.0,
            memory_bytes: 1 << 30,
            processor_share: Some(0.5),
            files: Some(4),
        };
        let judged = |text: &str| text.parse::<Requirement>().unwrap().judge(&figures);
        assert!(judged("memory<=1GiB").met && judged("memory <= 2 GiB").met);
        assert!(!judged("memory<1GiB").met);
        assert!(judged("backup<=10s").met && !judged("backup<10s").met);
        assert!(!judged("verify<=1h").met);
        assert_eq!(judged("memory<=1GiB").judged_bytes, Some(1 << 30));
        assert!(judged("cpu<=50%").met && judged("cpu <= 0.5").met && !judged("cpu<50%").met);
        assert!(judged("files<=4").met && !judged("files<=3").met);
        for text in ["cpu<=50", "cpu<=101%", "cpu<=", "cpu<=nan", "files<=2.5", "files<=-1"] {
            assert!(text.parse::<Requirement>().is_err(), "{text}");
        }
        assert!("memory<=1".parse::<Requirement>().is_err());
        assert!("memory<=2h".parse::<Requirement>().is_err());
    }

    #[test]
    fn what_is_no_limit_is_refused_with_the_way_to_write_it() {
        let no_sign = limit("backup=2h").unwrap_err();
        assert!(no_sign.contains("backup<=2h"), "{no_sign}");
        assert!(
            limit("copy<=2h")
                .unwrap_err()
                .contains("backup, verify, restore, total, night, memory, cpu, files")
        );
        for text in
            ["backup<=", "backup<=2", "backup<=-2h", "backup<=h", "backup<=2x", "backup<=nanh"]
        {
            assert!(limit(text).is_err(), "{text}");
        }
    }
}
