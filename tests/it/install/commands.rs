//! The commands that our texts tell agents to run are real.

use std::collections::BTreeSet;

use clap::Parser as _;
use hipocampus::internals::{ALL, Cli, FILES, TemplateContext, render};

use crate::desk::Desk;

/// Everything that begins with `hipocampus ` in back-ticks or at the beginning of a line of code.
fn commands() -> BTreeSet<Vec<String>> {
    let reader = TemplateContext { platforms: ALL.to_vec(), ..TemplateContext::default() };
    let mut found = BTreeSet::new();
    for (name, _) in FILES.iter().filter(|(name, _)| name.rsplit('.').next() == Some("md")) {
        let text = render(name, &reader);
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
    for command in ["flush", "compact", "pending", "search", "show", "status", "summarize"] {
        assert!(all.contains(command), "{command} in {all:?}");
    }
}

#[test]
fn every_command_in_the_texts_can_be_run() {
    let mut desk = Desk::new();
    desk.ok("init --no-search --platform claude-code");
    // For `flush -`; the others do not read it.
    desk.stdin = Some("## Queue search [project]\n- outcome: done\n".to_owned());
    for words in commands() {
        assert!(Cli::try_parse_from(&words).is_ok(), "{words:?}");
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let ran = desk.run_args(&words);
        // There is nothing yet that could be found, or summarised.
        let none = ran.code == 1
            && (matches!(words[1], "search" | "show" | "summarize")
                || words[1..] == ["pending", "root"]);
        assert!(ran.code == 0 || none, "{words:?}: {} {}", ran.code, ran.err);
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
    for word in [
        ".TH hipocampus",
        "COMMAND INIT",
        "COMMAND SEARCH",
        "COMMAND SHOW",
        "no\\-vector",
        "COMMAND UNINSTALL",
    ] {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert!(desk.tree().is_empty());
}
