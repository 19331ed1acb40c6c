//! What a person reads on the screen of `status`, and when it raises an alarm.

use std::fs::{File, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::desk::{Desk, Ran};

const NOON: &str = "2026-03-15T12:00:00+01:00";

/// A project with an agent, and sessions in it.
struct Talk {
    desk: Desk,
}

impl Talk {
    fn new(platform: &str) -> Self {
        let mut desk = Desk::new();
        // The hooks call a program that can be run.
        let program = desk.beside("hipocampus");
        std::fs::write(&program, "").unwrap();
        std::fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        desk.exe = program;
        let talk = Self { desk };
        let ran = talk
            .at("2026-03-01T08:00:00+01:00", &format!("init --no-search --platform {platform}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        talk
    }

    fn at(&self, now: &str, line: &str) -> Ran {
        self.desk.run_with(&[("HIPOCAMPUS_NOW", now)], line)
    }

    fn screen(&self, now: &str) -> String {
        let ran = self.at(now, "status");
        let is_unwell = u8::from(ran.out.contains("\nNOT HEALTHY: "));
        assert_eq!((ran.code, &*ran.err), (is_unwell, ""), "{}", ran.out);
        fits(&ran.out);
        ran.out
    }

    fn json(&self, now: &str) -> Value {
        serde_json::from_str(&self.at(now, "status --json").out).unwrap()
    }

    fn root(&self) -> PathBuf {
        self.desk.root().canonicalize().unwrap()
    }

    /// Where Claude Code keeps a session of the project.
    fn transcript(&self, session: &str) -> PathBuf {
        let root = self.root();
        let name = root.to_str().unwrap();
        let slug: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = self.desk.beside("home").join(".claude/projects").join(slug);
        std::fs::create_dir_all(&folder).unwrap();
        folder.join(format!("{session}.jsonl"))
    }

    fn record(&self, session: &str, time: &str, words: &str) -> String {
        let record = json!({"type": "user", "uuid": format!("{session}-{time}"), "sessionId": session,
            "cwd": self.root(), "timestamp": time, "message": {"role": "user", "content": words}});
        format!("{record}\n")
    }

    /// Somebody talks to Claude Code, a turn each hour from `hours` on, and no hook is called.
    fn say(&self, session: &str, day: u32, hours: std::ops::Range<u32>) -> PathBuf {
        let path = self.transcript(session);
        let mut text = std::fs::read_to_string(&path).unwrap_or_default();
        for hour in hours {
            let time = format!("2026-03-{day:02}T{hour:02}:00:00+01:00");
            text +=
                &self.record(session, &time, &format!("{session}, asked at {hour} of day {day}"));
        }
        std::fs::write(&path, text).unwrap();
        path
    }

    /// A hook is called.
    fn hook(&mut self, now: &str, line: &str, event: &str, session: &str, path: &Path) -> Ran {
        let input = json!({"hook_event_name": event, "session_id": session, "transcript_path": path,
            "cwd": self.root()});
        self.desk.stdin = Some(input.to_string());
        let ran = self.at(now, line);
        self.desk.stdin = None;
        assert_eq!(ran.code, 0);
        ran
    }

    /// A session as it should be: its end is told.
    fn save(&mut self, session: &str, day: u32, hours: std::ops::Range<u32>) {
        let now = format!("2026-03-{day:02}T{:02}:01:00+01:00", hours.end - 1);
        let path = self.say(session, day, hours);
        let ran = self.hook(&now, "compact --stdin", "SessionEnd", session, &path);
        assert_eq!(ran.err, "");
    }
}

/// A screen has 24 lines of 60 columns. What is typed is not broken for it.
fn fits(screen: &str) {
    assert!(screen.lines().count() <= 24, "{screen}");
    let wide = |line: &&str| line.chars().count() > 60 && !line.contains('`');
    assert_eq!(screen.lines().find(wide), None, "{screen}");
}

/// What a row of the screen says.
fn row<'a>(screen: &'a str, name: &str) -> &'a str {
    let line = screen.lines().find(|line| line.starts_with(name));
    line.unwrap_or_else(|| panic!("no {name}: {screen}"))[name.len()..].trim()
}

#[test]
fn a_healthy_project_says_what_was_saved_and_that_nothing_needs_doing() {
    let mut talk = Talk::new("claude-code");
    for day in 1..=15 {
        talk.save(&format!("s{day}"), day, 9..11);
    }
    let screen = talk.screen(NOON);
    assert!(screen.contains("\nhealthy: what is said here is saved\n"), "{screen}");
    assert_eq!(row(&screen, "last saved"), "today 10:00 by claude-code");
    assert!(screen.contains(", 2 turns\n"), "{screen}");
    assert_eq!(row(&screen, "not saved"), "nothing");
    assert!(row(&screen, "today").starts_with("1 session, 2 turns, "), "{screen}");
    assert!(row(&screen, "memory").starts_with("15 days since 2026-03-01, "), "{screen}");
    assert_eq!(row(&screen, "agents"), "claude-code: SessionEnd today 10:01");
    assert!(row(&screen, "ROOT.md").ends_with("of 3000 tokens, written by hipocampus"), "{screen}");
    assert_eq!(row(&screen, "to do"), "nothing");
    for inner in ["fixed", "tentative", "protocol"] {
        assert!(!screen.contains(inner), "{screen}");
    }
    let all = talk.at(NOON, "status --all").out;
    assert!(
        all.starts_with(&screen) && all.contains("daily     15 nodes: 14 fixed, 1 tentative"),
        "{all}"
    );
    assert!(all.contains("claude-code: section current, skills current, hooks current"), "{all}");
}

#[test]
fn a_fresh_project_says_what_will_happen() {
    let talk = Talk::new("codex");
    let screen = talk.screen(NOON);
    assert!(screen.contains("\nready: nothing has been said here yet\n"), "{screen}");
    assert!(row(&screen, "next").starts_with("start `codex` here"), "{screen}");
    assert!(screen.contains("`memory/2026-03-15.md`"), "{screen}");
    assert_eq!(row(&screen, "agents"), "codex: its hooks have not run yet");
    // Its hooks need the user's trust.
    assert!(
        screen.contains("\noptional   start `codex`, open `/hooks`, trust the hooks"),
        "{screen}"
    );
    assert!(!screen.contains(" 0 "), "{screen}");
}

#[test]
fn npm_told_nobody_that_nothing_was_saved() {
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 7, 9..11);
    for day in 9..=14 {
        talk.say(&format!("t{day}"), day, 9..11);
    }
    let screen = talk.screen(NOON);
    assert!(
        screen.contains("\nNOT HEALTHY: nothing said in claude-code was saved since\n2026-03-07\n"),
        "{screen}"
    );
    assert_eq!(row(&screen, "last saved"), "2026-03-07, 8 days ago by claude-code");
    assert!(
        row(&screen, "not saved").starts_with("6 sessions, the first of 2026-03-09,"),
        "{screen}"
    );
    assert_eq!(row(&screen, "to do"), "hipocampus update");
    let json = talk.json(NOON);
    assert_eq!(json["state"], "not-healthy");
    assert_eq!(json["unsaved"].as_array().unwrap().len(), 6);
    assert_eq!(json["silence"][0]["since"], "2026-03-07T10:01:00+01:00");
    assert_eq!(json["silence"][0]["sessions"], 6);
    // The next event brings all of it in.
    let path = talk.say("t15", 15, 9..10);
    let ran = talk.hook(NOON, "hook session-start", "SessionStart", "t15", &path);
    assert_eq!((&*ran.out, &*ran.err), ("", ""));
    assert!(talk.screen(NOON).contains("\nhealthy: "));
}

