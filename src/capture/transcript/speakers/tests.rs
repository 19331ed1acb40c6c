use std::fmt::Write as _;

use super::*;

const SPEC: &str = include_str!("../../../../spec/speakers.md");

/// The tables as `spec/speakers.md` shows them.
fn shown() -> String {
    let agents = [
        ("Claude Code", &CLAUDE_CODE),
        ("Codex", &CODEX),
        ("OpenCode", &OPENCODE),
        ("OpenClaw", &OPENCLAW),
    ];
    let mut text = String::new();
    for (agent, table) in agents {
        let _ = writeln!(text, "\n### {agent}\n");
        let own = table.prompts.iter().copied().filter(|rows| *rows != editors::EDITORS).flatten();
        let rows = table
            .records
            .iter()
            .chain(own)
            .chain(table.replies.iter().filter(|row| !editors::THOUGHTS.contains(row)));
        list(&mut text, rows);
    }
    let _ = writeln!(text, "\n### Every agent\n");
    list(&mut text, editors::EDITORS.iter().chain(editors::THOUGHTS));
    text
}

fn list<'r>(text: &mut String, rows: impl Iterator<Item = &'r Row>) {
    text.push_str("| what | whose |\n|---|---|\n");
    for Row { sign, whose } in rows {
        let whose = match whose {
            Whose::Person => "the person's",
            Whose::Agent => "the agent's",
            Whose::AnotherAgent => "another agent's",
            Whose::Nobody => "nobody's",
        };
        let _ = writeln!(text, "| {} | {whose} |", told(*sign));
    }
}

fn told(sign: Sign) -> String {
    match sign {
        Sign::Field(name, Some(value)) => format!("field `{name}`: `{value}`"),
        Sign::Field(name, None) => format!("field `{name}`: any other"),
        Sign::Call(tool, field) => format!("call of `…{tool}`: its `{field}`"),
        Sign::Element(tag) => format!("element `<{tag}>`"),
        Sign::Part(tag, part) => format!("element `<{tag}>`: its `<{part}>`"),
        Sign::Request(tag) => format!("element `<{tag}>`, all beside it is nobody's"),
        Sign::Lines(from, to) => format!("from `{from}` to `{to}`"),
        Sign::Rest(start) => format!("from `{start}` on"),
        Sign::Block(end) => format!("block below a line `…{end}`"),
        Sign::Below(heading) => format!("below `{heading}`, all above it is nobody's"),
        Sign::Text(start) => format!("text `{start}…`"),
        Sign::Whole(text) => format!("text `{text}`"),
        Sign::Line(start) => format!("line `{start}…`"),
        Sign::Beside(start) => format!("line `{start}…` beside an element"),
        Sign::Stamp => "`[… YYYY-MM-DD HH:MM …]` at the beginning".to_owned(),
        Sign::Sentence(sentence) => format!("sentence `{sentence}`"),
        Sign::Token(token) => format!("reply `{token}`, or its end"),
    }
}

#[test]
fn the_spec_shows_every_table() {
    let (_, tables) = SPEC.split_once("<!-- tables -->\n").unwrap();
    assert!(tables == shown(), "`spec/speakers.md` should end with:\n{}", shown());
}
