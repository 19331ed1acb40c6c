//! The words of a turn, made fit to stand in a log: what others put into them is taken out, and nothing
//! in them can be read as a heading, a head or a marker of ours.

use std::borrow::Cow;

/// How our markers begin.
pub const MARKER: &str = "<!-- hipocampus:";
/// The beginning of a line with the words of the person.
pub const USER: &str = "**User:**";
/// The beginning of a line with the words of the model.
pub const ASSISTANT: &str = "**Assistant:**";

/// The words of a person without what the client or we put around them: leading and trailing
/// `<system-reminder>` parts, and text between our markers.
pub fn without_injections(words: &str) -> Cow<'_, str> {
    let mut words = words.trim();
    loop {
        let before = words.len();
        for (open, close) in [
            ("<system-reminder>", "</system-reminder>"),
            ("<environment_context>", "</environment_context>"),
        ] {
            if words.starts_with(open) {
                words = words.find(close).map_or("", |at| &words[at + close.len()..]).trim_start();
            }
            if words.ends_with(close)
                && let Some(at) = words.rfind(open)
            {
                words = words[..at].trim_end();
            }
        }
        if words.len() == before {
            break;
        }
    }
    if is_hook_output(words) && words.contains("hipocampus") {
        return Cow::Borrowed("");
    }
    without_marked_blocks(words)
}

/// The words of what is known to be a prompt: only parts that stand on lines of their own, as the client writes
/// them, are taken out. Somebody may ask about such things.
pub fn without_whole_injections(words: &str) -> Cow<'_, str> {
    const OPEN: &str = "<system-reminder>\n";
    const CLOSE: &str = "\n</system-reminder>";
    let mut words = words.trim();
    loop {
        let before = words.len();
        if words.starts_with(OPEN)
            && let Some(at) = words.find(CLOSE)
        {
            let rest = &words[at + CLOSE.len()..];
            if rest.is_empty() || rest.starts_with('\n') {
                words = rest.trim_start();
            }
        }
        if words.ends_with(CLOSE)
            && let Some(at) = words.rfind(OPEN)
            && (at == 0 || words[..at].ends_with('\n'))
        {
            words = words[..at].trim_end();
        }
        if words.len() == before {
            return without_marked_blocks(words);
        }
    }
}

/// Whether the client introduces what a session-start hook printed: `SessionStart:startup hook success: …`, or
/// the context in its JSON.
fn is_hook_output(words: &str) -> bool {
    let printed = |rest: &str| {
        let event = rest.split_once(" hook success:").map(|(source, _)| source);
        event.is_some_and(|source| source.bytes().all(|byte| byte.is_ascii_lowercase()))
    };
    words.starts_with("SessionStart hook additional context:")
        || words.strip_prefix("SessionStart:").is_some_and(printed)
}

/// The text without what stands between `<!-- hipocampus:NAME:start -->` and `<!-- hipocampus:NAME:end -->`.
fn without_marked_blocks(words: &str) -> Cow<'_, str> {
    const START: &str = ":start -->";
    let mut out = Cow::Borrowed(words);
    let mut from = 0;
    while let Some(at) = out[from..].find(MARKER).map(|at| from + at) {
        let rest = &out[at + MARKER.len()..];
        let name = rest.find(START).map(|end| &rest[..end]).filter(|name| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
        let end = name.and_then(|name| {
            let close = format!("{MARKER}{name}:end -->");
            out[at..].find(&close).map(|end| at + end + close.len())
        });
        match end {
            Some(end) => {
                let kept = format!("{}{}", out[..at].trim_end(), &out[end..]);
                out = Cow::Owned(kept.trim().to_owned());
                from = 0;
            }
            None => from = at + MARKER.len(),
        }
    }
    out
}

/// The words as they stand in a log: lines that would read as a marker, a head, a heading or the
/// beginning of a turn get a `\` in front, control characters are dropped, an open fence is closed.
pub fn harmless(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 16);
    let mut fence: Option<(char, usize)> = None;
    for line in words.trim_matches(['\n', '\r', ' ', '\t']).lines() {
        if !out.is_empty() {
            out.push('\n');
        }
        let line: String = line.chars().filter(|c| *c == '\t' || !c.is_control()).collect();
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        let ours = [
            MARKER,
            USER,
            ASSISTANT,
            "**Summary:**",
            "**Title:**",
            "[tools: ",
            "[cut: ",
            "[files: ",
            "[commit: ",
        ];
        let reads_as_ours = ours.iter().any(|mark| text.starts_with(mark));
        let reads_as_markdown = fence.is_none()
            && indent <= 3
            && (is_heading(text) || (text.starts_with("---") && text.trim_end() == "---"));
        out.push_str(&line[..indent]);
        if reads_as_ours || reads_as_markdown {
            out.push('\\');
        }
        out.push_str(text);
        if indent <= 3 {
            fence = after_line(fence, text);
        }
    }
    close(&mut out, fence);
    out
}

