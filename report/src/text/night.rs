//! A night of many jobs for a terminal: when it ends, what limits it, and the latest jobs.

use super::predict::{fits_beside, heading, judged, quoted};
use super::{LINES, Paint, WIDTH, cut, entry, table, warnings};
use crate::document::{Document, JobResult, Night, NightResult, ScheduleResult, Warning};
use crate::number::{bytes, duration, duration_range, level, percent};

/// Jobs that are shown where a screen is the limit.
const SHOWN: usize = 10;
/// Columns of the picture of a job's time.
const PICTURE: usize = 26;

pub(crate) fn night(document: &Document<NightResult>, paint: Paint) -> String {
    let result = &document.result;
    let night = &result.night;
    let mut out = heading(&result.scenario, &result.title, paint);
    let range = duration_range(night.low_seconds, night.high_seconds);
    let row = vec!["night     ".to_string(), duration(night.seconds), range];
    out.push_str(&table(
        &["", "expected", &format!("{} of nights", level(result.level))],
        1,
        &[row],
    ));
    if !fits_beside(&result.scenario, &result.title) {
        out.push_str(&entry("Scenario", &result.title));
    }
    out.push_str(&data(night));
    for requirement in &result.requirements {
        out.push_str(&judged(requirement, paint));
    }
    out.push_str(&reasons(night));
    let next = entry("Next", &format!("bakcast recommend {} --schedule", quoted(&result.scenario)));
    finished(
        out,
        &document.warnings,
        &certainty(document.replications, document.seed),
        &next,
        night,
        paint,
    )
}

pub(crate) fn schedule(document: &Document<ScheduleResult>, paint: Paint) -> String {
    let result = &document.result;
    let night = &result.night;
    let mut out = heading(&result.scenario, &result.title, paint);
    let row = |name: &str, median: f64, low: f64, high: f64| {
        vec![format!("{name:<10}"), duration(median), duration_range(low, high)]
    };
    let given =
        row("given", result.given_seconds, result.given_low_seconds, result.given_high_seconds);
    let found = row("schedule", night.seconds, night.low_seconds, night.high_seconds);
    let rows = if result.is_new { vec![given, found] } else { vec![given] };
    let headings = ["", "expected", &format!("{} of nights", level(result.level))];
    out.push_str(&table(&headings, 1, &rows));
    out.push_str(&entry("Schedule", &verdict(result)));
    for requirement in &result.requirements {
        out.push_str(&judged(requirement, paint));
    }
    out.push_str(&data(night));
    out.push_str(&reasons(night));
    let ended = if result.is_exhausted {
        "none were left to try, there may be better ones"
    } else {
        "the last ones made it no better"
    };
    out.push_str(&entry("Search", &format!("{} schedules simulated; {ended}", result.evaluated)));
    let command = format!("bakcast recommend {} --schedule", quoted(&result.scenario));
    let next = if result.is_new { format!("{command} -o schedule.csv") } else { String::new() };
    let next = if next.is_empty() { next } else { entry("Next", &next) };
    finished(
        out,
        &document.warnings,
        &certainty(document.replications, document.seed),
        &next,
        night,
        paint,
    )
}

/// Whether something is gained, and how sure that is.
fn verdict(result: &ScheduleResult) -> String {
    if !result.is_new {
        return "the given one stays: none that was tried ends sooner".to_string();
    }
    let certain =
        match (result.sooner_seconds, result.sooner_low_seconds, result.sooner_high_seconds) {
            (Some(mean), Some(low), Some(high)) => {
                let word = if mean >= 0.0 { "sooner" } else { "later" };
                let interval = format!("{} to {}", signed(low), signed(high));
                let doubt = if low <= 0.0 && high >= 0.0 { "; that may be chance" } else { "" };
                format!("{} {word} (95 %: {interval}, same nights){doubt}", duration(mean.abs()))
            }
            _ => "one night says little".to_string(),
        };
    if result.given_fits { certain } else { format!("the given one breaks the limits; {certain}") }
}

fn signed(seconds: f64) -> String {
    if seconds < 0.0 { format!("-{}", duration(-seconds)) } else { duration(seconds) }
}

fn data(night: &Night) -> String {
    let servers = match night.servers {
        1 => "1 server".to_string(),
        count => format!("{count} servers"),
    };
    let jobs = match night.jobs.len() {
        1 => "1 job".to_string(),
        count => format!("{count} jobs"),
    };
    let all = bytes(night.read_bytes as f64);
    entry("Data", &format!("{all} in {jobs} on {servers}, at most {} at once", night.at_once))
}

