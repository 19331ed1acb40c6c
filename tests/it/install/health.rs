//! What `status` says about the installation.

use hipocampus::platform::ALL;

use crate::desk::Desk;

fn installation(desk: &Desk) -> serde_json::Value {
    let report: serde_json::Value = serde_json::from_str(&desk.ok("status --json").out).unwrap();
    report["installation"].clone()
}

#[test]
fn a_fresh_installation_is_current() {
    for row in ALL {
        let desk = Desk::new();
        desk.ok(&format!("init --no-search --platform {}", row.id));
        let found = installation(&desk);
        let client = &found["clients"][0];
        assert_eq!(client["platform"], row.id);
        for part in ["protocol", "skills", "hooks"] {
            assert_eq!(client[part], "current", "{}: {part}: {found}", row.id);
        }
        assert_eq!(found["qmd"], serde_json::Value::Null);
    }
}

#[test]
fn damage_is_told_and_repaired() {
    let mut desk = Desk::new();
    let program = desk.beside("hipocampus");
    std::fs::write(&program, "").unwrap();
    desk.exe = program;
    desk.ok("init --no-search --platform claude-code");
    std::fs::remove_file(desk.root().join(".claude/skills/hipocampus-core/SKILL.md")).unwrap();
    desk.write("CLAUDE.md", desk.read("CLAUDE.md").replace("Recall.", "Forget."));
    let found = installation(&desk);
    let client = &found["clients"][0];
    assert_eq!((&client["protocol"], &client["skills"]), (&"stale".into(), &"missing".into()));
    assert_eq!(client["hooks"], "current");
    // Not a program that can be run.
    let hooks = client["registered"].as_array().unwrap();
    assert_eq!(hooks.len(), 4);
    assert!(hooks.iter().all(|hook| hook["alive"] == false), "{hooks:?}");
    let text = desk.ok("status").out;
    assert!(text.contains("claude-code: protocol stale, skills missing, hooks current"), "{text}");
    assert!(
        text.contains("PreCompact runs `") && text.contains("run `hipocampus update`"),
        "{text}"
    );
    desk.ok("update");
    let client = &installation(&desk)["clients"][0];
    assert_eq!((&client["protocol"], &client["skills"]), (&"current".into(), &"current".into()));
}
