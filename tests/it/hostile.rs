//! Logs that were not meant well, or not meant at all: the nodes are right, and work stays in proportion.

use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use hipocampus::Exit;
use rustix::time::{ClockId, clock_gettime};

use crate::nobody::Nobody;
use crate::support::{Project, assert_same, entry};

const DAY: &str = "memory/daily/2026-03-10.md";
const WEEK: &str = "memory/weekly/2026-W11.md";
const MONTH: &str = "memory/monthly/2026-03.md";

/// What is in a node is what is in the log, byte for byte, at every level, and dates alone settle it.
fn check_verbatim(log: &[u8]) {
    let project = Project::with_logs([("2026-03-10", log)]);
    project.compact("2026-03-10");
    for (today, status) in [("2026-03-10", "tentative"), ("2026-05-01", "fixed")] {
        project.compact(today);
        project.idle(today);
        assert_eq!(project.run(["compact", "--full"]).today(today).quiet(), "nothing to do");
        for (node, above) in [
            (DAY, &b""[..]),
            (WEEK, b"# 2026-03-10\n\n"),
            (MONTH, b"# 2026-W11\n\n# 2026-03-10\n\n"),
        ] {
            let bytes = project.bytes(node);
            let end = bytes.windows(6).position(|six| six == b"\n---\n\n").unwrap();
            let body = bytes[end + 6..].strip_prefix(above).unwrap();
            let shown = String::from_utf8_lossy(log);
            let with_end = [log, b"\n"].concat();
            assert!(body == log || (node != DAY && body == with_end), "{node} of {shown:?}");
            let status = format!("\nstatus: {status}\n");
            let head = &bytes[..end];
            assert!(
                head.windows(status.len()).any(|part| part == status.as_bytes()),
                "{node} of {shown:?}"
            );
        }
        assert_eq!(project.bytes("memory/2026-03-10.md"), log);
    }
}

#[test]
fn text_that_means_something_elsewhere_is_text() {
    let logs: &[&[u8]] = &[
        b"---\ntype: daily\nstatus: fixed\nperiod: 1999-01-01\nfingerprint: s:0000000000000000/b:0000000000000000\n---\n\nown head\n",
        b"---\nstatus: fixed\n---\n",
        b"---\n",
        b"---",
        b"\n---\nstatus: tentative\n",
        b"\n\n\nblank lines first\n",
        b"status: fixed\nstatus: needs-summarization\n",
        b"## needs-summarization [project]\n- status: needs-summarization\n",
        b"<!-- hipocampus:session x 0-10 -->\n## Session \xe2\x80\x94 2026\n<!-- hipocampus:end x 10 -->\n",
        b"<!-- hipocampus:start -->\n<!-- hipocampus:added -->\n<!-- hipocampus:root:end -->\n",
        b"$& $1 $` $' \\1 %s {} \\0\n",
        b"```\nnever closed\n## heading\n",
        b"a\r\nb\r\n## c [user]\r\n- d\r\n",
        b"\xef\xbb\xbf# bom\n",
        b"\xff\xfe\x80 not UTF-8 \xc3\x28\n",
        b"nul \x00 in the middle\n",
        b"nul at the end \x00\x00\x00",
        b"\x00",
        b" ",
        b"\n",
        b"no line end",
        b"# 2026-03-11\n\n---\ntype: daily\nstatus: fixed\n---\n\n# 2026-W12\n",
        b"This daily node exceeds 200 lines and needs LLM summarization.\nRun hipocampus-compaction skill to generate the summary.\n",
        b"This daily node stands for more than 200 lines. Until the hipocampus-compaction skill has summarised them, it is an extract.\n",
        b"(3 more in the sources)\n",
        "## 인증 [user]\n- 😀 \u{202e}rtl\u{2028}\u{85}\n".as_bytes(),
        b"\x1b[31mred\x1b[0m\x07\n",
    ];
    for log in logs {
        check_verbatim(log);
    }
}

#[test]
fn an_empty_log_makes_no_node() {
    let project = Project::with_logs([("2026-03-10", "")]);
    project.idle("2026-05-01");
    assert!(project.nodes().is_empty());
    project.write("memory/2026-03-10.md", "a");
    project.compact("2026-05-01");
    assert_eq!(project.nodes().len(), 3);
    for node in [DAY, WEEK, MONTH] {
        assert!(project.bytes(node).len() >= 50, "{node}");
    }
}

#[test]
fn a_line_of_five_megabytes_is_a_line() {
    let mut log = b"## Long line [project]\n- ".to_vec();
    log.resize(5_000_000, b'x');
    check_verbatim(&log);
    // Above the threshold it may not fill the extract.
    let mut day = log.clone();
    day.push(b'\n');
    day.extend_from_slice(entry("Many lines", 300).as_bytes());
    let project = Project::with_logs([("2026-03-10", day)]);
    project.compact("2026-05-01");
    let body = project.body(DAY);
    assert!(body.contains("Long line [project]") && body.contains("Many lines"), "{}", body.len());
    assert!(body.len() < 100_000, "{}", body.len());
}

