//! The commands that our texts tell agents to run are real.

use std::collections::BTreeSet;

use clap::Parser as _;
use hipocampus::cli::Cli;
use hipocampus::platform::ALL;
use hipocampus::templates::{FILES, Reader, Templates};

use crate::desk::Desk;

/// Everything that begins with `hipocampus ` in back-ticks or at the beginning of a line of code.
fn commands() -> BTreeSet<Vec<String>> {
    let templates = Templates::load();
    let reader = Reader { platforms: ALL.to_vec(), vector: true, ..Reader::default() };
    let mut found = BTreeSet::new();
    for (name, _) in FILES.iter().filter(|(name, _)| name.rsplit('.').next() == Some("md")) {
        let text = templates.render(name, &reader);
        let quoted = text.split('`').skip(1).step_by(2).map(str::to_owned);
        let indented =
            text.lines().filter(|line| line.starts_with("    ")).map(|line| line.trim().to_owned());
        for command in quoted.chain(indented).filter(|command| command.starts_with("hipocampus ")) {
            let command = command.split(" <<").next().unwrap_or_default();
            let mut words = Vec::new();
            for (index, part) in command.split('"').enumerate() {
                if index % 2 == 1 {
                    words.push(part.to_owned());
                } else {
                    words.extend(part.split_whitespace().map(str::to_owned));
                }
            }
            found.insert(words);
        }
    }
    found
}

#[test]
fn the_texts_name_the_commands_they_should() {
    let all: BTreeSet<_> = commands().into_iter().map(|words| words[1].clone()).collect();
    for command in ["flush", "compact", "status", "topics"] {
        assert!(all.contains(command), "{command} in {all:?}");
    }
}

#[test]
fn every_command_in_the_texts_can_be_run() {
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    // For `flush -`; the others do not read it.
    desk.stdin = Some("## Berth search [project]\n- outcome: done\n".to_owned());
    for words in commands() {
        assert!(Cli::try_parse_from(&words).is_ok(), "{words:?}");
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let ran = desk.run_args(&words);
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
    }
}

/// What the recall skill prints with its manifest command.
fn manifest(desk: &Desk) -> String {
    let skill = desk.read(".claude/skills/hipocampus-recall/SKILL.md");
    let command = skill.lines().map(str::trim).find(|line| line.contains("awk ")).unwrap();
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", command]).current_dir(desk.root()).output().unwrap();
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_manifest_is_short_and_goes_from_the_broad_to_the_narrow() {
    for words in [
        "데이터베이스를 포스트그레스로 옮기면서 인덱스 결과를 기록했다",
        "asked I'm still thinking about 000 miles, 2022, making my own cleaning products",
        "builtin_log URL convert gpt-4 x86_64 2026-01-01 #1234",
    ] {
        let desk = Desk::new();
        desk.ok("init --no-search --platform claude-code");
        assert_eq!(manifest(&desk), "");
        for month in 6..=12 {
            for day in 1..=28 {
                let entries: Vec<_> = (1..9)
                    .map(|entry| format!("## {words} {day}-{entry} [project]\n- {words}\n"))
                    .collect();
                let log = entries.join("\n");
                desk.write(&format!("memory/2025-{month:02}-{day:02}.md"), log);
            }
        }
        desk.ok("compact");
        let text = manifest(&desk);
        let levels: Vec<_> = text.lines().map(|line| line.split('/').next().unwrap()).collect();
        let expect = [["monthly"; 4], ["weekly"; 4], ["daily"; 4]].concat();
        assert_eq!(levels, expect, "{text}");
        assert!(text.starts_with("monthly/2025-12.md: "), "{text}");
        assert!(text.lines().all(|line| line.ends_with(',')), "{text}");
        let size = hipocampus::memory::tokens::count(&text);
        assert!(size < 500, "{size}: {text}");
    }
}

#[test]
fn completions_and_the_manual_name_every_command() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.ok(&format!("completions {shell}")).out;
        assert!(script.contains("uninstall") && script.contains("claude-code"), "{shell}");
    }
    assert_eq!(desk.run("completions dos").code, 2);
    let page = desk.ok("man").out;
    for word in [".TH hipocampus", "COMMAND INIT", "no\\-vector", "COMMAND UNINSTALL"] {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert!(desk.tree().is_empty());
}
