//! Past sessions of a project: those that lie in the stores of clients, and those that somebody names.
//!
//! A session is found by where it lies and told to be the project's by the folder it was held in, never by its words. What
//! cannot be read is named and passed over.

mod claude_code;
mod codex;
mod look;
mod named;
mod openclaw;
mod opencode;

use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::sessions::is_project_of;
use super::source::{Conversation, SourceKind};
use crate::capture::transcript::Origin;
use crate::capture::{block, specstory};
use crate::disk::{self, NotRead, StoreError, Stored, Transcript, describe};
use crate::plan::Note;
use crate::platform::{self, Store};
use crate::world::World;
#[cfg(test)]
pub(crate) use look::SittingStart;
pub(crate) use look::{InMemory, SessionContents, look};

/// The most bytes of a conversation that cannot be streamed: 256 MiB.
const LIMIT: u64 = 256 * 1024 * 1024;
/// What a note is about whose text names the file.
const UNNAMED: &str = "import";
/// What exports of SpecStory are listed under.
pub(crate) const SPECSTORY: &str = "specstory";

#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// only those of this client, by its id
    pub(crate) agent: Option<String>,
    /// folders that the project had before
    pub(crate) from: Vec<PathBuf>,
    /// exported transcripts, instead of the stores
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Default)]
pub(crate) struct PastSessions {
    /// sessions of the project, each once, in order of agent and id
    pub(crate) sessions: Vec<Past>,
    pub(crate) passed_over: Vec<Note>,
}

