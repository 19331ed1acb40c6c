//! What was said in one sitting or entry, as far as its keyed bullets do not say it.

use std::borrow::Cow;
use std::fmt::Write as _;

use bumpalo::Bump;
use bumpalo::collections::{String as InArenaString, Vec as InArena};

use super::wrap;
use crate::memory::entry::{EntryLine, EntryType};
use crate::memory::period::Period;
use crate::memory::talk::{
    self, Cutter, LINE, PASSAGE, Passage, Role, Sayer, Sitting, Turn, Voice, pieces,
};

/// One sitting or entry.
#[derive(Debug)]
pub(super) struct Detail<'a> {
    /// which source it is from, oldest first
    pub(super) day: usize,
    /// the line above it
    pub(super) heading: Heading<'a>,
    /// in order
    pub(super) items: InArena<'a, Said<'a>>,
    /// how many more there were, where there were too many to choose from
    pub(super) dropped: usize,
}

/// What stands above a sitting or entry.
#[derive(Debug, Default)]
pub(super) struct Heading<'a> {
    /// as weeks and months have it, unless the title begins with it
    pub(super) date: Option<Period>,
    /// empty where there is no heading
    pub(super) title: Cow<'a, str>,
    /// where the entry says it
    pub(super) kind: Option<EntryType>,
}

impl Heading<'_> {
    /// The line, with its end.
    fn push_to(&self, text: &mut String) {
        if self.title.is_empty() && self.date.is_none() && self.kind.is_none() {
            return;
        }
        text.push_str("### ");
        if let Some(date) = self.date.filter(|date| !self.begins_with(*date)) {
            let _ = write!(text, "{date} ");
        }
        text.push_str(&self.title);
        if let Some(kind) = self.kind {
            kind.push_to(text);
        }
        text.push('\n');
    }

    fn begins_with(&self, date: Period) -> bool {
        self.title.starts_with(|c: char| c.is_ascii_digit())
            && self.title.starts_with(&*date.to_string())
    }
}

/// A line that can be printed.
#[derive(Debug)]
pub(super) struct Said<'a> {
    pub(super) passage: Passage<'a>,
    pub(super) label: Label,
    /// counts what the user said in its sitting: a reply has the number of what it replies to
    turn: usize,
    pub(super) chosen: bool,
}

/// The label that is longer than the room that a passage leaves on its line.
const LATER: &str = "later answer: ";

/// What stands before the text of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    None,
    User,
    /// the last reply to what the user said: the lines after it, up to the next of the user's, are of it too
    Answer,
    /// the same where what it replies to does not stand above it, but something the user said before that does
    Later,
    Files,
    Commits,
}

impl Label {
    const ALL: [Self; 5] = [Self::User, Self::Answer, Self::Later, Self::Files, Self::Commits];

    fn text(self) -> &'static str {
        match self {
            Label::None => "",
            Label::User => "user: ",
            Label::Answer => "answer: ",
            Label::Later => LATER,
            Label::Files => "files: ",
            Label::Commits => "commits: ",
        }
    }

    /// How many characters stand before the text, with those of the bullet.
    fn room(self) -> usize {
        "- ".len() + self.text().len()
    }
}

/// What a list of files or commits is worth, as [`Passage::factor`].
const LISTED: u32 = 10;
/// Sections of a client's summary that say what the tree of files says better.
const DULL: [&str; 4] = ["files and code", "user messages", "technical concepts", "optional next"];

impl<'a> Said<'a> {
    /// The line, with its end.
    fn push_to(&self, label: Label, text: &mut String) {
        // What is short goes character by character: of ten years a hundred thousand lines are printed, and static builds
        // take their time to copy two bytes at once.
        text.push('-');
        text.push(' ');
        if label != Label::None {
            text.push_str(label.text());
        }
        match label {
            Label::Later => text.push_str(&wrap::cut(self.passage.text, LATER.len())),
            _ => text.push_str(self.passage.text),
        }
        text.push('\n');
    }

