//! The rules of ROOT.md as a whole.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use proptest::prelude::*;

use super::*;
use crate::memory::tokens;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn cache(logs: &[(&str, &str)]) -> RootCache {
    let mut cache = RootCache::default();
    for (date, text) in logs {
        cache.insert(day(date), 0, text, Depth::Words);
    }
    cache
}

fn text(plan: &RootPlan) -> String {
    String::from_utf8(plan.bytes.clone()).unwrap()
}

fn fresh(logs: &[(&str, &str)], today: &str, cap: u32) -> String {
    let plan = plan_root(None, &cache(logs), day(today), cap);
    assert_eq!(plan.notes, [""; 0]);
    text(&plan)
}

/// The lines of one section.
fn section<'a>(root: &'a str, heading: &str) -> Vec<&'a str> {
    root.lines()
        .skip_while(|line| !line.starts_with(heading))
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn the_head_and_the_four_sections_stand_in_order() {
    let root = fresh(&[], "2026-03-15", 3000);
    let (head, body) = root.split_once("\n---\n\n").unwrap();
    assert!(head.starts_with(
        "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-15\nfingerprint: s:"
    ));
    assert_eq!(
        body,
        "## Active Context (recent ~7 days)\n\n## Recent Patterns\n\n## Historical Summary\n\n## Topics Index\n"
    );
}

#[test]
fn one_topic_is_one_line_of_the_newest_type() {
    let root = fresh(
        &[
            ("2026-03-01", "## Auth Refactor [project]\n- jwt rotation\n"),
            ("2026-03-04", "## auth   refactor [feedback]\n- cookies only\n"),
            ("2026-03-06", "## deploy [project]\n- canary\n"),
        ],
        "2026-03-15",
        3000,
    );
    let index = section(&root, "## Topics Index");
    let auth: Vec<_> = index.iter().filter(|line| line.to_lowercase().contains("auth")).collect();
    assert_eq!(auth, [&"- auth refactor [feedback, 11d]: cookies → 2026-03-04"]);
    assert!(
        index.iter().any(|line| line.starts_with("- deploy [project, 9d]: canary → 2026-03-06"))
    );
}

/// What a long topic and a session share is a word worth a line, unless a topic of that name has one.
#[test]
fn a_word_makes_no_second_line_of_a_topic() {
    fn check(kind: &str, expect: &str) {
        let topic = format!("## Ledger {kind}\n- note: \n");
        let logs = [
            ("2026-03-13", "## Session — 2026-03-15 14:02:11\n- note: ledger\n"),
            ("2026-03-14", &topic),
            ("2026-03-15", "## ledger  ledger  ledger  ledger  ledger\n- note: \n"),
        ];
        let root = fresh(&logs, "2026-03-15", 500);
        let index = section(&root, "## Topics Index");
        let lines: Vec<_> =
            index.iter().filter(|line| line.to_lowercase().starts_with("- ledger [")).collect();
        assert!(lines.len() == 1 && lines[0].starts_with(expect), "{root}");
    }
    check("[user]", "- Ledger [user, 1d]");
    check("[feedback]", "- Ledger [feedback, 1d]");
    check("[reference]", "- Ledger [reference, 1d]");
    check("[project]", "- Ledger [project, 1d]");
    check("(done)", "- ledger [project, 0d]");
}

#[test]
fn ages_decide_where_a_topic_stands() {
    let root = fresh(
        &[
            (
                "2025-11-01",
                "## old wiki [reference]\n- url\n## old project\n- built\n## terse answers [feedback]\n- rule: short\n",
            ),
            ("2026-02-13", "## wiki [reference]\n- url\n"),
            ("2026-02-14", "## runbook [reference]\n- url\n"),
            ("2026-03-01", "## migration [project]\n- status: done\n- moved\n## export\n- slow\n"),
        ],
        "2026-03-16",
        3000,
    );
    let index = section(&root, "## Topics Index").join("\n");
    assert!(index.contains("- wiki [reference, 31d, ?]"), "{index}");
    assert!(index.contains("- old wiki [reference, 135d, ?]"), "{index}");
    assert!(index.contains("- runbook [reference, 30d]"), "{index}");
    assert!(index.contains("- terse answers [feedback, 135d]"), "{index}");
    assert!(index.contains("- export [project, 15d]"), "{index}");
    assert!(!index.contains("migration") && !index.contains("old project"), "{index}");
    let history = section(&root, "## Historical Summary").join("\n");
    assert!(history.contains("- 03-01: migration"), "{history}");
    assert!(history.contains("old project"), "{history}");
}

