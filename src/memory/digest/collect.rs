//! Reads sources into what a digest may hold: topics, and items by section.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::list;
use super::questions::questions;
use super::sentence::{BULLET, cut, first_sentence};
use super::trace::is_frame;
use crate::markdown::block::Blocks;
use crate::markdown::marker::MARKER;
use crate::markdown::{fence, heading};
use crate::memory::entry::{self, Entry, Kind, Line};
use crate::memory::hashed::{Hashed, hash_folded};
use crate::memory::period::{Level, Period};
use crate::text::{name, short_name};

/// Which items stay when there is no room for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// user and feedback entries
    Always,
    /// everything else, newest first
    Rest,
}

/// One thing worth keeping: a line with what belongs to it.
#[derive(Debug)]
pub(super) struct Item<'a> {
    /// printed before the line, as `- topic: `, where it is not empty
    topic: &'a str,
    line: Cow<'a, str>,
    /// further lines
    more: Vec<Cow<'a, str>>,
    pub(super) rank: Rank,
    /// where it stood, counted over all sources
    pub(super) order: usize,
    pub(super) chosen: bool,
}

impl Item<'_> {
    /// How many lines it prints.
    pub(super) fn height(&self) -> usize {
        1 + self.more.len()
    }

    /// Prints it.
    pub(super) fn push_to(&self, text: &mut String) {
        if !self.topic.is_empty() {
            text.push_str("- ");
            text.push_str(self.topic);
            text.push_str(": ");
        }
        text.push_str(&self.line);
        text.push('\n');
        for line in &self.more {
            text.push_str(line);
            text.push('\n');
        }
    }

    /// The same for items that print the same under the same heading.
    fn hash(&self, section: &str) -> u64 {
        let parts =
            [section, self.topic, &self.line].into_iter().chain(self.more.iter().map(|l| &**l));
        parts.fold(0, |hash: u64, part| hash.rotate_left(5) ^ xxh3_64(part.as_bytes()))
    }
}

/// Everything found so far.
#[derive(Debug, Default)]
pub(super) struct Collected<'a> {
    /// each topic once, in the order of first mention, with its latest type
    pub(super) topics: Vec<(Cow<'a, str>, Kind)>,
    /// later questions of a conversation, listed below the topics
    pub(super) asked: Vec<Item<'a>>,
    /// how many questions were let go of, since later ones take all the room there can be
    pub(super) crowded_out: usize,
    /// by section heading
    pub(super) sections: BTreeMap<Cow<'a, str>, Vec<Item<'a>>>,
    seen_topics: HashMap<u64, usize, Hashed>,
    seen_items: HashSet<u64, Hashed>,
    count: usize,
}

/// Questions that are kept: more lines than any level has room for, and the newest are printed first.
const ASKED: usize = 1024;

const DECISIONS: &str = "Key Decisions";
const COMPLETED: &str = "Tasks Completed";
const LESSONS: &str = "Lessons Learned";
const OPEN: &str = "Open Items";
const TOPICS: &str = "Topics";