    fn of(passage: Passage<'a>) -> Self {
        let from_user = passage.sayer == Sayer::Person && !passage.is_named;
        let label = match passage.role {
            _ if from_user => Label::User,
            Role::Concluded => Label::Answer,
            _ => Label::None,
        };
        let turn = passage.exchange;
        Self { passage, label, turn, chosen: false }
    }

    /// Whether a person said it first in a turn; of a line of a digest, whether the user did at all.
    pub(super) fn is_asked(&self) -> bool {
        self.passage.sayer == Sayer::Person && self.passage.role == Role::Asked
    }

    fn listed(label: Label, list: &[&str], separator: &str, arena: &'a Bump) -> Option<Self> {
        if list.is_empty() {
            return None;
        }
        let room = LINE - label.room();
        let mut text = InArenaString::new_in(arena);
        for item in list {
            let longer = text.chars().count() + separator.len() + item.chars().count();
            if longer > room {
                break;
            }
            if !text.is_empty() {
                text.push_str(separator);
            }
            text.push_str(item);
        }
        let passage = Passage::note(text.into_bump_str(), LISTED, arena);
        (!passage.text.is_empty()).then_some(Self { passage, label, turn: 0, chosen: false })
    }
}

impl<'a> Detail<'a> {
    /// Drops all but `keep` of its lines.
    pub(super) fn thin(&mut self, keep: usize) {
        let stay = talk::thin(&mut self.items, keep, |said| said.passage.rate());
        self.dropped += self.items.len() - stay;
        self.items.truncate(stay);
    }

    /// Whether any of its lines is to be printed.
    pub(super) fn is_chosen(&self) -> bool {
        self.items.iter().any(|said| said.chosen)
    }

    /// Prints the heading and the chosen lines. That something is the answer is said once, and that it is none to the line
    /// of the user above it.
    pub(super) fn push_to(&self, text: &mut String) {
        self.heading.push_to(text);
        let (mut asked, mut answered) = (None, None);
        for said in self.items.iter().filter(|said| said.chosen) {
            let turn = Some(said.turn);
            let label = match said.label {
                Label::Answer | Label::Later if answered == turn => Label::None,
                Label::Answer | Label::Later if asked.is_some_and(|asked| asked != said.turn) => {
                    Label::Later
                }
                Label::Later => Label::Answer,
                label => label,
            };
            match said.label {
                Label::User => asked = turn,
                Label::Answer | Label::Later => answered = turn,
                _ => {}
            }
            said.push_to(label, text);
        }
    }

    /// Of an entry of a log. `lines` are those of it that are told nowhere else.
    pub(super) fn of_entry(
        day: usize,
        heading: Heading<'a>,
        sitting: &Sitting<'_, 'a>,
        cutter: &mut Cutter<'a>,
    ) -> Self {
        let arena = cutter.arena();
        let (summary, of_summary) = of_summary(&sitting.summary, arena);
        let (turns, of_turns) = cutter.passages(&sitting.turns);
        let dropped = of_summary + of_turns;
        let mut items = InArena::with_capacity_in(summary.len() + turns.len() + 2, arena);
        items.extend(summary.into_iter().map(Said::of));
        let after = items.last().map_or(0, |said| said.passage.exchange + 1);
        items.extend(turns.map(|mut passage| {
            passage.exchange += after;
            Said::of(passage)
        }));
        items.extend(Said::listed(Label::Files, &sitting.files, ", ", arena));
        items.extend(Said::listed(Label::Commits, &sitting.commits, "; ", arena));
        Self { day, heading, items, dropped }
    }

