//! Days, ISO weeks and months: which contains which, and when each closes.
//!
//! Weeks are ISO 8601. A week belongs to the month and year of its Thursday, which makes every week
//! part of exactly one month. Nothing here knows what today is.

use std::fmt;
use std::ops::RangeInclusive;

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};
use serde::{Deserialize, Serialize, Serializer};

/// The three levels of the tree below ROOT.md, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// one day
    Daily,
    /// one ISO week
    Weekly,
    /// one calendar month
    Monthly,
}

impl Level {
    /// Every level, lowest first.
    pub const ALL: [Level; 3] = [Level::Daily, Level::Weekly, Level::Monthly];

    /// The most lines of source a node of this level takes over verbatim.
    pub fn threshold(self) -> u64 {
        match self {
            Level::Daily => 200,
            Level::Weekly => 300,
            Level::Monthly => 500,
        }
    }

    /// How many items the `topics` of a node's head hold at most.
    pub fn topic_limit(self) -> usize {
        match self {
            Level::Daily => 8,
            Level::Weekly => 15,
            Level::Monthly => 30,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Daily => "daily",
            Level::Weekly => "weekly",
            Level::Monthly => "monthly",
        })
    }
}

/// An ISO 8601 week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week {
    /// the ISO year, the year of the week's Thursday
    year: i32,
    /// 1 to 53
    number: u32,
}

impl Week {
    /// The week `number` of ISO year `year`, if that year has one.
    pub fn new(year: i32, number: u32) -> Option<Self> {
        NaiveDate::from_isoywd_opt(year, number, Weekday::Mon).map(|_| Self { year, number })
    }

    /// The week a day lies in.
    pub fn of(day: NaiveDate) -> Self {
        let week = day.iso_week();
        Self { year: week.year(), number: week.week() }
    }

    /// The day of this week that is called `weekday`.
    fn on(self, weekday: Weekday) -> NaiveDate {
        NaiveDate::from_isoywd_opt(self.year, self.number, weekday)
            .expect("a Week is only made from a year and number that exist")
    }

    /// Monday.
    pub fn first_day(self) -> NaiveDate {
        self.on(Weekday::Mon)
    }

    /// Sunday.
    pub fn last_day(self) -> NaiveDate {
        self.on(Weekday::Sun)
    }

    /// The month of its Thursday.
    pub fn month(self) -> Month {
        Month::of(self.on(Weekday::Thu))
    }
}

impl fmt::Display for Week {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_label(f, self.year, &[("-W", self.number)])
    }
}

/// A calendar month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    year: i32,
    /// 1 to 12
    month: u32,
}

impl Month {
    /// The month a day lies in.
    pub fn of(day: NaiveDate) -> Self {
        Self { year: day.year(), month: day.month() }
    }

    /// The first day of the month.
    pub fn first_day(self) -> NaiveDate {
        NaiveDate::from_ymd_opt(self.year, self.month, 1).expect("a Month is only made from a date")
    }

    /// The last day of the month.
    pub fn last_day(self) -> NaiveDate {
        self.first_day() + Months::new(1) - Days::new(1)
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_label(f, self.year, &[("-", self.month)])
    }
}

/// What a node covers. Ordered by level, then by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Period {
    /// one day
    Day(NaiveDate),
    /// one ISO week
    Week(Week),
    /// one month
    Month(Month),
}

impl Period {
    /// The level whose nodes cover such a period.
    pub fn level(self) -> Level {
        match self {
            Period::Day(_) => Level::Daily,
            Period::Week(_) => Level::Weekly,
            Period::Month(_) => Level::Monthly,
        }
    }

    /// Reads a label as [`fmt::Display`] writes it: `2026-03-15`, `2026-W11`, `2026-03`. Anything that
    /// is no calendar date, week or month of this level is `None`.
    pub fn parse(level: Level, label: &str) -> Option<Self> {
        let bytes = label.as_bytes();
        // Before the year 1 there is none whose label has four digits.
        let year = i32::try_from(digits(bytes.get(..4)?)?).ok().filter(|year| *year > 0)?;
        match (level, bytes.get(4..)?) {
            (Level::Daily, [b'-', m1, m2, b'-', d1, d2]) => {
                NaiveDate::from_ymd_opt(year, digits(&[*m1, *m2])?, digits(&[*d1, *d2])?)
                    .map(Period::Day)
            }
            (Level::Weekly, [b'-', b'W', w1, w2]) => {
                Week::new(year, digits(&[*w1, *w2])?).map(Period::Week)
            }
            (Level::Monthly, [b'-', m1, m2]) => {
                NaiveDate::from_ymd_opt(year, digits(&[*m1, *m2])?, 1)
                    .map(|day| Period::Month(Month::of(day)))
            }
            _ => None,
        }
    }

    /// Reads a label of any level.
    pub fn read(label: &str) -> Option<Self> {
        Level::ALL.into_iter().find_map(|level| Self::parse(level, label))
    }

    /// A small number that stands for the period, the same in every version: level and ordinal.
    pub fn key(self) -> (u8, i32) {
        match self {
            Period::Day(day) => (0, day.num_days_from_ce()),
            Period::Week(week) => (1, week.first_day().num_days_from_ce()),
            Period::Month(month) => (2, month.first_day().num_days_from_ce()),
        }
    }

    /// The period that has this [`Period::key`].
    pub(crate) fn of_key((level, first): (u8, i32)) -> Option<Self> {
        let first = NaiveDate::from_num_days_from_ce_opt(first)?;
        match level {
            0 => Some(Period::Day(first)),
            1 => Some(Period::Week(Week::of(first))),
            2 => Some(Period::Month(Month::of(first))),
            _ => None,
        }
    }

