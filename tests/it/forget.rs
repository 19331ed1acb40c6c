//! `forget` takes words out of everything that the program writes, keeps everything else, and keeps them from coming
//! back.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use proptest::prelude::*;
use serde_json::json;

use crate::desk::Desk;
use crate::support::has_strace;

const TOMBSTONES: &str = "memory/.hipocampus.forgotten";

fn project() -> Desk {
    let desk = Desk::new();
    desk.write(
        "hipocampus.config.json",
        "{\"platform\": \"openclaw\", \"summaries\": {\"mode\": \"off\"}}\n",
    );
    desk
}

/// A turn of a session as Claude Code records it.
fn record(desk: &Desk, session: &str, number: usize, day: &str, text: &str) -> String {
    let (role, content) = if number.is_multiple_of(2) {
        ("user", json!(text))
    } else {
        ("assistant", json!([{"type": "text", "text": text}]))
    };
    let id = format!("{session}-{number:04}-0000-0000-000000000000");
    let record = json!({"type": role, "uuid": id, "sessionId": session, "cwd": desk.root(),
        "timestamp": format!("{day}T10:{number:02}:00.000Z"),
        "message": {"role": role, "id": format!("m{number}"), "content": content}});
    format!("{record}\n")
}

/// Where Claude Code keeps the transcript of a session of the project.
fn transcript(desk: &Desk, session: &str) -> std::path::PathBuf {
    let root = desk.root().to_string_lossy().into_owned();
    let slug: String =
        root.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let folder = desk.beside("home/.claude/projects").join(slug);
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{session}.jsonl"))
}

fn say(desk: &Desk, session: &str, first: usize, day: &str, turns: &[&str]) {
    let records = turns.iter().enumerate();
    let records = records.map(|(index, text)| record(desk, session, first + index, day, text));
    let path = transcript(desk, session);
    let before = fs::read_to_string(&path).unwrap_or_default();
    fs::write(path, before + &records.collect::<String>()).unwrap();
}

fn hook(desk: &mut Desk, session: &str) {
    let path = transcript(desk, session);
    let input = json!({"session_id": session, "hook_event_name": "Stop", "cwd": desk.root(), "transcript_path": path});
    desk.stdin = Some(input.to_string());
    let ran = desk.run("compact --stdin");
    desk.stdin = None;
    assert_eq!((ran.code, &*ran.err), (0, ""));
}

/// Every file of the project that says this, in whatever letters.
fn saying(desk: &Desk, words: &str) -> Vec<String> {
    let all = desk.tree().into_iter();
    let said = all.filter(|(_, bytes)| bytes.to_lowercase().contains(&words.to_lowercase()));
    said.map(|(name, _)| name).collect()
}

fn forget(desk: &Desk, args: &[&str]) -> crate::desk::Ran {
    desk.run_args(&[&["hipocampus", "forget"], args].concat())
}

#[track_caller]
fn forgotten(desk: &Desk, args: &[&str]) -> String {
    let ran = forget(desk, &[args, &["--yes"]].concat());
    assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.out);
    ran.out
}

/// A project with two sessions and entries, all of it in every place where words can stand.
fn memory() -> Desk {
    let mut desk = project();
    desk.write(
        "memory/2026-02-10.md",
        "# 2026-02-10\n\n## Dredger lease [project]\n- decision: lease Q4711 until autumn\n\n## Tea [user]\n- likes it green\n",
    );
    desk.write("SCRATCHPAD.md", "# Scratch\n- lease Q4711 is signed\n- buy disk\n");
    desk.write("MEMORY.md", "# Mine\n- lease Q4711 by heart\n\n## Compaction Root\n\n<!-- hipocampus:root:end -->\n- mine too\n");
    desk.write("knowledge/leases.md", "the lease Q4711\n");
    say(
        &desk,
        "sess-one",
        0,
        "2026-03-09",
        &["what of lease Q4711?", "It runs until autumn.", "ok", "Done with disks."],
    );
    say(
        &desk,
        "sess-two",
        0,
        "2026-03-10",
        &["moor the proxy at pool nine", "The proxy is moored."],
    );
    hook(&mut desk, "sess-one");
    hook(&mut desk, "sess-two");
    desk
}

