//! OpenCode: the messages of `client.session.messages`, sent by our plugin: `{info, parts}`.

use super::speakers::{OPENCODE, Whose};
use super::{
    Block, Format, Raw, Record, Role, TranscriptOrigin, TurnPart, answers, blocks, fields, flag,
    made, object, string, time,
};
use crate::capture::summary;
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::OpenCode, owns, piece, origin };

fields! {
    struct Info {
        id: "id",
        session: "sessionID",
        role: "role",
        mode: "mode",
        summary: "summary",
        time: "time",
    }
}

fields! {
    struct Times {
        created: "created",
        completed: "completed",
    }
}

fields! {
    /// A call of a tool, as far as the plugin hands it over.
    struct State {
        input: "input",
        output: "output",
    }
}

fn owns(record: &Record<'_>) -> bool {
    record.info.is_some() && record.parts.is_some()
}

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    let session = object::<Info<'_>>(record.info).and_then(|info| string(info.session));
    TranscriptOrigin { session, ..TranscriptOrigin::default() }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    let info: Info<'_> = object(record.info)?;
    // `summary` of a user's message is an object with the diffs of the turn.
    let summarizes =
        flag(info.summary) || string(info.mode).is_some_and(|mode| mode == "compaction");
    let mut piece = TurnPart::of(Role::named(&string(info.role)?)?);
    for part in blocks(record.parts) {
        match part.kind().as_str() {
            "compaction" => return None,
            "text" if is_of_the_client(&part) => {}
            "text" => piece.hear(&part.words(), &OPENCODE),
            "tool" => {
                if let Some(name) = string(part.tool).or_else(|| string(part.name)) {
                    tool(&mut piece, name, part.state);
                }
            }
            _ => {}
        }
    }
    if summarizes {
        let words = summary::summary(&piece.text)?;
        piece = TurnPart { text: words, ..TurnPart::of(Role::Summary) };
    }
    piece.time = object::<Times<'_>>(info.time).and_then(|times| time(times.created));
    piece.id = string(info.id);
    piece.reply.clone_from(&piece.id);
    piece.unless_empty()
}

fn is_of_the_client(part: &Block<'_>) -> bool {
    let fields = [("parts.synthetic", part.synthetic), ("parts.ignored", part.ignored)];
    fields.into_iter().any(|(name, raw)| {
        raw.is_some_and(|raw| OPENCODE.by_field(name, raw.get()) == Some(Whose::Nobody))
    })
}

/// A call: its name, what it made, and what was said in its result.
fn tool(piece: &mut TurnPart, name: String, state: Option<Raw<'_>>) {
    let state: Option<State<'_>> = object(state);
    let output = state.as_ref().and_then(|state| string(state.output)).unwrap_or_default();
    match name.as_str() {
        "question" => {
            if let Some(answers) = answers::answers(&output) {
                piece.say(&format!("The user answered: {answers}"));
            }
        }
        "task" => {
            let words = output.split("<task_metadata>").next().unwrap_or_default();
            if let Some(report) = answers::report(words) {
                piece.say(&report);
            }
        }
        _ => piece.commits.extend(made::printed(&output)),
    }
    piece.call(name, state.and_then(|state| state.input));
}

/// Whether the reply has begun and not ended.
pub(super) fn is_unfinished(record: &Record<'_>) -> bool {
    let Some(info) = object::<Info<'_>>(record.info) else { return false };
    let times: Option<Times<'_>> = object(info.time);
    string(info.role).is_some_and(|role| role == "assistant")
        && times.is_some_and(|times| times.created.is_some() && times.completed.is_none())
}

#[cfg(test)]
mod tests {
    use super::super::piece;

    #[test]
    fn summaries_and_synthetic_parts_are_no_conversation() {
        fn check(info: &str, parts: &str, expect: Option<(&str, usize)>) {
            let message = format!(r#"{{"info":{{{info}}},"parts":{parts}}}"#);
            let found = piece(message.as_bytes());
            let found = found.as_ref().map(|piece| (piece.text.as_str(), piece.tools.len()));
            assert_eq!(found, expect, "{message}");
        }
        let text = r#"[{"type":"text","text":"hi\n"}]"#;
        check(r#""role":"user","summary":{"diffs":[]}"#, text, Some(("hi", 0)));
        check(r#""role":"assistant","summary":true"#, text, Some(("hi", 0)));
        check(r#""role":"assistant","mode":"compaction""#, text, Some(("hi", 0)));
        check(r#""role":"user""#, r#"[{"type":"compaction","auto":true}]"#, None);
        check(r#""role":"user""#, r#"[{"type":"text","synthetic":true,"text":"go on"}]"#, None);
        check(
            r#""role":"assistant""#,
            r#"[{"type":"reasoning","text":"hm"},{"type":"text","text":"ok"},{"type":"tool","tool":"bash"}]"#,
            Some(("ok", 1)),
        );
        check(r#""role":"system""#, text, None);
    }
}
