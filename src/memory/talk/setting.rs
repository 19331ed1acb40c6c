//! What names of the code are set to: `MAX_DRAFT = 9`, `crane_limit goes from 30 to 35 t`, `brake_delay(200)`.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::replaced::{Number, has_before, is_same_unit, is_usual, numbers};
use crate::text;

/// What a name is set to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setting {
    /// a hash of the name as it is written
    pub(crate) name: u64,
    /// digits, with a sign and a decimal point
    number: String,
    /// what is counted, in small letters; nothing where the text does not say it
    unit: Option<String>,
}

/// Words that may stand between a name and its number.
const BETWEEN: &str = "is are now of to at set stays stands goes went from up down raised lowered changed reduced cut defaults default equals \
ist sind jetzt steht auf von beträgt steigt sinkt vaut est maintenant passe de à es está ahora pasa a vale é agora passa para adesso \
равен равно равна теперь с до на 为 改为 改成 设为 是 は が を から 는 은 를 을 에서";
/// Of these the ones between an old number and a new one, and marks that say the same.
const TURNS: &str = "to auf à a para до на 改为 改成";
const ARROWS: [&str; 4] = ["→", "->", "=>", "⇒"];
/// What in front of a name tells that it was set so, or what would be if it were.
const NOT_NOW: &str = "if when while unless was were previously formerly wenn falls war si quand cuando se était era если когда было был была";
/// What behind a number tells what it stands for rather than that it is set.
const MEANS: &str =
    "means disables enables turns stands heißt bedeutet significa signifie означает значит";
/// What sets nothing although it ends in `=`.
const COMPARES: [&str; 9] = ["==", "!=", "<=", ">=", "-=", "+=", "*=", "/=", "|="];
/// How long a unit is, in bytes, that is a symbol: `kHz`.
const SYMBOL: usize = 3;
/// How many bytes a word between them has at most.
const LONGEST_BETWEEN: usize = 16;
/// The most of such words.
const MOST_BETWEEN: usize = 6;
/// The shortest name, and the longest, with what stands in front of it: `redis.pool_size`.
const SHORTEST: usize = 4;
const LONGEST: usize = 80;

/// What the names in a text are set to, in its order.
pub(crate) fn settings(text: &str) -> Vec<Setting> {
    if !may_set(text.as_bytes()) {
        return Vec::new();
    }
    numbers(text).iter().filter_map(|number| of_number(text, number)).collect()
}

/// Whether a text has a name of the code, or half of one, and a digit: most have not both.
fn may_set(text: &[u8]) -> bool {
    let joins = |pair: &[u8]| {
        pair[1] == b'_' || (pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
    };
    text.windows(2).any(joins) && text.iter().any(u8::is_ascii_digit)
}

fn of_number(text: &str, number: &Number<'_>) -> Option<Setting> {
    let behind = &text[number.to..];
    let next = behind.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    // Another base, `0x10`, or what a value stands for: `0 means no limit`.
    let based = number.plain() == "0" && behind.starts_with(['x', 'b', 'o']);
    if based || next.is_some_and(|next| text::lists(MEANS, next)) {
        return None;
    }
    let name = name_before(&text[..number.from], number.unit(text))?;
    Some(Setting {
        name: xxh3_64(name.as_bytes()),
        number: number.plain(),
        unit: number.unit(text).map(str::to_lowercase),
    })
}

/// The name of the code that a number with a unit behind a text belongs to.
fn name_before<'t>(text: &'t str, unit: Option<&str>) -> Option<&'t str> {
    let mut rest = text;
    let (mut leads, mut assigned, mut turns) = (false, false, false);
    for _ in 0..MOST_BETWEEN {
        rest = rest.trim_end_matches([' ', '`', '"', '\'', '*']);
        if let Some(name) = name_at_end(rest) {
            let set = leads && (assigned || !name.is_type());
            return (set && name.is_set_now(rest)).then_some(name.whole);
        }
        if COMPARES.iter().any(|compares| rest.ends_with(compares)) {
            return None;
        }
        let arrow = ARROWS.iter().find_map(|arrow| rest.strip_suffix(arrow));
        rest = if let Some(shorter) = arrow {
            turns = true;
            shorter
        } else if let Some(shorter) = rest.strip_suffix('=') {
            assigned = true;
            shorter.trim_end_matches(':')
        } else if let Some(shorter) = rest.strip_suffix(':') {
            // `load_config: 3 callers` counts them.
            unit.is_none_or(|unit| unit.len() <= SYMBOL || is_usual(unit)).then_some(shorter)?
        } else if let Some(shorter) = rest.strip_suffix('(') {
            name_at_end(shorter).filter(|name| name.has_underscore()).map(|_| shorter)?
        } else if let (true, Some(shorter)) = (turns, without_number(rest)) {
            turns = false;
            shorter
        } else {
            let word = last_word(rest)?;
            let lower = word.to_lowercase();
            if !text::lists(BETWEEN, &lower) {
                return None;
            }
            turns = text::lists(TURNS, &lower);
            &rest[..rest.len() - word.len()]
        };
        leads = true;
    }
    None
}

