//! Who wrote a node decides what may be done with it: the machine's text follows its sources, nobody else's
//! is ever overwritten.

use std::os::unix::fs::symlink;
use std::process::Command;

use hipocampus::Exit;

use crate::support::{Project, Tree, assert_same, entry, head};

const DAY: &str = "memory/daily/2026-03-10.md";
const WEEK: &str = "memory/weekly/2026-W11.md";
const MONTH: &str = "memory/monthly/2026-03.md";
const LOG: &str = "memory/2026-03-10.md";
const SUMMARY: &str = "## Topics\nauth [project], billing [project]\n\n## Key Decisions\n- auth: cookies, by a model\n";

/// A memory whose tenth of March is too long, on that evening.
fn long_day() -> Project {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 250))]);
    project.compact("2026-03-10");
    assert_eq!(project.status(DAY), "needs-summarization");
    project
}

#[test]
fn a_summary_that_begins_with_a_rule_is_text_from_its_first_byte() {
    for text in [
        "---\nWe chose cookies.\n---\n\n## Topics\nauth [project]\n",
        "---\n## Topics\nauth: cookies [project]\n---\nWe chose cookies.\n",
        "---\n\nWe decided today: cookies.\n\n---\n",
    ] {
        let project = long_day();
        project.write(DAY, text);
        project.compact("2026-03-12");
        assert_eq!(project.body(DAY), text);
        assert!(project.body(WEEK).contains(text), "{}", project.body(WEEK));
        project.idle("2026-03-12");
        project.compact("2026-06-01");
        assert_eq!((project.body(DAY), project.status(DAY)), (text.to_owned(), "fixed".to_owned()));
    }
}

/// Keys of a head with their new values; without one they are dropped.
type Edit<'a> = &'a [(&'a str, Option<&'a str>)];

/// A node's head with some keys changed or dropped, above another text.
fn rewritten(node: &str, edit: Edit<'_>, text: &str) -> String {
    let mut file = "---\n".to_owned();
    for line in node.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0.lines() {
        let key = line.split_once(':').unwrap().0;
        match edit.iter().find(|(edited, _)| *edited == key) {
            Some((_, None)) => {}
            Some((_, Some(value))) => file.extend([key, ": ", value, "\n"]),
            None => file.extend([line, "\n"]),
        }
    }
    file + "---\n\n" + text
}

/// Puts a model's text in the place of a node, as its head is after the edits.
fn summarise(project: &Project, path: &str, edit: Edit<'_>, text: &str) {
    let file = rewritten(&project.text(path), edit, text);
    project.write(path, file);
}