fn reasons(night: &Night) -> String {
    let sooner = duration(night.end_without_seconds);
    let limit = match night.limit_kind {
        "station" => {
            format!("{}; if no job waited at it, the night would end after {sooner}", night.limit)
        }
        "order" => format!(
            "jobs one after the other, up to {}; if none waited for another, the night would end \
             after {sooner}",
            night.limit
        ),
        _ => format!("{}, which takes so long by itself", night.limit),
    };
    let mut out = entry("Limit", &limit);
    let station = |s: &crate::document::NightStationResult| {
        let full =
            if s.full >= 0.005 { format!(" (full {})", percent(s.full)) } else { String::new() };
        super::together(&format!("{} {}{full}", s.name, percent(s.utilization)))
    };
    let busy: Vec<String> = night.stations.iter().take(4).map(station).collect();
    out.push_str(&entry("Busy", &busy.join(", ")));
    let server = match night.largest_memory_server.as_str() {
        "" => String::new(),
        name => format!(", {} of it on {name}", bytes(night.largest_memory_bytes as f64)),
    };
    let processors = match (night.processor_cores_peak, night.processor_cores) {
        (Some(peak), Some(count)) => {
            format!("; processors up to {peak:.1} of {count} on one server")
        }
        _ => String::new(),
    };
    let memory = bytes(night.buffer_memory_bytes as f64);
    out + &entry("Peak", &format!("{memory} of buffers{server}{processors}"))
}

fn certainty(replications: u32, seed: u64) -> String {
    entry(
        "Certainty",
        &format!(
            "{replications} nights, seed {seed}; shares between jobs are fluid, see docs/estate.md"
        ),
    )
}

/// What comes last: the latest jobs in the room that is left.
fn finished(
    mut out: String,
    all: &[Warning],
    certainty: &str,
    next: &str,
    night: &Night,
    paint: Paint,
) -> String {
    let used = out.lines().count() + certainty.lines().count() + next.lines().count();
    let warned = warnings(all, 2, paint);
    let room = LINES.saturating_sub(used + warned.lines().count() + 1);
    let mut latest: Vec<&JobResult> = night.jobs.iter().collect();
    latest.sort_by(|a, b| {
        b.finish_seconds.total_cmp(&a.finish_seconds).then_with(|| a.name.cmp(&b.name))
    });
    if !paint.whole {
        latest.truncate(SHOWN.min(room));
    }
    out.push_str(&jobs(&latest, night));
    out.push_str(&warned);
    out.push_str(certainty);
    out + next
}

fn jobs(latest: &[&JobResult], night: &Night) -> String {
    if latest.is_empty() {
        return String::new();
    }
    let row = |name: &str, begin: &str, end: &str, stretch: &str, at: &str, picture: &str| {
        let name = cut(name, 18);
        let line =
            format!("{name:<18} {begin:>6} {end:>6} {stretch:>6}  {:<10} {picture}", cut(at, 10));
        debug_assert!(line.chars().count() <= WIDTH, "{line}");
        format!("{}\n", line.trim_end())
    };
    let unit = if night.seconds < 3600.0 { "[min:s]" } else { "[h:min]" };
    let mut out = row("Latest jobs", "begin", "end", "alone", "waits at", unit);
    let end = latest.iter().map(|job| job.finish_seconds).fold(night.seconds, f64::max).max(1e-9);
    for job in latest {
        let column =
            |seconds: f64| ((seconds / end * PICTURE as f64).floor() as usize).min(PICTURE);
        let (from, to) = (column(job.begin_seconds), column(job.finish_seconds));
        let to = to.max(from + 1).min(PICTURE);
        let from = from.min(to - 1);
        let picture = format!("{}{}", ".".repeat(from), "#".repeat(to - from));
        out.push_str(&row(
            &job.name,
            &clock(job.begin_seconds, night.seconds),
            &clock(job.finish_seconds, night.seconds),
            &format!("x{:.2}", job.stretch),
            job.waited_at.as_deref().unwrap_or("-"),
            &picture,
        ));
    }
    out
}

/// Hours and minutes, or minutes and seconds in a night of less than an hour.
fn clock(seconds: f64, night: f64) -> String {
    let unit = if night < 3600.0 { 1.0 } else { 60.0 };
    let count = (seconds / unit).round() as u64;
    format!("{}:{:02}", count / 60, count % 60)
}
