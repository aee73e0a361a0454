//! What spans several values: devices that are named, laws that exclude each other, sums.
//!
//! Values that are wrong by themselves are reported elsewhere and passed over here.

use std::collections::BTreeSet;

use bakcast_models::quantity::Bytes;

use super::capped;
use super::jobs::{self, Job};
use crate::place::{FILE, Place};
use crate::problem::{Problem, ProblemKind, Problems};
use crate::schema::DataSize;
use crate::shape::Quantity;
use crate::tree::{self, Entry, Node, Table, Value};
use crate::words;

/// The tables of a device of which exactly one must be there.
pub(crate) const LAWS: [&str; 6] =
    ["spindle", "solid_state", "link", "fixed_rate", "capped", "null"];

/// Longest name of a database (the vendor's `sysname`).
const LONGEST_DATABASE_NAME: usize = 128;

/// Values whose type allows zero, where zero makes no sense: a divisor, or pauses without end.
const NOT_ZERO: [(&[&str], Quantity, &str); 5] = [
    (
        &["spindle", "capacity"],
        Quantity::Bytes,
        "a capacity above 0 B; leave it out if it does not matter",
    ),
    (&["spindle", "inner_rate"], Quantity::Fraction, "a share above 0 %"),
    (
        &["solid_state", "stall", "every"],
        Quantity::Bytes,
        "an amount above 0 B; leave `stall` out for no pauses",
    ),
    (
        &["capped", "burst", "credit"],
        Quantity::Bytes,
        "an amount above 0 B; leave `burst` out if there is none",
    ),
    (&["capped", "operations", "size"], Quantity::Bytes, "an amount above 0 B"),
];

/// Reports what does not fit together.
pub(super) fn check(root: &Table, problems: &mut Problems) {
    let devices = tree::entries_in_order(root, "device");
    let jobs = jobs::of(root);
    let mut check = Across { root, devices, problems };
    check.presence(&jobs);
    check.devices();
    check.volumes(&jobs);
    check.stripes(&jobs);
    check.paths();
    check.compression(&jobs);
    jobs::refuse_too_many(&jobs, check.problems);
    check.verify();
    check.restore();
    check.database_name();
    check.night();
    check.users_of_processors();
    check.unused_devices(&jobs);
}

pub(super) struct Across<'a> {
    pub(super) root: &'a Table,
    /// In the order in which they were written.
    devices: Vec<(&'a str, &'a Entry)>,
    pub(super) problems: &'a mut Problems,
}

impl<'a> Across<'a> {
    pub(super) fn report(&mut self, kind: ProblemKind, place: Place, path: &str, message: String) {
        self.problems.report(Problem::new(kind, place, path, message));
    }

