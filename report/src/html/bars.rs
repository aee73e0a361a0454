//! How stations spend their time, as bars in a table: the table is the chart.

use super::markup::{Attribute, Markup, classed, foreign_cut, tag};
use crate::document::StationResult;
use crate::number::percent;

/// Stations of one role that have a bar of their own; the rest is summed up.
const MOST: usize = 6;
/// Characters of a name.
const NAME: usize = 32;
/// Units a bar is long.
const LENGTH: f64 = 400.0;
/// Units it is high.
const HEIGHT: f64 = 14.0;
/// Units between two strokes of a hatch.
const STROKES: f64 = 7.0;

/// Roles in the order in which data pass them.
const ROLES: [&str; 5] = ["source", "source and target", "processor", "target", "fixed cost"];

/// A table with a bar for every station; of many of one role the busiest.
pub(super) fn stations(stations: &[&StationResult]) -> Markup {
    let mut rows = Markup::new();
    for group in groups(stations) {
        for station in group.iter().take(MOST) {
            rows = rows.and(row(station));
        }
        if group.len() > MOST {
            rows = rows.and(rest(&group[MOST..]));
        }
    }
    let headings = ["station", "", "working", "starved", "blocked"];
    let heads = headings.iter().enumerate().fold(Markup::new(), |all, (index, text)| {
        all.tag("th", &[("class", if index > 1 { "number" } else { "" })], *text)
    });
    let head = tag("thead", &[], tag("tr", &[], heads)).line();
    let table = tag("table", &[("class", "keep")], head.and(tag("tbody", &[], rows))).line();
    classed("div", "wide", table).line()
}

/// Stations by role, the busiest of each first.
fn groups<'a>(stations: &[&'a StationResult]) -> Vec<Vec<&'a StationResult>> {
    let place = |role: &str| ROLES.iter().position(|own| *own == role).unwrap_or(ROLES.len());
    let mut sorted = stations.to_vec();
    sorted.sort_by(|a, b| place(a.role).cmp(&place(b.role)).then(b.working.total_cmp(&a.working)));
    sorted.chunk_by(|a, b| a.role == b.role).map(<[_]>::to_vec).collect()
}

fn row(station: &StationResult) -> Markup {
    let count = if station.servers > 1 { format!(" x {}", station.servers) } else { String::new() };
    let role =
        if station.role == station.name { String::new() } else { format!("{} ", station.role) };
    let name = Markup::new().text(&role).and(foreign_cut(&station.name, NAME)).text(&count);
    let shares = [station.working, station.starved, station.blocked];
    line(name, shares)
}

/// What the others of a role do, on average.
fn rest(stations: &[&StationResult]) -> Markup {
    let mean = |of: fn(&StationResult) -> f64| {
        stations.iter().map(|station| of(station)).sum::<f64>() / stations.len().max(1) as f64
    };
    let role = stations.first().map_or("", |station| station.role);
    let name = format!("{} more {role}s, on average", stations.len());
    line(name.into(), [mean(|s| s.working), mean(|s| s.starved), mean(|s| s.blocked)])
}

fn line(name: Markup, shares: [f64; 3]) -> Markup {
    let numbers = shares
        .iter()
        .fold(Markup::new(), |all, share| all.and(classed("td", "number", percent(*share))));
    let drawn = classed("td", "bar", bar(shares));
    tag("tr", &[], tag("th", &[("scope", "row")], name).and(drawn).and(numbers)).line()
}

/// Three shares after each other: full, empty, hatched.
fn bar([working, starved, blocked]: [f64; 3]) -> Markup {
    let ends = [working, working + starved, working + starved + blocked];
    let at = |share: f64| share.clamp(0.0, 1.0) * LENGTH;
    let shape = rectangle("working", 0.0, at(ends[0]))
        .and(rectangle("starved", at(ends[0]), at(ends[1])))
        .and(rectangle("blocked", at(ends[1]), at(ends[2])))
        .and(hatch(at(ends[1]), at(ends[2])))
        .and(rectangle("edge", 0.0, LENGTH));
    drawing(shape, LENGTH)
}

fn drawing(shapes: Markup, length: f64) -> Markup {
    let view = format!("0 0 {length} {HEIGHT}");
    let attributes: [Attribute<'_>; 3] =
        [("viewBox", &view), ("preserveAspectRatio", "none"), ("aria-hidden", "true")];
    tag("svg", &attributes, shapes)
}

fn rectangle(class: &'static str, from: f64, to: f64) -> Markup {
    if to <= from {
        return Markup::new();
    }
    let (x, width, height) = (number(from), number(to - from), number(HEIGHT));
    let attributes: [Attribute<'_>; 5] =
        [("class", class), ("x", &x), ("y", "0"), ("width", &width), ("height", &height)];
    Markup::new().shape("rect", &attributes)
}

/// Slanted strokes, so that what is blocked is told from what works without colour.
fn hatch(from: f64, to: f64) -> Markup {
    let count = ((to - from) / STROKES).floor().max(0.0) as usize;
    (0..count).fold(Markup::new(), |all, index| {
        let x = from + STROKES * (index as f64 + 0.3);
        let (low, high, y) = (number(x), number(x + STROKES * 0.6), number(HEIGHT));
        let attributes: [Attribute<'_>; 5] =
            [("class", "hatch"), ("x1", &low), ("y1", &y), ("x2", &high), ("y2", "0")];
        all.shape("line", &attributes)
    })
}

/// What the three kinds of filling mean.
pub(super) fn key() -> Markup {
    let sample =
        |shares: [f64; 3], text: &str| classed("span", "key", bar_of_key(shares).text(text));
    tag(
        "p",
        &[],
        sample([1.0, 0.0, 0.0], "working")
            .and(sample([0.0, 1.0, 0.0], "starved: waits for work"))
            .and(sample([0.0, 0.0, 1.0], "blocked: cannot go on, though there is work")),
    )
    .line()
}

fn bar_of_key([working, starved, blocked]: [f64; 3]) -> Markup {
    let length = 28.0;
    let class = [("working", working), ("starved", starved), ("blocked", blocked)];
    let shapes = class
        .iter()
        .fold(Markup::new(), |all, (class, share)| all.and(rectangle(class, 0.0, share * length)));
    drawing(shapes.and(hatch(0.0, blocked * length)).and(rectangle("edge", 0.0, length)), length)
}

/// A coordinate: a tenth of a unit is less than anybody sees.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_fill_a_bar_in_their_order() {
        let text = bar([0.5, 0.25, 0.25]).into_string();
        assert!(text.contains("class=\"working\" x=\"0\" y=\"0\" width=\"200\""), "{text}");
        assert!(text.contains("class=\"starved\" x=\"200\" y=\"0\" width=\"100\""), "{text}");
        assert!(text.contains("class=\"blocked\" x=\"300\" y=\"0\" width=\"100\""), "{text}");
        assert!(!bar([1.0, 0.0, 0.0]).into_string().contains("blocked"));
    }
}
