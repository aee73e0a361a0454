//! A change request in words.

use super::{ChangeRequestResult, ChangeSide, ItemResult, Verdict};
use crate::document::{ChosenSettings, DurationResult, PredictResult};
use crate::html::EvidenceResult;
use crate::number::{bytes, digits, duration, duration_range, level, percent, rate_binary};
use crate::text::View;

/// Every item, in the order in which it is read.
pub(super) fn items(
    request: &ChangeRequestResult,
    replications: u32,
    seed: u64,
) -> Vec<ItemResult> {
    let mut items = vec![item("Change", change(request)), item("Now", side(&request.now, true))];
    if let Some(proposed) = &request.proposed {
        let label = match request.verdict {
            Verdict::NothingKeepsTheLimits => "Nearest",
            Verdict::Change | Verdict::Stay => "Proposed",
        };
        items.push(item(label, side(proposed, false)));
    }
    items.push(item("Expected", expected(request)));
    items.extend(request.requirements.iter().map(|requirement| {
        let verdict = match (requirement.margin(), requirement.met) {
            (Some(margin), true) => format!("fits, {margin} to spare"),
            (Some(margin), false) => format!("does NOT fit, by {margin}"),
            (None, _) => "does NOT fit: there is no such operation".to_string(),
        };
        item("Limit", format!("{}: {verdict}", requirement.requirement))
    }));
    items.push(item("Bottleneck", bottleneck(request)));
    if let Some(proposed) = &request.proposed {
        items.push(item("Cost", cost(&request.now, proposed)));
    }
    items.push(item("Evidence", evidence(&request.evidence, replications, seed)));
    // What does not keep the limits is shown, and not proposed.
    if request.verdict == Verdict::Change {
        items.push(item("Test", test(request.subject())));
        items.push(item("Rollback", rollback(request)));
    }
    items
}

fn item(label: &'static str, text: impl AsRef<str>) -> ItemResult {
    ItemResult { label, text: text.as_ref().replace('\u{a0}', " ") }
}

fn change(request: &ChangeRequestResult) -> String {
    let read = bytes(request.now.prediction.read_bytes as f64);
    let of = format!("full backup of database {} ({read} read)", request.database);
    match (request.verdict, &request.proposed) {
        (Verdict::Change, Some(proposed)) => {
            let differs = difference(&proposed.settings, &request.now.settings);
            format!("{of}: {differs}")
        }
        (Verdict::NothingKeepsTheLimits, _) => {
            let advice = request.advice.as_deref().unwrap_or("Nothing keeps the limits.");
            format!("none for the {of}. {advice}")
        }
        _ => {
            let advice = request.advice.as_deref().unwrap_or_default();
            format!("none for the {of}. {advice}").trim_end().to_string()
        }
    }
}

/// What differs, in words.
fn difference(settings: &ChosenSettings, present: &ChosenSettings) -> String {
    let mut parts = Vec::new();
    if settings.compression != present.compression {
        parts.push(compression(settings).to_string());
    }
    if settings.stripes != present.stripes {
        parts.push(files(settings));
    }
    if settings.buffer_count != present.buffer_count {
        parts.push(settings.buffer_count.map_or_else(
            || "BUFFERCOUNT left to the engine".to_string(),
            |count| format!("BUFFERCOUNT = {count}"),
        ));
    }
    if settings.transfer_size_bytes != present.transfer_size_bytes {
        parts.push(settings.transfer_size_bytes.map_or_else(
            || "MAXTRANSFERSIZE left to the engine".to_string(),
            |size| format!("MAXTRANSFERSIZE = {size}"),
        ));
    }
    if parts.is_empty() {
        return "other values than those of the statement (see the command line)".to_string();
    }
    parts.join(", ")
}

const fn compression(settings: &ChosenSettings) -> &'static str {
    if settings.compression { "COMPRESSION" } else { "no compression" }
}

/// `3 files on d1, d2 and d3`.
fn files(settings: &ChosenSettings) -> String {
    let mut devices: Vec<&str> = Vec::new();
    for device in &settings.stripes {
        if !devices.contains(&device.as_str()) {
            devices.push(device);
        }
    }
    let files = if settings.stripes.len() == 1 { "file" } else { "files" };
    let named = match devices.as_slice() {
        [.., last] if devices.len() > 1 => {
            format!("{} and {last}", devices[..devices.len() - 1].join(", "))
        }
        all => all.join(", "),
    };
    format!("{} {files} on {named}", settings.stripes.len())
}

/// Settings and what they come to.
fn side(side: &ChangeSide, is_now: bool) -> String {
    let ChangeSide { settings, prediction, .. } = side;
    let own = |is_stated: bool| if is_stated { "" } else { " (the engine's own)" };
    let settings = format!(
        "{}, {}, {} buffers{} of {}{}",
        files(settings),
        compression(settings),
        prediction.buffer_count,
        own(settings.buffer_count.is_some()),
        bytes(prediction.max_transfer_size_bytes as f64),
        own(settings.transfer_size_bytes.is_some()),
    );
    if is_now { format!("{settings}: {}", durations(prediction, true)) } else { settings }
}

/// Of every operation its duration with its range.
fn durations(prediction: &PredictResult, in_short: bool) -> String {
    let one = |name: &str, time: DurationResult| {
        let range = duration_range(time.low_seconds, time.high_seconds);
        if in_short {
            format!("{name} {}", duration(time.seconds))
        } else {
            format!("{name} {} ({range})", duration(time.seconds))
        }
    };
    let mut parts = vec![one("backup", prediction.backup)];
    if let Some(verify) = &prediction.verify {
        parts.push(one("verify", verify.duration()));
        parts.push(one("total", prediction.total));
    }
    parts.join(", ")
}

