//! `healthy` means that words were read: those in a form that this version does not know are told, and do not count as
//! read.

use std::path::Path;

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::stores::{claude, codex_rollout, desk, hook, lines, prompt, reply, said, write};

const LOG: &str = "memory/2026-03-15.md";

/// Calls the hook at the end of a session.
fn save(desk: &mut Desk, session: &str, path: &Path) -> String {
    let root = desk.root().canonicalize().unwrap();
    desk.stdin = Some(hook("SessionEnd", session, path, &root));
    let ran = desk.run("compact --stdin");
    desk.stdin = None;
    assert_eq!((ran.code, &*ran.out), (0, ""));
    ran.err
}

/// A tool that is known, beside words.
fn with_tool(kind: &str, words: &str) -> Value {
    json!([{"type": kind, "text": words}, {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}])
}

/// What is not known, and where reading has to go on: after this many lines.
fn check(records: impl Fn(&Path) -> [Value; 2], behind: usize, here: &[&str]) {
    let mut desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let records = &records(&root)[..];
    let path = claude(&desk, &root, "odd");
    write(&path, &lines(records));
    let err = save(&mut desk, "odd", &path);
    assert!(err.contains("a form that this version does not know"), "{err}");
    let log = if desk.has(LOG) { desk.read(LOG) } else { String::new() };
    for words in here {
        assert!(log.contains(words), "{log}");
    }
    let read = lines(&records[..behind]).len();
    let end = log.lines().rev().find_map(|line| line.strip_prefix("<!-- hipocampus:end odd "));
    let end = end.map_or(0, |end| end.split(' ').next().unwrap().parse::<usize>().unwrap());
    assert!(end <= read, "{end} of {read} counts as read: {log}");
    for line in ["status", "status --json", "status --all"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 1, "{line}: {}", ran.out);
        assert!(
            ran.out.contains("NOT HEALTHY") || ran.out.contains("\"not-healthy\""),
            "{}",
            ran.out
        );
        assert!(!ran.out.contains("\nhealthy:"), "{}", ran.out);
    }
    let ran = desk.run("import --yes");
    assert_eq!(ran.code, 1, "{}", ran.out);
    // A version that knows the form goes on from there: nothing is lost, nothing is there twice.
    let known = lines(records)
        .replace("reply_text", "text")
        .replace("prompt_text", "text")
        .replace("\"human\"", "\"user\"");
    write(&path, &known);
    assert_eq!(save(&mut desk, "odd", &path), "");
    let log = desk.read(LOG);
    for words in ["**User:** Fix the proxy timetable importer", "**Assistant:** The loop bound"] {
        assert_eq!(log.matches(words).count(), 1, "{log}");
    }
    assert_eq!(desk.run("status").code, 0, "{}", desk.run("status").out);
}

#[test]
fn words_of_an_unknown_form_beside_a_tool_are_not_healthy_and_are_read_later() {
    let (asked, answered) =
        ("Fix the proxy timetable importer", "The loop bound was off by one. It has the last row.");
    let person = |root: &Path, kind: &str| {
        said("odd", root, "09:00", "user", &json!([{"type": kind, "text": asked}]))
    };
    let model = |root: &Path, kind: &str| {
        said("odd", root, "09:01", "assistant", &with_tool(kind, answered))
    };
    check(|root| [person(root, "prompt_text"), model(root, "reply_text")], 0, &[]);
    check(|root| [person(root, "text"), model(root, "reply_text")], 1, &[asked]);
    check(|root| [person(root, "prompt_text"), model(root, "text")], 0, &[]);
}

