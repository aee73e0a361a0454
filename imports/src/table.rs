//! Tables as programs print them: delimited, in columns of fixed width, or as lists.
//!
//! The shape is told by the beginning of the file: a line of dashes under the headings means
//! `sqlcmd` or a console; else the delimiter is the one that parts most lines alike.

pub(crate) mod number;
pub(crate) mod record;

use std::io::{self, BufRead};

use record::{Lines, Row};

/// Lines at the beginning by which the shape is told.
const SAMPLE_LINES: usize = 40;
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// How cells are parted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    /// By a character.
    Delimited(char),
    /// By their place: begin and end of each run of dashes, in characters.
    Fixed(Vec<(usize, usize)>),
    /// By single blanks, with nothing lined up: `sqlcmd -W`. So many columns.
    Blanks(usize),
    /// A line for each: `Name : value`, records parted by blank lines.
    List,
}

/// What a table looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableShape {
    /// How cells are parted.
    pub(crate) layout: Layout,
    /// The first record: headings, or a row if the table has none.
    pub(crate) first: Vec<String>,
    /// Line on which the first record stands.
    pub(crate) line: u64,
    /// Whether a line of dashes follows it.
    pub(crate) dashes: bool,
    /// Whether numbers have decimal commas.
    pub(crate) decimal_comma: bool,
}

