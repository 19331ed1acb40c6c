//! Which commands of a configuration this user allowed to run, and where: kept in the user's state folder, where no
//! clone and no pull reaches.
//!
//! `STATE/hipocampus/summarizers.jsonl`, a line for each project: `{path, command, hash, maxTokensPerDay,
//! background}`. `STATE` is
//! `$XDG_STATE_HOME`, else `~/.local/state`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Problem;
use crate::disk;
use crate::text::json_lines;
use crate::world::World;

/// A command that may run for one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Allowed {
    /// the project's folder
    path: String,
    /// the command, to the letter
    command: String,
    /// its hash, as the record of tokens has it
    hash: String,
    /// the most tokens a day that the user saw when allowing it
    pub(crate) max_tokens_per_day: u64,
    /// whether hooks may start it; one that was allowed before runs only when somebody asks for it
    #[serde(default)]
    pub(crate) background: bool,
}

/// The hash by which the record of tokens names a command.
pub(crate) fn hash_of(command: &str) -> String {
    format!("{:016x}", crate::plan::hash(command.as_bytes()))
}

/// What this user allowed for a project, if it is this command. A hash could be met on purpose, so that the command
/// itself is compared.
pub(crate) fn of(world: &World, root: &Path, command: &str) -> Option<Allowed> {
    let path = path_of(root);
    all(world).into_iter().find(|one| one.path == path && one.command == command)
}

/// Lets a command run for a project, in the place of the one before, where `background` says so also by hooks. Returns where that is noted down. Fails when there
/// is no state folder, or it cannot be written.
pub(crate) fn allow(
    world: &World,
    root: &Path,
    command: &str,
    max_tokens_per_day: u64,
    background: bool,
) -> Result<PathBuf, Problem> {
    let file = file(world).ok_or_else(|| {
        Problem::new("there is no folder to keep the permission in")
            .hint("set `HOME` or `XDG_STATE_HOME`; nothing was changed")
    })?;
    let path = path_of(root);
    let mut all = all(world);
    all.retain(|one| one.path != path);
    let (command, hash) = (command.to_owned(), hash_of(command));
    all.push(Allowed { path, command, hash, max_tokens_per_day, background });
    let line = |one: &Allowed| serde_json::to_string(one).unwrap_or_default() + "\n";
    let text: String = all.iter().map(line).collect();
    disk::put_private(&file, text.as_bytes())?;
    Ok(file)
}

fn all(world: &World) -> Vec<Allowed> {
    let bytes = file(world).and_then(|file| disk::read_users_file(&file).ok().flatten());
    json_lines(&bytes.unwrap_or_default())
}

fn file(world: &World) -> Option<PathBuf> {
    Some(world.state_folder()?.join("summarizers.jsonl"))
}

fn path_of(root: &Path) -> String {
    disk::real_path(root).to_string_lossy().into_owned()
}
