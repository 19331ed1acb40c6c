//! `cargo bench --bench heads_of -- MEMORY_DIR LIMIT [OUT_DIR]`: writes the `topics` of every log and prints what it took.

#![expect(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a tool, not a part"
)]

use std::time::Instant;

use hipocampus::internals::{head_topics, in_one_line};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [folder, limit, out @ ..] = &args[..] else {
        // `cargo test --benches` calls without arguments.
        return;
    };
    let limit: usize = limit.parse().expect("a number");
    let mut logs: Vec<(String, String)> = Vec::new();
    for file in std::fs::read_dir(folder).expect("a folder").flatten() {
        let name = file.file_name().into_string().unwrap_or_default();
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        logs.push((name, String::from_utf8_lossy(&bytes).into_owned()));
    }
    logs.sort();
    let started = Instant::now();
    let heads: Vec<_> = logs.iter().map(|(_, text)| head_topics(text, limit)).collect();
    let took = started.elapsed();
    let megabytes = logs.iter().map(|(_, text)| text.len()).sum::<usize>() as f64 / 1e6;
    eprintln!("{} logs, {megabytes:.1} MB, {took:.1?}", logs.len());
    if let [out] = out {
        for ((name, _), topics) in logs.iter().zip(heads) {
            let head = format!("---\ntopics: {}\n---\n", in_one_line(&topics));
            std::fs::write(format!("{out}/{name}"), head).expect("a file");
        }
    }
}
