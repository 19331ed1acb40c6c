//! When two items say the same.

use super::board::Item;

/// Two items are the same if they are the same topic or scope, or have the same stem.
pub(super) type Key = (u8, u32);

/// See [`Key`].
pub(super) fn key(item: Item) -> Key {
    match item {
        Item::Topic(topic) => (0, u32::try_from(topic).unwrap_or(u32::MAX)),
        Item::Scope(name) => (1, name),
        Item::Word { stem, .. } => (2, stem),
        Item::Gist(topic) => (3, u32::try_from(topic).unwrap_or(u32::MAX)),
        Item::Title(topic) => (5, u32::try_from(topic).unwrap_or(u32::MAX)),
        Item::Said { entry, at } | Item::Short { entry, at } => {
            (4, u32::try_from(entry * 16 + at).unwrap_or(u32::MAX))
        }
    }
}
