//! The extract that stands in for sources above the threshold until a model has summarised them.
//!
//! Made from the text of the sources alone. A source may itself be a log, a digest or a model's summary;
//! all three are read by the same rules, which is what lets a week or month merge its days.

mod collect;
mod list;
mod questions;
mod sentence;
mod trace;

use std::fmt::Write as _;

use crate::memory::entry::Kind;
use crate::memory::period::Level;

use collect::{Collected, Rank};

/// The sections of a digest below Topics, in order.
pub(crate) const SECTIONS: [&str; 4] =
    ["Key Decisions", "Tasks Completed", "Lessons Learned", "Open Items"];

/// Makes the body of a node whose sources are longer than the threshold of its level. `sources` are their
/// bodies, oldest first.
///
/// At most as many lines as the threshold, unless the user and feedback entries alone need more.
pub fn digest<'a>(level: Level, sources: impl IntoIterator<Item = &'a str>) -> String {
    let mut collected = Collected::default();
    for source in sources {
        collected.add(level, source);
    }
    render(level, &mut collected)
}

/// To be raised whenever [`digest`] would say something else of the same sources: what an older version wrote is then
/// written again, once ([`crate::memory::node::for_digest`]).
pub const DIGEST_VERSION: u8 = 1;

/// How the sentence at the top of an extract ends.
const ANNOUNCED: &str = "summarised them, it is an extract.";

/// Whether a text still says of itself that it is an extract.
pub fn is_announced_in(body: &[u8]) -> bool {
    memchr::memmem::find(body, ANNOUNCED.as_bytes()).is_some()
}

fn render(level: Level, collected: &mut Collected<'_>) -> String {
    let room = usize::try_from(level.threshold()).unwrap_or(usize::MAX);
    let left_out = choose(collected, room.saturating_sub(frame_lines(collected)));
    let left_out = left_out + collected.crowded_out;
    name_unprinted(collected);
    let mut text = format!(
        "This {level} node stands for more than {} lines. Until the hipocampus-compaction skill has \
         {ANNOUNCED}\n",
        level.threshold()
    );
    text.push_str("\n## Topics\n");
    if !collected.topics.is_empty() {
        list::push(&mut text, &collected.topics);
        text.push('\n');
    }
    for item in collected.asked.iter().filter(|item| item.chosen) {
        item.push_to(&mut text);
    }
    let names = collected.sections.keys().map(|name| &**name);
    let other = names.filter(|name| !SECTIONS.contains(name));
    for name in SECTIONS.into_iter().chain(other) {
        let Some(items) = collected.sections.get(name) else { continue };
        if items.iter().any(|item| item.chosen || SECTIONS.contains(&name)) {
            let _ = writeln!(text, "\n## {name}");
            for item in items.iter().filter(|item| item.chosen) {
                item.push_to(&mut text);
            }
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "\n({left_out} more in the sources)");
    }
    text
}

/// Lines that are there whatever is chosen: the sentence, the known headings with a blank line before each,
/// the list of topics, the count of what was left out, and the last line end.
fn frame_lines(collected: &Collected<'_>) -> usize {
    let filled = SECTIONS.into_iter().filter_map(|name| collected.sections.get(name));
    let known = filled.filter(|items| !items.is_empty()).count();
    1 + 2 + 1 + HEADING * known + 2 + 1
}

/// The lines of a heading with the blank line before it.
const HEADING: usize = 2;

/// Marks what there is room for: user and feedback entries whatever they take, then the rest, newest
/// first. Returns how many items stay out.
fn choose(collected: &mut Collected<'_>, room: usize) -> usize {
    // The first item of a section that is not one of ours brings its heading.
    let mut headings = Vec::new();
    let mut items: Vec<_> = collected.asked.iter_mut().map(|item| (None, item)).collect();
    for (name, of_section) in &mut collected.sections {
        headings.push(if SECTIONS.contains(&&**name) { 0 } else { HEADING });
        items.extend(of_section.iter_mut().map(|item| (Some(headings.len() - 1), item)));
    }
    items.sort_by_key(|(_, item)| (item.rank, std::cmp::Reverse(item.order)));
    let mut used = 0;
    let mut left_out = 0;
    for (section, item) in items {
        let height = item.height() + section.map_or(0, |section| headings[section]);
        item.chosen = item.rank == Rank::Always || used + height <= room;
        if item.chosen {
            used += height;
            if let Some(section) = section {
                headings[section] = 0;
            }
        } else {
            left_out += 1;
        }
    }
    left_out
}

