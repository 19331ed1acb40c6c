//! ROOT.md once a model or a person has written it: theirs for good. Lines that still stand as the machine wrote them stay
//! the machine's; of the others only ages change.

use std::collections::{HashMap, VecDeque};

use chrono::NaiveDate;

use super::facts::RootCache;
use super::lines;
use super::mentions::{Mentions, last_mentions};
use super::names::fold;
use super::ours::{self, Ours, Section, may_be, word};
use super::room::{self, Frame, begins};
use super::subjects::Subjects;
use super::tags::IndexLine;
use crate::markdown::heading::opens_section;
use crate::markdown::page::Page;
use crate::memory::tokens::{Cost, cost};

/// Our new lines stand below this one, at the end of the Topics Index.
const ADDED: &str = "<!-- hipocampus:added -->";

/// A body of theirs with our lines in it.
pub(super) struct Merged {
    pub(super) body: String,
    /// the day of the ages in it
    pub(super) day: NaiveDate,
    /// our lines
    pub(super) ours: Ours,
    pub(super) shown: usize,
    pub(super) not_shown: usize,
    /// user and feedback topics among those that are not shown
    pub(super) rules_not_shown: usize,
}

/// Brings a body up to date. `ours` are the lines the machine wrote last, `updated` is the day of the ages that stand
/// in it.
pub(super) fn merge(
    body: &str,
    cache: &RootCache,
    frame: Frame,
    ours: Option<&Ours>,
    updated: Option<NaiveDate>,
) -> Merged {
    // A byte order mark is no part of a line, and stays the user's.
    let (mark, text) = body.split_at(body.len() - body.trim_start_matches('\u{feff}').len());
    let frame = Frame { head: frame.head + cost(mark), ..frame };
    let merged = merge_text(text, cache, frame, ours, updated);
    Merged { body: format!("{mark}{}", merged.body), ..merged }
}

fn merge_text(
    body: &str,
    cache: &RootCache,
    frame: Frame,
    ours: Option<&Ours>,
    updated: Option<NaiveDate>,
) -> Merged {
    let subjects = Subjects::new(cache, frame.today);
    let page = Page::read(body);
    let standing = Standing::of(&page, ours);
    let theirs: String = standing.of_theirs(&page).collect();
    let (theirs, day) = refresh(&theirs, &subjects, frame.today, updated);
    let shared = standing.shared(ours);
    let spare =
        cost(&format!("\n{ADDED}\n")) + ours::price(1) + ours::THEIRS_PRICE + last_line_cost();
    let left = frame.cap - frame.head - cost(&theirs) - spare;
    let wanted = Section::ALL.map(|section| {
        shared[section as usize]
            && (section == Section::Index || standing.found[section as usize].0)
    });
    let ask = room::Ask {
        subjects: &subjects,
        frame,
        taken: cost(&theirs),
        left,
        wanted,
        theirs: &theirs,
    };
    let mut fresh = room::lines(&ask, &standing.heads);
    let mut ours = Ours(shared.map(|shared| shared.then(Vec::new)));
    let mut body = put_back(&page, &standing, &theirs, &mut fresh, &mut ours);
    // Our lines took over the missing line end of the last line of theirs.
    let drops_last = standing.lines.last().is_some_and(|line| *line != Whose::Theirs);
    if drops_last && !page.bytes.ends_with(b"\n") {
        body.truncate(body.trim_end_matches('\n').trim_end_matches('\r').len());
    }
    let mut added: Vec<String> = fresh[Section::Index as usize].drain(..).collect();
    let index = ours.0[Section::Index as usize].get_or_insert_default();
    index.extend(added.iter().map(|line| word(line)));
    let (not_shown, rules_not_shown) =
        not_shown(&subjects, &format!("{body}\n{}", added.join("\n")));
    if theirs.lines().any(|line| lines::is_not_shown(line.trim_end())) {
        body = recount(&body, not_shown);
    } else if left > Cost::default() {
        added.extend(lines::not_shown(not_shown));
    }
    let body = with_added(&body, &added);
    let shown = subjects.topics.len() - not_shown;
    Merged { body, day, ours, shown, not_shown, rules_not_shown }
}

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    Theirs,
    /// the machine's, where it stands
    Ours,
    /// the marker, and what the machine wrote below it: made again every time
    Added,
}

