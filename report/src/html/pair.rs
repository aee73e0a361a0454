//! A page about two scenarios side by side.

use super::inputs::statements;
use super::markup::{Markup, classed, foreign, foreign_cut, tag};
use super::{
    Foot, Head, LineResult, NAME, Page, PairResult, PairSide, bars, details, section, shell, sure,
    warnings,
};
use crate::Document;
use crate::document::{DurationResult, VerifyResult};
use crate::number::{bytes, duration, duration_range, percent, rate_binary};
use crate::text::View;

impl Page for PairResult {
    fn html(document: &Document<Self>) -> String {
        let result = &document.result;
        let name = result.sides.each_ref().map(|side| side.prediction.scenario.as_str());
        let name = format!("{} and {}", name[0], name[1]);
        let head = Head {
            kind: "Two backups side by side",
            name: &name,
            title: &result.sides[0].prediction.title,
        };
        let foot = Foot {
            tool: document.tool,
            seed: document.seed,
            replications: document.replications,
            command_line: &result.command_line,
        };
        let sections = warned(result)
            .and(answer(result))
            .and(why(result))
            .and(run(result))
            .and(evidence(result))
            .and(inputs(&result.lines, &headings(result)));
        shell(&head, sections, &foot)
    }
}

/// What the two are called at the head of columns.
fn headings(result: &PairResult) -> [String; 2] {
    let [one, other] = &result.sides;
    [("A", one), ("B", other)].map(|(letter, side)| {
        format!("{letter}: {}", crate::text::cut(&side.prediction.scenario, NAME))
    })
}

/// The warnings of both, each once.
fn warned(result: &PairResult) -> Markup {
    let [one, other] = &result.sides;
    let mut all = one.warnings.clone();
    all.extend(other.warnings.iter().filter(|w| !one.warnings.contains(w)).cloned());
    warnings(&all)
}

fn answer(result: &PairResult) -> Markup {
    let paired = match (result.is_one_file, result.ratio.is_some()) {
        (_, false) => String::new(),
        (true, true) => format!(
            "Night by night: {} with the same luck for both, so that the ratio says more than the \
             two durations do.",
            super::nights(result.paired_nights as u32)
        ),
        (false, true) => format!(
            "Night by night over {}; what the two files call by the same name meets the same luck.",
            super::nights(result.paired_nights as u32)
        ),
    };
    let inner = classed("p", "lead", tag("bdi", &[], result.answer.as_str()))
        .line()
        .and(durations(result))
        .and(classed("p", "soft", paired))
        .line();
    section("answer", "The difference", inner)
}

/// What a line says of a side.
type Pick = fn(&PairSide) -> Option<String>;

fn durations(result: &PairResult) -> Markup {
    let [a, b] = headings(result);
    let of = |side: &PairSide, pick: Pick| pick(side).unwrap_or_default();
    let lines: [(&str, Pick); 11] = [
        ("what it is", |side| Some(crate::text::cut(&side.prediction.title, super::TITLE))),
        ("backup", |side| Some(duration_text(side.prediction.backup))),
        ("verify", |side| {
            side.prediction.verify.as_ref().map(VerifyResult::duration).map(duration_text)
        }),
        ("total", |side| Some(duration_text(side.prediction.total))),
        ("read", |side| side.prediction.read_bytes_per_second.map(rate_binary)),
        ("data read", |side| Some(bytes(side.prediction.read_bytes as f64))),
        ("data written", |side| Some(bytes(side.prediction.written_bytes as f64))),
        ("files", |side| Some(side.prediction.stripe_bytes.len().to_string())),
        ("buffers", |side| Some(buffers(side))),
        ("processors busy", |side| Some(percent(side.prediction.processor_share))),
        ("limits", |side| {
            let all = &side.prediction.requirements;
            let verdict = |r: &crate::document::RequirementResult| {
                format!("{}: {}", r.requirement, if r.met { "fits" } else { "does not fit" })
            };
            (!all.is_empty()).then(|| all.iter().map(verdict).collect::<Vec<_>>().join("; "))
        }),
    ];
    let [one, other] = &result.sides;
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|(name, pick)| vec![(*name).to_string(), of(one, *pick), of(other, *pick)])
        .filter(|row| row[1..].iter().any(|cell| !cell.is_empty()))
        .collect();
    super::markup::table(&["", &a, &b], 3, &rows)
}

