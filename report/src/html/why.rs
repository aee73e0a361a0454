//! Why it takes so long: what limits it, how stations spend their time, what the threads wait for.

use super::markup::{Markup, classed, table, tag};
use super::{PageResult, bars, details, section};
use crate::document::{ExplainedOperation, WaitResult};
use crate::number::{bytes, duration, percent, rate_binary};
use crate::text::View;

/// A gain of a smaller share is left out of the table.
const WORTH_A_LINE: f64 = 0.005;

/// The section of one backup; `knee` is the chart of the buffers.
pub(super) fn why(subject: &PageResult, knee: Markup) -> Markup {
    let backup = operation("Backup", &View::from(&subject.prediction));
    let verify = subject.prediction.verify.as_ref();
    let verify = verify.map_or_else(Markup::new, |v| operation("Verification", &View::from(v)));
    let restore = subject.prediction.restore.as_ref();
    let restore = restore.map_or_else(Markup::new, |r| operation("Restore", &View::from(r)));
    let note = "Bars say how a station spends its time. Gains are what would be saved if the stage \
                took no time at all: no faster device brings more.";
    let inner = bars::key()
        .and(backup)
        .and(verify)
        .and(restore)
        .and(classed("p", "soft", note))
        .line()
        .and(buffers(&subject.explanation.backup, knee))
        .and(waits(&subject.prediction.waits));
    section("why", "Why: what limits it", inner)
}

fn operation(name: &str, view: &View<'_>) -> Markup {
    let sentence = format!("{name}: {}.", view.bottleneck_sentence()).replace('\u{a0}', " ");
    tag("h3", &[], name)
        .line()
        .tag("p", &[], tag("bdi", &[], sentence))
        .line()
        .and(bars::stations(&view.stations))
        .and(gains(view))
}

/// What would be gained by every stage at no cost: more than that no faster device can bring.
fn gains(view: &View<'_>) -> Markup {
    let seconds = view.duration.seconds;
    let worth = |gain: f64| gain > WORTH_A_LINE * seconds;
    let rows: Vec<Vec<String>> = view
        .stages
        .iter()
        .filter(|stage| worth(stage.gain_seconds))
        .map(|stage| {
            let gain = stage.gain_seconds.min(seconds);
            let next = stage.next.as_ref().map_or_else(String::new, |next| {
                format!("{} at {}", next.station, percent(next.utilization))
            });
            vec![
                view.stage_name(stage).replace('\u{a0}', " "),
                duration(gain),
                percent(gain / seconds),
                next,
            ]
        })
        .collect();
    if rows.is_empty() {
        return Markup::new();
    }
    let headings = ["if it cost nothing", "gain", "of the duration", "then busiest"];
    table(&headings, 1, &rows)
}

/// How many buffers are enough.
fn buffers(backup: &ExplainedOperation, knee: Markup) -> Markup {
    let rows: Vec<Vec<String>> = backup
        .knee
        .points
        .iter()
        .map(|point| {
            vec![
                point.buffer_count.to_string(),
                bytes(point.buffer_memory_bytes as f64),
                duration(point.seconds),
            ]
        })
        .collect();
    let bounds = &backup.bounds;
    let most = |rate: Option<f64>| rate.map(rate_binary);
    let text = format!(
        "{} buffers circulate; {} are within 2 % of the best.",
        backup.buffer_count, backup.knee.buffer_count
    );
    let text = match most(bounds.station_bytes_per_second) {
        Some(rate) => format!(
            "{text} {} alone allows {rate} of reading, so no setting makes the backup shorter than \
             {}.",
            bounds.busiest_station,
            duration(bounds.elapsed_seconds)
        ),
        None => text,
    };
    let numbers = table(&["buffers", "memory", "backup"], 0, &rows);
    let caption = "Duration of the backup by number of buffers";
    tag("h3", &[], "Buffers")
        .line()
        .tag("p", &[], tag("bdi", &[], text))
        .line()
        .and(super::figure::figure(caption, knee, numbers))
}

/// What the threads wait for, by the server's names: to hold against `sys.dm_os_wait_stats`.
fn waits(waits: &[WaitResult]) -> Markup {
    let shown = |wait: &&WaitResult| wait.seconds > 0.0005 && wait.state != "finished";
    let rows: Vec<Vec<String>> = waits
        .iter()
        .filter(shown)
        .map(|wait| {
            vec![
                wait.side.to_string(),
                wait.state.to_string(),
                wait.wait_type.unwrap_or("not shown").to_string(),
                duration(wait.seconds),
            ]
        })
        .collect();
    if rows.is_empty() {
        return Markup::new();
    }
    let headings = ["threads", "what they do", "wait type of the server", "seconds of threads"];
    details("Waits of the backup, as the server shows them", table(&headings, 3, &rows))
}
