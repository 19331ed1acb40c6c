//! One test for each row of "Differences from the npm tool".

mod capture;
mod install;
mod root;

use crate::heal::{npm_concat, npm_node, placeholder};
use crate::support::{Project, entry};

const DAY: &str = "memory/daily/2026-03-10.md";
const WEEK: &str = "memory/weekly/2026-W11.md";
const MONTH: &str = "memory/monthly/2026-03.md";

#[test]
fn npm_took_the_words_status_fixed_in_a_text_for_the_status() {
    let log = "## Deploy [project]\n- the node says `status: fixed`\nstatus: fixed\n";
    let project = Project::with_logs([("2026-03-10", log)]);
    project.compact("2026-03-10");
    project.append("memory/2026-03-10.md", "- outcome: done\n");
    project.write("memory/2026-03-11.md", log);
    project.compact("2026-03-11");
    for node in [DAY, WEEK, MONTH] {
        assert!(project.body(node).contains("- outcome: done"), "{node}");
    }
    assert_eq!(project.status(WEEK), "tentative");
    assert!(project.body(WEEK).contains("# 2026-03-11"));
}

#[test]
fn npm_left_a_day_that_mentions_needs_summarization_out_of_its_week() {
    let log = "## Memory [project]\n- why does it say needs-summarization?\n";
    let project =
        Project::with_logs([("2026-03-10", log), ("2026-03-11", "## B [project]\n- b\n")]);
    project.compact("2026-05-01");
    for node in [WEEK, MONTH] {
        assert!(project.body(node).contains("why does it say needs-summarization?"), "{node}");
        assert_eq!(project.status(node), "fixed", "{node}");
    }
}

#[test]
fn npm_left_a_day_that_waits_out_of_its_week() {
    let project =
        Project::with_logs([("2026-03-10", entry("Long", 250)), ("2026-03-11", entry("B", 5))]);
    project.compact("2026-05-01");
    assert!(
        project.body(WEEK).contains("# 2026-03-10\n\n")
            && project.body(WEEK).contains("Long [project]")
    );
    assert_eq!(project.status(WEEK), "tentative", "fixed only once the summary is there");
}

#[test]
fn npm_stopped_a_week_after_its_first_day() {
    let project = Project::new();
    for day in ["2026-03-09", "2026-03-10", "2026-03-11", "2026-03-12", "2026-03-15"] {
        project.write(&format!("memory/{day}.md"), format!("## On {day} [project]\n- x\n"));
        project.compact(day);
        assert!(project.body(WEEK).contains(&format!("## On {day}")), "{day}");
        assert!(project.body(MONTH).contains(&format!("## On {day}")), "{day}");
        assert_eq!(project.status(WEEK), "tentative");
    }
}

#[test]
fn npm_counted_the_weeks_of_2021_and_2027_one_too_high() {
    for (day, week, month) in [
        ("2021-01-03", "2020-W53", "2020-12"),
        ("2021-01-04", "2021-W01", "2021-01"),
        ("2021-12-31", "2021-W52", "2021-12"),
        ("2027-01-04", "2027-W01", "2027-01"),
        ("2027-06-15", "2027-W24", "2027-06"),
    ] {
        let project = Project::with_logs([(day, "# x\n")]);
        project.compact("2030-01-01");
        let names: Vec<_> = project.nodes().into_keys().collect();
        let expect =
            [format!("daily/{day}.md"), format!("monthly/{month}.md"), format!("weekly/{week}.md")];
        assert_eq!(names, expect);
    }
}

#[test]
fn npm_filed_a_week_under_a_month_its_thursday_is_not_in() {
    // 2026-04-27 to 2026-05-03, 2026-06-29 to 2026-07-05, 2024-12-30 to 2025-01-05.
    for (day, month) in [
        ("2026-05-03", "2026-04"),
        ("2026-04-27", "2026-04"),
        ("2026-06-29", "2026-07"),
        ("2024-12-30", "2025-01"),
    ] {
        let project = Project::with_logs([(day, "# x\n")]);
        project.compact("2030-01-01");
        assert!(project.has(&Project::node(month)), "{day}");
    }
}

#[test]
fn npm_copied_the_heads_of_nodes_into_the_nodes_above() {
    let project =
        Project::with_logs([("2026-03-10", entry("A", 5)), ("2026-03-17", entry("B", 5))]);
    project.compact("2026-05-01");
    for node in [WEEK, MONTH] {
        let body = project.body(node);
        for word in ["---", "type: ", "fingerprint", "source-files", "topics:"] {
            assert!(!body.contains(word), "{node}: {word}");
        }
    }
}

#[test]
fn npm_wrote_a_placeholder_without_a_word_of_the_content() {
    let project =
        Project::with_logs([("2026-03-10", entry("Migration", 250) + "- decision: keep both\n")]);
    project.compact("2026-03-10");
    for node in [DAY, WEEK, MONTH] {
        let body = project.body(node);
        assert!(
            body.contains("Migration [project]") && body.contains("keep both"),
            "{node}: {body}"
        );
    }
    assert!(project.body(DAY).contains("hipocampus-compaction"));
}

#[test]
fn npm_put_a_placeholder_over_a_summary() {
    let summary = "\n## Topics\nall [project]\n\n## Key Decisions\n- all: as a model put it\n";
    let project = Project::with_logs([("2026-03-10", entry("Long", 250))]);
    project.write(DAY, npm_node("daily", "2026-03-10", "tentative", summary));
    for today in ["2026-03-10", "2026-03-11", "2026-05-01"] {
        project.append("memory/2026-03-10.md", "- more\n");
        project.compact(today);
        assert_eq!(project.body(DAY), summary[1..], "{today}");
    }
}

