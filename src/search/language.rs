//! Which languages a question and a memory are written in, and the stems of their words.
//!
//! A short list of function words per language does both: a text that is full of them is in that language, and in a
//! question of that language they say nothing.

use std::borrow::Cow;
use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};

use crate::meaning::lexicon::function_words;
use crate::meaning::script::stem;

/// A language whose words are stemmed.
#[derive(Debug, Clone, Copy)]
pub(super) struct StemmedLanguage {
    /// The stem of a word in lower case. By a function for each language: who chooses among all that the library has by
    /// a number has all of them in the program, a fiftieth of it.
    stem: fn(&str) -> Cow<'_, str>,
    /// the file of the lexicon that has its function words
    name: &'static str,
    /// function words and question words that are another choice than that of the lexicon, lower case
    words: &'static str,
    /// letters that the stem or the writer may leave without their mark: `ä` for `a`
    marked: &'static [(char, &'static str)],
}

const ENGLISH: StemmedLanguage = StemmedLanguage {
    stem,
    name: "",
    words: "a about above after again ago all almost already also although always am among an and another any anyone \
            anything are around as ask asked at away be because been before being below between both but by came can \
            cannot come comes coming could d did do does doing done down during each either else etc even ever every \
            everything exactly few find first for found from get gets getting give given go goes going got had has have having he help \
            her here hers him himself his how however i if in into is it its itself just kept know known let like ll look looking \
            m made make makes many may maybe me mean might mine more most much must my myself need needed needs never \
            no nor not now of off often ok on once one only or other ought our ours ourselves out over own perhaps please \
            put quite rather re really s said same saw say says see seem seen shall she should since so some someone something \
            soon still such sure t take taken tell than that the their theirs them themselves then there therefore these \
            they thing things think this those though through to told too took try trying under until up upon us use used \
            uses using usually ve very via want wanted wants was way we well went were what whatever when where whether \
            which while who whole whom whose why will with within without would yes yet you your yours yourself \
            dont didnt doesnt isnt wasnt cant couldnt wont im ive whats thats don didn doesn isn wasn couldn wouldn shouldn won aren haven hasn hadn weren",
    marked: &[],
};

const OTHERS: [StemmedLanguage; 9] = [
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::German).stem(word),
        name: "de",
        words: "",
        marked: &[('a', "ä"), ('o', "ö"), ('u', "ü")],
    },
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::French).stem(word),
        name: "fr",
        words: "",
        marked: &[('e', "éèê"), ('a', "àâ"), ('o', "ô"), ('u', "ûù"), ('i', "îï"), ('c', "ç")],
    },
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::Spanish).stem(word),
        name: "es",
        words: "",
        marked: &[('a', "á"), ('e', "é"), ('i', "í"), ('o', "ó"), ('u', "úü"), ('n', "ñ")],
    },
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::Portuguese).stem(word),
        name: "pt",
        words: "",
        marked: &[('a', "áâã"), ('e', "éê"), ('i', "í"), ('o', "óôõ"), ('u', "ú"), ('c', "ç")],
    },
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::Italian).stem(word),
        name: "it",
        words: "",
        marked: &[('a', "à"), ('e', "èé"), ('i', "ì"), ('o', "ò"), ('u', "ù")],
    },
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::Dutch).stem(word),
        name: "nl",
        words: "",
        marked: &[('e', "ëé"), ('i', "ï"), ('o', "ö")],
    },
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::Swedish).stem(word),
        name: "sv",
        words: "",
        marked: &[('a', "åä"), ('o', "ö")],
    },
    StemmedLanguage {
        stem: |word| Stemmer::create(Algorithm::Turkish).stem(word),
        name: "tr",
        words: "",
        marked: &[],
    },
    StemmedLanguage { stem, name: "ru", words: "", marked: &[('е', "ё")] },
];

/// English first, then every other language that one of the texts is clearly written in.
pub(super) fn of(texts: &[&str]) -> Vec<StemmedLanguage> {
    let mut found = vec![ENGLISH];
    for text in texts {
        if let Some(language) = other(text).filter(|language| !found.contains(language)) {
            found.push(language);
        }
    }
    found
}

/// The language whose function words are in a text most, if they do so more often than chance and English would have
/// it.
fn other(text: &str) -> Option<StemmedLanguage> {
    let english: HashSet<&str> = ENGLISH.list().collect();
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    // A short question may have no more than one of them; a sample of a memory has to have many.
    let few = words.len() <= 40;
    let mut best: Option<(usize, StemmedLanguage)> = None;
    for language in OTHERS {
        let own: HashSet<&str> = language.list().filter(|word| !english.contains(word)).collect();
        let hits = words.iter().filter_map(|word| own.get(word.as_str()));
        let (hits, distinct) = (hits.clone().count(), hits.collect::<HashSet<_>>().len());
        let clear =
            if few { hits * 6 >= words.len() } else { distinct >= 10 && hits * 14 >= words.len() };
        if hits > 0 && clear && best.is_none_or(|(most, _)| hits > most) {
            best = Some((hits, language));
        }
    }
    best.map(|(_, language)| language)
}

impl PartialEq for StemmedLanguage {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl StemmedLanguage {
    fn list(self) -> impl Iterator<Item = &'static str> {
        self.words.split_ascii_whitespace().chain(function_words(self.name).iter().copied())
    }

    /// Whether a word in lower case says nothing in a question of this language.
    pub(super) fn is_stop(self, word: &str) -> bool {
        self.list().any(|stop| stop == word)
    }

    /// Whether every noun has a capital, so that one is no name.
    pub(super) fn capitalises_nouns(self) -> bool {
        self.name == "de"
    }

    /// The stem of a word in lower case.
    pub(super) fn stem(self, word: &str) -> Cow<'_, str> {
        (self.stem)(word)
    }

    /// How a beginning of a word may also be written.
    pub(super) fn spellings(self, start: &str) -> Vec<String> {
        let mut found = vec![start.to_owned()];
        for (at, letter) in start.char_indices() {
            let plain = |marks: &str| marks.contains(letter);
            for (base, marks) in self.marked {
                let after = &start[at + letter.len_utf8()..];
                if letter == *base {
                    found
                        .extend(marks.chars().map(|mark| format!("{}{mark}{after}", &start[..at])));
                } else if plain(marks) {
                    found.push(format!("{}{base}{after}", &start[..at]));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_their_function_words() {
        #[track_caller]
        fn check(text: &str, expect: &[&str]) {
            let found: Vec<_> = of(&[text]).iter().skip(1).map(|row| row.name).collect();
            assert_eq!(found, expect, "{text}");
        }
        check("why did the login fail", &[]);
        check("Warum wurde die Datenbank gelöscht?", &["de"]);
        check("почему упал сервер", &["ru"]);
        check("pourquoi le serveur est tombé", &["fr"]);
        check("die Hard", &["de"]);
        check("한국어로 답해줘", &[]);
        check("", &[]);
        check(
            &"the build of the server was done and then it had to die again in the end, so "
                .repeat(9),
            &[],
        );
    }

    #[test]
    fn spellings_cover_what_a_stem_hides() {
        let german = OTHERS[0];
        assert_eq!(german.stem("häuser"), german.stem("haus"));
        assert!(german.spellings("hau").contains(&"häu".to_owned()));
        assert!(german.spellings("häu").contains(&"hau".to_owned()));
    }
}
