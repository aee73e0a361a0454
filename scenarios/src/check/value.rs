//! One value against what its knob accepts, and what to write instead.

use bakcast_models::quantity::{Bytes, QuantityError};

use crate::knob;
use crate::problem::{Problem, ProblemKind};
use crate::shape::{Kind, Number, Quantity};
use crate::tree::{Node, Value};
use crate::words;

/// From this number on, a bare count of bytes is meant in bytes.
const MEANT_IN_BYTES: f64 = 65_536.0;

/// What is wrong with the value at `path`, if anything.
pub(crate) fn check_leaf(kind: &Kind, node: &Node, path: &str) -> Option<Problem> {
    let check = Check { kind, node, path };
    match kind {
        Kind::Text => check.text(),
        Kind::Statement => check.statement(),
        Kind::Flag => check.flag(),
        Kind::Count { min, max } => check.count(*min, *max),
        Kind::Choice(choices) => check.choice(choices),
        Kind::Quantity(quantity) => check.quantity(*quantity),
        Kind::Number(number) => check.number(*number),
        Kind::Names { min, max } | Kind::Paths { min, max } => check.names(*min, *max),
        Kind::Jobs => check.names(0, usize::MAX),
        Kind::Numbers { min, max } => check.numbers(*min, *max),
        Kind::Assignments => check.wrong_type(None),
    }
}

struct Check<'a> {
    kind: &'a Kind,
    node: &'a Node,
    path: &'a str,
}