    /// The last of its days.
    pub(crate) fn last_day(self) -> NaiveDate {
        match self {
            Period::Day(day) => day,
            Period::Week(week) => week.last_day(),
            Period::Month(month) => month.last_day(),
        }
    }

    /// The period one level up that this one belongs to.
    pub fn parent(self) -> Option<Period> {
        match self {
            Period::Day(day) => Some(Period::Week(Week::of(day))),
            Period::Week(week) => Some(Period::Month(week.month())),
            Period::Month(_) => None,
        }
    }

    /// Whether this is `above`, or a part of it.
    pub fn lies_in(self, above: Period) -> bool {
        std::iter::successors(Some(self), |period| period.parent()).any(|period| period == above)
    }

    /// The calendar days of the period. A month's weeks may reach a few days beyond it.
    pub fn days(self) -> RangeInclusive<NaiveDate> {
        match self {
            Period::Day(day) => day..=day,
            Period::Week(week) => week.first_day()..=week.last_day(),
            Period::Month(month) => month.first_day()..=month.last_day(),
        }
    }

    /// The first date on which a node of this period may be fixed: a day's once the date has changed,
    /// a week's or month's seven full days after its last day.
    pub fn settles_on(self) -> NaiveDate {
        let grace = match self {
            Period::Day(_) => 1,
            Period::Week(_) | Period::Month(_) => 8,
        };
        *self.days().end() + Days::new(grace)
    }
}

impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether a name was meant as the label of a period, existing or not: `2027-W53`, `2026-13-45`, and the
/// npm tool's `NaN-WNaN`.
pub(crate) fn looks_like_a_label(name: &str) -> bool {
    let number = |part: &str| part == "NaN" || part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = name.split('-').map(|part| part.strip_prefix('W').unwrap_or(part));
    name.contains('-') && parts.all(|part| !part.is_empty() && number(part))
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Period::Day(day) => write_label(f, day.year(), &[("-", day.month()), ("-", day.day())]),
            Period::Week(week) => week.fmt(f),
            Period::Month(month) => month.fmt(f),
        }
    }
}

/// A year, and after each mark a number of two digits. In one piece: a run labels tens of thousands of periods.
fn write_label(f: &mut fmt::Formatter<'_>, year: i32, parts: &[(&str, u32)]) -> fmt::Result {
    let digit = |number: u32, place: u32| b'0' + (number / place % 10).to_le_bytes()[0];
    let Some(year) = u32::try_from(year).ok().filter(|year| *year < 10_000) else {
        write!(f, "{year:04}")?;
        return parts.iter().try_for_each(|(mark, number)| write!(f, "{mark}{number:02}"));
    };
    let year = [1000, 100, 10, 1].map(|place| digit(year, place));
    let parts = parts
        .iter()
        .flat_map(|(mark, number)| mark.bytes().chain([10, 1].map(|place| digit(*number, place))));
    let mut label = [0; 12];
    let mut length = 0;
    for (room, byte) in label.iter_mut().zip(year.into_iter().chain(parts)) {
        *room = byte;
        length += 1;
    }
    f.write_str(std::str::from_utf8(&label[..length]).unwrap_or_default())
}

fn digits(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn labels_round_trip_and_nonsense_is_refused() {
        for (level, label) in [
            (Level::Daily, "2026-02-28"),
            (Level::Weekly, "2026-W53"),
            (Level::Weekly, "2021-W01"),
            (Level::Monthly, "2024-12"),
        ] {
            assert_eq!(Period::parse(level, label).unwrap().to_string(), label);
        }
        let far = NaiveDate::from_ymd_opt(12_345, 6, 7).map(Period::Day);
        assert_eq!(far.unwrap().to_string(), "12345-06-07");
        for (level, label) in [
            (Level::Daily, "2026-02-29"),
            (Level::Daily, "2026-2-9"),
            (Level::Daily, "0000-01-01"),
            (Level::Daily, "2026-02-011"),
            (Level::Weekly, "2025-W53"),
            (Level::Weekly, "2025-W00"),
            (Level::Weekly, "NaN-WNaN"),
            (Level::Monthly, "2024-13"),
            (Level::Monthly, "２０２４-01"),
            (Level::Daily, ""),
        ] {
            assert_eq!(Period::parse(level, label), None, "{label}");
        }
    }

    #[test]
    fn weeks_agree_with_iso_8601_where_the_npm_tool_was_off() {
        for (date, week, month) in [
            ("2020-12-31", "2020-W53", "2020-12"),
            ("2021-01-03", "2020-W53", "2020-12"),
            ("2021-01-04", "2021-W01", "2021-01"),
            ("2021-12-31", "2021-W52", "2021-12"),
            ("2027-01-01", "2026-W53", "2026-12"),
            ("2027-01-04", "2027-W01", "2027-01"),
            ("2024-12-30", "2025-W01", "2025-01"),
            ("2026-04-30", "2026-W18", "2026-04"),
            ("2026-05-03", "2026-W18", "2026-04"),
        ] {
            let found = Week::of(day(date));
            assert_eq!((found.to_string(), found.month().to_string()), (week.into(), month.into()));
        }
    }

    #[test]
    fn a_node_settles_on_the_day_of_the_spec() {
        for (level, label, settles) in [
            (Level::Daily, "2026-03-15", "2026-03-16"),
            (Level::Weekly, "2026-W11", "2026-03-23"),
            (Level::Monthly, "2026-02", "2026-03-08"),
        ] {
            assert_eq!(Period::parse(level, label).unwrap().settles_on(), day(settles));
        }
    }
}
