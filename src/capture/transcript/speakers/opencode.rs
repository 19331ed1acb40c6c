//! OpenCode 1.18.33.

use super::Sign::Field;
use super::Whose::Nobody;
use super::editors::{EDITORS, THOUGHTS};
use super::{SpeakerRow, SpeakerTable, row};

pub(in super::super) const OPENCODE: SpeakerTable =
    SpeakerTable { records: RECORDS, prompts: &[EDITORS], replies: THOUGHTS };

const RECORDS: &[SpeakerRow] = &[
    row(Field("parts.synthetic", Some("true")), Nobody),
    row(Field("parts.ignored", Some("true")), Nobody),
];
