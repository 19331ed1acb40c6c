//! What is on the page so far, and how much room is left.

use std::collections::HashSet;

use chrono::NaiveDate;

use super::lines::Span;
use super::subjects::{Entry, Subjects};
use super::weights::Keyword;
use crate::memory::tokens::{Cost, cost};

/// The state of the page while it is being filled.
#[derive(Clone)]
pub(super) struct Board<'a, 's> {
    pub(super) subjects: &'s Subjects<'a>,
    pub(super) left: Cost,
    /// by topic: whether something of it stands on a line
    shown: Vec<bool>,
    /// by topic: whether its name stands on a line, or what of it there is room for
    named: Vec<bool>,
    /// the words that stand on a line
    words: HashSet<u32>,
    /// what lines of the Active Context and of the Topics Index begin with, folded
    pub(super) heads: HashSet<String>,
    /// the entries that stand in the Active Context
    pub(super) active: HashSet<usize>,
    /// the days that a line points to
    pub(super) pointed: HashSet<NaiveDate>,
    /// the stretches of time that have a line
    pub(super) spans: HashSet<Span>,
    /// what stands on a line that points to a day
    pub(super) placed: HashSet<(NaiveDate, Item)>,
}

/// Something that can stand on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Topic(usize),
    /// a topic too long to be named whole, by a few of its words
    Gist(usize),
    /// what several topics begin with, in `Names`
    Scope(u32),
    /// a word, by its stem
    Word {
        stem: u32,
        word: u32,
    },
    /// a statement of an entry, by its place among them
    Said {
        entry: usize,
        at: usize,
    },
    /// the same in the style of a telegram
    Short {
        entry: usize,
        at: usize,
    },
    /// the title of a conversation in few words
    Title(usize),
}

impl From<&Keyword> for Item {
    fn from(found: &Keyword) -> Self {
        Self::Word { stem: found.stem, word: found.word }
    }
}

impl<'a, 's> Board<'a, 's> {
    pub(super) fn new(subjects: &'s Subjects<'a>, left: Cost) -> Self {
        Self {
            subjects,
            left,
            shown: vec![false; subjects.topics.len()],
            named: vec![false; subjects.topics.len()],
            words: HashSet::new(),
            heads: HashSet::new(),
            active: HashSet::new(),
            pointed: HashSet::new(),
            spans: HashSet::new(),
            placed: HashSet::new(),
        }
    }

    /// Takes the room for a line, line ending included, if there is that much within `limit` and on the page.
    pub(super) fn take(&mut self, line: &str, limit: &mut Cost) -> bool {
        let cost = cost(line) + cost("\n");
        let fits = cost <= *limit && cost <= self.left;
        if fits {
            *limit = *limit - cost;
            self.left = self.left - cost;
        }
        fits
    }

    /// What an entry has to say, best first: its topic if it is short, then words; of a long one, or a title, the gist.
    pub(super) fn items(&self, entry: &Entry<'_>, limit: usize) -> Vec<Item> {
        if let Some(gist) = self.gist(entry) {
            return vec![gist];
        }
        let topic = self.subjects.short_topic(entry).map(Item::Topic);
        let words = self.subjects.keywords(entry, limit);
        topic.into_iter().chain(words.iter().map(Item::from)).take(limit).collect()
    }

    /// The gist of an entry's topic, if it cannot be named whole or is the title of a conversation.
    pub(super) fn gist(&self, entry: &Entry<'_>) -> Option<Item> {
        let is_long = entry.section.talk || self.subjects.short_topic(entry).is_none();
        let topic = entry.topic.filter(|_| is_long)?;
        (!self.subjects.gist(topic).is_empty()).then_some(Item::Gist(topic))
    }

    pub(super) fn text(&self, item: Item) -> &'s str {
        match item {
            Item::Gist(topic) => self.subjects.gist(topic),
            Item::Topic(topic) => self.subjects.name(topic),
            Item::Scope(name) => self.subjects.cache.names.text(name),
            Item::Word { word, .. } => self.subjects.cache.lexicon.text(word),
            Item::Title(topic) => self.subjects.short_title(topic),
            Item::Said { entry, at } => &self.subjects.entries[entry].statements[at].text,
            Item::Short { entry, at } => {
                let said = self.subjects.said(entry).iter().find(|said| said.at == at);
                said.map_or("", |said| &said.short)
            }
        }
    }

    /// Notes that an item of an entry stands on a line that points to the entry's day.
    pub(super) fn place(&mut self, entry: &Entry<'_>, item: Item) {
        self.placed.insert((entry.day, item));
        self.pointed.insert(entry.day);
        if let Some(topic) = entry.topic {
            // A topic too long for a line is stood for by a word of its entry.
            if self.subjects.short_topic(entry).is_none() {
                self.shown[topic] = true;
            }
        }
        match item {
            Item::Topic(topic) | Item::Gist(topic) => self.show(topic),
            Item::Title(topic) => self.named[topic] = true,
            Item::Scope(_) | Item::Said { .. } | Item::Short { .. } => {}
            Item::Word { word, .. } => {
                self.words.insert(word);
            }
        }
    }

    pub(super) fn is_shown(&self, topic: usize) -> bool {
        self.shown[topic]
    }

    /// Whether a line says what a topic is called, rather than something else of it.
    pub(super) fn is_named(&self, topic: usize) -> bool {
        self.named[topic]
    }

    pub(super) fn show(&mut self, topic: usize) {
        self.shown[topic] = true;
        self.named[topic] = true;
    }

    /// How many topics stand on no line. A topic of one word also stands there as a keyword.
    pub(super) fn not_shown(&self) -> usize {
        let lexicon = &self.subjects.cache.lexicon;
        let words: HashSet<String> =
            self.words.iter().map(|word| lexicon.text(*word).to_lowercase()).collect();
        let names = &self.subjects.cache.names;
        let hidden = |(at, topic): (usize, &super::subjects::Topic)| {
            !self.shown[at] && !words.contains(names.text(names.folded(topic.name)))
        };
        self.subjects.topics.iter().enumerate().filter(|topic| hidden(*topic)).count()
    }
}
