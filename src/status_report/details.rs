//! What lies below the screen of `status`: nodes by status, what waits, what is odd, every hook. Printed with `--all`.

use std::fmt::Write as _;

use super::report::{Report, RootReport, WrittenBy};
use super::screen::{one_unsaved, whose};
use crate::hooks::recalled::RecallWeek;
use crate::layout;
use crate::meaning::page::PageContents;
use crate::memory::period::Level;
use crate::memory::survey::Survey;
use crate::terminal::{Paint, safe};
use crate::text::{counted, grouped};

/// Rows of one kind that are printed; the rest is counted. `--json` has them all.
const ROWS: usize = 8;

/// The rows.
pub(crate) fn render(report: &Report, paint: Paint) -> String {
    let mut rows = Rows { text: String::new(), paint };
    let memory = &report.memory;
    rows.row("logs", &logs(memory));
    for level in &memory.nodes {
        let total = level.fixed + level.tentative + level.waiting;
        let mut parts =
            vec![format!("{} fixed", level.fixed), format!("{} tentative", level.tentative)];
        if level.waiting > 0 {
            let waiting = format!("{} waiting for a summary", level.waiting);
            parts.push(paint.warn(&waiting));
        }
        let nodes = counted(total, "node");
        rows.row(&level.level.to_string(), &format!("{nodes}: {}", parts.join(", ")));
    }
    let to_do = match memory.to_do {
        0 => "nothing, the tree is up to date".to_owned(),
        many => paint.warn(&format!("{}, run `hipocampus compact`", counted(many, "change"))),
    };
    rows.row("to do", &to_do);
    of_nodes(&mut rows, report);
    if let Some(root) = &report.root {
        let size = format!("{} of {} tokens", root.tokens, root.cap);
        let size = if root.tokens > root.cap { paint.warn(&size) } else { size };
        rows.row(layout::ROOT, &format!("{size}, {}", of_root(root)));
    }
    let hot: Vec<_> = report
        .hot_files
        .iter()
        .map(|file| {
            let size = format!("{} {}/{}", file.path, file.lines, file.target);
            if file.lines > file.target { paint.warn(&size) } else { size }
        })
        .collect();
    if !hot.is_empty() {
        rows.row("hot files", &format!("{} lines", hot.join(", ")));
    }
    of_hooks(&mut rows, report);
    let needs = report.needs.iter().map(|need| safe(&format!("{}: {}", need.command, need.why)));
    rows.list("needs", usize::MAX, needs);
    let last =
        report.updated.map_or_else(|| "never".to_owned(), |at| at.format("%F %R").to_string());
    let summary = report.last_summary.as_deref().unwrap_or("never");
    rows.row("updated", &format!("{last}, last summary by a model: {}", safe(summary)));
    rows.text
}

/// What waits, what came late, what is the last copy, what is odd.
fn of_nodes(rows: &mut Rows, report: &Report) {
    let memory = &report.memory;
    let waiting = memory.waiting.iter().map(|node| {
        let period = node.period.to_string();
        let lines = node.lines.map_or_else(String::new, |lines| counted(lines, "line"));
        let over = if node.over_threshold { ", extract over the threshold" } else { "" };
        let edited = if node.edited { ", somebody edited it" } else { "" };
        format!("{period:<10}  {lines:>10}, since {}{over}{edited}", node.since)
    });
    rows.list("waiting", ROWS, waiting);
    let late = memory.late.iter().map(|late| {
        format!(
            "the log of {} came or changed after its day, week or month was fixed, run `{}`",
            late.period, late.command
        )
    });
    rows.list("late", ROWS, late);
    let last = memory.without_log.iter().map(|period| {
        let node = layout::node_path(*period);
        match period.level() {
            Level::Daily => {
                format!(
                    "day without a log: {period}, `{node}` is the last copy and stays; keep it, or `hipocampus forget {period}`"
                )
            }
            _ => {
                format!("source gone: {period}, `{node}` is the last copy of some of it and stays")
            }
        }
    });
    rows.list("last copy", ROWS, last);
    let odd = memory.odd.iter().chain(&report.config).map(|note| safe(&note.to_string()));
    rows.list("odd", ROWS, odd);
}

