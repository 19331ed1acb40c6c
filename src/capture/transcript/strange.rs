//! Words in a form that no known record has, recognised by what every form has: a speaker and a
//! sentence. Asked only of records that say nothing as far as this version can read them.

use serde_json::{Map, Value};

use super::{BESIDE, FORMATS, Role, parse};
use crate::text::lists;

/// Records beside the session that repeat words of it, or hold those of a helper, by their type.
const NO_SPEECH: &str =
    "attachment system progress response_item compacted turn_context world_state session_meta";

/// How the types of GitHub Copilot's events begin that repeat words of the session.
const REPEATS: [&str; 5] = ["hook.", "model.", "session.", "system.", "tool."];

/// Blocks of a message that hold no words of the session, or are read, by their type in small letters.
const BLOCKS: &str = "text input_text output_text image input_image local_image localimage document file \
    thinking redacted_thinking reasoning tool_use server_tool_use mcp_tool_use tooluse toolcall tool_call tool tool_result \
    toolresult mcp_tool_result web_search_tool_result web_fetch_tool_result code_execution_tool_result search_result \
    container_upload step-start step-finish snapshot patch agent retry subtask compaction";

/// Who says something in this record in a form that is not known, if anybody does.
pub(crate) fn speaker_unread(record: &[u8]) -> Option<Role> {
    let value: Value = serde_json::from_slice(record).ok()?;
    let fields = value.as_object()?;
    let hides = [
        "isSidechain",
        "isMeta",
        "isCompactSummary",
        "isVisibleInTranscriptOnly",
        "isApiErrorMessage",
    ];
    if hides.iter().any(|name| fields.get(*name) == Some(&Value::Bool(true))) {
        return None;
    }
    let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
    let repeats = REPEATS.iter().any(|start| kind.starts_with(start));
    if lists(BESIDE, kind) || lists(NO_SPEECH, kind) || repeats {
        return None;
    }
    let is_known = parse(record).is_some_and(|record| FORMATS.iter().any(|it| (it.owns)(&record)));
    let is_message = is_known && matches!(kind, "" | "user" | "assistant" | "message");
    if is_message { of_message(fields) } else { of_any(fields, 3) }
}

/// Who speaks in a message of a known format whose parts are of a kind that is not.
fn of_message(fields: &Map<String, Value>) -> Option<Role> {
    let object = |name: &str| fields.get(name).and_then(Value::as_object);
    let message = object("message").or_else(|| object("info")).unwrap_or(fields);
    let role = speaker(message).or_else(|| speaker(fields))?;
    let parts = message.get("content").or_else(|| fields.get("parts"))?;
    let is_odd = |part: &&Value| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        !lists(BLOCKS, &kind.to_ascii_lowercase())
    };
    match parts {
        Value::Array(parts) => {
            parts.iter().filter(is_odd).any(|part| says(part, 2)).then_some(role)
        }
        Value::Object(_) => says(parts, 2).then_some(role),
        _ => None,
    }
}

/// Who speaks in an object, or in one in it at most `depth` below.
fn of_any(fields: &Map<String, Value>, depth: usize) -> Option<Role> {
    // What a client writes in the model's name.
    if fields.get("model").is_some_and(|model| model == "<synthetic>") {
        return None;
    }
    let places = ["text", "content", "message", "body", "words", "parts"];
    let mut texts = places.iter().filter_map(|name| fields.get(*name));
    if let Some(role) = speaker(fields)
        && texts.any(|text| says(text, 2))
    {
        return Some(role);
    }
    let mut below = fields.values().filter_map(Value::as_object);
    below.find_map(|below| of_any(below, depth.checked_sub(1)?))
}

fn speaker(fields: &Map<String, Value>) -> Option<Role> {
    let names = ["role", "type", "kind", "author", "speaker", "from"];
    names.iter().filter_map(|name| fields.get(*name)?.as_str()).find_map(|word| match word {
        "assistant" | "model" | "agent" | "assistant_message" | "agent_message" => {
            Some(Role::Assistant)
        }
        "user" | "human" | "person" | "user_message" | "human_message" => Some(Role::User),
        _ => None,
    })
}

/// Whether a value is a sentence, or has one where a text belongs.
fn says(value: &Value, depth: usize) -> bool {
    match value {
        Value::String(text) => is_sentence(text),
        Value::Array(parts) => depth > 0 && parts.iter().any(|part| says(part, depth - 1)),
        Value::Object(fields) => {
            let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
            let places = ["text", "content", "message", "body", "words", "value", "markdown"];
            let text = places.iter().filter_map(|name| fields.get(*name));
            let synthetic = fields.get("model").is_some_and(|model| model == "<synthetic>");
            let is_aside = kind != "text" && lists(BLOCKS, &kind.to_ascii_lowercase());
            !synthetic
                && !is_aside
                && depth > 0
                && text.into_iter().any(|text| says(text, depth - 1))
        }
        _ => false,
    }
}

/// Three words, or some letters where words are not separated by blanks. What begins with a tag is a client's.
fn is_sentence(text: &str) -> bool {
    let text = text.trim_start();
    let letters = text.chars().filter(|letter| letter.is_alphabetic() && !letter.is_ascii());
    !text.starts_with('<') && (text.split_whitespace().count() >= 3 || letters.take(6).count() == 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_another_form_are_told_from_what_clients_note_down() {
        #[track_caller]
        fn check(json: &str, expect: Option<Role>) {
            assert_eq!(speaker_unread(json.as_bytes()), expect, "{json}");
        }
        let (user, assistant) = (Some(Role::User), Some(Role::Assistant));
        check(
            r#"{"event":{"role":"assistant","content":[{"type":"text","text":"It is the zone."}]}}"#,
            assistant,
        );
        check(r#"{"kind":"agent_message","body":"It is the zone."}"#, assistant);
        check(r#"{"kind":"human","body":"시간대가 문제인가요?"}"#, user);
        check(r#"{"role":"assistant","content":"ok"}"#, None);
        let claude = |kind: &str, content: &str, more: &str| {
            format!(
                r#"{{"type":"{kind}","sessionId":"s",{more}"message":{{"role":"{kind}","content":{content}}}}}"#
            )
        };
        let odd = r#"[{"type":"reply_text","text":"It is the zone."}]"#;
        check(&claude("assistant", odd, ""), assistant);
        check(&claude("user", odd, ""), user);
        check(&claude("user", odd, r#""isMeta":true,"#), None);
        check(&claude("assistant", odd, r#""isSidechain":true,"#), None);
        check(&claude("user", "\"Caveat: the messages below\"", ""), None);
        check(&claude("user", r#"[{"type":"tool_result","content":"It is a result"}]"#, ""), None);
        check(
            &claude("assistant", r#"[{"type":"thinking","thinking":"It is the zone."}]"#, ""),
            None,
        );
        check(
            r#"{"type":"api-request-blob","message":{"role":"assistant","content":"It is the zone."}}"#,
            None,
        );
        check(
            r#"{"type":"progress","sessionId":"s","data":{"message":{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"It is the zone."}]}}}}"#,
            None,
        );
        check(
            r#"{"type":"human","sessionId":"s","message":{"role":"human","content":"It is the zone."}}"#,
            user,
        );
        check(
            r#"{"type":"event_msg","payload":{"type":"item_completed","item":{"role":"assistant","body":"It is the zone."}}}"#,
            assistant,
        );
        check(r#"{"type":"system","content":"It is the zone."}"#, None);
        check(r#"{"type":"mode","mode":"plan"}"#, None);
        check("[1]", None);
    }
}
