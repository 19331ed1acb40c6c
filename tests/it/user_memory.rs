//! The user's own memory: its rules hold in every project, and no session enters it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use hipocampus::internals::tokens::count;
use serde_json::{Value, json};

use crate::desk::{Desk, Ran, diff, is_root, tree};

const OWN: &str = "rules of the user for every project, from the user's own memory";

const DEPLOYS: [(&str, &str, &str); 5] = [
    (
        "Deploys",
        "feedback",
        "rule: deploy the staging cluster with kustomize overlays from the platform repository, never by hand; ask Mara before the first rollout of a week",
    ),
    ("Walnuts", "feedback", "rule: paint the walnut before the pebble"),
    ("Lanterns", "feedback", "rule: hang no lantern above a violin"),
    ("Orchards", "feedback", "rule: count the saddles of an orchard twice"),
    ("Me", "user", "lives in Turku"),
];

/// A project, and a memory of the user with these rules.
fn desk(rules: &[(&str, &str, &str)]) -> Desk {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    desk.ok("init --user");
    for (topic, kind, text) in rules {
        save(&desk, true, topic, kind, text);
    }
    desk
}

fn save(desk: &Desk, user: bool, topic: &str, kind: &str, text: &str) -> Ran {
    let mut args = vec!["hipocampus", "flush", "--topic", topic, "--type", kind, "-m", text];
    args.extend(user.then_some("--user"));
    let ran = desk.run_args(&args);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran
}

fn own(desk: &Desk) -> PathBuf {
    desk.beside("home/.local/share/hipocampus")
}

