//! The first look at every text: which sections have which terms how often, and which stretches of about a hundred
//! words within them. Keeps numbers only, no text, so that ten years fit into a few megabytes.

use super::cut::{self, Cut};
use super::matcher::{Hit, Matcher};
use super::query::Query;
use super::terms::MOST;
use super::voice::{By, LineVoice, Voices};
use super::weights;
use crate::markdown::fence;
use crate::markdown::form::{Form, form};
use crate::memory::entry::EntryType;
use crate::text::lines;

/// About a hundred words, in bytes of a text that is mostly ASCII.
const STRETCH: usize = 600;

#[derive(Debug, Clone, Copy)]
pub(super) struct SearchedUnit {
    pub(super) file: u32,
    /// its bytes in the file
    pub(super) cut: Cut,
    tally: (u32, u32),
    chunks: (u32, u32),
}

/// What the first look found.
#[derive(Default)]
pub(super) struct FirstLook {
    pub(super) units: Vec<SearchedUnit>,
    chunks: Vec<(u32, u32)>,
    /// term and how often, for units and chunks
    counts: Vec<(u8, f32)>,
    sections: u64,
    bytes: u64,
    hits: Vec<Hit>,
}

/// Which words of a text are looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Only {
    pub(super) kind: Option<EntryType>,
    pub(super) by: Option<By>,
}

impl Only {
    pub(super) fn hears(self, voice: LineVoice) -> bool {
        match self.by {
            None => true,
            Some(By::User) => voice == LineVoice::User,
            Some(By::Agent) => {
                matches!(voice, LineVoice::Agent | LineVoice::Entry | LineVoice::Note)
            }
        }
    }

    fn section(self, cut: Cut) -> bool {
        self.kind.is_none_or(|kind| cut.kind.unwrap_or(EntryType::Project) == kind)
    }
}

/// A term in a section, with how much it counts there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voiced {
    pub(super) hit: Hit,
    /// by who says it, and how exactly it is the term
    pub(super) weight: f32,
    /// whether it is the first of its line
    pub(super) new_line: bool,
}

/// The terms in a section that count, each with who says it.
pub(super) fn voiced(text: &str, hits: &[Hit], only: Only, found: &mut impl FnMut(Voiced)) {
    let bytes = text.as_bytes();
    let code = fence::code_lines(text);
    let mut voices = Voices::new();
    let mut next = 0;
    let mut from = 0;
    for (number, end) in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]).enumerate() {
        if next >= hits.len() {
            return;
        }
        let in_title = from == 0 && text.starts_with('#');
        let (voice, words) = voices.line(&text[from..end]);
        let weight = match (in_title, code.get(number)) {
            (true, _) => weights::TITLE,
            (false, Some(true)) => weights::CODE * weights::of(voice),
            (false, _) => weights::of(voice),
        };
        let mut new_line = true;
        while let Some(hit) = hits.get(next).filter(|hit| hit.at < end) {
            let counts = weight > 0.0 && hit.at >= from + words && only.hears(voice);
            if counts && !is_hidden(&text[from..], hit.at - from) {
                found(Voiced { hit: *hit, weight: weight * hit.factor, new_line });
                new_line = false;
            }
            next += 1;
        }
        from = end + 1;
    }
}

/// Whether a session says that it was on a branch.
fn tells(text: &str, branch: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"[branch: ").is_some()
        && lines(text).any(|line| matches!(form(line), Some(Form::Branch(name)) if name == branch))
}

/// Whether a place lies in what the redaction put there: `[REDACTED:aws-access-key]`.
fn is_hidden(line: &str, at: usize) -> bool {
    let before = &line.as_bytes()[at.saturating_sub(80)..at];
    let open = memchr::memrchr(b'[', before);
    let from = at - before.len();
    open.is_some_and(|open| {
        let mark = &line.as_bytes()[from + open..];
        mark.starts_with(b"[REDACTED") && !before[open..].contains(&b']')
    })
}

impl FirstLook {
    /// Takes down what one text has.
    pub(super) fn add(
        &mut self,
        file: u32,
        text: &str,
        is_log: bool,
        matcher: &Matcher,
        (only, branch): (Only, Option<&str>),
    ) {
        self.bytes += text.len() as u64;
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        matcher.find(text, &mut |hit| hits.push(hit));
        if hits.is_empty() {
            let more = memchr::memmem::find_iter(text.as_bytes(), b"\n## ").count();
            self.sections += more.max(1) as u64;
        } else {
            let cuts = cut::sections(text, is_log);
            self.sections += cuts.len() as u64;
            let mut rest = hits.as_mut_slice();
            for cut in cuts {
                let here = rest.partition_point(|hit| hit.at < cut.to);
                let (mine, others) = rest.split_at_mut(here);
                rest = others;
                let text = &text[cut.from..cut.to];
                if !mine.is_empty() && only.section(cut) && branch.is_none_or(|it| tells(text, it))
                {
                    for hit in &mut *mine {
                        hit.at -= cut.from;
                        hit.end -= cut.from;
                    }
                    self.unit(file, text, cut, mine, only);
                }
            }
        }
        self.hits = hits;
    }

