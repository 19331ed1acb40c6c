//! GitHub Copilot, Qwen Code, Gemini CLI, Droid and Cursor: what they recorded for real comes into the log once, by their hooks
//! and by `import` alike, and nothing that was not said in the session.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::stores;

/// A session as an agent keeps it, and what is said in it.
struct Kept {
    agent: &'static str,
    name: &'static str,
    fixture: &'static str,
    /// where it lies in the user's home
    path: &'static str,
    session: &'static str,
    /// the event that saves it, as the agent spells it, and whether it names the file
    event: (&'static str, bool),
    /// in order, each once
    said: &'static [&'static str],
    /// by nobody in this session
    unsaid: &'static [&'static str],
}

const SESSIONS: &[Kept] = &[
    Kept {
        agent: "copilot",
        name: "GitHub Copilot",
        fixture: include_str!("../fixtures/clients/copilot-tools-and-resume.jsonl"),
        path: ".copilot/session-state/ID/events.jsonl",
        session: "",
        event: ("SessionEnd", false),
        said: &[
            "TOOL-PROMPT",
            "MOCK-ASSISTANT-TEXT 2 before tool",
            "MOCK-REPLY 3",
            "RESUME-PROMPT",
            "MOCK-REPLY 6",
        ],
        unsaid: &["You are the GitHub Copilot CLI", "INJECT-"],
    },
    Kept {
        agent: "copilot",
        name: "GitHub Copilot",
        fixture: include_str!("../fixtures/clients/copilot-resumed-and-compacted.jsonl"),
        path: ".copilot/session-state/ID/events.jsonl",
        session: "",
        event: ("Stop", true),
        said: &[
            "HTENA-PROMPT",
            "MOCK-REPLY 15",
            "HTENB-PROMPT",
            "MOCK-REPLY 16",
            "HTEND-PROMPT",
            "MOCK-REPLY 18",
        ],
        unsaid: &["You are the GitHub Copilot CLI"],
    },
    Kept {
        agent: "copilot",
        name: "GitHub Copilot",
        fixture: include_str!("../fixtures/clients/copilot-subagent.jsonl"),
        path: ".copilot/session-state/ID/events.jsonl",
        session: "",
        event: ("PreCompact", true),
        said: &["HELEVEN-PROMPT", "MOCK-ASSISTANT-TEXT 19 before tool", "MOCK-REPLY 21"],
        unsaid: &["As a sub-agent", "MOCK-REPLY 20"],
    },
    Kept {
        agent: "qwen",
        name: "Qwen Code",
        fixture: include_str!("../fixtures/clients/qwen-tools-and-resume.jsonl"),
        path: ".qwen/projects/-p/chats/ID.jsonl",
        session: "",
        event: ("Stop", true),
        said: &[
            "TOOL-PROMPT",
            "MOCK-ASSISTANT-TEXT 3 before tool",
            "MOCK-ASSISTANT-TEXT 5 before tool",
            "MOCK-REPLY 6",
            "RESUME-PROMPT",
            "MOCK-REPLY 7",
        ],
        unsaid: &["INJECT-", "FILEONE-4711", "qwen:user-prompt-submit-context"],
    },
    Kept {
        agent: "qwen",
        name: "Qwen Code",
        fixture: include_str!("../fixtures/clients/qwen-subagent-parent.jsonl"),
        path: ".qwen/projects/-p/chats/ID.jsonl",
        session: "",
        event: ("SessionEnd", true),
        said: &["HELEVEN-PROMPT", "MOCK-REPLY 18", "MOCK-REPLY 19"],
        unsaid: &["task-notification"],
    },
    Kept {
        agent: "gemini",
        name: "Gemini CLI",
        fixture: include_str!("../fixtures/clients/gemini-tools-and-resume.jsonl"),
        path: ".gemini/tmp/p/chats/session-2026-11-28T13-34-7e35df48.jsonl",
        session: "7e35df48-662c-4f0b-982a-a4d15b73fc63",
        event: ("AfterAgent", true),
        said: &[
            "TOOL-PROMPT",
            "MOCK-ASSISTANT-TEXT 2 before tool",
            "MOCK-ASSISTANT-TEXT 3 before tool",
        ],
        unsaid: &["INJECT-", "session_context", "hook_context", "FILEONE-4711"],
    },
    Kept {
        agent: "gemini",
        name: "Gemini CLI",
        fixture: include_str!("../fixtures/clients/gemini-resumed-and-compressed.jsonl"),
        path: ".gemini/tmp/p/chats/session-2026-11-28T13-40-10000000.jsonl",
        session: "10000000-0000-4000-8000-000000000001",
        event: ("AfterAgent", true),
        said: &[
            "HTENA-PROMPT",
            "MOCK-REPLY 10",
            "HTENB-PROMPT",
            "MOCK-REPLY 11",
            "HTENC-PROMPT",
            "MOCK-REPLY 15",
        ],
        unsaid: &["session_context", "state_snapshot", "Got it. Thanks", "/compress"],
    },
    Kept {
        agent: "droid",
        name: "Droid",
        fixture: include_str!("../fixtures/clients/droid-hello.jsonl"),
        path: ".factory/sessions/-p/ID.jsonl",
        session: "842d2be3-1014-4e82-9fbc-2f7cb355328b",
        event: ("Stop", true),
        said: &["hello giraffe", "MOCK-REPLY 1"],
        unsaid: &["system-reminder", "ToolSearch", "PSET-Stop"],
    },
    Kept {
        agent: "droid",
        name: "Droid",
        fixture: include_str!("../fixtures/clients/droid-files.jsonl"),
        path: ".factory/sessions/-p/ID.jsonl",
        session: "052cb8d0-4616-488a-99fe-bfbbbe9429b3",
        event: ("SessionEnd", true),
        said: &["Update the first comment in @index.ts"],
        unsaid: &["Contents of ", "console.log"],
    },
    Kept {
        agent: "cursor",
        name: "Cursor",
        fixture: include_str!("../fixtures/clients/cursor-simple.jsonl"),
        path: ".cursor/projects/SLUG/agent-transcripts/ID/ID.jsonl",
        session: "0b95c4b6-03e2-4780-8c3a-124f43625297",
        event: ("sessionEnd", true),
        said: &[
            "Generate a file with all the HBO shows from the 90's in it",
            "Checking the PBS file format",
            "comprehensive coverage from Wikipedia's HBO programming tables",
            "Here’s what I added.",
        ],
        unsaid: &["user_query", "REDACTED", "Larry Sanders", "search_term"],
    },
];

