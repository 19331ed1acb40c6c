//! One file per subcommand: gathers inputs, asks pure code for a plan, prints or applies it.

mod import;
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
    match try_run(cli, world) {
        Ok(exit) => exit,
        Err(error) => terminal::report(world, &error),
    }
}

fn try_run(cli: Cli, world: &mut World) -> anyhow::Result<Exit> {
    let hook = match &cli.command {
        Some(Command::Compact(args)) if args.stdin => stdin::read_hook(world),
        _ => return Ok(Exit::Done),
    };
    let hook = match hook {
        Ok(hook) => hook,
        Err(why) => {
            let _ = writeln!(world.err, "hipocampus: {why}");
            return Ok(Exit::Done);
        }
    };
    let root = cli.dir.clone().unwrap_or_else(|| {
        hook.cwd.as_ref().map_or_else(|| world.cwd.clone(), std::path::PathBuf::from)
    });
    let memory = crate::disk::Folder::open(&root.join("memory"))?;
    let lock = memory.lock(crate::layout::LOCK, crate::disk::Wait::Hook);
    if !lock.is_held() {
        return Ok(Exit::Done);
    }
    let outcome = import::import(&root, &hook, world, &Nothing, None)?;
    for note in outcome.notes {
        let _ = writeln!(world.err, "hipocampus: {note}");
    }
    Ok(Exit::Done)
}
