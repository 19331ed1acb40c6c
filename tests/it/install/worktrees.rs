//! Linked git worktrees remember in the main one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::desk::{Desk, Ran};

/// Runs git in a folder; it has to succeed.
#[track_caller]
fn git(folder: &Path, line: &str) -> String {
    let mut git = Command::new("git");
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]);
    let output = git.args(line.split(' ')).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A project in git with a linked worktree `w` beside it; `commit` says what is committed before that.
fn project(platforms: &[&str], commit: bool) -> (Desk, PathBuf) {
    let desk = Desk::new();
    git(&desk.root(), "init -q");
    desk.write("src/a.txt", "a\n");
    git(&desk.root(), "add -A");
    git(&desk.root(), "commit -qm first");
    for platform in platforms {
        desk.ok(&format!("init --no-search --platform {platform}"));
    }
    if commit {
        git(&desk.root(), "add -A");
        git(&desk.root(), "commit -qm memory");
    }
    git(&desk.root(), "worktree add -q ../w");
    let worktree = desk.beside("w").canonicalize().unwrap();
    (desk, worktree)
}

fn in_worktree(desk: &Desk, folder: &Path, line: &str) -> Ran {
    let mut args = vec!["hipocampus"];
    args.extend(line.split(' '));
    desk.run_in(folder, &args)
}

fn files(folder: &Path) -> Vec<String> {
    let tree = crate::desk::tree(folder).into_iter();
    tree.filter(|(_, what)| what.starts_with("file")).map(|(path, _)| path).collect()
}

#[test]
fn npm_left_what_a_worktree_learnt_in_the_worktree() {
    for commit in [true, false] {
        let (desk, worktree) = project(&["claude-code"], commit);
        for (folder, topic) in [(worktree.clone(), "first"), (worktree.join("src"), "second")] {
            let ran = in_worktree(&desk, &folder, &format!("flush --topic {topic} -m grpc"));
            assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        }
        assert!(!worktree.join("memory").exists());
        git(&desk.root(), "worktree remove --force ../w");
        assert_eq!(desk.read("memory/2026-03-15.md").matches("grpc").count(), 2);
    }
}

#[test]
fn a_worktree_keeps_to_itself_where_it_should() {
    #[track_caller]
    fn check(why: &str, shared: bool, prepare: impl Fn(&Desk, &Path)) {
        let (desk, worktree) = project(&["claude-code"], true);
        prepare(&desk, &worktree);
        let ran = in_worktree(&desk, &worktree, "flush -m grpc");
        assert_eq!(ran.code, 0, "{why}: {}{}", ran.out, ran.err);
        assert_eq!(desk.has("memory/2026-03-15.md"), shared, "{why}");
        assert_eq!(worktree.join("memory/2026-03-15.md").exists(), !shared, "{why}");
    }
    let config = "hipocampus.config.json";
    check("as a rule", true, |_, _| {});
    check("the config says so", false, |desk, _| {
        desk.write(config, desk.read(config).replacen('{', "{\"worktrees\": \"own\",", 1));
    });
    check("it has logs", false, |_, worktree| {
        std::fs::create_dir(worktree.join("memory")).unwrap();
        std::fs::write(worktree.join("memory/2026-03-01.md"), "## A\n").unwrap();
    });
    check("git tracks the memory", false, |desk, _| {
        git(&desk.root(), "add -f memory/ROOT.md");
    });
    check("the main worktree has no project", false, |desk, _| {
        desk.ok("uninstall");
    });
    check("the repository points elsewhere", false, |desk, _| {
        let back = desk.root().join(".git/worktrees/w/gitdir");
        std::fs::write(back, "/somewhere/else/.git\n").unwrap();
    });
    check("the repository is bare", false, |desk, _| {
        git(&desk.root(), "config core.bare true");
    });
}

#[test]
fn a_pointer_into_a_repository_that_does_not_know_of_it_is_not_followed() {
    let (desk, worktree) = project(&["claude-code"], true);
    // As something that was unpacked could have it: all of it fits, but lies outside of the repository.
    let forged = desk.beside("forged");
    std::fs::create_dir_all(forged.join("kept")).unwrap();
    let write = |path: &str, text: String| std::fs::write(forged.join(path), text).unwrap();
    write(".git", "gitdir: kept\n".to_owned());
    write("kept/gitdir", format!("{}\n", forged.join(".git").display()));
    write("kept/commondir", format!("{}\n", desk.root().join(".git").display()));
    write("hipocampus.config.json", "{}\n".to_owned());
    let ran = in_worktree(&desk, &forged, "flush -m evil");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(forged.join("memory/2026-03-15.md").exists() && !desk.has("memory/2026-03-15.md"));
    // Nor a copy of a worktree.
    let copied = desk.beside("copied");
    std::fs::create_dir(&copied).unwrap();
    std::fs::copy(worktree.join(".git"), copied.join(".git")).unwrap();
    let ran = in_worktree(&desk, &copied, "flush -m evil");
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(!desk.has("memory/2026-03-15.md"));
}

