//! The weight of a word in a section.

/// `weight^0.75 · ln(1 + (N − df + .5) / (df + .5))` in fixed point, so that equal inputs compare equal. `weight`
/// is that of [`super::Term`], `having` the number of sections that have the stem, out of `sections`.
pub(crate) fn score(weight: u32, having: u32, sections: u32) -> u64 {
    let root = f64::from(weight).sqrt();
    let having = f64::from(having.min(sections));
    let rarity = (1.0 + (f64::from(sections) - having + 0.5) / (having + 0.5)).ln();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "never negative, far below 2^53"
    )]
    let fixed = (root * root.sqrt() * rarity * 1024.0).round() as u64;
    fixed
}
