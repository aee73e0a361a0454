//! Tables whose columns are aligned each in its own way, with a bar in the room that is left.

use super::{WIDTH, cut, width};
use crate::plot::Glyphs;

/// Spaces between columns.
const GAP: usize = 2;
/// A bar of less says nothing, one of more says no more.
const BAR: std::ops::RangeInclusive<usize> = 6..=20;

/// How a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Left,
    Right,
    /// Gives way where a line is too long, down to so many columns.
    Yielding(usize),
}

/// Lines of cells, no wider than a screen if the yielding column can help it. With `shares`, a bar
/// for each line stands before the column `before`, if there is room for it.
pub(super) fn lines(
    columns: &[Column],
    rows: &[Vec<String>],
    bar: Option<(usize, &[Option<f64>], Glyphs)>,
) -> Vec<String> {
    let widest = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|c| width(c)).max();
    let mut widths: Vec<usize> = (0..columns.len()).map(|at| widest(at).unwrap_or(0)).collect();
    let taken = |widths: &[usize]| widths.iter().sum::<usize>() + GAP * (widths.len() - 1);
    let over = taken(&widths).saturating_sub(WIDTH);
    let yields = columns.iter().position(|column| matches!(column, Column::Yielding(_)));
    if let Some(at) = yields
        && let Column::Yielding(least) = columns[at]
    {
        widths[at] = widths[at].saturating_sub(over).max(least.min(widths[at]));
    }
    let room = WIDTH.saturating_sub(taken(&widths) + GAP).min(*BAR.end());
    let bar = bar.filter(|_| room >= *BAR.start());
    let line = |(number, row): (usize, &Vec<String>)| {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            if let Some((before, shares, glyphs)) = bar
                && at == before
            {
                let share = shares.get(number).copied().flatten();
                let marks = share.map_or_else(String::new, |share| glyphs.bar(share, room));
                line.push_str(&format!("{marks:0$}", room + GAP));
            }
            let own = widths.get(at).copied().unwrap_or(0);
            let cell = cut(cell, own);
            let pad = " ".repeat(own.saturating_sub(width(&cell)));
            match columns.get(at) {
                Some(Column::Right) => line.push_str(&format!("{pad}{cell}")),
                _ => line.push_str(&format!("{cell}{pad}")),
            }
            line.push_str(&" ".repeat(GAP));
        }
        line.trim_end().to_string()
    };
    rows.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_takes_the_room_that_is_left_and_a_long_label_gives_way() {
        let rows = |label: &str| {
            vec![
                vec![label.to_string(), "8.2 s".to_string()],
                vec!["b".to_string(), "1 s".to_string()],
            ]
        };
        let columns = [Column::Yielding(8), Column::Right];
        let shares = [Some(1.0), Some(0.001)];
        let short = lines(&columns, &rows("a"), Some((1, &shares, Glyphs::Plain)));
        assert_eq!(short[0], format!("a  {}  8.2 s", "#".repeat(20)));
        assert_eq!(short[1].matches('#').count(), 1);
        let long = lines(&columns, &rows(&"x".repeat(200)), Some((1, &shares, Glyphs::Plain)));
        assert!(long.iter().all(|line| width(line) <= WIDTH && !line.contains('#')), "{long:?}");
        assert!(long[0].contains("..."), "{long:?}");
    }
}