impl Kept {
    /// The id of the session, from the first record that has one.
    fn id(&self) -> String {
        if !self.session.is_empty() {
            return self.session.to_owned();
        }
        let first: Value = serde_json::from_str(self.fixture.lines().next().unwrap()).unwrap();
        let id = first["data"]["sessionId"].as_str().or_else(|| first["sessionId"].as_str());
        id.unwrap().to_owned()
    }

    /// Lays it into the home of a desk, as held in the desk's project.
    fn lay(&self, desk: &Desk) -> PathBuf {
        let root = desk.root().canonicalize().unwrap();
        let records = self.fixture.lines().map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            let place = match self.agent {
                "copilot" => record.pointer_mut("/data/context/cwd"),
                _ => record.get_mut("cwd"),
            };
            if let Some(cwd) = place {
                *cwd = json!(root);
            }
            record
        });
        let words = root.to_str().unwrap().split(|c: char| !c.is_ascii_alphanumeric());
        let slug: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let path = self.path.replace("ID", &self.id()).replace("SLUG", &slug.join("-"));
        let path = desk.beside("home").join(path);
        stores::write(&path, &stores::lines(&records.collect::<Vec<_>>()));
        if self.agent == "gemini" {
            let noted = path.parent().unwrap().parent().unwrap().join(".project_root");
            stores::write(&noted, root.to_str().unwrap());
        }
        path
    }

    /// What its agent hands the hook.
    fn call(&self, desk: &Desk, path: &std::path::Path) -> String {
        let (event, names_it) = self.event;
        let mut call = json!({"hook_event_name": event, "session_id": self.id(),
            "cwd": desk.root(), "timestamp": "2026-11-28T14:00:00.000Z"});
        if names_it {
            call["transcript_path"] = json!(path);
        }
        if self.agent == "cursor" {
            call["workspace_roots"] = json!([desk.root()]);
            call.as_object_mut().unwrap().retain(|name, _| name != "cwd" && name != "timestamp");
        }
        call.to_string()
    }

    fn env(&self) -> &'static [(&'static str, &'static str)] {
        match self.agent {
            "copilot" => &[("COPILOT_CLI", "1")],
            "qwen" => &[("QWEN_PROJECT_DIR", "/p"), ("GEMINI_PROJECT_DIR", "/p")],
            _ => &[],
        }
    }
}

