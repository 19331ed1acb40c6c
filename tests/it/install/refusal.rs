//! What cannot be read stays as it is; what was not asked for is not done.

use std::os::unix::fs::PermissionsExt as _;

use crate::desk::{Desk, diff};
use crate::nobody::Nobody;

#[test]
fn npm_overwrote_settings_it_could_not_parse() {
    #[track_caller]
    fn check(platform: &str, path: &str, bytes: &[u8], place: &str, paste: &str) {
        let desk = Desk::new();
        desk.write(path, bytes);
        for line in [format!("init --no-search --platform {platform}"), "update".to_owned()] {
            let ran = desk.run(&line);
            assert_eq!(ran.code, 1, "{path}: {}", ran.err);
            assert!(ran.err.contains(&format!("error: `{path}:{place}`")), "{}", ran.err);
            assert!(ran.err.contains(paste), "{}", ran.err);
            assert_eq!(std::fs::read(desk.root().join(path)).unwrap(), bytes);
        }
        // The rest of the project is set up, and leaves again.
        assert!(desk.has("memory/ROOT.md"));
        desk.run("uninstall");
        assert_eq!(std::fs::read(desk.root().join(path)).unwrap(), bytes);
        assert!(!desk.has("memory"));
    }
    let paste = "\"command\": \"\\\"/opt/hipo campus/bin/hipocampus\\\" compact --stdin\"";
    let settings = ".claude/settings.local.json";
    check("claude-code", settings, b"{\n  \"hooks\": {", "2:12", paste);
    check("claude-code", settings, b"{\"a\": 1,, }", "1:9", paste);
    check("claude-code", settings, b"{\"hooks\": []}", "1:11", paste);
    check("claude-code", settings, b"{\n \"a\": \"\xff\"}", "2:8", paste);
    check("codex", ".codex/hooks.json", b"[{\"command\": \"mine\"}]", "1:1", paste);
    check("opencode", "opencode.json", b"{\"instructions\": {}}", "1:18", "\"memory/ROOT.md\"");
    check("claude-code", "CLAUDE.md", b"\xff\xfeh\0i\0", "1:1", "@memory/ROOT.md");
}

#[test]
fn a_config_that_does_not_parse_stops_everything() {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", "{\n  \"platform\": \"codex\",\n}");
    let before = desk.tree();
    for line in ["init --no-search", "init --platform codex", "update"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("hipocampus.config.json:2:22`"), "{}", ran.err);
        assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    }
}

#[test]
fn a_dry_run_writes_nothing_and_shows_everything() {
    let desk = Desk::new();
    desk.write(".claude/settings.local.json", "{\n  \"model\": \"opus\"\n}\n");
    let before = desk.tree();
    let ran = desk.ok("init --dry-run --no-search");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    for expect in [
        "  + memory (folder)",
        "  ~ .claude/settings.local.json (hooks)",
        "      -  \"model\": \"opus\"",
        "      +  \"model\": \"opus\",",
        "      +@memory/ROOT.md",
    ] {
        assert!(ran.out.contains(expect), "{expect}: {}", ran.out);
    }
    desk.ok("init --no-search");
    let before = desk.tree();
    assert_eq!(desk.ok("update --dry-run").out, "nothing to do\n");
    let ran = desk.ok("uninstall --dry-run --purge");
    assert!(ran.out.contains("  - memory (the memory)"), "{}", ran.out);
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let Some(nobody) = Nobody::new() else { return };
    std::fs::remove_dir(nobody.path("memory")).unwrap();
    std::fs::remove_file(nobody.path("hipocampus.config.json")).unwrap();
    nobody.mode("", 0o555);
    let ran = nobody.run(&["init", "--no-search", "--platform", "claude-code"]);
    nobody.mode("", 0o755);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("check who owns it and its permissions"), "{}", ran.err);
    assert_eq!(std::fs::read_dir(nobody.path("")).unwrap().count(), 0);
    // A file in the way does the same.
    let desk = Desk::new();
    desk.write(".hipocampus", "in the way");
    let before = desk.tree();
    let ran = desk.run("init --no-search --platform claude-code");
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn uninstall_outside_a_project_does_nothing() {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "mine\n");
    let before = desk.tree();
    for line in ["uninstall", "uninstall --purge", "update"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains("hint: run `hipocampus init"), "{}", ran.err);
    }
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn purge_wants_a_yes_and_takes_only_what_was_made() {
    let mut desk = Desk::new();
    desk.write("knowledge/mine.md", "old\n");
    desk.ok("init --no-search --platform claude-code");
    desk.write("memory/2026-03-15.md", "## A\n- b\n");
    desk.write("knowledge/new.md", "new\n");
    desk.write("plans/p.md", "plan\n");
    desk.write("SCRATCHPAD.md", "filled in\n");
    let before = desk.tree();
    for (answer, code) in [
        (None, 2),
        (Some(""), 2),
        (Some("\n"), 2),
        (Some("y\n"), 1),
        (Some("YES\n"), 1),
        (Some("yes please\n"), 1),
    ] {
        desk.stdin = answer.map(str::to_owned);
        let ran = desk.run("uninstall --purge");
        assert_eq!(ran.code, code, "{answer:?}");
        assert!(ran.err.contains("nothing was removed"), "{}", ran.err);
        assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    }
    desk.stdin = Some("yes\n".to_owned());
    desk.ok("uninstall --purge");
    let left: Vec<_> = desk.tree().into_keys().collect();
    assert_eq!(left, ["knowledge", "knowledge/mine.md", "knowledge/new.md"]);
}

