//! Text of `CrystalDiskMark`, 3 to 9, and of `KDiskMark`.
//!
//! A result is a line with a rate and its unit; what stands before the last colon names it. Old
//! layouts have the direction in the line (`Sequential Read (Q= 32,T= 1) :`), newer ones in a
//! heading (`[Read]`). `MB/s` is 1,000,000 bytes a second. `KDiskMark` prints KiB by 1000 and calls
//! it MB/s: its rates are multiplied by 1.024, unless its own IOPS show that they need not be.
//! Random tests and mixed ones are left out.

use crate::caveats::small_file;
use crate::error::ImportError;
use crate::figure::{
    KIB, alike, amount, counted, leading, malformed, rate_text, shown, size, unreadable,
};
use crate::finding::{CautionCode, Direction, Import, Pattern, Rate};
use crate::format::Format;
use crate::recognise::{ImportOptions, Importer};
use crate::source::{Source, next_line};

pub(crate) const IMPORTER: Importer = Importer { format: Format::CrystalDiskMark, looks, read };
pub(crate) const KDISKMARK: Importer = Importer { format: Format::KDiskMark, looks: looks_k, read };

/// What `KDiskMark` prints is too low by this factor.
const K_FACTOR: f64 = 1.024;
/// Most results that are kept.
const MOST: usize = 1000;
/// IOPS have one decimal: below this they are too coarse to tell the units apart.
const FINE_IOPS: f64 = 30.0;

fn looks(head: &str) -> bool {
    let marked = head.contains("CrystalDiskMark") || head.contains("Crystal Dew World");
    let result = |line: &str| line.contains("/s") && result_of(line).is_some();
    (marked && head.contains("/s")) || head.lines().filter(|line| result(line)).count() >= 2
}

fn looks_k(head: &str) -> bool {
    head.contains("KDiskMark") && head.contains("/s")
}

/// A line with a result.
struct Outcome<'a> {
    name: &'a str,
    /// Bytes a second as printed.
    printed: f64,
    iops: Option<f64>,
    /// Seconds of an access.
    latency: Option<f64>,
}

/// `NAME : 505.4 MB/s [ 123 IOPS] < 456.7 us>`.
fn result_of(line: &str) -> Option<Outcome<'_>> {
    let units = [("KB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9), ("MiB/s", 1_048_576.0)];
    let (at, unit, factor) = units.iter().find_map(|(unit, factor)| {
        let at = line.find(unit)?;
        Some((at, unit, factor))
    })?;
    let (name, number) = line[..at].rsplit_once(':')?;
    let lower = name.to_ascii_lowercase();
    let known = ["seq", "rnd", "random", "4k"].iter().any(|word| lower.contains(word));
    if !known {
        return None;
    }
    let rest = &line[at + unit.len()..];
    // `MB/sec` is what a server writes.
    if rest.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let inside = |open: char| leading(&rest[rest.find(open)? + 1..]).map(|(number, _)| number);
    let latency = inside('<').filter(|us| *us > 0.0).map(|us| us / 1e6);
    Some(Outcome {
        name: name.trim(),
        printed: amount(number)? * factor,
        iops: inside('['),
        latency,
    })
}

/// What a name says: block, queues, threads; all in lower case.
struct Access {
    sequential: bool,
    block: Option<u64>,
    depth: u32,
    threads: u32,
}

fn access_of(name: &str) -> Access {
    let lower = name.to_ascii_lowercase();
    let after = |key: &str| {
        let value = &lower[lower.find(key)? + key.len()..];
        leading(value).map(|(number, _)| number.clamp(1.0, 1e6) as u32)
    };
    let depth = after("q=").or(after("qd=")).unwrap_or(1);
    let sequential = lower.contains("seq");
    let before = lower.split('(').next().unwrap_or_default();
    let digit = before.find(|c: char| c.is_ascii_digit());
    let block = digit.and_then(|at| size(&before[at..])).filter(|bytes| *bytes >= 512);
    // Versions 5 and 6 do not print it: 128 KiB with queues, else 1 MiB, as version 3.
    let unsaid = if lower.contains("q= 32") && sequential { 128 << 10 } else { 1 << 20 };
    let block = block.or(sequential.then_some(unsaid));
    Access { sequential, block, depth, threads: after("t=").unwrap_or(1) }
}

fn short_size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{}M", bytes >> 20) } else { format!("{}K", bytes >> 10) }
}

