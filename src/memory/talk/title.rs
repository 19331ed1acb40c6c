//! The title of an entry.

use super::turns::{Sitting, Voice};
use crate::markdown::form::read_title;
use crate::memory::entry;
use crate::memory::title::{Said, only_counts, title_of};
use crate::text::name;

/// The title of an entry: what its block says last, else its heading, else what its turns tell. Empty where none of them
/// names a subject.
pub(crate) fn title(topic: &str, sitting: &Sitting<'_>) -> String {
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
    let said = turns.iter().map(|(by_user, words)| Said { by_user: *by_user, words });
    title_of(said).unwrap_or_default()
}

fn readable(title: &str) -> String {
    name(&read_title(title)).into_owned()
}
