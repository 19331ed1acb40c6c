#![expect(clippy::disallowed_methods, reason = "tests of effects")]

use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use chrono::{DateTime, NaiveDate};
use serde_json::{Value, json};

use super::*;
use crate::capture::hide::Hide;
use crate::disk::{Lock, Wait};

mod crash;
mod once;
mod records;
mod saved_over;
mod torn;

struct Project {
    dir: tempfile::TempDir,
    world: World,
}

impl Project {
    fn new(now: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("p/memory")).unwrap();
        let mut world = World::for_tests();
        world.env.insert("HIPOCAMPUS_NOW".into(), now.into());
        Self { dir, world }
    }

    fn memory(&self, name: &str) -> PathBuf {
        self.dir.path().join("p/memory").join(name)
    }

    fn folder(&self) -> Folder {
        Folder::open(&self.memory("")).unwrap()
    }

    fn lock(&self) -> Lock {
        Folder::open(self.dir.path()).unwrap().lock("lock", Wait::Hook)
    }

    fn transcript(&self, name: &str, content: &[u8]) -> String {
        let path = self.dir.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_string_lossy().into_owned()
    }

    fn import(&self, hook: &Value) -> ImportOutcome {
        let hook = HookInput::parse(hook.to_string().as_bytes()).unwrap();
        let (folder, lock) = (self.folder(), self.lock());
        import(&folder, lock.held().unwrap(), &hook, &self.world, &Hide, None).unwrap()
    }

    fn import_file(&self, path: &str) -> ImportOutcome {
        let outcome = self.import(&json!({ "transcript_path": path }));
        assert_eq!(outcome.notes, []);
        outcome
    }

    /// The names and contents of the files whose name ends like this, in order of their names.
    fn files(&self, end: &str) -> Vec<(String, String)> {
        let mut files: Vec<_> = fs::read_dir(self.memory(""))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(end))
            .map(|name| (name.clone(), fs::read_to_string(self.memory(&name)).unwrap()))
            .collect();
        files.sort();
        files
    }

    fn log(&self) -> String {
        self.files(".md").into_iter().map(|(_, text)| text).collect()
    }

    fn backup(&self) -> String {
        self.files(".jsonl").into_iter().map(|(_, text)| text).collect()
    }

    /// What a reader sees: no markers, no session headings or titles, no blank lines; of each turn its words first,
    /// then its calls of tools one by one.
    fn turns(&self) -> String {
        let mut out = String::new();
        let mut tools: Vec<String> = Vec::new();
        let end_turn = |out: &mut String, tools: &mut Vec<String>| {
            tools.sort();
            out.extend(tools.drain(..).map(|tool| format!("[tools: {tool}]\n")));
        };
        for line in self.log().lines() {
            let apart = ["<!-- hip", "## Session", "**Title:**"];
            if line.is_empty() || apart.iter().any(|begins| line.starts_with(begins)) {
                continue;
            }
            if let Some(called) = line.strip_prefix("[tools: ").and_then(|l| l.strip_suffix(']')) {
                for tool in called.split(", ") {
                    let (name, times) = tool.split_once(" ×").unwrap_or((tool, "1"));
                    tools.extend(vec![name.to_owned(); times.parse().unwrap()]);
                }
                continue;
            }
            if line.starts_with("**") {
                end_turn(&mut out, &mut tools);
            }
            out += line;
            out.push('\n');
        }
        end_turn(&mut out, &mut tools);
        out.replace(":**\n", ":** ")
    }
}

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/clients").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn golden(name: &str) -> String {
    String::from_utf8(fixture(&format!("{name}.turns"))).unwrap()
}

fn user(number: usize, time: &str, text: &str) -> String {
    let record = json!({"type": "user", "uuid": format!("u{number}"), "sessionId": "s", "timestamp": time,
        "message": {"role": "user", "content": text}});
    format!("{record}\n")
}

fn reply(number: usize, id: &str, time: &str, text: &str, tools: &[&str]) -> String {
    let mut content = Vec::new();
    if !text.is_empty() {
        content.push(json!({"type": "text", "text": text}));
    }
    content.extend(tools.iter().map(|tool| json!({"type": "tool_use", "name": tool})));
    let record = json!({"type": "assistant", "uuid": format!("a{number}"), "sessionId": "s",
        "timestamp": time, "message": {"id": id, "role": "assistant", "content": content}});
    format!("{record}\n")
}

