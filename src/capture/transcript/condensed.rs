//! A record that is too long to be held, without the parts nobody reads: it is taken apart byte by byte as it comes,
//! and what stays is JSON like any other.
//!
//! An image is cut to its first bytes, a long text to as much as a turn keeps, and a list or object that cannot hold
//! words, as the details of a tool's result, becomes `null` where it is long.

/// The most bytes that are kept of a record: 1 MiB.
const RECORD: usize = 1024 * 1024;
/// The most bytes that are kept of one text: less than a turn has, so that what is said of the rest stays in it.
const TEXT: usize = 60 * 1024;
/// After how many bytes a string in which no word has ended counts as data.
const DATA_AFTER: usize = 1024;
/// How many bytes are kept of a string that is data.
const DATA: usize = 64;
/// The most bytes of a list or object that cannot hold words.
const ASIDE: usize = 64 * 1024;
/// How deep values may be nested.
const DEPTH: usize = 64;

/// The fields on the way to words, in the formats of all clients.
const HOLDERS: [&[u8]; 13] = [
    b"message",
    b"payload",
    b"item",
    b"content",
    b"parts",
    b"info",
    b"state",
    b"input",
    b"attachment",
    b"prompt",
    b"data",
    b"output",
    b"messages",
];

/// A list or an object that has begun.
struct Open {
    /// where it begins in what is kept
    start: usize,
    is_object: bool,
    /// whether words may be in it
    holds_words: bool,
}

/// A string that has begun.
#[derive(Default)]
struct Text {
    /// where its first byte is in what is kept
    start: usize,
    /// whether the next byte is escaped
    escaped: bool,
    /// how many digits of `\u0000` are still to come
    digits: u8,
    /// whether every byte so far may be one of encoded data
    is_data: bool,
    /// bytes that were left out
    left_out: u64,
}

/// Condenses one record.
pub(crate) struct Condenser {
    kept: Vec<u8>,
    open: Vec<Open>,
    text: Option<Text>,
    /// the last string of the innermost object: a name, where a colon follows
    last: std::ops::Range<usize>,
    /// whether the value that comes next belongs to a field on the way to words
    holds_words: bool,
    /// how deep the value lies that is passed over
    aside: Option<usize>,
    begun: bool,
    /// whether this cannot be a record, or is too long without its long parts, too
    failed: bool,
}

impl Condenser {
    pub(crate) fn new() -> Self {
        Self {
            kept: Vec::new(),
            open: Vec::new(),
            text: None,
            last: 0..0,
            holds_words: true,
            aside: None,
            begun: false,
            failed: false,
        }
    }