/// What was read so far.
#[derive(Default)]
struct Found {
    group: Option<&'static str>,
    line: u64,
    /// Rates with the line and the IOPS of each.
    rates: Vec<(Rate, u64, Option<f64>)>,
    target: Option<String>,
    file_bytes: Option<u64>,
    seconds: Option<f64>,
    profile: Option<String>,
}

fn read(
    source: Source<'_>,
    _options: &ImportOptions,
    import: &mut Import,
) -> Result<(), ImportError> {
    let mut reader = source.into_reader();
    let mut found = Found::default();
    let mut line = String::new();
    while next_line(&mut reader, &mut line).map_err(|error| unreadable(import, error))? {
        found.line += 1;
        take(import, &mut found, line.trim());
    }
    if found.rates.is_empty() && import.ignored.is_empty() {
        let reason = "no line with a result such as `SEQ 1MiB (Q= 8, T= 1): 384.064 MB/s` is in it";
        return Err(malformed(import, reason));
    }
    finish(import, found);
    Ok(())
}

fn take(import: &mut Import, found: &mut Found, line: &str) {
    if line.starts_with('*') {
        return;
    }
    if let Some(outcome) = result_of(line) {
        take_outcome(import, found, &outcome);
        return;
    }
    for (heading, group) in [("[Read]", "read"), ("[Write]", "write"), ("[Mix]", "mix")] {
        if line.starts_with(heading) {
            found.group = Some(group);
        }
    }
    if import.version.is_none() && (line.contains("DiskMark") || line.contains("KDiskMark")) {
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        let version = words.join(" ").replace(['(', ')'], "");
        import.version = Some(shown(version.trim_end_matches(':')));
    }
    let Some((key, value)) = line.split_once(':') else { return };
    let value = value.trim();
    match key.trim() {
        "Test" => take_test(found, value),
        "Target" => found.target = value.split_whitespace().next().map(shown),
        "Profile" => found.profile = Some(shown(value)),
        "Time" => {
            let measured = value.strip_prefix("Measure").and_then(leading);
            found.seconds = measured.map(|(seconds, _)| seconds).or(found.seconds);
        }
        _ => {}
    }
}

/// `1 GiB (x5) [C: 45 % (54/119 GiB)]`, `1000 MB [C: ...] (x5)`.
fn take_test(found: &mut Found, value: &str) {
    found.file_bytes = size(value);
    let Some(bracket) = value.split('[').nth(1) else { return };
    if let Some(measured) = bracket.strip_prefix("Measure:") {
        found.seconds = leading(measured).map(|(seconds, _)| seconds);
    } else if !bracket.starts_with("Interval") {
        found.target = bracket.split_whitespace().next().map(shown);
    }
}

