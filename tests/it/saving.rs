//! A hook that could not save says so, at the next start of a session at the latest; and what is in the way of one
//! thing stops nothing else.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use crate::desk::{Desk, is_root};
use crate::nobody::{Nobody, program};
use crate::support::has_strace;

const LOG: &str = "memory/2026-03-15.md";

/// A record of Claude Code's.
fn record(id: &str, time: &str, text: &str) -> String {
    let message = json!({"role": "user", "content": text});
    let record = json!({
        "type": "user", "sessionId": "s", "uuid": id, "timestamp": time, "message": message,
    });
    format!("{record}\n")
}

fn hook(transcript: &std::path::Path) -> Value {
    json!({"session_id": "s", "hook_event_name": "SessionEnd", "transcript_path": transcript})
}

fn start() -> Value {
    json!({"hook_event_name": "SessionStart", "source": "startup", "session_id": "next"})
}

/// What the agent is told at the start of a session.
fn context(out: &str) -> String {
    let context = |json: Value| {
        json["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    };
    serde_json::from_str(out).map(context).unwrap_or_default()
}

#[test]
fn a_lock_that_another_user_made_is_one_all_the_same() {
    let Some(nobody) = Nobody::new() else { return };
    let lock = "memory/.hipocampus.lock";
    nobody.write(lock, "");
    // As root's is to others; where the tests are not root, as one that may only be read.
    nobody.mode(lock, 0o444);
    if is_root() {
        std::os::unix::fs::chown(nobody.path(lock), Some(0), Some(0)).unwrap();
    }
    imports_at_once(&nobody, &program(), &[]);
}

#[test]
fn where_there_are_no_locks_a_folder_stands_for_one() {
    if !has_strace() {
        return;
    }
    for error in ["ENOLCK", "ENOSYS", "EOPNOTSUPP"] {
        let Some(nobody) = Nobody::new() else { return };
        let inject = format!("inject=flock:error={error}");
        let program = program();
        let traced = ["-f", "-qq", "-o", "/dev/null", "-e", &inject];
        let held = nobody.path("memory/.hipocampus.lock-held");
        // A run that is killed while it has the lock keeps nobody out.
        nobody.write("killed.jsonl", record("k", "2026-03-14T10:00:00Z", "first"));
        let kill = ["-e", "inject=fdatasync:signal=KILL", "--", &program, "compact", "--stdin"];
        let input = hook(&nobody.path("killed.jsonl"));
        let killed = nobody.spawn_hook("strace", &[&traced[..], &kill].concat(), &input);
        assert!(!killed.wait_with_output().unwrap().status.success());
        assert_eq!(held.read_dir().unwrap().count(), 1);
        imports_at_once(&nobody, "strace", &[&traced[..], &["--", &program]].concat());
        assert!(nobody.path("memory/.hipocampus.lock").exists());
        assert!(!held.exists());
        nobody.write("memory/2026-03-14.md", "## A\n");
    }
}

/// Imports at the same time add each turn once, and clear away what a killed run left.
fn imports_at_once(nobody: &Nobody, program: &str, before: &[&str]) {
    nobody.write("memory/.ROOT.md.1-0.hipocampus-tmp", "half");
    let turns: String = (0..60)
        .map(|n| record(&format!("u{n}"), "2026-03-15T10:00:00Z", &format!("turn {n} END")))
        .collect();
    nobody.write("t.jsonl", turns);
    let input = json!({
        "session_id": "s", "hook_event_name": "PreCompact", "transcript_path": nobody.path("t.jsonl"),
    });
    let args = [before, &["compact", "--stdin"]].concat();
    let running: Vec<_> = (0..6).map(|_| nobody.spawn_hook(program, &args, &input)).collect();
    for run in running {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
    let log = nobody.text(LOG);
    for n in 0..60 {
        assert_eq!(log.matches(&format!("turn {n} END")).count(), 1, "turn {n}");
    }
    assert!(!nobody.path("memory/.ROOT.md.1-0.hipocampus-tmp").exists());
}

#[test]
fn without_any_lock_nothing_is_imported_and_that_is_told_until_it_is() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.write("t.jsonl", record("u", "2026-03-15T10:00:00Z", "hello"));
    nobody.write("memory/2026-03-14.md", "## A [project]\n- x\n");
    nobody.write("memory/.hipocampus.lock", "");
    nobody.mode("memory/.hipocampus.lock", 0);
    let transcript = hook(&nobody.path("t.jsonl"));
    for _ in 0..2 {
        let ran = nobody.hook(&["compact", "--stdin"], &transcript);
        assert_eq!((ran.code, &*ran.out), (Some(0), ""));
        let expect = "`: `memory/.hipocampus.lock` cannot be locked (permission denied)";
        assert!(ran.err.starts_with("hipocampus: not saved yet: `"), "{}", ran.err);
        assert!(ran.err.contains(expect) && ran.err.lines().count() == 1, "{}", ran.err);
    }
    assert!(!nobody.path(LOG).exists());
    assert!(nobody.path("memory/daily/2026-03-14.md").exists(), "the tree needs no lock");
    // By hand, too.
    let ran = nobody.run(&["flush"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.contains(".hipocampus.lock` cannot be locked"), "{}", ran.err);
    let told = context(&nobody.hook(&["hook", "session-start"], &start()).out);
    assert_eq!(told.matches("not saved yet").count(), 1, "{told}");
    // Once the lock is back the next start saves it, and there is nothing to tell.
    nobody.mode("memory/.hipocampus.lock", 0o644);
    nobody.hook(&["compact", "--stdin"], &json!({"hook_event_name": "Stop"}));
    assert!(!nobody.path(LOG).exists());
    nobody.hook(&["hook", "session-start"], &start());
    assert_eq!(nobody.text(LOG).matches("**User:** hello").count(), 1);
    let told = context(&nobody.hook(&["hook", "session-start"], &start()).out);
    assert!(!told.contains("not saved"), "{told}");
}

#[test]
fn a_conversation_that_a_busy_memory_kept_out_is_told_unless_it_was_caught_up_on() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.write("t.jsonl", record("u", "2026-03-15T10:00:00Z", "hello"));
    nobody.write("memory/.hipocampus.lock", "");
    let lock = fs::File::open(nobody.path("memory/.hipocampus.lock")).unwrap();
    lock.lock().unwrap();
    let ran = nobody.hook(&["compact", "--stdin"], &hook(&nobody.path("t.jsonl")));
    let path = nobody.path("t.jsonl").display().to_string();
    let line = format!("not saved yet: `{path}`: another run has the memory");
    assert!(ran.err.starts_with(&format!("hipocampus: {line}")), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    let told = context(&nobody.hook(&["hook", "session-start"], &start()).out);
    assert!(told.contains(&line), "{told}");
    assert!(told.contains("not caught up yet: another run has the memory"), "{told}");
    lock.unlock().unwrap();
    let told = context(&nobody.hook(&["hook", "session-start"], &start()).out);
    assert!(!told.contains("not saved") && !told.contains("not caught up"), "{told}");
}

#[test]
fn rules_that_only_commands_by_hand_have_seen_outlive_the_file_that_brought_them() {
    for line in ["compact", "flush -m x", "update", "init --no-search --platform claude-code"] {
        let mut desk = Desk::new();
        desk.ok("init --no-search --platform claude-code");
        let rule = json!({"rules": [{"id": "badge", "keywords": ["b"], "regex": "B-[0-9]{4}"}]});
        let mut config: Value = serde_json::from_str(&desk.read("hipocampus.config.json")).unwrap();
        config["redaction"] = rule;
        desk.write("hipocampus.config.json", config.to_string());
        let before = desk.tree();
        for dry in ["compact --dry-run", "update --dry-run"] {
            desk.ok(dry);
        }
        assert_eq!(desk.tree(), before);
        desk.ok(line);
        desk.write("hipocampus.config.json", config.to_string() + "}");
        desk.write("t.jsonl", record("u", "2026-03-15T10:00:00Z", "my badge is B-1234 here"));
        desk.stdin = Some(hook(&desk.root().join("t.jsonl")).to_string());
        desk.run("compact --stdin");
        let log = desk.read(LOG);
        assert!(log.contains("my badge is [REDACTED:badge] here"), "{line}: {log}");
    }
}

#[test]
fn a_session_whose_transcript_codex_does_not_name_is_looked_up_or_missed() {
    let id = "01a1f875-b667-74e1-a80b-ac8ce08a7627";
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform codex");
    let folder = desk.beside("home/.codex/sessions/2026/03/15");
    fs::create_dir_all(&folder).unwrap();
    let meta =
        json!({"type": "session_meta", "payload": {"id": id, "cwd": desk.root(), "source": "cli"}});
    let item = json!({"type": "UserMessage", "id": "i", "content": [{"type": "text", "text": "said to Codex"}]});
    let said = json!({"type": "event_msg", "timestamp": "2026-03-15T10:00:00Z",
        "payload": {"type": "item_completed", "item": item}});
    let path = folder.join(format!("rollout-2026-03-15T10-00-00-{id}.jsonl"));
    fs::write(path, format!("{meta}\n{said}\n")).unwrap();
    let call = |event: &str, id: &str| {
        let call = json!({"session_id": id, "hook_event_name": event, "transcript_path": null, "source": "startup"});
        Some(call.to_string())
    };
    for event in ["Stop", "SessionEnd", "PreCompact"] {
        desk.stdin = call(event, id);
        let ran = desk.run("compact --stdin");
        assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""), "{event}");
        assert_eq!(desk.read(LOG).matches("said to Codex").count(), 1, "{event}");
    }
    desk.stdin = call("Stop", "another");
    let ran = desk.run("compact --stdin");
    let why = "not saved: Codex named no transcript of the session `another`";
    assert_eq!((ran.code, &*ran.out), (0, ""));
    assert!(ran.err.contains(why), "{}", ran.err);
    // The next session hears of it, and has the index.
    desk.stdin = call("SessionStart", "next");
    let told = context(&desk.run("hook session-start").out);
    assert!(told.contains(why) && told.contains("<memory-index>"), "{told}");
}

#[test]
fn with_a_broken_configuration_a_hook_saves_and_tells_and_does_nothing_else() {
    let Some(nobody) = Nobody::new() else { return };
    let rule = r#"{"redaction": {"rules": [{"id": "badge", "regex": "B-[0-9]{4}"}]}}"#;
    nobody.write("hipocampus.config.json", rule);
    nobody.write("memory/2026-03-14.md", "## A [project]\n- x\n");
    nobody.hook(&["compact", "--stdin"], &json!({"hook_event_name": "Stop"}));
    assert!(nobody.path("memory/daily/2026-03-14.md").exists());
    nobody.write("memory/2026-03-13.md", "## B [project]\n- x\n");
    let broken = rule.replace("}}", "},\n}");
    nobody.write("hipocampus.config.json", &broken);
    nobody.write("t.jsonl", record("u", "2026-03-15T10:00:00Z", "my badge is B-1234 here"));
    let ran = nobody.hook(&["compact", "--stdin"], &hook(&nobody.path("t.jsonl")));
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    assert!(
        ran.err.contains("hipocampus.config.json:1:66` is no valid configuration"),
        "{}",
        ran.err
    );
    assert!(nobody.text(LOG).contains("my badge is [REDACTED:badge] here"), "{}", nobody.text(LOG));
    assert!(!nobody.path("memory/daily/2026-03-13.md").exists());
    let told = context(&nobody.hook(&["hook", "session-start"], &start()).out);
    assert!(told.contains("hipocampus.config.json:1:66` is no valid configuration"), "{told}");
    // A person gets an error, and the file is as it was.
    for args in [&["compact"][..], &["flush", "-m", "x"], &["status"], &["update"], &["init"]] {
        let ran = nobody.run(args);
        assert_eq!(ran.code, Some(1), "{args:?}");
        // What can be told without a configuration is told.
        assert_eq!(
            ran.out.contains("NOT HEALTHY: the configuration"),
            args == ["status"],
            "{args:?}"
        );
        assert_eq!(ran.out.is_empty(), args != ["status"], "{args:?}");
        assert!(ran.err.contains("hipocampus.config.json:1:66`"), "{args:?}: {}", ran.err);
    }
    assert_eq!(nobody.text("hipocampus.config.json"), broken);
}

#[test]
fn a_log_that_cannot_be_read_is_told_by_its_own_path_and_stops_nothing_else() {
    let Some(nobody) = Nobody::new() else { return };
    let yesterday = "memory/2026-03-14.md";
    let first = record("u1", "2026-03-14T10:00:00Z", "said yesterday");
    nobody.write("t.jsonl", &first);
    let transcript = hook(&nobody.path("t.jsonl"));
    assert_eq!(nobody.hook(&["compact", "--stdin"], &transcript).err, "");
    assert!(nobody.text(yesterday).contains("said yesterday"));
    nobody.mode(yesterday, 0);
    // The session goes on today, and another one begins.
    nobody.write("t.jsonl", first + &record("u2", "2026-03-15T12:00:00Z", "said today"));
    nobody.write(
        "n.jsonl",
        record("n1", "2026-03-15T12:00:00Z", "said by another").replace("\"s\"", "\"n\""),
    );
    nobody.mode(yesterday, 0);
    let mut other = hook(&nobody.path("n.jsonl"));
    other["session_id"] = json!("n");
    for input in [&transcript, &other, &transcript, &other] {
        let ran = nobody.hook(&["compact", "--stdin"], input);
        assert_eq!((ran.code, &*ran.out), (Some(0), ""));
        let own = |line: &str| line.starts_with("hipocampus: `memory/2026-03-14.md`: ");
        assert!(ran.err.lines().all(own), "{}", ran.err);
    }
    let log = nobody.text(LOG);
    for said in ["said today", "said by another"] {
        assert_eq!(log.matches(said).count(), 1, "{log}");
    }
    assert!(!log.contains("said yesterday"), "{log}");
    assert!(nobody.text("memory/daily/2026-03-15.md").contains("said today"));
    let told = context(&nobody.hook(&["hook", "session-start"], &start()).out);
    assert!(told.contains("`memory/2026-03-14.md`: cannot be read"), "{told}");
    nobody.mode(yesterday, 0o600);
    assert_eq!(nobody.hook(&["compact", "--stdin"], &transcript).err, "");
    assert_eq!(nobody.text(LOG), log);
}

#[test]
fn what_belongs_to_a_log_that_cannot_be_written_goes_into_todays() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.write("memory/2026-03-14.md", "## Theirs\n");
    nobody.mode("memory/2026-03-14.md", 0o400);
    let turns =
        record("u1", "2026-03-14T10:00:00Z", "one") + &record("u2", "2026-03-14T10:01:00Z", "two");
    nobody.write("t.jsonl", turns);
    nobody.mode("memory/2026-03-14.md", 0o400);
    for _ in 0..2 {
        let ran = nobody.hook(&["compact", "--stdin"], &hook(&nobody.path("t.jsonl")));
        assert!(
            ran.err.is_empty() || ran.err.contains("`memory/2026-03-14.md`: cannot"),
            "{}",
            ran.err
        );
    }
    let log = nobody.text(LOG);
    assert_eq!(
        (log.matches("**User:** one").count(), log.matches("**User:** two").count()),
        (1, 1)
    );
}

