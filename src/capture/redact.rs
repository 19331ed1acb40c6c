//! Takes secrets out of text and leaves the words around them.
//!
//! A secret becomes `[REDACTED:rule-id]`, and nothing else changes. Redacting twice is redacting once: marks
//! are left alone, and a pass is repeated until it finds nothing. `spec/redaction.md` has the rules for people.
//!
//! ```
//! use hipocampus::capture::redact::Redactor;
//!
//! let text = format!("key: AKIA{}", "Q7WVTB2XNK4RZ5PD");
//! let redacted = Redactor::standard().redact(text.as_bytes());
//! assert_eq!(&*redacted.bytes, b"key: [REDACTED:aws-access-key]");
//! ```

mod accept;
mod assignment;
mod between;
mod codes;
mod columns;
mod config;
mod explicit;
mod foreign;
mod formats;
mod gates;
mod json;
mod keys;
mod lines;
mod lookout;
mod loose;
mod pairs;
mod phrase;
mod remember;
mod rules;
mod scan;
mod services;
mod shapes;
mod snowflake;
mod spelling;
mod text;
mod urls;
mod words;
mod wrapped;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use xxhash_rust::xxh3::Xxh3;

use config::Settings;
pub use config::{CustomRule, RedactionConfig};
use json::Part;
pub use loose::{LetThrough, let_through};
pub use remember::Remembered;
use scan::Finding;

/// Counts up when the code around the table changes what is redacted.
const REVISION: u32 = 3;

/// Most often a pass is repeated; real text needs two.
const PASSES: usize = 6;

/// The rules in force. Making one costs nothing; patterns are compiled when a text asks for them.
#[derive(Debug)]
pub struct Redactor {
    settings: Settings,
    version: u64,
}

/// Text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// the text; borrowed when nothing was found
    pub bytes: Cow<'a, [u8]>,
    /// how many secrets each rule found
    pub counts: BTreeMap<Cow<'static, str>, usize>,
    /// the values that are secrets wherever they stand, each with the rule that proved it
    pub proven: Proven,
}

/// Values, each with the rule that proved it.
pub type Proven = BTreeMap<Vec<u8>, Cow<'static, str>>;

impl Redacted<'_> {
    /// How many secrets were found.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }
}

impl Redactor {
    /// The built-in rules.
    pub fn standard() -> Self {
        Self { settings: Settings::default(), version: RedactionConfig::default().version() }
    }

    /// The built-in rules as a project changes them.
    ///
    /// # Errors
    /// One message for each regex that does not compile and each id that does not exist.
    pub fn from_config(config: &RedactionConfig) -> Result<Self, Vec<String>> {
        Ok(Self { settings: Settings::new(config)?, version: config.version() })
    }