#[test]
fn what_is_no_silence_raises_no_alarm() {
    let quiet = |talk: &Talk, now: &str| {
        let json = talk.json(now);
        assert_eq!((&json["state"], &json["silence"]), (&"healthy".into(), &json!([])), "{json:#}");
        json["unsaved"].as_array().unwrap().len()
    };
    // Nobody said anything: what the client notes down is no word.
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 7, 9..11);
    let noted = [
        json!({"type": "mode", "mode": "plan", "sessionId": "t"}),
        json!({"type": "user", "isMeta": true, "sessionId": "t", "cwd": talk.root(), "timestamp": "2026-03-14T09:00:00Z",
            "message": {"role": "user", "content": "Caveat: the messages below were generated"}}),
        json!({"type": "system", "subtype": "local_command", "sessionId": "t", "content": "<command-name>/clear</command-name>"}),
        json!({"type": "assistant", "sessionId": "t", "cwd": talk.root(), "message": {"model": "<synthetic>",
            "role": "assistant", "content": [{"type": "text", "text": "No response requested."}]}}),
    ];
    let noted: String =
        noted.iter().fold(String::new(), |text, record| text + &format!("{record}\n"));
    std::fs::write(talk.transcript("t"), &noted).unwrap();
    assert_eq!(quiet(&talk, NOON), 0);
    // A copy of a session under another name says nothing new.
    let parent = std::fs::read_to_string(talk.transcript("s1")).unwrap();
    std::fs::write(
        talk.transcript("f"),
        parent.replace("\"sessionId\":\"s1\"", "\"sessionId\":\"f\""),
    )
    .unwrap();
    assert_eq!(quiet(&talk, NOON), 0);
    // A session whose start was told goes on.
    let path = talk.transcript("u");
    let ran =
        talk.hook("2026-03-15T08:59:00+01:00", "hook session-start", "SessionStart", "u", &path);
    assert_eq!((&*ran.out, &*ran.err), ("", ""));
    talk.say("u", 15, 9..17);
    assert_eq!(quiet(&talk, "2026-03-15T16:30:00+01:00"), 1);
    let screen = talk.screen("2026-03-15T16:30:00+01:00");
    assert!(screen.contains(" hipocampus flush\n") && screen.contains("\noptional "), "{screen}");
    // And one of an hour after the last one was saved.
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 15, 9..11);
    talk.say("t", 15, 11..12);
    assert_eq!(quiet(&talk, NOON), 1);
}

