//! The `redaction` object of `hipocampus.config.json`.

use std::borrow::Cow;
use std::ops::Range;

use regex::bytes::Regex;
use serde::{Deserialize, Serialize};

use super::existing_marks::touches_mark;
use super::objects::objects;
use super::rules;
use super::scan::Finding;
use super::shapes::identifier;

/// What a project changes about redaction. Unknown keys are tolerated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RedactionConfig {
    /// values that are no secrets: exact, or regexes that match the whole value
    pub allow: Vec<String>,
    /// ids of rules that are switched off
    pub disable: Vec<String>,
    /// rules of the project's own
    #[serde(deserialize_with = "objects")]
    pub rules: Vec<CustomRule>,
}

/// A rule of the project's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CustomRule {
    /// what the mark says
    pub id: String,
    /// words of which a line must contain one, in any case; without any, every line is searched
    pub keywords: Vec<String>,
    /// how the secret looks; group 1 is the secret, else the whole match
    pub regex: String,
}

/// How far from its part a line is followed, in bytes.
const FAR: usize = 32 * 1024;

/// The configuration, checked and compiled.
#[derive(Debug, Default)]
pub(super) struct Settings {
    exact: Vec<String>,
    allow: Vec<Regex>,
    disable: Vec<String>,
    custom: Vec<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    id: String,
    keywords: Vec<Vec<u8>>,
    regex: Regex,
}

impl CustomRule {
    /// What is wrong with the id, if anything is.
    fn about_id(&self, place: &str, known: &[&str]) -> Option<String> {
        let id = self.id.as_str();
        let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if !(1..=40).contains(&id.len()) || !id.bytes().all(fits) {
            return Some(format!("{place} must be 1 to 40 letters, digits, `-` or `_`"));
        }
        let is_known = known.contains(&id);
        is_known.then(|| format!("{place}: `{id}` is a built-in rule, choose another id"))
    }
}

impl Settings {
    /// Checks everything and reports every mistake, not just the first.
    pub(super) fn new(config: &RedactionConfig) -> Result<Self, Vec<String>> {
        let mut problems = Vec::new();
        let known = rules::ids();
        let mut compile = |place: String, pattern: &str| {
            Regex::new(pattern)
                .map_err(|error| {
                    problems.push(format!(
                        "`{place}` is no valid regex: {}",
                        last_line(&error.to_string())
                    ));
                })
                .ok()
        };
        let allow = config
            .allow
            .iter()
            .enumerate()
            .filter_map(|(i, pattern)| {
                compile(format!("redaction.allow[{i}]"), &format!(r"\A(?:{pattern})\z"))
            })
            .collect();
        let mut custom = Vec::new();
        for (i, rule) in config.rules.iter().enumerate() {
            if let Some(regex) = compile(format!("redaction.rules[{i}].regex"), &rule.regex) {
                let keywords =
                    rule.keywords.iter().map(|word| word.to_lowercase().into_bytes()).collect();
                custom.push(Compiled { id: rule.id.clone(), keywords, regex });
            }
        }
        for (i, rule) in config.rules.iter().enumerate() {
            problems.extend(rule.about_id(&format!("`redaction.rules[{i}].id`"), &known));
            if rule.regex.is_empty() {
                problems.push(format!("`redaction.rules[{i}].regex` is missing"));
            } else if custom.iter().any(|c| c.id == rule.id && c.regex.is_match(b"")) {
                problems.push(format!("`redaction.rules[{i}].regex` matches the empty text"));
            }
        }
        for (i, id) in config.disable.iter().enumerate() {
            let own = config.rules.iter().any(|rule| rule.id == *id);
            if !own && !known.contains(&id.as_str()) {
                // What is no name may be a secret that was put into the wrong list.
                let name =
                    if is_name(id) { format!(" `{id}`") } else { " of this name".to_owned() };
                let near = suggestion(id, &known);
                problems.push(format!("`redaction.disable[{i}]`: there is no rule{name}{near}"));
            }
        }
        if problems.is_empty() {
            let exact = config.allow.clone();
            Ok(Self { exact, allow, disable: config.disable.clone(), custom })
        } else {
            Err(problems)
        }
    }

    /// Whether a finding stands: its rule is on and its value is not allowed.
    pub(super) fn keeps(&self, text: &[u8], finding: &Finding) -> bool {
        let value = &text[finding.span.clone()];
        !self.disable.iter().any(|id| *id == finding.id)
            && !self.exact.iter().any(|allowed| allowed.as_bytes() == value)
            && !self.allow.iter().any(|regex| regex.is_match(value))
    }

    /// What the project's own rules find on the lines of a part. Of lines without end only what is near it is looked
    /// at.
    pub(super) fn scan(&self, text: &[u8], part: Range<usize>, found: &mut Vec<Finding>) {
        if self.custom.is_empty() {
            return;
        }
        let near = part.start.saturating_sub(FAR)..text.len().min(part.end.saturating_add(FAR));
        let before = memchr::memrchr(b'\n', &text[near.start..part.start]);
        let behind = memchr::memchr(b'\n', &text[part.end..near.end]);
        let from = before.map_or(near.start, |at| near.start + at + 1);
        let to = behind.map_or(near.end, |at| part.end + at + 1);
        for rule in &self.custom {
            let mut start = from;
            while !rule.keywords.is_empty() && start < to {
                let end =
                    memchr::memchr(b'\n', &text[start..to]).map_or(to, |length| start + length + 1);
                let line = text[start..end].to_ascii_lowercase();
                if rule.keywords.iter().any(|word| memchr::memmem::find(&line, word).is_some()) {
                    rule.matches(text, start..end, found);
                }
                start = end;
            }
            if rule.keywords.is_empty() {
                rule.matches(text, from..to, found);
            }
        }
    }
}

