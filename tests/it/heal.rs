//! Trees as the npm tool leaves them come right in one run, and nothing that a model or a person wrote in them
//! is lost.

use std::collections::BTreeMap;

use crate::support::{Project, assert_same, entry, fixture, fresh, logs_of};

/// A node as the npm tool writes it: no fingerprint, whatever the text.
pub(crate) fn npm_node(level: &str, label: &str, status: &str, text: &str) -> String {
    let sources = match level {
        "daily" => format!("source-files: [memory/{label}.md]\n"),
        "weekly" => {
            format!("dates: {0} to {0}\nsource-files: [memory/daily/{0}.md]\n", &label[..4])
        }
        _ => "weeks: []\nsource-files: []\n".to_owned(),
    };
    format!(
        "---\ntype: {level}\nstatus: {status}\nperiod: {label}\n{sources}topics: []\n---\n{text}"
    )
}

/// How the npm tool puts nodes together: heads and all.
pub(crate) fn npm_concat(parts: &[(&str, &str)]) -> String {
    parts
        .iter()
        .fold(String::new(), |text, (label, file)| text + &format!("\n\n# {label}\n\n{file}"))
}

pub(crate) fn placeholder(level: &str, threshold: usize) -> String {
    format!(
        "\nThis {level} node exceeds {threshold} lines and needs LLM summarization.\n\
         Run hipocampus-compaction skill to generate the summary.\n"
    )
}

/// One compact makes of the tree what it would make of the logs alone.
fn check(project: &Project, today: &str) {
    let expect = fresh(&logs_of(project), today);
    project.compact(today);
    let mut found = project.nodes();
    found.retain(|name, _| expect.contains_key(name) || name != "ROOT.md");
    assert_same(&expect, &found);
    project.idle(today);
}

#[test]
fn the_tree_of_a_real_run_of_the_tool() {
    for today in ["2026-07-12", "2026-07-14", "2026-08-20"] {
        let project = Project::new();
        project.copy_from(&fixture("npm-tree"), ".");
        assert!(project.text("memory/weekly/2026-W23.md").contains("status: fixed"));
        check(&project, today);
        assert!(project.text("memory/.compaction-state.json").contains("lastCompactionRun"));
    }
}

#[test]
fn any_of_its_nodes_may_be_missing_or_cut() {
    let whole = Project::new();
    whole.copy_from(&fixture("npm-tree"), ".");
    let logs = logs_of(&whole);
    let expect = fresh(&logs, "2026-08-20");
    for (name, bytes) in whole.nodes().iter().step_by(5) {
        for cut in [0, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
            let project = Project::new();
            project.copy_from(&fixture("npm-tree"), ".");
            project.write(&format!("memory/{name}"), &bytes[..cut]);
            project.compact("2026-08-20");
            assert_same(&expect, &project.nodes());
        }
    }
}

/// A week of logs and the tree the npm tool makes of them, with the days the weekly carries.
fn npm_week(carried: &[&str], status: &str) -> Project {
    let days = ["2026-03-09", "2026-03-10", "2026-03-12", "2026-03-15"];
    let project =
        Project::with_logs(days.map(|day| (day, format!("# {day}\n\n{}", entry(day, 4)))));
    let mut parts = Vec::new();
    let dailies: BTreeMap<_, _> = days
        .map(|day| {
            let text = format!("\n{}", project.text(&format!("memory/{day}.md")));
            (day, npm_node("daily", day, status, &text))
        })
        .into();
    for (day, file) in &dailies {
        project.write(&format!("memory/daily/{day}.md"), file);
        if carried.contains(day) {
            parts.push((*day, &**file));
        }
    }
    let week = npm_node("weekly", "2026-W11", status, &npm_concat(&parts));
    project.write("memory/weekly/2026-W11.md", &week);
    let month = npm_node("monthly", "2026-03", status, &npm_concat(&[("2026-W11", &week)]));
    project.write("memory/monthly/2026-03.md", month);
    project
}

#[test]
fn a_week_stuck_after_any_of_its_days() {
    let all = ["2026-03-09", "2026-03-10", "2026-03-12", "2026-03-15"];
    for status in ["fixed", "tentative", "needs-summarization"] {
        for carried in 0..=all.len() {
            for today in ["2026-03-15", "2026-03-20", "2026-05-01"] {
                check(&npm_week(&all[..carried], status), today);
            }
        }
    }
}

