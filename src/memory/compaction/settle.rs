//! One node: leave it, write it, settle its status, or mark it stale.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::author::Author;
use super::sources::{NodeTarget, Sources, Unreadable};
use super::{Planner, State};
use crate::error::describe;
use crate::layout;
use crate::memory::body::{Body, SHARED};
use crate::memory::frontmatter::Document;
use crate::memory::node::{Fingerprint, NodeDraft, NodeFacts, Status, with_head};
use crate::memory::period::Period;
use crate::memory::snapshot::Listing;
use crate::plan::{Change, Note, Step};

impl Planner<'_, '_> {
    /// Decides on a daily node. Under a frozen week it is left alone, whatever its log did.
    pub(super) fn day(&mut self, day: Period, week_is_frozen: bool) -> State {
        let sources = self.sources_of_day(day);
        self.settle(NodeTarget { period: day, sources: &sources, lower: None }, week_is_frozen)
    }

    /// Decides on a weekly or monthly node. Once fixed it is left alone.
    pub(super) fn higher(&mut self, period: Period, lower: &BTreeMap<Period, State>) -> State {
        let sources = self.sources_of_nodes(period, lower);
        let known = self.library.node_facts(period).ok().flatten();
        let renewed =
            known.is_some_and(|facts| facts.is_as_written() && sources.were(facts.sources()));
        let frozen = self.is_frozen(period) && !renewed;
        if frozen {
            self.find_uncarried(period, &sources, lower);
        }
        self.settle(NodeTarget { period, sources: &sources, lower: Some(lower) }, frozen)
    }

    /// Days that got their first log after their week was fixed, or were the first of their week after their
    /// month was: it does not carry them.
    fn find_uncarried(
        &mut self,
        above: Period,
        sources: &Sources,
        lower: &BTreeMap<Period, State>,
    ) {
        let Ok(Some(facts)) = self.library.node_facts(above) else { return };
        if sources.are(facts.sources()) {
            return;
        }
        let Ok(bytes) = self.library.node(above) else { return };
        let Some(carried) = Document::parse(&bytes).line("source-files") else { return };
        let there = lower.iter().filter(|(_, state)| state.body.is_some()).map(|(below, _)| *below);
        for missing in there.filter(|below| !carried.contains(&layout::node_path(*below))) {
            let Listing { logs, nodes, .. } = &*self.library.listing;
            let mut days: BTreeSet<_> =
                logs.range(missing.days()).map(|(day, _)| Period::Day(*day)).collect();
            let (first, last) = missing.days().into_inner();
            days.extend(nodes.range(Period::Day(first)..=Period::Day(last)).map(|(day, _)| *day));
            self.outcome.late.extend(days);
        }
    }

    fn settle(&mut self, node: NodeTarget<'_>, frozen: bool) -> State {
        let NodeTarget { period, sources, .. } = node;
        let facts = match self.library.node_facts(period) {
            Ok(facts) => facts,
            Err(error) => return self.unreadable(&layout::node_path(period), &error),
        };
        if let Some(which) = &sources.unreadable {
            if let Unreadable::Log(name, error) = which {
                self.unreadable(&layout::in_memory(name), error);
            }
            return State { unreadable: true, ..standing(facts.as_ref()) };
        }
        let given = self.rules.given.get(&period).filter(|_| !sources.is_empty());
        let decided = match (facts, given) {
            (facts, Some(given)) => self.store(node, facts.map(|facts| facts.file), given),
            (None, _) if sources.is_empty() => Ok(State::default()),
            (None, _) => self.build(node, None, "new"),
            (Some(facts), _) if sources.is_empty() => self.without_sources(period, &facts),
            (Some(facts), _) => self.existing(node, frozen, &facts),
        };
        match decided {
            Ok(state) => state,
            Err(error) => {
                self.unreadable(&layout::node_path(period), &error);
                State { unreadable: true, ..standing(facts.as_ref()) }
            }
        }
    }