/// The last word of a text, if it may stand between a name and a number. No more of a long line is looked at.
fn last_word(text: &str) -> Option<&str> {
    let word = text::end(text, LONGEST_BETWEEN + 1).rsplit([' ', '`']).next()?;
    (!word.is_empty() && word.len() <= LONGEST_BETWEEN).then_some(word)
}

/// A text without the number at its end, and what is counted by that: `goes from` of `goes from 2000 ms`.
fn without_number(text: &str) -> Option<&str> {
    let word = last_word(text)?;
    let is_digit = |c: char| c.is_ascii_digit();
    let counted = text.trim_end_matches(|c: char| c == '%' || c.is_alphabetic());
    let bare = if text.len() - counted.len() <= word.len() { counted.trim_end() } else { text };
    let digits = bare.trim_end_matches(|c: char| is_digit(c) || matches!(c, '.' | ','));
    bare.ends_with(is_digit).then_some(digits)
}

/// A name of the code at the end of a text.
#[derive(Debug, Clone, Copy)]
struct Name<'t> {
    /// with what it belongs to: `redis.pool_size`, `Crane::max_load`
    whole: &'t str,
    own: &'t str,
}

/// The name at the end of a text: with an underscore in it, or a capital behind a small letter.
fn name_at_end(text: &str) -> Option<Name<'_>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begin = |of: &dyn Fn(char) -> bool| {
        let taken = text.char_indices().rev().take(LONGEST).take_while(|(_, c)| of(*c));
        taken.last().map(|(at, _)| at)
    };
    let own = &text[begin(&is_part)?..];
    let whole = &text[begin(&|c| is_part(c) || matches!(c, '.' | ':' | '-'))?..];
    let name = Name { whole: whole.trim_start_matches(['.', ':', '-']), own };
    let mut pairs = own.as_bytes().windows(2);
    let is_name = own.len() >= SHORTEST
        && own.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && (name.has_underscore()
            || pairs.any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()));
    is_name.then_some(name)
}

impl Name<'_> {
    fn has_underscore(self) -> bool {
        self.own.trim_matches('_').contains('_')
    }

    /// Whether it may as well be the name of a type or of a product: `GitHub`.
    fn is_type(self) -> bool {
        !self.has_underscore() && self.own.starts_with(|c: char| c.is_ascii_uppercase())
    }

    /// Whether nothing in front of it, at the end of a text, tells that it was set so before something else, or may be.
    fn is_set_now(self, text: &str) -> bool {
        const LOOKED_AT: usize = 32;
        let before = text[..text.len() - self.whole.len()].trim_end_matches([' ', '`', '"', '(']);
        let before = text::end(before, LOOKED_AT).to_lowercase();
        let last = before.rsplit(' ').next().unwrap_or_default();
        let last = last.trim_matches(|c: char| !c.is_alphanumeric());
        !has_before(&before) && !text::lists(NOT_NOW, last)
    }
}

impl Setting {
    /// Whether another setting of the same name says another number of the same thing.
    pub(crate) fn differs_from(&self, other: &Self) -> bool {
        let same_unit = match (&self.unit, &other.unit) {
            (Some(one), Some(other)) => is_same_unit(one, other),
            _ => true,
        };
        self.name == other.name && same_unit && !is_same_number(&self.number, &other.number)
    }
}

