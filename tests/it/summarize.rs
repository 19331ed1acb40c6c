//! Summaries that are handed in: what waits, what is printed for a model, what is taken and what is refused.

use std::fmt::Write as _;

use hipocampus::Exit;

use crate::support::{Output, Project, assert_same, entry};

const TODAY: &str = "2026-03-25";
const DAY: &str = "memory/daily/2026-03-10.md";
const WEEK: &str = "memory/weekly/2026-W11.md";
const RULE: &str = "\n## Answer Style [feedback]\n- rule: terse\n- why: time\n";

/// A summary of a day that will do.
pub(crate) const GOOD: &str = "## Topics\nAuth [project], answer  style [feedback]\n\n\
    ## Key Decisions\n- Auth: cookies, because of the proxy\n\n## Tasks Completed\n\n\
    ## Lessons Learned\n- terse\n\n## Open Items\n";

/// Days above the threshold, the first of March 2026 their month.
pub(crate) fn long_days(days: &[u32]) -> Project {
    let text = format!("{}{RULE}", entry("Auth", 250));
    Project::with_logs(days.iter().map(|day| (format!("2026-03-{day:02}"), text.clone())))
}

/// So many lines that differ.
pub(crate) fn points(many: usize, words: &str) -> String {
    let mut lines = String::new();
    for n in 0..many {
        let _ = writeln!(lines, "- point {n}: {words}");
    }
    lines
}

fn pending<const N: usize>(project: &Project, args: [&str; N]) -> Output {
    let mut run = project.run(["pending"]).today(TODAY);
    for arg in args {
        run = run.arg(arg);
    }
    run.output()
}

/// The labels that `pending --json` lists.
pub(crate) fn waiting(project: &Project, today: &str) -> Vec<String> {
    let output = project.run(["pending", "--json"]).today(today).output();
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
    let rows: serde_json::Value = serde_json::from_str(&output.out).unwrap();
    let label = |row: &serde_json::Value| row["node"].as_str().unwrap().to_owned();
    rows.as_array().unwrap().iter().map(label).collect()
}

fn hand_in(project: &Project, node: &str, text: &str) -> Output {
    project.run(["summarize", node, "-"]).today(TODAY).stdin(text).output()
}

#[test]
fn what_waits_is_listed_days_first_and_newest_first() {
    let project = long_days(&[3, 10, 11]);
    assert_eq!(waiting(&project, TODAY), ["2026-03-11", "2026-03-10", "2026-03-03"]);
    // A day that goes on does not wait yet.
    assert_eq!(waiting(&project, "2026-03-11"), ["2026-03-10", "2026-03-03"]);
    let output = pending(&project, ["--limit", "1"]);
    assert!(output.out.starts_with("2026-03-11  new    255 lines, about "), "{}", output.out);
    assert!(output.out.ends_with("tokens to read, 2 more after these\n"), "{}", output.out);
    // What ended before summaries began does not count, and can be asked for.
    project.write("hipocampus.config.json", "{\"summaries\": {\"since\": \"2026-03-11\"}}\n");
    assert_eq!(waiting(&project, TODAY), ["2026-03-11"]);
    assert!(pending(&project, ["2026-03-10"]).out.contains("point 249"));
    let output = hand_in(&project, "2026-03-10", GOOD);
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
    assert!(project.body(DAY).contains("because of the proxy"));
}

#[test]
fn the_text_for_a_model_is_complete_and_redacted() {
    let project = long_days(&[10]);
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    project.append("memory/2026-03-10.md", format!("- token: {secret}\n"));
    project.write(
        "memory/agents/compaction/AGENT.md",
        "---\nagent: compaction\n---\n\n- name the ports\n",
    );
    let output = pending(&project, ["--prompt"]);
    for part in [
        "## Lessons Learned",
        "- Answer Style [feedback]",
        "- name the ports",
        "point 249",
        "never more than 200",
        "hipocampus summarize 2026-03-10 -",
    ] {
        assert!(output.out.contains(part), "{part}");
    }
    assert!(!output.out.contains(&secret) && output.out.contains("[REDACTED:"));
}

