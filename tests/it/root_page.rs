//! ROOT.md as the program writes it: logs and nodes go in, the page comes out.

use crate::support::Project;

const ROOT: &str = "memory/ROOT.md";

/// The page of these logs on a day.
fn page(logs: &[(&str, &str)], today: &str) -> (Project, String) {
    let project = Project::with_logs(logs.iter().copied());
    project.compact(today);
    let root = project.text(ROOT);
    (project, root)
}

#[track_caller]
fn has(root: &str, lines: &[&str]) {
    for line in lines {
        assert!(root.contains(&format!("{line}\n")), "{line}: {root}");
    }
}

#[test]
fn what_was_saved_by_hand_stands_there_in_full() {
    let log = "## Login [project]\n- request: make it faster\n- decision: cookies over tokens, because the proxy drops headers\n\
               - turned down: a second store (user: \"one is enough\")\n- cause: the proxy caches redirects for an hour\n\
               - outcome: landed\n- pending: ask about mobile\n\n## Ports [reference]\n- staging listens on 5433\n";
    let (project, root) = page(&[("2026-03-10", log)], "2026-03-11");
    has(
        &root,
        &[
            "- Login [project, 1d]: not a second store (user: \"one is enough\"); cookies over tokens, because the proxy drops headers; the proxy caches redirects for an hour; ask about mobile → 2026-03-10",
        ],
    );
    has(&root, &["- Ports [reference, 1d]: staging listens on 5433 → 2026-03-10"]);
    assert!(!root.contains("landed") && !root.contains("faster"), "{root}");
    project.idle("2026-03-11");
}

#[test]
fn npm_cut_the_index_off_where_the_room_ended() {
    let mut logs = Vec::new();
    for day in 1..=28 {
        let rules = format!(
            "## Rule {day} of the house [feedback]\n- rule: number {day} holds for the {day}th gate and every one behind it\n- why: the wall leans\n\n## Wall {day} [project]\n- decision: stone {day}\n"
        );
        logs.push((format!("2026-02-{day:02}"), rules));
    }
    let logs: Vec<(&str, &str)> =
        logs.iter().map(|(day, log)| (day.as_str(), log.as_str())).collect();
    let project = Project::with_logs(logs);
    project.write("hipocampus.config.json", "{\"compaction\": {\"rootMaxTokens\": 600}}\n");
    project.compact("2026-03-01");
    let root = project.text(ROOT);
    let (_, index) = root.split_once("## Topics Index\n").unwrap();
    for day in 1..=28 {
        assert!(index.contains(&format!("- Rule {day} of the house")), "{day}: {root}");
    }
    assert!(index.starts_with("- Rule 28"), "{root}");
    assert!(root.ends_with(" topics not shown: `hipocampus topics`\n"), "{root}");
    assert!(hipocampus::internals::tokens::count(&root) <= 600, "{root}");
}

#[test]
fn of_a_rule_the_newest_wording_stands_with_all_of_its_days() {
    let (project, root) = page(
        &[
            ("2026-03-02", "## Answers [feedback]\n- rule: two sentences\n"),
            (
                "2026-03-09",
                "## answers [feedback]\n- rule: one sentence\n- why: the screen is small\n",
            ),
        ],
        "2026-03-10",
    );
    has(
        &root,
        &["- answers [feedback, 1d]: one sentence; the screen is small → 2026-03-09, 03-02"],
    );
    assert!(!root.contains("two sentences"), "{root}");
    // Taken back.
    project.write("memory/2026-03-11.md", "## Answers [feedback]\n- status: withdrawn\n");
    project.compact("2026-03-12");
    assert!(!project.text(ROOT).contains("nswers"), "{}", project.text(ROOT));
}

#[test]
fn a_summary_that_somebody_wrote_is_where_the_facts_come_from() {
    let said = "why does the gate stick? ".repeat(6);
    let log: String = (0..120).fold(String::new(), |log, n| {
        log + &format!("**User:** {said} {n}\n\n**Assistant:** I propose to oil it.\n\n")
    });
    let log = format!("## Session — 2026-03-10 08:00:00 — the gate sticks\n\n{log}");
    let (project, root) = page(&[("2026-03-10", &log)], "2026-03-11");
    assert!(
        root.contains("- the gate sticks [project, 1d]") && !root.contains("I propose"),
        "{root}"
    );
    let summary = "## Topics\nthe gate sticks [project], plain answers [feedback]\n\n## Key Decisions\n- the gate sticks: a new hinge over oil, \
                   because the old one is bent (user: \"no more oil\")\n\n## Tasks Completed\n\n## Lessons Learned\n- plain answers [feedback]: no metaphors\n\n## Open Items\n";
    project.write("summary.md", summary);
    project.run(["summarize", "2026-03-10", "summary.md"]).today("2026-03-11").output();
    let root = project.text(ROOT);
    has(&root, &["- plain answers [feedback, 1d]: no metaphors → 2026-03-10"]);
    assert!(root.contains("- the gate sticks [project, 1d]: a new hinge over oil, because the old one is bent (user: \"no more oil\")"), "{root}");
    project.idle("2026-03-11");
}

#[test]
fn one_shot_and_replay_come_to_the_same_page() {
    let days: Vec<(String, String)> = (1..=25)
        .map(|day| (format!("2026-03-{day:02}"), format!("## Pool {} [project]\n- decision: beam {day}\n\n## Habit {day} [user]\n- likes tea {day}\n", day % 4)))
        .collect();
    let replayed = Project::new();
    for (day, log) in &days {
        replayed.write(&format!("memory/{day}.md"), log);
        replayed.compact(day);
    }
    let logs: Vec<(&str, &str)> =
        days.iter().map(|(day, log)| (day.as_str(), log.as_str())).collect();
    let once = Project::with_logs(logs);
    once.compact("2026-03-25");
    assert_eq!(replayed.text(ROOT), once.text(ROOT));
}

#[test]
fn a_reference_nobody_followed_is_doubtful_and_a_finished_project_is_history() {
    let (_, root) = page(
        &[
            (
                "2026-01-05",
                "## Hook service [reference]\n- https://hooks.example/api\n\n## Old path [project]\n- decision: granite\n- status: done\n",
            ),
            ("2026-02-01", "## A [project]\n- decision: a1\n"),
            ("2026-02-02", "## B [project]\n- decision: b1\n"),
            ("2026-02-03", "## C [project]\n- decision: c1\n"),
            ("2026-02-04", "## D [project]\n- decision: d1\n"),
            ("2026-02-05", "## E [project]\n- decision: e1\n"),
            ("2026-02-06", "## F [project]\n- decision: f1\n"),
            ("2026-02-07", "## G [project]\n- decision: g1\n"),
        ],
        "2026-02-08",
    );
    has(&root, &["- Hook service [reference, 34d, ?]: https://hooks.example/api → 2026-01-05"]);
    let (_, history) = root.split_once("## Historical Summary\n").unwrap();
    let (history, index) = history.split_once("## Topics Index").unwrap();
    assert!(
        history.contains("- 2026-01: Old path: granite") && !index.contains("Old path"),
        "{root}"
    );
}
