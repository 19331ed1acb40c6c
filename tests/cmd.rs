//! The transcripts of `tests/cmd/`, and the examples of the README, run as they stand there.

#![expect(clippy::disallowed_methods, reason = "prepares folders")]

use std::fs;
use std::path::Path;

use snapbox::cmd::Command;

/// The day the examples are run on: the week of 6 April is still open.
const NOW: &str = "2026-04-10T18:00:00+02:00";

#[test]
fn transcripts_are_true() {
    trycmd::TestCases::new()
        .env("HIPOCAMPUS_NOW", NOW)
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
