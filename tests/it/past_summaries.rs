//! Summaries of days that were imported: what `import` offers, and what the page says while they are written.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::desk::Desk;

/// Each imported day is about something else.
const DAYS: [(&str, &str); 3] =
    [("2026-03-04", "lighthouse"), ("2026-03-05", "harbour"), ("2026-03-06", "market")];
const CONFIG: &str = "hipocampus.config.json";

/// Names the node it writes in `calls`, and keeps the page as it was by then.
const WRITES: &str = r###"
cat > prompt
here=$(dirname "$0")
if grep -q '^Keep ROOT.md' prompt; then
    echo root >> "$here/calls"
    sed -n '/^<page-/,/^<.page-/p' prompt | sed '1d;$d'
    exit
fi
sed -n '1s/.*(\(.*\)).*/\1/p' prompt >> "$here/calls"
cp "$here/p/memory/ROOT.md" "$here/page.$(wc -l < "$here/calls")"
subject=$(grep -oE 'lighthouse|harbour|market' prompt | sort | uniq -c | sort -rn | head -1 | sed 's/.* //')
sed -n '/These sections/,/^Length/p' prompt | grep '^## ' | while read -r heading; do
    printf '%s\n' "$heading"
    if [ "$heading" = "## Topics" ]; then echo "$subject [project]"; fi
    if [ "$heading" = "## Key Decisions" ]; then echo "- $subject: chose granite over bricks, because salt eats the mortar"; fi
    echo
done
"###;

/// A project with three long days in the store of Claude Code, and a summarizer.
fn desk(config: &str) -> Desk {
    let mut desk = Desk::new();
    desk.exe = env!("CARGO_BIN_EXE_hipocampus").into();
    desk.path = std::env::var("PATH").unwrap();
    let root = desk.root().canonicalize().unwrap();
    let slug = root.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = desk.beside("home/.claude/projects").join(slug);
    fs::create_dir_all(&folder).unwrap();
    for (day, subject) in DAYS {
        let mut text = String::new();
        for turn in 0..110 {
            for (role, words) in [
                ("user", format!("what of wall {turn} of the {subject}?")),
                (
                    "assistant",
                    format!(
                        "Wall {turn} of the {subject} is granite, since salt eats the mortar of bricks."
                    ),
                ),
            ] {
                let (hour, minute) = (9 + turn / 50, turn % 50);
                let second = if role == "user" { 10 } else { 40 };
                let time = format!("{day}T{hour:02}:{minute:02}:{second}.000Z");
                let content = serde_json::json!([{"type": "text", "text": words}]);
                let record = serde_json::json!({
                    "type": role, "sessionId": subject, "uuid": format!("{day}-{turn}-{role}-aaaaaaaa"),
                    "timestamp": time, "cwd": root,
                    "message": {"role": role, "id": format!("m-{day}-{turn}-{role}"), "content": content},
                });
                let _ = writeln!(text, "{record}");
            }
        }
        fs::write(folder.join(format!("{subject}.jsonl")), text).unwrap();
    }
    fs::write(desk.beside("summarizer.sh"), WRITES).unwrap();
    desk.write(CONFIG, config);
    desk
}

fn summarizer(desk: &Desk) -> String {
    format!("sh {}", desk.beside("summarizer.sh").display())
}

/// Where the command of the configuration writes in the background, and is allowed to.
fn in_background() -> Desk {
    let desk = desk("{}");
    let config = serde_json::json!({
        "platform": "claude-code", "search": {"enabled": false},
        "summaries": {"by": "background", "since": "2026-03-15"},
        "summarizer": {"command": summarizer(&desk)},
    });
    desk.write(CONFIG, config.to_string());
    desk.ok("summarize --allow");
    desk
}

fn since(desk: &Desk) -> String {
    let config: Value = serde_json::from_str(&desk.read(CONFIG)).unwrap();
    config["summaries"]["since"].as_str().unwrap_or_default().to_owned()
}

fn calls(desk: &Desk) -> Vec<String> {
    let calls = fs::read_to_string(desk.beside("calls")).unwrap_or_default();
    calls.lines().map(str::to_owned).collect()
}

