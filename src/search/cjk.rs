//! Words of scripts without spaces between them, as pairs of characters, and Korean words without their particles.

use crate::meaning::script::is_cjk;
use crate::memory::hashed::hash_folded;
use crate::text::lists;

/// Korean particles and endings that a question puts after a noun or verb, longest first where one ends in another.
const PARTICLES: &str = "\
    이었습니까 했습니까 하였나 되었나 했는지 되는지 하는지 인가요 했나요 됐나요 하나요 에서는 으로는 에게서 \
    이라고 이라는 했었지 했었나 바뀌었지 했지 했나 됐지 됐나 하나 한지 인가 인지 에서 으로 에게 한테 부터 \
    까지 보다 처럼 마다 이나 라고 라는 하고 하는 했던 하던 되는 된 한 할 은 는 이 가 을 를 에 의 와 \
    과 도 만 로 나 랑 요 지";

/// Words that ask or fill, in Korean, Japanese and Chinese.
const STOP: &str = "\
    어떻게 무엇 무슨 뭐 뭐가 뭘 언제 어디 어느 누가 누구 왜 얼마나 어떤 어땠 어떠 찾아줘 알려줘 그리고 \
    그때 우리 내가 나의 대한 대해 대해서 관한 위한 때문 것 수 있는 있나 있었 없는 하는 써야 해야 하나 \
    걸리나 걸린 어떻 무엇을 这个 那个 什么 怎么 怎样 为什么 哪个 哪里 哪些 多少 我们 どう なぜ いつ どこ \
    どの どれ です ます";

/// Whether a character is a syllable of Korean.
pub(super) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309f}')
}

/// The runs of such characters in a text.
pub(super) fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_cjk(c)).filter(|run| !run.is_empty())
}

/// Every two characters that stand side by side in a run.
pub(super) fn all_pairs(run: &str) -> impl Iterator<Item = &str> {
    let ends = run.char_indices().skip(1).map(|(at, c)| at + c.len_utf8());
    run.char_indices().zip(ends).map(|((at, _), end)| &run[at..end])
}

/// What of a run is looked for: pairs of characters, or a single one, each with its weight.
pub(super) fn pairs(run: &str) -> Vec<(String, f32)> {
    let mut word = run;
    if lists(STOP, word) {
        return Vec::new();
    }
    if word.chars().all(is_hangul) {
        word = without_particle(word);
        if lists(STOP, word) {
            return Vec::new();
        }
    }
    let chars: Vec<char> = word.chars().collect();
    if let [one] = chars[..] {
        return vec![(one.to_string(), 1.0)];
    }
    chars
        .windows(2)
        .map(|pair| {
            let text: String = pair.iter().collect();
            let hiragana = pair.iter().filter(|c| is_hiragana(**c)).count();
            let weight = match hiragana {
                _ if lists(STOP, &text) => 0.0,
                0 => 1.0,
                1 => 0.4,
                _ => 0.2,
            };
            (text, weight)
        })
        .filter(|(_, weight)| *weight > 0.0)
        .collect()
}

/// A Korean word without the particle after it, as long as two syllables stay.
fn without_particle(word: &str) -> &str {
    PARTICLES
        .split(' ')
        .filter_map(|particle| word.strip_suffix(particle))
        .find(|rest| rest.chars().nth(1).is_some())
        .unwrap_or(word)
}

/// The hashes of some words of a text, and of its pairs of CJK characters, each once.
pub(super) fn with_pairs<'a>(some: impl Iterator<Item = &'a str>, text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = some.map(hash_folded).collect();
    if !text.is_ascii() {
        words.extend(runs(text).flat_map(all_pairs).map(hash_folded));
    }
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_pairs_without_their_particles() {
        fn check(run: &str, expect: &[&str]) {
            let found: Vec<String> = pairs(run).into_iter().map(|(text, _)| text).collect();
            assert_eq!(found, expect, "{run}");
        }
        check("토큰의", &["토큰"]);
        check("데이터베이스로", &["데이", "이터", "터베", "베이", "이스"]);
        check("딸", &["딸"]);
        check("수를", &["수를"]);
        check("어떻게", &[]);
        check("缓存策略", &["缓存", "存策", "策略"]);
        check("什么", &[]);
    }

    #[test]
    fn every_pair_of_a_run_is_told() {
        assert_eq!(all_pairs("缓存策略").collect::<Vec<_>>(), ["缓存", "存策", "策略"]);
        assert_eq!(all_pairs("딸").count(), 0);
    }

    #[test]
    fn particles_stand_before_those_they_end_in() {
        let particles: Vec<&str> = PARTICLES.split(' ').collect();
        for (at, long) in particles.iter().enumerate() {
            let hidden = particles[..at].iter().find(|short| long.ends_with(*short));
            assert_eq!(hidden, None, "{long}");
        }
    }
}
