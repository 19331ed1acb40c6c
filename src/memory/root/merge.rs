//! ROOT.md once a model or a person has written it: theirs for good, kept in step by single lines.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use xxhash_rust::xxh3::xxh3_64;

use super::board::Board;
use super::facts::RootCache;
use super::mentions::{Mentions, last_mentions};
use super::names::fold;
use super::page::{self, Page};
use super::subjects::Subjects;
use super::tags::IndexLine;
use super::{index, kept, lines};
use crate::memory::tokens::{Cost, cost};

/// Our lines stand below this one, at the end of the Topics Index.
const ADDED: &str = "<!-- hipocampus:added -->";

/// A body of theirs with our lines in it.
pub(super) struct Merged {
    pub(super) body: String,
    /// the day of the ages in it
    pub(super) day: NaiveDate,
    /// hash of our lines
    pub(super) added: u64,
    pub(super) shown: usize,
    pub(super) not_shown: usize,
}

/// Brings a body up to date. `ours` is the hash of the lines we added last time, `updated` the day of the ages
/// that stand in it, `head` what the head costs.
pub(super) fn merge(
    body: &str,
    cache: &RootCache,
    today: NaiveDate,
    cap: Cost,
    head: Cost,
    ours: Option<u64>,
    updated: Option<NaiveDate>,
) -> Merged {
    let subjects = Subjects::new(cache, today);
    let theirs = without_added(body, ours);
    let (theirs, day) = refresh(&theirs, &subjects, today, updated);
    let mentions = Mentions::of(&theirs);
    let mut board = Board::new(&subjects, today, Cost::default());
    for (at, topic) in subjects.topics.iter().enumerate() {
        if mentions.say(cache.names.text(cache.names.folded(topic.name))) {
            board.show(at);
        }
    }
    board.mentions = Some(mentions);
    let own = cost(&theirs) + head;
    let spare = cost(&format!("\n{ADDED}\n")) + last_line_cost();
    board.left = cap - own - spare;
    let mut added = kept::lines_that_fit(&mut board);
    let room = board.left;
    added.extend(index::Index::new(&board).fill(&mut board, room));
    let not_shown = board.not_shown();
    let has_last_line = theirs.lines().any(|line| lines::is_not_shown(line.trim_end()));
    let theirs = if has_last_line { recount(&theirs, not_shown) } else { theirs };
    if !has_last_line
        && let Some(line) = lines::not_shown(not_shown)
        && own + spare <= cap
    {
        added.push(line);
    }
    let hash = hash_of(added.iter().map(String::as_str));
    let body = with_added(&theirs, &added);
    Merged { shown: subjects.topics.len() - not_shown, not_shown, added: hash, body, day }
}

fn last_line_cost() -> Cost {
    lines::not_shown(999_999_999).map_or_else(Cost::default, |line| cost(&line) + cost("\n"))
}

fn hash_of<'a>(lines: impl Iterator<Item = &'a str>) -> u64 {
    xxh3_64(lines.collect::<Vec<_>>().join("\n").as_bytes())
}

/// The body without the marker and the lines of ours below it. Lines below it that we did not write, or that somebody
/// changed, are theirs now and stay.
fn without_added(body: &str, ours: Option<u64>) -> String {
    let page = Page::read(body);
    let markers: Vec<usize> = page.positions(|line| line.trim() == ADDED).collect();
    let mut drop: HashSet<usize> = markers.iter().copied().collect();
    for marker in &markers {
        let end = page.positions(page::is_section_heading).find(|at| at > marker);
        let below = marker + 1..end.unwrap_or(page.lines.len());
        let found = below.clone().find_map(|start| {
            (start + 1..=below.end).find_map(|end| {
                let lines = page.lines[start..end].iter().map(|line| line.text);
                (Some(hash_of(lines)) == ours).then_some(start..end)
            })
        });
        if let Some(lines) = found {
            drop.extend(lines);
            break;
        }
    }
    let mut out = String::with_capacity(body.len());
    for (at, line) in page.lines.iter().enumerate() {
        if !drop.contains(&at) {
            out.push_str(&page.text[line.range.clone()]);
        }
    }
    // Our lines took over the missing line end of the last line of theirs.
    if drop.contains(&(page.lines.len().wrapping_sub(1))) && !body.ends_with('\n') {
        let line = out.trim_end_matches('\n').trim_end_matches('\r').len();
        out.truncate(line);
    }
    out
}

