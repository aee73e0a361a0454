//! Random pipelines with a known truth.
//!
//! A pipeline is a scenario as somebody would write it down from data sheets, and a truth: each
//! knob that decides is what was written, times its kind's factor to the power of a normal number.

use std::fmt::Write;

use bakcast_scenarios::predict::{PredictOptions, durations};
use bakcast_scenarios::{Document, Loaded, Set};
use bakcast_sim::{Stream, Streams};

use crate::calibrate::still;
use crate::candidates::{Candidate, candidates};
use crate::choice::choose;
use crate::error::CalibrationError;
use crate::problem::{Free, Quantity};

/// Truths lie within so many standard deviations of what is written.
const WITHIN: f64 = 2.5;
/// Nights from which a true median is taken.
const NIGHTS: u32 = 16;

/// A pipeline whose truth is known.
pub(crate) struct Pipeline {
    pub(crate) document: Document,
    pub(crate) base: Loaded,
    /// Runs that could be made.
    pub(crate) candidates: Vec<Candidate>,
    /// Knobs that decide.
    pub(crate) free: Vec<Free>,
    /// What they truly are.
    pub(crate) truth: Vec<f64>,
    pub(crate) random: Stream,
}

impl Pipeline {
    /// The pipeline of a number.
    pub(crate) fn new(seed: u64, number: u64) -> Result<Self, CalibrationError> {
        let mut random = Streams::new(seed, number).named("pipeline");
        let document = Document::from_bytes("pipeline", scenario(&mut random).into_bytes())?;
        let base = document.load(None, &[])?;
        let candidates = candidates(&document, &base, None, &[]);
        let loaded: Vec<Loaded> = candidates.iter().map(|c| c.loaded.clone()).collect();
        let free = choose(&base, &loaded)?;
        let truth = free
            .iter()
            .map(|free| {
                let z = random.normal().clamp(-WITHIN, WITHIN);
                (free.prior * libm::pow(free.prior_factor, z)).clamp(free.low, free.high)
            })
            .collect();
        Ok(Pipeline { document, base, candidates, free, truth, random })
    }

    /// The knobs as they truly are, for a run with these settings.
    pub(crate) fn true_sets(&self, settings: &[Set]) -> Vec<Set> {
        let mut sets = Vec::new();
        for (free, value) in self.free.iter().zip(&self.truth) {
            sets.extend(free.paths.iter().map(|path| Set::new(path, free.text(*value))));
        }
        sets.extend(settings.iter().cloned());
        sets
    }

    /// True medians of what can be measured of a run with these settings.
    pub(crate) fn true_figures(
        &self,
        settings: &[Set],
    ) -> Result<Vec<(Quantity, f64)>, CalibrationError> {
        let sets: Vec<Set> =
            still(&self.base).into_iter().chain(self.true_sets(settings)).collect();
        self.figures(&sets, NIGHTS, 99)
    }

    /// Figures of one night, with the variation from night to night that the scenario states.
    pub(crate) fn night(
        &self,
        settings: &[Set],
        seed: u64,
    ) -> Result<Vec<(Quantity, f64)>, CalibrationError> {
        self.figures(&self.true_sets(settings), 1, seed)
    }

    fn figures(
        &self,
        sets: &[Set],
        replications: u32,
        seed: u64,
    ) -> Result<Vec<(Quantity, f64)>, CalibrationError> {
        let loaded = self.document.load(None, sets)?;
        let options = PredictOptions { seed, replications, ..PredictOptions::DEFAULT };
        let prediction = durations(&loaded.resolved, &options)?;
        let mut quantities = vec![Quantity::Backup];
        if prediction.verify.is_some() {
            quantities.push(Quantity::Verify);
        }
        if loaded.resolved.backup.compression.is_some() {
            quantities.push(Quantity::WrittenBytes);
        }
        let figure = |q: Quantity| q.of(&loaded, &prediction).map(|value| (q, value));
        Ok(quantities.into_iter().filter_map(figure).collect())
    }

