//! Which configurations are run: every combination, a Latin hypercube of them, or a list.
//!
//! Configuration k is a function of the design alone: it does not matter who asks for it, when, or
//! for which others beside it. That is what lets shards be put together and runs be resumed.

use bakcast_scenarios::Set;
use bakcast_sim::Streams;
use thiserror::Error;

use crate::vary::{Change, Setting, Vary, VaryError, known_path, setting};

/// Most configurations of one design.
pub const MOST_CONFIGURATIONS: u64 = 1_000_000;
/// Most bytes of a list.
pub const LARGEST_LIST: usize = 64 << 20;

/// One configuration: a variant and assignments, on top of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Configuration {
    /// Another variant than that of the scenario.
    pub variant: Option<String>,
    /// Assignments, in their order.
    pub sets: Vec<Set>,
    /// The values as they are shown, in the order of [`Design::paths`]; empty where a list leaves a
    /// knob as it is.
    pub labels: Vec<String>,
}

/// Which configurations are run.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    axes: Vec<Vary>,
    points: Points,
}

#[derive(Debug, Clone, PartialEq)]
enum Points {
    /// Every combination, the last axis fastest.
    Grid,
    /// The values of each point, as many as there are axes.
    Chosen(Vec<u32>),
}

/// Why there is no such design.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DesignError {
    /// Two specifications vary one thing.
    #[error("`{path}` is varied twice; write all its values in one --vary")]
    Twice {
        /// What is varied.
        path: String,
    },
    /// There is nothing to vary.
    #[error("nothing is varied; write e.g. `--vary backup.buffer_count=8..256*2`")]
    Nothing,
    /// There are too many combinations.
    #[error(
        "{count} configurations are more than {most}; vary less, or take a sample: \
         `--sample latin:1000`"
    )]
    TooMany {
        /// How many there would be.
        count: u128,
        /// How many there may be.
        most: u64,
    },
    /// A list cannot be used.
    #[error("list `{name}`{}: {message}", .line.map(|l| format!(", line {l}")).unwrap_or_default())]
    List {
        /// The file.
        name: String,
        /// The line, from 1.
        line: Option<u64>,
        /// What is wrong, and what is accepted.
        message: String,
    },
}

impl Design {
    /// Every combination of the values, the last specification varying fastest.
    ///
    /// # Errors
    /// [`DesignError`] if there is nothing, a path twice, or more than `most` combinations.
    pub fn grid(axes: Vec<Vary>, most: u64) -> Result<Self, DesignError> {
        check_axes(&axes)?;
        let values = axes.iter().map(|axis| axis.settings.len() as u128);
        let count = values.fold(1_u128, u128::saturating_mul);
        if count > u128::from(most) {
            return Err(DesignError::TooMany { count, most });
        }
        Ok(Design { axes, points: Points::Grid })
    }

    /// A Latin hypercube of `count` points: of each axis every value is taken equally often, but
    /// for one time more or less, in an order of its own that the seed decides.
    ///
    /// # Errors
    /// [`DesignError`] if there is nothing, a path twice, or too many points.
    pub fn latin(axes: Vec<Vary>, count: u32, seed: u64) -> Result<Self, DesignError> {
        check_axes(&axes)?;
        if u64::from(count) > MOST_CONFIGURATIONS {
            let count = u128::from(count);
            return Err(DesignError::TooMany { count, most: MOST_CONFIGURATIONS });
        }
        let points = count as usize;
        let mut chosen = vec![0; points * axes.len()];
        for (number, axis) in axes.iter().enumerate() {
            // A stream of its own: an axis more changes no other.
            let mut stream = Streams::new(seed, number as u64).named("latin hypercube");
            let mut order: Vec<u32> = (0..count).collect();
            for last in (1..points).rev() {
                order.swap(last, stream.below(last + 1));
            }
            let values = axis.settings.len() as u64;
            for (point, stratum) in order.into_iter().enumerate() {
                let value = u64::from(stratum) * values / u64::from(count);
                chosen[point * axes.len() + number] = value as u32;
            }
        }
        Ok(Design { axes, points: Points::Chosen(chosen) })
    }

