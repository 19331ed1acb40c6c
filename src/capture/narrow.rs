//! Of a record what an import needs: ids, times, who speaks, words, names of tools, paths. What tools were called with,
//! what they print, thinking, images and what else an agent keeps stays in its own file.
//!
//! A record that would read otherwise without the rest keeps more of it: whether one may be narrowed is asked of the
//! readers of transcripts, so a format with a new field loses no turn.

use serde_json::{Map, Value};

use crate::capture::transcript::{self, TranscriptOrigin, TurnPart};

/// Fields that tell whose a record is, when it was made and what is said in it, in the words of all formats.
const KEPT: [&str; 66] = [
    "agentId",
    "agentName",
    "aiTitle",
    "answers",
    "attachment",
    "callingSessionId",
    "commandMode",
    "completed",
    "content",
    "context",
    "created",
    "customTitle",
    "cwd",
    "data",
    "displayContent",
    "displayText",
    "functionCall",
    "id",
    "ignored",
    "info",
    "isCompactSummary",
    "isMeta",
    "isSidechain",
    "isVisibleInTranscriptOnly",
    "is_error",
    "item",
    "kind",
    "message",
    "mode",
    "model",
    "name",
    "origin",
    "parts",
    "payload",
    "permissionMode",
    "plan",
    "projectHash",
    "prompt",
    "promptSource",
    "provenance",
    "role",
    "sessionID",
    "sessionId",
    "session_id",
    "source",
    "state",
    "status",
    "subtype",
    "summary",
    "summaryContent",
    "synthetic",
    "systemPayload",
    "teamName",
    "text",
    "thread_name",
    "thread_source",
    "time",
    "timestamp",
    "tool",
    "toolCalls",
    "toolName",
    "toolRequests",
    "tool_use_id",
    "type",
    "userType",
    "uuid",
];

/// What a tool is called with, and what comes of it.
const CALLED_WITH: [&str; 4] = ["input", "arguments", "args", "action"];
const CAME_OF_IT: [&str; 2] = ["output", "toolUseResult"];

/// The fields of an input that are paths of files.
pub(crate) const PATHS: [&str; 5] =
    ["file_path", "filePath", "notebook_path", "path", "target_file"];

/// How much goes.
#[derive(Clone, Copy, PartialEq)]
enum Measure {
    /// all that no format asks for
    All,
    /// the same, without the results of calls: answers and reports are read from it
    KeepOutput,
    /// only what tools were called with
    InputOnly,
}

/// The record, narrowed as far as it reads the same; as it is where it is of no format that is known.
pub(crate) fn narrowed(record: &[u8]) -> Vec<u8> {
    if !transcript::is_record(record) {
        return record.to_vec();
    }
    let Ok(Value::Object(fields)) = serde_json::from_slice(record) else { return record.to_vec() };
    let reads = told(record);
    let measures = [Measure::All, Measure::KeepOutput, Measure::InputOnly];
    let narrow = |measure| serde_json::to_vec(&object(&fields, measure)).unwrap_or_default();
    let mut tried = measures.into_iter().map(narrow);
    tried.find(|narrow| told(narrow) == reads).unwrap_or_else(|| record.to_vec())
}

/// A backup with each of its records narrowed; `None` where that changes nothing.
pub(crate) fn narrowed_lines(backup: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(backup.len());
    for line in backup.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(record) => {
                out.extend_from_slice(&narrowed(record));
                out.push(b'\n');
            }
            // It may still be written to.
            None => out.extend_from_slice(line),
        }
    }
    (out != backup).then_some(out)
}

/// All that a later import compares.
fn told(record: &[u8]) -> (Option<TurnPart>, TranscriptOrigin, Option<&'static str>) {
    let piece = transcript::piece(record);
    // The files and the commits are in the log; that there was something has to be recorded.
    let piece = piece.map(|piece| TurnPart { files: Vec::new(), commits: Vec::new(), ..piece });
    (piece, transcript::origin(record), transcript::client_of(record))
}

fn object(fields: &Map<String, Value>, measure: Measure) -> Value {
    let is_result = fields.get("type").is_some_and(|kind| kind == "tool_result");
    if fields.get("thought") == Some(&Value::Bool(true)) {
        return Value::Object(Map::new());
    }
    let kept = fields.iter().filter_map(|(key, value)| {
        let name = key.as_str();
        let narrow = if CALLED_WITH.contains(&name) {
            called_with(value)?
        } else if measure == Measure::InputOnly {
            inside(value, measure)
        } else if CAME_OF_IT.contains(&name) || is_result && name == "content" {
            if measure == Measure::KeepOutput { value.clone() } else { came_of_it(value) }
        } else if KEPT.contains(&name) {
            inside(value, measure)
        } else {
            return None;
        };
        Some((key.clone(), narrow))
    });
    Value::Object(kept.collect())
}

fn inside(value: &Value, measure: Measure) -> Value {
    match value {
        Value::Object(fields) => object(fields, measure),
        Value::Array(items) => items.iter().map(|item| inside(item, measure)).collect(),
        plain => plain.clone(),
    }
}