#[test]
fn what_is_known_beside_it_raises_no_alarm() {
    let mut desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let path = claude(&desk, &root, "plain");
    let odd = json!([{"type": "text", "text": "It is the zone."}, {"type": "chart_v9", "text": "a chart of the zone"}]);
    let mut helper = said(
        "plain",
        &root,
        "09:02",
        "assistant",
        &with_tool("reply_text", "words of a helper here"),
    );
    helper["isSidechain"] = json!(true);
    let thought = json!([{"type": "thinking", "thinking": "the zone, I think"}, {"type": "tool_use", "name": "Bash", "input": {}}]);
    let records = [
        prompt("plain", &root, "09:00", "why is the row missing?"),
        said("plain", &root, "09:01", "assistant", &thought),
        helper,
        said("plain", &root, "09:03", "assistant", &odd),
    ];
    write(&path, &lines(&records));
    assert_eq!(save(&mut desk, "plain", &path), "");
    assert!(desk.read(LOG).contains("It is the zone."));
    // A turn in which the model only called tools has lost no words.
    let more = said("plain", &root, "09:04", "assistant", &thought);
    write(
        &path,
        &(lines(&records) + &lines(&[prompt("plain", &root, "09:03", "go on, please"), more])),
    );
    assert_eq!(save(&mut desk, "plain", &path), "");
    let ran = desk.run("status");
    assert!(ran.code == 0 && ran.out.contains("not saved  nothing"), "{}", ran.out);
}

fn event(time: &str, kind: &str, payload: &Value) -> Value {
    json!({"timestamp": format!("2026-03-15T{time}:00Z"), "type": kind, "payload": payload})
}

fn item(time: &str, role: &str, words: &str) -> Value {
    let kind = if role == "user" { "input_text" } else { "output_text" };
    event(
        time,
        "response_item",
        &json!({"type": "message", "role": role, "content": [{"type": kind, "text": words}]}),
    )
}

fn call(time: &str) -> Value {
    let call =
        json!({"type": "function_call", "name": "exec_command", "arguments": "{\"cmd\":\"ls\"}"});
    event(time, "response_item", &call)
}

fn codex(records: &[Value]) -> String {
    let mut desk = desk("codex");
    let root = desk.root().canonicalize().unwrap();
    let path = codex_rollout(&desk, &root, "rolled", records);
    for _ in 0..2 {
        assert_eq!(save(&mut desk, "rolled", &path), "");
    }
    let ran = desk.run("status");
    assert!(ran.code == 0 && ran.out.contains("not saved  nothing"), "{}", ran.out);
    assert!(desk.ok("import --yes").out.contains("nothing new"));
    desk.read(LOG)
}

#[test]
fn what_codex_has_as_an_item_of_its_history_alone_is_read() {
    let environment = "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>";
    let log = codex(&[
        item("09:00", "user", environment),
        item("09:01", "user", "Fix the proxy timetable importer"),
        call("09:02"),
        item("09:03", "assistant", "The loop bound was off by one."),
    ]);
    assert_eq!(log.matches("**User:** Fix the proxy timetable importer\n").count(), 1, "{log}");
    assert_eq!(log.matches("The loop bound was off by one.").count(), 1, "{log}");
    assert!(!log.contains("environment_context"), "{log}");
}

#[test]
fn what_is_said_while_codex_works_is_read_once() {
    let user = |time, words: &str| {
        event(time, "event_msg", &json!({"type": "user_message", "message": words}))
    };
    let agent = |time, words: &str| {
        event(time, "event_msg", &json!({"type": "agent_message", "message": words}))
    };
    let log = codex(&[
        item("09:00", "user", "Fix the importer"),
        user("09:00", "Fix the importer"),
        call("09:02"),
        item("09:03", "user", "and never touch the budget table, it is live"),
        agent("09:04", "The loop bound was off by one."),
        item("09:04", "assistant", "The loop bound was off by one."),
        item("09:05", "user", "Fix the importer"),
        user("09:05", "Fix the importer"),
    ]);
    assert_eq!(log.matches("and never touch the budget table").count(), 1, "{log}");
    assert_eq!(log.matches("Fix the importer").count(), 2, "{log}");
    assert_eq!(log.matches("The loop bound was off by one.").count(), 1, "{log}");
    let places = ["**User:** and never", "**Assistant:** The loop"].map(|words| log.find(words));
    assert!(places[0].is_some() && places[0] < places[1], "{log}");
}

