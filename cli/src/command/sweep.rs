//! `sweep`: many settings, row by row into a file, and five views over them.

mod fingerprint;
mod rows;

use std::path::PathBuf;

use bakcast_report::document::{Figures, SweepResult, SweepRow};
use bakcast_report::{Document, Format, Warning};
use bakcast_scenarios::Loaded;
use bakcast_scenarios::predict::{Asked, PredictOptions, Prediction, Refused};
use bakcast_whatif::{
    Configuration, Design, LARGEST_LIST, MOST_CONFIGURATIONS, Operation, Point, Runner, Vary,
    VaryError, views,
};

use super::opened::Opened;
use super::{given, run_of, run_warnings};
use crate::args::{GlobalOptions, Shard, Sweep};
use crate::exit::{Exit, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Outputs, Reply};
use crate::progress::Bar;
use crate::requirement::{self, Requirement};

use rows::{Format as RowFormat, Rows};

pub(super) fn run(
    arguments: &Sweep,
    global: &GlobalOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    let options = global.options()?;
    let file = outputs.formats_or_rows()?;
    let opened = Opened::new("sweep", &arguments.choice)?;
    let (document, variant, sets) = opened.parts();
    let design = design(arguments, options.seed)?;
    let asked = if arguments.bottleneck { Asked::Limits } else { Asked::Durations };
    let runner = Runner::new(document, variant, sets, options, asked);
    let loaded = runner.load(&Configuration::default())?;
    let fingerprint = fingerprint::of(document, (variant, sets), arguments, &options, &design);
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let mut work = Work {
        design: &design,
        options: &options,
        operation: arguments.operation.into(),
        require: &arguments.require,
        fingerprint,
        range: shard.range(design.count()),
        found: Found::default(),
        // Kept only where a document asks for all of them.
        keeps_rows: outputs.wants(Format::Json),
    };
    let mut rows = work.open(arguments, shard, file.as_ref(), outputs)?;
    let resumed_rows = work.found.rows;
    work.run(&runner, &mut rows, outputs)?;
    let result = work.result(arguments, &loaded, resumed_rows, file.as_ref());
    if result.ranking.is_empty()
        && let Some(error) = &result.first_error
    {
        let text = format!("no configuration can be run; the first: {error}");
        return Err(Failure::new(Exit::Input, text));
    }
    let unmet = (result.meeting_requirements == Some(0)).then(|| {
        let limits: Vec<String> = arguments.require.iter().map(ToString::to_string).collect();
        format!("not met: no configuration keeps {}", limits.join(" and "))
    });
    let run = run_of("sweep", &options, &loaded);
    let of_scenario = loaded.resolved.warnings.iter().map(Warning::from);
    let warnings = of_scenario.chain(run_warnings(&options, None)).collect();
    let document = Document::new(run, warnings, result);
    let mut reply = outputs.reply_beside_rows(&document, file.as_deref())?;
    if rows.are_on_stdout() {
        reply.stdout = String::new();
    }
    reply.exit = if unmet.is_some() { Exit::NotMet } else { Exit::Done };
    reply.unmet = unmet;
    Ok(reply)
}

fn design(arguments: &Sweep, seed: u64) -> Result<Design, Failure> {
    if let Some(path) = &arguments.list {
        let name = path.display().to_string();
        let unreadable =
            |error| Failure::new(Exit::Input, format!("cannot read `{name}`: {error}"));
        let size = std::fs::metadata(path).map_err(unreadable)?.len();
        if size > LARGEST_LIST as u64 {
            return Err(Failure::new(Exit::Input, format!("`{name}` is too large for a list")));
        }
        let bytes = std::fs::read(path).map_err(unreadable)?;
        return Ok(Design::list(&name, &bytes)?);
    }
    let specs = arguments.vary.iter();
    let axes: Result<Vec<Vary>, VaryError> = specs.map(|spec| Vary::parse(spec)).collect();
    Ok(match arguments.sample {
        Some(sample) => Design::latin(axes?, sample.latin, seed)?,
        None => Design::grid(axes?, MOST_CONFIGURATIONS)?,
    })
}

/// What was found so far: what views need, and counts.
#[derive(Debug, Default)]
struct Found {
    points: Vec<Point>,
    rows: u64,
    refused: u64,
    first_error: Option<String>,
    meeting: u64,
    kept: Vec<SweepRow>,
}

impl Found {
    fn add(&mut self, point: Option<Point>, error: Option<&str>, meets: Option<bool>) {
        self.rows += 1;
        self.points.extend(point);
        if let Some(error) = error {
            self.refused += 1;
            self.first_error.get_or_insert_with(|| error.to_string());
        }
        self.meeting += u64::from(meets == Some(true));
    }
}

/// A shard of a sweep.
struct Work<'a> {
    design: &'a Design,
    options: &'a PredictOptions,
    operation: Operation,
    require: &'a [Requirement],
    fingerprint: String,
    range: (u64, u64),
    found: Found,
    keeps_rows: bool,
}

/// Why it ended before its end.
enum Stop {
    /// Somebody said so.
    Asked,
    /// Whoever reads has seen enough.
    Enough,
    /// A row could not be written, or our bug.
    Failed(Failure),
}

