//! Single lines of a log or of a client, told by their numbers and their shape, not by their
//! words, so that the server may speak any language.

use crate::finding::BackupKind;

/// Bytes of a page.
pub(super) const PAGE: u64 = 8192;
const MIB: f64 = 1_048_576.0;
/// Words that no language translates.
const STATEMENTS: [&str; 4] = ["BACKUP DATABASE", "BACKUP LOG", "RESTORE DATABASE", "RESTORE LOG"];
/// Share by which a printed rate may differ, apart from the rounding of what it is made of.
const RATE_OFF: f64 = 0.05;

/// A number within a line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Figure {
    value: f64,
    decimals: u32,
}

/// What a completion message says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Completion {
    /// `None` for a restore.
    pub(super) kind: Option<BackupKind>,
    pub(super) pages: u64,
    pub(super) seconds: f64,
    /// Half a step of the last digit of the seconds.
    pub(super) rounding: f64,
    /// Bytes a second as printed.
    pub(super) rate: f64,
    /// What the rate says about its unit.
    pub(super) unit: RateUnit,
}

/// In which unit a rate is, by what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RateUnit {
    /// MiB, as all current servers print.
    Mebibyte,
    /// A million bytes, as servers did up to 2008.
    Megabyte,
    /// It is not pages over seconds.
    Wrong,
}

/// The completion messages of a line; a job's history has several in one.
pub(super) fn completions(line: &str) -> Vec<Completion> {
    let mut starts: Vec<(usize, &str)> =
        STATEMENTS.iter().flat_map(|words| line.match_indices(words)).collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([line.len()]);
    let parts = starts.iter().zip(ends);
    parts.filter_map(|((start, words), end)| completion(words, &line[*start..end])).collect()
}

fn completion(words: &str, text: &str) -> Option<Completion> {
    let figures = figures(text);
    let found = figures.windows(3).find_map(|three| {
        let [a, b, rate] = [three[0], three[1], three[2]];
        [(a, b), (b, a)].into_iter().find_map(|(pages, seconds)| fits(pages, seconds, rate))
    });
    // Known words make up for numbers that do not fit.
    let english = text.contains(" successfully processed ");
    let plain = |three: &[Figure]| three[0].decimals == 0 && three[1].decimals > 0;
    let (pages, seconds, rate) = match found {
        Some(found) => found,
        None => {
            let three = figures.windows(3).find(|three| english && plain(three))?;
            (three[0], three[1], three[2])
        }
    };
    let unit = if found.is_some() { unit_of(pages, seconds, rate) } else { RateUnit::Wrong };
    let bytes = if unit == RateUnit::Megabyte { 1e6 } else { MIB };
    let head = &text[..text.find('(').unwrap_or(text.len())];
    let kind = match words {
        "BACKUP LOG" => Some(BackupKind::Log),
        "BACKUP DATABASE" if head.contains("FILE=") || head.contains("FILEGROUP") => {
            Some(BackupKind::Partial)
        }
        "BACKUP DATABASE" if head.contains("DIFFERENTIAL") => Some(BackupKind::Differential),
        "BACKUP DATABASE" => Some(BackupKind::Full),
        _ => None,
    };
    Some(Completion {
        kind,
        pages: pages.value as u64,
        seconds: seconds.value,
        rounding: half_step(seconds),
        rate: rate.value * bytes,
        unit,
    })
}

/// Whether pages over seconds give the rate.
fn fits(pages: Figure, seconds: Figure, rate: Figure) -> Option<(Figure, Figure, Figure)> {
    if pages.decimals > 0 || seconds.decimals == 0 || rate.decimals == 0 || pages.value > 1e13 {
        return None;
    }
    let mebibytes = pages.value * PAGE as f64 / MIB;
    let shortest = (seconds.value - half_step(seconds)).max(0.0);
    let most = if shortest > 0.0 { mebibytes / shortest } else { f64::INFINITY };
    let least = mebibytes / (seconds.value + half_step(seconds));
    let near = rate.value >= least * (1.0 - RATE_OFF) - half_step(rate)
        && rate.value <= most * (1.0 + RATE_OFF) + half_step(rate);
    // Nothing in no time fits everything.
    let both_or_none = (pages.value < 0.5) == (rate.value <= half_step(rate));
    (near && (both_or_none || pages.value < 3.0)).then_some((pages, seconds, rate))
}

