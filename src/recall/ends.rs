//! How sessions ended that are about a prompt: the person's own words on it, and what the last reply states.

use bumpalo::Bump;
use chrono::NaiveDate;

use super::Found;
use super::scale::Scale;
use crate::meaning::extract::is_announced;
use crate::meaning::facts::topic_names::fold;
use crate::meaning::line_label::LineLabel;
use crate::meaning::passage::QUOTE;
use crate::meaning::session::Session;
use crate::meaning::told::{Told, read_back, told};
use crate::memory::entry;
use crate::memory::tokens::{Cost, cost};
use crate::search::Query;

/// What one session may take.
const ROOM: Cost = Cost::tokens(130);
/// So many lines of the person's are looked for in all of a session.
const WORDS: usize = 2;
/// A session is shown by the lines of it that are about the prompt, of which a long one has some by chance.
const CHANCE: f32 = 0.6;
/// The last exchange that has so much of what the best one has is where the session came to an end about it.
const STILL_ABOUT: f32 = 0.6;

/// How the session ended that stands around a line of a node, counted from 1 in its body. `None` where no session
/// stands there.
pub(crate) fn end(
    body: &str,
    line: usize,
    day: NaiveDate,
    query: &Query,
    scale: &Scale,
) -> Option<Found> {
    let arena = Bump::new();
    let (title, mut lines) = session_at(body, line, &arena)?;
    // What somebody quotes is another one's.
    lines.retain(|line| !line.text.starts_with(QUOTE));
    let terms: Vec<u128> = lines.iter().map(|line| query.terms_in(line.text)).collect();
    let last = lines.iter().map(|line| line.exchange).max()?;
    let mut of = vec![0; last + 1];
    for (line, terms) in lines.iter().zip(&terms) {
        of[line.exchange] |= terms;
    }
    let worth: Vec<f32> = of.iter().map(|terms| scale.worth(*terms)).collect();
    let most = worth.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let best = worth.iter().position(|worth| *worth >= most)?;
    let end = worth.iter().rposition(|worth| *worth >= most * STILL_ABOUT)?;
    let of_line = |at: &usize| scale.worth(terms[*at]) * of_label(lines[*at].label);
    // First what the person says of it anywhere, and what they say next; then what is replied at the end.
    let is_person = |at: &usize| {
        matches!(lines[*at].label, LineLabel::User | LineLabel::Decision | LineLabel::TurnedDown)
    };
    let is_next = |at: &usize| {
        let exchange = lines[*at].exchange;
        let begins = *at == 0 || lines[*at - 1].exchange < exchange;
        begins && [best + 1, end + 1].contains(&exchange)
    };
    let by_worth = |mut all: Vec<usize>| {
        all.sort_by(|a, b| of_line(b).total_cmp(&of_line(a)).then(b.cmp(a)));
        all
    };
    let is_count = |at: &usize| lines[*at].text.contains("more lines in the log");
    let said = (0..lines.len()).filter(|at| is_person(at) && of_line(at) > 0.0).collect();
    let next = (0..lines.len()).filter(|at| is_person(at) && is_next(at));
    let states = (0..lines.len()).filter(|at| {
        let line = &lines[*at];
        !(is_person(at)
            || is_count(at)
            || matches!(line.label, LineLabel::Files | LineLabel::Commits))
            && [best, best + 1, end, end + 1].contains(&line.exchange)
    });
    let mut kept: Vec<usize> = Vec::new();
    let mut left = ROOM;
    for at in by_worth(said).into_iter().take(WORDS).chain(next).chain(by_worth(states.collect())) {
        let price = cost(lines[at].text) + Cost::tokens(3);
        if price <= left && !kept.contains(&at) {
            left = left - price;
            kept.push(at);
        }
    }
    kept.sort_unstable();
    let mut text = String::new();
    let mut speaker = None;
    for at in kept {
        let is_person = lines[at].label == LineLabel::User;
        if !text.is_empty() {
            text.push_str(" | ");
        }
        let label = match lines[at].label {
            LineLabel::User => "user: ",
            LineLabel::None | LineLabel::Answer | LineLabel::Later if speaker == Some(false) => "",
            LineLabel::None | LineLabel::Answer | LineLabel::Later => "reply: ",
            label => label.text(),
        };
        speaker = Some(is_person);
        text.push_str(label);
        text.push_str(lines[at].text);
    }
    let about = scale.about(query.terms_in(&text));
    (!text.is_empty()).then(|| Found {
        day,
        kind: "session",
        from: "extract",
        topic: title.replace('…', ""),
        shown: text.clone(),
        text,
        about,
        score: about * CHANCE,
    })
}

/// The person's words beat the assistant's, and what they settled beats both.
fn of_label(label: LineLabel) -> f32 {
    match label {
        LineLabel::Decision | LineLabel::TurnedDown => 1.6,
        LineLabel::User => 1.4,
        LineLabel::Cause | LineLabel::Outcome | LineLabel::Pending => 1.1,
        _ => 1.0,
    }
}

/// The title and the lines of the session around a line: of an extract, or of a log that stands there as it is.
fn session_at<'a>(body: &'a str, line: usize, arena: &'a Bump) -> Option<(&'a str, Vec<Told<'a>>)> {
    let at: usize = body.split_inclusive('\n').take(line).map(str::len).sum();
    let place = body.as_ptr() as usize + at;
    let entries = entry::parse(body);
    let is_extract = is_announced(body.as_bytes());
    let mut found = None;
    for entry in entries.entries() {
        let Some(first) = entry.lines.first() else { continue };
        if first.text.as_ptr() as usize > place && found.is_some() {
            break;
        }
        found = Some(entry);
    }
    let entry = found?;
    if is_extract {
        let lines: Vec<&'a str> = entry.lines.iter().map(|line| line.text).collect();
        let is_title = |at: &usize| lines[*at].starts_with("### ");
        let titles: Vec<usize> = (0..lines.len()).filter(is_title).collect();
        let above = titles.iter().rev().find(|at| (lines[**at].as_ptr() as usize) < place)?;
        let end = titles.iter().copied().find(|at| at > above).unwrap_or(lines.len());
        let title = lines[*above].trim_start_matches("### ");
        return Some((title, read_back(&lines[above + 1..end])));
    }
    let lines: &[entry::EntryLine<'a>] = arena.alloc_slice_copy(&entry.lines);
    let session = Session::read(lines);
    if !session.is_talk {
        return None;
    }
    let title = session.title.unwrap_or(entry.topic);
    Some((title, told(&session, arena).0))
}

/// Whether a session is told by a fact: of its day and under its name.
pub(crate) fn is_told(end: &Found, fact: &Found) -> bool {
    let (end_topic, topic) = (fold(&end.topic), fold(&fact.topic));
    end.day == fact.day && !topic.is_empty() && end_topic.starts_with(&topic)
}
