//! Whether a log was written here by this user: the only thing that is kept outside of a project for it.
//!
//! `STATE/hipocampus/logs/ID` holds the path of the memory whose log has this id in its first line. `STATE` is
//! `$XDG_STATE_HOME`, else `~/.local/state`.

use std::io;
use std::path::PathBuf;

use crate::disk::{self, Folder};
use crate::world::World;

/// How the first line of a log begins; its id follows.
const FIRST: &str = "hipocampus log ";
/// The digits of an id.
const DIGITS: usize = 32;

/// Whose a log is.
pub(super) enum Trust {
    /// this user's, written here; the first line
    Known(String),
    /// nobody knows
    Foreign,
    /// there is no folder to keep ids in
    Untold,
}

impl Trust {
    /// Looks up whose a log with this text is.
    pub(super) fn of(world: &World, memory: &Folder, text: &str) -> Self {
        let Some(logs) = folder(world) else { return Trust::Untold };
        let first = text.lines().next().unwrap_or_default();
        if is_first(first) {
            let place = disk::read_users_file(&logs.join(&first[FIRST.len()..])).ok().flatten();
            if place.is_some_and(|place| place == path_of(memory)) {
                return Trust::Known(first.to_owned());
            }
        }
        if disk::may_create(&logs.join("id")) { Trust::Foreign } else { Trust::Untold }
    }

    /// Whether it may be anybody's.
    pub(super) fn is_foreign(&self) -> bool {
        !matches!(self, Trust::Known(_))
    }
}

/// Whether a line has an id in it, as the first one of a log does.
pub(super) fn is_first(line: &str) -> bool {
    line.strip_prefix(FIRST).is_some_and(|id| {
        id.len() == DIGITS && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// The first line of a new log, once its id is on record.
pub(super) fn register(world: &World, memory: &Folder) -> io::Result<String> {
    let logs = folder(world).ok_or(io::ErrorKind::NotFound)?;
    let id = disk::random_name(DIGITS)?;
    disk::create_private(&logs.join(&id), &path_of(memory))?;
    Ok(format!("{FIRST}{id}\n"))
}

/// Forgets the id in a first line.
pub(super) fn unregister(world: &World, first: &str) {
    if let (Some(logs), true) = (folder(world), is_first(first)) {
        let removed = Folder::open(&logs).and_then(|logs| logs.remove(&first[FIRST.len()..]));
        // A record that names nothing does no harm.
        let _ = removed;
    }
}

fn folder(world: &World) -> Option<PathBuf> {
    Some(world.state_folder()?.join("logs"))
}

fn path_of(memory: &Folder) -> Vec<u8> {
    disk::real_path(memory.path()).into_os_string().into_encoded_bytes()
}
