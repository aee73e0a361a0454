//! Rules of the engine that span a statement: sizes by sort of target, numbers of devices, options
//! that exclude each other.

use bakcast_models::sql_server;

use super::draft::{Draft, problem};
use super::model::{Statement, StatementForm, Target, TargetKind};
use crate::problem::{Problem, ProblemKind, Problems};

/// Most bytes of a transfer to a block blob (2022 and later), and to S3.
const TRANSFER_SIZE_MAX_OBJECT: u64 = 20 << 20;
/// Fewest bytes of a transfer to S3.
const TRANSFER_SIZE_MIN_S3: u64 = 5 << 20;
/// What a transfer to S3 moves if nothing is stated.
pub(super) const TRANSFER_SIZE_DEFAULT_S3: u64 = 10 << 20;
/// Blocks that one blob may have.
const BLOCKS_MAX: u64 = 50_000;
/// Parts that one object of S3 may have.
const PARTS_MAX: u64 = 10_000;
/// Mirrors beside the media set.
const MIRRORS_MAX: usize = 3;

/// Options of which at most one may stand, and why.
const EXCLUDE: [(&[&str], &str); 15] = [
    (&["COMPRESSION", "NO_COMPRESSION"], "a backup is compressed or it is not"),
    (&["CHECKSUM", "NO_CHECKSUM"], "checksums are made or they are not"),
    (&["INIT", "NOINIT"], "a file is overwritten or appended to"),
    (&["FORMAT", "NOFORMAT"], "a media header is written or kept"),
    (&["FORMAT", "NOINIT"], "a new media header makes what was there unusable"),
    (&["SKIP", "NOSKIP"], "expiry is checked or it is not"),
    (&["STOP_ON_ERROR", "CONTINUE_AFTER_ERROR"], "a bad page stops the statement or does not"),
    (&["REWIND", "NOREWIND"], "a tape is rewound or kept open"),
    (&["UNLOAD", "NOUNLOAD"], "a tape is unloaded or stays"),
    (&["NOREWIND", "UNLOAD"], "a tape that is unloaded is rewound"),
    (
        &["COPY_ONLY", "DIFFERENTIAL"],
        "a differential backup cannot be a base, so there is nothing to keep it out of",
    ),
    (&["EXPIREDATE", "RETAINDAYS"], "a backup set has one date of expiry"),
    (&["RECOVERY", "NORECOVERY", "STANDBY"], "a database is left in one state"),
    (&["STOPAT", "STOPATMARK", "STOPBEFOREMARK"], "a restore stops at one point"),
    (&["ENABLE_BROKER", "NEW_BROKER", "ERROR_BROKER_CONVERSATIONS"], "one fate of the broker"),
];

/// Reports what of a statement the engine would refuse.
pub(super) fn check(draft: &Draft, problems: &mut Problems) {
    if !draft.statement.is_timed() {
        return;
    }
    exclusions(draft, problems);
    devices(draft, problems);
    mirrors(draft, problems);
    sorts(draft, problems);
    buffers(draft, problems);
    transfer_size(draft, problems);
}

/// A fault of an option, with its place and value.
fn fault(draft: &Draft, name: &str, found: &dyn ToString, message: String) -> Problem {
    let span = draft.place_of(name);
    problem(ProblemKind::OutOfRange, &span, name, message).found(found.to_string())
}

fn exclusions(draft: &Draft, problems: &mut Problems) {
    for (group, reason) in EXCLUDE {
        let mut stated: Vec<_> =
            group.iter().filter_map(|name| Some((draft.options.get(*name)?, *name))).collect();
        stated.sort_by_key(|(span, _)| span.start);
        if let [(_, first), .., (span, last)] = stated.as_slice() {
            let message = format!("`{last}` contradicts `{first}`: {reason}");
            let wrong = problem(ProblemKind::Contradiction, span, last, message);
            let choice = format!("`{first}` or `{last}`");
            problems.report(wrong.found((*last).to_string()).accepted(choice));
        }
    }
}

/// As many devices as the engine writes to at once.
fn devices(draft: &Draft, problems: &mut Problems) {
    let targets = &draft.statement.targets;
    let most = sql_server::STRIPES_MAX;
    if let Some(target) = targets.get(most) {
        let message = format!("{} backup devices are too many", targets.len());
        let wrong = problem(ProblemKind::OutOfRange, &target.span, "TO", message);
        problems.report(wrong.found(targets.len().to_string()).accepted(format!("1 to {most}")));
    }
}

