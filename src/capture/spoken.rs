//! What is in the session blocks of a log, read back: to match turns that no offset can place.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::capture::block::{self, BlockLine, Marker};
use crate::capture::transcript::Role;
use crate::markdown::escape::unescape;
use crate::markdown::fence::OpenFence;
use crate::markdown::form::{Form, form};
use crate::markdown::{conflict, heading};

/// The turns of the sessions in a log, as hashes of role and words, read line by line.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    sessions: BTreeMap<String, Spoken>,
    inside: Option<String>,
    only: Option<String>,
}

/// What a session has said so far.
#[derive(Debug, Default)]
pub(crate) struct Spoken {
    pub turns: Vec<u64>,
    /// of each turn: who speaks, and the number of the block it begins in
    pub places: Vec<(Role, usize)>,
    /// where in the transcript its blocks begin and end
    pub blocks: Vec<Range<u64>>,
    /// for each heading, the number of turns before it and its time
    pub headings: Vec<(usize, String)>,
    open: Option<(Role, String)>,
    /// the number of the block that the open turn begins in
    began: usize,
    /// whether a block has begun since the last line: more words of the open turn are another paragraph
    resumes: bool,
    /// the fence that the turn has open
    fence: OpenFence,
}

impl Spoken {
    fn hear(&mut self, line: BlockLine<'_>, resumes: bool) {
        match line {
            BlockLine::Turn(role, words) => {
                self.close();
                self.began = self.blocks.len().saturating_sub(1);
                self.open = Some((role, words.to_owned()));
                self.fence = OpenFence::default();
            }
            BlockLine::Note => {}
            BlockLine::Words(words) => {
                self.fence.line(words);
                if let Some((_, open)) = &mut self.open {
                    if resumes {
                        open.truncate(open.trim_end().len());
                    }
                    open.push_str(if resumes { "\n\n" } else { "\n" });
                    open.push_str(words);
                }
            }
        }
    }

    fn close(&mut self) {
        if let Some((role, words)) = self.open.take()
            && let Some(hash) = hash(role, &words)
        {
            self.turns.push(hash);
            self.places.push((role, self.began));
        }
    }
}

impl Turns {
    /// Reads the turns of one session only, or of all.
    pub(crate) fn new(only: Option<&str>) -> Self {
        Self { only: only.map(str::to_owned), ..Self::default() }
    }

    /// Takes the next line, without its line ending.
    pub(crate) fn line(&mut self, line: &str) {
        match block::marker(line) {
            Some(Marker::Start { session, from, to }) => {
                let wanted = self.only.as_ref().is_none_or(|only| only == session);
                self.inside = wanted.then(|| session.to_owned());
                if wanted {
                    let resumes = self.sessions.contains_key(session);
                    let spoken = self.sessions.entry(session.to_owned()).or_default();
                    spoken.resumes = resumes;
                    spoken.blocks.push(from..to);
                }
                return;
            }
            Some(Marker::End { .. }) => {
                self.inside = None;
                return;
            }
            None => {}
        }
        let Some(session) = &self.inside else { return };
        if conflict::is_marker(line) {
            return;
        }
        let spoken = self.sessions.entry(session.clone()).or_default();
        let resumes = std::mem::take(&mut spoken.resumes);
        if resumes {
            spoken.fence = OpenFence::default();
            // A title learnt later is before what goes on.
            if line.is_empty() || matches!(form(line), Some(Form::Title(_))) {
                spoken.resumes = true;
                return;
            }
        }
        let read = block::line(line);
        let in_code = spoken.fence.is_open() && matches!(read, BlockLine::Words(_));
        if let Some(session) = heading::session_heading(line).filter(|_| !in_code) {
            spoken.close();
            spoken.headings.push((spoken.turns.len(), session.time.to_owned()));
            return;
        }
        if !in_code && heading::entry(line).is_some() {
            // A torn block, and somebody's entry after it.
            spoken.close();
            self.inside = None;
            return;
        }
        spoken.hear(read, resumes);
    }

    /// What was said, by session.
    pub(crate) fn finish(mut self) -> BTreeMap<String, Spoken> {
        for spoken in self.sessions.values_mut() {
            spoken.close();
        }
        self.sessions
    }
}

/// The hash of a rendered turn, as [`Turns`] finds it in a log; `None` for one without words.
pub(crate) fn turn_hash(rendered: &str) -> Option<u64> {
    let mut turns = Turns { inside: Some(String::new()), ..Turns::default() };
    for line in rendered.lines() {
        turns.line(line);
    }
    turns.finish().remove("")?.turns.first().copied()
}

