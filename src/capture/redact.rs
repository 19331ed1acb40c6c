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

mod assignment;
mod config;
mod gates;
mod json;
mod keys;
mod rules;
mod scan;
mod services;
mod text;
mod urls;
mod words;

use std::borrow::Cow;
use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};
use xxhash_rust::xxh3::Xxh3;

use config::Settings;
pub use config::{CustomRule, RedactionConfig};
use json::Part;
use scan::Finding;

/// Counts up when the code around the table changes what is redacted.
const REVISION: u32 = 1;

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
}

impl Redacted<'_> {
    /// How many secrets were found.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }
}

impl Redactor {
    /// The built-in rules.
    pub fn standard() -> Self {
        Self { settings: Settings::default(), version: version(&RedactionConfig::default()) }
    }

    /// The built-in rules as a project changes them.
    ///
    /// # Errors
    /// One message for each regex that does not compile and each id that does not exist.
    pub fn from_config(config: &RedactionConfig) -> Result<Self, Vec<String>> {
        Ok(Self { settings: Settings::new(config)?, version: version(config) })
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
            repeat(text, |text| self.in_text(text))
        }
    }

    /// Redacts one JSON value, or one a line, inside its strings. Lines that do not parse are redacted as text.
    pub fn redact_jsonl<'a>(&self, text: &'a [u8]) -> Redacted<'a> {
        repeat(text, |text| self.in_json(text))
    }

    fn found(&self, text: &[u8]) -> Vec<Finding> {
        let mut found = scan::scan(text);
        self.settings.scan(text, &mut found);
        found.retain(|finding| self.settings.keeps(text, finding));
        found
    }

    fn in_text(&self, text: &[u8]) -> Vec<Finding> {
        let mut found = self.found(text);
        if let Some(again) =
            Again::of(found.iter().map(|finding| (finding, &text[finding.span.clone()])))
        {
            again.find(text, &mut found);
        }
        found
    }

    fn in_json(&self, text: &[u8]) -> Vec<Finding> {
        let parts = json::parts(text);
        let mut found: Vec<Finding> = Vec::new();
        let mut values: Vec<(Finding, Vec<u8>)> = Vec::new();
        for part in &parts {
            match part {
                Part::Text(lines) => {
                    let lines = lines.clone();
                    for finding in self.found(&text[lines.clone()]) {
                        let span = lines.start + finding.span.start..lines.start + finding.span.end;
                        values.push((finding.clone(), text[span.clone()].to_vec()));
                        found.push(Finding { span, ..finding });
                    }
                }
                Part::Json(value) => {
                    for string in json::strings(text, value.clone()) {
                        let spans = string.scan(|text| self.found(text));
                        if !spans.is_empty() {
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
        }
        let Some(again) =
            Again::of(values.iter().map(|(finding, value)| (finding, value.as_slice())))
        else {
            return found;
        };
        for part in &parts {
            match part {
                Part::Text(lines) => {
                    let mut more = Vec::new();
                    again.find(&text[lines.clone()], &mut more);
                    found.extend(more.into_iter().map(|finding| Finding {
                        span: lines.start + finding.span.start..lines.start + finding.span.end,
                        ..finding
                    }));
                }
                Part::Json(value) => {
                    for string in json::strings(text, value.clone()) {
                        let mut more = Vec::new();
                        again.find(&string.decoded, &mut more);
                        if !more.is_empty() {
                            found.extend(string.place(text, more));
                        }
                    }
                }
            }
        }
        found
    }
}

/// Values that are proven secrets, wherever else they stand in the document.
struct Again {
    search: AhoCorasick,
    ids: Vec<scan::Id>,
}

impl Again {
    /// Shorter values, and values that could be words, are not looked for.
    fn of<'v>(found: impl Iterator<Item = (&'v Finding, &'v [u8])>) -> Option<Self> {
        let proven: BTreeMap<&[u8], &Finding> = found
            .filter(|(finding, value)| {
                let classes = gates::Classes::of(value);
                let kinds = [classes.lower, classes.upper, classes.digits, classes.other];
                value.len() <= 1024
                    && (finding.rank <= 2 && value.len() >= 16
                        || gates::random(value, 16)
                        || value.len() >= 8
                            && gates::password(value, true)
                            && kinds.iter().filter(|n| **n > 0).count() >= 3)
            })
            .map(|(finding, value)| (value, finding))
            .collect();
        if proven.is_empty() {
            return None;
        }
        let ids = proven.values().map(|finding| finding.id.clone()).collect();
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(proven.keys())
            .ok()?;
        Some(Self { search, ids })
    }

    fn find(&self, text: &[u8], found: &mut Vec<Finding>) {
        for hit in self.search.find_iter(text) {
            let span = hit.start()..hit.end();
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
fn repeat<'a>(text: &'a [u8], find: impl Fn(&[u8]) -> Vec<Finding>) -> Redacted<'a> {
    let mut bytes = Cow::Borrowed(text);
    let mut counts = BTreeMap::new();
    for _ in 0..PASSES {
        let found = find(&bytes);
        if found.is_empty() {
            break;
        }
        bytes = Cow::Owned(replace(&bytes, found, &mut counts));
    }
    Redacted { bytes, counts }
}

/// Puts a mark in the place of each finding; overlapping findings are one, named by the most specific rule.
fn replace(
    text: &[u8],
    mut found: Vec<Finding>,
    counts: &mut BTreeMap<scan::Id, usize>,
) -> Vec<u8> {
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
    let mut bytes = Vec::with_capacity(text.len());
    let mut kept = 0;
    for finding in merged {
        bytes.extend_from_slice(&text[kept..finding.span.start]);
        bytes.extend_from_slice(text::MARK);
        bytes.push(b':');
        bytes.extend_from_slice(finding.id.as_bytes());
        bytes.push(b']');
        kept = finding.span.end;
        *counts.entry(finding.id).or_default() += 1;
    }
    bytes.extend_from_slice(&text[kept..]);
    bytes
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
    words::ENGLISH.into_iter().chain(services::NAMES.iter().copied()).for_each(&mut add);
    words::CJK.iter().for_each(|(word, _)| add(word));
    for list in [&config.allow, &config.disable] {
        add(&list.len().to_string());
        list.iter().for_each(|entry| add(entry));
    }
    for rule in &config.rules {
        add(&rule.id);
        add(&rule.regex);
        rule.keywords.iter().for_each(|word| add(word));
    }
    hash.digest()
}
