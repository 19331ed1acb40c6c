//! Texts of many megabytes, in place and part by part: findings of one part at a time, and one copy of the text.
//!
//! Rules look a little way before and after the part they are asked about, so what was found is replaced only where
//! they will not look again. Marks may be longer than what they replace; what has no room yet waits in a queue.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use super::marks::{self, PASSES};
use super::proven_values::{Proofs, ProvenValues};
use super::scan::{Finding, REACH, Walk};
use super::{Proven, Redacted, Redactor};

/// How much is looked at before something is replaced, in bytes.
pub(super) const PART: usize = 1024 * 1024;

/// Texts up to this size are looked at as a whole, in bytes.
pub(super) const LARGE: usize = 4 * PART;

/// How far before its part a rule looks, and farther than a finding may begin before it, in bytes.
const BEFORE: usize = 64 * 1024;

/// Redacts a text that is no JSON.
pub(super) fn redact<'a>(rules: &Redactor, text: Cow<'a, [u8]>, part: usize) -> Redacted<'a> {
    let mut all = Redacted { bytes: text, ..Redacted::default() };
    let mut proven = Proven::new();
    let mut changed: Option<Vec<Range<usize>>> = None;
    for _ in 0..PASSES {
        let mut proofs = Proofs::default();
        let mut walk = Walk::default();
        let around = marks::around(&all.bytes, changed.as_deref());
        let mut pass = Pass::over(std::mem::take(&mut all.bytes), Vec::new());
        pass.run(
            &cut(around, part),
            |text, part, found| {
                found.extend(rules.found(text, part, &mut walk));
            },
            |finding, value| {
                proofs.add(finding, value);
                *all.counts.entry(finding.id.clone()).or_default() += 1;
            },
        );
        let End { text, marks: made, .. } = pass.end();
        all.bytes = text;
        if made.is_empty() {
            break;
        }
        let made = match proofs.again() {
            Some(again) => once_more(&again, &mut all, made, part),
            None => made,
        };
        proofs.join(&mut proven);
        changed = Some(made);
    }
    Redacted { proven, ..all }
}

/// Takes the proven values wherever else they stand. Tells where marks stand now, those of before among them.
fn once_more(
    again: &ProvenValues,
    all: &mut Redacted<'_>,
    made: Vec<Range<usize>>,
    part: usize,
) -> Vec<Range<usize>> {
    let whole = std::iter::once(0..all.bytes.len()).collect();
    let mut pass = Pass::over(std::mem::take(&mut all.bytes), made);
    let find = |text: &[u8], part: Range<usize>, found: &mut Vec<Finding>| {
        again.find(text, part, found);
    };
    pass.run(&cut(whole, part), find, |finding, _| {
        *all.counts.entry(finding.id.clone()).or_default() += 1;
    });
    let End { text, marks, mut moved } = pass.end();
    all.bytes = text;
    moved.extend(marks);
    moved.sort_unstable_by_key(|mark| mark.start);
    moved
}

/// Cuts ranges into pieces that are no longer than a part.
fn cut(ranges: Vec<Range<usize>>, part: usize) -> Vec<Range<usize>> {
    let pieces = |range: Range<usize>| {
        let end = range.end;
        range.step_by(part).map(move |from| from..end.min(from.saturating_add(part)))
    };
    ranges.into_iter().flat_map(pieces).collect()
}

/// One pass over a text, which is read ahead of where it is written.
struct Pass<'a> {
    text: Cow<'a, [u8]>,
    /// up to where it is read and needed no more
    read: usize,
    /// up to where the result is in it
    written: usize,
    /// what comes after that and has no room yet
    waiting: VecDeque<u8>,
    /// where marks are in the result; near ones are one
    marks: Vec<Range<usize>>,
    /// where the marks of a pass before begin and end in the text, in order
    carried: std::iter::Peekable<std::vec::IntoIter<usize>>,
    /// the same in the result
    moved: Vec<usize>,
}

impl<'a> Pass<'a> {
    fn over(text: Cow<'a, [u8]>, carried: Vec<Range<usize>>) -> Self {
        let places: Vec<_> = carried.into_iter().flat_map(|mark| [mark.start, mark.end]).collect();
        Self {
            text,
            read: 0,
            written: 0,
            waiting: VecDeque::new(),
            marks: Vec::new(),
            carried: places.into_iter().peekable(),
            moved: Vec::new(),
        }
    }

