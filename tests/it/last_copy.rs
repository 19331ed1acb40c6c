//! A log that is gone takes nothing with it: its node is the last copy, and what a new log says is below it.

use hipocampus::Exit;

use crate::support::{Project, assert_same, entry};

const LOG: &str = "memory/2026-03-10.md";
const DAY: &str = "memory/daily/2026-03-10.md";
const WEEK: &str = "memory/weekly/2026-W11.md";
const MONTH: &str = "memory/monthly/2026-03.md";
const LINE: &str = "<!-- hipocampus:kept ";
const SUMMARY: &str =
    "## Topics\nTidal gates [project]\n\n## Key Decisions\n- gates: steel, by a model\n";

fn flush(project: &Project, today: &str, text: &str) {
    let output = project.run(["flush", "-m", text]).today(today).output();
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{}", output.out);
}

/// Each of them is once, and in this order, in the day's node and in the nodes above it.
fn assert_in_order(project: &Project, texts: &[&str]) {
    for node in [DAY, WEEK, MONTH] {
        let body = project.body(node);
        let at: Vec<_> = texts
            .iter()
            .map(|text| {
                assert_eq!(body.matches(text).count(), 1, "{text} in {node}:\n{body}");
                body.find(text).unwrap()
            })
            .collect();
        assert!(at.is_sorted(), "{node}:\n{body}");
    }
}

/// The nodes that `status` calls a last copy.
fn last_copies(project: &Project, today: &str) -> Vec<String> {
    let output = project.run(["status", "--json"]).today(today).output();
    let report: serde_json::Value = serde_json::from_str(&output.out).unwrap();
    let days = report["without_log"].as_array().unwrap();
    days.iter().map(|day| day.as_str().unwrap().to_owned()).collect()
}

/// The tenth, with a log of so many lines, and the day after it.
fn two_days(lines: usize) -> Project {
    let project = Project::with_logs([
        ("2026-03-10", entry("Tidal gates", lines)),
        ("2026-03-11", entry("Pattern fees", 5)),
    ]);
    project.compact("2026-03-11");
    project
}

#[test]
fn a_flush_on_a_day_whose_log_is_gone_keeps_what_the_node_says() {
    for lines in [5, 250] {
        for emptied in [false, true] {
            let project = two_days(lines);
            if emptied {
                project.write(LOG, "");
            } else {
                project.remove(LOG);
            }
            assert_eq!(last_copies(&project, "2026-03-11"), ["2026-03-10"]);
            let status = project.run(["status", "--all"]).today("2026-03-11").output();
            assert!(status.out.contains("day without a log: 2026-03-10"), "{}", status.out);
            let last = if lines == 5 { "Tidal gates, point 4" } else { "Tidal gates, point 249" };
            for text in ["a new pool", "a second pool"] {
                flush(&project, "2026-03-10", text);
                project.compact("2026-03-10");
                project.idle("2026-03-10");
            }
            assert_in_order(&project, &[last, LINE, "## a new pool", "## a second pool"]);
            assert!(project.body(WEEK).contains("Pattern fees"));
            project.compact("2026-06-01");
            for node in [DAY, WEEK, MONTH] {
                assert_eq!(project.status(node), "fixed", "{node}");
            }
            assert_in_order(&project, &[last, LINE, "## a new pool", "## a second pool"]);
            let before = project.tree();
            project.run(["compact", "--full"]).today("2026-06-01").quiet();
            assert_same(&before, &project.tree());
        }
    }
}

#[test]
fn a_log_that_somebody_writes_anew_does_not_replace_the_node() {
    let project = two_days(5);
    project.write(LOG, "## Service dues [project]\n- decision: raise them in May\n");
    project.compact("2026-03-11");
    assert_in_order(&project, &["Tidal gates, point 4", LINE, "raise them in May"]);
    project.append(LOG, "- outcome: done\n");
    project.compact("2026-03-12");
    assert_in_order(
        &project,
        &["Tidal gates, point 4", LINE, "raise them in May", "outcome: done"],
    );
    // The second time, too.
    project.remove(LOG);
    flush(&project, "2026-03-12", "elsewhere");
    project.write(LOG, "## Pilot boat [project]\n- request: who steers at night\n");
    project.compact("2026-03-12");
    let body = project.body(DAY);
    assert_eq!(body.matches(LINE).count(), 2, "{body}");
    for text in ["Tidal gates, point 4", "raise them in May", "who steers at night"] {
        assert!(body.contains(text), "{text}: {body}");
    }
    project.idle("2026-03-12");
}

