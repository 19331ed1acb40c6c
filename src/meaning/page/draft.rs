//! ROOT.md as the program writes it: a first draft that says true things by topic, until a model keeps the page.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use super::line::{SECTIONS, begin, not_shown, references};
use super::topics::{Mention, Topic, is_of_person, last_days, months, topics};
use crate::meaning::facts::topic_names::{fold, is_identifier};
use crate::meaning::facts::{Fact, FactCache, FactKind, FactOrigin, Subject};
use crate::memory::period::{Month, Period};
use crate::memory::tokens::{Cost, cost};
use crate::text::without_lone_brackets;

/// Rules take at most so many percent of the page, and so do lines of which only words are known.
const THIRD: u32 = 33;
/// What is going on takes at most so many percent of the page.
const ACTIVE: u32 = 20;
/// Patterns take at most so many percent of the page.
const PATTERNS: u32 = 5;
/// Of what is left then, the index has so many percent at first: months tell more in the same room, below one date each.
const INDEX: u32 = 40;
/// The last days with a node that are going on.
const ACTIVE_DAYS: usize = 7;
/// A lesson that stands on so many days is a pattern.
const PATTERN_DAYS: usize = 3;
/// Words to search by behind what is known, and where nothing is.
const WORDS: usize = 4;
const ONLY_WORDS: usize = 8;
/// A fact that is not told in full ends at a clause before so many characters; at first before fewer.
const CLAUSE: usize = 150;
const SHORT: usize = 100;
/// The most characters of what is known on a line.
const FULL: usize = 600;
/// The most topics on a line of the Historical Summary.
const OF_A_MONTH: usize = 12;

/// A body, and how many topics stand in it.
pub(super) struct PageDraft {
    pub(super) body: String,
    pub(super) shown: usize,
    pub(super) not_shown: usize,
}

/// A line that could be written, from its shortest form to its longest.
struct Line {
    forms: Vec<String>,
    /// the form that it has on the page
    form: Option<usize>,
    /// it stands whatever it takes
    must: bool,
    /// only words are known of it
    bare: bool,
    /// what it is about; of a line of a month, one topic more with each form
    topics: Vec<usize>,
}

/// Writes the body into `room`, the head left out.
pub(super) fn draft(cache: &FactCache, today: NaiveDate, room: Cost) -> PageDraft {
    let topics = topics(cache, today);
    let says = |subjects: &[Subject]| subjects.iter().any(|subject| !subject.facts.is_empty());
    let known = cache.nodes().filter(|(_, subjects)| says(subjects)).map(|(node, _)| node);
    let mut page = Writer {
        topics: &topics,
        known: known.collect(),
        shown: BTreeSet::new(),
        left: room - frame(),
        words: room.share(THIRD),
    };
    let mut rules = page.rules();
    let names = rules.iter().filter(|line| line.must).map(|line| price(&line.forms[0])).sum();
    page.fill(&mut rules, room.share(THIRD).max(names));
    let mut active = page.active(cache);
    page.fill(&mut active, room.share(ACTIVE));
    let mut patterns = page.patterns();
    page.fill(&mut patterns, room.share(PATTERNS));
    let mut index = page.index();
    page.fill(&mut index, page.left.share(INDEX));
    let mut history = page.history(cache);
    page.fill(&mut history, page.left);
    // Where there is room yet, it is for other topics, then for more of what stands there already.
    page.fill(&mut index, page.left);
    for part in [&mut rules, &mut active, &mut index] {
        page.raise(part, page.left);
    }
    // The newest first, as the topics are.
    rules.sort_by(|a, b| a.topics.cmp(&b.topics));
    active.sort_by(|a, b| a.topics.cmp(&b.topics));
    rules.append(&mut index);
    let mut body = String::new();
    for (heading, lines) in SECTIONS.iter().zip([active, patterns, history, rules]) {
        if !body.is_empty() {
            body.push('\n');
        }
        body.push_str(heading);
        body.push('\n');
        for line in lines.iter().filter_map(|line| line.forms.get(line.form?)) {
            body.push_str(line);
            body.push('\n');
        }
    }
    let hidden = topics.len() - page.shown.len();
    if let Some(last) = not_shown(hidden) {
        body.push('\n');
        body.push_str(&last);
        body.push('\n');
    }
    PageDraft { body, shown: page.shown.len(), not_shown: hidden }
}

