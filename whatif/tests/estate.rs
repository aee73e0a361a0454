//! The fluid night against the full simulation, and what holds of every night.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use bakcast_scenarios::predict::{PredictOptions, durations};
use bakcast_scenarios::{Document, Resolved};
use bakcast_whatif::estate::{NightPrediction, predict_night};

const OPTIONS: PredictOptions =
    PredictOptions { seed: 1, replications: 6, ..PredictOptions::DEFAULT };

fn resolved(text: &str) -> Resolved {
    let document = Document::from_bytes("test.toml", text.as_bytes().to_vec()).unwrap();
    document.load(None, &[]).unwrap_or_else(|error| panic!("{error}\n{text}")).resolved
}

/// A job: name, start in seconds, device, size in GiB, stripes, compressed.
type Job<'a> = (&'a str, u32, &'a str, u32, &'a [&'a str], bool);

/// Devices, then what all backups have in common.
fn common(devices: &str) -> String {
    format!("{devices}\n[compression]\nratio = 3.0\n[verify]\nenabled = false\n")
}

fn body((_, _, device, size, stripes, compressed): &Job<'_>, before: &str) -> String {
    format!(
        "[{before}volume.data]\ndevice = \"{device}\"\nsize = \"{size} GiB\"\n\
         [{before}backup]\nstripes = {stripes:?}\ncompression = {compressed}\n"
    )
}

/// The jobs as a night.
fn night(devices: &str, jobs: &[Job<'_>]) -> NightPrediction {
    let mut text = format!("title = \"t\"\n{}\n[backup]\nstripes = [\"x\"]\n", common(devices));
    text = text.replace("[\"x\"]", &format!("{:?}", jobs[0].4));
    for job in jobs {
        let before = format!("job.{}.", job.0);
        text.push_str(&format!(
            "[job.{}]\nstarts = \"{} s\"\n{}",
            job.0,
            job.1,
            body(job, &before)
        ));
    }
    predict_night(&resolved(&text), &OPTIONS).unwrap().unwrap()
}

/// The same jobs beside one another, transfer by transfer: the end of each.
fn in_full(devices: &str, jobs: &[Job<'_>]) -> Vec<f64> {
    let mut text = format!("title = \"t\"\n{}", common(devices));
    text.push_str(&body(&jobs[0], ""));
    for job in &jobs[1..] {
        let before = format!("beside.{}.", job.0);
        let starts = format!("[beside.{}]\nstarts = \"{} s\"\n", job.0, job.1);
        text.push_str(&format!("{starts}{}", body(job, &before)));
    }
    let prediction = durations(&resolved(&text), &OPTIONS).unwrap().backup;
    let beside = |name: &str| {
        prediction.beside.iter().find(|job| job.name == name).map(|job| job.end_seconds())
    };
    jobs.iter().map(|job| beside(job.0).unwrap_or(prediction.seconds.median)).collect()
}

/// Errors of the ends of the jobs, relative to their own duration in full.
fn errors(devices: &str, jobs: &[Job<'_>]) -> Vec<f64> {
    assert_eq!(jobs[0].1, 0, "the first is the one that the others are beside");
    let (fluid, full) = (night(devices, jobs), in_full(devices, jobs));
    let error = |(job, full): (&Job<'_>, &f64)| {
        let fluid = fluid.jobs.iter().find(|found| found.name == job.0).unwrap();
        (fluid.finish.median - full) / (full - f64::from(job.1))
    };
    jobs.iter().zip(&full).map(error).collect()
}

const DEVICES: &str = r#"
[processor]
logical_processors = 4
run_to_run = "0 %"
[device.s1.fixed_rate]
rate = "900 MB/s"
[device.s2.fixed_rate]
rate = "700 MB/s"
[device.s3.fixed_rate]
rate = "400 MB/s"
[device.s4.fixed_rate]
rate = "900 MB/s"
[device.share.fixed_rate]
rate = "500 MB/s"
[device.disk.spindle]
read_rate = "180 MB/s"
write_rate = "170 MB/s"
[device.wide.fixed_rate]
rate = "3000 MB/s"
[device.lan.link]
rate = "800 MB/s"
per_connection = "500 MB/s"
[device.far]
via = ["lan"]
[device.far.fixed_rate]
rate = "2000 MB/s"
[device.ssd.solid_state]
read_rate = "1500 MB/s"
write_rate = "900 MB/s"
stream_amplification = 0.2
"#;

/// Cases: what they are about, and their jobs.
fn cases() -> Vec<(&'static str, Vec<Job<'static>>)> {
    let one: &[&str] = &["share"];
    let four: &[&str] = &["share", "share", "share", "share"];
    let (disk, wide, far, ssd): (&[&str], &[&str], &[&str], &[&str]) =
        (&["disk"], &["wide"], &["far"], &["ssd"]);
    let wide2: &[&str] = &["wide", "wide"];
    let far2: &[&str] = &["far", "far"];
    vec![
        ("2 to a share", vec![("A", 0, "s1", 20, one, false), ("B", 5, "s2", 12, one, false)]),
        (
            "2 to a share, 4 files and 1",
            vec![("A", 0, "s1", 20, four, false), ("B", 0, "s2", 12, one, false)],
        ),
        ("2 to a disk", vec![("A", 0, "s1", 10, disk, false), ("B", 10, "s2", 8, disk, false)]),
        ("2 from a disk", vec![("A", 0, "disk", 8, one, false), ("B", 4, "disk", 6, wide, false)]),
        (
            "2 on a disk, one from and one to it",
            vec![("A", 0, "disk", 8, wide, false), ("B", 4, "s3", 6, disk, false)],
        ),
        ("2 on processors", vec![("A", 0, "s1", 20, wide2, true), ("B", 3, "s2", 16, wide2, true)]),
        (
            "2 over a link, 2 connections and 1",
            vec![("A", 0, "s1", 20, far2, false), ("B", 0, "s2", 12, far, false)],
        ),
        ("2 to a drive", vec![("A", 0, "s1", 20, ssd, false), ("B", 0, "s4", 20, ssd, false)]),
        (
            "3 to a share, one compressed",
            vec![
                ("A", 0, "s1", 20, one, false),
                ("B", 10, "s2", 15, one, true),
                ("C", 20, "s3", 8, one, false),
            ],
        ),
        (
            "3 to a disk",
            vec![
                ("A", 0, "s1", 6, disk, false),
                ("B", 4, "s2", 6, disk, false),
                ("C", 9, "s3", 3, disk, false),
            ],
        ),
        (
            "4 over a link and on processors",
            vec![
                ("A", 0, "s1", 20, far2, true),
                ("B", 5, "s2", 20, far2, true),
                ("C", 5, "s3", 8, far, false),
                ("D", 15, "s4", 12, far2, false),
            ],
        ),
        (
            "4 to a share",
            vec![
                ("A", 0, "s1", 8, one, false),
                ("B", 0, "s2", 6, one, false),
                ("C", 0, "s3", 4, one, false),
                ("D", 0, "s4", 2, one, false),
            ],
        ),
    ]
}

#[test]
fn a_fluid_night_ends_as_the_full_simulation_of_its_jobs() {
    let mut all = Vec::new();
    for (what, jobs) in cases() {
        let errors = errors(DEVICES, &jobs);
        let shown: Vec<String> = errors.iter().map(|e| format!("{:+.1} %", 100.0 * e)).collect();
        println!("{what}: {}", shown.join(", "));
        all.extend(errors.into_iter().map(|error| (error.abs(), what)));
    }
    let mean = all.iter().map(|(error, _)| error).sum::<f64>() / all.len() as f64;
    let worst = all.iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    println!("mean {:.1} %, worst {:.1} % ({})", 100.0 * mean, 100.0 * worst.0, worst.1);
    assert!(worst.0 <= 0.10 && mean <= 0.04, "mean {mean}, worst {worst:?}");
}
#[test]
fn zz_probe() {
    for (what, jobs) in cases() {
        if what.contains("disk") {
            let fluid = night(DEVICES, &jobs);
            let ends: Vec<_> =
                fluid.jobs.iter().map(|j| (j.finish.median, j.alone_seconds)).collect();
            println!("{what}: {ends:?} full {:?}", in_full(DEVICES, &jobs));
        }
    }
}
