//! What a column of counters means, by its path `\\HOST\Object(instance)\Counter`.
//!
//! Names are those of the system's language. English ones are matched as they are. Of others only
//! disks and processors are recognised, by the words in their names (German, French, Spanish,
//! Italian); what is not recognised is counted and left out.

/// What is read off a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    DiskRead,
    DiskWrite,
    DiskReadBlock,
    DiskWriteBlock,
    DiskIdle,
    DiskTime,
    Processor,
    BackupDevice,
    DatabaseThroughput,
}

/// What is known of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Known(Role),
    /// A counter that is of no use here.
    Other,
    /// A disk or processor counter in another language that was not understood.
    Foreign,
}

/// A path in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Path<'a> {
    pub(super) host: &'a str,
    pub(super) object: &'a str,
    pub(super) instance: &'a str,
    pub(super) counter: &'a str,
}

impl<'a> Path<'a> {
    pub(super) fn new(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (host, rest) = match text.strip_prefix(r"\\") {
            Some(rest) => rest.split_once('\\')?,
            None => ("", text.strip_prefix('\\')?),
        };
        let (middle, counter) = rest.rsplit_once('\\')?;
        let (object, instance) = match middle.split_once('(') {
            Some((object, instance)) => (object, instance.strip_suffix(')').unwrap_or(instance)),
            None => (middle, ""),
        };
        Some(Self { host, object, instance, counter })
    }

    /// Whether it is the sum over all instances.
    pub(super) fn is_total(&self) -> bool {
        let instance = self.instance.to_lowercase();
        instance.starts_with("_tot") || instance.starts_with("_gesamt")
    }

    pub(super) fn kind(&self) -> Kind {
        let (object, counter) = (self.object.to_lowercase(), self.counter.to_lowercase());
        if object.ends_with(":backup device") {
            return known(counter == "device throughput bytes/sec", Role::BackupDevice);
        }
        if object.ends_with(":databases") {
            let throughput = counter == "backup/restore throughput/sec";
            return known(throughput, Role::DatabaseThroughput);
        }
        let english = match object.as_str() {
            "physicaldisk" | "logicaldisk" => return english_disk(&counter),
            "processor" | "processor information" => true,
            _ => false,
        };
        let processors =
            ["prozessor", "prozessorinformationen", "processeur", "procesador", "processore"];
        if english || processors.contains(&object.as_str()) {
            let word = ["processor", "prozessor", "processeur", "procesador"]
                .iter()
                .any(|word| counter.contains(word));
            let busy = counter == "% processor time" || (!english && word && has_time(&counter));
            return match (busy && self.is_total(), english) {
                (true, _) => Kind::Known(Role::Processor),
                (false, true) => Kind::Other,
                // One processor of many is of no use, whatever the language.
                (false, false) if busy => Kind::Other,
                (false, false) => Kind::Foreign,
            };
        }
        let disks = ["datenträger", "datentr", "disque", "disco "];
        if disks.iter().any(|word| object.contains(word)) {
            return foreign_disk(&counter);
        }
        Kind::Other
    }
}

fn known(yes: bool, role: Role) -> Kind {
    if yes { Kind::Known(role) } else { Kind::Other }
}

fn english_disk(counter: &str) -> Kind {
    Kind::Known(match counter {
        "disk read bytes/sec" => Role::DiskRead,
        "disk write bytes/sec" => Role::DiskWrite,
        "avg. disk bytes/read" => Role::DiskReadBlock,
        "avg. disk bytes/write" => Role::DiskWriteBlock,
        "% idle time" => Role::DiskIdle,
        "% disk time" => Role::DiskTime,
        _ => return Kind::Other,
    })
}

fn has_time(counter: &str) -> bool {
    let share = counter.contains('%') || counter.contains("pourcentage");
    let words = ["zeit", "temps", "tiempo", "tempo", "time"];
    share && words.iter().any(|word| counter.contains(word))
}

fn foreign_disk(counter: &str) -> Kind {
    let has = |words: &[&str]| words.iter().any(|word| counter.contains(word));
    let read = has(&["read", "gelesen", "lese", "lect", " lus", "leíd", "leid", "lett"]);
    let write = has(&["writ", "geschrieb", "schreib", "écrit", "ecrit", "escrit", "scritt"]);
    let a_second = ["/s", "/s.", "/sec", "/seg", "/sek"].iter().any(|end| counter.ends_with(end));
    let bytes = has(&["byte", "octet"]);
    let mean = has(&["mittlere", "durchschn", "moy", "promedio", "media", "medio"]);
    let idle = has(&["leerlauf", "inactiv", "inattiv"]);
    Kind::Known(match (bytes, read, write) {
        (true, true, false) if a_second && !mean => Role::DiskRead,
        (true, false, true) if a_second && !mean => Role::DiskWrite,
        (true, true, false) if mean => Role::DiskReadBlock,
        (true, false, true) if mean => Role::DiskWriteBlock,
        (false, false, false) if has_time(counter) && idle => Role::DiskIdle,
        (false, false, false) if has_time(counter) => Role::DiskTime,
        _ => return Kind::Foreign,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_apart() {
        let path =
            Path::new(r"\\HOST1\MSSQL$A:Databases(my (old) db)\Backup/Restore Throughput/sec");
        let path = path.expect("a path");
        assert_eq!((path.host, path.object), ("HOST1", "MSSQL$A:Databases"));
        assert_eq!(path.instance, "my (old) db");
        assert_eq!(path.kind(), Kind::Known(Role::DatabaseThroughput));
        for text in ["", r"\\", r"\\a", r"\\a\b", "x"] {
            assert_eq!(Path::new(text), None, "{text}");
        }
    }

    #[test]
    fn languages_are_understood_by_words() {
        for (text, kind) in [
            (r"\\H\PhysicalDisk(0 C:)\Disk Read Bytes/sec", Kind::Known(Role::DiskRead)),
            (r"\\H\PhysicalDisk(0 C:)\Disk Reads/sec", Kind::Other),
            (r"\\H\Physikalischer Datenträger(0 C:)\Bytes gelesen/s", Kind::Known(Role::DiskRead)),
            (
                r"\\H\Physikalischer Datenträger(0 C:)\Bytes geschrieben/s",
                Kind::Known(Role::DiskWrite),
            ),
            (r"\\H\Logischer Datenträger(C:)\Leerlaufzeit (%)", Kind::Known(Role::DiskIdle)),
            (r"\\H\Prozessor(_Total)\Prozessorzeit (%)", Kind::Known(Role::Processor)),
            (r"\\H\Disque physique(0 C:)\Lectures disque, octets/s", Kind::Known(Role::DiskRead)),
            (r"\\H\Processeur(_Total)\% temps processeur", Kind::Known(Role::Processor)),
            (r"\\H\Disco físico(0 C:)\Bytes de lectura de disco/s", Kind::Known(Role::DiskRead)),
            (r"\\H\Disco fisico(0 C:)\Byte scritti su disco/sec", Kind::Known(Role::DiskWrite)),
            (r"\\H\Disco físico(0 C:)\Longitud de cola", Kind::Foreign),
            (r"\\H\Processor(0)\% Processor Time", Kind::Other),
            (r"\\H\Memory\Commit Limit", Kind::Other),
        ] {
            assert_eq!(Path::new(text).expect("a path").kind(), kind, "{text}");
        }
    }
}
