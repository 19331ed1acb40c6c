//! The sections of all logs as ROOT.md sees them: by subject, newest first.

use std::cell::OnceCell;
use std::collections::HashMap;

use chrono::{Datelike as _, NaiveDate};

use super::entry_reading::Statement;
use super::facts::{Packed, RootCache, Section};
use super::review::reviewed;
use super::short_title::short_title;
use super::shortened_topic::{beginning, gist};
use super::statements::{self, Said};
use super::themes::Themes;
use super::weights::{Keyword, Title, Weights};
use crate::memory::entry::EntryType;
use crate::memory::hashed::Hashed;
use crate::memory::talk::clauses;
use crate::memory::topics::is_cjk;

/// One section of one log.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    /// its place in `Subjects::entries`
    at: usize,
    pub(super) day: NaiveDate,
    /// days before today; 0 for a log dated in the future
    pub(super) age: u32,
    pub(super) section: &'a Section,
    pub(super) terms: Packed<'a>,
    /// what it states, best first
    pub(super) statements: &'a [Statement],
    /// the subject in `Subjects::topics`
    pub(super) topic: Option<usize>,
    /// the next older entry of the same topic
    pub(super) older: Option<usize>,
}

/// One topic, all spellings together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topic {
    /// its newest spelling in `Names`
    pub(super) name: u32,
    /// of its newest entry, as is all of the following
    pub(super) kind: EntryType,
    pub(super) done: bool,
    pub(super) age: u32,
    /// in `Subjects::entries`
    pub(super) newest: usize,
    /// how many entries it has
    pub(super) entries: u32,
}

impl Topic {
    /// Project topics that are finished or have not come up for 90 days belong to history.
    pub(super) fn is_history(&self) -> bool {
        self.kind == EntryType::Project && (self.done || self.age > PROJECT_DAYS)
    }

    /// Topics about the user and their wishes are always in sight.
    pub(super) fn is_kept(&self) -> bool {
        self.kind.is_about_user()
    }
}

/// A project topic stays in the index this many days after its last mention.
pub(super) const PROJECT_DAYS: u32 = 90;

/// Everything there is to choose from.
pub(super) struct Subjects<'a> {
    pub(super) cache: &'a RootCache,
    /// the day of the ages
    pub(super) today: NaiveDate,
    pub(super) weights: Weights<'a>,
    /// newest first
    pub(super) entries: Vec<Entry<'a>>,
    /// in the order of their newest entry, newest first
    pub(super) topics: Vec<Topic>,
    /// how many days nothing came, up to today
    silence: u32,
    /// by name: how many topics have the scope
    scopes: Vec<u32>,
    /// by group of entries: see [`theme`](super::themes::theme)
    pub(super) themes: Themes,
    /// by topic: see [`Subjects::gist`]
    gists: Vec<OnceCell<String>>,
    /// by topic: see [`Subjects::short_title`]
    short_titles: Vec<OnceCell<String>>,
    /// by entry: see [`Subjects::said`]
    said: Vec<OnceCell<Vec<Said>>>,
    /// by entry: its [`MOST_WORDS`] best words
    words: Vec<OnceCell<Vec<Keyword>>>,
    /// by the hash of a statement that more than one entry makes: the newest of these, and how many there are
    repeated: OnceCell<HashMap<u64, (usize, u32), Hashed>>,
    /// by entry and place: see [`Subjects::is_replaced`]
    pub(super) replaced: OnceCell<Vec<(usize, usize)>>,
}

/// How many words of an entry are looked at for the gist of its topic.
const GIST_WORDS: usize = 16;
/// Up to how many words of an entry are looked up anew wherever they are wanted, and the most that are wanted anywhere.
const FEW_WORDS: usize = 6;
pub(super) const MOST_WORDS: usize = 100;
/// How many more are looked up, because the topic may say some of them.
const SPARE_WORDS: usize = 4;
/// So many topics make a scope.
const SCOPE: u32 = 3;

impl<'a> Subjects<'a> {
    /// The year of the newest entry, whose days are named without it.
    pub(super) fn year(&self) -> i32 {
        self.entries.first().map_or(self.today, |newest| newest.day).year()
    }

