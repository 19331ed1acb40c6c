//! A server of the Model Context Protocol (`spec/mcp.md`), for agents that have neither hooks nor a shell.
//!
//! [`tools`] has what a model is offered and makes a command of its call, [`calls`] runs one in surroundings of its own,
//! [`roots`] and [`resources`] know the URIs, [`server`] answers the client, and [`wire`] reads and writes its messages.

mod calls;
mod resources;
mod roots;
mod server;
mod tools;
mod wire;

use std::io::Read;
use std::sync::mpsc::Sender;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::runtime::Builder;

pub(crate) use calls::Dispatch;
use server::Server;
pub(crate) use server::Settings;
use wire::Wire;

use crate::error::Problem;

/// Answers a client until its stream ends. Each answer is a line that is handed to `answers`.
pub(crate) fn serve(
    settings: Settings,
    stream: Box<dyn Read + Send>,
    answers: Sender<Vec<u8>>,
) -> anyhow::Result<()> {
    let runtime = Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(async {
        match Server::new(settings).serve(Wire::new(stream, answers)).await {
            Ok(serving) => serving.waiting().await.map(|_| ()).map_err(Into::into),
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(_) => Err(Problem::new("what came on stdin does not begin with `initialize`")
                .hint("let an agent start this server; `spec/mcp.md` says how")
                .into()),
        }
    })
}