#[test]
fn npm_left_a_past_day_tentative() {
    let project = npm_week(&["2026-03-09"], "tentative");
    check(&project, "2026-03-13");
    assert_eq!(project.status("memory/daily/2026-03-09.md"), "fixed");
    assert_eq!(project.status("memory/daily/2026-03-15.md"), "tentative");
}

#[test]
fn a_daily_of_an_earlier_hour_of_its_day() {
    let project = npm_week(&["2026-03-09"], "fixed");
    project.append("memory/2026-03-10.md", "\n## In the evening [project]\n- outcome: home\n");
    check(&project, "2026-05-01");
    assert!(project.body("memory/weekly/2026-W11.md").contains("In the evening"));
}

#[test]
fn placeholders_at_every_level() {
    let project = Project::with_logs([
        ("2026-03-10", entry("Long", 250)),
        ("2026-03-11", entry("Short", 190)),
        ("2026-03-12", entry("Short again", 190)),
    ]);
    for status in ["fixed", "tentative", "needs-summarization"] {
        for (level, label, threshold) in
            [("daily", "2026-03-10", 200), ("weekly", "2026-W11", 300), ("monthly", "2026-03", 500)]
        {
            let text = placeholder(level, threshold);
            project.write(
                &format!("memory/{level}/{label}.md"),
                npm_node(level, label, status, &text),
            );
        }
        check(&project, "2026-05-01");
        assert_eq!(project.status("memory/daily/2026-03-10.md"), "needs-summarization");
        assert!(project.body("memory/monthly/2026-03.md").contains("Short again"));
    }
}

#[test]
fn a_placeholder_over_a_summarys_period_waits_beside_the_summary() {
    // The day was summarised; the tool then put a placeholder over the week and froze the month below it.
    let project =
        Project::with_logs([("2026-03-10", entry("Long", 250)), ("2026-03-11", entry("B", 290))]);
    let summary =
        "\n## Topics\nLong [project]\n\n## Key Decisions\n- Long: summarised by a model\n";
    project.write("memory/daily/2026-03-10.md", npm_node("daily", "2026-03-10", "fixed", summary));
    let text = placeholder("weekly", 300);
    project.write("memory/weekly/2026-W11.md", npm_node("weekly", "2026-W11", "fixed", &text));
    project.write(
        "memory/monthly/2026-03.md",
        npm_node(
            "monthly",
            "2026-03",
            "fixed",
            &npm_concat(&[("2026-W11", &npm_node("weekly", "2026-W11", "fixed", &text))]),
        ),
    );
    project.compact("2026-05-01");
    assert_eq!(project.body("memory/daily/2026-03-10.md"), &summary[1..]);
    for node in ["memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"] {
        assert!(project.body(node).contains("summarised by a model"), "{node}");
        assert!(!project.body(node).contains("exceeds"), "{node}");
    }
    project.idle("2026-05-01");
}

#[test]
fn nodes_of_no_bytes_and_nodes_cut_anywhere() {
    /// Every byte of a head, and of the body, where one line is like another, one in so many.
    const BODY: usize = 23;
    let logs = [("2026-03-10", entry("Auth: a \"b\"", 3)), ("2026-03-11", entry("Long", 230))];
    let today = "2026-03-12";
    let project = Project::with_logs(logs);
    project.compact(today);
    let whole = project.nodes();
    for (name, bytes) in whole.iter().filter(|(name, _)| name.contains('/')) {
        let path = format!("memory/{name}");
        let head = String::from_utf8_lossy(bytes).find("\n---\n").unwrap() + "\n---\n".len();
        for cut in (0..bytes.len()).filter(|cut| *cut <= head || cut % BODY == 0) {
            project.write(&path, &bytes[..cut]);
            project.compact(today);
            let found = project.nodes();
            assert!(
                found == whole,
                "{name} cut at {cut}: {:?}",
                String::from_utf8_lossy(&found[name])
            );
        }
    }
    project.idle(today);
}

#[test]
fn nodes_of_the_tool_cut_at_every_byte() {
    let project = npm_week(&["2026-03-09", "2026-03-10"], "fixed");
    let tree: Vec<_> =
        ["memory/daily/2026-03-09.md", "memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"]
            .map(|path| (path, project.bytes(path)))
            .into();
    let expect = fresh(&logs_of(&project), "2026-05-01");
    for (path, bytes) in tree {
        for cut in 0..bytes.len() {
            let project = npm_week(&["2026-03-09", "2026-03-10"], "fixed");
            project.write(path, &bytes[..cut]);
            project.compact("2026-05-01");
            assert!(project.nodes() == expect, "{path} cut at {cut}");
        }
    }
}

