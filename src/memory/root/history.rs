//! The Historical Summary: what happened when, finer the nearer.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::ops::Deref;
use std::rc::Rc;

use chrono::Datelike as _;

use super::board::Board;
use super::cover::{cover, far};
use super::gaps;
use super::history_lines::{HistoryLines, before_line};
use super::lines::{Span, short};
use super::subjects::Entry;
use super::themes::{Theme, Unit, theme};
use super::told::Told;
use crate::memory::period::Week;
use crate::memory::tokens::{Cost, cost};
use crate::order::InOrder as _;

/// Up to so many days before the newest entry, each day has a line; up to the next, each week; beyond, what `far` says.
const DAY_LINES: u32 = 30;
const WEEK_LINES: u32 = 365;
/// Where lines are of subjects, every day has one if there are so many tokens for each.
const TOKENS_A_DAY: u32 = 20;
/// Where each entry speaks for itself, the newest days have one as far as so many tokens are left for every entry beside the
/// dates, or as these take at most so many percent of the room: readers open days, and one word that leads to a day is worth
/// more than several that lead to its week.
const WORDS_OF_AN_ENTRY: u32 = 4;
const DATES: u32 = 15;
/// With so many for every entry, what notes say is said in sentences, and a half-life is twice as long; with so many, whole
/// sentences are said.
const SENTENCES: u32 = 10;
const AT_LENGTH: u32 = 50;
/// The least and the most that a sentence may take there, and what is for the words beside it.
const SENTENCE: (Cost, Cost) = (Cost::tokens(14), Cost::tokens(24));
const WORDS: Cost = Cost::tokens(8);
/// No entry weighs less than this, in 1/1024, and no stretch of them less than that.
const FLOOR: u64 = 154;
const FLOOR_OF_MANY: u64 = 512;
/// The least and the most that the size of a source makes of its turns, in eighths.
const SHARE: (u64, u64) = (7, 12);
/// Tokens a month, and the most percent of the room, that are kept for what is too long ago to have its turn.
const FAR: (u32, u32) = (16, 20);
/// Of the turns a sentence counts for, this part passes before its own: else an entry that is short of words would say one
/// before others say their fifth word.
const WAITING: usize = 4;
/// Later than any turn that does not wait.
const LAST: u64 = u64::MAX / 2;
/// The most items of one entry.
const ITEMS: usize = 40;

/// Entries that take turns as one.
struct Source {
    /// newest first
    entries: Vec<usize>,
    span: Span,
    /// days before the newest entry of all
    distance: u32,
    /// how much was said, in eighths of what is said on average
    share: u64,
}

/// What sources say, for the pages that are tried beside each other: until the summary has its lines, that depends on
/// nothing else than this.
pub(super) type Sayings = HashMap<(usize, Manner), Rc<[Unit]>>;

/// What a source has to say.
enum Units {
    /// a single entry
    Entry(Rc<[Unit]>),
    Theme(Rc<RefCell<Theme>>),
}

impl Units {
    /// The unit of a turn, and how many turns the one behind it counts for.
    fn at(&self, board: &Board<'_, '_>, turn: usize) -> Option<(UnitOf<'_>, usize)> {
        match self {
            Self::Entry(units) => {
                let next = units.get(turn + 1).map_or(0, |next| next.turns);
                Some((UnitOf::Entry(units.get(turn)?), next))
            }
            // Each of its units takes one turn.
            Self::Theme(theme) => Some((UnitOf::Theme(theme.borrow_mut().unit(board, turn)?), 1)),
        }
    }
}

enum UnitOf<'u> {
    Entry(&'u Unit),
    Theme(Rc<Unit>),
}

impl Deref for UnitOf<'_> {
    type Target = Unit;

    fn deref(&self) -> &Unit {
        match self {
            Self::Entry(unit) => unit,
            Self::Theme(unit) => unit,
        }
    }
}

/// How a source of one entry is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Manner {
    at_length: bool,
    of_a_day: bool,
    told: Told,
}

/// The lines, newest first, with as many days on lines of their own as leads to most days: where words are long, dates may
/// take the room that other days need. `spare` of the room is there for words alone, not for dates.
pub(super) fn lines(
    board: &mut Board<'_, '_>,
    cap: Cost,
    spare: Cost,
    sayings: &mut Sayings,
) -> Vec<String> {
    let titled = board.subjects.titled_percent() > 50;
    let mut best: Option<(i64, Board<'_, '_>, Vec<String>)> = None;
    for daily in days_with_lines(board, titled, spare) {
        let mut page = board.clone();
        let lines = lines_by_day(&mut page, cap, (titled, daily), sayings);
        let (found, most) = gaps::found(&page);
        if best.as_ref().is_some_and(|(before, ..)| found <= *before) {
            break;
        }
        best = Some((found, page, lines));
        if found == most {
            break;
        }
    }
    let Some((_, page, lines)) = best else { return Vec::new() };
    *board = page;
    lines
}