    /// Takes down every section, whatever it says, but those with a word that the question leaves out.
    pub(super) fn add_all(
        &mut self,
        file: u32,
        text: &str,
        is_log: bool,
        query: &Query,
        (only, branch): (Only, Option<&str>),
    ) {
        for cut in cut::sections(text, is_log).into_iter().filter(|cut| only.section(*cut)) {
            let section = &text[cut.from..cut.to];
            let mut left_out = false;
            query.matcher.find(section, &mut |hit| left_out |= query.excluded.contains(&hit.term));
            let says = lines(section).any(|line| !line.starts_with(['#', '<']) && !line.is_empty());
            if says && !left_out && branch.is_none_or(|it| tells(section, it)) {
                self.units.push(SearchedUnit { file, cut, tally: (0, 0), chunks: (0, 0) });
            }
        }
    }

    fn unit(&mut self, file: u32, text: &str, cut: Cut, hits: &[Hit], only: Only) {
        let stretch = stretch(text);
        // A question rarely has as many terms as there is room for.
        let terms = hits.iter().map(|hit| usize::from(hit.term) + 1).max().unwrap_or(0);
        let (mut whole, mut part) = ([0.0_f32; MOST], [0.0_f32; MOST]);
        let (whole, part) = (&mut whole[..terms], &mut part[..terms]);
        let first_chunk = self.chunks.len();
        let mut begin = 0;
        voiced(text, hits, only, &mut |found| {
            let Voiced { hit, weight, new_line, .. } = found;
            let over = hit.at - begin;
            if over >= stretch && (new_line || over >= 2 * stretch) {
                self.chunk(part);
                begin = if new_line { hit.at } else { begin + over / stretch * stretch };
            }
            whole[usize::from(hit.term)] += weight;
            part[usize::from(hit.term)] += weight;
        });
        self.chunk(part);
        if self.chunks.len() == first_chunk {
            return;
        }
        let tally = self.tally(whole);
        let chunks = (to_u32(first_chunk), to_u32(self.chunks.len()));
        self.units.push(SearchedUnit { file, cut, tally, chunks });
    }

    fn chunk(&mut self, part: &mut [f32]) {
        let tally = self.tally(part);
        if tally.0 < tally.1 {
            self.chunks.push(tally);
        }
    }

    fn tally(&mut self, counts: &mut [f32]) -> (u32, u32) {
        let from = to_u32(self.counts.len());
        for (term, count) in (0_u8..).zip(counts.iter_mut()).filter(|(_, count)| **count > 0.0) {
            self.counts.push((term, std::mem::take(count)));
        }
        (from, to_u32(self.counts.len()))
    }

    fn counts(&self, tally: (u32, u32)) -> &[(u8, f32)] {
        &self.counts[tally.0 as usize..tally.1 as usize]
    }

    /// How often each term is in a unit.
    pub(super) fn of_unit(&self, unit: &SearchedUnit) -> &[(u8, f32)] {
        self.counts(unit.tally)
    }

    /// The same for the stretches of a unit.
    pub(super) fn of_chunks(&self, unit: &SearchedUnit) -> impl Iterator<Item = &[(u8, f32)]> {
        let chunks = &self.chunks[unit.chunks.0 as usize..unit.chunks.1 as usize];
        chunks.iter().map(|tally| self.counts(*tally))
    }

    /// How many sections there are, with terms or without.
    pub(super) fn sections(&self) -> u64 {
        self.sections
    }

    /// How long a section is on average, in bytes.
    #[expect(clippy::cast_precision_loss, reason = "an average")]
    pub(super) fn average(&self) -> f32 {
        self.bytes as f32 / self.sections.max(1) as f32
    }

    /// About how many stretches all texts have.
    pub(super) fn stretches(&self) -> u64 {
        self.bytes / STRETCH as u64 + 1
    }

    /// In how many units, and in how many stretches, each term stands.
    pub(super) fn spread(&self) -> [(u32, u32); MOST] {
        let mut spread = [(0, 0); MOST];
        for unit in &self.units {
            for (term, _) in self.of_unit(unit) {
                spread[usize::from(*term)].0 += 1;
            }
        }
        for chunk in &self.chunks {
            for (term, _) in self.counts(*chunk) {
                spread[usize::from(*term)].1 += 1;
            }
        }
        spread
    }
}

/// About a hundred words in bytes where letters take more than one: Cyrillic ones, which take two, make words as ASCII
/// does; of those that take three, a few make a word.
pub(super) fn stretch(text: &str) -> usize {
    let sample = &text.as_bytes()[..text.len().min(4096)];
    let wide = sample.iter().filter(|byte| **byte >= 0x80).count();
    if wide * 3 <= sample.len() {
        return STRETCH;
    }
    let twos = sample.iter().filter(|byte| matches!(**byte, 0xc2..=0xdf)).count();
    if twos * 3 > wide { STRETCH * 7 / 3 } else { STRETCH * 5 / 3 }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_words_take_more_bytes_where_letters_do() {
        for (words, expect) in [
            ("the lock is held by another session and never times out ", 600),
            ("блокировка принадлежит другой сессии и никогда не истекает сама ", 1400),
            ("세션이 잠금을 잡고 있으면 기다리지 않는다 ", 1000),
        ] {
            assert_eq!(stretch(&words.repeat(40)), expect, "{words}");
        }
    }
}
