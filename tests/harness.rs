//! Helpers of the suite: the program under test, the shipped scenarios, the files of the
//! repository.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use bakcast_scenarios::{Loaded, Scenario, Set, shipped};

/// The root of the repository.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The text of a file of the repository.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files below a folder of the repository that end in `ending`, in order of their paths; what is
/// built or hidden left out.
///
/// # Panics
/// If a folder cannot be read.
#[must_use]
pub fn files(folder: impl AsRef<Path>, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", "node_modules"].contains(&name.as_str()) && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if name.ends_with(ending) {
                found.push(path.strip_prefix(root()).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

/// Whether a variable of the environment asks for recorded files to be rewritten.
#[must_use]
pub fn rewrites(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value != "0" && !value.is_empty())
}

/// The program under test, built in the profile of this suite, once.
///
/// Cargo builds the programs of a package only for that package's own tests, so the suite asks for
/// it. It asks for the whole workspace and a test, as `cargo test --workspace` does: features are
/// then the same, and what that has built is not built again.
///
/// # Panics
/// If it cannot be built.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let suite = std::env::current_exe().unwrap();
        // <target>/<profile>/deps/suite-...
        let folder = suite.parent().and_then(Path::parent).unwrap();
        let profile = match folder.file_name().and_then(OsStr::to_str).unwrap() {
            "debug" => "dev",
            other => other,
        };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--workspace", "--bin", "bakcast", "--test", "suite"])
            .args(["--profile", profile])
            .arg("--target-dir")
            .arg(folder.parent().unwrap())
            .current_dir(root())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "the program cannot be built:\n{said}");
        let program = folder.join(format!("bakcast{}", std::env::consts::EXE_SUFFIX));
        assert!(program.is_file(), "{} was not built", program.display());
        program
    })
}

/// The program with nothing of the user's environment that changes its output.
#[must_use]
pub fn bakcast<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(program());
    clean(&mut command).args(arguments);
    command
}

/// Takes away what of the user's environment changes the program's output.
pub fn clean(command: &mut Command) -> &mut Command {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
}

/// How a run of the program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Ended {
            code: output.status.code().expect("it was not ended by a signal"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on standard output"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        }
    }
}

/// Runs the program to its end; the arguments are separated by blanks.
///
/// # Panics
/// If it cannot be run, is ended by a signal or writes anything but UTF-8.
#[must_use]
pub fn run(arguments: &str) -> Ended {
    bakcast(arguments.split_whitespace()).output().unwrap().into()
}

/// What the program writes on standard output, which must be all it writes.
///
/// # Panics
/// If it fails or complains.
#[must_use]
pub fn stdout(arguments: &str) -> String {
    let ended = run(arguments);
    assert_eq!(ended.code, 0, "bakcast {arguments}: {}", ended.stderr);
    ended.stdout
}

/// The JSON document of a command.
///
/// # Panics
/// If the program fails, or does not write JSON.
#[must_use]
pub fn json(arguments: &str) -> serde_json::Value {
    serde_json::from_str(&stdout(&format!("{arguments} --format json"))).unwrap()
}

/// Every shipped scenario, and every variant of it, as the command line calls them.
///
/// # Panics
/// If one does not load.
#[must_use]
pub fn every_scenario() -> Vec<String> {
    let mut names = Vec::new();
    for scenario in shipped() {
        names.push(scenario.name.to_string());
        let variants = load(scenario.name, &[]).variants;
        names.extend(variants.iter().map(|variant| format!("{}:{}", scenario.name, variant.name)));
    }
    names
}

/// A scenario with values replaced, each written `PATH=VALUE`.
///
/// # Panics
/// If it does not load.
#[must_use]
pub fn load(name: &str, sets: &[&str]) -> Loaded {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scenario::load_reference(name, &sets).unwrap_or_else(|error| panic!("{name}: {error}"))
}
