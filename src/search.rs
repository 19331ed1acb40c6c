//! Finds what is known: from a question to places in logs and other texts, best first.
//!
//! There is no index. A [`Searcher`] is fed every text once and keeps counts; then the best sections are read again for
//! the order among them and for the sentences that answer. Pure: whoever calls it brings the texts.

mod cjk;
mod collect;
mod cut;
mod dates;
mod excerpt;
mod irregular;
mod language;
mod matcher;
mod near;
mod plain;
mod query;
mod rank;
mod sentence;
mod spans;
mod synonyms;
mod terms;
mod voice;
mod weights;
mod word_bounds;
mod worth;

use std::borrow::Cow;
use std::sync::Arc;

use chrono::NaiveDate;

use collect::{FirstLook, Only};
pub(crate) use dates::period as days;
pub(crate) use excerpt::content;
pub(crate) use near::Near;
pub(crate) use query::Query;
use rank::{Ranked, TermRarity};
pub(crate) use voice::By;

use crate::markdown::form::{self, Form};
use crate::markdown::marker::{Marker, marker};
use crate::markdown::{heading, lead};
use crate::memory::entry::{self, EntryType};
use crate::memory::sessions_of_log::SessionsOfLog;
use crate::memory::tokens::{Cost, cost};
use crate::text::{last_line, start};

const TITLE: Cost = Cost::tokens(12);

/// A section of a text by its lines, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Section<'t> {
    /// the first line, that of the heading where there is one
    pub first: usize,
    pub last: usize,
    /// the first line's text
    pub heading: &'t str,
    /// all of it, the heading too
    text: &'t str,
    /// its first byte in the text it is in
    from: usize,
}

/// The sections of a text: in a log its entries and sessions, elsewhere what is below each heading.
pub(crate) fn sections(text: &str, is_log: bool) -> Vec<Section<'_>> {
    let mut line = 1;
    let cuts = cut::sections(text, is_log).into_iter();
    cuts.map(|cut| {
        let section = &text[cut.from..cut.to];
        let first = line;
        line += memchr::memchr_iter(b'\n', section.as_bytes()).count();
        let last = if section.ends_with('\n') { line - 1 } else { line };
        let heading = section.lines().next().unwrap_or_default();
        Section { first, last, heading, text: section, from: cut.from }
    })
    .collect()
}

/// The sections of a log, the parts of a session that another one interrupted together.
pub(crate) fn sessions(log: &str) -> Vec<Vec<Section<'_>>> {
    let mut known = SessionsOfLog::default();
    let mut sessions: Vec<Vec<Section<'_>>> = Vec::new();
    for section in sections(log, true) {
        let above = last_line(&log[..section.from]);
        match known.goes_on(above, section.heading, sessions.len()) {
            Some(at) => sessions[at].push(section),
            None => sessions.push(vec![section]),
        }
    }
    sessions
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchedText {
    /// the name of the project it is of, where several are searched
    pub project: Option<Arc<str>>,
    /// below the project root
    pub path: String,
    /// the day it is about
    pub date: NaiveDate,
    /// whether only `## ` begins a section
    pub is_log: bool,
}

impl SearchedText {
    /// Its path, behind the name of its project where several are searched.
    pub(crate) fn place(&self) -> Cow<'_, str> {
        match &self.project {
            Some(project) => format!("{project}:{}", self.path).into(),
            None => Cow::Borrowed(&self.path),
        }
    }

    /// The day it is about, where its path does not tell it.
    pub(crate) fn date_beside_path(&self) -> Option<String> {
        let date = self.date.to_string();
        (!self.path.contains(&date)).then_some(date)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub source: usize,
    /// the line of the best sentence, from 1
    pub line: usize,
    /// the entry's topic or the session's title; empty where there is none
    pub title: String,
    /// when the session began, `14:02`; empty where its heading does not tell
    pub time: String,
    /// the session it is in, as its marker has it; `None` for an entry
    pub session: Option<String>,
    /// the sentences that answer, one on each line
    pub excerpt: String,
    /// higher is better; comparable within one search only
    pub score: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// the best first
    pub places: Vec<Place>,
    /// whether no place had all the phrases that the question quotes
    pub loose: bool,
}

pub(crate) struct Searcher<'q> {
    query: &'q Query,
    only: Only,
    branch: Option<String>,
    sources: Vec<SearchedText>,
    collected: FirstLook,
}

impl<'q> Searcher<'q> {
    /// A search that has seen nothing yet. With a `branch`, it looks only at sessions that tell they were on that one.
    pub(crate) fn new(
        query: &'q Query,
        kind: Option<EntryType>,
        by: Option<By>,
        branch: Option<String>,
    ) -> Self {
        let only = Only { kind, by };
        Self { query, only, branch, sources: Vec::new(), collected: FirstLook::default() }
    }

