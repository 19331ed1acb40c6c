//! Reads the text of a node: a log as it stands, an extract, or a summary that somebody wrote.

use std::collections::BTreeMap;

use bumpalo::Bump;
use chrono::{Datelike as _, NaiveDate};

use super::fact_label::{self, FactLabel, head, is_over, labelled, trailing_type};
use super::topic_names::{content_words, fold, key, telling};
use super::{Fact, FactKind, FactOrigin, Subject};
use crate::markdown::form::{Form, form, read_title};
use crate::markdown::label::{USER, named, written};
use crate::markdown::marker::marker;
use crate::meaning::extract;
use crate::meaning::session::Session;
use crate::meaning::told::{Told, told};
use crate::memory::entry::{self, Entry, EntryLine, EntryType};
use crate::memory::period::Period;
use crate::text::{printable, short_name, single_spaced, start};

/// The longest text of a fact, in bytes; a rule of a person may be longer than a line of the page.
const LONGEST: usize = 1000;
/// The most facts of one topic in one node.
const MOST: usize = 40;

/// What a node says. `named` is the list of topics of its head: those that the entries of its log have. Never fails: what
/// is no line of a known form is no fact.
pub(crate) fn read(text: &str, named: &str) -> Vec<Subject> {
    let mut reader = Reader {
        text,
        starts: std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
            .collect(),
        subjects: Vec::new(),
        places: BTreeMap::new(),
        listed: Vec::new(),
    };
    let parsed = entry::parse(text);
    let is_list = |entry: Entry<'_, '_>| entry.topic == "Topics" && !entry.typed;
    let sections = parsed.entries().any(is_list);
    // Above "In Detail" an extract has what entries of the log say.
    let origin = if extract::is_announced(text.as_bytes()) {
        FactOrigin::Entry
    } else {
        FactOrigin::Summary
    };
    if !sections {
        reader.entry(&parsed.untitled());
    }
    for entry in parsed.entries() {
        match entry.topic {
            _ if !sections || entry.typed => reader.entry(&entry),
            "Topics" => reader.list(&entry, origin),
            "In Detail" => reader.details(&entry),
            name if name.contains("Entities") => {}
            name => reader.section(kind_of(name), &entry.lines, origin),
        }
    }
    let of_user = topics_of_head(named).filter(|(_, kind)| kind.is_about_user());
    let entries: Vec<String> = of_user.map(|(topic, _)| fold(topic)).collect();
    for subject in &mut reader.subjects {
        let is_entry = subject.kind.is_about_user() && entries.contains(&fold(&subject.topic));
        if subject.origin == FactOrigin::Summary && is_entry {
            subject.origin = FactOrigin::Entry;
        }
        // Words last: only what the facts do not say themselves is one to search by.
        if subject.words.is_empty() {
            let texts = subject.facts.iter().map(|fact| fact.text.as_str());
            subject.words = telling(std::iter::once(subject.topic.as_str()).chain(texts));
        }
    }
    reader.subjects
}

/// What the sections of nodes tell; a section of another name tells what was learnt.
fn kind_of(section: &str) -> FactKind {
    match section {
        "Key Decisions" | "Major Decisions" => FactKind::Decision,
        "Tasks Completed" | "Completed Work" => FactKind::Done,
        "Open Items" | "Carried Forward" => FactKind::Open,
        _ => FactKind::Lesson,
    }
}

/// The topics that the line of a head names: `auth [project], "a, b" [user]`.
fn topics_of_head(line: &str) -> impl Iterator<Item = (&str, EntryType)> {
    let line = line.trim_matches('\'');
    line.split("], ").filter_map(|item| {
        let (topic, word) = item.trim_end_matches(']').rsplit_once(" [")?;
        Some((topic.trim_matches('"'), EntryType::parse(word)?))
    })
}

/// A bullet and what stands below it.
struct Bullet<'a> {
    text: &'a str,
    /// indented lines, without their marks
    below: Vec<&'a str>,
    line: u32,
    /// the heading above it, if it is a day's
    day: Option<NaiveDate>,
    /// what it is labelled with, and what is said behind that; see [`labelled`]
    label: Option<(Option<FactLabel>, &'a str, &'a str)>,
}

