//! A page that a model or a person wrote, kept byte for byte. Ages change, and below [`ADDED`] stands what came since.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::line::{ADDED, IndexLine, NAMES, begin, days_of, is_not_shown, not_shown, references};
use super::owner::{self, PageOwner, knows_added, written, written_bytes};
use super::topics::{Topic, topics};
use super::{PageContents, RootPlan, note_of, over};
use crate::markdown::heading::opens_section;
use crate::markdown::page::Page;
use crate::meaning::facts::FactCache;
use crate::meaning::facts::topic_names::{fold, key};
use crate::memory::frontmatter::Document;
use crate::memory::period::{Level, Period};
use crate::memory::tokens::{Cost, cost, count};

/// The most new days that have a line.
const DAYS: usize = 7;
/// The most characters of what is said of a topic of a new day.
const CLAUSE: usize = 120;

/// The page brought up to date.
pub(super) fn plan(
    existing: &[u8],
    owner: PageOwner,
    facts: &FactCache,
    today: NaiveDate,
    cap: u32,
) -> RootPlan {
    let document = Document::parse(existing);
    let updated: Option<NaiveDate> =
        document.value("last-updated").and_then(|day| day.parse().ok());
    // A clock that is behind makes nothing younger.
    let day = updated.map_or(today, |updated| updated.max(today));
    let Ok(body) = std::str::from_utf8(document.body()) else {
        let bytes = written_bytes(existing, day);
        let notes = vec!["not UTF-8: its lines were left as they are".to_owned()];
        return RootPlan { bytes, notes, standing: PageContents::default(), owner };
    };
    let owner = match owner {
        PageOwner::Person(since) => PageOwner::Person(Some(since.unwrap_or(day))),
        owner => owner,
    };
    let since = match owner {
        PageOwner::Model(since) | PageOwner::Person(Some(since)) => since,
        _ => day,
    };
    let (theirs, added) = split(body);
    // What somebody changed below the marker belongs to them, too.
    let theirs =
        if added.is_empty() || knows_added(existing, &added) { theirs } else { adopted(body) };
    let topics = topics(facts, day);
    let theirs = with_ages(&theirs, &topics, day, updated);
    let head = written(existing, "", owner, day, "");
    let room = Cost::tokens(cap) - cost(&String::from_utf8_lossy(&head)) - cost(&theirs);
    let said = Said::of(&theirs);
    let mut add = Added { room, said, active: Vec::new(), index: Vec::new() };
    add.rules(&topics);
    add.days(facts, &topics, since);
    // A person's page says what it says; what was said before may be nowhere else.
    let from = if matches!(owner, PageOwner::Model(_)) { since } else { NaiveDate::MIN };
    add.topics(&topics, from);
    let body = put(&theirs, &add);
    let said = Said::of(&body);
    let hidden: Vec<&Topic<'_>> = topics.iter().filter(|topic| !said.names(topic.name)).collect();
    let rules_not_shown =
        hidden.iter().filter(|topic| topic.kind.is_about_user() && topic.saved).count();
    let body = recounted(&body, hidden.len());
    let (_, added) = split(&body);
    let bytes = written(existing, &body, owner, day, &added);
    // A model is held to the cap by its own text: the head is the program's.
    let over = match owner {
        PageOwner::Model(_) => count(&body).saturating_sub(cap),
        _ => over(&bytes, cap),
    };
    let standing = PageContents {
        shown: topics.len() - hidden.len(),
        not_shown: hidden.len(),
        over,
        rules_not_shown,
        lines_added: add.active.len() + add.index.len(),
    };
    RootPlan { bytes, notes: note_of(over, "by its own text", cap), standing, owner }
}

/// A body without what is below the markers, and that; each marker's lines end with its section or a blank line.
pub(super) fn split(body: &str) -> (String, String) {
    let page = Page::read(body);
    let (mut theirs, mut added, mut below) = (String::new(), String::new(), false);
    for line in &page.lines {
        let marker = !line.code && line.text.trim() == ADDED;
        if !line.code
            && (opens_section(line.text) || line.text.trim().is_empty() || is_not_shown(line.text))
        {
            below = false;
        }
        let part = if marker || below { &mut added } else { &mut theirs };
        part.push_str(page.text(line.range.clone()));
        below |= marker;
    }
    (theirs, added)
}

