//! Titles that begin by saying that something is reviewed.

use crate::memory::talk::{Word, words};

/// What a heading in front of a title may say besides the number of what is reviewed.
const OF_REVIEWS: [&str; 6] = ["code", "review", "pull", "request", "pr", "mr"];
/// What may stand between such a heading and what follows it.
const DASHES: [&str; 3] = ["-", "–", "—"];

/// `#151` and `Only Cloud Sync` of `Code Review: PR #151 - Only Cloud Sync`: the number of what is reviewed, if there is
/// one, and what stands behind the heading, which is all of a title without one.
pub(super) fn reviewed(title: &str) -> (Option<String>, &str) {
    let words = words(title);
    let heading = heading(&words);
    let number = words[..heading].iter().find(|word| is_number(word));
    let mut rest = title;
    for _ in 0..heading {
        rest = rest.trim_start();
        rest = rest.find(char::is_whitespace).map_or("", |at| &rest[at..]);
    }
    (number.map(|word| format!("#{}", word.bare)), rest.trim_start())
}

fn is_number(word: &Word<'_>) -> bool {
    word.text.starts_with('#') && word.bare.parse::<u64>().is_ok()
}

/// How many words in front of a title say only that something is reviewed: `Code Review:`, `PR #151 -`.
fn heading(words: &[Word<'_>]) -> usize {
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
    fn that_something_is_reviewed_goes_and_its_number_stays() {
        fn check(title: &str, number: &str, rest: &str) {
            let number = Some(number.to_owned()).filter(|number| !number.is_empty());
            assert_eq!(reviewed(title), (number, rest), "{title}");
        }
        check("Code Review: PR #151 - Only Cloud Sync", "#151", "Only Cloud Sync");
        check("PR #166 Code Review: Print to Stdout", "#166", "Print to Stdout");
        check("Code Review: moorings and tariffs", "", "moorings and tariffs");
        check("Pull Request #12 mend the winch", "#12", "mend the winch");
        check("PR #12", "", "PR #12");
        check("Code Review", "", "Code Review");
        check("review the code of the pier", "", "review the code of the pier");
        check("do not review: the tariff code", "", "do not review: the tariff code");
        check("Revert PR #12: the pier", "", "Revert PR #12: the pier");
        check("Disable alarms: the pier crane", "", "Disable alarms: the pier crane");
    }
}
