//! Folders listed in one go, on two threads where they hold many names.
//!
//! The threads take from the same work instead of having a half of it each: a system may start the second one only
//! after some milliseconds, and the first one is far ahead by then.

use std::ffi::CStr;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::folder::{DirEntry, Folder};
use super::problem;
use crate::Problem;
use crate::side_by_side::both;

/// How many bytes of names a thread takes at once: some hundred files to look at.
const SOME: usize = 4 * 1024;
/// How many bytes most names take, the zero byte after them included.
const DAY: usize = "2026-03-15.md".len() + 1;

/// A folder, and which of its names count.
pub(super) type Place<'a> = (&'a Folder, fn(&str) -> bool);

/// Names with the `stat` of each, in no order. Ten years of them are asked for in every run, and hardly ever for
/// more than one number of them all, so none is a text of its own.
#[derive(Debug, Default)]
pub(super) struct Listed {
    names: String,
    /// each with where its name ends
    entries: Vec<DirEntry<usize>>,
}

impl Listed {
    /// For names of so many bytes, with a zero byte after each.
    fn with_room_for(bytes: usize) -> Self {
        let entries = Vec::with_capacity(bytes / DAY);
        Self { names: String::with_capacity(bytes), entries }
    }

    fn push(&mut self, name: &str, entry: &DirEntry<()>) {
        self.names.push_str(name);
        self.entries.push(entry.named(self.names.len()));
    }

    /// Each of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = DirEntry<&str>> {
        let mut start = 0;
        self.entries.iter().map(move |entry| {
            let name = &self.names[start..entry.name];
            start = entry.name;
            entry.named(name)
        })
    }
}

/// What no thread has taken yet.
struct Left {
    places: Range<usize>,
    /// names, each with the zero byte after it, and whose they are
    names: Vec<(usize, Vec<u8>)>,
}

/// What is in each place, in the order of the places. A file that vanishes in between is left out.
///
/// # Errors
/// When a folder cannot be listed.
pub(super) fn list(places: &[Place<'_>], many: bool) -> Result<Vec<Vec<Listed>>, Problem> {
    let left = Mutex::new(Left { places: 0..places.len(), names: Vec::new() });
    let work = || share(places, &left);
    let (here, beside) = both(many, work, work);
    let mut found: Vec<_> = places.iter().map(|_| Vec::new()).collect();
    for (place, entries) in here?.into_iter().chain(beside?) {
        found[place].push(entries);
    }
    Ok(found)
}

/// Works as long as something is left. Names come first: what to look at is then there for both threads.
fn share(places: &[Place<'_>], left: &Mutex<Left>) -> Result<Vec<(usize, Listed)>, Problem> {
    let left = || left.lock().unwrap_or_else(PoisonError::into_inner);
    let failed = |place: usize| move |error| problem("list", places[place].0.path(), error);
    let mut found = Vec::new();
    loop {
        let next = left().places.next();
        if let Some(place) = next {
            let names = names(places[place].0).map_err(failed(place))?;
            left().names.extend(names.into_iter().map(|names| (place, names)));
            continue;
        }
        let some = left().names.pop();
        let Some((place, names)) = some else { return Ok(found) };
        found.push((place, look_at(places[place], &names).map_err(failed(place))?));
    }
}

/// The names in a folder, some at a time.
fn names(folder: &Folder) -> io::Result<Vec<Vec<u8>>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    folder.names(|name| {
        let name = name.to_bytes_with_nul();
        match all.last_mut() {
            Some(some) if some.len() + name.len() <= SOME => some.extend_from_slice(name),
            _ => {
                let mut some = Vec::with_capacity(SOME);
                some.extend_from_slice(name);
                all.push(some);
            }
        }
        Ok(())
    })?;
    Ok(all)
}

fn look_at((folder, counts): Place<'_>, names: &[u8]) -> io::Result<Listed> {
    let mut found = Listed::with_room_for(names.len());
    // Nearly every name is UTF-8, and asking that of all at once is quicker than of each.
    let text = str::from_utf8(names);
    let mut start = 0;
    while let Ok(raw) = CStr::from_bytes_until_nul(&names[start..]) {
        let end = start + raw.count_bytes();
        let name = text.map_or_else(|_| raw.to_string_lossy(), |text| text[start..end].into());
        start = end + 1;
        if counts(&name)
            && let Some(entry) = folder.look(raw)?
        {
            found.push(&name, &entry);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everything_that_counts_is_found_once_on_one_thread_or_two() {
        let root = tempfile::tempdir().unwrap();
        let mut expect = Vec::new();
        for (folder, files) in [("few", 3), ("many", 3000), ("none", 0)] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
            for n in 0..files {
                let body = "x".repeat(n % 7);
                std::fs::write(root.path().join(folder).join(format!("{n} 기억.md")), body)
                    .unwrap();
                std::fs::write(root.path().join(folder).join(format!("{n}.txt")), "").unwrap();
            }
            let all = (0..files).map(|n| (format!("{n} 기억.md"), n as u64 % 7));
            expect.push(all.collect::<BTreeSet<_>>());
        }
        let folders = ["few", "many", "none"].map(|name| Folder::open(&root.path().join(name)));
        let folders = folders.map(Result::unwrap);
        let places: Vec<Place<'_>> = folders
            .iter()
            .map(|folder| (folder, (|name| name.contains("기억")) as fn(&str) -> bool))
            .collect();
        for many in [false, true] {
            let found = list(&places, many).unwrap();
            let sizes = |entry: DirEntry<&str>| (entry.name.to_owned(), entry.stamp.size);
            let of_place =
                |all: &Vec<Listed>| all.iter().flat_map(Listed::iter).map(sizes).collect();
            let found: Vec<Vec<_>> = found.iter().map(of_place).collect();
            let once: Vec<_> =
                found.iter().map(|all| all.iter().cloned().collect::<BTreeSet<_>>()).collect();
            assert_eq!(once, expect);
            assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3000, 0]);
        }
    }
}
