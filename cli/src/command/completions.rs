//! `completions`: for a shell.

use bakcast_report::Format;
use clap::CommandFactory;

use crate::args::{Cli, Completions};
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};

pub(super) fn run(arguments: &Completions, outputs: &Outputs) -> Result<Reply, Failure> {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "bakcast", &mut bytes);
    let text = String::from_utf8(bytes).map_err(|error| Failure::new(Exit::Internal, error))?;
    outputs.verbatim(text, &[Format::Text])
}
