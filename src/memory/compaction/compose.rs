//! The body the machine writes: the sources as they are, or the digest of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::sources::Sources;
use super::{Planner, State};
use crate::memory::digest::digest;
use crate::memory::period::Period;
use crate::text::lossy;

/// A body and what its head says of the topics.
pub(super) struct Composed {
    pub(super) body: Vec<u8>,
    pub(super) topics: String,
}

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
        let level = period.level();
        let (whole, parts) = match lower {
            None => {
                let text = (self.rules.redact)(self.text_of_day(period)?);
                if let Period::Day(date) = period {
                    (self.rules.see)(date, sources.hash, &text);
                }
                (text, Vec::new())
            }
            Some(lower) => self.put_together(lower)?,
        };
        let verbatim = sources.lines <= level.threshold();
        let text = lossy(&whole);
        let topics: Vec<_> = self.topics.of(&text, level.topic_limit());
        let topics: Vec<_> =
            topics.into_iter().map(|(topic, kind)| format!("{topic} [{kind}]")).collect();
        let topics = topics.join(", ");
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
        Ok(Composed { body, topics })
    }

    /// The bodies of the lower nodes, each under its period, and where in this text each of them stands.
    fn put_together(
        &mut self,
        lower: &BTreeMap<Period, State>,
    ) -> Result<(Vec<u8>, Vec<Range<usize>>), String> {
        let mut whole = Vec::new();
        let mut parts = Vec::new();
        for (period, state) in lower.iter().filter(|(_, state)| state.body.is_some()) {
            let mut body = self.body_of(*period, state)?;
            // What went through the rules once has nothing more to give, alone or beside another day.
            if !state.clean {
                body = (self.rules.redact)(body.to_vec()).into();
            }
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
