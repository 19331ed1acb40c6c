//! One pass over the text: the lookout reports keywords, each hit asks only the rules it leads to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::lookout::Lookout;
use super::rules::{self, Anchor, Gate, Rule, TABLE};
use super::text::{escaped, starts_token, tidy, touches_mark};
use super::words::{self, Kind};
use super::{assignment, gates, keys, services, snowflake, urls};

/// A rule id: from the table, or from the user's configuration.
pub(super) type Id = Cow<'static, str>;

/// A secret in the text.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// its bytes
    pub(super) span: Range<usize>,
    /// the rule that found it
    pub(super) id: Id,
    /// how specific the rule is: the lowest names the mark where findings overlap
    pub(super) rank: u8,
}

/// What a keyword leads to.
#[derive(Debug, Clone, Copy)]
enum Lead {
    Rule(usize),
    /// a key word; how much of the keyword it is
    Word(usize),
    Foreign(Kind),
    Service,
    Address,
    Discord,
    Pem,
    Putty,
    Cookie,
}

/// Longer JSON keys are data, not names.
const LONGEST_NAME: usize = 64;

/// How far before a place a rule may start that looks at it, and how far behind.
pub(super) const REACH: (usize, usize) = (16 * 1024 + 256, 256);

struct Guide {
    lookout: Lookout,
    /// how long each keyword is, and what it leads to
    leads: Vec<(usize, Vec<Lead>)>,
}

/// Made when the first text is scanned; takes well under a millisecond.
static GUIDE: LazyLock<Guide> = LazyLock::new(|| {
    let mut guide: BTreeMap<Vec<u8>, Vec<Lead>> = BTreeMap::new();
    let mut add = |keyword: &str, lead: Lead| {
        guide.entry(keyword.to_ascii_lowercase().into_bytes()).or_default().push(lead);
    };
    for (index, rule) in TABLE.iter().enumerate() {
        for keyword in rule.keywords {
            add(keyword, Lead::Rule(index));
        }
    }
    for word in words::ENGLISH {
        add(word, Lead::Word(word.len()));
    }
    for end in words::AFTER_PW {
        add(&format!("pw{end}"), Lead::Word("pw".len()));
    }
    for (word, kind) in words::CJK {
        add(word, Lead::Foreign(kind));
    }
    for name in services::NAMES {
        add(name, Lead::Service);
    }
    for start in snowflake::starts() {
        add(&start, Lead::Discord);
    }
    add("://", Lead::Address);
    add(keys::OPENING, Lead::Pem);
    add(keys::PUTTY, Lead::Putty);
    add("cookie:", Lead::Cookie);
    add("cookie\":", Lead::Cookie);
    let leads = guide.iter().map(|(keyword, leads)| (keyword.len(), leads.clone())).collect();
    Guide { lookout: Lookout::new(guide.into_keys().collect()), leads }
});

/// Every secret a keyword in `part` leads to, in no order, possibly overlapping.
pub(super) fn scan(text: &[u8], part: Range<usize>) -> Vec<Finding> {
    let mut found = Vec::new();
    // Inside a key or token nothing else is looked for: keeps hostile input linear.
    let mut done = 0;
    GUIDE.lookout.each(text, part, |start, keyword| {
        let (length, leads) = &GUIDE.leads[keyword];
        for lead in leads {
            if start >= done {
                follow(text, &(start..start + length), *lead, &mut found, &mut done);
            }
        }
    });
    found
}

/// Whether a name (a JSON key, say) holds any word that gives its value a meaning.
pub(super) fn telling(name: &[u8]) -> bool {
    let mut quoted = [b'"'; LONGEST_NAME + 1];
    let Some(part) = quoted.get_mut(..name.len()).filter(|part| part.len() <= LONGEST_NAME) else {
        return false;
    };
    part.copy_from_slice(name);
    let mut tells = false;
    GUIDE.lookout.each(&quoted, 0..name.len(), |_, _| tells = true);
    tells
}

