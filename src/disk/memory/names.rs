//! The names in a memory, with the `stat` of each: which is a log, which a node.

use std::sync::Arc;

use super::seal::Seal;
use crate::disk::TEMP_SUFFIX;
use crate::disk::folder::{DirEntry, EntryKind};
use crate::disk::list::Listed;
use crate::layout;
use crate::memory::period::{Level, Period, looks_like_a_label};
use crate::memory::snapshot::{Listing, LogFile, Stamp};
use crate::merge;
use crate::plan::Note;

/// The names of a memory with the `stat` of each.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(super) logs: Vec<Listed>,
    pub(super) nodes: [Option<Vec<Listed>>; 3],
}

impl Names {
    /// One number for all of it and for `rest`, whatever else a plan depends on. Equal numbers mean equal
    /// plans, so a run that finds the seal of a run that had nothing to do has nothing to do.
    pub(crate) fn seal(&self, rest: u64) -> Seal {
        let mut seal = Seal(rest);
        for DirEntry { name, kind, stamp, mode, closed } in each(&self.logs) {
            // Whether a log is for the user alone decides how its nodes are written.
            let private = !is_neighbour(name) && is_private(mode);
            let bits = u64::from(private) << 8 | u64::from(closed) << 9;
            seal.add(0, name, stamp, kind as u64 | bits);
        }
        for (index, entries) in self.nodes.iter().enumerate() {
            let Some(entries) = entries else { continue };
            seal.make_folder(index);
            for DirEntry { name, kind, stamp, closed, .. } in each(entries) {
                seal.add(index + 1, name, stamp, kind as u64 | u64::from(closed) << 9);
            }
        }
        seal
    }

    /// Whether there is a log.
    pub(crate) fn has_log(&self) -> bool {
        each(&self.logs).any(|entry| layout::day_of_log(entry.name).is_some())
    }

    /// The stamp of a file directly in the memory.
    pub(crate) fn stamp(&self, name: &str) -> Option<Stamp> {
        each(&self.logs).find(|entry| entry.name == name).map(|entry| entry.stamp)
    }

    /// Sorts the names into logs, nodes and the rest.
    pub(crate) fn sort(&self) -> Listing {
        let mut listing = Listing::default();
        for entry in each(&self.logs) {
            if !is_neighbour(entry.name) && !entry.name.ends_with(TEMP_SUFFIX) {
                sort_in_log(&mut listing, &entry);
            }
        }
        for files in listing.logs.values_mut().filter(|files| files.len() > 1) {
            Arc::make_mut(files).sort_by(|a, b| a.name.cmp(&b.name));
        }
        for (index, (entries, level)) in self.nodes.iter().zip(Level::ALL).enumerate() {
            listing.folders[index] = entries.is_some();
            for entry in entries.iter().flat_map(|listed| each(listed)) {
                if !entry.name.ends_with(TEMP_SUFFIX) {
                    sort_in_node(&mut listing, level, &entry);
                }
            }
        }
        listing.odd.sort();
        listing
    }
}

/// Each name of a folder.
pub(super) fn each(entries: &[Listed]) -> impl Iterator<Item = DirEntry<&str>> {
    entries.iter().flat_map(Listed::iter)
}

fn sort_in_log(listing: &mut Listing, entry: &DirEntry<&str>) {
    let path = |name: &str| format!("{}/{name}", layout::MEMORY);
    let Some(day) = layout::day_of_log(entry.name) else {
        let copy = merge::log_copied_in(entry.name);
        let text = if let Some(of) = copy {
            &*format!(
                "a conflict copy of `{of}`, so what only it says is in no node; `hipocampus merge` brings that in, named with its path"
            )
        } else if entry.name.strip_suffix(".md").is_some() {
            "its name is no calendar date, so it is no log; rename it"
        } else {
            "its name does not end in `.md`, so it is no log; rename it or move it away"
        };
        listing.odd.push(Note::remark(path(entry.name), text));
        return;
    };
    // What is not a regular file is listed all the same: reading it fails, and everything above it stays.
    let private = is_private(entry.mode);
    let stamp = known_by(entry);
    let file = LogFile { name: entry.name.to_owned(), stamp, private };
    Arc::make_mut(listing.logs.entry(day).or_default()).push(file);
}

fn sort_in_node(listing: &mut Listing, level: Level, entry: &DirEntry<&str>) {
    let path = || format!("{}/{}", layout::level_dir(level), entry.name);
    let full = || format!("{}/{}", layout::MEMORY, path());
    let stem = entry.name.strip_suffix(".md");
    match stem.and_then(|stem| Period::parse(level, stem)) {
        Some(period) => {
            listing.nodes.insert(period, known_by(entry));
        }
        None if entry.kind == EntryKind::File && stem.is_some_and(looks_like_a_label) => {
            listing.strays.insert(path(), entry.stamp);
        }
        None => listing.odd.push(Note::remark(full(), "its name is no period, so it is no node")),
    }
}

/// The stamp by which the cache may know a file. One that cannot be read is known by none: it has to be tried,
/// or only a run without a cache would find that out.
fn known_by(entry: &DirEntry<&str>) -> Stamp {
    if entry.closed { Stamp { mtime: i64::MIN, ..entry.stamp } } else { entry.stamp }
}

/// Whether the permissions keep everybody but the user out.
fn is_private(mode: u32) -> bool {
    mode.trailing_zeros() >= 6
}

/// Files beside the logs that a plan depends on.
pub(super) fn is_neighbour(name: &str) -> bool {
    matches!(name, layout::ROOT | layout::STATE)
}

/// Whether a name begins like that of a log, whatever its ending.
pub(super) fn has_date(name: &str) -> bool {
    name.get(..10).is_some_and(|date| Period::parse(Level::Daily, date).is_some())
}
