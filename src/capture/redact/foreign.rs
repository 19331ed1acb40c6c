//! Words for password and token in other languages, and what is between them and a value.
//!
//! `le mot de passe du serveur est ...`, `la contraseña: ...`, `пароль от базы — ...`, 비밀번호는 ....

use std::ops::Range;

use super::explicit::{self, Tie};
use super::key_words::SecretKind;
use super::lists::{OF, QUALITIES, SAYS, TURNS};
use super::separator::{Link, Separator, blanks, opened, opening, value_span};
use super::surroundings::{is_word, run_of, sign_of};
use super::{shapes, validators};

/// The value that a word at `from` leads to.
pub(super) fn value(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    sentence(text, from, kind)
        .or_else(|| spoken(text, from, kind))
        .or_else(|| cjk(text, from, kind))
}

/// Reads the words that belong to the name: where the next begins, whether a word for `is` came, and the kind of the
/// whole.
fn rest_of_name(text: &[u8], from: usize, mut kind: SecretKind) -> (usize, bool, SecretKind) {
    let mut at = blanks(text, closed(text, from), 0);
    for _ in 0..5 {
        let length = run_of(&text[at..], 24, |byte| {
            byte.is_ascii_alphabetic() || !byte.is_ascii() || *byte == b'\''
        });
        let word = std::str::from_utf8(&text[at..at + length]).unwrap_or_default();
        let next = blanks(text, at + length, 0);
        if length == 0 || next == at + length && !matches!(text.get(next), Some(b':' | b'=')) {
            break;
        }
        if SAYS.contains(&word) {
            return (next, true, kind);
        }
        // The article goes with the name: `d'accès`, `dell'utente`.
        let joined = word
            .split_once('\'')
            .is_some_and(|(of, name)| matches!(of, "d" | "l" | "dell" | "all") && !name.is_empty());
        if QUALITIES.contains(&word) || joined {
            if kind == SecretKind::Key && word.eq_ignore_ascii_case("api") {
                kind = SecretKind::Secret;
            }
            at = next;
        } else if OF.contains(&word) {
            let name = name_after(text, next);
            if kind == SecretKind::Key && text[next..next + name].eq_ignore_ascii_case(b"api") {
                kind = SecretKind::Secret;
            }
            at = blanks(text, next + name, 0);
        } else {
            break;
        }
    }
    (at, false, kind)
}

/// How long the name behind `of` is; nothing where an article comes first: `de la base`.
fn name_after(text: &[u8], at: usize) -> usize {
    let article = run_of(&text[at..], 8, u8::is_ascii_lowercase);
    let word = std::str::from_utf8(&text[at..at + article]).unwrap_or_default();
    if OF.contains(&word) && text.get(at + article) == Some(&b' ') {
        return 0;
    }
    let named = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b'-' | b'_' | b'.' | b'\'')
    };
    run_of(&text[at..], 32, named)
}

fn sentence(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    let (mut at, says, kind) = rest_of_name(text, from, kind);
    let signs = ["=>", "->", ":", "：", "=", "—", "–", "- ", "→", ">", "| "];
    let sign = sign_of(&text[at..], &signs);
    let told = sign.is_some();
    at = blanks(text, at + sign.map_or(0, str::len), 0);
    let quoted = at;
    at = behind_mark(text, at);
    let marks = at > quoted;
    let quote = opening(text, &mut at)?;
    if !told && !says && quote.is_none() && kind != SecretKind::Password || at == from {
        return None;
    }
    let told = told || marks;
    let link = if told { Link::Colon } else { Link::Says };
    let span = value_span(text, &Separator { at, quote, link })?;
    let value = &text[span.clone()];
    if !value.is_ascii() {
        return None;
    }
    let tie = if quote.is_some() { Tie::Quoted } else { Tie::Line };
    let fits = match kind {
        SecretKind::Password if told || quote.is_some() => {
            validators::password(value, false) || explicit::is_secret(kind, tie, value)
        }
        SecretKind::Password => {
            validators::password(value, true)
                || says && explicit::is_secret(kind, Tie::Option, value)
        }
        SecretKind::Secret => {
            validators::random(value, 10)
                || shapes::uuid(value)
                || told && explicit::is_secret(kind, tie, value)
        }
        SecretKind::Key => validators::random(value, 16) && !shapes::digest(value),
    };
    fits.then_some(span)
}