impl Compiled {
    fn matches(&self, text: &[u8], part: Range<usize>, found: &mut Vec<Finding>) {
        for captures in self.regex.captures_iter(&text[part.clone()]) {
            let Some(secret) = captures.get(1).or_else(|| captures.get(0)) else { continue };
            let span = super::surroundings::inside_json(
                text,
                part.start + secret.start()..part.start + secret.end(),
            );
            if !span.is_empty() && !touches_mark(text, &span) {
                found.push(Finding { span, id: Cow::Owned(self.id.clone()), rank: 1 });
            }
        }
    }
}

/// The line of a regex error that says what is wrong.
fn last_line(error: &str) -> &str {
    error.lines().last().unwrap_or(error).trim_start_matches("error: ")
}

/// Words with dashes, as rules are called.
fn is_name(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=40).contains(&id.len()) && id.bytes().all(plain) && identifier(id.as_bytes())
}

/// `, did you mean ...` for an id that is nearly right.
fn suggestion(id: &str, known: &[&str]) -> String {
    let near = |other: &&&str| {
        other.contains(id)
            || id.contains(**other)
            || other.split('-').next() == id.split('-').next()
    };
    known.iter().find(near).map_or_else(String::new, |other| format!(", did you mean `{other}`"))
}

#[cfg(test)]
mod tests {
    use super::super::Redactor;
    use super::*;

    fn read(json: &str) -> RedactionConfig {
        serde_json::from_str(json).expect("a config")
    }

    fn redact(json: &str, text: &str) -> String {
        let redactor = Redactor::from_config(&read(json)).expect("valid");
        String::from_utf8(redactor.redact(text.as_bytes()).bytes.into_owned()).expect("text")
    }

    #[test]
    fn unknown_keys_and_missing_ones_are_tolerated() {
        assert_eq!(read("{}"), RedactionConfig::default());
        assert_eq!(read(r#"{"allow":["a"],"mode":"soft"}"#).allow, ["a"]);
    }

    #[test]
    fn allowed_values_stay() {
        let text = "password: Tr0ub4dor&3x, password: demo-1234";
        let both = "password: [REDACTED:password], password: [REDACTED:password]";
        assert_eq!(redact("{}", text), both);
        assert_eq!(redact(r#"{"allow":["Tr0ub4dor&3x","demo-[0-9]+"]}"#, text), text);
        assert_eq!(redact(r#"{"allow":["demo"]}"#, text), both);
    }

    #[test]
    fn rules_can_be_switched_off() {
        let text = "password: Tr0ub4dor&3x";
        assert_eq!(redact(r#"{"disable":["password"]}"#, text), text);
    }

    #[test]
    fn own_rules_need_one_of_their_keywords_on_the_line() {
        let rule =
            r#"{"rules":[{"id":"badge","keywords":["Badge"],"regex":"([A-Z]{4}-[0-9]{4})"}]}"#;
        assert_eq!(
            redact(rule, "the BADGE is ABCD-1234\nthe code is ABCD-1235"),
            "the BADGE is [REDACTED:badge]\nthe code is ABCD-1235"
        );
        let always = r#"{"rules":[{"id":"badge","regex":"[A-Z]{4}-[0-9]{4}"}]}"#;
        assert_eq!(redact(always, "{\"a\":\"x ABCD-1234\"}"), "{\"a\":\"x [REDACTED:badge]\"}");
        let greedy = always.replace("[A-Z]{4}", ".B");
        assert_eq!(redact(&greedy, "log: x\\nB-1234"), "log: x\\n[REDACTED:badge]");
    }

    #[test]
    fn every_mistake_is_reported_with_its_place() {
        let config = read(
            r#"{"allow":["ok","("],"disable":["jwt","aws-acces-key","mine"],
                "rules":[{"id":"mine","regex":"["},{"id":"jwt","regex":"x"},{"id":"a b","regex":"x"},{"id":"empty","regex":"x*"},{"id":"none"}]}"#,
        );
        let problems = Redactor::from_config(&config).expect_err("mistakes");
        let places = [
            "redaction.allow[1]",
            "redaction.rules[0].regex",
            "redaction.rules[1].id",
            "redaction.rules[2].id",
            "redaction.rules[3].regex",
            "redaction.rules[4].regex",
            "redaction.disable[1]",
        ];
        assert_eq!(problems.len(), places.len(), "{problems:#?}");
        for (problem, place) in problems.iter().zip(places) {
            assert!(problem.starts_with(&format!("`{place}")), "{problem}");
        }
        assert!(problems[6].ends_with("did you mean `aws-access-key`"), "{}", problems[6]);
    }

    #[test]
    fn the_version_follows_the_configuration() {
        let version = |json: &str| Redactor::from_config(&read(json)).expect("valid").version();
        assert_eq!(version("{}"), Redactor::standard().version());
        let all = [
            version("{}"),
            version(r#"{"allow":["a"]}"#),
            version(r#"{"disable":["jwt"]}"#),
            version(r#"{"rules":[{"id":"x","regex":"y"}]}"#),
        ];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[index + 1..].contains(one));
        }
    }
}