fn take_outcome(import: &mut Import, found: &mut Found, outcome: &Outcome<'_>) {
    let access = access_of(outcome.name);
    let lower = outcome.name.to_ascii_lowercase();
    let direction = match found.group {
        _ if lower.contains("read") => Direction::Read,
        _ if lower.contains("write") => Direction::Write,
        Some("read") => Direction::Read,
        Some("write") => Direction::Write,
        Some(_) => return import.ignore("mixed test: reads and writes in one figure"),
        None => return import.ignore("result that does not say whether it was read or written"),
    };
    if !access.sequential {
        return import.ignore("random test: not for a sequential stage");
    }
    if outcome.printed <= 0.0 {
        return import.ignore("test that was not run");
    }
    if found.rates.len() >= MOST {
        return import.ignore("more results than are kept");
    }
    let block = access.block.unwrap_or(1 << 20);
    let rate = Rate {
        label: format!("seq{}_Q{}T{}", short_size(block), access.depth, access.threads),
        target: None,
        direction,
        pattern: Pattern::Sequential,
        bytes_per_second: outcome.printed,
        block_bytes: Some(block),
        depth: Some(access.depth),
        jobs: access.threads,
        seconds: None,
        direct: None,
        file_bytes: None,
        latency_seconds: outcome.latency,
        mixed: false,
    };
    found.rates.push((rate, found.line, outcome.iops));
}

/// IOPS x block by the printed rate, of the result with the most IOPS.
fn unit_by_iops(rates: &[(Rate, u64, Option<f64>)]) -> Option<f64> {
    let fine = rates.iter().filter_map(|(rate, _, iops)| {
        let iops = iops.filter(|iops| *iops >= FINE_IOPS)?;
        Some((iops, iops * rate.block_bytes? as f64 / rate.bytes_per_second))
    });
    fine.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, ratio)| ratio)
}

fn finish(import: &mut Import, found: Found) {
    let Found { rates, target, file_bytes, seconds, profile, .. } = found;
    let ratio = unit_by_iops(&rates);
    let mut factor = 1.0;
    if import.format == Format::KDiskMark {
        if ratio.is_none_or(|ratio| !alike(ratio, 1.0, 0.008)) {
            factor = K_FACTOR;
            let text = "KDiskMark prints KiB by 1000 as MB/s: its rates are multiplied by 1.024";
            import.caution(CautionCode::Unit, text);
        }
    } else if let Some(ratio) = ratio.filter(|ratio| !alike(*ratio, 1.0, 0.01)) {
        let text = format!("IOPS x block give {ratio:.3} times the printed rate, which is used");
        import.caution(CautionCode::Inconsistent, text);
    }
    let crystal = import.format == Format::CrystalDiskMark;
    for (mut rate, line, _) in rates {
        let printed = rate.bytes_per_second;
        rate.bytes_per_second = printed * factor;
        rate.target.clone_from(&target);
        rate.file_bytes = file_bytes;
        rate.seconds = seconds;
        rate.direct = crystal.then_some(true);
        let way = if rate.direction == Direction::Read { "read" } else { "write" };
        import.field(
            format!("line {line}"),
            format!("{:.3} MB/s, {} of {:.0} KiB", printed / 1e6, rate.label, kib(&rate)),
            &format!("{way}: {}", rate_text(rate.bytes_per_second)),
        );
        small_file(import, &rate);
        import.rates.push(rate);
    }
    let tests = counted(import.rates.len() as u64, "sequential test");
    import.shape = match profile {
        Some(profile) => format!("{tests}, profile {profile}"),
        None => tests,
    };
    if import.rates.is_empty() {
        import.refused = Some("no sequential test was run".to_string());
    }
}

