//! Somebody saves a log with a text that they read before a block was written to it.

use super::*;

const LOG: &str = "2026-11-20.md";

fn line(number: usize) -> String {
    user(number, &format!("2026-11-20T10:{number:02}:00Z"), &format!("turn {number} END"))
}

fn lines(range: Range<usize>) -> String {
    range.map(line).collect()
}

impl Project {
    /// Saves by a rename, or writes into the file that is there.
    fn save(&self, text: &str, in_place: bool) {
        if in_place {
            fs::write(self.memory(LOG), text).unwrap();
        } else {
            fs::write(self.memory("log~"), text).unwrap();
            fs::rename(self.memory("log~"), self.memory(LOG)).unwrap();
        }
    }

    fn times(&self, turns: Range<usize>) -> Vec<usize> {
        let log = self.log();
        turns.map(|number| log.matches(&format!("turn {number} END\n")).count()).collect()
    }
}

#[test]
fn blocks_that_a_save_took_out_come_again_once() {
    for in_place in [false, true] {
        for stale in 0..4 {
            let project = Project::new(NOW);
            let mut saved = "## Theirs\n- KEEP\n".to_owned();
            project.save(&saved, in_place);
            for count in 1..5 {
                if count == stale + 1 {
                    saved = project.log();
                }
                project.import_file(&project.transcript("t.jsonl", lines(0..count).as_bytes()));
            }
            project.save(&format!("{saved}- KEEP too\n"), in_place);
            let left = project.times(0..4).iter().sum::<usize>();
            assert_eq!(left, stale, "what the editor's text has of the session");
            let path = project.transcript("t.jsonl", lines(0..6).as_bytes());
            for _ in 0..5 {
                project.import_file(&path);
                assert_eq!(project.times(0..6), [1; 6], "stale {stale}, in place {in_place}");
            }
            assert!(project.log().contains("KEEP\n") && project.log().contains("KEEP too\n"));
        }
    }
}

#[test]
fn messages_that_a_save_took_out_come_again_once() {
    let name = "opencode-messages";
    let messages: Vec<Value> = serde_json::from_slice(&fixture(&format!("{name}.json"))).unwrap();
    for stale in 0..messages.len() {
        let project = Project::new(NOW);
        let hook = |count: usize| json!({"session_id": "ses_1", "messages": messages[..count]});
        let mut saved = Vec::new();
        for count in 0..=messages.len() {
            project.import(&hook(count));
            if count == stale {
                saved = project.files(".md");
            }
        }
        for (name, _) in project.files(".md") {
            fs::remove_file(project.memory(&name)).unwrap();
        }
        for (name, text) in &saved {
            fs::write(project.memory(name), text).unwrap();
        }
        for _ in 0..3 {
            project.import(&hook(messages.len()));
            assert_eq!(project.turns(), golden(name), "stale {stale}");
        }
    }
}

#[test]
fn every_sample_comes_back_whole() {
    for name in ["claude-code-resume-compact", "codex-two-turns-resumed", "openclaw-events"] {
        let project = Project::new(NOW);
        let path = project.transcript("t.jsonl", &fixture(&format!("{name}.jsonl")));
        project.import_file(&path);
        for (log, _) in project.files(".md") {
            fs::write(project.memory(&log), "").unwrap();
        }
        for _ in 0..3 {
            project.import_file(&path);
            assert_eq!(project.turns(), golden(name), "{name}");
        }
    }
}

