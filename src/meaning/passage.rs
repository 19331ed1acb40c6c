//! Passages: stretches of what was said in a turn, as long as a line of an extract, without the marks of Markdown.

use std::borrow::Cow;

use bumpalo::Bump;

use super::lexicon::{Class, Cues, cues, is_go_ahead};
use super::noise::{self, Noise};
use super::sentence::{pieces, sentences};
use crate::markdown::fence;
use crate::memory::entry::EntryLine;
use crate::text::single_spaced;

/// The most characters of a line of an extract.
pub(crate) const LINE: usize = 260;
/// The most characters of a passage: a line with a label before it.
pub(crate) const PASSAGE: usize = LINE - 14;
/// A passage shorter than this takes the next paragraph's text in. Measured on `sessions`.
const SHORT: usize = 90;

/// Stands before a passage of a block that quotes somebody: whoever says it did not write it.
pub(crate) const QUOTE: &str = "> ";

/// A stretch of text that can be on a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passage<'a> {
    pub(crate) text: &'a str,
    /// of all of its sentences; what it begins with is of the first
    pub(crate) cues: Cues,
    /// whether it quotes somebody or something: a block in Markdown that says so, or a row of a table
    pub(crate) is_quoted: bool,
}

/// Cuts what a turn says into passages. Code, traces, pasted output, go-aheads of a person and what an assistant says
/// of its next step give none. `numbered`: whether items of lists keep their numbers; `without`: a sentence that is
/// left out.
pub(crate) fn passages<'a>(
    lines: &[EntryLine<'_>],
    person: bool,
    numbered: bool,
    without: &str,
    arena: &'a Bump,
) -> Vec<Passage<'a>> {
    let mut packer = Packer::new(person, arena);
    let mut in_code = false;
    let noise = noise::of_lines(lines, person);
    for (line, noise) in lines.iter().zip(noise) {
        if line.code {
            if !in_code && let Some(path) = code_path(line.text) {
                packer.add(&format!("→ {path}"), Cues::default(), false);
            }
            in_code = true;
            continue;
        }
        in_code = false;
        let (form, is_quoted) = form(line.text, numbered);
        packer.quote(unescaped(line.text.trim()).starts_with('>'));
        // Figures say something below the row that names them.
        let is_row = !person && line.text.trim_start().starts_with('|');
        match (form, noise) {
            (_, Some(Noise::Trace)) | (Form::Blank, _) => packer.rest(),
            (_, Some(noise)) if noise != Noise::Console || !is_row => packer.end(),
            (Form::Heading(text), _) => packer.head(&text),
            (Form::Text(text), _) => {
                for sentence in sentences(&text) {
                    let cues = cues(sentence);
                    let is_empty =
                        if person { is_go_ahead(sentence) } else { cues.begins(Class::Narration) };
                    if !is_empty && sentence != without {
                        packer.add(sentence, cues, is_quoted);
                    }
                }
            }
        }
    }
    packer.end();
    packer.done
}

/// What a line of Markdown is.
enum Form<'t> {
    Blank,
    /// says what the next lines are about
    Heading(Cow<'t, str>),
    Text(Cow<'t, str>),
}

/// Reads a line: what it says without marks, and whether it is quoted.
fn form(line: &str, numbered: bool) -> (Form<'_>, bool) {
    let text = unescaped(line.trim());
    let own = text.trim_start_matches(['>', ' ']).trim();
    let is_quoted = own.len() < text.trim().len();
    let text = own;
    let separates = |byte: u8| b"-=|: *_~".contains(&byte);
    if text.bytes().all(separates) {
        return (Form::Blank, false);
    }
    let heading = text.strip_prefix('#').map(|rest| rest.trim_start_matches('#'));
    if let Some(title) = heading.filter(|title| title.starts_with(' ')) {
        return (Form::Heading(without_marks(title.trim())), false);
    }
    let bold = text.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    if let Some(bold) = bold.filter(|bold| bold.len() < 80 && !bold.contains("**")) {
        return (Form::Heading(without_marks(bold)), false);
    }
    if let Some(row) = text.strip_prefix('|') {
        let cells = row.trim_end_matches('|').split('|').map(str::trim);
        let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let row = without_marks(&cells.join(" — ")).into_owned();
        return (Form::Text(row.into()), true);
    }
    let text = if numbered { text } else { without_number(text) };
    (Form::Text(without_marks(without_bullet(text))), is_quoted)
}

/// A line without the `\` that keeps it from being read as structure.
pub(crate) fn unescaped(line: &str) -> &str {
    let rest = line.strip_prefix('\\');
    rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_punctuation())).unwrap_or(line)
}

