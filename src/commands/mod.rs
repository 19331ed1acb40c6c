//! One file per subcommand: gathers inputs, asks pure code for a plan, prints or applies it.

mod compact;
mod completions;
mod due;
mod flush;
mod health;
mod hook;
mod hook_log;
mod import;
mod in_force;
mod index;
mod init;
mod install;
mod man;
mod program;
mod proven;
mod redact;
mod reopen;
mod scene;
mod session_start;
mod sessions;
mod status;
mod stdin;
mod topics;
mod tree;
mod uninstall;
mod update;
mod worktrees;

use std::ffi::OsString;
use std::io::Write as _;

use clap::{CommandFactory, Parser};

use crate::cli::{Cli, Command, HookCommand};
use crate::error::Exit;
use crate::terminal;
use crate::world::World;

/// Runs one command line. Never exits the process.
pub fn run(args: &[OsString], world: &mut World) -> Exit {
    let as_hook = hook::is_meant(args);
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) if as_hook && error.use_stderr() => return hook::misspelt(&error, world),
        Err(error) => return usage(&error, world),
    };
    let dir = cli.dir.as_deref();
    let done = match &cli.command {
        None => write!(world.out, "{}", Cli::command().render_help())
            .map(|()| Exit::Done)
            .map_err(Into::into),
        Some(Command::Compact(args)) if args.stdin => Ok(hook::compact(dir, world)),
        Some(Command::Compact(args)) => compact::run(args, dir, world),
        Some(Command::Flush(args)) => flush::run(args, dir, world),
        Some(Command::Hook(HookCommand::SessionStart)) => Ok(hook::session_start(dir, world)),
        Some(Command::Topics(args)) => topics::run(args, dir, world),
        Some(Command::Status(args)) => status::run(args, dir, world),
        Some(Command::Redact(args)) => redact::run(args, dir, world),
        Some(Command::Init(args)) => init::run(args, dir, world).map_err(Into::into),
        Some(Command::Update(args)) => update::run(args, dir, world).map_err(Into::into),
        Some(Command::Uninstall(args)) => uninstall::run(args, dir, world).map_err(Into::into),
        Some(Command::Completions(args)) => completions::run(args, world),
        Some(Command::Man) => man::run(world),
    };
    let done = done.and_then(|exit| Ok(world.out.flush().map(|()| exit)?));
    let exit = done.unwrap_or_else(|error| terminal::report(world, &error));
    let _ = world.err.flush();
    // Clients take some exit codes of a hook for an order: 2 keeps Claude Code from compacting.
    if as_hook { Exit::Done } else { exit }
}

/// What clap has to say: help and version are data, the rest is talk.
fn usage(error: &clap::Error, world: &mut World) -> Exit {
    let text = error.render();
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
