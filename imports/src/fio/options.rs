//! Options of a job: its own win over the global ones.
//!
//! Sizes have fio's own prefixes: with `kb_base=1024`, the default, `k` is 1024 and `Ki` is 1000;
//! with `kb_base=1000` it is the other way round.

use serde_json::{Map, Value};

use crate::figure::{leading, whole};
use crate::finding::{Direction, Pattern};

/// Engines that have one access under way whatever the depth.
const SYNCHRONOUS: [&str; 8] =
    ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "ftruncate"];

/// The options of one job.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options<'a> {
    job: Option<&'a Map<String, Value>>,
    global: Option<&'a Map<String, Value>>,
}

impl<'a> Options<'a> {
    pub(super) fn new(job: &'a Value, report: &'a Value) -> Self {
        let map = |value: &'a Value, key| value.get(key).and_then(Value::as_object);
        let global = map(report, "global options").or(map(job, "global options"));
        Self { job: map(job, "job options"), global }
    }

    /// Whether the file says any.
    pub(super) fn said(&self) -> bool {
        [self.job, self.global].into_iter().flatten().any(|map| !map.is_empty())
    }

    /// An option by any of its names, with where it stands.
    pub(super) fn find(&self, names: &[&str]) -> Option<(&'static str, String)> {
        let sections = [("job options", self.job), ("global options", self.global)];
        sections.into_iter().find_map(|(section, map)| {
            let value = names.iter().find_map(|name| map?.get(*name))?;
            let text = match value {
                Value::String(text) => text.trim().to_string(),
                Value::Null => String::new(),
                other => other.to_string(),
            };
            Some((section, text))
        })
    }

    fn text(&self, names: &[&str]) -> Option<String> {
        self.find(names).map(|(_, text)| text)
    }

    fn number(&self, names: &[&str]) -> Option<u32> {
        self.text(names)?.split(',').next()?.trim().parse().ok()
    }

    /// An option without a value, or with one that is not 0.
    fn flag(&self, names: &[&str]) -> Option<bool> {
        self.text(names).map(|text| text != "0")
    }

    fn size(&self, text: &str) -> Option<u64> {
        size(text, self.number(&["kb_base"]) == Some(1000))
    }

    /// Order of the accesses.
    pub(super) fn pattern(&self) -> Pattern {
        match self.text(&["rw", "readwrite"]) {
            Some(text) if text.starts_with("rand") => Pattern::Random,
            Some(_) if self.number(&["percentage_random"]).is_some_and(|share| share > 0) => {
                Pattern::Random
            }
            Some(text) if ["read", "write", "rw", "trim"].iter().any(|w| text.starts_with(w)) => {
                Pattern::Sequential
            }
            Some(_) | None => Pattern::Unknown,
        }
    }

    /// Bytes of an access in one direction; `None` if they differ from access to access, or if the
    /// file does not say any option.
    pub(super) fn block(&self, direction: Direction) -> Option<u64> {
        if self.find(&["bssplit", "bsrange", "blocksize_range"]).is_some() {
            return None;
        }
        let Some(text) = self.text(&["bs", "blocksize"]) else {
            return self.said().then_some(4096);
        };
        // Read, write, trim: what is left out is as the one before.
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let place = usize::from(direction == Direction::Write).min(parts.len() - 1);
        let part = if parts[place].is_empty() { parts[0] } else { parts[place] };
        match part.split_once('-') {
            None => self.size(part),
            Some((least, most)) => self.size(least).filter(|bytes| self.size(most) == Some(*bytes)),
        }
    }

    /// Accesses under way at once, and whether the engine ignores a larger depth.
    pub(super) fn depth(&self) -> (Option<u32>, bool) {
        let asked = self.number(&["iodepth"]).or(self.said().then_some(1));
        let engine = self.text(&["ioengine"]).unwrap_or_default();
        if SYNCHRONOUS.contains(&engine.as_str()) {
            return (Some(1), asked.is_some_and(|depth| depth > 1));
        }
        (asked, false)
    }

