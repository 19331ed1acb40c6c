//! Copies of sessions whose records have no ids, as after a chat was duplicated or its file was given another name.

use std::collections::HashSet;
use std::io;

use chrono::NaiveDate;

use super::{Filter, HEADING, Prefilter, spread};
use crate::capture::transcript::TurnPart;
use crate::import::place::says;
use crate::import::since::{Since, days};
use crate::import::source::Conversation;
use crate::layout;

impl Prefilter<'_, '_> {
    /// Without ids, a copy is known by its beginning: that of another session, said in the same minute where this is
    /// recorded, and going as far as one of the two or over four turns; without times over four turns. Less may be
    /// chance, as where several sessions are given one prompt.
    pub(super) fn copied(
        &self,
        source: &Conversation<'_>,
        session: &str,
        first: &TurnPart,
        since: Option<Since>,
    ) -> io::Result<Filter> {
        let mut filter = Filter::default();
        self.add_hidden(since, None, &mut filter)?;
        let mut logs = days(&self.context.logs, since, false)?;
        logs.reverse();
        let has_it = |day: &NaiveDate| -> io::Result<bool> {
            let log = self.context.memory.read_if_there(&layout::log_name(*day))?;
            self.context.in_time()?;
            Ok(log.is_some_and(|(bytes, _)| says(&bytes, first, self.context.redact)))
        };
        let found = logs.iter().map(has_it).collect::<io::Result<Vec<bool>>>()?;
        let Some(begin) = found.iter().position(|found| *found) else { return Ok(filter) };
        let turns = self.turns(source, &HashSet::new())?;
        let came: Vec<u64> = turns.iter().filter_map(|(_, hash)| *hash).collect();
        let heading = first.time.map(|time| (self.context.local)(time).format(HEADING).to_string());
        let mut shared = 0;
        for (_, other) in
            self.spoken(&logs[begin..], None)?.iter().filter(|(name, _)| *name != session)
        {
            let is_start = |time: &String| heading.as_ref().is_none_or(|heading| heading == time);
            for (at, _) in other.headings.iter().filter(|(_, time)| is_start(time)) {
                let said = &other.turns[*at..];
                let same = said.iter().zip(&came).take_while(|(old, came)| old == came).count();
                let is_all = heading.is_some() && same == said.len().min(came.len());
                if same >= 4 || same >= 2 && is_all {
                    shared = shared.max(same);
                }
            }
        }
        let old: Vec<bool> = (0..came.len()).map(|at| at < shared).collect();
        filter.turns = spread(&turns, &old);
        Ok(filter)
    }
}
