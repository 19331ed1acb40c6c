//! Private keys of several lines: PEM, OpenSSH, PGP, `PuTTY`.
//!
//! By hand, since a key in a log is rarely a clean block: its lines end in `\n` or `\\n`, are behind `> `,
//! spaces, time stamps or `"` ` +`, and the END line may be missing because somebody cut the text.

use std::ops::Range;

use super::shapes;
use super::surroundings::{escaped, run_of};
use super::validators::Classes;

/// What a key starts with, in PEM and in the format of SSH2.
pub(super) const OPENINGS: [&str; 2] = ["-----begin ", "---- begin ssh2 "];
/// What its last line starts with.
pub(super) const CLOSINGS: [&str; 2] = ["-----end ", "---- end ssh2 "];
/// The same for `PuTTY`'s own format.
pub(super) const PUTTY: &str = "private-lines:";

/// A key body has at least one run of Base64 of this length.
const BODY: usize = 24;
/// Longest stretch between two lines of a key: a prompt, a time stamp, quotes, headers are shorter.
const GAP: usize = 96;

/// The whole key, from BEGIN to END or to its last line, if one starts at `hit`.
pub(super) fn key(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let from = label_end(text, hit.end)?;
    body(text, from).map(|end| hit.start..end)
}

/// Where `RSA PRIVATE KEY-----` ends that starts at `from`; `None` for other labels.
pub(super) fn label_end(text: &[u8], from: usize) -> Option<usize> {
    let label = &text[from..text.len().min(from + 48)];
    let dashes = memchr::memmem::find(label, b"----")?;
    let more = run_of(&label[dashes..], 5, |byte| *byte == b'-');
    let label = label[..dashes].trim_ascii_end();
    let label = label.strip_suffix(b" BLOCK").unwrap_or(label);
    let private = label.ends_with(b"PRIVATE KEY") || label.ends_with(b"private key");
    private.then_some(from + dashes + more)
}

/// The lines after `Private-Lines: 14`, and the MAC.
pub(super) fn putty(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let digits = run_of(&text[hit.end..], 6, |b| b.is_ascii_digit() || *b == b' ');
    let from = hit.end + digits;
    let end = body(text, from)?;
    let lead =
        text[from..end].iter().take_while(|byte| !is_base64(**byte) || **byte == b'n').count();
    Some(from + lead..end)
}

/// Where the key that starts at `from` ends; `None` if no key follows.
fn body(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    let mut end = None;
    let mut width = 0;
    // How much was before the last line that had something before it.
    let mut lead = None;
    loop {
        let Some(next) = separator(text, at) else { return end };
        if closes(&text[next..]) {
            return end.map(|end| closing(text, next).unwrap_or(end));
        }
        let run = text[next..].iter().take_while(|byte| is_base64(**byte)).count();
        let stop = next + run;
        let long = run >= BODY;
        // The last line is short. It counts when a key is before it and nothing else on its line.
        let last = end.is_some()
            && run > 0
            && run <= width
            && (alone(text, stop) || ends_soon(text, stop));
        let prose = !long
            && run < 16
            && text[next..stop].iter().all(u8::is_ascii_lowercase)
            && !ends_soon(text, stop);
        if (long && !worded(&text[next..stop]) || last) && !prose {
            width = width.max(run);
            end = Some(stop);
            at = stop;
            continue;
        }
        match behind(text, next) {
            Some(Behind::Line(line)) if fits(&text[line.clone()], width) => {
                lead = Some(line.start - next);
                width = width.max(line.len());
                end = Some(line.end);
                at = line.end;
            }
            // The short last line is behind as much as the line before it.
            Some(Behind::Line(line))
                if lead.is_some_and(|lead| lead.abs_diff(line.start - next) < 3)
                    && line.len() <= width =>
            {
                return ended(text, line.end).or(Some(line.end));
            }
            Some(Behind::End(close)) if end.is_some() => {
                return closing(text, close).or(end);
            }
            _ => return end,
        }
    }
}

/// Where the END line ends that follows a last line, whatever is before it.
fn ended(text: &[u8], from: usize) -> Option<usize> {
    let next = separator(text, from)?;
    if closes(&text[next..]) {
        return closing(text, next);
    }
    match behind(text, next) {
        Some(Behind::End(close)) => closing(text, close),
        _ => None,
    }
}

/// What a line holds after a prompt, a number, a time stamp, a file name or the cells of a table.
enum Behind {
    /// Base64 up to the end of the line
    Line(Range<usize>),
    /// where `-----END` starts
    End(usize),
}

