//! Merging nodes and ROOT.md. What the program wrote in them is made again from the logs, so either side will do; what
//! a model or a person wrote is kept, on whichever side it stands, and on both if need be.

use crate::markdown::conflict;
use crate::meaning::page::kept::without_added;
use crate::meaning::page::owner::{PageOwner, is_stub, owner, written};
use crate::memory::frontmatter::Document;
use crate::memory::heal;
use crate::memory::node::{Fingerprint, NodeFacts, Status, with_body, with_key};
use chrono::NaiveDate;

use super::three::{self, OnBothSides};

/// The line between two texts about the same period that were written at the same time.
pub(crate) const BETWEEN: &str = "<!-- hipocampus:both two texts were written at the same time, above and below this line; make one of them and take the line out -->";

/// Whether a node holds two texts that a merge has put together.
pub(crate) fn holds_two(body: &[u8]) -> bool {
    memchr::memmem::find(body, BETWEEN.as_bytes()).is_some()
        && body.split(|byte| *byte == b'\n').any(|line| line.trim_ascii_end() == BETWEEN.as_bytes())
}

struct NodeVersion<'a> {
    file: &'a [u8],
    facts: NodeFacts,
}

impl<'a> NodeVersion<'a> {
    fn of(file: &'a [u8]) -> Self {
        Self { file, facts: NodeFacts::of(file) }
    }

    fn body(&self) -> &'a [u8] {
        Document::parse(self.file).body()
    }

    /// Whether all of its body can be made again, or there is none.
    fn is_machines(&self) -> bool {
        self.facts.damaged
            || (self.facts.is_as_written() && !self.facts.kept)
            || heal::has_placeholder(self.body())
    }

    /// What its head says of its sources, for comparing.
    fn about(&self) -> (bool, Option<u64>, Vec<u8>) {
        let document = Document::parse(self.file);
        let lines = document.value("lines").and_then(|lines| lines.parse().ok());
        let rest = document.above_body().split(|byte| *byte == b'\n');
        let rest =
            rest.filter(|line| !line.starts_with(b"status:") && !line.starts_with(b"fingerprint:"));
        (document.has_head(), lines, rest.collect::<Vec<_>>().join(&b'\n'))
    }

    /// The status of the same text in two files: what waits goes on waiting.
    fn status_with(&self, other: &Self) -> Option<Status> {
        let (one, other) = (self.facts.status, other.facts.status);
        let waits = Some(Status::NeedsSummarization);
        match (one, other) {
            _ if one == other => one,
            _ if one == waits || other == waits => waits,
            _ => Some(Status::Tentative),
        }
    }

    /// The fingerprint of the same text in two files.
    fn mark_with(&self, other: &Self) -> Option<Fingerprint> {
        match (self.facts.fingerprint, other.facts.fingerprint) {
            (Some(one), Some(other)) => Some(Fingerprint {
                sources: one.sources.max(other.sources),
                body: one.body.min(other.body),
            }),
            (one, other) => one.or(other),
        }
    }

    /// Of two that the program wrote, the one that says more.
    fn worth(&self) -> (bool, Option<u64>) {
        let lines = Document::parse(self.file).value("lines").and_then(|lines| lines.parse().ok());
        (!self.facts.damaged, lines)
    }
}

/// A node of both sides.
pub(super) fn merge(base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let base = base.map(NodeVersion::of);
    let files: Vec<_> = [ours, theirs].into_iter().flat_map(conflict::sides_of).collect();
    let mut sides = files.iter().map(|file| NodeVersion::of(file));
    let Some(first) = sides.next() else { return Vec::new() };
    let mut merged = first.file.to_vec();
    for side in sides {
        merged = two(base.as_ref(), &NodeVersion::of(&merged), &side);
    }
    merged
}

fn two(
    base: Option<&NodeVersion<'_>>,
    ours: &NodeVersion<'_>,
    theirs: &NodeVersion<'_>,
) -> Vec<u8> {
    match (ours.is_machines(), theirs.is_machines()) {
        (true, true) => {
            if ours.worth() >= theirs.worth() {
                ours.file.to_vec()
            } else {
                theirs.file.to_vec()
            }
        }
        (true, false) => theirs.file.to_vec(),
        (false, true) => ours.file.to_vec(),
        (false, false) => both(base, ours, theirs),
    }
}

