//! The lines of user and feedback topics, which are never left out.

use super::board::{Board, Item};
use super::lines::{index_line, tag};
use super::subjects::Topic;
use crate::memory::tokens::{Cost, cost};

/// The most words behind such a topic.
const SUBS: usize = 6;
/// Beyond this share of the page, in percent, older ones get shorter so that the rest has room.
const SHARE: u32 = 40;

/// The lines, newest first, user topics before feedback. The names stand whatever they cost; what stands behind
/// them has to fit.
pub(super) fn lines(board: &mut Board<'_, '_>) -> Vec<String> {
    let kept = (0..board.subjects.topics.len()).filter(|at| board.subjects.topics[*at].is_kept());
    written(board, kept.collect())
}

fn price(line: &str) -> Cost {
    cost(line) + cost("\n")
}

fn written(board: &mut Board<'_, '_>, topics: Vec<usize>) -> Vec<String> {
    let subjects = board.subjects;
    let mut kept: Vec<(usize, &Topic)> =
        topics.into_iter().map(|at| (at, &subjects.topics[at])).collect();
    kept.sort_by_key(|(at, topic)| (std::cmp::Reverse(topic.kind), *at));
    let mut lines: Vec<String> =
        kept.iter().map(|(at, _)| format!("- {}", subjects.name(*at))).collect();
    let names: Cost = lines.iter().map(|line| price(line)).sum();
    let mut room = board.left.share(SHARE).max(names).min(board.left) - names;
    board.left = board.left - names;
    for (at, _) in &kept {
        board.show(*at);
    }
    let mut by_age: Vec<usize> = (0..kept.len()).collect();
    by_age.sort_by_key(|at| kept[*at].0);
    let mut upgrade = |board: &mut Board<'_, '_>, line: &mut String, better: String| {
        let extra = price(&better) - price(line);
        let fits = extra <= room && extra <= board.left;
        if fits {
            room = room - extra;
            board.left = board.left - extra;
            *line = better;
        }
        fits
    };
    for at in &by_age {
        let (topic, facts) = kept[*at];
        let better = format!("- {} {}", subjects.name(topic), tag(facts.kind, facts.age));
        upgrade(board, &mut lines[*at], better);
    }
    for at in by_age {
        let (topic, facts) = kept[at];
        let entry = subjects.entries[facts.newest];
        let words = subjects.keywords(&entry, SUBS);
        let subs: Vec<&str> = words.iter().map(|word| subjects.word(word)).collect();
        let tag = tag(facts.kind, facts.age);
        for count in [subs.len(), subs.len().min(3)] {
            let better = index_line(subjects.name(topic), &tag, &subs[..count], &[entry.day]);
            if upgrade(board, &mut lines[at], better) {
                for word in &words[..count] {
                    board.place(&entry, Item::from(word));
                }
                break;
            }
        }
    }
    lines
}