/// Waits for the run in the background to end.
#[track_caller]
fn wait(desk: &Desk) {
    let begin = Instant::now();
    loop {
        let run = fs::read(desk.root().join("memory/.hipocampus.background")).unwrap_or_default();
        let run: Value = serde_json::from_slice(&run).unwrap_or_default();
        if run.get("process").is_none() && !run["next"].is_null() {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "waited in vain: {run}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The days were written, the newest first, then the page, which told before of what was written by then.
#[track_caller]
fn all_is_written(desk: &Desk) {
    assert_eq!(calls(desk), ["2026-03-06", "2026-03-05", "2026-03-04", "root"]);
    let chose = |page: &str, subject: &str| {
        let text = fs::read_to_string(desk.beside(page)).unwrap();
        text.lines().any(|line| line.contains(subject) && line.contains("chose granite"))
    };
    assert!(!chose("page.1", "market"));
    assert!(chose("page.2", "market") && !chose("page.2", "harbour"));
    assert!(chose("page.3", "market") && chose("page.3", "harbour"));
    assert!(chose("p/memory/ROOT.md", "lighthouse"));
    assert_eq!(since(desk), "2026-03-04");
}

#[test]
fn an_import_without_a_terminal_names_the_command_that_has_its_days_summarised() {
    let desk = in_background();
    let ran = desk.ok("import --yes");
    let note = ran.err.lines().find(|line| line.contains("no summary")).expect(&ran.err);
    assert!(note.starts_with("note: 3 days have no summary yet: about "), "{note}");
    assert!(note.contains("1 day at 100,000 tokens a day"), "{note}");
    assert_eq!((since(&desk), calls(&desk).len()), ("2026-03-15".to_owned(), 0));
    // The very command that it names.
    let command = note.split('`').nth(1).unwrap();
    assert_eq!(command, "hipocampus summarize --since 2026-03-04 --background");
    let mut run = Command::new(env!("CARGO_BIN_EXE_hipocampus"));
    run.args(command.split(' ').skip(1)).current_dir(desk.root()).env_clear();
    run.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", desk.beside("home"));
    run.env("HIPOCAMPUS_NOW", "2026-03-15T14:02:11+01:00").stdin(Stdio::null());
    assert!(run.status().unwrap().success());
    wait(&desk);
    all_is_written(&desk);
    // What is imported already is not offered again.
    assert_eq!(desk.ok("import --yes").err, "");
}

#[test]
fn a_person_is_asked_after_an_import_and_nothing_is_spent_unasked() {
    let mut desk = in_background();
    (desk.at_terminal, desk.stdin) = (true, Some("y\n\n".to_owned()));
    let ran = desk.ok("import");
    assert!(ran.err.contains("3 days have no summary yet: about "), "{}", ran.err);
    assert!(ran.err.contains("  1  the summarizer in the background, 1 day at "), "{}", ran.err);
    assert!(ran.err.contains("  3  nobody: extracts made without a model stay"), "{}", ran.err);
    assert_eq!((since(&desk), calls(&desk).len()), ("2026-03-15".to_owned(), 0));
    for number in ["1", "2"] {
        let mut desk = in_background();
        (desk.at_terminal, desk.stdin) = (true, Some(format!("y\n{number}\n")));
        let ran = desk.ok("import");
        if number == "1" {
            assert!(ran.out.contains("summaries began in the background"), "{}", ran.out);
            wait(&desk);
        } else {
            assert!(ran.out.contains("4 stored, 0 not, 0 left"), "{}", ran.out);
        }
        all_is_written(&desk);
    }
}

#[test]
fn the_agent_writes_imported_days_where_it_is_told_to() {
    let config = r#"{"platform":"claude-code","summaries":{"since":"2026-03-15"}}"#;
    let desk = desk(config);
    let ran = desk.ok("import --yes");
    assert!(
        ran.err
            .contains("`hipocampus summarize --since 2026-03-04` has the agent write five a day"),
        "{}",
        ran.err
    );
    assert!(desk.run("status --due").out.starts_with("not due"));
    let ran = desk.ok("summarize --since 2026-03-04");
    assert_eq!(
        ran.out,
        "from 2026-03-04 on days wait for summaries: the agent is offered the five newest, once a day\n"
    );
    let due = desk.ok("status --due").out;
    assert!(
        due.starts_with("due: ") && due.contains("2026-03-06, 2026-03-05, 2026-03-04"),
        "{due}"
    );
    // Every other byte of the configuration stays, and a later day does not hide what waits.
    assert_eq!(desk.read(CONFIG), config.replace("03-15", "03-04"));
    desk.ok("summarize --since 2026-03-10");
    assert_eq!(since(&desk), "2026-03-04");
    // Where nobody writes summaries, none are offered.
    let off = self::desk(r#"{"summaries":{"by":"off","since":"2026-03-15"}}"#);
    assert!(!off.ok("import --yes").err.contains("summary"));
}
