//! What a hook prints so that its agent takes a text into the context.

use serde_json::{Value, json};

use super::caller::Caller;
use crate::platform::ContextField;

/// The lines around ROOT.md.
pub(super) const FROM: &str = "<memory-index>";
pub(super) const TO: &str = "</memory-index>";
/// The last line of what is too long.
pub(super) const MORE: &str =
    "(more in `memory/ROOT.md`; this was cut, `hipocampus show ROOT.md` prints it)";

impl Caller {
    /// The answer to an event that has this context.
    pub(crate) fn answer(self, event: &str, context: &str) -> Value {
        let of_another =
            if self.other().is_some() { ContextField::NestedAndTop } else { ContextField::Nested };
        let field = self.known().map_or(of_another, |row| row.context);
        if let ContextField::TopWithin(most) = field {
            return json!({"additional_context": within(context, most)});
        }
        let mut answer = json!({
            "hookSpecificOutput": {"hookEventName": event, "additionalContext": context}
        });
        if field == ContextField::NestedAndTop {
            answer["additionalContext"] = context.into();
        }
        answer
    }
}

/// How long a text is for JavaScript.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A text of at most so many UTF-16 units: a longer one is cut at a line, and says so.
fn within(text: &str, most: usize) -> String {
    if units(text) <= most {
        return text.to_owned();
    }
    let end = format!("\n{MORE}\n{TO}");
    let mut room = most.saturating_sub(units(&end));
    let mut kept = 0;
    for line in text.split_inclusive('\n') {
        let Some(left) = room.checked_sub(units(line)) else { break };
        (kept, room) = (kept + line.len(), left);
    }
    if kept == 0 {
        // One line that is too long by itself.
        let mut chars = text.char_indices();
        let fits = |(_, c): &(usize, char)| {
            room.checked_sub(c.len_utf16()).map(|left| room = left).is_none()
        };
        kept = chars.find(fits).map_or(text.len(), |(at, _)| at);
    }
    let kept = text[..kept].trim_end();
    let is_open = kept.lines().any(|line| line == FROM) && !kept.lines().any(|line| line == TO);
    let end = if is_open { &end } else { end.trim_end_matches(TO).trim_end() };
    format!("{kept}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_long_is_cut_at_a_line() {
        assert_eq!(within("short\n", 6), "short\n");
        let body = "- \u{1f600} a line of the index\n".repeat(500);
        let index = format!("hipocampus: it follows\n{FROM}\n{body}{TO}");
        for most in [200, 999, 1000, 10_000] {
            let text = within(&index, most);
            // Two units for what is one character.
            assert!(units(&text) <= most && units(&text) + 40 > most, "{most}: {}", units(&text));
            assert!(text.ends_with(&format!("line of the index\n{MORE}\n{TO}")), "{text}");
        }
        let problems = "hipocampus: a problem\n".repeat(500);
        let text = within(&problems, 1000);
        assert!(text.ends_with(&format!("a problem\n{MORE}")) && units(&text) <= 1000, "{text}");
        let text = within(&"\u{1f600}".repeat(900), 1000);
        assert!(text.ends_with(&format!("\u{1f600}\n{MORE}")) && units(&text) <= 1000, "{text}");
    }
}
