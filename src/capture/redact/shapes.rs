//! What a value can be instead of a secret: a word, a path, a number, a hash, a piece of code.
//!
//! These are guesses about single values. A wrong guess costs a word or keeps a secret, so each has its
//! samples below, from real text that was mistaken for a secret once.

use super::lists::ALGORITHMS;

/// For each letter those that seldom follow it in names: under four of ten thousand pairs, counted in a few
/// million names of Rust, TypeScript and Python sources.
#[rustfmt::skip]
const SELDOM: [&str; 26] = [
    "aehjoqz", "bcdfghkmnpqvwxz", "bdfgjmnqvwxz", "bcfjkmnpqtvwxyz",
    "hjkuz", "bcdghjkmnpqvwxyz", "bcdfjkmpqtvwxyz", "bdfghjklmnpqsvwxyz",
    "hijkquwy", "abcdfghijklmnopqrtuvwxyz", "bcdfghjklmnopqrtuvwxyz", "cfghjkmnqrwxz",
    "cdfghjknqrtvwxyz", "bhjmqrwxyz", "ehjqyz", "bcfgjkmnqvwxz",
    "abcdefghijklmnopqrstvwxyz", "bhjqwxz", "bdfgjmnqrvwxz", "bdgjknqvwxz",
    "hjkoquvwxyz", "bcdfghjklmnpqrstuvwxyz", "bcdfgjklmpqtuvwxyz", "abdfghijklmnoqrsuvwxz",
    "bcdefghijkmoqruvwxyz", "abcdfghijklmnopqrstuvwxyz",
];

/// Eight, four, four, four, twelve hexadecimal digits.
pub(super) fn uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(i, byte)| {
            if matches!(i, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_alphanumeric() }
        })
}

pub(super) fn hexadecimal(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(u8::is_ascii_hexdigit)
}

/// The length and alphabet of a digest: MD5, SHA-1, SHA-224 to SHA-512 in hexadecimal.
pub(super) fn digest(value: &[u8]) -> bool {
    matches!(value.len(), 32 | 40 | 56 | 64 | 96 | 128) && hexadecimal(value)
}

/// Words, with numbers or without: `customer_account_2`, `sha256`, `us-east-1`, `X509KeyUsage`.
pub(super) fn identifier(value: &[u8]) -> bool {
    let separates = |byte: &u8| {
        matches!(
            byte,
            b'_' | b'-'
                | b'.'
                | b'/'
                | b':'
                | b' '
                | b'+'
                | b'@'
                | b'#'
                | b'\\'
                | b'='
                | b'~'
                | b'$'
        )
    };
    value.split(separates).all(named) || algorithm(value)
}

/// `sha256`, `base64url`, `RS256-signed`: the name of an algorithm and little else.
pub(super) fn algorithm(value: &[u8]) -> bool {
    // `AES-256-GCM`, `SHA-512`: the same names in parts
    let mut plain = [0u8; 24];
    let value = match plain.get_mut(..value.len()) {
        Some(plain) if value.contains(&b'-') => {
            let mut length = 0;
            for byte in value.iter().filter(|byte| **byte != b'-') {
                plain[length] = *byte;
                length += 1;
            }
            &plain[..length]
        }
        _ => value,
    };
    ALGORITHMS
        .iter()
        .any(|name| (name.len()..=name.len() + 8).contains(&value.len()) && contains(value, name))
}

/// Whether the name of an algorithm is in the value: `PBKDF2-HMAC-SHA256`, `OAuth2ClientSecret`.
pub(super) fn names_algorithm(value: &[u8]) -> bool {
    ALGORITHMS.iter().any(|name| contains(value, name))
}

/// One part of an identifier: a word, a short number, or mostly words with a number or two among them.
fn named(part: &[u8]) -> bool {
    if !part.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digits = part.len() - letters;
    if digits <= if letters == 0 { 4 } else { 3 } && part[letters..].iter().all(u8::is_ascii_digit)
    {
        return worded(&part[..letters]) && (digits == 0 || !scrambled(&part[..letters]));
    }
    let runs = || part.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let numbers = runs().filter(|run| run[0].is_ascii_digit()).count();
    let words: usize = runs()
        .filter(|run| {
            run.len() >= 3 && run[0].is_ascii_alphabetic() && worded(run) && !scrambled(run)
        })
        .map(<[u8]>::len)
        .sum();
    numbers <= 2 && words * 20 > part.len() * 13 || around_algorithm(part)
}