/// Words of a sentence between the name and its value, which no list can hold: `пароль администратора — ...`,
/// `das Kennwort wurde auf ... gesetzt`. The value has to look like one.
fn spoken(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    let mut at = closed(text, from);
    for count in 0..5 {
        at = blanks(text, at, 0);
        let signs = [": ", "：", "= ", "— ", "– ", "- ", "→"];
        let sign = sign_of(&text[at..], &signs);
        let word = run_of(&text[at..], 32, |b| {
            b.is_ascii_alphabetic() || !b.is_ascii() || matches!(b, b'-' | b'\'')
        });
        let turns = std::str::from_utf8(&text[at..at + word])
            .is_ok_and(|word| TURNS.contains(&word) || SAYS.contains(&word));
        if let Some(length) = sign.map(str::len).or(turns.then_some(word))
            && count > 0
        {
            let at = behind_mark(text, blanks(text, at + length, 0));
            let span = value_span(text, &opened(text, at, Link::Says)?)?;
            let value = &text[span.clone()];
            let fits = match kind {
                SecretKind::Password => {
                    validators::password(value, true)
                        || explicit::is_secret(kind, Tie::Prose, value)
                }
                SecretKind::Secret => validators::random(value, 14),
                SecretKind::Key => validators::random(value, 16) && !shapes::hexadecimal(value),
            };
            return (fits && value.is_ascii()).then_some(span);
        }
        if word == 0 || text.get(at + word) != Some(&b' ') {
            return None;
        }
        at += word;
    }
    None
}

/// After an opening quote of print: `„`, `«`, `“`, `「`, and blanks inside of it.
fn behind_mark(text: &[u8], from: usize) -> usize {
    let marks = ["„", "«", "“", "”", "‘", "‚", "「", "『", "‹", "《"];
    let Some(mark) = sign_of(&text[from..], &marks) else { return from };
    let at = from + mark.len();
    at + sign_of(&text[at..], &[" ", "\u{a0}", "\u{202f}"]).map_or(0, str::len)
}

/// After the signs that close a word: `**Passwort**`, `"contraseña"`.
fn closed(text: &[u8], from: usize) -> usize {
    from + text[from..]
        .iter()
        .take(4)
        .take_while(|b| matches!(b, b'*' | b'"' | b'\'' | b'`' | b')' | b']'))
        .count()
}

/// After a Korean, Japanese or Chinese word: particles and signs, then a value in ASCII.
pub(super) fn cjk(text: &[u8], from: usize, kind: SecretKind) -> Option<Range<usize>> {
    let foreign = run_of(&text[from..], 36, |byte| !byte.is_ascii());
    let mut at = from + foreign;
    let signs = text[at..]
        .iter()
        .take(8)
        .take_while(|b| {
            matches!(b, b' ' | b'\t' | b':' | b'=' | b'*' | b'(' | b'`' | b'"' | b'\'' | b'\\')
        })
        .count();
    let explicit = foreign > 0
        || text[at..at + signs].iter().any(|b| matches!(b, b':' | b'=' | b'(' | b'`' | b'"'));
    at += signs;
    if signs > 0 && text[at - 1] == b'\\' {
        return None;
    }
    // A closing bracket of the text's own script may follow the spaces: `= 「value」`.
    at += run_of(&text[at..], 6, |byte| !byte.is_ascii());
    // `密码Zt9!...`: what follows at once has to look like a password.
    if at == from && kind != SecretKind::Password {
        return None;
    }
    let span = value_span(text, &Separator { at, quote: None, link: Link::Colon })?;
    let value = &text[span.clone()];
    let fits = match kind {
        SecretKind::Password => {
            validators::password(value, !explicit)
                || at > from && explicit::is_secret(kind, Tie::Prose, value)
        }
        SecretKind::Secret => validators::random(value, 10) || shapes::uuid(value),
        SecretKind::Key => validators::random(value, 16) && !shapes::digest(value),
    };
    (fits && !is_word(text[span.start - 1])).then_some(span)
}
