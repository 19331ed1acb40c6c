//! The hooks of a client: which events call this program, and what its file of hooks looks like.

use crate::splice::hooks::HookShape;

/// A client's hooks in a JSON file.
#[derive(Debug, PartialEq, Eq)]
pub struct Hooks {
    /// the file
    pub file: &'static str,
    /// the shape of its entries
    pub shape: HookShape,
    /// whether the file is one that a team may share, so that it is hidden from git only where it is ours alone
    pub may_be_shared: bool,
    /// the files they were in before
    pub was: &'static [&'static str],
    /// whether it counts in milliseconds how long a hook may take
    pub milliseconds: bool,
    /// the events
    pub events: &'static [HookEvent],
}

/// One event we listen to.
#[derive(Debug, PartialEq, Eq)]
pub struct HookEvent {
    /// the client's name for it
    pub event: &'static str,
    /// which kinds of it; `None` for all
    pub matcher: Option<&'static str>,
    /// what `hipocampus` is called with
    pub arguments: &'static str,
    /// seconds
    pub timeout: u32,
}

impl HookEvent {
    /// A session's start, of every kind that loads a context anew.
    pub(crate) const START: Self = Self {
        event: "SessionStart",
        matcher: Some("startup|resume|clear|compact"),
        arguments: "hook session-start",
        timeout: 10,
    };

    /// The same where a forked session is told apart.
    pub(super) const START_OR_FORK: Self =
        Self { matcher: Some("startup|resume|clear|compact|fork"), ..Self::START };

    /// A prompt of a person, who waits for it.
    pub(super) const PROMPT: Self =
        Self { event: "UserPromptSubmit", matcher: None, arguments: "hook prompt", timeout: 5 };

    /// The end of a call of a tool. `matcher` says of which ones.
    pub(super) const fn tool(matcher: &'static str) -> Self {
        Self { event: "PostToolUse", matcher: Some(matcher), arguments: "hook tool", timeout: 5 }
    }

    /// An event at which the session is saved. `timeout` is in seconds.
    pub(super) const fn save(event: &'static str, timeout: u32) -> Self {
        Self { event, matcher: None, arguments: "compact --stdin", timeout }
    }
}
