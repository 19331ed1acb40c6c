//! What a sitting is about, in one line.

use super::passage::{Role, passages};
use super::sentences::pieces;
use super::turns::Sitting;
use crate::memory::entry;

/// The title of an entry: what its block says, else its heading, else how its first prompt begins. Empty if nothing was said.
pub(crate) fn title(topic: &str, sitting: &Sitting<'_>) -> String {
    if let Some(title) = sitting.title {
        return title.to_owned();
    }
    if entry::names_a_subject(topic) {
        return topic.to_owned();
    }
    let passages = passages(&sitting.turns[..sitting.turns.len().min(8)]);
    let first = passages.iter().find(|passage| passage.role == Role::Asked).or(passages.first());
    let text = first.map_or("", |passage| passage.text.as_str());
    pieces(text, 60).next().unwrap_or_default().to_owned()
}