#[test]
fn an_edited_log_is_followed_as_ever() {
    let project = two_days(9);
    let log = project.text(LOG);
    for edited in [
        log.replace("point 3", "point three"),
        log.split_inclusive('\n').filter(|line| !line.contains("point 3")).collect(),
        format!("# 2026-03-10\n\n{log}"),
        format!("{log}\n## More [project]\n- x\n"),
    ] {
        project.write(LOG, &edited);
        project.compact("2026-03-11");
        assert_eq!(project.body(DAY), edited);
    }
}

#[test]
fn a_log_that_comes_back_is_the_nodes_source_again() {
    for lines in [5, 250] {
        let project = two_days(lines);
        let (log, before) = (project.bytes(LOG), project.nodes());
        project.remove(LOG);
        project.compact("2026-03-11");
        assert_same(&before, &project.nodes());
        project.write(LOG, &log);
        project.compact("2026-03-11");
        assert_same(&before, &project.nodes());
        // A file that bears another name now is no loss.
        project.remove(LOG);
        project.write("memory/2026-03-10-0930.md", &log);
        project.compact("2026-03-11");
        assert!(!project.body(DAY).contains(LINE), "{}", project.body(DAY));
        assert_eq!(
            project.body(DAY),
            crate::support::body(std::str::from_utf8(&before["daily/2026-03-10.md"]).unwrap())
        );
    }
}

#[test]
fn one_of_two_logs_of_a_day_that_is_gone_stays_in_the_node() {
    for gone in ["0830", "1730"] {
        let project = Project::with_logs([
            ("2026-03-10-0830", entry("Morning page", 5)),
            ("2026-03-10-1730", entry("Evening page", 5)),
        ]);
        project.compact("2026-03-10");
        project.remove(&format!("memory/2026-03-10-{gone}.md"));
        project.compact("2026-03-10");
        assert_in_order(&project, &["Morning page, point 4", "Evening page, point 4", LINE]);
        project.idle("2026-03-10");
        let left = if gone == "0830" { "1730" } else { "0830" };
        project.append(&format!("memory/2026-03-10-{left}.md"), "- added\n");
        project.compact("2026-03-10");
        assert_in_order(
            &project,
            &["Morning page, point 4", "Evening page, point 4", LINE, "- added"],
        );
        assert_eq!(last_copies(&project, "2026-03-10"), ["2026-03-10"]);
    }
}

#[test]
fn a_models_summary_of_a_log_that_is_gone_is_kept_as_well() {
    let project = two_days(250);
    let head = project
        .text(DAY)
        .split_once("---\n\n")
        .unwrap()
        .0
        .replace("needs-summarization", "tentative");
    project.write(DAY, format!("{head}---\n\n{SUMMARY}"));
    project.compact("2026-03-11");
    project.remove(LOG);
    flush(&project, "2026-03-10", "a new pool");
    project.compact("2026-03-11");
    assert_in_order(&project, &["steel, by a model", LINE, "## a new pool"]);
    project.idle("2026-03-11");
    project.compact("2026-06-01");
    assert_eq!(project.status(DAY), "fixed");
}

#[test]
fn a_long_new_log_stands_below_as_an_extract_and_waits() {
    let project = two_days(5);
    project.remove(LOG);
    let long = entry("Service dues", 260);
    let output = project.run(["flush", "-m", &long]).today("2026-03-10").output();
    assert_eq!(output.exit, Exit::Done);
    assert_eq!(project.status(DAY), "needs-summarization");
    let body = project.body(DAY);
    assert!(body.contains("Tidal gates, point 4") && body.contains("it is an extract"), "{body}");
    project.idle("2026-03-10");
}

