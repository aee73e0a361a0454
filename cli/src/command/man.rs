//! `man`: the manual page.

use bakcast_report::Format;
use clap::{Command, CommandFactory};

use crate::args::{Cli, Man};
use crate::exit::{Exit, Failure};
use crate::output::{Outputs, Reply};

pub(super) fn run(arguments: &Man, outputs: &Outputs) -> Result<Reply, Failure> {
    let mut program = Cli::command();
    program.build();
    let command = match &arguments.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(unknown(name, &program)),
        },
    };
    let text = page(&command).map_err(|error| Failure::new(Exit::Internal, error))?;
    outputs.verbatim(text, &[Format::Text])
}

fn unknown(name: &str, program: &Command) -> Failure {
    let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    Failure::usage(format!("there is no command `{name}`; there are {}", names.join(", ")))
}

/// The page, with the examples as a section of their own.
fn page(command: &Command) -> Result<String, std::io::Error> {
    let man = clap_mangen::Man::new(command.clone());
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    man.render_synopsis_section(&mut bytes)?;
    man.render_description_section(&mut bytes)?;
    bytes.extend(section("EXAMPLES", command.get_before_help()).into_bytes());
    man.render_options_section(&mut bytes)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut bytes)?;
    }
    bytes.extend(section("\"EXIT STATUS\"", command.get_after_help()).into_bytes());
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A section of lines as they are, the first line left out if it only names the section.
fn section(title: &str, text: Option<&clap::builder::StyledStr>) -> String {
    let Some(text) = text.map(ToString::to_string) else { return String::new() };
    let lines = text.lines().filter(|line| line.trim() != "Examples:");
    let escaped = lines.map(|line| {
        let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
        if line.starts_with('.') { format!("\\&{line}\n") } else { format!("{line}\n") }
    });
    format!(".SH {title}\n.nf\n{}.fi\n", escaped.collect::<String>())
}