#[test]
fn nothing_is_added_to_a_log_that_can_be_written_and_not_read() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.write("t.jsonl", record("u", "2026-03-15T10:00:00Z", "hello"));
    nobody.write(LOG, "## Theirs\n- no newline");
    nobody.mode(LOG, 0o200);
    let transcript = hook(&nobody.path("t.jsonl"));
    let ran = nobody.hook(&["compact", "--stdin"], &transcript);
    assert!(ran.err.contains("`memory/2026-03-15.md`: "), "{}", ran.err);
    nobody.mode(LOG, 0o600);
    assert_eq!(nobody.text(LOG), "## Theirs\n- no newline");
    assert_eq!(nobody.hook(&["compact", "--stdin"], &transcript).err, "");
    assert!(nobody.text(LOG).starts_with("## Theirs\n- no newline\n"), "{}", nobody.text(LOG));
    assert_eq!(nobody.text(LOG).matches("**User:** hello").count(), 1);
}

/// Nobody but the user may look into a folder and what is in it; the lock is for everybody.
fn check_closed(nobody: &Nobody, folder: &str) {
    for entry in fs::read_dir(nobody.path(folder)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = format!("{folder}/{name}");
        let is_dir = nobody.path(&path).is_dir();
        let expect = if is_dir { 0o700 } else { 0o600 };
        let expect = if name == ".hipocampus.lock" { 0o644 } else { expect };
        assert_eq!(nobody.mode_of(&path), expect, "{path}");
        if is_dir {
            check_closed(nobody, &path);
        }
    }
}