/// The body with our lines at the end of the Topics Index, or at its own end where there is none.
fn with_added(theirs: &str, added: &[String]) -> String {
    if added.is_empty() {
        return theirs.to_owned();
    }
    let page = Page::read(theirs);
    let index = page.positions(|line| line.starts_with(lines::INDEX)).last();
    let end = index
        .and_then(|index| page.positions(page::is_section_heading).find(|at| *at > index))
        .unwrap_or(page.lines.len());
    let last = page.lines[..end].iter().rposition(|line| !line.text.trim().is_empty());
    let at = last.map_or(0, |last| page.lines[last].range.end);
    let (before, after) = theirs.split_at(at);
    let mut out = String::with_capacity(theirs.len() + added.len() * 80);
    out.push_str(before);
    let open = !before.is_empty() && !before.ends_with('\n');
    let mut block = vec![ADDED];
    block.extend(added.iter().map(String::as_str));
    if open {
        out.push_str(page.eol);
        out.push_str(&block.join(page.eol));
    } else {
        for line in block {
            out.push_str(line);
            out.push_str(page.eol);
        }
    }
    out + after
}

/// Sets the age and the `?` of index lines. A topic no log mentions has grown older by the days since the last run,
/// younger if the clock was ahead then. If that made one younger than it can be, the clock is behind now:
/// such ages stay, and with them the day they are of, so that they are right again when the clock is.
/// Returns that day.
fn refresh(
    body: &str,
    subjects: &Subjects<'_>,
    today: NaiveDate,
    updated: Option<NaiveDate>,
) -> (String, NaiveDate) {
    let page = Page::read(body);
    let index_lines: Vec<Option<IndexLine<'_>>> = page
        .lines
        .iter()
        .map(|line| if line.code { None } else { IndexLine::parse(line.text) })
        .collect();
    let topics: Vec<String> = index_lines.iter().flatten().map(|line| fold(line.topic)).collect();
    let ages: HashMap<String, u32> = last_mentions(subjects, topics);
    let known = |found: &IndexLine<'_>| ages.get(&fold(found.topic)).copied();
    let older = |found: &IndexLine<'_>, days: Option<i64>| {
        u32::try_from(i64::from(found.age?).saturating_add(days?)).ok()
    };
    let elapsed = updated.map(|day| (today - day).num_days());
    let mut unknown = index_lines.iter().flatten().filter(|found| known(found).is_none());
    let too_young = |found: &IndexLine<'_>| found.age.is_some() && older(found, elapsed).is_none();
    let is_behind = elapsed.is_some_and(|days| days < 0) && unknown.any(too_young);
    let elapsed = if is_behind { Some(0) } else { elapsed };
    let day = updated.filter(|_| is_behind).unwrap_or(today);
    let mut out = String::with_capacity(body.len());
    for (line, index_line) in page.lines.iter().zip(index_lines) {
        let age =
            index_line.as_ref().and_then(|found| known(found).or_else(|| older(found, elapsed)));
        match (index_line, age) {
            (Some(found), Some(age)) => {
                // What stands around the line's text, a byte order mark or the line ending, stays.
                let whole = &page.text[line.range.clone()];
                let at = whole.find(line.text).unwrap_or(0);
                out.push_str(&whole[..at]);
                out.push_str(&found.with_age(line.text, age));
                out.push_str(&whole[at + line.text.len()..]);
            }
            _ => out.push_str(&page.text[line.range.clone()]),
        }
    }
    (out, day)
}

/// The last line of a page that was the machine's once tells a number; keep it true.
fn recount(body: &str, not_shown: usize) -> String {
    let page = Page::read(body);
    let mut out = String::with_capacity(body.len());
    for line in &page.lines {
        let whole = &page.text[line.range.clone()];
        if lines::is_not_shown(line.text.trim_end()) && !line.code {
            let text = lines::not_shown(not_shown)
                .unwrap_or_else(|| "0 topics not shown: `hipocampus topics`".to_owned());
            out.push_str(&whole.replacen(line.text.trim_end(), &text, 1));
        } else {
            out.push_str(whole);
        }
    }
    out
}
