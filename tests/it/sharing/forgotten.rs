//! What one clone has forgotten, the others forget; what somebody saves again stays.

use std::fs;

use super::{Desk, HIPOCAMPUS, NOON, driver, transcript};
use crate::support::Project;

const LOG: &str = "memory/2026-03-15.md";
const TOMBSTONES: &str = "memory/.hipocampus.forgotten";
const LATER: &str = "2026-03-15T18:00:00+01:00";

fn import(desk: &Desk, clone: &str, words: &str) {
    let path = transcript(desk.dir.path(), "the-session", words);
    let mut command = desk.command(HIPOCAMPUS, clone, NOON);
    assert!(command.env("TRANSCRIPT_PATH", path).arg("compact").status().unwrap().success());
}

/// Every file of a clone's memory that says something.
fn saying(desk: &Desk, clone: &str, words: &str) -> Vec<String> {
    let folders = ["", "daily", "weekly", "monthly"].map(|folder| format!("memory/{folder}"));
    let files =
        folders.iter().filter_map(|folder| fs::read_dir(desk.path(clone).join(folder)).ok());
    let files = files.flatten().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let says =
        files.filter(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).contains(words));
    says.map(|path| path.display().to_string()).collect()
}

#[test]
fn a_session_that_one_clone_forgot_goes_from_the_other() {
    let desk = Desk::with_clones();
    import(&desk, "a", "Why does the zebra blink");
    import(&desk, "b", "Why does the zebra blink");
    desk.commit("b", "with the session");
    assert!(saying(&desk, "b", "zebra").len() > 3);
    // git has only the tombstones of `a`, and a log that is as it was: no driver is asked.
    desk.ok("a", NOON, &["forget", "the-session", "--yes"]);
    desk.commit("a", "forgotten");
    let from = desk.path("a");
    desk.merges("b", &["pull", "-q", "--no-edit", from.to_str().unwrap(), "main"]);
    assert!(desk.text(&format!("b/{LOG}")).contains("zebra"));
    let said = desk.ok("b", LATER, &["compact"]);
    assert!(said.contains("taken out: forgotten in another clone of this memory"), "{said}");
    assert_eq!(saying(&desk, "b", "zebra"), [""; 0]);
    desk.has_once("b", &["The first"]);
    assert!(desk.ok("b", LATER, &["compact"]).contains("nothing to do"));
    assert!(desk.run("b", LATER, &["check"]).status.success());
    // It does not come in again from the transcript that is still there, nor from a merge with what `b` had.
    import(&desk, "b", "Why does the zebra blink");
    let there = desk.path("b");
    desk.merges("a", &["pull", "-q", "--no-edit", there.to_str().unwrap(), "main"]);
    desk.ok("a", LATER, &["compact"]);
    for clone in ["a", "b"] {
        assert_eq!(saying(&desk, clone, "zebra"), [""; 0], "{clone}");
    }
}

#[test]
fn an_entry_goes_once_git_has_it_and_stays_where_it_is_saved_again() {
    let desk = Desk::with_clones();
    desk.ok("a", NOON, &["flush", "--topic", "The zebra", "-m", "decision: so it is"]);
    desk.ok("a", NOON, &["forget", "--match", "The zebra", "--yes"]);
    desk.commit("a", "forgotten");
    desk.says("b", 13, "The zebra");
    let log = desk.text(&format!("b/{LOG}"));
    let from = desk.path("a");
    desk.merges("b", &["pull", "-q", "--no-edit", from.to_str().unwrap(), "main"]);
    // What git does not have yet is not taken out.
    fs::write(desk.path(&format!("b/{LOG}")), format!("{log}\n## Not committed [project]\n- x\n"))
        .unwrap();
    desk.ok("b", LATER, &["compact"]);
    assert!(desk.text(&format!("b/{LOG}")).contains("## The zebra [project]"));
    assert!(desk.ok("b", LATER, &["status", "--all"]).contains("hipocampus forget --again"));
    let checked = desk.run("b", LATER, &["check"]);
    let found = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(!checked.status.success() && found.contains("hipocampus forget --again"), "{found}");
    desk.commit("b", "all of it");
    desk.ok("b", LATER, &["compact", "--full"]);
    assert_eq!(saying(&desk, "b", "zebra"), [""; 0]);
    assert!(desk.text(&format!("b/{LOG}")).contains("## Not committed [project]"));
    // Said again on purpose, it stays, in every clone.
    desk.ok("b", LATER, &["flush", "--topic", "The zebra", "-m", "decision: so it is"]);
    desk.commit("b", "again");
    desk.ok("b", LATER, &["compact", "--full"]);
    assert!(desk.run("b", LATER, &["check"]).status.success());
    let there = desk.path("b");
    desk.merges("a", &["pull", "-q", "--no-edit", there.to_str().unwrap(), "main"]);
    desk.ok("a", LATER, &["compact", "--full"]);
    for clone in ["a", "b"] {
        desk.has_once(clone, &["The first", "The zebra", "Not committed"]);
    }
    desk.ok("a", LATER, &["forget", "--match", "The zebra", "--yes"]);
    assert_eq!(saying(&desk, "a", "zebra"), [""; 0]);
}

