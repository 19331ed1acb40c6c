//! Past sessions of a project: those that lie in the stores of clients, and those that somebody names.
//!
//! A session is found by where it lies and told to be the project's by the folder it was held in, never by its words.
//! What cannot be read is named and passed over.

mod by_file;
mod claude_code;
mod cline;
mod codex;
mod look;
mod named;
mod openclaw;
mod opencode;
mod prompts;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::sessions::is_project_of;
use super::source::{Conversation, SourceKind};
use crate::capture::transcript::{Role, TranscriptOrigin};
use crate::capture::{block, specstory};
use crate::disk::{self, NotRead, StoreError, Stored, Transcript, Worktree, describe};
use crate::hooks::off;
use crate::layout;
use crate::plan::Note;
use crate::platform::{self, Store};
use crate::project;
use crate::world::World;
#[cfg(test)]
pub(crate) use look::SessionStart;
pub(crate) use look::{InMemory, SessionContents, look};
pub(crate) use prompts::{Deleted, deleted};

/// The most bytes of a session that cannot be streamed: 256 MiB.
const LIMIT: u64 = 256 * 1024 * 1024;
/// What a note is about whose text names the file.
const UNNAMED: &str = "import";
/// What exports of SpecStory are listed under.
pub(crate) const SPECSTORY: &str = "specstory";

#[derive(Debug, Clone, Default)]
pub(crate) struct PastFilter {
    /// only those of this client, by its id
    pub(crate) agent: Option<String>,
    /// folders that the project had before
    pub(crate) from: Vec<PathBuf>,
    /// exported transcripts, instead of the stores
    pub(crate) paths: Vec<PathBuf>,
    /// what is left of sessions that their agents have deleted, instead of those they still have
    pub(crate) deleted: Option<DeletedWish>,
}

/// Which sessions of those that were deleted an earlier run has begun to import.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeletedWish {
    pub(crate) begun: BTreeSet<String>,
}

#[derive(Debug, Default)]
pub(crate) struct PastSessions {
    /// sessions of the project, each once, in order of agent and id
    pub(crate) sessions: Vec<Past>,
    /// those that lie where the project's do without a record that tells in which folder they were held
    pub(crate) untold: Vec<Past>,
    /// those that were held in a folder that is gone and may have been a worktree of the project, each with that folder
    pub(crate) gone: Vec<(PathBuf, Past)>,
    pub(crate) passed_over: Vec<Note>,
    /// those of the project that no import takes in
    pub(crate) left_out: Vec<(Past, LeftOut)>,
}

/// Why no import takes a session in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftOut {
    /// an agent held it for another agent, which says what came of it
    Delegated,
    /// the user kept it out of the memory
    Off,
}

