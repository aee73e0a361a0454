//! The page that is committed is the one that its sources make. What the engine in it answers is
//! compared where there is a toolchain for it: `page/tests`.

use bakcast_tests::read;

/// What stands for the engine.
const MODULE: &str = "/*base64: engine.wasm*/";
const CHARSET: &str = "<meta charset=\"utf-8\">\n";
/// What the build adds after the character set.
const ADDED: [&str; 2] = [
    "<meta name=\"generator\" content=\"bakcast ",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ",
];

/// The page before the engine is put in: `page/inline.mjs` does the same.
fn inlined() -> String {
    let page = read("page/src/index.html");
    let mut parts = page.split("/*inline: ");
    let mut whole = parts.next().unwrap().to_string();
    for part in parts {
        let (names, rest) = part.split_once("*/").unwrap();
        let files: Vec<_> =
            names.split_whitespace().map(|name| read(format!("page/src/{name}"))).collect();
        whole += &files.join("\n");
        whole += rest;
    }
    whole
}

/// A page without what the build adds to its head.
fn without_added(page: &str) -> String {
    let (before, after) = page.split_once(CHARSET).expect("a character set");
    let mut rest = after;
    for added in ADDED {
        assert!(rest.starts_with(added), "{}", &rest[..rest.len().min(200)]);
        rest = rest.split_once('\n').unwrap().1;
    }
    format!("{before}{CHARSET}{rest}")
}

#[test]
fn the_committed_page_is_made_of_its_sources() {
    let committed = without_added(&read("page/dist/bakcast.html"));
    let sources = inlined();
    let (before, after) = sources.split_once(MODULE).expect("a place for the engine");
    let stale = "page/dist/bakcast.html is not what page/src makes: run page/build";
    assert!(committed.starts_with(before), "{stale}");
    let module = committed[before.len()..].strip_suffix(after).expect(stale);
    // The mark of gzip, and its one method.
    assert!(module.starts_with("H4sI"), "{}", &module[..module.len().min(40)]);
    assert!(module.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b)));
}

#[test]
fn the_page_is_one_file_that_can_be_mailed() {
    let page = read("page/dist/bakcast.html");
    assert!(page.len() <= 3 << 20, "{} bytes", page.len());
    for mark in ["src=\"", "<link rel=\"stylesheet\"", "@import", "url(http", "fetch(", "eval("] {
        assert!(!page.contains(mark), "the page has `{mark}`");
    }
    let version = format!("{}{}\">", ADDED[0], env!("CARGO_PKG_VERSION"));
    assert!(page.contains(&version), "the page is of another version than {version}");
}

#[test]
fn every_source_of_the_page_is_in_it() {
    let index = read("page/src/index.html");
    let inlined: Vec<&str> = index
        .split("/*inline: ")
        .skip(1)
        .filter_map(|part| part.split_once("*/"))
        .flat_map(|(names, _)| names.split_whitespace())
        .collect();
    let files = bakcast_tests::files("page/src", "");
    let lost: Vec<_> = files
        .iter()
        .filter_map(|path| path.file_name()?.to_str())
        .filter(|name| *name != "index.html" && !inlined.contains(name))
        .collect();
    assert!(lost.is_empty(), "not on the page: {lost:?}");
}
