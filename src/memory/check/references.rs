//! References in ROOT.md and in nodes: days, weeks and months that have to be there.

use chrono::{Datelike, NaiveDate};

use super::CheckFinding;
use crate::markdown::fence;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::Listing;

/// The references of ROOT.md that lead nowhere, one finding for each line. `year` is that of its `last-updated`: days
/// of it stand without it, unless a line above them names a day of another year.
pub(crate) fn of_root(path: &str, body: &str, year: i32, listing: &Listing) -> Vec<CheckFinding> {
    let mut found = Vec::new();
    let mut year = year;
    for (index, line) in fence::lines(body).enumerate().filter(|(_, line)| !line.code) {
        let Some(item) = line.text.strip_prefix("- ") else { continue };
        if let Some(label) = dangling(item, &mut year, listing) {
            let text = format!(
                "line {} of its text points to {label}, and nothing of that is here",
                index + 1
            );
            found.push(CheckFinding::new(
                path,
                "reference",
                text,
                "hipocampus compact --rebuild-root",
            ));
        }
    }
    found
}

/// How long a day is that is written with its year.
const DAY: usize = 10;

/// The first reference of a line that leads nowhere: after its last arrow, or in front of its colon.
/// A day in front of it that has its year sets that for the lines below.
fn dangling(item: &str, year: &mut i32, listing: &Listing) -> Option<String> {
    if let Some((_, behind)) = item.rsplit_once('→') {
        let mut year = *year;
        let mut labels = behind.split(',').map(str::trim);
        let gone = |label: &&str| !stands(label, &mut year, listing);
        return labels.find(gone).map(str::to_owned);
    }
    let (label, _) = item.split_once(": ")?;
    let mut own = *year;
    let stands = stands(label, &mut own, listing);
    if label.len() == DAY {
        *year = own;
    }
    (!stands).then(|| label.to_owned())
}

/// Whether what a label names is there. What is no label is not checked.
fn stands(label: &str, year: &mut i32, listing: &Listing) -> bool {
    if let Some((from, to)) = label.split_once('~') {
        let Some(first) = days(from, year).map(|(first, _)| first) else { return true };
        // `2024-01~06`: what is left out of the end is as in the beginning.
        let whole = if to.len() == 2 {
            format!("{}-{to}", &from[..from.len().min(4)])
        } else {
            to.to_owned()
        };
        return days(&whole, year).is_none_or(|(_, last)| has_any(first, last, listing));
    }
    days(label, year).is_none_or(|(first, last)| has_any(first, last, listing))
}

/// The days that a label stands for. One with a year sets it for those after it.
fn days(label: &str, year: &mut i32) -> Option<(NaiveDate, NaiveDate)> {
    let short = label.len() == 5 && label.as_bytes()[2] == b'-';
    let label = if short { format!("{year:04}-{label}") } else { label.to_owned() };
    let level = match label.len() {
        DAY => Level::Daily,
        8 => Level::Weekly,
        7 => Level::Monthly,
        _ => return None,
    };
    let period = Period::parse(level, &label)?;
    let (first, last) = period.days().into_inner();
    if !short {
        *year = first.year();
    }
    Some((first, last))
}

/// Whether any day between two has a log or a node, or lies in a period that has one.
fn has_any(first: NaiveDate, last: NaiveDate, listing: &Listing) -> bool {
    let above = |period: &Period| {
        let (from, to) = period.days().into_inner();
        from <= last && first <= to
    };
    listing.logs.range(first..=last).next().is_some() || listing.nodes.keys().any(above)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn listing() -> Listing {
        let mut listing = Listing::default();
        for day in ["2025-12-30", "2026-03-02", "2026-03-15"] {
            listing.logs.insert(day.parse().unwrap(), Arc::default());
        }
        listing
    }

    #[test]
    fn a_day_without_its_year_is_of_the_year_above() {
        let body = "- queues [project, 9d]: a → 2026-03-02\n- 2025-12-30: pages\n- 12-30: file\n- 12-29: timer\n";
        let found = of_root("memory/ROOT.md", body, 2026, &listing());
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].text.contains("line 4 "), "{found:?}");
    }

    #[test]
    fn a_line_that_leads_nowhere_is_found() {
        let check = |item: &str, expect: Option<&str>| {
            assert_eq!(dangling(item, &mut 2026, &listing()).as_deref(), expect, "{item}");
        };
        check("queues [project, 0d]: a, b → 2026-03-15, 03-02, 2025-12-30", None);
        check("queues [project, 0d]: a, b → 2026-03-15, 03-03", Some("03-03"));
        check("queues → 2025-12-30, 12-29", Some("12-29"));
        check("queues → memory/2026-03-15.md:3", None);
        check("03-02: pages", None);
        check("03-04: pages", Some("03-04"));
        check("2026-W10: pages", None);
        check("2026-W11: pages", None);
        check("2026-W13: pages", Some("2026-W13"));
        check("2025-12: pages", None);
        check("2025-07~12: pages", None);
        check("2024-01~06: pages", Some("2024-01~06"));
        check("2025-06-03~2026-01-31: 80 days have no line: `hipocampus topics --all`", None);
        check("a rule: never by hand", None);
        check("no reference at all", None);
    }
}
