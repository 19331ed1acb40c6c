//! `import`: every past session once, as the hooks would have written it, whatever is in the way.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use hipocampus::Exit;
use serde_json::{Value, json};

use crate::desk::is_root;
use crate::support::{Project, Run, assert_same, has_strace, required};

const TODAY: &str = "2026-08-20";

/// A record of Claude Code's.
fn record(session: &str, cwd: &Path, time: &str, role: &str, words: &str) -> String {
    let id = format!("{session}-{time}-{role}-aaaaaaaaaaaaaaaa");
    let content =
        if role == "user" { json!(words) } else { json!([{"type": "text", "text": words}]) };
    let record = json!({
        "type": role, "sessionId": session, "uuid": id, "timestamp": time, "cwd": cwd,
        "message": {"role": role, "id": id, "content": content},
    });
    format!("{record}\n")
}

fn slug(path: &Path) -> String {
    path.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

/// A project and a home with the stores of clients.
struct Desk {
    project: Project,
    home: Project,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { project: Project::new(), home: Project::new() };
        desk.project.write("hipocampus.config.json", r#"{"summaries":{"since":"2026-08-20"}}"#);
        desk
    }

    fn root(&self) -> std::path::PathBuf {
        self.project.root().canonicalize().unwrap()
    }

    /// Where Claude Code keeps a session that was held in a folder.
    fn claude(cwd: &Path, session: &str) -> String {
        format!(".claude/projects/{}/{session}.jsonl", slug(cwd))
    }

    /// A session of Claude Code's with a question and an answer at each of these times.
    fn session(&self, id: &str, cwd: &Path, times: &[&str]) {
        let said: String = times
            .iter()
            .map(|time| {
                let later = time.replace(":00:", ":05:");
                record(id, cwd, time, "user", &format!("{id} asks about the budget at {time}"))
                    + &record(id, cwd, &later, "assistant", &format!("{id} answers at {time}"))
            })
            .collect();
        self.home.write(&Self::claude(cwd, id), said);
    }

    fn run<const N: usize>(&self, args: [&str; N]) -> Run {
        let home = self.home.root().to_path_buf();
        self.project.run(args).today(TODAY).env("HOME", home)
    }

    /// A run of the program itself.
    fn command<const N: usize>(&self, args: [&str; N]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hipocampus"));
        command.args(args).current_dir(self.project.root()).env_clear();
        command.env("HOME", self.home.root()).env("HIPOCAMPUS_NOW", "2026-08-20T12:00:00+02:00");
        command
    }

    /// A run of the program itself, which has to succeed: what it printed.
    fn program<const N: usize>(&self, args: [&str; N]) -> String {
        let run = self.command(args).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    }

    /// A run that has to succeed: what it printed.
    fn ok<const N: usize>(&self, args: [&str; N]) -> String {
        let output = self.run(args).output();
        assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{}", output.out);
        output.out
    }

    fn import(&self) -> String {
        self.ok(["import", "--yes"])
    }

    fn log(&self, day: &str) -> String {
        self.project.text(&format!("memory/{day}.md"))
    }

    fn python(&self, folder: &str, script: &str) {
        fs::create_dir_all(self.home.path(folder)).unwrap();
        let run = Command::new("python3")
            .current_dir(self.home.path(folder))
            .args(["-c", &format!("import sqlite3, json, os, sys\n{script}\nos._exit(0)")])
            .output()
            .unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn every_turn_enters_once_in_order_of_time() {
    let desk = Desk::new();
    let root = desk.root();
    // Sessions of two sessions alternate; a third one lies in a folder below.
    desk.session("a", &root, &["2026-03-02T09:00:00Z", "2026-03-03T09:00:00Z"]);
    desk.session("b", &root, &["2026-03-02T12:00:00Z", "2026-03-03T07:00:00Z"]);
    fs::create_dir(root.join("sub")).unwrap();
    desk.session("c", &root.join("sub"), &["2026-03-03T08:00:00Z"]);
    desk.session("elsewhere", Path::new("/elsewhere"), &["2026-03-03T08:00:00Z"]);
    let said = desk.import();
    assert!(said.contains("Claude Code"), "{said}");
    assert!(said.contains("hipocampus import: 10 turns of 3 sessions on 2 days"), "{said}");
    let headings = |day: &str| -> Vec<String> {
        let log = desk.log(day);
        let headings = log.lines().filter_map(|line| line.strip_prefix("## Session — "));
        headings.map(|line| line[..19].to_owned()).collect()
    };
    assert_eq!(headings("2026-03-02"), ["2026-03-02 11:00:00", "2026-03-02 14:00:00"]);
    assert_eq!(
        headings("2026-03-03"),
        ["2026-03-03 09:00:00", "2026-03-03 10:00:00", "2026-03-03 11:00:00"]
    );
    let before = desk.project.tree();
    let said = desk.import();
    assert!(said.contains("hipocampus import: nothing new in 3 sessions"), "{said}");
    assert!(said.contains("hipocampus compact: nothing to do"), "{said}");
    assert_same(&before, &desk.project.tree());
    // A session that goes on is no past one: its hook finds where it was left.
    let line = record("b", &root, "2026-03-03T07:30:00Z", "user", "and one thing more");
    desk.home.append(&Desk::claude(&root, "b"), line);
    assert!(desk.import().contains("hipocampus import: 1 turn of 1 session on 1 day"));
}

#[test]
fn turns_are_those_that_hooks_would_have_written() {
    let turns = |desk: &Desk| {
        let logs =
            desk.project.tree().into_iter().filter(|(name, _)| name.strip_suffix(".md").is_some());
        let logs = logs.filter(|(name, _)| !name.contains('/') && name != "ROOT.md");
        let said = |text: &[u8]| {
            let text = String::from_utf8_lossy(text).into_owned();
            text.lines()
                .filter(|line| line.starts_with("**"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        logs.map(|(name, text)| (name, said(&text))).collect::<Vec<_>>()
    };
    let lay = || {
        let desk = Desk::new();
        let root = desk.root();
        for (n, id) in ["x", "y", "z"].iter().enumerate() {
            let times: Vec<String> =
                (0..3).map(|day| format!("2026-04-{:02}T0{}:00:00Z", 4 + day * 3, n + 6)).collect();
            desk.session(id, &root, &times.iter().map(String::as_str).collect::<Vec<_>>());
        }
        desk
    };
    let (imported, hooked) = (lay(), lay());
    imported.import();
    let root = hooked.root();
    for id in ["x", "y", "z"] {
        let path = hooked.home.path(&Desk::claude(&root, id));
        let run = hooked.run(["compact"]).env("TRANSCRIPT_PATH", path).output();
        assert_eq!(run.exit, Exit::Done, "{}", run.err);
    }
    let said = |desk: &Desk| {
        let mut turns = turns(desk);
        for (_, turns) in &mut turns {
            turns.retain(|turn| !turn.starts_with("**Title"));
        }
        turns
    };
    let expect: Vec<(String, Vec<String>)> = said(&hooked);
    assert_eq!(said(&imported).len(), 3);
    assert_eq!(said(&imported), expect);
}

#[test]
fn old_days_are_settled_and_never_wait_for_a_summary() {
    let desk = Desk::new();
    let root = desk.root();
    let said: String = (0..300)
        .map(|n| {
            let time = format!("2026-03-02T{:02}:{:02}:00Z", 6 + n / 60, n % 60);
            record("long", &root, &time, "user", &format!("point {n} of the long list"))
        })
        .collect();
    desk.home.write(&Desk::claude(&root, "long"), said);
    let import = desk.run(["import", "--yes"]).output();
    assert_eq!(import.exit, Exit::Done, "{}", import.err);
    // They are offered, not due.
    assert!(import.err.starts_with("note: 1 day has no summary yet: about "), "{}", import.err);
    assert_eq!(desk.project.status("memory/daily/2026-03-02.md"), "fixed");
    let due = desk.run(["status", "--due"]).output();
    assert!(due.out.starts_with("not due: "), "{}", due.out);
    // All of it went through the rules of today.
    let status = desk.run(["status"]).output().out;
    assert!(!status.contains("scrub"), "{status}");
}

#[test]
fn nobody_to_ask_and_a_dry_run_change_nothing() {
    let desk = Desk::new();
    desk.session("a", &desk.root(), &["2026-03-02T09:00:00Z", "2026-05-02T09:00:00Z"]);
    desk.session("b", &desk.root(), &["2026-03-04T09:00:00Z"]);
    let before = desk.project.tree();
    let list = |out: String| out.replace("1 kB", "2 kB");
    let expect = "agent        sessions  turns  size  from        to          here already\n\
                Claude Code         2      6  2 kB  2026-03-02  2026-05-02  0 turns\n";
    let dry = desk.run(["import", "--dry-run"]).output();
    assert_eq!((dry.exit, list(dry.out).as_str(), &*dry.err), (Exit::Done, expect, ""));
    let asked = desk.run(["import"]).output();
    assert_eq!((asked.exit, list(asked.out).as_str()), (Exit::Usage, expect));
    assert_eq!(
        asked.err,
        "error: nobody is there to say whether 6 turns shall be imported\n\
         hint: add `--yes` to import them, or `--dry-run` to see the list alone; nothing was changed\n"
    );
    assert_same(&before, &desk.project.tree());
    let json = desk.run(["import", "--json"]).output();
    let mut read: Value = serde_json::from_str(&json.out).unwrap();
    assert!(read["agents"][0]["bytes"].take().as_u64().unwrap() > 1000);
    assert_eq!(
        read,
        json!({"passed_over": [], "agents": [{"agent": "Claude Code", "sessions": 2, "turns": 6, "bytes": null,
            "first": "2026-03-02", "last": "2026-05-02", "here": 0, "forgotten": 0, "without_words": 0}]})
    );
    assert_same(&before, &desk.project.tree());
    let late = desk.run(["import", "--dry-run", "--since", "2026-04-01"]).output();
    assert!(late.out.contains("Claude Code         1      4"), "{}", late.out);
    let none = "no past sessions of this project\n";
    desk.run(["import", "--dry-run", "--agent", "codex"]).gives(Exit::Done, none, "");
    desk.run(["import", "--since", "soon"]).gives(
        Exit::Usage,
        "",
        "error: `soon` is no date\nhint: write it like `2026-03-15`\n",
    );
}

#[test]
fn sessions_of_a_folder_that_the_project_had_are_its_own() {
    let desk = Desk::new();
    desk.session("old", Path::new("/gone/place"), &["2026-03-02T09:00:00Z"]);
    desk.session("other", Path::new("/gone/place-too"), &["2026-03-02T10:00:00Z"]);
    // Moved by hand into the folder of the project as it is called now.
    let moved =
        record("moved", Path::new("/gone/place"), "2026-03-02T11:00:00Z", "user", "moved words");
    desk.home.write(&Desk::claude(&desk.root(), "moved"), moved);
    let said = desk.run(["import", "--yes", "--from", "/gone/place"]).output();
    assert_eq!((said.exit, &*said.err), (Exit::Done, ""));
    let log = desk.log("2026-03-02");
    assert!(log.contains("old asks") && log.contains("moved words"), "{log}");
    assert!(!log.contains("other asks"), "{log}");
}

#[test]
fn what_cannot_be_read_is_named_and_nothing_else_stops() {
    let desk = Desk::new();
    let root = desk.root();
    desk.session("good", &root, &["2026-03-02T09:00:00Z"]);
    let outside = desk.home.path("outside.jsonl");
    fs::write(&outside, record("secret", &root, "2026-03-02T09:00:00Z", "user", "outside words"))
        .unwrap();
    symlink(&outside, desk.home.path(&Desk::claude(&root, "link"))).unwrap();
    let cut = record("cut", &root, "2026-03-02T10:00:00Z", "user", "whole words")
        + &record("cut", &root, "2026-03-02T10:01:00Z", "user", "cut words")[..80];
    desk.home.write(&Desk::claude(&root, "cut"), cut);
    desk.home.write(&Desk::claude(&root, "newer"), "{\"v\":9,\"turn\":{\"by\":1}}\n");
    desk.home.write(&Desk::claude(&root, "noise"), b"\0\0\0\xff\n".repeat(3));
    fs::create_dir(desk.home.path(&Desk::claude(&root, "folder"))).unwrap();
    desk.home.write(".local/share/opencode/opencode.db", "no database, but long enough".repeat(9));
    let codex = desk.home.path(".codex");
    fs::create_dir(&codex).unwrap();
    symlink(desk.home.path("outside"), codex.join("sessions")).unwrap();
    // As if it had been left alone for an hour.
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600 * 24 * 400);
    let file =
        fs::File::options().write(true).open(desk.home.path(&Desk::claude(&root, "cut"))).unwrap();
    file.set_modified(old).unwrap();
    let output = desk.run(["import", "--yes"]).output();
    assert_eq!(output.exit, Exit::Problem, "{}", output.err);
    for (name, why) in [
        ("link.jsonl", "it is a link"),
        ("cut.jsonl", "it is cut"),
        ("newer.jsonl", "it is of a format that this version does not know"),
        ("noise.jsonl", "3 lines of it are no records"),
        ("opencode.db", "it is no SQLite database"),
        (".codex/sessions", "it is a link"),
    ] {
        let named = output.err.lines().any(|line| line.contains(name) && line.contains(why));
        assert!(named, "{name}: {why}\n{}", output.err);
    }
    assert!(output.err.lines().all(|line| line.starts_with("error: ")), "{}", output.err);
    let log = desk.log("2026-03-02");
    assert!(log.contains("good asks") && log.contains("whole words"), "{log}");
    assert!(!log.contains("outside words") && !log.contains("cut words"), "{log}");
}

/// Makes a file somebody else's, readable as it was. Only root may.
fn give_away(path: &Path) -> bool {
    const NOBODY: u32 = 65534;
    if is_root() {
        std::os::unix::fs::chown(path, Some(NOBODY), None).unwrap();
        return true;
    }
    let chown = Command::new("sudo").args(["-n", "chown", &NOBODY.to_string()]).arg(path).output();
    chown.is_ok_and(|output| output.status.success())
}

#[test]
fn a_session_of_another_user_is_named_and_passed_over() {
    let desk = Desk::new();
    let root = desk.root();
    desk.session("mine", &root, &["2026-03-02T09:00:00Z"]);
    desk.session("theirs", &root, &["2026-03-02T10:00:00Z"]);
    let theirs = desk.home.path(&Desk::claude(&root, "theirs"));
    let named = desk.home.path("export.jsonl");
    fs::copy(&theirs, &named).unwrap();
    let given = [&theirs, &named].into_iter().all(|path| give_away(path));
    if !required(given, "root, or `sudo -n chown`, to give a file to another user") {
        return;
    }
    assert!(fs::read(&theirs).is_ok(), "it is not permissions that stop us");
    let refused = |output: &crate::support::Output, path: &Path| {
        assert_eq!(output.exit, Exit::Problem, "{}", output.err);
        let lines: Vec<&str> = output.err.lines().collect();
        assert_eq!(lines.len(), 1, "{}", output.err);
        assert!(lines[0].starts_with("error: "), "{}", output.err);
        assert!(lines[0].contains(path.to_str().unwrap()), "{}", output.err);
        assert!(lines[0].contains("it belongs to another user"), "{}", output.err);
    };
    refused(&desk.run(["import", "--yes"]).output(), &theirs);
    let log = desk.log("2026-03-02");
    assert!(log.contains("mine asks") && !log.contains("theirs asks"), "{log}");
    refused(&desk.run(["import", "--yes", named.to_str().unwrap()]).output(), &named);
    assert_eq!(desk.log("2026-03-02"), log);
}

#[test]
fn exported_transcripts_are_imported_and_are_no_second_session() {
    let desk = Desk::new();
    desk.session("s1", &desk.root(), &["2026-03-02T09:00:00Z"]);
    desk.import();
    let before = desk.log("2026-03-02");
    let exported = "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# 2026-03-02 09:00:00Z\n\n\
        <!-- Claude Code Session s1 (2026-03-02 09:00:00Z) -->\n\n\
        _**User (2026-03-02 09:00:00Z)**_\n\ns1 asks about the budget at 2026-03-02T09:00:00Z\n\n---\n\n\
        _**Agent (model 2026-03-02 09:05:00Z)**_\n\ns1 answers at 2026-03-02T09:00:00Z\n";
    let other = exported.replace("s1", "s2").replace("2026-03-02", "2026-03-05");
    desk.project.write("exports/one.md", exported);
    desk.project.write("exports/deep/er/two.md", other);
    desk.project.write("exports/README.md", "# no export\n");
    let elsewhere = Path::new("/somebody/else");
    let line = record("s3", elsewhere, "2026-03-06T09:00:00Z", "user", "from another machine");
    desk.project.write("exports/three.jsonl", line);
    symlink(desk.project.root(), desk.project.path("exports/round")).unwrap();
    for times in 0..2 {
        let output = desk.run(["import", "--yes", "exports"]).output();
        assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{times}: {}", output.out);
        assert_eq!(desk.log("2026-03-02"), before, "{times}");
        assert_eq!(desk.log("2026-03-05").matches("**User:** s2 asks").count(), 1, "{times}");
        assert_eq!(desk.log("2026-03-06").matches("from another machine").count(), 1, "{times}");
    }
    let odd = desk.run(["import", "--yes", "exports/README.md", "nowhere"]).output();
    assert_eq!(odd.exit, Exit::Problem);
    assert!(odd.err.contains("README.md") && odd.err.contains("nowhere"), "{}", odd.err);
}

const OPENCODE: &str = r"
c = sqlite3.connect('opencode.db', isolation_level=None)
c.execute('pragma journal_mode=wal'); c.execute('pragma wal_autocheckpoint=0')
c.execute('create table session (id text primary key, parent_id text, directory text not null, title text not null, time_updated integer not null)')
c.execute('create table message (id text primary key, session_id text not null, time_created integer not null, data text not null)')
c.execute('create table part (id text primary key, message_id text not null, session_id text not null, data text not null)')
c.execute('create index m on message (session_id, time_created, id)')
c.execute('create index p on part (session_id)')
for session, parent, cwd in [('ses_1', None, ROOT), ('ses_child', 'ses_1', ROOT), ('ses_other', None, '/other')]:
    c.execute('insert into session values (?, ?, ?, ?, 1772442000000)', (session, parent, cwd, 'Budget cache'))
    for n, role in enumerate(['user', 'assistant', 'user', 'assistant']):
        id = 'msg_%s_%d_0123456789abcdef' % (session, n)
        time = 1772442000000 + n * 60000 + (n > 1) * 100000000
        c.execute('insert into message values (?, ?, ?, ?)', (id, session, time, json.dumps({'role': role, 'time': {'created': time, 'completed': time}})))
        c.execute('insert into part values (?, ?, ?, ?)', ('prt_b%d%s' % (n, session), id, session, json.dumps({'type': 'tool', 'tool': 'bash', 'state': {}})))
        c.execute('insert into part values (?, ?, ?, ?)', ('prt_a%d%s' % (n, session), id, session, json.dumps({'type': 'text', 'text': '%s says %d' % (session, n)})))
";

#[test]
fn databases_are_read_as_they_stand() {
    let desk = Desk::new();
    let root = desk.root();
    desk.python(".local/share/opencode", &OPENCODE.replace("ROOT", &format!("{root:?}")));
    let openclaw = r"
c = sqlite3.connect('openclaw-agent.sqlite', isolation_level=None)
c.execute('create table transcript_events (session_id text not null, seq integer not null, event_json text, created_at integer not null, event_zstd blob, primary key (session_id, seq))')
events = [{'type': 'session', 'version': 4, 'id': 'claw', 'cwd': ROOT}]
for n, role in enumerate(['user', 'assistant']):
    events.append({'type': 'message', 'id': 'm%d' % n, 'timestamp': '2026-03-04T09:0%d:00Z' % n, 'message': {'role': role, 'content': [{'type': 'text', 'text': 'claw says %d' % n}], 'timestamp': 1772614800000 + n * 60000}})
for n, event in enumerate(events): c.execute('insert into transcript_events values (?, ?, ?, ?, null)', ('claw', n, json.dumps(event), 1772614800000))
# A frame of zstd that holds one raw block.
packed = json.dumps({'type': 'message', 'id': 'm9', 'message': {'role': 'user', 'content': 'packed words', 'timestamp': 1772614980000}}).encode()
head = (len(packed) << 3 | 1).to_bytes(3, 'little')
frame = b'\x28\xb5\x2f\xfd' + b'\x60' + (len(packed) - 256).to_bytes(2, 'little') + head + packed if len(packed) >= 256 else b'\x28\xb5\x2f\xfd' + b'\x20' + bytes([len(packed)]) + head + packed
c.execute('insert into transcript_events values (?, ?, null, ?, ?)', ('claw', 3, 1772614980000, frame))
";
    desk.python(".openclaw/agents/main/agent", &openclaw.replace("ROOT", &format!("{root:?}")));
    let codex = r"
c = sqlite3.connect('state_5.sqlite', isolation_level=None)
c.execute('create table threads (id text primary key, rollout_path text, cwd text, source text, updated_at integer, name text)')
c.execute('insert into threads values (?, ?, ?, ?, ?, ?)', ('t1', '/gone', ROOT, 'cli', 1772701200, 'Named thread'))
c.execute('insert into threads values (?, ?, ?, ?, ?, ?)', ('t2', '/gone', ROOT, json.dumps({'subagent': 1}), 1772701200, None))
c = sqlite3.connect('thread_history_1.sqlite', isolation_level=None)
c.execute('create table thread_items (thread_id text, turn_id text, item_id text, rollout_ordinal integer, created_at_ms integer, item_json text, primary key (thread_id, turn_id, item_id))')
c.execute('create unique index i on thread_items (thread_id, rollout_ordinal)')
for thread in ['t1', 't2']:
    for n, item in enumerate([{'type': 'userMessage', 'id': 'u', 'content': [{'type': 'text', 'text': thread + ' asks'}]}, {'type': 'agentMessage', 'id': 'a', 'text': thread + ' answers'}]):
        c.execute('insert into thread_items values (?, ?, ?, ?, ?, ?)', (thread, 'x', item['id'], n, 1772701200000 + n * 1000, json.dumps(item)))
";
    desk.python(".codex", &codex.replace("ROOT", &format!("{root:?}")));
    let stores = || {
        let mut all: Vec<_> = walk(desk.home.root());
        all.retain(|(path, ..)| path.contains(".db") || path.contains(".sqlite"));
        all
    };
    let before = stores();
    for times in 0..2 {
        desk.import();
        let log = desk.log("2026-03-02");
        assert_eq!(log.matches("ses_1 says").count(), 2, "{times}: {log}");
        assert!(log.contains("— Budget cache") && log.contains("[tools: bash]"), "{log}");
        assert_eq!(desk.log("2026-03-03").matches("ses_1 says").count(), 2, "{times}");
        let log = desk.log("2026-03-04");
        assert_eq!(log.matches(":** claw says").count(), 2, "{times}: {log}");
        assert_eq!(log.matches("**User:** packed words").count(), 1, "{times}: {log}");
        let log = desk.log("2026-03-05");
        assert_eq!(log.matches("t1 asks").count() + log.matches("t1 answers").count(), 2);
        assert!(log.contains("— Named thread"), "{log}");
    }
    let all: String = desk
        .project
        .tree()
        .into_values()
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .collect();
    assert!(
        !all.contains("ses_child") && !all.contains("ses_other says") && !all.contains("t2 asks")
    );
    assert_eq!(stores(), before, "a store was touched");
}

/// A copy of a store that somebody made lies beside it, under a name that comes first.
#[test]
fn the_newer_copy_of_a_store_is_read() {
    let older = |with: &str| {
        OPENCODE.replace("opencode.db", with).replace("1772442000000)", "1772441000000)")
    };
    let short = |script: &str| {
        script.replace("['user', 'assistant', 'user', 'assistant']", "['user', 'assistant']")
    };
    for copy in [
        short(&older("opencode-backup.db")),
        short(&OPENCODE.replace("opencode.db", "opencode (1).db")),
    ] {
        let desk = Desk::new();
        let root = format!("{:?}", desk.root());
        for script in [OPENCODE.to_owned(), copy] {
            desk.python(".local/share/opencode", &script.replace("ROOT", &root));
        }
        desk.import();
        let said = desk.log("2026-03-02").matches("ses_1 says").count();
        assert_eq!(said + desk.log("2026-03-03").matches("ses_1 says").count(), 4);
    }
    // OpenClaw's transcripts of older versions stay where they were when a database takes over.
    let desk = Desk::new();
    let root = desk.root();
    let event = |n: usize| {
        json!({"type": "message", "id": format!("m{n}"), "message":
        {"role": if n == 0 { "user" } else { "assistant" }, "content": format!("claw says {n}"), "timestamp": 1_772_614_800_000_i64 + 60_000 * i64::try_from(n).unwrap()}})
    };
    let head = json!({"type": "session", "version": 3, "id": "claw", "cwd": root});
    desk.home.write(".openclaw/agents/main/sessions/claw.jsonl", format!("{head}\n{}\n", event(0)));
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let path = desk.home.path(".openclaw/agents/main/sessions/claw.jsonl");
    fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    let events: Vec<String> = [head, event(0), event(1)].iter().map(ToString::to_string).collect();
    desk.python(".openclaw/agents/main/agent", &format!(r"
c = sqlite3.connect('openclaw-agent.sqlite', isolation_level=None)
c.execute('create table transcript_events (session_id text not null, seq integer not null, event_json text, created_at integer not null, event_zstd blob, primary key (session_id, seq))')
for n, event in enumerate({events:?}): c.execute('insert into transcript_events values (?, ?, ?, ?, null)', ('claw', n, event, 1772614800000 + n))
"));
    desk.import();
    assert_eq!(
        desk.log("2026-03-04").matches(":** claw says").count(),
        2,
        "{}",
        desk.log("2026-03-04")
    );
}

#[test]
fn sessions_of_openclaw_that_a_clock_or_an_agent_began_are_left_out() {
    let desk = Desk::new();
    let root = desk.root();
    let openclaw = r"
c = sqlite3.connect('openclaw-agent.sqlite', isolation_level=None)
c.execute('create table session_windows (session_id text not null primary key, session_key text not null)')
c.execute('create table transcript_events (session_id text not null, seq integer not null, event_json text, created_at integer not null, event_zstd blob, primary key (session_id, seq))')
at = 1772614800000
for id, key in [('talk', 'agent:main:main'), ('tick', 'agent:main:cron:job-1:run:7'), ('child', 'agent:main:subagent:abc'), ('hooked', 'agent:main:hook:mail')]:
    c.execute('insert into session_windows values (?, ?)', (id, key))
    events = [{'type': 'session', 'version': 4, 'id': id, 'cwd': ROOT},
      {'type': 'message', 'id': 'm1', 'message': {'role': 'user', 'content': id + ' asks', 'timestamp': at}},
      {'type': 'message', 'id': 'm2', 'message': {'role': 'assistant', 'content': [{'type': 'text', 'text': id + ' answers'}], 'timestamp': at + 20000}}]
    for n, event in enumerate(events): c.execute('insert into transcript_events values (?, ?, ?, ?, null)', (id, n, json.dumps(event), at))
os.makedirs('../sessions')
index = {}
for id, key in [('old-talk', 'agent:main:main'), ('old-tick', 'agent:main:cron:job-2')]:
    index[key] = {'sessionId': id}
    lines = [{'type': 'session', 'version': 3, 'id': id, 'timestamp': '2026-03-04T09:00:00Z', 'cwd': ROOT},
      {'type': 'message', 'id': id + '1', 'timestamp': '2026-03-04T09:00:00Z', 'message': {'role': 'user', 'content': id + ' asks', 'timestamp': at}},
      {'type': 'message', 'id': id + '2', 'timestamp': '2026-03-04T09:00:20Z', 'message': {'role': 'assistant', 'content': [{'type': 'text', 'text': id + ' answers'}], 'timestamp': at + 20000}}]
    open('../sessions/%s.jsonl' % id, 'w').write(''.join(json.dumps(line) + chr(10) for line in lines))
json.dump(index, open('../sessions/sessions.json', 'w'))
";
    desk.python(".openclaw/agents/main/agent", &openclaw.replace("ROOT", &format!("{root:?}")));
    desk.import();
    let log = desk.log("2026-03-04");
    for (id, stands) in
        [("talk", 2), ("tick", 0), ("child", 0), ("hooked", 0), ("old-talk", 1), ("old-tick", 0)]
    {
        assert_eq!(log.matches(&format!("{id} asks")).count(), stands, "{id}: {log}");
    }
}

/// The hook hands over messages, and the store has them with other times, and more.
#[test]
fn what_was_forgotten_comes_in_from_no_store() {
    let desk = Desk::new();
    let root = desk.root();
    let openclaw = r"
c = sqlite3.connect('openclaw-agent.sqlite', isolation_level=None)
c.execute('create table transcript_events (session_id text not null, seq integer not null, event_json text, created_at integer not null, event_zstd blob, primary key (session_id, seq))')
at = 1772614800000
events = [{'type': 'session', 'version': 4, 'id': 'claw-one', 'cwd': ROOT},
  {'type': 'message', 'id': 'm1', 'message': {'role': 'user', 'content': 'claw asks', 'timestamp': at}},
  {'type': 'message', 'id': 'm2', 'message': {'role': 'assistant', 'content': [{'type': 'text', 'text': 'claw answers'}, {'type': 'toolCall', 'name': 'exec', 'arguments': {'command': 'ls'}}], 'timestamp': at + 20000}},
  {'type': 'compaction', 'id': 'c1', 'timestamp': '2026-03-04T09:10:00.000Z', 'summary': 'what the claw did'}]
for n, event in enumerate(events): c.execute('insert into transcript_events values (?, ?, ?, ?, null)', ('claw-one', n, json.dumps(event), at))
";
    desk.python(".openclaw/agents/main/agent", &openclaw.replace("ROOT", &format!("{root:?}")));
    let at = 1_772_614_800_000_i64;
    let messages = json!([
        {"role": "user", "content": [{"type": "text", "text": "claw asks"}], "timestamp": at + 10_000},
        {"role": "assistant", "content": [{"type": "text", "text": "claw answers"}, {"type": "toolCall", "name": "exec"}], "timestamp": at + 20_000}]);
    let hook = json!({"session_id": "claw-one", "hook_event_name": "agent_end", "platform": "openclaw",
        "cwd": root, "messages": messages});
    desk.run(["compact", "--stdin"]).stdin(hook.to_string()).output();
    assert!(desk.log("2026-03-04").contains("claw answers"));
    desk.ok(["forget", "claw-one", "--yes"]);
    let out = desk.import();
    assert!(out.contains("0 turns, 3 forgotten") && out.contains("nothing new"), "{out}");
    assert!(!desk.project.has("memory/2026-03-04.md"));
}

/// A copy of a session under another id, as a fork is before anything is said in it.
#[test]
fn a_copy_of_a_session_is_here_already() {
    let desk = Desk::new();
    let root = desk.root();
    let time = "2026-03-02T09:00:00.000Z";
    desk.session("first-session", &root, &[time]);
    desk.import();
    let text = desk.home.text(&Desk::claude(&root, "first-session"));
    let fork = text.replace("\"sessionId\":\"first-session\"", "\"sessionId\":\"fork-session\"");
    desk.home.write(&Desk::claude(&root, "fork-session"), &fork);
    assert!(!desk.ok(["status"]).contains("not in the memory"), "{}", desk.ok(["status"]));
    let out = desk.import();
    assert!(out.contains(" 4 turns\n") && out.contains("nothing new"), "{out}");
    // A word more is new.
    let more =
        record("fork-session", &root, "2026-03-02T10:00:00.000Z", "user", "only in the fork");
    desk.home.write(&Desk::claude(&root, "fork-session"), fork + &more);
    assert!(!desk.ok(["status"]).contains("not saved  nothing"), "{}", desk.ok(["status"]));
    assert!(desk.import().contains("1 turn of 1 session"));
    // So is nothing of a fork of which all was forgotten.
    desk.ok(["forget", "first-session", "--yes"]);
    desk.home.write(
        &Desk::claude(&root, "fork-two"),
        text.replace("\"sessionId\":\"first-session\"", "\"sessionId\":\"fork-two\""),
    );
    assert!(!desk.ok(["status"]).contains("not in the memory"), "{}", desk.ok(["status"]));
}

#[test]
fn a_transcript_under_another_name_is_known_by_the_session_in_it() {
    let desk = Desk::new();
    let time = "2026-03-02T09:00:00.000Z";
    let words = record("some-session", Path::new("/elsewhere"), time, "user", "what of the budget");
    desk.home.write("a.jsonl", words);
    let path = desk.home.root().join("a.jsonl");
    let path = path.to_str().unwrap();
    assert!(desk.ok(["import", path, "--yes"]).contains("1 turn of 1 session"));
    let out = desk.ok(["import", path, "--yes"]);
    assert!(out.contains(" 1 turn\n") && out.contains("nothing new"), "{out}");
    let json: Value = serde_json::from_str(&desk.ok(["import", path, "--json"])).unwrap();
    assert_eq!(json["agents"][0]["here"], 1, "{json}");
}

#[test]
fn a_record_that_stands_in_a_transcript_twice_is_one_turn() {
    let records = |root: &Path, session: &str| {
        let at = |minute: usize| format!("2026-03-02T09:0{minute}:00.000Z");
        let say = |minute: usize, role: &str, words: &str| {
            record(session, root, &at(minute), role, words)
        };
        [
            say(0, "user", "alpha"),
            say(1, "assistant", "beta"),
            say(2, "user", "gamma"),
            say(3, "assistant", "delta"),
        ]
    };
    let check = |desk: &Desk, words: &str, count: usize| {
        let log = desk.log("2026-03-02");
        assert_eq!(log.matches(words).count(), count, "{words}: {log}");
    };
    for at_once in [false, true] {
        let desk = Desk::new();
        let root = desk.root();
        let path = Desk::claude(&root, "sess-one");
        let all = records(&root, "sess-one");
        if !at_once {
            desk.home.write(&path, all.concat());
            desk.import();
        }
        let later = record("sess-one", &root, "2026-03-02T09:09:00.000Z", "user", "epsilon");
        // With other words it is another record, whatever its id.
        let other = all[1].replace("beta", "zeta");
        desk.home.write(&path, [all.concat(), all.concat(), other, later].concat());
        let out = desk.import();
        assert!(out.contains(if at_once { "     6  " } else { "2 turns of" }), "{out}");
        for words in ["alpha", "beta", "gamma", "delta", "zeta", "epsilon"] {
            check(
                &desk,
                words,
                1 + usize::from(words == "alpha" && desk.log("2026-03-02").contains("— alpha")),
            );
        }
        assert!(desk.import().contains("nothing new"));
        desk.ok(["check"]);
    }
}

#[test]
fn a_log_that_gained_a_byte_order_mark_is_still_the_ledger() {
    let desk = Desk::new();
    let root = desk.root();
    desk.session("sess-one", &root, &["2026-03-02T09:00:00.000Z"]);
    desk.import();
    let log = desk.log("2026-03-02");
    let marked = format!("\u{feff}{log}");
    desk.project.write("memory/2026-03-02.md", &marked);
    let transcript = desk.home.root().join(Desk::claude(&root, "sess-one"));
    let hook = json!({"session_id": "sess-one", "hook_event_name": "SessionEnd", "cwd": root, "transcript_path": transcript});
    desk.run(["compact", "--stdin"]).stdin(hook.to_string()).output();
    assert_eq!(desk.log("2026-03-02"), marked);
    assert!(desk.import().contains("nothing new"));
    assert_eq!(desk.log("2026-03-02"), marked);
}

/// Every file below a folder, with its size and time.
fn walk(folder: &Path) -> Vec<(String, u64, std::time::SystemTime)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let meta = entry.metadata().unwrap();
        if meta.is_dir() {
            found.extend(walk(&entry.path()));
        } else {
            let path = entry.path().to_string_lossy().into_owned();
            found.push((path, meta.len(), meta.modified().unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn archived_and_packed_rollouts_are_found() {
    let desk = Desk::new();
    let root = desk.root();
    let rollout = |id: &str, time: &str| {
        let meta = json!({"timestamp": time, "type": "session_meta", "payload": {"id": id, "cwd": root, "source": "cli"}});
        let item = json!({"type": "UserMessage", "id": format!("{id}-u"), "content": [{"type": "text", "text": format!("{id} asks")}]});
        let said = json!({"timestamp": time, "type": "event_msg", "payload": {"type": "item_completed", "item": item}});
        format!("{meta}\n{said}\n")
    };
    let id = |n: u32| format!("019f0000-0000-7000-8000-00000000000{n}");
    let name = |n: u32| format!("rollout-2026-03-0{n}T09-00-00-{}.jsonl", id(n));
    let text = |n: u32| rollout(&id(n), &format!("2026-03-0{n}T09:00:00Z"));
    desk.home.write(&format!(".codex/sessions/2026/03/01/{}", name(1)), text(1));
    desk.home.write(&format!(".codex/archived_sessions/{}", name(2)), text(2));
    // A frame of zstd that holds one raw block.
    let packed = text(3).into_bytes();
    let length = u32::try_from(packed.len()).unwrap();
    let mut frame = b"\x28\xb5\x2f\xfd\xa0".to_vec();
    frame.extend(length.to_le_bytes());
    frame.extend(&(length << 3 | 1).to_le_bytes()[..3]);
    frame.extend(packed);
    desk.home.write(&format!(".codex/archived_sessions/{}.zst", name(3)), frame);
    assert!(desk.import().contains("3 turns of 3 sessions on 3 days"));
    for n in 1..=3 {
        assert!(desk.log(&format!("2026-03-0{n}")).contains(&format!("{} asks", id(n))), "{n}");
    }
    assert!(desk.import().contains("nothing new in 3 sessions"));
}

#[test]
fn init_and_status_tell_of_past_sessions() {
    let desk = Desk::new();
    desk.project.remove("hipocampus.config.json");
    desk.session("a", &desk.root(), &["2026-03-02T09:00:00Z"]);
    desk.session("b", &desk.root(), &["2026-03-04T09:00:00Z"]);
    let noon: std::time::SystemTime =
        std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_786_190_400);
    for id in ["a", "b"] {
        let path = desk.home.path(&Desk::claude(&desk.root(), id));
        fs::File::options().write(true).open(path).unwrap().set_modified(noon).unwrap();
    }
    let line = "2 past sessions of this project (Claude Code 2), 2026-03-02 to 2026-08-08";
    let init = desk.program(["init", "--no-search", "--platform", "claude-code"]);
    assert!(init.contains(&format!("\nfound: {line}: `hipocampus import`\nnext: ")), "{init}");
    let status = desk.run(["status"]).output().out;
    assert!(status.contains("\nready: nothing is in the memory yet\n"), "{status}");
    assert!(
        status.contains("\noptional   hipocampus import\n             brings in 2 past sessions\n")
    );
    let row = format!(
        "sessions {line}, not in the memory; Claude Code deletes its own from 2026-09-07 on; run `hipocampus import`"
    );
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&status).contains(&row), "{status}");
    let json: Value = serde_json::from_str(&desk.run(["status", "--json"]).output().out).unwrap();
    assert_eq!(
        json["past_sessions"],
        json!({"sessions": 2, "agents": {"Claude Code": 2}, "first": "2026-03-02", "last": "2026-08-08", "deleted": "2026-09-07"})
    );
    desk.home.write(".claude/settings.json", r#"{"cleanupPeriodDays": 90}"#);
    assert!(words(&desk.run(["status"]).output().out).contains("from 2026-11-06 on"));
    let init = desk.program(["init", "--import", "--no-search", "--platform", "claude-code"]);
    assert!(init.contains("hipocampus import: 4 turns of 2 sessions on 2 days"), "{init}");
    let status = desk.run(["status"]).output().out;
    assert!(!status.contains("past session"), "{status}");
    // No hook has saved anything yet, and the words are from long ago.
    assert!(status.contains("\nready: what is said here from now on is saved\n"), "{status}");
    let saved = "last saved imported: said 2026-03-04, 169 days ago in claude-code";
    assert!(words(&status).contains(saved), "{status}");
    assert!(status.contains("\nagents     claude-code: its hooks have not run yet\n"), "{status}");
    let json: Value = serde_json::from_str(&desk.run(["status", "--json"]).output().out).unwrap();
    assert_eq!((&json["state"], &json["saved"]["imported"]), (&json!("ready"), &json!(true)));
}

#[test]
fn init_counts_past_sessions_once() {
    let desk = Desk::new();
    desk.project.remove("hipocampus.config.json");
    desk.session("a", &desk.root(), &["2026-03-02T09:00:00Z"]);
    let run = desk.command(["init", "--no-search"]).output().unwrap();
    let [out, err] = [run.stdout, run.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(err.contains("taking claude-code, which had sessions here\n"), "{err}");
    let found = "\nfound: 1 past session of this project (Claude Code 1), ";
    assert!(out.contains(found), "{out}");
    assert_eq!((out + &err).matches("1 past session").count(), 1);
}

/// The session saved last is the one with the latest words, whatever was imported after it.
#[test]
fn an_import_of_old_sessions_is_not_what_was_saved_last() {
    let desk = Desk::new();
    let root = desk.root();
    desk.session("new", &root, &["2026-08-19T09:00:00Z"]);
    desk.import();
    desk.session("old", &root, &["2026-03-02T09:00:00Z"]);
    desk.import();
    let status = desk.run(["status"]).output().out;
    assert!(
        status.contains("last saved imported: said yesterday 11:05 in claude-code"),
        "{status}"
    );
}

#[test]
fn sessions_without_words_are_counted_and_the_rest_says_what_comes_next() {
    let desk = Desk::new();
    let root = desk.root();
    desk.session("a", &root, &["2026-03-02T09:00:00Z"]);
    for id in ["opened", "left"] {
        let mode = json!({"type": "mode", "mode": "plan", "sessionId": id, "cwd": root});
        desk.home.write(&Desk::claude(&root, id), format!("{mode}\n"));
    }
    let said = desk.import();
    let lines: Vec<&str> = said.lines().skip(2).collect();
    assert_eq!(lines[0], "2 sessions of these hold no words: nothing to import from there");
    assert!(lines[1].starts_with("hipocampus import: 2 turns of 1 session on 1 day ("), "{said}");
    assert_eq!(lines[3..], ["next: `hipocampus search QUESTION`, or `hipocampus status`"]);
    let json = desk.run(["import", "--json"]).output();
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (&json["agents"][0]["sessions"], &json["agents"][0]["without_words"]),
        (&json!(3), &json!(2))
    );
    let again = desk.import();
    assert!(
        again.ends_with("nothing new in 3 sessions\nhipocampus compact: nothing to do\n"),
        "{again}"
    );
}

/// How many bytes of a file a run reads that has to succeed.
fn read_of(desk: &Desk, file: &Path, args: &[&str]) -> u64 {
    let trace = desk.home.path("trace");
    let run = Command::new("strace")
        .args(["-qq", "-e", "trace=read,pread64", "-P"])
        .args([file, Path::new("-o"), &trace])
        .args(["--", env!("CARGO_BIN_EXE_hipocampus")])
        .args(args)
        .current_dir(desk.project.root())
        .env_clear()
        .env("HOME", desk.home.root())
        .env("HIPOCAMPUS_NOW", "2026-08-20T12:00:00+02:00")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let calls = fs::read_to_string(&trace).unwrap();
    let read = calls.lines().filter_map(|call| call.rsplit(" = ").next()?.parse::<u64>().ok());
    read.sum()
}

/// The sessions of a day's sessions alternate, so each session is opened many times.
#[test]
fn a_backup_that_is_imported_is_not_read_anew_for_each_block() {
    if !has_strace() {
        return;
    }
    let desk = Desk::new();
    let root = desk.root();
    let name = "memory/.session-transcript-2026-03-02.jsonl";
    let mut records = String::new();
    for n in 0..60 {
        let time = |minute: usize| format!("2026-03-02T09:{:02}:{:02}Z", n % 60, minute);
        let words = format!("point {n} {}", "of the budget ".repeat(80));
        let session = format!("s{n}");
        records += &record(&session, &root, &time(0), "user", &words);
        records += &record(&session, &root, &time(1), "assistant", &format!("{session} answers"));
    }
    desk.project.write(name, &records);
    let read = read_of(&desk, &desk.project.path(name), &["import", "--yes", name]);
    assert_eq!(desk.log("2026-03-02").matches("**User:** point ").count(), 60);
    assert_eq!(desk.project.text(name), records, "every record stands there already");
    let most = 6 * records.len() as u64;
    assert!(read < most, "{read} bytes of a backup of {}", records.len());
}

#[test]
fn a_run_that_is_killed_anywhere_is_finished_by_the_next() {
    let program = env!("CARGO_BIN_EXE_hipocampus");
    let lay = || {
        let desk = Desk::new();
        let root = desk.root();
        for n in 0..6 {
            let times: Vec<String> = (0..4)
                .map(|day| format!("2026-03-{:02}T{:02}:00:00Z", 2 + (day * 5 + n) % 20, 6 + n))
                .collect();
            let mut times: Vec<&str> = times.iter().map(String::as_str).collect();
            times.sort_unstable();
            desk.session(&format!("s{n}"), &root, &times);
        }
        desk
    };
    // The folders have names of their own, which are in no record that is compared.
    let start = |desk: &Desk| {
        Command::new(program)
            .args(["import", "--yes"])
            .current_dir(desk.project.root())
            .env_clear()
            .env("HOME", desk.home.root())
            .env("HIPOCAMPUS_NOW", "2026-08-20T12:00:00+02:00")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let tree = |desk: &Desk| {
        let root = desk.root().to_string_lossy().into_owned();
        let mut tree = desk.project.tree();
        for bytes in tree.values_mut() {
            *bytes = String::from_utf8_lossy(bytes).replace(&root, "ROOT").into_bytes();
        }
        tree
    };
    let whole = lay();
    let began = std::time::Instant::now();
    assert!(start(&whole).wait().unwrap().success());
    let took = began.elapsed();
    for kill in 1..=20 {
        let desk = lay();
        let mut run = start(&desk);
        std::thread::sleep(took * kill / 21);
        let _ = run.kill();
        run.wait().unwrap();
        assert!(start(&desk).wait().unwrap().success());
        assert_same(&tree(&whole), &tree(&desk));
    }
}

/// A run may be killed between a block and the record of it in the backup.
#[test]
fn a_backup_that_a_killed_run_owes_is_written_before_later_sessions_add_to_it() {
    let lay = || {
        let desk = Desk::new();
        let root = desk.root();
        desk.session("s0", &root, &["2026-03-02T06:00:00Z", "2026-03-03T06:00:00Z"]);
        desk.session("s1", &root, &["2026-03-02T07:00:00Z"]);
        desk
    };
    let whole = lay();
    whole.import();
    let log = whole.log("2026-03-02");
    let second = log.rfind("## Session").unwrap();
    assert!(log[second..].contains("s1 asks") && log[..second].contains("s0 answers"));
    let killed = lay();
    killed.project.write("memory/2026-03-02.md", log[..second].trim_end().to_owned() + "\n");
    killed.import();
    // The folders have names of their own, which are in the records.
    let backup = |desk: &Desk| {
        let records = desk.project.text("memory/.session-transcript-2026-03-02.jsonl");
        records.replace(&*desk.root().to_string_lossy(), "ROOT")
    };
    assert_eq!(whole.log("2026-03-02"), killed.log("2026-03-02"));
    assert_eq!(backup(&whole), backup(&killed));
}

/// Waits until an import has begun to write, asks it to stop, and tells what it said.
#[test]
fn an_import_that_is_asked_to_stop_says_how_to_go_on() {
    let desk = Desk::new();
    let root = desk.root();
    for n in 0..150 {
        let time = format!("2026-0{}-{:02}T09:00:00Z", 1 + n / 25, 1 + n % 25);
        desk.session(&format!("s{n}"), &root, &[&time]);
    }
    let run = Command::new(env!("CARGO_BIN_EXE_hipocampus"))
        .args(["import", "--yes"])
        .current_dir(desk.project.root())
        .env_clear()
        .env("HOME", desk.home.root())
        .env("HIPOCAMPUS_NOW", "2026-08-20T12:00:00+02:00")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let began = std::time::Instant::now();
    while !desk.project.path("memory/2026-01-01.md").exists() && began.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let pid = rustix::process::Pid::from_raw(run.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = run.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.starts_with("error: stopped: "), "{err}");
    assert!(err.ends_with("hint: run the same command again: it goes on from there\n"), "{err}");
    let turns = || -> usize {
        let logs = desk.project.tree();
        let logs = logs.iter().filter(|(name, _)| name.starts_with("2026-"));
        logs.map(|(_, text)| String::from_utf8_lossy(text).matches("**User:**").count()).sum()
    };
    let before: usize = turns();
    assert!(0 < before && before < 150, "{before}");
    desk.import();
    assert_eq!(turns(), 150);
}