#[test]
fn a_models_summary_of_a_long_day_survives_and_its_week_follows() {
    let heads: [(&str, Option<Edit<'_>>); 8] = [
        ("key kept, fixed", Some(&[("status", Some("fixed"))])),
        ("key kept, tentative", Some(&[("status", Some("tentative"))])),
        ("key kept, status forgotten", Some(&[])),
        ("key kept, status dropped", Some(&[("status", None)])),
        ("key dropped, fixed", Some(&[("status", Some("fixed")), ("fingerprint", None)])),
        ("key dropped, tentative", Some(&[("status", Some("tentative")), ("fingerprint", None)])),
        ("key dropped, status forgotten", Some(&[("fingerprint", None)])),
        ("no head", None),
    ];
    for (name, edit) in heads {
        for today in ["2026-03-10", "2026-03-12", "2026-05-01"] {
            let project = long_day();
            match edit {
                Some(edit) => summarise(&project, DAY, edit, SUMMARY),
                None => project.write(DAY, SUMMARY),
            }
            project.compact(today);
            assert_eq!(project.body(DAY), SUMMARY, "{name}");
            assert!(project.body(WEEK).contains("by a model"), "{name}");
            assert!(project.body(MONTH).contains("by a model"), "{name}");
            let fixed_early = today == "2026-03-10" && name.ends_with(", fixed");
            let expect = if today == "2026-03-10" && !fixed_early { "tentative" } else { "fixed" };
            assert_eq!(project.status(DAY), expect, "{name} on {today}");
            project.idle(today);
            project.compact("2026-06-01");
            for node in [DAY, WEEK, MONTH] {
                assert_eq!(project.status(node), "fixed", "{name}: {node}");
            }
            assert_eq!(project.body(DAY), SUMMARY, "{name}");
            assert!(project.head(DAY, "fingerprint").is_some(), "{name}");
        }
    }
}

#[test]
fn a_typo_corrected_in_an_extract_is_kept_and_is_no_summary() {
    let project = long_day();
    let file = project.text(DAY).replace("Auth", "Authentication");
    project.write(DAY, &file);
    project.compact("2026-05-01");
    assert_eq!(project.status(DAY), "needs-summarization");
    assert!(project.body(DAY).contains("Authentication"));
    assert_eq!(project.status(WEEK), "tentative", "its day still waits");
    project.idle("2026-05-01");
}

#[test]
fn an_extract_that_lost_its_key_is_still_the_machines() {
    for status in ["needs-summarization", "tentative", "fixed"] {
        let project = long_day();
        let before = project.nodes();
        let body = project.body(DAY);
        summarise(&project, DAY, &[("status", Some(status)), ("fingerprint", None)], &body);
        project.compact("2026-03-10");
        assert_same(&before, &project.nodes());
        project.append(LOG, "\n## Later [project]\n");
        project.compact("2026-03-10");
        assert!(project.body(MONTH).contains("Later"));
    }
}

#[test]
fn keys_of_others_and_their_order_stay() {
    let project = long_day();
    let file = format!("---\nmood: good\nstatus: fixed\ntags:\n  - a\n  - b\n---\n\n{SUMMARY}");
    project.write(DAY, &file);
    project.compact("2026-03-12");
    let text = project.text(DAY);
    assert_eq!(project.body(DAY), SUMMARY);
    for kept in ["mood: good\n", "tags:\n  - a\n  - b\n"] {
        assert!(text.contains(kept), "{text}");
    }
}

#[test]
fn line_ends_of_windows_stay_where_they_are() {
    let summary = SUMMARY.replace('\n', "\r\n");
    let project = long_day();
    let file = format!(
        "---\r\ntype: daily\r\nstatus: fixed\r\nperiod: 2026-03-10\r\n---\r\n\r\n{summary}"
    );
    project.write(DAY, &file);
    project.compact("2026-03-12");
    let text = project.text(DAY);
    assert!(text.ends_with(&format!("---\r\n\r\n{summary}")), "{text:?}");
    assert!(text.lines().count() == text.matches("\r\n").count(), "{text:?}");
    assert!(text.contains("\r\nstatus: fixed\r\n"), "{text:?}");
    project.idle("2026-03-12");
}

#[test]
fn a_summary_goes_stale_with_its_sources_and_fresh_with_its_replacement() {
    let project = long_day();
    summarise(&project, DAY, &[("status", Some("tentative"))], SUMMARY);
    project.compact("2026-03-10");
    assert_eq!(project.status(DAY), "tentative");

    project.append(LOG, "\n## Billing [project]\n- outcome: paid\n");
    project.compact("2026-03-10");
    assert_eq!(project.status(DAY), "needs-summarization");
    assert_eq!(project.body(DAY), SUMMARY, "stays in use");
    assert!(project.body(WEEK).contains("by a model"));
    project.idle("2026-03-10");
    project.compact("2026-03-25");
    assert_eq!(project.status(DAY), "needs-summarization", "waiting is no status that a date ends");
    assert_eq!(project.status(WEEK), "tentative");

    let better = SUMMARY.replace("by a model", "by a model again");
    summarise(&project, DAY, &[("status", Some("fixed"))], &better);
    project.compact("2026-03-25");
    assert_eq!((&*project.status(DAY), project.body(DAY)), ("fixed", better));
    assert!(project.body(WEEK).contains("again"));
    assert_eq!(project.status(WEEK), "fixed");
    project.idle("2026-03-25");
}

#[test]
fn an_edited_copy_of_a_log_is_its_editors() {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 5))]);
    project.compact("2026-03-10");
    let edited = project.text(DAY).replace("point 2", "point 2 (no, 3)");
    project.write(DAY, &edited);
    project.compact("2026-03-11");
    assert!(project.body(DAY).contains("(no, 3)") && project.body(WEEK).contains("(no, 3)"));
    assert_eq!(project.status(DAY), "fixed");
    project.append(LOG, "more\n");
    project.compact("2026-03-11");
    assert!(project.body(DAY).contains("(no, 3)") && !project.body(DAY).contains("more"));
    assert_eq!(project.status(DAY), "needs-summarization");
}