impl Check<'_> {
    fn problem(&self, kind: ProblemKind, what: &str, suggestion: Option<String>) -> Problem {
        let message = format!("`{}`: {what}", words::shown(self.path));
        Problem::new(kind, self.node.place, self.path, message)
            .found(self.node.shown())
            .accepted(self.kind.accepted())
            .suggestion(suggestion.map(|value| format!("`{value}`")))
    }

    fn wrong_type(&self, suggestion: Option<String>) -> Option<Problem> {
        let what = format!("found {}, {}", self.node.sort(), self.node.shown());
        let what = match self.node.value {
            Value::List(_) | Value::Table(_) => format!("found {}", self.node.sort()),
            _ => what,
        };
        Some(self.problem(ProblemKind::WrongType, &what, suggestion))
    }

    fn out_of_range(&self, suggestion: Option<String>) -> Option<Problem> {
        let what = format!("{} is out of range", self.node.shown());
        Some(self.problem(ProblemKind::OutOfRange, &what, suggestion))
    }

    fn text(&self) -> Option<Problem> {
        match &self.node.value {
            Value::Text(text) => self.visible(text),
            Value::List(_) | Value::Table(_) => self.wrong_type(None),
            _ => self.wrong_type(Some(format!("\"{}\"", self.node.shown()))),
        }
    }

    /// A text with line breaks and tabs, which are as good as blanks.
    fn statement(&self) -> Option<Problem> {
        match &self.node.value {
            Value::Text(text) => self.visible(&text.replace(['\n', '\r', '\t'], " ")),
            _ => self.wrong_type(None),
        }
    }

    /// Texts reach terminals and SQL statements as they are.
    fn visible(&self, text: &str) -> Option<Problem> {
        let hidden = text.chars().find(|character| words::is_hidden(*character))?;
        let shown = hidden.escape_default();
        let what = format!("a text cannot hold the control character `{shown}`");
        let problem = self.problem(ProblemKind::NotAccepted, &what, None);
        Some(problem.accepted("text on one line, without control characters"))
    }

    fn flag(&self) -> Option<Problem> {
        let meant = match &self.node.value {
            Value::Flag(_) => return None,
            Value::Text(text) => flag_meant(text),
            Value::Integer(0) => Some(false),
            Value::Integer(1) => Some(true),
            _ => None,
        };
        self.wrong_type(meant.map(|flag| flag.to_string()))
    }

    fn count(&self, min: i64, max: i64) -> Option<Problem> {
        let meant = match &self.node.value {
            Value::Integer(number) if (min..=max).contains(number) => return None,
            Value::Integer(_) | Value::HugeInteger(_) => return self.out_of_range(None),
            Value::Float(number) if !number.is_finite() => return self.out_of_range(None),
            Value::Float(number) => whole(*number),
            Value::Text(text) => {
                let text = text.trim();
                text.parse().ok().or_else(|| whole(text.parse().ok()?))
            }
            _ => None,
        };
        let fits = meant.filter(|number| (min..=max).contains(number));
        self.wrong_type(fits.map(|number| number.to_string()))
    }

    fn choice(&self, choices: &[String]) -> Option<Problem> {
        let Value::Text(text) = &self.node.value else {
            let shown = self.node.shown();
            let meant = choices.iter().find(|choice| **choice == shown);
            return self.wrong_type(meant.map(|choice| format!("\"{choice}\"")));
        };
        if choices.contains(text) {
            return None;
        }
        let near = words::nearest(text, choices.iter().map(String::as_str));
        let what = format!("{} is not one of its values", self.node.shown());
        let near = near.map(|near| format!("\"{near}\""));
        Some(self.problem(ProblemKind::NotAccepted, &what, near))
    }

    fn number(&self, number: Number) -> Option<Problem> {
        let value = match &self.node.value {
            Value::Integer(value) => *value as f64,
            Value::Float(value) => *value,
            Value::HugeInteger(_) => return self.out_of_range(None),
            Value::Text(text) => {
                let share = Quantity::Fraction.read(text).ok();
                let point = || with_point(text)?.parse().ok();
                let meant = text.trim().parse().ok().or(share).or_else(point);
                let fits = meant.filter(|value| number.read(*value).is_ok());
                return self.wrong_type(fits.map(|value| value.to_string()));
            }
            _ => return self.wrong_type(None),
        };
        if number.read(value).is_ok() { None } else { self.out_of_range(None) }
    }

    fn numbers(&self, min: usize, max: usize) -> Option<Problem> {
        let Value::List(items) = &self.node.value else { return self.wrong_type(None) };
        if let Some(item) = items.iter().find(|item| item.number().is_none()) {
            let item = Check { node: item, ..*self };
            return match item.node.value {
                Value::Float(_) | Value::HugeInteger(_) => item.out_of_range(None),
                _ => item.wrong_type(None),
            };
        }
        if (min..=max).contains(&items.len()) {
            return None;
        }
        let what = format!("it has {} numbers", items.len());
        Some(self.problem(ProblemKind::OutOfRange, &what, None))
    }

    fn names(&self, min: usize, max: usize) -> Option<Problem> {
        let Value::List(items) = &self.node.value else {
            let meant = self.node.text().map(|name| format!("[\"{}\"]", words::shown(name)));
            return self.wrong_type(meant);
        };
        if let Some(item) = items.iter().find(|item| item.text().is_none()) {
            let item = Check { node: item, ..*self };
            return item.wrong_type(None);
        }
        if (min..=max).contains(&items.len()) {
            return None;
        }
        let what = match self.kind {
            Kind::Paths { .. } => format!("it has {} paths", items.len()),
            _ => format!("it has {} names", items.len()),
        };
        Some(self.problem(ProblemKind::OutOfRange, &what, None))
    }

    fn quantity(&self, quantity: Quantity) -> Option<Problem> {
        match &self.node.value {
            Value::Text(text) => self.quantity_text(quantity, text),
            Value::Integer(number) => self.without_unit(quantity, &number.to_string()),
            Value::HugeInteger(digits) => self.without_unit(quantity, digits),
            Value::Float(number) => self.without_unit(quantity, &number.to_string()),
            Value::Flag(_) | Value::DateTime(_) | Value::List(_) | Value::Table(_) => {
                self.wrong_type(None)
            }
        }
    }

    fn quantity_text(&self, quantity: Quantity, text: &str) -> Option<Problem> {
        let error = quantity.read(text).err()?;
        if text.trim().parse::<f64>().is_ok() {
            return self.without_unit(quantity, text.trim());
        }
        let kind =
            if out_of_range(&error) { ProblemKind::OutOfRange } else { ProblemKind::NotAccepted };
        let what = format!("{}: {}", self.node.shown(), error.problem);
        let meant = other_unit(quantity, text).or_else(|| {
            let text = with_point(text)?;
            match text.parse::<f64>() {
                Ok(_) => self.with_unit(quantity, &text),
                Err(_) if quantity.read(&text).is_ok() => Some(text),
                Err(_) => other_unit(quantity, &text),
            }
        });
        let meant = meant.map(|text| format!("\"{text}\""));
        Some(self.problem(kind, &what, meant).accepted(error.accepted))
    }

    /// A number that has no unit.
    fn without_unit(&self, quantity: Quantity, digits: &str) -> Option<Problem> {
        let what = format!("{} has no unit", self.node.shown());
        let meant = self.with_unit(quantity, digits).map(|text| format!("\"{text}\""));
        Some(self.problem(ProblemKind::MissingUnit, &what, meant))
    }

    /// The number with the unit it was probably meant in.
    fn with_unit(&self, quantity: Quantity, digits: &str) -> Option<String> {
        let value: f64 = digits.parse().ok().filter(|value: &f64| value.is_finite())?;
        if quantity == Quantity::Fraction && value > 0.0 && value < 1.0 {
            return Some(format!("{} %", (value * 1e6).round() / 1e4));
        }
        // A fraction of a length of time is meant in seconds, whatever the default is written in.
        let in_seconds = quantity == Quantity::Period && value < 1.0;
        // Looked up only here, where something is wrong: every value of every scenario is checked.
        let default = knob::find(self.path).and_then(|knob| knob.default.as_deref());
        let of_default = default.filter(|_| !in_seconds);
        let of_default = of_default.and_then(|text| text.trim_matches('"').split(' ').nth(1));
        let units = quantity.units();
        let least =
            units.last().copied().filter(|unit| unit.starts_with('B') && value >= MEANT_IN_BYTES);
        let candidates = least.into_iter().chain(of_default).chain(units.iter().copied());
        let mut candidates = candidates.map(|unit| format!("{digits} {unit}"));
        let text = candidates.find(|text| quantity.read(text).is_ok())?;
        let bytes = text.parse::<Bytes>().ok().filter(|_| quantity.is_whole());
        Some(bytes.map_or(text, |bytes| bytes.to_string()))
    }
}

