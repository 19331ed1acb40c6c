//! The Topics Index, apart from user and feedback topics.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use chrono::NaiveDate;

use super::board::{Board, Item};
use super::items::{Key, key};
use super::lines::{index_line, tag};
use super::names::fold;
use super::subjects::{Entry, PROJECT_DAYS, Topic};
use crate::memory::entry::EntryType;
use crate::memory::tokens::Cost;
use crate::order::InOrder as _;

/// The most words behind a topic.
const SUBS: usize = 4;
/// The most days a line points to.
const DAYS: usize = 3;
/// The most entries of a scope that are read.
const ENTRIES: usize = 60;
/// After so many days a mention weighs half.
const HALF_LIFE: u32 = 90;

/// A line that could be written.
struct Candidate {
    weight: u64,
    /// the entry that decides its place among lines of equal weight
    newest: usize,
    head: Item,
    kind: EntryType,
    age: u32,
    /// entries it points to, newest first
    entries: Vec<usize>,
}

/// The lines that fit into `room`, weightiest first, and what is left for later calls.
pub(super) struct TopicsIndex {
    candidates: std::vec::IntoIter<Candidate>,
    heads: HashSet<Key>,
}

impl TopicsIndex {
    pub(super) fn new(board: &Board<'_, '_>) -> Self {
        let mut candidates = topics(board);
        let mut named = names(board);
        named.extend(board.heads.iter().map(|head| Cow::Owned(head.clone())));
        // A word or scope that reads like a topic would make a second line of that name.
        let others = scopes(board).into_iter().chain(recurring(board));
        candidates.extend(others.filter(|found| named.insert(fold(board.text(found.head)).into())));
        candidates.order_by(|a, b| {
            b.weight
                .cmp(&a.weight)
                .then_with(|| (a.newest, board.text(a.head)).cmp(&(b.newest, board.text(b.head))))
        });
        Self { candidates: candidates.into_iter(), heads: HashSet::new() }
    }

    /// Writes as many lines as fit into `room`.
    pub(super) fn fill(&mut self, board: &mut Board<'_, '_>, mut room: Cost) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(candidate) = self.candidates.as_slice().first() {
            if self.heads.contains(&key(candidate.head)) {
                self.candidates.next();
                continue;
            }
            let subs = match candidate.head {
                Item::Scope(_) => shared(board, candidate),
                _ => subs(board, candidate),
            };
            let texts: Vec<&str> = subs.iter().map(|(_, item)| board.text(*item)).collect();
            let days = days(board, candidate, &subs);
            let tag = tag(candidate.kind, age(board, candidate));
            let line = index_line(board.text(candidate.head), &tag, &texts, &days);
            if !board.take(&line, &mut room) {
                break;
            }
            lines.push(line);
            self.heads.insert(key(candidate.head));
            board.heads.insert(fold(board.text(candidate.head)));
            for at in candidate.entries.iter().take(DAYS) {
                let entry = board.subjects.entries[*at];
                board.place(&entry, candidate.head);
            }
            for (at, item) in subs {
                // A word that explains one line needs no line of its own.
                self.heads.insert(key(item));
                let entry = board.subjects.entries[at];
                board.place(&entry, item);
            }
            self.candidates.next();
        }
        lines
    }
}

/// Days since a log mentioned what the line begins with.
fn age(board: &Board<'_, '_>, candidate: &Candidate) -> u32 {
    let Item::Word { stem, .. } = candidate.head else { return candidate.age };
    let subjects = board.subjects;
    let lexicon = &subjects.cache.lexicon;
    let mentions = |entry: &&Entry<'_>| {
        let mut found = false;
        entry.terms.for_each(|term| found |= lexicon.stem(term.word) == stem);
        found
    };
    let newer = subjects.entries.iter().take_while(|entry| entry.age < candidate.age);
    newer.into_iter().find(mentions).map_or(candidate.age, |entry| entry.age)
}

