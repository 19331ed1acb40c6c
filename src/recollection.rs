//! Brings together what [`crate::recall`] needs: facts from the cache, nodes that have sessions, and what is known already.

use std::collections::HashMap;

use chrono::NaiveDate;

use crate::disk::Memory;
use crate::layout;
use crate::meaning::facts::{FactCache, FactOrigin};
use crate::memory::frontmatter::Document;
use crate::memory::period::{Level, Period};
use crate::memory::snapshot::MemoryReader as _;
use crate::memory::tokens::{Cost, cost};
use crate::recall::choose::{AlreadyTold, Chosen, choose};
use crate::recall::known::{Known, SpokenWords};
use crate::recall::scale::Scale;
use crate::recall::user::{self, OfProject, Rules};
use crate::recall::{Found, after, ends, facts, prompt};
use crate::refresh::index;
use crate::search::{Query, SearchedText, Searcher};
use crate::text::lossy;
use crate::user_memory::UserMemory;

/// So many sessions are looked at for how they ended.
const SESSIONS: usize = 8;
/// What only an extract says has to have a name of the prompt or so many of its words. Of 116 texts that a judge read
/// beside their prompts, 55 were on the subject, and 25 of the 34 that this keeps.
const SURE: u32 = 6;
/// The newest facts whose texts show the languages of a memory.
const SAMPLES: usize = 60;

/// Logs that are looked through for a session, the latest ones.
const LOGS: usize = 10;

/// What a session said so far that a compaction may lose, from its blocks in the logs.
pub(crate) fn of_session(memory: &Memory, session: &str) -> Vec<String> {
    let Ok(names) = memory.names() else { return Vec::new() };
    let listing = names.sort();
    let files = listing.logs.values().rev().flat_map(|files| files.iter()).take(LOGS);
    let logs = files.filter_map(|file| {
        let (bytes, _) = memory.folder().read(&file.name).ok()?;
        memchr::memmem::find(&bytes, session.as_bytes())?;
        Some(lossy(&bytes).into_owned())
    });
    after::lines(&logs.collect::<Vec<_>>(), session)
}

/// What is asked, and by whom.
pub(crate) struct Ask<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) today: NaiveDate,
    pub(crate) budget: Cost,
    /// the session that asks, as the markers of blocks have it
    pub(crate) session: Option<&'a str>,
    /// what was told before, see [`crate::recall::choose::name`]
    pub(crate) before: &'a [u64],
    /// ROOT.md, which the session has
    pub(crate) page: &'a str,
}

/// What is told of the memory at a prompt. Nothing where it asks for nothing, or nothing is about it.
pub(crate) fn recall<S: AsRef<str>>(
    memory: &Memory,
    cache: &FactCache<S>,
    ask: &Ask<'_>,
) -> Chosen {
    let Some(asked) = prompt::asked(ask.prompt) else { return Chosen::default() };
    let query = Query::of_prompt(&asked, &[&sample(cache)], ask.today);
    if !prompt::says_enough(&query) {
        return Chosen::default();
    }
    let (stated, texts) = facts::all(cache, &query);
    let scale = Scale::new(&query, &texts);
    let mut found = facts::about(&stated, &query, &scale);
    let ends = how_sessions_ended(memory, cache, &query, &scale);
    // How a session ended says more than what its extract marks.
    let is_of = |fact: &Found| ends.iter().any(|end| ends::is_told(end, fact));
    found.retain(|fact| fact.from != "extract" || !is_of(fact));
    let untold: Vec<Found> =
        ends.into_iter().filter(|end| !found.iter().any(|fact| ends::is_told(end, fact))).collect();
    found.extend(untold);
    // Where nobody wrote down what a session was about, a few words do not tell.
    let (named, own) = (query.bits_of_names(), query.bits_of_words());
    let is_sure = |it: &Found| {
        let says = query.terms_in(&format!("{} {}", it.topic, it.shown));
        says & named != 0 || (says & own).count_ones() >= SURE
    };
    found.retain(|it| it.from != "extract" || is_sure(it));
    support(&mut found);
    let mut known = Known::default();
    known.add_lines(ask.page);
    // What a prompt says itself, as one that a template begins does at length, need not be told.
    known.add(ask.prompt);
    let mut logs: HashMap<NaiveDate, Option<SpokenWords>> = HashMap::new();
    let mut is_own = |found: &Found| {
        let Some(session) = ask.session else { return false };
        let spoken = logs.entry(found.day).or_insert_with(|| {
            let log = memory.folder().read(&layout::log_name(found.day)).ok()?.0;
            memchr::memmem::find(&log, session.as_bytes())?;
            Some(SpokenWords::of(&lossy(&log), session))
        });
        spoken.as_ref().is_some_and(|spoken| spoken.is_own(&found.text))
    };
    let said = AlreadyTold { known, before: ask.before, is_own: &mut is_own };
    choose(found, said, ask.budget, &query, &scale)
}

