//! Reads sources into what a digest may hold: topics, and items by section.

use std::collections::{BTreeMap, HashSet};

use super::list;
use super::sentence::{BULLET, cut, first_sentence};
use super::trace::is_frame;
use crate::memory::entry::{self, Entry, Kind, Line};
use crate::memory::fence;
use crate::memory::period::{Level, Period};

/// Which items stay when there is no room for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// user and feedback entries
    Always,
    /// everything else, newest first
    Rest,
}

/// One thing worth keeping: a bullet with what belongs to it.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) lines: Vec<String>,
    pub(super) rank: Rank,
    /// where it stood, counted over all sources
    pub(super) order: usize,
    pub(super) chosen: bool,
}

/// Everything found so far.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// each topic once, in the order of first mention, with its latest type
    pub(super) topics: Vec<(String, Kind)>,
    /// later questions of a conversation, listed below the topics
    pub(super) asked: Vec<Item>,
    /// by section heading
    pub(super) sections: BTreeMap<String, Vec<Item>>,
    seen_topics: std::collections::HashMap<String, usize>,
    seen_items: HashSet<(String, Vec<String>)>,
    count: usize,
}

const DECISIONS: &str = "Key Decisions";
const COMPLETED: &str = "Tasks Completed";
const LESSONS: &str = "Lessons Learned";
const OPEN: &str = "Open Items";
const TOPICS: &str = "Topics";

impl Collected {
    /// Reads one source. Above the daily level it may be a node's body, whose sections are known by name and
    /// whose days are set apart by `# PERIOD` lines.
    pub(super) fn add(&mut self, level: Level, source: &str) {
        if level == Level::Daily {
            return self.add_part(source, false);
        }
        let mut from = 0;
        let mut at = 0;
        for line in source.split_inclusive('\n') {
            if is_separator(line) {
                self.add_part(&source[from..at], true);
                from = at + line.len();
            }
            at += line.len();
        }
        self.add_part(&source[from..], true);
    }

    fn add_part(&mut self, text: &str, of_node: bool) {
        let parsed = entry::parse(text);
        let untitled =
            Entry { topic: "", kind: Kind::Project, typed: false, lines: parsed.preamble };
        self.add_entry(&untitled);
        if parsed.entries.is_empty() && !of_node {
            self.add_other_headings(&untitled.lines);
        }
        // A summary names its topics in a section of their own; headings without a type are then sections.
        let summary = of_node && parsed.entries.iter().any(|entry| entry.topic == TOPICS);
        for entry in &parsed.entries {
            match section_name(entry.topic).filter(|_| of_node) {
                Some(TOPICS) => self.add_topics(&entry.lines),
                Some(section) => self.add_section(section, &entry.lines),
                None if summary && !entry.typed => self.add_section(entry.topic, &entry.lines),
                None => self.add_entry(entry),
            }
        }
    }

