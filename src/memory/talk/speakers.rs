//! Who speaks in an entry, outside of session blocks.

use crate::markdown::block::Blocks;
use crate::markdown::label;
use crate::memory::entry::EntryLine;

/// Who speaks in a section outside of blocks: nobody (an entry of bullets), the user and an assistant, or people by
/// name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speakers {
    None,
    Assistant,
    Names,
}

impl Speakers {
    /// Looks at the labels before the colons; `blocks` is as before the first of the lines.
    pub(crate) fn of(lines: &[EntryLine<'_>], mut blocks: Blocks) -> Self {
        let mut names = 0;
        for line in lines {
            if blocks.holds(line.text) || line.code {
                continue;
            }
            match label::named(line.text) {
                Some(("Assistant", _)) => return Self::Assistant,
                Some(("User", _)) => names += 2,
                Some(_) => names += 1,
                None => {}
            }
        }
        if names > 1 { Self::Names } else { Self::None }
    }

    /// Who begins to speak on a line, and what stands behind the label; `None` if the line goes on.
    pub(crate) fn begin(self, line: &str) -> Option<(&str, &str)> {
        match self {
            Self::None => None,
            Self::Assistant => {
                label::named(line).filter(|(name, _)| matches!(*name, "User" | "Assistant"))
            }
            Self::Names => label::named(line),
        }
    }
}