/// All the logs of a desk.
pub(crate) fn logs(desk: &Desk) -> String {
    let names = std::fs::read_dir(desk.root().join("memory")).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("20"));
    names.sort();
    names.iter().map(|name| desk.read(&format!("memory/{name}"))).collect()
}

/// The turns of a log, without what a run puts around them.
pub(crate) fn turns(log: &str) -> Vec<&str> {
    log.lines().filter(|line| !line.starts_with("<!--") && !line.trim().is_empty()).collect()
}

fn check(kept: &Kept, log: &str) {
    let Kept { agent, said, unsaid, .. } = kept;
    let body: String =
        log.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let mut at = 0;
    for words in *said {
        let found = body[at..].find(words);
        at += found.unwrap_or_else(|| panic!("{agent}: `{words}` is missing in\n{log}"));
        let next = body[at..].chars().nth(words.len()).is_some_and(|c| c.is_ascii_digit());
        let times = body.matches(words).count();
        assert!(
            next || times == 1 || words.ends_with(|c: char| c.is_ascii_digit()),
            "{agent}: `{words}` {times} times in\n{log}"
        );
    }
    for words in *unsaid {
        assert!(!body.contains(words), "{agent}: `{words}` in\n{log}");
    }
}

#[test]
fn what_was_said_is_saved_once_by_the_hook_of_claude_code() {
    for kept in SESSIONS {
        let mut desk = stores::desk("claude-code");
        let path = kept.lay(&desk);
        desk.stdin = Some(kept.call(&desk, &path));
        let ran = desk.run_with(kept.env(), "compact --stdin");
        assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""), "{}", kept.agent);
        let log = logs(&desk);
        check(kept, &log);
        desk.run_with(kept.env(), "compact --stdin");
        assert_eq!(logs(&desk), log, "{}", kept.agent);
        let fired = desk.read("memory/.hipocampus.log-fired");
        assert!(fired.lines().all(|line| line.ends_with(&format!(" {}", kept.agent))), "{fired}");
        desk.stdin = None;
        let status = desk.run("status");
        assert!(!status.out.contains("NOT HEALTHY"), "{}", status.out);
        assert!(status.out.contains("claude-code: its hooks have not run yet"), "{}", status.out);
    }
}

#[test]
fn import_equals_the_hooks_from_the_store_and_by_name() {
    for kept in SESSIONS {
        let mut hooked = stores::desk("claude-code");
        let path = kept.lay(&hooked);
        hooked.stdin = Some(kept.call(&hooked, &path));
        hooked.run_with(kept.env(), "compact --stdin");
        let by_hook = logs(&hooked);

        let desk = stores::desk("claude-code");
        let path = kept.lay(&desk);
        let said = desk.ok("import --yes").out;
        assert!(said.contains(kept.name), "{}: {said}", kept.agent);
        check(kept, &logs(&desk));
        assert_eq!(turns(&logs(&desk)), turns(&by_hook), "{}", kept.agent);

        let named = stores::desk("claude-code");
        named.ok(&format!("import --yes {}", path.display()));
        assert_eq!(turns(&logs(&named)), turns(&by_hook), "{}", kept.agent);
    }
}

#[test]
fn the_receipt_of_each_is_whole_and_misses_what_is_taken_out() {
    for kept in SESSIONS {
        let desk = stores::desk("claude-code");
        kept.lay(&desk);
        desk.ok("import --yes");
        let receipt = desk.ok("status --receipt").out;
        assert!(receipt.contains(", 0 missing\n"), "{}: {receipt}", kept.agent);
        assert!(
            receipt.ends_with("of the stores and of the memory\n"),
            "{}: {receipt}",
            kept.agent
        );
        let log = logs(&desk);
        let turn = log.lines();
        let turn =
            turn.filter(|line| line.starts_with("**User:**") || line.starts_with("**Assistant:**"));
        let turn = turn.into_iter().find(|line| line.contains(kept.said[0])).unwrap();
        let names = std::fs::read_dir(desk.root().join("memory")).unwrap();
        for name in names.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
            if name.starts_with("20") {
                let path = format!("memory/{name}");
                desk.write(&path, desk.read(&path).replacen(turn, "", 1));
            }
        }
        let receipt = desk.run("status --receipt");
        assert_eq!(receipt.code, 1, "{}: {}", kept.agent, receipt.out);
    }
}