/// What is told of the user's own memory at a prompt, in the room that is left: nothing that the project has a rule about.
pub(crate) fn of_user(
    own: Option<UserMemory>,
    project: &Memory,
    ask: &Ask<'_>,
    chosen: &Chosen,
) -> Rules {
    let Some(own) = own else { return Rules::default() };
    let told: Cost = chosen.lines.iter().map(|line| cost(line) + Cost::tokens(1)).sum();
    let budget = ask.budget - told - cost(user::AT_PROMPT);
    let before = [ask.before, &chosen.names].concat();
    let ask = Ask { budget, session: None, before: &before, ..*ask };
    let found = recall(&own.memory, &index::open(&own.memory, false), &ask);
    user::at_prompt(&found, &OfProject::of(&index::open(project, false), ask.today))
}

/// A day on which several things were said about a prompt is one on which it was the subject.
fn support(found: &mut [Found]) {
    /// So many of the best are counted.
    const BEST: usize = 12;
    /// What each other one of the same day adds, and how many do.
    const EACH: f32 = 0.15;
    const OTHERS: usize = 2;
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.day.cmp(&a.day)));
    let best: Vec<NaiveDate> = found.iter().take(BEST).map(|it| it.day).collect();
    for it in found.iter_mut().take(BEST) {
        let others = best.iter().filter(|day| **day == it.day).count() - 1;
        #[expect(clippy::cast_precision_loss, reason = "one or two")]
        let more = 1.0 + EACH * others.min(OTHERS) as f32;
        it.score *= more;
    }
}

/// What the newest facts say, which shows the languages of a memory.
fn sample<S: AsRef<str>>(cache: &FactCache<S>) -> String {
    let newest = cache.of_level(Level::Daily).rev().flat_map(|(_, subjects)| subjects);
    let texts = newest.flat_map(|subject| {
        let texts = subject.facts.iter().map(|fact| fact.text.as_ref());
        std::iter::once(subject.topic.as_ref()).chain(texts)
    });
    texts.take(SAMPLES).collect::<Vec<&str>>().join("\n")
}

/// How the sessions ended that a search of the nodes finds which have some.
fn how_sessions_ended<S>(
    memory: &Memory,
    cache: &FactCache<S>,
    query: &Query,
    scale: &Scale,
) -> Vec<Found> {
    let has_session = |(_, subjects): &(Period, &[crate::meaning::facts::Subject<S>])| {
        subjects.iter().any(|subject| subject.origin == FactOrigin::Session)
    };
    let mut search = Searcher::new(query, None, None, None);
    let mut bodies: HashMap<String, String> = HashMap::new();
    for (period, _) in cache.of_level(Level::Daily).filter(has_session) {
        let Ok((bytes, _)) = memory.node(period) else { continue };
        let body = lossy(Document::parse(&bytes).body()).into_owned();
        let path = layout::node_path(period);
        let date = *period.days().start();
        search.add(SearchedText { project: None, path: path.clone(), date, is_log: false }, &body);
        bodies.insert(path, body);
    }
    if bodies.is_empty() {
        return Vec::new();
    }
    let answer =
        search.finish(SESSIONS, Cost::tokens(1), &mut |source| bodies.get(&source.path).cloned());
    let sources = search.into_sources();
    let mut found: Vec<Found> = Vec::new();
    for place in answer.places {
        let source = &sources[place.source];
        let Some(body) = bodies.get(&source.path) else { continue };
        let end = ends::end(body, place.line, source.date, query, scale);
        found.extend(end.filter(|end| found.iter().all(|it| it.text != end.text)));
    }
    found
}
