//! The second step of an import: where in the source to go on.

use std::io;

use super::context::ImportContext;
use super::locate::Located;
use super::place::{self, LastBlock, ResumePoint};
use super::since;
use super::source::{Conversation, SourceKind};

/// How an import goes on.
pub(super) enum Resume {
    /// the whole source is in the logs; a killed run may have left out the backup of the last block
    Done(LastBlock),
    /// after this block
    After(LastBlock, ResumePoint),
    /// from the beginning: no block can be relied on
    FromTheStart(Option<LastBlock>),
}

/// Decides where to go on.
pub(super) struct Resumer<'c, 'a> {
    pub(super) context: &'c ImportContext<'a>,
    /// whether the source ends before the session does
    pub(super) beginning: bool,
    /// up to where this run has imported these very messages: there the order of words need not tell what is old
    pub(super) sure: Option<u64>,
}

impl Resumer<'_, '_> {
    /// After the last block of a session, or from the beginning where none can be relied on.
    pub(super) fn resume(&self, source: &Conversation<'_>, located: Located) -> io::Result<Resume> {
        let Located { session, since, found } = located;
        let Some(found) = found else {
            return Ok(Resume::FromTheStart(None));
        };
        let logs = &self.context.logs;
        let further = match source.kind {
            SourceKind::File(file) if found.last.to < file.size => {
                place::furthest_block(logs, &session, since, &found)?
            }
            _ => None,
        };
        if self.beginning && found.last.complete && found.last.to >= source.end() {
            return Ok(Resume::Done(found));
        }
        if found.last.complete && Some(found.last.to) == self.sure {
            let before = place::before(source, found.last.to, self.context.assumed(found.day))?;
            let place = ResumePoint { at: found.last.to, before: before.map(|(before, _)| before) };
            return Ok(Resume::After(found, place));
        }
        // A log that cannot be read may have a later block than the last one that was found.
        let days = since::days(logs, since, false)?;
        if days.into_iter().take_while(|day| *day > found.day).any(|day| logs.hides(day)) {
            return Ok(Resume::FromTheStart(Some(found)));
        }
        let place = |block: &LastBlock| {
            let assumed = self.context.assumed(block.day);
            place::resume(source, block, self.context.redact, assumed)
        };
        if let Some(further) = further
            && let Some(place) = place(&further)?
        {
            return Ok(Resume::After(further, place));
        }
        Ok(match place(&found)? {
            Some(place) => Resume::After(found, place),
            None => Resume::FromTheStart(Some(found)),
        })
    }
}
