//! The title of an entry.

use super::turns::{Sitting, Voice};
use crate::memory::entry;
use crate::memory::title::{Said, only_counts, title_of};

/// How a sitting's heading begins.
const SESSION: &str = "Session — ";
/// What its time looks like.
const STAMP: usize = "0000-00-00 00:00:00".len();

/// The title of an entry: what its block says last, else its heading, else what its turns tell. Empty where none of them
/// names a subject.
pub(crate) fn title(topic: &str, sitting: &Sitting<'_>) -> String {
    if let Some(title) = sitting.title.filter(|title| !only_counts(title)) {
        return readable(title);
    }
    if let Some(heading) = of_heading(topic).filter(|heading| !only_counts(heading)) {
        return readable(heading);
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

/// What a heading says an entry is about.
fn of_heading(topic: &str) -> Option<&str> {
    if let Some(rest) = topic.strip_prefix(SESSION) {
        let title = rest.get(STAMP..)?.trim_start().strip_prefix('—')?.trim();
        return Some(title).filter(|title| !title.is_empty());
    }
    Some(topic).filter(|topic| entry::names_a_subject(topic))
}

fn readable(title: &str) -> String {
    title.replace("\\[", "[").replace("\\]", "]")
}
