//! `compact` as a command: what it says, how it ends, which project it is about.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use hipocampus::Exit;

use crate::support::{Project, assert_same, entry, scratch};

fn one_day() -> Project {
    Project::with_logs([("2026-03-10", entry("Auth", 5))])
}

const NOTHING: &str = "hipocampus compact: nothing to do\n";
const ALL: &str =
    "hipocampus compact: daily nodes updated, weekly nodes updated, monthly nodes updated\n";

#[test]
fn one_line_says_which_levels_were_updated() {
    let project = one_day();
    let compact = |today: &str| project.run(["compact"]).today(today);
    compact("2026-03-10").gives(Exit::Done, ALL, "");
    compact("2026-03-10").gives(Exit::Done, NOTHING, "");
    compact("2026-03-11").gives(Exit::Done, "hipocampus compact: daily nodes updated\n", "");
    compact("2026-03-23").gives(Exit::Done, "hipocampus compact: weekly nodes updated\n", "");
    compact("2026-04-08").gives(Exit::Done, "hipocampus compact: monthly nodes updated\n", "");
    compact("2026-09-08").gives(Exit::Done, "hipocampus compact: ROOT.md updated\n", "");
    compact("2026-09-08").gives(Exit::Done, NOTHING, "");
    project.remove("memory/weekly/2026-W11.md");
    project.remove("memory/monthly/2026-03.md");
    let line = "hipocampus compact: weekly nodes updated, monthly nodes updated\n";
    compact("2026-09-08").gives(Exit::Done, line, "");
}

#[test]
fn a_memory_without_logs_or_no_memory_at_all_is_nothing_to_do() {
    let project = Project::new();
    project.run(["compact"]).gives(Exit::Done, NOTHING, "");
    project.remove("memory");
    project.run(["compact"]).gives(Exit::Done, NOTHING, "");
    assert!(!project.has("memory"));
}

#[test]
fn a_command_line_that_makes_no_sense_is_exit_2() {
    let project = one_day();
    for args in [
        &["compact", "--nonsense"][..],
        &["compact", "--reopen"],
        &["compact", "--reopen", "2026-02-30"],
        &["compact", "--reopen", "2026-W11"],
        &["compact", "--reopen", "2026-03-11"],
        &["frobnicate"],
    ] {
        let mut run = project.run([]).today("2026-05-01");
        for arg in args {
            run = run.arg(arg);
        }
        let output = run.output();
        assert_eq!((output.exit, &*output.out), (Exit::Usage, ""), "{args:?}");
        assert!(output.err.starts_with("error: "), "{args:?}: {}", output.err);
    }
    assert!(project.nodes().is_empty());
}

#[test]
fn exit_codes_are_those_of_the_readme() {
    let codes = [Exit::Done, Exit::Problem, Exit::Usage, Exit::Busy].map(|exit| exit as u8);
    assert_eq!(codes, [0, 1, 2, 75]);
}

#[test]
fn a_memory_that_another_run_holds_is_exit_75_and_left_alone() {
    let project = one_day();
    project.write("memory/.hipocampus.lock", "");
    let before = project.tree();
    let lock = fs::File::open(project.path("memory/.hipocampus.lock")).unwrap();
    lock.lock().unwrap();
    let patience = Duration::from_millis(50);
    for command in ["compact", "uninstall", "flush"] {
        let began = Instant::now();
        let output = project.run([command]).today("2026-03-10").patience(patience).output();
        assert_eq!((output.exit, &*output.out), (Exit::Busy, ""), "{command}");
        assert!(output.err.starts_with("error: another "), "{}", output.err);
        assert!(output.err.contains("\nhint: wait for it to finish"), "{}", output.err);
        assert!(began.elapsed() >= patience, "{command} did not wait");
    }
    let flush = project.run(["flush", "-m", "kept anyway"]).today("2026-03-11");
    let output = flush.patience(patience).output();
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert!(output.err.starts_with("note: another run has the memory"), "{}", output.err);
    assert!(project.text("memory/2026-03-11.md").contains("kept anyway"));
    project.remove("memory/2026-03-11.md");
    assert_same(&before, &project.tree());
    // Reading needs no lock.
    assert_eq!(project.run(["status", "--all"]).today("2026-03-10").output().exit, Exit::Done);
    drop(lock);
    project.run(["compact"]).today("2026-03-10").gives(Exit::Done, ALL, "");
}

