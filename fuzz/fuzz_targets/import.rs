//! Any bytes as a file to import.
#![no_main]

use bakcast_imports::{ImportOptions, import_from};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(import) = import_from("fuzzed", bytes, &ImportOptions::default()) {
        // The account and the joining work on whatever was read.
        let _ = import.account().line();
        let _ = bakcast_imports::join(&[import]);
    }
});
