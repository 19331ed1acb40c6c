//! `search`: what is found, what is printed, what is refused.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use hipocampus::Exit;
use hipocampus::internals::tokens;

use crate::nobody::Nobody;
use crate::support::{Output, Project};

const TODAY: &str = "2026-04-10";

const TALK: &str = "\
<!-- hipocampus:session 4f1c2d7e 0-900 -->
## Session — 2026-03-04 09:15:00 — the login redirect

**User:** Why does `getUserName` fail on the staging server?

**Assistant:** Let me look at the logs:
The cookie was dropped because its path was wrong. I changed `session_path` in src/login/redirect.rs.
[tools: Bash ×3, Edit]
[files: src/login/redirect.rs]
[commit: keep the cookie through the redirect]
<!-- hipocampus:end 4f1c2d7e 900 -->
";

const ENTRIES: &str = "\
# 2026-03-09

## Queue search [project]
- decision: a stay is a date range with an exclusion constraint
- outcome: double bookings are impossible now

## Mara's working hours [user]
- Mara starts at seven and is not to be called after four

## Commit messages [feedback]
- rule: imperative subject, the body tells why

```
## not a heading [user]
```
";

fn project() -> Project {
    Project::with_logs([
        ("2026-03-04", TALK),
        ("2026-03-09", ENTRIES),
        ("2026-04-01", "## 배포 일정 [project]\n- 결정: 배포는 매주 화요일로 정했다\n"),
        ("2026-04-02", "## Оплата [project]\n- перевод отменён банком, платёж переведён вручную\n"),
    ])
}

fn search<const N: usize>(project: &Project, args: [&str; N]) -> Output {
    args.iter().fold(project.run(["search"]).today(TODAY), crate::support::Run::arg).output()
}

/// The first place that is printed, as `path:line`.
fn first(output: &Output) -> String {
    let line = output.out.lines().next().unwrap_or_default();
    line.split("  ").find(|part| part.contains(".md:")).unwrap_or_default().to_owned()
}

#[track_caller]
fn finds<const N: usize>(project: &Project, args: [&str; N], place: &str) -> Output {
    let output = search(project, args);
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""), "{args:?}");
    assert_eq!(first(&output), place, "{args:?}: {}", output.out);
    output
}

#[track_caller]
fn misses<const N: usize>(project: &Project, args: [&str; N]) -> Output {
    let output = search(project, args);
    assert_eq!((output.exit, &*output.out), (Exit::Problem, ""), "{args:?}");
    assert!(output.err.starts_with("nothing found for `"), "{args:?}: {}", output.err);
    output
}

#[test]
fn a_question_leads_to_the_sentence_that_answers() {
    let output =
        finds(&project(), ["why was the cookie lost on staging"], "memory/2026-03-04.md:7");
    let mut lines = output.out.lines();
    assert_eq!(
        lines.next(),
        Some("memory/2026-03-04.md:7  the login redirect  4f1c2d7e"),
        "{}",
        output.out
    );
    assert_eq!(lines.next(), Some("  Why does getUserName fail on the staging server?"));
    assert!(output.out.contains("\n  The cookie was dropped because its path was wrong\n"));
    assert!(!output.out.contains("hipocampus:session"), "{}", output.out);
}

#[test]
fn each_bullet_has_a_line_of_its_own() {
    let project = Project::with_logs([(
        "2026-03-05",
        "## Cache [project]\n- work done: measured the cache\n- decision: the cache stays on disk\n\
         - outcome: a cold start reads the cache in 4 ms\n",
    )]);
    let output = search(&project, ["cache"]);
    for line in ["measured the cache", "the cache stays on disk", "reads the cache in 4 ms"] {
        assert!(output.out.lines().any(|found| found.ends_with(line)), "{line}: {}", output.out);
    }
}

