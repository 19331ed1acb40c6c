//! The records of a backup that belong to what goes.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::cut::{Gone, GoneKind, Selection};
use super::literal_words::LiteralWords;
use crate::capture::already_logged::ids;
use crate::capture::block;
use crate::capture::chunk::{Before, joins};
use crate::capture::narrow::{PATHS, is_about_record};
use crate::capture::transcript::{self, Role, TurnPart};
use crate::markdown::escape::escape;
use crate::markdown::form::{Form, form, items};
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
    /// when the first and the last of them were said, in milliseconds since 1970, by session
    pub(crate) times: BTreeMap<String, RangeInclusive<i64>>,
}

impl BackupCut {
    fn goes(&mut self, piece: &TurnPart, session: Option<&str>) {
        self.ids.extend(ids(piece));
        if let (Some(session), Some(time)) = (session, piece.time) {
            add_time(&mut self.times, session, time);
        }
    }
}

/// Notes down that a session said something at a time.
pub(crate) fn add_time(
    times: &mut BTreeMap<String, RangeInclusive<i64>>,
    session: &str,
    time: DateTime<Utc>,
) {
    let time = time.timestamp_millis();
    let known = times.entry(session.to_owned()).or_insert(time..=time);
    *known = time.min(*known.start())..=time.max(*known.end());
}

/// A turn that goes; its words as paragraphs, since several records may make one turn.
#[derive(Debug)]
struct GoneTurn {
    session: String,
    role: Role,
    paragraphs: Vec<String>,
    /// the tools called in it
    tools: Vec<String>,
}

impl GoneTurn {
    /// A turn as a log has it, without its label: the lines below the words tell what was called and made.
    fn of(session: &str, role: Role, text: &str) -> Self {
        let tools = text.lines().filter_map(|line| match form(line) {
            Some(Form::Tools(list)) => Some(items(list)),
            _ => None,
        });
        let name = |item: &str| item.rsplit_once(" ×").map_or(item, |(name, _)| name).to_owned();
        let tools = tools.flatten().map(name).collect();
        let paragraphs = paragraphs(&block::words(text));
        Self { session: session.to_owned(), role, paragraphs, tools }
    }

    /// Whether it has all tools that a record calls.
    fn calls(&self, piece: &TurnPart) -> bool {
        piece.tools.iter().all(|tool| self.tools.contains(tool))
    }
}

/// The turns that go, by session.
#[derive(Debug, Default)]
pub(crate) struct GoneTurns {
    by_session: HashMap<String, Vec<GoneTurn>>,
}

impl GoneTurns {
    /// Those among what goes of a log.
    pub(crate) fn of<'a>(gone: impl IntoIterator<Item = &'a Gone>) -> Self {
        let mut turns = Self::default();
        for gone in gone {
            if let GoneKind::Said { session, role } = &gone.kind {
                let turn = GoneTurn::of(session, *role, &gone.text);
                turns.by_session.entry(session.clone()).or_default().push(turn);
            }
        }
        turns
    }

    /// Those of the session of a record, of any where it does not tell.
    fn of_session(&self, session: Option<&str>) -> impl Iterator<Item = &GoneTurn> {
        let is_its = move |name: &str| session.is_none_or(|session| session == name);
        let turns = self.by_session.iter().filter(move |(name, _)| is_its(name));
        turns.flat_map(|(_, turns)| turns)
    }

    /// The first of them that a record with words is a part of.
    fn turn_of(&self, piece: &TurnPart, session: Option<&str>) -> Option<&GoneTurn> {
        let words = paragraphs(&escape(&piece.text));
        let mut turns =
            self.of_session(session).filter(|turn| turn.role.seed() == piece.role.seed());
        turns.find(|turn| !words.is_empty() && is_part(&words, &turn.paragraphs))
    }
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

/// A line of a backup.
struct Record<'a> {
    line: &'a [u8],
    piece: Option<TurnPart>,
    /// as markers name it, where the record tells
    session: Option<String>,
    /// the number of the turn that it is a part of
    turn: Option<usize>,
}

