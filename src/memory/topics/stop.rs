//! Words that say nothing about a subject, chat pleasantries included, and those that say little in an English title.
//!
//! Of languages beside English, those that are no word of English as well (`die`, `war`, `plus`). Of these a memory tells
//! by how many of its sections have them.

use std::collections::HashSet;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use xxhash_rust::xxh3::xxh3_64;

use super::function_words;
use crate::memory::hashed::Hashed;

/// Lower-case, with and without apostrophes as people type them.
const WORDS: &str = "\
a able about above across actually after again against ago all almost along already alright also although always am \
among an and another any anybody anyone anything anyway apart are aren't around as ask asked asking asks at away \
back basically be became because become been before begin behind being below besides best better between beyond bit \
both but by came can can't cannot cause certain certainly clearly come comes coming consider could couldn't course \
did didn't different do does doesn't doing don't done down during each easily easy either else enough especially \
etc even ever every everybody everyone everything exactly example except far feel few find first following for \
found from full further gave general generally get gets getting give given gives giving go goes going gone gonna \
good got great guess had happen happens hardly has hasn't have haven't having he he'd he'll he's hello help helped \
helpful helping helps her here here's hers herself hey hi him himself his hope how how's however i i'd i'll i'm \
i've if important in include included includes including indeed information inside instead interested interesting into \
is isn't it it'd it'll it's its itself just keep keeps kept kind knew know known knows lastly later least less let let's \
like liked likely likes little long look looked looking looks lot lots made main mainly make makes making many may \
maybe me mean means meant mention mentioned might mine more moreover most mostly much must my myself near nearly \
necessary need needed needs neither never new next no nobody none nor not nothing now number obviously of off often \
oh ok okay old on once one ones only onto or other others otherwise ought our ours ourselves out over overall own \
part particular particularly per perhaps please possible possibly pretty previous previously probably provide \
provided provides put quite rather re real really recent recently recommend recommendation recommendations regarding \
right said same saw say saying says see seem seemed seems seen several shall she she'd she'll she's should \
shouldn't show shown shows simply since so some somebody somehow someone something sometimes somewhat soon sorry \
sort specific specifically still stuff such suggest suggested suggestion suggestions sure take taken takes taking \
tell than thank thanks that that'd that'll that's the their theirs them themselves then there there'd there'll \
there's therefore these they they'd they'll they're they've thing things think thinking this those though thought \
thoughts through throughout thus till tip tips to together told too took toward towards tried tries truly try trying \
turn type under understand unless until unlike up upon us use used useful user uses using usual usually various very via \
want wanted wanting wants was wasn't way ways we we'd we'll we're we've welcome well went were weren't what what's \
whatever when when's whenever where where's whereas wherever whether which while who who's whoever whole whom whose \
why will willing with within without won't wonder wondering work worked working works would wouldn't yeah yes yet \
you you'd you'll you're you've your yours yourself yourselves \
arent cant couldnt didnt doesnt dont hasnt havent hadnt hadn't ill im isnt ive lets shouldnt thats theres wasnt \
werent whats wont wouldnt youre youve ain't aint wanna gotta \
assistant answer answers answered question questions additionally furthermore finally firstly secondly \
absolutely definitely amazing awesome fantastic wonderful excellent glad happy love enjoy today yesterday tomorrow";

/// What titles of work say of any subject: what was done to it, and how it was before or after. Base forms.
const WEAK: &str = "\
accept accidental account achieve actual add added adding additional adjust allow annoy apply appropriate arrange \
assume attempt available avoid aware bad badly base be bit bring broken bump call careful change check choose \
clarify clean cleanup clear combine common complete concern consistent contain convert correct couple create current \
default definite delete demonstrate describe desire detail determine different disallow do double drop early effort \
enable encourage ensure entire exact exercise exist expect expected explain explicit express extend extra extract \
extraneous fail few final fine fix fixup followup force forget former fresh fully future get hand handle happen hide \
huge ignore illustrate implement implicit improve inaccurate incorrect increase indicate individual inform initial \
inline insert instance intend internal introduce invoke involve issue join late latter leave let leverage limit \
little local lots low maintain major manage mark matter migrate minimal minor misplaced miss mistake modify move \
multiple mutual name narrow new newly nice nit note obvious occur omit option organize original outdated overly pass \
perform permit person place plain plus possible prefer prepare present preserve prevent print prior produce prohibit \
propagate proper public quick raise randomly reach read reason recent redo reduce redundant refactor refer reflect \
reimplement related relevant rely remain remind remove rename reorder repeat rephrase replace report require respect \
restructure result return reuse revise rewrite run same separate setup shorten simple simplify single singular \
slight small speed split spurious start stop strange style suitable superfluous support surround switch teach \
temporary tidy time tiny touch trivial tweak unexpected unlikely unnecessary unneeded unused unwanted update upgrade \
use various verbose wait want warn way weird whole wrap write wrong";

