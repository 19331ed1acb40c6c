//! The cache saves time and nothing else: with it, without it and with `--full`, a run gives the same bytes and says
//! the same words.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use chrono::{Days, NaiveDate};
use hipocampus::Exit;
use proptest::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::desk::is_root;
use crate::support::{Output, Project, assert_same, entry};

const LOG: &str = "memory/2026-03-10.md";
const ROOT: &str = "memory/ROOT.md";
const CACHES: [&str; 2] = ["memory/.hipocampus.cache", "memory/.hipocampus.cache-root"];

/// One memory with two days, brought up to date.
fn two_days() -> Project {
    let project = Project::with_logs([
        ("2026-03-10", entry("Tidal gates", 5)),
        ("2026-03-11", entry("Pattern fees", 5)),
    ]);
    project.compact("2026-03-12");
    project
}

fn drop_cache(project: &Project) {
    for cache in CACHES.iter().filter(|cache| project.has(cache)) {
        project.remove(cache);
    }
}

#[test]
fn the_topic_of_an_emptied_log_stays_with_its_node() {
    for take in [None, Some("")] {
        let project = two_days();
        assert!(project.text(ROOT).contains("Tidal gates"));
        match take {
            None => project.remove(LOG),
            Some(text) => project.write(LOG, text),
        }
        project.compact("2026-03-12");
        let with_cache = project.text(ROOT);
        drop_cache(&project);
        project.compact("2026-03-12");
        assert_eq!(with_cache, project.text(ROOT));
        // The node is the last copy of what the log said.
        assert!(with_cache.contains("Tidal gates"), "{with_cache}");
    }
}

/// Puts a folder in the place of a log: even for root it cannot be read.
fn obstruct(project: &Project, log: &str) {
    if project.has(log) {
        project.remove(log);
    }
    fs::create_dir(project.path(log)).unwrap();
}

#[test]
fn the_topics_of_a_log_that_cannot_be_read_stay_in_the_index() {
    for lines in [5, 250] {
        let project = Project::with_logs([
            ("2026-03-10", entry("Tidal gates", lines)),
            ("2026-03-11", entry("Pattern fees", 5)),
        ]);
        project.compact("2026-03-12");
        obstruct(&project, LOG);
        project.append("memory/2026-03-11.md", "\n## Service dues [project]\n- new\n");
        let mut roots = Vec::new();
        for flags in [&["compact"][..], &["compact", "--full"]] {
            let run = flags.iter().skip(1).fold(project.run(["compact"]), crate::support::Run::arg);
            assert_eq!(run.today("2026-03-12").output().exit, Exit::Problem);
            roots.push(project.text(ROOT));
        }
        drop_cache(&project);
        assert_eq!(project.run(["compact"]).today("2026-03-12").output().exit, Exit::Problem);
        roots.push(project.text(ROOT));
        for root in &roots {
            assert!(root.contains("Tidal gates") && root.contains("Service dues"), "{root}");
            assert_eq!(root, &roots[0]);
        }
    }
}

#[test]
fn a_log_that_may_not_be_read_any_more_is_told_though_the_cache_knows_it() {
    if is_root() {
        return;
    }
    let project = two_days();
    let mode = |mode| fs::set_permissions(project.path(LOG), fs::Permissions::from_mode(mode));
    mode(0o000).unwrap();
    for _ in 0..2 {
        let output = project.run(["compact"]).today("2026-03-12").output();
        assert_eq!(output.exit, Exit::Problem);
        assert!(output.err.starts_with(&format!("error: `{LOG}`: ")), "{}", output.err);
    }
    mode(0o644).unwrap();
    project.idle("2026-03-12");
}

