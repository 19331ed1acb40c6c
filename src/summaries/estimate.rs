//! What working the list may cost, told before anything is spent.

use chrono::NaiveDate;

use super::store::SummaryStore;
use super::{handed, prompt, sections, spend};
use crate::config::Config;
use crate::error::Problem;
use crate::memory::period::Level;

/// What the nodes that wait would take, as far as is known: tokens in and out.
pub(crate) fn estimate(nodes: &[(Level, u32)]) -> (u64, u64) {
    let input = |(level, tokens): &(Level, u32)| {
        // The instructions, and for what is read in parts the second reading.
        let parts = u64::from(tokens.div_ceil(prompt::PART)).max(1);
        let merging = if parts > 1 { parts * u64::from(sections::budget(*level)) } else { 0 };
        u64::from(*tokens) + 600 * parts + merging
    };
    let output = |(level, tokens): &(Level, u32)| {
        let parts = u64::from(tokens.div_ceil(prompt::PART)).max(1);
        let calls = if parts > 1 { parts + 1 } else { 1 };
        calls * u64::from(sections::budget(*level)) / 2
    };
    (nodes.iter().map(input).sum(), nodes.iter().map(output).sum())
}

/// What a day of much work costs: its summary, from the longest log that is handed out whole, and ROOT.md.
pub(crate) fn a_day(config: &Config) -> (u64, u64) {
    let (input, output) = estimate(&[(Level::Daily, handed::LONG)]);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 100,000")]
    let page = config.compaction.root_max_tokens as u64;
    (input + 2 * page, output + page)
}

pub(crate) fn left(desk: &SummaryStore<'_>, per_day: u64, day: NaiveDate) -> Result<u64, Problem> {
    Ok(per_day.saturating_sub(spend::on(&desk.spending()?, day)))
}
