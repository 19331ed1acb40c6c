//! Words that turn a meaning round, and how far: what is told in fewer words must not say the opposite.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::telegram::is_glue;

/// In lower case and with plain apostrophes.
const NEGATIONS: &str = "no not never none nothing nobody nowhere nor neither without cannot don't doesn't didn't can't \
    couldn't won't wouldn't isn't aren't wasn't weren't hasn't haven't hadn't shouldn't mustn't needn't \
    ain't dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt werent hasnt havent hadnt shouldnt mustnt hardly rarely \
    seldom nein nicht nichts kein \
    keine keinen keiner nie niemals niemand ohne non ne pas jamais rien sans nunca sin nada não sem не нет нельзя ничего без \
    никогда";
/// Those of them that are an answer by themselves: `No, we do`.
const ANSWERS: [&str; 4] = ["no", "nein", "non", "нет"];
/// Those that turn round no word behind them: `buys nothing in the common case`.
const WHOLE: [&str; 9] =
    ["none", "nothing", "nobody", "nowhere", "nichts", "niemand", "rien", "nada", "ничего"];
/// What ends a clause.
const ENDS: [char; 11] = [',', '.', ';', ':', '!', '?', '。', '，', '…', '—', '–'];
/// What is told anyway where it stands behind a negation: `not just slow`, `doesn't have a name`.
const BETWEEN: [&str; 19] = [
    "yet",
    "even",
    "ever",
    "only",
    "just",
    "simply",
    "really",
    "quite",
    "very",
    "actually",
    "currently",
    "have",
    "has",
    "had",
    "be",
    "been",
    "do",
    "does",
    "did",
];

/// Words, in lower case and with plain apostrophes, that turn round the meaning of what they stand beside.
pub(super) fn negations() -> impl Iterator<Item = &'static str> {
    NEGATIONS.split_whitespace()
}

/// Whether a word, in lower case and with plain apostrophes, turns round the meaning of what it stands beside.
pub(crate) fn negates(word: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| negations().collect());
    ALL.contains(word)
}

/// A word of a text.
pub(crate) struct Word<'t> {
    /// as it stands there
    pub(crate) text: &'t str,
    /// without the marks around it, in lower case and with plain apostrophes; empty if it is nothing but marks
    pub(crate) bare: String,
    /// the place of the negation that it has to stand with, if there is one: of the negation itself, of what it turns
    /// round, and of what tells between them how far
    pub(crate) with: Option<usize>,
}

impl<'t> Word<'t> {
    fn new(text: &'t str) -> Self {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let bare = if bare.contains('’') { bare.replace('’', "'") } else { bare };
        Self { text, bare, with: None }
    }
}

/// The words of a text. None has to stand with a negation that only points at what it turns round (`don't do that: …`).
pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = text.split_whitespace().map(Word::new).collect();
    for at in 0..words.len() {
        let Word { text, bare, with } = &words[at];
        if !negates(bare) {
            continue;
        }
        let ends = |at: usize| {
            let is_mark = |word: &Word<'_>| word.bare.is_empty();
            words[at].text.ends_with(ENDS) || words.get(at + 1).is_some_and(is_mark)
        };
        let is_answer = ANSWERS.contains(&&**bare) && ends(at);
        if is_answer || text.ends_with('?') {
            continue;
        }
        let group = with.unwrap_or(at);
        let is_whole = WHOLE.contains(&&**bare);
        let (mut held, mut last, mut turns) = (vec![at], at, is_whole);
        while !turns && !ends(last) && last + 1 < words.len() {
            last += 1;
            let bare = &*words[last].bare;
            let is_between = BETWEEN.contains(&bare);
            turns = !(is_between || is_glue(bare));
            if turns || is_between {
                held.push(last);
            }
        }
        if last > at && !turns {
            for word in &mut words[group..=last] {
                word.with = None;
            }
        } else {
            for at in held {
                words[at].with = Some(group);
            }
        }
    }
    words
}

