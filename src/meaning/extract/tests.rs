use std::fmt::Write as _;

use chrono::NaiveDate;
use proptest::prelude::*;

use super::*;

fn day(number: u32) -> Period {
    Period::Day(NaiveDate::from_ymd_opt(2026, 2, number).unwrap())
}

/// What is in a file of the fixtures, made of what is next to it.
#[track_caller]
fn check(log: &str, expect: &str) {
    let found = extract(Level::Daily, [(day(16), log)]);
    assert_eq!(found, expect, "\n{found}");
    // Reading it back says the same, with its days.
    let week = extract(Level::Weekly, [(day(16), &*found)]);
    let month = extract(Level::Monthly, [(day(16), &*week)]);
    let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&month), lines(&week));
    for line in lines(&found).iter().filter(|line| line.starts_with("- ")) {
        assert!(week.contains(&**line), "{line}\n{week}");
    }
}

#[test]
fn a_session_tells_what_was_asked_settled_and_concluded() {
    check(
        include_str!("../../../tests/fixtures/meaning/session.in.md"),
        include_str!("../../../tests/fixtures/meaning/session.out.md"),
    );
}

#[test]
fn entries_and_sessions_are_told_in_korean() {
    check(
        include_str!("../../../tests/fixtures/meaning/korean.in.md"),
        include_str!("../../../tests/fixtures/meaning/korean.out.md"),
    );
}

#[test]
fn bullets_of_entries_stand_in_their_sections() {
    check(
        include_str!("../../../tests/fixtures/meaning/entries.in.md"),
        include_str!("../../../tests/fixtures/meaning/entries.out.md"),
    );
}

#[test]
fn a_line_of_a_week_stands_below_its_day_or_ends_with_it() {
    let log = include_str!("../../../tests/fixtures/meaning/entries.in.md");
    let session = include_str!("../../../tests/fixtures/meaning/session.in.md");
    let week = extract(Level::Weekly, [(day(16), log), (day(17), session)]);
    for line in [
        "- Retry policy: three retries with a growing pause → 02-16",
        "    why: a push starts the deployment → 02-16",
        "- Retry policy: the same for downloads → 02-16",
        "### 2026-02-16 Retry policy [project]",
        "### 2026-02-17 move the statistics file out of the project root",
    ] {
        assert!(week.lines().any(|one| one == line), "{line}\n{week}");
    }
    // A month keeps the days that its weeks tell, and tells the week of what tells none.
    let summary = "## Topics\n- retries\n\n## Key Decisions\n- three retries\n";
    let of_week = |text: &str| Period::parse(Level::Weekly, text).unwrap();
    let month =
        extract(Level::Monthly, [(of_week("2026-W08"), &*week), (of_week("2026-W09"), summary)]);
    for line in
        ["- Retry policy: three retries with a growing pause → 02-16", "- three retries → W09"]
    {
        assert!(month.lines().any(|one| one == line), "{line}\n{month}");
    }
}

/// A log of some sessions and entries.
fn log(parts: &[(u8, Vec<String>)]) -> String {
    let mut log = String::new();
    for (kind, lines) in parts {
        let _ = match kind {
            0 => writeln!(log, "## Topic {} [project]", lines.len()),
            1 => writeln!(log, "## Rule {} [feedback]", lines.len()),
            _ => writeln!(log, "## Session {}\n", lines.len()),
        };
        for (at, line) in lines.iter().enumerate() {
            let label = match (kind, at % 2) {
                (0 | 1, _) => "- ",
                (_, 0) => "\n**User:** ",
                _ => "\n**Assistant:** ",
            };
            let _ = writeln!(log, "{label}{line}");
        }
    }
    log
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The form holds whatever is in the log: so many lines, none too long, nothing that redaction took comes back.
    #[test]
    fn an_extract_keeps_its_room_and_its_form(
        parts in prop::collection::vec(
            (0_u8..3, prop::collection::vec("(decision: |I'd recommend |no, |yes|Fixed )?([a-z가]{1,12}[ .?]|`x`|\\[REDACTED:key\\] ){1,40}", 1..8)),
            1..12,
        ),
    ) {
        let log = log(&parts);
        let found = extract(Level::Daily, [(day(16), &*log)]);
        prop_assert_eq!(&found, &extract(Level::Daily, [(day(16), &*log)]));
        let always = parts.iter().filter(|(kind, _)| *kind == 1).map(|(_, lines)| 2 * lines.len() + 1).sum::<usize>();
        prop_assert!(found.lines().count() <= 200 + always);
        let week = extract(Level::Weekly, [(day(16), &*found), (day(17), &*found)]);
        for line in found.lines().chain(week.lines()) {
            prop_assert!(line.chars().count() <= 260, "{}", line);
        }
        prop_assert_eq!(found.matches("[REDACTED").count(), found.matches("[REDACTED:key]").count());
    }
}
