//! What ROOT.md needs to know of a log, in few bytes.

use bumpalo::Bump;
use chrono::{Datelike, Months, NaiveDate};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

use super::entry_reading::{EntryReading, Statement};
use super::names::{DONE, Names};
use crate::memory::cache_bytes;
use crate::memory::entry::{self, Entry, EntryLine, EntryType};
use crate::memory::talk::{Cutter, Rarity, Setting, Sitting, settings};
use crate::memory::topics::{Lexicon, Tally, Term, label};

/// Names the sources by which a log was read; what others read is no cache.
const HEAD: &[u8] = env!("HIPOCAMPUS_SOURCES").as_bytes();

/// The facts of every log, with the words they share. Disposable: a cache made afresh gives the same results.
#[derive(Default, Serialize, Deserialize)]
pub struct RootCache {
    pub(super) lexicon: Lexicon,
    pub(super) names: Names,
    /// by days since the beginning of the common era
    days: BTreeMap<i32, (u64, DayFacts)>,
    /// the first day that may be told in sentences, where not all may
    sentences_from: Option<NaiveDate>,
    #[serde(skip)]
    tally: Tally,
    #[serde(skip)]
    keys: Vec<u64>,
}

/// The facts of one day's log. They refer to the words of the cache they were made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayFacts {
    pub(super) sections: Vec<Section>,
    depth: Depth,
    /// the terms of all sections, packed
    #[serde(with = "serde_bytes")]
    terms: Vec<u8>,
    /// what the sections state, those of each together, best first
    statements: Vec<Statement>,
    /// what names of the code are set to, the last setting of each
    settings: Vec<Setting>,
    /// hash of the text
    pub(super) source: u64,
}

/// One entry of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Section {
    /// its topic in `Names`
    pub(super) topic: Option<u32>,
    pub(super) kind: EntryType,
    /// it says that its subject is finished
    pub(super) done: bool,
    /// a conversation, and its topic what it was about
    pub(super) talk: bool,
    /// how many of `DayFacts::statements` are its own
    statements: u32,
    /// what of `DayFacts::terms` is of its title, where that can stand for it
    title: Option<Part>,
    /// and what behind that is of all of it
    whole: Part,
}

/// A part of packed terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Part {
    /// in bytes; depends on the numbers of the words
    length: u32,
    /// how many terms these are
    terms: u32,
}

/// How much of a day is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Depth {
    /// of sections that have a title only that, unless they are about the user
    Titles,
    /// all words
    Words,
    /// all words, and what is stated in sentences
    Sentences,
}

/// How many names of the code a day sets to something, at most.
const MOST_SETTINGS: usize = 256;

/// A day in a month more than this many before the current one is known by its titles.
const MONTHS: u32 = 24;

/// What a day that is told in a sentence takes of ROOT.md at least, in tokens.
const TOLD: u32 = 14;

/// The first day of the earliest month that is read whole.
pub(super) fn first_month(today: NaiveDate) -> NaiveDate {
    let month = today.with_day(1).unwrap_or(today);
    month.checked_sub_months(Months::new(MONTHS)).unwrap_or(NaiveDate::MIN)
}

impl RootCache {
    /// The depth at which a day is read for a ROOT.md of `today`. What is said of it beyond two years is said in a line
    /// of a month or of half a year, and titles say that better than words.
    pub fn depth(&self, day: NaiveDate, today: NaiveDate) -> Depth {
        if day < first_month(today) {
            Depth::Titles
        } else if self.sentences_from.is_some_and(|first| day < first) {
            Depth::Words
        } else {
            Depth::Sentences
        }
    }

    /// Lets no more of the latest days be told in sentences than a ROOT.md of `cap` tokens can hold: of days before them
    /// nobody would read what they state. `logs` are the days that have one, latest first.
    pub(crate) fn tell_in_sentences(
        &mut self,
        mut logs: impl Iterator<Item = NaiveDate>,
        cap: u32,
    ) {
        let last = (cap / TOLD).saturating_sub(1) as usize;
        self.sentences_from = logs.nth(last);
        let Some(first) = self.sentences_from else { return };
        for (_, facts) in self.days.range_mut(..first.num_days_from_ce()).map(|(_, day)| day) {
            if facts.depth == Depth::Sentences {
                facts.forget_sentences();
            }
        }
    }

