//! Finds what is known: from a question to places in logs and other texts, best first.
//!
//! There is no index. A [`Search`] is fed every text once and keeps counts; then the best sections are read again for the
//! order among them and for the sentences that answer. Pure: whoever calls it brings the texts.

mod cjk;
mod collect;
mod cut;
mod dates;
mod excerpt;
mod irregular;
mod language;
mod matcher;
mod near;
mod query;
mod rank;
mod synonyms;
mod terms;
mod voice;
mod weights;
mod words;

use std::ops::{Range, RangeInclusive};

use chrono::NaiveDate;

use collect::{Collected, Only};
pub use near::Near;
pub use query::Query;
use rank::Rarity;
use weights::Weights;

use crate::memory::entry::{self, Kind};
use crate::memory::tokens::Cost;

/// Whose words are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// the person's in conversations
    User,
    /// the model's: its replies and its entries
    Agent,
}

/// The days that a text names as a whole: `2026-03-15`, `2026-W11`, `2026-03`, `2026`, `last week`, `지난달`. `None` if it
/// names none.
pub fn days(text: &str, today: NaiveDate) -> Option<RangeInclusive<NaiveDate>> {
    dates::period(text, today)
}

/// A text that is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// below the project root
    pub path: String,
    /// the day it is about
    pub date: NaiveDate,
    /// whether only `## ` begins a section
    pub is_log: bool,
}

/// A place that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// the number of its source
    pub source: usize,
    /// the line of the best sentence, from 1
    pub line: usize,
    /// the entry's topic or the sitting's title; empty where there is none
    pub title: String,
    /// when the sitting began, `14:02`; empty where its heading does not tell
    pub time: String,
    /// the sentences that answer
    pub excerpt: String,
    /// higher is better; comparable within one search only
    pub score: f32,
}

/// One search.
pub struct Search<'q> {
    query: &'q Query,
    only: Only,
    weights: Weights,
    sources: Vec<Source>,
    collected: Collected,
}

impl<'q> Search<'q> {
    /// A search that has seen nothing yet.
    pub fn new(query: &'q Query, kind: Option<Kind>, by: Option<By>) -> Self {
        let only = Only { kind, by };
        Self { query, only, weights: Weights::new(), sources: Vec::new(), collected: Collected::default() }
    }

    /// Takes a text in. Keeps none of it.
    pub fn add(&mut self, source: Source, text: &str) {
        let number = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.collected.add(number, text, source.is_log, &self.query.matcher, self.only, &self.weights);
        self.sources.push(source);
    }

    /// The sources that were taken in; [`Place::source`] is a place in this list.
    pub fn into_sources(self) -> Vec<Source> {
        self.sources
    }

    /// The best places. `read` brings a source's text once more.
    pub fn finish(&self, limit: usize, budget: Cost, read: &mut dyn FnMut(&Source) -> Option<String>) -> Vec<Place> {
        let rarity = Rarity::of(&self.collected, self.query);
        let mut ranked = rank::by_counts(&self.collected, self.query, &rarity, &self.weights);
        let units = &self.collected.units;
        let mut by_file: Vec<usize> = (0..ranked.len()).collect();
        by_file.sort_by_key(|at| units[ranked[*at].0].file);
        let mut open: Option<(u32, String)> = None;
        for at in by_file {
            let unit = &units[ranked[at].0];
            let Some(text) = section(&mut open, unit, &self.sources, read) else {
                ranked[at].1 = 0.0;
                continue;
            };
            ranked[at].1 += rank::closer(text, self.query, &rarity, self.only, &self.weights);
            let date = self.sources[unit.file as usize].date;
            if self.query.when.iter().any(|days| days.contains(&date)) {
                ranked[at].1 += self.weights.date;
            }
        }
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        rank::spread_out(&mut ranked, |number| self.sources[units[number].file as usize].date, 1.0 - self.weights.same_day);
        ranked.retain(|(_, score)| *score > 0.0);
        ranked.truncate(limit);
        let mut places = Vec::new();
        for (at, (number, score)) in ranked.iter().enumerate() {
            let unit = &units[*number];
            let source = &self.sources[unit.file as usize];
            let Some(whole) = read(source) else { continue };
            let Some(text) = whole.get(unit.cut.from..unit.cut.to) else { continue };
            let title = title(text, source);
            let share = share(budget, at, ranked.len());
            let head = crate::memory::tokens::cost(&format!("{} {}:1234 {title}\n", source.date, source.path)) + Cost::tokens(2);
            let found = excerpt::choose(text, self.query, &rarity, self.only, share - head);
            let line = 1 + memchr::memchr_iter(b'\n', &whole.as_bytes()[..unit.cut.from + found.at]).count();
            places.push(Place { source: unit.file as usize, line, title, excerpt: found.text, score: *score });
        }
        places
    }
}

/// What of the budget a result may use: the first ones more than the last.
fn share(budget: Cost, at: usize, of: usize) -> Cost {
    let weight = |at: usize| u32::try_from(120_usize.saturating_sub(8 * at).max(60)).unwrap_or(60);
    let all: u32 = (0..of).map(weight).sum();
    Cost(u32::try_from(u64::from(budget.0) * u64::from(weight(at)) / u64::from(all.max(1))).unwrap_or(0))
}

/// A section's text; the file is read again only where it is another one.
fn section<'a>(
    open: &'a mut Option<(u32, String)>,
    unit: &collect::Unit,
    sources: &[Source],
    read: &mut dyn FnMut(&Source) -> Option<String>,
) -> Option<&'a str> {
    if open.as_ref().is_none_or(|(file, _)| *file != unit.file) {
        *open = Some((unit.file, read(&sources[unit.file as usize])?));
    }
    open.as_ref()?.1.get(unit.cut.from..unit.cut.to)
}

/// What a section is called.
fn title(text: &str, source: &Source) -> String {
    let first = text.lines().next().unwrap_or_default();
    let topic = entry::heading(first).map_or_else(|| first.trim_start_matches(['#', ' ']), |(topic, _)| topic);
    if first.starts_with('#') && !topic.is_empty() {
        return topic.to_owned();
    }
    source.path.rsplit('/').next().unwrap_or_default().to_owned()
}