#[test]
fn npm_left_what_came_late_out_of_day_and_week() {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 5))]);
    project.compact("2026-03-12");
    assert_eq!(project.status(DAY), "fixed");
    project.append(LOG, "late line\n");
    project.compact("2026-03-22");
    assert!(project.body(WEEK).contains("late line") && project.body(MONTH).contains("late line"));
    assert_eq!(project.status(DAY), "fixed");
    project.compact("2026-03-23");
    assert_eq!(project.status(WEEK), "fixed");
    project.append(LOG, "too late\n");
    let before = project.nodes();
    project.compact("2026-03-24");
    assert_same(&before, &project.nodes());
    assert_late(&project, "2026-03-24", &["2026-03-10"]);
}

/// The days that `status` says changed too late.
fn assert_late(project: &Project, today: &str, days: &[&str]) {
    let output = project.run(["status", "--json"]).today(today).output();
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
    let report: serde_json::Value = serde_json::from_str(&output.out).unwrap();
    let late = find(&report, "late").and_then(|late| late.as_array().cloned()).unwrap();
    let late: Vec<String> = late.iter().map(ToString::to_string).collect();
    assert_eq!(late.len(), days.len(), "{late:?}");
    for (late, day) in late.iter().zip(days) {
        assert!(late.contains(&format!("compact --reopen {day}")), "{late}");
    }
}

fn find<'a>(value: &'a serde_json::Value, key: &str) -> Option<&'a serde_json::Value> {
    value.get(key).or_else(|| value.as_object()?.values().find_map(|below| find(below, key)))
}

#[test]
fn a_first_log_in_a_fixed_week_is_left_to_reopen() {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 5))]);
    project.compact("2026-05-01");
    assert_eq!(project.status(MONTH), "fixed");
    let frozen = [project.bytes(DAY), project.bytes(WEEK), project.bytes(MONTH)];
    project.write("memory/2026-03-11.md", entry("Billing", 5));
    project.compact("2026-05-02");
    assert_eq!(frozen, [project.bytes(DAY), project.bytes(WEEK), project.bytes(MONTH)]);
    assert_late(&project, "2026-05-02", &["2026-03-11"]);
    project.run(["compact", "--reopen", "2026-03-11"]).today("2026-05-02").quiet();
    assert!(project.body(WEEK).contains("Billing") && project.body(MONTH).contains("Billing"));
    assert_late(&project, "2026-05-02", &[]);
    project.idle("2026-05-02");
    assert_eq!(project.status(MONTH), "fixed");
}

#[test]
fn a_first_week_in_a_fixed_month_is_named_and_left_to_reopen() {
    let project = Project::with_logs([("2026-01-06", entry("Auth", 5))]);
    project.compact("2026-03-20");
    let month = Project::node("2026-01");
    assert_eq!(project.status(&month), "fixed");
    let frozen = project.bytes(&month);
    project.write("memory/2026-01-13.md", entry("Newcomer", 5));
    project.write("memory/2026-01-15.md", entry("Another", 5));
    for run in 0..2 {
        project.compact("2026-03-20");
        assert!(project.body(&Project::node("2026-W03")).contains("Newcomer"), "run {run}");
        assert_eq!(frozen, project.bytes(&month), "run {run}");
        assert_late(&project, "2026-03-20", &["2026-01-13", "2026-01-15"]);
    }
    let status = project.run(["status", "--all"]).today("2026-03-20").output();
    assert!(status.out.contains("`hipocampus compact --reopen 2026-01-13`"), "{}", status.out);
    project.run(["compact", "--reopen", "2026-01-13"]).today("2026-03-20").quiet();
    assert!(project.body(&month).contains("Newcomer") && project.body(&month).contains("Another"));
    assert_late(&project, "2026-03-20", &[]);
    assert_eq!(project.status(&month), "fixed");
}

#[test]
fn a_flush_into_a_fixed_week_reopens_it_though_the_clock_stands_behind() {
    let project = Project::with_logs([("2026-01-05", entry("Auth", 5))]);
    project.compact("2026-03-20");
    let chain = ["2026-01-05", "2026-W02", "2026-01"].map(Project::node);
    assert!(chain.iter().all(|node| project.status(node) == "fixed"));
    let output = project.run(["flush", "-m", "late words"]).today("2026-01-05").output();
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{}", output.out);
    for today in ["2026-01-05", "2026-03-20"] {
        project.compact(today);
        for node in &chain {
            assert!(project.body(node).contains("late words"), "{node} on {today}");
        }
    }
    assert!(chain.iter().all(|node| project.status(node) == "fixed"));
    assert!(!project.has("memory/.hipocampus.reopen"));
    project.idle("2026-03-20");
}

