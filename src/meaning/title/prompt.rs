//! What of a prompt its person says: not what they pasted, nor what a client made of it.

use crate::markdown::fence::{self, Line};
use crate::markdown::heading::heading;
use crate::meaning::lexicon::{Class, Lexicon, is_go_ahead, shape};
use crate::meaning::noise;
use crate::meaning::passage::{unescaped, without_bullet};
use crate::meaning::sentence::sentences;
use crate::meaning::session::arguments_of_skill;

/// A prompt, read.
pub(super) enum Prompt<'p> {
    /// a plan that a client hands over, by its heading
    Plan(String),
    /// a slash command with its arguments
    Command(String),
    /// a text of several parts, such as a client makes of a command, with its heading where it has one
    Document(Option<String>),
    Said(Vec<PromptSentence<'p>>),
}

/// A sentence of a prompt.
pub(super) struct PromptSentence<'p> {
    pub(super) text: &'p str,
    /// in a list, quoted, or behind something pasted
    pub(super) is_shown: bool,
}

/// A document has so many headings, or is so long, in bytes.
const PARTS: usize = 2;
const LONG: usize = 4096;

/// Reads a prompt. `None` where nothing of it says anything: a command of the client's, the text of a skill.
pub(super) fn read(prompt: &str) -> Option<Prompt<'_>> {
    let lines: Vec<Line<'_>> = fence::lines(prompt).collect();
    let lines = arguments_of_skill(&lines).unwrap_or(&lines);
    let first = lines.iter().map(|line| line.text.trim()).find(|line| !line.is_empty())?;
    if let Some(command) = first.strip_prefix('/')
        && command.starts_with(|c: char| c.is_ascii_lowercase())
        && !command.split(' ').next().unwrap_or_default().contains('/')
    {
        command.split_once(' ')?;
        return Some(Prompt::Command(first.to_owned()));
    }
    let headings = || {
        lines
            .iter()
            .filter(|line| !line.code)
            .filter_map(|line| heading(unescaped(line.text.trim())))
    };
    let first_lower = first.to_lowercase();
    if shape::PLAN.iter().any(|begins| first_lower.starts_with(begins)) {
        let (_, title) = headings().next()?;
        let title = title.strip_prefix("Plan:").unwrap_or(title);
        return Some(Prompt::Plan(title.trim().to_owned()));
    }
    if let Some((level, title)) = heading(unescaped(first))
        && (headings().count() >= PARTS || prompt.len() > LONG)
    {
        // What a request or an issue is called, as programs print it.
        let subject =
            lines.iter().take(16).find_map(|line| Some(line.text.split_once("title:\t")?.1));
        let own = (level == 1 && title.contains(' ')).then_some(title);
        return Some(Prompt::Document(subject.or(own).map(|text| text.trim().to_owned())));
    }
    Some(Prompt::Said(said(lines)))
}

fn said<'p>(lines: &[Line<'p>]) -> Vec<PromptSentence<'p>> {
    let noise = noise::of_lines(lines, true);
    let mut found = Vec::new();
    let mut is_behind = false;
    for (line, noise) in lines.iter().zip(noise) {
        is_behind |= line.code || noise.is_some();
        // What would read as structure is nobody's sentence.
        let structure = ["\\", "<", "```", "~~~"];
        let is_structure = structure.iter().any(|mark| line.text.trim_start().starts_with(mark));
        if line.code || noise.is_some() || is_structure {
            continue;
        }
        let text = unescaped(line.text.trim());
        let own = without_bullet(text.trim_start_matches(['>', '#', ' ']));
        let is_shown = is_behind || own.len() < text.len();
        for text in sentences(own.trim()) {
            // What begins with a sign was printed: `✓ all tests pass`.
            let is_sign = |c: char| !c.is_alphanumeric() && !c.is_ascii();
            if !is_go_ahead(text) && !text.starts_with(is_sign) {
                found.push(PromptSentence { text, is_shown });
            }
        }
    }
    found
}

/// A sentence without what leads to what it asks for: greetings, go-aheads with a mark after them, `can you please`.
pub(super) fn without_lead(text: &str) -> &str {
    const MARKS: [char; 10] = [' ', ',', ':', '!', '.', ';', '，', '。', '、', '-'];
    let lexicon = Lexicon::known();
    let mut rest = text;
    loop {
        let set_off =
            |class| lexicon.behind(class, rest).filter(|behind| behind.starts_with(&MARKS[1..]));
        let behind = lexicon.behind(Class::Lead, rest);
        let behind =
            behind.or_else(|| set_off(Class::GoAhead)).or_else(|| set_off(Class::Greeting));
        let behind = behind.map(|behind| behind.trim_start_matches(MARKS));
        match behind.filter(|behind| behind.chars().any(char::is_alphanumeric)) {
            Some(behind) => rest = behind,
            None => return rest,
        }
    }
}
