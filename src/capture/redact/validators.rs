//! What a value must look like to be called a secret.
//!
//! A key word beside a value proves little: `password: required`, `token = get_token()`. These validators
//! keep placeholders, references, identifiers, paths and code as they are.

use std::ops::Range;

use super::address::path;
use super::lists::PLACEHOLDERS;
use super::shapes::{algorithm, code, identifier, number};
use super::surroundings::run_of;

/// Bits of entropy for each byte, by the value's own frequencies: 0 for `aaaa`, 4 for sixteen different bytes.
pub(super) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    for byte in value {
        counts[usize::from(*byte)] += 1;
    }
    let total = f64::from(u32::try_from(value.len()).unwrap_or(u32::MAX).max(1));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

/// How many different bytes the value has.
pub(super) fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    for byte in value {
        seen[usize::from(*byte)] = true;
    }
    seen.iter().filter(|seen| **seen).count()
}

/// Something a person writes instead of a secret: `YOUR_KEY`, `xxxx`, `${VAR}`, `<token>`, `********`.
pub(super) fn placeholder(value: &[u8]) -> bool {
    reference(value) || filler(value)
}

/// What fills a form: `YOUR_KEY`, `xxxx`, `********`.
pub(super) fn filler(value: &[u8]) -> bool {
    distinct(value) <= 3
        || PLACEHOLDERS.iter().any(|word| stands_in(value, word))
        // Seven equal bytes in a row fill a form, unless much else is around them.
        || value.windows(7).any(|run| run.iter().all(|byte| *byte == run[0])) && distinct(value) < 12
}

/// The name of a value instead of the value: `$VAR`, `${VAR}`, `$(command)`, `%(name)s`, `{{ name }}`, `<name>`.
fn reference(value: &[u8]) -> bool {
    let names = |rest: &[u8]| {
        !rest.is_empty() && rest.iter().all(|b| b.is_ascii_alphabetic() || *b == b'_')
    };
    let opens = match value {
        [] | [b'<' | b'[', ..] | [b'@' | b'#', b'{', ..] => true,
        // A tag of YAML: `!vault`, `!secret name`
        [b'!', rest @ ..] => rest.iter().all(|b| b.is_ascii_lowercase() || *b == b'_'),
        [b'$', rest @ ..] => names(rest) || rest.starts_with(b"env:") || rest.starts_with(b"("),
        [b'%', rest @ ..] => {
            names(rest.strip_suffix(b"%").unwrap_or(rest)) || rest.starts_with(b"(")
        }
        _ => false,
    };
    opens
        || value.starts_with(b"{{") && !value.contains(&b'$')
        || value.windows(2).any(|pair| pair == b"<%" || pair == b"{}")
        || holds_name(value)
        || formats(value)
}

/// `VS%0.f0TOOLS`, `key%d`: what printf fills.
fn formats(value: &[u8]) -> bool {
    memchr::memchr_iter(b'%', value).any(|at| {
        let rest = &value[at + 1..];
        let width = run_of(rest, 6, |b| b.is_ascii_digit() || *b == b'.');
        matches!(rest.get(width), Some(b's' | b'd' | b'u' | b'x' | b'f'))
            && (width == 0 || rest[..width].contains(&b'.'))
            && rest.get(width + 1).is_none_or(|b| !b.is_ascii_lowercase())
            && !value.iter().any(|b| matches!(b, b'!' | b'#' | b'^' | b'&' | b'*'))
    })
}

/// `{name}` anywhere: a template, as many languages write it.
fn holds_name(value: &[u8]) -> bool {
    memchr::memchr_iter(b'{', value).any(|at| {
        let inner = value[at + 1..].trim_ascii_start();
        let inner = &inner[inner.iter().take_while(|b| **b == b'_').count()..];
        let name = inner
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b' '))
            .count();
        name >= 2
            && inner.get(name).is_some_and(|b| matches!(b, b'}' | b'(' | b'[' | b':' | b'!'))
            && inner[0].is_ascii_alphabetic()
    })
}

