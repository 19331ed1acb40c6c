//! `hipocampus flush`: saves an entry somebody hands over, or what is new in the latest session.

use std::io::Read;
use std::path::Path;

use super::{compact, import, sessions};
use crate::capture::hook_input::HookInput;
use crate::capture::{Redact, checkpoint, ledger};
use crate::cli::FlushArgs;
use crate::disk::{self, Folder, Lock, Memory, Wait, Write, read_range};
use crate::error::{Exit, Problem};
use crate::layout;
use crate::project;
use crate::state::State;
use crate::world::World;

/// The most bytes of an entry on stdin: 1 MiB.
const LIMIT: u64 = 1024 * 1024;

/// `hipocampus flush`, then what `hipocampus compact` does.
pub(crate) fn run(args: &FlushArgs, dir: Option<&Path>, world: &mut World) -> anyhow::Result<Exit> {
    let project = project::find(&project::start(world, dir, None))?;
    let redactor = project.redactor()?;
    Memory::make(&project.root)?;
    flush(&project.root, args, world, &redactor, |world, lock| {
        compact::after_capture(&project, world, &lock)
    })
}

/// Runs the command; `then_compact` is given the lock, so that nothing comes between.
///
/// # Errors
/// When there is nothing to save, or it cannot be written.
fn flush(
    root: &Path,
    args: &FlushArgs,
    world: &mut World,
    redact: &dyn Redact,
    then_compact: impl FnOnce(&mut World, Lock) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let memory_path = root.join(layout::MEMORY);
    let memory =
        Folder::open(&memory_path).map_err(|error| disk::problem("open", &memory_path, &error))?;
    let Some(entry) = handed_over(args, world)? else {
        let lock = memory.lock(layout::LOCK, Wait::ByHand);
        if !matches!(lock, Lock::Busy) {
            import_latest(root, world, redact)?;
        }
        return then_compact(world, lock);
    };
    let entry = redact.text(&entry).into_owned();
    let day = world.today()?;
    let lock = memory.lock(layout::LOCK, Wait::ByHand);
    // An append needs no lock. What somebody wants to keep is kept even if another run never ends.
    append(&memory, &layout::log_name(day), &entry).map_err(|error| {
        disk::problem("write", &memory_path.join(layout::log_name(day)), &error)
    })?;
    writeln!(world.out, "hipocampus flush: saved to `memory/{}`", layout::log_name(day))?;
    if !matches!(lock, Lock::Busy)
        && let Err(why) = count_checkpoint(&memory)
    {
        writeln!(world.err, "hipocampus: `memory/{}` not counted: {why}", layout::STATE)?;
    }
    then_compact(world, lock)
}

/// The entry given on the command line or on stdin; `None` if neither was asked for.
fn handed_over(args: &FlushArgs, world: &mut World) -> anyhow::Result<Option<String>> {
    let (words, keep_headings) = match (&args.message, args.stdin.as_deref()) {
        (Some(words), _) => (words.clone(), false),
        (None, Some("-")) => (read_stdin(world)?, true),
        (None, Some(other)) => {
            let problem = Problem::usage(format!("unexpected argument `{other}`"));
            return Err(problem.hint("give the text with `-m TEXT`, or `-` to read stdin").into());
        }
        (None, None) if args.topic.is_some() || args.kind.is_some() => {
            let problem = Problem::usage("a topic or type, but nothing to save");
            return Err(problem.hint("give the text with `-m TEXT`, or `-` to read stdin").into());
        }
        (None, None) => return Ok(None),
    };
    let entry = checkpoint::entry(&words, args.topic.as_deref(), args.kind, keep_headings);
    let nothing = || Problem::usage("nothing to save: the text is empty");
    Ok(Some(entry.ok_or_else(nothing)?))
}

fn read_stdin(world: &mut World) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if let Some(stdin) = world.stdin.take() {
        stdin.take(LIMIT + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LIMIT {
        let problem = Problem::new(format!("more than {LIMIT} bytes came on stdin"));
        return Err(problem.hint("save it in parts; nothing was written").into());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Appends an entry to a log in one write, set off by a blank line.
fn append(memory: &Folder, name: &str, entry: &str) -> std::io::Result<()> {
    let tail = match memory.open_file(name)? {
        Some((file, stamp)) => read_range(&file, stamp.size.saturating_sub(2 * LIMIT)..stamp.size)?,
        None => Vec::new(),
    };
    let mut bytes = ledger::seal(&tail);
    let is_set_off = tail.is_empty() || (bytes.is_empty() && tail.ends_with(b"\n\n"));
    if !is_set_off {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(entry.as_bytes());
    memory.append(name, &bytes, Write { sync: true, private: false })
}

/// Counts the checkpoint that was made. Needs the lock.
fn count_checkpoint(memory: &Folder) -> Result<(), String> {
    let said = |error: std::io::Error| disk::describe(&error);
    let bytes = memory.read_if_there(layout::STATE).map_err(said)?;
    let state = bytes.map_or(Ok(None), |(bytes, _)| State::parse(&bytes))?;
    let mut state = state.unwrap_or_default();
    state.count_checkpoint();
    let how = Write { sync: true, private: false };
    memory.replace(layout::STATE, &state.to_bytes(), how).map(|_| ()).map_err(said)
}

fn import_latest(root: &Path, world: &mut World, redact: &dyn Redact) -> anyhow::Result<()> {
    let Some(session) = sessions::of_project(root, world, 0).next() else {
        writeln!(world.out, "hipocampus flush: no session of this project found")?;
        return Ok(());
    };
    let hook = HookInput {
        transcript_path: Some(session.path.to_string_lossy().into_owned()),
        ..HookInput::default()
    };
    let outcome = import::import(root, &hook, world, redact, None)?;
    for note in &outcome.notes {
        writeln!(world.err, "hipocampus: {note}")?;
    }
    let turns = outcome.turns;
    writeln!(world.out, "hipocampus flush: {turns} new turns from the latest session")?;
    Ok(())
}
