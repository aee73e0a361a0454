//! All inputs: the scenario with every default written out, and how far its parameters are known.

use super::markup::{Markup, classed, tag};
use super::{ParameterSpread, code, details, section, sure};

/// The section of a scenario.
pub(super) fn inputs(toml: &str, parameters: &[ParameterSpread]) -> Markup {
    let text = "The scenario with its variant and assignments applied and every default written \
                out. Saved as a file it is a scenario of its own; what a BACKUP statement may \
                leave out and is not here is left to the engine.";
    let file = classed("div", "file", code(toml));
    let inner = tag("p", &[], text)
        .line()
        .and(sure::parameters(parameters))
        .and(details("The scenario as a file", file));
    section("inputs", "What went in", inner)
}

/// Statements under their headings.
pub(super) fn statements(statements: &[(&str, Option<&String>)]) -> Markup {
    statements.iter().fold(Markup::new(), |all, (heading, text)| match text {
        Some(text) => all.and(tag("h3", &[], *heading)).line().and(code(text)),
        None => all,
    })
}
