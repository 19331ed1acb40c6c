//! Values that a text proves to be secrets, taken wherever else they are in it.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::existing_marks::touches_mark;
use super::marks::Proven;
use super::scan::{Finding, GUESSED, Id};
use super::surroundings::{is_word, starts_token};
use super::{rules, spelling, validators};

/// How many values of one text are looked for again: one with more secrets is a dump, and the automaton for all of them
/// would cost seconds and memory without bound.
const MOST: usize = 4096;

/// Ranks of formats, and of the project's own rules.
const FORMATS: u8 = 2;

/// The longest value that is looked for again, in bytes.
pub(super) const LONGEST: usize = 1024;

/// The values that a text proves. Of very many those of the most specific rules stay, and of these the last in the
/// text.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    /// what rules for formats found and what others did, to be looked at in the end: in a dump that is cheaper
    found: [VecDeque<(Vec<u8>, Finding)>; 2],
    values: BTreeMap<Vec<u8>, Id>,
}

impl Proofs {
    /// Takes a value that a rule found.
    pub(super) fn add(&mut self, finding: &Finding, value: &[u8]) {
        let found = &mut self.found[usize::from(finding.rank > FORMATS)];
        if value.len() <= LONGEST {
            found.push_back((value.to_vec(), finding.clone()));
        }
        if found.len() > 2 * MOST {
            found.pop_front();
        }
    }

    fn prove(&mut self) {
        for (value, finding) in self.found.iter_mut().flat_map(|found| found.drain(..).rev()) {
            if self.values.len() < MOST && proves(&finding, &value) {
                self.values.entry(value).or_insert(finding.id);
            }
        }
    }

    /// What finds them, if there are any.
    pub(super) fn again(&mut self) -> Option<ProvenValues> {
        self.prove();
        if self.values.is_empty() {
            return None;
        }
        let search = ValueMatcher::of(&self.values)?;
        Some(ProvenValues { search, ids: self.values.values().cloned().collect() })
    }

    /// Adds them to those of the passes before.
    pub(super) fn join(self, all: &mut Proven) {
        all.extend(self.values);
    }
}

/// Values that are proven secrets, wherever else they are in the document.
pub(super) struct ProvenValues {
    search: ValueMatcher,
    ids: Vec<Id>,
}

/// What finds values. Most texts have one, and it is made for one text, so what it costs to make counts for more than a
/// faster walk.
enum ValueMatcher {
    One(Vec<u8>),
    Several(AhoCorasick),
}

impl ValueMatcher {
    /// `None` where there are more than it can tell apart.
    fn of(values: &BTreeMap<Vec<u8>, Id>) -> Option<Self> {
        if values.len() == 1 {
            return values.keys().next().cloned().map(Self::One);
        }
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest).kind(Some(AhoCorasickKind::ContiguousNFA));
        builder.build(values.keys()).ok().map(Self::Several)
    }

    /// Where values are in a text, and which ones, by their place among all.
    fn find_in<'t>(
        &'t self,
        text: &'t [u8],
    ) -> Box<dyn Iterator<Item = (Range<usize>, usize)> + 't> {
        match self {
            Self::One(value) => {
                let places = memchr::memmem::find_iter(text, value);
                Box::new(places.map(|at| (at..at + value.len(), 0)))
            }
            Self::Several(values) => {
                Box::new(values.find_iter(text).map(|hit| (hit.range(), hit.pattern().as_usize())))
            }
        }
    }
}

impl ProvenValues {
    /// Where they begin in `part`.
    pub(super) fn find(&self, text: &[u8], part: Range<usize>, found: &mut Vec<Finding>) {
        let end = text.len().min(part.end + LONGEST);
        for (hit, which) in self.search.find_in(&text[part.start..end]) {
            let span = part.start + hit.start..part.start + hit.end;
            if span.start >= part.end {
                break;
            }
            let ends = text.get(span.end).is_none_or(|byte| !is_word(*byte));
            if ends && starts_token(text, span.start) && !touches_mark(text, &span) {
                found.push(Finding { span, id: self.ids[which].clone(), rank: 9 });
            }
        }
    }
}

/// Whether a finding is so sure, and its value so much its own, that the value is a secret wherever it stands.
fn proves(finding: &Finding, value: &[u8]) -> bool {
    if finding.rank == GUESSED {
        return false;
    }
    let classes = validators::Classes::of(value);
    let kinds = [classes.lower, classes.upper, classes.digits, classes.other];
    let several = kinds.iter().filter(|count| **count > 0).count() >= 3;
    let plain =
        value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%^&*?~+_.=-".contains(byte));
    let own = validators::random(value, 16)
        || value.len() >= 8 && several && validators::password(value, true);
    // After a name, anything but a word.
    let named = finding.id == rules::PASSWORD || finding.id == rules::SECRET;
    let mixed = classes.digits > 0 && classes.lower + classes.upper > 0;
    let signs = classes.other > 0 && !value.iter().any(u8::is_ascii_whitespace);
    let named = named
        && value.len() >= if mixed { 6 } else { 8 }
        && (mixed || signs || classes.lower > 0 && classes.upper > 0)
        && !spelling::in_words(value);
    value.len() <= LONGEST
        && (finding.rank <= FORMATS && value.len() >= 16 || plain && own || plain && named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_is_found_as_one_of_several_is() {
        let values = |all: &[&str]| -> BTreeMap<Vec<u8>, Id> {
            all.iter().map(|value| (value.as_bytes().to_vec(), rules::PASSWORD.into())).collect()
        };
        let text = b"anchor Marmelade7x, Marmelade7xMarmelade7x and Quay9";
        let places = |all: &[&str]| -> Vec<Range<usize>> {
            let search = ValueMatcher::of(&values(all)).unwrap();
            search.find_in(text).filter(|(_, which)| *which == 0).map(|(place, _)| place).collect()
        };
        let one = places(&["Marmelade7x"]);
        assert_eq!(one, [7..18, 20..31, 31..42]);
        assert_eq!(places(&["Marmelade7x", "Quay9"]), one);
    }

    #[test]
    fn of_too_many_values_the_surest_stay_and_then_the_last() {
        let finding = |rank: u8| Finding { span: 0..0, id: rules::PASSWORD.into(), rank };
        let value = |index: usize| format!("Marmelade{index}x").into_bytes();
        let mut proofs = Proofs::default();
        let sure = ["gh", "p_Q7wvtb2xnk4Q7wvtb2xnk4"].concat().into_bytes();
        proofs.add(&finding(2), &sure);
        for index in 0..5 * MOST {
            proofs.add(&finding(5), &value(index));
        }
        assert!(proofs.found[1].len() <= 2 * MOST);
        assert!(proofs.again().is_some());
        assert_eq!(proofs.values.len(), MOST);
        assert!(proofs.values.contains_key(&sure));
        assert!(proofs.values.contains_key(&value(5 * MOST - 1)));
        assert!(!proofs.values.contains_key(&value(4 * MOST)));
    }
}
