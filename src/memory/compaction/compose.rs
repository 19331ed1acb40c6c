//! The body the program writes: the sources as they are, or the extract of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::ops::Range;

use super::sources::NodeTarget;
use super::{Planner, State};
use crate::meaning::extract::extract;
use crate::meaning::head::{head_topics, in_one_line};
use crate::memory::body::{self, Body, readable};
use crate::memory::period::Period;

/// A body and what its head says of the topics.
pub(super) struct Composed {
    pub(super) body: Body,
    pub(super) topics: String,
    /// whether it stands for more lines than it has
    pub(super) extract: bool,
}

/// Where the body of each lower node is in a text.
type Parts = Vec<(Period, Range<usize>)>;

/// The most bytes that the line above a body takes, and the line end below it.
const HEADING: usize = 24;

impl Planner<'_, '_> {
    /// What the program writes for a period from its sources now.
    pub(super) fn compose(&mut self, node: NodeTarget<'_>) -> io::Result<Composed> {
        let NodeTarget { period, sources, lower } = node;
        if let Some(kept) = self.kept_in(period)? {
            return self.compose_below(kept, node);
        }
        let level = period.level();
        let verbatim = sources.lines <= level.threshold();
        if let Some(lower) = lower.filter(|lower| verbatim && self.is_large(lower)) {
            let body = self.carry(lower)?;
            let topics = in_one_line(&head_topics(&body.readable(), level.topic_limit()));
            return Ok(Composed { body, topics, extract: false });
        }
        let (whole, parts) = match lower {
            None => ((self.rules.redact)(self.text_of_day(period)?), Vec::new()),
            Some(lower) => self.put_together(lower)?,
        };
        let text = readable(&whole);
        let topics = in_one_line(&head_topics(&text, level.topic_limit()));
        let body = if verbatim {
            drop(text);
            whole
        } else if parts.is_empty() {
            (self.rules.redact)(extract(level, [(period, &*text)]).into_bytes())
        } else {
            // What can be read as it stands is not looked through again; its parts begin and end with lines.
            let read = |part: &Range<usize>| match &text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[part.clone()]),
                Cow::Owned(_) => readable(&whole[part.clone()]),
            };
            let texts: Vec<_> = parts.iter().map(|(period, part)| (*period, read(part))).collect();
            let texts = texts.iter().map(|(period, text)| (*period, &**text));
            (self.rules.redact)(extract(level, texts).into_bytes())
        };
        Ok(Composed { body: body.into(), topics, extract: !verbatim })
    }

    /// Whether the nodes below are too large to have a copy of them in each node above.
    fn is_large(&self, lower: &BTreeMap<Period, State>) -> bool {
        let size = |(period, state): (&Period, &State)| match &state.made {
            Some(made) => made.len() as u64,
            None => self.library.listing.nodes.get(period).map_or(0, |stamp| stamp.size),
        };
        lower.iter().map(size).sum::<u64>() > body::SHARED as u64
    }

    /// What [`put_together`](Self::put_together) gives, without a copy of what this run has made.
    fn carry(&mut self, lower: &BTreeMap<Period, State>) -> io::Result<Body> {
        let mut whole = Body::default();
        for (period, body) in self.bodies(lower)? {
            let apart = if whole.parts().is_empty() { "" } else { "\n" };
            whole.push(format!("{apart}# {period}\n\n").as_bytes());
            whole.carry(&body);
            if !whole.ends_in_newline() {
                whole.push(b"\n");
            }
        }
        Ok(whole)
    }

    fn bodies(&mut self, lower: &BTreeMap<Period, State>) -> io::Result<Vec<(Period, Body)>> {
        let mut bodies = Vec::with_capacity(lower.len());
        for (period, state) in lower.iter().filter(|(_, state)| state.body.is_some()) {
            let mut body = self.body_of(*period, state)?;
            // What went through the rules once has nothing more to give, alone or beside another day.
            if !state.clean {
                body = (self.rules.redact)(body.whole().to_vec()).into();
            }
            bodies.push((*period, body));
        }
        Ok(bodies)
    }

    /// The bodies of the lower nodes, each under its period, and where in this text each of them stands.
    pub(super) fn put_together(
        &mut self,
        lower: &BTreeMap<Period, State>,
    ) -> io::Result<(Vec<u8>, Parts)> {
        let mut whole = Vec::new();
        let mut parts = Vec::new();
        let bodies = self.bodies(lower)?;
        whole.reserve_exact(bodies.iter().map(|(_, body)| body.len() + HEADING).sum());
        for (period, body) in bodies {
            if !whole.is_empty() {
                whole.push(b'\n');
            }
            let _ = write!(whole, "# {period}\n\n");
            parts.push((period, whole.len()..whole.len() + body.len()));
            body.parts().iter().for_each(|part| whole.extend_from_slice(part));
            if !whole.ends_with(b"\n") {
                whole.push(b'\n');
            }
        }
        Ok((whole, parts))
    }
}
