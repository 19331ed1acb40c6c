//! Two pieces of work at the same time.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// The stack of a thread, in bytes: that of the main one.
pub(crate) const STACK: usize = 8 * 1024 * 1024;

/// Does one piece of work here and the other one beside it; where that is not worth a thread, or the system has none to
/// give, after it.
pub(crate) fn both<H, B: Send>(
    is_worth: bool,
    here: impl FnOnce() -> H,
    beside: impl Fn() -> B + Sync,
) -> (H, B) {
    scope(|threads| {
        let thread = || Builder::new().stack_size(STACK).spawn_scoped(threads, &beside).ok();
        let thread = is_worth.then(thread).flatten();
        let done = here();
        let done_beside = match thread {
            Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => beside(),
        };
        (done, done_beside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done_on_one_thread_or_two() {
        for is_worth in [false, true] {
            let here = std::thread::current().id();
            let (first, second) = both(is_worth, || 1, || std::thread::current().id());
            assert_eq!((first, second == here), (1, !is_worth));
        }
    }

    #[test]
    #[should_panic(expected = "beside")]
    fn a_panic_beside_is_one_here() {
        both(true, || (), || panic!("beside"));
    }
}