impl<'a> Collected<'a> {
    /// Reads one source. Above the daily level it may be a node's body, whose sections are known by name. In a
    /// week's body days are set apart by `# PERIOD` lines, in order and with a blank line on either side; others are
    /// somebody's text.
    pub(super) fn add(&mut self, level: Level, source: &'a str) {
        if level != Level::Monthly {
            return self.add_part(source, level != Level::Daily);
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
                (from, latest) = (end, day);
            }
        }
        self.add_part(&source[from..], true);
    }

    fn add_part(&mut self, text: &'a str, of_node: bool) {
        let parsed = entry::parse(text);
        let untitled =
            Entry { topic: "", kind: Kind::Project, typed: false, lines: parsed.preamble };
        self.add_entry(&untitled);
        if parsed.entries.is_empty() && !of_node {
            self.add_other_headings(&untitled.lines);
        }
        // A summary names its topics in a section of their own; headings without a type are then sections.
        let is_list = |entry: &Entry<'_>| entry.topic == TOPICS && !entry.typed;
        let summary = of_node && parsed.entries.iter().any(is_list);
        for entry in &parsed.entries {
            match section_name(entry.topic).filter(|_| of_node && !entry.typed) {
                Some(TOPICS) => self.add_topics(&entry.lines),
                Some(section) => self.add_section(section, &entry.lines),
                None if summary && !entry.typed => self.add_section(entry.topic, &entry.lines),
                None => self.add_entry(entry),
            }
        }
    }

    /// A log without a single entry is known by whatever headings it has, else by how it begins.
    fn add_other_headings(&mut self, lines: &[Line<'a>]) {
        let titles: Vec<_> = lines
            .iter()
            .filter(|line| !line.code)
            .filter_map(|line| Some(heading::heading(line.text)?.1))
            .filter(|title| entry::names_a_subject(title))
            .collect();
        let first = lines.iter().map(|line| line.text.trim());
        if titles.is_empty() && self.topics.is_empty() {
            let first = first.into_iter().find(|text| entry::names_a_subject(text));
            self.push_topic(first_sentence(first.unwrap_or_default()), Kind::Project);
        }
        for title in titles {
            self.push_topic(title, Kind::Project);
        }
    }

    /// A node's Topics section: the machine's one line, or whatever a model made of it.
    fn add_topics(&mut self, lines: &[Line<'a>]) {
        for line in lines.iter().filter(|line| !line.text.trim().is_empty()) {
            let text = line.text.trim();
            if text.starts_with("- asked: ") {
                self.push_asked(Cow::Borrowed(text));
            } else if let Some(topics) = list::split(text.strip_prefix("- ").unwrap_or(text)) {
                for (topic, kind) in topics {
                    self.push_topic(topic, kind);
                }
            } else {
                for topic in text.strip_prefix("- ").unwrap_or(text).split(", ") {
                    let (topic, kind) = match list::split(topic).as_deref() {
                        Some([(topic, kind)]) => (*topic, *kind),
                        _ => (topic, Kind::Project),
                    };
                    self.push_topic(topic.trim_end_matches(','), kind);
                }
            }
        }
    }

    /// A section of a digest or of a model's summary, taken as it is.
    fn add_section(&mut self, name: &'a str, lines: &[Line<'a>]) {
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
                Some(item) => item.more.push(Cow::Borrowed(text)),
                None => item = Some(Self::item("", Cow::Borrowed(text))),
            }
        }
        self.push_section_item(name, item);
    }

    fn push_section_item(&mut self, name: &'a str, item: Option<Item<'a>>) {
        let Some(mut item) = item else { return };
        if item.line.starts_with('(') && item.line.ends_with(" more in the sources)") {
            return;
        }
        let lasting = item.line.ends_with(" [feedback]") || item.line.ends_with(" [user]");
        if name == LESSONS && lasting {
            item.rank = Rank::Always;
        }
        self.push(name, item);
    }

    fn add_entry(&mut self, entry: &Entry<'a>) {
        let mut asked = questions(&entry.lines);
        let topic: Cow<'a, str> = if entry.has_topic() {
            Cow::Borrowed(entry.topic)
        } else {
            Cow::Owned(asked.next().map(first_sentence).unwrap_or_default())
        };
        self.push_topic(topic.clone(), entry.kind);
        if entry.is_ephemeral() {
            return;
        }
        for question in asked {
            self.push_asked(Cow::Owned(format!("- asked: {}", first_sentence(question))));
        }
        match entry.kind {
            Kind::User | Kind::Feedback => self.add_whole(&topic, entry),
            Kind::Project | Kind::Reference => self.add_bullets(entry),
        }
    }

    /// A user or feedback entry: nothing is left out but code and traces.
    fn add_whole(&mut self, topic: &str, entry: &Entry<'a>) {
        let mut item = Self::item("", Cow::Owned(format!("- {} [{}]", name(topic), entry.kind)));
        item.rank = Rank::Always;
        let mut in_code = false;
        for line in &entry.lines {
            if line.code && !in_code {
                item.more.extend(code_path(line.text).map(|path| format!("  → {path}").into()));
            }
            in_code = line.code;
            if !line.code && !line.text.trim().is_empty() && !is_frame(line.text) {
                item.more.push(format!("  {}", line.text.trim_end()).into());
            }
        }
        self.push(LESSONS, item);
    }

    /// What a project or reference entry decided, finished and left open.
    fn add_bullets(&mut self, entry: &Entry<'a>) {
        let topic = if entry.has_topic() { short_name(entry.topic) } else { "" };
        // The section of a bullet like `- decisions:` whose content is the bullets below it.
        let mut below: Option<&str> = None;
        for line in entry.lines.iter().filter(|line| !line.code) {
            let Some(bullet) = bullet(line.text) else {
                below = below.filter(|_| line.text.trim().is_empty());
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
                    let Some(section) = below else { continue };
                    (section, bullet)
                }
            };
            let line = match (topic.is_empty(), cut(text, BULLET)) {
                (false, line) => line,
                (true, line) => Cow::Owned(format!("- {line}")),
            };
            self.push(section, Self::item(topic, line));
        }
    }

    pub(super) fn push_topic(&mut self, topic: impl Into<Cow<'a, str>>, kind: Kind) {
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

    fn item(topic: &'a str, line: Cow<'a, str>) -> Item<'a> {
        Item { topic, line, more: Vec::new(), rank: Rank::Rest, order: 0, chosen: false }
    }

    fn push_asked(&mut self, line: Cow<'a, str>) {
        let mut item = Self::item("", line);
        if self.seen_items.insert(item.hash(TOPICS)) {
            item.order = self.next();
            if self.asked.len() >= 2 * ASKED {
                self.crowded_out += ASKED;
                self.asked.drain(..ASKED);
            }
            self.asked.push(item);
        }
    }

    fn push(&mut self, section: &'a str, mut item: Item<'a>) {
        if self.seen_items.insert(item.hash(section)) {
            item.order = self.next();
            self.sections.entry(Cow::Borrowed(section)).or_default().push(item);
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
    hash_folded(&topic.split_whitespace().collect::<Vec<_>>().join(" "))
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
        _ => return None,
    })
}

