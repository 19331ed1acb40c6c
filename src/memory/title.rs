//! What a sitting was about, told from what was said in it: a title of one line, in the words of whoever spoke.
//!
//! A title is a part of one sentence of the first real prompt, because a quotation is never wrong about what was
//! asked and can be read in any language. Which sentence, and which part of it, is decided by the words that the reply
//! repeats. Prompts that ask for nothing by themselves are passed over: go-aheads, commands and what a client
//! makes of them, pasted output. Where no prompt is left, the reply gives the title: its heading, else a sentence.
//!
//! What clients call their sessions is not looked for here; it comes with the conversation.

mod aside;
mod headings;
mod pasted;
mod paths;
mod prose;
mod steps;
mod theme;
mod weigh;
mod words;

use std::ops::ControlFlow;

use super::entry::EntryType;
use super::quoted::own_words;
use super::topics::is_common;
use crate::markdown::lead::is_unseen;
use crate::text::{behind, single_spaced, start, without_lone_brackets};
pub(crate) use headings::is_text_of_skill;
pub(in crate::memory) use prose::{ends_sentence_before, without_lead};
use weigh::{Echo, Said, best};
pub(in crate::memory) use words::telling as telling_words;

/// The most characters of a title.
const LIMIT: usize = 80;
/// How many turns are looked at: a sitting that says nothing in these will not say it later.
const TURNS: usize = 60;
/// How much of each prompt is looked at, in bytes.
const LENGTH: usize = 16 * 1024;
/// A prompt that tells this much needs no other beside it: a word that the reply repeats, and some that it does not.
const ENOUGH: f64 = 1.1;
/// So does one of which the title has this many words that say what it is about, whatever the reply repeats of them.
const PLAIN: f64 = 3.0;
/// How many prompts that tell less are weighed against each other, and what each further one costs.
const WEAK_PROMPTS: usize = 3;
const LATER: f64 = 0.8;
/// What an answer to something that was asked in an earlier sitting tells of this one.
const ANSWER: f64 = 0.4;

/// How much of all replies to a prompt.
const REPLY_LENGTH: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpokenTurn<'a> {
    /// whether the person said it
    pub by_user: bool,
    /// the words, as they stand in a log or a transcript
    pub words: &'a str,
}

/// A title that turns give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Title {
    /// one line of at most 80 characters; brackets are not escaped
    pub text: String,
    /// whether it stays whatever is said behind these turns
    pub is_settled: bool,
}

/// What a person said, and all that was said to it.
#[derive(Debug)]
struct Exchange<'a> {
    prompt: &'a str,
    reply: String,
}

/// How many exchanges may be dealt with before the matter.
const ASIDES: usize = 3;

/// The title of a sitting, from its turns in their order. `None` where nothing in them tells what it was about.
pub(crate) fn title_of<'a>(turns: impl IntoIterator<Item = SpokenTurn<'a>>) -> Option<Title> {
    let mut exchanges: Vec<Exchange<'a>> = Vec::new();
    let mut answers = false;
    let mut is_about_client = false;
    for (at, said) in turns.into_iter().take(TURNS).enumerate() {
        answers |= at == 0 && !said.by_user;
        if said.by_user {
            is_about_client = prose::is_about_client(said.words.trim());
            if !is_about_client {
                exchanges.push(Exchange { prompt: said.words, reply: String::new() });
            }
        } else if let Some(Exchange { reply, .. }) = exchanges.last_mut()
            && !is_about_client
            && reply.len() < REPLY_LENGTH
        {
            reply.push_str(&own_words(start_of(said.words)));
            reply.push_str("\n\n");
        }
    }
    let (mut from, mut asides) = (0, 0);
    let found = loop {
        let rest = &exchanges[from..];
        let first = aside::first(rest);
        let own = title_in(first, answers && from == 0, first.len() < rest.len());
        if asides < ASIDES && aside::is_aside(own.as_ref().map(|own| &*own.text), rest) {
            asides += 1;
            from += first.len();
            continue;
        }
        break own
            .filter(|own| own.is_settled)
            .or_else(|| title_in(rest, answers && from == 0, false));
    };
    let found = found.or_else(|| title_in(&exchanges, answers, false))?;
    let is_whole = exchanges.len() > from + aside::WINDOW;
    let text = theme::with_theme(found.text, &exchanges[from..]);
    Some(Title { is_settled: found.is_settled && is_whole, text })
}