#[test]
fn the_driver_leaves_out_what_either_side_forgot() {
    let desk = Desk::with_clones();
    desk.says("a", 13, "The zebra");
    desk.ok("a", NOON, &["forget", "--match", "The zebra", "--yes"]);
    desk.says("a", 14, "Said in a");
    desk.says("b", 13, "The zebra");
    let from = desk.path("a");
    desk.merges("b", &["pull", "-q", "--no-edit", from.to_str().unwrap(), "main"]);
    let log = desk.text(&format!("b/{LOG}"));
    assert!(!log.contains("zebra") && log.contains("## Said in a"), "{log}");
    // Of the tombstones beside the file nothing but what they cover is left out.
    let project = Project::new();
    project.write(TOMBSTONES, desk.text(&format!("a/{TOMBSTONES}")));
    let entry = "## The zebra [project]\n- decision: so it is\n";
    for (name, text) in [("base", ""), ("ours", "## A\n- x\n"), ("theirs", entry)] {
        project.write(name, text);
    }
    // git gives its files another name each time, so what a killed run left is nobody else's to remove.
    let left =
        ["..merge_file_abc.2147483647-0.hipocampus-tmp", ".notes.2147483647-0.hipocampus-tmp"];
    for name in left {
        project.write(name, "half");
    }
    let output = project.run(["merge-file", "base", "ours", "theirs", LOG]).output();
    assert!(output.err.is_empty(), "{}", output.err);
    assert_eq!(left.map(|name| project.has(name)), [false, true]);
    assert_eq!(project.text("ours"), "## A\n- x\n");
    let (_, merged, _) = driver(b"", b"## A\n- x\n", entry.as_bytes(), LOG);
    assert!(String::from_utf8(merged).unwrap().contains("zebra"));
}

#[test]
fn tombstones_of_a_copy_hold_here() {
    let entry = "## The zebra [project]\n- decision: z\n";
    let logs = [("2026-03-15", format!("## A [project]\n- x\n\n{entry}"))];
    let (here, there) = (Project::with_logs(logs.clone()), Project::with_logs(logs));
    here.compact("2026-03-15");
    let forgot = there.run(["forget", "--match", "zebra", "--yes"]).today("2026-03-15").output();
    assert!(forgot.err.is_empty(), "{}", forgot.err);
    let merged = here.run(["merge"]).arg(there.root()).today("2026-03-15").output();
    assert!(merged.err.is_empty(), "{}", merged.err);
    for file in [LOG, "memory/daily/2026-03-15.md", "memory/ROOT.md"] {
        assert!(!here.text(file).contains("zebra") && here.text(file).contains('A'), "{file}");
    }
    // In a memory that is not shared nothing goes by itself; what comes back is named.
    here.write(LOG, format!("## A [project]\n- x\n\n{entry}"));
    here.compact("2026-03-15");
    assert!(here.text(LOG).contains("zebra"));
    let checked = here.run(["check"]).today("2026-03-15").output();
    assert!(checked.out.contains("hipocampus forget --again"), "{}", checked.out);
    let fixed = here.run(["check", "--fix"]).today("2026-03-15").output();
    assert!(fixed.out.contains("hipocampus forget --again") && here.text(LOG).contains("zebra"));
    let again = here.run(["forget", "--again", "--yes"]).today("2026-03-15").output();
    assert!(again.out.contains("## The zebra [project]") && again.err.is_empty(), "{}", again.err);
    for file in [LOG, "memory/daily/2026-03-15.md", "memory/ROOT.md"] {
        assert!(!here.text(file).contains("zebra"), "{file}");
    }
}

#[test]
fn a_day_that_one_clone_forgets_is_no_conflict_where_another_goes_on() {
    let desk = Desk::with_clones();
    desk.ok("a", NOON, &["forget", "2026-03-15", "--yes"]);
    assert!(!desk.ok("a", NOON, &["compact"]).contains("error"));
    assert!(desk.run("a", NOON, &["check"]).status.success());
    desk.commit("a", "forgotten");
    let pull = |clone: &str, from: &str| {
        let from = desk.path(from);
        desk.merges(clone, &["pull", "-q", "--no-edit", from.to_str().unwrap(), "main"]);
    };
    desk.says("b", 13, "Said in b");
    desk.commit("b", "more of the day");
    pull("b", "a");
    desk.ok("b", LATER, &["compact"]);
    assert!(desk.run("b", LATER, &["check"]).status.success());
    desk.commit("b", "both");
    pull("a", "b");
    desk.ok("a", LATER, &["compact"]);
    assert_eq!(desk.memory("a"), desk.memory("b"));
    for clone in ["a", "b"] {
        desk.has_once(clone, &["Said in b"]);
        assert_eq!(saying(&desk, clone, "The first"), [""; 0]);
        let node = desk.text(&format!("{clone}/memory/daily/2026-03-15.md"));
        assert!(node.contains("Said in b"), "{node}");
    }
    // The other way round: forgotten where the day went on, and nothing is left of it.
    desk.ok("b", LATER, &["forget", "2026-03-15", "--yes"]);
    desk.commit("b", "all of it");
    desk.says("a", 17, "Said in a");
    desk.ok("a", LATER, &["forget", "--match", "Said in a", "--yes"]);
    desk.commit("a", "said and forgotten");
    pull("a", "b");
    pull("b", "a");
    for clone in ["a", "b"] {
        desk.ok(clone, LATER, &["compact"]);
        assert!(desk.ok(clone, LATER, &["compact"]).contains("nothing to do"));
        let checked = desk.run(clone, LATER, &["check"]);
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        assert_eq!(saying(&desk, clone, "Said in"), [""; 0]);
        let status = desk.ok(clone, LATER, &["status", "--all"]);
        assert!(!status.contains("day without a log"), "{status}");
    }
    assert_eq!(desk.memory("a"), desk.memory("b"));
}
