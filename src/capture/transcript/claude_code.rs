//! Claude Code: `~/.claude/projects/SLUG/SESSION.jsonl`.
//!
//! One reply is several `assistant` records, one per content block, with the same `message.id`. Records
//! of any other type repeat messages that are elsewhere and are never read.

use super::silent::is_telling;
use super::speakers::{CLAUDE_CODE, Whose};
use super::{
    Block, Format, Raw, Record, Role, TranscriptOrigin, TurnPart, answers, blocks, fields, flag,
    made, object, plain, silent, string, time,
};
use crate::capture::summary;
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::ClaudeCode, owns, piece, origin };

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

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    // Records beside the session name agents, too, such as one that the person named.
    let fields = [("agentName", record.agent_name), ("sessionKind", record.session_kind)];
    let of_another = |(field, raw): (&str, Option<Raw<'_>>)| {
        let value = string(raw).filter(|_| record.uuid.is_some());
        value.is_some_and(|it| CLAUDE_CODE.by_field(field, &it) == Some(Whose::AnotherAgent))
    };
    TranscriptOrigin {
        session: string(record.session_id),
        cwd: string(record.cwd),
        delegated: flag(record.is_sidechain) || fields.into_iter().any(of_another),
        forked_from: None,
        begun: begun(record),
        folderless: false,
        nameless: false,
    }
}

/// Whether a prompt is the person's; `None` for other records, and for one that nobody says.
fn begun(record: &Record<'_>) -> Option<bool> {
    if record.kind() != "user" || flag(record.is_sidechain) {
        return None;
    }
    if piece(record).is_some_and(|piece| piece.role == Role::User) {
        return Some(true);
    }
    let message: Message<'_> = object(record.message)?;
    let said = plain(message.content);
    let by_another =
        Voice::of(record) == Voice::Of(Whose::AnotherAgent) || CLAUDE_CODE.prompt(&said).by_another;
    by_another.then_some(false)
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
        subkind: "subkind",
    }
}

/// Who says what a record holds, as far as its fields tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    Of(Whose),
    /// the person, through a channel; the client marks such records as its own
    Channel,
}

impl Voice {
    fn of(record: &Record<'_>) -> Self {
        Self::by(record.origin, [("promptSource", record.prompt_source)], flag(record.is_meta))
    }

