//! One track of a trace: slices one after the other, the short ones merged where that is asked for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{push_micros, push_seconds};

/// A state, from when to when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice<'a> {
    /// What stands on it, as JSON.
    pub(super) name: &'a str,
    /// Its category; empty: none.
    pub(super) category: &'static str,
    pub(super) begin_ns: u64,
    pub(super) end_ns: u64,
    /// Bytes it moves or works on; 0: it does not.
    pub(super) bytes: u64,
}

/// Slices that are shorter than what is shown.
#[derive(Debug, Clone, Default)]
struct Merged {
    begin_ns: u64,
    end_ns: u64,
    count: u64,
    /// Nanoseconds by name; empty: nothing is merged.
    times: BTreeMap<String, u64>,
    /// The category if there is one slice only.
    category: &'static str,
    bytes: u64,
}

/// Where slices go, and what is said of it in the end.
#[derive(Debug, Clone, Default)]
pub(super) struct Sink {
    /// Records ready to be written.
    pub(super) text: String,
    /// Slices shorter than this are merged; 0: none are.
    pub(super) thin_ns: u64,
    pub(super) slices: u64,
    /// Slices that were merged, and what they became.
    pub(super) merged: u64,
    pub(super) merged_into: u64,
}

/// One track.
#[derive(Debug, Clone)]
pub(super) struct Track {
    pid: u64,
    tid: u64,
    merged: Merged,
}

impl Sink {
    /// What stands before each record.
    pub(super) fn begin_record(&mut self) {
        self.text.push_str(",\n");
    }
}

impl Track {
    pub(super) fn new(pid: u64, tid: u64) -> Self {
        Track { pid, tid, merged: Merged::default() }
    }

    /// The next slice; one that takes no time is none.
    pub(super) fn push(&mut self, slice: Slice<'_>, sink: &mut Sink) {
        let length = slice.end_ns - slice.begin_ns;
        if length == 0 {
            return;
        }
        let gap = slice.begin_ns.saturating_sub(self.merged.end_ns);
        if length >= sink.thin_ns || gap >= sink.thin_ns {
            self.flush(sink);
        }
        if length >= sink.thin_ns {
            self.write(&slice, "", sink);
            return;
        }
        let merged = &mut self.merged;
        if merged.count == 0 {
            merged.begin_ns = slice.begin_ns;
            merged.category = slice.category;
        }
        merged.end_ns = slice.end_ns;
        merged.count += 1;
        merged.bytes += slice.bytes;
        match merged.times.get_mut(slice.name) {
            Some(time) => *time += length,
            None => {
                merged.times.insert(slice.name.to_string(), length);
            }
        }
        if merged.end_ns - merged.begin_ns >= sink.thin_ns {
            self.flush(sink);
        }
    }

    /// Writes what is being merged.
    pub(super) fn flush(&mut self, sink: &mut Sink) {
        let Merged { begin_ns, end_ns, count, times, category, bytes } =
            std::mem::take(&mut self.merged);
        let slice = Slice { name: "\"merged\"", category: "merged", begin_ns, end_ns, bytes };
        match (count, times.first_key_value()) {
            (0, _) | (_, None) => {}
            (1, Some((name, _))) => self.write(&Slice { name, category, ..slice }, "", sink),
            _ => {
                let mut more = format!("\"slices\":{count}");
                for (name, time) in &times {
                    let name = name.strip_suffix('"').unwrap_or(name);
                    let _ = write!(more, ",{name}_seconds\":");
                    push_seconds(&mut more, *time);
                }
                sink.merged += count;
                sink.merged_into += 1;
                self.write(&slice, &more, sink);
            }
        }
    }

    fn write(&self, slice: &Slice<'_>, more: &str, sink: &mut Sink) {
        sink.begin_record();
        sink.slices += 1;
        let (pid, tid, out) = (self.pid, self.tid, &mut sink.text);
        let _ = write!(out, "{{\"ph\":\"B\",\"pid\":{pid},\"tid\":{tid},\"ts\":");
        push_micros(out, slice.begin_ns);
        let _ = write!(out, ",\"name\":{}", slice.name);
        if !slice.category.is_empty() {
            let _ = write!(out, ",\"cat\":\"{}\"", slice.category);
        }
        if slice.bytes > 0 || !more.is_empty() {
            out.push_str(",\"args\":{");
            if slice.bytes > 0 {
                let _ = write!(out, "\"bytes\":{}", slice.bytes);
            }
            if slice.bytes > 0 && !more.is_empty() {
                out.push(',');
            }
            out.push_str(more);
            out.push('}');
        }
        let _ = write!(out, "}},\n{{\"ph\":\"E\",\"pid\":{pid},\"tid\":{tid},\"ts\":");
        push_micros(out, slice.end_ns);
        out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(thin_ns: u64, ends: &[(u64, u64)]) -> Sink {
        let mut sink = Sink { thin_ns, ..Sink::default() };
        let mut track = Track::new(1, 2);
        for (index, (begin_ns, end_ns)) in ends.iter().enumerate() {
            let name = ["\"even\"", "\"odd\""][index % 2];
            let slice =
                Slice { name, category: "", begin_ns: *begin_ns, end_ns: *end_ns, bytes: 1 };
            track.push(slice, &mut sink);
        }
        track.flush(&mut sink);
        sink
    }

    #[test]
    fn short_slices_are_merged_and_their_times_kept_by_name() {
        let all: Vec<(u64, u64)> = (0..10).map(|n| (n * 100, n * 100 + 100)).collect();
        assert_eq!(slices(0, &all).slices, 10);
        let thin = slices(350, &all);
        assert_eq!((thin.slices, thin.merged, thin.merged_into), (3, 10, 3));
        assert!(thin.text.contains("\"even_seconds\":0.000000200"), "{}", thin.text);
        assert!(thin.text.contains("\"slices\":4"));
    }

    #[test]
    fn a_long_slice_stands_for_itself_and_so_does_a_lone_short_one() {
        let thin = slices(50, &[(0, 10), (10, 100), (100, 110), (1000, 1010), (1010, 1010)]);
        assert_eq!((thin.slices, thin.merged), (4, 0));
        assert!(!thin.text.contains("merged"));
    }
}
