//! The head (YAML frontmatter) and body of a Markdown file: lenient reading, exact one-line edits.
//!
//! Heads are never re-serialised. A value is looked up as a plain `key: value` line first and as YAML
//! second; an edit replaces that one line and leaves every other byte as it was. Of the two sides of a merge that was
//! not finished, the first is read.

use std::borrow::Cow;
use std::ops::Range;

use crate::markdown::conflict;

/// A file cut into its head and its body. Either may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'a> {
    /// the whole file
    bytes: &'a [u8],
    /// where the lines between the two `---` begin
    head_start: usize,
    /// where they end
    head_end: usize,
    /// where the body begins, one blank line after the head left out
    body_start: usize,
    kind: HeadKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeadKind {
    None,
    Closed,
    /// `---` and `key: value` lines of ours, but no second `---`: a file cut short, or a slip of the pen
    Open,
}

impl<'a> Document<'a> {
    /// Cuts a file. Never fails: a file without a head is all body.
    pub fn parse(bytes: &'a [u8]) -> Self {
        let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let headless =
            Self { bytes, head_start: 0, head_end: 0, body_start: 0, kind: HeadKind::None };
        let mut lines = HeadLines { bytes, at: start };
        if lines.next().is_none_or(|line| trim_end(&bytes[line]) != b"---") {
            return headless;
        }
        let head_start = lines.at;
        let mut keys = 0;
        let mut open_end = head_start;
        while let Some(line) = lines.next() {
            let text = trim_end(&bytes[line.clone()]);
            if text == b"---" {
                if !is_head(&bytes[head_start..line.start]) {
                    break;
                }
                let body_start = after_blank_line(bytes, lines.at);
                return Self {
                    bytes,
                    head_start,
                    head_end: line.start,
                    body_start,
                    kind: HeadKind::Closed,
                };
            }
            if open_end == line.start && is_head_line(text, !bytes[line.clone()].ends_with(b"\n")) {
                open_end = lines.at;
                keys += 1;
            }
            // A head is a screenful at most; a rule line at the top of a long log is no head.
            if lines.at - head_start > HEAD_LIMIT {
                break;
            }
        }
        if keys == 0 || !begins_as_ours(&bytes[head_start..open_end]) {
            return headless;
        }
        let body_start = after_blank_line(bytes, open_end);
        Self { bytes, head_start, head_end: open_end, body_start, kind: HeadKind::Open }
    }

