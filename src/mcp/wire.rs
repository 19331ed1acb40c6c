//! The messages of the protocol as lines of JSON: those that this server understands, and those that it sends.
//!
//! The SDK can read a line as any message there is. Read as the one that its method names, wrong arguments can be answered
//! with what is wrong about them; and the program has only the messages that it needs, which saves half a megabyte.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::io::{BufRead as _, BufReader, Read};
use std::sync::mpsc::Sender;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequest, CancelledNotification, ClientJsonRpcMessage, ClientNotification,
    ClientRequest, ClientResult, CustomNotification, CustomRequest, DiscoverRequest, EmptyResult,
    ErrorData, InitializeRequest, InitializedNotification, JsonRpcMessage,
    ListResourceTemplatesRequest, ListResourcesRequest, ListToolsRequest, PingRequest,
    ReadResourceRequest, RequestId, RootsListChangedNotification, ServerJsonRpcMessage,
    ServerRequest, ServerResult,
};
use rmcp::transport::Transport;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, channel};

use crate::capture::transcript::fields::whole_value;

/// The most bytes of a line: 16 MiB.
const LONGEST: u64 = 16 * 1024 * 1024;
/// The most lines that are read before they are wanted.
const AHEAD: usize = 64;

/// Both directions of a client.
pub(super) struct Wire {
    lines: Receiver<Vec<u8>>,
    answers: Sender<Vec<u8>>,
    /// whether a request has come
    begun: bool,
}

