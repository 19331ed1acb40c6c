//! GitHub Copilot: the events of a session, `~/.copilot/session-state/ID/events.jsonl`, and in VS Code the same events
//! in a file of the workspace: `{type, data, id, timestamp, parentId}`.
//!
//! Events of agents that work for this one are in the same file, with an `agentId`. Hooks, models and tools have events
//! that repeat what was said; they are not read.

use super::speakers::COPILOT;
use super::{Format, Raw, Record, Role, TranscriptOrigin, TurnPart, fields, object, string, time};
use crate::capture::summary;
use crate::platform::Store;

pub(super) const FORMAT: Format = Format { store: Store::Copilot, owns, piece, origin };

fields! {
    struct Data {
        content: "content",
        source: "source",
        summary: "summaryContent",
        requests: "toolRequests",
        session: "sessionId",
        context: "context",
    }
}

fields! {
    struct Context {
        cwd: "cwd",
    }
}

fields! {
    struct Request {
        name: "name",
        arguments: "arguments",
    }
}

fn owns(record: &Record<'_>) -> bool {
    record.data.is_some() && record.id.is_some() && record.kind().contains('.')
}

fn origin(record: &Record<'_>) -> TranscriptOrigin {
    if !matches!(record.kind().as_str(), "session.start" | "session.resume") {
        return TranscriptOrigin::default();
    }
    let data: Option<Data<'_>> = object(record.data);
    let context: Option<Context<'_>> = data.as_ref().and_then(|data| object(data.context));
    TranscriptOrigin {
        session: data.and_then(|data| string(data.session)),
        cwd: context.and_then(|context| string(context.cwd)),
        begun: Some(true),
        ..TranscriptOrigin::default()
    }
}

fn piece(record: &Record<'_>) -> Option<TurnPart> {
    let data: Data<'_> = object(record.data)?;
    if record.agent_id.is_some() {
        return None;
    }
    let mut piece = match record.kind().as_str() {
        // One with a source was made by the agent's own program: of a skill, of an agent that has ended.
        "user.message" if string(data.source).is_none_or(|source| source == "user") => {
            let mut piece = TurnPart::of(Role::User);
            piece.hear(&string(data.content)?, &COPILOT);
            piece
        }
        "assistant.message" => {
            let mut piece = TurnPart::of(Role::Assistant);
            piece.hear(&string(data.content).unwrap_or_default(), &COPILOT);
            let requests = data.requests.and_then(Raw::items).into_iter().flatten();
            for request in requests.filter_map(|raw| object::<Request<'_>>(Some(raw))) {
                if let Some(name) = string(request.name) {
                    piece.call(name, request.arguments);
                }
            }
            piece
        }
        "session.compaction_complete" => {
            let words = summary::summary(&string(data.summary)?)?;
            TurnPart { text: words, ..TurnPart::of(Role::Summary) }
        }
        _ => return None,
    };
    piece.time = time(record.timestamp);
    piece.id = string(record.id);
    piece.unless_empty()
}
