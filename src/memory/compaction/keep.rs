//! Which nodes are the last copy of what they say ("The last copy" in `spec/compaction.md`), and what then is below
//! the kept text.

use std::collections::BTreeMap;
use std::io;

use super::compose::Composed;
use super::sources::NodeTarget;
use super::{Planner, State};
use crate::layout;
use crate::meaning::extract;
use crate::meaning::head::{head_topics, in_one_line};
use crate::memory::body::{count_lines, readable};
use crate::memory::frontmatter::Document;
use crate::memory::last_copy;
use crate::memory::node::NodeFacts;
use crate::memory::period::{Level, Period};

impl Planner<'_, '_> {
    /// Notes down that a node has to keep its text, if what it was made from is gone. Whether it has.
    pub(super) fn keeps(&mut self, node: NodeTarget<'_>, facts: &NodeFacts) -> io::Result<bool> {
        let bytes = self.library.node(node.period)?;
        let document = Document::parse(&bytes);
        let body = document.body();
        let below = last_copy::split(body).map_or(body, |(_, below)| below);
        if below.trim_ascii().is_empty() {
            return Ok(false);
        }
        let lost = match node.lower {
            Some(lower) => self.has_lost_nodes(node.period, &document, lower),
            None => self.has_lost_its_log(node, facts, &document, below)?,
        };
        if lost {
            let text = (self.rules.redact)(body.to_vec());
            self.kept.insert(node.period, last_copy::marked(&text));
        }
        Ok(lost)
    }

    /// Whether a day's node says what its logs do not say any more. One that somebody edited goes on being the log; of
    /// a model's text only the number of lines tells.
    fn has_lost_its_log(
        &mut self,
        node: NodeTarget<'_>,
        facts: &NodeFacts,
        document: &Document<'_>,
        below: &[u8],
    ) -> io::Result<bool> {
        let sources = node.sources;
        let lines: Option<u64> = document.value("lines").and_then(|lines| lines.parse().ok());
        let names = sources.names();
        let is_gone =
            listed(document, Level::Daily).any(|name| !names.iter().any(|have| have == name));
        // What left a log that others share left it by a merge: somebody took it out, and git has it still.
        if self.rules.shared && !is_gone {
            return Ok(false);
        }
        // What is left of several logs, or less than half of the lines of one.
        let factor = if is_gone { 1 } else { 2 };
        if !facts.is_as_written() {
            return Ok(lines.is_some_and(|lines| sources.lines * factor < lines));
        }
        let log = (self.rules.redact)(self.text_of_day(node.period)?);
        // Under another name a log may be all there.
        if log.starts_with(below) || last_copy::is_whole_in(&log, below) {
            return Ok(false);
        }
        if extract::is_announced_in(below) {
            let shrunk = lines.is_some_and(|lines| sources.lines * factor < lines);
            return Ok(shrunk || last_copy::is_extract_of_another(&log, below));
        }
        Ok(is_gone || last_copy::is_strange_to(&log, below))
    }

    /// Whether a week or month was made from a node that is gone, and nobody asked for that.
    fn has_lost_nodes(
        &self,
        above: Period,
        document: &Document<'_>,
        lower: &BTreeMap<Period, State>,
    ) -> bool {
        let is_there = |below| lower.get(&below).is_some_and(|state| state.body.is_some());
        let made_from = listed(document, above.level());
        let mut made_from = made_from.filter_map(|name| {
            let level = if above.level() == Level::Weekly { Level::Daily } else { Level::Weekly };
            Period::parse(level, name.strip_suffix(".md")?)
        });
        made_from.any(|below| {
            !is_there(below) && !self.rules.reopen.iter().any(|day| below.days().contains(day))
        })
    }

