//! Which values count as secrets, by the word in front of them and by what ties the two.

use super::assignment::Link;
use super::words::{Kind, Word};
use super::{gates, shapes};

/// Whether a value so tied to such a word is a secret.
pub(super) fn accepts(word: &Word, link: Link, quoted: bool, value: &[u8]) -> bool {
    let made =
        |least: usize| gates::random(value, least) || shapes::uuid(value) && gates::literal(value);
    let hash = shapes::digest(value);
    match (word.kind, link) {
        (Kind::Password, Link::Space | Link::Argument) if word.short => false,
        (Kind::Password, Link::Argument) => quoted && gates::password(value, true),
        (Kind::Password, Link::Space) => {
            quoted && gates::password(value, false)
                || word.formal && gates::password(value, !word.option)
                || gates::random(value, 16) && !hash
        }
        (Kind::Password, Link::Says) => gates::password(value, true) || made(12),
        (Kind::Password, _) => gates::password(value, false) || quoted && simple(value),
        (Kind::Secret, Link::Space) => {
            made(16)
                && (word.formal || !hash && !shapes::uuid(value))
                && (word.formal || !shapes::hexadecimal(value))
        }
        (Kind::Secret, Link::Says | Link::Cell) => made(14),
        (Kind::Secret, Link::Argument) => quoted && made(16),
        (Kind::Secret, _) => made(10) || quoted && gates::password(value, true) && value.len() >= 8,
        (Kind::Key, Link::Space) => word.formal && made(16),
        (Kind::Key, Link::Says) => made(16) && !shapes::hexadecimal(value),
        (Kind::Key, Link::Cell | Link::Argument) => quoted && gates::random(value, 20) && !hash,
        (Kind::Key, Link::Colon) if !word.formal => {
            gates::random(value, 16) && !hash && !shapes::named_digest(value)
        }
        (Kind::Key, _) => made(if word.formal { 12 } else { 16 }),
    }
}

/// `123456` in quotes: weak, yet a password.
fn simple(value: &[u8]) -> bool {
    value.len() >= 6
        && value.len() <= 12
        && value.iter().all(u8::is_ascii_digit)
        && gates::distinct(value) > 3
}
