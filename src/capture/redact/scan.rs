//! One pass over the text: the matcher reports keywords, each hit asks only the rules it leads to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::existing_marks::touches_mark;
use super::key_words::{self, SecretKind};
use super::keyword_matcher::KeywordMatcher;
use super::lists;
use super::rules::{self, Anchor, Gate, Rule, TABLE};
use super::surroundings::{backslashes_before, starts_token, tidy, unsplit};
use super::{
    address, assignment, codes, columns, fits, foreign, keys, runs, services, sql, urls, wrapped,
};

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
    Foreign(SecretKind),
    Service,
    Address,
    Pem,
    PemEnd,
    Putty,
    Cookie,
    Code(codes::CodeKind),
}

/// Longer JSON keys are data, not names.
const LONGEST_NAME: usize = 64;

/// How far before its keyword a match of a rule without an anchor may begin.
const AROUND: usize = 128;

/// The rank of what is found because of the secret before it, and proves nothing: the rest of a wrapped value.
pub(super) const GUESSED: u8 = 10;

/// How far before a place a rule may start that looks at it, and how far behind.
pub(super) const REACH: (usize, usize) = (16 * 1024 + 256, 256);

struct Guide {
    matcher: KeywordMatcher,
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
    for word in lists::ENGLISH {
        add(word, Lead::Word(word.len()));
    }
    for end in lists::AFTER_PW {
        add(&format!("pw{end}"), Lead::Word("pw".len()));
    }
    for (kind, words) in [
        (SecretKind::Password, lists::FOREIGN_PASSWORD),
        (SecretKind::Secret, lists::FOREIGN_SECRET),
        (SecretKind::Key, lists::FOREIGN_KEY),
    ] {
        for word in words {
            add(word, Lead::Foreign(kind));
        }
    }
    for name in lists::SERVICES {
        add(name, Lead::Service);
    }
    add("://", Lead::Address);
    for opening in keys::OPENINGS {
        add(opening, Lead::Pem);
    }
    for closing in keys::CLOSINGS {
        add(closing, Lead::PemEnd);
    }
    add(keys::PUTTY, Lead::Putty);
    for (kind, words) in [
        (codes::CodeKind::Pin, lists::PIN),
        (codes::CodeKind::Recovery, lists::RECOVERY_CODE),
        (codes::CodeKind::Seed, lists::SEED),
    ] {
        for word in words {
            add(word, Lead::Code(kind));
        }
    }
    add("cookie:", Lead::Cookie);
    add("cookie\":", Lead::Cookie);
    let leads = guide.iter().map(|(keyword, leads)| (keyword.len(), leads.clone())).collect();
    Guide { matcher: KeywordMatcher::new(guide.into_keys().collect()), leads }
});

/// Every secret a keyword in `part` leads to, in no order, possibly overlapping. `walk` goes on from the part before.
pub(super) fn scan(text: &[u8], part: Range<usize>, walk: &mut Walk) -> Vec<Finding> {
    walk.last = walk.last.max(part.start);
    let mut scan = Scan { text, found: Vec::new(), walk };
    runs::keys(text, part.clone(), |key, id| scan.add(key, id, 2));
    GUIDE.matcher.each(text, part, |start, keyword| {
        if start >= scan.walk.done && scan.worth(start) {
            let (length, leads) = &GUIDE.leads[keyword];
            for lead in leads {
                if start >= scan.walk.done {
                    scan.follow(&(start..start + length), *lead);
                }
            }
        }
    });
    scan.found
}

struct Scan<'t> {
    text: &'t [u8],
    found: Vec<Finding>,
    walk: &'t mut Walk,
}

/// What a scan remembers from one part of a text to the next, to stay linear on hostile text.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// where the last key or token ends: inside it nothing else is looked for
    done: usize,
    /// where the last cookie header ends
    cookies: usize,
    /// the last table
    table: columns::Last,
    /// the last keyword, and how many are in the same unbroken run as it
    last: usize,
    tries: u32,
}

/// Whether the byte can be in a token or tie one to its name, so that a run of them is one word.
pub(super) fn unbroken(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'+' | b'/' | b'=' | b'.' | b'~' | b':' | b'%' | b'-')
}

/// Whether a name (a JSON key, say) holds any word that gives its value a meaning.
pub(super) fn telling(name: &[u8]) -> bool {
    // As it is before its value: `"cookie":`.
    let mut quoted = [b'"'; LONGEST_NAME + 2];
    if name.len() <= LONGEST_NAME {
        quoted[name.len() + 1] = b':';
    }
    let Some(part) = quoted.get_mut(..name.len()).filter(|part| part.len() <= LONGEST_NAME) else {
        return false;
    };
    part.copy_from_slice(name);
    let mut tells = false;
    GUIDE.matcher.each(&quoted, 0..name.len(), |_, _| tells = true);
    tells
}