    /// Reads a cache back. `None` for one that is damaged or of another version.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (sum, rest) = bytes.strip_prefix(HEAD)?.split_at_checked(8)?;
        if sum != xxh3_64(rest).to_le_bytes() {
            return None;
        }
        postcard::from_bytes(rest).ok()
    }

    /// The bytes [`RootCache::decode`] reads.
    pub fn encode(&self) -> Vec<u8> {
        let start = HEAD.len() + 8;
        let head = [HEAD, &[0; 8]].concat();
        let mut bytes = cache_bytes::append(head, self).unwrap_or_default();
        if let Some((head, rest)) = bytes.split_at_mut_checked(start) {
            head[HEAD.len()..].copy_from_slice(&xxh3_64(rest).to_le_bytes());
        }
        bytes
    }

    /// Whether a day's facts were made from the log with this hash, and at least at this depth.
    pub fn knows(&self, day: NaiveDate, log_hash: u64, depth: Depth) -> bool {
        let known = self.days.get(&day.num_days_from_ce());
        known.is_some_and(|(hash, facts)| *hash == log_hash && facts.depth >= depth)
    }

    /// Reads a day's log: its text with secrets taken out, the day's files one after the other. `log_hash`
    /// is whatever [`RootCache::knows`] is to be asked with.
    pub fn insert(&mut self, day: NaiveDate, log_hash: u64, text: &str, depth: Depth) {
        let facts = self.read(text, depth);
        self.days.insert(day.num_days_from_ce(), (log_hash, facts));
    }

    /// Adds the days of another cache, whose words and topics get the numbers that they have here.
    pub(crate) fn append(&mut self, other: Self) {
        if self.days.is_empty() {
            *self = other;
            return;
        }
        let words = self.lexicon.append(&other.lexicon);
        let topics = self.names.append(&other.names);
        for (day, (hash, mut facts)) in other.days {
            facts.renumber(&words, &topics);
            self.days.insert(day, (hash, facts));
        }
    }

    /// Forgets the days that `keep` does not want.
    pub fn retain(&mut self, mut keep: impl FnMut(NaiveDate) -> bool) {
        self.days
            .retain(|day, _| NaiveDate::from_num_days_from_ce_opt(*day).is_some_and(&mut keep));
    }

    /// The days with their facts, oldest first.
    pub fn days(&self) -> impl DoubleEndedIterator<Item = (NaiveDate, &DayFacts)> {
        self.days.iter().filter_map(|(day, (_, facts))| {
            NaiveDate::from_num_days_from_ce_opt(*day).map(|day| (day, facts))
        })
    }

    fn read(&mut self, text: &str, depth: Depth) -> DayFacts {
        let parsed = entry::parse(text);
        let mut facts = DayFacts {
            sections: Vec::new(),
            depth,
            terms: Vec::with_capacity(text.len() / 8),
            statements: Vec::new(),
            settings: Vec::new(),
            source: xxh3_64(text.as_bytes()),
        };
        // Notes without a heading are a section too, unless all there is is the title.
        let untitled = parsed.untitled();
        let loose = untitled.lines.iter().any(|line| {
            let text = line.text.trim_start_matches('\u{feff}').trim();
            !(text.is_empty() || text.starts_with("# ") || text.starts_with("<!--"))
        });
        let arena = Bump::new();
        let (mut rarity, mut room) = (Rarity::default(), Sitting::default());
        let mut cutter = Cutter::new(&arena);
        let entries = loose.then_some(untitled).into_iter().chain(parsed.entries());
        let read: Vec<(Entry<'_, '_>, EntryReading<'_>)> = entries
            .map(|entry| {
                let wanted = depth == Depth::Sentences || entry.kind.is_about_user();
                let stated = EntryReading::of(&entry, wanted, &mut room, &mut cutter);
                stated.found.iter().for_each(|found| rarity.count(found.words));
                (entry, stated)
            })
            .collect();
        facts.sections.reserve(read.len());
        for (entry, stated) in read {
            self.read_section(&entry, stated, &rarity, &mut facts);
        }
        facts.terms.shrink_to_fit();
        if depth == Depth::Sentences {
            facts.settings = settings_in(&parsed);
        }
        facts
    }

    fn read_section(
        &mut self,
        entry: &Entry<'_, '_>,
        stated: EntryReading<'_>,
        rarity: &Rarity,
        facts: &mut DayFacts,
    ) {
        let heading = Some(&*stated.title).filter(|title| !title.is_empty());
        let about_work = matches!(entry.kind, EntryType::Project | EntryType::Reference);
        // What a conversation is about is told by all of it, whatever it is called.
        let title = heading.filter(|_| about_work && !stated.talk);
        let mut packed = |heading: Option<&str>, lines: &[EntryLine<'_>]| {
            let terms = self.tally.section(heading, lines, &mut self.lexicon);
            pack(terms, &mut self.keys, &mut facts.terms)
        };
        let title = title.map(|title| packed(Some(title), &[]));
        let whole = if title.is_none() || facts.depth >= Depth::Words {
            // What will not matter later is named, not quoted.
            let lines = if entry.is_ephemeral() { &[][..] } else { &entry.lines[..] };
            packed(heading, lines)
        } else {
            Part::default()
        };
        let topic = heading.and_then(|heading| self.names.number(heading));
        let talk = stated.talk;
        let before = facts.statements.len();
        facts.statements.extend(stated.best(rarity));
        facts.sections.push(Section {
            topic,
            kind: entry.kind,
            done: is_done(entry),
            talk,
            statements: count(facts.statements.len() - before),
            title,
            whole,
        });
    }
}

