//! One file per subcommand: gathers inputs, asks pure code for a plan, prints or applies it.

mod blame;
mod check;
mod compact;
mod completions;
mod flush;
mod forget;
mod hook;
mod import;
mod init;
mod man;
mod mcp;
mod merge;
mod merge_file;
mod pending;
mod projects;
mod promote;
mod recall;
mod redact;
mod resume;
mod scrub;
mod search;
mod show;
mod status;
mod summarize;
mod topics;
mod uninstall;
mod update;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;

use chrono::NaiveDate;
use clap::FromArgMatches as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{Cli, Command, HookCommand};
use crate::error::{Exit, Problem};
use crate::hooks::call::HookCall;
use crate::manual;
use crate::memory::period::{Level, Period};
use crate::progress;
use crate::setup::share;
use crate::terminal;
use crate::world::{Talk, World};

/// Runs one command line. Never exits the process.
pub fn run(args: &[OsString], world: &mut World) -> Exit {
    let as_hook = hook::is_agent_call(args);
    let cli = match read(&asked(&search::words_last(args)), manual::columns(world)) {
        Ok(cli) => cli,
        Err(error) if as_hook && error.use_stderr() => {
            return hook::invalid_command_line(&error, world);
        }
        Err(error) => return usage(&error, world),
    };
    world.talk = match (cli.quiet, cli.verbose) {
        (true, _) => Talk::Quiet,
        (_, true) => Talk::Verbose,
        _ => Talk::Normal,
    };
    if cli.quiet && is_talk(cli.command.as_ref()) {
        world.out = Box::new(std::io::sink());
    }
    let _shown = world.terminal().filter(|_| !as_hook).map(progress::on);
    let dir = cli.dir.as_deref();
    if cli.command.as_ref().is_some_and(is_about_memory) && !as_hook {
        share::remind(world, dir);
    }
    let done = dispatch(cli.command.as_ref(), dir, world);
    let done = done.and_then(|exit| Ok(world.out.flush().map(|()| exit)?));
    let exit = done.unwrap_or_else(|error| terminal::report(world, &error));
    let _ = world.err.flush();
    // Agents read some exit codes of a hook as an order: 2 keeps Claude Code from compacting.
    if as_hook { Exit::Done } else { exit }
}

/// Understands a command line. Help for `columns` has examples, and these are put together only where it is asked for.
fn read(args: &[OsString], columns: usize) -> Result<Cli, clap::Error> {
    let with = |mut command: clap::Command| {
        let matches = command.try_get_matches_from_mut(args)?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    };
    with(manual::bare(columns)).or_else(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            with(manual::command(columns))
        }
        _ => Err(error),
    })
}

/// Hands over to the subcommand; without one, prints the help.
fn dispatch(
    subcommand: Option<&Command>,
    dir: Option<&Path>,
    world: &mut World,
) -> anyhow::Result<Exit> {
    match subcommand {
        None => {
            let help = manual::command(manual::columns(world)).render_help();
            let help = if world.colour() { help.ansi().to_string() } else { help.to_string() };
            write!(world.out, "{help}").map(|()| Exit::Done).map_err(Into::into)
        }
        Some(Command::Compact(args)) if args.stdin && !args.dry_run => {
            Ok(hook::compact(HookCall { dir, private: args.private }, world))
        }
        Some(Command::Compact(args)) => compact::run(args, dir, world),
        Some(Command::Flush(args)) => flush::run(args, dir, world),
        Some(Command::Promote(args)) => promote::run(args, dir, world),
        Some(Command::Import(args)) => import::run(args, dir, world),
        Some(Command::Hook(command)) => {
            let (HookCommand::SessionStart(args)
            | HookCommand::Prompt(args)
            | HookCommand::Tool(args)) = command;
            let call = HookCall { dir, private: args.private };
            Ok(match command {
                HookCommand::SessionStart(_) => hook::session_start(call, world),
                HookCommand::Prompt(_) => hook::prompt(call, world),
                HookCommand::Tool(_) => hook::tool(call, world),
            })
        }
        Some(Command::Search(args)) => search::run(args, dir, world),
        Some(Command::Blame(args)) => blame::run(args, dir, world),
        Some(Command::Recall(args)) => recall::run(args, dir, world),
        Some(Command::Show(args)) => show::run(args, dir, world),
        Some(Command::Topics(args)) => topics::run(args, dir, world),
        Some(Command::Projects(args)) => projects::run(args, world),
        Some(Command::Pending(args)) => pending::run(args, dir, world),
        Some(Command::Summarize(args)) => summarize::run(args, dir, world),
        Some(Command::Check(args)) => check::run(args, dir, world),
        Some(Command::Resume(args)) => resume::run(args, dir, world),
        Some(Command::Status(args)) => status::run(args, dir, world),
        Some(Command::Merge(args)) => merge::run(args, dir, world),
        Some(Command::MergeFile(args)) => merge_file::run(args, world),
        Some(Command::Forget(args)) => forget::run(args, dir, world),
        Some(Command::Scrub(args)) => scrub::run(args, dir, world),
        Some(Command::Redact(args)) => redact::run(args, dir, world),
        Some(Command::Init(args)) => init::run(args, dir, world).map_err(Into::into),
        Some(Command::Update(args)) => update::run(args, dir, world).map_err(Into::into),
        Some(Command::Uninstall(args)) => uninstall::run(args, dir, world).map_err(Into::into),
        Some(Command::Mcp(args)) => mcp::run(args, dir, dispatch, world),
        Some(Command::Completions(args)) => completions::run(args, world),
        Some(Command::Man) => man::run(world),
    }
}