/// Which unit of the two comes nearer, where the digits tell.
fn unit_of(pages: Figure, seconds: Figure, rate: Figure) -> RateUnit {
    let share = pages.value * PAGE as f64 / seconds.value / rate.value;
    let rounding = half_step(seconds) / seconds.value + half_step(rate) / rate.value;
    let near = (share / 1e6 - 1.0).abs() < 0.01 + rounding;
    if near && rounding < 0.01 { RateUnit::Megabyte } else { RateUnit::Mebibyte }
}

fn half_step(figure: Figure) -> f64 {
    0.5 * libm::exp10(-f64::from(figure.decimals))
}

/// Numbers of a text, with a decimal point or comma.
fn figures(text: &str) -> Vec<Figure> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let digits = |mut at: usize| {
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                at += 1;
            }
            at
        };
        at = digits(at);
        let mut decimals = 0;
        let sign = bytes.get(at).is_some_and(|byte| matches!(byte, b'.' | b','));
        if sign && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            let end = digits(at + 1);
            decimals = u32::try_from(end - at - 1).unwrap_or(0).min(12);
            at = end;
        }
        if at - start < 30 {
            let value = text[start..at].replace(',', ".").parse().unwrap_or(0.0);
            all.push(Figure { value, decimals });
        }
    }
    all
}

/// What the message about the devices of a backup says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Devices {
    pub(super) database: String,
    pub(super) count: Option<u32>,
    pub(super) kind: String,
    pub(super) paths: Vec<String>,
}

/// Reads `Database: X, creation date(time): 2023/04/26(01:31:53), ... number of dump devices: 1,
/// device information: (FILE=1, TYPE=DISK: {'path'})`, in any language, cut or not.
pub(super) fn devices(line: &str) -> Option<Devices> {
    let date = creation_date(line)?;
    let before = line[..date].rsplit_once(", ").map(|(before, _)| before)?;
    let (_, database) = before.rsplit_once(": ").or_else(|| before.rsplit_once('：'))?;
    let mut devices = Devices { database: database.trim().to_string(), ..Devices::default() };
    let Some(at) = line.find("(FILE=") else { return Some(devices) };
    let (head, tail) = (&line[..at], &line[at..]);
    devices.count = head
        .rsplit(',')
        .nth(1)
        .and_then(|part| part.rsplit([':', ' ']).next()?.trim().parse().ok())
        .filter(|count| (1..=64).contains(count));
    if let Some((_, kind)) = tail.split_once("TYPE=") {
        let end = kind.find([',', ':', ')']).unwrap_or(kind.len());
        devices.kind = kind[..end].trim().to_string();
    }
    if let Some((_, list)) = tail.split_once("{'") {
        let end = list.rfind("'}").unwrap_or(list.len());
        devices.paths = list[..end].split("', '").take(64).map(str::to_string).collect();
    }
    Some(devices)
}

/// Where a date such as `2023/04/26(01:31:53)` stands.
fn creation_date(line: &str) -> Option<usize> {
    const SHAPE: &[u8; 20] = b"0000/00/00(00:00:00)";
    line.as_bytes().windows(SHAPE.len()).position(|window| {
        window.iter().zip(SHAPE).all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            b'/' => matches!(byte, b'/' | b'-' | b'.'),
            wanted => byte == wanted,
        })
    })
}

/// Pages and database of `Processed N pages for database 'X', file 'Y' on file 1.`
pub(super) fn pages_of_file(line: &str) -> Option<(u64, &str)> {
    if STATEMENTS.iter().any(|words| line.contains(words)) {
        return None;
    }
    let (before, database, rest) = quoted(line)?;
    let (between, _, rest) = quoted(rest)?;
    let numbers: Vec<Figure> = [before, between, rest].into_iter().flat_map(figures).collect();
    // The number of pages and that of the backup set.
    match numbers[..] {
        [pages, _] if pages.decimals == 0 => Some((pages.value as u64, database)),
        _ => None,
    }
}

/// The first text in quotes, with what stands before and after it.
fn quoted(text: &str) -> Option<(&str, &str, &str)> {
    const PAIRS: [(char, char); 5] = [('\'', '\''), ('"', '"'), ('“', '”'), ('«', '»'), ('‘', '’')];
    let (start, (open, close)) = text
        .char_indices()
        .find_map(|(at, c)| PAIRS.iter().find(|(open, _)| *open == c).map(|pair| (at, *pair)))?;
    let inner = &text[start + open.len_utf8()..];
    let end = inner.find(close)?;
    Some((&text[..start], inner[..end].trim(), &inner[end + close.len_utf8()..]))
}

