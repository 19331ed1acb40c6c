//! A redactor for tests.

use std::borrow::Cow;

use super::Redact;

/// Hides one word, as a redactor hides a secret.
pub(crate) struct Hide;

impl Redact for Hide {
    fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        Cow::Owned(text.replace("hunter2", "[REDACTED:test]"))
    }

    fn bytes<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        self.json_line(text)
    }

    fn json_line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        Cow::Owned(self.text(&String::from_utf8_lossy(line)).into_owned().into_bytes())
    }
}
