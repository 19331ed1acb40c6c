//! What worked in the npm tool, and what of the user's has to outlive it.

use serde_json::{Value, json};

use crate::desk::{Desk, npm_project};

fn config(desk: &Desk, path: &str) -> Value {
    serde_json::from_str(&desk.read(path)).unwrap()
}

const CONFIG: &str = "hipocampus.config.json";

#[test]
fn update_takes_the_flags_of_init() {
    let desk = Desk::new();
    desk.ok("init --platform claude-code");
    desk.ok("update --no-search --no-vector --platform codex --tenant acme");
    let root = config(&desk, CONFIG);
    assert_eq!(root["search"], json!({"vector": false, "embedModel": "auto", "enabled": false}));
    assert_eq!(root["platforms"], json!(["claude-code", "codex"]));
    assert_eq!(root["tenants"], json!(["acme"]));
    assert!(desk.has("tenants/acme/WORKING.md") && desk.has(".codex/hooks.json"));
    assert_eq!(desk.run("update --tenant ../x").code, 2);
    assert_eq!(desk.run("update --platform nobody").code, 2);
}

#[test]
fn a_tenant_gets_the_projects_configuration() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let mut root = config(&desk, CONFIG);
    root["compaction"]["rootMaxTokens"] = json!(5000);
    root["redaction"] = json!({"disable": ["jwt"]});
    desk.write(CONFIG, root.to_string());
    let said = desk.ok("init --tenant acme").err;
    let mut expect = root;
    expect["tenant"] = json!("acme");
    assert_eq!(config(&desk, "tenants/acme/hipocampus.config.json"), expect);
    assert!(
        said.contains("Claude Code, started in `tenants/acme`, has none of the hooks"),
        "{said}"
    );
    let desk = Desk::new();
    let said = desk.ok("init --no-search --platform openclaw --tenant acme").err;
    assert!(said.contains("`tenants/acme` has neither"), "{said}");
    let desk = Desk::new();
    let said = desk.ok("init --no-search --platform codex --tenant acme").err;
    assert!(!said.contains("tenants/acme"), "{said}");
}

#[test]
fn a_conversation_named_by_the_environment_is_imported() {
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let before = desk.tree();
    let transcript = desk.beside("home/s.jsonl");
    let record = json!({"type": "user", "sessionId": "s", "uuid": "u", "timestamp": "2026-03-15T12:00:00Z",
        "message": {"role": "user", "content": "said to somebody"}});
    std::fs::write(&transcript, format!("{record}\n")).unwrap();
    let path = transcript.to_str().unwrap();
    let shown = desk.run_with(&[("TRANSCRIPT_PATH", path)], "compact --dry-run");
    assert_eq!(shown.code, 0);
    assert!(shown.out.ends_with("daily log would be updated from transcript\n"), "{}", shown.out);
    assert!(shown.err.contains("s.jsonl`: would be imported"), "{}", shown.err);
    assert_eq!(desk.tree(), before);
    let hook = json!({"session_id": "s", "hook_event_name": "SessionEnd", "transcript_path": path});
    desk.stdin = Some(hook.to_string());
    let by_hook = desk.run("compact --stdin --dry-run");
    assert_eq!((by_hook.code, by_hook.out, by_hook.err), (0, shown.out, shown.err));
    assert_eq!(desk.tree(), before);
    desk.stdin = None;
    let ran = desk.run_with(&[("TRANSCRIPT_PATH", path)], "compact");
    assert_eq!((ran.code, &*ran.err), (0, ""));
    let done = "hipocampus compact: daily log updated from transcript, daily nodes updated, weekly nodes updated, monthly nodes updated\n";
    assert_eq!(ran.out, done);
    assert!(desk.read("memory/2026-03-15.md").contains("**User:** said to somebody"));
    for line in ["compact", "compact --dry-run"] {
        let ran = desk.run_with(&[("TRANSCRIPT_PATH", path)], line);
        assert_eq!((&*ran.out, &*ran.err), ("hipocampus compact: nothing to do\n", ""));
    }
}

