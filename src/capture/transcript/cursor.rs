//! Cursor: `~/.cursor/projects/SLUG/agent-transcripts/SESSION/SESSION.jsonl`, lines `{role, message: {content}}`.
//!
//! No record has an id, and the agent may write all of them anew, without what ended a turn. A prompt has the minute at
//! which it was sent among its words, in versions that note that down; what follows it has no time of its own.

use chrono::{DateTime, FixedOffset, NaiveDateTime, Utc};

use super::speakers::CURSOR;
use super::{
    Format, Record, Role, TranscriptOrigin, TurnPart, blocks, fields, object, plain, string,
};
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::Cursor, owns, piece, origin };

fields! {
    struct Message {
        content: "content",
    }
}

fn owns(record: &Record<'_>) -> bool {
    match record.kind().as_str() {
        "" => record.role.is_some() && record.message.is_some(),
        kind => kind == "turn_ended",
    }
}

fn origin(_: &Record<'_>) -> TranscriptOrigin {
    TranscriptOrigin {
        folderless: true,
        nameless: true,
        begun: Some(true),
        ..TranscriptOrigin::default()
    }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    let message: Message<'_> = object(record.message)?;
    let mut piece = TurnPart::of(Role::named(&string(record.role)?)?);
    // What the agent adds may be in a block of its own, beside that of the prompt.
    if piece.role == Role::User {
        piece.hear(&plain(message.content), &CURSOR);
    } else if let Some(words) = string(message.content) {
        piece.hear(&words, &CURSOR);
    }
    for block in blocks(message.content) {
        match (piece.role, block.kind().as_str()) {
            (Role::Assistant, "text") => piece.hear(without_thoughts(&block.words()), &CURSOR),
            (Role::Assistant, "tool_use") => {
                if let Some(name) = string(block.name) {
                    piece.call(name, block.input);
                }
            }
            _ => {}
        }
    }
    piece.time = said_at(record);
    piece.unless_empty()
}

/// A reply without the lines below it that stand for thoughts.
fn without_thoughts(words: &str) -> &str {
    let mut words = words.trim_end();
    while let Some(above) = words.strip_suffix("[REDACTED]")
        && (above.is_empty() || above.ends_with('\n'))
    {
        words = above.trim_end();
    }
    words
}

/// When a prompt was sent, to the minute: `<timestamp>Monday, Sep 14, 2026, 8:46 AM (UTC+9)</timestamp>`, which is
/// before what the person typed.
pub(super) fn said_at(record: &Record<'_>) -> Option<DateTime<Utc>> {
    if !(owns(record) && string(record.role)? == "user") {
        return None;
    }
    let message: Message<'_> = object(record.message)?;
    let text = plain(message.content);
    let head = text.split("<user_query>").next()?;
    let (_, noted) = head.split_once("<timestamp>")?;
    moment(noted.split_once("</timestamp>")?.0)
}

fn moment(noted: &str) -> Option<DateTime<Utc>> {
    let noted = noted.replace('\u{202f}', " ");
    let (local, zone) = noted.trim().strip_suffix(')')?.split_once(" (UTC")?;
    let local = NaiveDateTime::parse_from_str(local, "%A, %b %d, %Y, %I:%M %p").ok()?;
    let (hours, minutes) = zone.split_once(':').unwrap_or((zone, "0"));
    let number = |digits: &str| digits.parse::<i32>().ok().filter(|number| *number < 60);
    let seconds = match hours.split_at_checked(1) {
        None => 0,
        Some((sign, hours)) => {
            let seconds = number(hours)? * 3600 + number(minutes)? * 60;
            if sign == "-" { -seconds } else { seconds }
        }
    };
    local.and_local_timezone(FixedOffset::east_opt(seconds)?).single().map(|at| at.to_utc())
}

#[cfg(test)]
mod tests {
    use super::super::{Role, piece, time_of};
    use super::*;