/// The lines where each of the days up to `daily` before the newest entry has one. Every source says its best before any says
/// its second, older ones less often.
fn lines_by_day(
    board: &mut Board<'_, '_>,
    cap: Cost,
    (titled, daily): (bool, u32),
    sayings: &mut Sayings,
) -> Vec<String> {
    let subjects = board.subjects;
    let entries = u32::try_from(subjects.entries.len()).unwrap_or(u32::MAX);
    let room_for = |each: u32| board.left >= Cost::tokens(each.saturating_mul(entries));
    let told = if room_for(SENTENCES) {
        let each = Cost(board.left.0 / entries.max(1));
        Told::Sentences((each - WORDS).clamp(SENTENCE.0, SENTENCE.1))
    } else {
        Told::WordsFirst(SENTENCE.1)
    };
    let at_length = room_for(AT_LENGTH);
    let half_life = (cap.to_tokens() * 12 / 100).clamp(90, 365);
    // Where every entry has its say, age counts less.
    let half_life = if room_for(SENTENCES) { half_life * 2 } else { half_life };
    let mut sources = sources(board, daily, titled);
    share_by_size(board, &mut sources);
    let mut units = HashMap::new();
    let year = name_of_year(board);
    board.left = board.left - cost(&year);
    let mut covered = if titled { Cost::default() } else { reserve(board) };
    board.left = board.left - covered;
    let mut queue: BinaryHeap<Reverse<(u64, usize, usize, usize)>> = BinaryHeap::new();
    for (at, source) in sources.iter().enumerate() {
        queue.push(Reverse((source.priority(0, half_life), at, 0, 0)));
    }
    let mut spoken = HistoryLines::new();
    let mut refused = 0;
    let mut lines: Vec<(usize, String)> = Vec::new();
    loop {
        let is_full = refused > 200 || board.left < Cost(150);
        let next = if is_full { None } else { queue.pop() };
        let Some(Reverse((when, at, turn, spent))) = next else {
            if covered == Cost::default() {
                break;
            }
            // Days that nothing leads to get a line a month, then the rest goes on as before.
            board.left += covered;
            covered = Cost::default();
            refused = 0;
            lines.extend(cover(board));
            continue;
        };
        let source = &sources[at];
        let has_line = board.spans.contains(&source.span);
        if has_line && !spoken.has_line(source.span) {
            // `cover` wrote it, for all of its days.
            continue;
        }
        let list = units.entry(at).or_insert_with(|| match source.entries[..] {
            [at] if !titled => {
                let of_a_day = matches!(source.span, Span::Day(_));
                let manner = Manner { at_length, of_a_day, told };
                let said =
                    sayings.entry((at, manner)).or_insert_with(|| said_by(board, at, manner));
                Units::Entry(Rc::clone(said))
            }
            ref group => Units::Theme(theme(board, group, matches!(source.span, Span::Day(_)))),
        });
        let Some((unit, next)) = list.at(board, turn) else { continue };
        // No day is without a line for want of words.
        let has_line = has_line
            || source.entries.iter().any(|at| board.pointed.contains(&subjects.entries[*at].day));
        if unit.waits && when < LAST && has_line {
            queue.push(Reverse((when + LAST, at, turn, spent)));
            continue;
        }
        let spent = spent + unit.turns;
        let next = next / WAITING;
        queue.push(Reverse((source.priority(spent + next, half_life), at, turn + 1, spent)));
        if !spoken.hear(board, source.span, at, &unit) {
            refused += 1;
        }
    }
    lines.extend(spoken.lines(board).map(|(source, line)| (sources[source].entries[0], line)));
    lines.order();
    let begins = |(at, line): &&mut (usize, String)| {
        let day = subjects.entries[*at].day;
        day.year() == subjects.year() && line[MARK.len()..].starts_with(&short(day))
    };
    if let Some((_, line)) = lines.iter_mut().find(begins) {
        line.insert_str(MARK.len(), &year);
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// How a line begins.
const MARK: &str = "- ";

/// What the first of the days that are named without their year has before it, where that is not the current one.
fn name_of_year(board: &Board<'_, '_>) -> String {
    let year = board.subjects.year();
    if year == board.subjects.today.year() { String::new() } else { format!("{year:04}-") }
}

/// Up to how many days before the newest entry each day may have a line, the most first.
fn days_with_lines(board: &Board<'_, '_>, titled: bool, spare: Cost) -> Vec<u32> {
    let (subjects, room) = (board.subjects, board.left - spare);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    if titled {
        let wanted = Cost::tokens(TOKENS_A_DAY.saturating_mul(number(subjects.days().count())));
        return vec![if wanted <= room { u32::MAX } else { DAY_LINES }];
    }
    let words = WORDS_OF_AN_ENTRY.saturating_mul(number(subjects.entries.len()));
    let dates = (room - Cost::tokens(words)).max(room.share(DATES));
    let mut spent = Cost::default();
    let newest = subjects.days().take_while(|day| {
        spent += before_line(board, Span::Day(day[0].day));
        spent <= dates
    });
    let distances: Vec<u32> = newest.map(|day| subjects.distance(&day[0])).collect();
    let up_to = |count: usize| distances[..count].last().map_or(0, |last| *last).max(DAY_LINES);
    let all = distances.len();
    let mut found = [all, all * 3 / 4, all / 2, all / 4, 0].map(up_to).to_vec();
    found.dedup();
    found
}

/// What is kept for the months that are too long ago to have their turn.
fn reserve(board: &Board<'_, '_>) -> Cost {
    let entries = board.subjects.entries.iter();
    let old = entries.map(|entry| (entry, board.subjects.distance(entry)));
    let old = old.filter(|(_, distance)| *distance > WEEK_LINES / 2);
    let months: BTreeSet<Span> = old.map(|(entry, distance)| far(entry, distance)).collect();
    let wanted = u32::try_from(months.len()).unwrap_or(u32::MAX).saturating_mul(FAR.0);
    Cost::tokens(wanted).min(board.left.share(FAR.1))
}

/// Each entry by itself, because the words of a conversation have to lead to its day. Where entries are titled, those
/// that share a line together: of forty titles a week nobody wants one word each, but what they were about.
fn sources(board: &Board<'_, '_>, daily: u32, titled: bool) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for (at, entry) in board.subjects.entries.iter().enumerate() {
        // A rule stands in the index, and its line leads to the day.
        let is_kept = entry.topic.is_some_and(|topic| board.subjects.topics[topic].is_kept());
        if board.active.contains(&at) || (is_kept && board.pointed.contains(&entry.day)) {
            continue;
        }
        let distance = board.subjects.distance(entry);
        let span = span(entry, distance, daily);
        match sources.last_mut() {
            Some(last) if titled && last.span == span => last.entries.push(at),
            _ => sources.push(Source { entries: vec![at], span, distance, share: 8 }),
        }
    }
    for line in sources.chunk_by_mut(|a, b| a.span == b.span) {
        let entries = line.iter().flat_map(|source| &source.entries);
        if let Some(day) = board.subjects.only_day(entries) {
            for source in line {
                source.span = Span::Day(day);
            }
        }
    }
    sources
}

/// A conversation of a whole day has more to tell than one of three turns.
fn share_by_size(board: &Board<'_, '_>, sources: &mut [Source]) {
    let entries = &board.subjects.entries;
    let size = |source: &Source| -> u64 {
        source.entries.iter().map(|at| u64::from(entries[*at].terms.count())).sum()
    };
    let all: u64 = sources.iter().map(size).sum();
    let mean = (all / (sources.len() as u64).max(1)).max(1);
    for source in sources {
        source.share = (size(source) * 8 / mean).clamp(SHARE.0, SHARE.1);
    }
}

/// What an entry has to say, best first.
fn said_by(board: &Board<'_, '_>, at: usize, manner: Manner) -> Rc<[Unit]> {
    let Manner { at_length, of_a_day, told } = manner;
    let mut units: Vec<Unit> = if at_length {
        let items = board.told_at_length(at).into_iter();
        items.map(|item| Unit::of(at, item)).collect()
    } else {
        board.told(at, ITEMS, if of_a_day { told } else { Told::Words })
    };
    let asides = if at_length || !of_a_day { Vec::new() } else { board.asides(at) };
    units.extend(asides.into_iter().map(|item| Unit { waits: true, ..Unit::of(at, item) }));
    units.into()
}

impl Source {
    /// When the `turn`th unit has its turn: the lower, the earlier. More entries have more to say.
    fn priority(&self, turn: usize, half_life: u32) -> u64 {
        let whole = self.distance / half_life;
        let part = f64::from(self.distance % half_life) / f64::from(half_life);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 512 and 1024"
        )]
        let weight = (1024.0 * (-part).exp2()).round() as u64;
        let floor = if self.entries.len() > 1 { FLOOR_OF_MANY } else { FLOOR };
        let weight = weight.checked_shr(whole).unwrap_or(0).max(floor);
        let weight = weight * u64::from(4 + self.entries.len().ilog2()) / 4 * self.share / 8;
        (turn as u64 + 1) * 1024 * 1024 / weight
    }
}

fn span(entry: &Entry<'_>, distance: u32, daily: u32) -> Span {
    match distance {
        _ if distance <= daily => Span::Day(entry.day),
        _ if distance <= WEEK_LINES => Span::Week(Week::of(entry.day)),
        _ => far(entry, distance),
    }
}
