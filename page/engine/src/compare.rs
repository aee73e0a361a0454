//! `compare`, as the program has it: two runs beside each other are one `vary` of one value.

use bakcast_report::document::CompareResult;
use bakcast_scenarios::predict::Asked;
use bakcast_whatif::{
    Configuration, Design, MOST_COMPARED, Operation, Runner, THRESHOLD, Vary, compare,
};

use crate::choice::Choice;
use crate::envelope::{as_run, run_of, warnings, written};
use crate::failure::Failure;
use crate::predict::given;
use crate::request::{Request, assignments};
use crate::work;

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let threshold = request.threshold()?.unwrap_or(THRESHOLD);
    let design = design(&request.vary, MOST_COMPARED)?;
    let choice = Choice::new(request)?;
    let (document, variant, sets) = choice.parts();
    let runner = Runner::new(document, variant, sets, options, Asked::Limits);
    let sets = assignments(&request.reference)?;
    let reference = Configuration { sets: sets.clone(), ..Configuration::default() };
    let loaded = runner.load(&reference)?;
    work::check(&loaded.resolved, &options, design.count() + 1)?;
    let operation = request.operation.map_or(Operation::Backup, Operation::from);
    let comparison = compare(&runner, &design, &reference, (operation, threshold), &|_, _| true)?;
    let paths = design.paths().map(str::to_string).collect();
    let mut result = CompareResult::new(&comparison, paths, &options, |_| Vec::new());
    result.set = given(request)?;
    result.reference = sets.iter().map(ToString::to_string).collect();
    result.say();
    let prediction = &comparison.reference.ran.prediction;
    let options = as_run(&options, prediction.replications());
    let mut warnings = warnings(&loaded, prediction, &options, None);
    warnings.extend(choice.said());
    written(run_of("compare", &options, &loaded), warnings, result)
}

/// Every combination of what is varied.
pub(crate) fn design(specs: &[String], most: u64) -> Result<Design, Failure> {
    let axes: Result<Vec<Vary>, _> = specs.iter().map(|spec| Vary::parse(spec)).collect();
    let axes = axes?;
    if axes.iter().any(|axis| axis.path == "jobs") {
        return Err(Failure::input("`jobs` names a file, and a page reads none"));
    }
    Ok(Design::grid(axes, most)?)
}
