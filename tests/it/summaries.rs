//! From when on a model is asked for summaries, and what a new version of the extract makes anew.

use xxhash_rust::xxh3::xxh3_64;

use crate::desk::{Desk, npm_project};
use crate::support::{Project, assert_same, entry};

const DAY: &str = "memory/daily/2026-03-10.md";
const WEEK: &str = "memory/weekly/2026-W11.md";
const MONTH: &str = "memory/monthly/2026-03.md";
const CONFIG: &str = "hipocampus.config.json";
const SUMMARY: &str =
    "## Topics\nAuth [project]\n\n## Key Decisions\n- Auth: cookies, by a model\n";

fn due(project: &Project, today: &str) -> String {
    project.run(["status", "--due"]).today(today).output().out
}

fn long_day(config: &str) -> Project {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 250))]);
    project.write(CONFIG, config);
    project
}

#[test]
fn what_ended_before_summaries_began_is_settled_by_its_extract() {
    let project = long_day("{\"summaries\": {\"since\": \"2026-03-11\"}}\n");
    project.compact("2026-05-01");
    for node in [DAY, WEEK, MONTH] {
        // The month goes on beyond that day, and has 200 lines: it is a copy.
        assert_eq!(project.status(node), "fixed", "{node}");
    }
    assert!(project.body(DAY).contains("it is an extract"));
    assert!(due(&project, "2026-05-01").starts_with("not due: no node waits"));
    project.idle("2026-05-01");
    // Asked for from an earlier day on, it waits after all.
    project.write(CONFIG, "{\"summaries\": {\"since\": \"2026-03-10\"}}\n");
    project.compact("2026-05-01");
    assert_eq!(project.status(DAY), "needs-summarization");
    assert!(due(&project, "2026-05-01").starts_with("due: "));
}

/// Has to stay as it is, however it is looked at.
fn stays_marked(project: &Project, node: &str, today: [&str; 2]) {
    let before = project.nodes();
    for (today, flag) in [(today[0], "--full"), (today[1], "--full")] {
        project.run(["compact", flag]).today(today).quiet();
        assert_eq!(project.status(node), "needs-summarization", "{today}");
    }
    project.remove("memory/.hipocampus.cache");
    project.idle(today[1]);
    assert_same(&before, &project.nodes());
}

#[test]
fn a_text_of_before_that_which_went_stale_stays_marked_until_it_is_replaced() {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 3))]);
    project.write(CONFIG, "{\"summaries\": {\"since\": \"2026-03-12\"}}\n");
    project.compact("2026-03-12");
    project.append(DAY, "- a person's line\n");
    project.compact("2026-03-12");
    assert_eq!(project.status(DAY), "fixed");
    project.append("memory/2026-03-10.md", "- decision: late\n");
    project.compact("2026-03-12");
    stays_marked(&project, DAY, ["2026-03-12", "2026-03-13"]);
    let listed = project.run(["pending"]).today("2026-03-13").output().out;
    assert!(listed.starts_with("2026-03-10  stale  5 lines"), "{listed}");
    let told = project.run(["status", "--all"]).today("2026-03-13").output().out;
    assert!(told.contains("2026-03-10     4 lines"), "{told}");
    assert!(due(&project, "2026-03-13").starts_with("not due: no node waits"));
    // Whoever repairs it says so in its head.
    project.write(DAY, project.text(DAY).replace("needs-summarization", "tentative"));
    project.compact("2026-03-13");
    assert_eq!(project.status(DAY), "fixed");
}

#[test]
fn a_summary_of_before_that_which_went_stale_is_offered() {
    let project = long_day("{\"summaries\": {\"since\": \"2026-03-12\"}}\n");
    project.compact("2026-03-12");
    let hand_in = || {
        let run = project.run(["summarize", "2026-03-10"]).today("2026-03-12");
        assert_eq!(run.stdin(super::summarize::GOOD).output().exit, hipocampus::Exit::Done);
    };
    hand_in();
    assert_eq!(project.status(DAY), "fixed");
    project.append("memory/2026-03-10.md", "- decision: late\n");
    project.compact("2026-03-12");
    stays_marked(&project, DAY, ["2026-03-12", "2026-03-13"]);
    assert!(due(&project, "2026-03-13").starts_with("due: "));
    hand_in();
    assert_eq!(project.status(DAY), "fixed");
    assert!(due(&project, "2026-03-13").starts_with("not due: no node waits"));
}

#[test]
fn an_edited_week_of_before_that_which_was_opened_again_stays_marked() {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 3))]);
    project.write(CONFIG, "{\"summaries\": {\"since\": \"2026-05-01\"}}\n");
    project.compact("2026-05-01");
    project.append(WEEK, "- a person's line\n");
    project.compact("2026-05-01");
    project.append("memory/2026-03-10.md", "- decision: late\n");
    project.run(["compact", "--reopen", "2026-03-10"]).today("2026-05-01").quiet();
    stays_marked(&project, WEEK, ["2026-05-01", "2026-05-02"]);
}

#[test]
fn an_extract_of_an_open_day_before_that_is_tentative_and_follows_its_log() {
    let project = long_day("{\"summaries\": {\"since\": \"2026-03-11\"}}\n");
    project.compact("2026-03-10");
    assert_eq!(project.status(DAY), "tentative");
    project.append("memory/2026-03-10.md", "\n## Late [project]\n- decision: late\n");
    project.compact("2026-03-12");
    assert!(project.body(DAY).contains("Late [project]"));
    assert_eq!(project.status(DAY), "fixed");
}

