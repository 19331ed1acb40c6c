//! What has changed since a node was written.

use std::io;

use super::Planner;
use super::sources::NodeTarget;
use crate::meaning::extract;
use crate::memory::due;
use crate::memory::frontmatter::Document;
use crate::memory::heal;
use crate::memory::node::{Fingerprint, NodeFacts, for_extract, is_same_but_version};
use crate::memory::period::{Level, Period};

impl Planner<'_, '_> {
    /// Whether a fixed node is to follow its sources, because others share the memory. New redaction rules alone are no
    /// reason: two versions would rewrite all nodes in turns.
    pub(super) fn follows(&mut self, node: NodeTarget<'_>, facts: &NodeFacts) -> bool {
        let NodeTarget { period, sources, lower } = node;
        if !self.rules.shared || sources.are(facts.sources()) {
            return false;
        }
        let Some(lower) = lower else { return self.is_late(node, facts) };
        if lower.values().any(|state| state.made.is_some()) {
            return true;
        }
        let Ok(bytes) = self.library.node(period) else { return false };
        let lines = Document::parse(&bytes).value("lines").and_then(|lines| lines.parse().ok());
        lines != Some(sources.lines)
    }

    /// Whether somebody put a summary in the place of the extract and left the status that said it was due.
    /// Of a text that went stale later the head alone tells.
    pub(super) fn is_replaced(&mut self, period: Period, facts: &NodeFacts) -> io::Result<bool> {
        if facts.fingerprint.is_some_and(|mark| mark.body == Fingerprint::FOREIGN) {
            return Ok(false);
        }
        let bytes = self.library.node(period)?;
        let body = Document::parse(&bytes).body();
        Ok(!extract::is_announced_in(body) && !heal::has_placeholder(body))
    }

    /// Whether a day's log said more after its node was fixed. Of a hash that differs, new redaction rules may
    /// be the reason; then the text or its length still agrees.
    pub(super) fn is_late(&mut self, node: NodeTarget<'_>, facts: &NodeFacts) -> bool {
        let NodeTarget { period, sources, .. } = node;
        if period.level() != Level::Daily || sources.are(facts.sources()) {
            return false;
        }
        let Ok(bytes) = self.library.node(period) else { return false };
        let document = Document::parse(&bytes);
        let lines = document.value("lines").and_then(|lines| lines.parse().ok());
        if lines != Some(sources.lines) || !facts.is_as_written() {
            return true;
        }
        sources.lines <= period.level().threshold()
            && self.text_of_day(period).is_ok_and(|log| {
                (self.rules.redact)(log) != (self.rules.redact)(document.body().to_vec())
            })
    }

    /// Whether a node holds an extract of another version than this program's.
    pub(super) fn is_outdated(node: NodeTarget<'_>, facts: &NodeFacts) -> bool {
        node.sources.lines > node.period.level().threshold()
            && facts.sources().is_some_and(|known| for_extract(known) != known)
    }

    /// Whether nothing but that version is the reason to write a node again. The hash tells, and, where the redaction
    /// rules are other ones too, the number of lines.
    pub(super) fn is_renewed(
        &mut self,
        node: NodeTarget<'_>,
        facts: &NodeFacts,
    ) -> io::Result<bool> {
        if !Self::is_outdated(node, facts) {
            return Ok(false);
        }
        let sources = node.sources;
        let bytes = self.library.node(node.period)?;
        let lines = Document::parse(&bytes).value("lines").and_then(|lines| lines.parse().ok());
        let same = facts.sources().is_some_and(|known| is_same_but_version(known, sources.hash));
        Ok(same || lines == Some(sources.lines))
    }

    /// Whether a period ended before models were asked for summaries.
    pub(super) fn is_early(&self, period: Period) -> bool {
        due::is_early(period, self.rules.since)
    }
}