    /// Settings of a run that somebody might make: not one of the candidates.
    pub(crate) fn other_settings(&mut self) -> Vec<Set> {
        let devices: Vec<String> = {
            let mut all = self.base.scenario.backup.stripes.clone();
            all.dedup();
            all
        };
        let random = &mut self.random;
        let files = 1 + random.below(6);
        let stripes: Vec<&str> =
            (0..files).map(|_| devices[random.below(devices.len())].as_str()).collect();
        let counts = ["default", "6", "10", "16", "24", "40", "64", "100"];
        let sizes = ["default", "512 KiB", "1 MiB", "2 MiB", "4 MiB"];
        vec![
            Set::new("backup.stripes", stripes.join(",")),
            Set::new("backup.compression", if random.below(3) > 0 { "true" } else { "false" }),
            Set::new("backup.buffer_count", counts[random.below(counts.len())]),
            Set::new("backup.transfer_size", sizes[random.below(sizes.len())]),
        ]
    }
}

/// A number between two, evenly in its logarithm, to three digits.
fn between(random: &mut Stream, low: f64, high: f64) -> f64 {
    let value = low * libm::pow(high / low, random.uniform());
    crate::problem::significant(value, 3)
}

fn device(random: &mut Stream, name: &str, kind: usize, out: &mut String) {
    let _ = match kind {
        0 => {
            let rate = between(random, 70.0, 220.0);
            let write = crate::problem::significant(rate * 0.95, 3);
            writeln!(
                out,
                "[device.{name}.spindle]\nread_rate = \"{rate} MB/s\"\n\
                 write_rate = \"{write} MB/s\""
            )
        }
        1 => {
            let (read, write) = (between(random, 450.0, 3500.0), between(random, 300.0, 2000.0));
            let streams = between(random, 0.05, 0.4);
            writeln!(
                out,
                "[device.{name}.solid_state]\nread_rate = \"{read} MB/s\"\n\
                 write_rate = \"{write} MB/s\"\nstream_amplification = {streams}"
            )
        }
        _ => {
            let rate = between(random, 150.0, 1500.0);
            writeln!(out, "[device.{name}.fixed_rate]\nrate = \"{rate} MB/s\"\nvariability = 0.2")
        }
    };
}

/// A scenario as from data sheets: a source, one to three targets of one kind, perhaps on a share.
fn scenario(random: &mut Stream) -> String {
    let size = between(random, 2.0, 5.0);
    let targets = 1 + random.below(3);
    let names: Vec<String> = (1..=targets).map(|n| format!("t{n}")).collect();
    let (source, target) = (random.below(3), random.below(3));
    let shared = random.below(3) == 0;
    let mut out = String::from("title = \"a random pipeline\"\n");
    if shared {
        let _ =
            writeln!(out, "[device.lan.link]\nrate = \"{} MB/s\"", between(random, 100.0, 1100.0));
    }
    let _ = writeln!(out, "[volume.data]\ndevice = \"source\"\nsize = \"{size} GiB\"");
    device(random, "source", source, &mut out);
    for name in &names {
        if shared {
            let _ = writeln!(out, "[device.{name}]\nvia = [\"lan\"]");
        }
        // Targets of one kind are bought together: one line of a data sheet stands for all.
        let mut same = random.clone();
        device(&mut same, name, target, &mut out);
    }
    let _ = random.uniform();
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let _ = writeln!(
        out,
        "[processor]\nlogical_processors = {}\n[compression]\nratio = {}\nrate = \"{} MB/s\"\n\
         decompression_rate = \"{} MB/s\"\n[backup]\nstripes = [{}]\ncompression = true",
        [2, 4, 8, 16][random.below(4)],
        between(random, 2.0, 8.0),
        between(random, 70.0, 200.0),
        between(random, 250.0, 800.0),
        quoted.join(", ")
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_pipelines_differ_load_and_have_a_truth() {
        let mut kinds = std::collections::BTreeSet::new();
        for number in 0..12 {
            let mut pipeline = Pipeline::new(1, number).expect("a pipeline");
            assert!(pipeline.candidates.len() > 8 && pipeline.free.len() > 3);
            kinds.insert(pipeline.free[0].paths.clone());
            let settings = pipeline.other_settings();
            let truth = pipeline.true_figures(&settings).expect("figures");
            let night = pipeline.night(&settings, 5).expect("figures");
            assert!((night[0].1 / truth[0].1 - 1.0).abs() < 0.4, "{truth:?} {night:?}");
        }
        assert!(kinds.len() > 1);
    }
}
