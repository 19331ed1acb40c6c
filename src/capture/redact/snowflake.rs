//! Discord bot tokens: the Base64 of a numeric id, a dot, six characters, a dot, a signature.
//!
//! No letter of the format is constant, but three digits can begin in nine hundred ways only.

use std::ops::Range;

use super::text::starts_token;
use super::validators;

/// The first four letters a token can have: `MTAw`, the Base64 of `100`, to `OTk5`.
pub(super) fn starts() -> impl Iterator<Item = String> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (100..1000u32).map(|number| {
        let digits = number.to_string().bytes().fold(0, |bits, digit| bits << 8 | u32::from(digit));
        (0..4)
            .rev()
            .map(|place| char::from(ALPHABET[(digits >> (6 * place) & 63) as usize]))
            .collect()
    })
}

/// The token that starts at the hit.
pub(super) fn token(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let run = |from: usize| {
        let part = text[from.min(text.len())..].iter().take(64);
        part.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count()
    };
    if !matches!(text[hit.start], b'M' | b'N' | b'O') || !starts_token(text, hit.start) {
        return None;
    }
    let id = run(hit.start);
    let time = hit.start + id + 1;
    let signature = time + 7;
    let dots = text.get(time - 1) == Some(&b'.') && text.get(time + 6) == Some(&b'.');
    if !(22..=28).contains(&id) || !dots || run(time) != 6 {
        return None;
    }
    let length = run(signature);
    let span = hit.start..signature + length;
    (length >= 25 && !validators::placeholder(&text[span.clone()])).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_the_base64_of_three_digits() {
        let all: Vec<_> = starts().collect();
        assert_eq!((all.len(), all[0].as_str(), all[899].as_str()), (900, "MTAw", "OTk5"));
    }

    #[test]
    fn tokens_are_found_by_their_shape() {
        let check = |id: &str, time: &str, signature: &str, expect: bool| {
            let text = format!("bot {id}.{time}.{signature}!");
            let found = token(text.as_bytes(), &(4..8)).map(|span| text[span].to_owned());
            assert_eq!(found.is_some(), expect, "{text}");
        };
        let signature = "Xb1Mk2nEhe4iUcrGOuegj57zMC0";
        check("MTA4NjY1NDMyMTA5ODc2NTQz", "GaBcDe", signature, true);
        check("MTA4NjY1NDMyMTA5ODc2NTQz", "GaBcD", signature, false);
        check("MTA4NjY1NDMy", "GaBcDe", signature, false);
        check("MTA4NjY1NDMyMTA5ODc2NTQz", "GaBcDe", "short", false);
    }
}
