//! How long the reader of statements takes at most: texts of a megabyte that are made to hurt it.
//!
//! `cargo run --example hostile_statements` prints the slowest; it fails if one takes longer than a
//! bound. A test would judge the machine as well.

#![allow(clippy::disallowed_types, reason = "it measures the time of this machine")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bakcast_scenarios::{LARGEST_TEXT, parse_statements};

/// Longest a text may take, built for speed or not.
const LONGEST: Duration = Duration::from_secs(10);

/// Pieces that are repeated, each after a beginning.
const BEGINS: [&str; 8] = [
    "",
    "SET @x = ",
    "BACKUP DATABASE a TO ",
    "BACKUP DATABASE a TO DISK='E:\\1' WITH ",
    "EXEC dbo.DatabaseBackup ",
    "Backup-DbaDatabase ",
    "Backup-DbaDatabase -Path ",
    "sqlcmd -Q ",
];
const PIECES: [&str; 44] = [
    "(",
    ")",
    "[",
    "]",
    "'",
    "\"",
    "/*",
    "*/",
    "/**/",
    "--",
    "--\n",
    ";",
    ",",
    "=",
    "@",
    "@a ",
    "@a=1,",
    "$(",
    "$(a)",
    "- ",
    "+ ",
    "`",
    "` ",
    "\n",
    "GO\n",
    "a",
    "a ",
    "a,",
    "'a'+",
    "'a',",
    "DISK='E:\\1',",
    "INIT,",
    "STATS,",
    "wrong,",
    "(a=1,",
    "MIRROR TO DISK='1' ",
    "-Path ",
    "@(",
    "<#",
    "BACKUP LOG a TO b;",
    "EXEC('x');",
    "SET @a=@a+@a ",
    "$a='x','y'\n$b=$a,$a\n",
    "é",
];

fn main() -> ExitCode {
    let mut times = Vec::new();
    for begin in BEGINS {
        for piece in PIECES {
            let count = (LARGEST_TEXT - begin.len()) / piece.len();
            let text = format!("{begin}{}", piece.repeat(count));
            let start = Instant::now();
            let is_read = parse_statements(&text).is_ok();
            times.push((start.elapsed(), begin, piece, is_read));
        }
    }
    times.sort_by_key(|(time, ..)| std::cmp::Reverse(*time));
    for (time, begin, piece, is_read) in times.iter().take(8) {
        println!("{:8.3} s  {begin:?} {piece:?}... read: {is_read}", time.as_secs_f64());
    }
    let slowest = times.first().map_or(Duration::ZERO, |(time, ..)| *time);
    if slowest <= LONGEST { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