/// The text of a bullet, at any depth.
fn bullet(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let rest = text.strip_prefix(['-', '*', '+'])?;
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

/// The text of an unchecked box.
fn open_box(bullet: &str) -> Option<&str> {
    bullet.strip_prefix("[ ]").map(str::trim)
}

/// The section that a bullet like `decision: …` or `**Outcome:** …` belongs to, and what it says.
fn keyed(bullet: &str) -> Option<(&'static str, &str)> {
    let near = bullet.char_indices().take_while(|(at, _)| *at <= 24);
    let (colon, _) = near.into_iter().find(|(_, c)| matches!(c, ':' | '：'))?;
    let bare = |text: &'static str, key: &str| text.eq_ignore_ascii_case(key);
    let key = bullet[..colon].trim_matches(['*', '_', '`', ' ']);
    let text = bullet[colon..].trim_start_matches([':', '：', '*', '_', ' ']).trim();
    let section = if ["decision", "decisions"].into_iter().any(|word| bare(word, key)) {
        DECISIONS
    } else if ["outcome", "work done"].into_iter().any(|word| bare(word, key)) {
        COMPLETED
    } else if ["pending", "next", "blocked"].into_iter().any(|word| bare(word, key)) {
        OPEN
    } else {
        return None;
    };
    Some((section, text))
}

/// `path:lines` where the line that opens a code block names a file.
fn code_path(line: &str) -> Option<&str> {
    fence::info(line)?.split([' ', '=', '"', '{', '}', ',']).find(|word| {
        word.contains('/') && word.rsplit('/').next().is_some_and(|name| name.contains('.'))
    })
}
