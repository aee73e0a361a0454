//! Pictures in letters: bars and sparklines for a terminal.
//!
//! Where block elements can be shown a bar ends to an eighth of a column; elsewhere, and wherever
//! text must stay the same byte by byte, it is made of `#`.

/// Which signs a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// ASCII, for files, pipes and terminals that can no more.
    #[default]
    Plain,
    /// Block elements of Unicode.
    Blocks,
}

const EIGHTHS: [char; 8] = [
    '\u{2588}', '\u{258f}', '\u{258e}', '\u{258d}', '\u{258c}', '\u{258b}', '\u{258a}', '\u{2589}',
];
const HEIGHTS: [char; 8] = [
    '\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}', '\u{2588}',
];
const STEPS: &[u8] = b"_.-:=+*#";

impl Glyphs {
    /// A bar of a share of `room` columns, filled up with blanks.
    #[must_use]
    pub fn bar(self, share: f64, room: usize) -> String {
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        let bar: String = match self {
            Glyphs::Plain => {
                let length = (share * room as f64).round() as usize;
                "#".repeat(length.max(usize::from(share > 0.0 && room > 0)))
            }
            Glyphs::Blocks => {
                let eighths = (share * room as f64 * 8.0).round() as usize;
                let eighths = eighths.max(usize::from(share > 0.0 && room > 0));
                let full = std::iter::repeat_n(EIGHTHS[0], eighths / 8);
                let rest = (!eighths.is_multiple_of(8)).then(|| EIGHTHS[eighths % 8]);
                full.chain(rest).collect()
            }
        };
        format!("{bar:<room$}")
    }

    /// Values as heights between nothing and the largest, a sign each.
    #[must_use]
    pub fn sparkline(self, values: &[f64]) -> String {
        let most = values.iter().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
        let sign = |value: &f64| {
            let share = if most > 0.0 && value.is_finite() { value / most } else { 0.0 };
            let step = (share.clamp(0.0, 1.0) * 7.0).round() as usize;
            match self {
                Glyphs::Plain => char::from(STEPS[step]),
                Glyphs::Blocks => HEIGHTS[step],
            }
        };
        values.iter().map(sign).collect()
    }

    /// Parts of a whole beside each other, each with a sign of its own.
    #[must_use]
    pub fn parts(self, shares: &[f64], room: usize) -> String {
        let signs: [char; 4] = match self {
            Glyphs::Plain => ['#', '.', '=', ' '],
            Glyphs::Blocks => ['\u{2588}', '\u{2591}', '\u{2592}', ' '],
        };
        let mut line = String::new();
        let (mut sum, mut taken) = (0.0, 0);
        for (share, sign) in shares.iter().zip(signs) {
            sum += share.max(0.0);
            let end = ((sum * room as f64).round() as usize).min(room);
            line.extend(std::iter::repeat_n(sign, end.saturating_sub(taken)));
            taken = end.max(taken);
        }
        line.extend(std::iter::repeat_n(' ', room.saturating_sub(taken)));
        line
    }
}

/// A line for each row: a label, a bar of a share, and words after it.
pub(super) fn bars(
    rows: &[(String, Option<f64>, String)],
    glyphs: Glyphs,
    columns: usize,
) -> String {
    let width = crate::text::width;
    let label = rows.iter().map(|row| width(&row.0)).max().unwrap_or(0).min(columns / 3);
    let words = rows.iter().map(|row| width(&row.2)).max().unwrap_or(0);
    let room = columns.saturating_sub(label + words + 4).min(60);
    let mut out = String::new();
    for (name, share, after) in rows {
        let name = crate::text::cut(name, label);
        let pad = " ".repeat(label.saturating_sub(width(&name)));
        let bar = share.map_or_else(|| " ".repeat(room), |share| glyphs.bar(share, room));
        out.push_str(format!("{name}{pad}  {bar}  {after}").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        assert_eq!(Glyphs::Plain.bar(0.5, 8), "####    ");
        assert_eq!(Glyphs::Plain.bar(0.001, 8), "#       ");
        assert_eq!(Glyphs::Blocks.bar(0.5, 3), "\u{2588}\u{258c} ");
        for glyphs in [Glyphs::Plain, Glyphs::Blocks] {
            for share in [0.0, 0.01, 0.33, 0.5, 0.999, 1.0, 7.0, f64::NAN] {
                assert_eq!(glyphs.bar(share, 17).chars().count(), 17, "{share}");
            }
        }
    }

    #[test]
    fn a_sparkline_has_a_sign_for_each_value() {
        assert_eq!(Glyphs::Blocks.sparkline(&[0.0, 0.5, 1.0]), "\u{2581}\u{2585}\u{2588}");
        assert_eq!(Glyphs::Plain.sparkline(&[0.0, 1.0]), "_#");
        assert_eq!(Glyphs::Plain.sparkline(&[]), "");
    }

    #[test]
    fn parts_fill_their_room_and_no_more() {
        assert_eq!(Glyphs::Plain.parts(&[0.5, 0.25, 0.25], 8), "####..==");
        assert_eq!(Glyphs::Plain.parts(&[0.9, 0.9], 4), "####");
        assert_eq!(Glyphs::Plain.parts(&[], 3), "   ");
    }
}
