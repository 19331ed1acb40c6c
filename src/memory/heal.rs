//! Which nodes without a fingerprint are the npm tool's machine work (2.5 of the contract).
//!
//! Such a node holds nothing that does not stand elsewhere too: it is empty, or a placeholder, or a copy of
//! raw logs and of daily nodes. It may be rebuilt, even if it says fixed. Any doubt makes it a model's.

use std::rc::Rc;

use chrono::NaiveDate;

use crate::memory::period::{Level, Period};

/// The texts a copied day may have come from: its raw logs, and its daily node's body as it stands.
pub type Originals<'a> = dyn FnMut(NaiveDate) -> Vec<Rc<[u8]>> + 'a;

/// Whether a body without fingerprint is the npm tool's machine work. `period` is `None` for a file whose
/// name is no period.
pub fn is_npm_work(body: &[u8], period: Option<Period>, originals: &mut Originals<'_>) -> bool {
    let lines: Vec<&[u8]> = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    is_placeholder(body) || is_copy(&lines, period, originals)
}

/// The npm tool's two lines for a node it left to a model, whole or cut short.
fn is_placeholder(body: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(body.trim_ascii()) else { return false };
    Level::ALL.into_iter().any(|level| {
        let whole = format!(
            "This {level} node exceeds {} lines and needs LLM summarization.\n\
             {PLACEHOLDER}",
            level.threshold()
        );
        whole.starts_with(&text.replace("\r\n", "\n"))
    })
}

/// Whether the npm tool's placeholder still stands in a text.
pub fn has_placeholder(body: &[u8]) -> bool {
    memchr::memmem::find(body, PLACEHOLDER.as_bytes()).is_some()
}

/// The placeholder's second line, the same at every level.
const PLACEHOLDER: &str = "Run hipocampus-compaction skill to generate the summary.";

/// Whether every line stands, in this order, in the day it is filed under.
fn is_copy(lines: &[&[u8]], period: Option<Period>, originals: &mut Originals<'_>) -> bool {
    let last = lines.iter().rposition(|line| !line.is_empty());
    let mut day = match period {
        Some(Period::Day(day)) => Some(Copied::new(originals(day))),
        _ => None,
    };
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        if period.is_none_or(|period| period.level() != Level::Daily)
            && let Some((label, after)) = copied_node(lines, index)
        {
            day = match label {
                Period::Day(date) => Some(Copied::new(originals(date))),
                Period::Week(_) | Period::Month(_) => None,
            };
            index = after;
            continue;
        }
        let cut = Some(index) == last;
        let stands = line.is_empty()
            || *line == b"[REDACTED: secret detected]"
            || day.as_mut().is_some_and(|day| day.goes_on_with(line, cut));
        if !stands {
            return false;
        }
        index += 1;
    }
    true
}

/// A `# PERIOD` line with the copied node's head below it, as the npm tool put nodes together; returns the
/// period and the line after the head. A cut may have taken the head or its end.
fn copied_node(lines: &[&[u8]], at: usize) -> Option<(Period, usize)> {
    let label = std::str::from_utf8(lines[at].strip_prefix(b"# ")?).ok()?;
    let period = Level::ALL.into_iter().find_map(|level| Period::parse(level, label))?;
    let next = (at + 1..lines.len()).find(|index| !lines[*index].is_empty());
    let Some(head) = next else { return Some((period, lines.len())) };
    if lines[head] != b"---" {
        return None;
    }
    let typed =
        lines.get(head + 1).is_none_or(|line| line.starts_with(b"type:") || line.is_empty());
    let end = (head + 1..lines.len()).find(|index| lines[*index] == b"---");
    typed.then(|| (period, end.map_or(lines.len(), |end| end + 1)))
}

/// A position in each text a day may have been copied from.
struct Copied {
    texts: Vec<(Rc<[u8]>, usize)>,
}

impl Copied {
    fn new(texts: Vec<Rc<[u8]>>) -> Self {
        Self { texts: texts.into_iter().map(|text| (text, 0)).collect() }
    }

    /// Whether the line comes next in one of the texts, other lines skipped. A text in which it does not is
    /// out of the running.
    fn goes_on_with(&mut self, line: &[u8], cut: bool) -> bool {
        self.texts.retain_mut(|(text, at)| {
            let mut from = *at;
            while from < text.len() {
                let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |n| from + n);
                let found = text[from..end].trim_ascii_end();
                from = end + 1;
                if found == line || (cut && found.starts_with(line)) {
                    *at = from;
                    return true;
                }
            }
            false
        });
        !self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: &str = "# 2026-06-01\n\n## Topic [project]\n- a\n- secret\n- b\n";

    fn check(level: Level, label: &str, body: &str, expect: bool) {
        let mut originals = |day: NaiveDate| {
            let text = if day.to_string() == "2026-06-01" { DAY } else { "" };
            vec![Rc::from(text.as_bytes())]
        };
        let found = is_npm_work(body.as_bytes(), Period::parse(level, label), &mut originals);
        assert_eq!(found, expect, "{body:?}");
    }

    #[test]
    fn empty_nodes_and_placeholders_are_the_tools() {
        check(Level::Daily, "2026-06-01", "", true);
        check(Level::Daily, "2026-06-01", "\n\n", true);
        let placeholder = "This weekly node exceeds 300 lines and needs LLM summarization.\nRun hipocampus-compaction skill to generate the summary.\n";
        check(Level::Weekly, "2026-W23", placeholder, true);
        check(Level::Weekly, "2026-W23", &placeholder[..40], true);
        check(Level::Weekly, "2026-W23", &format!("{placeholder}\n## Topics\nmine\n"), false);
    }

    #[test]
    fn copies_are_the_tools_and_anything_else_is_not() {
        check(Level::Daily, "2026-06-01", DAY, true);
        check(Level::Daily, "2026-06-01", &DAY[..30], true);
        check(
            Level::Daily,
            "2026-06-01",
            "## Topic [project]\n[REDACTED: secret detected]\n- b\n",
            true,
        );
        check(Level::Daily, "2026-06-01", "- b\n- a\n", false);
        check(Level::Daily, "2026-06-01", "- a\n- my own thought\n", false);
        check(Level::Daily, "2026-06-02", "- a\n", false);
        let head = "---\ntype: daily\nstatus: fixed\ntopics: []\n---\n";
        check(Level::Weekly, "2026-W23", &format!("\n\n# 2026-06-01\n\n{head}\n{DAY}"), true);
        check(Level::Weekly, "2026-W23", "\n\n# 2026-06-01\n\n---\ntype: dai", true);
        check(Level::Weekly, "2026-W23", &format!("\n\n# 2026-06-01\n\n{head}\nmine\n"), false);
        check(
            Level::Monthly,
            "2026-06",
            &format!("# 2026-W23\n\n{head}\n# 2026-06-01\n\n{head}\n{DAY}"),
            true,
        );
        check(Level::Weekly, "NaN-WNaN", &format!("# 2026-06-01\n\n{head}\n{DAY}"), true);
    }
}