    fn device(&self, name: &str) -> Option<&'a Table> {
        tree::find(self.root, &["device", name])?.table()
    }

    /// The only law of a device; `None` for no device, no law or several.
    pub(super) fn law(&self, device: &str) -> Option<&'static str> {
        let table = self.device(device)?;
        let mut laws = LAWS.into_iter().filter(|law| table.contains_key(*law));
        laws.next().filter(|_| laws.next().is_none())
    }

    /// Tables that are there but empty.
    fn presence(&mut self, jobs: &[Job<'a>]) {
        let volumes = jobs.iter().map(|job| (job.table, job.path("volume"), "source volume"));
        let devices = (self.root, "device".to_string(), "device");
        for (table, path, what) in volumes.chain([devices]) {
            let key = path.rsplit('.').next().unwrap_or_default();
            let Some(entry) = table.get(key) else { continue };
            if entry.node.table().is_some_and(Table::is_empty) {
                let who = if path == key { "a scenario" } else { "a backup" };
                let problem = Problem::new(
                    ProblemKind::MissingKey,
                    entry.key_place,
                    &format!("{path}.NAME"),
                    format!("{who} needs at least one {what}"),
                );
                self.problems.report(problem.accepted(format!("a table `[{path}.NAME]`")));
            }
        }
    }

    fn devices(&mut self) {
        for (name, entry) in self.devices.clone() {
            let Some(table) = entry.node.table() else { continue };
            self.exactly_one_law(name, entry.key_place, table);
            self.nothing_zero(name, table);
            self.users_of_device(name, table);
            if let Some(problem) = capped::burst_below_rate(name, table) {
                self.problems.report(problem);
            }
            self.way(name, table);
        }
    }

    fn exactly_one_law(&mut self, name: &str, place: Place, table: &Table) {
        let mut laws: Vec<_> = LAWS.into_iter().filter(|law| table.contains_key(*law)).collect();
        laws.sort_by_key(|law| table.get(*law).map(|entry| entry.key_place));
        let path = format!("device.{name}");
        match laws.as_slice() {
            [_] => {}
            // Like nothing that there is: reported with its name.
            [] if table.contains_key("like") => {}
            [] => {
                let choice = LAWS.map(|law| format!("`[{path}.{law}]`")).join(", ");
                let message = format!("device `{}` has no law: what is it?", words::shown(name));
                let problem = Problem::new(ProblemKind::NoLaw, place, &path, message);
                self.problems.report(problem.accepted(format!("one of {choice}, or `like`")));
            }
            [first, others @ ..] => {
                for other in others {
                    let place = table.get(*other).map_or(place, |entry| entry.key_place);
                    let message = format!(
                        "two devices of one name: `{}` is a `{first}` and a `{other}`",
                        words::shown(name)
                    );
                    let path = format!("{path}.{other}");
                    let problem = Problem::new(ProblemKind::SeveralLaws, place, &path, message)
                        .accepted("exactly one law; give the other device another name");
                    self.problems.report(problem);
                }
            }
        }
    }

    fn nothing_zero(&mut self, name: &str, table: &Table) {
        for (keys, quantity, accepted) in NOT_ZERO {
            let Some(node) = tree::find(table, keys) else { continue };
            let value = node.text().and_then(|text| quantity.read(text).ok());
            if value.is_some_and(|value| value <= 0.0) {
                let path = format!("device.{name}.{}", keys.join("."));
                let message = format!("`{}` cannot be {}", words::shown(&path), node.shown());
                let problem = Problem::new(ProblemKind::OutOfRange, node.place, &path, message)
                    .found(node.shown())
                    .accepted(accepted);
                self.problems.report(problem);
            }
        }
    }

    /// The links and caps on the way to a device.
    fn way(&mut self, name: &str, table: &Table) {
        let Some(via) = table.get("via") else { return };
        let path = format!("device.{name}.via");
        let mut before = BTreeSet::new();
        for node in via.node.items() {
            let Some(link) = node.text() else { continue };
            if !self.known(link, node, &path) {
                continue;
            }
            let fault = if link == name {
                Some("a device is not on the way to itself")
            } else if before.contains(link) {
                Some("it is named twice")
            } else if !matches!(self.law(link), Some("link" | "fixed_rate" | "capped") | None) {
                Some("only a link or a cap (fixed_rate, capped) can be on the way")
            } else if self.has_a_way(link) {
                Some("it has a way of its own; name every link of the way here")
            } else {
                None
            };
            if let Some(fault) = fault {
                let message = format!("`{}` on the way to `{}`: {fault}", link, words::shown(name));
                self.report(ProblemKind::UnfitDevice, node.place, &path, message);
            }
            before.insert(link);
        }
    }

    fn has_a_way(&self, device: &str) -> bool {
        let via = self.device(device).and_then(|table| table.get("via"));
        via.is_some_and(|entry| !entry.node.items().is_empty())
    }

    /// Reports a device that is named but not described.
    pub(super) fn known(&mut self, name: &str, node: &Node, path: &str) -> bool {
        if tree::find(self.root, &["device", name]).is_some() {
            return true;
        }
        let names = || self.devices.iter().map(|(known, _)| *known);
        let near = words::nearest(name, names());
        let message =
            format!("`{}`: there is no device `{}`", words::shown(path), words::shown(name));
        let problem = Problem::new(ProblemKind::UnknownDevice, node.place, path, message)
            .found(node.shown())
            .accepted(words::listed(names()))
            .suggestion(near.map(|near| format!("`\"{near}\"`")));
        self.problems.report(problem);
        false
    }

    fn volumes(&mut self, jobs: &[Job<'a>]) {
        let mut sum: u64 = 0;
        let volumes = jobs.iter().flat_map(|job| job.volumes().map(move |volume| (job, volume)));
        for (job, (name, entry)) in volumes {
            let Some(table) = entry.node.table() else { continue };
            let device = table.get("device").map(|entry| &entry.node);
            let path = job.path(&format!("volume.{name}.device"));
            let device = device.and_then(|node| Some((node, node.text()?)));
            if let Some((node, device)) = device
                && !device.chars().any(words::is_hidden)
                && self.known(device, node, &path)
                && self.law(device) == Some("null")
            {
                let message = format!("volume `{name}` cannot be on `{device}`: NUL keeps nothing");
                self.report(ProblemKind::UnfitDevice, node.place, &path, message);
            }
            let size = table.get("size").map(|entry| &entry.node);
            let bytes = size.and_then(Node::text).and_then(|text| text.parse::<DataSize>().ok());
            sum = sum.saturating_add(bytes.map_or(0, |size| size.bytes().get()));
            if sum > Bytes::MAX.get()
                && let Some(node) = size
            {
                let message = "all volumes together hold more than 1024 PiB".to_string();
                self.report(ProblemKind::OutOfRange, node.place, &job.path("volume"), message);
                return;
            }
        }
    }

    fn stripes(&mut self, jobs: &[Job<'a>]) {
        for job in jobs {
            for node in job.stripes() {
                if let Some(name) = node.text() {
                    self.known(name, node, &job.path("backup.stripes"));
                }
            }
        }
    }

    /// Devices that paths of statements lie on.
    fn paths(&mut self) {
        let Some(paths) = tree::find(self.root, &["paths"]).and_then(Node::table) else { return };
        for (begin, entry) in paths {
            if let Some(name) = entry.node.text() {
                self.known(name, &entry.node, &format!("paths.{begin}"));
            }
        }
    }

    /// A job that is compressed needs to know what comes of it: by itself, or from the scenario.
    fn compression(&mut self, jobs: &[Job<'a>]) {
        for job in jobs {
            let Some(node) = tree::find(job.table, &["backup", "compression"]) else { continue };
            let is_described = [job.table, self.root].iter().any(|t| t.contains_key("compression"));
            if node.value != Value::Flag(true) || is_described {
                continue;
            }
            let message = "the backup is compressed, but there is no `[compression]`: what does \
                           compression make of these data?"
                .to_string();
            let path = job.path("backup.compression");
            let problem = Problem::new(ProblemKind::NoCompression, node.place, &path, message)
                .accepted("a table `[compression]` with at least `ratio`")
                .suggestion(Some("`[compression]`, then `ratio = 3.0`".to_string()));
            self.problems.report(problem);
        }
    }

    /// A verification that is asked for by name where a stripe goes to NUL.
    fn verify(&mut self) {
        let (kind, accepted) = (ProblemKind::NotVerifiable, "`false`, or no `enabled` at all");
        self.refuse_nul("verify", kind, "verified", accepted);
    }

    /// A restore where a stripe goes to NUL.
    fn restore(&mut self) {
        let (kind, accepted) = (ProblemKind::NotRestorable, "`false`, or another device");
        self.refuse_nul("restore", kind, "restored", accepted);
    }

    /// Reports an operation that is asked for by name and needs backup files, where there are none.
    fn refuse_nul(&mut self, operation: &str, kind: ProblemKind, done: &str, accepted: &str) {
        let Some(enabled) = tree::find(self.root, &[operation, "enabled"]) else { return };
        let Some(stripes) = tree::find(self.root, &["backup", "stripes"]) else { return };
        let mut names = stripes.items().iter().filter_map(Node::text);
        let nul = names.find(|name| self.law(name) == Some("null"));
        if let (Value::Flag(true), Some(nul)) = (&enabled.value, nul) {
            let message = format!("a backup written to NUL (`{nul}`) cannot be {done}");
            let path = format!("{operation}.enabled");
            let problem = Problem::new(kind, enabled.place, &path, message);
            self.problems.report(problem.accepted(accepted));
        }
    }

    fn database_name(&mut self) {
        let Some(node) = tree::find(self.root, &["database", "name"]) else { return };
        let Some(name) = node.text() else { return };
        let length = name.encode_utf16().count();
        if length == 0 || length > LONGEST_DATABASE_NAME {
            let message = format!("{} cannot be the name of a database", node.shown());
            let problem =
                Problem::new(ProblemKind::OutOfRange, node.place, "database.name", message)
                    .found(node.shown())
                    .accepted(format!("1 to {LONGEST_DATABASE_NAME} characters"));
            self.problems.report(problem);
        }
    }

    /// A device that only assignments describe and nothing uses is a misspelled name.
    fn unused_devices(&mut self, jobs: &[Job<'a>]) {
        let is_assigned = |entry: &Entry| entry.key_place.source != FILE;
        let (assigned, written): (Vec<_>, Vec<_>) =
            self.devices.iter().copied().partition(|(_, entry)| is_assigned(entry));
        if assigned.is_empty() {
            return;
        }
        let used = self.used_devices(jobs);
        for (name, entry) in assigned {
            if used.contains(name) {
                continue;
            }
            let near = words::nearest(name, written.iter().map(|(name, _)| *name));
            let message =
                format!("no volume, stripe or way uses the device `{}`", words::shown(name));
            let path = format!("device.{name}");
            let problem = Problem::new(ProblemKind::UnusedDevice, entry.key_place, &path, message)
                .suggestion(near.map(|near| format!("`device.{near}`")));
            self.problems.report(problem);
        }
    }

    fn used_devices(&self, jobs: &[Job<'a>]) -> BTreeSet<&'a str> {
        let of_volumes = jobs.iter().flat_map(Job::volumes).filter_map(|(_, entry)| {
            entry.node.table()?.get("device").and_then(|entry| entry.node.text())
        });
        let stripes = jobs.iter().flat_map(Job::stripes);
        let ways = self.devices.iter().flat_map(|(_, entry)| {
            let via = entry.node.table().and_then(|table| table.get("via"));
            via.map_or(&[][..], |entry| entry.node.items())
        });
        let paths = tree::find(self.root, &["paths"]).and_then(Node::table);
        let of_paths = paths.into_iter().flat_map(Table::values).map(|entry| &entry.node);
        let of_jobs = self.devices_of_the_night();
        let texts = stripes.chain(ways).chain(of_paths).filter_map(Node::text);
        of_volumes.chain(texts).chain(of_jobs).collect()
    }
}
