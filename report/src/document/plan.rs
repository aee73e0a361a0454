//! What `plan` finds.

use bakcast_whatif::{BackupKind, KindPlan, Plan, PlanChange, Routine, Settings, Stop, often};
use serde::Serialize;

use super::recommend::difference;
use super::{ChosenSettings, RequirementResult};
use crate::number::{at_most, bytes, duration, level, percent};

/// An error of less is not told apart from none.
const LEAST_ERROR: f64 = 1e-4;

/// How fast the data grow: shares of a month.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanGrowth {
    /// In the middle.
    pub per_month: f64,
    /// No less in nine cases of ten.
    pub low_per_month: f64,
    /// No more in nine cases of ten.
    pub high_per_month: f64,
    /// Where it comes from, if not from the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// One month.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MonthResult {
    /// Months from now.
    pub month: u32,
    /// Bytes of the database, by the growth in the middle.
    pub size_bytes: f64,
    /// Half of all nights are faster; absent where it cannot be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_seconds: Option<f64>,
    /// Lower end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_seconds: Option<f64>,
    /// Upper end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_seconds: Option<f64>,
    /// With which probability it fits.
    pub probability_fits: f64,
}

/// When it stops fitting; absent: not within the months planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StopResult {
    /// With all that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<u32>,
    /// With the growth at its upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<u32>,
    /// With the growth at its lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<u32>,
}

/// One kind of backup.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScheduledKind {
    /// full, differential or log.
    pub kind: &'static str,
    /// From one to the next, in words.
    pub how_often: String,
    /// From one to the next.
    pub every_seconds: f64,
    /// How many there are from one full backup to the next.
    pub count: u32,
    /// Time there is for one of them.
    pub limit_seconds: f64,
    /// What the largest of them reads, now.
    pub read_bytes: u64,
    /// What the largest of them writes, now.
    pub written_bytes: u64,
    /// When it stops fitting.
    pub stops_fitting: StopResult,
    /// Month by month; 0 is now.
    pub months: Vec<MonthResult>,
}

/// Which backups are made and how often.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanSchedule {
    /// As it was read.
    pub text: String,
    /// The kind that is the first to stop fitting; the full backup if none does.
    pub first: &'static str,
    /// From one full backup to the next.
    pub cycle_seconds: f64,
    /// What all backups from one full backup to the next write, now.
    pub written_bytes_per_cycle: f64,
    /// Each kind, the full backup first.
    pub kinds: Vec<ScheduledKind>,
}

/// What wins months.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanChangeResult {
    /// free, memory, processor or hardware.
    pub cost: &'static str,
    /// What it is.
    pub what: String,
    /// The assignments that make it, as `--set` takes them.
    pub set: Vec<String>,
    /// The options of the statement, where they change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<ChosenSettings>,
    /// When it stops fitting then.
    pub stops_fitting: StopResult,
    /// Months won; those to the end of the plan where it does not stop.
    pub months_won: u32,
    /// Memory of the buffers of all jobs.
    pub buffer_memory_bytes: u64,
    /// Share of the processors that is busy.
    pub processor_share: f64,
}

/// A window that a database grows out of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// What has to be done within the window.
    pub operation: &'static str,
    /// The window.
    pub window_seconds: f64,
    /// Share of nights that ranges cover.
    pub level: f64,
    /// Share of nights that has to fit.
    pub required_probability: f64,
    /// How fast the data grow.
    pub growth: PlanGrowth,
    /// The answer in a sentence or two.
    pub answer: String,
    /// When it stops fitting; of a schedule, the first of its kinds.
    pub stops_fitting: StopResult,
    /// Month by month; 0 is now. Of a schedule, the kind that is the first to stop fitting.
    pub months: Vec<MonthResult>,
    /// Which backups are made and how often, if that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<PlanSchedule>,
    /// The first month in which a disk is too small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_full: Option<DiskFullResult>,
    /// What wins months, the cheapest first.
    pub changes: Vec<PlanChangeResult>,
    /// Requirements, held against the last month.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
    /// The largest relative error that was found where a size lay between others; absent where
    /// none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolation_error: Option<f64>,
    /// Sizes that were simulated, as factors of that of now.
    pub simulated_factors: Vec<f64>,
    /// Parameter sets, if the scenario has an ensemble.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter_sets: Option<usize>,
}