#[test]
fn lines_begin_with_a_short_topic_or_a_keyword() {
    let root = fresh(
        &[
            (
                "2026-03-10",
                "## Session — 2026-03-10 10:00:00\n\n**User:** the kubernetes ingress drops websockets\n\n**Assistant:** raise the timeout\n",
            ),
            (
                "2026-03-11",
                "## we talked at length about many kubernetes websockets today\n- ingress\n",
            ),
        ],
        "2026-03-12",
        3000,
    );
    for line in section(&root, "## Active").iter().chain(&section(&root, "## Topics Index")) {
        let topic = line.strip_prefix("- ").unwrap().split(" [").next().unwrap();
        assert!(topic.split(' ').count() <= 4, "{line}");
        assert!(!topic.contains("2026"), "{line}");
    }
    assert!(root.contains("kubernetes") && root.contains("websockets"));
}

#[test]
fn noise_is_no_keyword() {
    let root = fresh(
        &[(
            "2026-03-10",
            "## Session 3d0effd8\n\n**User:** see src/auth/mod.rs:12, https://example.org/a/b and 9d905d543 please, about the Tokenizer\n[tools: Bash ×3]\n",
        )],
        "2026-03-12",
        3000,
    );
    let body = root.split("\n---\n").nth(1).unwrap();
    assert!(body.contains("tokenizer"), "{body}");
    for noise in ["src", "mod", "rs", "http", "example", "9d905", "Bash", "3d0eff", "please"] {
        assert!(!body.contains(noise), "{noise} in {body}");
    }
}

#[test]
fn npm_cut_the_index_off_where_the_room_ended() {
    let entry = |n: usize| format!("## {} subject n{n}\n- text\n", ["ant", "bee", "cat"][n % 3]);
    let log: String = (0..400).map(entry).collect::<Vec<_>>().concat();
    let cache = cache(&[("2026-03-10", &log)]);
    let plan = plan_root(None, &cache, day("2026-03-12"), 500);
    assert!(plan.standing.not_shown > 300 && plan.standing.shown + plan.standing.not_shown == 400);
    let last = format!("{} topics not shown: `hipocampus topics`\n", plan.standing.not_shown);
    assert!(text(&plan).ends_with(&last));
    assert!(tokens::count(&text(&plan)) <= 500);
}

#[test]
fn a_cache_made_afresh_gives_the_same_bytes() {
    let logs = [
        ("2026-03-01", "## b c\n- running runs\n## 토큰 [user]\n- 토큰을 갱신했다 인증을 검토\n"),
        (
            "2026-03-02",
            "## Session\nUser: running a marathon, ran it twice\nAssistant: well done\n",
        ),
        ("2026-03-03", "## c\n- marathon runner\n"),
    ];
    let forward = cache(&logs);
    let mut backward = RootCache::default();
    for (date, text) in logs.iter().rev() {
        backward.insert(day(date), 0, text, Depth::Words);
    }
    let read_back = RootCache::decode(&forward.encode()).unwrap();
    let plan = |cache: &RootCache| plan_root(None, cache, day("2026-03-05"), 3000);
    assert_eq!(plan(&forward), plan(&backward));
    assert_eq!(plan(&forward), plan(&read_back));
    let mut damaged = forward.encode();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    assert!(RootCache::decode(&damaged).is_none() && RootCache::decode(&[]).is_none());
}

