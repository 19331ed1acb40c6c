//! Which nodes wait for a summary, in the order in which they are to be written.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::Serialize;

use super::handed;
use crate::config::SummarySource;
use crate::markdown::heading;
use crate::meaning::extract::{extract, is_announced};
use crate::memory::body::count_lines;
use crate::memory::due;
use crate::memory::entry;
use crate::memory::frontmatter::Document;
use crate::memory::node::{NodeFacts, SUMMARY};
use crate::memory::period::Period;
use crate::memory::snapshot::Snapshot;
use crate::memory::tokens;
use crate::text::{counted, lossy};

/// What the list depends on beside the nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitingRules {
    /// the user's date
    pub(crate) today: NaiveDate,
    /// what ended before it is settled by its extract
    pub(crate) since: Option<NaiveDate>,
}

/// Whose text a node holds, as far as replacing it is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextOwner {
    /// generated, or as a model left it: a summary takes its place
    Ours,
    /// of a time before summaries were handed in, so that nobody knows
    Unknown,
    /// somebody edited it
    Edited,
}

/// Why a node waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reason {
    /// no model has summarised it yet
    New,
    /// its sources went on since
    Stale,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct PendingNode {
    #[serde(rename = "node")]
    pub(crate) period: Period,
    pub(crate) reason: Reason,
    /// of a stale one: what was added to its sources
    pub(crate) added: Option<String>,
    /// the files it is made from, below the project root
    pub(crate) sources: Vec<String>,
    pub(crate) lines: u64,
    /// what a model would read, in tokens, estimated
    pub(crate) tokens: u32,
    /// whether that is the extract of a log, rather than the log
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) extract: bool,
    /// whether somebody edited the text that is there: then only `summarize PERIOD` replaces it
    pub(crate) edited: bool,
    /// who works on it, until when
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) claimed: Option<String>,
}

/// Whose text a node holds.
pub(crate) fn text_of(facts: &NodeFacts, node: &[u8]) -> TextOwner {
    if facts.is_as_written() || facts.damaged {
        return TextOwner::Ours;
    }
    let document = Document::parse(node);
    match document.value(SUMMARY) {
        Some(mark) if mark == format!("{:016x}", facts.body) => TextOwner::Ours,
        Some(_) => TextOwner::Edited,
        // What the program wrote last is in the key of an extract that somebody has edited.
        None if facts.fingerprint.is_some_and(|mark| mark.body != 0) => TextOwner::Edited,
        None => TextOwner::Unknown,
    }
}

/// The nodes that a model is to summarise: closed, not settled by their extract, with something that they are made
/// from, and whose text each holds. Those that somebody edited hold nobody up.
pub(crate) fn all(
    library: &mut Snapshot<'_>,
    frame: WaitingRules,
) -> Vec<(Period, NodeFacts, TextOwner)> {
    let nodes: Vec<Period> = library.listing.nodes.keys().copied().collect();
    let mut found = Vec::new();
    for period in nodes {
        // A period that cannot wait is not looked into.
        if !due::is_over(period, frame.today) {
            continue;
        }
        let Ok(Some(facts)) = library.node_facts(period) else { continue };
        if !due::waits(period, &facts, frame.today, frame.since)
            || !library.listing.has_sources(period)
        {
            continue;
        }
        let text = if facts.is_as_written() {
            TextOwner::Ours
        } else {
            library.node(period).map_or(TextOwner::Unknown, |bytes| text_of(&facts, &bytes))
        };
        found.push((period, facts, text));
    }
    found
}

/// Whether a node holds the extract that the program wrote, and nothing else.
pub(crate) fn is_extract(library: &mut Snapshot<'_>, period: Period) -> bool {
    let facts = library.node_facts(period).ok().flatten();
    let is_ours = facts.is_some_and(|facts| facts.is_as_written());
    is_ours && library.node(period).is_ok_and(|node| is_announced(Document::parse(&node).body()))
}

/// Whether a node below a period waits and comes first.
pub(crate) fn below(all: &[(Period, NodeFacts, TextOwner)], period: Period) -> Option<Period> {
    let mut below =
        all.iter().filter(|(_, _, text)| *text == TextOwner::Ours).map(|(below, ..)| *below);
    below.find(|below| *below != period && below.lies_in(period))
}

