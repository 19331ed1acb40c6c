//! The words of a sentence, told apart well enough to see which of them come back in a reply.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use crate::memory::hashed::Hashed;
use crate::memory::topics::{is_alphanumeric, is_ambiguous, is_cjk, is_common, is_cyrillic, stem};

/// What requests to an agent say of any subject. Not a list of what to leave out: a sentence of nothing but these is a
/// go-ahead, and one with more of them says less.
const ROUTINE: &str = "\
continue proceed ahead fine agree agreed approve approved correct done perfect lgtm again begin address apply review \
explain task tasks follow follows following file files code line lines document documents docs doc repo repository \
project issue issues problem problems error errors output branch commit comment comments finding findings feedback \
number case idea sense list side order end time present latest set run read check research notice propose proposed concise brief briefly detailed diff confusing \
contribution implication implications ramifications whatever next git staged unstaged reviewed \
option options choice variant alternative \
yesterday today week month session sessions previous earlier recap summarize summary status left monday tuesday wednesday thursday \
friday saturday sunday gestern heute woche sitzung hier semaine séance ayer semana sesión ontem sessão ieri settimana вчера сегодня \
неделе неделю 昨天 今天 上周 昨日 今日 先週 어제 오늘 지난주 \
сделай сделать делай делать посмотри посмотреть глянь проверь проверить объясни расскажи напиши исправь исправить поправь \
почини починить добавь добавить убери убрать запусти прогони обнови задача задачу задачи проблема проблему ошибка ошибку \
ошибки вопрос вопросы файл файлы файле код кода коде документ доки репа репозиторий ветка ветку коммит коммита вариант варианты \
замечания замечание ревью поменяй поменять работает \
ja nein weiter mach bitte danke genau gut oui non merci vas sí si gracias adelante да нет продолжай давай хорошо \
спасибо пожалуйста ладно 네 예 응 좋아 좋아요 계속 계속해 계속해줘 진행 진행해 진행해줘 진행해주세요 해줘 해주세요 고마워 감사합니다 부탁해 \
はい いいえ お願いします ありがとう 続け 続けて 好的 继续 可以 是的 谢谢 好吧 请继续 繼續 謝謝";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// what it is compared by: the hash of its beginning, in lower case
    pub(super) key: u64,
    /// whether it is of a language of which it is known what requests say of any subject
    pub(super) known: bool,
    /// whether requests use it whatever they are about
    pub(super) routine: bool,
}

/// The words of a text that may tell what it is about, each as often as it stands there. Text without blanks between
/// its words yields its bigrams.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word> + '_ {
    each(text, is_routine)
}

/// What the words of a text that say what it is about are compared by: those that no request uses whatever it is about.
pub(in crate::memory) fn telling(text: &str) -> impl Iterator<Item = u64> + '_ {
    words(text).filter(|word| !word.routine).map(|word| word.key)
}

/// What the words of a text are compared by, without asking what else there is to know of them.
pub(super) fn keys(text: &str) -> impl Iterator<Item = u64> + '_ {
    each(text, |_| false).map(|word| word.key)
}

fn each(text: &str, routine: fn(&str) -> bool) -> impl Iterator<Item = Word> + '_ {
    let inside =
        |c: char| c.is_ascii_alphanumeric() || c == '\'' || (!c.is_ascii() && is_inside(c));
    text.split(move |c: char| !inside(c)).flat_map(move |run| {
        let run = run.trim_matches(['\'', '’']);
        if run.is_ascii() {
            return Found { one: ascii_word(run, routine), more: Vec::new().into_iter() };
        }
        let plain: Vec<char> = run.chars().collect();
        if plain.iter().any(|c| is_cjk(*c) && !is_hangul(*c)) {
            Found { one: None, more: bigrams(&plain).into_iter() }
        } else {
            Found { one: word(run, routine), more: Vec::new().into_iter() }
        }
    })
}

fn is_inside(c: char) -> bool {
    is_alphanumeric(c) || c == '’'
}

