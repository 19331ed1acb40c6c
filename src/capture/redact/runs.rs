//! Keys without a word of their own: long runs of letters and digits that are told by their length, their alphabet and
//! what is around them.

use std::ops::Range;

use super::rules;
use super::surroundings::{run_of, starts_token};
use super::{shapes, snowflake, validators};

/// The shortest run that is looked at: a token of Discord begins with one.
const LEAST: usize = snowflake::LEAST;

/// The longest run that is a key.
const LONGEST: usize = 320;

/// Every such key that begins in `part`, and its rule.
pub(super) fn keys(
    text: &[u8],
    part: Range<usize>,
    mut found: impl FnMut(Range<usize>, &'static str),
) {
    each_run(text, part, |run| {
        if let Some(span) = snowflake::token(text, &run) {
            found(span, rules::DISCORD);
        } else if let Some((span, id)) = key(text, run) {
            found(span, id);
        }
    });
}

/// Every long run of letters and digits that begins in `part`.
fn each_run(text: &[u8], part: Range<usize>, mut found: impl FnMut(Range<usize>)) {
    let mut at = part.start;
    while at < part.end {
        let Some(next) = text[at..].first_chunk() else { break };
        // Words are shorter, so the last byte that is in none is met first, and all before it is done with.
        if let Some(gap) = last_gap(next) {
            at += gap + 1;
            continue;
        }
        // A run that goes on after the part is looked at as far as a key may be long.
        let limit = text.len().min(part.end.max(at + LEAST) + LONGEST);
        let end = at + run_of(&text[at..limit], usize::MAX, u8::is_ascii_alphanumeric);
        found(at..end);
        at = end;
    }
}

/// Where the last byte stands that is no letter and no digit of ASCII. Eight are looked at at once: every text is read
/// for this from its beginning to its end.
fn last_gap(bytes: &[u8; LEAST]) -> Option<usize> {
    // Some of the first are looked at twice.
    [LEAST - 8, LEAST - 16, 0].into_iter().find_map(|at| {
        let eight = bytes[at..].first_chunk()?;
        let gaps = gaps(u64::from_le_bytes(*eight));
        (gaps != 0).then(|| at + 7 - gaps.leading_zeros() as usize / 8)
    })
}

/// The highest bit of each of eight bytes that is no letter and no digit of ASCII.
fn gaps(eight: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = 128 * ONES;
    // With its highest bit away, no byte carries into the next one.
    let low = eight & !HIGH;
    let least = |bytes: u64, byte: u8| bytes + u64::from(128 - byte) * ONES;
    let folded = low | (u64::from(b' ') * ONES);
    let letter = least(folded, b'a') & !least(folded, b'z' + 1);
    let digit = least(low, b'0') & !least(low, b'9' + 1);
    (eight | !(letter | digit)) & HIGH
}

/// The key that a run is, or is part of.
fn key(text: &[u8], run: Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let alone = |span: &Range<usize>| {
        let inner = |b: &u8| {
            b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'_' | b'-' | b'.')
        };
        starts_token(text, span.start)
            && !matches!(text[..span.start].last(), Some(b'/' | b'+' | b'-' | b'_' | b'.' | b'@'))
            && !text.get(span.end).is_some_and(|b| inner(b) && !matches!(b, b'.' | b'-'))
    };
    // The first letter after an escape (`\n`) is not part of the run.
    let run = match text[..run.start].last() {
        Some(b'\\') => run.start + 1..run.end,
        _ => run,
    };
    let value = &text[run.clone()];
    if value.starts_with(b"K2") && (26..=30).contains(&run.len()) {
        return descope(text, &run).filter(alone).map(|span| (span, rules::DESCOPE));
    }
    match run.len() {
        30 => bitwarden(text, &run).filter(alone).map(|span| (span, rules::BITWARDEN)),
        32 => {
            let zhipu = zhipu(text, &run).map(|span| (span, rules::ZHIPU));
            let asana = || asana(text, &run).map(|span| (span, rules::ASANA));
            zhipu.or_else(asana).filter(|(span, _)| alone(span))
        }
        51 | 52 => (alone(&run) && wif(&text[run.clone()])).then_some((run, rules::WALLET)),
        58 => (alone(&run) && nkey(&text[run.clone()])).then_some((run, rules::NKEY)),
        64 if lower_hex(&text[run.clone()]) => {
            ghost(text, &run).filter(alone).map(|span| (span, rules::GHOST))
        }
        60.. => {
            let id = match value {
                [b's', b'k', ..] if run.len() >= 80 => rules::SANITY,
                [b'K', b'2', ..] => rules::DESCOPE,
                _ => return None,
            };
            let random = run.len() <= LONGEST && validators::random(&text[run.clone()], 60);
            (random && alone(&run)).then_some((run, id))
        }
        _ => None,
    }
}