/// A line without the mark of a list; an open box stays, since it says that something is open.
pub(crate) fn without_bullet(text: &str) -> &str {
    let rest = text.strip_prefix(['-', '*', '+', '•']).filter(|rest| rest.starts_with(' '));
    let Some(rest) = rest.map(str::trim_start) else { return text };
    rest.strip_prefix("[x] ").unwrap_or(rest)
}

/// A line without the number it has in a list.
fn without_number(text: &str) -> &str {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..3).contains(&(text.len() - digits.len()));
    let rest = digits.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' ') && is_number);
    rest.map_or(text, str::trim_start)
}

/// A text without the marks of emphasis and of images.
pub(crate) fn without_marks(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let has_twice = |pair: &[u8]| pair == b"**" || pair == b"  ";
    if !bytes.windows(2).any(has_twice)
        && memchr::memchr(b'\t', bytes).is_none()
        && !(memchr::memchr(b'[', bytes).is_some() && text.contains("[Image"))
    {
        return Cow::Borrowed(text);
    }
    let mut text = text.replace("**", "");
    while let Some(at) = text.find("[Image") {
        let end = text[at..].find(']').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, "");
    }
    Cow::Owned(single_spaced(&text))
}

/// `path:lines` where the line that opens a code block names a file.
pub(crate) fn code_path(line: &str) -> Option<&str> {
    fence::info(line)?.split([' ', '=', '"', '{', '}', ',']).find(|word| {
        word.contains('/') && word.rsplit('/').next().is_some_and(|name| name.contains('.'))
    })
}

/// Puts sentences together until a line is full.
struct Packer<'a> {
    arena: &'a Bump,
    done: Vec<Passage<'a>>,
    open: String,
    cues: Option<Cues>,
    is_quoted: bool,
    /// whether what comes is in a block that quotes
    in_quote: bool,
    heading: String,
    /// where the last sentence begins
    last: usize,
    /// whether a sentence stays that leads to something left out: what a person says stands as it was said
    whole: bool,
}

impl<'a> Packer<'a> {
    fn new(whole: bool, arena: &'a Bump) -> Self {
        let (open, heading) = (String::with_capacity(PASSAGE + 4), String::new());
        Self {
            arena,
            done: Vec::new(),
            open,
            cues: None,
            is_quoted: false,
            in_quote: false,
            heading,
            last: 0,
            whole,
        }
    }

    /// A line begins, in a block that quotes or not. No passage has both.
    fn quote(&mut self, in_quote: bool) {
        if in_quote != self.in_quote {
            self.end();
            self.in_quote = in_quote;
        }
    }

    fn add(&mut self, sentence: &str, cues: Cues, is_quoted: bool) {
        let mark = if self.in_quote { QUOTE.len() } else { 0 };
        let mut parts = pieces(sentence, PASSAGE - 4 - mark).peekable();
        let mut goes_on = false;
        while let Some(part) = parts.next() {
            let is_cut = parts.peek().is_some();
            if goes_on || is_cut {
                let before = if goes_on { "… " } else { "" };
                let after = if is_cut { " …" } else { "" };
                self.push(&format!("{before}{part}{after}"), cues, is_quoted);
            } else {
                self.push(part, cues, is_quoted);
            }
            if is_cut {
                self.end();
            }
            goes_on = is_cut;
        }
    }

