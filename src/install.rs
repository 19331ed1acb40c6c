//! What `init`, `update` and `uninstall` are going to do to a project, as a [`Plan`].
//!
//! Pure: a command looks at every path that may matter, puts what it found into a [`Scan`], and gets a
//! plan back. What an installation made and changed is kept in a [`InstallRecord`], so that leaving is exact.

mod config;
mod git_files;
mod hooks_only;
mod managed_section;
mod put;
mod record;
mod take;
mod targets;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

pub(crate) use config::of_user as user_config;
pub(crate) use hooks_only::{
    Home, hidden_hooks, hook_files, hook_paths, is_record, put_hooks, put_personal, take_out_hooks,
    take_out_personal,
};
pub(crate) use managed_section::ManagedSection;
pub(crate) use put::put;
pub(crate) use record::InstallRecord;
pub(crate) use take::{UninstallOptions, take_out};
pub(crate) use targets::{WORK_FILES, every_path};

use crate::config::SummaryWriter;
use crate::layout;
use crate::plan::{Note, Plan};
use crate::platform::{ALL, Platform};
use crate::splice::hooks::{self, Ours};
use crate::splice::json::ParseError;
use crate::splice::members;

/// The name of this program, for who has it on the `PATH`.
const NAME: &str = "hipocampus";
/// The folder of what an installation remembers; ignored by git.
pub(crate) const FOLDER: &str = ".hipocampus";
/// What was made and changed.
pub(crate) const RECORD: &str = ".hipocampus/installed.json";
/// The redaction rules of the user that were last in force, for the day the configuration is broken.
pub(crate) const RULES: &str = ".hipocampus/redaction-rules.json";
/// Copies of the user's files as they were before the first edit.
pub(crate) const BACKUP: &str = ".hipocampus/backup";

/// What git is not to see.
pub(crate) const IGNORE: &str = ".gitignore";

/// What to do where a file with a part of ours in it does not parse.
const BY_HAND: &str = "take the hipocampus part out by hand";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathContent {
    Folder,
    File {
        bytes: Vec<u8>,
        /// whether the path is a link to it
        link: bool,
    },
    /// something that cannot be read, in words
    Unreadable(String),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Scan {
    /// what is there, by path below the project
    pub found: BTreeMap<String, PathContent>,
    /// paths that lead, through links, to where another one leads: the one that stands for both
    pub aliases: BTreeMap<String, String>,
    /// paths that are links themselves
    pub links: BTreeSet<String>,
    /// paths that lead, through links, out of the project
    pub outside: BTreeSet<String>,
    /// the record of an earlier `init`
    pub record: Option<InstallRecord>,
    /// whether a git repository is around it
    pub in_git: bool,
    /// paths that git tracks, and folders that it tracks something in
    pub tracked: BTreeSet<String>,
    /// why a record that is there does not count
    pub broken: Option<String>,
    /// a mark of this very folder, which no copy of it elsewhere has
    pub here: String,
}

impl Scan {
    /// Whether git has been told how to merge the memory, so that it is among what is committed.
    pub(crate) fn is_shared_by_git(&self) -> bool {
        self.bytes(git_files::ATTRIBUTES).is_some_and(is_shared)
    }

    /// The bytes of a file. `None` if there is none.
    pub(crate) fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.found.get(path) {
            Some(PathContent::File { bytes, .. }) => Some(bytes),
            _ => None,
        }
    }

    /// Whether something is there.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.found.contains_key(path)
    }

    /// The path that stands for this one.
    pub(crate) fn canonical<'a>(&'a self, path: &'a str) -> &'a str {
        self.aliases.get(path).map_or(path, String::as_str)
    }

    /// The paths under which hooks call this program: the one in use now and those that the record has.
    pub(crate) fn programs(&self, now: &str) -> Vec<String> {
        let known = self.record.iter().flat_map(|record| &record.programs).cloned();
        known.chain((!now.is_empty()).then(|| now.to_owned())).collect()
    }

    /// By what name a file calls the program: one that others get through git says nothing of this machine.
    fn program_in<'a>(&self, path: &str, program: &'a str) -> &'a str {
        if self.is_shared(path) { NAME } else { program }
    }

    /// Whether others get a file of hooks or a plugin through git: it is tracked, or somebody else's hooks are in it
    /// as well, so that it cannot be ignored.
    fn is_shared(&self, path: &str) -> bool {
        let everybodys = ALL.iter().flat_map(|row| &row.hooks).any(|hooks| {
            hooks.may_be_shared && self.canonical(hooks.file) == path && !self.is_ours_alone(path)
        });
        self.in_git && (everybodys || self.tracked.contains(path))
    }

    /// Whether `init` made what lies at a path, or is about to, and git tracks nothing there.
    fn is_made(&self, path: &str, record: &InstallRecord) -> bool {
        let is_new = !self.has(path) || record.made.contains(path);
        // The folder of the tenants is adopted with what lies in it.
        let is_adopted =
            record.adopted.contains(path) || path == layout::TENANTS && !record.adopted.is_empty();
        let tracked = self.tracked.contains(path);
        // Git goes on tracking the logs of a memory that is no longer shared.
        is_new && (!tracked || path == layout::MEMORY) || is_adopted && !tracked
    }

    /// Whether nothing but our hooks is in a file, or nothing yet.
    fn is_ours_alone(&self, path: &str) -> bool {
        self.bytes(path).is_none_or(|bytes| {
            let programs = self.programs("");
            // What was there empty is somebody's.
            hooks::take_out(bytes, self.original(path), Ours::of_project(&programs))
                .is_ok_and(|rest| members::is_effectively_empty(&rest) || has_marks_alone(&rest))
        })
    }

    /// Whether what a path leads to is not the project's own: it may be used by others, and was there before us.
    fn leads_away(&self, path: &str) -> bool {
        self.links.contains(path) || self.outside.contains(path)
    }

    /// What a person should know about the record.
    fn about_ledger(&self) -> Option<Note> {
        let why = self.broken.as_ref()?;
        Some(Note::problem(RECORD, format!("{why}; going on as if it were not there")))
    }

    /// The file as it was before our first edit.
    fn original(&self, path: &str) -> Option<&[u8]> {
        let original = self.record.as_ref()?.originals.get(path)?;
        self.bytes(&original.backup)
    }

    /// Whether an earlier run made or edited a file.
    fn has_record(&self, path: &str) -> bool {
        self.record
            .as_ref()
            .is_some_and(|record| record.made.contains(path) || record.originals.contains_key(path))
    }
}