/// Looks at the line from `at` on for a line of a key behind at most [`GAP`] other bytes.
fn behind(text: &[u8], at: usize) -> Option<Behind> {
    /// no line of a key is longer
    const WIDEST: usize = 80;
    let near = &text[at..text.len().min(at + GAP + WIDEST)];
    let stops = |i: usize| match near[i] {
        b'\n' | b'\r' | b'"' | b'<' => true,
        b'\\' => matches!(near.get(i + 1), Some(b'n' | b'r' | b'\\' | b'u' | b'"')),
        b'&' => near.get(i + 1) == Some(&b'#'),
        _ => false,
    };
    let length = (0..near.len()).find(|i| stops(*i)).unwrap_or(near.len());
    if let Some(close) = memchr::memmem::find(&near[..length], b"----") {
        return closes(&near[close..]).then_some(Behind::End(at + close));
    }
    if at + length < text.len() && length == near.len() {
        return None;
    }
    let tail = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'|' | b'\'' | b'`' | b',');
    let length = length - near[..length].iter().rev().take_while(tail).count();
    let run = near[..length].iter().rev().take_while(|byte| is_base64(**byte)).count();
    (run > 0 && length - run <= GAP).then(|| Behind::Line(at + length - run..at + length))
}

/// Whether a run is a line of a key and not a hash or a path: as wide as the lines before it, of letters in both cases.
fn fits(run: &[u8], width: usize) -> bool {
    let least = if width == 0 { 40 } else { BODY };
    let classes = Classes::of(run);
    run.len() >= least
        && run.len() >= width
        && classes.lower > 0
        && classes.upper > 0
        && !shapes::hexadecimal(run)
        && !worded(run)
}

/// The BEGIN line of a key with nothing after it.
pub(super) fn only_begin(text: &[u8]) -> Option<Range<usize>> {
    let from = memchr::memmem::find(text, b"---- BEGIN SSH2 ")
        .map(|at| at..at + 16)
        .or_else(|| memchr::memmem::find(text, b"-----BEGIN ").map(|at| at..at + 11))?;
    let end = label_end(text, from.end)?;
    text[end..].iter().all(|byte| !is_base64(*byte)).then_some(from.start..end)
}

/// The END line of a key, if the text ends in it.
pub(super) fn only_end(text: &[u8]) -> Option<Range<usize>> {
    let text = text.trim_ascii_end();
    let start = memchr::memmem::rfind(text, b"---- END ")
        .or_else(|| memchr::memmem::rfind(text, b"-----END "))?;
    let end = closing(text, start)?;
    (end == text.len()).then_some(start..end)
}

/// The line of a key the text ends in, as wide as the lines before it.
pub(super) fn only_line(text: &[u8], width: usize) -> Option<Range<usize>> {
    match behind(text, 0)? {
        Behind::Line(line)
            if fits(&text[line.clone()], width) && (width == 0 || line.len() == width) =>
        {
            let rest = &text[line.end..];
            rest.trim_ascii().is_empty().then_some(line)
        }
        _ => None,
    }
}

/// Base64 that ends the text and is no wider than a line.
pub(super) fn last_line(text: &[u8], width: usize) -> Option<Range<usize>> {
    match behind(text, 0)? {
        Behind::Line(line) if line.len() <= width => Some(line),
        _ => None,
    }
}

/// The end of a key whose BEGIN line is missing: `hit` is the `-----END ` it is before.
pub(super) fn tail(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    /// longer keys are cut here; 16384 bits are 13 kB
    const LONGEST: usize = 32 * 1024;
    let end = label_end(text, hit.end)?;
    let mut from = None;
    let mut at = hit.start;
    let mut width = 0;
    let mut proven = 0;
    let mut proof = false;
    while hit.start - at < LONGEST {
        let Some(line) = line_before(text, at) else { break };
        let run = &text[line.clone()];
        // Going back, the first line may be short; from then on all are as wide as each other.
        let first = from.is_none();
        let whole = fits(run, 0) && (proven == 0 || run.len() == proven) && run.len() >= width;
        if !whole && (!first || run.is_empty()) {
            break;
        }
        width = run.len();
        proven = if whole && !first { width } else { proven };
        proof |= whole;
        from = Some(line.start);
        at = line.start;
    }
    from.filter(|_| proof).map(|from| from..end)
}

/// The run of Base64 that ends the line before the one that `at` is in.
fn line_before(text: &[u8], at: usize) -> Option<Range<usize>> {
    let floor = at.saturating_sub(GAP);
    let is_end = |i: usize| {
        text[i] == b'\n' || text[i] == b'"' || text[i] == b'\\' && text.get(i + 1) == Some(&b'n')
    };
    let mut end = (floor..at).rev().find(|i| is_end(*i))?;
    let between = |at: usize| {
        matches!(text[at], b' ' | b'\t' | b'\r' | b'|' | b'\'' | b'`' | b'"' | b',' | b'\\')
            || escaped(text, at)
    };
    let opens = text[end] == b'"';
    let mut closed = false;
    while end > floor && between(end - 1) {
        end -= 1;
        closed |= text[end] == b'"';
    }
    // What is before a string without quotes of its own is a number, not a line.
    if opens && !closed {
        return None;
    }
    let run = text[end.saturating_sub(GAP)..end]
        .iter()
        .rev()
        .take_while(|byte| is_base64(**byte))
        .count();
    let start = end - run;
    // The `n` of an escaped line end is no Base64.
    let start = start + usize::from(run > 0 && escaped(text, start));
    Some(start..end)
}

