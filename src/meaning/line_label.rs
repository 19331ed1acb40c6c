//! What is before the text of a line of an extract.

use super::passage::LINE;

/// What is before the text of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineLabel {
    None,
    /// what the user said
    User,
    /// the last reply to what the user said: the lines after it, up to the next of the user's, are of it too
    Answer,
    /// the same where what it replies to is not above it, but something the user said before that does
    Later,
    /// what the person settled in reply to options or a proposal
    Decision,
    /// a proposal that the person refused or replaced
    TurnedDown,
    /// why something is so, as the last reply states it
    Cause,
    /// what was done, as the last reply states it
    Outcome,
    /// what is left to do, as the last reply states it
    Pending,
    Files,
    Commits,
}

impl LineLabel {
    /// Every label that is written.
    pub(crate) const ALL: [Self; 10] = [
        Self::User,
        Self::Answer,
        Self::Later,
        Self::Decision,
        Self::TurnedDown,
        Self::Cause,
        Self::Outcome,
        Self::Pending,
        Self::Files,
        Self::Commits,
    ];

    /// With the blank after it.
    pub(crate) fn text(self) -> &'static str {
        match self {
            LineLabel::None => "",
            LineLabel::User => "user: ",
            LineLabel::Answer => "answer: ",
            LineLabel::Later => "later answer: ",
            LineLabel::Decision => "decision: ",
            LineLabel::TurnedDown => "turned down: ",
            LineLabel::Cause => "cause: ",
            LineLabel::Outcome => "outcome: ",
            LineLabel::Pending => "pending: ",
            LineLabel::Files => "files: ",
            LineLabel::Commits => "commits: ",
        }
    }

    /// How many characters are left on a line after the bullet and the label.
    pub(crate) fn room(self) -> usize {
        LINE - "- ".len() - self.text().len()
    }
}
