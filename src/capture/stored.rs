//! Messages as clients keep them in databases, turned into what their plugins would have handed over: the same fields,
//! cut at the same lengths, so that a session reads the same whichever way it comes.

use std::sync::LazyLock;

use chrono::DateTime;
use regex::Regex;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The most UTF-16 units of what a tool was called with and of what it printed.
const SHORT: usize = 8_192;

static COMMITS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\bgit\b[^\n]*\bcommit\b").ok());
static PATCHED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^\*\*\* (?:Begin|Update|Add|Delete|Move).*$").ok());

fn raw(value: &Value) -> Option<Box<RawValue>> {
    RawValue::from_string(value.to_string()).ok()
}

/// An object of the fields that are there.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let there = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(there.collect::<Map<_, _>>())
}

fn short(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    let mut units = 0;
    let fits = |c: &char| {
        units += c.len_utf16();
        units <= SHORT
    };
    Some(json!(text.chars().take_while(fits).collect::<String>()))
}

fn commits(command: &Value) -> bool {
    let matches = |text| COMMITS.as_ref().is_some_and(|commits| commits.is_match(text));
    command.as_str().is_some_and(matches)
}

/// A message of OpenCode, from its row and those of its parts. `None` where the row holds no JSON object.
pub(crate) fn opencode(
    id: &str,
    session: &str,
    data: &str,
    parts: &[String],
) -> Option<Box<RawValue>> {
    let info: Value = serde_json::from_str(data).ok().filter(Value::is_object)?;
    let field = |name: &str| info.get(name).cloned();
    let slim = object([
        ("id", Some(json!(id))),
        ("sessionID", Some(json!(session))),
        ("parentID", field("parentID")),
        ("role", field("role")),
        ("time", field("time")),
        ("mode", field("mode")),
        ("summary", field("summary").filter(|summary| *summary == Value::Bool(true))),
    ]);
    let parts = parts.iter().filter_map(|part| opencode_part(&serde_json::from_str(part).ok()?));
    raw(&json!({"info": slim, "parts": parts.collect::<Vec<_>>()}))
}

fn opencode_part(part: &Value) -> Option<Value> {
    let field = |name: &str| part.get(name).cloned();
    match part["type"].as_str()? {
        "text" => Some(object([
            ("type", Some(json!("text"))),
            ("text", field("text")),
            ("synthetic", field("synthetic")),
            ("ignored", field("ignored")),
        ])),
        "tool" => {
            Some(json!({"type": "tool", "tool": part["tool"], "state": opencode_state(part)}))
        }
        "compaction" => Some(json!({"type": "compaction"})),
        _ => None,
    }
}

/// What a call made, and what was said in its result.
fn opencode_state(part: &Value) -> Value {
    let (state, input) = (&part["state"], &part["state"]["input"]);
    let answers = matches!(part["tool"].as_str(), Some("question" | "task"));
    let commits = commits(&input["command"]);
    let patched = input["patchText"].as_str().and_then(|text| {
        let lines: Vec<&str> =
            PATCHED.as_ref()?.find_iter(text).map(|line| line.as_str()).collect();
        (!lines.is_empty()).then(|| json!(lines.join("\n")))
    });
    let input = object([
        ("filePath", short(&input["filePath"])),
        ("command", short(&input["command"]).filter(|_| commits)),
        ("patchText", patched.as_ref().and_then(short)),
    ]);
    object([
        ("input", Some(input)),
        ("output", short(&state["output"]).filter(|_| answers || commits)),
    ])
}

/// A message of OpenClaw, from an event of its transcript. `None` for other events.
pub(crate) fn openclaw(event: &str) -> Option<Box<RawValue>> {
    let event: Value = serde_json::from_str(event).ok()?;
    if event["type"] == "compaction" {
        let (role, time, words) = ("compactionSummary", &event["timestamp"], &event["summary"]);
        return raw(&json!({"role": role, "timestamp": time, "content": words}));
    }
    let message = event.get("message").filter(|_| event["type"] == "message")?;
    let role = message["role"].as_str()?;
    if !matches!(role, "user" | "assistant" | "compactionSummary") {
        return None;
    }
    let content = match message.get("summary").filter(|_| role == "compactionSummary") {
        Some(summary) => summary.clone(),
        None => openclaw_content(&message["content"]),
    };
    let time = message.get("timestamp").or_else(|| event.get("timestamp"));
    let from = message.get("provenance").map(|from| json!({"kind": from["kind"]}));
    raw(&object([
        ("role", Some(json!(role))),
        ("timestamp", Some(json!(time))),
        ("provenance", from),
        ("content", Some(content)),
    ]))
}

