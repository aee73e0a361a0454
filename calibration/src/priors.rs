//! What is expected of a knob before anything was measured: what the library says of a device or an
//! algorithm that the scenario is like, otherwise what its kind is known for.

use bakcast_scenarios::{Prior, Scenario, prior_for, prior_of};
use serde::Deserialize;
use serde_json::Value;

/// The expectation of a knob, or of several that move as one, in a scenario as it is written: the
/// library's where one of them has its value from there.
pub(crate) fn prior_in(written: &Value, paths: &[String]) -> Option<Prior> {
    let of_library = || {
        let scenario = Scenario::deserialize(written).ok()?;
        paths.iter().find_map(|path| {
            let prior = prior_for(&scenario, path)?;
            let reason = format!("{} ({})", prior.reason, prior.source);
            Some(Prior { key: path.clone(), factor: prior.factor, reason })
        })
    };
    let path = paths.first()?;
    of_library().or_else(|| Some(prior_of(path).clone()))
}

#[cfg(test)]
mod tests {
    use bakcast_scenarios::{Loaded, Set};

    use super::*;

    /// A scenario with its third disk and its compressor from the library.
    fn like(more: &[&str]) -> Loaded {
        let sets = [
            "device.d3.spindle=default",
            "device.d3.like=usb3-hdd-5400",
            "compression.rate=default",
            "compression.like=MS_XPRESS",
        ];
        let sets = sets.iter().chain(more).map(|set| Set::parse(set).expect("an assignment"));
        Scenario::load("usb3-laptop", None, &sets.collect::<Vec<_>>()).expect("a scenario")
    }

    fn factor_and_reason(loaded: &Loaded, paths: &[&str]) -> (f64, String) {
        let written = serde_json::to_value(&loaded.scenario).expect("JSON");
        let paths: Vec<_> = paths.iter().map(|path| (*path).to_string()).collect();
        let prior = prior_in(&written, &paths).expect("a path");
        (prior.factor, prior.reason)
    }

    #[test]
    fn what_is_like_an_entry_of_the_library_is_known_as_well_as_that() {
        let loaded = like(&[]);
        let (factor, reason) = factor_and_reason(&loaded, &["device.d3.spindle.read_rate"]);
        assert!((factor - 1.25).abs() < 1e-12 && reason.contains("https://"), "{factor} {reason}");
        let (factor, reason) = factor_and_reason(&loaded, &["compression.rate"]);
        assert!((factor - 1.6).abs() < 1e-12 && reason.contains("eight cores"), "{reason}");
        // Of several that move as one, one is enough.
        let both = ["device.d1.spindle.read_rate", "device.d3.spindle.read_rate"];
        assert!((factor_and_reason(&loaded, &both).0 - 1.25).abs() < 1e-12);
    }

    #[test]
    fn a_value_of_the_scenario_is_known_as_its_kind_is() {
        let own =
            |path| factor_and_reason(&like(&["device.d3.spindle.read_rate=150 MB/s"]), &[path]);
        assert_eq!(own("device.d3.spindle.read_rate").1, prior_of("spindle.read_rate").reason);
        assert!((own("device.d3.spindle.write_rate").0 - 1.25).abs() < 1e-12);
        assert_eq!(own("device.d1.spindle.read_rate").1, prior_of("spindle.read_rate").reason);
        assert_eq!(own("compression.ratio").1, prior_of("compression.ratio").reason);
    }

    #[test]
    fn every_path_has_an_expectation_and_most_have_their_own() {
        assert!(prior_of("device.x.spindle.read_rate").reason.contains("rotating"));
        assert!(prior_of("compression.rate").reason.contains("MS_XPRESS"));
        assert!(prior_of("device.x.solid_state.latency").reason.contains("nothing"));
        assert!((prior_of("engine.start").factor - 2.5).abs() < 1e-12);
    }
}
