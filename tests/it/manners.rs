//! How the program speaks at a terminal: `spec/command-line.md`.

use crate::desk::{Desk, Ran};

const LOG: &str = "memory/2026-03-14.md";

fn with_log() -> Desk {
    let desk = Desk::new();
    desk.write(LOG, "## Tide tables [project]\n- decision: they come from the service office\n");
    desk.write("hipocampus.config.json", "{\"platform\": \"claude-code\"}\n");
    desk
}

#[test]
fn quiet_says_nothing_of_what_was_done() {
    let desk = with_log();
    let Ran { code, out, err } = desk.run("compact -q");
    assert_eq!((code, &*out, &*err), (0, "", ""));
    assert!(desk.has("memory/daily/2026-03-14.md"));
    let Ran { code, out, err } = desk.run("-q init --no-search");
    assert_eq!((code, &*out, &*err), (0, "", ""));
    assert!(desk.has(".claude/settings.local.json"));
    // What was asked for and what went wrong is said.
    assert!(desk.run("status -q").out.starts_with("hipocampus "));
    assert!(desk.ok("compact --dry-run -q").out.contains("nothing to do"));
    assert!(desk.run("-q compact --reopen yesterday").err.starts_with("error: "));
    assert_eq!(desk.run("-q -v status").code, 2);
}

#[test]
fn verbose_names_every_file() {
    let desk = with_log();
    let Ran { out, err, .. } = desk.ok("compact -v");
    assert!(out.starts_with("hipocampus compact: daily nodes updated"), "{out}");
    for path in ["memory/daily/2026-03-14.md", "memory/ROOT.md"] {
        assert!(err.contains(path), "{path}: {err}");
    }
    let said = desk.ok("init --no-search -v").out;
    assert!(said.contains("  + .hipocampus/installed.json\n"), "{said}");
}

#[test]
fn colour_follows_the_conventions() {
    #[track_caller]
    fn check(desk: &Desk, env: &[(&str, &str)], coloured: bool) {
        for line in ["status", "compact --reopen yesterday", "compact --never", "--help"] {
            let Ran { out, err, .. } = desk.run_with(env, line);
            assert_eq!((out + &err).contains("\x1b["), coloured, "{env:?} {line}");
        }
    }
    let desk = with_log();
    check(&desk, &[], false);
    check(&desk, &[("CLICOLOR_FORCE", "1")], true);
    check(&desk, &[("CLICOLOR_FORCE", "0")], false);
    check(&desk, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false);
    check(&desk, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], true);
}

#[test]
fn a_word_that_is_no_command_leads_to_one() {
    #[track_caller]
    fn check(desk: &Desk, word: &str) {
        let Ran { code, out, err } = desk.run(word);
        assert_eq!((code, &*out), (2, ""), "{word}");
        let told = format!("error: there is no command `{word}`\nhint: ");
        assert!(err.starts_with(&told) && err.contains("`hipocampus "), "{err}");
    }
    let desk = Desk::new();
    for word in ["log", "find", "list", "view", "pull"] {
        check(&desk, word);
    }
    for (word, hint) in [
        ("version", "`hipocampus --version`"),
        ("config", "`hipocampus.config.json`"),
        ("export", "`memory/`"),
    ] {
        let err = desk.run(word).err;
        assert!(
            err.starts_with(&format!("error: there is no command `{word}`\nhint: "))
                && err.contains(hint),
            "{err}"
        );
    }
    let err = desk.run("compcat").err;
    assert!(err.contains("'compact'"), "{err}");
    // A hook ends well, whatever it is called with.
    assert_eq!(desk.run("help compact").out, desk.run("compact --help").out);
    assert!(desk.run("help").out.contains("Commands:"));
}

#[test]
fn help_is_wrapped_for_the_terminal_it_is_read_on() {
    let desk = Desk::new();
    for (columns, most) in [("20", 60), ("70", 70), ("400", 100)] {
        for line in ["--help", "init --help", "compact --help"] {
            let help = desk.run_with(&[("COLUMNS", columns)], line).out;
            assert!(help.contains("\nExamples:\n"), "{help}");
            let widest = help.lines().filter(|line| !line.contains("  hipocampus "));
            let widest = widest.map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= most, "{line} at {columns}: {widest}\n{help}");
        }
    }
}