    /// Identifies the rules in force: the table and the configuration. Stable across runs and machines.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Redacts any bytes. Bytes outside a secret stay; JSON stays JSON.
    pub fn redact<'a>(&self, text: &'a [u8]) -> Redacted<'a> {
        if json::begins(text) {
            self.redact_jsonl(text)
        } else {
            let proven = RefCell::default();
            let redacted =
                repeat(text, |text, changed| self.in_text(text, changed, &mut proven.borrow_mut()));
            Redacted { proven: proven.into_inner(), ..redacted }
        }
    }

    /// Redacts one JSON value, or one a line, inside its strings. Lines that do not parse are redacted as text.
    pub fn redact_jsonl<'a>(&self, text: &'a [u8]) -> Redacted<'a> {
        let proven = RefCell::default();
        let redacted =
            repeat(text, |text, changed| self.in_json(text, changed, &mut proven.borrow_mut()));
        Redacted { proven: proven.into_inner(), ..redacted }
    }

    /// Replaces what was proven to be secret before, wherever it stands, unless the project allows it.
    pub fn hide<'a>(&self, text: &'a [u8], known: &Remembered) -> Cow<'a, [u8]> {
        let found = known.find(text).into_iter().map(|(span, rule)| Finding {
            span,
            id: Cow::Owned(rule.to_owned()),
            rank: 9,
        });
        let found: Vec<_> = found.filter(|finding| self.settings.keeps(text, finding)).collect();
        if found.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(replace(text, &found).0) }
    }

    fn found(&self, text: &[u8], part: Range<usize>) -> Vec<Finding> {
        let mut found = scan::scan(text, part);
        self.settings.scan(text, &mut found);
        found.retain(|finding| self.settings.keeps(text, finding));
        found
    }

    fn in_text(
        &self,
        text: &[u8],
        changed: Option<&[Range<usize>]>,
        proven: &mut Proven,
    ) -> Vec<Finding> {
        let mut found = Vec::new();
        for part in around(text, changed) {
            found.extend(self.found(text, part));
        }
        if let Some(again) =
            Again::of(found.iter().map(|finding| (finding, &text[finding.span.clone()])), proven)
        {
            again.find(text, 0..text.len(), &mut found);
        }
        found
    }

    fn in_json(
        &self,
        text: &[u8],
        changed: Option<&[Range<usize>]>,
        proven: &mut Proven,
    ) -> Vec<Finding> {
        let parts = json::parts(text);
        let mut found: Vec<Finding> = Vec::new();
        let mut values: Vec<(Finding, Vec<u8>)> = Vec::new();
        let touched = |part: &Range<usize>| {
            changed.is_none_or(|changed| {
                let next = changed.partition_point(|change| change.end < part.start);
                changed.get(next).is_some_and(|change| change.start <= part.end)
            })
        };
        for part in parts.iter().filter(|part| touched(part.span())) {
            match part {
                Part::Text(lines) => {
                    for finding in self.found(&text[lines.clone()], 0..lines.len()) {
                        let span = lines.start + finding.span.start..lines.start + finding.span.end;
                        values.push((finding.clone(), text[span.clone()].to_vec()));
                        found.push(Finding { span, ..finding });
                    }
                }
                Part::Json(value) => {
                    // The members of a JWK tell about each other.
                    if memchr::memmem::find(&text[value.clone()], b"\"kty\"").is_some() {
                        let raw = self.found(&text[value.clone()], 0..value.len());
                        found.extend(raw.into_iter().filter(|f| f.id == rules::JWK).map(|f| {
                            let span = value.start + f.span.start..value.start + f.span.end;
                            Finding { span, ..f }
                        }));
                    }
                    for string in json::strings(text, value.clone()) {
                        let spans = string.scan(|text| self.found(text, 0..text.len()));
                        values.extend(
                            spans
                                .iter()
                                .map(|f| (f.clone(), string.decoded[f.span.clone()].to_vec())),
                        );
                        found.extend(string.place(text, spans));
                    }
                }
            }
        }
        found.extend(
            lines::across(text, &parts).into_iter().filter(|f| self.settings.keeps(text, f)),
        );
        if let Some(again) =
            Again::of(values.iter().map(|(finding, value)| (finding, value.as_slice())), proven)
        {
            for part in &parts {
                match part {
                    Part::Text(lines) => again.find(text, lines.clone(), &mut found),
                    Part::Json(value) => {
                        for string in json::strings(text, value.clone()) {
                            let mut more = Vec::new();
                            again.find(&string.decoded, 0..string.decoded.len(), &mut more);
                            found.extend(string.place(text, more));
                        }
                    }
                }
            }
        }
        found
    }
}

/// The parts of the text whose rules may see one of the changes; all of it when nothing has changed yet.
fn around(text: &[u8], changed: Option<&[Range<usize>]>) -> Vec<Range<usize>> {
    let Some(changed) = changed else { return std::iter::once(0..text.len()).collect() };
    let mut parts: Vec<Range<usize>> = Vec::new();
    for change in changed {
        let (before, behind) = scan::REACH;
        let end = text.len().min(change.end + behind);
        // A mark breaks the word it stands in: what follows in that word is looked at anew.
        let word = text[change.end..].iter().take_while(|byte| scan::unbroken(**byte)).count();
        let part = change.start.saturating_sub(before)..end.max(change.end + word);
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = part.end,
            _ => parts.push(part),
        }
    }
    parts
}

/// Values that are proven secrets, wherever else they stand in the document.
struct Again {
    search: AhoCorasick,
    ids: Vec<scan::Id>,
}

/// Whether a finding is so sure, and its value so much its own, that the value is a secret wherever it stands.
fn proves(finding: &Finding, value: &[u8]) -> bool {
    /// ranks of formats, and of the project's own rules
    const FORMATS: u8 = 2;
    let classes = gates::Classes::of(value);
    let kinds = [classes.lower, classes.upper, classes.digits, classes.other];
    let several = kinds.iter().filter(|count| **count > 0).count() >= 3;
    let plain =
        value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%^&*?~+_.=-".contains(byte));
    let own =
        gates::random(value, 16) || value.len() >= 8 && several && gates::password(value, true);
    // Behind a name, whatever is no word.
    let named = finding.id == rules::PASSWORD || finding.id == rules::SECRET;
    let mixed = classes.digits > 0 && classes.lower + classes.upper > 0;
    let signs = classes.other > 0 && !value.iter().any(u8::is_ascii_whitespace);
    let named = named
        && value.len() >= if mixed { 6 } else { 8 }
        && (mixed || signs || classes.lower > 0 && classes.upper > 0)
        && !spelling::in_words(value);
    value.len() <= 1024
        && (finding.rank <= FORMATS && value.len() >= 16 || plain && own || plain && named)
}

/// A document with more secrets than this is a dump; the automaton for all of them would cost seconds.
const MOST_PROVEN: usize = 4096;

