//! Projects that the npm tool 0.5.3 made are taken over, and leave no trace of it.

use hipocampus::internals::by_id;

use crate::desk::{Desk, diff, npm_project};

const PLATFORMS: [&str; 4] = ["claude-code", "codex", "opencode", "openclaw"];

#[test]
fn update_heals_what_the_npm_tool_wrote() {
    for id in PLATFORMS {
        for kind in ["existing", "tenant"] {
            let desk = Desk::new();
            npm_project(&desk, &format!("{id}-{kind}"));
            desk.ok("update");
            let row = by_id(id).unwrap();
            let protocol = desk.read(row.protocol_file);
            assert_eq!(protocol.matches("hipocampus:protocol:start").count(), 1, "{id}");
            assert!(!protocol.contains("text of the npm tool"));
            assert_eq!(protocol.matches("@WORKING.md").count(), usize::from(id == "claude-code"));
            if kind == "existing" {
                assert!(protocol.contains("User text.\n"), "{id}: {protocol}");
            }
            for skill in hipocampus::internals::SKILLS {
                assert!(
                    !desk.read(&row.skill_path(skill)).contains("text of the npm tool"),
                    "{id}"
                );
            }
            let everything: String = desk
                .tree()
                .into_iter()
                .filter(|(path, _)| !path.starts_with(".hipocampus/"))
                .map(|(_, what)| what)
                .collect();
            assert!(!everything.contains("init.mjs") && !everything.contains("30000"), "{id}");
            assert!(!everything.contains("hipocampus:heartbeat"), "{id}");
            let once = desk.tree();
            desk.ok("update");
            assert_eq!(diff(&once, &desk.tree()), Vec::<String>::new());
        }
    }
}

#[test]
fn copies_of_its_skills_are_called_what_they_are() {
    for update in [false, true] {
        let desk = Desk::new();
        npm_project(&desk, "codex-existing");
        let skill = ".agents/skills/hipocampus-core/SKILL.md";
        let text = desk.read(skill);
        let mut said = String::new();
        if update {
            said = desk.ok("update").err;
        }
        said += &desk.ok("uninstall").err;
        assert!(said.contains(&format!("`{skill}`")), "{said}");
        assert!(said.contains("kept a copy of what was at"), "{said}");
        assert!(!said.contains("you") && !desk.has(".agents"), "{said}");
        assert_eq!(
            desk.read(".hipocampus/backup/.agents__skills__hipocampus-core__SKILL.md"),
            text
        );
    }
}

#[test]
fn hooks_are_mended_and_moved_where_they_belong() {
    let desk = Desk::new();
    npm_project(&desk, "claude-code-existing");
    desk.ok("update");
    let settings: serde_json::Value =
        serde_json::from_str(&desk.read(".claude/settings.json")).unwrap();
    assert_eq!(settings, serde_json::json!({"model": "opus", "hooks": {"Stop": []}}));
    let settings: serde_json::Value =
        serde_json::from_str(&desk.read(".claude/settings.local.json")).unwrap();
    let events: Vec<_> = settings["hooks"].as_object().unwrap().keys().collect();
    assert_eq!(
        events,
        [
            "SessionStart",
            "PreCompact",
            "SessionEnd",
            "TaskCompleted",
            "UserPromptSubmit",
            "PostToolUse",
        ]
    );
    assert_eq!(settings["hooks"]["PreCompact"][0]["hooks"][0]["timeout"], 60);

    let desk = Desk::new();
    npm_project(&desk, "codex-existing");
    desk.ok("update");
    let hooks: serde_json::Value = serde_json::from_str(&desk.read(".codex/hooks.json")).unwrap();
    assert_eq!(hooks["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"], 3);

    let desk = Desk::new();
    npm_project(&desk, "opencode-existing");
    desk.ok("update");
    let config: serde_json::Value = serde_json::from_str(&desk.read("opencode.json")).unwrap();
    assert_eq!((&config["model"], &config["plugin"]), (&"x".into(), &serde_json::Value::Null));
    assert_eq!(config["instructions"][0], "memory/ROOT.md");
    assert_eq!(desk.read("MEMORY.md"), "# Long-Term Memory\n\n## Core\n- keep\n");

    let desk = Desk::new();
    npm_project(&desk, "openclaw-existing");
    desk.ok("update");
    assert_eq!(desk.read("openclaw.json"), "{\n  \"a\": 1\n}\n");
    assert_eq!(desk.read("HEARTBEAT.md"), "# Heartbeat\n\n## 1. mine\nHEARTBEAT_OK\n");
    assert!(desk.has("hooks/hipocampus-compact/handler.js"));
    assert!(desk.read("MEMORY.md").contains("## Compaction Root"));
}

