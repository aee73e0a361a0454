//! `bakcast`: predicts how long a database backup and its verification will take.

mod args;
mod command;
mod exit;
mod interrupt;
mod output;
mod progress;
mod requirement;
mod statement;

use std::process::ExitCode;

use clap::Parser;

use args::Cli;
use exit::{Exit, Failure};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let colour = cli.global.colour_on_stderr();
    match run(&cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::message(&failure.shown(colour));
            failure.exit.into()
        }
    }
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    let outputs = output::Outputs::new(&cli.global);
    let reply = cli.global.on_threads(|| command::run(cli, &outputs))??;
    outputs.write(&reply)?;
    if !cli.global.quiet {
        reply.messages.iter().for_each(|text| output::message(text));
    }
    if let Some(path) = &reply.opens {
        output::open(path)?;
    }
    if let Some(unmet) = &reply.unmet {
        output::message(unmet);
    }
    Ok(reply.exit)
}
