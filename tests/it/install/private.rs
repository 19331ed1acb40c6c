//! Private projects: the repository has no trace of them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::desk::{Desk, Ran, diff, tree};

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

/// A repository of a team, with a linked worktree `w` beside it.
fn repository() -> (Desk, PathBuf) {
    let mut desk = Desk::new();
    desk.exe = desk.beside("bin/hipocampus");
    std::fs::create_dir(desk.beside("bin")).unwrap();
    std::fs::write(&desk.exe, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&desk.exe, std::fs::Permissions::from_mode(0o755)).unwrap();
    git(&desk.root(), "init -q");
    desk.write("CLAUDE.md", "# The team's\n");
    desk.write(".gitignore", "/target/\n");
    desk.write("pkg/a%b/src.txt", "a\n");
    git(&desk.root(), "add -A");
    git(&desk.root(), "commit -qm first");
    git(&desk.root(), "worktree add -q ../w");
    let worktree = desk.beside("w").canonicalize().unwrap();
    (desk, worktree)
}

/// All that git shows of a worktree, what it ignores included.
fn shown(folder: &Path) -> String {
    git(folder, "status --porcelain --ignored --untracked-files=all") + &git(folder, "diff HEAD")
}

fn go(desk: &Desk, folder: &Path, line: &str) -> Ran {
    let mut args = vec!["hipocampus"];
    args.extend(line.split_whitespace());
    let ran = desk.run_in(folder, &args);
    assert_eq!(ran.code, 0, "{line}: {}{}", ran.out, ran.err);
    ran
}

/// A hook's call in a folder, with what the agent hands it.
fn hook(desk: &mut Desk, folder: &Path, line: &str, input: &serde_json::Value) -> Ran {
    desk.stdin = Some(input.to_string());
    let ran = go(desk, folder, line);
    desk.stdin = None;
    ran
}

fn start(folder: &Path) -> serde_json::Value {
    let transcript = folder.join("../home/.claude/projects/p/s.jsonl");
    serde_json::json!({
        "session_id": "s", "cwd": folder, "hook_event_name": "SessionStart", "source": "startup",
        "transcript_path": transcript,
    })
}

#[test]
fn git_shows_nothing_of_a_private_project_in_any_layout() {
    for platform in ["claude-code", "codex", "opencode"] {
        for layout in ["plain", "worktree", "subfolder"] {
            let (mut desk, worktree) = repository();
            let folder = match layout {
                "plain" => desk.root(),
                "worktree" => worktree.clone(),
                _ => desk.root().join("pkg/a%b"),
            };
            let line = format!("init --no-search --private --platform {platform}");
            let ran = go(&desk, &folder, &line);
            assert!(ran.out.contains("no trace of them"), "{layout}: {}", ran.out);
            go(&desk, &folder, "flush --topic Retries --type feedback -m never_retry_in_a_loop");
            let input = start(&folder);
            hook(&mut desk, &folder, "compact --stdin --private", &input);
            let found = go(&desk, &folder, "search never_retry_in_a_loop");
            assert!(found.out.contains("Retries"), "{layout}: {}", found.out);
            let update = go(&desk, &folder, "update");
            assert!(update.out.starts_with("everything is in place\n"), "{layout}: {}", update.out);
            let status = go(&desk, &folder, "status --all");
            assert!(
                status.out.contains(&format!("{platform}: section none needed")),
                "{}",
                status.out
            );
            assert_eq!(go(&desk, &folder, "check").code, 0);
            for folder in [&desk.root(), &worktree] {
                assert_eq!(shown(folder), "", "{platform}, {layout}");
            }
        }
    }
}

#[test]
fn uninstall_gives_the_repository_and_the_home_back_as_they_were() {
    for platform in ["claude-code", "codex", "opencode"] {
        for user in [None, Some("{\n  \"model\": \"opus\", // mine\n  \"hooks\": {}\n}\n")] {
            let (desk, _) = repository();
            let home = desk.beside("home");
            for file in [".claude/settings.json", ".codex/hooks.json"] {
                if let Some(text) = user {
                    std::fs::create_dir_all(home.join(file).parent().unwrap()).unwrap();
                    std::fs::write(home.join(file), text).unwrap();
                }
            }
            std::fs::create_dir_all(home.join(".claude/skills")).unwrap();
            let before = (desk.tree(), tree(&home));
            go(&desk, &desk.root(), &format!("init --no-search --private --platform {platform}"));
            assert_ne!(diff(&before.1, &tree(&home)), Vec::<String>::new());
            go(&desk, &desk.root(), "uninstall");
            assert_eq!(diff(&before.0, &desk.tree()), Vec::<String>::new(), "{platform}");
            let mut after = tree(&home);
            after.retain(|path, _| !path.starts_with(".local"));
            assert_eq!(diff(&before.1, &after), Vec::<String>::new(), "{platform} {user:?}");
        }
    }
}

