//! Conversations, as hooks hand them over.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::support::{entry, fixture};

/// What a client's hook does with the program; the exit code has to be 0 and stdout empty.
fn hook(desk: &mut Desk, input: &Value) -> String {
    desk.stdin = Some(input.to_string());
    let ran = desk.ok("compact --stdin");
    assert_eq!(ran.out, "");
    ran.err
}

fn project() -> Desk {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", "{}\n");
    desk
}

fn transcript(desk: &Desk, time: &str, text: &str) -> Value {
    let record = json!({"type": "user", "uuid": text, "sessionId": "s", "timestamp": time,
        "message": {"role": "user", "content": text}});
    let path = desk.beside("t.jsonl");
    std::fs::write(&path, format!("{record}\n")).unwrap();
    json!({"session_id": "s", "hook_event_name": "SessionEnd", "transcript_path": path})
}

fn logs(desk: &Desk) -> String {
    let names = desk.tree().into_keys();
    let logs =
        names.filter(|name| name.starts_with("memory/2026-") && name.matches('/').count() == 1);
    logs.map(|name| desk.read(&name)).collect()
}

#[test]
fn npm_read_the_transcripts_of_claude_code_only() {
    for (name, said) in [
        ("claude-code-resume-compact.jsonl", "**User:** "),
        ("codex-single-turn-nohooks.jsonl", "**User:** hello untrusted hooks"),
        ("openclaw-events.jsonl", "**User:** remember zebra"),
        ("opencode-messages.json", "**User:** \"second question\""),
    ] {
        let mut desk = project();
        let path = fixture("clients").join(name);
        let input = if Path::new(name).extension().is_some_and(|ending| ending == "jsonl") {
            json!({"session_id": "s", "transcript_path": path})
        } else {
            let text = std::fs::read_to_string(path).unwrap();
            json!({"session_id": "s", "messages": serde_json::from_str::<Value>(&text).unwrap()})
        };
        assert_eq!(hook(&mut desk, &input), "", "{name}");
        assert!(logs(&desk).contains(said), "{name}: {}", logs(&desk));
    }
}

#[test]
fn npm_wrote_times_in_utc() {
    let mut desk = project();
    // The offset of the run is one hour.
    let input = transcript(&desk, "2026-03-14T23:30:00Z", "after midnight here");
    hook(&mut desk, &input);
    let log = desk.read("memory/2026-03-15.md");
    assert!(log.contains("## Session — 2026-03-15 00:30:00\n"), "{log}");
}

#[test]
fn npm_printed_into_the_context_of_the_client() {
    let mut desk = project();
    let input = transcript(&desk, "2026-03-15T09:00:00Z", "hello");
    // `hook` holds stdout to be empty, although a node of each level was written.
    assert_eq!(hook(&mut desk, &input), "");
    assert!(desk.has("memory/monthly/2026-03.md"));
    // A person is told the same.
    desk.write("memory/2026-03-14.md", "- more\n");
    assert_eq!(
        desk.ok("compact").out,
        "hipocampus compact: daily nodes updated, weekly nodes updated, monthly nodes updated\n"
    );
}

#[test]
fn the_first_session_start_sees_the_nodes_it_has_just_made() {
    let mut desk = project();
    desk.write("memory/2026-03-14.md", entry("Auth", 250));
    desk.stdin = Some(json!({"hook_event_name": "SessionStart", "source": "startup"}).to_string());
    let told = desk.ok("hook session-start").out;
    assert!(told.contains("hipocampus: a summary is due (1 node waits, "), "{told}");
}

#[test]
fn npm_had_no_lock() {
    let mut desk = project();
    desk.write("memory/.hipocampus.lock", "");
    let other = std::fs::File::open(desk.root().join("memory/.hipocampus.lock")).unwrap();
    other.lock().unwrap();
    let input = transcript(&desk, "2026-03-15T09:00:00Z", "hello");
    let begun = Instant::now();
    hook(&mut desk, &input);
    assert!(begun.elapsed() < Duration::from_secs(5), "a hook does not wait for long");
    assert_eq!(logs(&desk), "", "another run may be importing the same turns");
    other.unlock().unwrap();
    hook(&mut desk, &input);
    assert_eq!(logs(&desk).matches("**User:** hello").count(), 1);
}
