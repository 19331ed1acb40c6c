//! What ROOT.md should be, given what it is.

use chrono::NaiveDate;
use serde::Serialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::build::{self, Order, RootText};
use super::facts::RootCache;
use super::lines;
use super::merge::{Merged, merge};
use super::ours::{self, Ours};
use super::room::Frame;
use super::subjects::Subjects;
use crate::markdown::conflict;
use crate::memory::frontmatter::Document;
use crate::memory::tokens::{Cost, cost, count};
use crate::text::counted;

/// The keys of the head, in order.
const KEYS: [&str; 7] =
    ["type", "status", "last-updated", "author", "tenant", "fingerprint", ours::KEY];
/// Hardly any page has shorter lines.
const TOKENS_A_LINE: u32 = 36;
/// No 64-bit hash takes more room than this.
const WORST_HASH: &str = "1a1a1a1a1a1a1a1a";

/// ROOT.md as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootPlan {
    /// the whole file
    pub bytes: Vec<u8>,
    /// what the user should know, without the name of the file
    pub notes: Vec<String>,
    /// whether a model or a person owns it
    pub theirs: bool,
    /// what stands in it
    pub standing: Standing,
}

/// What stands in ROOT.md and what does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// topics that stand on some line
    pub shown: usize,
    /// topics that stand on none
    pub not_shown: usize,
    /// tokens over the cap
    pub over: u32,
    /// of somebody else's file: user and feedback topics that stand on no line
    pub rules_not_shown: usize,
    /// of somebody else's file: lines that are the machine's
    pub lines_of_machine: usize,
}

/// What ROOT.md should be on `today`, given what it is now and what the logs say. The machine's own file is rebuilt;
/// one that a model or a person has edited is theirs for good, and only single lines of it change. Running it again
/// on its own result changes nothing.
pub fn plan_root(
    existing: Option<&[u8]>,
    cache: &RootCache,
    today: NaiveDate,
    cap: u32,
) -> RootPlan {
    let existing = existing.unwrap_or_default();
    let side = side_to_keep(existing);
    let existing = side.as_ref().map_or(existing, String::as_bytes);
    let document = Document::parse(existing);
    let sources = hash_of_sources(cache);
    let cap_tokens = Cost::tokens(cap);
    let head = |day: NaiveDate, author: Option<&str>, hash: &str, ours: Option<&Ours>| {
        head(existing, day, author, &format!("s:{sources:016x}/b:{hash}"), ours)
    };
    let price = cost(&String::from_utf8_lossy(&head(today, None, WORST_HASH, None)));
    let rebuilt = |day| build_with_room(cache, day, cap_tokens, price);
    match owner(&document, existing, |day| rebuilt(day.unwrap_or(today)).body) {
        Owner::Machine => {
            let text = rebuilt(today);
            let ours = Ours::of(&text.body);
            let mut bytes = head(today, None, &hash(text.body.as_bytes()), Some(&ours));
            bytes.extend_from_slice(text.body.as_bytes());
            let over = over(&bytes, cap);
            let notes = if over > 0 {
                vec![format!(
                    "the names of user and feedback topics alone are {} over `compaction.rootMaxTokens` ({cap})",
                    counted(over, "token")
                )]
            } else {
                Vec::new()
            };
            let RootText { shown, not_shown, .. } = text;
            let standing = Standing { shown, not_shown, over, ..Standing::default() };
            RootPlan { bytes, notes, theirs: false, standing }
        }
        Owner::Theirs => theirs(&document, cache, (today, cap), &head),
    }
}

/// Writes a head: its day, its author, the hash of the body, the lines that are the machine's.
type Head<'a> = dyn Fn(NaiveDate, Option<&str>, &str, Option<&Ours>) -> Vec<u8> + 'a;

/// The file of somebody else's, brought up to date. `head` writes its head.
fn theirs(
    document: &Document<'_>,
    cache: &RootCache,
    (today, cap): (NaiveDate, u32),
    head: &Head<'_>,
) -> RootPlan {
    let author = Some("agent");
    let Ok(body) = std::str::from_utf8(document.body()) else {
        let mut bytes = head(today, author, &hash(document.body()), None);
        bytes.extend_from_slice(document.body());
        let notes = vec!["not UTF-8: its lines were left as they are".to_owned()];
        return RootPlan { bytes, notes, theirs: true, standing: Standing::default() };
    };
    let ours = document.value(ours::KEY).and_then(|value| Ours::parse(&value));
    let price = cost(&String::from_utf8_lossy(&head(today, author, WORST_HASH, None)));
    let frame = Frame { today, cap: Cost::tokens(cap), head: price };
    let merged = merge(body, cache, frame, ours.as_ref(), updated(document));
    let Merged { body, day, ours, shown, not_shown, rules_not_shown } = merged;
    let mut bytes = head(day, author, &hash(body.as_bytes()), Some(&ours));
    bytes.extend_from_slice(body.as_bytes());
    let over = over(&bytes, cap);
    let notes = if over > 0 {
        vec![format!(
            "{} over `compaction.rootMaxTokens` ({cap}) by its own text",
            counted(over, "token")
        )]
    } else {
        Vec::new()
    };
    let lines_of_machine = ours.count();
    let standing = Standing { shown, not_shown, over, rules_not_shown, lines_of_machine };
    RootPlan { bytes, notes, theirs: true, standing }
}

