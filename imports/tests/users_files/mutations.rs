//! Damaged files: whatever stands in them, there is no panic. `BAKCAST_MUTATIONS` sets how many
//! for each format.

use std::fs;

use bakcast_imports::{ImportOptions, import_from, join};

use super::fixture;

/// Numbers of a generator whose sequence never changes.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }
}

const HUGE: [&str; 10] = [
    "99999999999999999999999999",
    "-1",
    "0",
    "1e308",
    "0.000",
    "NULL",
    "9999-12-31 23:59:59.9999999",
    "/Date(-9223372036854775808)/",
    "é",
    "\"",
];

fn damaged(original: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
            2 => {
                let digits = bytes[at.min(bytes.len())..].iter();
                let begin = digits.take_while(|byte| !byte.is_ascii_digit()).count() + at;
                let length = bytes[begin.min(bytes.len())..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                let huge = HUGE[dice.below(HUGE.len())].bytes();
                let end = (begin + length).min(bytes.len());
                bytes.splice(begin.min(end)..end, huge);
            }
            3 => {
                let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
                let Some(line) = lines.get(dice.below(lines.len())) else { continue };
                let line = line.repeat(1 + dice.below(3));
                bytes.splice(at..at, line);
            }
            4 => {
                let other = dice.below(bytes.len());
                bytes.drain(at.min(other)..at.max(other).min(at.min(other) + 40));
            }
            _ => {
                let signs = b"\";,|\t'{}[]()-:/\xff\x00\n";
                bytes.insert(at, signs[dice.below(signs.len())]);
            }
        }
    }
    bytes
}

fn mutate(folder: &str) {
    let count = std::env::var("BAKCAST_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let count: usize = count.unwrap_or(5_000);
    let mut files: Vec<_> = fs::read_dir(fixture(folder))
        .expect("fixtures")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let files: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).expect("readable")).collect();
    let mut dice = Dice(42);
    for round in 0..count {
        let bytes = damaged(&files[round % files.len()], &mut dice);
        if let Ok(import) = import_from("x", &bytes[..], &ImportOptions::default()) {
            let history = join(&[import.clone(), import]);
            let _ = bakcast_imports::runs_table(&history, &bakcast_imports::RunsOptions::default());
            let _ = bakcast_imports::growth(&history, bakcast_imports::HistoryFilter::default());
        }
    }
}

#[test]
fn a_damaged_history_is_no_panic() {
    mutate("history");
}

#[test]
fn a_damaged_log_of_commands_is_no_panic() {
    mutate("command_log");
}

#[test]
fn a_damaged_test_table_is_no_panic() {
    mutate("brute_force");
}

#[test]
fn damaged_messages_are_no_panic() {
    mutate("messages");
}
