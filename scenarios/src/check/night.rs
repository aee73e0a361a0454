//! The jobs of a night as written: their servers, volumes, options and order.

use std::collections::BTreeMap;

use super::across::Across;
use crate::place::Place;
use crate::problem::{Problem, ProblemKind};
use crate::schema::DataSize;
use crate::tree::{self, Entry, Node, Table, Value};
use crate::words;

/// A job and its table.
type Job<'a> = (&'a str, &'a Entry, &'a Table);

impl<'a> Across<'a> {
    /// Whether the scenario is a night of jobs.
    fn has_jobs(&self) -> bool {
        self.root.contains_key("job") || self.root.contains_key("jobs")
    }

    /// Everything about jobs and servers.
    pub(super) fn night(&mut self) {
        if !self.has_jobs() {
            self.volumes_missing();
            return;
        }
        let entries = tree::entries_in_order(self.root, "job");
        let jobs: Vec<Job<'a>> = entries
            .into_iter()
            .filter_map(|(name, entry)| Some((name, entry, entry.node.table()?)))
            .collect();
        self.nothing_of_its_own(&jobs);
        self.servers();
        for job in &jobs {
            self.server_of(job);
            self.data_of(job);
            self.files_of(job);
            self.order_of(job);
        }
        self.no_circle(&jobs);
    }

    /// A scenario without jobs has volumes.
    fn volumes_missing(&mut self) {
        if self.root.contains_key("volume") {
            return;
        }
        let place = Place { source: crate::place::FILE, start: 0, end: 0 };
        let message = "`volume` is missing: source volumes, one reader each";
        let problem = Problem::new(ProblemKind::MissingKey, place, "volume", message.to_string())
            .accepted(
                "at least one table `[volume.NAME]`; or, for a night of backups, tables \
                 `[job.NAME]`, or `jobs`",
            );
        self.problems.report(problem);
    }

