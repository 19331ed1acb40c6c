//! Transcripts named on the command line: files, and folders of them, from whatever working folder.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::ops::Range;
use std::path::Path;

use serde_json::value::RawValue;

use super::{KeptAs, LIMIT, Past, PastSessions, SPECSTORY, cline, codex};
use crate::capture::specstory;
use crate::capture::transcript;
use crate::disk::{self, FileLine, LineReader, StoreError, Transcript};
use crate::hooks::caller::{Caller, by_records};
use crate::import::logs::LINE_LIMIT;
use crate::import::{self, agent_files};
use crate::layout;
use crate::plan::hash;
use crate::platform::{Store, id_of};

/// How deep folders are looked through.
const DEPTH: usize = 32;

pub(super) fn find(path: &Path, found: &mut PastSessions) {
    if !disk::is_there(path) {
        return found.refuse(path, "there is no such file or folder");
    }
    let is_folder = disk::is_dir(path);
    let wanted = |path: &Path| !is_folder || is_wanted(path);
    found.each(path, DEPTH, wanted, |found, stored| {
        if let Some(why) = stored.refused {
            return found.refuse(&stored.path, why);
        }
        let name = stored.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(layout::BACKUP.0) && name.ends_with(layout::BACKUP.1) {
            match sessions(stored) {
                Ok(past) => found.sessions.extend(past),
                Err(why) => found.pass_over(Some(path), &why),
            }
            return;
        }
        match session(stored, is_folder) {
            Ok(past) => found.sessions.extend(past),
            Err(why) => found.pass_over(Some(&stored.path), &why),
        }
    });
}

fn is_wanted(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    [".jsonl", ".jsonl.zst", ".md", cline::END].iter().any(|end| name.ends_with(end))
}

/// The sessions in a day's backup of a memory, each by itself: their records are there in the order of their imports.
fn sessions(stored: &disk::Stored) -> Result<Vec<Past>, StoreError> {
    let file = Transcript::stored(&stored.path)?;
    let ranges = ranges(&file)?;
    let past = |(id, ranges): (String, Vec<Range<u64>>)| {
        let agent = id_of(Store::ClaudeCode);
        let kept = KeptAs::Backup(stored.path.clone(), ranges);
        Past::new(agent, id, kept, stored.stamp.mtime)
    };
    Ok(ranges.into_iter().map(past).collect())
}

/// Where in a backup the records of each session are, by its id. What is read is dropped again.
fn ranges(file: &Transcript) -> io::Result<BTreeMap<String, Vec<Range<u64>>>> {
    let mut all: BTreeMap<String, Vec<Range<u64>>> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut lines = LineReader::of(&file.file, 0..file.size, LINE_LIMIT)?;
    while let Some((range, line)) = lines.next()? {
        let (FileLine::Whole(line) | FileLine::Unended(line)) = line else { continue };
        let Some(session) = transcript::origin(line).session else { continue };
        // What was imported a second time is there a second time.
        if !seen.insert(hash(line)) {
            continue;
        }
        let of_it = all.entry(session).or_default();
        match of_it.last_mut().filter(|last| last.end == range.start) {
            Some(last) => last.end = range.end,
            None => of_it.push(range),
        }
    }
    Ok(all)
}

/// The records of one session in these ranges of a backup. A line that a crash cut short does not count.
pub(super) fn records(
    path: &Path,
    ranges: &[Range<u64>],
    session: &str,
) -> Result<Vec<Box<RawValue>>, StoreError> {
    if ranges.iter().map(|range| range.end - range.start).sum::<u64>() > LIMIT {
        return Err(StoreError::TooLarge(LIMIT));
    }
    let file = Transcript::stored(path)?;
    let mut records = Vec::new();
    for range in ranges {
        let bytes = disk::read_range(&file.file, range.clone())?;
        let lines = bytes.split(|byte| *byte == b'\n');
        // It may have been rewritten since they were found.
        let own = lines.filter(|line| transcript::origin(line).session.as_deref() == Some(session));
        records.extend(own.filter_map(|line| serde_json::from_slice(line).ok()));
    }
    Ok(records)
}

/// The session in a file; none where an agent held it for another agent, or where a file of a folder is no transcript.
fn session(stored: &disk::Stored, in_folder: bool) -> Result<Option<Past>, StoreError> {
    let path = &stored.path;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = || name.split('.').next().unwrap_or_default().to_owned();
    if name.strip_suffix(".jsonl.zst").is_some() {
        let origin = codex::packed_origin(path)?;
        let id = origin.session.or_else(|| codex::id(path)).unwrap_or_else(stem);
        let past = || Past::in_file(id_of(Store::Codex), id, stored);
        return Ok((!origin.delegated).then(past));
    }
    if name.strip_suffix(".jsonl").is_some() {
        let writer = by_records(path);
        let origin = import::origin(path).map_err(|why| why.source)?;
        // By its name: a session that was taken up again begins with records of the one before it.
        let (agent, id) = match (codex::id(path), writer.and_then(Caller::known)) {
            (Some(id), _) => (id_of(Store::Codex), id),
            (None, Some(row)) => {
                let named = || agent_files::id(path).unwrap_or_else(stem);
                (row.id, origin.session.unwrap_or_else(named))
            }
            (None, None) => (id_of(Store::ClaudeCode), stem()),
        };
        return Ok((!origin.delegated).then(|| Past::in_file(agent, id, stored)));
    }
    if name.ends_with(cline::END) {
        return cline::named(stored);
    }
    let bytes = disk::read_stored(path, LIMIT)?;
    if !specstory::is_export(&bytes) {
        let why = "this version does not know its format; it reads JSONL of the supported agents and Markdown of SpecStory";
        return if in_folder { Ok(None) } else { Err(StoreError::Refused(why)) };
    }
    let export = specstory::read(&String::from_utf8_lossy(&bytes));
    let id = export.session.unwrap_or_else(stem);
    let kept = KeptAs::Export(path.clone());
    let past = Past::new(SPECSTORY, id, kept, stored.stamp.mtime);
    Ok(Some(Past { title: export.title, ..past }))
}