const NOW: &str = "2026-11-20T20:00:00Z";

#[test]
fn every_sample_gives_the_turns_a_reader_sees_however_often_it_is_imported() {
    for name in [
        "claude-code-resume-compact",
        "claude-code-fork-parent",
        "claude-code-fork",
        "claude-code-skill",
        "claude-code-subagent-child",
        "claude-code-subagent-parent",
        "codex-single-turn-nohooks",
        "codex-two-turns-resumed",
        "codex-with-compaction",
        "openclaw-events",
    ] {
        let project = Project::new(NOW);
        let content = fixture(&format!("{name}.jsonl"));
        let path = project.transcript("t.jsonl", &content);
        for run in 0..10 {
            let outcome = project.import_file(&path);
            assert_eq!(project.turns(), golden(name), "{name} after run {run}");
            assert!(run == 0 || outcome.days.is_empty());
        }
        // The backup says nothing that the transcript does not say.
        let records = project.backup();
        let transcript: Vec<Value> = serde_json::Deserializer::from_slice(&content)
            .into_iter()
            .map(Result::unwrap)
            .collect();
        for line in records.lines() {
            let kept: Value = serde_json::from_str(line).unwrap();
            assert!(transcript.iter().any(|record| holds(record, &kept)), "{line}");
        }
        // Record by record, as a client writes it.
        let project = Project::new(NOW);
        let ends = (1..=content.len()).filter(|end| content[end - 1] == b'\n');
        for end in ends {
            let path = project.transcript("t.jsonl", &content[..end]);
            project.import_file(&path);
        }
        assert_eq!(project.turns(), golden(name), "{name} record by record");
        assert_eq!(project.backup(), records, "{name}");
    }
}

/// Whether a record says all that a narrower one says: each text of it, below the same key.
fn holds(record: &Value, narrow: &Value) -> bool {
    match (record, narrow) {
        (Value::Object(record), Value::Object(narrow)) => narrow
            .iter()
            .all(|(key, value)| record.get(key).is_some_and(|whole| holds(whole, value))),
        (Value::Array(record), Value::Array(narrow)) => {
            narrow.iter().all(|value| record.iter().any(|whole| holds(whole, value)))
        }
        (Value::String(record), Value::String(narrow)) => {
            let lines = |text: &str| text.lines().all(|line| record.contains(line));
            record.contains(&**narrow) || lines(narrow)
        }
        (record, narrow) => record == narrow,
    }
}

#[test]
fn messages_that_come_whole_every_time_are_imported_once() {
    for name in ["opencode-messages", "opencode-after-compaction"] {
        let messages: Vec<Value> =
            serde_json::from_slice(&fixture(&format!("{name}.json"))).unwrap();
        for without_backup in [false, true] {
            let project = Project::new(NOW);
            for count in 0..=messages.len() {
                for _ in 0..2 {
                    let part = &messages[..count];
                    project.import(&json!({"session_id": "ses_1", "messages": part}));
                }
                if without_backup {
                    for (backup, _) in project.files(".jsonl") {
                        fs::remove_file(project.memory(&backup)).unwrap();
                    }
                }
            }
            assert_eq!(project.turns(), golden(name), "{name}");
        }
    }
    let project = Project::new(NOW);
    for hook in String::from_utf8(fixture("openclaw-hooks.jsonl")).unwrap().lines() {
        let hook: Value = serde_json::from_str(hook).unwrap();
        project.import(&hook);
        project.import(&hook);
    }
    assert_eq!(project.turns(), golden("openclaw-hooks"));
}

#[test]
fn a_fork_adds_only_what_is_new() {
    for without_backup in [false, true] {
        let project = Project::new(NOW);
        let parent = project.transcript("parent.jsonl", &fixture("claude-code-fork-parent.jsonl"));
        let fork = project.transcript("fork.jsonl", &fixture("claude-code-fork.jsonl"));
        project.import_file(&parent);
        if without_backup {
            for (backup, _) in project.files(".jsonl") {
                fs::remove_file(project.memory(&backup)).unwrap();
            }
        }
        for path in [&fork, &parent, &fork] {
            project.import_file(path);
        }
        assert_eq!(project.turns(), golden("claude-code-fork"), "without: {without_backup}");
        let sessions = project.log().matches("<!-- hipocampus:session ").count();
        assert_eq!(sessions, 2);
    }
}

