//! Plans a memory of which much has to be read on several threads, month by month.
//!
//! The plan is the same on one thread and on many: no month is made from another one, and what the threads find is put
//! together in the order of the months.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, scope};

use super::{CompactionPlan, Months, Planner};
use crate::meaning::facts::FactCache;
use crate::memory::snapshot::{Facts, KEPT};
use crate::side_by_side::STACK;

/// How many bytes of logs have to be unread for each thread to be worth its start. That is some milliseconds of work;
/// what follows a single session stays on one thread.
const WORTH: u64 = 512 * 1024;
/// More threads than this would wait for each other: what they find is put together by one, and some allocators have
/// one lock for all.
const MOST: u64 = 4;
/// The most bytes of logs that all threads have in memory at once; each has those of a month.
const ROOM: u64 = 64 * 1024 * 1024;

/// What a thread finds.
struct Found {
    /// by the place of the month
    plans: Vec<(usize, CompactionPlan)>,
    index: Option<FactCache>,
    learnt: Facts,
}

impl Planner<'_, '_> {
    /// Plans months, on several threads where that saves time.
    pub(super) fn months(&mut self, months: &Months) {
        let threads = self.threads_for(months);
        if threads < 2 {
            return self.climb(months);
        }
        self.library.forget_bytes();
        let (left, planner) = (AtomicUsize::new(months.len()), &*self);
        let work = || planner.some_of(months, &left);
        let found = scope(|all| {
            let start = |_| Builder::new().stack_size(STACK).spawn_scoped(all, work);
            // Where the system has no thread to give, the others do its share.
            let others: Vec<_> = (1..threads).filter_map(|thread| start(thread).ok()).collect();
            let mut found = vec![work()];
            for other in others {
                found.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            found
        });
        let mut plans = Vec::with_capacity(months.len());
        for found in found {
            plans.extend(found.plans);
            self.library.learn(found.learnt);
            if let (Some(index), Some(found)) = (&mut self.index, found.index) {
                index.append(found);
            }
        }
        plans.sort_by_key(|(place, _)| *place);
        for (_, plan) in plans {
            self.outcome.append(plan);
        }
    }

    /// Plans months as long as some are left. The latest first: what is said of recent ones takes longest, and no
    /// thread is to wait for it.
    fn some_of(&self, months: &Months, left: &AtomicUsize) -> Found {
        let mut library = self.library.beside();
        let index = self.index.as_ref().map(|_| FactCache::default());
        let mut planner = Planner::new(&mut library, self.rules, index);
        planner.earlier = self.index.as_ref();
        let mut plans = Vec::new();
        let one_less = |left: usize| left.checked_sub(1);
        while let Ok(taken) = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less) {
            planner.climb(&months[taken - 1..taken]);
            plans.push((taken, std::mem::take(&mut planner.outcome)));
        }
        let index = planner.index;
        Found { plans, index, learnt: library.into_learnt() }
    }