fn mirrors(draft: &Draft, problems: &mut Problems) {
    let Statement { targets, mirrors, .. } = &draft.statement;
    let first = |mirror: &[Target]| mirror.first().map_or(0..0, |target| target.span.clone());
    if let Some(mirror) = mirrors.get(MIRRORS_MAX) {
        let message = format!("{} mirrors are too many", mirrors.len());
        let wrong = problem(ProblemKind::OutOfRange, &first(mirror), "MIRROR TO", message);
        problems.report(wrong.accepted(format!("up to {MIRRORS_MAX} clauses `MIRROR TO`")));
    }
    for mirror in mirrors.iter().filter(|mirror| mirror.len() != targets.len()) {
        let (count, wanted) = (mirror.len(), targets.len());
        let message = format!("a mirror of {count} devices beside a media set of {wanted}");
        let wrong = problem(ProblemKind::Contradiction, &first(mirror), "MIRROR TO", message);
        problems.report(wrong.accepted(format!("{wanted} devices in each mirror")));
    }
}

/// All devices of a media set are of one sort.
fn sorts(draft: &Draft, problems: &mut Problems) {
    let known = |target: &&Target| target.kind != TargetKind::Logical;
    let mut targets = draft.all_targets().filter(known);
    let Some(first) = targets.next() else { return };
    if let Some(other) = targets.find(|target| target.kind != first.kind) {
        let message = "the devices of one media set are all of one sort".to_string();
        let wrong = problem(ProblemKind::Contradiction, &other.span, "TO", message);
        problems.report(wrong.accepted("all DISK, all URL or all TAPE"));
    }
    let has_snapshot = draft.options.contains_key("FILE_SNAPSHOT");
    if has_snapshot && first.kind != TargetKind::Url {
        let message = "`FILE_SNAPSHOT` needs a target of the sort URL".to_string();
        let span = draft.place_of("FILE_SNAPSHOT");
        let wrong = problem(ProblemKind::Contradiction, &span, "FILE_SNAPSHOT", message);
        problems.report(wrong.accepted("`URL = ...`, with the database files in the same store"));
    }
}

fn buffers(draft: &Draft, problems: &mut Problems) {
    let Statement { buffer_count, block_size, stats, .. } = &draft.statement;
    if *buffer_count == Some(0) {
        let message = "`BUFFERCOUNT` cannot be 0".to_string();
        let wrong = fault(draft, "BUFFERCOUNT", &0, message);
        problems.report(wrong.accepted("a whole number from 1 on; leave it out for the default"));
    }
    if let Some(size) = block_size.filter(|size| !sql_server::BLOCK_SIZES.contains(size)) {
        let message = format!("`BLOCKSIZE` cannot be {size}");
        let sizes = sql_server::BLOCK_SIZES.map(|size| size.to_string());
        let nearest = sql_server::BLOCK_SIZES.into_iter().min_by_key(|known| known.abs_diff(size));
        let wrong = fault(draft, "BLOCKSIZE", &size, message);
        let wrong = wrong.accepted(format!("{} bytes", sizes.join(", ")));
        problems.report(wrong.suggestion(nearest.map(|size| format!("`BLOCKSIZE = {size}`"))));
    }
    if let Some(stats) = stats.filter(|stats| !(1..=100).contains(stats)) {
        let message = format!("`STATS` cannot be {stats}");
        problems.report(fault(draft, "STATS", &stats, message).accepted("1 to 100 per cent"));
    }
}

/// What a target takes in one transfer.
struct Limits {
    what: &'static str,
    least: u64,
    most: u64,
}

/// Whether an address is one of S3.
pub(super) fn is_s3(target: &Target) -> bool {
    target.kind == TargetKind::Url
        && target.path.get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("s3://"))
}

fn limits(target: &Target) -> Limits {
    let step = sql_server::TRANSFER_SIZE_STEP.get();
    match target.kind {
        TargetKind::Url if is_s3(target) => {
            Limits { what: "S3", least: TRANSFER_SIZE_MIN_S3, most: TRANSFER_SIZE_MAX_OBJECT }
        }
        TargetKind::Url => {
            Limits { what: "a block blob", least: step, most: TRANSFER_SIZE_MAX_OBJECT }
        }
        _ => Limits { what: "a disk", least: step, most: sql_server::TRANSFER_SIZE_MAX.get() },
    }
}