impl<'a> Bullet<'a> {
    fn new(text: &'a str, line: u32, day: Option<NaiveDate>) -> Self {
        Self { text, below: Vec::new(), line, day, label: labelled(text) }
    }

    /// All but its label.
    fn said(&self) -> &'a str {
        self.label.map_or(self.text, |(.., said)| said)
    }

    /// All of it on one line.
    fn joined(&self, text: &str) -> String {
        let below = self.below.iter().copied();
        let parts = std::iter::once(text).chain(below).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("; ")
    }
}

struct Reader<'a> {
    text: &'a str,
    /// where each line begins
    starts: Vec<usize>,
    subjects: Vec<Subject>,
    /// by the letters of the topic and its type
    places: BTreeMap<(String, EntryType), usize>,
    /// the topics that a summary lists
    listed: Vec<Listed>,
}

/// A topic that a summary lists.
struct Listed {
    topic: String,
    kind: EntryType,
    /// see [`key`]
    key: String,
    /// see [`content_words`]
    words: Vec<String>,
}

impl<'a> Reader<'a> {
    /// The number of the line that a part of the text begins on, from 1.
    fn line(&self, part: &str) -> u32 {
        let at = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        u32::try_from(self.starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }

    /// Whether a text is a part of the node's.
    fn holds(&self, part: &str) -> bool {
        self.text.as_bytes().as_ptr_range().contains(&part.as_ptr())
    }

    fn subject(
        &mut self,
        topic: &str,
        kind: EntryType,
        origin: FactOrigin,
        line: u32,
    ) -> &mut Subject {
        let (topic, over) = fact_label::without_over(topic);
        let topic = short_name(&printable(topic)).to_owned();
        let subjects = &mut self.subjects;
        let at = *self.places.entry((fold(&topic), kind)).or_insert_with(|| {
            subjects.push(Subject::new(topic, kind, origin, line));
            subjects.len() - 1
        });
        let subject = &mut self.subjects[at];
        subject.done |= over;
        subject.origin = subject.origin.min(origin);
        subject
    }

    /// An entry of a log: `## Topic [type]`.
    fn entry(&mut self, entry: &Entry<'_, 'a>) {
        let mut blocks = entry.blocks();
        let is_talk = entry.lines.iter().any(|line| {
            let inside = blocks.holds(line.text);
            let label = if inside { written(line.text).is_some() } else { is_turn(line.text) };
            !line.code && label
        });
        let blank = |line: &&EntryLine<'_>| {
            let text = line.text.trim_start_matches('\u{feff}').trim();
            !(text.is_empty() || text.starts_with("# ") || text.starts_with("<!--"))
        };
        let Some(first) = entry.lines.iter().find(blank) else {
            if entry.has_topic() {
                let at = self.line(entry.topic);
                self.subject(entry.topic, entry.kind, FactOrigin::Entry, at);
            }
            return;
        };
        if is_talk {
            return self.session(entry);
        }
        let topic = if entry.has_topic() || entry.kind.is_about_user() { entry.topic } else { "" };
        let at = self.line(if topic.is_empty() { first.text } else { topic });
        let loose = topic.is_empty();
        let bullets = self.bullets(&entry.lines);
        if loose && bullets.is_empty() {
            return;
        }
        let facts = if entry.is_ephemeral() {
            Vec::new()
        } else {
            bullets.iter().flat_map(|bullet| stated(bullet, entry.kind)).collect()
        };
        let words = telling(std::iter::once(topic).chain(bullets.iter().map(Bullet::said)));
        let over = bullets.iter().any(|bullet| {
            let status = bullet.label.filter(|(label, ..)| *label == Some(FactLabel::Status));
            status.is_some_and(|(_, _, text)| is_over(text))
        });
        // Notes without a heading are known by the first of them.
        let name = if loose { first_words(bullets[0].text) } else { topic.to_owned() };
        let subject = self.subject(&name, entry.kind, FactOrigin::Entry, at);
        subject.done |= over;
        subject.facts.extend(facts);
        subject.facts.truncate(MOST);
        subject.words = words;
    }

