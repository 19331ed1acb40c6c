//! Which lines of a text that somebody wrote go along: hot files, summaries, an edited ROOT.md.
//!
//! A line is removed if it contains the words, or something that occurs only in removed texts: the same line, a name
//! with a digit in it, five words in a row. What also occurs in a log that stays does not count.

use std::collections::HashSet;
use std::ops::Range;

use chrono::NaiveDate;
use xxhash_rust::xxh3::xxh3_64;

use super::cut::{Gone, ranges};
use super::literal_words::LiteralWords;
use crate::markdown::marker::marker;
use crate::meaning::lexicon::is_common;
use crate::meaning::script::is_cjk;
use crate::memory::forgotten::plain;
use crate::memory::hashed::Hashed;
use crate::text::lossy;

/// A shorter line does not show where it comes from. In bytes.
const LINE: usize = 16;
/// So many words in a row are not a coincidence, in half words: a CJK character is half a word.
const RUN: usize = 10;
/// The shortest name that identifies something. In bytes.
const NAME: usize = 5;

/// What mentions something that goes.
#[derive(Debug, Default)]
pub(crate) struct Traces<'a> {
    words: Option<&'a LiteralWords>,
    /// a day that is forgotten as a whole
    day: Option<NaiveDate>,
    /// sessions whose marker lines go
    sessions: &'a [String],
    marks: HashSet<u64, Hashed>,
}

/// What is left of a text, and the lines that went, with their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextCut {
    pub(crate) bytes: Vec<u8>,
    pub(crate) lines: Vec<(usize, String)>,
}

impl<'a> Traces<'a> {
    pub(crate) fn new(
        words: Option<&'a LiteralWords>,
        day: Option<NaiveDate>,
        sessions: &'a [String],
    ) -> Self {
        Self { words, day, sessions, marks: HashSet::default() }
    }

    pub(crate) fn goes(&mut self, gone: &Gone) {
        marks(&gone.text, &mut |mark| {
            self.marks.insert(mark);
        });
    }

    /// Takes a text that stays: what occurs in it, too, no longer counts.
    pub(crate) fn stays(&mut self, text: &[u8]) {
        if self.marks.is_empty() {
            return;
        }
        marks(&lossy(text), &mut |mark| {
            self.marks.remove(&mark);
        });
    }

    /// Whether there is nothing to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_none()
            && self.day.is_none()
            && self.sessions.is_empty()
            && self.marks.is_empty()
    }

    /// Cuts the lines out of a part of a text. `None` where none goes.
    pub(crate) fn cut(&self, text: &[u8], part: Range<usize>) -> Option<TextCut> {
        if self.is_empty() {
            return None;
        }
        let lines: Vec<Range<usize>> = ranges(text, part.clone()).collect();
        let of = |line: &Range<usize>| lossy(&text[line.clone()]).into_owned();
        let mut goes: Vec<bool> = lines.iter().map(|line| self.tells(&of(line))).collect();
        self.broken(&lines, &of, &mut goes);
        if !goes.contains(&true) {
            return None;
        }
        let mut cut = TextCut { bytes: text[..part.start].to_vec(), lines: Vec::new() };
        let above = memchr::memchr_iter(b'\n', &text[..part.start]).count();
        for (index, (line, goes)) in lines.iter().zip(&goes).enumerate() {
            if *goes {
                let said = of(line).trim().to_owned();
                cut.lines.push((above + index + 1, said));
            } else {
                cut.bytes.extend_from_slice(&text[line.clone()]);
            }
        }
        cut.bytes.extend_from_slice(&text[part.end..]);
        Some(cut)
    }

    /// Whether a line says it.
    fn tells(&self, line: &str) -> bool {
        // The id in a marker is nobody's words.
        let is_marker = marker(line.trim_end_matches(['\n', '\r'])).is_some();
        let mut found = self.words.is_some_and(|words| !is_marker && words.stand_in(line))
            || self.day.is_some_and(|day| is_of_day_only(line, day))
            || self.is_marker(line);
        if !found && !self.marks.is_empty() {
            marks(line, &mut |mark| found |= self.marks.contains(&mark));
        }
        found
    }

    /// Whether a line is a marker of a session that goes.
    fn is_marker(&self, line: &str) -> bool {
        let found = marker(line.trim_end_matches(['\n', '\r']));
        found.is_some_and(|marker| self.sessions.iter().any(|name| name == marker.session()))
    }

    /// Words that are broken over lines: every line that has some of them goes.
    fn broken(
        &self,
        lines: &[Range<usize>],
        of: &dyn Fn(&Range<usize>) -> String,
        goes: &mut [bool],
    ) {
        let Some(words) = self.words else { return };
        let many = words.as_str().split(' ').count();
        if many < 2 {
            return;
        }
        let said: Vec<String> = lines.iter().map(|line| plain(&of(line))).collect();
        for from in 0..said.len() {
            let mut text = String::new();
            // The words span at most as many lines as there are words; a line that has all of them is marked already.
            for to in from..said.len().min(from + many) {
                if goes[to] || said[to].is_empty() {
                    break;
                }
                text.push_str(if text.is_empty() { "" } else { " " });
                text.push_str(&said[to]);
                if to > from && text.contains(words.as_str()) {
                    let says = |first: &usize| said[*first..=to].join(" ").contains(words.as_str());
                    let first = (from..=to).rev().find(says).unwrap_or(from);
                    goes[first..=to].fill(true);
                    break;
                }
            }
        }
    }
}

