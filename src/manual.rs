//! What is said about the program: help, manual pages and completions, all from the clap types of [`crate::cli`], with
//! examples for each command.

use clap::{Command, CommandFactory as _};

use crate::World;
use crate::cli::Cli;

/// What each command is used for, as command lines without `hipocampus`. A command may bring its own as `after_help`.
/// Those of a command stand together.
const EXAMPLES: [(&str, &str); 84] = [
    ("compact", "after writing logs by hand"),
    ("compact --dry-run", "what would be written, and why"),
    ("compact --reopen 2026-03-15", "once that day's log has changed after its week was fixed"),
    ("flush", "save what is new in the latest session"),
    (
        "flush -m 'small commits, one per idea' --type feedback",
        "a rule that every session shall know",
    ),
    ("flush - < notes.md", "entries with headings of their own"),
    (
        "flush --user --type feedback -m 'answer in German'",
        "a rule for every project; `init --user` first",
    ),
    ("promote Commit messages", "a rule of this project holds in every one"),
    ("promote --dry-run Commit messages", "which entry would move"),
    ("import", "every past session; lists them and asks first"),
    ("import --dry-run --since 2026-01-01", "what there is of this year"),
    ("import --json", "the list, for a program"),
    ("import --from ~/old/place --yes", "from before the project moved"),
    ("import --deleted", "what you typed in sessions that are deleted"),
    ("import exports/ session.jsonl", "exported transcripts"),
    ("search why did we drop the prefix index", "a question"),
    ("search '\"exact phrase\" cookie -staging'", "a phrase, and a word to leave out"),
    ("search --in 2026-03 --by user deploy", "what you said of it in March"),
    ("search --type feedback commit messages", "rules"),
    ("search what broke last week --json", "for a program"),
    ("search --everywhere how did I set up the retries", "in all your projects"),
    ("recall let us cache the requests in redis", "what an agent hears at this prompt"),
    ("recall --why let us cache the requests", "and why, with what was left out"),
    ("blame src/net/lock.rs", "what is known about a file"),
    ("show memory/2026-03-15.md:120-140", "some lines"),
    ("show memory/2026-03-15.md:120", "the log around a line"),
    ("show yesterday", "the node of a day"),
    ("show 2026-W11", "of a week"),
    ("show last --lines 200", "the latest session"),
    ("topics", "what is open"),
    ("topics --all --type feedback", "every rule there ever was"),
    ("topics --json", "for a program"),
    ("projects", "which of yours are noted"),
    ("projects --forget ~/work/secret", "leave one out of every search"),
    ("resume", "how to go on with the latest session"),
    ("resume 0b1c2d3e", "with this one"),
    ("resume 0b1c2d3e --exec", "go on with it now"),
    ("status", "one screen"),
    ("status --all", "with nodes, hooks and what is odd"),
    ("status --json", "all of it, for a program"),
    ("status --receipt", "every turn that agents still have, compared with the memory"),
    ("status --due", "whether a model should summarise now"),
    ("pending", "what needs a summary, in order, with the cost"),
    ("pending --prompt", "the prompt for a model, for the first of them"),
    ("pending 2026-W11", "of one by name"),
    ("pending --claim --prompt", "the same, reserved for 30 minutes"),
    ("summarize 2026-03-15 summary.md", "what you or a model wrote; checked first"),
    (
        "summarize --exec 'claude -p --tools \"\"' --limit 5",
        "with an agent, its tools switched off",
    ),
    ("summarize --exec 'codex exec --sandbox read-only -'", "estimates the cost and asks"),
    ("summarize --allow", "let the command in the configuration run here"),
    ("forget --match 'my salary' --dry-run", "what would go, and from where"),
    ("forget --match 'my salary'", "every turn and entry that says it"),
    ("forget 2026-03-15", "a whole day"),
    ("forget 0b1c2d3e --yes", "a session, without being asked"),
    ("forget --again", "what was forgotten before and came back"),
    ("forget --user --match 'answer in German'", "a rule of your own memory"),
    ("scrub --dry-run", "how many secrets today's rules find"),
    ("scrub", "take them out, after asking"),
    ("merge /media/stick/project", "what this memory lacks and another copy has"),
    ("merge --dry-run ../laptop/memory", "which files would change"),
    ("merge 'memory/2026-03-15 (1).md'", "a copy that a synced folder made of a log"),
    ("check", "what is wrong, and the command that repairs it"),
    ("check --fix", "repair what loses nothing"),
    ("check --json", "for a program"),
    ("redact notes.md", "the text without its secrets"),
    ("redact --json < session.jsonl", "a transcript that stays JSON"),
    ("init", "in the project's folder; finds the agent"),
    ("init --platform codex", "for an agent you name, or one more"),
    ("init --import", "with every past session of the project"),
    ("init --share", "let git have the memory; once in each clone"),
    ("init --private", "without a trace in the repository"),
    ("init --user", "your own memory, whose rules hold in every project"),
    ("init --dry-run", "every line that would change"),
    ("update", "after an upgrade, or to take over a project of the npm tool"),
    ("update --dry-run", "every line that would change"),
    ("uninstall", "skills, section and hooks go, the memory stays"),
    ("uninstall --dry-run", "every line that would change"),
    ("uninstall --purge", "the memory goes too; asks first"),
    ("uninstall --user", "your own memory is told no more, its entries stay"),
    ("mcp", "what an agent starts that has neither hooks nor a shell"),
    ("mcp --write -C ~/work/skerry", "of this project, and it may save entries"),
    ("completions bash > ~/.local/share/bash-completion/completions/hipocampus", ""),
    ("completions fish > ~/.config/fish/completions/hipocampus.fish", ""),
    ("man > ~/.local/share/man/man1/hipocampus.1", "then: man hipocampus"),
];

