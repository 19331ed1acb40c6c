//! Summaries in the background: who starts them, what they leave when they fail or are killed, and how they are chosen.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hipocampus::Exit;
use serde_json::Value;

use crate::desk::Desk;
use crate::summarize::{long_days, waiting};
use crate::summarizers::WRITES;
use crate::support::Project;

const NOW: &str = "2026-03-25T12:00:00+02:00";
const RECORD: &str = "memory/.hipocampus.background";

/// A project whose summaries a script writes in the background; each call notes down its session in `calls`.
fn project(days: &[u32], script: &str) -> Project {
    let project = long_days(days);
    let calls = project.path("calls");
    let text = format!("ps -o sid= -p $$ >> {}\n{script}", calls.display());
    project.write("home/summarizer.sh", text);
    project.write(
        "hipocampus.config.json",
        serde_json::json!({
            "platform": "claude-code",
            "summaries": {"by": "background"},
            "summarizer": {"command": format!("sh {}", project.path("home/summarizer.sh").display())},
        })
        .to_string(),
    );
    project
}

fn allow(project: &Project) {
    let home = project.path("home");
    let output = project.run(["summarize", "--allow"]).today(NOW).env("HOME", home).output();
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
}

/// What an agent calls when a session begins, with the program as it is. Ends with the last holder of its streams: a run in
/// the background is none.
fn hook(project: &Project, now: &str, env: &[(&str, &str)]) {
    let mut hook = Command::new(env!("CARGO_BIN_EXE_hipocampus"));
    hook.args(["hook", "session-start"]).current_dir(project.root()).env_clear();
    hook.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", project.path("home"));
    hook.env("HIPOCAMPUS_NOW", now).env("QMD_DISABLE", "1").envs(env.iter().copied());
    hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = hook.spawn().unwrap();
    let event = serde_json::json!({"hook_event_name": "SessionStart", "session_id": "s", "source": "startup", "cwd": project.root()});
    // One that is off does not read what it is told.
    let _ = child.stdin.take().unwrap().write_all(event.to_string().as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}

fn record(project: &Project) -> Value {
    let bytes = fs::read(project.path(RECORD)).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

#[track_caller]
fn wait(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(120), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits for a run to end, of which there were so many failures by then.
fn wait_for_end(project: &Project, failures: u64) -> Value {
    wait("for the end of the run", || {
        let record = record(project);
        record["failures"] == failures
            && record.get("process").is_none()
            && !record["next"].is_null()
    });
    record(project)
}

fn calls(project: &Project) -> usize {
    fs::read_to_string(project.path("calls")).unwrap_or_default().lines().count()
}

fn status(project: &Project, now: &str) -> String {
    let run = project.run(["status"]).today(now).env("HOME", project.path("home"));
    // What it tells is broken into lines.
    run.output().out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_hook_starts_them_where_they_are_allowed_and_waits_for_nothing() {
    let project = project(&[2, 10], &format!("sleep 1\n{WRITES}"));
    // A configuration alone allows nothing.
    hook(&project, NOW, &[]);
    let told = status(&project, NOW);
    assert!(told.contains("the command is not allowed here"), "{told}");
    assert!(told.contains("hipocampus summarize --allow"), "{told}");
    assert!(!project.has(RECORD));
    allow(&project);
    // Nor is one started by a summarizer's own agent, or in a session that is off.
    hook(&project, NOW, &[("HIPOCAMPUS_SUMMARIZING", "1")]);
    hook(&project, NOW, &[("HIPOCAMPUS_OFF", "1")]);
    std::thread::sleep(Duration::from_millis(300));
    assert!(!project.has(RECORD) && calls(&project) == 0);
    let begin = Instant::now();
    hook(&project, NOW, &[]);
    let (took, at_work) = (begin.elapsed(), calls(&project) < 3);
    assert!(at_work, "{took:?}");
    // One at a time, however many hooks there are.
    for _ in 0..3 {
        hook(&project, NOW, &[]);
    }
    let record = wait_for_end(&project, 0);
    assert_eq!(record["stored"], 3, "{record}");
    assert_eq!(calls(&project), 3);
    assert_eq!(waiting(&project, NOW), [""; 0]);
    assert!(project.body("memory/daily/2026-03-02.md").contains("summary of 2026-03-02"));
    let told = status(&project, NOW);
    assert!(told.contains("in the background: 3 nodes written 12:00;"), "{told}");
    // It had a session of its own.
    let seen = project.text("calls");
    let session: u32 = seen.split_whitespace().next().unwrap().parse().unwrap();
    let own =
        Command::new("ps").args(["-o", "sid=", "-p", &std::process::id().to_string()]).output();
    let own = String::from_utf8(own.unwrap().stdout).unwrap();
    assert_ne!(own.trim(), session.to_string());
    // Nothing waits: nothing is started.
    hook(&project, "2026-03-26T12:00:00+02:00", &[]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(calls(&project), 3);
}

#[test]
fn a_failure_is_noted_once_and_tried_again_after_one_hour_then_six() {
    let project = project(&[10], "echo 'please run /login'; exit 1");
    allow(&project);
    let at = |time: &str| format!("2026-03-25T{time}:00+02:00");
    let mut known = 0;
    for (time, failures, next) in [
        ("12:00", 1, "13:00"),
        ("12:59", 1, "13:00"),
        ("13:00", 2, "19:00"),
        ("18:59", 2, "19:00"),
        ("19:00", 3, "01:00"),
    ] {
        hook(&project, &at(time), &[]);
        let record = wait_for_end(&project, failures);
        let told = record["next"].as_str().unwrap();
        assert!(told.contains(&format!("T{next}")), "{time}: {record}");
        known = known.max(failures);
        assert_eq!(calls(&project) as u64, known, "{time}");
    }
    let log = project.text("memory/.hipocampus.log");
    assert_eq!(log.matches("summaries in the background stopped").count(), 1, "{log}");
    let told = status(&project, &at("19:01"));
    assert!(
        told.contains("says that it cannot: please run /login; again after 2026-03-26 01:00"),
        "{told}"
    );
    // What is mended goes on, and is forgotten.
    project.write("home/summarizer.sh", WRITES);
    hook(&project, "2026-03-26T12:00:00+02:00", &[]);
    let record = wait_for_end(&project, 0);
    assert_eq!((&record["stored"], record.get("why")), (&2.into(), None), "{record}");
}

#[test]
fn a_killed_run_leaves_all_whole_and_the_next_event_starts_another() {
    let project = project(
        &[10],
        &format!("if [ ! -e {0} ]; then touch {0}; sleep 30; fi\n{WRITES}", "$0.slow"),
    );
    allow(&project);
    hook(&project, NOW, &[]);
    wait("for the call", || project.has("home/summarizer.sh.slow"));
    let before = project.nodes_and_root();
    let process = record(&project)["process"].as_str().unwrap().to_owned();
    let pid = process.split_whitespace().nth(1).unwrap();
    assert!(Command::new("kill").args(["-9", pid]).status().unwrap().success());
    crate::support::assert_same(&before, &project.nodes_and_root());
    assert!(record(&project).get("process").is_some());
    hook(&project, NOW, &[]);
    let record = wait_for_end(&project, 0);
    assert_eq!(record["stored"], 2, "{record}");
    assert_eq!(waiting(&project, NOW), [""; 0]);
}

#[test]
fn the_tokens_of_the_day_end_a_run_until_tomorrow() {
    let project = project(&[2, 3, 10], WRITES);
    let config = project.text("hipocampus.config.json");
    let config = config.replace("\"command\"", "\"maxTokensPerDay\": 8000, \"command\"");
    project.write("hipocampus.config.json", config);
    allow(&project);
    hook(&project, NOW, &[]);
    let record = wait_for_end(&project, 0);
    assert!(record["next"].as_str().unwrap().starts_with("2026-03-26T00:00"), "{record}");
    assert!(!waiting(&project, NOW).is_empty());
    let told = status(&project, NOW);
    assert!(told.contains("8,000 tokens"), "{told}");
    // It is no work of the agent's.
    let all = project.run(["status", "--all"]).today(NOW).env("HOME", project.path("home"));
    let all = all.output().out;
    assert!(!all.contains("hipocampus-compaction"), "{all}");
}

#[test]
fn who_writes_is_chosen_by_flags() {
    let desk = Desk::new();
    let ran = desk.run("init --no-search --platform claude-code --summaries background");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("--summarizer claude") && !desk.has("hipocampus.config.json"));
    let ran = desk.run("init --no-search --platform claude-code --summarizer cluade");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("`cluade` is no summarizer"), "{}", ran.err);
    let config = |desk: &Desk| -> Value {
        serde_json::from_str(&desk.read("hipocampus.config.json")).unwrap()
    };
    let ran = desk.ok("init --no-search --platform claude-code --summarizer claude");
    assert!(ran.out.contains("allowed here, at most 100,000 tokens a day"), "{}", ran.out);
    let written = config(&desk);
    assert_eq!(written["summaries"]["by"], "background");
    let command = written["summarizer"]["command"].as_str().unwrap();
    assert!(command.contains("claude -p ") && command.contains("--tools ''"), "{command}");
    let allowed = desk.beside("home/.local/state/hipocampus/summarizers.jsonl");
    let allowed: Value = serde_json::from_str(&fs::read_to_string(allowed).unwrap()).unwrap();
    assert_eq!(allowed["command"], command);
    desk.ok("update --summarizer ollama:qwen3:8b");
    assert_eq!(config(&desk)["summarizer"]["command"], "ollama run \"qwen3:8b\"");
    desk.ok("update --summaries off");
    let written = config(&desk);
    assert_eq!(written["summaries"]["by"], "off");
    assert_eq!(written["summaries"]["since"], "2026-03-15");
    assert_eq!(desk.ok("status --due").out, "not due: `summaries.by` is `off`\n");
    // Nothing is asked where nobody can answer, and nothing is written that nobody chose.
    let desk = Desk::new();
    let ran = desk.ok("init --no-search --platform claude-code");
    assert!(!ran.err.contains("who writes"), "{}", ran.err);
    assert!(config(&desk)["summaries"].get("by").is_none());
}

#[test]
fn a_person_is_asked_once_with_the_price() {
    let mut desk = Desk::new();
    let bin = desk.beside("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join("claude"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
    desk.path = bin.to_str().unwrap().to_owned();
    desk.at_terminal = true;
    desk.stdin = Some("2\n".to_owned());
    let line = "init --no-search --platform claude-code";
    let config = |desk: &Desk| desk.read("hipocampus.config.json");
    let ran = desk.run_with(&[("CI", "true")], line);
    assert!(!ran.err.contains("who writes") && !config(&desk).contains("\"by\""), "{}", ran.err);
    let ran = desk.ok("update");
    assert!(ran.err.contains("tokens to read and"), "{}", ran.err);
    assert!(ran.err.contains("2  claude in the background, 100,000 tokens a day"), "{}", ran.err);
    assert!(config(&desk).contains("\"by\": \"background\""), "{}", config(&desk));
    for line in ["update", line] {
        assert!(!desk.ok(line).err.contains("who writes"));
    }
    // A configuration of before that was switched off stays so, unasked.
    let mut desk = Desk::new();
    (desk.at_terminal, desk.stdin) = (true, Some("2\n".to_owned()));
    desk.write(
        "hipocampus.config.json",
        "{\"platform\": \"claude-code\", \"summaries\": {\"mode\": \"off\", \"since\": \"2026-01-01\"}}\n",
    );
    let ran = desk.ok("update --no-search");
    assert!(!ran.err.contains("who writes"), "{}", ran.err);
    assert_eq!(desk.ok("status --due").out, "not due: `summaries.mode` is `off`\n");
}

/// A moment so many hours after [`NOW`].
fn later(hours: i64) -> String {
    let now = chrono::DateTime::parse_from_rfc3339(NOW).unwrap();
    (now + chrono::TimeDelta::hours(hours)).to_rfc3339()
}

fn kill(project: &Project) -> bool {
    let record = record(project);
    let Some(process) = record["process"].as_str() else { return false };
    let pid = process.split_whitespace().nth(1).unwrap();
    Command::new("kill").args(["-9", pid]).status().unwrap().success()
}

#[test]
fn twenty_kills_lose_nothing_and_leave_no_half_node() {
    let days: Vec<u32> = (2..=21).collect();
    let project = project(&days, &format!("sleep 0.1\n{WRITES}"));
    allow(&project);
    let logs = crate::support::logs_of(&project);
    let (mut random, mut kills, mut rounds) = (0x9e37_79b9_u64, 0, 0);
    let mut killed = String::new();
    while kills < 20 {
        rounds += 1;
        assert!(rounds < 60, "{kills} kills");
        // Far enough away that a run that was killed soon after another is no reason to wait.
        hook(&project, &later(rounds * 7), &[]);
        // The run that the last kill ended stands there until the next one has begun.
        let now = || record(&project)["process"].as_str().unwrap_or_default().to_owned();
        wait("for the run", || !now().is_empty() && now() != killed);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_millis((random >> 33) % 250));
        killed = now();
        kills += i32::from(kill(&project));
        assert_eq!(logs, crate::support::logs_of(&project));
        for day in &days {
            let name = format!("memory/daily/2026-03-{day:02}.md");
            if !project.has(&name) {
                continue;
            }
            let node = project.body(&name);
            let is_whole =
                node.trim_end().ends_with("## Open Items") || node.contains("it is an extract");
            assert!(is_whole, "{name}: {node}");
        }
    }
    // What one run cannot write because of a call that outlived its own, the next can.
    let mut last = rounds;
    while last == rounds || !waiting(&project, &later(last * 7)).is_empty() {
        last += 1;
        assert!(last < rounds + 6, "{}", record(&project));
        hook(&project, &later(last * 7), &[]);
        wait("for the end", || record(&project).get("process").is_none());
    }
    for day in days {
        let words = format!("summary of 2026-03-{day:02}");
        assert!(project.body(&format!("memory/daily/2026-03-{day:02}.md")).contains(&words));
    }
}

#[test]
fn what_fails_in_the_middle_is_noted_once_and_goes_on_where_it_stopped() {
    for (fails, why) in [
        ("echo 'Claude AI usage limit reached|1763800000'; exit 0", "usage limit reached"),
        ("echo 'getaddrinfo ENOTFOUND api.example.com' >&2; exit 1", "ENOTFOUND"),
    ] {
        let text = format!("if [ -e {0} ]; then {fails}; fi; touch {0}\n{WRITES}", "$0.called");
        let project = project(&[2, 3, 10], &text);
        allow(&project);
        hook(&project, NOW, &[]);
        let first = wait_for_end(&project, 1);
        assert_eq!((&first["stored"], calls(&project)), (&1.into(), 2), "{first}");
        hook(&project, &later(1), &[]);
        assert!(wait_for_end(&project, 2)["next"].as_str().unwrap().contains("T19:00"));
        let log = project.text("memory/.hipocampus.log");
        assert_eq!(log.matches("summaries in the background stopped").count(), 1, "{log}");
        let told = status(&project, &later(2));
        assert!(told.contains(why) && told.contains("again after 19:00"), "{told}");
        project.remove("home/summarizer.sh.called");
        project.write("home/summarizer.sh", WRITES);
        hook(&project, &later(7), &[]);
        wait_for_end(&project, 0);
        assert_eq!(waiting(&project, NOW), [""; 0]);
    }
}

#[test]
fn a_run_outlives_the_terminal_in_which_the_session_was() {
    if !crate::support::required(Command::new("script").arg("-V").output().is_ok(), "script") {
        return;
    }
    let project = project(&[10], &format!("sleep 1\n{WRITES}"));
    allow(&project);
    // `script` hangs its terminal up as the hook ends.
    let event = serde_json::json!({"hook_event_name": "SessionEnd", "session_id": "s", "cwd": project.root()});
    project.write("event.json", event.to_string());
    let command = format!(
        "{} compact --stdin < {}",
        env!("CARGO_BIN_EXE_hipocampus"),
        project.path("event.json").display()
    );
    let mut run = Command::new("script");
    run.args(["-qec", &command, "/dev/null"]).current_dir(project.root()).env_clear();
    run.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", project.path("home"));
    run.env("HIPOCAMPUS_NOW", NOW).env("SHELL", "/bin/sh").stdin(Stdio::null());
    run.stdout(Stdio::null()).stderr(Stdio::null());
    assert!(run.status().unwrap().success());
    let record = wait_for_end(&project, 0);
    assert_eq!(record["stored"], 2, "{record}");
}

#[test]
fn two_projects_do_not_wait_for_each_other_and_count_their_own_tokens() {
    let both = [&[2, 10][..], &[3]].map(|days| {
        let project = project(days, &format!("while [ ! -e $0.go ]; do sleep 0.1; done\n{WRITES}"));
        allow(&project);
        project
    });
    for project in &both {
        hook(project, NOW, &[]);
    }
    for project in &both {
        wait("for both at once", || calls(project) == 1);
    }
    let spent = both.each_ref().map(|project| {
        project.write("home/summarizer.sh.go", "");
        let record = wait_for_end(project, 0);
        let told = status(project, NOW);
        let (_, told) = told.split_once("written 12:00; ").expect(&told);
        (record["stored"].as_u64(), told.split_once(" of 100,000 tokens").unwrap().0.to_owned())
    });
    assert_eq!((spent[0].0, spent[1].0), (Some(3), Some(2)));
    assert_ne!(spent[0].1, spent[1].1);
}

#[test]
fn a_permission_from_before_does_not_hold_for_the_background() {
    let project = project(&[10], WRITES);
    let config = project.text("hipocampus.config.json");
    project.write("hipocampus.config.json", config.replace("background", "agent"));
    allow(&project);
    project.write("hipocampus.config.json", &config);
    hook(&project, NOW, &[]);
    let told = status(&project, NOW);
    assert!(told.contains("the command is not allowed here"), "{told}");
    let home = project.path("home");
    let by_hand = project.run(["summarize", "--background"]).today(NOW).env("HOME", &home).output();
    assert_eq!(by_hand.exit, Exit::Problem);
    assert!(
        by_hand.err.contains("not allowed it for this folder, in the background"),
        "{}",
        by_hand.err
    );
    std::thread::sleep(Duration::from_millis(300));
    assert!(!project.has(RECORD) && calls(&project) == 0);
    // Asked for, it runs as before.
    let asked = project.run(["summarize", "--yes"]).today(NOW).env("HOME", &home).output();
    assert_eq!(asked.exit, Exit::Done, "{}", asked.err);
}

#[test]
fn what_takes_more_than_a_day_has_is_said_and_not_begun() {
    let project = project(&[2, 10], WRITES);
    let config = project.text("hipocampus.config.json");
    let config = config.replace("\"command\"", "\"maxTokensPerDay\": 3000, \"command\"");
    project.write("hipocampus.config.json", config);
    allow(&project);
    hook(&project, NOW, &[]);
    let record = wait_for_end(&project, 0);
    assert_eq!((&record["stored"], calls(&project)), (&0.into(), 0), "{record}");
    assert!(record["next"].as_str().unwrap().starts_with("2026-03-26T00:00"), "{record}");
    let told = status(&project, NOW);
    assert!(told.contains("2026-03-10 takes about ") && told.contains("a day has 3,000"), "{told}");
    // A long one is not begun where only a part of it fits.
    let log = project.text("memory/2026-03-10.md").repeat(20);
    project.write("memory/2026-03-10.md", log);
    let config = project.text("hipocampus.config.json").replace("3000", "50000");
    project.write("hipocampus.config.json", config.replace("\"by\"", "\"source\":\"log\",\"by\""));
    project.compact("2026-03-26");
    let exec = format!("sh {}", project.path("home/summarizer.sh").display());
    let run = project.run(["summarize", "--yes", "--exec", &exec]).today("2026-03-26").output();
    assert!(run.err.contains("error: 2026-03-10 takes about "), "{}", run.err);
    assert!(run.out.contains("2026-03-02  stored"), "{}", run.out);
    assert!(!project.text("memory/.hipocampus.tokens.jsonl").contains("\"node\":\"2026-03-10\""));
}

#[test]
fn what_the_summarizer_says_it_cost_is_shown_beside_the_tokens() {
    // As Claude Code prints it.
    let json = "import json,sys; print(json.dumps({'result': sys.stdin.read(), 'total_cost_usd': 0.0125}))";
    let text = format!("{{ {WRITES}\n}} | python3 -c \"{json}\"");
    let project = project(&[2, 10], &text);
    allow(&project);
    hook(&project, NOW, &[]);
    let record = wait_for_end(&project, 0);
    assert_eq!(record["stored"], 3, "{record}");
    let told = status(&project, NOW);
    assert!(told.contains(" of 100,000 tokens today ($0.0375, $0.0375 in 30 days)"), "{told}");
    let told = status(&project, "2026-03-26T12:00:00+02:00");
    assert!(told.contains("0 of 100,000 tokens today ($0.0000, $0.0375 in 30 days)"), "{told}");
    let project = self::project(&[10], &text);
    let exec = format!("sh {}", project.path("home/summarizer.sh").display());
    let run = project.run(["summarize", "--yes", "--limit", "1", "--exec", &exec]);
    let run = run.today("2026-03-26").output();
    assert!(run.out.contains("1 stored, 0 not, "), "{} {}", run.out, run.err);
    assert!(run.out.trim_end().ends_with(" out, $0.0125"), "{}", run.out);
}
