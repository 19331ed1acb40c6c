//! Records as clients write them, in the places where they keep them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::desk::Desk;

/// A project that is set up for an agent.
pub(crate) fn desk(agent: &str) -> Desk {
    let mut desk = Desk::new();
    // The hooks call a program that can be run.
    let program = desk.beside("hipocampus");
    std::fs::write(&program, "").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    desk.exe = program;
    desk.ok(&format!("init --no-search --platform {agent}"));
    desk
}

/// Where Claude Code keeps a session that was held in a folder.
pub(crate) fn claude(desk: &Desk, cwd: &Path, session: &str) -> PathBuf {
    let name = cwd.to_str().unwrap();
    let slug: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    desk.beside("home/.claude/projects").join(slug).join(format!("{session}.jsonl"))
}

/// Writes a file, and the folders it needs.
pub(crate) fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

pub(crate) fn lines(records: &[Value]) -> String {
    records.iter().flat_map(|record| [record.to_string(), "\n".to_owned()]).collect()
}

/// A prompt, on the morning of 2026-03-15 in UTC.
pub(crate) fn prompt(session: &str, cwd: &Path, time: &str, words: &str) -> Value {
    said(session, cwd, time, "user", &json!(words))
}

/// What the model says.
pub(crate) fn reply(session: &str, cwd: &Path, time: &str, words: &str) -> Value {
    said(session, cwd, time, "assistant", &json!([{"type": "text", "text": words}]))
}

pub(crate) fn said(session: &str, cwd: &Path, time: &str, role: &str, content: &Value) -> Value {
    let id = format!("{session}-{time}-{role}-0123456789abcdef");
    json!({"type": role, "uuid": id, "sessionId": session, "cwd": cwd,
        "timestamp": format!("2026-03-15T{time}:00Z"),
        "message": {"id": id, "role": role, "content": content}})
}

/// A rollout of Codex with a record that says where it was held, and these.
pub(crate) fn codex_rollout(desk: &Desk, cwd: &Path, id: &str, records: &[Value]) -> PathBuf {
    let meta = json!({"timestamp": "2026-03-15T08:59:00Z", "type": "session_meta",
        "payload": {"id": id, "cwd": cwd, "source": "cli"}});
    let path = desk
        .beside(&format!("home/.codex/sessions/2026/03/15/rollout-2026-03-15T09-59-00-{id}.jsonl"));
    write(&path, &(lines(&[meta]) + &lines(records)));
    path
}

/// What a client hands its hook.
pub(crate) fn hook(event: &str, session: &str, transcript: &Path, cwd: &Path) -> String {
    let hook = json!({"hook_event_name": event, "session_id": session, "transcript_path": transcript,
        "cwd": cwd});
    hook.to_string()
}
