//! The receipt as `status --receipt` prints it.

use std::fmt::Write as _;

use chrono::{DateTime, FixedOffset};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::disk::Folder;
use crate::error::Problem;
use crate::import::receipt::{LastReceipt, SessionReceipt, TurnCount};
use crate::plan::Note;
use crate::search::short;
use crate::terminal::safe;
use crate::text::{aligned, counted};

/// The receipts of all sessions of a project.
#[derive(Debug, Serialize)]
pub(crate) struct Receipt {
    pub(crate) at: DateTime<FixedOffset>,
    /// all sessions together
    pub(crate) sum: TurnCount,
    /// hashes over those of the sessions, each with the session's name
    pub(crate) store_hash: String,
    pub(crate) memory_hash: String,
    pub(crate) sessions: Vec<SessionReceipt>,
    /// what could not be read, or may be the project's
    pub(crate) passed_over: Vec<Note>,
}

impl Receipt {
    pub(crate) fn new(
        sessions: Vec<SessionReceipt>,
        passed_over: Vec<Note>,
        at: DateTime<FixedOffset>,
    ) -> Self {
        let sum = sessions.iter().fold(TurnCount::default(), |sum, it| sum.and(it.turns));
        let over = |hash: fn(&SessionReceipt) -> &str| {
            let line = |it: &SessionReceipt| format!("{} {}\n", it.session, hash(it));
            let mut lines: Vec<String> = sessions.iter().map(line).collect();
            lines.sort();
            format!("{:032x}", xxh3_128(lines.concat().as_bytes()))
        };
        let (store_hash, memory_hash) = (over(|it| &it.store_hash), over(|it| &it.memory_hash));
        Self { at, sum, store_hash, memory_hash, sessions, passed_over }
    }

    /// `4,211 messages of 41 sessions: 4,105 in the memory, 104 left out, 2 waiting, 0 missing`
    pub(crate) fn line(&self) -> String {
        let TurnCount { store, memory, left_out, waiting, missing, .. } = self.sum;
        let (turns, sessions) =
            (counted(store, "message"), counted(self.sessions.len(), "session"));
        let left_out = left_out.sum();
        format!(
            "{turns} of {sessions}: {memory} in the memory, {left_out} left out, {waiting} waiting, {missing} missing"
        )
    }

    /// Writes down what it came to, for the screen of `status`; nothing where there are no sessions.
    pub(crate) fn keep(&self, memory: &Folder) {
        if self.sessions.is_empty() {
            LastReceipt::forget(memory);
        } else {
            let TurnCount { store, memory: here, missing, .. } = self.sum;
            let sum = format!("{}, {here} here, {missing} missing", counted(store, "message"));
            LastReceipt { at: self.at, sum }.keep(memory);
        }
    }

    /// A line for each session, and what all of them come to.
    pub(crate) fn render(&self) -> String {
        if self.sessions.is_empty() {
            return "no session of this project is in an agent's store\n".to_owned();
        }
        let head =
            ["agent", "session", "day", "messages", "here", "left out", "waiting", "missing"];
        let row = |it: &SessionReceipt| {
            let TurnCount { store, memory, left_out, waiting, missing, .. } = it.turns;
            let day = it.day.map(|day| day.to_string()).unwrap_or_default();
            let [store, memory, left_out, waiting, missing] =
                [store, memory, left_out.sum(), waiting, missing].map(|count| count.to_string());
            let (agent, session) = (it.agent.to_owned(), safe(short(&it.session)));
            [agent, session, day, store, memory, left_out, waiting, missing]
        };
        let rows: Vec<_> =
            [head.map(str::to_owned)].into_iter().chain(self.sessions.iter().map(row)).collect();
        let mut text = aligned(&rows, 3..8);
        let _ = writeln!(text, "\n{}", self.line());
        let (sum, left_out) = (&self.sum, &self.sum.left_out);
        let mut parts = |name: &str, parts: &[(usize, &str)]| {
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<_> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            if !parts.is_empty() {
                let _ = writeln!(text, "{name}: {}", parts.join(", "));
            }
        };
        parts(
            "in the memory",
            &[
                (sum.redacted, "with values taken out"),
                (sum.cut, "without the end of what is too long for a turn"),
                (sum.copied, "under the session they are a copy of"),
                (sum.changed, "in other words"),
            ],
        );
        parts(
            "left out",
            &[
                (left_out.forgotten, "forgotten"),
                (left_out.private, "private"),
                (left_out.off, "while it was off"),
                (left_out.delegated, "between two agents"),
            ],
        );
        parts("waiting", &[(sum.waiting, "said since their agent last called")]);
        let (store, memory) = (&self.store_hash, &self.memory_hash);
        let _ = if store == memory {
            writeln!(text, "hash: {store}, of the stores and of the memory")
        } else {
            writeln!(text, "hash: {store} of the stores, {memory} of the memory")
        };
        text
    }

    /// What is wrong; `None` where all is there.
    pub(crate) fn problem(&self) -> Option<Problem> {
        let lacks: Vec<_> = self.sessions.iter().filter(|it| it.turns.missing > 0).collect();
        if !lacks.is_empty() {
            let turns = counted(self.sum.missing, "message");
            let verb = if self.sum.missing == 1 { "is" } else { "are" };
            let sessions = counted(lacks.len(), "session");
            let what = format!("{turns} of {sessions} {verb} not in the memory");
            let hint = "run `hipocampus import`, which brings in what was never read; what was taken out of a log by hand stays out";
            return Some(Problem::new(what).hint(hint));
        }
        let unread = self.sessions.iter().filter(|it| it.problem.is_some()).count()
            + self.passed_over.iter().filter(|note| note.problem).count();
        let what = || format!("{} could not be compared", counted(unread, "file"));
        let hint = "mend or remove what is named above";
        (unread > 0).then(|| Problem::new(what()).hint(hint))
    }
}
