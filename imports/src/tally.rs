//! Mean, peak and quantile of samples that come one by one, in bounded memory.
//!
//! The quantile is read off a histogram with 128 steps for each doubling, so it is at most 0.8 %
//! too large. Only steps that occur take room.

use std::collections::BTreeMap;

use crate::finding::Load;

/// Bits of a number that are left out of its step.
const STEP_BITS: u32 = 45;
/// Share of the time from which on a device counts as saturated.
const SATURATED: f64 = 0.9;

/// Samples of one quantity.
#[derive(Debug, Default)]
pub(crate) struct Series {
    count: u64,
    sum: f64,
    peak: f64,
    steps: BTreeMap<u32, u64>,
}

impl Series {
    /// Takes one sample, which is not negative.
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.peak = self.peak.max(value);
        *self.steps.entry((value.to_bits() >> STEP_BITS) as u32).or_default() += 1;
    }

    /// Their sum.
    pub(crate) fn sum(&self) -> f64 {
        self.sum
    }

    /// Their mean.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The largest.
    pub(crate) fn peak(&self) -> Option<f64> {
        (self.count > 0).then_some(self.peak)
    }

    /// What nine tenths of them do not exceed.
    pub(crate) fn p90(&self) -> Option<f64> {
        let wanted = (self.count * 9).div_ceil(10);
        let mut seen = 0;
        let step = self.steps.iter().find(|(_, count)| {
            seen += **count;
            seen >= wanted
        })?;
        // The upper end of the step.
        Some(f64::from_bits((u64::from(*step.0) + 1) << STEP_BITS).min(self.peak))
    }
}

/// What one sample says of a device.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Sample {
    /// Bytes read a second.
    pub(crate) read: Option<f64>,
    /// Bytes written a second.
    pub(crate) write: Option<f64>,
    /// Share of the time in which it was busy.
    pub(crate) busy: Option<f64>,
    /// Mean bytes of a read.
    pub(crate) read_block: Option<f64>,
    /// Mean bytes of a write.
    pub(crate) write_block: Option<f64>,
}

/// Samples of a device.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    samples: u64,
    pub(crate) read: Series,
    pub(crate) write: Series,
    busy: Series,
    read_saturated: Series,
    write_saturated: Series,
    read_block: Series,
    write_block: Series,
}

impl Tally {
    /// Takes one sample; an empty one does not count.
    pub(crate) fn add(&mut self, sample: &Sample) {
        let saturated = sample.busy.is_some_and(|busy| busy >= SATURATED);
        let rates = [
            (sample.read, &mut self.read, &mut self.read_saturated),
            (sample.write, &mut self.write, &mut self.write_saturated),
        ];
        let mut counts = sample.busy.is_some();
        for (value, all, full) in rates {
            let Some(value) = value else { continue };
            counts = true;
            all.add(value);
            if saturated {
                full.add(value);
            }
        }
        if let Some(busy) = sample.busy {
            self.busy.add(busy);
        }
        let blocks = [
            (sample.read_block, &mut self.read_block),
            (sample.write_block, &mut self.write_block),
        ];
        for (value, series) in blocks {
            // A zero stands where nothing was moved.
            if let Some(value) = value.filter(|value| *value > 0.0) {
                series.add(value);
            }
        }
        self.samples += u64::from(counts);
    }

    /// How many samples it has.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// Whether nothing was ever moved.
    pub(crate) fn idle(&self) -> bool {
        self.read.sum() + self.write.sum() <= 0.0
    }

    /// What comes out.
    pub(crate) fn load(&self, device: String, seconds: Option<f64>, cpu: Option<f64>) -> Load {
        Load {
            device,
            samples: self.samples,
            seconds,
            read_mean: self.read.mean(),
            read_peak: self.read.peak(),
            read_p90: self.read.p90(),
            write_mean: self.write.mean(),
            write_peak: self.write.peak(),
            write_p90: self.write.p90(),
            busy_mean: self.busy.mean(),
            read_saturated: self.read_saturated.mean(),
            write_saturated: self.write_saturated.mean(),
            read_block_bytes: self.read_block.mean(),
            write_block_bytes: self.write_block.mean(),
            processor_mean: cpu,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_is_near_the_true_one() {
        let mut series = Series::default();
        for value in 1..=1000 {
            series.add(f64::from(value) * 1e5);
        }
        let p90 = series.p90().expect("samples");
        assert!((0.9e8..0.9e8 * 1.008).contains(&p90), "{p90}");
        assert_eq!(series.peak(), Some(1e8));
        assert_eq!(Series::default().p90(), None);
    }

    #[test]
    fn only_a_busy_device_shows_what_it_can_do() {
        let mut tally = Tally::default();
        for (read, busy) in [(100.0, 0.95), (10.0, 0.2), (300.0, 1.0)] {
            let sample = Sample { read: Some(read), busy: Some(busy), ..Sample::default() };
            tally.add(&sample);
        }
        tally.add(&Sample::default());
        let load = tally.load("x".into(), None, None);
        assert_eq!((load.samples, load.read_saturated), (3, Some(200.0)));
    }
}