#[test]
fn without_arguments_there_is_help() {
    let output = Project::new().run([]).output();
    assert_eq!((output.exit, &*output.err), (Exit::Done, ""));
    assert!(output.out.contains("compact") && output.out.contains("Usage"), "{}", output.out);
}

#[test]
fn a_dry_run_shows_the_steps_of_the_run_and_writes_nothing() {
    plans_what_it_does(&one_day());
    // So many nodes that ROOT.md is planned while they are written.
    let days = (1..=30).map(|day| (format!("2026-01-{day:02}"), entry("Auth", day)));
    let more = (1..=31).map(|day| (format!("2025-12-{day:02}"), entry("Billing", day)));
    plans_what_it_does(&Project::with_logs(days.chain(more)));
}

fn plans_what_it_does(project: &Project) {
    project.write("memory/2026-02-01.md", entry("Long", 250));
    project.write(
        "memory/ROOT.md",
        "---\ntype: root\nstatus: tentative\nlast-updated: 2020-01-01\n---\n\n## Topics Index\n",
    );
    for today in ["2026-03-10", "2026-03-11", "2026-05-01"] {
        let before = project.tree();
        let dry = project.run(["compact", "--dry-run"]).today(today).output();
        assert_eq!((dry.exit, &*dry.err), (Exit::Done, ""));
        let json = project.run(["compact", "--dry-run", "--json"]).today(today).output();
        assert_same(&before, &project.tree());
        assert!(
            !project.has("memory/daily") || before.keys().any(|name| name.starts_with("daily"))
        );

        let run = project.run(["compact", "--json"]).today(today).output();
        assert_eq!(run.out, json.out, "a plan is a plan");
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let steps = report["steps"].as_array().unwrap();
        assert_eq!(dry.out.lines().count(), steps.len() + 1, "{}", dry.out);
        for (line, step) in dry.out.lines().zip(steps) {
            assert!(line.contains(step["path"].as_str().unwrap()), "{line}: {step}");
        }
        // What it said it would write is what it wrote.
        let after = project.tree();
        let written: BTreeSet<_> = after
            .iter()
            .filter(|(name, bytes)| before.get(*name) != Some(*bytes))
            .map(|(name, _)| format!("memory/{name}"))
            .collect();
        let said: BTreeSet<_> = steps
            .iter()
            .map(|step| step["path"].as_str().unwrap().to_owned())
            .filter(|path| path.rsplit('/').next().is_some_and(|name| name.contains('.')))
            .collect();
        assert_eq!(written, said);
        project.idle(today);
    }
    assert!(!fs::exists(project.path("memory/.hipocampus.log")).unwrap());
}

#[test]
fn json_of_nothing_to_do_parses_too() {
    let project = one_day();
    project.compact("2026-03-10");
    let output = project.run(["compact", "--json"]).today("2026-03-10").output();
    let report: serde_json::Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!(report["summary"], "nothing to do");
    assert_eq!(report["steps"], serde_json::json!([]));
}

#[test]
fn the_project_is_found_from_anywhere_below_it() {
    let project = one_day();
    project.write("src/deep/er/x", "");
    let deep = project.path("src/deep/er");
    project.run(["compact"]).cwd(deep.clone()).today("2026-03-10").gives(Exit::Done, ALL, "");
    let elsewhere = scratch();
    let run =
        |args: [&str; 3]| project.run(args).cwd(elsewhere.path().to_path_buf()).today("2026-03-10");
    run(["compact", "-C", deep.to_str().unwrap()]).gives(Exit::Done, NOTHING, "");
    run(["-C", project.root().to_str().unwrap(), "compact"]).gives(Exit::Done, NOTHING, "");
    let link = elsewhere.path().join("link");
    symlink(&deep, &link).unwrap();
    run(["-C", "link", "compact"]).gives(Exit::Done, NOTHING, "");
    assert!(!elsewhere.path().join("memory").exists());
}

#[test]
fn the_choice_of_a_folder_goes_by_option_then_environment_then_working_directory() {
    let (one, two, three) = (one_day(), one_day(), one_day());
    let run = |args: &[&str]| {
        let mut run = one.run(["compact"]).today("2026-03-10");
        for arg in args {
            run = run.arg(arg);
        }
        run.env("CLAUDE_PROJECT_DIR", two.root()).gives(Exit::Done, ALL, "");
    };
    run(&[]);
    assert!(two.has("memory/daily") && !one.has("memory/daily"));
    run(&["-C", three.root().to_str().unwrap()]);
    assert!(three.has("memory/daily") && !one.has("memory/daily"));
    one.run(["compact"]).env("CLAUDE_PROJECT_DIR", "").today("2026-03-10").gives(
        Exit::Done,
        ALL,
        "",
    );
}