/// The newest day, and those the words behind the topic come from.
fn days(board: &Board<'_, '_>, candidate: &Candidate, subs: &[(usize, Item)]) -> Vec<NaiveDate> {
    let entries = &board.subjects.entries;
    let mut days: Vec<NaiveDate> = Vec::with_capacity(DAYS);
    let sources = candidate.entries.first().into_iter().chain(subs.iter().map(|(at, _)| at));
    for at in sources.chain(&candidate.entries) {
        let day = entries[*at].day;
        if days.len() < DAYS && !days.contains(&day) {
            days.push(day);
        }
    }
    days.order_by(|a, b| b.cmp(a));
    days
}

/// Words that several entries of a scope share, from at most three days.
fn shared(board: &Board<'_, '_>, candidate: &Candidate) -> Vec<(usize, Item)> {
    let mut words: BTreeMap<u32, (u64, u32, usize, Item)> = BTreeMap::new();
    for at in candidate.entries.iter().take(ENTRIES) {
        for found in board.subjects.telling(&board.subjects.entries[*at], WORDS) {
            let word = words.entry(found.stem).or_insert((0, 0, *at, Item::from(&found)));
            word.0 += found.score;
            word.1 += 1;
        }
    }
    let mut ranked: Vec<(u64, u32, usize, Item)> = words.into_values().collect();
    ranked.order_by(|a, b| {
        let text = |word: &(u64, u32, usize, Item)| board.text(word.3);
        (b.1 > 1, b.0).cmp(&(a.1 > 1, a.0)).then_with(|| text(a).cmp(text(b)))
    });
    let entries = &board.subjects.entries;
    let mut days: Vec<NaiveDate> =
        candidate.entries.first().map(|at| entries[*at].day).into_iter().collect();
    let mut subs = Vec::new();
    for (_, _, at, item) in ranked {
        let day = entries[at].day;
        let known = days.contains(&day);
        if subs.len() < SUBS && (known || days.len() < DAYS) {
            if !known {
                days.push(day);
            }
            subs.push((at, item));
        }
    }
    subs
}

/// Words from the entries of a line, the best of each in turn.
fn subs(board: &Board<'_, '_>, candidate: &Candidate) -> Vec<(usize, Item)> {
    let lists: Vec<(usize, Vec<Item>)> = candidate
        .entries
        .iter()
        .take(DAYS)
        .map(|at| {
            let found = board.subjects.telling(&board.subjects.entries[*at], SUBS + 1);
            (*at, found.iter().map(Item::from).collect())
        })
        .collect();
    let mut subs: Vec<(usize, Item)> = Vec::new();
    for turn in 0..=SUBS {
        for (at, list) in &lists {
            if let Some(item) = list.get(turn)
                && subs.len() < SUBS
                && key(*item) != key(candidate.head)
                && !subs.iter().any(|(_, sub)| key(*sub) == key(*item))
            {
                subs.push((*at, *item));
            }
        }
    }
    subs
}

/// The folded names of the topics that have lines of their own: user and feedback topics always, others if they
/// may stand in the index.
fn names<'a>(board: &Board<'a, '_>) -> HashSet<Cow<'a, str>> {
    let subjects = board.subjects;
    let lined = subjects.topics.iter().filter(|topic| topic.is_kept() || is_indexed(board, topic));
    let names = &subjects.cache.names;
    lined.map(|topic| Cow::Borrowed(names.text(names.folded(topic.name)))).collect()
}

fn is_indexed(board: &Board<'_, '_>, topic: &Topic) -> bool {
    let subjects = board.subjects;
    let short = subjects.short_topic(&subjects.entries[topic.newest]).is_some();
    short && !topic.is_kept() && !topic.is_history()
}

/// 1024, halved every 90 days.
fn weight(entry: &Entry<'_>) -> u64 {
    1024_u64.checked_shr(entry.age / HALF_LIFE).unwrap_or(0)
        + u64::from(HALF_LIFE - entry.age % HALF_LIFE)
}

