//! The Historical Summary: what happened when, finer the nearer.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet};

use super::board::{Board, Item};
use super::lines::Span;
use super::recent::{Key, key};
use super::subjects::Entry;
use crate::memory::period::{Month, Week};
use crate::memory::tokens::{Cost, cost};

/// Up to this age in days, each day has a line; up to the next, each week; then each month; beyond, half a year.
const DAY_LINES: u32 = 30;
const WEEK_LINES: u32 = 365;
const MONTH_LINES: u32 = 3 * 365;
/// With so many tokens a day, every day has a line.
const TOKENS_A_DAY: u32 = 20;
/// No entry weighs less than this, in 1/1024.
const FLOOR: u64 = 154;
/// Tokens a month, and the most percent of the room, that are kept for what is too long ago to have its turn.
const TITLED: (u32, u32) = (32, 35);
const UNTITLED: (u32, u32) = (16, 20);
/// With less room for each than this, months are put together.
const WORTH_A_LINE: Cost = Cost::tokens(14);
/// How many entries of a month are read, and how many words of each.
const SAMPLE: usize = 60;
const WORDS: usize = 6;
/// The most items of one entry.
const ITEMS: usize = 40;

/// The lines, newest first. Every entry says its best before any says its second, older ones less often.
pub(super) fn lines(board: &mut Board<'_, '_>, cap: Cost) -> Vec<String> {
    let half_life = (cap.to_tokens() * 6 / 100).clamp(90, 365);
    let subjects = board.subjects;
    let days = subjects.entries.chunk_by(|a, b| a.day == b.day).count();
    let fine = board.left
        >= Cost::tokens(TOKENS_A_DAY.saturating_mul(u32::try_from(days).unwrap_or(u32::MAX)));
    let old = subjects.entries.iter().filter(|entry| entry.age > WEEK_LINES / 2);
    let months: BTreeSet<Span> = old.map(far).collect();
    // Words of titles say in a month's line what they say in a day's; words of a chat have to lead to their day.
    let (tokens, share) = if subjects.titled_percent() > 50 { TITLED } else { UNTITLED };
    let wanted = u32::try_from(months.len()).unwrap_or(u32::MAX).saturating_mul(tokens);
    let reserve = Cost::tokens(wanted).min(board.left.share(share));
    board.left = board.left - reserve;
    let mut covered = reserve;
    let mut queue: BinaryHeap<Reverse<(u64, usize, usize)>> = BinaryHeap::new();
    for (at, entry) in subjects.entries.iter().enumerate() {
        queue.push(Reverse((priority(0, entry.age, half_life), at, 0)));
    }
    let mut items: HashMap<usize, Vec<Item>> = HashMap::new();
    let mut chosen: HashMap<usize, Vec<Item>> = HashMap::new();
    let mut spans: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    let mut said: HashSet<(Span, Key)> = HashSet::new();
    let separator = cost(",");
    let mut refused = 0;
    let mut far: Vec<(usize, String)> = Vec::new();
    while let Some(Reverse((_, at, turn))) = queue.pop() {
        if refused > 200 || board.left < Cost(150) {
            if covered == Cost::default() {
                break;
            }
            // What is out of reach gets a line a month, then the rest goes on as before.
            board.left += covered;
            covered = Cost::default();
            refused = 0;
            far.extend(cover(board, &spans));
        }
        let entry = &subjects.entries[at];
        let list = items.entry(at).or_insert_with(|| board.items(entry, ITEMS));
        let Some(item) = list.get(turn).copied() else { continue };
        queue.push(Reverse((priority(turn + 1, entry.age, half_life), at, turn + 1)));
        let span = span(entry, fine);
        let shown_topic = matches!(item, Item::Topic(topic) if board.is_shown(topic));
        if shown_topic
            || board.placed.contains(&(entry.day, item))
            || said.contains(&(span, key(item)))
        {
            continue;
        }
        let mut price = cost(board.text(item));
        let before = chosen.get(&at).and_then(|list| list.last());
        if !spans.contains_key(&span) {
            price += cost(&format!("- {}: \n", span.label(board.today)));
        } else if !matches!(before, Some(Item::Word { .. })) {
            // Set apart from the entry before, or from the topic of its own.
            price += separator;
        }
        if price > board.left {
            refused += 1;
            continue;
        }
        board.left = board.left - price;
        said.insert((span, key(item)));
        board.place(entry, item);
        let list = chosen.entry(at).or_default();
        if list.is_empty() {
            spans.entry(span).or_default().push(at);
        }
        list.push(item);
    }
    let mut lines: Vec<(usize, String)> = spans
        .into_iter()
        .map(|(span, mut entries)| {
            entries.sort_unstable();
            let texts: Vec<String> =
                entries.iter().map(|at| entry_text(board, &chosen[at])).collect();
            (entries[0], format!("- {}: {}", span.label(board.today), texts.join(", ")))
        })
        .collect();
    lines.extend(far);
    lines.sort_unstable();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// For each month that has no line yet, what it was about: the words and topics that weigh most over its entries.
fn cover(board: &mut Board<'_, '_>, spans: &BTreeMap<Span, Vec<usize>>) -> Vec<(usize, String)> {
    let subjects = board.subjects;
    let months: HashSet<Month> =
        spans.values().flatten().map(|at| Month::of(subjects.entries[*at].day)).collect();
    let grouped = |span: fn(&Entry<'_>) -> Span| {
        let mut groups: Vec<(Span, Vec<usize>)> = Vec::new();
        for (at, entry) in subjects.entries.iter().enumerate() {
            if months.contains(&Month::of(entry.day)) {
                continue;
            }
            match groups.last_mut() {
                Some((last, group)) if *last == span(entry) => group.push(at),
                _ => groups.push((span(entry), vec![at])),
            }
        }
        groups
    };
    let mut groups = grouped(far);
    let each = board.left.0 / u32::try_from(groups.len()).unwrap_or(u32::MAX).max(1);
    if Cost(each) < WORTH_A_LINE {
        groups = grouped(|entry| Span::half(entry.day));
    }
    let mut lines = Vec::new();
    let mut used: HashMap<Key, u32> = HashMap::new();
    let mut left = groups.len();
    for (span, group) in groups {
        let mut share = Cost(board.left.0 / u32::try_from(left).unwrap_or(u32::MAX).max(1));
        left -= 1;
        let label = format!("- {}: ", span.label(board.today));
        let mut line = label.clone();
        let mut said: Vec<(usize, Item)> = Vec::new();
        for (at, item) in most_weighty(board, &group) {
            // What marked two stretches already marks none.
            if used.get(&key(item)).is_some_and(|times| *times > 1) {
                continue;
            }
            let more = if said.is_empty() { "" } else { ", " };
            let longer = format!("{line}{more}{}", board.text(item));
            if cost(&longer) + cost("\n") > share {
                break;
            }
            line = longer;
            said.push((at, item));
        }
        if said.is_empty() || !board.take(&line, &mut share) {
            continue;
        }
        for (at, item) in said {
            *used.entry(key(item)).or_default() += 1;
            board.place(&subjects.entries[at], item);
        }
        lines.push((group[0], line));
    }
    lines
}

/// The items of a group of entries by the sum of their scores, with an entry that has them.
fn most_weighty(board: &Board<'_, '_>, group: &[usize]) -> Vec<(usize, Item)> {
    let subjects = board.subjects;
    let step = group.len().div_ceil(SAMPLE);
    let mut sums: BTreeMap<Key, (u64, usize, Item)> = BTreeMap::new();
    for at in group.iter().step_by(step.max(1)) {
        let entry = &subjects.entries[*at];
        let words = subjects.keywords(entry, WORDS);
        let best = words.first().map_or(1, |word| word.score);
        let topic = subjects.short_topic(entry).map(|topic| (Item::Topic(topic), best));
        let words = words.iter().map(|w| (Item::Word { stem: w.stem, word: w.word }, w.score));
        for (item, score) in topic.into_iter().chain(words) {
            sums.entry(key(item)).or_insert((0, *at, item)).0 += score;
        }
    }
    let mut items: Vec<(u64, usize, Item)> = sums.into_values().collect();
    items.retain(|(_, _, item)| !matches!(item, Item::Topic(topic) if board.is_shown(*topic)));
    items.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| board.text(a.2).cmp(board.text(b.2))));
    items.into_iter().take(ITEMS).map(|(_, at, item)| (at, item)).collect()
}