/// Words ending in `ly` that are no adverbs, or are subjects nevertheless.
const NO_ADVERBS: &str = "\
anomaly apply assembly bodily butterfly comply daily doubly dragonfly family friendly homily imply italy monopoly \
monthly multiply nightly quarterly rally reply supply weekly yearly";

/// Whether a word of a title, in lower case and with its stem, says little about its subject: what was done rather than to
/// what, and adverbs.
pub(crate) fn is_weak(word: &str, stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let stemmer = Stemmer::create(Algorithm::English);
        WEAK.split_ascii_whitespace().map(|word| stemmer.stem(word).into_owned()).collect()
    });
    let adverb = word.len() > 5
        && word.ends_with("ly")
        && NO_ADVERBS.split_ascii_whitespace().all(|noun| noun != word);
    adverb || STEMS.contains(stem)
}

/// Whether [`is_weak`] may be true of a word, told without its stem: a stem begins as its word does, and so does the
/// base form.
pub(crate) fn may_be_weak(word: &str) -> bool {
    static BEGINNINGS: LazyLock<HashSet<[u8; 2]>> = LazyLock::new(|| {
        WEAK.split_ascii_whitespace()
            .filter_map(|word| word.as_bytes().first_chunk().copied())
            .collect()
    });
    word.ends_with("ly")
        || word.as_bytes().first_chunk().is_none_or(|beginning| BEGINNINGS.contains(beginning))
}

/// Whether a word in lower case says nothing about a subject.
pub(crate) fn is_common(word: &str) -> bool {
    is_common_hash(xxh3_64(word.as_bytes()))
}

/// [`is_common`] of a word of which only the hash is known, as [`xxh3_64`] makes it.
#[inline]
pub(crate) fn is_common_hash(word: u64) -> bool {
    static ALL: LazyLock<HashSet<u64, Hashed>> =
        LazyLock::new(|| words().map(|word| xxh3_64(word.as_bytes())).collect());
    ALL.contains(&word)
}

/// Every stop word.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.split_ascii_whitespace().chain(function_words::plain())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_work_and_adverbs_are_weak_in_a_title() {
        fn check(word: &str, expect: bool) {
            let stem = Stemmer::create(Algorithm::English).stem(word).into_owned();
            assert_eq!(is_weak(word, &stem), expect, "{word}");
        }
        for weak in ["remove", "removing", "updated", "unnecessarily", "newly", "missing"] {
            check(weak, true);
        }
        for strong in
            ["parser", "assembly", "settings", "documentation", "billing", "monthly", "index"]
        {
            check(strong, false);
        }
    }

    proptest::proptest! {
        /// The look at the beginning lets every weak word through.
        #[test]
        fn no_weak_word_is_passed_over(at in 0..1000_usize, ending in "(|s|es|ed|ing|ly|er|ation|ness)") {
            let all: Vec<&str> = WEAK.split_ascii_whitespace().collect();
            let base = all[at % all.len()];
            for word in [format!("{base}{ending}"), format!("{}{ending}", &base[..base.len() - 1])] {
                let stem = Stemmer::create(Algorithm::English).stem(&word).into_owned();
                proptest::prop_assert!(!is_weak(&word, &stem) || may_be_weak(&word), "{word}");
            }
        }
    }

    #[test]
    fn no_word_is_listed_twice() {
        for list in [WORDS, WEAK, NO_ADVERBS] {
            let mut seen = HashSet::new();
            let twice: Vec<&str> =
                list.split_ascii_whitespace().filter(|word| !seen.insert(*word)).collect();
            assert_eq!(twice, [""; 0]);
        }
    }
}