impl TableShape {
    /// The shape by the beginning of a file; `None` if it is no table.
    pub(crate) fn of(head: &str) -> Option<Self> {
        let lines: Vec<(usize, &str)> = head
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !is_preface(line))
            .take(SAMPLE_LINES)
            .collect();
        let mut shape = match dashed(&lines) {
            Some(shape) => shape,
            None => list(&lines).or_else(|| delimited(&lines))?,
        };
        shape.decimal_comma = shape.has_decimal_commas(&lines);
        Some(shape)
    }

    /// Calls `each` with every row from the first, or from the second if the first is headings.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn for_each_row(
        &self,
        reader: impl BufRead,
        headings: bool,
        mut each: impl FnMut(&mut Row),
    ) -> io::Result<()> {
        let mut lines = Lines::new(reader);
        let (mut line, mut row) = (String::new(), Row::default());
        let skipped = match self.layout {
            Layout::List => self.line - 1,
            _ => self.line + u64::from(self.dashes) - u64::from(!headings),
        };
        while lines.number() < skipped && lines.next(&mut line)? {}
        match &self.layout {
            Layout::Delimited(delimiter) => {
                while lines.next_record(&mut line, &mut row, *delimiter)? {
                    if !row.is_noise() {
                        each(&mut row);
                    }
                }
            }
            Layout::Fixed(columns) => {
                while lines.next(&mut line)? {
                    row.line = lines.number();
                    split_fixed(&line, columns, &mut row);
                    if !row.is_noise() && !line.trim_start().starts_with('(') {
                        each(&mut row);
                    }
                }
            }
            Layout::Blanks(columns) => {
                while lines.next(&mut line)? {
                    row.line = lines.number();
                    split_blanks(&line, *columns, &mut row);
                    if row.len() == *columns && !line.starts_with('(') {
                        each(&mut row);
                    }
                }
            }
            Layout::List => self.for_each_list(&mut lines, &mut row, each)?,
        }
        Ok(())
    }

    fn for_each_list(
        &self,
        lines: &mut Lines<impl BufRead>,
        row: &mut Row,
        mut each: impl FnMut(&mut Row),
    ) -> io::Result<()> {
        let mut line = String::new();
        let mut values = vec![String::new(); self.first.len()];
        loop {
            let more = lines.next(&mut line)?;
            if more && let Some((name, value)) = list_item(&line) {
                if values.iter().all(String::is_empty) {
                    row.line = lines.number();
                }
                if let Some(index) = self.first.iter().position(|known| known == name) {
                    values[index] = value.to_string();
                }
            } else if !more || line.trim().is_empty() {
                row.clear();
                for value in &mut values {
                    row.push(value);
                    value.clear();
                }
                if !row.is_noise() {
                    each(row);
                }
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// In words: `';'`, `fixed width`.
    pub(crate) fn describe(&self, rows: u64) -> String {
        let layout = match &self.layout {
            Layout::Delimited('\t') => "tabs".to_string(),
            Layout::Delimited(delimiter) => format!("'{delimiter}'"),
            Layout::Fixed(_) => "fixed width".to_string(),
            Layout::Blanks(_) => "blanks".to_string(),
            Layout::List => "list".to_string(),
        };
        let comma = if self.decimal_comma { ", decimal comma" } else { "" };
        format!("{rows} {}, {layout}{comma}", if rows == 1 { "row" } else { "rows" })
    }

    fn has_decimal_commas(&self, lines: &[(usize, &str)]) -> bool {
        let mut row = Row::default();
        let (mut commas, mut points) = (0, 0);
        for (_, line) in lines {
            match &self.layout {
                Layout::Delimited(delimiter) => split_plain(line, *delimiter, &mut row),
                Layout::Fixed(columns) => split_fixed(line, columns, &mut row),
                Layout::Blanks(columns) => split_blanks(line, *columns, &mut row),
                Layout::List => {
                    row.clear();
                    row.push(list_item(line).map_or("", |(_, value)| value));
                }
            }
            for cell in row.cells() {
                commas += usize::from(has_decimals(cell, ','));
                points += usize::from(has_decimals(cell, '.'));
            }
        }
        commas > points
    }
}

/// Whether a cell is a number with a decimal sign after which not just three digits follow.
fn has_decimals(cell: &str, sign: char) -> bool {
    let Some((whole, decimals)) = cell.split_once(sign) else { return false };
    let end = decimals.find(|c: char| !c.is_ascii_digit()).unwrap_or(decimals.len());
    let unit = decimals[end..].trim_start();
    !whole.is_empty()
        && whole.bytes().all(|byte| byte.is_ascii_digit())
        && end > 0
        && end != 3
        && unit.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Lines before a table that do not belong to it.
fn is_preface(line: &str) -> bool {
    line.starts_with("#TYPE") || line.starts_with("sep=") || line.starts_with("Changed database")
}

fn is_dashes(line: &str) -> bool {
    let groups = line.split([' ', ',', ';', '|', '\t']).filter(|group| !group.is_empty());
    line.bytes().all(|byte| matches!(byte, b'-' | b' ' | b',' | b';' | b'|' | b'\t'))
        && groups.count() >= 2
}

fn dashed(lines: &[(usize, &str)]) -> Option<TableShape> {
    let place = lines.iter().position(|(_, line)| is_dashes(line))?;
    let (number, header) = *lines.get(place.checked_sub(1)?)?;
    let dashes = lines[place].1;
    let mut row = Row::default();
    let layout = match dashes.chars().find(|c| DELIMITERS.contains(c)) {
        Some(delimiter) => {
            split_plain(header, delimiter, &mut row);
            Layout::Delimited(delimiter)
        }
        None => {
            let mut columns = Vec::new();
            let mut from = None;
            for (at, c) in dashes.chars().chain([' ']).enumerate() {
                match (c, from) {
                    ('-', None) => from = Some(at),
                    (' ', Some(begin)) => {
                        columns.push((begin, at));
                        from = None;
                    }
                    _ => {}
                }
            }
            split_fixed(header, &columns, &mut row);
            let rows = lines[place + 1..].iter().filter(|(_, line)| !line.starts_with('('));
            let ragged = rows.clone().filter(|(_, line)| is_ragged(line, &columns)).count();
            if ragged * 2 > rows.count() {
                Layout::Blanks(columns.len())
            } else {
                Layout::Fixed(columns)
            }
        }
    };
    let first = row.cells().map(str::to_string).collect();
    Some(TableShape { layout, first, line: number as u64 + 1, dashes: true, decimal_comma: false })
}

fn list_item(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(" : ").or_else(|| line.split_once(" :"))?;
    let name = name.trim();
    let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    plain.then_some((name, value.trim()))
}

fn list(lines: &[(usize, &str)]) -> Option<TableShape> {
    let items: Vec<&str> =
        lines.iter().map_while(|(_, line)| list_item(line)).map(|(name, _)| name).collect();
    if items.len() < 4 {
        return None;
    }
    let mut first: Vec<String> = Vec::new();
    for name in items {
        if !first.iter().any(|known| known == name) {
            first.push(name.to_string());
        }
    }
    let line = lines[0].0 as u64 + 1;
    Some(TableShape { layout: Layout::List, first, line, dashes: false, decimal_comma: false })
}

fn delimited(lines: &[(usize, &str)]) -> Option<TableShape> {
    let (number, first) = *lines.first()?;
    let mut row = Row::default();
    let mut best: Option<(usize, char)> = None;
    for delimiter in DELIMITERS {
        split_plain(first, delimiter, &mut row);
        let cells = row.len();
        if cells < 2 {
            continue;
        }
        let alike = lines.iter().filter(|(_, line)| {
            split_plain(line, delimiter, &mut row);
            row.len() == cells
        });
        let score = alike.count() * cells;
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, delimiter));
        }
    }
    let (_, delimiter) = best?;
    split_plain(first, delimiter, &mut row);
    let first = row.cells().map(str::to_string).collect();
    let layout = Layout::Delimited(delimiter);
    Some(TableShape { layout, first, line: number as u64 + 1, dashes: false, decimal_comma: false })
}

/// Cells of a single line.
fn split_plain(line: &str, delimiter: char, row: &mut Row) {
    let mut lines = Lines::new(line.as_bytes());
    let mut text = String::new();
    // A line in memory can be read.
    if !matches!(lines.next_record(&mut text, row, delimiter), Ok(true)) {
        row.clear();
    }
}

