//! A memory after a merge of git that nobody finished: generated nodes come right, texts of models and people stay.

use std::process::Command;

use crate::support::{Project, assert_same, entry, fresh, logs_of};

const LOG: &str = "memory/2026-03-10.md";
const NODES: [&str; 3] =
    ["memory/daily/2026-03-10.md", "memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"];
const ROOT: &str = "memory/ROOT.md";
const TODAY: &str = "2026-03-12";

/// What git makes of a file that two sides changed, conflicts left in it.
fn merged(base: &str, ours: &str, theirs: &str) -> String {
    let scratch = Project::new();
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        scratch.write(name, text);
    }
    let output = Command::new("git")
        .args(["merge-file", "-p", "-L", "HEAD", "-L", "base", "-L", "laptop"])
        .args(["ours", "base", "theirs"].map(|name| scratch.path(name)))
        .output()
        .expect("git");
    String::from_utf8(output.stdout).unwrap()
}

/// A project whose two copies each got an entry, merged without a look at the conflicts. `n` is the length of what
/// was there before.
fn unfinished(n: usize) -> [Project; 3] {
    let log = format!("# 2026-03-10\n\n{}\n", entry("Auth", n));
    let sides =
        ["Billing [project]\n- decision: Stripe\n", "Search [user]\n- ripgrep\n"].map(|more| {
            let side = Project::with_logs([("2026-03-10", log.as_str())]);
            side.compact("2026-03-10");
            let before: Vec<String> =
                NODES.iter().chain([&ROOT, &LOG]).map(|file| side.text(file)).collect();
            side.append(LOG, format!("\n## {more}"));
            side.compact(TODAY);
            (side, before)
        });
    let project = Project::with_logs([("2026-03-10", log.as_str())]);
    for (at, file) in NODES.iter().chain([&ROOT, &LOG]).enumerate() {
        let base = &sides[0].1[at];
        project.write(file, merged(base, &sides[0].0.text(file), &sides[1].0.text(file)));
    }
    let [(ours, _), (theirs, _)] = sides;
    [project, ours, theirs]
}

#[test]
fn the_machines_nodes_come_right_by_themselves() {
    for n in [3, 40, 250] {
        let [project, ..] = unfinished(n);
        for file in NODES.iter().chain([&ROOT, &LOG]) {
            assert!(project.text(file).contains("<<<<<<< HEAD"), "{file} with {n} lines");
        }
        let log = project.text(LOG);
        project.compact(TODAY);
        assert_eq!(project.text(LOG), log, "the log stays as it is");
        assert_same(&fresh(&logs_of(&project), TODAY), &project.nodes());
        assert!(!project.text(ROOT).contains("<<<<<<<"));
        let topics = project.head(NODES[0], "topics").unwrap();
        for topic in ["Billing [project]", "Search [user]"] {
            assert!(topics.contains(topic), "{topics}");
        }
        for word in ["HEAD", "laptop"] {
            assert!(!topics.contains(word) && !project.text(ROOT).contains(word), "{word}");
        }
        project.idle(TODAY);
    }
}

#[test]
fn a_models_side_is_kept() {
    let [project, ours, theirs] = unfinished(250);
    let summary =
        "## Topics\nAuth [project]\n\n## Key Decisions\n- we chose cookies, after a long talk\n";
    let node = ours.text(NODES[0]);
    let head = node.split_once("\n---\n").unwrap().0;
    let said = format!("{head}\n---\n\n{summary}").replace("needs-summarization", "fixed");
    let conflict = merged("", &said, &theirs.text(NODES[0]));
    project.write(NODES[0], &conflict);
    project.compact(TODAY);
    assert!(project.text(NODES[0]).contains("after a long talk"), "{}", project.text(NODES[0]));
}

#[test]
fn of_root_md_the_side_of_a_person_is_kept() {
    let [project, ours, theirs] = unfinished(3);
    let mine = format!("{}\n- I prefer tea\n", ours.text(ROOT).trim_end());
    project.write(ROOT, merged("", &mine, &theirs.text(ROOT)));
    project.compact(TODAY);
    let root = project.text(ROOT);
    assert!(root.contains("I prefer tea") && !root.contains("<<<<<<<"), "{root}");
    assert!(project.head(ROOT, "fingerprint").unwrap().starts_with("p:"), "{root}");
}

#[test]
fn a_name_of_any_length_makes_a_head_that_can_be_read() {
    let name = "a".repeat(64 * 1024);
    let log = format!(
        "## {name} [user]\n- x\n\n## {name}b [project]\n- decision: y\n{}",
        "- z\n".repeat(250)
    );
    let project = Project::with_logs([("2026-03-10", log.as_str())]);
    project.compact(TODAY);
    for node in NODES {
        assert!(project.head(node, "fingerprint").is_some(), "{node}");
        assert!(project.head(node, "topics").unwrap().len() < 1000, "{node}");
    }
    assert!(project.body(NODES[0]).lines().all(|line| line.len() < 1000));
    assert!(project.text(ROOT).len() < 4000, "{}", project.text(ROOT).len());
    project.idle(TODAY);
}

#[test]
fn accents_typed_either_way_make_one_topic() {
    let with = |first: &str| {
        let log = |name: &str| format!("## {name} [user]\n- the {name} of the service\n");
        let project = Project::with_logs([("2026-03-10", log(first)), ("2026-03-11", log("Café"))]);
        project.compact(TODAY);
        let topics = project.run(["topics"]).today(TODAY).quiet();
        assert_eq!(topics.lines().count(), 1, "{topics}");
        (topics, project.body(ROOT))
    };
    assert_eq!(with("Cafe\u{301}"), with("Café"));
}

#[test]
fn status_tells_of_a_folder_in_the_place_of_a_hot_file() {
    let project = Project::with_logs([("2026-03-10", "## A\n- x\n")]);
    project.write("SCRATCHPAD.md/keep.txt", "x");
    project.compact(TODAY);
    let output = project.run(["status", "--all"]).today(TODAY).output();
    assert!(output.out.contains("SCRATCHPAD.md") && output.out.contains("not a regular file"));
}