fn expected(request: &ChangeRequestResult) -> String {
    let subject = &request.subject().prediction;
    let share = level(request.level);
    let durations = durations(subject, false);
    let mut text = format!("{durations}; the ranges hold {share} of nights");
    let Some(ratio) = request.ratio else { return text };
    let change = |ratio: f64| digits((1.0 - ratio).abs() * 100.0, 2);
    let ends = request.ratio_low.zip(request.ratio_high);
    let operation = request.operation;
    text.push_str(&match ends {
        Some((low, high)) if low < 1.0 && high > 1.0 => {
            format!(". Against now the {operation} may be the same: ratio {}", digits(ratio, 3))
        }
        Some((low, high)) if ratio <= 1.0 => format!(
            ". Against now the {operation} takes {} % less time ({} to {} %)",
            change(ratio),
            change(high),
            change(low)
        ),
        Some((low, high)) => format!(
            ". Against now the {operation} takes {} % MORE time ({} to {} %)",
            change(ratio),
            change(low),
            change(high)
        ),
        None if ratio <= 1.0 => {
            format!(". Against now the {operation} takes {} % less time", change(ratio))
        }
        None => format!(". Against now the {operation} takes {} % MORE time", change(ratio)),
    });
    text
}

/// What limits the backup now, and then.
fn bottleneck(request: &ChangeRequestResult) -> String {
    let mut text = match &request.proposed {
        Some(proposed) => {
            let (now, then) = (limit(&request.now.prediction), limit(&proposed.prediction));
            format!("now {now}. Then {then}")
        }
        None => limit(&request.now.prediction),
    };
    let settings = ["buffers", "balanced", "other jobs"];
    let limit = request.subject().prediction.bottleneck.as_deref();
    if let Some(limit) = limit.filter(|limit| !settings.contains(limit)) {
        text.push_str(&format!(". Beyond that it takes a faster {limit}, not other settings"));
    }
    text
}

/// What limits a backup, and how busy that is.
fn limit(prediction: &PredictResult) -> String {
    let sentence = View::from(prediction).bottleneck_sentence();
    let name = prediction.bottleneck.as_deref().unwrap_or_default();
    let station = prediction.stations.iter().find(|station| station.name == name);
    match (station, sentence.strip_prefix(name)) {
        (Some(station), Some(rest)) => format!("{name} ({} busy){rest}", percent(station.working)),
        _ => sentence,
    }
}

fn cost(now: &ChangeSide, then: &ChangeSide) -> String {
    let memory = |side: &ChangeSide| {
        let own = side.prediction.buffer_memory_bytes;
        side.prediction.all_jobs_buffer_memory_bytes.unwrap_or(own)
    };
    let cores = |side: &ChangeSide| format!("{:.1}", side.prediction.processor_cores_mean);
    let mut text = format!(
        "buffers {} instead of {}, outside SQL Server's page cache; {} instead of {} of {} \
         processors busy during the backup",
        bytes(memory(then) as f64),
        bytes(memory(now) as f64),
        cores(then),
        cores(now),
        then.logical_processors
    );
    let files = then.settings.stripes.len();
    if files > 1 && files != now.settings.stripes.len() {
        text.push_str(&format!("; a restore needs all {files} files"));
    }
    text
}

/// What the numbers rest on, and how far off that was.
pub(crate) fn evidence(evidence: &EvidenceResult, replications: u32, seed: u64) -> String {
    let runs = format!("{replications} nights simulated, seed {seed}");
    let mut text = match (&evidence.fitted_to, &evidence.article) {
        (Some(fit), _) => fit.clone(),
        (None, _) => {
            "NOT calibrated: rates are those that the scenario states, no run was measured"
                .to_string()
        }
    };
    if let Some(article) = &evidence.article {
        text.push_str(&format!(
            "; off by {} % on average, {} % at most",
            digits(article.mean_absolute_relative_error * 100.0, 2),
            digits(article.max_absolute_relative_error * 100.0, 2)
        ));
        if let Some(left_out) = article.left_out_mean_absolute_relative_error {
            let error = digits(left_out * 100.0, 2);
            text.push_str(&format!(", {error} % on rows the fit had not seen"));
        }
    }
    if let Some(elsewhere) = &evidence.unmeasured {
        text.push_str(&format!(
            "; elsewhere such forecasts were off by {} to {} % on average. `bakcast calibrate` \
             makes that less",
            digits(elsewhere.best_mean_absolute_relative_error * 100.0, 2),
            digits(elsewhere.worst_mean_absolute_relative_error * 100.0, 2)
        ));
    }
    format!("{text}. {runs}")
}

fn test(subject: &ChangeSide) -> String {
    let PredictResult { backup, read_bytes, level: share, .. } = &subject.prediction;
    let rate = |seconds: f64| rate_binary(*read_bytes as f64 / seconds.max(1e-9));
    format!(
        "run the statement below once on a quiet evening, with folders of the server in the place \
         of the devices' names; COPY_ONLY leaves the chain of backups as it is. Expected are {} \
         to {} of reading over the whole duration ({} of nights); if it is another rate, this \
         forecast does not hold",
        rate(backup.high_seconds),
        rate(backup.low_seconds),
        level(*share)
    )
}

fn rollback(request: &ChangeRequestResult) -> String {
    let then = request.subject();
    let back = difference(&request.now.settings, &then.settings);
    format!(
        "{back}, as in the statement of today; nothing in the database changes, and backups that \
         were made in between stay good"
    )
}