/// The same for who knows no command yet.
const FIRST_STEPS: [(&str, &str); 3] = [
    ("init", "set this folder up, once"),
    ("status", "what is remembered"),
    ("flush -m 'we deploy on Tuesdays' --type project", "remember something yourself"),
];

/// Words people type first, and the commands that do what they mean, the best one first.
const MEANT: [(&[&str], &[&str]); 12] = [
    (&["log", "logs", "cat", "read", "history", "print", "get", "view"], &["show", "topics"]),
    (&["find", "grep", "query", "ask", "lookup"], &["search", "topics"]),
    (&["list", "ls", "index", "entries"], &["topics"]),
    (&["add", "save", "remember", "note", "write", "append", "checkpoint"], &["flush"]),
    (&["install", "setup", "start", "new", "create", "enable"], &["init"]),
    (&["upgrade", "migrate"], &["update"]),
    (&["delete", "erase", "drop", "rm"], &["forget"]),
    (&["repair", "fix", "verify", "fsck", "validate", "test"], &["check"]),
    (&["remove", "disable", "deinit"], &["uninstall"]),
    (&["build", "run", "sync", "refresh", "rebuild", "gc"], &["compact"]),
    (&["summarise", "summary", "summaries", "digest", "waiting"], &["pending"]),
    (&["info", "stats", "doctor", "health", "stat"], &["status"]),
];

/// Words people type first that are no command, and what to do instead.
const INSTEAD: [(&[&str], &str); 4] = [
    (&["version"], "run `hipocampus --version`"),
    (
        &["config", "settings", "set"],
        "edit `hipocampus.config.json`; its `$schema` knows every key",
    ),
    (&["export", "backup", "dump"], "the memory is plain text: copy the folder `memory/`"),
    (
        &["push", "pull", "share", "clone"],
        "`hipocampus init --share` lets git carry the memory; `hipocampus merge DIR` brings in a copy",
    ),
];

/// The narrowest and the widest help, in columns.
const COLUMNS: (usize, usize) = (60, 100);

/// The command line as it is understood, for a terminal of `columns`.
pub(crate) fn bare(columns: usize) -> Command {
    Cli::command().term_width(columns)
}

/// The same with everything that is said about it.
pub(crate) fn command(columns: usize) -> Command {
    let text = |examples: &[_]| format!("Examples:\n{}", lines(examples, columns));
    let mut command = bare(columns).after_help(text(&FIRST_STEPS));
    for examples in EXAMPLES.chunk_by(|(one, _), (next, _)| name_in(one) == name_in(next)) {
        let name = name_in(examples[0].0);
        if command.find_subcommand(name).is_some_and(|known| known.get_after_help().is_none()) {
            command = command.mut_subcommand(name, |known| known.after_help(text(examples)));
        }
    }
    command
}

fn name_in(line: &str) -> &str {
    line.split(' ').next().unwrap_or(line)
}

/// How many columns help may take: those of the terminal, as far as they are readable.
pub(crate) fn columns(world: &World) -> usize {
    let given = world.var("COLUMNS").and_then(|text| text.parse().ok());
    given.or(world.columns).unwrap_or(COLUMNS.1).clamp(COLUMNS.0, COLUMNS.1)
}