#[test]
fn completions_offer_values_and_no_hidden_commands() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = desk.ok(&format!("completions {shell}")).out;
        assert!(!script.contains("session-start"), "{shell}");
        assert!(script.contains("uninstall"), "{shell}");
    }
    let script = desk.ok("completions bash").out;
    for values in ["project feedback user reference", "claude-code codex opencode openclaw"] {
        assert!(script.contains(values), "{values}");
    }
}

#[test]
fn the_manual_has_what_a_manual_has() {
    let page = Desk::new().ok("man").out;
    for title in ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"] {
        assert!(
            page.lines().any(|line| line.starts_with(".SH") && line.contains(title)),
            "{title}"
        );
    }
    assert!(page.contains("\nhipocampus init\n") || page.contains("\nhipocampus init "), "{page}");
    assert!(!page.contains("COMMAND HOOK") && page.contains("COMMAND COMPACT"));
    assert!(!page.contains("EXTRA"), "{page}");
    // What it says of the environment is true: each is asked for by name somewhere.
    let mut sources = String::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("man.rs") {
                sources.push_str(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let section = page.split(".SH \"ENVIRONMENT\"").nth(1).unwrap().split(".SH").next().unwrap();
    let names: Vec<_> = section.lines().filter_map(|line| line.strip_prefix("\\fB")).collect();
    assert!(names.len() > 8, "{section}");
    for name in names {
        let name = name.trim_end_matches("\\fR");
        assert!(sources.contains(&format!("\"{name}\"")), "{name} means nothing");
    }
}

#[test]
fn tables_are_there_for_programs_too() {
    let desk = with_log();
    let json =
        |line: &str| -> serde_json::Value { serde_json::from_str(&desk.run(line).out).unwrap() };
    let topics = json("topics --json");
    assert_eq!(topics[0]["topic"], "Tide tables");
    assert_eq!(
        (&topics[0]["type"], &topics[0]["days"]),
        (&"project".into(), &serde_json::json!(["2026-03-14"]))
    );
    assert_eq!(json("topics --json --type user"), serde_json::json!([]));
    assert_eq!(json("status --due --json")["due"], false);
    let root = &json("status --json")["root"];
    assert_eq!(root["cap"], 3000);
    let empty = Desk::new();
    empty.write("hipocampus.config.json", "{}");
    assert_eq!(empty.ok("topics --json").out, "[]\n");
}

#[test]
fn root_is_measured_by_its_cap_alone() {
    let desk = with_log();
    desk.write("hipocampus.config.json", "{\"compaction\": {\"rootMaxTokens\": 20000}}\n");
    let many: String = (0..130).fold(String::new(), |text, n| {
        text + &format!("## Habit {n} [user]\n- prefers weir {n}\n")
    });
    desk.write(LOG, many);
    desk.ok("compact");
    let lines = desk.read("memory/ROOT.md").lines().count();
    assert!(lines > 100, "{lines}");
    let status = desk.ok("status").out;
    assert!(!status.contains("/100") && !status.contains("memory/ROOT.md "), "{status}");
    let row = status.lines().find(|line| line.starts_with("ROOT.md")).unwrap();
    assert!(row.contains(" of 20000 tokens, written by hipocampus"), "{row}");
}

#[test]
fn init_ends_in_three_lines() {
    let mut desk = Desk::new();
    let program = desk.beside("bin/hipocampus");
    std::fs::create_dir(desk.beside("bin")).unwrap();
    std::fs::write(&program, "x").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    desk.path = desk.beside("bin").display().to_string();
    desk.exe = program;
    let last = |desk: &Desk| {
        let out = desk.ok("init --no-search").out;
        let lines: Vec<_> = out.lines().rev().take(3).map(str::to_owned).collect();
        lines.into_iter().rev().collect::<Vec<_>>()
    };
    let lines = last(&desk);
    let root = desk.root().display().to_string();
    assert_eq!(
        lines[0],
        format!("set up: Claude Code in `{root}`, with 5 skills and a section in CLAUDE.md")
    );
    assert_eq!(lines[1], "found: no memory yet");
    assert!(lines[2].starts_with("next: start Claude Code here"), "{lines:?}");
    desk.write(LOG, "## Tide tables [project]\n- decision: x\n");
    desk.write("memory/2026-03-10.md", "## Tide tables [project]\n- decision: x\n");
    let lines = last(&desk);
    assert_eq!(lines[1], "found: logs of 2 days, 2026-03-10 to 2026-03-14");
    assert!(lines[2].starts_with("next: run `hipocampus compact`"), "{lines:?}");
}
