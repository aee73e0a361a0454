//! Capped volumes: what is refused, and what is warned about.

use super::{SMALL, load, problem, small_with};
use crate::ProblemKind;
use crate::predict::{PredictOptions, predict};

/// The small scenario with its target as a capped volume.
fn with(burst: &str) -> String {
    let spindle = "[device.target.spindle]\nread_rate = \"120 MB/s\"\nwrite_rate = \"110 MB/s\"";
    small_with(spindle, &format!("[device.target.capped]\nrate = \"100 MB/s\"\n{burst}"))
}

fn burst(rate: &str, credit: &str) -> String {
    with(&format!("burst = {{ rate = \"{rate}\", credit = \"{credit}\" }}"))
}

#[test]
fn limits_stand_alone_or_with_a_burst() {
    load(&with("")).unwrap();
    load(&with("operations = { per_second = 500 }")).unwrap();
    load(&burst("170 MB/s", "36 GB")).unwrap();
    load(&burst("100 MB/s", "36 GB")).unwrap();
}

#[test]
fn a_burst_below_the_rate_is_answered_with_the_two_exchanged() {
    let found = problem(&burst("80 MB/s", "36 GB"));
    assert_eq!(found.kind, ProblemKind::OutOfRange);
    assert_eq!(found.path, "device.target.capped.burst.rate");
    assert_eq!(
        found.message,
        "`device.target.capped.burst.rate` is \"80 MB/s\", less than the \"100 MB/s\" that are \
         always allowed"
    );
    let exchanged = "`rate = \"80 MB/s\"` and `burst.rate = \"100 MB/s\"`";
    assert_eq!(found.suggestion.as_deref(), Some(exchanged));
}

#[test]
fn a_burst_needs_rate_and_credit_and_neither_is_nothing() {
    let found = problem(&with("burst = { rate = \"170 MB/s\" }"));
    assert_eq!(found.kind, ProblemKind::MissingKey);
    assert_eq!(found.path, "device.target.capped.burst.credit");
    let found = problem(&with("burst = { credit = \"36 GB\" }"));
    assert_eq!(found.path, "device.target.capped.burst.rate");
    assert_eq!(problem(&burst("170 MB/s", "0 B")).kind, ProblemKind::OutOfRange);
    let found = problem(&with("operations = { per_second = 500, size = \"0 B\" }"));
    assert_eq!(found.path, "device.target.capped.operations.size");
    let found = problem(&with("operations = { per_second = 0 }"));
    assert_eq!(found.kind, ProblemKind::OutOfRange);
    let found = problem(&with("burst_rate = \"170 MB/s\""));
    assert_eq!(found.kind, ProblemKind::UnknownKey);
}

#[test]
fn a_cap_may_stand_on_the_way() {
    let text = format!("{SMALL}[device.target]\nvia = [\"host\"]\n[device.host.capped]\n");
    load(&format!("{text}rate = \"192 MB/s\"\nlatency = \"0 ms\"\n")).unwrap();
}

fn warned(text: &str) -> Vec<String> {
    let resolved = load(text).unwrap().resolved;
    let options = PredictOptions { replications: 3, ..PredictOptions::default() };
    let warnings = predict(&resolved, &options).unwrap().warnings(&resolved);
    warnings.into_iter().map(|warning| warning.text).collect()
}

#[test]
fn credit_that_runs_dry_is_told_with_what_it_carried() {
    // 1 GB of credit carries 2 GB of the 6 GiB.
    let found = warned(&burst("200 MB/s", "1 GB"));
    assert_eq!(found, ["burst credit of `target` gone after 1.9 GiB, then 100 MB/s"]);
    assert_eq!(warned(&burst("200 MB/s", "8 GB")), Vec::<String>::new());
    // 4 GB carry 8 of 12.9 GB: all of the backup, and a part of its verification.
    let found = warned(&burst("200 MB/s", "4 GB"));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("of the verification"), "{found:?}");
}

/// A verification begins with the credit that its backup leaves.
#[test]
fn a_verification_finds_the_credit_as_the_backup_left_it() {
    let seconds = |credit: &str| {
        let resolved = load(&burst("200 MB/s", credit)).unwrap().resolved;
        let options = PredictOptions { replications: 3, ..PredictOptions::default() };
        let prediction = predict(&resolved, &options).unwrap();
        let verify = prediction.verify.as_ref().unwrap();
        (prediction.backup.seconds.median, verify.seconds.median)
    };
    let (full, dry) = (seconds("100 GB"), seconds("1 GB"));
    assert!((full.1 / full.0 - 1.0).abs() < 0.1, "{full:?}");
    assert!((dry.1 / full.1 - 2.0).abs() < 0.1, "{dry:?} against {full:?}");
}
