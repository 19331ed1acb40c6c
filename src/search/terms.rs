//! What a question looks for: words by stem, identifiers as they stand and by their parts, pairs of CJK characters.

use super::cjk;
use super::language::StemmedLanguage;
use super::{irregular, synonyms, word_bounds};
use crate::meaning::lexicon::is_weak;
use crate::meaning::script::is_cjk;
use crate::text::single_spaced;

/// The most terms of a question; more than that say nothing more and would cost time.
pub(super) const MOST: usize = 128;
/// The most that are not synonyms.
const OWN: usize = 64;
/// The longest text that is read as one word or identifier, in bytes.
const LONGEST: usize = 120;

/// How a term is found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TermForm {
    /// a word in lower case, by its stem
    Word(String),
    /// a text as it stands, whatever its case, from the edge of a word to the edge of a word
    Exact(String),
    /// CJK characters, anywhere
    Pair(String),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    /// as the question has it
    pub(super) shown: String,
    /// how it may be in a text, each with a factor
    pub(super) forms: Vec<(TermForm, f32)>,
    /// how much it matters, before its rarity
    pub(super) weight: f32,
    /// a name, a number or an identifier
    pub(super) name: bool,
    /// whether these are words that may stand for another term
    pub(super) is_synonym: bool,
}

/// Weight of names and identifiers.
const NAME: f32 = 1.5;
/// Weight of a part of an identifier beside the whole.
const PART: f32 = 0.6;
/// Weight of a word from [`synonyms`] beside the word itself.
const SYNONYM: f32 = 0.6;
/// Weight of a word that says of any work what was done, such as `change` or `new`.
const WEAK: f32 = 0.6;

/// Collects terms, each once.
#[derive(Debug, Default)]
pub(super) struct Terms {
    pub(super) list: Vec<Term>,
    /// whether there was more than [`MOST`]
    pub(super) cut: bool,
}

impl Terms {
    /// Adds the words of a text. `plain` capitals are grammar, not names: the text begins a sentence, or its language
    /// writes nouns with them.
    pub(super) fn add(&mut self, token: &str, plain: bool, languages: &[StemmedLanguage]) {
        if self.is_full() {
            self.cut = true;
            return;
        }
        let core = token.trim_matches(|c: char| !c.is_alphanumeric());
        if core.is_empty() || core.len() > LONGEST {
            return;
        }
        for run in cjk::runs(core) {
            let pairs = cjk::pairs(run);
            #[expect(clippy::cast_precision_loss, reason = "a handful")]
            let share = (pairs.len() as f32).sqrt().max(1.0);
            for (pair, weight) in pairs {
                self.push(TermForm::Pair(pair.clone()), &pair, weight / share, false);
            }
        }
        let runs: Vec<&str> = word_bounds::runs(core).map(|run| &core[run]).collect();
        let is_identifier = is_identifier(core, &runs);
        if is_identifier {
            self.push(TermForm::Exact(core.to_lowercase()), core, NAME, true);
        }
        for run in runs {
            let parts: Vec<&str> = word_bounds::parts(run).collect();
            let name = is_name(run, plain);
            let weight = match (is_identifier, name) {
                (true, _) => PART,
                (false, true) => NAME,
                (false, false) => 1.0,
            };
            self.word(run, weight, name, languages);
            if parts.len() > 1 {
                for part in parts.into_iter().filter(|part| part.len() > 2) {
                    self.word(part, PART, false, languages);
                }
            }
        }
    }

    /// A text that has to be there as it is. Returns its place in the list.
    pub(super) fn phrase(&mut self, text: &str) -> Option<usize> {
        let text = single_spaced(text);
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        if text.is_empty() || self.is_full() {
            return None;
        }
        let form = TermForm::Exact(text.to_lowercase());
        self.place(&form, text, NAME, true)
    }

    /// A word that a place must not have, in any of its forms. Returns its place in the list.
    pub(super) fn unwanted(&mut self, word: &str) -> Option<usize> {
        if word.chars().any(|c| !word_bounds::is_word(c)) {
            return self.phrase(word);
        }
        let form = TermForm::Word(word.to_lowercase());
        self.place(&form, word, 1.0, false)
    }

