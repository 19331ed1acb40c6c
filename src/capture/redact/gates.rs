//! What a value must look like to be called a secret.
//!
//! A key word beside a value proves little: `password: required`, `token = get_token()`. These gates
//! keep placeholders, references, identifiers, paths and code as they are.

use std::ops::Range;

/// Words that only stand in a value which nobody uses.
const PLACEHOLDERS: [&str; 31] = [
    "example",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "your_",
    "your-",
    "yourapi",
    "yourkey",
    "yourtoken",
    "yoursecret",
    "yourpass",
    "insert",
    "replace",
    "dummy",
    "redacted",
    "sample",
    "fixme",
    "xxxx",
    "****",
    "...",
    "…",
    "undefined",
    "not_set",
    "fake",
    "process.env",
    "os.environ",
    "getenv",
    "<token",
    "goes-here",
    "_here",
];

/// Names of algorithms and encodings: letters and digits, yet no secret.
const ALGORITHMS: [&str; 34] = [
    "sha1",
    "sha2",
    "sha3",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "md5",
    "bcrypt",
    "scrypt",
    "argon2",
    "pbkdf2",
    "ed25519",
    "x25519",
    "curve25519",
    "secp256",
    "rsa1024",
    "rsa2048",
    "rsa4096",
    "aes128",
    "aes256",
    "hs256",
    "hs512",
    "rs256",
    "rs512",
    "es256",
    "utf8",
    "utf16",
    "base64",
    "base32",
    "oauth2",
    "x509",
    "pkcs",
    "hmac",
];

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
    reference(value)
        || distinct(value) <= 3
        || PLACEHOLDERS.iter().any(|word| contains(value, word))
        // Seven equal bytes in a row fill a form, unless much else stands around them.
        || value.windows(7).any(|run| run.iter().all(|byte| *byte == run[0])) && distinct(value) < 12
}

/// The name of a value instead of the value: `$VAR`, `${VAR}`, `$(command)`, `%(name)s`, `{{ name }}`, `<name>`.
fn reference(value: &[u8]) -> bool {
    let names = |rest: &[u8]| {
        !rest.is_empty() && rest.iter().all(|b| b.is_ascii_alphabetic() || *b == b'_')
    };
    let opens = match value {
        [] | [b'<' | b'[', ..] => true,
        [b'$', rest @ ..] => names(rest) || rest.starts_with(b"env:") || rest.starts_with(b"("),
        [b'%', rest @ ..] => {
            names(rest.strip_suffix(b"%").unwrap_or(rest)) || rest.starts_with(b"(")
        }
        [b'@' | b'#', b'{', ..] => true,
        _ => false,
    };
    opens
        || value.starts_with(b"{{") && !value.contains(&b'$')
        || value.windows(2).any(|pair| pair == b"<%")
        || holds_name(value)
}

/// `{name}` anywhere: a template, as many languages write it.
fn holds_name(value: &[u8]) -> bool {
    memchr::memchr_iter(b'{', value).any(|at| {
        let inner = value[at + 1..].trim_ascii_start();
        let name = inner
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b' '))
            .count();
        name >= 2
            && inner.get(name).is_some_and(|b| matches!(b, b'}' | b'(' | b'[' | b':'))
            && inner[0].is_ascii_alphabetic()
    })
}

fn contains(value: &[u8], word: &str) -> bool {
    value.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Eight, four, four, four, twelve hexadecimal digits.
pub(super) fn uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(i, byte)| {
            if matches!(i, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_alphanumeric() }
        })
}

/// Hexadecimal digits only.
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
        matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b' ' | b'+' | b'@' | b'#' | b'\\')
    };
    value.split(separates).all(named) || algorithm(value)
}

/// `sha256`, `base64url`, `RS256-signed`: the name of an algorithm and little else.
fn algorithm(value: &[u8]) -> bool {
    ALGORITHMS
        .iter()
        .any(|name| (name.len()..=name.len() + 8).contains(&value.len()) && contains(value, name))
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
        return worded(&part[..letters]);
    }
    let runs = || part.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let numbers = runs().filter(|run| run[0].is_ascii_digit()).count();
    let words: usize = runs()
        .filter(|run| run.len() >= 3 && run[0].is_ascii_alphabetic() && worded(run))
        .map(<[u8]>::len)
        .sum();
    numbers <= 2 && words * 10 > part.len() * 7
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
    let longest = letters
        .chunk_by(|a, b| a.is_ascii_lowercase() == b.is_ascii_lowercase())
        .map(<[u8]>::len)
        .max();
    if longest.is_some_and(|longest| longest > LONGEST_WORD) {
        return false;
    }
    let switches = letters
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    // `getUserPasswordHash` switches once in five letters, random letters once in four.
    lower == 0 || upper == 0 || switches * 4 <= letters.len() && upper * 5 <= letters.len() * 2
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

/// A path or an address: known by its start, or by parts that read as names.
pub(super) fn path(value: &[u8]) -> bool {
    let url = value.windows(3).any(|part| part == b"://");
    let rooted =
        [&b"./"[..], b"../", b"~/", b"\\\\", b"@/"].iter().any(|root| value.starts_with(root));
    let drive = value.len() > 2
        && value[0].is_ascii_alphabetic()
        && value[1] == b':'
        && matches!(value[2], b'\\' | b'/');
    let parts = value.split(|byte| matches!(byte, b'/' | b'\\')).filter(|part| !part.is_empty());
    let slashes = value.iter().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    url || rooted
        || drive
        || slashes > 0 && parts.clone().all(|part| identifier(part) || part.len() < 4)
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
        && unsigned
            .strip_prefix(b"0x")
            .is_some_and(|digits| digits.iter().all(|b| b.is_ascii_hexdigit() || *b == b'_'));
    let digits = unsigned.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'_').count();
    let unit = &unsigned[digits..];
    let suffixed = digits > 0
        && (unit.len() <= 2 || matches!(unit, [b'i' | b'u' | b'f', rest @ ..] if rest.len() <= 4));
    // No number has so many digits; keys have.
    value.len() < 22 && (plain || hexadecimal || suffixed)
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
    let worded: usize =
        parts.iter().filter(|part| part.len() > 2 && identifier(part)).map(|part| part.len()).sum();
    parts.len() >= 3 && worded * 2 > value.len()
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
            (false, true) => classes.other >= 6 && distinct(value) >= 12,
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
