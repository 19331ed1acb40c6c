//! Where something lies: a resource's name in a cloud, a host, a path. What follows a key's name is then no key.
//!
//! Ids and names of machines in it are as random as a secret, so what counts are its form and the words in it.

use std::ops::Range;

use super::shapes::identifier;
use super::spelling::in_words;
use super::surroundings::{is_word, run_of};

/// A resource's name, an address with or without a scheme, or a path.
pub(super) fn is(value: &[u8]) -> bool {
    resource(value) || has_scheme(value) || host(value) || rooted(value) || relative(value)
}

/// A path or an address: known by its form, or by parts that read as names.
pub(super) fn path(value: &[u8]) -> bool {
    let rooted = [&b"./"[..], b"../", b"$HOME/", b"~/", b"\\\\", b"@/"]
        .iter()
        .any(|root| value.starts_with(root));
    let drive = value.len() > 2
        && value[0].is_ascii_alphabetic()
        && value[1] == b':'
        && matches!(value[2], b'\\' | b'/');
    let parts = value.split(|byte| matches!(byte, b'/' | b'\\')).filter(|part| !part.is_empty());
    let slashes = value.iter().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    rooted
        || drive
        || slashes > 0 && parts.clone().all(|part| identifier(part) || part.len() < 4)
        || is(value)
}

/// `arn:aws:...`, `urn:...`: a prefix and parts after it.
fn resource(value: &[u8]) -> bool {
    [&b"arn:"[..], b"urn:"].iter().any(|prefix| value.starts_with(prefix))
        && memchr::memchr_iter(b':', value).count() > 1
}

/// Whether the place is in the name of a resource: `secret` in `arn:aws:secretsmanager:...:secret:prod/db-x7K2pQ`.
pub(super) fn in_resource(text: &[u8], at: usize) -> bool {
    if !matches!(text[..at].last(), Some(b':' | b'/')) {
        return false;
    }
    let near = &text[at.saturating_sub(160)..at];
    let length = near.iter().rev().take_while(|byte| inside(**byte) || **byte == b':').count();
    resource(&near[near.len() - length..])
}

/// The part of a value that belongs to its name, where both are in an address: in its path up to the next `/`, in its
/// query without a fragment and without words of a path after it.
pub(super) fn own(text: &[u8], name: usize, value: Range<usize>) -> Range<usize> {
    /// longer addresses are cut here
    const LONGEST: usize = 512;
    let near = &text[name.saturating_sub(LONGEST)..name];
    let belongs = |byte: &&u8| inside(**byte) || b":?&=#;,$!".contains(byte);
    let before = &near[near.len() - near.iter().rev().take_while(belongs).count()..];
    let bytes = &text[value.clone()];
    let length = match before.last() {
        // In `jdbc:…;password=` and other settings a value may have any of these bytes.
        _ if !is_web(before) => None,
        Some(b'/' | b';') => bytes.iter().position(|byte| b"/?#;&".contains(byte)),
        _ => {
            let end = memchr::memchr(b'#', bytes).unwrap_or(bytes.len());
            let slash = memchr::memchr_iter(b'/', &bytes[..end])
                .find(|at| *at >= 8 && words(&bytes[at + 1..end]));
            Some(slash.unwrap_or(end))
        }
    };
    value.start..length.map_or(value.end, |length| value.start + length)
}

/// `list`, `items/list`: words in small letters.
fn words(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/')
        .all(|name| name.len() > 2 && name.iter().all(u8::is_ascii_lowercase) && in_words(name))
}

/// What is in an address and needs no escape.
fn inside(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.' | b'~' | b'/' | b'@' | b'*' | b'+' | b'%')
}

fn is_web(value: &[u8]) -> bool {
    [&b"http://"[..], b"https://"]
        .iter()
        .any(|scheme| memchr::memmem::find(value, scheme).is_some())
}

fn has_scheme(value: &[u8]) -> bool {
    memchr::memmem::find(value, b"://").is_some()
}

/// `s3.eu-west-1.amazonaws.com/bucket`, `db-7f3a.internal:5432`, `git@host.tld:owner/name`, `10.0.0.12:8200/v1`.
fn host(value: &[u8]) -> bool {
    let user = value.iter().position(|byte| *byte == b'@').filter(|at| in_words(&value[..*at]));
    let value = &value[user.map_or(0, |at| at + 1)..];
    let length = run_of(value, 253, |byte| lower(*byte) || *byte == b'.');
    let (name, rest) = value.split_at(length);
    let name = name.strip_suffix(b".").unwrap_or(name);
    if !named(name) {
        return false;
    }
    let labels = memchr::memchr_iter(b'.', name).count() + 1;
    match rest {
        [] => labels > 2 && user.is_none() && in_words_once(name),
        [b'/', ..] => true,
        [b':', rest @ ..] => {
            let digits = run_of(rest, 5, u8::is_ascii_digit);
            digits > 1 && matches!(rest.get(digits), None | Some(b'/'))
                || user.is_some() && rest.contains(&b'/')
        }
        _ => false,
    }
}

