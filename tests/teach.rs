//! `teach` writes the page, and nothing over what is somebody's.

use std::fs;
use std::path::Path;

use bakcast_tests::{Ended, bakcast, read};
use tempfile::TempDir;

fn teach(folder: &Path, arguments: &[&str]) -> Ended {
    let mut command = bakcast(["teach"]);
    command.args(arguments).current_dir(folder).output().unwrap().into()
}

#[test]
fn the_page_is_written_and_its_place_printed() {
    let folder = TempDir::new().unwrap();
    let page = read("page/dist/bakcast.html");
    let ended = teach(folder.path(), &[]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let place = fs::canonicalize(folder.path().join("bakcast.html")).unwrap();
    assert!(ended.stdout.starts_with(place.to_str().unwrap()), "{}", ended.stdout);
    assert_eq!(fs::read_to_string(&place).unwrap(), page);

    fs::create_dir(folder.path().join("lessons")).unwrap();
    assert_eq!(teach(folder.path(), &["-o", "lessons"]).code, 0);
    assert_eq!(teach(folder.path(), &["-o", "lessons/first.html"]).code, 0);
    let mut written: Vec<_> = fs::read_dir(folder.path().join("lessons"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    assert_eq!(written, ["bakcast.html", "first.html"]);
}

#[test]
fn an_earlier_page_is_replaced_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("bakcast.html");
    let earlier = "<!DOCTYPE html>\n<meta name=\"generator\" content=\"bakcast 0.0.1\">";
    fs::write(&file, earlier).unwrap();
    assert_eq!(teach(folder.path(), &[]).code, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), read("page/dist/bakcast.html"));

    let mine = "<!DOCTYPE html>\n<title>My bakcast notes</title>";
    fs::write(&file, mine).unwrap();
    let ended = teach(folder.path(), &[]);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    assert!(ended.stderr.contains("bakcast.html` is there already"), "{}", ended.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), mine);
}

#[test]
fn what_cannot_be_a_page_is_refused() {
    let folder = TempDir::new().unwrap();
    for arguments in
        [&["-o", "page.txt"][..], &["-o", "a.html", "-o", "b.html"], &["--format", "json"]]
    {
        let ended = teach(folder.path(), arguments);
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.stderr);
    }
    let ended = teach(folder.path(), &["-o", "nowhere/a.html"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
