//! `show`: a period, a session, the log around a line, and nothing outside the memory.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;

use hipocampus::Exit;
use hipocampus::internals::tokens;

use crate::support::{Output, Project, entry};

const TODAY: &str = "2026-04-10";

const TALKS: &str = "\
<!-- hipocampus:session 4f1c2d7e-aaaa 0-90 -->
## Session — 2026-04-09 09:15:00 — the login redirect

**User:** why does the login fail
<!-- hipocampus:end 4f1c2d7e-aaaa 90 -->
<!-- hipocampus:session 4f9900aa-bbbb 0-70 -->
## Session — 2026-04-09 16:40:00 — page tables

**User:** where do the page tables come from

**Assistant:** from the service office
<!-- hipocampus:end 4f9900aa-bbbb 70 -->
";

fn project() -> Project {
    Project::with_logs([
        (
            "2026-03-04",
            "## Queue search [project]\n- decision: a stay is a date range\n".to_owned(),
        ),
        ("2026-04-09", TALKS.to_owned()),
        ("2026-04-10", "## Today [project]\n- outcome: \u{1b}[31mred\u{9b}0m\n".to_owned()),
    ])
}

fn show<const N: usize>(project: &Project, args: [&str; N]) -> Output {
    args.iter().fold(project.run(["show"]).today(TODAY), crate::support::Run::arg).output()
}

#[track_caller]
fn shows<const N: usize>(project: &Project, args: [&str; N], expect: &[&str], absent: &[&str]) {
    let output = show(project, args);
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{args:?}");
    for text in expect {
        assert!(output.out.contains(text), "{args:?}: no `{text}` in {}", output.out);
    }
    for text in absent {
        assert!(!output.out.contains(text), "{args:?}: `{text}` in {}", output.out);
    }
}

#[test]
fn periods_days_and_sessions_are_shown() {
    let project = project();
    project.run(["compact"]).today(TODAY).output();
    shows(
        &project,
        ["2026-03-04"],
        &["memory/daily/2026-03-04.md:", "a stay is a date range"],
        &["fingerprint"],
    );
    shows(
        &project,
        ["2026-03-04", "--raw"],
        &["memory/2026-03-04.md:1\n## Queue search [project]"],
        &[],
    );
    shows(&project, ["today"], &["memory/2026-04-10.md:1", "## Today"], &[]);
    shows(&project, ["yesterday"], &["page tables", "login redirect"], &["Queue"]);
    shows(&project, ["2026-W10"], &["memory/weekly/2026-W10.md:", "a stay is a date range"], &[]);
    shows(&project, ["2026-03"], &["memory/monthly/2026-03.md:", "a stay is a date range"], &[]);
    shows(&project, ["week"], &["memory/weekly/2026-W15.md:"], &["Queue"]);
    shows(&project, ["month"], &["2026-04.md:"], &["Queue"]);
    shows(&project, ["last", "month"], &["a stay is a date range"], &["page"]);
    shows(&project, ["root"], &["memory/ROOT.md:", "Topics Index"], &[]);
    shows(&project, ["4f99"], &["service office"], &["why does the login fail", "<!--"]);
    shows(
        &project,
        ["4f1c2d7e-aaaa", "--raw"],
        &["why does the login fail", "<!-- hipocampus:"],
        &["service"],
    );
}

#[test]
fn last_is_the_latest_session() {
    let project = project();
    project.remove("memory/2026-04-10.md");
    shows(&project, ["last"], &["page tables", "service office"], &["login"]);
    shows(&project, [], &["page tables"], &["login"]);
    shows(&self::project(), ["last"], &["## Today"], &["page"]);
}

/// Two agents at work at once: the latest session is shown whole, without the one between its parts.
#[test]
fn last_is_all_of_a_session_that_another_one_interrupted() {
    let part = |session: &str, time: &str, title: &str, words: &str| {
        format!(
            "<!-- hipocampus:session {session} 0-9 -->\n## Session — 2026-04-09 {time} — {title}\n\n\
             **User:** {words}\n<!-- hipocampus:end {session} 9 -->\n\n"
        )
    };
    let log = [
        part("a", "08:00:00", "go on", "where does the timer stand"),
        part("b", "08:10:00", "page tables", "who prints the tables"),
        part("a", "08:20:00", "the timer", "and where the chain"),
    ];
    let project = Project::with_logs([("2026-04-09", log.concat())]);
    shows(&project, ["last"], &["where does the timer stand", "and where the chain"], &["tables"]);
}

#[test]
fn a_line_comes_with_its_session_around_it() {
    let project = project();
    shows(&project, ["memory/2026-04-09.md:11"], &["service office"], &["login"]);
    let absolute = format!("{}:4", project.path("memory/2026-04-09.md").display());
    shows(&project, [&absolute], &["why does the login fail"], &["page"]);
    for line in ["0", "99"] {
        let output = show(&project, [&format!("memory/2026-04-09.md:{line}")]);
        assert_eq!(output.exit, Exit::Problem);
        assert!(output.err.contains("`memory/2026-04-09.md` has 12 lines"), "{}", output.err);
    }
}

#[test]
fn a_line_near_the_end_of_a_long_session_comes_with_what_leads_to_it() {
    let lines: String = (0..200).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "- step {n} of the long way to the service office");
        text
    });
    let talk = TALKS.replace("from the service office", &format!("so:\n{lines}- the end"));
    let project = Project::with_logs([("2026-04-09", talk)]);
    // Where little follows there is room for what is before, and as much on both sides elsewhere.
    let place = |n: usize| format!("memory/2026-04-09.md:{}", 12 + n);
    shows(&project, [&place(199)], &["step 180 ", "step 199 ", "the end"], &["step 100 "]);
    shows(&project, [&place(100)], &["step 92 ", "step 100 ", "step 108 "], &["step 60 "]);
    shows(&project, [&format!("{}-", place(100))], &["step 100 ", "step 130 "], &["step 99 "]);
}

