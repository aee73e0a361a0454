//! The documents run: every `console` block is executed and its output compared.
//!
//! In a block, a line that begins with `$ ` is a command and what follows is its output. The
//! commands of one document run in one folder of their own, in their order. Tables made by a
//! command stand between `<!-- bakcast ... -->` and `<!-- end -->`. `UPDATE_DOCS=1` rewrites both,
//! and `docs/knobs.md` with them.

use std::path::{Path, PathBuf};
use std::process::Command;

use bakcast_scenarios::knobs_markdown;
use bakcast_tests::{clean, files, program, read, rewrites, root};
use tempfile::TempDir;

/// Generated as a whole.
const KNOBS: &str = "docs/knobs.md";
/// What was measured on a named machine on a stated day, or took hours to compute; no test can do
/// it again.
const MEASURED: [&str; 2] = ["docs/benchmarks", "docs/decisions"];

/// The documents of the repository: those at its root, and those under `docs`.
fn documents() -> Vec<PathBuf> {
    let at_root = files("", ".md");
    let mut documents: Vec<_> =
        at_root.into_iter().filter(|path| path.components().count() == 1).collect();
    let in_docs = files("docs", ".md").into_iter();
    let measured = |path: &PathBuf| MEASURED.iter().any(|folder| path.starts_with(folder));
    documents.extend(in_docs.filter(|path| path != Path::new(KNOBS) && !measured(path)));
    documents
}

/// How a command of a document is run.
enum Run {
    /// By a shell, the program under its own name.
    Shell(String),
    /// Not at all: it is this very suite, or needs a network.
    Not,
}

fn run_of(command: &str) -> Run {
    if let Some(arguments) = command.strip_prefix("cargo run --release -- ") {
        return Run::Shell(format!("bakcast {arguments}"));
    }
    let first = command.split_whitespace().next().unwrap_or_default();
    match first {
        "bakcast" | "cat" | "grep" | "head" | "sed" => Run::Shell(command.to_string()),
        "git" | "cd" => Run::Not,
        "cargo" if command.starts_with("cargo test") || command.starts_with("cargo install") => {
            Run::Not
        }
        _ => panic!("a document may not run `{command}`"),
    }
}

/// What a command writes, on both channels, in order.
fn output_of(command: &str, folder: &Path) -> String {
    let Run::Shell(command) = run_of(command) else { return String::new() };
    let own = program().parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [own.to_path_buf()].into_iter().chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]);
    shell.env("PATH", std::env::join_paths(path).unwrap()).env("LC_ALL", "C");
    let output = clean(&mut shell).current_dir(folder).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The document as it should be: every output as the commands write it now.
fn with_outputs(text: &str) -> String {
    let folder = TempDir::new().unwrap();
    // What documents read lies where it lies in a checkout.
    std::os::unix::fs::symlink(root().join("docs"), folder.path().join("docs")).unwrap();
    let mut renewed = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        renewed.push_str(line);
        renewed.push('\n');
        if line == "```console" {
            while let Some(line) = lines.next_if(|line| *line != "```") {
                if let Some(command) = line.strip_prefix("$ ") {
                    renewed.push_str(&format!("{line}\n{}", output_of(command, folder.path())));
                }
            }
        } else if let Some(command) = made_by(line) {
            while lines.next_if(|line| *line != END).is_some() {}
            let table = output_of(command, folder.path());
            renewed.push_str(&format!("\n{}\n\n", table.trim()));
        }
    }
    renewed
}

const END: &str = "<!-- end -->";

/// The command that makes the table below this line.
fn made_by(line: &str) -> Option<&str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->").filter(|text| text.starts_with("bakcast "))
}

/// Records the text, or says where the document differs from it.
fn compare(path: &Path, expected: &str) {
    if rewrites("UPDATE_DOCS") {
        std::fs::write(root().join(path), expected).unwrap();
        return;
    }
    let present = read(path);
    let differs = present.lines().zip(expected.lines()).position(|(a, b)| a != b);
    let line = differs.unwrap_or_else(|| present.lines().count().min(expected.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_string();
    assert!(
        present == expected,
        "{}:{}: is\n  {}\nand should be\n  {}\n\
         `UPDATE_DOCS=1 cargo test --workspace --test suite docs` \
         rewrites it",
        path.display(),
        line + 1,
        at(&present),
        at(expected)
    );
}

#[test]
fn every_console_block_shows_what_its_commands_write() {
    let mut commands = 0;
    for path in documents() {
        let text = read(&path);
        commands += text.lines().filter(|line| line.starts_with("$ ")).count();
        compare(&path, &with_outputs(&text));
    }
    assert!(commands >= 8, "{commands}");
}

#[test]
fn the_list_of_knobs_is_that_of_the_schema() {
    compare(Path::new(KNOBS), &knobs_markdown());
}

#[test]
fn the_readme_shows_the_accuracy_and_both_commands() {
    let text = read("README.md");
    assert!(text.lines().filter_map(made_by).any(|command| command.contains("validate")));
    assert!(text.contains("\n$ cargo run --release -- predict "));
    assert!(text.contains("\n$ cargo test --workspace\n"));
}

/// What the documents run fails, if it fails, as it is meant to: no command is unknown to the
/// program, no output is that of a crash.
#[test]
fn no_document_shows_a_failure_by_accident() {
    for path in documents() {
        let text = read(&path);
        for mark in ["panicked", "unrecognized subcommand", "unexpected argument", "not found"] {
            assert!(!text.contains(mark), "{} shows `{mark}`", path.display());
        }
    }
}

/// Units that make a number a result.
const UNITS: [&str; 10] = ["s", "ms", "%", "MB/s", "MiB/s", "GB/s", "MiB", "GiB", "times", "rows"];

/// Prose goes stale where checked blocks do not.
#[test]
fn no_result_is_quoted_in_prose() {
    for path in documents() {
        let text = read(&path);
        let mut is_checked = false;
        for (number, line) in text.lines().enumerate() {
            is_checked ^= line.starts_with("```") || made_by(line).is_some() || line == END;
            if is_checked {
                continue;
            }
            // What stands between backquotes is a name or something to type.
            let prose: String = line.split('`').step_by(2).collect();
            let words: Vec<&str> = prose.split_whitespace().collect();
            for pair in words.windows(2) {
                let is_number = pair[0].trim_start_matches(['(', '+', '-']).parse::<f64>().is_ok();
                let unit = pair[1].trim_end_matches([',', '.', ';', ':', ')']);
                let place = format!("{}:{}", path.display(), number + 1);
                assert!(!(is_number && UNITS.contains(&unit)), "{place} quotes {pair:?}");
            }
        }
    }
}
