//! The sections of a summary, by level, and how long one may be.

use crate::memory::period::Level;

/// A section: its heading, and what belongs below it.
pub(crate) type SummarySection = (&'static str, &'static str);

const DAILY: [SummarySection; 5] = [
    ("Topics", "one line: every subject as `topic [type]`, comma-separated"),
    ("Key Decisions", "- topic: chose X over Y, because Z"),
    ("Tasks Completed", "- task: outcome, files, commits"),
    ("Lessons Learned", "- topic: the rule or fact, its reason, the cause of an error and its fix"),
    ("Open Items", "- what is pending, next or blocked"),
];
const WEEKLY: [SummarySection; 6] = [
    DAILY[0],
    DAILY[1],
    DAILY[2],
    ("Entities Referenced", "users: ..., services: ..., files: ..., errors: ..."),
    DAILY[3],
    DAILY[4],
];
const MONTHLY: [SummarySection; 7] = [
    DAILY[0],
    ("Key Themes", "- theme: what it came to over the weeks"),
    ("Major Decisions", "- topic: chose X over Y, because Z"),
    ("Completed Work", "- project: outcome"),
    ("Recurring Entities", "users: ..., services: ..., patterns: ..."),
    ("Lessons & Patterns", "- topic: the rule or fact, its reason"),
    ("Carried Forward", "- what is still open at the end of the month"),
];

/// The sections that a summary has, in order.
pub(crate) fn of(level: Level) -> &'static [SummarySection] {
    match level {
        Level::Daily => &DAILY,
        Level::Weekly => &WEEKLY,
        Level::Monthly => &MONTHLY,
    }
}

/// The tokens that a model is asked to stay within: 4,000 for a day, 6,000 for a week, 10,000 for a month.
pub(crate) fn budget(level: Level) -> u32 {
    u32::try_from(level.threshold()).unwrap_or(u32::MAX).saturating_mul(20)
}

/// The lines that a model is asked for: three tenths of the threshold. Five days of so many are within the threshold of
/// a week, five weeks within that of a month, so that what was written of the days is copied upwards and nothing is
/// summarised twice.
pub(crate) fn lines(level: Level) -> u64 {
    level.threshold() * 3 / 10
}

/// The most tokens of an answer that are taken: what its lines may come to.
pub(crate) fn most(level: Level) -> u32 {
    u32::try_from(level.threshold()).unwrap_or(u32::MAX).saturating_mul(40)
}
