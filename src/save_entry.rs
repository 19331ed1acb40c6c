//! Saves an entry in the log of the day.

use anyhow::Result;

use crate::capture::remembering::Remembering;
use crate::capture::{Redact, ledger};
use crate::disk::{self, Folder, Lock, Wait, Write, read_range};
use crate::import::{proven, reopen};
use crate::layout;
use crate::markdown::marker;
use crate::project::Project;
use crate::retract::saved_again::say_again;
use crate::state::CompactionState;
use crate::world::World;

/// The most bytes of an entry: 1 MiB.
pub(crate) const LIMIT: u64 = 1024 * 1024;

/// Saves an entry with its heading. Returns the lock, so that nothing comes between this and compaction. Fails when it
/// cannot be written.
pub(crate) fn save_entry(
    project: &Project,
    memory: &Folder,
    entry: &[u8],
    world: &mut World,
    redact: &dyn Redact,
) -> Result<Lock> {
    let day = world.today()?;
    let lock = memory.lock(layout::LOCK, Wait::ByHand(world.patience));
    let redact = Remembering::new(redact, || proven::load(memory));
    let entry = redact.bytes(entry).into_owned();
    if let Err(error) = say_again(memory, day, &entry) {
        // The entry is saved anyway; it counts as forgotten until it is saved once more.
        let why = disk::describe(&error);
        writeln!(world.err, "hipocampus: `memory/{}` not changed: {why}", layout::FORGOTTEN)?;
    }
    let mut at = String::new();
    if project.config.share {
        // What gives it its place among what others noted down on that day.
        let now = world.now()?.naive_local().format("%F %T").to_string();
        at = marker::write_at(&now);
    }
    // An append needs no lock. What somebody wants to keep is kept even if another run never ends.
    if let Err(error) = reopen::announce(memory, day) {
        writeln!(world.err, "hipocampus: {}", reopen::not_announced(&error))?;
    }
    let name = layout::log_name(day);
    let written = append(memory, &name, &at, &entry);
    let written =
        written.map_err(|error| disk::problem("write", &memory.path().join(&name), error))?;
    if written {
        writeln!(world.out, "hipocampus flush: saved to `memory/{name}`")?;
    } else {
        writeln!(world.out, "hipocampus flush: is in `memory/{name}` already")?;
    }
    if lock.held().is_some() {
        if let Err(why) = count_checkpoint(memory) {
            writeln!(world.err, "hipocampus: `memory/{}` not counted: {why}", layout::STATE)?;
        }
        if let Some(note) = proven::save(memory, &redact) {
            writeln!(world.err, "hipocampus: {note}")?;
        }
    }
    Ok(lock)
}

/// Appends an entry to a log in one write, below the line `at` where there is one, set off by a blank line. Whether it
/// did: an entry that is there word for word is not saved again.
fn append(memory: &Folder, name: &str, at: &str, entry: &[u8]) -> std::io::Result<bool> {
    let tail = match memory.open_file(name)? {
        Some((file, stamp)) => read_range(&file, stamp.size.saturating_sub(2 * LIMIT)..stamp.size)?,
        None => Vec::new(),
    };
    if stands(&tail, entry) {
        return Ok(false);
    }
    let mut bytes = ledger::repair_tail(&tail);
    let is_set_off = tail.is_empty() || (bytes.is_empty() && tail.ends_with(b"\n\n"));
    if !is_set_off {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(at.as_bytes());
    bytes.extend_from_slice(entry);
    memory.append(name, &bytes, Write::KEPT)?;
    Ok(true)
}

/// Whether an entry is in a log as it is, with nothing more below its last line.
fn stands(log: &[u8], entry: &[u8]) -> bool {
    memchr::memmem::find_iter(log, entry).any(|at| {
        let begins = at == 0 || log[at - 1] == b'\n';
        let rest = &log[at + entry.len()..];
        begins && (rest.is_empty() || rest.starts_with(b"\n"))
    })
}

/// Counts the checkpoint that was made. Needs the lock.
fn count_checkpoint(memory: &Folder) -> anyhow::Result<()> {
    let bytes = memory.read_if_there(layout::STATE)?;
    let state = bytes.map_or(Ok(None), |(bytes, _)| CompactionState::parse(&bytes))?;
    let mut state = state.unwrap_or_default();
    state.count_checkpoint();
    memory.replace(layout::STATE, &state.to_bytes(), Write::KEPT)?;
    Ok(())
}