/// Topics of at most four words, by how often and how lately they came up.
fn topics(board: &Board<'_, '_>) -> Vec<Candidate> {
    let subjects = board.subjects;
    let mut candidates = Vec::new();
    for (at, topic) in subjects.topics.iter().enumerate() {
        // What stands in the Active Context stands there; a conversation that was about something once has its day.
        let talk = subjects.entries[topic.newest].section.talk && topic.entries < 2;
        if !is_indexed(board, topic) || board.is_shown(at) || talk {
            continue;
        }
        let mut weighed = 0;
        let mut entries = Vec::new();
        let mut entry = Some(topic.newest);
        while let Some(found) = entry.filter(|_| entries.len() < 16) {
            weighed += weight(&subjects.entries[found]);
            entries.push(found);
            entry = subjects.entries[found].older;
        }
        candidates.push(Candidate {
            weight: weighed,
            newest: topic.newest,
            head: Item::Topic(at),
            kind: topic.kind,
            age: topic.age,
            entries,
        });
    }
    candidates
}

/// What several topics begin with: `revset`, of `revset: parse the dag range lazily`.
fn scopes(board: &Board<'_, '_>) -> Vec<Candidate> {
    let subjects = board.subjects;
    let mut found: BTreeMap<u32, Candidate> = BTreeMap::new();
    for (at, entry) in
        subjects.entries.iter().enumerate().take_while(|(_, entry)| entry.age <= PROJECT_DAYS)
    {
        if entry.section.kind.is_about_user() {
            continue;
        }
        let Some(scope) = subjects.scope(entry) else { continue };
        let candidate = found.entry(scope).or_insert_with(|| Candidate {
            weight: 0,
            newest: at,
            head: Item::Scope(scope),
            kind: entry.section.kind,
            age: entry.age,
            entries: Vec::new(),
        });
        candidate.weight += weight(entry);
        candidate.entries.push(at);
    }
    found.into_values().filter(|candidate| candidate.entries.len() >= RECURS).collect()
}

/// A word is worth a line if it is among the best of so many entries.
const RECURS: usize = 2;
/// How many words of an entry are looked at.
const WORDS: usize = 8;

/// A word and the entries it is among the best of.
#[derive(Default)]
struct Recurring {
    weight: u64,
    /// entry, score there, and how it is written there
    places: Vec<(usize, u64, Item)>,
}

/// Words that recur in entries without a short topic.
fn recurring(board: &Board<'_, '_>) -> Vec<Candidate> {
    let subjects = board.subjects;
    let common = (subjects.weights.sections() / 20).max(3);
    let mut words: BTreeMap<u32, Recurring> = BTreeMap::new();
    let recent = subjects.entries.iter().enumerate();
    for (at, entry) in recent.take_while(|(_, entry)| entry.age <= PROJECT_DAYS) {
        if subjects.short_topic(entry).is_some() || subjects.scope(entry).is_some() {
            continue;
        }
        let found = subjects.telling(entry, WORDS);
        let best = found.first().map_or(1, |word| word.score.max(1));
        for word in found.iter().filter(|word| subjects.weights.having(word.stem) <= common) {
            let recurring = words.entry(word.stem).or_default();
            recurring.weight += weight(entry) * word.score / best;
            recurring.places.push((at, word.score, Item::from(word)));
        }
    }
    let mut candidates = Vec::new();
    for Recurring { weight, places: mut found } in words.into_values() {
        let days: HashSet<NaiveDate> =
            found.iter().map(|(at, ..)| subjects.entries[*at].day).collect();
        if days.len() < RECURS {
            continue;
        }
        let newest = &subjects.entries[found[0].0];
        let (age, kind, first) = (newest.age, newest.section.kind, found[0].0);
        found.order_by_key(|(at, score, _)| (std::cmp::Reverse(*score), *at));
        let head = found[0].2;
        let mut entries: Vec<usize> = found.iter().take(DAYS).map(|(at, ..)| *at).collect();
        entries.order();
        candidates.push(Candidate { weight, newest: first, head, kind, age, entries });
    }
    candidates
}
