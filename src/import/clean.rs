//! What of a record is kept: without secrets, on one line, with the paths of files below the project, and no more than
//! an import needs.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::context::ImportContext;
use super::source::Event;
use crate::capture::chunk::{Chunk, Chunker};
use crate::capture::narrow::narrowed;
use crate::capture::transcript::{self, Role, TurnPart};
use crate::capture::{Redact, private};
use crate::layout;
use crate::markdown::escape::escape;

impl ImportContext<'_> {
    /// The piece and its record without secrets. The piece is read from the redacted record, so that it
    /// compares equal with what is read from a backup.
    pub(super) fn redacted(&self, said: Event<'_>) -> (TurnPart, Vec<u8>) {
        if said.record.is_empty() {
            return (said.piece, Vec::new());
        }
        let public = private::without(said.record);
        let (mut piece, record) = match self.redact.json_line(&public) {
            // Most records hold no secret: what was read from them needs not be read again.
            Cow::Borrowed(record) => (said.piece, one_line(record)),
            Cow::Owned(record) => {
                let record = one_line(&record);
                match transcript::piece(&record) {
                    Some(piece) => (piece, record),
                    None => (said.piece, Vec::new()),
                }
            }
        };
        without_secrets(&mut piece, self.redact);
        let base = piece.cwd.as_deref().map(Path::new);
        let roots = || self.roots.iter().map(PathBuf::as_path).chain(base);
        let shown = |path: &String| layout::below(path.trim(), base, roots());
        piece.files = piece.files.iter().filter_map(shown).collect();
        for made in piece.files.iter_mut().chain(&mut piece.commits) {
            *made = self.redact.text(made).into_owned();
        }
        (piece, narrowed(&record))
    }

    /// Adds what a record says to the chunks of a session that is looked through. Returns one that is complete.
    pub(super) fn chunk(&self, chunker: &mut Chunker<'_>, said: Event<'_>) -> Option<Chunk> {
        let span = said.span.clone();
        let (mut piece, _) = self.redacted(said);
        piece.text = escaped(piece.role, &piece.text);
        chunker.push(&piece, span, b"")
    }
}

/// The words of a piece as they are in a log.
pub(super) fn escaped(role: Role, words: &str) -> String {
    // A note of ours about a skipped record has nothing to hide and must stay as it is.
    if role == Role::Nobody { words.to_owned() } else { escape(words) }
}

/// The piece of a record as [`ImportContext::redacted`] gives it, as far as it tells which record it is.
pub(super) fn clean(redact: &dyn Redact, said: &Event<'_>) -> TurnPart {
    let record = one_line(&redact.json_line(&private::without(said.record)));
    let mut piece = transcript::piece(&record).unwrap_or_else(|| said.piece.clone());
    without_secrets(&mut piece, redact);
    piece
}

fn without_secrets(piece: &mut TurnPart, redact: &dyn Redact) {
    piece.text = redact.text(&piece.text).into_owned();
    for tool in &mut piece.tools {
        *tool = redact.text(tool).into_owned();
    }
    // What can no longer be distinguished must not count as the same.
    let told_apart = |id: &String| !id.contains("[REDACTED");
    piece.id = piece.id.take().filter(told_apart);
    piece.reply = piece.reply.take().filter(told_apart);
}

/// A JSON value without the newlines that may be between its parts.
fn one_line(json: &[u8]) -> Vec<u8> {
    if memchr::memchr2(b'\n', b'\r', json).is_none() {
        return json.to_vec();
    }
    json.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect()
}
