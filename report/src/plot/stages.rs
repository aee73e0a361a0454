//! What each station does with its time: working, starved, blocked.

use serde::Serialize;

use super::chart::{Cell, Kind, Origin, Table};
use super::font;
use super::frame::{Frame, Swatch, Vertical};
use super::look::{Colour, Look, Pattern};
use super::scene::{Anchor, Area, Letters, Scene};
use super::term::Glyphs;
use super::words::{fitted, name};
use crate::number::percent;

/// One station in one operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// backup, verify or restore.
    pub operation: &'static str,
    /// source, processor, target.
    pub role: String,
    /// Its name.
    pub name: String,
    /// How many work side by side.
    pub servers: u32,
    /// Share of the time at work.
    pub working_share: f64,
    /// Share of the time with nothing to do; absent of what never waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starved_share: Option<f64>,
    /// Share of the time unable to go on; absent of what never waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_share: Option<f64>,
}

/// What stations do with their time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StagesChart {
    /// What limits each operation, by its name.
    #[serde(skip)]
    pub bottlenecks: Vec<(&'static str, String)>,
    /// Stations of all operations, in the order of the pipeline.
    pub stages: Vec<Stage>,
}

impl Stage {
    fn label(&self) -> String {
        let servers = if self.servers > 1 { format!(" x {}", self.servers) } else { String::new() };
        let own = name(&self.name);
        if self.role == self.name {
            format!("{own}{servers}")
        } else {
            format!("{} {own}{servers}", self.role)
        }
    }

    fn shares(&self) -> [Option<f64>; 3] {
        [Some(self.working_share), self.starved_share, self.blocked_share]
    }
}

const WORDS: [&str; 3] = ["working", "starved", "blocked"];

/// What is drawn in one row.
enum Row<'a> {
    Operation(&'static str),
    Stage(&'a Stage),
    More(usize),
}

impl StagesChart {
    /// Rows that have room: of many stations of an operation, those that work most.
    fn rows(&self, most: usize) -> Vec<Row<'_>> {
        let mut operations: Vec<&'static str> = Vec::new();
        for stage in &self.stages {
            if !operations.contains(&stage.operation) {
                operations.push(stage.operation);
            }
        }
        let each = (most / operations.len().max(1)).saturating_sub(1).max(1);
        let mut rows = Vec::new();
        for operation in operations {
            rows.push(Row::Operation(operation));
            let own: Vec<&Stage> =
                self.stages.iter().filter(|stage| stage.operation == operation).collect();
            if own.len() <= each {
                rows.extend(own.into_iter().map(Row::Stage));
                continue;
            }
            let mut order: Vec<usize> = (0..own.len()).collect();
            let working = |at: &usize| own[*at].working_share;
            order.sort_by(|a, b| working(b).total_cmp(&working(a)).then(a.cmp(b)));
            order.truncate(each.saturating_sub(1).max(1));
            order.sort_unstable();
            let left_out = own.len() - order.len();
            rows.extend(order.into_iter().map(|at| Row::Stage(own[at])));
            rows.push(Row::More(left_out));
        }
        rows
    }

    fn bar(frame: &mut Frame, stage: &Stage, area: Area, looks: &[(Colour, Pattern); 3]) {
        let mut from = area.left;
        for (share, (colour, pattern)) in stage.shares().into_iter().zip(looks) {
            let Some(share) = share else { continue };
            let to = (from + share.max(0.0) * area.width()).min(area.right);
            let part = Area { left: from, right: to, ..area };
            from = to;
            if part.width() < 0.5 {
                continue;
            }
            frame.scene.filled(part, *colour, *pattern);
            let words = percent(share);
            let size = frame.letters * 0.85;
            let width = font::width(&words, size, false);
            if width < part.width() * 0.9 && size * 1.2 < part.height() {
                let middle = (part.left + part.right) / 2.0;
                let baseline = (part.top + part.bottom) / 2.0 + size * 0.35;
                let letters = Letters { size, bold: false, colour: colour.ink() };
                frame.scene.cleared(&words, (middle, baseline), letters, (*colour, *pattern));
                let anchor = (Anchor::Middle, part.width());
                frame.scene.text(&words, (middle, baseline), anchor, letters);
            }
        }
    }
}