#[test]
fn a_dry_run_shows_what_would_be_installed() {
    let desk = Desk::new();
    let said = desk.ok("init --dry-run --qmd --platform claude-code");
    assert!(said.err.contains("qmd: not installed, `node` is not on the `PATH`"), "{}", said.err);
    assert!(!desk.ok("init --platform claude-code").err.contains("qmd"), "nobody asked for it");
    assert_eq!(desk.run("init --qmd --no-search").code, 2);
}

#[test]
fn what_the_user_configured_is_kept() {
    for npm in [false, true] {
        for (key, value) in [("redaction", json!({"disable": ["jwt"]})), ("mine", json!(1))] {
            let desk = Desk::new();
            if npm {
                npm_project(&desk, "codex-tenant");
            } else {
                desk.ok("init --no-search --platform codex");
            }
            let mut text = config(&desk, CONFIG);
            text[key] = value;
            desk.write(CONFIG, text.to_string());
            let said = desk.ok("uninstall").err;
            assert!(said.contains("kept a copy of what was at "), "{said}");
            assert!(said.contains("`hipocampus.config.json`"), "{said}");
            assert!(!desk.has(CONFIG));
            assert_eq!(desk.read(".hipocampus/backup/hipocampus.config.json"), text.to_string());
        }
    }
    // One of a tenant, too.
    let desk = Desk::new();
    desk.ok("init --no-search --platform codex --tenant a");
    desk.write("tenants/a/hipocampus.config.json", "{\"tenant\": \"a\", \"mine\": 1}\n");
    desk.ok("uninstall --tenant a");
    assert!(!desk.has("tenants/a"));
    assert!(desk.read(".hipocampus/backup/tenants__a__hipocampus.config.json").contains("mine"));
}

#[test]
fn the_npm_tools_imports_leave_wherever_they_stand() {
    for update in [false, true] {
        let desk = Desk::new();
        npm_project(&desk, "claude-code-existing");
        let text = desk.read("CLAUDE.md");
        let text = text.replacen("end -->\n", "end -->\n\nMy own words.\n\n", 1);
        desk.write("CLAUDE.md", &text);
        if update {
            desk.ok("update");
            assert_eq!(desk.read("CLAUDE.md").matches("@memory/ROOT.md").count(), 1);
        }
        desk.ok("uninstall");
        assert_eq!(desk.read("CLAUDE.md"), "My own words.\n\n# My project\n\nUser text.\n");
    }
}

#[test]
fn the_npm_tools_comment_leaves_with_its_section() {
    let desk = Desk::new();
    npm_project(&desk, "openclaw-existing");
    let memory = "# Long-Term Memory\n\n## Core\n- keep\n\n## Compaction Root\n<!-- Auto-synced from memory/ROOT.md by hipocampus compact -->\n\n### Active Context (recent ~7 days)\n<!-- Current work and priorities -->\n\n### Historical Summary\n<!-- High-level timeline -->\n";
    for update in [false, true] {
        desk.write("MEMORY.md", memory);
        if update {
            desk.ok("update");
            desk.ok("compact");
        }
        desk.ok("uninstall");
        assert_eq!(desk.read("MEMORY.md"), "# Long-Term Memory\n\n## Core\n- keep\n", "{update}");
        npm_project(&desk, "openclaw-existing");
    }
}

#[test]
fn the_npm_tool_is_known_in_a_folder_of_any_name() {
    for (platform, file) in
        [("claude-code", ".claude/settings.json"), ("codex", ".codex/hooks.json")]
    {
        for update in [false, true] {
            let desk = Desk::new();
            npm_project(&desk, &format!("{platform}-tenant"));
            let text = desk.read(file);
            desk.write(
                file,
                text.replace("/opt/npm/lib/node_modules/hipocampus", "/home/u/src/hipo"),
            );
            if update {
                desk.ok("update");
                assert!(!desk.has(file) || !desk.read(file).contains("init.mjs"), "{platform}");
            }
            desk.ok("uninstall");
            assert!(!desk.has(file), "{platform}, update {update}");
        }
    }
}
