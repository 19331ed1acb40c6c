//! Lines that nobody reads twice: what programs print, code, and what somebody pasted; line by line, with the reason.

use super::lexicon::shape;
use super::script::is_cjk_letter;
use crate::markdown::fence::Line;

/// Why a line is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noise {
    /// a frame of a stack trace; its first line stays
    Trace,
    /// a line of a program
    Code,
    /// what a program printed
    Console,
    /// a diff, or the status of a working tree
    Git,
    /// a line of a file with its number
    Listing,
    /// is inside what a person pasted
    Paste,
}

/// What each line of a turn is by those around it: [`of_line`], and what only a run of lines tells.
pub(crate) fn of_lines(lines: &[Line<'_>], person: bool) -> Vec<Option<Noise>> {
    let mut noise: Vec<Option<Noise>> =
        lines.iter().map(|line| if line.code { None } else { of_line(line.text) }).collect();
    mark_git(lines, &mut noise);
    mark_listings(lines, &mut noise);
    if person {
        mark_paste(lines, &mut noise);
    }
    noise
}

/// Why a line is noise by itself.
pub(crate) fn of_line(line: &str) -> Option<Noise> {
    let text = line.trim();
    if text.is_empty() {
        None
    } else if is_frame(line) {
        Some(Noise::Trace)
    } else if is_output(text) {
        Some(Noise::Console)
    } else if is_code(text) {
        Some(Noise::Code)
    } else {
        None
    }
}

/// Whether a line is a frame of a stack trace rather than its first line.
pub(crate) fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    let indented = text.len() < line.len();
    let is_numbered = || {
        let digits = text.trim_start_matches('#').trim_start_matches(|c: char| c.is_ascii_digit());
        digits.len() < text.len()
            && (digits.strip_prefix(": ").is_some_and(|rest| rest.contains("::"))
                || digits.trim_start().starts_with("0x"))
    };
    match text.as_bytes().first() {
        Some(b'a') => indented && text.starts_with("at ") && text.contains(['(', ':']),
        Some(b'F') => text.starts_with("File \"") && text.contains(", line "),
        Some(b'.') => text.starts_with("... ") && text.ends_with(" more"),
        Some(b'#' | b'0'..=b'9') => indented && is_numbered(),
        _ => false,
    }
}

fn is_output(text: &str) -> bool {
    begins_with(text, shape::OUTPUT)
        || begins_with_stamp(text)
        || is_place(text)
        || is_field(text)
        || is_row(text)
        || is_mostly_long_words(text)
        || has_few_letters(text)
        || is_escaped(text)
}

/// Whether a text begins with one of some beginnings. Asked of every line, so the first letter decides in most cases.
fn begins_with(text: &str, beginnings: &[&str]) -> bool {
    let first = text.as_bytes().first();
    beginnings.iter().any(|begins| begins.as_bytes().first() == first && text.starts_with(begins))
}

fn is_code(text: &str) -> bool {
    let ends = |endings: &[&str]| endings.iter().any(|ending| text.ends_with(ending));
    ends(shape::ENDS)
        || (begins_with(text, shape::CODE) && ends(shape::CODE_ENDS))
        || is_statement(text)
}

/// `[07/21/26 11:19`, `2026-03-15 14:02:11`, `Feb 05 14:51:07`, `time=… level=INFO`
fn begins_with_stamp(text: &str) -> bool {
    let text = text.strip_prefix(['[', '(']).unwrap_or(text);
    let is_month = |text: &str| {
        text.len() > 4
            && text.as_bytes()[..3].iter().all(u8::is_ascii_alphabetic)
            && text.as_bytes()[3] == b' '
    };
    if (text.starts_with("time=") || text.starts_with("level=")) && text.contains(" msg=") {
        return true;
    }
    let text = if is_month(text) { text[4..].trim_start() } else { text };
    let (mut digits, mut marks) = (0, 0);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b':' | b'/' | b'-' => marks += 1,
            b'.' | b',' | b'T' | b' ' | b'Z' | b'+' => {}
            _ => break,
        }
    }
    digits >= 6 && marks >= 2
}

/// `parser_test.go:77: expected 3`: a place in a file, as compilers and tests print it.
fn is_place(text: &str) -> bool {
    let Some((path, rest)) = text.split_once(':') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0
        && rest[digits..].starts_with(':')
        && !path.contains(' ')
        && path.rsplit_once('.').is_some_and(|(_, ending)| {
            (1..5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase())
        })
}