/// Whether two numbers are one, however they are written: `8000` and `8,000`, of which the comma is a point here, `1` and `1.0`.
fn is_same_number(one: &str, other: &str) -> bool {
    let grouped = |number: &str| {
        let (whole, last) = number.split_once('.')?;
        (last.len() == 3).then(|| format!("{whole}{last}"))
    };
    let same = |one: &str, other: &str| {
        one == other || one.parse::<f64>().ok() == other.parse::<f64>().ok()
    };
    let either = |one: &str, other: &str| grouped(one).is_some_and(|one| same(&one, other));
    same(one, other) || either(one, other) || either(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(&str, &str, Option<&str>)]) {
        let expect: Vec<Setting> = expect
            .iter()
            .map(|(name, number, unit)| Setting {
                name: xxh3_64(name.as_bytes()),
                number: (*number).to_owned(),
                unit: unit.map(str::to_owned),
            })
            .collect();
        assert_eq!(settings(text), expect, "{text}");
    }

    #[test]
    fn what_a_name_is_set_to_is_known() {
        check("I added `MAX_DRAFT = 9` in `crane.rs`.", &[("MAX_DRAFT", "9", None)]);
        check("a `crane_limit` of 35 t", &[("crane_limit", "35", Some("t"))]);
        check("the DSN has crane_limit(8000) in place of 2000", &[("crane_limit", "8000", None)]);
        check("brakeDelay is 15 ms now", &[("brakeDelay", "15", Some("ms"))]);
        check("`QUAY_LEN` vaut maintenant 20", &[("QUAY_LEN", "20", None)]);
        check("`QUAY_LEN`: 20 m", &[("QUAY_LEN", "20", Some("m"))]);
        check("quay_len 改成 20", &[("quay_len", "20", None)]);
        check("MaxDraft = 9", &[("MaxDraft", "9", None)]);
        check("`redis.pool_size` is 5", &[("redis.pool_size", "5", None)]);
        check("`pool_size = 50` instead of `pool_size = 20`", &[("pool_size", "50", None)]);
        check("MAX_CREW = 50 (was MAX_CREW = 20)", &[("MAX_CREW", "50", None)]);
        check(
            "gauge_timeout goes from 2000 ms to 8000 ms",
            &[("gauge_timeout", "2000", Some("ms")), ("gauge_timeout", "8000", Some("ms"))],
        );
        check(
            "QUAY_LEN goes from 5% to 9%",
            &[("QUAY_LEN", "5", Some("%")), ("QUAY_LEN", "9", Some("%"))],
        );
        for arrow in ["`QUAY_LEN`: 5 → 9", "QUAY_LEN: 5 -> 9", "QUAY_LEN = 5 => 9"] {
            check(arrow, &[("QUAY_LEN", "5", None), ("QUAY_LEN", "9", None)]);
        }
        check(
            "`QUAY_LEN` goes from 5 to 9 in `quay.rs`",
            &[("QUAY_LEN", "5", None), ("QUAY_LEN", "9", None)],
        );
        check(
            "`QUAY_LEN` pasa de 300 a 600",
            &[("QUAY_LEN", "300", None), ("QUAY_LEN", "600", None)],
        );
    }

    #[test]
    fn a_long_line_without_blanks_is_no_more_work_than_another() {
        let line = format!("quay_len=1;{}", ";1".repeat(50_000));
        assert_eq!(settings(&line).len(), 1);
    }

    #[test]
    fn what_only_stands_beside_a_name_is_none_of_it() {
        check("gave up at the `crane_limit` after 2 seconds", &[]);
        check("if quay_len == 3 the crane stops", &[]);
        check("quay_len was 8, and nobody knew", &[]);
        check("quay_len should be 8", &[]);
        check("quay_len >= 8 and quay_left -= 1", &[]);
        check("if quay_len = 3 the crane stops", &[]);
        check("crane_limit = 0 means no limit", &[]);
        check("GitHub: 3 issues, `load_config`: 4 callers", &[]);
        check("the hook calls useState(0), then setTimeout(5)", &[]);
        check("MASK_BITS = 0x10", &[]);
        check("quay_len 2 times in 3 files", &[]);
        check("the limit is 8", &[]);
        check("Quay = 8", &[]);
        check("`QUAY_LEN` is v1.2 or #12", &[]);
    }

    #[test]
    fn another_number_differs_where_it_counts_the_same() {
        let one = |text: &str| settings(text).pop().unwrap();
        let set = one("QUAY_LEN = 20 m");
        assert!(set.differs_from(&one("QUAY_LEN is 25 m")));
        assert!(set.differs_from(&one("QUAY_LEN is 25")));
        assert!(!set.differs_from(&one("QUAY_LEN is 20")));
        assert!(!set.differs_from(&one("QUAY_LEN is 25 feet")));
        assert!(!set.differs_from(&one("QUAY_WID = 25 m")));
        assert!(!set.differs_from(&one("pier.QUAY_LEN = 25 m")));
        assert!(!one("QUAY_LEN = 8000").differs_from(&one("QUAY_LEN is 8,000")));
        assert!(!one("QUAY_LEN = 1").differs_from(&one("QUAY_LEN = 1.0")));
    }
}
