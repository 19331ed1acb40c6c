//! What a session tells, line by line: who says it or what it is, and what it is worth.

use bumpalo::Bump;

use super::choose::{MOST, thin};
use super::lexicon::{Class, Cues, shape};
use super::line_label::LineLabel;
use super::passage::{PASSAGE, Passage, passages};
use super::sentence::pieces;
use super::session::{Session, Turn, Voice, said};
use super::settled::{Verdict, verdict};
use super::weigh;
use super::words::words;
use crate::memory::entry::EntryLine;

/// A line that can be printed.
#[derive(Debug)]
pub(crate) struct Told<'a> {
    pub(crate) label: LineLabel,
    pub(crate) text: &'a str,
    /// counts what persons said in its session: a reply has the number of what it replies to
    pub(crate) exchange: usize,
    /// whether a person said it first in a turn
    pub(crate) is_asked: bool,
    pub(crate) factor: u32,
    pub(crate) words: Vec<u64>,
    pub(crate) chosen: bool,
}

impl<'a> Told<'a> {
    fn new(label: LineLabel, text: &'a str, exchange: usize) -> Self {
        let is_settled = matches!(label, LineLabel::Decision | LineLabel::TurnedDown);
        let factor = if is_settled { weigh::SETTLED } else { weigh::LINE };
        let is_asked = is_settled || label == LineLabel::User;
        Self { label, text, exchange, is_asked, factor, words: words(text), chosen: false }
    }

    /// Makes it a line of which somebody settled what it says.
    fn settle(&mut self, label: LineLabel) {
        self.label = label;
        self.factor = weigh::SETTLED;
    }

    /// Its exchange, and how much it says as far as it alone can tell.
    pub(crate) fn rate(&self) -> (usize, u64) {
        (self.exchange, u64::from(self.factor) * self.words.len() as u64)
    }
}

/// The lines of a session, in order, and how many were dropped because there were too many of them; see [`MOST`].
pub(crate) fn told<'a>(session: &Session<'_, 'a>, arena: &'a Bump) -> (Vec<Told<'a>>, usize) {
    let mut told = of_summary(&session.summary, arena);
    let mut dropped = 0;
    let mut exchange = told.last().map_or(0, |last| last.exchange + 1);
    let turns = &session.turns;
    let mut settled = None;
    for (at, turn) in turns.iter().enumerate() {
        let person = turn.voice.is_person();
        exchange += usize::from(at > 0 && person);
        let next = turns.get(at + 1);
        let is_last = next.is_none_or(|next| next.voice.is_person());
        let before = settled.take();
        if turn.voice == Voice::Assistant && is_last {
            settled = next.and_then(|next| verdict(turn, next, arena));
        }
        let from = told.len();
        read_turn(turns, at, exchange, settled.as_ref(), &mut told, arena);
        if let Some(Verdict { label, text, .. }) = before {
            match text {
                Some(text) => told.insert(from, Told::new(label, text, exchange)),
                None => told[from..].iter_mut().take(1).for_each(|line| line.settle(label)),
            }
        }
        if told.len() > 2 * MOST {
            let all = told.len();
            thin(&mut told, MOST, Told::rate);
            dropped += all - told.len();
        }
    }
    told.extend(listed(LineLabel::Files, &session.files, ", ", arena));
    told.extend(listed(LineLabel::Commits, &session.commits, "; ", arena));
    (told, dropped)
}

fn read_turn<'a>(
    turns: &[Turn<'_, 'a>],
    at: usize,
    exchange: usize,
    settled: Option<&Verdict<'a>>,
    told: &mut Vec<Told<'a>>,
    arena: &'a Bump,
) {
    let turn = &turns[at];
    let person = turn.voice.is_person();
    let next = turns.get(at + 1);
    let is_last = next.is_none_or(|next| next.voice.is_person());
    // What a choice by number means only the list tells that it was made from.
    let numbered = !person && is_last && next.is_some_and(names_an_item);
    // A proposal that was turned down is no conclusion, and neither is what is around it.
    let refused = settled.filter(|verdict| verdict.label == LineLabel::TurnedDown);
    let without = refused.map_or("", |verdict| verdict.proposal);
    let passages = passages(said(turns, at), person, numbered, without, arena);
    let of = passages.len();
    let is_conclusion = turn.voice == Voice::Assistant && is_last && refused.is_none();
    for (place, passage) in passages.into_iter().enumerate() {
        let Passage { text, cues, is_quoted } = passage;
        let label = match turn.voice {
            Voice::User => LineLabel::User,
            Voice::Assistant if is_conclusion => {
                Some(stated(cues)).filter(|_| !is_quoted).unwrap_or(LineLabel::Answer)
            }
            _ => LineLabel::None,
        };
        let text = match turn.voice {
            Voice::Name(name) => &*arena.alloc_str(&[name, ": ", text].concat()),
            _ => text,
        };
        let mut line = Told::new(label, text, exchange);
        line.is_asked = person && place == 0;
        if place == 0 || place + 1 == of {
            line.factor = weigh::EDGE;
        }
        let is_short = line.words.len() < 2 && !line.is_asked;
        if is_short || !(person || text.contains(char::is_alphabetic)) {
            continue;
        }
        told.push(line);
    }
}

