//! What `uninstall` takes along is ours; what may be the user's is kept or given back.

use crate::desk::{Desk, diff};

const SKILL: &str = ".claude/skills/hipocampus-core/SKILL.md";
const PLUGIN: &str = ".opencode/plugins/hipocampus.js";

fn set_up(platform: &str) -> Desk {
    let desk = Desk::new();
    desk.ok(&format!("init --no-search --platform {platform}"));
    desk
}

fn lose_the_ledger(desk: &Desk) {
    std::fs::remove_dir_all(desk.root().join(".hipocampus")).unwrap();
}

fn add(desk: &Desk, path: &str, line: &str) {
    desk.write(path, desk.read(path) + line);
}

#[test]
fn without_a_ledger_an_edited_file_leaves_a_copy() {
    for (platform, path) in [("claude-code", SKILL), ("opencode", PLUGIN)] {
        let desk = set_up(platform);
        add(&desk, path, "// my own line\n");
        lose_the_ledger(&desk);
        let ran = desk.ok("uninstall");
        assert!(ran.err.contains(&format!("kept a copy of what was at `{path}`\n")), "{}", ran.err);
        let copy = format!(".hipocampus/backup/{}", path.replace('/', "__"));
        assert!(desk.read(&copy).ends_with("// my own line\n"));
        // Strings that anybody may have written are not ours without a record.
        let left: Vec<_> = desk.tree().into_keys().filter(|path| path != "opencode.json").collect();
        assert_eq!(left, [".hipocampus", ".hipocampus/backup", &copy]);
    }
}

#[test]
fn without_a_ledger_what_shows_no_sign_of_us_stays() {
    let desk = set_up("claude-code");
    let text = "---\nname: another\n---\nmine\n";
    desk.write(SKILL, text);
    lose_the_ledger(&desk);
    let ran = desk.ok("uninstall");
    assert!(ran.err.contains(&format!("`{SKILL}`: stays")), "{}", ran.err);
    assert_eq!(desk.read(SKILL), text);
    assert!(!desk.has(".hipocampus") && !desk.has(".claude/skills/hipocampus-flush"));
}

#[test]
fn copies_do_not_overwrite_each_other() {
    let desk = set_up("claude-code");
    let ours = desk.read(SKILL);
    for line in ["first\n", "second\n", "first\n"] {
        add(&desk, SKILL, line);
        desk.ok("update");
        assert_eq!(desk.read(SKILL), ours);
    }
    let copy = ".hipocampus/backup/.claude__skills__hipocampus-core__SKILL.md";
    assert_eq!(desk.read(copy), format!("{ours}first\n"));
    assert_eq!(desk.read(&format!("{copy}.1")), format!("{ours}second\n"));
    assert!(!desk.has(&format!("{copy}.2")));
    // A new installation does not know them and leaves them alone.
    desk.ok("uninstall");
    desk.ok("init --no-search --platform claude-code");
    add(&desk, SKILL, "third\n");
    desk.ok("update");
    assert_eq!(desk.read(&format!("{copy}.2")), format!("{ours}third\n"));
    assert_eq!(desk.read(copy), format!("{ours}first\n"));
}

#[test]
fn what_the_user_has_among_the_copies_is_not_touched() {
    for mine in ["another\n", "# mine\n"] {
        for line in ["uninstall", "uninstall --purge"] {
            let mut desk = Desk::new();
            desk.write("CLAUDE.md", "# mine\n");
            desk.write(".hipocampus/backup/CLAUDE.md", mine);
            let before = desk.tree();
            desk.ok("init --no-search --platform claude-code");
            desk.stdin = Some("yes\n".to_owned());
            desk.ok(line);
            assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new(), "{line}");
        }
    }
}

#[test]
fn a_clone_is_left_by_what_came_with_it() {
    for row in hipocampus::internals::ALL {
        for first in ["init --no-search", "update"] {
            let desk = set_up(row.id);
            lose_the_ledger(&desk);
            std::fs::remove_dir_all(desk.root().join("memory")).unwrap();
            desk.ok(first);
            let ran = desk.ok("uninstall");
            assert!(!ran.err.contains("you changed it"), "{}: {}", row.id, ran.err);
            assert!(desk.tree().is_empty(), "{} {first}: {:?}", row.id, desk.tree().keys());
        }
    }
}

