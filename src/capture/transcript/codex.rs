//! Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`.
//!
//! Every message is there twice. The `item_completed` events are read for words, because instructions,
//! environment and summaries appear among the `response_item`s alone; a message that has no event is marked as an
//! item of the history, and whoever reads on decides whether it says anything new. The names of tools
//! come from the `response_item`s, because only they have the name the model called. Rollouts of older
//! versions have `user_message` and `agent_message` events instead.

use serde::Deserialize;

use super::speakers::{CODEX, Whose};
use super::{
    Format, Raw, Record, Role, TranscriptOrigin, TurnPart, blocks, fields, made, object, string,
    time, value,
};
use crate::capture::summary;
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::Codex, owns, piece, origin };

fields! {
    struct Payload {
        kind: "type",
        id: "id",
        item: "item",
        message: "message",
        name: "name",
        cwd: "cwd",
        source: "source",
        thread_source: "thread_source",
        thread_name: "thread_name",
        forked_from: "forked_from_id",
        arguments: "arguments",
        input: "input",
        action: "action",
        output: "output",
        role: "role",
        content: "content",
        about: "internal_chat_message_metadata_passthrough",
    }
}

fields! {
    /// What a message of the history is made of.
    struct About {
        kinds: "content_item_kinds",
    }
}

/// What `request_user_input` gives back: the answers by question.
#[derive(Debug, Deserialize)]
struct Answers {
    answers: std::collections::BTreeMap<String, Answer>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    answers: Vec<String>,
}

fields! {
    struct Item {
        kind: "type",
        id: "id",
        content: "content",
    }
}

fn owns(record: &Record<'_>) -> bool {
    record.payload.is_some() && record.kind.is_some()
}

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    let Some(payload) = object::<Payload<'_>>(record.payload) else {
        return TranscriptOrigin::default();
    };
    if record.kind() != "session_meta" {
        return TranscriptOrigin::default();
    }
    let by_an_agent =
        |word: String| CODEX.by_field("payload.thread_source", &word) == Some(Whose::AnotherAgent);
    TranscriptOrigin {
        session: string(payload.id),
        cwd: string(payload.cwd),
        // A thread that another agent started names it in an object where a person's has one word.
        delegated: payload.source.is_some_and(|source| source.get().starts_with('{'))
            || string(payload.thread_source).is_some_and(by_an_agent),
        forked_from: string(payload.forked_from),
        begun: Some(true),
        folderless: false,
        nameless: false,
    }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    let payload: Payload<'_> = object(record.payload)?;
    let kind = string(payload.kind).unwrap_or_default();
    let mut piece = match (record.kind().as_str(), kind.as_str()) {
        ("compacted", _) => {
            let words = summary::summary(&string(payload.message)?)?;
            TurnPart { text: words, ..TurnPart::of(Role::Summary) }
        }
        ("event_msg", "thread_name_updated") => {
            let chosen = Role::Title { chosen: false };
            TurnPart { text: string(payload.thread_name)?, ..TurnPart::of(chosen) }
        }
        ("event_msg", "item_completed") => item(payload.item)?,
        ("event_msg", "user_message") => message(Role::User, &payload)?,
        ("event_msg", "agent_message") => message(Role::Assistant, &payload)?,
        ("response_item", "function_call" | "custom_tool_call") => {
            tool(string(payload.name)?, payload.arguments.or(payload.input))
        }
        ("response_item", "function_call_output" | "custom_tool_call_output") => {
            output(&string(payload.output)?)?
        }
        ("response_item", "message") => of_history(&payload)?,
        ("response_item", "local_shell_call") => tool("shell".to_owned(), payload.action),
        ("response_item", "web_search_call") => tool("web_search".to_owned(), None),
        _ => return None,
    };
    piece.time = time(record.timestamp);
    piece.id = piece.id.or_else(|| string(payload.id));
    piece.unless_empty()
}

fn item(raw: Option<Raw<'_>>) -> Option<TurnPart> {
    let item: Item<'_> = object(raw)?;
    let role = match string(item.kind)?.as_str() {
        "UserMessage" => Role::User,
        "AgentMessage" => Role::Assistant,
        _ => return None,
    };
    let mut piece = TurnPart::of(role);
    for block in blocks(item.content) {
        let kind = block.kind().to_ascii_lowercase();
        match (role, kind.as_str()) {
            (_, "text") => piece.hear(&block.words(), &CODEX),
            (Role::User, "image" | "local_image" | "localimage") => piece.say("[image]"),
            _ => {}
        }
    }
    piece.id = string(item.id);
    Some(piece)
}

fn message(role: Role, payload: &Payload<'_>) -> Option<TurnPart> {
    let mut piece = TurnPart::of(role);
    piece.hear(&string(payload.message)?, &CODEX);
    Some(piece)
}

