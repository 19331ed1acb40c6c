//! What is before the first visible character of a line.

/// The byte order mark, which some editors put at the beginning of a file.
pub(crate) const BOM: char = '\u{feff}';

/// A line cut before its first visible character.
///
/// `"\u{feff} ## x"` is `("\u{feff} ", "## x")`.
pub(crate) fn split(line: &str) -> (&str, &str) {
    // Most lines begin with what is seen.
    if line.as_bytes().first().is_none_or(u8::is_ascii_graphic) {
        return ("", line);
    }
    let at = line.find(|c: char| !is_unseen(c)).unwrap_or(line.len());
    line.split_at(at)
}

/// Whether a character leaves no ink: blanks, control characters, marks of direction and the like.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | BOM | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// How far a lead indents what follows, in columns: four are enough to make a line of Markdown code.
pub(crate) fn columns(lead: &str) -> usize {
    lead.chars().fold(0, |columns, c| match c {
        ' ' => columns + 1,
        '\t' => columns / 4 * 4 + 4,
        _ => columns,
    })
}

/// A line without the byte order mark that it may begin with: files are read one after the other as one text.
pub(crate) fn without_bom(line: &str) -> &str {
    line.strip_prefix(BOM).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_ends_at_the_first_ink() {
        fn check(line: &str, lead: &str, indent: usize) {
            let (found, rest) = split(line);
            assert_eq!((found, columns(found)), (lead, indent), "{line:?}");
            assert_eq!(format!("{found}{rest}"), line);
        }
        check("x", "", 0);
        check("", "", 0);
        check("  x y", "  ", 2);
        check("\u{feff}## x", "\u{feff}", 0);
        check("\u{1}\u{200b} x", "\u{1}\u{200b} ", 1);
        check(" \tx", " \t", 4);
        check("\u{a0}\u{2028}x", "\u{a0}\u{2028}", 0);
        check("한", "", 0);
    }
}