    fn existing(
        &mut self,
        node: NodeTarget<'_>,
        frozen: bool,
        facts: &NodeFacts,
    ) -> io::Result<State> {
        let sources = node.sources;
        let was = Some(facts.file);
        let frozen = frozen && !self.follows(node, facts);
        if frozen && facts.status == Some(Status::Fixed) && self.is_late(node, facts) {
            self.outcome.late.push(node.period);
        }
        let changed = facts.sources() != Some(sources.hash);
        match self.author(node, facts)? {
            Author::Torn => self.build(node, was, "is not whole"),
            Author::Merged => self.build(node, was, "a merge left both its sides"),
            Author::Npm => self.build(node, was, "heals the npm tool's node"),
            Author::Machine if changed && (!frozen || Self::is_outdated(node, facts)) => {
                let renewed = sources.were(facts.sources()) || self.is_renewed(node, facts)?;
                let before = renewed.then_some(facts.body);
                let why = if before.is_some() {
                    "an extract is of an older version"
                } else if self.keeps(node, facts)? {
                    "what it was made from is gone"
                } else {
                    "its sources changed"
                };
                let state = self.build(node, was, why)?;
                Ok(State { before, ..state })
            }
            Author::Machine => self.unchanged(node, facts, frozen),
            Author::Foreign
                if facts.fingerprint.is_some()
                    && !sources.are(facts.sources())
                    && !frozen
                    && node.lower.is_none()
                    && self.keeps(node, facts)? =>
            {
                self.build(node, was, "its log is gone")
            }
            Author::Foreign => self.summary(node, facts, frozen),
        }
    }

    /// A generated node that stays: only its status may change.
    fn unchanged(
        &mut self,
        node: NodeTarget<'_>,
        facts: &NodeFacts,
        frozen: bool,
    ) -> io::Result<State> {
        let NodeTarget { period, sources, .. } = node;
        let changed = facts.sources() != Some(sources.hash);
        let reopened = self.is_reopened(period);
        let waiting = self.is_extract(node, facts)? && !self.is_early(period);
        let due = self.due(period, sources, waiting);
        // Fixed stays fixed, unless the node was reopened or never had a summary to be fixed with. Clones of a
        // shared memory become fixed on different days, so there the date alone decides.
        let keeps = !self.rules.shared;
        let status = match facts.status {
            Some(Status::Fixed) if keeps && !reopened && due == Status::Tentative => Status::Fixed,
            Some(status) if keeps && frozen && changed => status,
            _ => due,
        };
        let state = self.head(period, facts, status, facts.fingerprint, "its status changed")?;
        Ok(State { clean: !changed, ..state })
    }

    /// A node that somebody else wrote: its head says whether what it was made from has changed since.
    fn summary(
        &mut self,
        node: NodeTarget<'_>,
        facts: &NodeFacts,
        frozen: bool,
    ) -> io::Result<State> {
        let NodeTarget { period, sources, .. } = node;
        let reopened = self.is_reopened(period);
        let known = facts.fingerprint;
        // New redaction rules make no summary stale.
        let changed = !sources.are(facts.sources());
        let stale = reopened || (known.is_some() && changed && !frozen);
        let said = facts.status == Some(Status::NeedsSummarization);
        let open = said && !self.is_replaced(period, facts)?;
        let mark = match known {
            // The rules in force are no part of what it was made from, nor is the version of an extract.
            Some(mark) if !stale && (open || mark.sources == sources.plain || frozen) => mark,
            _ => Fingerprint { sources: sources.plain, body: Fingerprint::FOREIGN },
        };
        let waiting = stale || facts.is_stale() || (open && !self.is_early(period));
        let status = match facts.status {
            Some(Status::Fixed) if !waiting && !self.rules.shared => Status::Fixed,
            _ => self.due(period, sources, waiting),
        };
        let why = match (known, stale) {
            (None, _) => "first seen",
            (_, true) => "its sources changed after it was summarised",
            _ => "it is a summary",
        };
        self.head(period, facts, status, Some(mark), why)
    }