#[test]
fn what_other_clients_have_and_nobody_can_read_keeps_nothing() {
    let desk = Desk::new();
    std::fs::create_dir(desk.root().join(".claude")).unwrap();
    std::os::unix::fs::symlink("nowhere", desk.root().join(".claude/settings.json")).unwrap();
    let before = desk.tree();
    desk.ok("init --no-search --platform codex");
    desk.ok("uninstall");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    // Nor does what kept ours out.
    let desk = Desk::new();
    desk.write(".claude", "a file\n");
    let before = desk.tree();
    assert_eq!(desk.run("init --no-search --platform claude-code").code, 1);
    desk.ok("uninstall");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn a_file_of_the_user_in_the_place_of_ours_comes_back() {
    for (platform, path) in [
        ("claude-code", SKILL),
        ("opencode", PLUGIN),
        ("openclaw", "hooks/hipocampus-compact/handler.js"),
        ("codex", ".agents/skills/hipocampus-flush/SKILL.md"),
    ] {
        let desk = Desk::new();
        desk.write(path, "---\nname: hipocampus-core\n---\nmine\r\n\u{feff}");
        let before = desk.tree();
        let ran = desk.ok(&format!("init --no-search --platform {platform}"));
        assert!(!ran.err.contains("you had changed"), "{}", ran.err);
        assert!(ran.err.contains("uninstall` restores it"), "{}", ran.err);
        assert!(!desk.read(path).contains("mine"));
        let installed = desk.tree();
        desk.ok("init --no-search");
        assert_eq!(diff(&installed, &desk.tree()), Vec::<String>::new());
        desk.ok("uninstall");
        assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    }
}

#[test]
fn a_file_of_the_user_is_none_of_another_clients_business() {
    let desk = Desk::new();
    desk.write(SKILL, "---\nname: hipocampus-core\n---\nmine\n");
    let before = desk.tree();
    desk.ok("init --no-search --platform codex");
    assert_eq!(desk.tree().get(SKILL), before.get(SKILL));
    desk.ok("uninstall");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn where_nothing_was_set_up_nothing_leaves() {
    let desk = Desk::new();
    desk.write("memory/2026-03-01.md", "diary\n");
    desk.write("memory/ROOT.md", "# My own title\n## Chapter one\n<!-- to do -->\n");
    desk.write("memory/.compaction-state.json", "{\"mine\": 1}\n");
    for folder in ["knowledge", "plans", "skills", "hooks", ".claude/skills"] {
        std::fs::create_dir_all(desk.root().join(folder)).unwrap();
    }
    let before = desk.tree();
    let ran = desk.ok("uninstall");
    assert_eq!(ran.out, "nothing to uninstall\n");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn what_was_there_before_stays_even_if_we_might_have_written_it() {
    let seed = set_up("codex").read("SCRATCHPAD.md");
    let desk = Desk::new();
    desk.write("SCRATCHPAD.md", seed);
    desk.write("memory/ROOT.md", "# My own title\n## Chapter one\n");
    desk.write("memory/.compaction-state.json", "{\"mine\": 1}\n");
    for folder in ["knowledge", "plans", "skills", "hooks", ".agents/skills"] {
        std::fs::create_dir_all(desk.root().join(folder)).unwrap();
    }
    let before = desk.tree();
    desk.ok("init --no-search --platform codex");
    desk.ok("uninstall");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn without_a_ledger_the_memory_stays() {
    let desk = set_up("codex");
    lose_the_ledger(&desk);
    desk.write("memory/2026-03-01.md", "diary\n");
    desk.write("memory/ROOT.md", "# My own title\n");
    desk.write("memory/.compaction-state.json", "{\"mine\": 1}\n");
    std::fs::create_dir(desk.root().join("hooks")).unwrap();
    desk.ok("uninstall");
    let left: Vec<_> = desk.tree().into_keys().collect();
    let memory = ["memory/.compaction-state.json", "memory/2026-03-01.md", "memory/ROOT.md"];
    assert_eq!(left, [&["hooks", "memory"], &memory[..]].concat());
}

#[test]
fn a_program_of_another_name_knows_its_hooks() {
    let mut desk = Desk::new();
    desk.exe = "/opt/hipocampus-x86_64-linux".into();
    let settings = "{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/opt/hipocampus-report compact\"}]}]}\n}\n";
    desk.write(".claude/settings.local.json", settings);
    let before = desk.tree();
    desk.ok("init --no-search --platform claude-code");
    let installed = desk.tree();
    desk.ok("init --no-search");
    desk.ok("update");
    assert_eq!(diff(&installed, &desk.tree()), Vec::<String>::new());
    let hooks =
        |desk: &Desk, path: &str| desk.read(".claude/settings.local.json").matches(path).count();
    assert_eq!(hooks(&desk, "/opt/hipocampus-x86_64-linux"), 6);
    assert!(desk.run("status --all").out.contains("hooks current"));
    // The next one has yet another name.
    desk.exe = "/opt/hipo-dev".into();
    desk.ok("update");
    assert_eq!((hooks(&desk, "/opt/hipo-dev"), hooks(&desk, "x86_64")), (6, 0));
    desk.exe = "/opt/bin/hipocampus".into();
    add(&desk, ".claude/settings.local.json", "\n");
    desk.ok("uninstall");
    assert_eq!(desk.read(".claude/settings.local.json"), format!("{settings}\n"));
    desk.write(".claude/settings.local.json", settings);
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn a_configuration_that_does_not_parse_stops_uninstall() {
    let desk = set_up("codex");
    desk.write("hipocampus.config.json", "{\n  \"platform\": \"codex\",,\n}");
    let before = desk.tree();
    for line in ["uninstall", "uninstall --dry-run", "uninstall --purge"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 1, "{line}");
        assert!(ran.err.contains("hipocampus.config.json:2:23`"), "{}", ran.err);
        assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    }
}

#[test]
fn a_dry_run_says_what_stays() {
    let desk = set_up("codex");
    add(&desk, "WORKING.md", "busy\n");
    let before = desk.tree();
    let told = desk.ok("uninstall --dry-run").err;
    assert!(told.contains("`WORKING.md`: stays"), "{told}");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn a_line_of_the_user_in_our_block_is_kept() {
    let desk = set_up("claude-code");
    let ours = desk.read("CLAUDE.md");
    desk.write("CLAUDE.md", ours.replace("@WORKING.md\n", "@WORKING.md\n@docs/mine.md\n"));
    let told = desk.ok("update").err;
    assert!(told.contains("`.hipocampus/backup/CLAUDE.md`"), "{told}");
    assert_eq!(desk.read("CLAUDE.md"), ours);
    assert!(desk.read(".hipocampus/backup/CLAUDE.md").contains("@docs/mine.md"));
    // Text around it is no reason for one.
    add(&desk, "CLAUDE.md", "\nmore\n");
    assert_eq!(desk.ok("update").err, "");
    desk.ok("uninstall");
    assert!(desk.read(".hipocampus/backup/CLAUDE.md").contains("@docs/mine.md"));
}

#[test]
fn a_section_of_the_user_keeps_its_heading() {
    let desk = Desk::new();
    desk.write("MEMORY.md", "# M\n\n## Compaction Root\nmine line\n\n## After\nx\n");
    desk.write("memory/2026-03-01.md", "## Auth [project]\n- decision: jwt\n");
    let before = desk.read("MEMORY.md");
    desk.ok("init --no-search --platform openclaw");
    desk.ok("compact");
    assert!(desk.read("MEMORY.md").contains("jwt"));
    desk.ok("uninstall");
    assert_eq!(desk.read("MEMORY.md"), before);
}

/// What a killed run was writing beside the copies of the originals goes with the next run.
#[test]
fn a_half_written_copy_is_swept() {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "mine\n");
    let left = format!(".hipocampus/backup/.CLAUDE.md.{}-1.hipocampus-tmp", i32::MAX);
    desk.write(&left, "mi");
    desk.ok("init --no-search --platform claude-code");
    assert!(!desk.root().join(&left).exists());
    assert_eq!(desk.read(".hipocampus/backup/CLAUDE.md"), "mine\n");
}