#[test]
fn reopening_rebuilds_the_machines_nodes_and_marks_the_others() {
    let project =
        Project::with_logs([("2026-03-10", entry("Auth", 5)), ("2026-03-12", entry("B", 5))]);
    project.compact("2026-05-01");
    summarise(&project, MONTH, &[], "## Topics\nby a person\n");
    project.compact("2026-05-01");
    assert_eq!(project.status(MONTH), "fixed");
    project.append(LOG, "late line\n");
    project.compact("2026-05-01");
    assert!(!project.body(DAY).contains("late line"));

    let line = project.run(["compact", "--reopen", "2026-03-10"]).today("2026-05-01").quiet();
    assert_eq!(line, "daily nodes updated, weekly nodes updated, monthly nodes updated");
    assert!(project.body(DAY).contains("late line") && project.body(WEEK).contains("late line"));
    assert_eq!((&*project.status(DAY), &*project.status(WEEK)), ("fixed", "fixed"));
    assert_eq!(project.body(MONTH), "## Topics\nby a person\n");
    assert_eq!(project.status(MONTH), "needs-summarization");
    project.idle("2026-05-01");
}

#[test]
fn a_fixed_week_keeps_its_text_whatever_its_days_become() {
    let project = long_day();
    summarise(&project, DAY, &[("status", Some("fixed"))], SUMMARY);
    project.compact("2026-05-01");
    let week = project.bytes(WEEK);
    assert_eq!(project.status(WEEK), "fixed");
    summarise(&project, DAY, &[], "another text\n");
    project.compact("2026-05-01");
    assert_eq!(project.bytes(WEEK), week);
    assert_eq!(project.body(DAY), "another text\n");
}

#[test]
fn torn_bodies_are_made_again() {
    let project =
        Project::with_logs([("2026-03-10", entry("Auth", 5)), ("2026-03-11", entry("B", 250))]);
    project.compact("2026-03-12");
    let whole = project.nodes();
    for node in [DAY, "memory/daily/2026-03-11.md", WEEK, MONTH] {
        let bytes = project.bytes(node);
        let text = String::from_utf8(bytes.clone()).unwrap();
        let body = text.len() - crate::support::body(&text).len();
        let mut nul = bytes[..body + 20].to_vec();
        nul.resize(bytes.len(), 0);
        let mut nul_head = bytes[..30].to_vec();
        nul_head.resize(bytes.len(), 0);
        for torn in [
            Vec::new(),
            vec![0; bytes.len()],
            bytes[..body].to_vec(),
            bytes[..=body].to_vec(),
            bytes[..bytes.len() - 1].to_vec(),
            nul,
            nul_head,
            b"\n".to_vec(),
        ] {
            project.write(node, &torn);
            project.compact("2026-03-12");
            assert_same(&whole, &project.nodes());
            project.idle("2026-03-12");
        }
    }
}

/// Puts something under a path of a project.
type Obstacle = Box<dyn Fn(&Project, &str)>;

/// Everything that can be under the name of a file without being one.
fn obstacles() -> Vec<(&'static str, Obstacle)> {
    vec![
        ("folder", Box::new(|project, path| std::fs::create_dir(project.path(path)).unwrap())),
        (
            "link to nowhere",
            Box::new(|project, path| symlink("/nowhere/at/all", project.path(path)).unwrap()),
        ),
        (
            "link to a log",
            Box::new(|project, path| {
                project.write("elsewhere.md", "## Elsewhere [project]\n- x\n");
                symlink(project.path("elsewhere.md"), project.path(path)).unwrap();
            }),
        ),
        (
            "pipe",
            Box::new(|project, path| {
                assert!(Command::new("mkfifo").arg(project.path(path)).status().unwrap().success());
            }),
        ),
    ]
}

