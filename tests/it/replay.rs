//! The tree is a function of the logs and the date: the way there does not show.

use std::collections::BTreeMap;
use std::fs;

use chrono::{Days, NaiveDate};
use proptest::prelude::*;

use crate::support::{Project, Tree, assert_same, body, fixture, head, logs_of};

type Logs = BTreeMap<String, Vec<u8>>;

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Grows each log in three steps on its own day, a compact after each, and one more at the end.
fn replay(logs: &Logs, end: &str) -> Project {
    let project = Project::new();
    for (name, bytes) in logs {
        let (one, two) = (bytes.len() / 3, bytes.len() * 2 / 3);
        for step in [&bytes[..one], &bytes[one..two], &bytes[two..]] {
            project.append(&format!("memory/{name}.md"), step);
            project.compact(&name[..10]);
        }
    }
    project.compact(end);
    project
}

/// The nodes and ROOT.md that one run makes of all logs.
fn whole(logs: &Logs, today: &str) -> Tree {
    let project = Project::with_logs(logs);
    project.compact(today);
    project.nodes_and_root()
}

fn check(logs: &Logs, end: &str) -> Project {
    let project = replay(logs, end);
    let one_shot = whole(logs, end);
    assert_same(&one_shot, &project.nodes_and_root());
    project
}

#[test]
fn three_months_of_devlog() {
    let source = Project::new();
    source.copy_from(&fixture("devlog"), "memory");
    let logs = logs_of(&source);
    assert!(logs.len() > 80, "{}", logs.len());
    let project = replay(&logs, "2025-02-28");
    for end in ["2025-02-28", "2025-03-04", "2025-04-20"] {
        project.compact(end);
        assert_same(&whole(&logs, end), &project.nodes_and_root());
        project.idle(end);
    }
}

#[test]
fn deleting_what_is_derived_loses_nothing() {
    let project = Project::new();
    project.copy_from(&fixture("devlog"), "memory");
    project.compact("2025-02-14");
    let tree = project.tree();
    for gone in [
        &["memory/daily", "memory/weekly", "memory/monthly"][..],
        &["memory/weekly"],
        &["memory/daily/2025-01-15.md", "memory/monthly/2024-12.md"],
        &["memory/.hipocampus.cache"],
        &["memory/.hipocampus.cache", "memory/daily"],
        &["memory/.hipocampus.lock"],
    ] {
        for path in gone {
            project.remove(path);
        }
        project.compact("2025-02-14");
        assert_same(&tree, &project.tree());
        project.idle("2025-02-14");
    }
}

#[test]
fn a_cache_of_anything_changes_no_byte() {
    let project = Project::new();
    project.copy_from(&fixture("devlog"), "memory");
    project.compact("2025-02-14");
    let tree = project.tree();
    let cache = project.bytes("memory/.hipocampus.cache");
    for damaged in [
        Vec::new(),
        cache[..cache.len() / 2].to_vec(),
        cache[..27].to_vec(),
        b"hipocampus cache 9\n12345678".to_vec(),
        vec![0; cache.len()],
    ] {
        project.write("memory/.hipocampus.cache", damaged);
        project.remove("memory/daily/2025-01-15.md");
        project.append("memory/2025-02-14.md", "");
        project.compact("2025-02-14");
        assert_same(&tree, &project.tree());
    }
}

#[test]
fn the_order_of_names_in_a_folder_is_irrelevant() {
    let source = Project::new();
    source.copy_from(&fixture("devlog"), "memory");
    let logs = logs_of(&source);
    let forward = whole(&logs, "2025-02-14");
    let backward = Project::with_logs(logs.iter().rev());
    backward.compact("2025-02-14");
    assert_same(&forward, &backward.nodes_and_root());
    // Nodes that are put back in another order are listed in another order.
    let nodes = backward.nodes_and_root();
    for name in nodes.keys() {
        backward.remove(&format!("memory/{name}"));
    }
    for (name, bytes) in nodes.iter().rev() {
        backward.write(&format!("memory/{name}"), bytes);
    }
    backward.idle("2025-02-14");
    assert_eq!(backward.run(["compact", "--full"]).today("2025-02-14").quiet(), "nothing to do");
}

#[test]
fn the_plan_of_an_applied_plan_is_empty() {
    let project = Project::new();
    project.copy_from(&fixture("devlog"), "memory");
    for today in ["2024-12-31", "2025-01-08", "2025-02-28", "2025-03-10"] {
        project.compact(today);
        for args in [&["compact", "--dry-run"][..], &["compact", "--dry-run", "--full"]] {
            let mut run = project.run([]);
            for arg in args {
                run = run.arg(arg);
            }
            assert_eq!(run.today(today).quiet(), "nothing to do");
        }
    }
}

