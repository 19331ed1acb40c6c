//! Entries that somebody hands over by hand: `flush -m TEXT` and `flush -`.

use crate::capture::text;
use crate::memory::entry::{self, Kind};
use crate::memory::topics::label;

/// The most characters of a topic that is made from the first words of an entry.
const TOPIC_LIMIT: usize = 60;

/// An entry as it stands in a log: a typed heading, a blank line, the words. `None` if nothing is said.
///
/// With `keep_headings`, words that begin with a heading are taken as they are, except for lines that
/// would read as our markers.
pub fn entry(
    words: &str,
    topic: Option<&str>,
    kind: Option<Kind>,
    keep_headings: bool,
) -> Option<String> {
    let words = words.trim_matches(['\n', '\r', ' ', '\t', '\u{feff}']);
    if words.is_empty() {
        return None;
    }
    let body =
        if keep_headings { with_headings(words) } else { bulleted(text::escape_markdown(words)) };
    if keep_headings && words.lines().next().is_some_and(|line| entry::heading(line).is_some()) {
        return Some(body + "\n");
    }
    let topic = topic.map(one_line).filter(|topic| !topic.is_empty());
    let topic = topic.unwrap_or_else(|| first_words(words));
    let kind = kind.unwrap_or(Kind::Project);
    Some(format!("## {topic} [{kind}]\n\n{body}\n"))
}

/// `decision: …` as a bullet: nothing else is a decision to a digest.
fn bulleted(body: String) -> String {
    if body.contains("```") || body.contains("~~~") {
        return body;
    }
    let lines = body.lines().map(|line| {
        let bullet = format!("- {line}");
        let begins = line.starts_with(char::is_alphabetic) || line.starts_with("**");
        if begins && label(&bullet).is_some() { bullet } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn with_headings(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for line in words.lines() {
        if line.trim_start().starts_with(text::MARKER) {
            out.push('\\');
        }
        out.push_str(line.trim_end_matches('\r'));
        out.push('\n');
    }
    let kept = out.trim_end().len();
    out.truncate(kept);
    text::close_fence(&mut out);
    out
}

/// A heading's text: one line, no marks that would make it another heading.
fn one_line(topic: &str) -> String {
    let words: Vec<&str> = topic.split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
    line.trim_matches(['#', ' ']).to_owned()
}

/// What an entry is about, for want of anything better: its first words.
fn first_words(words: &str) -> String {
    let line = words.lines().find(|line| line.chars().any(char::is_alphanumeric));
    let line = one_line(line.unwrap_or("Note"));
    let bullet = format!("- {}", line.trim_start_matches(['-', '*', ' ']));
    let line = label(&bullet).map_or(line.as_str(), |(_, text)| text);
    let line = line.trim_matches(['-', '*', '`', '_', '>', ' ']);
    let end = line.find(['.', ':', ';', '!', '?', '。']).filter(|end| *end > 2);
    let line = &line[..end.unwrap_or(line.len())];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_get_a_heading_with_a_type() {
        fn check(words: &str, topic: Option<&str>, kind: Option<Kind>, expect: &str) {
            assert_eq!(entry(words, topic, kind, false).as_deref(), Some(expect), "{words}");
        }
        check("use tabs", Some("Style"), Some(Kind::Feedback), "## Style [feedback]\n\nuse tabs\n");
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
            Some(Kind::Feedback),
            "## Style [feedback]\n\n- rule: tabs\nas ever\n- why: habit\n",
        );
        check("---", None, None, "## Note [project]\n\n\\---\n");
        assert_eq!(entry(" \n", None, None, false), None);
    }

    #[test]
    fn headings_from_stdin_are_kept() {
        fn check(words: &str, expect: &str) {
            assert_eq!(entry(words, None, None, true).as_deref(), Some(expect), "{words}");
        }
        check("## A [user]\n- x\r\n\n## B\n- y\n", "## A [user]\n- x\n\n## B\n- y\n");
        check("plain\n## inner", "## plain [project]\n\nplain\n## inner\n");
        check(
            "## A\n<!-- hipocampus:end s 3 -->\n```\nx",
            "## A\n\\<!-- hipocampus:end s 3 -->\n```\nx\n```\n",
        );
    }
}