/// A line for each example: what it is for is after it where there is room, else above it.
fn lines(examples: &[(&str, &str)], columns: usize) -> String {
    let widest = examples.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let fits = examples.iter().all(|(_, what)| {
        what.is_empty() || "  hipocampus ".len() + widest + 2 + what.len() + 2 <= columns
    });
    let row = |(line, what): &(&str, &str)| match (what.is_empty(), fits) {
        (true, _) => format!("  hipocampus {line}\n"),
        (_, true) => format!("  hipocampus {line:<widest$}  # {what}\n"),
        (_, false) => format!("  # {what}\n  hipocampus {line}\n"),
    };
    examples.iter().map(row).collect::<String>().trim_end().to_owned()
}

/// The command that somebody means who types an unknown word.
pub(crate) fn meant(word: &str) -> Option<&'static str> {
    let known = Cli::command();
    let (_, commands) = MEANT.iter().find(|(words, _)| words.contains(&word))?;
    commands.iter().copied().find(|name| known.find_subcommand(name).is_some())
}

/// What to use instead of a command that does not exist.
pub(crate) fn instead(word: &str) -> Option<&'static str> {
    INSTEAD.iter().find(|(words, _)| words.contains(&word)).map(|(_, what)| *what)
}

/// The command line without what only clients call.
pub(crate) fn visible() -> Command {
    let whole = command(COLUMNS.1);
    let shown = whole.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let shown: Vec<_> = shown.collect();
    Command::new("hipocampus")
        .version(env!("HIPOCAMPUS_VERSION"))
        .about(whole.get_about().cloned().unwrap_or_default())
        .after_help(whole.get_after_help().cloned().unwrap_or_default())
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(whole.get_arguments().cloned())
        .subcommands(shown)
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    /// The command lines in a help text.
    fn examples(help: &str) -> Vec<String> {
        let lines = help.lines().filter_map(|line| line.trim().strip_prefix("hipocampus "));
        lines.map(|line| line.split("  #").next().unwrap_or(line).trim().to_owned()).collect()
    }

    /// The words of an example, without where its streams go.
    fn words(line: &str) -> Vec<String> {
        let line = line.split(['>', '<']).next().unwrap();
        shell_words::split(&format!("hipocampus {line}")).unwrap()
    }

    #[test]
    fn every_command_has_examples_and_they_are_understood() {
        for columns in [60, 100] {
            let mut whole = command(columns);
            whole.build();
            let own = whole.get_after_help().unwrap().to_string();
            let mut texts = vec![("hipocampus".to_owned(), own)];
            for known in whole.get_subcommands().filter(|known| !known.is_hide_set()) {
                let name = known.get_name().to_owned();
                let text = known.get_after_help().map(ToString::to_string);
                texts.push((name.clone(), text.unwrap_or_else(|| panic!("`{name}` has none"))));
            }
            for (name, text) in texts {
                let examples = examples(&text);
                assert!(!examples.is_empty(), "{name}: {text}");
                for line in examples {
                    let matches = command(columns).try_get_matches_from(words(&line));
                    let read = matches.and_then(|matches| Cli::from_arg_matches(&matches));
                    assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
                }
            }
        }
    }

    #[test]
    fn help_fits_into_sixty_columns() {
        let mut whole = command(60);
        whole.build();
        let mut helps = vec![whole.clone().render_long_help().to_string()];
        helps.extend(whole.get_subcommands_mut().map(|known| known.render_long_help().to_string()));
        for line in helps.iter().flat_map(|help| help.lines()) {
            // A command line is not broken.
            let whole = line.trim_start().starts_with("hipocampus ");
            assert!(whole || line.chars().count() <= 60, "{line}");
        }
    }

    #[test]
    fn words_that_are_no_command_lead_to_one() {
        #[track_caller]
        fn check(word: &str, expect: &[&str]) {
            assert!(expect.contains(&meant(word).unwrap_or("none")), "{word}: {:?}", meant(word));
        }
        check("log", &["show", "topics"]);
        check("find", &["search", "topics"]);
        check("list", &["topics"]);
        check("save", &["flush"]);
        check("xyz", &["none"]);
        // No word that has become a command is explained away.
        let known = Cli::command();
        for word in MEANT.iter().flat_map(|(words, _)| words.iter()) {
            assert!(known.find_subcommand(word).is_none(), "{word}");
        }
    }

    #[test]
    fn clients_commands_are_not_offered() {
        let offered = visible();
        assert!(offered.find_subcommand("hook").is_none());
        assert!(offered.find_subcommand("compact").is_some());
    }
}