#[test]
fn a_fork_whose_messages_have_new_ids_adds_only_what_is_new() {
    let name = "opencode-messages";
    let messages: Vec<Value> = serde_json::from_slice(&fixture(&format!("{name}.json"))).unwrap();
    let copy = |message: &Value, at: usize| {
        let mut copy = message.clone();
        copy["info"]["id"] = json!(format!("msg_0copy{at:03}0000000000000000"));
        copy["info"]["sessionID"] = json!("ses_fork");
        copy
    };
    for shared in 1..=messages.len() {
        let project = Project::new(NOW);
        project.import(&json!({"session_id": "ses_1", "messages": messages}));
        let alone = project.turns();
        assert_eq!(alone, golden(name));
        let mut fork: Vec<Value> =
            messages[..shared].iter().enumerate().map(|(at, message)| copy(message, at)).collect();
        for _ in 0..2 {
            project.import(&json!({"session_id": "ses_fork", "messages": fork}));
            assert_eq!(project.turns(), alone, "{shared} shared");
        }
        // The first message once more, word for word, but sent anew.
        let mut again = copy(&messages[0], 999);
        let sent = messages.last().unwrap()["info"]["time"]["created"].as_u64().unwrap() + 60_000;
        again["info"]["time"]["created"] = json!(sent);
        fork.push(again);
        for _ in 0..2 {
            project.import(&json!({"session_id": "ses_fork", "messages": fork}));
            let first = alone.lines().next().unwrap();
            assert_eq!(project.turns(), format!("{alone}{first}\n"), "{shared} shared");
        }
    }
}

#[test]
fn a_new_session_with_the_same_words_is_no_fork() {
    let project = Project::new(NOW);
    let talk = |id: &str, time: &str| {
        user(1, time, "continue").replace("\"u1\"", &format!("\"{id}\""))
            + &reply(1, "m", time, "done", &[]).replace("\"a1\"", &format!("\"{id}a\""))
    };
    for (name, time) in [("x", "2026-11-20T10:00:00Z"), ("y", "2026-11-20T10:05:00Z")] {
        let content = talk(name, time).replace("\"s\"", &format!("\"{name}\""));
        let path = project.transcript(&format!("{name}.jsonl"), content.as_bytes());
        project.import_file(&path);
        project.import_file(&path);
        for (backup, _) in project.files(".jsonl") {
            fs::remove_file(project.memory(&backup)).unwrap();
        }
    }
    assert_eq!(project.turns().matches("continue").count(), 2);
}

#[test]
fn a_transcript_that_was_rewritten_is_matched() {
    let line = |number: usize| {
        let time = format!("2026-11-20T10:{number:02}:00Z");
        if number.is_multiple_of(2) {
            user(number, &time, &format!("ask {number:02}"))
        } else {
            reply(number, &format!("m{number}"), &time, &format!("answer {number:02}"), &[])
        }
    };
    let lines = |range: Range<usize>| range.map(line).collect::<String>();
    for without_backup in [false, true] {
        let project = Project::new(NOW);
        let import = |content: String| {
            let path = project.transcript("t.jsonl", content.as_bytes());
            project.import_file(&path);
            if without_backup {
                for (backup, _) in project.files(".jsonl") {
                    fs::remove_file(project.memory(&backup)).unwrap();
                }
            }
        };
        import(lines(10..20));
        // The lines are of one length: the old end falls on the end of another line.
        import(lines(14..24));
        import(lines(22..26));
        import(lines(22..30));
        import(lines(22..30));
        let expect: String = (10..30)
            .map(|number| match number % 2 {
                0 => format!("**User:** ask {number}\n"),
                _ => format!("**Assistant:** answer {number}\n"),
            })
            .collect();
        assert_eq!(project.turns(), expect, "without: {without_backup}");
    }
}

#[test]
fn npm_appended_the_whole_transcript_at_every_run() {
    let project = Project::new(NOW);
    let mut content = String::new();
    for number in 0..1000 {
        let time = format!("2026-11-20T10:{:02}:{:02}Z", number / 60 % 60, number % 60);
        content += &if number % 2 == 0 {
            user(number, &time, &format!("message {number} END"))
        } else {
            reply(number, &format!("m{number}"), &time, &format!("message {number} END"), &[])
        };
        if (number + 1) % 200 == 0 {
            project.import_file(&project.transcript("t.jsonl", content.as_bytes()));
        }
    }
    let log = project.log();
    assert_eq!(log.matches("**User:**").count() + log.matches("**Assistant:**").count(), 1000);
    let said = |number| log.matches(&format!(":** message {number} END")).count();
    assert!((0..1000).all(|number| said(number) == 1));
    for _ in 0..5 {
        project.import_file(&project.dir.path().join("t.jsonl").to_string_lossy());
    }
    assert_eq!(project.log(), log);
    assert_eq!(log.matches("## Session").count(), 1);
}

