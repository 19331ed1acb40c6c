//! Who writes summaries: what the flags say, or somebody at a terminal.

use std::fmt::Write as _;

use super::preset;
use crate::cli::InitArgs;
use crate::config::{Config, SummaryMode, SummaryWriter};
use crate::install::WriterChoice;
use crate::layout::CONFIG;
use crate::platform::Platform;
use crate::summaries::estimate;
use crate::terminal::{read_line, safe};
use crate::text::grouped;
use crate::world::Talk;
use crate::{Problem, World};

/// What the flags say, else what somebody at a terminal answers who was never asked; `None` where it stays as it is.
///
/// # Errors
/// When the flags contradict each other, or name no command that there is.
pub(crate) fn choose(
    world: &mut World,
    config: &Config,
    args: &InitArgs,
    platforms: &[&'static Platform],
) -> Result<Option<WriterChoice>, Problem> {
    let words = [SummaryWriter::Agent, SummaryWriter::Background, SummaryWriter::Off];
    let named = |word: &str| words.into_iter().find(|by| by.word() == word);
    let command =
        args.summarizer.as_deref().map(|word| preset::command(world, word)).transpose()?;
    let by = args.summaries.as_deref().and_then(named);
    let by = by.or(command.as_ref().map(|_| SummaryWriter::Background));
    let Some(by) = by else { return Ok(ask(world, config, args, platforms)) };
    let is_known = command.is_some() || config.summarizer.command.is_some();
    if by == SummaryWriter::Background && !is_known {
        return Err(Problem::usage("no command is named that writes summaries in the background")
            .hint("name it with `--summarizer claude`, `codex`, `opencode`, `gemini`, `ollama:MODEL`, or a whole command; nothing was changed"));
    }
    Ok(Some(WriterChoice { by, command }))
}

/// Asks once, where somebody can answer and the configuration does not say.
fn ask(
    world: &mut World,
    config: &Config,
    args: &InitArgs,
    platforms: &[&'static Platform],
) -> Option<WriterChoice> {
    let is_open = config.summaries.by.is_none() && config.summaries.mode == SummaryMode::Due;
    let can_answer = world.in_is_terminal && world.err_is_terminal && world.talk > Talk::Quiet;
    if !is_open || !can_answer || args.dry_run || world.var("CI").is_some() {
        return None;
    }
    let programs: Vec<&str> = platforms.iter().map(|row| row.program).collect();
    let preset = preset::installed(world, &programs);
    let (input, output) = estimate::a_day(config);
    let price = format!("{} tokens to read and {} to write", grouped(input), grouped(output));
    let most = grouped(config.summarizer.tokens_a_day());
    let mut text = format!(
        "who writes the summaries of this memory? a day of much work costs about {price}\n  \
         1  the agent, in its session: offered once a day, and nothing is spent unasked\n"
    );
    if let Some(preset) = preset {
        let _ = writeln!(
            text,
            "  2  {} in the background, {most} tokens a day at most: `{}`",
            preset.name, preset.command
        );
    }
    let off = if preset.is_some() { 3 } else { 2 };
    let _ = write!(
        text,
        "  {off}  nobody: extracts made without a model stay, and nothing is spent\nnumber [1]: "
    );
    let _ = world.err.write_all(safe(&text).as_bytes());
    let _ = world.err.flush();
    let answer = read_line(world)?;
    let (by, command) = match (answer.trim(), preset) {
        ("" | "1", _) => (SummaryWriter::Agent, None),
        ("2", Some(preset)) => (SummaryWriter::Background, Some(preset.command.to_owned())),
        ("2", None) | ("3", Some(_)) => (SummaryWriter::Off, None),
        _ => {
            let line = format!(
                "nothing was chosen: the agent writes them; `summaries.by` in `{CONFIG}` says so from now on"
            );
            super::steps::remark(world, &line);
            (SummaryWriter::Agent, None)
        }
    };
    Some(WriterChoice { by, command })
}