    /// Replaces what `find` finds in the parts, and shows each finding and its value to `see`.
    fn run(
        &mut self,
        parts: &[Range<usize>],
        mut find: impl FnMut(&[u8], Range<usize>, &mut Vec<Finding>),
        mut see: impl FnMut(&Finding, &[u8]),
    ) {
        let mut found = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            find(&self.text, part.clone(), &mut found);
            found.retain(|finding: &Finding| finding.span.start >= self.read);
            found = marks::merge(found);
            let next = parts.get(index + 1).map_or(self.text.len(), |next| next.start);
            let limit = if index + 1 < parts.len() { next.saturating_sub(BEFORE) } else { next };
            let ready = found.iter().take_while(|finding| finding.span.end <= limit).count();
            for finding in found.drain(..ready) {
                see(&finding, &self.text[finding.span.clone()]);
                self.replace(&finding);
            }
        }
    }

    fn replace(&mut self, finding: &Finding) {
        self.keep(finding.span.start);
        let start = self.written + self.waiting.len();
        self.waiting.extend(marks::mark(finding));
        self.read = finding.span.end;
        let end = self.written + self.waiting.len();
        while self.carried.next_if(|place| *place < self.read).is_some() {
            self.moved.push(end);
        }
        self.drain();
        match self.marks.last_mut() {
            Some(last) if start - last.end <= REACH.0 => last.end = end,
            _ => self.marks.push(start..end),
        }
    }

    /// Takes over the text up to `end` as it is.
    fn keep(&mut self, end: usize) {
        let result = self.written + self.waiting.len();
        while let Some(place) = self.carried.next_if(|place| *place <= end) {
            self.moved.push(result + place.saturating_sub(self.read));
        }
        if self.waiting.is_empty() {
            if self.written < self.read {
                self.text.to_mut().copy_within(self.read..end, self.written);
            }
            self.written += end - self.read;
            self.read = end;
            return;
        }
        while self.read < end {
            let to = end.min(self.read + PART);
            self.waiting.extend(&self.text[self.read..to]);
            self.read = to;
            self.drain();
        }
    }

    /// Moves what waits to where the text is needed no more.
    fn drain(&mut self) {
        let room = (self.read - self.written).min(self.waiting.len());
        let (first, second) = self.waiting.as_slices();
        let text = self.text.to_mut();
        let one = first.len().min(room);
        text[self.written..self.written + one].copy_from_slice(&first[..one]);
        text[self.written + one..self.written + room].copy_from_slice(&second[..room - one]);
        self.written += room;
        self.waiting.drain(..room);
    }

    fn end(mut self) -> End<'a> {
        if self.marks.is_empty() {
            self.moved.extend(&mut self.carried);
        } else {
            self.keep(self.text.len());
            let text = self.text.to_mut();
            text.truncate(self.written);
            text.reserve_exact(self.waiting.len());
            text.extend(self.waiting);
            text.shrink_to_fit();
        }
        let moved = self.moved.chunks_exact(2).map(|ends| ends[0]..ends[1]).collect();
        End { text: self.text, marks: self.marks, moved }
    }
}

/// What a pass leaves.
struct End<'a> {
    text: Cow<'a, [u8]>,
    marks: Vec<Range<usize>>,
    /// where those of the pass before stand now
    moved: Vec<Range<usize>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts are as long as rules look back at the least.
    const SMALL: usize = 160 * 1024;

    fn both(text: &[u8]) -> (Redacted<'_>, Redacted<'_>) {
        let rules = Redactor::standard();
        (rules.redact(text), redact(&rules, Cow::Borrowed(text), SMALL))
    }

    fn value(seed: &mut u64, length: usize) -> String {
        const LETTERS: &[u8] = b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
        let mut letter = || {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(LETTERS[usize::try_from(*seed >> 33).unwrap_or(0) % LETTERS.len()])
        };
        (0..length).map(|_| letter()).collect()
    }

    /// Names with secrets after them, shorter than their marks or longer, with words between, on one line.
    fn text(length: usize, of_value: usize) -> Vec<u8> {
        let mut seed = 7;
        let mut text = String::new();
        while text.len() < length {
            text.push_str("then we went on with ");
            text.extend(["DB_PASSWORD=", &value(&mut seed, of_value), " and "]);
        }
        text.into_bytes()
    }

    #[test]
    fn parts_give_what_the_whole_gives() {
        for length in [8, 40, 300] {
            let text = text(5 * SMALL, length);
            let (whole, parts) = both(&text);
            assert_eq!(whole.counts, parts.counts, "values of {length}");
            assert!(whole.bytes == parts.bytes, "values of {length}");
            assert!(parts.counts.values().sum::<usize>() > 2000);
        }
    }

    #[test]
    fn a_secret_on_a_cut_goes_whole_and_one_proven_late_goes_everywhere() {
        let mut seed = 3;
        let (sure, key) = (value(&mut seed, 20), value(&mut seed, 64));
        for shift in 0..40 {
            let mut text = format!("x {sure} y\n").into_bytes();
            text.resize(SMALL - shift, b' ');
            text.extend_from_slice(format!("password: {sure} z\n").as_bytes());
            text.resize(3 * SMALL - 20 - shift, b'.');
            let pem =
                format!("\n-----BEGIN {0}-----\n{key}\n{key}\n-----END {0}-----\n", "PRIVATE KEY");
            text.extend_from_slice(pem.as_bytes());
            text.resize(5 * SMALL, b' ');
            let (whole, parts) = both(&text);
            assert!(whole.bytes == parts.bytes, "{shift}");
            assert_eq!(parts.counts, [("password".into(), 2), ("private-key".into(), 1)].into());
            assert!(parts.proven.contains_key(sure.as_bytes()));
            let again = both(&parts.bytes).1;
            assert!(again.counts.is_empty());
        }
    }

    #[test]
    fn a_text_without_secrets_is_not_copied() {
        let text = vec![b'a'; 3 * SMALL];
        assert!(matches!(both(&text).1.bytes, Cow::Borrowed(_)));
    }
}
