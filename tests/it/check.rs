//! `check` finds damage of every kind it knows, none where there is none, and repairs what loses nothing.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::desk::{Desk, Ran, tree};
use crate::support::{Project, entry, fixture};

/// Long after the days below: their weeks and months are fixed.
const NOW: &str = "2026-05-20T12:00:00+01:00";
const LOG: &str = "memory/2026-03-10.md";
/// A day whose week and month are fixed.
const OLD: &str = "memory/2026-02-24.md";
const SPOKEN: &str = "memory/2026-03-12.md";
const BACKUP: &str = "memory/.session-transcript-2026-03-12.jsonl";
const DAY: &str = "memory/daily/2026-03-10.md";
const LONG: &str = "memory/daily/2026-03-11.md";
const WEEK: &str = "memory/weekly/2026-W11.md";
const MONTH: &str = "memory/monthly/2026-03.md";
const ROOT: &str = "memory/ROOT.md";
const SETTINGS: &str = ".claude/settings.local.json";

/// A project in which all is well: short days and a long one, a session of two sessions, a client.
struct Memory {
    desk: Desk,
}

impl Memory {
    fn new() -> Self {
        let mut desk = Desk::new();
        // The hooks call a program that can be run.
        let program = desk.beside("hipocampus");
        fs::write(&program, "").unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        desk.exe = program;
        let mut memory = Self { desk };
        // Days from then on wait for summaries.
        let set_up = [("HIPOCAMPUS_NOW", "2026-01-01T12:00:00+01:00")];
        assert_eq!(
            memory.desk.run_with(&set_up, "init --no-search --platform claude-code").code,
            0
        );
        for (day, lines) in
            [("2026-02-24", 8), ("2026-03-09", 9), ("2026-03-10", 12), ("2026-03-11", 260)]
        {
            memory
                .desk
                .write(&format!("memory/{day}.md"), entry(&format!("Pages of {day}"), lines));
        }
        memory.talk("s", "2026-03-12", 2);
        memory.talk("s", "2026-03-12", 4);
        memory.ok("compact");
        memory.ok("compact");
        memory
    }

    fn run(&self, line: &str) -> Ran {
        self.desk.run_with(&[("HIPOCAMPUS_NOW", NOW)], line)
    }

    fn ok(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.code, 0, "{line}: {}{}", ran.out, ran.err);
        ran
    }

    /// So many turns of a session so far, saved by a hook.
    fn talk(&mut self, session: &str, day: &str, turns: u32) {
        let path = self.desk.beside(&format!("{session}.jsonl"));
        let record = |turn: u32| {
            let words = json!({"role": "user", "content": format!("turn {turn}: why does the page table drift?")});
            json!({"type": "user", "uuid": format!("{session}-{turn}"), "sessionId": session,
                "timestamp": format!("{day}T09:{turn:02}:00Z"), "message": words})
        };
        let text: String =
            (0..turns).fold(String::new(), |text, turn| text + &format!("{}\n", record(turn)));
        fs::write(&path, text).unwrap();
        let input = json!({"hook_event_name": "SessionEnd", "session_id": session, "transcript_path": path,
            "cwd": self.desk.root()});
        self.desk.stdin = Some(input.to_string());
        let ran = self.ok("compact --stdin");
        assert_eq!(ran.err, "");
        self.desk.stdin = None;
    }

    fn path(&self, path: &str) -> PathBuf {
        self.desk.root().join(path)
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.desk.read(path);
        assert!(text.contains(from), "{path}: {text}");
        self.desk.write(path, text.replacen(from, to, 1));
    }

    fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), Permissions::from_mode(mode)).unwrap();
    }

    /// Puts something else in the place of a file.
    fn replace_by_link(&self, path: &str) {
        let aside = self.desk.beside("aside");
        fs::rename(self.path(path), &aside).unwrap();
        symlink(aside, self.path(path)).unwrap();
    }

    fn replace_by_folder(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
        fs::create_dir(self.path(path)).unwrap();
    }

    fn findings(&self, line: &str) -> Vec<Value> {
        let ran = self.run(line);
        let report: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
        let found = report["findings"].as_array().unwrap().clone();
        assert_eq!(ran.code, u8::from(!found.is_empty()), "{found:?}");
        found
    }
}

/// A kind of damage: what is done, and the file that has to be named.
type Damage = (&'static str, fn(&Memory), &'static str);

const MERGE: &str = "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n";

