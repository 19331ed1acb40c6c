//! Cursor, by records and calls of the form that its own packages have: sessions without ids, context of a limited
//! length, workspaces with several folders, hooks in a file that others use as well.

use std::fs::{File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::desk::{Desk, diff};
use crate::stores::{self, lines};

const ID: &str = "253244d7-1a2b-4c3d-8e9f-001122334455";

fn prompt(minute: &str, words: &str) -> Value {
    let noted = match minute {
        "" => String::new(),
        _ => format!("<timestamp>Sunday, Mar 15, 2026, {minute} (UTC+1)</timestamp>\n"),
    };
    record("user", &format!("{noted}<user_query>\n{words}\n</user_query>"))
}

fn reply(words: &str) -> Value {
    record("assistant", &format!("{words}\n\n[REDACTED]"))
}

fn record(role: &str, words: &str) -> Value {
    json!({"role": role, "message": {"content": [{"type": "text", "text": words}]}})
}

fn ended() -> Value {
    json!({"type": "turn_ended", "status": "success"})
}

/// The folder of Cursor's for a project.
fn kept(desk: &Desk, folder: &Path) -> PathBuf {
    let path = folder.canonicalize().unwrap();
    let words = path.to_str().unwrap().split(|c: char| !c.is_ascii_alphanumeric());
    let slug: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    desk.beside("home/.cursor/projects").join(slug.join("-"))
}

/// Lays a session where Cursor keeps those of the project.
fn lay(desk: &Desk, id: &str, records: &[Value]) -> PathBuf {
    let path = kept(desk, &desk.root()).join(format!("agent-transcripts/{id}/{id}.jsonl"));
    stores::write(&path, &lines(records));
    path
}

/// What Cursor hands a hook.
fn call(event: &str, id: &str, transcript: Option<&Path>, roots: &[PathBuf]) -> String {
    let call = json!({"conversation_id": id, "session_id": id, "generation_id": "g", "model": "m",
        "hook_event_name": event, "cursor_version": "2026.10.01-e373342", "workspace_roots": roots,
        "user_email": null, "transcript_path": transcript});
    call.to_string()
}

fn hook(desk: &mut Desk, event: &str, id: &str, transcript: Option<&Path>) -> crate::desk::Ran {
    let roots = [desk.root().canonicalize().unwrap()];
    desk.stdin = Some(call(event, id, transcript, &roots));
    let line = if event == "sessionStart" { "hook session-start" } else { "compact --stdin" };
    let ran = desk.run(line);
    desk.stdin = None;
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

/// What is said in all logs, in order.
fn said(desk: &Desk) -> Vec<String> {
    let names = std::fs::read_dir(desk.root().join("memory")).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("20"));
    names.sort();
    let logs: String = names.iter().map(|name| desk.read(&format!("memory/{name}"))).collect();
    let turn = |line: &str| {
        let words =
            line.strip_prefix("**User:** ").or_else(|| line.strip_prefix("**Assistant:** "));
        words.map(str::to_owned)
    };
    logs.lines().filter_map(turn).collect()
}

#[test]
fn a_session_that_grows_and_is_written_anew_is_saved_once() {
    for minute in ["2:00 PM", ""] {
        let mut desk = stores::desk("cursor");
        // The same words twice are two prompts.
        let turn = |words: &str| [prompt(minute, words), reply("It is done."), ended()];
        let mut records = [turn("go on"), turn("go on"), turn("stop there")].concat();
        let mut expect =
            vec!["go on", "It is done.", "go on", "It is done.", "stop there", "It is done."];
        for count in [3, 6, 6, 9] {
            let path = lay(&desk, ID, &records[..count]);
            hook(&mut desk, "stop", ID, Some(&path));
            assert_eq!(said(&desk), expect[..count / 3 * 2], "{minute}, {count}");
        }
        // Taken up again, Cursor writes all of it: no turn ends, and there may be an overview.
        records.retain(|record| record["type"].is_null());
        records.insert(
            0,
            json!({"type": "metadata", "metadata": {"overview": "The gate is painted."}}),
        );
        records.extend(turn("go on"));
        expect.extend(["go on", "It is done."]);
        let path = lay(&desk, ID, &records);
        hook(&mut desk, "stop", ID, Some(&path));
        assert_eq!(said(&desk), expect, "{minute}");
        hook(&mut desk, "sessionEnd", ID, Some(&path));
        assert_eq!(said(&desk), expect, "{minute}");
        desk.ok("import --yes");
        assert_eq!(said(&desk), expect, "{minute}");
        let status = desk.run("status");
        assert!(!status.out.contains("NOT HEALTHY"), "{}", status.out);
    }
}

#[test]
fn a_copy_under_another_name_adds_nothing_and_two_sessions_with_one_prompt_stay_two() {
    let two = [
        prompt("2:00 PM", "paint the gate"),
        reply("Red."),
        prompt("2:01 PM", "no, blue"),
        reply("Blue."),
    ];
    let timeless =
        [prompt("", "paint the gate"), reply("Red."), prompt("", "no, blue"), reply("Blue.")];
    for records in [&two, &timeless] {
        let mut desk = stores::desk("cursor");
        let path = lay(&desk, ID, records);
        hook(&mut desk, "stop", ID, Some(&path));
        let expect = ["paint the gate", "Red.", "no, blue", "Blue."];
        assert_eq!(said(&desk), expect);
        let copy = desk.beside("copies/another-name.jsonl");
        stores::write(&copy, &lines(records));
        desk.ok(&format!("import --yes {}", copy.display()));
        assert_eq!(said(&desk), expect, "copied");
        // A chat that was duplicated goes on by itself.
        let more =
            [records.to_vec(), vec![prompt("2:05 PM", "and the door"), reply("Green.")]].concat();
        let fork = lay(&desk, "99999999-1a2b-4c3d-8e9f-001122334455", &more);
        hook(&mut desk, "stop", "99999999-1a2b-4c3d-8e9f-001122334455", Some(&fork));
        assert_eq!(said(&desk), [&expect[..], &["and the door", "Green."]].concat(), "forked");
    }
    // Two agents were given the same prompt at once.
    let mut desk = stores::desk("cursor");
    for (id, first, second) in [("a-1", "I look.", "Red."), ("b-2", "I look.", "Blue.")] {
        let records = [prompt("2:00 PM", "paint the gate"), reply(first), reply(second)];
        let path = lay(&desk, id, &records);
        hook(&mut desk, "stop", id, Some(&path));
    }
    let both = ["paint the gate", "I look.", "Red.", "paint the gate", "I look.", "Blue."];
    assert_eq!(said(&desk), both);
}

#[test]
fn a_session_is_found_where_its_hook_names_no_file() {
    let records = [prompt("2:00 PM", "paint the gate"), reply("Red.")];
    let expect = ["paint the gate", "Red."];
    let mut desk = stores::desk("claude-code");
    let path = lay(&desk, ID, &records);
    hook(&mut desk, "stop", ID, None);
    assert_eq!(said(&desk), expect, "by its id");

    let mut desk = stores::desk("claude-code");
    let older = path.strip_prefix(desk.beside("home")).ok();
    assert_eq!(older, None);
    let flat = kept(&desk, &desk.root()).join(format!("agent-transcripts/{ID}.jsonl"));
    stores::write(&flat, &lines(&records));
    hook(&mut desk, "sessionEnd", ID, None);
    assert_eq!(said(&desk), expect, "in the older place");

    let mut desk = stores::desk("claude-code");
    let elsewhere = desk.beside(&format!("elsewhere/{ID}.jsonl"));
    stores::write(&elsewhere, &lines(&records));
    desk.stdin = Some(call("stop", ID, None, &[desk.root()]));
    let env = [("CURSOR_TRANSCRIPT_PATH", elsewhere.to_str().unwrap())];
    desk.run_with(&env, "compact --stdin");
    assert_eq!(said(&desk), expect, "by the environment");

    let mut desk = stores::desk("claude-code");
    let ran = hook(&mut desk, "stop", ID, None);
    assert!(
        ran.err.contains("not saved: Cursor named no transcript of the session"),
        "{}",
        ran.err
    );
    // Nothing need have been said in a session that ends.
    let mut desk = stores::desk("claude-code");
    assert_eq!(hook(&mut desk, "sessionEnd", ID, None).err, "");
}

#[test]
fn of_the_folders_of_a_workspace_the_one_with_the_project_counts() {
    let mut desk = stores::desk("cursor");
    let path = lay(&desk, ID, &[prompt("2:00 PM", "paint the gate"), reply("Red.")]);
    let other = desk.beside("other");
    std::fs::create_dir_all(&other).unwrap();
    let roots = [other.clone(), desk.beside("gone"), desk.root()];
    desk.stdin = Some(call("stop", ID, Some(&path), &roots));
    let env = [("CLAUDE_PROJECT_DIR", other.to_str().unwrap())];
    let ran = desk.run_with(&env, "compact --stdin");
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert_eq!(said(&desk), ["paint the gate", "Red."]);
}

#[test]
fn a_turn_belongs_to_the_day_of_its_prompt_else_of_the_file() {
    let desk = stores::desk("cursor");
    let dated = [
        record(
            "user",
            "<timestamp>Monday, Mar 9, 2026, 9:05 AM (UTC+1)</timestamp>\n<user_query>\npaint the gate\n</user_query>",
        ),
        reply("Red."),
        record(
            "user",
            "<timestamp>Wednesday, Mar 11, 2026, 9:05 AM (UTC+1)</timestamp>\n<user_query>\nand the door\n</user_query>",
        ),
        reply("Green."),
    ];
    lay(&desk, ID, &dated);
    let path = lay(&desk, "b-2", &[record("user", "Run echo probe."), reply("ok")]);
    // 2026-03-12T12:00:00Z
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_773_316_800);
    let file = File::options().write(true).open(&path).unwrap();
    file.set_times(FileTimes::new().set_modified(then)).unwrap();
    desk.ok("import --yes");
    for (day, words) in [
        ("2026-03-09", ["paint the gate", "Red."]),
        ("2026-03-11", ["and the door", "Green."]),
        ("2026-03-12", ["Run echo probe.", "ok"]),
    ] {
        let log = desk.read(&format!("memory/{day}.md"));
        assert!(words.iter().all(|words| log.contains(words)), "{day}: {log}");
    }
    assert!(!desk.has("memory/2026-03-15.md"));
}

