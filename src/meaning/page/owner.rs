//! Whose ROOT.md is: the program's, a model's or a person's. Its head tells, in `fingerprint`.
//!
//! `b:HASH` is the program's page, `m:DAY/HASH` one that a model wrote on a day and the program keeps current,
//! `p:DAY/HASH` one that somebody has edited since a day. `HASH` is of the body; of a person's page, of what the
//! program added to it.

use chrono::NaiveDate;
use xxhash_rust::xxh3::xxh3_64;

use super::line::{ADDED, SECTIONS};
use crate::markdown::conflict;
use crate::memory::frontmatter::Document;

/// The keys of the head, in order.
const KEYS: [&str; 4] = ["type", "status", "last-updated", "fingerprint"];
/// Keys that earlier builds wrote.
const FORMER: [&str; 2] = ["author", "lines-of-machine"];

/// Whose a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageOwner {
    /// the program's, which makes it anew
    Program,
    /// a model's, who wrote it on this day
    Model(NaiveDate),
    /// a person's, or an agent's that edits files: since this day
    Person(Option<NaiveDate>),
}

/// Whose a file is.
pub(crate) fn owner(file: &[u8]) -> PageOwner {
    let document = Document::parse(file);
    let body = document.body();
    let value = document.value("fingerprint").unwrap_or_default().into_owned();
    let (who, day, written) = parts(&value);
    if document.value("author").is_some_and(|author| author == "agent") {
        return PageOwner::Person(None);
    }
    let empty = file.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
    if empty || is_stub(body) {
        return PageOwner::Program;
    }
    let plain = || String::from_utf8_lossy(body).replace("\r\n", "\n");
    let whole = || written == hash(body) || written == hash(plain().as_bytes());
    match (who, day) {
        // A power cut leaves NUL bytes.
        ("b", _) if whole() || body.ends_with(b"\0") => PageOwner::Program,
        ("m", Some(day)) if whole() => PageOwner::Model(day),
        ("p", day) => PageOwner::Person(day),
        _ => PageOwner::Person(None),
    }
}

/// Whether the program may write a page anew.
pub(crate) fn is_programs(file: &[u8]) -> bool {
    owner(file) == PageOwner::Program
}

/// Whether what is below [`ADDED`] is as the program left it.
pub(super) fn knows_added(file: &[u8], added: &str) -> bool {
    let document = Document::parse(file);
    let value = document.value("fingerprint").unwrap_or_default().into_owned();
    matches!(owner(file), PageOwner::Model(_)) || parts(&value).2 == hash(added.as_bytes())
}

/// Who, the day, and the hash. Of an earlier build's `s:…/b:…` the hash is longer.
fn parts(value: &str) -> (&str, Option<NaiveDate>, &str) {
    let value = value.trim();
    let value = value.split_once("/b:").map_or(value, |(_, hash)| hash);
    let (who, rest) = value.split_once(':').unwrap_or(("b", value));
    match rest.split_once('/') {
        Some((day, hash)) => (who, day.parse().ok(), short(hash)),
        None => (who, None, short(rest)),
    }
}

/// The last eight digits of a hash.
fn short(hash: &str) -> &str {
    hash.len().checked_sub(8).and_then(|from| hash.get(from..)).unwrap_or(hash)
}

/// Eight hexadecimal digits.
fn hash(text: &[u8]) -> String {
    format!("{:08x}", xxh3_64(text) & 0xffff_ffff)
}

/// What an installer leaves behind: the four headings, and comments.
pub(crate) fn is_stub(body: &[u8]) -> bool {
    let Ok(body) = std::str::from_utf8(body) else { return false };
    body.lines().map(str::trim).all(|line| {
        line.is_empty()
            || (line.starts_with("<!--") && line.ends_with("-->") && line != ADDED)
            || SECTIONS.contains(&line)
            || line == "## Active Context"
    })
}

/// Of a file that a merge left with both of its sides in it: a side that is a model's or a person's, where the other
/// one is the program's, or either of two that are the program's. `None` where both are somebody's text, and for any
/// other file. What git merged by itself is as neither side was written: there `writes` says whether a line may be the
/// program's.
pub(super) fn side_to_keep(existing: &[u8], writes: impl Fn(&str) -> bool) -> Option<String> {
    let text = std::str::from_utf8(existing).ok().filter(|text| conflict::is_in(text))?;
    let [ours, theirs] = conflict::sides(text);
    let is_programs = |side: &str| {
        let document = Document::parse(side.as_bytes());
        let says_so = document.value("fingerprint").is_some_and(|value| parts(&value).0 == "b");
        let body = String::from_utf8_lossy(document.body()).into_owned();
        let mut bullets = body.lines().filter(|line| line.starts_with("- "));
        is_programs(side.as_bytes()) || says_so && bullets.all(&writes)
    };
    match (is_programs(&ours), is_programs(&theirs)) {
        (_, true) => Some(ours),
        (true, false) => Some(theirs),
        (false, false) => None,
    }
}

/// A file of this head and body, whose head says whose it is. `added` is what the program wrote into a person's.
pub(crate) fn written(
    existing: &[u8],
    body: &str,
    owner: PageOwner,
    day: NaiveDate,
    added: &str,
) -> Vec<u8> {
    let fingerprint = match owner {
        PageOwner::Program => format!("b:{}", hash(body.as_bytes())),
        PageOwner::Model(since) => format!("m:{since}/{}", hash(body.as_bytes())),
        PageOwner::Person(since) => {
            format!("p:{}/{}", since.unwrap_or(day), hash(added.as_bytes()))
        }
    };
    let mut file = head(existing, day, &fingerprint);
    file.extend_from_slice(body.as_bytes());
    file
}

/// The same for a body that is no text.
pub(super) fn written_bytes(existing: &[u8], day: NaiveDate) -> Vec<u8> {
    let mut file = head(existing, day, &format!("p:{day}/{}", hash(b"")));
    file.extend_from_slice(Document::parse(existing).body());
    file
}

/// The head up to the body, of the file that is there as far as it has one.
fn head(existing: &[u8], day: NaiveDate, fingerprint: &str) -> Vec<u8> {
    let document = Document::parse(existing);
    let mut head = existing[..existing.len() - document.body().len()].to_vec();
    if !document.has_head() {
        head = b"---\ntype: root\nstatus: tentative\n---\n\n".to_vec();
    }
    for (key, value) in [("last-updated", &*day.to_string()), ("fingerprint", fingerprint)] {
        let document = Document::parse(&head);
        if document.value(key).as_deref() != Some(value) {
            let before = KEYS.iter().position(|known| *known == key).unwrap_or(KEYS.len());
            head = document.with(key, value, &KEYS[..before]);
        }
    }
    let is_former = |line: &[u8]| {
        let key = |key: &&str| {
            line.strip_prefix(key.as_bytes()).is_some_and(|rest| rest.starts_with(b":"))
        };
        FORMER.iter().any(key)
    };
    head.split_inclusive(|byte| *byte == b'\n')
        .filter(|line| !is_former(line))
        .flatten()
        .copied()
        .collect()
}
