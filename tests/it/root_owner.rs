//! ROOT.md after an edit: whose it is, line by line.

use std::fmt::Write as _;

use hipocampus::Exit;

use crate::support::Project;

const ROOT: &str = "memory/ROOT.md";

/// Twenty days of logs and a rule, brought up to date on the last of them. ROOT.md is full.
fn full() -> Project {
    let project = Project::new();
    for day in 1..=20 {
        let mut log = String::new();
        for n in 0..6 {
            writeln!(log, "## Basin {day} gate {n} [project]\n- decision: weir {day} {n} of oak\n- pending: sluice {n}\n").unwrap();
        }
        project.write(&format!("memory/2026-03-{day:02}.md"), log);
    }
    project.append("memory/2026-03-02.md", "## Terse answers [feedback]\n- rule: be brief\n");
    project.write("hipocampus.config.json", "{\"compaction\": {\"rootMaxTokens\": 700}}\n");
    project.compact("2026-03-20");
    project
}

fn edit(project: &Project, from: &str, to: &str) {
    let root = project.text(ROOT);
    assert!(root.contains(from), "{from}: {root}");
    project.write(ROOT, root.replacen(from, to, 1));
}

/// The lines of a section.
fn section(project: &Project, heading: &str) -> Vec<String> {
    let root = project.text(ROOT);
    let lines = root.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    lines
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("- "))
        .map(str::to_owned)
        .collect()
}

fn status(project: &Project, today: &str) -> (String, serde_json::Value) {
    let text = project.run(["status", "--all"]).today(today).output().out;
    let json = project.run(["status", "--json"]).today(today).output().out;
    (text, serde_json::from_str::<serde_json::Value>(&json).unwrap()["root"].clone())
}

#[test]
fn after_one_edit_the_lines_of_the_machine_go_on_being_its_own() {
    let project = full();
    assert_eq!(status(&project, "2026-03-20").1["theirs"], false);
    edit(&project, "## Topics Index\n", "## Topics Index\n- wharf [project, 3d]: mine\n");
    project.compact("2026-03-20");
    let root = project.text(ROOT);
    assert!(
        root.contains("author: agent\n") && root.contains("- wharf [project, 3d]: mine\n"),
        "{root}"
    );

    // Two months later there is a new rule and a new subject, and the old days are no recent ones.
    project.write("memory/2026-05-19.md", "## Oil lamps only [feedback]\n- rule: no electric light\n\n## Lighthouse [project]\n- decision: a new lens\n");
    project.compact("2026-05-19");
    let root = project.text(ROOT);
    assert!(root.contains("- wharf [project, 63d]: mine\n"), "{root}");
    assert!(root.contains("- Oil lamps only [feedback, 0d]"), "{root}");
    let active = section(&project, "## Active Context");
    assert!(active.iter().any(|line| line.contains("Lighthouse")), "{root}");
    assert!(
        !active.iter().any(|line| line.contains("60d") || line.contains("Basin")),
        "{active:?}"
    );
    assert!(
        section(&project, "## Topics Index").iter().all(|line| !line.contains("hipocampus:added"))
    );
    project.idle("2026-05-19");

    let (text, json) = status(&project, "2026-05-19");
    assert!(
        text.contains("edited, so it is its editor's") && text.contains("--rebuild-root"),
        "{text}"
    );
    assert_eq!((&json["theirs"], &json["rules_not_shown"]), (&true.into(), &0.into()));
    assert!(json["lines_of_machine"].as_u64().unwrap() > 5, "{json}");
}

#[test]
fn a_reworded_line_is_its_editors_and_nothing_is_said_twice() {
    let project = full();
    let line = section(&project, "## Topics Index")
        .into_iter()
        .find(|line| line.contains("Terse"))
        .unwrap();
    edit(&project, &line, "- Terse answers [feedback, 18d]: three sentences, never more");
    project.compact("2026-03-25");
    let root = project.text(ROOT);
    assert!(
        root.contains("- Terse answers [feedback, 23d]: three sentences, never more\n"),
        "{root}"
    );
    assert_eq!(root.matches("Terse answers").count(), 1, "{root}");
    // A day of the summary.
    let history = section(&project, "## Historical Summary");
    let (label, _) = history[0].split_once(": ").unwrap();
    edit(&project, &history[0], &format!("{label}: the day of the flood"));
    project.compact("2026-03-25");
    let root = project.text(ROOT);
    assert_eq!(root.matches(&format!("{label}: ")).count(), 1, "{root}");
    project.idle("2026-03-25");
}

