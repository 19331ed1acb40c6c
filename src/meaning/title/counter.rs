//! Titles that only number their session.

use crate::meaning::lexicon::shape;
use crate::text::behind;

/// Whether a title only numbers or names its session: `Session 12`, `Note 17`, `회의 3`, `conv-43-29`, a date, an id, or
/// the name a client gives to every session.
pub(crate) fn only_counts(title: &str) -> bool {
    let title = title.trim();
    if shape::GIVEN_TITLES.iter().any(|name| behind(title, name).is_some()) {
        return true;
    }
    let words: Vec<&str> =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.iter().any(|word| is_phrase(word)) {
        return false;
    }
    let is_counted = |word: &&&str| word.chars().any(char::is_numeric);
    let named = words.iter().filter(|word| word.chars().any(char::is_alphabetic));
    let (counted, plain): (Vec<&&str>, Vec<&&str>) = named.partition(is_counted);
    let ids = counted.iter().filter(|word| is_id(word)).count();
    match counted.len() + plain.len() {
        0 => true,
        1 => words.len() > 1 || ids == 1,
        all => ids == all,
    }
}

/// Whether what is between two blanks is several words of a script that sets none between them: `本番デプロイ`, not `会議`
/// and not `ミーティング`. It changes from one of the scripts of Japanese to another, or has more Chinese characters in a row
/// than a word has.
fn is_phrase(word: &str) -> bool {
    const WORD: usize = 4;
    let script = |c: char| match c {
        'a'..='z' | 'A'..='Z' => 1,
        'ぁ'..='ゖ' => 2,
        'ァ'..='ヺ' | 'ー' => 3,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => 4,
        _ => 0,
    };
    let mut scripts = word.chars().map(script).filter(|script| *script > 0);
    let Some(first) = scripts.next().filter(|_| !word.is_ascii()) else { return false };
    scripts.any(|script| script != first)
        || word.split(|c| script(c) != 4).any(|run| run.chars().count() > WORD)
}

/// Whether a word is made by a counter or a machine: `conv43`, `f805e355`, `第3回`.
fn is_id(word: &str) -> bool {
    let digits = word.chars().filter(|c| c.is_numeric()).count();
    let hex = word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let long = word.len() >= 20 && word.is_ascii();
    digits > 0 && (hex || digits * 2 >= word.chars().count() || long || word.starts_with('第'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_given_names_name_nothing() {
        for title in [
            "Session 12",
            "회의 3",
            "conv-43-29",
            "2026-03-15",
            "f805e355",
            "New chat",
            "第3回",
            "",
        ] {
            assert!(only_counts(title), "{title}");
        }
        for title in ["fix the login", "auth", "本番デプロイ", "v2 rollout plan", "ミーティング"]
        {
            assert!(!only_counts(title), "{title}");
        }
    }
}