fn lower_hex(run: &[u8]) -> bool {
    run.iter().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b))
        && !run.iter().all(u8::is_ascii_digit)
}

/// `ID.SECRET`: 32 hexadecimal digits, and 16 letters and digits that are none.
fn zhipu(text: &[u8], id: &Range<usize>) -> Option<Range<usize>> {
    let secret = text.get(id.end..id.end + 17)?.strip_prefix(b".")?;
    let end = id.end + 17;
    let mixed = secret.iter().all(u8::is_ascii_alphanumeric)
        && secret.iter().any(u8::is_ascii_uppercase)
        && secret.iter().any(u8::is_ascii_lowercase)
        && !shapes::hexadecimal(secret);
    let ends = !text.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    (mixed && ends && lower_hex(&text[id.clone()])).then_some(id.start..end)
}

/// `1/GID:HEX` and `2/GID/GID:HEX`.
fn asana(text: &[u8], secret: &Range<usize>) -> Option<Range<usize>> {
    let mut at = secret.start.checked_sub(1).filter(|at| text[*at] == b':')?;
    for _ in 0..2 {
        let digits = text[..at].iter().rev().take(20).take_while(|b| b.is_ascii_digit()).count();
        let slash = at.checked_sub(digits + 1).filter(|at| text[*at] == b'/' && digits >= 10)?;
        let kind = slash.checked_sub(1)?;
        if matches!(text[kind], b'0'..=b'2') && !text[..kind].last().is_some_and(u8::is_ascii_digit)
        {
            return lower_hex(&text[secret.clone()]).then_some(kind..secret.end);
        }
        at = slash;
    }
    None
}

/// `ID:SECRET` in hexadecimal digits, 24 and 64 of them.
fn ghost(text: &[u8], secret: &Range<usize>) -> Option<Range<usize>> {
    let from = secret.start.checked_sub(25)?;
    (text[secret.start - 1] == b':' && lower_hex(&text[from..secret.start - 1]))
        .then_some(from..secret.end)
}

/// `0.UUID.SECRET:KEY==`, where the key is 16 bytes in Base64.
fn bitwarden(text: &[u8], secret: &Range<usize>) -> Option<Range<usize>> {
    let from = secret.start.checked_sub(39)?;
    let head = &text[from..secret.start];
    let key = text.get(secret.end..secret.end + 25)?;
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    let fits = head.starts_with(b"0.")
        && head.ends_with(b".")
        && shapes::uuid(&head[2..38])
        && key[0] == b':'
        && key[1..23].iter().all(base64)
        && key.ends_with(b"==");
    fits.then_some(from..secret.end + 25)
}

/// `K2...:K2...`, a key and its secret.
fn descope(text: &[u8], key: &Range<usize>) -> Option<Range<usize>> {
    let secret = text[key.end..].strip_prefix(b":K2")?;
    let length = run_of(secret, 200, u8::is_ascii_alphanumeric);
    let end = key.end + 3 + length;
    (length >= 24 && validators::random(&text[key.end + 1..end], 24)).then_some(key.start..end)
}

/// The private key of a Bitcoin wallet (WIF): 51 letters of Base58 from a 5, 52 from a K or L.
fn wif(run: &[u8]) -> bool {
    let base58 = |b: &u8| b.is_ascii_alphanumeric() && !matches!(b, b'0' | b'O' | b'I' | b'l');
    let head = if run.len() == 51 {
        matches!(run, [b'5', b'H' | b'J' | b'K', ..])
    } else {
        matches!(run[0], b'K' | b'L')
    };
    head && run.iter().all(base58) && validators::random(run, 50)
}

