//! What is there and cannot be read is not gone, and a copy of a project is a project.

use std::fs;
use std::os::unix::fs::symlink;

use crate::desk::Desk;

const RECORD: &str = r#"{"type":"user","sessionId":"4e1d7f0a-1111-2222-3333-444455556666","uuid":"aaaaaaaa-0123-4567-89ab-aaaaaaaaaaaa","timestamp":"2026-03-14T10:00:00Z","message":{"role":"user","content":"why does the page gauge drift"}}"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    fs::write(desk.beside("s.jsonl"), format!("{RECORD}\n")).unwrap();
    let path = desk.beside("s.jsonl").display().to_string();
    let ran = desk.run_args(&["hipocampus", "import", "--yes", &path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    desk
}

#[test]
fn a_log_that_cannot_be_read_is_not_gone() {
    let desk = desk();
    let log = desk.root().join("memory/2026-03-14.md");
    fs::rename(&log, desk.beside("kept.md")).unwrap();
    // No link is followed, whoever asks.
    symlink(desk.beside("kept.md"), &log).unwrap();
    let ran = desk.run("check");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("memory/2026-03-14.md: cannot be read"), "{}", ran.out);
    assert!(!ran.out.contains("is gone") && !ran.out.contains("delete"), "{}", ran.out);
    fs::remove_file(&log).unwrap();
    let ran = desk.run("check");
    assert!(
        ran.out.contains("the log that it belongs to, `2026-03-14.md`, is gone"),
        "{}",
        ran.out
    );
}

#[test]
fn a_copy_of_a_project_has_no_fault() {
    let desk = desk();
    let copy = desk.beside("copy");
    let done = std::process::Command::new("cp").arg("-a").arg(desk.root()).arg(&copy).status();
    assert!(done.unwrap().success());
    let here = desk.run("check");
    let there = desk.run_in(&copy, &["hipocampus", "check"]);
    assert_eq!((there.code, &there.out), (here.code, &here.out), "{}", there.err);
    assert!(!there.out.contains("installed.json"), "{}", there.out);
}

#[test]
fn the_day_that_is_named_is_the_nearest() {
    let desk = desk();
    desk.ok("flush -m words");
    for (asked, nearest) in [
        ("2026-03-10", "2026-03-14"),
        ("2026-03-20", "2026-03-15"),
        ("2025-01-01", "2026-03-14"),
        ("2027-01-01", "2026-03-15"),
    ] {
        let ran = desk.run(&format!("show {asked}"));
        assert_eq!(ran.code, 1);
        assert!(
            ran.err.contains(&format!("the nearest day with a log is {nearest}")),
            "{}",
            ran.err
        );
    }
    desk.write("memory/2026-03-04.md", "## A [project]\n- b\n");
    let nearest = |asked: &str| desk.run(&format!("show {asked}")).err;
    assert!(nearest("2026-03-10").contains("is 2026-03-14"), "{}", nearest("2026-03-10"));
    assert!(nearest("2026-03-07").contains("is 2026-03-04"), "{}", nearest("2026-03-07"));
}