/// Whether a command reads or writes the memory of a project, and so says what keeps its clones from staying one.
fn is_about_memory(command: &Command) -> bool {
    !matches!(
        command,
        Command::Hook(_)
            | Command::MergeFile(_)
            | Command::Redact(_)
            | Command::Projects(_)
            | Command::Init(_)
            | Command::Update(_)
            | Command::Uninstall(_)
            | Command::Mcp(_)
            | Command::Completions(_)
            | Command::Man
    )
}

/// Whether what a command prints reports what it did, rather than what it was asked for.
fn is_talk(command: Option<&Command>) -> bool {
    match command {
        Some(Command::Compact(args)) => !args.json && !args.dry_run,
        Some(Command::Merge(args)) => !args.dry_run,
        Some(Command::Init(args)) => !args.dry_run,
        Some(Command::Update(args)) => !args.init.dry_run,
        Some(Command::Uninstall(args)) => !args.dry_run,
        Some(Command::Import(args)) => !args.dry_run,
        Some(Command::Forget(args)) => args.yes && !args.dry_run,
        Some(Command::Scrub(args)) => args.yes && !args.dry_run,
        Some(Command::Flush(_) | Command::Summarize(_)) => true,
        _ => false,
    }
}

/// `help compact` asks for `compact --help`.
fn asked(args: &[OsString]) -> Vec<OsString> {
    match args {
        [program, help, rest @ ..] if help == "help" => {
            let mut args = vec![program.clone()];
            args.extend(rest.iter().cloned());
            args.push("--help".into());
            args
        }
        args => args.to_vec(),
    }
}

/// The known command that somebody means who typed an unknown one.
fn meant(error: &clap::Error) -> Option<Problem> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let none = Problem::usage(format!("there is no command `{word}`"));
    if let Some(instead) = manual::instead(word) {
        return Some(none.hint(instead));
    }
    Some(none.hint(match manual::meant(word)? {
        "search" | "show" => "`hipocampus search QUESTION` finds what is known, `hipocampus show DAY` prints a day, `hipocampus show last` the latest session".to_owned(),
        command => format!("run `hipocampus {command}`; `hipocampus {command} --help` says what it does"),
    }))
}

/// What clap has to say: help and version are data, the rest is talk.
fn usage(error: &clap::Error, world: &mut World) -> Exit {
    if let Some(problem) = meant(error) {
        return terminal::report(world, &problem.into());
    }
    let text = error.render();
    let colour = if error.use_stderr() { world.colour_of_talk() } else { world.colour() };
    let text = if colour { text.ansi().to_string() } else { text.to_string() };
    if error.use_stderr() {
        let _ = write!(world.err, "{text}");
        Exit::Usage
    } else {
        match write!(world.out, "{text}").and_then(|()| world.out.flush()) {
            Ok(()) => Exit::Done,
            Err(error) => terminal::report(world, &error.into()),
        }
    }
}

/// The date that a person has typed.
///
/// # Errors
/// When it is not.
fn day(text: &str) -> Result<NaiveDate, Problem> {
    match Period::parse(Level::Daily, text) {
        Some(Period::Day(day)) => Ok(day),
        _ => Err(Problem::usage(format!("`{text}` is no date")).hint("write it like `2026-03-15`")),
    }
}
