//! Commands that are known to write summaries: without tools, without a project, with the agent's small model where it has
//! one.

use super::program;
use crate::Problem;
use crate::splice::command::quote;
use crate::summaries::output::JsonForm;
use crate::world::World;

/// A program and how it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    pub(crate) command: &'static str,
}

/// What Claude Code and OpenCode print: the answer with its price.
pub(crate) const FORMS: [JsonForm; 2] = [
    JsonForm { answer: "/result", usd: "/total_cost_usd", error: "/result" },
    JsonForm { answer: "/part/text", usd: "/part/cost", error: "/error/data/message" },
];

/// Each reads the prompt on stdin and prints the answer, alone or in one of [`FORMS`]. None leaves a session in the agent's
/// history. Gemini CLI has no switch for that, so its home is in the temporary folder of the call, with the user's login.
const ALL: [Preset; 4] = [
    Preset {
        name: "claude",
        command: "CLAUDE_CODE_MAX_RETRIES=2 claude -p --model haiku --tools '' --strict-mcp-config --no-session-persistence --system-prompt 'You sum up what you are given.' --output-format json",
    },
    Preset {
        name: "codex",
        command: "codex exec --ephemeral --skip-git-repo-check --sandbox read-only -c features.shell_tool=false -c features.unified_exec=false -c features.multi_agent=false -c web_search=disabled -c model_reasoning_effort=low -",
    },
    Preset {
        name: "opencode",
        command: "OPENCODE_DB=:memory: OPENCODE_CONFIG_CONTENT='{\"tools\":{\"*\":false}}' opencode run --pure --title summary --format json",
    },
    Preset {
        name: "gemini",
        command: "mkdir -p home/.gemini && for file in settings.json oauth_creds.json google_accounts.json .env; do ln -sf ~/.gemini/$file home/.gemini/; done; GEMINI_CLI_HOME=$PWD/home gemini --skip-trust -m gemini-2.5-flash -o text",
    },
];
/// Stands before the name of a model.
const OLLAMA: &str = "ollama:";

/// The first of these programs that is there, with its command; of all, where none of them is.
pub(crate) fn installed(world: &World, first: &[&str]) -> Option<Preset> {
    let is_there = |preset: &Preset| !program::on_path(world, preset.name).is_empty();
    let mut there: Vec<Preset> = ALL.into_iter().filter(is_there).collect();
    there.sort_by_key(|preset| !first.contains(&preset.name));
    there.first().copied()
}

/// What the preset is called that has this command.
pub(crate) fn name_of(command: &str) -> Option<&'static str> {
    ALL.iter().find(|preset| preset.command == command).map(|preset| preset.name)
}

/// The command that a word of the user's means: that of a preset, of a model of ollama's, or the word itself.
///
/// # Errors
/// When it is one word that is neither a preset nor a program.
pub(crate) fn command(world: &World, given: &str) -> Result<String, Problem> {
    if let Some(preset) = ALL.iter().find(|preset| preset.name == given) {
        return Ok(preset.command.to_owned());
    }
    if let Some(model) = given.strip_prefix(OLLAMA).filter(|model| !model.is_empty()) {
        return Ok(format!("ollama run {}", quote(model)));
    }
    if given.trim().contains([' ', '/']) || !program::on_path(world, given).is_empty() {
        return Ok(given.to_owned());
    }
    let names: Vec<&str> = ALL.iter().map(|preset| preset.name).collect();
    Err(Problem::usage(format!("`{given}` is no summarizer and no program on your PATH")).hint(
        format!(
            "use {}, `ollama:MODEL`, or a whole command; nothing was changed",
            names.join(", ")
        ),
    ))
}