/// What a run of letters holds: nearly always one word at most.
struct Found {
    one: Option<Word>,
    more: std::vec::IntoIter<Word>,
}

impl Iterator for Found {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        self.one.take().or_else(|| self.more.next())
    }
}

/// The fewest characters of a word, and the characters by which it is compared.
const LEAST: usize = 3;
const BEGINNING: usize = 5;

/// [`word`] of ASCII text.
fn ascii_word(run: &str, routine: fn(&str) -> bool) -> Option<Word> {
    if run.len() < LEAST || !run.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let mut short = [0; 32];
    let Some(lower) = short.get_mut(..run.len()) else { return word(run, routine) };
    lower.copy_from_slice(run.as_bytes());
    lower.make_ascii_lowercase();
    let lower = std::str::from_utf8(lower).ok()?;
    if is_common(lower) {
        return None;
    }
    let key = hash(&lower[..lower.len().min(BEGINNING)]);
    Some(Word { key, known: true, routine: routine(lower) })
}

fn word(run: &str, routine: fn(&str) -> bool) -> Option<Word> {
    let lower = run.to_lowercase().replace('’', "'");
    let count = lower.chars().count();
    let hangul = lower.chars().any(is_hangul);
    let least = if hangul { 2 } else { LEAST };
    let says = lower.chars().any(char::is_alphabetic);
    if count < least || !says || is_common(&lower) {
        return None;
    }
    let length = if hangul { 2 } else { BEGINNING };
    let known = if lower.starts_with(is_cyrillic) { stem(&lower) } else { Cow::Borrowed(&*lower) };
    let end = known.char_indices().nth(length).map_or(known.len(), |(at, _)| at);
    Some(Word::of(&known[..end], routine(&lower)))
}

fn bigrams(run: &[char]) -> Vec<Word> {
    let whole: String = run.iter().collect();
    if is_routine(&whole) {
        return vec![Word::of(&whole, true)];
    }
    let pairs = run.windows(2).filter(|pair| pair.iter().any(|c| is_cjk(*c) && !is_hiragana(*c)));
    let bigram = |pair: &[char]| Word::of(&pair.iter().collect::<String>(), false);
    pairs.map(bigram).collect()
}

impl Word {
    /// A word in katakana, which is compared as a whole: it has no blanks around it, and no endings.
    pub(super) fn of_katakana(word: &str) -> Self {
        Self::of(word, false)
    }

    fn of(beginning: &str, routine: bool) -> Self {
        let known = beginning.chars().all(is_known_letter);
        Self { key: hash(beginning), known, routine }
    }
}

fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// Whether requests use a word, in small letters, whatever they are about.
pub(super) fn is_routine(lower: &str) -> bool {
    static ALL: LazyLock<HashSet<u64, Hashed>> =
        LazyLock::new(|| ROUTINE.split_ascii_whitespace().map(hash).collect());
    ALL.contains(&hash(lower)) || is_weak(lower) || is_ambiguous(lower)
}

fn is_weak(lower: &str) -> bool {
    lower.is_ascii() && crate::memory::topics::says_little(lower)
}

/// A letter of an alphabet of which the words that hold others together are known.
fn is_known_letter(c: char) -> bool {
    c.is_ascii() || matches!(c, '\u{c0}'..='\u{24f}') || is_cyrillic(c)
}

fn is_hangul(c: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&c)
}

/// A Chinese character.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// A letter of the script in which Japanese writes names and words of other languages.
pub(super) fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | '\u{30fc}')
}

fn is_hiragana(c: char) -> bool {
    ('\u{3040}'..='\u{309f}').contains(&c)
}

/// Whether a word is made by a counter or a machine: `12`, `conv43`, `f805e355`, `第3回`.
pub(super) fn is_id(word: &str) -> bool {
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    let hex = word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let long = word.len() >= 20 && word.is_ascii();
    let ordinal = word.starts_with('第');
    digits > 0 && (hex || digits * 2 >= word.chars().count() || long || ordinal)
}
