//! Takes what is told: the best that is about the prompt, new, and has room.

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::known::Known;
use super::line::line;
use super::scale::Scale;
use super::{ABOUT, Found, INTRODUCTION};
use crate::meaning::facts::topic_names::{fold, key};
use crate::meaning::words::words;
use crate::memory::tokens::{Cost, cost};
use crate::search::Query;

/// The most lines that are told at once.
const MOST: usize = 8;
/// What is worth less than this share of the best is left out.
const BESIDE: f32 = 0.4;

/// What became of something that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fate {
    Told,
    /// it is not about the prompt
    Below,
    /// ROOT.md, or another line that is told, says it
    Known,
    /// it was told before in this session
    Before,
    /// it is of this session
    Own,
    /// something newer replaced it
    Replaced,
    NoRoom,
}

/// What is told.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) lines: Vec<String>,
    /// by what a line is known again, see [`name`]
    pub(crate) names: Vec<u64>,
    /// everything that was found, and what became of it
    pub(crate) fates: Vec<(Found, Fate)>,
}

impl Chosen {
    /// All of it as a text, with its first line; empty where there is nothing to tell.
    pub(crate) fn text(&self) -> String {
        if self.lines.is_empty() {
            return String::new();
        }
        format!("{INTRODUCTION}\n{}", self.lines.join("\n"))
    }
}

/// By what something that was told is known again.
pub(crate) fn name(found: &Found) -> u64 {
    xxh3_64(fold(&found.text).as_bytes())
}

/// What has been said already, in ROOT.md, in this session, and by it.
pub(crate) struct AlreadyTold<'a> {
    pub(crate) known: Known,
    pub(crate) before: &'a [u64],
    pub(crate) is_own: &'a mut dyn FnMut(&Found) -> bool,
}

/// Chooses among what was found, the best first.
pub(crate) fn choose(
    mut found: Vec<Found>,
    mut said: AlreadyTold<'_>,
    budget: Cost,
    query: &Query,
    scale: &Scale,
) -> Chosen {
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.day.cmp(&a.day)));
    let best = found.iter().filter(|it| it.score >= ABOUT).map(|it| it.score).fold(0.0, f32::max);
    let mut chosen = Chosen::default();
    let mut left = budget - cost(INTRODUCTION);
    let mut replaced: Vec<u64> = Vec::new();
    for at in 0..found.len() {
        let mut it = &found[at];
        if it.score < ABOUT || it.score < best * BESIDE {
            chosen.fates.push((it.clone(), Fate::Below));
            continue;
        }
        if chosen.lines.len() == MOST {
            chosen.fates.push((it.clone(), Fate::NoRoom));
            continue;
        }
        // The newest of two that are about the same is told, and what it replaced.
        let same = |it: &Found| -> Vec<&Found> {
            let near = found.iter().filter(|other| other.score >= ABOUT);
            near.filter(|other| is_same_matter(it, other)).collect()
        };
        let others = same(it);
        it = others
            .iter()
            .copied()
            .filter(|other| other.day > it.day)
            .max_by_key(|other| other.day)
            .unwrap_or(it);
        let before = same(it).into_iter().filter(|other| other.day < it.day);
        let before = before.max_by_key(|other| other.day);
        let told = [&*chosen.names, said.before].concat();
        let line = line(it, before, query, scale);
        let price = cost(&line) + Cost::tokens(1);
        let fate = if replaced.contains(&name(&found[at])) {
            Fate::Replaced
        } else if told.contains(&name(it)) {
            Fate::Before
        } else if said.known.says(&format!("{} {}", it.topic, it.text)) || said.known.says(&line) {
            Fate::Known
        } else if (said.is_own)(it) {
            Fate::Own
        } else if price > left {
            Fate::NoRoom
        } else {
            left = left - price;
            said.known.add(&line);
            chosen.names.push(name(it));
            chosen.names.extend(before.map(name));
            replaced.extend(others.into_iter().map(name));
            chosen.lines.push(line);
            Fate::Told
        };
        chosen.fates.push((found[at].clone(), fate));
    }
    chosen
}

/// Whether two facts say what was chosen about the same thing: decisions or rules that share half of their words under the same
/// name, else nearly all.
fn is_same_matter(one: &Found, other: &Found) -> bool {
    let settles = |it: &Found| matches!(it.kind, "decision" | "rule");
    if !(settles(one) && settles(other)) || one.day == other.day || name(one) == name(other) {
        return false;
    }
    let of = |it: &Found| words(&format!("{} {}", it.topic, it.text));
    let (own, theirs) = (of(one), of(other));
    let shared = own.iter().filter(|word| theirs.contains(word)).count();
    let least = own.len().min(theirs.len());
    let percent = if key(&one.topic) == key(&other.topic) { 50 } else { 75 };
    least > 2 && shared * 100 >= least * percent
}