/// Both were written by somebody.
fn both(
    base: Option<&NodeVersion<'_>>,
    ours: &NodeVersion<'_>,
    theirs: &NodeVersion<'_>,
) -> Vec<u8> {
    let body = |side: &NodeVersion<'_>| side.facts.body;
    // The head tells what the text is about and how long its sources were: that of the longer ones.
    let head = if ours.about() >= theirs.about() { ours } else { theirs };
    let changed = match base.map(body) {
        _ if body(ours) == body(theirs) => None,
        Some(was) if was == body(ours) => Some(theirs),
        Some(was) if was == body(theirs) => Some(ours),
        _ => return both_texts(base, ours, theirs, head),
    };
    let (status, mark) = match changed {
        Some(changed) => (changed.facts.status, changed.facts.fingerprint),
        None => (ours.status_with(theirs), ours.mark_with(theirs)),
    };
    with_head(with_body(head.file, changed.unwrap_or(ours).body()), status, mark)
}

/// Texts that were written at the same time, one below the other.
fn both_texts(
    base: Option<&NodeVersion<'_>>,
    ours: &NodeVersion<'_>,
    theirs: &NodeVersion<'_>,
    head: &NodeVersion<'_>,
) -> Vec<u8> {
    let was = base.map(|base| texts(base.body())).unwrap_or_default();
    let (one, other) = (texts(ours.body()), texts(theirs.body()));
    let mut all: Vec<&[u8]> = one.iter().chain(&other).copied().collect();
    // A text of the common version that one side took out or rewrote is left out.
    all.retain(|text| !was.contains(text) || (one.contains(text) && other.contains(text)));
    all.sort();
    all.dedup();
    let text = all.join(&*format!("\n\n{BETWEEN}\n\n").into_bytes());
    // Sources that do not exist: so the next run notes down what the texts stand for now.
    let mark = Fingerprint { sources: 0, body: Fingerprint::FOREIGN };
    let body = [text.as_slice(), b"\n"].concat();
    with_head(with_body(head.file, &body), Some(Status::NeedsSummarization), Some(mark))
}

/// A file with another status and fingerprint in its head, if it has one.
fn with_head(mut file: Vec<u8>, status: Option<Status>, mark: Option<Fingerprint>) -> Vec<u8> {
    if !Document::parse(&file).has_head() {
        return file;
    }
    if let Some(status) = status {
        file = with_key(&file, "status", status.word());
    }
    if let Some(mark) = mark {
        file = with_key(&file, "fingerprint", &mark.to_string());
    }
    file
}

fn texts(body: &[u8]) -> Vec<&[u8]> {
    let mut texts = Vec::new();
    let mut rest = body;
    while let Some(at) = memchr::memmem::find(rest, BETWEEN.as_bytes()) {
        texts.push(rest[..at].trim_ascii());
        rest = &rest[at + BETWEEN.len()..];
    }
    texts.push(rest.trim_ascii());
    texts.retain(|text| !text.is_empty());
    texts
}