/// What the machine writes. The head names each line of it, so its price is known only then: room is left for a usual
/// number of lines, and for as many as there are where they are more.
fn build_with_room(cache: &RootCache, day: NaiveDate, cap: Cost, head: Cost) -> RootText {
    let subjects = Subjects::new(cache, day);
    let mut lines = (cap.to_tokens() / TOKENS_A_LINE) as usize;
    loop {
        let text =
            build::build(&subjects, Order { cap, head: head + ours::price(lines), active: true });
        let found = Ours::of(&text.body).count();
        if found <= lines {
            return text;
        }
        lines = found;
    }
}

/// Whether a ROOT.md is the machine's, which makes it anew.
pub(crate) fn is_machines(file: &[u8]) -> bool {
    matches!(owner(&Document::parse(file), file, |_| String::new()), Owner::Machine)
}

enum Owner {
    Machine,
    /// a model's or a person's
    Theirs,
}

fn updated(document: &Document<'_>) -> Option<NaiveDate> {
    document.value("last-updated")?.parse().ok()
}

/// `rebuilt` is what the machine writes on a day, today if there is none.
fn owner(
    document: &Document<'_>,
    existing: &[u8],
    rebuilt: impl Fn(Option<NaiveDate>) -> String,
) -> Owner {
    let written = document.value("fingerprint").and_then(|value| {
        let (_, body) = value.split_once("/b:")?;
        u64::from_str_radix(body, 16).ok()
    });
    let body = document.body();
    if document.value("author").is_some_and(|author| author == "agent") {
        return Owner::Theirs;
    }
    if is_empty(existing) || is_stub(body) {
        return Owner::Machine;
    }
    let Some(written) = written else { return Owner::Theirs };
    let plain = || String::from_utf8_lossy(body).replace("\r\n", "\n");
    // Cut short by a crash, on the day its head tells.
    let torn = || body.ends_with(b"\0") || rebuilt(updated(document)).as_bytes().starts_with(body);
    if xxh3_64(body) == written || xxh3_64(plain().as_bytes()) == written || torn() {
        Owner::Machine
    } else {
        Owner::Theirs
    }
}

/// Of a file that a merge left with both of its sides in it: a side that is a model's or a person's, where the other one
/// is the machine's, or either of two that are the machine's. `None` where both are somebody's text, and for any other
/// file.
fn side_to_keep(existing: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(existing).ok().filter(|text| conflict::is_in(text))?;
    let [ours, theirs] = conflict::sides(text);
    let is_machines = |side: &String| {
        let document = Document::parse(side.as_bytes());
        matches!(owner(&document, side.as_bytes(), |_| String::new()), Owner::Machine)
    };
    match (is_machines(&ours), is_machines(&theirs)) {
        (_, true) => Some(ours),
        (true, false) => Some(theirs),
        (false, false) => None,
    }
}

fn is_empty(file: &[u8]) -> bool {
    file.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0)
}

/// What an installer leaves behind: the four headings, and comments.
pub(crate) fn is_stub(body: &[u8]) -> bool {
    let Ok(body) = std::str::from_utf8(body) else { return false };
    let headings = [lines::ACTIVE, lines::PATTERNS, lines::HISTORY, lines::INDEX];
    body.lines().map(str::trim).all(|line| {
        line.is_empty()
            || (line.starts_with("<!--") && line.ends_with("-->"))
            || headings.contains(&line)
            || line == "## Active Context"
    })
}

/// The head up to the body, of the file that stands there as far as it has one.
fn head(
    existing: &[u8],
    today: NaiveDate,
    author: Option<&str>,
    fingerprint: &str,
    ours: Option<&Ours>,
) -> Vec<u8> {
    let document = Document::parse(existing);
    let body = document.body();
    let mut head = existing[..existing.len() - body.len()].to_vec();
    if !document.has_head() || is_empty(existing) {
        head = b"---\ntype: root\nstatus: tentative\n---\n\n".to_vec();
    }
    let mut set = |key: &str, value: &str| {
        let document = Document::parse(&head);
        if document.value(key).as_deref() != Some(value) {
            head = document.with(
                key,
                value,
                &KEYS[..KEYS.iter().position(|k| *k == key).unwrap_or(0)],
            );
        }
    };
    set("last-updated", &today.to_string());
    if let Some(author) = author {
        set("author", author);
    }
    set("fingerprint", fingerprint);
    match ours.filter(|ours| !ours.is_empty()) {
        Some(ours) => set(ours::KEY, &ours.to_string()),
        None => head = without(&head, ours::KEY),
    }
    head
}

/// A head without the line of a key.
fn without(head: &[u8], key: &str) -> Vec<u8> {
    let is =
        |line: &[u8]| line.strip_prefix(key.as_bytes()).is_some_and(|rest| rest.starts_with(b":"));
    head.split_inclusive(|byte| *byte == b'\n')
        .filter(|line| !is(line))
        .flatten()
        .copied()
        .collect()
}

fn over(file: &[u8], cap: u32) -> u32 {
    count(&String::from_utf8_lossy(file)).saturating_sub(cap)
}

fn hash(body: &[u8]) -> String {
    format!("{:016x}", xxh3_64(body))
}

/// One hash over all logs and their dates.
fn hash_of_sources(cache: &RootCache) -> u64 {
    let mut hash = Xxh3::new();
    for (day, facts) in cache.days() {
        hash.update(day.to_string().as_bytes());
        hash.update(&facts.source.to_le_bytes());
    }
    hash.digest()
}