#[test]
fn a_long_source_is_whole_in_its_parts() {
    let project = long_days(&[10]);
    let words = "some words that nobody has to read twice ".repeat(4);
    let more = points(2_500, &words);
    project.write("hipocampus.config.json", "{\"summaries\": {\"source\": \"log\"}}\n");
    project.append("memory/2026-03-10.md", format!("\n## Much [project]\n{more}"));
    let output = pending(&project, ["--prompt"]);
    assert!(output.out.contains("Part 1 of ") && output.out.contains("point 2499"));
    assert!(output.out.contains("point 1250"));
}

#[test]
fn a_summary_is_stored_and_climbs() {
    let project = long_days(&[10, 11]);
    let output = hand_in(&project, "2026-03-10", GOOD);
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
    assert!(
        output.out.starts_with("hipocampus summarize: 2026-03-10 stored, 12 lines for 255; daily")
    );
    assert_eq!(project.status(DAY), "fixed");
    assert_eq!(project.body(DAY), GOOD);
    for node in [WEEK, "memory/monthly/2026-03.md"] {
        assert!(project.text(node).contains("because of the proxy"), "{node}");
    }
    assert_eq!(waiting(&project, TODAY), ["2026-03-11"]);
    // Nothing is left to do, and a new version of the rules makes nothing stale.
    project.idle(TODAY);
    let head = project.head(DAY, "lines").unwrap();
    assert_eq!(head, "255");
}

#[test]
fn a_summary_says_which_node_above_it_has_to_wait() {
    let project = long_days(&[10, 11]);
    project.compact(TODAY);
    let week = project.text(WEEK);
    // Even for root a folder cannot be read as a log.
    project.remove("memory/2026-03-11.md");
    std::fs::create_dir(project.path("memory/2026-03-11.md")).unwrap();
    let output = hand_in(&project, "2026-03-10", GOOD);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert!(project.body(DAY).contains("because of the proxy"));
    assert_eq!(project.text(WEEK), week);
    assert!(output.err.contains("note: `memory/2026-03-11.md`: cannot be read"), "{}", output.err);
}

#[test]
fn a_week_waits_for_its_days() {
    // More than 300 lines of summaries in a week.
    let project = long_days(&[9, 10, 11]);
    let long = |day: u32| {
        let points = points(110, &format!("decided on {day}"));
        GOOD.replace("## Tasks", &format!("{points}\n## Tasks"))
    };
    for day in [9, 10] {
        assert_eq!(hand_in(&project, &format!("2026-03-{day:02}"), &long(day)).exit, Exit::Done);
    }
    assert_eq!(waiting(&project, TODAY), ["2026-03-11"]);
    let early = hand_in(&project, "2026-W11", GOOD);
    assert_eq!(early.exit, Exit::Problem);
    assert!(early.err.contains("2026-03-11 waits for its summary and comes before 2026-W11"));
    assert_eq!(hand_in(&project, "2026-03-11", &long(11)).exit, Exit::Done);
    assert_eq!(waiting(&project, TODAY), ["2026-W11"]);
    assert_eq!(project.status(WEEK), "needs-summarization");
    let prompt = pending(&project, ["--prompt"]).out;
    assert!(
        prompt.contains("## Entities Referenced") && prompt.contains("point 109: decided on 11")
    );
    // The sections of a day are not those of a week.
    let output = hand_in(&project, "2026-W11", GOOD);
    assert!(
        output.err.contains("sections are missing: `## Entities Referenced`"),
        "{}",
        output.err
    );
    let week = GOOD.replace("## Lessons", "## Entities Referenced\n\n## Lessons");
    assert_eq!(hand_in(&project, "2026-W11", &week).exit, Exit::Done);
    assert_eq!(project.status(WEEK), "fixed");
    // The index comes last.
    assert_eq!(waiting(&project, TODAY), ["root"]);
    project.idle(TODAY);
}

