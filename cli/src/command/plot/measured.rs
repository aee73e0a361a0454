//! Measured against predicted, of the shipped tables.

use bakcast_calibration::{Article, articles, validate};
use bakcast_report::document::ValidateResult;
use bakcast_report::plot::{MeasuredChart, Origin, PlotResult};
use bakcast_report::{Document, Run};
use bakcast_scenarios::nearest_word;
use bakcast_scenarios::predict::PredictOptions;

use super::super::{as_run, run_warnings, run_without_scenario};
use crate::args::Plot;
use crate::exit::{Exit, Failure};

pub(super) fn document(
    arguments: &Plot,
    options: &PredictOptions,
) -> Result<Document<PlotResult>, Failure> {
    let choice = &arguments.choice;
    if !choice.set.is_empty() || choice.sql.is_some() || !arguments.vary.is_empty() {
        return Err(Failure::usage(
            "what was measured was measured with its own settings: leave --set, --sql and --vary \
             out",
        ));
    }
    let article = choice.scenario.as_deref().map(find).transpose()?;
    let validation = validate(article.map(|article| article.id.as_str()), options)?;
    let result = ValidateResult::new(validation, options);
    let options = as_run(options, result.replications);
    let sets: Vec<&str> = result.all().map(|article| article.id.as_str()).collect();
    let inputs = serde_json::json!({ "articles": sets, "level": options.level });
    let origin = Origin {
        scenario: article.map_or_else(|| "shipped tables".to_string(), |own| own.id.clone()),
        title: article.map_or_else(String::new, |own| own.title.clone()),
        set: Vec::new(),
        operation: "total",
        level: options.level,
        nights: options.replications,
        seed: options.seed,
        version: env!("CARGO_PKG_VERSION"),
    };
    let run = Run { inputs, ..run_without_scenario("plot", &options) };
    let warnings = run_warnings(&options, None).collect();
    Ok(Document::new(run, warnings, PlotResult::new(origin, MeasuredChart::from(&result))))
}

/// The table of a name, or of the scenario that describes it.
fn find(name: &str) -> Result<&'static Article, Failure> {
    let bare = name.split(':').next().unwrap_or_default();
    let is = |article: &&Article| article.id == bare || article.scenario == bare;
    articles().iter().find(is).ok_or_else(|| {
        let known = || articles().iter().map(|article| article.id.as_str());
        let meant = nearest_word(bare, known());
        let meant = meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        Failure::new(
            Exit::Input,
            format!(
                "nothing was measured for `{}`; there are tables of {}{meant}",
                bakcast_scenarios::shown_word(name),
                known().collect::<Vec<_>>().join(", ")
            ),
        )
    })
}
