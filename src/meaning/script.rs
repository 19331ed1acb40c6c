//! Which script a letter is of, and the stems of words.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// Whether a character is of a script that sets no blanks between its words, or is a syllable of Korean.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3130}'..='\u{318f}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Whether a character is one of the letters that nearly all CJK text is made of, told without a table.
pub(crate) fn is_cjk_letter(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{4e00}'..='\u{9ffc}' | 'ぁ'..='ゖ' | 'ァ'..='ヺ')
}

/// [`char::is_alphanumeric`], whose tables are slow for the scripts that need it most.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_cjk_letter(c) || (!c.is_ascii() && c.is_alphanumeric())
}

/// Whether a letter is one of the Russian alphabet.
pub(crate) fn is_cyrillic(c: char) -> bool {
    matches!(c, 'А'..='я' | 'Ё' | 'ё')
}

/// The stem of a word in lower case: in Cyrillic letters that of Russian, whose words change most, else that of
/// English, which leaves other letters as they are.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if !word.starts_with(is_cyrillic) {
        return Stemmer::create(Algorithm::English).stem(word);
    }
    // The stemmer knows no ё, which most endings of participles have: it takes `отменён` for a word without one.
    let stem = Stemmer::create(Algorithm::Russian);
    if word.contains('ё') {
        return Cow::Owned(stem.stem(&word.replace('ё', "е")).into_owned());
    }
    stem.stem(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other, expect) in [
            ("чеки", "чеков", true),
            ("чеки", "чашки", false),
            ("отменён", "отменили", true),
            ("ёлки", "елка", true),
            ("parsers", "parser", true),
            ("größe", "größen", false),
        ] {
            assert_eq!(stem(one) == stem(other), expect, "{one} {other}");
        }
    }
}
