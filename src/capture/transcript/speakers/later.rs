//! GitHub Copilot 1.0.102, Droid 0.215.0, Gemini CLI 0.61.0 and Qwen Code 0.24.4: what each puts around a prompt is
//! among the rows that all agents share.

use super::Sign::Text;
use super::Whose::Nobody;
use super::editors::{EDITORS, THOUGHTS};
use super::{SpeakerRow, SpeakerTable, row};

pub(in super::super) const COPILOT: SpeakerTable =
    SpeakerTable { records: &[], prompts: &[EDITORS], replies: THOUGHTS };
pub(in super::super) const DROID: SpeakerTable = COPILOT;
pub(in super::super) const GEMINI: SpeakerTable = COPILOT;
pub(in super::super) const QWEN: SpeakerTable =
    SpeakerTable { records: &[], prompts: &[QWEN_PROMPTS, EDITORS], replies: THOUGHTS };

const QWEN_PROMPTS: &[SpeakerRow] = &[row(Text("Base directory for this skill: "), Nobody)];
