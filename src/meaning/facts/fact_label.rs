//! What bullets say of themselves: `decision: …`, `- [ ] …`, `topic [feedback]: …`.

use super::FactKind;
use crate::meaning::lexicon;
use crate::memory::entry::EntryType;

/// What a label stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FactLabel {
    /// a fact of this kind
    Tells(FactKind),
    /// what was turned down
    TurnedDown,
    /// why the rest is so: said last
    Why,
    /// whether it is finished
    Status,
    /// where to look, and nothing that is known
    Routes,
}

/// The labels that entries, summaries and extracts use; `file-formats.md` has them.
const LABELS: [(&str, FactLabel); 36] = [
    ("rule", FactLabel::Tells(FactKind::Rule)),
    ("how-to-apply", FactLabel::Tells(FactKind::Rule)),
    ("decision", FactLabel::Tells(FactKind::Decision)),
    ("decisions", FactLabel::Tells(FactKind::Decision)),
    ("chose", FactLabel::Tells(FactKind::Decision)),
    ("turned down", FactLabel::TurnedDown),
    ("rejected", FactLabel::TurnedDown),
    ("analysis", FactLabel::Tells(FactKind::Lesson)),
    ("cause", FactLabel::Tells(FactKind::Lesson)),
    ("lesson", FactLabel::Tells(FactKind::Lesson)),
    ("lessons", FactLabel::Tells(FactKind::Lesson)),
    ("finding", FactLabel::Tells(FactKind::Lesson)),
    ("result", FactLabel::Tells(FactKind::Lesson)),
    ("outcome", FactLabel::Tells(FactKind::Done)),
    ("work done", FactLabel::Tells(FactKind::Done)),
    ("done", FactLabel::Tells(FactKind::Done)),
    ("pending", FactLabel::Tells(FactKind::Open)),
    ("next", FactLabel::Tells(FactKind::Open)),
    ("blocked", FactLabel::Tells(FactKind::Open)),
    ("open", FactLabel::Tells(FactKind::Open)),
    ("todo", FactLabel::Tells(FactKind::Open)),
    ("why", FactLabel::Why),
    ("reason", FactLabel::Why),
    ("status", FactLabel::Status),
    ("state", FactLabel::Status),
    ("상태", FactLabel::Status),
    ("commit", FactLabel::Routes),
    ("commits", FactLabel::Routes),
    ("files", FactLabel::Routes),
    ("file", FactLabel::Routes),
    ("context", FactLabel::Routes),
    ("request", FactLabel::Routes),
    ("references", FactLabel::Routes),
    ("tags", FactLabel::Routes),
    ("user", FactLabel::Routes),
    ("answer", FactLabel::Routes),
];

/// The longest label, in bytes.
const LONGEST: usize = 24;

/// What a bullet is labelled with and what follows, where it begins with a label of at most three plain words:
/// `how-to-apply: …`, `**Outcome:** …`, `[ ] …`.
pub(super) fn labelled(bullet: &str) -> Option<(Option<FactLabel>, &str, &str)> {
    if let Some(text) = bullet.strip_prefix("[ ]") {
        return Some((Some(FactLabel::Tells(FactKind::Open)), "", text.trim()));
    }
    if let Some(text) = bullet.strip_prefix("[x]").or_else(|| bullet.strip_prefix("[X]")) {
        return Some((Some(FactLabel::Tells(FactKind::Done)), "", text.trim()));
    }
    let near = bullet.char_indices().take_while(|(at, _)| *at <= LONGEST + 4);
    let (colon, width) = near.into_iter().find_map(|(at, c)| match c {
        ':' => Some((at, 1)),
        '：' => Some((at, c.len_utf8())),
        _ => None,
    })?;
    let rest = &bullet[colon + width..];
    if width == 1 && !rest.is_empty() && !rest.starts_with([' ', '*', '_']) {
        return None;
    }
    let name = bullet[..colon].trim_matches(['*', '_', ' ']);
    let plain = |c: char| c.is_alphabetic() || matches!(c, '-' | ' ' | '_');
    let is_label = !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(plain)
        && name.split(' ').count() <= 3;
    let known = LABELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    is_label.then(|| (known.map(|known| known.1), name, rest.trim_start_matches(['*', '_']).trim()))
}

