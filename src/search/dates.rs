//! Dates and times in a question: `last week`, `in March`, `2026-W11`, `3 days ago`, `지난달`, `3月`.

use std::ops::{Range, RangeInclusive};

use chrono::{Datelike as _, NaiveDate};

use super::spans::{MONTHS, PHRASES, Span, WEEKDAYS, year};
use crate::memory::period::{Level, Month, Period};
use crate::text::lists;

/// Days that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct When {
    /// the days
    pub(super) days: RangeInclusive<NaiveDate>,
    /// where in the text it stands
    pub(super) place: Range<usize>,
    /// whether nothing else can be meant: the words need not be looked for
    pub(super) relative: bool,
}

/// The days that a text names as a whole: `2026-03-15`, `2026-W11`, `2026-03`, `2026`, `last week`, `March`.
pub(crate) fn period(text: &str, today: NaiveDate) -> Option<RangeInclusive<NaiveDate>> {
    let text = text.trim().to_lowercase();
    let all = |when: &When| {
        text[..when.place.start].trim().is_empty() && text[when.place.end..].trim().is_empty()
    };
    if let Some(days) = text.parse().ok().filter(|_| text.len() == 4).and_then(year) {
        return Some(days);
    }
    find(&format!("in {text}"), today)
        .into_iter()
        .map(|when| When { place: when.place.start.saturating_sub(3)..when.place.end - 3, ..when })
        .find(all)
        .map(|when| when.days)
}

/// Every expression of time in a text in lower case.
pub(super) fn find(text: &str, today: NaiveDate) -> Vec<When> {
    let mut found: Vec<When> = Vec::new();
    for (phrase, span) in PHRASES {
        let ascii = phrase.is_ascii();
        for (at, _) in text.match_indices(phrase) {
            let place = at..at + phrase.len();
            let alone = !ascii || is_alone(text, &place);
            if alone
                && found.iter().all(|other| other.place.end <= at || other.place.start >= place.end)
                && let Some(days) = span.days(today)
            {
                found.push(When { days, place, relative: true });
            }
        }
    }
    let words = words(text);
    let mut at = 0;
    while at < words.len() {
        match named(
            text,
            &words[at..],
            at.checked_sub(1).map(|last| &text[words[last].clone()]),
            today,
        ) {
            Some((days, taken, relative)) => {
                let place = words[at].start..words[at + taken - 1].end;
                if found
                    .iter()
                    .all(|other| other.place.end <= place.start || other.place.start >= place.end)
                {
                    found.push(When { days, place, relative });
                }
                at += taken;
            }
            None => at += 1,
        }
    }
    found.sort_by_key(|when| when.place.start);
    found
}

fn is_alone(text: &str, place: &Range<usize>) -> bool {
    let touches = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !touches(text[..place.start].chars().next_back()) && !touches(text[place.end..].chars().next())
}

fn words(text: &str) -> Vec<Range<usize>> {
    let inside = |c: char| c.is_alphanumeric() || c == '-';
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(from) = text[at..].find(inside).map(|from| at + from) {
        at = text[from..].find(|c| !inside(c)).map_or(text.len(), |end| from + end);
        words.push(from..at);
    }
    words
}

/// An expression that begins with the first of some words: its days, how many words it has, whether it is relative.
fn named(
    text: &str,
    words: &[Range<usize>],
    before: Option<&str>,
    today: NaiveDate,
) -> Option<(RangeInclusive<NaiveDate>, usize, bool)> {
    let word = |at: usize| words.get(at).map(|word| &text[word.clone()]);
    let first = word(0)?;
    let label = first.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    let upper = label.to_uppercase();
    let period = Level::ALL.into_iter().find_map(|level| Period::parse(level, &upper));
    period
        .map(|period| (period.days(), 1, false))
        .or_else(|| counted(first, word(1), word(2), before, today))
        .or_else(|| weekday(first, today))
        .or_else(|| cjk_month(first, word(1), today))
        .or_else(|| month_or_year(first, word, before, today))
}