#[test]
fn only_hooks_are_written_into_a_worktree() {
    for (command, commit) in [("init", true), ("update", true), ("update", false)] {
        let (desk, worktree) = project(&["claude-code", "codex", "opencode"], commit);
        let before = files(&worktree);
        let tree = desk.tree();
        let ran = in_worktree(&desk, &worktree, command);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let new: Vec<_> =
            files(&worktree).into_iter().filter(|path| !before.contains(path)).collect();
        let hooks =
            [".claude/settings.local.json", ".codex/hooks.json", ".opencode/plugins/hipocampus.js"];
        assert_eq!(new, hooks, "{command}");
        // No file with a path of this machine is for git to add.
        assert_eq!(git(&worktree, "status --porcelain"), "", "{command} {commit}");
        let mut after = desk.tree();
        after.retain(|path, _| !path.starts_with(".git/"));
        let mut tree = tree;
        tree.retain(|path, _| !path.starts_with(".git/"));
        assert_eq!(crate::desk::diff(&tree, &after), Vec::<String>::new());
        let again = in_worktree(&desk, &worktree, command);
        assert!(again.out.contains("everything is in place"), "{}", again.out);
        let gone = in_worktree(&desk, &worktree, "uninstall");
        assert_eq!(gone.code, 0, "{}", gone.err);
        assert_eq!(files(&worktree), before, "{command}");
        assert!(desk.has("hipocampus.config.json"));
    }
}

#[test]
fn update_sees_to_every_worktree_and_status_names_those_without() {
    let (desk, worktree) = project(&["claude-code"], true);
    let settings = worktree.join(".claude/settings.local.json");
    let mine = "{\n  \"model\": \"opus\", \"x\": [ ]\n}";
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&settings, mine).unwrap();
    let exclude = std::fs::read(desk.root().join(".git/info/exclude")).unwrap();
    let lacks = format!("the worktree `{}` has no hooks for claude-code", worktree.display());
    let status = desk.run("status --all").out;
    assert!(status.contains(&lacks) && status.contains("run `hipocampus update`"), "{status}");
    let shown = desk.ok("update --dry-run").out;
    assert!(shown.contains("~ .claude/settings.local.json (hooks)"), "{shown}");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), mine);
    desk.ok("update");
    let text = std::fs::read_to_string(&settings).unwrap();
    assert!(text.contains("hook session-start") && text.contains("\"model\": \"opus\""), "{text}");
    assert!(!desk.run("status --all").out.contains("has no hooks"));
    desk.ok("uninstall");
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), mine);
    assert_eq!(std::fs::read(desk.root().join(".git/info/exclude")).unwrap(), exclude);
    assert!(!desk.has(".hipocampus"), "{:?}", desk.tree().keys());
}

/// Claude Code runs the hooks of the main worktree in one that has no folder `.claude`.
#[test]
fn a_worktree_in_which_the_hooks_of_the_main_one_run_lacks_none() {
    let (desk, worktree) = project(&["claude-code"], false);
    let lacks = |desk: &Desk| {
        let (check, status) = (desk.run("check").out, desk.run("status --all").out);
        (check.contains("has no hooks"), status.contains("has no hooks"))
    };
    assert!(!worktree.join(".claude").exists());
    assert_eq!(lacks(&desk), (false, false));
    std::fs::create_dir(worktree.join(".claude")).unwrap();
    assert_eq!(lacks(&desk), (true, true));
    // No other client does so.
    let (desk, worktree) = project(&["opencode"], false);
    assert!(!worktree.join(".opencode").exists());
    assert_eq!(lacks(&desk), (true, true));
    desk.ok("update");
    assert!(worktree.join(".opencode/plugins/hipocampus.js").exists());
    assert_eq!(lacks(&desk), (false, false));
}

#[test]
fn a_session_in_a_worktree_is_told_the_index_and_where_the_rest_is() {
    let (mut desk, worktree) = project(&["claude-code"], true);
    desk.write("memory/2026-03-14.md", "## Queue search [user]\n- always sort by draught\n");
    desk.ok("compact");
    let main = desk.root();
    let mut told = |source: &str, cwd: &Path| {
        let session = desk.beside("home/.claude/projects/x/s.jsonl");
        let hook = serde_json::json!({"hook_event_name": "SessionStart", "source": source, "cwd": cwd, "transcript_path": session});
        desk.stdin = Some(hook.to_string());
        let ran = desk.run_in(cwd, &["hipocampus", "hook", "session-start"]);
        assert_eq!((ran.code, &*ran.err), (0, ""));
        ran.out
    };
    for source in ["startup", "clear", "compact"] {
        let text = told(source, &worktree);
        assert!(text.contains("Queue search"), "{source}: {text}");
        assert!(text.contains("linked git worktree") && text.contains("/p`"), "{text}");
        assert!(text.chars().count() < 10_000);
    }
    for source in ["resume", "fork"] {
        assert_eq!(told(source, &worktree), "", "{source}");
    }
    assert_eq!(told("startup", &main), "");
}

#[test]
fn the_latest_session_of_a_worktree_is_the_projects() {
    let (desk, worktree) = project(&["claude-code"], true);
    let slug = worktree.to_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = desk.beside("home/.claude/projects").join(slug);
    std::fs::create_dir_all(&folder).unwrap();
    let record = serde_json::json!({"type": "user", "sessionId": "s", "uuid": "u", "cwd": worktree,
        "message": {"role": "user", "content": "from the worktree"}});
    std::fs::write(folder.join("s.jsonl"), format!("{record}\n")).unwrap();
    let ran = in_worktree(&desk, &worktree, "flush");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(desk.read("memory/2026-03-15.md").contains("**User:** from the worktree"));
}