impl Kind for StagesChart {
    fn kind(&self) -> &'static str {
        "stages"
    }

    fn scene(&self, origin: &Origin, look: &Look) -> Scene {
        let title = "What each station does with its time".to_string();
        let heading = origin.heading(title, self.answer(origin));
        let theme = look.theme;
        let looks = [
            (theme.series(0), Pattern::Plain),
            (theme.grid(), Pattern::Plain),
            (theme.series(1), Pattern::Rising),
        ];
        let legend: Vec<(Swatch, String)> = looks
            .iter()
            .zip(WORDS)
            .map(|((colour, pattern), word)| (Swatch::Fill(*colour, *pattern), word.to_string()))
            .collect();
        let letters = look.size.letters();
        let longest = f64::from(look.size.width) * 0.28;
        let names = self.stages.iter().map(|stage| fitted(&stage.label(), longest, letters, false));
        let vertical = Vertical { title: "", labels: names.collect() };
        let mut frame = Frame::new(look, &heading, &legend, &vertical, false);
        let most = (frame.plot.height() / (letters * 1.55)) as usize;
        let rows = self.rows(most.max(2));
        let step = (frame.plot.height() / rows.len().max(1) as f64).min(letters * 3.4);
        let muted = frame.muted(0.9);
        let ink = frame.ink(0.9);
        for (number, row) in rows.iter().enumerate() {
            let top = frame.plot.top + number as f64 * step;
            let baseline = top + step * 0.5 + letters * 0.32;
            let right = frame.plot.left - letters * 0.5;
            match row {
                Row::Operation(operation) => {
                    let place = (frame.plot.left, top + step - letters * 0.35);
                    let bottleneck = self.bottlenecks.iter().find(|(own, _)| own == operation);
                    let words = bottleneck.map_or_else(
                        || (*operation).to_string(),
                        |(_, by)| format!("{operation}, limited by {}", name(by)),
                    );
                    let room = frame.plot.width();
                    let bold = Letters { bold: true, ..ink };
                    frame.scene.text(&words, place, (Anchor::Start, room), bold);
                }
                Row::Stage(stage) => {
                    let room = right - letters * 0.5;
                    let place = (right, baseline);
                    frame.scene.text(&stage.label(), place, (Anchor::End, room), ink);
                    let (top, bottom) = (top + step * 0.12, top + step * 0.88);
                    let area = Area { top, bottom, ..frame.plot };
                    Self::bar(&mut frame, stage, area, &looks);
                }
                Row::More(count) => {
                    let words = format!("and {count} more: see the table");
                    let place = (frame.plot.left, baseline);
                    let room = frame.plot.width();
                    frame.scene.text(&words, place, (Anchor::Start, room), muted);
                }
            }
        }
        if self.stages.is_empty() {
            frame.empty("there are no stations");
        }
        frame.scene
    }

    fn table(&self, _: &Origin) -> Table {
        let headings = [
            "station",
            "role",
            "operation",
            "servers",
            "working_share",
            "starved_share",
            "blocked_share",
        ];
        let row = |stage: &Stage| {
            let mut row = vec![
                Cell::Text(stage.name.clone()),
                Cell::Text(stage.role.clone()),
                Cell::Text(stage.operation.to_string()),
                Cell::Count(f64::from(stage.servers)),
            ];
            row.extend(stage.shares().map(|share| Cell::maybe(share, Cell::Share)));
            row
        };
        Table::new(&headings, self.stages.iter().map(row).collect())
    }

    fn answer(&self, _: &Origin) -> String {
        let parts: Vec<String> = self
            .bottlenecks
            .iter()
            .map(|(operation, by)| format!("the {operation} is limited by {}", name(by)))
            .collect();
        if parts.is_empty() {
            return "Nobody knows what limits it.".to_string();
        }
        let text = parts.join("; ");
        let first = text.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", &text[1..])
    }

    fn text(&self, _: &Origin, glyphs: Glyphs, columns: usize) -> String {
        let width = crate::text::width;
        let labels = self.stages.iter().map(|stage| width(&stage.label()));
        let label = labels.max().unwrap_or(0).min(columns / 3);
        let room = columns.saturating_sub(label + 42).clamp(8, 60);
        let mut out = String::new();
        let mut operation = "";
        for stage in &self.stages {
            if stage.operation != operation {
                operation = stage.operation;
                out.push_str(&format!("in the {operation}\n"));
            }
            let name = crate::text::cut(&stage.label(), label);
            let pad = " ".repeat(label.saturating_sub(width(&name)));
            let bar = glyphs.parts(&stage.shares().map(Option::unwrap_or_default), room);
            let words = stage.shares().into_iter().zip(WORDS).filter_map(|(share, word)| {
                share.map(|share| format!("{word} {:>5}", percent(share)))
            });
            let words: Vec<String> = words.collect();
            out.push_str(&format!("{name}{pad}  {bar}  {}\n", words.join(" ")));
        }
        out
    }
}