/// Whether the references of a line (`→ 2026-03-15`) name this day and no other one.
fn is_of_day_only(line: &str, day: NaiveDate) -> bool {
    let Some((_, references)) = line.rsplit_once('→') else { return false };
    references.trim() == day.to_string()
}

/// Hands over what a text may be known by: its lines, names with a digit in them, runs of words.
fn marks(text: &str, take: &mut dyn FnMut(u64)) {
    for line in text.lines() {
        let line = line.trim_start_matches(['-', '*', '>', '#', ' ', '\t']);
        let line = plain(line);
        if line.len() >= LINE {
            take(xxh3_64(line.as_bytes()));
        }
    }
    for name in text.split(|c: char| !(c.is_alphanumeric() || "-_.@+".contains(c))) {
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        if is_name(name) {
            take(xxh3_64(format!("name {}", name.to_lowercase()).as_bytes()));
        }
    }
    let words = tokens(text);
    for from in 0..words.len() {
        let (mut weight, mut telling, mut hash) = (0, 0, String::new());
        for word in &words[from..] {
            let is_one = word.chars().all(is_cjk);
            weight += if is_one { 1 } else { 2 };
            telling += usize::from(is_one || (word.chars().count() > 3 && !is_common(word)));
            hash.push_str(word);
            hash.push(' ');
            if weight >= RUN {
                if telling > 2 {
                    take(xxh3_64(format!("run {hash}").as_bytes()));
                }
                break;
            }
        }
    }
}

/// Whether a word is the name of one thing: letters and a digit, or an address.
fn is_name(word: &str) -> bool {
    let letters = word.chars().any(char::is_alphabetic);
    let digits = word.chars().any(|c| c.is_ascii_digit());
    let is_period = word.len() == 8 && word.as_bytes().get(4..6) == Some(b"-W");
    word.len() >= NAME && letters && (digits || word.contains('@')) && !is_period
}

/// The words of a text, in lower case; each CJK character is one.
fn tokens(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        if part.chars().any(is_cjk) {
            words.extend(part.chars().map(String::from));
        } else {
            words.push(part.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::cut::GoneKind;
    use super::*;

    fn gone(text: &str) -> Gone {
        Gone { kind: GoneKind::Entry, text: text.to_owned() }
    }

    /// The numbers of the lines that go.
    fn cut(telling: &Traces<'_>, text: &str) -> Vec<usize> {
        let cut = telling.cut(text.as_bytes(), 0..text.len());
        let Some(cut) = cut else { return Vec::new() };
        let gone: Vec<usize> = cut.lines.iter().map(|(number, _)| *number).collect();
        let stays = text.split_inclusive('\n').enumerate();
        let expect: String =
            stays.filter(|(index, _)| !gone.contains(&(index + 1))).map(|(_, line)| line).collect();
        assert_eq!(String::from_utf8(cut.bytes).unwrap(), expect);
        gone
    }

    #[test]
    fn lines_that_say_the_words_go_also_where_they_are_broken() {
        let words = LiteralWords::of("the secret plan").unwrap();
        let telling = Traces::new(Some(&words), None, &[]);
        assert_eq!(cut(&telling, "a\n- the secret plan\nb\n"), [2]);
        assert_eq!(cut(&telling, "a\nof the\n  secret plan b\nc\n"), [2, 3]);
        assert_eq!(cut(&telling, "a the\n\nsecret plan\n"), Vec::<usize>::new());
        assert_eq!(cut(&telling, "The secret plan\n"), Vec::<usize>::new());
    }

    #[test]
    fn lines_that_say_what_nothing_else_says_go() {
        let mut telling = Traces::new(None, None, &[]);
        let words = "## Queues\n- decision: moor the dredger beside queue B4217 until surveyors return\n- short\n";
        telling.goes(&gone(words));
        telling.stays(b"- the surveyors come on Monday\n- pool C1788\n");
        let text = "- moor the dredger elsewhere\n- Moor the dredger beside queue seven\n- see b4217!\n\
                    - C1788\n- short\n- the surveyors said\n";
        assert_eq!(cut(&telling, text), [2, 3]);
        telling.stays(b"B4217");
        assert_eq!(cut(&telling, "- see b4217\n- until surveyors return\n"), Vec::<usize>::new());
    }

    #[test]
    fn lines_of_a_day_alone_go_with_the_day() {
        let telling = Traces::new(None, NaiveDate::from_ymd_opt(2026, 3, 15), &[]);
        let text = "- a → 2026-03-15\n- b → 2026-03-15, 03-14\n- 2026-03-15\n- c → 2026-03-14\n";
        assert_eq!(cut(&telling, text), [1]);
    }

    #[test]
    fn only_the_part_that_is_ours_changes() {
        let words = LiteralWords::of("zebra").unwrap();
        let telling = Traces::new(Some(&words), None, &[]);
        let text = b"zebra\nours\nzebra\nend\nzebra\n";
        let cut = telling.cut(text, 6..17).unwrap();
        assert_eq!(cut.bytes, b"zebra\nours\nend\nzebra\n");
        assert_eq!(cut.lines, [(3, "zebra".to_owned())]);
    }
}
