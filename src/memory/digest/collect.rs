//! Reads sources into what a digest may hold: topics, and items by section.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use bumpalo::Bump;
use bumpalo::collections::Vec as InArena;

use super::detail::{Detail, Heading};
use super::item::{Item, Rank};
use super::keyed::{COMPLETED, DECISIONS, OPEN, bullet, keyed, open_box};
use super::{list, wrap};
use crate::markdown::block::Blocks;
use crate::markdown::marker::MARKER;
use crate::markdown::{fence, heading};
use crate::memory::entry::{self, Entry, EntryLine, EntryType};
use crate::memory::hashed::{Hashed, hash_folded};
use crate::memory::period::{Level, Period};
use crate::memory::talk::{self, Cutter, MOST, Sitting, code_path, is_frame};
use crate::text::{name, short_name, single_spaced};

/// Everything found so far.
#[derive(Debug)]
pub(super) struct Collected<'a> {
    /// each topic once, in the order of first mention, with its latest type
    pub(super) topics: Vec<(Cow<'a, str>, EntryType)>,
    /// by section heading
    pub(super) sections: BTreeMap<Cow<'a, str>, Vec<Item<'a>>>,
    /// sittings and entries, in order
    pub(super) details: Vec<Detail<'a>>,
    /// lines that sources left out before
    pub(super) left_out: usize,
    /// how many lines the details have, and how many they had when they were last thinned
    told: usize,
    kept: usize,
    /// the source that is being read, and what its details are dated with
    day: usize,
    date: Option<Period>,
    /// room for the lines of one entry, and for its turns
    rest: Vec<EntryLine<'a>>,
    sitting: Sitting<'static, 'static>,
    cutter: Cutter<'a>,
    seen_topics: HashMap<u64, usize, Hashed>,
    seen_items: HashSet<u64, Hashed>,
    /// the items so far; the last one's place in their order
    pub(super) count: usize,
}

const LESSONS: &str = "Lessons Learned";
const TOPICS: &str = "Topics";
/// About as many topics as the sources of a digest have, and as many items as each of its sections.
const USUAL: usize = 64;
/// The section of a digest that tells what was said.
pub(super) const DETAIL: &str = "In Detail";

impl<'a> Collected<'a> {
    /// What is no part of the sources is put into `arena`.
    pub(super) fn new(arena: &'a Bump) -> Self {
        Self {
            topics: Vec::new(),
            sections: BTreeMap::new(),
            details: Vec::new(),
            left_out: 0,
            told: 0,
            kept: 0,
            day: 0,
            date: None,
            rest: Vec::new(),
            sitting: Sitting::default(),
            cutter: Cutter::new(arena),
            seen_topics: HashMap::with_capacity_and_hasher(USUAL, Hashed::default()),
            seen_items: HashSet::with_capacity_and_hasher(4 * USUAL, Hashed::default()),
            count: 0,
        }
    }

    /// Reads one source. Above the daily level it may be a node's body, whose sections are known by name. In a
    /// week's body days are set apart by `# PERIOD` lines, in order and with a blank line on either side; others are
    /// somebody's text.
    pub(super) fn add(&mut self, level: Level, period: Period, source: &'a str) {
        self.date = Some(period).filter(|_| level == Level::Weekly);
        if level != Level::Monthly {
            self.add_part(source, level != Level::Daily);
            self.day += 1;
            return;
        }
        let (mut from, mut latest) = (0, None);
        let mut said = None;
        let hashes = memchr::memmem::find_iter(source.as_bytes(), "\n# ").map(|at| at + 1);
        for at in std::iter::once(0).chain(hashes) {
            let end = source[at..].find('\n').map_or(source.len(), |length| at + length + 1);
            let alone = (at == 0 || source[..at].ends_with("\n\n"))
                && (end == source.len() || source[end..].starts_with('\n'));
            let day = day_of_separator(&source[at..end]).filter(|day| {
                alone
                    && latest < Some(*day)
                    && !said.get_or_insert_with(|| code_in_turns(source)).contains(&at)
            });
            if day.is_some() {
                self.add_part(&source[from..at], true);
                self.day += usize::from(latest.is_some());
                (from, latest) = (end, day);
                self.date = day;
            }
        }
        self.add_part(&source[from..], true);
        self.day += 1;
    }

