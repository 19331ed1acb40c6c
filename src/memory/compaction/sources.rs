//! What a node is made from: the logs of a day, the daily nodes of a week, the weekly nodes of a month.

use std::collections::BTreeMap;

use super::{Planner, State};
use crate::memory::frontmatter::Document;
use crate::memory::node::hash_sources;
use crate::memory::period::Period;

/// The sources of one node.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// their names, as the head lists them
    pub(super) names: Vec<String>,
    /// their lines, summed
    pub(super) lines: u64,
    /// what the fingerprint calls `s:`
    pub(super) hash: u64,
    /// whether the node may be fixed as far as they are concerned
    pub(super) all_fixed: bool,
    /// why one of them could not be read
    pub(super) unreadable: Option<(String, String)>,
}

impl Sources {
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl Planner<'_, '_> {
    /// The raw logs of a day. A log without a single byte counts for nothing.
    pub(super) fn sources_of_day(&mut self, day: Period) -> Sources {
        let Period::Day(date) = day else { return Sources::default() };
        let mut sources = Sources { all_fixed: true, ..Sources::default() };
        let files = self.library.listing.logs.get(&date).cloned().unwrap_or_default();
        let mut parts = Vec::with_capacity(files.len());
        for file in &files {
            match self.library.log_facts(file) {
                Ok(facts) if facts.empty => {}
                Ok(facts) => {
                    // Logs of one day are put together with a line end between them.
                    let joint = parts.last().is_some_and(|(_, ends): &(_, bool)| *ends);
                    sources.lines += facts.lines - u64::from(joint);
                    sources.names.push(file.name.clone());
                    parts.push((facts.hash, facts.ends_in_newline));
                }
                Err(error) => sources.unreadable = Some((file.name.clone(), error)),
            }
        }
        sources.hash = hash_sources(
            self.rules.rules_version,
            sources.names.iter().map(String::as_str).zip(parts.iter().map(|(hash, _)| *hash)),
        );
        sources
    }

    /// The nodes one level down, as this run leaves them.
    pub(super) fn sources_of_nodes(&self, lower: &BTreeMap<Period, State>) -> Sources {
        let mut sources = Sources { all_fixed: true, ..Sources::default() };
        let mut hashes = Vec::with_capacity(lower.len());
        for (period, state) in lower {
            if state.unreadable {
                sources.unreadable = Some((String::new(), String::new()));
            }
            let Some((hash, lines)) = state.body else { continue };
            sources.names.push(period.to_string());
            sources.lines += lines;
            sources.all_fixed &= state.fixed;
            hashes.push(hash);
        }
        sources.hash = hash_sources(
            self.rules.rules_version,
            sources.names.iter().map(String::as_str).zip(hashes),
        );
        sources
    }

    /// The logs of a day as one text, as they are.
    pub(super) fn text_of_day(&mut self, day: Period) -> Result<Vec<u8>, String> {
        let Period::Day(date) = day else { return Ok(Vec::new()) };
        let mut text = Vec::new();
        for file in self.library.listing.logs.get(&date).cloned().unwrap_or_default() {
            let bytes = self.library.log(&file)?;
            if !text.is_empty() && !bytes.is_empty() && !text.ends_with(b"\n") {
                text.push(b'\n');
            }
            text.extend_from_slice(&bytes);
        }
        Ok(text)
    }

    /// The body of a lower node, as this run leaves it.
    pub(super) fn body_of(&mut self, period: Period, state: &State) -> Result<Vec<u8>, String> {
        if let Some(made) = &state.made {
            return Ok(made.to_vec());
        }
        let bytes = self.library.node(period)?;
        Ok(Document::parse(&bytes).body().to_vec())
    }
}
