//! Sessions, as hooks hand them over.

use std::path::Path;

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
    hook(&mut desk, &input);
    assert_eq!(logs(&desk), "", "another run may be importing the same turns");
    other.unlock().unwrap();
    hook(&mut desk, &input);
    assert_eq!(logs(&desk).matches("**User:** hello").count(), 1);
}

#[test]
fn a_hook_whose_command_line_is_wrong_exits_0_and_says_so_in_one_line() {
    let desk = project();
    desk.write("memory/2026-03-15.md", "## A\n");
    for args in [
        &["hook", "session-start", "--foo"][..],
        &["hook", "bogus"],
        &["hook"],
        &["compact", "--stdin", "--foo"],
        &["compact", "--stdin=yes"],
        &["compact", "--stdin", "more"],
        &["-C", "", "compact", "--stdin"],
        &["-C", "compact", "--stdin"],
        &["-C", ".", "hook", "session-start", "more"],
    ] {
        let args: Vec<_> = ["hipocampus"].iter().chain(args).copied().collect();
        let ran = desk.run_args(&args);
        assert_eq!((ran.code, &*ran.out), (0, ""), "{args:?}");
        assert_eq!(ran.err.matches('\n').count(), 1, "{args:?}: {}", ran.err);
        assert!(
            ran.err.starts_with("hipocampus: the command line of a hook is wrong"),
            "{}",
            ran.err
        );
    }
    assert_eq!(desk.read("memory/.hipocampus.log").lines().count(), 1 + 9);
    // A person is told in the usual way, also of words that hooks have.
    for line in ["compact --foo", "flush --foo --stdin", "-C . status --stdin"] {
        assert_eq!(desk.run(line).code, 2, "{line}");
    }
}

#[test]
fn a_secret_in_a_path_or_an_event_is_written_nowhere() {
    let secret = format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    for line in ["compact --stdin", "hook session-start"] {
        let mut desk = project();
        desk.write("memory/2026-03-15.md", "## A\n");
        let path = desk.beside(&format!("{secret}.txt"));
        std::fs::write(&path, "").unwrap();
        let input = json!({"hook_event_name": secret, "transcript_path": path, "cwd": secret});
        desk.stdin = Some(input.to_string());
        let ran = desk.ok(line);
        let kept = desk.tree().into_values().collect::<String>();
        for text in [&ran.out, &ran.err, &kept] {
            assert!(!text.contains(&secret), "{line}: {text}");
        }
        assert!(kept.contains("REDACTED"), "{line}: {kept}");
        if line == "compact --stdin" {
            assert!(ran.err.contains("[REDACTED:"), "{}", ran.err);
        }
        desk.stdin = Some("{}".to_owned());
        let again = desk.ok("hook session-start");
        assert!(!again.out.contains(&secret) && !again.err.contains(&secret), "{}", again.out);
    }
}

#[test]
fn npm_called_every_session_by_its_time() {
    for (said, title) in [
        ("ok, can you fix the budget parser? It drops rows.", " — fix the budget parser\n"),
        (
            "Implement the following plan:\n\n# Plan: cache the budget table\n\n## Context\n\nSlow.",
            " — cache the budget table\n",
        ),
    ] {
        let mut desk = project();
        let input = transcript(&desk, "2026-03-15T09:00:00Z", said);
        assert_eq!(hook(&mut desk, &input), "");
        assert!(logs(&desk).contains(title), "{title}: {}", logs(&desk));
    }
}

/// What was asked and what came of it is kept wherever it is in a long session.
#[test]
fn npm_kept_the_first_lines_of_a_talk() {
    let filler =
        "Let me look at the next part. Reading another file of the tree now.\n".repeat(400);
    let desk = project();
    desk.write(
        "memory/2026-03-09.md",
        format!(
            "## Session — 2026-03-09 10:00:00 — sign in on staging\n\n\
             **User:** Why does signing in to staging answer 405?\n\n\
             **Assistant:** {filler}\n\
             **Assistant:** The cause: a trailing slash gave a double slash in the URL, because `join` was called twice.\n\
             [tools: Bash ×3]\n[files: src/url.rs]\n\n\
             **User:** thanks, go ahead\n\n\
             **User:** What is slow here?\n\n\
             **Assistant:** We will poll every ten seconds instead of every second.\n"
        ),
    );
    desk.ok("compact");
    let node = desk.read("memory/daily/2026-03-09.md");
    for told in [
        "Why does signing in to staging answer 405?",
        "a trailing slash gave a double slash in the URL",
        "What is slow here?",
        "We will poll every ten seconds",
    ] {
        assert!(node.contains(told), "{told}\n{node}");
    }
    assert!(!node.contains("go ahead"), "{node}");
    assert!(node.lines().count() <= 215, "{node}");
}
