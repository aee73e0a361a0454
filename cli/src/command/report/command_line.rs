//! The command that makes a report again, as a shell takes it: what was given and is not the
//! default, the file it is written to left out.

use bakcast_report::text::quoted;
use bakcast_scenarios::predict::PredictOptions;
use bakcast_whatif::Wanted;
use clap::ValueEnum;

use crate::args::{GlobalOptions, Report};

/// The command of a report.
pub(super) fn of(arguments: &Report, global: &GlobalOptions) -> String {
    let Report {
        choice,
        compare,
        window,
        operation,
        require,
        change_request,
        proposed_set,
        proposed_sql,
        search,
        ahead,
    } = arguments;
    let mut words = Words(vec!["bakcast report".to_string()]);
    choice.scenario.iter().for_each(|scenario| words.word(scenario));
    if let [one, other] = compare.as_slice() {
        words.0.push(format!("--compare {} {}", quoted(one), quoted(other)));
    }
    words.option("--sql", choice.sql.as_deref());
    choice.set.iter().for_each(|set| words.option("--set", Some(&set.to_string())));
    words.flag("--change-request", *change_request);
    words.option("--proposed-sql", proposed_sql.as_deref());
    proposed_set.iter().for_each(|set| words.option("--proposed-set", Some(&set.to_string())));
    words.flag("--recommend", search.recommend);
    words.option("--window", window.as_deref());
    let name = operation.to_possible_value();
    let name = name.filter(|_| *operation != crate::args::ShortChoice::Backup);
    words.option("--operation", name.as_ref().map(clap::builder::PossibleValue::get_name));
    require.iter().for_each(|limit| words.option("--require", Some(&limit.to_string())));
    words.option("--memory", search.memory.as_deref());
    words.option("--cpu", search.cpu.as_deref());
    words.changed("--stripes", search.stripes, Wanted::MOST_FILES as u32);
    let devices = search.devices.as_ref().map(|devices| devices.join(","));
    words.option("--devices", devices.as_deref());
    let threshold = share(search.threshold);
    words.changed("--threshold", threshold.as_str(), share(bakcast_whatif::THRESHOLD).as_str());
    words.changed("--budget", search.budget, Wanted::BUDGET as u32);
    words.option("--growth", ahead.growth.as_deref());
    ahead.history.iter().for_each(|file| words.option("--history", file.to_str()));
    words.option("--database", ahead.database.as_deref());
    words.changed("--months", ahead.months, 60);
    of_run(&mut words, global);
    words.0.join(" ")
}

/// How it is simulated.
fn of_run(words: &mut Words, global: &GlobalOptions) {
    let usual = PredictOptions::default();
    words.changed("--seed", global.seed, usual.seed);
    words.option("--replications", global.replications.map(|n| n.to_string()).as_deref());
    words.option("--precision", global.precision.map(share).as_deref());
    let most = global.replications_max.map(|most| most.to_string());
    words.option("--replications-max", most.as_deref());
    words.changed("--level", global.level, usual.level);
    words.flag("--exact", global.exact);
}

/// A share as options take it, and as the same number.
fn share(share: f64) -> String {
    let percent = (share * 1e14).round() / 1e12;
    let is_same = (percent / 100.0).to_bits() == share.to_bits();
    if is_same { format!("{percent}%") } else { share.to_string() }
}

/// The words of a command.
struct Words(Vec<String>);

impl Words {
    fn word(&mut self, word: &str) {
        self.0.push(quoted(word));
    }

    fn flag(&mut self, name: &str, is_given: bool) {
        if is_given {
            self.0.push(name.to_string());
        }
    }

    fn option(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.0.push(format!("{name} {}", quoted(value)));
        }
    }

    /// An option with a value other than its default.
    fn changed<T: Copy + PartialEq + ToString>(&mut self, name: &str, value: T, default: T) {
        if value != default {
            self.option(name, Some(&value.to_string()));
        }
    }
}
