//! Weeks, months and the days on which nodes settle, against a calendar of the test's own.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::Project;

/// A date as a count of days since 1970-01-01, by the civil-calendar arithmetic of Howard Hinnant.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year, month and day of a count of days.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// 1 is Monday, 7 is Sunday. The first of January 1970 was a Thursday.
fn weekday(day: i64) -> i64 {
    (day + 3).rem_euclid(7) + 1
}

/// `date +%G-W%V`: a week is counted in the year its Thursday lies in.
fn week(day: i64) -> String {
    let thursday = day - weekday(day) + 4;
    let (year, ..) = civil(thursday);
    format!("{year}-W{:02}", (thursday - days(year, 1, 1)) / 7 + 1)
}

fn month_of_week(day: i64) -> String {
    let (year, month, _) = civil(day - weekday(day) + 4);
    format!("{year}-{month:02}")
}

fn label(day: i64) -> String {
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

#[test]
fn the_calendar_of_the_test_knows_what_everybody_knows() {
    // As printed by `date +%G-W%V`.
    for (date, expect) in [
        ((2015, 1, 1), "2015-W01"),
        ((2016, 1, 3), "2015-W53"),
        ((2020, 12, 31), "2020-W53"),
        ((2021, 1, 3), "2020-W53"),
        ((2021, 1, 4), "2021-W01"),
        ((2024, 12, 30), "2025-W01"),
        ((2027, 1, 3), "2026-W53"),
        ((2040, 12, 31), "2041-W01"),
    ] {
        assert_eq!(week(days(date.0, date.1, date.2)), expect, "{date:?}");
    }
    assert_eq!(weekday(days(2026, 3, 15)), 7);
}

#[test]
fn every_day_from_2015_to_2040_is_filed_where_it_belongs() {
    let (first, last) = (days(2015, 1, 1), days(2040, 12, 31));
    let project = Project::with_logs(
        (first..=last).map(|day| (label(day), format!("## Day {day} [project]\n- x\n"))),
    );
    project.compact("2041-03-01");
    let mut weeks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut months: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for day in first..=last {
        weeks.entry(week(day)).or_default().insert(label(day));
        months.entry(month_of_week(day)).or_default().insert(week(day));
    }
    let nodes = project.nodes();
    let found = |level: &str| -> BTreeSet<String> {
        let names = nodes.keys().filter_map(|name| name.strip_prefix(level)?.strip_suffix(".md"));
        names.map(str::to_owned).collect()
    };
    let keys = |map: &BTreeMap<String, _>| map.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(found("daily/"), (first..=last).map(label).collect());
    assert_eq!(found("weekly/"), keys(&weeks));
    assert_eq!(found("monthly/"), keys(&months));
    for (parent, children) in weeks.iter().chain(&months) {
        let body = project.body(&Project::node(parent));
        let carried: BTreeSet<_> = body
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|label| label.len() == if parent.contains('W') { 10 } else { 8 })
            .map(str::to_owned)
            .collect();
        assert_eq!(&carried, children, "{parent}");
        assert_eq!(project.status(&Project::node(parent)), "fixed", "{parent}");
    }
    project.idle("2041-03-01");
}

#[test]
fn the_head_names_the_calendar_range_of_a_week() {
    let project = Project::with_logs([("2020-12-31", "# a\n")]);
    project.compact("2021-06-01");
    let node = "memory/weekly/2020-W53.md";
    assert_eq!(project.head(node, "dates").as_deref(), Some("2020-12-28 to 2021-01-03"));
    assert_eq!(project.head(node, "source-files").as_deref(), Some("[memory/daily/2020-12-31.md]"));
    let node = "memory/monthly/2020-12.md";
    assert_eq!(project.head(node, "weeks").as_deref(), Some("[2020-W53]"));
}

/// The first day on which each node of a memory with these logs may be fixed.
fn settling(logs: &[i64]) -> BTreeMap<String, i64> {
    let mut settles: BTreeMap<String, i64> = BTreeMap::new();
    for day in logs {
        let sunday = day - weekday(*day) + 7;
        let (year, month, _) = civil(sunday - 3);
        let next = if month == 12 { days(year + 1, 1, 1) } else { days(year, month + 1, 1) };
        settles.insert(label(*day), day + 1);
        settles.insert(week(*day), sunday + 8);
        let at = settles.entry(month_of_week(*day)).or_default();
        *at = (*at).max(next - 1 + 8).max(sunday + 8);
    }
    settles
}

