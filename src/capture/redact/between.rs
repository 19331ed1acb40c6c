//! What is between a name and its value beyond a sign: types around a literal, words in brackets, a line end.

use super::separator::{LONGEST, Link, Separator, blanks, opened};
use super::surroundings::{run_of, sign_of};

/// `Some("`, `String::from("`: what types put around a literal.
pub(super) fn wrapper(rest: &[u8]) -> usize {
    const TYPES: [&[u8]; 8] = [
        b"Some",
        b"String",
        b"Just",
        b"Secret",
        b"SecretString",
        b"Sensitive",
        b"SecretStr",
        b"Optional",
    ];
    if !rest.first().is_some_and(u8::is_ascii_uppercase) {
        return 0;
    }
    let name = run_of(rest, 16, u8::is_ascii_alphanumeric);
    let method = [&b"::from"[..], b"::new", b".of", b""]
        .into_iter()
        .find(|method| rest[name..].starts_with(method))
        .map_or(0, <[u8]>::len);
    let end = name + method;
    let quoted = matches!(rest.get(end + 1), Some(b'"' | b'\'' | b'\\'));
    if TYPES.contains(&&rest[..name]) && rest.get(end) == Some(&b'(') && quoted {
        end + 1
    } else {
        0
    }
}

/// A value alone on a line below its name: the next one, in a fence, or behind `|` and `>-` of YAML.
pub(super) fn below(text: &[u8], from: usize) -> Option<usize> {
    let block = run_of(&text[from..], 2, |b| matches!(b, b'|' | b'>' | b'-' | b'+'));
    let end = from + block;
    if !matches!(text.get(end), Some(b'\n' | b'\r' | b'\\')) {
        return None;
    }
    let mut at = blanks(text, end, 8);
    // `\n` only where it is a line end.
    if at == end {
        return None;
    }
    if text[at..].starts_with(b"```") {
        at += run_of(&text[at..], 16, |b| b.is_ascii_alphanumeric() || *b == b'`');
        at = blanks(text, at, 4);
    }
    let line = text[at..]
        .iter()
        .take(LONGEST)
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'\\'))
        .unwrap_or(text.len() - at);
    let rest = text.get(at + line);
    let ends = match rest {
        Some(b'\\') => matches!(text.get(at + line + 1), Some(b'n' | b'r')),
        rest => matches!(rest, None | Some(b'\n' | b'\r')),
    };
    (ends && line >= 6 && !text[at..at + line].contains(&b':')).then_some(at)
}

/// `for the admin account:`, `für den Server:`: up to four words, then the sign.
fn purpose(text: &[u8], from: usize) -> Option<Separator> {
    let near = &text[from..text.len().min(from + 64)];
    let opens = [
        "for ", "für ", "to ", "of ", "on ", "vom ", "zum ", "del ", "du ", "de ", "d'", "di ",
        "da ", "do ", "des ", "der ", "para ", "pour ",
    ];
    sign_of(near, &opens)?;
    let sign =
        near.iter().position(|byte| matches!(byte, b':' | b'\n' | b'.' | b',' | b'"' | b'='));
    if let Some(is) = memchr::memmem::find(&near[..sign.unwrap_or(near.len())], b" is ")
        && memchr::memchr_iter(b' ', &near[..is]).count() <= 4
    {
        return opened(text, blanks(text, from + is + " is ".len(), 0), Link::Says);
    }
    let sign = sign?;
    let blanks_between = memchr::memchr_iter(b' ', &near[..sign]).count();
    if near[sign] != b':' || near.get(sign + 1) != Some(&b' ') || blanks_between > 4 {
        return None;
    }
    opened(text, blanks(text, from + sign + 1, 0), Link::Says)
}

/// Words between a name and its sign: `(admin):`, `[None]:`, `"ci":`, `1:`, `for bob:`, `for bob is`.
pub(super) fn qualified(text: &[u8], from: usize) -> Option<Separator> {
    if let Some(glue) = purpose(text, from) {
        return Some(glue);
    }
    let near = &text[from..text.len().min(from + 40)];
    let close = match *near.first()? {
        b'(' => b')',
        b'[' => b']',
        quote @ (b'"' | b'\'' | b'`') => quote,
        b'0'..=b'9' => 0,
        b'f' if near.starts_with(b"for ") => b' ',
        _ => return None,
    };
    let inner = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@' | b'/')
    };
    let end = match close {
        0 => run_of(near, 3, u8::is_ascii_digit),
        b' ' => 4 + near[4..].iter().take_while(|byte| inner(byte)).count(),
        close => {
            let length = near[1..]
                .iter()
                .take_while(|byte| inner(byte) || **byte == b' ' && close != b'"')
                .count();
            (length > 0 && near.get(1 + length) == Some(&close)).then_some(length + 2)?
        }
    };
    let at = from + end;
    let at = if close == b' ' && text[at..].starts_with(b" is ") {
        blanks(text, at + 4, 0)
    } else if text.get(at) == Some(&b':') && text.get(at + 1) == Some(&b' ') {
        blanks(text, at + 1, 0)
    } else if text[at..].starts_with(b" = ") {
        blanks(text, at + 3, 0)
    } else {
        return None;
    };
    opened(text, at, Link::Says)
}

