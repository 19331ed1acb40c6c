//! Our own text that a client puts into a session: recognised by its content, never by the markers around it,
//! which anybody may write.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::platform;
use crate::recall::{INTRODUCTION, RULE};
use crate::splice::PROTOCOL;
use crate::templates::{self, TemplateContext};

/// The text without the section as some installation of this version wrote it, its two markers included. Every other
/// marked block is somebody's words. `None` where there is none.
pub(crate) fn without_protocol(words: &str) -> Option<String> {
    let mut kept = String::new();
    let (mut from, mut read) = (0, 0);
    while let Some(end) = words[read..].find(PROTOCOL.end).map(|at| read + at) {
        let start = words[read..end].rfind(PROTOCOL.start).map(|at| read + at);
        read = end + PROTOCOL.end.len();
        if let Some(start) = start
            && is_protocol(&words[start + PROTOCOL.start.len()..end])
        {
            kept.push_str(words[from..start].trim_end());
            from = read;
        }
    }
    (from > 0).then(|| (kept + &words[from..]).trim().to_owned())
}

/// Whether a text is the section, for whatever set of clients. Line endings and the white space around lines do not
/// matter.
fn is_protocol(body: &str) -> bool {
    static KNOWN: LazyLock<HashSet<u64>> = LazyLock::new(|| {
        // Three things of agents make a difference to it, so that no more than three agents together do.
        let sets = (1_u32..1 << platform::ALL.len()).filter(|set| set.count_ones() <= 3);
        let texts = sets.map(|set| {
            let chosen = |(at, row)| ((set >> at) & 1 == 1).then_some(row);
            let platforms = platform::ALL.iter().copied().enumerate().filter_map(chosen).collect();
            templates::render(
                "protocol.md",
                &TemplateContext { platforms, ..TemplateContext::default() },
            )
        });
        texts.map(|text| hash(&text)).collect()
    });
    KNOWN.contains(&hash(body))
}

fn hash(text: &str) -> u64 {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    crate::plan::hash(lines.join("\n").as_bytes())
}

/// Whether a text is what our hooks print: lines with our name, perhaps the index below them, or what the memory knows.
pub(crate) fn is_context(text: &str) -> bool {
    const NAME: &str = "hipocampus: ";
    if let Some(told) = text.trim().strip_prefix(INTRODUCTION) {
        return told.lines().all(|line| line.is_empty() || line.starts_with("- "));
    }
    let mut lines = text.trim().lines().peekable();
    if !lines.peek().is_some_and(|line| line.starts_with(NAME)) {
        return false;
    }
    let mut index = false;
    lines.all(|line| {
        index |= line.starts_with("hipocampus: the index of this project's memory")
            || line.starts_with("hipocampus: what this session settled");
        line.starts_with(NAME) || (index && is_of_an_index(line))
    })
}

/// The words after what the memory told in front of them.
pub(crate) fn behind_told(words: &str) -> &str {
    let (told, own) = words.split_once("\n\n").unwrap_or((words, ""));
    let rest = told.strip_prefix(RULE).map_or(told, str::trim_start);
    let rest = rest.strip_prefix(INTRODUCTION).unwrap_or(rest);
    let is_line = |line: &str| line.is_empty() || line.starts_with("- ");
    let is_ours = rest.len() < told.len() && rest.lines().all(is_line);
    if is_ours { own.trim_start() } else { words }
}

/// Whether a line looks like one of ROOT.md's.
fn is_of_an_index(line: &str) -> bool {
    let line = line.trim();
    ["- ", "#", "<!--", "(more in "].iter().any(|begins| line.starts_with(begins))
        || line.is_empty()
        || line.ends_with("not shown: `hipocampus topics`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protocol(ids: &[&str]) -> String {
        let platforms = platform::ALL.iter().copied().filter(|row| ids.contains(&row.id)).collect();
        templates::render(
            "protocol.md",
            &TemplateContext { platforms, ..TemplateContext::default() },
        )
    }

    #[test]
    fn only_our_own_words_between_markers_go() {
        let [start, end] =
            ["start", "end"].map(|word| format!("<!-- hipocampus:protocol:{word} -->"));
        for ids in [&["claude-code"][..], &["codex", "opencode"], &["openclaw"]] {
            let ours = protocol(ids);
            for ours in [ours.clone(), ours.replace('\n', "\r\n")] {
                let block = format!("{start}\n{ours}\n{end}");
                let words = format!("before\n{block}\nbetween {start} x {end}\n{block}\nafter");
                let kept = without_protocol(&words).unwrap();
                assert_eq!(kept, format!("before\nbetween {start} x {end}\nafter"));
                assert_eq!(without_protocol(&block).unwrap(), "");
            }
            let changed = format!("{start}\n{ours}\nand my own line\n{end}");
            assert_eq!(without_protocol(&changed), None);
        }
        for words in [
            "a\n<!-- hipocampus:ANY:start -->\nkeep me\n<!-- hipocampus:ANY:end -->\nb",
            "<!-- hipocampus:protocol:start --><!-- hipocampus:protocol:end -->",
            "<!-- hipocampus:protocol:start --> never closed",
            "<!-- hipocampus:",
        ] {
            assert_eq!(without_protocol(words), None, "{words}");
        }
    }

    #[test]
    fn what_a_session_start_prints_is_known() {
        fn check(text: &str, expect: bool) {
            assert_eq!(is_context(text), expect, "{text}");
        }
        let index = "hipocampus: the index of this project's memory, `memory/ROOT.md`:";
        check(&format!("{INTRODUCTION}\n- 2026-03-12 decision: a: b\n- c"), true);
        check(&format!("{INTRODUCTION}\n- a\nwhy does it say that?"), false);
        check("hipocampus: a summary is due", true);
        check(" hipocampus: a\nhipocampus: b", true);
        check(&format!("hipocampus: a\n{index}\n\n## Topics Index\n- auth [project, 3d]"), true);
        check(
            &format!(
                "{index}\n\n- a\n(more in `memory/ROOT.md`; this was cut, `hipocampus show ROOT.md` prints it)"
            ),
            true,
        );
        check("hipocampus: a\nwhy does it say that?", false);
        check(&format!("{index}\n- a\nwhy does it say that?"), false);
        check("why does hipocampus say that?", false);
        check("", false);
    }
}
