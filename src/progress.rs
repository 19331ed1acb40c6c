//! A line on a terminal that says what takes so long; nothing for whatever takes less than a second.
//!
//! There is one for the whole run, because what takes long is deep inside of what should not know about terminals.

use std::cell::RefCell;
use std::io::Write;
use std::time::{Duration, Instant};

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line changes.
const PACE: Duration = Duration::from_millis(100);

thread_local! {
    static LINE: RefCell<Option<ProgressLine>> = const { RefCell::new(None) };
}

struct ProgressLine {
    to: Box<dyn Write>,
    since: Instant,
    last: Option<Instant>,
    patience: Duration,
}

/// Switches the line off again.
#[must_use]
pub(crate) struct Shown(());

/// Lets this run say what takes long, on `to`. Until the value is dropped.
pub(crate) fn on(to: Box<dyn Write>) -> Shown {
    start(to, PATIENCE)
}

fn start(to: Box<dyn Write>, patience: Duration) -> Shown {
    LINE.set(Some(ProgressLine { to, since: Instant::now(), last: None, patience }));
    Shown(())
}

impl Drop for Shown {
    fn drop(&mut self) {
        clear();
        LINE.set(None);
    }
}

/// Says what is being done, if it is time to. `what` is asked only then.
pub(crate) fn tick(what: impl FnOnce() -> String) {
    LINE.with_borrow_mut(|line| {
        let Some(line) = line else { return };
        let pace = line.last.is_none_or(|last| last.elapsed() >= PACE);
        if line.since.elapsed() >= line.patience && pace {
            line.last = Some(Instant::now());
            let text = crate::text::safe(&what());
            // What no longer fits would be there for good.
            let text: String = text.chars().take(58).collect();
            let _ = write!(line.to, "\r\x1b[K{text}");
            let _ = line.to.flush();
        }
    });
}

/// Takes the line away, before something else is said on the terminal.
pub(crate) fn clear() {
    LINE.with_borrow_mut(|line| {
        if let Some(line) = line.as_mut().filter(|line| line.last.is_some()) {
            line.last = None;
            let _ = write!(line.to, "\r\x1b[K");
            let _ = line.to.flush();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Written;

    fn said(patience: Duration, what: impl FnOnce()) -> String {
        let sink = Written::default();
        let shown = start(Box::new(sink.clone()), patience);
        what();
        drop(shown);
        tick(|| unreachable!("nobody listens any more"));
        sink.text()
    }

    #[test]
    fn what_is_quick_says_nothing() {
        assert_eq!(said(PATIENCE, || tick(|| unreachable!("it is not time yet"))), "");
    }

    #[test]
    fn what_takes_long_is_said_at_its_pace_and_taken_away() {
        let many = || (0..100).for_each(|day| tick(|| format!("day {day} \u{1b}[2J")));
        let text = said(Duration::ZERO, many);
        assert!(text.starts_with("\r\x1b[Kday 0 \\u{1b}[2J"), "{text:?}");
        assert!(text.ends_with("\r\x1b[K") && text.matches("day").count() < 100, "{text:?}");
    }
}
