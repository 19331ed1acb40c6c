//! The title of a conversation in few words.

use crate::memory::talk::{is_turned, negates};
use crate::memory::tokens::{Cost, cost};
use crate::memory::topics::{is_cjk, is_common, is_identifier};

/// The most that a short title may cost, and one in a script of which each character costs as much as a short word.
const MOST: Cost = Cost::tokens(8);
const MOST_OF_WIDE: Cost = Cost::tokens(20);

/// `Code Review: PR #151 Cloud` of `Code Review: PR #151 - Only Cloud Sync`: the words that say something about a subject, and
/// those that turn a meaning round, in their order, as many as there is room for. Empty if there are none.
pub(super) fn short_title(title: &str) -> String {
    let title = title.replace('`', "");
    let most = if title.chars().any(is_cjk) { MOST_OF_WIDE } else { MOST };
    let mut short = String::new();
    let mut seen: Vec<String> = Vec::new();
    for word in title.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.to_lowercase().replace('’', "'");
        let is_kept = negates(&bare) || is_turned(seen.last().map(String::as_str), &bare);
        let says = !bare.is_empty() && (!is_common(&bare) || is_kept);
        if !says || seen.contains(&bare) {
            continue;
        }
        let before = short.len();
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
        if cost(&short) > most {
            short.truncate(before);
            break;
        }
        seen.push(bare);
    }
    // What turned round the meaning of a word that had no room would now turn round that of the one before.
    while seen.last().is_some_and(|word| negates(word)) {
        seen.pop();
        short.truncate(short.rfind(' ').unwrap_or(0));
    }
    // A single word that is no name says nothing: `Move`, `Start`.
    if seen.len() == 1 && short.is_ascii() && !is_identifier(&short) {
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