#[test]
fn the_machine_rebuilds_what_is_its_own() {
    let before = cache(&[("2026-03-01", "## auth\n- jwt\n")]);
    let after = cache(&[("2026-03-01", "## auth\n- jwt\n"), ("2026-03-02", "## billing\n- tax\n")]);
    let first = plan_root(None, &before, day("2026-03-02"), 3000).bytes;
    assert_eq!(plan_root(Some(&first), &before, day("2026-03-02"), 3000).bytes, first);
    let rebuilt = plan_root(None, &after, day("2026-03-03"), 3000).bytes;
    let windows = String::from_utf8(first.clone()).unwrap().replace('\n', "\r\n");
    let torn = &first[..first.len() - 9];
    let zeros = [torn, &[0; 9]].concat();
    for existing in [&first[..], torn, &zeros, b"", b" \n"] {
        let torn_now = existing.len() == torn.len();
        let cache = if torn_now { &before } else { &after };
        let plan = plan_root(Some(existing), cache, day("2026-03-03"), 3000);
        assert!(!plan.theirs, "{}", String::from_utf8_lossy(existing));
        if !torn_now {
            assert_eq!(plan.bytes, rebuilt);
        }
    }
    assert!(!plan_root(Some(windows.as_bytes()), &after, day("2026-03-03"), 3000).theirs);
    let stub = "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-11\ntenant: acme\n---\n\n## Active Context (recent ~7 days)\n<!-- Current work and priorities -->\n\n## Recent Patterns\n<!-- Cross-cutting insights -->\n\n## Historical Summary\n<!-- High-level timeline -->\n\n## Topics Index\n<!-- topic: keywords, references -->\n";
    let plan = plan_root(Some(stub.as_bytes()), &after, day("2026-03-12"), 3000);
    assert!(
        !plan.theirs
            && text(&plan).contains("last-updated: 2026-03-12\ntenant: acme\nfingerprint: ")
    );
    assert!(text(&plan).contains("- billing [project, 10d]"));
}

const MODEL: &str = "---\r\ntype: root\r\nstatus: tentative\r\nlast-updated: 2026-01-01\r\nmood: calm # mine\r\n---\r\n\r\n## Active Context (recent ~7 days)\r\n- billing: tax rounding, Ada reviews\r\n\r\n## Decisions\r\n- chose $& over $1 — reason   \r\n```\r\n- auth [project, 1d]: in a fence\r\n```\r\n\r\n## Topics Index\r\n- Auth [project, 0d]: jwt, cookies → knowledge/auth.md\r\n- clawy.pro [project, 30d]: k8s\r\n- wiki [reference, 30d]: runbooks\r\n- style [feedback]: terse\r\n\r\n## Zuletzt\r\nprose stays";

#[test]
fn a_clock_that_was_wrong_leaves_no_wrong_ages() {
    let cache = cache(&[("2026-01-05", "## auth\n- jwt\n## fresh\n- words\n")]);
    let on = |text: &[u8], today: &str| plan_root(Some(text), &cache, day(today), 700).bytes;
    let old = MODEL.replace("30d]: k8s", "9000d]: k8s");
    for model in [MODEL, &old] {
        for today in ["2026-01-05", "2026-02-01", "2027-01-01"] {
            let right = on(model.as_bytes(), today);
            for wrong in ["2020-01-01", "2025-12-31", "2026-01-01", "2040-01-01"] {
                let went = on(&right, wrong);
                assert_eq!(on(&went, wrong), went, "{wrong}");
                let back = on(&went, today);
                let found = String::from_utf8(back).unwrap();
                assert_eq!(found, String::from_utf8(right.clone()).unwrap(), "{today} {wrong}");
                for line in ageless(model) {
                    assert!(ageless(&found).contains(&line), "{line}");
                }
            }
        }
    }
}