#[test]
fn a_log_that_cannot_be_read_keeps_everything_above_it_and_is_reported() {
    for (name, put) in obstacles() {
        let project = Project::with_logs([
            ("2026-03-10", entry("Auth", 5)),
            ("2026-03-11", entry("Billing", 5)),
            ("2026-04-22", entry("April", 5)),
        ]);
        project.compact("2026-03-12");
        let march = |tree: Tree| -> Tree {
            tree.into_iter()
                .filter(|(name, _)| !name.contains("04") && name.contains('/'))
                .collect()
        };
        let before = march(project.nodes());
        project.remove(LOG);
        put(&project, LOG);
        project.append("memory/2026-03-11.md", "grown\n");
        project.append("memory/2026-04-22.md", "grown\n");
        for _ in 0..2 {
            let output = project.run(["compact"]).today("2026-05-01").output();
            assert_eq!(output.exit, Exit::Problem, "{name}: {output:?}");
            assert!(
                output.err.starts_with("error: `memory/2026-03-10.md`: "),
                "{name}: {output:?}"
            );
            assert_eq!(output.err.lines().count(), 1, "{name}: {output:?}");
            let after = march(project.nodes());
            for kept in ["daily/2026-03-10.md", "weekly/2026-W11.md", "monthly/2026-03.md"] {
                assert!(before[kept] == after[kept], "{name}: {kept}");
            }
            assert!(project.body("memory/daily/2026-03-11.md").contains("grown"), "{name}");
            assert!(project.body("memory/monthly/2026-04.md").contains("grown"), "{name}");
        }
        assert!(!project.has("memory/elsewhere.md"));
        // Once it can be read again, everything comes right.
        project.remove(LOG);
        project.write(LOG, entry("Auth", 6));
        project.compact("2026-05-01");
        assert!(project.body(WEEK).contains("point 5") && project.body(WEEK).contains("grown"));
        project.idle("2026-05-01");
    }
}

#[test]
fn a_node_that_cannot_be_read_keeps_everything_above_it_and_is_reported() {
    for (name, put) in obstacles() {
        let project =
            Project::with_logs([("2026-03-10", entry("Auth", 5)), ("2026-03-11", entry("B", 5))]);
        project.compact("2026-03-12");
        let before = (project.bytes(WEEK), project.bytes(MONTH));
        project.remove(DAY);
        put(&project, DAY);
        project.append("memory/2026-03-11.md", "grown\n");
        for _ in 0..2 {
            let output = project.run(["compact"]).today("2026-03-12").output();
            assert_eq!(output.exit, Exit::Problem, "{name}: {output:?}");
            assert!(
                output.err.starts_with("error: `memory/daily/2026-03-10.md`: "),
                "{name}: {output:?}"
            );
            assert_eq!((project.bytes(WEEK), project.bytes(MONTH)), before, "{name}");
        }
        project.remove(DAY);
        project.compact("2026-03-12");
        assert!(project.body(WEEK).contains("grown") && project.has(DAY));
        project.idle("2026-03-12");
    }
}

#[test]
fn a_log_that_is_gone_takes_nothing_with_it() {
    let project =
        Project::with_logs([("2026-03-10", entry("Auth", 5)), ("2026-03-11", entry("B", 5))]);
    project.compact("2026-03-12");
    let before = project.nodes();
    project.remove(LOG);
    project.compact("2026-03-12");
    assert_same(&before, &project.nodes());
    project.append("memory/2026-03-11.md", "grown\n");
    project.compact("2026-03-13");
    assert!(project.body(WEEK).contains("Auth, point 4") && project.body(WEEK).contains("grown"));
    // An emptied log is no other case.
    project.write("memory/2026-03-11.md", "");
    project.compact("2026-03-13");
    assert!(project.body(WEEK).contains("grown"));
}

#[test]
fn files_of_a_person_among_the_nodes_stay() {
    let files = [
        ("memory/daily/notes.md", "mine\n"),
        ("memory/daily/2026-plans.md", ""),
        ("memory/daily/2026-03-10 (copy).md", "mine\n"),
        ("memory/daily/2026-03-10-backup.md", "# 2026-03-10\n"),
        ("memory/daily/2026-03-10.md.bak", "mine\n"),
        ("memory/weekly/README", "mine\n"),
        ("memory/weekly/2026-W99.md", "a person's plan for a week that does not exist\n"),
        ("memory/monthly/.hidden.md", "mine\n"),
        ("memory/monthly/sub/2026-03.md", "mine\n"),
    ];
    let project = Project::with_logs([("2026-03-10", entry("Auth", 5))]);
    for (path, text) in files {
        project.write(path, text);
    }
    for today in ["2026-03-10", "2026-05-01"] {
        let output = project.run(["compact"]).today(today).output();
        assert_eq!(output.exit, Exit::Done, "{output:?}");
        for (path, text) in files {
            assert_eq!(project.text(path), text, "{path}");
        }
    }
    assert_eq!(head(&project.text(MONTH), "status"), Some("fixed"));
}