/// What the project should be like.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag or a setting of the user's")]
pub(crate) struct InstallOptions<'a> {
    /// the clients, the first one first
    pub platforms: Vec<&'static Platform>,
    /// the tenants, new ones included
    pub tenants: Vec<String>,
    /// `--no-vector`: write it down
    pub no_vector: bool,
    /// `--no-search`: write it down
    pub no_search: bool,
    /// `--no-recall`: write it down
    pub no_recall: bool,
    /// whether the project is not to be noted among this user's
    pub no_register: bool,
    /// `--share`, `--no-share`: whether git has the memory; `None` leaves that as it is
    pub share: Option<bool>,
    /// whether only the memory is made: what agents read lies in the user's home
    pub private: bool,
    /// whether the project is in the home folder, and meant for every folder below it
    pub home: bool,
    /// who writes summaries; `None` leaves that as it is
    pub summaries: Option<WriterChoice>,
    /// whether vectors are made
    pub vector: bool,
    /// the absolute path of the program for hooks and plugins
    pub program: &'a str,
    /// `YYYY-MM-DD`
    pub today: &'a str,
    /// RFC 3339
    pub now: &'a str,
    /// the version of this program
    pub version: &'a str,
}

/// Who is to write summaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WriterChoice {
    pub(crate) by: SummaryWriter,
    /// the command that does it in the background; its choice allows it
    pub(crate) command: Option<String>,
}

/// Whether nothing is in a JSON file but what an agent marks it with, as Qwen Code with `"$version": 4`.
fn has_marks_alone(bytes: &[u8]) -> bool {
    let fields = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(bytes);
    fields.is_ok_and(|fields| fields.keys().all(|name| name.starts_with('$')))
}

/// Whether a `.gitattributes` has our part in it.
pub(crate) fn is_shared(attributes: &[u8]) -> bool {
    let ours = crate::splice::ignore::ATTRIBUTES.as_bytes();
    attributes.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_end() == ours)
}

/// A plan, and what keeps part of it from being done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct InstallPlan {
    pub plan: Plan,
    /// files that stay as they are, each with what to do by hand
    pub refused: Vec<Refused>,
    /// the lines that come into `.gitignore`, behind `+ `, and that go from it, behind `- `: nobody looks for a file
    /// that git is silent about
    pub ignored: Vec<String>,
}

/// A file of the user that could not be edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub(crate) struct Refused {
    /// the file, below the project
    pub path: String,
    /// what is wrong, with the file or the place in it
    pub what: String,
    /// text for the user to put there
    pub paste: String,
}

impl Refused {
    fn new(path: &str, what: impl Into<String>, paste: impl Into<String>) -> Self {
        Self { path: path.to_owned(), what: what.into(), paste: paste.into() }
    }

    /// A file that does not parse.
    fn at(path: &str, error: &ParseError, paste: impl Into<String>) -> Self {
        let ParseError { line, column, what } = error;
        Self::new(path, format!("`{path}:{line}:{column}`: {what}"), paste)
    }
}

impl From<Refused> for String {
    fn from(refused: Refused) -> Self {
        refused.what
    }
}

/// Folders on the way to each of these files, outermost first, each once.
fn parents<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for path in paths {
        for (at, _) in path.match_indices('/') {
            if seen.insert(&path[..at]) {
                all.push(path[..at].to_owned());
            }
        }
    }
    all
}
