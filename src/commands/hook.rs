//! What agents call. Exits 0 whatever happens, prints nothing but what the client reads as context, and says
//! what went wrong in one line each.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use chrono::{DateTime, FixedOffset, NaiveDate};
use clap::error::ErrorKind;

use crate::capture::Redact as _;
use crate::capture::hook_input::HookInput;
use crate::capture::redact::Redactor;
use crate::commands::tree::{self, Ask};
use crate::commands::{due, hook_log, import, session_start as start, stdin};
use crate::disk::{self, Lock, Memory, Wait};
use crate::error::{Exit, Problem};
use crate::project::{self, Project};
use crate::world::World;

/// Whether a command line is an agent's, also one that nobody understands: `hook`, or `compact` with `--stdin`.
pub(crate) fn is_meant(args: &[OsString]) -> bool {
    let mut rest = args.iter().skip(1);
    let mut command = None;
    while let Some(arg) = rest.next() {
        if arg == "-C" {
            rest.next();
        } else if !arg.to_string_lossy().starts_with('-') {
            command = Some(arg.to_string_lossy());
            break;
        }
    }
    match command.as_deref() {
        Some("hook") => true,
        // A `-C` that lacks its folder takes the command for it.
        Some("compact") | None => {
            args.iter().any(|arg| arg.to_string_lossy().starts_with("--stdin"))
        }
        Some(_) => false,
    }
}

/// A hook whose command line is wrong does nothing and says so in one line.
pub(crate) fn misspelt(error: &clap::Error, world: &mut World) -> Exit {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    let why = if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        "no subcommand was given"
    } else {
        line.strip_prefix("error: ").unwrap_or(line)
    };
    let project = project::start(world, None, None).and_then(|begin| project::find(&begin)).ok();
    let memory = project.as_ref().and_then(|project| Memory::open(&project.root).ok().flatten());
    let redactor = project.and_then(|project| project.redactor().ok());
    let redactor = redactor.unwrap_or_else(Redactor::standard);
    let now = world.now().unwrap_or(world.clock);
    let problem = format!("the command line of a hook is wrong, nothing was done: {why}");
    hook_log::tell(world, memory.as_ref().map(Memory::folder), now, &[problem], &redactor);
    Exit::Done
}

/// How long an import may read. What it does not get to, the next event does.
const READING: Duration = Duration::from_secs(18);
/// The same where a client is about to exit: 2 seconds are all it gives, and nodes have to be written in them.
const READING_AT_THE_END: Duration = Duration::from_millis(1200);

/// The largest log, in bytes, that is compacted where a client is about to exit: more takes longer than it waits.
const LARGE: u64 = 8 * 1024 * 1024;

/// `hipocampus compact --stdin`: imports the conversation the hook names, then compacts.
pub(crate) fn compact(dir: Option<&Path>, world: &mut World) -> Exit {
    serve(dir, world, |called, world, problems| {
        let reading = if called.input.is_session_end() { READING_AT_THE_END } else { READING };
        let deadline = Some(Instant::now() + reading);
        let wait = match &called.input {
            input if input.is_before_compaction() => Wait::PreCompact,
            input if input.is_session_end() => Wait::SessionEnd,
            _ => Wait::Hook,
        };
        let lock = called.memory.folder().lock(crate::layout::LOCK, wait);
        // Another run has the memory: it leaves these turns to the next event, which finds them.
        if matches!(lock, Lock::Busy) {
            return Ok(());
        }
        let redactor = called.redactor()?;
        let imported =
            import::import(called.memory.folder(), &called.input, world, redactor, deadline)?;
        problems.extend(imported.notes.iter().map(ToString::to_string));
        // The words are in the log; what is made from it can wait where the client does not.
        let large = |day: &NaiveDate| {
            let log = called.memory.folder().path().join(crate::layout::log_name(*day));
            disk::stamp(&log).is_some_and(|stamp| stamp.size > LARGE)
        };
        let late = imported.unfinished || imported.days.iter().any(large);
        if called.input.is_session_end() && late {
            return Ok(());
        }
        called.compact(world, &lock, problems)
    })
}

/// `hipocampus hook session-start`: catches up, compacts, tells the agent what it should know.
pub(crate) fn session_start(dir: Option<&Path>, world: &mut World) -> Exit {
    serve(dir, world, |called, world, problems| {
        let redactor = called.redactor()?;
        let memory = called.memory.folder();
        let lock = start::catch_up(&called.project.root, memory, world, redactor, problems)?;
        if !matches!(lock, Lock::Busy) {
            called.compact(world, &lock, problems)?;
        }
        let now = world.now()?;
        let due = called.due(now)?;
        let mut known = hook_log::take_unseen(memory, now);
        known.extend(problems.iter().map(|problem| redactor.text(problem).into_owned()));
        start::tell(&called.input, world, memory, &start::Standing { due, problems: known })
    })
}

/// A hook and the project it is about.
struct Called {
    input: HookInput,
    project: Project,
    memory: Memory,
    redactor: Result<Redactor, Problem>,
}

impl Called {
    fn redactor(&self) -> Result<&Redactor, Problem> {
        self.redactor.as_ref().map_err(Clone::clone)
    }

    fn compact(&self, world: &mut World, lock: &Lock, problems: &mut Vec<String>) -> Result<()> {
        let today = world.today()?;
        let ask = Ask { today, locked: lock.is_held(), ..Ask::default() };
        let done = tree::update(&self.project, &self.memory, &ask)?;
        super::compact::search(&self.project, world, &done, true);
        let failed = done.plan.notes.iter().filter(|note| note.problem);
        problems.extend(failed.map(ToString::to_string));
        problems.extend(done.failure.map(|failure| failure.to_string()));
        Ok(())
    }
}

type Problems = Vec<String>;

impl Called {
    fn due(&self, now: DateTime<FixedOffset>) -> Result<Option<String>> {
        let due = due::ask(&self.project, &self.memory, now)?;
        Ok(due.due.then_some(due.reason))
    }
}

fn serve(
    dir: Option<&Path>,
    world: &mut World,
    work: impl FnOnce(&Called, &mut World, &mut Problems) -> Result<()>,
) -> Exit {
    let mut problems = Vec::new();
    // Without a word from the client there is still the memory to bring up to date.
    let input = stdin::read_hook(world).unwrap_or_else(|why| {
        problems.push(why);
        HookInput::default()
    });
    let cwd = input.cwd.clone().map(PathBuf::from);
    let called = project::start(world, dir, cwd.as_deref())
        .and_then(|begin| project::find(&begin))
        .and_then(|project| {
            let memory = Memory::make(&project.root)?;
            let redactor = project.redactor();
            Ok(Called { input, project, memory, redactor })
        })
        .map_err(anyhow::Error::from);
    let now = world.now().unwrap_or(world.clock);
    let standard = Redactor::standard();
    let redactor = called.as_ref().ok().and_then(|called| called.redactor.as_ref().ok());
    let redactor = redactor.unwrap_or(&standard);
    let worked = called.as_ref().map_err(in_one_line).and_then(|called| {
        let event = redactor.text(&called.input.event);
        hook_log::fired(called.memory.folder(), &event, now);
        problems.extend(called.project.notes.iter().map(ToString::to_string));
        work(called, world, &mut problems).map_err(|error| in_one_line(&error))
    });
    problems.extend(worked.err());
    let folder = called.as_ref().ok().map(|called| called.memory.folder());
    hook_log::tell(world, folder, now, &problems, redactor);
    Exit::Done
}

fn in_one_line(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