fn call(desk: &mut Desk, folder: &Path, line: &str, input: &Value) -> String {
    let mut input = input.clone();
    input["cwd"] = json!(folder);
    input["session_id"] = json!("s");
    input["transcript_path"] = json!(desk.beside("home/.claude/projects/p/s.jsonl"));
    desk.stdin = Some(input.to_string());
    let mut args = vec!["hipocampus"];
    args.extend(line.split(' '));
    let ran = desk.run_in(folder, &args);
    desk.stdin = None;
    assert_eq!(ran.code, 0, "{line}: {}{}", ran.out, ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

/// What an agent hears at the start of a session in a folder.
fn start(desk: &mut Desk, folder: &Path) -> String {
    let input = json!({"hook_event_name": "SessionStart", "source": "startup"});
    call(desk, folder, "hook session-start", &input)
}

fn prompt(desk: &mut Desk, folder: &Path, text: &str) -> String {
    let input = json!({"hook_event_name": "UserPromptSubmit", "prompt": text});
    call(desk, folder, "hook prompt", &input)
}

#[test]
fn a_rule_is_told_in_every_project_until_it_is_forgotten() {
    let mut desk = desk(&[("Language", "feedback", "rule: answer in Finnish")]);
    let other = desk.beside("other");
    fs::create_dir(&other).unwrap();
    assert_eq!(desk.run_in(&other, &["hipocampus", "init", "--no-search"]).code, 0);
    for folder in [desk.root(), other.clone()] {
        let said = start(&mut desk, &folder);
        let at = said.find(OWN).unwrap_or_else(|| panic!("{said}"));
        assert!(said[at..].contains("- Language [feedback, 0d]: answer in Finnish"), "{said}");
    }
    // A session that is taken up again has it.
    let resumed = json!({"hook_event_name": "SessionStart", "source": "resume"});
    assert_eq!(call(&mut desk, &other, "hook session-start", &resumed), "");
    desk.ok("forget --user --yes --match Finnish");
    for folder in [desk.root(), other] {
        let said = start(&mut desk, &folder);
        assert!(!said.contains("Finnish") && !said.contains(OWN), "{said}");
    }
    // And does not come back by itself.
    assert_eq!(desk.run("forget --user --yes --match Finnish").code, 1);
}

#[test]
fn a_rule_of_the_project_goes_before_it() {
    let mut desk = desk(&[
        ("Commit messages", "feedback", "rule: write them in Finnish"),
        ("Naming", "feedback", "rule: name branches after the ticket number and the team"),
        ("Indentation", "feedback", "rule: indent by three blanks"),
    ]);
    save(&desk, false, "commit messages", "feedback", "rule: in plain English, please");
    save(
        &desk,
        false,
        "Branches",
        "feedback",
        "rule: never name branches after ticket number and team",
    );
    let root = desk.root();
    let said = start(&mut desk, &root);
    assert!(said.contains("three blanks"), "{said}");
    assert!(!said.contains("Finnish") && !said.contains("[feedback, 0d]: name branches"), "{said}");
    let found = desk.ok("search commit messages in Finnish").out;
    assert!(found.contains("commit messages") && !found.contains("Finnish"), "{found}");
    let known = desk.run("recall which language do commit messages have, Finnish or another").out;
    assert!(!known.contains("Finnish"), "{known}");
}

#[test]
fn what_no_session_heard_is_found_by_search_and_at_a_prompt() {
    let mut desk = desk(&DEPLOYS);
    let asked = "how do we deploy to the staging cluster";
    let found = desk.ok(&format!("search {asked}")).out;
    assert!(found.contains("user:memory/2026-03-15.md:") && found.contains("Deploys"), "{found}");
    assert!(desk.ok("show user:memory/2026-03-15.md").out.contains("kustomize"));
    assert!(desk.ok(&format!("search --everywhere {asked}")).out.contains("user:memory/"));
    let rows = desk.ok(&format!("search --json {asked}")).out;
    let rows: Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(rows[0]["project"], "user", "{rows}");
    let root = desk.root();
    let told = prompt(&mut desk, &root, asked);
    assert!(told.starts_with("From the user's own memory, for every project"), "{told}");
    assert!(told.contains("kustomize"), "{told}");
    // Once a session.
    assert_eq!(prompt(&mut desk, &root, asked), "");
    assert!(desk.ok(&format!("recall {asked}")).out.contains("From the user's own memory"));
}

#[test]
fn what_the_start_of_a_session_told_no_prompt_tells_again() {
    let mut desk = desk(&DEPLOYS);
    let root = desk.root();
    assert!(start(&mut desk, &root).contains("kustomize"));
    assert_eq!(prompt(&mut desk, &root, "how do we deploy to the staging cluster"), "");
}

#[test]
fn how_to_work_comes_first_and_all_of_it_takes_600_tokens() {
    let mut desk = desk(&[("Me", "user", "lives in Turku")]);
    for n in 0..60 {
        let text = format!(
            "rule: number {n} says that the {n} th pebble goes below the walnut and not above it"
        );
        save(&desk, true, &format!("Rule {n}"), "feedback", &text);
    }
    let root = desk.root();
    let said = start(&mut desk, &root);
    let rules = &said[said.find("hipocampus: rules of the user").unwrap()..];
    let rules = rules.split("\nhipocampus:").next().unwrap();
    assert!((400..=600).contains(&count(rules)), "{}: {rules}", count(rules));
    assert!(rules.contains("Rule 0 ") && !rules.contains("Turku"), "{rules}");
    assert!(rules.contains(" rules not shown: `hipocampus search`"), "{rules}");
}

#[test]
fn it_has_user_and_feedback_entries_alone() {
    #[track_caller]
    fn check(desk: &Desk, args: &[&str], words: &str) {
        let before = tree(&own(desk));
        let args = [&["hipocampus"], args].concat();
        let ran = desk.run_args(&args);
        assert!(ran.code == 2 && ran.err.contains(words), "{args:?}: {}{}", ran.out, ran.err);
        assert_eq!(diff(&before, &tree(&own(desk))), Vec::<String>::new(), "{args:?}");
    }
    let mut desk = desk(&[]);
    let place = own(&desk);
    let place = place.to_str().unwrap();
    check(
        &desk,
        &["flush", "--user", "--topic", "X", "--type", "project", "-m", "x"],
        "`X` is of type `project`",
    );
    check(
        &desk,
        &["flush", "--user", "--topic", "X", "--type", "reference", "-m", "x"],
        "`X` is of type `reference`",
    );
    check(&desk, &["flush", "--user", "--topic", "X", "-m", "x"], "`X` is of type `project`");
    check(&desk, &["-C", place, "flush", "-m", "x", "--type", "project"], "is of type `project`");
    check(&desk, &["flush", "--user"], "no session enters your own memory");
    check(&desk, &["-C", place, "import", "--yes"], "no session enters it");
    check(&desk, &["-C", place, "merge", "."], "copies of it may have sessions");
    check(&desk, &["-C", place, "init"], "`hipocampus init --user` sets it up");
    check(&desk, &["-C", place, "promote", "X"], "hold everywhere already");
    desk.stdin = Some("## A [feedback]\n- rule: a\n\n## B [project]\n- decision: b\n".to_owned());
    check(&desk, &["flush", "--user", "-"], "`B` is of type `project`");
}

#[test]
fn no_session_that_is_held_in_its_folder_enters_it() {
    let mut desk = desk(&[("Language", "feedback", "rule: answer in Finnish")]);
    let folder = own(&desk);
    let before = tree(&folder);
    let transcript = desk.beside("home/.claude/projects/p/s.jsonl");
    fs::create_dir_all(transcript.parent().unwrap()).unwrap();
    let record = json!({
        "type": "user", "uuid": "u-0123456789abcdef0123", "sessionId": "s", "cwd": folder, "promptSource": "user",
        "permissionMode": "default", "timestamp": "2026-03-15T12:00:00.000Z",
        "message": {"role": "user", "content": "SAID-4711"},
    });
    fs::write(transcript, format!("{record}\n")).unwrap();
    for line in
        ["compact --stdin", "hook session-start", "hook prompt", "compact --stdin --private"]
    {
        let input = json!({"hook_event_name": "SessionEnd", "prompt": "x"});
        assert_eq!(call(&mut desk, &folder, line, &input), "", "{line}");
    }
    assert_eq!(diff(&before, &tree(&folder)), Vec::<String>::new());
}

#[test]
fn promote_moves_a_rule() {
    let mut desk = desk(&[]);
    save(&desk, false, "Tests", "feedback", "rule: run only the tests that a change concerns");
    save(&desk, false, "Retries", "project", "decision: three retries");
    assert_eq!(desk.run("promote Retries").code, 1);
    let before = desk.tree();
    assert!(desk.ok("promote --dry-run tests").out.contains("would move"));
    assert_eq!(diff(&before, &desk.tree()), Vec::<String>::new());
    desk.ok("promote tests");
    let log = desk.read("memory/2026-03-15.md");
    assert!(!log.contains("concerns") && log.contains("three retries"), "{log}");
    assert!(!desk.read("memory/ROOT.md").contains("concerns"));
    assert!(desk.read("memory/.hipocampus.forgotten").contains("text "));
    let moved = fs::read_to_string(own(&desk).join("memory/2026-03-15.md")).unwrap();
    assert!(moved.contains("## Tests [feedback]") && moved.contains("concerns"), "{moved}");
    let root = desk.root();
    assert!(start(&mut desk, &root).contains("- Tests [feedback, 0d]: run only the tests"));
    assert_eq!(desk.run("promote tests").code, 1);
    let findings = desk.run("check").out;
    assert!(!findings.lines().any(|line| line.starts_with("memory/")), "{findings}");
}

#[test]
fn promote_without_a_memory_of_the_user_says_how_to_make_one() {
    let desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    save(&desk, false, "Tests", "feedback", "rule: run only those that matter");
    let before = desk.read("memory/2026-03-15.md");
    for line in ["promote Tests", "flush --user --type feedback -m x", "forget --user --match x"] {
        let ran = desk.run(line);
        assert!(
            ran.code == 1 && ran.err.contains("`hipocampus init --user`"),
            "{line}: {}",
            ran.err
        );
    }
    assert_eq!(desk.read("memory/2026-03-15.md"), before);
}

#[test]
fn nobody_else_reads_it_and_another_users_is_not_read() {
    let mut desk = desk(&[("Language", "feedback", "rule: answer in Finnish")]);
    for (path, what) in tree(&own(&desk)) {
        let kind = if what.starts_with("folder") { "folder 700" } else { "file 600" };
        let is_lock = path.ends_with(".hipocampus.lock");
        assert!(is_lock || what.starts_with(kind), "{path}: {what}");
    }
    let mode = own(&desk).metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    if !is_root() {
        return;
    }
    for path in ["", "memory", "hipocampus.config.json"] {
        chown(own(&desk).join(path), Some(12_345), None).unwrap();
        let root = desk.root();
        assert!(!start(&mut desk, &root).contains("Finnish"), "{path}");
        assert!(!desk.run("search Finnish").out.contains("Finnish"), "{path}");
        let ran = desk.run("flush --user --type feedback -m x");
        assert!(ran.err.contains("belongs to another user"), "{path}: {}", ran.err);
        chown(own(&desk).join(path), Some(0), None).unwrap();
    }
}

#[test]
fn it_is_left_as_it_was_made() {
    let desk = Desk::new();
    let files = |desk: &Desk| {
        let mut all = tree(&desk.beside("home"));
        all.retain(|_, what| what.starts_with("file"));
        all
    };
    let before = files(&desk);
    desk.ok("init --user");
    assert_eq!(desk.ok("init --user").out, "everything is in place\n");
    desk.ok("uninstall --user");
    assert_eq!(diff(&before, &files(&desk)), Vec::<String>::new());
    assert!(!own(&desk).exists());
    // What was saved stays, and is told no more.
    let mut desk = self::desk(&[("Language", "feedback", "rule: answer in Finnish")]);
    let ran = desk.ok("uninstall --user");
    assert!(ran.err.contains("stays: your entries"), "{}", ran.err);
    let root = desk.root();
    assert!(!start(&mut desk, &root).contains("Finnish"));
    assert_eq!(desk.run("uninstall --user --purge").code, 2);
    desk.ok("init --user");
    assert!(start(&mut desk, &root).contains("Finnish"));
    desk.stdin = Some("yes\n".to_owned());
    desk.ok("uninstall --user --purge");
    assert!(!own(&desk).exists());
}
