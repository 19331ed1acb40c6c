//! Lines of a session block that say something about the session and are nobody's words in it.

use std::borrow::Cow;

/// Such a line, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form<'a> {
    /// `**Title:** fix the login redirect`: the session's title, learnt after its heading was written
    Title(&'a str),
    /// `**Summary:** …`: the client's summary of what was said before; the lines below it, up to the next label, form
    /// or marker, belong to it
    Summary(&'a str),
    /// `[files: src/a.rs, src/b.rs]`: what was changed; see [`items`]
    Files(&'a str),
    /// `[commit: fix the login redirect]`: the subject of a commit
    Commit(&'a str),
    /// `[branch: feat/x]`: what was worked on
    Branch(&'a str),
    /// `[tools: Bash ×3, Edit]`: what was called; see [`items`]
    Tools(&'a str),
    /// `[cut: 12 more bytes]`: what was left out
    Cut(&'a str),
}

/// How a title begins that was learnt later.
pub(crate) const TITLE: &str = "**Title:**";
/// How a client's summary begins.
pub(crate) const SUMMARY: &str = "**Summary:**";

/// How the lines in brackets begin.
const BRACKETS: [&str; 5] = ["[files: ", "[commit: ", "[branch: ", "[tools: ", "[cut: "];

/// The most characters of a session's title.
pub(crate) const TITLE_LIMIT: usize = 80;

/// Reads a line of a block, without its line ending. Only what is at the very beginning of the line counts.
pub(crate) fn form(line: &str) -> Option<Form<'_>> {
    // Asked of every line, so the usual answer comes first.
    match line.as_bytes().first() {
        Some(b'*') => {
            let title = line.strip_prefix(TITLE).map(|text| Form::Title(text.trim()));
            title.or_else(|| Some(Form::Summary(line.strip_prefix(SUMMARY)?.trim())))
        }
        Some(b'[') => {
            let line = line.trim_end();
            let at = BRACKETS.iter().position(|begins| line.starts_with(begins))?;
            let text = &line[BRACKETS[at].len()..];
            let closed = text.strip_suffix(']');
            match at {
                0 => closed.map(Form::Files),
                1 => closed.map(Form::Commit),
                2 => closed.map(Form::Branch),
                3 => Some(Form::Tools(closed.unwrap_or(text))),
                _ => Some(Form::Cut(closed.unwrap_or(text))),
            }
        }
        _ => None,
    }
}

/// The items of a list in brackets.
pub(crate) fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(", ").map(str::trim).filter(|item| !item.is_empty())
}

/// Whether the text of a line, without what is before it, begins as one of these.
pub(crate) fn begins_as_form(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'*') => text.starts_with(TITLE) || text.starts_with(SUMMARY),
        // Also without the blank: what is cut off or trimmed must not turn into one.
        Some(b'[') => BRACKETS.iter().any(|begins| text.starts_with(begins.trim_end())),
        _ => false,
    }
}

/// What stands behind the title of a session of which only the person's words are left.
pub(crate) const PROMPTS_ONLY: &str = "[prompts only]";

/// A title as it is in a heading or behind [`TITLE`]: one line of at most [`TITLE_LIMIT`] characters, its brackets
/// escaped, so that `[user]` at its end is no type. [`PROMPTS_ONLY`] stays as it is.
pub(crate) fn write_title(words: &str) -> String {
    match words.trim_end().strip_suffix(PROMPTS_ONLY) {
        Some(words) => {
            let mark = PROMPTS_ONLY.len() + 1;
            format!("{} {PROMPTS_ONLY}", escaped(words, TITLE_LIMIT - mark)).trim_start().to_owned()
        }
        None => escaped(words, TITLE_LIMIT),
    }
}

/// A text in one line of at most so many characters, its brackets escaped.
fn escaped(words: &str, limit: usize) -> String {
    let words = words.split(|c: char| c.is_whitespace() || c.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let title = line.replace('[', "\\[").replace(']', "\\]");
    if title.chars().count() <= limit {
        return title;
    }
    let kept: String = title.chars().take(limit - 1).collect();
    let kept = kept.strip_suffix('\\').unwrap_or(&kept);
    format!("{}…", kept.trim_end())
}

/// A title without the `\` before its brackets.
pub(crate) fn read_title(title: &str) -> Cow<'_, str> {
    if !title.contains('\\') {
        return Cow::Borrowed(title);
    }
    Cow::Owned(title.replace("\\[", "[").replace("\\]", "]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_a_session_are_told_from_words() {
        fn check(line: &str, expect: Option<Form<'_>>) {
            assert_eq!(form(line), expect, "{line}");
            assert!(expect.is_none() || begins_as_form(line), "{line}");
        }
        check("**Title:** fix the login redirect", Some(Form::Title("fix the login redirect")));
        check("**Summary:** They asked for it.", Some(Form::Summary("They asked for it.")));
        check("**Summary:**", Some(Form::Summary("")));
        check("[files: src/a.rs, b]\r", Some(Form::Files("src/a.rs, b")));
        check("[commit: fix: a [b] thing]", Some(Form::Commit("fix: a [b] thing")));
        check("[branch: feat/x]", Some(Form::Branch("feat/x")));
        check("[tools: Bash ×3, Edit]", Some(Form::Tools("Bash ×3, Edit")));
        check("[cut: 12 more bytes]", Some(Form::Cut("12 more bytes")));
        for words in ["[files: and so on", " [branch: x]", "\\[branch: x]", "Title: x", "[x]", ""] {
            check(words, None);
        }
    }

    #[test]
    fn titles_take_one_line_and_no_type() {
        fn check(words: &str, expect: &str) {
            assert_eq!(write_title(words), expect, "{words}");
        }
        check("  fix\n the\tlogin ", "fix the login");
        check("about me [user]", "about me \\[user\\]");
        check("", "");
        check(&"한".repeat(80), &"한".repeat(80));
        check(&"a".repeat(81), &format!("{}…", "a".repeat(79)));
        check(&format!("{}[b]", "a".repeat(78)), &format!("{}…", "a".repeat(78)));
        assert_eq!(read_title(&write_title("a [b] c")), "a [b] c");
        assert_eq!(items("a.rs, b.rs, ").collect::<Vec<_>>(), ["a.rs", "b.rs"]);
    }

    #[test]
    fn titles_are_read_as_they_were() {
        assert_eq!(write_title("fix\nthe login [user]"), "fix the login \\[user\\]");
        assert_eq!(read_title("fix the login \\[user\\]"), "fix the login [user]");
    }

    #[test]
    fn a_line_of_a_block_is_read() {
        assert_eq!(form("**Title:** fix the login"), Some(Form::Title("fix the login")));
        assert_eq!(form("[branch: feat/x]"), Some(Form::Branch("feat/x")));
        let Some(Form::Files(list)) = form("[files: a.rs, b.rs]") else { panic!() };
        assert_eq!(items(list).collect::<Vec<_>>(), ["a.rs", "b.rs"]);
        assert_eq!(form("\\[files: a.rs]"), None);
    }
}
