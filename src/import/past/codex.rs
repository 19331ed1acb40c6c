//! Codex: rollouts below `~/.codex/sessions` and `~/.codex/archived_sessions`, which it packs when they are old, and
//! the paginated history that it makes from them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::{KeptAs, LIMIT, Owner, Past, PastSessions, home, known, origin_of, prompts};
use crate::capture::stored;
use crate::capture::transcript::{self, NoRecord, TranscriptOrigin};
use crate::disk::{self, NotRead, StoreError};
use crate::platform::{Store, id_of};
use crate::world::World;

/// How deep rollouts lie: `YYYY/MM/DD/rollout-….jsonl`.
const DEPTH: usize = 4;
/// Where they lie in Codex's folder.
const FOLDERS: [&str; 2] = ["sessions", "archived_sessions"];

pub(super) fn find(whose: &Owner<'_>, world: &World, found: &mut PastSessions) {
    let Some(home) = home(world, "CODEX_HOME", ".codex") else { return };
    let mut files = BTreeSet::new();
    for folder in FOLDERS {
        let wanted = |path: &Path| id(path).is_some();
        found.each(&home.join(folder), DEPTH, wanted, |found, stored| {
            files.extend(id(&stored.path));
            rollout(whose, stored, found);
        });
    }
    let databases = world.var("CODEX_SQLITE_HOME").map_or(home, PathBuf::from);
    history(whose, &databases, &files, found);
}

/// The id of the session in a rollout: the last 36 characters of its name.
pub(super) fn id(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".zst").unwrap_or(name).strip_suffix(".jsonl")?;
    let stem = stem.strip_prefix("rollout-")?;
    let at = stem.len().checked_sub(36).filter(|at| stem.is_char_boundary(*at)).unwrap_or(0);
    Some(stem[at..].to_owned())
}

/// The session of this id: its rollout, else its part of the history.
pub(super) fn held(wanted: &str, world: &World) -> Result<Option<Past>, NotRead> {
    let Some(home) = home(world, "CODEX_HOME", ".codex") else { return Ok(None) };
    let mut packed = None;
    for folder in FOLDERS {
        let is_it = |path: &Path| id(path).is_some_and(|id| id == wanted);
        for stored in disk::stored(&home.join(folder), DEPTH, is_it) {
            let stored = stored?;
            if let Some(why) = stored.refused {
                return Err(NotRead::of(&stored.path, StoreError::Refused(why)));
            }
            match Past::in_file(id_of(Store::Codex), wanted.to_owned(), &stored) {
                past if matches!(past.kept, KeptAs::Packed(_)) => packed = Some(past),
                past => return Ok(Some(past)),
            }
        }
    }
    let databases = world.var("CODEX_SQLITE_HOME").map_or(home, PathBuf::from);
    let items = newest(&databases, "thread_history_").filter(|_| packed.is_none());
    Ok(packed.or_else(|| {
        let (agent, id) = (id_of(Store::Codex), wanted.to_owned());
        Some(Past::new(agent, id, KeptAs::CodexHistory(items?), 0))
    }))
}

/// The ids of all rollouts, whosever they are.
pub(super) fn rollouts(home: &Path) -> BTreeSet<String> {
    let wanted = |path: &Path| id(path).is_some();
    let all = FOLDERS.iter().flat_map(|folder| disk::stored(&home.join(folder), DEPTH, wanted));
    all.filter_map(|stored| id(&stored.ok()?.path)).collect()
}

/// The folder in which each session was held that Codex has a row of, by the session's id.
pub(super) fn folders(world: &World, home: &Path) -> HashMap<String, String> {
    let databases = world.var("CODEX_SQLITE_HOME").map_or_else(|| home.to_owned(), PathBuf::from);
    let state = newest(&databases, "state_");
    state.and_then(|state| prompts::threads(&state).ok()).unwrap_or_default()
}

