//! Ctrl-C in the middle of something that may stop at a better place: asked for once, it is passed to whoever asks
//! here; a second time, it ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::signal::{SIGINT, SIGTERM};
use signal_hook::flag;

static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Lets this process go on after the first Ctrl-C until it asks. Where the system does not allow that, Ctrl-C ends it
/// as ever.
pub(crate) fn watch() {
    let asked = ASKED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM] {
        // In this order: the second signal finds the flag that the first one has set.
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(asked))
            .and_then(|_| flag::register(signal, Arc::clone(asked)));
    }
}

/// Whether somebody wants this run to end.
pub(crate) fn asked() -> bool {
    ASKED.get().is_some_and(|asked| asked.load(Ordering::Relaxed))
}
