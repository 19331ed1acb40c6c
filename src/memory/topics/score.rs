//! The weight of a word in a section.

use std::cell::RefCell;

/// `weight^0.75 · ln(1 + (N − df + .5) / (df + .5))` in fixed point, so that equal inputs compare equal. `weight`
/// is that of [`super::Term`], `having` the number of sections that have the stem, out of `sections`.
pub(crate) struct Scores {
    sections: u32,
    /// the logarithm by `having`, where it was asked for: there are few, and each takes its time
    rarities: RefCell<Vec<Option<f64>>>,
    /// the power by `weight`, of those that nearly all words have
    powers: [f64; 64],
}

impl Scores {
    pub(crate) fn new(sections: u32) -> Self {
        let powers = std::array::from_fn(|weight| power(u32::try_from(weight).unwrap_or(0)));
        Self { sections, rarities: RefCell::default(), powers }
    }

    pub(crate) fn score(&self, weight: u32, having: u32) -> u64 {
        let power = self.powers.get(weight as usize).copied().unwrap_or_else(|| power(weight));
        let having = having.min(self.sections);
        let at = having as usize;
        let mut rarities = self.rarities.borrow_mut();
        if at >= rarities.len() {
            rarities.resize(at + 1, None);
        }
        let rarity = *rarities[at].get_or_insert_with(|| rarity(having, self.sections));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "never negative, far below 2^53"
        )]
        // Rounded by hand: for a number that is not negative that takes no call.
        let fixed = (power * rarity * 1024.0 + 0.5) as u64;
        fixed
    }
}

fn power(weight: u32) -> f64 {
    let root = f64::from(weight).sqrt();
    root * root.sqrt()
}

fn rarity(having: u32, sections: u32) -> f64 {
    let having = f64::from(having);
    (1.0 + (f64::from(sections) - having + 0.5) / (having + 0.5)).ln()
}