fn follow(text: &[u8], hit: &Range<usize>, lead: Lead, found: &mut Vec<Finding>, done: &mut usize) {
    let mut add = |span: Range<usize>, id: &'static str, rank: u8| {
        if !span.is_empty() && !escaped(text, span.start) && !touches_mark(text, &span) {
            found.push(Finding { span, id: Cow::Borrowed(id), rank });
        }
    };
    match lead {
        Lead::Rule(index) => {
            let rule = TABLE[index];
            if let Some(span) = try_rule(text, hit, index) {
                if rule.anchor == Anchor::Token {
                    *done = span.end;
                }
                add(span, rule.id, if rule.anchor == Anchor::Anywhere { 3 } else { 2 });
            }
        }
        Lead::Word(length) => {
            if let Some(word) = words::english(text, &(hit.start..hit.start + length)) {
                if let Some(span) = assignment::value(text, &word) {
                    let id =
                        if word.kind == Kind::Password { rules::PASSWORD } else { rules::SECRET };
                    add(span, id, 5);
                }
            }
        }
        Lead::Foreign(kind) => {
            if let Some(span) = assignment::cjk(text, hit.end, kind) {
                let id = if kind == Kind::Password { rules::PASSWORD } else { rules::SECRET };
                add(span, id, 5);
            }
        }
        Lead::Service => {
            if let Some(span) = services::value(text, hit) {
                add(span, rules::SERVICE_KEY, 6);
            }
        }
        Lead::Address => {
            if let Some(span) = urls::password(text, hit) {
                add(span, rules::URL_PASSWORD, 4);
            }
        }
        Lead::Discord => {
            if let Some(span) = snowflake::token(text, hit) {
                *done = span.end;
                add(span, rules::DISCORD, 2);
            }
        }
        Lead::Pem | Lead::Putty => {
            let key = if matches!(lead, Lead::Pem) {
                keys::key(text, hit)
            } else {
                keys::putty(text, hit)
            };
            if let Some(span) = key {
                *done = span.end;
                for part in keys::literals(text, span) {
                    add(part, rules::PRIVATE_KEY, 0);
                }
            }
        }
        Lead::Cookie => {
            let mut spans = Vec::new();
            urls::cookies(text, hit, &mut spans);
            for span in spans {
                add(span, rules::COOKIE, 4);
            }
        }
    }
}

/// The span rule `index` finds at this hit.
fn try_rule(text: &[u8], hit: &Range<usize>, index: usize) -> Option<Range<usize>> {
    let rule: &Rule = TABLE[index];
    if let Some((offset, byte)) = rule.probe
        && text.get(hit.start + offset) != Some(&byte)
    {
        return None;
    }
    let from = match rule.anchor {
        Anchor::Anywhere => hit.start,
        Anchor::Token | Anchor::Run(_) => {
            // A token's letters are part of its format; the automaton does not see their case.
            let stands = &text[hit.clone()];
            if !rule.keywords.iter().any(|keyword| keyword.as_bytes() == stands) {
                return None;
            }
            match rule.anchor {
                Anchor::Run(back) => run_start(text, hit.start, back, rule),
                _ if starts_token(text, hit.start) => hit.start,
                _ => return None,
            }
        }
    };
    let window = &text[from..text.len().min(from + rule.window)];
    let captures = rules::pattern(index).captures(window)?;
    let secret = captures.get(1).or_else(|| captures.get(0))?;
    let span = tidy(text, from + secret.start()..from + secret.end());
    let value = &text[span.clone()];
    let fits = match rule.gate {
        Gate::Format => !gates::placeholder(value),
        Gate::Random => made(value) || gates::uuid(value),
        Gate::Password => gates::password(value, false),
        Gate::Literal => !gates::placeholder(value) && !gates::code(value),
    };
    fits.then_some(span)
}

/// Random in its last part at least: a prefix of words (`polar_pat_`) is no argument against a token.
fn made(value: &[u8]) -> bool {
    if gates::placeholder(value) {
        return false;
    }
    let body = value
        .iter()
        .enumerate()
        .filter(|(at, byte)| *at < 24 && matches!(byte, b'_' | b'-' | b'.' | b'+'))
        .map(|(at, _)| &value[at + 1..])
        .filter(|body| body.len() >= 8);
    std::iter::once(value).chain(body).any(|body| gates::random(body, 8) && !gates::path(body))
}

/// Where the token around a keyword in its middle starts.
fn run_start(text: &[u8], at: usize, back: usize, rule: &Rule) -> usize {
    // Dots and dashes belong to some tokens and end others; the pattern decides which.
    let plain = !rule.pattern.contains("_.~-");
    let mut from = at;
    while from > 0 && at - from < back {
        let byte = text[from - 1];
        let belongs = byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-')
            || matches!(byte, b'+' | b'/') && rule.pattern.contains("+/")
            || matches!(byte, b'.' | b'~') && !plain;
        if !belongs || byte.is_ascii_lowercase() && escaped(text, from - 1) {
            break;
        }
        from -= 1;
    }
    from
}
