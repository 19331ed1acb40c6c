//! Numbers that hold no more: `the budget goes from 12 to 18 KB`, `let's say 48 hours instead of 24`.

use std::sync::LazyLock;

use crate::memory::topics::is_cjk;
use crate::text::behind;

/// A number that a statement says something else takes the place of.
#[derive(Debug)]
pub(crate) struct Replaced {
    /// its digits, with a sign and a decimal point
    number: String,
    /// what is counted, in small letters; of a statement that does not say it nothing
    unit: Option<String>,
}

/// Words that stand right before a number that holds no more.
const BEFORE: &str = "instead of|in place of|rather than|replaces|replacing|replaces the|replacing the|statt|anstatt|anstelle von|ersetzt|\
ersetzt die|en vez de|en lugar de|reemplaza|reemplaza a|au lieu de|remplace|em vez de|no lugar de|substitui|invece di|al posto di|\
sostituisce|вместо|заменяет|而不是|不再是|代替";
/// Words that stand right behind one.
const BEHIND: &str = "ではなく|じゃなくて|の代わりに|대신|말고";
/// What stands before the first and before the second of two numbers, where one becomes the other.
const TURNS: [(&str, &str); 12] = [
    ("from", "to"),
    ("from", "up to"),
    ("from", "down to"),
    ("von", "auf"),
    ("de", "a"),
    ("de", "à"),
    ("de", "para"),
    ("da", "a"),
    ("с", "до"),
    ("с", "на"),
    ("从", "改成"),
    ("从", "变成"),
];
/// What says the same between them without a word before the first.
const ARROWS: [&str; 4] = ["->", "→", "=>", "⇒"];
/// What stands between them where the first needs no word before it.
const FROM: [&str; 2] = ["から", "에서"];
/// What tells that something changes from one to the other, rather than that it reaches that far: whole words, the beginnings of
/// words, and parts of a text without blanks.
const CHANGES: &str = "go|goes|going|went|gone|up|down|now|cut|cuts|fell|jetzt|fällt|теперь";
const CHANGING: &str = "rais|rise|rose|lower|chang|bump|increas|decreas|reduc|drop|move|moving|switch|shorten|extend|grow|grew|\
shrink|shrank|shrunk|erhöh|gesenk|senk|änder|geänder|verkürz|verläng|steig|sube|subi|baja|aument|reduj|cambi|passe|augment|baiss|\
muda|scend|ridott|подн|сниж|сниз|измен|увелич|уменьш";
const PARTS_CHANGING: &str =
    "改|变|提|降|调|変|増|減|上げ|下げ|올리|올려|내리|내려|늘|줄|바꾸|바꿔|변경";
/// Words behind a number that are not what it counts.
const NO_UNITS: &str = "to|up|down|from|for|in|of|and|or|the|a|an|at|on|is|are|was|by|per|with|instead|rather|because|but|as|so|if|\
then|when|auf|bis|statt|und|oder|für|pro|im|in|weil|a|de|en|y|o|para|por|con|à|et|ou|pour|e|da|di|per|до|на|в|и|за|с|вместо";

/// The number that a statement says another takes the place of.
pub(crate) fn replaced(text: &str) -> Option<Replaced> {
    // Hardly any sentence has two.
    let is_number = |run: &&[u8]| run[0].is_ascii_digit();
    let alike = |a: &u8, b: &u8| a.is_ascii_digit() == b.is_ascii_digit();
    text.as_bytes().chunk_by(alike).filter(is_number).nth(1)?;
    let text = text.to_lowercase();
    let numbers = numbers(&text);
    let named = numbers.iter().position(|number| {
        let (before, behind) = (text[..number.from].trim_end(), text[number.to..].trim_start());
        has_before(before)
            || !behind.is_ascii() && BEHIND.split('|').any(|word| behind.starts_with(word))
    });
    let at = named.or_else(|| {
        let pairs = numbers.windows(2);
        pairs.enumerate().find(|(_, pair)| becomes(&text, &pair[0], &pair[1])).map(|(at, _)| at)
    })?;
    let own = numbers[at].unit(&text);
    let unit = own.or_else(|| numbers.iter().find_map(|number| number.unit(&text)));
    Some(Replaced { number: numbers[at].plain(), unit: unit.map(str::to_owned) })
}

