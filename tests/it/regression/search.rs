//! How what is known is found again.

use hipocampus::Exit;

use crate::desk::Desk;
use crate::support::Project;

#[test]
fn npm_found_nothing_without_another_program() {
    let project =
        Project::with_logs([("2026-03-04", "## Pages [project]\n- the gauge drifts by an hour\n")]);
    // No `PATH`, so no qmd and no grep.
    let output = project.run(["search", "gauges", "drifting"]).today("2026-04-10").output();
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
    assert!(output.out.contains("drifts by an hour"), "{}", output.out);
}

#[test]
fn npm_had_agents_read_a_list_of_heads_to_recall() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let skill = desk.read(".claude/skills/hipocampus-recall/SKILL.md");
    assert!(skill.contains("hipocampus search ") && skill.contains("hipocampus show "), "{skill}");
    for gone in ["awk", "do not search", "topics --all"] {
        assert!(!skill.contains(gone), "{gone}");
    }
}