/// A disk that is too small.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiskFullResult {
    /// Months from now.
    pub month: u32,
    /// What does not fit on it.
    pub what: String,
}

impl From<Stop> for StopResult {
    fn from(stop: Stop) -> Self {
        StopResult { month: stop.month, low: stop.low, high: stop.high }
    }
}

impl PlanResult {
    /// The result of a plan; `source` says where the growth comes from.
    #[must_use]
    pub fn new(plan: &Plan, level: f64, source: Option<String>) -> Self {
        let ahead = &plan.ahead;
        let present = Settings::of(&plan.loaded.scenario);
        let full = plan.full.clone();
        let members = plan.loaded.resolved.members.as_ref();
        let mut result = PlanResult {
            scenario: plan.loaded.name.clone(),
            title: plan.loaded.resolved.title.clone(),
            set: Vec::new(),
            operation: ahead.operation.name(),
            window_seconds: ahead.window_seconds,
            level,
            required_probability: ahead.probability,
            growth: PlanGrowth {
                per_month: ahead.growth.per_month,
                low_per_month: ahead.growth.low,
                high_per_month: ahead.growth.high,
                source,
            },
            answer: String::new(),
            stops_fitting: plan.stop.into(),
            months: plan.months.iter().map(MonthResult::from).collect(),
            schedule: ahead.routine.as_ref().map(|routine| schedule(plan, routine)),
            disk_full: full.map(|(month, what)| DiskFullResult { month, what }),
            changes: plan.changes.iter().map(|c| change(c, &present)).collect(),
            requirements: Vec::new(),
            interpolation_error: plan.error,
            simulated_factors: plan.factors.clone(),
            parameter_sets: members.map(bakcast_scenarios::Members::count),
        };
        result.answer = answer(&result);
        result
    }
}

fn change(change: &PlanChange, present: &Settings) -> PlanChangeResult {
    let of_settings = |settings: &Settings| difference(settings, present);
    let what = change.what.clone().or_else(|| change.settings.as_ref().map(of_settings));
    PlanChangeResult {
        cost: change.class.name(),
        what: what.unwrap_or_default(),
        set: change.sets.iter().map(ToString::to_string).collect(),
        settings: change.settings.as_ref().map(ChosenSettings::from),
        stops_fitting: change.stop.into(),
        months_won: change.months_won,
        buffer_memory_bytes: change.memory_bytes,
        processor_share: change.processor_share,
    }
}

impl From<&bakcast_whatif::Month> for MonthResult {
    fn from(month: &bakcast_whatif::Month) -> Self {
        MonthResult {
            month: month.month,
            size_bytes: month.bytes,
            median_seconds: month.seconds.map(|(median, ..)| median),
            low_seconds: month.seconds.map(|(_, low, _)| low),
            high_seconds: month.seconds.map(|(.., high)| high),
            probability_fits: month.fits,
        }
    }
}

fn schedule(plan: &Plan, routine: &Routine) -> PlanSchedule {
    let kind = |own: &KindPlan| ScheduledKind {
        kind: own.kind.name(),
        how_often: often(routine.every_seconds(own.kind)),
        every_seconds: routine.every_seconds(own.kind),
        count: routine.count(own.kind),
        limit_seconds: own.limit_seconds,
        read_bytes: own.now.prediction.backup.read_bytes,
        written_bytes: own.now.prediction.backup.written_bytes,
        stops_fitting: own.stop.into(),
        months: own.months.iter().map(MonthResult::from).collect(),
    };
    let kinds: Vec<ScheduledKind> = plan.kinds.iter().map(kind).collect();
    PlanSchedule {
        text: routine.to_string(),
        first: plan.kinds[plan.first].kind.name(),
        cycle_seconds: routine.full_every_seconds,
        written_bytes_per_cycle: plan.kinds.iter().map(|own| written(own, routine)).sum(),
        kinds,
    }
}

