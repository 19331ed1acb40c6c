//! What of a day is handed out to be summarised, and what of the answer its source has to have.

use std::fmt::Write as _;

use hipocampus::Exit;

use crate::summarize::{GOOD, long_days};
use crate::support::{Output, Project, assert_same};

const TODAY: &str = "2026-03-25";
const NODE: &str = "memory/daily/2026-03-10.md";
const LOG: &str = "memory/2026-03-10.md";

/// A day of two sessions and a rule. The first session alone has far more than 12,000 tokens.
fn long_day() -> Project {
    let mut log = String::new();
    for (name, many) in [("harbour", 900), ("lighthouse", 40)] {
        let _ = write!(
            log,
            "<!-- hipocampus:session {name} 0-9 -->\n## Session — 2026-03-10 09:00:00 — Survey of the {name}\n\n"
        );
        for number in 0..many {
            let _ = write!(
                log,
                "**User:** measure pier {number} of the {name} again\n\n**Assistant:** Pier {number} of the {name} has sunk by {number} mm, since its piles stand in clay.\n\n"
            );
        }
    }
    log.push_str("## Answer Style [feedback]\n- rule: terse\n- why: time\n");
    Project::with_logs([("2026-03-10", log)])
}

fn with_source(project: &Project, source: &str) {
    project.write(
        "hipocampus.config.json",
        format!("{{\"summaries\": {{\"source\": \"{source}\"}}}}\n"),
    );
}

fn prompt(project: &Project) -> String {
    let output = project.run(["pending", "--prompt"]).today(TODAY).output();
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
    output.out
}

fn row(project: &Project) -> serde_json::Value {
    let output = project.run(["pending", "--json"]).today(TODAY).output();
    let rows: serde_json::Value = serde_json::from_str(&output.out).unwrap();
    rows[0].clone()
}

/// The line of the log, from 1, that begins so.
fn line_of(project: &Project, begin: &str) -> usize {
    1 + project.text(LOG).lines().position(|line| line.starts_with(begin)).unwrap()
}

#[test]
fn a_long_log_is_handed_out_as_an_extract_that_names_the_lines_behind_it() {
    let project = long_day();
    let text = prompt(&project);
    assert!(text.contains("what follows is its extract"), "{text}");
    let told = text.matches("mm, since").count();
    assert!((20..400).contains(&told), "{told}");
    // Each heading names its session's lines in the log.
    for name in ["harbour", "lighthouse"] {
        let first = line_of(&project, &format!("**User:** measure pier 0 of the {name}"));
        let heading =
            text.lines().position(|line| line.ends_with(&format!("Survey of the {name}")));
        let place = text.lines().nth(heading.expect(&text) + 1).unwrap();
        let range = place.strip_prefix(&format!("({LOG}:")).expect(place).trim_end_matches(')');
        let (from, to) = range.split_once('-').expect(place);
        assert!(from.parse::<usize>().unwrap().abs_diff(first) <= 1, "{place}, {first}");
        let log = project.text(LOG);
        let last = log.lines().nth(to.parse::<usize>().unwrap() - 1).unwrap();
        assert!(last.contains(&format!("of the {name} has sunk")), "{place}: {last}");
    }
    // The rule of the user has to be named as from the log.
    assert!(text.contains("- Answer Style [feedback]\n"));
    let of_extract = row(&project);
    assert_eq!(of_extract["extract"], true);
    with_source(&project, "log");
    let whole = prompt(&project);
    assert!(whole.contains("pier 450 of the harbour again") && !whole.contains("is its extract"));
    let of_log = row(&project);
    assert_eq!((of_log.get("extract"), &of_log["lines"]), (None, &of_extract["lines"]));
    let tokens = |row: &serde_json::Value| row["tokens"].as_u64().unwrap();
    assert!(tokens(&of_log) > 12_000 && tokens(&of_extract) * 2 < tokens(&of_log));
}

#[test]
fn an_extract_names_the_lines_of_sessions_that_it_leaves_out() {
    let project = long_day();
    let mut log = project.text(LOG);
    for number in 0..300 {
        let _ = write!(
            log,
            "\n<!-- hipocampus:session s{number} 0-9 -->\n## Session — 2026-03-10 12:{:02}:{:02} — Survey of quay {number}\n\n**User:** look at quay {number}, too\n\n**Assistant:** Quay {number} stands on rock and has not sunk.\n",
            number / 60,
            number % 60
        );
    }
    project.write(LOG, log);
    let text = prompt(&project);
    let left = text.lines().find_map(|line| line.strip_prefix("(not told of above: "));
    let left = left.expect(&text).trim_end_matches(')');
    let ranges = left.strip_prefix(&format!("{LOG}:")).expect(left);
    let (first, last) = ranges.split(", ").next().unwrap().split_once('-').expect(left);
    let lines = first.parse::<usize>().unwrap() - 1..last.parse().unwrap();
    let log = project.text(LOG);
    let quays: Vec<&str> = log
        .lines()
        .skip(lines.start)
        .take(lines.len())
        .filter(|line| line.starts_with("Quay "))
        .collect();
    let told = |quay: &&str| text.contains(*quay);
    assert!(!quays.iter().any(told), "{left}: {quays:?}");
}

