use super::*;
use crate::import_from;

fn import(text: &str) -> Import {
    import_from("x", text.as_bytes(), &ImportOptions::default()).expect("an import")
}

/// Two files, without -L and -D.
const PLAIN: &str = "
Command Line: diskspd -b1M -d30 -o8 -t2 -Sh -w0 a.dat b.dat

Input parameters:

\ttimespan:   1
\t-------------
\tduration: 30s
\tpath: 'a.dat'
\t\tsoftware cache disabled
\t\thardware write cache disabled, writethrough on
\t\tperforming read test
\t\tblock size: 1MiB
\t\tusing sequential I/O (stride: 1MiB)
\t\tnumber of outstanding I/O operations per thread: 8
\t\tthreads per file: 2
\tpath: 'b.dat'
\t\tusing software cache
\t\tblock size: 65536
\t\tusing random I/O (alignment: 64KiB)

System information:

Results for timespan 1:
*****
actual test time:\t10.00s
thread count:\t\t4

CPU |  Usage |  User  |  Kernel |  Idle
   0|   3.02%|   0.36%|    2.65%|  96.98%

Total IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  file
------
     0 |      1048576000 |         1000 |     100.00 |     100.00 | a.dat (8GiB)
total:        1048576000 |         1000 |     100.00 |     100.00

Read IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  file
------
     0 |       524288000 |          500 |      50.00 |      50.00 | a.dat (8GiB)
     1 |       524288000 |          500 |      50.00 |      50.00 | a.dat (8GiB)
     2 |       104857600 |         1600 |      10.00 |     160.00 | b.dat (8GiB)
------
total:        1153433600 |         2600 |     110.00 |     260.00

Write IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  file
     0 |               0 |            0 |       0.00 |       0.00 | a.dat (8GiB)
total:               0 |            0 |       0.00 |       0.00
";

#[test]
fn rows_are_summed_by_file_whatever_the_columns() {
    let import = import(PLAIN);
    let [a, b] = import.rates.as_slice() else { panic!("{:?}", import.rates) };
    assert_eq!((a.bytes_per_second, a.jobs, a.depth), (104_857_600.0, 2, Some(8)));
    assert_eq!(
        (a.pattern, a.direct, a.file_bytes),
        (Pattern::Sequential, Some(true), Some(8 << 30))
    );
    assert_eq!((b.pattern, b.direct, b.block_bytes), (Pattern::Random, Some(false), Some(65_536)));
    assert_eq!(a.latency_seconds, None);
}

#[test]
fn latency_is_read_where_it_stands() {
    let text = PLAIN
        .replace("I/O per s |  file", "I/O per s |  AvgLat  |  file")
        .replace("50.00 | a.dat", "50.00 |    8.000 | a.dat")
        .replace("160.00 | b.dat", "160.00 |    N/A | b.dat");
    let import = import(&text);
    assert_eq!(import.rates[0].latency_seconds, Some(0.008));
    assert_eq!(import.rates[1].latency_seconds, None);
}

#[test]
fn several_time_spans_stay_apart() {
    let results = &PLAIN[PLAIN.find("Results").expect("results")..];
    let text = format!("{PLAIN}{}", results.replace("timespan 1", "timespan 2"));
    let import = import(&text);
    assert_eq!(import.rates.len(), 4);
    assert_eq!(import.rates[3].label, "time span 2 read");
}

#[test]
fn missing_rows_are_noticed() {
    let text = PLAIN.replace("     1 |       524288000", "  x");
    let import = import(&text);
    assert_eq!(import.rates.len(), 1);
    assert!(import.cautions.iter().any(|caution| caution.code == CautionCode::Damaged));
}

#[test]
fn a_run_without_results_is_refused() {
    let text = &PLAIN[..PLAIN.find("Results").expect("results")];
    let error = import_from("x", text.as_bytes(), &ImportOptions::default()).expect_err("none");
    assert!(error.to_string().contains("no results"), "{error}");
}
