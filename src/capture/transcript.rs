//! Sessions as the agents record them: one record in, at most one piece of a turn out.
//!
//! Each format is one file below this one with the same small contract, `Format`. A record is read by
//! itself, without the records around it, so that reading may begin at any line. Its format
//! is recognised by its fields, never by the name of the file.

mod answers;
mod claude_code;
mod cline;
mod codex;
mod condensed;
mod copilot;
mod cursor;
mod droid;
pub(crate) mod fields;
mod gemini;
pub(crate) mod made;
mod mended;
mod openclaw;
mod opencode;
mod parts;
mod qwen;
mod raw;
mod silent;
mod speakers;
mod strange;

use std::borrow::Cow;

use chrono::{DateTime, Utc};

use crate::capture::private;
use crate::layout;
use crate::platform::{self, Store};
use crate::text::{bounded, lists};
pub(crate) use condensed::Condenser;
use fields::{flag, object, string, time, value};
pub(crate) use mended::{mended, whole};
pub(crate) use openclaw::is_spawned;
use raw::{Fields, Raw, fields};
use speakers::SpeakerTable;
pub(crate) use strange::speaker_unread;

/// Who speaks, or what the client's own model says about the session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    User,
    Assistant,
    /// nobody: a record that could not be read, named in the place where it stood
    #[default]
    Nobody,
    /// the client: its summary of all that was said before
    Summary,
    /// the client: what it calls the session; `chosen` by the person, which wins
    Title {
        /// whether the person chose it
        chosen: bool,
    },
}

impl Role {
    /// Whether this is the name of the session rather than something said in it.
    pub(crate) fn is_title(self) -> bool {
        matches!(self, Self::Title { .. })
    }

    /// What keeps the same words of two roles apart in a hash.
    pub(crate) fn seed(self) -> u64 {
        match self {
            Self::User => 1,
            Self::Assistant | Self::Nobody => 2,
            Self::Summary => 3,
            Self::Title { .. } => 4,
        }
    }