#[test]
fn a_session_that_grew_for_more_than_a_session_is_an_alarm() {
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 15, 6..8);
    talk.say("s1", 15, 9..15);
    assert_eq!(talk.json("2026-03-15T14:30:00+01:00")["silence"].as_array().unwrap().len(), 1);
}

#[test]
fn a_client_that_does_not_call_is_named_once_at_the_start_of_another() {
    let mut talk = Talk::new("claude-code");
    let ran = talk.at("2026-03-01T08:00:00+01:00", "init --no-search --platform codex");
    assert_eq!(ran.code, 0);
    talk.save("s1", 7, 9..11);
    talk.say("t9", 9, 9..11);
    let started = |talk: &mut Talk, now: &str| {
        let path = PathBuf::from("/h/rollout-x.jsonl");
        talk.hook(now, "hook session-start", "SessionStart", "x", &path)
    };
    let ran = started(&mut talk, NOON);
    let told = "nothing that was said in `claude-code` was saved since 2026-03-07 10:01: it no longer calls hipocampus; run `hipocampus update`";
    assert!(ran.out.contains(told) && ran.err.contains(told), "{}{}", ran.out, ran.err);
    // Its words were brought in all the same, and more of them are no new alarm.
    assert!(talk.desk.read("memory/2026-03-09.md").contains("t9, asked at 9"));
    talk.say("t16", 16, 9..11);
    let ran = started(&mut talk, "2026-03-17T09:00:00+01:00");
    assert!(!ran.out.contains("claude-code") && ran.err.is_empty(), "{}{}", ran.out, ran.err);
    // The next silence is another one.
    talk.save("s18", 18, 9..11);
    talk.say("t20", 20, 9..11);
    assert!(started(&mut talk, "2026-03-21T09:00:00+01:00").out.contains("since 2026-03-18 10:01"));
}

#[test]
fn an_agent_whose_client_no_longer_calls_is_told_when_it_asks() {
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 7, 9..11);
    talk.say("t9", 9, 9..11);
    // As if the hook had fired and saved a week ago.
    let then = SystemTime::now() - Duration::from_secs(7 * 86_400);
    for name in std::fs::read_dir(talk.desk.root().join("memory")).unwrap() {
        let path = name.unwrap().path();
        if path.is_file() {
            let file = File::options().write(true).open(path).unwrap();
            file.set_times(FileTimes::new().set_modified(then)).unwrap();
        }
    }
    let ran = talk.at(NOON, "status --due");
    assert!(ran.out.starts_with("not due: "), "{}", ran.out);
    assert!(
        ran.err.contains("nothing that was said in `claude-code` was saved since 2026-03-07 10:01"),
        "{}",
        ran.err
    );
    assert_eq!(talk.at(NOON, "status --due").err, "");
}

#[test]
fn a_form_that_is_not_known_is_told_at_the_next_start() {
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 7, 9..11);
    let strange = json!({"type": "message.v9", "sessionId": "t", "cwd": talk.root(),
        "event": {"role": "assistant", "content": [{"type": "text", "text": "The zone of the server was taken."}]}});
    let path = talk.transcript("t");
    std::fs::write(&path, format!("{strange}\n")).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_times(
        FileTimes::new().set_modified(SystemTime::now() + Duration::from_secs(7 * 3600)),
    )
    .unwrap();
    let screen = talk.screen(NOON);
    assert!(
        screen.contains("\nNOT HEALTHY: ") && screen.contains("install the newest hipocampus"),
        "{screen}"
    );
    let next = talk.transcript("n");
    let ran = talk.hook(NOON, "hook session-start", "SessionStart", "n", &next);
    assert!(
        ran.out.contains("its transcripts have a form that this version does not know"),
        "{}",
        ran.out
    );
    let ran = talk.hook(NOON, "hook session-start", "SessionStart", "n", &next);
    assert_eq!(ran.out, "");
}