/// Cells by their place. Between two columns the text of both may stand: the left one runs on, or
/// the right one begins early. They part where most blanks are.
fn split_fixed(line: &str, columns: &[(usize, usize)], row: &mut Row) {
    row.clear();
    let places: Option<Vec<usize>> =
        (!line.is_ascii()).then(|| line.char_indices().map(|(place, _)| place).collect());
    let byte = |place: usize| match &places {
        Some(places) => places.get(place).copied().unwrap_or(line.len()),
        None => place.min(line.len()),
    };
    let mut from = 0;
    for (index, (_, end)) in columns.iter().enumerate() {
        let to = match columns.get(index + 1) {
            Some((next, _)) => {
                let (end, next) = (byte(*end), byte(*next));
                end + widest_gap(&line[end..next])
            }
            None => line.len(),
        };
        let to = to.max(from);
        row.push(line[from..to].trim());
        from = to;
    }
}

/// Whether a line has no blank before a column, as if nothing were lined up.
fn is_ragged(line: &str, columns: &[(usize, usize)]) -> bool {
    let touching = columns.windows(2).any(|pair| {
        let (end, next) = (pair[0].1, pair[1].0);
        let gap = line.chars().skip(end).take(next - end);
        gap.clone().count() > 0 && gap.into_iter().all(|c| c != ' ')
    });
    touching && !line.contains("  ")
}

/// Words, of which a date and a time are one, and the first ones together what is too many.
fn split_blanks(line: &str, columns: usize, row: &mut Row) {
    row.clear();
    let mut cells: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let time = word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit());
        match cells.last_mut() {
            Some(date) if time && date.len() == 10 && date.matches('-').count() == 2 => {
                date.push(' ');
                date.push_str(word);
            }
            _ => cells.push(word.to_string()),
        }
    }
    let more = cells.len().saturating_sub(columns);
    let first = cells[..=more.min(cells.len() - 1)].join(" ");
    row.push(&first);
    cells.iter().skip(more + 1).for_each(|cell| row.push(cell));
}

/// Where the last of the widest runs of blanks begins; 0 if there is none.
fn widest_gap(text: &str) -> usize {
    let (mut best, mut width, mut begin) = (0, 0, None);
    for (place, c) in text.char_indices().chain([(text.len(), 'x')]) {
        match (c, begin) {
            (' ', None) => begin = Some(place),
            (' ', Some(_)) => {}
            (_, Some(start)) => {
                if place - start >= width {
                    (best, width) = (start, place - start);
                }
                begin = None;
            }
            _ => {}
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> (TableShape, Vec<Vec<String>>) {
        let shape = TableShape::of(text).expect("a table");
        let mut all = Vec::new();
        shape
            .for_each_row(text.as_bytes(), true, |row| {
                all.push(row.cells().map(str::to_string).collect());
            })
            .expect("readable");
        (shape, all)
    }

    #[test]
    fn a_console_table_with_both_alignments() {
        let text = "\nName  Start                   Length Size\n\
                    ----  -----                   ------ \
                    ----\nä b   2024-05-29 15:50:43.000      7 4,77 MB\n\n(1 Zeile)\n";
        let (shape, rows) = rows(text);
        assert_eq!(shape.first, ["Name", "Start", "Length", "Size"]);
        assert_eq!(rows, [["ä b", "2024-05-29 15:50:43.000", "7", "4,77 MB"]]);
        assert!(shape.decimal_comma);
    }

    #[test]
    fn delimiters_are_told_by_what_parts_lines_alike() {
        for (text, delimiter) in [
            ("a,b,c\n1,2,3\n", ','),
            ("#TYPE X\na;b;c\n1,5;2;3\n", ';'),
            ("a\tb\tc\nx, y\t2\t3\n", '\t'),
            ("a|b|c\n-|-|-\n1|2|3\n\n(1 rows affected)\n", '|'),
        ] {
            let (shape, rows) = rows(text);
            assert_eq!(shape.layout, Layout::Delimited(delimiter), "{text}");
            assert_eq!((shape.first.len(), rows.len()), (3, 1), "{text}");
        }
    }

    #[test]
    fn words_that_are_not_lined_up() {
        let text = "database_name type backup_start_date size\n------------- ---- --- ----\n\
                    a b D 2026-11-02 01:00:00.000 7\nlong_database_name D 2026-11-02 01:00:00 8\n\
                    \n(2 rows affected)\n";
        let (shape, rows) = rows(text);
        assert_eq!(shape.layout, Layout::Blanks(4));
        assert_eq!(rows[0], ["a b", "D", "2026-11-02 01:00:00.000", "7"]);
        assert_eq!((rows[1][0].as_str(), rows.len()), ("long_database_name", 2));
    }

    #[test]
    fn a_list_gives_a_row_for_each_block() {
        let text = "\nName   : a\nStart  : 1 : 2\nSize   :\nOther  : x\n\nName : b\nOther : y\n";
        let (shape, rows) = rows(text);
        assert_eq!(shape.first, ["Name", "Start", "Size", "Other"]);
        assert_eq!(rows, [["a", "1 : 2", "", "x"], ["b", "", "", "y"]]);
    }
}