/// What `--fix` repairs without losing anything.
const MENDED: &[Damage] = &[
    ("a node is gone", |m| fs::remove_file(m.path(DAY)).unwrap(), DAY),
    ("a week is gone", |m| fs::remove_file(m.path(WEEK)).unwrap(), WEEK),
    ("a month is gone", |m| fs::remove_file(m.path(MONTH)).unwrap(), MONTH),
    ("a level is gone", |m| fs::remove_dir_all(m.path("memory/weekly")).unwrap(), WEEK),
    ("a node is empty", |m| m.desk.write(DAY, ""), DAY),
    ("a node is cut", |m| m.edit(DAY, "point 11\n", ""), DAY),
    (
        "a digest is cut",
        |m| {
            let t = m.desk.read(LONG);
            m.desk.write(LONG, &t[..t.len() - 200]);
        },
        LONG,
    ),
    (
        "a node ends in NUL bytes",
        |m| {
            let t = m.desk.read(WEEK);
            m.desk.write(WEEK, format!("{}\0\0\0\0", &t[..t.len() - 40]));
        },
        WEEK,
    ),
    (
        "a node has both sides of a merge",
        |m| {
            let t = m.desk.read(DAY);
            m.desk.write(DAY, format!("<<<<<<< ours\n{t}=======\n{t}>>>>>>> theirs\n"));
        },
        DAY,
    ),
    ("a head lacks a key", |m| m.edit(DAY, "lines: 13\n", ""), DAY),
    ("a head has a wrong number", |m| m.edit(DAY, "lines: 13\n", "lines: many\n"), DAY),
    (
        "a head names no source",
        |m| m.edit(DAY, "source-files: [memory/2026-03-10.md]", "source-files: []"),
        DAY,
    ),
    (
        "a head names a source that is not there",
        |m| m.edit(WEEK, "[memory/daily/2026-03-09.md", "[memory/daily/2026-03-08.md"),
        WEEK,
    ),
    ("a week does not name a day", |m| m.edit(WEEK, "memory/daily/2026-03-10.md, ", ""), WEEK),
    (
        "a month does not name a week",
        |m| m.edit(MONTH, "source-files: [memory/weekly/2026-W11.md]", "source-files: []"),
        MONTH,
    ),
    (
        "a head has the wrong dates",
        |m| m.edit(WEEK, "dates: 2026-03-09", "dates: 2026-03-02"),
        WEEK,
    ),
    ("a head has no status", |m| m.edit(DAY, "status: fixed\n", "status: done\n"), DAY),
    ("a digest is fixed", |m| m.edit(LONG, "status: needs-summarization", "status: fixed"), LONG),
    ("ROOT.md is gone", |m| fs::remove_file(m.path(ROOT)).unwrap(), ROOT),
    ("ROOT.md is empty", |m| m.desk.write(ROOT, ""), ROOT),
    (
        "ROOT.md is cut",
        |m| {
            let t = m.desk.read(ROOT);
            m.desk.write(ROOT, &t[..t.len() - 90]);
        },
        ROOT,
    ),
    ("ROOT.md is all NUL bytes", |m| m.desk.write(ROOT, "\0".repeat(300)), ROOT),
    ("the memory is open to others", |m| m.mode("memory", 0o755), "memory"),
    ("a backup is open to others", |m| m.mode(BACKUP, 0o644), BACKUP),
    ("a log of a conversation is open to others", |m| m.mode(SPOKEN, 0o644), SPOKEN),
    ("a node is open to others", |m| m.mode(DAY, 0o640), DAY),
    ("ROOT.md is open to others", |m| m.mode(ROOT, 0o604), ROOT),
    (
        "a temporary file is left",
        |m| m.desk.write(&format!("memory/.ROOT.md.{}-0.hipocampus-tmp", i32::MAX), "x"),
        "memory/.ROOT.md.2147483647-0.hipocampus-tmp",
    ),
    (
        "a temporary file is left among the nodes",
        |m| m.desk.write(&format!("memory/daily/.x.{}-0.hipocampus-tmp", i32::MAX), "x"),
        "memory/daily/.x.2147483647-0.hipocampus-tmp",
    ),
    (
        "a temporary file is left beside the settings",
        |m| {
            m.desk
                .write(&format!(".claude/.settings.local.json.{}-3.hipocampus-tmp", i32::MAX), "x");
        },
        ".claude/.settings.local.json.2147483647-3.hipocampus-tmp",
    ),
    (
        "an exchange was not finished",
        |m| {
            m.desk.write(
                "memory/.ROOT.md.0000000000000001-0000000000000002.hipocampus-was",
                m.desk.read(ROOT),
            );
        },
        "memory/.ROOT.md.0000000000000001-0000000000000002.hipocampus-was",
    ),
    (
        "an exchange was not finished among the nodes",
        |m| {
            m.desk.write(
                "memory/weekly/.2026-W11.md.0000000000000001-0000000000000002.hipocampus-was",
                m.desk.read(WEEK),
            );
        },
        "memory/weekly/.2026-W11.md.0000000000000001-0000000000000002.hipocampus-was",
    ),
    (
        "the backup has a torn last line",
        |m| {
            let t = m.desk.read(BACKUP);
            m.desk.write(BACKUP, format!("{t}{{\"type\":\"us"));
        },
        BACKUP,
    ),
    (
        "the cache is torn",
        |m| {
            let t = fs::read(m.path("memory/.hipocampus.cache")).unwrap();
            m.desk.write("memory/.hipocampus.cache", &t[..t.len() / 2]);
        },
        "memory/.hipocampus.cache",
    ),
    (
        "days wait to be made again",
        |m| m.desk.write("memory/.hipocampus.reopen", "2026-03-10\n"),
        "memory/.hipocampus.reopen",
    ),
];

