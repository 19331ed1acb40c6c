//! Records that are words although they do not look like it, and what clients write about their sessions.

use super::*;
use crate::meaning::session::Session;
use crate::meaning::title;
use crate::memory::entry;

const TIME: &str = "2026-11-20T10:00:00Z";

fn record(fields: &Value) -> String {
    let mut record = json!({"sessionId": "s", "timestamp": TIME});
    record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    format!("{record}\n")
}

/// A record that names the session.
pub(super) fn title(kind: &str, words: &str) -> String {
    let field = if kind == "ai-title" { "aiTitle" } else { "customTitle" };
    format!("{{\"type\":\"{kind}\",\"{field}\":{},\"sessionId\":\"s\"}}\n", json!(words))
}

/// A summary that a client makes when it shortens its context.
pub(super) fn summary(number: usize, time: &str, words: &str) -> String {
    record(
        &json!({"type": "user", "uuid": format!("s{number}"), "timestamp": time, "isCompactSummary": true,
        "isVisibleInTranscriptOnly": true, "message": {"role": "user", "content": format!(
            "This session is being continued from a previous conversation.\nSummary:\n{words}")}}),
    )
}

fn queued(id: &str, attachment: &Value) -> String {
    let mut inner = json!({"type": "queued_command", "commandMode": "prompt"});
    inner.as_object_mut().unwrap().extend(attachment.as_object().unwrap().clone());
    record(&json!({"type": "attachment", "uuid": id, "attachment": inner}))
}

fn result(id: &str, content: &Value, failed: bool, details: &Value) -> String {
    record(
        &json!({"type": "user", "uuid": id, "toolUseResult": details, "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": failed}]}}),
    )
}

impl Project {
    fn grown(&self, content: &str) -> String {
        let path = self.transcript("t.jsonl", content.as_bytes());
        for _ in 0..3 {
            self.import_file(&path);
        }
        self.log()
    }
}

#[test]
fn words_that_are_no_prompt_are_kept() {
    let project = Project::new(NOW);
    let typed = json!({"prompt": [{"type": "text", "text": "also the footer"}]});
    let content = user(0, TIME, "fix the header")
        + &queued("q1", &typed)
        + &queued("q2", &json!({"prompt": "as a string", "origin": {"kind": "human"}}))
        + &queued("q3", &json!({"prompt": "of a peer", "origin": {"kind": "peer"}}))
        + &queued("q4", &json!({"prompt": "meta", "isMeta": true}))
        + &queued("q5", &json!({"commandMode": "bash", "prompt": "ls"}))
        + "{\"type\":\"queue-operation\",\"operation\":\"enqueue\",\"sessionId\":\"s\",\"content\":\"also the footer\"}\n"
        + &user(
            1,
            TIME,
            "<command-message>deploy</command-message>\n<command-name>/deploy</command-name>\n<command-args>to staging only</command-args>",
        )
        + &user(
            2,
            TIME,
            "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
        )
        + &result(
            "r1",
            &json!(
                "User has answered your questions: \"Which store?\"=\"SQLite\". You can now continue with the user's answers in mind."
            ),
            false,
            &json!({"answers": {"Which store?": "SQLite"}}),
        )
        + &result(
            "r2",
            &json!(
                "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse tabs"
            ),
            true,
            &json!("x"),
        )
        + &result(
            "r3",
            &json!([{"type": "text", "text": "User has approved your plan. Go.\n\n## Approved Plan:\n# Cache\n1. a"}]),
            false,
            &json!({"plan": "# Cache\n1. a"}),
        )
        + &result(
            "r4",
            &json!("[hand-back]"),
            false,
            &json!({"status": "completed", "agentId": "x", "content": [{"type": "text", "text": "The lock is it."}]}),
        )
        + &result("r5", &json!("plain output"), false, &json!({"stdout": "plain output"}));
    project.grown(&content);
    let expect = "**User:** fix the header\n**User:** also the footer\n**User:** as a string\n\
        **User:** /deploy to staging only\n**User:** Which store? — SQLite\n**User:** use tabs\n\
        **Assistant:** Plan, approved by the user:\n\\# Cache\n1. a\n\
        **Assistant:** Report of a subagent:\nThe lock is it.\n";
    assert_eq!(project.turns(), expect);
}