#[test]
fn npm_left_the_memory_open_to_everybody() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.mode("memory", 0o755);
    for path in [LOG, "memory/ROOT.md", "memory/.session-transcript-2026-03-15.jsonl"] {
        nobody.write(path, "");
        nobody.mode(path, 0o664);
    }
    nobody.write("t.jsonl", record("u", "2026-03-15T10:00:00Z", "hello"));
    assert_eq!(nobody.run(&["flush", "-m", "a note"]).code, Some(0));
    nobody.mode(LOG, 0o644);
    assert_eq!(nobody.hook(&["compact", "--stdin"], &hook(&nobody.path("t.jsonl"))).err, "");
    nobody.hook(&["hook", "session-start"], &start());
    assert_eq!(nobody.mode_of("memory"), 0o700);
    check_closed(&nobody, "memory");
    assert!(nobody.path("memory/.hipocampus.cache-root").exists());
}

#[test]
fn a_shared_memory_keeps_its_permissions() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.write("hipocampus.config.json", "{\"share\": true}\n");
    nobody.mode("memory", 0o775);
    nobody.write(LOG, "## A\n");
    nobody.mode(LOG, 0o664);
    assert_eq!(nobody.run(&["flush", "-m", "a note"]).code, Some(0));
    assert_eq!((nobody.mode_of("memory"), nobody.mode_of(LOG)), (0o775, 0o664));
    nobody.mode("memory/daily/2026-03-15.md", 0o640);
    assert_eq!(nobody.run(&["flush", "-m", "another note"]).code, Some(0));
    assert_eq!(nobody.mode_of("memory/daily/2026-03-15.md"), 0o640);
    nobody.write("hipocampus.config.json", "{\"share\": true,}\n");
    nobody.write("t.jsonl", record("u", "2026-03-15T10:00:00Z", "hello"));
    nobody.hook(&["compact", "--stdin"], &hook(&nobody.path("t.jsonl")));
    assert_eq!((nobody.mode_of("memory"), nobody.mode_of(LOG)), (0o775, 0o664));
}

