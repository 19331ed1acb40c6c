//! `status --receipt`: every turn that an agent still has is in the memory, or was left out on purpose, or is missing
//! and said to be; and `resume`, which goes on with a session.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::desk::{Desk, Ran};
use crate::stores::{self, claude, codex_rollout, hook, lines, prompt, reply};

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";
const B: &str = "bbbbbbbb-0000-4000-8000-000000000002";

/// Lays a session of Claude Code into the store.
fn session(desk: &Desk, id: &str, records: &[Value]) -> PathBuf {
    let path = claude(desk, &desk.root().canonicalize().unwrap(), id);
    stores::write(&path, &lines(records));
    path
}

/// What a person asks and the model answers, at these minutes of the morning.
fn talk(desk: &Desk, id: &str, said: &[(&str, &str)]) -> Vec<Value> {
    let root = desk.root().canonicalize().unwrap();
    let both = |(minute, (asked, answered)): (usize, &(&str, &str))| {
        let time = |second: usize| format!("09:{:02}", 2 * minute + second);
        [prompt(id, &root, &time(0), asked), reply(id, &root, &time(1), answered)]
    };
    said.iter().enumerate().flat_map(both).collect()
}

fn saved(desk: &mut Desk, id: &str, path: &std::path::Path) {
    desk.stdin = Some(hook("SessionEnd", id, path, &desk.root()));
    let ran = desk.run("compact --stdin");
    assert_eq!((ran.code, &*ran.err), (0, ""));
    desk.stdin = None;
}

fn receipt(desk: &Desk) -> (Ran, Value) {
    let ran = desk.run("status --receipt --json");
    let json = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    (ran, json)
}

/// Of all turns: in the store, in the memory, left out, waiting, missing.
fn sum(receipt: &Value) -> [u64; 5] {
    let sum = &receipt["sum"];
    let count = |value: &Value| value.as_u64().unwrap();
    let left_out = sum["left_out"].as_object().unwrap().values().map(count).sum();
    [
        count(&sum["store"]),
        count(&sum["memory"]),
        left_out,
        count(&sum["waiting"]),
        count(&sum["missing"]),
    ]
}

fn is_older(path: &std::path::Path, days: u64) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 3600)).unwrap();
}

#[test]
fn every_turn_is_accounted_for_and_the_hashes_agree() {
    let mut desk = stores::desk("claude-code");
    let records = talk(&desk, A, &[("ask one", "answer one"), ("ask two", "answer two")]);
    let path = session(&desk, A, &records);
    saved(&mut desk, A, &path);
    let root = desk.root().canonicalize().unwrap();
    let said = |kind: &str, words: &str| json!({"timestamp": "2026-03-15T09:05:00Z", "type": "event_msg", "payload": {"type": kind, "message": words}});
    codex_rollout(
        &desk,
        &root,
        B,
        &[said("user_message", "ask codex"), said("agent_message", "codex answers")],
    );
    desk.ok("import --yes");

    let (ran, all) = receipt(&desk);
    assert_eq!((ran.code, sum(&all)), (0, [6, 6, 0, 0, 0]), "{all:#}");
    assert_eq!(all["store_hash"], all["memory_hash"]);
    let agents: Vec<_> =
        all["sessions"].as_array().unwrap().iter().map(|it| &it["agent"]).collect();
    assert_eq!(agents, ["claude-code", "codex"]);

    let printed = desk.ok("status --receipt").out;
    assert!(
        printed.contains(
            "6 messages of 2 sessions: 6 in the memory, 0 left out, 0 waiting, 0 missing\n"
        ),
        "{printed}"
    );
    assert!(printed.ends_with("of the stores and of the memory\n"), "{printed}");
    let screen = desk.run("status").out;
    assert!(screen.contains("receipt    today 14:02: 6 messages, 6 here, 0 missing\n"), "{screen}");
}

#[test]
fn a_turn_that_is_gone_from_its_log_is_missing() {
    let mut desk = stores::desk("claude-code");
    let records = talk(&desk, A, &[("ask one", "answer one"), ("ask two", "answer two")]);
    let path = session(&desk, A, &records);
    saved(&mut desk, A, &path);
    let log = desk.read("memory/2026-03-15.md");
    desk.write("memory/2026-03-15.md", log.replace("**User:** ask two\n\n", ""));
    let (ran, all) = receipt(&desk);
    assert_eq!((ran.code, sum(&all)), (1, [4, 3, 0, 0, 1]), "{all:#}");
    assert_ne!(all["store_hash"], all["memory_hash"]);
    assert_eq!(
        ran.err,
        "note: 2026-03-15, session aaaaaaaa-0000-4000-8000-000000000001: missing: **User:** ask two\nerror: 1 message of 1 session is not in the memory\nhint: run `hipocampus import`, which brings in what was never read; what was taken out of a log by hand stays out\n"
    );
}

