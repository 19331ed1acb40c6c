//! Reads sources into what an extract may hold: topics, and items by section.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use bumpalo::Bump;

use super::detail::{Detail, Heading};
use super::item::{self, Item, as_it_is, below};
use super::keyed::{COMPLETED, DECISIONS, LESSONS, OPEN, bullet, keyed, open_box};
use super::topics::{more, split_topics};
use crate::markdown::block::Blocks;
use crate::markdown::marker::MARKER;
use crate::markdown::{fence, heading};
use crate::meaning::choose::MOST;
use crate::meaning::noise::is_frame;
use crate::meaning::passage::code_path;
use crate::meaning::session::Session;
use crate::meaning::title;
use crate::meaning::told::{read_back, told};
use crate::memory::entry::{self, Entry, EntryLine, EntryType};
use crate::memory::hashed::{Hashed, hash_folded};
use crate::memory::period::{Level, Period};
use crate::text::{name, short_name, single_spaced};

/// Everything found so far.
pub(super) struct Collected<'a> {
    arena: &'a Bump,
    /// each topic once, in the order of first mention, with its latest type
    pub(super) topics: Vec<(Cow<'a, str>, EntryType)>,
    /// by section heading
    pub(super) sections: BTreeMap<Cow<'a, str>, Vec<Item<'a>>>,
    /// sessions and entries, in order
    pub(super) details: Vec<Detail<'a>>,
    /// lines that sources left out before
    pub(super) left_out: usize,
    /// how many lines the details have, and how many they had when they were last thinned
    told: usize,
    kept: usize,
    /// whether details are to say which bytes of the source they are made from
    pub(super) with_places: bool,
    /// where in memory that source begins
    origin: usize,
    /// the source that is being read, and the day that its lines are of
    source: usize,
    date: Option<Period>,
    day: Option<&'a str>,
    seen_topics: HashMap<u64, usize, Hashed>,
    seen_items: HashSet<u64, Hashed>,
    /// the items so far; the last one's place in their order
    pub(super) count: usize,
}

const TOPICS: &str = "Topics";
/// The section of an extract that tells what was said.
pub(super) const DETAIL: &str = "In Detail";

impl<'a> Collected<'a> {
    /// What is no part of the sources is put into `arena`.
    pub(super) fn new(arena: &'a Bump) -> Self {
        Self {
            arena,
            topics: Vec::new(),
            sections: BTreeMap::new(),
            details: Vec::new(),
            left_out: 0,
            told: 0,
            kept: 0,
            with_places: false,
            origin: 0,
            source: 0,
            date: None,
            day: None,
            seen_topics: HashMap::default(),
            seen_items: HashSet::default(),
            count: 0,
        }
    }

