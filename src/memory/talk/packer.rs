//! Sentences put together to passages of a length.

use super::sentences::pieces;

/// The most characters of a line of a digest.
pub(crate) const LINE: usize = 260;
/// The most characters of a passage: a line with a label before it.
const PASSAGE: usize = LINE - 12;
/// A passage shorter than this takes the next paragraph's text in.
pub(super) const SHORT: usize = 90;

/// Puts sentences together until a line is full.
#[derive(Debug, Default)]
pub(super) struct Packer {
    pub(super) done: Vec<String>,
    open: String,
    heading: String,
    /// where the last sentence begins
    last: usize,
    /// whether a sentence stays that leads to something left out
    whole: bool,
}

impl Packer {
    /// Begins anew. `whole`: what a person says stands as it was said.
    pub(super) fn begin(&mut self, whole: bool) {
        self.done.clear();
        self.open.clear();
        self.heading.clear();
        (self.last, self.whole) = (0, whole);
    }

    pub(super) fn add(&mut self, sentence: &str) {
        let mut parts = pieces(sentence, PASSAGE - 4).peekable();
        let mut goes_on = false;
        while let Some(part) = parts.next() {
            // Each reads as what it is, a part of something longer.
            let is_cut = parts.peek().is_some();
            if goes_on || is_cut {
                let before = if goes_on { "… " } else { "" };
                let after = if is_cut { " …" } else { "" };
                self.add_piece(&format!("{before}{part}{after}"));
            } else {
                self.add_piece(part);
            }
            if is_cut {
                self.end();
            }
            goes_on = is_cut;
        }
    }

    pub(super) fn add_piece(&mut self, piece: &str) {
        let length = |text: &str| text.chars().count();
        // Characters are counted only where there are enough bytes.
        if self.open.len() + 2 + piece.len() > PASSAGE
            && length(&self.open) + 2 + length(piece) > PASSAGE
        {
            self.end();
        }
        if self.open.is_empty() {
            let heading = std::mem::take(&mut self.heading);
            if !heading.is_empty() && length(&heading) + 2 + length(piece) <= PASSAGE {
                self.open.push_str(&heading);
                self.open.push_str(": ");
            }
        } else if self.open[self.last..] == *piece {
            // Said twice in a row.
            return;
        } else {
            let ended = self.open.ends_with(['.', '!', '?', ':', ';', ',', '。', '！', '？', '…']);
            self.open.push_str(if ended { " " } else { "; " });
        }
        if self.open.is_empty() {
            self.open.reserve(PASSAGE + 4);
        }
        self.last = self.open.len();
        self.open.push_str(piece);
    }

    /// A paragraph ends.
    pub(super) fn rest(&mut self) {
        let is_long = self.open.len() >= SHORT && self.open.chars().count() >= SHORT;
        if is_long && !self.open.ends_with(':') {
            self.end();
        }
    }

    pub(super) fn head(&mut self, text: &str) {
        self.end();
        text.trim_end_matches([':', '.']).clone_into(&mut self.heading);
    }

    pub(super) fn end(&mut self) {
        // What it leads to was left out.
        if !self.whole && self.open.ends_with([':', '：']) {
            self.open.truncate(self.last);
            self.open.truncate(self.open.trim_end_matches([' ', ';']).len());
        }
        self.last = 0;
        if !self.open.is_empty() {
            // No longer than it is: there are many of them.
            self.done.push(self.open.clone());
            self.open.clear();
        }
    }
}