    /// What belongs to a scenario with one backup.
    fn nothing_of_its_own(&mut self, jobs: &[Job<'a>]) {
        for (key, instead) in [("volume", "`[job.NAME.volume.NAME]`"), ("beside", "`[job.NAME]`")] {
            let Some(entry) = self.root.get(key) else { continue };
            let message = format!("a night of jobs has no `{key}` beside them");
            let problem = Problem::new(ProblemKind::UnfitJob, entry.key_place, key, message);
            self.problems.report(problem.accepted(instead));
        }
        if let (Some(entry), true) = (self.root.get("job"), jobs.is_empty()) {
            let message = "a night needs at least one job".to_string();
            let kind = ProblemKind::MissingKey;
            let problem = Problem::new(kind, entry.key_place, "job.NAME", message);
            self.problems.report(problem.accepted("a table `[job.NAME]`"));
        }
    }

    fn servers(&mut self) {
        for (name, entry) in tree::entries_in_order(self.root, "server") {
            let Some(table) = entry.node.table() else { continue };
            if let Some((node, device)) = text_of(table, "device") {
                self.holds_data(device, node, &format!("server.{name}.device"));
            }
            let via = table.get("via").map_or(&[][..], |entry| entry.node.items());
            let path = format!("server.{name}.via");
            for node in via {
                let Some(link) = node.text() else { continue };
                let is_way =
                    matches!(self.law(link), Some("link" | "fixed_rate" | "capped") | None);
                if self.known(link, node, &path) && !is_way {
                    let message = format!(
                        "`{link}` on the way from `{}`: only a link or a cap can be on the way",
                        words::shown(name)
                    );
                    self.report(ProblemKind::UnfitDevice, node.place, &path, message);
                }
            }
        }
    }

    /// A device that is described and keeps something.
    fn holds_data(&mut self, device: &str, node: &Node, path: &str) {
        if self.known(device, node, path) && self.law(device) == Some("null") {
            let message = format!("data cannot be on `{device}`: NUL keeps nothing");
            self.report(ProblemKind::UnfitDevice, node.place, path, message);
        }
    }

    fn server_of(&mut self, (name, _, job): &Job<'a>) {
        let Some((node, server)) = text_of(job, "server") else { return };
        if tree::find(self.root, &["server", server]).is_some() {
            return;
        }
        let names: Vec<_> = tree::entries_in_order(self.root, "server");
        let names = || names.iter().map(|(known, _)| *known);
        let path = format!("job.{name}.server");
        let message = format!("`{}`: there is no server `{}`", path, words::shown(server));
        let near = words::nearest(server, names()).map(|near| format!("`\"{near}\"`"));
        let problem = Problem::new(ProblemKind::UnfitJob, node.place, &path, message)
            .found(node.shown())
            .accepted(words::listed(names()))
            .suggestion(near.or_else(|| Some(format!("`[server.{}]`", words::shown(server)))));
        self.problems.report(problem);
    }

    /// One size on one device, or volumes.
    fn data_of(&mut self, (name, entry, job): &Job<'a>) {
        let path = |key: &str| format!("job.{name}.{key}");
        let place = entry.key_place;
        let volumes = tree::entries_in_order(job, "volume");
        match (job.get("size"), volumes.is_empty()) {
            (None, true) => {
                let message = format!("job `{}` has no data", words::shown(name));
                let problem = Problem::new(ProblemKind::MissingKey, place, &path("size"), message);
                self.problems.report(problem.accepted("`size`, or tables `volume.NAME`"));
            }
            (Some(size), false) => {
                let message = "either `size`, or tables `volume.NAME`".to_string();
                self.report(ProblemKind::UnfitJob, size.key_place, &path("size"), message);
            }
            (Some(_), true) => self.device_of(name, place, job),
            (None, false) => {}
        }
        let mut sum = size_of(job);
        for (volume, entry) in volumes {
            let Some(table) = entry.node.table() else { continue };
            sum = sum.saturating_add(size_of(table));
            if let Some((node, device)) = text_of(table, "device") {
                self.holds_data(device, node, &path(&format!("volume.{volume}.device")));
            }
        }
        if sum > bakcast_models::quantity::Bytes::MAX.get() {
            let message = "all volumes together hold more than 1024 PiB".to_string();
            self.report(ProblemKind::OutOfRange, place, &path("volume"), message);
        }
    }

    /// The device of the one volume, be it named here or at the server.
    fn device_of(&mut self, name: &str, place: Place, job: &'a Table) {
        let path = format!("job.{name}.device");
        if let Some((node, device)) = text_of(job, "device") {
            self.holds_data(device, node, &path);
            return;
        }
        let server = text_of(job, "server").map(|(_, server)| server);
        let server = server.and_then(|name| tree::find(self.root, &["server", name])?.table());
        // A server that there is not is reported as such.
        let is_unknown = job.contains_key("server") && server.is_none();
        if is_unknown
            || job.contains_key("device")
            || server.is_some_and(|t| t.contains_key("device"))
        {
            return;
        }
        let message = format!("no device holds the database of job `{}`", words::shown(name));
        let problem = Problem::new(ProblemKind::MissingKey, place, &path, message);
        self.problems.report(problem.accepted("`device` of the job, or of its server"));
    }

    /// Backup files on devices that there are, with what compression and verification need.
    fn files_of(&mut self, (name, entry, job): &Job<'a>) {
        let common = tree::find(self.root, &["backup", "stripes"]);
        let own = tree::find(job, &["backup", "stripes"]);
        let path = format!("job.{name}.backup.stripes");
        for node in own.map_or(&[][..], Node::items) {
            if let Some(device) = node.text() {
                self.known(device, node, &path);
            }
        }
        let stripes = own.or(common).map_or(&[][..], Node::items);
        let to_nul = stripes.iter().filter_map(Node::text).any(|d| self.law(d) == Some("null"));
        let verify = job.get("verify").map(|entry| (&entry.node, "verify"));
        if let (Some((node, key)), true) = (verify, to_nul)
            && node.value == Value::Flag(true)
        {
            let message = "a backup written to NUL cannot be verified".to_string();
            let path = format!("job.{name}.{key}");
            self.report(ProblemKind::NotVerifiable, node.place, &path, message);
        }
        let flags = [tree::find(job, &["backup", "compression"]), self.common_compression()];
        let is_compressed =
            flags.iter().flatten().next().is_some_and(|node| node.value == Value::Flag(true));
        let is_described = tree::find(job, &["compression", "ratio"]).is_some()
            || self.root.contains_key("compression");
        if is_compressed && !is_described {
            let message = format!(
                "job `{}` is compressed: what does compression make of its data?",
                words::shown(name)
            );
            let place = flags[0].map_or(entry.key_place, |node| node.place);
            let path = format!("job.{name}.backup.compression");
            let problem = Problem::new(ProblemKind::NoCompression, place, &path, message)
                .accepted("a table `[compression]` with at least `ratio`, or a ratio of the job");
            self.problems.report(problem);
        }
    }

    fn common_compression(&self) -> Option<&'a Node> {
        tree::find(self.root, &["backup", "compression"])
    }

