//! What the process itself took, as Linux tells it; elsewhere it is not known.

use std::fs;

/// Ticks a second in which Linux counts a process's time, on every architecture.
const TICKS: f64 = 100.0;

/// Processor seconds of all threads so far.
#[must_use]
pub fn cpu_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the program's name, which may hold blanks; what follows it does not.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<u64>().ok();
    Some((ticks(11)? + ticks(12)?) as f64 / TICKS)
}

/// Most bytes of memory that the process has had at a time.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}