#[test]
fn what_was_edited_by_hand_is_there_in_other_words() {
    let mut desk = stores::desk("claude-code");
    let path = session(&desk, A, &talk(&desk, A, &[("ask one", "answer one")]));
    saved(&mut desk, A, &path);
    let log = desk.read("memory/2026-03-15.md");
    desk.write("memory/2026-03-15.md", log.replace("ask one", "ask the first"));
    let (ran, all) = receipt(&desk);
    assert_eq!((ran.code, sum(&all)), (0, [2, 2, 0, 0, 0]), "{all:#}");
    assert_eq!(all["sum"]["changed"], 1);
    assert_ne!(all["store_hash"], all["memory_hash"]);
}

#[test]
fn nothing_but_a_turn_in_its_place_stands_for_another() {
    let mut desk = stores::desk("claude-code");
    let records = talk(&desk, A, &[("ask one", "answer one"), ("ask two", "answer two")]);
    let path = session(&desk, A, &records);
    saved(&mut desk, A, &path);
    let log = desk.read("memory/2026-03-15.md");
    // A turn of the other speaker, and one in another place.
    for (gone, more, behind) in [
        ("**User:** ask two\n\n", "**Assistant:** let me see\n\n", "**Assistant:** answer two"),
        ("**User:** ask one\n\n", "**User:** who asks\n\n", "**User:** ask two"),
    ] {
        let without = log.replace(gone, "").replace(behind, &format!("{more}{behind}"));
        desk.write("memory/2026-03-15.md", without);
        let (ran, all) = receipt(&desk);
        assert_eq!((ran.code, sum(&all)), (1, [4, 3, 0, 0, 1]), "{all:#}");
    }
    // A log that came in twice, as after a bad merge, lacks what both copies lack.
    desk.write("memory/2026-03-15.md", log.repeat(2).replace("**User:** ask two\n\n", ""));
    assert_eq!(sum(&receipt(&desk).1), [4, 3, 0, 0, 1]);
}

#[test]
fn the_second_half_of_a_reply_is_not_taken_for_an_edit() {
    let mut desk = stores::desk("claude-code");
    let mut records = talk(&desk, A, &[("ask one", "part one")]);
    let path = session(&desk, A, &records);
    saved(&mut desk, A, &path);
    let mut rest = records[1].clone();
    rest["uuid"] = json!("another-record-0123456789abcdef");
    rest["message"]["content"][0]["text"] = json!("part two");
    records.push(rest);
    session(&desk, A, &records);
    let (ran, all) = receipt(&desk);
    assert_eq!((ran.code, sum(&all)), (0, [2, 1, 0, 1, 0]), "{all:#}");
    is_older(&path, 400);
    assert_eq!(sum(&receipt(&desk).1), [2, 1, 0, 0, 1]);
}

#[test]
fn a_line_that_is_no_record_is_told_and_a_turn_that_is_too_long_counts_as_cut() {
    let desk = stores::desk("claude-code");
    let long = "a long paste of nothing ".repeat(5000);
    let records = talk(&desk, A, &[("ask one", "answer one"), (&*long, "too long")]);
    let text = lines(&records).replacen('\n', "\n{\"type\":\"user\",\"mess\n", 1);
    let path = claude(&desk, &desk.root().canonicalize().unwrap(), A);
    stores::write(&path, &text);
    desk.run("import --yes");
    let (ran, all) = receipt(&desk);
    assert_eq!(
        (ran.code, sum(&all), &all["sum"]["cut"]),
        (0, [4, 4, 0, 0, 0], &json!(1)),
        "{all:#}"
    );
    assert_eq!((&all["sum"]["changed"], &all["sessions"][0]["unreadable"]), (&json!(0), &json!(1)));
    assert!(
        ran.err.starts_with("note: session aaaaaaaa")
            && ran.err.contains("1 line of it is no record"),
        "{}",
        ran.err
    );
}

#[test]
fn a_log_that_is_no_file_proves_nothing() {
    let mut desk = stores::desk("claude-code");
    let path = session(&desk, A, &talk(&desk, A, &[("ask one", "answer one")]));
    saved(&mut desk, A, &path);
    let log = desk.root().join("memory/2026-03-15.md");
    std::fs::rename(&log, desk.beside("elsewhere.md")).unwrap();
    std::os::unix::fs::symlink(desk.beside("elsewhere.md"), &log).unwrap();
    let ran = desk.run("status --receipt");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("`memory/2026-03-15.md`: it is no file"), "{}", ran.err);
}

