//! A schedule as a table of jobs, which `jobs` of the scenario takes.
//!
//! Everything the scenario says of a job by itself is written again, so that the table can stand in
//! the place of the one it was made from. Jobs of several volumes keep those in the scenario.

use crate::load::Loaded;
use crate::schema::Job;

/// When a job is to begin.
#[derive(Debug, Clone, PartialEq)]
pub struct JobPlace {
    /// Seconds from the beginning of the night before which it does not begin.
    pub starts_seconds: f64,
    /// Names of the jobs before it.
    pub after: Vec<String>,
    /// Seconds until it is expected to begin, and to end.
    pub expected: (f64, f64),
}

/// A column: its heading, and the cell of a job.
type Column = (&'static str, fn(&Job) -> Option<String>);

const OWN: [Column; 16] = [
    ("server", |job| job.server.clone()),
    ("database", |job| job.database.clone()),
    ("size_bytes", |job| job.size.map(|size| size.bytes().get().to_string())),
    ("device", |job| job.device.clone()),
    ("sql", |job| job.sql.clone()),
    ("stripes", |job| job.backup.as_ref()?.stripes.as_ref().map(|all| all.join(";"))),
    ("compression", |job| job.backup.as_ref()?.compression.map(flag)),
    ("ratio", |job| job.compression.as_ref()?.ratio.map(|ratio| ratio.get().to_string())),
    ("rate", |job| job.compression.as_ref()?.rate.map(|rate| rate.to_string())),
    ("decompression_rate", |job| {
        job.compression.as_ref()?.decompression_rate.map(|rate| rate.to_string())
    }),
    ("buffer_count", |job| job.backup.as_ref()?.buffer_count.map(|count| count.to_string())),
    ("transfer_size", |job| {
        job.backup.as_ref()?.transfer_size.map(|size| size.bytes().get().to_string())
    }),
    ("block_size", |job| {
        job.backup.as_ref()?.block_size.map(|size| size.bytes().get().to_string())
    }),
    ("verify", |job| job.verify.map(flag)),
    ("fixed", |job| job.fixed.then(|| flag(true))),
    ("note", |_| None),
];

fn flag(flag: bool) -> String {
    if flag { "yes" } else { "no" }.to_string()
}

impl Loaded {
    /// The jobs in the order of `places`, which has one for each, by name.
    #[must_use]
    pub fn jobs_table(&self, places: &[(String, JobPlace)]) -> String {
        let jobs = &self.scenario.job;
        let is_used = |(_, cell): &&Column| jobs.values().any(|job| cell(job).is_some());
        let columns: Vec<&Column> = OWN.iter().filter(is_used).collect();
        let mut head = vec!["job"];
        head.extend(columns.iter().map(|(heading, _)| *heading));
        head.extend(["starts", "after", "start_seconds", "finish_seconds"]);
        let mut text = format!("{}\n", head.join(","));
        for (name, place) in places {
            let Some(job) = jobs.get(name) else { continue };
            let mut cells = vec![quoted(name)];
            cells.extend(columns.iter().map(|(_, cell)| quoted(&cell(job).unwrap_or_default())));
            cells.push(format!("{} s", place.starts_seconds));
            // A dash takes away what the scenario says, an empty cell would leave it.
            let after = if place.after.is_empty() { "-".into() } else { place.after.join(";") };
            cells.push(quoted(&after));
            let (begin, finish) = place.expected;
            cells.extend([format!("{begin:.0}"), format!("{finish:.0}")]);
            text.push_str(&format!("{}\n", cells.join(",")));
        }
        text
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r', '#']) || cell.trim() != cell {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_string()
    }
}
