//! Data of every kind of picture, with a name and a duration in them.

use bakcast_report::document::StopResult;
use bakcast_report::plot::{
    Chart, DistributionChart, GridCell, GridChart, GrowthChart, GrowthPoint, KnobChart, KnobPoint,
    MeasuredChart, MeasuredPoint, MeasuredRow, Origin, ParetoChart, ParetoPoint, Shows, Stage,
    StagesChart, TimeChart, TimeInterval,
};

/// Names that people give: of other scripts, from right to left, hostile, long.
pub(super) const NAMES: [&str; 7] = [
    "Sales",
    "Gr\u{f6}\u{df}e \u{20ac} \u{201e}Lager\u{201c} \u{160}koda",
    "\u{6570}\u{636e}\u{5e93}\u{5907}\u{4efd}\u{30c7}\u{30fc}\u{30bf}\u{d55c}\u{ad6d}\u{c5b4}",
    "\u{5d2}\u{5d9}\u{5d1}\u{5d5}\u{5d9} \u{5de}\u{5e1}\u{5d3} 2026",
    "\u{642}\u{627}\u{639}\u{62f}\u{629} \u{627}\u{644}\u{628}\u{64a}\u{627}\u{646}\u{627}\u{62a}",
    "<script>alert(\"x\")</script>'&amp;\u{202e}\u{0}",
    "a name that somebody has made up to be as long as a name may be, and then some more of it",
];

pub(super) fn origin(name: &str) -> Origin {
    Origin {
        scenario: name.to_string(),
        title: format!("what {name} is"),
        set: vec![format!("backup.stripes={name}")],
        operation: "backup",
        level: 0.9,
        nights: 32,
        seed: 1,
        version: "0.1.0",
    }
}

pub(super) fn knob(name: &str, scale: f64, count: u32) -> KnobChart {
    let point = |n: u32| {
        let seconds = scale * (1.0 + 6.0 / f64::from(n + 1));
        KnobPoint {
            setting: (4_u64 << n).to_string(),
            number: Some((4_u64 << n) as f64),
            seconds: Some(seconds),
            low_seconds: Some(seconds * 0.9),
            high_seconds: Some(seconds * 1.2),
            buffer_memory_bytes: Some(4 << 20),
            error: None,
        }
    };
    let mut chart = KnobChart {
        path: format!("device.{name}.bandwidth"),
        present: Some("8".to_string()),
        knee: None,
        knee_threshold: 0.02,
        is_size: false,
        points: (0..count).map(point).collect(),
        measured: vec![MeasuredPoint {
            setting: "16".to_string(),
            number: Some(16.0),
            measured_seconds: scale * 1.4,
            row: "1".to_string(),
        }],
    };
    chart.find_knee();
    chart
}

fn words(name: &str, scale: f64, count: u32) -> KnobChart {
    let mut chart = knob(name, scale, count);
    for (number, point) in chart.points.iter_mut().enumerate() {
        point.setting = format!("{name} {number}");
        point.number = None;
    }
    chart.measured.clear();
    chart
}

fn grid(name: &str, scale: f64, count: usize, shows: Shows) -> GridChart {
    let cell = |at: usize| {
        let refused = at % 7 == 6;
        GridCell {
            column: at / count,
            row: at % count,
            seconds: (!refused).then_some(scale * (1.0 + at as f64)),
            bottleneck: (!refused).then(|| format!("{name} {}", at % 5)),
            error: refused.then(|| "no".to_string()),
        }
    };
    let settings = |word: &str| (0..count).map(|n| format!("{word} {n}")).collect();
    GridChart {
        shows,
        x_path: "backup.buffer_count".to_string(),
        x_settings: settings("2"),
        y_path: format!("device.{name}.like"),
        y_settings: settings(name),
        present: Some((0, 1)),
        cells: (0..count * count).map(cell).collect(),
    }
}

