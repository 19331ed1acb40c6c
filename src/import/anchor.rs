//! The block that the next one continues, as long as it is there.

use chrono::NaiveDate;

use super::place::LastBlock;
use crate::capture::block;
use crate::capture::ledger::BlockRead;
use crate::disk::Identity;

/// A block in a log, recognised by a line of it.
#[derive(Debug)]
pub(super) struct BlockAnchor {
    pub(super) day: NaiveDate,
    pub(super) log: Identity,
    /// its last line, or its first where it is torn
    pub(super) line: String,
}

impl BlockAnchor {
    pub(super) fn of(found: &LastBlock, session: &str) -> Self {
        let BlockRead { from, to, complete, .. } = found.last;
        let line = if complete { block::end(session, to) } else { block::start(session, from, to) };
        Self { day: found.day, log: found.log, line }
    }
}
