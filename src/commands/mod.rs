//! One file per subcommand: gathers inputs, asks pure code for a plan, prints or applies it.

mod redact;

use std::ffi::OsString;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::error::Exit;
use crate::terminal;
use crate::world::World;

/// Runs one command line. Never panics on input, never exits the process.
pub fn run(args: &[OsString], world: &mut World) -> Exit {
    let Ok(cli) = Cli::try_parse_from(args) else { return Exit::Usage };
    let done = match &cli.command {
        Some(Command::Redact(args)) => redact::run(args, world),
        _ => Ok(Exit::Done),
    };
    done.unwrap_or_else(|error| terminal::report(world, &error))
}