#[test]
fn long_hostile_days_become_extracts_that_name_every_topic() {
    let filler = "- filler\n".repeat(220);
    for hostile in [
        "---\nstatus: fixed\n---\n",
        "```\nnever closed\n",
        "<!-- hipocampus:session x 0-10 -->\n",
        "\u{feff}",
        "This daily node exceeds 200 lines and needs LLM summarization.\n",
    ] {
        for end in ["\n", "\r\n"] {
            let log = format!(
                "{hostile}\n## First $& [project]\n- decision: $1\n{filler}\n## Second [user]\n- x\n"
            );
            let project = Project::with_logs([("2026-03-10", log.replace('\n', end))]);
            project.compact("2026-05-01");
            assert_eq!(project.status(DAY), "needs-summarization");
            for node in [DAY, WEEK, MONTH] {
                let body = project.body(node);
                assert!(body.contains("First $& [project], Second [user]"), "{hostile:?}: {body}");
                assert!(body.contains("- First $&: $1\n"), "{hostile:?}: {body}");
            }
            project.idle("2026-05-01");
        }
    }
}

/// Four times the text may be a little over four times the work; where each line looks at all others it is sixteen
/// times as much. What counts is the processor's time for this thread, which others on a busy machine do not add to.
fn check_linear(name: &str, make: impl Fn(usize) -> Project) {
    let so_far = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec * 1_000_000_000 + time.tv_nsec
    };
    let work = |n: usize| {
        let project = make(n);
        let before = so_far();
        project.compact("2026-05-01");
        so_far() - before
    };
    let (single, fourfold) = (work(10_000), work(40_000));
    assert!(fourfold < single * 8 + 10_000_000, "{name}: {single} ns, {fourfold} ns");
}

/// A log of a given size.
type Make = fn(usize) -> String;

#[test]
fn twice_the_text_takes_about_twice_the_time() {
    let many: [(&str, Make); 10] = [
        ("headings", |n| {
            (0..n).fold(String::new(), |text, n| text + &format!("## Topic {n} [project]\n- x\n"))
        }),
        ("untyped headings", |n| {
            (0..n).fold("## Topics\n".to_owned(), |text, n| text + &format!("## Area {n}\n- x\n"))
        }),
        ("equal headings", |n| "## Topic [user]\n- x\n".repeat(n)),
        ("fences", |n| "```\n".repeat(n)),
        ("opened fences", |n| "``` js\n".repeat(n)),
        ("growing fences", |n| (0..n / 100).map(|n| "`".repeat(n % 300 + 3) + "\n").collect()),
        ("brackets", |n| format!("## a{} [project]\n", "] ".repeat(n)) + &"- x\n".repeat(300)),
        ("separators", |n| "# 2026-03-09\n---\ntype: x\n".repeat(n)),
        ("turns", |n| "## Session 1\n\nUser: what. is. it?\nAssistant: that.\n".repeat(n)),
        ("bullets", |n| "## A\n".to_owned() + &"- decision:\n  - one\n- [ ] two\n".repeat(n)),
    ];
    for (name, make) in many {
        check_linear(name, |n| Project::with_logs([("2026-03-10", make(n))]));
    }
}

#[test]
fn a_hundred_thousand_headings() {
    let log =
        (0..100_000).fold(String::new(), |text, n| text + &format!("## Topic {n} [project]\n"));
    let project = Project::with_logs([("2026-03-10", log)]);
    project.compact("2026-05-01");
    for node in [DAY, WEEK, MONTH] {
        let body = project.body(node);
        assert!(
            body.contains("Topic 0 [project]") && body.contains("Topic 99999 [project]"),
            "{node}"
        );
        // All topics are there, wrapped, and hardly anything else.
        let topics = body.lines().filter(|line| line.starts_with("Topic ")).count();
        assert!(topics > 5_000 && body.lines().count() < topics + 20);
    }
    project.idle("2026-05-01");
}

#[test]
fn an_npm_node_over_a_hostile_log_takes_no_longer() {
    check_linear("foreign lines", |n| {
        let project = Project::with_logs([("2026-03-10", "- a\n".repeat(n) + "- b\n")]);
        let node = format!("---\ntype: daily\nstatus: fixed\n---\n\n{}", "- a\n- c\n".repeat(n));
        project.write(DAY, node);
        project
    });
    check_linear("copied headings", |n| {
        let project = Project::with_logs([("2026-03-10", "- a\n")]);
        let copy = "# 2026-03-10\n\n---\ntype: daily\n---\n\n- a\n".repeat(n);
        project.write(WEEK, format!("---\ntype: weekly\nstatus: fixed\n---\n\n{copy}- mine\n"));
        project
    });
}