#[test]
fn a_log_or_a_root_makes_a_memory_a_project_and_an_empty_one_does_not() {
    for (file, found) in [
        ("memory/2026-03-10.md", true),
        ("memory/2026-03-10-0930.md", true),
        ("memory/ROOT.md", true),
        ("memory/notes.md", false),
        ("memory/2026-13-10.md", false),
    ] {
        let project = Project::new();
        project.remove("hipocampus.config.json");
        project.write(file, "# x\n");
        let output = project.run(["compact"]).today("2026-03-10").output();
        assert_eq!(
            output.exit,
            if found { Exit::Done } else { Exit::Problem },
            "{file}: {output:?}"
        );
    }
}

#[test]
fn a_tenant_is_the_project_below_its_folder() {
    let project = one_day();
    project.write("tenants/acme/hipocampus.config.json", "{\"tenant\": \"acme\"}\n");
    project.write("tenants/acme/memory/2026-03-10.md", entry("Theirs", 5));
    let run = project.run(["compact"]).cwd(project.path("tenants/acme/memory"));
    run.today("2026-03-10").gives(Exit::Done, ALL, "");
    assert!(project.has("tenants/acme/memory/daily") && !project.has("memory/daily"));
}

#[test]
fn no_project_is_an_error_with_a_hint() {
    let empty = scratch();
    let output = Project::new().run(["compact"]).cwd(empty.path().to_path_buf()).output();
    let expect = format!(
        "error: no hipocampus project in `{}` or above it\nhint: run `hipocampus init` in the project's folder\n",
        empty.path().display()
    );
    assert_eq!((output.exit, &*output.out, output.err), (Exit::Problem, "", expect));
    assert!(fs::read_dir(empty.path()).unwrap().next().is_none());
}

#[test]
fn a_folder_that_is_not_there_is_said_to_be_missing() {
    let project = one_day();
    let log = "memory/2026-03-10.md";
    for (dir, before, what) in
        [("gone", "the folder ", "does not exist"), (log, "", "is no folder")]
    {
        for command in ["compact", "status", "topics", "flush", "redact", "init", "uninstall"] {
            let output = project.run(["-C", dir, command]).output();
            let named = format!("error: {before}`{}` {what}\nhint: ", project.path(dir).display());
            assert_eq!((output.exit, &*output.out), (Exit::Problem, ""), "{command}");
            assert!(output.err.starts_with(&named), "{command}: {}", output.err);
            assert!(output.err.ends_with("nothing was changed\n"), "{command}: {}", output.err);
        }
        let hook = project.run(["-C", dir, "hook", "session-start"]).output();
        assert_eq!((hook.exit, &*hook.out), (Exit::Done, ""));
        assert!(hook.err.lines().any(|line| line.ends_with(what)), "{}", hook.err);
    }
    assert!(!project.has("gone") && project.nodes().is_empty());
}

#[test]
fn root_over_its_cap_by_names_alone_and_a_doubtful_copy_are_in_status_too() {
    let rules = (0..200).fold(String::new(), |text, number| {
        text + &format!("## Rule number {number} about things [feedback]\n- rule: x\n")
    });
    let project = Project::with_logs([("2026-03-10", rules)]);
    project.write("hipocampus.config.json", "{\"compaction\": {\"rootMaxTokens\": 500}}\n");
    project.write("MEMORY.md", "## Compaction Root\n\n## Compaction Root\n");
    let compact = project.run(["compact"]).today("2026-03-10").output();
    let notes: Vec<_> =
        compact.err.lines().map(|line| line.strip_prefix("note: ").unwrap()).collect();
    assert_eq!(notes.len(), 2, "{}", compact.err);
    let root = "`memory/ROOT.md`: the names of user and feedback topics alone are ";
    assert!(notes.iter().any(|note| note.starts_with(root)), "{notes:?}");
    let copy = "`MEMORY.md`: it has two sections `## Compaction Root`: left as it is";
    assert!(notes.contains(&copy), "{notes:?}");
    let status = project.run(["status", "--all"]).today("2026-03-10").output();
    assert_eq!(status.exit, Exit::Done, "{}", status.err);
    let json = project.run(["status", "--json"]).today("2026-03-10").output();
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    for note in notes {
        assert!(status.out.contains(note), "{note}: {}", status.out);
        let (_, text) = note.split_once("`: ").unwrap();
        assert!(json["odd"].to_string().contains(text), "{text}: {}", json["odd"]);
    }
    assert!(status.out.contains(" nothing, the tree is up to date"), "{}", status.out);
}

