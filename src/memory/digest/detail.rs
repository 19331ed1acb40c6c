//! What was said in one sitting or entry, as far as its keyed bullets do not say it.

use crate::memory::entry::{EntryLine, EntryType};
use crate::memory::talk::{self, LINE, Passage, Role, Sayer, Sitting, Turn, Voice, passages};

/// One sitting or entry.
#[derive(Debug, Default)]
pub(super) struct Detail {
    /// which source it is from, oldest first
    pub(super) day: usize,
    /// the line above it, without its marks
    pub(super) heading: String,
    /// in order
    pub(super) items: Vec<Said>,
    /// how many more there were, where there were too many to choose from
    pub(super) dropped: usize,
}

/// A line that can be printed.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) passage: Passage,
    pub(super) label: Label,
    pub(super) chosen: bool,
}

/// What stands before the text of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    None,
    User,
    /// the last reply to what the user said: the lines after it, up to the next of the user's, are of it too
    Answer,
    Files,
    Commits,
}

impl Label {
    const ALL: [Self; 4] = [Self::User, Self::Answer, Self::Files, Self::Commits];

    fn text(self) -> &'static str {
        match self {
            Label::None => "",
            Label::User => "user: ",
            Label::Answer => "answer: ",
            Label::Files => "files: ",
            Label::Commits => "commits: ",
        }
    }
}

/// What a list of files or commits is worth, as [`Passage::factor`].
const LISTED: u32 = 10;
/// Sections of a client's summary that say what the tree of files says better.
const DULL: [&str; 4] = ["files and code", "user messages", "technical concepts", "optional next"];

impl Said {
    /// The line, with its end.
    fn push_to(&self, label: Label, text: &mut String) {
        for part in ["- ", label.text(), &self.passage.text, "\n"] {
            text.push_str(part);
        }
    }

    fn of(passage: Passage) -> Self {
        let from_user = passage.sayer == Sayer::Person && !passage.is_named;
        let label = match passage.role {
            _ if from_user => Label::User,
            Role::Concluded => Label::Answer,
            _ => Label::None,
        };
        Self { passage, label, chosen: false }
    }

    /// Whether a person said it first in a turn; of a line of a digest, whether the user did at all.
    pub(super) fn is_asked(&self) -> bool {
        self.passage.sayer == Sayer::Person && self.passage.role == Role::Asked
    }

    fn listed(label: Label, list: &[&str], separator: &str) -> Option<Self> {
        let room = LINE - 2 - label.text().len();
        let mut text = String::new();
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
        let passage = Passage::note(text, LISTED);
        (!passage.text.is_empty()).then_some(Self { passage, label, chosen: false })
    }
}

impl Detail {
    /// Drops all but `keep` of its lines.
    pub(super) fn thin(&mut self, keep: usize) {
        self.dropped += talk::thin(&mut self.items, keep, |said| said.passage.rate());
    }

    /// Whether any of its lines is to be printed.
    pub(super) fn is_chosen(&self) -> bool {
        self.items.iter().any(|said| said.chosen)
    }

    /// Prints the chosen lines. That something is the answer is said once.
    pub(super) fn push_to(&self, text: &mut String) {
        let mut answered = None;
        for said in self.items.iter().filter(|said| said.chosen) {
            let exchange = Some(said.passage.exchange);
            let again = said.label == Label::Answer && answered == exchange;
            if said.label == Label::Answer {
                answered = exchange;
            }
            said.push_to(if again { Label::None } else { said.label }, text);
        }
    }

    /// Of an entry of a log. `lines` are those of it that are told nowhere else.
    pub(super) fn of_entry(
        day: usize,
        mut heading: String,
        kind: Option<EntryType>,
        sitting: &Sitting<'_, '_>,
    ) -> Self {
        if let Some(kind) = kind {
            heading.extend([" [", kind.word(), "]"]);
        }
        let (summary, of_summary) = of_summary(&sitting.summary);
        let (turns, of_turns) = passages(&sitting.turns);
        let dropped = of_summary + of_turns;
        let mut items = Vec::with_capacity(summary.len() + turns.len() + 2);
        items.extend(summary.into_iter().map(Said::of));
        let after = items.last().map_or(0, |said| said.passage.exchange + 1);
        items.extend(turns.into_iter().map(|mut passage| {
            passage.exchange += after;
            Said::of(passage)
        }));
        items.extend(Said::listed(Label::Files, &sitting.files, ", "));
        items.extend(Said::listed(Label::Commits, &sitting.commits, "; "));
        Self { day, heading, items, dropped }
    }

    /// Of the lines of a digest below a `### ` heading.
    pub(super) fn of_lines(day: usize, heading: String, lines: &[&str]) -> Self {
        let mut items = Vec::with_capacity(lines.len());
        let mut exchange = 0;
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
                    answered = false;
                }
                Label::Answer => answered = true,
                Label::Files | Label::Commits => answered = false,
                Label::None => {}
            }
            let role = match label {
                Label::User => Role::Asked,
                _ if answered => Role::Concluded,
                _ => Role::Said,
            };
            let mut passage = Passage::again(text.to_owned(), role);
            passage.exchange = exchange;
            if matches!(label, Label::Files | Label::Commits) {
                passage.factor = LISTED;
            }
            let label = if role == Role::Concluded { Label::Answer } else { label };
            items.push(Said { passage, label, chosen: false });
        }
        Self { day, heading, items, dropped: 0 }
    }
}

/// The passages of a client's summary, but for the sections that list what stands elsewhere.
fn of_summary(lines: &[EntryLine<'_>]) -> (Vec<Passage>, usize) {
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
    let turn = Turn { voice: Voice::Assistant, lines: kept.into() };
    passages(&[turn])
}
