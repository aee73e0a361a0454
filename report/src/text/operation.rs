//! What the texts of `predict` and `explain` say alike about one operation.

use crate::document::{
    DurationResult, ExplainedOperation, NextBottleneckResult, PredictResult, StageResult,
    StationResult, VerifyResult, WaitResult,
};
use crate::number::{duration, percent};
use crate::text::together;

/// One operation, seen alike in every document.
pub(crate) struct View<'a> {
    pub(crate) duration: DurationResult,
    pub(crate) bottleneck: Option<&'a str>,
    pub(crate) next: Option<&'a NextBottleneckResult>,
    pub(crate) stages: &'a [StageResult],
    pub(crate) stations: Vec<&'a StationResult>,
    pub(crate) waits: &'a [WaitResult],
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
        }
    }
}

/// Roles in the order in which data pass them.
const ROLES: [&str; 5] = ["source", "source and target", "processor", "target", "fixed cost"];
/// Names of stations printed in full up to this many characters.
const NAMES: usize = 20;

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

    /// Role and names, the names counted where they are too many.
    pub(crate) fn title(&self) -> String {
        let names: Vec<&str> = self.stations.iter().map(|s| s.name.as_str()).collect();
        let names = names.join("+");
        match self.role {
            "processor" | "fixed cost" => self.role.to_string(),
            role if names.chars().count() <= NAMES => format!("{role} {names}"),
            role if self.stations.len() == 1 => format!("{role} {}", super::cut(&names, NAMES)),
            role => format!("{role}, {} devices", self.stations.len()),
        }
    }
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

    /// How busy each role is: `source d1 99 % | processor 24 % (0.9 of 4 cores)`.
    pub(crate) fn stage_line(&self) -> String {
        let parts = self.groups().iter().filter_map(stage).collect::<Vec<_>>();
        parts.iter().map(|part| together(part)).collect::<Vec<_>>().join(" | ")
    }

    /// What limits the operation, in a sentence.
    pub(crate) fn bottleneck_sentence(&self) -> String {
        let (Some(name), Some(first)) = (self.bottleneck, self.stages.first()) else {
            return "not asked for".to_string();
        };
        let saves = self.share_saved(first);
        let next = self.next.map_or_else(String::new, |next| {
            let busy = percent(next.utilization);
            let text = format!("{} {busy} busy", self.shown(&next.station));
            format!("; then {}", together(&text))
        });
        if name == "balanced" {
            let what = self.stage_name(first);
            return format!("balanced: no stage stands out; the most, {what}, would save {saves}{next}");
        }
        match first.name {
            "buffers" => format!("too few buffers: plenty would save {saves}{next}"),
            _ => {
                let what = self.stage_name(first);
                format!("{what}: would save {saves} if it cost no time{next}")
            }
        }
    }

    /// What each stage's removal gains, those worth a word.
    pub(crate) fn gains(&self) -> String {
        let worth = |stage: &&StageResult| stage.gain_seconds >= 0.005 * self.duration.seconds;
        let part = |stage: &StageResult| {
            together(&format!("{} {}", self.stage_name(stage), duration(stage.gain_seconds)))
        };
        let parts: Vec<_> = self.stages.iter().filter(worth).map(part).collect();
        if parts.is_empty() { "nothing worth a word".to_string() } else { parts.join(" | ") }
    }

    fn share_saved(&self, stage: &StageResult) -> String {
        let share = stage.gain_seconds / self.duration.seconds.max(f64::MIN_POSITIVE);
        together(&format!("{} ({})", duration(stage.gain_seconds.max(0.0)), percent(share)))
    }

    /// A stage as a reader knows it: by its devices.
    pub(crate) fn stage_name(&self, stage: &StageResult) -> String {
        if stage.name == "buffers" {
            return together("more buffers");
        }
        let groups = self.groups();
        let group = groups.iter().find(|group| group.role == stage.name);
        together(&group.map_or_else(|| stage.name.to_string(), Group::title))
    }

    fn shown(&self, station: &str) -> String {
        super::cut(station, NAMES)
    }

    /// What the threads of a side waited for, by the server's names, longest first.
    pub(crate) fn waits_of(&self, side: &str) -> Option<String> {
        let mut waits: Vec<_> =
            self.waits.iter().filter(|w| w.side == side && w.wait_type.is_some()).collect();
        waits.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        let part = |wait: &&WaitResult| {
            let wait_type = wait.wait_type.unwrap_or_default();
            let what = wait.state.trim_start_matches("awaiting ");
            together(&format!("{wait_type} {} ({what})", duration(wait.seconds)))
        };
        let parts: Vec<_> = waits.iter().take(2).map(part).collect();
        (!parts.is_empty()).then(|| format!("{side}: {}", parts.join(", ")))
    }
}

/// One role's part of the stage line.
fn stage(group: &Group<'_>) -> Option<String> {
    let busiest = group.busiest()?;
    let busy = percent(busiest.utilization);
    let title = group.title();
    Some(match (group.role, group.stations.len()) {
        ("processor", _) => {
            let cores = busiest.utilization * f64::from(busiest.servers);
            let unit = if busiest.servers == 1 { "core" } else { "cores" };
            format!("{title} {busy} ({cores:.1} of {} {unit})", busiest.servers)
        }
        (_, 1) => format!("{title} {busy}"),
        _ => format!("{title} {busy} (the busiest)"),
    })
}