/// For a merge: what somebody wrote, without what comes back by itself.
pub(crate) fn without_added(file: &[u8]) -> Vec<u8> {
    let body = String::from_utf8_lossy(Document::parse(file).body()).into_owned();
    let theirs = if owner::is_programs(file) { body.clone() } else { split(&body).0 };
    let lines = theirs.split_inclusive('\n').filter(|line| !is_not_shown(line.trim_end()));
    lines.collect::<String>().into_bytes()
}

/// A body in which what is below the markers is the editor's.
fn adopted(body: &str) -> String {
    body.split_inclusive('\n').filter(|line| line.trim() != ADDED).collect()
}

/// What a page says, ready to be asked.
struct Said {
    folded: String,
    keys: BTreeSet<String>,
}

impl Said {
    fn of(text: &str) -> Self {
        let keys = text.lines().filter_map(IndexLine::parse).map(|line| key(line.topic)).collect();
        Self { folded: fold(text), keys }
    }

    /// Whether a topic is in it, with no letter touching it.
    fn names(&self, topic: &str) -> bool {
        let folded = fold(topic);
        let mut places = self.folded.match_indices(&*folded);
        self.keys.contains(&key(topic))
            || places.any(|(at, _)| {
                let before = self.folded[..at].chars().next_back();
                let after = self.folded[at + folded.len()..].chars().next();
                let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
                let inflected = folded.chars().any(|c| c >= '\u{1100}');
                inflected || (apart(before) && apart(after))
            })
    }
}

/// What the program adds.
struct Added {
    room: Cost,
    said: Said,
    active: Vec<String>,
    index: Vec<String>,
}

impl Added {
    fn take(&mut self, line: &str, first: bool) -> bool {
        let marker = if first { cost(ADDED) + cost("\n") } else { Cost::default() };
        let price = cost(line) + cost("\n") + marker;
        let fits = price <= self.room;
        if fits {
            self.room = self.room - price;
        }
        fits
    }

    fn push_index(&mut self, line: String) -> bool {
        let fits = self.take(&line, self.index.is_empty());
        if fits {
            self.index.push(line);
        }
        fits
    }

