//! `validate`: an article, measured beside predicted, as the program has it.

use bakcast_calibration::validate;
use bakcast_report::Run;
use bakcast_report::document::ValidateResult;

use crate::envelope::{as_run, of_run, run_without_scenario, written};
use crate::failure::Failure;
use crate::request::Request;

/// Most nights of every row at once.
const MOST_REPLICATIONS: u32 = 256;

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    if options.replications > MOST_REPLICATIONS || options.exact {
        return Err(Failure::too_much(format!(
            "a page validates with at most {MOST_REPLICATIONS} replications, and never in full"
        )));
    }
    let validation = validate(request.article.as_deref(), &options)?;
    let ids: Vec<&str> = validation.articles.iter().map(|article| article.id.as_str()).collect();
    let inputs = serde_json::json!({ "articles": ids, "level": options.level });
    let result = ValidateResult::new(validation, &options);
    let options = as_run(&options, result.replications);
    let run = Run { inputs, ..run_without_scenario("validate", &options) };
    let warnings = of_run(&options, result.precision).collect();
    written(run, warnings, result)
}
