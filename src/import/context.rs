//! What every step of an import needs and none of them changes.

use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use chrono::{DateTime, NaiveDate, Utc};

use super::logs::Logs;
use super::since::Since;
use crate::capture::remembering::Remembering;
use crate::capture::{Redact as _, block};
use crate::disk::Folder;
use crate::error::Problem;
use crate::memory::forgotten::Forgotten;
use crate::world::{LocalTime, World};

/// The memory, the moment and the rules of an import.
pub(super) struct ImportContext<'a> {
    pub(super) memory: &'a Folder,
    pub(super) logs: Logs<'a>,
    pub(super) redact: &'a Remembering<'a>,
    pub(super) now: DateTime<Utc>,
    /// the clock that stamps files, whatever time this run was given as now
    pub(super) clock: DateTime<Utc>,
    pub(super) local: LocalTime,
    pub(super) deadline: Option<Instant>,
    /// the folders that the paths of files are shown relative to
    pub(super) roots: Vec<PathBuf>,
    pub(super) forgotten: Rc<Forgotten>,
}

impl<'a> ImportContext<'a> {
    pub(super) fn new(
        memory: &'a Folder,
        logs: Logs<'a>,
        redact: &'a Remembering<'a>,
        world: &World,
        forgotten: Rc<Forgotten>,
    ) -> Result<Self, Problem> {
        Ok(Self {
            memory,
            logs,
            redact,
            now: world.now()?.to_utc(),
            clock: world.clock.to_utc(),
            local: world.local()?,
            deadline: None,
            roots: memory.path().parent().map(Path::to_owned).into_iter().collect(),
            forgotten,
        })
    }

    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// To be called now and then by code that reads much before anything is written.
    pub(super) fn in_time(&self) -> io::Result<()> {
        crate::progress::tick(|| "reading a session".to_owned());
        if self.is_late() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// The name of a session in its blocks: its id, or where that holds a secret, a hash.
    pub(super) fn session_name(&self, id: &str) -> String {
        if self.redact.text(id) == id {
            return block::session_name(id);
        }
        block::hidden_name(id)
    }

    pub(super) fn since(&self, time: DateTime<Utc>) -> Since {
        Since::new(time, (self.local)(time).date(), self.clock)
    }

    /// When something without a time was said last that is in the log of `day`: now, but not later
    /// than that day.
    pub(super) fn assumed(&self, day: NaiveDate) -> DateTime<Utc> {
        let now = (self.local)(self.now);
        let end = day.succ_opt().unwrap_or(day).and_time(chrono::NaiveTime::MIN);
        self.now - (now - end).max(chrono::TimeDelta::zero())
    }
}
