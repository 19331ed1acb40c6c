//! What editors and other clients put around a prompt, which reaches every agent's records and the exports of them.

use super::Sign::{Element, Request, Sentence};
use super::Whose::{Nobody, Person};
use super::{SpeakerRow, row};

pub(super) const EDITORS: &[SpeakerRow] = &[
    row(Request("user_query"), Person),
    row(Request("user_input"), Person),
    row(Request("userRequest"), Person),
    row(Element("pasted_content"), Person),
    row(Element("system-reminder"), Nobody),
    row(Element("system_reminder"), Nobody),
    row(Element("environment_context"), Nobody),
    row(Element("environment_details"), Nobody),
    row(Element("ide_opened_file"), Nobody),
    row(Element("ide_selection"), Nobody),
    row(Element("ide_diagnostics"), Nobody),
    row(Element("terminal name="), Nobody),
    row(Element("browser_instruction"), Nobody),
    row(Element("open_and_recently_viewed_files"), Nobody),
    row(Element("manually_attached_skills"), Nobody),
    row(Element("attached_files"), Nobody),
    row(Element("additional_data"), Nobody),
    row(Element("user_info"), Nobody),
    row(Element("git_status"), Nobody),
    row(Element("cursor_commands"), Nobody),
    row(Element("external_links"), Nobody),
    row(Element("current_datetime"), Nobody),
    row(Element("editorContext"), Nobody),
    row(Element("reminderInstructions"), Nobody),
    row(Element("session_context"), Nobody),
    row(Element("hook_context"), Nobody),
    row(Element("qwen:user-prompt-submit-context"), Nobody),
    row(Element("qwen:session-start-context"), Nobody),
    row(Element("imported_custom_instruction"), Nobody),
    row(Sentence("Implement the plan as specified, it is attached for your reference."), Nobody),
    row(Sentence("Do NOT edit the plan file itself."), Nobody),
    row(Sentence("To-do's from the plan have already been created."), Nobody),
    row(Sentence("Do not create them again."), Nobody),
    row(Sentence("Mark them as in_progress as you work, starting with the first one."), Nobody),
    row(Sentence("Don't stop until you have completed all the to-dos."), Nobody),
];

/// What a model thinks, where it is in its reply.
pub(super) const THOUGHTS: &[SpeakerRow] =
    &[row(Element("think"), Nobody), row(Element("thinking"), Nobody)];
