//! `import --deleted`: what a person typed in sessions that their agent has deleted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::desk::{Desk, Ran};
use crate::support::required;

/// As Claude Code 2.1 left it behind, when its sessions were 40 days old and it had deleted them.
const LEFT: &str = include_str!("../fixtures/clients/claude-code-deleted/history.jsonl");
const PASTE: &str = include_str!("../fixtures/clients/claude-code-deleted/paste.txt");
const FIRST: &str = "6b0e8159-b14e-40f7-a129-8a1a47da6025";

fn record(id: &str, project: &Path, time: &str, display: &str) -> Value {
    let time = chrono::DateTime::parse_from_rfc3339(time).unwrap().timestamp_millis();
    json!({"display": display, "pastedContents": {}, "timestamp": time, "project": project, "sessionId": id})
}

fn home(desk: &Desk, path: &str, text: &str) {
    let path = desk.beside("home").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn history(desk: &Desk, records: &[Value]) {
    let text = records.iter().fold(String::new(), |text, record| text + &format!("{record}\n"));
    home(desk, ".claude/history.jsonl", &text);
}

/// A project with a configuration, and two sessions of it that are gone.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", r#"{"summaries":{"since":"2026-03-15"}}"#);
    desk
}

fn two_sessions(desk: &Desk) {
    let root = desk.root();
    history(
        desk,
        &[
            record("gone-1", &root, "2026-01-10T09:00:00Z", "fix the login redirect on staging"),
            record("gone-1", &root, "2026-01-10T09:10:00Z", "/model"),
            record("gone-1", &root, "2026-01-10T09:11:00Z", "!ls"),
            record("gone-1", &root, "2026-01-10T09:20:00Z", "no, keep the session cookie instead"),
            record("gone-2", &root, "2026-01-11T10:00:00Z", "/review the cookie change"),
        ],
    );
}

fn bring_in(desk: &Desk) -> Ran {
    desk.ok("import --deleted --yes")
}

fn logs(desk: &Desk) -> String {
    let folder = fs::read_dir(desk.root().join("memory")).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.path()).collect();
    paths.retain(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("20"))
    });
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn what_claude_code_leaves_behind_comes_back_once() {
    let desk = desk();
    let root = desk.root();
    home(&desk, ".claude/history.jsonl", &LEFT.replace("PROJECT", root.to_str().unwrap()));
    let hash = LEFT.split("\"contentHash\":\"").nth(1).and_then(|rest| rest.get(..16)).unwrap();
    home(&desk, &format!(".claude/paste-cache/{hash}.txt"), PASTE);
    let told = "2 sessions since 2026-01, 2 deleted by Claude Code: 5 of your messages can come back with `hipocampus import --deleted`";
    let ran = desk.ok("import --dry-run");
    assert!(ran.err.contains(told), "{}{}", ran.out, ran.err);
    let ran = bring_in(&desk);
    assert!(ran.out.contains("5 turns of 2 sessions on 1 day"), "{}{}", ran.out, ran.err);
    let log = desk.read("memory/2026-01-08.md");
    for words in [
        "— fix the login redirect on staging [prompts only]\n",
        "**User:** ERROR line 0: cookie path /admin does not match\nERROR line 1:",
        "ERROR line 13: cookie path /admin does not match why does this happen?",
        "trace 39 xxxx",
        "**User:** ok\n",
    ] {
        assert_eq!(log.matches(words).count(), 1, "{words}: {log}");
    }
    assert!(!log.contains("Pasted text #") && !log.contains("Assistant:"), "{log}");
    // Once.
    let ran = bring_in(&desk);
    assert!(ran.out.contains("nothing new"), "{}{}", ran.out, ran.err);
    assert_eq!(desk.read("memory/2026-01-08.md"), log);
    assert!(!desk.ok("import --dry-run").err.contains("deleted by"));
    let ran = desk.run("check");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    // A paste that is gone leaves its place.
    assert!(LEFT.contains(FIRST));
}

