//! A run of this program that nobody waits for: with a session of its own, no stream of anybody's, and little of the
//! processor.

#![expect(clippy::disallowed_methods, reason = "this module starts this program once more")]

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{nice, setsid};

use crate::world::World;

/// How much later it comes than other processes.
const NICE: i32 = 10;

/// Starts this program on a project. It leads a process group at once, so that the end of the caller's group is not its own.
pub(crate) fn start(world: &World, root: &Path, args: &[&str]) {
    if let Some(mut command) = command(world, root, args) {
        let _ = command.process_group(0).spawn();
    }
}

/// Lets go of the terminal and of whoever called. Whether this process is to do the work: one that leads a process group
/// cannot have a session of its own, and has started itself once more.
pub(crate) fn let_go(world: &World, root: &Path, args: &[&str]) -> bool {
    if setsid().is_err() {
        return command(world, root, args).is_none_or(|mut command| command.spawn().is_err());
    }
    let _ = nice(NICE);
    true
}

fn command(world: &World, root: &Path, args: &[&str]) -> Option<Command> {
    let mut command = Command::new(world.exe.as_ref()?);
    command.arg("-C").arg(root).args(args).current_dir("/").env_clear().envs(&world.env);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Some(command)
}
