//! What `predict` finds of a night of many jobs, and what `recommend --schedule` makes of it.

use bakcast_scenarios::predict::{PredictOptions, Range};
use bakcast_scenarios::{JobPlace, Loaded};
use bakcast_whatif::estate::{Estate, JobPrediction, NightLimit, NightPrediction, Schedule};
use serde::Serialize;

use super::{RequirementResult, UncertaintyResult};

/// A night of many jobs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NightResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Share of nights that the ranges cover.
    pub level: f64,
    /// The night.
    pub night: Night,
    /// Requirements, each met or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
    /// What the fit leaves open, if the scenario says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<UncertaintyResult>,
}

/// The night as a whole, and its jobs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Night {
    /// From its beginning to the end of the last job; half of all nights are shorter.
    pub seconds: f64,
    /// Lower end of the range.
    pub low_seconds: f64,
    /// Upper end of the range.
    pub high_seconds: f64,
    /// What keeps it from ending sooner: `station`, `order` or `job`.
    pub limit_kind: &'static str,
    /// The station; or the last job to end.
    pub limit: String,
    /// When the night would end without that: if no job waited at the station, or for another.
    pub end_without_seconds: f64,
    /// Servers.
    pub servers: usize,
    /// Bytes that all jobs read.
    pub read_bytes: u64,
    /// The most jobs at once.
    pub at_once: usize,
    /// The most memory that buffers take at once, on all servers together.
    pub buffer_memory_bytes: u64,
    /// The server whose buffers take most at once; absent: none is named.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub largest_memory_server: String,
    /// How much they take.
    pub largest_memory_bytes: u64,
    /// The most processors of one server busy at once; absent: nothing is compressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_cores_peak: Option<f64>,
    /// How many it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_cores: Option<u32>,
    /// Stations in use, the one that jobs lost most time at first.
    pub stations: Vec<NightStationResult>,
    /// The jobs, in the order of their names.
    pub jobs: Vec<JobResult>,
}

/// A station over the night.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NightStationResult {
    /// As the scenario calls it.
    pub name: String,
    /// Share of the night at work.
    pub utilization: f64,
    /// Share of the night in which it could give no more.
    pub full: f64,
    /// Seconds that all jobs together lost at it.
    pub lost_seconds: f64,
    /// Jobs that use it.
    pub jobs: usize,
}

/// One job.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JobResult {
    /// As the scenario calls it.
    pub name: String,
    /// Its server; absent: none is named.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub server: String,
    /// Its database.
    pub database: String,
    /// Bytes it reads.
    pub read_bytes: u64,
    /// When it begins, from the beginning of the night.
    pub begin_seconds: f64,
    /// When it ends.
    pub finish_seconds: f64,
    /// Lower end of the range of its end.
    pub finish_low_seconds: f64,
    /// Upper end of the range of its end.
    pub finish_high_seconds: f64,
    /// From its begin to its end.
    pub seconds: f64,
    /// The same if it were alone.
    pub alone_seconds: f64,
    /// How many times longer than alone.
    pub stretch: f64,
    /// Seconds it waited for its turn on its server.
    pub queued_seconds: f64,
    /// The station it lost most time at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_at: Option<String>,
    /// Seconds it lost there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_at_seconds: Option<f64>,
    /// The job it lost most time for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_for: Option<String>,
    /// Seconds it lost for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_for_seconds: Option<f64>,
    /// Memory of its buffers.
    pub buffer_memory_bytes: u64,
}

impl From<&JobPrediction> for JobResult {
    fn from(job: &JobPrediction) -> Self {
        let (at, lost) = job.waited_at.clone().unzip();
        let (for_whom, for_seconds) = job.waited_for.clone().unzip();
        JobResult {
            name: job.name.clone(),
            server: job.server.clone(),
            database: job.database.clone(),
            read_bytes: job.read_bytes,
            begin_seconds: job.begin.median,
            finish_seconds: job.finish.median,
            finish_low_seconds: job.finish.low,
            finish_high_seconds: job.finish.high,
            seconds: job.seconds,
            alone_seconds: job.alone_seconds,
            stretch: job.stretch,
            queued_seconds: job.queued_seconds,
            waited_at: at,
            waited_at_seconds: lost,
            waited_for: for_whom,
            waited_for_seconds: for_seconds,
            buffer_memory_bytes: job.memory_bytes,
        }
    }
}

