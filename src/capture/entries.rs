//! Entries that a client's model wrote at the end of a summary, because it was asked to: the free summaries.

use crate::memory::entry::{self, EntryType};

/// What is asked of a model that shortens a session. At most 60 tokens.
pub(crate) const ASK: &str = "End the summary with a section `## Memory entries`: for each decision, result, rule or preference `### Topic [project|feedback|user|reference]` and bullets with the reasons. No secrets.";
/// The section, in lower case.
const SECTION: &str = "memory entries";
/// The most entries that are taken.
const MOST: usize = 40;

/// The title of a line that is a heading of any level, bold or numbered, and that level.
fn title(line: &str) -> Option<(usize, &str)> {
    let line = line.trim().trim_start_matches('\\');
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    if (1..=6).contains(&level) && text.starts_with(' ') {
        return Some((level, text.trim()));
    }
    let bold =
        line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    let numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix(". ").filter(|_| rest.len() < line.len() && line.ends_with(':'))
    };
    bold.or_else(numbered).map(|text| (7, text.trim_matches(['*', ':', ' '])))
}

fn is_section(title: &str) -> bool {
    let name = title.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    name.trim_matches(['*', ':', '`', ' ']).eq_ignore_ascii_case(SECTION)
}

/// Where the section begins in a summary, in bytes; the last one counts.
pub(crate) fn section(summary: &str) -> Option<usize> {
    let mut at = 0;
    let mut found = None;
    for line in summary.split_inclusive('\n') {
        if title(line).is_some_and(|(_, title)| is_section(title)) {
            found = Some(at);
        }
        at += line.len();
    }
    found
}

/// The entries at the end of a summary, as they are in a log: each with a heading and what belongs below it. The
/// summary is redacted and escaped already. `None` where there are none.
pub(crate) fn entries(summary: &str) -> Option<String> {
    let from = section(summary)?;
    let mut lines = summary[from..].lines();
    let (level, _) = title(lines.next()?)?;
    let mut entries: Vec<(String, Vec<&str>)> = Vec::new();
    for line in lines {
        if let Some((found, title)) = title(line) {
            match typed(title) {
                Some(heading) => entries.push((heading, Vec::new())),
                None if found <= level => break,
                None => entries.push((format!("## {} [project]", plain(title)), Vec::new())),
            }
            continue;
        }
        let bullet = line.trim().strip_prefix("- ").unwrap_or_default();
        let own = bullet.split_once(": ").and_then(|(topic, text)| Some((typed(topic)?, text)));
        match (own, entries.last_mut()) {
            (Some((heading, text)), _) => entries.push((heading, vec![text])),
            (None, Some((_, lines))) if !line.trim().is_empty() => lines.push(line),
            (None, _) => {}
        }
    }
    entries.retain(|(_, lines)| !lines.is_empty());
    entries.truncate(MOST);
    let mut out = String::new();
    for (heading, lines) in &entries {
        out.push('\n');
        out.push_str(heading);
        out.push('\n');
        for line in lines {
            let line = line.trim_end();
            let is_item = line.trim_start().starts_with(['-', '*']) || line.starts_with("  ");
            out.push_str(if is_item { "" } else { "- " });
            out.push_str(line);
            out.push('\n');
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The heading of an entry, of `Topic [type]`.
fn typed(title: &str) -> Option<String> {
    let title = title.trim().trim_matches(['*', '`', ':']).trim();
    let (topic, rest) = title.rsplit_once(" [").or_else(|| {
        // `[feedback] Topic`
        let (kind, topic) = title.strip_prefix('[')?.split_once("] ")?;
        Some((topic, kind))
    })?;
    let kind = EntryType::parse(rest.trim_end_matches(']'))?;
    let heading = format!("## {} [{kind}]", plain(topic));
    entry::heading(&heading).is_some().then_some(heading)
}

fn plain(topic: &str) -> String {
    topic.trim().trim_start_matches(['#', '\\', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tokens::count;

    #[test]
    fn what_is_asked_is_short() {
        assert!(count(ASK) <= 60, "{}", count(ASK));
    }

    #[test]
    fn entries_are_read_in_the_forms_that_models_give_them() {
        #[track_caller]
        fn check(summary: &str, expect: Option<&str>) {
            assert_eq!(entries(summary).as_deref(), expect, "{summary}");
        }
        let two = "\n## Auth [project]\n- decision: cookies, because of the proxy\n\n## Style [feedback]\n- rule: terse\n- why: time\n";
        check(
            "1. Intent:\n   x\n\n\\## Memory entries\n\n\\### Auth [project]\n- decision: cookies, because of the proxy\n\n\\### Style [feedback]\n- rule: terse\n- why: time\n",
            Some(two),
        );
        check(
            "10. Memory entries:\n**Auth [project]**\n- decision: cookies, because of the proxy\n**Style [Feedback]:**\n- rule: terse\n- why: time\n",
            Some(two),
        );
        check(
            "**Memory entries**\n- Auth [project]: decision: cookies\n- Style [feedback]: terse\n",
            Some("\n## Auth [project]\n- decision: cookies\n\n## Style [feedback]\n- terse\n"),
        );
        // What follows does not belong to it, and an empty one does not count.
        check("## Memory entries\n### A [user]\n- x\n## Next\n- y\n", Some("\n## A [user]\n- x\n"));
        check("## Memory entries\n### A [user]\n\n", None);
        check("we talked about memory entries\n", None);
        check("", None);
    }
}
