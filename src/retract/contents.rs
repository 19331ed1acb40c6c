//! Every file that words of a memory are in: what `forget` and `scrub` change, and what they only name.

use std::io;
use std::path::Path;

use chrono::NaiveDate;

use crate::Problem;
use crate::corpus::OWN;
use crate::disk::{self, EntryKind, Folder, Memory};
use crate::layout;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::Listing;
use crate::project::Project;

/// How deep folders of the user are looked through.
const DEEPEST: usize = 8;
/// The longest file of the user that is looked through: 16 MiB.
const LONGEST: u64 = 16 * 1024 * 1024;

/// The files, by path below the project root.
pub(crate) struct Contents<'a> {
    pub(crate) project: &'a Project,
    memory: &'a Memory,
    /// the logs, by day
    pub(crate) logs: Vec<(NaiveDate, String)>,
    /// the backups of logs, by day
    pub(crate) backups: Vec<(NaiveDate, String)>,
    /// the nodes, the higher ones last; those under a name that is no period without one
    pub(crate) nodes: Vec<(Option<Period>, String)>,
    /// copies of ROOT.md that somebody had written
    pub(crate) copies: Vec<String>,
    /// what belongs to others, and is only named
    pub(crate) others: Vec<String>,
}

impl<'a> Contents<'a> {
    /// Lists what is there.
    pub(crate) fn look(project: &'a Project, memory: &'a Memory) -> Result<Self, Problem> {
        let Listing { logs, nodes, strays, odd, .. } = memory.names()?.sort();
        let logs = logs.iter().flat_map(|(day, files)| {
            let each = files.iter().map(|file| (*day, layout::in_memory(&file.name)));
            each.collect::<Vec<_>>()
        });
        let mut nodes: Vec<(Option<Period>, String)> =
            nodes.keys().map(|period| (Some(*period), layout::node_path(*period))).collect();
        nodes.sort_by_key(|(period, _)| {
            let level = period.map(Period::level);
            (Level::ALL.iter().position(|known| Some(*known) == level), *period)
        });
        nodes.extend(strays.keys().map(|path| (None, layout::in_memory(path))));
        let failed = |error: io::Error| disk::problem("list", memory.folder().path(), error);
        let beside = memory.folder().list(|name| {
            layout::day_of_backup(name).is_some()
                || (name.starts_with(layout::ROOT)
                    && (name.ends_with(layout::KEPT) || name.ends_with(".recovered")))
        });
        let (mut backups, mut copies) = (Vec::new(), Vec::new());
        for entry in beside.map_err(failed)? {
            match layout::day_of_backup(&entry.name) {
                Some(day) => backups.push((day, layout::in_memory(&entry.name))),
                None => copies.push(layout::in_memory(&entry.name)),
            }
        }
        backups.sort();
        copies.sort();
        let mut others: Vec<String> = odd.into_iter().map(|note| note.about).collect();
        for folder in [OWN[0], OWN[1], "memory/agents", ".hipocampus/backup"] {
            walk(&project.root.join(folder), folder, 0, &mut others);
        }
        others.extend(["USER.md", "CLAUDE.md", "AGENTS.md"].map(str::to_owned));
        Ok(Self { project, memory, logs: logs.collect(), backups, nodes, copies, others })
    }

    /// The bytes of a file of the memory. Fails when it cannot be read: what cannot be looked into cannot be called
    /// free of anything.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        self.read_if_there(path)?.ok_or_else(|| self.failed(path, io::ErrorKind::NotFound.into()))
    }

    /// The same; `None` if there is none.
    pub(crate) fn read_if_there(&self, path: &str) -> Result<Option<Vec<u8>>, Problem> {
        let below = path.strip_prefix(layout::MEMORY).and_then(|rest| rest.strip_prefix('/'));
        let Some(below) = below else {
            return disk::read_users_file(&self.project.root.join(path));
        };
        let read = match below.split_once('/') {
            None => self.memory.folder().read_if_there(below),
            Some((folder, name)) => match self.memory.folder().folder(folder) {
                Ok(Some(folder)) => folder.read_if_there(name),
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            },
        };
        read.map(|read| read.map(|(bytes, _)| bytes)).map_err(|error| self.failed(path, error))
    }

    /// A file of somebody else's that is only looked at: nothing where it cannot be read.
    pub(crate) fn glance(&self, path: &str) -> Vec<u8> {
        let full = self.project.root.join(path);
        if disk::stamp(&full).is_none_or(|stamp| stamp.size > LONGEST) {
            return Vec::new();
        }
        disk::read_users_file(&full).ok().flatten().unwrap_or_default()
    }

    /// Whether a file of the memory is there.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.logs.iter().any(|(_, log)| log == path)
            || self.nodes.iter().any(|(_, node)| node == path)
    }

    fn failed(&self, path: &str, error: io::Error) -> Problem {
        disk::problem("read", &self.project.root.join(path), error).hint(
            "see to it that it can be read and run the command again; nothing was changed, since words could be left in it",
        )
    }
}

/// The regular files below a folder, in the order of their names.
fn walk(folder: &Path, path: &str, depth: usize, found: &mut Vec<String>) {
    let Ok(open) = Folder::open(folder) else { return };
    let Ok(mut entries) = open.list(|_| true) else { return };
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let below = format!("{path}/{}", entry.name);
        match entry.kind {
            EntryKind::Folder if depth < DEEPEST => {
                walk(&folder.join(&entry.name), &below, depth + 1, found);
            }
            EntryKind::File => found.push(below),
            _ => {}
        }
    }
}