    /// A node whose sources are gone is all there is of its period: it is kept, and its parents go on
    /// carrying it. Only what the npm tool filed under a wrong week or month goes: it is elsewhere.
    fn without_sources(&mut self, period: Period, facts: &NodeFacts) -> io::Result<State> {
        // Clones that share a memory have a node left empty where there is nothing to make it from any more.
        if self.rules.shared && self.library.node(period)?.is_empty() {
            return Ok(State::default());
        }
        if facts.fingerprint.is_none() && self.is_npm_work(period) {
            let (path, was) = (layout::node_path(period), facts.file);
            let step = Step::new(path, Change::Delete { was }, "a copy of nodes of another period");
            self.outcome.plan.steps.push(step);
            return Ok(State::default());
        }
        let settled = self.due(period, &Sources { all_fixed: true, ..Sources::default() }, false);
        let status = match facts.status {
            // Should its sources come back, it goes on waiting.
            Some(Status::NeedsSummarization) => Status::NeedsSummarization,
            Some(Status::Fixed) if !self.rules.shared => Status::Fixed,
            _ => settled,
        };
        let state = self.head(period, facts, status, facts.fingerprint, "its status changed")?;
        // Nothing can be summarised any more, so nothing above waits for it.
        Ok(State { fixed: state.fixed || settled == Status::Fixed, ..state })
    }

    /// The status a node should have today.
    pub(super) fn due(&self, period: Period, sources: &Sources, waiting: bool) -> Status {
        if waiting {
            Status::NeedsSummarization
        } else if sources.all_fixed && self.rules.today >= period.settles_on() {
            Status::Fixed
        } else {
            Status::Tentative
        }
    }

    /// Writes a node from its sources.
    fn build(
        &mut self,
        node: NodeTarget<'_>,
        was: Option<u64>,
        why: &'static str,
    ) -> io::Result<State> {
        let NodeTarget { period, sources, .. } = node;
        let composed = self.compose(node)?;
        let waiting = composed.extract && !self.is_early(period);
        let status = self.due(period, sources, waiting);
        let body = composed.body.facts();
        let draft = NodeDraft {
            period,
            status,
            sources: &sources.names(),
            topics: &composed.topics,
            lines: sources.lines,
            source_hash: sources.hash,
            body_hash: body.hash,
        };
        let head = draft.head();
        let facts = NodeFacts::of_made(&head, &composed.body, body);
        if was.is_none_or(|was| was != facts.file) {
            // An extract is the only text of its kind; a copy shows by its fingerprint that it was torn.
            let only = composed.extract || facts.kept;
            let change = file_of(head, &composed.body, was);
            self.write_known(period, (change, facts), why, only);
        }
        Ok(State {
            body: Some((body.hash, body.lines)),
            fixed: status == Status::Fixed,
            unreadable: false,
            clean: true,
            made: Some(composed.body),
            topics: composed.topics,
            before: None,
        })
    }

    /// Changes nothing but the head.
    fn head(
        &mut self,
        period: Period,
        facts: &NodeFacts,
        status: Status,
        mark: Option<Fingerprint>,
        why: &'static str,
    ) -> io::Result<State> {
        if facts.status != Some(status) || facts.fingerprint != mark {
            let bytes = self.library.node(period)?;
            let mark = mark.unwrap_or(Fingerprint { sources: 0, body: Fingerprint::FOREIGN });
            let file = with_head(&bytes, period, status, mark);
            let foreign = mark.body != facts.body;
            if *file != *bytes {
                self.write(period, Some(facts.file), file, why, foreign);
            }
        }
        Ok(State { fixed: status == Status::Fixed, ..standing(Some(facts)) })
    }

    fn unreadable(&mut self, path: &str, error: &io::Error) -> State {
        let why = describe(error);
        let text =
            format!("cannot be read ({why}); what is built on it stays as it is for this run");
        self.outcome.plan.notes.push(Note::problem(path, text));
        State { unreadable: true, ..State::default() }
    }
}

pub(super) fn standing(facts: Option<&NodeFacts>) -> State {
    State {
        body: facts.map(|facts| (facts.body, facts.lines)),
        fixed: facts.is_some_and(|facts| facts.status == Some(Status::Fixed)),
        ..State::default()
    }
}

/// What makes or replaces a file of this head and body. A large body is not copied.
fn file_of(head: Vec<u8>, body: &Body, was: Option<u64>) -> Change {
    if body.len() > SHARED {
        let mut parts = Body::from(head);
        parts.carry(body);
        return Change::Carry { was, parts: parts.parts().to_vec() };
    }
    let mut file = head;
    file.reserve_exact(body.len());
    body.parts().iter().for_each(|part| file.extend_from_slice(part));
    match was {
        None => Change::Create(file),
        Some(was) => Change::Replace { was, with: file },
    }
}
