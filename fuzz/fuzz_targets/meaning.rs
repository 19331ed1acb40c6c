//! Any log: no panic in extracts, heads and ROOT.md, and what is promised of each of them holds.
//! `cargo fuzz run -s none meaning -- -max_len=20000`
//!
//! Logs to begin with make it reach further: `tests/fixtures/devlog`, one file each. A form feed ends a day.

#![no_main]

use chrono::{Days, NaiveDate};
use hipocampus::internals::{
    FactCache, Level, Period, digest, head_topics, in_one_line, plan_root, tokens,
};
use libfuzzer_sys::fuzz_target;

/// The most tokens of ROOT.md.
const CAP: u32 = 1_000;

/// The most days of one text.
const DAYS: u64 = 4;

/// Its first day, a Monday.
const FIRST: NaiveDate = NaiveDate::from_ymd_opt(2026, 3, 9).expect("a date");

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let days = (0..DAYS).map(|number| FIRST + Days::new(number));
    let days: Vec<(NaiveDate, &str)> = days.zip(text.split('\u{c}')).collect();

    let logs = days.iter().map(|(date, log)| (Period::Day(*date), *log));
    let extracts: Vec<(Period, String)> =
        logs.clone().map(|log| (log.0, extract(Level::Daily, &[log]))).collect();
    let sources: Vec<_> = extracts.iter().map(|(day, body)| (*day, &**body)).collect();
    one_line(&extract(Level::Weekly, &sources));
    extracts.iter().for_each(|(_, body)| one_line(body));
    if let Some((day, log)) = logs.last() {
        one_line(log);
        // Once more with lines in front that fill it, so that something has to give way.
        let filled = (0..220).map(|n| format!("- the tide of berth {n} was read at {}\n", n * 7));
        let filled = format!("## Tides\n{}\n{log}", filled.collect::<String>());
        extract(Level::Daily, &[(day, &filled)]);
    }

    root(&days);
});

fn extract(level: Level, sources: &[(Period, &str)]) -> String {
    let body = digest(level, sources.iter().copied());
    for line in body.lines() {
        assert!(line.chars().count() <= 260, "a line is too long: {line}");
    }
    body
}

fn one_line(body: &str) {
    let topics = head_topics(body, 20);
    assert!(topics.len() <= 20);
    let line = in_one_line(&topics);
    assert!(!line.contains('\n'), "a head has one line for its topics: {line:?}");
}

fn root(days: &[(NaiveDate, &str)]) {
    let Some(today) = days.last().map(|(day, _)| *day) else { return };
    let mut cache = FactCache::default();
    for (day, log) in days {
        cache.insert(Period::Day(*day), 0, log, "");
    }
    let bytes = cache.encode();
    let mut read = FactCache::decode(&bytes).expect("what was just written");
    assert_eq!(read.encode(), bytes, "a cache is read back whole");

    let planned = plan_root(None, &cache, today, CAP);
    let again = plan_root(Some(&planned.bytes), &read, today, CAP);
    assert!(planned.bytes == again.bytes, "a second run changes nothing");
    let text = std::str::from_utf8(&planned.bytes).expect("text");
    let over = planned.standing.over;
    assert!(tokens::count(text) <= CAP + over, "{} tokens", tokens::count(text));

    // A month later the days stand in other lines.
    let later = today + Days::new(40);
    for (day, log) in days {
        read.insert(Period::Day(*day), 1, log, "");
    }
    plan_root(Some(&planned.bytes), &read, later, CAP);
}
