use super::*;
use crate::{ImportError, import_from};

fn read(text: &str) -> Result<Import, ImportError> {
    import_from("x", text.as_bytes(), &ImportOptions::default())
}

fn import(text: &str) -> Import {
    read(text).expect("an import")
}

fn codes(import: &Import) -> Vec<CautionCode> {
    import.cautions.iter().map(|caution| caution.code).collect()
}

fn report(version: &str, options: &str, section: &str) -> String {
    format!(
        "{{\n  \"fio version\" : \"{version}\",\n  \"jobs\" : [\n    {{ \"jobname\" : \"j\", \
         \"groupid\" : 0, \"error\" : 0, \
         \"job options\" : {{ {options} }},\n {section} }}\n  ]\n}}\n"
    )
}

const SEQUENTIAL: &str = r#""rw": "read", "bs": "1M", "direct": "1", "iodepth": "8""#;
const THREE: &str = r#""read": {"io_bytes": 10485760000, "bw_bytes": 1048576000,
 "bw": 1024000, "iops": 1000.0, "runtime": 10000, "total_ios": 10000,
 "lat_ns": {"mean": 8000000.0}}, "write": {"io_bytes": 0, "total_ios": 0, "bw": 0}"#;

#[test]
fn a_clean_run_gives_one_rate_and_no_caution() {
    let import = import(&report("fio-3.33", SEQUENTIAL, THREE));
    assert_eq!(import.version.as_deref(), Some("fio-3.33"));
    assert!(import.cautions.is_empty(), "{:?}", import.cautions);
    let [rate] = import.rates.as_slice() else { panic!("{:?}", import.rates) };
    assert_eq!((rate.bytes_per_second, rate.depth, rate.jobs), (1_048_576_000.0, Some(8), 1));
    assert_eq!((rate.latency_seconds, rate.seconds), (Some(0.008), Some(10.0)));
    assert!(import.fields.iter().any(|field| field.place == "jobs[0].read.bw_bytes"));
}

#[test]
fn old_builds_are_understood() {
    let section = r#""write": {"io_bytes": 10240000, "bw": 1024000, "iops": 1000.0,
     "runtime": 10000, "total_ios": 10000, "lat": {"mean": 8000.0}}"#;
    let import = import(&report("fio-2.19", r#""rw":"write","bs":"1M","direct":"1""#, section));
    assert_eq!(codes(&import), [CautionCode::Unit]);
    let rate = &import.rates[0];
    assert_eq!((rate.bytes_per_second, rate.latency_seconds), (1_048_576_000.0, Some(0.008)));
}

#[test]
fn the_last_complete_report_is_taken() {
    let first = report("fio-3.1", SEQUENTIAL, THREE);
    let last = report("fio-3.2", SEQUENTIAL, THREE);
    let text = format!("fio: hello {{\n{first}, {last}bye\n{}", &first[..90]);
    let import = import(&text);
    assert_eq!(import.version.as_deref(), Some("fio-3.2"));
    assert_eq!(import.ignored[0].count, 1);
    assert_eq!(codes(&import), [CautionCode::Damaged]);
}

#[test]
fn an_error_refuses_but_keeps_the_figures() {
    let text = report("fio-3.1", SEQUENTIAL, THREE).replace("\"error\" : 0", "\"error\" : 42");
    let import = import(&text);
    assert!(import.refused.as_deref().is_some_and(|reason| reason.contains("error=42")));
    assert_eq!(import.rates.len(), 1);
}

#[test]
fn doubtful_runs_are_cautioned() {
    let options =
        r#""rw":"randrw","bs":"1M","size":"1g","rate":"10m","ioengine":"sync","iodepth":"4""#;
    let read = THREE.split(",\n \"lat_ns\"").next().expect("a part").replace("10000,", "1000,");
    let section = format!("{read}}}, {}", read.replace("\"read\"", "\"write\"") + "}");
    let found = codes(&import(&report("fio-3.1", options, &section)));
    for code in [
        CautionCode::TooShort,
        CautionCode::Cached,
        CautionCode::Random,
        CautionCode::Mixed,
        CautionCode::Limited,
        CautionCode::Inconsistent,
    ] {
        assert!(found.contains(&code), "{code:?} of {found:?}");
    }
}

#[test]
fn edited_figures_are_noticed() {
    let text = report("fio-3.1", SEQUENTIAL, &THREE.replace("1000.0", "900.0"));
    assert_eq!(codes(&import(&text)), [CautionCode::Inconsistent]);
}

#[test]
fn jobs_of_a_group_are_added_up() {
    let one = report("fio-3.1", SEQUENTIAL, THREE);
    let job =
        &one[one.find("    { \"jobname").expect("a job")..one.rfind("\n  ]").expect("its end")];
    let text = one.replace(job, &format!("{job},\n{job}"));
    let both = import(&text);
    let [rate] = both.rates.as_slice() else { panic!("{:?}", both.rates) };
    assert_eq!((rate.jobs, rate.bytes_per_second), (2, 2_097_152_000.0));
    let apart = text.replacen("\"groupid\" : 0", "\"groupid\" : 1", 1);
    assert_eq!(import(&apart).rates.len(), 2);
}

#[test]
fn what_is_no_json_says_how_to_get_it() {
    for text in [
        "j: (g=0): rw=read, bs=(R) 4096B-4096B, ioengine=psync\n",
        "3;fio-3.33;j;0;0;1;2;3\n",
        "j: (groupid=0, jobs=1): err= 0: pid=1\n",
    ] {
        let error = read(text).expect_err("no JSON").to_string();
        assert!(error.contains("--output-format=json"), "{error}");
    }
}

#[test]
fn damage_has_a_line() {
    let text = report("fio-3.1", SEQUENTIAL, THREE);
    let error = read(&text[..text.len() - 30]).expect_err("cut").to_string();
    assert!(error.contains("ends too early, at line "), "{error}");
    let deep = format!("{{\"fio version\": {}", "[".repeat(100_000));
    let error = read(&deep).expect_err("deep").to_string();
    assert!(error.contains("nested too deeply"), "{error}");
}

#[test]
fn a_document_without_end_is_refused() {
    let endless = std::io::Read::chain(&b"{\"fio version\": ["[..], std::io::repeat(b' '));
    let error = import_from("x", endless, &ImportOptions::default()).expect_err("too large");
    assert!(error.to_string().contains("larger than the 64 MiB"), "{error}");
}

#[test]
fn hostile_documents_take_neither_time_nor_room() {
    let begins = "{\"fio version\": \"x\",\n".repeat(100_000);
    assert!(read(&begins).is_err());
    let jobs = "{\"jobname\":\"a\",\"jobs\":[1]},".repeat(400_000);
    let error = read(&format!("{{\"fio version\":1,\"jobs\":[{jobs}1]}}")).expect_err("many");
    assert!(error.to_string().contains("more values"), "{error}");
}
