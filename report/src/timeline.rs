//! A run as a timeline: what each thread, worker and device does when.
//!
//! Two forms. [`ChromeTrace`] is the trace event format that <https://ui.perfetto.dev> opens:
//! a track for each thread, worker and device, and counters. [`Transfers`] is a table with a line
//! for each transfer on each device. Both are written while the run goes on and keep nothing of it
//! but what is under way, so that a long run needs no more memory than a short one.

mod chrome;
mod track;
mod transfers;

pub use chrome::{ChromeHead, ChromeTrace, Written};
pub use transfers::Transfers;

use std::fmt::Write as _;

/// A time in seconds, to the nanosecond.
fn push_seconds(out: &mut String, nanos: u64) {
    let _ = write!(out, "{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000);
}

/// A time in microseconds, to the nanosecond.
fn push_micros(out: &mut String, nanos: u64) {
    let _ = write!(out, "{}.{:03}", nanos / 1000, nanos % 1000);
}

/// A text as JSON has it, with its quotes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_to_the_nanosecond() {
        let text = |push: fn(&mut String, u64), nanos| {
            let mut out = String::new();
            push(&mut out, nanos);
            out
        };
        assert_eq!(text(push_seconds, 1_000_000_001), "1.000000001");
        assert_eq!(text(push_micros, 1_001), "1.001");
        assert_eq!(text(push_micros, 0), "0.000");
    }

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(quoted("a\"b\\\n</script>"), "\"a\\\"b\\\\\\n</script>\"");
    }
}
