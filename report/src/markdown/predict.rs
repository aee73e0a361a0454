//! `predict` as Markdown.

use super::{escaped, other_load, precision, table, uncertainty, warnings};
use crate::document::{Document, DurationResult, PredictResult};
use crate::number::{bytes, duration, duration_range, level, rate_binary, rate_decimal};
use crate::text::View;

pub(crate) fn predict(document: &Document<PredictResult>) -> String {
    let result = &document.result;
    let range = format!("{} of runs", level(result.level));
    let rate = |rate: Option<f64>| {
        rate.map_or_else(String::new, |r| format!("{} ({})", rate_binary(r), rate_decimal(r)))
    };
    let row = |name: &str, time: DurationResult, read: Option<f64>, written: Option<f64>| {
        vec![
            name.to_string(),
            duration(time.seconds),
            duration_range(time.low_seconds, time.high_seconds),
            rate(read),
            rate(written),
        ]
    };
    let mut rows = vec![row(
        "backup",
        result.backup,
        result.read_bytes_per_second,
        result.written_bytes_per_second,
    )];
    if let Some(verify) = &result.verify {
        rows.push(row("verify", verify.duration(), verify.read_bytes_per_second, None));
        rows.push(row("total", result.total, None, None));
    }
    if let Some(restore) = &result.restore {
        let (read, written) = (restore.read_bytes_per_second, restore.written_bytes_per_second);
        rows.push(row("restore", restore.duration(), read, written));
    }
    for job in &result.beside {
        let name = format!("beside {} from {}", job.name, duration(job.starts_seconds));
        let (read, written) = (job.read_bytes_per_second, job.written_bytes_per_second);
        rows.push(row(&name, job.duration(), read, written));
    }
    let headings = ["operation", "expected", &range, "read", "written"];
    let mut out = format!("**{}**: {}\n\n", escaped(&result.scenario), escaped(&result.title));
    out.push_str(&table(&headings, 1, &rows));
    let bottleneck = View::from(result).bottleneck_sentence();
    out.push_str(&format!(
        "\nBackup bottleneck: {}. Buffers: {} in {} x {} ({}). {} runs, {}, seed {}.\n",
        escaped(&bottleneck.replace('\u{a0}', " ")),
        bytes(result.buffer_memory_bytes as f64),
        result.buffer_count,
        bytes(result.max_transfer_size_bytes as f64),
        if result.buffer_sets == 1 {
            "1 set".to_string()
        } else {
            format!("{} sets", result.buffer_sets)
        },
        document.replications,
        result.work(document.replications),
        document.seed
    ));
    if let Some(all) = result.all_jobs_buffer_memory_bytes {
        out.push_str(&format!("Buffers of all jobs: {}.", bytes(all as f64)));
        out.push_str(match (&result.verify, &result.restore) {
            (Some(_), None) => " The verification is without the other jobs.\n",
            (None, Some(_)) => " The restore is without the other jobs.\n",
            (Some(_), Some(_)) => " Verification and restore are without the other jobs.\n",
            (None, None) => "\n",
        });
    }
    out.push_str(&other_load(&result.other_load));
    for requirement in &result.requirements {
        let verdict = if requirement.met { "met" } else { "not met" };
        out.push_str(&format!("\nRequired {}: {verdict}.\n", escaped(&requirement.requirement)));
    }
    out.push_str(&uncertainty(result.uncertainty.as_ref()));
    out.push_str(&precision(result.precision));
    out.push_str(&warnings(&document.warnings));
    out
}
