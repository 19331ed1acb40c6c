//! git, as a child process, for what a person asks for: telling this clone how to merge, and looking at other branches.
//! Found on `PATH` only, never inside the project. No hook runs it.

#![expect(clippy::disallowed_methods, reason = "this module runs git")]

use std::path::Path;
use std::process::{Command, Stdio};

use crate::World;
use crate::qmd::{self, ProgramError};

pub(crate) fn output(
    world: &World,
    root: &Path,
    arguments: &[&str],
) -> Result<Vec<u8>, ProgramError> {
    let git = qmd::program(world, root, "git").ok_or(ProgramError::Missing("git"))?;
    let mut command = Command::new(git);
    command.arg("-C").arg(root).args(arguments).env_clear().envs(&world.env);
    // Whoever calls us may have set these for another repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command.env("GIT_OPTIONAL_LOCKS", "0").stdin(Stdio::null());
    let done = command.output()?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(ProgramError::Said(said.lines().next_back().unwrap_or("git failed").to_owned()))
}
