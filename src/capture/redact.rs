//! Takes secrets out of text and leaves the words around them.
//!
//! A secret becomes `[REDACTED:rule-id]`, and nothing else changes. Redacting twice is redacting once: marks
//! are left alone, and a pass is repeated until it finds nothing. `spec/redaction.md` has the rules for people.
//!
//! ```
//! use hipocampus::redact::Redactor;
//!
//! let text = format!("key: AKIA{}", "Q7WVTB2XNK4RZ5PD");
//! let redacted = Redactor::standard().redact(text.as_bytes());
//! assert_eq!(&*redacted.bytes, b"key: [REDACTED:aws-access-key]");
//! ```

mod accept;
mod address;
mod assignment;
mod between;
mod codes;
mod columns;
mod config;
mod existing_marks;
mod explicit;
mod fits;
mod foreign;
mod formats;
mod json;
mod key_words;
mod keys;
mod keyword_matcher;
mod large;
mod lines;
mod lists;
mod loose;
mod marks;
pub(crate) mod objects;
mod operators;
mod pairs;
mod proven_values;
pub(crate) mod reader;
mod remember;
mod rules;
mod runs;
mod scan;
mod separator;
mod services;
mod shapes;
mod snowflake;
mod spelling;
mod sql;
mod surroundings;
mod urls;
mod validators;
mod version;
mod wrapped;

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use config::Settings;
pub use config::{CustomRule, RedactionConfig};
use json::JsonPart;
pub use loose::{LetThrough, let_through};
pub use marks::{Proven, Redacted};
use marks::{around, repeat, replace};
use proven_values::Proofs;
pub use remember::Remembered;
pub use rules::ids as rule_ids;
use scan::{Finding, Walk};

/// The rules in force. Making one costs nothing; patterns are compiled when a text asks for them.
#[derive(Debug)]
pub struct Redactor {
    settings: Settings,
    version: u64,
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
        } else if text.len() > large::LARGE {
            large::redact(self, Cow::Borrowed(text), large::PART)
        } else {
            let proven = RefCell::default();
            let redacted =
                repeat(text, |text, changed| self.in_text(text, changed, &mut proven.borrow_mut()));
            Redacted { proven: proven.into_inner(), ..redacted }
        }
    }

    /// The same for a text that is not needed as it was: a large one is in memory a single time.
    pub fn redact_owned(&self, text: Vec<u8>) -> Vec<u8> {
        if text.len() > large::LARGE && !json::holds_any(&text) {
            return large::redact(self, Cow::Owned(text), large::PART).bytes.into_owned();
        }
        match self.redact(&text).bytes {
            Cow::Borrowed(_) => text,
            Cow::Owned(redacted) => redacted,
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

    fn found(&self, text: &[u8], part: Range<usize>, walk: &mut Walk) -> Vec<Finding> {
        let mut found = scan::scan(text, part.clone(), walk);
        self.settings.scan(text, part, &mut found);
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
            found.extend(self.found(text, part, &mut Walk::default()));
        }
        let mut proofs = Proofs::default();
        for finding in &found {
            proofs.add(finding, &text[finding.span.clone()]);
        }
        if let Some(again) = proofs.again() {
            again.find(text, 0..text.len(), &mut found);
            proofs.join(proven);
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
        let mut proofs = Proofs::default();
        let touched = |part: &Range<usize>| {
            changed.is_none_or(|changed| {
                let next = changed.partition_point(|change| change.end < part.start);
                changed.get(next).is_some_and(|change| change.start <= part.end)
            })
        };
        for part in parts.iter().filter(|part| touched(part.span())) {
            match part {
                JsonPart::Text(lines) => {
                    for finding in self.alone(&text[lines.clone()]) {
                        let span = lines.start + finding.span.start..lines.start + finding.span.end;
                        proofs.add(&finding, &text[span.clone()]);
                        found.push(Finding { span, ..finding });
                    }
                }
                JsonPart::Json(value) => self.in_value(text, value, &mut found, &mut proofs),
            }
        }
        found.extend(
            lines::across(text, &parts).into_iter().filter(|f| self.settings.keeps(text, f)),
        );
        if let Some(again) = proofs.again() {
            for part in &parts {
                match part {
                    JsonPart::Text(lines) => {
                        again.find(&text[..lines.end], lines.clone(), &mut found);
                    }
                    JsonPart::Json(value) => {
                        for string in json::strings(text, value.clone()) {
                            let mut more = Vec::new();
                            again.find(&string.decoded, 0..string.decoded.len(), &mut more);
                            found.extend(string.place(text, more));
                        }
                    }
                }
            }
            proofs.join(proven);
        }
        found
    }

    /// What is in the strings of one JSON value.
    fn in_value(
        &self,
        text: &[u8],
        value: &Range<usize>,
        found: &mut Vec<Finding>,
        proofs: &mut Proofs,
    ) {
        // The members of a JWK tell about each other.
        if memchr::memmem::find(&text[value.clone()], b"\"kty\"").is_some() {
            let raw = self.alone(&text[value.clone()]);
            found.extend(raw.into_iter().filter(|f| f.id == rules::JWK).map(|f| {
                let span = value.start + f.span.start..value.start + f.span.end;
                Finding { span, ..f }
            }));
        }
        for string in json::strings(text, value.clone()) {
            let spans = string.scan(|text| self.alone(text));
            for finding in &spans {
                proofs.add(finding, &string.decoded[finding.span.clone()]);
            }
            found.extend(string.place(text, spans));
        }
    }

    /// What is in a text of its own.
    fn alone(&self, text: &[u8]) -> Vec<Finding> {
        self.found(text, 0..text.len(), &mut Walk::default())
    }
}

impl RedactionConfig {
    /// What [`Redactor::version`] will be, without checking or compiling anything.
    pub fn version(&self) -> u64 {
        version::version(self)
    }
}
