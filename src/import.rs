//! Imports a session into the raw logs: every turn once, in order, redacted.
//!
//! # What a crash may leave, and why nothing is lost or doubled
//!
//! The raw log is the ledger, and its block is the commit. For each chunk of turns there are at most three
//! writes, each one `O_APPEND` write and an fdatasync, in this order:
//!
//! 1. the day is put on the list of days to reopen, if its week or month is fixed already;
//! 2. the block is appended to the log of its day;
//! 3. the records are appended to the backup of that day.
//!
//! After them, the values that the block proved to be secrets are remembered.
//!
//! Stopped before 2, the log still ends where it did, and the next run reads the same turns again; a day
//! on the list without new turns costs one rebuild that changes nothing. Stopped within 2, the log ends
//! with a beginning of the block. Where the block begins and ends in the transcript is in its first
//! line, so the next run makes the same block again and appends what is missing; was the first line itself
//! cut, the session's ledger is as before and the block that is made anew begins with those same bytes.
//! Stopped after 2, the turns are in the log for good, and only the backup lacks their records: the next
//! event of the session, new turns or not, sees that the last record of its last block is missing there and
//! appends them. The other order would be worse: ids in the backup tell a fork which turns are old, and
//! an id whose turn never reached the log would lose that turn.
//!
//! An editor may save a log while a run works, by a rename or in place, with the text it had read before: then
//! blocks are gone, and one that goes on from them would hide that. Such a block is not written, or goes with
//! them; the next event finds the ledger as the editor left it, and reads on from there. The backup still has
//! the records of what is gone. Therefore an id in it excludes a turn of another session only, as in a
//! fork, and one of this session only where an existing block covers it.
//!
//! Several chunks are several such blocks. What a run does depends only on the log and the transcript,
//! so a run after a crash is like any other.

mod anchor;
pub(crate) mod backlog;
pub(crate) mod buried;
pub(crate) mod by_hand;
pub(crate) mod by_id;
mod clean;
pub(crate) mod dry;
mod filter;
mod logs;
mod look;
pub(crate) mod missing;
pub(crate) mod past;
mod place;
pub(crate) mod proven;
mod records;
pub(crate) mod reopen;
mod repeats;
mod run;
pub(crate) mod sessions;
mod sitting_so_far;
mod source;
#[cfg(test)]
mod tests;
mod twice;
pub(crate) mod unread;
mod write;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use chrono::{DateTime, NaiveDate, Utc};

use crate::capture::chunk::Before;
use crate::capture::hook_input::HookInput;
use crate::capture::remembering::Remembering;
use crate::capture::transcript::{self, Role};
use crate::capture::{Redact, block, text};
use crate::disk::{self, Folder, Held, Named, Transcript};
use crate::error::Problem;
use crate::hooks::off;
use crate::layout;
use crate::memory::forgotten::Forgotten;
use crate::plan::Note;
use crate::world::{LocalTime, World};
use anchor::Anchor;
use logs::Logs;
pub(crate) use look::{is_silent, reached, transcript_of};
pub(crate) use place::Reached;
use place::{LastBlock, Since};
use sitting_so_far::SittingSoFar;
pub(crate) use source::origin;
use source::{Conversation, Event, SourceKind};

/// The note for a session that was imported up to an unknown form.
pub(crate) const UNKNOWN_FORM: &str = "not imported to its end: words in it are in a form that this version does not know; install the newest hipocampus, which reads on from there";

/// Messages that an agent hands over with the call of a hook.
pub(crate) const MESSAGES: &str = "the messages in the hook's JSON";

#[derive(Debug, Default)]
pub(crate) struct ImportOutcome {
    /// the days whose logs grew
    pub(crate) days: BTreeSet<NaiveDate>,
    pub(crate) turns: usize,
    pub(crate) notes: Vec<Note>,
    /// how many of these are about what this version cannot read: what it can was imported
    pub(crate) passed_over: usize,
    /// whether time ran out, perhaps before the end of the session
    pub(crate) unfinished: bool,
}