#[test]
fn a_session_of_a_worktree_that_is_gone_is_named_until_it_is_in_the_memory() {
    let desk = stores::desk("claude-code");
    let gone = desk.root().canonicalize().unwrap().with_file_name("p-feature");
    let path = claude(&desk, &gone, A);
    stores::write(&path, &lines(&[prompt(A, &gone, "09:00", "ask in the worktree")]));
    desk.ok("flush -m something");
    let ran = desk.ok("status --receipt");
    assert!(
        ran.err.contains("which is gone: if that was a worktree of this project"),
        "{}",
        ran.err
    );
    desk.ok(&format!("import --yes --from {}", gone.display()));
    let (ran, all) = receipt(&desk);
    assert_eq!((sum(&all), &*ran.err), ([1, 1, 0, 0, 0], ""), "{all:#}");
}

#[test]
fn the_same_words_said_twice_have_to_be_there_twice() {
    let mut desk = stores::desk("claude-code");
    let path = session(&desk, A, &talk(&desk, A, &[("yes", "fine"), ("yes", "done")]));
    saved(&mut desk, A, &path);
    assert_eq!(sum(&receipt(&desk).1), [4, 4, 0, 0, 0]);
    let log = desk.read("memory/2026-03-15.md");
    desk.write("memory/2026-03-15.md", log.replacen("**User:** yes\n\n", "", 1));
    assert_eq!(sum(&receipt(&desk).1), [4, 3, 0, 0, 1]);
}

#[test]
fn what_its_agent_has_not_handed_over_waits_for_seven_days() {
    let mut desk = stores::desk("claude-code");
    let records = talk(&desk, A, &[("ask one", "answer one"), ("ask two", "answer two")]);
    let path = session(&desk, A, &records[..2]);
    saved(&mut desk, A, &path);
    session(&desk, A, &records[..3]);
    let (ran, all) = receipt(&desk);
    assert_eq!((ran.code, sum(&all)), (0, [3, 2, 0, 1, 0]), "{all:#}");
    assert_ne!(all["store_hash"], all["memory_hash"]);
    is_older(&path, 400);
    assert_eq!((receipt(&desk).0.code, sum(&receipt(&desk).1)), (1, [3, 2, 0, 0, 1]));
    // So it does once a session has begun since, which brings in what earlier ones have left.
    is_older(&path, 0);
    let fired = desk.read("memory/.hipocampus.log-fired");
    desk.write(
        "memory/.hipocampus.log-fired",
        format!("SessionStart 2099-01-01T00:00:00Z claude-code\n{fired}"),
    );
    assert_eq!(sum(&receipt(&desk).1), [3, 2, 0, 0, 1]);
    desk.ok("import --yes");
    assert_eq!(sum(&receipt(&desk).1), [3, 3, 0, 0, 0]);
}