#[test]
fn npm_could_not_forget() {
    let mut desk = memory();
    assert!(saying(&desk, "q4711").len() > 10, "{:?}", saying(&desk, "q4711"));
    // A summary that a model wrote, and a ROOT.md that somebody edited.
    let week = "memory/weekly/2026-W07.md";
    let node = desk.read(week);
    let head = &node[..node.find("\n---\n\n").unwrap() + 6];
    desk.write(
        week,
        format!("{head}## Topics\nDredger lease [project]\n\n- Q4711 was leased\n- tea is green\n"),
    );
    let root = desk.read("memory/ROOT.md");
    desk.write(
        "memory/ROOT.md",
        root.replace(
            "## Recent Patterns\n",
            "## Recent Patterns\n- mine: Q4711 matters\n- mine: disks matter\n",
        ),
    );
    desk.ok("compact");
    let ran = forget(&desk, &["--match", "lease Q4711", "--dry-run"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("would forget what says `lease Q4711`:\n"), "{}", ran.out);
    let out = forgotten(&desk, &["--match", "lease Q4711"]);
    for named in [
        "`MEMORY.md` says it in line 2",
        "`knowledge/leases.md` says it in line 1",
        "out of reach: the agent's own record `",
    ] {
        assert!(out.contains(named), "{named}: {out}");
    }
    assert_eq!(saying(&desk, "q4711"), ["MEMORY.md", "knowledge/leases.md"]);
    assert_eq!(desk.read("SCRATCHPAD.md"), "# Scratch\n- buy disk\n");
    assert!(desk.read(week).ends_with("- tea is green\n"), "{}", desk.read(week));
    assert!(desk.read("memory/ROOT.md").contains("- mine: disks matter\n"));
    assert!(desk.read("MEMORY.md").starts_with("# Mine\n- lease Q4711 by heart\n"));
    assert!(desk.read("MEMORY.md").ends_with("- mine too\n"));
    assert_eq!(
        desk.read("memory/2026-02-10.md"),
        "# 2026-02-10\n\n## Tea [user]\n- likes it green\n"
    );
    let log = desk.read("memory/2026-03-09.md");
    assert!(log.contains("**User:** ok\n\n**Assistant:** Done with disks.\n"), "{log}");
    assert!(!desk.read(TOMBSTONES).contains("lease"));
    // The live transcripts do not bring it back, and go on.
    say(&desk, "sess-one", 4, "2026-03-09", &["and the disks?"]);
    for session in ["sess-one", "sess-two"] {
        hook(&mut desk, session);
    }
    assert_eq!(saying(&desk, "q4711"), ["MEMORY.md", "knowledge/leases.md"]);
    assert!(desk.read("memory/2026-03-09.md").contains("**User:** and the disks?\n"));
    assert_eq!(desk.ok("compact").out, "hipocampus compact: nothing to do\n");
    assert_eq!(forget(&desk, &["--match", "lease Q4711", "--yes"]).code, 1);
}

#[test]
fn a_session_goes_and_neither_its_transcript_nor_a_fork_brings_it_back() {
    let mut desk = memory();
    let before = desk.read("memory/2026-03-10.md");
    forgotten(&desk, &["sess-o"]);
    assert!(
        saying(&desk, "Done with disks").is_empty() && saying(&desk, "until autumn?").is_empty()
    );
    assert!(!desk.has("memory/2026-03-09.md"));
    assert_eq!(desk.read("memory/2026-03-10.md"), before);
    // What the session says from now on is new.
    say(&desk, "sess-one", 4, "2026-03-09", &["a new matter"]);
    hook(&mut desk, "sess-one");
    let log = desk.read("memory/2026-03-09.md");
    assert!(log.contains("a new matter") && !log.contains("disks"), "{log}");
    // A fork copies the records, ids and all, into a file of another session; a transcript may be written anew.
    let old = fs::read_to_string(transcript(&desk, "sess-one")).unwrap();
    let fork = old.replace("\"sessionId\":\"sess-one\"", "\"sessionId\":\"fork\"");
    fs::write(
        transcript(&desk, "fork"),
        fork.clone() + &record(&desk, "fork", 6, "2026-03-09", "only in the fork"),
    )
    .unwrap();
    hook(&mut desk, "fork");
    let rest = old.split_inclusive('\n').skip(1).collect::<String>();
    fs::write(transcript(&desk, "sess-one"), rest).unwrap();
    hook(&mut desk, "sess-one");
    assert!(
        saying(&desk, "disks").iter().all(|name| name == "SCRATCHPAD.md"),
        "{:?}",
        saying(&desk, "disks")
    );
    assert_eq!(desk.read("memory/2026-03-09.md").matches("only in the fork").count(), 1);
    assert_eq!(desk.read("memory/2026-03-09.md").matches("a new matter").count(), 1);
}

#[test]
fn a_day_goes_also_where_only_its_node_is_left() {
    let mut desk = memory();
    for gone in ["memory/2026-03-09.md", "memory/.session-transcript-2026-03-09.jsonl"] {
        fs::remove_file(desk.root().join(gone)).unwrap();
    }
    desk.ok("compact");
    let status = desk.run("status --all").out;
    assert!(status.contains("`hipocampus forget 2026-03-09`"), "{status}");
    forgotten(&desk, &["2026-03-09"]);
    assert!(saying(&desk, "Done with disks").is_empty());
    // The transcript is still there.
    hook(&mut desk, "sess-one");
    assert!(saying(&desk, "Done with disks").is_empty(), "{:?}", saying(&desk, "Done with disks"));
    assert!(!desk.has("memory/2026-03-09.md") && !desk.has("memory/daily/2026-03-09.md"));
    assert!(!saying(&desk, "pool nine").is_empty());
    assert_eq!(forget(&desk, &["2026-03-09", "--yes"]).code, 1);
}

#[test]
fn the_records_of_a_turn_that_used_a_tool_go_with_it() {
    let mut desk = project();
    let path = transcript(&desk, "sess-one");
    let call = |id: &str, reply: &str, input: serde_json::Value| {
        let record = json!({"type": "assistant", "uuid": format!("{id}-0000-0000-000000000000"),
            "sessionId": "sess-one", "timestamp": "2026-03-09T10:01:30.000Z",
            "message": {"role": "assistant", "id": reply,
                "content": [{"type": "tool_use", "id": "t", "name": "Write", "input": input}]}});
        format!("{record}\n")
    };
    let say = |number: usize, text: &str| record(&desk, "sess-one", number, "2026-03-09", text);
    let file = |name: &str| json!({"file_path": desk.root().join(name)});
    let records = [
        say(0, "talk about the otter"),
        say(1, "ok the otter"),
        call("call-0001-0001", "m1", file("src/heron.rs")),
        say(2, "and the seal"),
        say(3, "ok the seal"),
        call("call-0002-0002", "m3", file("src/seal.rs")),
        say(4, "go on"),
        call("call-0003-0003", "m5", file("src/heron.rs")),
    ];
    fs::write(&path, records.concat()).unwrap();
    hook(&mut desk, "sess-one");
    forgotten(&desk, &["--match", "heron"]);
    let backup = desk.read("memory/.session-transcript-2026-03-09.jsonl");
    assert_eq!(backup, [0, 3, 4, 5, 6].map(|kept| records[kept].clone()).concat());
    assert!(!desk.run("check").out.contains("transcript"), "{}", desk.run("check").out);
}

/// Codex's records name no session.
#[test]
fn a_session_whose_records_do_not_name_it_leaves_none_behind() {
    let mut desk = project();
    let path = desk.beside("rollout.jsonl");
    let line = |second: usize, kind: &str, payload: serde_json::Value| {
        let time = format!("2026-03-09T10:00:{second:02}.000Z");
        format!("{}\n", json!({"timestamp": time, "type": kind, "payload": payload}))
    };
    let said = |second: usize, role: &str, text: &str| {
        let item = json!({"type": role, "id": format!("msg_{second}"), "content": [{"type": "text", "text": text}]});
        line(second, "event_msg", json!({"type": "item_completed", "item": item}))
    };
    let call = |second: usize| {
        let arguments = json!({"cmd": "cat heron"}).to_string();
        let payload =
            json!({"type": "function_call", "name": "exec_command", "arguments": arguments});
        line(second, "response_item", payload)
    };
    let records = [
        line(0, "session_meta", json!({"id": "codex-one", "cwd": desk.root()})),
        said(1, "UserMessage", "look at the heron"),
        said(2, "AgentMessage", "I look at the heron"),
        call(3),
        said(4, "UserMessage", "and again"),
        call(5),
    ];
    fs::write(&path, records.concat()).unwrap();
    let input = json!({"session_id": "codex-one", "hook_event_name": "Stop", "cwd": desk.root(), "transcript_path": path});
    desk.stdin = Some(input.to_string());
    desk.ok("compact --stdin");
    desk.stdin = None;
    assert!(desk.read("memory/.session-transcript-2026-03-09.jsonl").contains("exec_command"));
    forgotten(&desk, &["codex-one"]);
    assert!(saying(&desk, "heron").is_empty(), "{:?}", saying(&desk, "heron"));
}

/// Hands over messages as the plugin of a client does.
fn messages(desk: &mut Desk, client: &str, title: Option<&str>, messages: &[serde_json::Value]) {
    let input = json!({"session_id": "sess-msgs", "hook_event_name": "agent_end", "platform": client,
        "cwd": desk.root(), "title": title, "messages": messages});
    desk.stdin = Some(input.to_string());
    let ran = desk.run("compact --stdin");
    desk.stdin = None;
    assert_eq!((ran.code, &*ran.err), (0, ""));
}

#[test]
fn a_message_that_comes_back_in_another_shape_stays_forgotten() {
    for what in ["sess-msgs", "2026-03-09"] {
        let mut desk = project();
        let at = |seconds: i64| 1_773_050_400_000 + seconds * 1000;
        let user = |seconds, text| json!({"role": "user", "timestamp": at(seconds), "content": [{"type": "text", "text": text}]});
        let reply = json!({"role": "assistant", "timestamp": at(20), "content": [
            {"type": "text", "text": "ok the heron"}, {"type": "toolCall", "name": "exec"}]});
        messages(&mut desk, "openclaw", None, &[user(10, "remember the heron"), reply.clone()]);
        assert!(!saying(&desk, "heron").is_empty());
        forgotten(&desk, &[what]);
        // The plugin hands all of it over again, and what was the last message is text alone and was said earlier.
        let earlier = json!({"role": "user", "timestamp": at(0), "content": "remember the heron"});
        let all = [earlier, reply.clone(), user(60, "and the seal")];
        messages(&mut desk, "openclaw", None, &all);
        assert!(saying(&desk, "heron").is_empty(), "{what}: {:?}", saying(&desk, "heron"));
        // What is said after it was forgotten is new.
        let log = desk.read("memory/2026-03-09.md");
        assert_eq!(log.matches("**User:** and the seal").count(), 1, "{log}");
        assert!(!desk.run("check").out.contains("transcript"), "{}", desk.run("check").out);
    }
}

#[test]
fn a_title_that_was_forgotten_does_not_come_back_although_the_client_keeps_it() {
    let mut desk = project();
    let message = |id: &str, role: &str, text: &str, minute: i64| {
        let time = 1_773_050_400_000 + minute * 60_000;
        json!({"info": {"id": id, "sessionID": "sess-msgs", "role": role,
            "time": {"created": time, "completed": time + 500}}, "parts": [{"type": "text", "text": text}]})
    };
    let mut all =
        vec![message("m1", "user", "draw the map", 0), message("m2", "assistant", "drawn", 1)];
    let title = Some("heron launch session");
    messages(&mut desk, "opencode", title, &all);
    assert!(desk.read("memory/2026-03-09.md").contains("— heron launch session\n"));
    forgotten(&desk, &["--match", "heron launch"]);
    let log = desk.read("memory/2026-03-09.md");
    messages(&mut desk, "opencode", title, &all);
    assert_eq!(desk.read("memory/2026-03-09.md"), log);
    all.push(message("m3", "user", "and the seal", 2));
    messages(&mut desk, "opencode", title, &all);
    assert!(saying(&desk, "heron").is_empty(), "{:?}", saying(&desk, "heron"));
    assert!(desk.read("memory/2026-03-09.md").contains("and the seal"));
    // Another name is one that nobody has forgotten.
    messages(&mut desk, "opencode", Some("seal atlas"), &all);
    assert!(desk.read("memory/2026-03-09.md").contains("**Title:** seal atlas\n"));
}

/// A client writes the name down again whenever the session is left.
#[test]
fn a_title_in_a_transcript_that_was_forgotten_does_not_come_back() {
    let mut desk = project();
    let path = transcript(&desk, "sess-one");
    let title =
        json!({"type": "custom-title", "customTitle": "Heron launch", "sessionId": "sess-one"});
    let title = format!("{title}\n");
    say(&desk, "sess-one", 0, "2026-03-09", &["draw the map", "drawn"]);
    fs::write(&path, fs::read_to_string(&path).unwrap() + &title).unwrap();
    hook(&mut desk, "sess-one");
    assert!(desk.read("memory/2026-03-09.md").contains("— Heron launch\n"));
    forgotten(&desk, &["--match", "Heron launch"]);
    fs::write(&path, fs::read_to_string(&path).unwrap() + &title).unwrap();
    hook(&mut desk, "sess-one");
    say(&desk, "sess-one", 2, "2026-03-09", &["and the seal"]);
    hook(&mut desk, "sess-one");
    assert!(saying(&desk, "Heron launch").is_empty(), "{:?}", saying(&desk, "Heron launch"));
    assert!(desk.read("memory/2026-03-09.md").contains("and the seal"));
}

/// A link that leads to itself can be opened by nobody, whatever the permissions.
fn unreadable(path: &std::path::Path) {
    let name = path.file_name().unwrap();
    std::os::unix::fs::symlink(name, path).unwrap();
}

#[test]
fn what_could_not_be_looked_through_is_told() {
    let desk = memory();
    let folder = transcript(&desk, "x").parent().unwrap().to_path_buf();
    let below =
        folder.with_file_name(format!("{}-sub", folder.file_name().unwrap().to_str().unwrap()));
    unreadable(&below);
    let file = folder.join("linked.jsonl");
    std::os::unix::fs::symlink(transcript(&desk, "sess-one"), &file).unwrap();
    let told = |ran: &crate::desk::Ran| {
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
        for path in [&below, &file] {
            let named =
                |line: &str| line.starts_with("error: ") && line.contains(path.to_str().unwrap());
            assert!(ran.err.lines().any(named), "{}", ran.err);
        }
        // Each with the reason.
        let folder = format!("cannot list `{}`: ", below.display());
        assert!(ran.err.contains(&folder), "{}", ran.err);
    };
    told(&forget(&desk, &["--match", "lease Q4711", "--dry-run"]));
    let ran = forget(&desk, &["--match", "lease Q4711", "--yes"]);
    told(&ran);
    let last = "forgotten: it will not be imported again, except from what was not read\n";
    assert!(ran.out.ends_with(last), "{}", ran.out);
    assert_eq!(saying(&desk, "q4711"), ["MEMORY.md", "knowledge/leases.md"]);
}

#[test]
fn nobody_is_there_to_ask_or_nothing_says_it() {
    let mut desk = memory();
    let before = desk.tree();
    for (args, code, says) in [
        (vec!["--match", "lease Q4711"], 2, "nobody is there to confirm this; nothing was changed"),
        (vec!["--match", "nowhere said", "--yes"], 1, "nothing in the memory says `nowhere said`"),
        (vec!["--match", " ", "--yes"], 2, "there are no words in it"),
        (vec!["2026-03-01", "--yes"], 1, "nothing of 2026-03-01 is remembered"),
        (vec!["2026-W10", "--yes"], 2, "`2026-W10` is more than a day"),
        (vec!["sess", "--yes"], 2, "`sess` begins 2 sessions"),
        (vec!["no-such-thing", "--yes"], 1, "`no-such-thing` is no day and no session"),
        (vec![], 2, "required"),
    ] {
        let ran = forget(&desk, &args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
    desk.at_terminal = true;
    desk.stdin = Some("no\n".to_owned());
    assert_eq!(forget(&desk, &["2026-03-09"]).code, 1);
    desk.stdin = None;
    forget(&desk, &["2026-03-09", "--dry-run"]);
    let mut after = desk.tree();
    after.retain(|name, _| before.contains_key(name));
    assert_eq!(crate::desk::diff(&before, &after), Vec::<String>::new());
    desk.stdin = Some("yes\n".to_owned());
    assert_eq!(forget(&desk, &["2026-03-09"]).code, 0);
    assert!(!desk.has("memory/2026-03-09.md"));
}

/// Every file of the project but caches, the lock and tombstones, whose salt is another one in each run.
fn outcome(desk: &Desk) -> BTreeMap<String, String> {
    let mut tree = desk.tree();
    tree.retain(|name, _| !name.starts_with("memory/.hipocampus."));
    tree
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    fs::set_permissions(to, fs::metadata(from).unwrap().permissions()).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_run_that_is_killed_anywhere_leaves_nothing_half_and_the_same_command_finishes_it() {
    if !has_strace() {
        return;
    }
    let desk = memory();
    let kept = desk.beside("kept");
    copy(&desk.root(), &kept);
    forgotten(&desk, &["--match", "lease Q4711"]);
    let done = outcome(&desk);
    let logs = |tree: &BTreeMap<String, String>| {
        let logs = tree.iter().filter(|(name, _)| name.starts_with("memory/2026"));
        logs.map(|(name, text)| (name.clone(), text.clone())).collect::<BTreeMap<_, _>>()
    };
    let mut killed = 0;
    // Each call is counted by itself.
    let calls = ["renameat", "renameat2", "unlinkat", "write"];
    let calls = calls.into_iter().flat_map(|call| (1..100).map(move |point| (call, point)));
    let mut through = "";
    for (call, point) in calls {
        if through == call {
            continue;
        }
        fs::remove_dir_all(desk.root()).unwrap();
        copy(&kept, &desk.root());
        let before = outcome(&desk);
        let inject = format!("inject={call}:signal=KILL:when={point}");
        let args =
            ["-f", "-qq", "-o", "/dev/null", "-e", &inject, "--", env!("CARGO_BIN_EXE_hipocampus")];
        let run = std::process::Command::new("strace")
            .args(args)
            .args(["forget", "--match", "lease Q4711", "--yes", "-q"])
            .current_dir(desk.root())
            .env("HOME", desk.beside("home"))
            .env("HIPOCAMPUS_NOW", "2026-03-15T14:02:11+01:00")
            .env_remove("CLAUDE_PROJECT_DIR")
            .output()
            .unwrap();
        if run.status.success() {
            through = call;
            continue;
        }
        killed += 1;
        // Each log is the old or the new one.
        let now = outcome(&desk);
        for (name, text) in logs(&before) {
            let stands = now.get(&name);
            assert!(
                stands == Some(&text) || stands == done.get(&name),
                "{call} {point}: {name}: {stands:?}"
            );
        }
        let again = forget(&desk, &["--match", "lease Q4711", "--yes"]);
        assert!(matches!(again.code, 0 | 1), "{call} {point}: {}", again.err);
        desk.ok("compact");
        assert_eq!(
            crate::desk::diff(&done, &outcome(&desk)),
            Vec::<String>::new(),
            "{call} {point}"
        );
    }
    assert!(killed > 20, "{killed}");
}

#[test]
fn what_was_forgotten_is_not_counted_among_what_is_here() {
    let desk = memory();
    let list = || desk.ok("import --dry-run").out;
    assert!(list().trim_end().ends_with("  6 turns"), "{}", list());
    forgotten(&desk, &["--match", "lease Q4711"]);
    assert!(list().trim_end().ends_with("  5 turns, 1 forgotten"), "{}", list());
    forgotten(&desk, &["sess-two"]);
    assert!(list().trim_end().ends_with("  3 turns, 3 forgotten"), "{}", list());
    assert!(desk.ok("import --yes").out.contains("nothing new"), "{}", list());
}

#[test]
fn a_log_that_cannot_be_read_once_is_never_passed_over() {
    if !has_strace() {
        return;
    }
    let desk = memory();
    // What the machine has to say there stands among somebody's own lines and does not come back into its place.
    let root = desk.read("memory/ROOT.md");
    desk.write(
        "memory/ROOT.md",
        root.replacen("## Recent Patterns\n", "## Recent Patterns\n- mine\n", 1),
    );
    desk.ok("compact");
    let (kept, trace) = (desk.beside("kept"), desk.beside("trace"));
    copy(&desk.root(), &kept);
    let mut failed = 0;
    for point in 1..100 {
        fs::remove_dir_all(desk.root()).unwrap();
        copy(&kept, &desk.root());
        let inject = format!("inject=openat:error=EIO:when={point}");
        let run = std::process::Command::new("strace")
            .args(["-f", "-qq", "-P", "2026-03-10.md", "-e", &inject, "-o"])
            .arg(&trace)
            .args(["--", env!("CARGO_BIN_EXE_hipocampus"), "forget", "--match", "lease Q4711"])
            .arg("--yes")
            .current_dir(desk.root())
            .env("HOME", desk.beside("home"))
            .env("HIPOCAMPUS_NOW", "2026-03-15T14:02:11+01:00")
            .env_remove("CLAUDE_PROJECT_DIR")
            .output()
            .unwrap();
        if !fs::read_to_string(&trace).unwrap().contains("INJECTED") {
            break;
        }
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && said.contains("2026-03-10.md"), "{point}: {said}");
        failed += 1;
    }
    assert!(failed > 2, "{failed}");
}

/// What is in a generated memory: each entry and turn has a name of its own.
#[derive(Debug, Clone)]
struct Plan {
    /// entries by day: how many, and how many lines each has
    days: BTreeMap<u32, Vec<usize>>,
    /// sessions: the day each is on, and its turns
    sessions: Vec<(u32, usize)>,
    /// what is forgotten: one of the things there are, and in which way
    pick: (usize, usize),
    /// lines in hot files and summaries
    edits: Vec<usize>,
}

fn plans() -> impl Strategy<Value = Plan> {
    let days =
        prop::collection::btree_map(1_u32..29, prop::collection::vec(1_usize..90, 1..4), 1..6);
    let sessions = prop::collection::vec((1_u32..29, 1_usize..7), 0..4);
    let edits = prop::collection::vec(0_usize..100, 0..5);
    (days, sessions, (0_usize..1000, 0_usize..3), edits)
        .prop_map(|(days, sessions, pick, edits)| Plan { days, sessions, pick, edits })
}

/// A thing with a name: `zq17x`, the day it is in, the session that said it.
struct Thing {
    name: String,
    day: String,
    session: Option<String>,
}

fn build(plan: &Plan) -> (Desk, Vec<Thing>) {
    let mut desk = project();
    let mut things: Vec<Thing> = Vec::new();
    let mut thing = |day: &str, session: Option<&str>| {
        let name = format!("zq{}x", 10 + things.len());
        things.push(Thing {
            name: name.clone(),
            day: day.to_owned(),
            session: session.map(str::to_owned),
        });
        name
    };
    for (day, entries) in &plan.days {
        let day = format!("2026-02-{day:02}");
        let mut log = String::new();
        for lines in entries {
            let name = thing(&day, None);
            let _ = writeln!(log, "## Topic {name} [project]\n- decision: {name} stays");
            for line in 1..*lines {
                let _ = writeln!(log, "- point {line} of {name}");
            }
            log.push('\n');
        }
        desk.write(&format!("memory/{day}.md"), log);
    }
    for (index, (day, turns)) in plan.sessions.iter().enumerate() {
        let (day, session) = (format!("2026-02-{day:02}"), format!("session-{index}"));
        let turns: Vec<String> = (0..*turns)
            .map(|turn| format!("turn {turn} says {} about it", thing(&day, Some(&session))))
            .collect();
        let turns: Vec<&str> = turns.iter().map(String::as_str).collect();
        say(&desk, &session, 0, &day, &turns);
        hook(&mut desk, &session);
    }
    desk.write("MEMORY.md", "# Mine\n");
    desk.ok("compact");
    let mut hot = "# Scratch\n- a line of its own\n".to_owned();
    for edit in &plan.edits {
        let _ = writeln!(hot, "- note on {} here", things[edit % things.len()].name);
    }
    desk.write("SCRATCHPAD.md", hot);
    for edit in &plan.edits {
        let Thing { name, day, .. } = &things[edit % things.len()];
        let node = format!("memory/daily/{day}.md");
        if desk.has(&node) && edit % 2 == 0 {
            let text = desk.read(&node);
            desk.write(
                &node,
                text + &format!("\nsomebody adds to {name}\n\nsomebody adds to nothing\n"),
            );
        }
        let root = desk.read("memory/ROOT.md");
        if edit % 3 == 0 {
            desk.write("memory/ROOT.md", root + &format!("- somebody knows {name} → {day}\n"));
        }
    }
    desk.ok("compact");
    (desk, things)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn after_it_no_file_says_it_and_everything_else_stands(plan in plans()) {
        let (mut desk, things) = build(&plan);
        let (pick, way) = plan.pick;
        let picked = &things[pick % things.len()];
        let gone = |thing: &Thing| match (way, &picked.session) {
            (0, _) => thing.name == picked.name,
            (1, Some(session)) => thing.session.as_ref() == Some(session),
            _ => thing.day == picked.day,
        };
        let args = match (way, &picked.session) {
            (0, _) => vec!["--match", picked.name.as_str()],
            (1, Some(session)) => vec![session.as_str()],
            _ => vec![picked.day.as_str()],
        };
        let logs = |desk: &Desk| {
            let tree = desk.tree().into_iter();
            let logs = tree.filter(|(name, _)| name.starts_with("memory/2026"));
            logs.map(|(_, text)| text).collect::<String>()
        };
        let before = logs(&desk);
        let ran = forget(&desk, &[&args[..], &["--yes"]].concat());
        prop_assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.out);
        for session in 0..plan.sessions.len() {
            hook(&mut desk, &format!("session-{session}"));
        }
        let after = logs(&desk);
        let hot = desk.read("SCRATCHPAD.md");
        prop_assert!(hot.contains("- a line of its own\n"));
        for thing in &things {
            let name = thing.name.as_str();
            if gone(thing) {
                prop_assert_eq!(saying(&desk, name), Vec::<String>::new(), "{}", name);
            } else {
                prop_assert_eq!(after.matches(name).count(), before.matches(name).count(), "{}", name);
                let node = format!("memory/daily/{}.md", thing.day);
                prop_assert!(desk.read(&node).contains(name), "{} in {}", name, node);
                let noted = plan.edits.iter().any(|edit| things[edit % things.len()].name == name);
                prop_assert_eq!(hot.contains(name), noted, "{}", name);
            }
        }
        prop_assert_eq!(desk.ok("compact").out, "hipocampus compact: nothing to do\n");
        // What is made from the logs is what a fresh memory would make of them.
        let days: BTreeSet<_> = things.iter().map(|thing| &thing.day).collect();
        prop_assert!(!days.is_empty());
    }
}
