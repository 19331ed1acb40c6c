//! Carries out a [`Plan`], step by step, and stops at the first failure.
//!
//! Each file holds either its old or its new bytes at every moment, and steps are ordered so that what
//! stands after any number of them is right: a later run finishes the rest. A power cut keeps that order too
//! where it matters: a text of the user changes only when the copies made before are on disk under their
//! names, and nothing is removed before what took its place is.

use std::collections::hash_map;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exchange::Displaced;
use super::folder::{EntryKind, Folder, Write};
use super::{describe, problem};
use crate::Problem;
use crate::memory::snapshot::Stamp;
use crate::plan::{Change, Note, Owner, Plan, Step};

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

    /// Adds what was carried out after it: steps that have `before` others in front of them.
    pub(crate) fn append(&mut self, later: Self, before: usize) {
        self.done.extend(later.done.into_iter().map(|(index, stamp)| (index + before, stamp)));
        self.skipped.extend(later.skipped);
        self.failure = self.failure.take().or(later.failure);
    }
}

/// Applies a plan below `root`.
pub(crate) fn apply(root: &Path, plan: &Plan) -> Applied {
    let mut applied = Applied::default();
    let mut folders = Folders {
        root,
        open: HashMap::new(),
        made: BTreeMap::new(),
        rid: BTreeMap::new(),
        displaced: Vec::new(),
        ours_came: false,
    };
    for (index, step) in plan.steps.iter().enumerate() {
        crate::progress::tick(|| format!("writing file {} of {}", index + 1, plan.steps.len()));
        let done = folders.before(step, &mut applied.skipped);
        match done.and_then(|()| one(&mut folders, step)) {
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
                applied.failure = Some(problem(action, &root.join(&step.path), error));
                break;
            }
        }
    }
    let end = folders.settle(&mut applied.skipped).and_then(|()| folders.sync());
    let end = end.and_then(|()| folders.let_go());
    if let Err(error) = end {
        applied.failure.get_or_insert_with(|| problem("finish writing in", root, error));
    }
    applied
}

enum Outcome {
    Done(Option<Stamp>),
    Overtaken,
}

fn one(folders: &mut Folders<'_>, step: &Step) -> io::Result<Outcome> {
    let how = Write { sync: step.sync, private: step.private };
    let (folder, name) = match step.owner {
        Owner::Ours | Owner::Log => folders.ours(&step.path)?,
        Owner::Users => folders.users(&step.path)?,
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
        Change::Delete { was } if step.owner == Owner::Log => {
            let displaced = folder.take_away(name, *was)?;
            let outcome =
                if displaced.is_some() { Outcome::Done(None) } else { Outcome::Overtaken };
            folders.displaced.extend(displaced);
            return Ok(outcome);
        }
        Change::Delete { was } if folder.remove_unchanged(name, *was)? => None,
        Change::Replace { was, with } if step.owner != Owner::Ours => {
            let grown = step.owner == Owner::Log;
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
    /// Sees to it that a step finds on disk what it relies on: records of ours before what they tell of is
    /// begun, copies before a text changes or goes.
    fn before(&mut self, step: &Step, notes: &mut Vec<Note>) -> io::Result<()> {
        let is_users = step.owner == Owner::Users;
        let after_records = std::mem::replace(&mut self.ours_came, !is_users) && is_users;
        let replaces = step.owner != Owner::Ours && matches!(step.change, Change::Replace { .. });
        let removes = matches!(step.change, Change::Delete { .. } | Change::RemoveTree);
        if after_records || replaces || removes {
            self.sync()?;
        }
        if removes {
            self.settle(notes)?;
        }
        // A record goes after all it tells of.
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
