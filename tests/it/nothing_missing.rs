//! Every line of a log is in the nodes above it, or, above a threshold, the topic of its entry does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Project, body, fixture, head, logs_of, required};

/// Lines of logs, and how many of them a level does not account for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    lines: usize,
    verbatim: [usize; 3],
    missing: [usize; 3],
    examples: Vec<String>,
}

/// What a line of a log is known by once it is no longer there itself.
enum Known {
    /// is before the first entry
    Nothing,
    Topic(String),
}

fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Headings outside closed code fences, in the plainest reading that the corpora allow.
fn known_by(log: &str) -> Vec<Known> {
    let lines: Vec<&str> = log.lines().collect();
    let fence = |line: &str| line.trim_start().starts_with("```");
    let mut in_code = false;
    let mut topic: Option<String> = None;
    let mut known = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if fence(line) {
            in_code = !in_code && lines[index + 1..].iter().any(|later| later.trim() == "```");
        }
        if !in_code && let Some(title) = line.strip_prefix("## ") {
            let untyped = ["project", "feedback", "user", "reference"]
                .iter()
                .find_map(|kind| title.trim().strip_suffix(&format!("[{kind}]")))
                .unwrap_or(title);
            topic = if title.starts_with("Session ") {
                first_words(&lines[index + 1..])
            } else {
                Some(normal(untyped))
            };
        }
        known.push(topic.clone().map_or(Known::Nothing, Known::Topic));
    }
    known
}

/// What a chat is known by: its title, a part of what the user asked first. Which part it is, only the chats made here
/// tell.
fn first_words(lines: &[&str]) -> Option<String> {
    let said = lines.iter().find_map(|line| line.strip_prefix("User:"))?;
    let from = said.find("journey number")?;
    let title: Vec<&str> = said[from..].split_whitespace().take(3).collect();
    Some(normal(&title.join(" ")))
}

/// Whether a line is in a node, apart from secrets that were taken out of it.
fn stands(line: &str, node: &BTreeMap<&str, usize>, redacted: &[&str]) -> bool {
    node.contains_key(line)
        || redacted.iter().any(|kept| {
            let mut rest = line;
            kept.split("[REDACTED").enumerate().all(|(index, part)| {
                let part = if index == 0 { part } else { part.split_once(']').map_or("", |p| p.1) };
                match rest.find(part) {
                    Some(at) if index > 0 || at == 0 => {
                        rest = &rest[at + part.len()..];
                        true
                    }
                    _ => false,
                }
            })
        })
}

fn measure(project: &Project) -> Count {
    let nodes = project.nodes();
    let mut carrier: BTreeMap<String, String> = BTreeMap::new();
    for (name, bytes) in nodes.iter().filter(|(name, _)| !name.starts_with("daily/")) {
        let text = String::from_utf8_lossy(bytes);
        let Some(files) = head(&text, "source-files") else { continue };
        for file in files.trim_matches(['[', ']']).split(", ") {
            carrier.insert(file.trim_start_matches("memory/").to_owned(), name.clone());
        }
    }
    let mut count = Count::default();
    for (name, log) in logs_of(project) {
        let log = String::from_utf8_lossy(&log).into_owned();
        let daily = format!("daily/{name}.md");
        let weekly = carrier.get(&daily).cloned().unwrap_or_default();
        let monthly = carrier.get(&weekly).cloned().unwrap_or_default();
        let known = known_by(&log);
        for (level, (node, threshold)) in
            [(daily, 200), (weekly, 300), (monthly, 500)].iter().enumerate()
        {
            let text = nodes.get(node).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            let text = text.unwrap_or_default();
            let sources: usize =
                head(&text, "lines").and_then(|lines| lines.parse().ok()).unwrap_or_default();
            let text = if text.is_empty() { "" } else { body(&text) };
            let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
            for line in text.lines() {
                *lines.entry(line).or_default() += 1;
            }
            let redacted: Vec<&str> =
                text.lines().filter(|line| line.contains("[REDACTED")).collect();
            let normal = normal(text);
            let verbatim = sources <= *threshold && level_below_is_verbatim(&nodes, node);
            for (line, known) in log.lines().zip(&known) {
                let fine = match known {
                    _ if verbatim => stands(line, &lines, &redacted),
                    Known::Nothing => true,
                    Known::Topic(topic) => normal.contains(topic.as_str()),
                };
                count.verbatim[level] += usize::from(verbatim);
                count.missing[level] += usize::from(!fine);
                if !fine && count.examples.len() < 5 {
                    count.examples.push(format!("{node} lacks {line:?}"));
                }
            }
        }
        count.lines += log.lines().count();
    }
    count
}

/// Whether everything a node was made from is in it word for word, down to the logs.
fn level_below_is_verbatim(nodes: &BTreeMap<String, Vec<u8>>, node: &str) -> bool {
    let Some(bytes) = nodes.get(node) else { return true };
    let text = String::from_utf8_lossy(bytes);
    let files = head(&text, "source-files").unwrap_or_default();
    let below = files.trim_matches(['[', ']']).split(", ");
    below.filter_map(|file| file.strip_prefix("memory/")).filter(|file| file.contains('/')).all(
        |file| {
            let bytes = nodes.get(file).map_or(&b""[..], |bytes| bytes);
            let text = String::from_utf8_lossy(bytes);
            let threshold = if file.starts_with("daily/") { 200 } else { 300 };
            let lines: usize =
                head(&text, "lines").and_then(|lines| lines.parse().ok()).unwrap_or_default();
            lines <= threshold && level_below_is_verbatim(nodes, file)
        },
    )
}

