//! Cuts a section into sentences, and knows what kind each of them is.

use super::collect::Only;
use super::voice::{Voice, Voices};
use crate::markdown::fence;
use crate::memory::tokens::{Cost, cost};

/// Sentences longer than this are cut at a clause.
const LONG: Cost = Cost::tokens(45);

/// One sentence, or a clause of a long one.
pub(super) struct Sentence {
    /// its first byte in the section
    pub(super) at: usize,
    /// its words without markup
    pub(super) text: String,
    pub(super) voice: Voice,
    pub(super) code: bool,
    pub(super) cost: Cost,
    /// terms of the question in it
    pub(super) terms: Vec<u8>,
    /// what it is worth
    pub(super) score: f32,
    /// a person's turn and the replies to it, counted
    pub(super) exchange: usize,
}

/// Whether a sentence only says what comes next: `Let me look at the tests:`.
pub(super) fn announces(text: &str) -> bool {
    const BEGINNINGS: [&str; 32] = [
        "let me",
        "now let me",
        "let's see",
        "let's look",
        "let's check",
        "now i",
        "i'll",
        "i will",
        "i'm going",
        "next,",
        "now ",
        "first, let",
        "good.",
        "good,",
        "good!",
        "perfect",
        "great",
        "ok,",
        "ok.",
        "okay",
        "alright",
        "time to",
        "going to",
        "checking",
        "looking",
        "running",
        "reading",
        "sure",
        "you're right",
        "got it",
        "excellent",
        "done.",
    ];
    let start: String = text.chars().take(16).flat_map(char::to_lowercase).collect();
    text.ends_with(':') || BEGINNINGS.iter().any(|beginning| start.starts_with(beginning))
}

/// What kind of answer a question asks for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asks {
    reason: bool,
    number: bool,
}

impl Asks {
    /// By the words of a question in lower case.
    pub(super) fn of(question: &str) -> Self {
        const REASON: [&str; 14] = [
            "why",
            "cause",
            "reason",
            "what made",
            "behind",
            "problem",
            "danger",
            "왜",
            "이유",
            "warum",
            "pourquoi",
            "почему",
            "なぜ",
            "为什么",
        ];
        const NUMBER: [&str; 10] = [
            "how much",
            "how many",
            "how long",
            "which version",
            "number",
            "size",
            "when",
            "얼마",
            "сколько",
            "wie viel",
        ];
        let has = |words: &[&str]| words.iter().any(|word| question.contains(word));
        Self { reason: has(&REASON), number: has(&NUMBER) }
    }

    /// How many signs a sentence shows of being an answer.
    pub(super) fn signs(self, text: &str) -> f32 {
        const REASONS: [&str; 18] = [
            "because",
            "root cause",
            "the reason",
            "due to",
            "so that",
            "the problem",
            "turns out",
            "the issue",
            "caused",
            "which means",
            "that's why",
            "때문",
            "원인",
            "이유",
            "weil ",
            "parce que",
            "потому",
            "因为",
        ];
        const DECISIONS: [&str; 14] = [
            "decid",
            "agreed",
            "let's",
            "fixed",
            "the fix",
            "went with",
            "instead",
            "changed",
            "should",
            "must",
            "conclusion",
            "recommend",
            "now ",
            "결정",
        ];
        let text = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let reason = self.reason && has(&REASONS);
        let number = self.number && text.bytes().any(|byte| byte.is_ascii_digit());
        f32::from(u8::from(reason) + u8::from(number)) + if has(&DECISIONS) { 0.5 } else { 0.0 }
    }
}

/// The sentences of a section, the heading left out.
pub(super) fn split(section: &str, only: Only) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let code = fence::code_lines(section);
    let mut voices = Voices::new();
    let mut from = 0;
    let mut exchange = 0;
    for (number, end) in
        memchr::memchr_iter(b'\n', section.as_bytes()).chain([section.len()]).enumerate()
    {
        let line = &section[from..end];
        let (voice, words) = voices.line(line);
        let is_title = from == 0 && line.starts_with('#');
        let code = code.get(number).copied().unwrap_or(false);
        exchange += usize::from(words > 0 && voice == Voice::User);
        if voice != Voice::Nobody && !is_title && only.hears(voice) {
            for (at, text) in in_line(&line[words..]) {
                let text = plain(text);
                if text.chars().any(char::is_alphanumeric) {
                    let cost = cost(&text) + Cost(30);
                    let at = from + words + at;
                    sentences.push(Sentence {
                        at,
                        text,
                        voice,
                        code,
                        cost,
                        terms: Vec::new(),
                        score: 0.0,
                        exchange,
                    });
                }
            }
        }
        from = end + 1;
    }
    sentences
}

/// The sentences of a line, long ones in clauses, and where they begin.
fn in_line(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let end = at + letter.len_utf8();
        let spaced = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let stop = matches!(letter, '。' | '！' | '？')
            || (spaced && matches!(letter, '.' | '!' | '?' | '…'));
        let clause = spaced && matches!(letter, ',' | ';' | ':' | '—' | ')')
            || matches!(letter, '、' | '，');
        let long = clause && end - from > 90 && cost(&line[from..end]) > LONG;
        let endless = end - from > 400 && letter.is_whitespace();
        // The number of an item and the like is no sentence.
        let letters =
            line[from..end].bytes().filter(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic());
        let short = stop && letters.take(10).count() < 10;
        if (stop && !short) || long || endless {
            found.push((from, &line[from..end]));
            from = end;
        }
    }
    found.push((from, &line[from..]));
    found.retain(|(_, text)| !text.trim().is_empty());
    found
}

/// A sentence without the marks of its markup, which cost a token each and say nothing here.
fn plain(text: &str) -> String {
    let text = text
        .trim()
        .trim_start_matches(['#', '-', '*', '>', '|', '+', ' '])
        .trim_end_matches(['|', ' ', '*']);
    // What is left of `[files: a, b]` when its beginning is not shown.
    let text = text.strip_suffix(']').filter(|rest| !rest.contains('[')).unwrap_or(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '`' => {}
            '*' if rest.peek() == Some(&'*') => {
                rest.next();
            }
            c if c.is_whitespace() || c == '|' => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fall_into_sentences() {
        #[track_caller]
        fn check(line: &str, expect: &[&str]) {
            let found: Vec<&str> = in_line(line).into_iter().map(|(_, text)| text.trim()).collect();
            assert_eq!(found, expect);
        }
        check("It was slow. We dropped it.", &["It was slow. We dropped it."]);
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

    #[test]
    fn markup_is_left_out() {
        #[track_caller]
        fn check(text: &str, expect: &str) {
            assert_eq!(plain(text), expect);
        }
        check("- **Root cause**: `a`  b", "Root cause: a b");
        check("| a | b |", "a b");
        check("> 2 * 3", "2 * 3");
    }

    #[test]
    fn a_question_tells_what_its_answer_looks_like() {
        #[track_caller]
        fn check(question: &str, sentence: &str, expect: f32) {
            let found = Asks::of(question).signs(sentence);
            assert!((found - expect).abs() < 1e-6, "{question}: {found}");
        }
        check("why is it slow", "Because it scans.", 1.0);
        check("how many were there", "There were 12.", 1.0);
        check("what is slow", "Because it scans 12.", 0.0);
        check("who", "We decided to scan.", 0.5);
    }
}