#[test]
fn a_session_without_times_that_goes_on_another_day_is_of_that_day() {
    let mut desk = stores::desk("cursor");
    let records =
        [record("user", "Run echo probe."), reply("ok"), record("user", "Again."), reply("yes")];
    let path = lay(&desk, ID, &records[..2]);
    hook(&mut desk, "stop", ID, Some(&path));
    lay(&desk, ID, &records);
    desk.stdin = Some(call("stop", ID, Some(&path), &[desk.root()]));
    desk.run_with(&[("HIPOCAMPUS_NOW", "2026-03-17T12:00:00+01:00")], "compact --stdin");
    assert!(desk.read("memory/2026-03-15.md").contains("**Assistant:** ok"));
    assert!(desk.read("memory/2026-03-17.md").contains("**User:** Again."));
}

#[test]
fn the_index_reaches_the_agent_within_what_it_takes() {
    let mut desk = stores::desk("cursor");
    let told = |desk: &mut Desk| {
        let ran = hook(desk, "sessionStart", "s-1", None);
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told.as_object().unwrap().len(), 1, "{told}");
        told["additional_context"].as_str().unwrap().to_owned()
    };
    desk.write("memory/ROOT.md", "---\ntype: root\n---\n\n## Topics Index\n- the gate is red\n");
    let text = told(&mut desk);
    assert!(
        text.ends_with("<memory-index>\n## Topics Index\n- the gate is red\n</memory-index>"),
        "{text}"
    );
    // As long as it is, and longer still in the units that are counted.
    let long = "- \u{1f600}\u{1f600}\u{1f600} the gate is red\n".repeat(700);
    desk.write("memory/ROOT.md", format!("---\ntype: root\n---\n\n## Topics Index\n{long}"));
    let text = told(&mut desk);
    assert!(text.encode_utf16().count() <= 10_000);
    assert!(
        text.contains("hipocampus show ROOT.md") && text.ends_with("\n</memory-index>"),
        "{text}"
    );
    let cut = text.lines().rev().nth(2).unwrap();
    assert_eq!(cut, "- \u{1f600}\u{1f600}\u{1f600} the gate is red");
}

