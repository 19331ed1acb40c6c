//! First sentences, and cutting text where a reader would.

use std::borrow::Cow;

/// The most characters a line of a digest takes over from one bullet.
pub(super) const BULLET: usize = 500;
/// The most characters of a sentence.
const SENTENCE: usize = 240;
/// A first sentence shorter than this is a greeting; the next one is taken too.
const GREETING: usize = 16;

/// The first sentence of a text, without its full stop.
pub(super) fn first_sentence(text: &str) -> String {
    let text = text.trim();
    let mut end = text.len();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let wide = matches!(letter, '。' | '！' | '？');
        let stop = matches!(letter, '.' | '!' | '?' | '…')
            && letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        if wide || (stop && text[..at].chars().count() >= GREETING) {
            end = at + letter.len_utf8();
            break;
        }
    }
    cut(text[..end].trim_end_matches(['.', '。']), SENTENCE).into_owned()
}

/// At most `most` characters, cut between words and marked with `…`.
pub(super) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let Some((end, _)) = text.char_indices().nth(most) else { return Cow::Borrowed(text) };
    let head = &text[..end];
    let whole = head.rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end);
    Cow::Owned(format!("{}…", head[..whole].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_stops() {
        fn check(text: &str, expect: &str) {
            assert_eq!(first_sentence(text), expect);
        }
        check("Use v1.2 of the tool. Then stop.", "Use v1.2 of the tool");
        check("Hi! Can you check the brakes? Thanks.", "Hi! Can you check the brakes?");
        check("인증을 고쳐줘。 그리고", "인증을 고쳐줘");
        check("no stop at all", "no stop at all");
        check("", "");
        check("Please deploy https://a.b/c.d now.", "Please deploy https://a.b/c.d now");
    }

    #[test]
    fn cuts_fall_between_words() {
        assert_eq!(cut("alpha beta gamma", 12), "alpha beta…");
        assert_eq!(cut("alpha", 12), "alpha");
        assert_eq!(cut("人人人人人", 3), "人人人…");
    }
}