impl Record<'_> {
    fn is_silent(&self) -> bool {
        self.piece.as_ref().is_none_or(|piece| piece.text.is_empty())
    }
}

/// The records of a backup, those of one turn numbered alike: another part of a reply, and a call of a tool after it.
fn read(backup: &[u8]) -> Vec<Record<'_>> {
    let mut before: HashMap<Option<String>, (Before, usize)> = HashMap::new();
    let lines = backup.split_inclusive(|byte| *byte == b'\n').enumerate();
    let read = lines.map(|(number, line)| {
        let piece = transcript::piece(line);
        let session = transcript::origin(line).session.map(|id| block::session_name(&id));
        let mut turn = None;
        if let Some(piece) = piece.as_ref().filter(|piece| !piece.role.is_title()) {
            let last = before.get(&session);
            let next = Before::after(last.map(|(last, _)| last), piece, DateTime::UNIX_EPOCH);
            let same = last.filter(|(last, _)| joins(last, piece, next.time));
            let number = same.map_or(number, |(_, number)| *number);
            before.insert(session.clone(), (next, number));
            turn = Some(number);
        }
        Record { line, piece, session, turn }
    });
    read.collect()
}

/// The turns that go of which records are parts. `says`, where single turns go by what they say, tells whether a record
/// says it.
fn parts_of<'t>(
    records: &[Record<'_>],
    turns: &'t GoneTurns,
    says: Option<&dyn Fn(&Record<'_>) -> bool>,
) -> Vec<Option<&'t GoneTurn>> {
    let mut found: Vec<Option<&GoneTurn>> = Vec::with_capacity(records.len());
    let mut by_number = HashMap::new();
    for record in records {
        let spoken = record.piece.as_ref().filter(|piece| !piece.role.is_title());
        let turn = spoken.and_then(|piece| turns.turn_of(piece, record.session.as_deref()));
        if let (Some(number), Some(turn)) = (record.turn, turn) {
            by_number.entry(number).or_insert(turn);
        }
        found.push(turn);
    }
    // A turn without words is recognised by its calls, and by what was said before it or by what it says.
    let mut goes_before: HashMap<Option<&str>, bool> = HashMap::new();
    for (record, turn) in records.iter().zip(&found) {
        let (Some(number), Some(piece)) = (record.turn, &record.piece) else { continue };
        let session = record.session.as_deref();
        if !record.is_silent() {
            goes_before.insert(session, turn.is_some());
            continue;
        }
        let is_meant = match says {
            Some(says) => says(record),
            None => goes_before.get(&session).copied().unwrap_or(false),
        };
        if is_meant && !by_number.contains_key(&number) {
            let mut wordless = turns.of_session(session).filter(|turn| turn.paragraphs.is_empty());
            if let Some(turn) = wordless.find(|turn| turn.calls(piece)) {
                by_number.insert(number, turn);
            }
        }
    }
    let part = |(record, turn): (&Record<'_>, Option<&'t GoneTurn>)| {
        let of = || by_number.get(&record.turn.filter(|_| record.is_silent())?).copied();
        // Records that do not tell whose they are may be after those of another session.
        let is_its = |of: &&GoneTurn| {
            record.session.is_some() || record.piece.as_ref().is_some_and(|it| of.calls(it))
        };
        turn.or_else(|| of().filter(is_its))
    };
    records.iter().zip(found).map(part).collect()
}