    /// How many threads are worth it for the logs that are not known from an earlier run. One where a log is so large
    /// that it is to be alone in memory.
    fn threads_for(&self, months: &Months) -> u64 {
        let logs = &self.library.listing.logs;
        let (mut unread, mut with_unread, mut largest) = (0, 0, 0);
        for (month, _) in months {
            let files = logs.range(month.days()).flat_map(|(_, files)| files.iter());
            let (mut all, mut new) = (0, 0);
            for file in files {
                if file.stamp.size > KEPT as u64 {
                    return 1;
                }
                all += file.stamp.size;
                new += if self.library.knows_log(file) { 0 } else { file.stamp.size };
            }
            unread += new;
            with_unread += u64::from(new > 0);
            largest = all.max(largest);
        }
        let worth = (unread / WORTH).min(with_unread).min(MOST).min(ROOM / largest.max(1));
        if worth < 2 { 1 } else { worth.min((self.rules.threads)() as u64) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::io;
    use std::sync::Arc;

    use chrono::{Days, NaiveDate};

    use super::super::{Rules, plan};
    use super::*;
    use crate::meaning::page::plan_root;
    use crate::memory::period::Period;
    use crate::memory::snapshot::{Listing, LogFile, MemoryReader, Snapshot, Stamp};

    /// Logs by name.
    struct Logs(BTreeMap<String, Vec<u8>>);

    impl Logs {
        /// Three months of entries and sessions whose words recur, each day with words of its own, and some logs that
        /// are long.
        fn new() -> Self {
            let words = ["pool", "ledger", "parser", "cache key", "billing", "캐시", "retries"];
            let mut logs = BTreeMap::new();
            for n in 0..90_usize {
                let (what, other) = (words[n % 7], words[n / 7 % 7]);
                let mut text = format!(
                    "## {what} limits [project]\n- request: why does the {what} fail in step {n}?\n\
                     - decisions: chose {other} over {what}, because {other} is measured by day {n}\n\
                     ## {other} {n}\n- rule: never touch the {other} before release {n}\n"
                );
                let own = (0..40).map(|k| format!("{what}{n}x{k} holds the {other} {k}. "));
                let said: String = own.take(n % 40).collect();
                let heading = format!("## Session — {}\n\n**User:** why?\n\n", Self::day(n));
                text = [&*text, &*heading, "**Assistant:** ", &*said, "\n"].concat();
                if n % 30 == 20 {
                    text.push_str(&"\n".repeat(530_000));
                }
                logs.insert(format!("{}.md", Self::day(n)), text.into_bytes());
            }
            Self(logs)
        }

        fn day(n: usize) -> NaiveDate {
            NaiveDate::from_ymd_opt(2026, 1, 1).unwrap() + Days::new(n as u64)
        }

        fn listing(&self, days: usize) -> Listing {
            let logs = self.0.iter().take(days).map(|(name, bytes)| {
                let stamp = Stamp { size: bytes.len() as u64, mtime: 1 };
                let file = LogFile { name: name.clone(), stamp, private: true };
                (name[..10].parse().unwrap(), Arc::new(vec![file]))
            });
            Listing { logs: logs.collect(), ..Listing::default() }
        }

        fn plan(&self, days: usize, threads: usize, index: FactCache) -> (CompactionPlan, Facts) {
            let rules = Rules {
                today: Self::day(91),
                redact: &|text| text,
                rules_version: 7,
                since: None,
                reopen: BTreeSet::new(),
                given: BTreeMap::new(),
                shared: false,
                threads: &|| threads,
            };
            let mut library = Snapshot::new(self.listing(days), Facts::default(), self);
            let planned = plan(&mut library, &rules, Some(index));
            (planned, library.into_facts().0)
        }
    }

    impl MemoryReader for Logs {
        fn log(&self, name: &str) -> io::Result<(Vec<u8>, Stamp)> {
            let bytes = self.0.get(name).ok_or(io::ErrorKind::NotFound)?;
            Ok((bytes.clone(), Stamp { size: bytes.len() as u64, mtime: 1 }))
        }

        fn node(&self, _: Period) -> io::Result<(Vec<u8>, Stamp)> {
            Err(io::ErrorKind::NotFound.into())
        }

        fn stray(&self, _: &str) -> io::Result<Vec<u8>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn root_md(facts: &FactCache) -> String {
        let root = plan_root(None, facts, Logs::day(91), 3000);
        String::from_utf8(root.bytes).unwrap()
    }

    #[test]
    fn a_plan_is_the_same_on_any_number_of_threads() {
        let logs = Logs::new();
        let (one, known) = logs.plan(90, 1, FactCache::default());
        for threads in [2, 4] {
            let (many, learnt) = logs.plan(90, threads, FactCache::default());
            assert!(many.plan == one.plan && many.nodes == one.nodes && many.late == one.late);
            assert_eq!(many.index.nodes().count(), 90);
            assert_eq!(root_md(&many.index), root_md(&one.index));
            assert!(learnt == known);
        }
        assert!(root_md(&one.index).contains("ledger"));
    }

    #[test]
    fn what_an_index_knows_is_not_read_again() {
        let logs = Logs::new();
        let (before, _) = logs.plan(45, 1, FactCache::default());
        let (after, _) = logs.plan(90, 3, before.index);
        assert!(after.index.changed);
        let (whole, _) = logs.plan(90, 1, FactCache::default());
        assert_eq!(root_md(&after.index), root_md(&whole.index));
        let (again, _) = logs.plan(90, 3, FactCache::decode(&after.index.encode()).unwrap());
        assert!(!again.index.changed);
    }
}
