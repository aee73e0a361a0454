//! The fluid night against the full simulation, and what holds of every night.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use bakcast_scenarios::predict::{BesideSummary, PredictOptions, durations};
use bakcast_scenarios::{Document, Resolved};
use bakcast_whatif::estate::{
    Estate, NightLimit, NightPrediction, ScheduleLimits, predict_night, schedule,
};

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
        prediction.beside.iter().find(|job| job.name == name).map(BesideSummary::end_seconds)
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
/// Jobs that share nothing but a share, with starts of their own.
fn night_text(rate: u32, starts: [u32; 4]) -> String {
    let mut text = format!(
        "title = \"t\"\n{}\n[backup]\nstripes = [\"share\"]\n",
        common(&DEVICES.replace("rate = \"500 MB/s\"", &format!("rate = \"{rate} MB/s\"")))
    );
    for (number, start) in starts.iter().enumerate() {
        let (device, size) = (number + 1, 3 + 4 * number);
        text.push_str(&format!(
            "[job.J{number}]\nstarts = \"{start} s\"\ndevice = \"s{device}\"\n\
             size = \"{size} GiB\"\n"
        ));
    }
    text
}

fn predicted(text: &str) -> NightPrediction {
    predict_night(&resolved(text), &OPTIONS).unwrap().unwrap()
}

#[test]
fn a_job_that_meets_no_other_takes_its_time_alone() {
    let night = predicted(&night_text(500, [0, 1000, 2000, 3000]));
    for job in &night.jobs {
        assert!((job.stretch - 1.0).abs() < 1e-6, "{job:?}");
        assert!((job.seconds - job.alone_seconds).abs() < 1e-6, "{job:?}");
        assert_eq!((&job.waited_at, &job.waited_for), (&None, &None));
    }
    assert_eq!(night.at_once, 1);
}

/// Starts are fixed, and one station is shared: a theorem. With chains there are anomalies.
#[test]
fn a_faster_share_never_ends_a_night_later() {
    for starts in [[0, 0, 0, 0], [0, 5, 10, 15], [30, 0, 20, 1]] {
        let mut before = f64::INFINITY;
        for rate in [200, 300, 400, 500, 700, 1000, 2000] {
            let end = predicted(&night_text(rate, starts)).seconds.median;
            assert!(end <= before * (1.0 + 1e-3), "{rate} MB/s: {end} after {before}");
            before = end;
        }
    }
}

#[test]
fn a_share_that_is_full_is_what_limits_the_night_and_what_jobs_wait_for() {
    let night = predicted(&night_text(300, [0; 4]));
    assert_eq!(night.limit, NightLimit::Station("share".to_string()));
    assert!(night.end_without_seconds < night.seconds.median);
    let share = night.stations.iter().find(|s| s.name == "share").unwrap();
    assert!(share.utilization > 0.95 && share.utilization <= 1.0, "{share:?}");
    for job in &night.jobs {
        assert_eq!(job.waited_at.as_ref().unwrap().0, "share");
        let (other, _) = job.waited_for.as_ref().unwrap();
        assert_ne!(*other, job.name);
        assert!(job.stretch > 1.0);
    }
    assert!(night.stations.iter().all(|s| s.utilization <= 1.0 + 1e-9), "{:?}", night.stations);
    assert_eq!(night.at_once, 4);
    assert_eq!(night.memory_bytes, 4 * 7 * (1 << 20));
}

