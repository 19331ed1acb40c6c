//! A run that has nothing to do opens nothing it knows and writes nothing at all.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use hipocampus::Exit;

use crate::support::{Project, assert_same, fixture, has_strace};

type Marks = BTreeMap<String, (i64, i64, u64, u64)>;

/// Time of change, size and inode of everything in a project, folders included.
fn marks(folder: &Path, marks: &mut Marks) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let meta = entry.metadata().unwrap();
        let mark = (
            meta.mtime_nsec() + meta.mtime() * 1_000_000_000,
            meta.ctime_nsec(),
            meta.size(),
            meta.ino(),
        );
        marks.insert(entry.path().display().to_string(), mark);
        if meta.is_dir() {
            self::marks(&entry.path(), marks);
        }
    }
}

fn devlog() -> Project {
    let project = Project::new();
    project.copy_from(&fixture("devlog"), "memory");
    project.write(
        "memory/ROOT.md",
        "---\ntype: root\nstatus: tentative\nlast-updated: 2020-01-01\n---\n\n## Topics Index\n",
    );
    project
}

#[test]
fn a_second_run_changes_no_time_of_any_file() {
    for today in ["2025-02-14", "2025-02-28", "2025-06-01"] {
        let project = devlog();
        project.compact(today);
        let mut before = Marks::new();
        marks(project.root(), &mut before);
        assert!(before.len() > 150);
        for _ in 0..2 {
            project.idle(today);
            assert_eq!(project.run(["compact", "--dry-run"]).today(today).quiet(), "nothing to do");
        }
        let mut after = Marks::new();
        marks(project.root(), &mut after);
        assert_eq!(before, after);
    }
}

#[test]
fn the_next_day_writes_only_what_the_date_changed() {
    let project = devlog();
    project.compact("2025-05-01");
    let before = project.nodes();
    let line = project.compact("2025-05-02");
    assert!(!line.contains("daily"), "{line}");
    assert_same(&before, &project.nodes());
}

/// Changes a byte of a file and puts its time back: what no look at names, sizes and times can tell.
fn poison(project: &Project, path: &str) {
    let mut bytes = project.bytes(path);
    let at = bytes.len() - 2;
    bytes[at] = if bytes[at] == b'Z' { b'Y' } else { b'Z' };
    let times = fs::metadata(project.path(path)).unwrap();
    let times = FileTimes::new().set_modified(times.modified().unwrap());
    fs::write(project.path(path), bytes).unwrap();
    let file = File::options().write(true).open(project.path(path)).unwrap();
    file.set_times(times).unwrap();
}

#[test]
fn known_files_are_not_opened_and_full_opens_them() {
    let project = devlog();
    project.compact("2025-02-14");
    let (log, node) = ("memory/2025-02-13.md", "memory/daily/2025-02-10.md");
    poison(&project, log);
    poison(&project, node);
    project.idle("2025-02-14");
    assert_eq!(project.run(["compact", "--dry-run"]).today("2025-02-14").quiet(), "nothing to do");
    let line = project.run(["compact", "--full"]).today("2025-02-14").quiet();
    assert_eq!(line, "daily nodes updated, weekly nodes updated, monthly nodes updated");
    assert!(project.body("memory/daily/2025-02-13.md").trim_end().ends_with('Z'));
    assert!(project.body(node).trim_end().ends_with('Z'), "a person may have written that");
    project.idle("2025-02-14");
}

#[test]
fn a_new_time_alone_refreshes_the_cache_and_nothing_else() {
    let project = devlog();
    project.compact("2025-02-14");
    let tree = project.tree();
    let cache = project.bytes("memory/.hipocampus.cache");
    let log = project.path("memory/2025-02-13.md");
    let times = FileTimes::new().set_modified(std::time::SystemTime::UNIX_EPOCH);
    File::options().write(true).open(&log).unwrap().set_times(times).unwrap();
    project.idle("2025-02-14");
    assert_same(&tree, &project.tree());
    assert_ne!(cache, project.bytes("memory/.hipocampus.cache"));
    poison(&project, "memory/2025-02-13.md");
    project.idle("2025-02-14");
}

