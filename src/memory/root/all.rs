//! Every topic of the memory, for `hipocampus topics`.

use chrono::NaiveDate;
use serde::{Serialize, Serializer};

use super::facts::RootCache;
use super::lines::is_doubtful;
use super::subjects::Subjects;
use crate::memory::entry::EntryType;

/// One topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct TopicRow {
    /// its newest spelling
    pub topic: String,
    /// its newest type
    #[serde(rename = "type")]
    pub kind: EntryType,
    /// days since a log mentioned it last
    pub age: u32,
    /// how many entries are about it
    pub entries: u32,
    /// the days of these, newest first
    #[serde(serialize_with = "as_dates")]
    pub days: Vec<NaiveDate>,
    /// it says that it is finished
    pub done: bool,
    /// a project topic that is finished or has not come up for 90 days: it stands in the Historical Summary only
    pub history: bool,
    /// a reference nobody has mentioned for 30 days
    pub doubtful: bool,
    /// up to three of its best words
    pub keywords: Vec<String>,
}

fn as_dates<S: Serializer>(days: &[NaiveDate], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(days.iter().map(NaiveDate::to_string))
}

/// All topics, the latest first.
pub(crate) fn all_topics(cache: &RootCache, today: NaiveDate) -> Vec<TopicRow> {
    let subjects = Subjects::new(cache, today);
    let rows = subjects.topics.iter().enumerate().map(|(at, topic)| {
        let mut days: Vec<NaiveDate> = subjects.of_topic(topic).map(|entry| entry.day).collect();
        days.dedup();
        let words = subjects.keywords(&subjects.entries[topic.newest], 3);
        TopicRow {
            topic: subjects.name(at).to_owned(),
            kind: topic.kind,
            age: topic.age,
            entries: topic.entries,
            days,
            done: topic.done,
            history: topic.is_history(),
            doubtful: is_doubtful(topic.kind, topic.age),
            keywords: words.iter().map(|word| subjects.word(word).to_owned()).collect(),
        }
    });
    rows.collect()
}
