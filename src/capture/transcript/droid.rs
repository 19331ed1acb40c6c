//! Droid: `~/.factory/sessions/SLUG/SESSION.jsonl`, messages in the form that OpenClaw's events have as well.
//!
//! What tells them apart is what only one of the two writes beside a message.

use super::speakers::DROID;
use super::{
    Block, Format, Record, Role, TranscriptOrigin, TurnPart, blocks, fields, object, string, time,
};
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::Droid, owns, piece, origin };

fields! {
    struct Message {
        role: "role",
        content: "content",
        visibility: "visibility",
        mode: "interactionMode",
        model: "modelId",
        hook: "hookEventName",
    }
}

fn owns(record: &Record<'_>) -> bool {
    match record.kind().as_str() {
        "session_start" | "todo_state" | "agent_turn_outcome" => record.id.is_some(),
        "message" => object::<Message<'_>>(record.message).is_some_and(|message| {
            let own = [message.visibility, message.mode, message.model, message.hook];
            let blocks = blocks(message.content);
            let uses = |kind: &str| matches!(kind, "tool_use" | "tool_result");
            own.iter().any(Option::is_some)
                || is_for_the_agent(record)
                || blocks.iter().any(|block| uses(&block.kind()))
                || blocks.iter().skip(1).any(is_a_file)
        }),
        _ => false,
    }
}

/// Whether a part that follows a prompt is the text of a file that the prompt names.
fn is_a_file(block: &Block<'_>) -> bool {
    block.kind() == "text" && block.words().starts_with("Contents of ")
}

/// Whether a message is what Droid puts in front of a prompt.
fn is_for_the_agent(record: &Record<'_>) -> bool {
    string(record.id).is_some_and(|id| id.starts_with("context-"))
}

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    if record.kind() != "session_start" {
        return TranscriptOrigin::default();
    }
    TranscriptOrigin {
        session: string(record.id),
        cwd: string(record.cwd),
        delegated: record.calling_session.is_some(),
        begun: Some(true),
        ..TranscriptOrigin::default()
    }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    let message: Message<'_> = object(record.message)?;
    if is_for_the_agent(record) || message.hook.is_some() {
        return None;
    }
    let mut piece = TurnPart::of(Role::named(&string(message.role)?)?);
    for (at, block) in blocks(message.content).into_iter().enumerate() {
        match (piece.role, block.kind().as_str()) {
            (Role::User, "text") if at > 0 && is_a_file(&block) => {}
            (_, "text") => piece.hear(&block.words(), &DROID),
            (Role::User, "image") => piece.say("[image]"),
            (Role::Assistant, "tool_use") => {
                if let Some(name) = string(block.name) {
                    piece.call(name, block.input);
                }
            }
            _ => {}
        }
    }
    piece.time = time(record.timestamp);
    piece.id = string(record.id);
    piece.unless_empty()
}
