//! `--require 'backup<=2h'`: a limit that a prediction must keep.
//!
//! It is held against the upper end of the range: a night that is slower than usual has to fit as
//! well. `--level` moves that end.

use std::fmt;
use std::str::FromStr;

use bakcast_models::quantity::Period;
use bakcast_report::document::{
    DurationResult, PredictResult, RequirementResult, RestoreResult, VerifyResult,
};
use bakcast_report::number::duration;

/// A limit on one duration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Requirement {
    text: String,
    operation: Operation,
    /// `<` and not `<=`.
    strictly: bool,
    limit_seconds: f64,
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

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let at = text.find(['<', '\u{2264}']).ok_or_else(|| {
            "write OPERATION<=TIME, e.g. `backup<=2h`, in quotes because of the `<`".to_string()
        })?;
        let (operation, rest) = text.split_at(at);
        let operation = match operation.trim() {
            "backup" => Operation::Backup,
            "verify" => Operation::Verify,
            "restore" => Operation::Restore,
            "total" => Operation::Total,
            "night" => Operation::Night,
            other => {
                return Err(format!("`{other}` is none of backup, verify, restore, total, night"));
            }
        };
        let or_equal = ["<=", "\u{2264}"].iter().find_map(|sign| rest.strip_prefix(sign));
        let strictly = or_equal.is_none();
        let time = or_equal.or_else(|| rest.strip_prefix('<')).unwrap_or(rest);
        let limit_seconds = length_of_time(time.trim())?;
        Ok(Requirement { text: text.trim().to_string(), operation, strictly, limit_seconds })
    }
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

impl Requirement {
    /// Holds the limit against a prediction.
    pub(crate) fn judge(&self, result: &PredictResult) -> RequirementResult {
        let duration: Option<DurationResult> = match self.operation {
            Operation::Backup => Some(result.backup),
            Operation::Verify => result.verify.as_ref().map(VerifyResult::duration),
            Operation::Restore => result.restore.as_ref().map(RestoreResult::duration),
            Operation::Total => Some(result.total),
            Operation::Night => None,
        };
        self.judged(duration.map(|duration| duration.high_seconds))
    }

    /// Holds the limit against the slow end of a night of many jobs, which is its total as well.
    pub(crate) fn judge_night(&self, high_seconds: f64) -> RequirementResult {
        let is_night = matches!(self.operation, Operation::Night | Operation::Total);
        self.judged(is_night.then_some(high_seconds))
    }

    /// A limit on the night, as `--window` states it.
    pub(crate) fn of_window(text: &str) -> Result<Self, String> {
        let limit_seconds = length_of_time(text.trim())?;
        let text = format!("night<={}", text.trim());
        Ok(Requirement { text, operation: Operation::Night, strictly: false, limit_seconds })
    }

    fn judged(&self, judged_seconds: Option<f64>) -> RequirementResult {
        let met = judged_seconds.is_some_and(|seconds| {
            if self.strictly { seconds < self.limit_seconds } else { seconds <= self.limit_seconds }
        });
        RequirementResult {
            requirement: self.text.clone(),
            operation: self.operation.name(),
            limit_seconds: self.limit_seconds,
            judged_seconds,
            met,
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
        let RequirementResult { requirement: text, operation, limit_seconds, .. } = requirement;
        let Some(judged) = requirement.judged_seconds else {
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
            duration((judged - limit_seconds).max(0.0))
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
        Ok((requirement.operation.name(), requirement.strictly, requirement.limit_seconds))
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
    fn what_is_no_limit_is_refused_with_the_way_to_write_it() {
        let no_sign = limit("backup=2h").unwrap_err();
        assert!(no_sign.contains("backup<=2h"), "{no_sign}");
        assert!(limit("copy<=2h").unwrap_err().contains("backup, verify, restore, total, night"));
        for text in
            ["backup<=", "backup<=2", "backup<=-2h", "backup<=h", "backup<=2x", "backup<=nanh"]
        {
            assert!(limit(text).is_err(), "{text}");
        }
    }
}
