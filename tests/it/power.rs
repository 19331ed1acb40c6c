//! A full disk, a power cut, two runs at once: as seen from outside the process, with `strace`.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hipocampus::internals::hash;
use serde_json::json;

use crate::desk::Desk;
use crate::support::{Project, has_strace};

const HIPOCAMPUS: &str = env!("CARGO_BIN_EXE_hipocampus");

fn command(program: &str, args: &[&str], dir: &std::path::Path) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(dir);
    command.env("HIPOCAMPUS_NOW", "2026-03-15T12:00:00Z").env_remove("CLAUDE_PROJECT_DIR");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The calls of a run as `strace -y` prints them; `None` where there is no strace.
fn calls(args: &[&str], dir: &std::path::Path, strace: &[&str]) -> Option<(Vec<String>, String)> {
    if !has_strace() {
        return None;
    }
    let trace = tempfile::NamedTempFile::new().unwrap();
    let path = trace.path().to_str().unwrap();
    let all = [&["-f", "-qq", "-y", "-o", path], strace, &["--", HIPOCAMPUS], args].concat();
    let output = command("strace", &all, dir).output().unwrap();
    let lines = fs::read_to_string(trace.path()).unwrap().lines().map(str::to_owned).collect();
    Some((lines, String::from_utf8(output.stderr).unwrap()))
}

#[test]
fn copies_are_on_disk_under_their_names_before_the_file_they_save_changes() {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "# mine\n");
    let args = ["init", "--no-search", "--platform", "claude-code"];
    let only = ["-e", "trace=fsync,renameat2"];
    let Some((calls, _)) = calls(&args, &desk.root(), &only) else { return };
    let exchange = calls.iter().position(|call| call.contains("RENAME_EXCHANGE")).unwrap();
    let named = |end: &str| calls.iter().position(|call| call.contains(end)).unwrap();
    let synced = |folder: &str, from: usize| {
        let is = |call: &String| call.contains("fsync(") && call.contains(&format!("{folder}>)"));
        calls[from..exchange].iter().any(is)
    };
    assert!(synced("/.hipocampus/backup", named("\"CLAUDE.md\"")), "{calls:#?}");
    assert!(synced("/.hipocampus", named("\"installed.json\"")), "{calls:#?}");
    let root = desk.root().canonicalize().unwrap();
    let root = root.file_name().unwrap().to_str().unwrap();
    let is = |call: &String| call.contains("fsync(") && call.contains(&format!("/{root}>)"));
    assert!(calls[exchange..].iter().any(is), "{calls:#?}");
}

#[test]
fn a_new_log_is_on_disk_under_its_name() {
    let project = Project::new();
    let only = ["-e", "trace=fsync"];
    let Some((found, _)) = calls(&["flush", "-m", "kept"], project.root(), &only) else { return };
    assert!(found.iter().any(|call| call.contains("/memory>)")), "{found:#?}");
    // The name is there by now, so the bytes are enough.
    let again = calls(&["flush", "-m", "kept as well"], project.root(), &only).unwrap().0;
    assert!(again.len() < found.len(), "{again:#?}");
}

#[test]
fn a_disk_that_is_full_is_told_even_if_only_the_cache_suffers() {
    let caches = ["memory/.hipocampus.cache-root", "memory/.hipocampus.cache"];
    // Nodes are new files and do not get their names by this call.
    for (cache, full) in caches.into_iter().zip(["1", "2"]) {
        let project = Project::with_logs([("2026-03-14", "## Topic [project]\n- point\n")]);
        let full = ["-e", &format!("inject=renameat:error=ENOSPC:when={full}")];
        let Some((_, err)) = calls(&["compact"], project.root(), &full) else { return };
        assert!(err.contains("not kept: no space left on device"), "{cache}: {err}");
        assert!(!project.has(cache));
        assert!(project.has("memory/daily/2026-03-14.md"));
        let left = fs::read_dir(project.path("memory")).unwrap();
        let left = left.filter(|entry| {
            entry.as_ref().unwrap().file_name().to_string_lossy().ends_with("-tmp")
        });
        assert_eq!(left.count(), 0);
    }
}

#[test]
fn a_second_init_waits_for_the_first() {
    let desk = Desk::new();
    let first = File::open(desk.root()).unwrap();
    first.lock().unwrap();
    let args = ["init", "--no-search", "--platform", "codex"];
    let mut second = command(HIPOCAMPUS, &args, &desk.root()).spawn().unwrap();
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(300) {
        assert!(second.try_wait().unwrap().is_none());
        assert!(!desk.has("hipocampus.config.json"));
        std::thread::sleep(Duration::from_millis(20));
    }
    first.unlock().unwrap();
    assert!(second.wait().unwrap().success());
    assert!(desk.has("hipocampus.config.json"));
}

