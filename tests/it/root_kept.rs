//! ROOT.md as a model keeps it, and where its lines come from.

use std::fmt::Write as _;

use hipocampus::Exit;

use crate::support::{Output, Project};

const ROOT: &str = "memory/ROOT.md";
const TODAY: &str = "2026-03-25";

/// A long day with a rule, and the summary that a model wrote of it.
fn summarised() -> Project {
    let mut log = "## Answer Style [feedback]\n- rule: terse and without metaphors\n".to_owned();
    for n in 0..120 {
        writeln!(log, "## Gate part {n} [project]\n- decision: oak for plank {n}").unwrap();
    }
    let project = Project::with_logs([("2026-03-10", log.as_str())]);
    project.compact(TODAY);
    let summary = "## Topics\nGate [project], Answer Style [feedback]\n\n## Key Decisions\n- Gate: oak over steel, because salt eats steel\n\n## Tasks Completed\n\n\
                   ## Lessons Learned\n- Answer Style [feedback]: terse and without metaphors\n\n## Open Items\n";
    let output = project.run(["summarize", "2026-03-10"]).today(TODAY).stdin(summary).output();
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    project
}

fn root(project: &Project, today: &str, text: &str) -> Output {
    project.run(["summarize", "root"]).today(today).stdin(text).output()
}

const PAGE: &str = "## Active Context (recent ~7 days)\n- gate: oak it is → 2026-03-10\n\n## Recent Patterns\n\n## Historical Summary\n\n\
                    ## Topics Index\n- Answer Style [feedback, 15d]: terse → 2026-03-10\n- gate [project, 15d]: oak over steel → 2026-03-10\n";

#[test]
fn root_comes_last_once_a_node_is_summarised_and_is_offered_when_something_is_new() {
    let project = summarised();
    let list = |today: &str| project.run(["pending"]).today(today).output().out;
    assert!(list(TODAY).contains("root        new    the facts of 1 node"), "{}", list(TODAY));
    let prompt = project.run(["pending", "--prompt"]).today(TODAY).output().out;
    for part in [
        "- Answer Style: terse and without metaphors\n",
        "- Gate [project] decision: oak over steel",
        "summarize root -",
    ] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    let output = root(&project, TODAY, PAGE);
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{}", output.out);
    assert!(project.text(ROOT).contains("\nfingerprint: m:2026-03-10/"), "{}", project.text(ROOT));
    assert_eq!(list(TODAY), "nothing waits for a summary\n");
    project.idle(TODAY);
    // A day later something new was said.
    project.write("memory/2026-03-25.md", "## Dispatcher [project]\n- decision: a new lens\n");
    project.compact(TODAY);
    assert_eq!(list(TODAY), "nothing waits for a summary\n");
    assert!(list("2026-03-26").contains("root        stale  the facts of 1 node"));
    let json = project.run(["pending", "--json"]).today("2026-03-26").output().out;
    assert!(json.contains("\"node\": \"root\""), "{json}");
}

