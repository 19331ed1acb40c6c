//! Agents that keep each session in a file of its own, in JSONL: where those lie.

use std::path::{Path, PathBuf};

use super::{Owner, Past, PastSessions, home, origin_of};
use crate::disk::{self, Stored};
use crate::platform::{Store, id_of};
use crate::world::World;

/// Where the files of an agent are.
pub(super) struct Place {
    store: Store,
    /// the variable that moves its folder, and the folder's name in the user's home
    home: (&'static str, &'static str),
    /// the folder in it that has them
    below: &'static str,
    /// how deep they are in that
    depth: usize,
    /// whether a file is that of a session
    is_one: fn(&Path) -> bool,
    /// the folder that a session was held in, where no record of it tells
    folder: fn(&Path) -> Option<PathBuf>,
}

pub(super) const COPILOT: Place = Place {
    store: Store::Copilot,
    home: ("COPILOT_HOME", ".copilot"),
    below: "session-state",
    depth: 2,
    is_one: |path| path.file_name().is_some_and(|name| name == "events.jsonl"),
    folder: |_| None,
};

/// The same events, as VS Code keeps them for a workspace.
const VSCODE: Place = Place {
    store: Store::Copilot,
    home: ("XDG_CONFIG_HOME", ".config"),
    below: "Code/User/workspaceStorage",
    depth: 4,
    is_one: |path| is_in(path, "transcripts") && is_jsonl(path),
    folder: |path| workspace(path.ancestors().nth(3)?),
};

pub(super) const DROID: Place = Place {
    store: Store::Droid,
    home: ("", ".factory"),
    below: "sessions",
    depth: 2,
    is_one: is_jsonl,
    folder: |_| None,
};

pub(super) const QWEN: Place = Place {
    store: Store::Qwen,
    home: ("", ".qwen"),
    below: "projects",
    depth: 3,
    is_one: |path| is_in(path, "chats") && is_jsonl(path),
    folder: |_| None,
};

pub(super) const GEMINI: Place = Place {
    store: Store::Gemini,
    home: ("", ".gemini"),
    below: "tmp",
    depth: 3,
    is_one: |path| is_in(path, "chats") && is_jsonl(path),
    folder: |path| {
        let noted =
            disk::read_stored(&path.ancestors().nth(2)?.join(".project_root"), 4096).ok()?;
        Some(PathBuf::from(String::from_utf8(noted).ok()?.trim_end()))
    },
};

fn is_jsonl(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "jsonl")
}

/// Whether a file is right in a folder of this name.
fn is_in(path: &Path, folder: &str) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|name| name == folder)
}

/// The folder that VS Code has noted for a workspace: `{"folder": "file:///home/me/project"}`.
fn workspace(storage: &Path) -> Option<PathBuf> {
    let noted = disk::read_stored(&storage.join("workspace.json"), 64 * 1024).ok()?;
    let noted: serde_json::Value = serde_json::from_slice(&noted).ok()?;
    let path = noted.get("folder")?.as_str()?.strip_prefix("file://")?;
    Some(PathBuf::from(percent_encoding::percent_decode_str(path).decode_utf8().ok()?.as_ref()))
}

/// Finds those of the project.
pub(super) fn find(place: &Place, whose: &Owner<'_>, world: &World, found: &mut PastSessions) {
    let (variable, name) = place.home;
    if let Some(home) = home(world, variable, name) {
        let take = |found: &mut PastSessions, stored: &Stored| session(place, whose, stored, found);
        found.each(&home.join(place.below), place.depth, place.is_one, take);
    }
    if place.store == Store::Copilot && place.below == COPILOT.below {
        find(&VSCODE, whose, world, found);
    }
}

fn session(place: &Place, whose: &Owner<'_>, stored: &Stored, found: &mut PastSessions) {
    let origin = match origin_of(stored) {
        Ok(origin) if origin.delegated => return,
        Ok(origin) => origin,
        Err(why) => return found.pass_over(None, &why),
    };
    let cwd = origin.cwd.map(PathBuf::from).or_else(|| (place.folder)(&stored.path));
    let stem = || stored.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let (Some(cwd), Some(id)) = (cwd, origin.session.or_else(stem)) else { return };
    found.take(whose, &cwd, Past::in_file(id_of(place.store), id, stored));
}

/// The file of a session of Copilot by its id.
pub(super) fn of_copilot(id: &str, world: &World) -> Option<PathBuf> {
    let is_name = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let home = home(world, COPILOT.home.0, COPILOT.home.1).filter(|_| is_name)?;
    let path = home.join(COPILOT.below).join(id).join("events.jsonl");
    disk::is_there(&path).then_some(path)
}
