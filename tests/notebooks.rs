//! The notebook in Rust stays true: its cells are an example, which is run.
//!
//! `notebooks/07-library-tour.ipynb` is where the code stands. The example `library_tour` is made
//! of its cells, one after the other, and prints what they print. `UPDATE_DOCS=1` writes the
//! example and the outputs. The other notebooks are in Python; `notebooks/check` executes them.

use std::process::Command;

use bakcast_tests::{files, program, read, rewrites, root};
use serde_json::{Value, json};

const NOTEBOOK: &str = "notebooks/07-library-tour.ipynb";
const EXAMPLE: &str = "scenarios/examples/library_tour.rs";

/// The lines of a cell or of an output: with their ends, but for the last.
fn text(lines: &Value) -> String {
    lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect()
}

fn lines(text: &str) -> Value {
    text.split_inclusive('\n').collect()
}

fn is_code(cell: &Value) -> bool {
    cell["cell_type"] == "code"
}

/// As a file of Jupyter is written: keys in order, indented by one.
fn as_file(notebook: &Value) -> String {
    use serde::Serialize;
    let mut bytes = Vec::new();
    let indented = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, indented);
    notebook.serialize(&mut writer).unwrap();
    String::from_utf8(bytes).unwrap() + "\n"
}

/// The example that is made of the cells. The line `[n]` comes before the output of cell n, as
/// Jupyter numbers them.
fn example(notebook: &Value) -> String {
    let mut code = String::from(
        "//! A tour of the library: load a scenario, change a knob, predict, look at stations and\n\
         //! waits; then a simulation of one's own.\n\
         //!\n\
         //! Made of the cells of `notebooks/07-library-tour.ipynb` by the test that runs it; do\n\
         //! not edit.\n\
         \n\
         #![allow(clippy::too_many_lines, reason = \"the cells of a notebook, in a row\")]\n\
         \n\
         fn main() -> Result<(), Box<dyn std::error::Error>> {\n",
    );
    let cells = notebook["cells"].as_array().unwrap().iter().filter(|cell| is_code(cell));
    for (index, cell) in cells.enumerate() {
        let source = text(&cell["source"]);
        // What the kernel is to load is no Rust.
        if source.starts_with(':') {
            continue;
        }
        code.push_str(&format!("    println!(\"[{}]\");\n", index + 1));
        for line in source.lines() {
            code.push_str(&if line.is_empty() { "\n".into() } else { format!("    {line}\n") });
        }
        code.push('\n');
    }
    code + "    Ok(())\n}\n"
}

/// What the example prints. It is built beside the program, and with what that was built with.
fn run_example() -> String {
    let folder = program().parent().unwrap();
    let profile = if folder.ends_with("debug") { "dev" } else { "release" };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--workspace", "--example", "library_tour", "--test", "suite"])
        .args(["--profile", profile, "--target-dir"])
        .arg(folder.parent().unwrap())
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "the example cannot be built:\n{said}");
    let ended = Command::new(folder.join("examples").join("library_tour")).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "the example fails:\n{said}");
    String::from_utf8(ended.stdout).unwrap()
}

/// The notebook with the outputs that the example prints.
fn with_outputs(mut notebook: Value, printed: &str) -> Value {
    let mut outputs = vec![String::new()];
    for line in printed.split_inclusive('\n') {
        let number = line.trim_end().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match number.and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => outputs.resize(number, String::new()),
            None => outputs.last_mut().unwrap().push_str(line),
        }
    }
    let cells = notebook["cells"].as_array_mut().unwrap().iter_mut().filter(|cell| is_code(cell));
    for (index, cell) in cells.enumerate() {
        cell["execution_count"] = json!(index + 1);
        cell["outputs"] = match outputs.get(index).filter(|text| !text.is_empty()) {
            Some(text) => {
                json!([{ "name": "stdout", "output_type": "stream", "text": lines(text) }])
            }
            None => json!([]),
        };
    }
    notebook
}

#[test]
fn the_cells_of_the_tour_are_an_example_and_print_what_the_notebook_shows() {
    let committed = read(NOTEBOOK);
    let notebook: Value = serde_json::from_str(&committed).unwrap();
    let code = example(&notebook);
    if rewrites("UPDATE_DOCS") {
        std::fs::write(root().join(EXAMPLE), &code).unwrap();
    }
    assert_eq!(read(EXAMPLE), code, "UPDATE_DOCS=1 makes {EXAMPLE} of the notebook's cells anew");
    let renewed = as_file(&with_outputs(notebook, &run_example()));
    if rewrites("UPDATE_DOCS") {
        std::fs::write(root().join(NOTEBOOK), &renewed).unwrap();
    }
    assert_eq!(read(NOTEBOOK), renewed, "UPDATE_DOCS=1 writes the outputs of {NOTEBOOK}");
    assert!(renewed.contains("simulated 0."), "the tour prints what it simulated");
}

/// Whoever opens the folder reads a question first, and in the end what not to conclude.
#[test]
fn every_notebook_begins_with_a_question_and_says_what_not_to_conclude() {
    let notebooks = files("notebooks", ".ipynb");
    assert!(notebooks.len() >= 7, "{notebooks:?}");
    let readme = read("notebooks/README.md");
    for path in notebooks {
        let notebook: Value = serde_json::from_str(&read(&path)).unwrap();
        let cells = notebook["cells"].as_array().unwrap();
        let title = text(&cells[0]["source"]);
        let title = title.lines().next().unwrap();
        assert!(title.starts_with("# ") && title.ends_with('?'), "{}: {title}", path.display());
        let last = text(&cells.last().unwrap()["source"]);
        assert!(last.contains("## What not to conclude"), "{}", path.display());
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(readme.contains(name.as_ref()), "notebooks/README.md does not list {name}");
        for cell in cells.iter().filter(|cell| is_code(cell)) {
            let outputs = cell["outputs"].as_array().unwrap();
            let failed = outputs.iter().find(|output| output["output_type"] == "error");
            assert!(failed.is_none(), "{}: {}", path.display(), failed.unwrap()["ename"]);
        }
    }
}
