//! Commands and options.

mod ask;
mod calibrate;
mod global;
mod import;
mod plan;
mod recommend;
mod teach;
pub(crate) mod value;
mod vary;

use std::path::PathBuf;

use bakcast_scenarios::Set;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use ask::{Ask, Need};
pub(crate) use calibrate::{Calibrate, FreeArgument, QuestionChoice};
pub(crate) use global::GlobalOptions;
pub(crate) use import::{Import, OnOff};
pub(crate) use plan::Plan;
pub(crate) use recommend::Recommend;
pub(crate) use teach::Teach;
pub(crate) use vary::{Compare, Shard, Sweep};

use crate::requirement::Requirement;

/// What it is, examples, usage, the rest: examples come first.
const TEMPLATE: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 internal or file error; 2 usage; 3 input not understood;
4 a requirement is not met; 130 interrupted. Results go to standard output, all
else to standard error.";

const EXAMPLES: &str = "\
Examples:
  bakcast predict nvme-knob-matrix:2        how long, and why
  bakcast explain nvme-knob-matrix:2        where the time goes
  bakcast scenarios                         what can be predicted out of the box
  bakcast scenarios --show usb3-laptop > mine.toml
  bakcast predict mine.toml --set backup.buffer_count=64 --require 'backup<=2h'";

const PREDICT: &str = "\
Examples:
  bakcast predict usb3-laptop:2.4
  bakcast predict mine.toml --set backup.buffer_count=64
  bakcast predict mine.toml --require 'total<=2h' --format json -o night.md";

const EXPLAIN: &str = "\
Examples:
  bakcast explain nvme-knob-matrix:2
  bakcast explain usb3-laptop:2.1 --sensitivity
  bakcast explain mine.toml:night --set processor.logical_processors=8";

const ASK: &str = "\
Examples:
  bakcast ask striping nvme-knob-matrix:2
  bakcast ask compression mine.toml --require 'backup<=2h'
  bakcast ask window mine.toml --window 2h";

const NEED: &str = "\
Examples:
  bakcast need usb3-laptop:2.1 --window 1min
  bakcast need mine.toml --window 2h --operation backup";

const COMPARE: &str = "\
Examples:
  bakcast compare nvme-knob-matrix:2 --vary buffer_count=8..128*2
  bakcast compare usb3-laptop --vary 'stripes=d1|d1,d2|d1,d2,d3' --operation total
  bakcast compare mine.toml --vary compression=on,off --vary transfer_size=1MiB,4MiB";

const SWEEP: &str = "\
Examples:
  bakcast sweep mine.toml --vary buffer_count=8..512*2 --vary compression=on,off -o results.csv
  bakcast sweep mine.toml --vary buffer_count=1..999 --sample latin:100 -o results.ndjson
  bakcast sweep mine.toml --list settings.csv -o part.csv --shard 2/8 --resume";

const CALIBRATE: &str = "\
Examples:
  bakcast calibrate --scenario mine.toml --runs runs.csv
  bakcast calibrate --scenario mine.toml --runs runs.csv -o fitted.toml
  bakcast calibrate --scenario mine.toml --design 4 -o runs.csv";

const IMPORT: &str = "\
Examples:
  bakcast import history.csv CommandLog.csv      what they say, and how it grows
  bakcast import history.csv fio.json -o mine.toml -o runs.csv
  bakcast import fio.json --device d1 -o device.toml
  bakcast import --queries                       what to run on a server";

const VALIDATE: &str = "\
Examples:
  bakcast validate
  bakcast validate usb3-laptop --format markdown";

const SCENARIOS: &str = "\
Examples:
  bakcast scenarios
  bakcast scenarios --show san-to-share-10gbe > mine.toml";

const DEVICES: &str = "\
Examples:
  bakcast devices
  bakcast devices --show usb3-hdd-5400
  bakcast predict mine.toml --set device.d1.like=sata-ssd";

const KNOBS: &str = "\
Examples:
  bakcast knobs
  bakcast knobs buffer";

const SCHEMA: &str = "\
Examples:
  bakcast schema > bakcast.schema.json
  bakcast schema -o bakcast.schema.json    then `#:schema bakcast.schema.json` in a file";

const COMPLETIONS: &str = "\
Examples:
  bakcast completions bash > ~/.local/share/bash-completion/completions/bakcast
  bakcast completions powershell >> $PROFILE";

const MAN: &str = "\
Examples:
  bakcast man | man -l -
  bakcast man predict > bakcast-predict.1";

