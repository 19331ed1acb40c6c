//! What of the memory a client can read by a URI: ROOT.md, and days, weeks and months.

use std::path::Path;

use chrono::NaiveDate;

use crate::cli::ShowArgs;
use crate::disk::{self, Memory};
use crate::layout;
use crate::memory::period::{Level, Period};
use crate::project;
use crate::world::World;

/// ROOT.md.
pub(super) const ROOT: &str = "memory://root";
/// Every period that has a name.
pub(super) const TEMPLATE: &str = "memory://{date}";
/// The lines of ROOT.md that are read: more than the program writes.
const LINES: usize = 400;
/// How many days a list has, the newest ones.
const LISTED: usize = 60;

/// The URI of a day.
pub(super) fn uri(day: NaiveDate) -> String {
    format!("memory://{day}")
}

/// What prints the text of a URI; `None` where there is no such text.
pub(super) fn shown(uri: &str) -> Option<ShowArgs> {
    let name = uri.strip_prefix("memory://")?;
    let name = name.strip_suffix('/').unwrap_or(name);
    let levels = [Level::Daily, Level::Weekly, Level::Monthly];
    let is_period = levels.into_iter().any(|level| Period::parse(level, name).is_some());
    let lines = (name == "root").then_some(LINES);
    (is_period || lines.is_some()).then(|| ShowArgs {
        what: vec![name.to_owned()],
        lines,
        ..ShowArgs::default()
    })
}

/// Whether there is a ROOT.md, and the newest days that have a log, the newest first; none where there is no project.
pub(super) fn listed(dir: Option<&Path>, world: &World) -> (bool, Vec<NaiveDate>) {
    let start = project::start(world, dir, None).ok();
    let root = start.as_ref().and_then(project::locate);
    let Some(memory) = root.and_then(|root| Memory::open(&root).ok().flatten()) else {
        return (false, Vec::new());
    };
    let has_root = disk::is_there(&memory.folder().path().join(layout::ROOT));
    let days =
        memory.names().map(|names| names.sort().logs.into_keys().rev().take(LISTED).collect());
    (has_root, days.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_root_or_a_period() {
        #[track_caller]
        fn check(uri: &str, expect: Option<&str>) {
            let what = shown(uri).map(|args| args.what.concat());
            assert_eq!(what.as_deref(), expect, "{uri}");
        }
        check(ROOT, Some("root"));
        check("memory://root/", Some("root"));
        check("memory://2026-03-15", Some("2026-03-15"));
        check("memory://2026-W11", Some("2026-W11"));
        check("memory://2026-03", Some("2026-03"));
        check("memory://2026-02-30", None);
        check("memory://last", None);
        check("memory://../../etc/passwd", None);
        check("file:///etc/passwd", None);
    }
}