#[test]
fn what_is_left_out_is_said_with_its_reason() {
    let mut desk = stores::desk("claude-code");
    let path = session(
        &desk,
        A,
        &talk(
            &desk,
            A,
            &[
                ("ask one", "answer one"),
                ("<private>my own affair</private>", "I see"),
                ("the key is AKIAZQ3DRSTUVWXY2345", "noted"),
                ("a salary of 1000", "noted, too"),
            ],
        ),
    );
    saved(&mut desk, A, &path);
    desk.ok("forget --match salary --yes");
    let off = session(&desk, B, &talk(&desk, B, &[("off the record", "quite")]));
    desk.stdin = Some(hook("SessionEnd", B, &off, &desk.root()));
    desk.run_with(&[("HIPOCAMPUS_OFF", "1")], "compact --stdin");
    desk.stdin = None;
    let root = desk.root().canonicalize().unwrap();
    let meta = json!({"timestamp": "2026-03-15T08:59:00Z", "type": "session_meta",
        "payload": {"id": "c", "cwd": root, "source": {"subagent": "review"}}});
    let asked = json!({"timestamp": "2026-03-15T09:05:00Z", "type": "event_msg", "payload": {"type": "user_message", "message": "review this"}});
    let rollout = "home/.codex/sessions/2026/03/15/rollout-2026-03-15T09-59-00-cccccccc-0000-4000-8000-000000000003.jsonl";
    stores::write(&desk.beside(rollout), &lines(&[meta, asked]));

    let (ran, all) = receipt(&desk);
    assert_eq!((ran.code, sum(&all)), (0, [11, 6, 5, 0, 0]), "{all:#}");
    let left_out = json!({"forgotten": 1, "private": 1, "off": 2, "delegated": 1});
    assert_eq!((&all["sum"]["left_out"], &all["sum"]["redacted"]), (&left_out, &json!(1)));
    assert_eq!(all["store_hash"], all["memory_hash"]);
    let printed = desk.ok("status --receipt").out;
    for line in [
        "in the memory: 1 with values taken out\n",
        "left out: 1 forgotten, 1 private, 2 while it was off, 1 between two agents\n",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
    for secret in ["AKIAZQ3D", "own affair", "salary"] {
        assert!(!printed.contains(secret) && !all.to_string().contains(secret), "{secret}");
    }
}

#[test]
fn a_copy_of_a_session_is_there_under_the_first() {
    let mut desk = stores::desk("claude-code");
    let records = talk(&desk, A, &[("ask one", "answer one"), ("ask two", "answer two")]);
    let path = session(&desk, A, &records);
    saved(&mut desk, A, &path);
    // A fork: the same records under another name, and what is said from there on.
    let fork = records.iter().map(|record| {
        let mut record = record.clone();
        record["sessionId"] = json!(B);
        record
    });
    let mut fork: Vec<Value> = fork.collect();
    let path = session(&desk, B, &fork);
    assert_eq!((receipt(&desk).0.code, sum(&receipt(&desk).1)), (0, [8, 8, 0, 0, 0]));
    let root = desk.root().canonicalize().unwrap();
    fork.push(prompt(B, &root, "10:30", "ask three"));
    session(&desk, B, &fork);
    saved(&mut desk, B, &path);
    let (ran, all) = receipt(&desk);
    assert_eq!(
        (ran.code, sum(&all), &all["sum"]["copied"]),
        (0, [9, 9, 0, 0, 0], &json!(4)),
        "{all:#}"
    );
}

#[test]
fn what_cannot_be_read_is_named_and_nothing_is_vouched_for() {
    let mut desk = stores::desk("claude-code");
    let path = session(&desk, A, &talk(&desk, A, &[("ask one", "answer one")]));
    saved(&mut desk, A, &path);
    let folder = path.with_file_name(format!("{B}.jsonl"));
    std::os::unix::fs::symlink("/nowhere", &folder).unwrap();
    let ran = desk.run("status --receipt");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains(B) && ran.err.contains("hint: mend or remove what is named above"),
        "{}",
        ran.err
    );
}

#[test]
fn resume_names_the_command_of_the_sessions_own_agent() {
    let mut desk = stores::desk("claude-code");
    let path = session(&desk, A, &talk(&desk, A, &[("ask about the marsh gate", "answer one")]));
    is_older(&path, 1);
    let root = desk.root().canonicalize().unwrap();
    let said = json!({"timestamp": "2026-03-15T09:05:00Z", "type": "event_msg", "payload": {"type": "user_message", "message": "ask codex"}});
    codex_rollout(&desk, &root, B, &[said]);
    saved(&mut desk, A, &path);
    assert_eq!(desk.ok("resume").out, format!("codex resume {B}\n"));
    assert_eq!(desk.ok("resume aaaa").out, format!("claude --resume {A}\n"));
    let elsewhere = desk.beside("home");
    let ran = desk.run_in(&elsewhere, &["hipocampus", "-C", root.to_str().unwrap(), "resume", A]);
    assert_eq!(ran.out, format!("cd {} && claude --resume {A}\n", root.display()));

    // One that is kept out of the memory, and whose id is the beginning of another one.
    let off = session(&desk, "aaaa", &talk(&desk, "aaaa", &[("off the record", "quite")]));
    desk.stdin = Some(hook("SessionEnd", "aaaa", &off, &desk.root()));
    desk.run_with(&[("HIPOCAMPUS_OFF", "1")], "compact --stdin");
    desk.stdin = None;
    assert_eq!(desk.ok("resume aaaa").out, "claude --resume aaaa\n");

    let short = desk.run("resume aa");
    assert_eq!((short.code, &*short.out), (2, ""));
    let unknown = desk.run("resume dddddddd");
    assert_eq!((unknown.code, &*unknown.out), (1, ""));
    assert!(
        unknown.err.contains("hint: find its id with `hipocampus search QUESTION`"),
        "{}",
        unknown.err
    );
    let missing = desk.run("resume aaaaa --exec");
    assert_eq!(missing.code, 1);
    assert!(
        missing.err.starts_with("error: `claude`, which starts Claude Code, is not on `PATH`\n"),
        "{}",
        missing.err
    );

    // What a search prints is enough to go on with the session.
    let found = desk.ok("search marsh gate").out;
    let id = found.lines().next().unwrap().rsplit(' ').next().unwrap();
    assert_eq!(desk.ok(&format!("resume {id}")).out, format!("claude --resume {A}\n"));
    let found: Value = serde_json::from_str(&desk.ok("search marsh gate --json").out).unwrap();
    assert_eq!(found[0]["session"], A);
}