/// Cuts the backup of a day. `None` where nothing goes.
pub(crate) fn cut(backup: &[u8], goes: Selection<'_>, turns: &GoneTurns) -> Option<BackupCut> {
    let mut cut = BackupCut {
        bytes: Vec::with_capacity(backup.len()),
        records: 0,
        ids: Vec::new(),
        times: BTreeMap::new(),
    };
    let records = read(backup);
    let here = |record: &Record<'_>| match goes {
        Selection::Words(words) => {
            words.may_stand_in(record.line) && says(record.line, &|text: &str| words.stand_in(text))
        }
        _ => false,
    };
    let by_words = matches!(goes, Selection::Words(_));
    let parts = parts_of(&records, turns, by_words.then_some(&here));
    for (record, of_turn) in records.into_iter().zip(parts) {
        match look(&record, goes, of_turn.is_some()) {
            RecordChange::Stays => cut.bytes.extend_from_slice(record.line),
            RecordChange::Holes(with) => {
                cut.records += 1;
                cut.bytes.extend_from_slice(&with);
            }
            RecordChange::Goes => {
                cut.records += 1;
                let session =
                    record.session.as_deref().or(of_turn.map(|turn| turn.session.as_str()));
                record.piece.iter().for_each(|piece| cut.goes(piece, session));
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
    Goes,
}

/// What becomes of a record; `of_turn` is whether it is a part of a turn that goes.
fn look(record: &Record<'_>, goes: Selection<'_>, of_turn: bool) -> RecordChange {
    let Record { line, piece, session, .. } = record;
    let goes = match goes {
        Selection::All => true,
        Selection::Sessions(names) => match session {
            Some(session) => names.contains(session),
            None => of_turn,
        },
        Selection::Words(words) => {
            let says = |text: &str| words.stand_in(text);
            let here = !of_turn && words.may_stand_in(line) && self::says(line, &says);
            if here && piece.as_ref().is_some_and(|piece| !says(&piece.text)) {
                return RecordChange::Holes(without_words(line, words));
            }
            here || of_turn
        }
        Selection::Buried(forgotten) => {
            of_turn
                || piece
                    .as_ref()
                    .is_some_and(|piece| ids(piece).any(|id| forgotten.covers_text(id)))
        }
    };
    if goes { RecordChange::Goes } else { RecordChange::Stays }
}

/// Whether a field says it: of a path the name of the file does, which a log shows, and of an id or a hash nothing.
fn field_says(key: &str, value: &Value, says: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(path) if PATHS.contains(&key) => {
            says(path.rsplit('/').next().unwrap_or_default())
        }
        Value::String(_) if is_about_record(key) => false,
        Value::String(text) => says(text),
        Value::Array(items) => items.iter().any(|item| field_says("", item, says)),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, item)| field_says(key, item, says) || key.contains(' ') && says(key)),
        _ => false,
    }
}

/// Whether a string in a record says it; of what is no JSON, the text.
pub(crate) fn says(record: &[u8], says: &dyn Fn(&str) -> bool) -> bool {
    match serde_json::from_slice(record) {
        Ok(value) => field_says("", &value, says),
        Err(_) => says(&lossy(record)),
    }
}

/// A record without the strings that say it.
fn without_words(line: &[u8], words: &LiteralWords) -> Vec<u8> {
    fn punch(key: &str, value: &mut Value, words: &LiteralWords) {
        let says = |text: &str| words.stand_in(text);
        match value {
            Value::String(_) if field_says(key, value, &says) => *value = HOLE.into(),
            Value::Array(items) => items.iter_mut().for_each(|item| punch("", item, words)),
            Value::Object(fields) => {
                fields.retain(|key, _| !(key.contains(' ') && says(key)));
                fields.iter_mut().for_each(|(key, item)| punch(key, item, words));
            }
            _ => {}
        }
    }
    let Ok(mut value) = serde_json::from_slice(line) else { return Vec::new() };
    punch("", &mut value, words);
    let mut out = serde_json::to_vec(&value).unwrap_or_default();
    out.push(b'\n');
    out
}

/// Records of a session that are about to be written, without those of turns that do not go into the log, each as the
/// log would have it.
pub(crate) fn without(records: &[u8], gone: &[(Role, String)]) -> Vec<u8> {
    let turns = gone.iter().map(|(role, text)| GoneTurn::of("", *role, text)).collect();
    let turns = GoneTurns { by_session: HashMap::from([(String::new(), turns)]) };
    let mut records = read(records);
    // They are of one session, whatever name they have.
    for record in &mut records {
        record.session = None;
    }
    let parts = parts_of(&records, &turns, None);
    let stays = records.iter().zip(parts).filter(|(_, turn)| turn.is_none());
    stays.flat_map(|(record, _)| record.line).copied().collect()
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