#[test]
fn what_has_no_date_in_its_path_is_printed_with_one() {
    let project = project();
    fs::create_dir_all(project.path("knowledge")).unwrap();
    fs::write(project.path("knowledge/pages.md"), "# Pages\n\nThe gauge is read hourly.\n")
        .unwrap();
    let output = search(&project, ["gauge read hourly"]);
    let line = output.out.lines().next().unwrap();
    let (date, rest) = line.split_once("  ").unwrap();
    assert!(date.parse::<chrono::NaiveDate>().is_ok(), "{line}");
    assert_eq!(rest, "knowledge/pages.md:3  Pages");
}

/// Two agents at work at once: what is in the first part is called like all of the session.
#[test]
fn a_part_of_an_interrupted_session_has_the_title_of_all_of_it() {
    let part = |session: &str, time: &str, title: &str, words: &str| {
        format!(
            "<!-- hipocampus:session {session} 0-9 -->\n## Session — 2026-04-09 {time}{title}\n\n\
             {words}\n<!-- hipocampus:end {session} 9 -->\n\n"
        )
    };
    let log = [
        part("a", "08:00:00", " — go on", "**User:** where does the timer stand"),
        part("b", "08:10:00", "", "**User:** who prints the page tables"),
        part("a", "08:20:00", " — the timer in the service", "**User:** and where the chain"),
        part("b", "08:30:00", "", "**Title:** tables of the year\n\n**User:** print them"),
    ];
    let project = Project::with_logs([("2026-04-09", log.concat())]);
    let named = |words: &str, title: &str| {
        let output = search(&project, [words]);
        let place = output.out.lines().next().unwrap_or_default().to_owned();
        assert!(place.contains(&format!("{title}  ")), "{}", output.out);
    };
    named("where does it stand", "  the timer in the service");
    named("chain", "  the timer in the service");
    named("prints", "  tables of the year");
}

#[test]
fn words_are_found_in_their_forms() {
    let project = project();
    for question in ["bookings", "booked doubly", "DOUBLE BOOKING", "double-booking"] {
        finds(&project, [question], "memory/2026-03-09.md:5");
    }
    finds(&project, ["user name"], "memory/2026-03-04.md:4");
    finds(&project, ["redirect.rs"], "memory/2026-03-04.md:7");
    finds(&project, ["SESSION_PATH"], "memory/2026-03-04.md:7");
    finds(&project, ["배포를"], "memory/2026-04-01.md:2");
    finds(&project, ["화요일"], "memory/2026-04-01.md:2");
    for question in ["кто отменил перевод?", "отменены", "вручную переведены"]
    {
        finds(&project, [question], "memory/2026-04-02.md:2");
    }
    finds(&project, ["what did Mara say about calls"], "memory/2026-03-09.md:8");
}

#[test]
fn quotes_have_to_stand_there_and_minus_must_not() {
    let project = project();
    finds(&project, ["\"exclusion constraint\""], "memory/2026-03-09.md:4");
    finds(&project, ["subject", "-queue"], "memory/2026-03-09.md:11");
    misses(&project, ["cookie", "-staging"]);
    misses(&project, ["-staging", "cookie", "--limit", "3"]);
    let output = search(&project, ["\"constraint exclusion\" date range"]);
    assert_eq!(output.exit, Exit::Done);
    assert!(output.err.contains("no place has the quoted text"), "{}", output.err);
    assert_eq!(first(&output), "memory/2026-03-09.md:4");
}

#[test]
fn days_narrow_it() {
    let project = project();
    finds(&project, ["cookie", "--in", "2026-03"], "memory/2026-03-04.md:7");
    finds(&project, ["--in", "last month", "cookie"], "memory/2026-03-04.md:7");
    finds(
        &project,
        ["cookie", "--since", "2026-03-04", "--until", "2026-W10"],
        "memory/2026-03-04.md:7",
    );
    misses(&project, ["cookie", "--in", "2026-04"]);
    misses(&project, ["cookie", "--since", "2026-03-05"]);
    misses(&project, ["cookie", "--until", "2026-03-03"]);
    let output = search(&project, ["cookie", "--in", "soon"]);
    assert_eq!(output.exit, Exit::Usage);
    assert!(output.err.contains("names no day, week, month or year"), "{}", output.err);
}

