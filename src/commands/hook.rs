//! What agents call. Exits 0 whatever happens, prints nothing but what the client reads as context, and says
//! what went wrong in one line each.

use std::collections::BTreeSet;
use std::ffi::OsString;

use std::time::{Duration, Instant};

use chrono::{DateTime, FixedOffset, NaiveDate};
use clap::error::ErrorKind;

use crate::capture::block::session_name;
use crate::capture::hook_input::HookInput;
use crate::capture::redact::Redactor;
use crate::capture::{Redact as _, entries};
use crate::disk::{self, Folder, Lock, Memory, Wait};
use crate::error::{Exit, describe};
use crate::hooks::call::HookCall;
use crate::hooks::caller::{Caller, caller};
use crate::hooks::fired::{self, Fired};
use crate::hooks::in_force::{self, InForce};
use crate::hooks::recalled::{At, Recalled};
use crate::hooks::{log as hook_log, off, session_start as start, stdin, telling, told};
use crate::import::{self, by_id};
use crate::layout;
use crate::memory::tokens::count;
use crate::plan::Note;
use crate::platform::{OtherAgent, Platform};
use crate::project::{self, Location};
use crate::projects;
use crate::recollection;
use crate::refresh::{UpdateOptions, tree};
use crate::refresh::{by_hand, due};
use crate::setup::{plugin, share};
use crate::status_report::silence;
use crate::summaries::background;
use crate::summarizer;
use crate::user_memory;
use crate::world::World;

/// Whether a command line is an agent's, also one that nobody understands: `hook`, or `compact` with `--stdin`.
pub(crate) fn is_agent_call(args: &[OsString]) -> bool {
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
        // A `-C` without its folder reads the command as the folder.
        Some("compact") | None => {
            args.iter().any(|arg| arg.to_string_lossy().starts_with("--stdin"))
        }
        Some(_) => false,
    }
}

/// A hook whose command line is wrong does nothing and says so in one line.
pub(crate) fn invalid_command_line(error: &clap::Error, world: &mut World) -> Exit {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    let why = if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        "no subcommand was given"
    } else {
        line.strip_prefix("error: ").unwrap_or(line)
    };
    let root = project::start(world, None, None).ok().and_then(|begin| project::locate(&begin));
    let memory = root.as_ref().and_then(|root| Memory::open(root).ok().flatten());
    let redactor = root.map_or_else(Redactor::standard, |root| in_force::of(&root).redactor);
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

/// `hipocampus compact --stdin`: imports the session the hook names, then compacts.
pub(crate) fn compact(call: HookCall<'_>, world: &mut World) -> Exit {
    let Some(mut hook) = Hook::begin(call, world) else { return Exit::Done };
    let reading = if hook.input.is_session_end() { READING_AT_THE_END } else { READING };
    let deadline = Some(Instant::now() + reading);
    let opened = hook.open(call, world);
    if let Some(Opened { memory, in_force, .. }) = &opened {
        let other = hook.caller(in_force, world).other();
        hook.look_up(in_force, world);
        let wait = match &hook.input {
            input if input.is_before_compaction() => Wait::PreCompact,
            input if input.is_session_end() => Wait::SessionEnd,
            _ => Wait::Hook,
        };
        let lock = memory.folder().lock(layout::LOCK, wait);
        let mut late = false;
        if let Some(other) = other {
            hook.is_unread(other, memory.folder(), world);
        } else if let Some(alone) = lock.held() {
            let (folder, redactor) = (memory.folder(), &in_force.redactor);
            let unheard = hook.starts_unheard(in_force, folder, world);
            match import::import(folder, alone, &hook.input, world, redactor, deadline) {
                Ok(imported) => {
                    hook.tell_all(&imported.notes);
                    if hook.input.messages.is_some() && imported.notes.is_empty() {
                        let about = redactor.text(&import::messages_of(&hook.input)).into_owned();
                        hook_log::settle(world, folder, &about);
                    }
                    late = imported.unfinished
                        || imported.days.iter().any(|day| is_large(folder, *day));
                }
                Err(error) => hook.problems.push(error.to_string()),
            }
            if unheard {
                let (root, problems) = (&in_force.project.root, &mut hook.problems);
                let mut left = BTreeSet::new();
                let caught =
                    start::catch_up(root, folder, alone, world, redactor, &mut left, problems);
                problems.extend(caught.err().map(|error| in_one_line(&error)));
            }
        }
        if other.is_none() {
            hook.left(world, &lock);
        }
        ask_for_entries(&hook, in_force, world);
        // The words are in the log; what is made from it can wait where the client does not.
        if !(hook.input.is_session_end() && late) {
            hook.compact(world, opened.as_ref(), &lock);
        }
    }
    hook.end(world, opened.as_ref());
    summarise(world, opened.as_ref());
    Exit::Done
}

