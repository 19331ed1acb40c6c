//! Which days have a line of their own in the Historical Summary.

use super::*;

const TODAY: &str = "2026-11-30";

/// Sittings a day, on so many days before today, each about a name that few others have, or that all of its day have.
fn root(days: impl Iterator<Item = u64>, sittings: usize, all_differ: bool, cap: u32) -> String {
    const FIRST: [&str; 11] = [
        "ledger", "ingress", "parser", "quota", "runner", "schema", "tenant", "vector", "webhook",
        "daemon", "lantern",
    ];
    const LAST: [&str; 7] = ["Buffer", "Socket", "Handle", "Window", "Cursor", "Branch", "Cache"];
    let mut cache = RootCache::default();
    let mut at = 0;
    for ago in days {
        at += 1;
        let mut text = String::new();
        for n in 0..sittings {
            at += usize::from(all_differ);
            let name = format!("`{}{}`", FIRST[at % FIRST.len()], LAST[at % LAST.len()]);
            let asked = format!("**User:** what of {name}?\n\n");
            let said = format!("**Assistant:** Of {name}, see there.\n\n");
            text += &[&format!("## Session — {TODAY} 14:0{n}:11\n\n"), &*asked, &said].concat();
        }
        cache.insert(day(TODAY) - chrono::Days::new(ago), 0, &text, Depth::Sentences);
    }
    text(&plan_root(None, &cache, day(TODAY), cap))
}

/// The dates that the lines begin with, newest first.
fn labels(root: &str) -> Vec<&str> {
    let told = |line: &&str| !line.contains("no line: ");
    let history = section(root, "## Historical Summary").into_iter().filter(told);
    history.filter_map(|line| Some(line.strip_prefix("- ")?.split_once(": ")?.0)).collect()
}

fn is_week(label: &&str) -> bool {
    label.contains("-W")
}

/// Dates do not take what is for words: each of 400 sittings keeps 4 tokens.
#[test]
fn where_entries_are_many_only_the_newest_days_have_a_line_each() {
    let root = root(8..108, 4, true, 2400);
    let labels = labels(&root);
    let days = labels.iter().take_while(|label| !is_week(label)).count();
    // Some 2,100 tokens, 1,600 of them for words, and 7.6 for a date.
    assert!((55..85).contains(&days), "{days}: {root}");
    assert!(labels.len() > days, "{root}");
    assert!(labels[days..].iter().all(is_week), "{root}");
}

/// A day found by a single word is worth more than many words of its week: readers open days, not weeks.
#[test]
fn where_entries_are_few_every_day_has_a_line() {
    let root = root(8..108, 1, true, 1500);
    let labels = labels(&root);
    assert!(labels.len() > 90, "{root}");
    assert!(!labels.iter().any(is_week), "{root}");
}

/// Where the words of a day cost more than was thought, fewer days have lines of their own, and none is lost for the dates.
#[test]
fn no_day_is_lost_for_the_dates_of_others() {
    const ASKED: [&str; 5] = [
        "결제 서버가 밤마다 멈추는데 원인 좀 찾아줘",
        "로그인 토큰이 왜 자꾸 만료되는지 확인해줘",
        "배포 스크립트를 새 저장소에 맞게 고쳐줘",
        "검색 결과 정렬이 이상해 다시 봐줘",
        "데이터베이스 색인을 다시 만들어줘",
    ];
    const NAMES: [&str; 7] = ["가마오", "노도리", "바소치", "사코타", "아호모", "자포로", "차고하"];
    let mut cache = RootCache::default();
    for ago in 1..151 {
        let (asked, first) = (ASKED[ago % ASKED.len()], NAMES[ago % NAMES.len()]);
        let name = format!("{first}{}", NAMES[ago / NAMES.len() % NAMES.len()]);
        let talk = format!("{name} {asked} {first}");
        let reply = format!("{name} 설정을 고쳤고 {first} 값을 낮춰서 {name} 해결했다.");
        let text = format!(
            "## Session — {TODAY} 14:02:11\n\n**User:** {talk}\n\n**Assistant:** {reply}\n\n"
        );
        cache.insert(day(TODAY) - chrono::Days::new(ago as u64), 0, &text, Depth::Sentences);
    }
    let root = text(&plan_root(None, &cache, day(TODAY), 3000));
    assert!(labels(&root).iter().filter(|label| !is_week(label)).count() > 30, "{root}");
    assert!(!root.contains("no line: "), "{root}");
}

/// A day that is alone in its week or its month is named itself: that leads to it, in no more words.
#[test]
fn the_only_day_of_a_week_or_a_month_is_named() {
    // 9 to 12 September 2026, and the first of it.
    let weeks = root((1..30).chain([79, 80, 81, 82, 90]), 4, false, 720);
    assert!(labels(&weeks).ends_with(&["2026-W37", "09-01"]), "{weeks}");
    let month = root((1..30).chain([420]), 4, false, 720);
    assert!(labels(&month).ends_with(&["2025-10-06"]), "{month}");
}

/// Where one day of a month has its turn, the others stand on a line of that month.
#[test]
fn no_day_is_lost_because_another_of_its_month_has_a_line() {
    for (years, cap) in [(1, 900), (2, 1100), (2, 1500), (3, 1800)] {
        let root = root((1..365 * years).step_by(2), 1, true, cap);
        assert!(!root.contains("no line: "), "{years} {cap}: {root}");
    }
}

/// What only one side says is no word of a conversation, so its title leads to it.
#[test]
fn a_time_without_a_word_has_its_titles() {
    const VERBS: [&str; 4] = ["mend", "paint", "measure", "replace"];
    const THINGS: [&str; 5] = ["winch", "gangway", "lantern", "bollard", "tide gauge"];
    let mut cache = RootCache::default();
    for ago in 1..365 {
        let (verb, thing) = (VERBS[ago % VERBS.len()], THINGS[ago % THINGS.len()]);
        let title = format!("{verb} {thing} of pier {ago}");
        let text = format!(
            "## Session — {TODAY} 14:02:11 — {title}\n\n**User:** {title}\n\n**Assistant:** done.\n\n"
        );
        cache.insert(day(TODAY) - chrono::Days::new(ago as u64), 0, &text, Depth::Sentences);
    }
    let root = text(&plan_root(None, &cache, day(TODAY), 900));
    assert!(labels(&root).ends_with(&["2025-07~12"]), "{root}");
    assert!(!root.contains("no line: "), "{root}");
}

/// A day whose year is told by the day above it takes half the room.
#[test]
fn only_the_first_day_of_a_year_that_is_over_names_it() {
    let logs = [
        ("2024-12-30", "## rope [project]\n- spliced\n"),
        ("2025-05-29", "## berth [project]\n- dredged\n"),
        ("2025-05-30", "## crane [project]\n- greased\n"),
        ("2025-05-31", "## winch [project]\n- rewound\n"),
    ];
    let labels = |today: &str| {
        let root = fresh(&logs, today, 3000);
        let label = |line: &&str| line.split(": ").next().unwrap_or_default().to_owned();
        section(&root, "## Historical Summary").iter().map(label).collect::<Vec<_>>()
    };
    assert_eq!(labels("2026-11-27"), ["- 2025-05-31", "- 05-30", "- 05-29", "- 2024-12-30"]);
    assert_eq!(labels("2025-12-31"), ["- 05-31", "- 05-30", "- 05-29", "- 2024-12-30"]);
}
