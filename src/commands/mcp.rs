//! `hipocampus mcp`: the memory for an agent that speaks the Model Context Protocol on stdin and stdout.

use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;

use anyhow::Result;

use crate::cli::McpArgs;
use crate::error::{Exit, Problem};
use crate::mcp::{Dispatch, Settings, serve};
use crate::world::World;

/// `hipocampus mcp`: until stdin ends.
pub(crate) fn run(
    args: &McpArgs,
    dir: Option<&Path>,
    dispatch: Dispatch,
    world: &mut World,
) -> Result<Exit> {
    if world.in_is_terminal {
        writeln!(world.err, "hipocampus mcp: waiting for an agent on stdin; Ctrl-D ends it")?;
    }
    let Some(stdin) = world.stdin.take() else { return Ok(Exit::Done) };
    let settings = Settings {
        dir: dir.map(Path::to_path_buf),
        write: args.write,
        everywhere: args.everywhere,
        dispatch,
    };
    let (answers, lines) = channel();
    let serving = thread::spawn(move || serve(settings, stdin, answers));
    for line in lines {
        world.out.write_all(&line)?;
        world.out.flush()?;
    }
    let served = serving.join().map_err(|_| Problem::new("the server ended in the middle"))?;
    served.map(|()| Exit::Done)
}
