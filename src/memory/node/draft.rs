//! The head of a node about to be written.

use std::fmt::Write as _;

use super::{Fingerprint, Status};
use crate::layout;
use crate::memory::period::{Level, Period, Week};

/// A node about to be written.
#[derive(Debug)]
pub(crate) struct NodeDraft<'a> {
    pub period: Period,
    pub status: Status,
    /// the files or lower nodes it is made from, by name
    pub sources: &'a [String],
    /// the `topics` of its head
    pub topics: &'a str,
    pub lines: u64,
    pub source_hash: u64,
    pub body_hash: u64,
}

impl NodeDraft<'_> {
    /// The file up to its body: the head in the order of `spec/file-formats.md` and one blank line.
    pub(crate) fn head(&self) -> Vec<u8> {
        let fingerprint = Fingerprint { sources: self.source_hash, body: self.body_hash };
        let mut head = String::with_capacity(256 + 32 * self.sources.len());
        let _ = write!(
            head,
            "---\ntype: {}\nstatus: {}\nperiod: {}\n",
            self.period.level(),
            self.status,
            self.period
        );
        let folder = match self.period {
            Period::Day(_) => layout::MEMORY.to_owned(),
            Period::Week(week) => {
                let _ = writeln!(head, "dates: {}", calendar_range(week));
                format!("{}/{}", layout::MEMORY, layout::level_dir(Level::Daily))
            }
            Period::Month(_) => {
                let _ = writeln!(head, "weeks: [{}]", self.sources.join(", "));
                format!("{}/{}", layout::MEMORY, layout::level_dir(Level::Weekly))
            }
        };
        let suffix = if self.period.level() == Level::Daily { "" } else { ".md" };
        head.push_str("source-files: [");
        for (at, name) in self.sources.iter().enumerate() {
            if at > 0 {
                head.push(',');
                head.push(' ');
            }
            head.push_str(&folder);
            head.push('/');
            head.push_str(name);
            head.push_str(suffix);
        }
        let topics = if self.topics.is_empty() { "[]" } else { self.topics };
        let _ = write!(
            head,
            "]\ntopics: {topics}\nlines: {}\nfingerprint: {fingerprint}\n---\n\n",
            self.lines
        );
        head.into_bytes()
    }
}

fn calendar_range(week: Week) -> String {
    format!("{} to {}", Period::Day(week.first_day()), Period::Day(week.last_day()))
}