#[test]
fn all_nodes_cut_at_once() {
    let project =
        Project::with_logs([("2026-03-10", entry("Auth", 9)), ("2026-03-11", entry("Long", 230))]);
    project.compact("2026-05-01");
    let whole = project.nodes();
    for part in 1..20 {
        for (name, bytes) in whole.iter().filter(|(name, _)| name.contains('/')) {
            project.write(&format!("memory/{name}"), &bytes[..bytes.len() * part / 20]);
        }
        project.compact("2026-05-01");
        assert_same(&whole, &project.nodes());
    }
}

#[test]
fn files_under_names_that_are_no_period() {
    let project = npm_week(&["2026-03-09"], "fixed");
    let daily = project.text("memory/daily/2026-03-10.md");
    let stray = npm_node("weekly", "NaN-WNaN", "fixed", &npm_concat(&[("2026-03-10", &daily)]));
    project.write("memory/weekly/NaN-WNaN.md", &stray);
    project.write(
        "memory/monthly/NaN-NaN.md",
        npm_node("monthly", "NaN-NaN", "fixed", &npm_concat(&[("NaN-WNaN", &stray)])),
    );
    project.write("memory/weekly/2026-W54.md", npm_node("weekly", "2026-W54", "fixed", ""));
    check(&project, "2026-05-01");
    assert!(!project.has("memory/weekly/NaN-WNaN.md") && !project.has("memory/weekly/2026-W54.md"));
}

#[test]
fn a_stray_that_holds_more_than_copies_stays_and_is_named() {
    let project = npm_week(&["2026-03-09"], "fixed");
    let stray = npm_node("weekly", "NaN-WNaN", "fixed", "\n## Topics\nwritten by a model\n");
    project.write("memory/weekly/NaN-WNaN.md", &stray);
    let output = project.run(["compact"]).today("2026-05-01").output();
    assert_eq!(output.exit, hipocampus::Exit::Done);
    assert!(output.err.starts_with("note: `memory/weekly/NaN-WNaN.md`: "), "{output:?}");
    assert_eq!(project.text("memory/weekly/NaN-WNaN.md"), stray);
    let again = project.run(["compact"]).today("2026-05-01").output();
    assert_eq!((&*again.out, &*again.err), ("hipocampus compact: nothing to do\n", &*output.err));
}

#[test]
fn an_impossible_date_whose_copies_went_under_no_name() {
    // The tool took `2026-13-45.md` for a log and filed it under NaN.
    let project = npm_week(&["2026-03-09"], "fixed");
    let log = "# no day\n\n## Strange [project]\n- x\n";
    project.write("memory/2026-13-45.md", log);
    let daily = npm_node("daily", "2026-13-45", "fixed", &format!("\n{log}"));
    project.write("memory/daily/2026-13-45.md", &daily);
    let week = npm_node("weekly", "NaN-WNaN", "fixed", &npm_concat(&[("2026-13-45", &daily)]));
    project.write("memory/weekly/NaN-WNaN.md", &week);
    check(&project, "2026-05-01");
    assert_eq!(project.text("memory/2026-13-45.md"), log);
}

#[test]
fn a_week_filed_under_the_wrong_month() {
    // 2026-W18 has its Thursday in April; the tool files some weeks by another of their days.
    let project =
        Project::with_logs([("2026-04-30", entry("April", 4)), ("2026-05-01", entry("May", 4))]);
    let text = |day: &str| {
        npm_node("daily", day, "fixed", &format!("\n{}", project.text(&format!("memory/{day}.md"))))
    };
    let (a, b) = (text("2026-04-30"), text("2026-05-01"));
    let week = npm_node(
        "weekly",
        "2026-W18",
        "fixed",
        &npm_concat(&[("2026-04-30", &a), ("2026-05-01", &b)]),
    );
    project.write("memory/daily/2026-04-30.md", &a);
    project.write("memory/daily/2026-05-01.md", &b);
    project.write("memory/weekly/2026-W18.md", &week);
    project.write(
        "memory/monthly/2026-05.md",
        npm_node("monthly", "2026-05", "fixed", &npm_concat(&[("2026-W18", &week)])),
    );
    check(&project, "2026-08-01");
    assert!(!project.has("memory/monthly/2026-05.md"));
    assert!(project.body("memory/monthly/2026-04.md").contains("May, point 3"));
}

