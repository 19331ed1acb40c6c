//! What planning costs, without a disk: `cargo bench --bench planning`.
//!
//! Text is generated, the same every time. Whole processes are timed by `benches/whole-process.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use chrono::{Days, NaiveDate};
use divan::{Bencher, black_box, counter::BytesCount};
use hipocampus::internals::Document;
use hipocampus::internals::extract;
use hipocampus::internals::parse_entries;
use hipocampus::internals::{Facts, Listing, LogFile, MemoryReader, Snapshot, Stamp};
use hipocampus::internals::{Level, Period};
use hipocampus::internals::{Rules, plan};

fn main() {
    divan::main();
}

const KINDS: [&str; 4] = ["project", "feedback", "user", "reference"];
const SUBJECTS: [&str; 8] = [
    "berth search",
    "tide import",
    "receipts",
    "선석 예약",
    "pool",
    "mail relay",
    "潮位表",
    "desk",
];

/// A log of `lines` lines, different for each seed.
fn log(lines: usize, seed: usize) -> String {
    let mut text = String::new();
    for n in 0..lines {
        let turn = n + seed;
        let line = match n % 8 {
            0 => format!("## {} {turn} [{}]", SUBJECTS[turn % 8], KINDS[turn / 8 % 4]),
            1 => format!("- request: what about number {turn}?"),
            2 => format!("- decision: keep {turn}, drop {}", turn * 7 % 100),
            3 => format!("- outcome: {turn} landed in src/desk/{turn}.rs"),
            4 => "- next: look again after the season".to_owned(),
            5 => "```rust src/db/pool.rs:10-20".to_owned(),
            6 => format!("let number = {turn};"),
            _ => "```".to_owned(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Logs by name, no nodes.
struct Logs {
    texts: BTreeMap<String, String>,
}

impl Logs {
    fn of_days(days: u64, lines: usize) -> Self {
        let dates = (0..days).map(|n| first_day() + Days::new(n));
        let texts =
            dates.enumerate().map(|(n, date)| (format!("{date}.md"), log(lines, n * lines)));
        Self { texts: texts.collect() }
    }

    fn listing(&self) -> Listing {
        let logs = self.texts.iter().map(|(name, text)| {
            let file = LogFile { name: name.clone(), stamp: stamp(text), private: false };
            (name[..10].parse().expect("names begin with a date"), Arc::new(vec![file]))
        });
        Listing { logs: logs.collect(), folders: [true; 3], ..Listing::default() }
    }
}

impl MemoryReader for Logs {
    fn log(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)> {
        let text = self.texts.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok((text.clone().into_bytes(), stamp(text)))
    }

    fn node(&self, _: Period) -> io::Result<(Vec<u8>, Stamp)> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn stray(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

fn stamp(text: &str) -> Stamp {
    Stamp { size: text.len() as u64, mtime: 1 }
}

fn first_day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2025, 1, 1).expect("a date")
}

/// The entries of one log.
#[divan::bench(args = [100, 1_000, 10_000])]
fn entries(bencher: Bencher<'_, '_>, lines: usize) {
    let text = log(lines, 0);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse_entries(black_box(&text)));
}

/// The extract of one day above the threshold.
#[divan::bench(args = [250, 2_500, 25_000])]
fn daily_extract(bencher: Bencher<'_, '_>, lines: usize) {
    let text = log(lines, 0);
    let day = Period::Day(first_day());
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| extract(Level::Daily, [(day, black_box(&*text))]));
}

/// The head of a node.
#[divan::bench]
fn head(bencher: Bencher<'_, '_>) {
    let file = format!(
        "---\ntype: daily\nstatus: fixed\nperiod: 2026-03-15\nsource-files: [memory/2026-03-15.md]\n\
         topics: pool [project]\nlines: 40\nfingerprint: s:0000000000000001/b:0000000000000002\n---\n\n{}",
        log(40, 0)
    );
    bencher.bench(|| {
        let document = Document::parse(black_box(file.as_bytes()));
        (document.value("status").is_some(), document.body().len())
    });
}

/// A whole memory without nodes or cache: days at 60 lines, where all is copied, and at 250, where each day, week and
/// month is an extract.
#[divan::bench(args = [(30, 60), (365, 60), (30, 250), (365, 250)], sample_count = 20)]
fn cold_plan(bencher: Bencher<'_, '_>, (days, lines): (u64, usize)) {
    let logs = Logs::of_days(days, lines);
    let bytes: usize = logs.texts.values().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).with_inputs(|| logs.listing()).bench_values(
        |listing| {
            let rules = Rules {
                today: first_day() + Days::new(days),
                redact: &|text| text,
                rules_version: 0,
                since: None,
                reopen: BTreeSet::new(),
                given: std::collections::BTreeMap::new(),
                shared: false,
                threads: &|| 1,
            };
            plan(&mut Snapshot::new(listing, Facts::default(), &logs), &rules, None)
        },
    );
}