/// The files of the user in the projects called `existing`, as they were before the npm tool.
const USERS: [(&str, &str); 6] = [
    ("CLAUDE.md", "# My project\n\nUser text.\n"),
    ("AGENTS.md", "# Agents\n\nUser text.\n"),
    ("MEMORY.md", "# Long-Term Memory\n\n## Core\n- keep\n"),
    ("HEARTBEAT.md", "# Heartbeat\n\n## 1. mine\nHEARTBEAT_OK\n"),
    (".gitignore", "node_modules/\n"),
    ("opencode.json", "{\n  \"model\": \"x\"\n}\n"),
];

#[test]
fn uninstall_takes_the_npm_tool_out_with_or_without_an_update_before() {
    for id in PLATFORMS {
        for update in [false, true] {
            let desk = Desk::new();
            npm_project(&desk, &format!("{id}-existing"));
            if update {
                desk.ok("update");
            }
            desk.ok("uninstall");
            for (path, expect) in USERS {
                let expect =
                    if path == "CLAUDE.md" && id == "claude-code" { USERS[0].1 } else { expect };
                assert_eq!(desk.read(path), expect, "{id}, update {update}: {path}");
            }
            let settings: serde_json::Value =
                serde_json::from_str(&desk.read(".claude/settings.json")).unwrap();
            assert_eq!(
                settings,
                serde_json::json!({"model": "opus", "hooks": {"Stop": []}}),
                "{id}"
            );
            for path in [
                "memory",
                "knowledge",
                "plans",
                "SCRATCHPAD.md",
                "USER.md",
                "hipocampus.config.json",
            ] {
                assert!(!desk.has(path), "{id}, update {update}: {path}: {:?}", desk.tree().keys());
            }
            for skills in [".claude/skills", ".agents/skills", ".opencode/skills", "skills"] {
                assert!(!desk.has(skills), "{id}, update {update}: {skills}");
            }
        }
    }
}

#[test]
fn nothing_of_a_purely_npm_made_project_is_left() {
    for id in PLATFORMS {
        let desk = Desk::new();
        npm_project(&desk, &format!("{id}-tenant"));
        desk.ok("uninstall --tenant acme");
        desk.ok("uninstall");
        // Its skills are not in our hands to compare, so they are kept.
        let left: Vec<_> =
            desk.tree().into_keys().filter(|path| !path.starts_with(".hipocampus")).collect();
        assert!(left.is_empty(), "{id}: {left:?}");
    }
}

#[test]
fn folders_with_something_in_them_are_the_users() {
    let mut desk = Desk::new();
    npm_project(&desk, "codex-tenant");
    desk.write("knowledge/k.md", "known\n");
    desk.write("memory/2026-03-10.md", "## A\n- b\n");
    desk.stdin = Some("yes\n".to_owned());
    desk.ok("uninstall --purge");
    assert_eq!(desk.read("knowledge/k.md"), "known\n");
    assert_eq!(desk.read("memory/2026-03-10.md"), "## A\n- b\n");
}

#[test]
fn skills_in_the_wrong_folder_leave() {
    let desk = Desk::new();
    npm_project(&desk, "codex-tenant");
    desk.write(
        ".claude/skills/hipocampus-core/SKILL.md",
        "---\nname: hipocampus-core\n---\n\n(text of the npm tool)\n",
    );
    desk.write(".claude/skills/hipocampus-mine/SKILL.md", "---\nname: hipocampus-mine\n---\n");
    desk.ok("update");
    assert!(!desk.has(".claude/skills/hipocampus-core"));
    assert!(desk.has(".claude/skills/hipocampus-mine/SKILL.md"));
}
