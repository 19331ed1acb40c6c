//! The flowing list of topics: `auth [project], timezone [user]`.

use std::borrow::Cow;

use crate::memory::entry::EntryType;

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
pub(super) fn split(line: &str) -> Option<Vec<(&str, EntryType)>> {
    let mut topics = Vec::new();
    split_behind(&mut topics, line).map(|()| topics)
}

/// The same, after other topics.
fn split_behind<'a>(topics: &mut Vec<(&'a str, EntryType)>, line: &'a str) -> Option<()> {
    let mut rest = line.trim();
    let mut searched = 0;
    while !rest.is_empty() {
        let close = searched + rest[searched..].find(']')?;
        let after = &rest[close + 1..];
        let typed = rest[..close]
            .rsplit_once(" [")
            .and_then(|(topic, word)| Some((topic, EntryType::parse(word)?)))
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
    Some(())
}

/// Reads a `## Topics` section: the machine's list, on one line or wrapped, or whatever a model made of it.
pub(crate) fn split_topics<'a>(lines: &[&'a str]) -> Vec<(Cow<'a, str>, EntryType)> {
    let full: Vec<&'a str> =
        lines.iter().map(|line| line.trim()).filter(|l| !l.is_empty()).collect();
    let borrowed = |topics: Vec<(&'a str, EntryType)>| {
        topics.into_iter().map(|(topic, kind)| (Cow::Borrowed(topic), kind)).collect()
    };
    if let [line] = full[..]
        && let Some(topics) = split(line)
    {
        return borrowed(topics);
    }
    if full.len() > 1 && !full.iter().any(|line| bullet(line).is_some()) {
        if let Some(topics) = split_between(&full) {
            return borrowed(topics);
        }
        let whole = full.join(" ");
        if let Some(topics) = split(&whole) {
            return topics
                .into_iter()
                .map(|(topic, kind)| (topic.to_owned().into(), kind))
                .collect();
        }
    }
    let mut topics = Vec::new();
    for line in full {
        let text = bullet(line).unwrap_or(line);
        match split(text) {
            Some(found) => topics.extend(borrowed(found)),
            None => topics.extend(items(text).map(|item| {
                let (topic, kind) = typed(item.trim());
                (Cow::Borrowed(topic), kind)
            })),
        }
    }
    topics
}

/// Reads a list that is wrapped between its items, as most are: what [`split`] says of its lines put together.
fn split_between<'a>(lines: &[&'a str]) -> Option<Vec<(&'a str, EntryType)>> {
    let (last, before) = lines.split_last()?;
    let mut topics = Vec::new();
    for line in before {
        split_behind(&mut topics, line.strip_suffix(',').filter(|line| !line.is_empty())?)?;
    }
    split_behind(&mut topics, last)?;
    Some(topics)
}

fn bullet(line: &str) -> Option<&str> {
    line.strip_prefix(['-', '*']).filter(|rest| rest.starts_with(' ')).map(str::trim_start)
}

/// `auth [project, 3d]` as a topic and its type.
fn typed(item: &str) -> (&str, EntryType) {
    item.strip_suffix(']')
        .and_then(|rest| rest.rsplit_once('['))
        .and_then(|(topic, word)| {
            let kind = EntryType::parse(word.split(',').next().unwrap_or(word))?;
            Some((topic.trim_end(), kind))
        })
        .unwrap_or((item.trim_end_matches(','), EntryType::Project))
}

/// What is between the commas of a list; those in brackets separate nothing.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(list);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut inside = false;
        for at in memchr::memchr3_iter(b',', b'[', b']', text.as_bytes()) {
            match text.as_bytes()[at] {
                b'[' => inside = true,
                b']' => inside = false,
                _ if inside => {}
                _ => {
                    rest = Some(&text[at + 1..]);
                    return Some(&text[..at]);
                }
            }
        }
        rest = None;
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::extract::item;

    #[test]
    fn lists_come_back_as_they_were() {
        let topics = [
            ("cli: fix a, b [wip]", EntryType::Project),
            ("timezone", EntryType::User),
            ("a] b", EntryType::Reference),
        ];
        let line = item::topics(topics.iter().map(|(topic, kind)| (*topic, *kind)));
        assert_eq!(split(&line).unwrap(), topics);
        assert_eq!(split("auth, billing"), None);
        assert_eq!(split("auth [project], billing"), None);
        assert_eq!(split(""), Some(Vec::new()));
    }

    #[test]
    fn long_lists_are_wrapped_and_come_back() {
        let names: Vec<String> =
            (0..200).map(|n| format!("the {n}th of many, many topics")).collect();
        let mut topics: Vec<(&str, EntryType)> =
            names.iter().map(|name| (&**name, EntryType::User)).collect();
        let long = "word ".repeat(120);
        topics.push((long.trim(), EntryType::Project));
        topics.push(("last", EntryType::Feedback));
        let text = item::topics(topics.iter().copied());
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 20 && lines.iter().all(|line| line.chars().count() <= 260));
        let back = split_topics(&lines);
        let back: Vec<(&str, EntryType)> =
            back.iter().map(|(topic, kind)| (&**topic, *kind)).collect();
        assert_eq!(back, topics);
    }

    proptest::proptest! {
        /// What is read line by line is what all of it says.
        #[test]
        fn both_ways_read_the_same_list(text in "(a|b c|,|, |\n| \\[user\\]| \\[project\\],|\\[x\\]){0,12}") {
            let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
            if let Some(topics) = split_between(&lines) {
                let whole = lines.join(" ");
                proptest::prop_assert_eq!(split(&whole), Some(topics));
            }
        }
    }

    #[test]
    fn what_was_left_out_is_counted_and_read_back() {
        for count in [1, 2, 7000] {
            assert_eq!(more(&left_out(count)), Some(count));
        }
        assert_eq!(more("(12 more in the sources)"), Some(12));
        assert_eq!(more("(more lines in the log)"), None);
    }
}