fn kib(rate: &Rate) -> f64 {
    rate.block_bytes.unwrap_or(0) as f64 / KIB
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import_from;

    fn import(text: &str) -> Import {
        import_from("x", text.as_bytes(), &ImportOptions::default()).expect("an import")
    }

    fn rates(import: &Import) -> Vec<(&str, Direction, f64)> {
        let rate = |rate: &Rate| (rate.direction, (rate.bytes_per_second / 1e3).round());
        let one = import.rates.iter().map(|one| (one.label.as_str(), rate(one).0, rate(one).1));
        one.collect()
    }

    #[test]
    fn old_layouts_have_the_direction_in_the_line() {
        let text = "CrystalDiskMark 3.0.1 x64 (C) 2007-2010 hiyohiyo\n\
            * MB/s = 1,000,000 byte/s [SATA/300 = 300,000,000 byte/s]\n\
            \x20          Sequential Read :   505.403 MB/s\n\
            \x20         Sequential Write :   240,700 MB/s\n\
            \x20        Random Read 512KB :   400.100 MB/s\n\
            \x20   Random Read 4KB (QD=32) :    22.7 MB/s [  5543.2 IOPS]\n\
            \x20 Test : 1000 MB [C: 45.6% (54.5/119.1 GB)] (x5)\n";
        let import = import(text);
        let wanted = [
            ("seq1M_Q1T1", Direction::Read, 505_403.0),
            ("seq1M_Q1T1", Direction::Write, 240_700.0),
        ];
        assert_eq!(rates(&import), wanted);
        assert_eq!(import.ignored[0].count, 2);
        assert_eq!(import.rates[0].target.as_deref(), Some("C:"));
        assert_eq!(import.rates[0].file_bytes, Some(1000 << 20));
        assert_eq!(import.cautions[0].code, CautionCode::Cached);
    }

    #[test]
    fn version_six_counts_queues_and_threads() {
        let text = "CrystalDiskMark 6.0.2 x64\n\
            Sequential Read (Q= 32,T= 1) :  3558.987 MB/s\n\
            Sequential Write (Q= 32,T= 1) :  2558.987 MB/s\n\
            Random Read 4KiB (Q= 8,T= 8) : 1.0 MB/s [ 1.0 IOPS]\n\
            Sequential Read (T= 1) :   1.5 GB/s\n";
        let import = import(text);
        let labels: Vec<&str> = import.rates.iter().map(|rate| rate.label.as_str()).collect();
        assert_eq!(labels, ["seq128K_Q32T1", "seq128K_Q32T1", "seq1M_Q1T1"]);
        assert_eq!(rates(&import)[2], ("seq1M_Q1T1", Direction::Read, 1.5e6));
    }

    #[test]
    fn newer_layouts_have_groups() {
        let text = "CrystalDiskMark 8.0.4 x64\n[Read]\n\
            SEQ  128KiB (Q= 32, T= 1):  3000.000 MB/s [  22888.2 IOPS] <  1390.2 us>\n\
            RND    4KiB (Q= 32, T=16):  1000.000 MB/s [ 244140.6 IOPS] <  2000.2 us>\n\
            [Write]\n  SEQ    1MiB (Q=  8, T= 1):     0.000 MB/s [ 0.0 IOPS] < 0.00 us>\n\
            [Mix] Read 70%/Write 30%\n\
            SEQ    1MiB (Q=  8, T= 1):   361.390 MB/s [    344.6 IOPS] < 23093.08 us>\n\
            Profile: NVMe SSD\n Test: 16 GiB (x5) [D: 1% (1/2GiB)]\n\
            Time: Measure 5 sec / Interval 5 sec\n";
        let import = import(text);
        assert_eq!(rates(&import), [("seq128K_Q32T1", Direction::Read, 3e6)]);
        assert_eq!((import.rates[0].seconds, import.cautions.len()), (Some(5.0), 0));
        assert_eq!(import.ignored.len(), 3);
    }

    #[test]
    fn the_unit_of_the_other_program_is_set_right() {
        let text = |rate: &str| {
            format!(
                "KDiskMark (2.3.0): https://github.com\n[Read]\n\
                 Sequential 1 MiB (Q= 8, T= 1): {rate} MB/s [ 1000.0 IOPS] <1.00 us>\n"
            )
        };
        let wrong = import(&text("1024.000"));
        assert_eq!(wrong.format, Format::KDiskMark);
        assert_eq!(rates(&wrong), [("seq1M_Q8T1", Direction::Read, 1_048_576.0)]);
        assert_eq!(wrong.cautions[0].code, CautionCode::Unit);
        assert_eq!(rates(&import(&text("1048.576"))), rates(&wrong));
    }
}
