//! The transcripts of `tests/cmd/`, and the examples of the README, run as they are there.

#![expect(clippy::disallowed_methods, reason = "prepares folders")]

use std::fs;
use std::path::Path;
use std::process::Stdio;

use snapbox::cmd::Command;

/// The day the examples are run on: the week of 6 April is still open.
const NOW: &str = "2026-04-10T18:00:00+02:00";

#[test]
fn transcripts_are_true() {
    let state = tempfile::tempdir().unwrap();
    trycmd::TestCases::new()
        .env("HIPOCAMPUS_NOW", NOW)
        .env("XDG_STATE_HOME", state.path().to_str().unwrap())
        .env("CLAUDE_PROJECT_DIR", "")
        .case("tests/cmd/*.md");
}

#[test]
fn the_readme_does_what_it_says() {
    let readme = fs::read_to_string("README.md").unwrap();
    let examples = examples(&readme);
    assert!(!examples.is_empty(), "no example in the README");
    let project = sample_project();
    for (command, output) in examples {
        let command = command.replace("examples/sample-memory", project.path().to_str().unwrap());
        let args: Vec<_> = command.split_whitespace().collect();
        assert_eq!(args[0], "hipocampus", "{command}");
        Command::new(snapbox::cmd::cargo_bin!("hipocampus"))
            .args(&args[1..])
            .env("HIPOCAMPUS_NOW", NOW)
            .env_remove("CLAUDE_PROJECT_DIR")
            .assert()
            .success()
            .stdout_eq(output)
            .stderr_eq("");
    }
}

/// The lines of ROOT.md that the README quotes, and its picture, are made by this program from the sample. Where they
/// change for good: `just picture`, and the lines by hand.
#[test]
fn the_readme_shows_what_is_made_of_the_sample() {
    let readme = fs::read_to_string("README.md").unwrap();
    let quoted = readme.split("```markdown\n").nth(1).and_then(|rest| rest.split("```").next());
    let quoted: Vec<&str> = quoted.unwrap().lines().collect();
    assert!(!quoted.is_empty());
    let project = sample_project();
    let program = snapbox::cmd::cargo_bin!("hipocampus");
    Command::new(program)
        .args(["-C", project.path().to_str().unwrap(), "compact"])
        .env("HIPOCAMPUS_NOW", NOW)
        .env_remove("CLAUDE_PROJECT_DIR")
        .assert()
        .success();
    let root = fs::read_to_string(project.path().join("memory/ROOT.md")).unwrap();
    for line in quoted {
        assert!(root.lines().any(|made| made == line), "ROOT.md has no line\n{line}\n{root}");
    }
    Command::new("examples/picture.py")
        .arg("--check")
        .env("HIPOCAMPUS", program)
        .env("HIPOCAMPUS_NOW", NOW)
        .env_remove("CLAUDE_PROJECT_DIR")
        .assert()
        .success()
        .stdout_eq("")
        .stderr_eq("");
}

#[test]
fn a_reader_that_leaves_hears_nothing_and_the_work_is_done() {
    let gone = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        writer
    };
    let project = sample_project();
    let folder = project.path().to_str().unwrap();
    let run = |args: &[&str], into_one_pipe: bool| {
        let mut command = std::process::Command::new(snapbox::cmd::cargo_bin!("hipocampus"));
        command.args(["-C", folder]).args(args).stdout(gone()).stdin(Stdio::null());
        command.env("HIPOCAMPUS_NOW", NOW).env_remove("CLAUDE_PROJECT_DIR");
        // No home of its own: `init` there has to be meant.
        command.env("HOME", project.path().join("home"));
        if into_one_pipe {
            command.stderr(gone());
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("pipe"), "{args:?}");
    };
    for into_one_pipe in [false, true] {
        run(&["init", "--no-search", "--platform", "codex"], into_one_pipe);
        run(&["flush", "-m", "said into the void"], into_one_pipe);
        run(&["compact", "--json", "--full"], into_one_pipe);
        run(&["status"], into_one_pipe);
        run(&["topics"], into_one_pipe);
        run(&["redact", &format!("{folder}/memory/ROOT.md")], into_one_pipe);
        run(&["compact", "--help"], into_one_pipe);
        run(&["man"], into_one_pipe);
        run(&["completions", "bash"], into_one_pipe);
        run(&["hook", "session-start"], into_one_pipe);
    }
    let read = |path: &str| fs::read_to_string(project.path().join(path)).unwrap();
    assert!(read(".codex/hooks.json").contains("PreCompact"));
    assert_eq!(read("memory/2026-04-10.md").matches("## said into the void").count(), 1);
    assert!(read("memory/ROOT.md").contains("said into the void"));
    run(&["uninstall"], true);
    assert!(!project.path().join(".codex").exists());
}

#[test]
fn data_that_cannot_be_written_is_a_problem() {
    for args in [&[][..], &["--help"], &["compact", "--help"], &["man"], &["completions", "zsh"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(snapbox::cmd::cargo_bin!("hipocampus"));
        let output = command.args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let told = "error: cannot write to stdout: no space left on device\n";
        assert_eq!(String::from_utf8_lossy(&output.stderr), told, "{args:?}");
    }
}

/// The commands of `console` blocks with what they print.
fn examples(text: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    for block in text.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap_or_default().lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push((command.to_owned(), String::new())),
                (None, Some((_, output))) if !line.is_empty() => {
                    output.push_str(line);
                    output.push('\n');
                }
                _ => {}
            }
        }
    }
    examples
}

/// The sample memory as it is committed, without what somebody's run made of it.
fn sample_project() -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    let sample = Path::new("examples/sample-memory");
    let target = project.path();
    fs::create_dir(target.join("memory")).unwrap();
    fs::copy(sample.join("hipocampus.config.json"), target.join("hipocampus.config.json")).unwrap();
    for entry in fs::read_dir(sample.join("memory")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_str().unwrap().starts_with("2026-") {
            fs::copy(entry.path(), target.join("memory").join(entry.file_name())).unwrap();
        }
    }
    project
}