/// Said of a session of which nobody can tell whose it is.
pub(super) const UNTOLD: &str = "no record of it tells in which folder it was held, so it may be another project's; if it is this one's, `hipocampus import` takes it in by its path";

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

    /// Adds a session that was held in a folder, if it is the project's.
    fn take(&mut self, whose: &Owner<'_>, cwd: &Path, past: Past) {
        if whose.owns(cwd) {
            self.add(Past { held_in: Some(cwd.to_path_buf()), ..past });
        } else if whose.may_have_owned(cwd) && !past.delegated {
            self.gone.push((cwd.to_path_buf(), past));
        }
    }

    /// Adds one of the project's.
    fn add(&mut self, past: Past) {
        if past.delegated {
            self.left_out.push((past, LeftOut::Delegated));
        } else {
            self.sessions.push(past);
        }
    }

    /// Adds those sessions of a database that are the project's; each comes with the folder it was held in.
    fn add_all(
        &mut self,
        whose: &Owner<'_>,
        path: &Path,
        read: Result<Vec<(String, Past)>, StoreError>,
    ) {
        match read {
            Ok(sessions) => {
                for (cwd, past) in sessions {
                    self.take(whose, Path::new(&cwd), past);
                }
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
    pub(crate) kept: KeptAs,
    /// when its client wrote to it last, in nanoseconds since 1970
    pub(crate) written: i64,
    /// what its client calls it, where that is not among its records
    pub(crate) title: Option<String>,
    /// the folder it was held in, where that is known
    pub(crate) held_in: Option<PathBuf>,
    /// whether an agent held it for another agent
    pub(super) delegated: bool,
}

/// How a session is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeptAs {
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
    /// a file of Cline
    Cline(PathBuf),
    /// what was typed in a session that its agent has deleted, as records
    Prompts(PathBuf, Vec<String>),
}

impl Past {
    pub(super) fn new(agent: &'static str, id: String, kept: KeptAs, written: i64) -> Self {
        Self { agent, id, kept, written, title: None, held_in: None, delegated: false }
    }

    /// One that lies in a file of its own, as lines or packed.
    fn in_file(agent: &'static str, id: String, stored: &Stored) -> Self {
        let path = stored.path.clone();
        let is_packed = path.extension().is_some_and(|it| it == "zst");
        let kept =
            if is_packed { KeptAs::Packed(path) } else { KeptAs::Lines(path, stored.stamp.size) };
        Self::new(agent, id, kept, stored.stamp.mtime)
    }

    pub(crate) fn path(&self) -> &Path {
        let (KeptAs::Lines(path, _)
        | KeptAs::Packed(path)
        | KeptAs::Export(path)
        | KeptAs::Backup(path, _)
        | KeptAs::OpenCode(path)
        | KeptAs::OpenClaw(path)
        | KeptAs::Prompts(path, _)
        | KeptAs::Cline(path)
        | KeptAs::CodexHistory(path)) = &self.kept;
        path
    }

    /// How many messages it has by now, where that can be told without reading them.
    pub(super) fn message_count(&self) -> Option<u64> {
        if let KeptAs::Cline(path) = &self.kept { cline::count(path) } else { None }
    }

    pub(crate) fn agent_name(&self) -> &'static str {
        platform::by_id(self.agent).map_or("SpecStory", |row| row.name)
    }

    pub(super) fn open(&self) -> Result<Opened, NotRead> {
        let messages = match &self.kept {
            KeptAs::Lines(path, _) => return Transcript::open(path).map(Opened::File),
            KeptAs::Packed(path) => {
                disk::read_packed(path, LIMIT).map(|bytes| codex::lines(&bytes))
            }
            KeptAs::Export(path) => disk::read_stored(path, LIMIT)
                .map(|bytes| specstory::read(&String::from_utf8_lossy(&bytes)).messages),
            KeptAs::Backup(path, ranges) => named::records(path, ranges, &self.id),
            KeptAs::OpenCode(path) => opencode::messages(path, &self.id),
            KeptAs::OpenClaw(path) => openclaw::messages(path, &self.id),
            KeptAs::CodexHistory(path) => codex::messages(path, &self.id),
            KeptAs::Cline(path) => cline::messages(path),
            KeptAs::Prompts(_, records) => {
                let raw = |record: &String| RawValue::from_string(record.clone()).ok();
                Ok(records.iter().filter_map(raw).collect())
            }
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

    /// Which of two that are one session is read: one in lines that can be streamed before one of a store, unless the
    /// client has moved its sessions from the one to the other; then the one that is written to last, and has the most
    /// in it.
    fn better_first(&self, other: &Self) -> Ordering {
        let rank = |past: &Self| match past.kept {
            KeptAs::Lines(..) | KeptAs::OpenClaw(_) => 0,
            KeptAs::Packed(_) => 1,
            KeptAs::Export(_) => 3,
            _ => 2,
        };
        let in_lines = |past: &Self| matches!(past.kept, KeptAs::Lines(..));
        let written = |past: &Self| match past.kept {
            // Lines are only ever added.
            KeptAs::Lines(_, size) if in_lines(other) && in_lines(self) => {
                i64::try_from(size).unwrap_or(i64::MAX)
            }
            _ => past.written,
        };
        let many = |past: &Self| match past.kept {
            KeptAs::Lines(..) => 0,
            _ => past.open().map_or(0, |opened| opened.source().end()),
        };
        (rank(self).cmp(&rank(other)))
            .then_with(|| written(other).cmp(&written(self)))
            .then_with(|| many(other).cmp(&many(self)))
            .then_with(|| self.path().cmp(other.path()))
    }

    /// Whether anything is said in it, as far as it can be read.
    pub(crate) fn says_something(&self) -> bool {
        let Ok(opened) = self.open() else { return false };
        let (source, mut says) = (opened.source(), false);
        let read = source.read(0..source.end(), |said| {
            says = said.piece.role != Role::Nobody;
            if says { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        read.is_ok() && says
    }

    pub(super) fn note(&self, why: &str) -> Note {
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
pub(crate) fn find(root: &Path, world: &World, wish: &PastFilter) -> PastSessions {
    let mut found = PastSessions::default();
    let whose = Owner { root, from: &wish.from, gone: &Worktree::gone(root) };
    let wants = |agent: &str| wish.agent.as_deref().is_none_or(|wanted| wanted == agent);
    if let Some(deleted) = &wish.deleted {
        let is_begun = |id: &str| deleted.begun.contains(&block::session_name(id));
        prompts::find(&whose, world, &wants, &is_begun, &mut found);
    } else if wish.paths.is_empty() {
        for row in platform::ALL.iter().filter(|row| wants(row.id)) {
            match row.store {
                Some(Store::ClaudeCode) => claude_code::find(&whose, world, &mut found),
                Some(Store::Codex) => codex::find(&whose, world, &mut found),
                Some(Store::OpenCode) => opencode::find(&whose, world, &mut found),
                Some(Store::OpenClaw) => openclaw::find(&whose, world, &mut found),
                Some(Store::Cline) => cline::find(&whose, world, i64::MIN, &mut found),
                Some(store) => by_file::find(store, &whose, world, &mut found),
                None => {}
            }
        }
    } else {
        for path in &wish.paths {
            named::find(path, &mut found);
        }
        found.sessions.retain(|session| wants(session.agent));
    }
    // The same session may lie in two places, as after a move or in the copy of a store.
    found.sessions.sort_by(|a, b| a.id.cmp(&b.id).then_with(|| a.better_first(b)));
    let off = off::of_project(root);
    let mut seen = BTreeSet::new();
    found.sessions.retain(|it| seen.insert(it.id.clone()));
    let is_off = |past: &mut Past| off.contains(&block::session_name(&past.id));
    let are_off = found.sessions.extract_if(.., is_off);
    found.left_out.extend(are_off.map(|past| (past, LeftOut::Off)));
    found.sessions.sort_by(|a, b| (a.agent, &a.id).cmp(&(b.agent, &b.id)));
    found
}

/// The session of Codex that has this id, whosever it is.
pub(crate) fn of_codex(id: &str, world: &World) -> Result<Option<Past>, NotRead> {
    codex::held(id, world)
}

/// The past sessions of the project that are written anew as a whole, and were written to at or after `since`, oldest
/// first: no part of them lies in a file of lines.
pub(super) fn rewritten(root: &Path, world: &World, since: i64) -> Vec<Past> {
    let mut found = PastSessions::default();
    let whose = Owner { root, from: &[], gone: &[] };
    cline::find(&whose, world, since, &mut found);
    let off = off::of_project(root);
    found.sessions.retain(|past| !off.contains(&block::session_name(&past.id)));
    found.sessions.sort_by_key(|past| past.written);
    found.sessions
}

/// The past sessions of the project that do not lie in files of Claude Code or Codex, line by line as they were said,
/// and which stores of them cannot be read. Of a single file that cannot be, nobody knows whose it is.
pub(crate) fn stored(root: &Path, world: &World) -> PastSessions {
    let mut stored = PastSessions::default();
    for store in [Store::Codex, Store::OpenCode, Store::OpenClaw, Store::Cline] {
        let agent = Some(platform::id_of(store).to_owned());
        let found = find(root, world, &PastFilter { agent, ..PastFilter::default() });
        let is_line = |past: &Past| store == Store::Codex && matches!(past.kept, KeptAs::Lines(..));
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
    /// folders of worktrees that are gone, as far as git still has a record of them
    gone: &'a [PathBuf],
}

impl Owner<'_> {
    fn owns(&self, cwd: &Path) -> bool {
        self.from.iter().any(|from| cwd.starts_with(from)) || is_project_of(self.root, cwd)
    }

    /// Whether a folder is gone that may have been a worktree of the project: git has a record of it until it is
    /// pruned, and from then on what is left is that it was called after the project.
    fn may_have_owned(&self, cwd: &Path) -> bool {
        let folder = project::shown(self.root);
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_after_it = |part: &str| {
            let rest = part.strip_prefix(name).filter(|_| !name.is_empty());
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let mut parts = cwd.components().filter_map(|part| part.as_os_str().to_str());
        let above = cwd.ancestors().find(|folder| disk::is_dir(folder));
        let has_config = |folder: &Path| disk::is_there(&folder.join(layout::CONFIG));
        cwd.is_absolute()
            && !disk::is_there(cwd)
            && (parts.any(is_after_it) || self.gone.iter().any(|gone| cwd.starts_with(gone)))
            && !above.is_some_and(|above| above.ancestors().any(has_config))
    }
}

/// Where a transcript in a store comes from.
fn origin_of(stored: &Stored) -> Result<TranscriptOrigin, NotRead> {
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
    super::agent_files::home(world, variable, name).map(|home| disk::real_path(&home))
}
