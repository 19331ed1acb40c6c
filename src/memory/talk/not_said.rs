//! Turns of persons that are no words of theirs: the text of a skill, a prompt that was cut off and sent again.

use super::noise::is_pasted;
use super::passage::pasted_left_out;
use super::turns::Turn;
use crate::memory::entry::EntryLine;
use crate::memory::title::is_text_of_skill;
use crate::memory::topics::is_cjk;

/// In fewer words than this somebody may well say the same twice.
const WORDS: usize = 6;
/// A word in a script without blanks has about so many characters.
const CHARACTERS: usize = 2;
/// How many turns on a prompt is sent again: pictures may stand between, and few people try more often.
const TURNS: usize = 4;
/// With so many words more it is a document, which tells less of what its person wants than the prompt by itself.
const MORE: usize = 200;

/// The lines of a turn that its person says there.
pub(super) fn said<'t, 'a>(turns: &'t [Turn<'_, 'a>], at: usize) -> &'t [EntryLine<'a>] {
    let (turn, after) = (&turns[at], &turns[at + 1..]);
    if !turn.voice.is_person() {
        return &turn.lines;
    }
    if is_of_skill(turn) {
        return &turn.lines[arguments(&turn.lines).unwrap_or(turn.lines.len())..];
    }
    if is_sent_again(turn, after) { &[] } else { &turn.lines }
}

/// Clients hand over what a skill says as if the user had typed it.
fn is_of_skill(turn: &Turn<'_, '_>) -> bool {
    let first = turn.lines.iter().map(|line| line.text.trim()).find(|text| !text.is_empty());
    first.is_some_and(is_text_of_skill)
}

/// Where in a turn that is the text of a skill stands what the user typed behind its name: below all of it.
pub(crate) fn arguments(lines: &[EntryLine<'_>]) -> Option<usize> {
    lines.iter().rposition(|line| !line.code && line.text.starts_with("ARGUMENTS:"))
}

/// Whether the same person says the same again, or more, before anybody answers. The last word may be cut.
fn is_sent_again(turn: &Turn<'_, '_>, after: &[Turn<'_, '_>]) -> bool {
    let mut again = after.iter().take(TURNS).take_while(|later| later.voice == turn.voice);
    again.any(|later| begins_with(later, turn))
}

/// Whether a turn begins with the words of another one, in lines that are told, and has not many more.
fn begins_with(turn: &Turn<'_, '_>, other: &Turn<'_, '_>) -> bool {
    // Most others begin with another word.
    if !first_word(turn).starts_with(first_word(other)) {
        return false;
    }
    let lines = pasted_left_out(&turn.lines, true);
    let told = lines.iter().filter(|line| !line.code && !is_pasted(line.text));
    let mut own = words(told);
    let mut others = words(other.lines.iter()).peekable();
    let mut count = 0;
    while let Some(expect) = others.next() {
        let Some(word) = own.next() else { return false };
        let is_last = others.peek().is_none();
        if word != expect && !(is_last && is_cut(expect, word)) {
            return false;
        }
        count += 1 + word.chars().filter(|c| is_cjk(*c)).count() / CHARACTERS;
    }
    count >= WORDS && own.nth(MORE).is_none()
}

/// Whether a word is the beginning of another one. `1` is none of `16`, `release` none of `release.sh`.
fn is_cut(part: &str, word: &str) -> bool {
    let goes_on = word.strip_prefix(part).and_then(|rest| rest.chars().next());
    // Scripts without blanks have a mark of their own between two sentences.
    goes_on.is_some_and(|c| c.is_alphabetic() || !c.is_ascii())
        && !part.ends_with(|c: char| c.is_ascii_digit())
}

fn first_word<'t>(turn: &'t Turn<'_, '_>) -> &'t str {
    words(turn.lines.iter()).next().unwrap_or_default()
}

fn words<'t>(lines: impl Iterator<Item = &'t EntryLine<'t>>) -> impl Iterator<Item = &'t str> {
    lines.flat_map(|line| line.text.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::talk::Voice;

    fn turn<'a>(voice: Voice<'a>, text: &'a str) -> Turn<'a, 'a> {
        Turn { voice, lines: text.lines().map(|text| EntryLine { text, code: false }).collect() }
    }

    #[test]
    fn a_prompt_sent_again_is_said_once() {
        fn check(first: &str, between: Option<(Voice<'_>, &str)>, second: &str, expect: bool) {
            let mut turns = vec![turn(Voice::User, first)];
            turns.extend(between.map(|(voice, text)| turn(voice, text)));
            turns.push(turn(Voice::User, second));
            assert_eq!(said(&turns, 0).is_empty(), expect, "{first} / {second}");
            assert_eq!(said(&turns, turns.len() - 1).len(), second.lines().count(), "{second}");
        }
        let whole = "The gate stays open at low tide.\n\nMend it in @docs/gates.md first.";
        let cut = "The gate stays open at low tide.\n\nMend it in @doc";
        check(cut, None, whole, true);
        check(whole, None, whole, true);
        check(cut, Some((Voice::User, "[Image: the gate]")), whole, true);
        check(cut, Some((Voice::Assistant, "I look at it.")), whole, false);
        check(cut, Some((Voice::Name("Ada"), "I look at it.")), whole, false);
        check("Mend the gate", None, "Mend the gate of the dock", false);
        check("The gate stays open at high tide.", None, whole, false);
        check(whole, None, cut, false);
        let rules = (0..8)
            .fold(String::new(), |all, n| all + &format!("Gate {n} of the dock stays shut\n"));
        let log = "2026-03-01 10:00:00 INFO gate 7 of 9\n".repeat(20);
        check(rules.trim_end(), None, &format!("{rules}{log}"), false);
        let batch = "Run the benchmark of the lock with batch size 1";
        check(batch, None, &format!("{batch}6"), false);
        check(batch, None, &format!("{batch}.5 on arm"), false);
        let rule = "Never commit the file of moorings to the repository";
        check(rule, None, &format!("{rule};"), false);
        check(rule, None, &format!("{rule} {}", "and so on ".repeat(80)), false);
        check(
            "潮位计的样本必须始终保存在仓库之外",
            None,
            "潮位计的样本必须始终保存在仓库之外，不要提交",
            true,
        );
    }

    #[test]
    fn the_text_of_a_skill_is_nobodys() {
        let text = "\nBase directory for this skill: /s/tide\n\n# Tide\n\nAsk first.";
        assert!(said(&[turn(Voice::User, text)], 0).is_empty());
        let with = format!("{text}\n\nARGUMENTS: mend the lock");
        let turns = [turn(Voice::User, &with)];
        assert_eq!(said(&turns, 0)[0].text, "ARGUMENTS: mend the lock");
        for (voice, text) in [
            (Voice::Assistant, "Base directory for this skill: /s/tide"),
            (Voice::User, "Base directory for this skill: which one is right?"),
        ] {
            assert_eq!(said(&[turn(voice, text)], 0).len(), 1, "{text}");
        }
    }
}
