//! Files as programs show them, pasted into a prompt: each line with its number and a tab in front.

use std::borrow::Cow;

use crate::memory::entry::EntryLine;

/// So many lines that count up make a listing, and so many of one that begins at 1, which may be a list of somebody's own.
const LISTING: usize = 10;
const FROM_ONE: usize = 30;

/// Lines without those of listings.
pub(super) fn without_listings<'l, 'a>(
    lines: Cow<'l, [EntryLine<'a>]>,
) -> Cow<'l, [EntryLine<'a>]> {
    if lines.iter().filter(|line| number(line).is_some()).take(LISTING).count() < LISTING {
        return lines;
    }
    let mut kept = Vec::with_capacity(lines.len());
    let counts_up = |a: &EntryLine<'_>, b: &EntryLine<'_>| {
        number(a).and_then(|a| a.checked_add(1)).is_some_and(|next| number(b) == Some(next))
    };
    for run in lines.chunk_by(counts_up) {
        let least = if number(&run[0]) == Some(1) { FROM_ONE } else { LISTING };
        if run.len() < least {
            kept.extend_from_slice(run);
        }
    }
    Cow::Owned(kept)
}

/// The number that a line has in front of a tab.
fn number(line: &EntryLine<'_>) -> Option<u32> {
    let text = line.text.trim_start_matches(' ');
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text[digits..].starts_with('\t').then(|| text[..digits].parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<&str> {
        let lines: Vec<EntryLine<'_>> =
            text.lines().map(|text| EntryLine { text, code: false }).collect();
        without_listings(Cow::Borrowed(&lines)).iter().map(|line| line.text).collect()
    }

    #[test]
    fn a_file_with_its_numbers_goes_and_a_list_stays() {
        let numbered = |from: u32, to: u32| -> String {
            let lines: Vec<String> =
                (from..=to).map(|n| format!("  {n}\tthe gate is open")).collect();
            lines.join("\n") + "\n"
        };
        let shown = numbered(95, 104);
        assert_eq!(left(&format!("See:\n{shown}Mend it.")), ["See:", "Mend it."]);
        assert_eq!(left(&format!("{}Mend it.", numbered(1, 40))), ["Mend it."]);
        for own in [numbered(1, 12), numbered(2019, 2025)] {
            assert_eq!(left(&own), own.lines().collect::<Vec<_>>());
        }
        let last: Vec<String> = (0..10).map(|n| format!("{}\tbarge", u32::MAX - 9 + n)).collect();
        assert_eq!(left(&format!("{}\nMend it.", last.join("\n"))), ["Mend it."]);
        let gaps: Vec<String> = (0..20).map(|n| format!("{}\tbarges", n * 7)).collect();
        assert_eq!(left(&gaps.join("\n")), gaps);
    }
}
