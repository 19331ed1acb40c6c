//! Which nodes wait for a summary by a model, and whether it is time for one.

use chrono::{DateTime, FixedOffset, NaiveDate, TimeDelta};

use super::node::{NodeFacts, Status};
use super::period::{Period, Week};

/// Whether a node waits for a summary: its period is over, and not settled by its extract because it ended before
/// `since`. A text that went stale is no extract.
pub(crate) fn waits(
    period: Period,
    facts: &NodeFacts,
    today: NaiveDate,
    since: Option<NaiveDate>,
) -> bool {
    let is_settled = is_early(period, since) && !facts.is_stale();
    facts.status == Some(Status::NeedsSummarization) && !is_settled && is_over(period, today)
}

/// Whether a period ended before models were asked for summaries.
pub(crate) fn is_early(period: Period, since: Option<NaiveDate>) -> bool {
    since.is_some_and(|since| *period.days().end() < since)
}

/// Whether a period's sources have stopped growing by themselves.
pub(crate) fn is_over(period: Period, today: NaiveDate) -> bool {
    last_day(period) < today
}

/// The last day on which a period's sources may grow by themselves. The weeks of a month reach beyond it.
fn last_day(period: Period) -> NaiveDate {
    match period {
        Period::Month(month) => {
            let week = Week::of(month.last_day());
            if week.month() == month { week.last_day() } else { month.last_day() }
        }
        _ => *period.days().end(),
    }
}

/// What `memory/.compaction-state.json` and the logs say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SinceLastRun {
    /// when a model last summarised; a mechanical run never changes it
    pub last_run: Option<DateTime<FixedOffset>>,
    /// lines added to the logs since, whoever wrote them
    pub raw_lines: u64,
    pub checkpoints: u64,
}

/// The answer of `hipocampus status --due`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Due {
    /// whether a model should summarise now
    pub due: bool,
    /// why, or why not
    pub reason: String,
}

/// More lines than this do not wait for the cooldown.
pub(crate) const RAW_LINES: u64 = 300;
/// Nor do more checkpoints than this.
pub(crate) const CHECKPOINTS: u64 = 5;

/// `waiting` is how many nodes wait for a summary; `since` is `None` without a state file.
pub(crate) fn due(
    waiting: usize,
    since: Option<&SinceLastRun>,
    cooldown_hours: f64,
    now: DateTime<FixedOffset>,
) -> Due {
    let yes = |reason: String| Due { due: true, reason };
    let nodes = match waiting {
        0 => return Due { due: false, reason: "no node waits for a summary".to_owned() },
        1 => "1 node waits".to_owned(),
        _ => format!("{waiting} nodes wait"),
    };
    let Some(since) = since else {
        return yes(format!("{nodes}, and there is no state file yet"));
    };
    #[expect(clippy::cast_possible_truncation, reason = "at most 720 hours")]
    let cooldown = TimeDelta::seconds((cooldown_hours * 3600.0) as i64);
    if cooldown <= TimeDelta::zero() {
        return yes(format!("{nodes}, and `cooldownHours` is 0"));
    }
    if since.raw_lines > RAW_LINES {
        return yes(format!("{nodes}, {} log lines since the last summary", since.raw_lines));
    }
    if since.checkpoints > CHECKPOINTS {
        return yes(format!("{nodes}, {} checkpoints since the last summary", since.checkpoints));
    }
    // A time that has not come yet was written by a clock that was wrong.
    let passed =
        since.last_run.map(|then| now - then).filter(|passed| *passed >= TimeDelta::zero());
    match passed {
        None => yes(format!("{nodes}, and none was ever summarised")),
        Some(passed) if passed >= cooldown => {
            yes(format!("{nodes}, {} since the last summary", hours(passed)))
        }
        Some(passed) => Due {
            due: false,
            reason: format!(
                "{nodes}, but only {} of {cooldown_hours} h, {} of {RAW_LINES} log lines and {} of {CHECKPOINTS} \
                 checkpoints since the last summary",
                hours(passed),
                since.raw_lines,
                since.checkpoints
            ),
        },
    }
}

/// `2.5 h`, `4 d`
fn hours(passed: TimeDelta) -> String {
    match passed.num_hours() {
        48.. => format!("{} d", passed.num_days()),
        _ => format!("{}.{} h", passed.num_hours(), passed.num_minutes() % 60 / 6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64, minutes: i64) -> DateTime<FixedOffset> {
        let start = DateTime::parse_from_rfc3339("2026-03-15T08:00:00+01:00").unwrap();
        start + TimeDelta::hours(hours) + TimeDelta::minutes(minutes)
    }

    #[test]
    fn the_conditions_of_the_spec() {
        fn check(
            waiting: usize,
            since: Option<SinceLastRun>,
            cooldown: f64,
            minutes: i64,
            expect: bool,
        ) {
            let answer = due(waiting, since.as_ref(), cooldown, at(0, minutes));
            assert_eq!(answer.due, expect, "{since:?} after {minutes} min: {}", answer.reason);
        }
        let fresh = SinceLastRun { last_run: Some(at(0, 0)), raw_lines: 0, checkpoints: 0 };
        // Nothing waits: never.
        check(0, None, 3.0, 6000, false);
        check(0, Some(SinceLastRun { raw_lines: 9999, ..fresh }), 0.0, 6000, false);
        // Something waits.
        check(1, None, 3.0, 0, true);
        check(1, Some(fresh), 0.0, 0, true);
        check(1, Some(fresh), 3.0, 179, false);
        check(1, Some(fresh), 3.0, 180, true);
        check(1, Some(fresh), 24.0, 180, false);
        check(1, Some(SinceLastRun { raw_lines: 300, ..fresh }), 3.0, 10, false);
        check(1, Some(SinceLastRun { raw_lines: 301, ..fresh }), 3.0, 10, true);
        check(1, Some(SinceLastRun { checkpoints: 5, ..fresh }), 3.0, 10, false);
        check(1, Some(SinceLastRun { checkpoints: 6, ..fresh }), 3.0, 10, true);
        check(1, Some(SinceLastRun { last_run: None, ..fresh }), 3.0, 0, true);
        check(1, Some(SinceLastRun { last_run: Some(at(5, 0)), ..fresh }), 3.0, 0, true);
    }

    /// Eight hours, a task done and 35 lines logged each half hour, a summary whenever one is due.
    #[test]
    fn a_working_day_is_summarised_every_three_hours() {
        let mut since = SinceLastRun { last_run: Some(at(0, 0)), raw_lines: 0, checkpoints: 0 };
        let mut lines = 0;
        let mut summaries = Vec::new();
        for task in 1..=16 {
            lines += 35;
            since.raw_lines += 35;
            let now = at(0, task * 30);
            // Beyond 200 lines the day's node waits, again and again as the log grows.
            let waiting = usize::from(lines > 200);
            if due(waiting, Some(&since), 3.0, now).due {
                summaries.push(task);
                since = SinceLastRun { last_run: Some(now), raw_lines: 0, checkpoints: 0 };
            }
        }
        assert_eq!(summaries, [6, 12]);
        // Two tasks a checkpoint: the sixth checkpoint comes before three hours have passed.
        let mut since = SinceLastRun { last_run: Some(at(0, 0)), raw_lines: 0, checkpoints: 0 };
        let mut first = None;
        for task in 1..=16 {
            since.checkpoints += 2;
            if first.is_none() && due(1, Some(&since), 3.0, at(0, task * 30)).due {
                first = Some(task);
            }
        }
        assert_eq!(first, Some(3));
    }
}
