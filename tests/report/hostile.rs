//! Names that were chosen to do harm are texts like any other, in every field somebody can set.

use tempfile::TempDir;

use super::markup::parse;
use super::{page, section, unsafe_parts};

/// What each field is tried with.
const MARK: &str = "</title></style></pre><script>alert(1)</script><img src=x onerror=y>\"'&lt;";
const RIGHT_TO_LEFT: &str = "\u{5d2}\u{5d9}\u{5d1}\u{5d5}\u{5d9}";
const WIDE: &str = "\u{58f2}\u{4e0a}";
const TURNS: &str = "\u{202e}txt.exe\u{2066}";

fn quoted(text: &str) -> String {
    let hidden = |c: char| c.is_control() || ('\u{202a}'..='\u{2069}').contains(&c);
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if hidden(c) => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A scenario with such names wherever a scenario takes a name.
fn scenario(long: &str) -> String {
    let title = quoted(&format!("{MARK} {long}"));
    let source = quoted(&format!("javascript:alert(1) {MARK} {long}"));
    let database: String = format!("{MARK}{RIGHT_TO_LEFT}{WIDE}").chars().take(128).collect();
    let key = quoted(&format!("E:{MARK}"));
    format!(
        "title = {title}\nsource = {source}\n\
         [database]\nname = {}\n\
         [volume.\"{RIGHT_TO_LEFT}\"]\ndevice = {}\nsize = \"64 MiB\"\n\
         [device.{}.solid_state]\nread_rate = \"500 MB/s\"\nwrite_rate = \"400 MB/s\"\n\
         [device.{}.solid_state]\nread_rate = \"300 MB/s\"\nwrite_rate = \"300 MB/s\"\n\
         [processor]\nlogical_processors = 4\n\
         [compression]\nratio = 3\nrate = \"80 MB/s\"\n\
         [backup]\nstripes = [{}, {}]\ncompression = true\n\
         [paths]\n{key} = {}\n\"E:\" = {}\n\
         [ensemble]\nsource = {source}\n\
         [ensemble.parameter.\"{WIDE}\"]\npaths = [\"compression.ratio\"]\nvalues = [2.9, 3.1]\n\
         [variant.\"{WIDE}\"]\ntitle = {title}\n",
        quoted(&database),
        quoted(WIDE),
        quoted(WIDE),
        quoted(RIGHT_TO_LEFT),
        quoted(RIGHT_TO_LEFT),
        quoted(WIDE),
        quoted(WIDE),
        quoted(WIDE),
    )
}

#[test]
fn hostile_names_are_inert_and_can_be_read() {
    let folder = TempDir::new().unwrap();
    let long = "10000 <b>characters</b> ".repeat(450);
    let file = folder.path().join("<i>&\"hostile'.toml");
    std::fs::write(&file, scenario(&long)).unwrap();
    let file = file.to_str().unwrap();
    let of_variant = format!("{file}:{WIDE}");
    let sql = format!(
        "BACKUP DATABASE [<script>alert(2)</script>] TO DISK = N'E:\\</title>.bak' -- {TURNS}"
    );
    for arguments in [
        vec!["report", file],
        vec!["report", file, "--recommend", "--budget", "20"],
        vec!["report", &of_variant, "--change-request", "--budget", "20"],
        vec!["report", "--compare", file, &of_variant],
        vec!["report", file, "--window", "1min", "--growth", "3%/month", "--months", "3"],
        vec!["report", file, "--sql", &sql],
    ] {
        let arguments = [arguments, vec!["--replications", "2"]].concat();
        let text = page(&arguments);
        let elements = parse(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        let wrong = unsafe_parts(&elements);
        assert!(wrong.is_empty(), "{arguments:?}: {wrong:?}");
        assert!(!text.contains("<script") && !text.contains("<img"), "{arguments:?}");
        assert!(!text.contains('\u{202e}') && !text.contains('\u{2066}'), "{arguments:?}");
        let seen = elements[0].text.clone();
        if arguments.contains(&sql.as_str()) {
            assert!(seen.contains("\\u{202e}txt.exe"), "what turns is not seen");
        }
        for word in ["<script>alert(1)</script>", RIGHT_TO_LEFT, WIDE] {
            assert!(seen.contains(word), "{arguments:?}: {word} cannot be read");
        }
        let heading = elements.iter().find(|element| element.name == "h1").unwrap();
        assert!(heading.text.chars().count() <= 80, "{}", heading.text);
        // In full where it is an input, cut where it is a heading.
        let inputs = section(&elements, "inputs");
        assert!(inputs.contains("javascript:alert(1)"), "{arguments:?}");
        assert!(text.len() < 400_000, "{arguments:?}: {} bytes", text.len());
    }
}

#[test]
fn a_change_request_of_hostile_names_breaks_no_markdown() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("h.toml");
    std::fs::write(&file, scenario("*bold* [link](x) `code`")).unwrap();
    let file = file.to_str().unwrap();
    let arguments = ["report", file, "--change-request", "--replications", "2", "--format"];
    let set = ["markdown", "--proposed-set", "backup.buffer_count=50"];
    let arguments = [&arguments[..], &set[..]].concat();
    let ended = bakcast_tests::bakcast(&arguments).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    let text = String::from_utf8(ended.stdout).unwrap();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if !fenced {
            let plain = line.replace("\\<", "").replace("\\&", "").replace("\\[", "");
            assert!(!plain.contains('<') && !plain.contains("[link]"), "{line}");
        }
    }
    assert!(!fenced, "{text}");
    assert!(text.contains("BUFFERCOUNT = 50"), "{text}");
}
