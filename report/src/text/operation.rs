//! What the texts of `predict` and `explain` say alike about one operation.

use crate::document::{
    DurationResult, ExplainedOperation, NextBottleneckResult, OtherLoadResult, PredictResult,
    RestoreResult, StageResult, StationResult, VerifyResult, WaitResult,
};
use crate::number::{duration, percent};
use crate::text::{entry, together};

/// One operation, seen alike in every document.
pub(crate) struct View<'a> {
    pub(crate) duration: DurationResult,
    pub(crate) bottleneck: Option<&'a str>,
    pub(crate) next: Option<&'a NextBottleneckResult>,
    pub(crate) stages: &'a [StageResult],
    pub(crate) stations: Vec<&'a StationResult>,
    pub(crate) waits: &'a [WaitResult],
    /// Threads that read, and threads that write; 0 where nobody asks.
    pub(crate) threads: (usize, usize),
}

impl<'a> From<&'a PredictResult> for View<'a> {
    fn from(result: &'a PredictResult) -> Self {
        View {
            duration: result.backup,
            bottleneck: result.bottleneck.as_deref(),
            next: result.next_bottleneck.as_ref(),
            stages: &result.stages,
            stations: result.stations.iter().collect(),
            waits: &result.waits,
            threads: (result.volume_count, result.stripe_bytes.len()),
        }
    }
}

impl<'a> From<&'a VerifyResult> for View<'a> {
    fn from(result: &'a VerifyResult) -> Self {
        View {
            duration: result.duration(),
            bottleneck: result.bottleneck.as_deref(),
            next: result.next_bottleneck.as_ref(),
            stages: &result.stages,
            stations: result.stations.iter().collect(),
            waits: &result.waits,
            threads: (0, 0),
        }
    }
}

impl<'a> From<&'a RestoreResult> for View<'a> {
    fn from(result: &'a RestoreResult) -> Self {
        View {
            duration: result.duration(),
            bottleneck: result.bottleneck.as_deref(),
            next: result.next_bottleneck.as_ref(),
            stages: &result.stages,
            stations: result.stations.iter().collect(),
            waits: &result.waits,
            threads: (0, 0),
        }
    }
}

impl<'a> From<&'a ExplainedOperation> for View<'a> {
    fn from(result: &'a ExplainedOperation) -> Self {
        View {
            duration: result.duration(),
            bottleneck: result.bottleneck.as_deref(),
            next: result.next_bottleneck.as_ref(),
            stages: &result.stages,
            stations: result.stations.iter().map(|s| &s.station).collect(),
            waits: &result.waits,
            threads: (0, 0),
        }
    }
}

/// Roles in the order in which data pass them.
const ROLES: [&str; 5] = ["source", "source and target", "processor", "target", "fixed cost"];
/// Names of stations printed in full up to this many characters.
const NAMES: usize = 20;

/// A stage that would save this share is what the operation is made of. Gains are means over a few
/// paired runs and can exceed a median.
const NEARLY_ALL: f64 = 0.95;

/// A gain of a smaller share is left out.
const WORTH_A_WORD: f64 = 0.01;

/// Stations of one role.
pub(crate) struct Group<'a> {
    pub(crate) role: &'static str,
    pub(crate) stations: Vec<&'a StationResult>,
}

impl Group<'_> {
    /// The busiest of them.
    pub(crate) fn busiest(&self) -> Option<&StationResult> {
        let by_utilization =
            |a: &&&StationResult, b: &&&StationResult| a.utilization.total_cmp(&b.utilization);
        self.stations.iter().max_by(by_utilization).copied()
    }

    /// Role and names: `source d1`.
    pub(crate) fn title(&self) -> String {
        match self.role {
            "processor" => self.role.to_string(),
            "fixed cost" => "fixed".to_string(),
            "source and target" => format!("source+target {}", self.names()),
            role => format!("{role} {}", self.names()),
        }
    }

    /// What it is called where its role is known: by its devices, counted if they are many.
    pub(crate) fn names(&self) -> String {
        if matches!(self.role, "processor" | "fixed cost") {
            return self.role.to_string();
        }
        let names: Vec<&str> = self.stations.iter().map(|s| s.name.as_str()).collect();
        let joined = names.join("+");
        match names.as_slice() {
            _ if joined.chars().count() <= NAMES => joined,
            [name] => super::cut(name, NAMES),
            _ => format!("{} devices", names.len()),
        }
    }
}

/// Users and other load in a sentence, if there is any.
pub(crate) fn other_load_sentence(all: &[OtherLoadResult]) -> Option<String> {
    let one = |other: &OtherLoadResult| format!("{} {}", other.station, percent(other.share));
    let listed: Vec<_> = all.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("{}: goes first, and counts as busy", listed.join(" | ")))
}

/// Users and other load, if there is any.
pub(super) fn other_load(all: &[OtherLoadResult]) -> String {
    other_load_sentence(all).map_or_else(String::new, |text| entry("Other load", &text))
}

