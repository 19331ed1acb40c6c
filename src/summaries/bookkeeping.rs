//! The books of summaries: who works on what, in `.compaction-state.json`, and what was spent, in the record of tokens.

use super::claim::{self, Claim};
use super::spend;
use super::store::SummaryStore;
use crate::disk::{self, Held, Write};
use crate::error::Problem;
use crate::layout;
use crate::state::CompactionState;
use crate::text::{json_lines, moment};

impl SummaryStore<'_> {
    /// The state file; a new one where there is none. Fails when it cannot be read, or holds something else.
    pub(crate) fn state(&self) -> Result<CompactionState, Problem> {
        let bytes = self.memory.file(layout::STATE)?;
        let parsed = bytes.map_or(Ok(None), |bytes| CompactionState::parse(&bytes));
        let state = parsed.map_err(|what| {
            let path = self.memory.folder().path().join(layout::STATE);
            Problem::new(format!("`{}`: {what}", path.display()))
                .hint("repair or delete it; nothing was changed")
        })?;
        Ok(state.unwrap_or_default())
    }

    /// Writes the state file. Needs the lock.
    pub(crate) fn keep_state(&self, _alone: &Held, state: &CompactionState) -> Result<(), Problem> {
        let written = self.memory.folder().replace(layout::STATE, &state.to_bytes(), Write::KEPT);
        written.map(|_| ()).map_err(|error| self.memory.failed("write", layout::STATE, error))
    }

    /// The claims that hold.
    pub(crate) fn claims(&self) -> Result<Vec<Claim>, Problem> {
        Ok(claim::all(&self.state()?, self.now(), &disk::is_gone))
    }

    /// Claims nodes, and notes down that the work begins, if it does.
    pub(crate) fn claim(
        &self,
        alone: &Held,
        nodes: &[(String, Option<u64>)],
        by: &str,
        begins: bool,
    ) -> Result<(), Problem> {
        let mut state = self.state()?;
        let now = self.now();
        for (node, read) in nodes {
            let others = claim::all(&state, now, &disk::is_gone);
            let claim = Claim { node: node.clone(), by: by.to_owned(), at: now, read: *read };
            claim::put(&mut state, others, claim);
        }
        if begins {
            state.begin(&moment(now));
        }
        self.keep_state(alone, &state)
    }

    /// Lets go of a node. Of one that somebody else has claimed meanwhile, nothing.
    pub(crate) fn release(
        &self,
        alone: &Held,
        node: &str,
        by: Option<&str>,
    ) -> Result<(), Problem> {
        let is_other = |claim: &Claim| claim.node != node || by.is_some_and(|by| by != claim.by);
        self.keep_claims(alone, is_other)
    }

    /// Takes claims off the books that hold no more: their run is gone, or their time is up.
    pub(crate) fn tidy_claims(&self, alone: &Held) -> Result<(), Problem> {
        self.keep_claims(alone, |_| true)
    }

    /// Takes those claims off the books that are not `kept`, or hold no more.
    fn keep_claims(&self, alone: &Held, kept: impl Fn(&Claim) -> bool) -> Result<(), Problem> {
        let mut state = self.state()?;
        let mut claims = claim::all(&state, self.now(), &disk::is_gone);
        claims.retain(kept);
        if claims.len() == state.claims().len() {
            return Ok(());
        }
        claim::keep(&mut state, &claims);
        self.keep_state(alone, &state)
    }

    /// What summaries have cost. Fails when it cannot be read: what cannot be counted is not spent.
    pub(crate) fn spending(&self) -> Result<Vec<spend::SpendingLine>, Problem> {
        Ok(json_lines(&self.memory.file(layout::TOKENS)?.unwrap_or_default()))
    }

    /// Adds a line to the record of what summaries cost. Needs the lock.
    pub(crate) fn note(&self, _alone: &Held, line: &spend::SpendingLine) -> Result<(), Problem> {
        let folder = self.memory.folder();
        let failed = |error| self.memory.failed("write", layout::TOKENS, error);
        let old = folder.read_if_there(layout::TOKENS).map_err(failed)?;
        let old = old.map(|(bytes, _)| bytes).unwrap_or_default();
        if old.len() as u64 > spend::LARGE {
            let mut kept = spend::recent(&old, self.today());
            kept.extend(line.bytes());
            return folder.replace(layout::TOKENS, &kept, Write::KEPT).map(|_| ()).map_err(failed);
        }
        // What a crash cut short is a line of its own.
        let mut bytes =
            if old.is_empty() || old.ends_with(b"\n") { Vec::new() } else { vec![b'\n'] };
        bytes.extend(line.bytes());
        folder.append(layout::TOKENS, &bytes, Write::KEPT).map_err(failed)
    }
}