/// The paths among what a tool is called with; `None` where there are none.
fn called_with(value: &Value) -> Option<Value> {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter_map(|(key, value)| {
                let is_path = PATHS.contains(&key.as_str()) && value.is_string();
                let kept = if is_path { Some(value.clone()) } else { patched(value) };
                Some((key.clone(), kept?))
            });
            let kept: Map<String, Value> = kept.collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        // Codex hands an object over as text.
        Value::String(text) => match serde_json::from_str(text) {
            Ok(inner @ Value::Object(_)) => Some(Value::String(called_with(&inner)?.to_string())),
            _ => patched(value),
        },
        _ => None,
    }
}

/// The lines of a patch that name files.
fn patched(value: &Value) -> Option<Value> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
        }
        _ => return None,
    };
    let marks: Vec<&str> = text.lines().filter(|line| line.starts_with("*** ")).collect();
    text.contains("*** Begin Patch").then(|| Value::String(marks.join("\n")))
}

/// What came of a call: the lines in which git names a commit.
fn came_of_it(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let is_commit = |line: &&str| line.starts_with('[') && line.contains("] ");
            // A reader recognises such an output by this.
            let counts = |line: &&str| line.starts_with(' ') && line.contains(" changed");
            let kept = text.lines().filter(|line| is_commit(line) || counts(line));
            Value::String(kept.collect::<Vec<_>>().join("\n"))
        }
        Value::Array(items) => items.iter().map(came_of_it).collect(),
        Value::Object(fields) => {
            let text = |(key, value): (&String, &Value)| match key.as_str() {
                "type" => Some((key.clone(), value.clone())),
                "text" => Some((key.clone(), came_of_it(value))),
                _ => None,
            };
            Value::Object(fields.iter().filter_map(text).collect())
        }
        _ => Value::Null,
    }
}

/// Whether a field of a record holds an id, a hash, a path, a time or a word of the format rather than what somebody
/// said.
pub(crate) fn is_about_record(key: &str) -> bool {
    const NAMES: [&str; 33] = [
        "branch",
        "commandMode",
        "created",
        "completed",
        "cwd",
        "dir",
        "entrypoint",
        "gitBranch",
        "hash",
        "id",
        "kind",
        "media_type",
        "mode",
        "model",
        "name",
        "path",
        "permissionMode",
        "promptSource",
        "role",
        "service_tier",
        "sha",
        "signature",
        "slug",
        "source",
        "status",
        "stop_reason",
        "time",
        "timestamp",
        "tool",
        "type",
        "userType",
        "uuid",
        "version",
    ];
    const ENDS: [&str; 12] = [
        "Id", "ID", "_id", "Uuid", "_uuid", "Hash", "_hash", "Path", "_path", "Dir", "_dir", "_sha",
    ];
    NAMES.contains(&key) || ENDS.iter().any(|end| key.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_keeps_what_an_import_needs() {
        #[track_caller]
        fn check(record: &str, expect: &str) {
            let narrow = narrowed(record.as_bytes());
            assert_eq!(String::from_utf8_lossy(&narrow), expect);
            assert_eq!(narrowed(&narrow), narrow, "once more");
        }
        check(
            r#"{"type":"assistant","sessionId":"s","uuid":"u","gitBranch":"x","message":{"role":"assistant","id":"m","usage":{"a":1},"content":[{"type":"thinking","thinking":"hm","signature":"z"},{"type":"text","text":"I look"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"psql -c 'select iban'"}}]}}"#,
            r#"{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","id":"m","content":[{"type":"thinking"},{"type":"text","text":"I look"},{"type":"tool_use","id":"t","name":"Bash"}]}}"#,
        );
        check(
            r#"{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","name":"Edit","input":{"file_path":"/p/a.rs","old_string":"x","new_string":"y"}}]}}"#,
            r#"{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","name":"Edit","input":{"file_path":"/p/a.rs"}}]}}"#,
        );
        // Answers of the person are read from what came of a call.
        let answer = r#"{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":[{"type":"tool_result","content":"User has answered your questions: \"Which\"=\"the gauge\". You can now continue"}]},"toolUseResult":{"answers":{"Which":"the gauge"}}}"#;
        check(answer, answer);
        // A commit that git names.
        check(
            r#"{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":[{"type":"tool_result","content":"x 42\n[main 1a2b3c4] fix the gauge\n 1 file changed\n rewrite a"}]}}"#,
            r#"{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":[{"type":"tool_result","content":"[main 1a2b3c4] fix the gauge\n 1 file changed"}]}}"#,
        );
        check(
            r#"{"timestamp":"2026-03-15T14:02:11Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.rs\n-x\n+y\n*** End Patch"}}"#,
            r#"{"timestamp":"2026-03-15T14:02:11Z","type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.rs\n*** End Patch"}}"#,
        );
        for other in ["no json", r#"{"uuid":"a","n":1.0,"text":"of no format"}"#] {
            check(other, other);
        }
    }
}
