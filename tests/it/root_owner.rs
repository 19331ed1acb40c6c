//! ROOT.md after an edit: whose it is, and what the program still does to it.

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

fn tokens(project: &Project) -> u32 {
    hipocampus::internals::tokens::count(&project.text(ROOT))
}

#[test]
fn the_head_has_four_keys() {
    let project = full();
    let root = project.text(ROOT);
    let head: Vec<&str> = root
        .lines()
        .skip(1)
        .take_while(|line| *line != "---")
        .map(|line| line.split(':').next().unwrap())
        .collect();
    assert_eq!(head, ["type", "status", "last-updated", "fingerprint"]);
    // What an earlier build wrote there goes.
    edit(&project, "fingerprint:", "lines-of-machine: QkfB / / /\nfingerprint:");
    project.compact("2026-03-21");
    assert!(!project.text(ROOT).contains("lines-of-machine"));
}

#[test]
fn an_edited_page_stays_to_the_letter_but_for_ages_and_what_is_added_below() {
    let project = full();
    assert_eq!(status(&project, "2026-03-20").1["by"], "program");
    let page = "---\ntype: root\n---\n\n## Active Context\n- we repair the east wall\n\n## Topics Index\n\
                - wharf [project, 3d]: mine\n- Terse answers [feedback, 18d]: three sentences, never more\n";
    project.write(ROOT, page);
    project.compact("2026-03-20");
    let root = project.text(ROOT);
    assert!(
        root.contains(
            "- we repair the east wall\n\n## Topics Index\n- wharf [project, 3d]: mine\n"
        ),
        "{root}"
    );
    assert!(root.contains("- Terse answers [feedback, 18d]: three sentences, never more\n<!-- hipocampus:added -->\n"), "{root}");
    assert_eq!(root.matches("Terse answers").count(), 1, "{root}");
    project.idle("2026-03-20");

    // Two months later there is a new rule and a new subject.
    project.write("memory/2026-05-19.md", "## Oil lamps only [feedback]\n- rule: no electric light\n\n## Dispatcher [project]\n- decision: a new lens\n");
    project.compact("2026-05-19");
    let root = project.text(ROOT);
    assert!(root.contains("- wharf [project, 63d]: mine\n"), "{root}");
    assert!(root.contains("- Oil lamps only [feedback, 0d]: no electric light"), "{root}");
    assert!(
        section(&project, "## Active Context")
            .iter()
            .any(|line| line.contains("Dispatcher: a new lens")),
        "{root}"
    );
    assert!(tokens(&project) <= 700);
    project.idle("2026-05-19");
    let (text, json) = status(&project, "2026-05-19");
    assert!(
        text.contains("edited by hand since 2026-03-20") && text.contains("--rebuild-root"),
        "{text}"
    );
    assert_eq!((&json["by"], &json["rules_not_shown"]), (&"person".into(), &0.into()));

    // What somebody writes below the marker is theirs as well.
    edit(
        &project,
        "- Oil lamps only",
        "- mine alone [project, 0d]: the third key\n- Oil lamps only",
    );
    project.compact("2026-05-20");
    assert!(
        project.text(ROOT).contains("- mine alone [project, 1d]: the third key\n"),
        "{}",
        project.text(ROOT)
    );
    project.idle("2026-05-20");
}

#[test]
fn their_text_may_be_over_the_cap_and_what_is_added_never() {
    let project = full();
    let many: String = (0..60).fold(String::new(), |text, n| {
        text + &format!("- remark {n}: the path stones of row {n} are loose\n")
    });
    project.write(ROOT, format!("## Recent Patterns\n{many}\n## Topics Index\n"));
    let output = project.run(["compact"]).today("2026-03-20").output();
    assert!(output.err.contains("by its own text"), "{}", output.err);
    let root = project.text(ROOT);
    assert!(root.contains(&many) && !root.contains("Basin"), "{root}");
    let (text, json) = status(&project, "2026-03-20");
    assert!(json["over"].as_u64().unwrap() > 0 && json["rules_not_shown"] == 1, "{json}");
    assert!(text.contains("over by its own text"), "{text}");
    // With room again, what is about the user comes first.
    let shorter: String =
        many.lines().take(20).fold(String::new(), |text, line| text + line + "\n");
    edit(&project, &many, &shorter);
    project.compact("2026-03-20");
    assert!(project.text(ROOT).contains("- Terse answers"), "{}", project.text(ROOT));
    assert_eq!(status(&project, "2026-03-20").1["over"], 0);
}

#[test]
fn rebuilt_on_request_the_edited_text_is_kept_beside_it() {
    let project = full();
    let programs = project.text(ROOT);
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
    assert_eq!(project.text(ROOT), programs);
    let (name, _) = output.err.strip_prefix("note: `").unwrap().split_once('`').unwrap();
    assert_eq!(project.text(name), edited);
    project.idle("2026-03-20");
    assert_eq!(status(&project, "2026-03-20").1["by"], "program");
}

#[test]
fn the_cap_holds_as_days_go_by() {
    let project = full();
    for today in ["2026-03-20", "2026-03-27", "2026-04-30", "2026-09-01"] {
        project.compact(today);
        assert!(tokens(&project) <= 700, "{today}");
        project.idle(today);
    }
}
