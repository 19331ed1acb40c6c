//! One file per subcommand: gathers inputs, asks pure code for a plan, prints or applies it.

mod completions;
pub mod health;
mod init;
mod install;
mod man;
mod program;
mod scene;
mod uninstall;
mod update;

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser};

use crate::cli::{Cli, Command};
use crate::error::{Exit, Problem};
use crate::terminal;
use crate::world::World;

/// Runs one command line. Never panics on input, never exits the process.
pub fn run(args: &[OsString], world: &mut World) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let help = error.exit_code() == 0;
            let text = error.to_string();
            let _ = if help { &mut world.out } else { &mut world.err }.write_all(text.as_bytes());
            return if help { Exit::Done } else { Exit::Usage };
        }
    };
    let dir = cli.dir.as_deref();
    let result = match &cli.command {
        Some(Command::Init(args)) => init::run(world, dir, args),
        Some(Command::Update(args)) => update::run(world, dir, args),
        Some(Command::Uninstall(args)) => uninstall::run(world, dir, args),
        Some(Command::Completions(args)) => Ok(completions::run(world, args)),
        Some(Command::Man) => Ok(man::run(world)),
        Some(Command::Compact(_) | Command::Status(_)) => {
            Err(Problem::new("this part is merged from another branch"))
        }
        None => {
            let _ = writeln!(world.out, "{}", Cli::command().render_help());
            Ok(Exit::Done)
        }
    };
    result.unwrap_or_else(|problem| terminal::report(world, &problem.into()))
}
