//! `validate`: the shipped articles, measured beside predicted.

use bakcast_calibration::validate;
use bakcast_report::document::ValidateResult;
use bakcast_report::{Document, Run};
use bakcast_scenarios::predict::PredictOptions;

use super::{as_run, run_warnings, run_without_scenario};
use crate::args::Validate;
use crate::exit::Failure;
use crate::output::{Outputs, Reply};

pub(super) fn run(
    arguments: &Validate,
    options: &PredictOptions,
    outputs: &Outputs,
) -> Result<Reply, Failure> {
    outputs.formats()?;
    let validation = validate(arguments.article.as_deref(), options)?;
    let ids: Vec<&str> = validation.articles.iter().map(|article| article.id.as_str()).collect();
    let inputs = serde_json::json!({ "articles": ids, "level": options.level });
    let result = ValidateResult::new(validation, options);
    let options = as_run(options, result.replications);
    let run = Run { inputs, ..run_without_scenario("validate", &options) };
    let warnings = run_warnings(&options, result.precision).collect();
    outputs.reply(&Document::new(run, warnings, result))
}
