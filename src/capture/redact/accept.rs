//! Which values count as secrets, by the word in front of them and by what ties the two.

use std::ops::Range;

use super::explicit::{self, Tie};
use super::key_words::{KeyWord, SecretKind};
use super::separator::{Link, Separator};
use super::spelling::{self, Made};
use super::surroundings::ends_with_one_of;
use super::{formats, shapes, validators};

/// Whether the value at `span` is a secret by its name alone.
pub(super) fn by_name(text: &[u8], word: &KeyWord, glue: &Separator, span: &Range<usize>) -> bool {
    let resource = text[word.span.start.saturating_sub(48)..word.span.start].ends_with(b":")
        && text[word.span.end..].starts_with(b":");
    // Somebody cut it short.
    let elided = text[span.end..].starts_with("…".as_bytes());
    if word.kind == SecretKind::Key || resource || elided {
        return false;
    }
    let value = &text[span.clone()];
    // A test that passes is called so, too, but no test is words and a number in quotes.
    if verdict(text, word) {
        return glue.quote.is_some()
            && matches!(glue.link, Link::Assign | Link::Colon)
            && matches!(spelling::made_up(value), Some(Made::Numbered | Made::Titled));
    }
    tie(text, word, glue, span).is_some_and(|tie| explicit::is_secret(word.kind, tie, value))
}

/// `pass` alone, which is also what tests do.
fn verdict(text: &[u8], word: &KeyWord) -> bool {
    !word.option && text[word.span.clone()].eq_ignore_ascii_case(b"pass")
}

/// Whether a value in a sentence ends it, or a part of it, and has a digit: `login bob, password value`.
fn told_apart(text: &[u8], span: &Range<usize>) -> bool {
    let ends = ends_line(text, span.end) || matches!(text[span.end], b',' | b'.' | b')' | b';');
    ends && text[span.clone()].iter().any(u8::is_ascii_digit)
}

/// Behind `ENV` or `#define`: the value follows without a sign.
fn defined(text: &[u8], word: &KeyWord) -> bool {
    let before = &text[..word.span.start];
    ends_with_one_of(before, &[b"define ", b"ENV ", b"setenv ", b"ARG "])
}

/// What a value and its name have between them and around them.
fn tie(text: &[u8], word: &KeyWord, glue: &Separator, span: &Range<usize>) -> Option<Tie> {
    let quoted = glue.quote.is_some();
    let between = &text[word.span.end..glue.at];
    let setting = matches!(between, [b'='] | [b'=', b'"' | b'\'']);
    let loud = !text[word.span.clone()].iter().any(u8::is_ascii_lowercase);
    // What a function returns is a type.
    if memchr::memmem::find(between, b"->").is_some() {
        return (!between.contains(&b')')).then_some(Tie::Prose);
    }
    match glue.link {
        Link::Space => after_blank(text, word, glue, span),
        Link::Cell if word.formal || word.kind == SecretKind::Password => {
            line_before(text, word.span.start)
                .trim_ascii_start()
                .starts_with(b"|")
                .then_some(Tie::Cell)
        }
        Link::Says | Link::Cell => Some(Tie::Prose),
        Link::Assign if setting && (loud || word.option) => Some(Tie::Setting),
        Link::Assign | Link::Colon if quoted => Some(Tie::Quoted),
        Link::Tag if between.first() != Some(&b'>') || between.contains(&b'`') => None,
        Link::Tag => Some(if quoted { Tie::Quoted } else { Tie::Line }),
        Link::Argument if !quoted || word.short && !word.formal => None,
        Link::Argument => {
            let constant = text[span.clone()]
                .iter()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_');
            let named = loud && between.contains(&b',') && !constant;
            Some(if named { Tie::Quoted } else { Tie::Argument })
        }
        Link::Assign | Link::Colon => {
            let before = line_before(text, word.span.start);
            let alone = before.iter().all(|b| matches!(b, b' ' | b'\t' | b'-'))
                && ends_line(text, span.end);
            if setting && before.is_empty() && alone && word.kind == SecretKind::Password {
                return Some(Tie::Setting);
            }
            let apart = glue.link == Link::Colon && text[glue.at - 1] == b' ';
            // `Server=db;Password=value;`
            let titled = setting
                && text[word.span.start].is_ascii_uppercase()
                && matches!(text.get(span.end), Some(b';'));
            // A header of `curl`, whose quote ends it
            let header = glue.link == Link::Colon
                && [&b"-H "[..], b"header ", b"header="].iter().any(|option| {
                    let name = before.trim_ascii_end();
                    let name = name.strip_suffix(b"'").or_else(|| name.strip_suffix(b"\""));
                    name.is_some_and(|rest| rest.ends_with(option))
                });
            // `name: DB_PASSWORD`, and its value on the next line
            let pair = memchr::memchr(b'\n', between).is_some();
            // `host=db user=bob password=value`: no call, whose arguments have commas and brackets
            let listed = setting
                && matches!(before.last(), Some(b' ' | b'='))
                && text.get(span.end).is_none_or(u8::is_ascii_whitespace);
            let apart = apart || pair;
            if listed || titled && word.kind == SecretKind::Password {
                return Some(Tie::Option);
            }
            let line = alone || titled || header || apart && ends_line(text, span.end);
            Some(if line { Tie::Line } else { Tie::Bare })
        }
    }
}

