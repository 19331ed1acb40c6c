//! Reading what a hook is given, without ever waiting for long.

use std::io::Read;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::capture::hook_input::{HookInput, InputError, LIMIT};
use crate::world::World;

/// How long a client has to say what it wants.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long when it is about to exit.
const AT_THE_END: Duration = Duration::from_secs(1);
/// Up to this size, what came is looked at whenever it may be complete.
const SMALL: usize = 1024 * 1024;

/// Why nothing came of what a client says.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StdinError {
    #[error("stdin is closed")]
    Closed,
    /// more than [`LIMIT`]
    #[error("more than {} MiB came on stdin", LIMIT / 1024 / 1024)]
    TooMuch,
    /// what came is not complete
    #[error("nothing complete came on stdin within {0:?}")]
    Late(Duration),
    #[error("stdin not read")]
    Read(#[from] std::io::Error),
    /// it is something else
    #[error(transparent)]
    Input(#[from] InputError),
}

/// Reads the JSON on stdin. A client that sends a complete object and keeps stdin open is not waited for.
pub(crate) fn read_hook(world: &mut World) -> Result<HookInput, StdinError> {
    read(world.stdin.take().ok_or(StdinError::Closed)?, PATIENCE, AT_THE_END)
}

fn read(
    mut stdin: Box<dyn Read + Send>,
    usual: Duration,
    at_the_end: Duration,
) -> Result<HookInput, StdinError> {
    let started = Instant::now();
    let (sender, receiver) = channel();
    // The thread may outlive this function while a read blocks; it ends with the process.
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match stdin.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) if sender.send(Ok(buffer[..count].to_vec())).is_err() => return,
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        }
    });
    let mut bytes = Vec::new();
    let mut patience = usual;
    loop {
        match receiver.recv_timeout(patience.saturating_sub(started.elapsed())) {
            Ok(Ok(more)) => {
                bytes.extend_from_slice(&more);
                if bytes.len() > LIMIT {
                    return Err(StdinError::TooMuch);
                }
                if bytes.len() > SMALL {
                    continue;
                }
                if bytes.trim_ascii_end().ends_with(b"}")
                    && let Ok(input) = HookInput::parse(&bytes)
                {
                    return Ok(input);
                }
                if says_session_end(&bytes) {
                    patience = at_the_end;
                }
            }
            Ok(Err(error)) => return Err(error.into()),
            Err(RecvTimeoutError::Disconnected) => return Ok(HookInput::parse(&bytes)?),
            Err(RecvTimeoutError::Timeout) => {
                return HookInput::parse(&bytes).map_err(|_| StdinError::Late(patience));
            }
        }
    }
}

fn says_session_end(bytes: &[u8]) -> bool {
    let says = |event: &str| memchr::memmem::find(bytes, event.as_bytes()).is_some();
    says("\"SessionEnd\"") || says("\"sessionEnd\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out its parts one by one; with none left it ends or blocks.
    struct Parts(Vec<&'static str>, bool);

    impl Read for Parts {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                if self.1 {
                    loop {
                        std::thread::park();
                    }
                }
                return Ok(0);
            }
            let part = self.0.remove(0);
            buffer[..part.len()].copy_from_slice(part.as_bytes());
            Ok(part.len())
        }
    }

    /// The event that is read, by somebody who waits as many milliseconds, or is about to exit and waits half of them.
    fn told(parts: &[&'static str], stays_open: bool, patience: u64) -> Result<String, String> {
        let parts = Box::new(Parts(parts.to_vec(), stays_open));
        let patience = Duration::from_millis(patience);
        let said = read(parts, patience, patience / 2).map_err(|error| error.to_string());
        said.map(|input| input.event)
    }

    #[test]
    fn an_object_is_read_and_nobody_is_waited_for() {
        let whole = ["{\"hook_event_name\":", "\"Stop\"}\n"];
        assert_eq!(told(&whole, false, 40), Ok("Stop".to_owned()));
        // Whoever waited for the end of this would still be waiting.
        assert_eq!(told(&whole, true, u64::MAX), Ok("Stop".to_owned()));
        let late = |within: &str| Err(format!("nothing complete came on stdin within {within}"));
        assert_eq!(told(&["{\"hook_event_name\":\"SessionEnd\","], true, 40), late("20ms"));
        assert_eq!(told(&[], true, 40), late("40ms"));
        let odd = Err("what came on stdin is not valid JSON".to_owned());
        assert_eq!(told(&["garbage"], false, 40), odd);
        assert_eq!(told(&[], false, 40), Err("nothing came on stdin".to_owned()));
    }

    #[test]
    fn too_much_is_refused() {
        let mut world = World::for_tests();
        world.stdin = Some(Box::new(std::io::repeat(b' ')));
        assert_eq!(
            read_hook(&mut world).unwrap_err().to_string(),
            "more than 64 MiB came on stdin"
        );
    }
}