/// Has summaries written in the background, where some wait. Nothing here waits for it.
fn summarise(world: &World, opened: Option<&Opened>) {
    if let Some(Opened { memory, in_force, .. }) = opened.filter(|it| it.in_force.broken.is_none())
    {
        background::start(world, &in_force.project, memory);
    }
}

/// Prints what is asked of a model that is about to shorten a session, where the user wants it asked and the client
/// reads what is printed as instructions.
fn ask_for_entries(hook: &Hook, in_force: &InForce, world: &mut World) {
    let takes = hook.caller(in_force, world).known().is_some_and(|row| row.asks_on_compact);
    let wanted = in_force.project.config.capture.ask_on_compact;
    if wanted && takes && hook.input.is_before_compaction() {
        let _ = writeln!(world.out, "{}", entries::ASK);
    }
}

/// Whether the log of a day is so large that its nodes take longer than a client that is about to exit waits.
fn is_large(memory: &Folder, day: NaiveDate) -> bool {
    let log = memory.path().join(layout::log_name(day));
    disk::stamp(&log).is_some_and(|stamp| stamp.size > LARGE)
}

/// `hipocampus hook session-start`: catches up, compacts, tells the agent what it should know.
pub(crate) fn session_start(call: HookCall<'_>, world: &mut World) -> Exit {
    let Some(mut hook) = Hook::begin(call, world) else { return Exit::Done };
    let opened = hook.open(call, world);
    let Some(Opened { memory, in_force, before }) = &opened else {
        hook.end(world, None);
        // Without a project nobody needs to hear of it.
        if hook.in_project {
            let problems = std::mem::take(&mut hook.problems);
            let standing = start::AfterCompaction { problems, ..start::AfterCompaction::default() };
            let _ = start::tell(&hook.input, world, None, None, &standing);
        }
        return Exit::Done;
    };
    let (folder, root) = (memory.folder(), &in_force.project.root);
    let lock = folder.lock(layout::LOCK, Wait::Hook);
    let mut caught_up = false;
    let mut left = hook_log::all_left(world, folder);
    if let Some(alone) = lock.held() {
        let redactor = &in_force.redactor;
        let problems = &mut hook.problems;
        match start::catch_up(root, folder, alone, world, redactor, &mut left, problems) {
            Ok(all) => caught_up = all,
            Err(error) => problems.push(in_one_line(&error)),
        }
    }
    let refusal = lock.refusal(&lock_path());
    hook.problems.extend(refusal.map(|why| hook_log::not_caught_up(&why)));
    hook.compact(world, opened.as_ref(), &lock);
    let now = world.now().unwrap_or(world.clock);
    let session = hook.input.session_id.clone();
    let due = hook.due(in_force, memory, world);
    let due = due.filter(|_| told::is_news(folder, session.as_deref(), now)).map(|reason| {
        let price = due::price(&in_force.project, memory, now);
        format!("{reason}; {price}")
    });
    if caught_up {
        let caller = hook.caller(in_force, world).id();
        let (project, redactor) = (&in_force.project, &in_force.redactor);
        hook.problems.extend(silence::at_start(world, project, memory, redactor, before, caller));
    }
    hook.end(world, opened.as_ref());
    let mut known = hook_log::take_unseen(world, folder, now);
    known.retain(|line| {
        let is_saved = hook_log::left(line).is_some_and(|path| !left.contains(&path));
        !(is_saved || caught_up && hook_log::is_not_caught_up(line))
    });
    hook_log::again(world, folder, now, &known, &left);
    hook.add_to(&mut known, &in_force.redactor);
    known.extend(share::lacks_driver(root).then(|| share::LACKS.to_owned()));
    if let Some(other) = hook.caller(in_force, world).other() {
        // Its agent hears of it at every start: it is still so.
        let line = other.unread();
        known.retain(|known| !known.ends_with(&line));
        known.insert(0, line);
    }
    let shortened = hook.input.source.as_deref() == Some("compact");
    let caller = hook.caller(in_force, world);
    let rules = rules_of_user(&hook, caller, memory, world, now);
    let session = session.filter(|_| shortened && in_force.project.config.recall.prompt);
    let before = session.map(|id| recollection::of_session(memory, &session_name(&id)));
    let before = before.unwrap_or_default();
    let standing = start::AfterCompaction { due, problems: known, before, rules };
    let project = Some(&in_force.project);
    if let Err(error) = start::tell(&hook.input, world, Some(folder), project, &standing) {
        let _ = writeln!(world.err, "hipocampus: {}", in_one_line(&error));
    }
    drop(lock);
    summarise(world, opened.as_ref());
    Exit::Done
}