/// What a passage of a last reply states, where its first words say so.
fn stated(cues: Cues) -> LineLabel {
    if cues.begins(Class::Cause) {
        LineLabel::Cause
    } else if cues.begins(Class::Open) {
        LineLabel::Pending
    } else if cues.begins(Class::Change) {
        LineLabel::Outcome
    } else {
        LineLabel::Answer
    }
}

/// Whether a turn of a person names an item of a list by its number, in a few words: `ok do it, 2`.
fn names_an_item(turn: &Turn<'_, '_>) -> bool {
    /// Longer texts have numbers of other things.
    const FEW: usize = 120;
    let mut lines = turn.lines.iter().map(|line| line.text.trim());
    let Some(text) = lines.find(|text| !text.is_empty()) else { return false };
    let is_number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.len() == 1 && matches!(word.as_bytes()[0], b'1'..=b'9')
    };
    turn.voice.is_person() && text.len() <= FEW && text.split_whitespace().any(is_number)
}

/// The passages of a client's summary, except the sections that list what is elsewhere.
fn of_summary<'a>(lines: &[EntryLine<'a>], arena: &'a Bump) -> Vec<Told<'a>> {
    let mut is_dull = false;
    let kept = lines.iter().filter(|line| {
        let text = line.text.trim().to_lowercase();
        let name = text.trim_start_matches(['#', '*', ' ']);
        if name.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with([':', '*']) {
            is_dull = shape::DULL.iter().any(|dull| name.contains(dull));
        }
        !is_dull
    });
    let kept: Vec<EntryLine<'a>> = kept.copied().collect();
    let found = passages(&kept, false, false, "", arena);
    let told = found.into_iter().map(|passage| Told::new(LineLabel::Answer, passage.text, 0));
    told.filter(|line| line.words.len() > 1).collect()
}

fn listed<'a>(
    label: LineLabel,
    list: &[&str],
    separator: &str,
    arena: &'a Bump,
) -> Option<Told<'a>> {
    let mut text = String::new();
    for item in list {
        let longer = text.chars().count() + separator.len() + item.chars().count();
        if longer > label.room() {
            break;
        }
        if !text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(item);
    }
    (!text.is_empty()).then(|| Told::new(label, arena.alloc_str(&text), 0))
}

/// The lines of an extract below a `### ` heading, read back.
pub(crate) fn read_back<'a>(lines: &[&'a str]) -> Vec<Told<'a>> {
    let mut told = Vec::with_capacity(lines.len());
    let mut exchange = 0;
    let mut answered = false;
    for line in lines {
        let text = line.trim().strip_prefix("- ").unwrap_or(line.trim());
        let label = LineLabel::ALL.into_iter().find(|label| text.starts_with(label.text()));
        let label = label.unwrap_or(LineLabel::None);
        let text = &text[label.text().len()..];
        if text.is_empty() {
            continue;
        }
        match label {
            LineLabel::User | LineLabel::Decision | LineLabel::TurnedDown => {
                exchange += 1;
                answered = false;
            }
            LineLabel::Answer | LineLabel::Cause | LineLabel::Outcome | LineLabel::Pending => {
                answered = true;
            }
            LineLabel::Later => {
                exchange += 1;
                answered = true;
            }
            LineLabel::Files | LineLabel::Commits => answered = false,
            LineLabel::None => {}
        }
        let label = match label {
            LineLabel::None if answered => LineLabel::Answer,
            LineLabel::Later => LineLabel::Answer,
            label => label,
        };
        // Only somebody's own summary has lines that are cut here: those of an extract are short enough.
        for text in pieces(text, label.room().max(PASSAGE)) {
            told.push(Told::new(label, text, exchange));
        }
    }
    told
}

/// Prints the chosen lines. That something is the answer is said once, as is that it does not answer the line of the
/// user above it.
pub(crate) fn print(lines: &[Told<'_>], text: &mut String) {
    let (mut asked, mut answered) = (None, None);
    for line in lines.iter().filter(|line| line.chosen) {
        let exchange = Some(line.exchange);
        let label = match line.label {
            LineLabel::Answer if answered == exchange => LineLabel::None,
            LineLabel::Answer if asked.is_some_and(|asked| Some(asked) != exchange) => {
                LineLabel::Later
            }
            label => label,
        };
        match line.label {
            LineLabel::User => asked = exchange,
            LineLabel::Answer => answered = exchange,
            _ => {}
        }
        text.push_str("- ");
        text.push_str(label.text());
        text.push_str(line.text);
        text.push('\n');
    }
}
