//! Cline: what it stored and handed its plugin for real comes into the log once, whichever way it comes, and nothing of
//! the agents that work for the one that a person speaks to.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::agents_by_file::{logs, turns};
use crate::desk::Desk;
use crate::stores;

const TOOLS: &str = include_str!("../fixtures/clients/cline-tools.messages.json");
const QUESTION: &str = include_str!("../fixtures/clients/cline-question-and-modes.messages.json");
const TEAMMATE: &str = include_str!("../fixtures/clients/cline-teammate.messages.json");
/// What Cline handed the hooks of a plugin in the session of [`TOOLS`].
const HOOKS: &str = include_str!("../fixtures/clients/cline-hooks.json");

/// Lays a session into the home of a desk, as held in a folder; its messages are in the file that is returned.
fn lay(desk: &Desk, messages: &str, cwd: &std::path::Path) -> PathBuf {
    let id = id(messages);
    let folder = desk.beside("home/.cline/data/sessions").join(&id);
    stores::write(&folder.join(format!("{id}.json")), &json!({"cwd": cwd}).to_string());
    let path = folder.join(format!("{id}.messages.json"));
    stores::write(&path, &in_project(desk, messages));
    stores::write(&folder.join("helper__XL-Kjd.messages.json"), TEAMMATE);
    path
}

/// A fixture with the file that was written in it as one of the project.
fn in_project(desk: &Desk, fixture: &str) -> String {
    let file = desk.root().join("new.txt");
    fixture.replace("/p/new.txt", file.to_str().unwrap())
}

fn id(messages: &str) -> String {
    let file: Value = serde_json::from_str(messages).unwrap();
    file["sessionId"].as_str().unwrap().to_owned()
}

fn check_tools(log: &str) {
    assert_eq!(log.matches("**User:** FIRST-PROMPT about zebras").count(), 1, "{log}");
    for (words, below) in [
        ("MOCK-ASSISTANT-TEXT 2 before tool", "[tools: editor]\n[files: new.txt]"),
        ("MOCK-ASSISTANT-TEXT 3 before tool", "[tools: run_commands]\n[commit: count the reeds]"),
        ("MOCK-REPLY 9", "<!-- hipocampus:end"),
    ] {
        assert!(log.contains(&format!("**Assistant:** {words}\n{below}")), "{words}: {log}");
    }
    for unsaid in ["CONTEXT-4711", "hook_context", "user_input", "PRINTED-4711\""] {
        assert!(
            !turns(log)
                .iter()
                .any(|line| !line.starts_with("**User:** FIRST") && line.contains(unsaid)),
            "{unsaid}: {log}"
        );
    }
    assert!(
        !log.contains("**User:** MATE-PROMPT") && !log.contains("**User:** CHILD-PROMPT"),
        "{log}"
    );
}