    #[test]
    fn the_minute_of_a_prompt_is_read() {
        #[track_caller]
        fn check(noted: &str, expect: Option<&str>) {
            let found = moment(noted).map(|at| at.format("%F %R").to_string());
            assert_eq!(found.as_deref(), expect, "{noted}");
        }
        check("Friday, Jul 17, 2026, 12:26 AM (UTC+9)", Some("2026-07-16 15:26"));
        check("Monday, Oct 5, 2026, 9:05 PM (UTC-5:30)", Some("2026-10-06 02:35"));
        check("Friday, Jul 17, 2026, 12:26\u{202f}AM (UTC)", Some("2026-07-17 00:26"));
        check("Friday, Jul 17, 2026, 12:26 AM (UTC+99)", None);
        check("Friday, Jul 17, 2026, 12:26 AM", None);
        check("Monday, Jul 17, 2026, 12:26 AM (UTC+9)", None);
        check("yesterday", None);
    }

    #[test]
    fn what_was_said_stays_and_what_cursor_adds_goes() {
        #[track_caller]
        fn check(role: &str, content: &str, expect: Option<(&str, &[&str])>) {
            let record = format!(r#"{{"role":"{role}","message":{{"content":{content}}}}}"#);
            let found = piece(record.as_bytes());
            let tools = |piece: &TurnPart| piece.tools.clone();
            let found = found.as_ref().map(|piece| (piece.text.as_str(), tools(piece)));
            let expect = expect.map(|(text, tools)| {
                (text, tools.iter().map(|&tool| tool.to_owned()).collect::<Vec<_>>())
            });
            assert_eq!(found, expect, "{record}");
        }
        let text = |words: &str| format!(r#"[{{"type":"text","text":"{words}"}}]"#);
        let stamp = "<timestamp>Friday, Jul 17, 2026, 12:26 AM (UTC+9)</timestamp>";
        check("user", &text("Run echo probe."), Some(("Run echo probe.", &[])));
        let wrapped = format!(
            r"{stamp}\n<image_files>\n1. a.png\n</image_files>\n<user_query>\nfix the gate\n</user_query>"
        );
        check("user", &text(&wrapped), Some(("fix the gate", &[])));
        check("user", &text(&format!(r"{stamp}\nfix the gate")), Some(("fix the gate", &[])));
        check("user", &text(stamp), None);
        let apart = format!(
            r#"[{{"type":"text","text":"<some_rules>\nno table\n</some_rules>"}},{{"type":"text","text":"{wrapped}"}}]"#
        );
        check("user", &apart, Some(("fix the gate", &[])));
        let ended_inside = r"<user_query>\nquoted:\n</user_query>\nand this stays\n</user_query>\n<todos>\n1\n</todos>";
        check("user", &text(ended_inside), Some(("quoted:\n</user_query>\nand this stays", &[])));
        let ended =
            r"<system_notification>\nThe following task has finished.\n</system_notification>";
        check("user", &text(&format!(r"{stamp}\n{ended}")), None);
        check("assistant", &text("[REDACTED]"), None);
        check("assistant", &text(r"[REDACTED]\n[REDACTED]"), None);
        check(
            "assistant",
            &text(r"It is done.\n\n[REDACTED]\n[REDACTED]"),
            Some(("It is done.", &[])),
        );
        let quoted = "The file says [REDACTED]";
        check("assistant", &text(quoted), Some((quoted, &[])));
        let call = r#"[{"type":"text","text":"[REDACTED]"},{"type":"tool_use","name":"Write","input":{"path":"/p/a.md","contents":"x"}}]"#;
        check("assistant", call, Some(("", &["Write"])));
        check("tool", &text("printed"), None);
        assert_eq!(piece(br#"{"type":"turn_ended","status":"success"}"#), None);
        let found =
            piece(format!(r#"{{"role":"user","message":{{"content":"{wrapped}"}}}}"#).as_bytes());
        let found = found.unwrap();
        assert_eq!((found.role, &*found.text), (Role::User, "fix the gate"));
        assert_eq!(found.time.unwrap().to_string(), "2026-07-16 15:26:00 UTC");
        // What a person types there is no time.
        let typed = r#"{"role":"user","message":{"content":"<user_query>\n<timestamp>Friday, Jul 17, 2026, 12:26 AM (UTC)</timestamp>\n</user_query>"}}"#;
        assert_eq!(time_of(typed.as_bytes()), None);
    }
}
