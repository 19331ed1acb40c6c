//! What a link leads to was there before us, and stays there.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::desk::{Desk, diff, tree};

/// A project with a link in it that leads to something beside it.
fn linked(path: &str, target: &str, text: Option<&str>) -> (Desk, PathBuf) {
    let desk = Desk::new();
    let outside = desk.beside("outside");
    let target = outside.join(target);
    match text {
        Some(text) => {
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            std::fs::write(&target, text).unwrap();
        }
        None => std::fs::create_dir_all(&target).unwrap(),
    }
    let link = desk.root().join(path);
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(target, link).unwrap();
    (desk, outside)
}

#[track_caller]
fn check(platform: &str, path: &str, target: &str, text: Option<&str>) {
    let (desk, outside) = linked(path, target, text);
    let before = (desk.tree(), tree(&outside));
    desk.ok(&format!("init --no-search --platform {platform}"));
    desk.ok("uninstall");
    assert_eq!(diff(&before.0, &desk.tree()), Vec::<String>::new(), "{path}");
    assert_eq!(diff(&before.1, &tree(&outside)), Vec::<String>::new(), "{path}");
    // Without a ledger nobody knows what was there before.
    let (desk, outside) = linked(path, target, text);
    desk.ok(&format!("init --no-search --platform {platform}"));
    if path != ".hipocampus" {
        std::fs::remove_dir_all(desk.root().join(".hipocampus")).unwrap();
    }
    desk.ok("uninstall");
    assert!(desk.has(path), "{path}");
    for name in before.1.keys() {
        assert!(outside.join(name).exists(), "{path}: {name}");
    }
}

#[test]
fn what_a_link_leads_to_comes_back() {
    let skill = ".claude/skills/hipocampus-core/SKILL.md";
    check(
        "claude-code",
        "hipocampus.config.json",
        "c.json",
        Some("{\"platform\": \"codex\", \"x\": 1.0}"),
    );
    check("claude-code", "hipocampus.config.json", "c.json", Some("{}\n"));
    check("claude-code", skill, "mine.md", Some("mine\n"));
    check("claude-code", skill, "mine.md", Some("---\nname: hipocampus-core\n---\nmine\n"));
    check("claude-code", ".claude/skills", "skills", None);
    check("claude-code", ".claude", "dot", None);
    check("codex", ".codex", "dot", None);
    check("openclaw", "hooks", "hooks", None);
    check("codex", ".hipocampus", "records", None);
    check("codex", "knowledge", "known", None);
    check("codex", "memory", "memory", None);
    check("codex", "WORKING.md", "working.md", Some("mine\n"));
}

#[test]
fn a_skill_in_a_linked_folder_comes_back() {
    let (desk, outside) = linked(".claude/skills", "skills", None);
    let skill = outside.join("skills/hipocampus-core/SKILL.md");
    std::fs::create_dir_all(skill.parent().unwrap()).unwrap();
    std::fs::write(&skill, "shared\n").unwrap();
    let before = tree(&outside);
    desk.ok("init --no-search --platform claude-code");
    assert_ne!(std::fs::read(&skill).unwrap(), b"shared\n");
    desk.ok("uninstall");
    assert_eq!(diff(&before, &tree(&outside)), Vec::<String>::new());
}

#[test]
fn a_configuration_behind_a_link_is_edited_there() {
    let (desk, outside) = linked("hipocampus.config.json", "c.json", Some("{\"x\": 1.0}"));
    desk.ok("init --no-search --platform claude-code");
    let text = std::fs::read_to_string(outside.join("c.json")).unwrap();
    assert!(text.contains("\"x\": 1.0") && text.contains("claude-code"), "{text}");
    assert!(desk.root().join("hipocampus.config.json").is_symlink());
}