impl Scan<'_> {
    /// Whether a keyword is worth following: not the hundredth in one word (`token=token=token=...`).
    fn worth(&mut self, start: usize) -> bool {
        const MOST: u32 = 64;
        let goes_on = |byte: &u8| unbroken(*byte) || matches!(byte, b'(' | b'[');
        if !self.text[self.walk.last.min(start)..start].iter().all(goes_on) {
            self.walk.tries = 0;
        }
        self.walk.last = start;
        self.walk.tries += 1;
        self.walk.tries <= MOST
    }

    fn add(&mut self, span: Range<usize>, id: &'static str, rank: u8) {
        let span = unsplit(self.text, span);
        if !span.is_empty() && !touches_mark(self.text, &span) {
            let rest = wrapped::rest(self.text, &span).filter(|_| rank > 0);
            self.found.push(Finding { span, id: Cow::Borrowed(id), rank });
            if let Some(rest) = rest.map(|rest| unsplit(self.text, rest))
                && !touches_mark(self.text, &rest)
            {
                self.found.push(Finding { span: rest, id: Cow::Borrowed(id), rank: GUESSED });
            }
        }
    }

    fn add_all(
        &mut self,
        spans: impl IntoIterator<Item = Range<usize>>,
        id: &'static str,
        rank: u8,
    ) {
        for span in spans {
            self.add(span, id, rank);
        }
    }

    fn follow(&mut self, hit: &Range<usize>, lead: Lead) {
        let text = self.text;
        match lead {
            Lead::Rule(index) => self.rule(hit, index),
            Lead::Word(length) => self.word(hit, length),
            Lead::Foreign(kind) => self.foreign(hit, kind),
            Lead::Service => self.add_all(services::value(text, hit), rules::SERVICE_KEY, 6),
            Lead::Address => self.add_all(urls::password(text, hit), rules::URL_PASSWORD, 4),
            Lead::Pem => self.key(keys::key(text, hit)),
            Lead::PemEnd => self.key(keys::tail(text, hit)),
            Lead::Putty => self.key(keys::putty(text, hit)),
            Lead::Code(kind) => self.add_all(codes::behind(text, hit, kind), rules::CODE, 5),
            Lead::Cookie if hit.start < self.walk.cookies => {}
            Lead::Cookie => {
                let (spans, end) = urls::cookies(text, hit);
                self.walk.cookies = end;
                self.add_all(spans, rules::COOKIE, 4);
            }
        }
    }

    fn rule(&mut self, hit: &Range<usize>, index: usize) {
        let rule = &TABLE[index];
        if let Some(span) = try_rule(self.text, hit, rule) {
            if matches!(rule.anchor, Anchor::Token | Anchor::Whole) {
                self.walk.done = span.end;
            }
            let named = matches!(rule.anchor, Anchor::Keyword | Anchor::Name | Anchor::Search);
            let rank = if named { 3 } else { 2 };
            self.add(span, rule.id, rank);
        }
    }

    fn word(&mut self, hit: &Range<usize>, length: usize) {
        let text = self.text;
        let word = key_words::english(text, &(hit.start..hit.start + length));
        if let Some(word) = word.filter(|_| !touches_mark(text, hit)) {
            self.add_all(assignment::value(text, &word), named(word.kind), 5);
            let column = columns::below(text, &word, &mut self.walk.table);
            self.add_all(column, named(word.kind), 5);
            self.add_all(sql::values(text, &word), rules::SQL, 5);
        }
    }

    fn foreign(&mut self, hit: &Range<usize>, kind: SecretKind) {
        let text = self.text;
        let before = &text[..hit.start];
        let before =
            before.strip_suffix(b" ").or_else(|| before.strip_suffix(b"-")).unwrap_or(before);
        let api = before.len() >= 3 && before[before.len() - 3..].eq_ignore_ascii_case(b"api");
        let kind = if api && kind == SecretKind::Key { SecretKind::Secret } else { kind };
        // A word in Latin letters stands by itself.
        let stands = !text[hit.start].is_ascii()
            || starts_token(text, hit.start)
                && !text.get(hit.end).is_some_and(u8::is_ascii_alphanumeric);
        if stands {
            self.add_all(foreign::value(text, hit.end, kind), named(kind), 5);
        }
    }

    fn key(&mut self, key: Option<Range<usize>>) {
        if let Some(span) = key {
            self.walk.done = span.end;
            for part in keys::literals(self.text, span) {
                self.add(part, rules::PRIVATE_KEY, 0);
            }
        }
    }
}

/// The rule of a value beside a word of this kind.
fn named(kind: SecretKind) -> &'static str {
    if kind == SecretKind::Password { rules::PASSWORD } else { rules::SECRET }
}