#[test]
fn inits_at_once_set_up_every_client() {
    let desk = Desk::new();
    let ids = ["claude-code", "codex", "openclaw", "opencode"];
    let run = |id: &&str| {
        let args = ["init", "--no-search", "--platform", id];
        command(HIPOCAMPUS, &args, &desk.root()).spawn().unwrap()
    };
    let running: Vec<_> = ids.iter().map(run).collect();
    for run in running {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let config: serde_json::Value =
        serde_json::from_str(&desk.read("hipocampus.config.json")).unwrap();
    let mut listed: Vec<_> =
        config["platforms"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    listed.sort_unstable();
    assert_eq!(listed, ids);
    desk.ok("uninstall");
    assert!(desk.tree().is_empty(), "{:#?}", desk.tree());
}

#[test]
fn a_copy_that_a_power_cut_took_is_made_again_before_the_file_changes() {
    let desk = Desk::new();
    desk.write("CLAUDE.md", "# mine\n");
    desk.ok("init --no-search --platform claude-code");
    // As if the ledger had reached the disk, the copy and everything after it not.
    desk.write("CLAUDE.md", "# mine\n");
    fs::remove_file(desk.root().join(".hipocampus/backup/CLAUDE.md")).unwrap();
    desk.ok("init --no-search --platform claude-code");
    assert_ne!(desk.read("CLAUDE.md"), "# mine\n");
    assert_eq!(desk.read(".hipocampus/backup/CLAUDE.md"), "# mine\n");
}

#[test]
fn what_is_appended_while_an_editor_saves_by_rename_is_there() {
    let project = Project::new();
    let log = "memory/2026-03-15.md";
    project.write(log, "## Theirs\n");
    // The write waits long enough for the editor to come in between.
    let slow = ["-qq", "-o", "/dev/null", "-e", "inject=write:delay_enter=1500000:when=1"];
    let args = [&slow[..], &["--", HIPOCAMPUS, "flush", "-m", "kept"]].concat();
    if !has_strace() {
        return;
    }
    let run = command("strace", &args, project.root()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    project.write("memory/saved", "## Theirs\n- more\n");
    fs::rename(project.path("memory/saved"), project.path(log)).unwrap();
    assert!(run.wait_with_output().unwrap().status.success());
    let text = project.text(log);
    assert!(text.contains("- more\n") && text.contains("kept"), "{text}");
    assert_eq!(text.matches("\nkept\n").count(), 1, "{text}");
}

#[test]
fn an_editor_that_saves_while_turns_come_in_costs_none_of_them() {
    let project = Project::new();
    let log = "memory/2026-03-15.md";
    let transcript = project.path("s.jsonl");
    let path = transcript.to_str().unwrap();
    let hook = json!({"hook_event_name": "PreCompact", "session_id": "s", "transcript_path": path});
    project.write("hook", hook.to_string());
    let turn = |number: usize| {
        let message = json!({"role": "user", "content": format!("turn {number} END")});
        let (id, time) = (format!("u{number}"), "2026-03-15T10:00:00Z");
        let record = json!({
            "type": "user", "sessionId": "s", "uuid": id, "timestamp": time, "message": message,
        });
        project.append("s.jsonl", format!("{record}\n"));
    };
    let hook = |program: &str, args: &[&str]| {
        let mut command = command(program, args, project.root());
        command.stdin(File::open(project.path("hook")).unwrap()).spawn()
    };
    let run =
        || assert!(hook(HIPOCAMPUS, &["compact", "--stdin"]).unwrap().wait().unwrap().success());
    turn(0);
    run();
    let old = project.bytes(log);
    turn(1);
    run();
    turn(2);
    // Every write waits, the second one of them, to the log, long enough for the editor to come in between.
    let slow = ["-qq", "-o", "/dev/null", "-e", "inject=write:delay_enter=400000"];
    let args = [&slow[..], &["--", HIPOCAMPUS, "compact", "--stdin"]].concat();
    if !has_strace() {
        return;
    }
    let mut slow = hook("strace", &args).unwrap();
    std::thread::sleep(Duration::from_millis(600));
    project.write("memory/saved", [&old[..], b"\n## Theirs\n"].concat());
    fs::rename(project.path("memory/saved"), project.path(log)).unwrap();
    assert!(slow.wait().unwrap().success());
    run();
    let text = project.text(log);
    for number in 0..3 {
        let times = text.matches(&format!("turn {number} END")).count();
        assert_eq!(times, 1, "turn {number}: {text}");
    }
    assert!(text.contains("## Theirs"));
}

#[test]
fn a_summary_that_lost_its_place_in_a_killed_run_comes_back() {
    let project = Project::with_logs([("2026-03-10", "## Pages [project]\n- x\n")]);
    project.compact("2026-03-15");
    let node = "memory/weekly/2026-W11.md";
    let (made, theirs) =
        (project.text(node), "---\nstatus: tentative\n---\n\n## Topics\nthe pages\n");
    let [was, new] = ["what the run had seen", &made].map(|text| hash(text.as_bytes()));
    // Between the exchange and the look at what was displaced, which turns out to be another text by then.
    let aside = format!("memory/weekly/.2026-W11.md.{was:016x}-{new:016x}.hipocampus-was");
    project.write(&aside, theirs);
    project.run(["compact", "--full"]).today("2026-03-15").output();
    assert!(project.text(node).ends_with("## Topics\nthe pages\n"), "{}", project.text(node));
    assert!(!project.path(&aside).exists());
}