#[test]
fn what_will_not_do_changes_nothing() {
    let project = long_days(&[10]);
    project.compact(TODAY);
    let before = project.tree();
    let extract = project.body(DAY);
    let long = format!("{GOOD}{}", "- x\n".repeat(200));
    let dropped = GOOD.replace("answer  style [feedback]", "style");
    for (text, what) in [
        ("", "nothing came back"),
        ("All they did was to choose cookies, because of the proxy.", "sections are missing"),
        (&*long, "lines, at most 200"),
        (&dropped, "user and feedback topics have to be named: `Answer Style [feedback]`"),
        (&extract, "it is the extract that is there already"),
        (&format!("---\ntype: weekly\n---\n\n{GOOD}"), "its head says `type: weekly`"),
    ] {
        let output = hand_in(&project, "2026-03-10", text);
        assert_eq!(output.exit, Exit::Problem, "{what}");
        assert!(output.err.contains(what), "{}", output.err);
        assert!(output.err.contains("nothing was changed"), "{}", output.err);
        assert_same(&before, &project.tree());
    }
    for (node, exit) in
        [("2026-03-12", Exit::Problem), ("soon", Exit::Usage), ("2026-W12", Exit::Problem)]
    {
        assert_eq!(hand_in(&project, node, GOOD).exit, exit, "{node}");
    }
    assert_same(&before, &project.tree());
}

#[test]
fn secrets_in_a_summary_are_taken_out() {
    let project = long_days(&[10]);
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let text = format!("---\ntype: daily\n---\n\n{GOOD}- the token is {secret}\n");
    assert_eq!(hand_in(&project, "2026-03-10", &text).exit, Exit::Done);
    assert!(!project.text(DAY).contains(&secret) && project.body(DAY).starts_with("## Topics"));
    project.idle(TODAY);
}

#[test]
fn new_entries_on_a_summarised_day_make_it_stale() {
    let project = long_days(&[10]);
    hand_in(&project, "2026-03-10", GOOD);
    project.append("memory/2026-03-10.md", "\n## Billing [project]\n- decision: net prices\n");
    project.compact(TODAY);
    // The week is fixed: what came late is named, and brought in when somebody asks for it.
    assert_eq!(project.body(DAY), GOOD);
    project.run(["compact", "--reopen", "2026-03-10"]).today(TODAY).quiet();
    assert_eq!(
        (project.body(DAY), &*project.status(DAY)),
        (GOOD.to_owned(), "needs-summarization")
    );
    let output = pending(&project, []);
    assert!(output.out.contains("2026-03-10  stale  258 lines"), "{}", output.out);
    assert!(output.out.contains("added: 3 lines, Billing [project]"), "{}", output.out);
    let prompt = pending(&project, ["--prompt"]).out;
    assert!(prompt.contains("because of the proxy") && prompt.contains("Billing [project]"));
    let new = GOOD.replace("the proxy", "the proxy\n- Billing: net prices");
    assert_eq!(hand_in(&project, "2026-03-10", &new).exit, Exit::Done);
    assert_eq!(project.body(DAY), new);
    assert!(project.body(WEEK).contains("net prices"));
    assert_eq!(project.status(DAY), "fixed");
    project.idle(TODAY);
}

#[test]
fn in_an_open_week_the_day_goes_stale_by_itself() {
    let project = long_days(&[10]);
    let today = "2026-03-12";
    let hand = |text: &str| {
        let run = project.run(["summarize", "2026-03-10"]).today(today).stdin(text);
        assert_eq!(run.output().exit, Exit::Done);
    };
    hand(GOOD);
    project.append("memory/2026-03-10.md", "\n## Billing [project]\n- decision: net prices\n");
    assert_eq!(waiting(&project, today), ["2026-03-10"]);
    assert_eq!(project.body(DAY), GOOD);
    let new = GOOD.replace("the proxy", "the proxy, net prices");
    hand(&new);
    assert_eq!(waiting(&project, today), ["root"]);
    assert!(project.body(WEEK).contains("net prices"));
}