#[test]
fn an_answer_to_an_extract_is_held_to_the_log() {
    let project = long_day();
    // Pier 777 may stand in the log alone; the rule has to be named although nobody opened it.
    let answer = |rule: &str| {
        format!(
            "## Topics\nharbour [project]{rule}\n\n## Key Decisions\n- harbour: pier 777 has sunk, since its piles stand in clay\n\n## Tasks Completed\n\n## Lessons Learned\n\n## Open Items\n"
        )
    };
    let hand_in = |text: String| {
        project.run(["summarize", "2026-03-10", "-"]).today(TODAY).stdin(text).output()
    };
    let refused = hand_in(answer(""));
    assert!(refused.err.contains("have to be named: `Answer Style [feedback]`"), "{}", refused.err);
    let stored = hand_in(answer(", answer style [feedback]"));
    assert_eq!((stored.exit, &*stored.err), (Exit::Done, ""));
    assert!(project.body(NODE).contains("pier 777"));
}

#[test]
fn a_short_log_is_handed_out_whole_unless_extracts_are_asked_for() {
    let project = long_days(&[10]);
    assert!(prompt(&project).contains("point 249") && row(&project).get("extract").is_none());
    with_source(&project, "extract");
    assert!(prompt(&project).contains("what follows is its extract"));
    assert_eq!(row(&project)["extract"], true);
}

#[test]
fn lines_behind_a_secret_of_several_lines_are_only_counted() {
    let project = long_day();
    let key = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{}-----END RSA PRIVATE KEY-----\n",
        "MIIEpAIBAAKCAQEA7bq3x0vXk2u9Qm1ZfVtJw8sLrYcNdPgHeUiOaBzT4yR5\n".repeat(12)
    );
    project.write(LOG, format!("## Old [project]\n- key:\n{key}\n{}", project.text(LOG)));
    let text = prompt(&project);
    assert!(text.contains(" lines of the log)\n") && !text.contains(&format!("({LOG}:")), "{text}");
}

fn hand_in(project: &Project, text: &str) -> Output {
    project.run(["summarize", "2026-03-10", "-"]).today(TODAY).stdin(text).output()
}

#[test]
fn what_no_source_has_is_refused_by_name() {
    let project = long_days(&[10]);
    project.append(
        LOG,
        "- see src/auth/cookie_jar.rs and `readProxy`, port 10000, since 2025-12-01; log.set(SetSilent)\n",
    );
    project.compact(TODAY);
    let before = project.nodes_and_root();
    for (bullet, names) in [
        ("`src/auth/token_store.rs` was new", &["src/auth/token_store.rs"][..]),
        ("readTokens() and the port 8080", &["8080", "readTokens"]),
        ("decided on 2025-11-30, 12,345 users", &["12345", "2025-11-30"]),
        ("`auth::Broker` and token_store", &["auth::Broker", "token_store"]),
    ] {
        let output = hand_in(&project, &format!("{GOOD}- {bullet}\n"));
        assert_eq!(output.exit, Exit::Problem, "{bullet}");
        let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        assert!(output.err.contains(&listed), "{bullet}: {}", output.err);
    }
    assert_same(&before, &project.nodes_and_root());
    // As the source has it, in another form, of the period itself, or no name at all.
    for bullet in [
        "src/auth/cookie_jar.rs, cookie_jar.rs, auth/cookie_jar.rs, readproxy and `readProxy()`",
        "port 10,000 (10k), on 2025-12-01, 2026-03-10 and, the day after, 2026-03-11",
        "255 lines, e.g. and/or yes/no, GitHub, Node, log.SetSilent, version 3.1415",
    ] {
        let output = hand_in(&project, &format!("{GOOD}- {bullet}\n"));
        assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{bullet}");
    }
}

#[test]
fn a_bullet_that_leans_on_another_is_sent_back_once() {
    let good = GOOD.replace('\n', "\\n");
    let leans = format!("{good}- It is done\\n");
    for (second, stored) in [
        (format!("{good}- auth: cookies\\n"), "- auth: cookies\n"),
        // One that leans again is better than none, and so is the first where the second will not do.
        (format!("{good}- This too\\n"), "- This too\n"),
        ("prose".to_owned(), "- It is done\n"),
    ] {
        let project = long_days(&[10]);
        let calls = project.path("calls");
        let text = format!(
            "echo x >> {}; if grep -q 'name what it is about: `It is done`'; then printf -- '{second}'; else printf -- '{leans}'; fi",
            calls.display()
        );
        project.write("summarizer.sh", text);
        let command = format!("sh {}", project.path("summarizer.sh").display());
        let run = project.run(["summarize", "--yes", "--limit", "1", "--exec", &command]);
        let output = run.today(TODAY).output();
        assert_eq!(output.exit, Exit::Done, "{}", output.err);
        assert_eq!(project.text("calls").len(), 4);
        assert!(project.body(NODE).ends_with(stored), "{}", project.body(NODE));
    }
    // Who hands it in has no second model to ask.
    let project = long_days(&[10]);
    let output = hand_in(&project, &format!("{GOOD}- it is done\n"));
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
}
