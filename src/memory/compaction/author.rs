//! Whose text a node's body is ("Who wrote a node" in `spec/compaction.md`).

use std::io;
use std::sync::Arc;

use super::Planner;
use super::conflict;
use super::sources::NodeTarget;
use crate::memory::frontmatter::Document;
use crate::memory::node::NodeFacts;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::Snapshot;
use crate::text::lossy;

/// Whose text it is, which decides what may be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Author {
    /// to the byte what the program wrote: rewritten when its sources change
    Machine,
    /// a beginning of what the program wrote, or nothing: rebuilt
    Torn,
    /// the npm tool's copy or placeholder: rebuilt once
    Npm,
    /// generated, with the marks of a merge that was not finished in it: rebuilt
    Merged,
    /// authored: never overwritten
    Foreign,
}

impl Planner<'_, '_> {
    pub(super) fn author(&mut self, node: NodeTarget<'_>, facts: &NodeFacts) -> io::Result<Author> {
        let NodeTarget { period, sources, .. } = node;
        if facts.is_as_written() {
            return Ok(Author::Machine);
        }
        if facts.damaged {
            return Ok(Author::Torn);
        }
        let known = facts.foreign_at == Some(sources.hash) || sources.is_empty();
        if !known && self.is_merged_work(node)? {
            return Ok(Author::Merged);
        }
        if facts.fingerprint.is_none() {
            if self.is_npm_work(period) {
                return Ok(Author::Npm);
            }
            // A tool that rewrites heads may have dropped the key from what is still, word for word, ours.
            let bytes = self.library.node(period)?;
            let ours = !sources.is_empty()
                && self.compose(node)?.body.whole().starts_with(Document::parse(&bytes).body());
            return Ok(if ours { Author::Torn } else { Author::Foreign });
        }
        if known {
            return Ok(Author::Foreign);
        }
        let rebuilt = self.compose(node)?.body.whole();
        let bytes = self.library.node(period)?;
        if rebuilt.starts_with(Document::parse(&bytes).body()) {
            return Ok(Author::Torn);
        }
        self.library.found_foreign(period, sources.hash);
        Ok(Author::Foreign)
    }

    /// Whether a node has a conflict in it and is generated apart from that.
    fn is_merged_work(&mut self, node: NodeTarget<'_>) -> io::Result<bool> {
        let bytes = self.library.node(node.period)?;
        conflict::is_machines(&lossy(&bytes), || {
            let rebuilt = self.compose(node)?.body.whole();
            let sources = match node.lower {
                None => self.text_of_day(node.period)?,
                Some(lower) => self.put_together(lower)?.0,
            };
            Ok((lossy(&rebuilt).into_owned(), lossy(&sources).into_owned()))
        })
    }
}

/// What a day's text in an npm node may have been copied from: the day's logs, and, seen from a week or
/// month, the daily node as it stands.
pub(super) fn originals(
    library: &mut Snapshot<'_>,
    copied_into: Level,
    label: &str,
) -> Vec<Arc<[u8]>> {
    let Some(Period::Day(day)) = Period::parse(Level::Daily, label) else {
        // A date that does not exist: no log, but the npm tool took it for one.
        return library.odd_log(label).into_iter().collect();
    };
    let mut texts = Vec::new();
    let mut log = Vec::new();
    for file in library.listing.logs.get(&day).cloned().unwrap_or_default().iter() {
        if let Ok(bytes) = library.log(file) {
            log.extend_from_slice(&bytes);
            log.push(b'\n');
        }
    }
    texts.push(log.into());
    let daily = Period::Day(day);
    if copied_into != Level::Daily
        && library.listing.nodes.contains_key(&daily)
        && let Ok(bytes) = library.node(daily)
    {
        texts.push(Document::parse(&bytes).body().into());
    }
    texts
}
