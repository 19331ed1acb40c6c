//! Words of the memory that are spelt like one that was not found.

use std::collections::HashMap;

use super::word_bounds;

/// Different words that are kept; a memory of ever new ones must not fill the machine's.
const MOST: usize = 100_000;

/// Counts words that a wanted one may have been meant for.
#[derive(Debug)]
pub(crate) struct Near {
    wanted: Vec<String>,
    counts: HashMap<Box<str>, u32>,
}

impl Near {
    /// For these words of a question; short ones are like too many others.
    pub(crate) fn to<'w>(wanted: impl Iterator<Item = &'w str>) -> Self {
        let wanted = wanted
            .filter(|word| word.chars().all(word_bounds::is_word))
            .map(str::to_lowercase)
            .filter(|word| (4..=40).contains(&word.chars().count()))
            .collect();
        Self { wanted, counts: HashMap::new() }
    }

    /// Takes a text in.
    pub(crate) fn add(&mut self, text: &str) {
        if self.wanted.is_empty() {
            return;
        }
        let lengths = self.wanted.iter().map(String::len);
        let (least, most) = (lengths.clone().min().unwrap_or(0), lengths.max().unwrap_or(0));
        for run in word_bounds::runs(text) {
            let word = &text[run];
            // Two letters more or less, in scripts of up to two bytes a letter.
            if word.len() + 4 < least || word.len() > most + 4 {
                continue;
            }
            let word = word.to_lowercase();
            if let Some(count) = self.counts.get_mut(word.as_str()) {
                *count += 1;
            } else if self.counts.len() < MOST {
                self.counts.insert(word.into(), 1);
            }
        }
    }

    /// The nearest words, best first, at most three for each wanted one.
    pub(crate) fn words(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for wanted in &self.wanted {
            let most = if wanted.chars().count() < 6 { 1 } else { 2 };
            let mut near: Vec<(usize, u32, &str)> = self
                .counts
                .iter()
                .map(|(word, count)| (strsim::osa_distance(wanted, word), *count, &**word))
                .filter(|(distance, ..)| (1..=most).contains(distance))
                .collect();
            near.sort_by(|a, b| (a.0, u32::MAX - a.1, a.2).cmp(&(b.0, u32::MAX - b.1, b.2)));
            found.extend(near.into_iter().take(3).map(|(.., word)| word));
        }
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_leads_to_the_word() {
        #[track_caller]
        fn check(wanted: &str, expect: &[&str]) {
            let mut near = Near::to(wanted.split(' '));
            near.add("The tokenizer reads tokens. Kubernetes; ошибка Deploy deploy");
            assert_eq!(near.words(), expect, "{wanted}");
        }
        check("tokeniser", &["tokenizer"]);
        check("kuberentes depoly", &["kubernetes", "deploy"]);
        check("ошыбка", &["ошибка"]);
        check("xyz", &[]);
        check("elephant", &[]);
        check("", &[]);
    }
}