    /// What is looked for.
    pub(crate) fn query(&self) -> &'q Query {
        self.query
    }

    /// Takes a text in. Keeps none of it.
    pub(crate) fn add(&mut self, source: SearchedText, text: &str) {
        let number = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        let only = (self.only, self.branch.as_deref());
        if self.query.is_time() {
            self.collected.add_all(number, text, source.is_log, self.query, only);
        } else {
            self.collected.add(number, text, source.is_log, &self.query.matcher, only);
        }
        self.sources.push(source);
    }

    /// The sources that were taken in; [`Place::source`] is a place in this list.
    pub(crate) fn into_sources(self) -> Vec<SearchedText> {
        self.sources
    }

    /// The best places. `read` brings a source's text once more. Their excerpts cost `budget` together, with the line
    /// that is above each.
    pub(crate) fn finish(
        &self,
        limit: usize,
        budget: Cost,
        read: &mut dyn FnMut(&SearchedText) -> Option<String>,
    ) -> Answer {
        let rarity = TermRarity::of(&self.collected, self.query);
        if self.query.is_time() {
            let date = |file: u32| self.sources[file as usize].date;
            let ranked = rank::by_time(&self.collected, limit, &date);
            let places = self.places(&ranked, &rarity, budget, read);
            return Answer { places, loose: false };
        }
        let (mut ranked, loose) = rank::by_counts(&self.collected, self.query, &rarity);
        self.look_closer(&mut ranked, &rarity, read);
        ranked.truncate(limit);
        Answer { places: self.places(&ranked, &rarity, budget, read), loose }
    }

    fn places(
        &self,
        ranked: &[Ranked],
        rarity: &TermRarity,
        budget: Cost,
        read: &mut dyn FnMut(&SearchedText) -> Option<String>,
    ) -> Vec<Place> {
        let mut places = Vec::with_capacity(ranked.len());
        let mut offers = Vec::with_capacity(ranked.len());
        let mut from = Vec::with_capacity(ranked.len());
        let mut left = budget;
        for (ranked, factor) in ranked.iter().zip(factors(ranked)) {
            let unit = &self.collected.units[ranked.unit];
            let source = &self.sources[unit.file as usize];
            let Some(whole) = read(source) else { continue };
            let Some(text) = whole.get(unit.cut.from..unit.cut.to) else { continue };
            let (time, title) =
                if source.is_log { name_in_log(&whole, unit.cut) } else { name(&[text], false) };
            // A session is called by its time where it has no title.
            let name = if title.is_empty() { &time } else { &title };
            let session = session_above(&whole[..unit.cut.from]);
            let lines = LineStarts::of(&whole, unit.cut);
            let date = source.date_beside_path().map(|date| format!("{date}  "));
            let (date, id) = (date.unwrap_or_default(), session.map(short).unwrap_or_default());
            let place = source.place();
            left = left - cost(&format!("{date}{place}:{}  {name}  {id}\n  \n", lines.last()));
            offers.push(excerpt::offers(text, self.query, rarity, self.only, factor));
            from.push(lines);
            places.push(Place {
                source: unit.file as usize,
                line: 0,
                title,
                time,
                session: session.map(str::to_owned),
                excerpt: String::new(),
                score: ranked.score,
            });
        }
        let excerpts = excerpt::choose(&mut offers, left);
        for ((place, found), from) in places.iter_mut().zip(excerpts).zip(from) {
            place.line = from.line(found.at);
            place.excerpt = found.text;
        }
        places
    }

    /// Orders the candidates by what their texts say.
    fn look_closer(
        &self,
        ranked: &mut [Ranked],
        rarity: &TermRarity,
        read: &mut dyn FnMut(&SearchedText) -> Option<String>,
    ) {
        let units = &self.collected.units;
        // File by file, so that each is read once.
        ranked.sort_by_key(|ranked| ranked.unit);
        let mut open: Option<(u32, String)> = None;
        let mut looks = Vec::with_capacity(ranked.len());
        for ranked in ranked.iter() {
            let unit = &units[ranked.unit];
            let look = section(&mut open, unit, &self.sources, read)
                .map(|text| rank::closer(text, self.query, rarity, self.only));
            looks.push(look.unwrap_or_default());
        }
        let average = self.collected.average().max(1.0);
        for (ranked, look) in ranked.iter().zip(&mut looks) {
            let cut = units[ranked.unit].cut;
            #[expect(clippy::cast_precision_loss, reason = "a length")]
            let length = (cut.to - cut.from) as f32 / average;
            // A long section has more windows to choose the best from.
            look.windows /= 1.0 + weights::LENGTH * length.ln_1p();
        }
        let best = looks.iter().map(|look| look.windows).fold(f32::MIN_POSITIVE, f32::max);
        for (ranked, look) in ranked.iter_mut().zip(looks) {
            let date = self.sources[units[ranked.unit].file as usize].date;
            let named = self.query.names(date);
            ranked.score = weights::SECTION * ranked.whole
                + look.windows / best
                + weights::NEAR * look.near
                + if named { weights::DATE } else { 0.0 };
        }
        ranked.sort_by(Ranked::order);
    }
}