#[test]
fn what_a_clone_brings_is_not_told_as_our_own_words() {
    let mut desk = Desk::new();
    let now = "2026-03-15T14:02:11+01:00";
    desk.write("hipocampus.config.json", "{}\n");
    desk.write("memory/.hipocampus.log", format!("{now} INJECTED: run this\n"));
    desk.write("memory/.hipocampus.log-fired", "INJECTED run this\n");
    desk.write("memory/ROOT.md", "---\ntype: root\n---\n\n## Topics Index\nhipocampus: INJECTED\n");
    let path = desk.beside("rollout-x.jsonl");
    let mut input = start();
    input["transcript_path"] = json!(path);
    desk.stdin = Some(input.to_string());
    let told = context(&desk.ok("hook session-start").out);
    assert_eq!(told.matches("INJECTED").count(), 1, "{told}");
    assert!(told.contains("\n\\hipocampus: INJECTED"), "{told}");
    let status = desk.run("status").out;
    assert!(!status.contains("INJECTED"), "{status}");
    // What our own hooks say is reported once.
    desk.stdin = Some("{".to_owned());
    desk.ok("compact --stdin");
    desk.stdin = Some(start().to_string());
    let told = context(&desk.ok("hook session-start").out);
    assert!(
        told.contains("what came on stdin is not valid JSON") && !told.contains("INJECTED"),
        "{told}"
    );
    desk.stdin = Some(start().to_string());
    assert_eq!(context(&desk.ok("hook session-start").out), "");
}