/// `monday`: the last one before today.
fn weekday(word: &str, today: NaiveDate) -> Option<(RangeInclusive<NaiveDate>, usize, bool)> {
    let (_, weekday) = WEEKDAYS.iter().find(|(name, _)| *name == word)?;
    let ago = (7 + today.weekday().num_days_from_monday() - weekday.num_days_from_monday()) % 7;
    let ago = if ago == 0 { 7 } else { ago };
    Span::Day(u64::from(ago)).days(today).map(|days| (days, 1, false))
}

/// `5 March 2026`, `March 5 2026`, `March 2026`, `March`, `in 2026`; `word` tells the words from the first one on.
fn month_or_year<'t>(
    first: &str,
    word: impl Fn(usize) -> Option<&'t str>,
    before: Option<&str>,
    today: NaiveDate,
) -> Option<(RangeInclusive<NaiveDate>, usize, bool)> {
    let number = |text: &str| {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse::<u32>().ok().filter(|_| text.len() - digits.len() <= 2)
    };
    let a_year = |text: &str| text.parse::<i32>().ok().filter(|year| (1990..2100).contains(year));
    let (month, mut day, mut taken) = match (month(first), word(1).and_then(month)) {
        (Some(month), _) => (month, None, 1),
        (None, Some(month)) => {
            (month, Some(number(first).filter(|day| (1..=31).contains(day))?), 2)
        }
        (None, None) => {
            let known = matches!(
                before,
                Some("in" | "since" | "until" | "during" | "von" | "en" | "im" | "в")
            );
            return a_year(first).filter(|_| known).and_then(year).map(|days| (days, 1, false));
        }
    };
    if day.is_none()
        && let Some(found) = word(1).and_then(number).filter(|day| (1..=31).contains(day))
    {
        day = Some(found);
        taken += 1;
    }
    let named_year = word(taken).and_then(a_year);
    taken += usize::from(named_year.is_some());
    // Words of other meanings: only where something else says that a month is meant.
    let doubtful =
        matches!(first, "may" | "march" | "mar" | "mars" | "mai" | "dec" | "sep" | "jan");
    let led = matches!(
        before,
        Some("in" | "last" | "since" | "until" | "early" | "late" | "mid" | "of" | "this" | "from")
    );
    if doubtful && day.is_none() && named_year.is_none() && !led {
        return None;
    }
    let year = named_year.unwrap_or_else(|| {
        today.year() - i32::from((month, day.unwrap_or(1)) > (today.month(), today.day()))
    });
    let days = match day {
        Some(day) => {
            let day = NaiveDate::from_ymd_opt(year, month, day)?;
            day..=day
        }
        None => Period::Month(Month::of(NaiveDate::from_ymd_opt(year, month, 1)?)).days(),
    };
    Some((days, taken, false))
}

fn month(word: &str) -> Option<u32> {
    (1..).zip(MONTHS).find(|(_, names)| lists(names, word)).map(|(number, _)| number)
}

/// `3 days ago`, `last 2 weeks`, `3일 전`.
fn counted(
    first: &str,
    second: Option<&str>,
    third: Option<&str>,
    before: Option<&str>,
    today: NaiveDate,
) -> Option<(RangeInclusive<NaiveDate>, usize, bool)> {
    if let Some((number, unit)) = split_number(first)
        && second.is_some_and(|word| word.starts_with('전') || word == "前")
    {
        return ago(number, unit, today).map(|days| (days, 2, true));
    }
    let number = match first {
        "a" | "one" => 1,
        "two" | "couple" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        digits => digits.parse::<u32>().ok().filter(|number| *number < 1000)?,
    };
    let unit = second?;
    match (third, before) {
        (Some("ago"), _) => ago(number, unit, today).map(|days| (days, 3, true)),
        (_, Some("last" | "past")) => {
            let days = match unit.trim_end_matches('s') {
                "day" => 1,
                "week" => 7,
                "month" => 31,
                "year" => 366,
                _ => return None,
            };
            Span::Last(u64::from(number) * days).days(today).map(|days| (days, 2, true))
        }
        _ => None,
    }
}

