//! The words of a turn without what we put into them.

use std::borrow::Cow;

use crate::capture::injected;

/// A person's words without our own text that a client put there.
pub(crate) fn without_ours(words: &str) -> Cow<'_, str> {
    let words = injected::behind_told(words.trim());
    if hook_output(words).is_some_and(injected::is_context) {
        return Cow::Borrowed("");
    }
    injected::without_protocol(words).map_or(Cow::Borrowed(words), Cow::Owned)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_text_is_taken_out() {
        fn check(words: &str, expect: &str) {
            assert_eq!(without_ours(words), expect, "{words}");
        }
        check(" plain ", "plain");
        let theirs = "a\n<!-- hipocampus:ANY:start -->x<!-- hipocampus:ANY:end -->\nb";
        check(theirs, theirs);
        check("a <!-- hipocampus:protocol:start --> b", "a <!-- hipocampus:protocol:start --> b");
        check("SessionStart hook additional context: hipocampus: due", "");
        check("SessionStart:startup hook success: hipocampus: due", "");
        // What the memory told in front of a prompt.
        let told = format!(
            "{}\n- 2026-03-12 decision: x: y\n\nfix it\n\nnow",
            crate::recall::INTRODUCTION
        );
        check(&told, "fix it\n\nnow");
        check(&format!("{}\n{told}", crate::recall::RULE), "fix it\n\nnow");
        check("- a list\n\nfix it", "- a list\n\nfix it");
        for asked in [
            "SessionStart: why does hipocampus not run?",
            "SessionStart hook additional context: what is that, and what has hipocampus to do with it?",
        ] {
            check(asked, asked);
        }
    }
}
