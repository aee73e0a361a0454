//! What is said when a command lacks its scenario: what to type.

use super::scenarios;
use crate::exit::{Exit, Failure};

/// What `calibrate` needs.
pub(super) fn runs_missing() -> Failure {
    let text = "\
bakcast calibrate fits a scenario to runs of your own. It needs the scenario and
a table of runs

  bakcast calibrate --scenario mine.toml --runs runs.csv -o fitted.toml

or, before there are any, it says which runs would tell most

  bakcast calibrate --scenario mine.toml --design 4 -o runs.csv

A table is a CSV file with a line for each run: settings that differ from the
scenario's, and what was measured

  run,compression,buffer_count,backup_seconds,verify_seconds
  as today,on,,5400,2100
  more buffers,on,50,4300,2110

A scenario to start from: bakcast scenarios --show disk-to-usb-disk > mine.toml
";
    Failure::plain(Exit::Usage, text.to_string())
}

/// What `import` needs.
pub(super) fn files_missing() -> Failure {
    let text = "\
bakcast import reads what is there already: backup histories, dbo.CommandLog,
error logs, fio, diskspd, CrystalDiskMark, iostat, performance counters. It
tells them by their content.

  bakcast import history.csv CommandLog.csv
  bakcast import history.csv fio.json -o mine.toml -o runs.csv

What to run on a server to have something to read

  bakcast import --queries
";
    Failure::plain(Exit::Usage, text.to_string())
}

/// What the command does, and the scenarios it could be given.
pub(super) fn scenario_missing(command: &'static str) -> Failure {
    let entries = match scenarios::entries() {
        Ok(entries) => entries,
        Err(failure) => return failure,
    };
    let what = match command {
        "predict" => "says how long a backup and its verification take, and what limits them",
        "ask" => "answers a question by its name: yes, no or it depends, and why",
        "need" => "says what rates of source, processors and target a window demands",
        "compare" => "holds settings beside each other and says which is best",
        "recommend" => "says which settings are best, within limits, and how to write them",
        "plan" => "says when a window is no longer enough, and what wins months",
        "trace" => "writes one run, event by event, for a timeline viewer or as a table",
        "report" => "writes a page about a backup: how long, why, what to do, how sure that is",
        "sweep" => "predicts many settings, row by row into a file",
        _ if command.starts_with("plot") => "draws a scenario",
        _ => "says where the time of a backup goes, and what would be gained",
    };
    let mut text = format!("bakcast {command} {what}.\nIt needs a scenario, one of these\n\n");
    for entry in &entries {
        text.push_str(&format!("  bakcast {command} {}\n      {}\n", entry.name, entry.title));
    }
    text.push_str(&format!(
        "\nor a variant of one (`bakcast scenarios` lists them)\n\n  \
         bakcast {command} nvme-knob-matrix:2\n"
    ));
    text.push_str(&format!(
        "\nor a file of yours\n\n  \
         bakcast scenarios --show nvme-knob-matrix > mine.toml\n  \
         bakcast {command} mine.toml\n"
    ));
    Failure::plain(Exit::Usage, text)
}
