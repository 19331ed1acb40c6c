//! What the memory is about: subjects of nodes that have the same name, together.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{Datelike as _, NaiveDate};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::meaning::facts::topic_names::{content_words, fold, key};
use crate::meaning::facts::{Fact, FactCache, FactKind, FactOrigin, Subject};
use crate::memory::entry::EntryType;
use crate::memory::hashed::Hashed;
use crate::memory::period::{Level, Month, Period, Week};

/// A project topic that has not come up for more days than this is history.
const PROJECT_DAYS: u32 = 90;
/// Twice as many days are worth as much as being so many days newer.
const DOUBLE: i64 = 45;
/// What a person decided, or a cause that was found, is worth as much as being so many days newer.
const KNOWN: i64 = 60;

/// A topic with everything that is known of it.
#[derive(Debug)]
pub(crate) struct Topic<'a> {
    /// its newest spelling
    pub(crate) name: &'a str,
    /// its newest type
    pub(crate) kind: EntryType,
    /// newest first
    pub(crate) mentions: Vec<Mention<'a>>,
    /// the weightiest kind first, what a person said before other facts of a kind, then the newest
    pub(crate) facts: Vec<(Mention<'a>, &'a Fact)>,
    /// when it came up, newest first
    pub(crate) days: Vec<Period>,
    /// days since then
    pub(crate) age: u32,
    /// a person or an agent saved an entry of it
    pub(crate) saved: bool,
    /// it says of itself that it is finished or taken back
    pub(crate) done: bool,
    /// says which topics go first; does not change as time goes by
    pub(crate) rank: i64,
}

/// What one node says of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mention<'a> {
    pub(crate) node: Period,
    pub(crate) subject: &'a Subject,
}

impl<'a> Topic<'a> {
    /// Its facts from some of its nodes.
    pub(crate) fn facts_of(
        &self,
        of: impl Fn(Period) -> bool,
    ) -> impl Iterator<Item = (Mention<'a>, &'a Fact)> {
        self.facts.iter().copied().filter(move |(mention, _)| of(mention.node))
    }

    /// Whether it leaves the index: a project that is finished or has not come up for long.
    pub(crate) fn is_history(&self) -> bool {
        self.kind == EntryType::Project && (self.done || self.age > PROJECT_DAYS)
    }

    /// `person`: whether any of its facts is a person's word.
    fn rank(&self, person: bool) -> i64 {
        let newest =
            self.days.first().map_or(0, |day| i64::from(day.last_day().num_days_from_ce()));
        let often = i64::from(self.days.len().checked_ilog2().unwrap_or(0)) * DOUBLE;
        let known = self.facts.first().is_some_and(|(_, fact)| fact.kind <= FactKind::Lesson);
        newest + often + (i64::from(known) + i64::from(person)) * KNOWN
    }
}

/// Whether a fact names the user as whose word it is: `(user: "…")`, as summaries and extracts write it.
pub(crate) fn is_of_person(fact: &Fact) -> bool {
    fact.kind == FactKind::Rule || fact.text.contains("(user") || fact.text.contains("user:")
}

/// The topics of a memory, the newest first. `today` tells their ages.
pub(crate) fn topics(cache: &FactCache, today: NaiveDate) -> Vec<Topic<'_>> {
    let covered = |day: NaiveDate| {
        let week = Week::of(day);
        cache.has(Period::Week(week)) || cache.has(Period::Month(week.month()))
    };
    let mut mentions: Vec<Mention<'_>> = Vec::new();
    for (node, subjects) in cache.nodes() {
        let own = |subject: &&Subject| match node {
            // Whoever wrote the week or the month has read what an extract says.
            Period::Day(day) => subject.origin != FactOrigin::Session || !covered(day),
            _ => true,
        };
        mentions.extend(subjects.iter().filter(own).map(|subject| Mention { node, subject }));
    }
    // The newest first; of one node in its order.
    mentions.sort_by_key(|mention| std::cmp::Reverse((mention.node.last_day(), mention.node)));
    let mut places: BTreeMap<(String, bool), usize> = BTreeMap::new();
    // By the hash of the topic as it is written: most are written alike.
    let mut written: HashMap<u64, usize, Hashed> = HashMap::default();
    let mut topics: Vec<Topic<'_>> = Vec::new();
    for mention in mentions {
        let Mention { node, subject } = mention;
        let of_user = subject.kind.is_about_user();
        let name = || if of_user { fold(&subject.topic) } else { key(&subject.topic) };
        let hash = xxh3_64_with_seed(subject.topic.as_bytes(), u64::from(of_user));
        let place = || {
            *places.entry((name(), of_user)).or_insert_with(|| {
                topics.push(Topic {
                    name: &subject.topic,
                    kind: subject.kind,
                    mentions: Vec::new(),
                    facts: Vec::new(),
                    days: Vec::new(),
                    age: 0,
                    saved: false,
                    done: subject.done,
                    rank: 0,
                });
                topics.len() - 1
            })
        };
        let at = *written.entry(hash).or_insert_with(place);
        let topic = &mut topics[at];
        topic.mentions.push(mention);
        topic.saved |= subject.origin == FactOrigin::Entry;
        let named: BTreeSet<i32> =
            subject.facts.iter().flat_map(|fact| fact.days.iter().copied()).collect();
        let days = named.iter().filter_map(|day| Period::of_key((0, *day)));
        match node {
            Period::Day(_) => topic.days.push(node),
            _ if named.is_empty() => topic.days.push(node),
            _ => topic.days.extend(days),
        }
    }
    topics.retain(|topic| !topic.name.is_empty());
    settle(merged(topics), today)
}