#[test]
fn another_platform_is_not_nothing_to_do() {
    let project = two_days();
    project.write("MEMORY.md", "# Mine\n");
    assert_eq!(project.compact("2026-03-12"), "nothing to do");
    project.write("hipocampus.config.json", "{\"platform\": \"openclaw\"}\n");
    assert_eq!(project.compact("2026-03-12"), "MEMORY.md updated");
    assert!(project.text("MEMORY.md").contains("## Compaction Root"));
    project.idle("2026-03-12");
}

#[test]
fn a_run_that_writes_root_says_so() {
    let project = two_days();
    let before = project.text(ROOT);
    project.remove(ROOT);
    assert_eq!(project.compact("2026-03-12"), "ROOT.md updated");
    assert_eq!(project.text(ROOT), before);
    assert_eq!(project.compact("2026-03-12"), "nothing to do");
}

/// The files below a path, as `build.rs` is to take them.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), files);
        }
    } else {
        files.push(path.to_owned());
    }
}

#[test]
fn a_cache_names_the_sources_that_filled_it() {
    let mut files = Vec::new();
    for path in [
        "Cargo.lock",
        "src/capture",
        "src/capture.rs",
        "src/disk/memory",
        "src/disk/memory.rs",
        "src/markdown",
        "src/markdown.rs",
        "src/meaning",
        "src/meaning.rs",
        "src/memory",
        "src/memory.rs",
        "src/text.rs",
    ] {
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path), &mut files);
    }
    files.sort();
    let mut hash = Xxh3::new();
    for file in files {
        hash.update(&fs::read(file).unwrap());
    }
    let sources = format!("{:016x}", hash.digest());
    let project = two_days();
    let expect = project.tree();
    for (cache, lead) in CACHES.into_iter().zip(["hipocampus cache ", ""]) {
        let head = format!("{lead}{sources}");
        let bytes = project.bytes(cache);
        assert!(bytes.starts_with(head.as_bytes()), "{cache}");
        // What another version filled is no cache, whatever it holds.
        let other = format!("{lead}{:016x}", !hash.digest());
        project.write(cache, [other.as_bytes(), &bytes[head.len()..]].concat());
        if cache != CACHES[0] {
            // Else it is not asked for.
            project.remove(CACHES[0]);
        }
        assert_eq!(project.compact("2026-03-12"), "nothing to do");
        assert_same(&expect, &project.tree());
        assert!(project.bytes(cache).starts_with(head.as_bytes()), "{cache} is made again");
    }
}

