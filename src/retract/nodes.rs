//! Nodes without what goes. One that the program wrote from sources that are there is made again; one that
//! is the last copy of something, or that somebody wrote, loses the parts or lines in question and nothing else.

use std::iter::once;
use std::ops::Range;

use chrono::NaiveDate;

use super::cut::{self, Gone, Selection};
use super::traces::Traces;
use crate::meaning::extract;
use crate::memory::frontmatter::Document;
use crate::memory::last_copy;
use crate::memory::node::{NodeFacts, as_written, with_body, with_key};
use crate::memory::period::Period;
use crate::plan::Change;
use crate::text::lossy;

#[derive(Clone, Copy)]
pub(crate) struct NodeSelection<'a> {
    /// from texts that are copies of logs
    pub(crate) goes: Selection<'a>,
    /// a day that goes as a whole
    pub(crate) day: Option<NaiveDate>,
    /// from texts of anybody
    pub(crate) telling: &'a Traces<'a>,
}

impl NodeSelection<'_> {
    /// Whether this is the day that goes as a whole.
    fn is_day(&self, period: Option<Period>) -> bool {
        self.day.is_some() && period == self.day.map(Period::Day)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NodeChange {
    /// it goes; where it has sources left, the next run makes it again
    Removed,
    /// it stays without some of its text
    Shorter { file: Vec<u8>, lines: Vec<(usize, String)> },
}

/// Whether a node is, to the byte, what the program made of sources that are all there.
pub(crate) fn is_remade(file: &[u8], is_there: &dyn Fn(&str) -> bool) -> bool {
    let facts = NodeFacts::of(file);
    let document = Document::parse(file);
    let sources = document.line("source-files").unwrap_or_default();
    let sources = sources.split(['[', ']', ',']).map(|name| name.trim().trim_matches(['"', '\'']));
    let mut sources = sources.filter(|name| name.contains('/')).peekable();
    facts.is_as_written() && !facts.kept && sources.peek().is_some() && sources.all(is_there)
}

/// What becomes of a node whose hash is `was` and of which nothing stays, or that is to be made again. Where clones
/// share the memory it is left empty: a file that one side removed and the other changed is a conflict of git's, which
/// asks no driver.
pub(crate) fn emptied(was: u64, shared: bool) -> Change {
    if shared { Change::Replace { was, with: Vec::new() } } else { Change::Delete { was } }
}

/// What goes of a daily node that is the last copy of its log: its entries and turns.
pub(crate) fn gone(file: &[u8], day: NaiveDate, goes: Selection<'_>) -> Vec<Gone> {
    let body = Document::parse(file).body();
    if extract::is_announced_in(body) && !matches!(goes, Selection::All) {
        return Vec::new();
    }
    cut::cut(body, day, goes).map(|cut| cut.gone).unwrap_or_default()
}

/// A node of a period without what goes. `None` where it says nothing of it.
pub(crate) fn without(
    file: &[u8],
    period: Option<Period>,
    ask: &NodeSelection<'_>,
) -> Option<NodeChange> {
    if ask.is_day(period) {
        return Some(NodeChange::Removed);
    }
    let is_machines = NodeFacts::of(file).is_as_written();
    let document = Document::parse(file);
    let (body, mut lines) = if is_machines {
        copy_without(document.body(), period, ask)?
    } else {
        theirs_without(document.body(), ask).or_else(|| {
            // The head alone may name it.
            (topics_without(file, ask).is_some()).then(|| (document.body().to_vec(), Vec::new()))
        })?
    };
    let above = memchr::memchr_iter(b'\n', document.above_body()).count();
    for (number, _) in &mut lines {
        *number += above;
    }
    if body.trim_ascii().is_empty() {
        return Some(NodeChange::Removed);
    }
    let mut shorter = with_body(file, &body);
    if let Some(topics) = topics_without(&shorter, ask) {
        shorter = with_key(&shorter, "topics", &topics);
    }
    if is_machines {
        shorter = as_written(&shorter);
    }
    Some(NodeChange::Shorter { file: shorter, lines })
}

/// The `topics` of a head without those that tell. `None` where none does.
fn topics_without(file: &[u8], ask: &NodeSelection<'_>) -> Option<String> {
    let topics = Document::parse(file).line("topics")?.trim();
    ask.telling.cut(topics.as_bytes(), 0..topics.len())?;
    let kept = topics
        .split("], ")
        .map(|topic| if topic.ends_with(']') { topic.to_owned() } else { format!("{topic}]") });
    let kept: Vec<String> =
        kept.filter(|topic| ask.telling.cut(topic.as_bytes(), 0..topic.len()).is_none()).collect();
    let kept = kept.join(", ");
    // What is left of a list in quotes may be none any more.
    let pairs = |quote: char| kept.matches(quote).count().is_multiple_of(2);
    let is_list = pairs('\'') && pairs('"');
    let says = ask.telling.cut(kept.as_bytes(), 0..kept.len()).is_some();
    Some(if kept.is_empty() || !is_list || says { "[]".to_owned() } else { kept })
}

type Lines = Vec<(usize, String)>;

/// A text that is a copy of logs, or of nodes under their periods, some of it perhaps kept above the line that says so.
fn copy_without(
    body: &[u8],
    period: Option<Period>,
    ask: &NodeSelection<'_>,
) -> Option<(Vec<u8>, Lines)> {
    if let Some((kept, below)) = last_copy::split(body) {
        let above = last_copy::text(kept);
        let (top, bottom) = (copy_without(above, period, ask), copy_without(below, period, ask));
        if top.is_none() && bottom.is_none() {
            return None;
        }
        let (mut text, mut lines) = match top {
            Some((text, lines)) => (last_copy::marked(&text), lines),
            None => (kept.to_vec(), Vec::new()),
        };
        let (below, more) = bottom.unwrap_or_else(|| (below.to_vec(), Vec::new()));
        let offset = memchr::memchr_iter(b'\n', kept).count();
        lines.extend(more.into_iter().map(|(number, line)| (number + offset, line)));
        text.extend_from_slice(&below);
        return Some((text, lines));
    }
    let mut left = Left::default();
    for (label, part) in parts(body) {
        let text = &body[part.clone()];
        let above = memchr::memchr_iter(b'\n', &body[..part.start]).count();
        if ask.is_day(label) {
            left.goes(once((above + 1, first_line(&lossy(text)))));
            continue;
        }
        let is_extract = extract::is_announced_in(text);
        let cut = match label.or(period) {
            Some(Period::Day(day)) if !is_extract => cut::cut(text, day, ask.goes),
            _ => None,
        };
        let Some(cut) = cut else {
            left.stays(text, above, ask.telling);
            continue;
        };
        let told = cut.gone.iter().filter(|gone| !gone.text.is_empty());
        left.goes(told.map(|gone| (above + 1, first_line(&gone.text))));
        left.stays(&cut.bytes, above, ask.telling);
    }
    left.changed()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// A text that somebody wrote: the lines, and what it carries under a day that goes.
fn theirs_without(body: &[u8], ask: &NodeSelection<'_>) -> Option<(Vec<u8>, Lines)> {
    let mut left = Left::default();
    for (label, part) in parts(body) {
        let above = memchr::memchr_iter(b'\n', &body[..part.start]).count();
        let text = &body[part];
        if ask.is_day(label) {
            let each = lossy(text);
            let each = each.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            left.goes(each.map(|(index, line)| (above + index + 1, line.trim().to_owned())));
        } else {
            left.stays(text, above, ask.telling);
        }
    }
    left.changed()
}

/// What is left of a body so far, and the lines that went.
#[derive(Default)]
struct Left {
    bytes: Vec<u8>,
    lines: Lines,
    changed: bool,
}

impl Left {
    fn goes(&mut self, lines: impl IntoIterator<Item = (usize, String)>) {
        self.changed = true;
        self.lines.extend(lines);
    }

    /// Takes a text, so many lines of the body `above` it, without the lines of it that tell.
    fn stays(&mut self, text: &[u8], above: usize, telling: &Traces<'_>) {
        match telling.cut(text, 0..text.len()) {
            Some(cut) => {
                self.goes(cut.lines.into_iter().map(|(number, line)| (number + above, line)));
                self.bytes.extend_from_slice(&cut.bytes);
            }
            None => self.bytes.extend_from_slice(text),
        }
    }

    fn changed(self) -> Option<(Vec<u8>, Lines)> {
        self.changed.then_some((self.bytes, self.lines))
    }
}

/// The parts of a body under their `# PERIOD` lines, and what is above the first one.
fn parts(body: &[u8]) -> Vec<(Option<Period>, Range<usize>)> {
    let mut parts = vec![(None, 0..0)];
    for line in cut::ranges(body, 0..body.len()) {
        let text = std::str::from_utf8(&body[line.clone()]).unwrap_or_default();
        match text.trim_end().strip_prefix("# ").and_then(Period::read) {
            Some(period) => parts.push((Some(period), line)),
            None => parts.last_mut().expect("the first one has no period").1.end = line.end,
        }
    }
    parts.retain(|(_, part)| !part.is_empty());
    parts
}