    /// Jobs before it that there are.
    fn order_of(&mut self, (name, _, job): &Job<'a>) {
        let after = job.get("after").map_or(&[][..], |entry| entry.node.items());
        for node in after {
            let Some(other) = node.text() else { continue };
            if tree::find(self.root, &["job", other]).is_some() {
                continue;
            }
            let names = tree::entries_in_order(self.root, "job");
            let near = words::nearest(other, names.iter().map(|(known, _)| *known));
            let path = format!("job.{name}.after");
            let message =
                format!("`{}`: there is no job `{}`", words::shown(&path), words::shown(other));
            let problem = Problem::new(ProblemKind::UnfitJob, node.place, &path, message)
                .found(node.shown())
                .accepted("names of other jobs")
                .suggestion(near.map(|near| format!("`\"{near}\"`")));
            self.problems.report(problem);
        }
    }

    /// No job waits for itself, be it by way of others.
    fn no_circle(&mut self, jobs: &[Job<'a>]) {
        let index: BTreeMap<&str, usize> =
            jobs.iter().enumerate().map(|(index, (name, ..))| (*name, index)).collect();
        let before = |(_, _, job): &Job<'a>| {
            let after = job.get("after").map_or(&[][..], |entry| entry.node.items());
            let known = after.iter().filter_map(Node::text).filter_map(|name| index.get(name));
            known.copied().collect::<Vec<_>>()
        };
        let before: Vec<Vec<usize>> = jobs.iter().map(before).collect();
        let mut later: Vec<Vec<usize>> = vec![Vec::new(); jobs.len()];
        let mut waits: Vec<usize> = before.iter().map(Vec::len).collect();
        for (job, before) in before.iter().enumerate() {
            before.iter().for_each(|other| later[*other].push(job));
        }
        let mut free: Vec<usize> = (0..jobs.len()).filter(|job| waits[*job] == 0).collect();
        while let Some(job) = free.pop() {
            for next in &later[job] {
                waits[*next] -= 1;
                if waits[*next] == 0 {
                    free.push(*next);
                }
            }
        }
        let Some(stuck) = waits.iter().position(|waits| *waits > 0) else { return };
        let (name, entry, job) = &jobs[stuck];
        let place = job.get("after").map_or(entry.key_place, |after| after.node.place);
        let path = format!("job.{name}.after");
        let message = format!("job `{}` waits for itself, by way of others", words::shown(name));
        let problem = Problem::new(ProblemKind::UnfitJob, place, &path, message);
        self.problems.report(problem.accepted("jobs that do not wait for it"));
    }

    /// The devices that jobs and servers name.
    pub(super) fn devices_of_the_night(&self) -> Vec<&'a str> {
        let mut names = Vec::new();
        for (_, entry) in tree::entries_in_order(self.root, "server") {
            let Some(table) = entry.node.table() else { continue };
            names.extend(text_of(table, "device").map(|(_, device)| device));
            let via = table.get("via").map_or(&[][..], |entry| entry.node.items());
            names.extend(via.iter().filter_map(Node::text));
        }
        for (_, entry) in tree::entries_in_order(self.root, "job") {
            let Some(table) = entry.node.table() else { continue };
            names.extend(text_of(table, "device").map(|(_, device)| device));
            let stripes = tree::find(table, &["backup", "stripes"]).map_or(&[][..], Node::items);
            names.extend(stripes.iter().filter_map(Node::text));
            let volumes = tree::entries_in_order(table, "volume").into_iter();
            let volumes = volumes.filter_map(|(_, entry)| text_of(entry.node.table()?, "device"));
            names.extend(volumes.map(|(_, device)| device));
        }
        names
    }
}

/// A text of a table, with its node.
fn text_of<'a>(table: &'a Table, key: &str) -> Option<(&'a Node, &'a str)> {
    let node = &table.get(key)?.node;
    let text = node.text()?;
    (!text.chars().any(words::is_hidden)).then_some((node, text))
}

/// The bytes of a `size`; nothing where there is none that can be read.
fn size_of(table: &Table) -> u64 {
    let size = table.get("size").and_then(|entry| entry.node.text());
    size.and_then(|text| text.parse::<DataSize>().ok()).map_or(0, |size| size.bytes().get())
}