    /// Whether the cache of the system was passed by.
    pub(super) fn direct(&self) -> Option<bool> {
        let buffered = self.flag(&["buffered"]).map(|buffered| !buffered);
        self.flag(&["direct"]).or(buffered).or(self.said().then_some(false))
    }

    /// Bytes of the file.
    pub(super) fn file_bytes(&self) -> Option<u64> {
        self.size(&self.text(&["size", "filesize"])?)
    }

    /// Jobs that were asked for.
    pub(super) fn jobs(&self) -> u32 {
        self.number(&["numjobs"]).unwrap_or(1).max(1)
    }

    /// What was measured.
    pub(super) fn target(&self) -> Option<String> {
        self.text(&["filename", "directory"]).filter(|text| !text.is_empty())
    }

    /// An option that holds the rate down.
    pub(super) fn limit(&self) -> Option<String> {
        ["rate", "rate_iops", "thinktime"].iter().find_map(|name| {
            let text = self.text(&[name])?;
            let none = text.split(',').all(|part| matches!(part.trim(), "" | "0"));
            (!none).then(|| format!("{name}={text}"))
        })
    }
}

/// Bytes of a size in fio's notation.
fn size(text: &str, decimal: bool) -> Option<u64> {
    let (number, rest) = leading(text)?;
    let rest = rest.trim().to_ascii_lowercase();
    let power = match rest.bytes().next() {
        None | Some(b'b') => 0,
        Some(b'k') => 1,
        Some(b'm') => 2,
        Some(b'g') => 3,
        Some(b't') => 4,
        Some(b'p') => 5,
        Some(_) => return None,
    };
    let binary_prefix = rest.as_bytes().get(1) == Some(&b'i');
    let base: f64 = if decimal == binary_prefix { 1024.0 } else { 1000.0 };
    whole((0..power).fold(number, |bytes, _| bytes * base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(json: &str) -> Value {
        serde_json::from_str(json).expect("JSON")
    }

    #[test]
    fn sizes_follow_the_base() {
        for text in ["4k", "4K", "4096", "4096B", "4KB"] {
            assert_eq!(size(text, false), Some(4096), "{text}");
        }
        assert_eq!((size("1M", false), size("1Mi", false)), (Some(1 << 20), Some(1_000_000)));
        assert_eq!((size("1M", true), size("1MiB", true)), (Some(1_000_000), Some(1 << 20)));
        assert_eq!((size("100%", false), size("", false)), (None, None));
    }

    #[test]
    fn blocks_differ_by_direction() {
        for (bs, read, write) in [
            ("64k,1M", Some(65_536), Some(1 << 20)),
            ("4k-4k", Some(4096), Some(4096)),
            ("4096B-4096B,64k-64k", Some(4096), Some(65_536)),
            ("4k-64k", None, None),
            ("1M", Some(1 << 20), Some(1 << 20)),
        ] {
            let job = options(&format!(r#"{{"job options": {{"bs": "{bs}"}}}}"#));
            let found = Options::new(&job, &job);
            let blocks = [Direction::Read, Direction::Write].map(|way| found.block(way));
            assert_eq!(blocks, [read, write], "{bs}");
        }
    }

    #[test]
    fn the_job_wins_over_the_global_options() {
        let report = options(r#"{"global options": {"rw": "randread", "direct": "1"}}"#);
        let job = options(r#"{"job options": {"rw": "read:8", "iodepth": 4}}"#);
        let found = Options::new(&job, &report);
        assert_eq!(found.pattern(), Pattern::Sequential);
        assert_eq!((found.direct(), found.depth()), (Some(true), (Some(4), false)));
        assert_eq!(found.block(Direction::Read), Some(4096));
        let nothing = options("{}");
        let found = Options::new(&nothing, &nothing);
        assert_eq!((found.pattern(), found.direct()), (Pattern::Unknown, None));
    }
}