fn check(project: &Project, today: &str, least: usize) -> Count {
    project.compact(today);
    let count = measure(project);
    assert!(count.lines >= least, "{count:?}");
    assert_eq!(count.missing, [0; 3], "{count:?}");
    count
}

#[test]
fn of_three_months_of_devlog() {
    let project = Project::new();
    project.copy_from(&fixture("devlog"), "memory");
    let count = check(&project, "2025-06-01", 2000);
    assert_eq!(count.verbatim[0], count.lines);
}

#[test]
fn of_a_month_of_conversations() {
    let mut logs = Vec::new();
    for day in 1..=28 {
        let mut log = format!("# 2026-02-{day:02}\n");
        for session in 0..=(day % 5) {
            let n = day * 10 + session;
            let _ = write!(
                log,
                "\n## Session {n:08x}\n\nUser: How would I plan the journey number {n} to the sea? I have a dog.\n\
                 Assistant: By train.\n{}User: And number {n} back?\nAssistant: The same.\n",
                "It takes a while, and it costs a little.\n".repeat(45 * session)
            );
        }
        logs.push((format!("2026-02-{day:02}"), log));
    }
    let project = Project::with_logs(logs);
    let count = check(&project, "2026-05-01", 1500);
    assert!(count.verbatim.iter().all(|lines| *lines < count.lines), "{count:?}");
}

#[test]
fn at_the_threshold_nothing_is_left_out_and_above_it_the_topic_stays() {
    for (lines, status) in [(199, "fixed"), (200, "fixed"), (201, "needs-summarization")] {
        // Lines are line ends plus one.
        let project =
            Project::with_logs([("2026-03-10", crate::support::entry("Edge", lines - 1))]);
        let count = check(&project, "2026-05-01", lines - 1);
        assert_eq!(project.head("memory/daily/2026-03-10.md", "lines"), Some(lines.to_string()));
        assert_eq!(project.status("memory/daily/2026-03-10.md"), status);
        assert_eq!(count.verbatim[0] == count.lines, lines <= 200);
    }
    for (extra, status) in [(0, "fixed"), (1, "needs-summarization")] {
        let text = |n: usize| crate::support::entry("Edge", n - 1);
        let logs = [("2026-03-09", text(150)), ("2026-03-11", text(150 + extra))];
        let project = Project::with_logs(logs);
        check(&project, "2026-05-01", 298);
        let week = "memory/weekly/2026-W11.md";
        assert_eq!(project.head(week, "lines"), Some((300 + extra).to_string()));
        assert_eq!(project.status(week), status);
    }
}

#[test]
fn a_month_of_500_lines_is_carried_whole() {
    // Three weeks; a week of one day has its day's lines, its heading and the blank line below it.
    for (last, status) in [(164, "fixed"), (165, "needs-summarization")] {
        let text = |n: usize| crate::support::entry("Edge", n - 1);
        let project = Project::with_logs([
            ("2026-03-04", text(165)),
            ("2026-03-11", text(165)),
            ("2026-03-18", text(last)),
        ]);
        check(&project, "2026-05-01", 490);
        let month = "memory/monthly/2026-03.md";
        assert_eq!(project.head(month, "lines"), Some((330 + last + 6).to_string()));
        assert_eq!(project.status(month), status);
    }
}

#[test]
fn headings_that_look_like_those_of_a_digest_are_topics_all_the_same() {
    let mut log =
        "## Topics\nauth [project], billing\n\n## Deploy fix\n\n## Open Items\n- ask legal\n"
            .to_owned();
    for n in 0..40 {
        let _ = write!(log, "## Area {n}\n- note {n}\n- more {n}\n");
    }
    let logs = (9..=15)
        .map(|day| (format!("2026-03-{day:02}"), log.replace("Area", &format!("Area {day}"))));
    check(&Project::with_logs(logs), "2026-05-01", 100);
}

#[test]
fn of_the_whole_corpora_where_they_are_at_hand() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/fixtures");
    for (name, today) in
        [("devlog", "2026-12-01"), ("chatlog", "2026-12-01"), ("korean", "2030-01-01")]
    {
        let archive = shared.join(format!("{name}.tar.xz"));
        // They are no part of the repository; a run elsewhere says so by this variable.
        let is_elsewhere = std::env::var_os("CI_WITHOUT_ARCHIVES").is_some();
        let memory = unpacked(&archive);
        if !is_elsewhere {
            required(memory.is_some(), &format!("{} and tar", archive.display()));
        }
        let Some(memory) = memory else { continue };
        let project = Project::new();
        project.copy_from(&memory.1.join("memory"), "memory");
        check(&project, today, 3_000);
    }
}

/// An archive in a folder of its own; `None` if it or `tar` is not there.
fn unpacked(archive: &Path) -> Option<(tempfile::TempDir, PathBuf)> {
    let dir = crate::support::scratch();
    let mut tar = Command::new("tar");
    let done = archive.is_file()
        && tar
            .arg("-xJf")
            .arg(archive)
            .arg("-C")
            .arg(dir.path())
            .status()
            .is_ok_and(|s| s.success());
    let path = dir.path().to_path_buf();
    done.then_some((dir, path))
}
