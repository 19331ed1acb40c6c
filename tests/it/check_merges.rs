//! `check --fix` puts together what a merge without the driver, or a folder that is synced, left in two parts.

use hipocampus::Exit;

use crate::support::Project;

const LOG: &str = "memory/2026-03-15.md";
const OLD: &str = "memory/2026-01-06.md";
const TODAY: &str = "2026-03-15";

fn run<const N: usize>(project: &Project, arguments: [&str; N]) -> (Exit, String) {
    let output = project.run(arguments).today(TODAY).output();
    assert_eq!(output.err, "", "{}", output.out);
    (output.exit, output.out)
}

#[test]
fn a_log_with_both_sides_of_a_merge_is_mended() {
    let project = Project::with_logs([
        ("2026-01-06", "## A [project]\n- x\n"),
        ("2026-03-15", "## B [project]\n- y\n"),
    ]);
    project.compact(TODAY);
    assert_eq!(project.status("memory/weekly/2026-W02.md"), "fixed");
    for log in [LOG, OLD] {
        let was = project.text(log);
        let sides = "<<<<<<< HEAD\n## Ours [project]\n- o\n\n=======\n## Theirs [project]\n- t\n>>>>>>> b\n";
        project.write(log, format!("{was}\n{sides}"));
    }
    let (exit, out) = run(&project, ["check"]);
    assert!(exit == Exit::Problem && out.contains("`hipocampus check --fix` repairs"), "{out}");
    let (exit, out) = run(&project, ["check", "--fix"]);
    assert_eq!(exit, Exit::Done, "{out}");
    for (log, own) in [(LOG, "## B"), (OLD, "## A")] {
        assert!(out.contains(&format!("mended: {log}: a merge left both of its sides")), "{out}");
        let text = project.text(log);
        for entry in [own, "## Ours [project]\n- o\n", "## Theirs [project]\n- t\n"] {
            assert_eq!(text.matches(entry).count(), 1, "{text}");
        }
        assert!(
            !text.contains("<<<<") && !text.contains("====") && !text.contains(">>>>"),
            "{text}"
        );
    }
    for node in ["daily/2026-01-06", "weekly/2026-W02", "daily/2026-03-15"] {
        assert!(project.text(&format!("memory/{node}.md")).contains("## Theirs"), "{node}");
    }
    assert_eq!(run(&project, ["compact"]).1, "hipocampus compact: nothing to do\n");
}

#[test]
fn a_conflict_copy_comes_in_and_stays() {
    let project = Project::with_logs([("2026-01-06", "## A [project]\n- x\n")]);
    project.compact(TODAY);
    let copies =
        ["2026-01-06 (1)", "2026-01-06.sync-conflict-20260315-101112-ABCDEFG", "2026-01-07~HEAD"];
    let copies = copies.map(|name| match name.strip_suffix("~HEAD") {
        Some(name) => format!("memory/{name}.md~HEAD"),
        None => format!("memory/{name}.md"),
    });
    for (index, copy) in copies.iter().enumerate() {
        project
            .write(copy, format!("## A [project]\n- x\n\n## Said there {index} [project]\n- y\n"));
    }
    let (exit, out) = run(&project, ["check", "--fix"]);
    // Each is brought in by a look of its own, where two are copies of one log.
    let (exit, out) =
        if exit == Exit::Done { (exit, out) } else { run(&project, ["check", "--fix"]) };
    assert_eq!(exit, Exit::Done, "{out}");
    let log = project.text(OLD);
    assert!(log.contains("Said there 0") && log.contains("Said there 1"), "{log}");
    assert_eq!(log.matches("## A [project]").count(), 1, "{log}");
    assert!(project.text("memory/2026-01-07.md").contains("Said there 2"));
    assert!(project.text("memory/weekly/2026-W02.md").contains("Said there 2"));
    for copy in &copies {
        assert!(project.has(copy), "{copy} is the user's to delete");
    }
    assert_eq!(run(&project, ["check"]).0, Exit::Done);
}