#[test]
fn files_named_almost_like_logs_are_in_status() {
    use std::os::unix::ffi::OsStrExt as _;

    let project = one_day();
    let names = ["2026-01-06.MD", "2026-01-07.txt", "2026-01-11.md.bak", "2026-01-14.md~"];
    for name in names {
        project.write(&format!("memory/{name}"), "## Lost\n");
    }
    let odd = std::ffi::OsStr::from_bytes(b"2026-01-15\xff.md");
    fs::write(project.path("memory").join(odd), "## Lost\n").unwrap();
    project.write("memory/notes.txt", "");
    project.compact("2026-03-10");
    project.idle("2026-03-10");
    let status = project.run(["status", "--all"]).today("2026-03-10").output();
    assert_eq!(status.exit, Exit::Done, "{}", status.err);
    for name in names.into_iter().chain(["2026-01-15\u{fffd}.md"]) {
        let said = format!("`memory/{name}`: its name ");
        assert!(status.out.contains(&said), "{name}: {}", status.out);
    }
    assert!(!status.out.contains("notes.txt"), "{}", status.out);
}

#[test]
fn a_topic_that_is_done_is_the_topic_it_was() {
    let project = Project::with_logs([
        ("2026-03-09", "## Pool limits [project]\n- decision: ten\n"),
        ("2026-03-10", "## Pool limits (done) [project]\n- outcome: merged\n"),
    ]);
    project.compact("2026-03-10");
    let topics = project.run(["topics", "--all"]).today("2026-03-10").output();
    assert_eq!(topics.out.to_lowercase().matches("pool limits").count(), 1, "{}", topics.out);
    assert!(!project.text("memory/ROOT.md").contains("(done)"));
}

#[test]
fn a_moment_that_is_none_is_exit_2_and_names_the_variable() {
    let project = one_day();
    for now in ["yesterday", "2026-03-10", "2026-13-10T12:00:00Z", "2026-03-10T12:00:00"] {
        let output = project.run(["compact"]).env("HIPOCAMPUS_NOW", now).output();
        assert_eq!((output.exit, &*output.out), (Exit::Usage, ""), "{now}");
        assert!(
            output.err.starts_with(&format!("error: `HIPOCAMPUS_NOW={now}` ")),
            "{}",
            output.err
        );
        assert!(output.err.contains("\nhint: "), "{}", output.err);
    }
    assert!(project.nodes().is_empty());
    project.run(["compact"]).env("HIPOCAMPUS_NOW", "").gives(Exit::Done, ALL, "");
}

#[test]
fn a_configuration_that_does_not_parse_changes_nothing() {
    for (config, place) in [
        ("{\n  \"platform\": \"codex\",\n}\n", ":2:22`"),
        ("{\"tenant\": 3}", ":1:12`"),
        ("", ":1:0`"),
        ("\u{feff}{\"search\": }", ":1:1"),
        ("[1]", ":1:"),
    ] {
        let project = one_day();
        project.write("hipocampus.config.json", config);
        let output = project.run(["compact"]).today("2026-03-10").output();
        assert_eq!((output.exit, &*output.out), (Exit::Problem, ""), "{config}");
        assert!(
            output.err.starts_with("error: ") && output.err.contains("\nhint: "),
            "{}",
            output.err
        );
        let at = format!("hipocampus.config.json{place}");
        assert!(output.err.contains(&at), "{at}: {}", output.err);
        assert_eq!(project.text("hipocampus.config.json"), config);
        assert!(project.nodes().is_empty() && !project.has("memory/.hipocampus.cache"));
    }
}

#[test]
fn a_number_out_of_range_is_told_and_the_run_goes_on() {
    let project = one_day();
    let config = "{\"compaction\": {\"cooldownHours\": 9999}, \"mine\": [1]}\n";
    project.write("hipocampus.config.json", config);
    let output = project.run(["compact"]).today("2026-03-10").output();
    assert_eq!((output.exit, &*output.out), (Exit::Done, ALL));
    assert!(output.err.starts_with("note: ") && output.err.contains("cooldownHours"), "{output:?}");
    assert_eq!(project.text("hipocampus.config.json"), config);
}
