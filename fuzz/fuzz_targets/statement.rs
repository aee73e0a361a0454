//! Any text as statements.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = bakcast_scenarios::parse_statements(text);
});
