//! Carries out a [`Plan`], step by step, and stops at the first failure.
//!
//! Each file holds either its old or its new bytes at every moment, and steps are ordered so that what
//! stands after any number of them is right: a later run finishes the rest. A power cut keeps that order too
//! where it matters: a text of the user changes only when the copies made before are on disk under their
//! names, and nothing is removed before what took its place is.

use std::collections::hash_map;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::exchange::Displaced;
use super::folder::{EntryKind, Folder, Write};
use super::{describe, problem};
use crate::Problem;
use crate::memory::snapshot::Stamp;
use crate::plan::{Change, FileOwner, Note, Plan, Step};

#[derive(Debug, Default)]
pub(crate) struct Applied {
    /// for each step that was carried out: its index and, for a file written whole, its stamp
    pub done: Vec<(usize, Option<Stamp>)>,
    /// steps that were left out because the file changed since the plan was made
    pub skipped: Vec<Note>,
    pub failure: Option<Problem>,
}

impl Applied {
    /// Whether every step was carried out.
    pub(crate) fn is_whole(&self) -> bool {
        self.failure.is_none() && self.skipped.is_empty()
    }

    /// Adds what was carried out after it, or beside it: steps that have `before` others in front of them.
    pub(crate) fn append(&mut self, later: Self, before: usize) {
        self.done.extend(later.done.into_iter().map(|(index, stamp)| (index + before, stamp)));
        self.skipped.extend(later.skipped);
        self.failure = self.failure.take().or(later.failure);
    }
}

/// Applies a plan below `root`.
pub(crate) fn apply(root: &Path, plan: &Plan) -> Applied {
    let mut worker = Worker::new(root, plan);
    worker.carry_out(0..plan.steps.len());
    worker.finish()
}

/// A plan of which some parts need nothing of each other, so that several threads can apply it at once.
pub(crate) struct InParts<'p> {
    root: &'p Path,
    plan: &'p Plan,
    /// where each part begins; what is before the first is applied before any of them
    starts: &'p [usize],
    /// the next part to be taken
    next: AtomicUsize,
}

impl<'p> InParts<'p> {
    /// Applies what all parts need.
    pub(crate) fn begin(root: &'p Path, plan: &'p Plan, starts: &'p [usize]) -> (Self, Applied) {
        let mut worker = Worker::new(root, plan);
        worker.carry_out(0..starts.first().map_or(plan.steps.len(), |first| *first));
        let applied = worker.finish();
        let next = if applied.failure.is_some() { starts.len() } else { 0 };
        (Self { root, plan, starts, next: next.into() }, applied)
    }

    /// Applies parts as long as some are left and nothing has failed, here or on another thread.
    pub(crate) fn apply(&self) -> Applied {
        let mut worker = Worker::new(self.root, self.plan);
        loop {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(start) = self.starts.get(part) else { break };
            let end = self.starts.get(part + 1).copied().unwrap_or(self.plan.steps.len());
            worker.carry_out(*start..end);
            if worker.applied.failure.is_some() {
                self.next.store(self.starts.len(), Ordering::Relaxed);
                break;
            }
        }
        worker.finish()
    }
}

/// Applies steps of a plan, one after the other.
struct Worker<'p> {
    plan: &'p Plan,
    folders: Folders<'p>,
    applied: Applied,
}

impl<'p> Worker<'p> {
    fn new(root: &'p Path, plan: &'p Plan) -> Self {
        let folders = Folders {
            root,
            open: HashMap::new(),
            made: BTreeMap::new(),
            rid: BTreeMap::new(),
            displaced: Vec::new(),
            ours_came: false,
        };
        Self { plan, folders, applied: Applied::default() }
    }

    /// Stops at the first failure.
    fn carry_out(&mut self, steps: Range<usize>) {
        let Self { plan, folders, applied } = self;
        let all = plan.steps.len();
        for index in steps {
            let step = &plan.steps[index];
            crate::progress::tick(|| format!("writing file {} of {all}", index + 1));
            let done = folders.before(step, &mut applied.skipped);
            match done.and_then(|()| one(folders, step)) {
                Ok(Outcome::Done(stamp)) => applied.done.push((index, stamp)),
                Ok(Outcome::Overtaken) => applied.skipped.push(Note::remark(
                    &step.path,
                    "changed while this run was working; left as it is until the next run",
                )),
                Err(error) => {
                    let action = match step.change {
                        Change::EnsureDir => "make the folder",
                        Change::Delete { .. } | Change::RemoveDir | Change::RemoveTree => "remove",
                        _ => "write",
                    };
                    let path = folders.root.join(&step.path);
                    applied.failure = Some(problem(action, &path, error));
                    break;
                }
            }
        }
    }

