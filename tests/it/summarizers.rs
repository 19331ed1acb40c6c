//! Summaries by a command: good ones, bad ones, several at once, none at all.

use std::fs;
use std::path::PathBuf;

use hipocampus::Exit;

use crate::summarize::{GOOD, long_days, points, waiting};
use crate::support::{Output, Project, assert_same};

const TODAY: &str = "2026-03-25";

/// Writes the sections and the names that a prompt asks for; of ROOT.md the page as it stands.
pub(crate) const WRITES: &str = r###"
cat > prompt
if grep -q '^Keep ROOT.md' prompt; then
    sed -n '/^<page-/,/^<.page-/p' prompt | sed '1d;$d'
    exit
fi
names=$(sed -n '/letter for letter/,/^$/p' prompt | grep '^- ')
sed -n '/These sections/,/^Length/p' prompt | grep '^## ' | while read -r heading; do
    printf '%s\n' "$heading"
    if [ "$heading" = "## Key Decisions" ]; then
        echo '- auth: chose cookies over tokens'
    fi
    if [ "$heading" = "## Topics" ]; then
        printf '%s\n' "$names"
        printf -- '- summary of %s: auth, an analysis of each point\n' "$(sed -n '1s/.*(\(.*\)).*/\1/p' prompt)"
        grep -o 'summary of [0-9W-]*' prompt | sort -u | grep -v 'summary of $' | sed 's/^/- /'
    fi
    echo
done
"###;

fn script(project: &Project, text: &str) -> String {
    project.write("summarizer.sh", text);
    format!("sh {}", project.path("summarizer.sh").display())
}

fn exec(project: &Project, text: &str, more: &[&str]) -> Output {
    let command = script(project, text);
    let mut run = project.run(["summarize", "--yes", "--exec", &command]).today(TODAY);
    for arg in more {
        run = run.arg(arg);
    }
    run.output()
}

fn node(day: u32) -> String {
    format!("memory/daily/2026-03-{day:02}.md")
}

