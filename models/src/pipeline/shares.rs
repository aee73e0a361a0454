//! How a step deals its bytes out to the writers.
//!
//! Writers that take from one queue share the bytes in a proportion that a window shows only with
//! an error, and carried over a long step the error would be as long as the step: files of unequal
//! size, whose verification waits for the largest. Where all files lie on devices of one kind, the
//! proportion can depend on nothing but how fast each device is in this run:
//!
//! ```text
//! share = mean x (1 + b x (speed / mean speed - 1)),   0 <= b <= 1
//! ```
//!
//! with b = 1 where the devices are always busy and b = 0 where they all wait for buffers; b is
//! estimated from the window by least squares. Where shares differ by more than that and chance
//! explain, they stay as they were measured.

use super::devices::DeviceInUse;
use super::writers::Writer;

/// How many standard deviations of a share, at one write in so many, are chance.
const CHANCE: f64 = 5.0;

/// The proportion in which writers share, given what each has written in a window.
pub(super) fn proportion(
    written: &[u64],
    writers: &[Writer],
    transfer_size: u64,
    devices: &[DeviceInUse],
) -> Vec<u64> {
    match speeds(writers, devices) {
        Some(speeds) => fitted(written, &speeds, transfer_size),
        None => written.to_vec(),
    }
}

/// The speed that each writer's device has for it; `None` if devices are of several kinds, or not
/// alone on the way.
fn speeds(writers: &[Writer], devices: &[DeviceInUse]) -> Option<Vec<f64>> {
    let device = |writer: &Writer| match writer.devices[..] {
        [device] if !devices[device].is_null => Some(device),
        _ => None,
    };
    let on: Vec<usize> = writers.iter().map(device).collect::<Option<_>>()?;
    let first = &devices[*on.first()?].holder;
    if !on.iter().all(|device| devices[*device].holder.is_like(first)) {
        return None;
    }
    let beside = |device: usize| on.iter().filter(|other| **other == device).count() as f64;
    Some(on.iter().map(|device| devices[*device].holder.speed() / beside(*device)).collect())
}

fn fitted(written: &[u64], speeds: &[f64], transfer_size: u64) -> Vec<u64> {
    let count = written.len() as f64;
    let mean = written.iter().map(|bytes| *bytes as f64).sum::<f64>() / count;
    let mean_speed = speeds.iter().sum::<f64>() / count;
    let x: Vec<f64> = speeds.iter().map(|speed| speed / mean_speed - 1.0).collect();
    let y: Vec<f64> = written.iter().map(|bytes| *bytes as f64 / mean.max(1.0) - 1.0).collect();
    let sum = |a: &[f64]| x.iter().zip(a).map(|(x, a)| x * a).sum::<f64>();
    let squares = sum(&x);
    let b = if squares > 1e-12 { (sum(&y) / squares).clamp(0.0, 1.0) } else { 0.0 };
    let chance = CHANCE / libm::sqrt((mean / transfer_size as f64).max(1.0));
    if x.iter().zip(&y).any(|(x, y)| (y - b * x).abs() > chance) {
        return written.to_vec();
    }
    x.iter().map(|x| (mean * (1.0 + b * x)).max(0.0) as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_equal_devices_are_equal_and_those_of_busy_ones_follow_their_speed() {
        // 100 writes each, a few more or less by chance.
        let size = 1_000;
        let even = fitted(&[101_000, 96_000, 103_000], &[1.0, 1.0, 1.0], size);
        assert_eq!(even, [100_000; 3]);
        let fast = fitted(&[111_000, 99_000, 90_000], &[1.1, 1.0, 0.9], size);
        assert_eq!(fast.iter().sum::<u64>(), 300_000);
        assert!((109_000..=110_000).contains(&fast[0]), "{fast:?}");
        // They all wait for buffers.
        let idle = fitted(&[99_000, 100_000, 101_000], &[1.1, 1.0, 0.9], size);
        assert_eq!(idle, [100_000; 3]);
    }

    #[test]
    fn shares_that_nothing_explains_stay_as_they_were_measured() {
        let measured = [300_000, 100_000, 100_000];
        assert_eq!(fitted(&measured, &[1.0, 1.0, 1.0], 100), measured);
    }
}