/// Whether a person wrote the word. Four letters of either case also come up in long random values, so a
/// short word counts only as people spell it: `fake`, `FAKE`, `Fake`.
fn stands_in(value: &[u8], word: &str) -> bool {
    let spelled = |part: &[u8]| {
        !part[1..].iter().any(u8::is_ascii_uppercase) || !part.iter().any(u8::is_ascii_lowercase)
    };
    let word = word.as_bytes();
    value.windows(word.len()).any(|part| {
        // Tells most of them apart, in less time than a call takes.
        part[0].eq_ignore_ascii_case(&word[0])
            && part.eq_ignore_ascii_case(word)
            && (word.len() > 4 || spelled(part))
    })
}

/// Kinds of characters in a value.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Classes {
    pub(super) lower: usize,
    pub(super) upper: usize,
    pub(super) digits: usize,
    pub(super) other: usize,
}

impl Classes {
    /// Counts them.
    pub(super) fn of(value: &[u8]) -> Self {
        let mut counts = Self::default();
        for byte in value {
            match byte {
                b'a'..=b'z' => counts.lower += 1,
                b'A'..=b'Z' => counts.upper += 1,
                b'0'..=b'9' => counts.digits += 1,
                _ => counts.other += 1,
            }
        }
        counts
    }
}

/// No reference, placeholder, path or code: something that may be a value at all.
pub(super) fn literal(value: &[u8]) -> bool {
    value.len() >= 6 && !placeholder(value) && !number(value) && !code(value) && !path(value)
}

/// A value a generator made: at least `least` bytes, letters with digits or wildly mixed case, no words.
pub(super) fn random(value: &[u8], least: usize) -> bool {
    if value.len() < least || !literal(value) || identifier(value) {
        return false;
    }
    let foreign = |byte: &u8| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_control()
            || matches!(byte, b'"' | b'\'' | b'(' | b')' | b'{' | b'}' | b'\\' | b'`')
    };
    if value.iter().any(foreign) {
        return false;
    }
    let classes = Classes::of(value);
    let letters = classes.lower + classes.upper;
    let mixed = classes.digits > 0 && letters > 0
        || letters > 0
            && value.len() >= 20
            && (classes.upper * 5 > letters && classes.lower * 5 > letters || classes.other == 0)
        || letters == 0 && classes.digits >= 22;
    mixed
        && distinct(value) >= 8.min(value.len() / 2 + 1)
        && entropy(value) >= 2.7
        && classes.other * 3 < value.len()
        && !segmented(value)
}

/// Names with a version or a date in them: most of the parts are words.
fn segmented(value: &[u8]) -> bool {
    let parts: Vec<&[u8]> = value
        .split(|byte| matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'@' | b' '))
        .filter(|part| !part.is_empty())
        .collect();
    let words = || parts.iter().filter(|part| part.len() > 2 && identifier(part));
    parts.len() >= 3 && words().map(|part| part.len()).sum::<usize>() * 2 >= value.len()
}

/// A password a person or a program chose: letters with digits or signs; `strict` asks for more than one sign of it.
pub(super) fn password(value: &[u8], strict: bool) -> bool {
    if !literal(value) || value.len() > 128 || value.iter().any(u8::is_ascii_whitespace) {
        return false;
    }
    let classes = Classes::of(value);
    if classes.lower + classes.upper == 0 {
        return false;
    }
    let cases = classes.lower > 0 && classes.upper > 0;
    let sign = |byte: &u8| {
        matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'?' | b'~')
    };
    let signs = value.iter().any(sign);
    if !identifier(value) {
        return match (classes.digits > 0, strict) {
            (true, false) => true,
            (true, true) => {
                signs || cases || classes.digits >= 3 || value.len() >= 12 && !segmented(value)
            }
            (false, false) => signs,
            // Nothing but a password has so many signs and no reason for them.
            (false, true) => {
                let escapes = value.iter().filter(|byte| matches!(byte, b'\\' | b'"')).count();
                classes.other - escapes >= 6 && distinct(value) >= 12
            }
        };
    }
    // Words with a number: `Hunter172!` has a sign no identifier has, `monkey123` three digits.
    classes.digits > 0 && signs && (cases || !strict || classes.digits > 1)
        || signs && cases && !strict && value.len() >= 8
        || classes.digits >= 3 && !strict && value.len() >= 8 && !algorithm(value)
}