/// What the headings and the last line take.
fn frame() -> Cost {
    let headings = SECTIONS.iter().map(|heading| cost(heading) + cost("\n\n")).sum::<Cost>();
    headings + not_shown(999_999).map_or_else(Cost::default, |line| cost(&line) + cost("\n\n"))
}

struct Writer<'t, 'a> {
    topics: &'t [Topic<'a>],
    /// the nodes of which something is known
    known: BTreeSet<Period>,
    /// the topics that stand on a line
    shown: BTreeSet<usize>,
    left: Cost,
    /// what is left to lines of which only words are known
    words: Cost,
}

impl Writer<'_, '_> {
    /// Chooses the lines that fit into `room`, those in front first; then longer forms of them.
    fn fill(&mut self, part: &mut [Line], room: Cost) {
        let mut room = room.min(self.left);
        for line in part.iter_mut().filter(|line| line.form.is_none()) {
            let Some(price) = line.forms.first().map(|form| price(form)) else { continue };
            let fits = price <= room && (!line.bare || price <= self.words);
            if !(fits || line.must) {
                continue;
            }
            line.form = Some(0);
            room = room - price;
            self.left = self.left - price;
            if line.bare {
                self.words = self.words - price;
            }
            self.shown.extend(line.topics.first());
        }
        self.raise(part, room);
    }

    /// Gives lines longer forms, one step of all of them after the other.
    fn raise(&mut self, part: &mut [Line], mut room: Cost) {
        let most = part.iter().map(|line| line.forms.len()).max().unwrap_or(0);
        for step in 1..most {
            for line in part.iter_mut().filter(|line| !line.bare) {
                let Some(now) = line.form.filter(|now| now + 1 == step) else { continue };
                let Some(better) = line.forms.get(step) else { continue };
                let more = price(better) - price(&line.forms[now]);
                if more <= room.min(self.left) {
                    room = room - more;
                    self.left = self.left - more;
                    line.form = Some(step);
                    self.shown.extend(line.topics.get(step).filter(|_| line.topics.len() > 1));
                }
            }
        }
    }

    /// A line of a topic.
    fn line(&self, at: usize, forms: Vec<String>) -> Line {
        let topic = &self.topics[at];
        let of_user = topic.kind.is_about_user();
        let must = of_user && topic.saved;
        let bare = !of_user && topic.facts.is_empty();
        Line { forms, form: None, must, bare, topics: vec![at] }
    }

    /// What the user wants and is: every saved topic at least by its name.
    fn rules(&self) -> Vec<Line> {
        let (mut saved, mut written): (Vec<usize>, Vec<usize>) = (0..self.topics.len())
            .filter(|at| self.topics[*at].kind.is_about_user())
            .partition(|at| self.topics[*at].saved);
        written.retain(|at| !self.topics[*at].facts.is_empty());
        written.sort_by_cached_key(|at| std::cmp::Reverse(self.topics[*at].rank));
        saved.append(&mut written);
        saved.into_iter().map(|at| self.line(at, rule_forms(&self.topics[at]))).collect()
    }

