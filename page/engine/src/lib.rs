//! The engine of the teaching page: a request in JSON, an answer in JSON.
//!
//! [`answer`] is all there is: a function of the text it is given, without files, clock or network,
//! so that it can be tested natively and runs as WebAssembly in a worker. Where the program has the
//! command, the answer is the document that `bakcast COMMAND --format json` prints, to the last
//! byte; what only a page asks (`curve`, `bounds`, `frames`) has the same envelope. What is
//! wrong with a request comes back as `{"error": ...}`, and the work of one is bounded.
//!
//! WebAssembly takes and gives bytes through three functions, see `exports`.

mod ask;
mod bounds;
mod choice;
mod compare;
mod curve;
mod envelope;
mod explain;
pub mod exports;
mod failure;
mod frames;
mod lists;
mod predict;
mod request;
mod statement;
mod validate;
mod work;

use failure::Failure;
use request::{Request, Word};

/// Most bytes of a request: a scenario, a statement and assignments.
pub const LARGEST_REQUEST: usize = 4 << 20;

/// The answer to a request: a document, or `{"error": ...}`. Never panics, whatever the text.
#[must_use]
pub fn answer(request: &str) -> String {
    match answered(request) {
        Ok(document) => document,
        Err(failure) => failure.document(),
    }
}

fn answered(text: &str) -> Result<String, Failure> {
    let request = Request::read(text)?;
    match request.command {
        Word::Predict => predict::run(&request),
        Word::Explain => explain::run(&request),
        Word::Compare => compare::run(&request),
        Word::Ask => ask::run(&request),
        Word::Validate => validate::run(&request),
        Word::Curve => curve::run(&request),
        Word::Bounds => bounds::run(&request),
        Word::Frames => frames::run(&request),
        Word::Scenarios => lists::scenarios(&request),
        Word::Show => lists::show(&request),
        Word::Knobs => lists::knobs(&request),
        Word::Resolve => lists::resolve(&request),
        Word::Statement => statement::run(&request),
    }
}

#[cfg(test)]
mod tests;
