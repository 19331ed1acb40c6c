//! The numbers of the ranking. Found by trying them on several corpora; what changed little stands at a round figure.

use super::voice::Voice;

/// See each field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    pub(super) user: f32,
    pub(super) agent: f32,
    pub(super) entry: f32,
    pub(super) note: f32,
    pub(super) code: f32,
    pub(super) window: f32,
    pub(super) title: f32,
    pub(super) k1: f32,
    pub(super) b: f32,
    pub(super) chunk_k1: f32,
    pub(super) section: f32,
    pub(super) chunk: f32,
    pub(super) second: f32,
    pub(super) third: f32,
    pub(super) near: f32,
    pub(super) cover: f32,
    pub(super) in_title: f32,
    pub(super) date: f32,
    pub(super) asked: f32,
    pub(super) same_day: f32,
}

fn get(name: &str, default: f32) -> f32 {
    #[allow(clippy::disallowed_methods)]
    std::env::var(format!("W_{name}")).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

impl Weights {
    pub(super) fn new() -> Self {
        Self {
            user: get("USER", 1.0),
            agent: get("AGENT", 0.4),
            entry: get("ENTRY", 1.0),
            note: get("NOTE", 1.0),
            code: get("CODE", 0.3),
            window: get("WINDOW", 0.4),
            title: get("TITLE", 2.0),
            k1: get("K1", 1.2),
            b: get("B", 0.75),
            chunk_k1: get("CK1", 1.2),
            section: get("SECTION", 1.0),
            chunk: get("CHUNK", 1.0),
            second: get("SECOND", 0.3),
            third: get("THIRD", 0.15),
            near: get("NEAR", 0.3),
            cover: get("COVER", 0.0),
            in_title: get("INTITLE", 0.0),
            date: get("DATE", 0.3),
            asked: get("ASKED", 0.0),
            same_day: get("SAMEDAY", 0.0),
        }
    }

    pub(super) fn of(&self, voice: Voice) -> f32 {
        match voice {
            Voice::User => self.user,
            Voice::Agent => self.agent,
            Voice::Entry => self.entry,
            Voice::Note => self.note,
            Voice::Nobody => 0.0,
        }
    }
}