fn duration_text(time: DurationResult) -> String {
    let range = duration_range(time.low_seconds, time.high_seconds);
    format!("{} ({range})", duration(time.seconds))
}

fn buffers(side: &PairSide) -> String {
    let prediction = &side.prediction;
    format!(
        "{} of {}, {} in all",
        prediction.buffer_count,
        bytes(prediction.max_transfer_size_bytes as f64),
        bytes(prediction.buffer_memory_bytes as f64)
    )
}

fn why(result: &PairResult) -> Markup {
    let names = headings(result);
    let inner = result.sides.iter().zip(&names).fold(bars::key(), |all, (side, name)| {
        let view = View::from(&side.prediction);
        let sentence = view.bottleneck_sentence().replace('\u{a0}', " ");
        all.tag("h3", &[], foreign(name))
            .line()
            .tag("p", &[], tag("bdi", &[], format!("Backup: {sentence}.")))
            .line()
            .and(bars::stations(&view.stations))
    });
    section("why", "Why: what limits each", inner)
}

fn run(result: &PairResult) -> Markup {
    let names = headings(result);
    let blocks: Vec<(&str, Option<&String>)> = names
        .iter()
        .zip(&result.sides)
        .map(|(name, side)| (name.as_str(), Some(&side.statements.backup)))
        .collect();
    section("run", "The statements", statements(&blocks))
}

fn evidence(result: &PairResult) -> Markup {
    let [one, other] = &result.sides;
    let names = headings(result);
    if one.evidence == other.evidence {
        return sure::sure(&one.evidence, Markup::new(), "");
    }
    let inner = result.sides.iter().zip(&names).fold(Markup::new(), |all, (side, name)| {
        all.tag("h3", &[], foreign(name)).line().and(sure::inner(&side.evidence, Markup::new(), ""))
    });
    section("sure", "How sure that is", inner)
}

/// Both inputs, what differs marked and first.
fn inputs(lines: &[LineResult], names: &[String; 2]) -> Markup {
    let (differ, alike): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.differs());
    let text = match differ.len() {
        0 => "The two do not differ in anything.".to_string(),
        1 => "They differ in one value.".to_string(),
        count => format!("They differ in {count} values."),
    };
    let shown = if differ.is_empty() { Markup::new() } else { table(&differ, names) };
    let rest = format!("The {} values that are alike", alike.len());
    let inner = tag("p", &[], text).line().and(shown).and(details(&rest, table(&alike, names)));
    section("inputs", "What went in", inner)
}

fn table(lines: &[&LineResult], names: &[String; 2]) -> Markup {
    let heads = ["", "knob", &names[0], &names[1]];
    let heads = heads.iter().fold(Markup::new(), |all, name| all.tag("th", &[], foreign(name)));
    let rows = lines.iter().fold(Markup::new(), |all, line| {
        let (class, mark) = if line.differs() { ("differs", "\u{2260}") } else { ("", "") };
        let cell = |value: &str| tag("td", &[], foreign_cut(value, VALUE));
        let cells = tag("td", &[], mark)
            .tag("th", &[("scope", "row")], foreign_cut(&line.path, VALUE))
            .and(cell(&line.values[0]))
            .and(cell(&line.values[1]));
        all.tag("tr", &[("class", class)], cells).line()
    });
    let head = tag("thead", &[], tag("tr", &[], heads)).line();
    classed("div", "wide", tag("table", &[], head.and(tag("tbody", &[], rows)))).line()
}

/// Characters of a value.
const VALUE: usize = 2000;
