//! The JSON an agent's hook gives us. Every field is optional, and one of the wrong kind counts as absent:
//! what is there may still tell where the session is.

use std::collections::{BTreeSet, HashMap};

use serde_json::value::RawValue;

use crate::capture::transcript;
use crate::capture::transcript::made::of_patch;

/// The most bytes that are read: 64 MiB.
pub(crate) const LIMIT: usize = 64 * 1024 * 1024;

/// What came instead of the JSON of a hook. Nothing of it is quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InputError {
    /// not a byte
    #[error("nothing came on stdin")]
    Empty,
    /// something else
    #[error("what came on stdin is not valid JSON")]
    NotJson,
    /// other JSON
    #[error("what came on stdin is not a JSON object")]
    NotObject,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct HookInput {
    /// `hook_event_name`, as the client spells it
    pub event: String,
    pub session_id: Option<String>,
    /// what OpenClaw calls the session by, which tells what began it
    pub session_key: Option<String>,
    pub transcript_path: Option<String>,
    pub cwd: Option<String>,
    /// the folders of the workspace, where the client names these
    pub roots: Vec<String>,
    /// why a session starts: `startup`, `resume`, `clear`, `compact`, `fork`
    pub source: Option<String>,
    /// what the person typed, where the event is a prompt
    pub prompt: Option<String>,
    /// the files that a tool read or changed, where the event is the end of its call
    pub tool_files: Vec<String>,
    /// the agent, as our own plugins name it
    pub platform: Option<String>,
    /// what the client calls the session
    pub title: Option<String>,
    /// the fields among these that are there but of the wrong kind
    pub odd: Vec<&'static str>,
    /// the names of all its fields
    pub fields: BTreeSet<String>,
    /// the session itself, each message as it was written
    pub messages: Option<Vec<Box<RawValue>>>,
}

impl HookInput {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, InputError> {
        let bytes = crate::text::without_bom(bytes);
        if bytes.trim_ascii().is_empty() {
            return Err(InputError::Empty);
        }
        let fields: HashMap<String, &RawValue> = serde_json::from_slice(bytes).map_err(|_| {
            let other = serde_json::from_slice::<&RawValue>(bytes).is_ok();
            if other { InputError::NotObject } else { InputError::NotJson }
        })?;
        let mut odd = Vec::new();
        let names = fields.keys().cloned().collect();
        let mut text = |name: &'static str| -> Option<String> {
            let raw = fields.get(name).filter(|raw| raw.get() != "null")?;
            let text = serde_json::from_str(raw.get()).ok();
            odd.extend(text.is_none().then_some(name));
            text.filter(|text: &String| !text.is_empty())
        };
        let mut input = Self {
            event: text("hook_event_name").or_else(|| text("hookEventName")).unwrap_or_default(),
            session_id: text("session_id")
                .or_else(|| text("sessionId"))
                .or_else(|| text("conversation_id")),
            session_key: text("session_key"),
            transcript_path: text("transcript_path").or_else(|| text("transcriptPath")),
            cwd: text("cwd"),
            roots: fields.get("workspace_roots").map(|raw| texts(raw)).unwrap_or_default(),
            source: text("source"),
            prompt: text("prompt"),
            tool_files: fields.get("tool_input").map(|raw| files_of(raw)).unwrap_or_default(),
            platform: text("platform"),
            title: text("title"),
            odd: Vec::new(),
            fields: names,
            messages: None,
        };
        if let Some(raw) = fields.get("messages").filter(|raw| raw.get() != "null") {
            let messages: Option<Vec<Box<RawValue>>> = serde_json::from_str(raw.get()).ok();
            let is_message = |message: &RawValue| transcript::is_record(message.get().as_bytes());
            input.messages = messages
                .filter(|all| all.is_empty() || all.iter().any(|message| is_message(message)));
            odd.extend(input.messages.is_none().then_some("messages"));
        }
        input.odd = odd;
        Ok(input)
    }

    /// Whether the client kills its hooks after two seconds, because it is about to exit.
    pub(crate) fn is_session_end(&self) -> bool {
        matches!(self.event.as_str(), "SessionEnd" | "sessionEnd" | "Interrupt")
    }

    /// Whether the client waits for us because it is about to forget.
    pub(crate) fn is_before_compaction(&self) -> bool {
        matches!(
            self.event.as_str(),
            "PreCompact" | "preCompact" | "session.compacting" | "before_compaction"
        )
    }
}

/// The texts of a list; none of anything else.
fn texts(list: &RawValue) -> Vec<String> {
    serde_json::from_str(list.get()).unwrap_or_default()
}

/// The files that a call of a tool names.
fn files_of(input: &RawValue) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Input {
        #[serde(
            alias = "filePath",
            alias = "path",
            alias = "absolute_path",
            alias = "target_file",
            alias = "notebook_path"
        )]
        file_path: Option<String>,
        command: Option<String>,
    }
    let Ok(input) = serde_json::from_str::<Input>(input.get()) else { return Vec::new() };
    let patch = input.command.filter(|command| command.starts_with("*** Begin Patch"));
    let of_patch = patch.iter().flat_map(|patch| of_patch(patch));
    input.file_path.into_iter().chain(of_patch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_fields_count_as_absent() {
        let input = HookInput::parse(
            br#"{"session_id":7,"transcript_path":null,"cwd":"/p","hook_event_name":"SessionEnd","messages":{},"x":[1]}"#,
        )
        .unwrap();
        assert_eq!((input.session_id, input.transcript_path), (None, None));
        assert_eq!(input.cwd.as_deref(), Some("/p"));
        assert!(input.messages.is_none());
        assert_eq!(input.odd, ["session_id", "messages"]);
        let input = HookInput::parse(
            br#"{"hook_event_name":"Interrupt","messages":[{"role":"user","content":[]},2]}"#,
        );
        let input = input.unwrap();
        assert!(input.is_session_end());
        assert_eq!(input.messages.unwrap().len(), 2);
    }

    #[test]
    fn messages_that_are_none_count_as_absent() {
        fn check(messages: &str, expect: Option<usize>) {
            let json = format!(r#"{{"messages":{messages}}}"#);
            let input = HookInput::parse(json.as_bytes()).unwrap();
            assert_eq!(input.messages.map(|messages| messages.len()), expect, "{messages:.20}");
            assert_eq!(input.odd.is_empty(), expect.is_some());
        }
        check("[]", Some(0));
        check(r#"[7,{"info":{"role":"user"},"parts":[]}]"#, Some(2));
        check(r#"[1,null,"x",[],{}]"#, None);
        check(&("[".repeat(200_000) + &"]".repeat(200_000)), None);
    }

    #[test]
    fn anything_but_an_object_is_named() {
        fn check(text: &str, expect: InputError) {
            assert_eq!(HookInput::parse(text.as_bytes()).unwrap_err(), expect, "{text}");
        }
        check("", InputError::Empty);
        check(" \n", InputError::Empty);
        check("[]", InputError::NotObject);
        check("\"x\"", InputError::NotObject);
        check("{\"a\":", InputError::NotJson);
        check("garbage", InputError::NotJson);
    }
}