/// Which hooks fired, what went wrong in them, what they did not save, and what was put in place for them.
fn of_hooks(rows: &mut Rows, report: &Report) {
    if report.recall.prompts > 0 {
        let RecallWeek { prompts, told, tokens } = report.recall;
        let of = counted(prompts, "prompt");
        let told = format!("something at {told} of {of} this week, {} tokens", grouped(tokens));
        rows.row("recall", &told);
    }
    rows.list("fired", ROWS, report.fired.iter().map(|(event, when)| format!("{event} {when}")));
    let unsaved = report.unsaved.iter().map(|missing| {
        let path = missing.path.display().to_string();
        let problem = missing.problem.as_deref().map(|problem| format!("; {problem}"));
        let problem = problem.unwrap_or_default();
        safe(&format!("{} (`{path}`{problem})", one_unsaved(missing, report)))
    });
    rows.list("not saved", ROWS, unsaved);
    let replaced = report.secrets.by_rule.iter().map(|of| (of, ""));
    let in_clear = report.secrets.in_clear_by_rule.iter().map(|of| (of, " in clear"));
    let by_rule = replaced.chain(in_clear);
    rows.list(
        "secrets",
        ROWS,
        by_rule.map(|((rule, count), how)| safe(&format!("{rule}: {count}{how}"))),
    );
    rows.list("hooks", ROWS, report.hooks.iter().cloned());
    if let Some(health) = &report.installation {
        // The last row says what to do.
        rows.list("agents", usize::MAX, health.rows().iter().map(|row| safe(row)));
    }
}

/// `edited, so 3 lines in it are the machine's; …`
fn of_root(root: &RootReport) -> String {
    let PageContents { not_shown, rules_not_shown, lines_added, over, .. } = root.standing;
    let mut text = whose(root);
    if lines_added > 0 {
        let _ = write!(text, ", {} added since", counted(lines_added, "line"));
    }
    if not_shown > 0 {
        let _ = write!(text, ", {} not shown", counted(not_shown, "topic"));
    }
    if rules_not_shown > 0 {
        let _ = write!(text, ", {rules_not_shown} of them user or feedback, for want of room");
    }
    if root.by != WrittenBy::Program && over > 0 {
        let _ = write!(text, ", {} over by its own text", counted(over, "token"));
    }
    if root.by != WrittenBy::Program {
        text.push_str("; `hipocampus compact --rebuild-root` has the program write it again");
    }
    text
}

fn logs(memory: &Survey) -> String {
    let logs = &memory.logs;
    let (Some(first), Some(last)) = (logs.first, logs.last) else { return "none yet".to_owned() };
    let mut text = counted(logs.days, "day");
    if logs.files != logs.days {
        let _ = write!(text, " in {}", counted(logs.files, "file"));
    }
    let _ = write!(text, ", {first}");
    if last != first {
        let _ = write!(text, " to {last}");
    }
    text
}

/// Lines of a name and a text.
struct Rows {
    text: String,
    paint: Paint,
}

impl Rows {
    fn row(&mut self, name: &str, what: &str) {
        let _ = writeln!(self.text, "{} {what}", self.paint.dim(&format!("{name:<9}")));
    }

    fn list(&mut self, name: &str, most: usize, rows: impl Iterator<Item = String>) {
        let rows: Vec<_> = rows.collect();
        let total = rows.len();
        for (index, what) in rows.iter().take(most).enumerate() {
            self.row(if index == 0 { name } else { "" }, what);
        }
        if total > most {
            self.row("", &format!("and {} more, see `hipocampus status --json`", total - most));
        }
    }
}
