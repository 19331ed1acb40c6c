//! What was said in one session or entry, as far as its keyed bullets do not say it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use crate::meaning::choose::{Candidate, choose, thin};
use crate::meaning::told::{Told, print};
use crate::memory::entry::EntryType;
use crate::memory::period::Period;

/// Tells in words where in a log some bytes of it are.
pub(super) type Place<'p> = Option<&'p dyn Fn(&[Range<usize>]) -> String>;

/// One session or entry.
#[derive(Debug)]
pub(super) struct Detail<'a> {
    /// which source it is from, oldest first
    pub(super) source: usize,
    /// the line above it
    pub(super) heading: Heading<'a>,
    /// in order
    pub(super) lines: Vec<Told<'a>>,
    /// which bytes of the source it is made from, where that is asked for
    pub(super) places: Vec<Range<usize>>,
}

/// What is above a session or entry.
#[derive(Debug, Default)]
pub(super) struct Heading<'a> {
    /// as weeks and months have it, unless the title begins with it
    pub(super) date: Option<Period>,
    /// empty where there is no heading
    pub(super) title: Cow<'a, str>,
    /// where the entry says it
    pub(super) kind: Option<EntryType>,
}

impl Heading<'_> {
    /// The line, with its end.
    fn push_to(&self, text: &mut String) {
        if self.title.is_empty() && self.date.is_none() && self.kind.is_none() {
            return;
        }
        text.push_str("###");
        let date = self.date.map(|date| date.to_string());
        if let Some(date) = date.filter(|date| !self.title.starts_with(&**date)) {
            let _ = write!(text, " {date}");
        }
        if !self.title.is_empty() {
            text.push(' ');
            text.push_str(&self.title);
        }
        if let Some(kind) = self.kind {
            kind.push_to(text);
        }
        text.push('\n');
    }
}

impl Detail<'_> {
    /// Drops all but `keep` of its lines. Returns how many.
    pub(super) fn thin(&mut self, keep: usize) -> usize {
        let all = self.lines.len();
        thin(&mut self.lines, keep, Told::rate);
        all - self.lines.len()
    }

    /// Whether any of its lines is to be printed.
    pub(super) fn is_chosen(&self) -> bool {
        self.lines.iter().any(|line| line.chosen)
    }

    /// Prints the heading and the chosen lines.
    pub(super) fn push_to(&self, text: &mut String, place: Place<'_>) {
        self.heading.push_to(text);
        if let Some(place) = place.filter(|_| !self.places.is_empty()) {
            let _ = writeln!(text, "({})", place(&self.places));
        }
        print(&self.lines, text);
    }
}

/// Marks the lines of some details that `room` has place for. Returns how many stay out.
pub(super) fn choose_lines(details: &mut [Detail<'_>], room: usize) -> usize {
    let full = details.iter().filter(|detail| !detail.lines.is_empty()).enumerate();
    let candidates: Vec<Candidate<'_>> = full
        .flat_map(|(session, detail)| {
            detail.lines.iter().map(move |line| Candidate {
                session,
                day: detail.source,
                exchange: line.exchange,
                factor: line.factor,
                is_asked: line.is_asked,
                words: &line.words,
                text: line.text,
            })
        })
        .collect();
    let chosen = choose(&candidates, room);
    let lines = details.iter_mut().flat_map(|detail| &mut detail.lines);
    lines.zip(&chosen).for_each(|(line, chosen)| line.chosen = *chosen);
    chosen.iter().filter(|chosen| !**chosen).count()
}
