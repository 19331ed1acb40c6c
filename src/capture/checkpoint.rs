//! Entries saved by hand: `flush -m TEXT` and `flush -`.

use crate::markdown::escape;
use crate::markdown::lead;
use crate::markdown::marker::MARKER;
use crate::meaning::extract::label;
use crate::memory::entry::{self, EntryType};

/// The most characters of a topic that is made from the first words of an entry.
const TOPIC_LIMIT: usize = 60;

/// The labels: what a line of an entry may begin with, before a colon.
const LABELS: [&str; 14] = [
    "request",
    "analysis",
    "references",
    "files",
    "decision",
    "decisions",
    "outcome",
    "work done",
    "pending",
    "next",
    "blocked",
    "rule",
    "why",
    "how-to-apply",
];

/// Characters around the words of an entry that do not belong to them.
const AROUND: [char; 5] = ['\n', '\r', ' ', '\t', '\u{feff}'];

/// An entry as it is in a log: a typed heading, a blank line, the words. `None` if nothing is said.
pub(crate) fn entry(words: &str, topic: Option<&str>, kind: Option<EntryType>) -> Option<String> {
    let words = words.trim_matches(AROUND);
    let body = bulleted(escape::escape(words));
    (!words.is_empty()).then(|| format!("{}{body}\n", head(words, topic, kind)))
}

/// The same with headings kept: words that begin with one are taken as they are, except for lines that would read
/// as our markers. Bytes that are not UTF-8 stay.
pub(crate) fn entry_with_headings(
    words: &[u8],
    topic: Option<&str>,
    kind: Option<EntryType>,
) -> Option<Vec<u8>> {
    let words = trimmed(words);
    let mut entry = if begins_with_a_heading(words) {
        String::new()
    } else {
        // A topic is for reading.
        head(&String::from_utf8_lossy(words).replace(char::REPLACEMENT_CHARACTER, ""), topic, kind)
    }
    .into_bytes();
    entry.extend(with_headings(words));
    entry.push(b'\n');
    (!words.is_empty()).then_some(entry)
}

/// Whether words bring their own heading.
pub(crate) fn begins_with_a_heading(words: &[u8]) -> bool {
    let first = trimmed(words).split(|byte| *byte == b'\n').next().unwrap_or_default();
    entry::heading(String::from_utf8_lossy(first).trim_end_matches('\r')).is_some()
}

fn trimmed(words: &[u8]) -> &[u8] {
    let space = |byte: &u8| b"\n\r \t".contains(byte);
    let mut words = words;
    loop {
        let before = words.len();
        words = words.strip_prefix("\u{feff}".as_bytes()).unwrap_or(words);
        words = words.strip_suffix("\u{feff}".as_bytes()).unwrap_or(words);
        words = &words[words.iter().position(|byte| !space(byte)).unwrap_or(words.len())..];
        words = &words[..words.iter().rposition(|byte| !space(byte)).map_or(0, |at| at + 1)];
        if words.len() == before {
            return words;
        }
    }
}

/// The heading of an entry and the blank line below it.
fn head(words: &str, topic: Option<&str>, kind: Option<EntryType>) -> String {
    let topic = topic.map(one_line).filter(|topic| !topic.is_empty());
    let topic = topic.unwrap_or_else(|| first_words(words));
    let kind = kind.unwrap_or(EntryType::Project);
    format!("## {topic} [{kind}]\n\n")
}

