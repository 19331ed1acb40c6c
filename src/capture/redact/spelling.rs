//! Whether a value is spelled in words: `accessToken`, `user-2`, `REQUIRED`, and not `hpgdXlIB`.
//!
//! After an explicit name everything is a secret that is not spelled in words, so this asks more of a word than
//! [`identifier`](super::shapes::identifier) does, which has to keep names apart from tokens where no name helps.

use super::lists::{FORM_WORDS, SHORT_FORMS, STAND_INS};
use super::shapes::{algorithm, seldom};
use super::surroundings::{is_one_of, run_of};

/// Words with signs between them, and short numbers after them.
pub(super) fn in_words(value: &[u8]) -> bool {
    let parts = || value.split(|byte| !byte.is_ascii_alphanumeric());
    let mut sum = Pairs::default();
    let plain = parts().all(|part| plain(part, &mut sum));
    // A name of several parts may have one that nobody can speak: `kms_key_id`.
    let single = parts().filter(|part| !part.is_empty()).count() < 2;
    plain && sum.odd * 4 <= sum.all && (!single || sum.plain) || algorithm(value)
}

/// Pairs of letters in the words of a value.
#[derive(Default)]
struct Pairs {
    all: usize,
    odd: usize,
    /// whether the capitals are where words begin
    plain: bool,
}

/// One word, or a number of four digits at most: `user2`, `v1`, `443`.
fn plain(part: &[u8], sum: &mut Pairs) -> bool {
    let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digits = part.len() - letters;
    let most = if letters == 0 { 4 } else { 2 };
    digits <= most
        && part[letters..].iter().all(u8::is_ascii_digit)
        && spoken(&part[..letters], sum)
        || algorithm(part)
}

/// Letters that can be spoken, with capitals only where words begin or in acronyms.
fn spoken(letters: &[u8], sum: &mut Pairs) -> bool {
    /// `internationalization`; more letters without a capital are an alphabet or noise
    const LONGEST: usize = 20;
    let (mut short, mut count) = (0, 0);
    for hump in Humps(letters) {
        let capitals = hump.iter().all(u8::is_ascii_uppercase);
        let vowel = hump.iter().any(|byte| is_vowel(*byte));
        let silent = !vowel && hump.len() > if capitals { 5 } else { 3 };
        if silent || hump.len() > LONGEST || consonants(hump) > 5 {
            return false;
        }
        count += 1;
        short += usize::from(hump.len() <= 2);
        sum.all += hump.len() - 1;
        sum.odd += hump.windows(2).filter(|pair| seldom(pair)).count();
    }
    // `userId` and `xAxis` have one short hump; random letters have more.
    sum.plain = letters.len() <= 2 || short <= 1 + count / 4 && letters.len() + short >= 3 * count;
    sum.plain
}

fn is_vowel(byte: u8) -> bool {
    b"aeiouy".contains(&byte.to_ascii_lowercase())
}

/// The longest run of consonants.
fn consonants(letters: &[u8]) -> usize {
    letters.split(|byte| is_vowel(*byte)).map(<[u8]>::len).max().unwrap_or(0)
}

/// The words of a camel-case name; an acronym ends before the capital that starts the next word.
struct Humps<'a>(&'a [u8]);

impl<'a> Iterator for Humps<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let letters = self.0;
        if letters.is_empty() {
            return None;
        }
        let capitals = letters.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        let end = if capitals > 1 {
            capitals - usize::from(capitals < letters.len())
        } else {
            let rest = &letters[capitals..];
            capitals + rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count()
        };
        let (hump, rest) = letters.split_at(end);
        self.0 = rest;
        Some(hump)
    }
}

/// `userPass`, `HTTPClient`, `dbPwd`: words and common short forms as a program joins them, each told by its first
/// letter.
pub(super) fn camel(name: &[u8]) -> bool {
    let mut words = 0;
    let mut at = 0;
    while at < name.len() {
        let capitals = name[at..].iter().take_while(|b| b.is_ascii_uppercase()).count();
        let small = name[at + capitals..].iter().take_while(|b| b.is_ascii_lowercase()).count();
        // Of several capitals before small letters the last one begins a word.
        let length = match (capitals, small) {
            (0, 0) => return false,
            (0 | 1, small) => capitals + small,
            (capitals, 0) => capitals,
            (capitals, _) => capitals - 1,
        };
        let word = name[at..at + length].to_ascii_lowercase();
        let vowel = word.iter().any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'));
        let acronym = capitals > 1 && word.len() <= 4;
        let short = std::str::from_utf8(&word).is_ok_and(|word| SHORT_FORMS.contains(&word));
        if !(short || acronym || vowel && (word.len() == 2 || word.len() > 2 && in_words(&word))) {
            return false;
        }
        words += 1;
        at += length;
    }
    // Letters in any order have a capital every other letter.
    words * 3 <= name.len()
}

