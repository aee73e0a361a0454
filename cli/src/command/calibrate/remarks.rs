//! What to look at twice in a fit.

use bakcast_calibration::{CalibrateOptions, Calibration, Parameter, Quantity, Stopped};
use bakcast_report::Warning;
use bakcast_scenarios::Loaded;

/// Draws below which intervals rest on few points.
const FEW_DRAWS: f64 = 20.0;
/// A scatter so many times that expected is worth a remark.
const MUCH: f64 = 2.0;
/// A size that is so far off is that of another database.
const SIZE_OFF: f64 = 0.1;

/// Warnings about the scenario, then about the fit.
pub(super) fn warnings(
    loaded: &Loaded,
    found: Option<&Calibration>,
    options: &CalibrateOptions,
) -> Vec<Warning> {
    let mut all: Vec<Warning> = loaded.resolved.warnings.iter().map(Warning::from).collect();
    if loaded.resolved.members.is_some() {
        all.push(Warning {
            code: "fitted-before",
            text: "the scenario was fitted before: its values count as expectation".to_string(),
            hint: "give the original scenario, and all runs together".to_string(),
        });
    }
    let Some(found) = found else { return all };
    all.extend(size_misfit(found));
    all.extend(found.parameters.iter().filter_map(at_limit));
    all.extend(of_fit(found, options));
    all
}

fn of_fit(found: &Calibration, options: &CalibrateOptions) -> Vec<Warning> {
    let mut all = Vec::new();
    let mut add = |code: &'static str, text: String, hint: &str| {
        all.push(Warning { code, text, hint: hint.to_string() });
    };
    if found.configurations == 1 {
        let text = "all runs are of one configuration: they scale the prediction of it, and say \
                    little about any other"
            .to_string();
        add("one-configuration", text, "--design 4 says which runs would tell more");
    }
    if found.effective_draws < FEW_DRAWS {
        let text = format!("the intervals rest on {:.0} draws that count", found.effective_draws);
        add("few-draws", text, "fix what is known (--fix), or expect it closer (--free)");
    }
    if found.error > MUCH * options.error {
        let text = format!(
            "durations scatter by {:.0} % (expected {:.0} %)",
            100.0 * found.error,
            100.0 * options.error
        );
        add("scatter", text, "look at the worst rows: is a setting of theirs missing?");
    }
    if found.stopped == Stopped::Budget {
        let text = "the search ended before it had settled".to_string();
        add("budget-spent", text, "fix what is known (--fix), or try another --seed");
    }
    all
}

/// A compression ratio explains one size of one database, not that of another database.
fn size_misfit(found: &Calibration) -> Option<Warning> {
    let is_off = |row: &&bakcast_calibration::CalibratedRow| {
        row.quantity == Quantity::WrittenBytes && row.relative_error.abs() > SIZE_OFF
    };
    let mut off = found.rows.iter().filter(is_off);
    let first = off.next()?;
    let of = match off.count() {
        0 => first.run.clone(),
        more => format!("{} and {more} more", first.run),
    };
    Some(Warning {
        code: "size-misfit",
        text: format!("the size of {of} cannot be explained"),
        hint: "is the database size in the scenario that of the run? give it as a column \
               volume.NAME.size"
            .to_string(),
    })
}

fn at_limit(parameter: &Parameter) -> Option<Warning> {
    let path = &parameter.path;
    parameter.at_limit.then(|| Warning {
        code: "at-limit",
        text: format!("{path} is at its limit"),
        hint: format!(
            "the runs want more than its bounds allow: is the scenario's value right? widen with \
             --free {path}=VALUE*FACTOR@LOW..HIGH"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_its_limit_is_told_with_the_way_to_widen_it() {
        let mut parameter: Parameter = serde_json::from_value(serde_json::json!({
            "path": "device.d.spindle.read_rate", "value": 1.0, "low": 1.0, "high": 1.0,
            "identified": true, "prior": 2.0, "prior_factor": 1.5, "prior_reason": "a guess"
        }))
        .unwrap();
        assert_eq!(at_limit(&parameter), None);
        parameter.at_limit = true;
        let warning = at_limit(&parameter).unwrap();
        assert!(warning.hint.contains("--free device.d.spindle.read_rate="), "{}", warning.hint);
    }
}
