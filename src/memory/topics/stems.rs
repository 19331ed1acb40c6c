//! Looks words up in a lexicon without adding to it.

use std::collections::{HashMap, HashSet};

use super::lexicon::{Lexicon, Shape};

/// The stems of the words of some texts, as far as a lexicon has them.
pub(crate) struct Stems {
    numbers: HashMap<String, u32>,
    scratch: Lexicon,
}

impl Stems {
    /// Looks up the words of all texts at once, in one pass over the lexicon.
    pub(crate) fn of<'t>(lexicon: &Lexicon, texts: impl Iterator<Item = &'t str>) -> Self {
        let mut scratch = Lexicon::default();
        let wanted: HashSet<String> = texts.flat_map(|text| stems_in(text, &mut scratch)).collect();
        let mut numbers = HashMap::new();
        for number in 0..u32::try_from(lexicon.len()).unwrap_or(u32::MAX) {
            let text = lexicon.text(number);
            if lexicon.shape(number) != Shape::Segment && wanted.contains(text) {
                numbers.insert(text.to_owned(), number);
            }
        }
        Self { numbers, scratch }
    }

    /// The stems of all words of a text; `None` if it has no words or the lexicon lacks one.
    pub(crate) fn all(&mut self, text: &str) -> Option<Vec<u32>> {
        let found: Option<Vec<u32>> = stems_in(text, &mut self.scratch)
            .iter()
            .map(|stem| self.numbers.get(stem).copied())
            .collect();
        found.filter(|stems| !stems.is_empty())
    }
}

/// The stems, and the bigrams of CJK text, that a text is counted under.
fn stems_in(text: &str, scratch: &mut Lexicon) -> Vec<String> {
    let mut words = Vec::new();
    super::words::scan(text, scratch, &mut |word| words.push(word));
    words
        .into_iter()
        .filter(|word| scratch.shape(*word) != Shape::Segment)
        .map(|word| scratch.text(scratch.stem(word)).to_owned())
        .collect()
}