/// Every line, ages taken out.
fn ageless(text: &str) -> Vec<String> {
    let age = regex::Regex::new(r", \d+d(, \?)?\]").unwrap();
    text.lines()
        .filter(|line| !line.starts_with("last-updated") && !line.starts_with("fingerprint"))
        .filter(|line| !line.starts_with("lines-of-machine"))
        .map(|line| age.replace(line, "]").into_owned())
        .collect()
}

#[test]
fn a_models_file_survives_a_hundred_days() {
    let mut cache = cache(&[(
        "2026-01-01",
        "## auth\n- jwt\n## wiki [reference]\n- url\n## style [feedback]\n- rule: terse\n",
    )]);
    let mut bytes = MODEL.as_bytes().to_vec();
    let start = day("2026-01-01");
    for passed in 1..=100 {
        let today = start + chrono::Days::new(passed);
        if passed % 5 == 0 {
            cache.insert(
                today,
                0,
                &format!(
                    "## novelty v{passed} {}\n- findings\n",
                    if passed % 2 == 0 { "ant" } else { "bee" }
                ),
                Depth::Words,
            );
        }
        if passed == 50 {
            cache.insert(today, 1, "## AUTH [project]\n- sessions\n", Depth::Words);
        }
        let plan = plan_root(Some(&bytes), &cache, today, 700);
        assert!(plan.theirs);
        assert_eq!(
            plan_root(Some(&plan.bytes), &cache, today, 700).bytes,
            plan.bytes,
            "day {passed}"
        );
        bytes = plan.bytes;
        let now = String::from_utf8(bytes.clone()).unwrap();
        assert!(tokens::count(&now) <= 700);
        let lines = ageless(&now);
        for line in ageless(MODEL) {
            assert!(lines.contains(&line), "day {passed}: {line}\n{now}");
        }
        let auth = if passed < 50 { passed } else { passed - 50 };
        assert!(now.contains(&format!("- Auth [project, {auth}d]: jwt")), "{now}");
        assert!(now.contains(&format!("- clawy.pro [project, {}d]: k8s", 30 + passed)), "{now}");
        let doubt = if passed > 30 { ", ?" } else { "" };
        assert!(now.contains(&format!("- wiki [reference, {passed}d{doubt}]: runbooks")), "{now}");
        assert!(now.contains("- auth [project, 1d]: in a fence"));
        assert!(!now.replace("\r\n", "").contains('\n'));
        assert_eq!(now.matches("author: agent").count(), 1);
        if passed % 5 == 0 && passed != 50 {
            let (_, added) = now.split_once("<!-- hipocampus:added -->\r\n").unwrap();
            assert!(added.contains(&format!("- novelty v{passed}")), "{now}");
            assert!(now.contains("terse\r\n<!-- hipocampus:added -->"), "{now}");
        }
    }
    // No room for ours: everything of theirs stands, and the overrun is told.
    let plan = plan_root(Some(&bytes), &cache, day("2026-04-11"), 100);
    assert!(plan.standing.over > 0 && plan.notes.len() == 1 && plan.notes[0].contains("over"));
    let now = text(&plan);
    assert!(!now.contains("hipocampus:added"));
    assert_eq!(
        ageless(&now).iter().filter(|line| *line != "author: agent").count(),
        ageless(MODEL).len()
    );
    assert!(now.ends_with("prose stays"));
}