    fn add_part(&mut self, text: &'a str, of_node: bool) {
        let parsed = entry::parse(text);
        // A summary names its topics in a section of their own; headings without a type are then sections.
        let is_list = |entry: Entry<'_, '_>| entry.topic == TOPICS && !entry.typed;
        let summary = of_node && parsed.entries().any(is_list);
        if !summary {
            self.add_entry(&parsed.untitled());
        }
        if parsed.entries().len() == 0 && !of_node {
            self.add_other_headings(&parsed.untitled().lines);
        }
        for entry in parsed.entries() {
            match section_name(entry.topic).filter(|_| of_node && !entry.typed) {
                Some(TOPICS) => self.add_topics(&entry.lines),
                Some(DETAIL) if summary => self.add_details(&entry.lines),
                Some(section) => self.add_section(section, &entry.lines),
                None if summary && !entry.typed => {
                    self.add_section(short_name(entry.topic), &entry.lines);
                }
                None => self.add_entry(&entry),
            }
        }
    }

    /// A log without a single entry is known by whatever headings it has.
    fn add_other_headings(&mut self, lines: &[EntryLine<'a>]) {
        let titles = lines
            .iter()
            .filter(|line| !line.code)
            .filter_map(|line| Some(heading::heading(line.text)?.1))
            .filter(|title| entry::names_a_subject(title));
        for title in titles {
            self.push_topic(title, EntryType::Project);
        }
    }

    /// A node's Topics section: the machine's list, or whatever a model made of it.
    fn add_topics(&mut self, lines: &[EntryLine<'a>]) {
        let lines: Vec<&'a str> = lines.iter().map(|line| line.text).collect();
        for (topic, kind) in list::split_lines(&lines) {
            self.push_topic(topic, kind);
        }
    }

    /// What a digest tells in detail.
    fn add_details(&mut self, lines: &[EntryLine<'a>]) {
        let arena = self.cutter.arena();
        let mut heading = Heading::default();
        let mut below: Vec<&str> = Vec::new();
        for line in lines {
            let text = line.text.trim_end();
            if let Some(title) = text.strip_prefix("### ") {
                self.push_detail(Detail::of_lines(
                    self.day,
                    std::mem::take(&mut heading),
                    &below,
                    arena,
                ));
                below.clear();
                heading = self.dated(Cow::Borrowed(title), None);
            } else if let Some(count) = list::more(text) {
                self.left_out += count;
            } else if !text.is_empty() {
                below.push(text);
            }
        }
        self.push_detail(Detail::of_lines(self.day, heading, &below, arena));
    }

    fn push_detail(&mut self, mut detail: Detail<'a>) {
        self.left_out += std::mem::take(&mut detail.dropped);
        if detail.items.is_empty() {
            return;
        }
        self.told += detail.items.len();
        self.details.push(detail);
        // Every sitting keeps a line, so of many there may stay more: the next time is when they have doubled.
        if self.told <= 2 * self.kept.max(MOST) {
            return;
        }
        let all = self.told;
        self.told = 0;
        for detail in &mut self.details {
            detail.thin((detail.items.len() * MOST / all).max(1));
            self.left_out += std::mem::take(&mut detail.dropped);
            self.told += detail.items.len();
        }
        self.kept = self.told;
    }

    fn dated(&self, title: Cow<'a, str>, kind: Option<EntryType>) -> Heading<'a> {
        Heading { date: self.date, title: named(title), kind }
    }

    /// A section of a digest or of a model's summary, taken as it is.
    fn add_section(&mut self, name: &'a str, lines: &[EntryLine<'a>]) {
        let arena = self.cutter.arena();
        self.sections.entry(Cow::Borrowed(name)).or_default();
        let mut item: Option<Item<'a>> = None;
        for line in lines {
            let text = line.text.trim_end();
            let is_own = text.starts_with(['-', '*', '+']) && bullet(text).is_some();
            if is_own || text.is_empty() {
                self.push_section_item(name, item.take());
            }
            match &mut item {
                _ if text.is_empty() => {}
                Some(item) => item.more.extend(wrap::as_it_is(text, arena)),
                None => {
                    let mut lines = wrap::as_it_is(text, arena);
                    let mut first = self.item("", lines.next().unwrap_or_default());
                    first.more.extend(lines);
                    let lasting = text.ends_with(" [feedback]") || text.ends_with(" [user]");
                    if name == LESSONS && lasting {
                        first.rank = Rank::Always;
                    }
                    item = Some(first);
                }
            }
        }
        self.push_section_item(name, item);
    }

    fn push_section_item(&mut self, name: &'a str, item: Option<Item<'a>>) {
        let Some(item) = item else { return };
        if let Some(count) = list::more(item.line) {
            self.left_out += count;
            return;
        }
        self.push(name, item);
    }

    fn add_entry(&mut self, entry: &Entry<'_, 'a>) {
        let mut rest = std::mem::take(&mut self.rest);
        let sitting = std::mem::take(&mut self.sitting).again(&entry.lines);
        self.sitting = self.add_sitting(entry, sitting, &mut rest).emptied();
        rest.clear();
        self.rest = rest;
    }

    /// Adds an entry that was read; `rest` is for those of its lines that are told in detail. Gives the room of its turns back.
    fn add_sitting<'l>(
        &mut self,
        entry: &Entry<'_, 'a>,
        mut sitting: Sitting<'l, 'a>,
        rest: &'l mut Vec<EntryLine<'a>>,
    ) -> Sitting<'l, 'a> {
        let mut title = talk::title(entry.topic, &sitting);
        // A name that only counts is better than none where all are listed.
        if title.is_empty() && entry.has_topic() {
            title = Cow::Borrowed(entry.topic);
        }
        self.push_topic(title.clone(), entry.kind);
        if entry.is_ephemeral() {
            return sitting;
        }
        if entry.kind.is_about_user() {
            self.add_whole(&title, entry);
            return sitting;
        }
        if !sitting.is_talk {
            self.add_bullets(entry, rest);
            sitting = sitting.again(rest);
        }
        let kind = Some(entry.kind).filter(|_| entry.typed && !sitting.is_talk);
        let title = if title.is_empty() { Cow::Borrowed(entry.topic) } else { title };
        let heading = self.dated(title, kind);
        let detail = Detail::of_entry(self.day, heading, &sitting, &mut self.cutter);
        self.push_detail(detail);
        sitting
    }

    /// A user or feedback entry: nothing is left out but code and traces.
    fn add_whole(&mut self, topic: &str, entry: &Entry<'_, 'a>) {
        let arena = self.cutter.arena();
        let line = ["- ", &name(topic), " [", entry.kind.word(), "]"].concat();
        let mut item = self.item("", arena.alloc_str(&line));
        item.rank = Rank::Always;
        let mut in_code = false;
        for line in &*entry.lines {
            if line.code && !in_code {
                item.more.extend(
                    code_path(line.text).map(|path| &*arena.alloc_str(&["  → ", path].concat())),
                );
            }
            in_code = line.code;
            let told = !line.code && !line.text.trim().is_empty() && !is_frame(line.text);
            if told && !line.text.starts_with("<!--") {
                item.more.extend(wrap::below(line.text, arena));
            }
        }
        self.push(LESSONS, item);
    }

    /// What a project or reference entry decided, finished and left open. `rest` is for the lines that are something else.
    fn add_bullets(&mut self, entry: &Entry<'_, 'a>, rest: &mut Vec<EntryLine<'a>>) {
        let arena = self.cutter.arena();
        let topic = if entry.has_topic() { short_name(entry.topic) } else { "" };
        // The section of a bullet like `- decisions:` whose content is the bullets below it.
        let mut below: Option<&str> = None;
        for line in &*entry.lines {
            let Some(bullet) = bullet(line.text).filter(|_| !line.code) else {
                below = below.filter(|_| line.text.trim().is_empty());
                rest.push(*line);
                continue;
            };
            let indented = line.text.starts_with([' ', '\t']);
            let (section, text) = match (open_box(bullet), keyed(bullet)) {
                (Some(text), _) => (OPEN, text),
                (None, Some((section, ""))) => {
                    below = Some(section);
                    continue;
                }
                (None, Some(found)) => found,
                (None, None) => {
                    below = below.filter(|_| indented);
                    let Some(section) = below else {
                        rest.push(*line);
                        continue;
                    };
                    (section, bullet)
                }
            };
            let before = if topic.is_empty() { 0 } else { topic.chars().count() + ": ".len() };
            let line = match wrap::cut(text, before) {
                line if topic.is_empty() => arena.alloc_str(&["- ", &line].concat()),
                Cow::Borrowed(line) => line,
                Cow::Owned(line) => arena.alloc_str(&line),
            };
            let item = self.item(topic, line);
            self.push(section, item);
        }
    }

    pub(super) fn push_topic(&mut self, topic: impl Into<Cow<'a, str>>, kind: EntryType) {
        let topic = named(topic.into());
        if topic.is_empty() {
            return;
        }
        let same = hash_spaced(&topic);
        if let Some(index) = self.seen_topics.get(&same) {
            self.topics[*index].1 = kind;
        } else {
            self.seen_topics.insert(same, self.topics.len());
            self.topics.push((topic, kind));
        }
    }

    /// The topics with their types.
    pub(super) fn named_topics(&self) -> impl Iterator<Item = (&str, EntryType)> {
        self.topics.iter().map(|(topic, kind)| (&**topic, *kind))
    }

    fn item(&self, topic: &'a str, line: &'a str) -> Item<'a> {
        let more = InArena::new_in(self.cutter.arena());
        let (rank, day) = (Rank::Rest, self.day);
        Item { topic, line, more, rank, day, order: 0, chosen: false }
    }

    fn push(&mut self, section: &'a str, mut item: Item<'a>) {
        if self.seen_items.insert(item.hash(section)) {
            item.order = self.next();
            let items = self.sections.entry(Cow::Borrowed(section));
            items.or_insert_with(|| Vec::with_capacity(USUAL)).push(item);
        }
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }
}

/// The same for topics that differ only in case or in the space between their words.
fn hash_spaced(topic: &str) -> u64 {
    let plain = topic.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if plain && !topic.contains("  ") {
        return hash_folded(topic);
    }
    hash_folded(&single_spaced(topic))
}

fn named(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => name(text.trim()),
        Cow::Owned(text) => Cow::Owned(name(text.trim()).into_owned()),
    }
}

