//! What is on the page so far, and how much room is left.

use std::collections::HashSet;

use chrono::NaiveDate;

use super::lines::Span;
use super::names::fold;
use super::shortened_topic::beginning;
use super::statements::Said;
use super::subjects::{Entry, Subjects};
use super::weights::Keyword;
use crate::memory::tokens::{Cost, cost};

/// Words before the first statement of an entry where there is little room, where there is more, and between two.
const WORDS_FIRST: usize = 6;
const WORDS_BEFORE: usize = 3;
const WORDS_BETWEEN: usize = 2;
/// The most that a sentence of a conversation may cost where each sitting has its turn.
const SENTENCE: Cost = Cost::tokens(20);
/// In fewer words than this nothing is said that the words beside it do not say.
const LEAST: usize = 5;

/// The state of the page while it is being filled.
pub(super) struct Board<'a, 's> {
    pub(super) subjects: &'s Subjects<'a>,
    pub(super) today: NaiveDate,
    pub(super) left: Cost,
    /// by topic: whether something of it stands on a line
    shown: Vec<bool>,
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

/// How an entry is told in the Historical Summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// in words
    Words,
    /// in words, then in sentences that cost at most so much
    WordsFirst(Cost),
    /// in sentences, with words before and between
    Sentences(Cost),
}

impl Told {
    /// What a sentence may cost; `None` where none is told.
    fn room(self) -> Option<Cost> {
        match self {
            Self::Words => None,
            Self::WordsFirst(room) | Self::Sentences(room) => Some(room),
        }
    }
}

impl From<&Keyword> for Item {
    fn from(found: &Keyword) -> Self {
        Self::Word { stem: found.stem, word: found.word }
    }
}

impl<'a, 's> Board<'a, 's> {
    pub(super) fn new(subjects: &'s Subjects<'a>, today: NaiveDate, left: Cost) -> Self {
        Self {
            subjects,
            today,
            left,
            shown: vec![false; subjects.topics.len()],
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

    /// What an entry has to say in the Historical Summary: its topic or the best words of it, more words, and in `told`
    /// sentences what it states.
    pub(super) fn told(&self, at: usize, limit: usize, told: Told) -> Vec<Item> {
        let entry = &self.subjects.entries[at];
        let topic =
            self.subjects.short_topic(entry).map(Item::Topic).filter(|_| !entry.section.talk);
        let in_sentences = matches!(told, Told::Sentences(_));
        let is_told = in_sentences && entry.section.talk;
        let first = topic.or_else(|| self.gist(entry).filter(|_| !in_sentences));
        let mut items: Vec<Item> = first.into_iter().collect();
        let gist = items.first().map_or_else(String::new, |item| fold(self.text(*item)));
        let words = self.subjects.keywords(entry, limit);
        let lexicon = &self.subjects.cache.lexicon;
        let new = |word: &&Keyword| {
            !gist.split(' ').any(|known| known.starts_with(beginning(lexicon.text(word.stem))))
        };
        let mut words = words.iter().filter(new);
        let before = if is_told {
            // What a conversation was about or came to goes before any word of it.
            0
        } else if in_sentences {
            WORDS_BEFORE
        } else {
            WORDS_FIRST
        };
        items.extend(words.by_ref().take(before).map(Item::from));
        let (room, all) = match told.room() {
            Some(room) => (if is_told { SENTENCE } else { room }, self.subjects.said(at)),
            None => (Cost::default(), &[][..]),
        };
        let mut text = String::new();
        for said in all {
            let title = || self.subjects.title_of(at).filter(|_| is_told);
            let item = match said.at {
                Some(place) => Some(Item::Short { entry: at, at: place }),
                None => title().map(Item::Title),
            };
            let Some(item) = item else { continue };
            let leads = said.leads || said.at.is_none();
            if !leads || cost(&said.short) > room || !self.is_worth_telling(entry.day, at, said) {
                continue;
            }
            items.push(item);
            text.push_str(&said.short.to_lowercase());
            // What a sentence says needs no word of its own.
            let unsaid = |word: &&Keyword| !text.contains(beginning(lexicon.text(word.stem)));
            items.extend(words.by_ref().filter(unsaid).take(WORDS_BETWEEN).map(Item::from));
        }
        items.extend(words.map(Item::from));
        items.truncate(limit);
        items
    }

    /// What an entry states besides, which leads nobody to its day: for where nothing else is left to say.
    pub(super) fn asides(&self, at: usize) -> Vec<Item> {
        let entry = &self.subjects.entries[at];
        let short = |said: &&Said| !said.leads && cost(&said.short) <= SENTENCE;
        let said = self.subjects.said(at).iter().filter(short);
        let said = said.filter(|said| self.is_worth_telling(entry.day, at, said));
        said.filter_map(|said| said.at).map(|place| Item::Short { entry: at, at: place }).collect()
    }

    /// Whether what an entry says tells more than a word of it does, and stands nowhere yet in full.
    fn is_worth_telling(&self, day: NaiveDate, entry: usize, said: &Said) -> bool {
        let Some(at) = said.at else { return true };
        let is_new = !self.placed.contains(&(day, Item::Said { entry, at }));
        let tells = said.short.split(' ').count() >= LEAST || !said.short.is_ascii();
        is_new && tells
    }

    /// The same where there is room to be read: the whole topic, what it states in full, then words.
    pub(super) fn told_at_length(&self, at: usize) -> Vec<Item> {
        let entry = &self.subjects.entries[at];
        let mut items: Vec<Item> = entry.topic.map(Item::Topic).into_iter().collect();
        let name = items.first().map_or_else(String::new, |item| fold(self.text(*item)));
        let said = |tells: bool| {
            let said = self.subjects.said(at).iter().filter(move |said| said.tells == tells);
            let said =
                said.filter_map(|said| said.at).map(|place| Item::Said { entry: at, at: place });
            said.filter(|said| !self.placed.contains(&(entry.day, *said)))
        };
        items.extend(said(true));
        let lexicon = &self.subjects.cache.lexicon;
        let words = self.subjects.telling(entry, WORDS_FIRST);
        let new = |word: &&Keyword| !name.contains(beginning(lexicon.text(word.stem)));
        items.extend(words.iter().filter(new).map(Item::from));
        items.extend(said(false));
        items
    }

    /// What an entry has to say, best first: its topic if it is short, then words; of a long one the gist.
    pub(super) fn items(&self, entry: &Entry<'_>, limit: usize) -> Vec<Item> {
        if let Some(gist) = self.gist(entry) {
            return vec![gist];
        }
        let topic = self.subjects.short_topic(entry).map(Item::Topic);
        let words = self.subjects.keywords(entry, limit);
        topic.into_iter().chain(words.iter().map(Item::from)).take(limit).collect()
    }

    /// The gist of an entry's topic, if it cannot be named whole.
    pub(super) fn gist(&self, entry: &Entry<'_>) -> Option<Item> {
        let topic = entry.topic.filter(|_| self.subjects.short_topic(entry).is_none())?;
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
                let said = self.subjects.said(entry).iter().find(|said| said.at == Some(at));
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
            Item::Topic(topic) | Item::Gist(topic) => self.shown[topic] = true,
            Item::Scope(_) | Item::Said { .. } | Item::Short { .. } | Item::Title(_) => {}
            Item::Word { word, .. } => {
                self.words.insert(word);
            }
        }
    }

    pub(super) fn is_shown(&self, topic: usize) -> bool {
        self.shown[topic]
    }

    pub(super) fn show(&mut self, topic: usize) {
        self.shown[topic] = true;
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
