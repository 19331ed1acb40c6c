//! What a node is made from: the logs of a day, the daily nodes of a week, the weekly nodes of a month.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::{Planner, State};
use crate::memory::body::Body;
use crate::memory::frontmatter::Document;
use crate::memory::node::{for_extract, hash_sources, is_same_but_version};
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::LogFile;

/// The nodes below, for a week or month; nothing for a day.
pub(super) type Lower<'a> = Option<&'a BTreeMap<Period, State>>;

/// A node to decide on: its period, what it is made from, and the nodes below it where it is no day's.
#[derive(Clone, Copy)]
pub(super) struct NodeTarget<'n> {
    pub(super) period: Period,
    pub(super) sources: &'n Sources,
    pub(super) lower: Lower<'n>,
}

#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) parts: Vec<SourcePart>,
    /// their lines, summed
    pub(super) lines: u64,
    /// what the fingerprint of a generated node calls `s:`
    pub(super) hash: u64,
    /// the same without the redaction rules, for texts that the program does not write
    pub(super) plain: u64,
    /// the hashes as they would be, had no extract below been made again for its version alone
    pub(super) before: Option<[u64; 2]>,
    /// whether the node may be fixed as far as they are concerned
    pub(super) all_fixed: bool,
    /// one of them that could not be read
    pub(super) unreadable: Option<Unreadable>,
}

/// A source that cannot be read.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// a log, by name
    Log(String, io::Error),
    /// one of the nodes below, which was reported
    Below,
}

/// One source, and the hash of its bytes or body.
#[derive(Debug)]
pub(super) enum SourcePart {
    /// a raw log: its place among the logs of its day
    Log(Arc<Vec<LogFile>>, usize, u64),
    Node(Period, u64, Option<u64>),
}

impl Sources {
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Their names, as the head lists them.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |part: &SourcePart| match part {
            SourcePart::Log(files, index, _) => files[*index].name.clone(),
            SourcePart::Node(period, ..) => period.to_string(),
        };
        self.parts.iter().map(name).collect()
    }

    fn seal(mut self, rules: u64, level: Level) -> Self {
        let hash = |with: u64, before: bool| {
            let hash = self.hash_with(with, before);
            if with == rules && self.lines > level.threshold() { for_extract(hash) } else { hash }
        };
        let renewed = self.parts.iter().any(|part| matches!(part, SourcePart::Node(.., Some(_))));
        let (now, plain) = (hash(rules, false), self.hash_with(0, false));
        let before = renewed.then(|| [hash(rules, true), self.hash_with(0, true)]);
        (self.hash, self.plain, self.before) = (now, plain, before);
        self
    }

    /// Whether a fingerprint's `s:` stands for them, as far as a text is concerned that the program did not write:
    /// neither the redaction rules nor the version of an extract make it stale.
    pub(super) fn are(&self, known: Option<u64>) -> bool {
        let is = |hash: u64| {
            known.is_some_and(|known| known == hash || is_same_but_version(known, hash))
        };
        is(self.hash) || is(self.plain) || self.were(known)
    }

    /// Whether it stood for them before extracts below were made again for their version alone.
    pub(super) fn were(&self, known: Option<u64>) -> bool {
        self.before.is_some_and(|before| known.is_some_and(|known| before.contains(&known)))
    }

    fn hash_with(&self, rules: u64, before: bool) -> u64 {
        hash_sources(rules, &self.parts, |part, hasher| match part {
            SourcePart::Log(files, index, hash) => {
                hasher.update(files[*index].name.as_bytes());
                hasher.update(&hash.to_le_bytes());
            }
            SourcePart::Node(period, hash, was) => {
                let hash = was.filter(|_| before).unwrap_or(*hash);
                let (level, ordinal) = period.key();
                hasher.update(&[level]);
                hasher.update(&ordinal.to_le_bytes());
                hasher.update(&hash.to_le_bytes());
            }
        })
    }
}

impl Planner<'_, '_> {
    /// The raw logs of a day. A log without a single byte counts for nothing.
    pub(super) fn sources_of_day(&mut self, day: Period) -> Sources {
        let Period::Day(date) = day else { return Sources::default() };
        let mut sources = Sources { all_fixed: true, ..Sources::default() };
        let files = self.library.listing.logs.get(&date).cloned().unwrap_or_default();
        let mut ended = false;
        for (index, file) in files.iter().enumerate() {
            match self.library.log_facts(file) {
                Ok(facts) if facts.empty => {}
                Ok(facts) => {
                    // Logs of one day are put together with a line end between them.
                    sources.lines += facts.lines - u64::from(ended);
                    ended = facts.ends_in_newline;
                    sources.parts.push(SourcePart::Log(Arc::clone(&files), index, facts.hash));
                }
                Err(error) => sources.unreadable = Some(Unreadable::Log(file.name.clone(), error)),
            }
        }
        sources.seal(self.rules.rules_version, Level::Daily)
    }

    /// The nodes one level down, as this run leaves them.
    pub(super) fn sources_of_nodes(
        &self,
        above: Period,
        lower: &BTreeMap<Period, State>,
    ) -> Sources {
        let mut sources = Sources { all_fixed: true, ..Sources::default() };
        for (period, state) in lower {
            if state.unreadable {
                sources.unreadable = Some(Unreadable::Below);
            }
            let Some((hash, lines)) = state.body else { continue };
            sources.lines += lines;
            sources.all_fixed &= state.fixed;
            sources.parts.push(SourcePart::Node(*period, hash, state.before));
        }
        sources.seal(self.rules.rules_version, above.level())
    }

    /// The logs of a day as one text, as they are.
    pub(super) fn text_of_day(&mut self, day: Period) -> io::Result<Vec<u8>> {
        let Period::Day(date) = day else { return Ok(Vec::new()) };
        let mut text = Vec::new();
        for file in self.library.listing.logs.get(&date).cloned().unwrap_or_default().iter() {
            let bytes = self.library.take_log(file)?;
            if text.is_empty() {
                text = bytes;
                continue;
            }
            if !bytes.is_empty() && !text.ends_with(b"\n") {
                text.push(b'\n');
            }
            text.extend_from_slice(&bytes);
        }
        Ok(text)
    }

    /// The body of a lower node, as this run leaves it.
    pub(super) fn body_of(&mut self, period: Period, state: &State) -> io::Result<Body> {
        if let Some(made) = &state.made {
            return Ok(made.clone());
        }
        let bytes = self.library.node(period)?;
        Ok(Document::parse(&bytes).body().to_vec().into())
    }
}