/// A topic is set apart; words of one entry stand side by side.
fn entry_text(board: &Board<'_, '_>, items: &[Item]) -> String {
    let mut text = String::new();
    let mut before = None;
    for item in items {
        match before {
            None => {}
            Some(Item::Topic(_) | Item::Scope(_)) => text.push_str(", "),
            Some(Item::Word { .. }) => text.push(' '),
        }
        text.push_str(board.text(*item));
        before = Some(*item);
    }
    text
}

/// When the `turn`th item of an entry of this age has its turn: the lower, the earlier.
fn priority(turn: usize, age: u32, half_life: u32) -> u64 {
    let whole = age / half_life;
    let part = f64::from(age % half_life) / f64::from(half_life);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 512 and 1024"
    )]
    let weight = (1024.0 * (-part).exp2()).round() as u64;
    let weight = weight.checked_shr(whole).unwrap_or(0).max(FLOOR);
    (turn as u64 + 1) * 1024 * 1024 / weight
}

fn far(entry: &Entry<'_>) -> Span {
    match entry.age {
        age if age <= MONTH_LINES => Span::Month(Month::of(entry.day)),
        _ => Span::half(entry.day),
    }
}

fn span(entry: &Entry<'_>, fine: bool) -> Span {
    match entry.age {
        age if fine || age <= DAY_LINES => Span::Day(entry.day),
        age if age <= WEEK_LINES => Span::Week(Week::of(entry.day)),
        _ => far(entry),
    }
}