#[test]
fn between_two_times_the_page_is_kept_current() {
    let project = summarised();
    root(&project, TODAY, PAGE);
    project.write("memory/2026-03-26.md", "## Dispatcher [project]\n- decision: a new lens\n\n## Lamps [feedback]\n- rule: oil only\n");
    project.compact("2026-03-27");
    let page = project.text(ROOT);
    for line in [
        "- gate: oak it is → 2026-03-10\n<!-- hipocampus:added -->\n- Dispatcher: a new lens → 2026-03-26\n",
        "- gate [project, 17d]: oak over steel → 2026-03-10\n<!-- hipocampus:added -->\n- Lamps [feedback, 1d]: oil only → 2026-03-26\n",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    project.idle("2026-03-27");
    let status = project.run(["status"]).today("2026-03-27").output().out;
    let status = status.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(status.contains("written by a model, up to 2026-03-10"), "{status}");
    // The next one takes in what was added.
    let output = root(
        &project,
        "2026-03-28",
        &PAGE.replace(
            "- gate [",
            "- Lamps [feedback, 2d]: oil only → 2026-03-26\n- Dispatcher [project, 2d]: a new lens → 2026-03-26\n- gate [",
        ),
    );
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert!(!project.text(ROOT).contains("hipocampus:added"), "{}", project.text(ROOT));
    // Somebody who edits it has it from then on.
    project.write(ROOT, project.text(ROOT).replace("oak it is", "ash it is"));
    project.compact("2026-03-29");
    assert!(
        project.text(ROOT).contains("ash it is")
            && project.text(ROOT).contains("fingerprint: p:2026-03-29/")
    );
    assert!(project.run(["pending"]).today("2026-04-02").output().out.contains("nothing waits"));
}

#[test]
fn what_will_not_do_is_refused_and_nothing_changes() {
    let project = summarised();
    let before = project.text(ROOT);
    for (text, says) in [
        (
            PAGE.replace("- Answer Style [feedback, 15d]: terse → 2026-03-10\n", ""),
            "may not vanish: `Answer Style`",
        ),
        (
            PAGE.replace("steel → 2026-03-10", "steel → 2026-03-11"),
            "nothing of these days: `2026-03-11`",
        ),
        (PAGE.replace("## Recent Patterns\n", ""), "sections are missing: `Recent Patterns`"),
    ] {
        let output = root(&project, TODAY, &text);
        assert_eq!(output.exit, Exit::Problem);
        assert!(output.err.contains(says), "{}", output.err);
        assert_eq!(project.text(ROOT), before);
    }
}

#[test]
fn a_line_tells_where_it_comes_from() {
    let log = "<!-- hipocampus:session s 0-9 -->\n## Session — 2026-03-10 08:00:00 — the gate\n\n**User:** oak for the gate, never steel again\n\n**Assistant:** Done.\n\
               <!-- hipocampus:end s 9 -->\n\n## Gate [project]\n- decision: oak for the gate, because salt eats steel\n";
    let project = Project::with_logs([("2026-03-10", log)]);
    project.compact("2026-03-12");
    let page = project.text(ROOT);
    let line = 1 + page.lines().position(|line| line.starts_with("- Gate")).unwrap();
    let what = format!("ROOT.md:{line}");
    let shown = project.run(["show"]).arg(&what).today("2026-03-12").output().out;
    for part in [
        "memory/daily/2026-03-10.md:",
        "2026-03-10, entry, decision",
        "memory/2026-03-10.md:4  2026-03-10, user",
        "memory/2026-03-10.md:10  2026-03-10, entry",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let json = project.run(["show", "--json"]).arg(&what).today("2026-03-12").output().out;
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&found[0]["who"], &found[0]["kind"]),
        (&"entry".into(), &"decision".into()),
        "{json}"
    );
    // A line of a week goes to the log of its day.
    let week = project.text("memory/weekly/2026-W11.md");
    let line = 1 + week.lines().position(|line| line.starts_with("- decision: oak")).unwrap();
    let shown = project
        .run(["show"])
        .arg(format!("memory/weekly/2026-W11.md:{line}"))
        .today("2026-03-12")
        .output()
        .out;
    assert!(shown.contains("memory/2026-03-10.md:10  2026-03-10, entry"), "{shown}");
}

#[test]
fn a_long_line_of_a_models_page_tells_where_each_clause_comes_from() {
    let log = "## Gate [project]\n- decision: the gate is made of oak, since salt eats steel and nobody wants to paint it every spring\n\n\
               ## Lock [project]\n- decision: a lock with a code instead of keys, which got lost four times in the last season\n";
    let project = Project::with_logs([("2026-03-10", log)]);
    project.compact("2026-03-12");
    let page = "## Active Context (recent ~7 days)\n\n## Recent Patterns\n\n## Historical Summary\n\n## Topics Index\n\
                - entrance [project, 2d]: gate made of oak; lock with code instead of keys; open: hinges, a lamp, new signs in three languages → 2026-03-10\n";
    let stored = project.run(["summarize", "root", "-"]).today("2026-03-12").stdin(page).output();
    assert_eq!(stored.exit, hipocampus::Exit::Done, "{}", stored.err);
    let page = project.text(ROOT);
    let line = 1 + page.lines().position(|line| line.starts_with("- entrance")).unwrap();
    let what = format!("ROOT.md:{line}");
    let shown = project.run(["show"]).arg(&what).today("2026-03-12").output().out;
    for part in ["salt eats steel", "which got lost four times"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
