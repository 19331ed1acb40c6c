//! The title of a conversation in few words.

use crate::memory::talk::{Word, turns_back, words};
use crate::memory::tokens::{Cost, cost};
use crate::memory::topics::{is_cjk, is_common, is_identifier};

/// The most that a short title may cost, and one in a script of which each character costs as much as a short word.
const MOST: Cost = Cost::tokens(8);
const MOST_OF_WIDE: Cost = Cost::tokens(20);
/// What a heading in front of a title may say besides the number of what is reviewed.
const OF_REVIEWS: [&str; 6] = ["code", "review", "pull", "request", "pr", "mr"];
/// What may stand between such a heading and what follows it.
const DASHES: [&str; 3] = ["-", "–", "—"];

/// `#151 Cloud Sync` of `Code Review: PR #151 - Only Cloud Sync`: the words that say something about a subject, and those
/// that turn a meaning round, in their order, as many as there is room for. Empty if there are none.
pub(super) fn short_title(title: &str) -> String {
    let title = title.replace('`', "");
    let most = if title.chars().any(is_cjk) { MOST_OF_WIDE } else { MOST };
    let words = words(&title);
    let heading = of_review(&words);
    let mut short = String::new();
    let mut seen: Vec<&str> = Vec::new();
    // The negation that the last words stand with, and what stood before it.
    let mut open = (None, 0);
    for (at, word) in words.iter().enumerate() {
        let (bare, with) = (&*word.bare, word.with);
        let is_new = !bare.is_empty() && !is_common(bare) && !seen.contains(&bare);
        let is_heading = at < heading && !word.text.starts_with('#');
        if is_heading || with.is_none() && !is_new {
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

/// How many words in front of a title say only that something is reviewed: `Code Review:`, `PR #151 -`.
fn of_review(words: &[Word<'_>]) -> usize {
    let is_number =
        |word: &Word<'_>| word.text.starts_with('#') && word.bare.parse::<u64>().is_ok();
    let mut end = 0;
    loop {
        let rest = &words[end..];
        let says_so = |word: &&Word<'_>| OF_REVIEWS.contains(&&*word.bare) || is_number(word);
        let count = rest.iter().take_while(says_so).count();
        let colon = rest[..count].iter().position(|word| word.text.ends_with(':'));
        let is_dash = rest.get(count).is_some_and(|word| DASHES.contains(&word.text));
        let numbered = rest[..count].iter().any(is_number);
        // Without a mark behind it, it takes a number to tell a heading from a request: `review the code of the pier`.
        let closed = match colon {
            Some(last) => last + 1,
            None if is_dash => count + 1,
            None if numbered => count,
            None => 0,
        };
        if count == 0 || closed == 0 || end + closed >= words.len() {
            return end;
        }
        end += closed;
    }
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
    fn that_something_is_reviewed_goes_and_what_is_done_stays() {
        fn check(title: &str, expect: &str) {
            assert_eq!(short_title(title), expect, "{title}");
        }
        check("Code Review: PR #151 - Only Cloud Sync", "#151 Cloud Sync");
        check("PR #166 Code Review: Print to Stdout", "#166 Print Stdout");
        check("Code Review: moorings and tariffs", "moorings tariffs");
        check("Pull Request #12 mend the winch", "#12 mend winch");
        check("PR #12", "PR #12");
        check("Code Review", "Code Review");
        check("review the code of the pier", "review code pier");
        check("do not review: the tariff code", "not review: tariff code");
        check("Revert PR #12: the pier", "Revert PR #12: pier");
        check("Disable alarms: the pier crane", "Disable alarms: pier crane");
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