#[test]
fn a_section_that_somebody_rewrote_whole_is_theirs() {
    let project = full();
    let old = section(&project, "## Active Context").join("\n");
    edit(&project, &old, "- we repair the east wall");
    for today in ["2026-03-20", "2026-03-21", "2026-05-19"] {
        project.compact(today);
        assert_eq!(section(&project, "## Active Context"), ["- we repair the east wall"]);
        project.idle(today);
    }
    // The others go on.
    assert!(!section(&project, "## Historical Summary").is_empty());
}

#[test]
fn the_machines_lines_make_room_and_theirs_never() {
    let project = full();
    let many: String = (0..60).fold(String::new(), |text, n| {
        text + &format!("- remark {n}: the quay stones of row {n} are loose\n")
    });
    edit(&project, "## Recent Patterns\n", &format!("## Recent Patterns\n{many}"));
    let output = project.run(["compact"]).today("2026-03-20").output();
    assert!(output.err.contains("by its own text"), "{}", output.err);
    let root = project.text(ROOT);
    assert!(root.contains(&many), "{root}");
    assert!(!root.contains("Basin"), "{root}");
    let (text, json) = status(&project, "2026-03-20");
    assert!(json["over"].as_u64().unwrap() > 0 && json["rules_not_shown"] == 1, "{json}");
    assert!(
        text.contains("over by its own text") && text.contains("1 of them user or feedback"),
        "{text}"
    );
    // With room again, what is about the user comes first.
    let shorter: String =
        many.lines().take(20).fold(String::new(), |text, line| text + line + "\n");
    edit(&project, &many, &shorter);
    project.compact("2026-03-20");
    let root = project.text(ROOT);
    assert!(root.contains("- Terse answers"), "{root}");
    assert_eq!(status(&project, "2026-03-20").1["over"], 0);
}

#[test]
fn rebuilt_on_request_the_edited_text_is_kept_beside_it() {
    let project = full();
    let machine = project.text(ROOT);
    assert_eq!(
        project.run(["compact", "--rebuild-root"]).today("2026-03-20").quiet(),
        "nothing to do"
    );
    edit(&project, "## Recent Patterns\n", "## Recent Patterns\n- mine\n");
    let edited = project.text(ROOT);
    let dry = project.run(["compact", "--rebuild-root", "--dry-run"]).today("2026-03-20").output();
    assert!(dry.out.contains(".kept") && dry.out.contains(ROOT), "{}", dry.out);
    assert_eq!(project.text(ROOT), edited);
    let output = project.run(["compact", "--rebuild-root"]).today("2026-03-20").output();
    assert_eq!((output.exit, &*output.out), (Exit::Done, "hipocampus compact: ROOT.md updated\n"));
    assert_eq!(project.text(ROOT), machine);
    let (name, _) = output.err.strip_prefix("note: `").unwrap().split_once('`').unwrap();
    assert_eq!(project.text(name), edited);
    project.idle("2026-03-20");
    assert_eq!(status(&project, "2026-03-20").1["theirs"], false);
}

#[test]
fn the_cap_holds_with_the_key_in_the_head() {
    let project = full();
    let root = project.text(ROOT);
    assert!(root.contains("\nlines-of-machine: "), "{root}");
    assert!(hipocampus::internals::tokens::count(&root) <= 700);
    edit(&project, "## Topics Index\n", "## Topics Index\n- wharf [project, 3d]: mine\n");
    for today in ["2026-03-20", "2026-03-27", "2026-04-30", "2026-09-01"] {
        project.compact(today);
        assert!(hipocampus::internals::tokens::count(&project.text(ROOT)) <= 700, "{today}");
        project.idle(today);
    }
}

#[test]
fn two_lines_that_begin_alike_do_not_change_places() {
    let project = Project::new();
    project.write("memory/2026-03-01.md", "## Gate [project]\n- decision: weir of oak\n");
    project.compact("2026-03-20");
    project.append(ROOT, "- wharf [project, 3d]: mine\n");
    project.compact("2026-03-20");
    project.write("memory/2026-03-14.md", "## Habit [user]\n- prefers weirs\n");
    project.compact("2026-03-20");
    project.write("memory/2026-03-15.md", "## HABIT [feedback]\n- rule: no sluices\n");
    project.compact("2026-03-20");
    let settled = project.text(ROOT);
    assert!(settled.contains("Habit") || settled.contains("HABIT"), "{settled}");
    let again = project.run(["compact", "--full"]).today("2026-03-20").output().out;
    assert_eq!(again, "hipocampus compact: nothing to do\n");
    assert_eq!(project.text(ROOT), settled);
}
