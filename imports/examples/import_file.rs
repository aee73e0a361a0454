//! Reads files and prints what they gave and how long that took.

use std::path::Path;

use bakcast_imports::{ImportOptions, import};

// The time is printed, and decides nothing.
#[expect(clippy::disallowed_types)]
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        #[expect(clippy::disallowed_types)]
        let begin = Instant::now();
        let found = import(Path::new(&file), &ImportOptions::default());
        let seconds = begin.elapsed().as_secs_f64();
        match found {
            Ok(import) => println!("{import:#?}"),
            Err(error) => println!("{error}"),
        }
        println!("{file}: {seconds:.3} s");
    }
}
