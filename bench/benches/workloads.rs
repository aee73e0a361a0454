//! The workloads under criterion, each group under its name; every run's work is checked.

use anyhow::Result;
use bakcast_bench::{WORKLOADS, measured_workload};
use criterion::{Criterion, Throughput};

/// The batch alone takes seconds, so no more samples than criterion insists on.
const SAMPLES: usize = 10;

fn main() -> Result<()> {
    let mut criterion = Criterion::default().sample_size(SAMPLES).configure_from_args();
    for workload in WORKLOADS {
        let prepared = workload.prepare()?;
        let done = measured_workload(&prepared)?;
        workload.check(done)?;
        let mut group = criterion.benchmark_group(workload.group);
        group.throughput(Throughput::Elements(done.events));
        group.bench_function(workload.name, |bencher| {
            bencher.iter(|| match measured_workload(&prepared) {
                Ok(again) if again == done => again,
                other => panic!("{}: {other:?} instead of {done:?}", workload.name),
            });
        });
        group.finish();
    }
    criterion.final_summary();
    Ok(())
}
