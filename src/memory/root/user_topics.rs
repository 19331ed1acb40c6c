//! The lines of user and feedback topics, which are never left out.

use super::board::Board;
use super::lines::{index_line, tag};
use super::subjects::Topic;
use crate::memory::tokens::{Cost, cost};

/// Beyond this share of the page, in percent, older ones get shorter so that the rest has room.
const SHARE: u32 = 33;

/// The lines, newest first. The names stand whatever they cost; what stands behind
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
    // Topics are in the order of their newest entry, newest first.
    let kept: Vec<(usize, &Topic)> =
        topics.into_iter().map(|at| (at, &subjects.topics[at])).collect();
    let mut lines: Vec<String> =
        kept.iter().map(|(at, _)| format!("- {}", subjects.name(*at))).collect();
    let names: Cost = lines.iter().map(|line| price(line)).sum();
    let mut room = board.left.share(SHARE).max(names).min(board.left) - names;
    board.left = board.left - names;
    for (at, _) in &kept {
        board.show(*at);
    }
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
    // First where and how old all of them are, then what they say: never a part of it, which may say the opposite.
    for (line, (at, topic)) in lines.iter_mut().zip(&kept) {
        let tag = tag(topic.kind, topic.age);
        let day = subjects.entries[topic.newest].day;
        let better = index_line(subjects.name(*at), &tag, &[], &[day]);
        if upgrade(board, line, better) {
            board.pointed.insert(day);
        } else {
            upgrade(board, line, format!("- {} {tag}", subjects.name(*at)));
        }
    }
    for (line, (at, topic)) in lines.iter_mut().zip(&kept) {
        let told =
            subjects.of_topic(topic).find_map(|entry| Some((entry, entry.statements.first()?)));
        let Some((entry, rule)) = told.filter(|(entry, _)| entry.section.kind == topic.kind) else {
            continue;
        };
        let tag = tag(topic.kind, topic.age);
        let better = index_line(subjects.name(*at), &tag, &[&rule.text], &[entry.day]);
        upgrade(board, line, better);
    }
    lines
}
