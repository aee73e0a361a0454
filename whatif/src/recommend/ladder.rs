//! From the present settings to the choice, one change at a time, and the step beyond.

use std::sync::Arc;

use super::lattice::Settings;
use super::limit::memory_of;
use super::search::{Candidate, Search};
use crate::paired::Paired;
use crate::runner::{Cancelled, GoOn, Ran};

/// A knob that is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knob {
    /// COMPRESSION.
    Compression,
    /// Files and their devices.
    Stripes,
    /// BUFFERCOUNT.
    BufferCount,
    /// MAXTRANSFERSIZE.
    TransferSize,
}

const KNOBS: [Knob; 4] = [Knob::Compression, Knob::Stripes, Knob::BufferCount, Knob::TransferSize];

/// One change on the way.
#[derive(Debug, Clone)]
pub struct Rung {
    /// What is changed.
    pub knob: Knob,
    /// The settings then.
    pub settings: Settings,
    /// What they come to.
    pub ran: Arc<Ran>,
    /// Against the settings before.
    pub paired: Option<Paired>,
}

/// The next step beyond the choice.
#[derive(Debug, Clone)]
pub struct Beyond {
    /// The settings then.
    pub settings: Settings,
    /// What they come to.
    pub ran: Arc<Ran>,
    /// Against the choice.
    pub paired: Option<Paired>,
    /// Whether they keep all limits.
    pub keeps: bool,
}

fn with(settings: &Settings, knob: Knob, other: &Settings) -> Settings {
    let mut changed = settings.clone();
    match knob {
        Knob::Compression => changed.compression = other.compression,
        Knob::Stripes => changed.stripes.clone_from(&other.stripes),
        Knob::BufferCount => changed.buffer_count = other.buffer_count,
        Knob::TransferSize => changed.transfer_bytes = other.transfer_bytes,
    }
    changed
}

/// The way to the choice, each time by the change that gains most.
pub(super) fn climb(
    search: &Search<'_>,
    choice: &Candidate,
    go_on: GoOn<'_>,
) -> Result<Vec<Rung>, Cancelled> {
    let mut at = search.present.clone();
    let mut rungs = Vec::new();
    let mut left: Vec<Knob> = KNOBS.to_vec();
    left.retain(|knob| with(&at.settings, *knob, &choice.settings) != at.settings);
    while !left.is_empty() {
        let next: Vec<Settings> =
            left.iter().map(|knob| with(&at.settings, *knob, &choice.settings)).collect();
        let Some(best) = search.best_in_full(&next, go_on)? else { break };
        let place = next.iter().position(|settings| *settings == best.settings).unwrap_or(0);
        let knob = left.remove(place);
        let paired = search.against(&best, &at);
        rungs.push(Rung {
            knob,
            settings: best.settings.clone(),
            ran: Arc::clone(&best.ran),
            paired,
        });
        at = best;
    }
    Ok(rungs)
}

/// The step that gains most: the next larger value of one knob, or the best that was found, if it
/// takes more memory.
pub(super) fn beyond(
    search: &Search<'_>,
    choice: &Candidate,
    best: &Candidate,
    go_on: GoOn<'_>,
) -> Result<Option<Beyond>, Cancelled> {
    let larger = search.best_in_full(&larger(search, choice), go_on)?;
    let beyond = (memory_of(&best.ran) > memory_of(&choice.ran)).then(|| best.clone());
    let found = larger.into_iter().chain(beyond).min_by(|a, b| a.score.total_cmp(&b.score));
    Ok(found.map(|candidate| Beyond {
        paired: search.against(&candidate, choice),
        keeps: search.keeps(&candidate.ran),
        settings: candidate.settings,
        ran: candidate.ran,
    }))
}

/// The next larger values, one knob each.
fn larger(search: &Search<'_>, choice: &Candidate) -> Vec<Settings> {
    let buffers = choice.ran.loaded.resolved.backup.buffers;
    let settings = &choice.settings;
    let mut all = Vec::new();
    let counts = search.lattice.buffer_counts.iter().flatten();
    if let Some(count) = counts.copied().find(|count| *count > buffers.count) {
        all.push(Settings { buffer_count: Some(count), ..settings.clone() });
    }
    let sizes = search.lattice.transfer_bytes.iter().flatten();
    if let Some(bytes) = sizes.copied().find(|bytes| *bytes > buffers.transfer_size.get()) {
        all.push(Settings { transfer_bytes: Some(bytes), ..settings.clone() });
    }
    let more = search.lattice.stripes.iter().filter(|s| s.len() > settings.stripes.len());
    if let Some(stripes) = more.min_by_key(|stripes| stripes.len()) {
        all.push(Settings { stripes: stripes.clone(), ..settings.clone() });
    }
    all
}
