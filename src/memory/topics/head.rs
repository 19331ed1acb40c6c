//! The `topics` of a node's head, from the text of its own sources alone.

use std::borrow::Cow;
use std::collections::HashMap;

use bumpalo::Bump;

use super::names::{clean, has_counter, is_long, shortened, told_apart};
use super::sections::{self, Section};
use crate::memory::digest::split_topics;
use crate::memory::entry::{self, EntryType};
use crate::memory::hashed::{Hashed, hash_folded};
use crate::memory::talk::{self, Rarity, terms};
use crate::memory::title::only_counts;
use crate::order::InOrder as _;
use crate::text::short_name;

/// A topic that may stand in the head.
struct Source<'a> {
    topic: Cow<'a, str>,
    kind: EntryType,
}

/// At most `limit` topics with their types, in the order of the text: headings, titles of sittings, and what the
/// `## Topics` of a digest or a summary lists. No sentences, no names that only count, nothing twice.
///
/// Of more than there is room for, all about the user come first, then what comes up twice, then an even choice. One of
/// more than eight words gives the eight that weigh most.
pub fn head_topics(body: &str, limit: usize) -> Vec<(Cow<'_, str>, EntryType)> {
    let all = sections::read(body);
    let mut sources = sources(&all);
    if sources.iter().any(|source| has_counter(&source.topic)) {
        let mut apart = told_apart(sources.iter().map(|source| &*source.topic)).into_iter();
        sources.retain(|_| apart.next().unwrap_or(true));
    }
    let chosen = choose(&sources, limit);
    let (mut rarity, arena) = (Rarity::default(), Bump::new());
    // Only what is too long has to be weighed.
    if chosen.iter().any(|at| is_long(&sources[*at].topic)) {
        for source in &sources {
            rarity.count(terms(&source.topic, &arena));
        }
    }
    let mut seen: Vec<u64> = Vec::with_capacity(chosen.len());
    let mut topics = Vec::with_capacity(chosen.len());
    for at in chosen {
        let topic = shortened(std::mem::take(&mut sources[at].topic), &rarity, &arena);
        let hash = hash_folded(&topic);
        if !topic.is_empty() && !seen.contains(&hash) {
            seen.push(hash);
            topics.push((topic, sources[at].kind));
        }
    }
    topics
}

/// Topics as they stand in a head: `auth [project], "fix a, then b" [user]`. A name that YAML or a reader of the list would
/// read as more than a name is quoted.
pub fn in_one_line(topics: &[(Cow<'_, str>, EntryType)]) -> String {
    let mut line = String::with_capacity(topics.len() * 32);
    for (index, (topic, kind)) in topics.iter().enumerate() {
        let quote = topic.contains([',', ':', '#', '[', ']']).then_some('"');
        if index > 0 {
            line.push(',');
            line.push(' ');
        }
        line.extend(quote);
        line.push_str(topic);
        line.extend(quote);
        kind.push_to(&mut line);
    }
    // A plain scalar of YAML may neither begin with a quote nor hold these.
    let plain = !line.starts_with(['"', '\'', '&', '*', '!', '%', '@', '`', '[', '{'])
        && !line.contains(": ")
        && !line.contains(" #");
    if plain { line } else { format!("'{}'", line.replace('\'', "''")) }
}

/// Headings of digests and summaries, in lower case: they say what kind of thing follows, not what about.
const SUMMARY: [&str; 15] = [
    "topics",
    "key decisions",
    "tasks completed",
    "lessons learned",
    "open items",
    "entities referenced",
    "key themes",
    "major decisions",
    "completed work",
    "recurring entities",
    "lessons & patterns",
    "carried forward",
    "key findings",
    "next steps",
    "in detail",
];

fn sources<'a>(all: &[Section<'a>]) -> Vec<Source<'a>> {
    let is = |section: &Section<'_>, name: &str| {
        section.kind.is_none()
            && section.heading.is_some_and(|topic| topic.eq_ignore_ascii_case(name))
    };
    let summary = all.iter().any(|section| is(section, "topics"));
    let mut sources = Vec::with_capacity(all.len());
    let mut push = |topic: Cow<'a, str>, kind: EntryType| {
        let topic = match topic {
            Cow::Borrowed(topic) => clean(short_name(topic)),
            Cow::Owned(topic) => clean(short_name(&topic)).into_owned().into(),
        };
        if !topic.is_empty() && !only_counts(&topic) && entry::names_a_subject(&topic) {
            sources.push(Source { topic, kind });
        }
    };
    for section in all {
        let kind = section.kind.unwrap_or(EntryType::Project);
        if summary && is(section, "topics") {
            let lines = section.lines();
            let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
            for (topic, kind) in split_topics(&texts) {
                push(topic, kind);
            }
        } else if summary
            && (section.heading.is_none() || SUMMARY.iter().any(|name| is(section, name)))
        {
            // What a summary says of itself, and headings that only sort.
        } else if let Some(topic) = section.heading {
            if entry::names_a_subject(topic) && !section.may_be_named_later() {
                push(Cow::Borrowed(topic), kind);
            } else {
                let lines = section.lines();
                push(talk::title(topic, &talk::read(&lines)), kind);
            }
        }
    }
    sources
}

