//! What `compare` and `sweep` take.

use std::path::PathBuf;
use std::str::FromStr;

use bakcast_scenarios::Set;
use bakcast_whatif::{MOST_CONFIGURATIONS, Operation};
use clap::{Args, ValueEnum};

use super::{ScenarioChoice, value};
use crate::requirement::Requirement;

/// `compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// A knob and its values; given several times, every combination, at most 200
    ///
    /// PATH=V1,V2,... with a path of `bakcast knobs` or a short name (buffer_count, transfer_size,
    /// compression, block_size, stripes, algorithm, processors). Numbers may be ranges: 8..256*2,
    /// 8..64+8, 64KiB..4MiB*2. Where | or ; stands, commas belong to a value: 'stripes=d1|d1,d2';
    /// d1+d2 does without quotes. 0 of a buffer count or a size, and `default` of any knob, mean
    /// that it is not written. 'backup={buffer_count=64, compression=true};{}' sets several at
    /// once, variant=2,5 takes variants of the scenario.
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    pub(crate) vary: Vec<String>,
    /// What is compared; absent: the backup
    #[arg(long, value_enum, default_value_t = OperationChoice::Backup, value_name = "OPERATION")]
    pub(crate) operation: OperationChoice,
    /// What others are held against, instead of the scenario as it is; may be given several times
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    pub(crate) reference: Vec<Set>,
    /// A difference of less is not worth a change
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = value::threshold)]
    pub(crate) threshold: f64,
    /// A limit that must be kept by one configuration at least, or the exit code is 4
    ///
    /// As for predict, e.g. 'total<=2h' or 'memory<=1GiB'. The best is chosen among those that keep
    /// all limits.
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

/// `sweep`.
#[derive(Debug, Args)]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub(crate) choice: ScenarioChoice,
    /// A knob and its values, as for compare; given several times, every combination
    #[arg(long, value_name = "PATH=VALUES")]
    pub(crate) vary: Vec<String>,
    /// Takes the configurations of a CSV table: a column for each knob, a line for each
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["vary", "sample"])]
    pub(crate) list: Option<PathBuf>,
    /// Takes a sample instead of every combination: latin:N, a Latin hypercube of N
    #[arg(long, value_name = "SAMPLE", requires = "vary")]
    pub(crate) sample: Option<Sample>,
    /// Goes on with a file that an earlier sweep has left unfinished
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// One of N equal parts, from 1; the files of all parts, one after the other, are that of a
    /// sweep in one
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,
    /// What the views are of; absent: the backup
    #[arg(long, value_enum, default_value_t = OperationChoice::Backup, value_name = "OPERATION")]
    pub(crate) operation: OperationChoice,
    /// Finds out what limits each configuration as well, which takes several times as long
    #[arg(long)]
    pub(crate) bottleneck: bool,
    /// A limit that must be kept by one configuration at least, or the exit code is 4
    #[arg(long, value_name = "LIMIT")]
    pub(crate) require: Vec<Requirement>,
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OperationChoice {
    /// The backup
    Backup,
    /// The verification
    Verify,
    /// The restore
    Restore,
    /// Backup and verification
    Total,
}

impl From<OperationChoice> for Operation {
    fn from(choice: OperationChoice) -> Self {
        match choice {
            OperationChoice::Backup => Operation::Backup,
            OperationChoice::Verify => Operation::Verify,
            OperationChoice::Restore => Operation::Restore,
            OperationChoice::Total => Operation::Total,
        }
    }
}

/// `latin:N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Points of a Latin hypercube.
    pub(crate) latin: u32,
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let accepted = || format!("accepted: latin:N with N from 1 to {MOST_CONFIGURATIONS}");
        let number = text.trim().strip_prefix("latin:").ok_or_else(accepted)?;
        let latin: u32 = number.trim().parse().map_err(|_| accepted())?;
        let fits = latin > 0 && u64::from(latin) <= MOST_CONFIGURATIONS;
        if fits { Ok(Sample { latin }) } else { Err(accepted()) }
    }
}

/// `K/N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const ACCEPTED: &str = "accepted: K/N, with K from 1 to N, e.g. 2/8";
        let (number, of) = text.split_once('/').ok_or(ACCEPTED)?;
        let read = |text: &str| text.trim().parse::<u64>().map_err(|_| ACCEPTED.to_string());
        let (number, of) = (read(number)?, read(of)?);
        if number == 0 && of > 0 {
            return Err(format!("{ACCEPTED}; where jobs count from 0, add 1"));
        }
        if number > of || of > MOST_CONFIGURATIONS {
            return Err(ACCEPTED.to_string());
        }
        Ok(Shard { number, of })
    }
}

impl Shard {
    /// The whole.
    pub(crate) const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether it is the first, which has the headings.
    pub(crate) const fn is_first(self) -> bool {
        self.number == 1
    }

    /// The configurations of this shard, out of so many.
    pub(crate) fn range(self, count: u64) -> (u64, u64) {
        let at = |number: u64| {
            let place = u128::from(count) * u128::from(number) / u128::from(self.of);
            u64::try_from(place).unwrap_or(count)
        };
        (at(self.number - 1), at(self.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_blocks_that_leave_nothing_out() {
        for count in [0, 1, 7, 8, 9, 1_000_000] {
            for of in [1, 2, 3, 8, 100] {
                let mut end = 0;
                for number in 1..=of {
                    let shard: Shard = format!("{number}/{of}").parse().unwrap();
                    let (first, last) = shard.range(count);
                    assert_eq!(first, end);
                    end = last;
                }
                assert_eq!(end, count);
            }
        }
        for text in ["", "1", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/2/3", "1/9999999999"] {
            assert!(text.parse::<Shard>().unwrap_err().contains("K/N"), "{text}");
        }
    }

    #[test]
    fn a_sample_says_its_size() {
        assert_eq!("latin:100".parse::<Sample>().map(|sample| sample.latin), Ok(100));
        for text in ["", "latin", "latin:", "latin:0", "latin:-1", "grid:4", "latin:1000001"] {
            assert!(text.parse::<Sample>().unwrap_err().contains("latin:N"), "{text}");
        }
    }
}