#[test]
fn an_item_whose_event_is_still_to_come_waits_for_it() {
    let mut desk = desk("codex");
    let root = desk.root().canonicalize().unwrap();
    let user = event(
        "09:00",
        "event_msg",
        &json!({"type": "user_message", "message": "Fix the importer"}),
    );
    let records = [item("09:00", "user", "Fix the importer"), user, call("09:01")];
    for end in 1..=records.len() {
        let path = codex_rollout(&desk, &root, "rolled", &records[..end]);
        assert_eq!(save(&mut desk, "rolled", &path), "");
    }
    assert_eq!(desk.read(LOG).matches("Fix the importer").count(), 1, "{}", desk.read(LOG));
}

#[test]
fn a_fork_of_codex_saves_its_parent_once_whatever_time_its_records_have() {
    let user = |time: &str, words: &str| {
        event(time, "event_msg", &json!({"type": "user_message", "message": words}))
    };
    let agent = |time: &str, words: &str| {
        event(time, "event_msg", &json!({"type": "agent_message", "message": words}))
    };
    let talk = |at: [&str; 2]| {
        [user(at[0], "Fix the importer"), agent(at[1], "The loop bound was off by one.")]
    };
    for names_it in ["forked_from_id", "its records"] {
        let mut desk = desk("codex");
        let root = desk.root().canonicalize().unwrap();
        let (parent, fork) =
            ("01a1f875-b667-74e1-a80b-ac8ce08a7627", "01a1f875-b667-74e1-a80b-ac8ce08a7628");
        let path = codex_rollout(&desk, &root, parent, &talk(["09:00", "09:01"]));
        assert_eq!(save(&mut desk, parent, &path), "");
        let meta = |id: &str, from: Option<&str>| {
            event(
                "12:00",
                "session_meta",
                &json!({"id": id, "cwd": root, "source": "cli", "forked_from_id": from}),
            )
        };
        let copied = match names_it {
            "forked_from_id" => vec![meta(fork, Some(parent))],
            _ => vec![meta(fork, None), meta(parent, None)],
        };
        let copied = [copied, talk(["12:00", "12:00"]).to_vec()].concat();
        let path = path.with_file_name(format!("rollout-2026-03-15T13-00-00-{fork}.jsonl"));
        write(&path, &lines(&copied));
        let ran = desk.run("status");
        assert!(ran.code == 0 && ran.out.contains("not saved  nothing"), "{names_it}: {}", ran.out);
        let more = [user("12:05", "and now the proxy"), agent("12:06", "The proxy, too.")];
        write(&path, &(lines(&copied) + &lines(&more)));
        assert_eq!(save(&mut desk, fork, &path), "");
        let log = desk.read(LOG);
        for words in [
            "Fix the importer",
            "The loop bound was off by one.",
            "and now the proxy",
            "The proxy, too.",
        ] {
            assert_eq!(log.matches(words).count(), 1, "{names_it}: {log}");
        }
        assert!(desk.ok("import --yes").out.contains("nothing new"), "{names_it}");
    }
}

#[test]
fn a_session_whose_file_lies_in_another_folder_is_found_by_its_id() {
    let mut desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let there = claude(&desk, &root.join(".claude/worktrees/x"), "moved-0123");
    write(
        &there,
        &lines(&[
            prompt("moved-0123", &root, "09:00", "Fix the importer"),
            reply("moved-0123", &root, "09:01", "Done."),
        ]),
    );
    let named = claude(&desk, &root, "moved-0123");
    assert_eq!(save(&mut desk, "moved-0123", &named), "");
    assert_eq!(desk.read(LOG).matches("Fix the importer").count(), 1);
    // Where it is nowhere, that is told.
    let gone = claude(&desk, &root, "gone-0123");
    let err = save(&mut desk, "gone-0123", &gone);
    assert!(err.contains("there is no such file"), "{err}");
}