    /// What is going on: the topics of the last days that have a node.
    fn active(&self, cache: &FactCache) -> Vec<Line> {
        let days: Vec<Period> =
            last_days(cache, ACTIVE_DAYS).into_iter().map(Period::Day).collect();
        let mut found = Vec::new();
        for (at, topic) in self.others() {
            if !topic.days.iter().any(|day| days.contains(day)) {
                continue;
            }
            let facts: Vec<_> = topic.facts_of(|node| days.contains(&node)).collect();
            let first = facts.first().map(|(_, fact)| (fact.kind, !is_of_person(fact)));
            found.extend(
                self.forms(topic, &facts).map(|forms| ((first.is_none(), first), at, forms)),
            );
        }
        found.sort_by_key(|(weight, at, _)| (*weight, *at));
        // Each day in its turn, so that one on which much was said leaves room for the others.
        let mut turns: BTreeMap<Option<Period>, usize> = BTreeMap::new();
        let mut lines: Vec<_> = found
            .into_iter()
            .map(|(_, at, forms)| {
                let day = self.topics[at].days.first().copied();
                let turn = turns.entry(day).or_default();
                *turn += 1;
                ((*turn, std::cmp::Reverse(day)), self.line(at, forms))
            })
            .collect();
        lines.sort_by_key(|(turn, line)| (line.bare, *turn));
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Topics that are not about the user and stand on no line yet, the newest first.
    fn others(&self) -> impl Iterator<Item = (usize, &Topic<'_>)> {
        let topics = self.topics.iter().enumerate();
        topics.filter(|(at, topic)| !topic.kind.is_about_user() && !self.shown.contains(at))
    }

    /// Lessons that came up on several days.
    fn patterns(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (at, topic) in self.others() {
            let lessons = topic.facts.iter().filter(|(_, fact)| fact.kind == FactKind::Lesson);
            let lessons: Vec<&(Mention<'_>, &Fact)> = lessons.collect();
            let days: BTreeSet<Period> = lessons.iter().map(|(mention, _)| mention.node).collect();
            if days.len() >= PATTERN_DAYS {
                let text = told(lessons[0].1, lessons[0].0, CLAUSE);
                let days: Vec<Period> = days.into_iter().rev().collect();
                let form = format!("- {}: {text}{}", topic.name, references(&days));
                lines.push(self.line(at, vec![form]));
            }
        }
        lines
    }

    /// The Topics Index below the rules.
    fn index(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (at, topic) in self.others().filter(|(_, topic)| !topic.is_history()) {
            let forms = self.forms(topic, &topic.facts);
            lines.extend(forms.map(|forms| self.line(at, forms)));
        }
        let rank = |line: &Line| self.topics[line.topics[0]].rank;
        lines.sort_by_key(|line| (line.bare, std::cmp::Reverse(rank(line))));
        lines
    }

    /// A line a month: its topics by name and what is known of them.
    fn history(&self, cache: &FactCache) -> Vec<Line> {
        let recent = last_days(cache, ACTIVE_DAYS);
        let oldest = recent.last().copied().unwrap_or(NaiveDate::MAX);
        let old = months(cache).into_iter().filter(|month| month.first_day() < oldest);
        let mut by_month: BTreeMap<Month, Vec<usize>> = BTreeMap::new();
        for (at, topic) in self.topics.iter().enumerate() {
            if topic.kind.is_about_user() {
                continue;
            }
            for day in &topic.days {
                let of_month = by_month.entry(Month::of(day.last_day())).or_default();
                if of_month.last() != Some(&at) {
                    of_month.push(at);
                }
            }
        }
        let lines = old.map(|month| {
            let of_month = by_month.remove(&month).unwrap_or_default();
            let (forms, topics) = self.month(month, of_month);
            Line { forms, form: None, must: false, bare: false, topics }
        });
        lines.collect()
    }

    /// The forms of a month's line, and its topics in the order in which they are told.
    fn month(&self, month: Month, mut of_month: Vec<usize>) -> (Vec<String>, Vec<usize>) {
        let days = month.first_day()..=month.last_day();
        let is_in = |period: Period| days.contains(&period.last_day());
        of_month.sort_by_cached_key(|at| {
            let topic = &self.topics[*at];
            let first = topic.facts_of(is_in).next();
            let first = first.map(|(_, fact)| (fact.kind, !is_of_person(fact)));
            (self.shown.contains(at), first.is_none(), first, std::cmp::Reverse(topic.rank))
        });
        of_month.truncate(OF_A_MONTH);
        let mut forms = Vec::new();
        let (mut text, mut told_days) = (String::new(), Vec::new());
        for at in &of_month {
            let topic = &self.topics[*at];
            if !text.is_empty() {
                text.push_str("; ");
            }
            text.push_str(&short_name(topic.name));
            let first = topic.facts_of(is_in).next();
            if let Some((mention, fact)) = first.filter(|_| !self.shown.contains(at)) {
                text.push_str(": ");
                text.push_str(&told(fact, mention, SHORT));
            }
            told_days.extend(topic.days.iter().copied().find(|day| is_in(*day)));
            let mut days = told_days.clone();
            days.sort_by_key(|day| std::cmp::Reverse(day.last_day()));
            days.dedup();
            forms.push(format!("- {month}: {text}{}", references(&days)));
        }
        (forms, of_month)
    }

    /// The forms of a topic's line; `None` where nothing is known of it, but is of its days.
    fn forms(&self, topic: &Topic<'_>, facts: &[(Mention<'_>, &Fact)]) -> Option<Vec<String>> {
        let head = begin(&short_name(topic.name), topic.kind, topic.age);
        let days = references(&topic.days);
        let all = if facts.is_empty() { &topic.facts } else { facts };
        if all.is_empty() {
            if topic.days.iter().any(|day| self.known.contains(day)) && !topic.saved {
                return None;
            }
            let words = words_of(topic, ONLY_WORDS, topic.name, |_| true);
            let words =
                if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) };
            return Some(vec![format!("{head}{words}{days}")]);
        }
        let short = |count: usize, most: usize| {
            joined(all.iter().take(count).map(|(mention, fact)| told(fact, *mention, most)))
        };
        let full = joined(all.iter().map(|(mention, fact)| told(fact, *mention, FULL)));
        let with_names = |text: &str| {
            let said = format!("{} {text}", topic.name);
            let words = words_of(topic, WORDS, &said, is_identifier);
            let words =
                if words.is_empty() { String::new() } else { format!("; {}", words.join(", ")) };
            format!("{head}: {text}{words}{days}")
        };
        let mut forms = vec![
            format!("{head}: {}{days}", short(1, SHORT)),
            format!("{head}: {}{days}", short(1, CLAUSE)),
            with_names(&short(1, CLAUSE)),
            with_names(&short(2, CLAUSE)),
            with_names(&full),
        ];
        forms.dedup();
        Some(forms)
    }
}

