//! Where a line of ROOT.md or of a node comes from: the lines of the logs that say it, who said them and when.
//!
//! No file keeps that: what a line shares with those that it may come from tells it. A line names its days, or is below
//! them, so few texts are asked.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use chrono::NaiveDate;
use serde::Serialize;

use crate::corpus;
use crate::layout;
use crate::markdown::label::{Speaker, written};
use crate::markdown::marker::{Marker, marker};
use crate::meaning::facts::topic_names::{content_words, fold};
use crate::meaning::facts::{FactCache, FactKind};
use crate::meaning::page::line::{IndexLine, days_of};
use crate::memory::entry;
use crate::memory::frontmatter::Document;
use crate::memory::period::Period;
use crate::memory::snapshot::Listing;
use crate::text::lines;

/// The most sources of a line.
const MOST: usize = 3;

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Origin {
    /// below the project root
    pub(crate) file: String,
    /// from 1
    pub(crate) line: usize,
    /// the day, week or month of the file
    pub(crate) day: String,
    /// `user`, `assistant`, `entry` (saved by hand), `summary` (authored), `extract`
    pub(crate) who: &'static str,
    /// `rule`, `decision`, `lesson`, `open`, `reference`, `done`, where that is known
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<FactKind>,
    pub(crate) text: String,
}

/// A line that is looked for.
struct Wanted {
    words: HashSet<String>,
    /// the words of each of its parts: a line of a model's page says what several lines do
    clauses: Vec<HashSet<String>>,
}

/// A clause of fewer words may come from anywhere.
const CLAUSE: usize = 2;

impl Wanted {
    fn of(line: &str) -> Self {
        let said = line.rsplit_once('→').map_or(line, |(said, _)| said);
        // Type and age say nothing.
        let said = match IndexLine::parse(line) {
            Some(found) => {
                let behind = said.split_once(']').map_or("", |(_, behind)| behind);
                format!("{} {behind}", found.topic)
            }
            None => said.to_owned(),
        };
        let folded = fold(&said);
        let words = |text: &str| content_words(text).map(str::to_owned).collect();
        let clauses = folded.split([';', ':']).map(words);
        let clauses = clauses.filter(|clause: &HashSet<String>| clause.len() >= CLAUSE).collect();
        Self { words: words(&folded), clauses }
    }

    /// How many of its words a fact has of which it may be made: half of the fact's words are its own.
    fn in_fact(&self, text: &str) -> Option<usize> {
        self.in_text(text, |shared, of| shared * 2 >= of)
    }

    /// How many of its words a line of a log has that says most of it: a third of its words.
    fn in_log_line(&self, text: &str) -> Option<usize> {
        self.in_text(text, |shared, _| shared * 3 >= self.words.len())
    }

    /// The same for a text that is enough, or that says one of the clauses: two thirds of its words.
    fn in_text(&self, text: &str, is_enough: impl Fn(usize, usize) -> bool) -> Option<usize> {
        let folded = fold(text);
        let words: HashSet<&str> = content_words(&folded).collect();
        let shared = words.iter().filter(|word| self.words.contains(**word)).count();
        let says = |clause: &HashSet<String>| {
            let has = clause.iter().filter(|word| words.contains(word.as_str())).count();
            has * 3 >= clause.len() * 2
        };
        let found = is_enough(shared, words.len()) || self.clauses.iter().any(says);
        (found && shared > 0).then_some(shared)
    }
}

/// The memory, as far as it is looked into.
pub(crate) struct Memory<'a> {
    pub(crate) root: &'a Path,
    pub(crate) listing: &'a Listing,
    pub(crate) facts: &'a FactCache,
}