/// The rules of the user that hold in this project, and no prompt needs to bring again.
fn rules_of_user(
    hook: &Hook,
    caller: Caller,
    memory: &Memory,
    world: &World,
    now: DateTime<FixedOffset>,
) -> Vec<String> {
    if !start::loads_anew(&hook.input, caller) {
        return Vec::new();
    }
    let rules = user_memory::rules_for(world, memory, now.date_naive());
    if !rules.lines.is_empty() {
        let (folder, session) = (memory.folder(), hook.input.session_id.as_deref());
        let tokens = rules.lines.iter().map(|line| count(line)).sum();
        Recalled::read(folder).keep(folder, (session, At::Start, now), tokens, &rules.names);
    }
    rules.lines
}

/// `hipocampus hook prompt`: what the memory knows about a prompt. Says nothing of what goes wrong: a person waits.
pub(crate) fn prompt(call: HookCall<'_>, world: &mut World) -> Exit {
    telling::at_prompt(call, world);
    Exit::Done
}

/// `hipocampus hook tool`: what the memory knows about a file. As silent as [`prompt`].
pub(crate) fn tool(call: HookCall<'_>, world: &mut World) -> Exit {
    telling::at_file(call, world);
    Exit::Done
}

/// The memory a hook is about, and what it goes by there.
struct Opened {
    memory: Memory,
    in_force: InForce,
    /// what had fired before this call
    before: Vec<Fired>,
}

/// A hook's call, and what went wrong in it, a line each.
struct Hook {
    input: HookInput,
    in_project: bool,
    problems: Vec<String>,
}

impl Hook {
    /// Reads what the client says. `None` where this call is nobody's to answer: the client was started to write a
    /// summary, which is nobody's session, the user has switched the session off, or another hook answers for the same
    /// event.
    fn begin(call: HookCall<'_>, world: &mut World) -> Option<Self> {
        if world.var(summarizer::SIGN).is_some() {
            return None;
        }
        let mut hook = Self::read(world);
        if !call.is_meant(world, &hook.input) {
            return None;
        }
        if off::is_set(world) {
            hook.is_off(call, world);
            return None;
        }
        (!plugin::is_doubled(world, &hook.input.event)).then_some(hook)
    }

    /// Writes down that the session is off, where the project has a memory.
    fn is_off(&mut self, call: HookCall<'_>, world: &World) {
        let begin = call.start(world, &self.input).ok();
        let memory = begin.and_then(|begin| project::place(&begin)).and_then(|place| {
            let share = in_force::of(&place.root).project.config.share;
            Memory::make(&place.root, share).ok()
        });
        if let (Some(memory), Ok(now)) = (memory, world.now()) {
            off::keep(memory.folder(), self.input.session_id.as_deref(), now);
        }
    }

    /// Reads what the client says. Without a word from it there is still the memory to bring up to date.
    fn read(world: &mut World) -> Self {
        let mut problems = Vec::new();
        let input = stdin::read_hook(world).unwrap_or_else(|why| {
            problems.push(describe(&why));
            HookInput::default()
        });
        Self { input, in_project: false, problems }
    }

    /// Opens the project and its memory; `None` where that is not possible.
    fn open(&mut self, call: HookCall<'_>, world: &World) -> Option<Opened> {
        let root = call
            .start(world, &self.input)
            .and_then(|begin| project::place(&begin).ok_or_else(|| project::none_at(&begin)));
        let opened = root.and_then(|Location { root, worktree }| {
            self.in_project = true;
            let mut in_force = in_force::of(&root);
            in_force.project.worktree = worktree;
            self.problems.extend(in_force.broken.clone());
            self.problems.extend(in_force.project.notes.iter().map(ToString::to_string));
            let memory = Memory::make(&root, in_force.project.config.share)?;
            if in_force.broken.is_none() {
                tree::begin_clean(&memory, in_force.redactor.version());
                projects::note(world, &in_force.project, &memory);
            }
            let before = fired::all(memory.folder());
            Ok(Opened { memory, in_force, before })
        });
        let now = world.now();
        match (opened, &now) {
            (Ok(opened), Ok(now)) => {
                // To make the rules ready takes longer than all else that an idle hook does.
                let is_known = opened.before.iter().any(|it| it.event == self.input.event);
                let event = if is_known {
                    std::borrow::Cow::Borrowed(&*self.input.event)
                } else {
                    opened.in_force.redactor.text(&self.input.event)
                };
                let caller = self.caller(&opened.in_force, world);
                // Some agents do not say which event it is.
                let is_unnamed = event.is_empty() && caller.other().is_some();
                let event = if is_unnamed { "call".into() } else { event };
                let client = caller.id();
                let folder = opened.memory.folder();
                fired::keep(folder, &Fired { event: event.into_owned(), at: *now, client });
                Some(opened)
            }
            (Err(problem), _) => {
                self.problems.push(problem.to_string());
                None
            }
            (Ok(opened), Err(problem)) => {
                self.problems.push(problem.to_string());
                Some(opened)
            }
        }
    }