#[test]
fn a_long_day_whose_log_is_gone_waits_for_nothing() {
    let project = two_days(251);
    let today = "2026-06-01";
    project.compact(today);
    assert_eq!(
        (&*project.status(DAY), &*project.status(WEEK)),
        ("needs-summarization", "tentative")
    );
    let log = project.bytes(LOG);
    project.remove(LOG);
    project.compact(today);
    assert_eq!(project.run(["pending", "--json"]).today(today).output().out, "[]\n");
    let due = project.run(["status", "--due"]).today(today).output().out;
    assert!(due.starts_with("not due: no node waits"), "{due}");
    for node in [WEEK, MONTH] {
        assert_eq!(project.status(node), "fixed", "{node}");
    }
    let output = project.run(["summarize", "2026-03-10", "-"]).today(today).stdin("x").output();
    assert!(output.err.contains("what 2026-03-10 was made from is gone"), "{}", output.err);
    project.idle(today);
    // With its log it waits again.
    project.write(LOG, log);
    project.compact(today);
    assert_eq!(project.status(DAY), "needs-summarization");
}

#[test]
fn a_week_keeps_a_day_of_which_nothing_else_is_left() {
    let project = two_days(5);
    project.remove(LOG);
    project.remove(DAY);
    project.append("memory/2026-03-11.md", "- later\n");
    project.compact("2026-03-12");
    for node in [WEEK, MONTH] {
        let body = project.body(node);
        assert!(
            body.contains("Tidal gates, point 4") && body.contains("- later"),
            "{node}: {body}"
        );
    }
    assert_eq!(last_copies(&project, "2026-03-12"), ["2026-W11"]);
    project.idle("2026-03-12");
    // Who deletes the week's node, too, means it.
    project.remove(WEEK);
    project.compact("2026-03-12");
    assert!(!project.body(WEEK).contains("Tidal gates"));
}

/// Below what it kept, a week carries the extract of a day: that makes it none itself.
#[test]
fn a_week_that_carries_an_extract_below_a_last_copy_is_settled_at_once() {
    let today = "2026-03-18";
    let project = Project::with_logs([("2026-03-13", entry("Pattern fees", 5))]);
    project.compact(today);
    for gone in ["memory/2026-03-13.md", "memory/daily/2026-03-13.md"] {
        project.remove(gone);
        project.compact(today);
    }
    project.write(LOG, entry("Tidal gates", 231));
    project.compact(today);
    assert!(project.body(WEEK).contains(LINE));
    // Not only for a run that knows what the last one found.
    let full = project.run(["compact", "--full"]).today(today).output();
    assert_eq!(full.out, "hipocampus compact: nothing to do\n");
    assert_eq!(project.status(WEEK), "tentative");
}

#[test]
fn a_flush_into_a_fixed_week_whose_log_is_gone_reopens_it_and_loses_nothing() {
    let project = two_days(5);
    project.compact("2026-06-01");
    assert_eq!(project.status(MONTH), "fixed");
    project.remove(LOG);
    flush(&project, "2026-03-10", "a new pool");
    project.compact("2026-06-01");
    assert_in_order(&project, &["Tidal gates, point 4", LINE, "## a new pool"]);
    assert!(project.body(WEEK).contains("Pattern fees"));
    for node in [DAY, WEEK, MONTH] {
        assert_eq!(project.status(node), "fixed", "{node}");
    }
    project.idle("2026-06-01");
    // Asked to make the chain again, it still loses nothing.
    project.run(["compact", "--reopen", "2026-03-10"]).today("2026-06-01").quiet();
    assert_in_order(&project, &["Tidal gates, point 4", LINE, "## a new pool"]);
}

#[test]
fn the_line_in_a_log_of_somebodys_keeps_nothing() {
    let project = two_days(5);
    project.remove(LOG);
    flush(&project, "2026-03-10", "a new pool");
    let kept = project.body(DAY);
    let quoted = Project::with_logs([("2026-03-12", format!("- look at this\n{kept}"))]);
    quoted.compact("2026-03-12");
    assert!(last_copies(&quoted, "2026-03-12").is_empty());
    quoted.write("memory/2026-03-12.md", format!("- look at this\n{kept}").replace("pool", "pier"));
    quoted.compact("2026-03-12");
    assert!(!quoted.body("memory/daily/2026-03-12.md").contains("pool"));
}
