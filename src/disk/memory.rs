//! The folder of a memory: listing its names, reading its files, keeping its cache.

use std::io;
use std::path::Path;

use chrono::NaiveDate;

use super::folder::{Entry, EntryKind, Folder, Write};
use super::{TEMP_SUFFIX, describe, problem};
use crate::Problem;
use crate::layout;
use crate::memory::library::{Facts, Listing, LogFile, Shelf, Stamp};
use crate::memory::period::{Level, Period};
use crate::plan::Note;

/// An open memory.
#[derive(Debug)]
pub struct Memory {
    folder: Folder,
    levels: [Option<Folder>; 3],
}

/// Files that a killed run left: the folder they are in, by position in `Level::ALL`, and their name.
type Leftovers = Vec<(Option<usize>, String)>;

impl Memory {
    /// Opens `memory/` of a project. `None` if there is none.
    ///
    /// # Errors
    /// When it or a level's folder is there and cannot be opened.
    pub fn open(root: &Path) -> Result<Option<Self>, Problem> {
        let path = root.join(layout::MEMORY);
        let folder = match Folder::open(&path) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(problem("open the folder", &path, &error)),
        };
        let mut levels = [None, None, None];
        for (slot, level) in levels.iter_mut().zip(Level::ALL) {
            let name = layout::level_dir(level);
            *slot = folder.folder(name).map_err(|error| {
                problem("open the folder", &path.join(name), &error)
                    .hint("it has to be a folder, not a link or a file; nothing was changed")
            })?;
        }
        Ok(Some(Self { folder, levels }))
    }

    /// The folder itself.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Lists logs and nodes; with `sweep`, removes what killed runs left behind. Sweep only under the lock.
    ///
    /// # Errors
    /// When a folder cannot be listed.
    pub fn list(&self, sweep: bool) -> Result<Listing, Problem> {
        let mut listing = Listing::default();
        let mut leftovers = Leftovers::new();
        let failed = |folder: &Folder, error: &io::Error| problem("list", folder.path(), error);
        let dated = |name: &str| {
            name.as_bytes().first().is_some_and(u8::is_ascii_digit) && name.ends_with(".md")
        };
        for entry in self
            .folder
            .list(|name| dated(name) || name.ends_with(TEMP_SUFFIX))
            .map_err(|error| failed(&self.folder, &error))?
        {
            if entry.name.ends_with(TEMP_SUFFIX) {
                leftovers.push((None, entry.name));
            } else {
                sort_in_log(&mut listing, entry);
            }
        }
        for files in listing.logs.values_mut() {
            files.sort_by(|a, b| a.name.cmp(&b.name));
        }
        for (index, (folder, level)) in self.levels.iter().zip(Level::ALL).enumerate() {
            let Some(folder) = folder else { continue };
            listing.folders[index] = true;
            for entry in folder
                .list(|name| !name.starts_with('.') || name.ends_with(TEMP_SUFFIX))
                .map_err(|error| failed(folder, &error))?
            {
                if entry.name.ends_with(TEMP_SUFFIX) {
                    leftovers.push((Some(index), entry.name));
                } else {
                    sort_in_node(&mut listing, level, entry);
                }
            }
        }
        if sweep {
            self.sweep(&leftovers);
        }
        listing.odd.sort();
        Ok(listing)
    }

    /// Only files that can be made again are swept; ROOT.md is exchanged, and a temporary file of that name
    /// may hold what an agent wrote at that moment.
    fn sweep(&self, leftovers: &Leftovers) {
        for (level, name) in leftovers {
            let folder = level.map_or(Some(&self.folder), |index| self.levels[index].as_ref());
            let ours = !name.starts_with(&format!(".{}.", layout::ROOT));
            if let Some(folder) = folder.filter(|_| ours) {
                let _ = folder.remove(name);
            }
        }
    }

    /// What earlier runs learnt; nothing where the cache is missing, of another version, or damaged.
    pub fn facts(&self) -> Facts {
        self.folder
            .read(layout::CACHE)
            .ok()
            .and_then(|(bytes, _)| postcard::from_bytes(bytes.strip_prefix(CACHE_HEAD)?).ok())
            .unwrap_or_default()
    }

    /// Keeps what was learnt. Failing to is no failure: the cache only saves time.
    pub fn keep_facts(&self, facts: &Facts) {
        if let Ok(bytes) = postcard::to_extend(facts, CACHE_HEAD.to_vec()) {
            let _ = self.folder.replace(layout::CACHE, &bytes, Write::default());
        }
    }
}

