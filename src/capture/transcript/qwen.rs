//! Qwen Code: `~/.qwen/projects/SLUG/chats/SESSION.jsonl`, lines of Claude Code's form around messages of Gemini's.

use super::parts;
use super::speakers::QWEN;
use super::{Format, Record, Role, TranscriptOrigin, TurnPart, fields, object, string, time};
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::Qwen, owns, piece, origin };

fields! {
    struct Message {
        parts: "parts",
    }
}

fields! {
    /// What was typed, where the message has more in it.
    struct Payload {
        typed: "displayText",
    }
}

fn owns(record: &Record<'_>) -> bool {
    record.uuid.is_some() && record.provenance.is_some()
}

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    TranscriptOrigin {
        session: string(record.session_id),
        cwd: string(record.cwd),
        delegated: super::flag(record.is_sidechain),
        forked_from: None,
        begun: Some(true),
        folderless: false,
        nameless: false,
    }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    if record.subtype.is_some() || super::flag(record.is_sidechain) {
        return None;
    }
    let message: Message<'_> = object(record.message)?;
    let role = match string(record.provenance)?.as_str() {
        "real_user" => Role::User,
        "assistant_output" => Role::Assistant,
        _ => return None,
    };
    let mut piece = TurnPart::of(role);
    let payload: Option<Payload<'_>> = object(record.system_payload);
    match payload.and_then(|payload| string(payload.typed)).filter(|_| role == Role::User) {
        Some(typed) => piece.hear(&typed, &QWEN),
        None => parts::hear(&mut piece, message.parts, &QWEN),
    }
    piece.cwd = string(record.cwd);
    piece.time = time(record.timestamp);
    piece.id = string(record.uuid);
    piece.unless_empty()
}
