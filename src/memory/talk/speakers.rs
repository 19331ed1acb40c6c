//! Who speaks in an entry.

use crate::memory::entry::Line;

/// Who speaks in a section: nobody (an entry of bullets), the user and an assistant, or people by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speakers {
    None,
    Assistant,
    Names,
}

impl Speakers {
    /// Looks at the labels before the colons.
    pub(crate) fn of(lines: &[Line<'_>]) -> Self {
        let mut names = 0;
        for line in lines.iter().filter(|line| !line.code) {
            match speaker(line.text) {
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
                speaker(line).filter(|(name, _)| matches!(*name, "User" | "Assistant"))
            }
            Self::Names => speaker(line),
        }
    }
}

/// `User: …`, `**User:** …`, `Maria: …`
fn speaker(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("**").unwrap_or(line);
    if !line.as_bytes().first()?.is_ascii_uppercase() {
        return None;
    }
    let end = line.bytes().take(24).position(|byte| !byte.is_ascii_alphabetic())?;
    let (name, rest) = line.split_at(end);
    let rest = rest.strip_prefix(':').or_else(|| rest.strip_prefix("**:"))?;
    let text = rest.strip_prefix("**").unwrap_or(rest);
    (text.is_empty() || text.starts_with([' ', '\t'])).then_some((name, text))
}
