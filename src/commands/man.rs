//! `hipocampus man`: the manual page on stdout, subcommands included.

use std::fmt::Write as _;

use clap_mangen::Man;

use crate::manual;
use crate::{Exit, World};

/// What the environment changes, in the order of the page.
const ENVIRONMENT: [(&str, &str); 16] = [
    ("CLAUDE_PROJECT_DIR", "where to start looking for the project, unless -C is given"),
    ("HIPOCAMPUS_OFF", "hooks save nothing of the session"),
    ("HIPOCAMPUS_NO_REGISTER", "neither hooks nor init note the project among yours"),
    ("HIPOCAMPUS_NOW", "replaces the clock: an RFC 3339 date and time"),
    ("TRANSCRIPT_PATH", "the session that compact imports if no hook names one"),
    ("CLAUDE_CONFIG_DIR", "where Claude Code keeps its sessions, instead of ~/.claude"),
    ("CODEX_HOME", "where Codex keeps its sessions, instead of ~/.codex"),
    ("XDG_DATA_HOME", "below it lie copies of the program that init makes out of a package cache"),
    ("XDG_STATE_HOME", "records below it which hook logs and which projects are this user's"),
    ("HOME", "where the folders above are looked for by default"),
    ("PATH", "where qmd, agents and this program are looked for"),
    ("NO_COLOR", "no colour on any terminal"),
    ("CLICOLOR_FORCE", "colour also where no terminal is, unless it is 0"),
    ("CLICOLOR", "no colour if it is 0"),
    ("TERM", "no colour if it is dumb"),
    ("COLUMNS", "how wide help may be, 60 to 100"),
];

/// What lies where, below the project.
const FILES: [(&str, &str); 11] = [
    ("hipocampus.config.json", "the configuration; its presence makes a folder a project"),
    ("memory/YYYY-MM-DD.md", "logs, only ever appended to"),
    ("memory/daily/, weekly/, monthly/", "nodes, made from the logs"),
    ("memory/ROOT.md", "the index that every session loads"),
    ("memory/.hipocampus.background", "what summaries in the background last did"),
    ("memory/.hipocampus.tokens.jsonl", "what summaries by a command cost"),
    ("memory/.hipocampus.log", "what went wrong in hooks; status repeats it"),
    ("memory/.session-transcript-YYYY-MM-DD.jsonl", "the records of imported sessions, redacted"),
    ("SCRATCHPAD.md, WORKING.md, TASK-QUEUE.md", "the agent's state of work"),
    (".hipocampus/installed.json", "what init made and changed, for uninstall"),
    (".hipocampus/backup/", "files of yours as they were before the first edit"),
];

const EXITS: [(&str, &str); 4] = [
    ("0", "done, or there was nothing to do; a hook always ends so"),
    ("1", "something went wrong, or nothing was found"),
    ("2", "the command line was not understood, or a question went unanswered"),
    ("75", "another run has the memory"),
];

pub(super) fn run(world: &mut World) -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    let mut command = manual::visible().mut_arg("help", |flag| flag.hide(true));
    let general = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command = command.after_help("");
    command.build();
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    let whole = Man::new(command);
    let mut head = Vec::new();
    let _ = whole.render(&mut head);
    // The text after the help, which is empty here, would have a section of this name.
    page.extend(String::from_utf8_lossy(&head).replace(".SH EXTRA\n", "").bytes());
    let mut examples = examples_of("", &general);
    for subcommand in subcommands {
        let name = subcommand.get_name().to_uppercase();
        let text = subcommand.get_after_help().map(ToString::to_string).unwrap_or_default();
        examples.push_str(&examples_of(subcommand.get_name(), &text));
        let man = Man::new(subcommand.after_help(""));
        page.extend(format!(".SH \"COMMAND {name}\"\n").bytes());
        let mut parts = Vec::new();
        let _ = man.render_description_section(&mut parts);
        let _ = man.render_options_section(&mut parts);
        // Sections of a section are subsections.
        page.extend(String::from_utf8_lossy(&parts).replace(".SH ", ".SS ").bytes());
    }
    page.extend(section("ENVIRONMENT", &ENVIRONMENT).bytes());
    page.extend(section("FILES", &FILES).bytes());
    page.extend(section("EXIT STATUS", &EXITS).bytes());
    page.extend(format!(".SH EXAMPLES\n{examples}").bytes());
    let about = "What is remembered and how is specified in the spec/ folder of the repository.";
    let home = env!("CARGO_PKG_REPOSITORY");
    page.extend(format!(".SH SEE ALSO\n{}\n.br\n{}\n", escaped(about), escaped(home)).bytes());
    world.out.write_all(&page)?;
    Ok(Exit::Done)
}

/// Paragraphs that begin with a name.
fn section(title: &str, rows: &[(&str, &str)]) -> String {
    let mut text = format!(".SH \"{title}\"\n");
    for (name, what) in rows {
        let _ = writeln!(text, ".TP\n\\fB{}\\fR\n{}", escaped(name), escaped(what));
    }
    text
}

/// The examples of a help text as lines that are not filled.
fn examples_of(name: &str, text: &str) -> String {
    let lines = text.lines().filter(|line| line.starts_with("  "));
    let lines: Vec<_> = lines.map(|line| escaped(line.trim())).collect();
    let title = if name.is_empty() { String::new() } else { format!(".SS {name}\n") };
    if lines.is_empty() {
        String::new()
    } else {
        format!("{title}.nf\n{}\n.fi\n", lines.join("\n"))
    }
}

/// Text that roff reads as text.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    #[test]
    fn the_files_it_names_are_those_of_the_layout() {
        let named =
            |path: &str| FILES.iter().any(|(names, _)| names.split(", ").any(|it| it == path));
        assert!(named(layout::CONFIG) && named(&layout::root_path()));
        assert!(named(&layout::in_memory(layout::LOG)));
        assert!(layout::HOT_FILES.iter().all(|(path, _)| named(path)));
        assert!(named(crate::install::RECORD) && named(&format!("{}/", crate::install::BACKUP)));
    }

    #[test]
    fn text_is_no_request_of_roffs() {
        assert_eq!(escaped(".hipocampus/x-y"), "\\&.hipocampus/x\\-y");
        assert_eq!(escaped("it's \\"), "it\\(aqs \\e");
    }
}
