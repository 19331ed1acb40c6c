//! Words that fit on a screen: moments, sizes, paths, titles, lines.

use chrono::{DateTime, FixedOffset};

use crate::text::counted;

/// The width of the screen.
pub(super) const COLUMNS: usize = 60;

/// `today 14:02`, `yesterday 14:02`, `2026-03-12, 3 days ago`.
pub(super) fn moment(at: DateTime<FixedOffset>, now: DateTime<FixedOffset>) -> String {
    let at = at.with_timezone(now.offset());
    let days = (now.date_naive() - at.date_naive()).num_days();
    match days {
        0 => format!("today {}", at.format("%R")),
        1 => format!("yesterday {}", at.format("%R")),
        2.. => format!("{}, {days} days ago", at.format("%F")),
        _ => at.format("%F %R").to_string(),
    }
}

/// `812 bytes`, `12 KB`, `3.4 MB`.
pub(super) fn bytes(count: u64) -> String {
    const KB: u64 = 1000;
    match count {
        0..KB => counted(count, "byte"),
        KB..1_000_000 => format!("{} KB", count.div_ceil(KB)),
        _ => format!("{}.{} MB", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

/// A path that is too long loses its middle: its end tells one project from another.
pub(super) fn shortened(path: &str) -> String {
    let letters: Vec<char> = path.chars().collect();
    if letters.len() <= COLUMNS {
        return path.to_owned();
    }
    let end: String = letters[letters.len() - (COLUMNS - 1)..].iter().collect();
    format!("…{end}")
}

/// A title in quotes, or none, within this many columns; the quotes stay a pair.
pub(super) fn clipped_title(title: &str, most: usize) -> String {
    if columns(title) <= most {
        return title.to_owned();
    }
    let mut kept = String::new();
    for c in title.chars() {
        if columns(&kept) + 4 > most {
            break;
        }
        kept.push(c);
    }
    let quote = if title.starts_with('"') { "\"" } else { "" };
    format!("{}…{quote}", kept.trim_end())
}

/// A text of at most this many characters.
pub(super) fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}

/// Lines of at most `width` columns. A word, and what is between back-ticks, is broken nowhere.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in words(text) {
        let room = columns(&line) + usize::from(!line.is_empty()) + columns(word);
        if room > width && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// The columns of a text: characters of Chinese, Japanese and Korean take two.
pub(crate) fn columns(text: &str) -> usize {
    let wide = |c: char| matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{1f300}'..='\u{1faff}');
    text.chars().map(|c| 1 + usize::from(wide(c))).sum()
}

/// Words, those between back-ticks as one.
pub(super) fn words(text: &str) -> Vec<&str> {
    let (mut words, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '`' => quoted = !quoted,
            ' ' if !quoted => {
                words.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_not_broken() {
        let lines = wrapped(
            "run `hipocampus compact --reopen 2026-03-15` once that is done, then look",
            30,
        );
        assert_eq!(
            lines,
            ["run", "`hipocampus compact --reopen 2026-03-15`", "once that is done, then look"]
        );
        assert_eq!(wrapped("", 10), [""]);
        assert_eq!(wrapped("가나다라 마바사", 8), ["가나다라", "마바사"]);
    }

    #[test]
    fn moments_are_told_as_people_do() {
        let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap();
        let now = at("2026-03-15T14:02:11+01:00");
        let check = |then: &str, expect: &str| assert_eq!(moment(at(then), now), expect);
        check("2026-03-15T08:00:00Z", "today 09:00");
        check("2026-03-14T23:30:00Z", "today 00:30");
        check("2026-03-14T20:00:00Z", "yesterday 21:00");
        check("2026-03-08T20:00:00Z", "2026-03-08, 7 days ago");
        check("2026-03-16T20:00:00Z", "2026-03-16 21:00");
    }

    #[test]
    fn sizes_are_round() {
        for (count, expect) in
            [(0, "0 bytes"), (812, "812 bytes"), (12_001, "13 KB"), (3_449_000, "3.4 MB")]
        {
            assert_eq!(bytes(count), expect);
        }
        assert_eq!(columns(&shortened(&format!("/home/{}/queue", "x".repeat(80)))), COLUMNS);
        assert_eq!(clipped("four words of it", 7), "four w…");
    }
}