/// A fork comes back with what is its own, its parent with everything, and neither brings what the other has.
#[test]
fn a_fork_and_its_parent_come_back_each_with_its_own() {
    let parent = (fixture("claude-code-fork-parent.jsonl"), "parent.jsonl");
    let fork = (fixture("claude-code-fork.jsonl"), "fork.jsonl");
    for (first, second) in [(&parent, &fork), (&fork, &parent)] {
        for lost in 0..2 {
            let project = Project::new(NOW);
            let paths = [first, second].map(|(bytes, name)| project.transcript(name, bytes));
            let mut saved = Vec::new();
            for path in &paths {
                project.import_file(path);
                saved.push(project.files(".md"));
            }
            let both = project.turns();
            let count = |turns: &str| {
                let mut lines: Vec<String> = turns.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            let before = if lost == 1 { &saved[0] } else { &Vec::new() };
            for (name, _) in project.files(".md") {
                fs::remove_file(project.memory(&name)).unwrap();
            }
            for (name, text) in before {
                fs::write(project.memory(name), text).unwrap();
            }
            for path in [&paths[1], &paths[0], &paths[1]] {
                project.import_file(path);
            }
            assert_eq!(count(&project.turns()), count(&both), "lost {lost}");
        }
    }
}

#[test]
fn copies_that_name_their_parent_hold_its_turns_back() {
    // An old client leaves the parent's id in the records it copies.
    let project = Project::new(NOW);
    let path = project.transcript("fork.jsonl", lines(0..4).as_bytes());
    let fork = json!({"session_id": "fork", "transcript_path": path});
    project.import(&fork);
    let path = project.transcript("s.jsonl", (lines(0..3) + &lines(5..6)).as_bytes());
    let parent = json!({"session_id": "s", "transcript_path": path});
    for hook in [&parent, &fork, &parent] {
        project.import(hook);
    }
    assert_eq!(project.times(0..6), [1, 1, 1, 1, 0, 1]);
}

#[test]
fn turns_taken_out_between_their_markers_stay_out() {
    let project = Project::new(NOW);
    project.import_file(&project.transcript("t.jsonl", lines(0..3).as_bytes()));
    let log = project.log();
    let kept = log.lines().filter(|line| line.starts_with("<!--")).map(|line| format!("{line}\n"));
    project.save(&kept.collect::<String>(), false);
    let path = project.transcript("t.jsonl", lines(0..4).as_bytes());
    for _ in 0..3 {
        project.import_file(&path);
    }
    assert_eq!(project.times(0..4), [0, 0, 0, 1]);
}

/// Saves a log at the moment a record with these words is read.
struct SaveAt<'a>(&'a Project, &'static str, String);

impl Redact for SaveAt<'_> {
    fn text<'a>(&self, text: &'a str) -> std::borrow::Cow<'a, str> {
        text.into()
    }

    fn bytes<'a>(&self, text: &'a [u8]) -> std::borrow::Cow<'a, [u8]> {
        std::borrow::Cow::Borrowed(text)
    }

    fn json_line<'a>(&self, line: &'a [u8]) -> std::borrow::Cow<'a, [u8]> {
        if memchr::memmem::find(line, self.1.as_bytes()).is_some() {
            self.0.save(&self.2, true);
        }
        line.into()
    }
}

#[test]
fn nothing_goes_on_from_a_block_that_a_save_in_place_takes_out_meanwhile() {
    let project = Project::new(NOW);
    let theirs = "## Theirs\n- KEEP\n";
    project.save(theirs, true);
    project.import_file(&project.transcript("t.jsonl", lines(0..1).as_bytes()));
    let path = project.transcript("t.jsonl", lines(0..2).as_bytes());
    let hook = HookInput { transcript_path: Some(path.clone()), ..HookInput::default() };
    let editor = SaveAt(&project, "turn 1 END", theirs.to_owned());
    let (folder, lock) = (project.folder(), project.lock());
    let held = lock.held().unwrap();
    let outcome = import(&folder, held, &hook, &project.world, &editor, None).unwrap();
    drop(lock);
    assert_eq!(outcome.notes.len(), 1);
    assert!(outcome.notes[0].to_string().contains("saved by somebody else"));
    for _ in 0..3 {
        project.import_file(&path);
        assert_eq!(project.times(0..2), [1; 2]);
    }
}
