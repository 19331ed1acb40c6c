//! What an entry has to say in the Historical Summary, best first.

use chrono::NaiveDate;

use super::again::says_again;
use super::board::{Board, Item};
use super::names::fold;
use super::shortened_topic::beginning;
use super::statements::Said;
use super::subjects::{Entry, is_whole};
use super::themes::Unit;
use super::weights::Keyword;
use crate::memory::talk::{clauses, is_for_now, only_tells};
use crate::memory::title::{without_lead, without_theme};
use crate::memory::tokens::{Cost, cost};
use crate::memory::topics::{Lexicon, is_identifier};

/// Words before the first statement of a note where there is little room, where there is more, and between two.
const WORDS_FIRST: usize = 6;
const WORDS_BEFORE: usize = 3;
const WORDS_BETWEEN: usize = 2;
/// Words of a conversation before its first statement, but for what a person settled: that stands in front of them. Words
/// tell more in little room: readers who have nothing but the page find the day, and the answer, by words oftener than by
/// sentences.
const BEFORE_STATEMENT: usize = 7;
/// With fewer words than this a conversation is short of them.
const FEW: usize = 3;
/// The most that what a person settled may cost to stand before words, and any other sentence of a conversation between them.
const DECISION: Cost = Cost::tokens(10);
const SENTENCE: Cost = Cost::tokens(20);
/// In fewer words than this nothing is said that the words beside it do not say.
const LEAST: usize = 5;
/// How far behind the first the sentence may be that says the title.
const NEAR: usize = 3;

/// How an entry is told in the Historical Summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Told {
    /// in words
    Words,
    /// in words, then in sentences that cost at most so much
    WordsFirst(Cost),
    /// in sentences with words before and between; a conversation in words first all the same
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

/// What an entry says, as far as it has come.
struct Speech<'s> {
    entry: usize,
    units: Vec<Unit>,
    /// what its sentences say, in lower case
    text: String,
    /// those that are left, best first
    words: std::vec::IntoIter<Keyword>,
    lexicon: &'s Lexicon,
}

impl<'s> Speech<'s> {
    fn new(entry: usize, words: Vec<Keyword>, lexicon: &'s Lexicon) -> Self {
        let (units, text) = (Vec::new(), String::new());
        Self { entry, units, text, words: words.into_iter(), lexicon }
    }

    /// Says the next words, at most `count`. What a sentence says needs no word of its own.
    fn say_words(&mut self, count: usize) {
        let Self { entry, units, text, words, lexicon } = self;
        let unsaid = |word: &Keyword| !text.contains(beginning(lexicon.text(word.stem)));
        units.extend(words.filter(unsaid).take(count).map(|word| Unit::of(*entry, &word)));
    }

    fn say(&mut self, said: &Said) -> &mut Unit {
        self.text.push_str(&said.short.to_lowercase());
        let at = self.units.len();
        self.units.push(Unit::of(self.entry, Item::Short { entry: self.entry, at: said.at }));
        &mut self.units[at]
    }
}

