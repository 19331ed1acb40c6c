//! The title of an entry.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use super::turns::{Sitting, Voice};
use crate::markdown::form::read_title;
use crate::memory::entry;
use crate::memory::hashed::Hashed;
use crate::memory::title::{SpokenTurn, only_counts, title_of};
use crate::text::name;

/// The title of an entry: what its block says last, else its heading, else what its turns tell. Empty where none of them
/// names a subject.
pub(crate) fn title<'a>(topic: &'a str, sitting: &Sitting<'_, 'a>) -> Cow<'a, str> {
    if let Some(title) = sitting.title.filter(|title| !only_counts(title)) {
        return readable(title);
    }
    if entry::names_a_subject(topic) && !only_counts(topic) {
        return readable(topic);
    }
    let mut first = None;
    let turns = sitting.turns.iter().filter_map(|turn| {
        let by_user = match turn.voice {
            Voice::User => true,
            Voice::Assistant => false,
            // The one who begins asks, the others answer.
            Voice::Name(name) => *first.get_or_insert(name) == name,
            Voice::Nobody => return None,
        };
        let lines: Vec<&str> = turn.lines.iter().map(|line| line.text).collect();
        Some((by_user, lines.join("\n")))
    });
    let turns: Vec<(bool, String)> = turns.take(60).collect();
    Cow::Owned(remembered(&turns))
}

/// How many titles are remembered at most: those of a month of days.
const REMEMBERED: usize = 1024;

/// The title that turns tell, found once: an entry is titled for its day's head, its day's facts, its day's digest and
/// the week's.
fn remembered(turns: &[(bool, String)]) -> String {
    thread_local! {
        static KNOWN: RefCell<HashMap<u64, String, Hashed>> = RefCell::default();
    }
    let mut hasher = Xxh3::new();
    for (by_user, words) in turns {
        hasher.update(&[u8::from(*by_user)]);
        hasher.update(&words.len().to_le_bytes());
        hasher.update(words.as_bytes());
    }
    let key = hasher.digest();
    if let Some(title) = KNOWN.with_borrow(|known| known.get(&key).cloned()) {
        return title;
    }
    #[cfg(test)]
    tests::SEARCHES.set(tests::SEARCHES.get() + 1);
    let said = turns.iter().map(|(by_user, words)| SpokenTurn { by_user: *by_user, words });
    let title = title_of(said).map(|title| title.text).unwrap_or_default();
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, title.clone());
    });
    title
}

fn readable(title: &str) -> Cow<'_, str> {
    match read_title(title) {
        Cow::Borrowed(title) => name(title),
        Cow::Owned(title) => Cow::Owned(name(&title).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use chrono::NaiveDate;

    use crate::memory::digest::digest;
    use crate::memory::period::{Level, Period};
    use crate::memory::topics::head_topics;

    thread_local! {
        /// how often the turns of an entry were searched for a title
        pub(super) static SEARCHES: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn an_entry_is_searched_for_its_title_once() {
        let subjects =
            ["login redirect", "tariff parser", "tide table", "crane queue", "mail form"];
        let session = |at: usize| {
            let subject = subjects[at];
            format!(
                "<!-- hipocampus:session s{at} 0-9 -->\n## Session — 2026-03-15 1{at}:02:11\n\n**User:** fix the \
                 {subject}\n\n**Assistant:** The {subject} kept its target.\n<!-- hipocampus:end s{at} 9 -->\n"
            )
        };
        let log = (0..subjects.len()).map(session).collect::<String>();
        let day = NaiveDate::from_ymd_opt(2026, 3, 15).unwrap();
        SEARCHES.set(0);
        assert!(!head_topics(&log, 8).is_empty());
        for level in [Level::Daily, Level::Weekly, Level::Monthly] {
            assert!(digest(level, [(Period::Day(day), &*log)]).contains("login redirect"));
        }
        // Not once for each of the four readers.
        assert!(SEARCHES.get() < 2 * subjects.len(), "{}", SEARCHES.get());
    }
}