/// Whether the line that starts here ends a key.
fn closes(rest: &[u8]) -> bool {
    CLOSINGS.iter().any(|closing| {
        rest.get(..closing.len()).is_some_and(|head| head.eq_ignore_ascii_case(closing.as_bytes()))
    })
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Slashes between words: a path, not a line of a key.
fn worded(run: &[u8]) -> bool {
    run.contains(&b'/') && super::address::path(run) || run.iter().all(u8::is_ascii_lowercase)
}

/// Skips what is between two lines of a key; `None` at the end of the text or of the string it is in.
fn separator(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < text.len() && at < from + 8 * GAP {
        let rest = &text[at..];
        let step = match rest[0] {
            b'-' if closes(rest) || rest.starts_with(b"-----") => return Some(at),
            // line ends of HTML
            b'<' if rest.starts_with(b"<br") => run_of(rest, 8, |b| *b != b'>'),
            b'&' if rest.starts_with(b"&#") => run_of(rest, 8, |b| *b != b';'),
            b'\\' => {
                let run = rest.iter().take_while(|byte| **byte == b'\\').count();
                match rest.get(run) {
                    Some(b'n' | b'r' | b't' | b'"' | b'\'') => run + 1,
                    _ => run,
                }
            }
            byte if !is_base64(byte) => 1,
            // `+` between two string literals, `//` before a comment
            b'+' | b'/' | b'=' if !rest.get(1).is_some_and(u8::is_ascii_alphanumeric) => 1,
            _ => match header(rest) {
                Some(length) => length,
                None => return Some(at),
            },
        };
        // `,"next":` ends the string that holds the key.
        if rest.starts_with(b"\":") || rest.starts_with(b"[REDACTED") {
            return None;
        }
        at += step;
        if at > from + GAP && !text[from..at].contains(&b':') {
            return None;
        }
    }
    None
}

/// The length of `Proc-Type: 4,ENCRYPTED`, of a time stamp or another short word before a line of the key.
fn header(rest: &[u8]) -> Option<usize> {
    const NAMES: &str = "Proc-Type: DEK-Info: Version: Comment: Hash: Charset: Subject: X- Key-";
    let line = run_of(rest, GAP, |byte| !matches!(byte, b'\n' | b'\r' | b'\\' | b'"'));
    if NAMES.split(' ').any(|name| rest.starts_with(name.as_bytes())) {
        return Some(line);
    }
    // A date or a time: digits with `-` or `:` inside, up to the next space.
    let stamp = run_of(rest, 32, |b| {
        b.is_ascii_digit() || matches!(b, b'-' | b':' | b'.' | b'T' | b'Z' | b'+')
    });
    (stamp >= 8
        && rest[..stamp].iter().any(|b| matches!(b, b'-' | b':'))
        && rest.get(stamp) == Some(&b' '))
    .then_some(stamp)
}

/// Whether a line ends here.
fn alone(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), None | Some(b'\n' | b'\r' | b'"' | b'\'' | b'\\' | b'`' | b'<'))
}

/// Whether END follows this line.
fn ends_soon(text: &[u8], at: usize) -> bool {
    memchr::memmem::find(&text[at..text.len().min(at + 40)], b"---- END").is_some()
        || memchr::memmem::find(&text[at..text.len().min(at + 40)], b"-----END").is_some()
}

/// Where `-----END ... KEY-----` ends.
fn closing(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at + 8..text.len().min(at + 64)];
    let dashes = memchr::memmem::find(rest, b"----")?;
    let more = run_of(&rest[dashes..], 5, |byte| *byte == b'-');
    rest[..dashes]
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || *b == b' ')
        .then_some(at + 8 + dashes + more)
}

/// The string literals a key is spread over: source code joins its lines with `" +`, and no quote may go.
pub(super) fn literals(text: &[u8], key: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = key.start;
    let quotes = key.clone().filter(|at| text[*at] == b'"' && !escaped(text, *at));
    for (place, end) in quotes.chain([key.end]).enumerate() {
        // Between two literals stands ` +`, or the syntax and the numbers of a JSON array.
        let inside = place % 2 == 0;
        let holds = |run: &[u8]| {
            let classes = Classes::of(run);
            if inside {
                run.len() >= 4
            } else {
                run.len() >= 16 && classes.lower > 0 && classes.upper > 0
            }
        };
        if text[start..end].split(|byte| !is_base64(*byte)).any(holds) {
            parts.push(start..end);
        }
        start = end + 1;
    }
    parts
}
