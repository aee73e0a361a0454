//! Numbers as people read them: always with their unit, rounded to what they are worth.

/// A length of time: `8.1 s`, `2 min 31 s`, `2 h 41 min`, `1 d 3 h`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    let size = seconds.abs();
    // Half a microsecond and less is nothing, of either sign.
    if size <= 0.5e-6 {
        return "0 s".to_string();
    }
    let (of_seconds, decimals) = match size {
        s if s < 0.000_999_5 => return format!("{:.0} us", seconds * 1e6),
        s if s < 0.099_95 => return format!("{} ms", digits(seconds * 1e3, 2)),
        s if s < 0.995 => (seconds, 2),
        s if s < 59.95 => (seconds, 1),
        s if s < 3599.5 => return two_units(seconds.round(), 60.0, ("min", "s")),
        s if s < 86_370.0 => return two_units((seconds / 60.0).round(), 60.0, ("h", "min")),
        _ => return two_units((seconds / 3600.0).round(), 24.0, ("d", "h")),
    };
    format!("{of_seconds:.decimals$} s")
}

/// `count` small units as great and small ones.
fn two_units(count: f64, per_great: f64, (great, small): (&str, &str)) -> String {
    let greats = (count / per_great).trunc();
    format!("{greats:.0} {great} {:.0} {small}", (count - greats * per_great).abs())
}

/// A range of lengths of time: `7.6 to 8.7 s`, `58.1 s to 1 min 4 s`.
#[must_use]
pub fn duration_range(low: f64, high: f64) -> String {
    let (low, high) = (duration(low), duration(high));
    match (low.split_once(' '), high.split_once(' ')) {
        (Some((number, unit)), Some((_, same))) if unit == same && !unit.contains(' ') => {
            format!("{number} to {high}")
        }
        _ => format!("{low} to {high}"),
    }
}

/// An amount of data in powers of 1024: `21 MiB`, `6.17 GiB`.
#[must_use]
pub fn bytes(count: f64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let (mut amount, mut unit) = (count, 0);
    while amount >= 1023.5 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    format!("{} {}", digits(amount, 3), UNITS[unit])
}

/// A rate in the unit that SQL Server calls MB/sec: `780 MiB/s`.
#[must_use]
pub fn rate_binary(bytes_per_second: f64) -> String {
    format!("{} MiB/s", digits(bytes_per_second / 1_048_576.0, 3))
}

/// A rate in powers of 1000, as drives are sold: `818 MB/s`.
#[must_use]
pub fn rate_decimal(bytes_per_second: f64) -> String {
    format!("{} MB/s", digits(bytes_per_second / 1e6, 3))
}

/// A share: `72 %`, `0.4 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent.abs() < 0.05 {
        "0 %".to_string()
    } else if percent.abs() < 0.95 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

/// The share of runs that a range covers, never rounded to all of them: `90 %`, `99.9999 %`.
#[must_use]
pub fn level(share: f64) -> String {
    let percent = share * 100.0;
    // What is left out is to be right within some percent, or `99.9999` would be `100`.
    let faithful = |decimals: &usize| {
        let shown: f64 = format!("{percent:.decimals$}").parse().unwrap_or(percent);
        let near = |shown: f64, value: f64| (shown - value).abs() <= 0.02 * value.abs();
        near(shown, percent) && near(100.0 - shown, 100.0 - percent)
    };
    let decimals = (0..15).find(faithful).unwrap_or(15);
    format!("{percent:.decimals$} %")
}

/// A share of which no more may be claimed than is true: two digits, rounded up: `0.44 %`.
#[must_use]
pub fn at_most(share: f64) -> String {
    let (mut digits, mut scale) = (share * 100.0, 1.0);
    while digits > 0.0 && digits < 10.0 {
        digits *= 10.0;
        scale *= 10.0;
    }
    // A rounding error is no reason to claim less.
    format!("{} %", (digits - 1e-9).ceil().max(0.0) / scale)
}

/// A relative error with its sign and one decimal: `+3.1 %`.
#[must_use]
pub fn signed_percent(share: f64) -> String {
    let text = format!("{:+.1} %", share * 100.0);
    if text == "-0.0 %" { "+0.0 %".to_string() } else { text }
}

/// `count` significant digits, but all digits before the point; a whole number without a point.
#[must_use]
pub fn digits(value: f64, count: i32) -> String {
    let before = if value.abs() < 1.0 { 1 } else { whole_digits(value) };
    let decimals = usize::try_from((count - before).max(0)).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

/// Digits before the point.
fn whole_digits(value: f64) -> i32 {
    let text = format!("{:.0}", value.abs().trunc());
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_change_their_unit_without_a_seam() {
        let all = [
            (0.0, "0 s"),
            (0.000_21, "210 us"),
            (0.003_21, "3.2 ms"),
            (0.26, "0.26 s"),
            (0.999, "1.0 s"),
            (8.08, "8.1 s"),
            (59.94, "59.9 s"),
            (59.96, "1 min 0 s"),
            (151.0, "2 min 31 s"),
            (3599.6, "1 h 0 min"),
            (9660.0, "2 h 41 min"),
            (86_399.0, "1 d 0 h"),
            (97_200.0, "1 d 3 h"),
            (-1.6, "-1.6 s"),
            (-0.0, "0 s"),
            (-1e-9, "0 s"),
            (3e-7, "0 s"),
            (-6e-7, "-1 us"),
        ];
        for (seconds, text) in all {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn a_range_says_its_unit_once() {
        assert_eq!(duration_range(7.6, 8.7), "7.6 to 8.7 s");
        assert_eq!(duration_range(58.1, 64.0), "58.1 s to 1 min 4 s");
        assert_eq!(duration_range(62.0, 65.0), "1 min 2 s to 1 min 5 s");
        assert_eq!(duration_range(83.0, 83.2), "1 min 23 s to 1 min 23 s");
    }

    #[test]
    fn what_is_claimed_is_never_more_than_is_true() {
        for (share, text) in [
            (0.0, "0 %"),
            (0.005, "0.5 %"),
            (0.004_321, "0.44 %"),
            (0.005_01, "0.51 %"),
            (0.01, "1 %"),
            (1.234, "124 %"),
        ] {
            assert_eq!(at_most(share), text);
        }
    }

    #[test]
    fn the_two_megabytes_are_told_apart() {
        assert_eq!(rate_binary(818e6), "780 MiB/s");
        assert_eq!(rate_decimal(818e6), "818 MB/s");
        assert_eq!(rate_binary(9.13e6), "8.71 MiB/s");
        assert_eq!(bytes(22_020_096.0), "21 MiB");
        assert_eq!(bytes(6_621_757_440.0), "6.17 GiB");
        assert_eq!(bytes(1_073_741_823.0), "1 GiB");
    }

    #[test]
    fn shares_keep_what_they_are_worth() {
        assert_eq!(percent(0.724), "72 %");
        assert_eq!(percent(0.004), "0.4 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(level(0.9), "90 %");
        assert_eq!(level(0.995), "99.5 %");
        assert_eq!(level(0.999_999), "99.9999 %");
        assert_eq!(level(0.001), "0.1 %");
        assert_eq!(signed_percent(-0.0312), "-3.1 %");
    }
}