#[test]
fn one_screen_does_not_contradict_itself() {
    let desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    write(
        &claude(&desk, &root, "later"),
        &lines(&[prompt("later", &root, "12:30", "why is the row missing?")]),
    );
    let ran = desk.run("status");
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("healthy: what is said here is saved; one session"), "{}", ran.out);
    assert!(ran.out.contains("not saved  1 session"), "{}", ran.out);
}

#[test]
fn a_session_of_a_worktree_that_is_gone_is_named_and_comes_in_when_asked_for() {
    let desk = desk("claude-code");
    let gone = desk.root().canonicalize().unwrap().with_file_name("p-feat");
    let talk = [
        prompt("gone", &gone, "09:00", "rename the service module"),
        reply("gone", &gone, "09:01", "Renamed."),
    ];
    write(&claude(&desk, &gone, "gone"), &lines(&talk));
    let other = gone.with_file_name("pool");
    write(
        &claude(&desk, &other, "other"),
        &lines(&[prompt("other", &other, "09:00", "words of others")]),
    );
    let command = format!("hipocampus import --from {}", gone.display());
    let ran = desk.run("import --yes");
    assert!(
        ran.code == 0 && ran.err.contains(&command) && !ran.err.contains("pool"),
        "{}",
        ran.err
    );
    let ran = desk.run("status");
    assert!(
        ran.out.replace(char::is_whitespace, "").contains(&command.replace(' ', "")),
        "{}",
        ran.out
    );
    desk.ok(&format!("import --yes --from {}", gone.display()));
    assert!(desk.read(LOG).contains("rename the service module"));
    let ran = desk.run("import --yes");
    assert_eq!((ran.code, &*ran.err), (0, ""));
    // A folder that is there again is somebody's own.
    std::fs::create_dir_all(&other).unwrap();
    assert!(!desk.run("status").out.contains("pool"));
}

#[test]
fn a_worktree_that_is_gone_is_named_whatever_it_was_called_while_git_has_a_record_of_it() {
    let desk = desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let gone = root.with_file_name("quay");
    let record = root.join(".git/worktrees/quay/gitdir");
    write(&record, &format!("{}/.git\n", gone.display()));
    let talk = [
        prompt("gone", &gone, "09:00", "rename the harbour module"),
        reply("gone", &gone, "09:01", "Renamed."),
    ];
    write(&claude(&desk, &gone, "gone"), &lines(&talk));
    let command = format!("hipocampus import --from {}", gone.display());
    let ran = desk.run("import --yes");
    assert!(ran.err.contains(&command), "{}", ran.err);
    let ran = desk.run("status");
    assert!(
        ran.out.replace(char::is_whitespace, "").contains(&command.replace(' ', "")),
        "{}",
        ran.out
    );
    desk.ok(&format!("import --yes --from {}", gone.display()));
    assert!(desk.read(LOG).contains("rename the harbour module"));
}

#[test]
fn messages_of_a_plugin_in_an_unknown_form_are_told_by_status_until_they_can_be_read() {
    for (agent, event) in [("opencode", "session.idle"), ("openclaw", "agent_end")] {
        let mut desk = desk(agent);
        let root = desk.root().canonicalize().unwrap();
        let mut say = |session: &str, kind: &str| {
            let said = |role: &str, kind: &str, words: &str| {
                let part = json!([{"type": kind, "text": words}]);
                let at = 1_773_565_200_000_i64;
                if agent == "openclaw" {
                    json!({"role": role, "content": part, "timestamp": at})
                } else {
                    json!({"info": {"id": format!("{session}-{role}"), "role": role, "sessionID": session,
                        "time": {"created": at, "completed": at}}, "parts": part})
                }
            };
            let messages = json!([
                said("user", "text", "why is the row missing?"),
                said("assistant", kind, "It is the time zone.")
            ]);
            let hook = json!({"session_id": session, "cwd": root, "hook_event_name": event,
                "platform": agent, "messages": messages});
            desk.stdin = Some(hook.to_string());
            let ran = desk.run("compact --stdin");
            desk.stdin = None;
            let status = desk.run("status");
            (ran.err, status.code, status.out)
        };
        let (err, code, out) = say("odd", "reply_text");
        assert!(err.contains("a form that this version does not know"), "{agent}: {err}");
        assert!(code == 1 && out.contains("NOT HEALTHY"), "{agent}: {out}");
        // Another session says nothing of this one.
        let (_, code, out) = say("other", "text");
        assert!(code == 1 && out.contains("NOT HEALTHY"), "{agent}: {out}");
        let (err, code, out) = say("odd", "text");
        assert!(err.is_empty() && code == 0 && !out.contains("NOT HEALTHY"), "{agent}: {err}{out}");
    }
}

