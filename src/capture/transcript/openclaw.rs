//! OpenClaw: the messages of its plugin hooks (`{role, content}`), and the events of its transcripts
//! (`{type: "message", message: {role, content}}`).
//!
//! The ids of messages come and go from one hook to the next, so they are not used.

use chrono::{DateTime, Utc};

use super::speakers::{OPENCLAW, Whose};
use super::{
    Format, Raw, Record, Role, TranscriptOrigin, TurnPart, blocks, fields, object, plain, string,
    time,
};
use crate::capture::summary;
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::OpenClaw, owns, piece, origin };

/// How a summary that stands in for earlier messages begins.
const SUMMARIES: [&str; 2] =
    ["The conversation history before this point was compacted", "<conversation-summary>"];

fields! {
    struct Message {
        role: "role",
        content: "content",
        timestamp: "timestamp",
        provenance: "provenance",
    }
}

fields! {
    struct Provenance {
        kind: "kind",
    }
}

fn owns(record: &Record<'_>) -> bool {
    match record.kind().as_str() {
        "message" if record.message.is_some() => true,
        "compaction" => record.summary.is_some(),
        "session" => record.id.is_some(),
        _ => record.role.is_some() && record.content.is_some(),
    }
}

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    if record.kind() != "session" {
        return TranscriptOrigin::default();
    }
    TranscriptOrigin {
        session: string(record.id),
        cwd: string(record.cwd),
        begun: Some(true),
        ..TranscriptOrigin::default()
    }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    if record.kind() == "compaction" {
        return summarized(&string(record.summary)?, time(record.timestamp));
    }
    let message = match record.message {
        Some(_) => object(record.message)?,
        None => Message {
            role: record.role,
            content: record.content,
            timestamp: record.timestamp,
            provenance: record.provenance,
        },
    };
    let role = string(message.role)?;
    let when = time(message.timestamp).or_else(|| time(record.timestamp));
    let words = plain(message.content);
    let stands_in = SUMMARIES.iter().any(|notice| words.trim_start().starts_with(notice));
    if role == "compactionSummary" || (role == "user" && stands_in) {
        return summarized(&words, when);
    }
    let mut piece = TurnPart::of(Role::named(&role)?);
    if piece.role == Role::User && !is_of_the_person(message.provenance) {
        return None;
    }
    if let Some(words) = string(message.content) {
        piece.hear(&words, &OPENCLAW);
    }
    for block in blocks(message.content) {
        match (piece.role, block.kind().as_str()) {
            (_, "text") => piece.hear(&block.words(), &OPENCLAW),
            (Role::User, "image") => piece.say("[image]"),
            (_, "toolCall" | "tool_use" | "tool") => {
                if let Some(name) = string(block.name).or_else(|| string(block.tool)) {
                    piece.call(name, block.arguments.or(block.input));
                }
            }
            _ => {}
        }
    }
    piece.time = when;
    piece.unless_empty()
}

/// Whether a message does not say that it is somebody else's.
fn is_of_the_person(provenance: Option<Raw<'_>>) -> bool {
    let kind = object::<Provenance<'_>>(provenance).and_then(|it| string(it.kind));
    kind.is_none_or(|kind| OPENCLAW.by_field("provenance.kind", &kind) == Some(Whose::Person))
}

/// Whether the key of a session says that another agent or a clock began it: `agent:main:cron:JOB:run:RUN`.
pub(crate) fn is_spawned(key: &str) -> bool {
    let key = key.strip_prefix("agent:").and_then(|key| key.split_once(':')).map_or(key, |it| it.1);
    let kind = key.split(':').next().unwrap_or_default();
    OPENCLAW.by_field("session_key", kind) == Some(Whose::AnotherAgent)
}

fn summarized(recorded: &str, when: Option<DateTime<Utc>>) -> Option<TurnPart> {
    let words = summary::summary(recorded)?;
    Some(TurnPart { text: words, time: when, ..TurnPart::of(Role::Summary) })
}

#[cfg(test)]
mod tests {
    use super::super::{Role, piece};

    #[test]
    fn both_shapes_say_the_same() {
        fn check(record: &str, expect: Option<(Role, &str, usize)>) {
            let found = piece(record.as_bytes());
            let found = found.as_ref().map(|p| (p.role, p.text.as_str(), p.tools.len()));
            assert_eq!(found, expect, "{record}");
        }
        check(r#"{"role":"user","content":"hi","timestamp":1}"#, Some((Role::User, "hi", 0)));
        check(
            r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#,
            Some((Role::User, "hi", 0)),
        );
        check(
            r#"{"type":"message","id":"1","message":{"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"toolCall","name":"exec","arguments":{}}]}}"#,
            Some((Role::Assistant, "ok", 1)),
        );
        check(r#"{"role":"toolResult","content":[{"type":"text","text":"out"}]}"#, None);
        check(r#"{"role":"compactionSummary","content":"s"}"#, Some((Role::Summary, "s", 0)));
        let compaction = r#"{"type":"compaction","summary":"s","id":"1"}"#;
        check(compaction, Some((Role::Summary, "s", 0)));
        let inserted = r#"{"role":"user","content":"The conversation history before this point was compacted into the following summary:\n\n<summary>\ns\n</summary>"}"#;
        check(inserted, Some((Role::Summary, "s", 0)));
        check(r#"{"type":"session","id":"1","version":4}"#, None);
    }
}
