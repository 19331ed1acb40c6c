//! The records of a backup that belong to what goes.

use std::collections::HashMap;

use serde_json::Value;

use super::cut::{Gone, GoneKind, Selection};
use super::literal_words::LiteralWords;
use crate::capture::already_logged::ids;
use crate::capture::block;
use crate::capture::text::escape_markdown;
use crate::capture::transcript::{self, Role, TurnPart};
use crate::memory::forgotten::{ForgottenId, plain};
use crate::text::lossy;

/// Replaces forgotten words in a record that are not part of a turn: arguments of a tool, a path.
const HOLE: &str = "[forgotten]";

/// What is left of a backup, and what its records that went are known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BackupCut {
    pub(crate) bytes: Vec<u8>,
    /// how many records went or changed
    pub(crate) records: usize,
    pub(crate) ids: Vec<ForgottenId>,
}

/// The turns that go, by session; the words of each as paragraphs, since several records may make one turn.
#[derive(Debug, Default)]
pub(crate) struct GoneTurns {
    by_session: HashMap<String, Vec<(Role, Vec<String>)>>,
}

impl GoneTurns {
    /// Those among what goes of a log.
    pub(crate) fn of<'a>(gone: impl IntoIterator<Item = &'a Gone>) -> Self {
        let mut turns = Self::default();
        for gone in gone {
            if let GoneKind::Said { session, role } = &gone.kind {
                let turn = (*role, paragraphs(&gone.text));
                turns.by_session.entry(session.clone()).or_default().push(turn);
            }
        }
        turns
    }

    /// Whether a record is a part of one of them. `session` is the record's, where it tells.
    fn have(&self, piece: &TurnPart, session: Option<&str>) -> bool {
        let is_its = |name: &str| session.is_none_or(|session| session == name);
        let turns = self.by_session.iter().filter(|(name, _)| is_its(name));
        is_of(piece, turns.flat_map(|(_, turns)| turns))
    }
}

/// Whether a record is a part of one of some turns.
fn is_of<'a>(piece: &TurnPart, turns: impl IntoIterator<Item = &'a (Role, Vec<String>)>) -> bool {
    let words = paragraphs(&escape_markdown(&piece.text));
    let mut turns = turns.into_iter().filter(|(role, _)| role.seed() == piece.role.seed());
    !words.is_empty() && turns.any(|(_, turn)| is_part(&words, turn))
}

/// Whether paragraphs are some of a turn, in one piece. Of a turn that was cut for its length the rest is missing.
fn is_part(words: &[String], turn: &[String]) -> bool {
    let is_long = turn.iter().map(String::len).sum::<usize>() > block::TURN_LIMIT / 2;
    (0..turn.len()).any(|from| {
        let rest = &turn[from..];
        let common = rest.iter().zip(words).take_while(|(one, other)| one == other).count();
        common == words.len()
            || is_long
                && (common + 1 >= rest.len())
                && words
                    .get(common)
                    .zip(rest.get(common))
                    .is_none_or(|(whole, cut)| whole.starts_with(cut.as_str()))
    })
}

fn paragraphs(words: &str) -> Vec<String> {
    let each = words.replace("\r\n", "\n");
    each.split("\n\n").map(plain).filter(|paragraph| !paragraph.is_empty()).collect()
}

/// Cuts the backup of a day. `None` where nothing goes.
pub(crate) fn cut(backup: &[u8], goes: Selection<'_>, turns: &GoneTurns) -> Option<BackupCut> {
    let mut cut =
        BackupCut { bytes: Vec::with_capacity(backup.len()), records: 0, ids: Vec::new() };
    for line in backup.split_inclusive(|byte| *byte == b'\n') {
        match look(line, goes, turns) {
            RecordChange::Stays => cut.bytes.extend_from_slice(line),
            RecordChange::Holes(with) => {
                cut.records += 1;
                cut.bytes.extend_from_slice(&with);
            }
            RecordChange::Goes(piece) => {
                cut.records += 1;
                cut.ids.extend(piece.iter().flat_map(ids));
            }
        }
    }
    (cut.records > 0).then_some(cut)
}

/// The sessions that a backup has records of.
pub(crate) fn sessions(backup: &[u8]) -> Vec<String> {
    let lines = backup.split(|byte| *byte == b'\n');
    let found = lines.filter_map(|line| transcript::origin(line).session);
    found.map(|id| block::session_name(&id)).collect()
}

enum RecordChange {
    Stays,
    /// the record stays, without the words in it that are nobody's
    Holes(Vec<u8>),
    /// what it says, if it is a record
    Goes(Option<TurnPart>),
}