#[test]
fn a_command_works_the_list_in_order() {
    let project = long_days(&[2, 9, 10, 11]);
    let output = exec(&project, WRITES, &[]);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    let order: Vec<&str> = output
        .out
        .lines()
        .filter(|line| line.contains("  stored"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(order, ["2026-03-11", "2026-03-10", "2026-03-09", "2026-03-02", "root"]);
    assert!(
        output.out.contains("hipocampus summarize: 5 stored, 0 not, 0 left; "),
        "{}",
        output.out
    );
    for day in [2, 9, 10, 11] {
        assert_eq!(project.status(&node(day)), "fixed");
        let words = format!("summary of 2026-03-{day:02}");
        assert!(project.body(&node(day)).contains(&words));
        assert!(project.body("memory/monthly/2026-03.md").contains(&words));
    }
    assert_eq!(waiting(&project, TODAY), [""; 0]);
    let status = project.run(["status"]).today(TODAY).output().out;
    assert!(status.contains("written by a model, up to"), "{status}");
    project.idle(TODAY);
    // Nothing waits: nothing is run.
    let output = exec(&project, "touch \"$0.ran\"", &[]);
    assert_eq!(output.out, "nothing waits for a summary that nobody works on\n");
    assert!(!project.has("summarizer.sh.ran"));
}

#[test]
fn a_bad_answer_is_refused_and_the_old_text_stays() {
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let good = GOOD.replace('\n', "\\n");
    for (text, what, calls) in [
        ("exit 3", "it failed", 1),
        ("echo sorry >&2; exit 1", "it failed: sorry", 1),
        ("kill -9 $$", "it failed", 1),
        ("cat > /dev/null", "refused twice: nothing came back", 2),
        (
            "echo 'We chose cookies because of the proxy, and that was it.'",
            "sections are missing",
            2,
        ),
        (
            &format!("printf '{good}' | sed s/style/x/"),
            "have to be named: `Answer Style [feedback]`",
            2,
        ),
        (
            &format!("printf -- '---\\ntype: weekly\\n---\\n\\n{good}'"),
            "its head says `type: weekly`",
            2,
        ),
        ("yes 'a line of much text' | head -c 10000000", "it printed more than ", 1),
    ] {
        let project = long_days(&[10]);
        project.compact(TODAY);
        let before = project.nodes_and_root();
        let output = exec(&project, &format!("echo x >> \"$(dirname $0)/calls\"\n{text}"), &[]);
        assert_eq!(output.exit, Exit::Problem, "{what}: {}", output.out);
        assert!(output.err.contains(what), "{what}: {}", output.err);
        assert_same(&before, &project.nodes_and_root());
        assert_eq!(project.text("calls").len(), 2 * calls, "{what}");
        // Nobody else has to wait for what was let go of.
        assert!(!project.text("memory/.compaction-state.json").contains("claims"));
    }
    // Cleaned, and stored.
    let project = long_days(&[10]);
    let text = format!("printf -- '```markdown\\n{good}- {secret}\\n```\\n'");
    let output = exec(&project, &text, &["--limit", "1"]);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    let body = project.body(&node(10));
    assert!(body.starts_with("## Topics\n") && !body.contains(&secret) && !body.contains("```"));
}

#[test]
fn a_page_that_will_not_do_is_sent_back_and_the_old_one_stays() {
    let project = long_days(&[10]);
    exec(&project, WRITES, &["--limit", "1"]);
    assert_eq!(waiting(&project, TODAY), ["root"]);
    let before = project.nodes_and_root();
    let text = format!("echo x >> {}\n{WRITES}", project.path("calls").display());
    let text = text.replace("sed '1d;$d'", "sed '1d;$d' | grep -v Patterns");
    let output = exec(&project, &text, &[]);
    assert_eq!(output.exit, Exit::Problem, "{}", output.out);
    let said = "error: root: refused twice: sections are missing: `Recent Patterns`";
    assert!(output.err.contains(said), "{}", output.err);
    assert!(output.err.starts_with("ROOT.md: about "), "{}", output.err);
    assert_eq!(project.text("calls").len(), 4);
    assert_same(&before, &project.nodes_and_root());
    assert_eq!(waiting(&project, TODAY), ["root"]);
}

#[test]
fn a_refused_answer_is_asked_for_once_more_with_the_reason() {
    let project = long_days(&[10]);
    let text = format!(
        "cat > prompt; if grep -q 'it was refused' prompt; then grep -q 'sections are missing' prompt && printf '{}'; else echo prose that is long enough to be a summary of a whole day; fi",
        GOOD.replace('\n', "\\n")
    );
    let output = exec(&project, &text, &["--limit", "1"]);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert_eq!(project.body(&node(10)), GOOD);
}

#[test]
fn three_failures_in_a_row_end_a_run_and_so_does_a_spent_quota() {
    let days = [2, 3, 4, 5, 6];
    for (text, calls, why) in [
        ("exit 1", 3, "3 failures one after the other"),
        ("echo 'Claude AI usage limit reached|1763800000'", 1, "usage limit reached"),
        ("echo 'Credit balance is too low'; exit 1", 1, "Credit balance is too low"),
    ] {
        let project = long_days(&days);
        let output = exec(&project, &format!("echo x >> \"$(dirname $0)/calls\"\n{text}"), &[]);
        assert_eq!(output.exit, Exit::Problem);
        assert!(output.err.contains(why), "{}", output.err);
        assert_eq!(project.text("calls").len(), 2 * calls, "{why}");
        assert_eq!(waiting(&project, TODAY).len(), 5);
    }
}

#[test]
fn the_limit_of_the_day_holds() {
    let project = long_days(&[2, 3, 4, 5, 6]);
    let spent = || -> u64 {
        let ledger = project.text("memory/.hipocampus.tokens.jsonl");
        let mut last = std::collections::HashMap::new();
        for line in ledger.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let tokens = line["in"].as_u64().unwrap() + line["out"].as_u64().unwrap();
            last.insert(line["id"].as_str().unwrap().to_owned(), tokens);
        }
        last.values().sum()
    };
    let output = exec(&project, WRITES, &["--max-tokens-per-day", "8000"]);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert!(
        output.err.contains("the limit of 8,000 tokens a day leaves no room"),
        "{}",
        output.err
    );
    let done = 5 - waiting(&project, TODAY).len();
    assert!((1..5).contains(&done), "{done}");
    assert!(spent() <= 8000);
    // A second run on the day finds it spent; the next day is another one.
    exec(&project, WRITES, &["--max-tokens-per-day", "8000"]);
    assert_eq!(5 - waiting(&project, TODAY).len(), done);
    let command = script(&project, WRITES);
    let run =
        project.run(["summarize", "--yes", "--max-tokens-per-day", "8000", "--exec", &command]);
    assert_eq!(run.today("2026-03-26").output().exit, Exit::Done);
    assert!(5 - waiting(&project, "2026-03-26").len() > done);
    // What a killed run reserved counts as spent.
    let project = long_days(&[2]);
    project.write(
        "memory/.hipocampus.tokens.jsonl",
        format!("{{\"at\":\"{TODAY}T08:00:00+02:00\",\"id\":\"k\",\"node\":\"x\",\"in\":90000,\"out\":9000,\"command\":\"c\",\"result\":\"reserved\"}}\n"),
    );
    let output = exec(&project, WRITES, &[]);
    assert!(output.err.contains("leaves no room"), "{}", output.err);
    assert_eq!(waiting(&project, TODAY), ["2026-03-02"]);
}

#[test]
fn a_run_takes_so_many_nodes_and_asks_before_it_spends() {
    let project = long_days(&[9, 10, 11]);
    exec(&project, WRITES, &["--limit", "1"]);
    assert_eq!(waiting(&project, TODAY), ["2026-03-10", "2026-03-09"]);
    let command = script(&project, "touch \"$0.ran\"");
    let output = project.run(["summarize", "--exec", &command]).today(TODAY).output();
    assert_eq!(output.exit, Exit::Usage);
    assert!(
        output.err.contains("2 summaries: about ") && output.err.contains("`--yes`"),
        "{}",
        output.err
    );
    assert!(!project.has("summarizer.sh.ran"));
}

#[test]
fn what_somebody_edited_or_works_on_is_passed_over() {
    let project = long_days(&[9, 10, 11]);
    project.compact(TODAY);
    project.append(&node(10), "- by hand\n");
    project.run(["pending", "--claim"]).today(TODAY).output();
    exec(&project, WRITES, &[]);
    assert!(project.body(&node(10)).ends_with("- by hand\n"));
    assert!(project.body(&node(11)).contains("it is an extract"));
    assert!(project.body(&node(9)).contains("summary of 2026-03-09"));
}

#[test]
fn a_long_source_is_read_in_parts_and_merged() {
    let project = long_days(&[10]);
    let words = "some words that nobody has to read twice ".repeat(4);
    let more = points(2_500, &words);
    project.write("hipocampus.config.json", "{\"summaries\": {\"source\": \"log\"}}\n");
    project.append("memory/2026-03-10.md", format!("\n## Much [project]\n{more}"));
    let text = format!(
        "{WRITES}\ngrep -q 'This is part 1' prompt && echo '- first part'\ngrep -q 'read in [0-9]* parts' prompt && echo '- merged of' && grep -c 'first part' prompt\ntrue\n"
    );
    let output = exec(&project, &text, &["--max-tokens-per-day", "1000000"]);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert!(project.body(&node(10)).contains("- merged of\n1\n"), "{}", project.body(&node(10)));
    let ledger = project.text("memory/.hipocampus.tokens.jsonl");
    assert!(ledger.matches("\"part\"").count() >= 3, "{ledger}");
}

#[test]
fn the_command_runs_in_an_empty_folder_of_its_own() {
    let project = long_days(&[10]);
    let out = project.path("seen");
    let seen = out.display();
    let text = format!(
        "ls -A | wc -l > {seen}; pwd >> {seen}; echo \"$HIPOCAMPUS_SUMMARIZING|$CLAUDECODE|$CLAUDE_PROJECT_DIR\" >> {seen}\n{WRITES}"
    );
    let command = script(&project, &text);
    let run = project.run(["summarize", "--yes", "--exec", &command]).today(TODAY);
    // What would tie it to the project, or to the session around it, is not passed on.
    let run = run.env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", project.root());
    assert_eq!(run.output().exit, Exit::Done);
    let seen = project.text("seen");
    let lines: Vec<&str> = seen.lines().collect();
    assert_eq!((lines[0].trim(), lines[2]), ("0", "1||"));
    let folder = PathBuf::from(lines[1]);
    assert!(folder.file_name().unwrap().to_str().unwrap().starts_with("hipocampus-summarizing-"));
    assert!(!folder.exists() && !folder.starts_with(project.root()));
}

#[test]
fn what_a_killed_run_left_among_temporary_files_goes_with_the_next() {
    use std::time::{Duration, SystemTime};
    let project = long_days(&[10]);
    let temp = tempfile::tempdir().unwrap();
    let left = |name: &str, hours: u64| {
        let path = temp.path().join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("draft"), "x").unwrap();
        let then = SystemTime::now() - Duration::from_secs(hours * 3600);
        fs::File::open(&path).unwrap().set_modified(then).unwrap();
        path
    };
    let old = left("hipocampus-summarizing-0123456789abcdef", 2);
    let at_work = left("hipocampus-summarizing-0123456789abcde0", 0);
    let foreign = left("hipocampus-summarizing-of-mine", 2);
    let command = script(&project, WRITES);
    let run = project.run(["summarize", "--yes", "--exec", &command]).today(TODAY);
    assert_eq!(run.env("TMPDIR", temp.path()).output().exit, Exit::Done);
    assert!(!old.exists() && at_work.exists() && foreign.exists());
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 2);
}