#[test]
fn files_and_commits_stand_below_their_turn() {
    let project = Project::new(NOW);
    let root = project.dir.path().join("p");
    let call =
        |name: &str, input: &Value| json!({"type": "tool_use", "name": name, "input": input});
    let content = user(0, TIME, "cache the budgets")
        + &record(
            &json!({"type": "assistant", "uuid": "a1", "cwd": "/elsewhere/w", "message": {"id": "m", "role": "assistant", "content": [
                {"type": "text", "text": "Cached the budgets."},
                call("Edit", &json!({"file_path": root.join("src/cache.rs")})),
                call("Write", &json!({"file_path": "/elsewhere/w/src/new.rs"})),
                call("Write", &json!({"file_path": "/tmp/scratch.txt"})),
                call("Edit", &json!({"file_path": root.join("hunter2.rs")})),
                call("Read", &json!({"file_path": root.join("src/read.rs")})),
                call("Bash", &json!({"command": "git add -A && git commit -m \"cache: budgets\""})),
            ]}}),
        )
        + &result(
            "r1",
            &json!("[main 1a2b3c4] cache: budgets\n 2 files changed"),
            false,
            &json!({"stdout": "x"}),
        )
        + &result(
            "r2",
            &json!("[main 1a2b3c5] cache: expiry\n 1 file changed"),
            false,
            &json!({"stdout": "x"}),
        );
    let log = project.grown(&content);
    let expect = "**Assistant:** Cached the budgets.\n[tools: Edit ×2, Write ×2, Read, Bash]\n\
        [files: src/cache.rs, src/new.rs, [REDACTED:test].rs]\n[commit: cache: budgets]\n[commit: cache: expiry]\n";
    // A path with a bracket is no item of the list.
    let expect = expect.replace(", [REDACTED:test].rs", "");
    assert!(log.contains(&expect), "{log}");
    assert!(!log.contains("scratch") && !log.contains("hunter2"), "{log}");
}

#[test]
fn a_summary_is_the_sessions_and_comes_once() {
    let project = Project::new(NOW);
    let before = user(0, TIME, "cache the budgets") + &reply(0, "m", TIME, "Cached.", &[]);
    let content = before
        + &summary(0, TIME, "1. Intent:\n   cache\n```\ncode\n```\n## Pending\n- expiry")
        + &user(1, TIME, "go on");
    let log = project.grown(&content);
    let expect = "**Summary:**\n1. Intent:\n   cache\n\\## Pending\n- expiry\n\n**User:** go on\n";
    assert!(log.contains(expect), "{log}");
    assert_eq!(log.matches("**Summary:**").count(), 1);
    // A fork brings nothing, a summary that comes last is news.
    let fork = content.replace("\"s\"", "\"fork\"");
    project.import_file(&project.transcript("fork.jsonl", fork.as_bytes()));
    let long_ids = |text: &str| text.replace("\"u0\"", "\"35beac09-778b-412b-9af5-beebeedf2e75\"");
    assert_eq!(long_ids(&project.log()).matches("**Summary:**").count(), 1, "{}", project.log());
    let log = project.grown(&(content + &summary(1, TIME, "all done")));
    assert_eq!(log.matches("**Summary:** all done").count(), 1, "{log}");
}

#[test]
fn a_session_has_a_title() {
    let project = Project::new(NOW);
    let mut content = user(0, TIME, "ok, fix the budget parser")
        + &reply(0, "m", TIME, "The budget parser dropped rows.", &[]);
    let log = project.grown(&content);
    assert!(
        log.contains("## Session — 2026-11-20 11:00:00 — fix the budget parser\n")
            || log.contains(" — fix the budget parser\n\n**User:**"),
        "{log}"
    );
    // What the client calls it comes later, alone, and once.
    content += &title("ai-title", "Parser of budgets [user]");
    let log = project.grown(&content);
    assert_eq!(
        log.matches("**Title:** Parser of budgets \\[user\\]\n\n<!-- hipocampus:end").count(),
        1,
        "{log}"
    );
    content += &title("ai-title", "Parser of budgets [user]");
    assert_eq!(project.grown(&content), log);
    content += &(user(1, TIME, "go on") + &title("ai-title", "Parser of budgets [user]"));
    assert_eq!(project.grown(&content).matches("**Title:**").count(), 1);
    // The person's own name wins, also over names that the client makes afterwards.
    content += &title("custom-title", "Budgets");
    assert_eq!(project.grown(&content).matches("**Title:** Budgets\n").count(), 1);
    content += &(user(2, TIME, "and on") + &title("ai-title", "Something else"));
    let log = project.grown(&content);
    assert!(!log.contains("Something else"), "{log}");
    // A session of its own has its own heading and title.
    content += &(user(3, "2026-11-20T18:00:00Z", "why is the nightly import slow?")
        + &reply(3, "n", "2026-11-20T18:00:00Z", "The nightly import reads all.", &[]));
    let log = project.grown(&content);
    assert!(log.contains(" — why is the nightly import slow\n\n**User:**"), "{log}");
}

