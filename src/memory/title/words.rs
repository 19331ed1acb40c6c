//! The words of a sentence, told apart well enough to see which of them come back in a reply.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::memory::topics::{is_cjk, is_common};

/// What requests to an agent say of any subject. Not a list of what to leave out: a sentence of nothing but these is a
/// go-ahead, and one with more of them says less.
const ROUTINE: &str = "\
continue proceed ahead fine agree agreed approve approved correct done perfect lgtm again begin address apply review \
explain task tasks follow follows following file files code line lines document documents docs doc repo repository \
project issue issues problem problems error errors output branch commit comment comments finding findings feedback \
number case idea sense list side order end time present latest set run read check research notice propose proposed concise brief briefly detailed diff confusing \
contribution implication implications ramifications whatever next \
ja nein weiter mach bitte danke genau gut oui non merci vas sí si gracias adelante да нет продолжай давай хорошо \
спасибо пожалуйста ладно 네 예 응 좋아 좋아요 계속 계속해 계속해줘 진행 진행해 진행해줘 진행해주세요 해줘 해주세요 고마워 감사합니다 부탁해 \
はい いいえ お願いします ありがとう 続け 続けて 好的 继续 可以 是的 谢谢 好吧 请继续 繼續 謝謝";

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// what it is compared by: its beginning, in lower case
    pub(super) key: String,
    /// whether requests use it whatever they are about
    pub(super) routine: bool,
}

/// The words of a text that may tell what it is about, each as often as it stands there. Text without blanks between
/// its words yields its bigrams.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word> + '_ {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    text.split(move |c: char| !inside(c)).flat_map(|run| {
        let run = run.trim_matches(['\'', '’']);
        let plain: Vec<char> = run.chars().collect();
        if plain.iter().any(|c| is_cjk(*c) && !is_hangul(*c)) {
            bigrams(&plain)
        } else {
            word(run).into_iter().collect()
        }
    })
}

fn word(run: &str) -> Option<Word> {
    let lower = run.to_lowercase().replace('’', "'");
    let count = lower.chars().count();
    let hangul = lower.chars().any(is_hangul);
    let least = if hangul { 2 } else { 3 };
    let says = lower.chars().any(char::is_alphabetic);
    if count < least || !says || is_common(&lower) {
        return None;
    }
    let length = if hangul { 2 } else { 5 };
    Some(Word { key: lower.chars().take(length).collect(), routine: is_routine(&lower) })
}

fn bigrams(run: &[char]) -> Vec<Word> {
    let whole: String = run.iter().collect();
    if is_routine(&whole) {
        return vec![Word { key: whole, routine: true }];
    }
    let pairs = run.windows(2).filter(|pair| pair.iter().any(|c| is_cjk(*c) && !is_hiragana(*c)));
    pairs.map(|pair| Word { key: pair.iter().collect(), routine: false }).collect()
}

fn is_routine(lower: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| ROUTINE.split_ascii_whitespace().collect());
    WORDS.contains(lower) || is_weak(lower)
}

fn is_weak(lower: &str) -> bool {
    lower.is_ascii() && crate::memory::topics::says_little(lower)
}

fn is_hangul(c: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&c)
}

fn is_hiragana(c: char) -> bool {
    ('\u{3040}'..='\u{309f}').contains(&c)
}

/// Whether a word is made by a counter or a machine: `12`, `conv43`, `f805e355`.
pub(super) fn is_id(word: &str) -> bool {
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    let hex = word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    digits > 0 && (hex || digits * 2 >= word.chars().count() || word.len() >= 20)
}
