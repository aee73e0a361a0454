//! The shared samples with the figures that they should give, where they are at hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use bakcast_imports::{Import, ImportOptions, import};

fn folder() -> Option<PathBuf> {
    let told = std::env::var_os("BAKCAST_SAMPLES").map(PathBuf::from);
    told.filter(|folder| folder.join("EXPECTED.tsv").exists())
}

fn read(name: &str) -> Option<Import> {
    let file = folder()?.join(name);
    Some(import(&file, &ImportOptions::default()).expect("an import"))
}

#[test]
fn logs_give_the_expected_figures() {
    let Some(folder) = folder() else { return };
    let table = fs::read_to_string(folder.join("EXPECTED.tsv")).expect("readable");
    for line in table.lines().filter(|line| line.starts_with("errorlog/")) {
        let columns: Vec<&str> = line.split('\t').collect();
        let import = read(columns[0]).expect("a sample");
        let mut completions = import.backups.iter();
        let trace: BTreeMap<&str, &str> =
            columns[2].split("; ").filter_map(|figure| figure.split_once('=')).collect();
        for figure in columns[2].split("; ").filter(|figure| figure.contains(" pages, ")) {
            let backup = completions.next().expect("a backup");
            let (_, figures) = figure.split_once('=').expect("figures");
            let numbers: Vec<f64> = figures
                .split(", ")
                .filter_map(|part| part.split(' ').next()?.parse().ok())
                .collect();
            let pages = backup.read_bytes.expect("pages") as f64 / 8192.0;
            let rate = backup.printed_bytes_per_second.expect("a rate") / 1_048_576.0;
            let seconds = backup.length.expect("a duration").seconds;
            for (found, wanted) in [pages, seconds, rate].iter().zip(&numbers) {
                assert!((found - wanted).abs() < 1e-6, "{line}: {found}");
            }
        }
        assert!(completions.next().is_none(), "{line}");
        if let Some(count) = trace.get("buffer_count") {
            let found = &import.buffers[0];
            let text = |value: Option<u64>| value.map_or(String::new(), |v| v.to_string());
            assert_eq!(found.buffer_count.map(|c| c.to_string()).as_deref(), Some(*count));
            for (name, value) in [
                ("sets", text(found.sets.map(u64::from))),
                ("max_transfer_KiB", text(found.transfer_bytes.map(|b| b >> 10))),
                ("total_MiB", text(found.total_bytes.map(|b| b >> 20))),
                ("readers", text(found.readers.map(u64::from))),
            ] {
                assert_eq!(trace.get(name).copied().unwrap_or_default(), value, "{line}");
            }
        }
    }
}

#[test]
fn histories_give_sane_figures() {
    for (name, backups, usable) in [
        ("dbatools-backuphistory-utf8-ag.json", 2, 0),
        ("dbatools-console-table-decimal-comma.txt", 2, 0),
        ("derived-darlingdata-backup_performance_results.csv", 5, 5),
        ("derived-export-csv-ps5-de-utf16.csv", 6, 2),
        ("derived-ola-commandlog.csv", 2, 2),
        ("derived-sqlcmd-fixed-width.txt", 6, 2),
        ("derived-ssms-save-as-csv-utf8bom.csv", 6, 2),
    ] {
        let Some(import) = read(&format!("backupset/{name}")) else { return };
        let used: Vec<_> = import.backups.iter().filter(|b| b.unusable.is_none()).collect();
        assert_eq!((import.backups.len(), used.len()), (backups, usable), "{name}");
        for backup in used {
            let seconds = backup.length.expect("a duration").seconds;
            let rate = backup.read_bytes.map_or(3e8, |bytes| bytes as f64 / seconds);
            assert!((1e7..2e9).contains(&rate), "{name}: {backup:?}");
        }
    }
}
