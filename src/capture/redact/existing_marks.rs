//! Marks that are in a text already: they are left alone.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::shapes::identifier;
use super::surroundings::run_of;

/// What every mark starts with, ours and those of other tools.
pub(super) const MARK: &[u8] = b"[REDACTED";

static MARKS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK));

/// Whether the span touches a mark that already is in the text. What only begins like one shields nothing.
pub(super) fn touches_mark(text: &[u8], span: &Range<usize>) -> bool {
    let from = span.start.saturating_sub(LONGEST_MARK);
    let near = &text[from..span.end];
    // A look for its first byte costs less than one for a mark.
    if memchr::memchr(MARK[0], near).is_none() {
        return false;
    }
    MARKS
        .find_iter(near)
        .filter_map(|at| Some(from + at..mark_end(text, from + at)?))
        .any(|mark| mark.start < span.end && span.start < mark.end)
}

/// `[REDACTED:`, the longest id of a rule, `]`.
const LONGEST_MARK: usize = 52;

/// Where the mark ends that starts at `at`: `[REDACTED:rule-id]`, or the npm tool's `[REDACTED: secret detected]`.
pub(super) fn mark_end(text: &[u8], at: usize) -> Option<usize> {
    const NPM: &[u8] = b": secret detected]";
    let rest = text[at..].strip_prefix(MARK)?;
    if rest.starts_with(NPM) {
        return Some(at + MARK.len() + NPM.len());
    }
    let id = rest.strip_prefix(b":")?;
    let length = run_of(id, 41, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    // A rule has a name, and nothing else hides after the sign.
    let (id, behind) = id.split_at(length);
    let spelled = id.iter().any(|byte| !byte.is_ascii_uppercase() && !byte.is_ascii_digit());
    let named = (1..=40).contains(&length) && (length < 16 || spelled && identifier(id));
    (named && behind.first() == Some(&b']')).then_some(at + MARK.len() + 1 + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_seen_from_inside_and_from_the_edge() {
        let text = b"x [REDACTED:aws-access-key] y";
        assert!(touches_mark(text, &(3..11)));
        assert!(touches_mark(text, &(12..15)));
        assert!(!touches_mark(text, &(0..1)));
        for open in [
            &b"x [REDACTED\nsecret y"[..],
            b"x [REDACTED by ops, secret]",
            b"x [REDACTED: secret y]",
        ] {
            assert!(!touches_mark(open, &(12..18)));
        }
        assert!(!touches_mark(text, &(28..29)));
    }
}