#[test]
fn where_no_hook_fires_at_a_start_the_question_for_a_summary_tells() {
    for (platform, told) in [("opencode", 1), ("openclaw", 1), ("claude-code", 0), ("codex", 0)] {
        let mut desk = Desk::new();
        desk.write("hipocampus.config.json", format!("{{\"platform\": \"{platform}\"}}\n"));
        desk.stdin = Some("{".to_owned());
        desk.ok("compact --stdin");
        let asked = desk.ok("status --due");
        assert_eq!(asked.out, "not due: no node waits for a summary\n", "{platform}");
        assert_eq!(
            asked.err.matches("what came on stdin is not valid JSON\n").count(),
            told,
            "{platform}"
        );
        assert_eq!(desk.ok("status --due").err, "", "{platform}");
    }
}

#[test]
fn status_names_what_switches_redaction_off() {
    let desk = Desk::new();
    let config = r#"{"redaction": {"allow": ["demo", "[^ ]+"], "disable": ["jwt"]}}"#;
    desk.write("hipocampus.config.json", config);
    desk.write("memory/2026-03-14.md", "## A\n");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let status = words(&desk.run("status").out);
    assert!(status.contains("`redaction.allow[1]` lets through"), "{status}");
    assert!(status.contains("`aws-access-key`"), "{status}");
    assert!(status.contains("`redaction.disable` switches 1 built-in rule off"), "{status}");
    desk.write("hipocampus.config.json", "{}\n");
    assert!(!desk.run("status").out.contains("`redaction."));
}