/// Where the lines begin that are code in a turn of a conversation: no heading in there sets days apart.
fn code_in_turns(source: &str) -> HashSet<usize> {
    if memchr::memmem::find(source.as_bytes(), MARKER.as_bytes()).is_none() {
        return HashSet::new();
    }
    let code = fence::code_lines(source);
    let mut blocks = Blocks::before(source.lines());
    let mut start = 0;
    let mut found = HashSet::new();
    for (line, code) in source.split_inclusive('\n').zip(code) {
        if blocks.holds(line) && code {
            found.insert(start);
        }
        start += line.len();
    }
    found
}

/// The day of a line `# 2026-03-09`, as weeks set their days apart.
fn day_of_separator(line: &str) -> Option<Period> {
    Period::parse(Level::Daily, line.strip_prefix("# ")?.trim_end())
}

/// The section of ours that a node's heading stands for, whatever level wrote it.
fn section_name(heading: &str) -> Option<&'static str> {
    Some(match heading {
        "Topics" => TOPICS,
        "Key Decisions" | "Major Decisions" => DECISIONS,
        "Tasks Completed" | "Completed Work" => COMPLETED,
        "Lessons Learned" | "Lessons & Patterns" => LESSONS,
        "Open Items" | "Carried Forward" => OPEN,
        DETAIL => DETAIL,
        _ => return None,
    })
}
