use super::*;
use crate::vary::Vary;

fn design() -> Design {
    let specs = ["backup.buffer_count=8,16", "compression=on,off"];
    Design::grid(specs.map(|spec| Vary::parse(spec).unwrap()).to_vec(), 9).unwrap()
}

/// Configurations of the design with these durations, 100 bytes each, the more buffers the more
/// memory.
fn points(seconds: [f64; 4]) -> Vec<Point> {
    let point = |(index, seconds): (usize, f64)| Point {
        index: index as u64,
        seconds,
        low_seconds: seconds - 1.0,
        high_seconds: seconds + 1.0,
        bytes_per_second: 100.0 / seconds,
        memory_bytes: if index < 2 { 8 } else { 16 },
        compressed: index % 2 == 0,
    };
    seconds.into_iter().enumerate().map(point).collect()
}

fn indices(points: &[Point]) -> Vec<u64> {
    points.iter().map(|point| point.index).collect()
}

#[test]
fn five_views_of_a_small_grid() {
    // 8 on, 8 off, 16 on, 16 off.
    let found = views(&design(), &points([10.0, 30.0, 9.0, 20.0]));
    assert_eq!(indices(&found.ranking), [2, 0, 3, 1]);
    let best = &found.best_per_compression;
    assert_eq!((best[0].compressed, best[0].count, best[0].best.index), (false, 2, 3));
    assert_eq!((best[1].compressed, best[1].count, best[1].best.index), (true, 2, 2));
    // Compression: 9.5 against 25; buffers: 20 against 14.5.
    let effects: Vec<&str> = found.effects.iter().map(|effect| effect.path.as_str()).collect();
    assert_eq!(effects, ["backup.compression", "backup.buffer_count"]);
    assert!((found.effects[0].spread - (25.0 / 9.5 - 1.0)).abs() < 1e-12);
    // Within 80 % of the best rate are the two that compress; half the memory wins.
    assert_eq!(indices(&found.efficient), [0, 2]);
    assert_eq!(indices(&found.consistent), [0, 2]);
}

#[test]
fn what_is_equal_stands_in_the_order_of_the_design_and_nothing_is_nothing() {
    let found = views(&design(), &points([5.0; 4]));
    assert_eq!(indices(&found.ranking), [0, 1, 2, 3]);
    assert!(found.effects.iter().all(|effect| effect.spread.abs() < 1e-12));
    let none = views(&design(), &[]);
    assert!(none.ranking.is_empty() && none.best_per_compression.is_empty());
    assert!(none.effects.iter().all(|effect| effect.values.is_empty()));
}