#[test]
fn the_mark_stays_wherever_the_session_is_read() {
    let desk = desk();
    two_sessions(&desk);
    bring_in(&desk);
    let log = logs(&desk);
    assert!(log.contains("— fix the login redirect on staging [prompts only]\n"), "{log}");
    assert!(log.contains("**User:** /review the cookie change\n"), "{log}");
    assert!(!log.contains("/model") && !log.contains("!ls") && !log.contains("Assistant"), "{log}");
    let ran = desk.ok("search which cookie is kept");
    let title = ran.out.lines().find(|line| line.contains("2026-01-10.md")).unwrap();
    assert!(
        title.contains("fix the login") && title.ends_with(" [prompts only]  gone-1"),
        "{}",
        ran.out
    );
    let ran = desk.ok("show gone-1");
    assert!(
        ran.out.contains("[prompts only]") && ran.out.contains("keep the session"),
        "{}",
        ran.out
    );
    // A day that is too long for its log has an extract; nothing in it misses replies.
    let root = desk.root();
    let many: Vec<Value> = (0..60)
        .map(|at| {
            let time = format!("2026-01-12T10:{at:02}:00Z");
            let text = format!("please move stage {at} of the build\ninto a job of its own\nand name it stage-{at}\nso that it can be run alone");
            record("gone-3", &root, &time, &text)
        })
        .collect();
    history(&desk, &many);
    bring_in(&desk);
    let node = desk.read("memory/daily/2026-01-12.md");
    assert!(node.contains("it is an extract"), "{node}");
    assert!(node.contains("[prompts only]") && node.contains("- user: "), "{node}");
    for word in ["answer:", "no reply", "damaged", "cut"] {
        assert!(!node.contains(word), "{word}: {node}");
    }
}

#[test]
fn what_is_kept_or_captured_or_of_somebody_else_stays_out() {
    let desk = desk();
    let root = desk.root();
    fs::create_dir_all(root.join("web/src")).unwrap();
    fs::create_dir_all(desk.beside("other")).unwrap();
    let at = "2026-01-10T09:00:00Z";
    history(
        &desk,
        &[
            record("kept", &root, at, "its transcript is still there"),
            record("captured", &root, at, "a hook has saved this one"),
            record("renamed", &root, at, "these words are in the log under another id"),
            record("elsewhere", &desk.beside("other"), at, "of another project"),
            record("below", &root.join("web/src"), at, "said in a folder of the project"),
        ],
    );
    home(&desk, ".claude/projects/-somewhere/kept.jsonl", "");
    desk.write(
        "memory/2026-01-10.md",
        "<!-- hipocampus:session captured 0-90 -->\n## Session — 2026-01-10 10:00:00\n\n**User:** a hook has\n\
         <!-- hipocampus:end captured 90 -->\n<!-- hipocampus:session other 0-90 -->\n\
         ## Session — 2026-01-10 10:00:00\n\n**User:** these words are in the log under another id\n\
         <!-- hipocampus:end other 90 -->\n",
    );
    let ran = desk.ok("import --dry-run");
    assert!(
        ran.err.contains("4 sessions since 2026-01, 1 deleted by Claude Code: 1 of your message"),
        "{}",
        ran.err
    );
    bring_in(&desk);
    let log = logs(&desk);
    assert!(log.contains("said in a folder of the project"), "{log}");
    for words in ["its transcript", "a hook has saved", "of another project"] {
        assert!(!log.contains(words), "{words}: {log}");
    }
    assert_eq!(log.matches("these words are in the log").count(), 1, "{log}");
    assert_eq!(log.matches("[prompts only]").count(), 1, "{log}");
}

#[test]
fn what_was_forgotten_does_not_come_back() {
    let desk = desk();
    two_sessions(&desk);
    bring_in(&desk);
    desk.ok("forget gone-2 --yes");
    desk.run_args(&["hipocampus", "forget", "--match", "session cookie", "--yes"]);
    assert!(!logs(&desk).contains("session cookie"));
    for _ in 0..2 {
        desk.run("import --deleted --yes");
        let log = logs(&desk);
        assert!(!log.contains("session cookie") && !log.contains("review the cookie"), "{log}");
        assert_eq!(log.matches("**User:** fix the login redirect").count(), 1, "{log}");
    }
    assert!(!desk.run("import --dry-run").err.contains("deleted by"));
}