/// Where reading goes on.
#[derive(Debug, Default)]
pub(super) struct ResumePoint {
    at: u64,
    before: Option<Before>,
}

/// Everything an import works with.
struct Importer<'a> {
    memory: &'a Folder,
    logs: Logs<'a>,
    redact: &'a Remembering<'a>,
    now: DateTime<Utc>,
    /// the clock that stamps files, whatever time this run was given as now
    clock: DateTime<Utc>,
    local: LocalTime,
    deadline: Option<Instant>,
    /// the folders that the paths of files are shown relative to
    roots: Vec<PathBuf>,
    /// what the hook calls the session
    name: Option<String>,
    /// the branch that is worked on, where that is worth telling
    branch: Option<String>,
    forgotten: Rc<Forgotten>,
    /// the block that the next one goes on from
    last: Option<Anchor>,
    /// the session that this one goes on with
    known: Option<SittingSoFar>,
    /// whether the source ends before the session does
    beginning: bool,
    /// whether the source is the backup of a day, so that its records may be in the backup already
    from_backup: bool,
    /// up to where this run has imported these very messages: there the order of words need not tell what is old
    sure: Option<u64>,
    /// lines of the source of which something could not be read
    unreadable: usize,
    /// whether words of it are in a form that is not known: it was imported up to them
    lost: bool,
    outcome: ImportOutcome,
}

/// Imports what is new from the transcript or the messages a hook names. Two imports at once would both find the same
/// turns new, so the caller has to show the lock. After `deadline`, what was not reached is left to the next event.
/// Fails only when the moment of this run is unknown; everything that is wrong with the session is a note.
pub(crate) fn import(
    memory: &Folder,
    _alone: &Held,
    hook: &HookInput,
    world: &World,
    redact: &dyn Redact,
    deadline: Option<Instant>,
) -> Result<ImportOutcome, Problem> {
    let path = hook.transcript_path.as_deref().or_else(|| world.var("TRANSCRIPT_PATH"));
    if hook.messages.is_none() && path.is_none() {
        let odd = hook.odd.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let why = format!("no session: {odd} in the hook's JSON is not what it should be");
        let notes = (!odd.is_empty()).then(|| Note::problem("import", why));
        return Ok(ImportOutcome {
            notes: notes.into_iter().collect(),
            ..ImportOutcome::default()
        });
    }
    let redact = &Remembering::new(redact, || proven::load(memory));
    let forgotten = match tombstones(memory) {
        Ok(forgotten) => forgotten,
        Err(note) => return Ok(ImportOutcome { notes: vec![note], ..ImportOutcome::default() }),
    };
    let importer = Importer::new(memory, Logs::of(memory), redact, world, forgotten)?;
    let mut importer = Importer { deadline, name: hook.title.clone(), ..importer };
    importer.branch = branch(memory, hook).map(|branch| redact.text(&branch).into_owned());
    if let Some(messages) = &hook.messages {
        let messages = &messages[..source::said_to_the_end(messages, importer.now)];
        let source = Conversation::whole(SourceKind::Messages(messages));
        importer.all(hook, &source, &messages_of(hook));
    } else if let Some(path) = path {
        let file = transcript_of(hook, world).unwrap_or_else(|| path.into());
        match Transcript::open(&file) {
            Ok(file) => importer.all(hook, &Conversation::whole(SourceKind::File(&file)), path),
            Err(why) => importer.outcome.notes.push(Note::problem("import", disk::describe(&why))),
        }
        if importer.unreadable > 0 {
            let why = source::unread_lines(importer.unreadable);
            importer.outcome.notes.push(Note::problem(path, why));
            importer.outcome.passed_over += 1;
        }
    }
    importer.outcome.notes.extend(importer.logs.notes());
    Ok(importer.outcome)
}

/// What a note calls the conversation that an agent hands over itself.
pub(crate) fn messages_of(hook: &HookInput) -> String {
    let session = hook.session_id.as_deref().map(block::session_name);
    session.map_or_else(|| MESSAGES.to_owned(), |id| format!("{MESSAGES} of {id}"))
}