    /// Takes the next bytes of the record; whether more of them can matter.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            if self.failed {
                break;
            }
            self.byte(*byte);
        }
        !self.failed
    }

    /// The record, if it was one from its first to its last byte.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        let is_whole = self.begun && !self.failed && self.open.is_empty() && self.text.is_none();
        is_whole.then_some(self.kept)
    }

    fn byte(&mut self, byte: u8) {
        if self.text.is_some() {
            return self.in_text(byte);
        }
        match byte {
            b'"' if self.begun => {
                self.keep(byte);
                let start = self.kept.len();
                self.text = Some(Text { start, is_data: true, ..Text::default() });
                return;
            }
            b'{' | b'[' => return self.begin(byte),
            b'}' | b']' => return self.end(byte),
            b':' => {
                let name = self.kept.get(self.last.clone()).unwrap_or_default();
                let above = self.open.last().is_none_or(|open| open.holds_words);
                self.holds_words = above && HOLDERS.contains(&name);
            }
            _ if byte.is_ascii_whitespace() => return,
            // Anything else before the first brace is no record.
            _ if !self.begun => self.failed = true,
            _ => {}
        }
        self.keep(byte);
    }

    fn begin(&mut self, byte: u8) {
        self.begun = true;
        self.failed |= self.open.len() >= DEPTH;
        let holds_words = match self.open.last() {
            None => true,
            Some(above) if above.is_object => self.holds_words,
            Some(above) => above.holds_words,
        };
        let start = self.kept.len();
        self.open.push(Open { start, is_object: byte == b'{', holds_words });
        self.keep(byte);
    }

    fn end(&mut self, byte: u8) {
        self.keep(byte);
        if self.open.pop().is_none() {
            self.failed = true;
        }
        if self.aside.is_some_and(|depth| self.open.len() < depth) {
            self.aside = None;
        }
        // After the record nothing may follow.
        if self.open.is_empty() {
            self.begun = !self.failed;
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.aside.is_some() {
            return;
        }
        self.kept.push(byte);
        let aside =
            self.open.iter().position(|it| !it.holds_words && self.kept.len() - it.start > ASIDE);
        if let Some(at) = aside {
            self.kept.truncate(self.open[at].start);
            self.kept.extend_from_slice(b"null");
            self.aside = Some(at + 1);
            self.text = self.text.take().map(|text| Text { start: self.kept.len(), ..text });
        }
        self.failed |= self.kept.len() > RECORD;
    }

    fn in_text(&mut self, byte: u8) {
        let Some(text) = &mut self.text else { return };
        let is_inside = text.escaped || text.digits > 0 || byte & 0xc0 == 0x80;
        if text.escaped {
            text.escaped = false;
            text.digits = if byte == b'u' { 4 } else { 0 };
        } else if text.digits > 0 {
            text.digits -= 1;
        } else if byte == b'\\' {
            text.escaped = true;
        } else if byte == b'"' {
            return self.end_text();
        }
        text.is_data &= byte.is_ascii_alphanumeric() || b"+/=_-.,:;%".contains(&byte);
        let length = self.kept.len().saturating_sub(text.start);
        let room = (RECORD.saturating_sub(self.kept.len()) / 8).clamp(256, TEXT);
        if self.aside.is_some() {
            return;
        }
        if text.is_data && length >= DATA_AFTER {
            text.left_out += (length - DATA) as u64;
            self.kept.truncate(text.start + DATA);
            text.left_out += 1;
        } else if text.left_out > 0 || length >= room && !is_inside {
            text.left_out += 1;
        } else {
            self.keep(byte);
        }
    }

    fn end_text(&mut self) {
        let Some(text) = self.text.take() else { return };
        if self.aside.is_none() {
            if text.left_out > 0 && !text.is_data {
                let note = format!("\\n\\n(cut: {} more bytes)", text.left_out);
                self.kept.extend_from_slice(note.as_bytes());
            }
            self.last = text.start..self.kept.len();
        }
        self.keep(b'"');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn condensed(text: &str, step: usize) -> Option<Value> {
        let mut condenser = Condenser::new();
        text.as_bytes().chunks(step).all(|part| condenser.push(part));
        let kept = condenser.finish()?;
        assert!(kept.len() <= RECORD + 64);
        Some(serde_json::from_slice(&kept).unwrap())
    }

    #[test]
    fn the_words_beside_long_parts_stay() {
        let image = "iVBORw0KGgo/".repeat(200_000);
        let note = "한글 \"quoted\" \\ \u{1f600} ".repeat(40_000);
        let rows: Vec<Value> = (0..40_000).map(|row| json!({"row": row, "text": "a b"})).collect();
        let record = |image: &str, note: &Value, rows: &Value| {
            json!({"type": "user", "toolUseResult": {"rows": rows, "n": 1}, "message": {"role": "user", "content": [
                {"type": "image", "source": {"type": "base64", "data": image}},
                {"type": "text", "text": "From now on \u{e9} \"9\" tonnes"},
                {"type": "tool_use", "input": {"file_path": "a.rs", "edits": rows}},
                {"type": "text", "text": note},
            ]}, "uuid": "u"})
        };
        let text = record(&image, &json!(note), &json!(rows)).to_string();
        for step in [1, 7, 64 * 1024, text.len()] {
            let found = condensed(&text, step).unwrap();
            let kept = found["message"]["content"][3]["text"].as_str().unwrap();
            let (kept, cut) = kept.split_once("\n\n(cut: ").unwrap();
            assert!(kept.len() > 30_000 && note.starts_with(kept), "{cut}");
            assert!(cut.ends_with(" more bytes)"));
            let expect =
                record(&image[..DATA], &found["message"]["content"][3]["text"], &Value::Null);
            let mut expect = expect;
            expect["toolUseResult"] = Value::Null;
            assert_eq!(found, expect);
        }
    }

    #[test]
    fn what_is_no_record_is_none() {
        for text in
            ["", "null", "x{}", "{\"a\":", "{\"a\":\"b", "{}}", &"[".repeat(100), &"\0".repeat(90)]
        {
            assert_eq!(condensed(text, 3), None, "{text}");
        }
        assert_eq!(condensed(" {\"a\": [1, true]} ", 3), Some(json!({"a": [1, true]})));
    }
}
