//! What names of the code are set to: `MAX_DRAFT = 9`, `crane_limit goes from 30 to 35 t`, `brakeDelay(200)`.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::replaced::{Number, is_same_unit, numbers};

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
const BETWEEN: &str = "is|are|now|of|to|at|set|stays|stands|goes|went|from|up|down|raised|lowered|changed|reduced|cut|defaults|default|equals|\
ist|sind|jetzt|steht|auf|von|beträgt|steigt|sinkt|vaut|est|maintenant|passe|de|à|es|está|ahora|pasa|a|vale|é|agora|passa|para|adesso|\
равен|равно|равна|теперь|с|до|на|为|改为|改成|设为|是|は|が|を|から|는|은|를|을|에서";
/// Of these the ones that have the old number behind them, and a new one follows.
const TURNS: &str = "to|auf|à|a|para|до|на|改为|改成";
/// How many bytes such a word has at most.
const LONGEST_BETWEEN: usize = 16;
/// The most of such words.
const MOST_BETWEEN: usize = 6;
/// The shortest name.
const SHORTEST: usize = 4;

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
    let name = name_before(&text[..number.from])?;
    Some(Setting {
        name: xxh3_64(name.as_bytes()),
        number: number.plain(),
        unit: number.unit(text).map(str::to_lowercase),
    })
}

/// The name of the code that a number behind a text belongs to.
fn name_before(text: &str) -> Option<&str> {
    let mut rest = text;
    let (mut leads, mut turns) = (false, false);
    for _ in 0..MOST_BETWEEN {
        rest = rest.trim_end_matches([' ', '`', '"', '\'', '*']);
        if let Some(name) = name_at_end(rest.strip_suffix("()").unwrap_or(rest)) {
            return leads.then_some(name);
        }
        if rest.ends_with("==") || rest.ends_with("!=") {
            return None;
        }
        rest = if let Some(shorter) = rest.strip_suffix(['=', ':', '(', '→']) {
            shorter.trim_end_matches([':', '-'])
        } else if turns && rest.ends_with(|c: char| c.is_ascii_digit()) {
            rest.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','))
        } else {
            let word = rest.rsplit([' ', '`']).next().unwrap_or_default();
            if word.is_empty() || word.len() > LONGEST_BETWEEN {
                return None;
            }
            let lower = word.to_lowercase();
            if !BETWEEN.split('|').any(|one| one == lower) {
                return None;
            }
            turns = TURNS.split('|').any(|one| one == lower);
            &rest[..rest.len() - word.len()]
        };
        leads = true;
    }
    None
}

/// The name at the end of a text: with an underscore in it, or a capital behind a small letter.
fn name_at_end(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begin = text.char_indices().rev().take_while(|(_, c)| is_part(*c)).last()?.0;
    let name = &text[begin..];
    let mut pairs = name.as_bytes().windows(2);
    let is_name = name.len() >= SHORTEST
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && (name.trim_matches('_').contains('_')
            || pairs.any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()));
    is_name.then_some(name)
}

impl Setting {
    /// Whether another setting of the same name says another number of the same thing.
    pub(crate) fn differs_from(&self, other: &Self) -> bool {
        let same_unit = match (&self.unit, &other.unit) {
            (Some(one), Some(other)) => is_same_unit(one, other),
            _ => true,
        };
        self.name == other.name && same_unit && self.number != other.number
    }
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
    fn what_only_stands_beside_a_name_is_none_of_it() {
        check("gave up at the `crane_limit` after 2 seconds", &[]);
        check("if quay_len == 3 the crane stops", &[]);
        check("quay_len was 8, and nobody knew", &[]);
        check("quay_len should be 8", &[]);
        check("quay_len >= 8", &[]);
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
    }
}