    pub(super) fn new(cache: &'a RootCache, today: NaiveDate) -> Self {
        let mut entries: Vec<Entry<'a>> = Vec::new();
        let mut topics: Vec<Topic> = Vec::new();
        let mut of_name: Vec<Option<usize>> = vec![None; cache.names.len()];
        let mut last: Vec<usize> = Vec::new();
        for (day, facts) in cache.days().rev() {
            let age = u32::try_from((today - day).num_days()).unwrap_or(0);
            let sections: Vec<_> = facts.sections(cache.depth(day, today)).collect();
            for (section, terms, statements) in sections.into_iter().rev() {
                let at = entries.len();
                let topic = section.topic.map(|name| {
                    let slot = &mut of_name[cache.names.folded(name) as usize];
                    *slot.get_or_insert_with(|| {
                        let (kind, done) = (section.kind, section.done);
                        topics.push(Topic { name, kind, done, age, newest: at, entries: 0 });
                        last.push(at);
                        topics.len() - 1
                    })
                });
                if let Some(topic) = topic {
                    if topics[topic].entries > 0 {
                        entries[last[topic]].older = Some(at);
                        last[topic] = at;
                    }
                    topics[topic].entries += 1;
                }
                let older = None;
                entries.push(Entry { at, day, age, section, terms, statements, topic, older });
            }
        }
        let names = &cache.names;
        let mut scopes = vec![0; names.len()];
        for topic in &topics {
            if let Some(scope) = names.scope(topic.name) {
                scopes[scope as usize] += 1;
            }
        }
        let silence = entries.first().map_or(0, |newest| newest.age);
        let gists = vec![OnceCell::new(); topics.len()];
        let short_titles = vec![OnceCell::new(); topics.len()];
        let said = vec![OnceCell::new(); entries.len()];
        let words = vec![OnceCell::new(); entries.len()];
        let (weights, repeated) = (Weights::new(cache, today), OnceCell::new());
        Self {
            cache,
            today,
            weights,
            entries,
            topics,
            silence,
            scopes,
            themes: Themes::default(),
            gists,
            short_titles,
            said,
            words,
            repeated,
            replaced: OnceCell::new(),
        }
    }

    /// How many days before the newest entry another one was. What is told of it makes room as others come, not as time goes
    /// by: a project that rested for a year has lost nothing. Beyond two years its days are [known by their titles](super::facts::Depth).
    pub(super) fn distance(&self, entry: &Entry<'_>) -> u32 {
        entry.age.saturating_sub(self.silence)
    }

    /// How many entries state the same as this one does at a place, if it is the newest of them and it still holds. What is
    /// repeated word for word is a prompt of somebody's making: it tells what they want every time, and nothing of a day.
    pub(super) fn times_stated(&self, entry: usize, at: usize) -> Option<u32> {
        let repeated = self.repeated.get_or_init(|| {
            let mut found: HashMap<u64, (usize, u32), Hashed> = HashMap::default();
            for (place, entry) in self.entries.iter().enumerate() {
                for statement in entry.statements {
                    found.entry(statement.hash).or_insert((place, 0)).1 += 1;
                }
            }
            found.retain(|_, (_, times)| *times > 1);
            found
        });
        let times = match repeated.get(&self.entries[entry].statements[at].hash) {
            None => Some(1),
            Some((newest, times)) => Some(*times).filter(|_| *newest == entry),
        };
        times.filter(|_| !self.is_replaced(entry, at))
    }

    /// What an entry states and no newer one does, best first by what all of the memory tells of its words.
    pub(super) fn said(&self, entry: usize) -> &[Said] {
        self.said[entry].get_or_init(|| statements::ranked(self, entry))
    }

    /// The entries of each day, newest first.
    pub(super) fn days(&self) -> impl Iterator<Item = &[Entry<'a>]> {
        self.entries.chunk_by(|a, b| a.day == b.day)
    }

