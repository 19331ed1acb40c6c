//! What a sitting was about, told from what was said in it: a title of one line, in the words of whoever spoke.
//!
//! A title is a part of one sentence of the first real prompt, because a quotation is never wrong about what was
//! asked and can be read in any language. Which sentence, and which part of it, is decided by the words that the reply
//! repeats. Prompts that ask for nothing by themselves are passed over: go-aheads, commands and what a client
//! makes of them, pasted output. Where no prompt is left, the reply gives the title: its heading, else a sentence.
//!
//! What clients call their sessions is not looked for here; it comes with the conversation.

mod pasted;
mod prose;
mod weigh;
mod words;

use std::ops::ControlFlow;

use super::entry::Kind;
use crate::markdown::lead::is_unseen;
use crate::text::without_lone_brackets;
use weigh::{Echo, best};

/// The most characters of a title.
const LIMIT: usize = 80;
/// How many turns are looked at: a sitting that says nothing in these will not say it later.
const TURNS: usize = 60;
/// How much of each prompt is looked at, in bytes.
const LENGTH: usize = 16 * 1024;
/// A prompt that tells this much needs no other beside it: a word that the reply repeats, and some that it does not.
const ENOUGH: f64 = 1.1;
/// How many prompts that tell less are weighed against each other, and what each further one costs.
const WEAK_PROMPTS: usize = 3;
const LATER: f64 = 0.8;

/// How much of all replies to a prompt.
const REPLY_LENGTH: usize = 64 * 1024;

/// One turn of a sitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    /// whether the person said it
    pub by_user: bool,
    /// the words, as they stand in a log or a transcript
    pub words: &'a str,
}

/// The title of a sitting, from its turns in their order: one line of at most 80 characters. `None` where nothing in
/// them tells what it was about. Brackets are not escaped.
///
/// ```
/// use hipocampus::memory::title::{Said, title_of};
///
/// let said = |by_user, words| Said { by_user, words };
/// let turns = [
///     said(true, "yes"),
///     said(false, "Continuing."),
///     said(true, "OK, can you please fix the login redirect? It loops after a logout."),
///     said(false, "The redirect of the login kept its old target. Fixed."),
/// ];
/// assert_eq!(title_of(turns).as_deref(), Some("fix the login redirect"));
/// ```
pub fn title_of<'a>(turns: impl IntoIterator<Item = Said<'a>>) -> Option<String> {
    let mut search = Search::default();
    let mut prompt: Option<&str> = None;
    let mut reply = String::new();
    for said in turns.into_iter().take(TURNS) {
        if said.by_user {
            if let Some(before) = prompt.replace(said.words)
                && let ControlFlow::Break(title) = search.look(start_of(before), &reply)
            {
                return tidy(&title);
            }
            reply.clear();
        } else if reply.len() < REPLY_LENGTH {
            reply.push_str(start_of(said.words));
            reply.push_str("\n\n");
        }
    }
    if let Some(last) = prompt
        && let ControlFlow::Break(title) = search.look(start_of(last), &reply)
    {
        return tidy(&title);
    }
    let weak = search.weak.map(|(_, title)| title);
    weak.or(search.reply).or(search.command).and_then(|title| tidy(&title))
}

/// Whether a title tells nothing but which one it is: `Session 12`, `Note 17`, `회의 3`, `conv-43-29`, a date, an id, or
/// the name a client gives to every session.
pub fn only_counts(title: &str) -> bool {
    let title = title.trim();
    let counts = |word: &str| word.chars().any(char::is_numeric);
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (mut all, mut named, mut uncounted, mut ids) = (0, 0, 0, 0);
    for word in words {
        all += 1;
        if word.chars().any(char::is_alphabetic) {
            named += 1;
            // Every id has a digit in it.
            if counts(word) {
                ids += usize::from(words::is_id(word));
            } else {
                uncounted += 1;
            }
        }
    }
    let is_default = ["new session", "new chat", "new conversation", "untitled", "child session"]
        .iter()
        .any(|name| title.get(..name.len()).is_some_and(|lead| lead.eq_ignore_ascii_case(name)));
    match named {
        0 => true,
        _ if is_default => uncounted <= 2,
        1 => all > 1 || ids == 1,
        _ => ids == named,
    }
}

/// What was found so far.
#[derive(Default)]
struct Search {
    /// the first command that has arguments
    command: Option<String>,
    /// the best of the prompts that tell little, and how much it tells
    weak: Option<(f64, String)>,
    /// how many of these there were
    weak_prompts: usize,
    /// what the reply to something that is no prompt says
    reply: Option<String>,
    /// whether the last one was a command or what a client made of it
    expands: bool,
}