/// One piece of a day: what agents and people write, and what trips parsers.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let number = 0..40u32;
    prop_oneof![
        4 => number.clone().prop_map(|n| format!(
            "\n## Topic {n} [project]\n- decision: number {n}\n- outcome: {n} works\n- pending: more\n"
        )),
        2 => number.clone().prop_map(|n| format!("\n## 인증 토큰 {n} [feedback]\n- rule: 간결하게 {n}\n- why: 検索\n")),
        1 => number.clone().prop_map(|n| format!("\n## Habit {n} [user]\n- prefers {n}\n")),
        1 => number.clone().prop_map(|n| format!("\n## Code {n}\n```rust src/a{n}.rs:1-9\n## no heading\nlet x = {n};\n```\n")),
        1 => Just("\n```\nnever closed\n".to_owned()),
        1 => Just("\r\n## Windows [reference]\r\n- https://example.org\r\n".to_owned()),
        1 => number.clone().prop_map(|n| format!("\n## Session {n}\n\n**User:** Please look at case {n} again. Now.\n\n**Assistant:** Yes.\n")),
        1 => (60..260usize).prop_map(|n| "- filler\n".repeat(n)),
        1 => (20..90u32).prop_map(|n| (0..n).fold(String::new(), |log, k| log + &format!("## Long {n} {k} [project]\n- next: step {k}\n- x\n"))),
        1 => Just("no line end".to_owned()),
        1 => Just("---\nstatus: fixed\n---\n".to_owned()),
        1 => Just("# 2026-01-05\n\n## Topics\na [project], b\n".to_owned()),
    ]
    .prop_map(String::into_bytes)
    .boxed()
    .prop_union(prop_oneof![Just(b"\xff\xfe\x00bad\n".to_vec()), Just(b"\xef\xbb\xbf# bom\n".to_vec())].boxed())
}

/// The days since the one before, and its logs: the hour in the name, the bytes.
type Day = (u64, Vec<(Option<u32>, Vec<u8>)>);

fn day() -> impl Strategy<Value = Day> {
    let gap = prop_oneof![6 => Just(1u64), 2 => 2..6u64, 1 => 6..40u64];
    let bytes = prop::collection::vec(piece(), 1..5).prop_map(|pieces| pieces.concat());
    let file = (prop_oneof![4 => Just(None), 1 => (0..24u32).prop_map(Some)], bytes);
    (gap, prop::collection::vec(file, 1..3))
}

fn logs() -> impl Strategy<Value = (Logs, String)> {
    let start = prop_oneof![
        Just("2020-12-21"),
        Just("2021-12-24"),
        Just("2024-02-20"),
        Just("2026-04-20"),
        Just("2026-12-20"),
    ];
    (start, prop::collection::vec(day(), 1..14), 0..50u64).prop_map(|(start, days, after)| {
        let mut at = date(start);
        let mut logs = Logs::new();
        for (gap, files) in days {
            at = at + Days::new(gap);
            for (hour, bytes) in files {
                let time = hour.map(|hour| format!("-{hour:02}30")).unwrap_or_default();
                logs.insert(format!("{at}{time}"), bytes);
            }
        }
        (logs, (at + Days::new(after)).to_string())
    })
}

/// An extract keeps within the threshold, unless lasting entries need more.
fn check_size(name: &str, node: &str) {
    let lasting = ["[user]", "[feedback]"].iter().any(|kind| node.contains(kind));
    if head(node, "status") != Some("needs-summarization") || lasting {
        return;
    }
    let most = match name.split('/').next() {
        Some("daily") => 200,
        Some("weekly") => 300,
        _ => 500,
    };
    let lines = body(node).matches('\n').count() + 1;
    assert!(lines <= most, "{name} has {lines} lines");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_trees((logs, end) in logs()) {
        let project = check(&logs, &end);
        project.idle(&end);
        for (name, bytes) in project.nodes_and_root() {
            check_size(&name, &String::from_utf8_lossy(&bytes));
        }
        // Every node again, from nothing but the logs.
        let nodes = project.nodes_and_root();
        for folder in ["memory/daily", "memory/weekly", "memory/monthly"] {
            fs::remove_dir_all(project.path(folder)).unwrap();
        }
        project.compact(&end);
        assert_same(&nodes, &project.nodes_and_root());
    }
}