    /// Reads one source. Above the daily level it may be a node's body, whose sections are known by name. In a
    /// week's body days are set apart by `# PERIOD` lines, in order and with a blank line on either side; others are
    /// somebody's text.
    pub(super) fn add(&mut self, level: Level, period: Period, source: &'a str) {
        self.set_day(Some(period).filter(|_| level != Level::Daily));
        if level != Level::Monthly {
            self.add_part(source, level != Level::Daily);
            self.source += 1;
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
                self.source += usize::from(latest.is_some());
                (from, latest) = (end, day);
                self.set_day(day);
            }
        }
        self.add_part(&source[from..], true);
        self.source += 1;
    }

    /// The day or week that lines are of that do not say it themselves.
    fn set_day(&mut self, period: Option<Period>) {
        let label = period.map(|period| period.to_string());
        self.day = label.map(|label| &*self.arena.alloc_str(label.get(5..).unwrap_or(&label)));
        self.date = period.filter(|period| matches!(period, Period::Day(_)));
    }

    fn add_part(&mut self, text: &'a str, of_node: bool) {
        let parsed = entry::parse(text);
        self.origin = text.as_ptr().addr();
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
        let titles = lines.iter().filter(|line| !line.code);
        let titles = titles.filter_map(|line| Some(heading::heading(line.text)?.1));
        for title in titles.filter(|title| entry::names_a_subject(title)) {
            self.push_topic(title, EntryType::Project);
        }
    }

    /// A node's Topics section: the machine's list, or whatever a model made of it.
    fn add_topics(&mut self, lines: &[EntryLine<'a>]) {
        let lines: Vec<&'a str> = lines.iter().map(|line| line.text).collect();
        for (topic, kind) in split_topics(&lines) {
            self.push_topic(topic, kind);
        }
    }

    /// What an extract tells in detail.
    fn add_details(&mut self, lines: &[EntryLine<'a>]) {
        let mut heading = Heading::default();
        let mut below: Vec<&str> = Vec::new();
        for line in lines {
            let text = line.text.trim_end();
            if let Some(title) = text.strip_prefix("### ") {
                self.push_lines(std::mem::take(&mut heading), &below);
                below.clear();
                heading = self.dated(Cow::Borrowed(title), None);
            } else if let Some(count) = more(text) {
                self.left_out += count;
            } else if !text.is_empty() {
                below.push(text);
            }
        }
        self.push_lines(heading, &below);
    }

    fn push_lines(&mut self, heading: Heading<'a>, lines: &[&'a str]) {
        let source = self.source;
        self.push_detail(Detail { source, heading, lines: read_back(lines), places: Vec::new() });
    }

    fn push_detail(&mut self, detail: Detail<'a>) {
        if detail.lines.is_empty() {
            return;
        }
        self.told += detail.lines.len();
        self.details.push(detail);
        // Every session keeps a line, so of many there may stay more: the next time is when they have doubled.
        if self.told <= 2 * self.kept.max(MOST) {
            return;
        }
        let all = self.told;
        self.told = 0;
        for detail in &mut self.details {
            self.left_out += detail.thin((detail.lines.len() * MOST / all).max(1));
            self.told += detail.lines.len();
        }
        self.kept = self.told;
    }

    fn dated(&self, title: Cow<'a, str>, kind: Option<EntryType>) -> Heading<'a> {
        Heading { date: self.date, title: named(title), kind }
    }

    /// A section of an extract or of a model's summary, taken as it is.
    fn add_section(&mut self, section: &'a str, lines: &[EntryLine<'a>]) {
        self.sections.entry(Cow::Borrowed(section)).or_default();
        let mut item: Option<Item<'a>> = None;
        for line in lines {
            let text = line.text.trim_end();
            let is_own = text.starts_with(['-', '*', '+']) && bullet(text).is_some();
            if is_own || text.is_empty() {
                self.push_section_item(section, item.take());
            }
            if text.is_empty() {
                continue;
            }
            let lasting = || text.ends_with(" [feedback]") || text.ends_with(" [user]");
            let stays = section == LESSONS && item.is_none() && lasting();
            let item = item.get_or_insert_with(|| Item { stays, ..self.item() });
            item.lines.extend(as_it_is(text));
        }
        self.push_section_item(section, item);
    }

    fn push_section_item(&mut self, section: &'a str, item: Option<Item<'a>>) {
        let Some(mut item) = item else { return };
        let Some(last) = item.lines.last() else { return };
        if let Some(count) = more(last) {
            self.left_out += count;
            return;
        }
        if item::has_day(last) {
            item.day = None;
        }
        self.push(section, item);
    }

    fn add_entry(&mut self, entry: &Entry<'_, 'a>) {
        let session = Session::read(&entry.lines);
        let mut title = title::of_entry(entry.topic, &session);
        // A name that only counts is better than none where all are listed.
        if title.is_empty() && entry.has_topic() {
            title = Cow::Borrowed(entry.topic);
        }
        self.push_topic(title.clone(), entry.kind);
        if entry.is_ephemeral() {
            return;
        }
        if entry.kind.is_about_user() {
            self.add_whole(&title, entry);
            return;
        }
        let title = if title.is_empty() { Cow::Borrowed(entry.topic) } else { title };
        if session.is_talk {
            self.push_session(title, None, &session, self.places(entry));
        } else {
            let mut rest = Vec::new();
            self.add_bullets(entry, &mut rest);
            let kind = Some(entry.kind).filter(|_| entry.typed);
            self.push_session(title, kind, &Session::read(&rest), self.places(entry));
        }
    }

    fn push_session(
        &mut self,
        title: Cow<'a, str>,
        kind: Option<EntryType>,
        session: &Session<'_, 'a>,
        places: Vec<Range<usize>>,
    ) {
        let (lines, dropped) = told(session, self.arena);
        self.left_out += dropped;
        let (source, heading) = (self.source, self.dated(title, kind));
        self.push_detail(Detail { source, heading, lines, places });
    }

    /// The bytes of the source that an entry stands in, below its heading: several pieces where another session
    /// interrupted it.
    fn places(&self, entry: &Entry<'_, 'a>) -> Vec<Range<usize>> {
        /// What is no part of an entry between two of its lines: line ends and our marks.
        const APART: usize = 240;
        let mut places: Vec<Range<usize>> = Vec::new();
        let is_told = |line: &&EntryLine<'a>| {
            self.with_places && !line.text.is_empty() && !line.text.starts_with(MARKER)
        };
        for line in entry.lines.iter().filter(is_told) {
            let from = line.text.as_ptr().addr().wrapping_sub(self.origin);
            let to = from.saturating_add(line.text.len());
            match places.last_mut() {
                Some(last) if (last.end..last.end + APART).contains(&from) => last.end = to,
                _ => places.push(from..to),
            }
        }
        places
    }

    /// A user or feedback entry: nothing is left out but code and traces.
    fn add_whole(&mut self, topic: &str, entry: &Entry<'_, 'a>) {
        let first = ["- ", &name(topic), " [", entry.kind.word(), "]"].concat();
        let mut item = Item { stays: true, ..self.item() };
        item.lines.push(first.into());
        let mut in_code = false;
        for line in &*entry.lines {
            if line.code && !in_code {
                let path = code_path(line.text);
                item.lines.extend(path.map(|path| ["  → ", path].concat().into()));
            }
            in_code = line.code;
            let told = !line.code && !line.text.trim().is_empty() && !is_frame(line.text);
            if told && !line.text.starts_with("<!--") {
                item.lines.extend(below(line.text));
            }
        }
        self.push(LESSONS, item);
    }

    /// What a project or reference entry decided, finished and left open. `rest` is for the lines that are something
    /// else.
    fn add_bullets(&mut self, entry: &Entry<'_, 'a>, rest: &mut Vec<EntryLine<'a>>) {
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
            let text = item::cut(text, before, self.arena);
            let mut item = Item { topic, ..self.item() };
            item.lines.push(match topic {
                "" => ["- ", text].concat().into(),
                _ => text.into(),
            });
            self.push(section, item);
        }
    }

    pub(super) fn push_topic(&mut self, topic: impl Into<Cow<'a, str>>, kind: EntryType) {
        let topic = named(topic.into());
        if topic.is_empty() {
            return;
        }
        let same = hash_folded(&single_spaced(&topic));
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

    fn item(&self) -> Item<'a> {
        Item { day: self.day, source: self.source, ..Item::default() }
    }

    fn push(&mut self, section: &'a str, mut item: Item<'a>) {
        if self.seen_items.insert(item.hash(section)) {
            self.count += 1;
            item.order = self.count;
            self.sections.entry(Cow::Borrowed(section)).or_default().push(item);
        }
    }
}

fn named(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => name(text.trim()),
        Cow::Owned(text) => Cow::Owned(name(text.trim()).into_owned()),
    }
}

/// Where the lines begin that are code in a turn of a session: no heading in there sets days apart.
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