impl DayFacts {
    /// Lets go of what is stated, but for what is about the user.
    fn forget_sentences(&mut self) {
        self.depth = Depth::Words;
        self.settings.clear();
        let mut statements = std::mem::take(&mut self.statements).into_iter();
        for section in &mut self.sections {
            let own = statements.by_ref().take(section.statements as usize);
            if section.kind.is_about_user() {
                self.statements.extend(own);
            } else {
                own.for_each(drop);
                section.statements = 0;
            }
        }
    }

    /// What names of the code are set to, as far as a day is told in sentences.
    pub(super) fn settings(&self, depth: Depth) -> &[Setting] {
        if depth == Depth::Sentences { &self.settings } else { &[] }
    }

    /// Puts the numbers of another cache in the place of those that this one gave to words and topics.
    fn renumber(&mut self, words: &[u32], topics: &[u32]) {
        let mut packed = Vec::with_capacity(self.terms.len());
        let mut rest = &self.terms[..];
        let (mut terms, mut keys) = (Vec::new(), Vec::new());
        for section in &mut self.sections {
            section.topic = section.topic.map(|topic| topics[topic as usize]);
            for part in section.title.iter_mut().chain([&mut section.whole]) {
                terms.clear();
                take_part(&mut rest, *part).for_each(|term| {
                    terms.push(Term { word: words[term.word as usize], ..term });
                });
                *part = pack(&terms, &mut keys, &mut packed);
            }
        }
        self.terms = packed;
    }

    /// The sections with the terms they have at a depth. The same whether more is known or not.
    pub(super) fn sections(
        &self,
        depth: Depth,
    ) -> impl Iterator<Item = (&Section, Packed<'_>, &[Statement])> {
        let mut rest = &self.terms[..];
        let mut statements = &self.statements[..];
        self.sections.iter().map(move |section| {
            let title = section.title.map(|title| take_part(&mut rest, title));
            let whole = take_part(&mut rest, section.whole);
            // A title may be without a term: it stands for the section all the same.
            let terms = title.filter(|_| depth == Depth::Titles).unwrap_or(whole);
            let count = section.statements as usize;
            let (own, after) = statements.split_at_checked(count).unwrap_or((statements, &[]));
            statements = after;
            let shown = depth == Depth::Sentences || section.kind.is_about_user();
            let own = if shown { own } else { &[] };
            (section, terms, own)
        })
    }
}

/// What names of the code are set to in the entries of a day, the last setting of each name.
fn settings_in(parsed: &entry::Entries<'_>) -> Vec<Setting> {
    let mut found: BTreeMap<u64, Setting> = BTreeMap::new();
    for entry in [parsed.untitled()].into_iter().chain(parsed.entries()) {
        if entry.is_ephemeral() {
            continue;
        }
        let lines = entry.lines.iter().filter(|line| !line.code);
        for set in lines.flat_map(|line| settings(line.text)) {
            if found.len() < MOST_SETTINGS || found.contains_key(&set.name) {
                found.insert(set.name, set);
            }
        }
    }
    found.into_values().collect()
}

/// Whether an entry says that its subject is finished: a bullet `status: done`, or a mark in the heading.
fn is_done(entry: &Entry<'_, '_>) -> bool {
    let says = |text: &str| {
        let word = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        word.is_some_and(|word| DONE.contains(&word.to_lowercase().as_str()))
    };
    let last_word = entry.topic.trim_end_matches([')', ']']).rsplit([' ', '(', '[']).next();
    let heading = entry.topic.contains('✅')
        || (entry.topic.ends_with([')', ']']) && last_word.is_some_and(says));
    let mut blocks = entry.blocks();
    // What is said in a conversation, or is its title, is about some subject, not about that of the entry.
    let heading = heading && !blocks.is_inside();
    let stated = |line: &str| {
        may_state(line)
            && label(line).is_some_and(|(name, text)| {
                matches!(name, "status" | "Status" | "state" | "상태") && says(text)
            })
    };
    heading
        || entry.lines.iter().any(|line| {
            let spoken = blocks.holds(line.text);
            !line.code && !spoken && stated(line.text)
        })
}