/// The branch that is checked out where the agent works, if that is not the project's usual one.
fn branch(memory: &Folder, hook: &HookInput) -> Option<String> {
    let there = hook.cwd.as_deref().map(Path::new).filter(|folder| folder.is_absolute());
    disk::Repository::around(there.or(memory.path().parent())?)?.branch_apart()
}

/// The words of a piece as they are in a log.
fn escaped(role: Role, words: &str) -> String {
    // A note of ours about a skipped record has nothing to hide and must stay as it is.
    if role == Role::Nobody { words.to_owned() } else { text::escape_markdown(words) }
}

/// What was forgotten on purpose; if that is unknown, nothing may come in.
fn tombstones(memory: &Folder) -> Result<Rc<Forgotten>, Note> {
    buried::load(memory).map(Rc::new).map_err(|error| {
        let why = format!(
            "cannot be read ({}), so nothing is imported: what was forgotten could come back",
            disk::describe(&error)
        );
        Note::problem(logs::path(layout::FORGOTTEN), why)
    })
}

impl<'a> Importer<'a> {
    fn new(
        memory: &'a Folder,
        logs: Logs<'a>,
        redact: &'a Remembering<'a>,
        world: &World,
        forgotten: Rc<Forgotten>,
    ) -> Result<Self, Problem> {
        Ok(Self {
            memory,
            logs,
            redact,
            now: world.now()?.to_utc(),
            clock: world.clock.to_utc(),
            local: world.local()?,
            deadline: None,
            roots: memory.path().parent().map(Path::to_owned).into_iter().collect(),
            name: None,
            branch: None,
            forgotten,
            last: None,
            known: None,
            beginning: false,
            from_backup: false,
            sure: None,
            unreadable: 0,
            lost: false,
            outcome: ImportOutcome::default(),
        })
    }
}

