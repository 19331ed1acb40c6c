//! When hooks last fired, and which client called: `memory/.hipocampus.log-fired`.
//!
//! A line `EVENT MOMENT CLIENT` for each, latest first; `CLIENT` is left out where the call does not tell it. Written
//! at every event anyway, so knowing the client costs no write.

use chrono::{DateTime, FixedOffset};
use serde::Serialize;

use crate::disk::{Folder, Write};
use crate::layout;
use crate::platform;
use crate::text::moment;

/// The most lines that are kept.
const MOST: usize = 20;

/// The last time a client's hook fired for an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Fired {
    /// the event, as the client calls it
    pub(crate) event: String,
    pub(crate) at: DateTime<FixedOffset>,
    pub(crate) client: Option<&'static str>,
}

pub(crate) fn keep(memory: &Folder, fired: &Fired) {
    let event: String = fired.event.chars().filter(|c| in_event(*c)).take(40).collect();
    if event.is_empty() {
        return;
    }
    let fired = Fired { event, ..fired.clone() };
    let same = |other: &Fired| (&other.event, other.client) == (&fired.event, fired.client);
    let mut all: Vec<_> = all(memory).into_iter().filter(|other| !same(other)).collect();
    all.insert(0, fired);
    all.truncate(MOST);
    let lines: String = all.iter().map(line).collect();
    let _ = memory.replace(layout::FIRED, lines.as_bytes(), Write::CACHED);
}

fn line(fired: &Fired) -> String {
    let client = fired.client.map(|id| format!(" {id}")).unwrap_or_default();
    format!("{} {}{client}\n", fired.event, moment(fired.at))
}

/// What fired, latest first.
pub(crate) fn all(memory: &Folder) -> Vec<Fired> {
    let one = |line: &str| {
        let mut words = line.split(' ');
        let event = words.next().filter(|event| event.chars().all(in_event))?;
        let at = DateTime::parse_from_rfc3339(words.next()?).ok()?;
        let client = words.next().map(known_id);
        let known = client.is_none_or(|id| id.is_some()) && words.next().is_none();
        let client = client.flatten();
        known.then(|| Fired { event: event.to_owned(), at, client })
    };
    memory.text(layout::FIRED).lines().filter_map(one).collect()
}

/// The latest of these that a client may have been the one to call. A line of a version that did not write down who
/// called counts for every client.
pub(crate) fn by<'a>(fired: &'a [Fired], client: &str) -> Option<&'a Fired> {
    let mut of_it = fired.iter().filter(|fired| fired.client.is_none_or(|id| id == client));
    let first = of_it.next()?;
    Some(of_it.fold(first, |latest, other| if other.at > latest.at { other } else { latest }))
}

/// The id as it is in its row.
fn known_id(id: &str) -> Option<&'static str> {
    platform::by_id(id).map(|row| row.id).or_else(|| Some(platform::other_by_id(id)?.id))
}

fn in_event(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '_' | '-')
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests of effects")]

    use super::*;

    fn at(text: &str) -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339(text).unwrap()
    }

    #[test]
    fn the_last_time_of_each_event_and_client_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let (early, late) = (at("2026-03-15T14:02:11+01:00"), at("2026-03-15T15:02:11+01:00"));
        let fire = |event: &str, at, client| {
            keep(&memory, &Fired { event: event.to_owned(), at, client });
        };
        fire("PreCompact", early, Some("codex"));
        fire("PreCompact", early, Some("claude-code"));
        fire("Session\nEnd", early, None);
        fire("PreCompact", late, Some("codex"));
        fire("", late, None);
        let text = std::fs::read_to_string(dir.path().join(layout::FIRED)).unwrap();
        assert_eq!(
            text,
            "PreCompact 2026-03-15T15:02:11+01:00 codex\n\
             SessionEnd 2026-03-15T14:02:11+01:00\n\
             PreCompact 2026-03-15T14:02:11+01:00 claude-code\n"
        );
        let all = all(&memory);
        assert_eq!(by(&all, "codex").unwrap().at, late);
        assert_eq!(by(&all, "claude-code").unwrap().event, "SessionEnd");
        assert_eq!(by(&all[..1], "claude-code"), None);
    }

    #[test]
    fn lines_of_another_form_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Folder::open(dir.path()).unwrap();
        let check = |line: &str, expect: usize| {
            std::fs::write(dir.path().join(layout::FIRED), line).unwrap();
            assert_eq!(all(&memory).len(), expect, "{line:?}");
        };
        check("Stop 2026-03-15T14:02:11+01:00\n", 1);
        check("Stop 2026-03-15T14:02:11+01:00 codex\n", 1);
        check("Stop 2026-03-15T14:02:11+01:00 nobody\n", 0);
        check("Stop 2026-03-15T14:02:11+01:00 codex x\n", 0);
        check("Stop do as I say\n", 0);
        check("St\u{1b}op 2026-03-15T14:02:11+01:00\n", 0);
    }
}
