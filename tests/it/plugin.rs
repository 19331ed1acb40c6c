//! The plugin of OpenCode, run by node with a client that is made up.

use std::process::Command;

use crate::desk::Desk;

/// Runs the plugin; what it hands to the program comes back, one JSON object a line.
fn run(desk: &Desk, events: &str) -> String {
    run_so(desk, events, &str::to_owned)
}

/// The same with another script.
fn run_so(desk: &Desk, events: &str, script: &dyn Fn(&str) -> String) -> String {
    let change = script;
    let root = desk.root().to_string_lossy().into_owned();
    let handed = desk.root().join("handed.jsonl");
    let program = desk.root().join("take.sh");
    desk.write("take.sh", format!("#!/bin/sh\ncat >> '{0}'; echo >> '{0}'\n", handed.display()));
    Command::new("chmod").arg("+x").arg(&program).status().unwrap();
    let plugin = desk.read(".opencode/plugins/hipocampus.js");
    let start = plugin.find("const PROGRAM = ").unwrap();
    let end = start + plugin[start..].find('\n').unwrap();
    let line = format!("const PROGRAM = {:?};", program.to_string_lossy());
    desk.write("plugin.mjs", format!("{}{line}{}", &plugin[..start], &plugin[end..]));
    let script = format!(
        r#"
import {{ HipocampusPlugin }} from "./plugin.mjs";
const now = Date.now();
const root = {root:?};
const session = (id, more) => ({{ id, directory: root, title: "Title of " + id, time: {{ created: now, updated: now }}, ...more }});
const sessions = [
  session("ses_last", {{ time: {{ updated: now + 2000 }} }}), session("ses_first", {{ time: {{ updated: now + 1000 }} }}),
  session("ses_child", {{ parentID: "ses_last" }}), session("ses_elsewhere", {{ directory: "/" }}), session("ses_old", {{ time: {{ updated: 1 }} }}),
];
const parts = [
  {{ type: "text", text: "done" }}, {{ type: "reasoning", text: "SECRET THOUGHT" }},
  {{ type: "tool", tool: "edit", state: {{ input: {{ filePath: root + "/a.rs", newString: "LARGE" }}, output: "LARGE" }} }},
  {{ type: "tool", tool: "bash", state: {{ input: {{ command: "git commit -m 'x'" }}, output: "[main 1a2b3c4] x" }} }},
  {{ type: "tool", tool: "bash", state: {{ input: {{ command: "ls LARGE" }}, output: "LARGE" }} }},
  {{ type: "tool", tool: "question", state: {{ input: {{}}, output: "User has answered your questions" }} }},
];
const client = {{ session: {{
  list: async () => ({{ data: sessions }}),
  get: async ({{ path }}) => ({{ data: sessions.find(({{ id }}) => id === path.id) }}),
  messages: async ({{ path }}) => path.id === "ses_broken" ? Promise.reject(new Error("no answer")) : ({{ data: [{{ info: {{ id: "m", sessionID: path.id, role: "assistant" }}, parts }}] }}),
}} }};
const hooks = await HipocampusPlugin({{ client, directory: root }});
await new Promise((done) => setTimeout(done, 50));
{events}
await new Promise((done) => setTimeout(done, 1000));
"#
    );
    desk.write("run.mjs", change(&script));
    let output = Command::new("node").arg("run.mjs").current_dir(desk.root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(handed).unwrap_or_default()
}

#[test]
fn opencode_catches_up_at_its_start_and_hands_over_no_more_than_it_says() {
    if Command::new("node").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "node is not installed");
        return;
    }
    let desk = Desk::new();
    desk.ok("init --no-search --platform opencode");
    let handed = run(&desk, "");
    let objects: Vec<serde_json::Value> = handed
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ids: Vec<&str> =
        objects.iter().map(|object| object["session_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["ses_first", "ses_last"], "{handed}");
    assert_eq!(objects[0]["title"], "Title of ses_first");
    assert!(!handed.contains("LARGE") && !handed.contains("THOUGHT"), "{handed}");
    for kept in ["a.rs", "git commit -m 'x'", "[main 1a2b3c4] x", "User has answered"] {
        assert!(handed.contains(kept), "{kept}: {handed}");
    }
    let desk = Desk::new();
    desk.ok("init --no-search --platform opencode");
    let handed = run(
        &desk,
        "await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_old' } } });",
    );
    assert_eq!(handed.matches("\"ses_old\"").count(), 2, "{handed}");
}

/// The plugin of the main worktree saves what was said where it lies not, and that of a linked one what was missed
/// there.
#[test]
fn opencode_catches_up_on_linked_worktrees_and_in_them() {
    if Command::new("node").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "node is not installed");
        return;
    }
    let desk = Desk::new();
    desk.ok("init --no-search --platform opencode");
    let worktree = desk.beside("w");
    std::fs::create_dir_all(worktree.join("src")).unwrap();
    std::fs::create_dir_all(desk.root().join(".git/worktrees/w")).unwrap();
    let link = format!("gitdir: {}\n", desk.root().join(".git/worktrees/w").display());
    std::fs::write(worktree.join(".git"), link).unwrap();
    let there = format!("session(\"ses_elsewhere\", {{ directory: {:?}", worktree.join("src"));
    let handed = run_so(&desk, "", &|script| {
        script.replace("session(\"ses_elsewhere\", { directory: \"/\"", &there)
    });
    assert!(handed.contains("\"ses_elsewhere\""), "{handed}");
    // It stays there where the project wants that.
    let config = desk.read("hipocampus.config.json");
    desk.write("hipocampus.config.json", config.replacen('{', "{\"worktrees\": \"own\",", 1));
    std::fs::remove_file(desk.root().join("handed.jsonl")).unwrap();
    let handed = run_so(&desk, "", &|script| {
        script.replace("session(\"ses_elsewhere\", { directory: \"/\"", &there)
    });
    assert!(handed.contains("ses_last") && !handed.contains("\"ses_elsewhere\""), "{handed}");
    // In a linked worktree, where the plugin lies and the configuration does not.
    let desk = Desk::new();
    desk.ok("init --no-search --platform opencode");
    let handed = run_so(&desk, "", &|script| {
        std::fs::remove_file(desk.root().join("hipocampus.config.json")).unwrap();
        std::fs::create_dir_all(desk.root().join(".opencode/plugins")).unwrap();
        std::fs::rename(
            desk.root().join("plugin.mjs"),
            desk.root().join(".opencode/plugins/p.mjs"),
        )
        .unwrap();
        script.replace("./plugin.mjs", "./.opencode/plugins/p.mjs")
    });
    assert!(handed.contains("ses_first") && handed.contains("ses_last"), "{handed}");
}

#[test]
fn opencode_keeps_to_conversations_of_people_and_says_what_it_could_not_hand_over() {
    if Command::new("node").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "node is not installed");
        return;
    }
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform opencode");
    // Both began before this process did.
    let idle = |id: &str| {
        format!(
            "await hooks.event({{ event: {{ type: 'session.idle', properties: {{ sessionID: '{id}' }} }} }});"
        )
    };
    let handed = run(&desk, &(idle("ses_child") + &idle("ses_broken")));
    assert!(!handed.contains("\"ses_child\""), "{handed}");
    let broken = handed.lines().find(|line| line.contains("\"ses_broken\"")).unwrap();
    desk.stdin = Some(broken.to_owned());
    let told = desk.run("compact --stdin");
    let why = "not saved: OpenCode did not hand over what was said in the session `ses_broken`";
    assert_eq!((told.code, &*told.out), (0, ""));
    assert!(told.err.contains(why), "{}", told.err);
    assert!(desk.read("memory/.hipocampus.log").contains(why));
}
