//! Messages of Gemini's form, which Qwen Code records as well: parts of text, thoughts and calls of tools.

use super::speakers::SpeakerTable;
use super::{Raw, Role, TurnPart, fields, flag, object, string};

fields! {
    struct Part {
        text: "text",
        thought: "thought",
        call: "functionCall",
        data: "inlineData",
    }
}

fields! {
    /// A call of a tool.
    struct Call {
        name: "name",
        args: "args",
    }
}

/// How the texts of files begin that a prompt names.
const FILES: &str = "--- Content from referenced files ---";

/// Adds what the parts of a message say and call. Thoughts and results are left out.
pub(super) fn hear(piece: &mut TurnPart, parts: Option<Raw<'_>>, table: &SpeakerTable) {
    let parts = parts.and_then(Raw::items).into_iter().flatten();
    for part in parts.filter_map(|raw| object::<Part<'_>>(Some(raw))) {
        if flag(part.thought) {
            continue;
        }
        if let Some(words) = string(part.text) {
            // What Gemini CLI adds to a prompt that names files, to the end.
            if piece.role == Role::User && words.trim_start().starts_with(FILES) {
                break;
            }
            piece.hear(&words, table);
        }
        if part.data.is_some() && piece.role == Role::User {
            piece.say("[image]");
        }
        call(piece, part.call);
    }
}

/// Adds a call of a tool, if it is one.
pub(super) fn call(piece: &mut TurnPart, raw: Option<Raw<'_>>) {
    let Some(call) = object::<Call<'_>>(raw) else { return };
    if let Some(name) = string(call.name) {
        piece.call(name, call.args);
    }
}