/// Whether a text says that one number becomes the other, which is the next in it.
fn becomes(text: &str, one: &Number<'_>, other: &Number<'_>) -> bool {
    let (before, between) = (text[..one.from].trim_end(), text[one.to..other.from].trim());
    if !may_turn(between) {
        return false;
    }
    let bare = between.trim_start_matches('-');
    let unit = one.unit(text);
    let between = unit.and_then(|unit| bare.strip_prefix(unit)).unwrap_or(between).trim();
    if ARROWS.contains(&between) {
        return true;
    }
    let changes = || {
        let tells = |word: &str| {
            CHANGES.split('|').any(|whole| word == whole)
                || CHANGING.split('|').any(|begin| word.starts_with(begin))
        };
        text.split(|c: char| !c.is_alphanumeric()).any(tells)
            || PARTS_CHANGING.split('|').any(|part| text.contains(part))
    };
    if FROM.contains(&between) {
        return changes();
    }
    TURNS
        .iter()
        .any(|(first, second)| ends_with_word(before, first) && between == *second && changes())
}

/// Whether what stands before a number tells that it holds no more. Most texts end with another letter than all of these.
pub(super) fn has_before(text: &str) -> bool {
    static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| BEFORE.split('|').collect());
    let last = text.as_bytes().last();
    WORDS.iter().any(|word| word.as_bytes().last() == last && ends_with_word(text, word))
}

/// Whether what stands between two numbers may tell that one becomes the other.
fn may_turn(between: &str) -> bool {
    let seconds = TURNS.iter().map(|(_, second)| second);
    ARROWS.iter().chain(&FROM).chain(seconds).any(|end| between.ends_with(end))
}

/// Whether a word stands at the end of a text; one of a script without blanks may have letters before it.
fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word)
        .is_some_and(|rest| !word.is_ascii() || !rest.ends_with(|c: char| c.is_alphanumeric()))
}

impl Replaced {
    /// What is counted, in small letters.
    pub(crate) fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Whether what is counted says by itself what a statement is about: `dBTP`, not `minutes`.
    pub(crate) fn is_telling(&self) -> bool {
        self.unit().is_some_and(|unit| !is_usual(unit))
    }

    /// Whether another text says that number, of the same unit, where both tell theirs. `Some(true)` where both do.
    pub(crate) fn stands_in(&self, text: &str) -> Option<bool> {
        let digits = self.number.trim_start_matches('-');
        if !text.contains(digits.split('.').next().unwrap_or(digits)) {
            return None;
        }
        let text = text.to_lowercase();
        let same = numbers(&text).into_iter().filter(|number| number.plain() == self.number);
        let fits = |number: Number<'_>| match (&self.unit, number.unit(&text)) {
            (Some(unit), Some(other)) => is_same_unit(unit, other).then_some(true),
            _ => Some(false),
        };
        same.filter_map(fits).max()
    }
}

/// Whether a unit is one of time, size, money or the like, in which anything may be counted.
pub(super) fn is_usual(unit: &str) -> bool {
    const USUAL: &str = "s|ms|sec|second|min|minute|h|hour|d|day|week|month|year|time|item|line|file|kb|mb|gb|tb|kib|mib|gib|byte|px|pixel|\
%|percent|eur|euro|usd|dollar|pound|sekunde|stunde|tag|woche|monat|jahr|mal|segundo|minuto|hora|día|dia|seconde|heure|jour|secondo|ora|\
giorno|секунд|минут|час|дн|день|秒|分|分钟|小时|天|時間|日|초|분|시간|일";
    USUAL.split('|').any(|usual| is_same_unit(usual, unit))
}

/// `hour` and `hours`, `minuten` and `minute`.
pub(super) fn is_same_unit(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    behind(long, short).is_some_and(|rest| rest.is_empty() || short.len() > 2 && rest.len() < 3)
}

/// A number in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number<'t> {
    pub(super) from: usize,
    pub(super) to: usize,
    text: &'t str,
}

impl Number<'_> {
    /// What is counted by it, in the text that it stands in.
    pub(super) fn unit<'t>(&self, text: &'t str) -> Option<&'t str> {
        unit(&text[self.to..])
    }

    /// With a plain sign and a decimal point, without a plus.
    pub(super) fn plain(&self) -> String {
        self.text.replace(['−', '–'], "-").replace(',', ".").trim_start_matches('+').to_owned()
    }
}