fn rollout(whose: &Owner<'_>, stored: &disk::Stored, found: &mut PastSessions) {
    let path = &stored.path;
    let is_packed = path.extension().is_some_and(|it| it == "zst");
    let origin = if is_packed && stored.refused.is_none() {
        packed_origin(path).map_err(|why| NotRead::of(path, why))
    } else {
        origin_of(stored)
    };
    match origin {
        Ok(TranscriptOrigin { cwd: Some(cwd), delegated, .. }) => {
            let past = Past::in_file(id_of(Store::Codex), id(path).unwrap_or_default(), stored);
            found.take(whose, Path::new(&cwd), Past { delegated, ..past });
        }
        Ok(_) => {}
        // It may be this project's session: a note is better than losing it silently.
        Err(why) => found.pass_over(None, &why),
    }
}

pub(super) fn packed_origin(path: &Path) -> Result<TranscriptOrigin, StoreError> {
    let bytes = disk::read_packed(path, LIMIT)?;
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(transcript::origin(first))
}

/// The records of a rollout that was packed. The first one tells whose they are.
pub(super) fn lines(bytes: &[u8]) -> Vec<Box<RawValue>> {
    let mut records = Vec::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let mut take = |record: &[u8]| records.extend(serde_json::from_slice(record));
        match transcript::said(line) {
            Ok(piece) if index == 0 || piece.is_some() => take(line),
            Ok(_) => {}
            Err(NoRecord) => {
                transcript::mended(line).records.iter().for_each(|(_, it)| take(it));
            }
        }
    }
    records
}

/// Sessions whose rollout is gone, but whose items are in the history.
fn history(whose: &Owner<'_>, home: &Path, files: &BTreeSet<String>, found: &mut PastSessions) {
    let Some(state) = newest(home, "state_") else { return };
    let Some(items) = newest(home, "thread_history_") else { return };
    let threads = disk::read_database(&state, |database| {
        known(database.has("threads", &["id", "cwd", "source", "updated_at"]))?;
        let mut threads = Vec::new();
        database.rows("threads", &mut |row| {
            let text = |name: &str| row.text(name).map(Cow::into_owned);
            let by_an_agent = text("source").is_some_and(|source| source.starts_with('{'))
                || text("thread_source").is_some_and(|source| source.contains("agent"));
            if let (Some(id), Some(cwd), false) = (text("id"), text("cwd"), by_an_agent) {
                let updated = row.int("updated_at").unwrap_or(0).saturating_mul(1_000_000_000);
                threads.push((id, cwd, updated, text("name")));
            }
            ControlFlow::Continue(())
        })?;
        Ok(threads)
    });
    let threads = match threads {
        Ok(threads) => threads,
        Err(why) => return found.pass_over(Some(&state), &why),
    };
    for (id, cwd, written, title) in threads {
        if !files.contains(&id) {
            let kept = KeptAs::CodexHistory(items.clone());
            let past = Past { title, ..Past::new(id_of(Store::Codex), id, kept, written) };
            found.take(whose, Path::new(&cwd), past);
        }
    }
}

/// The database of this kind whose number is the highest: each version of its tables has a file of its own.
fn newest(home: &Path, prefix: &str) -> Option<PathBuf> {
    let number = |name: &String| -> Option<u32> {
        name.strip_prefix(prefix)?.strip_suffix(".sqlite")?.parse().ok()
    };
    let name =
        disk::names(home).into_iter().filter(|it| number(it).is_some()).max_by_key(number)?;
    Some(home.join(name))
}

pub(super) fn messages(path: &Path, id: &str) -> Result<Vec<Box<RawValue>>, StoreError> {
    disk::read_database(path, |database| {
        let columns = ["thread_id", "rollout_ordinal", "created_at_ms", "item_json"];
        known(database.has("thread_items", &columns))?;
        let mut items = Vec::new();
        database.rows_with("thread_items", "thread_id", id, &mut |row| {
            let number = row.int("rollout_ordinal").unwrap_or(0);
            let time = row.int("created_at_ms").unwrap_or(0);
            items.extend(row.text("item_json").map(|item| (number, time, item.into_owned())));
        })?;
        items.sort();
        Ok(items.iter().flat_map(|(_, time, item)| stored::codex(item, *time)).collect())
    })
}