#[test]
fn file_names_cannot_drive_a_terminal() {
    let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
    for name in [
        "2026-03-10\n.md",
        "2026-03-11\x1b[31m.md",
        "2026-03-12 .md",
        "２０26-03-12.md",
        "2026-03-12.MD",
    ] {
        project.write(&format!("memory/{name}"), "## Not a log\n");
    }
    project.write("memory/weekly/2026-W\x1b[31m.md", "mine\n");
    let odd = project.path("memory").join(std::ffi::OsStr::from_bytes(b"2026-03-1\xff.md"));
    fs::write(&odd, "bytes").unwrap();
    for command in ["compact", "status"] {
        let output = project.run([command]).today("2026-05-01").output();
        assert_eq!(output.exit, Exit::Done, "{output:?}");
        assert!(!output.out.contains('\x1b') && !output.err.contains('\x1b'), "{output:?}");
    }
    let names: Vec<_> = project.nodes().into_keys().filter(|name| !name.contains('\x1b')).collect();
    assert_eq!(names, ["daily/2026-03-10.md", "monthly/2026-03.md", "weekly/2026-W11.md"]);
    assert!(odd.exists());
}

#[test]
fn npm_did_not_read_the_logs_that_openclaw_names_by_the_hour() {
    let project = Project::with_logs([
        ("2026-03-10-2359", "## Night [project]\n"),
        ("2026-03-10-0930", "## Morning [project]"),
        ("2026-03-10", "## Day [project]\n"),
        ("2026-03-10-0000", ""),
    ]);
    project.compact("2026-03-10");
    let body = project.body(DAY);
    let at = |topic| body.find(topic).unwrap_or_else(|| panic!("{body}"));
    assert!(at("Morning") < at("Night") && at("Night") < at("Day"), "{body}");
    assert!(body.contains("## Morning [project]\n"), "{body}");
    assert_eq!(project.head(DAY, "lines").as_deref(), Some("4"));
    project.append("memory/2026-03-10-0930.md", "\n- more\n");
    project.compact("2026-03-10");
    assert!(project.body(MONTH).contains("- more\n"));
}

#[test]
fn links_inside_the_memory_are_never_followed() {
    let outside = crate::support::scratch();
    fs::write(outside.path().join("secret.md"), "## Secret [project]\n").unwrap();
    for (link, target) in [
        ("memory/weekly", outside.path().to_path_buf()),
        ("memory/daily", outside.path().to_path_buf()),
        ("memory/2026-03-11.md", outside.path().join("secret.md")),
        ("memory/.hipocampus.cache", outside.path().join("cache")),
        ("memory/.hipocampus.lock", outside.path().join("lock")),
    ] {
        let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
        symlink(&target, project.path(link)).unwrap();
        project.run(["compact"]).today("2026-05-01").output();
        let names: Vec<_> =
            fs::read_dir(outside.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["secret.md"], "{link}");
        assert!(fs::symlink_metadata(project.path(link)).is_ok(), "{link}");
        let leaked =
            project.nodes().values().any(|node| node.windows(6).any(|part| part == b"Secret"));
        assert!(!leaked, "{link}");
    }
}

#[test]
fn a_memory_that_the_user_linked_is_the_memory() {
    let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
    fs::rename(project.path("memory"), project.path("elsewhere")).unwrap();
    symlink(project.path("elsewhere"), project.path("memory")).unwrap();
    project.compact("2026-05-01");
    assert!(project.has("elsewhere/weekly/2026-W11.md"));
    project.idle("2026-05-01");
}

#[test]
fn something_else_in_the_place_of_a_folder_is_an_error_and_stays() {
    for place in ["memory/daily", "memory/weekly", "memory/monthly"] {
        let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
        project.write(place, "a file\n");
        let output = project.run(["compact"]).today("2026-05-01").output();
        assert_eq!((output.exit, &*output.out), (Exit::Problem, ""), "{place}");
        assert!(output.err.starts_with("error: ") && output.err.contains("\nhint: "), "{output:?}");
        assert!(output.err.contains(place), "{output:?}");
        assert_eq!(project.text(place), "a file\n");
    }
    let project = Project::new();
    project.remove("memory");
    project.write("memory", "a file\n");
    let output = project.run(["compact"]).today("2026-05-01").output();
    assert_eq!(output.exit, Exit::Problem);
    assert!(output.err.starts_with("error: cannot open the folder"), "{output:?}");
    assert_eq!(project.text("memory"), "a file\n");
}