/// What stands in a page.
struct Standing {
    lines: Vec<Whose>,
    /// the section of each line
    sections: Vec<Option<Section>>,
    /// by section, what their lines begin with
    heads: [Vec<String>; 4],
    /// by section: whether it is there, whether a line of ours stands in it, whether they wrote into it
    found: [(bool, bool, bool); 4],
}

impl Standing {
    fn of(page: &Page<'_>, ours: Option<&Ours>) -> Self {
        let mut words = ours.map(Ours::words).unwrap_or_default();
        let mut standing = Self {
            lines: Vec::with_capacity(page.lines.len()),
            sections: Vec::with_capacity(page.lines.len()),
            heads: Default::default(),
            found: Default::default(),
        };
        let (mut section, mut below) = (None, false);
        for line in &page.lines {
            let heading = !line.code && opens_section(line.text);
            if heading {
                (section, below) = (Section::of(line.text), false);
            }
            let marker = !line.code && line.text.trim() == ADDED;
            below |= marker;
            let ours = !line.code
                && may_be(line.text)
                && words.get_mut(&*word(line.text)).is_some_and(|left| {
                    let is_ours = *left > 0;
                    *left -= usize::from(is_ours);
                    is_ours
                });
            // The count of the last line is no text either, below the marker.
            let counted = below && lines::is_not_shown(line.text.trim_end());
            let whose = match (marker || counted, ours) {
                (true, _) => Whose::Added,
                (_, true) if below => Whose::Added,
                (_, true) => Whose::Ours,
                _ => Whose::Theirs,
            };
            if let Some(section) = section {
                let (there, stands, wrote) = &mut standing.found[section as usize];
                *there |= heading;
                *stands |= ours;
                let says =
                    !line.text.trim().is_empty() && !line.text.trim_start().starts_with("<!--");
                if whose == Whose::Theirs && !heading && says {
                    *wrote = true;
                    standing.heads[section as usize].push(begins(line.text));
                }
            }
            standing.lines.push(whose);
            standing.sections.push(section);
        }
        standing
    }

    fn of_theirs<'a>(&'a self, page: &'a Page<'_>) -> impl Iterator<Item = &'a str> {
        let lines = page.lines.iter().zip(&self.lines);
        lines
            .filter(|(_, whose)| **whose == Whose::Theirs)
            .map(|(line, _)| page.text(line.range.clone()))
    }

    /// The sections in which the machine goes on writing: the index always; another one where lines of its stand, or none
    /// at all do. One of which somebody replaced every line is theirs from then on.
    fn shared(&self, ours: Option<&Ours>) -> [bool; 4] {
        Section::ALL.map(|section| {
            let (there, stands, wrote) = self.found[section as usize];
            let before = ours.map(|ours| ours.0[section as usize].as_ref());
            section == Section::Index
                || match before {
                    Some(None) => false,
                    Some(Some(words)) => stands || words.is_empty() || !wrote,
                    None => there && !wrote,
                }
        })
    }
}

