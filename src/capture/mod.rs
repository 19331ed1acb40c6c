//! What enters the memory: transcripts, turns, and the removal of secrets on the way.
//!
//! Pure: bytes of transcripts, logs and backups come in, bytes to append go out. Which file they come
//! from, and in what order they are written, is the business of `commands::import`.

pub mod block;
pub mod checkpoint;
pub mod chunk;
#[cfg(test)]
pub(crate) mod hide;
pub mod hook_input;
mod injected;
pub mod known;
pub mod ledger;
pub mod redact;
pub mod sitting;
pub mod spoken;
pub mod text;
pub mod transcript;

use std::borrow::Cow;

/// Takes secrets out of what is about to be written.
pub trait Redact {
    /// The text with its secrets replaced.
    fn text<'a>(&self, text: &'a str) -> Cow<'a, str>;
    /// One JSON value, on one line, with the secrets inside its strings replaced; still JSON.
    fn json_line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]>;
}

impl Redact for redact::Redactor {
    fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.redact(text.as_bytes()).bytes {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    fn json_line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        self.redact_jsonl(line).bytes
    }
}
