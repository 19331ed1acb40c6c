//! What the last receipt came to: `memory/.hipocampus.log-receipt`, a line `MOMENT SUM`.

use chrono::{DateTime, FixedOffset};
use serde::Serialize;

use crate::disk::{Folder, Write};
use crate::layout;
use crate::text::moment;

/// The last receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct LastReceipt {
    pub(crate) at: DateTime<FixedOffset>,
    /// `7 messages, 7 here, 0 missing`: short enough for a line of the screen
    pub(crate) sum: String,
}

impl LastReceipt {
    /// `None` where none was taken, or an import has come since.
    pub(crate) fn read(memory: &Folder) -> Option<Self> {
        let text = memory.text(layout::RECEIPT);
        let (at, sum) = text.lines().next()?.split_once(' ')?;
        Some(Self { at: DateTime::parse_from_rfc3339(at).ok()?, sum: sum.to_owned() })
    }

    /// Writes it down.
    pub(crate) fn keep(&self, memory: &Folder) {
        let line = format!("{} {}\n", moment(self.at), self.sum);
        // The next receipt does not depend on it.
        let _ = memory.replace(layout::RECEIPT, line.as_bytes(), Write::KEPT);
    }

    /// Drops it, since what it says is no longer so.
    pub(crate) fn forget(memory: &Folder) {
        if Self::read(memory).is_some() {
            let _ = memory.replace(layout::RECEIPT, b"", Write::KEPT);
        }
    }
}