impl Search {
    /// Looks at a prompt and the reply to it; breaks with the title.
    fn look(&mut self, prompt: &str, reply: &str) -> ControlFlow<String> {
        if let Some(heading) = prose::planned(prompt) {
            return ControlFlow::Break(heading.to_owned());
        }
        let follows_command = std::mem::take(&mut self.expands);
        let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        let echo = Echo::of(reply);
        let command = prose::command(first);
        let expanded = command.is_none() && prose::is_expanded(first, follows_command);
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
            self.command.get_or_insert_with(|| first.to_owned());
        } else if !expanded && let Some((tells, title)) = Self::asked(prompt, &echo) {
            // What comes after a command is about what the command has begun.
            if let Some(command) = self.command.take() {
                return ControlFlow::Break(command);
            }
            return self.weigh(tells, title);
        }
        self.expands = expanded || command.is_some();
        if self.weak.is_some() {
            // Something was asked, so what stands in a reply to a go-ahead is not what it was about.
            return ControlFlow::Continue(());
        }
        let about = self.command.as_deref().filter(|_| self.expands).unwrap_or(first);
        if let Some(heading) = prose::heading_of_reply(reply, about) {
            return ControlFlow::Break(heading.to_owned());
        }
        if let (Some(command), false) = (&self.command, self.expands) {
            return ControlFlow::Break(command.clone());
        }
        if self.reply.is_none() && self.command.is_none() {
            let told = prose::sentences(reply);
            let told = best(told.iter().filter(|told| prose::tells(told.text)), &echo, 0.05);
            self.reply = told.map(|(_, title)| title);
            // `address 12, 14` asks for something; `yes` may stand before what is really asked.
            if !expanded && prompt.chars().any(char::is_numeric) && self.reply.is_some() {
                return ControlFlow::Break(self.reply.take().unwrap_or_default());
            }
        }
        ControlFlow::Continue(())
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
        best(prose::sentences(prompt).iter(), echo, 0.15)
    }
}

/// As much of a turn as is looked at.
fn start_of(words: &str) -> &str {
    let end = (0..=words.len().min(LENGTH)).rev().find(|end| words.is_char_boundary(*end));
    &words[..end.unwrap_or(0)]
}