/// The span that a rule finds at this hit.
fn try_rule(text: &[u8], hit: &Range<usize>, rule: &Rule) -> Option<Range<usize>> {
    if let Some((offset, byte)) = rule.probe
        && text.get(hit.start + offset) != Some(&byte)
    {
        return None;
    }
    if let Some((word, reach)) = rule.behind {
        let near = &text[hit.start.saturating_sub(reach)..hit.start];
        let at = memchr::memmem::rfind(near, word.as_bytes())?;
        // On the same line, which a backslash at its end continues.
        if memchr::memchr_iter(b'\n', &near[at..])
            .any(|end| near[at..at + end].last() != Some(&b'\\'))
        {
            return None;
        }
    }
    let from = start(text, hit, rule)?;
    let window = &text[from..text.len().min(from + rule.window)];
    let secret = rule.find(window, hit.start - from)?;
    let span = tidy(text, from + secret.start()..from + secret.end());
    let value = &text[span.clone()];
    // After a quote that closed a string of JSON, its syntax goes on.
    if matches!(value.first(), None | Some(b'}' | b']' | b',' | b':'))
        && matches!(rule.anchor, Anchor::Keyword | Anchor::Name | Anchor::Search)
    {
        return None;
    }
    // The label of a host, which may begin like a token.
    let label = matches!(rule.anchor, Anchor::Token | Anchor::Whole)
        && value.iter().all(|byte| address::lower(*byte))
        && address::goes_on_as_host(&text[span.end..]);
    (!label && fits::fits(rule, value)).then_some(span)
}

/// Where the text that a rule matches starts, if what is before this hit lets it match at all.
fn start(text: &[u8], hit: &Range<usize>, rule: &Rule) -> Option<usize> {
    let before = text[..hit.start].last();
    match rule.anchor {
        Anchor::Name if matches!(before, Some(b':')) || !starts_token(text, hit.start) => None,
        // `src/admin/value`: a folder, not a user
        _ if rule.gate == Gate::Pair
            && matches!(before, Some(b'/' | b'.' | b'-' | b'_' | b'@')) =>
        {
            None
        }
        Anchor::Name | Anchor::Keyword => Some(hit.start),
        Anchor::Search => Some(hit.start.saturating_sub(AROUND)),
        Anchor::Token | Anchor::Whole | Anchor::Run(_) => {
            // A token's letters are part of its format; the matcher does not see their case. None ends here.
            let stands = &text[hit.clone()];
            let ends = !matches!(rule.anchor, Anchor::Run(_))
                && !text.get(hit.end).is_some_and(u8::is_ascii_graphic);
            if ends || !rule.keywords.iter().any(|keyword| keyword.as_bytes() == stands) {
                return None;
            }
            match rule.anchor {
                Anchor::Run(back) => Some(run_start(text, hit.start, back, rule)),
                Anchor::Whole if matches!(before, Some(b'-' | b'_')) => None,
                _ => starts_token(text, hit.start).then_some(hit.start),
            }
        }
    }
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
        if !belongs || byte.is_ascii_lowercase() && backslashes_before(text, from - 1) > 0 {
            break;
        }
        from -= 1;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::super::marks::{merge, replace};
    use super::*;

    /// The text without what the rules of `tests/redaction/pasted.toml` find.
    fn pasted(text: &str) -> String {
        let mut found = Vec::new();
        let lower = text.to_ascii_lowercase();
        for rule in &rules::tests::PASTED {
            for keyword in rule.keywords {
                let hits = lower.match_indices(keyword).map(|(at, _)| at..at + keyword.len());
                let spans = hits.filter_map(|hit| try_rule(text.as_bytes(), &hit, rule));
                found.extend(spans.map(|span| Finding {
                    span,
                    id: Cow::Borrowed(rule.id),
                    rank: 3,
                }));
            }
        }
        String::from_utf8(replace(text.as_bytes(), &merge(found)).0).unwrap()
    }

    #[test]
    fn a_rule_of_gitleaks_can_be_pasted() {
        let check = |text: &str, expect: &str| assert_eq!(pasted(text), expect, "{text}");
        let token = ["acme_live_", "k3f9q2mzx8w5b7n4c6v1t0r2"].concat();
        check(
            &format!("use {token} or {token}\n"),
            "use [REDACTED:acme-token] or [REDACTED:acme-token]\n",
        );
        check("acme_live_abababababababababababab", "acme_live_abababababababababababab");
        check("acme_live_short", "acme_live_short");
        let key = "9f70435b84730cd0a1b2c3d4e5f60718";
        check(
            &format!("ORBITLY_API_KEY=\"{key}\"\nport = 1"),
            "ORBITLY_API_KEY=\"[REDACTED:orbitly-key]\"\nport = 1",
        );
        check(
            &format!("prod.orbitly: {key} x, {key}"),
            &format!("prod.orbitly: [REDACTED:orbitly-key] x, {key}"),
        );
        let seed = "MZXW6YTBOI3TK2LJ";
        check(&format!("pager_seed={seed}"), "pager_seed=[REDACTED:pager-seed]");
        check(&format!("pager_serial={seed}"), &format!("pager_serial={seed}"));
        check("pager-seed: AAAAMZXW6YTBOI3TK2", "pager-seed: AAAAMZXW6YTBOI3TK2");
        check("pager_seed=TESTSEEDMZXW6YTB", "pager_seed=TESTSEEDMZXW6YTB");
        let sample = format!("pager_seed={seed} # sample");
        check(&sample, &sample);
    }
}
