//! Damaged files give an error or figures, never a panic, and never take long.
//!
//! `BAKCAST_MUTATIONS` says how many files are made of each format.

use std::path::{Path, PathBuf};

use bakcast_imports::{ImportOptions, import_from};

const FORMATS: [&str; 5] = ["fio", "diskspd", "crystaldiskmark", "iostat", "perfmon"];

/// Numbers that come from nowhere but the seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

fn fixtures(format: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(format);
    let entries = std::fs::read_dir(&folder).expect("fixtures");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a fixture")).collect()
}

const PIECES: [&[u8]; 14] = [
    b"99999999999999999999999999",
    b"1e308",
    b"-1",
    b"NaN",
    b"{",
    b"]",
    b"\"",
    b"\xff\xfe",
    b"\0",
    "é".as_bytes(),
    b"<",
    b"&x;",
    b"\n",
    b"0",
];

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        2 => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
        3 => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let line = lines[random.below(lines.len())].to_vec();
            bytes.splice(at..at, line);
        }
        4 => {
            // A number becomes another.
            if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                let piece = PIECES[random.below(4)];
                bytes.splice(at + digit..=at + digit, piece.iter().copied());
            }
        }
        _ => {
            let end = (at + random.below(40)).min(bytes.len());
            bytes.drain(at..end);
        }
    }
}

fn count() -> usize {
    let count = std::env::var("BAKCAST_MUTATIONS").ok().and_then(|text| text.parse().ok());
    count.unwrap_or(5000)
}

fn try_all(format: &str) {
    let fixtures = fixtures(format);
    assert!(!fixtures.is_empty());
    let mut random = Random(7);
    let mut readable = 0;
    for turn in 0..count() {
        let mut bytes = fixtures[turn % fixtures.len()].clone();
        for _ in 0..=random.below(3) {
            if !bytes.is_empty() {
                mutate(&mut random, &mut bytes);
            }
        }
        let found = import_from("x", bytes.as_slice(), &ImportOptions::default());
        match found {
            Ok(import) => {
                readable += 1;
                for rate in &import.rates {
                    let fine = rate.bytes_per_second.is_finite() && rate.bytes_per_second > 0.0;
                    assert!(fine, "{rate:?}\n{}", String::from_utf8_lossy(&bytes));
                }
            }
            Err(error) => assert!(error.to_string().len() < 2000),
        }
    }
    assert!(readable * 10 > count(), "{format}: only {readable} of {} were readable", count());
}

#[test]
fn damaged_fio_files_do_no_harm() {
    try_all(FORMATS[0]);
}

#[test]
fn damaged_diskspd_files_do_no_harm() {
    try_all(FORMATS[1]);
}

#[test]
fn damaged_crystaldiskmark_files_do_no_harm() {
    try_all(FORMATS[2]);
}

#[test]
fn damaged_iostat_files_do_no_harm() {
    try_all(FORMATS[3]);
}

#[test]
fn damaged_perfmon_files_do_no_harm() {
    try_all(FORMATS[4]);
}