/// The files below a project that a process opens, as `strace` sees it; `None` where there is no strace.
fn opened(project: &Project, today: &str) -> Option<Vec<String>> {
    if !has_strace() {
        return None;
    }
    let trace = project.path("trace");
    let run = Command::new("strace")
        .args([
            "-f",
            "-qq",
            "-e",
            "trace=openat,open,creat,rename,renameat,renameat2,unlinkat,utimensat",
            "-o",
        ])
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_hipocampus"))
        .args(["compact", "-C"])
        .arg(project.root())
        .env("HIPOCAMPUS_NOW", format!("{today}T12:00:00Z"))
        .env_remove("CLAUDE_PROJECT_DIR")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(String::from_utf8_lossy(&run.stdout), "hipocampus compact: nothing to do\n");
    let text = fs::read_to_string(&trace).unwrap();
    project.remove("trace");
    let wanted = |line: &&str| {
        line.contains(".md") || line.contains("hipocampus") || line.contains("O_CREAT")
    };
    Some(text.lines().filter(wanted).map(str::to_owned).collect())
}

#[test]
fn the_system_calls_of_an_idle_run_name_no_log_and_no_node() {
    let project = devlog();
    project.compact("2025-02-14");
    let Some(calls) = opened(&project, "2025-02-14") else { return };
    let own = |call: &String| {
        ["hipocampus.config.json", ".hipocampus.cache", ".hipocampus.lock"]
            .iter()
            .any(|name| call.contains(name))
            || call.contains("O_DIRECTORY")
            || !call.contains(".md")
    };
    assert!(calls.iter().any(|call| call.contains(".hipocampus.cache")), "{calls:#?}");
    assert!(calls.iter().all(own), "{calls:#?}");
    assert!(
        !calls.iter().any(|call| call.contains("rename") || call.contains("unlink")),
        "{calls:#?}"
    );
}

#[test]
fn an_idle_run_on_open_weeks_that_wait_opens_nothing_either() {
    let project = Project::new();
    for day in 1..=28 {
        let log = crate::support::entry("Long", 260);
        project.write(&format!("memory/2026-02-{day:02}.md"), log);
    }
    project.compact("2026-06-01");
    assert_eq!(project.status("memory/daily/2026-02-17.md"), "needs-summarization");
    project.idle("2026-06-01");
    for day in ["2026-02-03", "2026-02-17"] {
        poison(&project, &format!("memory/{day}.md"));
        poison(&project, &format!("memory/daily/{day}.md"));
    }
    project.idle("2026-06-01");
    // Nor does the first run of another day, beyond what the date settles.
    project.idle("2026-06-02");
    let output = project.run(["compact", "--full"]).today("2026-06-02").output();
    assert_eq!(output.exit, Exit::Done);
    assert!(output.out.contains("nodes updated"), "{output:?}");
}

/// The files that a hook opens which is told of a session.
fn opened_by_hook(project: &Project, transcript: &Path) -> String {
    let trace = project.path("trace");
    let input = serde_json::json!({
        "session_id": "0b1c2d3e-aaaa-4bbb-8ccc-0123456789ab", "hook_event_name": "Stop", "transcript_path": transcript,
    });
    std::fs::write(project.path("input"), input.to_string()).unwrap();
    let status = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=openat,open", "-o"])
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_hipocampus"))
        .args(["compact", "--stdin", "-C"])
        .arg(project.root())
        .stdin(File::open(project.path("input")).unwrap())
        .env("HIPOCAMPUS_NOW", "2026-03-15T12:00:00Z")
        .env_remove("CLAUDE_PROJECT_DIR")
        .status()
        .unwrap();
    assert!(status.success());
    let text = fs::read_to_string(&trace).unwrap();
    project.remove("trace");
    project.remove("input");
    text
}

#[test]
fn a_hook_without_news_asks_for_no_proven_values() {
    if !has_strace() {
        return;
    }
    let project = devlog();
    let value = ["Marmelade", "99x"].concat();
    // What a block begins and ends with is compared by itself, so these hold no secret.
    let turns = ["open the service gate", &format!("DB_PASSWORD={value}"), "and close it again"];
    let record = |(minute, text): (usize, &&str)| {
        let record = serde_json::json!({
            "type": "user", "uuid": format!("turn-{minute}"), "sessionId": "0b1c2d3e-aaaa-4bbb-8ccc-0123456789ab",
            "timestamp": format!("2026-03-15T10:0{minute}:00.000Z"),
            "message": {"role": "user", "content": text},
        });
        format!("{record}\n")
    };
    let transcript = project.path("said.jsonl");
    fs::write(&transcript, turns.iter().enumerate().map(record).collect::<String>()).unwrap();
    let first = opened_by_hook(&project, &transcript);
    assert!(first.contains(".hipocampus.proven"), "{first}");
    assert!(project.has("memory/.hipocampus.proven"));
    let second = opened_by_hook(&project, &transcript);
    assert!(second.contains("said.jsonl"), "{second}");
    assert!(!second.contains(".hipocampus.proven"), "{second}");
}