#[test]
fn switched_off_no_summary_is_ever_due() {
    let project = long_day("{\"summaries\": {\"mode\": \"off\"}}\n");
    project.compact("2026-05-01");
    assert_eq!(due(&project, "2026-05-01"), "not due: `summaries.mode` is `off`\n");
    project.write(CONFIG, "{\"summaries\": {\"mode\": \"due\"}}\n");
    assert!(due(&project, "2026-05-01").starts_with("due: "));
}

#[test]
fn init_writes_down_the_day_and_keeps_one_that_stands_there() {
    let since = |desk: &Desk| {
        let config: serde_json::Value = serde_json::from_str(&desk.read(CONFIG)).unwrap();
        config["summaries"]["since"].as_str().unwrap().to_owned()
    };
    let desk = Desk::new();
    desk.ok("init --platform claude-code --no-search");
    assert_eq!(since(&desk), "2026-03-15");
    desk.write(CONFIG, desk.read(CONFIG).replace("2026-03-15", "2025-11-01"));
    desk.ok("init --platform claude-code --no-search");
    assert_eq!(since(&desk), "2025-11-01");
    // A project of the npm tool begins when it is taken over.
    let desk = Desk::new();
    npm_project(&desk, "claude-code-existing");
    desk.ok("update");
    assert_eq!(since(&desk), "2026-03-15");
}

#[test]
fn a_config_that_names_no_date_or_no_mode_is_told() {
    for (summaries, what) in [
        ("{\"since\": \"soon\"}", "`soon` is no date"),
        ("{\"mode\": \"maybe\"}", "unknown variant `maybe`, expected `due` or `off`"),
    ] {
        let project = long_day(&format!("{{\"summaries\": {summaries}}}\n"));
        let output = project.run(["compact"]).today("2026-05-01").output();
        assert!(output.err.contains(what), "{}", output.err);
        assert!(!project.has(DAY));
    }
}

/// The text of an extract as another version would have written it.
const OLD: &str = "an older extract\n";

/// Puts an extract of another text in a node. Its key is that of this version, or of another one.
fn age(project: &Project, node: &str, text: &str, another_version: bool) {
    let head = project.text(node).split_once("---\n\n").unwrap().0.to_owned();
    let mark = project.head(node, "fingerprint").unwrap();
    let sources = u64::from_str_radix(&mark[2..18], 16).unwrap();
    let sources = if another_version { sources ^ 0x80 } else { sources };
    let new = format!("s:{sources:016x}/b:{:016x}", xxh3_64(text.as_bytes()));
    project.write(node, format!("{}---\n\n{text}", head.replace(&mark, &new)));
}

#[test]
fn an_extract_of_another_version_is_written_again_once() {
    let project = long_day("{}\n");
    project.compact("2026-05-01");
    let before = project.nodes();
    age(&project, DAY, OLD, true);
    project.compact("2026-05-01");
    assert_same(&before, &project.nodes());
    project.idle("2026-05-01");
}

#[test]
fn a_fixed_one_too_and_the_fixed_copies_of_it_follow() {
    let project = long_day("{\"summaries\": {\"since\": \"2026-04-01\"}}\n");
    project.compact("2026-03-10");
    // What an older version did until everything was fixed.
    age(&project, DAY, OLD, false);
    project.compact("2026-05-01");
    for node in [DAY, WEEK, MONTH] {
        assert!(project.body(node).contains(OLD), "{node}");
        assert_eq!(project.status(node), "fixed", "{node}");
    }
    project.idle("2026-05-01");
    age(&project, DAY, OLD, true);
    project.compact("2026-05-01");
    for node in [DAY, WEEK, MONTH] {
        assert!(!project.body(node).contains(OLD), "{node}");
        assert!(project.body(node).contains("Auth [project]"), "{node}");
        assert_eq!(project.status(node), "fixed", "{node}");
    }
    project.idle("2026-05-01");
}

#[test]
fn a_models_text_is_not_touched_by_a_version() {
    // A summary of the day under the key of another version.
    let project = long_day("{}\n");
    project.compact("2026-03-10");
    age(&project, DAY, OLD, true);
    let head = project.text(DAY).replace("needs-summarization", "tentative");
    project.write(DAY, head.replace(OLD, SUMMARY));
    project.compact("2026-05-01");
    assert_eq!((project.body(DAY), project.status(DAY)), (SUMMARY.to_owned(), "fixed".to_owned()));
    project.idle("2026-05-01");

    // A summary of a week with an extract of another version in it.
    let project = long_day("{\"summaries\": {\"since\": \"2026-03-11\"}}\n");
    project.compact("2026-03-10");
    age(&project, DAY, OLD, false);
    project.compact("2026-03-12");
    let head = project.text(WEEK).split_once("---\n\n").unwrap().0.to_owned();
    project.write(WEEK, format!("{head}---\n\n{SUMMARY}"));
    project.compact("2026-03-12");
    age(&project, DAY, OLD, true);
    for today in ["2026-03-12", "2026-03-12", "2026-03-13"] {
        project.compact(today);
        assert!(!project.body(DAY).contains(OLD));
        let found = (project.body(WEEK), project.status(WEEK));
        assert_eq!(found, (SUMMARY.to_owned(), "tentative".to_owned()));
    }
    // Its sources themselves still make it stale.
    project.append("memory/2026-03-10.md", "\n## Late [project]\n");
    project.compact("2026-03-13");
    assert_eq!(project.status(WEEK), "needs-summarization");
}
