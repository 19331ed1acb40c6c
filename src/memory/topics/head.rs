//! The `topics` of a node's head, from the text of its own sources alone.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::lexicon::{Lexicon, Shape};
use super::sections::{self, Section};
use super::tally::{Tally, Term};
use super::{is_short, score};
use crate::memory::entry::{self, Kind};
use crate::memory::hashed::{Hashed, hash_folded};
use crate::text::short_name;

/// Reads the topics of node bodies, one after the other; what it learnt of one makes the next one faster, and
/// changes nothing else.
#[derive(Default)]
pub struct HeadTopics {
    lexicon: Lexicon,
    tally: Tally,
}

/// The topics of one body; see [`HeadTopics::of`].
pub fn head_topics(body: &str, limit: usize) -> Vec<(String, Kind)> {
    HeadTopics::default().of(body, limit)
}

/// A section that may give items.
struct Source<'a> {
    section: &'a Section<'a>,
    /// its topic, where it has at most four words
    topic: Option<Cow<'a, str>>,
    kind: Kind,
    /// an item of a list, which has no words of its own
    listed: bool,
}

impl HeadTopics {
    /// At most `limit` topics with their types, in the order of the text: of each section its topic if that has at
    /// most four words, else its best keyword; then, while there is room, of each section the second best.
    /// Of more sections than there is room for, all about the user come first, then what comes up twice, then an
    /// even choice. Items have none of `: # , [ ]` in them. A digest or a summary gives what its own `## Topics`
    /// lists.
    pub fn of(&mut self, body: &str, limit: usize) -> Vec<(String, Kind)> {
        let all = sections::read(body);
        let sources = sources(&all);
        let mut items: Vec<(usize, String, Kind)> = Vec::new();
        let mut seen: HashSet<u64, Hashed> = HashSet::default();
        let chosen = choose(&sources, limit);
        let mut words: Option<HashMap<usize, Vec<String>>> = None;
        for turn in 0.. {
            let before = items.len();
            for at in &chosen {
                if items.len() >= limit {
                    break;
                }
                let source = &sources[*at];
                let skip = usize::from(source.topic.is_some());
                let item = match &source.topic {
                    Some(topic) if turn == 0 => Some(topic.clone().into_owned()),
                    _ if source.listed => None,
                    _ => words
                        .get_or_insert_with(|| self.words(&all, &sources, &chosen, limit))
                        .get(at)
                        .and_then(|words| words.get(turn - skip).cloned()),
                };
                if let Some(item) = item
                    && seen.insert(hash_folded(&item))
                {
                    items.push((*at, item, source.kind));
                }
            }
            let exhausted =
                words.as_ref().is_some_and(|words| words.values().all(|w| w.len() <= turn));
            if items.len() >= limit || (exhausted && items.len() == before) || turn > limit {
                break;
            }
        }
        items.sort_by_key(|(at, ..)| *at);
        items.into_iter().map(|(_, item, kind)| (item, kind)).collect()
    }