/// ROOT.md of both sides: the program's makes room for somebody's, of two models' the newer stands, and what two people
/// wrote into it is merged line by line.
pub(super) fn merge_root(base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let day = |file: &[u8]| {
        let day = Document::parse(file).value("last-updated").and_then(|day| day.parse().ok());
        day.unwrap_or(NaiveDate::MIN)
    };
    let newer = |file: &[u8]| (day(file), crate::plan::hash(file));
    let (head, other) = if newer(ours) >= newer(theirs) { (ours, theirs) } else { (theirs, ours) };
    let is_frame = |file: &[u8]| is_stub(Document::parse(file).body());
    match (owner(head), owner(other)) {
        _ if is_frame(head) => return other.to_vec(),
        _ if is_frame(other) => return head.to_vec(),
        (PageOwner::Program, PageOwner::Program) => return head.to_vec(),
        (PageOwner::Program, _) => return other.to_vec(),
        (_, PageOwner::Program) => return head.to_vec(),
        (PageOwner::Model(one), PageOwner::Model(two)) => {
            return if two > one { other.to_vec() } else { head.to_vec() };
        }
        _ => {}
    }
    let [was, a, b] = [base.unwrap_or_default(), head, other].map(without_added);
    let body = three::merge(base.map(|_| &*was), &a, &b, OnBothSides::Keep).unwrap_or(a);
    let body = String::from_utf8_lossy(&body);
    written(head, &body, PageOwner::Person(Some(day(head))), day(head), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::body::hash_body;

    fn node(body: &str, foreign: bool, lines: u32, status: &str) -> Vec<u8> {
        let hash = if foreign { 0 } else { hash_body(body.as_bytes()) };
        format!("---\ntype: daily\nstatus: {status}\nperiod: 2026-03-15\nlines: {lines}\nfingerprint: s:00000000000000ab/b:{hash:016x}\n---\n\n{body}").into_bytes()
    }

    #[track_caller]
    fn check(base: Option<&[u8]>, ours: &[u8], theirs: &[u8], expect: &[u8]) {
        for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
            let merged = merge(base, ours, theirs);
            assert_eq!(String::from_utf8_lossy(&merged), String::from_utf8_lossy(expect));
        }
    }

    #[test]
    fn the_machines_text_makes_room() {
        let (less, more) = (node("a\n", false, 3, "tentative"), node("a\nb\n", false, 9, "fixed"));
        check(None, &less, &more, &more);
        let theirs = node("a summary\n", true, 3, "tentative");
        check(Some(&less), &theirs, &more, &theirs);
        check(None, b"---\ntype: daily\n---\n\n\0\0", &less, &less);
    }

    #[test]
    fn of_two_texts_the_changed_one_stands_or_both() {
        let was = node("was\n", true, 3, "tentative");
        let (one, two) = (node("one\n", true, 3, "fixed"), node("two\n", true, 3, "tentative"));
        let stale = node("was\n", true, 3, "needs-summarization");
        check(Some(&was), &stale, &one, &one);
        check(Some(&was), &stale, &was, &stale);
        let merged = merge(Some(&was), &one, &two);
        assert_eq!(merged, merge(Some(&was), &two, &one));
        let text = String::from_utf8(merged.clone()).unwrap();
        assert!(text.ends_with(&format!("one\n\n{BETWEEN}\n\ntwo\n")), "{text}");
        assert!(
            text.contains("status: needs-summarization\n")
                && text.contains("/b:0000000000000000\n")
        );
        assert!(holds_two(Document::parse(&merged).body()));
        assert!(!holds_two(format!("a quote: {BETWEEN}").as_bytes()));
        // Whoever has made one of them is believed.
        let settled = node("one and two\n", true, 3, "tentative");
        check(Some(&merged), &settled, &merged, &settled);
        let third = merge(Some(&was), &merged, &node("three\n", true, 3, "fixed"));
        assert_eq!(texts(Document::parse(&third).body()), [b"one".as_slice(), b"three", b"two"]);
    }

    #[test]
    fn a_last_copy_is_kept() {
        let marked = crate::memory::last_copy::marked(b"all there is\n");
        let kept = node(&String::from_utf8(marked).unwrap(), false, 1, "tentative");
        let machines = node("a\nb\nc\n", false, 9, "tentative");
        check(None, &kept, &machines, &kept);
    }

    #[test]
    fn what_two_wrote_into_root_stands_once() {
        let root = |lines: &str, author: &str| {
            format!("---\ntype: root\nlast-updated: 2026-03-15\n{author}fingerprint: s:00000000000000ab/b:00000000000000cd\n---\n\n## Topics Index\n{lines}").into_bytes()
        };
        let theirs = "author: agent\n";
        let was = root("- a\n", theirs);
        let (one, two) = (root("- mine\n- a\n", theirs), root("- a\n- yours\n", theirs));
        let merged = merge_root(Some(&was), &one, &two);
        assert_eq!(merged, merge_root(Some(&was), &two, &one));
        assert!(
            String::from_utf8_lossy(&merged).ends_with("## Topics Index\n- mine\n- a\n- yours\n")
        );
        let body = "## Topics Index\n- machine\n";
        let machines = format!(
            "---\ntype: root\nfingerprint: s:00000000000000ab/b:{:016x}\n---\n\n{body}",
            hash_body(body.as_bytes())
        );
        assert_eq!(merge_root(None, machines.as_bytes(), &one), one);
        assert_eq!(merge_root(None, &one, machines.as_bytes()), one);
    }
}