#[test]
fn what_is_cut_is_said_and_can_be_asked_for() {
    let project = Project::with_logs([("2026-04-09", entry("Long", 900))]);
    let output = show(&project, ["2026-04-09"]);
    let lines = output.out.lines().count();
    assert!(lines < 90 && tokens::count(&output.out) < 1600, "{lines} lines");
    let last = output.out.lines().last().unwrap();
    assert!(
        last.starts_with('[') && last.contains("more lines: `hipocampus show memory/"),
        "{last}"
    );
    // What it names goes on where it stopped.
    let next = last.split('`').nth(1).unwrap().strip_prefix("hipocampus show ").unwrap();
    let shown = output.out.lines().nth(lines - 2).unwrap();
    let more = show(&project, [next]).out;
    let number = |line: &str| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap();
    assert!(more.contains(&format!("point {}\n", number(shown) + 1)), "{shown}\n{more}");
    shows(&project, ["2026-04-09", "--lines", "2000"], &["point 899"], &["more line"]);
    let line = "word ".repeat(400_000);
    let project = Project::with_logs([("2026-04-09", format!("## Wide [project]\n{line}\nend\n"))]);
    let output = show(&project, ["2026-04-09"]);
    assert!(
        output.out.len() < 8000 && output.out.contains("more characters]"),
        "{}",
        output.out.len()
    );
}

#[test]
fn a_line_of_an_exchange_comes_with_what_the_person_says_next() {
    let mut log = String::from(
        "<!-- hipocampus:session 4f 0-90 -->\n## Session — 2026-04-09 09:15:00 — walls\n\n**User:** which walls are left\n\n**Assistant:** These walls:\n",
    );
    for n in 0..120 {
        let _ = writeln!(
            log,
            "wall number {n} of the harbour stands and has been painted twice this year"
        );
    }
    log.push_str("\n**User:** leave the last wall alone\n\n**Assistant:** It stays.\n<!-- hipocampus:end 4f 90 -->\n");
    let project = Project::with_logs([("2026-04-09", log)]);
    let out = show(&project, ["memory/2026-04-09.md:40"]).out;
    for part in ["which walls are left", "wall number 33 ", "leave the last wall alone"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("It stays") && tokens::count(&out) < 800, "{out}");
    let out = show(&project, ["memory/2026-04-09.md:8-10"]).out;
    let walls: Vec<&str> = out.lines().filter(|line| line.starts_with("wall number")).collect();
    assert_eq!(walls.len(), 3, "{out}");
    assert!(walls[0].starts_with("wall number 1 "), "{out}");
}

#[test]
fn nothing_outside_the_memory_is_shown() {
    let project = project();
    project.write("secret.md", "the parser");
    project.write("knowledge/pages.md", "# Pages\nthe service office\n");
    shows(&project, ["knowledge/pages.md"], &["service office"], &[]);
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "the parser").unwrap();
    symlink(outside.path().join("secret.md"), project.path("memory/link.md")).unwrap();
    symlink(outside.path(), project.path("plans")).unwrap();
    let absolute = outside.path().join("secret.md");
    for path in [
        "secret.md",
        "./secret.md",
        "../p/secret.md",
        "memory/../secret.md",
        "knowledge/../secret.md:1",
        "memory/link.md",
        "plans/secret.md",
        "/etc/passwd",
        "memory//etc/passwd",
        absolute.to_str().unwrap(),
        "hipocampus.config.json",
        "memory/.hipocampus.cache",
        ".git/config",
    ] {
        let output = show(&project, [path]);
        assert_ne!(output.exit, Exit::Done, "{path}");
        assert_eq!(output.out, "", "{path}");
        assert!(output.err.starts_with("error: "), "{path}: {}", output.err);
        assert!(!output.err.contains("parser"), "{path}");
    }
}

#[test]
fn escapes_reach_no_terminal() {
    let output = show(&project(), ["today"]);
    assert!(
        output.out.contains("red") && output.out.chars().all(|c| c == '\n' || !c.is_control()),
        "{:?}",
        output.out
    );
}

#[test]
fn what_is_not_known_is_an_answer() {
    let project = project();
    let told = |what: &str, expect: &str| {
        let output = show(&project, [what]);
        assert_ne!(output.exit, Exit::Done, "{what}");
        assert!(output.err.contains(expect), "{what}: {}", output.err);
    };
    told("2026-03-20", "nothing is known of 2026-03-20");
    told("2026-03-20", "hint: the nearest day with a log is 2026-03-04");
    told("2019", "nothing is known of 2019-01-01 to 2019-12-31");
    told("elephant", "no day, week, month, session or path");
    told("4f", "no day, week, month, session or path");
    told("2026-02-30", "no day, week, month, session or path");
    told("memory/2026-03-05.md", "memory/2026-03-05.md");
    let mut both = project.text("memory/2026-04-09.md");
    let _ = write!(
        both,
        "<!-- hipocampus:session 4f99ffff 0-1 -->\nx\n<!-- hipocampus:end 4f99ffff 1 -->\n"
    );
    project.write("memory/2026-04-09.md", both);
    told("4f99", "`4f99` begins 2 sessions");
    let output = show(&Project::new(), ["last"]);
    assert!(output.err.contains("there are no logs yet"), "{}", output.err);
}