#[test]
fn import_takes_in_the_store_and_files_by_their_names() {
    let desk = stores::desk("claude-code");
    let root = desk.root();
    lay(&desk, TOOLS, &root);
    lay(&desk, QUESTION, &root.join("sub"));
    lay(
        &desk,
        &QUESTION.replace("1795924486739_rdvuu", "1795924486740_other"),
        &desk.beside("other"),
    );
    let said = desk.ok("import --yes").out;
    assert!(said.contains("Cline") && said.contains("2 sessions"), "{said}");
    let log = logs(&desk);
    check_tools(&log);
    // What the person answered, and typed after switching modes.
    for words in ["south", "PLAN-PROMPT about zebras", "ASK-PROMPT MOCK_TOOL", "!echo hi"] {
        assert_eq!(log.matches(&format!("**User:** {words}")).count(), 1, "{words}: {log}");
    }
    assert!(!log.contains("mode_notice"), "{log}");
    // Beside each of the two lies what a teammate and the agent said to each other.
    let receipt: Value = serde_json::from_str(&desk.ok("status --receipt --json").out).unwrap();
    let sum = &receipt["sum"];
    assert_eq!((&sum["missing"], &sum["left_out"]["delegated"]), (&json!(0), &json!(4)), "{sum}");
    assert_eq!(sum["memory"].as_u64().unwrap() + 4, sum["store"].as_u64().unwrap(), "{sum}");
    assert!(desk.ok("import --yes").out.contains("nothing new"));
    assert_eq!(logs(&desk), log);

    let named = stores::desk("claude-code");
    let path = lay(&named, TOOLS, &named.beside("elsewhere"));
    named.ok(&format!("import --yes {}", path.parent().unwrap().display()));
    check_tools(&logs(&named));
    std::fs::write(&path, &TOOLS[..2000]).unwrap();
    let ran = named.run(&format!("import --yes {}", path.display()));
    assert!(ran.err.contains("it is cut, or not what Cline writes"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_workflow_is_its_name_and_what_a_clock_began_is_nobodys() {
    let desk = stores::desk("claude-code");
    let root = desk.root();
    let mut file: Value = serde_json::from_str(TOOLS).unwrap();
    file["messages"][0]["content"] = json!([{"type": "text", "text": "<user_input mode=\"act\"><user_command slash=\"deploy\">Deploy with care. From now on always use tabs.</user_command> to staging</user_input>"}]);
    lay(&desk, &file.to_string(), &root);
    let path = lay(&desk, QUESTION, &root);
    let note = path.parent().unwrap().join(format!("{}.json", id(QUESTION)));
    let about = json!({"cwd": root, "prompt": "x".repeat(2_000_000),
        "metadata": {"sessionHistoryOrigin": {"mode": "automation", "trigger": "cron"}}});
    stores::write(&note, &about.to_string());
    desk.ok("import --yes");
    let log = logs(&desk);
    assert!(log.contains("**User:** /deploy to staging\n") && !log.contains("tabs"), "{log}");
    assert!(!log.contains("PLAN-PROMPT"), "{log}");
    let receipt: Value = serde_json::from_str(&desk.ok("status --receipt --json").out).unwrap();
    assert!(receipt["sum"]["left_out"]["delegated"].as_u64().unwrap() > 4, "{receipt:#}");
}

#[test]
fn what_was_missed_comes_in_at_the_next_start_of_any_agent() {
    let mut desk = stores::desk("claude-code");
    let root = desk.root();
    lay(&desk, TOOLS, &root);
    let start = json!({"hook_event_name": "SessionStart", "session_id": "next", "cwd": root});
    desk.stdin = Some(start.to_string());
    for _ in 0..2 {
        let ran = desk.run("hook session-start");
        assert_eq!((ran.code, &*ran.err), (0, ""));
        check_tools(&logs(&desk));
    }
    // More of the same session, and nothing of another one that is off.
    let mut more: Value = serde_json::from_str(TOOLS).unwrap();
    let said = json!({"id": "m", "role": "user", "ts": 1_795_924_899_000_u64,
        "content": "<user_input mode=\"act\">say the zone</user_input>"});
    more["messages"].as_array_mut().unwrap().push(said);
    lay(&desk, &more.to_string(), &root);
    desk.run("hook session-start");
    let log = logs(&desk);
    check_tools(&log);
    assert_eq!(log.matches("**User:** say the zone").count(), 1, "{log}");
    desk.stdin = None;
    assert!(!desk.run("status").out.contains("NOT HEALTHY"));
}

/// Runs the plugin of a desk on what Cline handed it; what it handed to the program, call by call, and what it told.
fn run_plugin(desk: &Desk, program: &str, hooks: &str) -> Option<(Vec<(String, Value)>, Value)> {
    if Command::new("node").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "node is not installed");
        return None;
    }
    let plugin = desk.read(".cline/plugins/hipocampus/index.js");
    let start = plugin.find("const PROGRAM = ").unwrap();
    let end = start + plugin[start..].find('\n').unwrap();
    let path = desk.root().join("take.sh");
    let line = format!("const PROGRAM = {:?};", path.to_str().unwrap());
    desk.write("plugin.mjs", format!("{}{line}{}", &plugin[..start], &plugin[end..]));
    desk.write("take.sh", program);
    Command::new("chmod").arg("+x").arg(&path).status().unwrap();
    desk.write("events.json", in_project(desk, hooks));
    desk.write(
        "run.mjs",
        format!(
            r#"
import {{ readFileSync }} from "node:fs";
import plugin from "./plugin.mjs";
const rules = [];
plugin.setup({{ registerRule: (rule) => rules.push(rule) }}, {{ session: {{ sessionId: "{}" }} }});
const told = [await rules[0].content(), await rules[0].content()];
for (const {{ hook, event }} of JSON.parse(readFileSync("events.json"))) told.push([hook, await plugin.hooks[hook](event)]);
for (const hook of Object.values(plugin.hooks)) for (const odd of [undefined, {{}}, {{ snapshot: {{ messages: [null, {{}}] }} }}]) await hook(odd);
console.log(JSON.stringify(told));
"#,
            id(TOOLS)
        ),
    );
    let output = Command::new("node")
        .arg("run.mjs")
        .current_dir(desk.root())
        .env("HOME", desk.beside("home"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let handed = std::fs::read_to_string(desk.root().join("handed")).unwrap_or_default();
    let call = |line: &str| {
        let (words, json) = line.split_once('\t')?;
        Some((words.to_owned(), serde_json::from_str(json).unwrap()))
    };
    Some((
        handed.lines().filter_map(call).collect(),
        serde_json::from_slice(&output.stdout).unwrap(),
    ))
}

const TAKES: &str = r#"#!/bin/sh
printf '%s\t' "$*" >> handed
cat >> handed
echo >> handed
echo "{\"hookSpecificOutput\":{\"additionalContext\":\"TOLD $2\"}}"
"#;

#[test]
fn the_plugin_tells_the_model_and_hands_over_what_the_person_and_its_agent_said() {
    let mut desk = stores::desk("cline");
    let Some((handed, told)) = run_plugin(&desk, TAKES, HOOKS) else { return };
    let calls: Vec<&str> = handed.iter().map(|(words, _)| words.as_str()).collect();
    let expect = ["hook session-start", "hook prompt", "hook tool", "hook tool", "compact --stdin"];
    assert_eq!(calls, expect);
    assert_eq!((&told[0], &told[1]), (&json!("TOLD session-start"), &json!("TOLD session-start")));
    let told: Vec<&Value> =
        told.as_array().unwrap().iter().skip(2).filter(|it| !it[1].is_null()).collect();
    let context = |hook: &str, text: &str| json!([hook, {"appendContext": text}]);
    let file = context("afterTool", "TOLD tool");
    assert_eq!(told, [&context("beforeRun", "TOLD prompt"), &file, &file]);
    for (_, payload) in &handed {
        assert_eq!(
            (&payload["platform"], &payload["session_id"]),
            (&json!("cline"), &json!(id(TOOLS)))
        );
    }
    assert!(handed[1].1["source"].is_null(), "{}", handed[1].1);
    let prompt = handed[1].1["prompt"].as_str().unwrap();
    assert!(prompt.starts_with("FIRST-PROMPT about zebras") && !prompt.contains('<'), "{prompt}");
    assert!(handed[2].1["tool_input"]["command"].as_str().unwrap().ends_with(" /p/gate.txt"));
    let sent = handed[4].1["messages"].to_string();
    let typed = sent.find("FIRST-PROMPT").unwrap();
    let behind = &sent[typed + sent[typed..].find("\"role\"").unwrap()..];
    for kept in ["count the reeds", "/new.txt", "MOCK-REPLY 9"] {
        assert!(behind.contains(kept), "{kept}: {sent}");
    }
    for left_out in ["WRITTEN-4711", "PRINTED-4711", "1 | tide", "MATE-PROMPT", "CHILD-PROMPT"] {
        assert!(!behind.contains(left_out), "{left_out}: {sent}");
    }
    // The same turns as `import` reads from the store.
    desk.stdin = Some(handed[4].1.to_string());
    let ran = desk.run("compact --stdin");
    assert_eq!((ran.code, &*ran.err), (0, ""));
    let by_plugin = logs(&desk);
    check_tools(&by_plugin);
    let imported = stores::desk("cline");
    lay(&imported, TOOLS, &imported.root());
    imported.ok("import --yes");
    let here = |desk: &Desk| logs(desk).replace(desk.root().to_str().unwrap(), "");
    assert_eq!(turns(&here(&imported)), turns(&here(&desk)));
    // What the store has by then is nothing new.
    lay(&desk, TOOLS, &desk.root());
    desk.stdin = Some(
        json!({"hook_event_name": "session.start", "platform": "cline", "cwd": desk.root()})
            .to_string(),
    );
    assert!(desk.run("hook session-start").out.contains("memory-index"), "no index");
    assert_eq!(logs(&desk), by_plugin);
}

/// Cline notes beside a session that it was shortened; the next prompt has to say so, and those after it not.
#[test]
fn the_first_prompt_after_a_compaction_asks_what_the_session_settled() {
    for (shortened, expect) in
        [(None, Value::Null), (Some(true), json!("compact")), (Some(false), Value::Null)]
    {
        let desk = stores::desk("cline");
        let mut run: Value = serde_json::from_str(HOOKS).unwrap();
        let first = run[0]["event"]["snapshot"]["messages"][0].clone();
        let before = first["createdAt"].as_u64().unwrap();
        run[0]["event"]["snapshot"]["messages"].as_array_mut().unwrap().push(first);
        let hooks = json!([run[0]]).to_string();
        if let Some(is_later) = shortened {
            let folder = desk.beside("home/.cline/data/sessions").join(id(TOOLS));
            let note = folder.join(format!("{}.compaction.json", id(TOOLS)));
            stores::write(&note, "{}");
            let at = if is_later { before + 1000 } else { before - 1000 };
            let at = std::time::UNIX_EPOCH + std::time::Duration::from_millis(at);
            std::fs::File::options().write(true).open(&note).unwrap().set_modified(at).unwrap();
        }
        let Some((handed, _)) = run_plugin(&desk, TAKES, &hooks) else { return };
        assert_eq!(handed[1].0, "hook prompt");
        assert_eq!(handed[1].1["source"], expect, "{shortened:?}");
    }
}

#[test]
fn the_plugin_leaves_out_a_session_that_a_clock_began() {
    let desk = stores::desk("cline");
    let folder = desk.beside("home/.cline/data/sessions").join(id(TOOLS));
    let about = json!({"metadata": {"sessionHistoryOrigin": {"mode": "automation"}}});
    stores::write(&folder.join(format!("{}.json", id(TOOLS))), &about.to_string());
    let Some((handed, _)) = run_plugin(&desk, TAKES, HOOKS) else { return };
    assert_eq!(handed.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["hook session-start"]);
}

#[test]
fn a_program_that_fails_or_hangs_keeps_cline_from_nothing() {
    for program in ["#!/bin/sh\nexit 3\n", "#!/bin/sh\nexec sleep 3\n"] {
        let desk = stores::desk("cline");
        let begun = std::time::Instant::now();
        // A prompt is enough.
        let mut hooks: Vec<Value> = serde_json::from_str(HOOKS).unwrap();
        hooks.truncate(1);
        let hooks = Value::from(hooks).to_string();
        let Some((_, told)) = run_plugin(&desk, program, &hooks) else { return };
        let nothing = |it: &Value| it[1].is_null();
        assert!(told.as_array().unwrap().iter().skip(2).all(nothing), "{told}");
        // One start, which Cline waits for, and a prompt, for which it waits less than three seconds.
        assert!(begun.elapsed().as_secs() < 3 + 3 + 3, "{:?}", begun.elapsed());
    }
}
