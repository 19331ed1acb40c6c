//! Names, kinds and permissions of files: what is a link where a file belongs, who may read it, what a killed run left.

use std::path::Path;

use crate::disk::{self, DirEntry, EntryKind, Folder, Memory};
use crate::layout;
use crate::memory::check::{CheckFinding, Fix};
use crate::memory::period::Level;
use crate::plan::hash;
use crate::platform::ALL;
use crate::project::Project;
use crate::state::CompactionState;

/// How the name of a file ends that is changing places with another.
const WAS: &str = ".hipocampus-was";
/// How the name of a text ends that met another one.
const RECOVERED: &str = ".recovered";
/// The permissions of everybody but the user.
const OF_OTHERS: u32 = 0o077;

/// The files that only the program itself reads, and that hold words of what was said.
const PRIVATE: [&str; 10] = [
    layout::CACHE,
    layout::ROOT_CACHE,
    layout::LOG,
    layout::FIRED,
    layout::DUE,
    layout::RECALLED,
    layout::TOKENS,
    layout::BACKGROUND,
    layout::PROVEN,
    layout::ROOT,
];

/// What killed runs left in folders beside the memory.
pub(super) fn beside(project: &Project) -> Vec<CheckFinding> {
    let mut folders =
        vec![String::new(), ".hipocampus".to_owned(), ".hipocampus/backup".to_owned()];
    let files = ALL.iter().flat_map(|row| row.hooks.iter().map(|hooks| hooks.file));
    folders.extend(files.filter_map(|file| Some(file.rsplit_once('/')?.0.to_owned())));
    folders.sort();
    folders.dedup();
    let mut found = Vec::new();
    for folder in folders {
        let path = project.root.join(&folder);
        let Ok(open) = Folder::open(&path) else { continue };
        let left = open.list(|name| name.starts_with('.') && name.contains(".hipocampus-"));
        let below = |name: &str| Path::new(&folder).join(name).display().to_string();
        found.extend(
            left.unwrap_or_default()
                .iter()
                .filter_map(|entry| left_over(entry, below(&entry.name))),
        );
    }
    found.extend(tenants(project));
    for name in ["MEMORY.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"] {
        if let Ok(Some(bytes)) = disk::read_users_file(&project.root.join(name)) {
            found.extend(crate::memory::check::logs::conflict_in(name, &bytes));
        }
    }
    found
}

/// Tenants that the configuration names and that are not there.
fn tenants(project: &Project) -> Vec<CheckFinding> {
    let listed = project.config.tenants.iter().flatten();
    let gone = listed.filter(|id| !disk::is_dir(&project.root.join(layout::TENANTS).join(id)));
    gone.map(|id| {
        let path = format!("{}/{id}", layout::TENANTS);
        let text = "the configuration names this tenant, and it is not there";
        CheckFinding::new(path, "tenant", text, format!("hipocampus init --tenant {id}"))
    })
    .collect()
}

/// A temporary file whose writer is gone, or an exchange that was not finished.
fn left_over(entry: &DirEntry, path: String) -> Option<CheckFinding> {
    if entry.name.ends_with(WAS) {
        let text = "a run was killed while this text and another changed places";
        return Some(CheckFinding::fixed(path, "unfinished exchange", text, Fix::Finish));
    }
    let text = "a run was killed while it wrote this";
    disk::is_abandoned(&entry.name)
        .then(|| CheckFinding::fixed(path, "temporary file", text, Fix::Finish))
}

/// What lies in the memory.
pub(super) fn inside(memory: &Memory, project: &Project) -> Vec<CheckFinding> {
    let mut found = Vec::new();
    let private = !project.config.share;
    found.extend(own_mode(project).filter(|_| private));
    let entries = memory.folder().list(|_| true).unwrap_or_default();
    for entry in &entries {
        let path = layout::in_memory(&entry.name);
        found.extend(left_over(entry, path.clone()));
        found.extend(recovered(entry, &path));
        found.extend(kind(
            entry,
            &path,
            is_file_of_ours(&entry.name),
            is_folder_of_ours(&entry.name),
        ));
        let is_private = PRIVATE.contains(&&*entry.name) || is_backup(&entry.name);
        found.extend(mode(entry, &path).filter(|_| private && is_private));
        found.extend(closed(entry, &path).filter(|_| !is_log(&entry.name)));
    }
    for level in Level::ALL {
        let Ok(Some(folder)) = memory.folder().folder(layout::level_dir(level)) else { continue };
        for entry in folder.list(|_| true).unwrap_or_default() {
            let path = format!("{}/{}", layout::level_path(level), entry.name);
            found.extend(left_over(&entry, path.clone()));
            found.extend(recovered(&entry, &path));
            found.extend(kind(&entry, &path, entry.name.strip_suffix(".md").is_some(), false));
            let machines = || folder.read(&entry.name).is_ok_and(|(bytes, _)| is_written(&bytes));
            found.extend(mode(&entry, &path).filter(|_| private && machines()));
        }
    }
    found.extend(records(memory));
    found
}

/// Whether a node's body is what the program wrote.
fn is_written(bytes: &[u8]) -> bool {
    crate::memory::node::NodeFacts::of(bytes).is_as_written()
}

