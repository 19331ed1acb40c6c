//! Which part of a user's file is ours: how it goes in, comes out, and what to say where it cannot.

use super::git_files::{attributes, known_lines};
use crate::splice::hooks::Ours;
use crate::splice::{
    PROTOCOL, ParseError, block, hooks, ignore, members, mirror, npm_tool, strings,
};

/// Our part of a user's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ManagedSection {
    Protocol(String),
    Hooks {
        entries: Vec<hooks::HookEntry>,
        /// paths of this program under other names than its own
        programs: Vec<String>,
        /// whether they are for private projects
        private: bool,
    },
    /// strings in an array, and strings that have no business in others
    Instructions {
        /// the key of the array
        key: &'static str,
        strings: Vec<&'static str>,
        /// key and string
        stale: &'static [(&'static str, &'static str)],
    },
    /// lines of `.gitignore`
    Ignore(Vec<String>),
    /// lines of `.gitattributes`
    Attributes(Vec<String>),
    /// the section of MEMORY.md that mirrors ROOT.md
    Mirror {
        root: Vec<u8>,
    },
    /// what the npm tool put into HEARTBEAT.md
    Heartbeat,
    /// what the npm tool put into `openclaw.json`
    NpmEntry,
}

impl ManagedSection {
    /// The file with our part in it, up to date. Fails when the file is not what its name says.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<Vec<u8>, ParseError> {
        match self {
            ManagedSection::Protocol(body) => {
                check_text(bytes)?;
                Ok(block::put(bytes, PROTOCOL, body))
            }
            ManagedSection::Hooks { entries, programs, private } => {
                hooks::put(bytes, entries, Ours { programs, private: *private })
            }
            ManagedSection::Instructions { key, strings, .. } => {
                strings::put(&self.without_stale(bytes)?, key, strings)
            }
            ManagedSection::Ignore(lines) => {
                check_text(bytes)?;
                let mut lines = lines.clone();
                // Once hidden from git, never shown again by an update.
                lines.extend(
                    ignore::profile_lines(bytes, &known_lines()).into_iter().map(str::to_owned),
                );
                lines.sort();
                lines.dedup();
                Ok(ignore::put(bytes, &lines, &known_lines()))
            }
            ManagedSection::Attributes(lines) => {
                check_text(bytes)?;
                Ok(ignore::put_below(ignore::ATTRIBUTES, bytes, lines, &attributes()))
            }
            ManagedSection::Mirror { .. } => {
                check_text(bytes)?;
                Ok(mirror::put(bytes))
            }
            ManagedSection::Heartbeat | ManagedSection::NpmEntry => self.take_out(bytes, None),
        }
    }

    /// The file without our part. `before` is the file as it was before our first edit. Fails when the file is not what
    /// its name says, or it is not clear what is ours.
    pub(crate) fn take_out(
        &self,
        bytes: &[u8],
        before: Option<&[u8]>,
    ) -> Result<Vec<u8>, ParseError> {
        match self {
            // Below a block in a file that was empty, no blank line is ours.
            ManagedSection::Protocol(_) if before.is_some_and(block::is_bare) => {
                Ok(block::take_out_bare(bytes, PROTOCOL))
            }
            ManagedSection::Protocol(_) => Ok(block::take_out(bytes, PROTOCOL)),
            ManagedSection::Heartbeat => Ok(block::take_out(bytes, npm_tool::HEARTBEAT)),
            ManagedSection::Hooks { programs, private, .. } => {
                hooks::take_out(bytes, before, Ours { programs, private: *private })
            }
            ManagedSection::Instructions { key, strings, .. } => {
                strings::take_out(&self.without_stale(bytes)?, key, strings, before)
            }
            ManagedSection::Ignore(_) => Ok(ignore::take_out(bytes, &known_lines())),
            ManagedSection::Attributes(_) => {
                Ok(ignore::take_out_below(ignore::ATTRIBUTES, bytes, &attributes()))
            }
            ManagedSection::Mirror { root } => {
                let keep_heading = before.is_some_and(|before| mirror::is_anothers(before, root));
                let out = mirror::take_out(bytes, root, keep_heading);
                out.map_err(|doubt| ParseError { line: 1, column: 1, what: doubt.to_string() })
            }
            ManagedSection::NpmEntry => members::take_npm_entry(bytes),
        }
    }

    /// The same part in a file that we have no record of: strings anybody may have written are not ours.
    #[must_use]
    pub(crate) fn unrecorded(&self) -> Self {
        match self {
            ManagedSection::Instructions { key, stale, .. } => {
                ManagedSection::Instructions { key, strings: Vec::new(), stale }
            }
            other => other.clone(),
        }
    }

    fn without_stale(&self, bytes: &[u8]) -> Result<Vec<u8>, ParseError> {
        let ManagedSection::Instructions { stale, .. } = self else { return Ok(bytes.to_vec()) };
        stale.iter().try_fold(bytes.to_vec(), |bytes, (key, string)| {
            strings::take_out(&bytes, key, &[*string], None)
        })
    }

    /// A new file.
    pub(crate) fn whole(&self) -> Vec<u8> {
        let empty: &[u8] = match self {
            ManagedSection::Instructions { .. } => {
                b"{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"
            }
            _ => b"",
        };
        self.put(empty).unwrap_or_default()
    }

    /// What a person puts in by hand where we cannot.
    pub(crate) fn paste(&self) -> String {
        let text = match self {
            ManagedSection::Mirror { .. } => mirror::put(b""),
            other => other.whole(),
        };
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Whether a file has nothing left in it that anybody wrote.
    pub(crate) fn is_effectively_empty(&self, bytes: &[u8]) -> bool {
        match self {
            ManagedSection::Hooks { .. }
            | ManagedSection::Instructions { .. }
            | ManagedSection::NpmEntry => members::is_effectively_empty(bytes),
            ManagedSection::Heartbeat => {
                bytes.trim_ascii().is_empty()
                    || npm_tool::HEARTBEAT_REST == crate::plan::hash(bytes)
            }
            _ => bytes.trim_ascii().is_empty(),
        }
    }

    pub(crate) fn label(&self) -> &'static str {
        match self {
            ManagedSection::Protocol(_) => "section",
            ManagedSection::Hooks { .. } => "hooks",
            ManagedSection::Instructions { .. } => "instructions",
            ManagedSection::Ignore(_) => "ignored files",
            ManagedSection::Attributes(_) => "how git merges",
            ManagedSection::Mirror { .. } => "compaction root",
            ManagedSection::Heartbeat | ManagedSection::NpmEntry => "npm tool",
        }
    }
}

fn check_text(bytes: &[u8]) -> Result<(), ParseError> {
    let zero = bytes.iter().position(|byte| *byte == 0);
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    match zero.or(wide.then_some(0)) {
        None => Ok(()),
        Some(at) => {
            let line = bytes[..at].split(|byte| *byte == b'\n').count();
            Err(ParseError { line, column: 1, what: "no UTF-8 text".to_owned() })
        }
    }
}
