//! How people are spoken to: errors in one shape, colour only where it helps, nothing that could
//! drive a terminal.

use std::fmt::Write as _;
use std::io::Read as _;

use crate::error::{Exit, Problem, link};
pub(crate) use crate::text::{is_harmless, safe};
use crate::world::World;

/// Prints `error:`, every `caused by:` and the `hint:` to stderr and tells the exit code.
pub(crate) fn report(world: &mut World, error: &anyhow::Error) -> Exit {
    let mut text = String::new();
    // Also finds one that was put around another error, which the chain does not show as what it is.
    let problem = error.downcast_ref::<Problem>();
    let mut exit = problem.map_or(Exit::Problem, |problem| problem.exit);
    let mut hint = problem.and_then(|problem| problem.hint.as_deref());
    let paint = Paint::of_talk(world);
    for (depth, cause) in error.chain().enumerate() {
        let label = if depth == 0 { paint.bad("error:") } else { paint.bold("  caused by:") };
        let _ = writeln!(text, "{label} {}", safe(&link(cause)));
        if let Some(problem) = cause.downcast_ref::<Problem>() {
            exit = problem.exit;
            hint = hint.or(problem.hint.as_deref());
        }
    }
    if let Some(hint) = hint {
        let _ = writeln!(text, "{} {}", paint.bold("hint:"), safe(hint));
    }
    let _ = world.err.write_all(text.as_bytes());
    exit
}

/// Asks a person for one line, without its end; empty where nobody answers.
pub(crate) fn answer(world: &mut World, question: &str) -> String {
    let _ = write!(world.err, "{question}");
    let _ = world.err.flush();
    read_line(world).unwrap_or_default()
}

/// The next line of what a person types, without its end; `None` where nothing comes. What follows it is the next answer.
pub(crate) fn read_line(world: &mut World) -> Option<String> {
    /// Enough for any answer: the other end may be an endless stream.
    const MOST: usize = 4096;
    let stdin = world.stdin.as_mut()?;
    let (mut line, mut byte) = (Vec::new(), [0]);
    while line.len() < MOST && !line.ends_with(b"\n") && stdin.read(&mut byte).ok()? > 0 {
        line.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&line);
    (!line.is_empty()).then(|| text.trim_end_matches(['\r', '\n']).to_owned())
}

/// Whether an answer to a question like `go on? [y/N]` means yes.
pub(crate) fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// The few colours in use; empty strings where colour is off.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// Colour as the world allows it.
    pub(crate) fn of(world: &World) -> Self {
        Self { on: world.colour() }
    }

    /// Colour as the world allows it on stderr.
    pub(crate) fn of_talk(world: &World) -> Self {
        Self { on: world.colour_of_talk() }
    }

    /// Something that went wrong.
    pub(crate) fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Something that needs attention.
    pub(crate) fn warn(self, text: &str) -> String {
        self.wrap("33", text)
    }

    /// A heading.
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Something that matters less.
    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Prints a value as JSON in which nothing drives a terminal. Fails when it cannot be written.
pub(crate) fn print_value(world: &mut World, value: &impl serde::Serialize) -> anyhow::Result<()> {
    // What may is in strings only, where it can be escaped.
    for c in serde_json::to_string_pretty(value)?.chars() {
        if is_harmless(c) {
            write!(world.out, "{c}")?;
        } else {
            write!(world.out, "\\u{:04x}", u32::from(c))?;
        }
    }
    writeln!(world.out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(safe("a\x1b[31mb\u{202e}c\n한"), "a\\u{1b}[31mb\\u{202e}c\n한");
    }
}