/// What all backups of a kind write from one full backup to the next.
fn written(own: &KindPlan, routine: &Routine) -> f64 {
    let largest = own.now.prediction.backup.written_bytes as f64;
    let mean = match own.kind {
        BackupKind::Differential => routine.mean_of_largest(),
        BackupKind::Full | BackupKind::Log => 1.0,
    };
    largest * mean * f64::from(routine.count(own.kind))
}

/// What has to fit, and into what.
fn what_fits(result: &PlanResult) -> (String, String) {
    let operation = result.operation;
    let window = duration(result.window_seconds);
    let Some(schedule) = &result.schedule else { return (format!("The {operation}"), window) };
    let first = schedule.kinds.iter().find(|own| own.kind == schedule.first);
    let limit = first.map_or(result.window_seconds, |own| own.limit_seconds);
    let what = match (operation, schedule.first) {
        ("backup", kind) => format!("The {kind} backup"),
        (operation, kind) => format!("The {operation} of the {kind} backup"),
    };
    (what, duration(limit))
}

/// None of them stops fitting.
fn never(result: &PlanResult) -> String {
    let window = duration(result.window_seconds);
    let share = level(result.required_probability);
    let last = result.months.last().map_or(0, |month| month.month);
    let Some(schedule) = &result.schedule else {
        let operation = result.operation;
        return format!(
            "The {operation} fits into {window} for all of the {last} months planned: at least \
             {share} of nights."
        );
    };
    let mut kinds = Vec::new();
    for own in &schedule.kinds {
        kinds.push(format!("the {} backup into {}", own.kind, duration(own.limit_seconds)));
    }
    format!(
        "All fit for all of the {last} months planned: {}; at least {share} of nights.",
        kinds.join(", ")
    )
}

fn answer(result: &PlanResult) -> String {
    let share = level(result.required_probability);
    let last = result.months.last().map_or(0, |month| month.month);
    let Some(month) = result.stops_fitting.month else { return never(result) };
    let (what, window) = what_fits(result);
    if month == 0 {
        let fits = result.months.first().map_or(0.0, |month| month.probability_fits);
        return format!(
            "{what} does not fit into {window} today: {} of nights do, {share} are required.",
            percent(fits)
        );
    }
    let size = result.months.iter().find(|own| own.month == month).map_or(0.0, |m| m.size_bytes);
    let StopResult { low, high, .. } = result.stops_fitting;
    let range = match (low, high) {
        (low, high) if low == high => String::new(),
        (Some(low), Some(high)) => format!(" (month {low} to {high} by the growth)"),
        (Some(low), None) => format!(" (by the growth month {low}, or none of the {last} planned)"),
        _ => String::new(),
    };
    format!(
        "{what} stops fitting into {window} in month {month}{range}: fewer than {share} of \
         nights, with {} by then.",
        bytes(size)
    )
}

impl PlanResult {
    /// What the answer rests on.
    #[must_use]
    pub fn rests_on(&self, replications: u32, seed: u64) -> String {
        let members = self.parameter_sets.map(|sets| sets.min(replications as usize));
        let sets = members.map_or_else(String::new, |sets| format!(", {sets} parameter sets"));
        let count = self.simulated_factors.len();
        let sizes = if count == 1 { "size" } else { "sizes" };
        let off = self.interpolation_error.map_or_else(String::new, |error| {
            format!("; between sizes off by at most {}", at_most(error.max(LEAST_ERROR)))
        });
        format!("{replications} nights{sets} at {count} {sizes}, seed {seed}{off}")
    }
}
