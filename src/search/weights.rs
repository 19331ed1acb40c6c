//! The numbers of the ranking. Found by trying them on several corpora; what changed little stands at a round figure.

use super::voice::Voice;

/// What a word counts by who says it.
pub(super) fn of(voice: Voice) -> f32 {
    match voice {
        Voice::User | Voice::Entry | Voice::Note => 1.0,
        Voice::Agent => 0.4,
        Voice::Nobody => 0.0,
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
/// What is added where much of the question stands within eight words.
pub(super) const NEAR: f32 = 0.3;
/// What is added to a day that the question names.
pub(super) const DATE: f32 = 0.3;
/// How much more of the room a better place gets.
pub(super) const SHARE: f32 = 2.5;
/// How much less each place gets than the one before, beside its score.
pub(super) const SHARE_FALLS: f32 = 0.3;
/// What the worst place gets, beside the best.
pub(super) const LEAST_SHARE: f32 = 0.3;

/// What makes a sentence worth showing. Each is a share of the question's weight.
pub(super) mod sentence {
    /// the terms in it
    pub(in crate::search) const OWN: f32 = 1.0;
    /// those of the two sentences before it
    pub(in crate::search) const BEFORE: [f32; 2] = [0.35, 0.25];
    /// those of the two behind it
    pub(in crate::search) const AFTER: [f32; 2] = [0.5, 0.2];
    /// the most that a sentence of the user's has to which it replies
    pub(in crate::search) const ASKED: f32 = 0.3;
    /// the sum of those of the four sentences on each side
    pub(in crate::search) const WIDE: f32 = 0.1;
    /// the terms of the whole exchange
    pub(in crate::search) const EXCHANGE: f32 = 0.05;
    /// its five words that are related to the question most
    pub(in crate::search) const RELATED: f32 = 2.5;
    /// it looks like the kind of answer that is asked for
    pub(in crate::search) const SIGN: f32 = 0.1;
    /// it only says what comes next
    pub(in crate::search) const ANNOUNCES: f32 = 0.3;
    /// it is code
    pub(in crate::search) const CODE: f32 = 0.2;
    /// terms that are shown already
    pub(in crate::search) const KNOWN: f32 = 0.5;
    /// a synonym, beside the rank it has among places
    pub(in crate::search) const SYNONYM: f32 = 0.3;
    /// its tokens to this power divide its worth
    pub(in crate::search) const PRICE: f32 = 0.3;
    /// fewer tokens make it no cheaper
    pub(in crate::search) const CHEAP: f32 = 14.0;
}
