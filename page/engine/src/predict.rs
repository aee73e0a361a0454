//! `predict`, as the program has it; a night of many jobs too.

use bakcast_report::Warning;
use bakcast_report::document::{NightResult, PredictResult};
use bakcast_scenarios::predict::{PredictOptions, predict};
use bakcast_scenarios::{Loaded, WarningCode};
use bakcast_whatif::estate::Estate;

use crate::choice::Choice;
use crate::envelope::{as_run, of_run, run_of, warnings, written};
use crate::failure::Failure;
use crate::request::Request;
use crate::work;

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let loaded = Choice::new(request)?.load()?;
    work::check(&loaded.resolved, &options, 1)?;
    if loaded.resolved.night.is_some() {
        return night(request, &loaded, &options);
    }
    let prediction = predict(&loaded.resolved, &options)?;
    let mut result = PredictResult::new(&loaded, &prediction, &options);
    result.set = given(request)?;
    result.sql.clone_from(&request.sql);
    let options = as_run(&options, prediction.replications());
    let warnings = warnings(&loaded, &prediction, &options, result.precision);
    written(run_of("predict", &options, &loaded), warnings, result)
}

fn night(request: &Request, loaded: &Loaded, options: &PredictOptions) -> Result<String, Failure> {
    let estate = Estate::measure(&loaded.resolved, options)?;
    let estate = estate.ok_or_else(|| Failure::input("the scenario has no schedule"))?;
    let prediction = estate.predict(&estate.order());
    let mut result = NightResult::new(loaded, &estate, &prediction, options);
    result.set = given(request)?;
    let options = as_run(options, estate.replications());
    let one_job = WarningCode::OneJobOfANight;
    let of_scenario = loaded.resolved.warnings.iter().filter(|w| w.code != one_job);
    let warnings = of_scenario.map(Warning::from).chain(of_run(&options, None)).collect();
    written(run_of("predict", &options, loaded), warnings, result)
}

/// Values replaced, as the program shows them.
pub(crate) fn given(request: &Request) -> Result<Vec<String>, Failure> {
    Ok(request.sets()?.iter().map(ToString::to_string).collect())
}
