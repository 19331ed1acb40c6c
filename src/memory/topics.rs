//! The `topics` of a node's head.
use crate::memory::entry;

/// placeholder until the weights land
pub fn head(text: &str, limit: usize) -> String {
    let parsed = entry::parse(text);
    parsed
        .entries
        .iter()
        .filter(|e| e.has_topic() && e.topic.split_whitespace().count() <= 4)
        .take(limit)
        .map(|e| format!("{} [{}]", e.topic.replace([':', '#', ',', '[', ']'], ""), e.kind))
        .collect::<Vec<_>>()
        .join(", ")
}
