//! Cursor: elements that `@cursor/sdk` 1.0.32 takes out of what it records, and those that are found in records.

use super::Sign::Element;
use super::Whose::Nobody;
use super::editors::{EDITORS, THOUGHTS};
use super::{SpeakerRow, SpeakerTable, row};

pub(in super::super) const CURSOR: SpeakerTable =
    SpeakerTable { records: &[], prompts: &[PROMPTS, EDITORS], replies: THOUGHTS };

const PROMPTS: &[SpeakerRow] = &[
    row(Element("timestamp"), Nobody),
    row(Element("image_files"), Nobody),
    row(Element("project_layout"), Nobody),
    row(Element("always_applied_workspace_rules"), Nobody),
    row(Element("agent_requestable_workspace_rules"), Nobody),
    row(Element("user_rules"), Nobody),
    row(Element("agent_skills"), Nobody),
    row(Element("available_skills"), Nobody),
    row(Element("cloud_instructions"), Nobody),
    row(Element("cloud_task_instructions"), Nobody),
    row(Element("instructions_update"), Nobody),
    row(Element("mcp_instructions"), Nobody),
    row(Element("mcp_file_system"), Nobody),
    row(Element("mcp_file_system_servers"), Nobody),
    row(Element("agent_transcripts"), Nobody),
    row(Element("cursor_rules_context"), Nobody),
    row(Element("system_notification"), Nobody),
    row(Element("task_notification"), Nobody),
    row(Element("agent_notification"), Nobody),
];
