//! What the machine has to say beside somebody else's text, as far as there is room for it.

use std::collections::{HashSet, VecDeque};

use chrono::NaiveDate;

use super::build::{self, Order};
use super::mentions::Mentions;
use super::names::fold;
use super::ours::{self, Section, may_be};
use super::subjects::Subjects;
use super::tags::IndexLine;
use crate::markdown::page::Page;
use crate::memory::entry::EntryType;
use crate::memory::tokens::{Cost, cost};

/// The day, and what the file may take.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) today: NaiveDate,
    pub(super) cap: Cost,
    /// what the head takes, `lines-of-machine` left out
    pub(super) head: Cost,
}

/// What is asked for.
pub(super) struct Ask<'a> {
    pub(super) subjects: &'a Subjects<'a>,
    pub(super) frame: Frame,
    /// what their text takes
    pub(super) taken: Cost,
    /// what is left for lines of ours
    pub(super) left: Cost,
    /// the sections in which the machine writes
    pub(super) wanted: [bool; 4],
    pub(super) theirs: &'a str,
}

/// How much more than there is room for is written, to choose from where others wrote most sections.
const MORE: u32 = 4;

/// The lines of each section. `heads` is what their own lines begin with: nothing is said a second time.
pub(super) fn lines(ask: &Ask<'_>, heads: &[Vec<String>; 4]) -> [VecDeque<String>; 4] {
    let Frame { cap, head, .. } = ask.frame;
    let mentions = Mentions::of(ask.theirs);
    let active = ask.wanted[Section::Active as usize];
    let of_page = |cap: Cost| {
        let text = build::build(
            ask.subjects,
            Order { cap, head: head + ask.taken + ours::price(1), active },
        );
        fitting(ask, unsaid(ask, &text.body, heads, &mentions))
    };
    let (lines, used) = of_page(cap);
    if used >= ask.left.share(75) {
        return lines;
    }
    let (more, used_then) = of_page(cap + Cost(ask.left.0.saturating_mul(MORE - 1)));
    if used_then > used { more } else { lines }
}

/// The lines of a page of the machine's in sections it shares, without those that their text has already.
fn unsaid(
    ask: &Ask<'_>,
    body: &str,
    heads: &[Vec<String>; 4],
    mentions: &Mentions,
) -> [Vec<String>; 4] {
    let page = Page::read(body);
    let mut found: [Vec<String>; 4] = Default::default();
    let mut section = None;
    for line in &page.lines {
        if line.text.starts_with("## ") {
            section = Section::of(line.text);
            continue;
        }
        let Some(section) = section.filter(|section| ask.wanted[*section as usize]) else {
            continue;
        };
        let about = begins(line.text);
        let said = heads[section as usize].contains(&about)
            || section == Section::Index && {
                let topic = IndexLine::parse(line.text).map(|line| fold(line.topic));
                mentions.say(&topic.unwrap_or(about))
            };
        if may_be(line.text) && !said {
            found[section as usize].push(line.text.to_owned());
        }
    }
    found
}

/// As many of the lines as there is room for: what is about the user first, history last.
fn fitting(ask: &Ask<'_>, lines: [Vec<String>; 4]) -> ([VecDeque<String>; 4], Cost) {
    let mut room = ask.left;
    let mut take = |line: &str| {
        let price = cost(line) + cost("\n") + cost("abcd");
        let fits = price <= room;
        if fits {
            room = room - price;
        }
        fits
    };
    let [active, patterns, history, index] = lines;
    let rules: HashSet<usize> = (0..index.len()).filter(|at| is_rule(&index[*at])).collect();
    let mut taken: Vec<Option<String>> = vec![None; index.len()];
    for (at, line) in index.iter().enumerate().filter(|(at, _)| rules.contains(at)) {
        // Of what is about the user the name stands where the rest has no room.
        let name = IndexLine::parse(line).map(|line| format!("- {}", line.topic));
        taken[at] = [Some(line.clone()), name].into_iter().flatten().find(|line| take(line));
    }
    let mut some = |lines: Vec<String>| -> VecDeque<String> {
        lines.into_iter().filter(|line| take(line)).collect()
    };
    let (active, patterns) = (some(active), some(patterns));
    for (at, line) in index.into_iter().enumerate().filter(|(at, _)| !rules.contains(at)) {
        taken[at] = some(vec![line]).pop_front();
    }
    let history = some(history);
    let index = taken.into_iter().flatten().collect();
    ([active, patterns, history, index], ask.left - room)
}

/// Whether a line of the index is about the user: by its type, or because nothing but a name stands there.
fn is_rule(line: &str) -> bool {
    let kind = IndexLine::parse(line).map(|line| line.kind);
    kind.is_none_or(EntryType::is_about_user)
}

/// What a line is about, as far as one can tell without knowing its form: what stands in front of a tag, a colon or an
/// arrow.
pub(super) fn begins(line: &str) -> String {
    let text = line.trim_start().trim_start_matches(['-', '*', ' ']);
    let end = [" [", ":", " →"].iter().filter_map(|end| text.find(end)).min();
    fold(&text[..end.unwrap_or(text.len())])
}