/// The folder itself: a link that the user made is that user's.
fn own_mode(project: &Project) -> Option<CheckFinding> {
    let entry = Folder::open(&project.root).ok()?.entry(layout::MEMORY).ok()??;
    let open = entry.kind == EntryKind::Folder && entry.mode & OF_OTHERS != 0;
    open.then(|| {
        let text = format!("others may look into it (mode {:o})", entry.mode & 0o777);
        CheckFinding::fixed(layout::MEMORY, "permissions", text, Fix::Narrow)
    })
}

/// A file that is for the user's eyes only and that others may read.
fn mode(entry: &DirEntry, path: &str) -> Option<CheckFinding> {
    let open = entry.kind == EntryKind::File && entry.mode & OF_OTHERS != 0;
    open.then(|| {
        let text = format!("others may read it (mode {:o})", entry.mode & 0o777);
        CheckFinding::fixed(path, "permissions", text, Fix::Narrow)
    })
}

/// The same for a log that contains a session. The mode of a log that agents write by hand is up to them.
pub(super) fn log_mode(path: &str, memory: &Memory) -> Option<CheckFinding> {
    let entry = memory.folder().entry(layout::name(path)).ok()??;
    mode(&entry, path)
}

fn closed(entry: &DirEntry, path: &str) -> Option<CheckFinding> {
    (entry.closed && entry.kind == EntryKind::File).then(|| {
        let text = format!("cannot be read (mode {:o})", entry.mode & 0o777);
        CheckFinding::new(path, "unreadable", text, format!("chmod 600 {path}"))
    })
}

/// A link, a folder or a pipe where a file of ours belongs, and the other way round.
fn kind(entry: &DirEntry, path: &str, file: bool, folder: bool) -> Option<CheckFinding> {
    let fits = match entry.kind {
        EntryKind::File => !folder,
        EntryKind::Folder => !file,
        EntryKind::Link | EntryKind::Other => !file && !folder,
    };
    let is = match entry.kind {
        EntryKind::File => "a file",
        EntryKind::Folder => "a folder",
        EntryKind::Link => "a link, and none is followed",
        EntryKind::Other => "a pipe or a device",
    };
    let wanted = if folder { "a folder" } else { "a file" };
    let text = format!("is {is}; {wanted} belongs here");
    (!fits).then(|| {
        CheckFinding::new(
            path,
            "wrong kind",
            text,
            format!("move {path} away, then hipocampus compact"),
        )
    })
}

fn is_log(name: &str) -> bool {
    crate::layout::day_of_log(name).is_some()
}

fn is_backup(name: &str) -> bool {
    name.starts_with(".session-transcript-") && name.strip_suffix(".jsonl").is_some()
}

fn is_file_of_ours(name: &str) -> bool {
    let known = [layout::LOCK, layout::STATE, layout::REOPEN];
    PRIVATE.contains(&name) || known.contains(&name) || is_backup(name) || is_log(name)
}

fn is_folder_of_ours(name: &str) -> bool {
    Level::ALL.iter().any(|level| layout::level_dir(*level) == name)
}

fn recovered(entry: &DirEntry, path: &str) -> Option<CheckFinding> {
    let name = entry.name.strip_suffix(RECOVERED)?.rsplit_once('.')?.0;
    let text = format!("a text of `{name}` that met another one when a run was killed");
    Some(CheckFinding::new(
        path,
        "recovered text",
        text,
        "compare the two, keep what you need, delete this one",
    ))
}

/// The state that agents write as well, the days to make again, the caches.
fn records(memory: &Memory) -> Vec<CheckFinding> {
    let folder = memory.folder();
    let mut found = Vec::new();
    if let Ok(Some((bytes, _))) = folder.read_if_there(layout::STATE)
        && let Err(error) = CompactionState::parse(&bytes)
    {
        let mend = format!("repair it in an editor, or rm {}", layout::state_path());
        found.push(CheckFinding::new(
            layout::in_memory(layout::STATE),
            "state",
            error.to_string(),
            mend,
        ));
    }
    if let Ok(days) = crate::import::reopen::pending(folder)
        && !days.is_empty()
    {
        let text = "names days whose week has to be made again";
        found.push(CheckFinding::compact(
            layout::in_memory(layout::REOPEN),
            "days to reopen",
            text,
        ));
    }
    if let Some(bytes) = memory.torn_cache() {
        let text = "does not read as what this program wrote";
        found.push(CheckFinding::fixed(
            layout::in_memory(layout::CACHE),
            "torn cache",
            text,
            Fix::Remove(hash(&bytes)),
        ));
    }
    let torn_lock = folder.entry(layout::LOCK).ok().flatten();
    if let Some(lock) = torn_lock.filter(|lock| lock.kind == EntryKind::File && lock.closed) {
        let text =
            format!("cannot be opened (mode {:o}), so nothing is imported", lock.mode & 0o777);
        found.push(CheckFinding::new(
            layout::in_memory(layout::LOCK),
            "lock",
            text,
            format!("chmod 644 {}", layout::in_memory(layout::LOCK)),
        ));
    }
    found
}