/// Their lines and, in the places of ours, what we have to say now. What has no place yet stands in front of our first
/// line of its section, or below the heading; that of the index is left for the end of it.
fn put_back(
    page: &Page<'_>,
    standing: &Standing,
    theirs: &str,
    fresh: &mut [VecDeque<String>; 4],
    ours: &mut Ours,
) -> String {
    let mut out = String::with_capacity(page.bytes.len() + 1024);
    let mut rest = theirs;
    let mut in_place = places(page, standing, fresh);
    for (at, whose) in standing.lines.iter().enumerate() {
        let section = standing.sections[at];
        let mut put = |out: &mut String, line: &str| {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push_str(page.eol);
            }
            out.push_str(line);
            out.push_str(page.eol);
            let group = &mut ours.0[section.unwrap_or(Section::Index) as usize];
            group.get_or_insert_default().push(word(line));
        };
        let mut new = |out: &mut String| {
            let Some(section) = section.filter(|section| *section != Section::Index) else {
                return;
            };
            fresh[section as usize].drain(..).for_each(|line| put(out, &line));
        };
        match whose {
            Whose::Theirs => {
                let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                let heading = !page.lines[at].code && opens_section(page.lines[at].text);
                let ours_follow = (at + 1..standing.lines.len())
                    .take_while(|next| standing.sections[*next] == section)
                    .any(|next| standing.lines[next] == Whose::Ours);
                if heading && !ours_follow {
                    new(&mut out);
                }
            }
            Whose::Ours => {
                new(&mut out);
                if let Some(line) = in_place.remove(&at) {
                    put(&mut out, &line);
                }
            }
            Whose::Added => {}
        }
    }
    out
}

/// What we say now about what a line of ours is about, by the number of that line. Taken out of `fresh`. Of several that
/// begin alike, the same line stays first, then one of the same type: else two of them change places with every run.
fn places(
    page: &Page<'_>,
    standing: &Standing,
    fresh: &mut [VecDeque<String>; 4],
) -> HashMap<usize, String> {
    let mut places = HashMap::new();
    let alike: [fn(&str) -> String; 3] =
        [str::to_owned, |line| line.split(',').next().unwrap_or(line).to_owned(), begins];
    for about in alike {
        for (at, whose) in standing.lines.iter().enumerate() {
            if *whose != Whose::Ours || places.contains_key(&at) {
                continue;
            }
            let old = about(page.lines[at].text);
            let groups = match standing.sections[at] {
                Some(section) => section as usize..section as usize + 1,
                None => 0..4,
            };
            for group in groups {
                if let Some(found) = fresh[group].iter().position(|line| about(line) == old) {
                    places.extend(fresh[group].remove(found).map(|line| (at, line)));
                    break;
                }
            }
        }
    }
    places
}

fn last_line_cost() -> Cost {
    lines::not_shown(999_999_999).map_or_else(Cost::default, |line| cost(&line) + cost("\n"))
}

/// How many topics a text does not name, and how many of these are about the user.
fn not_shown(subjects: &Subjects<'_>, text: &str) -> (usize, usize) {
    let mentions = Mentions::of(text);
    let names = &subjects.cache.names;
    let hidden = subjects.topics.iter().enumerate().filter(|(at, topic)| {
        let gist = subjects.gist(*at);
        !mentions.say(names.text(names.folded(topic.name)))
            && (gist.is_empty() || !mentions.say(&fold(gist)))
    });
    hidden.fold((0, 0), |(all, rules), (_, topic)| (all + 1, rules + usize::from(topic.is_kept())))
}

/// The body with our lines at the end of the Topics Index, or at its own end where there is none.
fn with_added(theirs: &str, added: &[String]) -> String {
    if added.is_empty() {
        return theirs.to_owned();
    }
    let page = Page::read(theirs);
    let index = page.positions(|line| line.text.starts_with(lines::INDEX)).last();
    let end = index.map_or(page.lines.len(), |index| page.end_of_section(index));
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
                // What stands around the line's text, as its line ending, stays.
                let whole = page.text(line.range.clone());
                let at = whole.find(line.text).unwrap_or(0);
                out.push_str(&whole[..at]);
                out.push_str(&found.with_age(line.text, age));
                out.push_str(&whole[at + line.text.len()..]);
            }
            _ => out.push_str(page.text(line.range.clone())),
        }
    }
    (out, day)
}

/// The last line of a page that was the machine's once tells a number; keep it true.
fn recount(body: &str, not_shown: usize) -> String {
    let page = Page::read(body);
    let mut out = String::with_capacity(body.len());
    for line in &page.lines {
        let whole = page.text(line.range.clone());
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