impl Night {
    fn new(estate: &Estate, prediction: &NightPrediction) -> Self {
        let Range { median, low, high } = prediction.seconds;
        let (limit_kind, limit) = match &prediction.limit {
            NightLimit::Station(name) => ("station", name.clone()),
            NightLimit::Order(name) => ("order", name.clone()),
            NightLimit::Job(name) => ("job", name.clone()),
        };
        let processors = prediction.busiest_processors.as_ref();
        Night {
            seconds: median,
            low_seconds: low,
            high_seconds: high,
            limit_kind,
            limit,
            end_without_seconds: prediction.end_without_seconds,
            servers: estate.night().servers.len(),
            read_bytes: prediction.read_bytes,
            at_once: prediction.at_once,
            buffer_memory_bytes: prediction.memory_bytes,
            largest_memory_server: prediction.largest_memory.0.clone(),
            largest_memory_bytes: prediction.largest_memory.1,
            processor_cores_peak: processors.map(|(_, peak, _)| *peak),
            processor_cores: processors.map(|(_, _, count)| *count),
            stations: prediction
                .stations
                .iter()
                .map(|station| NightStationResult {
                    name: station.name.clone(),
                    utilization: station.utilization,
                    full: station.full,
                    lost_seconds: station.lost_seconds,
                    jobs: station.jobs,
                })
                .collect(),
            jobs: prediction.jobs.iter().map(JobResult::from).collect(),
        }
    }
}

impl NightResult {
    /// The result of a prediction.
    #[must_use]
    pub fn new(
        loaded: &Loaded,
        estate: &Estate,
        prediction: &NightPrediction,
        options: &PredictOptions,
    ) -> Self {
        NightResult {
            scenario: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            set: Vec::new(),
            level: options.level,
            night: Night::new(estate, prediction),
            requirements: Vec::new(),
            uncertainty: UncertaintyResult::of(loaded),
        }
    }
}

/// A schedule that was sought.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScheduleResult {
    /// Name and variant.
    pub scenario: String,
    /// What it is, in one line.
    pub title: String,
    /// Values that were replaced on the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Share of nights that the ranges cover.
    pub level: f64,
    /// Whether another schedule is recommended than was given.
    pub is_new: bool,
    /// The night in the recommended schedule.
    pub night: Night,
    /// The end of the night as it was given: median and range.
    pub given_seconds: f64,
    /// Lower end of its range.
    pub given_low_seconds: f64,
    /// Upper end of its range.
    pub given_high_seconds: f64,
    /// Whether the given schedule keeps to the limits.
    pub given_fits: bool,
    /// Seconds by which the recommended night ends sooner, mean over the same nights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sooner_seconds: Option<f64>,
    /// Lower end of its interval, at 95 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sooner_low_seconds: Option<f64>,
    /// Upper end of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sooner_high_seconds: Option<f64>,
    /// When each job is to begin, in the order in which they are expected to.
    pub schedule: Vec<PlaceResult>,
    /// Schedules that were simulated.
    pub evaluated: u32,
    /// Whether the search ended because there were no tries left.
    pub is_exhausted: bool,
    /// Requirements, each met or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementResult>,
    /// The schedule as a table of jobs.
    #[serde(skip)]
    pub table: String,
}

/// When a job is to begin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaceResult {
    /// The job.
    pub job: String,
    /// Not before this time of the night.
    pub starts_seconds: f64,
    /// When these have ended.
    pub after: Vec<String>,
    /// When it is expected to begin.
    pub begin_seconds: f64,
    /// When it is expected to end.
    pub finish_seconds: f64,
}

impl ScheduleResult {
    /// The result of a search.
    #[must_use]
    pub fn new(
        loaded: &Loaded,
        estate: &Estate,
        found: &Schedule,
        options: &PredictOptions,
    ) -> Self {
        let jobs = &estate.night().jobs;
        let order = &found.order;
        let mut places: Vec<PlaceResult> = found
            .after
            .jobs
            .iter()
            .enumerate()
            .map(|(index, job)| PlaceResult {
                job: job.name.clone(),
                starts_seconds: order.starts[index] as f64 / 1e9,
                after: order.after[index].iter().map(|other| jobs[*other].name.clone()).collect(),
                begin_seconds: job.begin.median,
                finish_seconds: job.finish.median,
            })
            .collect();
        places.sort_by(|a, b| {
            a.begin_seconds.total_cmp(&b.begin_seconds).then_with(|| a.job.cmp(&b.job))
        });
        let place = |place: &PlaceResult| {
            let expected = (place.begin_seconds, place.finish_seconds);
            let after = place.after.clone();
            let starts_seconds = place.starts_seconds;
            (place.job.clone(), JobPlace { starts_seconds, after, expected })
        };
        let table = loaded.jobs_table(&places.iter().map(place).collect::<Vec<_>>());
        let given = found.before.seconds;
        ScheduleResult {
            scenario: loaded.name.clone(),
            title: loaded.resolved.title.clone(),
            set: Vec::new(),
            level: options.level,
            is_new: found.is_new,
            night: Night::new(estate, &found.after),
            given_seconds: given.median,
            given_low_seconds: given.low,
            given_high_seconds: given.high,
            given_fits: found.given_fits,
            sooner_seconds: found.sooner.map(|interval| interval.mean),
            sooner_low_seconds: found.sooner.map(|interval| interval.low),
            sooner_high_seconds: found.sooner.map(|interval| interval.high),
            schedule: places,
            evaluated: found.tried,
            is_exhausted: found.is_exhausted,
            requirements: Vec::new(),
            table,
        }
    }
}