fn hash(role: Role, words: &str) -> Option<u64> {
    // The same words, whichever version wrote them and escaped more or less of them.
    let words = unescape(words);
    let words = words.trim();
    let hash = || xxhash_rust::xxh3::xxh3_64_with_seed(words.as_bytes(), role.seed());
    (!words.is_empty()).then(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_in_a_log_have_the_hashes_of_the_turns_that_were_written() {
        let block = "<!-- hipocampus:session s 1-9 -->
## Session — 2026-03-15 14:02:11

\
                     **User:** hi

**Assistant:** see
```
# x
```
[tools: Bash]

\
                     **User:** bye
<!-- hipocampus:end s 9 -->
";
        let log = format!(
            "## Entry
**User:** not ours
{block}- more
\
             <!-- hipocampus:session t 0-1 -->
**User:** hi
<!-- hipocampus:end t 1 -->
"
        );
        let mut turns = Turns::new(None);
        log.lines().for_each(|line| turns.line(line));
        let found = turns.finish();
        let expect = [
            "**User:** hi",
            "**Assistant:** see
```
# x
```",
            "**User:** bye",
        ];
        let expect = expect.map(|turn| turn_hash(turn).unwrap());
        assert_eq!(found["s"].turns, expect);
        assert_eq!(found["s"].headings, [(0, "2026-03-15 14:02:11".to_owned())]);
        assert_eq!(found["t"].turns, expect[..1]);
        assert_eq!(turn_hash("**Assistant:**\n[tools: Bash]\n"), None);
        assert_eq!(turn_hash("**User:**\n- a\n"), turn_hash("**User:** - a\n\n"));
    }

    /// The number of turns of session `s` in a log, and their hashes.
    fn turns(log: &str) -> Vec<u64> {
        let mut turns = Turns::new(None);
        log.lines().for_each(|line| turns.line(line));
        turns.finish().remove("s").map_or_else(Vec::new, |spoken| spoken.turns)
    }

    #[test]
    fn what_is_said_about_a_session_is_nobodys_words() {
        let bare = "<!-- hipocampus:session s 0-9 -->\n## Session — 2026-03-15 14:02:11\n\n\
                    **User:** hi\n\n**Assistant:** see\n<!-- hipocampus:end s 9 -->\n\
                    <!-- hipocampus:session s 9-12 -->\nmore\n\n**User:** bye\n\
                    <!-- hipocampus:end s 12 -->\n";
        let told = bare
            .replace("14:02:11", "14:02:11 — fix the login redirect")
            .replace("**User:** hi\n", "**Title:** t\n**User:** hi\n[files: a, b]\n")
            .replace("see\n", "see\n[tools: Bash]\n[commit: x]\n[branch: feat/x]\n")
            .replace("\nmore", "\n**Title:** u\n\nmore");
        assert_eq!(turns(&told).len(), 3);
        assert_eq!(turns(&told), turns(bare));
        // A summary is a turn of the client's own.
        let summed =
            told.replace("**User:** bye", "**Summary:** words\n```\n## b\n```\n\n**User:** bye");
        let mut turns = turns(&summed);
        assert_eq!(turns.remove(2), turn_hash("**Summary:** words\n```\n## b\n```").unwrap());
        assert_eq!(turns, self::turns(bare));
        let mut read = Turns::new(None);
        told.lines().for_each(|line| read.line(line));
        assert_eq!(read.finish()["s"].headings, [(0, "2026-03-15 14:02:11".to_owned())]);
    }

    #[test]
    fn code_in_a_turn_ends_no_block() {
        let log = "<!-- hipocampus:session s 0-9 -->\n**User:**\n```\n## Session — 2026-03-15 14:02:11\n\
                   ## X\n```\n\n**Assistant:** see\n<!-- hipocampus:end s 9 -->\n";
        assert_eq!(turns(log).len(), 2);
        assert_eq!(turns(&log.replace("```\n## S", "## S")).len(), 0);
    }

    #[test]
    fn words_match_whichever_version_escaped_them() {
        let now = "**Assistant:** a\n\\User: x\n\\## z";
        assert_eq!(turn_hash(now), turn_hash(&now.replace("\\User", "User")));
        assert_ne!(turn_hash(now), turn_hash(&now.replace("\\User", "Users")));
    }
}