/// What a person has to repair, with the command or the words that say how.
const TOLD: &[Damage] = &[
    (
        "a log grew after its week was fixed",
        |m| {
            let t = m.desk.read(OLD);
            m.desk.write(OLD, format!("{t}\n## Late words [project]\n- x\n"));
        },
        OLD,
    ),
    (
        "a log came after its week was fixed",
        |m| m.desk.write("memory/2026-02-26.md", "## Late [project]\n- x\n"),
        "memory/2026-02-26.md",
    ),
    (
        "a log has NUL bytes",
        |m| {
            let t = m.desk.read(LOG);
            m.desk.write(LOG, format!("{t}\0\0\0"));
        },
        LOG,
    ),
    (
        "what was forgotten stands there again",
        |m| {
            let t = m.desk.read(LOG);
            let again = format!("{t}\n## Zebra [project]\n- x\n");
            m.desk.write(LOG, &again);
            m.ok("forget --match Zebra --yes");
            m.desk.write(LOG, &again);
            m.ok("compact");
        },
        LOG,
    ),
    (
        "a hot file has both sides of a merge",
        |m| m.desk.write("SCRATCHPAD.md", MERGE),
        "SCRATCHPAD.md",
    ),
    (
        "a block is torn",
        |m| {
            let t = m.desk.read(SPOKEN);
            m.desk.write(SPOKEN, &t[..t.rfind("<!-- hipocampus:end s ").unwrap()]);
        },
        SPOKEN,
    ),
    (
        "a block has no beginning",
        |m| m.edit(SPOKEN, "<!-- hipocampus:session s 0-", "<!-- hipocampus:none s 0-"),
        SPOKEN,
    ),
    (
        "a block stands twice",
        |m| {
            let t = m.desk.read(SPOKEN);
            m.desk.write(SPOKEN, format!("{t}{t}"));
        },
        SPOKEN,
    ),
    (
        "an editor wrote an old text over a log",
        |m| {
            let t = m.desk.read(SPOKEN);
            let at = t.rfind("<!-- hipocampus:session").unwrap();
            m.desk.write(SPOKEN, &t[..at]);
        },
        BACKUP,
    ),
    ("a backup is gone", |m| fs::remove_file(m.path(BACKUP)).unwrap(), BACKUP),
    (
        "a backup has a line that is none",
        |m| {
            let t = m.desk.read(BACKUP);
            m.desk.write(BACKUP, format!("garbage\n{t}"));
        },
        BACKUP,
    ),
    ("a log is gone and its backup is there", |m| fs::remove_file(m.path(SPOKEN)).unwrap(), BACKUP),
    ("a log is a link", |m| m.replace_by_link(LOG), LOG),
    ("a log is a folder", |m| m.replace_by_folder(LOG), LOG),
    ("a node is a link", |m| m.replace_by_link(DAY), DAY),
    ("ROOT.md is a link", |m| m.replace_by_link(ROOT), ROOT),
    ("a level is a link", |m| m.replace_by_link("memory/weekly"), "memory/weekly"),
    (
        "a log has a name that is no date",
        |m| m.desk.write("memory/2026-02-30.md", "## A\n- x\n"),
        "memory/2026-02-30.md",
    ),
    (
        "a node has a name that is no period",
        |m| m.desk.write("memory/daily/notes.md", "x\n"),
        "memory/daily/notes.md",
    ),
    ("a head names another day", |m| m.edit(DAY, "period: 2026-03-10", "period: 2026-03-01"), DAY),
    ("a head names another level", |m| m.edit(WEEK, "type: weekly", "type: daily"), WEEK),
    (
        "ROOT.md points to a day that is not there",
        |m| {
            let t = m.desk.read(ROOT);
            m.desk.write(ROOT, format!("{t}\n- service lights [project, 3d]: red → 2026-01-05\n"));
            m.ok("compact");
        },
        ROOT,
    ),
    (
        "the state is torn",
        |m| m.desk.write("memory/.compaction-state.json", "{\"lastCompactionRun\": "),
        "memory/.compaction-state.json",
    ),
    (
        "a text was recovered",
        |m| m.desk.write("memory/ROOT.md.00000000deadbeef.recovered", "x\n"),
        "memory/ROOT.md.00000000deadbeef.recovered",
    ),
    (
        "a node was recovered",
        |m| m.desk.write("memory/weekly/2026-W11.md.00000000deadbeef.recovered", "x\n"),
        "memory/weekly/2026-W11.md.00000000deadbeef.recovered",
    ),
    (
        "the configuration is broken",
        |m| m.desk.write("hipocampus.config.json", "{,}"),
        "hipocampus.config.json",
    ),
    (
        "a key is misspelt",
        |m| m.edit("hipocampus.config.json", "{", "{\n  \"plattform\": \"codex\","),
        "hipocampus.config.json",
    ),
    ("hooks are gone", |m| m.desk.write(SETTINGS, "{}\n"), SETTINGS),
    (
        "hooks name another program",
        |m| {
            m.desk.write(
                SETTINGS,
                m.desk.read(SETTINGS).replace("/hipocampus\\\"", "/elsewhere/hipocampus\\\""),
            );
        },
        SETTINGS,
    ),
    ("the settings do not parse", |m| m.desk.write(SETTINGS, "{\"hooks\": {"), SETTINGS),
    (
        "a skill is gone",
        |m| fs::remove_file(m.path(".claude/skills/hipocampus-core/SKILL.md")).unwrap(),
        ".claude/skills",
    ),
    ("the protocol was edited", |m| m.edit("CLAUDE.md", "Recall:", "Forget:"), "CLAUDE.md"),
    (
        "a tenant is gone",
        |m| m.edit("hipocampus.config.json", "{", "{\n  \"tenants\": [\"acme\"],"),
        "tenants/acme",
    ),
];

