//! A key word, something between, a value: `api_key = "..."`, `"token" => '...'`, `<add key="secret" value="..."/>`,
//! `--password ...`, `| token | ... |`, `the password is ...`, 비밀번호는 ....
//!
//! Read by hand and not by one large expression: nearly every hit is prose and must cost a few bytes only.

use std::ops::Range;

use super::accept::{accepts, by_name, to_line_end};
use super::between::expansion;
use super::key_words::{KeyWord, SecretKind};
use super::lists::LEADING;
use super::operators::glue;
use super::separator::{Link, Separator, value_span};
use super::surroundings::{bare_end, run_of};
use super::{address, explicit, foreign, formats, pairs, shapes, validators};

/// The value a key word leads to, if it looks like one.
pub(super) fn value(text: &[u8], word: &KeyWord) -> Option<Range<usize>> {
    let inner = address::in_resource(text, word.span.start);
    if inner || is_prose(text, word) { None } else { read(text, word) }
}

/// Whether the word is in a sentence and another plain one follows: `the token refresh was late`. That is nobody's
/// secret, and what [`read`] would find out, too, in five times as many steps.
fn is_prose(text: &[u8], word: &KeyWord) -> bool {
    let Some([b' ', rest @ ..]) = text.get(word.span.end..) else { return false };
    let next = run_of(rest, 16, u8::is_ascii_lowercase);
    !word.formal
        && (4..16).contains(&next)
        && matches!(rest.get(next), Some(b' ' | b'\n' | b','))
        && !LEADING.iter().any(|word| word.as_bytes() == &rest[..next])
}

fn read(text: &[u8], word: &KeyWord) -> Option<Range<usize>> {
    if let Some(span) = glued(text, word) {
        return Some(span);
    }
    let next = *text.get(word.span.end)?;
    if !next.is_ascii() {
        return foreign::cjk(text, word.span.end, word.kind);
    }
    let read = |glue: &Separator, word: &KeyWord| {
        let span = value_span(text, glue)?;
        // `https://x-access-token:...@host`: the rule for addresses knows where it ends.
        if text[..word.span.start].ends_with(b"://") && text[span.clone()].contains(&b'@') {
            return None;
        }
        if explicit::account(&text[span.clone()]) {
            return None;
        }
        // An id in a paragraph of its own is nobody's value.
        let between = &text[word.span.end..span.start];
        if shapes::uuid(&text[span.clone()]) && memchr::memchr_iter(b'\n', between).count() > 1 {
            return None;
        }
        if glue.quote.is_none()
            && matches!(glue.link, Link::Assign | Link::Colon)
            && word.kind != SecretKind::Key
            && let Some(whole) = to_line_end(text, word, &span)
        {
            return Some(whole);
        }
        let span = address::own(text, word.span.start, span);
        let value = &text[span.clone()];
        let secret = accepts(text, word, glue.link, glue.quote.is_some(), value)
            || by_name(text, word, glue, &span);
        (secret && !formats::public(value) && !formats::package(value)).then_some(span)
    };
    if let Some(expansion) = expansion(text, &word.span) {
        let span = value_span(text, &expansion?)?;
        let length = memchr::memchr(b'}', &text[span.clone()]).unwrap_or(span.len());
        let span = span.start..span.start + length;
        let tie = explicit::Tie::Setting;
        return explicit::is_secret(word.kind, tie, &text[span.clone()]).then_some(span);
    }
    let own = glue(text, word.span.end, false).and_then(|glue| read(&glue, word));
    own.or_else(|| {
        let glue = pairs::glue(text, &word.span)?;
        read(&glue, &KeyWord { formal: true, short: false, ..word.clone() })
    })
}

/// `dd-apikey-1f3a...`: the value hangs on the name itself.
fn glued(text: &[u8], word: &KeyWord) -> Option<Range<usize>> {
    if text
        .get(word.tail)
        .is_none_or(|byte| !matches!(byte, b'-' | b'.' | b'_') && !byte.is_ascii_alphanumeric())
    {
        return None;
    }
    let end = bare_end(text, word.tail, 256);
    if end - word.tail < 20 {
        return None;
    }
    let run = &text[word.tail..end];
    let separators = run
        .iter()
        .enumerate()
        .filter(|(_, byte)| matches!(byte, b'-' | b'.' | b'=' | b':'))
        .take(3);
    for (offset, byte) in separators {
        if offset > 24 || matches!(byte, b'=' | b':') {
            break;
        }
        let value = &run[offset + 1..];
        if shapes::uuid(value)
            || value.iter().all(u8::is_ascii_alphanumeric) && validators::random(value, 24)
        {
            return Some(word.tail + offset + 1..end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{key_words, lists};
    use super::*;

    /// The value of the first word of a text that may have one, found both ways.
    fn both_ways(text: &str) -> [Option<Range<usize>>; 2] {
        let text = text.as_bytes();
        let hits = lists::ENGLISH.iter().flat_map(|word| {
            memchr::memmem::find_iter(text, word.as_bytes()).map(|at| at..at + word.len())
        });
        let word = hits
            .filter_map(|hit| key_words::english(text, &hit))
            .min_by_key(|word| word.span.start);
        let Some(word) = word else { return [None, None] };
        [value(text, &word), read(text, &word)]
    }

    #[test]
    fn a_word_in_a_sentence_leads_to_nothing() {
        assert_eq!(both_ways("the token refresh was late"), [None, None]);
        let password = "the password is Tr0ub4dor&3xQ!\n";
        assert_eq!(both_ways(password), [Some(16..30), Some(16..30)]);
        let reset = "the password reset is Tr0ub4dor&3xQ!\n";
        assert_eq!(both_ways(reset), [Some(22..36), Some(22..36)]);
    }

    proptest::proptest! {
        #[test]
        fn the_short_way_finds_what_the_long_way_finds(
            before in "(the |my |ENV |set |--|\\$\\{|auth_|)",
            name in "(token|password|secret|api key|private key|passphrase|credentials)",
            behind in "( (for|to|is|was|now|been|changed|equals|lautet|para|pour|reset|rotated|string|text|updated|used|value|will|\
                refresh|harbours|hunter|quayharbourlan|[a-z]{3,17}|[a-z0-9]{20}|Xq7[a-zA-Z0-9]{12})[ ,\n:=.]?){1,5}"
        ) {
            let [short, long] = both_ways(&format!("{before}{name}{behind}"));
            proptest::prop_assert_eq!(short, long);
        }
    }
}
