//! Holds the texts to the program: what they name has to exist.

#![expect(clippy::disallowed_methods, reason = "reads the texts")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use hipocampus::internals::Cli;

/// The texts that people read, by path.
fn texts() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
            .map(PathBuf::from)
            .into();
    paths.push("examples/sample-memory/README.md".into());
    paths.extend(fs::read_dir("spec").unwrap().map(|entry| entry.unwrap().path()));
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// What is in back-ticks, and the lines of code blocks.
fn code(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced || line.starts_with("    ") {
            found.push(line.trim().trim_start_matches("$ "));
        } else {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

#[test]
fn commands_and_flags_exist() {
    let mut cli = Cli::command();
    cli.build();
    let flags_of = |command: &clap::Command| -> BTreeSet<String> {
        let longs =
            command.get_arguments().filter_map(|arg| arg.get_long().map(|l| format!("--{l}")));
        let shorts =
            command.get_arguments().filter_map(|arg| arg.get_short().map(|s| format!("-{s}")));
        longs.chain(shorts).collect()
    };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (path, text) in texts() {
        for span in code(&text) {
            let words: Vec<&str> = span.split(|c: char| c.is_whitespace() || c == '|').collect();
            let rest = match &words[..] {
                ["hipocampus", "-C", _, rest @ ..] | ["hipocampus", rest @ ..] => rest,
                // `compact --stdin`
                [name, flag, ..]
                    if flag.starts_with("--") && cli.find_subcommand(name).is_some() =>
                {
                    &words[..]
                }
                _ => continue,
            };
            // `hipocampus/` in a tree of folders and the like.
            let Some((name, arguments)) = rest.split_first() else { continue };
            if name.starts_with('-') || !name.chars().all(|c| c.is_ascii_lowercase()) {
                continue;
            }
            seen += 1;
            let command = cli.find_subcommand(name);
            if command.is_none() {
                wrong.push(format!("{}: `{span}`: no command `{name}`", path.display()));
            }
            let Some(command) = command else { continue };
            let flags = flags_of(command);
            // A comment ends a shell line.
            for flag in arguments.iter().take_while(|word| **word != "#") {
                if flag.starts_with('-') && *flag != "-" && !flags.contains(*flag) {
                    wrong.push(format!("{}: `{span}`: no flag `{flag}`", path.display()));
                }
            }
        }
    }
    assert!(seen > 20, "only {seen} commands found: the texts are read wrongly");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Commands of the README that no transcript runs, and what does: a test, or a recipe where a network or a whole build
/// is needed.
const RUN_ELSEWHERE: [(&str, &str); 6] = [
    ("npx hipocampus-memory init", "fn hooks_outlive_the_cache_that_init_was_run_from()"),
    (
        "curl -fsSL https://github.com/kevin-hs-sohn/hipocampus/releases/latest/download/install.sh | sh",
        "fn the_installer_puts_the_program_of_a_release_in_place()",
    ),
    ("cargo install --path . --locked", "with_rust()"),
    ("cd your-project", ""),
    ("examples/first-minute.sh", "examples/first-minute.sh"),
    ("cargo test", "cargo test --locked"),
];

#[test]
fn every_command_of_the_readme_is_run() {
    let readme = fs::read_to_string("README.md").unwrap();
    let blocks = readme.split("```sh\n").skip(1).filter_map(|block| block.split("```").next());
    let lines: Vec<&str> = blocks.flat_map(str::lines).filter(|line| !line.is_empty()).collect();
    assert!(lines.len() > 4, "{lines:?}");
    let mut proofs = String::new();
    collect_rust(Path::new("tests"), &mut proofs);
    for script in [".ci/run", ".github/release/from-nothing.sh"] {
        proofs.push_str(&fs::read_to_string(script).unwrap());
    }
    // The list itself proves nothing.
    let proofs = proofs.replace(&fs::read_to_string("tests/docs.rs").unwrap(), "");
    for line in lines {
        let proof = match line.strip_prefix("hipocampus ") {
            Some("init") => "ok(\"init",
            Some("import") => "[\"import\", \"--yes\"]",
            _ => {
                RUN_ELSEWHERE
                    .iter()
                    .find(|(command, _)| *command == line)
                    .unwrap_or_else(|| panic!("nothing runs `{line}`"))
                    .1
            }
        };
        assert!(proofs.contains(proof), "`{line}` is not run by `{proof}`");
    }
    // What is in `RUN_ELSEWHERE` is in the README.
    for (command, _) in RUN_ELSEWHERE {
        assert!(readme.contains(command), "{command}");
    }
}

#[test]
fn flags_named_alone_belong_to_some_command() {
    let mut cli = Cli::command();
    cli.build();
    let mut flags: BTreeSet<String> = BTreeSet::new();
    let mut commands: Vec<&clap::Command> = vec![&cli];
    while let Some(command) = commands.pop() {
        flags.extend(
            command
                .get_arguments()
                .filter_map(|arg| arg.get_long())
                .map(|long| format!("--{long}")),
        );
        commands.extend(command.get_subcommands());
    }
    let mut wrong = Vec::new();
    for (path, text) in texts() {
        // What a contributor types is cargo's and just's.
        if path.ends_with("CONTRIBUTING.md") || path.ends_with("ARCHITECTURE.md") {
            continue;
        }
        for span in code(&text).into_iter().filter(|span| span.starts_with("--")) {
            let flag = span.split_whitespace().next().unwrap_or(span);
            if flag.len() > 2 && flag != "---" && !flags.contains(flag) {
                wrong.push(format!("{}: `{span}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "no such flag:\n{}", wrong.join("\n"));
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for (path, text) in texts() {
        let folder = path.parent().unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let to = if file.is_empty() { path.clone() } else { folder.join(file) };
            let known = fs::read_to_string(&to).is_ok_and(|text| {
                anchor.is_empty()
                    || text.lines().any(|line| anchor_of(line).as_deref() == Some(anchor))
            });
            if !known {
                wrong.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a heading is linked to by: lower case, spaces as hyphens, everything else but letters and digits left out.
fn anchor_of(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    Some(kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect())
}

#[test]
fn the_map_of_the_architecture_is_true() {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let map = text.split("## Map").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let cells = map.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let named: BTreeSet<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let missing: Vec<_> = named.iter().filter(|path| !Path::new(path).exists()).collect();
    assert!(named.len() > 20 && missing.is_empty(), "{missing:?}");
    // Every file directly in src/, and every folder of it, is in the map.
    for entry in fs::read_dir("src").unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let small = ["error.rs", "terminal.rs", "text.rs"].contains(&name.as_str());
        let stands = named.iter().any(|path| {
            // A folder of a module's parts belongs to the module.
            path.trim_end_matches('/').trim_end_matches(".rs")
                == format!("src/{name}").trim_end_matches(".rs")
                || path.starts_with(&format!("src/{name}/"))
        });
        assert!(small || stands, "src/{name} is missing in the map of ARCHITECTURE.md");
    }
}

/// It is to be of use to other programs as well.
#[test]
fn redaction_needs_nothing_else_of_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/capture/redact");
    let mut code = fs::read_to_string(folder.with_extension("rs")).unwrap();
    collect_rust(&folder, &mut code);
    let uses: Vec<&str> = code.match_indices("crate::").map(|(at, _)| &code[at..]).collect();
    assert!(code.len() > 100_000, "{}", code.len());
    for used in uses {
        let line = used.lines().next().unwrap();
        assert!(used.starts_with("crate::capture::redact"), "{line}");
    }
}

#[test]
fn every_difference_has_its_own_test() {
    let table = fs::read_to_string("spec/npm-tool.md").unwrap();
    let names: Vec<&str> =
        code(&table).into_iter().filter(|span| span.starts_with("npm_")).collect();
    let rows = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| npm tool"))
        .count();
    assert_eq!(names.len(), rows, "each row names one test");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), rows, "no test stands for two rows");
    let mut sources = String::new();
    collect_rust(Path::new("tests"), &mut sources);
    collect_rust(Path::new("src"), &mut sources);
    let missing: Vec<_> =
        names.iter().filter(|name| !sources.contains(&format!("fn {name}()"))).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let tests = sources.split("fn npm_").skip(1).filter_map(|rest| rest.split_once("() {"));
    let without_row: Vec<_> = tests
        .filter(|(name, _)| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        .map(|(name, _)| format!("npm_{name}"))
        .filter(|name| !names.contains(&name.as_str()))
        .collect();
    assert!(without_row.is_empty(), "{without_row:#?}");
}

/// How the released program is built is in one profile, so every build of it names that and the lock file.
#[test]
fn the_released_program_is_built_in_one_way() {
    for path in ["justfile", ".github/workflows/release.yml", ".github/release/release-dry.sh"] {
        let text = fs::read_to_string(path).unwrap();
        let builds: Vec<_> = text.lines().filter(|line| line.contains("--profile dist")).collect();
        assert_eq!(builds.len(), 1, "{path}");
        assert!(builds[0].contains("cargo build --locked --profile dist --target"), "{path}");
    }
}

fn collect_rust(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_rust(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}