#[test]
fn a_day_in_the_question_counts() {
    let logs = ["2026-02-03", "2026-03-10", "2026-04-07"].map(|day| {
        (day, format!("## Deploy [project]\n- outcome: the deploy of {day} went well\n"))
    });
    let project = Project::with_logs(logs);
    finds(&project, ["the deploy in march"], "memory/2026-03-10.md:2");
    finds(&project, ["지난달 deploy"], "memory/2026-03-10.md:2");
    finds(&project, ["deploy this week"], "memory/2026-04-07.md:2");
    finds(&project, ["deploy im Februar"], "memory/2026-02-03.md:2");
    finds(&project, ["deploy 2026-02-03"], "memory/2026-02-03.md:2");
}

#[test]
fn type_and_speaker_narrow_it() {
    let project = project();
    finds(&project, ["rule subject", "--type", "feedback"], "memory/2026-03-09.md:11");
    misses(&project, ["rule subject", "--type", "user"]);
    misses(&project, ["heading", "--type", "user"]);
    finds(&project, ["staging", "--by", "user"], "memory/2026-03-04.md:4");
    misses(&project, ["cookie path", "--by", "user"]);
    finds(&project, ["cookie path", "--by", "agent"], "memory/2026-03-04.md:7");
}

#[test]
fn json_has_the_six_keys_and_no_escapes() {
    let project = Project::with_logs([(
        "2026-03-04",
        "## Odd \u{1b}[31mtitle\u{9b}2J [project]\n- the cookie \u{1b}]0;pwned\u{7} \u{202e}dropped\u{9b}1m\n",
    )]);
    let output = search(&project, ["cookie", "--json"]);
    assert!(output.out.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", output.out);
    assert!(!output.out.contains('\u{202e}'));
    let rows: serde_json::Value = serde_json::from_str(&output.out).unwrap();
    let row = &rows.as_array().unwrap()[0];
    let keys: Vec<_> = row.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["date", "path", "line", "title", "excerpt", "score"]);
    assert_eq!((&row["date"], &row["line"]), (&"2026-03-04".into(), &2.into()));
    assert!(row["score"].as_f64().unwrap() > 0.0);
    let plain = search(&project, ["cookie"]);
    assert!(plain.out.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", plain.out);
    let none = search(&project, ["elephant", "--json"]);
    assert_eq!((none.exit, none.out.trim()), (Exit::Problem, "[]"));
}

#[test]
fn five_places_cost_at_most_800_tokens() {
    for words in [
        "the cookie was dropped by the gateway, since its path was wrong; ",
        "`/srv/app-7/x_1/getUserName.rs:120` cookie == 0x7f \\ {\"a\": [1, 2, 3]} 99 ",
        "쿠키가 게이트웨이에서 사라졌다 cookie 경로가 틀렸기 때문이다. ",
        "cookie饼干在网关中丢失了，因为路径错误。",
    ] {
        let logs = (1..=9).map(|day| {
            let mut log = String::new();
            for entry in 1..9 {
                let _ = writeln!(
                    log,
                    "## Topic {} number {entry} [project]\n- {}",
                    words.repeat(3),
                    words.repeat(40)
                );
            }
            (format!("2026-03-0{day}"), log)
        });
        let output = search(&Project::with_logs(logs), ["cookie dropped path"]);
        let places = output.out.lines().filter(|line| line.starts_with("memory/")).count();
        let cost = tokens::count(&output.out);
        assert_eq!(places, 5, "{}", output.out);
        assert!(cost <= 800, "{cost} tokens:\n{}", output.out);
    }
}

#[test]
fn nothing_found_names_what_is_spelt_alike() {
    let project = project();
    assert!(misses(&project, ["coockie"]).err.contains("near in spelling: cookie"));
    assert!(misses(&project, ["zzyzx"]).err.contains("hint: try fewer or other words"));
    let empty = misses(&Project::new(), ["cookie"]);
    assert!(empty.err.contains("there are no logs yet"), "{}", empty.err);
    let output = search(&project, ["the of and"]);
    assert_eq!(output.exit, Exit::Usage);
    assert!(output.err.contains("nothing in the question can be looked for"), "{}", output.err);
}

#[test]
fn what_the_redaction_hid_is_no_word() {
    let project = Project::with_logs([(
        "2026-03-04",
        "## Keys [project]\n- the key is [REDACTED:aws-access-key] and was rotated\n",
    )]);
    misses(&project, ["aws"]);
    misses(&project, ["redacted"]);
    finds(&project, ["rotated"], "memory/2026-03-04.md:2");
}

#[test]
fn text_of_models_and_people_is_found_and_copies_are_not() {
    let project = project();
    project.write(
        "knowledge/pages.md",
        "# Pages\n\nThe service office publishes the tables in December.\n",
    );
    project
        .write("plans/next/billing.md", "# Plan\n\n## Invoices\n\nOne invoice a month, in euro.\n");
    project.run(["compact"]).today(TODAY).output();
    let node = project.text("memory/daily/2026-03-09.md");
    let node =
        node.replace("- rule: imperative", "- The dispatcher was painted.\n- rule: imperative");
    project.write("memory/daily/2026-03-09.md", node);
    finds(&project, ["service office"], "knowledge/pages.md:3");
    finds(&project, ["invoices"], "plans/next/billing.md:5");
    let output = search(&project, ["dispatcher painted"]);
    assert!(first(&output).starts_with("memory/daily/2026-03-09.md:"), "{}", output.out);
    let output = search(&project, ["exclusion constraint double bookings"]);
    let places = output.out.lines().filter(|line| line.starts_with("memory/")).count();
    assert_eq!((places, &*first(&output)), (1, "memory/2026-03-09.md:4"), "{}", output.out);
}

#[test]
fn links_are_not_followed() {
    let project = project();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.md"), "the parser").unwrap();
    fs::create_dir(project.path("knowledge")).unwrap();
    symlink(outside.path().join("secret.md"), project.path("knowledge/a.md")).unwrap();
    symlink(outside.path(), project.path("plans")).unwrap();
    symlink(outside.path().join("secret.md"), project.path("memory/2026-03-11.md")).unwrap();
    let output = search(&project, ["parser"]);
    assert_eq!((output.exit, &*output.out), (Exit::Problem, ""));
}

#[test]
fn a_log_that_cannot_be_read_is_named_and_the_rest_is_searched() {
    let Some(nobody) = Nobody::new() else { return };
    nobody.write("memory/2026-03-04.md", TALK);
    nobody.write("memory/2026-03-09.md", ENTRIES);
    nobody.mode("memory/2026-03-09.md", 0o000);
    let ran = nobody.run(&["search", "cookie"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("memory/2026-03-04.md:7"), "{}", ran.out);
    assert!(ran.err.contains("`memory/2026-03-09.md` was not searched: "), "{}", ran.err);
    fs::set_permissions(nobody.path("memory/2026-03-09.md"), Permissions::from_mode(0o600))
        .unwrap();
}

#[test]
fn hostile_questions_get_an_answer() {
    let project = project();
    let long = "cookie ".repeat(1_400_000);
    let output = search(&project, [&long]);
    assert_eq!((output.exit, &*first(&output)), (Exit::Done, "memory/2026-03-04.md:7"));
    assert!(output.err.contains("only its beginning was looked for"), "{}", output.err);
    let different: String = (0..200_000).fold(String::new(), |mut text, number| {
        let _ = write!(text, "word{number} ");
        text
    });
    for question in [
        different.as_str(),
        ".*",
        "(((((",
        "[a-z]+$^|\\",
        "\0\0cookie\0",
        "%n%s",
        "\"",
        "\"\"",
        "\"\"\"cookie",
        "'; drop table",
        "*",
        "?",
        "\u{1b}[31mcookie",
        "кто ошибка",
        "שלום עולם",
        "مرحبا بالعالم",
        "สวัสดี",
        "नमस्ते",
        "Γειά",
        "🙂",
        "ﬁ",
        "İstanbul",
        "e\u{301}",
        "\u{202e}cookie",
        "𝕔𝕠𝕠𝕜𝕚𝕖",
        "\u{feff}cookie",
        "cookie?!?!",
    ] {
        let output = search(&project, ["--", question]);
        assert!(
            output.err.chars().all(|c| c == '\n' || !c.is_control()),
            "{question:?}: {:?}",
            output.err
        );
        let told = matches!(output.exit, Exit::Done) || !output.err.is_empty();
        assert!(told, "{question:?} got no answer");
        assert!(output.err.len() < 1000, "{question:?}: {} bytes of talk", output.err.len());
    }
    finds(&project, ["\0\0cookie\0"], "memory/2026-03-04.md:7");
}

#[test]
fn hostile_logs_are_searched() {
    let mut bytes = b"## Odd [project]\n- \xff\xfe the cookie \0 stands here \xf0\x28\n".to_vec();
    bytes.extend_from_slice("<!-- hipocampus:session a 0-1 -->\r\n## \u{feff}Session — 2026-03-05\r\n**User:** ```\n<<<<<<< ours\n=======\n>>>>>>> theirs\n".as_bytes());
    bytes.extend(b"x".repeat(3 << 20));
    bytes.extend(b" parser ");
    bytes.extend(b"cookie ".repeat(1 << 18));
    let project = Project::with_logs([("2026-03-05", bytes)]);
    let output = search(&project, ["parser cookie"]);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert!(tokens::count(&output.out) <= 800, "{}", output.out.len());
    assert!(output.out.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn the_same_question_gets_the_same_answer_without_a_cache() {
    let project = project();
    project.run(["compact"]).today(TODAY).output();
    let before = project.tree();
    let with = search(&project, ["cookie staging booking"]).out;
    assert_eq!(project.tree(), before, "a search writes nothing");
    project.remove("memory/.hipocampus.cache");
    assert_eq!(search(&project, ["cookie staging booking"]).out, with);
}

#[test]
fn other_names_lead_to_search_and_show() {
    let project = project();
    for name in ["log", "find", "ask", "grep"] {
        let output = project.run([name, "cookie"]).output();
        assert_eq!((output.exit, &*output.out), (Exit::Usage, ""));
        assert!(
            output.err.contains(&format!("error: there is no command `{name}`")),
            "{}",
            output.err
        );
        assert!(output.err.contains("hint: `hipocampus search QUESTION`"), "{}", output.err);
        assert!(output.err.contains("`hipocampus show "), "{}", output.err);
    }
}

#[test]
fn without_qmd_its_engine_is_refused_and_its_flags_too() {
    let project = project();
    let output = search(&project, ["cookie", "--engine", "qmd"]);
    assert_eq!(output.exit, Exit::Problem);
    assert!(output.err.contains("it is not installed"), "{}", output.err);
    let output = search(&project, ["cookie", "--engine", "qmd", "--json"]);
    assert_eq!(output.exit, Exit::Usage);
}

#[test]
fn a_terminal_gets_three_places_of_three_lines_the_best_one_last() {
    let entry = |n: usize| {
        format!(
            "## Harbour wall number {n} of the old town and of the new one [project]\n- decision: paint the harbour wall {n} twice before the winter comes, because salt and wind take one coat of paint in a year\n- outcome: the harbour wall {n} was painted by hand, with a brush and a ladder\n"
        )
    };
    let project = Project::with_logs((1..=9).map(|n| (format!("2026-03-0{n}"), entry(n))));
    let piped = project.run(["search", "harbour", "wall", "3"]).today("2026-04-10").output().out;
    let best = piped.lines().next().unwrap().split(' ').next().unwrap().to_owned();
    let run = project.run(["search", "harbour", "wall", "3"]).today("2026-04-10").on_terminal(60);
    let out = run.output().out;
    let lines: Vec<&str> = out.lines().collect();
    let heads: Vec<usize> = (0..lines.len()).filter(|at| !lines[*at].starts_with(' ')).collect();
    assert_eq!((heads.len(), lines.len()), (3, 9), "{out}");
    assert!(lines.iter().all(|line| line.chars().count() <= 60), "{out}");
    assert!(lines[heads[2]].contains(&best), "{best}: {out}");
}