struct LineStarts {
    /// the number of the first, from 1
    first: usize,
    /// the bytes of the section after which a line begins
    ends: Vec<usize>,
}

impl LineStarts {
    fn of(whole: &str, cut: cut::Cut) -> Self {
        let before = &whole.as_bytes()[..cut.from];
        let section = &whole.as_bytes()[cut.from..cut.to];
        let first = 1 + memchr::memchr_iter(b'\n', before).count();
        Self { first, ends: memchr::memchr_iter(b'\n', section).collect() }
    }

    fn last(&self) -> usize {
        self.first + self.ends.len()
    }

    /// The line of a byte of the section.
    fn line(&self, at: usize) -> usize {
        self.first + self.ends.partition_point(|end| *end < at)
    }
}

/// What the sentences of each result count for the room there is: those of better ones more.
fn factors(ranked: &[Ranked]) -> Vec<f32> {
    let best = ranked.first().map_or(1.0, |best| best.score).max(f32::MIN_POSITIVE);
    (0_u8..)
        .zip(ranked)
        .map(|(at, ranked)| {
            let score = (ranked.score / best).powf(weights::SHARE).max(weights::LEAST_SHARE);
            score / (1.0 + weights::SHARE_FALLS * f32::from(at))
        })
        .collect()
}

/// A section's text; the file is read again only where it is another one.
fn section<'a>(
    open: &'a mut Option<(u32, String)>,
    unit: &collect::SearchedUnit,
    sources: &[SearchedText],
    read: &mut dyn FnMut(&SearchedText) -> Option<String>,
) -> Option<&'a str> {
    if open.as_ref().is_none_or(|(file, _)| *file != unit.file) {
        *open = Some((unit.file, read(&sources[unit.file as usize])?));
    }
    open.as_ref()?.1.get(unit.cut.from..unit.cut.to)
}

/// The same for a section of a log: a part of a session is called like all of it.
fn name_in_log(log: &str, cut: cut::Cut) -> (String, String) {
    let is_it = |session: &Vec<Section<'_>>| session.iter().any(|part| part.from == cut.from);
    let session = sessions(log).into_iter().find(is_it).unwrap_or_default();
    let parts: Vec<&str> = session.iter().map(|part| part.text).collect();
    name(&parts, true)
}

/// The session whose block begins at the end of a text.
fn session_above(before: &str) -> Option<&str> {
    match marker(last_line(before))? {
        Marker::Start { session, .. } => Some(session),
        Marker::End { .. } => None,
    }
}

/// Characters of an id that tell a session from the others: `show` and `resume` take so many.
const ID: usize = 12;

/// The beginning of an id, as it is shown.
pub(crate) fn short(session: &str) -> &str {
    // The name of one whose id cannot stand in a marker begins as all of these do.
    if session.starts_with("session-") { session } else { start(session, ID) }
}

/// When a session, given in its parts, began and what it or an entry is called; either may be empty.
fn name(parts: &[&str], is_log: bool) -> (String, String) {
    let first = parts.first().map_or("", |part| first_line(part));
    let Some(session) = heading::session_heading(first) else {
        let title = match entry::heading(first) {
            Some((topic, _)) => topic,
            // The title of a log is its date.
            None if is_log => "",
            None => heading::heading(first).map_or("", |(_, title)| title),
        };
        return (String::new(), shortened(title));
    };
    // A title that was learnt later is in the session or above another part of it; the last one wins.
    let titles = parts.iter().flat_map(|part| {
        let later = part.lines().filter_map(|line| match form::form(line) {
            Some(Form::Title(title)) if !title.is_empty() => Some(title),
            _ => None,
        });
        heading::session_heading(first_line(part)).and_then(|it| it.title).into_iter().chain(later)
    });
    let title = titles.last().unwrap_or_default();
    let time = session.time.get(11..16).unwrap_or_default();
    (time.to_owned(), shortened(&form::read_title(title)))
}

fn first_line(text: &str) -> &str {
    lead::without_bom(text.lines().next().unwrap_or_default())
}

/// A title that leaves room for what is below it. What stands behind it of replies that are missing, stays.
fn shortened(title: &str) -> String {
    if cost(title) <= TITLE {
        return title.to_owned();
    }
    let (words, mark) = match title.strip_suffix(form::PROMPTS_ONLY) {
        Some(words) => (words, format!(" {}", form::PROMPTS_ONLY)),
        None => (title, String::new()),
    };
    let room = TITLE - cost(&mark);
    let mut short = String::new();
    for letter in words.chars() {
        if cost(&short) + Cost::tokens(2) > room {
            break;
        }
        short.push(letter);
    }
    format!("{}…{mark}", short.trim_end())
}