#[test]
fn npm_froze_a_placeholder() {
    let project = Project::with_logs([("2026-03-10", entry("Long", 250))]);
    let text = placeholder("daily", 200);
    let day = npm_node("daily", "2026-03-10", "fixed", &text);
    project.write(DAY, &day);
    project
        .write(WEEK, npm_node("weekly", "2026-W11", "fixed", &npm_concat(&[("2026-03-10", &day)])));
    project.compact("2026-05-01");
    for node in [DAY, WEEK, MONTH] {
        assert!(project.body(node).contains("Long [project]"), "{node}");
        assert_ne!(project.status(node), "fixed", "{node}");
    }
}

#[test]
fn npm_kept_the_copy_of_a_log_that_crossed_the_threshold_after_its_date() {
    let project = Project::with_logs([("2026-03-10", entry("Short", 150))]);
    project.compact("2026-03-12");
    assert_eq!(project.status(DAY), "fixed");
    project.append("memory/2026-03-10.md", entry("Late", 100));
    project.compact("2026-03-13");
    assert_eq!(project.status(DAY), "needs-summarization");
    for node in [DAY, WEEK, MONTH] {
        assert!(project.body(node).contains("Short [project], Late [project]"), "{node}");
    }
}

#[test]
fn npm_left_the_topics_of_a_head_empty() {
    let project = Project::with_logs([("2026-03-10", "## Auth [project]\n- jwt\n")]);
    project.compact("2026-03-10");
    for node in [DAY, WEEK, MONTH] {
        let topics = project.head(node, "topics").unwrap();
        assert!(topics.starts_with("Auth [project]"), "{node}: {topics}");
    }
}

#[test]
fn npm_made_a_node_of_a_date_that_does_not_exist() {
    let project =
        Project::with_logs([("2026-03-10", entry("A", 5)), ("2026-02-30", entry("No", 5))]);
    project.write("memory/2026-13-45.md", "# no\n");
    project.compact("2026-05-01");
    let names: Vec<_> = project.nodes().into_keys().collect();
    assert_eq!(names, ["daily/2026-03-10.md", "monthly/2026-03.md", "weekly/2026-W11.md"]);
    assert!(project.has("memory/2026-02-30.md"));
}

#[test]
fn npm_made_a_week_of_no_number() {
    let project = Project::with_logs([("2026-03-10", "- a\n")]);
    let daily = npm_node("daily", "2026-03-10", "fixed", "\n- a\n");
    let stray = npm_concat(&[("2026-03-10", &daily)]);
    project.write("memory/weekly/NaN-WNaN.md", npm_node("weekly", "NaN-WNaN", "fixed", &stray));
    project.compact("2026-05-01");
    assert!(!project.has("memory/weekly/NaN-WNaN.md"));
}

#[test]
fn npm_replaced_every_last_updated_it_found() {
    let root = "---\ntype: root\nstatus: tentative\nlast-updated: 2020-01-01\n---\n\n## Topics Index\n- docs: the key is `last-updated: 2020-01-01`\n";
    let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
    project.write("memory/ROOT.md", root);
    project.compact("2026-03-10");
    let text = project.text("memory/ROOT.md");
    assert!(
        text.starts_with("---\ntype: root\n") && text.contains("\nlast-updated: 2026-03-10\n"),
        "{text}"
    );
    assert!(text.contains("- docs: the key is `last-updated: 2020-01-01`\n"), "{text}");
}

#[test]
fn npm_wrote_in_place_so_that_a_reader_could_see_half_a_node() {
    use std::os::unix::fs::MetadataExt;
    let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
    project.compact("2026-03-10");
    // Whoever has the old file open keeps reading the old text: a new file took its name.
    let inode = |node: &str| std::fs::metadata(project.path(node)).unwrap().ino();
    let before = [DAY, WEEK, MONTH].map(inode);
    let held = std::fs::File::open(project.path(WEEK)).unwrap();
    let old = project.text(WEEK);
    project.append("memory/2026-03-10.md", "- more\n");
    project.compact("2026-03-10");
    assert!(
        [DAY, WEEK, MONTH].map(inode).iter().zip(before).all(|(after, before)| *after != before)
    );
    assert_eq!(std::io::read_to_string(held).unwrap(), old);
}

#[test]
fn npm_rewrote_an_unchanged_tree_at_every_run() {
    let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
    project.compact("2026-03-10");
    let time = |node: &str| std::fs::metadata(project.path(node)).unwrap().modified().unwrap();
    let before = [DAY, WEEK, MONTH].map(time);
    project.idle("2026-03-10");
    assert_eq!(before, [DAY, WEEK, MONTH].map(time));
}

#[test]
fn npm_left_a_torn_node_as_it_was() {
    let project = Project::with_logs([("2026-03-10", entry("Auth", 12))]);
    project.compact("2026-03-10");
    let whole = project.bytes(DAY);
    project.write(DAY, &whole[..whole.len() - 30]);
    let found = project.run(["check"]).today("2026-03-10").output();
    assert_eq!((found.exit, &*found.err), (hipocampus::Exit::Problem, ""), "{}", found.out);
    assert!(found.out.starts_with(&format!("{DAY}: is not whole")), "{}", found.out);
    let mended = project.run(["check", "--fix"]).today("2026-03-10").output();
    assert_eq!(mended.exit, hipocampus::Exit::Done, "{}", mended.out);
    assert_eq!(project.bytes(DAY), whole);
}
