//! Any bytes as a scenario file.
#![no_main]

use bakcast_scenarios::Document;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(document) = Document::from_bytes("fuzzed.toml", bytes.to_vec()) {
        let _ = document.load(None, &[]);
    }
});
