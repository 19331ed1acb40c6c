//! `hipocampus completions SHELL`: a completion script on stdout.

use crate::cli::CompletionsArgs;
use crate::manual;
use crate::{Exit, World};

pub(super) fn run(args: &CompletionsArgs, world: &mut World) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut manual::visible(), "hipocampus", &mut script);
    world.out.write_all(&script)?;
    Ok(Exit::Done)
}