    /// What is below the head, without the one blank line after it.
    pub fn body(&self) -> &'a [u8] {
        &self.bytes[self.body_start..]
    }

    /// The file up to its body.
    pub fn above_body(&self) -> &'a [u8] {
        &self.bytes[..self.body_start]
    }

    /// Whether there is a head, closed or not.
    pub fn has_head(&self) -> bool {
        self.kind != HeadKind::None
    }

    /// Whether the head is complete.
    pub fn head_is_closed(&self) -> bool {
        self.kind == HeadKind::Closed
    }

    /// The lines of the head, without the `---`.
    fn head(&self) -> &'a [u8] {
        &self.bytes[self.head_start..self.head_end]
    }

    /// The value of a key as plain text: no quotes, no comment. `None` if the key is absent or its
    /// value is no scalar.
    pub fn value(&self, key: &str) -> Option<Cow<'a, str>> {
        let line = self.line_of(key)?;
        let text = std::str::from_utf8(&self.bytes[line]).ok()?;
        let plain = text[key.len() + 1..].trim();
        let obvious = !plain.is_empty()
            && !plain.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!'])
            && !plain.contains(" #");
        if obvious {
            return Some(Cow::Borrowed(plain));
        }
        // Another line may be no YAML, such as `topics: [auth [project]]`.
        let quoted = |quote: char| plain.strip_prefix(quote)?.strip_suffix(quote);
        let unquoted = quoted('"').or_else(|| quoted('\'')).filter(|text| !text.is_empty());
        self.yaml_value(key).map(Cow::Owned).or(unquoted.map(Cow::Borrowed))
    }

    fn yaml_value(&self, key: &str) -> Option<String> {
        let head: serde_yaml::Value = serde_yaml::from_slice(self.head()).ok()?;
        match head.get(key)? {
            serde_yaml::Value::String(text) => Some(text.clone()),
            serde_yaml::Value::Number(number) => Some(number.to_string()),
            serde_yaml::Value::Bool(truth) => Some(truth.to_string()),
            _ => None,
        }
    }

    /// The line of a key as it stands, for values that are lists. `None` if it is absent or no text.
    pub fn line(&self, key: &str) -> Option<&'a str> {
        std::str::from_utf8(&self.bytes[self.line_of(key)?]).ok()
    }

    /// The file with `key` set to `value`: its line replaced, or a new line after the key of `after` that
    /// comes last, or at the head's end. A file without a head gets one; an open head is closed.
    pub fn with(&self, key: &str, value: &str, after: &[&str]) -> Vec<u8> {
        let eol: &[u8] = if self.head().ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
        let mut out = Vec::with_capacity(self.bytes.len() + key.len() + value.len() + 16);
        let mut line = format!("{key}: {value}").into_bytes();
        line.extend_from_slice(eol);
        match self.kind {
            HeadKind::None => {
                out.extend_from_slice(b"---\n");
                out.extend_from_slice(&line);
                out.extend_from_slice(b"---\n\n");
                out.extend_from_slice(self.bytes);
                return out;
            }
            HeadKind::Closed | HeadKind::Open => {
                let replaced = self.line_of(key).map(|line| self.with_continuation(line));
                let place = replaced.unwrap_or_else(|| {
                    let anchor = after.iter().rev().find_map(|key| self.line_of(key));
                    let at = anchor.map_or(self.head_end, |line| self.with_continuation(line).end);
                    at..at
                });
                out.extend_from_slice(&self.bytes[..place.start]);
                if !out.ends_with(b"\n") {
                    out.extend_from_slice(eol);
                }
                out.extend_from_slice(&line);
                out.extend_from_slice(&self.bytes[place.end..self.head_end]);
            }
        }
        if self.kind == HeadKind::Open {
            if !out.ends_with(b"\n") {
                out.extend_from_slice(eol);
            }
            out.extend_from_slice(b"---");
            out.extend_from_slice(eol);
            out.extend_from_slice(eol);
            out.extend_from_slice(self.body());
        } else {
            out.extend_from_slice(&self.bytes[self.head_end..]);
        }
        out
    }

    /// Where the line of a top-level key stands, line ending included.
    fn line_of(&self, key: &str) -> Option<Range<usize>> {
        HeadLines { bytes: &self.bytes[..self.head_end], at: self.head_start }
            .find(|line| key_of(&self.bytes[line.clone()]) == Some(key.as_bytes()))
    }

    /// A key's line and the indented or `- ` lines that continue its value.
    fn with_continuation(&self, line: Range<usize>) -> Range<usize> {
        let mut end = line.end;
        for next in (HeadLines { bytes: &self.bytes[..self.head_end], at: line.end }) {
            let text = &self.bytes[next.clone()];
            let continues =
                text.starts_with(b" ") || text.starts_with(b"\t") || text.starts_with(b"- ");
            if !continues || trim_end(text).is_empty() {
                break;
            }
            end = next.end;
        }
        line.start..end
    }
}

/// The bytes a head may take. Ours stay far below; more means the `---` was a rule.
const HEAD_LIMIT: usize = 64 * 1024;

/// Byte ranges of lines, line endings included.
struct HeadLines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for HeadLines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
        let line = self.at..self.at + length;
        self.at = line.end;
        Some(line)
    }
}

fn trim_end(line: &[u8]) -> &[u8] {
    line.trim_ascii_end()
}

/// `key` of a `key: value` line that is not indented.
fn key_of(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memchr(b':', line)?;
    let (key, rest) = (&line[..colon], &line[colon + 1..]);
    let word = !key.is_empty()
        && key.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    (word && (rest.is_empty() || rest[0].is_ascii_whitespace())).then_some(key)
}