    /// A session as it stands in the log: known by its title.
    fn session(&mut self, entry: &Entry<'_, 'a>) {
        let title = entry.lines.iter().rev().find_map(|line| match form(line.text) {
            Some(Form::Title(title)) if !line.code => Some(read_title(title).into_owned()),
            _ => None,
        });
        let first_prompt = || {
            let mut lines = entry.lines.iter().filter(|line| !line.code).map(|line| line.text);
            let said = lines.find_map(|line| line.strip_prefix(USER)).unwrap_or_default().trim();
            let said = if said.is_empty() { lines.next().unwrap_or_default() } else { said };
            first_words(said)
        };
        let heading = || entry.has_topic().then(|| read_title(entry.topic).into_owned());
        let title = title.or_else(heading).unwrap_or_else(first_prompt);
        if title.is_empty() {
            return;
        }
        let at = entry.lines.first().map_or(1, |line| self.line(line.text));
        let texts = entry
            .lines
            .iter()
            .filter(|line| marker(line.text).is_none())
            .map(|line| written(line.text).map_or(line.text, |(_, words)| words));
        let words = telling(std::iter::once(&*title).chain(texts));
        let arena = Bump::new();
        let (lines, _) = told(&Session::read(&entry.lines), &arena);
        let concluded = |line: &Told<'_>| {
            let text = [line.label.text(), line.text].concat();
            let line = if self.holds(line.text) { self.line(line.text) } else { at };
            concluded(&Bullet::new(&text, line, None))
        };
        let facts: Vec<Fact> = lines.iter().flat_map(concluded).collect();
        let subject = self.subject(&title, entry.kind, FactOrigin::Session, at);
        subject.words = words;
        subject.facts.extend(facts);
        subject.facts.truncate(MOST);
    }

    /// The topics that an extract or a summary lists.
    fn list(&mut self, entry: &Entry<'_, 'a>, origin: FactOrigin) {
        let lines: Vec<&str> = entry.lines.iter().map(|line| line.text).collect();
        let at = lines.first().map_or(1, |line| self.line(line));
        for (topic, kind) in extract::split_topics(&lines) {
            let topic = single_spaced(&topic);
            if topic.is_empty() {
                continue;
            }
            let (key, words) = (key(&topic), folded_words(&topic));
            self.listed.push(Listed { topic: topic.clone(), kind, key, words });
            let origin = if origin == FactOrigin::Entry { FactOrigin::Session } else { origin };
            self.subject(&topic, kind, origin, at);
        }
    }

    /// What an extract tells of sessions: below each title those of its lines that say what was settled or concluded.
    fn details(&mut self, entry: &Entry<'_, 'a>) {
        let headings: Vec<usize> =
            (0..entry.lines.len()).filter(|at| entry.lines[*at].text.starts_with("### ")).collect();
        let ends = headings.iter().skip(1).copied().chain([entry.lines.len()]);
        for (start, end) in headings.iter().copied().zip(ends) {
            let heading = entry.lines[start].text;
            let (title, kind) = trailing_type(heading.trim_start_matches("### ").trim());
            let lines = &entry.lines[start + 1..end];
            let bullets = self.bullets(lines);
            let kind = kind.unwrap_or(EntryType::Project);
            let facts: Vec<Fact> = bullets.iter().flat_map(concluded).collect();
            let words = telling(std::iter::once(title).chain(bullets.iter().map(Bullet::said)));
            let at = self.line(heading);
            let subject = self.subject(&title.replace("…", ""), kind, FactOrigin::Session, at);
            subject.facts.extend(facts);
            subject.facts.truncate(MOST);
            subject.words = words;
        }
    }

    /// A section of a summary, or of an extract above what it tells in detail.
    fn section(&mut self, kind: FactKind, lines: &[EntryLine<'a>], origin: FactOrigin) {
        for bullet in self.bullets(lines) {
            if bullet.text.contains("more lines in the log") {
                continue;
            }
            let (name, typed, said) = head(bullet.text);
            let listed = self.listed_as(name, typed.is_some());
            let kind_of_topic = typed.or(listed.map(|listed| listed.kind));
            let of_topic = kind_of_topic.unwrap_or(EntryType::Project);
            // A bullet without a head begins with its topic.
            let (opening, said) = if name.is_empty() { opening(said) } else { (name, said) };
            let is_other = listed.is_some_and(|listed| !holds(&listed.topic, name));
            let topic = listed.map_or_else(|| opening.to_owned(), |listed| listed.topic.clone());
            let mut facts: Vec<Fact> = if said.is_empty() && !bullet.below.is_empty() {
                let below = bullet.below.iter();
                let below = below.map(|text| Bullet::new(text, bullet.line, bullet.day));
                below.flat_map(|bullet| stated(&bullet, of_topic)).collect()
            } else {
                let kind = if of_topic.is_about_user() { FactKind::Rule } else { kind };
                let text = bullet.joined(said);
                fact(&bullet, kind, &text).into_iter().collect()
            };
            // A topic that the list calls otherwise: the bullet's own head belongs to what it says.
            if is_other {
                for fact in &mut facts {
                    fact.text = format!("{name}: {}", fact.text);
                }
            }
            let subject = self.subject(&topic, of_topic, origin, bullet.line);
            subject.facts.extend(facts);
            subject.facts.truncate(MOST);
        }
    }

    /// The topic of the list that a bullet of a summary is about: of the same name, or, where the bullet names no type of
    /// its own, one that has all of its words.
    fn listed_as(&self, name: &str, typed: bool) -> Option<&Listed> {
        if name.is_empty() || self.listed.is_empty() {
            return None;
        }
        let key = key(name);
        let same = self.listed.iter().find(|listed| listed.key == key);
        let all_in = || {
            let own = folded_words(name);
            let has_all = |listed: &&Listed| own.iter().all(|word| listed.words.contains(word));
            self.listed.iter().find(|listed| !own.is_empty() && has_all(listed))
        };
        same.or_else(|| if typed { None } else { all_in() })
    }

    /// The bullets of lines; what is no bullet and not indented is one of its own.
    fn bullets(&self, lines: &[EntryLine<'a>]) -> Vec<Bullet<'a>> {
        let mut bullets: Vec<Bullet<'a>> = Vec::new();
        let (mut day, mut open) = (None, false);
        for line in lines.iter().filter(|line| !line.code) {
            let text = line.text.trim();
            if text.is_empty() || text.starts_with("<!--") || form(line.text).is_some() {
                open = false;
                continue;
            }
            if text.starts_with('#') {
                let label = text.trim_start_matches('#').trim();
                day = Period::read(label).and_then(|period| match period {
                    Period::Day(day) => Some(day),
                    _ => None,
                });
                open = false;
                continue;
            }
            let bare =
                text.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with([' ', '\t']));
            let indented = line.text.starts_with([' ', '\t']);
            let own = bare.unwrap_or(text).trim();
            let above = bullets.last_mut().filter(|_| open && (indented || bare.is_none()));
            if let Some(above) = above {
                above.below.push(own);
            } else {
                let line = self.line(text);
                bullets.push(Bullet::new(own, line, day));
            }
            open = true;
        }
        bullets
    }
}

/// What a line of a session says is settled or concluded. What an extract marks as turned down is too often something
/// else to be a fact, and of what a reply concludes an item of a list, the words in front of one, and the rest of a sentence
/// say nothing alone.
fn concluded(bullet: &Bullet<'_>) -> Vec<Fact> {
    let Some((Some(FactLabel::Tells(kind)), _, said)) = bullet.label else {
        return Vec::new();
    };
    let own = said.split(" (user: ").next().unwrap_or(said).trim_end_matches(['*', '_']);
    let announces = own.ends_with(':');
    let is_part = said.starts_with('…') || is_item(said);
    if !announces && (kind == FactKind::Decision || !is_part) {
        stated(bullet, EntryType::Project)
    } else {
        Vec::new()
    }
}

/// Whether a text is an item of a list that counts: `2. …`, `B) …`, `Option A: …`.
fn is_item(text: &str) -> bool {
    let text = text.trim_start_matches(['(', '*']);
    let named = text.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("option "));
    let text = if named { &text[7..] } else { text };
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphanumeric)
        && chars.next().is_some_and(|c| matches!(c, '.' | ')' | ':' | '*'))
}

