//! Ranges of numbers: `8..256*2`, `8..64+8`, `64KiB..4MiB*2`.

use bakcast_scenarios::Knob;

use super::MOST_VALUES;

/// How one number follows from the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Times(f64),
    Plus(f64),
}

/// A number with its unit, and what one of that unit is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measure<'a> {
    number: f64,
    unit: &'a str,
}

/// Units, and how much of the smallest unit of their sort each is.
const UNITS: [(&str, &[(&str, f64)]); 4] = [
    (
        "amounts of data",
        &[
            ("B", 1.0),
            ("kB", 1e3),
            ("MB", 1e6),
            ("GB", 1e9),
            ("TB", 1e12),
            ("KiB", 1024.0),
            ("MiB", 1_048_576.0),
            ("GiB", 1_073_741_824.0),
            ("TiB", 1_099_511_627_776.0),
        ],
    ),
    (
        "rates",
        &[
            ("B/s", 8.0),
            ("kB/s", 8e3),
            ("MB/s", 8e6),
            ("GB/s", 8e9),
            ("KiB/s", 8192.0),
            ("MiB/s", 8_388_608.0),
            ("GiB/s", 8_589_934_592.0),
            ("Mbit/s", 1e6),
            ("Gbit/s", 1e9),
        ],
    ),
    (
        "lengths of time",
        &[
            ("ns", 1.0),
            ("us", 1e3),
            ("ms", 1e6),
            ("s", 1e9),
            ("min", 6e10),
            ("h", 3.6e12),
            ("d", 8.64e13),
        ],
    ),
    ("shares", &[("%", 1.0)]),
];

/// The values of a range; `None`: it is none. What is wrong with one is said in words.
pub(super) fn values(knob: &Knob, text: &str) -> Option<Result<Vec<String>, String>> {
    let (first, rest) = text.split_once("..")?;
    Some(read(knob, first.trim(), rest.trim_start_matches('=').trim()))
}

fn read(knob: &Knob, first: &str, rest: &str) -> Result<Vec<String>, String> {
    let at = rest.char_indices().skip(1).find(|(at, c)| match c {
        '*' => true,
        // The sign of an exponent is none of a step.
        '+' => !rest[..*at].ends_with(['e', 'E']),
        _ => false,
    });
    let (last, step) = match at {
        Some((at, sign)) => (rest[..at].trim(), Some((sign, rest[at + 1..].trim()))),
        None => (rest, None),
    };
    let (mut from, to) = (measure(knob, first)?, measure(knob, last)?);
    // `1..8GiB`: the unit is said once.
    if from.unit.is_empty() {
        from.unit = to.unit;
    }
    let end = converted(to, from.unit)?;
    let step = match step {
        Some(('*', factor)) => Step::Times(factor.parse().map_err(|_| {
            format!("`{factor}` is no factor; accepted: a number above 1, e.g. `*2`")
        })?),
        Some((_, step)) => {
            let step = measure(knob, step)?;
            Step::Plus(if step.unit.is_empty() { step.number } else { converted(step, from.unit)? })
        }
        None if knob.is_count() => Step::Plus(1.0),
        None => {
            return Err("how one value follows from the last is not said; accepted: `*2` or `+8` \
                        after the range"
                .to_string());
        }
    };
    steps(from, end, step)
}

fn steps(from: Measure<'_>, end: f64, step: Step) -> Result<Vec<String>, String> {
    let grows = match step {
        Step::Times(factor) => factor > 1.0 && factor.is_finite() && from.number > 0.0,
        Step::Plus(step) => step > 0.0 && step.is_finite(),
    };
    if !grows {
        return Err("it does not grow; accepted: `*` a factor above 1 from a number above 0, or \
                    `+` a step above 0"
            .to_string());
    }
    if end < from.number {
        return Err("it ends before it begins; accepted: the smaller value first".to_string());
    }
    let (mut values, mut now, mut count) = (Vec::new(), from.number, 0_u32);
    // A rounding error leaves no end out.
    while now <= end * (1.0 + 1e-9) {
        if values.len() == MOST_VALUES {
            return Err(format!("it has more than {MOST_VALUES} values; take a larger step"));
        }
        values.push(written(now, from.unit));
        count += 1;
        now = match step {
            Step::Times(factor) => now * factor,
            Step::Plus(step) => from.number + f64::from(count) * step,
        };
    }
    Ok(values)
}

/// A number as `--set` takes it: sizes in the largest binary unit that leaves them whole.
fn written(number: f64, unit: &str) -> String {
    let binary = [("TiB", 4), ("GiB", 3), ("MiB", 2), ("KiB", 1)];
    if let Some((_, power)) = binary.iter().find(|(name, _)| *name == unit) {
        let bytes = (0..*power).fold(number, |bytes, _| bytes * 1024.0);
        if bytes.fract() == 0.0 && bytes > 0.0 {
            for (name, power) in binary {
                let amount = (0..power).fold(bytes, |amount, _| amount / 1024.0);
                if amount >= 1.0 && amount.fract() == 0.0 {
                    return format!("{amount} {name}");
                }
            }
        }
    }
    // 0.3 and not 0.30000000000000004.
    let short: f64 = format!("{number:.12e}").parse().unwrap_or(number);
    if unit.is_empty() { format!("{short}") } else { format!("{short} {unit}") }
}

fn measure<'a>(knob: &Knob, text: &'a str) -> Result<Measure<'a>, String> {
    let is_digit = |c: char| c.is_ascii_digit() || ".eE+-_".contains(c);
    let ends = text.find(|c| !is_digit(c)).unwrap_or(text.len());
    let unit = text[ends..].trim();
    let number = text[..ends].trim().replace('_', "").parse().ok().filter(|n: &f64| n.is_finite());
    let units = knob.units();
    let accepted = if units.is_empty() {
        "a number".to_string()
    } else {
        format!("a number with one of {}", units.join(", "))
    };
    match number {
        Some(number) if unit.is_empty() || units.contains(&unit) => Ok(Measure { number, unit }),
        _ => Err(format!("`{}`: accepted: {accepted}", bakcast_scenarios::shown_word(text))),
    }
}

/// A measure in another unit of its sort.
fn converted(measure: Measure<'_>, unit: &str) -> Result<f64, String> {
    if measure.unit == unit {
        return Ok(measure.number);
    }
    let size = |list: &[(&str, f64)], unit: &str| {
        list.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size)
    };
    let found = UNITS
        .iter()
        .find_map(|(_, list)| Some(measure.number * size(list, measure.unit)? / size(list, unit)?));
    found.ok_or_else(|| {
        format!("`{}` and `{unit}` are no units of one sort; write both alike", measure.unit)
    })
}
