//! Words whose forms no stemmer brings together.

use crate::text::lists;

/// Each line is one word in its forms; a form that is also another word of its own is left out.
const FAMILIES: &str = "\
begin began begun beginning
bite bit bitten
blow blew blown
break broke broken breaking
bring brought bringing
build built building
buy bought buying
catch caught catching
choose chose chosen choosing
come came
deal dealt
decide decided decision decisions
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feel felt
fight fought
fly flew flown flight flights
forget forgot forgotten
freeze froze frozen
give gave given
grow grew grown growth
hang hung
hide hid hidden
hold held
keep kept
know knew known
lead led
leave left
lend lent
lose lost loss
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran running
sell sold
send sent
shake shook shaken
shine shone
shoot shot
shrink shrank shrunk
sing sang sung
sink sank sunk
sleep slept
speak spoke spoken
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
win won
write wrote written
analysis analyses analyze analyse analyzed analysed
axis axes
child children
choice choices choose
crisis crises
criterion criteria
datum data
fix fixes fixed
foot feet
goose geese
hypothesis hypotheses
index indexes indices
knife knives
leaf leaves
life lives
man men
matrix matrices
mouse mice
person people
phenomenon phenomena
query queries
schema schemas schemata
shelf shelves
thesis theses
tooth teeth
vertex vertices
wife wives
wolf wolves
woman women
artefact artifact
artefacts artifacts
cancelled canceled
cancelling canceling
catalogue catalog
centre center
defence defense
dialogue dialog
grey gray
labelled labeled
licence license
modelling modeling
programme program
travelled traveled
travelling traveling";

/// The other forms of a word in lower case.
pub(super) fn forms(word: &str) -> impl Iterator<Item = &'static str> {
    FAMILIES.lines().filter(move |family| lists(family, word)).flat_map(|family| family.split(' '))
}

/// How a word is spelt on the other side of the Atlantic: `summarise` and `summarize`, `behaviour` and `behavior`.
pub(super) fn spellings(word: &str) -> Vec<String> {
    const VERBS: &[&str] = &["e", "es", "ed", "ing", "er", "ers", "ation", "ations"];
    const NOUNS: &[&str] = &["", "s", "ed", "ing", "al", "ite"];
    const PAIRS: [(&str, &str, &[&str]); 6] = [
        ("is", "iz", VERBS),
        ("iz", "is", VERBS),
        ("ys", "yz", VERBS),
        ("yz", "ys", VERBS),
        ("our", "or", NOUNS),
        ("or", "our", NOUNS),
    ];
    let mut found = Vec::new();
    for (here, there, endings) in PAIRS {
        for ending in endings {
            let start = word.strip_suffix(ending).and_then(|rest| rest.strip_suffix(here));
            let start = start.filter(|start| start.len() > 2);
            found.extend(start.map(|start| format!("{start}{there}{ending}")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_leads_to_the_others() {
        assert!(forms("bought").any(|form| form == "buy"));
        assert!(forms("buy").any(|form| form == "bought"));
        assert_eq!(forms("table").count(), 0);
    }

    #[test]
    fn both_spellings_are_known() {
        fn check(word: &str, other: &str) {
            assert!(spellings(word).iter().any(|spelling| spelling == other), "{word}");
            assert!(spellings(other).iter().any(|spelling| spelling == word), "{other}");
        }
        check("unrecognised", "unrecognized");
        check("behaviour", "behavior");
        check("analyse", "analyze");
        check("summarisation", "summarization");
        assert_eq!(spellings("build"), Vec::<String>::new());
    }
}