/// The same where nothing but a blank ties the two.
fn after_blank(text: &[u8], word: &KeyWord, glue: &Separator, span: &Range<usize>) -> Option<Tie> {
    let quoted = glue.quote.is_some();
    let between = &text[word.span.end..glue.at];
    let plain = word.kind == SecretKind::Password && !word.short && !word.option && !word.formal;
    if between == b"\t" || plain && !quoted && told_apart(text, span) {
        return Some(Tie::Prose);
    }
    if defined(text, word) && (quoted || ends_line(text, span.end)) {
        return Some(if quoted { Tie::Quoted } else { Tie::Line });
    }
    if word.option {
        let bare = between.trim_ascii().iter().all(|b| matches!(b, b'"' | b'\''));
        return bare.then_some(Tie::Option);
    }
    let told = word.formal || word.kind == SecretKind::Password;
    quoted.then_some(if told { Tie::Option } else { Tie::Prose })
}

/// The same value up to the end of its line, where a list, a tag or a query would have ended it: a file of settings
/// knows none of them.
pub(super) fn to_line_end(
    text: &[u8],
    word: &KeyWord,
    span: &Range<usize>,
) -> Option<Range<usize>> {
    if !matches!(
        text.get(span.end)?,
        b',' | b';' | b'<' | b'>' | b'|' | b'&' | b'\'' | b'`' | b'*' | b')' | b']' | b'}'
    ) {
        return None;
    }
    let before = line_before(text, word.span.start);
    let before = before.strip_prefix(b"export ").unwrap_or(before);
    let rest = &text[span.end..text.len().min(span.end + 256)];
    let more = rest
        .iter()
        .position(|byte| !byte.is_ascii_graphic() || matches!(byte, b'"' | b'\\'))
        .unwrap_or(rest.len());
    let end = span.end + more;
    let whole = &text[span.start..end];
    (before.iter().all(|b| matches!(b, b' ' | b'\t' | b'-'))
        && ends_line(text, end)
        && explicit::wild(whole)
        && !whole.ends_with(b";")
        && !whole.ends_with(b","))
    .then_some(span.start..end)
}

/// The text on the line before `at`, as far back as it matters.
fn line_before(text: &[u8], at: usize) -> &[u8] {
    let near = &text[at.saturating_sub(40)..at];
    let start = memchr::memrchr(b'\n', near).map_or(0, |end| end + 1);
    &near[start..]
}

/// Whether nothing but a comment follows on the line.
fn ends_line(text: &[u8], at: usize) -> bool {
    let rest = text[at..].trim_ascii_start();
    let blanks = &text[at..text.len() - rest.len()];
    rest.is_empty()
        || rest.starts_with(b"\\n")
        || blanks.contains(&b'\n')
        || blanks.contains(&b'\r')
        || !blanks.is_empty() && rest[0] == b'#'
}

/// Whether a value so tied to such a word is a secret.
pub(super) fn accepts(text: &[u8], word: &KeyWord, link: Link, quoted: bool, value: &[u8]) -> bool {
    let made = |least: usize| {
        validators::random(value, least) || shapes::uuid(value) && validators::literal(value)
    };
    let hash = shapes::digest(value);
    let end = word.span.end;
    let glued = matches!(text.get(end), Some(b':' | b'='))
        && text.get(end + 1).is_some_and(u8::is_ascii_graphic);
    match (word.kind, link) {
        (SecretKind::Password, _) if verdict(text, word) => {
            link == Link::Assign && validators::password(value, false)
                || link == Link::Colon
                    && (glued || quoted || !word.formal)
                    && validators::password(value, !glued)
        }
        (SecretKind::Password, Link::Space | Link::Argument) if word.short => false,
        (SecretKind::Password, Link::Argument) => quoted && validators::password(value, true),
        (SecretKind::Password, Link::Space) => {
            quoted && validators::password(value, false)
                || word.formal && validators::password(value, !word.option)
                || validators::random(value, 16) && !hash
        }
        (SecretKind::Password, Link::Says) => {
            (validators::password(value, true) || made(12)) && !shapes::names_algorithm(value)
        }
        (SecretKind::Password, _) => {
            validators::password(value, false) && !explicit::stand_in(value)
                || quoted && simple(value)
        }
        (SecretKind::Secret, Link::Space) => {
            made(16)
                && (word.formal || !hash && (named_key(text, word) || !shapes::uuid(value)))
                && (word.formal || !shapes::hexadecimal(value))
        }
        (SecretKind::Secret, Link::Says | Link::Cell) => made(14),
        (SecretKind::Secret, Link::Argument) => quoted && made(16),
        (SecretKind::Secret, _) => {
            made(10) || quoted && validators::password(value, true) && value.len() >= 8
        }
        (SecretKind::Key, Link::Space) => word.formal && made(16),
        (SecretKind::Key, Link::Says) => made(16) && !shapes::hexadecimal(value),
        (SecretKind::Key, Link::Cell | Link::Argument) => {
            quoted && validators::random(value, 20) && !hash
        }
        (SecretKind::Key, Link::Colon) if !word.formal => {
            validators::random(value, 16) && !hash && !formats::named_digest(value)
        }
        (SecretKind::Key, _) => made(if word.formal { 12 } else { 16 }),
    }
}

/// Whether the name is `private key`, `API key`, whose value may be a UUID; a token's may be an id.
fn named_key(text: &[u8], word: &KeyWord) -> bool {
    text[word.span.clone()].eq_ignore_ascii_case(b"key")
}

/// `123456` in quotes: weak, yet a password.
fn simple(value: &[u8]) -> bool {
    value.len() >= 6
        && value.len() <= 12
        && value.iter().all(u8::is_ascii_digit)
        && validators::distinct(value) > 3
}
