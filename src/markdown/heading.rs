//! Headings, and the heading of a session.

use super::lead;

/// The level of an ATX heading, 1 to 6, and its text. What indents it by four columns makes it code.
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let (lead, text) = lead::split(line);
    if !text.starts_with('#') || lead::columns(lead) > 3 {
        return None;
    }
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let set_off = rest.is_empty() || rest.starts_with(lead::is_unseen);
    (level <= 6 && set_off).then(|| (level, rest.trim_matches(lead::is_unseen)))
}

/// The text of a heading that begins an entry: `## ` at the very beginning of the line, or after a byte order mark. A
/// row of `#` that closes it is no part of it.
pub(crate) fn entry(line: &str) -> Option<&str> {
    // Asked of every line, so the usual answer comes first.
    if !matches!(line.as_bytes().first(), Some(b'#' | 0xef)) {
        return None;
    }
    let line = lead::without_bom(line);
    let title = line.strip_prefix("##").filter(|rest| rest.starts_with([' ', '\t']))?.trim();
    match title.trim_end_matches('#') {
        shorter if shorter.len() < title.len() && shorter.ends_with([' ', '\t']) => {
            Some(shorter.trim())
        }
        _ => Some(title),
    }
}

/// Whether a heading of the first or second level begins a section of a file that is not a log: ROOT.md, MEMORY.md.
pub(crate) fn opens_section(line: &str) -> bool {
    line.starts_with("## ") || line.starts_with("# ") || line.trim_end() == "##"
}

/// Whether a line is the `---` around a head, or a rule.
pub(crate) fn is_rule(line: &str) -> bool {
    let (lead, text) = lead::split(line);
    text.starts_with("---")
        && text.trim_end_matches(lead::is_unseen) == "---"
        && lead::columns(lead) <= 3
}

/// The heading of a session, as the import writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionHeading<'a> {
    /// when it began, in local time: `2026-03-15 14:02:11`
    pub time: &'a str,
    /// its title as it is there; see [`super::form::read_title`]
    pub title: Option<&'a str>,
}

/// Reads `## Session — 2026-03-15 14:02:11`, with or without ` — fix the login redirect` after it.
pub(crate) fn session_heading(line: &str) -> Option<SessionHeading<'_>> {
    session_topic(lead::without_bom(line).strip_prefix("## ")?)
}

/// The same of a heading's text, without its `## `.
pub(crate) fn session_topic(topic: &str) -> Option<SessionHeading<'_>> {
    let rest = topic.strip_prefix("Session — ")?.trim_end();
    let (time, title) = rest.split_at_checked(STAMP.len())?;
    if !is_time(time) {
        return None;
    }
    match title.strip_prefix(" — ").map(str::trim) {
        Some(title) => {
            Some(SessionHeading { time, title: Some(title).filter(|title| !title.is_empty()) })
        }
        None => title
            .trim_start_matches(" —")
            .is_empty()
            .then_some(SessionHeading { time, title: None }),
    }
}

/// Whether a text is a time as it is in a log: `2026-03-15 14:02:11`.
pub(crate) fn is_time(text: &str) -> bool {
    text.len() == STAMP.len()
        && text.bytes().zip(STAMP.bytes()).all(|(byte, like)| match like {
            b'0' => byte.is_ascii_digit(),
            _ => byte == like,
        })
}

/// What a session's time looks like.
const STAMP: &str = "0000-00-00 00:00:00";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_what_markdown_takes_for_one() {
        fn check(line: &str, expect: Option<(usize, &str)>) {
            assert_eq!(heading(line), expect, "{line:?}");
        }
        check("# a", Some((1, "a")));
        check("   ###### b ", Some((6, "b")));
        check("##", Some((2, "")));
        check("##\tx", Some((2, "x")));
        check("\u{feff}## x", Some((2, "x")));
        check("\u{200b} ##\u{a0}x", Some((2, "x")));
        check("    ## code", None);
        check("\t## code", None);
        check("####### seven", None);
        check("#tag", None);
        check("#!/bin/sh", None);
        check("\\# a", None);
    }

    #[test]
    fn rules_stand_alone() {
        for rule in ["---", "--- ", "  ---\t", "\u{feff}---"] {
            assert!(is_rule(rule), "{rule:?}");
        }
        for words in ["----", "--", "--- y", "\\---", "    ---", "- --"] {
            assert!(!is_rule(words), "{words:?}");
        }
    }

    #[test]
    fn sessions_have_a_time_and_perhaps_a_title() {
        fn check(line: &str, expect: Option<(&str, Option<&str>)>) {
            let found = session_heading(line).map(|session| (session.time, session.title));
            assert_eq!(found, expect, "{line}");
        }
        let time = "2026-03-15 14:02:11";
        check(&format!("## Session — {time}"), Some((time, None)));
        check(&format!("\u{feff}## Session — {time}\r"), Some((time, None)));
        check(&format!("## Session — {time} — a — b"), Some((time, Some("a — b"))));
        check(&format!("## Session — {time} — "), Some((time, None)));
        check(&format!("## Session — {time} later"), None);
        check("## Session — 2026-03-15", None);
        check("## Session 3d0effd8", None);
        check(&format!("# Session — {time}"), None);
        check(&format!(" ## Session — {time}"), None);
    }

    #[test]
    fn a_session_may_have_a_title() {
        let found =
            session_heading("## Session — 2026-03-15 14:02:11 — fix the login redirect").unwrap();
        assert_eq!(
            (found.time, found.title),
            ("2026-03-15 14:02:11", Some("fix the login redirect"))
        );
        assert_eq!(session_heading("## Session — 2026-03-15 14:02:11").unwrap().title, None);
        assert_eq!(session_heading("## Session storage audit"), None);
    }
}