#[test]
fn the_weeks_of_2021_that_the_tool_numbered_one_too_high() {
    let days = ["2021-01-04", "2021-01-11", "2021-12-20", "2021-12-27"];
    let project = Project::with_logs(days.map(|day| (day, entry(day, 4))));
    for (day, wrong) in days.iter().zip(["2021-W02", "2021-W03", "2021-W52", "2021-W53"]) {
        let log = project.text(&format!("memory/{day}.md"));
        let daily = npm_node("daily", day, "fixed", &format!("\n{log}"));
        project.write(&format!("memory/daily/{day}.md"), &daily);
        let week = npm_node("weekly", wrong, "fixed", &npm_concat(&[(day, &daily)]));
        project.write(&format!("memory/weekly/{wrong}.md"), &week);
        let month = format!("memory/monthly/{}.md", &day[..7]);
        project
            .write(&month, npm_node("monthly", &day[..7], "fixed", &npm_concat(&[(wrong, &week)])));
    }
    check(&project, "2022-03-01");
    let weeks: Vec<_> =
        project.nodes().into_keys().filter(|name| name.starts_with("weekly")).collect();
    assert_eq!(
        weeks,
        ["weekly/2021-W01.md", "weekly/2021-W02.md", "weekly/2021-W51.md", "weekly/2021-W52.md"]
    );
}

#[test]
fn secrets_that_the_tool_took_out_make_no_author() {
    let project =
        Project::with_logs([("2026-03-10", "# a\n\n## Keys [project]\n- a secret line\n- b\n")]);
    let text = "\n# a\n\n## Keys [project]\n[REDACTED: secret detected]\n- b\n";
    project.write("memory/daily/2026-03-10.md", npm_node("daily", "2026-03-10", "fixed", text));
    check(&project, "2026-05-01");
}

#[test]
fn summaries_in_an_npm_tree_stay_word_for_word() {
    let summary = "\n## Topics\nall of it\n\n## Lessons Learned\n- written by a model\n";
    let level = |label: &str| match label.len() {
        10 => "daily",
        8 => "weekly",
        _ => "monthly",
    };
    for label in ["2026-03-10", "2026-W11", "2026-03"] {
        for status in ["fixed", "tentative", "needs-summarization"] {
            for end in ["\n", "\r\n"] {
                let project = npm_week(&["2026-03-09", "2026-03-10"], "fixed");
                let node = npm_node(level(label), label, status, summary)
                    .replace("topics: []\n", "topics: [a [project]]\nmood: good # mine\n")
                    .replace('\n', end);
                project.write(&Project::node(label), &node);
                project.compact("2026-05-01");
                let text = project.text(&Project::node(label));
                assert!(text.ends_with(&summary.replace('\n', end)), "{label} {status}: {text:?}");
                assert!(
                    text.contains(&format!("mood: good # mine{end}")),
                    "{label} {status}: {text:?}"
                );
                assert!(
                    text.contains(&format!("status: fixed{end}")),
                    "{label} {status}: {text:?}"
                );
                project.idle("2026-05-01");
            }
        }
    }
}

#[test]
fn a_model_in_one_day_reaches_the_week_that_had_copied_its_summary() {
    // The weekly is the tool's copy of a daily that a model wrote: machine work over a model's text.
    let project = npm_week(&["2026-03-09", "2026-03-10"], "fixed");
    let summary = npm_node("daily", "2026-03-10", "fixed", "\n## Topics\nby a model\n");
    project.write("memory/daily/2026-03-10.md", &summary);
    let first = project.text("memory/daily/2026-03-09.md");
    let week = npm_concat(&[("2026-03-09", &first), ("2026-03-10", &summary)]);
    project.write("memory/weekly/2026-W11.md", npm_node("weekly", "2026-W11", "fixed", &week));
    project.compact("2026-05-01");
    let body = project.body("memory/weekly/2026-W11.md");
    assert!(body.contains("by a model") && body.contains("2026-03-15, point 3"), "{body}");
    assert!(!body.contains("topics: []"), "{body}");
    project.idle("2026-05-01");
}

#[test]
fn a_person_in_a_copied_week_keeps_it() {
    let project = npm_week(&["2026-03-09", "2026-03-10"], "fixed");
    let week = project.text("memory/weekly/2026-W11.md") + "\nremember to call Ada\n";
    project.write("memory/weekly/2026-W11.md", &week);
    project.compact("2026-05-01");
    assert!(project.text("memory/weekly/2026-W11.md").ends_with("\nremember to call Ada\n"));
    project.idle("2026-05-01");
}