    /// A single word that a place has to have. Returns its place in the list.
    pub(super) fn quoted_word(&mut self, word: &str) -> Option<usize> {
        let form = if word.chars().any(is_cjk) {
            TermForm::Pair(word.to_owned())
        } else {
            TermForm::Exact(word.to_lowercase())
        };
        self.place(&form, word, NAME, true)
    }

    /// Adds a term, and returns its place in the list.
    fn place(&mut self, form: &TermForm, shown: &str, weight: f32, name: bool) -> Option<usize> {
        self.push(form.clone(), shown, weight, name);
        self.list.iter().position(|term| !term.is_synonym && term.forms[0].0 == *form)
    }

    /// A word, by its stem.
    pub(super) fn word(
        &mut self,
        run: &str,
        weight: f32,
        name: bool,
        languages: &[StemmedLanguage],
    ) {
        let word = run.to_lowercase();
        let digits = word.bytes().any(|byte| byte.is_ascii_digit());
        let short = word.chars().count() < 2 && !digits;
        let shouted = name && run.chars().all(char::is_uppercase) && run.len() > 1;
        if short || (!shouted && languages.iter().any(|language| language.is_stop(&word))) {
            return;
        }
        // What has the same stem is the same term.
        for language in languages {
            let stem = language.stem(&word);
            let known = self.list.iter_mut().find(|term| {
                !term.is_synonym
                    && matches!(&term.forms[0].0, TermForm::Word(other) if language.stem(other) == stem)
            });
            if let Some(known) = known {
                known.weight = known.weight.max(weight);
                return;
            }
        }
        let stem = languages[0].stem(&word).into_owned();
        let weight = if is_weak(&word, &stem) && !name { weight * WEAK } else { weight };
        self.push(TermForm::Word(word.clone()), run, weight, name);
        if let Some(term) = self.list.last_mut().filter(|term| !term.is_synonym) {
            let irregular = irregular::forms(&word).map(str::to_owned);
            for form in irregular.chain(irregular::spellings(&word)).map(TermForm::Word) {
                if term.forms.iter().all(|(known, _)| *known != form) {
                    term.forms.push((form, 1.0));
                }
            }
        }
        // Their rarity is their own: a rare word does not make a common one telling.
        let forms: Vec<_> =
            synonyms::of(&stem).map(|form| (TermForm::Word(form.to_owned()), 1.0)).collect();
        if !forms.is_empty() && self.list.len() < MOST {
            let shown = String::new();
            self.list.push(Term {
                shown,
                forms,
                weight: weight * SYNONYM,
                name: false,
                is_synonym: true,
            });
        }
    }

    fn is_full(&self) -> bool {
        self.list.iter().filter(|term| !term.is_synonym).count() >= OWN || self.list.len() >= MOST
    }

    fn push(&mut self, form: TermForm, shown: &str, weight: f32, name: bool) {
        if self.list.iter().any(|term| !term.is_synonym && term.forms[0].0 == form) {
            return;
        }
        if self.is_full() {
            self.cut = true;
            return;
        }
        let forms = vec![(form, 1.0)];
        self.list.push(Term { shown: shown.to_owned(), forms, weight, name, is_synonym: false });
    }
}

/// A path, a file name, a flag, `camelCase`, `snake_case`; not words with hyphens.
fn is_identifier(core: &str, runs: &[&str]) -> bool {
    let joined = runs.len() > 1 && core.is_ascii() && !core.contains(char::is_whitespace);
    let signs = core.contains(['_', '/', '.', ':', '\\', '@', '#', '=']);
    let dashed = core.contains('-') && core.bytes().any(|byte| byte.is_ascii_digit());
    let humps = runs.iter().any(|run| word_bounds::parts(run).nth(1).is_some());
    (joined && (signs || dashed)) || humps
}

/// Capitals inside, digits, or a capital in front where grammar asks for none.
fn is_name(run: &str, plain: bool) -> bool {
    let capitals = run.chars().filter(|c| c.is_uppercase()).count();
    let first = run.chars().next().is_some_and(char::is_uppercase);
    let digits = run.bytes().any(|byte| byte.is_ascii_digit());
    digits || capitals > 1 || (first && !plain)
}