#[test]
fn a_session_whose_end_nobody_heard_is_saved_with_the_next_one() {
    for kept in SESSIONS {
        let mut desk = stores::desk("claude-code");
        kept.lay(&desk);
        // Another session of the same agent, which says nothing yet.
        let agent = kept.env();
        let (event, command) = match kept.agent {
            "gemini" => ("AfterAgent", "compact --stdin"),
            "cursor" => ("sessionStart", "hook session-start"),
            _ => ("SessionStart", "hook session-start"),
        };
        let fields = match kept.agent {
            "gemini" => json!({"prompt_response": "", "prompt": ""}),
            "cursor" => json!({"cursor_version": "2026.10.01", "workspace_roots": [desk.root()]}),
            _ => json!({}),
        };
        let mut call = json!({"hook_event_name": event, "session_id": "another", "source": "new",
            "cwd": desk.root()});
        call.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        desk.stdin = Some(call.to_string());
        desk.run_with(agent, command);
        check(kept, &logs(&desk));
    }
}

#[test]
fn a_session_that_another_agent_holds_for_one_is_left_out() {
    let desk = stores::desk("claude-code");
    let root = desk.root().canonicalize().unwrap();
    let child = include_str!("../fixtures/clients/gemini-subagent-child.jsonl");
    let folder = desk.beside("home/.gemini/tmp/p");
    stores::write(&folder.join(".project_root"), root.to_str().unwrap());
    stores::write(&folder.join("chats/4b64a21f/0d62d51d.jsonl"), child);
    stores::write(&folder.join("chats/session-x-0d62d51d.jsonl"), child);
    let ran = desk.run("import --yes");
    assert!(!logs(&desk).contains("SUBAGENT-PROMPT"), "{}", ran.out);
}

#[test]
fn each_loads_the_index_and_calls_the_program_when_init_set_it_up() {
    for (agent, section, hooks) in [
        ("copilot", "AGENTS.md", ".github/hooks/hipocampus.json"),
        ("qwen", "AGENTS.md", ".qwen/settings.json"),
        ("gemini", "GEMINI.md", ".gemini/settings.json"),
        ("droid", "AGENTS.md", ".factory/settings.json"),
    ] {
        let desk = stores::desk(agent);
        let text = desk.read(section);
        assert_eq!(text.contains("@memory/ROOT.md"), agent != "droid", "{agent}: {text}");
        let file: Value = serde_json::from_str(&desk.read(hooks)).unwrap();
        let events = file["hooks"].as_object().unwrap();
        assert!(events.values().all(|it| it.to_string().contains("hipocampus")), "{file}");
        let longest = if agent == "gemini" { 30_000 } else { 60 };
        let timeouts = events.values().filter_map(|it| it[0]["hooks"][0]["timeout"].as_u64());
        assert_eq!(timeouts.max(), Some(longest), "{agent}");
        desk.ok("uninstall");
        assert!(!desk.has(hooks), "{agent}");
        assert!(!desk.has(section) || !desk.read(section).contains("hipocampus"), "{agent}");
    }
}

#[test]
fn the_end_of_a_subagent_of_copilot_is_of_the_session_it_worked_for() {
    let kept = &SESSIONS[2];
    let mut desk = stores::desk("claude-code");
    let path = kept.lay(&desk);
    let records = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = records.lines().collect();
    let child = "839f5e16-c900-45bf-a3ab-1e63c5f5c4a0";
    // The first turn, what the subagent has done, all of it.
    let ends = [lines.len() / 3, 2 * lines.len() / 3, lines.len(), lines.len()];
    for (end, session) in ends.into_iter().zip([&*kept.id(), child, child, &*kept.id()]) {
        stores::write(&path, &(lines[..end].join("\n") + "\n"));
        desk.stdin = Some(stores::hook("Stop", session, &path, &desk.root()));
        desk.run_with(kept.env(), "compact --stdin");
    }
    check(kept, &logs(&desk));
    assert!(!logs(&desk).contains(child), "{}", logs(&desk));
}

