//! The user's pager, as a child process, for texts that a person reads on a terminal.
//!
//! Taken from `PAGER`, else `less`; found on `PATH` only, never inside the project. What it gets has no escapes but our
//! own colours.

#![expect(clippy::disallowed_methods, reason = "this module runs the pager")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{World, qmd};

/// Shows a text. `false` if there is no pager, or none is wanted: then nothing was shown.
pub(crate) fn page(world: &World, root: &Path, text: &str) -> bool {
    let wanted = world.var("HIPOCAMPUS_PAGER").or_else(|| world.var("PAGER")).unwrap_or("less");
    let words = shell_words::split(wanted).unwrap_or_default();
    let Some((name, arguments)) = words.split_first() else { return false };
    if matches!(name.as_str(), "cat" | "-") {
        return false;
    }
    let Some(program) = qmd::program(world, root, name) else { return false };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(&world.env).stdin(Stdio::piped());
    if world.var("LESS").is_none() {
        // Ends at once where everything fits, lets colours through, leaves the text on the screen.
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut pipe) = child.stdin.take() {
        // Somebody who has seen enough closes it.
        let _ = pipe.write_all(text.as_bytes());
    }
    let _ = child.wait();
    true
}