impl View<'_> {
    /// Its stations by role, in the order in which data pass them.
    pub(crate) fn groups(&self) -> Vec<Group<'_>> {
        let group = |role| Group {
            role,
            stations: self.stations.iter().filter(|s| s.role == role).copied().collect(),
        };
        ROLES.into_iter().map(group).filter(|group| !group.stations.is_empty()).collect()
    }

    /// How busy each role is: `source d1 99 % | processor 24 % (0.9 of 4)`.
    pub(crate) fn stage_line(&self) -> String {
        let parts = self.groups().iter().filter_map(stage).collect::<Vec<_>>();
        parts.iter().map(|part| together(part)).collect::<Vec<_>>().join(" | ")
    }

    /// What limits the operation, in a sentence.
    pub(crate) fn bottleneck_sentence(&self) -> String {
        let (Some(name), Some(first)) = (self.bottleneck, self.stages.first()) else {
            return "not asked for".to_string();
        };
        let next = self.next.map_or_else(String::new, then);
        let what = self.stage_name(first);
        let is_station = first.name != "other jobs";
        if is_station && first.gain_seconds > NEARLY_ALL * self.duration.seconds {
            return format!("{what}: nearly all the time goes there{next}");
        }
        let faster = self.faster(first);
        match (name, first.name) {
            ("balanced", "buffers") => {
                format!("balanced; more buffers: {faster}{next}")
            }
            ("balanced", _) => {
                format!("balanced; without {what}: {faster}{next}")
            }
            (_, "buffers") => format!("too few buffers: {faster} with plenty{next}"),
            (_, "other jobs") => format!("{what}: {faster} without them{next}"),
            _ => format!("{what}: {faster} without it{next}"),
        }
    }

    /// What is saved if a stage costs nothing: the largest gains, as many as a line holds.
    pub(crate) fn gains(&self) -> String {
        let worth =
            |stage: &&StageResult| stage.gain_seconds >= WORTH_A_WORD * self.duration.seconds;
        let part = |stage: &StageResult| {
            let gain = stage.gain_seconds.min(self.duration.seconds);
            format!("{} {}", self.stage_name(stage), duration(gain))
        };
        let parts = self.stages.iter().filter(worth).map(part);
        let gains = super::joined_on_one_line(parts, " | ");
        if gains.is_empty() { "nothing worth a word".to_string() } else { gains }
    }

    fn faster(&self, stage: &StageResult) -> String {
        let gain = stage.gain_seconds.max(0.0);
        let share = if gain > 0.0 { gain / self.duration.seconds } else { 0.0 };
        together(&format!("{} ({}) faster", duration(gain), percent(share)))
    }

    /// A stage as a reader knows it: by its devices.
    pub(crate) fn stage_name(&self, stage: &StageResult) -> String {
        if stage.name == "buffers" {
            return "buffers".to_string();
        }
        let groups = self.groups();
        let group = groups.iter().find(|group| group.role == stage.name);
        together(&group.map_or_else(|| stage.name.to_string(), Group::names))
    }

    /// What the threads of a side waited for, by the server's names, longest first.
    pub(crate) fn waits_of(&self, side: &str) -> Option<String> {
        let of_side = || self.waits.iter().filter(|wait| wait.side == side);
        let all: f64 = of_side().map(|wait| wait.seconds).sum();
        let threads = if side == "source" { self.threads.0 } else { self.threads.1 };
        let worth = |wait: &&WaitResult| {
            wait.wait_type.is_some() && wait.state != "finished" && wait.seconds >= 0.01 * all
        };
        let mut waits: Vec<_> = of_side().filter(worth).collect();
        waits.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        let part = |wait: &&WaitResult| {
            let wait_type = wait.wait_type.unwrap_or_default();
            let what = wait.state.trim_start_matches("awaiting ");
            let what = what.trim_start_matches("a ").trim_start_matches("its ");
            format!("{wait_type} {} ({what})", duration(wait.seconds))
        };
        let who = if threads > 1 { format!("{side} x {threads}") } else { side.to_string() };
        let first = format!("{who}: {}", part(waits.first()?));
        let parts = std::iter::once(first).chain(waits.iter().skip(1).map(part));
        Some(super::joined_on_one_line(parts, ", "))
    }
}

/// What is busiest once the bottleneck is gone.
fn then(next: &NextBottleneckResult) -> String {
    if next.station == "fixed cost" && next.utilization > NEARLY_ALL {
        return "; then only the fixed cost is left".to_string();
    }
    let station = super::cut(&next.station, NAMES);
    let text = format!("{station} at {}", percent(next.utilization));
    format!("; then {}", together(&text))
}

/// One role's part of the stage line.
fn stage(group: &Group<'_>) -> Option<String> {
    let busiest = group.busiest()?;
    let busy = percent(busiest.utilization);
    let title = group.title();
    Some(match (group.role, group.stations.len()) {
        ("processor", _) => {
            let cores = busiest.utilization * f64::from(busiest.servers);
            format!("{title} {busy} ({cores:.1} of {})", busiest.servers)
        }
        (_, 1) => format!("{title} {busy}"),
        _ => format!("{title} up to {busy}"),
    })
}