    fn by<const N: usize>(
        origin: Option<Raw<'_>>,
        fields: [(&str, Option<Raw<'_>>); N],
        is_meta: bool,
    ) -> Self {
        let from: Option<From<'_>> = object(origin);
        let kind = from.as_ref().and_then(|from| string(from.kind)).or_else(|| string(origin));
        if kind.as_deref() == Some("channel") {
            return Self::Channel;
        }
        let told = |(field, value): (&str, Option<String>)| {
            value.and_then(|value| CLAUDE_CODE.by_field(field, &value))
        };
        let subkind = from.and_then(|from| string(from.subkind));
        let fields = fields.map(|(field, raw)| (field, string(raw)));
        let all = [("origin.kind", kind), ("origin.subkind", subkind)].into_iter().chain(fields);
        let meta = is_meta.then_some(Whose::Nobody);
        let mut others = all.filter_map(told).chain(meta).filter(|it| *it != Whose::Person);
        let first = others.next().unwrap_or(Whose::Person);
        let by_agent = first == Whose::AnotherAgent || others.any(|it| it == Whose::AnotherAgent);
        Self::Of(if by_agent { Whose::AnotherAgent } else { first })
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
    if string(queued.kind).is_none_or(|kind| kind != "queued_command") {
        return None;
    }
    let is_meta = flag(queued.is_meta);
    let voice = Voice::by(queued.origin, [("commandMode", queued.mode)], is_meta);
    if is_meta && voice != Voice::Channel {
        return None;
    }
    let mut prompt = Prompt::of(voice, is_meta);
    match string(queued.prompt) {
        Some(words) => prompt.hear(&words),
        None => blocks(queued.prompt).iter().for_each(|block| prompt.block(block)),
    }
    prompt.said()
}

fn message(record: &Record<'_>) -> Option<TurnPart> {
    let role = Role::named(&record.kind())?;
    let hidden =
        [record.is_sidechain, record.is_compact_summary, record.is_visible_in_transcript_only];
    if hidden.into_iter().any(flag) {
        return None;
    }
    let message: Message<'_> = object(record.message)?;
    let spoken_as = string(message.role);
    if spoken_as.is_some_and(|word| word != record.kind()) {
        return None;
    }
    match role {
        Role::User => prompt(record, &message),
        _ if flag(record.is_meta) => None,
        _ => reply(&message),
    }
}

fn reply(message: &Message<'_>) -> Option<TurnPart> {
    if string(message.model).is_some_and(|model| model == "<synthetic>") {
        return None;
    }
    let mut piece = TurnPart::of(Role::Assistant);
    if let Some(words) = string(message.content) {
        piece.hear(&words, &CLAUDE_CODE);
    }
    for block in blocks(message.content) {
        match block.kind().as_str() {
            "text" => piece.hear(&block.words(), &CLAUDE_CODE),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                let Some(name) = string(block.name) else { continue };
                if let Some(field) = CLAUDE_CODE.said_by_calling(&name) {
                    let input = block.input.and_then(|raw| raw.fields([field]));
                    piece.say(&string(input.and_then(|[text]| text)).unwrap_or_default());
                }
                piece.call(name, block.input);
            }
            _ => {}
        }
    }
    piece.reply = string(message.id);
    Some(piece)
}

fn prompt(record: &Record<'_>, message: &Message<'_>) -> Option<TurnPart> {
    let is_meta = flag(record.is_meta);
    let mut voice = Voice::of(record);
    let text = plain(message.content);
    if is_meta && CLAUDE_CODE.leads_with("channel", &text) {
        voice = Voice::Channel;
    }
    if is_meta && voice != Voice::Channel {
        return None;
    }
    let mut prompt = Prompt::of(voice, is_meta);
    let mut commits = Vec::new();
    if let Some(words) = string(message.content) {
        prompt.hear(&words);
    }
    for block in blocks(message.content) {
        if block.kind() != "tool_result" {
            prompt.block(&block);
        } else if may_say(block.content, record.result) {
            let output = plain(block.content);
            let failed = flag(block.is_error);
            if let Some(found) = answers::of_result(&output, failed, record.result) {
                return Some(found);
            }
            commits.extend(made::printed(&output));
        }
    }
    let is_silent = prompt.piece.text.is_empty() && prompt.reports.is_empty();
    if is_silent && !commits.is_empty() {
        return Some(TurnPart { commits, ..TurnPart::of(Role::Assistant) });
    }
    let mut piece = prompt.said()?;
    piece.commits = commits;
    piece.reply = string(message.id);
    Some(piece)
}

/// What is said in a record of the person.
struct Prompt {
    voice: Voice,
    is_meta: bool,
    piece: TurnPart,
    reports: Vec<String>,
}

impl Prompt {
    fn of(voice: Voice, is_meta: bool) -> Self {
        Self { voice, is_meta, piece: TurnPart::of(Role::User), reports: Vec::new() }
    }

    fn block(&mut self, block: &Block<'_>) {
        let is_said = self.is_the_persons();
        match block.kind().as_str() {
            "text" => self.hear(&block.words()),
            "image" if is_said => self.piece.say("[image]"),
            "document" if is_said => self.piece.say("[document]"),
            _ => {}
        }
    }

    fn is_the_persons(&self) -> bool {
        matches!(self.voice, Voice::Channel | Voice::Of(Whose::Person))
    }

    fn hear(&mut self, words: &str) {
        let command = command(words).filter(|_| self.is_the_persons());
        let heard = CLAUDE_CODE.prompt(words);
        // The client writes its own text beside what came through a channel.
        let is_said =
            self.is_the_persons() && (!self.is_meta || CLAUDE_CODE.leads_with("channel", words));
        if is_said {
            self.piece.say(&command.unwrap_or(heard.words));
        }
        self.reports.extend(heard.reports);
    }

    /// The person's words, else what an agent reports.
    fn said(self) -> Option<TurnPart> {
        if self.piece.text.is_empty() && !self.reports.is_empty() {
            return answers::reported(&self.reports.join("\n\n"));
        }
        Some(self.piece)
    }
}

/// Whether the result of a tool may hold words or commits. Most of a transcript is results, and most of these are read
/// no further.
fn may_say(output: Option<Raw<'_>>, details: Option<Raw<'_>>) -> bool {
    details.is_some_and(|raw| silent::may_hold_words(raw.get().as_bytes()))
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
