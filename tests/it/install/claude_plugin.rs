//! The plugin for Claude Code beside what `init` puts into a project.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::desk::Desk;

/// A project with a session that no hook has saved yet.
fn desk() -> Desk {
    let mut desk = Desk::new();
    let program = desk.beside("bin/hipocampus");
    fs::create_dir(desk.beside("bin")).unwrap();
    fs::write(&program, "").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    desk.exe = program;
    desk.ok("init --no-search --platform claude-code");
    let transcript = desk.beside("home/session.jsonl");
    let record = serde_json::json!({
        "type": "user", "uuid": "u1", "sessionId": "abc", "cwd": desk.root(),
        "timestamp": "2026-03-15T10:00:00.000Z",
        "message": {"role": "user", "content": "where do the page tables come from"},
    });
    fs::write(&transcript, format!("{record}\n")).unwrap();
    let event = serde_json::json!({
        "session_id": "abc", "transcript_path": transcript, "cwd": desk.root(), "hook_event_name": "PreCompact",
    });
    desk.stdin = Some(event.to_string());
    desk
}

fn saves(desk: &Desk, project: &str) -> bool {
    let env = [("HIPOCAMPUS_PLUGIN", "1"), ("CLAUDE_PROJECT_DIR", project)];
    let ran = desk.run_with(&env, "compact --stdin");
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""));
    desk.has("memory/2026-03-15.md")
}

#[test]
fn the_plugin_leaves_an_event_to_the_hook_of_the_project() {
    let desk = desk();
    let root = desk.root().display().to_string();
    assert!(!saves(&desk, &root), "both have saved it");
    // Below the project the client reads its settings in a repository only; elsewhere the plugin is the only one.
    fs::create_dir(desk.root().join("sub")).unwrap();
    fs::create_dir(desk.root().join(".git")).unwrap();
    assert!(!saves(&desk, &format!("{root}/sub")), "both have saved it");
    fs::remove_dir(desk.root().join(".git")).unwrap();
    assert!(saves(&desk, &format!("{root}/sub")));
}

#[test]
fn the_plugin_does_the_work_where_the_hook_cannot() {
    let desk = desk();
    let root = desk.root().display().to_string();
    fs::remove_file(&desk.exe).unwrap();
    assert!(saves(&desk, &root), "the program of the hook is gone");
    let desk = self::desk();
    let root = desk.root().display().to_string();
    fs::remove_file(desk.root().join(".claude/settings.local.json")).unwrap();
    assert!(saves(&desk, &root), "there is no hook");
}

#[test]
fn only_a_plugin_that_does_the_work_twice_is_told_of() {
    let mut desk = desk();
    desk.stdin = None;
    desk.write(".claude/settings.json", "{\"enabledPlugins\": {\"hipocampus@hipocampus\": true}}");
    let told =
        |desk: &Desk| desk.ok("status --all").out.contains("does the same work a second time");
    assert!(told(&desk));
    let plugin = desk.beside("home/.claude/plugins/cache/hipocampus/hipocampus/0.6.0");
    fs::create_dir_all(plugin.join("hooks")).unwrap();
    let list = serde_json::json!({"version": 2, "plugins": {"hipocampus@hipocampus": [{"installPath": plugin}]}});
    fs::write(desk.beside("home/.claude/plugins/installed_plugins.json"), list.to_string())
        .unwrap();
    assert!(told(&desk));
    fs::write(plugin.join("hooks/run.sh"), "").unwrap();
    assert!(!told(&desk));
}