#[test]
fn lines_written_below_the_marker_are_theirs() {
    let cache = cache(&[("2026-03-01", "## auth\n- jwt\n## billing\n- tax\n")]);
    let theirs = "---\ntype: root\n---\n\n## Topics Index\n- mine [project, 0d]";
    let first = plan_root(Some(theirs.as_bytes()), &cache, day("2026-03-02"), 3000).bytes;
    let first = String::from_utf8(first).unwrap();
    assert!(first.contains("- mine [project, 0d]\n<!-- hipocampus:added -->\n- "), "{first}");
    assert!(first.contains("- auth [project, 1d]") && !first.ends_with('\n'));
    let appended = format!("{first}\n- noted by hand\n");
    let second = plan_root(Some(appended.as_bytes()), &cache, day("2026-03-02"), 3000);
    assert!(
        text(&second)
            .contains("- mine [project, 0d]\n- noted by hand\n<!-- hipocampus:added -->\n"),
        "{}",
        text(&second)
    );
    assert_eq!(text(&second).matches("- auth [").count(), 1);
    // One of ours reworded: all of them are theirs now, and nothing is said twice.
    let reworded = first.replace("- auth [project, 1d]", "- auth (important) [project, 1d]");
    let third = text(&plan_root(Some(reworded.as_bytes()), &cache, day("2026-03-02"), 3000));
    assert!(third.contains("- auth (important) [project, 1d]"));
    assert_eq!(
        (third.matches("- auth").count(), third.matches("- billing [").count()),
        (1, 1),
        "{third}"
    );
}

#[test]
fn an_edit_of_the_machines_file_is_theirs_for_good() {
    let cache = cache(&[("2026-03-01", "## auth\n- jwt\n")]);
    let machine = text(&plan_root(None, &cache, day("2026-03-02"), 3000));
    let edited =
        machine.replace("## Recent Patterns\n", "## Recent Patterns\n- everything is a queue\n");
    let plan = plan_root(Some(edited.as_bytes()), &cache, day("2026-03-04"), 3000);
    assert!(plan.theirs && text(&plan).contains("author: agent\n"));
    let undone = text(&plan).replace("- everything is a queue\n", "");
    let plan = plan_root(Some(undone.as_bytes()), &cache, day("2026-03-04"), 3000);
    assert!(plan.theirs);
    assert!(text(&plan).contains("- auth [project, 3d]"));
}

/// Words no rule passes over.
const WORDS: [&str; 24] = [
    "ledger", "ingress", "parser", "quota", "runner", "schema", "socket", "tenant", "vector",
    "webhook", "양식", "설정", "検索", "缓存", "cursor", "daemon", "enzyme", "fabric", "garden",
    "harbor", "island", "jungle", "kernel", "lantern",
];

