//! What `status` says about the installation.

use hipocampus::internals::ALL;

use std::os::unix::fs::PermissionsExt as _;

use crate::desk::Desk;

fn installation(desk: &Desk) -> serde_json::Value {
    let report: serde_json::Value = serde_json::from_str(&desk.run("status --json").out).unwrap();
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
    desk.write("CLAUDE.md", desk.read("CLAUDE.md").replace("Recall:", "Forget:"));
    let found = installation(&desk);
    let client = &found["clients"][0];
    assert_eq!((&client["protocol"], &client["skills"]), (&"stale".into(), &"missing".into()));
    assert_eq!(client["hooks"], "current");
    // Not a program that can be run.
    let hooks = client["registered"].as_array().unwrap();
    assert_eq!(hooks.len(), 6);
    assert!(hooks.iter().all(|hook| hook["alive"] == false), "{hooks:?}");
    let text = desk.run("status --all").out;
    assert!(text.contains("claude-code: section stale, skills missing, hooks current"), "{text}");
    assert!(
        text.contains("PreCompact runs `") && text.contains("run `hipocampus update`"),
        "{text}"
    );
    desk.ok("update");
    let client = &installation(&desk)["clients"][0];
    assert_eq!((&client["protocol"], &client["skills"]), (&"current".into(), &"current".into()));
}

fn program(desk: &Desk, path: &str, text: &str) -> std::path::PathBuf {
    let path = desk.beside(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn another_program_of_our_name_is_told() {
    let mut desk = Desk::new();
    desk.exe = program(&desk, "ours/hipocampus", "ours");
    program(&desk, "copy/hipocampus", "ours");
    program(&desk, "npm/hipocampus", "shim");
    let path = |names: &[&str]| {
        let folders = names.iter().map(|name| desk.beside(name).display().to_string());
        folders.collect::<Vec<_>>().join(":")
    };
    let (other, fine) = (path(&["npm", "ours"]), [path(&["ours", "npm"]), path(&["copy", "npm"])]);
    desk.path = other;
    let told =
        format!("`hipocampus` on your PATH is `{}`", desk.beside("npm/hipocampus").display());
    let out = desk.ok("init --no-search --platform claude-code").out;
    assert!(out.contains(&format!("next: {told}")), "{out}");
    assert!(desk.run("status --all").out.contains(&told));
    for fine in fine {
        desk.path = fine;
        assert!(!desk.ok("init --no-search").out.contains("on your PATH"));
        assert!(!desk.run("status --all").out.contains("on your PATH"));
    }
}

#[test]
fn every_row_is_printed_and_the_last_says_what_to_do() {
    let mut desk = Desk::new();
    for row in ALL {
        desk.ok(&format!("init --no-search --platform {}", row.id));
    }
    desk.exe = "/opt/gone/hipocampus".into();
    let out = desk.run("status --all").out;
    assert!(out.contains("run `hipocampus update` to repair this"), "{out}");
    desk.exe = crate::desk::PROGRAM.into();
    desk.write(".claude/settings.local.json", "{\n  \"hooks\": {");
    let out = desk.run("status --all").out;
    let by_hand = out.find("to be mended by hand: `.claude/settings.local.json:2:12`").unwrap();
    assert!(by_hand < out.find("when that is mended, run `hipocampus update`").unwrap(), "{out}");
}

#[test]
fn a_memory_without_its_section_is_stale() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform openclaw");
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace("## Compaction Root", "## X"));
    assert_eq!(installation(&desk)["clients"][0]["hooks"], "stale");
}

#[test]
fn the_path_of_the_plugin_is_one_word() {
    let desk = Desk::new();
    std::fs::create_dir(desk.root().join("my proj")).unwrap();
    let cwd = desk.root().join("my proj");
    let args = ["hipocampus", "init", "--no-search", "--platform", "openclaw"];
    let out = desk.run_in(&cwd, &args).out;
    let path = cwd.canonicalize().unwrap().join(".hipocampus/openclaw-plugin");
    assert!(out.contains(&format!("--link \"{}\"`", path.display())), "{out}");
}