/// A line without the marks of a comment and of a quotation.
pub(super) fn without_marks(line: &str) -> &str {
    line.trim().trim_start_matches(['-', '>', '*', '/', '|']).trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completion_is_told_by_its_numbers_in_any_language() {
        for (line, pages, kind) in [
            (
                "BACKUP DATABASE successfully processed 51650 pages in 3.588 seconds \
                 (112.461 MB/sec).",
                51_650,
                Some(BackupKind::Full),
            ),
            (
                "BACKUP DATABASE a traité avec succès 51650 pages en 3,588 secondes \
                 (112,461 Mo/s).",
                51_650,
                Some(BackupKind::Full),
            ),
            (
                "BACKUP DATABASE은(는) 3.588초 동안 51650개의 페이지를 처리했습니다(112.461MB/초).",
                51_650,
                Some(BackupKind::Full),
            ),
            (
                "BACKUP DATABASE WITH DIFFERENTIAL hat 49 Seiten in 0.042 Sekunden verarbeitet \
              (9.125 MB/s).",
                49,
                Some(BackupKind::Differential),
            ),
            (
                "BACKUP DATABASE...FILE=<a1 2> successfully processed 585 pages in 0.037 seconds \
              (123.350 MB/sec).",
                585,
                Some(BackupKind::Partial),
            ),
            (
                "BACKUP LOG successfully processed 3 pages in 0.032 seconds (0.701 MB/sec).",
                3,
                Some(BackupKind::Log),
            ),
            (
                "RESTORE DATABASE successfully processed 585 pages in 0.037 seconds \
                 (123.350 MB/sec).",
                585,
                None,
            ),
            (
                "BACKUP DATABASE successfully processed 0 pages in 0.027 seconds (0.000 MB/sec).",
                0,
                Some(BackupKind::Full),
            ),
        ] {
            let all = completions(line);
            assert_eq!(all.len(), 1, "{line}");
            assert_eq!((all[0].pages, all[0].kind), (pages, kind), "{line}");
        }
        let wrong = "BACKUP DATABASE successfully processed 51650 pages in 3.588 s (400.0 MB/sec)";
        assert_eq!(completions(wrong)[0].unit, RateUnit::Wrong);
        assert!(completions(&wrong.replace("successfully", "hat")).is_empty());
        let old = "BACKUP DATABASE successfully processed 51650 pages in 3.588 s (117.924 MB/sec)";
        assert_eq!(completions(old)[0].unit, RateUnit::Megabyte);
        assert!(completions("BACKUP DATABASE [a] TO DISK = N'x' WITH STATS = 10").is_empty());
    }

    #[test]
    fn devices_of_a_backup() {
        let line = "Es wurde gesichert. Datenbank: A, b, Erstellungsdatum: 2023/11/24(12:48:14), \
                    Seiten: 435, LSN: 39:1000:1, Anzahl: 2, Geräte: (FILE=1, TYPE=DISK: \
                    {'E:\\1.bak', 'F:\\2.bak'}). Nur zur Information.";
        let found = devices(line).expect("devices");
        assert_eq!((found.database.as_str(), found.count), ("A, b", Some(2)));
        assert_eq!((found.kind.as_str(), found.paths.len()), ("DISK", 2));
        let cut = devices("x. Database: T, creation date(time): 2023/04/26(01:31:53), pages ...");
        assert_eq!(cut.expect("a database").database, "T");
        assert!(devices("2023/04/26 01:31:53").is_none());
    }

    #[test]
    fn pages_of_files() {
        for line in [
            "Processed 560 pages for database 'BeerCap', file 'BeerCap_1' on file 1.",
            "Se han procesado 560 páginas para la base de datos 'BeerCap', archivo 'x' en 1.",
            "Es wurden 560 Seiten für die 'BeerCap'-Datenbank, Datei \"y\" für Datei 1.",
        ] {
            assert_eq!(pages_of_file(line), Some((560, "BeerCap")), "{line}");
        }
        assert_eq!(pages_of_file("Cannot open 'a', 'b'."), None);
    }
}
