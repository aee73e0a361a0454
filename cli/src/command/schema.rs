//! `schema`: the JSON Schema of scenario files.

use bakcast_report::{Format, json};
use bakcast_scenarios::json_schema;

use crate::exit::Failure;
use crate::output::{Outputs, Reply};

pub(super) fn run(outputs: &Outputs) -> Result<Reply, Failure> {
    outputs.verbatim(json::pretty(&json_schema())?, &[Format::Text, Format::Json])
}
