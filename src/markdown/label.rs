//! The label in front of a turn: who speaks.

/// The beginning of a line with the words of the person, as the import writes it.
pub(crate) const USER: &str = "**User:**";
/// The beginning of a line with the words of the model, as the import writes it.
pub(crate) const ASSISTANT: &str = "**Assistant:**";

/// Who speaks in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Speaker {
    User,
    Assistant,
}

/// The speaker and the first words of a turn in a session's block, where nothing else is a label.
pub(crate) fn written(line: &str) -> Option<(Speaker, &str)> {
    // Asked of every line, so the usual answer comes first.
    if line.as_bytes().first() != Some(&b'*') {
        return None;
    }
    let user = line.strip_prefix(USER).map(|words| (Speaker::User, words));
    user.or_else(|| Some((Speaker::Assistant, line.strip_prefix(ASSISTANT)?)))
}

/// The longest name, in bytes.
const NAME: usize = 24;

/// The name and the first words of a turn in a session that somebody else wrote down: `User: …`, `**User:** …`,
/// `**User**: …`, `Maria: …`.
pub(crate) fn named(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("**").unwrap_or(line);
    if !line.as_bytes().first()?.is_ascii_uppercase() {
        return None;
    }
    let end = line.bytes().take(NAME).position(|byte| !byte.is_ascii_alphabetic())?;
    let (name, rest) = line.split_at(end);
    let rest = rest.strip_prefix(':').or_else(|| rest.strip_prefix("**:"))?;
    let text = rest.strip_prefix("**").unwrap_or(rest);
    (text.is_empty() || text.starts_with([' ', '\t'])).then_some((name, text))
}

/// Whether the text of a line, without what is before it, begins as the label of a person or a model in any
/// spelling.
pub(crate) fn begins_as_label(text: &str) -> bool {
    // Asked of every line, so the usual answer comes first.
    if !text.as_bytes().first().is_some_and(|byte| matches!(byte, b'*' | b'_' | b'U' | b'A')) {
        return false;
    }
    let marks = ['*', '_'];
    let text = text.trim_start_matches(marks);
    let rest = text.strip_prefix("User").or_else(|| text.strip_prefix("Assistant"));
    let rest = rest.and_then(|rest| rest.trim_start_matches(marks).strip_prefix(':'));
    rest.is_some_and(|words| !words.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_conversations_are_read() {
        fn check(line: &str, expect: Option<(&str, &str)>) {
            assert_eq!(named(line), expect, "{line}");
        }
        check("User: hi", Some(("User", " hi")));
        check("**User:** hi", Some(("User", " hi")));
        check("**Maria**: hi", Some(("Maria", " hi")));
        check("Tom:", Some(("Tom", "")));
        check("std::fs", None);
        check("Url:x", None);
        check("a: b", None);
        check(" User: hi", None);
        assert_eq!(written("**Assistant:** x"), Some((Speaker::Assistant, " x")));
        assert_eq!(written("User: x"), None);
    }

    #[test]
    fn whatever_is_read_as_a_turn_is_known_to_the_writer() {
        for line in
            ["User: x", "User:x", "**User:** x", "**User**: x", "Assistant: x", "__User:__ x"]
        {
            assert!(begins_as_label(line), "{line}");
        }
        for line in ["Users: x", "User::new()", "the User: x", "Maria: x", "", "**bold**"] {
            assert!(!begins_as_label(line), "{line}");
        }
    }
}