/// A message of the history, whose words are in an event as well, where nothing is amiss. Each part of a person's
/// message tells its kind; in older versions what others put there is known by its tag.
fn of_history(payload: &Payload<'_>) -> Option<TurnPart> {
    let mut piece = TurnPart::of(Role::named(&string(payload.role)?)?);
    let about = object::<About<'_>>(payload.about);
    let kinds: Option<Vec<String>> = about.and_then(|about| value(about.kinds));
    for (index, block) in blocks(payload.content).into_iter().enumerate() {
        let words = block.words();
        let is_theirs = match (&kinds, piece.role) {
            (_, Role::Assistant) => true,
            (Some(kinds), _) => kinds.get(index).is_some_and(|kind| kind.starts_with("user.")),
            (None, _) => !["<", "# AGENTS.md"].iter().any(|tag| words.starts_with(tag)),
        };
        if is_theirs && matches!(block.kind().as_str(), "input_text" | "output_text" | "text") {
            piece.hear(&words, &CODEX);
        }
    }
    piece.is_item = true;
    Some(piece)
}

fn tool(name: String, input: Option<Raw<'_>>) -> TurnPart {
    let mut piece = TurnPart::of(Role::Assistant);
    piece.call(name, input);
    piece
}

/// Answers of the person, or commits; anything else that a tool prints is no session.
fn output(output: &str) -> Option<TurnPart> {
    if let Ok(answers) = serde_json::from_str::<Answers>(output) {
        let given = answers.answers.into_values().flat_map(|answer| answer.answers);
        let words = given.collect::<Vec<_>>().join("\n");
        return Some(TurnPart { text: words, ..TurnPart::of(Role::User) });
    }
    let commits = made::printed(output);
    (!commits.is_empty()).then(|| TurnPart { commits, ..TurnPart::of(Role::Assistant) })
}

#[cfg(test)]
mod tests {
    use super::super::{Role, TranscriptOrigin, origin, piece};

    #[test]
    fn words_come_from_events_and_tools_from_calls() {
        fn check(record: &str, expect: Option<(Role, &str, &[&str])>) {
            let found = piece(record.as_bytes());
            let found = found.as_ref().map(|piece| {
                let tools: Vec<&str> = piece.tools.iter().map(String::as_str).collect();
                (piece.role, piece.text.as_str(), tools)
            });
            let expect = expect.map(|(role, text, tools)| (role, text, tools.to_vec()));
            assert_eq!(found, expect, "{record}");
        }
        let event = |payload: &str| {
            format!(
                r#"{{"timestamp":"2026-03-15T14:02:11Z","type":"event_msg","payload":{payload}}}"#
            )
        };
        let item = |item: &str| event(&format!(r#"{{"type":"item_completed","item":{item}}}"#));
        check(
            &item(r#"{"type":"UserMessage","id":"i","content":[{"type":"text","text":"hi"}]}"#),
            Some((Role::User, "hi", &[])),
        );
        check(&item(r#"{"type":"CommandExecution","id":"c","aggregated_output":"secret"}"#), None);
        check(&item(r#"{"type":"ContextCompaction","id":"c"}"#), None);
        check(
            &event(r#"{"type":"agent_message","message":"old form"}"#),
            Some((Role::Assistant, "old form", &[])),
        );
        let response = |payload: &str| format!(r#"{{"type":"response_item","payload":{payload}}}"#);
        check(
            &response(r#"{"type":"function_call","name":"exec_command","arguments":"{}"}"#),
            Some((Role::Assistant, "", &["exec_command"])),
        );
        check(&response(r#"{"type":"function_call_output","output":"x"}"#), None);
        check(
            &response(
                r##"{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md"}]}"##,
            ),
            None,
        );
        let compacted = r#"{"type":"compacted","payload":{"message":"cached the budgets"}}"#;
        check(compacted, Some((Role::Summary, "cached the budgets", &[])));
        check(
            &event(r#"{"type":"thread_name_updated","thread_name":"Budget cache"}"#),
            Some((Role::Title { chosen: false }, "Budget cache", &[])),
        );
        check(
            &response(
                r#"{"type":"function_call_output","output":"{\"answers\":{\"store\":{\"answers\":[\"SQLite\"]}}}"}"#,
            ),
            Some((Role::User, "SQLite", &[])),
        );
    }

    #[test]
    fn the_first_record_names_the_session() {
        fn check(source: &str, delegated: bool) {
            let record = format!(
                r#"{{"type":"session_meta","payload":{{"id":"s1","cwd":"/p","source":{source}}}}}"#
            );
            let expect = TranscriptOrigin {
                session: Some("s1".into()),
                cwd: Some("/p".into()),
                delegated,
                forked_from: None,
                begun: Some(true),
                folderless: false,
                nameless: false,
            };
            assert_eq!(origin(record.as_bytes()), expect, "{source}");
        }
        check("\"exec\"", false);
        check(r#"{"subagent":{"thread_spawn":{}}}"#, true);
    }
}