/// The seed of a NATS key: `S`, the kind of key, 56 letters of Base32.
fn nkey(run: &[u8]) -> bool {
    let base32 = |b: &u8| b.is_ascii_uppercase() || (b'2'..=b'7').contains(b);
    matches!(run, [b'S', b'U' | b'A' | b'O' | b'N' | b'C' | b'X', ..])
        && run.iter().all(base32)
        && run.iter().any(u8::is_ascii_digit)
        && validators::distinct(run) > 12
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str)> {
        let mut all = Vec::new();
        keys(text.as_bytes(), 0..text.len(), |span, id| all.push((&text[span], id)));
        all
    }

    #[test]
    fn a_gap_is_any_byte_but_a_letter_or_a_digit() {
        for byte in 0..=u8::MAX {
            for at in 0..LEAST {
                let mut bytes = *b"0123456789AYZabczdefgh";
                bytes[at] = byte;
                let expect = (!byte.is_ascii_alphanumeric()).then_some(at);
                assert_eq!(last_gap(&bytes), expect, "{byte} at {at}");
                if at > 0 {
                    bytes[at - 1] = b'-';
                    assert_eq!(last_gap(&bytes), expect.or(Some(at - 1)), "{byte} at {at}");
                }
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_long_run_is_passed_over(text in "([a-z0-9]{1,40}[ .]?){0,12}", part: (u8, u8)) {
            let (a, b) = (usize::from(part.0).min(text.len()), usize::from(part.1).min(text.len()));
            let part = a.min(b)..a.max(b);
            let mut found = Vec::new();
            each_run(text.as_bytes(), part.clone(), |run| found.push(run));
            let mut expect = Vec::new();
            let mut start = part.start;
            for run in text[part.start..].split([' ', '.']) {
                if run.len() >= LEAST && start < part.end {
                    // None of these is longer than a key may be after the part.
                    expect.push(start..start + run.len());
                }
                start += run.len() + 1;
            }
            let short = |run: &&Range<usize>| run.len() < LONGEST;
            proptest::prop_assert_eq!(
                found.iter().filter(short).collect::<Vec<_>>(),
                expect.iter().filter(short).collect::<Vec<_>>()
            );
        }
    }

    /// A key of this shape: `h` stands for hexadecimal digits, `d` for digits, `x` for letters and digits; the rest for
    /// itself.
    fn made(shape: &[(char, usize)]) -> String {
        const ALL: &[u8] = b"k7Qx2Lm9Zp4Rt8Wc3Vn6Yb5Hj1GsdFaTeUu";
        let mut seed = 7_usize;
        let mut next = |letters: &[u8]| {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            char::from(letters[(seed >> 16) % letters.len()])
        };
        let mut key = String::new();
        for (kind, count) in shape {
            for _ in 0..*count {
                key.push(match kind {
                    'h' => next(b"0123456789abcdef"),
                    'd' => next(b"123456789"),
                    'x' => next(ALL),
                    'B' => next(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
                    other => *other,
                });
            }
        }
        key
    }

    fn all() -> Vec<(String, &'static str)> {
        let uuid = [
            ('h', 8),
            ('-', 1),
            ('h', 4),
            ('-', 1),
            ('h', 4),
            ('-', 1),
            ('h', 4),
            ('-', 1),
            ('h', 12),
        ];
        let bitwarden = [
            &[('0', 1), ('.', 1)][..],
            &uuid,
            &[('.', 1), ('x', 30), (':', 1), ('x', 22), ('=', 2)],
        ];
        vec![
            (made(&[('h', 32), ('.', 1), ('x', 16)]), rules::ZHIPU),
            (made(&bitwarden.concat()), rules::BITWARDEN),
            (made(&[('1', 1), ('/', 1), ('d', 16), (':', 1), ('h', 32)]), rules::ASANA),
            (
                made(&[('2', 1), ('/', 1), ('d', 16), ('/', 1), ('d', 16), (':', 1), ('h', 32)]),
                rules::ASANA,
            ),
            (made(&[('h', 24), (':', 1), ('h', 64)]), rules::GHOST),
            (made(&[('s', 1), ('k', 1), ('x', 160)]), rules::SANITY),
            (made(&[('K', 1), ('2', 1), ('x', 70)]), rules::DESCOPE),
            (
                made(&[('K', 1), ('2', 1), ('x', 26), (':', 1), ('K', 1), ('2', 1), ('x', 40)]),
                rules::DESCOPE,
            ),
            (made(&[('S', 1), ('U', 1), ('B', 56)]), rules::NKEY),
            (made(&[('K', 1), ('x', 51)]), rules::WALLET),
        ]
    }

    #[test]
    fn keys_without_a_word_are_known_wherever_they_stand() {
        for (key, id) in all() {
            for before in ["", "x ", "\n", "\\n", "key=", "\"", "`", "and so on and on: "] {
                for behind in ["", " ", "\n", "\\n", "\"", ". And", ","] {
                    let text = format!("{before}{key}{behind}");
                    assert_eq!(found(&text), [(&*key, id)], "{before:?} {id} {behind:?}");
                }
            }
        }
    }

    #[test]
    fn hashes_paths_and_longer_runs_are_none() {
        let (hash, long) = (made(&[('h', 32)]), made(&[('h', 64)]));
        for text in [
            format!("{hash}.json"),
            format!("{hash}.{}", made(&[('h', 16)])),
            format!("objects/1/{hash}:{hash}"),
            format!("sha256:{long}"),
            format!("ab12:{long}"),
            made(&[('x', 400)]),
            made(&[('L', 1), ('x', 53)]),
            format!("data:image/png;base64,iVBOR/{}+", made(&[('K', 1), ('2', 1), ('x', 90)])),
        ] {
            assert!(found(&text).is_empty(), "{text}");
        }
    }
}