#[test]
fn what_a_summarizer_says_is_nobodys_conversation() {
    let project = long_days(&[10]);
    project.compact(TODAY);
    let before = project.tree();
    // Its hooks do nothing.
    let hook = format!(
        "{{\"hook_event_name\":\"SessionStart\",\"cwd\":\"{}\"}}",
        project.root().display()
    );
    for args in [["hook", "session-start"], ["compact", "--stdin"]] {
        let run = project.run(args).today(TODAY).stdin(&hook).env("HIPOCAMPUS_SUMMARIZING", "1");
        run.gives(Exit::Done, "", "");
        assert_same(&before, &project.tree());
    }
    // Nor is its transcript anybody's, should the folder have lain in the project.
    let cwd = project.path("tmp/hipocampus-summarizing-0123456789abcdef");
    fs::create_dir_all(&cwd).unwrap();
    let slug: String = cwd
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let line = serde_json::json!({"type": "user", "sessionId": "s", "uuid": "u", "cwd": cwd,
        "timestamp": "2026-03-25T08:00:00Z", "message": {"role": "user", "content": "Summarise one day"}});
    project.write(&format!("claude/projects/{slug}/s.jsonl"), format!("{line}\n"));
    let run = project.run(["import", "--yes"]).today(TODAY);
    let output = run.env("CLAUDE_CONFIG_DIR", project.path("claude")).output();
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    assert!(!project.has("memory/2026-03-25.md"), "{}", output.out);
}

