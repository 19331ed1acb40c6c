//! GitHub Copilot 1.0.102, Cline 3.0.65, Droid 0.215.0, Gemini CLI 0.61.0 and Qwen Code 0.24.4: what each puts around a prompt is
//! among the rows that all agents share.

use super::Sign::{Element, Text};
use super::Whose::Nobody;
use super::editors::{EDITORS, THOUGHTS};
use super::{SpeakerRow, SpeakerTable, row};

pub(in super::super) const COPILOT: SpeakerTable =
    SpeakerTable { records: &[], prompts: &[EDITORS], replies: THOUGHTS };
pub(in super::super) const DROID: SpeakerTable = COPILOT;
pub(in super::super) const GEMINI: SpeakerTable = COPILOT;
pub(in super::super) const QWEN: SpeakerTable =
    SpeakerTable { records: &[], prompts: &[QWEN_PROMPTS, EDITORS], replies: THOUGHTS };

pub(in super::super) const CLINE: SpeakerTable =
    SpeakerTable { records: &[], prompts: &[CLINE_PROMPTS, EDITORS], replies: THOUGHTS };

const CLINE_PROMPTS: &[SpeakerRow] = &[
    row(Element("mode_notice"), Nobody),
    row(Text("[TASK RESUMPTION]"), Nobody),
    row(
        Text("The user approved switching to act mode. Continue with the approved plan now."),
        Nobody,
    ),
];

const QWEN_PROMPTS: &[SpeakerRow] = &[row(Text("Base directory for this skill: "), Nobody)];
