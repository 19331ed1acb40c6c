//! Every text that can be found and shown: the logs, what models and people wrote into nodes, `knowledge/` and
//! `plans/`.

use std::collections::HashMap;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDate;
use xxhash_rust::xxh3::xxh3_64;

use crate::Problem;
use crate::disk::{EntryKind, Folder, Memory, problem};
use crate::layout;
use crate::memory::frontmatter::Document;
use crate::memory::hashed::Hashed;
use crate::memory::node::NodeFacts;
use crate::memory::period::Period;
use crate::memory::snapshot::{Facts, Listing, MemoryReader as _, Stamp};
use crate::search::SearchedText;
use crate::text::{lines, lossy};

/// Folders of the agent's own texts, below the project root.
pub(crate) const OWN: [&str; 2] = ["knowledge", "plans"];
/// How deep folders in them are looked through.
const DEEPEST: usize = 8;
/// A line of a node that is shorter than this says nothing about where it comes from.
const TELLING: usize = 16;

/// The texts of one project.
pub(crate) struct Texts {
    /// the name of the project, where several are searched
    pub(crate) project: Option<Arc<str>>,
    root: PathBuf,
    memory: Option<Memory>,
    pub(crate) listing: Listing,
    known: Facts,
    /// the telling lines of nodes, and whether a log has them too
    lines: HashMap<u64, bool, Hashed>,
    /// what could not be read, and why
    pub(crate) trouble: Vec<(String, io::Error)>,
}

impl Texts {
    /// Lists what is there.
    pub(crate) fn of(root: PathBuf, memory: Option<Memory>) -> Result<Self, Problem> {
        let (listing, known) = match &memory {
            Some(memory) => (memory.names()?.sort(), memory.facts()),
            None => (Listing::default(), Facts::default()),
        };
        let lines = HashMap::default();
        Ok(Self { project: None, root, memory, listing, known, lines, trouble: Vec::new() })
    }

    fn source(&self, path: String, date: NaiveDate, is_log: bool) -> SearchedText {
        SearchedText { project: self.project.clone(), path, date, is_log }
    }

    /// The logs, by day.
    pub(crate) fn logs(&self) -> Vec<SearchedText> {
        let files = self.listing.logs.iter();
        files
            .flat_map(|(day, files)| {
                let path = |name: &str| layout::in_memory(name);
                files.iter().map(move |file| self.source(path(&file.name), *day, true))
            })
            .collect()
    }

    /// The nodes whose text a model or a person may have written, and their lines. Nodes that are, to the byte, what
    /// the machine made of its sources have nothing that the logs have not.
    pub(crate) fn foreign_nodes(&mut self) -> Vec<SearchedText> {
        let Some(memory) = &self.memory else { return Vec::new() };
        let mut found = Vec::new();
        for (period, stamp) in &self.listing.nodes {
            let known = self.known.nodes.get(&period.key()).filter(|(seen, _)| seen == stamp);
            if known.is_some_and(|(_, facts)| facts.is_as_written()) {
                continue;
            }
            let path = layout::node_path(*period);
            let bytes = match memory.node(*period) {
                Ok((bytes, _)) => bytes,
                Err(why) => {
                    self.trouble.push((path, why));
                    continue;
                }
            };
            if NodeFacts::of(&bytes).is_as_written() {
                continue;
            }
            for line in lines(&lossy(Document::parse(&bytes).body())) {
                if let Some(hash) = telling(line) {
                    self.lines.insert(hash, false);
                }
            }
            found.push(self.source(path, *period.days().start(), false));
        }
        found
    }

    /// Notes which lines of the nodes a log has too.
    pub(crate) fn compare(&mut self, log: &str) {
        if self.lines.is_empty() {
            return;
        }
        for line in lines(log) {
            if let Some(hash) = telling(line)
                && let Some(seen) = self.lines.get_mut(&hash)
            {
                *seen = true;
            }
        }
    }