    /// The best words of the chosen sections. N and df are counted over all sections of the body.
    fn words(
        &mut self,
        all: &[Section<'_>],
        sources: &[Source<'_>],
        chosen: &[usize],
        limit: usize,
    ) -> HashMap<usize, Vec<String>> {
        let mut having: Vec<u32> = vec![0; self.lexicon.len() + 1024];
        let mut terms: Vec<Vec<Term>> = Vec::with_capacity(all.len());
        for section in all {
            let heading = section.heading.filter(|topic| entry::names_a_subject(topic));
            let found = self.tally.section(heading, &section.lines(), &mut self.lexicon);
            for term in &found {
                let stem = self.lexicon.stem(term.word) as usize;
                if stem >= having.len() {
                    having.resize((stem + 1).next_power_of_two(), 0);
                }
                having[stem] += 1;
            }
            terms.push(found);
        }
        let total = u32::try_from(all.len()).unwrap_or(u32::MAX);
        let each = (limit * 2).div_ceil(chosen.len().max(1)) + 2;
        let best = |at: &usize| {
            let source = &sources[*at];
            let place = all.iter().position(|section| std::ptr::eq(section, source.section));
            let found = place.map_or(&[][..], |place| &terms[place][..]);
            let mut ranked: Vec<(u64, &str, u32)> = found
                .iter()
                .filter(|term| self.lexicon.shape(term.word) != Shape::Bigram)
                .map(|term| {
                    let stem = self.lexicon.stem(term.word);
                    let score = score(term.weight, having[stem as usize], total);
                    (score, self.lexicon.text(term.word), stem)
                })
                .collect();
            // Of equal words, the one that stands first.
            ranked.sort_by_key(|word| std::cmp::Reverse(word.0));
            let topic = source.topic.as_ref().map(|topic| topic.to_lowercase());
            let new = |stem: u32| {
                topic.as_ref().is_none_or(|topic| !topic.contains(self.lexicon.text(stem)))
            };
            let words = ranked
                .into_iter()
                .filter(|word| new(word.2))
                .take(each)
                .map(|w| short_name(w.1).to_owned());
            (*at, words.collect())
        };
        chosen.iter().map(best).collect()
    }
}

/// Headings of digests and summaries, in lower case: they say what kind of thing follows, not what about.
const SUMMARY: [&str; 14] = [
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
];

fn sources<'a>(all: &'a [Section<'a>]) -> Vec<Source<'a>> {
    let is = |section: &Section<'_>, name: &str| {
        section.kind.is_none()
            && section.heading.is_some_and(|topic| topic.eq_ignore_ascii_case(name))
    };
    let summary = all.iter().any(|section| is(section, "topics"));
    let mut sources = Vec::new();
    for section in all {
        let kind = section.kind.unwrap_or(Kind::Project);
        if summary && is(section, "topics") {
            let listed = section.lines();
            let items = listed.iter().flat_map(|line| listed_topics(line.text));
            sources.extend(items.map(|(topic, kind)| Source {
                section,
                topic: Some(topic),
                kind,
                listed: true,
            }));
        } else if summary
            && (section.heading.is_none() || SUMMARY.iter().any(|name| is(section, name)))
        {
            // What a summary says of itself, and headings that only sort.
        } else {
            let topic =
                section.heading.filter(|topic| entry::names_a_subject(topic) && is_short(topic));
            let topic =
                topic.map(|topic| plain(short_name(topic))).filter(|topic| !topic.is_empty());
            sources.push(Source { section, topic, kind, listed: false });
        }
    }
    // A summary whose list is empty still has words.
    if sources.is_empty() {
        sources.extend(all.iter().map(|section| Source {
            section,
            topic: None,
            kind: Kind::Project,
            listed: false,
        }));
    }
    sources
}

/// The items of a line `auth [project], timezone [user]`, or of a bullet.
fn listed_topics(line: &str) -> impl Iterator<Item = (Cow<'_, str>, Kind)> {
    let line = line.trim();
    let line = line.strip_prefix(['-', '*']).map_or(line, str::trim_start);
    items(line).filter_map(|item| {
        let item = item.trim();
        let (topic, kind) = match item.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            Some((topic, word)) => match Kind::parse(word.split(',').next().unwrap_or(word)) {
                Some(kind) => (topic, kind),
                None => (item, Kind::Project),
            },
            None => (item, Kind::Project),
        };
        let topic = plain(short_name(topic.trim_start()));
        (!topic.is_empty() && !topic.starts_with("<!--")).then_some((topic, kind))
    })
}

/// What stands between the commas of a list; those in brackets separate nothing.
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

/// Which sections give the first items, in the order of the text.
fn choose(sources: &[Source<'_>], limit: usize) -> Vec<usize> {
    let mut places: HashMap<u64, usize, Hashed> = HashMap::default();
    let mut times: Vec<u32> = vec![0; sources.len()];
    let mut distinct: Vec<usize> = Vec::with_capacity(sources.len());
    for (at, source) in sources.iter().enumerate() {
        let Some(topic) = &source.topic else {
            distinct.push(at);
            continue;
        };
        let first = *places.entry(hash_folded(topic)).or_insert(at);
        times[first] += 1;
        if first == at {
            distinct.push(at);
        }
    }
    if distinct.len() <= limit {
        return distinct;
    }
    let again = |at: &usize| times[*at];
    let (mut chosen, rest): (Vec<usize>, Vec<usize>) = distinct
        .into_iter()
        .partition(|at| matches!(sources[*at].kind, Kind::User | Kind::Feedback));
    chosen = evenly(chosen, limit);
    let (mut twice, once): (Vec<usize>, Vec<usize>) =
        rest.into_iter().partition(|at| again(at) > 1);
    twice.sort_by_key(|at| (std::cmp::Reverse(again(at)), *at));
    let (more, over) = twice.split_at(twice.len().min((limit - chosen.len()).div_ceil(2)));
    chosen.extend(more);
    let mut once: Vec<usize> = once.into_iter().chain(over.iter().copied()).collect();
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

/// A topic without what means something in a head: `: # , [ ]`, and no mark in front that YAML would read.
fn plain(topic: &str) -> Cow<'_, str> {
    let unusual = |c: char| matches!(c, ':' | '#' | ',' | '[' | ']') || c.is_control();
    let topic = topic
        .trim_start_matches(|c: char| {
            c.is_whitespace() || (c.is_ascii_punctuation() && !matches!(c, '.' | '/' | '_' | '('))
        })
        .trim_end();
    let clean = if topic.is_ascii() {
        !topic.bytes().any(|byte| unusual(char::from(byte)))
    } else {
        !topic.contains(unusual)
    };
    if clean && !topic.contains("  ") {
        return Cow::Borrowed(topic);
    }
    let spaced = topic.replace(unusual, " ");
    Cow::Owned(spaced.split_whitespace().collect::<Vec<_>>().join(" "))
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
    fn each_section_gives_its_best_before_any_gives_its_second() {
        fn check(body: &str, limit: usize, expect: &str) {
            assert_eq!(items(body, limit), expect, "{body}");
        }
        check(
            "## Auth Refactor [project]\n- x\n## Timezone [User]\n- y\n",
            8,
            "Auth Refactor [project], Timezone [user]",
        );
        check(
            "## auth\n- jwt jwt cookies\n## billing\n- taxes\n",
            3,
            "auth [project], jwt [project], billing [project]",
        );
        check("## auth\n- jwt\n## AUTH\n- tax\n", 8, "auth [project], jwt [project]");
        check(
            "## how we moved the ledger to its own database\n- ledger rows, database\n",
            2,
            "ledger [project], database [project]",
        );
        check(
            "## Session — 2026-03-15 14:02:11\n\n**User:** ledger ledger\n\n**Assistant:** fine fine fine fine invoices\n",
            1,
            "ledger [project]",
        );
        check("## cli: git-push, [a] #3\n", 8, "cli git-push a 3 [project]");
        check("## cafe\u{301}\n## Café\n", 8, "cafe\u{301} [project]");
        let long = "a".repeat(64 * 1024);
        let cut = format!("{} [user]", "a".repeat(199));
        check(&format!("## Topics\n{long} [user]\n"), 1, &cut);
        assert!(items(&format!("## {long} [user]\n- {long}\n"), 8).len() < 2000);
        check("```\n## not this\n```\n## this\n", 8, "this [project]");
        check("", 8, "");
        check("# 2026-03-15\n\nloose ledgers and ledgers\n", 1, "ledgers [project]");
    }

    #[test]
    fn of_too_many_sections_the_user_and_what_recurs_come_first() {
        let section = |n: usize| {
            let word = ["ant", "bee", "cat", "dog", "elk"][n / 8];
            format!("## {word} no{n}\n- text\n")
        };
        let mut body = (0..40).map(section).collect::<Vec<_>>().concat();
        body += "## again\n- x\n## terse [feedback]\n- y\n## again\n- z\n";
        let found = head_topics(&body, 8);
        let names: Vec<&str> = found.iter().map(|(item, _)| item.as_str()).collect();
        assert_eq!(
            names,
            [
                "ant no0", "ant no6", "bee no13", "cat no20", "dog no26", "elk no33", "again",
                "terse"
            ]
        );
    }

    #[test]
    fn a_summary_gives_what_it_lists() {
        let digest = "> too long\n\n## Topics\nauth refactor [project], timezone [user], C# 12 [reference]\n\n## Key Decisions\n- auth: chose cookies\n\n## Open Items\n- none\n";
        assert_eq!(items(digest, 8), "auth refactor [project], timezone [user], C 12 [reference]");
        assert_eq!(items(digest, 2), "auth refactor [project], timezone [user]");
        let list = "## Topics\n- auth [project, 3d]\n- billing\n\n## Lessons Learned\n- x\n";
        assert_eq!(items(list, 8), "auth [project], billing [project]");
        // Without such a list, the same headings are topics like any other.
        assert_eq!(items("## Key Decisions\n- x\n", 1), "Key Decisions [project]");
    }

    #[test]
    fn what_was_read_before_changes_nothing() {
        let bodies = [
            "## Session\nUser: ledgers and invoices\n",
            "## a b c d e f\n- invoices paid, ledger\n",
        ];
        let mut reader = HeadTopics::default();
        for body in bodies.iter().chain(bodies.iter().rev()) {
            assert_eq!(reader.of(body, 8), head_topics(body, 8));
        }
    }
}