    /// The day of these entries, where they all have the same: it leads to them better than its week or its month, in no more
    /// words.
    pub(super) fn only_day<'e>(
        &self,
        entries: impl IntoIterator<Item = &'e usize>,
    ) -> Option<NaiveDate> {
        let mut days = entries.into_iter().map(|at| self.entries[*at].day);
        let first = days.next()?;
        days.all(|day| day == first).then_some(first)
    }

    /// The entries of a topic, newest first.
    pub(super) fn of_topic(&self, topic: &Topic) -> impl Iterator<Item = &Entry<'a>> {
        std::iter::successors(Some(topic.newest), |at| self.entries[*at].older)
            .map(|at| &self.entries[at])
    }

    /// How a topic is written.
    pub(super) fn name(&self, topic: usize) -> &'a str {
        self.cache.names.text(self.topics[topic].name)
    }

    /// The topic of an entry, if it is short enough to be named whole.
    pub(super) fn short_topic(&self, entry: &Entry<'_>) -> Option<usize> {
        entry.topic.filter(|topic| self.cache.names.is_short(self.topics[*topic].name))
    }

    /// The title of a conversation in few words, whatever its conversation says most. Empty if these say nothing.
    pub(super) fn short_title(&self, topic: usize) -> &str {
        self.short_titles[topic].get_or_init(|| {
            let (number, name) = reviewed(self.name(topic));
            numbered(number, short_title(name))
        })
    }

    /// A topic too long to be named whole, or the title of a conversation, in a few of its words: those that weigh most. Empty
    /// if these say nothing, or a title says what they alone would not: in some scripts each piece is part of a word, and what
    /// a negation turns round stands with it or not at all.
    pub(super) fn gist(&self, topic: usize) -> &str {
        self.gists[topic].get_or_init(|| {
            let newest = &self.entries[self.topics[topic].newest];
            let whole = self.name(topic);
            let is_title = newest.section.talk;
            let (number, name) = if is_title { reviewed(whole) } else { (None, whole) };
            let told = if is_title { affirmed(name) } else { Some(name.to_owned()) };
            let Some(told) = told else { return String::new() };
            let names = &self.cache.names;
            let scope = names.scope(self.topics[topic].name).map(|scope| names.text(scope));
            let lexicon = &self.cache.lexicon;
            let words = self.keywords(newest, GIST_WORDS);
            let words = words.iter().map(|word| (lexicon.text(word.word), lexicon.text(word.stem)));
            // In a heading or a clause that goes, there is no scope.
            let scope = scope.filter(|_| told.len() == whole.len());
            numbered(number, gist(&told, scope, words))
        })
    }

    /// What the topic of an entry begins with.
    pub(super) fn syntactic_scope(&self, entry: &Entry<'_>) -> Option<u32> {
        self.cache.names.scope(self.topics[entry.topic?].name)
    }

    /// What the topic of an entry begins with, if other topics do so too, but not most.
    pub(super) fn scope(&self, entry: &Entry<'_>) -> Option<u32> {
        let scope = self.syntactic_scope(entry).filter(|_| !entry.section.talk)?;
        let topics = self.scopes[scope as usize];
        (topics >= SCOPE && topics as usize * 3 < self.topics.len()).then_some(scope)
    }

    fn title(&self, entry: &Entry<'_>) -> Title {
        match entry.topic {
            _ if entry.section.talk => Title::None,
            None => Title::None,
            Some(_) if self.short_topic(entry).is_some() => Title::Short,
            Some(_) => Title::Long,
        }
    }

    /// How many of the newest entries have a heading that names a topic, in percent.
    pub(super) fn titled_percent(&self) -> u32 {
        let recent = &self.entries[..self.entries.len().min(500)];
        let titled =
            recent.iter().filter(|entry| entry.topic.is_some() && !entry.section.talk).count();
        u32::try_from(titled * 100 / recent.len().max(1)).unwrap_or(100)
    }

    /// The words of an entry that say something by themselves, best first.
    pub(super) fn telling(&self, entry: &Entry<'_>, limit: usize) -> Vec<Keyword> {
        let mut words = self.keywords(entry, limit);
        words.retain(|word| !word.weak);
        words
    }

    /// The words of an entry that say more than its topic does, best first.
    pub(super) fn keywords(&self, entry: &Entry<'_>, limit: usize) -> Vec<Keyword> {
        // A few words are found again in less time than all of them are put in order.
        let weighed = |limit| self.weights.keywords(entry.terms, self.title(entry), limit);
        let mut keywords = if limit > FEW_WORDS {
            let all = self.words[entry.at].get_or_init(|| weighed(MOST_WORDS + SPARE_WORDS));
            all[..all.len().min(limit + SPARE_WORDS)].to_vec()
        } else {
            weighed(limit + SPARE_WORDS)
        };
        let names = &self.cache.names;
        let topic = self.short_topic(entry).map(|topic| names.folded(self.topics[topic].name));
        if let Some(named) = topic.or_else(|| self.scope(entry)) {
            keywords.retain(|word| !says(names.text(named), self.cache.lexicon.text(word.stem)));
        }
        keywords.truncate(limit);
        keywords
    }

    pub(super) fn word(&self, keyword: &Keyword) -> &'a str {
        self.cache.lexicon.text(keyword.word)
    }
}

/// A title in few words behind the number of what is reviewed.
fn numbered(number: Option<String>, short: String) -> String {
    match number {
        Some(number) if !short.is_empty() => format!("{number} {short}"),
        _ => short,
    }
}

/// Whether a title is told as it stands or not at all: words of it would say the opposite without what they stand with.
pub(super) fn is_whole(title: &str) -> bool {
    affirmed(title).is_none()
}

/// The clauses of a title whose words may be told without the others; `None` where it [is told whole](is_whole).
fn affirmed(title: &str) -> Option<String> {
    let affirmed = || Some(clauses(title).0).filter(|affirmed| !affirmed.is_empty());
    if title.chars().any(is_cjk) { None } else { affirmed() }
}

/// Whether a folded topic has a word of this stem.
pub(super) fn says(topic: &str, stem: &str) -> bool {
    memchr::memmem::find(topic.as_bytes(), beginning(stem).as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_told_whole_where_its_words_would_not_say_it() {
        for (title, expect) in [
            ("Never let the client send gzip", true),
            ("로그 안 지운다", true),
            ("キャッシュは使わない", true),
            ("Disable alarms, not the crane", false),
            ("Mend the winch of the pier", false),
        ] {
            assert_eq!(is_whole(title), expect, "{title}");
        }
    }
}
