//! What git tracks, or would add, says nothing of this machine.

use std::process::Command;

use crate::desk::{Desk, PROGRAM, npm_project};

/// What git prints of a command in a project, with nobody's configuration.
#[track_caller]
pub(super) fn git(desk: &Desk, line: &str) -> String {
    let mut git = Command::new("git");
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(line.split(' '));
    let output = git.current_dir(desk.root()).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Files that git tracks or would add, with this program's path or the npm tool's in them.
fn telling(desk: &Desk) -> Vec<String> {
    let all = git(desk, "ls-files --cached --others --exclude-standard");
    let tells = |path: &&str| {
        // Files may be tracked and gone.
        let text = std::fs::read_to_string(desk.root().join(path)).unwrap_or_default();
        text.contains(PROGRAM) || text.contains("init.mjs")
    };
    all.lines().filter(tells).map(str::to_owned).collect()
}

#[test]
fn npm_put_paths_of_the_machine_into_files_that_git_tracks() {
    for row in hipocampus::internals::ALL {
        for old in [None, Some("existing"), Some("tenant")] {
            let knew = ["claude-code", "codex", "opencode", "openclaw"].contains(&row.id);
            if old.is_some() && !knew {
                continue;
            }
            let desk = Desk::new();
            git(&desk, "init -q");
            if let Some(kind) = old {
                npm_project(&desk, &format!("{}-{kind}", row.id));
                git(&desk, "add -A");
                desk.ok("update");
            } else {
                desk.ok(&format!("init --no-search --platform {}", row.id));
            }
            assert_eq!(telling(&desk), Vec::<String>::new(), "{} {old:?}", row.id);
        }
    }
}

#[test]
fn hooks_of_a_team_call_the_program_by_its_name_and_say_so() {
    let desk = Desk::new();
    git(&desk, "init -q");
    let theirs = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"make check\"}]}]}}\n";
    desk.write(".codex/hooks.json", theirs);
    let said = desk.ok("init --no-search --platform codex").err;
    assert!(said.contains("`.codex/hooks.json`: others get it through git"), "{said}");
    assert!(said.contains("a colleague who has no such program"), "{said}");
    let hooks = desk.read(".codex/hooks.json");
    assert!(
        hooks.contains("make check") && hooks.contains(r#"\"hipocampus\" compact --stdin"#),
        "{hooks}"
    );
    assert!(!desk.read(".gitignore").contains("/.codex/hooks.json"));
    desk.ok("uninstall");
    assert_eq!(desk.read(".codex/hooks.json"), theirs);
    // Ours alone, it is nobody else's business.
    let desk = Desk::new();
    git(&desk, "init -q");
    let said = desk.ok("init --no-search --platform codex").err;
    assert!(!said.contains("through git"), "{said}");
    assert!(desk.read(".gitignore").contains("\n/.codex/hooks.json\n"));
    assert!(desk.read(".codex/hooks.json").contains(PROGRAM));
}

#[test]
fn hooks_leave_the_settings_of_the_team() {
    let desk = Desk::new();
    desk.write(
        ".claude/settings.json",
        "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreCompact\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/x/hipocampus compact --stdin\", \"timeout\": 60}]}]\n  }\n}\n",
    );
    desk.ok("init --no-search --platform claude-code");
    assert_eq!(desk.read(".claude/settings.json"), "{\n  \"model\": \"opus\"\n}\n");
    assert!(desk.read(".claude/settings.local.json").contains("hook session-start"));
    assert!(desk.read(".gitignore").contains("\n/.claude/settings.local.json\n"));
    // They stay where they work until they can be put where they belong.
    let desk = Desk::new();
    let old = "{\"hooks\": {\"PreCompact\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/x/hipocampus compact --stdin\"}]}]}}\n";
    desk.write(".claude/settings.json", old);
    desk.write(".claude/settings.local.json", "{");
    assert_eq!(desk.run("init --no-search --platform claude-code").code, 1);
    assert_eq!(desk.read(".claude/settings.json"), old);
}

#[test]
fn status_says_that_agents_cannot_call_the_program() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let status = desk.run("status --all").out;
    assert!(status.contains("`hipocampus` is not on your PATH"), "{status}");
}

#[test]
fn uninstall_says_that_git_sees_the_memory_that_stays() {
    let told = "next: git no longer ignores `memory/`";
    for in_git in [true, false] {
        let desk = Desk::new();
        if in_git {
            git(&desk, "init -q");
        }
        desk.ok("init --no-search --platform claude-code");
        desk.write("memory/2026-03-15.md", "## a [project]\n- b\n");
        let ran = desk.ok("uninstall");
        assert_eq!(ran.out.contains(told), in_git, "{}", ran.out);
    }
    let desk = Desk::new();
    git(&desk, "init -q");
    desk.ok("init --no-search --platform claude-code");
    std::fs::remove_dir_all(desk.root().join("memory")).unwrap();
    assert!(!desk.ok("uninstall").out.contains(told));
}