/// What is offered: of [`all`], what has nothing waiting below it; days first, then weeks, then months, the newest
/// first among each.
pub(crate) fn offered(
    all: &[(Period, NodeFacts, TextOwner)],
) -> Vec<(Period, NodeFacts, TextOwner)> {
    let mut offered: Vec<_> =
        all.iter().filter(|(period, ..)| below(all, *period).is_none()).copied().collect();
    offered.sort_by_key(|(period, ..)| (period.level(), Reverse(*period)));
    offered
}

/// What there is to say about a node that waits. `source` is what a model would read.
pub(crate) fn told(
    library: &mut Snapshot<'_>,
    (period, _, text): (Period, NodeFacts, TextOwner),
    source: &SourceSize,
) -> PendingNode {
    let node = library.node(period).unwrap_or_else(|_| Vec::new().into());
    let document = Document::parse(&node);
    let stale = text != TextOwner::Ours || document.value(SUMMARY).is_some();
    PendingNode {
        period,
        reason: if stale { Reason::Stale } else { Reason::New },
        added: stale.then(|| added(&document, source)),
        sources: source.paths.clone(),
        lines: source.lines,
        tokens: source.tokens,
        extract: source.extract,
        edited: text != TextOwner::Ours,
        claimed: None,
    }
}

/// What a model would read.
#[derive(Debug, Clone, Default)]
pub(crate) struct SourceSize {
    /// the files, below the project root
    pub(crate) paths: Vec<String>,
    pub(crate) lines: u64,
    pub(crate) tokens: u32,
    extract: bool,
    /// of a day: the text
    text: String,
}

/// Looks at what a node is made from, without redacting it: for a list that is enough.
pub(crate) fn read(
    library: &mut Snapshot<'_>,
    period: Period,
    source: SummarySource,
) -> SourceSize {
    let mut read = SourceSize::default();
    if let Period::Day(day) = period {
        for file in library.listing.logs_of(day).iter() {
            let bytes = library.log(file).unwrap_or_else(|_| Vec::new().into());
            read.lines += memchr::memchr_iter(b'\n', &bytes).count() as u64;
            read.paths.push(crate::layout::in_memory(&file.name));
            read.text.push_str(&lossy(&bytes));
        }
        read.lines += 1;
        read.tokens = tokens::count(&read.text);
        if handed::is_extract(source, read.tokens) {
            read.extract = true;
            let node = library.node(period).unwrap_or_else(|_| Vec::new().into());
            let body = Document::parse(&node).body();
            read.tokens = if is_announced(body) {
                tokens::count(&lossy(body))
            } else {
                tokens::count(&extract(period.level(), [(period, &*read.text)]))
            };
        }
        return read;
    }
    for node in library.listing.nodes_below(period) {
        let Ok(bytes) = library.node(node) else { continue };
        let body = Document::parse(&bytes).body();
        read.lines += count_lines(body);
        read.tokens = read.tokens.saturating_add(tokens::count(&lossy(body)));
        read.paths.push(crate::layout::node_path(node));
    }
    read
}

/// What was added to the sources since the summary was written, as far as its head tells.
fn added(document: &Document<'_>, source: &SourceSize) -> String {
    let then: u64 =
        document.value("lines").and_then(|lines| lines.parse().ok()).unwrap_or(source.lines);
    let known = document.line("source-files").unwrap_or_default();
    let new: Vec<&str> =
        source.paths.iter().map(String::as_str).filter(|path| !known.contains(path)).collect();
    let mut parts = Vec::new();
    if source.lines > then {
        parts.push(counted(source.lines - then, "line"));
    }
    if !source.text.is_empty() && source.lines > then {
        let before = usize::try_from(then.saturating_sub(1)).unwrap_or(usize::MAX);
        let topics: BTreeSet<String> = source.text.lines().skip(before).filter_map(topic).collect();
        parts.extend(topics.into_iter().take(8));
    }
    parts.extend(new.into_iter().map(str::to_owned));
    if parts.is_empty() { "its sources changed".to_owned() } else { parts.join(", ") }
}

/// The entry that a line of a log begins.
fn topic(line: &str) -> Option<String> {
    heading::entry(line)?;
    let (topic, kind) = entry::heading(line)?;
    Some(kind.map_or_else(|| topic.to_owned(), |kind| format!("{topic} [{kind}]")))
}