/// What a bullet of an entry states.
fn stated(bullet: &Bullet<'_>, of: EntryType) -> Vec<Fact> {
    let usual = match of {
        EntryType::Feedback | EntryType::User => FactKind::Rule,
        EntryType::Reference => FactKind::Reference,
        EntryType::Project => FactKind::Decision,
    };
    let (label, name, said) = bullet.label.unwrap_or((None, "", bullet.text));
    let kind = match label {
        Some(FactLabel::Tells(kind)) if of.is_about_user() => kind.min(usual),
        Some(FactLabel::Tells(kind)) => kind,
        Some(FactLabel::Why) if of.is_about_user() => FactKind::Lesson,
        Some(FactLabel::TurnedDown) => FactKind::Decision,
        Some(FactLabel::Routes | FactLabel::Status) => return Vec::new(),
        Some(FactLabel::Why) | None => usual,
    };
    // What is decided below a label that says nothing itself is one fact a line.
    if said.is_empty() && label.is_some() {
        let below = bullet.below.iter().filter_map(|text| fact(bullet, kind, text));
        return below.collect();
    }
    let text = match label {
        Some(FactLabel::TurnedDown) => format!("not {}", bullet.joined(said)),
        Some(_) => bullet.joined(said),
        None if name.is_empty() => bullet.joined(said),
        None => format!("{name}: {}", bullet.joined(said)),
    };
    fact(bullet, kind, &text).into_iter().collect()
}

