//! Bullets that say what kind of thing they tell: `decision: …`, `- [ ] …`.

pub(super) const DECISIONS: &str = "Key Decisions";
pub(super) const COMPLETED: &str = "Tasks Completed";
pub(super) const LESSONS: &str = "Lessons Learned";
pub(super) const OPEN: &str = "Open Items";

/// What a bullet begins with, and the section that it belongs to; they are part of the format.
const KEYS: [(&str, &str); 7] = [
    ("decision", DECISIONS),
    ("decisions", DECISIONS),
    ("outcome", COMPLETED),
    ("work done", COMPLETED),
    ("pending", OPEN),
    ("next", OPEN),
    ("blocked", OPEN),
];

/// What a bullet says.
pub(super) fn bullet(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(['-', '*', '+'])?;
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

/// What an open box of a list says.
pub(super) fn open_box(bullet: &str) -> Option<&str> {
    bullet.strip_prefix("[ ]").map(str::trim)
}

/// The section that a bullet like `decision: …` or `**Outcome:** …` belongs to, and what it says.
pub(super) fn keyed(bullet: &str) -> Option<(&'static str, &str)> {
    let near = bullet.char_indices().take_while(|(at, _)| *at <= 24);
    let (colon, _) = near.into_iter().find(|(_, c)| matches!(c, ':' | '：'))?;
    let key = bullet[..colon].trim_matches(['*', '_', '`', ' ']);
    let (_, section) = KEYS.iter().find(|(known, _)| known.eq_ignore_ascii_case(key))?;
    Some((section, bullet[colon..].trim_start_matches([':', '：', '*', '_', ' ']).trim()))
}

/// The longest label of a bullet, in bytes.
const LABEL: usize = 24;

/// The label of a bullet and what follows it: `- how-to-apply: …`, `- user feedback: …`. At most three plain words.
pub(crate) fn label(line: &str) -> Option<(&str, &str)> {
    let bullet = line.trim_start().strip_prefix(['-', '*'])?.strip_prefix(' ')?;
    let colon = memchr::memchr(b':', &bullet.as_bytes()[..bullet.len().min(LABEL + 3)])?;
    let (label, text) = (&bullet[..colon], &bullet[colon + 1..]);
    if !text.is_empty() && !text.starts_with(' ') {
        return None;
    }
    let framed = |byte: Option<&u8>| matches!(byte, Some(b'*' | b' '));
    let ends = label.as_bytes();
    let label = if framed(ends.first()) || framed(ends.last()) {
        label.trim_matches(['*', ' '])
    } else {
        label
    };
    let plain = label.len() <= LABEL
        && if label.is_ascii() {
            label.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b' ' | b'_'))
        } else {
            label.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | ' ' | '_'))
        }
        && label.bytes().filter(|byte| *byte == b' ').count() < 3;
    plain.then(|| (label, text.trim()))
}
