//! The body the machine writes: the sources as they are, or the digest of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::sources::Sources;
use super::{Planner, State};
use crate::memory::digest::digest;
use crate::memory::entry::Kind;
use crate::memory::period::Period;
use crate::text::lossy;

/// A body and what its head says of the topics.
pub(super) struct Composed {
    pub(super) body: Vec<u8>,
    pub(super) topics: String,
    /// whether it stands for more lines than it has
    pub(super) extract: bool,
}

/// The most bytes that the line above a body takes, and the line end below it.
const HEADING: usize = 24;

/// The nodes below, for a week or month; nothing for a day.
pub(super) type Lower<'a> = Option<&'a BTreeMap<Period, State>>;

impl Planner<'_, '_> {
    /// What the machine writes for a period from its sources now.
    pub(super) fn compose(
        &mut self,
        period: Period,
        sources: &Sources,
        lower: Lower<'_>,
    ) -> Result<Composed, String> {
        if let Some(kept) = self.kept_in(period)? {
            return self.compose_below(kept, period, lower);
        }
        let level = period.level();
        let (whole, parts) = match lower {
            None => ((self.rules.redact)(self.text_of_day(period)?), Vec::new()),
            Some(lower) => self.put_together(lower)?,
        };
        let verbatim = sources.lines <= level.threshold();
        let text = lossy(&whole);
        if let Period::Day(date) = period {
            (self.rules.see)(date, sources.hash, &text);
        }
        let topics: Vec<_> = self.topics.of(&text, level.topic_limit());
        let topics = in_one_line(&topics);
        let body = if verbatim {
            drop(text);
            whole
        } else if parts.is_empty() {
            (self.rules.redact)(digest(level, [&*text]).into_bytes())
        } else {
            let texts: Vec<_> = parts
                .iter()
                .map(|part| match &text {
                    Cow::Borrowed(text) => Cow::Borrowed(text.get(part.clone()).unwrap_or("")),
                    Cow::Owned(_) => lossy(&whole[part.clone()]),
                })
                .collect();
            (self.rules.redact)(digest(level, texts.iter().map(|text| &**text)).into_bytes())
        };
        Ok(Composed { body, topics, extract: !verbatim })
    }

    /// The bodies of the lower nodes, each under its period, and where in this text each of them stands.
    pub(super) fn put_together(
        &mut self,
        lower: &BTreeMap<Period, State>,
    ) -> Result<(Vec<u8>, Vec<Range<usize>>), String> {
        let mut whole = Vec::new();
        let mut parts = Vec::new();
        let mut bodies = Vec::with_capacity(lower.len());
        for (period, state) in lower.iter().filter(|(_, state)| state.body.is_some()) {
            let mut body = self.body_of(*period, state)?;
            // What went through the rules once has nothing more to give, alone or beside another day.
            if !state.clean {
                body = (self.rules.redact)(body.to_vec()).into();
            }
            bodies.push((period, body));
        }
        whole.reserve_exact(bodies.iter().map(|(_, body)| body.len() + HEADING).sum());
        for (period, body) in bodies {
            if !whole.is_empty() {
                whole.push(b'\n');
            }
            whole.extend_from_slice(format!("# {period}\n\n").as_bytes());
            parts.push(whole.len()..whole.len() + body.len());
            whole.extend_from_slice(&body);
            if !whole.ends_with(b"\n") {
                whole.push(b'\n');
            }
        }
        Ok((whole, parts))
    }
}

/// `auth [project], timezone [user]`
pub(super) fn in_one_line(topics: &[(String, Kind)]) -> String {
    let mut line = String::with_capacity(topics.len() * 32);
    for (index, (topic, kind)) in topics.iter().enumerate() {
        let parts = [if index > 0 { ", " } else { "" }, topic, " [", kind.word(), "]"];
        line.extend(parts);
    }
    line
}
