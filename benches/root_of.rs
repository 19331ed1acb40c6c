//! `cargo bench --bench root_of -- MEMORY_DIR TODAY CAP`: prints ROOT.md for a folder of logs, and on stderr what it took.

#![expect(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool, not a part"
)]

use std::time::Instant;

use chrono::NaiveDate;
use hipocampus::internals::{RootCache, plan_root};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [folder, today, cap] = &args[..] else {
        // `cargo test --benches` calls without arguments.
        return;
    };
    let today: NaiveDate = today.parse().expect("a date");
    let cap: u32 = cap.parse().expect("a number of tokens");
    let mut logs: Vec<(NaiveDate, String)> = Vec::new();
    for file in std::fs::read_dir(folder).expect("a folder").flatten() {
        let name = file.file_name().into_string().unwrap_or_default();
        let Some(Ok(day)) = name.strip_suffix(".md").map(str::parse) else { continue };
        let bytes = std::fs::read(file.path()).expect("a log");
        logs.push((day, String::from_utf8_lossy(&bytes).into_owned()));
    }
    logs.sort();
    let megabytes = logs.iter().map(|(_, text)| text.len()).sum::<usize>() as f64 / 1e6;
    let mut cache = RootCache::default();
    let started = Instant::now();
    for (day, text) in &logs {
        cache.insert(*day, 0, text, cache.depth(*day, today));
    }
    let read = started.elapsed();
    let bytes = cache.encode();
    let started = Instant::now();
    let mut cache = RootCache::decode(&bytes).expect("what was just written");
    let decoded = started.elapsed();
    let started = Instant::now();
    if let Some((day, text)) = logs.last() {
        cache.insert(*day, 0, text, cache.depth(*day, today));
    }
    let one = started.elapsed();
    let started = Instant::now();
    let plan = plan_root(None, &cache, today, cap);
    let built = started.elapsed();
    let started = Instant::now();
    let size = cache.encode().len();
    let encoded = started.elapsed();
    print!("{}", String::from_utf8_lossy(&plan.bytes));
    eprintln!(
        "{} days, {megabytes:.1} MB read in {read:.1?} ({:.1} ms/MB); cache of {:.2} MB decoded in {decoded:.1?}, one day in {one:.1?}, built in {built:.1?}, encoded in {encoded:.1?}; {} shown, {} not",
        logs.len(),
        read.as_secs_f64() * 1e3 / megabytes,
        size as f64 / 1e6,
        plan.standing.shown,
        plan.standing.not_shown,
    );
}
