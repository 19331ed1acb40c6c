//! The flowing list of topics: `auth [project], timezone [user]`.

use std::borrow::Cow;

use crate::memory::entry::Kind;

/// One line.
pub(super) fn push(text: &mut String, topics: &[(Cow<'_, str>, Kind)]) {
    for (index, (topic, kind)) in topics.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(topic);
        text.push_str(" [");
        text.push_str(kind.word());
        text.push(']');
    }
}

/// How the last line of a digest ends.
const MORE: &str = " more lines in the log)";
const ONE_MORE: &str = "(1 more line in the log)";

/// `(12 more lines in the log)`
pub(super) fn left_out(count: usize) -> String {
    if count == 1 { ONE_MORE.to_owned() } else { format!("({count}{MORE}") }
}

/// The count of such a line, also of one of an earlier version.
pub(super) fn more(line: &str) -> Option<usize> {
    if line == ONE_MORE {
        return Some(1);
    }
    let inside = line.strip_prefix('(')?;
    let count = inside.strip_suffix(MORE).or_else(|| inside.strip_suffix(" more in the sources)"));
    count?.parse().ok()
}

/// Reads a list back. `None` if not every item ends in a type, as in lists that a model writes.
pub(super) fn split(line: &str) -> Option<Vec<(&str, Kind)>> {
    let mut topics = Vec::new();
    let mut rest = line.trim();
    let mut searched = 0;
    while !rest.is_empty() {
        let close = searched + rest[searched..].find(']')?;
        let after = &rest[close + 1..];
        let typed = rest[..close]
            .rsplit_once(" [")
            .and_then(|(topic, word)| Some((topic, Kind::parse(word)?)))
            .filter(|_| after.is_empty() || after.starts_with(", "));
        match typed {
            Some(typed) => {
                topics.push(typed);
                rest = after.strip_prefix(", ").unwrap_or(after);
                searched = 0;
            }
            None => searched = close + 1,
        }
    }
    Some(topics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_as_they_were() {
        let topics = [
            ("cli: fix a, b [wip]".into(), Kind::Project),
            ("timezone".into(), Kind::User),
            ("a] b".into(), Kind::Reference),
        ];
        let mut line = String::new();
        push(&mut line, &topics);
        let back: Vec<_> = split(&line).unwrap();
        let back: Vec<_> = back.into_iter().map(|(topic, kind)| (topic.into(), kind)).collect();
        assert_eq!(back, topics);
        assert_eq!(split("auth, billing"), None);
        assert_eq!(split("auth [project], billing"), None);
        assert_eq!(split(""), Some(Vec::new()));
    }
}