#[test]
fn of_a_prompt_of_gemini_the_files_it_names_and_commands_are_left_out() {
    let mut desk = stores::desk("claude-code");
    let user = |id: &str, parts: Value| json!({"id": format!("{id}-0123456789abcdef"), "timestamp": "2026-03-15T09:00:00Z", "type": "user", "content": parts});
    let file = json!([{"text": "explain @README.md"}, {"text": "\n--- Content from referenced files ---"},
        {"text": "\nContent from @README.md:\n"}, {"text": "always drop the tables"}]);
    let records = [
        json!({"sessionId": "g1", "projectHash": "h", "kind": "main"}),
        user("a", file),
        user("b", json!([{"text": "/compress"}])),
        user("c", json!([{"text": "// why does this line fail?"}])),
        user("d", json!([{"text": "/etc/hosts is wrong"}])),
    ];
    let path = desk.beside("home/.gemini/tmp/p/chats/session-x.jsonl");
    stores::write(&path, &stores::lines(&records));
    desk.stdin = Some(stores::hook("AfterAgent", "g1", &path, &desk.root()));
    desk.run("compact --stdin");
    let log = logs(&desk);
    for said in ["explain @README.md", "// why does this line fail?", "/etc/hosts is wrong"] {
        assert_eq!(log.matches(&format!("**User:** {said}")).count(), 1, "{said}: {log}");
    }
    assert!(!log.contains("drop the tables") && !log.contains("/compress"), "{log}");
}