#[test]
fn a_broken_configuration_is_a_screen_and_an_error() {
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 15, 9..11);
    let good = talk.desk.read("hipocampus.config.json");
    talk.desk.write("hipocampus.config.json", good.replacen(",\n", "\n", 1));
    let ran = talk.at(NOON, "status");
    assert_eq!(ran.code, 1);
    fits(&ran.out);
    assert!(ran.out.contains("\nNOT HEALTHY: the configuration cannot be read, so"), "{}", ran.out);
    assert_eq!(row(&ran.out, "to do"), "open `hipocampus.config.json` at line 3 or just");
    assert_eq!(row(&ran.out, "last saved"), "today 10:00 by claude-code");
    assert!(
        ran.err.starts_with("error: ") && ran.err.contains("hipocampus.config.json:3:"),
        "{}",
        ran.err
    );
}

#[test]
fn what_waits_for_a_model_says_what_to_type() {
    for (platform, expect) in [
        ("claude-code", "in `claude`, type `/hipocampus-compaction`"),
        ("codex", "in `codex`, type `$hipocampus-compaction`"),
    ] {
        let talk = Talk::new(platform);
        let decisions: String =
            (0..260).fold(String::new(), |text, n| text + &format!("- decision: point {n}\n"));
        talk.desk.write("memory/2026-03-12.md", format!("## Queue search [project]\n{decisions}"));
        assert_eq!(talk.at(NOON, "compact").code, 0);
        let screen = talk.screen(NOON);
        assert_eq!(row(&screen, "to do"), expect);
        assert!(screen.contains("for a summary"), "{screen}");
        assert!(talk.at(NOON, "status --all").out.contains("waiting   2026-03-12"));
    }
}