fn logs() -> impl Strategy<Value = BTreeMap<u32, String>> {
    let word = || proptest::sample::select(&WORDS[..]);
    let kind =
        proptest::sample::select(&["", " [project]", " [user]", " [feedback]", " [reference]"][..]);
    let topic = prop_oneof![
        8 => proptest::collection::vec(word(), 1..4).prop_map(|words| words.join(" ")),
        1 => Just("Session — 2026-03-15 14:02:11".to_owned()),
        1 => proptest::collection::vec(word(), 5..9).prop_map(|words| words.join("  ")),
        3 => (word(), proptest::collection::vec(word(), 4..8))
            .prop_map(|(scope, words)| format!("{scope}: remove {}", words.join(" "))),
    ];
    let body = proptest::collection::vec(word(), 0..12)
        .prop_map(|words| format!("- note: {}\n", words.join(" ")));
    let entry =
        (topic, kind, body).prop_map(|(topic, kind, body)| format!("## {topic}{kind}\n{body}\n"));
    let log = proptest::collection::vec(entry, 0..5).prop_map(|entries| entries.concat());
    // Far apart, or so near that weeks have several.
    let day = prop_oneof![0_u32..900, 30_u32..60, 730_u32..790];
    proptest::collection::btree_map(day, log, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn the_cap_holds_the_names_stand_the_count_is_exact(logs in logs(), cap in 150_u32..900) {
        let today = day("2026-03-15");
        let mut cache = RootCache::default();
        let mut fresh = RootCache::default();
        for (ago, log) in &logs {
            let day = today - chrono::Days::new(u64::from(*ago));
            cache.insert(day, 0, log, Depth::Words);
            fresh.insert(day, 0, log, Depth::of(day, today));
        }
        // What was read when a day was younger changes nothing.
        prop_assert_eq!(plan_root(None, &fresh, today, cap).bytes, plan_root(None, &cache, today, cap).bytes);
        prop_assert_eq!(all_topics(&fresh, today), all_topics(&cache, today));
        let plan = plan_root(None, &cache, today, cap);
        let root = text(&plan);
        let rows = all_topics(&cache, today);
        let index = section(&root, "## Topics Index");
        let mut names = tokens::Cost::default();
        for row in rows.iter().filter(|row| matches!(row.kind, crate::memory::entry::Kind::User | crate::memory::entry::Kind::Feedback)) {
            let line = format!("- {}", row.topic);
            names += tokens::cost(&line) + tokens::cost("\n") + tokens::cost("abcd");
            let stands = index.iter().filter(|found| **found == line || found.starts_with(&format!("{line} ["))).count();
            prop_assert_eq!(stands, 1, "{} in {}", line, root);
        }
        let total = tokens::count(&root);
        if names + tokens::Cost::tokens(150) <= tokens::Cost::tokens(cap) {
            prop_assert!(total <= cap, "{} > {}\n{}", total, cap, root);
            prop_assert!(plan.notes.is_empty());
        } else {
            prop_assert_eq!(total > cap, !plan.notes.is_empty());
        }
        prop_assert_eq!(plan.standing.shown + plan.standing.not_shown, rows.len());
        let told = root.lines().last().filter(|line| line.contains("not shown")).map_or(0, |line| line.split(' ').next().unwrap().parse().unwrap());
        prop_assert_eq!(plan.standing.not_shown, told);
        // Whatever is named as a whole, in the page's own way, is not among those counted.
        let body = root.split("\n---\n").nth(1).unwrap().to_lowercase();
        let absent = rows.iter().filter(|row| row.topic.split(' ').count() <= 4 && !body.contains(&row.topic.to_lowercase())).count();
        prop_assert!(absent <= plan.standing.not_shown, "{} {}\n{}", absent, plan.standing.not_shown, root);
        prop_assert_eq!(plan_root(Some(&plan.bytes), &cache, today, cap).bytes, plan.bytes);
    }
}

/// Of forty titles a week nobody wants a word each: their line says which subjects came up and with what.
#[test]
fn a_week_of_titles_is_one_line_of_subjects() {
    let week: Vec<(String, String)> = (2..7)
        .map(|day| {
            let log = format!(
                "## parser: speed up nested ranges in case {day} [project]\n- note: nothing\n\
                 ## parser: report unclosed ranges with a caret for {day} [project]\n- note: none\n\
                 ## pool: retry refused connections {day} times [project]\n- note: zebra\n"
            );
            (format!("2026-02-0{day}"), log)
        })
        .collect();
    // Enough others that not every day has a line of its own.
    let others: Vec<String> =
        day("2026-02-16").iter_days().take(60).map(|day| day.to_string()).collect();
    let mut logs: Vec<(&str, &str)> =
        week.iter().map(|(day, log)| (day.as_str(), log.as_str())).collect();
    logs.extend(others.iter().map(|day| {
        (day.as_str(), "## ledger: balance the sheet of the branch again [project]\n- note: x\n")
    }));
    logs.push((
        "2026-05-10",
        "## mail: sign confirmations with the relay's new key [project]\n- note: x\n",
    ));
    let root = fresh(&logs, "2026-05-20", 1000);
    let history = section(&root, "## Historical Summary");
    let lines: Vec<&&str> = history.iter().filter(|line| line.contains("2026-W06")).collect();
    assert_eq!(lines.len(), 1, "{root}");
    let line = lines[0];
    assert!(line.starts_with("- 2026-W06: parser "), "{line}");
    assert_eq!(line.matches("parser").count(), 1, "{line}");
    for word in ["ranges", "pool", "connections", "refused"] {
        assert!(line.contains(word), "{word}: {line}");
    }
    // What was done to it, and what a body says in passing.
    for word in ["speed", "report", "zebra", "times"] {
        assert!(!line.contains(word), "{word}: {line}");
    }
    assert!(history.iter().any(|line| line.starts_with("- 05-10: mail ")), "{root}");
}
