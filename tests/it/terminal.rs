//! What a person sees on a terminal: matched words in bold, the pager, and no escape that was in a log.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::Project;

const LOG: &str = "\
## Login \u{1b}]0;pwned\u{7}redirect [project]
- outcome: the cookie \u{1b}[31mwas\u{9b}2J dropped\u{202e}, because its path was wrong
";

/// Runs the program with a terminal of its own and hands back what came to its screen, and the exit code.
fn on_terminal(project: &Project, args: &[&str], env: &[(&str, &str)]) -> (String, Option<i32>) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut child = {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hipocampus"));
        command
            .args(args)
            .current_dir(project.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", project.root())
            .env("TERM", "xterm")
            .env("HIPOCAMPUS_NOW", "2026-04-10T12:00:00Z")
            .envs(env.iter().copied())
            .stdin(slave.try_clone().unwrap())
            .stdout(slave.try_clone().unwrap())
            .stderr(slave);
        command.spawn().unwrap()
    };
    let mut screen = Vec::new();
    // Where the last writer is gone, one system ends the file and the other reports an error.
    let _ = File::from(master).read_to_end(&mut screen);
    let code = child.wait().unwrap().code();
    (String::from_utf8(screen).unwrap().replace("\r\n", "\n"), code)
}

/// The text without the colours that are ours; whatever else drives a terminal stays in it.
fn without_colours(text: &str) -> String {
    ["0", "1", "2"]
        .iter()
        .fold(text.to_owned(), |text, code| text.replace(&format!("\u{1b}[{code}m"), ""))
}

#[track_caller]
fn drives_nothing(text: &str) {
    let plain = without_colours(text);
    let harmless = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
    assert!(plain.chars().all(harmless), "{plain:?}");
}

fn project() -> Project {
    Project::with_logs([("2026-03-04", LOG)])
}

/// A program that notes what it is given, below a folder that is on the path.
fn spy(folder: &Path, noted: &Path) -> String {
    let program = folder.join("spy");
    fs::write(&program, format!("#!/bin/sh\necho \"$@\" > '{0}'\ncat >> '{0}'\n", noted.display()))
        .unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

#[test]
fn matched_words_are_bold_and_escapes_are_not_obeyed() {
    let (screen, code) = on_terminal(&project(), &["search", "cookies"], &[]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("the \u{1b}[1mcookie\u{1b}[0m \\u{1b}[31mwas"), "{screen:?}");
    assert!(screen.contains("\u{1b}[2mmemory/2026-03-04.md:2\u{1b}[0m"), "{screen:?}");
    drives_nothing(&screen);
}

#[test]
fn no_colour_is_used_where_none_is_wanted() {
    let plain = on_terminal(&project(), &["search", "cookies"], &[("NO_COLOR", "1")]).0;
    assert!(plain.contains("the cookie \\u{1b}[31mwas"), "{plain:?}");
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let shown =
        on_terminal(&project(), &["show", "2026-03-04"], &[("NO_COLOR", "1"), ("PAGER", "cat")]).0;
    assert!(shown.contains("cookie") && !shown.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn nothing_that_a_terminal_obeys_is_said_about_a_question() {
    let (screen, code) = on_terminal(&project(), &["search", "wal\u{1b}]rus\u{9b}"], &[]);
    assert_eq!(code, Some(1), "{screen}");
    drives_nothing(&screen);
    let (screen, code) = on_terminal(&project(), &["show", "wal\u{1b}]0;x\u{7}rus"], &[]);
    assert_eq!(code, Some(1), "{screen}");
    drives_nothing(&screen.replace("\u{1b}[1;31m", ""));
}

#[test]
fn show_goes_through_the_pager() {
    let project = project();
    let outside = tempfile::tempdir().unwrap();
    let noted = outside.path().join("noted");
    let path = spy(outside.path(), &noted);
    for (name, wanted) in [("HIPOCAMPUS_PAGER", "spy -x"), ("PAGER", "spy -x")] {
        let env = [("PATH", path.as_str()), (name, wanted)];
        let (screen, code) = on_terminal(&project, &["show", "2026-03-04"], &env);
        assert_eq!((screen.as_str(), code), ("", Some(0)), "{name}");
        let text = fs::read_to_string(&noted).unwrap();
        assert!(
            text.starts_with("-x\n") && text.contains("because its path was wrong"),
            "{text:?}"
        );
        assert!(text.contains("\u{1b}[1m## Login"), "{text:?}");
        drives_nothing(&text);
        fs::remove_file(&noted).unwrap();
    }
    // What is asked for first, wins.
    let env = [("PATH", path.as_str()), ("HIPOCAMPUS_PAGER", "cat"), ("PAGER", "spy")];
    let (screen, _) = on_terminal(&project, &["show", "2026-03-04"], &env);
    assert!(screen.contains("because its path was wrong") && !noted.exists(), "{screen}");
}

#[test]
fn a_pager_that_leaves_early_or_is_missing_is_no_error() {
    let log = format!("## Long [project]\n{}", "- one more line of it\n".repeat(20_000));
    let project = Project::with_logs([("2026-03-04", log)]);
    let (screen, code) = on_terminal(&project, &["show", "2026-03-04"], &[("PAGER", "true")]);
    assert_eq!((screen.as_str(), code), ("", Some(0)));
    let (screen, code) =
        on_terminal(&project, &["show", "2026-03-04"], &[("PAGER", "no-such-pager")]);
    assert_eq!((screen.lines().count(), code), (20_002, Some(0)));
}

#[test]
fn a_pager_inside_the_project_is_not_run() {
    let project = project();
    let noted = project.path("noted");
    let path = spy(project.root(), &noted);
    let env = [("PATH", path.as_str()), ("PAGER", "spy")];
    let (screen, code) = on_terminal(&project, &["show", "2026-03-04"], &env);
    assert!(code == Some(0) && screen.contains("because its path was wrong"), "{screen}");
    assert!(!noted.exists());
}