#[test]
fn a_command_of_the_configuration_runs_only_where_it_was_allowed() {
    let project = long_days(&[10]);
    let config = |command: &str| {
        let config =
            serde_json::json!({"summarizer": {"command": command, "maxTokensPerDay": 50_000}});
        project.write("hipocampus.config.json", config.to_string());
    };
    let ran = format!("touch {}", project.path("ran").display());
    config(&ran);
    let run = |args: &[&str]| {
        let mut run = project.run(["summarize"]).today(TODAY);
        for arg in args {
            run = run.arg(arg);
        }
        run.env("XDG_STATE_HOME", project.path("state")).output()
    };
    // Nothing starts it: not a list, not a hook, not the command itself.
    for args in [&[][..], &["--yes"]] {
        let output = run(args);
        assert_eq!(output.exit, Exit::Problem);
        assert!(output.err.contains("you have not allowed it for this folder"), "{}", output.err);
    }
    for args in [["hook", "session-start"], ["compact", "--stdin"]] {
        project.run(args).today(TODAY).env("XDG_STATE_HOME", project.path("state")).output();
    }
    project.compact(TODAY);
    assert!(!project.has("ran"));
    let allowed = run(&["--allow"]);
    assert_eq!((allowed.exit, &*allowed.err), (Exit::Done, ""));
    assert!(!project.has("ran"));
    run(&["--yes"]);
    assert!(project.has("ran"));
    project.remove("ran");
    // Another command, or the same one elsewhere, is not what was allowed.
    config(&format!("{ran} "));
    assert_eq!(run(&["--yes"]).exit, Exit::Problem);
    let other = long_days(&[10]);
    other.write(
        "hipocampus.config.json",
        serde_json::json!({"summarizer": {"command": ran}}).to_string(),
    );
    let run = other.run(["summarize", "--yes"]).today(TODAY);
    assert_eq!(run.env("XDG_STATE_HOME", project.path("state")).output().exit, Exit::Problem);
    assert!(!project.has("ran"));
}

