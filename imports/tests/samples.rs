//! The figures of files that others wrote, where such files are at hand.
//!
//! `BAKCAST_SAMPLES` names the folder; `.ci/run` does. Without it nothing is tested.

use std::path::PathBuf;

use bakcast_imports::{Direction, Import, ImportOptions, Rate, import};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("BAKCAST_SAMPLES").map(PathBuf::from)?;
    folder.join("EXPECTED.tsv").exists().then_some(folder)
}

fn near(found: f64, wanted: f64, rounding: f64) -> bool {
    (found - wanted).abs() <= wanted.abs() * 1e-6 + rounding
}

fn sum(import: &Import, chosen: impl Fn(&Rate) -> bool) -> f64 {
    let rates = import.rates.iter().filter(|rate| chosen(rate));
    rates.map(|rate| rate.bytes_per_second).sum()
}

/// Whether a figure of the list is what was found; `None` if it is not one of a rate.
fn agrees(import: &Import, key: &str, value: &str) -> Option<bool> {
    let number = value.split(' ').next()?.parse::<f64>();
    let of = |way| move |rate: &Rate| rate.direction == way;
    let (reads, writes) = (of(Direction::Read), of(Direction::Write));
    let any = import.rates.first()?;
    let seconds = any.seconds.unwrap_or(0.0);
    Some(match (key, number) {
        ("read", Ok(wanted)) => near(sum(import, reads), wanted, 1.0),
        ("write", Ok(wanted)) => near(sum(import, writes), wanted, 1.0),
        ("read_bytes", Ok(wanted)) => near(sum(import, reads) * seconds, wanted, 1.0),
        ("write_bytes", Ok(wanted)) => near(sum(import, writes) * seconds, wanted, 1.0),
        ("total_bytes", Ok(wanted)) => near(sum(import, |_| true) * seconds, wanted, 1.0),
        ("seconds", Ok(wanted)) => near(seconds, wanted, 0.0),
        ("iodepth" | "depth", Ok(wanted)) => any.depth.map(f64::from) == Some(wanted),
        ("numjobs" | "threads_per_file", Ok(wanted)) => near(f64::from(any.jobs), wanted, 0.0),
        ("write_pct", Ok(wanted)) => {
            let share = sum(import, writes) / sum(import, |_| true);
            near(100.0 * share, wanted, 1.0)
        }
        ("jobs_entries", Ok(_)) => import.shape.starts_with(&format!("{value} job")),
        ("rw", _) => import.rates.iter().all(|rate| {
            let random = rate.pattern == bakcast_imports::Pattern::Random;
            random == value.starts_with("rand") && rate.mixed == value.ends_with("readwrite")
        }),
        ("version", _) => import.version.as_ref().is_some_and(|version| version.ends_with(value)),
        ("block" | "bs", _) => {
            let unit = match value.trim_start_matches(|c: char| c.is_ascii_digit()).chars().next() {
                Some('k' | 'K') => 1024,
                Some('M') => 1 << 20,
                _ => 1,
            };
            let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
            any.block_bytes == digits.parse::<u64>().ok().map(|count| count * unit)
        }
        (key, Ok(wanted)) => {
            let (way, rest) = key.split_at(key.find(['_', '['])?);
            let way = match way {
                "read" => Direction::Read,
                "write" => Direction::Write,
                _ => return None,
            };
            let name = rest.trim_matches(['_', '[', ']']);
            if name.ends_with("_s") {
                return None;
            }
            let named = |rate: &Rate| rate.label == name || rate.target.as_deref() == Some(name);
            near(sum(import, |rate| rate.direction == way && named(rate)), wanted, 1.0)
        }
        _ => return None,
    })
}

#[test]
fn the_samples_give_the_expected_figures() {
    let Some(folder) = folder() else { return };
    let list = std::fs::read_to_string(folder.join("EXPECTED.tsv")).expect("a list");
    let mut checked = 0;
    for line in list.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, status, figures, ..] = cells[..] else { panic!("{line}") };
        let ours = ["fio/", "diskspd/", "crystaldiskmark/"];
        if !ours.iter().any(|begin| file.starts_with(begin)) || !folder.join(file).exists() {
            continue;
        }
        let found = import(&folder.join(file), &ImportOptions::default());
        let refused = found.as_ref().map_or(true, |import| import.refused.is_some());
        assert_eq!(refused, status == "reject", "{file}: {found:?}");
        let Ok(import) = found else { continue };
        for figure in figures.split("; ").filter(|figure| !figure.is_empty()) {
            let (key, value) = figure.split_once('=').expect("a figure");
            if let Some(agrees) = agrees(&import, key, value) {
                assert!(agrees, "{file}: {figure}, but {:#?}", import.rates);
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "only {checked} figures were checked");
}
