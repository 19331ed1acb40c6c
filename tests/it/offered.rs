//! A summary that is due is offered once a day, with its price; one that says nothing of its day is refused.

use std::fmt::Write as _;

use crate::desk::{Desk, Ran};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let mut log = "## Tide gauge [project]\n".to_owned();
    for number in 0..240 {
        let _ = writeln!(
            log,
            "- analysis: reading {number} of sensor B{number} drifts with the cable's temperature"
        );
    }
    log.push_str(
        "- decision: shield the cable, because it lies in the sun\n- formatter: rustfmt as ever\n",
    );
    desk.write("memory/2026-03-10.md", log);
    let config = desk.read("hipocampus.config.json");
    assert!(config.contains("\"since\": \"2026-03-15\""), "{config}");
    desk.write("hipocampus.config.json", config.replace("2026-03-15", "2026-01-01"));
    desk.run_with(&[("HIPOCAMPUS_NOW", "2026-03-11T09:00:00+01:00")], "compact");
    desk
}

fn flush(desk: &Desk, session: &str, at: &str) -> String {
    let env = [("CLAUDE_CODE_SESSION_ID", session), ("HIPOCAMPUS_NOW", at)];
    let ran = desk.run_with(&env, &format!("flush -m words-of-{session}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

#[test]
fn it_is_said_once_a_day_with_its_price() {
    let desk = desk();
    let first = flush(&desk, "one", "2026-03-20T09:00:00+01:00");
    let line = first.lines().find(|line| line.contains("a summary is due")).expect(&first);
    let price = line.split("; about ").nth(1).expect(line);
    let number: String =
        price.chars().take_while(|c| *c != ' ').filter(char::is_ascii_digit).collect();
    // 242 lines of some 20 tokens.
    assert!((2_000..20_000).contains(&number.parse::<u32>().unwrap()), "{line}");
    assert!(line.contains("tokens to read and") && line.contains("to write"), "{line}");
    for (session, at) in [
        ("one", "2026-03-20T09:01:00+01:00"),
        ("two", "2026-03-20T15:00:00+01:00"),
        ("three", "2026-03-20T23:59:00+01:00"),
    ] {
        let again = flush(&desk, session, at);
        assert!(!again.contains("a summary is due"), "{session}: {again}");
    }
    assert!(flush(&desk, "four", "2026-03-21T00:01:00+01:00").contains("a summary is due"));
}

#[test]
fn a_session_start_offers_it_once_a_day_too() {
    let mut desk = desk();
    let mut start = |session: &str, at: &str| {
        let root = desk.root().display().to_string();
        let event = serde_json::json!({"session_id": session, "cwd": root, "hook_event_name": "SessionStart", "source": "startup"});
        desk.stdin = Some(event.to_string());
        desk.run_with(&[("HIPOCAMPUS_NOW", at)], "hook session-start").out
    };
    let first = start("one", "2026-03-20T09:00:00+01:00");
    assert!(first.contains("a summary is due") && first.contains("tokens to read"), "{first}");
    assert!(!start("two", "2026-03-20T12:00:00+01:00").contains("a summary is due"));
    assert!(start("three", "2026-03-21T08:00:00+01:00").contains("a summary is due"));
}

#[test]
fn of_many_the_five_newest_are_offered() {
    let desk = desk();
    let log = desk.read("memory/2026-03-10.md");
    for day in 2..=9 {
        desk.write(&format!("memory/2026-03-{day:02}.md"), &log);
    }
    let told = flush(&desk, "one", "2026-03-20T09:00:00+01:00");
    let line = told.lines().find(|line| line.contains("a summary is due")).expect(&told);
    assert!(line.contains("10 nodes wait"), "{line}");
    let names = line.split_once(" to write for the newest 5, ").expect(line).1;
    let offered = "2026-03-10, 2026-03-09, 2026-03-08, 2026-03-07, 2026-03-06";
    assert!(names.starts_with(offered) && !names.contains("2026-03-05"), "{line}");
    // The price is that of these.
    let tokens = |line: &str| -> u64 {
        let number = line.split_once("; about ").unwrap().1.split(' ').next().unwrap();
        number.replace(',', "").parse().unwrap()
    };
    let one = flush(&self::desk(), "one", "2026-03-20T09:00:00+01:00");
    let one = one.lines().find(|line| line.contains("a summary is due")).unwrap();
    assert_eq!(tokens(line), 5 * tokens(one));
}

#[test]
fn who_asks_is_told_the_price() {
    let desk = desk();
    let now = [("HIPOCAMPUS_NOW", "2026-03-20T09:00:00+01:00")];
    for _ in 0..2 {
        let told = desk.run_with(&now, "status --due").out;
        assert!(told.starts_with("due: 1 node waits") && told.contains("; about "), "{told}");
    }
}

fn summarize(desk: &mut Desk, bullets: [&str; 3]) -> Ran {
    let [topic, decision, done] = bullets;
    desk.stdin = Some(format!(
        "## Topics\n- {topic}\n\n## Key Decisions\n- {decision}\n\n## Tasks Completed\n- {done}\n\n## Lessons Learned\n\n## Open Items\n"
    ));
    desk.run_with(&[("HIPOCAMPUS_NOW", "2026-03-20T09:00:00+01:00")], "summarize 2026-03-10 -")
}

#[test]
fn a_summary_without_a_word_of_its_source_is_refused() {
    let mut desk = desk();
    let node = desk.read("memory/daily/2026-03-10.md");
    for bullets in [
        ["formatter", "formatter: chose X over Y", "did things"],
        ["things [project]", "We decided something", "Various improvements were made"],
        [
            "auth [project]",
            "auth: cookies over tokens, because of the proxy",
            "moved the login page to React",
        ],
    ] {
        let ran = summarize(&mut desk, bullets);
        assert_eq!(ran.code, 1, "{bullets:?}: {}", ran.out);
        assert!(ran.err.contains("of what it sums up"), "{}", ran.err);
        assert!(ran.err.contains("hint: "), "{}", ran.err);
    }
    assert_eq!(desk.read("memory/daily/2026-03-10.md"), node);
    // In words of its own, with the names of its day.
    let ran = summarize(
        &mut desk,
        [
            "tide gauge [project]",
            "shield cable rather than replace sensor: it heats up in sun",
            "found why B12 and B17 are off: temperature; rustfmt untouched",
        ],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
}