/// The clauses of a text in which nothing is negated, and the others.
pub(crate) fn clauses(text: &str) -> (String, String) {
    let words = words(text);
    let clauses = words.split_inclusive(|word| word.text.ends_with(ENDS));
    let (mut affirmed, mut negated) = (Vec::new(), Vec::new());
    for clause in clauses {
        let is_turned = clause.iter().any(|word| word.with.is_some());
        if is_turned { &mut negated } else { &mut affirmed }
            .extend(clause.iter().map(|word| word.text));
    }
    (affirmed.join(" "), negated.join(" "))
}

/// Whether behind a place the same clause has a negation that turns round what is before it: `streichen wir nicht`.
pub(crate) fn turns_back(words: &[Word<'_>], behind: usize) -> bool {
    let end = (behind..words.len()).find(|at| words[*at].text.ends_with(ENDS));
    (behind..end.map_or(words.len(), |end| end + 1)).any(|at| {
        let is_of = |word: &Word<'_>| word.with == Some(at);
        // What it turns round is a few words behind it.
        let alone = is_of(&words[at]) && !words[at + 1..].iter().take(8).any(is_of);
        alone && !WHOLE.contains(&&*words[at].bare)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negation_holds_what_it_turns_round() {
        fn check(text: &str, expect: &str) {
            let held = words(text).into_iter().filter(|word| word.with.is_some());
            let held: Vec<&str> = held.map(|word| word.text).collect();
            assert_eq!(held.join(" "), expect, "{text}");
        }
        check("I am not sure that it works", "not sure");
        check("the parser is not just slow", "not just slow");
        check("it doesn't really have the field", "doesn't really have field");
        check("It’s not the UI of the parser", "not UI");
        check("we haven’t run the parser", "haven’t run");
        check("run no CI on branches", "no CI");
        check("never, not once", "never, not once");
        check("No, we should use cookies", "");
        check("why not? we need the gate", "");
        check("wir brauchen die Statistik nicht", "nicht");
        check("not never print", "not never print");
        check("it buys nothing in the common case", "nothing");
        check("plain words", "");
        check("dont push the moorings", "dont push");
        check("No — drop the tables", "");
        check("We cannot (yet) do that, so drop the tables", "");
        check("we'd rather not do it: drop the tables", "");
        check("streichen wir dieses Jahr nicht", "nicht");
    }

    #[test]
    fn every_common_word_that_negates_is_known() {
        for word in ["dont", "cant", "didnt", "doesnt", "isnt", "wont", "ain't", "hardly", "rarely"]
        {
            assert!(negates(word), "{word}");
        }
    }

    #[test]
    fn a_negation_at_the_end_of_a_clause_turns_round_what_is_before_it() {
        fn check(text: &str, expect: bool) {
            assert_eq!(turns_back(&words(text), 0), expect, "{text}");
        }
        check("streichen wir dieses Jahr nicht", true);
        check("wir nicht, sondern sie", true);
        check("but it's not being found", false);
        check("in the project, but we do not", false);
        check("it buys nothing", false);
    }

    #[test]
    fn a_chain_of_negations_stands_or_goes_as_one() {
        let with: Vec<_> = words("not never print x").iter().map(|word| word.with).collect();
        assert_eq!(with, [Some(0), Some(0), Some(0), None]);
    }

    #[test]
    fn a_text_falls_into_what_it_affirms_and_what_it_negates() {
        fn check(text: &str, affirmed: &str, negated: &str) {
            assert_eq!(clauses(text), (affirmed.to_owned(), negated.to_owned()), "{text}");
        }
        let negates = |text: &str| check(text, "", text);
        check("Mend the winch of the pier", "Mend the winch of the pier", "");
        negates("Never let the client send gzip");
        negates("Deploy without ever touching the tables");
        negates("Don’t drop the tables in the port");
        negates("Wir streichen die Statistik dieses Jahr nicht");
        negates("Nothing in the parser reads the gate");
        check("Stop the parser: it is not the gate", "Stop the parser:", "it is not the gate");
        check("Disable alarms, not the crane", "Disable alarms,", "not the crane");
        check("why not? we need the gate", "why not? we need the gate", "");
    }
}
