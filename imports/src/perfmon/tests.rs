use super::*;
use crate::import_from;

fn import(text: &str) -> Import {
    import_from("x", text.as_bytes(), &ImportOptions::default()).expect("an import")
}

const HEADER: [&str; 8] = [
    r"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)",
    r"\\H\PhysicalDisk(0 C:)\Disk Read Bytes/sec",
    r"\\H\PhysicalDisk(_Total)\Disk Read Bytes/sec",
    r"\\H\Memory\Commit Limit",
    r"\\H\PhysicalDisk(0 C:)\% Idle Time",
    r"\\H\Processor(_Total)\% Processor Time",
    r"\\H\MSSQL$A:Backup Device(X)\Device Throughput Bytes/sec",
    r"\\H\MSSQL$A:Databases(d)\Backup/Restore Throughput/sec",
];

fn file() -> String {
    let rows = [
        r#""11/30/2026 02:00:00.000"," "," "," "," "," "," "," ""#,
        r#""11/30/2026 02:00:01.000","10","10","5","90","10","0","0""#,
        r#""11/30/2026 02:00:02.000","3e8","10","5","5","50","1e8","4e8""#,
        r#""11/30/2026 02:00:03.000","1e8","10","5","-1","30","1e8","2e8""#,
    ];
    let header = format!("\"{}\"", HEADER.join("\",\""));
    format!(
        "\r\n{header}\r\n{}\r\nExiting, please wait...\r\nThe command completed\r\n",
        rows.join("\r\n")
    )
}

#[test]
fn disks_are_counted_while_a_backup_runs() {
    let import = import(&file());
    let names: Vec<&str> = import.loads.iter().map(|load| load.device.as_str()).collect();
    assert_eq!(names, ["PhysicalDisk(0 C:)", "MSSQL$A:Backup Device(X)", "MSSQL$A:Databases(d)"]);
    let disk = &import.loads[0];
    assert_eq!((disk.samples, disk.read_mean, disk.read_peak), (2, Some(2e8), Some(3e8)));
    assert_eq!((disk.busy_mean, disk.read_saturated), (Some(0.95), Some(3e8)));
    assert_eq!((disk.processor_mean, disk.seconds), (Some(0.4), Some(2.0)));
    assert_eq!((import.loads[1].write_mean, import.loads[2].read_mean), (Some(1e8), Some(3e8)));
    assert!(import.fields.iter().any(|field| field.meaning == "compression ratio 3.00"));
    let lines = import.ignored.iter().find(|ignored| ignored.reason.contains("no sample"));
    assert_eq!(lines.expect("trailing lines").count, 2);
}

#[test]
fn other_delimiters_give_the_same() {
    let wanted = import(&file());
    let tabs = file().replace("\",\"", "\"\t\"").replace("PDH-CSV", "PDH-TSV");
    assert_eq!(import(&tabs).loads, wanted.loads);
    let resaved = file().replace("\",\"", ";").replace('"', "").replace("3e8", "300000000,0");
    assert_eq!(import(&resaved).loads, wanted.loads);
}

#[test]
fn another_header_may_follow() {
    let text = format!("{}{}", file(), file());
    assert_eq!(import(&text).loads[0].samples, 4);
}

#[test]
fn a_file_without_what_is_needed_is_refused() {
    let text =
        "\"(PDH-CSV 4.0)\",\"\\\\H\\Memory\\Commit Limit\"\n\"09/22/2026 21:42:32.824\",\"1\"\n";
    let import = import(text);
    assert!(import.refused.is_some());
}

#[test]
fn moments_are_those_of_the_file() {
    let found = moment("11/30/2026 02:00:01.5").expect("a moment");
    assert_eq!(found.to_string(), "2026-11-30T02:00:01.5");
    for text in ["", "13/40/2026 1:1:1", "1/1/2026", "1/1/2026 1:1:1.x"] {
        assert_eq!(moment(text), None, "{text}");
    }
}
