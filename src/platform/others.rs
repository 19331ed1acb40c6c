//! Agents that read the files of another one and so call its hooks, although their sessions cannot be read here:
//! one static row per agent, which distinguishes its calls from those of the agents in [`super::ALL`].
//!
//! One that can be read becomes a row there, and its row here goes.

use serde_json::{Map, Value};

/// How an agent is recognised that is not one of [`super::ALL`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OtherAgent {
    /// what it is called in `status` and in records of hooks
    pub(crate) id: &'static str,
    /// its name
    pub(crate) name: &'static str,
    /// what is in the path of its transcripts
    pub(crate) paths: &'static [&'static str],
    /// fields of the JSON for its hooks that no other agent's has
    pub(crate) fields: &'static [&'static str],
    /// variables that it sets for its hooks
    pub(crate) sets: &'static [&'static str],
    /// fields of a record of its transcripts, which together no other agent's has: names, and values where these tell
    pub(crate) record: &'static [(&'static str, Option<&'static str>)],
}

/// Asked in this order: some agents set the variables of others as well.
pub(crate) const OTHERS: &[OtherAgent] = &[
    OtherAgent {
        id: "cursor",
        name: "Cursor",
        paths: &["/.cursor/projects/", "/agent-transcripts/"],
        fields: &["cursor_version", "conversation_id", "workspace_roots"],
        sets: &["CURSOR_VERSION", "CURSOR_TRANSCRIPT_PATH", "CURSOR_PROJECT_DIR"],
        record: &[("role", None), ("message", None)],
    },
    OtherAgent {
        id: "vscode",
        name: "VS Code",
        paths: &["/GitHub.copilot-chat/", "/workspaceStorage/"],
        fields: &["hookEventName"],
        sets: &[],
        record: &[],
    },
    OtherAgent {
        id: "copilot-cli",
        name: "Copilot CLI",
        paths: &["/session-state/"],
        fields: &["initial_prompt", "initialPrompt", "transcriptPath", "sessionId"],
        sets: &["COPILOT_CLI", "COPILOT_PROJECT_DIR"],
        record: &[("type", Some("session.start"))],
    },
    OtherAgent {
        id: "droid",
        name: "Droid",
        paths: &["/.factory/"],
        fields: &["session_duration_ms", "tool_execution_count"],
        sets: &["FACTORY_PROJECT_DIR"],
        record: &[("type", Some("session_start"))],
    },
    OtherAgent {
        id: "qwen-code",
        name: "Qwen Code",
        paths: &["/.qwen/"],
        fields: &["submitted_prompt", "context_limit"],
        sets: &["QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR", "QWEN_CODE_CLI"],
        record: &[("provenance", None), ("uuid", None)],
    },
    OtherAgent {
        id: "gemini-cli",
        name: "Gemini CLI",
        paths: &["/.gemini/"],
        fields: &["prompt_response"],
        sets: &["GEMINI_SESSION_ID", "GEMINI_CWD", "GEMINI_PROJECT_DIR"],
        record: &[("projectHash", None), ("sessionId", None)],
    },
    OtherAgent {
        id: "cline",
        name: "Cline",
        paths: &["/.cline/", "/saoudrizwan.claude-dev/"],
        fields: &["clineVersion", "taskId"],
        sets: &[],
        record: &[],
    },
    UNKNOWN,
];

/// An agent that nobody here knows.
pub(crate) const UNKNOWN: OtherAgent = OtherAgent {
    id: "another-agent",
    name: "another agent",
    paths: &[],
    fields: &[],
    sets: &[],
    record: &[],
};

/// The row of an id.
pub(crate) fn other_by_id(id: &str) -> Option<&'static OtherAgent> {
    OTHERS.iter().find(|row| row.id == id)
}

impl OtherAgent {
    /// Whether a record is of this agent's transcripts.
    pub(crate) fn has_written(&self, record: &Map<String, Value>) -> bool {
        let fits = |(name, value): &(&str, Option<&str>)| {
            record.get(*name).is_some_and(|found| value.is_none_or(|value| found == value))
        };
        !self.record.is_empty() && self.record.iter().all(fits)
    }

    /// What is said of its sessions.
    pub(crate) fn unread(&self) -> String {
        let id = self.id;
        format!(
            "nothing that was said in `{id}` is saved: it calls the hooks of this project, and this version cannot read its sessions; `hipocampus flush -m TEXT` saves what matters"
        )
    }
}