/// About that long ago: a day, a week around it, a month.
fn ago(number: u32, unit: &str, today: NaiveDate) -> Option<RangeInclusive<NaiveDate>> {
    match unit.trim_end_matches('s') {
        "day" | "일" | "天" | "日" => Span::Day(u64::from(number)),
        "week" | "주" | "주일" | "周" => Span::Week(u64::from(number)),
        "month" | "달" | "개월" | "个月" => Span::Month(number),
        "year" | "년" | "年" => Span::Year(i32::try_from(number).ok()?),
        _ => return None,
    }
    .days(today)
}

fn split_number(word: &str) -> Option<(u32, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = word.split_at(digits);
    Some((number.parse().ok().filter(|number| *number < 1000)?, unit))
}

/// `3월`, `3월 15일`, `3月15日`.
fn cjk_month(
    first: &str,
    second: Option<&str>,
    today: NaiveDate,
) -> Option<(RangeInclusive<NaiveDate>, usize, bool)> {
    let (month, rest) = split_number(first)?;
    let rest = rest.strip_prefix(['월', '月'])?;
    let day_in = |text: &str| {
        split_number(text)
            .filter(|(_, unit)| unit.starts_with(['일', '日', '号']))
            .map(|(day, _)| day)
    };
    let (day, taken) = match (day_in(rest), second.and_then(day_in)) {
        (Some(day), _) => (Some(day), 1),
        (None, Some(day)) => (Some(day), 2),
        (None, None) => (None, 1),
    };
    let later = (month, day.unwrap_or(1)) > (today.month(), today.day());
    let start = NaiveDate::from_ymd_opt(today.year() - i32::from(later), month, day.unwrap_or(1))?;
    let days = match day {
        Some(_) => start..=start,
        None => Period::Month(Month::of(start)).days(),
    };
    Some((days, taken, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 4, 10).unwrap()
    }

    #[test]
    fn expressions_of_time_become_days() {
        #[track_caller]
        fn check(text: &str, expect: &[&str]) {
            let found: Vec<String> = find(text, today())
                .into_iter()
                .map(|when| format!("{} {}", when.days.start(), when.days.end()))
                .collect();
            assert_eq!(found, expect, "{text}");
        }
        check("what broke last week", &["2026-03-30 2026-04-05"]);
        check("the login in march", &["2026-03-01 2026-03-31"]);
        check("what may break when we march on", &[]);
        check("on may 5 2025", &["2025-05-05 2025-05-05"]);
        check("since june", &["2025-06-01 2025-06-30"]);
        check("3 days ago", &["2026-04-07 2026-04-07"]);
        check("in the last 2 weeks", &["2026-03-27 2026-04-10"]);
        check("on monday", &["2026-04-06 2026-04-06"]);
        check("2026-03-15 and 2026-w11", &["2026-03-15 2026-03-15", "2026-03-09 2026-03-15"]);
        check("in 2025", &["2025-01-01 2025-12-31"]);
        check("지난달 배포", &["2026-03-01 2026-03-31"]);
        check("3월 15일에 뭐 했지", &["2026-03-15 2026-03-15"]);
        check("3일 전", &["2026-04-07 2026-04-07"]);
        check("先週のレビュー", &["2026-03-30 2026-04-05"]);
        check("что сломалось вчера", &["2026-04-09 2026-04-09"]);
        check("todays", &[]);
        check("february 31", &[]);
        check("99999999999 days ago", &[]);
    }

    #[test]
    fn a_period_is_the_whole_text() {
        #[track_caller]
        fn check(text: &str, expect: Option<&str>) {
            let found =
                period(text, today()).map(|days| format!("{} {}", days.start(), days.end()));
            assert_eq!(found.as_deref(), expect, "{text}");
        }
        check("2026-03", Some("2026-03-01 2026-03-31"));
        check("2026-W11", Some("2026-03-09 2026-03-15"));
        check("2025", Some("2025-01-01 2025-12-31"));
        check("last month", Some("2026-03-01 2026-03-31"));
        check("March", Some("2026-03-01 2026-03-31"));
        check("지난달", Some("2026-03-01 2026-03-31"));
        check("soon", None);
        check("last week or so", None);
        check("2026-13", None);
    }
}
