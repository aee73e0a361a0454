//! No text makes the reader panic: statements of the corpus, changed at random but always alike.

use super::corpus::cases;
use crate::parse_statements;

/// A generator that needs no crate (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }
}

/// Pieces that mean something in one of the three forms.
const PIECES: [&str; 36] = [
    "'",
    "\"",
    "[",
    "]",
    "(",
    ")",
    "/*",
    "*/",
    "--",
    ";",
    ",",
    "=",
    "@",
    "@x",
    "$(",
    "$",
    "`",
    "\n",
    "\nGO\n",
    "N'",
    " WITH ",
    " TO ",
    "MIRROR TO ",
    "BACKUP DATABASE ",
    "RESTORE ",
    "EXEC ",
    "EXEC('",
    "NULL",
    "-",
    "+",
    "99999999999999999999",
    "@(",
    "<#",
    "é",
    "\u{feff}",
    "\0",
];

fn changed(texts: &[String], random: &mut Random) -> String {
    let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(12)).min(text.len());
        match random.below(4) {
            0 => drop(text.drain(at..end)),
            1 => drop(text.splice(at..at, PIECES[random.below(PIECES.len())].chars())),
            2 => drop(text.splice(at..end, PIECES[random.below(PIECES.len())].chars())),
            _ => {
                let other: Vec<char> = texts[random.below(texts.len())].chars().collect();
                let from = random.below(other.len());
                text.truncate(at);
                text.extend(&other[from..]);
            }
        }
    }
    text.into_iter().collect()
}

/// `STATEMENT_MUTATIONS=1000000` makes it a million.
#[test]
fn any_mutation_of_a_statement_is_answered() {
    let count = std::env::var("STATEMENT_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let texts: Vec<String> = cases().into_iter().map(|case| case.text).collect();
    let mut random = Random(1);
    let mut read = 0_u32;
    let count = count.unwrap_or(20_000_u32);
    for _ in 0..count {
        let text = changed(&texts, &mut random);
        match parse_statements(&text) {
            Ok(statements) => {
                read += 1;
                assert!(statements.iter().all(|s| text.get(s.span.clone()).is_some()), "{text}");
            }
            Err(problems) => {
                assert!(problems.iter().all(|problem| problem.line.is_some()), "{text}");
                let _ = problems.render(false);
            }
        }
    }
    assert!(read > count / 20, "{read} of {count} were read: the mutations are too wild");
}
