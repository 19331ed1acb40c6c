//! Questions that are a time, a phrase, or begin like a flag.

use crate::desk::Desk;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    for (day, topic, words) in [
        ("2026-03-02", "Queue search", "decision: a stay is a date range"),
        ("2026-03-04", "Service fees", "outcome: the fees are computed per metre of length"),
        (
            "2026-03-14",
            "Page gauge",
            "analysis: the gauge drifts, because the reset routine is never called by providers",
        ),
        ("2026-03-15", "Provider sync", "outcome: providers and sync run with --providers now"),
    ] {
        desk.write(&format!("memory/{day}.md"), format!("## {topic} [project]\n- {words}\n"));
    }
    desk
}

#[track_caller]
fn search(desk: &Desk, args: &[&str]) -> String {
    let ran = desk.run_args(&[&["hipocampus", "search"], args].concat());
    assert_eq!(ran.code, 0, "{args:?}: {}{}", ran.out, ran.err);
    ran.out
}

#[test]
fn a_question_that_is_only_a_time_answers_with_it() {
    let desk = desk();
    let yesterday = search(&desk, &["yesterday"]);
    assert!(yesterday.starts_with("memory/2026-03-14.md:"), "{yesterday}");
    assert!(yesterday.contains("Page gauge") && yesterday.contains("reset routine"), "{yesterday}");
    assert!(!yesterday.contains("Service") && !yesterday.contains("sync"), "{yesterday}");
    // 2026-03-15 is a Sunday; the week before began on the second. The newest day comes first.
    for question in ["2026-W10", "2026-03-02 2026-03-04"] {
        let week = search(&desk, &[question]);
        let at = |words: &str| week.find(words).unwrap_or_else(|| panic!("{words}: {week}"));
        assert!(at("Service fees") < at("Queue search"), "{week}");
        assert!(!week.contains("Page"), "{week}");
    }
    assert!(search(&desk, &["last week"]).contains("per metre"));
    assert!(search(&desk, &["что было вчера"]).contains("Page gauge"));
    let one = search(&desk, &["2026-W10", "--limit", "1"]);
    assert!(one.contains("Service") && !one.contains("Queue"), "{one}");
    let json: serde_json::Value =
        serde_json::from_str(&search(&desk, &["yesterday", "--json"])).unwrap();
    assert_eq!((json.as_array().unwrap().len(), &json[0]["date"]), (1, &"2026-03-14".into()));
    let ran = desk.run_args(&["hipocampus", "search", "2026-03-10"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the nearest day with a log is 2026-03-14"), "{}", ran.err);
}

#[test]
fn a_place_that_was_found_by_a_phrase_shows_it() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    let long = "The sluice was opened, the pumps ran all night, the level fell by a metre, and then, \
        against what the manual says about it, the reset routine of gauge B. It was called by hand";
    let other = "because the gauge and the sluice and the level and the pumps share a routine\n";
    desk.write(
        "memory/2026-03-14.md",
        format!("## Sluice [project]\n- {long}\n- outcome: {other}"),
    );
    desk.write(
        "memory/2026-03-13.md",
        "## Call [project]\n\n```sh\nsystemctl restart gauge-b\n```\n",
    );
    for (phrase, expect) in [
        ("\"routine of gauge B. It was called\"", "routine of gauge B. It was called"),
        ("\"of gauge B\" sluice level pumps", "of gauge B"),
        ("\"level fell by a metre, and then\"", "level fell by a metre, and then"),
        ("\"restart gauge-b\"", "restart gauge-b"),
    ] {
        let found = search(&desk, &[phrase]);
        assert!(found.contains(expect), "{phrase}: {found}");
    }
}

#[test]
fn what_only_looks_like_a_flag_is_a_word() {
    let desk = desk();
    for args in
        [&["--providers", "and", "sync"][..], &["sync", "--providers"], &["--", "--providers"]]
    {
        let found = search(&desk, args);
        assert!(found.contains("2026-03-15") && found.contains("--providers"), "{args:?}: {found}");
    }
    // Flags stay flags, wherever they stand.
    let found = search(&desk, &["--providers", "gauge", "--limit", "1", "--in=2026-03-15"]);
    assert_eq!(found.matches("memory/").count(), 1, "{found}");
    assert!(search(&desk, &["sync", "--json", "--providers"]).starts_with('['));
    assert_eq!(desk.run_args(&["hipocampus", "search", "a", "--limit", "x"]).code, 2);
}