/// Whether a text begins with a word that says that its subject is over.
pub(super) fn is_over(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    word.is_some_and(|word| lexicon::is_over(&word.to_lowercase()))
}

/// A topic without the mark that says that it is over, and whether it had one: `Login (done)`, `Login ✅`.
pub(super) fn without_over(topic: &str) -> (&str, bool) {
    let topic = topic.trim();
    let mark = topic.strip_suffix('✅').or_else(|| topic.strip_suffix("✅\u{fe0f}"));
    let word = || {
        let inside = topic.strip_suffix([')', ']'])?;
        let (before, word) = inside.rsplit_once(['(', '['])?;
        lexicon::is_over(&word.trim().to_lowercase()).then_some(before)
    };
    match mark.or_else(word).map(str::trim_end).filter(|shorter| !shorter.is_empty()) {
        Some(shorter) => (shorter, true),
        None => (topic, false),
    }
}

/// The longest head of a bullet, in characters.
const HEAD: usize = 72;

/// The topic of a summary's bullet, its type where it names one, and what is said: `auth [feedback]: …`,
/// `[feedback] auth: …`, `auth (user): …`. A bullet without a head is all text.
pub(super) fn head(bullet: &str) -> (&str, Option<EntryType>, &str) {
    let (before, bullet) = leading_type(bullet);
    // Where the head ends: at the first colon that is followed by a blank and is in no code and no bracket.
    let (mut code, mut depth) = (false, 0_i32);
    let mut colon = None;
    for (at, c) in bullet.char_indices() {
        match c {
            '`' => code = !code,
            '(' | '[' if !code => depth += 1,
            ')' | ']' if !code => depth -= 1,
            ':' | '：' if !code && depth <= 0 => {
                let rest = &bullet[at + c.len_utf8()..];
                if c == '：' || rest.is_empty() || rest.starts_with(' ') {
                    colon = Some((at, rest.trim()));
                    break;
                }
            }
            _ => {}
        }
    }
    let short = |text: &str| text.chars().nth(HEAD).is_none() && !text.contains(". ");
    let (name, said) = match colon {
        Some((at, rest)) if short(&bullet[..at]) => (bullet[..at].trim(), rest),
        // `No silent repair [feedback]`, with what it says below.
        _ if trailing_type(bullet).1.is_some() && short(bullet) => (bullet, ""),
        _ => return ("", before, bullet),
    };
    let (name, behind) = trailing_type(name.trim_matches('*'));
    (name.trim_matches(['*', ' ']), behind.or(before), said)
}

/// `[feedback] …` or `feedback: …` in front.
fn leading_type(bullet: &str) -> (Option<EntryType>, &str) {
    let bracket = || {
        let (word, rest) = bullet.strip_prefix('[')?.split_once(']')?;
        Some((EntryType::parse(word)?, rest))
    };
    let label = || {
        let (word, rest) = bullet.split_once(':')?;
        Some((EntryType::parse(word).filter(|kind| kind.is_about_user())?, rest))
    };
    match bracket().or_else(label) {
        Some((kind, rest)) => (Some(kind), rest.trim_start_matches([':', ' '])),
        None => (None, bullet),
    }
}

/// `auth [feedback]` as a topic and its type.
pub(super) fn trailing_type(name: &str) -> (&str, Option<EntryType>) {
    let typed = name.trim_end().strip_suffix(']').and_then(|rest| {
        let (topic, word) = rest.rsplit_once('[')?;
        Some((topic.trim_end(), EntryType::parse(word.split(',').next()?)?))
    });
    typed.map_or((name, None), |(topic, kind)| (topic, Some(kind)))
}
