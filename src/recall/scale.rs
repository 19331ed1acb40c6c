//! How much a text is about a prompt: by which of its words it has, the rare ones more.

use super::prompt::is_number;
use crate::search::Query;

/// So many of the weightiest words of a prompt say what it is about; the rest of a long one takes nothing from it.
const WEIGHTIEST: usize = 10;

/// What each term of a prompt is worth in this memory.
pub(crate) struct Scale {
    /// weight times rarity; with what it may stand for
    worth: Vec<(f32, usize)>,
    /// what all together are worth
    asked: f32,
}

impl Scale {
    /// By the terms of every text that is known of, as [`Query::terms_in`] tells them.
    #[expect(clippy::cast_precision_loss, reason = "counts of facts")]
    pub(crate) fn new(query: &Query, texts: &[u128]) -> Self {
        let all = texts.len() as f32;
        let most = (1.0 + 2.0 * (all + 0.5)).ln();
        let mut own = 0;
        let mut worth = Vec::new();
        for (at, (shown, weight)) in query.weighted().enumerate() {
            let with = texts.iter().filter(|terms| **terms >> at & 1 == 1).count() as f32;
            let rarity = (1.0 + (all - with + 0.5) / (with + 0.5)).ln() / most;
            if !shown.is_empty() {
                own = at;
            }
            let is_item = !shown.is_empty() && is_number(shown);
            worth.push((if is_item { 0.0 } else { weight * rarity }, own));
        }
        let mut asked: Vec<f32> = worth
            .iter()
            .enumerate()
            .filter(|(at, (_, own))| at == own)
            .map(|(_, (worth, _))| *worth)
            .collect();
        asked.sort_by(|a, b| b.total_cmp(a));
        asked.truncate(WEIGHTIEST);
        Self { worth, asked: asked.iter().sum() }
    }

    /// What the terms that a text has are worth.
    pub(crate) fn worth(&self, terms: u128) -> f32 {
        let mut sum = 0.0;
        let mut own = 0.0_f32;
        let mut of = usize::MAX;
        for (at, (worth, stands_for)) in self.worth.iter().enumerate() {
            if *stands_for != of {
                sum += own;
                (own, of) = (0.0, *stands_for);
            }
            if terms >> at & 1 == 1 {
                own = own.max(*worth);
            }
        }
        sum + own
    }

    /// Which share of what the prompt asks about these terms are, and how much that is: 0 for nothing of it.
    pub(crate) fn about(&self, terms: u128) -> f32 {
        if self.asked <= 0.0 {
            return 0.0;
        }
        let worth = self.worth(terms);
        (worth / self.asked).min(1.0) * worth.sqrt()
    }
}