impl Work<'_> {
    /// Opens what takes the rows, and takes up what is there already.
    fn open(
        &mut self,
        arguments: &Sweep,
        shard: Shard,
        file: Option<&PathBuf>,
        outputs: &Outputs,
    ) -> Result<Rows, Failure> {
        let headings = SweepRow::csv_headings(self.design)?;
        let Some(path) = file else {
            if arguments.resume {
                return Err(Failure::usage("--resume needs the file of the rows: -o results.csv"));
            }
            let mut rows =
                if outputs.prints(Format::Csv) { Rows::stdout() } else { Rows::nowhere() };
            let headings = if shard.is_first() { headings } else { String::new() };
            rows.write(&headings).map_err(|error| rows.failure(&error, 0))?;
            return Ok(rows);
        };
        let format = RowFormat::of(path);
        let begin =
            if shard.is_first() && format == RowFormat::Csv { headings } else { String::new() };
        let mut file = rows::File::new(path, format, begin);
        let total = self.range.1 - self.range.0;
        let there = file.scan(self.design, self.operation, &self.fingerprint, self.range);
        match (arguments.resume, there) {
            (true, there) => {
                for row in there? {
                    self.found.add(row.point, row.error.as_deref(), row.meets_requirements);
                }
                file.go_on()
            }
            (false, Ok(there)) if !there.is_empty() && (there.len() as u64) < total => {
                Err(Failure::usage(format!(
                    "`{}` holds {} of the {total} rows of this very sweep: --resume goes on with \
                     it; to begin anew, remove it",
                    path.display(),
                    there.len()
                )))
            }
            (false, _) => file.begin(),
        }
    }

    /// Runs what is left, each row written before the next is thought of.
    fn run(
        &mut self,
        runner: &Runner<'_>,
        rows: &mut Rows,
        outputs: &Outputs,
    ) -> Result<(), Failure> {
        let (first, end) = self.range;
        let resumed = self.found.rows;
        let interrupt = Interrupt::listen();
        let bar = Bar::with_time_left(outputs.watched());
        let design = self.design;
        let make = |index| design.configuration(index);
        let ended = runner.each((first + resumed, end), make, |index, ended| {
            self.put(index, ended, rows)?;
            bar.done("sweeping", (resumed, self.found.rows, end - first));
            if interrupt.is_asked() && index + 1 < end { Err(Stop::Asked) } else { Ok(()) }
        });
        drop(bar);
        match ended {
            Ok(()) => rows.finish().map_err(|error| rows.failure(&error, self.found.rows)),
            Err(Stop::Enough) => Ok(()),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Asked) => {
                let (done, of) = (self.found.rows, end - first);
                let kept = rows.kept().map_or_else(String::new, |file| {
                    format!("; they are kept in `{file}`, and --resume goes on from there")
                });
                let text = format!("interrupted after {done} of {of} rows{kept}");
                Err(Failure::plain(Exit::Interrupted, text))
            }
        }
    }

    /// Writes one row, and keeps what views need of it.
    fn put(
        &mut self,
        index: u64,
        ended: Result<(&Loaded, Prediction), Refused>,
        rows: &mut Rows,
    ) -> Result<(), Stop> {
        let failed = |error: bakcast_report::ReportError| Stop::Failed(error.into());
        let figures = match ended {
            Ok((loaded, prediction)) => {
                let figures = requirement::Figures::of(loaded, &prediction);
                let judged: Vec<_> =
                    self.require.iter().map(|limit| limit.judge(&figures)).collect();
                Ok(Figures::new(loaded, &prediction, &judged))
            }
            Err(refused) => Err(refused.to_string()),
        };
        let row = SweepRow::new(index, self.design, figures, &self.fingerprint);
        let line = match rows.format() {
            RowFormat::Csv => row.csv(self.design),
            RowFormat::Ndjson => row.ndjson(),
        };
        match rows.write(&line.map_err(failed)?) {
            Ok(()) => {}
            Err(error) if rows.is_enough(&error) => return Err(Stop::Enough),
            Err(error) => return Err(Stop::Failed(rows.failure(&error, self.found.rows))),
        }
        let figures = row.figures.as_ref();
        let point = figures.and_then(|figures| figures.point(index, self.operation));
        let meets = figures.and_then(|figures| figures.meets_requirements);
        self.found.add(point, row.error.as_deref(), meets);
        if self.keeps_rows {
            self.found.kept.push(row);
        }
        Ok(())
    }

    /// The document.
    fn result(
        self,
        arguments: &Sweep,
        loaded: &Loaded,
        resumed_rows: u64,
        file: Option<&PathBuf>,
    ) -> SweepResult {
        let (first, end) = self.range;
        let mut result = SweepResult {
            scenario: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            set: given(&arguments.choice),
            operation: self.operation.name(),
            level: self.options.level,
            paths: self.design.paths().map(str::to_string).collect(),
            configurations: self.design.count(),
            first_run: first + 1,
            last_run: end,
            resumed_rows,
            refused: self.found.refused,
            first_error: self.found.first_error,
            meeting_requirements: (!self.require.is_empty()).then_some(self.found.meeting),
            fingerprint: self.fingerprint,
            rows_file: file.map(|path| path.display().to_string()),
            ranking: Vec::new(),
            best_per_compression: Vec::new(),
            effects: Vec::new(),
            efficient: Vec::new(),
            consistent: Vec::new(),
            // Some of them would look like all of them.
            rows: if resumed_rows == 0 { self.found.kept } else { Vec::new() },
        };
        result.see(self.design, &views(self.design, &self.found.points));
        result
    }
}