    /// Rules that a person or an agent saved and that the page does not name.
    fn rules(&mut self, topics: &[Topic<'_>]) {
        let saved = topics.iter().filter(|topic| topic.kind.is_about_user() && topic.saved);
        for topic in saved.filter(|topic| !topic.done) {
            if self.said.names(topic.name) {
                continue;
            }
            let head = begin(topic.name, topic.kind, topic.age);
            let days = references(&topic.days);
            let text: Vec<&str> = topic.facts.iter().map(|(_, fact)| fact.text.as_str()).collect();
            let whole = format!("{head}: {}{days}", text.join("; "));
            let shorter = [format!("{head}{days}"), format!("- {}", topic.name)];
            if text.is_empty() || !self.push_index(whole) {
                let _ = shorter.into_iter().any(|line| self.push_index(line));
            }
        }
    }

    /// A line for each day since the page was written.
    fn days(&mut self, facts: &FactCache, topics: &[Topic<'_>], since: NaiveDate) {
        let mut days: Vec<NaiveDate> = facts
            .of_level(Level::Daily)
            .map(|(node, _)| node.last_day())
            .filter(|day| *day > since)
            .collect();
        days.reverse();
        for day in days.into_iter().take(DAYS) {
            let node = Period::Day(day);
            let of_day = topics.iter().filter(|topic| {
                !topic.kind.is_about_user()
                    && topic.mentions.iter().any(|mention| mention.node == node)
            });
            let texts = of_day.map(|topic| match topic.facts_of(|of| of == node).next() {
                Some((_, fact)) => format!("{}: {}", topic.name, clause(&fact.text)),
                None => topic.name.to_owned(),
            });
            // The shorter the line has to be, the fewer topics it has.
            let texts: Vec<String> = texts.take(4).collect();
            for count in (1..=texts.len()).rev() {
                let line = format!("- {}{}", texts[..count].join("; "), references(&[node]));
                if self.take(&line, self.active.is_empty()) {
                    self.active.push(line);
                    break;
                }
            }
        }
    }

    /// Topics that an entry was saved of since the page was written, and that it does not name.
    fn topics(&mut self, topics: &[Topic<'_>], since: NaiveDate) {
        let new = topics.iter().filter(|topic| {
            let newer = topic.days.first().is_some_and(|day| day.last_day() >= since);
            newer && topic.saved && !topic.kind.is_about_user() && !topic.is_history()
        });
        for topic in new.filter(|topic| !topic.facts.is_empty()) {
            let active = self.active.join("\n");
            if self.said.names(topic.name) || Said::of(&active).names(topic.name) {
                continue;
            }
            let text = topic.facts.first().map_or_else(String::new, |(_, fact)| clause(&fact.text));
            let head = begin(topic.name, topic.kind, topic.age);
            self.push_index(format!("{head}: {text}{}", references(&topic.days)));
        }
    }
}

/// The beginning of a fact, up to a clause.
fn clause(text: &str) -> String {
    if text.chars().count() <= CLAUSE {
        return text.to_owned();
    }
    let end = text.char_indices().nth(CLAUSE).map_or(text.len(), |(at, _)| at);
    let cut = text[..end].rfind([';', ',', '.', ' ']).unwrap_or(end);
    format!("{}…", text[..cut].trim_end())
}

/// Their text with what is added: at the end of the Active Context, and of the Topics Index or the page.
fn put(theirs: &str, add: &Added) -> String {
    let mut out = theirs.to_owned();
    for (section, lines) in [(NAMES[3], &add.index), (NAMES[0], &add.active)] {
        if lines.is_empty() {
            continue;
        }
        let page = Page::read(&out);
        let heading = page.positions(|line| line.text.starts_with(section)).last();
        let end = heading.map_or(page.lines.len(), |heading| page.end_of_section(heading));
        let says = |line: &crate::markdown::page::PageLine<'_>| {
            !line.text.trim().is_empty() && !is_not_shown(line.text.trim_end())
        };
        let last = page.lines[..end].iter().rposition(says);
        let at = last.map_or(0, |last| page.lines[last].range.end);
        let eol = page.eol;
        let (before, after) = out.split_at(at);
        let mut block = String::new();
        if !before.is_empty() && !before.ends_with('\n') {
            block.push_str(eol);
        }
        for line in std::iter::once(ADDED).chain(lines.iter().map(String::as_str)) {
            block.push_str(line);
            block.push_str(eol);
        }
        out = format!("{before}{block}{after}");
    }
    out
}

/// Sets the age and the `?` of index lines: by what was said last of the topic, by the newest day that the line points
/// to, else by the days since the last run.
fn with_ages(
    body: &str,
    topics: &[Topic<'_>],
    today: NaiveDate,
    updated: Option<NaiveDate>,
) -> String {
    let elapsed = updated.map_or(0, |day| (today - day).num_days());
    let page = Page::read(body);
    let mut out = String::with_capacity(body.len());
    for line in &page.lines {
        let whole = page.text(line.range.clone());
        let Some(found) = IndexLine::parse(line.text).filter(|_| !line.code) else {
            out.push_str(whole);
            continue;
        };
        let name = fold(found.topic);
        let said = topics.iter().find(|topic| fold(topic.name) == name).map(|topic| topic.age);
        let pointed = days_of(line.text).into_iter().max();
        let pointed = pointed.and_then(|day| u32::try_from((today - day).num_days()).ok());
        let older = || u32::try_from(i64::from(found.age?) + elapsed).ok();
        let age = said.into_iter().chain(pointed).min().or_else(older);
        let at = whole.find(line.text).unwrap_or(0);
        out.push_str(&whole[..at]);
        match age {
            Some(age) => out.push_str(&found.with_age(line.text, age)),
            None => out.push_str(line.text),
        }
        out.push_str(&whole[at + line.text.len()..]);
    }
    out
}

/// The last line of a page that was the program's once tells a number: it is kept true.
fn recounted(body: &str, hidden: usize) -> String {
    let lines = body.split_inclusive('\n').map(|line| {
        let text = line.trim_end();
        if !is_not_shown(text) {
            return line.to_owned();
        }
        let none = || "0 topics not shown: `hipocampus topics`".to_owned();
        line.replacen(text, &not_shown(hidden).unwrap_or_else(none), 1)
    });
    lines.collect()
}