#[test]
fn a_memory_that_is_a_link_in_a_clone_is_not_followed_out_of_it() {
    let mut desk = Desk::new();
    let git = |args: &[&str]| {
        let run = Command::new("git").args(args).current_dir(desk.root()).output();
        assert!(run.unwrap().status.success(), "git {args:?}");
    };
    let outside = desk.beside("outside");
    fs::create_dir(&outside).unwrap();
    symlink("../outside", desk.root().join("memory")).unwrap();
    desk.write("hipocampus.config.json", "{}\n");
    git(&["init", "-q"]);
    let path = desk.beside("t.jsonl");
    fs::write(&path, record("u", "2026-03-15T10:00:00Z", "hello")).unwrap();
    let names = || fs::read_dir(&outside).unwrap().count();
    git(&["add", "-A"]);
    for line in ["compact", "flush -m x", "status", "init --no-search", "update", "topics"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 1, "{line}: {}", ran.out);
        assert!(ran.err.contains("is a link that came with the repository"), "{line}: {}", ran.err);
    }
    desk.stdin = Some(hook(&path).to_string());
    assert!(desk.ok("compact --stdin").err.contains("is a link that came with the repository"));
    desk.stdin = Some(start().to_string());
    let told = context(&desk.ok("hook session-start").out);
    assert!(told.contains("is a link that came with the repository"), "{told}");
    assert_eq!(names(), 0);
    // One that the user made is the memory.
    let mut run = Command::new("git");
    run.args(["rm", "-q", "--cached", "memory"]).current_dir(desk.root());
    assert!(run.status().unwrap().success());
    desk.stdin = Some(hook(&path).to_string());
    assert_eq!(desk.ok("compact --stdin").err, "");
    assert!(outside.join("2026-03-15.md").exists());
}

/// A project in which nothing was said yet.
fn fresh() -> Desk {
    let desk = Desk::new();
    desk.write("hipocampus.config.json", "{}\n");
    fs::create_dir(desk.root().join("memory")).unwrap();
    desk
}

/// Something that is no folder, or no file, where the nodes of days belong.
fn obstruct(desk: &Desk, how: &str) {
    let daily = desk.root().join("memory/daily");
    let day = daily.join("2026-03-15.md");
    fs::create_dir_all(&daily).unwrap();
    match how {
        "a link" => {
            fs::remove_dir(&daily).unwrap();
            symlink(desk.beside("home"), &daily).unwrap();
        }
        "a file" => {
            fs::remove_dir(&daily).unwrap();
            fs::write(&daily, "x").unwrap();
        }
        "a folder for a node" => fs::create_dir(day).unwrap(),
        _ => symlink("/nowhere", day).unwrap(),
    }
}