/// Whether a line can begin with one of the labels that tell a state; most cannot.
fn may_state(line: &str) -> bool {
    let lead = |byte: &u8| matches!(byte, b' ' | b'\t' | b'-' | b'*');
    let first = line.bytes().find(|byte| !lead(byte));
    first.is_some_and(|byte| matches!(byte, b's' | b'S') || !byte.is_ascii())
}

/// The terms of a section: groups of equal weight, each `weight, count`, then the words in ascending order as
/// differences; all numbers as LEB128.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed<'a> {
    bytes: &'a [u8],
    terms: u32,
}

/// Takes a part of packed terms off their front.
fn take_part<'a>(rest: &mut &'a [u8], part: Part) -> Packed<'a> {
    let (bytes, after) = rest.split_at_checked(part.length as usize).unwrap_or((rest, &[]));
    *rest = after;
    Packed { bytes, terms: part.terms }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Packs terms behind others; `keys` is room that is used again.
fn pack(terms: &[Term], keys: &mut Vec<u64>, out: &mut Vec<u8>) -> Part {
    let start = out.len();
    // As plain numbers they are sorted several times faster.
    let key = |term: &Term| u64::from(!term.weight) << 32 | u64::from(term.word);
    keys.clear();
    keys.extend(terms.iter().map(key));
    keys.sort_unstable();
    // Most differences take one byte or two.
    out.reserve(keys.len() * 2 + 8);
    for group in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
        put(out, !high(group[0]));
        put(out, count(group.len()));
        let mut before = 0;
        for key in group {
            let word = high(key << 32);
            put(out, word - before);
            before = word;
        }
    }
    Part { length: count(out.len() - start), terms: count(terms.len()) }
}

fn high(key: u64) -> u32 {
    u32::try_from(key >> 32).unwrap_or(u32::MAX)
}

impl Packed<'_> {
    /// How many terms there are.
    pub(super) fn count(self) -> u32 {
        self.terms
    }

    /// Calls `each` with every term, heaviest first.
    #[inline]
    pub(super) fn for_each(self, mut each: impl FnMut(Term)) {
        let mut bytes = self.bytes;
        while !bytes.is_empty() {
            let weight = take(&mut bytes);
            let mut word = 0;
            for _ in 0..take(&mut bytes) {
                word += take(&mut bytes);
                each(Term { word, weight });
            }
        }
    }
}

fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

fn take(bytes: &mut &[u8]) -> u32 {
    let mut number = 0;
    let mut shift = 0;
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 || shift > 24 {
            break;
        }
        shift += 7;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_say_when_they_are_done() {
        fn check(text: &str, expect: bool) {
            assert_eq!(is_done(&entry::parse(text).entries().next().unwrap()), expect, "{text}");
        }
        check("## auth\n- status: done\n", true);
        check("## auth\n- Status: Completed on Friday\n", true);
        check("## auth (done)\n", true);
        check("## auth ✅\n", true);
        check("## 인증\n- 상태: 완료\n", true);
        check("## auth\n- status: in progress, not done\n", false);
        check("## auth\n- outcome: done, mostly\n", false);
        check("## what was done\n", false);
        check("## auth\n```\n- status: done\n```\n", false);
        let said = "## Session — 2026-03-15 14:02:11 — auth ✅\n\n**User:** x\n- status: done\n<!-- hipocampus:end s 9 -->\n";
        check(said, false);
        check(&format!("{said}- status: done\n"), true);
    }

    #[test]
    fn packed_terms_come_back() {
        let terms: Vec<Term> = [(300, 1), (7, 9), (70_000, 1), (0, 1), (9, 9)]
            .map(|(word, weight)| Term { word, weight })
            .to_vec();
        let mut bytes = Vec::new();
        let part = pack(&terms, &mut Vec::new(), &mut bytes);
        assert_eq!(part, Part { length: 2 + 2 + 2 + 1 + 2 + 3, terms: 5 });
        let mut back = Vec::new();
        let packed = take_part(&mut &bytes[..], part);
        packed.for_each(|term| back.push((term.word, term.weight)));
        assert_eq!(back, [(7, 9), (9, 9), (0, 1), (300, 1), (70_000, 1)]);
        assert_eq!(packed.count(), 5);
    }
}