    /// Of the lines of a digest below a `### ` heading.
    pub(super) fn of_lines(
        day: usize,
        heading: Heading<'a>,
        lines: &[&'a str],
        arena: &'a Bump,
    ) -> Self {
        let mut items = InArena::with_capacity_in(lines.len(), arena);
        let (mut exchange, mut turn) = (0, 0);
        let mut answered = false;
        for line in lines {
            let text = line.trim().strip_prefix("- ").unwrap_or(line.trim());
            let label = Label::ALL.into_iter().find(|label| text.starts_with(label.text()));
            let label = label.unwrap_or(Label::None);
            let text = &text[label.text().len()..];
            if text.is_empty() {
                continue;
            }
            match label {
                Label::User => {
                    exchange += 1;
                    turn += 1;
                    answered = false;
                }
                Label::Answer => {
                    turn += usize::from(answered);
                    answered = true;
                }
                Label::Later => {
                    turn += 1;
                    answered = true;
                }
                Label::Files | Label::Commits => answered = false,
                Label::None => {}
            }
            let role = match label {
                Label::User => Role::Asked,
                _ if answered => Role::Concluded,
                _ => Role::Said,
            };
            let is_list = matches!(label, Label::Files | Label::Commits);
            let label = match label {
                Label::None if role == Role::Concluded => Label::Answer,
                label => label,
            };
            // Only somebody's own summary has lines that are cut here: those of a digest are short enough.
            let most = if is_list { LINE - label.room() } else { PASSAGE };
            for text in pieces(text, most) {
                let mut passage = Passage::again(text, role, arena);
                passage.exchange = exchange;
                if is_list {
                    passage.factor = LISTED;
                }
                items.push(Said { passage, label, turn, chosen: false });
            }
        }
        Self { day, heading, items, dropped: 0 }
    }
}

/// The passages of a client's summary, but for the sections that list what stands elsewhere.
fn of_summary<'a>(lines: &[EntryLine<'a>], arena: &'a Bump) -> (Vec<Passage<'a>>, usize) {
    let mut dull = false;
    let mut kept = Vec::new();
    for line in lines {
        let text = line.text.trim().to_lowercase();
        let numbered = text.trim_start_matches(['#', '*', ' ']);
        if numbered.starts_with(|c: char| c.is_ascii_digit()) && text.ends_with([':', '*']) {
            dull = DULL.iter().any(|name| numbered.contains(name));
        }
        if !dull {
            kept.push(*line);
        }
    }
    if kept.is_empty() {
        return (Vec::new(), 0);
    }
    let turn = Turn { voice: Voice::Assistant, lines: kept.into() };
    let mut cutter = Cutter::new(arena);
    let (passages, dropped) = cutter.passages(&[turn]);
    (passages.collect(), dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed of a detail's lines when only those at these places are chosen.
    fn printed(lines: &[&str], chosen: &[usize]) -> String {
        let arena = Bump::new();
        let mut detail = Detail::of_lines(0, Heading::default(), lines, &arena);
        for at in chosen {
            detail.items[*at].chosen = true;
        }
        let mut text = String::new();
        detail.push_to(&mut text);
        text
    }

    #[test]
    fn an_answer_is_not_taken_for_one_to_another_question() {
        fn check(chosen: &[usize], expect: &[&str]) {
            let lines = [
                "- user: which port has the pilot station?",
                "- answer: It has 9464.",
                "- user: and how long are logs kept?",
                "- answer: For two weeks.",
                "- The disk is small.",
            ];
            let text = printed(&lines, chosen);
            assert_eq!(text.lines().collect::<Vec<_>>(), expect, "{chosen:?}");
            // A week reads it back and says the same.
            let all: Vec<usize> = (0..expect.len()).collect();
            assert_eq!(printed(expect, &all), text);
        }
        check(&[0, 1], &["- user: which port has the pilot station?", "- answer: It has 9464."]);
        check(
            &[0, 3, 4],
            &[
                "- user: which port has the pilot station?",
                "- later answer: For two weeks.",
                "- The disk is small.",
            ],
        );
        check(&[1, 3], &["- answer: It has 9464.", "- answer: For two weeks."]);
        check(&[3, 4], &["- answer: For two weeks.", "- The disk is small."]);
    }

    #[test]
    fn a_later_answer_is_an_answer_where_no_question_is_left_above_it() {
        let lines =
            ["- user: which port?", "- later answer: For two weeks.", "- The disk is small."];
        assert_eq!(printed(&lines, &[1]), "- answer: For two weeks.\n");
    }
}
