//! A line as it is told: its day, what it is, and of a long text only what is about the prompt.

use std::fmt::Write as _;

use super::Found;
use super::scale::Scale;
use crate::meaning::sentence::sentences;
use crate::memory::tokens::{Cost, cost};
use crate::search::Query;
use crate::text::printable;

/// What the text of a fact may take, and what it replaced.
pub(super) const ROOM: Cost = Cost::tokens(60);
const ROOM_BEFORE: Cost = Cost::tokens(25);
/// What the name of a session may take.
const ROOM_TOPIC: Cost = Cost::tokens(16);

/// The line of what was found. `before` is what it replaced.
pub(crate) fn line(found: &Found, before: Option<&Found>, query: &Query, scale: &Scale) -> String {
    let text = &found.shown;
    let topic = begun(&found.topic, ROOM_TOPIC);
    let mut line = format!("- {} {}: {topic}: {text}", found.day, found.kind);
    if let Some(before) = before {
        let old = shortened(&before.text, ROOM_BEFORE, query, scale);
        let _ = write!(line, " (replaces {}: {old})", before.day);
    }
    harmless(&line)
}

/// One line in which nothing reads as a tag or as the end of what stands around it.
pub(crate) fn harmless(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let line = printable(line);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_tag = letter == '<'
            && letters.peek().is_some_and(|next| next.is_alphabetic() || matches!(next, '/' | '!'));
        if is_tag {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// The beginning of a text, as far as there is room.
pub(crate) fn begun(text: &str, room: Cost) -> String {
    if cost(text) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for word in text.split_inclusive(' ') {
        if cost(&kept) + cost(word) + Cost::tokens(1) > room {
            break;
        }
        kept.push_str(word);
    }
    kept.trim_end().to_owned() + " …"
}

/// The first clause of a text and those that are about the prompt, in order, as far as there is room.
pub(super) fn shortened(text: &str, room: Cost, query: &Query, scale: &Scale) -> String {
    if cost(text) <= room {
        return text.to_owned();
    }
    let clauses: Vec<&str> =
        sentences(text).flat_map(|sentence| sentence.split_inclusive("; ")).collect();
    let mut ranked: Vec<(f32, usize)> = clauses
        .iter()
        .enumerate()
        .map(|(at, clause)| {
            let worth = scale.worth(query.terms_in(clause));
            (if at == 0 { worth + 1.0 } else { worth }, at)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut kept: Vec<usize> = Vec::new();
    let mut left = room;
    for (_, at) in ranked {
        let price = cost(clauses[at]) + Cost::tokens(1);
        if price <= left {
            left = left - price;
            kept.push(at);
        }
    }
    kept.sort_unstable();
    if kept.is_empty() {
        return begun(text, room);
    }
    let mut out = String::new();
    let mut next = 0;
    for at in kept {
        if at > next || (at > 0 && next == 0 && out.is_empty()) {
            out.push_str("… ");
        }
        out.push_str(clauses[at].trim());
        out.push(' ');
        next = at + 1;
    }
    if next < clauses.len() {
        out.push('…');
    }
    out.trim_end().to_owned()
}