    /// The files of `knowledge/` and `plans/`, dated by their last change.
    pub(crate) fn own(&mut self, day: &dyn Fn(Stamp) -> Option<NaiveDate>) -> Vec<SearchedText> {
        let mut found = Vec::new();
        for name in OWN {
            match Folder::open(&self.root).and_then(|root| root.folder(name)) {
                Ok(Some(folder)) => self.walk(&folder, name, 0, day, &mut found),
                Ok(None) => {}
                Err(error) => self.trouble.push((name.to_owned(), error)),
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    fn walk(
        &mut self,
        folder: &Folder,
        path: &str,
        depth: usize,
        day: &dyn Fn(Stamp) -> Option<NaiveDate>,
        found: &mut Vec<SearchedText>,
    ) {
        let entries = match folder.list(|name| !name.starts_with('.')) {
            Ok(entries) => entries,
            Err(error) => return self.trouble.push((path.to_owned(), error)),
        };
        for entry in entries {
            let below = format!("{path}/{}", entry.name);
            let ending = entry.name.rsplit_once('.').map(|(_, ending)| ending);
            match entry.kind {
                EntryKind::Folder if depth < DEEPEST => match folder.folder(&entry.name) {
                    Ok(Some(folder)) => self.walk(&folder, &below, depth + 1, day, found),
                    Ok(None) => {}
                    Err(error) => self.trouble.push((below, error)),
                },
                EntryKind::File if matches!(ending, Some("md" | "markdown" | "txt")) => {
                    if let Some(date) = day(entry.stamp) {
                        found.push(self.source(below, date, false));
                    }
                }
                _ => {}
            }
        }
    }

    /// The text of a source. Of a node only what its own logs do not have; its other lines are empty, so that every
    /// line keeps its number.
    pub(crate) fn read(&self, source: &SearchedText) -> io::Result<String> {
        let bytes = bytes(&self.root, &source.path)?;
        let below =
            source.path.strip_prefix(layout::MEMORY).and_then(|rest| rest.strip_prefix('/'));
        if !below.is_some_and(|rest| rest.contains('/')) {
            // Valid UTF-8 is not copied.
            return Ok(
                String::from_utf8(bytes).unwrap_or_else(|bad| lossy(bad.as_bytes()).into_owned())
            );
        }
        let text = lossy(&bytes);
        let head = lines(&lossy(Document::parse(&bytes).above_body())).count();
        let mut out = String::with_capacity(text.len());
        for (number, line) in lines(&text).enumerate() {
            let known = telling(line).is_some_and(|hash| self.lines.get(&hash) == Some(&true));
            if number >= head && !known {
                out.push_str(line);
            }
            out.push('\n');
        }
        Ok(out)
    }

    /// The beginnings of the newest logs, which show the languages of a memory.
    pub(crate) fn samples(&self) -> Vec<String> {
        const BYTES: usize = 8 * 1024;
        let Some(memory) = &self.memory else { return Vec::new() };
        let files = self.listing.logs.values().rev().filter_map(|files| files.last());
        files
            .take(3)
            .filter_map(|file| memory.folder().read_start(&file.name, BYTES).ok())
            .map(|bytes| lossy(&bytes).into_owned())
            .collect()
    }
}

/// The days that a source is about.
pub(crate) fn days(source: &SearchedText) -> RangeInclusive<NaiveDate> {
    let name = layout::name(&source.path);
    let label = name.strip_suffix(".md").unwrap_or(name);
    let node = Period::read(label).filter(|period| layout::node_path(*period) == source.path);
    node.map_or(source.date..=source.date, Period::days)
}

/// The hash of a line that tells where it comes from.
fn telling(line: &str) -> Option<u64> {
    let line = line.trim();
    (line.len() >= TELLING).then(|| xxh3_64(line.as_bytes()))
}

/// The bytes of a file inside the project. No link is followed on the way.
fn bytes(root: &Path, path: &str) -> io::Result<Vec<u8>> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut folder = Folder::open(root)?;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        let inner = folder.folder(part)?;
        folder = inner.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    }
    Ok(folder.read(name)?.0)
}

/// The text of a file that may be shown: one in the memory, `knowledge/` or `plans/`, no hidden one. Fails when the
/// path leads elsewhere, or the file cannot be read.
pub(crate) fn shown(root: &Path, path: &str) -> Result<String, Problem> {
    let parts: Vec<&str> = path.split('/').collect();
    let inside = parts.len() > 1 && (parts[0] == layout::MEMORY || OWN.contains(&parts[0]));
    if !inside || parts.iter().any(|part| part.is_empty() || part.starts_with('.')) {
        let what = format!("`{path}` is not a text of the memory, of `knowledge/` or of `plans/`");
        return Err(Problem::usage(what).hint("give a path as `hipocampus search` prints it"));
    }
    match bytes(root, path) {
        Ok(bytes) => Ok(lossy(&bytes).into_owned()),
        Err(error) => Err(problem("read", &root.join(path), error)),
    }
}
