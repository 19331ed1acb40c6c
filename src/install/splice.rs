//! Which part of a user's file is ours: how it goes in, comes out, and what to say where it cannot.

use super::targets::{attributes, known_lines};
use crate::splice::{HEARTBEAT, PROTOCOL, Slip, block, hooks, ignore, members, mirror, strings};

/// Our part of a user's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Splice {
    /// the protocol block
    Protocol(String),
    /// hook entries
    Hooks {
        /// the entries
        entries: Vec<hooks::Entry>,
        /// paths of this program under other names than its own
        programs: Vec<String>,
    },
    /// strings in an array, and strings that have no business in others
    Instructions {
        /// the key of the array
        key: &'static str,
        /// the strings
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
        /// ROOT.md
        root: Vec<u8>,
    },
    /// what the npm tool put into HEARTBEAT.md
    Heartbeat,
    /// what the npm tool put into `openclaw.json`
    NpmEntry,
}

impl Splice {
    /// The file with our part in it, up to date.
    ///
    /// # Errors
    /// When the file is not what its name says.
    pub fn put(&self, bytes: &[u8]) -> Result<Vec<u8>, Slip> {
        match self {
            Splice::Protocol(body) => {
                check_text(bytes)?;
                Ok(block::put(bytes, PROTOCOL, body))
            }
            Splice::Hooks { entries, programs } => hooks::put(bytes, entries, programs),
            Splice::Instructions { key, strings, .. } => {
                strings::put(&self.without_stale(bytes)?, key, strings)
            }
            Splice::Ignore(lines) => {
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
            Splice::Attributes(lines) => {
                check_text(bytes)?;
                Ok(ignore::put_below(ignore::ATTRIBUTES, bytes, lines, &attributes()))
            }
            Splice::Mirror { .. } => {
                check_text(bytes)?;
                Ok(mirror::put(bytes))
            }
            Splice::Heartbeat | Splice::NpmEntry => self.take_out(bytes, None),
        }
    }

    /// The file without our part. `before` is the file as it was before our first edit.
    ///
    /// # Errors
    /// When the file is not what its name says, or it cannot be told what is ours.
    pub fn take_out(&self, bytes: &[u8], before: Option<&[u8]>) -> Result<Vec<u8>, Slip> {
        match self {
            // Below a block in a file that was empty, no blank line is ours.
            Splice::Protocol(_) if before.is_some_and(block::is_bare) => {
                Ok(block::take_out_bare(bytes, PROTOCOL))
            }
            Splice::Protocol(_) => Ok(block::take_out(bytes, PROTOCOL)),
            Splice::Heartbeat => Ok(block::take_out(bytes, HEARTBEAT)),
            Splice::Hooks { programs, .. } => hooks::take_out(bytes, before, programs),
            Splice::Instructions { key, strings, .. } => {
                strings::take_out(&self.without_stale(bytes)?, key, strings, before)
            }
            Splice::Ignore(_) => Ok(ignore::take_out(bytes, &known_lines())),
            Splice::Attributes(_) => {
                Ok(ignore::take_out_below(ignore::ATTRIBUTES, bytes, &attributes()))
            }
            Splice::Mirror { root } => {
                let keep_heading = before.is_some_and(|before| mirror::is_anothers(before, root));
                let out = mirror::take_out(bytes, root, keep_heading);
                out.map_err(|what| Slip { line: 1, column: 1, what: what.to_owned() })
            }
            Splice::NpmEntry => members::take_npm_entry(bytes),
        }
    }

    /// The same part in a file that we have no record of: strings anybody may have written are not ours.
    #[must_use]
    pub fn unrecorded(&self) -> Self {
        match self {
            Splice::Instructions { key, stale, .. } => {
                Splice::Instructions { key, strings: Vec::new(), stale }
            }
            other => other.clone(),
        }
    }

    fn without_stale(&self, bytes: &[u8]) -> Result<Vec<u8>, Slip> {
        let Splice::Instructions { stale, .. } = self else { return Ok(bytes.to_vec()) };
        stale.iter().try_fold(bytes.to_vec(), |bytes, (key, string)| {
            strings::take_out(&bytes, key, &[*string], None)
        })
    }

    /// A new file.
    pub fn whole(&self) -> Vec<u8> {
        let empty: &[u8] = match self {
            Splice::Instructions { .. } => {
                b"{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"
            }
            _ => b"",
        };
        self.put(empty).unwrap_or_default()
    }

    /// What a person puts in by hand where we cannot.
    pub fn paste(&self) -> String {
        let text = match self {
            Splice::Mirror { .. } => mirror::put(b""),
            other => other.whole(),
        };
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Whether a file has nothing left in it that anybody wrote.
    pub fn is_void(&self, bytes: &[u8]) -> bool {
        match self {
            Splice::Hooks { .. } | Splice::Instructions { .. } | Splice::NpmEntry => {
                members::is_void(bytes)
            }
            Splice::Heartbeat => {
                bytes.trim_ascii().is_empty() || NPM_HEARTBEAT == crate::plan::hash(bytes)
            }
            _ => bytes.trim_ascii().is_empty(),
        }
    }

    /// What it is, in a word.
    pub fn label(&self) -> &'static str {
        match self {
            Splice::Protocol(_) => "protocol",
            Splice::Hooks { .. } => "hooks",
            Splice::Instructions { .. } => "instructions",
            Splice::Ignore(_) => "ignored files",
            Splice::Attributes(_) => "how git merges",
            Splice::Mirror { .. } => "compaction root",
            Splice::Heartbeat | Splice::NpmEntry => "npm tool",
        }
    }
}

/// The rest of a HEARTBEAT.md that the npm tool made, without its block.
const NPM_HEARTBEAT: u64 = 0x2cbe_8bea_f180_d1c2;

fn check_text(bytes: &[u8]) -> Result<(), Slip> {
    let zero = bytes.iter().position(|byte| *byte == 0);
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    match zero.or(wide.then_some(0)) {
        None => Ok(()),
        Some(at) => {
            let line = bytes[..at].split(|byte| *byte == b'\n').count();
            Err(Slip { line, column: 1, what: "no UTF-8 text".to_owned() })
        }
    }
}
