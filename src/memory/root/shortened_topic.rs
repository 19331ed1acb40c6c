//! A topic that is too long for a line, in at most four of its own words.

use crate::memory::talk::negates;
use crate::memory::topics::is_cyrillic;
use crate::order::InOrder as _;

/// How many words stand behind the scope.
const WORDS: usize = 3;
/// So many words before it, a negation belongs to a word.
const REACH: usize = 2;

/// `revset dag range lazily` of `revset: parse the dag range lazily`: the scope, then the best of `words` in the
/// order in which the topic has them. `words` are the topic's words and their stems, best first; those that the topic does not
/// have are passed over. Empty if none is left.
pub(super) fn gist<'a>(
    topic: &'a str,
    scope: Option<&str>,
    words: impl Iterator<Item = (&'a str, &'a str)>,
) -> String {
    let behind = scope.and_then(|_| topic.split_once(": ")).map_or(topic, |(_, behind)| behind);
    let tokens: Vec<&str> = tokens(behind).collect();
    // Each with its place: the token, and the byte in it.
    let mut chosen: Vec<((usize, usize), &str)> = Vec::new();
    for (word, stem) in words {
        let found = tokens.iter().enumerate().find_map(|(place, token)| {
            let (at, text) = part(token, word, stem)?;
            Some(((place, at), text))
        });
        let Some(found) = found else { continue };
        let again = scope.is_some_and(|scope| scope.eq_ignore_ascii_case(found.1))
            || chosen.iter().any(|(_, other)| other.eq_ignore_ascii_case(found.1));
        if !again {
            chosen.push(found);
        }
        if chosen.len() == WORDS {
            break;
        }
    }
    if chosen.is_empty() {
        return String::new();
    }
    // What turns the meaning of a word round stands with it.
    for (place, _) in chosen.clone() {
        let near = place.0.saturating_sub(REACH)..place.0;
        for (at, token) in near.clone().zip(&tokens[near]) {
            if negates(&token.to_lowercase()) && !chosen.iter().any(|(known, _)| known.0 == at) {
                chosen.push(((at, 0), token));
            }
        }
    }
    chosen.order_by_key(|(place, _)| *place);
    let words = chosen.into_iter().map(|(_, word)| word);
    scope.into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')))
        .map(|token| token.trim_matches(['_', '\'', '’']))
        .filter(|token| !token.is_empty())
}

/// What of a token a word stands for, and at which byte: all of it if it has the word's stem, else the word itself, which may
/// be a piece of CJK text.
fn part<'t>(token: &'t str, word: &'t str, stem: &str) -> Option<(usize, &'t str)> {
    if token.is_ascii() {
        if token.eq_ignore_ascii_case(word) {
            return Some((0, word));
        }
        let stem = beginning(stem);
        let inflected = stem.len() > 2 && token.to_ascii_lowercase().starts_with(stem);
        return inflected.then_some((0, token));
    }
    let lower = token.to_lowercase();
    if lower == word.to_lowercase() || (token.starts_with(is_cyrillic) && lower.starts_with(stem)) {
        return Some((0, token));
    }
    token.find(word).map(|at| (at, &token[at..at + word.len()]))
}

/// What all words of a stem begin with: Porter's stems end in `i` where the word has a `y`.
pub(super) fn beginning(stem: &str) -> &str {
    stem.strip_suffix('i').filter(|shorter| shorter.len() > 2).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gist_is_a_scope_and_three_words() {
        fn check(topic: &str, scope: Option<&str>, words: &[&'static str], expect: &str) {
            let words: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
            assert_eq!(gist(topic, scope, words.into_iter()), expect, "{topic}");
        }
        let topic = "Revset: parse the DAG range lazily, once and for all";
        check(
            topic,
            Some("revset"),
            &["range", "lazily", "DAG", "parse"],
            "revset DAG range lazily",
        );
        check(topic, Some("revset"), &["dag", "parse"], "revset parse dag");
        check(topic, None, &["parse", "revset", "range", "dag"], "revset parse range");
        // A word of another form, one that is the scope again, one that is not there.
        check(
            "cli: drop cli helpers nobody calls",
            Some("cli"),
            &["cli", "help", "tests"],
            "cli helpers",
        );
        check("please don't allow sync to print", None, &["sync", "print"], "don't sync print");
        check("print, but not in a sync", None, &["print"], "print");
        check(topic, Some("revset"), &["tests"], "");
        check(topic, Some("revset"), &[], "");
        check("결제 양식은 하단에 표시하기로 했다", None, &["하단에", "양식은"], "양식은 하단에");
        check("検索インデックスの再構築を実施した", None, &["再構築", "検索"], "検索 再構築");
    }
}