    /// The client that calls.
    fn caller(&self, in_force: &InForce, world: &World) -> Caller {
        caller(&self.input, world, &in_force.project.config.platforms())
    }

    /// Tells that the session of an agent cannot be read; what is in the record of problems already is only said.
    fn is_unread(&mut self, agent: &OtherAgent, memory: &Folder, world: &mut World) {
        let line = agent.unread();
        if hook_log::has(world, memory, &line) {
            let _ = writeln!(world.err, "hipocampus: {line}");
        } else {
            self.problems.push(line);
        }
    }

    /// Whether this is the first that is heard today of a session of an agent that calls no hook when one starts.
    fn starts_unheard(&self, in_force: &InForce, memory: &Folder, world: &World) -> bool {
        let known = self.caller(in_force, world).known();
        let Some(id) = self.input.session_id.as_deref().filter(|_| {
            known.is_some_and(Platform::starts_unheard) && !self.input.is_session_end()
        }) else {
            return false;
        };
        let begin = format!("hipocampus:session {} ", session_name(id));
        let today = world.today().map(layout::log_name);
        today.is_ok_and(|log| !memory.text(&log).contains(&begin))
    }

    /// Looks up the session where its client did not name it.
    fn look_up(&mut self, in_force: &InForce, world: &World) {
        if let Some(client) = self.caller(in_force, world).known() {
            self.problems.extend(by_id::look_up(&mut self.input, client, world));
        }
    }

    /// Notes down that a session is left to the next event, where the lock was not to be had.
    fn left(&mut self, world: &World, lock: &Lock) {
        let Some(why) = lock.refusal(&lock_path()) else { return };
        let line = match import::transcript_of(&self.input, world) {
            // Whoever sent them sends them again with the next event of the session, if there is one.
            _ if self.input.messages.is_some() => format!("not saved: {why}"),
            Some(path) => hook_log::not_yet(&path, &why),
            None => return,
        };
        self.problems.push(line);
    }

    fn tell_all<'a>(&mut self, notes: impl IntoIterator<Item = &'a Note>) {
        for line in notes.into_iter().map(ToString::to_string) {
            if !self.problems.contains(&line) {
                self.problems.push(line);
            }
        }
    }

    /// Adds what this run met. It is in the log by now, unless it could not be written there.
    fn add_to(&self, known: &mut Vec<String>, redactor: &Redactor) {
        for problem in &self.problems {
            let problem = redactor.text(problem);
            if !known.iter().any(|line| line.ends_with(&*problem)) {
                known.push(problem.into_owned());
            }
        }
    }

    /// Brings the tree up to date, unless another run does, or the configuration does not tell how.
    fn compact(&mut self, world: &mut World, opened: Option<&Opened>, lock: &Lock) {
        let Some(Opened { memory, in_force, .. }) = opened else { return };
        if in_force.broken.is_some() || matches!(lock, Lock::Busy(_)) {
            return;
        }
        let done = world.today().and_then(|today| {
            let ask = UpdateOptions { today, alone: lock.held(), ..UpdateOptions::default() };
            tree::update(&in_force.project, memory, &ask)
        });
        match done {
            Ok(done) => {
                by_hand::search(&in_force.project, world, &done, true);
                self.tell_all(done.plan.notes.iter().filter(|note| note.problem));
                self.problems.extend(done.failure.map(|failure| failure.to_string()));
            }
            Err(problem) => self.problems.push(problem.to_string()),
        }
    }

    /// Why a summary by a model is due, if it is.
    fn due(&mut self, in_force: &InForce, memory: &Memory, world: &World) -> Option<String> {
        if in_force.broken.is_some() {
            return None;
        }
        let asked = world.now().and_then(|now| due::ask(&in_force.project, memory, now));
        match asked {
            Ok(due) => due.due.then_some(due.reason),
            Err(problem) => {
                let line = problem.to_string();
                let known = self.problems.contains(&line);
                self.problems.extend((!known).then_some(line));
                None
            }
        }
    }

    /// Says what went wrong, and keeps it.
    fn end(&self, world: &mut World, opened: Option<&Opened>) {
        let now = world.now().unwrap_or(world.clock);
        let standard = Redactor::standard();
        let redactor = opened.map_or(&standard, |opened| &opened.in_force.redactor);
        let folder = opened.map(|opened| opened.memory.folder());
        hook_log::tell(world, folder, now, &self.problems, redactor);
    }
}

fn lock_path() -> String {
    format!("{}/{}", layout::MEMORY, layout::LOCK)
}

fn in_one_line(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