#[test]
fn a_tag_in_an_export_swallows_nothing() {
    let export = |by_agent: bool, body: &str| {
        let (user, agent) =
            ("_**User (2026-03-15 09:00:00Z)**_", "_**Agent (m 2026-03-15 09:01:00Z)**_");
        let (first, second) =
            if by_agent { ("show me an export", body) } else { (body, "Set the option.") };
        format!(
            "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n<!-- Claude Code Session e1 (2026-03-15 09:00:00Z) -->\n\n\
             {user}\n\n{first}\n\n---\n\n{agent}\n\n{second}\n\n---\n\n{user}\n\nFrom now on the cache never fills at night\n\n---\n\n\
             {agent}\n\n<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\"><details>\nout\n</details></tool-use>\n\nUnderstood.\n"
        )
    };
    let check = |by_agent: bool, body: &str, here: &[&str], not_here: &[&str]| {
        let desk = desk("claude-code");
        let path = desk.beside("export.md");
        write(&path, &export(by_agent, body));
        desk.ok(&format!("import --yes {}", path.display()));
        let log = desk.read(LOG);
        for words in here
            .iter()
            .chain(&["**User:** From now on the cache never fills at night", "Understood."])
        {
            assert_eq!(log.matches(words).count(), 1, "{words}: {log}");
        }
        for words in not_here {
            assert!(!log.contains(words), "{words}: {log}");
        }
    };
    check(false, "how do I get rid of\n<think>\nin my exports?", &["in my exports?"], &[]);
    check(
        true,
        "Like this:\n\n```\n<think><details>\nsomething\n```\n\nThat is all.",
        &["something", "That is all."],
        &[],
    );
    check(
        true,
        "<tool-use data-tool-type=\"shell\" data-tool-name=\"Write\"><details>\n<summary>Tool use</summary>\nlisting",
        &[],
        &["listing"],
    );
    check(true, "<think>\nnever closed", &["never closed"], &[]);
    check(
        true,
        "<think><details>\nhm, the bound\n</details></think>\n\nThe bound.",
        &["The bound."],
        &["hm, the bound"],
    );
    let shown = "<tool-use data-tool-type=\"shell\" data-tool-name=\"Read\"><details>\n```text\n_**User (2026-03-15 09:00:00Z)**_\n\nquoted words\n</tool-use>\n```\n</details></tool-use>\n\nRead it.";
    check(true, shown, &["Read it."], &["quoted words"]);
}

#[test]
fn a_note_that_openclaw_names_after_its_topic_belongs_to_its_day() {
    let desk = desk("openclaw");
    desk.write(
        "memory/2026-03-12-cache-limits.md",
        "# Session: 2026-03-12\n\n## Cache limits\n- the cache limit is 9 blocks\n",
    );
    desk.write("memory/2026-03-12.md", "## Proxy\n- the proxy uses Europe/Oslo\n");
    assert_eq!(desk.run("compact").err, "");
    let day = desk.read("memory/daily/2026-03-12.md");
    assert!(day.contains("9 blocks") && day.contains("Europe/Oslo"), "{day}");
    assert!(desk.ok("search cache limit").out.contains("9 blocks"));
    assert!(!desk.run("status --all").out.contains("cache-limits.md: its name"));
}