/// The title that exchanges give, as if nothing else was said. `answers`: whether the first prompt answers what was asked before
/// them; `followed`: whether others follow, so that no more will be said of the last one.
fn title_in(exchanges: &[Exchange<'_>], answers: bool, followed: bool) -> Option<Title> {
    let mut search = Search { answers, ..Search::default() };
    for (at, Exchange { prompt, reply }) in exchanges.iter().enumerate() {
        let is_whole = followed || at + 1 < exchanges.len();
        if let ControlFlow::Break(title) = search.look(prompt, reply)
            && let Some(title) = Title::new(&title, is_whole)
        {
            return Some(title);
        }
    }
    let weak = search.weak.map(|(_, title)| title);
    let told = [weak, search.reply, search.command, search.little];
    told.into_iter().flatten().find_map(|title| Title::new(&title, false))
}

impl Title {
    fn new(found: &str, is_settled: bool) -> Option<Self> {
        tidy(found).map(|text| Self { text, is_settled })
    }
}

/// Whether a title only numbers or names its session: `Session 12`, `Note 17`, `회의 3`, `conv-43-29`, a date, an id, or
/// the name a client gives to every session.
pub(crate) fn only_counts(title: &str) -> bool {
    let title = title.trim();
    if has_plain_words(title) {
        return false;
    }
    let counts = |word: &str| word.chars().any(char::is_numeric);
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_default = || {
        ["new session", "new chat", "new conversation", "untitled", "child session"]
            .iter()
            .any(|name| behind(title, name).is_some())
    };
    let (mut all, mut named, mut uncounted, mut ids) = (0, 0, 0, 0);
    for word in words {
        if is_phrase(word) {
            return false;
        }
        all += 1;
        if word.chars().any(char::is_alphabetic) {
            named += 1;
            // Every id has a digit in it.
            if counts(word) {
                ids += usize::from(words::is_id(word));
            } else {
                uncounted += 1;
                // Two words without a number name something, and so does any third one.
                if uncounted > 2 || uncounted == 2 && !is_default() {
                    return false;
                }
            }
        }
    }
    match named {
        0 => true,
        _ if is_default() => true,
        1 => all > 1 || ids == 1,
        _ => ids == named,
    }
}

/// Whether what stands between two blanks is several words of a script that sets none between them: `本番デプロイ`, not `会議`
/// and not `ミーティング`. It changes from one of the scripts of Japanese to another, or has more Chinese characters in a row
/// than a word has.
fn is_phrase(word: &str) -> bool {
    const WORD: usize = 4;
    let script = |c: char| match c {
        'a'..='z' | 'A'..='Z' => 1,
        'ぁ'..='ゖ' => 2,
        'ァ'..='ヺ' => 3,
        c if words::is_ideograph(c) => 4,
        _ => 0,
    };
    if word.is_ascii() {
        return false;
    }
    let mut scripts = word.chars().map(script).filter(|script| *script > 0);
    let Some(first) = scripts.next() else { return false };
    scripts.any(|script| script != first)
        || word.split(|c| script(c) != 4).any(|run| run.chars().count() > WORD)
}

/// Whether a title begins with two words of letters, which name something whatever stands behind them, and is no name that a
/// client gives. Most do.
fn has_plain_words(title: &str) -> bool {
    let mut words = title.as_bytes().splitn(3, |byte| *byte == b' ');
    let mut plain = || {
        words.next().is_some_and(|word| {
            word.first().is_some_and(u8::is_ascii_alphabetic)
                && word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
        })
    };
    let may_be_given = title.as_bytes().first().is_some_and(|first| b"nucNUC".contains(first));
    !may_be_given && plain() && plain()
}

#[derive(Default)]
struct Search {
    /// the first command that has arguments
    command: Option<String>,
    /// the best of the prompts that tell little, and how much it tells
    weak: Option<(f64, String)>,
    /// how many of these there were
    weak_prompts: usize,
    /// what a go-ahead names by its number or a file and a template as its task, else what the reply says
    reply: Option<String>,
    /// where nothing is asked that tells enough: the answer to an earlier question, else what the reply says it is about
    /// to do or did
    little: Option<String>,
    /// whether the last one was a command or what a client made of it
    expands: bool,
    /// whether the next prompt is the first one and answers what was asked before these turns
    answers: bool,
}

impl Search {
    /// Looks at a prompt and the reply to it; breaks with the title.
    fn look(&mut self, whole: &str, reply: &str) -> ControlFlow<String> {
        let prompt = start_of(whole);
        if let Some(heading) = headings::planned(prompt) {
            return ControlFlow::Break(heading.to_owned());
        }
        if self.weak.is_none()
            && let Some(title) = steps::goes_on(prompt, reply)
        {
            return ControlFlow::Break(title);
        }
        let follows_command = std::mem::take(&mut self.expands);
        if !follows_command && let Some(title) = Self::of_document(prompt, reply) {
            return ControlFlow::Break(title);
        }
        let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        let echo = Echo::of(reply);
        let is_aside = prose::only_answers_earlier(prompt);
        let answers = std::mem::take(&mut self.answers);
        let command = prose::command(first);
        let expanded = command.is_none() && headings::is_expanded(first, follows_command);
        if expanded
            && follows_command
            && let (Some(command), Some(subject)) = (&mut self.command, prose::subject(prompt))
        {
            *command = format!("{command}: {subject}");
        }
        if let Some(arguments) = command {
            if let Some((_, title)) = Self::asked(arguments, &echo) {
                return ControlFlow::Break(title);
            }
            self.command = self.command.take().or_else(|| headings::of_command(first, reply));
        } else if !expanded && let Some((tells, title)) = Self::asked(prompt, &echo) {
            // What comes after a command is about what the command has begun.
            if let Some(command) = self.command.take() {
                return ControlFlow::Break(command);
            }
            if !is_aside && (!answers || tells * ANSWER >= ENOUGH) {
                let is_first = self.weak.is_none() && !answers;
                let plain =
                    is_first && (weigh::strength(&title, &echo) >= PLAIN || weigh::is_long(prompt));
                let tells = if plain { tells.max(ENOUGH) } else { tells };
                let title = with_topic(with_number(title, prompt), prompt, reply);
                let title = with_first_item(title, prompt);
                let title = with_error(title, prompt, &echo);
                return self.weigh(tells, title);
            }
            self.little = Some(title);
            if is_aside {
                return ControlFlow::Continue(());
            }
        }
        self.expands = expanded || command.is_some();
        if self.weak.is_some() {
            // Something was asked, so what stands in a reply to a go-ahead is not what it was about.
            return ControlFlow::Continue(());
        }
        // A go-ahead lets the command before it go on.
        let about = self.command.as_deref().unwrap_or(first);
        if let Some(heading) = headings::heading_of_reply(reply, about) {
            return ControlFlow::Break(heading.to_owned());
        }
        if let (Some(command), false) = (&self.command, self.expands) {
            return ControlFlow::Break(command.clone());
        }
        if self.reply.is_none() && self.command.is_none() {
            let named = if expanded { prose::task(whole) } else { weigh::named(prompt) };
            if named.is_some() {
                self.reply = named;
                return ControlFlow::Continue(());
            }
            if let (false, Some(title)) = (expanded, headings::of_number(prompt, reply)) {
                return ControlFlow::Break(title);
            }
            if let Some(error) =
                pasted::reported_error(prompt).filter(|error| weigh::strength(error, &echo) >= 2.0)
            {
                return ControlFlow::Break(weigh::shortened(error, LIMIT));
            }
            let said = prose::sentences(reply);
            let numbers = weigh::numbers(prompt);
            let told = || said.iter().filter(|told| prose::tells(told.text));
            let named = told().filter(|told| weigh::has_number(told.text, &numbers));
            let told = best(named, &echo, Said::Reply).or_else(|| best(told(), &echo, Said::Reply));
            self.reply = told.map(|(_, title)| title);
            if self.reply.is_none() && self.little.is_none() && !expanded {
                self.little = weigh::undertaken(&said);
            }
            // `address 12, 14` asks for something; `yes` may stand before what is really asked.
            let own = || prose::sentences(prompt).into_iter().map(|one| one.text);
            let has_number = || own().any(|text| text.chars().any(char::is_numeric));
            // So does what was pasted, if the reply speaks of it.
            let is_of_it = |title: &str| {
                prompt.chars().any(char::is_numeric) && weigh::echoed(title, &Echo::of(prompt)) > 0
            };
            if !expanded
                && let Some(title) = self.reply.take_if(|title| has_number() || is_of_it(title))
            {
                return ControlFlow::Break(title);
            }
        }
        ControlFlow::Continue(())
    }

    /// What a document is called: after a heading of the reply, else after its own, or what it asks for first, and what is
    /// said behind it.
    fn of_document(prompt: &str, reply: &str) -> Option<String> {
        let own = headings::of_document(prompt).or_else(|| headings::of_role(prompt))?;
        if let Some(told) = headings::heading_of_answer(reply) {
            return Some(told.to_owned());
        }
        let asked =
            headings::said_behind(prompt).and_then(|said| Self::asked(said, &Echo::of(reply)));
        Some(match asked {
            Some((_, asked)) if own.chars().count() * 2 > LIMIT => asked,
            Some((_, asked)) => format!("{own}: {asked}"),
            None => headings::with_reference(own, prompt, reply),
        })
    }

    /// Takes a prompt that tells enough, and keeps one that tells less until there is a better one.
    fn weigh(&mut self, tells: f64, title: String) -> ControlFlow<String> {
        let place = i32::try_from(self.weak_prompts).unwrap_or(i32::MAX);
        let tells = tells * LATER.powi(place);
        self.weak_prompts += 1;
        if self.weak.as_ref().is_none_or(|(most, _)| tells > *most) {
            self.weak = Some((tells, title));
        }
        match self.weak.take() {
            Some((most, title)) if most >= ENOUGH || self.weak_prompts >= WEAK_PROMPTS => {
                ControlFlow::Break(title)
            }
            weak => {
                self.weak = weak;
                ControlFlow::Continue(())
            }
        }
    }

    /// What a prompt asks for, and how much that tells; `None` where it is a go-ahead.
    fn asked(prompt: &str, echo: &Echo) -> Option<(f64, String)> {
        weigh::best_of_prompt(prompt, echo)
    }
}

/// A title with the number of what it speaks of, where that stands in the prompt as an address alone.
fn with_number(title: String, prompt: &str) -> String {
    const KINDS: [(&str, &str); 4] = [
        ("pull request", "/pull/"),
        ("pr", "/pull/"),
        ("merge request", "/merge_requests/"),
        ("issue", "/issues/"),
    ];
    let words = format!(" {} ", single_spaced(&title.to_lowercase()));
    let speaks_of = |name: &str| words.contains(&format!(" {name} "));
    let (_, place) = match KINDS.iter().find(|(name, _)| speaks_of(name)) {
        Some(kind) if !title.contains(|c: char| c.is_ascii_digit()) => kind,
        _ => return title,
    };
    let Some((_, behind)) = prompt.split_once(place) else { return title };
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = format!("{title} #{}", &behind[..digits]);
    if digits == 0 || numbered.chars().count() > LIMIT { title } else { numbered }
}

/// A title behind what the prompt names first in a few words, of which the reply has one: `printerd updates. …`.
fn with_topic(title: String, prompt: &str, reply: &str) -> String {
    const WORDS: usize = 3;
    let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let first = prose::without_lead(first.trim());
    let end = first.find(['.', '!', ':', '?', '。']).unwrap_or(first.len());
    let (topic, behind) = first.split_at(end);
    let ends = [". ", "! ", "。"].iter().any(|mark| behind.starts_with(mark));
    let lower = topic.to_lowercase();
    let mut named = lower.split_whitespace().filter(|word| !words::is_routine(word));
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/' | '#');
    let is_name = ends
        && topic.split_whitespace().count() <= WORDS
        && topic.chars().count() <= LIMIT / 4
        && topic.chars().all(is_plain)
        && topic.chars().any(char::is_alphabetic)
        && named.clone().all(|word| !has_word(&title.to_lowercase(), word))
        && named.any(|word| !is_common(word) && has_word(&reply.to_lowercase(), word));
    if is_name { weigh::shortened(&format!("{topic}: {title}"), LIMIT) } else { title }
}

/// A title of which the reply takes up hardly a word, behind the error that was pasted beside it:
/// `database is locked: three this morning`.
fn with_error(title: String, prompt: &str, echo: &Echo) -> String {
    let echoed = weigh::echoed(&title, echo);
    if echoed > 1 {
        return title;
    }
    let Some(error) = pasted::reported_error(prompt).map(pasted::at_heart) else { return title };
    let says =
        weigh::strength(error, echo) >= 2.0 && (echoed == 0 || weigh::echoed(error, echo) > 0);
    // What is more than words says where the program was.
    let is_plain = !error.contains(['=', '/', '{', '(', '<']) && !error.ends_with(':');
    let fits = error.chars().count() * 2 <= LIMIT + LIMIT / 4;
    if says && is_plain && fits && !title.contains(error) {
        weigh::shortened(&format!("{error}: {title}"), LIMIT)
    } else {
        title
    }
}

/// A short title that says little but leads to a list, and behind it what stands there first: `three things for the editor: …`.
fn with_first_item(title: String, prompt: &str) -> String {
    let says_much = weigh::strength(&title, &Echo::of("")) >= PLAIN;
    if says_much || title.chars().count() * 2 > LIMIT {
        return title;
    }
    match prose::first_item(prompt, &title) {
        Some(first) => weigh::shortened(&format!("{title}: {first}"), LIMIT),
        None => title,
    }
}

/// Whether a word, or a part of a text without blanks between words, stands in a text.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
        apart(text[..at].chars().next_back()) && apart(text[at + word.len()..].chars().next())
    })
}

/// As much of a turn as is looked at.
fn start_of(words: &str) -> &str {
    start(words, LENGTH)
}

/// One line of what is seen, without marks around it and without the type of an entry behind it, cut at a word.
fn tidy(title: &str) -> Option<String> {
    let seen: String = title.chars().filter(|c| c.is_whitespace() || !is_unseen(*c)).collect();
    let title = single_spaced(&seen.replace("**", ""));
    let is_mark = |c: char| matches!(c, '*' | '#' | '_' | ' ' | ':' | ',' | ';' | '\\');
    let mut title = title.trim_matches(is_mark);
    // A reply may quote the heading of an entry.
    while let Some((before, word)) = title.strip_suffix(']').and_then(|t| t.rsplit_once('['))
        && EntryType::parse(word).is_some()
    {
        title = before.trim_matches(is_mark);
    }
    let cut = without_lone_brackets(&weigh::shortened(title, LIMIT));
    (cut.chars().any(char::is_alphanumeric) && !only_counts(&cut)).then_some(cut)
}

#[cfg(test)]
mod tests;
