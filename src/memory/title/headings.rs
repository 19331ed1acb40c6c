//! Headings of prompts that a client made, and of replies.

use super::only_counts;
use super::paths::with_short_paths;
use super::prose::sentences;
use super::weigh::{Echo, strength};
use crate::markdown::fence;
use crate::text::{behind, start};

/// Headings of replies that name a part of them.
#[rustfmt::skip]
const PARTS: [&str; 22] = [
    "unit", "test", "tests", "conflict", "summary", "overview", "finding", "findings", "result",
    "results", "file", "files", "step", "part", "section", "line-by-line", "next", "table",
    "verdict", "top", "most", "the",
];

/// In so many lines a reply says what it is about.
const BEGINNING: usize = 4;

/// Headings that any command may begin with.
const OF_COMMANDS: [&str; 4] = ["your task", "your role", "the task", "task description"];

/// The heading of a plan that a client hands over to be carried out: `Implement the following plan:` and what follows.
pub(super) fn planned(prompt: &str) -> Option<&str> {
    let mut lines = prompt.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next()?.to_lowercase();
    if !first.starts_with("implement the following plan") {
        return None;
    }
    let heading = lines.find_map(|line| heading(line).map(|(_, text)| text))?;
    Some(behind(heading, "plan:").map_or(heading, str::trim))
}

/// The heading of a prompt that is a document of several parts: the text of a command that is asked again and again, or a
/// specification. Its parts are told by headings of their own, and which of them a reply repeats says little.
pub(super) fn of_document(prompt: &str) -> Option<&str> {
    const PARTS_AT_LEAST: usize = 2;
    let prompt = prompt.trim_start();
    let (level, title) = heading(prompt.lines().next()?)?;
    let is_word = title.split(' ').count() < 2 && !title.starts_with('/');
    let is_part = is_word || OF_COMMANDS.contains(&&*title.to_lowercase());
    if level > 1 || is_part {
        return None;
    }
    let parts = headings(prompt).filter(|(_, level, _)| *level > 1);
    (parts.count() >= PARTS_AT_LEAST).then_some(title)
}

/// What the text of a command is about this time: its heading, which it has every time, with the number of what it speaks of, else
/// of what the beginning of the reply does, with what that calls it, and the branch.
pub(super) fn with_reference(heading: &str, prompt: &str, reply: &str) -> String {
    /// A longer heading is no command's.
    const WORDS: usize = 3;
    const LENGTH: usize = 400;
    if heading.split(' ').count() > WORDS || heading.contains(|c: char| c.is_ascii_digit()) {
        return heading.to_owned();
    }
    let reply = start(reply, LENGTH);
    let number = number(prompt).or_else(|| number(reply)).map(|(_, number)| number);
    let called = number.as_deref().and_then(|known| {
        let (end, _) = self::number(reply).filter(|(_, number)| number == known)?;
        quoted(&reply[end..])
    });
    let about = [number.as_deref(), called, branch(prompt)];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    if about.is_empty() { heading.to_owned() } else { format!("{heading}: {}", about.join(" ")) }
}

/// A command, behind it what the beginning of the reply calls what it names by a number: `PR #212 "stamps of 2026", +388 -41`.
/// Without that a number alone says nothing: `None`.
pub(super) fn of_command(command: &str, reply: &str) -> Option<String> {
    if !only_counts(command) {
        return Some(command.to_owned());
    }
    called(command, numbers(command).last()?, reply, usize::MAX)
}

/// A prompt of few words, behind it what the beginning of the reply calls what it names by a number of two digits or more.
pub(super) fn of_number(prompt: &str, reply: &str) -> Option<String> {
    const SHORT: usize = 40;
    /// How far behind the number the quotes begin, in bytes.
    const NEAR: usize = 40;
    let prompt = prompt.trim();
    let number = numbers(prompt).filter(|number| number.len() > 1).last()?;
    let is_short = prompt.chars().count() <= SHORT && prompt.lines().count() == 1;
    if is_short { called(prompt, number, reply, NEAR) } else { None }
}