#[test]
fn a_node_becomes_fixed_on_its_day_and_never_earlier() {
    let samples: &[&[(i64, i64, i64)]] = &[
        &[(2026, 3, 15)],
        &[(2026, 3, 9), (2026, 3, 15)],
        &[(2020, 12, 31), (2021, 1, 3), (2021, 1, 4)],
        &[(2026, 12, 28), (2027, 1, 2), (2027, 1, 4)],
        // A week of April that ends in May closes after the month's own grace is over.
        &[(2026, 4, 1), (2026, 4, 30), (2026, 5, 3)],
        &[(2024, 2, 29), (2024, 12, 30)],
        &[(2021, 12, 31), (2022, 1, 1)],
    ];
    for sample in samples {
        let logs: Vec<_> = sample.iter().map(|(y, m, d)| days(*y, *m, *d)).collect();
        let settles = settling(&logs);
        let project = Project::new();
        let (first, last) = (logs[0], logs[logs.len() - 1] + 50);
        for today in first..=last {
            if logs.contains(&today) {
                project.write(&format!("memory/{}.md", label(today)), "## A [project]\n- b\n");
            }
            project.compact(&label(today));
            for (node, settles) in &settles {
                let path = Project::node(node);
                if !project.has(&path) {
                    continue;
                }
                // The nodes above a day that is still to come settle later than they would by what is there.
                let there: Vec<_> = logs.iter().copied().filter(|log| *log <= today).collect();
                let settles = settling(&there).get(node).copied().unwrap_or(*settles);
                let expect = if today >= settles { "fixed" } else { "tentative" };
                assert_eq!(project.status(&path), expect, "{node} on {}", label(today));
            }
        }
    }
}

#[test]
fn the_local_date_decides_not_the_universal_one() {
    let project = Project::with_logs([("2026-03-15", "# a\n")]);
    project.run(["compact"]).today("2026-03-15T23:59:59-10:00").quiet();
    assert_eq!(project.status("memory/daily/2026-03-15.md"), "tentative");
    project.run(["compact"]).today("2026-03-16T00:00:01+14:00").quiet();
    assert_eq!(project.status("memory/daily/2026-03-15.md"), "fixed");
}

#[test]
fn a_log_of_the_future_is_tentative_and_a_clock_set_back_unfixes_nothing() {
    let project = Project::with_logs([("2026-03-10", "# a\n"), ("2026-06-01", "# b\n")]);
    project.compact("2026-05-01");
    assert_eq!(project.status("memory/monthly/2026-03.md"), "fixed");
    for label in ["2026-06-01", "2026-W23", "2026-06"] {
        assert_eq!(project.status(&Project::node(label)), "tentative");
    }
    project.idle("2026-02-01");
    assert_eq!(project.status("memory/monthly/2026-03.md"), "fixed");
}

#[test]
fn a_date_that_does_not_exist_is_no_log() {
    let project = Project::with_logs([("2026-03-10", "# a\n")]);
    for name in
        ["2026-02-30", "2026-13-01", "2026-00-10", "0000-01-01", "2026-03-10-2460", "2026-W11"]
    {
        project.write(&format!("memory/{name}.md"), "# no\n");
    }
    project.compact("2026-05-01");
    let names: Vec<_> = project.nodes().into_keys().collect();
    assert_eq!(names, ["daily/2026-03-10.md", "monthly/2026-03.md", "weekly/2026-W11.md"]);
    project.idle("2026-05-01");
}

#[test]
fn the_first_and_the_last_year_are_years() {
    let project = Project::with_logs([("0001-01-01", "# a\n"), ("9999-12-31", "# b\n")]);
    project.compact("2026-05-01");
    assert!(project.has("memory/weekly/0001-W01.md") && project.has("memory/monthly/9999-12.md"));
    project.idle("2026-05-01");
}