/// The forms of a rule's line. A saved one stands by its name at least, and is never told in part: a part may say the
/// opposite.
fn rule_forms(topic: &Topic<'_>) -> Vec<String> {
    let head = begin(topic.name, topic.kind, topic.age);
    let days = references(&topic.days);
    let newest = topic.mentions.iter().find(|mention| !mention.subject.facts.is_empty());
    let facts = newest.map(|mention| {
        let mut facts: Vec<&Fact> = mention.subject.facts.iter().collect();
        facts.sort_by_key(|fact| fact.kind);
        (*mention, facts)
    });
    let Some((mention, facts)) = facts else {
        return vec![format!("- {}", topic.name), format!("{head}{days}")];
    };
    let all = joined(facts.iter().map(|fact| told(fact, mention, FULL)));
    if topic.saved {
        let rule = told(facts[0], mention, FULL);
        let mut forms = vec![
            format!("- {}", topic.name),
            format!("{head}{days}"),
            format!("{head}: {rule}{days}"),
            format!("{head}: {all}{days}"),
        ];
        forms.dedup();
        return forms;
    }
    let mut forms = vec![
        format!("{head}: {}{days}", told(facts[0], mention, SHORT)),
        format!("{head}: {}{days}", told(facts[0], mention, CLAUSE)),
        format!("{head}: {all}{days}"),
    ];
    forms.dedup();
    forms
}

/// Texts one after the other, none twice, at most [`FULL`] characters.
fn joined(texts: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut length = 0;
    for text in texts {
        let folded = fold(&text);
        length += text.chars().count();
        if !all.is_empty() && length > FULL {
            break;
        }
        if !all.iter().any(|known| fold(known).contains(&folded)) {
            all.push(text);
        }
    }
    all.join("; ")
}

/// A fact as it stands on a line: what a model wrote without its marks, and not longer than asked for.
fn told(fact: &Fact, mention: Mention<'_>, most: usize) -> String {
    let text = if mention.subject.origin == FactOrigin::Entry {
        fact.text.clone()
    } else {
        fact.text.replace('`', "").replace("**", "")
    };
    let text = text.trim_end_matches(['.', ';', ',', ':']);
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let head = &text[..end];
    let least = end / 3;
    let cuts = ["; ", ". ", " (", ", ", "、", "。"];
    let cut = cuts.iter().find_map(|mark| head.rfind(mark).filter(|at| *at > least));
    if let Some(at) = cut {
        return without_lone_brackets(head[..at].trim_end());
    }
    let at = head.rfind(' ').filter(|at| *at > least).unwrap_or(head.len());
    format!("{}…", without_lone_brackets(head[..at].trim_end()))
}

/// A name of at most ten words.
fn short_name(name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    if words.len() <= 10 { name.to_owned() } else { words[..10].join(" ") + "…" }
}

/// Words of a topic that a text does not have; where something is known of it, names of code are enough.
fn words_of(topic: &Topic<'_>, most: usize, text: &str, fits: fn(&str) -> bool) -> Vec<String> {
    let known = fold(text);
    let mut words: Vec<String> = Vec::new();
    for word in topic.mentions.iter().take(3).flat_map(|mention| &mention.subject.words) {
        let folded = fold(word);
        if words.len() < most
            && fits(word)
            && !known.contains(&folded)
            && !words.iter().any(|known| fold(known) == folded)
        {
            words.push(word.clone());
        }
    }
    words
}

fn price(line: &str) -> Cost {
    cost(line) + cost("\n")
}