fn transfer_size(draft: &Draft, problems: &mut Problems) {
    let statement = &draft.statement;
    let first = statement.targets.first();
    let is_page_blob = statement.credential.is_some()
        && first.is_some_and(|target| target.kind == TargetKind::Url && !is_s3(target));
    for name in ["MAXTRANSFERSIZE", "BLOCKSIZE"] {
        if is_page_blob && draft.options.contains_key(name) {
            let message = format!("`{name}` cannot be stated for a page blob (CREDENTIAL)");
            let span = draft.place_of(name);
            let wrong = problem(ProblemKind::Contradiction, &span, name, message);
            problems.report(wrong.accepted("no such option, or a block blob without CREDENTIAL"));
        }
    }
    if is_page_blob && statement.targets.len() > 1 {
        let message = "a page blob (CREDENTIAL) cannot be striped".to_string();
        let span = draft.place_of("CREDENTIAL");
        let wrong = problem(ProblemKind::Contradiction, &span, "CREDENTIAL", message);
        problems.report(wrong.accepted("one URL, or block blobs without CREDENTIAL"));
    }
    let Some(size) = statement.transfer_size.filter(|_| !is_page_blob) else { return };
    let disk = Limits {
        what: "a disk",
        least: sql_server::TRANSFER_SIZE_STEP.get(),
        most: sql_server::TRANSFER_SIZE_MAX.get(),
    };
    let limits = first.map_or(disk, limits);
    let step = sql_server::TRANSFER_SIZE_STEP.get();
    if !(limits.least..=limits.most).contains(&size) || size % step != 0 {
        let (least, most) = (limits.least, limits.most);
        let what = if (least..=most).contains(&size) {
            format!("`MAXTRANSFERSIZE` = {size} is no multiple of {step}")
        } else {
            format!("`MAXTRANSFERSIZE` = {size} is out of range for {}", limits.what)
        };
        let near = (size / step).max(1).saturating_mul(step).clamp(least, most);
        let wrong = fault(draft, "MAXTRANSFERSIZE", &size, what);
        let wrong = wrong.accepted(format!("multiples of {step} from {least} to {most} bytes"));
        problems.report(wrong.suggestion(Some(format!("`MAXTRANSFERSIZE = {near}`"))));
    }
    // A tool that says nothing may still ask for it, if the server's setting is so.
    let is_refused = match statement.form {
        StatementForm::Sql => statement.compression != Some(true),
        StatementForm::Ola | StatementForm::Dbatools => statement.compression == Some(false),
    };
    if is_refused && statement.is_backup() && first.is_some_and(is_s3) {
        let message = "`MAXTRANSFERSIZE` to S3 takes effect only with COMPRESSION".to_string();
        let span = draft.place_of("MAXTRANSFERSIZE");
        let wrong = problem(ProblemKind::Contradiction, &span, "MAXTRANSFERSIZE", message);
        problems.report(wrong.accepted("`COMPRESSION` beside it, or no `MAXTRANSFERSIZE`"));
    }
}

/// What a backup of `written` bytes to object storage needs beyond what its targets hold: blocks
/// of a blob, parts of an object. Nothing if it fits, or goes elsewhere.
#[must_use]
pub fn check_blob_size(statement: &Statement, written: u64) -> Option<String> {
    let first = statement.targets.first().filter(|target| target.kind == TargetKind::Url)?;
    let (parts, what, default) = if is_s3(first) {
        (PARTS_MAX, "parts of an S3 object", TRANSFER_SIZE_DEFAULT_S3)
    } else {
        (BLOCKS_MAX, "blocks of a blob", sql_server::TRANSFER_SIZE_DEFAULT.get())
    };
    let size = statement.transfer_size.unwrap_or(default).max(1);
    let stripes = (statement.targets.len() as u64).max(1);
    let per_target = parts.saturating_mul(size);
    let needed = written.div_ceil(per_target.max(1));
    (needed > stripes).then(|| {
        format!(
            "{written} bytes need more than the {parts} {what} at {size} bytes each: {needed} \
             targets instead of {stripes}, or a larger MAXTRANSFERSIZE"
        )
    })
}