impl PastSessions {
    /// Passes over a file or folder, or what an error names.
    fn pass_over(&mut self, what: Option<&Path>, why: &(dyn Error + 'static)) {
        let what = what.map_or_else(|| UNNAMED.to_owned(), |path| path.display().to_string());
        self.passed_over.push(Note::problem(what, describe(why)));
    }

    /// Passes over a file or folder for what it is.
    fn refuse(&mut self, path: &Path, why: &str) {
        self.passed_over.push(Note::problem(path.display().to_string(), why));
    }

    /// Takes each of the files below a folder; what cannot be looked at is passed over in its place.
    fn each(
        &mut self,
        folder: &Path,
        depth: usize,
        wanted: impl Fn(&Path) -> bool,
        mut take: impl FnMut(&mut Self, &Stored),
    ) {
        for stored in disk::stored(folder, depth, wanted) {
            match stored {
                Ok(stored) => take(self, &stored),
                Err(why) => self.pass_over(None, &why),
            }
        }
    }

    /// Adds those sessions of a database that are the project's; each comes with the folder it was held in.
    fn add(
        &mut self,
        whose: &Owner<'_>,
        path: &Path,
        read: Result<Vec<(String, Past)>, StoreError>,
    ) {
        match read {
            Ok(sessions) => {
                let ours = sessions.into_iter().filter(|(cwd, _)| whose.owns(Path::new(cwd)));
                self.sessions.extend(ours.map(|(_, past)| past));
            }
            Err(why) => self.pass_over(Some(path), &why),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Past {
    /// the id of the client, or [`SPECSTORY`]
    pub(crate) agent: &'static str,
    pub(crate) id: String,
    pub(crate) kept: Kept,
    /// when its client wrote to it last, in nanoseconds since 1970
    pub(crate) written: i64,
    /// what its client calls it, where that does not stand among its records
    pub(crate) title: Option<String>,
}

/// How a session is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// lines of JSON, and how many bytes
    Lines(PathBuf, u64),
    /// the same packed with zstd
    Packed(PathBuf),
    Export(PathBuf),
    /// its records among those of a day's backup, as where the log lost them, and the ranges in which they stand
    Backup(PathBuf, Vec<Range<u64>>),
    /// rows of OpenCode's database
    OpenCode(PathBuf),
    /// rows of a database of OpenClaw
    OpenClaw(PathBuf),
    /// rows of Codex's paginated history
    CodexHistory(PathBuf),
}

impl Past {
    /// One that lies in a file of its own, as lines or packed.
    fn in_file(agent: &'static str, id: String, stored: &Stored) -> Self {
        let path = stored.path.clone();
        let is_packed = path.extension().is_some_and(|it| it == "zst");
        let kept =
            if is_packed { Kept::Packed(path) } else { Kept::Lines(path, stored.stamp.size) };
        Self { agent, id, kept, written: stored.stamp.mtime, title: None }
    }

    pub(crate) fn path(&self) -> &Path {
        let (Kept::Lines(path, _)
        | Kept::Packed(path)
        | Kept::Export(path)
        | Kept::Backup(path, _)
        | Kept::OpenCode(path)
        | Kept::OpenClaw(path)
        | Kept::CodexHistory(path)) = &self.kept;
        path
    }

    pub(crate) fn agent_name(&self) -> &'static str {
        platform::by_id(self.agent).map_or("SpecStory", |row| row.name)
    }

    pub(super) fn open(&self) -> Result<Opened, NotRead> {
        let messages = match &self.kept {
            Kept::Lines(path, _) => return Transcript::open(path).map(Opened::File),
            Kept::Packed(path) => disk::read_packed(path, LIMIT).map(|bytes| codex::lines(&bytes)),
            Kept::Export(path) => disk::read_stored(path, LIMIT)
                .map(|bytes| specstory::read(&String::from_utf8_lossy(&bytes)).messages),
            Kept::Backup(path, ranges) => named::records(path, ranges, &self.id),
            Kept::OpenCode(path) => opencode::messages(path, &self.id),
            Kept::OpenClaw(path) => openclaw::messages(path, &self.id),
            Kept::CodexHistory(path) => codex::messages(path, &self.id),
        };
        messages.map(Opened::Messages).map_err(|why| NotRead::of(self.path(), why))
    }

    /// What an import calls the session in markers.
    pub(super) fn name(&self, opened: &Opened) -> io::Result<String> {
        let id = match opened {
            Opened::File(_) => opened.source().origin()?.session,
            Opened::Messages(_) => None,
        };
        Ok(block::session_name(id.as_ref().unwrap_or(&self.id)))
    }

    fn note(&self, why: &str) -> Note {
        Note::problem(self.path().display().to_string(), why)
    }
}

pub(super) enum Opened {
    File(Transcript),
    Messages(Vec<Box<RawValue>>),
}

impl Opened {
    pub(super) fn source(&self) -> Conversation<'_> {
        match self {
            Self::File(file) => Conversation::whole(SourceKind::File(file)),
            Self::Messages(messages) => Conversation::whole(SourceKind::Messages(messages)),
        }
    }
}

/// Finds past sessions of the project in `root`.
pub(crate) fn find(root: &Path, world: &World, wish: &Filter) -> PastSessions {
    let mut found = PastSessions::default();
    let whose = Owner { root, from: &wish.from };
    let wants = |agent: &str| wish.agent.as_deref().is_none_or(|wanted| wanted == agent);
    if wish.paths.is_empty() {
        for row in platform::ALL.iter().filter(|row| wants(row.id)) {
            match row.store {
                Some(Store::ClaudeCode) => claude_code::find(&whose, world, &mut found),
                Some(Store::Codex) => codex::find(&whose, world, &mut found),
                Some(Store::OpenCode) => opencode::find(&whose, world, &mut found),
                Some(Store::OpenClaw) => openclaw::find(&whose, world, &mut found),
                None => {}
            }
        }
    } else {
        for path in &wish.paths {
            named::find(path, &mut found);
        }
        found.sessions.retain(|session| wants(session.agent));
    }
    // The same session may lie in two places, as after a move; lines that can be streamed come first, then what is newest.
    let rank = |kept: &Kept| match kept {
        Kept::Lines(_, size) => (0, u64::MAX - size),
        Kept::Packed(_) => (1, 0),
        Kept::Export(_) => (3, 0),
        _ => (2, 0),
    };
    found.sessions.sort_by(|a, b| {
        (a.id.as_str(), rank(&a.kept), a.path()).cmp(&(b.id.as_str(), rank(&b.kept), b.path()))
    });
    let mut seen = BTreeSet::new();
    found.sessions.retain(|session| seen.insert(session.id.clone()));
    found.sessions.sort_by(|a, b| (a.agent, &a.id).cmp(&(b.agent, &b.id)));
    found
}

/// The session of Codex that has this id, whosever it is.
pub(crate) fn of_codex(id: &str, world: &World) -> Result<Option<Past>, NotRead> {
    codex::held(id, world)
}

/// The past sessions of the project that do not lie in files of Claude Code or Codex, line by line as they were said, and
/// which stores of them cannot be read. Of a single file that cannot be, nobody knows whose it is.
pub(crate) fn stored(root: &Path, world: &World) -> PastSessions {
    let mut stored = PastSessions::default();
    for store in [Store::Codex, Store::OpenCode, Store::OpenClaw] {
        let agent = Some(platform::id_of(store).to_owned());
        let found = find(root, world, &Filter { agent, ..Filter::default() });
        let is_line = |past: &Past| store == Store::Codex && matches!(past.kept, Kept::Lines(..));
        stored.sessions.extend(found.sessions.into_iter().filter(|past| !is_line(past)));
        let names_store = |note: &Note| note.about != UNNAMED;
        stored.passed_over.extend(found.passed_over.into_iter().filter(names_store));
    }
    stored
}

/// Tells whether a session is the project's.
struct Owner<'a> {
    root: &'a Path,
    /// folders that it had before
    from: &'a [PathBuf],
}

impl Owner<'_> {
    fn owns(&self, cwd: &Path) -> bool {
        self.from.iter().any(|from| cwd.starts_with(from)) || is_project_of(self.root, cwd)
    }
}

/// Where a transcript in a store comes from.
fn origin_of(stored: &Stored) -> Result<Origin, NotRead> {
    match stored.refused {
        Some(why) => Err(NotRead::of(&stored.path, StoreError::Refused(why))),
        None => super::origin(&stored.path),
    }
}

/// Said of a database that lacks the tables and columns that are known here.
const UNKNOWN: &str = "it is of a format that this version does not know";

fn known(is_known: bool) -> io::Result<()> {
    if is_known { Ok(()) } else { Err(io::Error::other(UNKNOWN)) }
}

/// A client's folder: where the variable says, else in the user's home. The user may have laid a link to it; no link
/// below it is followed.
fn home(world: &World, variable: &str, name: &str) -> Option<PathBuf> {
    super::sessions::home(world, variable, name).map(|home| disk::real_path(&home))
}
