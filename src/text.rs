//! Small things about text that more than one module needs.

use std::borrow::Cow;

/// Bytes as text; what is no UTF-8 is replaced. Borrows in the usual case.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    // The check alone is several times faster than the replacing reader of the standard library.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// `1 day`, `2 days`: a number and a noun whose plural takes an `s`.
pub(crate) fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The lines of a text without their line ends, as [`str::lines`], at the speed of a byte search.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes());
    std::iter::from_fn(move || {
        let end = ends.next();
        if end.is_none() && from >= text.len() {
            return None;
        }
        let line = &text[from..end.unwrap_or(text.len())];
        from = end.map_or(text.len(), |end| end + 1);
        Some(if end.is_some() { line.strip_suffix('\r').unwrap_or(line) } else { line })
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_is_singular() {
        let counted = [0, 1, 2].map(|number| super::counted(number, "new turn"));
        assert_eq!(counted, ["0 new turns", "1 new turn", "2 new turns"]);
    }

    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in ["", "\n", "a", "a\n", "a\nb", "a\r\nb\r", "\n\n", "\r\n", "é\n\r\n한"] {
            let ours: Vec<_> = super::lines(text).collect();
            assert_eq!(ours, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
