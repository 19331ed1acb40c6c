//! The numbers of the ranking. Found by trying them on several corpora; what changed little is at a round figure.

use super::voice::LineVoice;

/// What a word counts by who says it.
pub(super) fn of(voice: LineVoice) -> f32 {
    match voice {
        LineVoice::User | LineVoice::Entry | LineVoice::Note => 1.0,
        LineVoice::Agent => 0.4,
        LineVoice::Nobody => 0.0,
    }
}

/// A word in code counts that much of what its speaker's words count.
pub(super) const CODE: f32 = 0.3;
/// A word in a heading or title.
pub(super) const TITLE: f32 = 2.0;
/// How soon more of the same word adds nothing.
pub(super) const K1: f32 = 1.2;
/// How much a long section has to have more of a word.
pub(super) const B: f32 = 0.75;
/// What the second and third best stretch of a section count beside the best.
pub(super) const BEST: [f32; 3] = [1.0, 0.3, 0.15];
/// The width of the windows of the closer look, in stretches.
pub(super) const WINDOW: f32 = 0.4;
/// How much less a window says in a section that has many of them.
pub(super) const LENGTH: f32 = 0.3;
/// What a section as a whole counts beside its windows.
pub(super) const SECTION: f32 = 0.6;
/// What is added where much of the question is within eight words.
pub(super) const NEAR: f32 = 0.3;
/// What is added to a day that the question names.
pub(super) const DATE: f32 = 0.3;
/// How much more the sentences of a better place count for the room there is.
pub(super) const SHARE: f32 = 2.0;
/// How much less those of each place count than those of the one before, beside its score.
pub(super) const SHARE_FALLS: f32 = 0.3;
/// What those of the worst place count, beside the best.
pub(super) const LEAST_SHARE: f32 = 0.05;

/// What makes a sentence worth showing. Sums are of shares of the question's weight.
pub(super) mod sentence {
    /// so many sentences on each side are around one
    pub(in crate::search) const AROUND: usize = 3;
    /// the terms in it and around it
    pub(in crate::search) const NEAR: f32 = 1.0;
    /// those that the person said to which it replies
    pub(in crate::search) const ASKED: f32 = 0.3;
    /// so many of its words that stand mostly where the question does speak for it
    pub(in crate::search) const RELATED: usize = 5;
    /// what is left of a sentence that has none of them, beside the one that has the best
    pub(in crate::search) const UNRELATED: f32 = 0.3;
    /// a synonym, beside the rank it has among places
    pub(in crate::search) const SYNONYM: f32 = 0.3;
    /// factor of what is said on the way to the last reply to the person
    pub(in crate::search) const EARLIER: f32 = 0.85;
    /// factor of that last reply, where there are earlier ones
    pub(in crate::search) const LAST: f32 = 1.15;
    /// factor of a sentence with a number where the question asks for one
    pub(in crate::search) const NUMBER: f32 = 1.3;
    /// what is added to a sentence all of whose words answer in other places, too
    pub(in crate::search) const ACROSS: f32 = 1.0;
    /// so many of its words are looked for there
    pub(in crate::search) const SHARED: u8 = 4;
    /// factor of a cause or decision
    pub(in crate::search) const REASON: f32 = 1.2;
    /// of something that was done
    pub(in crate::search) const RESULT: f32 = 1.1;
    /// of what is printed in bold
    pub(in crate::search) const STRONG: f32 = 1.15;
    /// of the first sentence of what one side says
    pub(in crate::search) const LEADS: f32 = 1.1;
    /// of what only says what comes next
    pub(in crate::search) const NARRATION: f32 = 0.3;
    /// of code and pasted output
    pub(in crate::search) const CODE: f32 = 0.6;
    /// of a heading inside a reply
    pub(in crate::search) const HEADS: f32 = 0.4;
    /// of a question
    pub(in crate::search) const QUESTION: f32 = 0.5;
    /// its tokens to this power divide its worth
    pub(in crate::search) const PRICE: f32 = 0.5;
    /// fewer tokens make it no cheaper
    pub(in crate::search) const CHEAP: f32 = 12.0;
}
