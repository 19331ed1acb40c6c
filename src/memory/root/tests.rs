//! The rules of ROOT.md as a whole.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use proptest::prelude::*;

use super::facts::Depth;
use super::weights::{Title, Weights};
use super::*;
use crate::memory::tokens;

mod day_lines;
mod sentences;
mod theirs;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn cache(logs: &[(&str, &str)]) -> RootCache {
    let mut cache = RootCache::default();
    for (date, text) in logs {
        cache.insert(day(date), 0, text, Depth::Sentences);
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
    assert_eq!(auth, [&"- auth refactor [feedback, 11d]: cookies only → 2026-03-04"]);
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
        let lines = [section(&root, "## Active"), section(&root, "## Topics Index")].concat();
        let lines: Vec<_> =
            lines.iter().filter(|line| line.to_lowercase().starts_with("- ledger [")).collect();
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
fn a_project_that_rested_is_told_as_on_its_last_day() {
    let logs = [
        ("2025-03-01", "## Session\nUser: why is the ledger late?\nAssistant: the ledger waits.\n"),
        ("2025-06-04", "## Session\nUser: which quota?\nAssistant: the quota of the tenant.\n"),
        ("2025-06-20", "## Session\nUser: fix the parser\nAssistant: the parser is fixed.\n"),
    ];
    let history = |today: &str| {
        let root = fresh(&logs, today, 300);
        section(&root, "## Historical Summary").join("\n").replace("- 2025-", "- ")
    };
    let before = history("2025-06-30");
    assert!(before.contains("- 06-20: ") && before.contains("- 06-04: "), "{before}");
    assert_eq!(history("2027-01-30"), before);
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
    for line in section(&root, "## Topics Index") {
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
            "## Session — 2026-03-10 10:00:00 — cut words\n\n**User:** see src/auth/mod.rs:12, https://example.org/a/b and 9d905d543 please, about the Tokenizer\n\n\
             **Assistant:** see src/auth/mod.rs:12, https://example.org/a/b and 9d905d543 please, about the Tokenizer\n[tools: Bash ×3]\n",
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
fn a_word_that_only_holds_german_together_is_no_keyword_where_all_is_german() {
    fn keywords(sayings: &[&str]) -> Vec<String> {
        let sitting = |(day, said): (usize, &&str)| {
            let date = format!("2026-03-{:02}", day + 1);
            let log = format!(
                "## Session — {date} 10:00:00\n\n**User:** {said}\n\n**Assistant:** {said}\n"
            );
            (date, log)
        };
        let logs: Vec<(String, String)> = sayings.iter().enumerate().map(sitting).collect();
        let logs: Vec<(&str, &str)> = logs.iter().map(|(date, log)| (&**date, &**log)).collect();
        let cache = cache(&logs);
        let weights = Weights::new(&cache, day("2026-03-28"));
        let sections = cache.days().flat_map(|(_, facts)| facts.sections(Depth::Sentences));
        let words = sections.flat_map(|(_, terms, _)| weights.keywords(terms, Title::None, 9));
        words.map(|word| cache.lexicon.text(word.word).to_owned()).collect()
    }
    let german = keywords(&[
        "die ankerwinde bremst nicht",
        "die schleuse mit dem tor",
        "die boje funkt nicht mehr",
        "die winde mit der bremse",
    ]);
    for word in ["ankerwinde", "schleuse", "boje", "bremse"] {
        assert!(german.contains(&word.to_owned()), "{word} in {german:?}");
    }
    for word in ["die", "mit", "nicht", "dem", "mehr"] {
        assert!(!german.contains(&word.to_owned()), "{word} in {german:?}");
    }
    let english = keywords(&[
        "windlass workers die",
        "pilots launch radio",
        "sluice gates",
        "gauge rising",
        "mooring chains",
    ]);
    assert!(english.contains(&"die".to_owned()), "{english:?}");
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

/// A conversation of many words, some of them on many days.
fn conversation(n: usize) -> String {
    let word = |mut number: usize| {
        let mut word = String::from("q");
        while number > 0 {
            word.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
            number /= 26;
        }
        word
    };
    let words = (0..30 + n * 7 % 90).map(|k| word(n * n * k % 5000 + 30));
    let said = words.collect::<Vec<_>>().join(" ");
    format!(
        "## Session — 2026-03-{:02} 10:00:00\n\n**User:** does {said} hold?\n\n**Assistant:** it is {said} that fails.\n",
        n % 28 + 1
    )
}

#[test]
fn the_order_in_which_logs_are_read_makes_no_difference() {
    let today = day("2026-04-01");
    let read = |days: &[usize]| {
        let mut cache = RootCache::default();
        for n in days {
            let date = day(&format!("2026-{:02}-{:02}", n / 28 + 1, n % 28 + 1));
            cache.insert(date, 0, &conversation(*n), Depth::Sentences);
        }
        cache
    };
    let root = |cache: &RootCache| text(&plan_root(None, cache, today, 1500));
    let days: Vec<usize> = (0..84).collect();
    let expect = root(&read(&days));
    let backwards: Vec<usize> = days.iter().rev().copied().collect();
    assert_eq!(root(&read(&backwards)), expect);
    // Nor does it make one by how many, each with numbers of its own for words and topics.
    for part in [3, 20] {
        let mut whole = RootCache::default();
        for days in backwards.chunks(part) {
            whole.append(read(days));
        }
        assert_eq!(root(&whole), expect, "{part}");
    }
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
        backward.insert(day(date), 0, text, Depth::Sentences);
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
        // Titles without a single term.
        1 => proptest::sample::select(&["src/disk.rs", "what of it"][..]).prop_map(str::to_owned),
        1 => proptest::collection::vec(word(), 5..9).prop_map(|words| words.join("  ")),
        3 => (word(), proptest::collection::vec(word(), 4..8))
            .prop_map(|(scope, words)| format!("{scope}: remove {}", words.join(" "))),
    ];
    let words = proptest::collection::vec(word(), 0..12)
        .prop_map(|words| format!("- note: {}\n", words.join(" ")));
    let set = (word(), 1..9_u8).prop_map(|(of, number)| {
        format!("- note: the {of} keeps a quota_limit of {number} ms for each tenant\n")
    });
    let body = prop_oneof![4 => words, 1 => set];
    let entry =
        (topic, kind, body).prop_map(|(topic, kind, body)| format!("## {topic}{kind}\n{body}\n"));
    let log = proptest::collection::vec(entry, 0..5).prop_map(|entries| entries.concat());
    // Far apart, or so near that weeks have several.
    let day = prop_oneof![0_u32..900, 30_u32..60, 730_u32..790];
    proptest::collection::btree_map(day, log, 0..12)
}

fn days_before(today: NaiveDate) -> impl Fn(&u32) -> NaiveDate {
    move |days| today - chrono::Days::new(u64::from(*days))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// What was read when a day was younger changes nothing, whether it was let go of since or not.
    #[test]
    fn how_the_logs_were_read_before_does_not_show(logs in logs(), cap in 150_u32..900, told in 0_u32..120) {
        let today = day("2026-03-15");
        let ago = days_before(today);
        let [mut cache, mut later, mut fresh] = [(); 3].map(|()| RootCache::default());
        cache.tell_in_sentences(logs.keys().map(&ago), told);
        fresh.tell_in_sentences(logs.keys().map(&ago), told);
        for (days, log) in &logs {
            cache.insert(ago(days), 0, log, Depth::Sentences);
            later.insert(ago(days), 0, log, Depth::Sentences);
            fresh.insert(ago(days), 0, log, fresh.depth(ago(days), today));
        }
        later.tell_in_sentences(logs.keys().map(&ago), told);
        let page = |cache: &RootCache| plan_root(None, cache, today, cap).bytes;
        prop_assert_eq!(page(&later), page(&cache));
        prop_assert_eq!(page(&fresh), page(&cache));
        prop_assert_eq!(all_topics(&fresh, today), all_topics(&cache, today));
        prop_assert_eq!(plan_root(Some(&page(&cache)), &cache, today, cap).bytes, page(&cache));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn the_cap_holds_the_names_stand_the_count_is_exact(logs in logs(), cap in 150_u32..900, told in 0_u32..120) {
        let today = day("2026-03-15");
        let ago = days_before(today);
        let mut cache = RootCache::default();
        cache.tell_in_sentences(logs.keys().map(&ago), told);
        for (days, log) in &logs {
            cache.insert(ago(days), 0, log, cache.depth(ago(days), today));
        }
        let plan = plan_root(None, &cache, today, cap);
        let root = text(&plan);
        let rows = all_topics(&cache, today);
        let index = section(&root, "## Topics Index");
        let mut names = tokens::Cost::default();
        for row in rows.iter().filter(|row| matches!(row.kind, crate::memory::entry::EntryType::User | crate::memory::entry::EntryType::Feedback)) {
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

#[test]
fn one_day_makes_a_line() {
    let mut cache = RootCache::default();
    let (yesterday, today) = ("2026-03-14".parse().unwrap(), "2026-03-15".parse().unwrap());
    cache.insert(yesterday, 0, "## auth [project]\n- decision: cookies\n", Depth::Sentences);
    let plan = plan_root(None, &cache, today, 3000);
    let text = String::from_utf8(plan.bytes).unwrap();
    assert!(text.contains("- auth [project, 1d]: cookies → 2026-03-14"));
}
