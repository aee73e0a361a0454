//! The account of a file in one line: what it is, what was used, what was left out and why.

use bakcast_models::quantity::Bytes;

use crate::finding::{Backup, BufferTrace, Direction, Import, Load, Pattern, Rate};

/// Parts of one kind that are told one by one.
const MOST_PARTS: usize = 4;
/// Bytes of a MiB.
const MIB: f64 = 1_048_576.0;

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// What it is: format, version, shape.
    pub recognised: String,
    /// What was used of it.
    pub used: Vec<String>,
    /// What was left out: `2 log backups`.
    pub ignored: Vec<String>,
    /// What to beware of.
    pub warnings: Vec<String>,
}

impl Account {
    /// All of it in a line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = self.recognised.clone();
        line.push_str(": ");
        match self.used.as_slice() {
            [] => line.push_str("nothing used"),
            used => line.push_str(&used.join("; ")),
        }
        if !self.ignored.is_empty() {
            line.push_str(&format!("; left out: {}", self.ignored.join(", ")));
        }
        for warning in &self.warnings {
            line.push_str(&format!(" [warning: {warning}]"));
        }
        line
    }
}

impl Rate {
    /// Whether it tells what a stage of a backup can do.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.pattern != Pattern::Random && self.bytes_per_second > 0.0
    }

    /// `read, 1 MiB, depth 8, direct: 970.8 MB/s (925.9 MiB/s)`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut parts = vec![match self.direction {
            Direction::Read => "read".to_string(),
            Direction::Write => "write".to_string(),
        }];
        if self.pattern == Pattern::Random {
            parts[0] = format!("random {}", parts[0]);
        }
        if let Some(target) = &self.target {
            parts[0].push_str(&format!(" {}", bakcast_scenarios::shown_word(target)));
        }
        parts.extend(self.block_bytes.map(|bytes| Bytes::new(bytes).to_string()));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        if self.jobs > 1 {
            parts.push(format!("{} jobs", self.jobs));
        }
        parts.extend((self.direct == Some(true)).then(|| "direct".to_string()));
        format!("{}: {}", parts.join(", "), rate(self.bytes_per_second))
    }
}

impl Import {
    /// What became of it.
    #[must_use]
    pub fn account(&self) -> Account {
        let mut recognised = self.version.as_ref().map_or_else(
            || self.format.name().to_string(),
            |version| format!("{} ({version})", self.format.name()),
        );
        if !self.shape.is_empty() {
            recognised.push_str(&format!(", {}", self.shape));
        }
        recognised.push_str(&format!(", {}", self.encoding));
        let warnings = self.cautions.iter().map(|caution| caution.text.clone());
        Account {
            recognised,
            used: self.used(),
            ignored: self.left_out(),
            warnings: self.refused.iter().cloned().chain(warnings).collect(),
        }
    }

    /// Whether any figure of it can be used.
    #[must_use]
    pub fn is_useful(&self) -> bool {
        !self.used().is_empty()
    }

    fn used(&self) -> Vec<String> {
        if self.refused.is_some() {
            return Vec::new();
        }
        let rates = self.rates.iter().filter(|rate| rate.is_usable()).map(Rate::sentence);
        let mut used = first_of(rates.collect());
        let usable: Vec<&Backup> = self.backups.iter().filter(|b| b.unusable.is_none()).collect();
        let verified = usable.iter().filter(|backup| backup.verify.is_some()).count();
        used.extend(counted(usable.len(), "backup", "backups"));
        used.extend(counted(verified, "verification", "verifications"));
        used.extend(first_of(self.buffers.iter().map(BufferTrace::sentence).collect()));
        used.extend(first_of(self.loads.iter().filter_map(Load::sentence).collect()));
        used
    }

    fn left_out(&self) -> Vec<String> {
        let mut all: Vec<(u64, String)> = Vec::new();
        let mut add = |count: u64, reason: &str| match all.iter_mut().find(|(_, r)| r == reason) {
            Some((known, _)) => *known += count,
            None => all.push((count, reason.to_string())),
        };
        for ignored in &self.ignored {
            add(ignored.count, &ignored.reason);
        }
        for reason in self.backups.iter().filter_map(|backup| backup.unusable.as_deref()) {
            add(1, reason);
        }
        let random = self.rates.iter().filter(|rate| rate.pattern == Pattern::Random).count();
        if random > 0 {
            add(random as u64, "random (a backup is sequential)");
        }
        all.iter().map(|(count, reason)| crate::finding::counted(*count, reason)).collect()
    }
}