fn out_of_range(error: &QuantityError) -> bool {
    error.problem.contains("out of range") || error.problem.contains("not a multiple")
}

/// The text with a decimal point in place of its decimal comma. `1,500` may be either.
fn with_point(text: &str) -> Option<String> {
    let (whole, rest) = text.trim().split_once(',')?;
    let decimals = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = !whole.is_empty() && whole.trim_start_matches('-').parse::<u64>().is_ok();
    let is_decimal = decimals > 0 && decimals != 3 && !rest.contains(',');
    (is_number && is_decimal).then(|| format!("{whole}.{rest}"))
}

/// The same number with a unit this quantity knows: `6 gib`, `6G`, `75 MB` for a rate.
fn other_unit(quantity: Quantity, text: &str) -> Option<String> {
    let text = text.trim();
    let at = text.find(|c: char| c.is_alphabetic() || c == '%')?;
    let (number, unit) = (text[..at].trim(), text[at..].trim().to_lowercase());
    let units = quantity.units().iter().copied();
    let same = units.clone().find(|known| known.to_lowercase() == unit);
    let rate = units.clone().find(|known| known.to_lowercase() == format!("{unit}/s"));
    let per_second = unit.strip_suffix("ps").map(|unit| format!("{unit}/s"));
    let per_second =
        units.clone().find(|known| per_second.as_deref() == Some(&known.to_lowercase()));
    // `4M` and, where only powers of 1024 make sense, `4MB`.
    let letter = unit.strip_suffix('b').unwrap_or(&unit);
    let short =
        units.clone().find(|known| letter.len() == 1 && known.to_lowercase().starts_with(letter));
    let meant = same.or(rate).or(per_second).or(short)?;
    Some(format!("{number} {meant}")).filter(|text| quantity.read(text).is_ok())
}

/// Words people write for true and false.
pub(crate) fn flag_meant(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// The whole number a floating-point number stands for.
fn whole(number: f64) -> Option<i64> {
    let whole = number.fract() == 0.0 && number.abs() < 9e15;
    whole.then_some(number as i64)
}
