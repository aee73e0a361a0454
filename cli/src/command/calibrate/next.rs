//! What to type after `calibrate`.

use bakcast_calibration::{CalibrateOptions, Question};
use bakcast_report::text::quoted;
use bakcast_scenarios::Reference;
use bakcast_scenarios::predict::PredictOptions;

use crate::args::{Calibrate, GlobalOptions};

/// Write the fitted scenario if that was not done, then predict with it; each command in its words.
pub(super) fn commands(
    arguments: &Calibrate,
    global: &GlobalOptions,
    name: &str,
    written: Option<&str>,
) -> Vec<Vec<String>> {
    let Reference { variant, .. } = Reference::parse(name);
    let of_variant = |file: &str| match &variant {
        Some(variant) => format!("{file}:{variant}"),
        None => file.to_string(),
    };
    let calibrate = |more: &[String]| {
        let scenario = format!("--scenario {}", quoted(name));
        let mut words = vec!["bakcast calibrate".to_string(), scenario];
        words.extend(given(arguments, global));
        words.extend(more.iter().cloned());
        words
    };
    let predict = |file: &str| vec![format!("bakcast predict {}", quoted(&of_variant(file)))];
    if arguments.runs.is_empty() {
        let count = arguments.design.unwrap_or(1);
        let question = Question::from(arguments.question).name();
        return vec![
            calibrate(&[
                format!("--design {count}"),
                format!("--question {question}"),
                "-o runs.csv".to_string(),
            ]),
            calibrate(&["--runs runs.csv".to_string(), "-o fitted.toml".to_string()]),
        ];
    }
    if let Some(file) = written {
        return vec![predict(file)];
    }
    let files = arguments.runs.iter().map(|path| quoted(&path.display().to_string()));
    let mut more: Vec<String> = files.map(|file| format!("--runs {file}")).collect();
    more.push("-o fitted.toml".to_string());
    vec![calibrate(&more), predict("fitted.toml")]
}

/// The options without which it would be another fit.
fn given(arguments: &Calibrate, global: &GlobalOptions) -> Vec<String> {
    let word = |option: &str, value: &str| format!("{option} {}", quoted(value));
    let mut words: Vec<String> =
        arguments.set.iter().map(|set| word("--set", &set.to_string())).collect();
    words.extend(arguments.free.iter().map(|free| word("--free", &free.text)));
    words.extend(arguments.fix.iter().map(|path| word("--fix", path)));
    if (arguments.error - CalibrateOptions::ERROR).abs() > 1e-12 {
        // To a digit that a share never has: 0.07 times 100 is not 7.
        let percent = (arguments.error * 1e8).round() / 1e6;
        words.push(format!("--error {percent}%"));
    }
    words.extend(arguments.clock.map(|seconds| format!("--clock {seconds}s")));
    if global.seed != PredictOptions::default().seed {
        words.push(format!("--seed {}", global.seed));
    }
    words.extend(global.replications.map(|nights| format!("--replications {nights}")));
    if global.exact {
        words.push("--exact".to_string());
    }
    words
}
