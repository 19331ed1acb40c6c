//! The words by which several languages name days, months and stretches of them.

use std::ops::RangeInclusive;

use chrono::{Datelike as _, Days, Months, NaiveDate, Weekday};

use crate::memory::period::{Month, Period, Week};

/// Relative expressions of several languages, longest first where one begins with another.
pub(super) const PHRASES: [(&str, Span); 75] = [
    ("the day before yesterday", Span::Day(2)),
    ("day before yesterday", Span::Day(2)),
    ("yesterday", Span::Day(1)),
    ("last night", Span::Day(1)),
    ("today", Span::Day(0)),
    ("this morning", Span::Day(0)),
    ("this afternoon", Span::Day(0)),
    ("tonight", Span::Day(0)),
    ("this week", Span::Week(0)),
    ("last week", Span::Week(1)),
    ("previous week", Span::Week(1)),
    ("past week", Span::Last(7)),
    ("this month", Span::Month(0)),
    ("last month", Span::Month(1)),
    ("previous month", Span::Month(1)),
    ("past month", Span::Last(31)),
    ("this year", Span::Year(0)),
    ("last year", Span::Year(1)),
    ("past year", Span::Last(365)),
    ("recently", Span::Last(14)),
    ("lately", Span::Last(14)),
    ("그저께", Span::Day(2)),
    ("그제", Span::Day(2)),
    ("어제", Span::Day(1)),
    ("오늘", Span::Day(0)),
    ("지난주", Span::Week(1)),
    ("지난 주", Span::Week(1)),
    ("이번 주", Span::Week(0)),
    ("이번주", Span::Week(0)),
    ("지난달", Span::Month(1)),
    ("지난 달", Span::Month(1)),
    ("이번 달", Span::Month(0)),
    ("이번달", Span::Month(0)),
    ("작년", Span::Year(1)),
    ("지난해", Span::Year(1)),
    ("올해", Span::Year(0)),
    ("최근", Span::Last(14)),
    ("一昨日", Span::Day(2)),
    ("昨日", Span::Day(1)),
    ("今日", Span::Day(0)),
    ("先週", Span::Week(1)),
    ("今週", Span::Week(0)),
    ("先月", Span::Month(1)),
    ("今月", Span::Month(0)),
    ("昨年", Span::Year(1)),
    ("去年", Span::Year(1)),
    ("今年", Span::Year(0)),
    ("前天", Span::Day(2)),
    ("昨天", Span::Day(1)),
    ("今天", Span::Day(0)),
    ("上周", Span::Week(1)),
    ("上个月", Span::Month(1)),
    ("这个月", Span::Month(0)),
    ("本周", Span::Week(0)),
    ("vorgestern", Span::Day(2)),
    ("gestern", Span::Day(1)),
    ("heute", Span::Day(0)),
    ("letzte woche", Span::Week(1)),
    ("diese woche", Span::Week(0)),
    ("letzten monat", Span::Month(1)),
    ("letztes jahr", Span::Year(1)),
    ("позавчера", Span::Day(2)),
    ("вчера", Span::Day(1)),
    ("сегодня", Span::Day(0)),
    ("на прошлой неделе", Span::Week(1)),
    ("на этой неделе", Span::Week(0)),
    ("в прошлом месяце", Span::Month(1)),
    ("в прошлом году", Span::Year(1)),
    ("avant-hier", Span::Day(2)),
    ("hier", Span::Day(1)),
    ("aujourd'hui", Span::Day(0)),
    ("la semaine dernière", Span::Week(1)),
    ("le mois dernier", Span::Month(1)),
    ("ayer", Span::Day(1)),
    ("la semana pasada", Span::Week(1)),
];

/// The names of the months, by the beginnings that tell them in English, German, French, Spanish, Italian and Russian.
pub(super) const MONTHS: [&str; 12] = [
    "january jan januar janvier enero gennaio январь января январе",
    "february feb februar février febrero febbraio февраль февраля феврале",
    "march mar märz mars marzo март марта марте",
    "april apr avril abril aprile апрель апреля апреле",
    "may mai mayo maggio май мая мае",
    "june jun juni juin junio giugno июнь июня июне",
    "july jul juli juillet julio luglio июль июля июле",
    "august aug août agosto август августа августе",
    "september sep sept septembre septiembre settembre сентябрь сентября сентябре",
    "october oct oktober octobre octubre ottobre октябрь октября октябре",
    "november nov novembre noviembre ноябрь ноября ноябре",
    "december dec dezember décembre diciembre dicembre декабрь декабря декабре",
];

pub(super) const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Mon),
    ("tuesday", Weekday::Tue),
    ("wednesday", Weekday::Wed),
    ("thursday", Weekday::Thu),
    ("friday", Weekday::Fri),
    ("saturday", Weekday::Sat),
    ("sunday", Weekday::Sun),
];

/// A stretch of days, seen from today.
#[derive(Debug, Clone, Copy)]
pub(super) enum Span {
    Day(u64),
    Week(u64),
    Month(u32),
    Year(i32),
    /// the last so many days
    Last(u64),
}

impl Span {
    /// Its days, seen from today.
    pub(super) fn days(self, today: NaiveDate) -> Option<RangeInclusive<NaiveDate>> {
        Some(match self {
            Span::Day(ago) => {
                let day = today.checked_sub_days(Days::new(ago))?;
                day..=day
            }
            Span::Week(ago) => {
                let day = today.checked_sub_days(Days::new(7 * ago))?;
                Period::Week(Week::of(day)).days()
            }
            Span::Month(ago) => {
                let day = today.checked_sub_months(Months::new(ago))?;
                Period::Month(Month::of(day)).days()
            }
            Span::Year(ago) => year(today.year() - ago)?,
            Span::Last(days) => today.checked_sub_days(Days::new(days))?..=today,
        })
    }
}

/// All days of a year.
pub(super) fn year(year: i32) -> Option<RangeInclusive<NaiveDate>> {
    Some(NaiveDate::from_ymd_opt(year, 1, 1)?..=NaiveDate::from_ymd_opt(year, 12, 31)?)
}
