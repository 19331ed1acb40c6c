//! Cuts text into sentences.

use crate::memory::title::ends_sentence_before;

/// The sentences of a text, in any of the scripts that mark their ends. Abbreviations and numbers end none: a sentence
/// goes on if the next one would begin with a small letter.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = end_of_first(rest);
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(sentence.trim_end())
    })
}

/// The sentences of somebody who begins them with small letters: `keep it dropped. never put a place into an address`. What
/// [`sentences`] gives is one of these or several.
pub(super) fn small_sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut blanks = memchr::memchr_iter(b' ', rest.as_bytes());
        let end = blanks.find(|at| ends_sentence_before(rest, *at)).unwrap_or(rest.len());
        let (sentence, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(sentence)
    })
}

fn end_of_first(text: &str) -> usize {
    if memchr::memchr3(b'.', b'!', b'?', text.as_bytes()).is_none() && text.is_ascii() {
        return text.len();
    }
    for (at, letter) in marks(text) {
        let end = at + letter.len_utf8();
        if matches!(letter, '。' | '！' | '？') {
            return end;
        }
        if at == 0 {
            continue;
        }
        let mut behind = text[end..].chars();
        if behind.next().is_none_or(char::is_whitespace) {
            let next = behind.find(|c| !c.is_whitespace());
            let counted = text[..at].bytes().all(|byte| byte.is_ascii_digit());
            let goes_on = letter == '.' && is_short_for(&text[..at]) && next.is_some();
            if !next.is_some_and(char::is_lowercase) && !counted && !goes_on {
                return end;
            }
        }
    }
    text.len()
}

/// Whether a text ends with a short form that something always follows, but for its last stop.
fn is_short_for(text: &str) -> bool {
    // As they are written: `CF` and `VS` are names.
    const FORMS: [&str; 8] = ["e.g", "E.g", "i.e", "I.e", "vs", "cf", "z.B", "т.е"];
    let last = text.rsplit(|c: char| c.is_whitespace() || c == '(').next();
    last.is_some_and(|word| FORMS.contains(&word))
}

/// The characters of a text that may end a sentence, with their places.
fn marks(text: &str) -> impl Iterator<Item = (usize, char)> {
    let bytes = text.as_bytes();
    // In UTF-8 these three begin with the same bytes as many others, so the whole character is looked at.
    let wide = !text.is_ascii();
    let lead = move |byte: u8| {
        matches!(byte, b'.' | b'!' | b'?') || (wide && matches!(byte, 0xe2 | 0xe3 | 0xef))
    };
    (0..bytes.len()).filter(move |at| lead(bytes[*at])).filter_map(|at| {
        let letter = text[at..].chars().next()?;
        matches!(letter, '.' | '!' | '?' | '…' | '。' | '！' | '？').then_some((at, letter))
    })
}

/// Cuts a text that is longer than `most` characters between words, into pieces that are not.
pub(crate) fn pieces(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if rest.len() <= most {
            return Some(std::mem::take(&mut rest));
        }
        let Some((limit, _)) = rest.char_indices().nth(most) else {
            return Some(std::mem::take(&mut rest));
        };
        let head = &rest[..limit];
        let end = if rest[limit..].starts_with(char::is_whitespace) {
            limit
        } else {
            let gap = head.char_indices().rfind(|(_, c)| c.is_whitespace());
            gap.map_or(limit, |(at, c)| at + c.len_utf8())
        };
        let (piece, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(piece.trim_end())
    })
    .filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_stops() {
        fn check(text: &str, expect: &[&str]) {
            assert_eq!(sentences(text).collect::<Vec<_>>(), expect, "{text}");
        }
        check("Use v1.2, e.g. the tool. Then stop.", &["Use v1.2, e.g. the tool.", "Then stop."]);
        check("See url vs. `URL` (e.g. Foo). Stop.", &["See url vs. `URL` (e.g. Foo).", "Stop."]);
        check("Team A vs.", &["Team A vs."]);
        check("Move it to CF. Mend it", &["Move it to CF.", "Mend it"]);
        check("It failed! Why? `x` was 3.", &["It failed!", "Why?", "`x` was 3."]);
        check("인증을 고쳤다。 그리고 배포했다.", &["인증을 고쳤다。", "그리고 배포했다."]);
        check("検索を直した。次は索引。", &["検索を直した。", "次は索引。"]);
        check("Исправлено. Теперь быстрее", &["Исправлено.", "Теперь быстрее"]);
        check("1. Grill", &["1. Grill"]);
        check("", &[]);
    }

    #[test]
    fn people_who_write_small_end_sentences_too() {
        fn check(text: &str, expect: &[&str]) {
            assert_eq!(small_sentences(text).collect::<Vec<_>>(), expect, "{text}");
        }
        check("keep it dropped. never sail at night", &["keep it dropped.", "never sail at night"]);
        check("why? it sank, i.e. it leaks", &["why?", "it sank, i.e. it leaks"]);
        check("paint all of it. never sail at night", &["paint all of it.", "never sail at night"]);
        check(
            "was it the crane (or the winch??). from now on",
            &["was it the crane (or the winch??).", "from now on"],
        );
        check("no. 5 and ca. 8 of them", &["no. 5 and ca. 8 of them"]);
        check("see v1.2 vs. v1.3 etc. of it", &["see v1.2 vs. v1.3 etc. of it"]);
        check("", &[]);
    }

    #[test]
    fn pieces_are_cut_between_words_and_lose_none() {
        fn check(text: &str, expect: &[&str]) {
            assert_eq!(pieces(text, 12).collect::<Vec<_>>(), expect, "{text}");
        }
        check("alpha beta gamma delta", &["alpha beta", "gamma delta"]);
        check("alpha", &["alpha"]);
        check("人人人人人人人人人人人人人", &["人人人人人人人人人人人人", "人"]);
        check("abcdefghijkl mn", &["abcdefghijkl", "mn"]);
        check("", &[]);
    }
}
