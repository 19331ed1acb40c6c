//! Who speaks: records of every agent go in, the log and ROOT.md come out.

mod agents;
mod claude_code;
mod editors;
mod exports;
mod openclaw;
mod private;

use serde_json::{Value, json};

use crate::desk::Desk;

/// What a session left: the logs, ROOT.md some weeks later, and the backups.
pub(super) struct Page {
    pub(super) log: String,
    pub(super) root: String,
    pub(super) backup: String,
}

impl Page {
    #[track_caller]
    pub(super) fn says(&self, line: &str) -> &Self {
        assert!(self.log.contains(line), "`{line}` is missing in:\n{}", self.log);
        self
    }

    /// A text stands neither in the logs nor in ROOT.md.
    #[track_caller]
    pub(super) fn lacks(&self, text: &str) -> &Self {
        assert!(!self.log.contains(text), "`{text}` stands in:\n{}", self.log);
        self.no_rule(text)
    }

    /// A text does not be in ROOT.md.
    #[track_caller]
    pub(super) fn no_rule(&self, text: &str) -> &Self {
        assert!(!self.root.contains(text), "`{text}` stands in:\n{}", self.root);
        self
    }

    /// The words of the person, a line each.
    pub(super) fn of_the_person(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut open = false;
        for line in self.log.lines() {
            if let Some(words) = line.strip_prefix("**User:**") {
                said.push(words.trim().to_owned());
                open = true;
            } else if line.starts_with("**") || line.starts_with("<!-- ") || line.starts_with('[') {
                open = false;
            } else if let Some(last) = said.last_mut().filter(|_| open && !line.is_empty()) {
                last.push('\n');
                last.push_str(line);
            }
        }
        said.iter().map(|words| words.trim().to_owned()).collect()
    }
}

pub(super) fn project() -> Desk {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", "{}\n");
    desk
}

/// Hands a hook's JSON to the program.
#[track_caller]
pub(super) fn hook(desk: &mut Desk, input: &Value) {
    desk.stdin = Some(input.to_string());
    let ran = desk.ok("compact --stdin");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    desk.stdin = None;
}

/// What is in a project, and what its ROOT.md says some weeks later.
pub(super) fn page(desk: &Desk) -> Page {
    let files = |begins: &str| {
        let names = desk.tree().into_keys();
        let wanted = |name: &String| {
            name.strip_prefix("memory/").is_some_and(|name| name.starts_with(begins))
        };
        names.filter(wanted).map(|name| desk.read(&name)).collect::<String>()
    };
    let (log, backup) = (files("2026-"), files(".session-transcript-"));
    let later = desk.run_with(&[("HIPOCAMPUS_NOW", "2026-04-20T10:00:00+01:00")], "compact");
    assert_eq!(later.code, 0, "{}", later.err);
    let root = if desk.has("memory/ROOT.md") { desk.read("memory/ROOT.md") } else { String::new() };
    Page { log, root, backup }
}

/// Records of a transcript, through the hook at the end of a session.
#[track_caller]
pub(super) fn of_transcript(records: &[Value]) -> Page {
    let mut desk = project();
    let path = transcript(&desk, records);
    hook(
        &mut desk,
        &json!({"session_id": "s", "hook_event_name": "SessionEnd", "transcript_path": path}),
    );
    page(&desk)
}

pub(super) fn transcript(desk: &Desk, records: &[Value]) -> std::path::PathBuf {
    let path = desk.beside("t.jsonl");
    std::fs::write(&path, lines(records)).unwrap();
    path
}

/// Records, one a line.
pub(super) fn lines(records: &[Value]) -> String {
    records.iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n"
}

/// Messages, as a plugin hands them over.
#[track_caller]
pub(super) fn of_messages(platform: &str, session: &str, messages: &Value) -> Page {
    let mut desk = project();
    let input = json!({"session_id": session, "hook_event_name": "agent_end", "cwd": desk.root(),
        "platform": platform, "messages": messages});
    hook(&mut desk, &input);
    page(&desk)
}

/// A record of Claude Code, with more fields.
pub(super) fn user(minute: u32, content: impl Into<Value>, more: Value) -> Value {
    let mut record = json!({"type": "user", "isSidechain": false, "sessionId": "s",
        "uuid": format!("u{minute}"), "timestamp": format!("2026-03-14T09:{minute:02}:00Z"),
        "message": {"role": "user", "content": content.into()}});
    if let Value::Object(more) = more {
        record.as_object_mut().unwrap().extend(more);
    }
    record
}

pub(super) fn typed(minute: u32, content: impl Into<Value>) -> Value {
    user(minute, content, json!({"promptSource": "typed", "permissionMode": "default"}))
}

pub(super) fn reply(minute: u32, words: &str) -> Value {
    json!({"type": "assistant", "isSidechain": false, "sessionId": "s",
        "uuid": format!("a{minute}"), "timestamp": format!("2026-03-14T09:{minute:02}:30Z"),
        "message": {"id": format!("m{minute}"), "role": "assistant", "model": "m",
            "content": [{"type": "text", "text": words}]}})
}