    /// The role a record names; `None` for all that are no part of the session.
    fn named(word: &str) -> Option<Self> {
        match word {
            "user" => Some(Self::User),
            "assistant" => Some(Self::Assistant),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TurnPart {
    pub role: Role,
    /// what is said, as recorded
    pub text: String,
    /// the tools called, in order
    pub tools: Vec<String>,
    /// the files that these wrote, as recorded
    pub files: Vec<String>,
    pub commits: Vec<String>,
    /// the folder that the agent worked in, if the record tells
    pub cwd: Option<String>,
    pub time: Option<DateTime<Utc>>,
    /// what tells this record from every other one, if the format has such a thing
    pub id: Option<String>,
    /// the reply that this record is a part of: records of one reply make one turn
    pub reply: Option<String>,
    /// whether these words are in another record as well, unless that is missing
    pub is_item: bool,
}

impl TurnPart {
    /// A piece that says nothing yet.
    pub(crate) fn of(role: Role) -> Self {
        Self { role, ..Self::default() }
    }

    /// The piece, unless nothing is said in it and no tool is called.
    fn unless_empty(mut self) -> Option<Self> {
        let kept = self.text.trim().len();
        if kept == 0 {
            self.text.clear();
        }
        let made = [&self.tools, &self.files, &self.commits];
        (kept > 0 || made.iter().any(|made| !made.is_empty())).then_some(self)
    }

    /// Adds a paragraph as recorded, without what a table gives to somebody else.
    fn hear(&mut self, recorded: &str, table: &SpeakerTable) {
        match self.role {
            Role::User => self.say(&table.prompt(recorded).words),
            Role::Assistant => self.say(&table.reply(recorded)),
            _ => self.say(recorded),
        }
    }

    /// Notes a call of a tool and what it makes.
    fn call(&mut self, name: String, input: Option<Raw<'_>>) {
        let made = made::by_call(&name, input);
        self.tools.push(name);
        self.files.extend(made.files);
        self.commits.extend(made.commits);
    }

    fn say(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            if !self.text.is_empty() {
                self.text.push_str("\n\n");
            }
            self.text.push_str(text);
        }
    }
}

/// One agent's way of recording.
struct Format {
    /// which clients keep their records in it
    store: Store,
    /// whether a record is of this format
    owns: fn(&Record<'_>) -> bool,
    piece: fn(&Record<'_>) -> Option<TurnPart>,
    /// which session it belongs to and where that was started, as far as this record tells
    origin: fn(&Record<'_>) -> TranscriptOrigin,
}

/// Asked in this order; the more telling sign comes first.
const FORMATS: [Format; 10] = [
    codex::FORMAT,
    opencode::FORMAT,
    copilot::FORMAT,
    cursor::FORMAT,
    qwen::FORMAT,
    gemini::FORMAT,
    cline::FORMAT,
    droid::FORMAT,
    claude_code::FORMAT,
    openclaw::FORMAT,
];

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TranscriptOrigin {
    pub session: Option<String>,
    /// the folder the agent was started in
    pub cwd: Option<String>,
    /// whether it is an agent's work for another agent rather than a person's session
    pub delegated: bool,
    /// the session that it is a copy of, up to where it goes on by itself
    pub forked_from: Option<String>,
    /// whether the person begins it, as far as a record of it tells, or its agent has no other sessions; where another
    /// agent does, it is that agent's as long as the person says nothing
    pub begun: Option<bool>,
    /// whether no record of this format tells the folder
    pub folderless: bool,
    /// whether none tells the session, nor has an id: only the order of words shows which of them are old
    pub nameless: bool,
}

fields! {
    /// The fields of a record that any format asks for. Each is kept as it is written, so that one field of
    /// an unexpected kind does not make the rest unreadable.
    struct Record {
        kind: "type",
        message: "message",
        payload: "payload",
        info: "info",
        parts: "parts",
        role: "role",
        content: "content",
        timestamp: "timestamp",
        uuid: "uuid",
        id: "id",
        session_id: "sessionId",
        cwd: "cwd",
        is_meta: "isMeta",
        is_sidechain: "isSidechain",
        is_compact_summary: "isCompactSummary",
        is_visible_in_transcript_only: "isVisibleInTranscriptOnly",
        prompt_source: "promptSource",
        origin: "origin",
        agent_name: "agentName",
        session_kind: "sessionKind",
        attachment: "attachment",
        result: "toolUseResult",
        ai_title: "aiTitle",
        custom_title: "customTitle",
        summary: "summary",
        provenance: "provenance",
        data: "data",
        agent_id: "agentId",
        subtype: "subtype",
        system_payload: "systemPayload",
        tool_calls: "toolCalls",
        project_hash: "projectHash",
        kind_of_session: "kind",
        set: "$set",
        rewind: "$rewindTo",
        display_content: "displayContent",
        calling_session: "callingSessionId",
        ts: "ts",
        metadata: "metadata",
    }
}

impl Record<'_> {
    fn kind(&self) -> String {
        string(self.kind).unwrap_or_default()
    }
}

/// A line that holds something else than one record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoRecord;

/// What a record says. `None` for records that are not part of a session, and for anything else.
pub(crate) fn piece(record: &[u8]) -> Option<TurnPart> {
    said(record).ok().flatten()
}

/// Whether words are in a record, all of which are private.
pub(crate) fn is_private(record: &[u8]) -> bool {
    let speaks = |piece: Option<TurnPart>| piece.is_some_and(|it| !it.text.trim().is_empty());
    matches!(private::without(record), Cow::Owned(_))
        && speaks(on_record(record, |it| (format_of(it)?.piece)(it)).flatten())
        && !speaks(piece(record))
}

/// What a line of a transcript says, if it is a record and part of a session.
pub(crate) fn said(line: &[u8]) -> Result<Option<TurnPart>, NoRecord> {
    if silent::says_nothing(line) {
        return Ok(None);
    }
    let line = &private::without(line);
    let record = parse(line).ok_or(NoRecord)?;
    Ok(format_of(&record).and_then(|format| (format.piece)(&record)))
}

pub(crate) fn piece_of_session(record: &[u8]) -> Option<(TurnPart, Option<String>)> {
    let record = &private::without(record);
    let (record, format) = read(record)?;
    let piece = (format.piece)(&record)?;
    Some((piece, (format.origin)(&record).session))
}

/// The id of a record that it is known by, whatever it says, and the session it belongs to. `None` where the words of a
/// record count, too.
pub(crate) fn known_by_id(record: &[u8]) -> Option<(String, Option<String>)> {
    // A quick look, so that records of other clients are not parsed for nothing.
    memchr::memmem::find(record, b"\"uuid\"")?;
    let (record, format) = read(record)?;
    let id =
        string(record.uuid).filter(|_| matches!(format.store, Store::ClaudeCode | Store::Qwen))?;
    Some((id, (format.origin)(&record).session))
}

/// Where a line of a transcript comes from, as far as it tells.
pub(crate) fn origin(line: &[u8]) -> TranscriptOrigin {
    let of = |record: &Record<'_>| {
        let format = format_of(record);
        format.map(|format| (format.origin)(record)).map(without_summarizers).unwrap_or_default()
    };
    on_record(line, of).unwrap_or_default()
}

/// A run of a summarizer that `hipocampus summarize` started is not a session.
fn without_summarizers(origin: TranscriptOrigin) -> TranscriptOrigin {
    let is_ours = |name: &str| name.starts_with(layout::SUMMARIZING);
    let ours = origin.cwd.as_deref().is_some_and(|cwd| cwd.split('/').any(is_ours));
    TranscriptOrigin { delegated: origin.delegated || ours, ..origin }
}

/// The time a line of a transcript carries, whatever kind of record it is.
pub(crate) fn time_of(line: &[u8]) -> Option<DateTime<Utc>> {
    on_record(line, |record| time(record.timestamp).or_else(|| cursor::said_at(record))).flatten()
}

/// The id of the client in whose format a record is.
pub(crate) fn client_of(record: &[u8]) -> Option<&'static str> {
    let (_, format) = read(record)?;
    Some(platform::id_of(format.store))
}

/// Whether a message is a reply that is still being written. `false` where the message does not tell.
pub(crate) fn is_unfinished(message: &[u8]) -> bool {
    parse(message).is_some_and(|record| opencode::is_unfinished(&record))
}

/// Whether this is a record of any format, whatever it says.
pub(crate) fn is_record(record: &[u8]) -> bool {
    read(record).is_some()
}

/// Records that clients keep beside the session, by their type, where nothing else tells whose they are.
const BESIDE: &str = "agent-name api-request api-request-blob api-request-shape atis-latch cost-state \
    file-history-snapshot last-prompt mode pr-link queue-operation summary tools-used worktree-state";

/// Whether this is a record of a client, of the session or beside it.
pub(crate) fn is_known(record: &[u8]) -> bool {
    parse(record).is_some_and(|record| {
        lists(BESIDE, &record.kind()) || FORMATS.iter().any(|it| (it.owns)(&record))
    })
}

/// The record in these bytes, and its format.
fn read(record: &[u8]) -> Option<(Record<'_>, &'static Format)> {
    let record = parse(record)?;
    let format = format_of(&record)?;
    Some((record, format))
}

fn format_of(record: &Record<'_>) -> Option<&'static Format> {
    FORMATS.iter().find(|format| (format.owns)(record))
}

/// What the record of a line says, or the last one where it has to be looked for.
fn on_record<T>(line: &[u8], tell: impl Fn(&Record<'_>) -> T) -> Option<T> {
    match parse(line) {
        Some(record) => Some(tell(&record)),
        None => mended(line).records.last().and_then(|(_, it)| parse(it)).map(|it| tell(&it)),
    }
}

fn parse(record: &[u8]) -> Option<Record<'_>> {
    let taken = raw::line(record).and_then(Record::take);
    taken.or_else(|| serde_json::from_slice(record).ok())
}

fields! {
    /// One item of a content list, in the words of all formats.
    struct Block {
        kind: "type",
        text: "text",
        name: "name",
        tool: "tool",
        synthetic: "synthetic",
        ignored: "ignored",
        /// what a tool was called with
        input: "input",
        /// the same, in OpenClaw
        arguments: "arguments",
        /// what came of a call: text, or a list of parts
        content: "content",
        /// the same, in OpenCode
        state: "state",
        is_error: "is_error",
    }
}

impl Block<'_> {
    fn kind(&self) -> String {
        string(self.kind).unwrap_or_default()
    }

    fn words(&self) -> String {
        string(self.text).unwrap_or_default()
    }
}

/// The text of a content field: a string, or the text parts of a list.
fn plain(raw: Option<Raw<'_>>) -> String {
    string(raw).unwrap_or_else(|| {
        let texts = blocks(raw).into_iter().filter(|block| block.kind() == "text");
        texts.map(|block| block.words()).collect::<Vec<_>>().join("\n\n")
    })
}

/// The items of a content list; those that are no objects are left out.
fn blocks(raw: Option<Raw<'_>>) -> Vec<Block<'_>> {
    // A text is no list, and an attempt to read it as one quotes all of it in its error.
    let list = raw.filter(|raw| raw.get().starts_with('['));
    let items = list.and_then(|raw| raw.items().or_else(|| value(Some(raw))));
    items.into_iter().flatten().filter_map(|item| object(Some(item))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_fields() {
        fn check(record: &str, expect: Option<(Role, &str)>) {
            let found = piece(record.as_bytes());
            let found = found.as_ref().map(|piece| (piece.role, piece.text.as_str()));
            assert_eq!(found, expect, "{record}");
        }
        let claude = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"a"}}"#;
        check(claude, Some((Role::User, "a")));
        let codex = r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"Text","text":"b"}]}}}"#;
        check(codex, Some((Role::Assistant, "b")));
        let opencode = r#"{"info":{"role":"user"},"parts":[{"type":"text","text":"c"}]}"#;
        check(opencode, Some((Role::User, "c")));
        check(r#"{"role":"assistant","content":"d"}"#, Some((Role::Assistant, "d")));
        let event = r#"{"type":"message","id":"1","message":{"role":"user","content":"e"}}"#;
        check(event, Some((Role::User, "e")));
        for nothing in ["", "{", "[]", "3", "null", "{}", r#"{"type":3,"message":[]}"#, "\u{0}"] {
            check(nothing, None);
        }
    }

    #[test]
    fn one_odd_field_does_not_cost_the_turn() {
        let odd = r#"{"type":"user","uuid":{},"timestamp":[],"isMeta":"no","cwd":7,"message":{"role":"user","content":"kept"}}"#;
        let found = piece(odd.as_bytes()).unwrap();
        assert_eq!((found.text.as_str(), found.id, found.time), ("kept", None, None));
        let half = r#"{"role":"user","content":"a \ud83d b \\ud83d \ud83d\ude00 \" \udc00"}"#;
        let expect = "a \u{fffd} b \\ud83d 😀 \" \u{fffd}";
        assert_eq!(piece(half.as_bytes()).unwrap().text, expect);
    }

    #[test]
    fn times_come_as_text_seconds_or_milliseconds() {
        fn check(json: &str, expect: Option<i64>) {
            let raw: Raw<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(time(Some(raw)).map(|time| time.timestamp()), expect, "{json}");
        }
        check("\"2026-03-15T14:02:11+01:00\"", Some(1_773_579_731));
        check("1773579731", Some(1_773_579_731));
        check("1773579731000", Some(1_773_579_731));
        check("0", None);
        check("1e300", None);
        check("\"yesterday\"", None);
        check("{}", None);
    }
}