/// Predicts how long a database backup and its verification take, and says what limits them.
#[derive(Debug, Parser)]
#[command(
    name = "bakcast",
    version,
    help_template = TEMPLATE,
    before_help = EXAMPLES,
    after_help = EXIT_CODES,
    arg_required_else_help = true,
    max_term_width = 80,
)]
pub(crate) struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// How long a backup and its verification take, and what limits them
    #[command(help_template = TEMPLATE, before_help = PREDICT)]
    Predict(Predict),
    /// Where the time goes: demands, bounds, the bottleneck and the next, the knee in buffers
    #[command(help_template = TEMPLATE, before_help = EXPLAIN)]
    Explain(Explain),
    /// A question by its name, answered yes, no or it depends, and what would change that
    #[command(help_template = TEMPLATE, before_help = ASK)]
    Ask(Ask),
    /// What rates of source, processors and target a window demands
    #[command(help_template = TEMPLATE, before_help = NEED)]
    Need(Need),
    /// A few settings beside each other: which is best, whether really, and whether it is worth it
    #[command(help_template = TEMPLATE, before_help = COMPARE)]
    Compare(Compare),
    /// Many settings, row by row into a file, and five views over them
    #[command(help_template = TEMPLATE, before_help = SWEEP)]
    Sweep(Sweep),
    /// The best settings under limits, and the statement to run
    #[command(help_template = TEMPLATE, before_help = recommend::EXAMPLES)]
    Recommend(Recommend),
    /// When a growing database no longer fits its window, and what wins how many months
    #[command(help_template = TEMPLATE, before_help = plan::EXAMPLES)]
    Plan(Plan),
    /// Fits a scenario to runs of your own, or says which runs would tell most
    #[command(help_template = TEMPLATE, before_help = CALIBRATE)]
    Calibrate(Calibrate),
    /// Reads histories, logs and benchmark files: what they say, and tables made of them
    #[command(help_template = TEMPLATE, before_help = IMPORT)]
    Import(Import),
    /// The shipped articles: measured beside predicted, row by row, and their claims
    #[command(help_template = TEMPLATE, before_help = VALIDATE)]
    Validate(Validate),
    /// The shipped scenarios and their variants
    #[command(help_template = TEMPLATE, before_help = SCENARIOS)]
    Scenarios(Scenarios),
    /// The devices and compression algorithms that a scenario can say `like` of
    #[command(help_template = TEMPLATE, before_help = DEVICES)]
    Devices(Devices),
    /// Every setting of a scenario: what it is, what it accepts, its default
    #[command(help_template = TEMPLATE, before_help = KNOBS)]
    Knobs(Knobs),
    /// The teaching page, with the engine in it: one file to open, to keep, to mail
    #[command(help_template = TEMPLATE, before_help = teach::EXAMPLES)]
    Teach(Teach),
    /// The JSON Schema of scenario files, for editors
    #[command(help_template = TEMPLATE, before_help = SCHEMA)]
    Schema,
    /// Completions for a shell
    #[command(help_template = TEMPLATE, before_help = COMPLETIONS)]
    Completions(Completions),
    /// The manual page, of the program or of one command
    #[command(help_template = TEMPLATE, before_help = MAN)]
    Man(Man),
}

/// A scenario, and values replaced in it.
#[derive(Debug, Args)]
pub(crate) struct ScenarioChoice {
    /// A shipped name, NAME:VARIANT, FILE.toml or FILE.toml:VARIANT
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: Option<String>,
    /// Replaces a value of the scenario; may be given several times
    ///
    /// The paths are those that `bakcast knobs` lists. The value `default` takes a value away.
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    pub(crate) set: Vec<Set>,
    /// Takes the settings of a BACKUP statement: its text, @FILE, or - for standard input
    ///
    /// T-SQL, a call of Ola Hallengren's DatabaseBackup or dbatools' Backup-DbaDatabase. What it
    /// leaves out is the engine's default; `[paths]` of the scenario says on which devices its
    /// files lie. `--set` comes after it.
    #[arg(long, value_name = "TEXT|@FILE|-")]
    pub(crate) sql: Option<String>,
}

/// `predict`.
#[derive(Debug, Args)]
pub(crate) struct Predict {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// A limit that must be kept, or the exit code is 4; may be given several times
    ///
    /// backup, verify, restore, total or night, then <= or <, then a length of time such as 2h,
    /// 90min, 1h30m or 45s; or memory and an amount such as 1GiB, for the buffers of all jobs; or
    /// cpu and a share such as 60%, of all processors; or files and a number. A time is held
    /// against the upper end of the range, so that a slow night fits as well; `--level` moves that
    /// end. A limit on a verification or a restore that the scenario does not have is not met.
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

/// `explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// Shows what the durations depend on, number by number, and the waits to expect
    #[arg(long)]
    pub(crate) sensitivity: bool,
    /// A limit that must be kept, or the exit code is 4; as for predict
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

/// `validate`.
#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// One article only
    #[arg(value_name = "ARTICLE")]
    pub(crate) article: Option<String>,
}

/// `scenarios`.
#[derive(Debug, Args)]
pub(crate) struct Scenarios {
    /// Prints a scenario's file; of NAME:VARIANT, the variant with every default written out
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
}

/// `devices`.
#[derive(Debug, Args)]
pub(crate) struct Devices {
    /// Prints a device or an algorithm as tables to paste into a scenario
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
}

/// `knobs`.
#[derive(Debug, Args)]
pub(crate) struct Knobs {
    /// Only knobs with this word in their path or their description
    #[arg(value_name = "WORD")]
    pub(crate) word: Option<String>,
}

/// `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// `man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// A command; absent: the program as a whole
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// The file of an `-o`.
pub(crate) type OutputFile = PathBuf;
