//! What `init` sets up for each client.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;

use crate::desk::{Desk, npm_project};

fn set_up(platform: &str) -> (Desk, String) {
    let desk = Desk::new();
    let told = desk.ok(&format!("init --no-search --platform {platform}")).out;
    (desk, told)
}

/// The hooks of a project: event, command, timeout.
fn hooks(desk: &Desk, file: &str) -> Vec<(String, String, u64)> {
    let file: Value = serde_json::from_str(&desk.read(file)).unwrap();
    let mut found = Vec::new();
    for (event, groups) in file["hooks"].as_object().unwrap() {
        for hook in groups.as_array().unwrap().iter().flat_map(|g| g["hooks"].as_array().unwrap()) {
            let command = hook["command"].as_str().unwrap().to_owned();
            found.push((event.clone(), command, hook["timeout"].as_u64().unwrap()));
        }
    }
    found
}

const CLAUDE: &str = ".claude/settings.local.json";
const CODEX: &str = ".codex/hooks.json";

#[test]
fn npm_timed_hooks_in_milliseconds() {
    for (platform, file) in [("claude-code", CLAUDE), ("codex", CODEX)] {
        let desk = Desk::new();
        npm_project(&desk, &format!("{platform}-existing"));
        desk.ok("update");
        let hooks = hooks(&desk, file);
        assert!(hooks.len() >= 4);
        assert!(hooks.iter().all(|(_, _, seconds)| (1..=60).contains(seconds)), "{hooks:?}");
    }
}

#[test]
fn npm_never_captured_a_session_that_did_not_compact() {
    let (desk, _) = set_up("claude-code");
    let hooks = hooks(&desk, CLAUDE);
    for (event, ends) in [
        ("SessionStart", "hook session-start"),
        ("PreCompact", "compact --stdin"),
        ("SessionEnd", "compact --stdin"),
        ("TaskCompleted", "compact --stdin"),
    ] {
        assert!(
            hooks.iter().any(|(e, command, _)| e == event && command.ends_with(ends)),
            "{event}"
        );
    }
}

#[test]
fn npm_found_a_project_in_the_working_directory_only() {
    let (mut desk, _) = set_up("claude-code");
    desk.write("memory/2026-03-15.md", "- a\n");
    let deep = desk.root().join("src/deep");
    std::fs::create_dir_all(&deep).unwrap();
    let elsewhere = desk.beside("home");
    // From elsewhere, the hook's `cwd` is where the search begins.
    desk.stdin = Some(serde_json::json!({"cwd": deep}).to_string());
    let ran = desk.run_in(&elsewhere, &["hipocampus", "compact", "--stdin"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert!(desk.has("memory/daily/2026-03-15.md"));
}

#[test]
fn npm_said_nothing_about_trust_on_codex() {
    let (_, told) = set_up("codex");
    assert!(told.contains("open `/hooks` and trust the hipocampus hooks"), "{told}");
}

#[test]
fn npm_passed_no_conversation_on_codex() {
    let (desk, _) = set_up("codex");
    let hooks = hooks(&desk, CODEX);
    for event in ["PreCompact", "Stop", "SessionEnd"] {
        let (_, command, _) = hooks.iter().find(|(found, ..)| found == event).unwrap();
        assert!(command.ends_with(" compact --stdin"), "{event}: {command}");
    }
}

#[test]
fn npm_asked_the_model_to_read_root_on_opencode() {
    let (desk, _) = set_up("opencode");
    let config: Value = serde_json::from_str(&desk.read("opencode.json")).unwrap();
    assert_eq!(config["instructions"][0], "memory/ROOT.md");
}

/// What OpenCode's plugin hands to the program, one JSON object a call, when OpenCode says that a person's session
/// and one of a subagent are idle. `worktree` is what OpenCode gives outside of git.
fn handed_over(desk: &Desk, directory: &str) -> Option<Vec<Value>> {
    if Command::new("node").arg("--version").output().is_err() {
        return None;
    }
    let calls = desk.beside("calls");
    std::fs::create_dir_all(&calls).unwrap();
    let script = format!(
        "import {{ HipocampusPlugin }} from {:?};
         const messages = async ({{ path }}) =>
             ({{ data: [{{ info: {{ id: path.id, role: 'user' }}, parts: [{{ type: 'text', text: 'asked' }}] }}] }});
         const plugin = await HipocampusPlugin({{ client: {{ session: {{ messages }} }}, directory: {directory:?}, worktree: '/' }});
         const tell = (type, properties) => plugin.event?.({{ event: {{ type, properties }} }});
         await tell('session.created', {{ sessionID: 'child', info: {{ id: 'child', parentID: 'ses_1' }} }});
         await tell('session.idle', {{ sessionID: 'child' }});
         await tell('session.idle', {{ sessionID: 'ses_1' }});",
        desk.root().join(".opencode/plugins/hipocampus.mjs").display(),
    );
    // As a module: `.js` alone would be judged by the nearest package.json.
    std::fs::copy(
        desk.root().join(".opencode/plugins/hipocampus.js"),
        desk.root().join(".opencode/plugins/hipocampus.mjs"),
    )
    .unwrap();
    let main = desk.beside("main.mjs");
    std::fs::write(&main, script).unwrap();
    let ran = Command::new("node").arg(main).env("CALLS", &calls).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let calls = std::fs::read_dir(calls).unwrap();
    let texts = calls.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    Some(texts.map(|text| serde_json::from_str(&text).unwrap()).collect())
}

/// A project for OpenCode whose hooks call a script that keeps what it is given.
fn opencode() -> Desk {
    let mut desk = Desk::new();
    desk.exe = desk.beside("hipocampus");
    std::fs::write(&desk.exe, "#!/bin/sh\ncat > \"$CALLS/$$\"\n").unwrap();
    std::fs::set_permissions(&desk.exe, std::fs::Permissions::from_mode(0o755)).unwrap();
    desk.ok("init --no-search --platform opencode");
    desk
}

#[test]
fn npm_took_the_worktree_of_opencode_for_the_project() {
    let desk = opencode();
    let deep = desk.root().join("src/deep");
    std::fs::create_dir_all(&deep).unwrap();
    let Some(calls) = handed_over(&desk, deep.to_str().unwrap()) else { return };
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0]["cwd"], desk.root().to_str().unwrap());
    // Outside of every project there is nothing to do.
    let outside = desk.beside("home");
    std::fs::remove_dir_all(desk.beside("calls")).unwrap();
    assert_eq!(handed_over(&desk, outside.to_str().unwrap()), Some(Vec::new()));
}

