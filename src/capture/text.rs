//! The words of a turn without what others put into them. [`escape_markdown`] makes them fit to stand in a log.

use std::borrow::Cow;

use crate::capture::injected;

pub(crate) use crate::markdown::escape::{begins_a_block, close_fence, escape as escape_markdown};
pub(crate) use crate::markdown::label::{ASSISTANT, USER};
pub(crate) use crate::markdown::marker::MARKER;

/// The words of a person without what the client or we put around them: leading and trailing
/// `<system-reminder>` parts, and our own text.
pub(crate) fn without_injections(words: &str) -> Cow<'_, str> {
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
    if hook_output(words).is_some_and(injected::is_context) {
        return Cow::Borrowed("");
    }
    without_protocol(words)
}

/// The words of what is known to be a prompt: only parts that stand on lines of their own, as the client writes
/// them, are taken out. Somebody may ask about such things.
pub(crate) fn without_whole_injections(words: &str) -> Cow<'_, str> {
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
            return without_protocol(words);
        }
    }
}

/// What a session-start hook printed, where the client introduces it: `SessionStart:startup hook success: …`, or the
/// context in its JSON.
fn hook_output(words: &str) -> Option<&str> {
    let context = words.strip_prefix("SessionStart hook additional context:");
    context.or_else(|| {
        let (source, text) = words.strip_prefix("SessionStart:")?.split_once(" hook success:")?;
        source.bytes().all(|byte| byte.is_ascii_lowercase()).then_some(text)
    })
}

/// The words without the protocol that stands in them.
fn without_protocol(words: &str) -> Cow<'_, str> {
    injected::without_protocol(words).map_or(Cow::Borrowed(words), Cow::Owned)
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
        let theirs = "a\n<!-- hipocampus:ANY:start -->x<!-- hipocampus:ANY:end -->\nb";
        check(theirs, theirs);
        check("a <!-- hipocampus:protocol:start --> b", "a <!-- hipocampus:protocol:start --> b");
        check("SessionStart hook additional context: hipocampus: due", "");
        check("SessionStart:startup hook success: hipocampus: due", "");
        for asked in [
            "SessionStart: why does hipocampus not run?",
            "SessionStart hook additional context: what is that, and what has hipocampus to do with it?",
        ] {
            check(asked, asked);
        }
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
        let theirs = "a\n<!-- hipocampus:ANY:start -->x<!-- hipocampus:ANY:end -->\nb";
        check(theirs, theirs);
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
}