/// Names the format of the cache; another one is no cache.
const CACHE_HEAD: &[u8] = b"hipocampus cache 1\n";

impl Shelf for Memory {
    fn log(&self, name: &str) -> Result<(Vec<u8>, Stamp), String> {
        self.folder.read(name).map_err(|error| describe(&error))
    }

    fn node(&self, period: Period) -> Result<(Vec<u8>, Stamp), String> {
        let index = Level::ALL.iter().position(|level| *level == period.level()).unwrap_or(0);
        let folder = self.levels[index].as_ref().ok_or("its folder is gone")?;
        folder.read(&layout::node_name(period)).map_err(|error| describe(&error))
    }

    fn stray(&self, path: &str) -> Result<Vec<u8>, String> {
        let (level, name) = path.split_once('/').ok_or("no path")?;
        let index = Level::ALL.iter().position(|known| layout::level_dir(*known) == level);
        let folder =
            index.and_then(|index| self.levels[index].as_ref()).ok_or("its folder is gone")?;
        Ok(folder.read(name).map_err(|error| describe(&error))?.0)
    }
}

fn sort_in_log(listing: &mut Listing, entry: Entry) {
    let path = format!("{}/{}", layout::MEMORY, entry.name);
    let Some(day) = day_of_log(&entry.name) else {
        let text = "its name is no calendar date, so it is no log; rename it";
        listing.odd.push(Note::remark(path, text));
        return;
    };
    if entry.kind == EntryKind::File {
        let private = entry.mode & 0o077 == 0;
        let file = LogFile { name: entry.name, stamp: entry.stamp, private };
        listing.logs.entry(day).or_default().push(file);
    } else {
        listing.odd.push(Note::remark(path, not_a_file(entry.kind)));
    }
}

fn sort_in_node(listing: &mut Listing, level: Level, entry: Entry) {
    let path = format!("{}/{}", layout::level_dir(level), entry.name);
    let full = format!("{}/{path}", layout::MEMORY);
    let stem = entry.name.strip_suffix(".md");
    match stem.and_then(|stem| Period::parse(level, stem)) {
        Some(_) if entry.kind != EntryKind::File => {
            listing.odd.push(Note::remark(full, not_a_file(entry.kind)));
        }
        Some(period) => {
            listing.nodes.insert(period, entry.stamp);
        }
        None if entry.kind == EntryKind::File && stem.is_some_and(looks_like_a_period) => {
            listing.strays.insert(path, entry.stamp);
        }
        None => listing.odd.push(Note::remark(full, "its name is no period, so it is no node")),
    }
}

/// `2026-03-15.md`, or `2026-03-15-0930.md` as `OpenClaw` writes them.
fn day_of_log(name: &str) -> Option<NaiveDate> {
    let stem = name.strip_suffix(".md")?;
    let (date, rest) = stem.split_at_checked(10)?;
    let clock = rest.is_empty()
        || rest.strip_prefix('-').is_some_and(|time| {
            time.len() == 4
                && time.bytes().all(|byte| byte.is_ascii_digit())
                && time[..2] < *"24"
                && time[2..] < *"60"
        });
    match Period::parse(Level::Daily, date)? {
        Period::Day(day) if clock => Some(day),
        _ => None,
    }
}

/// Names that were meant as a period: `NaN-WNaN`, `2027-W53`, `2026-13`.
fn looks_like_a_period(stem: &str) -> bool {
    stem.contains("NaN") || stem.as_bytes().first().is_some_and(u8::is_ascii_digit)
}

fn not_a_file(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Link => {
            "a link; links inside memory/ are not followed, put the file itself here"
        }
        EntryKind::Folder => "a folder where a file should be",
        EntryKind::File | EntryKind::Other => "no regular file, so it is not read",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_named_by_their_day() {
        fn check(name: &str, expect: Option<&str>) {
            let found = day_of_log(name).map(|day| day.to_string());
            assert_eq!(found.as_deref(), expect, "{name}");
        }
        check("2026-03-15.md", Some("2026-03-15"));
        check("2026-03-15-0930.md", Some("2026-03-15"));
        check("2026-03-15-2460.md", None);
        check("2026-03-15-notes.md", None);
        check("2026-02-30.md", None);
        check("2026-03-15.txt", None);
        check("２０26-03-15.md", None);
    }
}