/// Their facts and days in order, their ages and ranks; a rule that was taken back goes.
fn settle(mut topics: Vec<Topic<'_>>, today: NaiveDate) -> Vec<Topic<'_>> {
    for topic in &mut topics {
        let facts = topic
            .mentions
            .iter()
            .flat_map(|mention| mention.subject.facts.iter().map(move |fact| (*mention, fact)));
        // What a bare `landed` or `done` says, its topic says.
        let says = |fact: &Fact| fact.kind != FactKind::Done || fact.text.contains(' ');
        let said = facts.filter(|(_, fact)| says(fact));
        let mut said: Vec<_> = said.map(|told| (!is_of_person(told.1), told)).collect();
        said.sort_by_key(|(is_other, (_, fact))| (fact.kind, *is_other));
        let person = said.iter().any(|(is_other, _)| !is_other);
        topic.facts = said.into_iter().map(|(_, told)| told).collect();
        topic.days.sort_by_key(|day| std::cmp::Reverse((day.last_day(), *day)));
        topic.days.dedup();
        let newest = topic.days.first().map_or(today, |day| day.last_day());
        topic.age = u32::try_from((today - newest).num_days()).unwrap_or(0);
        topic.rank = topic.rank(person);
    }
    topics.retain(|topic| !(topic.kind.is_about_user() && topic.done));
    topics.sort_by_key(|topic| std::cmp::Reverse(topic.days.first().map(|day| day.last_day())));
    topics
}

/// The most rules that are compared with one another.
const COMPARED: usize = 400;

/// Rules that say the same become one, in the newest wording. Two that were saved under different names stay two.
fn merged(topics: Vec<Topic<'_>>) -> Vec<Topic<'_>> {
    let mut rules: Vec<(usize, Vec<u64>)> = Vec::new();
    let mut kept: Vec<Topic<'_>> = Vec::new();
    for mut topic in topics {
        if topic.kind.is_about_user() && rules.len() < COMPARED {
            let text = topic.mentions.first().map(|mention| &mention.subject.facts);
            let texts = text.into_iter().flatten().map(|fact| fact.text.as_str());
            let mut words: Vec<u64> = Vec::new();
            for text in std::iter::once(topic.name).chain(texts).map(fold) {
                words.extend(content_words(&text).map(|word| xxh3_64(word.as_bytes())));
            }
            words.sort_unstable();
            words.dedup();
            let same = rules
                .iter()
                .find(|(at, known)| !(kept[*at].saved && topic.saved) && is_alike(known, &words));
            if let Some((at, _)) = same {
                if topic.saved {
                    (kept[*at].name, kept[*at].saved) = (topic.name, true);
                }
                kept[*at].mentions.append(&mut topic.mentions);
                kept[*at].days.append(&mut topic.days);
                continue;
            }
            rules.push((kept.len(), words));
        }
        kept.push(topic);
    }
    kept
}

/// Whether most words of the shorter of two texts stand in the other; both in ascending order.
fn is_alike(one: &[u64], other: &[u64]) -> bool {
    let (shorter, longer) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let shared = shorter.iter().filter(|word| longer.binary_search(word).is_ok()).count();
    shorter.len() >= 3 && shared * 5 >= shorter.len() * 3
}

/// The last days that have a node, the newest first.
pub(super) fn last_days(cache: &FactCache, count: usize) -> Vec<NaiveDate> {
    let mut days: Vec<NaiveDate> =
        cache.of_level(Level::Daily).map(|(period, _)| period.last_day()).collect();
    days.reverse();
    days.truncate(count);
    days
}

/// The months that have a node of a day, the newest first.
pub(super) fn months(cache: &FactCache) -> Vec<Month> {
    let mut months: Vec<Month> =
        cache.of_level(Level::Daily).map(|(period, _)| Month::of(period.last_day())).collect();
    months.reverse();
    months.dedup();
    months
}