/// Whether such a name of a host follows: `.example.com` after a label.
pub(super) fn goes_on_as_host(rest: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(b".") else { return false };
    let length = run_of(rest, 253, |byte| lower(*byte) || *byte == b'.');
    let name = rest[..length].strip_suffix(b".").unwrap_or(&rest[..length]);
    name.contains(&b'.') && named(name)
}

pub(super) fn lower(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

/// Labels as hosts have them, the last one of letters; or the four numbers of an address.
fn named(name: &[u8]) -> bool {
    let labels = || name.split(|byte| *byte == b'.');
    let number =
        |label: &[u8]| (1..=3).contains(&label.len()) && label.iter().all(u8::is_ascii_digit);
    let last = labels().next_back().unwrap_or_default();
    let top = last.len() > 1 && last.iter().all(u8::is_ascii_lowercase);
    labels().count() > 1
        && labels().all(|label| !label.is_empty() && label[0] != b'-')
        && (top || labels().count() == 4 && labels().all(number))
}

/// Whether one label or more is a word of three letters before the last one.
fn in_words_once(name: &[u8]) -> bool {
    name.split(|byte| *byte == b'.').rev().skip(1).any(|label| label.len() > 2 && in_words(label))
}

/// `/srv/keys/prod-x7K2pQ9z/api.key`, `./x`, `C:\Users\x`: a root, and as many words as names that nobody can speak.
fn rooted(value: &[u8]) -> bool {
    let roots = [&b"//"[..], b"/", b"./", b"../", b"~/", b"$HOME/", b"@/", b"\\\\"];
    let drive = value.len() > 3 && value[0].is_ascii_alphabetic() && value[1] == b':';
    let rest = match roots.iter().find_map(|root| value.strip_prefix(*root)) {
        Some(rest) => rest,
        None if drive && matches!(value[2], b'\\' | b'/') => &value[3..],
        None => return false,
    };
    worded(rest, 1)
}

/// `projects/app-7f3a/secrets/db-x7K2pQ/versions/3`, `prod/db-x7K2pQ`: two words or more among its names.
fn relative(value: &[u8]) -> bool {
    worded(value, 2)
}

/// Names between slashes, the first one a word, and at least half of them words or beginning with one.
fn worded(value: &[u8], least: usize) -> bool {
    let mut names =
        value.split(|byte| matches!(byte, b'/' | b'\\')).filter(|name| !name.is_empty());
    let plain = |byte: &u8| {
        inside(*byte) && *byte != b'+'
            || matches!(byte, b'/' | b'\\' | b':' | b'#' | b'{' | b'}' | b'$')
    };
    let word = |name: &[u8]| {
        let letters = run_of(name, name.len(), u8::is_ascii_alphabetic);
        let joint = matches!(name.get(letters), None | Some(b'-' | b'_' | b'.'));
        let short = letters < 5 && name[..letters].iter().all(u8::is_ascii_lowercase);
        let spoken = short || in_words(&name[..letters]);
        letters > 1 && joint && spoken && !mixed(&name[..letters])
    };
    let Some(first) = names.next().filter(|name| word(name)) else { return false };
    if !value.iter().all(plain) || first.len() == value.len() {
        return false;
    }
    let (mut words, mut others) = (1, 0);
    for name in names {
        let known = word(name) || identifier(name);
        words += usize::from(known);
        others += usize::from(!known);
    }
    words >= least && words >= others
}

/// Capitals behind small letters, as nothing that somebody named a folder has them.
fn mixed(letters: &[u8]) -> bool {
    letters.iter().any(u8::is_ascii_lowercase) && letters[1..].iter().any(u8::is_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_from_secrets() {
        for value in [
            "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-x7K2pQ",
            "s3.eu-west-1.amazonaws.com/bucket-7f3a9c/x/y2k",
            "vault.example.com/v1/kv/prod-7f3a9cQ2/db",
            "minio-7f3a9c2e.prod.example.com",
            "db-7f3a9c2e.internal:5432/orders",
            "git@github.com:acme/repo-7f3a9cQ2.git",
            "10.0.0.12:8200/v1/auth/x7K2pQ9z",
            "/srv/keys/prod-x7K2pQ9z/api.key",
            r"C:\Users\bob\keys\prod-x7K2pQ.pem",
            "projects/my-app-1234/secrets/db-pass-x7K2/versions/3",
            "prod/db-x7K2pQ",
        ] {
            assert!(is(value.as_bytes()), "{value}");
        }
        for value in [
            "wJalrXUtnF/K7MDENG/bPxRfiCYQ7kLmZ2p",
            "/wJalrXUtnF/K7MDENG/bPxRfiCYQ7kLmZ2p",
            "k3.fQ/2mZx8W",
            "a/b!7xQ",
            "eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl",
            "app/x7K2pQ9zLm4w!",
            "maple.bridge.8",
            "1000.39f4911a52d1c6e7.b0a2d6a5397f597b",
        ] {
            assert!(!is(value.as_bytes()), "{value}");
        }
    }
}
