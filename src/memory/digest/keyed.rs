//! Bullets that say what kind of thing they tell: `decision: …`, `- [ ] …`.

pub(super) fn bullet(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let rest = text.strip_prefix(['-', '*', '+'])?;
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

pub(super) fn open_box(bullet: &str) -> Option<&str> {
    bullet.strip_prefix("[ ]").map(str::trim)
}

pub(super) const DECISIONS: &str = "Key Decisions";
pub(super) const COMPLETED: &str = "Tasks Completed";
pub(super) const OPEN: &str = "Open Items";

/// The section that a bullet like `decision: …` or `**Outcome:** …` belongs to, and what it says.
pub(super) fn keyed(bullet: &str) -> Option<(&'static str, &str)> {
    let near = bullet.char_indices().take_while(|(at, _)| *at <= 24);
    let (colon, _) = near.into_iter().find(|(_, c)| matches!(c, ':' | '：'))?;
    let bare = |text: &'static str, key: &str| text.eq_ignore_ascii_case(key);
    let key = bullet[..colon].trim_matches(['*', '_', '`', ' ']);
    let section = if ["decision", "decisions"].into_iter().any(|word| bare(word, key)) {
        DECISIONS
    } else if ["outcome", "work done"].into_iter().any(|word| bare(word, key)) {
        COMPLETED
    } else if ["pending", "next", "blocked"].into_iter().any(|word| bare(word, key)) {
        OPEN
    } else {
        return None;
    };
    Some((section, bullet[colon..].trim_start_matches([':', '：', '*', '_', ' ']).trim()))
}
