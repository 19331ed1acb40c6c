//! Cline: the messages of `~/.cline/data/sessions/ID/ID.messages.json`, which our plugin sends in the same form:
//! `{id, role, content, ts}`.

use std::borrow::Cow;

use super::speakers::CLINE;
use super::{
    Block, Format, Record, Role, TranscriptOrigin, TurnPart, blocks, fields, object, plain, string,
    time,
};
use crate::platform::Store;

pub(super) const FORMAT: Format =
    Format { store: Store::Cline, owns, piece, origin: |_| TranscriptOrigin::default() };

fields! {
    /// What Cline notes of a message that is its own.
    struct Metadata {
        shown_as: "displayRole",
    }
}

fn owns(record: &Record<'_>) -> bool {
    record.ts.is_some() && record.role.is_some() && record.content.is_some()
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    if object::<Metadata<'_>>(record.metadata).is_some_and(|it| it.shown_as.is_some()) {
        return None;
    }
    let mut piece = TurnPart::of(Role::named(&string(record.role)?)?);
    if let Some(words) = string(record.content) {
        piece.hear(&typed(&words), &CLINE);
    }
    for block in blocks(record.content) {
        match (piece.role, block.kind().as_str()) {
            (_, "text") => piece.hear(&typed(&block.words()), &CLINE),
            (Role::User, "image") => piece.say("[image]"),
            (Role::User, "tool_result") if answers(&block) => piece.say(&plain(block.content)),
            (Role::Assistant, "tool_use") => {
                if let Some(name) = string(block.name) {
                    piece.call(name, block.input);
                }
            }
            _ => {}
        }
    }
    piece.time = time(record.ts);
    piece.id = string(record.id);
    piece.unless_empty()
}

/// What stands in the element that Cline writes around a prompt, `<user_input mode="act">…</user_input>`, with the name of
/// a workflow or skill in place of its text, which Cline puts there: `<user_command slash="NAME">…</user_command>`.
fn typed(words: &str) -> Cow<'_, str> {
    let Some(inner) = words.trim().strip_prefix("<user_input ").and_then(|rest| {
        let (_, inner) = rest.split_once('>')?;
        inner.strip_suffix("</user_input>")
    }) else {
        return Cow::Borrowed(words);
    };
    let (mut said, mut rest) = (String::new(), inner);
    while let Some((before, named)) = rest.split_once("<user_command slash=\"")
        && let Some((name, text)) = named.split_once("\">")
        && let Some((text, behind)) = text.split_once("</user_command>")
    {
        said.push_str(before);
        said.push('/');
        said.push_str(name);
        // What a team is to do is what was typed.
        if name == "team" {
            said.push(' ');
            said.push_str(text);
        }
        rest = behind;
    }
    if said.is_empty() { Cow::Borrowed(inner) } else { Cow::Owned(said + rest) }
}

/// Whether what came of a call is what the person answered.
fn answers(block: &Block<'_>) -> bool {
    string(block.name).is_some_and(|name| name == "ask_question")
}