#[test]
fn chains_turns_and_verifications_come_one_after_the_other() {
    let chained = night_text(500, [0; 4])
        .replace("[job.J1]", "[job.J1]\nafter = [\"J0\"]")
        .replace("[job.J2]", "[job.J2]\nserver = \"one\"")
        .replace("[job.J3]", "[job.J3]\nserver = \"one\"\nverify = true");
    let night = predicted(&format!("{chained}\n[server.one]\nat_once = 1\n"));
    let job = |name: &str| night.jobs.iter().find(|job| job.name == name).unwrap();
    assert!((job("J1").begin.median - job("J0").finish.median).abs() < 1e-6);
    assert!((job("J3").begin.median - job("J2").finish.median).abs() < 1e-6);
    assert!(job("J3").queued_seconds > 0.0);
    let unverified =
        predicted(&chained.replace("verify = true\n", "").replace("server = \"one\"\n", ""));
    let alone = |night: &NightPrediction| night.jobs[3].alone_seconds;
    assert!(alone(&night) > 1.5 * alone(&unverified), "{} {}", alone(&night), alone(&unverified));
}

fn estate(text: &str) -> Estate {
    Estate::measure(&resolved(text), &OPTIONS).unwrap().unwrap()
}

/// Twelve jobs of two servers, one after the other as they are given.
fn chains(more: &str) -> String {
    let mut text = format!("title = \"t\"\n{}\n[backup]\nstripes = [\"share\"]\n", common(DEVICES));
    text.push_str("[server.a]\ndevice = \"s1\"\n[server.b]\ndevice = \"s3\"\n");
    for number in 0..12 {
        let server = if number % 3 == 0 { "b" } else { "a" };
        let after =
            if number > 0 { format!("after = [\"J{}\"]\n", number - 1) } else { String::new() };
        let size = 1 + (number * 5) % 7;
        text.push_str(&format!(
            "[job.J{number}]\nserver = \"{server}\"\nsize = \"{size} GiB\"\n{after}"
        ));
    }
    text + more
}

#[test]
fn a_schedule_is_never_worse_than_the_given_one_and_keeps_to_the_limits() {
    let estate = estate(&chains(""));
    for (at_once, memory) in [(None, None), (Some(1), None), (Some(3), None), (None, Some(8 << 20))]
    {
        let limits = ScheduleLimits { at_once, memory, tries: Some(60) };
        let found = schedule(&estate, &limits).unwrap();
        let mean = |night: &NightPrediction| night.end_seconds.iter().sum::<f64>();
        assert!(mean(&found.after) <= mean(&found.before), "{limits:?}");
        assert!(at_once.is_none_or(|most| found.after.at_once <= most as usize), "{limits:?}");
        assert!(memory.is_none_or(|most| found.after.largest_memory.1 <= most), "{limits:?}");
        assert!(found.tried <= 60);
        if let Some(sooner) = found.sooner {
            let gain =
                (mean(&found.before) - mean(&found.after)) / found.after.end_seconds.len() as f64;
            assert!((sooner.mean - gain).abs() < 1e-6);
        }
    }
    let none = ScheduleLimits { memory: Some(1 << 20), ..ScheduleLimits::default() };
    assert_eq!(schedule(&estate, &none).unwrap_err().memory_bytes, 7 << 20);
}

#[test]
fn a_better_schedule_is_found_where_there_is_one_and_none_is_claimed_where_there_is_not() {
    let found = schedule(&estate(&chains("")), &ScheduleLimits::default()).unwrap();
    assert!(found.is_new && found.sooner.unwrap().low > 0.0);
    // One job has no other order.
    let one = night_text(500, [0; 4]);
    let at = one.find("[job.J1]").unwrap();
    let found = schedule(&estate(&one[..at]), &ScheduleLimits::default()).unwrap();
    assert!(!found.is_new && found.sooner.is_none());
    assert_eq!(found.after, found.before);
}

#[test]
fn fixed_jobs_keep_their_start() {
    let text = chains("").replace("[job.J5]\n", "[job.J5]\nstarts = \"77 s\"\nfixed = true\n");
    let estate = estate(&text);
    let found = schedule(&estate, &ScheduleLimits::default()).unwrap();
    let index = estate.night().jobs.iter().position(|job| job.name == "J5").unwrap();
    assert_eq!(found.order.starts[index], 77_000_000_000);
    assert_eq!(found.order.after[index], estate.order().after[index]);
}
