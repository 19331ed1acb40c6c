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
        ("Cline", &CLINE),
        ("Qwen Code", &QWEN),
        ("Cursor", &CURSOR),
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

fn list<'r>(text: &mut String, rows: impl Iterator<Item = &'r SpeakerRow>) {
    let mut last = None;
    text.push_str("| sign | | whose |\n|---|---|---|");
    for SpeakerRow { sign, whose } in rows {
        let (kind, sign) = told(*sign);
        let whose = match whose {
            Whose::Person => "the user's",
            Whose::Agent => "the agent's",
            Whose::AnotherAgent => "another agent's",
            Whose::Nobody => "nobody's",
        };
        let row = Some((kind.clone(), whose));
        match last {
            Some((_, whose)) if last != row => {
                let _ = write!(text, " | {whose} |\n| {kind} | {sign}");
            }
            Some(_) => {
                let _ = write!(text, ", {sign}");
            }
            None => {
                let _ = write!(text, "\n| {kind} | {sign}");
            }
        }
        last = row;
    }
    if let Some((_, whose)) = last {
        let _ = writeln!(text, " | {whose} |");
    }
}

/// The kind of a sign and the sign. Neighbours of one kind share a row.
fn told(sign: Sign) -> (String, String) {
    let (kind, sign) = match sign {
        Sign::Field(name, Some(value)) => (format!("field `{name}`"), format!("`{value}`")),
        Sign::Field(name, None) => (format!("field `{name}`"), "any other".to_owned()),
        Sign::Call(tool, field) => (format!("call of `…{tool}`"), format!("`{field}`")),
        Sign::Element(tag) => ("element".to_owned(), format!("`<{tag}>`")),
        Sign::Part(tag, part) => (format!("part of `<{tag}>`"), format!("`<{part}>`")),
        Sign::Request(tag) => ("element, the rest is nobody's".to_owned(), format!("`<{tag}>`")),
        Sign::Lines(from, to) => ("lines from, to".to_owned(), format!("`{from}` `{to}`")),
        Sign::Rest(start) => ("all from".to_owned(), format!("`{start}`")),
        Sign::Block(end) => ("block below a line".to_owned(), format!("`…{end}`")),
        Sign::Below(heading) => ("below, the rest is nobody's".to_owned(), format!("`{heading}`")),
        Sign::Text(start) => ("text".to_owned(), format!("`{start}…`")),
        Sign::Whole(text) => ("text".to_owned(), format!("`{text}`")),
        Sign::Line(start) => ("line".to_owned(), format!("`{start}…`")),
        Sign::Beside(start) => ("line beside an element".to_owned(), format!("`{start}…`")),
        Sign::Stamp => ("at the start".to_owned(), "`[… YYYY-MM-DD HH:MM …]`".to_owned()),
        Sign::Sentence(sentence) => ("sentence".to_owned(), format!("`{sentence}`")),
        Sign::Token(token) => ("reply, or its end".to_owned(), format!("`{token}`")),
    };
    (kind, sign)
}

#[test]
fn the_spec_shows_every_table() {
    let (_, tables) = SPEC.split_once("<!-- tables -->\n").unwrap();
    assert!(tables == shown(), "`spec/speakers.md` should end with:\n{}", shown());
}
