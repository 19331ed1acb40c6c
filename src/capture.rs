//! What enters the memory: transcripts, turns, and the removal of secrets on the way.
//!
//! Pure: bytes of transcripts, logs and backups come in, bytes to append go out. `import` knows which file
//! they come from, and in what order they are written.

pub(crate) mod already_logged;
pub(crate) mod block;
pub(crate) mod checkpoint;
pub(crate) mod chunk;
pub(crate) mod entries;
#[cfg(test)]
pub(crate) mod hide;
pub(crate) mod hook_input;
mod injected;
pub(crate) mod ledger;
pub(crate) mod narrow;
pub(crate) mod private;
pub mod redact;
pub(crate) mod remembering;
pub(crate) mod session_day;
pub(crate) mod specstory;
pub(crate) mod spoken;
pub(crate) mod stored;
pub(crate) mod summary;
pub(crate) mod transcript;
pub(crate) mod without_injected;

use std::borrow::Cow;

use redact::Remembered;

/// Takes secrets out of what is about to be written.
pub(crate) trait Redact {
    /// The text with its secrets replaced.
    fn text<'a>(&self, text: &'a str) -> Cow<'a, str>;
    /// The same of text that may have bytes in it that are not UTF-8.
    fn bytes<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]>;
    /// One JSON value, on one line, with the secrets inside its strings replaced; still JSON.
    fn json_line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]>;
    /// The same as [`bytes`](Self::bytes); takes note of the values that the text proved to be secrets.
    fn bytes_and_proofs<'a>(&self, text: &'a [u8], _known: &mut Remembered) -> Cow<'a, [u8]> {
        self.bytes(text)
    }
    /// The same as [`json_line`](Self::json_line); takes note of the values that the line proved to be secrets.
    fn json_and_proofs<'a>(&self, line: &'a [u8], _known: &mut Remembered) -> Cow<'a, [u8]> {
        self.json_line(line)
    }
    /// Text or JSON without the values that were proven before.
    fn hide<'a>(&self, text: &'a [u8], _known: &Remembered) -> Cow<'a, [u8]> {
        Cow::Borrowed(text)
    }
    /// The same with the values this redactor remembers itself, to compare what was written before they were known.
    fn as_now<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        Cow::Borrowed(text)
    }
}

/// Bytes that went in as text, as text again.
fn text_of<'a>(text: &'a str, bytes: Cow<'a, [u8]>) -> Cow<'a, str> {
    match bytes {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

fn remember(known: &mut Remembered, proven: &redact::Proven) {
    for (value, rule) in proven {
        known.add(value, rule);
    }
}

impl Redact for redact::Redactor {
    fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        text_of(text, self.redact(text.as_bytes()).bytes)
    }

    fn bytes<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        self.redact(text).bytes
    }

    fn json_line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        self.redact_jsonl(line).bytes
    }

    fn bytes_and_proofs<'a>(&self, text: &'a [u8], known: &mut Remembered) -> Cow<'a, [u8]> {
        let redacted = self.redact(text);
        remember(known, &redacted.proven);
        redacted.bytes
    }

    fn json_and_proofs<'a>(&self, line: &'a [u8], known: &mut Remembered) -> Cow<'a, [u8]> {
        let redacted = self.redact_jsonl(line);
        remember(known, &redacted.proven);
        redacted.bytes
    }

    fn hide<'a>(&self, text: &'a [u8], known: &Remembered) -> Cow<'a, [u8]> {
        Self::hide(self, text, known)
    }
}
