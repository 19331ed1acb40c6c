//! What stands in the session blocks of a log, read back: to match turns that no offset can place.

use std::collections::BTreeMap;

use crate::capture::block::{self, Line, Marker};
use crate::capture::transcript::Role;

/// The turns of the sessions in a log, as hashes of role and words, read line by line.
#[derive(Debug, Default)]
pub struct Turns {
    sessions: BTreeMap<String, Spoken>,
    inside: Option<String>,
    only: Option<String>,
}

/// What a session has said so far.
#[derive(Debug, Default)]
pub struct Spoken {
    /// its turns
    pub turns: Vec<u64>,
    /// for each heading, the number of turns before it and its time
    pub headings: Vec<(usize, String)>,
    open: Option<(Role, String)>,
    /// whether a block has begun since the last line: more words of the open turn are another paragraph
    resumes: bool,
}

impl Spoken {
    fn close(&mut self) {
        if let Some((role, words)) = self.open.take() {
            self.turns.extend(hash(role, &words));
        }
    }
}

impl Turns {
    /// Reads the turns of one session only, or of all.
    pub fn new(only: Option<&str>) -> Self {
        Self { only: only.map(str::to_owned), ..Self::default() }
    }

    /// Takes the next line, without its line ending.
    pub fn line(&mut self, line: &str) {
        match block::marker(line) {
            Some(Marker::Start { session, .. }) => {
                let wanted = self.only.as_ref().is_none_or(|only| only == session);
                self.inside = wanted.then(|| session.to_owned());
                if let Some(spoken) = self.sessions.get_mut(session) {
                    spoken.resumes = true;
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
        let spoken = self.sessions.entry(session.clone()).or_default();
        let resumes = std::mem::take(&mut spoken.resumes);
        if let Some((time, _)) = block::sitting(line) {
            spoken.close();
            spoken.headings.extend(time.map(|time| (spoken.turns.len(), time.to_owned())));
        } else if line.starts_with("## ") {
            // A torn block, and somebody's entry behind it.
            spoken.close();
            self.inside = None;
        } else {
            match (block::line(line), &mut spoken.open) {
                (Line::Turn(role, words), _) => {
                    spoken.close();
                    spoken.open = Some((role, words.to_owned()));
                }
                (Line::Words(words), Some((_, open))) => {
                    open.push_str(if resumes { "\n\n" } else { "\n" });
                    open.push_str(words);
                }
                (Line::Words(_), None) | (Line::Note, _) => {}
            }
        }
    }

    /// What was said, by session.
    pub fn finish(mut self) -> BTreeMap<String, Spoken> {
        for spoken in self.sessions.values_mut() {
            spoken.close();
        }
        self.sessions
    }
}

/// The hash of a rendered turn, as [`Turns`] finds it in a log; `None` for one without words.
pub fn turn_hash(rendered: &str) -> Option<u64> {
    let mut turns = Turns { inside: Some(String::new()), ..Turns::default() };
    for line in rendered.lines() {
        turns.line(line);
    }
    turns.finish().remove("")?.turns.first().copied()
}

fn hash(role: Role, words: &str) -> Option<u64> {
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
}