#[test]
fn npm_handed_over_no_message_of_opencode() {
    let desk = opencode();
    let Some(calls) = handed_over(&desk, desk.root().to_str().unwrap()) else { return };
    let sessions: Vec<_> = calls.iter().map(|call| call["session_id"].as_str().unwrap()).collect();
    assert_eq!(sessions, ["ses_1"], "a subagent's session is not imported");
    assert_eq!(calls[0]["messages"][0]["parts"][0]["text"], "asked");
}

#[test]
fn npm_wrote_a_heartbeat() {
    let (desk, _) = set_up("openclaw");
    assert!(!desk.has("HEARTBEAT.md"));
    let desk = Desk::new();
    npm_project(&desk, "openclaw-existing");
    assert!(desk.read("HEARTBEAT.md").contains("hipocampus"));
    desk.ok("update");
    assert_eq!(desk.read("HEARTBEAT.md"), "# Heartbeat\n\n## 1. mine\nHEARTBEAT_OK\n");
}

#[test]
fn npm_named_a_hook_of_openclaw_that_did_not_exist() {
    let (desk, told) = set_up("openclaw");
    assert!(!desk.has("openclaw.json"));
    for file in ["HOOK.md", "handler.js"] {
        assert!(desk.has(&format!("hooks/hipocampus-compact/{file}")), "{file}");
    }
    assert!(told.contains("`openclaw hooks enable hipocampus-compact`"), "{told}");
    assert!(told.contains("`openclaw plugins install --link "), "{told}");
}

#[test]
fn npm_gave_openclaw_no_protocol_where_agents_md_was_missing() {
    let (desk, _) = set_up("openclaw");
    assert!(desk.read("AGENTS.md").contains("<!-- hipocampus:protocol:start"));
}

#[test]
fn npm_wrote_keys_into_skills_that_no_client_knows() {
    let mut callable = 0;
    for (platform, folder) in [
        ("claude-code", ".claude/skills"),
        ("codex", ".agents/skills"),
        ("opencode", ".opencode/skills"),
        ("openclaw", "skills"),
    ] {
        let (desk, _) = set_up(platform);
        for skill in hipocampus::internals::SKILLS {
            let text = desk.read(&format!("{folder}/hipocampus-{skill}/SKILL.md"));
            assert!(!text.contains("user_invocable"), "{platform}: {skill}");
            callable += usize::from(text.contains("\nuser-invocable: true\n"));
        }
    }
    assert_eq!(callable, 4, "flush, once for each client");
}