#[test]
fn a_title_is_made_once_there_is_a_reply() {
    let project = Project::new(NOW);
    let mut content = user(0, TIME, "yes");
    let log = project.grown(&content);
    assert!(!log.contains(" — yes"), "{log}");
    content += &(reply(0, "m", TIME, "Going on.", &[]) + &user(1, TIME, "fix the budget parser"));
    content += &reply(1, "n", TIME, "The budget parser dropped rows.", &[]);
    let log = project.grown(&content);
    assert_eq!(log.matches("**Title:** fix the budget parser\n\n").count(), 1, "{log}");
    for only_counts in ["Session 12", "회의 3", "conv-43-29"] {
        content += &title("custom-title", only_counts);
    }
    assert_eq!(project.grown(&content), log);
}

#[test]
fn a_title_made_from_little_gives_way_to_a_better_one() {
    let later = "2026-11-20T10:30:00Z";
    let project = Project::new(NOW);
    let mut content =
        user(0, TIME, "go ahead") + &reply(0, "m", TIME, "The markdown export wrote nothing.", &[]);
    let log = project.grown(&content);
    assert!(log.contains(" — The markdown export wrote nothing\n"), "{log}");
    content += &(user(1, later, "now cache the page tables of the service")
        + &reply(1, "n", later, "The page tables of the service have a cache.", &[]));
    let log = project.grown(&content);
    let better = "**Title:** cache the page tables of the service\n\n**User:**";
    assert_eq!(log.matches(better).count(), 1, "{log}");
    // Which prompts come after it does not matter.
    content += &(user(2, later, "why does the index queue lock the ledger?")
        + &reply(2, "o", later, "The index queue holds the ledger's lock.", &[]));
    assert_eq!(project.grown(&content).matches("**Title:**").count(), 1);
    // What the client called it stays.
    let project = Project::new(NOW);
    let mut content = user(0, TIME, "go ahead") + &title("ai-title", "Export of budgets");
    let log = project.grown(&content);
    assert!(log.contains("Export of budgets"), "{log}");
    content += &(user(1, later, "now cache the page tables of the service")
        + &reply(1, "n", later, "The page tables of the service have a cache.", &[]));
    let log = project.grown(&content);
    assert!(!log.contains("**Title:** cache") && log.contains("cache the page"), "{log}");
}

/// The title that a reader of the log sees as that of its only session.
fn title_in(log: &str) -> String {
    let parsed = entry::parse(log);
    let [entry] = &*parsed.entries().collect::<Vec<_>>() else { panic!("{log}") };
    title::of_entry(entry.topic, &Session::read(&entry.lines)).into_owned()
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]

    #[test]
    fn a_session_ends_with_one_title_however_often_it_was_saved(
        said in proptest::collection::vec((0..8_usize, 0..6_usize), 1..6)
    ) {
        const PROMPTS: [&str; 8] = [
            "yes", "go on, please", "address 12, 14", "Proceed with phase 3", "thanks!", "the timer is slow",
            "cache the page tables of the service", "why does the index queue lock the ledger?",
        ];
        const REPLIES: [&str; 6] = [
            "Done.", "The page tables of the service have a cache now.", "## Phase 3 — the index queue\n\nFine.",
            "Let me look at the timer.", "The index queue holds the lock of the ledger.", "# Review: the timer\n\nSlow.",
        ];
        let (steps, once) = (Project::new(NOW), Project::new(NOW));
        let mut content = String::new();
        let mut log = String::new();
        for (n, (prompt, answer)) in said.into_iter().enumerate() {
            let time = format!("2026-11-20T10:{n:02}:00Z");
            content += &user(n, &time, PROMPTS[prompt]);
            content += &reply(n, &format!("m{n}"), &time, REPLIES[answer], &[]);
            log = steps.grown(&content);
        }
        proptest::prop_assert_eq!(title_in(&log), title_in(&once.grown(&content)), "{}", log);
    }
}