/// Something that happens to a memory between two runs.
#[derive(Debug, Clone)]
enum Happens {
    Appended(u64, String),
    Emptied(u64),
    Removed(u64),
    Obstructed(u64),
    NodeEdited(u64),
    NodeRemoved(u64),
    RootEdited(String),
    RootRemoved,
    Doubted,
    Platform(&'static str),
    Summarised,
    DaysPass(u64),
}

const START: &str = "2026-02-20";

fn day(number: u64) -> String {
    (START.parse::<NaiveDate>().unwrap() + Days::new(number)).to_string()
}

impl Happens {
    fn to(&self, project: &Project, today: &mut u64) {
        let log = |day: &u64| format!("memory/{}.md", self::day(*day));
        let node = |day: &u64| Project::node(&self::day(*day));
        let is_file = |path: &str| project.path(path).is_file();
        match self {
            Happens::Appended(day, text) => {
                if project.path(&log(day)).is_dir() {
                    project.remove(&log(day));
                }
                project.append(&log(day), text);
            }
            Happens::Emptied(day) if is_file(&log(day)) => project.write(&log(day), ""),
            Happens::Removed(day) if project.has(&log(day)) => project.remove(&log(day)),
            Happens::Obstructed(day) => obstruct(project, &log(day)),
            Happens::NodeEdited(day) if is_file(&node(day)) => {
                project.append(&node(day), "- a remark of a person\n");
            }
            Happens::NodeRemoved(day) if is_file(&node(day)) => project.remove(&node(day)),
            Happens::RootEdited(text) if is_file(ROOT) => project.append(ROOT, text),
            Happens::RootRemoved if is_file(ROOT) => project.remove(ROOT),
            Happens::Doubted => {
                project.write("MEMORY.md", "## Compaction Root\n\n## Compaction Root\n");
            }
            Happens::Platform(id) => {
                project.write("hipocampus.config.json", format!("{{\"platform\": \"{id}\"}}\n"));
            }
            Happens::Summarised => project.write(
                "memory/.compaction-state.json",
                format!("{{\"lastCompactionRun\": \"{}T10:00:00Z\"}}\n", self::day(*today)),
            ),
            Happens::DaysPass(days) => *today += days,
            _ => {}
        }
    }
}

fn happens() -> impl Strategy<Value = Happens> {
    let day = || 0..12u64;
    let text = prop_oneof![
        4 => (0..40u32).prop_map(|n| format!("\n## Gate {n} [project]\n- decision: weir {n}\n- pending: sluice {}\n", n % 7)),
        1 => (0..9u32).prop_map(|n| format!("\n## Habit {n} [user]\n- prefers Weirs and weirs {n}\n")),
        1 => (0..9u32).prop_map(|n| format!("\n## HABIT {n} [feedback]\n- rule: no sluices {n}\n")),
        1 => (0..9u32).prop_map(|n| format!("\n**User:** why does weir {n} leak?\n\n**Assistant:** the sluice {n} is open.\n")),
        1 => (0..4u32).prop_map(|n| entry(&format!("Long {n}"), 230)),
    ];
    prop_oneof![
        8 => (day(), text).prop_map(|(day, text)| Happens::Appended(day, text)),
        2 => day().prop_map(Happens::Emptied),
        2 => day().prop_map(Happens::Removed),
        1 => day().prop_map(Happens::Obstructed),
        1 => day().prop_map(Happens::NodeEdited),
        1 => day().prop_map(Happens::NodeRemoved),
        1 => (0..9u32).prop_map(|n| Happens::RootEdited(format!("- Gate {n} [project, 3d]: mine\n"))),
        1 => Just(Happens::RootRemoved),
        1 => Just(Happens::Doubted),
        1 => prop_oneof![Just("openclaw"), Just("claude-code"), Just("opencode")].prop_map(Happens::Platform),
        1 => Just(Happens::Summarised),
        2 => (1..20u64).prop_map(Happens::DaysPass),
    ]
}

fn said(output: &Output) -> (Exit, &str, &str) {
    (output.exit, &output.out, &output.err)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_history_shows_the_cache(history in prop::collection::vec(prop::collection::vec(happens(), 1..4), 1..9)) {
        // With the cache, without it, and reading everything again.
        let projects = [Project::new(), Project::new(), Project::new()];
        let mut today = 12;
        for step in &history {
            let mut moved = today;
            for project in &projects {
                moved = today;
                for happens in step {
                    happens.to(project, &mut moved);
                }
            }
            today = moved;
            // The second run finds what the first one left.
            for run in 0..2 {
                drop_cache(&projects[1]);
                let date = day(today);
                let [kept, dropped, full] = [(&projects[0], false), (&projects[1], false), (&projects[2], true)]
                    .map(|(project, full)| {
                        let run = project.run(["compact"]).today(&date);
                        if full { run.arg("--full").output() } else { run.output() }
                    });
                prop_assert_eq!(said(&kept), said(&dropped), "run {} after {:?}", run, step);
                prop_assert_eq!(said(&kept), said(&full), "run {} after {:?}", run, step);
                let trees = projects.each_ref().map(Project::tree);
                assert_same(&trees[0], &trees[1]);
                assert_same(&trees[0], &trees[2]);
                let memory_md = projects.each_ref().map(|project| fs::read(project.path("MEMORY.md")).ok());
                prop_assert_eq!(&memory_md[0], &memory_md[1]);
                prop_assert_eq!(&memory_md[0], &memory_md[2]);
            }
        }
    }
}