#[test]
fn pipes_under_our_own_names_do_not_hang_a_run() {
    let names = [
        "2026-03-11.md",
        "ROOT.md",
        ".hipocampus.cache",
        "daily/2026-03-10.md",
        "weekly/NaN-WNaN.md",
    ];
    for name in names {
        let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
        for level in ["daily", "weekly", "monthly"] {
            fs::create_dir(project.path("memory").join(level)).unwrap();
        }
        let pipe = project.path("memory").join(name);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        project.run(["compact"]).today("2026-05-01").output();
        project.run(["compact", "--full"]).today("2026-05-02").output();
        assert!(project.has("memory/daily/2026-03-10.md"), "{name}");
    }
}

#[test]
fn in_a_shared_memory_a_private_log_has_private_nodes() {
    let project =
        Project::with_logs([("2026-03-10", entry("A", 5)), ("2026-05-10", entry("B", 5))]);
    project.write("hipocampus.config.json", "{\"share\": true}\n");
    let secret = project.path("memory/2026-03-10.md");
    fs::set_permissions(&secret, Permissions::from_mode(0o600)).unwrap();
    project.compact("2026-05-11");
    let mode = |path: &str| fs::metadata(project.path(path)).unwrap().mode() & 0o077;
    for node in [DAY, WEEK, MONTH] {
        assert_eq!(mode(node), 0, "{node}");
    }
    assert_eq!(mode("memory/daily/2026-05-10.md"), mode("memory/2026-05-10.md"));
}

#[test]
fn a_rewrite_keeps_a_mode_as_far_as_it_keeps_others_out() {
    for (config, expect) in [("{}", 0o600), ("{\"share\": true}", 0o640)] {
        let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
        project.write("hipocampus.config.json", config);
        project.compact("2026-03-10");
        fs::set_permissions(project.path(DAY), Permissions::from_mode(0o640)).unwrap();
        project.append("memory/2026-03-10.md", "more\n");
        project.compact("2026-03-10");
        assert!(project.body(DAY).contains("more"));
        assert_eq!(fs::metadata(project.path(DAY)).unwrap().mode() & 0o777, expect);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_the_run_ends_there() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.write("memory/2026-03-10.md", entry("A", 5));
    assert_eq!(nobody.run(&["compact"]).code, Some(0));
    let before = nobody.text(WEEK);
    nobody.write("memory/2026-03-10.md", entry("A", 6));
    nobody.mode("memory/weekly", 0o500);
    let ran = nobody.run(&["compact"]);
    nobody.mode("memory/weekly", 0o700);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{}", ran.err);
    assert!(ran.err.contains("memory/weekly/2026-W11.md"), "{}", ran.err);
    assert!(ran.err.contains("hint: "), "{}", ran.err);
    assert_eq!(before, nobody.text(WEEK));
    assert_eq!(nobody.run(&["compact"]).code, Some(0));
    assert!(nobody.text(MONTH).contains("point 5"));
}

#[test]
fn temporary_files_of_killed_runs_are_swept_and_those_of_others_stay() {
    let project = Project::with_logs([("2026-03-10", entry("A", 5))]);
    project.compact("2026-03-10");
    let clean = project.nodes();
    for name in ["daily/.2026-03-10.md.1-0.hipocampus-tmp", ".ROOT.md.9-9.hipocampus-tmp"] {
        project.write(&format!("memory/{name}"), "half");
    }
    project.write("memory/daily/.someone.tmp", "theirs");
    project.compact("2026-03-10");
    assert_eq!(project.text("memory/daily/.someone.tmp"), "theirs");
    project.remove("memory/daily/.someone.tmp");
    assert_same(&clean, &project.nodes());
    assert!(!project.has("memory/.ROOT.md.9-9.hipocampus-tmp"));
}

#[test]
fn a_byte_order_mark_within_a_text_hides_no_topic() {
    for (below, level) in [("", false), ("```\ncode\n```\n", true)] {
        let log = |topic: &str| {
            format!("\u{feff}## Topic {topic} [project]\n- decision: {topic}\n{below}")
        };
        let project =
            Project::with_logs([("2026-03-10-0900", log("A")), ("2026-03-10-1000", log("B"))]);
        project.compact("2026-03-10");
        for node in ["2026-03-10", "2026-W11", "2026-03"] {
            let topics = project.head(&Project::node(node), "topics").unwrap();
            assert_eq!(topics, "Topic A [project], Topic B [project]", "{node}, code: {level}");
        }
    }
}

#[test]
fn numbers_of_others_in_the_state_file_keep_their_digits() {
    let project = Project::with_logs([("2026-03-10", "## A [project]\n- a\n")]);
    let theirs = r#""n": 12345678901234567890123,
  "f": 1.10"#;
    project.write("memory/.compaction-state.json", format!("{{\n  {theirs}\n}}\n"));
    project.compact("2026-03-10");
    let state = project.text("memory/.compaction-state.json");
    assert!(state.contains(theirs) && state.contains("rawLinesSinceLastCompaction"), "{state}");
    project.idle("2026-03-10");
}