#[test]
fn every_kind_of_damage_is_found_with_what_mends_it() {
    assert!(MENDED.len() + TOLD.len() >= 40);
    for (what, damage, path) in MENDED.iter().chain(TOLD) {
        let memory = Memory::new();
        damage(&memory);
        let found = memory.findings("check --json");
        let named = found.iter().find(|found| found["path"] == *path);
        let named = named.unwrap_or_else(|| panic!("{what}: {found:#?}"));
        assert!(!named["mend"].as_str().unwrap().is_empty(), "{what}");
        let text = memory.run("check");
        assert_eq!(text.code, 1, "{what}");
        assert!(text.out.contains(&format!("{path}: ")), "{what}: {}", text.out);
    }
}

#[test]
fn what_loses_nothing_is_mended_and_everything_else_stands() {
    for (what, damage, path) in MENDED {
        let memory = Memory::new();
        let before = whole(&memory);
        damage(&memory);
        let ran = memory.run("check --fix");
        assert_eq!((ran.code, &*ran.err), (0, ""), "{what}: {}", ran.out);
        assert!(ran.out.contains(&format!("mended: {path}")), "{what}: {}", ran.out);
        assert_eq!(
            memory.ok("check").out,
            ran.out.lines().last().unwrap().to_owned() + "\n",
            "{what}"
        );
        let after = whole(&memory);
        assert_eq!(crate::desk::diff(&before, &after), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn what_a_person_has_to_mend_is_left_alone() {
    for (what, damage, _) in TOLD {
        let memory = Memory::new();
        damage(&memory);
        let before = whole(&memory);
        let ran = memory.run("check --fix");
        assert_eq!(ran.code, 1, "{what}: {}", ran.out);
        let logs = |tree: &BTreeMap<String, String>| {
            let mut logs = tree.clone();
            // What is made from the logs may follow them.
            logs.retain(|path, _| {
                !["memory/daily/", "memory/weekly/", "memory/monthly/", ROOT]
                    .iter()
                    .any(|made| path.starts_with(made))
            });
            logs
        };
        assert_eq!(
            crate::desk::diff(&logs(&before), &logs(&whole(&memory))),
            Vec::<String>::new(),
            "{what}"
        );
    }
}

/// Everything in the project but what is the machine's own or names a moment.
fn whole(memory: &Memory) -> BTreeMap<String, String> {
    let mut tree = tree(&memory.desk.root());
    tree.retain(|path, _| !path.contains("/.hipocampus.") && path != "memory");
    tree
}

#[test]
fn nothing_is_found_where_all_is_well() {
    let memory = Memory::new();
    let before = tree(&memory.desk.root());
    let ran = memory.ok("check");
    assert_eq!(ran.out, "all is whole: 5 days, 9 nodes and 1 session looked at\n");
    assert_eq!(memory.findings("check --json"), Vec::<Value>::new());
    assert_eq!(memory.ok("check --fix").out, ran.out);
    assert_eq!(crate::desk::diff(&before, &tree(&memory.desk.root())), Vec::<String>::new());
    // Nor on a later day, nor after somebody wrote summaries.
    let later = memory.desk.run_with(&[("HIPOCAMPUS_NOW", "2027-01-01T12:00:00+01:00")], "check");
    assert_eq!((later.code, later.out), (0, ran.out));
    let text = memory.desk.read(LONG);
    let (head, _) = text.split_once("\n---\n\n").unwrap();
    let head = head.replace("needs-summarization", "tentative");
    memory.desk.write(LONG, format!("{head}\n---\n\n## Topics\ntides\n"));
    memory.ok("compact");
    memory.ok("check");
}

#[test]
fn a_project_that_was_just_set_up_is_whole() {
    for platform in ["claude-code", "codex", "opencode", "openclaw"] {
        let mut desk = Desk::new();
        let program = desk.beside("hipocampus");
        fs::write(&program, "").unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        desk.exe = program;
        desk.ok(&format!("init --no-search --platform {platform}"));
        desk.ok("check");
        desk.ok("compact");
        desk.ok("check");
    }
}

/// The marks of a merge, in the head of a node or around what somebody wrote there.
#[test]
fn a_merge_that_was_not_finished_is_found_in_a_node() {
    let conflicts = |memory: &Memory| -> Vec<(String, String)> {
        let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
        let found = memory.findings("check --json");
        let found = found.iter().filter(|finding| finding["kind"] == "conflict");
        found.map(|finding| (text(finding, "path"), text(finding, "mend"))).collect()
    };
    // The machine writes its own anew.
    let memory = Memory::new();
    let text = memory.desk.read(DAY);
    let line = text.lines().find(|line| line.starts_with("fingerprint: ")).unwrap();
    let both = format!("<<<<<<< HEAD\n{line}\n=======\n{line}\n>>>>>>> b\n");
    memory.edit(DAY, &format!("{line}\n"), &both);
    assert_eq!(conflicts(&memory), [(DAY.to_owned(), "hipocampus check --fix".to_owned())]);
    memory.ok("check --fix");
    assert_eq!(memory.desk.read(DAY), text);
    // Of what somebody wrote, only they know which side it is.
    for known in [false, true] {
        let memory = Memory::new();
        memory.edit(DAY, "point 3\n", &format!("point 3\n{MERGE}"));
        if known {
            memory.ok("compact");
        }
        let found = conflicts(&memory);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0 == DAY && found[0].1.contains("in an editor"), "{found:?}");
    }
}

#[test]
fn two_blocks_of_one_range_with_other_words_are_two() {
    let block = |words: &str| {
        format!(
            "<!-- hipocampus:session t 2-4 -->\n**User:** {words}\n<!-- hipocampus:end t 4 -->\n\n"
        )
    };
    for (second, expect) in [("why does it drift?", 1), ("how wide is the gate?", 0)] {
        let memory = Memory::new();
        memory.desk.write(OLD, block("why does it drift?") + &block(second));
        let found = memory.findings("check --json");
        let doubled = found.iter().filter(|finding| finding["kind"] == "doubled block").count();
        assert_eq!(doubled, expect, "{found:?}");
    }
}

#[test]
fn a_hook_that_is_called_by_its_name_is_not_mended_by_an_update() {
    let mut desk = Desk::new();
    let program = desk.beside("bin/hipocampus");
    fs::create_dir(desk.beside("bin")).unwrap();
    fs::write(&program, "").unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    desk.exe = program;
    let git =
        std::process::Command::new("git").args(["init", "-q"]).current_dir(desk.root()).status();
    assert!(git.unwrap().success());
    // A file with hooks of the team's own is git's.
    let theirs = json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make"}]}]}});
    desk.write(".codex/hooks.json", theirs.to_string());
    desk.ok("init --no-search --platform codex");
    let advice = "put `hipocampus` on your PATH";
    let ran = desk.run("check");
    assert_eq!((ran.code, ran.out.contains(advice)), (1, true), "{}", ran.out);
    assert!(!ran.out.contains("hipocampus update"), "{}", ran.out);
    let screen = desk.run("status").out;
    assert!(screen.contains("put `hipocampus` on your `PATH`"), "{screen}");
    assert!(!screen.contains("hipocampus update"), "{screen}");
    desk.path = desk.beside("bin").to_str().unwrap().to_owned();
    desk.ok("check");
}

#[test]
fn nul_bytes_of_a_log_stay_out_of_what_the_machine_writes() {
    for lines in [1, 260] {
        let project = Project::new();
        let log = format!("## A [user]\n- a\0bc\n{}- last\0", entry("B", lines));
        project.write("memory/2026-03-10.md", log);
        project.compact("2026-03-10");
        let root = project.bytes(ROOT);
        assert!(!root.contains(&0) && String::from_utf8(root).unwrap().contains("abc"));
        let is_copy = lines < 200;
        assert_eq!(project.bytes(DAY).contains(&0), is_copy);
        let head = project.bytes(DAY);
        let head = head.windows(5).position(|four| four == b"\n---\n").map(|at| &head[..at]);
        assert!(!head.unwrap().contains(&0));
        let ran = project.run(["check"]).today("2026-03-10").output();
        // The log itself is told, and nothing that no command repairs.
        assert!(ran.out.contains("memory/2026-03-10.md: has NUL bytes"), "{}", ran.out);
        assert!(!ran.out.contains("ROOT.md") && !ran.out.contains("--full"), "{}", ran.out);
    }
}

#[test]
fn trees_of_real_logs_are_whole() {
    for today in ["2025-02-14", "2025-03-01", "2025-06-01"] {
        let project = Project::new();
        project.copy_from(&fixture("devlog"), "memory");
        project.compact(today);
        let ran = project.run(["check"]).today(today).output();
        assert_eq!((ran.exit, &*ran.err), (hipocampus::Exit::Done, ""), "{}", ran.out);
    }
}

#[test]
fn hooks_are_compared_and_never_run() {
    let memory = Memory::new();
    let mark = memory.desk.beside("ran");
    let program = memory.desk.exe.clone();
    fs::write(&program, format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
    memory.ok("check");
    assert!(!mark.exists());
}

/// A log of a day: entries of every type, fences, long and short.
fn log() -> impl Strategy<Value = String> {
    let entry = (
        prop::sample::select(vec![
            "Queue search",
            "pages",
            "부두 검색",
            "mail: retry",
            "C# [draft]",
            "Session 12",
        ]),
        prop::sample::select(vec!["", " [project]", " [user]", " [feedback]", " [reference]"]),
        1_usize..120,
        prop::sample::select(vec![
            "- decision: point",
            "- [ ] open",
            "User: why",
            "```\ncode\n```\n- x",
            "plain words",
        ]),
    );
    prop::collection::vec(entry, 1..5).prop_map(|entries| {
        let text = entries.into_iter().map(|(topic, kind, lines, line)| {
            let body: String =
                (0..lines).fold(String::new(), |text, n| text + &format!("{line} {n}\n"));
            format!("## {topic}{kind}\n{body}\n")
        });
        text.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_shrink_iters: 20, ..ProptestConfig::default() })]

    #[test]
    fn two_hundred_healthy_trees_have_nothing_wrong(
        logs in prop::collection::btree_map(0_u64..90, log(), 1..12),
        at in 0_u64..140,
    ) {
        let first = chrono::NaiveDate::from_ymd_opt(2026, 1, 20).unwrap();
        let day = |after: u64| first + chrono::Days::new(after);
        let project = Project::with_logs(logs.iter().map(|(after, text)| (day(*after).to_string(), text.clone())));
        let today = day(at.max(*logs.keys().last().unwrap())).to_string();
        project.compact(&today);
        let ran = project.run(["check"]).today(&today).output();
        prop_assert_eq!((ran.exit, &*ran.err), (hipocampus::Exit::Done, ""), "{}", ran.out);
    }
}
