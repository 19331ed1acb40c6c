//! ROOT.md, its copy in MEMORY.md, and when a summary is due.

use crate::desk::Desk;
use crate::support::{Project, entry};

const STATE: &str = "memory/.compaction-state.json";

fn state(project: &Project) -> serde_json::Value {
    serde_json::from_str(&project.text(STATE)).unwrap()
}

#[test]
fn npm_left_root_a_stub_until_a_model_wrote_it() {
    let log = "## Queue search [project]\n- decision: a stay is a date range\n";
    let project = Project::with_logs([("2026-03-10", log)]);
    project.compact("2026-03-12");
    let text = project.text("memory/ROOT.md");
    let line = "- Queue search [project, 2d]: a stay is a date range → 2026-03-10".to_owned();
    assert!(text.contains(&format!("## Active Context (recent ~7 days)\n{line}\n")), "{text}");
    // What came up on the last days with a log goes on, however long ago that was.
    project.compact("2026-03-22");
    let text = project.text("memory/ROOT.md");
    let line = line.replace("2d", "12d");
    assert!(text.contains(&format!("## Active Context (recent ~7 days)\n{line}\n")), "{text}");
}

#[test]
fn npm_expanded_dollars_on_the_way_into_memory_md() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform openclaw");
    desk.write("memory/2026-03-15.md", "## cost $& of $1 $$ [feedback]\n- rule: ask first\n");
    desk.ok("compact");
    let memory_md = desk.read("MEMORY.md");
    assert!(memory_md.contains("- cost $& of $1 $$ [feedback, 0d]"), "{memory_md}");
}

#[test]
fn npm_wrote_into_the_auto_memory() {
    let desk = Desk::new();
    let slug: String = desk.root().to_str().unwrap().replace(['/', '.'], "-");
    let folder = desk.beside("home/.claude/projects").join(slug).join("memory");
    let theirs = "# Notes\n\n## Compaction Root\n- old\n";
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("MEMORY.md"), theirs).unwrap();
    desk.ok("init --no-search --platform claude-code");
    desk.write("memory/2026-03-15.md", "## Auth [project]\n- jwt\n");
    desk.ok("compact");
    assert_eq!(std::fs::read_to_string(folder.join("MEMORY.md")).unwrap(), theirs);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}

#[test]
fn npm_set_the_cooldown_at_every_run() {
    // A day waits once it is over.
    let project = Project::with_logs([("2026-03-09", entry("Long", 250))]);
    let then = "2026-03-10T06:00:00+02:00";
    project.write(STATE, format!("{{\"lastCompactionRun\": \"{then}\"}}\n"));
    let due = |now: &str| project.run(["status", "--due"]).today(now).output().out;
    // Half an hour before the cooldown ends, and half an hour after.
    for (now, expect) in
        [("2026-03-10T08:30:00+02:00", "not due: "), ("2026-03-10T09:30:00+02:00", "due: ")]
    {
        project.run(["compact"]).today(now).quiet();
        assert_eq!(state(&project)["lastCompactionRun"], then);
        assert!(due(now).starts_with(expect), "{}", due(now));
    }
}

#[test]
fn npm_counted_only_the_lines_it_imported() {
    let project = Project::with_logs([("2026-03-10", entry("Morning", 20))]);
    project.write(STATE, "{\"lastCompactionRun\": \"2026-03-10T06:00:00+02:00\"}\n");
    project.compact("2026-03-10");
    let before = state(&project)["rawLinesSinceLastCompaction"].as_u64().unwrap();
    project.append("memory/2026-03-10.md", "- one\n- two\n- three\n");
    project.write("memory/2026-03-11.md", "- four\n");
    project.compact("2026-03-11");
    assert_eq!(state(&project)["rawLinesSinceLastCompaction"].as_u64().unwrap() - before, 4);
}
