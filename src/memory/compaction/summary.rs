//! A summary that a model wrote takes the place of what is in a node.

use std::collections::BTreeMap;
use std::io;

use super::settle::standing;
use super::sources::{NodeTarget, Unreadable};
use super::{Planner, Rules, State};
use crate::error::NamedError;
use crate::memory::body::{Body, hash_body, readable};
use crate::memory::frontmatter::Document;
use crate::memory::node::{Fingerprint, KEYS, NodeDraft, SUMMARY, Status};
use crate::memory::period::Period;
use crate::memory::snapshot::Snapshot;

/// A summary, checked and redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenSummary {
    pub text: String,
    /// the [`plain`](crate::memory::node::Fingerprint) hash of the sources that its author read; `None` where nobody
    /// noted it down, so that it counts for the sources as they are
    pub read: Option<u64>,
}

impl Planner<'_, '_> {
    /// Whether a summary is given for something below a period: then what is above follows, fixed or not.
    pub(super) fn is_above_given(&self, period: Period) -> bool {
        self.rules.given.keys().any(|given| {
            std::iter::successors(given.parent(), |above| above.parent())
                .any(|above| above == period)
        })
    }

    /// Writes a summary. One whose sources went on meanwhile is stale at once.
    pub(super) fn store(
        &mut self,
        node: NodeTarget<'_>,
        was: Option<u64>,
        given: &GivenSummary,
    ) -> io::Result<State> {
        let NodeTarget { period, sources, .. } = node;
        let composed = self.compose(node)?;
        let stale = given.read.is_some_and(|read| read != sources.plain);
        let status = self.due(period, sources, stale);
        let mut body = self.kept_in(period)?.unwrap_or_default();
        if !body.is_empty() {
            // What is nowhere else any more is above the summary.
            body.push(b'\n');
        }
        body.extend_from_slice(given.text.as_bytes());
        let draft = NodeDraft {
            period,
            status,
            sources: &sources.names(),
            topics: &composed.topics,
            lines: sources.lines,
            source_hash: sources.plain,
            body_hash: Fingerprint::FOREIGN,
        };
        let mark = format!("{:016x}", hash_body(&body));
        let mut file = Document::parse(&draft.head()).with(SUMMARY, &mark, &KEYS);
        file.extend_from_slice(&body);
        self.write(period, was, file, "a summary", true);
        let body = Body::from(body);
        let facts = body.facts();
        Ok(State {
            body: Some((facts.hash, facts.lines)),
            fixed: status == Status::Fixed,
            clean: true,
            made: Some(body),
            topics: composed.topics,
            ..State::default()
        })
    }
}

/// What a model is to summarise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    /// the logs of a day, or the bodies below under their periods, redacted
    pub text: String,
    /// what it is made from, by name
    pub names: Vec<String>,
    /// its lines, as the threshold counts them
    pub lines: u64,
    /// the hash that tells whether it went on since
    pub read: u64,
}

/// What a period's node is made from, as the tree stands; `None` where there is nothing.
pub(crate) fn source(
    library: &mut Snapshot<'_>,
    rules: &Rules<'_>,
    period: Period,
) -> io::Result<Option<Source>> {
    let mut planner = Planner::new(library, rules, None);
    let (sources, text) = if let Period::Day(_) = period {
        let sources = planner.sources_of_day(period);
        (sources, (rules.redact)(planner.text_of_day(period)?))
    } else {
        let nodes = planner.library.listing.nodes.keys().copied();
        let below: Vec<Period> = nodes.filter(|node| node.parent() == Some(period)).collect();
        let mut lower = BTreeMap::new();
        for node in below {
            let facts = planner.library.node_facts(node)?;
            lower.insert(node, standing(facts.as_ref()));
        }
        (planner.sources_of_nodes(period, &lower), planner.put_together(&lower)?.0)
    };
    if let Some(Unreadable::Log(name, error)) = sources.unreadable {
        return Err(NamedError::put(&name, error));
    }
    Ok((!sources.is_empty()).then(|| Source {
        text: readable(&text).into_owned(),
        names: sources.names(),
        lines: sources.lines,
        read: sources.plain,
    }))
}
