//! Runs the workloads, checks what they did, and says how long they took.
//!
//! ```text
//! work             every workload: what it did, and its fastest run
//! work NAME ...    these alone
//! work --check     every workload once, without a clock
//! work --once NAME this workload once, without a clock: for callgrind
//! work --full NAME this workload once: wall and processor time, and the peak of memory
//! work --record    records what every workload does now in `bench/work.csv`
//! ```

#[expect(clippy::disallowed_types, reason = "a benchmark measures; its work is checked")]
use std::time::Instant;

use anyhow::Result;
use bakcast_bench::{
    Done, WORKLOADS, Workload, cpu_seconds, find, measured_workload, peak_bytes, record_work,
};

/// Every workload is timed for this long, or this many runs, whichever is less.
const SECONDS: f64 = 1.0;
const RUNS: u32 = 200;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [flag] if flag == "--record" => record_work(),
        [flag] if flag == "--check" => WORKLOADS.iter().try_for_each(once),
        [flag, name] if flag == "--once" => once(&find(name)?),
        [flag, name] if flag == "--full" => full(&find(name)?),
        names => {
            println!(
                "{:18} {:>10} {:>13} {:>12} {:>11}",
                "workload", "events", "bytes", "best ms", "ns an event"
            );
            for workload in chosen(names)? {
                time(&workload)?;
            }
            Ok(())
        }
    }
}

fn chosen(names: &[String]) -> Result<Vec<Workload>> {
    if names.is_empty() {
        return Ok(WORKLOADS.to_vec());
    }
    names.iter().map(|name| find(name)).collect()
}

fn once(workload: &Workload) -> Result<()> {
    let prepared = workload.prepare()?;
    workload.check(measured_workload(&prepared)?)
}

fn full(workload: &Workload) -> Result<()> {
    let prepared = workload.prepare()?;
    #[expect(clippy::disallowed_types, reason = "as above")]
    let begun = Instant::now();
    let busy = cpu_seconds();
    let done = measured_workload(&prepared)?;
    let wall = begun.elapsed().as_secs_f64();
    let Done { events, bytes, nanoseconds } = done;
    println!("{}: {events} events, {bytes} bytes, {nanoseconds} ns simulated", workload.name);
    println!("wall      {wall:.2} s, {:.1} ns an event", wall * 1e9 / events as f64);
    if let (Some(before), Some(after)) = (busy, cpu_seconds()) {
        println!("processor {:.2} s", after - before);
    }
    if let Some(peak) = peak_bytes() {
        println!("memory    {:.1} MiB at most", peak as f64 / 1_048_576.0);
    }
    workload.check(done)
}

fn time(workload: &Workload) -> Result<()> {
    let prepared = workload.prepare()?;
    let done = measured_workload(&prepared)?;
    workload.check(done)?;
    let (mut best, mut sum) = (f64::INFINITY, 0.0);
    for _ in 0..RUNS {
        #[expect(clippy::disallowed_types, reason = "as above")]
        let begun = Instant::now();
        measured_workload(&prepared)?;
        let seconds = begun.elapsed().as_secs_f64();
        best = best.min(seconds);
        sum += seconds;
        if sum > SECONDS {
            break;
        }
    }
    let Done { events, bytes, .. } = done;
    println!(
        "{:18} {events:10} {bytes:13} {:12.3} {:11.1}",
        workload.name,
        best * 1e3,
        best * 1e9 / events as f64
    );
    Ok(())
}
