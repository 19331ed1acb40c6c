//! Claude Code: `~/.claude/projects/SLUG/SESSION.jsonl`.
//!
//! One reply is several `assistant` records, one per content block, with the same `message.id`. Records
//! of any other type repeat messages that stand elsewhere and are never read.

use super::silent::{is_of_an_agent, is_telling};
use super::{
    Format, Origin, Raw, Record, Role, TurnPart, answers, blocks, fields, flag, made, object,
    plain, string, time,
};
use crate::capture::{summary, text};
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::ClaudeCode, owns, piece, origin };

/// Beginnings of `user` records that hold a command, its output or a notice of the client instead of the
/// user's words.
const NOTICES: [&str; 12] = [
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "[Request interrupted by user",
    "<task-notification>",
    "This session is being continued from a previous conversation",
];

fields! {
    struct Message {
        id: "id",
        role: "role",
        model: "model",
        content: "content",
    }
}

fn owns(record: &Record<'_>) -> bool {
    record.session_id.is_some() || matches!(record.kind().as_str(), "user" | "assistant")
}

fn origin(record: &Record<'_>) -> Origin {
    Origin {
        session: string(record.session_id),
        cwd: string(record.cwd),
        delegated: flag(record.is_sidechain),
        forked_from: None,
    }
}

fields! {
    /// What was typed while the agent worked: the client never makes a `user` record of it.
    struct Attachment {
        kind: "type",
        prompt: "prompt",
        mode: "commandMode",
        origin: "origin",
        is_meta: "isMeta",
    }
}

fields! {
    struct From {
        kind: "kind",
    }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    let kind = record.kind();
    let mut piece = match kind.as_str() {
        "ai-title" => named(record.ai_title, false)?,
        "custom-title" => named(record.custom_title, true)?,
        "attachment" if !flag(record.is_sidechain) => queued(record.attachment)?,
        "user" if flag(record.is_compact_summary) && !flag(record.is_sidechain) => {
            let message: Message<'_> = object(record.message)?;
            let words = summary::summary(&plain(message.content))?;
            TurnPart { text: words, ..TurnPart::of(Role::Summary) }
        }
        _ => message(record)?,
    };
    piece.cwd = string(record.cwd);
    piece.time = time(record.timestamp);
    piece.id = string(record.uuid);
    piece.unless_empty()
}

fn named(title: Option<Raw<'_>>, chosen: bool) -> Option<TurnPart> {
    Some(TurnPart { text: string(title)?, ..TurnPart::of(Role::Title { chosen }) })
}

fn queued(raw: Option<Raw<'_>>) -> Option<TurnPart> {
    let queued: Attachment<'_> = object(raw)?;
    let word =
        |raw: Option<Raw<'_>>, expected: &str| string(raw).is_none_or(|word| word == expected);
    let origin = object::<From<'_>>(queued.origin).and_then(|from| from.kind);
    let is_queued = string(queued.kind).is_some_and(|kind| kind == "queued_command");
    if !is_queued || flag(queued.is_meta) {
        return None;
    }
    let prompt = plain(queued.prompt);
    if prompt.trim_start().starts_with("<task-notification>") {
        return answers::notified(&prompt);
    }
    if !word(queued.mode, "prompt") || !word(origin, "human") {
        return None;
    }
    let mut piece = TurnPart::of(Role::User);
    piece.say(&text::without_whole_injections(&prompt));
    for block in blocks(queued.prompt) {
        match block.kind().as_str() {
            "image" => piece.say("[image]"),
            "document" => piece.say("[document]"),
            _ => {}
        }
    }
    Some(piece)
}

fn message(record: &Record<'_>) -> Option<TurnPart> {
    let role = Role::named(&record.kind())?;
    let hidden = [
        record.is_meta,
        record.is_sidechain,
        record.is_compact_summary,
        record.is_visible_in_transcript_only,
    ];
    if hidden.into_iter().any(flag) {
        return None;
    }
    let message: Message<'_> = object(record.message)?;
    let spoken_as = string(message.role);
    if spoken_as.is_some_and(|word| word != record.kind()) {
        return None;
    }
    if string(message.model).is_some_and(|model| model == "<synthetic>") {
        return None;
    }
    let mut piece = TurnPart::of(role);
    // Only prompts carry both.
    let is_prompt = role == Role::User
        && [record.prompt_source, record.permission_mode].iter().all(Option::is_some);
    if let Some(words) = string(message.content) {
        if role == Role::User && words.trim_start().starts_with("<task-notification>") {
            return answers::notified(&words);
        }
        hear(&mut piece, &words, is_prompt);
    }
    for block in blocks(message.content) {
        match (role, block.kind().as_str()) {
            (_, "text") => hear(&mut piece, &block.words(), is_prompt),
            (Role::User, "image") => piece.say("[image]"),
            (Role::User, "document") => piece.say("[document]"),
            (Role::Assistant, "tool_use" | "server_tool_use" | "mcp_tool_use") => {
                if let Some(name) = string(block.name) {
                    piece.call(name, block.input);
                }
            }
            (Role::User, "tool_result") if may_say(block.content, record.result) => {
                let output = plain(block.content);
                if let Some(found) =
                    answers::of_result(&output, flag(block.is_error), record.result)
                {
                    return Some(found);
                }
                let commits = made::printed(&output);
                if !commits.is_empty() {
                    return Some(TurnPart { commits, ..TurnPart::of(Role::Assistant) });
                }
            }
            _ => {}
        }
    }
    piece.reply = string(message.id);
    Some(piece)
}