#[test]
fn a_text_that_somebody_edited_is_theirs() {
    let project = long_days(&[10]);
    hand_in(&project, "2026-03-10", GOOD);
    project.append(DAY, "- by hand\n");
    project.append("memory/2026-03-10.md", "\n## Billing [project]\n- decision: net prices\n");
    project.compact(TODAY);
    project.run(["compact", "--reopen", "2026-03-10"]).today(TODAY).quiet();
    assert!(project.body(DAY).ends_with("- by hand\n"));
    let row = pending(&project, []).out;
    assert!(row.contains("somebody edited it: only `summarize 2026-03-10` replaces it"), "{row}");
    // Nobody is handed it.
    assert_eq!(pending(&project, ["--prompt"]).out, "nothing waits for a summary\n");
    let output = hand_in(&project, "2026-03-10", GOOD);
    assert_eq!(output.exit, Exit::Problem);
    assert!(output.err.contains("somebody edited the text of `memory/daily/2026-03-10.md`"));
    assert!(project.body(DAY).ends_with("- by hand\n"));
    let run = project.run(["summarize", "2026-03-10", "-", "--replace"]).today(TODAY).stdin(GOOD);
    assert_eq!(run.output().exit, Exit::Done);
    assert_eq!(project.body(DAY), GOOD);
}

#[test]
fn a_claim_keeps_others_away_for_half_an_hour_and_starts_the_cooldown() {
    let project = long_days(&[10, 11]);
    project.compact(TODAY);
    let due = |at: &str| project.run(["status", "--due"]).today(at).output().out;
    assert!(due("2026-03-25T10:00:00+01:00").starts_with("due: "));
    let claim = |at: &str| {
        let output = project.run(["pending", "--claim", "--prompt"]).today(at).output();
        assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
        output.out.lines().next().unwrap_or_default().to_owned()
    };
    assert!(claim("2026-03-25T10:00:00+01:00").contains("(2026-03-11)"));
    assert!(claim("2026-03-25T10:05:00+01:00").contains("(2026-03-10)"));
    assert_eq!(claim("2026-03-25T10:06:00+01:00"), "nothing waits for a summary");
    assert!(due("2026-03-25T10:07:00+01:00").starts_with("not due: "));
    let list = project.run(["pending"]).today("2026-03-25T10:07:00+01:00").output().out;
    assert!(list.contains("taken by a session, until 10:30"), "{list}");
    assert!(claim("2026-03-25T10:31:00+01:00").contains("(2026-03-11)"));
    let state: serde_json::Value =
        serde_json::from_slice(&project.bytes("memory/.compaction-state.json")).unwrap();
    assert_eq!(state["lastCompactionRun"], "2026-03-25T10:31:00+01:00");
    assert_eq!(state["rawLinesSinceLastCompaction"], 0);
    // Handed in, it is nobody's any more.
    assert_eq!(hand_in(&project, "2026-03-11", GOOD).exit, Exit::Done);
    assert!(!project.text("memory/.compaction-state.json").contains("2026-03-11\""));
}

#[test]
fn two_sessions_do_not_work_on_the_same_node() {
    let project = long_days(&[10]);
    let claim = |session: &str, at: &str| {
        let run = project.run(["pending", "2026-03-10", "--claim"]).today(at);
        run.env("CLAUDE_CODE_SESSION_ID", session).output()
    };
    assert_eq!(claim("a", "2026-03-25T10:00:00+01:00").exit, Exit::Done);
    let other = claim("b", "2026-03-25T10:10:00+01:00");
    assert_eq!((other.exit, &*other.out), (Exit::Problem, ""));
    assert!(other.err.contains("2026-03-10 is taken by session a, until 10:30"), "{}", other.err);
    assert_eq!(claim("a", "2026-03-25T10:20:00+01:00").exit, Exit::Done);
    assert_eq!(claim("b", "2026-03-25T10:51:00+01:00").exit, Exit::Done);
}

