//! What a client's own model wrote about a session when its context was shortened: the session's summary.
//!
//! Kept without what is not news to a memory: what the client says around it, its code blocks, and its list of the
//! user's messages, which are in the log themselves.

use std::borrow::Cow;

use super::entries;
use crate::markdown::fence;
use crate::text::bounded;

/// The most bytes of a summary that are kept.
pub(crate) const LIMIT: usize = 16 * 1024;

/// What is before a summary, in the words of the clients. What is before it belongs to the client.
const BEFORE: [&str; 4] = [
    "\nSummary:\n",
    "use the information in this summary to assist with your own analysis:\n",
    "was compacted into the following summary:\n",
    "The summary below covers the earlier portion of the conversation.\n",
];
/// What follows it.
const BEHIND: [&str; 4] = [
    "\nIf you need specific details from before compaction",
    "\nPlease continue the conversation from where we left it off",
    "\nContinue the conversation from where it left off",
    "\nThe messages after this summary are the most recent messages",
];

/// The summary in what a client recorded; `None` where nothing is left of it.
pub(crate) fn summary(recorded: &str) -> Option<String> {
    let mut text = recorded.trim();
    for mark in BEFORE {
        text = text.find(mark).map_or(text, |at| &text[at + mark.len()..]);
    }
    for mark in BEHIND {
        text = text.find(mark).map_or(text, |at| &text[..at]);
    }
    let text = without_part(text, "analysis");
    let text = without_part(&text, "system-reminder");
    let text = without_tags(&text);
    let text = without_code(&text);
    let text = without_messages(&text);
    let text = text.trim();
    (!text.is_empty()).then(|| match entries::section(text) {
        // What was asked for is worth more than the rest.
        Some(at) if text.len() > LIMIT && text.len() - at < LIMIT / 2 => {
            let (rest, asked) = text.split_at(at);
            format!("{}\n\n{asked}", bounded(rest, LIMIT - asked.len(), 0))
        }
        _ => bounded(text, LIMIT, 0),
    })
}

/// Without what is between `<tag>` and `</tag>`.
fn without_part<'a>(text: &'a str, tag: &str) -> Cow<'a, str> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut kept = Cow::Borrowed(text);
    while let Some(from) = kept.find(&open) {
        let Some(to) = kept[from..].find(&close) else { break };
        kept = Cow::Owned(format!("{}{}", &kept[..from], &kept[from + to + close.len()..]));
    }
    kept
}

fn without_tags(text: &str) -> String {
    ["<summary>", "</summary>", "<conversation-summary>", "</conversation-summary>"]
        .iter()
        .fold(text.to_owned(), |text, tag| text.replace(tag, ""))
}

fn without_code(text: &str) -> String {
    let code = fence::code_lines(text);
    let is_code = |place: usize| code.get(place).is_some_and(|code| *code);
    let kept = text.lines().enumerate().filter(|(place, _)| !is_code(*place));
    kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// Sections that repeat the session, which is in the log already: Claude Code's list, and two of OpenClaw's.
const REPEATED: [&str; 3] =
    ["all user messages", "latest user request context", "recent turns preserved verbatim"];

/// Without the sections that repeat what was said.
fn without_messages(text: &str) -> String {
    let mut kept = Vec::new();
    let mut level = None;
    for line in text.lines() {
        let heading = section(line);
        if let (Some(skipped), Some((found, _))) = (level, heading)
            && found <= skipped
        {
            level = None;
        }
        if let Some((found, name)) = heading
            && level.is_none()
            && REPEATED.iter().any(|repeated| name.to_lowercase().contains(repeated))
        {
            level = Some(found);
        }
        if level.is_none() {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// The level and the name of a line that begins a section: `6. All user messages:`, `## Pending`, `**Decisions**`. A
/// numbered one ranks below every heading.
fn section(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    if (1..=6).contains(&level) && text.starts_with(' ') {
        return Some((level, text.trim()));
    }
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = line.len() - digits.len();
    let name = digits.strip_prefix(". ").filter(|_| (1..=2).contains(&number));
    // An item of a list within a section ends like a sentence, or is indented.
    let name = name.filter(|name| name.trim_end().ends_with([':', '*']));
    let bold = || line.strip_prefix("**").filter(|rest| rest.trim_end_matches(':').ends_with("**"));
    name.or_else(bold).map(|name| (7, name.trim_matches(['*', ':', ' '])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_what_the_model_wrote() {
        fn check(recorded: &str, expect: Option<&str>) {
            assert_eq!(summary(recorded).as_deref(), expect, "{recorded}");
        }
        let claude = "This session is being continued from a previous conversation that ran out of context. The summary \
            below covers the earlier portion of the conversation.\n\n<system-reminder>\nx\n</system-reminder>\nSummary:\n\
            1. Primary Request and Intent:\n   Cache the budgets.\n\n3. Files:\n```rust\nfn x() {}\n```\n   - a.rs\n\n\
            6. All user messages:\n   - \"cache\"\n   1. yes\n\n7. Pending Tasks:\n   - none\n\n\
            If you need specific details from before compaction (like exact code), read the full transcript at: /x";
        let expect = "1. Primary Request and Intent:\n   Cache the budgets.\n\n3. Files:\n   - a.rs\n\n7. Pending Tasks:\n   - none";
        check(claude, Some(expect));
        check(
            "<analysis>long\nthoughts</analysis>\n<summary>\nCached.\n</summary>",
            Some("Cached."),
        );
        let codex = "Another language model started to solve this problem. Here is the summary, use the information in \
            this summary to assist with your own analysis:\nCached.";
        check(codex, Some("Cached."));
        check(
            "## Goal\nx\n## All user messages\n- a\n### b\n- c\n## Next\ny",
            Some("## Goal\nx\n## Next\ny"),
        );
        let openclaw = "## Latest user request context\n\"go on\"\n\n## Decisions\nCache it.\n\n\
            ## Recent turns preserved verbatim\n- User: go on\n- Tool result (exec): rows";
        check(openclaw, Some("## Decisions\nCache it."));
        check("<analysis>only</analysis>", None);
        check("", None);
    }

    #[test]
    fn a_long_summary_is_cut_at_a_line() {
        let long = "a line of a summary\n".repeat(2_000);
        let cut = summary(&long).unwrap();
        assert!(cut.len() <= LIMIT + 40 && cut.len() > LIMIT - 40, "{}", cut.len());
        assert!(cut.ends_with("more bytes)"));
        // The entries that were asked for stay.
        let cut = summary(&format!("{long}## Memory entries\n### A [user]\n- x\n")).unwrap();
        assert!(cut.len() <= LIMIT + 40 && cut.ends_with("### A [user]\n- x"), "{}", cut.len());
    }
}