#[test]
fn purge_does_not_follow_links() {
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform codex");
    std::fs::create_dir_all(desk.beside("elsewhere")).unwrap();
    std::fs::write(desk.beside("elsewhere/keep.md"), "keep").unwrap();
    std::os::unix::fs::symlink(desk.beside("elsewhere"), desk.root().join("memory/link")).unwrap();
    desk.stdin = Some("yes\n".to_owned());
    desk.ok("uninstall --purge");
    assert!(desk.tree().is_empty(), "{:?}", desk.tree());
    assert!(desk.beside("elsewhere/keep.md").exists());
}

#[test]
fn what_people_and_agents_wrote_stays() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform openclaw");
    desk.write("memory/2026-03-15.md", "## A\n- b\n");
    desk.write("MEMORY.md", desk.read("MEMORY.md").replace("(Static)", "(Static)\n- a fact"));
    desk.write("WORKING.md", "busy\n");
    desk.write(".agents/skills/own/SKILL.md", "own\n");
    let skill = "skills/hipocampus-core/SKILL.md";
    desk.write(skill, "changed by me\n");
    let ran = desk.ok("update");
    assert!(
        ran.err.contains(".hipocampus/backup/skills__hipocampus-core__SKILL.md"),
        "{}",
        ran.err
    );
    desk.write("skills/hipocampus-recall/SKILL.md", "changed again\n");
    let ran = desk.ok("uninstall");
    assert!(ran.err.contains("`WORKING.md`: stays"), "{}", ran.err);
    let left: Vec<_> = desk
        .tree()
        .into_iter()
        .filter(|(_, what)| what.starts_with("file"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        left,
        [
            ".agents/skills/own/SKILL.md",
            ".hipocampus/backup/skills__hipocampus-core__SKILL.md",
            "MEMORY.md",
            "WORKING.md",
            "memory/2026-03-15.md",
            "skills/hipocampus-recall/SKILL.md",
        ]
    );
    assert!(
        desk.read("MEMORY.md").contains("- a fact")
            && !desk.read("MEMORY.md").contains("Compaction Root")
    );
    assert_eq!(
        desk.read(".hipocampus/backup/skills__hipocampus-core__SKILL.md"),
        "changed by me\n"
    );
}

#[test]
fn records_are_for_the_user_only() {
    let desk = Desk::new();
    desk.write(".claude/settings.local.json", "{}\n");
    desk.ok("init --no-search");
    for path in [".hipocampus/installed.json", ".hipocampus/backup/.claude__settings.local.json"] {
        let mode = std::fs::metadata(desk.root().join(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path}");
    }
}
