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

mod agent_files;
mod anchor;
pub(crate) mod backlog;
pub(crate) mod buried;
pub(crate) mod by_hand;
pub(crate) mod by_id;
mod clean;
mod context;
pub(crate) mod dry;
mod filter;
pub(crate) mod kept_by_agents;
mod locate;
mod logs;
mod look;
pub(crate) mod missing;
mod opened_folder;
pub(crate) mod past;
mod place;

pub(crate) mod proven;
mod read;
pub(crate) mod receipt;
mod records;
pub(crate) mod reopen;
mod repeats;
mod resume;
mod session_so_far;
pub(crate) mod sessions;
mod since;
mod source;
#[cfg(test)]
mod tests;
mod twice;
pub(crate) mod unread;
mod write;

use std::io;
use std::path::Path;
use std::time::Instant;

use crate::capture::hook_input::HookInput;
use crate::capture::remembering::Remembering;
use crate::capture::{Redact, block};
use crate::disk::{self, Folder, Held, NamedError, Transcript};
use crate::error::Problem;
use crate::plan::Note;
use crate::world::World;
use anchor::BlockAnchor;
use buried::Buried;
use context::ImportContext;
use locate::{Located, Locator};
use logs::Logs;
pub(crate) use look::{is_silent, reached, transcript_of};
use place::LastBlock;
pub(crate) use place::Reached;
use read::Reader;
use resume::{Resume, Resumer};
use source::{Conversation, Event, SourceKind};
pub(crate) use source::{origin, unread_lines};
use write::BlockWriter;
pub(crate) use write::ImportOutcome;

/// The note for a session that was imported up to an unknown form.
pub(crate) const UNKNOWN_FORM: &str = "not imported to its end: words in it are in a form that this version does not know; install the newest hipocampus, which reads on from there";

/// Messages that an agent hands over with the call of a hook.
pub(crate) const MESSAGES: &str = "the messages in the hook's JSON";

/// One import of a session, and what is known of it beforehand. Its steps are: locate the session in the logs, decide
/// where to resume, read from there, write what is new.
struct Importer<'c, 'a> {
    context: &'c ImportContext<'a>,
    /// what the agent calls the session
    name: Option<String>,
    /// the branch that is worked on, where that is worth telling
    branch: Option<String>,
    /// whether the source is the backup of a day, so that its records may be in the backup already
    from_backup: bool,
    /// whether the source ends before the session does
    beginning: bool,
    /// up to where this run has imported these very messages: there the order of words need not tell what is old
    sure: Option<u64>,
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
    let forgotten = match buried::tombstones(memory) {
        Ok(forgotten) => forgotten,
        Err(note) => return Ok(ImportOutcome { notes: vec![note], ..ImportOutcome::default() }),
    };
    let context = ImportContext::new(memory, Logs::of(memory), redact, world, forgotten)?;
    let context = ImportContext { deadline, ..context };
    let branch = branch(memory, hook).map(|branch| redact.text(&branch).into_owned());
    let importer = Importer { name: hook.title.clone(), branch, ..Importer::new(&context) };
    let mut outcome = ImportOutcome::default();
    if let Some(messages) = &hook.messages {
        let messages = &messages[..source::said_to_the_end(messages, context.now)];
        let source = Conversation::whole(SourceKind::Messages(messages));
        outcome = importer.import(hook, &source, &messages_of(hook));
    } else if let Some(path) = path {
        let file = transcript_of(hook, world).unwrap_or_else(|| path.into());
        match Transcript::open(&file) {
            Ok(file) => {
                let source = Conversation::whole(SourceKind::File(&file));
                outcome = importer.import(hook, &source, path);
            }
            Err(why) => outcome.notes.push(Note::problem("import", disk::describe(&why))),
        }
        if outcome.unreadable > 0 {
            let why = source::unread_lines(outcome.unreadable);
            outcome.notes.push(Note::problem(path, why));
            outcome.passed_over += 1;
        }
    }
    outcome.notes.extend(context.logs.notes());
    Ok(outcome)
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

impl<'c, 'a> Importer<'c, 'a> {
    fn new(context: &'c ImportContext<'a>) -> Self {
        Self { context, name: None, branch: None, from_backup: false, beginning: false, sure: None }
    }

    /// Imports what is new in a source; `name` is that of its file. What is wrong with it becomes a note.
    fn import(mut self, hook: &HookInput, source: &Conversation<'_>, name: &str) -> ImportOutcome {
        let writer = BlockWriter::new(self.context, self.branch.take(), self.from_backup);
        let mut reader =
            Reader { context: self.context, writer, name: self.name.take(), lost: false };
        let done = self.steps(&mut reader, hook, source, name);
        let Reader { writer, lost, .. } = reader;
        let mut outcome = writer.outcome;
        if let Err(error) = done {
            self.failed(&error, hook, name, &mut outcome);
        }
        if lost {
            outcome.notes.push(Note::problem(name, UNKNOWN_FORM));
            outcome.passed_over += 1;
        }
        outcome
    }

    fn steps(
        &self,
        reader: &mut Reader<'c, 'a>,
        hook: &HookInput,
        source: &Conversation<'_>,
        name: &str,
    ) -> io::Result<()> {
        let context = self.context;
        let locator = Locator { context };
        let Some(located) = locator.session(hook, source, name)? else { return Ok(()) };
        if context.forgotten.is_empty() {
            return self.goes_on(reader, &Conversation::whole(source.kind), located);
        }
        let session = located.session;
        let buried = Buried::of(source, &session, &context.forgotten, context.redact)?;
        let buried = |said: &Event<'_>| buried.holds(said);
        let source = source.without(&buried);
        let located = locator.last_block(session, &source)?;
        self.goes_on(reader, &source, located)
    }

    /// Goes on with a session that is located.
    fn goes_on(
        &self,
        reader: &mut Reader<'c, 'a>,
        source: &Conversation<'_>,
        located: Located,
    ) -> io::Result<()> {
        let (session, since) = (located.session.clone(), located.since);
        let resumer = Resumer { context: self.context, beginning: self.beginning, sure: self.sure };
        match resumer.resume(source, located)? {
            // For a run that was killed right after this part: before other sessions append to that backup.
            Resume::Done(LastBlock { day, last, .. }) if last.to == source.end() => {
                reader.writer.mend_backup(source, day, last.from, last.to)
            }
            Resume::Done(_) => Ok(()),
            Resume::After(found, place) => {
                reader.writer.last = Some(BlockAnchor::of(&found, &session));
                reader.go_on(source, &session, &found, place)
            }
            Resume::FromTheStart(found) => {
                let found = found.as_ref();
                reader.writer.last = found.map(|found| BlockAnchor::of(found, &session));
                reader.look_through(source, &session, since, found)
            }
        }
    }

    /// Takes note of why an import ended early.
    fn failed(&self, error: &io::Error, hook: &HookInput, name: &str, outcome: &mut ImportOutcome) {
        if error.kind() == io::ErrorKind::TimedOut && self.context.is_late() {
            // Nothing was written for this source: the next event begins anew, with more time if this was the end.
            outcome.unfinished = true;
            if !hook.is_session_end() {
                let why = "it takes longer than a hook may to find what is new in it; `hipocampus flush` takes the time";
                outcome.notes.push(Note::problem(name, why));
            }
            return;
        }
        outcome.notes.push(if let Some(NamedError { path, source }) = NamedError::of(error) {
            let why = disk::describe(source);
            Note::problem(path, format!("not all of `{name}` was imported: {why}"))
        } else {
            Note::problem(name, format!("not all was imported: {}", disk::describe(error)))
        });
    }
}
