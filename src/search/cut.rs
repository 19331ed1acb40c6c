//! Cuts a file into the places that can be found: the entries and sittings of a log, the sections of other texts.

use crate::memory::entry::{self, Kind};
use crate::memory::fence;

/// One section of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// its first byte, that of the heading where there is one
    pub(super) from: usize,
    /// the byte after its last
    pub(super) to: usize,
    /// the type its heading names
    pub(super) kind: Option<Kind>,
}

/// The sections of a text. In a log only `## ` begins one; elsewhere every heading down to the third level does.
pub(super) fn sections(text: &str, is_log: bool) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    let bytes = text.as_bytes();
    let mut marked: Vec<(usize, &str)> = Vec::new();
    let mut from = 0;
    // Only fences decide which headings count, so only these two kinds of lines are looked at.
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        let at = from + if from == 0 && text.starts_with('\u{feff}') { 3 } else { 0 };
        let line = &bytes[at.min(end)..end];
        if line.first() == Some(&b'#') || may_fence(line) {
            marked.push((from, text[from..end].trim_end_matches('\r')));
        }
        from = end + 1;
    }
    let code = fence::mark(marked.iter().map(|(_, line)| *line));
    for ((at, line), _) in marked.into_iter().zip(code).filter(|(_, code)| !code) {
        let kind = match entry::heading(line) {
            Some((_, kind)) => kind,
            None if !is_log && is_heading(line) => None,
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

fn may_fence(line: &[u8]) -> bool {
    let indent = line.iter().take(4).take_while(|byte| **byte == b' ').count();
    matches!(line.get(indent), Some(b'`' | b'~'))
}

/// `# Title` to `### Title`.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    let rest = line.trim_start_matches('#');
    (1..=3).contains(&(line.len() - rest.len())) && rest.starts_with([' ', '\t'])
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
        check("# day\n\n## A\nx\n## B [user]\n", true, &["# day\n\n", "## A\nx\n", "## B [user]\n"]);
        check("# A\nx\n### B\n", false, &["# A\nx\n", "### B\n"]);
        check("```\n## no\n```\n## yes", true, &["```\n## no\n```\n", "## yes"]);
        check("\u{feff}## A\r\nx", true, &["\u{feff}## A\r\nx"]);
        check("", true, &[""]);
    }
}
