//! Discord bot tokens: the Base64 of a numeric id, a dot, six characters, a dot, a signature.
//!
//! No letter of the format is constant, but an id is a long run of letters and digits that begins as three digits do.

use std::ops::Range;

use super::formats::from_base64;
use super::surroundings::starts_token;
use super::validators;

/// The shortest id: sixteen digits.
pub(super) const LEAST: usize = 22;

/// How much of a run may belong to what is before a token: the end of `\u003d`, say.
const BEFORE: usize = 5;

/// The token whose id is in a run of letters and digits.
pub(super) fn token(text: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    (run.start..=run.start + BEFORE).find_map(|start| token_at(text, start))
}

/// Whether these are the Base64 of a number of three digits: `MTAw`, that of `100`, to `OTk5`.
fn begins(four: [u8; 4]) -> bool {
    let digit = |(at, byte): &(usize, u8)| byte.is_ascii_digit() && (*at > 0 || *byte != b'0');
    from_base64(&four).enumerate().filter(digit).count() == 3
}

fn token_at(text: &[u8], start: usize) -> Option<Range<usize>> {
    let run = |from: usize| {
        let part = text[from.min(text.len())..].iter().take(64);
        part.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count()
    };
    let first = text.get(start..)?.first_chunk()?;
    if !begins(*first) || !starts_token(text, start) {
        return None;
    }
    let id = run(start);
    let time = start + id + 1;
    let signature = time + 7;
    let dots = text.get(time - 1) == Some(&b'.') && text.get(time + 6) == Some(&b'.');
    if !(LEAST..=28).contains(&id) || !dots || run(time) != 6 {
        return None;
    }
    let length = run(signature);
    let span = start..signature + length;
    (length >= 25 && !validators::placeholder(&text[span.clone()])).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::redact::Redactor;

    #[test]
    fn starts_are_the_base64_of_three_digits() {
        for (four, expect) in [
            (b"MTAw", true),  // 100
            (b"NDI3", true),  // 427
            (b"OTk5", true),  // 999
            (b"MDk5", false), // 099
            (b"MTBh", false), // 10a
            (b"mtaw", false),
            (b"MT-w", false),
        ] {
            assert_eq!(begins(*four), expect, "{}", String::from_utf8_lossy(four));
        }
    }

    #[test]
    fn tokens_are_found_by_their_shape() {
        let signature = "Xb1Mk2nEhe4iUcrGOuegj57zMC0";
        let check = |id: &str, time: &str, signature: &str, expect: bool| {
            let text = format!("bot {id}.{time}.{signature}!");
            let found = token(text.as_bytes(), &(4..text.len())).map(|span| &text[span]);
            let token = text[4..].trim_end_matches('!');
            assert_eq!(found, expect.then_some(token), "{text}");
        };
        check("MTA4NjY1NDMyMTA5ODc2NTQz", "GaBcDe", signature, true);
        check("MTA4NjY1NDMyMTA5ODc2NTQz", "GaBcD", signature, false);
        check("MTA4NjY1NDMy", "GaBcDe", signature, false);
        check("MTA4NjY1NDMyMTA5ODc2NTQz", "GaBcDe", "short", false);
    }

    #[test]
    fn what_is_escaped_before_a_token_is_no_part_of_it() {
        let token = "MTA4NjY1NDMyMTA5ODc2NTQz.GaBcDe.Xb1Mk2nEhe4iUcrGOuegj57zMC0";
        for before in ["", "bot=", "\\n", "\\u003d", "%3D", "\u{1b}[94m"] {
            let text = format!("{before}{token}");
            let found = Redactor::standard().redact(text.as_bytes());
            let expect = format!("{before}[REDACTED:discord-token]");
            assert_eq!(String::from_utf8_lossy(&found.bytes), expect, "{text}");
        }
    }
}