/// `decision: …` as a bullet: nothing else is a decision to an extract.
fn bulleted(body: String) -> String {
    if body.contains("```") || body.contains("~~~") {
        return body;
    }
    let lines = body.lines().map(|line| {
        let bullet = format!("- {line}");
        let begins = line.starts_with(char::is_alphabetic) || line.starts_with("**");
        if begins && known_label(&bullet).is_some() { bullet } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text after one of the [`LABELS`] of a bullet.
fn known_label(bullet: &str) -> Option<&str> {
    let (name, text) = label(bullet)?;
    LABELS.iter().any(|known| name.eq_ignore_ascii_case(known)).then_some(text)
}

fn with_headings(words: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(words.len());
    for line in words.split(|byte| *byte == b'\n') {
        let end = line.iter().rposition(|byte| *byte != b'\r').map_or(0, |at| at + 1);
        let mut said = &line[..end];
        let seen = String::from_utf8_lossy(said);
        let (ahead, marker) = lead::split(&seen);
        if marker.starts_with(MARKER) {
            // A lead has no broken characters, so it is as long in the line as in what is seen of it.
            let (lead, rest) = said.split_at(ahead.len());
            out.extend_from_slice(lead);
            out.push(b'\\');
            said = rest;
        }
        out.extend_from_slice(said);
        out.push(b'\n');
    }
    out.truncate(out.trim_ascii_end().len());
    // A fence is made of letters that no other bytes change.
    let mut seen = String::from_utf8_lossy(&out).into_owned();
    let before = seen.len();
    escape::close_fence(&mut seen);
    out.extend_from_slice(&seen.as_bytes()[before..]);
    out
}

/// A heading's text: one line, no marks that would make it another heading.
fn one_line(topic: &str) -> String {
    let words: Vec<&str> = topic.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
    line.trim_matches(['#', ' ']).to_owned()
}

/// The topic of an entry without one: its first words.
fn first_words(words: &str) -> String {
    let line = words.lines().find(|line| line.chars().any(char::is_alphanumeric));
    let line = one_line(line.unwrap_or("Note"));
    let bullet = format!("- {}", line.trim_start_matches(['-', '*', ' ']));
    let line = known_label(&bullet).unwrap_or(&line);
    let line = line.trim_matches(['-', '*', '`', '_', '>', ' ']);
    let line = &line[..end_of_sentence(line)];
    let mut topic = String::new();
    for word in line.split(' ') {
        if !topic.is_empty() && topic.chars().count() + word.chars().count() >= TOPIC_LIMIT {
            break;
        }
        if !topic.is_empty() {
            topic.push(' ');
        }
        topic.extend(word.chars().take(TOPIC_LIMIT));
    }
    if topic.is_empty() { "Note".to_owned() } else { topic }
}

/// Where the first sentence of a line ends; a point within a number, a path or a name does not.
fn end_of_sentence(line: &str) -> usize {
    let ends = line.char_indices().filter(|(at, mark)| {
        let rest = &line[at + mark.len_utf8()..];
        *mark == '。'
            || matches!(mark, '.' | ';' | '!' | '?') && (rest.is_empty() || rest.starts_with(' '))
    });
    let mut ends = ends.map(|(at, _)| at);
    ends.find(|at| *at > 2).unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_get_a_heading_with_a_type() {
        fn check(words: &str, topic: Option<&str>, kind: Option<EntryType>, expect: &str) {
            assert_eq!(entry(words, topic, kind).as_deref(), Some(expect), "{words}");
        }
        check(
            "use tabs",
            Some("Style"),
            Some(EntryType::Feedback),
            "## Style [feedback]\n\nuse tabs\n",
        );
        check(
            "Chose SQLite. It is small.",
            None,
            None,
            "## Chose SQLite [project]\n\nChose SQLite. It is small.\n",
        );
        check("# a\n## b", Some("#  x\ny"), None, "## x y [project]\n\n\\# a\n\\## b\n");
        check(
            "decision: SQLite, it is small",
            None,
            None,
            "## SQLite, it is small [project]\n\n- decision: SQLite, it is small\n",
        );
        check(
            "rule: tabs\nas ever\n- why: habit",
            Some("Style"),
            Some(EntryType::Feedback),
            "## Style [feedback]\n\n- rule: tabs\nas ever\n- why: habit\n",
        );
        check("---", None, None, "## Note [project]\n\n\\---\n");
        assert_eq!(entry(" \n", None, None), None);
        assert_eq!(entry_with_headings(b" \n\xef\xbb\xbf", None, None), None);
    }

    #[test]
    fn headings_from_stdin_are_kept() {
        fn check(words: impl AsRef<[u8]>, expect: impl AsRef<[u8]>) {
            let made = entry_with_headings(words.as_ref(), None, None).unwrap();
            assert_eq!(made.escape_ascii().to_string(), expect.as_ref().escape_ascii().to_string());
        }
        check(b"## A \xe9\n- \xff x \xf0\x9f", b"## A \xe9\n- \xff x \xf0\x9f\n");
        check(
            b"caf\xe9 au lait\n```\n\xff",
            b"## caf au lait [project]\n\ncaf\xe9 au lait\n```\n\xff\n```\n",
        );
        check("\u{feff}\n## A\n- x", "## A\n- x\n");
        check("## A [user]\n- x\r\n\n## B\n- y\n", "## A [user]\n- x\n\n## B\n- y\n");
        check("plain\n## inner", "## plain [project]\n\nplain\n## inner\n");
        check(
            "## A\n \u{feff}<!-- hipocampus:end s 3 -->",
            "## A\n \u{feff}\\<!-- hipocampus:end s 3 -->\n",
        );
        check(
            "## A\n<!-- hipocampus:end s 3 -->\n```\nx",
            "## A\n\\<!-- hipocampus:end s 3 -->\n```\nx\n```\n",
        );
    }
}
