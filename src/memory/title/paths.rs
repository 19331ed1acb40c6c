//! Paths and addresses in a sentence.

use std::borrow::Cow;

use crate::memory::topics::is_common;

/// Paths longer than this are shown by their last part.
const LONG_PATH: usize = 40;

/// Whether a token is a path or an address.
pub(super) fn is_path(token: &str) -> bool {
    let parted = token.contains('/') && token.len() > 3 || token.contains('\\') && token.len() > 5;
    // `and/or` and `he/she` are none.
    let is_common = |part: &str| is_common(&part.to_lowercase());
    parted && token.chars().any(char::is_alphabetic) && !token.split('/').any(is_common)
}

/// A text without its paths and addresses.
pub(super) fn without_paths(text: &str) -> String {
    let kept: Vec<&str> = text.split_whitespace().filter(|token| !is_path(token)).collect();
    kept.join(" ")
}

/// A text whose long paths and addresses are shown by their last part.
pub(super) fn with_short_paths(text: &str) -> String {
    let mut kept = text.to_owned();
    for mark in ["[Image", "[image", "[Pasted text"] {
        while let Some(at) = kept.find(mark) {
            let Some(end) = kept[at..].find(']') else { break };
            kept.replace_range(at..=at + end, "");
        }
    }
    let tokens: Vec<Cow<'_, str>> = kept.split_whitespace().map(short_path).collect();
    tokens.join(" ")
}

fn short_path(token: &str) -> Cow<'_, str> {
    let address = token.contains("://");
    let marks = ['"', '\'', '`', '(', ')', ',', '.', ';', ':', '!', '?', '<', '>'];
    let lead = token.len() - token.trim_start_matches(&marks[..5]).len();
    let core = token[lead..].trim_end_matches(marks);
    let absolute = core.trim_start_matches('@').starts_with(['/', '~']);
    if !is_path(core) || !(address || absolute || core.len() > LONG_PATH) {
        return Cow::Borrowed(token);
    }
    let tail = &token[lead + core.len()..];
    let mut parts =
        core.split("://").last().unwrap_or(core).rsplit('/').filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or(core);
    let kind = parts.next().filter(|_| address && last.bytes().all(|byte| byte.is_ascii_digit()));
    let number = kind.map(|kind| format!("{kind}/{last}"));
    Cow::Owned(format!("{}{}{tail}", &token[..lead], number.as_deref().unwrap_or(last)))
}