    /// The text that a node goes on keeping, with the line below it.
    pub(super) fn kept_in(&mut self, period: Period) -> io::Result<Option<Vec<u8>>> {
        if let Some(kept) = self.kept.get(&period) {
            return Ok(Some(kept.clone()));
        }
        if !matches!(self.library.node_facts(period), Ok(Some(facts)) if facts.kept) {
            return Ok(None);
        }
        let bytes = self.library.node(period)?;
        let Some((kept, _)) = last_copy::split(Document::parse(&bytes).body()) else {
            return Ok(None);
        };
        let text = last_copy::text(kept);
        let redacted = (self.rules.redact)(text.to_vec());
        Ok(Some(if redacted == text { kept.to_vec() } else { last_copy::marked(&redacted) }))
    }

    /// Whether what the program wrote in a node stands for more lines than the threshold.
    pub(super) fn is_extract(
        &mut self,
        node: NodeTarget<'_>,
        facts: &NodeFacts,
    ) -> io::Result<bool> {
        if !facts.kept {
            return Ok(node.sources.lines > node.period.level().threshold());
        }
        let bytes = self.library.node(node.period)?;
        let below = last_copy::split(Document::parse(&bytes).body()).map(|(_, below)| below);
        Ok(below.is_some_and(extract::is_announced))
    }

    /// A kept text, and below it what the sources say that it does not.
    pub(super) fn compose_below(
        &mut self,
        kept: Vec<u8>,
        node: NodeTarget<'_>,
    ) -> io::Result<Composed> {
        let period = node.period;
        let (added, lines) = match node.lower {
            None => self.added_to_day(&kept, period)?,
            Some(lower) => self.added_above(&kept, lower)?,
        };
        let level = period.level();
        let is_extract = lines > level.threshold();
        let mut body = kept;
        let below = if is_extract {
            (self.rules.redact)(
                extract::extract(level, [(period, &*readable(&added))]).into_bytes(),
            )
        } else {
            added
        };
        if !below.trim_ascii().is_empty() {
            body.push(b'\n');
            body.extend_from_slice(&below);
        }
        let topics = in_one_line(&head_topics(&readable(&body), level.topic_limit()));
        Ok(Composed { body: body.into(), topics, extract: is_extract })
    }

    fn added_to_day(&mut self, kept: &[u8], day: Period) -> io::Result<(Vec<u8>, u64)> {
        let Period::Day(date) = day else { return Ok((Vec::new(), 0)) };
        let mut added = Vec::new();
        for file in self.library.listing.logs.get(&date).cloned().unwrap_or_default().iter() {
            let log = (self.rules.redact)(self.library.log(file)?.to_vec());
            if !added.is_empty() && !added.ends_with(b"\n") {
                added.push(b'\n');
            }
            added.extend_from_slice(last_copy::new_in(&log, kept));
        }
        let added = (self.rules.redact)(added);
        let lines = count_lines(&added);
        Ok((added, lines))
    }

    fn added_above(
        &mut self,
        kept: &[u8],
        lower: &BTreeMap<Period, State>,
    ) -> io::Result<(Vec<u8>, u64)> {
        let mut new = BTreeMap::new();
        for (period, state) in lower.iter().filter(|(_, state)| state.body.is_some()) {
            let body = self.body_of(*period, state)?;
            if memchr::memmem::find(kept, body.whole().trim_ascii()).is_none() {
                new.insert(*period, state.clone());
            }
        }
        let lines = new.values().filter_map(|state| state.body).map(|(_, lines)| lines).sum();
        Ok((self.put_together(&new)?.0, lines))
    }
}

/// The names in a head's `source-files`, without their folder.
fn listed<'a>(document: &Document<'a>, level: Level) -> impl Iterator<Item = &'a str> {
    let folder = match level {
        Level::Daily => format!("{}/", layout::MEMORY),
        Level::Weekly => format!("{}/", layout::level_path(Level::Daily)),
        Level::Monthly => format!("{}/", layout::level_path(Level::Weekly)),
    };
    let line = document.line("source-files").unwrap_or_default();
    let names = line.split(['[', ']', ',']).map(|name| name.trim().trim_matches(['"', '\'']));
    names.filter_map(move |name| name.strip_prefix(&*folder))
}