#[test]
fn hooks_go_beside_those_of_others_and_come_out_again() {
    let own = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      { \"command\": \"./notify.sh\" }\n    ]\n  }\n}\n";
    let desk = Desk::new();
    desk.write(".cursor/hooks.json", own);
    let before = desk.tree();
    let ran = desk.ok("init --no-search");
    assert!(ran.out.contains("set up: Cursor in"), "{}", ran.out);
    assert!(!ran.out.contains("Include third-party"), "{}", ran.out);
    let file: Value = serde_json::from_str(&desk.read(".cursor/hooks.json")).unwrap();
    assert_eq!(file["version"], 1);
    let hooks = file["hooks"].as_object().unwrap();
    let mut events: Vec<&str> = hooks.keys().map(String::as_str).collect();
    events.sort_unstable();
    let expect =
        ["beforeSubmitPrompt", "postToolUse", "preCompact", "sessionEnd", "sessionStart", "stop"];
    assert_eq!(events, expect);
    assert_eq!(hooks["stop"][0], json!({"command": "./notify.sh"}));
    let command = hooks["stop"][1]["command"].as_str().unwrap();
    assert!(command.ends_with("compact --stdin"), "{command}");
    assert_eq!(hooks["stop"][1]["timeout"], 30);
    assert_eq!(hooks["postToolUse"][0]["matcher"], "Read|Write|StrReplace");
    desk.ok("uninstall");
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    // A file that others came into in the meantime keeps theirs.
    let desk = Desk::new();
    desk.ok("init --no-search --platform cursor");
    let mine = desk.read(".cursor/hooks.json").replacen(
        "\"stop\": [",
        "\"stop\": [{\"command\": \"./mine.sh\"},",
        1,
    );
    desk.write(".cursor/hooks.json", mine);
    desk.ok("uninstall");
    let left: Value = serde_json::from_str(&desk.read(".cursor/hooks.json")).unwrap();
    assert_eq!(left, json!({"version": 1, "hooks": {"stop": [{"command": "./mine.sh"}]}}));
}

#[test]
fn a_chat_without_a_word_is_no_problem() {
    let mut desk = stores::desk("cursor");
    let nowhere = kept(&desk, &desk.root()).join("agent-transcripts/e-1/e-1.jsonl");
    hook(&mut desk, "sessionEnd", "e-1", Some(&nowhere));
    let status = desk.ok("status").out;
    assert!(!status.contains("e-1.jsonl"), "{status}");
}

#[test]
fn beside_claude_code_it_has_nothing_of_its_own_and_is_saved_by_those_hooks() {
    let mut desk = stores::desk("claude-code");
    let ran = desk.ok("init --no-search --platform cursor");
    assert!(ran.out.contains("Include third-party"), "{}", ran.out);
    assert!(ran.out.contains("and a section in CLAUDE.md\n"), "{}", ran.out);
    assert!(!desk.read(".gitignore").contains(".cursor"), "a file that a team may add");
    for path in [".cursor/hooks.json", "AGENTS.md", ".agents/skills"] {
        assert!(!desk.has(path), "{path}");
    }
    // Cursor spells the events in its own way.
    let path = lay(&desk, ID, &[prompt("2:00 PM", "paint the gate"), reply("Red.")]);
    hook(&mut desk, "preCompact", ID, Some(&path));
    assert_eq!(said(&desk), ["paint the gate", "Red."]);
    let fired = desk.read("memory/.hipocampus.log-fired");
    assert!(fired.starts_with("preCompact ") && fired.ends_with(" cursor\n"), "{fired}");
    let status: Value = serde_json::from_str(&desk.ok("status --json").out).unwrap();
    let agents = status["agents"].as_array().unwrap();
    assert!(agents.iter().all(|agent| agent["in_place"] == true), "{status}");
    // Without Claude Code it needs its own.
    let desk = stores::desk("cursor");
    assert!(desk.has(".cursor/hooks.json") && desk.has("AGENTS.md") && desk.has(".agents/skills"));
}

#[test]
fn agents_that_work_for_the_session_and_sessions_of_other_folders_are_left_out() {
    let mut desk = stores::desk("cursor");
    let transcripts = kept(&desk, &desk.root()).join("agent-transcripts");
    let child = transcripts.join(format!("{ID}/subagents/c-1.jsonl"));
    stores::write(&child, &lines(&[prompt("2:00 PM", "look for gates"), reply("There are two.")]));
    // Another folder whose name is the same but for its end.
    let other = desk.beside("p-2");
    std::fs::create_dir_all(&other).unwrap();
    let of_other = kept(&desk, &other).join("agent-transcripts/o-1/o-1.jsonl");
    stores::write(&of_other, &lines(&[prompt("2:00 PM", "sell the boat"), reply("Sold.")]));
    hook(&mut desk, "stop", "c-1", Some(&child));
    hook(&mut desk, "sessionStart", "new", None);
    desk.run("import --yes");
    desk.run(&format!("import --yes {}", child.display()));
    assert_eq!(said(&desk), Vec::<String>::new());
    // Of a folder of the project, they are the project's.
    let inner = desk.root().join("lib");
    std::fs::create_dir_all(&inner).unwrap();
    let of_inner = kept(&desk, &inner).join("agent-transcripts/i-1/i-1.jsonl");
    stores::write(&of_inner, &lines(&[prompt("2:00 PM", "paint the gate"), reply("Red.")]));
    hook(&mut desk, "sessionStart", "new", None);
    assert_eq!(said(&desk), ["paint the gate", "Red."]);
}

#[test]
fn a_session_that_may_be_of_another_folder_of_that_name_is_named() {
    let desk = Desk::new();
    let root = desk.root().join("a-b");
    std::fs::create_dir_all(desk.root().join("a/b")).unwrap();
    std::fs::create_dir_all(&root).unwrap();
    desk.run_in(&root, &["hipocampus", "init", "--no-search", "--platform", "cursor"]);
    let path = kept(&desk, &root).join(format!("agent-transcripts/{ID}/{ID}.jsonl"));
    stores::write(&path, &lines(&[prompt("2:00 PM", "paint the gate"), reply("Red.")]));
    let ran = desk.run_in(&root, &["hipocampus", "import", "--yes"]);
    assert!(ran.err.contains("no record of it tells in which folder it was held"), "{}", ran.err);
    assert!(!root.join("memory/2026-03-15.md").exists());
    let named = path.to_str().unwrap();
    desk.run_in(&root, &["hipocampus", "import", "--yes", named]);
    let log = std::fs::read_to_string(root.join("memory/2026-03-15.md")).unwrap();
    assert!(log.contains("paint the gate"), "{log}");
}

#[test]
fn no_project_of_it_is_private() {
    let desk = Desk::new();
    std::fs::create_dir(desk.root().join(".git")).unwrap();
    let ran = desk.run("init --private --platform cursor");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no project of Cursor can be private"), "{}", ran.err);
}

#[test]
fn what_is_known_comes_where_cursor_looks_for_it() {
    for agent in ["cursor", "claude-code"] {
        let mut desk = stores::desk(agent);
        let log = "## Request cache [project]\n- decision: the request cache lives in `src/cache.rs`, because two proxies share it\n";
        desk.write("memory/2026-03-10.md", log);
        desk.write("src/cache.rs", "x");
        desk.ok("compact");
        desk.write("memory/ROOT.md", "---\ntype: root\n---\n\n## Topics Index\n");
        let asked = json!({"prompt": "move the request cache of both proxies out of there"});
        let read = json!({"tool_name": "Read", "tool_input": {"path": "src/cache.rs"}});
        for (line, event, more) in
            [("hook tool", "postToolUse", read), ("hook prompt", "beforeSubmitPrompt", asked)]
        {
            // Each in a session of its own: nothing is told twice.
            let call: Value =
                serde_json::from_str(&call(event, event, None, &[desk.root()])).unwrap();
            let mut call = call;
            call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            desk.stdin = Some(call.to_string());
            let ran = desk.run(line);
            let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{event}"));
            let context = told["additional_context"].as_str().unwrap();
            assert!(context.contains("two proxies share it"), "{event}: {told}");
            assert_eq!(told.as_object().unwrap().len(), 1, "{told}");
        }
    }
}

/// How a session is on the disk when a hook is called.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// how many turns there are more
    more: usize,
    /// whether all of it was written anew
    anew: bool,
    overview: bool,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// However a session is cut into calls of hooks, and whenever its file is written anew, each word is in the logs
    /// once, also where the same words are said again and again.
    #[test]
    fn each_word_is_saved_once(
        words in prop::collection::vec((0..3_usize, 0..3_usize), 1..9),
        steps in prop::collection::vec((1..4_usize, any::<bool>(), any::<bool>()), 1..6),
        dated in any::<bool>(),
    ) {
        let mut desk = stores::desk("cursor");
        let minute = if dated { "2:00 PM" } else { "" };
        let turn = |(asked, answered): &(usize, usize)| {
            [["go on", "stop", "paint it"][*asked], ["Done.", "It is done.", "No."][*answered]]
        };
        let steps = steps.into_iter().map(|(more, anew, overview)| Step { more, anew, overview });
        let (mut count, mut lines): (usize, Vec<Value>) = (0, Vec::new());
        for step in steps {
            let to = (count + step.more).min(words.len());
            let talk = |turns: &[(usize, usize)], ends: bool| -> Vec<Value> {
                let records = |said: &(usize, usize)| {
                    let [asked, answered] = turn(said);
                    let mut records = vec![prompt(minute, asked), reply(answered)];
                    records.extend(ends.then(ended));
                    records
                };
                turns.iter().flat_map(records).collect()
            };
            if step.anew {
                lines = talk(&words[..to], false);
                lines.push(ended());
                if step.overview {
                    let overview = json!({"type": "metadata", "metadata": {"overview": "a gate"}});
                    lines.insert(0, overview);
                }
            } else {
                lines.extend(talk(&words[count..to], true));
            }
            count = to;
            let path = lay(&desk, ID, &lines);
            let ran = hook(&mut desk, "stop", ID, Some(&path));
            prop_assert_eq!(&*ran.err, "");
            let expect: Vec<_> = words[..to].iter().flat_map(turn).collect();
            prop_assert_eq!(said(&desk), expect, "{:?}", step);
        }
        desk.ok("import --yes");
        let expect: Vec<_> = words[..count].iter().flat_map(turn).collect();
        prop_assert_eq!(said(&desk), expect);
    }
}
