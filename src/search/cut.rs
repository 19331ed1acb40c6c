//! Cuts a file into the places that can be found: the entries and sessions of a log, the sections of other texts.

use crate::markdown::{fence, heading, lead};
use crate::memory::entry::{self, EntryType};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// its first byte, that of the heading where there is one
    pub(super) from: usize,
    /// the byte after its last
    pub(super) to: usize,
    /// the type its heading names
    pub(super) kind: Option<EntryType>,
}

/// The deepest heading that begins a section in a text that is no log.
const DEEPEST: usize = 3;

/// The sections of a text. In a log only `## ` begins one; elsewhere every heading down to the third level does.
pub(super) fn sections(text: &str, is_log: bool) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    let bytes = text.as_bytes();
    let mut marked: Vec<(usize, &str)> = Vec::new();
    let mut from = 0;
    // Only few lines decide which headings count, so only these are looked at.
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let line = &bytes[from..end];
        if line.first() == Some(&b'#') || fence::may_matter(line) {
            let line = &text[from..end];
            marked.push((from, line.strip_suffix('\r').unwrap_or(line)));
        }
        from = end + 1;
    }
    let code = fence::mark(marked.iter().map(|(_, line)| *line));
    for ((at, line), _) in marked.into_iter().zip(code).filter(|(_, code)| !code) {
        let line = lead::without_bom(line);
        let kind = match entry::heading(line) {
            Some((_, kind)) => kind,
            None if !is_log
                && heading::heading(line).is_some_and(|(level, _)| level <= DEEPEST) =>
            {
                None
            }
            None => continue,
        };
        match cuts.last_mut() {
            Some(last) => last.to = at,
            None if at > 0 => cuts.push(Cut { from: 0, to: at, kind: None }),
            None => {}
        }
        cuts.push(Cut { from: at, to: bytes.len(), kind });
    }
    if cuts.is_empty() {
        cuts.push(Cut { from: 0, to: bytes.len(), kind: None });
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_begin_at_headings_outside_code() {
        #[track_caller]
        fn check(text: &str, is_log: bool, expect: &[&str]) {
            let found: Vec<&str> =
                sections(text, is_log).iter().map(|cut| &text[cut.from..cut.to]).collect();
            assert_eq!(found, expect, "{text:?}");
        }
        check(
            "# day\n\n## A\nx\n## B [user]\n",
            true,
            &["# day\n\n", "## A\nx\n", "## B [user]\n"],
        );
        check("# A\nx\n### B\n", false, &["# A\nx\n", "### B\n"]);
        check("```\n## no\n```\n## yes", true, &["```\n## no\n```\n", "## yes"]);
        check("\u{feff}## A\r\nx", true, &["\u{feff}## A\r\nx"]);
        check("", true, &[""]);
    }
}
