//! What of each node is passed on to whoever keeps an index of them.

use xxhash_rust::xxh3::Xxh3;

use super::{Planner, State};
use crate::memory::body::readable;
use crate::memory::frontmatter::Document;
use crate::memory::period::Period;

impl Planner<'_, '_> {
    /// Passes on what a period's node will say once the plan is carried out, unless it was read before. Of weeks and
    /// months only what a model or a person wrote.
    pub(super) fn show(&mut self, period: Period, state: &State) {
        let Some((body, _)) = state.body.filter(|_| self.index.is_some()) else { return };
        if !matches!(period, Period::Day(_)) && !self.is_foreign(period, state) {
            return;
        }
        // A node that nobody looked through under the rules in force is read anew when they change.
        let mut hasher = Xxh3::new();
        hasher.update(&body.to_le_bytes());
        hasher.update(&self.rules.rules_version.to_le_bytes());
        let hash = hasher.digest();
        let earlier = self.earlier.is_some_and(|earlier| earlier.knows(period, hash));
        let Some(index) = &mut self.index else { return };
        if index.meets(period, hash) || earlier {
            return;
        }
        let Some((text, named)) = self.text_of_node(period, state) else { return };
        if let Some(index) = &mut self.index {
            index.insert(period, hash, &text, &named);
        }
    }

    /// Whether somebody wrote the text of a node.
    fn is_foreign(&mut self, period: Period, state: &State) -> bool {
        if state.made.is_some() {
            return self.rules.given.contains_key(&period);
        }
        let facts = self.library.node_facts(period).ok().flatten();
        facts.is_some_and(|facts| !facts.is_as_written() && !facts.damaged)
    }

    /// The text of a node without its secrets, and the topics that its head names.
    fn text_of_node(&mut self, period: Period, state: &State) -> Option<(String, String)> {
        if let Some(made) = &state.made {
            return Some((made.readable().into_owned(), state.topics.clone()));
        }
        let bytes = self.library.node(period).ok()?;
        let document = Document::parse(&bytes);
        let named = document.value("topics").unwrap_or_default().into_owned();
        let body = document.body().to_vec();
        let body = if state.clean { body } else { (self.rules.redact)(body) };
        Some((readable(&body).into_owned(), named))
    }
}