/// Takes the words of a record without what the client put there.
fn hear(piece: &mut TurnPart, words: &str, is_prompt: bool) {
    if let Some(command) = command(words) {
        piece.say(&command);
    } else if is_prompt {
        let words = text::without_whole_injections(words);
        if !is_whole_notice(&words) {
            piece.say(&words);
        }
    } else {
        piece.hear(words, &NOTICES);
    }
}

/// Whether the result of a tool may hold words or commits. Most of a transcript is results, and most of these are read
/// no further.
fn may_say(output: Option<Raw<'_>>, details: Option<Raw<'_>>) -> bool {
    details.is_some_and(|raw| is_of_an_agent(raw.get().as_bytes()))
        || output.is_some_and(|raw| is_telling(raw.get().as_bytes()))
}

/// A slash command with its arguments, as it was typed; `None` for anything else, also for a command without any.
fn command(words: &str) -> Option<String> {
    let words = words.trim();
    if !words.starts_with("<command-") {
        return None;
    }
    let part = |tag: &str| {
        let (_, rest) = words.split_once(&format!("<{tag}>"))?;
        let (part, _) = rest.rsplit_once(&format!("</{tag}>"))?;
        Some(part.trim()).filter(|part| !part.is_empty())
    };
    let (name, arguments) = (part("command-name")?, part("command-args")?);
    Some(format!("/{} {arguments}", name.trim_start_matches('/')))
}

/// Whether a prompt is a notice from its first to its last character. One that only begins like a notice asks
/// about it.
fn is_whole_notice(words: &str) -> bool {
    let tags = || NOTICES.iter().filter(|notice| notice.ends_with('>'));
    let closes = |tag: &&str| words.ends_with(&tag.replacen('<', "</", 1));
    matches!(words, "[Request interrupted by user]" | "[Request interrupted by user for tool use]")
        || (tags().any(|tag| words.starts_with(tag)) && tags().any(closes))
}

#[cfg(test)]
mod tests {
    use super::super::{Role, piece};

    #[test]
    fn npm_took_meta_records_for_the_words_of_the_user() {
        fn check(fields: &str, content: &str, expect: Option<&str>) {
            let line = format!(
                r#"{{"type":"user","uuid":"u",{fields}"message":{{"role":"user","content":{content}}}}}"#
            );
            let found = piece(line.as_bytes()).map(|piece| piece.text);
            assert_eq!(found.as_deref(), expect, "{line}");
        }
        check("", r#""hello\n""#, Some("hello"));
        check(
            "",
            r#"[{"type":"text","text":"a"},{"type":"image","source":{}}]"#,
            Some("a\n\n[image]"),
        );
        check("", r#"[{"type":"tool_result","content":"ls output"}]"#, None);
        check(r#""isMeta":true,"#, r#""caveat""#, None);
        check(r#""isSidechain":true,"#, r#""for a subagent""#, None);
        check(r#""isCompactSummary":true,"#, r#""summary""#, Some("summary"));
        check(r#""isCompactSummary":true,"isSidechain":true,"#, r#""summary""#, None);
        check("", r#""<command-name>/compact</command-name>""#, None);
        check("", r#""<local-command-stdout>done</local-command-stdout>""#, None);
        check("", r#""[Request interrupted by user for tool use]""#, None);
        check(
            "",
            r#"[{"type":"text","text":"<system-reminder>\nnote\n</system-reminder>"},{"type":"text","text":"real"}]"#,
            Some("real"),
        );
    }

    #[test]
    fn a_prompt_may_speak_of_what_clients_write() {
        fn check(content: &str, expect: Option<&str>) {
            let line = serde_json::json!({"type": "user", "uuid": "u", "promptSource": "typed",
                "permissionMode": "default", "message": {"role": "user", "content": content}});
            let found = piece(line.to_string().as_bytes()).map(|piece| piece.text);
            assert_eq!(found.as_deref(), expect, "{line}");
        }
        for words in [
            "SessionStart: why does hipocampus not run?",
            "please explain <system-reminder>this tag</system-reminder>",
            "<system-reminder> is what, exactly?",
            "<command-name> is what, exactly?",
            "This session is being continued from a previous conversation - what does that line mean?",
            "[Request interrupted by user] stands there, why?",
        ] {
            check(words, Some(words));
        }
        check("<system-reminder>\nnote\n</system-reminder>\nreal", Some("real"));
        check("<system-reminder>\nnote\n</system-reminder>", None);
        check("<command-name>/x</command-name>\n<command-args></command-args>", None);
        check("[Request interrupted by user for tool use]", None);
    }

    #[test]
    fn a_reply_names_its_tools_and_hides_its_thoughts() {
        let line = r#"{"type":"assistant","uuid":"a","timestamp":"2026-03-15T14:02:11Z","message":{"id":"m","role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"done"},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}"#;
        let found = piece(line.as_bytes()).unwrap();
        assert_eq!((found.role, found.text.as_str()), (Role::Assistant, "done"));
        assert_eq!(found.tools, ["Bash"]);
        assert_eq!((found.id.as_deref(), found.reply.as_deref()), (Some("a"), Some("m")));
        let synthetic = line.replace(r#""id":"m","#, r#""id":"m","model":"<synthetic>","#);
        assert_eq!(piece(synthetic.as_bytes()), None);
        let only_thinking = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}}"#;
        assert_eq!(piece(only_thinking.as_bytes()), None);
    }
}