    /// A log without a single entry is known by whatever headings it has, else by how it begins.
    fn add_other_headings(&mut self, lines: &[Line<'_>]) {
        let text = |line: &Line<'_>| line.text.trim().to_owned();
        let titles = lines.iter().filter(|line| !line.code && line.text.starts_with('#')).map(text);
        let titles: Vec<_> = titles
            .map(|title| title.trim_start_matches('#').trim().to_owned())
            .filter(|title| entry::names_a_subject(title))
            .collect();
        let first = || lines.iter().map(text).find(|text| entry::names_a_subject(text));
        if titles.is_empty() && self.topics.is_empty() {
            self.push_topic(&first_sentence(&first().unwrap_or_default()), Kind::Project);
        }
        for title in titles {
            self.push_topic(&title, Kind::Project);
        }
    }

    /// A node's Topics section: the machine's one line, or whatever a model made of it.
    fn add_topics(&mut self, lines: &[Line<'_>]) {
        for line in lines.iter().filter(|line| !line.text.trim().is_empty()) {
            let text = line.text.trim();
            if text.starts_with("- asked: ") {
                self.push_asked(text.to_owned());
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
    fn add_section(&mut self, name: &str, lines: &[Line<'_>]) {
        let mut item: Vec<String> = Vec::new();
        for line in lines {
            let text = line.text.trim_end();
            let is_own = starts_bullet(text) && !text.starts_with([' ', '\t']);
            if is_own || text.is_empty() {
                self.push_section_item(name, std::mem::take(&mut item));
            }
            if !text.is_empty() {
                item.push(text.to_owned());
            }
        }
        self.push_section_item(name, item);
    }

    fn push_section_item(&mut self, name: &str, lines: Vec<String>) {
        let Some(first) = lines.first() else { return };
        if first.starts_with('(') && first.ends_with(" more in the sources)") {
            return;
        }
        let lasting = first.ends_with(" [feedback]") || first.ends_with(" [user]");
        let rank = if name == LESSONS && lasting { Rank::Always } else { Rank::Rest };
        self.push(name, lines, rank);
    }

    fn add_entry(&mut self, entry: &Entry<'_>) {
        let asked = questions(&entry.lines);
        let mut asked = asked.iter();
        let topic = if entry.has_topic() {
            entry.topic.to_owned()
        } else {
            asked.next().map(|text| first_sentence(text)).unwrap_or_default()
        };
        if !topic.is_empty() {
            self.push_topic(&topic, entry.kind);
        }
        if entry.is_ephemeral() {
            return;
        }
        for question in asked {
            self.push_asked(format!("- asked: {}", first_sentence(question)));
        }
        match entry.kind {
            Kind::User | Kind::Feedback => self.add_whole(&topic, entry),
            Kind::Project | Kind::Reference => self.add_bullets(entry),
        }
    }

    /// A user or feedback entry: nothing is left out but code and traces.
    fn add_whole(&mut self, topic: &str, entry: &Entry<'_>) {
        let mut lines = vec![format!("- {topic} [{}]", entry.kind)];
        let mut in_code = false;
        for line in &entry.lines {
            if line.code && !in_code {
                lines.extend(code_path(line.text).map(|path| format!("  → {path}")));
            }
            in_code = line.code;
            if !line.code && !line.text.trim().is_empty() && !is_frame(line.text) {
                lines.push(format!("  {}", line.text.trim_end()));
            }
        }
        self.push(LESSONS, lines, Rank::Always);
    }

    /// What a project or reference entry decided, finished and left open.
    fn add_bullets(&mut self, entry: &Entry<'_>) {
        let prefix = if entry.has_topic() { format!("{}: ", entry.topic) } else { String::new() };
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
                (None, None) => match below.filter(|_| indented) {
                    Some(section) => (section, bullet),
                    None => {
                        below = None;
                        continue;
                    }
                },
            };
            self.push(section, vec![format!("- {prefix}{}", cut(text, BULLET))], Rank::Rest);
        }
    }

    fn push_topic(&mut self, topic: &str, kind: Kind) {
        let topic = topic.trim();
        if topic.is_empty() {
            return;
        }
        let same = topic.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if let Some(index) = self.seen_topics.get(&same) {
            self.topics[*index].1 = kind;
        } else {
            self.seen_topics.insert(same, self.topics.len());
            self.topics.push((topic.to_owned(), kind));
        }
    }

    fn push_asked(&mut self, line: String) {
        let known = (TOPICS.to_owned(), vec![line]);
        if self.seen_items.insert(known.clone()) {
            let order = self.next();
            self.asked.push(Item { lines: known.1, rank: Rank::Rest, order, chosen: false });
        }
    }

    fn push(&mut self, section: &str, lines: Vec<String>, rank: Rank) {
        if self.seen_items.insert((section.to_owned(), lines.clone())) {
            let order = self.next();
            let item = Item { lines, rank, order, chosen: false };
            self.sections.entry(section.to_owned()).or_default().push(item);
        }
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }
}

/// A `# 2026-03-09` or `# 2026-W11` line, as nodes set their sources apart.
fn is_separator(line: &str) -> bool {
    line.strip_prefix("# ").is_some_and(|label| {
        let label = label.trim_end();
        label.len() <= 10
            && Level::ALL.into_iter().any(|level| Period::parse(level, label).is_some())
    })
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

fn starts_bullet(line: &str) -> bool {
    bullet(line).is_some()
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
    let colon = bullet.find([':', '：']).filter(|at| *at <= 24)?;
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

/// What the user said in each of their turns: the text after `User:`, or the line below it.
fn questions<'a>(lines: &[Line<'a>]) -> Vec<&'a str> {
    let mut questions = Vec::new();
    let mut waiting = false;
    for line in lines.iter().filter(|line| !line.code) {
        let text = line.text.trim();
        let said = text.strip_prefix("**User:**").or_else(|| line.text.strip_prefix("User:"));
        match said.map(str::trim) {
            Some("") => waiting = true,
            Some(said) => {
                questions.push(said);
                waiting = false;
            }
            None if waiting && !text.is_empty() => {
                questions.push(text);
                waiting = false;
            }
            None => {}
        }
    }
    questions
}

/// `path:lines` where the line that opens a code block names a file.
fn code_path(line: &str) -> Option<&str> {
    fence::info(line)?.split([' ', '=', '"', '{', '}', ',']).find(|word| {
        word.contains('/') && word.rsplit('/').next().is_some_and(|name| name.contains('.'))
    })
}
