//! Agents that keep each session in a file of its own, in JSONL: where those lie.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::opened_folder;
use crate::disk::{self, NotRead, Stored};
use crate::platform::Store;
use crate::world::World;

/// Where the files of an agent are.
#[derive(Debug)]
pub(super) struct SessionFolder {
    pub(super) store: Store,
    /// the variable that moves its folder, and the folder's name in the user's home
    home: (&'static str, &'static str),
    /// the folder in it that has them
    below: &'static str,
    /// how deep they are in that
    depth: usize,
    /// the only folder in each of those below that may have any; empty where all may
    inner: &'static str,
    /// whether a file is that of a session
    is_one: fn(&Path) -> bool,
    /// the folder that a session was held in, where no record of it tells
    folder: fn(&Path) -> Option<PathBuf>,
}

const COPILOT: SessionFolder = SessionFolder {
    store: Store::Copilot,
    home: ("COPILOT_HOME", ".copilot"),
    below: "session-state",
    depth: 2,
    inner: "",
    is_one: |path| path.file_name().is_some_and(|name| name == "events.jsonl"),
    folder: |_| None,
};

/// The same events, as VS Code keeps them for a workspace.
const VSCODE: SessionFolder = SessionFolder {
    store: Store::Copilot,
    home: ("XDG_CONFIG_HOME", ".config"),
    below: "Code/User/workspaceStorage",
    depth: 1,
    inner: "GitHub.copilot-chat/transcripts",
    is_one: |path| is_in(path, "transcripts") && is_jsonl(path),
    folder: |path| workspace(path.ancestors().nth(3)?),
};

const DROID: SessionFolder = SessionFolder {
    store: Store::Droid,
    home: ("", ".factory"),
    below: "sessions",
    depth: 2,
    inner: "",
    is_one: is_jsonl,
    folder: |_| None,
};

const QWEN: SessionFolder = SessionFolder {
    store: Store::Qwen,
    home: ("", ".qwen"),
    below: "projects",
    depth: 3,
    inner: "",
    is_one: |path| is_in(path, "chats") && is_jsonl(path),
    folder: |_| None,
};

const GEMINI: SessionFolder = SessionFolder {
    store: Store::Gemini,
    home: ("", ".gemini"),
    below: "tmp",
    depth: 3,
    inner: "",
    is_one: |path| is_in(path, "chats") && is_jsonl(path),
    folder: |path| {
        let noted =
            disk::read_stored(&path.ancestors().nth(2)?.join(".project_root"), 4096).ok()?;
        Some(PathBuf::from(String::from_utf8(noted).ok()?.trim_end()))
    },
};

const CURSOR: SessionFolder = SessionFolder {
    store: Store::Cursor,
    home: ("CURSOR_DATA_DIR", ".cursor"),
    below: "projects",
    depth: 2,
    inner: "agent-transcripts",
    is_one: is_jsonl,
    folder: opened_folder::of,
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

/// Those of a store, or of all.
pub(super) fn session_folders(
    store: Option<Store>,
) -> impl Iterator<Item = &'static SessionFolder> {
    const ALL: [&SessionFolder; 6] = [&COPILOT, &VSCODE, &DROID, &QWEN, &GEMINI, &CURSOR];
    ALL.into_iter().filter(move |place| store.is_none_or(|store| place.store == store))
}

impl SessionFolder {
    /// The files of sessions, whosever they are.
    pub(super) fn files(&self, world: &World) -> Vec<Result<Stored, NotRead>> {
        let (variable, name) = self.home;
        // The user may have laid a link to the agent's folder.
        let folder =
            home(world, variable, name).map(|home| disk::real_path(&home).join(self.below));
        let Some(folder) = folder else { return Vec::new() };
        if self.inner.is_empty() {
            return disk::stored(&folder, self.depth, self.is_one);
        }
        let inner = disk::names(&folder).into_iter().map(|name| folder.join(name).join(self.inner));
        inner.flat_map(|folder| disk::stored(&folder, self.depth, self.is_one)).collect()
    }

    /// The folder that a session was held in, as its records or what the agent notes beside them tell.
    pub(super) fn held_in(&self, path: &Path, cwd: Option<&str>) -> Option<PathBuf> {
        cwd.map(PathBuf::from).or_else(|| (self.folder)(path))
    }
}

/// The id of a session whose records do not tell it.
pub(super) fn id(path: &Path) -> Option<String> {
    let is_named = is_jsonl(path) && path.file_stem()? != "events";
    let name = if is_named { path.file_stem()? } else { path.parent()?.file_name()? };
    Some(name.to_string_lossy().into_owned())
}

/// Whether a file of Copilot is there, which writes that of a new session a moment after it has called its first hooks.
pub(super) fn is_written(path: &Path) -> bool {
    const MOMENT: Duration = Duration::from_millis(700);
    disk::appears(path, MOMENT)
}

/// The file of a session of Copilot by its id.
pub(super) fn of_copilot(id: &str, world: &World) -> Option<PathBuf> {
    let is_name = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let home = home(world, COPILOT.home.0, COPILOT.home.1).filter(|_| is_name)?;
    let path = home.join(COPILOT.below).join(id).join("events.jsonl");
    is_written(&path).then_some(path)
}

/// The file of a session of Cursor by its id, whatever folder it was held in.
pub(super) fn of_cursor(id: &str, world: &World) -> Option<PathBuf> {
    let is_name = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let projects =
        home(world, CURSOR.home.0, CURSOR.home.1).filter(|_| is_name)?.join(CURSOR.below);
    let name = format!("{id}.jsonl");
    let of_project = |slug: String| {
        let folder = projects.join(slug).join(CURSOR.inner);
        [folder.join(id).join(&name), folder.join(&name)]
    };
    disk::names(&projects).into_iter().flat_map(of_project).find(|path| disk::is_there(path))
}

/// An agent's folder: where the variable says, else in the user's home.
pub(super) fn home(world: &World, variable: &str, name: &str) -> Option<PathBuf> {
    let moved = world.var(variable).map(PathBuf::from);
    moved.or_else(|| Some(Path::new(world.var("HOME")?).join(name)))
}
