//! Sessions of agents that keep each in a file of its own, in JSONL.

use std::path::Path;

use super::{Owner, Past, PastSessions, origin_of};
use crate::disk::Stored;
use crate::import::agent_files::{self, SessionFolder, session_folders};
use crate::import::opened_folder;
use crate::platform::{Store, id_of};
use crate::world::World;

/// Finds those of the project.
pub(super) fn find(store: Store, whose: &Owner<'_>, world: &World, found: &mut PastSessions) {
    for place in session_folders(Some(store)) {
        for stored in place.files(world) {
            match stored {
                Ok(stored) => session(place, whose, &stored, found),
                Err(why) => found.pass_over(None, &why),
            }
        }
    }
}

fn session(place: &SessionFolder, whose: &Owner<'_>, stored: &Stored, found: &mut PastSessions) {
    let origin = match origin_of(stored) {
        Ok(origin) => origin,
        Err(why) => return found.pass_over(None, &why),
    };
    let cwd = place.held_in(&stored.path, origin.cwd.as_deref());
    let Some(id) = origin.session.or_else(|| agent_files::id(&stored.path)) else { return };
    let past = Past::in_file(id_of(place.store), id, stored);
    let past = Past { delegated: origin.delegated, ..past };
    match cwd {
        Some(cwd) => found.take(whose, &cwd, past),
        None if whose.from.iter().any(|from| is_named_after(&past, from)) => {
            found.add(past);
        }
        None if !past.delegated && is_named_after(&past, whose.root) && past.says_something() => {
            found.untold.push(past);
        }
        None => {}
    }
}

fn is_named_after(past: &Past, folder: &Path) -> bool {
    opened_folder::is_named_after(past.path(), folder)
}
