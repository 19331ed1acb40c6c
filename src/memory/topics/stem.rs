//! What the forms of a word have in common.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// The stem of a word in lower case: in Cyrillic letters that of Russian, whose words change most, else that of English, which
/// leaves other letters as they are.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if word.starts_with(is_cyrillic) {
        return russian(word);
    }
    Stemmer::create(Algorithm::English).stem(word)
}

/// Apart from the English one: where the two are one call that chooses between them, the stemmers of all languages that the
/// library has become part of the program.
#[inline(never)]
fn russian(word: &str) -> Cow<'_, str> {
    Stemmer::create(Algorithm::Russian).stem(word)
}

/// Whether a letter is one of the Russian alphabet.
pub(crate) fn is_cyrillic(c: char) -> bool {
    matches!(c, 'А'..='я' | 'Ё' | 'ё')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        fn check(one: &str, other: &str, expect: bool) {
            assert_eq!(stem(one) == stem(other), expect, "{one} {other}");
        }
        check("чеки", "чеков", true);
        check("миграция", "миграции", true);
        check("чеки", "чашки", false);
        check("parsers", "parser", true);
        check("größe", "größen", false);
    }
}