impl BufferTrace {
    /// `BUFFERCOUNT 7, 1 MiB each, 3 sets, 21 MiB in all, 1 reader`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.buffer_count.map(|count| format!("BUFFERCOUNT {count}")));
        parts.extend(self.transfer_bytes.map(|bytes| format!("{} each", Bytes::new(bytes))));
        parts.extend(self.sets.and_then(|sets| counted(sets as usize, "set", "sets")));
        parts.extend(self.total_bytes.map(|bytes| format!("{} in all", Bytes::new(bytes))));
        parts.extend(self.readers.and_then(|count| counted(count as usize, "reader", "readers")));
        parts.join(", ")
    }
}

impl Load {
    /// `sda: read 801 MB/s (764 MiB/s), busy 98 %`; nothing if it did nothing.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let some = |value: Option<f64>| value.filter(|value| *value > 0.0);
        let mut parts = Vec::new();
        parts.extend(some(self.read_mean).map(|mean| format!("read {}", rate(mean))));
        parts.extend(some(self.write_mean).map(|mean| format!("write {}", rate(mean))));
        parts.extend(some(self.busy_mean).map(|busy| format!("busy {:.0} %", busy * 100.0)));
        let cores = some(self.processor_mean);
        parts.extend(cores.map(|share| format!("processors {:.0} % busy", share * 100.0)));
        let device = bakcast_scenarios::shown_word(&self.device);
        (!parts.is_empty()).then(|| format!("{device}: {}", parts.join(", ")))
    }
}

/// How many backups are used of which nobody knows BUFFERCOUNT and MAXTRANSFERSIZE, in a sentence;
/// nothing if there are none.
#[must_use]
pub fn options_unknown(backups: &[Backup]) -> Option<String> {
    let used = backups.iter().filter(|b| b.unusable.is_none() && b.length.is_some());
    let count = used.filter(|b| !b.options_known && b.buffer_count.is_none()).count();
    counted(count, "backup", "backups").map(|backups| {
        format!(
            "of {backups} no file tells BUFFERCOUNT and MAXTRANSFERSIZE: they count as the \
             scenario has them"
        )
    })
}

/// `970.8 MB/s (925.9 MiB/s)`: both units, as each tool has its own.
#[must_use]
pub fn rate(bytes_per_second: f64) -> String {
    format!("{:.1} MB/s ({:.1} MiB/s)", bytes_per_second / 1e6, bytes_per_second / MIB)
}

/// The first parts, and how many more there are.
fn first_of(mut parts: Vec<String>) -> Vec<String> {
    let more = parts.len().saturating_sub(MOST_PARTS);
    parts.truncate(MOST_PARTS);
    parts.extend((more > 0).then(|| format!("{more} more")));
    parts
}

/// `3 backups`; nothing if there are none.
fn counted(count: usize, one: &str, many: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::CautionCode;
    use crate::{Format, TextEncoding};

    fn sequential() -> Rate {
        Rate {
            label: "seqread".to_string(),
            target: None,
            direction: Direction::Read,
            pattern: Pattern::Sequential,
            bytes_per_second: 970_833_475.0,
            block_bytes: Some(1 << 20),
            depth: Some(8),
            jobs: 1,
            seconds: Some(0.553),
            direct: Some(true),
            file_bytes: None,
            latency_seconds: None,
            mixed: false,
        }
    }

    #[test]
    fn one_line_says_what_was_used_and_what_was_not() {
        let mut import = Import::new("seqread.json", Format::Fio, TextEncoding::Utf8);
        import.version = Some("fio-3.33".to_string());
        import.rates = vec![sequential(), Rate { pattern: Pattern::Random, ..sequential() }];
        import.caution(CautionCode::TooShort, "ran 0.55 s; use at least 30 s");
        let line = import.account().line();
        assert_eq!(
            line,
            "fio JSON (fio-3.33), UTF-8: read, 1 MiB, depth 8, direct: 970.8 MB/s (925.9 MiB/s); \
             left out: 1 random (a backup is sequential) [warning: ran 0.55 s; use at least 30 s]"
        );
        import.refused = Some("fio reports error 42".to_string());
        assert!(!import.is_useful());
        assert!(import.account().line().contains("nothing used"));
    }

    #[test]
    fn many_rates_are_counted_and_not_listed() {
        let mut import = Import::new("a", Format::Fio, TextEncoding::Utf8);
        import.rates = vec![sequential(); 9];
        let used = import.account().used;
        assert_eq!((used.len(), used[4].as_str()), (5, "5 more"));
    }
}