/// Whether what is between two `---` is a head rather than text between two rules: a line has to be
/// `key: value`, none a Markdown heading, and the whole nothing but keys and their values, or YAML.
fn is_head(text: &[u8]) -> bool {
    let lines = || HeadLines { bytes: text, at: 0 }.map(|line| trim_end(&text[line]));
    // A key in any language, but one word: prose has colons, too.
    let is_key = |line: &[u8]| {
        let word = line.split(|byte| *byte == b':').next().unwrap_or_default();
        let is_word =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 128..);
        let rest = &line[word.len()..];
        !word.is_empty()
            && word.iter().all(is_word)
            && (rest == b":" || rest.starts_with(b": ") || rest.starts_with(b":\t"))
    };
    let belongs = |line: &[u8]| {
        line.is_empty()
            || is_key(line)
            || line[0].is_ascii_whitespace()
            || line.starts_with(b"#")
            || line.starts_with(b"- ")
            || is_of_a_conflict(line)
    };
    lines().any(is_key)
        && !lines().any(|line| line.starts_with(b"##"))
        && (lines().all(belongs)
            || serde_yaml::from_slice(text).is_ok_and(|head: serde_yaml::Value| head.is_mapping()))
}

/// Whether a merge left the line between the keys of its two sides.
fn is_of_a_conflict(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(conflict::is_marker)
}

/// Whether an unclosed head is one of ours, which begin with `type`, or the torn beginning of one.
fn begins_as_ours(head: &[u8]) -> bool {
    head.starts_with(b"type:") || b"type:".starts_with(head)
}

/// Whether a line of an unclosed head still belongs to it: a key, a continuation, or the torn rest of one
/// of either at the end of the file.
fn is_head_line(line: &[u8], torn: bool) -> bool {
    key_of(line).is_some()
        || (!line.is_empty() && line[0].is_ascii_whitespace())
        || (torn && !line.is_empty() && line.iter().all(|b| b.is_ascii_lowercase() || *b == b'-'))
}