#[test]
fn without_a_summarizer_nothing_is_run() {
    let project = long_days(&[10]);
    let output = project.run(["summarize"]).today(TODAY).output();
    assert_eq!(output.exit, Exit::Problem);
    assert!(output.err.starts_with("error: there is no summarizer"), "{}", output.err);
    let output = project.run(["summarize", "--allow"]).today(TODAY).output();
    assert_eq!(output.exit, Exit::Problem);
    assert!(output.err.starts_with("error: the configuration names no summarizer"));
}

#[test]
fn the_claim_of_a_run_that_was_killed_leaves_the_books_with_the_next() {
    use std::process::{Command, Stdio};
    let project = long_days(&[10]);
    let command = script(&project, "touch \"$0.ran\"; sleep 20");
    let mut run = Command::new(env!("CARGO_BIN_EXE_hipocampus"));
    run.args(["summarize", "--yes", "--exec", &command]).current_dir(project.root());
    run.env("HIPOCAMPUS_NOW", "2026-03-25T12:00:00+01:00").env("HOME", project.root());
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = run.spawn().unwrap();
    while !project.has("summarizer.sh.ran") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let state = || project.text("memory/.compaction-state.json");
    assert!(state().contains("claims"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(waiting(&project, TODAY), ["2026-03-10"]);
    assert!(!state().contains("claims"), "{}", state());
}

/// Tokens spent or reserved, by call; and how often a summary of each node was stored.
fn ledger(project: &Project) -> (u64, std::collections::HashMap<String, usize>) {
    let (mut last, mut stored) =
        (std::collections::HashMap::new(), std::collections::HashMap::new());
    for line in project.text("memory/.hipocampus.tokens.jsonl").lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let tokens = line["in"].as_u64().unwrap() + line["out"].as_u64().unwrap();
        last.insert(line["id"].as_str().unwrap().to_owned(), tokens);
        if line["result"] == "stored" {
            *stored.entry(line["node"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    (last.values().sum(), stored)
}

#[test]
fn runs_side_by_side_that_are_killed_at_random_write_each_node_once() {
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};
    const LIMIT: u64 = 90_000;
    let days: Vec<u32> = (2..=21).collect();
    let project = long_days(&days);
    let logs = crate::support::logs_of(&project);
    let command = script(&project, &format!("sleep 0.05\n{WRITES}"));
    let limit = LIMIT.to_string();
    let start = |args: &[&str]| -> Child {
        let mut run = Command::new(env!("CARGO_BIN_EXE_hipocampus"));
        run.args(args).current_dir(project.root()).env("QMD_DISABLE", "1");
        run.env("HIPOCAMPUS_NOW", "2026-03-25T12:00:00+01:00").env("HOME", project.root());
        run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        run.spawn().unwrap()
    };
    let exec = ["summarize", "--yes", "--max-tokens-per-day", &limit, "--exec", &command];
    let mut running = [start(&exec), start(&exec), start(&["compact"])];
    let mut random = 0x9e37_79b9_u64;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(6) {
        for (at, child) in running.iter_mut().enumerate() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let kills = (random >> 33).is_multiple_of(60);
            if kills {
                let _ = child.kill();
            }
            if child.try_wait().unwrap().is_some() || kills {
                let _ = child.wait();
                *child = if at == 2 { start(&["compact"]) } else { start(&exec) };
            }
        }
        std::thread::sleep(Duration::from_millis(40));
    }
    for child in &mut running {
        let _ = child.kill();
        let _ = child.wait();
    }
    let (spent, stored) = ledger(&project);
    assert!(spent <= LIMIT, "{spent}");
    assert!(stored.values().all(|times| *times == 1), "{stored:?}");
    // One run alone goes to the end: claims of runs that are gone keep nobody away, and another day has its own limit.
    let run = ["summarize", "--yes", "--max-tokens-per-day", "1000000", "--exec", &command];
    let last = project.run(run).today("2026-03-26").output();
    assert_eq!(last.exit, Exit::Done, "{} {}", last.out, last.err);
    assert_eq!(waiting(&project, "2026-03-26"), [""; 0]);
    for day in days {
        assert!(
            project.body(&node(day)).contains(&format!("summary of 2026-03-{day:02}")),
            "{day}"
        );
    }
    assert_eq!(logs, crate::support::logs_of(&project));
    let (_, stored) = ledger(&project);
    assert!(stored.values().all(|times| *times == 1), "{stored:?}");
    project.idle("2026-03-26");
    let left = project.tree().into_keys().filter(|name| name.contains("hipocampus-tmp"));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn without_network_and_without_path_everything_but_a_summarizer_goes_on() {
    use std::process::{Command, Stdio};
    const UNSHARE: &str = "/usr/bin/unshare";
    let project = long_days(&[10, 11]);
    let alone = |args: &[&str], input: &str| {
        let bin = env!("CARGO_BIN_EXE_hipocampus");
        // In a network namespace without any device, where the system lets us.
        let can = Command::new(UNSHARE).args(["-n", "/bin/true"]).output();
        let mut run = if can.is_ok_and(|output| output.status.success()) {
            let mut run = Command::new(UNSHARE);
            run.args(["-n", bin]);
            run
        } else {
            Command::new(bin)
        };
        run.args(args).current_dir(project.root());
        run.env("HIPOCAMPUS_NOW", "2026-03-25T12:00:00+01:00").env("HOME", project.root());
        run.env("PATH", "");
        run.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = run.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(alone(&["compact"], "").0, Some(0));
    assert!(alone(&["pending", "--claim", "--prompt"], "").1.contains("point 249"));
    assert_eq!(alone(&["summarize", "2026-03-11"], GOOD).0, Some(0));
    assert_eq!(project.body(&node(11)), GOOD);
    assert_eq!(alone(&["summarize"], "").0, Some(1));
    assert_eq!(alone(&["status", "--due"], "").0, Some(0));
}

#[test]
fn ten_days_of_every_length_climb_to_their_month() {
    let project = long_days(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // Long enough that a week of them is above its threshold, too.
    let text = format!(
        "{WRITES}\ngrep -q 'Summarise one day' prompt && seq 1 120 | sed 's/^/- point /'\ntrue\n"
    );
    let output = exec(&project, &text, &["--max-tokens-per-day", "1000000"]);
    assert_eq!(output.exit, Exit::Done, "{}", output.err);
    let order: Vec<&str> = output
        .out
        .lines()
        .filter(|line| line.contains("  stored"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let days = order.iter().filter(|name| name.len() == 10).count();
    assert_eq!((days, &order[10..]), (10, &["2026-W10", "root"][..]), "{order:?}");
    for day in 2..=8 {
        let words = format!("summary of 2026-03-{day:02}");
        assert!(project.body("memory/weekly/2026-W10.md").contains(&words), "{words}");
        assert!(project.body("memory/monthly/2026-03.md").contains(&words), "{words}");
    }
    assert_eq!(project.status("memory/weekly/2026-W10.md"), "fixed");
    project.idle(TODAY);
}