impl Again {
    /// Shorter values, and values that could be words, are not looked for.
    fn of<'v>(
        found: impl Iterator<Item = (&'v Finding, &'v [u8])>,
        all: &mut Proven,
    ) -> Option<Self> {
        let proven: BTreeMap<&[u8], &Finding> = found
            .filter(|(finding, value)| proves(finding, value))
            .map(|(finding, value)| (value, finding))
            .take(MOST_PROVEN)
            .collect();
        if proven.is_empty() {
            return None;
        }
        all.extend(proven.iter().map(|(value, finding)| (value.to_vec(), finding.id.clone())));
        let ids = proven.values().map(|finding| finding.id.clone()).collect();
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            // Made for one text, so what it costs to make counts for more than a faster walk.
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(proven.keys())
            .ok()?;
        Some(Self { search, ids })
    }

    fn find(&self, text: &[u8], part: Range<usize>, found: &mut Vec<Finding>) {
        for hit in self.search.find_iter(&text[part.clone()]) {
            let span = part.start + hit.start()..part.start + hit.end();
            let ends = text.get(span.end).is_none_or(|byte| !text::is_word(*byte));
            if ends && text::starts_token(text, span.start) && !text::touches_mark(text, &span) {
                found.push(Finding {
                    span,
                    id: self.ids[hit.pattern().as_usize()].clone(),
                    rank: 9,
                });
            }
        }
    }
}

/// Replaces what `find` finds until it finds nothing, so that redacting the result changes nothing.
///
/// From the second time on `find` is told what has changed: elsewhere there is nothing new.
fn repeat(
    text: &[u8],
    find: impl Fn(&[u8], Option<&[Range<usize>]>) -> Vec<Finding>,
) -> Redacted<'_> {
    let mut bytes = Cow::Borrowed(text);
    let mut counts = BTreeMap::new();
    let mut changed: Option<Vec<Range<usize>>> = None;
    for _ in 0..PASSES {
        let found = merge(find(&bytes, changed.as_deref()));
        if found.is_empty() {
            break;
        }
        let (replaced, marks) = replace(&bytes, &found);
        for finding in found {
            *counts.entry(finding.id).or_default() += 1;
        }
        bytes = Cow::Owned(replaced);
        changed = Some(marks);
    }
    Redacted { bytes, counts, proven: Proven::new() }
}

/// Overlapping findings become one, named by the most specific rule.
fn merge(mut found: Vec<Finding>) -> Vec<Finding> {
    found.sort_by_key(|finding| (finding.span.start, finding.rank));
    let mut merged: Vec<Finding> = Vec::with_capacity(found.len());
    for finding in found {
        match merged.last_mut() {
            Some(last) if finding.span.start < last.span.end => {
                last.span.end = last.span.end.max(finding.span.end);
                if finding.rank < last.rank {
                    last.rank = finding.rank;
                    last.id = finding.id;
                }
            }
            _ => merged.push(finding),
        }
    }
    merged
}

/// Puts a mark in the place of each finding; tells where the marks stand.
fn replace(text: &[u8], found: &[Finding]) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut bytes = Vec::with_capacity(text.len());
    let mut marks = Vec::with_capacity(found.len());
    let mut kept = 0;
    for finding in found {
        bytes.extend_from_slice(&text[kept..finding.span.start]);
        let start = bytes.len();
        bytes.extend_from_slice(text::MARK);
        bytes.push(b':');
        bytes.extend_from_slice(finding.id.as_bytes());
        bytes.push(b']');
        marks.push(start..bytes.len());
        kept = finding.span.end;
    }
    bytes.extend_from_slice(&text[kept..]);
    (bytes, marks)
}

impl RedactionConfig {
    /// What [`Redactor::version`] will be, without checking or compiling anything.
    pub fn version(&self) -> u64 {
        version(self)
    }
}

/// The ids of all built-in rules, sorted.
pub fn rule_ids() -> Vec<&'static str> {
    rules::ids()
}

/// A hash of everything that decides what is redacted, without compiling any of it.
fn version(config: &RedactionConfig) -> u64 {
    let mut hash = Xxh3::new();
    let mut add = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(&[0]);
    };
    add(&REVISION.to_string());
    for rule in rules::TABLE.iter() {
        add(rule.id);
        add(rule.pattern);
        rule.keywords.iter().copied().for_each(&mut add);
        add(&format!("{:?} {:?} {}", rule.anchor, rule.gate, rule.window));
    }
    words::ENGLISH.into_iter().chain(services::names()).for_each(&mut add);
    for (word, _) in foreign::WORDS {
        add(word);
    }
    for list in [&config.allow, &config.disable] {
        add(&list.len().to_string());
        for entry in list {
            add(entry);
        }
    }
    for rule in &config.rules {
        add(&rule.id);
        add(&rule.regex);
        for word in &rule.keywords {
            add(word);
        }
    }
    hash.digest()
}
