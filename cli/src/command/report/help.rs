//! Single changes, each by itself: what it brings and what it costs.

use bakcast_report::document::short_path;
use bakcast_report::html::HelpResult;
use bakcast_report::number::bytes;
use bakcast_scenarios::predict::Asked as Wanted;
use bakcast_scenarios::{Loaded, Set};
use bakcast_whatif::{Configuration, Ran, Runner, next_to_try};

use super::Asked;
use crate::command::opened::Opened;
use crate::exit::{Exit, Failure};

/// Most buffers that are tried.
const MOST_BUFFERS: u32 = 1024;
/// How many times as many buffers are tried.
const MORE: u32 = 4;
/// Most files a backup may have.
const MOST_FILES: usize = 64;
/// Bytes of the largest transfer.
const LARGEST: u64 = 4 << 20;

/// Every change that can be run, the largest gain first.
pub(super) fn all(
    asked: &Asked<'_>,
    opened: &Opened,
    base: &Ran,
) -> Result<Vec<HelpResult>, Failure> {
    let (document, variant, sets) = opened.parts();
    // With as many nights as the base has, which a precision may have added to.
    let replications = base.prediction.replications();
    let options = bakcast_scenarios::predict::PredictOptions {
        replications,
        precision: None,
        ..asked.options
    };
    let runner = Runner::new(document, variant, sets, options, Wanted::Durations);
    let changes = changes(&base.loaded, base);
    let configurations: Vec<Configuration> = changes
        .iter()
        .map(|(_, set)| Configuration { sets: vec![set.clone()], ..Configuration::default() })
        .collect();
    let outcomes = runner
        .run(&configurations, &|_, _| asked.goes_on())
        .map_err(|cancelled| Failure::new(Exit::Interrupted, cancelled))?;
    let mut found: Vec<HelpResult> = changes
        .into_iter()
        .zip(outcomes)
        .filter_map(|((what, set), outcome)| {
            let ran = outcome.ok()?;
            let head = (what, set.to_string());
            let help = HelpResult::new(head, &ran, base, (asked.operation, &options));
            Some(HelpResult { requirements: asked.judged(&ran), ..help })
        })
        .collect();
    let ratio = |help: &HelpResult| help.ratio.unwrap_or(f64::INFINITY);
    found.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    Ok(found)
}

/// What is tried: each in words, and as an assignment.
fn changes(loaded: &Loaded, base: &Ran) -> Vec<(String, Set)> {
    let scenario = &loaded.scenario;
    let buffers = loaded.resolved.backup.buffers;
    let mut changes: Vec<(String, Set)> = Vec::new();
    let mut add = |what: String, path: &str, value: String| {
        let set = Set::new(path, value);
        if changes.iter().all(|(_, other)| other.to_string() != set.to_string()) {
            changes.push((what, set));
        }
    };
    if let Some(next) = next_to_try(loaded, &base.prediction) {
        let what = format!("{} {} ({})", short_path(&next.path), next.value, next.what);
        add(what, &next.path, next.value);
    }
    let more = buffers.count.saturating_mul(MORE).min(MOST_BUFFERS);
    if more > buffers.count && !changes_buffers(loaded, base) {
        add(format!("buffer_count {more}"), "backup.buffer_count", more.to_string());
    }
    if buffers.transfer_size.get() < LARGEST {
        let what = format!("transfer_size {}", bytes(LARGEST as f64));
        add(what, "backup.transfer_size", "4 MiB".to_string());
    }
    if scenario.compression.is_some() {
        let on = !scenario.backup.compression;
        let what = format!("compression {}", if on { "on" } else { "off" });
        add(what, "backup.compression", on.to_string());
    }
    let stripes = &scenario.backup.stripes;
    if stripes.len() * 2 <= MOST_FILES {
        let twice: Vec<&str> = stripes.iter().flat_map(|s| [s.as_str(), s.as_str()]).collect();
        let what = format!("{} files on the same devices", twice.len());
        add(what, "backup.stripes", twice.join(","));
    }
    changes
}

/// Whether more buffers are the change to try first, so that they need not be tried again.
fn changes_buffers(loaded: &Loaded, base: &Ran) -> bool {
    let next = next_to_try(loaded, &base.prediction);
    next.is_some_and(|next| next.path == "backup.buffer_count")
}
