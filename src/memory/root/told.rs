//! What an entry has to say in the Historical Summary, best first.

use chrono::NaiveDate;

use super::again::says_again;
use super::board::{Board, Item};
use super::names::fold;
use super::shortened_topic::beginning;
use super::statements::Said;
use super::weights::Keyword;
use crate::memory::talk::telegram;
use crate::memory::tokens::{Cost, cost};

/// Words before the first statement of an entry where there is little room, where there is more, and between two.
const WORDS_FIRST: usize = 6;
const WORDS_BEFORE: usize = 3;
const WORDS_BETWEEN: usize = 2;
/// The most that a sentence of a conversation may cost where each sitting has its turn.
const SENTENCE: Cost = Cost::tokens(20);
/// In fewer words than this nothing is said that the words beside it do not say.
const LEAST: usize = 5;
/// How far behind the first the sentence may be that says the title.
const NEAR: usize = 3;

/// How an entry is told in the Historical Summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// in words
    Words,
    /// in words, then in sentences that cost at most so much
    WordsFirst(Cost),
    /// in sentences, with words before and between
    Sentences(Cost),
    /// the same, the only entry of a day by its title and its best sentence
    InPairs(Cost),
}

impl Told {
    /// What a sentence may cost; `None` where none is told.
    fn room(self) -> Option<Cost> {
        match self {
            Self::Words => None,
            Self::WordsFirst(room) | Self::Sentences(room) | Self::InPairs(room) => Some(room),
        }
    }
}

impl<'s> Board<'_, 's> {
    /// What an entry has to say in the Historical Summary: its topic or the best words of it, more words, and in `told`
    /// sentences what it states.
    pub(super) fn told(&self, at: usize, limit: usize, told: Told) -> Vec<Item> {
        let entry = &self.subjects.entries[at];
        let topic =
            self.subjects.short_topic(entry).map(Item::Topic).filter(|_| !entry.section.talk);
        let in_sentences = matches!(told, Told::Sentences(_) | Told::InPairs(_));
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
        // What a sentence says needs no word of its own.
        let unsaid =
            |text: &str, word: &Keyword| !text.contains(beginning(lexicon.text(word.stem)));
        let is_alone = is_told && matches!(told, Told::InPairs(_)) && self.subjects.is_alone(at);
        let mut sentences = self.sentences(at, told, is_told);
        if is_alone {
            self.title_first(&mut sentences);
        }
        let mut text = String::new();
        for (item, short) in sentences {
            items.push(item);
            text.push_str(&short.to_lowercase());
            // Where a sentence stands beside the title, words are for later.
            let count = if is_alone { 0 } else { WORDS_BETWEEN };
            let between = words.by_ref().filter(|word| unsaid(&text, word)).take(count);
            items.extend(between.map(Item::from));
        }
        items.extend(words.filter(|word| unsaid(&text, word)).map(Item::from));
        items.truncate(limit);
        items
    }

    /// What an entry states that leads to it and is short enough, best first, with its title if it is a conversation that
    /// `is_told` in sentences.
    fn sentences(&self, at: usize, told: Told, is_told: bool) -> Vec<(Item, &'s str)> {
        let Some(room) = told.room() else { return Vec::new() };
        let room = if is_told { SENTENCE } else { room };
        let day = self.subjects.entries[at].day;
        let title = self.subjects.title_of(at).filter(|_| is_told);
        let tells = |said: &&Said| {
            let leads = said.leads || said.at.is_none();
            leads && cost(&said.short) <= room && self.is_worth_telling(day, at, said)
        };
        let item = |said: &'s Said| match said.at {
            Some(place) => Some((Item::Short { entry: at, at: place }, &*said.short)),
            None => title.map(|title| (Item::Title(title), &*said.short)),
        };
        self.subjects.said(at).iter().filter(tells).filter_map(item).collect()
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

    /// The same where there is room to be read: the whole topic, what it states in full, then words. Nothing is said twice.
    pub(super) fn told_at_length(&self, at: usize) -> Vec<Item> {
        let entry = &self.subjects.entries[at];
        let said = |tells: bool| {
            let said = self.subjects.said(at).iter().filter(move |said| said.tells == tells);
            let said = said.filter_map(|said| said.at);
            let item = |place| Item::Said { entry: at, at: place };
            said.map(item).filter(|item| !self.placed.contains(&(entry.day, *item)))
        };
        let mut items: Vec<Item> = Vec::new();
        let tell = |items: &mut Vec<Item>, item: Item| {
            let text = self.text(item);
            if !items.iter().any(|told| says_again(text, self.text(*told))) {
                items.push(item);
            }
        };
        said(true).for_each(|item| tell(&mut items, item));
        let mut name = String::new();
        if let Some(topic) = entry.topic.map(Item::Topic) {
            // A sentence that says a long title takes its place.
            let is_long = entry.section.talk && self.subjects.short_topic(entry).is_none();
            let says = |item: &Item| says_again(self.text(topic), self.text(*item));
            match items.iter().take(NEAR).position(says).filter(|_| is_long) {
                Some(at) => items[..=at].rotate_right(1),
                None => items.insert(0, topic),
            }
            name = fold(self.text(topic));
        }
        let lexicon = &self.subjects.cache.lexicon;
        let words = self.subjects.telling(entry, WORDS_FIRST);
        let new = |word: &&Keyword| !name.contains(beginning(lexicon.text(word.stem)));
        items.extend(words.iter().filter(new).map(Item::from));
        said(false).for_each(|item| tell(&mut items, item));
        items
    }

    /// Puts the title in front of the sentences, or leaves it out where the best of them says all of it.
    fn title_first(&self, sentences: &mut Vec<(Item, &str)>) {
        let title = sentences.iter().position(|(item, _)| matches!(item, Item::Title(_)));
        let Some(title) = title.map(|at| sentences.remove(at)) else { return };
        let Item::Title(topic) = title.0 else { return };
        let best = sentences.first().map_or("", |(_, text)| text);
        if !says_again(&telegram(self.subjects.name(topic)), best) {
            sentences.insert(0, title);
        }
    }
}