/// A text, behind it what the beginning of a reply calls, in quotes that begin `near`, what has a number.
fn called(text: &str, number: &str, reply: &str, near: usize) -> Option<String> {
    let behind = reply.lines().take(BEGINNING).find_map(|line| {
        let at = numbers_of(line).find(|other| *other == number)?;
        Some(&line[at.as_ptr() as usize - line.as_ptr() as usize + at.len()..])
    })?;
    let name = quoted(behind)?;
    let between = &behind[..name.as_ptr() as usize - behind.as_ptr() as usize];
    let is_of_it = near == usize::MAX || (between.len() <= near && !between.contains(". "));
    is_of_it.then(|| format!("{text}: {name}"))
}

/// The first number of a request or an issue in a text, as it stands there, and where it ends: `#12`, `!12`, `PR 12`.
fn number(text: &str) -> Option<(usize, String)> {
    const KINDS: [&str; 3] = ["pr", "mr", "issue"];
    let digits = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let lower = text.to_ascii_lowercase();
    let marked = text.match_indices(['#', '!']).map(|(at, _)| (at, at + 1));
    let named = KINDS.iter().flat_map(|kind| {
        lower.match_indices(kind).map(|(at, _)| (at, at + kind.len() + 1)).filter(|(at, from)| {
            !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric())
                && text.get(from - 1..*from) == Some(" ")
        })
    });
    let found = marked.chain(named).filter(|(_, from)| digits(*from) > 0);
    let (at, from) = found.min()?;
    let end = from + digits(from);
    Some((end, text[at..end].to_owned()))
}

/// The first thing in quotes that is as long as a title.
fn quoted(text: &str) -> Option<&str> {
    const QUOTES: [(char, char); 5] =
        [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」')];
    let (at, open) = text.char_indices().find(|(_, c)| QUOTES.iter().any(|(open, _)| c == open))?;
    let (_, close) = QUOTES.iter().find(|(first, _)| *first == open)?;
    let inside = &text[at + open.len_utf8()..];
    let called = inside[..inside.find(*close)?].trim();
    (6..=60).contains(&called.chars().count()).then_some(called)
}

/// The branch that a list names: `- Current branch: feat/stamps`.
fn branch(text: &str) -> Option<&str> {
    const LABELS: [&str; 8] =
        ["branch", "branche", "zweig", "rama", "ramo", "ветка", "分支", "브랜치"];
    let mut items =
        text.lines().filter_map(|line| line.strip_prefix("- ")?.split_once([':', '：']));
    items.find_map(|(label, value)| {
        let label = label.to_lowercase();
        let value = value.trim().trim_start_matches('`');
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '#');
        let name = value.split(|c: char| !plain(c)).next().unwrap_or_default();
        let is_branch = LABELS.iter().any(|known| label.contains(known)) && name.contains('/');
        is_branch.then_some(name)
    })
}

/// What a prompt of several paragraphs asks for that begins with whom it is said to: `You are a senior engineer. Examine ...`.
pub(super) fn of_role(prompt: &str) -> Option<&str> {
    const ROLES: [&str; 8] =
        ["you are ", "you're ", "act as ", "du bist ", "tu es ", "eres ", "você é ", "ты "];
    const PARAGRAPHS_AT_LEAST: usize = 4;
    let first = prompt.trim_start().lines().next()?;
    let lower = first.chars().take(8).flat_map(char::to_lowercase).collect::<String>();
    let in_paragraphs = prompt.trim().split("\n\n").count() >= PARAGRAPHS_AT_LEAST;
    if !in_paragraphs || !ROLES.iter().any(|role| lower.starts_with(role)) {
        return None;
    }
    sentences(prompt).into_iter().nth(1).map(|sentence| sentence.text)
}

/// The heading that says what the reply to a document is about: the first one at the two highest levels.
pub(super) fn heading_of_answer(reply: &str) -> Option<&str> {
    headings(reply).filter(|(_, level, _)| *level <= 2).find_map(|(.., text)| telling(text))
}

