//! What goes, as it is shown: file by file, in a few words.

use super::cut::{Gone, GoneKind};
use super::traces::TextCut;
use crate::capture::transcript::Role;
use crate::text::{counted, entries, lossy};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileRow {
    pub(crate) path: String,
    /// `2 entries, 1 turn`, `removed`
    pub(crate) what: String,
    pub(crate) says: Vec<String>,
}

/// `2 entries, 1 turn`.
pub(super) fn said(gone: &[Gone]) -> String {
    let count = |of: fn(&GoneKind) -> bool| gone.iter().filter(|gone| of(&gone.kind)).count();
    let all = count(|kind| matches!(kind, GoneKind::Entry));
    let turns = count(|kind| matches!(kind, GoneKind::Turn | GoneKind::Said { .. }));
    let titles = count(|kind| matches!(kind, GoneKind::Title { .. }));
    let parts = [
        (all > 0).then(|| entries(all)),
        (turns > 0).then(|| counted(turns, "turn")),
        (titles > 0).then(|| counted(titles, "title")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "removed".to_owned() } else { parts.join(", ") }
}

pub(super) fn beginnings(gone: &[Gone]) -> Vec<String> {
    let told = gone.iter().filter(|gone| !gone.text.is_empty());
    told.map(|gone| {
        let line = gone.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        match &gone.kind {
            GoneKind::Said { role, .. } => match role {
                Role::User => format!("user: {line}"),
                _ => format!("agent: {line}"),
            },
            GoneKind::Title { .. } => format!("title: {line}"),
            _ => line.to_owned(),
        }
    })
    .collect()
}

pub(super) fn told(cut: &TextCut) -> Vec<String> {
    cut.lines.iter().map(|(number, line)| format!("{number}: {}", lossy(line.as_bytes()))).collect()
}
