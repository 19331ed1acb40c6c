//! Codex 0.171.0.

use super::Sign::{Below, Element, Field, Text};
use super::Whose::{AnotherAgent, Nobody, Person};
use super::editors::{EDITORS, THOUGHTS};
use super::{SpeakerRow, SpeakerTable, row};

pub(in super::super) const CODEX: SpeakerTable =
    SpeakerTable { records: RECORDS, prompts: &[PROMPTS, EDITORS], replies: THOUGHTS };

const RECORDS: &[SpeakerRow] = &[
    row(Field("payload.thread_source", Some("subagent")), AnotherAgent),
    row(Field("payload.thread_source", Some("sub_agent")), AnotherAgent),
    row(Field("payload.thread_source", Some("memory_consolidation")), AnotherAgent),
    row(Field("payload.thread_source", None), Person),
];

const PROMPTS: &[SpeakerRow] = &[
    row(Below("## My request for Codex:"), Person),
    row(Element("user_instructions"), Nobody),
    row(Element("turn_aborted"), Nobody),
    row(Element("skill"), Nobody),
    row(Element("subagent_notification"), Nobody),
    row(Element("user_shell_command"), Nobody),
    row(Text("# AGENTS.md instructions for "), Nobody),
];
