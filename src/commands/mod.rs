//! One file per subcommand: gathers inputs, asks pure code for a plan, prints or applies it.

mod flush;
mod hook;
mod import;
mod sessions;
mod stdin;

use std::borrow::Cow;
use std::ffi::OsString;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::error::Exit;
use crate::terminal;
use crate::world::World;

/// Keeps everything, until the redactor is merged.
struct Nothing;

impl crate::capture::Redact for Nothing {
    fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(text)
    }
    fn json_line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        Cow::Borrowed(line)
    }
}

/// Runs one command line. Never panics on input, never exits the process.
pub fn run(args: &[OsString], world: &mut World) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = world.err.write_all(error.to_string().as_bytes());
            return Exit::Usage;
        }
    };
    match try_run(&cli, world) {
        Ok(exit) => exit,
        Err(error) => terminal::report(world, &error),
    }
}

fn try_run(cli: &Cli, world: &mut World) -> anyhow::Result<Exit> {
    let root = |world: &World, cwd: Option<&String>| {
        cli.dir.clone().or(cwd.map(std::path::PathBuf::from)).unwrap_or_else(|| world.cwd.clone())
    };
    let read = |world: &mut World| match stdin::read_hook(world) {
        Ok(hook) => Some(hook),
        Err(why) => {
            let _ = writeln!(world.err, "hipocampus: {why}");
            None
        }
    };
    match &cli.command {
        Some(Command::Compact(args)) if args.stdin => {
            let Some(hook) = read(world) else { return Ok(Exit::Done) };
            let root = root(world, hook.cwd.as_ref());
            let memory = crate::disk::Folder::open(&root.join("memory"))?;
            let lock = memory.lock(crate::layout::LOCK, crate::disk::Wait::Hook);
            match &lock {
                crate::disk::Lock::Busy => return Ok(Exit::Done),
                crate::disk::Lock::Unavailable(_) => {
                    let _ = writeln!(world.err, "hipocampus: no lock, turns may double");
                }
                crate::disk::Lock::Held(_) => {}
            }
            let outcome = import::import(&root, &hook, world, &Nothing, None)?;
            for note in outcome.notes {
                let _ = writeln!(world.err, "hipocampus: {note}");
            }
        }
        Some(Command::Flush(args)) => {
            let root = root(world, None);
            return flush::flush(&root, args, world, &Nothing, |_, _| Ok(Exit::Done));
        }
        Some(Command::Hook(_)) => {
            let Some(input) = read(world) else { return Ok(Exit::Done) };
            let root = root(world, input.cwd.as_ref());
            hook::session_start(&root, &input, world, &Nothing, |_, _| {
                Ok(hook::Standing::default())
            })?;
        }
        _ => {}
    }
    Ok(Exit::Done)
}
