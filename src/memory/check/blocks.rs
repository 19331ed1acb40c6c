//! Blocks of sessions in the logs: whether each is whole, and is there once.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::CheckFinding;
use crate::capture::block::{self, BlockLine, Marker};
use crate::capture::transcript::Role;
use crate::layout;
use crate::markdown::form::{Form, form};
use crate::markdown::heading;
use crate::text::{lines, lossy};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckedBlock {
    pub session: String,
    /// where its first turn begins in the transcript
    pub from: u64,
    /// where reading stopped
    pub to: u64,
    /// whether its end is there
    pub whole: bool,
    /// whether anything is said in it
    pub spoken: bool,
    /// a hash of its lines without its heading and title
    pub words: u64,
}

/// Looks through the blocks of all logs, in the order of the days.
#[derive(Debug, Default)]
pub(crate) struct BlockCheck {
    blocks: Vec<(String, CheckedBlock)>,
    found: Vec<CheckFinding>,
}

impl BlockCheck {
    pub(crate) fn log(&mut self, name: &str, bytes: &[u8]) -> Vec<CheckedBlock> {
        let path = layout::in_memory(name);
        if memchr::memmem::find(bytes, b"<!-- hipocampus:").is_none() {
            return Vec::new();
        }
        let text = lossy(bytes);
        let mut here: Vec<CheckedBlock> = Vec::new();
        let mut inside = false;
        for line in lines(&text) {
            match block::marker(line) {
                Some(Marker::Start { session, from, to }) => {
                    if from > to {
                        let text = format!("a block of session {session} ends before it begins");
                        self.found.push(CheckFinding::new(&path, "block", text, FLUSH));
                    }
                    let (session, whole, spoken) = (session.to_owned(), false, false);
                    here.push(CheckedBlock { session, from, to, whole, spoken, words: 0 });
                    inside = true;
                }
                Some(Marker::End { session, .. }) => {
                    let open = here.last_mut().filter(|block| inside && block.session == session);
                    if let Some(block) = open {
                        block.whole = true;
                    } else {
                        let text =
                            format!("a block of session {session} has an end and no beginning");
                        let mend = "take that line out in an editor";
                        self.found.push(CheckFinding::new(&path, "block", text, mend));
                    }
                    inside = false;
                }
                None if inside => {
                    let said = matches!(
                        block::line(line),
                        BlockLine::Turn(Role::User | Role::Assistant, _)
                    );
                    if let Some(block) = here.last_mut() {
                        block.spoken |= said;
                        if is_of_its_words(line) {
                            block.words =
                                xxh3_64_with_seed(line.trim_end().as_bytes(), block.words);
                        }
                    }
                }
                None => {}
            }
        }
        self.blocks.extend(here.iter().map(|block| (path.clone(), block.clone())));
        here
    }

    pub(crate) fn finish(self) -> Vec<CheckFinding> {
        let Self { blocks, mut found } = self;
        let mut seen: HashMap<(&str, u64, u64, u64), &str> = HashMap::new();
        for (index, (path, block)) in blocks.iter().enumerate() {
            let CheckedBlock { session, from, to, whole, words, .. } = block;
            if *whole {
                // A range alone proves nothing: a client numbers anew what comes after a turn that was taken back.
                if let Some(first) = seen.insert((session, *from, *to, *words), path) {
                    let text = format!("has a part of session {session} that is also in `{first}`");
                    let mend = "take one of the two blocks out in an editor";
                    found.push(CheckFinding::new(path, "doubled block", text, mend));
                }
                continue;
            }
            // A torn block stays; what it lacks follows in the next one of its session.
            let follows = |(_, later): &(String, CheckedBlock)| {
                later.session == *session && later.whole && later.to >= *to.min(from)
            };
            if !blocks[index + 1..].iter().any(follows) {
                let text =
                    format!("a block of session {session} was torn, and its end is not here");
                found.push(CheckFinding::new(path, "torn block", text, FLUSH));
            }
        }
        found
    }
}

/// Whether a line tells one block from another: headings, titles, branches and blank lines do not.
fn is_of_its_words(line: &str) -> bool {
    let beside = matches!(form(line), Some(Form::Title(_) | Form::Branch(_)));
    !(line.trim().is_empty() || heading::session_heading(line).is_some() || beside)
}

/// What brings in what a block lacks, from the transcript.
const FLUSH: &str = "hipocampus flush";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_torn_doubled_or_upside_down_is_found() {
        let block = |session: &str, from: u64, to: u64| {
            format!(
                "<!-- hipocampus:session {session} {from}-{to} -->\n**User:** x\n<!-- hipocampus:end {session} {to} -->\n"
            )
        };
        let torn = "<!-- hipocampus:session a 9-12 -->\n**User:** y\n";
        let check = |logs: &[&str], expect: &[&str]| {
            let mut conversations = BlockCheck::default();
            for (day, log) in logs.iter().enumerate() {
                conversations.log(&format!("2026-03-{:02}.md", day + 1), log.as_bytes());
            }
            let kinds: Vec<_> = conversations.finish().iter().map(|found| found.kind).collect();
            assert_eq!(kinds, expect, "{logs:?}");
        };
        check(&[&block("a", 0, 9), &block("a", 9, 12), &block("b", 0, 9)], &[]);
        check(&[&block("a", 0, 9), torn], &["torn block"]);
        check(&[&block("a", 0, 9), torn, &block("a", 9, 20)], &[]);
        check(&[&block("a", 0, 9), &block("a", 0, 9)], &["doubled block"]);
        // With its heading it is the same; with other words it is another one.
        let other = |text: &str, by: &str| block("a", 0, 9).replace(text, by);
        let heading = "-->\n## Session — 2026-03-15 14:02:11 — x\n\n**User:**";
        check(&[&block("a", 0, 9), &other("-->\n**User:**", heading)], &["doubled block"]);
        check(&[&block("a", 0, 9), &other("**User:** x", "**User:** y")], &[]);
        check(&["<!-- hipocampus:end a 9 -->\n"], &["block"]);
        check(&[&block("a", 9, 3)], &["block"]);
        check(&["## By hand\n- x\n"], &[]);
    }
}
