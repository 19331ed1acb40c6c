//! Gemini CLI: `~/.gemini/tmp/NAME/chats/session-….jsonl`.
//!
//! A message is a line of its own, and is written again, with the same id, when its tools have run. What stands in a
//! `$set` repeats the history, after a compaction with other ids, and is never read. No record tells the folder.

use super::parts;
use super::speakers::GEMINI;
use super::{Format, Raw, Record, Role, TranscriptOrigin, TurnPart, string, time};
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::Gemini, owns, piece, origin };

fn owns(record: &Record<'_>) -> bool {
    let is_message =
        matches!(record.kind().as_str(), "user" | "gemini" | "info" | "error" | "warning")
            && record.content.is_some()
            && record.id.is_some()
            && record.message.is_none();
    is_message || record.project_hash.is_some() || record.set.is_some() || record.rewind.is_some()
}

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    let of_another = string(record.kind_of_session).is_some_and(|kind| kind != "main");
    TranscriptOrigin {
        session: record.project_hash.and_then(|_| string(record.session_id)),
        delegated: record.project_hash.is_some() && of_another,
        folderless: true,
        begun: record.project_hash.map(|_| true),
        ..TranscriptOrigin::default()
    }
}

/// Whether a prompt is one that the agent answers by itself: `/compress`, `?`.
fn is_command(prompt: &str) -> bool {
    let word = prompt.split_whitespace().next().unwrap_or_default();
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b":-_".contains(&b))
    };
    prompt == "?" || word.strip_prefix('/').is_some_and(is_name)
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    let role = match record.kind().as_str() {
        "user" => Role::User,
        "gemini" => Role::Assistant,
        _ => return None,
    };
    let mut piece = TurnPart::of(role);
    // What was typed, where the message has more in it.
    let said = record.display_content.filter(|_| role == Role::User).or(record.content);
    if let Some(words) = string(said) {
        piece.hear(&words, &GEMINI);
    }
    parts::hear(&mut piece, said, &GEMINI);
    let is_for_the_agent = role == Role::User && is_command(&piece.text);
    for call in record.tool_calls.and_then(Raw::items).into_iter().flatten() {
        parts::call(&mut piece, Some(call));
    }
    piece.time = time(record.timestamp);
    piece.id = string(record.id);
    piece.unless_empty().filter(|_| !is_for_the_agent)
}
