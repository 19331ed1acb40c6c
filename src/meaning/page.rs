//! ROOT.md: what is known and where, in every session.
//!
//! A function of the facts, today's date and the page that is there. The program's own page is written anew by
//! [`draft`]; one that a model or a person wrote is kept current by [`kept`]. `spec/root.md` says what is where.

mod draft;
pub(crate) mod kept;
pub(crate) mod line;
pub(crate) mod mirror;
pub(crate) mod owner;
pub(crate) mod topics;

use chrono::NaiveDate;
use serde::Serialize;

use crate::meaning::facts::FactCache;
use crate::meaning::facts::topic_names::fold;
use crate::memory::frontmatter::Document;
use crate::memory::period::Period;
use crate::memory::tokens::{Cost, cost, count};
use crate::text::counted;

use owner::{PageOwner, written};

/// The hash of a body may take so many tokens more than that of an empty one.
const HASH: u32 = 8;

/// ROOT.md as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootPlan {
    /// the whole file
    pub bytes: Vec<u8>,
    /// what the user should know, without the name of the file
    pub notes: Vec<String>,
    /// what is in it
    pub standing: PageContents,
    pub(crate) owner: PageOwner,
}

impl RootPlan {
    /// Whether a model or a person wrote it.
    pub fn is_kept(&self) -> bool {
        self.owner != PageOwner::Program
    }
}

/// What is in ROOT.md and what is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PageContents {
    /// topics that are on some line
    pub shown: usize,
    /// topics that are on none
    pub not_shown: usize,
    /// tokens over the cap
    pub over: u32,
    /// of somebody else's page: user and feedback topics that are on no line
    pub rules_not_shown: usize,
    /// of somebody else's page: lines that the program added
    pub lines_added: usize,
}

/// What ROOT.md should be on `today`, given what it is now and what the nodes say. Running it again on its own result
/// changes nothing.
pub fn plan_root(
    existing: Option<&[u8]>,
    facts: &FactCache,
    today: NaiveDate,
    cap: u32,
) -> RootPlan {
    let existing = existing.unwrap_or_default();
    let side = owner::side_to_keep(existing, |line| names_topic(line, facts, today));
    let existing = side.as_ref().map_or(existing, String::as_bytes);
    let drafted = |day: NaiveDate| {
        let head =
            cost(&String::from_utf8_lossy(&written(existing, "", PageOwner::Program, day, "")));
        draft::draft(facts, day, Cost::tokens(cap) - head - Cost::tokens(HASH))
    };
    let mut owner = owner::owner(existing);
    if owner == PageOwner::Person(None) && is_torn(existing, |day| drafted(day).body) {
        owner = PageOwner::Program;
    }
    match owner {
        PageOwner::Program => {
            let draft = drafted(today);
            let bytes = written(existing, &draft.body, owner, today, "");
            let over = over(&bytes, cap);
            let what = "the names of user and feedback topics alone are";
            let (shown, not_shown) = (draft.shown, draft.not_shown);
            let standing = PageContents { shown, not_shown, over, ..PageContents::default() };
            RootPlan { bytes, notes: note_of(over, what, cap), standing, owner }
        }
        _ => kept::plan(existing, owner, facts, today, cap),
    }
}

/// Whether a line begins with a topic of the memory or with a month, as those of the program do.
fn names_topic(line: &str, facts: &FactCache, today: NaiveDate) -> bool {
    let said = line.trim_start_matches("- ");
    let end = [" [", ": ", " →"].iter().filter_map(|mark| said.find(mark)).min();
    let name = said[..end.unwrap_or(said.len())].trim_end_matches('…');
    matches!(Period::read(name), Some(Period::Month(_)))
        || topics::topics(facts, today)
            .iter()
            .any(|topic| fold(topic.name).starts_with(&fold(name)))
}

/// Whether a page is the beginning of what the program wrote on the day that its head tells.
fn is_torn(existing: &[u8], drafted: impl Fn(NaiveDate) -> String) -> bool {
    let document = Document::parse(existing);
    let programs =
        document.value("fingerprint").is_some_and(|value| !value.starts_with(['m', 'p']));
    let day = document.value("last-updated").and_then(|day| day.parse().ok());
    programs && day.is_some_and(|day| drafted(day).as_bytes().starts_with(document.body()))
}

fn over(file: &[u8], cap: u32) -> u32 {
    count(&String::from_utf8_lossy(file)).saturating_sub(cap)
}

fn note_of(over: u32, what: &str, cap: u32) -> Vec<String> {
    let text =
        || format!("{what} {} over `compaction.rootMaxTokens` ({cap})", counted(over, "token"));
    (over > 0).then(text).into_iter().collect()
}
