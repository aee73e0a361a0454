//! From the path of a backup file to the device it lies on.
//!
//! `[paths]` maps beginnings of paths; the longest that fits wins, whatever its case. A path that
//! begins with the name of a device and a colon (`d1:\`, and any drive letter) needs no entry, nor
//! does NUL if the scenario has a null device, nor a backup device that is called as ours is.

use std::collections::BTreeSet;

use crate::schema::Scenario;

use super::model::{Statement, StatementForm, Target, TargetKind};

/// What separates the parts of a path here.
const SEPARATOR: char = '\\';

/// The device a target lies on, by its name.
pub(super) fn device_of(scenario: &Scenario, target: &Target) -> Option<String> {
    let path = plain(&target.path);
    let is_nul = is_nul(target);
    let begins = scenario.paths.iter().filter_map(|(begin, device)| {
        let begin = plain(begin);
        let fits = if is_nul { is_nul_name(&begin) } else { is_within(&path, &begin) };
        fits.then_some((begin.chars().count(), device))
    });
    if let Some((_, device)) = begins.max_by_key(|(length, _)| *length) {
        return Some(device.clone());
    }
    if is_nul {
        let mut nulls = scenario.device.iter().filter(|(_, device)| device.null.is_some());
        return nulls.next().map(|(name, _)| name.clone());
    }
    let by_name = match target.kind {
        TargetKind::Disk => path.split_once(':').map(|(name, _)| name),
        TargetKind::Url => None,
        TargetKind::Tape | TargetKind::Virtual | TargetKind::Logical => Some(path.as_str()),
    };
    let name = by_name?;
    scenario.device.keys().find(|device| device.to_lowercase() == name).cloned()
}

impl Scenario {
    /// The device that a path of a backup file leads to, a URL included; `None`: no line of
    /// `[paths]` and no device's name fits.
    #[must_use]
    pub fn device_of_path(&self, path: &str) -> Option<String> {
        let kind = if path.contains("://") { TargetKind::Url } else { TargetKind::Disk };
        device_of(self, &Target { kind, path: path.to_string(), span: 0..0 })
    }
}

/// Whether a backup goes nowhere.
pub(super) fn is_nul(target: &Target) -> bool {
    target.kind == TargetKind::Disk && is_nul_name(&plain(&target.path))
}

fn is_nul_name(path: &str) -> bool {
    matches!(path, "nul" | "nul:" | r"\\.\nul")
}

/// Whether a statement reads other files than a backup writes; of a tool, only folders are known.
pub(super) fn are_others(reading: &Statement, backup: &Statement) -> bool {
    if backup.form != StatementForm::Sql || reading.form != StatementForm::Sql {
        return false;
    }
    let known = |target: &&Target| !target.path.is_empty();
    let files = |statement: &Statement| {
        let targets = statement.targets.iter().filter(known);
        targets.map(|target| (target.kind, plain(&target.path))).collect::<BTreeSet<_>>()
    };
    let (read, written) = (files(reading), files(backup));
    let kinds = || read.iter().chain(&written).map(|(kind, _)| *kind);
    // A device by its name may be any file.
    kinds().all(|kind| kind != TargetKind::Logical) && read != written
}

/// A path in small letters, with one sort of separator and none at its end, without the scheme of
/// an address or the prefix of a long path.
fn plain(path: &str) -> String {
    let path = path.trim().to_lowercase().replace('/', r"\");
    let path = path.strip_prefix(r"\\?\").unwrap_or(&path);
    let path = ["https:", "http:", "s3:"].iter().fold(path, |path, scheme| {
        path.strip_prefix(scheme).and_then(|rest| rest.strip_prefix(r"\\")).unwrap_or(path)
    });
    path.trim_end_matches(SEPARATOR).to_string()
}

/// Whether a path is `begin` or lies below it.
fn is_within(path: &str, begin: &str) -> bool {
    let Some(rest) = path.strip_prefix(begin).filter(|_| !begin.is_empty()) else { return false };
    rest.is_empty() || rest.starts_with(SEPARATOR) || begin.ends_with(':')
}

/// What a line of `[paths]` for a target would begin with: drive, server and share, host or name.
pub(super) fn beginning(target: &Target) -> String {
    let path = target.path.trim();
    if is_nul(target) {
        return "NUL".to_string();
    }
    match target.kind {
        TargetKind::Url => {
            let rest = path.split_once("://").map_or(path, |(_, rest)| rest);
            rest.split('/').next().unwrap_or(rest).to_string()
        }
        TargetKind::Disk if path.starts_with(r"\\") => {
            let parts = path.trim_start_matches(SEPARATOR).split(SEPARATOR).take(2);
            format!(r"\\{}", parts.collect::<Vec<_>>().join(r"\"))
        }
        TargetKind::Disk => match path.split_once(':') {
            Some((drive, _)) => format!("{drive}:"),
            None => path.split(['\\', '/']).next().unwrap_or(path).to_string(),
        },
        TargetKind::Tape | TargetKind::Virtual | TargetKind::Logical => path.to_string(),
    }
}