#[test]
fn the_home_is_cleared_by_the_last_private_project() {
    let (desk, _) = repository();
    let other = desk.beside("other");
    std::fs::create_dir(&other).unwrap();
    git(&other, "init -q");
    go(&desk, &desk.root(), "init --no-search --private --platform claude-code");
    go(&desk, &other, "init --no-search --private --platform codex");
    let settings = desk.beside("home/.claude/settings.json");
    let hooks = desk.beside("home/.codex/hooks.json");
    assert!(settings.is_file() && hooks.is_file());
    let ran = go(&desk, &desk.root(), "uninstall");
    assert!(ran.err.contains("1 other private project"), "{}", ran.err);
    // The agents of the one that is left stay.
    assert!(!settings.exists() && hooks.is_file());
    go(&desk, &other, "uninstall");
    assert!(!hooks.exists());
}

#[test]
fn an_agent_has_section_and_index_from_the_start_of_its_session() {
    let (mut desk, worktree) = repository();
    go(&desk, &desk.root(), "init --no-search --private --platform claude-code");
    go(&desk, &desk.root(), "flush --topic Retries --type feedback -m never_retry_in_a_loop");
    for folder in [desk.root(), worktree, desk.root().join("pkg")] {
        let input = start(&folder);
        let ran = hook(&mut desk, &folder, "hook session-start --private", &input);
        let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let said = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned();
        assert!(said.starts_with("hipocampus: the memory of this project is private"), "{said}");
        for part in ["hipocampus search QUESTION", ".git/hipocampus/top", "never_retry_in_a_loop"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        // Of hooks that the team has in its settings and those in the home, one kind answers.
        assert_eq!(hook(&mut desk, &folder, "hook session-start", &input).out, "");
    }
}

#[test]
fn hooks_in_the_home_do_nothing_in_other_projects() {
    let mut desk = Desk::new();
    git(&desk.root(), "init -q");
    desk.ok("init --no-search --platform claude-code");
    desk.ok("flush --topic Retries --type feedback -m never_retry_in_a_loop");
    let before = desk.tree();
    for line in ["hook session-start", "hook prompt", "hook tool", "compact --stdin"] {
        for folder in [desk.root(), desk.beside("home")] {
            let input = start(&folder);
            let ran = hook(&mut desk, &folder, &format!("{line} --private"), &input);
            assert_eq!((&*ran.out, &*ran.err), ("", ""), "{line}");
        }
    }
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
}

#[test]
fn sessions_in_every_worktree_are_the_private_projects() {
    let (mut desk, worktree) = repository();
    go(&desk, &desk.root(), "init --no-search --private --platform claude-code");
    let folders = [("a", desk.root().join("pkg")), ("b", worktree), ("c", desk.beside("home"))];
    for (id, folder) in &folders {
        let slug: String = folder
            .to_str()
            .unwrap()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let place = desk.beside("home/.claude/projects").join(slug);
        std::fs::create_dir_all(&place).unwrap();
        let record = serde_json::json!({
            "type": "user", "uuid": format!("u-{id}-0123456789abcdef"), "sessionId": id, "cwd": folder,
            "timestamp": "2026-03-15T12:00:00.000Z", "promptSource": "user", "permissionMode": "default",
            "message": {"role": "user", "content": format!("question {id} about grpc")},
        });
        std::fs::write(place.join(format!("{id}.jsonl")), format!("{record}\n")).unwrap();
    }
    let root = desk.root();
    let input = start(&root);
    hook(&mut desk, &root, "hook session-start --private", &input);
    let imported = go(&desk, &root, "import --yes");
    let log = desk.read(".git/hipocampus/top/memory/2026-03-15.md");
    for (id, here) in [("a", true), ("b", true), ("c", false)] {
        assert_eq!(
            log.contains(&format!("question {id} about")),
            here,
            "{id}: {log}{}",
            imported.out
        );
    }
}

#[test]
fn nobody_else_reads_a_private_memory() {
    let (desk, _) = repository();
    go(&desk, &desk.root(), "init --no-search --private --platform claude-code");
    go(&desk, &desk.root(), "flush --topic Retries -m grpc");
    let top = desk.root().join(".git/hipocampus");
    for path in std::iter::once(top.clone()).chain(tree(&top).into_keys().map(|it| top.join(it))) {
        let meta = path.symlink_metadata().unwrap();
        let mode = meta.permissions().mode() & 0o777;
        // The lock has nothing in it.
        let expect = match meta.is_dir() {
            true => 0o700,
            false if path.ends_with(".hipocampus.lock") => 0o644,
            false => 0o600,
        };
        assert_eq!(mode, expect, "{}", path.display());
    }
    let register = desk.beside("home/.local/state/hipocampus/private/projects.json");
    assert_eq!(register.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_a_private_project_cannot_be_is_said() {
    #[track_caller]
    fn check(desk: &Desk, line: &str, words: &str) {
        let before = desk.tree();
        let ran = desk.run(line);
        assert!(ran.code != 0 && ran.err.contains(words), "{line}: {}{}", ran.out, ran.err);
        assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new(), "{line}");
    }
    let desk = Desk::new();
    check(&desk, "init --private", "is in no git repository of yours");
    let (desk, _) = repository();
    check(&desk, "init --private --platform openclaw", "no project of OpenClaw can be private");
    check(&desk, "init --private --share", "cannot be used with");
    go(&desk, &desk.root(), "init --no-search --private --platform claude-code");
    check(&desk, "init --share", "this project is private");
    check(&desk, "update --tenant x", "this project is private");
    let (desk, _) = repository();
    desk.ok("init --no-search --platform claude-code");
    check(&desk, "init --private", "`hipocampus merge`");
    check(&desk, "update --private", "has a memory that is not private");
}

#[test]
fn a_memory_moves_between_private_and_not() {
    let (desk, _) = repository();
    desk.ok("init --no-search --platform claude-code");
    desk.ok("flush --topic Retries -m grpc_was_chosen");
    desk.ok("uninstall");
    std::fs::rename(desk.root().join("memory"), desk.beside("moved")).unwrap();
    desk.ok("init --no-search --private --platform claude-code");
    desk.ok(&format!("merge {}", desk.beside("moved").display()));
    assert!(desk.ok("search grpc_was_chosen").out.contains("Retries"));
    assert_eq!(shown(&desk.root()), "");
    let ran = desk.ok("uninstall");
    assert!(ran.out.contains("next: the memory stays in"), "{}", ran.out);
    desk.ok("init --no-search --platform claude-code");
    desk.ok("merge .git/hipocampus/top");
    assert!(desk.read("memory/2026-03-15.md").contains("grpc_was_chosen"));
}

#[test]
fn a_terminal_is_offered_it_first_where_git_tracks_the_section() {
    #[track_caller]
    fn check(answer: &str, private: bool, asked: bool) {
        let (mut desk, _) = repository();
        if !asked {
            git(&desk.root(), "rm -q --cached CLAUDE.md");
        }
        desk.at_terminal = true;
        desk.stdin = Some(format!("{answer}\n1\n"));
        let ran = desk.ok("init --no-search --platform claude-code --summaries agent");
        assert_eq!(ran.err.contains("git tracks `CLAUDE.md`"), asked, "{}", ran.err);
        assert_eq!(desk.has(".git/hipocampus/top/memory/ROOT.md"), private, "{}", ran.err);
        assert_eq!(desk.has("memory/ROOT.md"), !private, "{}", ran.err);
    }
    check("", true, true);
    check("1", true, true);
    check("2", false, true);
    check("", false, false);
}

#[test]
fn a_pointer_to_a_repository_that_does_not_know_of_it_leads_nowhere() {
    let (desk, _) = repository();
    go(&desk, &desk.root(), "init --no-search --private --platform claude-code");
    let forged = desk.beside("forged");
    std::fs::create_dir(&forged).unwrap();
    let pointer = format!("gitdir: {}\n", desk.root().join(".git").display());
    std::fs::write(forged.join(".git"), pointer).unwrap();
    let ran = desk.run_in(&forged, &["hipocampus", "flush", "-m", "evil"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let top = desk.root().join(".git/hipocampus/top/memory");
    assert!(!top.join("2026-03-15.md").exists());
}

#[test]
fn init_says_what_to_commit_and_what_colleagues_see() {
    #[track_caller]
    fn check(flag: &str, words: Option<&str>) {
        let (desk, _) = repository();
        let ran = desk.ok(&format!("init --no-search --platform claude-code {flag}"));
        let line = ran.out.lines().find(|line| line.starts_with("git: commit "));
        assert_eq!(line.is_some(), words.is_some(), "{flag}: {}", ran.out);
        let (line, words) = (line.unwrap_or_default(), words.unwrap_or_default());
        assert!(line.contains(words), "{flag}: {line}");
    }
    check("", Some("CLAUDE.md, the skills, `hipocampus.config.json`"));
    check("", Some("nothing of the memory; `hipocampus init --private`"));
    check("--share", Some("and the memory, sessions included"));
    check("--private", None);
    let desk = Desk::new();
    assert!(!desk.ok("init --no-search").out.contains("git: "));
}

#[test]
fn the_plugin_of_opencode_works_in_private_projects_alone() {
    if Command::new("node").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "node is not installed");
        return;
    }
    let (desk, worktree) = repository();
    go(&desk, &desk.root(), "init --no-search --private --platform opencode");
    let plugin = desk.beside("home/.config/opencode/plugins/hipocampus.js");
    let plugin = std::fs::read_to_string(plugin).unwrap();
    let (take, called) = (desk.beside("take.sh"), desk.beside("called"));
    let answer = r#"{"hookSpecificOutput":{"additionalContext":"THE-START"}}"#;
    let script =
        format!("#!/bin/sh\necho \"$PWD $*\" >> '{}'\necho '{answer}'\n", called.display());
    std::fs::write(&take, script).unwrap();
    std::fs::set_permissions(&take, std::fs::Permissions::from_mode(0o755)).unwrap();
    let is_program = |line: &&str| line.starts_with("const PROGRAM = ");
    let line = plugin.lines().find(is_program).unwrap();
    let ours = format!("const PROGRAM = {:?};", take.to_string_lossy());
    std::fs::write(desk.beside("plugin.mjs"), plugin.replace(line, &ours)).unwrap();
    let ordinary = desk.beside("ordinary");
    std::fs::create_dir(&ordinary).unwrap();
    git(&ordinary, "init -q");
    std::fs::write(ordinary.join("hipocampus.config.json"), "{}\n").unwrap();
    let client = "{ session: { get: async () => ({ data: { id: 's' } }), list: async () => ({ data: [] }), messages: async () => ({ data: [] }) } }";
    for (folder, at) in [
        (desk.root(), Some(desk.root())),
        (desk.root().join("pkg"), Some(desk.root())),
        (worktree.clone(), Some(worktree)),
        (ordinary, None),
    ] {
        let run = format!(
            "import {{ HipocampusPlugin }} from './plugin.mjs';\nconst hooks = await HipocampusPlugin({{ client: {client}, directory: {:?} }});\nconst output = {{ system: [] }};\nawait hooks['experimental.chat.system.transform']?.({{ sessionID: 's' }}, output);\nawait hooks.event?.({{ event: {{ type: 'session.idle', properties: {{ sessionID: 's' }} }} }});\nconsole.log(output.system.join());\n",
            folder.to_string_lossy()
        );
        std::fs::write(desk.beside("run.mjs"), run).unwrap();
        let _ = std::fs::remove_file(&called);
        let output =
            Command::new("node").arg("run.mjs").current_dir(desk.beside("")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8(output.stdout).unwrap();
        let calls = std::fs::read_to_string(&called).unwrap_or_default();
        let expect = at.map_or_else(String::new, |at| {
            let at = at.canonicalize().unwrap();
            let at = at.display();
            format!("{at} hook session-start --private\n{at} compact --stdin --private\n")
        });
        assert_eq!(calls, expect, "{}", folder.display());
        assert_eq!(said.trim() == "THE-START", !expect.is_empty(), "{said}");
    }
}