fn openclaw_content(content: &Value) -> Value {
    let Some(parts) = content.as_array() else { return content.clone() };
    let slim = parts.iter().filter_map(|part| match part["type"].as_str()? {
        "text" => Some(json!({"type": "text", "text": part["text"]})),
        "toolCall" => {
            let called = &part["arguments"];
            let path = called.get("path").or_else(|| called.get("file_path"));
            let made = object([
                ("path", path.and_then(short)),
                ("command", short(&called["command"]).filter(|_| commits(&called["command"]))),
            ]);
            Some(json!({"type": "toolCall", "name": part["name"], "arguments": made}))
        }
        _ => None,
    });
    Value::Array(slim.collect())
}

/// A message of Cline, from its file. `None` for what is no message.
pub(crate) fn cline(message: &Value) -> Option<Box<RawValue>> {
    let field = |name: &str| message.get(name).cloned();
    let content = match &message["content"] {
        Value::Array(parts) => parts.iter().filter_map(cline_part).collect(),
        words => words.clone(),
    };
    let own = message["metadata"].get("displayRole");
    raw(&object([
        ("id", field("id")),
        ("role", Some(field("role")?)),
        ("ts", field("ts")),
        ("metadata", own.map(|own| json!({"displayRole": own}))),
        ("content", Some(content)),
    ]))
}

fn cline_part(part: &Value) -> Option<Value> {
    match part["type"].as_str()? {
        "text" => Some(json!({"type": "text", "text": part["text"]})),
        "image" => Some(json!({"type": "image"})),
        "tool_use" => {
            let (name, input) = (&part["name"], &part["input"]);
            let lines = input["commands"].as_array().into_iter().flatten();
            let lines: Vec<Value> = lines.filter(|it| commits(it)).filter_map(short).collect();
            let made = object([
                ("path", short(&input["path"])),
                ("commands", (!lines.is_empty()).then_some(Value::Array(lines))),
            ]);
            Some(json!({"type": "tool_use", "name": name, "input": made}))
        }
        "tool_result" if part["name"] == "ask_question" => Some(object([
            ("type", Some(json!("tool_result"))),
            ("name", Some(part["name"].clone())),
            ("content", short(&part["content"])),
        ])),
        _ => None,
    }
}

