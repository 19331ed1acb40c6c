//! A node of the tree: its status, its fingerprint, and how it is written.
//!
//! Status and author are read from the node's own head and never from words in its body.

mod draft;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::meaning::extract::EXTRACT_VERSION;
use crate::memory::body::{Body, BodyFacts, hash_body};
use crate::memory::frontmatter::Document;
use crate::memory::last_copy;
use crate::memory::period::Period;
use crate::plan;

pub(crate) use draft::NodeDraft;

/// Where a node is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// its period may still receive something
    Tentative,
    /// its period is over; not rewritten
    Fixed,
    /// its sources are longer than the threshold and no model has summarised them yet
    NeedsSummarization,
}

impl Status {
    /// The word in the head.
    pub fn word(self) -> &'static str {
        match self {
            Status::Tentative => "tentative",
            Status::Fixed => "fixed",
            Status::NeedsSummarization => "needs-summarization",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Status::Tentative, Status::Fixed, Status::NeedsSummarization]
            .into_iter()
            .find(|status| status.word() == word)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// `s:<hash of sources>/b:<hash of body>`, 16 hex digits each, xxh3-64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// what the node was made from, or last compared with
    pub sources: u64,
    /// the body as the program wrote it; [`Fingerprint::FOREIGN`] if the program never did
    pub body: u64,
}

impl Fingerprint {
    /// Stands for the body hash in the key the program gives to a text it did not write.
    pub const FOREIGN: u64 = 0;

    /// Reads the value of the head's `fingerprint`.
    pub fn parse(value: &str) -> Option<Self> {
        let (sources, body) = value.trim().strip_prefix("s:")?.split_once("/b:")?;
        let hex = |digits: &str| {
            (digits.len() == 16).then(|| u64::from_str_radix(digits, 16).ok()).flatten()
        };
        Some(Self { sources: hex(sources)?, body: hex(body)? })
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s:{:016x}/b:{:016x}", self.sources, self.body)
    }
}

/// The hash of what a node is made from: each source's name and body hash, in order, and the version of the
/// redaction rules in force.
pub(crate) fn hash_sources<T>(rules: u64, sources: &[T], feed: impl Fn(&T, &mut Xxh3)) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&rules.to_le_bytes());
    for source in sources {
        feed(source, &mut hasher);
    }
    hasher.digest()
}

/// The hash of sources that are longer than the threshold: its last byte is the version of what makes the extract, so
/// that one of another version is recognised, whatever else changed.
pub(crate) fn for_extract(hash: u64) -> u64 {
    hash & !0xff | u64::from(EXTRACT_VERSION)
}

/// Whether a hash is the same except for the version in its last byte.
pub(crate) fn is_same_but_version(a: u64, b: u64) -> bool {
    a & !0xff == b & !0xff
}

/// What planning needs to know of a node, and a cache can keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeFacts {
    /// the hash of the whole file
    pub file: u64,
    /// the hash of the body
    pub body: u64,
    /// the lines of the body
    pub lines: u64,
    /// the status its head names
    pub status: Option<Status>,
    /// the fingerprint its head carries
    pub fingerprint: Option<Fingerprint>,
    /// whether the body is empty or ends in NUL bytes
    pub damaged: bool,
    /// whether some of the body is the last copy of what it says
    pub kept: bool,
    /// the sources at which the body was last found to be authored
    pub foreign_at: Option<u64>,
}

