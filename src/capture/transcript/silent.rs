//! Records of Claude Code that say nothing, known by their beginning.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::capture::redact::reader::JsonReader;

/// Whether the details of a result may be those of another agent's work, or of questions to the person.
pub(super) fn may_hold_words(details: &[u8]) -> bool {
    static MARKS: LazyLock<[Finder<'static>; 2]> =
        LazyLock::new(|| ["\"agentId\"", "\"answers\""].map(Finder::new));
    MARKS.iter().any(|mark| mark.find(details).is_some())
}

/// Whether the output of a tool may hold an answer, or a commit.
pub(super) fn is_telling(output: &[u8]) -> bool {
    static MARKS: LazyLock<[Finder<'static>; 6]> = LazyLock::new(|| {
        [
            "User has answered",
            "questions have been answered",
            "The user answered",
            "The user doesn't want",
            "User has approved",
            " changed",
        ]
        .map(Finder::new)
    });
    MARKS.iter().any(|mark| mark.find(output).is_some())
}

/// Whether the beginning of a record, up to its message, shows that it says nothing: one of an agent for another
/// agent, or results of tools that hold no words. These are most of a transcript, each result is in it twice, and
/// this spares looking at it as JSON: of the rest no more is asked than where it ends. `false` where that would have to
/// be looked at more closely.
///
/// A record that says before its message that it is the user's or the assistant's counts as one of Claude Code,
/// whatever is behind. It has to end where the line does: after one that was cut short, another one may follow.
pub(super) fn says_nothing(record: &[u8]) -> bool {
    let mut reader = JsonReader::trusting(record);
    let (mut kind, mut beside) = (&b""[..], false);
    let mut nothing = false;
    let read = reader.object(|reader, name| {
        if name == b"message" && !nothing {
            nothing = match kind {
                b"\"user\"" if !beside => has_results_alone(reader)?,
                b"\"user\"" | b"\"assistant\"" if beside => reader.value().is_some(),
                _ => false,
            };
            return nothing.then_some(());
        }
        let value = reader.value()?;
        match name {
            _ if nothing => {}
            b"type" => kind = reader.part(value),
            b"isSidechain" => beside = reader.part(value) == b"true",
            _ => {}
        }
        Some(())
    });
    // A record without a message is not of a kind that is known here.
    read.is_some() && reader.is_at_the_end() && nothing && (beside || !may_hold_words(record))
}

/// Whether a message is a list of results that hold no words.
fn has_results_alone(reader: &mut JsonReader<'_>) -> Option<bool> {
    let mut alone = false;
    reader.object(|reader, name| {
        if name != b"content" {
            return reader.value().map(drop);
        }
        alone = true;
        reader.list(|reader| {
            let mut is_result = false;
            reader.object(|reader, name| {
                let value = reader.value()?;
                match name {
                    b"type" => is_result = reader.part(value) == b"\"tool_result\"",
                    b"content" => alone &= !is_telling(reader.part(value)),
                    _ => {}
                }
                Some(())
            })?;
            alone &= is_result;
            Some(())
        })
    })?;
    Some(alone)
}

#[cfg(test)]
mod tests {
    use super::super::piece_of_session;
    use super::*;

    #[test]
    fn what_is_told_to_say_nothing_says_nothing() {
        #[track_caller]
        fn check(line: &str, told: bool, says: bool) {
            assert_eq!(says_nothing(line.as_bytes()), told, "{line}");
            assert_eq!(piece_of_session(line.as_bytes()).is_some(), says, "{line}");
            assert!(!(told && says), "{line}");
        }
        let of = |beside: bool, kind: &str, content: &str, behind: &str| {
            format!(
                r#"{{"parentUuid":null,"isSidechain":{beside},"type":"{kind}","message":{{"role":"{kind}","content":{content}}},"uuid":"u"{behind}}}"#
            )
        };
        let result = |text: &str| {
            format!(r#"[{{"tool_use_id":"t","type":"tool_result","content":"{text}"}}]"#)
        };
        let plain = result(r#"a \"text\" [ \\"#);
        check(&of(false, "user", &plain, ""), true, false);
        check(
            &of(false, "user", &plain, r#","toolUseResult":{"type":"text","text":"x"}"#),
            true,
            false,
        );
        check(&of(false, "user", "[]", ""), true, false);
        check(&of(true, "user", "\"words\"", ""), true, false);
        check(&of(true, "assistant", "[{\"type\":\"text\",\"text\":\"x\"}]", ""), true, false);
        // What may say something is looked at.
        check(&of(false, "user", "\"words\"", ""), false, true);
        check(&of(false, "assistant", "[{\"type\":\"text\",\"text\":\"x\"}]", ""), false, true);
        check(
            &of(
                false,
                "user",
                r#"[{"type":"tool_result","content":"x"},{"type":"text","text":"y"}]"#,
                "",
            ),
            false,
            true,
        );
        check(
            &of(
                false,
                "user",
                r#"[{"type":"text","text":"y"},{"type":"tool_result","content":"x"}]"#,
                "",
            ),
            false,
            true,
        );
        check(&of(false, "user", &result("User has approved your plan"), ""), false, false);
        check(
            &of(false, "user", &result("[main 1a2b3c4] do it\\n 1 file changed"), ""),
            false,
            true,
        );
        check(&of(false, "user", &plain, r#","toolUseResult":{"agentId":"a"}"#), false, false);
        check(
            &of(false, "user", &plain.replace("tool_result", "tool_\\u0072esult"), ""),
            false,
            false,
        );
        check(&of(false, "user", "[3]", ""), false, false);
        // The kind is after the message, or is missing.
        check(
            r#"{"isSidechain":true,"message":{"role":"user","content":"x"},"type":"user"}"#,
            false,
            false,
        );
        check(r#"{"type":"user","uuid":"u"}"#, false, false);
        check(
            r#"{"type":"ai-title","isSidechain":true,"aiTitle":"x","sessionId":"s"}"#,
            false,
            true,
        );
        check("", false, false);
    }
}