/// One line of what is seen, without marks around it and without the type of an entry behind it, cut at a word.
fn tidy(title: &str) -> Option<String> {
    let seen: String = title.chars().filter(|c| c.is_whitespace() || !is_unseen(*c)).collect();
    let title = seen.replace("**", "").split_whitespace().collect::<Vec<_>>().join(" ");
    let is_mark = |c: char| matches!(c, '*' | '#' | '_' | ' ' | ':' | ',' | ';' | '\\');
    let mut title = title.trim_matches(is_mark);
    // A reply may quote the heading of an entry.
    while let Some((before, word)) = title.strip_suffix(']').and_then(|t| t.rsplit_once('['))
        && Kind::parse(word).is_some()
    {
        title = before.trim_matches(is_mark);
    }
    let cut = without_lone_brackets(&weigh::shortened(title, LIMIT));
    (cut.chars().any(char::is_alphanumeric) && !only_counts(&cut)).then_some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns by turns: the person's first.
    fn title(turns: &[&str]) -> Option<String> {
        let said = |(place, words): (usize, &&'static str)| Said { by_user: place % 2 == 0, words };
        let owned: Vec<&'static str> =
            turns.iter().map(|words| String::leak((*words).to_owned()) as &_).collect();
        title_of(owned.iter().enumerate().map(said))
    }

    #[test]
    fn a_title_is_what_was_asked() {
        fn check(turns: &[&str], expect: Option<&str>) {
            assert_eq!(title(turns).as_deref(), expect, "{turns:?}");
        }
        check(
            &[
                "ok, can you fix the tariff parser? It drops rows.",
                "The tariff parser skipped rows.",
            ],
            Some("fix the tariff parser"),
        );
        // Go-aheads, thanks and marks of images ask for nothing.
        check(
            &[
                "yes",
                "Going on.",
                "thanks!",
                "Welcome.",
                "[Image #1] why does the sidebar cover the footer?",
            ],
            Some("why does the sidebar cover the footer"),
        );
        check(
            &["look at this", "\u{feff}## Always push the tariffs [feedback]\n- rule: push"],
            Some("Always push the tariffs"),
        );
        check(&["thanks!", "You are welcome."], None);
        check(&[], None);
        check(
            &[
                "Implement the following plan:\n\n# Plan: cache the tariff table\n\n## Context\n\nSlow.",
            ],
            Some("cache the tariff table"),
        );
        // A command is named as it was typed, unless the reply says what it was about.
        check(&["/pr-review 222", "The diff is large."], Some("/pr-review 222"));
        check(
            &["/pr-review 222", "Reading.\n\n## PR #222: cache the tariff table\n\nFine."],
            Some("PR #222: cache the tariff table"),
        );
        check(
            &[
                "/pr-review 222",
                "",
                "## Context\n\n- Current status: title:\tCache the tariff table\nstate:\tOPEN\n\n## Your task\n\nReview it.",
                "I have read it.",
            ],
            Some("/pr-review 222: Cache the tariff table"),
        );
        check(
            &[
                "## Context\n\n- Current git status: On branch x",
                "# Code review: the tariff parser\n\nFine.",
            ],
            Some("Code review: the tariff parser"),
        );
        check(
            &[
                "address 12, 14",
                "I'll fix those.\n\n- Renamed `load` to `readTariff` in the parser\n- Done",
            ],
            Some("Renamed `load` to `readTariff` in the parser"),
        );
        // What was pasted is not what was asked.
        check(
            &[
                "Traceback (most recent call last):\n  File \"x.py\", line 3\nKeyError: row\n\nwhy does the import crash?",
            ],
            Some("why does the import crash"),
        );
        check(
            &["```\nold parser code\n```\nreplace the regex by a parser", "The regex is gone."],
            Some("replace the regex by a parser"),
        );
        check(&["move src/a.rs to src/b.rs", "Moved."], Some("move src/a.rs to src/b.rs"));
    }

    #[test]
    fn any_language_has_titles() {
        fn check(go_ahead: &str, asked: &str, reply: &str, expect: &str) {
            let found = title(&[go_ahead, "…", asked, reply]);
            assert_eq!(found.as_deref(), Some(expect), "{asked}");
        }
        check(
            "네 계속해줘",
            "로그인 후에 리다이렉트가 무한 반복돼. 고쳐줘",
            "로그인 리다이렉트가 이전 대상을 유지하고 있었습니다.",
            "로그인 후에 리다이렉트가 무한 반복돼",
        );
        check(
            "好的，继续",
            "请修复登录页面的重定向循环问题。",
            "登录页面的重定向保留了旧目标，已修复。",
            "请修复登录页面的重定向循环问题",
        );
        check(
            "はい、続けて",
            "ログイン画面のリダイレクトが無限ループします。直してください",
            "ログイン後のリダイレクト先が残っていました。",
            "ログイン画面のリダイレクトが無限ループします",
        );
        check(
            "да, продолжай",
            "Исправь перенаправление после входа! Оно зациклилось.",
            "Перенаправление после входа хранило старую цель.",
            "Исправь перенаправление после входа",
        );
        check(
            "ja, mach weiter",
            "Repariere bitte die Umleitung nach der Anmeldung. Sie läuft im Kreis.",
            "Die Umleitung der Anmeldung behielt ihr altes Ziel.",
            "Repariere bitte die Umleitung nach der Anmeldung",
        );
    }

    #[test]
    fn a_long_sentence_is_cut_where_it_can_be_read() {
        let long = "add a cache for the tariff table so that the nightly import does not read all of it again, \
            and please write tests for the expiry of its entries, too";
        let found =
            title(&[long, "The cache of the tariff table expires after six hours."]).unwrap();
        assert_eq!(
            found,
            "add a cache for the tariff table so that the nightly import does not read"
        );
        let long = "요금표를 ".repeat(60);
        assert!(title(&[&long, "요금표"]).is_none_or(|title| title.chars().count() <= LIMIT));
        let long = "重新读取价格表速度非常慢".repeat(20);
        assert!(title(&[&long, "价格表"]).unwrap().chars().count() <= LIMIT);
    }

    #[test]
    fn titles_that_only_count_are_none() {
        for none in [
            "Session 12",
            "Note 17",
            "회의 3",
            "conv-43-29",
            "2026-03-15",
            "2026-03-15 14:02",
            "f805e355",
            "#12",
            "",
            "New session - 2026-11-20T10:31:05.073Z",
            "019c7bbe-080b-7841-a755-9771f4a0e3d6",
            "Untitled",
        ] {
            assert!(only_counts(none), "{none}");
        }
        for title in
            ["fix the login", "Login", "로그인", "Phase 3 watcher", "sqlite3", "회의 3 예산"]
        {
            assert!(!only_counts(title), "{title}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_turns_give_a_short_line_or_none(turns in proptest::collection::vec(".{0,200}", 0..6)) {
            let said = turns.iter().enumerate().map(|(place, words)| Said { by_user: place % 2 == 0, words });
            if let Some(title) = title_of(said) {
                proptest::prop_assert!(title.chars().count() <= LIMIT && !title.contains('\n'));
                proptest::prop_assert!(title.chars().any(char::is_alphanumeric));
            }
        }
    }
}