fn look(line: &[u8], goes: Selection<'_>, turns: &GoneTurns) -> RecordChange {
    let piece = transcript::piece(line);
    let session = transcript::origin(line).session.map(|id| block::session_name(&id));
    let of_turn = || piece.as_ref().is_some_and(|piece| turns.have(piece, session.as_deref()));
    let goes = match goes {
        Selection::All => true,
        Selection::Sessions(names) => match &session {
            Some(session) => names.contains(session),
            None => of_turn(),
        },
        Selection::Words(words) => {
            let says = |text: &str| words.stand_in(text);
            let here = words.may_stand_in(line) && self::says(line, &says);
            let said = || piece.as_ref().is_none_or(|piece| says(&piece.text));
            if here && !said() && !of_turn() {
                return RecordChange::Holes(without_words(line, words));
            }
            here || of_turn()
        }
        Selection::Buried(forgotten) => {
            of_turn()
                || piece
                    .as_ref()
                    .is_some_and(|piece| ids(piece).any(|id| forgotten.covers_text(id)))
        }
    };
    if goes { RecordChange::Goes(piece) } else { RecordChange::Stays }
}

/// Whether a string in a record says it; of what is no JSON, the text.
pub(crate) fn says(record: &[u8], says: &dyn Fn(&str) -> bool) -> bool {
    fn any(value: &Value, says: &dyn Fn(&str) -> bool) -> bool {
        match value {
            Value::String(text) => says(text),
            Value::Array(items) => items.iter().any(|item| any(item, says)),
            Value::Object(fields) => fields.iter().any(|(key, item)| says(key) || any(item, says)),
            _ => false,
        }
    }
    match serde_json::from_slice(record) {
        Ok(value) => any(&value, says),
        Err(_) => says(&lossy(record)),
    }
}

/// A record without the strings that say it.
fn without_words(line: &[u8], words: &LiteralWords) -> Vec<u8> {
    fn punch(value: &mut Value, words: &LiteralWords) {
        match value {
            Value::String(text) if words.stand_in(text) => HOLE.clone_into(text),
            Value::Array(items) => items.iter_mut().for_each(|item| punch(item, words)),
            Value::Object(fields) => {
                fields.retain(|key, _| !words.stand_in(key));
                fields.values_mut().for_each(|item| punch(item, words));
            }
            _ => {}
        }
    }
    let Ok(mut value) = serde_json::from_slice(line) else { return Vec::new() };
    punch(&mut value, words);
    let mut out = serde_json::to_vec(&value).unwrap_or_default();
    out.push(b'\n');
    out
}

/// Records that are about to be written, without those of turns that do not go into the log.
pub(crate) fn without(records: &[u8], gone: &[(Role, String)]) -> Vec<u8> {
    let turns: Vec<_> = gone.iter().map(|(role, words)| (*role, paragraphs(words))).collect();
    let stays = |line: &&[u8]| !transcript::piece(line).is_some_and(|piece| is_of(&piece, &turns));
    let lines = records.split_inclusive(|byte| *byte == b'\n');
    lines.filter(stays).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, role: &str, text: &str, more: &str) -> String {
        let content = serde_json::to_string(text).unwrap();
        format!(
            "{{\"type\":\"{role}\",\"sessionId\":\"s\",\"uuid\":\"{id}-0123-4567-89ab\",\"x\":\"{more}\",\
             \"message\":{{\"role\":\"{role}\",\"content\":{content}}}}}\n"
        )
    }

    fn gone(role: Role, text: &str) -> Gone {
        Gone { kind: GoneKind::Said { session: "s".to_owned(), role }, text: text.to_owned() }
    }

    #[test]
    fn the_records_of_a_turn_go_with_it() {
        let words = LiteralWords::of("zebra").unwrap();
        let stays = record("b", "user", "ok", "");
        let tool = record("eeeeeeee", "assistant", "first", "a zebra");
        let turns = GoneTurns::of(&[
            gone(Role::User, "the zebra"),
            gone(Role::Assistant, "first part\n\n\\# second\npart\n\nthe zebra"),
        ]);
        let backup = [
            record("aaaaaaaa", "user", "the zebra", ""),
            stays.clone(),
            record("cccccccc", "assistant", "first part", ""),
            record("dddddddd", "assistant", "# second\npart", ""),
            tool.clone(),
        ]
        .concat();
        let cut = cut(backup.as_bytes(), Selection::Words(&words), &turns).unwrap();
        let hole = tool.replace("a zebra", HOLE);
        assert_eq!(String::from_utf8(cut.bytes).unwrap(), stays + &hole);
        assert_eq!((cut.records, cut.ids.len()), (4, 3));
    }

    #[test]
    fn a_session_goes_by_its_name() {
        let (a, b) = (record("a", "user", "x", ""), record("b", "user", "y", ""));
        let b = b.replace("\"s\"", "\"t\"");
        let names = ["t".to_owned()];
        let cut =
            cut((a.clone() + &b).as_bytes(), Selection::Sessions(&names), &GoneTurns::default());
        assert_eq!(cut.unwrap().bytes, a.as_bytes());
    }
}
