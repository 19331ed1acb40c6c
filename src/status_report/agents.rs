//! The clients of a project: whether they call, and what to do in each.

use serde::Serialize;

use crate::hooks::fired::{self, Fired};
use crate::platform::{ALL, OTHERS};
use crate::project::Project;
use crate::setup::health::{ClientHealth, Freshness, Health};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Agent {
    pub(crate) platform: &'static str,
    pub(crate) last: Option<Fired>,
    /// whether what `init` put in place for it is there as this version writes it; `None` where that was not looked at
    pub(crate) in_place: Option<bool>,
    /// what to do in it
    pub(crate) advice: Option<String>,
}

/// The configured clients, and others that called.
pub(crate) fn of(project: &Project, health: Option<&Health>, fired: &[Fired]) -> Vec<Agent> {
    let configured = project.config.platforms();
    let called = |id: &str| fired.iter().any(|fired| fired.client == Some(id));
    let others = OTHERS.iter().filter(|row| called(row.id));
    let others = others.map(|row| {
        let last = fired.iter().filter(|fired| fired.client == Some(row.id)).max_by_key(|it| it.at);
        Agent { platform: row.id, last: last.cloned(), in_place: None, advice: None }
    });
    let rows = ALL
        .iter()
        .copied()
        .filter(|row| configured.iter().any(|id| id == row.id) || called(row.id));
    rows.map(|row| {
        let last = fired::by(fired, row.id).cloned();
        let health = health
            .and_then(|health| health.clients.iter().find(|client| client.platform == row.id));
        let in_place = health.map(is_in_place);
        let advice = match (in_place, &last) {
            (Some(false), _) => Some(mend(health)),
            (_, None) => Some(row.calls_after.to_owned()),
            _ => None,
        };
        Agent { platform: row.id, last, in_place, advice }
    })
    .chain(others)
    .collect()
}

/// What puts in place what is not.
fn mend(health: Option<&ClientHealth>) -> String {
    let program =
        health.filter(|client| !client.needs_update()).and_then(ClientHealth::not_on_path);
    program.map_or_else(
        || "run `hipocampus update`".to_owned(),
        |program| format!("put `{program}` on your `PATH`"),
    )
}

/// Whether everything is there that makes the client call.
fn is_in_place(client: &ClientHealth) -> bool {
    let fine = |state: Freshness| matches!(state, Freshness::Current | Freshness::None);
    fine(client.protocol)
        && fine(client.skills)
        && fine(client.hooks)
        && client.registered.iter().all(|hook| hook.alive)
}