#[test]
fn what_waits_is_the_same_for_everybody_who_asks() {
    let talk = Talk::new("claude-code");
    let points: String = (0..260).fold(String::new(), |text, n| text + &format!("- point {n}\n"));
    // Before summaries began, over, edited by somebody, and of today.
    for day in ["2026-02-10", "2026-03-10", "2026-03-12", "2026-03-15"] {
        talk.desk.write(&format!("memory/{day}.md"), format!("## Queues [project]\n{points}"));
    }
    assert_eq!(talk.at(NOON, "compact").code, 0);
    let edited = "memory/daily/2026-03-12.md";
    talk.desk.write(edited, talk.desk.read(edited) + "- by hand\n");
    assert_eq!(talk.at(NOON, "compact").code, 0);
    let waits = |line: &str, key: &str| -> Vec<String> {
        let rows: Value = serde_json::from_str(&talk.at(NOON, line).out).unwrap();
        let rows = rows.as_array().or_else(|| rows["waiting"].as_array()).unwrap().clone();
        let mut names: Vec<_> =
            rows.iter().map(|row| row[key].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(waits("pending --json", "node"), ["2026-03-10", "2026-03-12"]);
    assert_eq!(waits("status --json", "period"), ["2026-03-10", "2026-03-12"]);
    let all = talk.at(NOON, "status --all").out;
    assert!(all.contains("4 nodes: 1 fixed, 1 tentative, 2 waiting for a summary"), "{all}");
    assert!(all.contains("somebody edited it") && !all.contains("2026-03-15  "), "{all}");
    // What somebody edited is theirs: no agent is sent to it.
    assert!(talk.screen(NOON).contains("1 period waits for a summary"));
    assert!(talk.at(NOON, "status --due").out.starts_with("due: 1 node waits"));
    let head = talk.desk.read(edited).replace("needs-summarization", "fixed");
    talk.desk.write(edited, head);
    // Today's log is long, and goes on.
    std::fs::remove_file(talk.desk.root().join("memory/2026-03-10.md")).unwrap();
    std::fs::remove_file(talk.desk.root().join("memory/daily/2026-03-10.md")).unwrap();
    assert_eq!(talk.at(NOON, "compact").code, 0);
    assert!(talk.at(NOON, "status --due").out.starts_with("not due: no node waits"));
    assert!(!talk.screen(NOON).contains("for a summary"));
}

#[test]
fn what_is_missing_of_an_installation_is_told_with_its_command() {
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 15, 9..11);
    std::fs::remove_file(talk.desk.root().join(".claude/settings.local.json")).unwrap();
    let screen = talk.screen(NOON);
    assert!(screen.contains("\nNOT HEALTHY: what claude-code needs is not in place\n"), "{screen}");
    assert_eq!(row(&screen, "to do"), "hipocampus update");
    assert_eq!(talk.at(NOON, "update").code, 0);
    assert!(talk.screen(NOON).contains("\nhealthy: "));
}

#[test]
fn moments_in_json_carry_their_offset() {
    let mut talk = Talk::new("claude-code");
    talk.save("s1", 15, 9..11);
    let json = talk.json(NOON);
    assert_eq!(json["now"], "2026-03-15T12:00:00+01:00");
    let saved = &json["saved"];
    assert_eq!(saved["at"], "2026-03-15T10:00:00+01:00");
    assert_eq!(
        (&saved["agent"], &saved["turns"], &saved["session"]),
        (&"claude-code".into(), &2.into(), &"s1".into())
    );
    assert_eq!(json["agents"][0]["last"]["at"], "2026-03-15T10:01:00+01:00");
    assert!(json["updated"].as_str().unwrap().ends_with("+01:00"));
    assert_eq!(json["today"]["turns"], 2);
    // What was there before is there.
    for key in [
        "version",
        "project",
        "logs",
        "nodes",
        "waiting",
        "late",
        "without_log",
        "odd",
        "to_do",
        "hot_files",
        "root",
        "last_summary",
        "hooks",
        "fired",
        "config",
        "installation",
    ] {
        assert!(json.get(key).is_some(), "{key}");
    }
}

#[test]
fn problems_of_hooks_and_replaced_secrets_are_counted() {
    let mut talk = Talk::new("claude-code");
    let secret = format!("the password: {}{}", "Tr0ub4dor", "&3x");
    let path = talk.transcript("s1");
    std::fs::write(&path, talk.record("s1", "2026-03-15T09:00:00+01:00", &secret)).unwrap();
    talk.hook("2026-03-15T09:01:00+01:00", "compact --stdin", "SessionEnd", "s1", &path);
    assert_eq!(row(&talk.screen(NOON), "secrets"), "1 replaced in the logs");
    let ran = talk.hook(
        "2026-03-15T09:30:00+01:00",
        "compact --stdin",
        "SessionEnd",
        "x",
        Path::new("/none.jsonl"),
    );
    assert!(!ran.err.is_empty());
    let state = talk.desk.beside("home").join(".local/state/hipocampus/logs");
    if state.is_dir() {
        assert!(
            row(&talk.screen(NOON), "problems").contains("today 09:30"),
            "{}",
            talk.screen(NOON)
        );
    }
}

#[test]
fn a_secret_in_a_title_is_counted_with_its_rule() {
    let talk = Talk::new("claude-code");
    let log = "## Session — 2026-03-15 14:02:11 — use \\[REDACTED:github-token\\] here\n\n- [REDACTED:github-token]\n";
    talk.desk.write("memory/2026-03-15.md", log);
    let report: Value = serde_json::from_str(&talk.at(NOON, "status --json").out).unwrap();
    assert_eq!(report["secrets"]["by_rule"], json!({"github-token": 2}));
}

#[test]
fn secrets_that_an_agent_wrote_into_a_log_are_counted_until_scrub() {
    let talk = Talk::new("claude-code");
    let secret = ["Marmelade", "99xQ"].concat();
    let log = format!("# 2026-03-15\n\n## staging [project]\n- DB_PASSWORD={secret}\n");
    talk.desk.write("memory/2026-03-15.md", &log);
    let status = || -> Value { serde_json::from_str(&talk.at(NOON, "status --json").out).unwrap() };
    let report = status();
    assert_eq!(report["secrets"]["in_clear"], json!(1));
    assert_eq!(report["secrets"]["in_clear_by_rule"], json!({"password": 1}));
    assert_eq!(report["needs"][0]["command"], "hipocampus scrub");
    assert_eq!(report["needs"][0]["why"], "1 secret stands in the logs as it was written");
    let screen = talk.screen(NOON);
    assert_eq!(row(&screen, "secrets"), "0 replaced in the logs, 1 in clear");
    assert!(!screen.contains(&secret), "{screen}");

    talk.desk.ok("scrub --yes");
    let report = status();
    assert_eq!(
        (&report["secrets"]["in_clear"], &report["secrets"]["replaced"]),
        (&json!(0), &json!(1))
    );
}