/// Letters no language puts together: more than one pair in four is seldom.
fn scrambled(letters: &[u8]) -> bool {
    let inside = |pair: &&[u8]| !(pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let pairs = letters.windows(2).filter(inside).count();
    letters.len() >= 5
        && letters.windows(2).filter(inside).filter(|pair| seldom(pair)).count() * 4 > pairs
}

/// Whether the second of two letters seldom follows the first in names.
pub(super) fn seldom(pair: &[u8]) -> bool {
    let after = SELDOM[usize::from(pair[0].to_ascii_lowercase() - b'a')];
    after.as_bytes().contains(&pair[1].to_ascii_lowercase())
}

/// `Ed25519PrivateKey`, `sha256kdf`: the name of an algorithm between words.
fn around_algorithm(part: &[u8]) -> bool {
    ALGORITHMS.iter().any(|name| {
        // Most places are done with after a byte.
        let first = |window: &[u8]| window[0].eq_ignore_ascii_case(&name.as_bytes()[0]);
        let stands = |window: &[u8]| first(window) && window.eq_ignore_ascii_case(name.as_bytes());
        part.windows(name.len())
            .position(stands)
            .is_some_and(|at| named(&part[..at]) && named(&part[at + name.len()..]))
    })
}

/// Letters that read as words: one case, or capitals at the start of each word, with vowels.
fn worded(letters: &[u8]) -> bool {
    /// `internationalization`; more letters in one case are an alphabet or noise
    const LONGEST_WORD: usize = 20;
    let lower = letters.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let upper = letters.len() - lower;
    if letters.len() <= 4 {
        return lower == 0 || upper == 0 || upper == 1 && letters[0].is_ascii_uppercase();
    }
    if !letters.iter().any(|byte| is_vowel(*byte)) || !vowels(letters) {
        return false;
    }
    // Names in capitals have no other way to join their words.
    let longest = if lower == 0 { LONGEST_WORD + 6 } else { LONGEST_WORD };
    if letters
        .chunk_by(|a, b| a.is_ascii_lowercase() == b.is_ascii_lowercase())
        .any(|run| run.len() > longest)
    {
        return false;
    }
    lower == 0 || upper == 0 || humps(letters) * 5 <= letters.len() * 2
}

/// The words of a camel-case name: `Node`, `JS` in `NodeJS`. Random letters have one for each two letters.
fn humps(letters: &[u8]) -> usize {
    let mut humps = 1;
    for (at, pair) in letters.windows(2).enumerate() {
        let rises = pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        // The last capital of an acronym starts the next word: `GCMAPIKey`.
        let ends = at > 0
            && letters[at - 1].is_ascii_uppercase()
            && pair[0].is_ascii_uppercase()
            && pair[1].is_ascii_lowercase();
        humps += usize::from(rises) + usize::from(ends);
    }
    humps
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Whether every stretch of letters could be spoken: a vowel at least every seven letters.
fn vowels(letters: &[u8]) -> bool {
    let mut without = 0;
    for byte in letters {
        if is_vowel(*byte) {
            without = 0;
        } else {
            without += 1;
            if without > 6 {
                return false;
            }
        }
    }
    true
}

/// Source text in place of a value: a call, an index, a chain of names, an operator, a pattern.
pub(super) fn code(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| *byte == b'.');
    let chain = value.contains(&b'.')
        && parts.all(|part| {
            part.first().is_some_and(|byte| !byte.is_ascii_digit())
                && part.iter().all(|b| is_name(*b))
                && identifier(part)
        });
    let call = value.iter().position(|byte| matches!(byte, b'(' | b'[')).is_some_and(|at| {
        at > 0 && value[..at].iter().all(|b| is_name(*b) || matches!(b, b'.' | b':' | b'!' | b'-'))
    });
    let operators = [
        &b"::"[..],
        b"/*",
        b"*/",
        b"->",
        b"=>",
        b"()",
        b"||",
        b"&&",
        b"?.",
        b"][",
        b".*",
        b".+",
        b"(?",
        b"[^",
        b"a-z",
        b"\\w",
        b"\\d",
        b"\\s",
    ];
    call || chain
        || operators.iter().any(|operator| memchr::memmem::find(value, operator).is_some())
        || value.first().is_some_and(|byte| matches!(byte, b'&' | b'*' | b'(' | b'^'))
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// A number in any spelling: dates, times, versions, `-2147483648i32`, `0x7fff_ffff`, `15_000ms`.
pub(super) fn number(value: &[u8]) -> bool {
    let plain = value.iter().all(|byte| {
        byte.is_ascii_digit()
            || matches!(
                byte,
                b'.' | b'-' | b':' | b'/' | b'T' | b'Z' | b'+' | b',' | b'_' | b'%' | b'e'
            )
    });
    let unsigned = value.strip_prefix(b"-").unwrap_or(value);
    let hexadecimal = unsigned.len() <= 18
        && unsigned.strip_prefix(b"0x").is_some_and(|digits| {
            let suffix = digits
                .iter()
                .rev()
                .take(3)
                .take_while(|b| matches!(b, b'u' | b'U' | b'l' | b'L'))
                .count();
            digits[..digits.len() - suffix].iter().all(|b| b.is_ascii_hexdigit() || *b == b'_')
        });
    let digits = unsigned
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.'))
        .count();
    let unit = &unsigned[digits..];
    let suffixed = digits > 0
        && (unit.len() <= 2 || matches!(unit, [b'i' | b'u' | b'f', rest @ ..] if rest.len() <= 4));
    // No number has so many digits; keys have.
    let endless = value.len() >= 22 && value.iter().all(u8::is_ascii_digit);
    !endless && (plain || hexadecimal || suffixed)
}

/// Whether the word is in the value, in any case.
pub(super) fn contains(value: &[u8], word: &str) -> bool {
    value.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: fn(&[u8]) -> bool, yes: &[&str], no: &[&str]) {
        for value in yes {
            assert!(rule(value.as_bytes()), "{value}");
        }
        for value in no {
            assert!(!rule(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn identifiers() {
        check(
            identifier,
            &[
                "token",
                "api_key_2",
                "MaxTokens",
                "SpGetCredUIContextFn",
                "NodeJS.ArrayBufferView",
                "APIKeyAuth$inboundSchema",
                "Ed25519PrivateKey",
                "sha256",
                "RS256",
                "us-east-1",
                "a.b.c",
                "X509KeyUsage",
            ],
            &[
                "phPnh2VACEF3",
                "k3J9fQ2m",
                "9f70435b84730cd0",
                "abcdefghijklmnopqrstuvwxyz",
                "Hunter17234",
            ],
        );
    }

    #[test]
    fn numbers() {
        check(
            number,
            &[
                "123",
                "-2147483648i32",
                "0x8000_0000",
                "2026-11-20T00:00:00Z",
                "15ms",
                "1.5e-3",
                "64KB",
                "100%",
            ],
            &["12ab34cd", "0xzz", "1234567890123456789012", "v1.2.3"],
        );
    }

    #[test]
    fn paths() {
        check(
            crate::capture::redact::address::path,
            &[
                "./x",
                "~/.ssh/id",
                "https://a.test/x",
                "src/capture/redact.rs",
                r"C:\Users\me",
                "$HOME/.config/key2",
                "arn:aws:iam::1:x",
            ],
            &["wJalr/K7MDENG/bPxRfiCY", "abc", "k3J9/fQ2m+Zx8W="],
        );
    }

    #[test]
    fn pieces_of_code() {
        check(
            code,
            &[
                "get_token()",
                "env(\"X\")",
                "settings.SECRET_KEY",
                "a::b",
                "x->y",
                "config?.askpass",
                "^[a-z]+$",
                "&value",
                "list[0]",
            ],
            &["Tr0ub4dor&3", "k3J9fQ2m", "eyJh.eyJz.sig1", "a,b"],
        );
    }

    #[test]
    fn digests_and_uuids() {
        check(
            digest,
            &["d41d8cd98f00b204e9800998ecf8427e"],
            &["d41d8cd98f00b204e9800998ecf8427", "g41d8cd98f00b204e9800998ecf8427e"],
        );
        check(
            uuid,
            &["123e4567-e89b-12d3-a456-426614174000"],
            &["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456_426614174000"],
        );
    }
}