impl Memory<'_> {
    /// Where a line of a file comes from: of ROOT.md the nodes that say it and the logs below them, of a node the logs.
    /// Empty for a line that says nothing, and where nothing like it stands.
    pub(crate) fn of_line(&self, path: &str, text: &str, number: usize) -> Vec<Origin> {
        let all: Vec<&str> = lines(text).collect();
        let Some(line) = number.checked_sub(1).and_then(|at| all.get(at)).copied() else {
            return Vec::new();
        };
        let wanted = Wanted::of(line);
        if wanted.words.is_empty() {
            return Vec::new();
        }
        if path == layout::root_path() {
            return self.of_page(line, &wanted);
        }
        let node = self.listing.nodes.keys().find(|node| layout::node_path(**node) == path);
        let Some(node) = node else { return Vec::new() };
        let mut days: BTreeSet<NaiveDate> = days_of(line).into_iter().collect();
        if days.is_empty() {
            // The day whose heading the line is below.
            let above = all[..number].iter().rev().find_map(|line| day_of_heading(line));
            days.extend(above);
        }
        if days.is_empty() {
            days.extend(self.listing.logs.range(node.days()).map(|(day, _)| *day));
        }
        self.in_logs(&wanted, &days)
    }

    /// Of a line of ROOT.md.
    fn of_page(&self, line: &str, wanted: &Wanted) -> Vec<Origin> {
        let named: BTreeSet<NaiveDate> = days_of(line).into_iter().collect();
        let mut found = Vec::new();
        for (node, subjects) in self.facts.nodes() {
            let named_here = named.is_empty() || named.range(node.days()).next().is_some();
            for subject in subjects.iter().filter(|_| named_here) {
                for fact in &subject.facts {
                    let text = format!("{} {}", subject.topic, fact.text);
                    if let Some(shared) = wanted.in_fact(&text) {
                        found.push((shared, node, subject, fact));
                    }
                }
            }
        }
        found.sort_by_key(|(shared, node, ..)| std::cmp::Reverse((*shared, node.last_day())));
        let mut origins = Vec::new();
        let mut days = BTreeSet::new();
        for (_, node, subject, fact) in found.into_iter().take(MOST) {
            let file = layout::node_path(node);
            let above = corpus::shown(self.root, &file).map_or(0, |text| {
                let body = Document::parse(text.as_bytes()).body().len();
                lines(&text[..text.len() - body]).count()
            });
            origins.push(Origin {
                file,
                line: above + fact.line as usize,
                day: node.to_string(),
                who: subject.origin.word(),
                kind: Some(fact.kind),
                text: fact.text.clone(),
            });
            days.extend(self.listing.logs.range(node.days()).map(|(day, _)| *day));
        }
        if days.is_empty() {
            days = named;
        }
        origins.extend(self.in_logs(wanted, &days));
        origins
    }

    /// The lines of logs that say most of it.
    fn in_logs(&self, wanted: &Wanted, days: &BTreeSet<NaiveDate>) -> Vec<Origin> {
        let mut found: Vec<(usize, Origin)> = Vec::new();
        for day in days {
            for file in self.listing.logs_of(*day).iter() {
                let path = layout::in_memory(&file.name);
                let Ok(text) = corpus::shown(self.root, &path) else { continue };
                in_log(&path, *day, &text, wanted, &mut found);
            }
        }
        found.sort_by_key(|(shared, origin)| {
            (std::cmp::Reverse(*shared), origin.file.clone(), origin.line)
        });
        found.into_iter().take(MOST).map(|(_, origin)| origin).collect()
    }
}

/// Notes down the lines of a log that share a third of the words that are looked for.
fn in_log(
    path: &str,
    day: NaiveDate,
    log: &str,
    wanted: &Wanted,
    found: &mut Vec<(usize, Origin)>,
) {
    let (mut inside, mut who) = (false, "entry");
    for (at, line) in lines(log).enumerate() {
        match marker(line) {
            Some(Marker::Start { .. }) => inside = true,
            Some(Marker::End { .. }) => (inside, who) = (false, "entry"),
            None => {}
        }
        if !inside && entry::heading(line).is_some() {
            who = "entry";
        }
        match written(line) {
            Some((Speaker::User, _)) => who = "user",
            Some((Speaker::Assistant, _)) => who = "assistant",
            None => {}
        }
        if let Some(shared) = wanted.in_log_line(line) {
            let text = line.trim().to_owned();
            let day = day.to_string();
            let origin = Origin { file: path.to_owned(), line: at + 1, day, who, kind: None, text };
            found.push((shared, origin));
        }
    }
}

/// The day of a heading: `# 2026-03-12`, `### 2026-03-12 · title`.
fn day_of_heading(line: &str) -> Option<NaiveDate> {
    let title = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))?;
    let label = title.split([' ', '·']).next()?;
    match Period::read(label)? {
        Period::Day(day) => Some(day),
        _ => None,
    }
}