/// The part of a span that passes, or nothing.
pub(super) fn trimmed(text: &[u8], span: Range<usize>) -> Option<Range<usize>> {
    let value = &text[span.clone()];
    let start = value.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let end = value.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (start + end < value.len()).then(|| span.start + start..span.end - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_no_values() {
        let check = |value: &str, expect: bool| {
            assert_eq!(placeholder(value.as_bytes()), expect, "{value}");
        };
        for value in [
            "",
            "$DB_PASS",
            "${DB_PASS}",
            "$(pass show x)",
            "%(name)s",
            "%TOKEN%",
            "{{ token }}",
            "<token>",
        ] {
            check(value, true);
        }
        for value in [
            "f{user.name}x",
            "xxxxxxxx",
            "0000000000000000",
            "YOUR_KEY_12",
            "sk_test_...",
            "my-fake-1234567",
            "FAKE1234567890",
            "aFakeKey12345",
            "AKIA7EXAMPLE",
            "a-aaaa-aaa",
        ] {
            check(value, true);
        }
        // Letters that came up in it by chance.
        for value in ["Qz81fAKEF080vnR3", "Qz81FakEF080vnR3"] {
            check(value, false);
        }
        for value in ["$tr0ng!Pass", "m{{h}o)p${e]n#", "Tr0ub4dor&3", "1aA{2}b", "%4fG9!xq"] {
            check(value, false);
        }
    }

    #[test]
    fn random_values_are_told_from_words() {
        let check =
            |value: &str, expect: bool| assert_eq!(random(value.as_bytes(), 10), expect, "{value}");
        for value in [
            "k3J9fQ2mZx8W",
            "a6x62c783l1cswx1",
            "GkwFDQoHqzXDVsCGqYUypD",
            "abcdefghijklmnopqrstuvwxyz12",
            "9f70435b84730cd0",
        ] {
            check(value, true);
        }
        for value in [
            "customer_account_2",
            "base64url-token",
            "X509CertificateTemplateFlag",
            "nl80211_rekey_data",
            "us-east-1a-prod",
            "getUserPasswordHash2",
            "2026-03-02T14:02:11",
            "-2147483648i32",
            "/usr/lib/x86_64/lib1",
            "config.get_key2(x)",
            "short1",
            "SOFTWARE\\WOW6432Node\\Microsoft",
            "NUMERICIDENTIFIERLOOSE",
            "'quoted1'23",
        ] {
            check(value, false);
        }
    }

    #[test]
    fn passwords_have_digits_or_signs() {
        let check = |value: &str, strict: bool, expect: bool| {
            assert_eq!(password(value.as_bytes(), strict), expect, "{value} {strict}");
        };
        for value in ["Hunter172!", "River9374@", "dipPr15Gg!", "p4ss2w0rd9X", "Tiger-Seoul5273"] {
            check(value, false, true);
            check(value, true, true);
        }
        for value in ["monkey123", "dragon-qwerty592"] {
            check(value, false, true);
            check(value, true, false);
        }
        for value in [
            "required",
            "argon2id",
            "sha512",
            "user_input_2",
            "two words1",
            "abc1",
            "getpass.getpass()",
            "12345678",
        ] {
            check(value, false, false);
        }
    }

    #[test]
    fn entropy_is_bits_a_byte() {
        assert!(entropy(b"aaaa").abs() < 1e-9);
        assert!((entropy(b"abcdabcd") - 2.0).abs() < 1e-9);
        assert!((entropy(b"0123456789abcdef") - 4.0).abs() < 1e-9);
    }
}
