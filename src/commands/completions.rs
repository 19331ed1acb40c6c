//! `hipocampus completions SHELL`: a completion script on stdout.

use clap::CommandFactory as _;

use crate::cli::{Cli, CompletionsArgs};
use crate::{Exit, World};

pub(super) fn run(args: &CompletionsArgs, world: &mut World) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hipocampus", &mut script);
    world.out.write_all(&script)?;
    Ok(Exit::Done)
}