    fn finish(self) -> Applied {
        let Self { mut folders, mut applied, .. } = self;
        let end = folders.settle(&mut applied.skipped).and_then(|()| folders.sync());
        let end = end.and_then(|()| folders.let_go());
        if let Err(error) = end {
            let failed = || problem("finish writing in", folders.root, error);
            applied.failure.get_or_insert_with(failed);
        }
        applied
    }
}

enum Outcome {
    Done(Option<Stamp>),
    Overtaken,
}

fn one(folders: &mut Folders<'_>, step: &Step) -> io::Result<Outcome> {
    let how = Write { sync: step.sync, private: step.private };
    let (folder, name) = match step.owner {
        FileOwner::Ours | FileOwner::Log => folders.ours(&step.path)?,
        FileOwner::Users => folders.users(&step.path)?,
    };
    let name = name.as_str();
    let unchanged = |was: u64| -> io::Result<bool> { Ok(folder.hash_if_there(name)? == Some(was)) };
    let stamp = match &step.change {
        Change::EnsureDir => folder.make_folder(name, step.private).map(|()| None)?,
        Change::RemoveDir => folder.remove_folder(name).map(|_| None)?,
        Change::RemoveTree => folder.remove_tree(name).map(|()| None)?,
        Change::Create(bytes) => match folder.create(name, bytes, how)? {
            Some(stamp) => Some(stamp),
            None => return Ok(Outcome::Overtaken),
        },
        Change::Carry { was: None, parts } => match folder.create_of(name, &slices(parts), how)? {
            Some(stamp) => Some(stamp),
            None => return Ok(Outcome::Overtaken),
        },
        Change::Carry { was: Some(was), parts } if unchanged(*was)? => {
            Some(folder.replace_of(name, &slices(parts), how)?)
        }
        Change::Append(bytes) => folder.append(name, bytes, how).map(|()| None)?,
        Change::Delete { was } if step.owner == FileOwner::Log => {
            let displaced = folder.take_away(name, *was)?;
            let outcome =
                if displaced.is_some() { Outcome::Done(None) } else { Outcome::Overtaken };
            folders.displaced.extend(displaced);
            return Ok(outcome);
        }
        Change::Delete { was } if folder.remove_unchanged(name, *was)? => None,
        Change::Replace { was, with } if step.owner != FileOwner::Ours => {
            let grown = step.owner == FileOwner::Log;
            let exchanged = folder.exchange(name, *was, with, how, grown)?;
            folders.displaced.extend(exchanged.displaced);
            return Ok(exchanged.stamp.map_or(Outcome::Overtaken, |it| Outcome::Done(Some(it))));
        }
        Change::Replace { was, with } if unchanged(*was)? => Some(folder.replace(name, with, how)?),
        Change::Delete { .. } | Change::Replace { .. } | Change::Carry { .. } => {
            return Ok(Outcome::Overtaken);
        }
    };
    if step.sync {
        let (path, folder) = (folder.path().to_path_buf(), folder.try_clone()?);
        match step.change {
            Change::Create(_)
            | Change::Replace { .. }
            | Change::Carry { .. }
            | Change::EnsureDir => folders.made.insert(path, folder),
            Change::Delete { .. } => folders.rid.insert(path, folder),
            _ => None,
        };
    }
    Ok(Outcome::Done(stamp))
}

fn slices(parts: &[Arc<Vec<u8>>]) -> Vec<&[u8]> {
    parts.iter().map(|part| part.as_slice()).collect()
}

/// The folders a plan needs, each opened once, and what is left to be done in them.
struct Folders<'a> {
    root: &'a Path,
    open: HashMap<PathBuf, Folder>,
    /// folders with new names that may not be on disk yet
    made: BTreeMap<PathBuf, Folder>,
    /// folders that still may have names on disk that were removed
    rid: BTreeMap<PathBuf, Folder>,
    /// texts of the user that were exchanged
    displaced: Vec<Displaced>,
    /// whether the last step was about a file of ours
    ours_came: bool,
}

