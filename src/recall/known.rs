//! What need not be said: what ROOT.md says, what was said before in this session, and what is of the session itself.

use std::collections::HashSet;

use crate::markdown::marker::{Marker, marker};
use crate::meaning::words::words;
use crate::memory::hashed::Hashed;

/// A text whose words stand in another one to this share says the same, in percent.
const SAME: usize = 75;
/// The same for what a session said, whose summary may use other words.
const OWN: usize = 60;

/// The words of texts that are known already.
#[derive(Debug, Default)]
pub(crate) struct Known {
    texts: Vec<HashSet<u64, Hashed>>,
}

impl Known {
    /// Every line of a text for itself.
    pub(crate) fn add_lines(&mut self, text: &str) {
        self.texts.extend(text.lines().map(|line| words(line).into_iter().collect()));
    }

    /// A text as a whole.
    pub(crate) fn add(&mut self, text: &str) {
        self.texts.push(words(text).into_iter().collect());
    }

    /// Whether one of the texts says this.
    pub(crate) fn says(&self, text: &str) -> bool {
        let own: HashSet<u64, Hashed> = words(text).into_iter().collect();
        let has = |other: &HashSet<u64, Hashed>| {
            let shared = own.iter().filter(|word| other.contains(*word)).count();
            shared * 100 >= own.len() * SAME
        };
        !own.is_empty() && self.texts.iter().any(has)
    }
}

/// The words of a log, those of one session for themselves.
#[derive(Debug, Default)]
pub(crate) struct SpokenWords {
    own: HashSet<u64, Hashed>,
    others: HashSet<u64, Hashed>,
}

impl SpokenWords {
    /// Of a log. `name` is the session's as the markers have it.
    pub(crate) fn of(log: &str, name: &str) -> Self {
        let mut spoken = Self::default();
        let mut inside = false;
        for line in log.lines() {
            match marker(line) {
                Some(Marker::Start { session, .. }) => inside = session == name,
                Some(Marker::End { .. }) => inside = false,
                None if inside => spoken.own.extend(words(line)),
                None => spoken.others.extend(words(line)),
            }
        }
        spoken
    }

    /// Whether the session itself said this, rather than anybody else on that day.
    pub(crate) fn is_own(&self, text: &str) -> bool {
        let own = words(text);
        let share =
            |of: &HashSet<u64, Hashed>| own.iter().filter(|word| of.contains(*word)).count();
        let said = share(&self.own);
        said * 100 >= own.len() * OWN && said >= share(&self.others)
    }
}