/// How the words of a password that a person made up are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// a digit or two are after them: `sunflower42`, `Otter-Dam-12`
    Numbered,
    /// two or more, each with a capital: `Winter-Coat`
    Titled,
    /// two or more in small letters: `winter-coat`
    Joined,
}

/// What a person makes up: words of three letters or more, four in the first, none of them a word of a form.
pub(super) fn made_up(value: &[u8]) -> Option<Made> {
    let joint = |byte: &u8| matches!(byte, b'-' | b'.' | b'_');
    let (mut words, mut letters, mut digits, mut titles) = (0, 0, 0, 0);
    // A capital after a small letter begins a word: `CopperKettle3`.
    let begins = |a: &u8, b: &u8| a.is_ascii_lowercase() && b.is_ascii_uppercase();
    let parts = value.split(joint).flat_map(|part| {
        let part = if part.is_empty() { b"-" } else { part };
        part.chunk_by(move |a, b| !begins(a, b))
    });
    for part in parts {
        let (word, number) = part.split_at(run_of(part, part.len(), u8::is_ascii_alphabetic));
        // A number ends it.
        if digits > 0 || !number.iter().all(u8::is_ascii_digit) {
            return None;
        }
        digits += number.len();
        if word.is_empty() {
            continue;
        }
        let least = if words == 0 { 4 } else { 3 };
        let plain = word[1..].iter().all(u8::is_ascii_lowercase);
        if word.len() < least || !plain || is_one_of(word, STAND_INS) || is_one_of(word, FORM_WORDS)
        {
            return None;
        }
        words += 1;
        letters += word.len();
        titles += usize::from(word[0].is_ascii_uppercase());
    }
    if letters < 6 || value.len() > 40 || digits > 4 || algorithm(value) {
        return None;
    }
    let joined = value.iter().any(joint);
    match (digits, words) {
        (1.., 1..) => Some(Made::Numbered),
        (0, 2..) if titles == words && joined => Some(Made::Titled),
        (0, 2..) if titles == 0 => Some(Made::Joined),
        _ => None,
    }
}

/// Several words in quotes: a passphrase, or a password with a blank in it, and not a sentence of a form.
pub(super) fn phrase(value: &[u8]) -> bool {
    let mut count = 0;
    let mut told = false;
    for part in value.split(u8::is_ascii_whitespace) {
        let word = part.trim_ascii();
        let plain = word.iter().all(u8::is_ascii_alphabetic);
        let fits = (1..=24).contains(&word.len())
            && word.iter().all(|b| b.is_ascii_alphanumeric() || b"!@#$%^&*-_.?+~'".contains(b));
        if !fits || matches!(word.last(), Some(b'.' | b',' | b'?')) || is_one_of(word, FORM_WORDS) {
            return false;
        }
        count += 1;
        told |= !plain;
    }
    let lower = value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ');
    let long = value.split(|byte| *byte == b' ').all(|word| word.len() >= 4);
    told && count <= 6 || lower && ((4..=8).contains(&count) || long && count == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_are_told_from_letters_in_any_order() {
        for name in
            ["userPass", "dbPassword", "HTTPClient", "newPwd", "tmpValue", "getToken", "accessKey"]
        {
            assert!(camel(name.as_bytes()), "{name}");
        }
        for name in ["maBXZBMK", "QPMugfUu", "mxozhKcy", "DRqipsxc"] {
            assert!(!camel(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn words_are_told_from_letters() {
        let check = |value: &str, expect: bool| {
            assert_eq!(in_words(value.as_bytes()), expect, "{value}");
        };
        for value in [
            "required",
            "accessToken",
            "bg-emerald-400",
            "user_password",
            "userId",
            "REQUIRED",
            "TestOpenSession/when_empty",
            "sha256",
            "SecretStr",
            "HTTPServer",
            "refresh_token",
            "user2",
            "",
        ] {
            check(value, true);
        }
        for value in
            ["hpgdXlIB", "OO8oMb", "Marmelade99x", "Sommer2024", "qwrtzpsd", "aBcDeFgH", "xKcd93kd"]
        {
            check(value, false);
        }
    }
}