impl NodeFacts {
    /// Looks at a node's bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let document = Document::parse(bytes);
        let body = document.body();
        let BodyFacts { hash, lines } = BodyFacts::of(body);
        Self {
            file: plan::hash(bytes),
            body: hash,
            lines,
            status: document.value("status").and_then(|word| Status::parse(&word)),
            fingerprint: document.value("fingerprint").and_then(|text| Fingerprint::parse(&text)),
            // The lines that open and close a head, or a beginning of one, are no text either.
            damaged: body.iter().all(|byte| is_bare(*byte)) || body.ends_with(b"\0"),
            kept: last_copy::split(body).is_some(),
            foreign_at: None,
        }
    }

    /// The same for a file the program has just put together, whose body was looked at before.
    pub(crate) fn of_made(head: &[u8], body: &Body, facts: BodyFacts) -> Self {
        let whole = || [head, body.whole().as_slice()].concat();
        // Read back as it was put together, or there is something in it that no machine writes.
        if !Document::parse(head).body().is_empty() {
            return Self::of(&whole());
        }
        let mut file = Xxh3::new();
        file.update(head);
        body.parts().iter().for_each(|part| file.update(part));
        let parts = body.parts();
        let bare = |part: &Arc<Vec<u8>>| part.iter().all(|byte| is_bare(*byte));
        let last = parts.iter().rev().find(|part| !part.is_empty());
        Self {
            file: file.digest(),
            body: facts.hash,
            lines: facts.lines,
            damaged: parts.iter().all(bare) || last.is_some_and(|part| part.ends_with(b"\0")),
            // What a body carries of others is kept there.
            kept: matches!(parts, [one] if last_copy::split(one).is_some()),
            ..Self::of(head)
        }
    }

    /// Whether the body is, to the byte, what the program wrote.
    pub fn is_as_written(&self) -> bool {
        self.fingerprint.is_some_and(|fingerprint| fingerprint.body == self.body)
    }

    /// Whether it was marked because its sources went on after somebody had written it. Until it is replaced the head
    /// is all that tells.
    pub fn is_stale(&self) -> bool {
        let foreign = self.fingerprint.is_some_and(|mark| mark.body == Fingerprint::FOREIGN);
        foreign && self.status == Some(Status::NeedsSummarization)
    }

    /// The sources the node was last compared with.
    pub fn sources(&self) -> Option<u64> {
        self.fingerprint.map(|fingerprint| fingerprint.sources)
    }
}

fn is_bare(byte: u8) -> bool {
    byte == b'-' || byte.is_ascii_whitespace()
}

/// The key of a head that tells which text, by its [`hash_body`], `hipocampus summarize` put there: another text below
/// it was edited since.
pub(crate) const SUMMARY: &str = "summary";

/// The order of a head's keys, for edits that insert one.
pub(crate) const KEYS: [&str; 9] = [
    "type",
    "status",
    "period",
    "dates",
    "weeks",
    "source-files",
    "topics",
    "lines",
    "fingerprint",
];

/// A node's file with another status and fingerprint in its head, every other byte as it was. A node
/// without a head gets a whole one.
pub(crate) fn with_head(
    bytes: &[u8],
    period: Period,
    status: Status,
    mark: Fingerprint,
) -> Vec<u8> {
    let mark = mark.to_string();
    let label = period.to_string();
    let level = period.level().to_string();
    let values =
        [("type", &*level), ("status", status.word()), ("period", &label), ("fingerprint", &mark)];
    let mut file = bytes.to_vec();
    let had_head = Document::parse(bytes).has_head();
    for (key, value) in values {
        let document = Document::parse(&file);
        if matches!(key, "type" | "period") && had_head && document.value(key).is_some() {
            continue;
        }
        if document.value(key).is_some_and(|current| current == value) {
            continue;
        }
        file = with_key(&file, key, value);
    }
    file
}

/// A node's file with a key of its head set, in its place among the others.
pub(crate) fn with_key(file: &[u8], key: &str, value: &str) -> Vec<u8> {
    let place = KEYS.iter().position(|known| *known == key).unwrap_or(KEYS.len());
    Document::parse(file).with(key, value, &KEYS[..place])
}

/// A file with another body below its head.
pub(crate) fn with_body(file: &[u8], body: &[u8]) -> Vec<u8> {
    [Document::parse(file).above_body(), body].concat()
}

/// A node's file that says of its body that the program wrote it, of the same sources as before.
pub(crate) fn as_written(file: &[u8]) -> Vec<u8> {
    let document = Document::parse(file);
    let known = document.value("fingerprint").and_then(|text| Fingerprint::parse(&text));
    let sources = known.map_or(0, |known| known.sources);
    let mark = Fingerprint { sources, body: hash_body(document.body()) };
    with_key(file, "fingerprint", &mark.to_string())
}

