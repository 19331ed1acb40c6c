//! Sentences put together to passages of a length.

use bumpalo::Bump;

use super::sentences::pieces;

/// The most characters of a line of a digest.
pub(crate) const LINE: usize = 260;
/// The most characters of a passage: a line with a label before it.
pub(crate) const PASSAGE: usize = LINE - 12;
/// A passage shorter than this takes the next paragraph's text in.
pub(super) const SHORT: usize = 90;

/// Puts sentences together until a line is full.
#[derive(Debug)]
pub(super) struct Packer<'a> {
    arena: &'a Bump,
    pub(super) done: Vec<&'a str>,
    open: String,
    /// all that is open, where it stands so in the log: most lines are one sentence, and those need no copy
    own: Option<&'a str>,
    heading: String,
    /// where the last sentence begins
    last: usize,
    /// whether a sentence stays that leads to something left out
    whole: bool,
}

impl<'a> Packer<'a> {
    /// What is no part of the log is put into `arena`.
    pub(super) fn new(arena: &'a Bump) -> Self {
        Self {
            arena,
            done: Vec::new(),
            open: String::new(),
            own: None,
            heading: String::new(),
            last: 0,
            whole: false,
        }
    }

    /// Where it puts what is no part of the log.
    pub(super) fn arena(&self) -> &'a Bump {
        self.arena
    }

    /// A text, not copied where it stands so in the log.
    pub(super) fn kept(&self, text: &str, own: Option<&'a str>) -> &'a str {
        own.unwrap_or_else(|| self.arena.alloc_str(text))
    }

    /// Begins anew. `whole`: what a person says stands as it was said.
    pub(super) fn begin(&mut self, whole: bool) {
        self.done.clear();
        self.open.clear();
        self.heading.clear();
        (self.own, self.last, self.whole) = (None, 0, whole);
    }

    /// Takes a sentence, which is `own` where it stands so in the log.
    pub(super) fn add(&mut self, sentence: &str, own: Option<&'a str>) {
        let mut parts = pieces(sentence, PASSAGE - 4).peekable();
        let mut goes_on = false;
        while let Some(part) = parts.next() {
            // Each reads as what it is, a part of something longer.
            let is_cut = parts.peek().is_some();
            if goes_on || is_cut {
                let before = if goes_on { "… " } else { "" };
                let after = if is_cut { " …" } else { "" };
                self.add_piece(&format!("{before}{part}{after}"), None);
            } else {
                self.add_piece(part, own.filter(|own| own.len() == part.len()));
            }
            if is_cut {
                self.end();
            }
            goes_on = is_cut;
        }
    }

    fn text(&self) -> &str {
        self.own.unwrap_or(&self.open)
    }

    fn add_piece(&mut self, piece: &str, own: Option<&'a str>) {
        let length = |text: &str| text.chars().count();
        // Characters are counted only where there are enough bytes.
        if self.text().len() + 2 + piece.len() > PASSAGE
            && length(self.text()) + 2 + length(piece) > PASSAGE
        {
            self.go_on();
        }
        let is_first = self.text().is_empty();
        if !is_first && self.text()[self.last..] == *piece {
            // Said twice in a row.
            return;
        }
        if self.open.is_empty() {
            self.open.reserve(PASSAGE + 4);
            self.open.push_str(self.own.take().unwrap_or_default());
        }
        if is_first {
            let heading = std::mem::take(&mut self.heading);
            if !heading.is_empty() && length(&heading) + 2 + length(piece) <= PASSAGE {
                self.open.push_str(&heading);
                self.open.push_str(": ");
            } else if own.is_some() {
                (self.own, self.last) = (own, 0);
                return;
            }
        } else {
            let ended = self.open.ends_with(['.', '!', '?', ':', ';', ',', '。', '！', '？', '…']);
            self.open.push(if ended { ' ' } else { ';' });
            if !ended {
                self.open.push(' ');
            }
        }
        self.last = self.open.len();
        self.open.push_str(piece);
    }

    /// A line is full. What leads to the rest of it stands before that.
    fn go_on(&mut self) {
        /// Longer ones say something themselves, in bytes.
        const LABEL: usize = 60;
        let last = &self.text()[self.last..];
        let leads = !self.whole && self.last > 0 && last.len() <= LABEL;
        let label = last.strip_suffix(':').filter(|_| leads).map(str::to_owned);
        self.end();
        if let Some(label) = label {
            self.heading = label;
        }
    }

    /// A paragraph ends.
    pub(super) fn rest(&mut self) {
        let text = self.text();
        let is_long = text.len() >= SHORT && text.chars().count() >= SHORT;
        if is_long && !text.ends_with(':') {
            self.end();
        }
    }

    pub(super) fn head(&mut self, text: &str) {
        self.end();
        text.trim_end_matches([':', '.']).clone_into(&mut self.heading);
    }

    pub(super) fn end(&mut self) {
        let mut end = self.text().len();
        // What it leads to was left out.
        if !self.whole && self.text().ends_with([':', '：']) {
            end = self.text()[..self.last].trim_end_matches([' ', ';']).len();
        }
        if end > 0 {
            self.done.push(self.kept(&self.text()[..end], self.own.map(|own| &own[..end])));
        }
        self.open.clear();
        (self.own, self.last) = (None, 0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What comes of sentences, `#` for a heading and `|` for the end of a paragraph.
    fn packed(parts: &[String], whole: bool, own: bool) -> Vec<String> {
        let arena = Bump::new();
        let mut packer = Packer::new(&arena);
        packer.begin(whole);
        for part in parts {
            match part.split_at(1) {
                ("#", heading) => packer.head(heading),
                ("|", _) => packer.rest(),
                _ => packer.add(part, own.then_some(&**part)),
            }
        }
        packer.end();
        packer.done.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn sentences_are_put_together_until_a_line_is_full() {
        #[track_caller]
        fn check(parts: &[&str], whole: bool, expect: &[&str]) {
            let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            assert_eq!(packed(&parts, whole, true), expect);
        }
        check(&["The gate is shut.", "It holds"], false, &["The gate is shut. It holds"]);
        check(&["gate", "tide"], false, &["gate; tide"]);
        check(&["gate", "gate"], false, &["gate"]);
        check(&["#Gate:", "shut"], false, &["Gate: shut"]);
        check(&["gate", "These are open:"], false, &["gate"]);
        check(&["These are open:"], false, &[]);
        check(&["These are open:"], true, &["These are open:"]);
        let full = "tide ".repeat(48);
        let gate = "gate ".repeat(10);
        let (full, gate) = (full.trim_end(), gate.trim_end());
        check(&[full, "Open:", gate], false, &[full, &format!("Open: {gate}")]);
        let long = "tide ".repeat(20);
        check(&[long.trim_end(), "|", "gate"], false, &[long.trim_end(), "gate"]);
        check(&["gate", "|", "tide"], false, &["gate; tide"]);
    }

    proptest! {
        /// What is borrowed is what would have been copied.
        #[test]
        fn it_does_not_matter_where_a_sentence_stands(
            parts in prop::collection::vec("[a#|][a ]{0,9}(tide ){0,60}[a:.]", 0..12),
            whole: bool,
        ) {
            prop_assert_eq!(packed(&parts, whole, true), packed(&parts, whole, false));
        }
    }
}
