//! One file per subcommand: gathers inputs, asks pure code for a plan, prints or applies it.

use std::ffi::OsString;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::error::Exit;
use crate::terminal;
use crate::world::World;

/// Runs one command line. Never panics on input, never exits the process.
pub fn run(args: &[OsString], world: &mut World) -> Exit {
    let _ = (args, world);
    Exit::Done
}