#[test]
fn secrets_are_replaced() {
    let desk = desk();
    let token = format!("gh{}_{}", "p", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let root = desk.root();
    history(&desk, &[record("gone", &root, "2026-01-10T09:00:00Z", &format!("push with {token}"))]);
    bring_in(&desk);
    let log = logs(&desk);
    assert!(log.contains("**User:** push with [REDACTED") && !log.contains(&token), "{log}");
}

#[test]
fn commits_of_the_day_stand_below_the_prompts() {
    let git = |root: &Path, date: &str, args: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(root).args(args).env("HOME", root).env("GIT_CONFIG_NOSYSTEM", "1");
        git.env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
        git.output().is_ok_and(|output| output.status.success())
    };
    let mut desk = desk();
    let root = desk.root();
    if !required(git(&root, "", &["init", "-q"]), "git") {
        return;
    }
    git(&root, "", &["config", "user.email", "ada@example.org"]);
    git(&root, "", &["config", "user.name", "Ada"]);
    let commit = |date: &str, subject: &str| {
        std::fs::write(root.join("notes.txt"), subject).unwrap();
        assert!(git(&root, date, &["add", "notes.txt"]), "{subject}");
        assert!(git(&root, date, &["commit", "-q", "-m", subject]), "{subject}");
    };
    commit("2026-01-09T12:00:00Z", "of a day without prompts");
    commit("2026-01-10T09:05:00Z", "redirect after the login");
    commit("2026-01-10T15:00:00Z", "keep the session cookie");
    git(&root, "", &["config", "user.email", "bob@example.org"]);
    commit("2026-01-10T15:30:00Z", "by a colleague");
    git(&root, "", &["config", "user.email", "ada@example.org"]);
    two_sessions(&desk);
    // Without git nothing stands there.
    let other = Desk::new();
    other.write("hipocampus.config.json", "{}");
    two_sessions(&other);
    bring_in(&other);
    assert!(!logs(&other).contains("[commit:"));
    desk.path = std::env::var("PATH").unwrap();
    bring_in(&desk);
    let log = logs(&desk);
    let expect =
        "**User:** fix the login redirect on staging\n[commit: redirect after the login]\n";
    assert!(log.contains(expect), "{log}");
    let expect =
        "**User:** no, keep the session cookie instead\n[commit: keep the session cookie]\n";
    assert!(log.contains(expect), "{log}");
    assert_eq!(log.matches("[commit:").count(), 2, "{log}");
    assert!(bring_in(&desk).out.contains("nothing new"));
}

#[test]
fn init_says_what_can_come_back() {
    let desk = Desk::new();
    two_sessions(&desk);
    let ran = desk.ok("init --no-search --platform claude-code");
    let told = "found: 2 sessions since 2026-01, 2 deleted by Claude Code: 3 of your messages can come back with `hipocampus import --deleted`\n";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn prompts_of_codex_come_back_where_their_project_is_known() {
    let desk = desk();
    let root = desk.root();
    let kept = "0199a213-81c0-7800-8aa1-bbab2a035a53";
    let line = |id: &str| json!({"session_id": id, "ts": 1_768_050_000, "text": format!("{id} asks for a flag")});
    let lines = format!("{}\n{}\n{}\n", line("t1"), line("t2"), line(kept));
    home(&desk, ".codex/history.jsonl", &lines);
    let rollout = format!(".codex/sessions/2026/01/10/rollout-2026-01-10T09-00-00-{kept}.jsonl");
    home(&desk, &rollout, "");
    let script = format!(
        "import sqlite3\nc = sqlite3.connect('state_5.sqlite', isolation_level=None)\n\
         c.execute('create table threads (id text primary key, cwd text)')\n\
         c.execute('insert into threads values (?, ?)', ('t1', {:?}))\n",
        root.to_str().unwrap()
    );
    let mut python = Command::new("python3");
    python.args(["-c", &script]).current_dir(desk.beside("home/.codex"));
    if !required(python.output().is_ok_and(|output| output.status.success()), "python3") {
        return;
    }
    let ran = desk.ok("import --dry-run");
    assert!(
        ran.err.contains("1 session since 2026-01, 1 deleted by Codex: 1 of your message"),
        "{}",
        ran.err
    );
    let ran = bring_in(&desk);
    assert!(
        ran.err.contains("1 deleted session of Codex cannot be placed"),
        "{}{}",
        ran.out,
        ran.err
    );
    let log = logs(&desk);
    assert!(
        log.contains("**User:** t1 asks for a flag") && log.contains("[prompts only]"),
        "{log}"
    );
    assert!(!log.contains("t2 asks") && !log.contains(kept), "{log}");
}
