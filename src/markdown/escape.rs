//! Somebody's words, made fit to be in a log: nothing in them is read as structure.

use std::borrow::Cow;

use super::fence::{self, OpenFence};
use super::form::begins_as_form;
use super::heading::{heading, is_rule};
use super::label::begins_as_label;
use super::lead;
use super::marker::begins_as_marker;
use crate::text::lines;

/// The words as they are in a log. A line that would be read as a marker, a label, a line about the session, a heading
/// or the edge of a head gets a `\` before its first visible character; control characters are dropped; a fence left
/// open is closed.
pub(crate) fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 16);
    let mut open = OpenFence::default();
    for line in words.trim_matches(['\n', '\r', ' ', '\t']).lines() {
        if !out.is_empty() {
            out.push('\n');
        }
        let line = without_controls(line);
        push_line(&mut out, &line, open);
        open.line(&line);
    }
    push_closing(&mut out, open);
    out
}

fn without_controls(line: &str) -> Cow<'_, str> {
    let is_kept = |c: char| c == '\t' || !c.is_control();
    if line.chars().all(is_kept) {
        return Cow::Borrowed(line);
    }
    Cow::Owned(line.chars().filter(|c| is_kept(*c)).collect())
}

fn push_line(out: &mut String, line: &str, open: OpenFence) {
    let (lead, text) = lead::split(line);
    out.push_str(lead);
    if reads_as_ours(text) || (!open.is_open() && reads_as_markdown(line)) {
        out.push('\\');
    }
    out.push_str(text);
}

/// Whether the text of a line, without what is before it, is structure in code, too.
fn reads_as_ours(text: &str) -> bool {
    begins_as_marker(text) || begins_as_label(text) || begins_as_form(text)
}

fn reads_as_markdown(line: &str) -> bool {
    heading(line).is_some() || is_rule(line)
}

/// Cuts a text that [`escape`] gave to at most `limit` bytes, so that it is still one that it gives.
pub(crate) fn truncate(text: &mut String, limit: usize) {
    let Some(at) = (0..=limit).rev().find(|at| text.is_char_boundary(*at)) else { return };
    if at >= text.len() {
        return;
    }
    text.truncate(at);
    // What is left of the last line may be read as something that the whole line was not.
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text.split_off(start);
    let open = OpenFence::after(text);
    push_line(text, &line, open);
    close_fence(text);
}

/// Closes a fence that a text leaves open.
pub(crate) fn close_fence(text: &mut String) {
    let open = OpenFence::after(text);
    push_closing(text, open);
}

fn push_closing(text: &mut String, open: OpenFence) {
    if let Some(closing) = open.closing() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&closing);
    }
}

/// The text without the `\` that [`escape`] puts, for comparing words: what is escaped may have been written by a
/// version that escaped less.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (lead, rest) = lead::split(line);
        out.push_str(lead);
        let bare = rest.strip_prefix('\\').filter(|bare| {
            let (mark, line) = (bare.as_bytes().first(), bare.trim_end_matches(['\n', '\r']));
            mark.is_some_and(|mark| !matches!(mark, b' ' | b'\t'))
                && (reads_as_ours(line) || reads_as_markdown(line))
        });
        out.push_str(bare.unwrap_or(rest));
    }
    Cow::Owned(out)
}

/// Whether a text begins with a Markdown block and therefore cannot share its line with a label.
pub(crate) fn begins_a_block(text: &str) -> bool {
    let line = lines(text).next().unwrap_or_default();
    let listed = |mark: &str| line.starts_with(mark);
    let numbered = line.split_once(['.', ')']).is_some_and(|(number, rest)| {
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && rest.starts_with(' ')
    });
    fence::is_fence(line)
        || ["```", "~~~", "\\", "|", ">", "- ", "* ", "+ ", "    "].into_iter().any(listed)
        || numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reads_as_structure() {
        fn check(words: &str, expect: &str) {
            assert_eq!(escape(words), expect, "{words}");
        }
        check("# a\n## b\n#!/bin/sh\n#tag", "\\# a\n\\## b\n#!/bin/sh\n#tag");
        check("  ### c\n    ## code", "\\### c\n    ## code");
        check("x\n---\n----\n--- y", "x\n\\---\n----\n--- y");
        check("<!-- hipocampus:end S 3 -->", "\\<!-- hipocampus:end S 3 -->");
        check(
            "```sh\n# comment\n**User:** x\n```\n# h",
            "```sh\n# comment\n\\**User:** x\n```\n\\# h",
        );
        check("~~~~\n# a\n~~~", "~~~~\n# a\n~~~\n~~~~");
        check("open\n```rust\nfn", "open\n```rust\nfn\n```");
        check("a\u{0}b\u{1b}[31m\r\nc\r", "ab[31m\nc");
        check("\n\n", "");
        check("\u{feff}## a [feedback]", "\u{feff}\\## a [feedback]");
        check("\u{200b} \u{a0}# a", "\u{200b} \u{a0}\\# a");
        check(
            "\t**User:** x\nUser: y\n__Assistant:__ z",
            "\\**User:** x\n\\User: y\n\\__Assistant:__ z",
        );
        check("Users: x\nUser::new()\nNote: y", "Users: x\nUser::new()\nNote: y");
        check(
            "**Title:** x\n[files: a]\n  [branch:]",
            "\\**Title:** x\n\\[files: a]\n  \\[branch:]",
        );
        check("\u{1} ```\n## X [user]", " ```\n## X [user]\n```");
    }

    #[test]
    fn a_cut_text_is_still_harmless() {
        fn check(words: &str, limit: usize, expect: &str) {
            let mut text = escape(words);
            truncate(&mut text, limit);
            assert_eq!(text, expect, "{words}");
        }
        check("a\n----", 5, "a\n\\---");
        check("a\n####### x", 8, "a\n\\######");
        check("```\nabc", 5, "```\na\n```");
        check("```\n``` x", 8, "```\n``` ");
        check("한글", 4, "한");
        check("abc", 9, "abc");
    }

    #[test]
    fn what_is_escaped_is_found_again() {
        for words in ["## a\nUser: b\n\t[tools: x]\n---", "plain \\# b", "\u{feff}# x", "\\ # x"] {
            assert_eq!(unescape(&escape(words)), words.trim_start(), "{words}");
            assert_eq!(unescape(&unescape(&escape(words))), words.trim_start(), "{words}");
        }
    }
}