/// How a last paragraph begins that every use of a command has.
const ORDERS: [&str; 17] = [
    "do not",
    "don't",
    "never",
    "always",
    "return",
    "output",
    "report",
    "respond",
    "reply",
    "answer",
    "be ",
    "use ",
    "keep ",
    "write ",
    "format",
    "make sure",
    "finally",
];
/// What stands before what a person said behind the text of a command.
const LABELS: [&str; 5] = ["focus:", "arguments:", "args:", "scope:", "input:"];

/// What a person said behind the text of a command: the last paragraph, unless it is all that stands below a heading, or
/// orders what every use of it needs.
pub(super) fn said_behind(document: &str) -> Option<&str> {
    let (before, last) = document.trim_end().rsplit_once("\n\n")?;
    let lower = last.chars().take(16).flat_map(char::to_lowercase).collect::<String>();
    let is_prose = last.starts_with(char::is_alphanumeric) && !last.contains("```");
    let below_heading = before.lines().next_back().and_then(heading).is_some();
    let orders = ORDERS.iter().any(|order| lower.starts_with(order));
    let said = LABELS.iter().find_map(|label| behind(last, label)).unwrap_or(last).trim_start();
    (is_prose && !below_heading && !orders).then_some(said)
}

/// Whether a prompt is what a client made of a command: a template with headings, or the text of a skill.
pub(super) fn is_expanded(first: &str, follows_command: bool) -> bool {
    let heading = heading(first).map(|(_, text)| text.trim_end_matches(':').to_lowercase());
    let context = heading.as_deref().is_some_and(|text| text == "context" || text == "your task");
    context || (follows_command && heading.is_some()) || is_text_of_skill(first)
}

/// Whether a prompt, of which this is the first line, is the text of a skill, which clients hand over in the user's name.
pub(crate) fn is_text_of_skill(first: &str) -> bool {
    let path = first.strip_prefix("Base directory for this skill: ");
    path.is_some_and(|path| {
        let drive = path.as_bytes().get(1) == Some(&b':');
        drive || path.starts_with(['/', '~', '\\'])
    })
}

/// The heading that says what a reply is about: at the top level, at its beginning, or with a number of the prompt.
pub(super) fn heading_of_reply<'a>(reply: &'a str, prompt: &str) -> Option<&'a str> {
    let numbers: Vec<&str> = numbers(prompt).collect();
    let told = |place: usize, level: usize, text: &str| {
        level == 1
            || place == 0
            || (level <= 3 && numbers_of(text).any(|number| numbers.contains(&number)))
    };
    let mut headings = headings(reply.trim_start());
    headings.find_map(|(place, level, text)| telling(text).filter(|_| told(place, level, text)))
}

/// A heading without marks, where it names more than a part of a reply.
fn telling(heading: &str) -> Option<&str> {
    let text = heading.trim_matches(['*', '#', ':', ' ']);
    let first = text.split([' ', ':']).next().unwrap_or_default().to_lowercase();
    let is_part = PARTS.contains(&first.as_str());
    (!is_part && strength(&with_short_paths(text), &Echo::of("")) >= 2.0).then_some(text)
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    numbers_of(text.lines().next().unwrap_or_default())
}

pub(super) fn numbers_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty())
}

/// The headings of a text outside of code: the line of each, its level and its words.
fn headings(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let fenced = fence::code_lines(text);
    text.lines().enumerate().filter_map(move |(place, line)| {
        let (level, words) = heading(line)?;
        let code = fenced.get(place).is_some_and(|code| *code);
        (!code).then_some((place, level, words))
    })
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('\\').trim_start_matches('#');
    let level = line.trim_start_matches('\\').len() - text.len();
    let set_off = text.starts_with(' ') && !text.trim().is_empty();
    ((1..=6).contains(&level) && set_off).then(|| (level, text.trim()))
}