#[test]
fn npm_filed_a_session_under_the_day_of_the_run() {
    let project = Project::new("2026-03-30T12:00:00+01:00");
    let content = user(0, "2026-03-15T22:30:00Z", "sunday")
        + &reply(0, "m", "2026-03-16T03:00:00Z", "past midnight", &[])
        + &user(1, "2026-03-16T09:30:00Z", "monday")
        + &user(2, "2026-03-29T23:30:00Z", "two weeks later");
    // The week of the 15th was fixed, and the month of the 16th without a week of that day.
    for node in ["weekly/2026-W11.md", "monthly/2026-03.md"] {
        let path = project.memory(node);
        fs::create_dir(path.parent().unwrap()).unwrap();
        fs::write(path, "---\nstatus: fixed\n---\n\ntext\n").unwrap();
    }
    project.import_file(&project.transcript("t.jsonl", content.as_bytes()));
    let files = project.files(".md");
    let found: Vec<_> =
        files.iter().map(|(name, text)| (name.as_str(), text.matches("**").count() / 2)).collect();
    assert_eq!(found, [("2026-03-15.md", 2), ("2026-03-16.md", 1), ("2026-03-30.md", 1)]);
    assert!(files[0].1.contains("## Session — 2026-03-15 23:30:00\n"));
    let memory = Folder::open(&project.memory("")).unwrap();
    let reopened = reopen::pending(&memory).unwrap();
    let days: Vec<String> = reopened.iter().map(NaiveDate::to_string).collect();
    assert_eq!(days, ["2026-03-15", "2026-03-16"]);
    reopen::clear(&memory).unwrap();
    assert!(reopen::pending(&memory).unwrap().is_empty());
    for (name, _) in [project.files(".md"), project.files(".jsonl")].concat() {
        let mode = fs::metadata(project.memory(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn a_long_record_is_named_and_a_record_that_is_being_written_is_left() {
    let project = Project::new(NOW);
    let time = "2026-11-20T10:00:00Z";
    // No record, however it is read.
    let long = "x".repeat(2 * 1024 * 1024) + "\n";
    let last = user(2, time, "after");
    let content = user(0, time, "before") + &long + &last;
    let path = project.transcript("t.jsonl", &content.as_bytes()[..content.len() - 9]);
    let outcome = project.import(&json!({ "transcript_path": path }));
    assert_eq!(outcome.notes.len(), 1, "{:?}", outcome.notes);
    let bytes = long.len() - 1;
    let skipped = format!("**User:** before\n[skipped: a record of {bytes} bytes]\n");
    assert_eq!(project.turns(), skipped);
    fs::write(&path, content.trim_end()).unwrap();
    project.import_file(&path);
    fs::write(&path, content + &reply(3, "m", time, "and on", &[])).unwrap();
    project.import_file(&path);
    project.import_file(&path);
    assert_eq!(project.turns(), skipped + "**User:** after\n**Assistant:** and on\n");
}

#[test]
fn npm_copied_secrets_into_the_backup() {
    let project = Project::new(NOW);
    let time = "2026-11-20T10:00:00Z";
    let content = user(0, time, "password hunter2 \"quoted\"")
        + &reply(0, "hunter2", time, "I see hunter2\nyes", &["hunter2"])
        + &reply(1, "hunter2", time, "another reply", &[]);
    let path = project.transcript("t.jsonl", content.as_bytes());
    for _ in 0..2 {
        project.import_file(&path);
    }
    for (name, text) in project.files("") {
        assert!(!text.contains("hunter2"), "{name}: {text}");
        if name.starts_with(".session-transcript-") {
            let records = text.lines().map(serde_json::from_str::<Value>);
            assert_eq!(records.flatten().count(), 3);
        }
    }
    assert_eq!(project.turns().matches("**").count(), 6);
}

#[test]
fn npm_followed_any_transcript_path() {
    let project = Project::new(NOW);
    let dir = project.dir.path();
    std::os::unix::fs::symlink("/etc/passwd", dir.join("link.jsonl")).unwrap();
    fs::create_dir(dir.join("folder.jsonl")).unwrap();
    for path in ["link.jsonl", "folder.jsonl", "missing.jsonl", "/dev/zero", "/etc/passwd", "p"] {
        let outcome = project.import(&json!({"transcript_path": path, "cwd": dir}));
        assert_eq!(outcome.notes.len(), 1, "{path}");
        assert!(!outcome.notes[0].to_string().contains('\n'));
    }
    for hook in [json!({"transcript_path": 7}), json!({"messages": {"a": 1}, "cwd": []})] {
        assert_eq!(project.import(&hook).notes.len(), 1, "{hook}");
    }
    for messages in [json!([1, null, "x", [], {}]), json!([[[[[]]]]])] {
        let outcome = project.import(&json!({"session_id": "s", "messages": messages}));
        assert_eq!(outcome.notes.len(), 1, "{messages}");
    }
    assert_eq!(project.import(&json!({"transcript_path": null})).notes, []);
    let odd =
        json!({"session_id": "s", "messages": [1, "x", null, [], {"role": 3, "content": {}}]});
    assert_eq!(project.import(&odd).notes, []);
    let garbage: Vec<u8> =
        (0..100_000_u32).flat_map(|n| (n.wrapping_mul(2_654_435_761)).to_le_bytes()).collect();
    let garbage = project.transcript("garbage.jsonl", &garbage);
    assert_eq!(project.import(&json!({ "transcript_path": garbage })).notes.len(), 1);
    assert_eq!(project.files("").len(), 0);
}

#[test]
fn what_is_not_reached_in_time_comes_with_the_next_event() {
    let project = Project::new(NOW);
    let time = "2026-11-20T10:00:00Z";
    let content: String = (0..1000).map(|n| user(n, time, &format!("turn {n} END"))).collect();
    let path = project.transcript("t.jsonl", content.as_bytes());
    let hook = HookInput { transcript_path: Some(path.clone()), ..HookInput::default() };
    let late = Some(Instant::now());
    let (folder, lock) = (project.folder(), project.lock());
    let held = lock.held().unwrap();
    let outcome = import(&folder, held, &hook, &project.world, &Hide, late).unwrap();
    drop(lock);
    assert!(outcome.unfinished && outcome.turns < 1000);
    project.import_file(&path);
    let log = project.log();
    assert!((0..1000).all(|n| log.matches(&format!("turn {n} END")).count() == 1));
}

#[test]
fn looking_for_what_is_old_keeps_to_the_deadline() {
    let project = Project::new(NOW);
    let time = "2026-11-20T10:00:00Z";
    let turns = |range: Range<usize>| -> String {
        range.map(|n| user(n, time, &format!("turn {n} END"))).collect()
    };
    project.import_file(&project.transcript("t.jsonl", turns(0..1000).as_bytes()));
    let before = project.log();
    // The beginning is gone, so what is new is found by reading all of it.
    let path = project.transcript("t.jsonl", turns(10..1001).as_bytes());
    for (event, notes) in [("SessionEnd", 0), ("Stop", 1)] {
        let hook = HookInput {
            transcript_path: Some(path.clone()),
            event: event.to_owned(),
            ..HookInput::default()
        };
        let late = Some(Instant::now());
        let (folder, lock) = (project.folder(), project.lock());
        let held = lock.held().unwrap();
        let outcome = import(&folder, held, &hook, &project.world, &Hide, late).unwrap();
        assert!(outcome.unfinished, "{event}");
        assert_eq!(outcome.notes.len(), notes, "{event}: {:?}", outcome.notes);
        assert_eq!(project.log(), before);
    }
    project.import_file(&path);
    let log = project.log();
    assert!((0..1001).all(|n| log.matches(&format!("turn {n} END")).count() == 1));
}

#[test]
fn turns_without_a_time_continue_the_session_of_today() {
    let project = Project::new(NOW);
    let undated = |n: usize| user(n, "", &format!("turn {n}"));
    project.import_file(&project.transcript("t.jsonl", (undated(0) + &undated(1)).as_bytes()));
    let content = (0..4).map(undated).collect::<String>();
    project.import_file(&project.transcript("t.jsonl", content.as_bytes()));
    assert_eq!(project.log().matches("## Session").count(), 1);
    assert_eq!(project.files(".md")[0].0, "2026-11-20.md");
}