/// A fact, if a text says anything. The days that it ends with are its own.
fn fact(bullet: &Bullet<'_>, kind: FactKind, text: &str) -> Option<Fact> {
    let text = printable(text);
    let (text, days) = match text.rsplit_once('→') {
        Some((before, behind)) => match days_of(behind, bullet.day) {
            days if days.is_empty() => (text.as_str(), bullet.day.into_iter().collect()),
            days => (before.trim_end(), days),
        },
        None => (text.as_str(), bullet.day.into_iter().collect()),
    };
    let days = days.iter().map(NaiveDate::num_days_from_ce).collect();
    let says = text.chars().any(char::is_alphanumeric);
    let text = cut(text);
    says.then(|| Fact { kind, text: text.to_owned(), line: bullet.line, days })
}

/// The days behind an arrow: `2026-03-12, 03-15`.
fn days_of(text: &str, above: Option<NaiveDate>) -> Vec<NaiveDate> {
    let mut year = above.map(|day| day.year());
    let mut days = Vec::new();
    for part in text.split(',').map(str::trim) {
        let day =
            part.parse::<NaiveDate>().ok().or_else(|| format!("{:04}-{part}", year?).parse().ok());
        if let Some(day) = day {
            year = Some(day.year());
            days.push(day);
        }
    }
    days
}

fn cut(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let begun = start(text, LONGEST);
    begun[..begun.rfind(' ').unwrap_or(begun.len())].trim_end()
}

fn folded_words(text: &str) -> Vec<String> {
    content_words(&fold(text)).map(str::to_owned).collect()
}

/// Whether all words of a name stand in a topic.
fn holds(topic: &str, name: &str) -> bool {
    let (topic, name) = (fold(topic), fold(name));
    let words: Vec<&str> = content_words(&topic).collect();
    topic.contains(&name) || content_words(&name).all(|word| words.contains(&word))
}

/// The first words of a text, as its topic, and the rest of it; all of a short one.
fn opening(text: &str) -> (&str, &str) {
    const WORDS: usize = 5;
    match text.match_indices(' ').nth(WORDS - 1) {
        Some((at, _)) => (text[..at].trim_end_matches([',', ';', ':']), text[at..].trim()),
        None => (text, text),
    }
}

/// Eight words of a text that has no title.
fn first_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    let text = words.join(" ");
    text.trim_end_matches([',', ';', ':', '.']).to_owned()
}

/// Whether a line begins a turn of a conversation that somebody else wrote down.
fn is_turn(line: &str) -> bool {
    written(line).is_some() || named(line).is_some_and(|(name, _)| name == "User")
}