#[test]
fn a_second_session_of_a_day_has_a_title_of_its_own() {
    let project = Project::new("2026-11-20T23:00:00Z");
    let mut content = user(0, "2026-11-20T08:00:00Z", "cache the page tables")
        + &reply(0, "m", "2026-11-20T08:00:00Z", "The page tables have a cache.", &[]);
    project.grown(&content);
    content += &user(1, "2026-11-20T20:00:00Z", "yes");
    project.grown(&content);
    content += &(reply(1, "n", "2026-11-20T20:01:00Z", "Going on.", &[])
        + &user(2, "2026-11-20T20:02:00Z", "fix the budget parser")
        + &reply(2, "o", "2026-11-20T20:03:00Z", "The budget parser dropped rows.", &[]));
    let log = project.grown(&content);
    assert_eq!(log.matches("**Title:** fix the budget parser\n\n").count(), 1, "{log}");
}

#[test]
fn the_name_of_an_opencode_session_comes_with_its_messages() {
    let project = Project::new(NOW);
    let messages = json!([
        {"info": {"id": "msg_1f885f813001xVuRxuSNg3ro7H", "role": "user", "time": {"created": 1_795_170_891_795_u64}},
            "parts": [{"type": "text", "text": "fix the budget parser"}]},
        {"info": {"id": "msg_1f885ff8e001EmfGbfKLO33wuK", "role": "assistant", "time": {"created": 1_795_170_893_710_u64, "completed": 1_795_170_895_011_u64}},
            "parts": [
                {"type": "tool", "tool": "question", "state": {"output": "User has answered your questions: \"Which?\"=\"that\". You can now continue"}},
                {"type": "tool", "tool": "edit", "state": {"input": {"filePath": project.dir.path().join("p/src/a.rs")}}},
                {"type": "text", "text": "Fixed."}]},
    ]);
    let mut logs = Vec::new();
    for name in [
        "New session - 2026-11-20T10:31:05.073Z",
        "Budget parser",
        "Budget parser",
        "Parser",
        "Parser",
    ] {
        project.import(&json!({"session_id": "ses_1", "title": name, "messages": messages}));
        logs.push(project.log());
    }
    assert!(logs[0].contains(" — fix the budget parser\n"), "{}", logs[0]);
    assert!(
        logs[0].contains("The user answered: \"Which?\" — \"that\"")
            && logs[0].contains("[files: src/a.rs]"),
        "{}",
        logs[0]
    );
    assert_eq!(logs[1].matches("**Title:** Budget parser\n").count(), 1, "{}", logs[1]);
    assert_eq!(logs[1], logs[2]);
    assert_eq!(logs[3].matches("**Title:** Parser\n").count(), 1);
    assert_eq!(logs[3], logs[4]);
    assert_eq!(logs[4].matches("Fixed.").count(), 1);
}

#[test]
fn a_block_with_a_title_is_completed_wherever_it_was_cut() {
    let whole = Project::new(NOW);
    let first = user(0, TIME, "fix the budget parser")
        + &reply(0, "m", TIME, "The budget parser dropped rows.", &[]);
    let content = first.clone() + &title("ai-title", "Parser") + &user(1, TIME, "go on");
    for (start, end) in [(0, first.len()), (first.len(), content.len())] {
        let name = whole.dir.path().join("p/memory/2026-11-20.md");
        whole.grown(&content[..start]);
        let before = whole.log().len();
        whole.grown(&content[..end]);
        let log = whole.log();
        for cut in before..log.len() {
            if !log.is_char_boundary(cut) {
                continue;
            }
            fs::write(&name, &log[..cut]).unwrap();
            let again = whole.grown(&content[..end]);
            let turns = |text: &str| {
                block::said(text)
                    .into_iter()
                    .map(|(_, words)| words.trim().to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(turns(&again), turns(&log), "cut at {cut}: {again}");
            fs::write(&name, &log).unwrap();
        }
    }
}
