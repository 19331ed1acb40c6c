//! The lines that a merge of git leaves where two sides disagree.

use std::borrow::Cow;

/// Whether a line is one of them: `<<<<<<< ours`, `||||||| base`, `=======`, `>>>>>>> theirs`. Both sides of a conflict
/// in a log are entries; these lines are passed over.
pub(crate) fn is_marker(line: &str) -> bool {
    side(line).is_some()
}

/// Whose lines follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Ours,
    Base,
    Theirs,
}

/// What begins below a marker.
fn side(line: &str) -> Option<Side> {
    // Asked of every line, so the usual answer comes first.
    let side = match line.as_bytes().first()? {
        b'<' => Side::Ours,
        b'|' => Side::Base,
        b'=' => Side::Theirs,
        b'>' => Side::Both,
        _ => return None,
    };
    let (mark, rest) = line.trim_end_matches(['\r', '\n']).split_at_checked(7)?;
    let repeated = mark.bytes().all(|byte| byte == line.as_bytes()[0]);
    let alone = match side {
        Side::Theirs => rest.trim_end().is_empty(),
        _ => rest.is_empty() || rest.starts_with(' '),
    };
    (repeated && alone).then_some(side)
}

/// Whether a text has a whole conflict in it: its first line, the line between the sides, its last line.
pub(crate) fn is_in(text: &str) -> bool {
    // Asked of every node.
    if memchr::memmem::find(text.as_bytes(), b"<<<<<<<").is_none() {
        return false;
    }
    let mut wanted = [Side::Ours, Side::Theirs, Side::Both].into_iter().peekable();
    for line in crate::text::lines(text) {
        if side(line).is_some() && side(line) == wanted.peek().copied() {
            wanted.next();
        }
    }
    wanted.next().is_none()
}

/// The text as each of the two sides had it, where they disagree; elsewhere as it is.
pub(crate) fn sides(text: &str) -> [String; 2] {
    let (mut ours, mut theirs) = (String::new(), String::new());
    let mut now = Side::Both;
    for line in text.split_inclusive('\n') {
        match side(line) {
            Some(Side::Ours) if now == Side::Both => now = Side::Ours,
            Some(Side::Base) if now == Side::Ours => now = Side::Base,
            Some(Side::Theirs) if matches!(now, Side::Ours | Side::Base) => now = Side::Theirs,
            Some(Side::Both) if now == Side::Theirs => now = Side::Both,
            _ => {
                if matches!(now, Side::Both | Side::Ours) {
                    ours.push_str(line);
                }
                if matches!(now, Side::Both | Side::Theirs) {
                    theirs.push_str(line);
                }
            }
        }
    }
    [ours, theirs]
}

/// The same of bytes that may be no UTF-8. A text without a whole conflict in it is its own only side.
pub(crate) fn sides_of(bytes: &[u8]) -> Vec<Cow<'_, [u8]>> {
    if memchr::memmem::find(bytes, b"<<<<<<<").is_none() {
        return vec![Cow::Borrowed(bytes)];
    }
    // Every byte becomes a character and back again: what tells a marker is ASCII.
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    if !is_in(&text) {
        return vec![Cow::Borrowed(bytes)];
    }
    let back = |side: &String| side.chars().filter_map(|c| u8::try_from(c).ok()).collect();
    sides(&text).iter().map(|side| Cow::Owned(back(side))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_words() {
        for line in ["<<<<<<< HEAD", "<<<<<<<", "||||||| 3f2a", "=======", "=======\r", ">>>>>>> x"]
        {
            assert!(is_marker(line), "{line}");
        }
        for line in
            ["<<<<<<<HEAD", "<<<<<<", "========", "======= x", " =======", "||| a", "", "=="]
        {
            assert!(!is_marker(line), "{line}");
        }
    }

    #[test]
    fn each_side_is_read_as_it_was() {
        let text = "a\n<<<<<<< HEAD\nb\n||||||| base\nold\n=======\nc\n>>>>>>> x\nd\n=======\n";
        assert!(is_in(text));
        assert_eq!(sides(text), ["a\nb\nd\n=======\n", "a\nc\nd\n=======\n"].map(str::to_owned));
        assert!(!is_in("a\n<<<<<<< HEAD\nb\n"));
        assert!(!is_in("=======\n>>>>>>> x\n"));
        assert_eq!(sides("a\nb"), ["a\nb", "a\nb"].map(str::to_owned));
        let bytes = b"<<<<<<< a\n\xff\n=======\n\xc3\xa9\n>>>>>>> b\n";
        let both = sides_of(bytes);
        assert_eq!(
            both.iter().map(AsRef::as_ref).collect::<Vec<&[u8]>>(),
            [&b"\xff\n"[..], b"\xc3\xa9\n"]
        );
        assert_eq!(sides_of(b"<<<<<<< a\n").len(), 1);
    }
}
