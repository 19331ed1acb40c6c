//! Cuts a section into sentences, and knows where each of them stands.

use super::collect::Only;
use super::plain::plain;
use super::voice::{LineVoice, Voices};
use crate::markdown::fence;
use crate::meaning::sentence::sentences;
use crate::memory::tokens::{Cost, cost};

/// Sentences longer than this are cut at a clause.
const LONG: Cost = Cost::tokens(40);
/// The least that a clause costs that is cut off.
const CLAUSE: Cost = Cost::tokens(16);
/// The same in bytes, which are counted first.
const SHORT: usize = 60;

/// One sentence, or a clause of a long one.
#[expect(clippy::struct_excessive_bools, reason = "each says something else about it")]
pub(super) struct FoundSentence {
    /// its first byte in the section
    pub(super) at: usize,
    /// whether it is a further clause of the sentence before it
    pub(super) goes_on: bool,
    /// its words without markup
    pub(super) text: String,
    pub(super) voice: LineVoice,
    pub(super) code: bool,
    /// a heading inside a reply
    pub(super) heads: bool,
    /// a part of it is printed in bold
    pub(super) strong: bool,
    /// the first of what one side says at a stretch
    pub(super) leads: bool,
    pub(super) cost: Cost,
    /// a person's turn and the replies to it, counted
    pub(super) exchange: usize,
    /// what one side says at a stretch, counted
    pub(super) turn: usize,
}

/// The sentences of a section, the heading left out.
pub(super) fn split(section: &str, only: Only) -> Vec<FoundSentence> {
    let mut sentences: Vec<FoundSentence> = Vec::new();
    let code = fence::code_lines(section);
    let mut voices = Voices::new();
    let mut from = 0;
    let (mut exchange, mut turn) = (0, 0);
    for (number, end) in
        memchr::memchr_iter(b'\n', section.as_bytes()).chain([section.len()]).enumerate()
    {
        let line = &section[from..end];
        let (voice, words) = voices.line(line);
        let is_title = from == 0 && line.starts_with('#');
        let code = code.get(number).copied().unwrap_or(false);
        let labelled = words > 0 && matches!(voice, LineVoice::User | LineVoice::Agent);
        exchange += usize::from(labelled && voice == LineVoice::User);
        turn += usize::from(labelled);
        if voice != LineVoice::Nobody && !is_title && only.hears(voice) {
            let body = &line[words..];
            let heads = !code && body.trim_start().trim_start_matches('\\').starts_with("##");
            for (at, goes_on, text) in in_line(body) {
                let strong = !code && text.contains("**");
                let text = plain(text);
                if text.chars().any(char::is_alphanumeric) {
                    let cost = cost(&text);
                    let leads = sentences.last().is_none_or(|last| last.turn != turn);
                    sentences.push(FoundSentence {
                        at: from + words + at,
                        goes_on,
                        text,
                        voice,
                        code,
                        heads,
                        strong,
                        leads,
                        cost,
                        exchange,
                        turn,
                    });
                }
            }
        }
        from = end + 1;
    }
    sentences
}

/// The sentences of a line, long ones in clauses: where each begins, and whether it goes on with the one before.
fn in_line(line: &str) -> Vec<(usize, bool, &str)> {
    let mut found = Vec::new();
    for sentence in sentences(line) {
        let start = sentence.as_ptr().addr() - line.as_ptr().addr();
        let mut from = 0;
        if sentence.len() > SHORT && cost(sentence) > LONG {
            let mut letters = sentence.char_indices().peekable();
            while let Some((at, letter)) = letters.next() {
                let end = at + letter.len_utf8();
                let spaced = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
                let clause = spaced && matches!(letter, ',' | ';' | ':' | '—' | ')')
                    || matches!(letter, '、' | '，' | '；');
                let long = clause && end - from > SHORT && cost(&sentence[from..end]) > CLAUSE;
                let endless = end - from > 400 && letter.is_whitespace();
                if long || endless {
                    found.push((start + from, from > 0, &sentence[from..end]));
                    from = end;
                }
            }
        }
        found.push((start + from, from > 0, &sentence[from..]));
    }
    found.retain(|(_, _, text)| !text.trim().is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fall_into_sentences() {
        #[track_caller]
        fn check(line: &str, expect: &[&str]) {
            let found: Vec<&str> =
                in_line(line).into_iter().map(|(_, _, text)| text.trim()).collect();
            assert_eq!(found, expect);
        }
        check("It was slow. We dropped it.", &["It was slow.", "We dropped it."]);
        check("It was much too slow. We dropped it.", &["It was much too slow.", "We dropped it."]);
        check(
            "1. Validate the ranges. 2. Add a test for it.",
            &["1. Validate the ranges.", "2. Add a test for it."],
        );
        check("see v1.2.3 of the file", &["see v1.2.3 of the file"]);
        check(
            "배포는 화요일로 정했다. 이유는 점검이다.",
            &["배포는 화요일로 정했다.", "이유는 점검이다."],
        );
        check("缓存被删除了。因为太旧！", &["缓存被删除了。", "因为太旧！"]);
        check("", &[]);
    }
}
