//! No secret is written anywhere, not even for a moment: what a run hands to the system is looked at, call by
//! call, with `strace`; where that is missing this is left out, except in CI.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::sample::{ALNUM, BASE36, HEX, UPPER, fake};

#[test]
fn no_write_of_an_import_has_a_secret_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("p");
    fs::create_dir_all(project.join("memory")).unwrap();
    fs::write(project.join("hipocampus.config.json"), "{}\n").unwrap();
    fs::write(project.join("MEMORY.md"), "# Memory\n\n## Compaction Root\n").unwrap();
    let secrets = [
        format!("AKIA{}", fake(UPPER, 16)),
        format!("ghp_{}", fake(ALNUM, 36)),
        format!("sk-ant-api03-{}AA", fake(ALNUM, 93)),
        fake(HEX, 64),
        fake(BASE36, 40),
    ];
    let body: String = (0..6).map(|line| fake(ALNUM, 64 - line) + "\n").collect();
    let key = format!("-----BEGIN {0}-----\n{body}-----END {0}-----", "PRIVATE KEY");
    let said = [
        format!("HARMLESS-0 use {} for the upload", secrets[0]),
        format!("HARMLESS-1 git clone https://{}@git.test/x.git", secrets[1]),
        format!("HARMLESS-2 ANTHROPIC_API_KEY={}", secrets[2]),
        format!("HARMLESS-3 client_secret: {}", secrets[3]),
        format!("HARMLESS-4 Authorization: Bearer {}", secrets[4]),
        format!("HARMLESS-5\n{key}\n"),
    ];
    let mut transcript = String::new();
    for (number, text) in said.iter().enumerate() {
        let time = "2026-03-15T10:00:00Z";
        let head = json!({"sessionId": "s", "timestamp": time, "uuid": format!("u{number}")});
        let mut user = head.clone();
        user["type"] = json!("user");
        user["message"] = json!({"role": "user", "content": text});
        let mut reply = head;
        reply["type"] = json!("assistant");
        reply["uuid"] = json!(format!("a{number}"));
        reply["message"] = json!({
            "id": format!("m{number}"),
            "role": "assistant",
            "content": [
                {"type": "text", "text": format!("done: {text}")},
                {"type": "tool_use", "name": "Bash", "input": {"command": text}},
            ],
        });
        for record in [user, reply] {
            transcript.push_str(&record.to_string());
            transcript.push('\n');
        }
    }
    let path = dir.path().join("s.jsonl");
    fs::write(&path, transcript).unwrap();
    let hook = json!({
        "hook_event_name": "PreCompact", "session_id": "s", "cwd": project, "transcript_path": path,
    });
    fs::write(dir.path().join("hook"), hook.to_string()).unwrap();
    let trace = dir.path().join("trace");
    let run = Command::new("strace")
        .args(["-f", "-qq", "-s", "16777216", "-e", "trace=/^(p?write|sendto|send$)"])
        .arg("-o")
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_hipocampus"))
        .args(["compact", "--stdin"])
        .stdin(fs::File::open(dir.path().join("hook")).unwrap())
        .stderr(Stdio::piped())
        .env("HIPOCAMPUS_NOW", "2026-03-15T12:00:00Z")
        .env_remove("CLAUDE_PROJECT_DIR")
        .output();
    let Ok(run) = run else {
        assert!(std::env::var_os("CI").is_none(), "CI needs strace");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let written = fs::read_to_string(&trace).unwrap();
    for number in 0..said.len() {
        // The log, the backup, the node above it, the facts for ROOT.md.
        let times = written.matches(&format!("HARMLESS-{number}")).count();
        assert!(times >= 3, "HARMLESS-{number} was written {times} times");
    }
    for secret in secrets.iter().map(String::as_str).chain(body.lines()) {
        // Half of it would be too much.
        for part in [&secret[..secret.len() / 2], &secret[secret.len() / 2..]] {
            assert!(!written.contains(part), "{secret}");
        }
    }
}
