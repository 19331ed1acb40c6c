//! What stands between a name and its value beyond a sign: types around a literal, words in brackets, a line end.

use super::assignment::{Glue, LONGEST, Link, blanks, opening};

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
    let name = rest.iter().take(16).take_while(|byte| byte.is_ascii_alphanumeric()).count();
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
    let block =
        text[from..].iter().take(2).take_while(|b| matches!(b, b'|' | b'>' | b'-' | b'+')).count();
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
        at += text[at..]
            .iter()
            .take(16)
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'`')
            .count();
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

/// Words between a name and its sign: `(admin):`, `[None]:`, `"ci":`, `1:`, `for bob:`, `for bob is`.
pub(super) fn qualified(text: &[u8], from: usize) -> Option<Glue> {
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
        0 => near.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count(),
        b' ' => 4 + near[4..].iter().take_while(|byte| inner(byte)).count(),
        close => {
            let length = near[1..]
                .iter()
                .take_while(|byte| inner(byte) || **byte == b' ' && close != b'"')
                .count();
            (length > 0 && near.get(1 + length) == Some(&close)).then_some(length + 2)?
        }
    };
    let mut at = from + end;
    if close == b' ' && text[at..].starts_with(b" is ") {
        at = blanks(text, at + 4, 0);
    } else if text.get(at) == Some(&b':') && text.get(at + 1) == Some(&b' ') {
        at = blanks(text, at + 1, 0);
    } else {
        return None;
    }
    let quote = opening(text, &mut at)?;
    Some(Glue { at, quote, link: Link::Says })
}