/// `author:\tada`, `title:\tMend the gate`: a name, a tab and a value, as programs print what they know.
fn is_field(text: &str) -> bool {
    if memchr::memchr(b'\t', text.as_bytes()).is_none() {
        return false;
    }
    let Some((name, _)) = text.split_once(":\t") else { return false };
    let name = name.rsplit(' ').next().unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// `id | name | kind | time`: a row of a table as databases print it, with neither end closed.
fn is_row(text: &str) -> bool {
    memchr::memchr_iter(b'|', text.as_bytes()).nth(2).is_some()
        && !text.starts_with('|')
        && !text.contains('`')
        && text.matches(" | ").count() >= 3
}

/// `client.Flags().String("name")`, `count := 3`, `var cloudURL string // hidden`
fn is_statement(text: &str) -> bool {
    if memchr::memchr3(b'(', b'=', b'/', text.as_bytes()).is_none() || text.contains('`') {
        return false;
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_call = first.split_once('(').is_some_and(|(name, _)| {
        let is_part = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        name.contains('.') && name.split('.').all(is_part)
    });
    let declares =
        || begins_with(text, shape::CODE) && (text.contains(" // ") || text.contains(" = "));
    is_call || text.contains(" := ") || declares()
}

/// Text as JSON has it, with `\n` for the end of each line.
fn is_escaped(text: &str) -> bool {
    /// So many may be in a sentence about them.
    const ENDS: usize = 3;
    memchr::memchr(b'\\', text.as_bytes()).is_some()
        && text.split('`').step_by(2).map(|part| part.matches("\\n").count()).sum::<usize>() > ENDS
}

/// Paths, addresses or keys with little beside them.
fn is_mostly_long_words(text: &str) -> bool {
    /// The longest that a word may be, and so many others say something of it.
    const WORD: usize = 48;
    const OTHERS: usize = 5;
    if text.len() <= WORD || !text.is_ascii() {
        return false;
    }
    let (mut long, mut others) = (0, 0);
    for word in text.split_ascii_whitespace() {
        if word.len() > WORD {
            long += word.len();
        } else {
            others += 1;
        }
    }
    long * 2 > text.len() && others < OTHERS
}

fn has_few_letters(text: &str) -> bool {
    /// A letter of a script that writes a word in one or two: as much as this many of others.
    const WIDE: usize = 3;
    let (mut letters, mut all) = (0, 0);
    if text.is_ascii() {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b' ';
        (letters, all) =
            (text.as_bytes().iter().filter(|byte| is_letter(byte)).count(), text.len());
    } else {
        for c in text.chars() {
            let width = if is_cjk_letter(c) { WIDE } else { 1 };
            all += width;
            letters += if c == ' ' || c.is_alphabetic() { width } else { 0 };
        }
    }
    all >= 8 && letters * 100 < all * 65
}

/// Marks what git prints: a diff or a status, from its first line to the first that is of neither.
fn mark_git(lines: &[Line<'_>], noise: &mut [Option<Noise>]) {
    let mut inside: Option<&str> = None;
    for (at, line) in lines.iter().enumerate() {
        let text = line.text.strip_prefix('\\').unwrap_or(line.text);
        if line.code {
            inside = None;
        } else if begins_git(text, "diff --git a/") || text.starts_with("@@ -") {
            inside = Some("diff");
        } else if begins_git(text, "On branch ") && !text.trim_end().ends_with('.') {
            inside = Some("status");
        } else if let Some(name) = inside {
            let goes_on = match name {
                "diff" => {
                    begins_with(text, shape::DIFF)
                        || text.starts_with([' ', '\t'])
                        || text.is_empty()
                }
                _ => {
                    begins_with(text, shape::STATUS)
                        || text.starts_with('\t')
                        || text.trim().is_empty()
                }
            };
            inside = inside.filter(|_| goes_on);
        }
        if inside.is_some() && !text.trim().is_empty() {
            noise[at] = Some(Noise::Git);
        }
    }
}

/// Whether output of git begins on a line, perhaps after a label: `- Current git status: On branch main`.
fn begins_git(text: &str, with: &str) -> bool {
    let labels = memchr::memchr_iter(b':', text.as_bytes());
    let behind = labels.filter_map(|colon| text[colon..].strip_prefix(": "));
    std::iter::once(text).chain(behind).any(|rest| rest.starts_with(with))
}

/// Marks files as programs show them: each line with its number in front.
fn mark_listings(lines: &[Line<'_>], noise: &mut [Option<Noise>]) {
    /// So many lines that count up make a listing.
    const LISTING: usize = 10;
    let number = |line: &Line<'_>| -> Option<u32> {
        let text = line.text.trim_start();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        text[digits..].starts_with(['\t', '→']).then(|| text[..digits].parse().ok())?
    };
    let mut from = 0;
    let follows = |a: &Line<'_>, b: &Line<'_>| {
        number(a).and_then(|a| a.checked_add(1)).is_some_and(|next| number(b) == Some(next))
    };
    for run in lines.chunk_by(follows) {
        if run.len() >= LISTING {
            noise[from..from + run.len()].fill(Some(Noise::Listing));
        }
        from += run.len();
    }
}

/// Where most of a person's turn is output of a program, what lies inside it is, too, whatever it looks like: the
/// person's own words are in a few lines before and after.
fn mark_paste(lines: &[Line<'_>], noise: &mut [Option<Noise>]) {
    /// How many lines of output make a paste, and how many before and after one are a person's own.
    const PASTE: usize = 5;
    const AROUND: usize = 6;
    let full = lines.iter().filter(|line| !line.code && !line.text.trim().is_empty()).count();
    let marked: Vec<usize> = (0..lines.len()).filter(|at| noise[*at].is_some()).collect();
    let (&[first, .., last], false) =
        (&marked[..], marked.len() < PASTE || marked.len() * 2 < full)
    else {
        return;
    };
    let own = |at: usize| at < first.min(AROUND) || at > last && at + AROUND >= lines.len();
    for (at, noise) in noise.iter_mut().enumerate() {
        if !own(at) && noise.is_none() {
            *noise = Some(Noise::Paste);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_output_are_told_from_prose() {
        for (text, expect) in [
            (
                "syncCmd.Flags().StringVar(&url, \"cloud-url\", \"\", \"the address\")",
                Some(Noise::Code),
            ),
            ("count := len(rows)", Some(Noise::Code)),
            ("var cloudURL string // hidden", Some(Noise::Code)),
            ("author:\tada", Some(Noise::Console)),
            (r#""text": "The gate\n\nMend it\n\nToday\n""#, Some(Noise::Console)),
            ("=== RUN   TestGates", Some(Noise::Console)),
            ("12 340 7.1 0x88 円 4.2", Some(Noise::Console)),
            ("Feb 05 14:51:07 pier systemd[1]: started", Some(Noise::Console)),
            ("level=info msg=\"started\"", Some(Noise::Console)),
            ("user_id | name | kind | time", Some(Noise::Console)),
            ("    at frame_0 (src/pool.rs:120)", Some(Noise::Trace)),
            ("   4: core::panicking::panic_fmt", Some(Noise::Trace)),
            ("- at noon: lunch", None),
            ("`count := 3` stood outside the loop", None),
            ("Let the limit = the tall one, please", None),
            ("from now on never commit the lock file", None),
            (r"Write `\r\n` as `\n`, and no `\n` at the end", None),
            ("Run `logs | sort | uniq | head` before the release", None),
            ("月額は4,900円です。", None),
            ("TTL를 10초에서 60초로", None),
        ] {
            assert_eq!(of_line(text), expect, "{text}");
        }
    }

    #[test]
    fn a_diff_and_a_paste_end_where_words_begin() {
        let check = |text: &str, expect: &str| {
            let lines: Vec<Line<'_>> =
                text.lines().map(|text| Line { text, code: false }).collect();
            let noise = of_lines(&lines, true);
            let kept: Vec<&str> = lines
                .iter()
                .zip(noise)
                .filter(|(_, noise)| noise.is_none())
                .map(|(line, _)| line.text)
                .collect();
            assert_eq!(kept.join("|"), expect, "{text}");
        };
        check(
            "why?\ndiff --git a/x b/x\nindex 1..2\n@@ -1 +1 @@\n-old words\n+new words\nthat is all",
            "why?|that is all",
        );
        check("On branch main\nnothing to commit, working tree clean\nso what now", "so what now");
        check("We are On branch main.", "We are On branch main.");
    }
}
