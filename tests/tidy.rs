//! Style that neither the compiler nor clippy sees.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bakcast_tests::{files, read, root};

const LINES_MAX: usize = 500;
const COLUMNS_MAX: usize = 100;

fn sources() -> Vec<PathBuf> {
    let sources = files("", ".rs");
    assert!(sources.len() > 100, "{}", sources.len());
    sources
}

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    for path in sources() {
        let lines = read(&path).lines().count();
        assert!(lines <= LINES_MAX, "{} has {lines} lines", path.display());
    }
}

/// Formatting breaks code, but neither comments nor strings.
#[test]
fn no_line_is_longer_than_a_screen_is_wide() {
    for path in sources() {
        for (number, line) in read(&path).lines().enumerate() {
            let columns = line.chars().count();
            // A table row of a comment and an address cannot be broken.
            let is_exempt = line.trim_start().starts_with("/// |") || line.contains("https://");
            let place = format!("{}:{}", path.display(), number + 1);
            assert!(columns <= COLUMNS_MAX || is_exempt, "{place} has {columns} columns");
            assert_eq!(line.trim_end(), line, "{place} ends in blanks");
        }
    }
}

#[test]
fn nothing_is_left_undone_or_passed_over() {
    let this_file = Path::new(file!()).file_name();
    for path in sources() {
        if path.file_name() == this_file {
            continue;
        }
        let text = read(&path);
        for mark in ["todo!", "unimplemented!", "dbg!(", "#[ignore", "TODO", "FIXME", "XXX"] {
            assert!(!text.contains(mark), "{} has `{mark}`", path.display());
        }
    }
}

/// WebAssembly needs functions that take and give addresses; nothing else does.
#[test]
fn nothing_is_unsafe_but_the_exports_of_the_page() {
    let this_file = Path::new(file!()).file_name();
    let is_unsafe = |path: &PathBuf| {
        let lines = read(path);
        let mut code = lines.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
        code.any(|line| line.contains("unsafe ") || line.contains("unsafe("))
    };
    let others = sources().into_iter().filter(|path| path.file_name() != this_file);
    let found: Vec<PathBuf> = others.filter(is_unsafe).collect();
    assert_eq!(found, [PathBuf::from("page/engine/src/exports.rs")]);
}

/// `mod` lines of a file, with what their `#[path]` says if they have one.
fn modules(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    let named = lines.filter_map(|line| {
        let line = line.strip_prefix("pub(super) ").unwrap_or(line);
        let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    named.collect()
}

/// Adds every file that `path` reaches by its `mod` lines.
fn reach(path: &Path, is_root: bool, reached: &mut BTreeSet<PathBuf>) {
    reached.insert(path.to_path_buf());
    let name = path.file_stem().unwrap();
    let folder = path.parent().unwrap();
    let folder = if is_root || name == "mod" { folder.to_path_buf() } else { folder.join(name) };
    for module in modules(&read(path)) {
        let candidates = [folder.join(format!("{module}.rs")), folder.join(module).join("mod.rs")];
        let file = candidates.iter().find(|file| root().join(file).is_file());
        let file = file.unwrap_or_else(|| panic!("{}: no file for {module}", path.display()));
        reach(file, false, reached);
    }
}

/// The roots of crates: what Cargo finds by itself, and what the manifests name.
fn crate_roots() -> Vec<PathBuf> {
    let is_root = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let parts: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
        match parts.as_slice() {
            [_, "src", file] | ["page", "engine", "src", file] => {
                ["lib.rs", "main.rs"].contains(file)
            }
            // The fuzz targets are a workspace of their own, and each of them a program.
            [_, "src", "bin", _] | [_, "examples" | "tests" | "benches" | "fuzz_targets", _] => {
                true
            }
            [_, "tests" | "examples", _, file] => *file == "main.rs",
            ["tests", _] => ["suite.rs", "harness.rs"].contains(&name),
            _ => false,
        }
    };
    sources().into_iter().filter(is_root).collect()
}

/// A file that no `mod` names is not compiled, and nobody would notice.
#[test]
fn every_source_file_is_reached() {
    let mut reached = BTreeSet::new();
    crate_roots().iter().for_each(|path| reach(path, true, &mut reached));
    let lost: Vec<PathBuf> = sources().into_iter().filter(|p| !reached.contains(p)).collect();
    assert!(lost.is_empty(), "no `mod` leads to {lost:?}");
}

/// A file begins with what it is about. One with tests of the file beside it needs no more than
/// its name, and the parts of a crate's own test are described where they are listed.
#[test]
fn every_source_file_says_what_it_is() {
    let is_exempt =
        |path: &Path| path.ends_with("tests.rs") || path.iter().nth(1) == Some("tests".as_ref());
    for path in sources().into_iter().filter(|path| !is_exempt(path)) {
        let text = read(&path);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("//!"), "{} begins with `{first}`", path.display());
    }
}

#[test]
fn every_document_has_one_title_and_no_empty_section() {
    let documents = files("", ".md");
    assert!(documents.len() >= 6, "{documents:?}");
    for path in documents {
        let text = read(&path);
        let mut fenced = false;
        let mut headings = Vec::new();
        let mut empty = None;
        for line in text.lines() {
            fenced ^= line.starts_with("```");
            if !fenced && line.starts_with('#') {
                let level = line.chars().take_while(|c| *c == '#').count();
                if let Some((before, of)) = empty.replace((level, line)) {
                    assert!(level > before, "{}: nothing under `{of}`", path.display());
                }
                headings.push(level);
            } else if !line.trim().is_empty() {
                empty = None;
            }
        }
        let titles = headings.iter().filter(|level| **level == 1).count();
        assert_eq!((titles, headings.first()), (1, Some(&1)), "{}", path.display());
        assert!(!fenced, "{}: a block is not closed", path.display());
    }
}

/// What a comment or a page points to is in the repository, or public.
#[test]
fn nothing_points_outside_the_repository() {
    let this_file = Path::new(file!()).file_name();
    let texts = sources().into_iter().chain(files("", ".md")).chain(files("", ".toml"));
    for path in texts.filter(|path| path.file_name() != this_file) {
        let text = read(&path);
        for mark in ["../shared", "facts, section", "/home/", "/work/", "/Users/"] {
            assert!(!text.contains(mark), "{} points to `{mark}`", path.display());
        }
    }
}

/// Links between the repository's own files lead somewhere.
#[test]
fn every_link_within_the_repository_leads_to_a_file() {
    for path in files("", ".md") {
        let text = read(&path);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let target = root().join(&path).parent().unwrap().join(file);
            assert!(target.exists(), "{}: `{link}` leads nowhere", path.display());
        }
    }
}