/// An item of Codex's paginated history as the lines of a rollout that it was made from. Empty for items that are no
/// session.
pub(crate) fn codex(item: &str, milliseconds: i64) -> Vec<Box<RawValue>> {
    let Ok(item) = serde_json::from_str::<Value>(item) else { return Vec::new() };
    let time = DateTime::from_timestamp_millis(milliseconds).map(|time| time.to_rfc3339());
    let line = |kind: &str, payload: Value| {
        raw(&json!({"timestamp": time, "type": kind, "payload": payload}))
    };
    let said = |role: &str, content: Value| {
        let item = json!({"type": role, "id": item["id"], "content": content});
        line("event_msg", json!({"type": "item_completed", "item": item}))
    };
    let call = |name: Value, input: Value| {
        line("response_item", json!({"type": "function_call", "name": name, "arguments": input}))
    };
    let lines = match item["type"].as_str().unwrap_or_default() {
        "userMessage" => [said("UserMessage", item["content"].clone()), None],
        "agentMessage" => {
            [said("AgentMessage", json!([{"type": "Text", "text": item["text"]}])), None]
        }
        "commandExecution" => {
            let input = json!({"cmd": item["command"]}).to_string();
            let printed = commits(&item["command"]).then(|| {
                let output = item["aggregatedOutput"].clone();
                line("response_item", json!({"type": "function_call_output", "output": output}))
            });
            [call(json!("exec_command"), json!(input)), printed.flatten()]
        }
        "fileChange" => {
            let changes = item["changes"].as_array().cloned().unwrap_or_default();
            let paths = changes.iter().filter_map(|change| change["path"].as_str());
            let files = paths.map(|path| format!("*** Update File: {path}"));
            let begin = std::iter::once("*** Begin Patch".to_owned());
            let patch = begin.chain(files).collect::<Vec<_>>().join("\n");
            [call(json!("apply_patch"), json!(patch)), None]
        }
        "mcpToolCall" | "dynamicToolCall" => [call(item["tool"].clone(), json!("{}")), None],
        "webSearch" => [line("response_item", json!({"type": "web_search_call"})), None],
        _ => [None, None],
    };
    lines.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::transcript;

    fn said(message: &RawValue) -> (String, Vec<String>) {
        let piece = transcript::piece(message.get().as_bytes()).unwrap();
        (piece.text, [piece.tools, piece.files, piece.commits].concat())
    }

    fn strings<const N: usize>(words: [&str; N]) -> Vec<String> {
        words.map(str::to_owned).to_vec()
    }

    #[test]
    fn rows_of_opencode_become_messages() {
        let parts = [
            r#"{"type":"step-start"}"#,
            r#"{"type":"text","text":"done"}"#,
            r#"{"type":"tool","tool":"write","state":{"input":{"filePath":"src/a.rs","content":"secret"},"output":"long"}}"#,
            r#"{"type":"tool","tool":"bash","state":{"input":{"command":"ls"},"output":"[main 0f1e2d3] not a commit"}}"#,
            "no JSON",
        ]
        .map(str::to_owned);
        let data = r#"{"role":"assistant","time":{"created":1795335275135,"completed":1},"summary":{"diffs":[]}}"#;
        let message = opencode("m1", "s1", data, &parts).unwrap();
        assert!(!message.get().contains("secret") && !message.get().contains("diffs"));
        assert_eq!(said(&message), ("done".to_owned(), strings(["write", "bash", "src/a.rs"])));
        let piece = transcript::piece(message.get().as_bytes()).unwrap();
        assert_eq!(piece.id.as_deref(), Some("m1"));
        assert_eq!(transcript::origin(message.get().as_bytes()).session.as_deref(), Some("s1"));
        assert!(opencode("m1", "s1", "[]", &parts).is_none());
    }

    #[test]
    fn events_of_openclaw_become_messages() {
        #[track_caller]
        fn check(event: &str, expect: Option<(&str, Vec<String>)>) {
            let message = openclaw(event);
            let found = message.as_deref().map(said);
            assert_eq!(found, expect.map(|(words, made)| (words.to_owned(), made)), "{event}");
        }
        check(r#"{"type":"session","id":"s"}"#, None);
        check(r#"{"type":"message","message":{"role":"toolResult","content":"x"}}"#, None);
        check(
            r#"{"type":"message","message":{"role":"user","content":"hi"}}"#,
            Some(("hi", vec![])),
        );
        check(
            r#"{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"ok"},{"type":"toolCall","name":"write","arguments":{"path":"a.md","content":"x"}}]}}"#,
            Some(("ok", strings(["write", "a.md"]))),
        );
        check(r#"{"type":"compaction","summary":"so far"}"#, Some(("so far", vec![])));
    }

    #[test]
    fn items_of_codex_become_lines_of_a_rollout() {
        #[track_caller]
        fn check(item: &str, expect: &[(&str, Vec<String>)]) {
            let found: Vec<_> = codex(item, 1_795_335_266_464).iter().map(|it| said(it)).collect();
            let expect: Vec<_> =
                expect.iter().map(|(words, made)| ((*words).to_owned(), made.clone())).collect();
            assert_eq!(found, expect, "{item}");
        }
        check(
            r#"{"type":"userMessage","id":"i","content":[{"type":"text","text":"hi"}]}"#,
            &[("hi", vec![])],
        );
        check(r#"{"type":"agentMessage","id":"m","text":"ok"}"#, &[("ok", vec![])]);
        check(
            r#"{"type":"commandExecution","command":"ls","aggregatedOutput":"x"}"#,
            &[("", strings(["exec_command"]))],
        );
        check(
            r#"{"type":"fileChange","changes":[{"path":"src/a.rs","diff":"-x"}]}"#,
            &[("", strings(["apply_patch", "src/a.rs"]))],
        );
        check(r#"{"type":"contextCompaction","id":"c"}"#, &[]);
        check("no JSON", &[]);
    }

    #[test]
    fn what_a_tool_printed_is_cut_where_the_plugin_cuts_it() {
        let long = "é".repeat(SHORT + 5);
        let cut = short(&json!(long)).unwrap();
        assert_eq!(cut.as_str().unwrap().chars().count(), SHORT);
        assert_eq!(short(&json!("x")), Some(json!("x")));
        assert_eq!(short(&json!(7)), None);
    }
}
