//! `ask`, as the program has it.

use bakcast_report::document::AskResult;
use bakcast_whatif::{AskOptions, Question, ask};

use crate::choice::Choice;
use crate::envelope::{run_of, warnings, written};
use crate::failure::Failure;
use crate::predict::given;
use crate::request::Request;
use crate::work;

/// Configurations that a question runs, about.
const CONFIGURATIONS: u64 = 40;

pub(crate) fn run(request: &Request) -> Result<String, Failure> {
    let options = request.options()?;
    let question = question(request)?;
    let choice = Choice::new(request)?;
    let loaded = choice.load()?;
    work::check(&loaded.resolved, &options, CONFIGURATIONS)?;
    let asked = AskOptions {
        threshold: request.threshold()?,
        operation: request.operation.map(Into::into),
        window_seconds: window(request, question)?,
        memory_bytes: memory(request)?,
        devices: request.devices.clone(),
    };
    let told = ask(choice.parts(), question, &asked, &options, &|_, _| true)?;
    let mut result = AskResult::new(&told, &options);
    result.set = given(request)?;
    let mut warnings = match &told.before.ran {
        Some(ran) => warnings(&ran.loaded, &ran.prediction, &options, None),
        None => Vec::new(),
    };
    warnings.extend(choice.said());
    written(run_of("ask", &options, &loaded), warnings, result)
}

fn question(request: &Request) -> Result<Question, Failure> {
    let known = Question::ALL.map(Question::name).join(", ");
    let named = request.question.as_deref().unwrap_or_default();
    named.parse().map_err(|error| Failure::usage(format!("{error}; accepted: {known}")))
}

fn window(request: &Request, question: Question) -> Result<Option<f64>, Failure> {
    match request.window_seconds {
        Some(seconds) if !(seconds > 0.0 && seconds.is_finite()) => {
            Err(Failure::usage("a window has to be longer than 0 s"))
        }
        None if question == Question::Window => Err(Failure::usage(
            "whether it fits a window needs `window_seconds`; accepted: a number above 0",
        )),
        seconds => Ok(seconds),
    }
}

fn memory(request: &Request) -> Result<Option<u64>, Failure> {
    match request.memory_bytes {
        Some(0) => Err(Failure::usage("some memory is needed")),
        bytes => Ok(bytes),
    }
}