/// A node's file with its text marked as the last copy; its `s:` stays, so that the next run finds it changed. `None`
/// for a file that holds nothing to keep, or is marked and has nothing below.
pub(crate) fn as_last_copy(file: &[u8]) -> Option<Vec<u8>> {
    let body = Document::parse(file).body();
    let below = last_copy::split(body).map_or(body, |(_, below)| below);
    let says = !below.trim_ascii().is_empty();
    says.then(|| as_written(&with_body(file, &last_copy::marked(body))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::period::Level;

    fn week(label: &str) -> Period {
        Period::parse(Level::Weekly, label).unwrap()
    }

    #[test]
    fn a_node_is_written_with_its_keys_in_order() {
        let sources = ["2026-03-09".to_owned(), "2026-03-11".to_owned()];
        let draft = NodeDraft {
            period: week("2026-W11"),
            status: Status::Tentative,
            sources: &sources,
            topics: "auth [project]",
            lines: 12,
            source_hash: 0xab,
            body_hash: hash_body(b"x\n"),
        };
        let body = Body::from(b"x\n".to_vec());
        let text = String::from_utf8([draft.head(), body.whole().to_vec()].concat()).unwrap();
        assert_eq!(
            NodeFacts::of_made(&draft.head(), &body, body.facts()),
            NodeFacts::of(text.as_bytes())
        );
        let (head, body) = text.split_once("---\n\n").unwrap();
        assert_eq!(
            head.rsplit_once("fingerprint: ").unwrap().0,
            "---\ntype: weekly\nstatus: tentative\nperiod: 2026-W11\n\
             dates: 2026-03-09 to 2026-03-15\n\
             source-files: [memory/daily/2026-03-09.md, memory/daily/2026-03-11.md]\n\
             topics: auth [project]\nlines: 12\n"
        );
        assert_eq!(body, "x\n");
        let facts = NodeFacts::of(text.as_bytes());
        assert!(facts.is_as_written() && !facts.damaged);
        assert_eq!((facts.status, facts.sources()), (Some(Status::Tentative), Some(0xab)));
        assert_eq!(facts.lines, 2);
    }

    #[test]
    fn words_in_the_body_are_no_status() {
        let facts = NodeFacts::of(b"---\ntype: daily\n---\n\nstatus: fixed\n");
        assert_eq!(facts.status, None);
        let facts = NodeFacts::of(b"status: fixed\n");
        assert_eq!((facts.status, facts.fingerprint), (None, None));
    }

    #[test]
    fn a_new_head_leaves_the_text_alone() {
        let mark = Fingerprint { sources: 1, body: 0 };
        let check = |before: &str, after: &str| {
            let edited = with_head(before.as_bytes(), week("2026-W11"), Status::Fixed, mark);
            assert_eq!(String::from_utf8(edited).unwrap(), after, "{before:?}");
        };
        check(
            "---\ntype: weekly\nstatus: tentative\nmood: good\n---\n\n# S\n",
            "---\ntype: weekly\nstatus: fixed\nperiod: 2026-W11\nfingerprint: s:0000000000000001/b:0000000000000000\nmood: good\n---\n\n# S\n",
        );
        check(
            "# S\r\n",
            "---\ntype: weekly\nstatus: fixed\nperiod: 2026-W11\nfingerprint: s:0000000000000001/b:0000000000000000\n---\n\n# S\r\n",
        );
    }

    #[test]
    fn fingerprints_round_trip() {
        let mark = Fingerprint { sources: 0x9f2c_41d0_a7be_3310, body: 7 };
        assert_eq!(Fingerprint::parse(&mark.to_string()), Some(mark));
        for bad in ["", "s:1/b:2", "s:9f2c41d0a7be3310", "b:9f2c41d0a7be3310/s:9f2c41d0a7be3310"] {
            assert_eq!(Fingerprint::parse(bad), None);
        }
    }
}