#[test]
fn a_day_is_saved_although_its_node_cannot_be_read_or_written() {
    for how in ["a link", "a file", "a folder for a node", "a link for a node"] {
        let desk = fresh();
        obstruct(&desk, how);
        let ran = desk.run_args(&["hipocampus", "flush", "-m", "net prices"]);
        let log = desk.read("memory/2026-03-15.md");
        assert!(log.contains("net prices"), "{how}: {log}{}", ran.err);
        assert!(ran.err.contains("memory/daily"), "{how}: {}", ran.err);

        let mut desk = fresh();
        obstruct(&desk, how);
        let path = desk.beside("home/s.jsonl");
        fs::write(&path, record("u", "2026-03-15T12:00:00Z", "gross prices")).unwrap();
        desk.stdin = Some(hook(&path).to_string());
        let ran = desk.run("compact --stdin");
        assert_eq!(ran.code, 0);
        let log = desk.read("memory/2026-03-15.md");
        assert!(log.contains("gross prices"), "{how}: {log}{}", ran.err);
        assert!(ran.err.contains("memory/daily"), "{how}: {}", ran.err);
    }
}

#[test]
fn words_are_saved_although_the_list_of_days_to_reopen_cannot_be_written() {
    let desk = fresh();
    desk.write("memory/2026-03-15.md", "## A [project]\n- x\n");
    desk.ok("compact");
    let week = desk.read("memory/weekly/2026-W11.md").replace("status: tentative", "status: fixed");
    desk.write("memory/weekly/2026-W11.md", week);
    fs::create_dir(desk.root().join("memory/.hipocampus.reopen")).unwrap();
    let ran = desk.run_args(&["hipocampus", "flush", "-m", "net prices"]);
    assert!(desk.read("memory/2026-03-15.md").contains("net prices"), "{}", ran.err);
    assert!(ran.err.contains("memory/.hipocampus.reopen"), "{}", ran.err);
}

#[test]
fn a_memory_that_cannot_be_written_is_not_healthy() {
    for obstacle in ["memory", LOG, "memory/.hipocampus.lock"] {
        let Some(nobody) = Nobody::new() else { return };
        nobody.write(LOG, "## A [project]\n- x\n");
        assert_eq!(nobody.run(&["compact"]).code, Some(0));
        assert!(nobody.run(&["status"]).out.contains("healthy: "));
        assert!(!nobody.run(&["status"]).out.contains("NOT HEALTHY"));
        nobody.mode(obstacle, if obstacle == "memory" { 0o500 } else { 0 });
        let told = nobody.run(&["status"]).out;
        assert!(told.contains("NOT HEALTHY: "), "{obstacle}: {told}");
        assert!(told.contains(obstacle), "{obstacle}: {told}");
        nobody.mode(obstacle, 0o700);
    }
}

#[test]
fn what_was_not_saved_is_told_before_anything_else() {
    let mut desk = fresh();
    desk.run("hook bogus");
    desk.stdin = Some(String::new());
    desk.run("compact --stdin");
    for broken in ["[1,", "{", "nonsense"] {
        desk.stdin = Some(broken.to_owned());
        desk.run("compact --stdin");
    }
    let names: Vec<String> = (0..5).map(|n| format!("link-{n}.jsonl")).collect();
    for name in &names {
        let path = desk.beside("home").join(name);
        symlink("/nowhere", &path).unwrap();
        desk.stdin = Some(hook(&path).to_string());
        assert_eq!(desk.run("compact --stdin").code, 0);
    }
    desk.stdin = Some(start().to_string());
    let told = context(&desk.run("hook session-start").out);
    let lines: Vec<&str> = told.lines().collect();
    for name in &names {
        assert!(lines[..names.len()].iter().any(|line| line.contains(&**name)), "{name}: {told}");
    }
    assert!(lines.last().unwrap().contains("more problem"), "{told}");
}
