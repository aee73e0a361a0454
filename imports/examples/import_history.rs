//! Imports files and prints what was found; with a number instead of a file, times are left to
//! `/usr/bin/time`.
//!
//! `cargo run --release -p bakcast-imports --example import_history -- FILE...`

use bakcast_imports::{ImportOptions, import};

fn main() {
    for file in std::env::args().skip(1) {
        match import(std::path::Path::new(&file), &ImportOptions::default()) {
            Ok(import) => {
                let usable = import.backups.iter().filter(|backup| backup.unusable.is_none());
                println!("{file}: {}, {}, {}", import.format, import.shape, import.encoding);
                println!("  {} backups, {} usable", import.backups.len(), usable.count());
                for ignored in &import.ignored {
                    println!("  ignored {}: {}", ignored.count, ignored.reason);
                }
                for caution in &import.cautions {
                    println!("  {}: {}", caution.code.id(), caution.text);
                }
                for backup in import.backups.iter().take(4) {
                    println!("  {backup:?}");
                }
                for check in import.verifications.iter().take(4) {
                    println!("  {check:?}");
                }
                for trace in import.buffers.iter().take(4) {
                    println!("  {trace:?}");
                }
            }
            Err(error) => println!("{error}"),
        }
    }
}