/// Closes a fence that a text leaves open.
pub fn close_fence(text: &mut String) {
    let mut fence = None;
    for line in text.lines() {
        let shorter = line.trim_start_matches(' ');
        if line.len() - shorter.len() <= 3 {
            fence = after_line(fence, shorter);
        }
    }
    close(text, fence);
}

fn close(text: &mut String, fence: Option<(char, usize)>) {
    if let Some((mark, length)) = fence {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.extend(std::iter::repeat_n(mark, length));
    }
}

/// Which fence is open after a line, as in CommonMark.
fn after_line(open: Option<(char, usize)>, text: &str) -> Option<(char, usize)> {
    let Some(mark) = text.chars().next().filter(|c| matches!(c, '`' | '~')) else { return open };
    let length = text.chars().take_while(|c| *c == mark).count();
    let info = text[length..].trim();
    match open {
        _ if length < 3 => open,
        Some((kind, least)) if kind == mark && length >= least && info.is_empty() => None,
        Some(_) => open,
        None if mark == '`' && info.contains('`') => None,
        None => Some((mark, length)),
    }
}

fn is_heading(text: &str) -> bool {
    let rest = text.trim_start_matches('#');
    (1..=6).contains(&(text.len() - rest.len()))
        && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Whether a line begins a Markdown block and therefore cannot share its line with a label.
pub fn begins_a_block(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let listed = |mark: &str| line.starts_with(mark);
    let numbered = line.split_once(['.', ')']).is_some_and(|(number, rest)| {
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && rest.starts_with(' ')
    });
    ["```", "~~~", "\\", "|", ">", "- ", "* ", "+ ", "    "].into_iter().any(listed) || numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_put_in_is_taken_out() {
        fn check(words: &str, expect: &str) {
            assert_eq!(without_injections(words), expect, "{words}");
        }
        check(" plain ", "plain");
        check("<system-reminder>\na\n</system-reminder>\n\nreal", "real");
        check("real\n<system-reminder>a</system-reminder>", "real");
        check("<system-reminder>a</system-reminder><system-reminder>b</system-reminder>", "");
        check("what does <system-reminder> mean?", "what does <system-reminder> mean?");
        check("<system-reminder> never closed", "");
        check("a\n<!-- hipocampus:protocol:start -->x<!-- hipocampus:protocol:end -->\nb", "a\nb");
        check("a <!-- hipocampus:protocol:start --> b", "a <!-- hipocampus:protocol:start --> b");
        check("SessionStart hook additional context: hipocampus: due", "");
        check("SessionStart:startup hook success: hipocampus: due", "");
        let asked = "SessionStart: why does hipocampus not run?";
        check(asked, asked);
    }

    #[test]
    fn of_a_prompt_only_whole_parts_are_taken_out() {
        fn check(words: &str, expect: &str) {
            assert_eq!(without_whole_injections(words), expect, "{words}");
        }
        check("<system-reminder>\na\n</system-reminder>\n\nreal", "real");
        check("real\n\n<system-reminder>\na\n</system-reminder>", "real");
        check(
            "<system-reminder>\na\n</system-reminder>\n<system-reminder>\nb\n</system-reminder>",
            "",
        );
        check("a\n<!-- hipocampus:protocol:start -->x<!-- hipocampus:protocol:end -->\nb", "a\nb");
        for words in [
            "<system-reminder> is what, exactly?",
            "please explain <system-reminder>this tag</system-reminder>",
            "<system-reminder>this tag</system-reminder> means what?",
            "<system-reminder>\na\n</system-reminder> means what?",
            "what is <system-reminder>\na\n</system-reminder>",
        ] {
            check(words, words);
        }
    }

    #[test]
    fn nothing_reads_as_structure() {
        fn check(words: &str, expect: &str) {
            assert_eq!(harmless(words), expect, "{words}");
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
    }
}
