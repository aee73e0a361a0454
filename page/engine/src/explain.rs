//! `explain`, as the program has it.

use bakcast_report::document::{ExplainResult, SensitivityResult};
use bakcast_whatif::{explain, sensitivity};

use crate::choice::Choice;
use crate::envelope::{as_run, run_of, warnings, written};
use crate::failure::Failure;
use crate::predict::given;
use crate::request::Request;
use crate::work;

/// Configurations that the knee and the sensitivity run, about.
const CONFIGURATIONS: u64 = 40;

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let choice = Choice::new(request)?;
    let loaded = choice.load()?;
    work::check(&loaded.resolved, &options, CONFIGURATIONS)?;
    let explanation = explain(&loaded.resolved, &options)?;
    let mut result = ExplainResult::new(&loaded, &explanation, &options);
    result.set = given(request)?;
    result.sql.clone_from(&request.sql);
    let found = sensitivity(choice.parts(), &options, &|_, _| true)?;
    result.sensitivity = found.iter().map(SensitivityResult::new).collect();
    let options = as_run(&options, explanation.prediction.replications());
    let warnings = warnings(&loaded, &explanation.prediction, &options, result.precision);
    written(run_of("explain", &options, &loaded), warnings, result)
}