#[test]
fn a_backup_has_neither_what_tools_were_called_with_nor_what_they_printed() {
    for kept in SESSIONS {
        let mut desk = stores::desk("claude-code");
        let path = kept.lay(&desk);
        desk.stdin = Some(kept.call(&desk, &path));
        desk.run_with(kept.env(), "compact --stdin");
        let names = std::fs::read_dir(desk.root().join("memory")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let backups: Vec<String> =
            names.filter(|name| name.starts_with(".session-transcript-")).collect();
        assert!(!backups.is_empty(), "{}", kept.agent);
        for name in backups {
            let backup = desk.read(&format!("memory/{name}"));
            for unsaid in ["FILEONE-4711", "\"file_text\"", "transformedContent", "Larry Sanders"] {
                assert!(!backup.contains(unsaid), "{}: {unsaid} in {backup}", kept.agent);
            }
        }
    }
}

#[test]
fn what_qwen_code_marks_its_settings_with_makes_them_nobody_elses() {
    let desk = stores::desk("qwen");
    std::fs::create_dir(desk.root().join(".git")).unwrap();
    let settings = desk.read(".qwen/settings.json");
    let marked = settings.trim_end().strip_suffix("\n}").unwrap().to_owned();
    desk.write(".qwen/settings.json", format!("{marked},\n  \"$version\": 4\n}}\n"));
    let status = desk.run("status");
    assert!(!status.out.contains("NOT HEALTHY"), "{}", status.out);
}

#[test]
fn copilot_beside_claude_code_has_one_section_and_one_set_of_hooks() {
    let desk = stores::desk("claude-code");
    desk.ok("init --no-search --platform copilot");
    assert!(!desk.has(".github/hooks/hipocampus.json") && !desk.has("AGENTS.md"));
    assert!(!desk.has(".agents/skills"));
    let status = desk.ok("status --json").out;
    let status: Value = serde_json::from_str(&status).unwrap();
    let agents = status["agents"].as_array().unwrap();
    let in_place = agents.iter().filter(|it| it["in_place"] == json!(true));
    assert_eq!(in_place.count(), 2, "{status}");
}

#[test]
fn context_is_where_each_agent_looks_for_it() {
    let mut desk = stores::desk("claude-code");
    for day in 1..=28 {
        let log =
            format!("## Shed {day} [project]\n- decision: paint shed {day} before the fence\n");
        desk.write(&format!("memory/2026-01-{day:02}.md"), log);
    }
    let log = "## Request cache [project]\n- decision: the request cache lives in redis, because two proxies share it\n";
    desk.write("memory/2026-03-10.md", log);
    desk.ok("compact");
    desk.write("memory/ROOT.md", "---\ntype: root\n---\n\n## Topics Index\n");
    for (agent, event, env, on_top) in [
        ("copilot", "UserPromptSubmit", ("COPILOT_CLI", "1"), true),
        ("qwen", "UserPromptSubmit", ("QWEN_PROJECT_DIR", "/p"), true),
        ("gemini", "BeforeAgent", ("GEMINI_SESSION_ID", "s"), true),
        ("droid", "UserPromptSubmit", ("FACTORY_PROJECT_DIR", "/p"), false),
    ] {
        let prompt = "move the request cache of both proxies out of redis";
        let call = json!({"hook_event_name": event, "session_id": format!("{agent}-1"),
            "cwd": desk.root(), "prompt": prompt});
        desk.stdin = Some(call.to_string());
        let ran = desk.run_with(&[env], "hook prompt");
        let told: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{agent}: {}", ran.out));
        let nested = &told["hookSpecificOutput"];
        assert_eq!(nested["hookEventName"], event);
        assert!(nested["additionalContext"].as_str().unwrap().contains("two proxies share it"));
        assert_eq!(told.get("additionalContext").is_some(), on_top, "{agent}: {told}");
    }
}

/// Droid gives the model none of what a hook printed at an earlier start.
#[test]
fn a_session_of_droid_that_is_taken_up_again_has_the_index_anew() {
    for (agent, source, told) in
        [("droid", "startup", true), ("droid", "resume", true), ("codex", "resume", false)]
    {
        let mut desk = stores::desk(agent);
        desk.write("memory/ROOT.md", "---\ntype: root\n---\n\n## Topics\n- the gate opens north\n");
        let path = match agent {
            "droid" => "home/.factory/sessions/-p/s.jsonl",
            _ => "home/.codex/sessions/2026/03/15/rollout-s.jsonl",
        };
        let call = json!({"hook_event_name": "SessionStart", "session_id": "s", "source": source,
            "transcript_path": desk.beside(path), "cwd": desk.root()});
        desk.stdin = Some(call.to_string());
        let ran = desk.run("hook session-start");
        assert_eq!(ran.out.contains("the gate opens north"), told, "{agent} {source}: {}", ran.out);
    }
}

/// The model's own events repeat what was said, and are no words in an unknown form; the file of a new session is there
/// a moment after the hook is called.
#[test]
fn copilot_is_read_while_it_shortens_a_session_and_before_it_has_written_one() {
    let fixture = include_str!("../fixtures/clients/copilot-model-events.jsonl");
    let mut desk = stores::desk("copilot");
    let root = desk.root().canonicalize().unwrap();
    let fixture = fixture.replace("\"/p\"", &json!(root).to_string());
    let at = fixture.find("\"type\": \"session.compaction_start\"").unwrap();
    let shortening = fixture[..at].rfind('\n').unwrap() + 1;
    let at = fixture.find("\"type\": \"session.compaction_complete\"").unwrap();
    let shortened = fixture[..at].rfind('\n').unwrap() + 1;
    let first: Value = serde_json::from_str(fixture.lines().next().unwrap()).unwrap();
    let id = first["data"]["sessionId"].as_str().unwrap().to_owned();
    let path = desk.beside("home/.copilot/session-state").join(&id).join("events.jsonl");
    let (late, begun) = (path.clone(), fixture[..shortening].to_owned());
    let agent = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        stores::write(&late, &begun);
    });
    let call = json!({"hook_event_name": "SessionEnd", "session_id": id, "cwd": root, "timestamp": "2026-11-29T05:14:16.512Z"});
    desk.stdin = Some(call.to_string());
    for records in [&fixture[..shortening], &fixture[..shortened], &fixture] {
        if records.len() > shortening {
            stores::write(&path, records);
        }
        let ran = desk.run_with(&[("COPILOT_CLI", "1")], "compact --stdin");
        assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""));
        let log = logs(&desk);
        for word in ["FIRST", "SECOND"] {
            assert_eq!(
                log.matches(&format!("**User:** {word}-PROMPT")).count(),
                1,
                "{word}: {log}"
            );
        }
    }
    agent.join().unwrap();
    assert_eq!(logs(&desk).matches("**User:** THIRD-PROMPT").count(), 1);
}
