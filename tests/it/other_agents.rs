//! Other agents that call our hooks: never booked on another one, and what cannot be read of them is told at once and
//! by `status`.

use serde_json::{Value, json};

use crate::stores::{self, write};

/// A call with this payload is another agent's: it saves nothing, and is told.
fn check(payload: &Value, transcript: Option<&str>) {
    let (agent, name) = ("another-agent", "another agent");
    let mut desk = stores::desk("claude-code");
    let mut payload = payload.clone();
    if let Some(records) = transcript {
        let path = desk.beside("elsewhere/talk.jsonl");
        write(&path, records);
        payload["transcript_path"] = json!(path);
    }
    desk.stdin = Some(payload.to_string());
    for times in 0..2 {
        let ran = desk.run("compact --stdin");
        assert_eq!((ran.code, &*ran.out), (0, ""), "{agent}");
        let told = format!("nothing that was said in `{agent}` is saved");
        assert!(ran.err.contains(&told), "{agent}, {times}: {}", ran.err);
    }
    assert!(!desk.has("memory/2026-03-15.md"), "{agent}: {}", desk.read("memory/2026-03-15.md"));
    assert_eq!(desk.read("memory/.hipocampus.log").matches("is saved").count(), 1, "{agent}");
    let fired = desk.read("memory/.hipocampus.log-fired");
    assert!(fired.lines().all(|line| line.ends_with(&format!(" {agent}"))), "{agent}: {fired}");
    // The agent itself hears of it where it looks for it.
    payload["hook_event_name"] = json!("SessionStart");
    desk.stdin = Some(payload.to_string());
    let ran = desk.run("hook session-start");
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    for context in [&told["additionalContext"], &told["hookSpecificOutput"]["additionalContext"]] {
        assert!(context.as_str().unwrap().contains("cannot read its sessions"), "{told}");
    }
    desk.stdin = None;
    for line in ["status", "status --json"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 1, "{agent}: {}", ran.out);
        assert!(
            ran.out.contains(&format!("nothing said in {name} is saved")),
            "{agent}: {}",
            ran.out
        );
        assert!(!ran.out.contains("claude-code: Stop"), "{}", ran.out);
    }
    // Long ago is no fault of today.
    let later = desk.run_with(&[("HIPOCAMPUS_NOW", "2026-04-15T12:00:00+02:00")], "status");
    assert!(!later.out.contains("NOT HEALTHY"), "{}", later.out);
}

fn call(event: &str, more: &Value) -> Value {
    let mut call =
        json!({"hook_event_name": event, "session_id": "743ec6f5-1d9a-4b14-9675-9e4fc89cfa83"});
    let fields = more.as_object().unwrap().clone();
    call.as_object_mut().unwrap().extend(fields);
    call
}

#[test]
fn an_agent_is_known_by_its_payload() {
    let time = "2026-11-28T13:22:16.540Z";
    check(&call("SessionEnd", &json!({"timestamp": time, "reason": "complete"})), None);
}

#[test]
fn an_agent_is_known_by_what_stands_in_its_transcript() {
    let stop = call("Stop", &json!({}));
    let record = r#"{"turn":{"by":"somebody","words":"say the zone"}}"#;
    check(&stop, Some(&format!("{record}\n")));
}

#[test]
fn what_was_inherited_from_an_agent_that_started_it_does_not_hide_claude_code() {
    let mut desk = stores::desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let path = stores::claude(&desk, &root, "inner");
    write(&path, &stores::lines(&[stores::prompt("inner", &root, "09:00", "say the zone")]));
    desk.stdin = Some(stores::hook("SessionEnd", "inner", &path, &root));
    let ran = desk.run_with(&[("COPILOT_CLI", "1"), ("CURSOR_VERSION", "2")], "compact --stdin");
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert!(desk.read("memory/2026-03-15.md").contains("say the zone"));
    assert!(desk.read("memory/.hipocampus.log-fired").ends_with(" claude-code\n"));
}