/// The numbers of a text; none of versions, dates, times, issues or names.
pub(super) fn numbers(text: &str) -> Vec<Number<'_>> {
    let mut found = Vec::new();
    let mut place = 0;
    while let Some(at) = text[place..].find(|c: char| c.is_ascii_digit()) {
        let digits = place + at;
        let is_digit = |c: char| c.is_ascii_digit();
        let mut to = text[digits..].find(|c| !is_digit(c)).map_or(text.len(), |end| digits + end);
        let rest = &text[to..];
        if let Some(fraction) =
            rest.strip_prefix(['.', ',']).filter(|rest| rest.starts_with(is_digit))
        {
            let end = fraction.find(|c| !is_digit(c)).unwrap_or(fraction.len());
            to += 1 + end;
        }
        let mut from = digits;
        let sign = text[..from].chars().next_back().filter(|c| matches!(c, '-' | '−' | '–' | '+'));
        if let Some(sign) = sign
            && text[..from - sign.len_utf8()].chars().next_back().is_none_or(|c| " (~`".contains(c))
        {
            from -= sign.len_utf8();
        }
        let joins = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '/' | '#' | '_' | '-' | '−')
        };
        let goes_on = |rest: &str| {
            let mut after = rest.chars();
            matches!(after.next(), Some(':' | '/' | '_' | '-' | '.' | ','))
                && after.next().is_some_and(|c| c.is_ascii_alphanumeric())
        };
        if text[..from].ends_with(joins) || goes_on(&text[to..]) {
            place = text[to..].find(char::is_whitespace).map_or(text.len(), |end| to + end);
        } else {
            found.push(Number { from, to, text: &text[from..to] });
            place = to;
        }
    }
    found
}

/// What is counted by the number before a text.
fn unit(behind: &str) -> Option<&str> {
    const LONGEST: usize = 24;
    const CJK: usize = 2;
    let bare = behind.strip_prefix([' ', '-', '\u{a0}', '\u{202f}']).unwrap_or(behind);
    if bare.starts_with('%') {
        return Some("%");
    }
    // Of a script without blanks, as much as a word has.
    let is_latin = bare.starts_with(|c: char| c.is_ascii());
    let is_end = |(place, c): (usize, char)| {
        !c.is_alphabetic() || (is_cjk(c) && (is_latin || place >= CJK * c.len_utf8()))
    };
    let end = bare.char_indices().find(|one| is_end(*one)).map_or(bare.len(), |(at, _)| at);
    let word = &bare[..end];
    (!word.is_empty() && word.len() <= LONGEST && NO_UNITS.split('|').all(|none| none != word))
        .then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_another_takes_the_place_of_is_known() {
        fn check(text: &str, expect: Option<(&str, Option<&str>)>) {
            let found = replaced(text);
            let found = found.as_ref().map(|found| (&*found.number, found.unit.as_deref()));
            assert_eq!(found, expect, "{text}");
        }
        check("budget goes from 12 to 18 KB for the crane page", Some(("12", Some("kb"))));
        check("raise the limit from 30 s to 60 s", Some(("30", Some("s"))));
        check("let's say 48 hours instead of 24, as of now", Some(("24", Some("hours"))));
        check(
            "keep it simple, -1.5 dBTP for everything, replaces the -1.0",
            Some(("-1.0", Some("dbtp"))),
        );
        check("lower the winch, 7 knots -> 5", Some(("7", Some("knots"))));
        check("the winch brakes at 9 knots now (7 → 9)", Some(("7", Some("knots"))));
        check("die frist steigt von 14 auf 21 Tage", Some(("14", Some("tage"))));
        check("поднимаем лимит с 10 до 20 минут", Some(("10", Some("минут"))));
        check("超时从 15 分钟改成 10 分钟", Some(("15", Some("分钟"))));
        check("上限を12KBから18KBに上げる", Some(("12", Some("kb"))));
        check("제한을 24시간에서 48시간으로 늘린다", Some(("24", Some("시간"))));
        // How far something reaches.
        check("berths from 3 to 9 have a crane", None);
        check("the quay is open from 9 to 17", None);
        check("an upload takes from 3 to 9 minutes", None);
        check("the release of 2026-03-04 instead of that", None);
        check("v1.2 instead of v1.1", None);
        check("use the winch instead of the crane", None);
    }

    #[test]
    fn it_is_found_again_by_its_number_and_unit() {
        fn check(text: &str, other: &str, expect: Option<bool>) {
            assert_eq!(replaced(text).unwrap().stands_in(other), expect, "{other}");
        }
        let raised = "budget goes from 12 to 18 KB";
        check(raised, "budget 12 KB for the page, CI fails above", Some(true));
        check(raised, "the page has 12 berths", None);
        check(raised, "112 KB, or 12.5 KB", None);
        check(raised, "budget: 12", Some(false));
        check("48 hours instead of 24", "no ship waits longer than 24 hours", Some(true));
        check("48 hours instead of 24", "one hour of 24", Some(false));
        check("-1.5 dBTP, replaces the -1.0", "ceiling −1.0 dBTP in both cases", Some(true));
        check("-1.5 dBTP, replaces the -1.0", "ceiling 1.0 dBTP", None);
    }
}