impl Folders<'_> {
    /// Sees to it that a step finds on disk what it relies on: our records before what they list is
    /// begun, copies before a text changes or goes.
    fn before(&mut self, step: &Step, notes: &mut Vec<Note>) -> io::Result<()> {
        let is_users = step.owner == FileOwner::Users;
        let after_records = std::mem::replace(&mut self.ours_came, !is_users) && is_users;
        let replaces =
            step.owner != FileOwner::Ours && matches!(step.change, Change::Replace { .. });
        let removes = matches!(step.change, Change::Delete { .. } | Change::RemoveTree);
        if after_records || replaces || removes {
            self.sync()?;
        }
        if removes {
            self.settle(notes)?;
        }
        // A record goes after all it lists.
        if removes && !is_users {
            self.let_go()?;
        }
        Ok(())
    }

    /// Sees to it that what was removed is gone from the disk.
    fn let_go(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.rid).values().try_for_each(Folder::sync)
    }

    fn sync(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.made).values().try_for_each(Folder::sync)
    }

    /// Lets go of the texts that were exchanged. One that cannot go yet is no reason to keep the others.
    fn settle(&mut self, notes: &mut Vec<Note>) -> io::Result<()> {
        let mut result = Ok(());
        for displaced in self.displaced.drain(..) {
            match displaced.settle() {
                Ok(note) => notes.extend(note),
                Err(error) => result = Err(error),
            }
        }
        result
    }

    /// The folder and name of one of our own files. The first folder of the path may be a link the user
    /// made; below it none is followed.
    fn ours(&mut self, path: &str) -> io::Result<(&Folder, String)> {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folder = match self.open.entry(PathBuf::from(parent)) {
            hash_map::Entry::Occupied(open) => open.into_mut(),
            hash_map::Entry::Vacant(missing) => {
                let mut names = parent.split('/');
                let mut folder = Folder::open(&self.root.join(names.next().unwrap_or_default()))?;
                for name in names {
                    folder = folder.folder(name)?.ok_or(io::ErrorKind::NotFound)?;
                }
                missing.insert(folder)
            }
        };
        Ok((folder, name.to_owned()))
    }

    /// The folder and name of a file of the user, where a link to it leads.
    fn users(&mut self, path: &str) -> io::Result<(&Folder, String)> {
        let mut target = self.root.join(path);
        let parent = Folder::open(target.parent().unwrap_or(self.root))?;
        let name = path.rsplit('/').next().unwrap_or(path);
        if parent.entry(name)?.is_some_and(|entry| entry.kind == EntryKind::Link) {
            target = target.canonicalize().map_err(|error| {
                io::Error::other(format!("it is a link that leads nowhere: {}", describe(&error)))
            })?;
        }
        let name =
            target.file_name().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidInput)?;
        let name = name.to_owned();
        let parent = target.parent().unwrap_or(self.root).to_path_buf();
        let folder = match self.open.entry(parent.clone()) {
            hash_map::Entry::Occupied(open) => open.into_mut(),
            hash_map::Entry::Vacant(missing) => missing.insert(Folder::open(&parent)?),
        };
        Ok((folder, name))
    }
}

#[cfg(test)]
mod tests {
    use std::thread::scope;

    use super::*;

    fn plan(paths: &[String]) -> Plan {
        let create = |path: &String| Step::new(path, Change::Create(b"x".to_vec()), "for a test");
        Plan { steps: paths.iter().map(create).collect(), notes: Vec::new() }
    }

    #[test]
    fn parts_are_applied_once_whoever_takes_them() {
        let dir = tempfile::tempdir().unwrap();
        let names: Vec<String> = (0..200).map(|n| format!("{n}.md")).collect();
        let plan = plan(&names);
        let starts: Vec<usize> = (5..200).step_by(7).collect();
        let (parts, first) = InParts::begin(dir.path(), &plan, &starts);
        assert_eq!(first.done.len(), 5);
        let mut done: Vec<usize> = scope(|threads| {
            let workers = [(); 3].map(|()| threads.spawn(|| parts.apply()));
            let applied = workers.map(|worker| worker.join().unwrap());
            assert!(applied.iter().all(Applied::is_whole));
            applied.into_iter().flat_map(|applied| applied.done).map(|(index, _)| index).collect()
        });
        done.sort_unstable();
        assert_eq!(done, (5..200).collect::<Vec<_>>());
        assert!(names.iter().all(|name| dir.path().join(name).exists()));
    }

    #[test]
    fn where_something_fails_no_further_part_is_begun() {
        let names = ["a.md", "b.md", "none/c.md", "d.md", "e.md"].map(str::to_owned);
        let plan = plan(&names);
        for (starts, expect) in [(&[1, 2, 4][..], vec![1]), (&[3, 4], vec![])] {
            let dir = tempfile::tempdir().unwrap();
            let (parts, first) = InParts::begin(dir.path(), &plan, starts);
            let applied = [parts.apply(), parts.apply()];
            let done: Vec<usize> =
                applied.iter().flat_map(|applied| &applied.done).map(|(at, _)| *at).collect();
            assert_eq!(done, expect);
            let failed = applied.iter().chain([&first]).filter(|one| one.failure.is_some()).count();
            assert_eq!(failed, 1);
            assert!(dir.path().join("a.md").exists() && !dir.path().join("e.md").exists());
        }
    }
}