impl Wire {
    /// Reads a stream until it ends; each answer is handed to `answers` as a line.
    pub(super) fn new(stream: Box<dyn Read + Send>, answers: Sender<Vec<u8>>) -> Self {
        let (sender, lines) = channel(AHEAD);
        std::thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            loop {
                let mut line = Vec::new();
                // A line that is too long comes in parts, which are no messages.
                let read = stream.by_ref().take(LONGEST).read_until(b'\n', &mut line);
                if !read.is_ok_and(|read| read > 0) || sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self { lines, answers, begun: false }
    }

    fn write(&self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        // Nobody is left to read it where this fails.
        let _ = self.answers.send(line.into_bytes());
    }
}

impl Transport<RoleServer> for Wire {
    type Error = Infallible;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        if let Some(message) = written(message) {
            self.write(&message);
        }
        ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let line = self.lines.recv().await?;
            if line.trim_ascii().is_empty() {
                continue;
            }
            // A text that JavaScript has cut may end in half a letter.
            let Some(value) = whole_value(&line) else {
                self.write(&failure(None, &ErrorData::parse_error("this is no JSON", None)));
                continue;
            };
            match read(value) {
                Ok(message @ JsonRpcMessage::Request(_)) => {
                    self.begun = true;
                    return Some(message);
                }
                // Before the first request, nothing was asked or begun that another message could be about.
                Ok(message) if self.begun => return Some(message),
                Ok(_) => {}
                Err(answer) => answer.iter().for_each(|answer| self.write(answer)),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        self.lines.close();
        Ok(())
    }
}

/// The message of a value; `Err` with what it is answered with at once, where it asked for something.
fn read(value: Value) -> Result<ClientJsonRpcMessage, Option<Value>> {
    let id = value.get("id").map(RequestId::deserialize).transpose();
    match (id, value.get("method").is_some()) {
        (Ok(Some(id)), true) => {
            let request = request(value).map_err(|why| {
                Some(failure(Some(&id), &ErrorData::invalid_params(why.to_string(), None)))
            })?;
            Ok(JsonRpcMessage::request(request, id))
        }
        (Ok(None), true) => notification(value).map(JsonRpcMessage::notification).map_err(|_| None),
        (Ok(Some(id)), false) => Ok(answer(value, id)),
        (Ok(None), false) | (Err(_), _) => {
            Err(Some(failure(None, &ErrorData::invalid_request("this is no message", None))))
        }
    }
}

type Parsed<T> = Result<T, serde_json::Error>;

fn of<T: DeserializeOwned + Into<U>, U>(value: Value) -> Parsed<U> {
    serde_json::from_value::<T>(value).map(Into::into)
}

fn request(value: Value) -> Parsed<ClientRequest> {
    match value["method"].as_str() {
        Some("initialize") => of::<InitializeRequest, _>(value),
        Some("server/discover") => of::<DiscoverRequest, _>(value),
        Some("ping") => of::<PingRequest, _>(value),
        Some("tools/list") => of::<ListToolsRequest, _>(value),
        Some("tools/call") => of::<CallToolRequest, _>(value),
        Some("resources/list") => of::<ListResourcesRequest, _>(value),
        Some("resources/templates/list") => of::<ListResourceTemplatesRequest, _>(value),
        Some("resources/read") => of::<ReadResourceRequest, _>(value),
        _ => of::<CustomRequest, _>(value),
    }
}

fn notification(value: Value) -> Parsed<ClientNotification> {
    match value["method"].as_str() {
        Some("notifications/initialized") => of::<InitializedNotification, _>(value),
        Some("notifications/cancelled") => of::<CancelledNotification, _>(value),
        Some("notifications/roots/list_changed") => of::<RootsListChangedNotification, _>(value),
        _ => of::<CustomNotification, _>(value),
    }
}

/// The answer to a request of ours, which asks for roots.
fn answer(mut value: Value, id: RequestId) -> ClientJsonRpcMessage {
    let result = serde_json::from_value(value["result"].take());
    match (result, serde_json::from_value(value["error"].take())) {
        (Ok(roots), _) => JsonRpcMessage::response(ClientResult::ListRootsResult(roots), id),
        (Err(_), Ok(error)) => JsonRpcMessage::error(error, Some(id)),
        _ => JsonRpcMessage::response(ClientResult::EmptyResult(EmptyResult {}), id),
    }
}

/// A message as it is sent; `None` of one that this server never sends.
fn written(message: ServerJsonRpcMessage) -> Option<Value> {
    match message {
        JsonRpcMessage::Response(response) => {
            let result = match &response.result {
                ServerResult::InitializeResult(it) => json!(it),
                ServerResult::DiscoverResult(it) => json!(it),
                ServerResult::EmptyResult(it) => json!(it),
                ServerResult::ListToolsResult(it) => json!(it),
                ServerResult::CallToolResult(it) => json!(it),
                ServerResult::InputRequiredResult(it) => json!(it),
                ServerResult::ListResourcesResult(it) => json!(it),
                ServerResult::ListResourceTemplatesResult(it) => json!(it),
                ServerResult::ReadResourceResult(it) => json!(it),
                _ => return None,
            };
            Some(json!({"jsonrpc": "2.0", "id": response.id, "result": result}))
        }
        JsonRpcMessage::Error(error) => Some(failure(error.id.as_ref(), &error.error)),
        JsonRpcMessage::Request(request) => match &request.request {
            ServerRequest::ListRootsRequest(it) => {
                Some(json!({"jsonrpc": "2.0", "id": request.id, "method": it.method}))
            }
            _ => None,
        },
        JsonRpcMessage::Notification(_) => None,
    }
}

fn failure(id: Option<&RequestId>, error: &ErrorData) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "error": error});
    if let Some(id) = id {
        message["id"] = json!(id);
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_message_that_its_method_names_or_is_answered() {
        /// The id and the code that it is answered with at once.
        #[track_caller]
        fn check(message: Value, expect: Option<(Option<u32>, i32)>) {
            let text = message.to_string();
            let answer = read(message).err().flatten();
            let found = answer.map(|it| (it.get("id").cloned(), it["error"]["code"].clone()));
            let expect = expect.map(|(id, code)| (id.map(Value::from), Value::from(code)));
            assert_eq!(found, expect, "{text}");
        }
        check(json!({"id": 1, "method": "tools/list"}), None);
        check(json!({"id": "a", "method": "tools/list", "params": {"cursor": "x"}}), None);
        check(json!({"id": 1, "method": "tools/call", "params": {"name": "show"}}), None);
        check(json!({"id": 1, "method": "prompts/list"}), None);
        check(json!({"method": "notifications/initialized"}), None);
        check(json!({"method": "notifications/of/another/kind"}), None);
        check(json!({"method": "notifications/cancelled", "params": 5}), None);
        check(json!({"id": 1, "result": {"roots": []}}), None);
        check(json!({"id": 1, "error": {"code": -32601, "message": "no"}}), None);
        check(json!({"id": 1, "method": "tools/call"}), Some((Some(1), -32602)));
        check(
            json!({"id": 2, "method": "tools/call", "params": {"name": 5}}),
            Some((Some(2), -32602)),
        );
        check(json!({"id": 3, "method": "initialize", "params": {}}), Some((Some(3), -32602)));
        check(json!({"id": 4, "method": 5}), Some((Some(4), -32602)));
        check(json!({"id": 5, "result": 5}), None);
        check(json!({"id": 5, "error": 5}), None);
        check(json!({"id": 1.5, "method": "ping"}), Some((None, -32600)));
        check(json!({"jsonrpc": "2.0"}), Some((None, -32600)));
        check(json!([{"id": 1, "method": "ping"}]), Some((None, -32600)));
    }

    #[test]
    fn a_stream_is_read_line_by_line_to_its_end() {
        let long = "x".repeat(usize::try_from(LONGEST).unwrap() + 5);
        let text = format!(
            "{long}\nnot json\n{{\"id\":1,\"method\":\"ping\"}}\n[]\n{{\"id\":2,\"method\":\"ping\"}}"
        );
        let (answers, said) = std::sync::mpsc::channel();
        let mut wire = Wire::new(Box::new(std::io::Cursor::new(text)), answers);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut next = || {
            let message = runtime.block_on(wire.receive())?;
            let JsonRpcMessage::Request(request) = message else { panic!("{message:?}") };
            Some(json!(request.id))
        };
        assert_eq!([next(), next(), next()], [Some(json!(1)), Some(json!(2)), None]);
        drop(wire);
        let said: Vec<Value> =
            said.iter().map(|line| serde_json::from_slice(&line).unwrap()).collect();
        // Both parts of the line that is too long, and the one that is no JSON.
        let codes: Vec<_> = said.iter().map(|it| it["error"]["code"].clone()).collect();
        assert_eq!(codes, [-32700, -32700, -32700, -32600]);
        assert!(said.iter().all(|it| it.get("id").is_none()));
    }
}
