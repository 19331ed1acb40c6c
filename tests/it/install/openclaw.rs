//! OpenClaw's hook, run by node: a session gets the memory of its own workspace.

use std::process::Command;

use serde_json::Value;

use crate::desk::Desk;

/// Notes down where it compacts, and says what there is to say at the start of a session.
const PROGRAM: &str = "#!/bin/sh\n[ \"$1\" = compact ] && pwd >> \"$RUNS\"\n[ \"$1 $2\" = 'hook session-start' ] && echo \"$SAID\" && echo x >> \"$RUNS.starts\"\ntrue\n";

/// What the hook adds to a session's context, by the agent's workspace; and in which folders it ran `compact`.
fn run(desk: &Desk, events: &Value, said: &str) -> Option<Value> {
    if Command::new("node").arg("--version").output().is_err() {
        return None;
    }
    let hook = desk.root().join("hooks/hipocampus-compact");
    // As a module: `.js` alone would be judged by the nearest package.json.
    std::fs::copy(hook.join("handler.js"), hook.join("handler.mjs")).unwrap();
    let script = format!(
        "import handler from {:?};
         const added = [];
         for (const event of {events}) {{
             event.context.bootstrapFiles = event.type === 'agent' ? [] : undefined;
             await handler(event);
             added.push((event.context.bootstrapFiles ?? []).map(({{ path }}) => path));
         }}
         console.log(JSON.stringify(added));",
        hook.join("handler.mjs").display()
    );
    let main = desk.beside("main.mjs");
    std::fs::write(&main, script).unwrap();
    let ran = Command::new("node")
        .arg(main)
        .env("RUNS", desk.beside("runs"))
        .env("SAID", said)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

/// A project of OpenClaw's, with [`PROGRAM`] as the one that its plugin calls.
fn set_up() -> Desk {
    use std::os::unix::fs::PermissionsExt as _;
    let mut desk = Desk::new();
    desk.exe = desk.beside("hipocampus");
    std::fs::write(&desk.exe, PROGRAM).unwrap();
    std::fs::set_permissions(&desk.exe, std::fs::Permissions::from_mode(0o755)).unwrap();
    desk.ok("init --no-search --platform openclaw");
    desk
}

#[test]
fn each_request_of_a_session_has_what_its_start_says() {
    let desk = set_up();
    let root = desk.root().canonicalize().unwrap();
    let start = |key: &str| serde_json::json!({"type": "agent", "action": "bootstrap", "sessionKey": key, "context": {"workspaceDir": root}});
    let new =
        serde_json::json!({"type": "command", "action": "new", "sessionKey": "a", "context": {}});
    let events = serde_json::json!([start("a"), start("a"), start("b"), new, start("a")]);
    let said = r#"{"hookSpecificOutput":{"additionalContext":"hipocampus: a summary is due"}}"#;
    let Some(added) = run(&desk, &events, said) else { return };
    let told = root.join("memory/HIPOCAMPUS.md");
    let hears = |at: usize| added[at].as_array().unwrap().contains(&serde_json::json!(told));
    assert_eq!([hears(0), hears(1), hears(2)], [true, true, true]);
    // Asked once a session.
    let starts = std::fs::read_to_string(desk.beside("runs.starts")).unwrap();
    assert_eq!(starts.lines().count(), 3);
}

#[test]
fn an_agent_sees_no_other_agents_files() {
    let desk = set_up();
    let root = desk.root().canonicalize().unwrap();
    let (own, bare) = (desk.beside("own"), root.join("eve"));
    for folder in [&own, &bare] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::write(own.join("hipocampus.config.json"), "{}").unwrap();
    std::fs::write(own.join("WORKING.md"), "own").unwrap();
    let start = |key: &str, folder: &std::path::Path| serde_json::json!({"type": "agent", "action": "bootstrap", "sessionKey": key, "context": {"workspaceDir": folder}});
    let before = |key: &str| serde_json::json!({"type": "session", "action": "compact:before", "sessionKey": key, "context": {}});
    let nowhere = serde_json::json!({"type": "agent", "action": "bootstrap", "sessionKey": "n", "context": {}});
    let events = serde_json::json!([
        start("main", &root),
        start("eve", &bare),
        start("own", &own),
        nowhere,
        before("eve"),
        before("own"),
        before("main"),
        before("n"),
        before("never seen"),
    ]);
    let Some(added) = run(&desk, &events, "") else { return };
    let hot = ["SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"].map(|name| root.join(name));
    assert_eq!(added[0], serde_json::json!(hot));
    assert_eq!(
        added[1],
        serde_json::json!([]),
        "eve's workspace has no memory, and main's is not hers"
    );
    assert_eq!(added[2], serde_json::json!([own.join("WORKING.md")]));
    assert_eq!(added[3], serde_json::json!([]));
    let runs = std::fs::read_to_string(desk.beside("runs")).unwrap();
    let runs: Vec<_> = runs.lines().collect();
    let expect = [&own, &root, &root].map(|folder| folder.canonicalize().unwrap());
    assert_eq!(runs, expect.each_ref().map(|folder| folder.to_str().unwrap()));
}

#[test]
fn init_says_what_another_agent_needs() {
    let desk = Desk::new();
    let said = desk.ok("init --no-search --platform openclaw").out;
    let line = format!(
        "another agent has a folder of its own ({}/ID",
        desk.root().canonicalize().unwrap().display()
    );
    assert!(said.contains(&line), "{said}");
}