#[test]
fn what_was_added_after_the_claim_leaves_the_summary_stale() {
    let project = long_days(&[10]);
    let (claimed, later) = ("2026-03-12T10:00:00+01:00", "2026-03-12T10:10:00+01:00");
    project.run(["pending", "--claim"]).today(claimed).output();
    project.append("memory/2026-03-10.md", "\n## Billing [project]\n- decision: net prices\n");
    let run = project.run(["summarize", "2026-03-10"]).today(later).stdin(GOOD);
    assert_eq!(run.output().exit, Exit::Done);
    assert_eq!(
        (project.body(DAY), &*project.status(DAY)),
        (GOOD.to_owned(), "needs-summarization")
    );
    assert_eq!(waiting(&project, later), ["2026-03-10"]);
}

#[test]
fn it_is_said_once_a_day_that_a_summary_is_due() {
    let project = long_days(&[10]);
    project.compact(TODAY);
    let hook = |session: &str| {
        let input = format!(
            "{{\"hook_event_name\":\"SessionStart\",\"session_id\":\"{session}\",\"cwd\":\"{}\"}}",
            project.root().display()
        );
        let run = project.run(["hook", "session-start"]).today(TODAY).stdin(input);
        run.output().out.contains("a summary is due")
    };
    assert_eq!([hook("a"), hook("a"), hook("b")], [true, false, false]);
    let flush = |session: &str, today: &str| {
        let run = project.run(["flush", "-m", "x"]).today(today);
        run.env("CLAUDE_CODE_SESSION_ID", session).output().out.contains("a summary is due")
    };
    let tomorrow = "2026-03-26";
    let told = [flush("a", TODAY), flush("c", tomorrow), flush("a", tomorrow)];
    assert_eq!(told, [false, true, false]);
    // Whoever asks is told.
    let ask = |session: &str| {
        let run = project.run(["status", "--due"]).today(TODAY);
        run.env("OPENCODE_SESSION_ID", session).output().out.starts_with("due: ")
    };
    assert_eq!([ask("f"), ask("f"), flush("f", tomorrow)], [true, true, false]);
    // Nobody is told where the user does not want it.
    project.write("hipocampus.config.json", "{\"summaries\": {\"mode\": \"off\"}}\n");
    assert_eq!([hook("d"), flush("e", "2026-03-27")], [false, false]);
}

#[test]
fn a_client_is_asked_for_entries_only_where_the_user_wants_it_and_they_are_stored_once() {
    let project = Project::new();
    let transcript = project.path("claude/projects/p/s.jsonl");
    let record = |uuid: &str, summary: bool, text: &str| {
        serde_json::json!({"type": "user", "sessionId": "s", "uuid": uuid, "cwd": project.root(),
            "timestamp": "2026-03-25T08:00:00Z", "isCompactSummary": summary,
            "message": {"role": "user", "content": text}})
        .to_string()
    };
    let input = serde_json::json!({"hook_event_name": "PreCompact", "session_id": "s", "cwd": project.root(),
        "transcript_path": transcript, "trigger": "manual"});
    project.write("claude/projects/p/s.jsonl", record("a", false, "count the stripes") + "\n");
    let hook = || {
        let run = project.run(["compact", "--stdin"]).today(TODAY).stdin(input.to_string());
        let run = run.env("CLAUDE_PROJECT_DIR", project.root());
        run.output().out
    };
    assert_eq!(hook(), "");
    project.write("hipocampus.config.json", "{\"capture\": {\"askOnCompact\": true}}\n");
    let asked = hook();
    assert!(asked.contains("## Memory entries") && asked.lines().count() == 1, "{asked}");
    let summary = "<summary>\n1. Intent:\n   Stripes.\n\n## Memory entries\n\n### Counting [feedback]\n- rule: twice\n- why: errors\n</summary>";
    let more = record("a", false, "count the stripes") + "\n" + &record("b", true, summary) + "\n";
    project.write("claude/projects/p/s.jsonl", more);
    for _ in 0..3 {
        hook();
    }
    let log = project.text("memory/2026-03-25.md");
    assert_eq!(
        log.matches("\n## Counting [feedback]\n- rule: twice\n- why: errors\n").count(),
        1,
        "{log}"
    );
    assert!(project.text("memory/ROOT.md").contains("Counting [feedback"));
}
