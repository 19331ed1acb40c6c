//! ROOT.md and the section that repeats it.

use chrono::{Datelike, NaiveDate};

use super::CheckFinding;
use super::references;
use crate::layout;
use crate::meaning::page::RootPlan;
use crate::meaning::page::owner::{is_programs, is_stub};
use crate::memory::frontmatter::Document;
use crate::memory::snapshot::Listing;
use crate::text::lossy;

/// What is wrong with ROOT.md, given what a run would make of it.
pub(crate) fn of(
    existing: Option<&[u8]>,
    planned: &RootPlan,
    today: NaiveDate,
    listing: &Listing,
) -> Vec<CheckFinding> {
    let path = layout::root_path();
    let Some(bytes) = existing else {
        let text = "is missing, though there are logs to make it from";
        return vec![CheckFinding::compact(path, "missing root", text)];
    };
    let mut found = Vec::new();
    let document = Document::parse(bytes);
    let day = document.value("last-updated").and_then(|day| day.parse::<NaiveDate>().ok());
    let body = document.body();
    let as_written = is_programs(bytes);
    if listing.logs.is_empty() && is_stub(body) {
        // What `init` leaves: there is nothing to write yet.
        return found;
    }
    if planned.is_kept() && memchr::memchr(0, bytes).is_some() {
        let text = "has NUL bytes in it, as a power cut leaves them";
        found.push(CheckFinding::new(&path, "torn root", text, "take them out in an editor"));
    } else if !planned.is_kept() && !as_written {
        found.push(CheckFinding::compact(
            &path,
            "torn root",
            "is not whole: it is not what was written",
        ));
    } else if !document.has_head() || !document.head_is_closed() || day.is_none() {
        found.push(CheckFinding::compact(&path, "head", "its head cannot be read"));
    } else if day == Some(today) && planned.bytes != bytes {
        found.push(CheckFinding::compact(&path, "stale root", "is behind the nodes"));
    }
    let text = lossy(body);
    found.extend(super::logs::conflict_in(&path, bytes));
    if as_written || planned.is_kept() {
        let year = day.unwrap_or(today).year();
        let dangling = references::of_root(&path, &text, year, listing);
        found.extend(dangling);
    }
    found
}
