//! The title of a conversation in few words.

use crate::memory::talk::{turns_back, words};
use crate::memory::tokens::{Cost, cost};
use crate::memory::topics::{is_cjk, is_common, is_identifier};

/// The most that a short title may cost, and one in a script of which each character costs as much as a short word.
const MOST: Cost = Cost::tokens(8);
const MOST_OF_WIDE: Cost = Cost::tokens(20);

/// `Cloud Sync` of `Only Cloud Sync`: the words that say something about a subject, and those that turn a meaning round, in
/// their order, as many as there is room for. Empty if there are none.
pub(super) fn short_title(title: &str) -> String {
    let title = title.replace('`', "");
    let most = if title.chars().any(is_cjk) { MOST_OF_WIDE } else { MOST };
    let words = words(&title);
    let mut short = String::new();
    let mut seen: Vec<&str> = Vec::new();
    // The negation that the last words stand with, and what stood before it.
    let mut open = (None, 0);
    for (at, word) in words.iter().enumerate() {
        let (bare, with) = (&*word.bare, word.with);
        let is_new = !bare.is_empty() && !is_common(bare) && !seen.contains(&bare);
        if with.is_none() && !is_new {
            continue;
        }
        let before = short.len();
        if with.is_some() && with != open.0 {
            open = (with, before);
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word.text);
        if cost(&short) > most {
            if turns_back(&words, at) {
                return String::new();
            }
            // Without what it turns round, a negation would turn round what stands before it.
            short.truncate(if with.is_some() { open.1 } else { before });
            break;
        }
        seen.push(bare);
    }
    // A single word that is no name says nothing: `Move`, `Start`.
    if !short.contains(' ') && short.is_ascii() && !is_identifier(&short) {
        return String::new();
    }
    let marks = |c: char| !(c.is_alphanumeric() || matches!(c, ')' | ']' | '"' | '\'' | '+' | '%'));
    short.truncate(short.trim_end_matches(marks).len());
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_title_keeps_what_says_something() {
        fn check(title: &str, expect: &str) {
            assert_eq!(short_title(title), expect, "{title}");
        }
        check("Update our `docs` to all use the caps naming", "Update docs caps naming");
        check("this causes our providers to die, is that so?", "causes providers die");
        check("fix the `pool`, the pool limit", "fix pool, limit");
        check("do not allow sync to print", "not allow sync print");
        check("We don't need the statistics", "don't need statistics");
        check("never drop tables, never cut it", "never drop tables, never cut");
        check("We haven't migrated the ledger", "haven't migrated ledger");
        check("Die Winde am Hafen von Hamburg streichen wir dieses Jahr nicht", "");
        check("why not? we need the gate tariff", "gate tariff");
        check("No, we should use cookies for it", "");
        check("should I be doing this?", "");
        check("Move it", "");
        check("fix `build_dags`", "fix build_dags");
        check("EnsureWALMode", "EnsureWALMode");
        check("로그인 리다이렉트를 고친다", "로그인 리다이렉트를 고친다");
        check("修复登录重定向", "修复登录重定向");
        // What cannot be cut between words is not cut at all.
        check("認証トークンの更新を設定画面から毎回やり直すことにした理由", "");
    }

    #[test]
    fn a_short_title_is_cut_behind_a_word_and_never_behind_a_negation() {
        let long =
            "The harbour tariff parser reads stale moorings and never renumbers berths afterwards";
        let short = short_title(long);
        assert!(cost(&short) <= MOST && !short.is_empty(), "{short}");
        for end in 1..=12 {
            let words = "harbour tariff parser mooring".split(' ').cycle().take(end);
            let title = format!("{} never renumber", words.collect::<Vec<_>>().join("x "));
            assert!(!short_title(&title).ends_with("never"), "{title}");
        }
    }
}