/// Which sections give the first items, in the order of the text.
fn choose(sources: &[Source<'_>], limit: usize) -> Vec<usize> {
    let mut places: HashMap<u64, usize, Hashed> =
        HashMap::with_capacity_and_hasher(sources.len(), Hashed::default());
    let mut times: Vec<u32> = vec![0; sources.len()];
    let mut distinct: Vec<usize> = Vec::with_capacity(sources.len());
    for (at, source) in sources.iter().enumerate() {
        let first = *places.entry(hash_folded(&source.topic)).or_insert(at);
        times[first] += 1;
        if first == at {
            distinct.push(at);
        }
    }
    if distinct.len() <= limit {
        return distinct;
    }
    let again = |at: &usize| times[*at];
    let mut rest = distinct;
    let mut chosen = Vec::with_capacity(limit);
    chosen.extend(rest.extract_if(.., |at| sources[*at].kind.is_about_user()));
    chosen = evenly(chosen, limit);
    let mut twice: Vec<usize> = rest.extract_if(.., |at| again(at) > 1).collect();
    twice.order_by_key(|at| (std::cmp::Reverse(again(at)), *at));
    let (more, over) = twice.split_at(twice.len().min((limit - chosen.len()).div_ceil(2)));
    chosen.extend(more);
    let mut once = rest;
    once.extend(over);
    once.sort_unstable();
    let room = limit - chosen.len();
    chosen.extend(evenly(once, room));
    chosen.sort_unstable();
    chosen
}

fn evenly(from: Vec<usize>, count: usize) -> Vec<usize> {
    if from.len() <= count {
        return from;
    }
    (0..count).map(|at| from[at * from.len() / count]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(body: &str, limit: usize) -> String {
        let items = head_topics(body, limit);
        let items: Vec<String> =
            items.into_iter().map(|(item, kind)| format!("{item} [{kind}]")).collect();
        items.join(", ")
    }

    #[test]
    fn topics_are_headings_and_titles() {
        fn check(body: &str, limit: usize, expect: &str) {
            assert_eq!(items(body, limit), expect, "{body}");
        }
        check(
            "## Auth Refactor [project]\n- x\n## Timezone [User]\n- y\n",
            8,
            "Auth Refactor [project], Timezone [user]",
        );
        check("## auth\n- jwt\n## AUTH\n- tax\n", 8, "auth [project]");
        check(
            "## Session — 2026-03-15 14:02:11 — fix the login, then logout\n\n**User:** go\n",
            8,
            "fix the login, then logout [project]",
        );
        check(
            "## Session — 2026-03-15 14:02:11\n\n**User:** Why does the ledger round twice?\n\n\
             **Assistant:** The ledger has to round once.\n\n**Title:** round the ledger once\n",
            8,
            "round the ledger once [project]",
        );
        // The first sentence of the next day's extract is nobody's words.
        check(
            "# 2026-03-14\n\n## Session 3\n\n**User:** ok\n\n# 2026-03-15\n\nThis daily node stands for more than 200 lines. \
             Until the skill has summarised them, it is an extract.\n\n## auth\n- z\n",
            8,
            "auth [project]",
        );
        // What only counts, or differs only by a counter, and a body without a heading name nothing.
        check("## Session 12\n- x\n## Note 17 [project]\n- y\n## 회의 3\n- z\n", 8, "");
        check(
            "## build 1 failed\n- x\n## build 2 failed\n- y\n## auth\n- z\n",
            8,
            "auth [project]",
        );
        check("# 2026-03-15\n\nloose ledgers and ledgers\n", 8, "");
        check("```\n## not this\n```\n## this\n", 8, "this [project]");
        check("## rotate [REDACTED:aws-access-key] now\n", 8, "rotate now [project]");
        check("", 8, "");
    }

    #[test]
    fn what_means_something_in_a_head_is_quoted() {
        fn check(topic: &str, expect: &str) {
            let line =
                in_one_line(&[(topic.into(), EntryType::User), ("b".into(), EntryType::Project)]);
            assert_eq!(line, expect);
            let value: serde_yaml::Value =
                serde_yaml::from_str(&format!("topics: {line}\n")).unwrap();
            assert!(value["topics"].as_str().unwrap().contains(topic), "{line}");
        }
        check("auth", "auth [user], b [project]");
        check("fix a, then b", "'\"fix a, then b\" [user], b [project]'");
        check("cli: git-push #3", "'\"cli: git-push #3\" [user], b [project]'");
        check("don't", "don't [user], b [project]");
        check("*", "'* [user], b [project]'");
    }

    #[test]
    fn of_too_many_sections_the_user_and_what_recurs_come_first() {
        let words = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"];
        let section = |n: usize| format!("## {} {}\n- text\n", words[n / 8], words[n % 8]);
        let mut body = (0..40).map(section).collect::<Vec<_>>().concat();
        body += "## again\n- x\n## terse [feedback]\n- y\n## again\n- z\n";
        let found = head_topics(&body, 8);
        let names: Vec<&str> = found.iter().map(|(item, _)| &**item).collect();
        assert_eq!(names.len(), 8);
        assert!(names.contains(&"terse") && names.contains(&"again"), "{names:?}");
        assert_eq!(names[0], "ant ant");
        let spread = words[..5].iter().all(|word| names.iter().any(|name| name.starts_with(word)));
        assert!(spread, "{names:?}");
    }

    #[test]
    fn a_summary_gives_what_it_lists() {
        let digest = "> too long\n\n## Topics\nauth refactor [project], a, b [user],\nC# records [reference]\n\n## Key Decisions\n- auth: chose cookies\n\n## In Detail\n### x\n- y\n";
        assert_eq!(
            items(digest, 8),
            "auth refactor [project], a, b [user], C# records [reference]"
        );
        let list = "## Topics\n- auth [project, 3d]\n- billing\n\n## Lessons Learned\n- x\n";
        assert_eq!(items(list, 8), "auth [project], billing [project]");
        // Without such a list, the same headings are topics like any other.
        assert_eq!(items("## Key Decisions\n- x\n", 1), "Key Decisions [project]");
    }
}