impl Importer<'_> {
    fn all(&mut self, hook: &HookInput, source: &Conversation<'_>, name: &str) {
        self.import_all(hook, source, name);
        if self.lost {
            self.outcome.notes.push(Note::problem(name, UNKNOWN_FORM));
            self.outcome.passed_over += 1;
        }
    }

    fn import_all(&mut self, hook: &HookInput, source: &Conversation<'_>, name: &str) {
        if let Err(error) = self.source(hook, source, name) {
            if error.kind() == io::ErrorKind::TimedOut && self.is_late() {
                // Nothing was written for this source: the next event begins anew, with more time if this was the end.
                self.outcome.unfinished = true;
                if !hook.is_session_end() {
                    let why = "it takes longer than a hook may to find what is new in it; `hipocampus flush` takes the time";
                    self.outcome.notes.push(Note::problem(name, why));
                }
                return;
            }
            let note = if let Some(Named { path, source }) = Named::of(&error) {
                Note::problem(
                    path,
                    format!("not all of `{name}` was imported: {}", disk::describe(source)),
                )
            } else {
                let why = format!("not all was imported: {}", disk::describe(&error));
                Note::problem(name, why)
            };
            self.outcome.notes.push(note);
        }
    }

    fn source(
        &mut self,
        hook: &HookInput,
        source: &Conversation<'_>,
        name: &str,
    ) -> io::Result<()> {
        if source.end() == 0 {
            return Ok(());
        }
        let (origin, off) = (source.origin()?, off::sessions(self.memory));
        let keys = [&hook.session_id, &hook.session_key];
        let is_spawned = keys.into_iter().flatten().any(|key| transcript::is_spawned(key));
        if origin.delegated || is_spawned {
            return Ok(());
        }
        let id = hook.session_id.clone().or(origin.session);
        if id.as_ref().is_some_and(|id| off.contains(&block::session_name(id))) {
            return Ok(());
        }
        let stem = || Path::new(name).file_stem()?.to_str().map(str::to_owned);
        let id = id.or_else(stem).unwrap_or_default();
        // A session goes on under the name it has; only a new one is asked whether its id holds a secret.
        let plain = block::session_name(&id);
        let since = source.first_time()?.map(|time| self.since(time));
        let known = place::last_block(&self.logs, &plain, since)?;
        let session = if known.is_some() { plain } else { self.session_name(&id) };
        let buried = self.buried(source, &session)?;
        let buried = |said: &Event<'_>| buried.holds(said);
        let source = &if self.forgotten.is_empty() {
            Conversation::whole(source.kind)
        } else {
            source.without(&buried)
        };
        let (since, found) = if known.is_some() && self.forgotten.is_empty() {
            (since, known)
        } else {
            let since = source.first_time()?.map(|time| self.since(time));
            (since, place::last_block(&self.logs, &session, since)?)
        };
        self.continued(source, &session, since, found.as_ref())
    }

    /// Goes on after the last block of a session, or from the beginning where none can be relied on.
    fn continued(
        &mut self,
        source: &Conversation<'_>,
        session: &str,
        since: Option<Since>,
        found: Option<&LastBlock>,
    ) -> io::Result<()> {
        let further = match (source.kind, found) {
            (SourceKind::File(file), Some(last)) if last.last.to < file.size => {
                place::furthest_block(&self.logs, session, since, last)?
            }
            _ => None,
        };
        let is_in = |it: &LastBlock| it.last.complete && it.last.to >= source.end();
        if self.beginning
            && let Some(found) = found.filter(|it| is_in(it))
        {
            // For a run that was killed right after this part: before other sessions append to that backup.
            if found.last.to == source.end() {
                self.mend_backup(source, found.day, found.last.from, found.last.to)?;
            }
            return Ok(());
        }
        if let Some(found) = found.filter(|it| Some(it.last.to) == self.sure && it.last.complete) {
            let before = place::before(source, found.last.to, self.assumed(found.day))?;
            let place = ResumePoint { at: found.last.to, before: before.map(|(before, _)| before) };
            self.last = Some(Anchor::of(found, session));
            return self.go_on(source, session, found, place);
        }
        let hidden = self.hidden(since, found)?;
        for found in further.iter().chain(found).filter(|_| !hidden) {
            let assumed = self.assumed(found.day);
            if let Some(place) = place::resume(source, found, self.redact, assumed)? {
                self.last = Some(Anchor::of(found, session));
                return self.go_on(source, session, found, place);
            }
        }
        self.last = found.map(|found| Anchor::of(found, session));
        self.look_through(source, session, since, found)
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// To be called now and then by code that reads much before anything is written.
    fn in_time(&self) -> io::Result<()> {
        crate::progress::tick(|| format!("reading a session: {} turns so far", self.outcome.turns));
        if self.is_late() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// Whether a log that cannot be read may have a later block of the session than the last one that was found.
    fn hidden(&self, since: Option<Since>, found: Option<&LastBlock>) -> io::Result<bool> {
        let days = place::days(&self.logs, since, false)?;
        let mut later = days.into_iter().take_while(|day| found.is_none_or(|at| *day > at.day));
        Ok(later.any(|day| self.logs.hides(day)))
    }

    /// The name of a session in its blocks: its id, or where that holds a secret, a hash.
    fn session_name(&self, id: &str) -> String {
        if self.redact.text(id) == id {
            return block::session_name(id);
        }
        // No id has a blank, so this is a hash.
        block::session_name(&format!("{id} "))
    }

    fn since(&self, time: DateTime<Utc>) -> Since {
        Since::new(time, (self.local)(time).date(), self.clock)
    }

    /// When something without a time was said last that is in the log of `day`: now, but not later
    /// than that day.
    fn assumed(&self, day: NaiveDate) -> DateTime<Utc> {
        let now = (self.local)(self.now);
        let end = day.succ_opt().unwrap_or(day).and_time(chrono::NaiveTime::MIN);
        self.now - (now - end).max(chrono::TimeDelta::zero())
    }
}