    fn push(&mut self, piece: &str, cues: Cues, is_quoted: bool) {
        let length = |text: &str| text.chars().count();
        if self.open.len() + 2 + piece.len() > PASSAGE
            && length(&self.open) + 2 + length(piece) > PASSAGE
        {
            self.go_on();
        }
        if self.open.is_empty() {
            if self.in_quote {
                self.open.push_str(QUOTE);
            }
            let heading = std::mem::take(&mut self.heading);
            let all = length(&self.open) + length(&heading) + 2 + length(piece);
            if !heading.is_empty() && all <= PASSAGE {
                self.open.push_str(&heading);
                self.open.push_str(": ");
                self.cues = Some(super::lexicon::cues(&heading));
            }
        } else if self.open[self.last..] == *piece {
            // Said twice in a row.
            return;
        } else {
            let ended = self.open.ends_with(['.', '!', '?', ':', ';', ',', '。', '！', '？', '…']);
            self.open.push_str(if ended { " " } else { "; " });
        }
        self.is_quoted |= is_quoted;
        self.cues = Some(self.cues.map_or(cues, |before| before.with(cues)));
        self.last = self.open.len();
        self.open.push_str(piece);
    }

    /// A line is full. What leads to the rest of it is before that.
    fn go_on(&mut self) {
        /// Longer ones say something themselves, in bytes.
        const LABEL: usize = 60;
        let last = &self.open[self.last..];
        let leads = !self.whole && self.last > 0 && last.len() <= LABEL;
        let label = last.strip_suffix(':').filter(|_| leads).map(str::to_owned);
        self.end();
        if let Some(label) = label {
            self.heading = label;
        }
    }

    /// A paragraph ends.
    fn rest(&mut self) {
        let is_long = self.open.len() >= SHORT && self.open.chars().count() >= SHORT;
        if is_long && !self.open.ends_with(':') {
            self.end();
        }
    }

    fn head(&mut self, text: &str) {
        self.end();
        text.trim_end_matches([':', '.']).clone_into(&mut self.heading);
    }

    fn end(&mut self) {
        let mut text = &*self.open;
        // What it leads to was left out.
        if !self.whole && text.ends_with([':', '：']) {
            text = text[..self.last].trim_end_matches([' ', ';', ':', '>']);
        }
        if !text.is_empty() {
            let text = self.arena.alloc_str(text);
            let cues = self.cues.unwrap_or_default();
            self.done.push(Passage { text, cues, is_quoted: self.is_quoted });
        }
        self.open.clear();
        (self.cues, self.is_quoted, self.last) = (None, false, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, person: bool) -> Vec<String> {
        let arena = Bump::new();
        let lines: Vec<EntryLine<'_>> = fence::lines(text).collect();
        let found = passages(&lines, person, false, "", &arena);
        found.into_iter().map(|passage| passage.text.to_owned()).collect()
    }

    #[test]
    fn sentences_are_put_together_until_a_line_is_full() {
        let check = |text: &str, person: bool, expect: &[&str]| {
            assert_eq!(cut(text, person), expect, "{text}");
        };
        check(
            "The lock is held.\nIt never times out",
            false,
            &["The lock is held. It never times out"],
        );
        check("## Cause\nthe lock is held", false, &["Cause: the lock is held"]);
        check("The lock is held. These are open:\n```\nx\n```", false, &["The lock is held."]);
        check("these are open:\n```\nx\n```", true, &["these are open:"]);
        check("ok, thanks. The lock stays", true, &["The lock stays"]);
        check("Let me look at it. The lock is held.", false, &["The lock is held."]);
        check("| name | port |\n|---|---|\n| api | 9464 |", false, &["name — port; api — 9464"]);
        check("```rust src/lock.rs\nx\n```\nheld", false, &["→ src/lock.rs; held"]);
        check(
            "It says:\n\n> The lock is held.\n\nThe lease is open.",
            true,
            &["It says:", "> The lock is held.", "The lease is open."],
        );
    }

    proptest::proptest! {
        #[test]
        fn no_passage_is_longer_than_a_line(text in "([a-zß検]{1,30}[ .:\\n]|#? |```\\n|\\| ){0,90}", person: bool) {
            let found = cut(&text, person);
            proptest::prop_assert!(found.iter().all(|text| text.chars().count() <= PASSAGE && !text.contains('\n')));
        }
    }
}
