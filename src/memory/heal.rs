//! Which nodes without a fingerprint are the npm tool's machine work: "The npm tool's work" in
//! `spec/compaction.md`.
//!
//! Such a node holds nothing that is not elsewhere too: it is empty, or a placeholder, or a copy of
//! raw logs and of daily nodes. It may be rebuilt, even if it says fixed. Any doubt makes it a model's.

use std::sync::Arc;

use crate::memory::period::{Level, looks_like_a_label};

/// The texts a copied day may have come from, by its label: its raw logs, and its daily node's body as it
/// stands. The npm tool took any `dddd-dd-dd` for a day.
pub(crate) type Originals<'a> = dyn FnMut(&str) -> Vec<Arc<[u8]>> + 'a;

/// Whether the body of a file without fingerprint is the npm tool's machine work: whether every line of it stands, in
/// this order, in the day it is filed under. `label` is the file's name
/// without `.md`, whether it is a period or not.
pub(crate) fn is_npm_work(
    body: &[u8],
    level: Level,
    label: &str,
    originals: &mut Originals<'_>,
) -> bool {
    let lines: Vec<&[u8]> = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let last = lines.iter().rposition(|line| !line.is_empty());
    let mut day = (level == Level::Daily).then(|| Copied::new(originals(label)));
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        if level != Level::Daily
            && let Some((label, after)) = copied_node(&lines, index, last)
        {
            day = (label.len() == DAY).then(|| Copied::new(originals(label)));
            index = after;
            continue;
        }
        let cut = Some(index) == last;
        let stands = line.is_empty()
            || *line == b"[REDACTED: secret detected]"
            || is_placeholder(line, cut)
            || day.as_mut().is_some_and(|day| day.goes_on_with(line, cut));
        if !stands {
            return false;
        }
        index += 1;
    }
    true
}

/// A line of the npm tool's two for a node it left to a model, whole or cut short. A node above such a node
/// holds a copy of them.
fn is_placeholder(line: &[u8], cut: bool) -> bool {
    let is = |whole: &str| line == whole.as_bytes() || (cut && whole.as_bytes().starts_with(line));
    is(PLACEHOLDER)
        || Level::ALL.into_iter().any(|level| {
            let lines = level.threshold();
            is(&format!("This {level} node exceeds {lines} lines and needs LLM summarization."))
        })
}

/// Whether the npm tool's placeholder still is in a text.
pub(crate) fn has_placeholder(body: &[u8]) -> bool {
    memchr::memmem::find(body, PLACEHOLDER.as_bytes()).is_some()
}

/// The placeholder's second line, the same at every level.
const PLACEHOLDER: &str = "Run hipocampus-compaction skill to generate the summary.";

/// The length of a day's label.
const DAY: usize = 10;

/// A `# PERIOD` line with the copied node's head below it, as the npm tool put nodes together; returns the
/// label and the line after the head. A cut, which ends the line `last`, may have taken any part of it.
fn copied_node<'a>(lines: &[&'a [u8]], at: usize, last: Option<usize>) -> Option<(&'a str, usize)> {
    let title = std::str::from_utf8(lines[at]).ok()?;
    if Some(at) == last && (title == "#" || title.strip_prefix("# ").is_some_and(begins_a_label)) {
        return Some(("", lines.len()));
    }
    let label = title.strip_prefix("# ").filter(|label| looks_like_a_label(label))?;
    let head = (at + 1..lines.len()).find(|index| !lines[*index].is_empty())?;
    let opens =
        |line: &[u8], index| line == b"---" || (Some(index) == last && b"---".starts_with(line));
    let typed = |line: &[u8], index| {
        line.starts_with(b"type:") || (Some(index) == last && b"type:".starts_with(line))
    };
    if !opens(lines[head], head) {
        return None;
    }
    if Some(head) != last && !typed(lines[head + 1], head + 1) {
        return None;
    }
    let end = (head + 1..lines.len()).find(|index| lines[*index] == b"---");
    Some((label, end.map_or(lines.len(), |end| end + 1)))
}

/// Whether a label was cut short, or not at all.
fn begins_a_label(text: &str) -> bool {
    text.len() <= DAY && text.bytes().all(|byte| byte.is_ascii_digit() || b"-WNa".contains(&byte))
}

/// A position in each text a day may have been copied from.
struct Copied {
    texts: Vec<(Arc<[u8]>, usize)>,
}

impl Copied {
    fn new(texts: Vec<Arc<[u8]>>) -> Self {
        Self { texts: texts.into_iter().map(|text| (text, 0)).collect() }
    }

    /// Whether the line comes next in one of the texts, other lines skipped. A text in which it is not
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

    const LOG: &str = "# 2026-06-01\n\n## Topic [project]\n- a\n- secret\n- b\n";

    fn check(level: Level, label: &str, body: &str, expect: bool) {
        let mut originals = |day: &str| {
            let text = if day == "2026-06-01" || day == "2026-13-45" { LOG } else { "" };
            vec![Arc::from(text.as_bytes())]
        };
        let found = is_npm_work(body.as_bytes(), level, label, &mut originals);
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
        check(Level::Daily, "2026-06-01", LOG, true);
        check(Level::Daily, "2026-06-01", &LOG[..30], true);
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
        check(Level::Weekly, "2026-W23", &format!("\n\n# 2026-06-01\n\n{head}\n{LOG}"), true);
        check(Level::Weekly, "2026-W23", "\n\n# 2026-06-01\n\n---\ntype: dai", true);
        check(Level::Weekly, "2026-W23", &format!("\n\n# 2026-06-01\n\n{head}\nmine\n"), false);
        check(
            Level::Monthly,
            "2026-06",
            &format!("# 2026-W23\n\n{head}\n# 2026-06-01\n\n{head}\n{LOG}"),
            true,
        );
        check(Level::Weekly, "NaN-WNaN", &format!("# 2026-06-01\n\n{head}\n{LOG}"), true);
        check(Level::Weekly, "NaN-WNaN", &format!("# 2026-13-45\n\n{head}\n{LOG}"), true);
        check(Level::Daily, "2026-13-45", LOG, true);
        check(
            Level::Monthly,
            "2021-12",
            &format!("# 2021-W53\n\n{head}\n# NaN-WNaN\n\n{head}"),
            true,
        );
        for cut in ["#", "# ", "# 2026-0", "# 2026-06-01\n\n-", "# 2026-06-01\n\n---\nty"] {
            check(Level::Weekly, "2026-W23", cut, true);
        }
        check(Level::Weekly, "2026-W23", "# 2026 was a good year", false);
        check(Level::Weekly, "2026-W23", "# 2026-06-01\n\nmine\n", false);
    }
}
