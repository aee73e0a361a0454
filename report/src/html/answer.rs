//! The answer: how long, in which range, and whether it fits.

use super::markup::{Markup, classed, tag};
use super::section;
use crate::document::{DurationResult, PredictResult, RequirementResult, UncertaintyResult};
use crate::number::{bytes, duration, duration_range, level, rate_binary, rate_decimal};

/// The section of one backup.
pub(super) fn answer(result: &PredictResult, distribution: Markup) -> Markup {
    let inner = lead(result)
        .and(fits(&result.requirements))
        .and(durations(result))
        .and(ranges(result.level, result.uncertainty.as_ref()))
        .and(distribution);
    section("answer", "How long it takes", inner)
}

/// The durations in one sentence.
fn lead(result: &PredictResult) -> Markup {
    let strong = |seconds: f64| tag("strong", &[], duration(seconds));
    let text = Markup::new().text("The backup takes ").and(strong(result.backup.seconds));
    let text = match &result.verify {
        Some(verify) => text
            .text(", its verification ")
            .and(strong(verify.seconds))
            .text(", both together ")
            .and(strong(result.total.seconds)),
        None => text,
    };
    let text = match &result.restore {
        Some(restore) => text.text("; a restore on another day ").and(strong(restore.seconds)),
        None => text,
    };
    classed("p", "lead", text.text(".")).line()
}

/// Every limit with its verdict.
pub(super) fn fits(requirements: &[RequirementResult]) -> Markup {
    requirements.iter().fold(Markup::new(), |all, requirement| {
        let (class, verdict) = match (requirement.met, requirement.margin()) {
            (true, Some(margin)) => ("fits", format!("fits, {margin} to spare")),
            (true, None) => ("fits", "fits".to_string()),
            (false, Some(margin)) => ("misses", format!("does not fit, by {margin}")),
            (false, None) => ("misses", "does not fit: there is no such operation".to_string()),
        };
        let limit = tag("bdi", &[], requirement.requirement.as_str());
        let held = if requirement.judged_seconds.is_some() {
            " A slow night is what has to fit: the upper end of the range is held against it."
        } else {
            ""
        };
        let text = limit.text(": ").tag("strong", &[], verdict).text(".").text(held);
        all.and(classed("p", class, text)).line()
    })
}

/// A table of the durations.
fn durations(result: &PredictResult) -> Markup {
    let range = format!("{} of nights", level(result.level));
    let written = Some(result.written_bytes).filter(|bytes| *bytes > 0);
    let written = written.and(result.written_bytes_per_second);
    let mut rows = vec![cells("backup", result.backup, result.read_bytes_per_second, written)];
    if let Some(verify) = &result.verify {
        rows.push(cells("verify", verify.duration(), verify.read_bytes_per_second, None));
        rows.push(cells("total", result.total, None, None));
    }
    if let Some(restore) = &result.restore {
        let (read, written) = (restore.read_bytes_per_second, restore.written_bytes_per_second);
        rows.push(cells("restore", restore.duration(), read, written));
    }
    for job in &result.beside {
        let (read, written) = (job.read_bytes_per_second, job.written_bytes_per_second);
        rows.push(cells(&format!("beside: {}", job.name), job.duration(), read, written));
    }
    let table = super::markup::table(&["", "expected", &range, "read", "written"], 1, &rows);
    let data = format!(
        "{} are read, {} written. Rates are in MiB/s (2^20 bytes, what SQL Server prints as \
         MB/sec) and in MB/s (10^6, as drives are sold).",
        bytes(result.read_bytes as f64),
        bytes(result.written_bytes as f64)
    );
    table.and(classed("p", "soft", data)).line()
}

fn cells(name: &str, time: DurationResult, read: Option<f64>, written: Option<f64>) -> Vec<String> {
    let rate = |rate: Option<f64>| {
        rate.map_or_else(String::new, |r| format!("{} ({})", rate_binary(r), rate_decimal(r)))
    };
    vec![
        name.to_string(),
        duration(time.seconds),
        duration_range(time.low_seconds, time.high_seconds),
        rate(read),
        rate(written),
    ]
}

/// What the ranges hold, and what they do not.
pub(super) fn ranges(share: f64, uncertainty: Option<&UncertaintyResult>) -> Markup {
    let share = level(share);
    let text = match uncertainty {
        Some(open) => format!(
            "Ranges hold {share} of nights: how nights differ, and what the fit leaves open ({}).",
            open.sets()
        ),
        None => format!(
            "Ranges hold {share} of nights, which differ by luck alone: how wrong the rates of the \
             scenario may be is not in them, for no measurement says so."
        ),
    };
    classed("p", "soft", text).line()
}