impl<'s> Board<'_, 's> {
    /// What an entry has to say in the Historical Summary: its topic or the best words of it, more words, and in `told`
    /// sentences what it states.
    pub(super) fn told(&self, at: usize, limit: usize, told: Told) -> Vec<Unit> {
        let entry = &self.subjects.entries[at];
        let talk = entry.section.talk;
        let mut sentences = self.sentences(at, told);
        let lexicon = &self.subjects.cache.lexicon;
        let mut words = self.subjects.keywords(entry, limit);
        let short_of_words = talk && words.len() < FEW;
        let first = self.opening(entry, told).filter(|item| {
            let says = |said: &&Said| says_again(self.text(*item), &said.short);
            !(short_of_words && sentences.iter().any(says))
        });
        let opening = first.map_or("", |item| self.text(item));
        sentences.retain(|said| !says_again(&said.short, opening));
        let opening = fold(opening);
        // Beside what a title affirms, words of what it negates would be affirmed, too.
        let title = entry.topic.filter(|_| talk).map_or("", |topic| self.subjects.name(topic));
        let negated = clauses(title).1.to_lowercase();
        words.retain(|word| {
            let (name, stem) = (lexicon.text(word.word), lexicon.text(word.stem));
            let text = name.to_lowercase();
            let says = |known: &str| known == text || known.starts_with(beginning(stem));
            let is_piece = !text.is_ascii() && opening.contains(&text);
            let is_negated = !is_identifier(name) && negated.contains(beginning(stem));
            !is_negated && !is_piece && !opening.split(' ').any(says)
        });
        let mut speech = Speech::new(at, words, lexicon);
        speech.units.extend(first.map(|item| Unit::of(at, item)));
        let before = match told {
            _ if talk => {
                let settled = |said: &&Said| self.is_settled_in_brief(at, said);
                if let Some(place) = sentences.iter().position(settled) {
                    // It stands in addition to as many words as others have.
                    speech.say(sentences.remove(place)).turns = 1;
                }
                BEFORE_STATEMENT
            }
            Told::Sentences(_) => WORDS_BEFORE,
            _ => WORDS_FIRST,
        };
        speech.say_words(before);
        for said in sentences {
            speech.say(said);
            speech.say_words(WORDS_BETWEEN);
        }
        speech.say_words(limit);
        speech.units.truncate(limit);
        if first.is_none()
            && let Some(title) = self.title(entry)
            && !self.short(at).any(|said| says_again(self.text(title), &said.short))
        {
            speech.units.push(Unit { waits: true, ..Unit::of(at, title) });
        }
        speech.units
    }

    /// What an entry says first, if not words: its topic, or the best words of it.
    fn opening(&self, entry: &Entry<'_>, told: Told) -> Option<Item> {
        let in_sentences = matches!(told, Told::Sentences(_));
        if entry.section.talk {
            let whole = || self.title(entry).filter(|_| in_sentences && self.is_whole(entry));
            return self.gist(entry).or_else(whole);
        }
        let topic = self.subjects.short_topic(entry).map(Item::Topic);
        topic.or_else(|| self.gist(entry).filter(|_| !in_sentences))
    }

    /// The title of a conversation in few words, if these say something.
    pub(super) fn title(&self, entry: &Entry<'_>) -> Option<Item> {
        let topic = entry.topic.filter(|_| entry.section.talk)?;
        Some(Item::Title(topic)).filter(|_| !self.subjects.short_title(topic).is_empty())
    }

    fn is_whole(&self, entry: &Entry<'_>) -> bool {
        entry.topic.is_some_and(|topic| is_whole(self.subjects.name(topic)))
    }

    /// What an entry states that leads to it and is short enough, best first; of a conversation also what a person settled.
    fn sentences(&self, at: usize, told: Told) -> Vec<&'s Said> {
        let Some(room) = told.room() else { return Vec::new() };
        let talk = self.subjects.entries[at].section.talk;
        let room = if talk { SENTENCE } else { room };
        let day = self.subjects.entries[at].day;
        let tells = |said: &&Said| {
            let leads = said.leads || talk && self.is_settled_in_brief(at, said);
            leads && cost(&said.short) <= room && self.is_worth_telling(day, at, said)
        };
        self.subjects.said(at).iter().filter(tells).collect()
    }

    /// What an entry states besides, which leads nobody to its day: for where nothing else is left to say.
    pub(super) fn asides(&self, at: usize) -> Vec<Item> {
        let said = self.short(at).filter(|said| !said.leads);
        said.map(|said| Item::Short { entry: at, at: said.at }).collect()
    }

    /// What an entry states that is short enough to stand between words.
    fn short(&self, at: usize) -> impl Iterator<Item = &'s Said> {
        let day = self.subjects.entries[at].day;
        let short = move |said: &&Said| {
            cost(&said.short) <= SENTENCE && self.is_worth_telling(day, at, said)
        };
        self.subjects.said(at).iter().filter(short)
    }

    /// Whether a person settles something in few words, and for longer than a while.
    fn is_settled_in_brief(&self, entry: usize, said: &Said) -> bool {
        let whole = &self.subjects.entries[entry].statements[said.at];
        let settles = |text: &str| !is_for_now(text) && !only_tells(text);
        whole.by_person && cost(&said.short) <= DECISION && settles(&whole.text)
    }

    /// Whether what an entry says tells more than a word of it does, and stands nowhere yet in full.
    fn is_worth_telling(&self, day: NaiveDate, entry: usize, said: &Said) -> bool {
        let is_new = !self.placed.contains(&(day, Item::Said { entry, at: said.at }));
        let tells = said.short.split(' ').count() >= LEAST || !said.short.is_ascii();
        is_new && tells
    }

    /// The same where there is room to be read: the whole topic, what it states in full, then words. Nothing is said twice.
    pub(super) fn told_at_length(&self, at: usize) -> Vec<Item> {
        let entry = &self.subjects.entries[at];
        let said = |tells: bool| {
            let said = self.subjects.said(at).iter().filter(move |said| said.tells == tells);
            let item = |said: &Said| Item::Said { entry: at, at: said.at };
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
            let title = without_theme(self.text(topic));
            // Behind `hm so` a sentence says it too, but has none of the words that may stand beside a title.
            let is_bare = title == self.text(topic);
            let says = |item: &Item| {
                let text = self.text(*item);
                says_again(title, text) || (is_bare && says_again(title, without_lead(text)))
            };
            let place = items.iter().take(NEAR).position(says).filter(|_| is_long);
            if let Some(at) = place {
                items[..=at].rotate_right(1);
                name = fold(title);
            } else {
                // A question does not say what came of it.
                let stands = entry.topic.is_some_and(|topic| !self.is_named(topic))
                    && !title.ends_with(['?', '？']);
                items.retain(|item| !(stands && says_again(self.text(*item), title)));
                items.insert(0, topic);
                name = fold(self.text(topic));
            }
        }
        let lexicon = &self.subjects.cache.lexicon;
        let words = self.subjects.telling(entry, WORDS_FIRST);
        let new = |word: &&Keyword| !name.contains(beginning(lexicon.text(word.stem)));
        items.extend(words.iter().filter(new).map(Item::from));
        said(false).for_each(|item| tell(&mut items, item));
        items
    }
}
