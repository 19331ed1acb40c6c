//! Merging texts line by line against the one that both were made from.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// What becomes of lines that both sides changed, each in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnBothSides {
    /// the text cannot be merged
    Refuse,
    /// both stand, one below the other, in an order that depends on nothing but their words
    Keep,
}

/// The text in which each side's changes are made. Without a common text, what the sides have in common stands for it.
/// `None` if both changed the same lines and that is not to be.
pub(super) fn merge(
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
    both: OnBothSides,
) -> Option<Vec<u8>> {
    let (ours, theirs) = (lines(ours), lines(theirs));
    let base = base.map_or_else(|| common(&ours, &theirs), lines);
    let (in_ours, in_theirs) = (places(&base, &ours), places(&base, &theirs));
    let mut merged = Vec::new();
    let (mut from, mut from_ours, mut from_theirs) = (0, 0, 0);
    for at in 0..=base.len() {
        let found = match (in_ours.get(at), in_theirs.get(at)) {
            (None, _) => Some((ours.len(), theirs.len())),
            (Some(Some(ours)), Some(Some(theirs))) => Some((*ours, *theirs)),
            _ => None,
        };
        let Some((to_ours, to_theirs)) = found else { continue };
        let was = &base[from..at];
        let (one, other) = (&ours[from_ours..to_ours], &theirs[from_theirs..to_theirs]);
        if one == other || other == was {
            merged.extend_from_slice(one);
        } else if one == was {
            merged.extend_from_slice(other);
        } else if both == OnBothSides::Refuse {
            return None;
        } else {
            let (first, second) = if one <= other { (one, other) } else { (other, one) };
            merged.extend_from_slice(first);
            merged.extend(second.iter().filter(|line| !first.contains(line)));
        }
        merged.extend(base.get(at));
        (from, from_ours, from_theirs) = (at + 1, to_ours + 1, to_theirs + 1);
    }
    Some(put_together(&merged))
}

fn put_together(lines: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::new();
    for line in lines {
        if !text.is_empty() && !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        text.extend_from_slice(line);
    }
    text
}

/// Lines with their ends; the last one may lack its own.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Where each line of a text is in another, if it does.
fn places(base: &[&[u8]], side: &[&[u8]]) -> Vec<Option<usize>> {
    let mut places = vec![None; base.len()];
    for op in capture_diff_slices(Algorithm::Myers, base, side) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for at in 0..len {
                places[old_index + at] = Some(new_index + at);
            }
        }
    }
    places
}

/// The lines that two texts have in common, in their order; the same whichever comes first.
fn common<'a>(a: &[&'a [u8]], b: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    let places = places(a, b);
    a.iter().zip(places).filter(|(_, place)| place.is_some()).map(|(line, _)| *line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_both_sides_are_made() {
        #[track_caller]
        fn check(base: &str, ours: &str, theirs: &str, expect: Option<&str>, kept: &str) {
            let text = |text: &str| text.replace('|', "\n").into_bytes();
            let (base, ours, theirs) = (text(base), text(ours), text(theirs));
            for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
                let merged = merge(Some(&base), ours, theirs, OnBothSides::Refuse);
                assert_eq!(merged, expect.map(text));
                let merged = merge(Some(&base), ours, theirs, OnBothSides::Keep);
                assert_eq!(merged, Some(text(kept)));
            }
        }
        check("a|b|c|", "a|x|b|c|", "a|b|c|y|", Some("a|x|b|c|y|"), "a|x|b|c|y|");
        check("a|b|c|", "a|c|", "a|b|c|d|", Some("a|c|d|"), "a|c|d|");
        check("a|b|", "a|x|b|", "a|x|b|", Some("a|x|b|"), "a|x|b|");
        check("a|b|", "a|x|", "a|y|", None, "a|x|y|");
        check("", "x|", "y|", None, "x|y|");
        check("a|b|", "a|x|b|z", "a|y|b|", None, "a|x|y|b|z");
    }

    #[test]
    fn without_a_common_text_what_both_have_stands_for_it() {
        let merged = merge(None, b"a\nx\nb\n", b"a\nb\ny\n", OnBothSides::Keep).unwrap();
        assert_eq!(merged, b"a\nx\nb\ny\n");
        assert_eq!(merge(None, b"a\nb\ny\n", b"a\nx\nb\n", OnBothSides::Keep).unwrap(), merged);
    }
}
