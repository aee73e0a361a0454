//! What statements are wrapped in: a job step that calls `sqlcmd`, a PowerShell script.

/// The command of dbatools, in small letters.
const COMMAND: &str = "backup-dbadatabase";

/// Whether a text is PowerShell: a line of it calls dbatools' command, outside of comments and
/// T-SQL texts.
pub(super) fn is_powershell(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.lines().any(|line| {
        let Some((before, _)) = line.split_once(COMMAND) else { return false };
        let is_in_text = before.matches('\'').count() % 2 == 1;
        !before.contains("--") && !before.contains("/*") && !is_in_text
    })
}

/// The statements that `sqlcmd` is given with `-Q` or `-q`, at their places in the text, all else
/// blank; any other text as it is.
pub(super) fn without_sqlcmd(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let program = first.rsplit(['\\', '/']).next().unwrap_or_default().trim_matches('"');
    let stem = program.get(..6).unwrap_or_default();
    if !stem.eq_ignore_ascii_case("sqlcmd") {
        return text.to_string();
    }
    let blank = |part: &str| part.chars().map(blank_of).collect::<String>();
    let Some((begin, end)) = query(text) else { return blank(text) };
    let (before, inner, after) = (text.get(..begin), text.get(begin..end), text.get(end..));
    let [before, inner, after] = [before, inner, after].map(Option::unwrap_or_default);
    blank(before) + inner + &blank(after)
}

/// A blank as many bytes long as the character, so that places stay what they are.
fn blank_of(character: char) -> String {
    match character {
        '\n' | '\r' => character.to_string(),
        other => " ".repeat(other.len_utf8()),
    }
}

/// The bytes of what stands in quotes after `-Q` or `-q`.
fn query(text: &str) -> Option<(usize, usize)> {
    let mut is_quoted = false;
    let mut before = [' ', ' '];
    let mut is_next = false;
    for (at, character) in text.char_indices() {
        if character == '"' {
            if is_next && !is_quoted {
                let begin = at + 1;
                let rest = text.get(begin..)?;
                let end = rest.rfind('"').filter(|_| rest.matches('"').count() == 1);
                let end = end.or_else(|| closing(rest)).unwrap_or(rest.len());
                return Some((begin, begin + end));
            }
            is_quoted = !is_quoted;
        } else if !character.is_whitespace() {
            is_next = !is_quoted && before == [' ', '-'] && matches!(character, 'Q' | 'q');
        }
        let seen = if character.is_whitespace() { ' ' } else { character };
        before = [before[1], seen];
    }
    None
}

/// Where the quote closes: one that is not doubled.
fn closing(text: &str) -> Option<usize> {
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        if sign == '"' && signs.next_if(|(_, next)| *next == '"').is_none() {
            return Some(at);
        }
    }
    None
}