fn after_blank_line(bytes: &[u8], at: usize) -> usize {
    match &bytes[at..] {
        [b'\n', ..] => at + 1,
        [b'\r', b'\n', ..] => at + 2,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(file: &str, key: &str) -> Option<String> {
        Document::parse(file.as_bytes()).value(key).map(Cow::into_owned)
    }

    fn body(file: &str) -> &str {
        std::str::from_utf8(Document::parse(file.as_bytes()).body()).unwrap()
    }

    #[test]
    fn values_are_read_leniently() {
        let file = "---\nstatus: \"fixed\"\nperiod: 2026-03 # month\ntopics: auth [project], b\nempty:\nlist:\n  - a\n---\n";
        assert_eq!(value(file, "status").as_deref(), Some("fixed"));
        assert_eq!(value(file, "period").as_deref(), Some("2026-03"));
        assert_eq!(value(file, "topics").as_deref(), Some("auth [project], b"));
        assert_eq!(value(file, "empty"), None);
        assert_eq!(value(file, "list"), None);
        assert_eq!(value(file, "stat"), None);
        assert_eq!(value("---\r\nstatus: fixed\r\n---\r\nx", "status").as_deref(), Some("fixed"));
        assert_eq!(value("status: fixed\n", "status"), None);
        let no_yaml = "---\nstatus: 'fixed'\ntopics: [auth [project], x [user]]\n---\n";
        assert_eq!(value(no_yaml, "status").as_deref(), Some("fixed"));
    }

    #[test]
    fn exactly_one_blank_line_belongs_to_the_head() {
        assert_eq!(body("---\na: b\n---\n\nx\n"), "x\n");
        assert_eq!(body("---\na: b\n---\nx"), "x");
        assert_eq!(body("---\na: b\n---\n\n\nx"), "\nx");
        assert_eq!(body("---\r\na: b\r\n---\r\n\r\nx"), "x");
        assert_eq!(body("---\na: b\n---"), "");
        assert_eq!(body("\u{feff}---\na: b\n---\nx"), "x");
        assert_eq!(body("no head\n---\n"), "no head\n---\n");
    }

    #[test]
    fn text_between_two_rules_is_no_head() {
        fn check(between: &str, is_head: bool) {
            let file = format!("---\n{between}---\n\nrest\n");
            let expect = if is_head { "rest\n" } else { &file };
            assert_eq!(body(&file), expect, "{between:?}");
            let crlf = file.replace('\n', "\r\n");
            let expect = expect.replace('\n', "\r\n");
            assert_eq!(body(&crlf), expect, "{between:?} with CRLF");
            // With a head of ours, either way, every byte of the rest is still there.
            let document = Document::parse(file.as_bytes());
            let edited = document.with("status", "fixed", &["type"]);
            assert_eq!(Document::parse(&edited).value("status").as_deref(), Some("fixed"));
            assert_eq!(body(std::str::from_utf8(&edited).unwrap()), body(&file), "{between:?}");
        }
        check("", false);
        check("\n\n", false);
        check("text\n", false);
        check("## Topics\nauth [project]\n", false);
        check("## Topics\nauth: cookies\n", false);
        check("- a list: of things\n", false);
        check("We decided today: cookies it is\n", false);
        check("Some prose.\nNote: a colon in it\n", false);
        check("Summary: a day\n\nThen prose, at length.\n", false);
        check("see https://example.com/a\n", false);
        check("{a: b}\n", false);
        check("type: daily\n", true);
        check("# a comment\ntype: daily\n\ntopics: [auth [project]]\n", true);
        check("topics:\n- a\n- b\nmood: |\n  fine\n", true);
        check("topics: [a,\nb]\n", true);
        check("type: daily\n<<<<<<< HEAD\nlines: 3\n=======\nlines: 4\n>>>>>>> x\n", true);
        check("제목: 하루\n", true);
    }

    #[test]
    fn an_unclosed_head_ends_where_the_keys_end() {
        assert_eq!(body("---\ntype: daily\nstatus: fix"), "");
        assert_eq!(body("---\ntype: daily\nstat"), "");
        assert_eq!(body("---\ntype: daily\n\n# text\nkey: no\n"), "# text\nkey: no\n");
        assert_eq!(body("---\nprose\n"), "---\nprose\n");
        assert_eq!(body("---\nNote: prose\n"), "---\nNote: prose\n");
        assert_eq!(body("---\ntyp"), "");
        // Text with a rule of its own, below a head that lost its end.
        assert_eq!(body("---\ntype: daily\n\ntext\n---\nmore\n"), "text\n---\nmore\n");
        assert!(!Document::parse(b"---\ntype: daily\n").head_is_closed());
    }

    #[test]
    fn an_edit_changes_one_line() {
        fn check(file: &str, key: &str, expect: &str) {
            let edited = Document::parse(file.as_bytes()).with(key, "v", &["type", "status"]);
            assert_eq!(String::from_utf8(edited).unwrap(), expect, "{file:?}");
        }
        check("---\na: b\nk:   old\nz: 1\n---\nx", "k", "---\na: b\nk: v\nz: 1\n---\nx");
        check("---\nk:\n  - a\n  - b\nz: 1\n---\n", "k", "---\nk: v\nz: 1\n---\n");
        check("---\ntype: t\nz: 1\n---\n\nx", "k", "---\ntype: t\nk: v\nz: 1\n---\n\nx");
        check("---\nz: 1\n---\nx", "k", "---\nz: 1\nk: v\n---\nx");
        check("---\r\nk: 1\r\n---\r\nx\r\n", "k", "---\r\nk: v\r\n---\r\nx\r\n");
        check("x\n", "k", "---\nk: v\n---\n\nx\n");
        check("---\ntype: t\nz: 1\n\nx\n", "k", "---\ntype: t\nk: v\nz: 1\n---\n\nx\n");
        check("---\ntype: t", "k", "---\ntype: t\nk: v\n---\n\n");
    }
}