    /// The configurations of a table in CSV: a column for each knob, a line for each configuration.
    /// An empty cell leaves the knob as it is.
    ///
    /// # Errors
    /// [`DesignError::List`] with the line, or too many lines.
    pub fn list(name: &str, bytes: &[u8]) -> Result<Self, DesignError> {
        let fail = |line, message: String| {
            Err(DesignError::List { name: bakcast_scenarios::shown_word(name), line, message })
        };
        if bytes.len() > LARGEST_LIST {
            return fail(None, format!("larger than {} MiB", LARGEST_LIST >> 20));
        }
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(bytes);
        let headings = match reader.headers() {
            Ok(headings) => headings.clone(),
            Err(error) => return fail(None, error.to_string()),
        };
        let mut axes = Vec::new();
        for heading in &headings {
            match known_path(heading) {
                Ok(path) => axes.push(Vary { path, settings: Vec::new() }),
                Err(fault) => return fail(Some(1), inside(&fault.of(heading))),
            }
        }
        check_axes(&axes)?;
        let mut known = vec![std::collections::BTreeMap::new(); axes.len()];
        let mut chosen = Vec::new();
        for record in reader.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => return fail(None, error.to_string()),
            };
            let line = record.position().map(csv::Position::line);
            for ((axis, known), cell) in axes.iter_mut().zip(&mut known).zip(&record) {
                if let Some(value) = known.get(cell) {
                    chosen.push(*value);
                    continue;
                }
                let found = match cell {
                    "" => Ok(Setting { label: String::new(), change: Change::Nothing }),
                    cell => setting(&axis.path, cell).map_err(|fault| fault.of(cell)),
                };
                match found {
                    Ok(setting) => axis.settings.push(setting),
                    Err(error) => return fail(line, inside(&error)),
                }
                let value = axis.settings.len() as u32 - 1;
                known.insert(cell.to_string(), value);
                chosen.push(value);
            }
            if chosen.len() as u64 > MOST_CONFIGURATIONS * axes.len() as u64 {
                return fail(line, format!("more than {MOST_CONFIGURATIONS} configurations"));
            }
        }
        if chosen.is_empty() {
            return fail(None, "headings but no configuration".to_string());
        }
        Ok(Design { axes, points: Points::Chosen(chosen) })
    }

    /// How many configurations there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        match &self.points {
            Points::Grid => self.axes.iter().map(|axis| axis.settings.len() as u64).product(),
            Points::Chosen(chosen) => (chosen.len() / self.axes.len()) as u64,
        }
    }

    /// What is varied.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(|axis| axis.path.as_str())
    }

    /// The axes, with the values that are taken.
    #[must_use]
    pub fn axes(&self) -> &[Vary] {
        &self.axes
    }

    /// Which value of each axis configuration `index` has.
    #[must_use]
    pub fn values(&self, index: u64) -> Vec<usize> {
        match &self.points {
            Points::Chosen(chosen) => {
                let start = index as usize * self.axes.len();
                let values = chosen.get(start..start + self.axes.len()).unwrap_or_default();
                values.iter().map(|value| *value as usize).collect()
            }
            Points::Grid => {
                let mut rest = index;
                let mut values: Vec<usize> = Vec::with_capacity(self.axes.len());
                for axis in self.axes.iter().rev() {
                    let count = axis.settings.len() as u64;
                    values.push((rest % count) as usize);
                    rest /= count;
                }
                values.reverse();
                values
            }
        }
    }

    /// The values of configuration `index` as they are shown.
    #[must_use]
    pub fn labels(&self, index: u64) -> Vec<&str> {
        self.settings(index).map(|setting| setting.label.as_str()).collect()
    }

    fn settings(&self, index: u64) -> impl Iterator<Item = &Setting> {
        let values = self.values(index);
        self.axes.iter().zip(values).filter_map(|(axis, value)| axis.settings.get(value))
    }

    /// Configuration `index`, from 0.
    #[must_use]
    pub fn configuration(&self, index: u64) -> Configuration {
        let mut configuration = Configuration::default();
        for setting in self.settings(index) {
            configuration.labels.push(setting.label.clone());
            match &setting.change {
                Change::Nothing => {}
                Change::Variant(variant) => configuration.variant = Some(variant.clone()),
                Change::Sets(sets) => configuration.sets.extend(sets.iter().cloned()),
            }
        }
        configuration
    }
}

fn inside(error: &VaryError) -> String {
    let text = error.to_string();
    text.strip_prefix("--vary ").map_or(text.clone(), str::to_string)
}

fn check_axes(axes: &[Vary]) -> Result<(), DesignError> {
    if axes.is_empty() {
        return Err(DesignError::Nothing);
    }
    for (index, axis) in axes.iter().enumerate() {
        if axes[..index].iter().any(|before| before.path == axis.path) {
            return Err(DesignError::Twice { path: axis.path.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
