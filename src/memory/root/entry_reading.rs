//! What an entry states in whole sentences.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::memory::digest::keyed_bullet;
use crate::memory::entry::Entry;
use crate::memory::hashed::hash_folded;
use crate::memory::talk::{
    self, Chosen, Cue, Cutter, Passage, Sayer, Sitting, add_commits, add_statements, best,
    is_of_review, is_standing_rule, plain, replaced, replaces,
};
use crate::memory::topics::label;

/// The most characters of the text of a user or feedback entry.
const RULE: usize = 400;
/// Labels whose text is no statement.
const DULL: [&str; 9] =
    ["files", "file", "commit", "references", "reference", "request", "status", "why", "tags"];

/// A sentence that can stand alone, or the text of a user or feedback entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Statement {
    pub(super) text: String,
    /// of the text, whatever its case
    pub(super) hash: u64,
    /// compares those of one day
    pub(super) weight: u32,
    /// what it is worth beside its words, in 1/256
    pub(super) quality: u32,
    /// a person says it, or a note, and it settles something
    pub(super) by_person: bool,
    /// and it holds for all times; the text of a user or feedback entry, which has a line of its own, is not among these
    pub(super) standing: bool,
}

/// An entry, read.
pub(super) struct EntryReading<'a> {
    /// what it is about; empty where nothing tells
    pub(super) title: Cow<'a, str>,
    /// a conversation
    pub(super) talk: bool,
    /// the text of a user or feedback entry
    rule: Option<String>,
    /// sentences to choose from
    pub(super) found: Vec<Passage<'a>>,
}

impl<'a> EntryReading<'a> {
    /// Reads an entry; its sentences only where they are `wanted`. `room` and `cutter` are used again and again.
    pub(super) fn of(
        entry: &Entry<'_, 'a>,
        wanted: bool,
        room: &mut Sitting<'static, 'static>,
        cutter: &mut Cutter<'a>,
    ) -> Self {
        let sitting = std::mem::take(room).again(&entry.lines);
        let reading = Self::of_sitting(entry, wanted, &sitting, cutter);
        *room = sitting.emptied();
        reading
    }

    fn of_sitting(
        entry: &Entry<'_, 'a>,
        wanted: bool,
        sitting: &Sitting<'_, 'a>,
        cutter: &mut Cutter<'a>,
    ) -> Self {
        let title = talk::title(entry.topic, sitting);
        let about_user = entry.kind.is_about_user();
        let title = if title.is_empty() && about_user { entry.topic.into() } else { title };
        let talk = sitting.is_talk;
        let mut stated = Self { title, talk, rule: None, found: Vec::new() };
        if !wanted || entry.is_ephemeral() {
            return stated;
        }
        if about_user {
            stated.rule = Some(rule(entry)).filter(|rule| !rule.is_empty());
        } else if talk {
            add_statements(&mut stated.found, &sitting.turns, cutter);
            add_commits(&mut stated.found, &sitting.commits, cutter.arena());
        } else {
            stated.found = noted(entry, cutter);
        }
        stated
    }

    /// What of it is kept, best first.
    pub(super) fn best(self, rarity: &talk::Rarity) -> Vec<Statement> {
        if let Some(text) = self.rule {
            let (weight, quality) = (u32::MAX, 256);
            let hash = hash_folded(&text);
            let (by_person, standing) = (true, false);
            return vec![Statement { text, hash, weight, quality, by_person, standing }];
        }
        let statement = |chosen: Chosen| {
            let Chosen { at, weight, quality } = chosen;
            let found = &self.found[at];
            let text = plain(found.text);
            // Whoever says it can settle it.
            let settled = !self.talk || (found.sayer == Sayer::Person && !is_of_review(&text));
            // Of a conversation it is known who rules it, or that a reply wrote it down.
            let is_rule = if self.talk {
                found.is_rule && !is_of_review(&text)
            } else {
                is_standing_rule(&text)
            };
            let takes_place = || replaces(&text) || replaced(&text).is_some();
            let by_person =
                is_rule || (settled && (found.cue == Some(Cue::Decision) || takes_place()));
            // What a document rules that somebody hands over is for the task that it describes.
            let handed = self.talk && found.sayer == Sayer::Person && found.is_of_document();
            let standing = is_rule && !handed;
            Statement { hash: hash_folded(&text), text, weight, quality, by_person, standing }
        };
        best(&self.found, rarity).into_iter().map(statement).collect()
    }
}

/// The sentences of notes: of each bullet what stands behind its label.
fn noted<'a>(entry: &Entry<'_, 'a>, cutter: &mut Cutter<'a>) -> Vec<Passage<'a>> {
    let mut found = Vec::with_capacity(entry.lines.len());
    let mut room = Sitting::default();
    for line in entry.lines.iter().filter(|line| !line.code) {
        let (name, text) = label(line.text).unwrap_or(("", line.text));
        if DULL.contains(&name) {
            continue;
        }
        let bare = [crate::memory::entry::EntryLine { text, code: false }];
        let sitting = room.again(&bare);
        let key = keyed_bullet(line.text);
        let before = found.len();
        add_statements(&mut found, &sitting.turns, cutter);
        if let Some(cue) = key {
            for passage in &mut found[before..] {
                passage.cue = Some(cue);
                passage.factor = 32;
            }
        }
        room = sitting.emptied();
    }
    found
}

/// The text of a user or feedback entry: its rule, and what else it says but for the reasons, as far as it is short.
fn rule(entry: &Entry<'_, '_>) -> String {
    let mut first = "";
    let mut others: Vec<[&str; 3]> = Vec::with_capacity(entry.lines.len());
    for line in entry.lines.iter().filter(|line| !line.code && !line.text.starts_with("<!--")) {
        let plain = line.text.trim().trim_start_matches(['-', '*', '+']).trim();
        if plain.is_empty() || plain.starts_with('#') {
            continue;
        }
        match label(line.text) {
            Some(("rule", text)) if first.is_empty() => first = text,
            Some(("why", _)) => {}
            Some((name, text)) => others.push([name, ": ", text]),
            None => others.push([plain, "", ""]),
        }
    }
    let mut text = first.to_owned();
    let mut length = text.chars().count();
    for other in others {
        length += 2 + other.iter().map(|part| part.chars().count()).sum::<usize>();
        if length > RULE {
            break;
        }
        if text.is_empty() {
            length -= 2;
        } else {
            text.push_str("; ");
        }
        text.extend(other);
    }
    text
}