/// What is taken where a variable is not set: `os.environ.get("X") or "`, `process.env.X || "`, `.unwrap_or("`.
pub(super) fn fallback(text: &[u8], from: usize) -> Option<Separator> {
    const SIGNS: [&[u8]; 12] = [
        b"or ",
        b"|| ",
        b"||",
        b"?? ",
        b"??",
        b"?: ",
        b"?:",
        b".unwrap_or(",
        b".unwrap_or_else(|_| ",
        b".or(",
        b".orElse(",
        b".getOrElse(",
    ];
    let at = blanks(text, from, 0);
    let sign = sign_of(&text[at..], &SIGNS)?;
    // `or` is a word of sentences, too: in code a call is before it.
    if sign == b"or " && text[..at].trim_ascii_end().last() != Some(&b')') {
        return None;
    }
    let at = blanks(text, at + sign.len(), 0);
    let separator = opened(text, at + wrapper(&text[at..]), Link::Assign)?;
    separator.quote.is_some_and(|quote| quote.mark != b'`').then_some(separator)
}

/// `${NAME:-value}`, `${NAME=value}`, `${NAME:value}`: what a shell or Spring takes where nothing is set.
/// `Some(None)`: an expansion without such a value, as `${NAME:?message}`.
#[expect(
    clippy::option_option,
    reason = "no expansion and one without a value are different answers"
)]
pub(super) fn expansion(text: &[u8], name: &std::ops::Range<usize>) -> Option<Option<Separator>> {
    if !text[..name.start].ends_with(b"${") {
        return None;
    }
    let rest = &text[name.end..];
    let sign = sign_of(rest, &[&b":-"[..], b":=", b"-", b"="]).map(<[u8]>::len);
    let spring = || rest.first() == Some(&b':') && !matches!(rest.get(1), Some(b'?' | b'+'));
    let length = sign.or_else(|| spring().then_some(1));
    Some(length.and_then(|length| opened(text, name.end + length, Link::Assign)))
}

/// `: String` and ` string` between a name and its `=`.
pub(super) fn annotation(text: &[u8], at: usize) -> usize {
    if let Some(sign) = typed(text, at) {
        return sign;
    }
    let from = blanks(text, at + usize::from(text.get(at) == Some(&b':')), 0);
    let from = from + usize::from(text.get(from) == Some(&b'&'));
    let word = run_of(&text[from..], 12, u8::is_ascii_alphabetic);
    let known = [&b"string"[..], b"String", b"str", b"text"].contains(&&text[from..from + word]);
    let after = blanks(text, from + word, 0);
    if known && text.get(after) == Some(&b'=') { after } else { at }
}

/// `: Option<&str>`, `[64]`, `{ get; set; }` between a name and the `=` before a string.
fn typed(text: &[u8], at: usize) -> Option<usize> {
    if !matches!(text.get(at), Some(b':' | b'[' | b'{')) {
        return None;
    }
    let near = &text[at + 1..text.len().min(at + 48)];
    let sign = memchr::memchr(b'=', near)?;
    let part = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b' ' | b'<' | b'>' | b'&' | b'?' | b'|' | b':' | b']' | b'[' | b'}' | b';' | b'_' | b'.' | b'*')
            // a lifetime
            || *byte == b'\'' && text[at] == b':'
    };
    let value = blanks(text, at + 1 + sign + 1, 0);
    let value = value + wrapper(&text[value..]);
    (near[..sign].iter().all(part)
        && sign > 0
        && matches!(text.get(value), Some(b'"' | b'\'' | b'`')))
    .then_some(at + 1 + sign)
}

/// `- `, `– `, `— ` between a name and its value.
pub(super) fn dash(rest: &[u8]) -> usize {
    let signs = [b"- ".as_slice(), "– ".as_bytes(), "— ".as_bytes()];
    sign_of(rest, &signs).map_or(0, <[u8]>::len)
}
