//! Several words in quotes behind a name: a passphrase, or a sentence of a form.

use super::text::is_one_of;

/// Several words in quotes: a passphrase, or a password with a blank in it, and not a sentence of a form.
pub(super) fn phrase(value: &[u8]) -> bool {
    const TALK: &str = "a an the is are was be to of in for or and not no must should please enter your you \
        new this with invalid password passphrase pass secret token key from has if at by on \
        confirm repeat mot use least minimum maximum min max characters chars length digits \
        than more less only can cannot can't do don't does wrong incorrect required optional \
        field value mandatory";
    let mut count = 0;
    let mut told = false;
    for part in value.split(u8::is_ascii_whitespace) {
        let word = part.trim_ascii();
        let plain = word.iter().all(u8::is_ascii_alphabetic);
        let fits = (1..=24).contains(&word.len())
            && word.iter().all(|b| b.is_ascii_alphanumeric() || b"!@#$%^&*-_.?+~'".contains(b));
        if !fits || matches!(word.last(), Some(b'.' | b',' | b'?')) || is_one_of(word, TALK) {
            return false;
        }
        count += 1;
        told |= !plain;
    }
    let lower = value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ');
    told && count <= 6 || lower && (4..=8).contains(&count)
}
