//! A night and a schedule in Markdown: what it comes to, and a row for each job.

use super::{escaped, table, uncertainty, warnings};
use crate::document::{Document, Night, NightResult, ScheduleResult};
use crate::number::{duration, duration_range, level, percent};

pub(crate) fn night(document: &Document<NightResult>) -> String {
    let result = &document.result;
    let night = &result.night;
    let mut out = format!(
        "The night of {} ends after {} ({} of nights: {}). {}\n\n",
        escaped(&result.scenario),
        duration(night.seconds),
        level(result.level),
        duration_range(night.low_seconds, night.high_seconds),
        limit(night),
    );
    out.push_str(&stations(night));
    out.push('\n');
    out.push_str(&jobs(night));
    out.push_str(&uncertainty(result.uncertainty.as_ref()));
    for requirement in &result.requirements {
        let verdict = if requirement.met { "met" } else { "not met" };
        out.push_str(&format!("\nRequired {}: {verdict}.\n", escaped(&requirement.requirement)));
    }
    out + &warnings(&document.warnings)
}

pub(crate) fn schedule(document: &Document<ScheduleResult>) -> String {
    let result = &document.result;
    let night = &result.night;
    let verdict = if result.is_new {
        format!("In the schedule below it ends after {}.", duration(night.seconds))
    } else {
        "No schedule that was tried ends sooner: the given one stays.".to_string()
    };
    let mut out = format!(
        "The night of {} ends after {} as given. {verdict} {}\n\n",
        escaped(&result.scenario),
        duration(result.given_seconds),
        limit(night),
    );
    let row = |place: &crate::document::PlaceResult| {
        vec![
            place.job.clone(),
            place.after.join(", "),
            duration(place.starts_seconds),
            duration(place.begin_seconds),
            duration(place.finish_seconds),
        ]
    };
    let rows: Vec<_> = result.schedule.iter().map(row).collect();
    let headings = ["job", "after", "not before", "expected begin", "expected end"];
    out.push_str(&table(&headings, 2, &rows));
    out + &warnings(&document.warnings)
}

fn limit(night: &Night) -> String {
    let sooner = duration(night.end_without_seconds);
    let limit = escaped(&night.limit);
    match night.limit_kind {
        "station" => format!("Limit: {limit}; if no job waited at it: {sooner}."),
        "order" => format!("Limit: jobs one after the other, up to {limit}; without: {sooner}."),
        _ => format!("Limit: {limit}, by itself."),
    }
}

fn stations(night: &Night) -> String {
    let row = |station: &crate::document::NightStationResult| {
        vec![
            station.name.clone(),
            percent(station.utilization),
            percent(station.full),
            duration(station.lost_seconds),
            station.jobs.to_string(),
        ]
    };
    let rows: Vec<_> = night.stations.iter().map(row).collect();
    table(&["station", "busy", "full", "lost by all jobs", "jobs"], 1, &rows)
}

fn jobs(night: &Night) -> String {
    let row = |job: &crate::document::JobResult| {
        vec![
            job.name.clone(),
            job.server.clone(),
            duration(job.begin_seconds),
            duration(job.finish_seconds),
            duration_range(job.finish_low_seconds, job.finish_high_seconds),
            format!("x{:.2}", job.stretch),
            job.waited_at.clone().unwrap_or_default(),
            job.waited_for.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<_> = night.jobs.iter().map(row).collect();
    let headings =
        ["job", "server", "begin", "end", "range of the end", "alone", "waits at", "waits for"];
    table(&headings, 2, &rows)
}
