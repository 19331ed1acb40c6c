//! Private keys of several lines: PEM, OpenSSH, PGP, PuTTY.
//!
//! By hand, since a key in a log is rarely a clean block: its lines end in `\n` or `\\n`, stand behind `> `,
//! spaces, time stamps or `"` ` +`, and the END line may be missing because somebody cut the text.

use std::ops::Range;

use super::text::escaped;

/// What a key starts with.
pub(super) const OPENING: &str = "-----begin ";
/// The same for PuTTY's own format.
pub(super) const PUTTY: &str = "private-lines:";

/// A key body has at least one run of Base64 of this length.
const BODY: usize = 24;
/// Longest stretch between two lines of a key: a prompt, a time stamp, quotes, headers are shorter.
const GAP: usize = 96;

/// The whole key, from BEGIN to END or to its last line, if one starts at `hit`.
pub(super) fn key(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let label = &text[hit.end..text.len().min(hit.end + 48)];
    let dashes = memchr::memmem::find(label, b"-----")?;
    let label = &label[..dashes];
    if !ends_with_key(label) {
        return None;
    }
    let from = hit.end + dashes + 5;
    body(text, from).map(|end| hit.start..end)
}

fn ends_with_key(label: &[u8]) -> bool {
    let label = label.strip_suffix(b" BLOCK").unwrap_or(label);
    label.ends_with(b"PRIVATE KEY") || label.ends_with(b"private key")
}

/// The lines after `Private-Lines: 14`, and the MAC.
pub(super) fn putty(text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let digits =
        text[hit.end..].iter().take(6).take_while(|b| b.is_ascii_digit() || **b == b' ').count();
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
    loop {
        let Some(next) = separator(text, at) else { return end };
        if text[next..].starts_with(b"-----END") || text[next..].starts_with(b"-----end") {
            return end.map(|end| closing(text, next).unwrap_or(end));
        }
        let run = text[next..].iter().take_while(|byte| is_base64(**byte)).count();
        let stop = next + run;
        let long = run >= BODY;
        // The last line is short. It counts when a key stands before it and nothing else on its line.
        let last = end.is_some()
            && run > 0
            && run <= width
            && (alone(text, stop) || ends_soon(text, stop));
        if !(long && !worded(&text[next..stop]) || last) {
            return end;
        }
        // A line of prose after a cut key: short lower-case words are no Base64.
        if !long
            && run < 16
            && text[next..stop].iter().all(u8::is_ascii_lowercase)
            && !ends_soon(text, stop)
        {
            return end;
        }
        width = width.max(run);
        end = Some(stop);
        at = stop;
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Slashes between words: a path, not a line of a key.
fn worded(run: &[u8]) -> bool {
    run.contains(&b'/') && super::shapes::path(run) || run.iter().all(u8::is_ascii_lowercase)
}

/// Skips what stands between two lines of a key; `None` at the end of the text or of the string it stands in.
fn separator(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < text.len() && at < from + 8 * GAP {
        let rest = &text[at..];
        let step = match rest[0] {
            b'-' if rest.starts_with(b"-----") => return Some(at),
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
    const NAMES: [&[u8]; 9] = [
        b"Proc-Type:",
        b"DEK-Info:",
        b"Version:",
        b"Comment:",
        b"Hash:",
        b"Charset:",
        b"Subject:",
        b"X-",
        b"Key-",
    ];
    let line = rest
        .iter()
        .take(GAP)
        .take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'\\' | b'"'))
        .count();
    if NAMES.iter().any(|name| rest.starts_with(name)) {
        return Some(line);
    }
    // A date or a time: digits with `-` or `:` inside, up to the next space.
    let stamp = rest
        .iter()
        .take(32)
        .take_while(|b| b.is_ascii_digit() || matches!(b, b'-' | b':' | b'.' | b'T' | b'Z' | b'+'))
        .count();
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
    memchr::memmem::find(&text[at..text.len().min(at + 40)], b"-----END").is_some()
}

/// Where `-----END ... KEY-----` ends.
fn closing(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at + 8..text.len().min(at + 64)];
    let dashes = memchr::memmem::find(rest, b"-----")?;
    rest[..dashes]
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || *b == b' ')
        .then_some(at + 8 + dashes + 5)
}

/// The string literals a key is spread over: source code joins its lines with `" +`, and no quote may go.
pub(super) fn literals(text: &[u8], key: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = key.start;
    let quotes = key.clone().filter(|at| text[*at] == b'"' && !escaped(text, *at));
    for (place, end) in quotes.chain([key.end]).enumerate() {
        // Between two literals stands ` +`, or the syntax of a JSON array.
        let least = if place % 2 == 0 { 4 } else { 16 };
        if text[start..end].split(|byte| !is_base64(*byte)).any(|run| run.len() >= least) {
            parts.push(start..end);
        }
        start = end + 1;
    }
    parts
}
