//! A sentence in fewer words: without the sounds before it, or in the style of a telegram.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use super::negation::{Word, words};

/// What somebody says before saying something.
const SOUNDS: [&str; 21] = [
    "mmm", "mmmk", "mmk", "hmm", "hmmm", "hm", "yup", "yep", "yeah", "yes", "y", "ok", "okay", "k",
    "nope", "well", "so", "right", "agreed", "sure", "uhh",
];

/// A sentence without what costs room and says nothing: sounds before it, quotes of code, the stop at its end.
pub(crate) fn plain(text: &str) -> String {
    let text = if text.contains('`') { text.replace('`', "").into() } else { Cow::Borrowed(text) };
    let mut rest = text.trim_end_matches(['.', '。', ';']);
    while let Some(after) = behind_sound(rest) {
        rest = after;
    }
    rest.to_owned()
}

/// What stands behind a sound and the marks that end it, if a text begins so and goes on.
fn behind_sound(text: &str) -> Option<&str> {
    const MARKS: [char; 4] = [',', '.', '…', '!'];
    let text = text.trim_start();
    let (sound, after) = text.split_at(text.bytes().take_while(u8::is_ascii_alphabetic).count());
    let after = after.trim_start().strip_prefix(MARKS)?;
    let is_sound = SOUNDS.iter().any(|known| sound.eq_ignore_ascii_case(known));
    let after = after.trim_start_matches([' ', ',', '.', '…', '!']);
    (is_sound && !after.is_empty()).then_some(after)
}

/// Whether a reader adds a word, in lower case and with plain apostrophes, by himself.
pub(super) fn is_glue(word: &str) -> bool {
    const GLUE: &str = "a an the of is are was were be been being am has have had do does did it its it's this that these \
        those there here i i'm i've i'd i'll we we're we've we'd we'll you you're you've you'll your our my their they \
        they're he she very really just actually also quite basically simply currently already so then now please would \
        will could can may might as well";
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| GLUE.split_whitespace().collect());
    ALL.contains(word)
}

/// A statement in the style of a telegram: without the words that a reader adds by himself. Verbs stay, and what turns a
/// meaning round, or says from where to where.
pub(crate) fn telegram(text: &str) -> String {
    const VERBS: [&str; 3] = ["be", "do", "have"];
    let mut out = String::with_capacity(text.len());
    let mut before = "";
    for Word { text: word, bare, with } in words(text) {
        // `to do with`, `to be told`
        let is_to = std::mem::replace(&mut before, word).eq_ignore_ascii_case("to");
        let stays = with.is_some() || (is_to && VERBS.contains(&&*bare));
        if stays || !is_glue(&bare) {
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            out.push_str(word);
            continue;
        }
        // The marks around a word that goes stay: a bracket that opens, a comma or a bracket at its end.
        if word.starts_with('(') && !word.ends_with(')') {
            out.push_str(if out.is_empty() { "(" } else { " (" });
        } else if word.ends_with(')') && !word.starts_with('(') {
            out.push(')');
        } else if word.ends_with([',', ';', ':'])
            && !out.is_empty()
            && !out.ends_with([',', ';', ':', '('])
        {
            out.extend(word.chars().next_back());
        }
    }
    out.trim_end_matches([',', ';', ':', '.', ' ', '—', '-']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telegrams_keep_what_turns_a_meaning_round() {
        fn check(text: &str, expect: &str) {
            assert_eq!(telegram(text), expect);
        }
        check(
            "The client must never send gzip before the server takes it",
            "client must never send gzip before server takes",
        );
        check(
            "We moved the tests from CI to a cron job, because they were slow",
            "moved tests from CI to cron job, because slow",
        );
        check("Check the mirror (it is old), then the fix", "Check mirror (old), fix");
        check("Short titles are not a goal", "Short titles not goal");
        check("The struct doesn't have the field", "struct doesn't have field");
        check("It has nothing to do with the file", "nothing to do with file");
        check("It must not be the last", "must not be last");
        check("The parser is not just slow, it is wrong", "parser not just slow, wrong");
        check("It doesn’t really have the field", "doesn’t really have field");
        check("토큰을 갱신하지 않기로 했다", "토큰을 갱신하지 않기로 했다");
    }

    #[test]
    fn sounds_are_no_statement() {
        for (text, expect) in [
            ("mmmk, resume only if the workspace exists.", "resume only if the workspace exists"),
            ("yup... drop the `prefix` index", "drop the prefix index"),
            ("Ok. Agreed, keep it", "keep it"),
            ("v1.2 is out", "v1.2 is out"),
            ("Right", "Right"),
        ] {
            assert_eq!(plain(text), expect);
        }
    }
}