/// A section of which nothing is printed may be an entry of a log that has a heading like a summary's beside
/// it: it is named among the topics.
fn name_unprinted(collected: &mut Collected<'_>) {
    let unprinted: Vec<_> = collected
        .sections
        .iter()
        .filter(|(name, items)| {
            !SECTIONS.contains(&&***name) && !items.iter().any(|item| item.chosen)
        })
        .map(|(name, _)| name.clone())
        .collect();
    for name in unprinted {
        collected.push_topic(name, Kind::Project);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::node::count_lines;

    fn long(entries: &str) -> String {
        format!("# 2026-03-15\n{entries}{}", "- filler\n".repeat(200))
    }

    fn section<'a>(digest: &'a str, name: &str) -> &'a str {
        let from =
            digest.find(&format!("## {name}\n")).map_or(digest.len(), |at| at + name.len() + 4);
        digest[from..].split("\n\n").next().unwrap_or_default()
    }

    #[test]
    fn a_days_extract_has_the_sections_of_the_spec() {
        let log = long(
            "\n## Auth [project]\n- decision: httpOnly cookies\n- work done: audited the middleware\n\
             - pending: migration script\n- [ ] ask legal\n- [x] done already\n\
             \n## Terse answers [feedback]\n- rule: no preamble\n- why: asked twice\n\
             - how-to-apply: always\n\
             \n## Docs site [reference]\n- https://example.org\n",
        );
        let digest = digest(Level::Daily, [&*log]);
        assert_eq!(
            section(&digest, "Topics").trim(),
            "Auth [project], Terse answers [feedback], Docs site [reference]"
        );
        assert_eq!(section(&digest, "Key Decisions").trim(), "- Auth: httpOnly cookies");
        assert_eq!(section(&digest, "Tasks Completed").trim(), "- Auth: audited the middleware");
        assert_eq!(
            section(&digest, "Lessons Learned").trim(),
            "- Terse answers [feedback]\n  - rule: no preamble\n  - why: asked twice\n  - how-to-apply: always"
        );
        assert_eq!(
            section(&digest, "Open Items").trim(),
            "- Auth: migration script\n- Auth: ask legal"
        );
        assert!(digest.contains("hipocampus-compaction"));
    }

    #[test]
    fn a_week_merges_logs_digests_and_summaries() {
        let first = long("\n## Auth [project]\n- decision: cookies\n");
        let first = digest(Level::Daily, [&*first]);
        let second = "## Topics\nauth [project], billing [project]\n\n## Key Decisions\n- billing: Stripe\n\n## Mood\n- good\n";
        let third = "# 2026-03-17\n\n## Search [project]\n- outcome: indexed\n";
        let week = digest(Level::Weekly, [&*first, second, third]);
        assert_eq!(
            section(&week, "Topics").trim(),
            "Auth [project], billing [project], Search [project]"
        );
        assert_eq!(section(&week, "Key Decisions").trim(), "- Auth: cookies\n- billing: Stripe");
        assert_eq!(section(&week, "Tasks Completed").trim(), "- Search: indexed");
        assert_eq!(section(&week, "Mood").trim(), "- good");
        assert!(!week.contains("This daily node"));
    }

    #[test]
    fn the_newest_stay_and_the_whole_keeps_within_the_threshold() {
        let log = (0..400).fold(String::new(), |log, n| {
            log + &format!("## Topic {n} [project]\n- decision: number {n}\n- outcome: {n} works\n")
        });
        let digest = digest(Level::Daily, [&*log]);
        assert!(count_lines(digest.as_bytes()) <= 200, "{}", count_lines(digest.as_bytes()));
        assert!(count_lines(digest.as_bytes()) > 180);
        assert!(
            digest.contains("- Topic 399: number 399\n")
                && digest.contains("- Topic 399: 399 works\n")
        );
        assert!(!digest.contains("number 0\n"));
        assert!((0..400).all(|n| digest.contains(&format!("Topic {n} [project]"))));
        assert!(digest.ends_with(" more in the sources)\n"));
    }

    #[test]
    fn of_ever_so_many_questions_the_newest_stay_and_all_are_counted() {
        for level in [Level::Daily, Level::Weekly, Level::Monthly] {
            let log = (0..9000).fold("## Session\n".to_owned(), |log, n| {
                log + &format!("**User:** question number {n}\n")
            });
            let digest = digest(level, [&*log]);
            let lines = count_lines(digest.as_bytes());
            assert!(lines <= level.threshold() && lines + 20 > level.threshold(), "{lines}");
            let asked = digest.matches("- asked: ").count();
            assert!(digest.contains("- asked: question number 8999\n"));
            assert!(digest.contains(&format!("- asked: question number {}\n", 9000 - asked)));
            // The first question is the topic.
            assert!(digest.ends_with(&format!("({} more in the sources)\n", 8999 - asked)));
        }
    }

    #[test]
    fn a_section_that_finds_no_room_is_named() {
        let day = (0..300).fold("## Topics\nauth\n## Empty\n".to_owned(), |day, n| {
            day + &format!("## Area {n}\n- note {n}\n")
        });
        let digest = digest(Level::Weekly, [&*day]);
        assert!(count_lines(digest.as_bytes()) <= 300, "{}", count_lines(digest.as_bytes()));
        assert!(digest.contains("\n## Area 299\n- note 299\n") && !digest.contains("- note 0\n"));
        assert!((0..300).all(|n| digest.contains(&format!("Area {n}"))));
        assert!(section(&digest, "Topics").contains("auth [project], "));
        assert!(section(&digest, "Topics").contains("Empty [project]"));
    }

    #[test]
    fn user_and_feedback_entries_stay_whole_whatever_they_take() {
        let log = (0..80).fold(String::new(), |log, n| {
            log + &format!("## Habit {n} [user]\n- a {n}\n- b {n}\n- c {n}\n")
        });
        let digest = digest(Level::Daily, [&*log]);
        assert!(count_lines(digest.as_bytes()) > 200);
        assert!((0..80).all(|n| digest.contains(&format!("  - c {n}\n"))));
    }

    #[test]
    fn code_traces_and_passing_entries_are_left_out_but_named() {
        let log = long(
            "\n## Crash [feedback]\n- rule: check the pool\n```rust src/pool.rs:10-20\nlet x = 1;\n```\n\
             Error: ECONNRESET at pool.rs\n    at frame_0 (src/pool.rs:1)\n    at frame_1 (src/pool.rs:2)\n\
             \n## Scratch [project]\n- temporary\n- decision: gone tomorrow\n",
        );
        let digest = digest(Level::Daily, [&*log]);
        assert!(digest.contains("→ src/pool.rs:10-20"));
        assert!(digest.contains("Error: ECONNRESET at pool.rs"));
        assert!(!digest.contains("let x") && !digest.contains("frame_0"));
        assert!(digest.contains("Scratch [project]") && !digest.contains("gone tomorrow"));
    }

    #[test]
    fn a_conversation_is_known_by_what_the_user_asked() {
        let log = long(
            "\n## Session 3d0effd8\n\nUser: What should I check before a track day? I have new brakes.\n\
             Assistant: Tyres.\nUser: And after it?\n\
             \n## Session — 2026-03-15 10:00:00\n\n**User:** Plan the v1.2 release. Then ship.\n\n**Assistant:** Done.\n",
        );
        let digest = digest(Level::Daily, [&*log]);
        assert_eq!(
            section(&digest, "Topics").trim(),
            "What should I check before a track day? [project], Plan the v1.2 release [project]\n- asked: And after it?"
        );
        let week = super::digest(Level::Weekly, [&*digest]);
        assert_eq!(section(&week, "Topics"), section(&digest, "Topics"));
    }

    #[test]
    fn one_forgotten_fence_hides_neither_its_day_nor_the_next() {
        let days = "# 2026-03-09\n\n## A [project]\n```\nopen\n\n# 2026-03-10\n\n## B [project]\n```\ncode\n```\n## C [project]\n- x\n";
        let month = digest(Level::Monthly, [days]);
        assert_eq!(section(&month, "Topics").trim(), "A [project], B [project], C [project]");
    }

    #[test]
    fn a_date_as_a_heading_inside_an_entry_ends_nothing() {
        let day = "## Me [user]\n- a\n\n# 2026-01-05\n\n- after\n";
        let whole = "- Me [user]\n  - a\n  # 2026-01-05\n  - after\n";
        let week = digest(Level::Weekly, [day]);
        assert!(week.contains(whole), "{week}");
        let days = format!("# 2026-01-05\n\n{day}\n# 2026-01-06\n\n## B\n- decision: x\n");
        let month = digest(Level::Monthly, [&*days]);
        assert!(month.contains(whole) && month.contains("\n- B: x\n"), "{month}");
        assert!(!month.contains("2026-01-06"), "{month}");
    }
}
