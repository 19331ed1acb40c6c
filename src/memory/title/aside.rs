//! Whether what a conversation begins with is what it is about, or something that is soon dealt with before the matter: a thank-you
//! for yesterday, a typo, a question by the way.

use std::collections::HashSet;

use super::words::{keys, words};
use super::{Exchange, prose};
use crate::memory::hashed::Hashed;
use crate::text::start;

/// How many exchanges are looked at, the first one included: what comes later decides no more.
pub(super) const WINDOW: usize = 8;
/// How many others there have to be.
const OTHERS: usize = 2;
/// How long something is that is dealt with by the way, in hundredths of what one of the others takes on average, and how many
/// hundredths of the words of its title may come up in these: the longer it took, the fewer.
const BY_THE_WAY: [(usize, usize); 3] = [(28, 34), (45, 24), (75, 0)];
/// All others together are so many times as long.
const TIMES: usize = 4;
/// How much of a prompt, and of a reply, is looked at, in bytes. One long reply is not to outweigh all others.
const LENGTH: usize = 4 * 1024;

/// What is known of what some exchanges begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// it is what they are about, whatever follows
    Matter,
    /// it is something that nobody comes back to
    Aside,
    /// too little was said yet
    Open,
}

/// Which exchanges belong together as the first of some: those up to the first reply.
pub(super) fn first<'e, 'a>(exchanges: &'e [Exchange<'a>]) -> &'e [Exchange<'a>] {
    let answered = exchanges.iter().position(|exchange| !exchange.reply.trim().is_empty());
    &exchanges[..answered.map_or(exchanges.len(), |at| at + 1)]
}

/// What the [`first`] of some exchanges are, whose own title is given. An aside is short beside the others, which say hardly a
/// word of its title again.
pub(super) fn opening(title: Option<&str>, exchanges: &[Exchange<'_>]) -> Opening {
    let window = &exchanges[..exchanges.len().min(WINDOW)];
    let (first, others) = window.split_at(first(window).len());
    // A command, and what is made of it, is what a sitting was begun for.
    if first.iter().any(|one| prose::command(one.prompt.trim_start()).is_some()) {
        return Opening::Matter;
    }
    let mut again: HashSet<u64, Hashed> = HashSet::default();
    for text in others.iter().flat_map(beginnings) {
        again.extend(keys(text));
    }
    let told = words(title.unwrap_or_default()).filter(|word| !word.routine).map(|word| word.key);
    let told: HashSet<u64, Hashed> = told.collect();
    let repeated = told.iter().filter(|key| again.contains(key)).count() * 100;
    let may_be = |repeats: usize| repeated <= repeats * told.len();
    if !BY_THE_WAY.iter().any(|(_, repeats)| may_be(*repeats)) {
        return Opening::Matter;
    }
    let (own, rest) = (size(first), size(others));
    let is_short = |length: usize| own * 100 * others.len() <= length * rest;
    if others.len() >= OTHERS
        && own * TIMES <= rest
        && BY_THE_WAY.iter().any(|(length, repeats)| is_short(*length) && may_be(*repeats))
    {
        Opening::Aside
    } else if window.len() == WINDOW {
        Opening::Matter
    } else {
        Opening::Open
    }
}

fn beginnings<'e>(exchange: &'e Exchange<'_>) -> [&'e str; 2] {
    [start(exchange.prompt, LENGTH), start(&exchange.reply, LENGTH)]
}

/// In characters, of what is looked at.
fn size(exchanges: &[Exchange<'_>]) -> usize {
    exchanges.iter().flat_map(beginnings).map(|text| text.chars().count()).sum()
}