fn stages(name: &str, count: u32) -> StagesChart {
    let stage = |operation, n: u32| Stage {
        operation,
        role: "target".to_string(),
        name: format!("{name} {n}"),
        servers: 1 + n % 3,
        working_share: f64::from(n % 10) / 10.0,
        starved_share: Some(0.05),
        blocked_share: Some(0.95 - f64::from(n % 10) / 10.0),
    };
    let mut all: Vec<Stage> = (0..count).map(|n| stage("backup", n)).collect();
    all.extend((0..count).map(|n| stage("verify", n)));
    StagesChart { bottlenecks: vec![("backup", name.to_string())], stages: all }
}

pub(super) fn time(scale: f64) -> TimeChart {
    let interval = |n: u32| {
        let filled = f64::from(n % 8);
        TimeInterval {
            begin_seconds: scale * f64::from(n) / 100.0,
            end_seconds: scale * f64::from(n + 1) / 100.0,
            read_bytes_per_second: 1e9 / scale,
            written_bytes_per_second: 3e8 / scale * f64::from(n % 5),
            free_buffers: 9.0 - filled,
            being_filled_buffers: 0.5,
            filled_buffers: filled,
            being_emptied_buffers: 0.5,
        }
    };
    TimeChart { buffer_count: 10, is_cut: false, intervals: (0..100).map(interval).collect() }
}

fn growth(scale: f64) -> GrowthChart {
    let point = |month: u32| {
        let seconds = scale * (1.0 + 0.03 * f64::from(month));
        GrowthPoint {
            month,
            size_bytes: 1e12,
            median_seconds: Some(seconds),
            low_seconds: Some(seconds * 0.9),
            high_seconds: Some(seconds * 1.3),
            probability_fits: 0.5,
        }
    };
    GrowthChart {
        window_seconds: scale * 1.5,
        per_month: 0.03,
        stops_fitting: StopResult { month: Some(14), low: Some(10), high: Some(20) },
        months: (0..=36).map(point).collect(),
        words: "It stops fitting.".to_string(),
    }
}

fn measured(name: &str, scale: f64) -> MeasuredChart {
    let row = |n: u32| {
        let seconds = scale * f64::from(n + 1);
        MeasuredRow {
            set: format!("{name} {}", n % 6),
            row: n.to_string(),
            operation: "backup".to_string(),
            measured_seconds: seconds,
            predicted_seconds: seconds * (0.8 + 0.05 * f64::from(n % 9)),
            low_seconds: seconds * 0.75,
            high_seconds: seconds * 1.4,
        }
    };
    MeasuredChart { rows: (0..24).map(row).collect() }
}

fn pareto(name: &str, scale: f64) -> ParetoChart {
    let point = |n: u32| ParetoPoint {
        settings: vec![n.to_string(), name.to_string()],
        seconds: scale * (1.0 + 5.0 / f64::from(n % 9 + 1)),
        buffer_memory_bytes: u64::from(n + 1) << 22,
        efficient: false,
    };
    let paths = vec!["backup.buffer_count".to_string(), "backup.stripes".to_string()];
    let points = (0..40).map(point).collect();
    let mut chart =
        ParetoChart { paths, points, refused: 2, present: Some((scale * 2.0, 7 << 20)) };
    chart.find_front();
    chart
}

/// Every kind with a name and a duration, few values and many.
pub(super) fn charts(name: &str, scale: f64) -> Vec<Chart> {
    let nights: Vec<f64> = (0..64).map(|n| scale * (1.0 + f64::from(n % 13) / 50.0)).collect();
    let distribution = DistributionChart {
        seconds: scale * 1.1,
        low_seconds: scale,
        high_seconds: scale * 1.2,
        nights_seconds: nights,
    };
    vec![
        knob(name, scale, 8).into(),
        knob(name, scale, 1).into(),
        words(name, scale, 5).into(),
        words(name, scale, 60).into(),
        grid(name, scale, 5, Shows::Duration).into(),
        grid(name, scale, 14, Shows::Duration).into(),
        grid(name, scale, 5, Shows::Bottleneck).into(),
        stages(name, 1).into(),
        stages(name, 3).into(),
        stages(name, 66).into(),
        time(scale).into(),
        distribution.into(),
        measured(name, scale).into(),
        pareto(name, scale).into(),
        growth(scale).into(),
    ]
}
